/* Codes between narrow and wide. Narrow codes need not be aligned. */
#include "table/column.h"

#include <string.h>

void pv_i_codes_unpack(pv_codes codes, uint64_t first_row, size_t n, uint32_t *out)
{
    const uint8_t *const from = (const uint8_t *)codes.data + first_row * codes.width;
    if (codes.width == 1) {
        for (size_t i = 0; i < n; i++) {
            out[i] = from[i];
        }
    } else if (codes.width == 2) {
        for (size_t i = 0; i < n; i++) {
            uint16_t code;
            memcpy(&code, from + i * sizeof code, sizeof code);
            out[i] = code;
        }
    } else if (n > 0) {
        memcpy(out, from, n * sizeof *out);
    }
}

uint8_t *pv_i_codes_pack(const uint32_t *codes, size_t n, unsigned width, uint8_t *out)
{
    if (width == 1) {
        for (size_t i = 0; i < n; i++) {
            out[i] = (uint8_t)codes[i];
        }
    } else if (width == 2) {
        for (size_t i = 0; i < n; i++) {
            const uint16_t code = (uint16_t)codes[i];
            memcpy(out + i * sizeof code, &code, sizeof code);
        }
    } else if (n > 0) {
        memcpy(out, codes, n * sizeof *codes);
    }
    return out + n * width;
}
