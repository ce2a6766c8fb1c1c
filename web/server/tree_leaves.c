/* A hierarchy leaf by leaf, and its specification as a plan would have it. */
#include "server/tree.h"

#include "core/fail.h"
#include "core/json.h"
#include "core/opened.h"
#include "core/text.h"

#include <stdlib.h>
#include <string.h>

#define MOST_LEAVES 2000

/* ---------------------------------------------------------------- the specification */

static json_t *decimal_json(pv_decimal decimal)
{
    return cli_json_number(pv_decimal_double(decimal));
}

static json_t *decimals_json(const pv_decimal *decimals, size_t n)
{
    json_t *const list = json_array();
    for (size_t i = 0; i < n; i++) {
        cli_json_append(list, decimal_json(decimals[i]));
    }
    return list;
}

static json_t *texts_json(char *const *texts, size_t n)
{
    json_t *const list = json_array();
    for (size_t i = 0; i < n; i++) {
        cli_json_append(list, cli_json_text(texts[i]));
    }
    return list;
}

static void tell_rows(json_t *object, const pv_hierarchy_spec *spec)
{
    json_t *const rows = json_array();
    for (size_t i = 0; i < spec->n_rows; i++) {
        size_t n = 0;
        while (spec->rows[i][n] != NULL) {
            n++;
        }
        cli_json_append(rows, texts_json(spec->rows[i], n));
    }
    cli_json_set(object, "rows", rows);
    if (spec->missing_group != NULL) {
        cli_json_set(object, "missing", cli_json_text(spec->missing_group));
    }
}

static void tell_intervals(json_t *object, const pv_hierarchy_spec *spec)
{
    cli_json_set(object, "intervals", decimals_json(spec->widths, spec->n_widths));
    if (spec->origin.mantissa != 0) {
        cli_json_set(object, "origin", decimal_json(spec->origin));
    }
    if (spec->closed_right) {
        cli_json_set(object, "closed", cli_json_text("right"));
    }
}

static void tell_breaks(json_t *object, const pv_hierarchy_spec *spec)
{
    cli_json_set(object, "breaks", decimals_json(spec->breaks, spec->n_breaks));
    if (spec->missing_last) {
        cli_json_set(object, "missing", cli_json_text("last"));
    }
}

static void tell_date(json_t *object, const pv_hierarchy_spec *spec)
{
    json_t *const units = json_array();
    for (size_t i = 0; i < spec->n_units; i++) {
        cli_json_append(units, cli_json_text(pv_date_unit_name(spec->units[i])));
    }
    cli_json_set(object, "date", units);
}

static void tell_order(json_t *object, const pv_hierarchy_spec *spec)
{
    json_t *const sizes = json_array();
    for (size_t i = 0; i < spec->n_sizes; i++) {
        cli_json_append(sizes, cli_json_count(spec->sizes[i]));
    }
    cli_json_set(object, "order", sizes);
    if (spec->values != NULL) {
        cli_json_set(object, "values", texts_json(spec->values, spec->n_values));
    }
}

static void tell_rare(json_t *object, const pv_hierarchy_spec *spec)
{
    char share[40];
    pv_decimal_text(spec->rare_share, share, sizeof share);
    cli_json_set(object, "rare",
                 spec->rare_share.mantissa > 0 ? cli_json_text(share)
                                               : cli_json_count(spec->rare_rows));
    if (spec->rare_label != NULL) {
        cli_json_set(object, "label", cli_json_text(spec->rare_label));
    }
    if (spec->values != NULL) {
        cli_json_set(object, "keep", texts_json(spec->values, spec->n_values));
    }
}

json_t *web_tree_spec(const pv_hierarchy_spec *spec)
{
    json_t *const object = json_object();
    switch (spec->kind) {
    case PV_HIERARCHY_ROWS:
        if (spec->file != NULL) {
            cli_json_set(object, "file", cli_json_text(spec->file));
        } else {
            tell_rows(object, spec);
        }
        break;
    case PV_HIERARCHY_INTERVALS: tell_intervals(object, spec); break;
    case PV_HIERARCHY_MASK:
        cli_json_set(object, "mask", cli_json_text(spec->mask_left ? "left" : "right"));
        break;
    case PV_HIERARCHY_DATE: tell_date(object, spec); break;
    case PV_HIERARCHY_ORDER: tell_order(object, spec); break;
    case PV_HIERARCHY_RARE: tell_rare(object, spec); break;
    case PV_HIERARCHY_BREAKS: tell_breaks(object, spec); break;
    default: cli_json_set(object, "suppress", cli_json_bool(true)); break;
    }
    return object;
}

/* ---------------------------------------------------------------------- the leaves */

typedef struct {
    const pv_table *table;
    size_t column;
    const pv_hierarchy *hierarchy; /* NULL = values alone */
    const uint32_t *order;         /* codes, without a hierarchy */
    unsigned height;               /* 0 without one */
} tree;

static uint32_t code_of(const tree *t, uint32_t leaf)
{
    return t->hierarchy != NULL ? pv_hierarchy_code(t->hierarchy, leaf) : t->order[leaf];
}

