/* Numbers on a line. */
#include "hierarchy/numbers.h"

#include "table/value.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

pv_ticks pv_i_ticks(pv_decimal decimal)
{
    pv_ticks result = decimal.mantissa;
    for (int scale = decimal.scale; scale < PV_DECIMAL_MAX_SCALE; scale++) {
        result *= 10;
    }
    return result;
}

bool pv_i_ticks_parse(const char *text, const pv_format *format, pv_ticks *ticks)
{
    pv_decimal number;
    if (!pv_i_number_parse(text, strlen(text), format, &number)) {
        return false;
    }
    *ticks = pv_i_ticks(number);
    return true;
}

bool pv_i_ticks_decimal(pv_ticks ticks, pv_decimal *decimal)
{
    uint8_t scale = PV_DECIMAL_MAX_SCALE;
    while (scale > 0 && ticks % 10 == 0) {
        ticks /= 10;
        scale--;
    }
    if (ticks < INT64_MIN || ticks > INT64_MAX) {
        return false;
    }
    *decimal = (pv_decimal){.mantissa = (int64_t)ticks, .scale = scale};
    return true;
}

void pv_i_ticks_text(pv_ticks ticks, char text[PV_NUMBER_SIZE])
{
    const pv_ticks size = ticks < 0 ? -ticks : ticks;
    const uint64_t fraction = (uint64_t)(size % PV_TICKS_ONE);
    const int n = snprintf(text, PV_NUMBER_SIZE, "%s%" PRIu64 ".%018" PRIu64, ticks < 0 ? "-" : "",
                           (uint64_t)(size / PV_TICKS_ONE), fraction);
    char *end = text + n;
    while (end[-1] == '0') {
        end--;
    }
    end[end[-1] == '.' ? -1 : 0] = '\0';
}
