/* `hierarchy:` in a plan: the path of a file, or a mapping with exactly one key that says how to
 * build it and perhaps some that refine it. One table of builders; each names its keys. */
#include "plan/plan.h"

#include "base/error.h"
#include "base/file.h"
#include "base/memory.h"
#include "hierarchy/hierarchy_spec.h"
#include "plan/document.h"
#include "plan/spelling.h"

#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

typedef struct {
    const char *name;
    pv_hierarchy_kind kind;
    const pv_plan_key *keys;
    const char *example;
} builder;

/* ------------------------------------------------------------ file, rows */

pv_status pv_i_plan_refuse_data(const pv_plan_setting *setting, const char *path, pv_error *error)
{
    struct stat file;
    struct stat data;
    const bool is_data = setting->data != NULL && stat(path, &file) == 0 &&
                         stat(setting->data, &data) == 0 && file.st_dev == data.st_dev &&
                         file.st_ino == data.st_ino;
    return is_data ? pv_i_fail_at(error, PV_STATUS_INPUT, path, 0, 0,
                                  "this is the data of the plan, no file about its values")
                   : PV_STATUS_OK;
}

static pv_status read_file(const char *file, const pv_node *node, const pv_plan_setting *setting,
                           pv_hierarchy_spec *spec, pv_error *error)
{
    PV_TRY(pv_i_need_text("hierarchy", file, node, error));
    char *const path = pv_i_path_beside(file, node->text);
    if (path == NULL) {
        return pv_i_no_memory(error);
    }
    if (!setting->read_files) {
        spec->kind = PV_HIERARCHY_ROWS;
        spec->file = path;
        return PV_STATUS_OK;
    }
    pv_status status = pv_i_plan_refuse_data(setting, path, error);
    if (status == PV_STATUS_OK) {
        status = pv_hierarchy_spec_read(path, spec, error);
    }
    pv_i_free(path);
    return status;
}

static pv_status take_row(const char *file, const pv_node *node, pv_hierarchy_spec *spec,
                          size_t *capacity, pv_error *error)
{
    const char *cells[PV_MAX_HEIGHT + 1]; /* the value, its groups and `*` */
    size_t n = 0;
    PV_TRY(pv_i_need_list("rows", file, node, "rows: [[red, warm], [blue, cold]]", error));
    if (node->n_items > sizeof cells / sizeof *cells) {
        return pv_i_fail_at(error, PV_STATUS_INPUT, PV_AT(file, node), "more than %d levels",
                            PV_MAX_HEIGHT);
    }
    for (const pv_node *cell = node->first; cell != NULL; cell = cell->next) {
        PV_TRY(pv_i_need_text("rows", file, cell, error));
        cells[n++] = cell->text;
    }
    return pv_i_hierarchy_spec_add_row(spec, capacity, cells, n, 0, error);
}

static pv_status take_rows(const char *file, const pv_node *value, void *target, pv_error *error)
{
    size_t capacity = 0;
    PV_TRY(pv_i_need_list("rows", file, value, "rows: [[red, warm], [blue, cold]]", error));
    for (const pv_node *item = value->first; item != NULL; item = item->next) {
        PV_TRY(take_row(file, item, target, &capacity, error));
    }
    return PV_STATUS_OK;
}

/* ----------------------------------------------------- intervals, breaks */

static pv_status take_intervals(const char *file, const pv_node *value, void *target,
                                pv_error *error)
{
    pv_hierarchy_spec *const spec = target;
    PV_TRY(pv_i_need_list("intervals", file, value, "intervals: [5, 10, 20]", error));
    return pv_i_take_decimals("intervals", file, value, &spec->widths, &spec->n_widths, error);
}

/* No break at all makes sense: every number, or a missing value. */
static pv_status take_breaks(const char *file, const pv_node *value, void *target, pv_error *error)
{
    pv_hierarchy_spec *const spec = target;
    return pv_i_take_decimals("breaks", file, value, &spec->breaks, &spec->n_breaks, error);
}

static pv_status take_date(const char *file, const pv_node *value, void *target, pv_error *error)
{
    pv_hierarchy_spec *const spec = target;
    pv_word words[PV_DATE_UNIT_COUNT + 1] = {0};
    for (int i = 0; i < PV_DATE_UNIT_COUNT; i++) {
        words[i] = (pv_word){pv_date_unit_name((pv_date_unit)i), i};
    }
    PV_TRY(pv_i_need_list("date", file, value, "date: [month, year, decade]", error));
    spec->units = PV_NEW_ZEROED(pv_date_unit, value->n_items);
    if (spec->units == NULL) {
        return pv_i_no_memory(error);
    }
    for (const pv_node *item = value->first; item != NULL; item = item->next) {
        int unit = 0;
        PV_TRY(pv_i_take_word("date", words, file, item, &unit, error));
        spec->units[spec->n_units++] = (pv_date_unit)unit;
    }
    return PV_STATUS_OK;
}

