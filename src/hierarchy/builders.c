/* The table of builders, the simplest of them, and what they share. */
#include "hierarchy/builders.h"

#include "base/bitset.h"
#include "base/error.h"
#include "base/memory.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

static const pv_hierarchy_builder *const builders[] = {
    [PV_HIERARCHY_SUPPRESS] = &pv_i_build_suppress,   [PV_HIERARCHY_ROWS] = &pv_i_build_rows,
    [PV_HIERARCHY_INTERVALS] = &pv_i_build_intervals, [PV_HIERARCHY_MASK] = &pv_i_build_mask,
    [PV_HIERARCHY_DATE] = &pv_i_build_date,           [PV_HIERARCHY_ORDER] = &pv_i_build_order,
    [PV_HIERARCHY_RARE] = &pv_i_build_rare,           [PV_HIERARCHY_BREAKS] = &pv_i_build_breaks,
};
static_assert(sizeof builders / sizeof *builders == PV_HIERARCHY_KIND_COUNT,
              "every kind of hierarchy needs a builder");

const pv_hierarchy_builder *pv_i_hierarchy_builder(pv_hierarchy_kind kind)
{
    return (unsigned)kind < PV_HIERARCHY_KIND_COUNT ? builders[kind] : NULL;
}

const char *pv_hierarchy_kind_name(pv_hierarchy_kind kind)
{
    const pv_hierarchy_builder *const builder = pv_i_hierarchy_builder(kind);
    return builder != NULL ? builder->name : "unknown";
}

/* ---------------------------------------------------------------- the values to place */

static pv_status find_values(pv_building *building, pv_error *error)
{
    const pv_table *const table = building->table;
    const uint32_t n = pv_table_values(table, building->column);
    const uint32_t missing = pv_table_missing(table, building->column);
    building->codes = PV_NEW_ARRAY(uint32_t, n);
    building->refused = PV_NEW_ZEROED(uint64_t, PV_BITSET_WORDS((size_t)n));
    if (building->codes == NULL || building->refused == NULL) {
        return pv_i_no_memory(error);
    }
    PV_TRY(pv_table_order(table, building->column, building->codes, error));
    for (uint32_t i = 0; i < n; i++) {
        const uint32_t code = building->codes[i];
        const char *const text = pv_table_value(table, building->column, code);
        if (code == missing) {
            continue;
        }
        if (strcmp(text, PV_ROOT_LABEL) == 0) {
            building->root_code = code;
        } else {
            building->codes[building->n++] = code;
        }
    }
    return PV_STATUS_OK;
}

pv_status pv_i_building_init(pv_building *building, const pv_hierarchy_spec *spec,
                             const pv_table *table, size_t column, pv_error *error)
{
    *building = (pv_building){
        .spec = spec,
        .table = table,
        .column = column,
        .root_code = PV_NO_CODE,
        .whole = table != NULL && pv_table_type(table, column) == PV_TYPE_INTEGER,
    };
    PV_TRY(pv_i_paths_create(&building->paths, error));
    return table != NULL ? find_values(building, error) : PV_STATUS_OK;
}

void pv_i_building_deinit(pv_building *building)
{
    pv_i_free(building->codes);
    pv_i_free(building->refused);
    pv_i_buffer_deinit(&building->labels);
    pv_i_paths_free(building->paths);
}

const char *pv_i_building_text(const pv_building *building, uint32_t i)
{
    return pv_table_value(building->table, building->column, building->codes[i]);
}

const char *pv_i_building_key(const pv_building *building, const char *text,
                              char key[PV_CANONICAL_SIZE])
{
    const bool found =
        building->table != NULL &&
        pv_i_table_canonical(building->table, building->column, text, strlen(text), key) > 0;
    return found ? key : text;
}

static pv_status place(pv_building *building, uint32_t code, const char *text, pv_error *error)
{
    const char *labels[PV_MAX_HEIGHT];
    size_t n = 0;
    if (building->labels.failed) {
        return pv_i_no_memory(error);
    }
    for (size_t at = 0; at < building->labels.size; n++) {
        assert(n < PV_MAX_HEIGHT);
        labels[n] = building->labels.data + at;
        at += strlen(labels[n]) + 1;
    }
    const pv_path path = {
        .code = code, .value = text, .labels = labels, .n_labels = n, .repeats = building->repeats};
    const pv_status status = pv_i_paths_add(building->paths, &path, &building->problems, error);
    pv_i_buffer_clear(&building->labels);
    return status;
}

