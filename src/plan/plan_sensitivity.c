/* `sensitivity:` of an attribute: how much it would hurt to have a value known. One number for all
 * values, a mapping of values to numbers, or the name of a file with lines `value;number`; values
 * that are not named have 1. Whether the data has them is known when it is used. */
#include "plan/plan_parts.h"

#include "base/error.h"
#include "base/file.h"
#include "base/memory.h"
#include "hierarchy/cells.h"
#include "hierarchy/labels.h"
#include "plan/keys.h"

#include <string.h>

#define LARGEST_FILE ((size_t)256 << 20)
#define EXAMPLE "sensitivity: 2, sensitivity: {flu: 1, gout: 3}, or the name of a file"

static const pv_decimal one = {.mantissa = 1};

void pv_i_plan_sensitivity_free(pv_plan_sensitivity *sensitivity)
{
    for (size_t i = 0; i < sensitivity->n_values; i++) {
        pv_i_free(sensitivity->values[i].value);
    }
    pv_i_free(sensitivity->values);
    pv_i_free(sensitivity->file);
    *sensitivity = (pv_plan_sensitivity){0};
}

/* Adds a value whose text is copied; `capacity` is the caller's, starting at 0. */
static pv_status add_value(pv_plan_sensitivity *sensitivity, size_t *capacity,
                           pv_plan_sensitivity_value value, pv_error *error)
{
    if (!pv_i_reserve((void **)&sensitivity->values, capacity, sensitivity->n_values + 1,
                      sizeof *sensitivity->values)) {
        return pv_i_no_memory(error);
    }
    value.value = pv_i_strdup(value.value);
    if (value.value == NULL) {
        return pv_i_no_memory(error);
    }
    sensitivity->values[sensitivity->n_values++] = value;
    return PV_STATUS_OK;
}

pv_status pv_i_plan_sensitivity_copy(const pv_plan_sensitivity *sensitivity,
                                     pv_plan_sensitivity *copy, pv_error *error)
{
    size_t capacity = 0;
    *copy = (pv_plan_sensitivity){.is_given = sensitivity->is_given, .others = sensitivity->others};
    if (sensitivity->file != NULL) {
        copy->file = pv_i_strdup(sensitivity->file);
        if (copy->file == NULL) {
            return pv_i_no_memory(error);
        }
    }
    for (size_t i = 0; i < sensitivity->n_values; i++) {
        PV_TRY(add_value(copy, &capacity, sensitivity->values[i], error));
    }
    return PV_STATUS_OK;
}

/* -------------------------------------------------------------- in the plan */

static pv_status take_number(const char *file, const pv_node *node, pv_decimal *number,
                             pv_error *error)
{
    PV_TRY(pv_i_take_decimal("sensitivity", file, node, number, error));
    if (number->mantissa < 0) {
        return pv_i_fail_at(error, PV_STATUS_INPUT, PV_AT(file, node),
                            "`sensitivity` must not be negative");
    }
    return PV_STATUS_OK;
}

static pv_status take_mapping(const char *file, const pv_node *node,
                              pv_plan_sensitivity *sensitivity, pv_error *error)
{
    size_t capacity = 0;
    if (node->first == NULL) {
        return pv_i_hint(
            pv_i_fail_at(error, PV_STATUS_INPUT, PV_AT(file, node), "`sensitivity` names no value"),
            error, "write " EXAMPLE);
    }
    for (const pv_node *item = node->first; item != NULL; item = item->next) {
        pv_plan_sensitivity_value value = {.line = item->key->line, .column = item->key->column};
        PV_TRY(pv_i_need_text("sensitivity", file, item->key, error));
        PV_TRY(take_number(file, item, &value.sensitivity, error));
        value.value = (char *)(uintptr_t)item->key->text; /* borrowed: it is copied */
        PV_TRY(add_value(sensitivity, &capacity, value, error));
    }
    return PV_STATUS_OK;
}

/* -------------------------------------------------- in a file of its own */

/* What reading a file needs. */
typedef struct {
    pv_plan_sensitivity *sensitivity;
    size_t capacity;
    pv_arena arena;
    pv_labels seen;
} reading;

static pv_status fail_line(const reading *r, uint64_t line, const char *what, pv_error *error)
{
    return pv_i_hint(
        pv_i_fail_at(error, PV_STATUS_INPUT, r->sensitivity->file, line, 0, "%s", what), error,
        "write one line per value: value;number");
}

