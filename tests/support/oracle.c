/* The naive reading of the definitions. */
#include "support/oracle.h"

#include <stddef.h>
#include <stdint.h>

bool oracle_same(const char *a, const char *b)
{
    return a == b || strcmp(a, b) == 0;
}

void *oracle_array(size_t n, size_t size)
{
    void *const memory = calloc(n > 0 ? n : 1, size);
    if (memory == NULL) {
        abort();
    }
    return memory;
}

/* ----------------------------------------------------------- hierarchies */

static const oracle_path *oracle_find_path(const oracle_column *column, const char *value)
{
    for (size_t i = 0; i < column->n_paths; i++) {
        if (oracle_same(column->paths[i].at[0], value)) {
            return &column->paths[i];
        }
    }
    return NULL;
}

unsigned oracle_height(const oracle_column *column)
{
    unsigned height = 1;
    for (size_t i = 0; i < column->n_paths; i++) {
        unsigned length = 0;
        while (length < ORACLE_LEVELS && column->paths[i].at[length] != NULL) {
            length++;
        }
        height = length > height ? length : height;
    }
    return height;
}

const char *oracle_group(const oracle_column *column, const char *value, unsigned level)
{
    if (level >= oracle_height(column)) {
        return ORACLE_ROOT;
    }
    const oracle_path *const path = oracle_find_path(column, value);
    if (path == NULL) {
        return value;
    }
    return path->at[level] != NULL ? path->at[level] : ORACLE_ROOT;
}

bool oracle_is_first(const oracle_column *column, size_t row)
{
    for (size_t i = 0; i < row; i++) {
        if (oracle_same(column->cells[i], column->cells[row])) {
            return false;
        }
    }
    return true;
}

bool oracle_lies_under(const oracle_column *column, unsigned level, const char *value,
                       const char *group)
{
    const oracle_path *const path = level > 0 ? oracle_find_path(column, value) : NULL;
    bool found = oracle_same(group, ORACLE_ROOT) || oracle_same(value, group);
    for (unsigned l = 1; path != NULL && l < ORACLE_LEVELS && path->at[l] != NULL; l++) {
        found = found || oracle_same(path->at[l], group);
    }
    return found;
}

double oracle_leaves_under(const oracle_column *column, size_t n_rows, unsigned level,
                           const char *group)
{
    size_t n = 0;
    for (size_t i = 0; column->named_domain && i < column->n_paths; i++) {
        n += oracle_lies_under(column, level, column->paths[i].at[0], group);
    }
    for (size_t row = 0; row < n_rows; row++) {
        const char *const value = column->cells[row];
        const bool counted = column->named_domain && oracle_find_path(column, value) != NULL;
        n += !counted && oracle_is_first(column, row) &&
             oracle_lies_under(column, level, value, group);
    }
    return (double)n;
}

double oracle_leaves(const oracle_column *column, size_t n_rows, const char *group)
{
    return oracle_leaves_under(column, n_rows, column->level, group);
}

/* --------------------------------------------------------------- release */

const char *oracle_cell(const oracle_release *release, size_t row, size_t quasi)
{
    return release->cells[row * release->table->n_quasi + quasi];
}

static bool oracle_looks_like(const oracle_release *release, size_t a, size_t b)
{
    for (size_t q = 0; q < release->table->n_quasi; q++) {
        if (!oracle_same(oracle_cell(release, a, q), oracle_cell(release, b, q))) {
            return false;
        }
    }
    return true;
}

unsigned oracle_level(const oracle_table *table, size_t row, size_t quasi)
{
    return table->levels != NULL ? table->levels[row * table->n_quasi + quasi]
                                 : table->quasi[quasi].level;
}

/* Copied from an earlier row with the same group, if there is one: counting is slow. Groups of
 * different levels may have one label without having the same values. */
static double oracle_leaves_of_cell(const oracle_release *release, size_t row, size_t quasi)
{
    const oracle_table *const t = release->table;
    const unsigned level = oracle_level(t, row, quasi);
    for (size_t i = 0; i < row; i++) {
        if (oracle_level(t, i, quasi) == level &&
            oracle_same(oracle_cell(release, i, quasi), oracle_cell(release, row, quasi))) {
            return release->leaves[i * t->n_quasi + quasi];
        }
    }
    return oracle_leaves_under(&t->quasi[quasi], t->n_rows, level,
                               oracle_cell(release, row, quasi));
}

static void oracle_generalize(oracle_release *release)
{
    const oracle_table *const t = release->table;
    for (size_t q = 0; q < t->n_quasi; q++) {
        const oracle_column *const c = &t->quasi[q];
        release->domain[q] = oracle_leaves(c, t->n_rows, ORACLE_ROOT);
        for (size_t row = 0; row < t->n_rows; row++) {
            release->cells[row * t->n_quasi + q] =
                oracle_group(c, c->cells[row], oracle_level(t, row, q));
            release->leaves[row * t->n_quasi + q] = oracle_leaves_of_cell(release, row, q);
        }
    }
}

