/* Cuts files: any bytes that parse as one are written and read again, and those that fit a small
 * table become a plan that can be bound to it. */
#include "scheme/scheme.h"
#include <paravent/paravent.h>
#include <stdlib.h>
#include <string.h>

static const char plan_text[] =
    "attributes:\n"
    "  age: {role: quasi, granularity: 5}\n"
    "  job: {role: quasi, hierarchy: {rows: [[nurse, care], [medic, care], [baker, food]]}}\n";
static const char table_text[] = "age,job\n21,nurse\n35,baker\n47,medic\nNA,NA\n";

static void require(bool holds)
{
    if (!holds) {
        abort();
    }
}

/* Written out and read again, the cuts are the same. */
static void round_trip(const pv_cuts *cuts)
{
    char *text = NULL, *again = NULL;
    pv_cuts *read = NULL;
    if (pv_cuts_text(cuts, &text, NULL) != PV_STATUS_OK) {
        return; /* a name that is too long */
    }
    require(pv_cuts_parse("c.json", text, strlen(text), &read, NULL) == PV_STATUS_OK);
    require(pv_cuts_text(read, &again, NULL) == PV_STATUS_OK);
    require(strcmp(text, again) == 0);
    pv_string_free(text);
    pv_string_free(again);
    pv_cuts_free(read);
}

/* Binds the table to the plan of the cuts; every value has a label. */
static void apply(pv_study *study, const pv_cuts *cuts)
{
    pv_plan *plan = NULL;
    pv_study *cut = NULL;
    pv_scheme scheme;
    if (pv_plan_with_cuts(study, cuts, &plan, NULL) == PV_STATUS_OK &&
        pv_study_rebind(study, plan, &cut, NULL) == PV_STATUS_OK) {
        require(pv_i_scheme_init(&scheme, cut, NULL) == PV_STATUS_OK);
        require(pv_i_scheme_take_plan(&scheme, cut, NULL) == PV_STATUS_OK);
        for (uint32_t code = 0; code < pv_table_values(pv_study_table(cut), 1); code++) {
            require(pv_scheme_label(&scheme, cut, 1, code) != NULL);
        }
        pv_i_scheme_deinit(&scheme);
    }
    pv_study_free(cut);
    pv_plan_free(plan);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    pv_cuts *cuts = NULL;
    pv_plan *plan = NULL;
    pv_table *table = NULL;
    pv_study *study = NULL;
    if (pv_cuts_parse("c.json", (const char *)data, size, &cuts, NULL) != PV_STATUS_OK) {
        return 0;
    }
    round_trip(cuts);
    require(pv_plan_parse("p.yaml", plan_text, strlen(plan_text), &plan, NULL) == PV_STATUS_OK);
    require(pv_table_read_memory("t.csv", table_text, strlen(table_text), NULL,
                                 &(pv_context){.threads = 1}, &table, NULL) == PV_STATUS_OK);
    require(pv_study_bind(plan, table, &study, NULL) == PV_STATUS_OK);
    apply(study, cuts);
    pv_study_free(study);
    pv_plan_free(plan);
    pv_cuts_free(cuts);
    return 0;
}