pv_status pv_i_building_place(pv_building *building, uint32_t i, pv_error *error)
{
    return place(building, building->codes[i], pv_i_building_text(building, i), error);
}

bool pv_i_building_is_special(const pv_building *building, const char *text)
{
    const uint32_t missing =
        building->table != NULL ? pv_table_missing(building->table, building->column) : PV_NO_CODE;
    return strcmp(text, PV_ROOT_LABEL) == 0 ||
           (missing != PV_NO_CODE &&
            strcmp(pv_table_value(building->table, building->column, missing), text) == 0);
}

pv_status pv_i_building_place_absent(pv_building *building, const char *text, pv_error *error)
{
    if (pv_i_building_is_special(building, text)) {
        pv_i_buffer_clear(&building->labels);
        return PV_STATUS_OK;
    }
    return place(building, PV_NO_CODE, text, error);
}

void pv_i_building_refuse(pv_building *building, uint32_t i, const char *complaint)
{
    pv_i_bit_set(building->refused, building->codes[i]);
    building->n_refused++;
    building->complaint = complaint;
}

void pv_i_building_list_refused(pv_building *building)
{
    if (building->n_refused == 0) {
        return;
    }
    /* Codes are numbered as they first appear, so this is the order of the lines. */
    const uint32_t n = pv_table_values(building->table, building->column);
    for (uint32_t code = 0; code < n; code++) {
        if (pv_i_bit_get(building->refused, code)) {
            pv_i_problems_add_value(&building->problems, building->table, building->column, code,
                                    building->complaint);
        }
    }
}

pv_status pv_i_check_levels(size_t n, const char *what, pv_error *error)
{
    if (n == 0) {
        return pv_i_fail(error, PV_STATUS_ARGUMENT, "the hierarchy needs at least one %s", what);
    }
    if (n >= PV_MAX_HEIGHT) {
        return pv_i_fail(error, PV_STATUS_LIMIT, "the hierarchy has more than %d levels",
                         PV_MAX_HEIGHT);
    }
    return PV_STATUS_OK;
}

/* ---------------------------------------------------------------- values on a line */

typedef struct position {
    __int128 at;
    uint32_t i; /* the i-th value to place */
} position;

static int compare_positions(const void *left, const void *right)
{
    const position *const a = left;
    const position *const b = right;
    if (a->at != b->at) {
        return a->at < b->at ? -1 : 1;
    }
    return (a->i > b->i) - (a->i < b->i);
}

static size_t find_positions(pv_building *building, const pv_line *line, position *positions)
{
    const pv_format *const format = pv_table_format(building->table, building->column);
    size_t n = 0;
    for (uint32_t i = 0; i < building->n; i++) {
        if (line->find(pv_i_building_text(building, i), format, &positions[n].at)) {
            positions[n++].i = i;
        } else {
            pv_i_building_refuse(building, i, line->complaint);
        }
    }
    return n;
}

static bool counts_as_one(const pv_building *building, const pv_line *line, __int128 a, __int128 b)
{
    return line->count_as != NULL && line->count_as(building, a) == line->count_as(building, b);
}

pv_status pv_i_building_place_line(pv_building *building, const pv_line *line, pv_error *error)
{
    position *const positions = PV_NEW_ARRAY(position, building->n);
    pv_status status = positions != NULL ? PV_STATUS_OK : pv_i_no_memory(error);
    if (status != PV_STATUS_OK) {
        return status;
    }
    const size_t n = find_positions(building, line, positions);
    if (n > 1) {
        qsort(positions, n, sizeof *positions, compare_positions);
    }
    for (size_t p = 0; p < n && status == PV_STATUS_OK; p++) {
        building->repeats =
            p > 0 && counts_as_one(building, line, positions[p - 1].at, positions[p].at);
        line->label(building, positions[p].at);
        status = pv_i_building_place(building, positions[p].i, error);
    }
    pv_i_free(positions);
    return status;
}

/* ---------------------------------------------------------------- plain suppression */

/* The value, then `*`. */
static pv_status build_suppress(pv_building *building, pv_error *error)
{
    for (uint32_t i = 0; i < building->n; i++) {
        PV_TRY(pv_i_building_place(building, i, error));
    }
    return PV_STATUS_OK;
}

const pv_hierarchy_builder pv_i_build_suppress = {.name = "suppress", .build = build_suppress};