static void oracle_compare_rows(oracle_release *release)
{
    const size_t n = release->table->n_rows;
    for (size_t a = 0; a < n; a++) {
        release->look_alike[a] = SIZE_MAX;
        for (size_t b = 0; b < n; b++) {
            if (oracle_looks_like(release, a, b)) {
                release->size[a]++;
                release->look_alike[a] =
                    release->look_alike[a] == SIZE_MAX ? b : release->look_alike[a];
            }
        }
        release->n_classes += release->look_alike[a] == a;
    }
}

static size_t oracle_rows_below(const oracle_release *release, size_t size)
{
    size_t n = 0;
    for (size_t row = 0; row < release->table->n_rows; row++) {
        n += release->size[row] < size;
    }
    return n;
}

/* The size from which on classes remain. A budget is at most n-1 rows. A target too expensive for
 * it makes the release infeasible; then nothing is suppressed. */
static size_t oracle_smallest_kept(oracle_release *release, size_t budget, size_t target_k)
{
    const size_t n = release->table->n_rows;
    const size_t most = budget < n ? budget : n - 1;
    size_t size = 1;
    release->feasible = true;
    if (target_k > 0) {
        release->feasible = oracle_rows_below(release, target_k) <= most;
        return release->feasible ? target_k : 1;
    }
    while (oracle_rows_below(release, size + 1) <= most) {
        size++;
    }
    return size;
}

/* Of who is suppressed follows what remains. */
static void oracle_count_remaining(oracle_release *release)
{
    release->k = SIZE_MAX;
    for (size_t row = 0; row < release->table->n_rows; row++) {
        const size_t size = release->size[row];
        release->n_suppressed += release->suppressed[row];
        release->n_remaining += !release->suppressed[row] && release->look_alike[row] == row;
        release->k = !release->suppressed[row] && size < release->k ? size : release->k;
    }
}

static void oracle_suppress(oracle_release *release, size_t budget, size_t target_k)
{
    const size_t smallest = oracle_smallest_kept(release, budget, target_k);
    for (size_t row = 0; row < release->table->n_rows; row++) {
        release->suppressed[row] = release->size[row] < smallest;
    }
    oracle_count_remaining(release);
}

void oracle_suppress_rows(oracle_release *release, const bool *rows)
{
    memcpy(release->suppressed, rows, release->table->n_rows * sizeof *rows);
    release->feasible = true;
    oracle_count_remaining(release);
}

bool oracle_is_starred(const oracle_release *release, size_t row)
{
    size_t q = 0;
    while (q < release->table->n_quasi && oracle_same(oracle_cell(release, row, q), ORACLE_ROOT)) {
        q++;
    }
    return q == release->table->n_quasi;
}

/* Whoever is `*` everywhere is suppressed, unless everyone is. */
static void oracle_suppress_starred(oracle_release *release)
{
    const size_t n = release->table->n_rows;
    size_t starred = 0;
    release->feasible = true;
    for (size_t row = 0; row < n; row++) {
        starred += oracle_is_starred(release, row);
    }
    for (size_t row = 0; row < n; row++) {
        release->suppressed[row] = starred < n && oracle_is_starred(release, row);
    }
    oracle_count_remaining(release);
}

oracle_release oracle_release_raw(const oracle_table *table)
{
    const size_t n = table->n_rows;
    oracle_release release = {
        .table = table,
        .cells = oracle_array(n * table->n_quasi, sizeof(char *)),
        .leaves = oracle_array(n * table->n_quasi, sizeof(double)),
        .domain = oracle_array(table->n_quasi, sizeof(double)),
        .look_alike = oracle_array(n, sizeof(size_t)),
        .size = oracle_array(n, sizeof(size_t)),
        .suppressed = oracle_array(n, sizeof(bool)),
    };
    oracle_generalize(&release);
    oracle_compare_rows(&release);
    return release;
}

oracle_release oracle_release_create(const oracle_table *table, size_t budget, size_t target_k)
{
    oracle_release release = oracle_release_raw(table);
    oracle_suppress(&release, budget, target_k);
    return release;
}

oracle_release oracle_release_records(const oracle_table *table)
{
    oracle_release release = oracle_release_raw(table);
    oracle_suppress_starred(&release);
    return release;
}

void oracle_release_free(oracle_release *release)
{
    free(release->cells);
    free(release->leaves);
    free(release->domain);
    free(release->look_alike);
    free(release->size);
    free(release->suppressed);
}

bool oracle_in_one_class(const oracle_release *release, size_t a, size_t b)
{
    return release->suppressed[a] == release->suppressed[b] &&
           (release->suppressed[a] || release->look_alike[a] == release->look_alike[b]);
}

oracle_release oracle_through(const oracle_release *release, size_t sensitive, oracle_table *narrow)
{
    oracle_release through = *release;
    *narrow = *release->table;
    narrow->sensitive += sensitive;
    narrow->n_sensitive = 1;
    through.table = narrow;
    return through;
}