static const char *label_of(const tree *t, unsigned level, uint32_t leaf)
{
    return pv_hierarchy_label(t->hierarchy, level, pv_hierarchy_group(t->hierarchy, level, leaf));
}

/* Levels at which a leaf is not yet `*`. */
static unsigned steps_of(const tree *t, uint32_t leaf)
{
    unsigned level = 1;
    while (
        level < t->height &&
        !pv_hierarchy_is_root(t->hierarchy, level, pv_hierarchy_group(t->hierarchy, level, leaf))) {
        level++;
    }
    return t->height > 0 ? level - 1 : 0;
}

static json_t *leaf_json(const tree *t, uint32_t leaf)
{
    const uint32_t code = code_of(t, leaf);
    json_t *const entry = json_object();
    json_t *const path = json_array();
    for (unsigned level = 1; level <= t->height; level++) {
        cli_json_append(path, cli_json_text(label_of(t, level, leaf)));
    }
    cli_json_set(entry, "value", cli_json_text(pv_table_value(t->table, t->column, code)));
    cli_json_set(entry, "rows", cli_json_count(pv_table_count(t->table, t->column, code)));
    cli_json_set(entry, "path", path);
    if (code == pv_table_missing(t->table, t->column)) {
        cli_json_set(entry, "missing", cli_json_bool(true));
    }
    return entry;
}

/* Value, group, group of groups, ... as `rows` of a plan have them: without the final `*`. */
static json_t *row_json(const tree *t, uint32_t leaf)
{
    json_t *const row = json_array();
    const unsigned steps = steps_of(t, leaf);
    cli_json_append(row, cli_json_text(pv_table_value(t->table, t->column, code_of(t, leaf))));
    for (unsigned level = 1; level <= steps; level++) {
        cli_json_append(row, cli_json_text(label_of(t, level, leaf)));
    }
    return row;
}

/* The group that the missing value shares with others. */
static json_t *missing_group(const tree *t)
{
    const uint32_t code = pv_table_missing(t->table, t->column);
    if (t->hierarchy == NULL || code == PV_NO_CODE || t->height < 2) {
        return json_null();
    }
    const uint32_t leaf = pv_hierarchy_leaf(t->hierarchy, code);
    const uint32_t group = pv_hierarchy_group(t->hierarchy, 1, leaf);
    const bool is_alone = pv_hierarchy_is_root(t->hierarchy, 1, group) ||
                          ((leaf == 0 || pv_hierarchy_group(t->hierarchy, 1, leaf - 1) != group) &&
                           (leaf + 1 >= pv_hierarchy_leaves(t->hierarchy) ||
                            pv_hierarchy_group(t->hierarchy, 1, leaf + 1) != group));
    return is_alone ? json_null() : cli_json_text(pv_hierarchy_label(t->hierarchy, 1, group));
}

static void tell_leaves(json_t *object, const tree *t)
{
    const uint32_t n = pv_table_values(t->table, t->column);
    const uint32_t missing = pv_table_missing(t->table, t->column);
    json_t *const leaves = json_array();
    json_t *const rows = t->hierarchy != NULL && n <= MOST_LEAVES ? json_array() : NULL;
    for (uint32_t leaf = 0; leaf < n && leaf < MOST_LEAVES; leaf++) {
        cli_json_append(leaves, leaf_json(t, leaf));
        if (rows != NULL && code_of(t, leaf) != missing) {
            cli_json_append(rows, row_json(t, leaf));
        }
    }
    cli_json_set(object, "leaves", leaves);
    cli_json_set(object, "more", cli_json_count(n > MOST_LEAVES ? n - MOST_LEAVES : 0));
    cli_json_set(object, "rows", rows != NULL ? rows : json_null());
    cli_json_set(object, "missing_group", missing_group(t));
}

pv_status web_tree_leaves(json_t *object, const pv_table *table, size_t column,
                          const pv_hierarchy *hierarchy, pv_error *error)
{
    tree t = {.table = table, .column = column, .hierarchy = hierarchy};
    uint32_t *const order = cli_zeroed(pv_table_values(table, column), sizeof *order);
    json_t *const levels = json_array();
    pv_status status = PV_STATUS_OK;
    if (hierarchy == NULL) {
        status = pv_table_order(table, column, order, error);
    } else {
        t.height = pv_hierarchy_height(hierarchy);
    }
    t.order = order;
    for (unsigned level = 1; level <= t.height; level++) {
        json_t *const entry = json_object();
        cli_json_set(entry, "level", cli_json_count(level));
        cli_json_set(entry, "groups", cli_json_count(pv_hierarchy_groups(hierarchy, level)));
        cli_json_append(levels, entry);
    }
    cli_json_set(object, "height", cli_json_count(t.height));
    cli_json_set(object, "missing", cli_json_count(cli_missing_rows(table, column)));
    cli_json_set(object, "levels", levels);
    if (status == PV_STATUS_OK) {
        tell_leaves(object, &t);
    }
    free(order);
    return status;
}
