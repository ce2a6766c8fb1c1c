/* Specifications: growing, freeing, copying, and making them independent of their table. */
#include "hierarchy/hierarchy_spec.h"

#include "base/error.h"
#include "base/memory.h"
#include "hierarchy/builders.h"
#include "hierarchy/rare.h"

#include <string.h>

/* ---------------------------------------------------------------- rows */

static void free_texts(char **texts, size_t n)
{
    for (size_t i = 0; texts != NULL && i < n; i++) {
        pv_i_free(texts[i]);
    }
    pv_i_free(texts);
}

/* Copies of `n` texts and a NULL; NULL when memory runs out. */
static char **copy_texts(const char *const *texts, size_t n)
{
    char **const copies = PV_NEW_ZEROED(char *, n + 1);
    for (size_t i = 0; copies != NULL && i < n; i++) {
        copies[i] = pv_i_strdup(texts[i]);
        if (copies[i] == NULL) {
            free_texts(copies, i);
            return NULL;
        }
    }
    return copies;
}

static size_t count_texts(char *const *texts)
{
    size_t n = 0;
    while (texts[n] != NULL) {
        n++;
    }
    return n;
}

/* Rows and lines grow together; lines only exist when the rows come from a file. */
static bool reserve_row(pv_hierarchy_spec *spec, size_t *capacity, bool with_line)
{
    size_t line_capacity = *capacity;
    const size_t needed = spec->n_rows + 1;
    if (with_line &&
        !pv_i_reserve((void **)&spec->lines, &line_capacity, needed, sizeof *spec->lines)) {
        return false;
    }
    return pv_i_reserve((void **)&spec->rows, capacity, needed, sizeof *spec->rows);
}

pv_status pv_i_hierarchy_spec_add_row(pv_hierarchy_spec *spec, size_t *capacity,
                                      const char *const *cells, size_t n, uint64_t line,
                                      pv_error *error)
{
    while (n > 1 && strcmp(cells[n - 1], PV_ROOT_LABEL) == 0) {
        n--;
    }
    char **const row = reserve_row(spec, capacity, line > 0) ? copy_texts(cells, n) : NULL;
    if (row == NULL) {
        return pv_i_no_memory(error);
    }
    if (line > 0) {
        spec->lines[spec->n_rows] = line;
    }
    spec->rows[spec->n_rows++] = row;
    return PV_STATUS_OK;
}

/* ---------------------------------------------------------------- whole specifications */

void pv_hierarchy_spec_free(pv_hierarchy_spec *spec)
{
    if (spec == NULL) {
        return;
    }
    for (size_t i = 0; i < spec->n_rows; i++) {
        free_texts(spec->rows[i], count_texts(spec->rows[i]));
    }
    pv_i_free(spec->file);
    pv_i_free(spec->rows);
    pv_i_free(spec->lines);
    pv_i_free(spec->missing_group);
    pv_i_free(spec->widths);
    pv_i_free(spec->breaks);
    pv_i_free(spec->units);
    pv_i_free(spec->sizes);
    free_texts(spec->values, spec->n_values);
    pv_i_free(spec->rare_label);
    *spec = (pv_hierarchy_spec){0};
}

static pv_status copy_rows(const pv_hierarchy_spec *spec, pv_hierarchy_spec *copy, pv_error *error)
{
    size_t capacity = 0;
    for (size_t i = 0; i < spec->n_rows; i++) {
        PV_TRY(pv_i_hierarchy_spec_add_row(copy, &capacity, (const char *const *)spec->rows[i],
                                           count_texts(spec->rows[i]),
                                           spec->lines != NULL ? spec->lines[i] : 0, error));
    }
    return PV_STATUS_OK;
}

/* A copy of `n` plain elements, or NULL for NULL; *fine turns false when memory runs out. */
static void *copy_array(const void *array, size_t n, size_t size, bool *fine)
{
    void *const copy = array != NULL ? pv_i_array(n, size) : NULL;
    if (copy != NULL && n > 0) {
        memcpy(copy, array, n * size);
    }
    *fine = *fine && (array == NULL || copy != NULL);
    return copy;
}

