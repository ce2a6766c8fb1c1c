/* Any text at all as a plan: it is read or refused with a place that exists, never more. Hierarchy
 * files and the like are not opened, for a random text may name any file of the machine. */
#include "plan/plan.h"

#include <stdint.h>
#include <stdlib.h>

static void require_that(int holds)
{
    if (!holds) {
        abort();
    }
}

static uint64_t count_lines(const uint8_t *data, size_t size)
{
    uint64_t lines = 1;
    for (size_t i = 0; i < size; i++) {
        /* YAML has more line breaks than \n: those within other bytes may count too. */
        lines += data[i] == '\n' || data[i] == '\r' || data[i] >= 0x80;
    }
    return lines;
}

static void check_plan(const pv_plan *plan)
{
    size_t labels = 0;
    for (size_t i = 0; i < plan->n_attributes; i++) {
        const pv_plan_attribute *const a = &plan->attributes[i];
        require_that(a->weight >= 0 && a->level >= -1 && a->level <= PV_MAX_HEIGHT);
        require_that(a->line > 0 && a->column > 0);
        require_that(a->role == PV_ROLE_QUASI || (a->level == -1 && a->granularity.mantissa == 0));
        require_that(a->role == PV_ROLE_QUASI || !a->sensitivity.is_given);
        require_that(a->sensitivity.others.mantissa >= 0);
        for (size_t v = 0; v < a->sensitivity.n_values; v++) {
            require_that(a->sensitivity.values[v].sensitivity.mantissa >= 0);
            require_that(a->sensitivity.values[v].line > 0);
        }
        labels += a->role == PV_ROLE_LABEL;
    }
    require_that(labels <= 1);
    require_that(pv_budget_rows(&plan->suppression, 1000) < 1000);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    pv_plan *plan = NULL;
    pv_error error = {0};
    const pv_status status =
        pv_i_plan_parse("plan.yaml", (const char *)data, size, false, &plan, &error);
    if (status == PV_STATUS_OK) {
        check_plan(plan);
    } else {
        require_that(plan == NULL && error.status == status && error.message[0] != '\0');
        require_that(error.line <= count_lines(data, size) + 1);
    }
    pv_plan_free(plan);
    return 0;
}