/* ----------------------------------------------------------- order, rare */

static pv_status take_order(const char *file, const pv_node *value, void *target, pv_error *error)
{
    pv_hierarchy_spec *const spec = target;
    PV_TRY(pv_i_need_list("order", file, value, "order: [2, 4]", error));
    spec->sizes = PV_NEW_ZEROED(uint64_t, value->n_items);
    if (spec->sizes == NULL) {
        return pv_i_no_memory(error);
    }
    for (const pv_node *item = value->first; item != NULL; item = item->next) {
        uint64_t *const size = &spec->sizes[spec->n_sizes];
        PV_TRY(pv_i_take_count("order", file, item, 2, UINT64_MAX, size, error));
        spec->n_sizes++;
    }
    return PV_STATUS_OK;
}

/* `values` of an order, `keep` of rare ones. */
static pv_status take_values(const char *file, const pv_node *value, void *target, pv_error *error)
{
    pv_hierarchy_spec *const spec = target;
    return pv_i_take_texts(value->key->text, file, value, &spec->values, &spec->n_values, error);
}

static pv_status take_rare(const char *file, const pv_node *value, void *target, pv_error *error)
{
    pv_hierarchy_spec *const spec = target;
    pv_budget threshold;
    PV_TRY(pv_i_need_text("rare", file, value, error));
    if (!pv_budget_parse(value->text, &threshold)) {
        return pv_i_hint(pv_i_fail_at(error, PV_STATUS_INPUT, PV_AT(file, value),
                                      "`rare` cannot be `%s`", pv_i_shown(value->text).text),
                         error, "write a share of the rows such as 1%%, or a number of rows");
    }
    spec->rare_share = threshold.is_share ? threshold.share : (pv_decimal){0};
    spec->rare_rows = threshold.rows;
    return PV_STATUS_OK;
}

/* -------------------------------------------------------------- builders */

/* Keys that go into a field of the specification. */
#define INTO(name, kind, field, words) PV_KEY_INTO(name, kind, pv_hierarchy_spec, field, words)

static const pv_word places[] = {{"apart", false}, {"last", true}, {NULL, 0}};
static const pv_word is_left[] = {{"right", false}, {"left", true}, {NULL, 0}};
static const pv_word is_right[] = {{"right", true}, {"left", false}, {NULL, 0}};
static const pv_word agreement[] = {{"true", 1}, {"yes", 1}, {NULL, 0}};

static const pv_plan_key file_keys[] = {PV_KEY("file", NULL), {0}}; /* read when it is chosen */
static const pv_plan_key rows_keys[] = {
    PV_KEY("rows", take_rows), INTO("missing", PV_KEY_TEXT, missing_group, NULL), {0}};
static const pv_plan_key break_keys[] = {
    PV_KEY("breaks", take_breaks), INTO("missing", PV_KEY_SWITCH, missing_last, places), {0}};
static const pv_plan_key interval_keys[] = {PV_KEY("intervals", take_intervals),
                                            INTO("origin", PV_KEY_DECIMAL, origin, NULL),
                                            INTO("closed", PV_KEY_SWITCH, closed_right, is_right),
                                            {0}};
static const pv_plan_key mask_keys[] = {INTO("mask", PV_KEY_SWITCH, mask_left, is_left), {0}};
static const pv_plan_key date_keys[] = {PV_KEY("date", take_date), {0}};
static const pv_plan_key order_keys[] = {
    PV_KEY("order", take_order), PV_KEY("values", take_values), {0}};
static const pv_plan_key rare_keys[] = {PV_KEY("rare", take_rare),
                                        INTO("label", PV_KEY_TEXT, rare_label, NULL),
                                        PV_KEY("keep", take_values),
                                        {0}};
/* Value, then *: there is nothing to say about it. */
static const pv_plan_key suppress_keys[] = {INTO("suppress", PV_KEY_CHECK, kind, agreement), {0}};

