/* Hierarchies of values that are words: masked character by character, in groups of neighbours in
 * an order, or with the rare ones put together. */
#include "hierarchy/builders.h"

#include "base/checked.h"
#include "base/error.h"
#include "base/memory.h"

#include <inttypes.h>
#include <string.h>

/* ----------------------------------------------------------------------- mask */

/* Masks: characters give way to `*` one by one from one end. A value of n characters is masked
 * completely, and so is `*`, from level n on; shorter values get there first. Labels keep the
 * length of their value, so equal labels always come from equal remains. */

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

static pv_status build_mask(pv_building *building, pv_error *error)
{
    for (uint32_t i = 0; i < building->n; i++) {
        const char *const text = pv_i_building_text(building, i);
        size_t offsets[PV_MAX_HEIGHT + 1];
        size_t n;
        if (find_characters(text, offsets, &n)) {
            append_labels(text, offsets, n, building->spec->mask_left, &building->labels);
            PV_TRY(pv_i_building_place(building, i, error));
        } else {
            pv_i_building_refuse(building, i, "is too long to be masked character by character");
        }
    }
    return PV_STATUS_OK;
}

const pv_hierarchy_builder pv_i_build_mask = {
    .name = "mask",
    .build = build_mask,
    .remedy = "choose another kind of hierarchy for this column"};

/* ---------------------------------------------------------------------- order */

/* Order: ordered categories in groups of n neighbours, named by the first and the last of them. The
 * order is the one listed, or the natural one of the column. */

static pv_status check_order(const pv_hierarchy_spec *spec, pv_error *error)
{
    PV_TRY(pv_i_check_levels(spec->n_sizes, "group size", error));
    for (size_t i = 0; i < spec->n_sizes; i++) {
        const uint64_t size = spec->sizes[i];
        const uint64_t before = i > 0 ? spec->sizes[i - 1] : 1;
        if (size < 2) {
            return pv_i_fail(error, PV_STATUS_ARGUMENT,
                             "groups of %" PRIu64 " do not make an order coarser", size);
        }
        if (size <= before || size % before != 0) {
            return pv_i_hint(pv_i_fail(error, PV_STATUS_ARGUMENT,
                                       "the group size %" PRIu64
                                       " is not a larger multiple of the size %" PRIu64
                                       " before it",
                                       size, before),
                             error, "let each size be a multiple of the one before, as in 2, 4, 8");
        }
    }
    return PV_STATUS_OK;
}

/* The ordered values, whether or not they occur, and the value of the domain at each place. */
typedef struct sequence {
    const char **texts;
    uint32_t *i_of; /* PV_NO_LABEL = does not occur */
    size_t n;
} sequence;

static pv_status number_listed(const pv_building *building, pv_labels *listed, pv_arena *arena,
                               sequence *order, pv_error *error)
{
    const pv_hierarchy_spec *const spec = building->spec;
    for (size_t place = 0; place < spec->n_values; place++) {
        char key[PV_CANONICAL_SIZE];
        uint32_t number;
        PV_TRY(pv_i_labels_add(listed, arena, pv_i_building_key(building, spec->values[place], key),
                               &number, error));
        if (number != place) {
            return pv_i_fail(error, PV_STATUS_ARGUMENT,
                             "the order lists a value twice, at places %zu and %zu",
                             (size_t)number + 1, place + 1);
        }
        order->texts[place] = spec->values[place];
        order->i_of[place] = PV_NO_LABEL;
    }
    return PV_STATUS_OK;
}

static pv_status listed_sequence(pv_building *building, sequence *order, pv_error *error)
{
    pv_arena arena = {0};
    pv_labels listed = {0};
    pv_status status = number_listed(building, &listed, &arena, order, error);
    for (uint32_t i = 0; i < building->n && status == PV_STATUS_OK; i++) {
        char key[PV_CANONICAL_SIZE];
        const uint32_t place = pv_i_labels_find(
            &listed, pv_i_building_key(building, pv_i_building_text(building, i), key));
        if (place != PV_NO_LABEL) {
            order->i_of[place] = i;
        } else {
            pv_i_building_refuse(building, i, "is not in the listed order");
        }
    }
    pv_i_labels_deinit(&listed);
    pv_i_arena_deinit(&arena);
    return status;
}

/* "first..last" of the group of `size` neighbours that begins at a place. */
static void name_group(const char *const *values, size_t n, size_t first, uint64_t size,
                       pv_buffer *label)
{
    const size_t last = size <= n - first ? first + (size_t)size - 1 : n - 1;
    pv_i_buffer_clear(label);
    pv_i_buffer_text(label, values[first]);
    if (last > first) {
        pv_i_buffer_text(label, "..");
        pv_i_buffer_text(label, values[last]);
    }
}

