/* Hierarchies given value by value, in a plan or in a file `value;level1;...;*`. All rows are
 * placed, those of values that do not occur as well: they decide the height, must be nested like
 * the others, and count when every leaf counts. */
#include "hierarchy/builders.h"

#include "base/error.h"
#include "base/file.h"
#include "base/memory.h"
#include "hierarchy/cells.h"
#include "hierarchy/hierarchy_spec.h"

#include <inttypes.h>
#include <string.h>

/* What each distinct value of the rows is. */
typedef struct placement {
    size_t row;    /* that first names it */
    uint32_t code; /* in the column; PV_NO_CODE = does not occur there */
} placement;

typedef struct directory {
    pv_arena arena;
    pv_labels values;
    placement *placements; /* by number of the value */
    size_t capacity;
} directory;

/* ---------------------------------------------------------------- one row */

/* Labels of a row below its final `*`s. */
static size_t count_labels(char *const *row)
{
    size_t n = 0;
    while (row[n + 1] != NULL) {
        n++;
    }
    while (n > 0 && strcmp(row[n], PV_ROOT_LABEL) == 0) {
        n--;
    }
    return n;
}

static bool is_same_path(char *const *a, char *const *b)
{
    const size_t n = count_labels(a);
    if (n != count_labels(b)) {
        return false;
    }
    for (size_t i = 1; i <= n; i++) {
        if (strcmp(a[i], b[i]) != 0) {
            return false;
        }
    }
    return true;
}

/* Where a row was read, for messages. */
static uint64_t place_of(const pv_hierarchy_spec *spec, size_t row)
{
    return spec->lines != NULL ? spec->lines[row] : (uint64_t)row + 1;
}

static void note(pv_building *building, size_t row, const char *what)
{
    pv_i_problems_add(&building->problems, building->paths->unit, place_of(building->spec, row),
                      "%s", what);
}

/* A label of a row, level 0 being the value: anything but nothing, and `*` only at the end. */
static bool check_label(pv_building *building, size_t row, size_t level, size_t n)
{
    const char *const label = building->spec->rows[row][level];
    const char *what = NULL;
    if (label[0] == '\0') {
        what = level == 0 ? "the value is empty" : "a label is empty";
    } else if (level < n && strcmp(label, PV_ROOT_LABEL) == 0) {
        what = "`*` is followed by something else";
    }
    if (what != NULL) {
        note(building, row, what);
    }
    return what == NULL;
}

/* A label may stay the same from one level to the next (`a;b;b;*`), but not come back after another
 * one: it would be a group inside itself. */
static bool check_repeats(pv_building *building, size_t row, size_t n)
{
    char *const *const cells = building->spec->rows[row];
    for (size_t high = 2; high <= n; high++) {
        for (size_t low = 0; low + 1 < high; low++) {
            if (strcmp(cells[low], cells[high]) == 0 && strcmp(cells[low], cells[low + 1]) != 0) {
                pv_i_problems_add(&building->problems, building->paths->unit,
                                  place_of(building->spec, row),
                                  "%s is at level %zu and, after another label, again at level "
                                  "%zu: a group cannot be inside itself",
                                  pv_i_quoted(cells[low]).text, low, high);
                return false;
            }
        }
    }
    return true;
}

/* Is the row fit to be placed? What is wrong with it becomes a problem. */
static bool check_row(pv_building *building, size_t row)
{
    const size_t n = count_labels(building->spec->rows[row]);
    if (n >= PV_MAX_HEIGHT) {
        note(building, row, "there are too many levels");
        return false;
    }
    for (size_t level = 0; level <= n; level++) {
        if (!check_label(building, row, level, n)) {
            return false;
        }
    }
    return check_repeats(building, row, n);
}

/* ---------------------------------------------------------------- all rows */

static pv_status enter_row(pv_building *building, size_t row, directory *names, pv_error *error)
{
    char *const *const *const rows = (char *const *const *)building->spec->rows;
    const uint32_t before = names->values.n;
    char key[PV_CANONICAL_SIZE];
    uint32_t number;
    if (!pv_i_reserve((void **)&names->placements, &names->capacity, (size_t)before + 1,
                      sizeof *names->placements)) {
        return pv_i_no_memory(error);
    }
    PV_TRY(pv_i_labels_add(&names->values, &names->arena,
                           pv_i_building_key(building, rows[row][0], key), &number, error));
    if (number == before) {
        names->placements[number] = (placement){.row = row, .code = PV_NO_CODE};
    } else if (!is_same_path(rows[names->placements[number].row], rows[row])) {
        const char *const unit = building->paths->unit;
        pv_i_problems_add(&building->problems, unit, place_of(building->spec, row),
                          "%s is placed a second time, under other parents than in %s %" PRIu64,
                          pv_i_quoted(rows[row][0]).text, unit,
                          place_of(building->spec, names->placements[number].row));
    }
    return PV_STATUS_OK;
}