static const builder builders[] = {
    {"intervals", PV_HIERARCHY_INTERVALS, interval_keys, "{intervals: [5, 10, 20]}"},
    {"breaks", PV_HIERARCHY_BREAKS, break_keys, "{breaks: [25, 40, 60]}"},
    {"mask", PV_HIERARCHY_MASK, mask_keys, "{mask: right}"},
    {"date", PV_HIERARCHY_DATE, date_keys, "{date: [month, year]}"},
    {"order", PV_HIERARCHY_ORDER, order_keys, "{order: [2, 4]}"},
    {"rare", PV_HIERARCHY_RARE, rare_keys, "{rare: 1%}"},
    {"rows", PV_HIERARCHY_ROWS, rows_keys, "{rows: [[red, warm], [blue, cold]]}"},
    {"file", PV_HIERARCHY_ROWS, file_keys, "{file: FILE}"},
    {"suppress", PV_HIERARCHY_SUPPRESS, suppress_keys, "{suppress: true}"},
};
#define N_BUILDERS (sizeof builders / sizeof *builders)

static const builder *find_builder(const char *name)
{
    for (size_t i = 0; i < N_BUILDERS; i++) {
        if (strcmp(builders[i].name, name) == 0) {
            return &builders[i];
        }
    }
    return NULL;
}

static pv_status fail_no_builder(const char *file, const pv_node *mapping, pv_error *error)
{
    pv_plan_key names[N_BUILDERS + 1] = {0};
    for (size_t i = 0; i < N_BUILDERS; i++) {
        names[i].name = builders[i].name;
    }
    if (mapping->first != NULL) {
        return pv_i_fail_key(names, "a hierarchy", file, mapping->first->key, error);
    }
    return pv_i_hint(
        pv_i_fail_at(error, PV_STATUS_INPUT, PV_AT(file, mapping), "the hierarchy is empty"), error,
        "name a file, or write for example %s", builders[0].example);
}

/* The one builder a mapping names. */
static pv_status choose_builder(const char *file, const pv_node *mapping, const builder **chosen,
                                pv_error *error)
{
    const builder *found = NULL;
    for (const pv_node *value = mapping->first; value != NULL; value = value->next) {
        const builder *const named = find_builder(value->key->text);
        if (named != NULL && found != NULL) {
            return pv_i_hint(pv_i_fail_at(error, PV_STATUS_INPUT, PV_AT(file, value->key),
                                          "`%s` cannot stand beside `%s`", named->name,
                                          found->name),
                             error, "a hierarchy is built in one way: keep one of the two");
        }
        found = named != NULL ? named : found;
    }
    if (found == NULL) {
        return fail_no_builder(file, mapping, error);
    }
    *chosen = found;
    return PV_STATUS_OK;
}

static pv_status take_mapping(const char *file, const pv_node *mapping,
                              const pv_plan_setting *setting, pv_hierarchy_spec *spec,
                              pv_error *error)
{
    const builder *chosen = NULL;
    PV_TRY(choose_builder(file, mapping, &chosen, error));
    char where[64];
    (void)snprintf(where, sizeof where, "a hierarchy built by `%s`", chosen->name);
    PV_TRY(pv_i_take_keys(chosen->keys, where, file, mapping, spec, error));
    const pv_node *const place = pv_i_node_get(mapping, chosen->name);
    if (chosen->keys == file_keys) {
        return read_file(file, place, setting, spec, error); /* which checks it */
    }
    spec->kind = chosen->kind;
    /* Which parameters make a hierarchy (nested widths, ascending units, ...) is known where it is
     * built; here it is known where they are written. */
    return pv_i_place_error(pv_i_hierarchy_spec_check(spec, error), PV_AT(file, place), error);
}

/* A path; but a bare `mask` is far more likely a builder than a file of that name. */
static pv_status take_path(const char *file, const pv_node *node, const pv_plan_setting *setting,
                           pv_hierarchy_spec *spec, pv_error *error)
{
    const builder *const named = find_builder(node->text);
    if (named != NULL) {
        return pv_i_hint(
            pv_i_fail_at(error, PV_STATUS_INPUT, PV_AT(file, node),
                         "`%s` alone does not say how to build the hierarchy", named->name),
            error, "write {file: %s} for a file of that name, or %s", named->name, named->example);
    }
    return read_file(file, node, setting, spec, error);
}

pv_status pv_i_plan_hierarchy(const char *file, const pv_node *node, const pv_plan_setting *setting,
                              pv_hierarchy_spec *spec, pv_error *error)
{
    switch (node->kind) {
    case PV_NODE_MAPPING: return take_mapping(file, node, setting, spec, error);
    case PV_NODE_SCALAR: return take_path(file, node, setting, spec, error);
    default:
        return pv_i_hint(
            pv_i_fail_at(error, PV_STATUS_INPUT, PV_AT(file, node), "`hierarchy` cannot be a list"),
            error, "name a file, or write for example %s", builders[0].example);
    }
}
