/* Masks: characters give way to `*` one by one from one end. A value of n characters is masked
 * completely, and so is `*`, from level n on; shorter values get there first. Labels keep the
 * length of their value, so equal labels always come from equal remains. */
#include "base/error.h"
#include "hierarchy/builders.h"

/* Bytes of the character at `text`. What is no UTF-8 counts byte by byte. */
static size_t character_size(const char *text)
{
    const unsigned char *const bytes = (const unsigned char *)text;
    size_t size = 1;
    if (bytes[0] >= 0xc2 && bytes[0] <= 0xdf) {
        size = 2;
    } else if (bytes[0] >= 0xe0 && bytes[0] <= 0xef) {
        size = 3;
    } else if (bytes[0] >= 0xf0 && bytes[0] <= 0xf4) {
        size = 4;
    }
    for (size_t i = 1; i < size; i++) {
        if ((bytes[i] & 0xc0) != 0x80) {
            return 1;
        }
    }
    return size;
}

/* The offsets at which the characters begin, and the end. False if there are too many. */
static bool find_characters(const char *text, size_t offsets[PV_MAX_HEIGHT + 1], size_t *n)
{
    size_t at = 0;
    *n = 0;
    while (text[at] != '\0') {
        if (*n == PV_MAX_HEIGHT) {
            return false;
        }
        offsets[(*n)++] = at;
        at += character_size(text + at);
    }
    offsets[*n] = at;
    return true;
}

static void append_stars(pv_buffer *buffer, size_t n)
{
    for (size_t i = 0; i < n; i++) {
        pv_i_buffer_text(buffer, PV_ROOT_LABEL);
    }
}

/* All labels of one value, one after the other with a NUL each. */
static void append_labels(const char *text, const size_t *offsets, size_t n, bool from_left,
                          pv_buffer *buffer)
{
    for (size_t masked = 1; masked < n; masked++) {
        if (from_left) {
            append_stars(buffer, masked);
            pv_i_buffer_text(buffer, text + offsets[masked]);
        } else {
            pv_i_buffer_bytes(buffer, text, offsets[n - masked]);
            append_stars(buffer, masked);
        }
        pv_i_buffer_char(buffer, '\0');
    }
}

static pv_status mask_value(pv_building *building, uint32_t i, pv_error *error)
{
    const char *const text = pv_i_building_text(building, i);
    size_t offsets[PV_MAX_HEIGHT + 1];
    size_t n;
    if (!find_characters(text, offsets, &n)) {
        pv_i_building_refuse(building, i, "is too long to be masked character by character");
        return PV_STATUS_OK;
    }
    append_labels(text, offsets, n, building->spec->mask_left, &building->labels);
    return pv_i_building_place(building, i, error);
}

static pv_status build_mask(pv_building *building, pv_error *error)
{
    for (uint32_t i = 0; i < building->n; i++) {
        PV_TRY(mask_value(building, i, error));
    }
    return PV_STATUS_OK;
}

const pv_hierarchy_builder pv_i_build_mask = {
    .name = "mask",
    .build = build_mask,
    .remedy = "choose another kind of hierarchy for this column"};