/* Finds the values of the column among those of the rows. */
static void match_column(pv_building *building, directory *names)
{
    for (uint32_t i = 0; i < building->n; i++) {
        char key[PV_CANONICAL_SIZE];
        const uint32_t number = pv_i_labels_find(
            &names->values, pv_i_building_key(building, pv_i_building_text(building, i), key));
        if (number != PV_NO_LABEL) {
            names->placements[number].code = building->codes[i];
        } else {
            pv_i_building_refuse(building, i, "is not in the hierarchy");
        }
    }
}

static pv_status place_row(pv_building *building, const placement *at, pv_error *error)
{
    char *const *const cells = building->spec->rows[at->row];
    if (strcmp(cells[0], PV_ROOT_LABEL) == 0) {
        /* In a column `*` has its place whether or not the rows name it. */
        return building->table == NULL ? pv_i_paths_add_root(building->paths, at->code, error)
                                       : PV_STATUS_OK;
    }
    if (pv_i_building_is_special(building, cells[0])) {
        return PV_STATUS_OK;
    }
    const pv_path path = {.code = at->code,
                          .value = at->code != PV_NO_CODE && building->table != NULL
                                       ? pv_table_value(building->table, building->column, at->code)
                                       : cells[0],
                          .labels = (const char *const *)cells + 1,
                          .n_labels = count_labels(cells),
                          .place = place_of(building->spec, at->row)};
    return pv_i_paths_add(building->paths, &path, &building->problems, error);
}

static pv_status check_rows(const pv_hierarchy_spec *spec, pv_error *error)
{
    if (spec->n_rows == 0) {
        return pv_i_fail_at(error, PV_STATUS_INPUT, spec->file, 0, 0,
                            "the hierarchy names no values");
    }
    if (spec->missing_group != NULL &&
        (spec->missing_group[0] == '\0' || strcmp(spec->missing_group, PV_ROOT_LABEL) == 0)) {
        return pv_i_fail(error, PV_STATUS_ARGUMENT,
                         "the group of the missing value needs a label other than `*`");
    }
    return PV_STATUS_OK;
}

/* Plain lines belong to the data when there is any, and to the hierarchy's own file otherwise. */
static const char *unit_of(const pv_building *building)
{
    if (building->table != NULL) {
        return building->spec->lines != NULL ? "hierarchy line" : "hierarchy row";
    }
    return building->spec->lines != NULL ? PV_LINE_UNIT : "row";
}

static pv_status build_rows(pv_building *building, pv_error *error)
{
    directory names = {0};
    pv_status status = PV_STATUS_OK;
    building->paths->unit = unit_of(building);
    building->missing_group = building->spec->missing_group;
    for (size_t row = 0; row < building->spec->n_rows; row++) {
        if (check_row(building, row)) {
            PV_TRY_CLEAN(enter_row(building, row, &names, error));
        }
    }
    if (building->table != NULL) {
        match_column(building, &names);
    }
    /* Without a column the values the rows name are the domain, numbered as they appear. */
    for (uint32_t number = 0; building->table == NULL && number < names.values.n; number++) {
        names.placements[number].code = number;
    }
    for (uint32_t number = 0; number < names.values.n; number++) {
        PV_TRY_CLEAN(place_row(building, &names.placements[number], error));
    }
cleanup:
    pv_i_labels_deinit(&names.values);
    pv_i_free(names.placements);
    pv_i_arena_deinit(&names.arena);
    return status;
}

const pv_hierarchy_builder pv_i_build_rows = {
    .name = "rows",
    .check = check_rows,
    .build = build_rows,
    .remedy = "add the values to the hierarchy; `paravent hierarchy` with the plan and the "
              "attribute lists them"};

/* -------------------------------------------------------------- the file form */

/* The file form of a hierarchy: one row per value, `value;level1;...;*`. Rows may be ragged: cells
 * that are empty at the end of a row are absent, and a value without a further ancestor is right
 * below `*`. There is no header row. */

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