static pv_status take_record(reading *r, const pv_cells *cells, pv_error *error)
{
    const uint64_t line = cells->first_line;
    const uint32_t n_before = r->seen.n;
    pv_plan_sensitivity_value value = {.line = line};
    uint32_t number;
    if (cells->complaint != NULL) {
        return fail_line(r, line, cells->complaint, error);
    }
    if (cells->n_cells == 0 || (cells->n_cells == 1 && cells->cells[0][0] == '\0')) {
        return PV_STATUS_OK; /* a blank line */
    }
    if (cells->n_cells != 2) {
        return fail_line(r, line, "a line must have a value and a number", error);
    }
    if (!pv_decimal_parse(cells->cells[1], strlen(cells->cells[1]), &value.sensitivity)) {
        return fail_line(r, line, "the sensitivity is not a number", error);
    }
    if (value.sensitivity.mantissa < 0) {
        return fail_line(r, line, "the sensitivity is negative", error);
    }
    PV_TRY(pv_i_labels_add(&r->seen, &r->arena, cells->cells[0], &number, error));
    if (number != n_before) {
        return fail_line(r, line, "the value has a sensitivity already", error);
    }
    value.value = (char *)(uintptr_t)cells->cells[0]; /* borrowed: it is copied */
    return add_value(r->sensitivity, &r->capacity, value, error);
}

static pv_status take_records(pv_plan_sensitivity *sensitivity, const char *data, size_t size,
                              pv_error *error)
{
    reading r = {.sensitivity = sensitivity};
    pv_cells cells;
    bool found = true;
    pv_status status = PV_STATUS_OK;
    PV_TRY(pv_i_cells_init(&cells, data, size, '\0', error));
    for (;;) {
        PV_TRY_CLEAN(pv_i_cells_next(&cells, &found, error));
        if (!found) {
            break;
        }
        PV_TRY_CLEAN(take_record(&r, &cells, error));
    }
    if (sensitivity->n_values == 0) {
        status = fail_line(&r, 0, "names no values", error);
    }
cleanup:
    pv_i_cells_deinit(&cells);
    pv_i_labels_deinit(&r.seen);
    pv_i_arena_deinit(&r.arena);
    return status;
}

static pv_status read_file(const char *file, const pv_node *node, const pv_plan_setting *setting,
                           pv_plan_sensitivity *sensitivity, pv_error *error)
{
    char *data = NULL;
    size_t size = 0;
    sensitivity->file = pv_i_path_beside(file, node->text);
    if (sensitivity->file == NULL) {
        return pv_i_no_memory(error);
    }
    if (!setting->read_files) {
        return PV_STATUS_OK;
    }
    PV_TRY(pv_i_file_read(sensitivity->file, LARGEST_FILE, &data, &size, error));
    pv_status status = pv_i_cells_check(sensitivity->file, data, size, error);
    if (status == PV_STATUS_OK) {
        status = take_records(sensitivity, data, size, error);
    }
    pv_i_free(data);
    return status;
}

/* ------------------------------------------------------------------ either */

static pv_status take_scalar(const char *file, const pv_node *node, const pv_plan_setting *setting,
                             pv_plan_sensitivity *sensitivity, pv_error *error)
{
    pv_decimal number;
    PV_TRY(pv_i_need_text("sensitivity", file, node, error));
    return pv_decimal_parse(node->text, strlen(node->text), &number)
               ? take_number(file, node, &sensitivity->others, error)
               : read_file(file, node, setting, sensitivity, error);
}

pv_status pv_i_plan_sensitivity(const char *file, const pv_node *node,
                                const pv_plan_setting *setting, pv_plan_sensitivity *sensitivity,
                                pv_error *error)
{
    sensitivity->is_given = true;
    sensitivity->others = one;
    switch (node->kind) {
    case PV_NODE_SCALAR: return take_scalar(file, node, setting, sensitivity, error);
    case PV_NODE_MAPPING: return take_mapping(file, node, sensitivity, error);
    default:
        return pv_i_hint(pv_i_fail_at(error, PV_STATUS_INPUT, PV_AT(file, node),
                                      "`sensitivity` cannot be a list"),
                         error, "write " EXAMPLE);
    }
}
