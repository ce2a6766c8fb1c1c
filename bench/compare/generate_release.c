/* A release of a table as large as you like, without the checks that a real one would need: every
 * value at its level, people in small classes left in.
 *
 *     bench_generate_release PLAN DATA LEVELS FILE
 *
 * LEVELS is a digit for each quasi-identifier, in the order of the plan. */
#include "support/bench.h"

#include <paravent/plan.h>
#include <string.h>

enum { ARGUMENTS = 5 };

/* The texts of a column, by code. */
typedef struct {
    size_t column;
    const char **texts;
} written;

static written written_quasi(const pv_study *study, size_t quasi, unsigned level)
{
    const pv_hierarchy *const hierarchy = pv_study_hierarchy(study, quasi);
    const size_t column = pv_study_quasi_column(study, quasi);
    const uint32_t n = pv_table_values(pv_study_table(study), column);
    written w = {.column = column, .texts = malloc(n * sizeof *w.texts)};
    bench_require(w.texts != NULL && level <= pv_hierarchy_height(hierarchy), "bad levels");
    for (uint32_t code = 0; code < n; code++) {
        const uint32_t leaf = pv_hierarchy_leaf(hierarchy, code);
        w.texts[code] =
            pv_hierarchy_label(hierarchy, level, pv_hierarchy_group(hierarchy, level, leaf));
    }
    return w;
}

static written written_sensitive(const pv_study *study, size_t sensitive)
{
    const pv_table *const table = pv_study_table(study);
    const size_t column = pv_study_sensitive_column(study, sensitive);
    const uint32_t n = pv_table_values(table, column);
    written w = {.column = column, .texts = malloc(n * sizeof *w.texts)};
    bench_require(w.texts != NULL, "out of memory");
    for (uint32_t code = 0; code < n; code++) {
        w.texts[code] = pv_table_value(table, column, code);
    }
    return w;
}

static void write_rows(const pv_table *table, const written *columns, size_t n, FILE *file)
{
    for (size_t c = 0; c < n; c++) {
        (void)fprintf(file, "%s%c", pv_table_name(table, columns[c].column),
                      c + 1 < n ? ';' : '\n');
    }
    for (uint64_t row = 0; row < pv_table_rows(table); row++) {
        for (size_t c = 0; c < n; c++) {
            (void)fputs_unlocked(columns[c].texts[pv_table_code(table, columns[c].column, row)],
                                 file);
            (void)putc_unlocked(c + 1 < n ? ';' : '\n', file);
        }
    }
}

static void generate(const pv_study *study, const char *levels, const char *path)
{
    const size_t n_quasis = pv_study_quasis(study);
    const size_t n = n_quasis + pv_study_sensitives(study);
    written *const columns = malloc(n * sizeof *columns);
    FILE *const file = fopen(path, "w");
    bench_require(strlen(levels) == n_quasis, "a digit for each quasi-identifier, please");
    bench_require(columns != NULL && file != NULL, path);
    for (size_t c = 0; c < n; c++) {
        columns[c] = c < n_quasis ? written_quasi(study, c, (unsigned)(levels[c] - '0'))
                                  : written_sensitive(study, c - n_quasis);
    }
    write_rows(pv_study_table(study), columns, n, file);
    bench_require(ferror(file) == 0 && fclose(file) == 0, path);
    for (size_t c = 0; c < n; c++) {
        free(columns[c].texts);
    }
    free(columns);
}

int main(int argc, char **argv)
{
    if (argc != ARGUMENTS) {
        (void)fprintf(stderr, "usage: bench_generate_release PLAN DATA LEVELS FILE\n");
        return 2;
    }
    const pv_study_options opening = {.data = argv[2]};
    pv_error error = {0};
    pv_plan *plan = NULL;
    pv_study *study = NULL;
    bench_require(pv_plan_read(argv[1], &plan, &error) == PV_STATUS_OK, error.message);
    bench_require(pv_study_open(plan, &opening, NULL, &study, &error) == PV_STATUS_OK,
                  error.message);
    generate(study, argv[3], argv[4]);
    pv_study_free(study);
    pv_plan_free(plan);
    return 0;
}
