/* Scheme files: any bytes that parse as one are applied to a small table; what comes out must be
 * readable again and give the same labels. */
#include "plan/plan.h"
#include "scheme/scheme.h"
#include <paravent/paravent.h>
#include <stdlib.h>
#include <string.h>

static const char table_text[] = "age,zip,born,grade,job,ill,person\n"
                                 "21,1234,1990-02-03,low,nurse,flu,a\n"
                                 "35,1299,1985-12-31,mid,baker,cold,b\n"
                                 "47,9999,2001-07-15,high,nurse,NA,c\n";

static void require(bool holds)
{
    if (!holds) {
        abort();
    }
}

static pv_table *read_table(void)
{
    pv_table *table = NULL;
    require(pv_table_read_memory("t.csv", table_text, strlen(table_text), NULL,
                                 &(pv_context){.threads = 1}, &table, NULL) == PV_STATUS_OK);
    return table;
}

/* The study of the table under a plan, or NULL. */
static pv_study *bind_plan(const pv_plan *plan)
{
    pv_study *study = NULL;
    pv_table *const table = read_table();
    if (pv_study_bind(plan, table, &study, NULL) != PV_STATUS_OK) {
        pv_table_free(table);
    }
    return study;
}

static void compare_labels(const pv_scheme *a, const pv_study *as, const pv_scheme *b,
                           const pv_study *bs)
{
    require(pv_study_quasis(as) == pv_study_quasis(bs));
    for (size_t q = 0; q < pv_study_quasis(as); q++) {
        const size_t column = pv_study_quasi_column(as, q);
        for (uint32_t code = 0; code < pv_table_values(pv_study_table(as), column); code++) {
            require(strcmp(pv_scheme_label(a, as, q, code), pv_scheme_label(b, bs, q, code)) == 0);
        }
    }
}

/* Written out and read again, the scheme says the same. */
static void round_trip(const pv_scheme *scheme, const pv_study *study)
{
    const pv_scheme_record record = {.suppression = pv_study_plan(study)->suppression};
    char *text = NULL;
    pv_plan *plan = NULL;
    pv_scheme again;
    require(pv_scheme_text(scheme, study, &record, &text, NULL) == PV_STATUS_OK);
    require(pv_plan_parse("again/s.json", text, strlen(text), &plan, NULL) == PV_STATUS_OK);
    pv_study *const study_again = bind_plan(plan);
    require(study_again != NULL);
    require(pv_i_scheme_init(&again, study_again, NULL) == PV_STATUS_OK);
    require(pv_i_scheme_take_plan(&again, study_again, NULL) == PV_STATUS_OK);
    compare_labels(scheme, study, &again, study_again);
    pv_i_scheme_deinit(&again);
    pv_study_free(study_again);
    pv_plan_free(plan);
    pv_string_free(text);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    pv_plan *plan = NULL;
    pv_scheme scheme;
    /* Files it names would be looked for in a folder that does not exist. */
    if (pv_plan_parse("no/such/folder/s.json", (const char *)data, size, &plan, NULL) !=
        PV_STATUS_OK) {
        return 0;
    }
    pv_study *const study = bind_plan(plan);
    if (study != NULL && pv_i_scheme_init(&scheme, study, NULL) == PV_STATUS_OK) {
        if (pv_i_scheme_take_plan(&scheme, study, NULL) == PV_STATUS_OK) {
            round_trip(&scheme, study);
        }
        pv_i_scheme_deinit(&scheme);
    }
    pv_study_free(study);
    pv_plan_free(plan);
    return 0;
}