/* A buffer to which only "" was appended has no text yet. */
static const char *text_of(const pv_buffer *label)
{
    return label->data != NULL ? label->data : "";
}

/* Values that hold ".." may make one name of two groups: then the later one is numbered. */
pv_status pv_i_order_names(const char *const *values, size_t n, uint64_t size, pv_arena *arena,
                           const char **names, pv_error *error)
{
    pv_labels taken = {0};
    pv_buffer label = {0};
    pv_status status = PV_STATUS_OK;
    for (size_t group = 0; group * size < n && status == PV_STATUS_OK; group++) {
        uint32_t number = 0;
        name_group(values, n, group * (size_t)size, size, &label);
        for (unsigned i = 2;
             !label.failed && pv_i_labels_find(&taken, text_of(&label)) != PV_NO_LABEL; i++) {
            name_group(values, n, group * (size_t)size, size, &label);
            pv_i_buffer_format(&label, " (%u)", i);
        }
        status = label.failed ? pv_i_no_memory(error)
                              : pv_i_labels_add(&taken, arena, text_of(&label), &number, error);
        names[group] = status == PV_STATUS_OK ? taken.texts[number] : NULL;
    }
    pv_i_buffer_deinit(&label);
    pv_i_labels_deinit(&taken);
    return status;
}

/* The names of the groups of all levels, level after level, each with space for every value. */
static pv_status name_levels(const pv_building *building, const sequence *order,
                             const char ***names, pv_error *error)
{
    const pv_hierarchy_spec *const spec = building->spec;
    size_t n = 0;
    *names = pv_i_mul_size(spec->n_sizes, order->n, &n) ? PV_NEW_ARRAY(const char *, n) : NULL;
    if (*names == NULL) {
        return pv_i_no_memory(error);
    }
    for (size_t level = 0; level < spec->n_sizes; level++) {
        PV_TRY(pv_i_order_names(order->texts, order->n, spec->sizes[level], &building->paths->arena,
                                *names + level * order->n, error));
    }
    return PV_STATUS_OK;
}

static pv_status place_sequence(pv_building *building, const sequence *order, const char **names,
                                pv_error *error)
{
    for (size_t place = 0; place < order->n; place++) {
        for (size_t level = 0; level < building->spec->n_sizes; level++) {
            const size_t group = (size_t)(place / building->spec->sizes[level]);
            pv_i_buffer_text(&building->labels, names[level * order->n + group]);
            pv_i_buffer_char(&building->labels, '\0');
        }
        PV_TRY(order->i_of[place] != PV_NO_LABEL
                   ? pv_i_building_place(building, order->i_of[place], error)
                   : pv_i_building_place_absent(building, order->texts[place], error));
    }
    return PV_STATUS_OK;
}

static pv_status build_order(pv_building *building, pv_error *error)
{
    const bool is_listed = building->spec->values != NULL;
    const size_t n = is_listed ? building->spec->n_values : building->n;
    const char **names = NULL;
    pv_status status;
    sequence order = {
        .texts = PV_NEW_ARRAY(const char *, n), .i_of = PV_NEW_ARRAY(uint32_t, n), .n = n};
    if (order.texts == NULL || order.i_of == NULL) {
        PV_TRY_CLEAN(pv_i_no_memory(error));
    }
    for (uint32_t i = 0; i < n && !is_listed; i++) {
        order.texts[i] = pv_i_building_text(building, i);
        order.i_of[i] = i;
    }
    if (is_listed) {
        PV_TRY_CLEAN(listed_sequence(building, &order, error));
    }
    PV_TRY_CLEAN(name_levels(building, &order, &names, error));
    PV_TRY_CLEAN(place_sequence(building, &order, names, error));
cleanup:
    pv_i_free(names);
    pv_i_free(order.texts);
    pv_i_free(order.i_of);
    return status;
}

const pv_hierarchy_builder pv_i_build_order = {.name = "order",
                                               .check = check_order,
                                               .build = build_order,
                                               .remedy = "add the values to the listed order"};

/* ---------------------------------------------------------------- rare values */

/* Rare values: those with few rows go together into one group, the others stay what they are until
 * `*`. */

#define DEFAULT_LABEL "other"

bool pv_i_is_rare(const pv_hierarchy_spec *spec, const pv_table *table, size_t column,
                  uint32_t code)
{
    const uint64_t rows = pv_table_count(table, column, code);
    /* rows / N < mantissa / 10^scale without dividing: both products stay below 2^127. */
    __int128 scaled = rows;
    for (unsigned i = 0; i < spec->rare_share.scale; i++) {
        scaled *= 10;
    }
    const bool below_share = scaled < (__int128)spec->rare_share.mantissa * pv_table_rows(table);
    return below_share || rows < spec->rare_rows;
}

