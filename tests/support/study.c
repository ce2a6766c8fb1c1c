/* Studies from texts and from the Adult files. */
#include "support/study.h"

#include <paravent/plan.h>
#include <paravent/table.h>
#include <stdbool.h>

void bound_must(pv_status status, const pv_error *error)
{
    if (status != PV_STATUS_OK) {
        fail_msg("%s:%llu:%llu: %s", error->file, (unsigned long long)error->line,
                 (unsigned long long)error->column, error->message);
    }
}

pv_plan *bound_plan(const char *text)
{
    pv_plan *plan = NULL;
    pv_error error = {0};
    bound_must(pv_plan_parse("plan.yaml", text, strlen(text), &plan, &error), &error);
    return plan;
}

static pv_table *bound_table(const char *csv)
{
    const pv_read_options reading = {
        .delimiter = ',', .header = PV_CHOICE_YES, .quoting = PV_CHOICE_NO};
    const pv_context context = {.threads = 1};
    pv_table *table = NULL;
    pv_error error = {0};
    bound_must(
        pv_table_read_memory("table.csv", csv, strlen(csv), &reading, &context, &table, &error),
        &error);
    return table;
}

bound_study bound_study_create(const char *plan, const char *csv)
{
    bound_study s = {.plan = bound_plan(plan)};
    pv_error error = {0};
    bound_must(pv_study_bind(s.plan, bound_table(csv), &s.study, &error), &error);
    return s;
}

void bound_study_free(bound_study *s)
{
    pv_study_free(s->study);
    pv_plan_free(s->plan);
}

pv_profile *bound_profile(const pv_study *study, unsigned threads)
{
    const pv_context context = {.threads = threads};
    pv_profile *profile = NULL;
    pv_error error = {0};
    bound_must(pv_profile_create(study, &context, &profile, &error), &error);
    return profile;
}

pv_classes *bound_classes(const pv_profile *profile, const uint8_t *levels, uint64_t budget,
                          uint64_t target_k)
{
    const pv_suppression suppression = {
        .whole_budget = true, .budget = budget, .target_k = target_k};
    pv_classes *classes = NULL;
    pv_error error = {0};
    bound_must(pv_classes_create(profile, levels, &suppression, &classes, &error), &error);
    return classes;
}

/* ================================================================= tables */

pv_status table_status(const char *text, const pv_read_options *options, pv_table **table,
                       pv_error *error)
{
    return pv_table_read_memory("test.csv", text, strlen(text), options, NULL, table, error);
}

pv_table *table_of(const char *text, const pv_read_options *options)
{
    pv_table *table = NULL;
    pv_error error = {0};
    const pv_status status = table_status(text, options, &table, &error);
    if (status != PV_STATUS_OK) {
        print_error("line %llu: %s\n", (unsigned long long)error.line, error.message);
    }
    assert_int_equal(status, PV_STATUS_OK);
    return table;
}

const char *table_cell(const pv_table *table, uint64_t row, size_t column)
{
    return pv_table_value(table, column, pv_table_code(table, column, row));
}

/* ======================================================== the Adult table */

bool adult_is_here(const char *path)
{
    const bool is_here = access(path, R_OK) == 0;
    if (!is_here) {
        print_message("the Adult table is not here: nothing to compare with\n");
    }
    return is_here;
}

adult adult_read(const char *path)
{
    const pv_context context = {.threads = 2};
    adult a = {0};
    pv_error error = {0};
    bound_must(pv_plan_read(path, &a.plan, &error), &error);
    bound_must(pv_study_open(a.plan, NULL, &context, &a.study, &error), &error);
    a.profile = bound_profile(a.study, 2);
    return a;
}

adult adult_open(const char *path)
{
    if (!adult_is_here(path)) {
        skip();
    }
    return adult_read(path);
}

void adult_close(adult *a)
{
    pv_profile_free(a->profile);
    pv_study_free(a->study);
    pv_plan_free(a->plan);
}

/* =========================================================== a wide table */

static void search_table_rows(pv_buffer *csv, size_t axes, size_t rows)
{
    pv_rng rng;
    pv_i_rng_init(&rng, axes);
    for (size_t row = 0; row < rows; row++) {
        pv_i_buffer_format(csv, "\nv%u,v%u", (unsigned)pv_i_rng_below(&rng, 5),
                           (unsigned)pv_i_rng_below(&rng, 3));
        for (size_t a = 0; a < axes; a++) {
            pv_i_buffer_format(csv, ",%u",
                               (unsigned)pv_i_rng_below(&rng, 1 + pv_i_rng_below(&rng, 16)));
        }
    }
    pv_i_buffer_char(csv, '\n');
}

search_table search_table_create(size_t axes, size_t rows)
{
    search_table t = {.n_nodes = 1};
    pv_buffer plan = {0};
    pv_buffer csv = {0};
    pv_i_buffer_text(&plan, "attributes:\n  s: {role: sensitive}\n  c: {role: label}\n");
    pv_i_buffer_text(&csv, "s,c");
    for (size_t a = 0; a < axes; a++) {
        pv_i_buffer_format(&plan, "  q%zu: {role: quasi, hierarchy: {intervals: [2, 8]}}\n", a);
        pv_i_buffer_format(&csv, ",q%zu", a);
        t.n_nodes *= 4;
    }
    search_table_rows(&csv, axes, rows);
    t.study = bound_study_create(plan.data, csv.data);
    t.profile = bound_profile(t.study.study, 1);
    pv_i_buffer_deinit(&plan);
    pv_i_buffer_deinit(&csv);
    return t;
}

void search_table_free(search_table *t)
{
    pv_profile_free(t->profile);
    bound_study_free(&t->study);
}