static char *copy_text(const char *text, bool *fine)
{
    return copy_array(text, text != NULL ? strlen(text) + 1 : 0, 1, fine);
}

static bool copy_parts(const pv_hierarchy_spec *spec, pv_hierarchy_spec *copy)
{
    bool fine = true;
    copy->file = copy_text(spec->file, &fine);
    copy->missing_group = copy_text(spec->missing_group, &fine);
    copy->rare_label = copy_text(spec->rare_label, &fine);
    copy->widths = copy_array(spec->widths, spec->n_widths, sizeof *spec->widths, &fine);
    copy->breaks = copy_array(spec->breaks, spec->n_breaks, sizeof *spec->breaks, &fine);
    copy->units = copy_array(spec->units, spec->n_units, sizeof *spec->units, &fine);
    copy->sizes = copy_array(spec->sizes, spec->n_sizes, sizeof *spec->sizes, &fine);
    if (spec->values != NULL) {
        copy->values = copy_texts((const char *const *)spec->values, spec->n_values);
        copy->n_values = copy->values != NULL ? spec->n_values : 0;
        fine = fine && copy->values != NULL;
    }
    return fine;
}

pv_status pv_i_hierarchy_spec_copy(const pv_hierarchy_spec *spec, pv_hierarchy_spec *copy,
                                   pv_error *error)
{
    pv_hierarchy_spec made = *spec;
    made.file = made.missing_group = made.rare_label = NULL;
    made.rows = NULL;
    made.lines = NULL;
    made.widths = made.breaks = NULL;
    made.units = NULL;
    made.sizes = NULL;
    made.values = NULL;
    made.n_rows = made.n_values = 0;
    pv_status status = copy_parts(spec, &made) ? PV_STATUS_OK : pv_i_no_memory(error);
    if (status == PV_STATUS_OK) {
        status = copy_rows(spec, &made, error);
    }
    if (status != PV_STATUS_OK) {
        pv_hierarchy_spec_free(&made);
        return status;
    }
    *copy = made;
    return PV_STATUS_OK;
}

/* ---------------------------------------------------------------- self-contained ones */

/* Lists the values of the column in natural order; RARE lists only those it keeps apart. */
static pv_status list_values(const pv_building *building, pv_hierarchy_spec *resolved,
                             pv_error *error)
{
    const char **const texts = PV_NEW_ARRAY(const char *, building->n);
    size_t n = 0;
    if (texts == NULL) {
        return pv_i_no_memory(error);
    }
    for (uint32_t i = 0; i < building->n; i++) {
        if (resolved->kind != PV_HIERARCHY_RARE ||
            !pv_i_is_rare(resolved, building->table, building->column, building->codes[i])) {
            texts[n++] = pv_i_building_text(building, i);
        }
    }
    resolved->values = copy_texts(texts, n);
    resolved->n_values = resolved->values != NULL ? n : 0;
    pv_i_free(texts);
    return resolved->values != NULL ? PV_STATUS_OK : pv_i_no_memory(error);
}

pv_status pv_i_hierarchy_spec_resolve(const pv_hierarchy_spec *spec, const pv_table *table,
                                      size_t column, pv_hierarchy_spec *resolved, pv_error *error)
{
    pv_hierarchy_spec copy = {0};
    pv_building building = {0};
    pv_status status = PV_STATUS_OK;
    PV_TRY(pv_i_hierarchy_spec_copy(spec, &copy, error));
    if ((spec->kind == PV_HIERARCHY_ORDER || spec->kind == PV_HIERARCHY_RARE) &&
        spec->values == NULL) {
        PV_TRY_CLEAN(pv_i_building_init(&building, spec, table, column, error));
        PV_TRY_CLEAN(list_values(&building, &copy, error));
    }
    *resolved = copy;
    copy = (pv_hierarchy_spec){0};
cleanup:
    pv_i_building_deinit(&building);
    pv_hierarchy_spec_free(&copy);
    return status;
}
