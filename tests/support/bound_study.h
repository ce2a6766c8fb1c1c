/* A study made from two texts, a plan and a table, as a publisher would write them. */
#ifndef PV_TESTS_BOUND_STUDY_H
#define PV_TESTS_BOUND_STUDY_H

/* cmocka.h needs these four before it. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <paravent/classes.h>
#include <paravent/plan.h>
#include <string.h>

typedef struct bound_study {
    pv_plan *plan;
    pv_study *study;
} bound_study;

static inline void bound_must(pv_status status, const pv_error *error)
{
    if (status != PV_STATUS_OK) {
        fail_msg("%s:%llu:%llu: %s", error->file, (unsigned long long)error->line,
                 (unsigned long long)error->column, error->message);
    }
}

static inline pv_plan *bound_plan(const char *text)
{
    pv_plan *plan = NULL;
    pv_error error = {0};
    bound_must(pv_plan_parse("plan.yaml", text, strlen(text), &plan, &error), &error);
    return plan;
}

static inline pv_table *bound_table(const char *csv)
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

static inline bound_study bound_study_create(const char *plan, const char *csv)
{
    bound_study s = {.plan = bound_plan(plan)};
    pv_error error = {0};
    bound_must(pv_study_bind(s.plan, bound_table(csv), &s.study, &error), &error);
    return s;
}

static inline void bound_study_free(bound_study *s)
{
    pv_study_free(s->study);
    pv_plan_free(s->plan);
}

static inline pv_profile *bound_profile(const pv_study *study, unsigned threads)
{
    const pv_context context = {.threads = threads};
    pv_profile *profile = NULL;
    pv_error error = {0};
    bound_must(pv_profile_create(study, &context, &profile, &error), &error);
    return profile;
}

/* Without a target the whole budget is spent. */
static inline pv_classes *bound_classes(const pv_profile *profile, const uint8_t *levels,
                                        uint64_t budget, uint64_t target_k)
{
    const pv_suppression suppression = {
        .whole_budget = true, .budget = budget, .target_k = target_k};
    pv_classes *classes = NULL;
    pv_error error = {0};
    bound_must(pv_classes_create(profile, levels, &suppression, &classes, &error), &error);
    return classes;
}

#endif
