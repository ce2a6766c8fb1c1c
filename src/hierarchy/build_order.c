/* Order: ordered categories in groups of n neighbours, named by the first and the last of them. The
 * order is the one listed, or the natural one of the column. */
#include "base/checked.h"
#include "base/error.h"
#include "base/memory.h"
#include "hierarchy/builders.h"

#include <inttypes.h>

/* ---------------------------------------------------------------- parameters */

static pv_status check_size(const pv_hierarchy_spec *spec, size_t i, pv_error *error)
{
    const uint64_t size = spec->sizes[i];
    const uint64_t before = i > 0 ? spec->sizes[i - 1] : 1;
    if (size < 2) {
        return pv_i_fail(error, PV_STATUS_ARGUMENT,
                         "groups of %" PRIu64 " do not make an order coarser", size);
    }
    if (size <= before || size % before != 0) {
        return pv_i_hint(pv_i_fail(error, PV_STATUS_ARGUMENT,
                                   "the group size %" PRIu64
                                   " is not a larger multiple of the size %" PRIu64 " before it",
                                   size, before),
                         error, "let each size be a multiple of the one before, as in 2, 4, 8");
    }
    return PV_STATUS_OK;
}

static pv_status check_order(const pv_hierarchy_spec *spec, pv_error *error)
{
    PV_TRY(pv_i_check_levels(spec->n_sizes, "group size", error));
    for (size_t i = 0; i < spec->n_sizes; i++) {
        PV_TRY(check_size(spec, i, error));
    }
    return PV_STATUS_OK;
}

/* ---------------------------------------------------------------- building */

/* The ordered values, whether or not they occur, and the value of the domain at each place. */
typedef struct sequence {
    const char **texts;
    uint32_t *i_of; /* PV_NO_LABEL = does not occur */
    size_t n;
} sequence;

static void sequence_deinit(sequence *order)
{
    pv_i_free(order->texts);
    pv_i_free(order->i_of);
}

static pv_status sequence_init(sequence *order, size_t n, pv_error *error)
{
    order->texts = PV_NEW_ARRAY(const char *, n);
    order->i_of = PV_NEW_ARRAY(uint32_t, n);
    order->n = n;
    return order->texts != NULL && order->i_of != NULL ? PV_STATUS_OK : pv_i_no_memory(error);
}

static pv_status natural_sequence(const pv_building *building, sequence *order, pv_error *error)
{
    PV_TRY(sequence_init(order, building->n, error));
    for (uint32_t i = 0; i < building->n; i++) {
        order->texts[i] = pv_i_building_text(building, i);
        order->i_of[i] = i;
    }
    return PV_STATUS_OK;
}

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
    pv_status status = sequence_init(order, building->spec->n_values, error);
    if (status == PV_STATUS_OK) {
        status = number_listed(building, &listed, &arena, order, error);
    }
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

/* The names of the groups of all levels, level after level, each with room for every value. */
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
    const char **names = NULL;
    sequence order = {0};
    pv_status status = building->spec->values != NULL ? listed_sequence(building, &order, error)
                                                      : natural_sequence(building, &order, error);
    if (status == PV_STATUS_OK) {
        status = name_levels(building, &order, &names, error);
    }
    if (status == PV_STATUS_OK) {
        status = place_sequence(building, &order, names, error);
    }
    pv_i_free(names);
    sequence_deinit(&order);
    return status;
}

const pv_hierarchy_builder pv_i_build_order = {.name = "order",
                                               .check = check_order,
                                               .build = build_order,
                                               .remedy = "add the values to the listed order"};