const char *pv_i_rare_label(const pv_hierarchy_spec *spec)
{
    return spec->rare_label != NULL ? spec->rare_label : DEFAULT_LABEL;
}

static pv_status check_rare(const pv_hierarchy_spec *spec, pv_error *error)
{
    const pv_decimal one = {.mantissa = 1};
    const char *const label = pv_i_rare_label(spec);
    if (spec->values == NULL && spec->rare_share.mantissa == 0 && spec->rare_rows == 0) {
        return pv_i_hint(
            pv_i_fail(error, PV_STATUS_ARGUMENT, "rare values need a threshold above zero"), error,
            "give a share of the rows such as 1%%, or a number of rows");
    }
    if (spec->rare_share.mantissa < 0 || pv_decimal_compare(spec->rare_share, one) > 0) {
        return pv_i_fail(error, PV_STATUS_ARGUMENT,
                         "the threshold of rare values is not a share between 0 and 1");
    }
    if (label[0] == '\0' || strcmp(label, PV_ROOT_LABEL) == 0) {
        return pv_i_fail(error, PV_STATUS_ARGUMENT,
                         "rare values need a label that is neither empty nor %s", PV_ROOT_LABEL);
    }
    return PV_STATUS_OK;
}

static bool stays_apart(const pv_building *building, const pv_labels *apart, uint32_t i)
{
    if (building->spec->values != NULL) {
        return pv_i_labels_find(apart, pv_i_building_text(building, i)) != PV_NO_LABEL;
    }
    return !pv_i_is_rare(building->spec, building->table, building->column, building->codes[i]);
}

static void append_label(pv_building *building, const char *label)
{
    pv_i_buffer_text(&building->labels, label);
    pv_i_buffer_char(&building->labels, '\0');
}

/* The values that stay come first, so that the group of the rare ones ends the list. */
static pv_status place_common(pv_building *building, const pv_labels *apart, pv_error *error)
{
    const char *const label = pv_i_rare_label(building->spec);
    for (uint32_t i = 0; i < building->n; i++) {
        const char *const text = pv_i_building_text(building, i);
        if (!stays_apart(building, apart, i)) {
            continue;
        }
        if (strcmp(text, label) == 0) {
            return pv_i_hint(pv_i_fail(error, PV_STATUS_ARGUMENT,
                                       "column `%s`: the label of the rare values, \"%s\", is also "
                                       "a value that is not rare",
                                       pv_table_name(building->table, building->column), label),
                             error, "choose another label for the rare values");
        }
        append_label(building, text);
        PV_TRY(pv_i_building_place(building, i, error));
    }
    return PV_STATUS_OK;
}

/* Those that stay apart by name that do not occur. */
static pv_status place_absent(pv_building *building, const pv_labels *apart, pv_error *error)
{
    bool *const occurs = PV_NEW_ZEROED(bool, apart->n);
    pv_status status = occurs != NULL ? PV_STATUS_OK : pv_i_no_memory(error);
    for (uint32_t i = 0; status == PV_STATUS_OK && i < building->n; i++) {
        const uint32_t number = pv_i_labels_find(apart, pv_i_building_text(building, i));
        if (number != PV_NO_LABEL) {
            occurs[number] = true;
        }
    }
    for (uint32_t number = 0; status == PV_STATUS_OK && number < apart->n; number++) {
        if (!occurs[number] && strcmp(apart->texts[number], pv_i_rare_label(building->spec)) != 0) {
            append_label(building, apart->texts[number]);
            status = pv_i_building_place_absent(building, apart->texts[number], error);
        }
    }
    pv_i_free(occurs);
    return status;
}

static pv_status build_rare(pv_building *building, pv_error *error)
{
    const pv_hierarchy_spec *const spec = building->spec;
    pv_arena arena = {0};
    pv_labels apart = {0}; /* the values that stay by name; empty when the threshold decides */
    pv_status status = PV_STATUS_OK;
    for (size_t i = 0; spec->values != NULL && i < spec->n_values; i++) {
        uint32_t number;
        PV_TRY_CLEAN(pv_i_labels_add(&apart, &arena, spec->values[i], &number, error));
    }
    PV_TRY_CLEAN(place_common(building, &apart, error));
    PV_TRY_CLEAN(place_absent(building, &apart, error));
    for (uint32_t i = 0; i < building->n; i++) {
        if (!stays_apart(building, &apart, i)) {
            append_label(building, pv_i_rare_label(spec));
            PV_TRY_CLEAN(pv_i_building_place(building, i, error));
        }
    }
cleanup:
    pv_i_labels_deinit(&apart);
    pv_i_arena_deinit(&arena);
    return status;
}

const pv_hierarchy_builder pv_i_build_rare = {
    .name = "rare", .check = check_rare, .build = build_rare};
