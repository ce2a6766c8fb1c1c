/* The file form of a hierarchy: one row per value, `value;level1;...;*`. Rows may be ragged: cells
 * that are empty at the end of a row are absent, and whoever has no further ancestor stands right
 * below `*`. There is no header row. */
#include "hierarchy/hierarchy_file.h"

#include "base/error.h"
#include "base/file.h"
#include "base/memory.h"
#include "hierarchy/builders.h"
#include "hierarchy/cells.h"
#include "hierarchy/hierarchy_spec.h"

#include <string.h>

#define LARGEST_FILE ((size_t)256 << 20)

/* Adds the record to the rows unless it is blank or broken. */
static pv_status take_record(const pv_cells *cells, pv_hierarchy_spec *spec, size_t *capacity,
                             pv_problems *problems, pv_error *error)
{
    size_t n = cells->n_cells;
    while (n > 0 && cells->cells[n - 1][0] == '\0') {
        n--;
    }
    if (cells->complaint != NULL) {
        pv_i_problems_add(problems, PV_LINE_UNIT, cells->first_line, "%s", cells->complaint);
        return PV_STATUS_OK;
    }
    if (n == 0) {
        return PV_STATUS_OK;
    }
    return pv_i_hierarchy_spec_add_row(spec, capacity, cells->cells, n, cells->first_line, error);
}

static pv_status take_records(const char *data, size_t size, pv_hierarchy_spec *spec,
                              pv_problems *problems, pv_error *error)
{
    pv_cells cells;
    size_t capacity = 0;
    bool found = true;
    pv_status status = PV_STATUS_OK;
    PV_TRY(pv_i_cells_init(&cells, data, size, '\0', error));
    for (;;) {
        PV_TRY_CLEAN(pv_i_cells_next(&cells, &found, error));
        if (!found) {
            break;
        }
        PV_TRY_CLEAN(take_record(&cells, spec, &capacity, problems, error));
    }
cleanup:
    pv_i_cells_deinit(&cells);
    return status;
}

static pv_status parse(const char *name, const char *data, size_t size, pv_hierarchy_spec *spec,
                       pv_problems *problems, pv_error *error)
{
    PV_TRY(pv_i_cells_check(name, data, size, error));
    spec->kind = PV_HIERARCHY_ROWS;
    spec->file = pv_i_strdup(name);
    if (spec->file == NULL) {
        return pv_i_no_memory(error);
    }
    PV_TRY(take_records(data, size, spec, problems, error));
    if (spec->n_rows == 0 && problems->count == 0) {
        return pv_i_hint(
            pv_i_fail_at(error, PV_STATUS_INPUT, name, 0, 0, "is empty: it names no values"), error,
            "write one row per value: value;level1;...;*");
    }
    return pv_i_rows_check(spec, problems, error);
}

pv_status pv_i_hierarchy_spec_parse(const char *name, const char *data, size_t size,
                                    pv_hierarchy_spec *spec, pv_error *error)
{
    pv_hierarchy_spec made = {0};
    pv_problems problems = {0};
    const pv_status status = parse(name, data, size, &made, &problems, error);
    if (status != PV_STATUS_OK) {
        pv_hierarchy_spec_free(&made);
        return status;
    }
    *spec = made;
    return PV_STATUS_OK;
}

pv_status pv_hierarchy_spec_read(const char *path, pv_hierarchy_spec *spec, pv_error *error)
{
    char *data = NULL;
    size_t size = 0;
    PV_TRY(pv_i_file_read(path, LARGEST_FILE, &data, &size, error));
    const pv_status status = pv_i_hierarchy_spec_parse(path, data, size, spec, error);
    pv_i_free(data);
    return status;
}
