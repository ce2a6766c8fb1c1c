/* From a table and a plan to a measured generalization, with nothing but the public headers.
 *
 *     cc measure_a_release.c $(pkg-config --cflags --libs paravent) && ./a.out
 */
#include <paravent/paravent.h>
#include <stdio.h>
#include <string.h>

static const char table_text[] = "zip,sex,salary\n"
                                 "12345,M,<50K\n12346,M,<50K\n12345,F,<50K\n"
                                 "12355,F,>=50K\n12355,M,>=50K\n12356,M,>=50K\n";

static const char plan_text[] = "attributes:\n"
                                "  zip:    {role: quasi, hierarchy: {mask: right}}\n"
                                "  sex:    {role: quasi}\n"
                                "  salary: {role: sensitive}\n";

static int explain(const pv_error *error)
{
    (void)fprintf(stderr, "%s (%s)\n", error->message, error->hint);
    return 1;
}

static pv_status measure(const pv_study *study, pv_error *error)
{
    const uint8_t levels[] = {1, 1}; /* last digit of the zip masked, sex hidden */
    pv_profile *profile = NULL;
    pv_classes *classes = NULL;
    double glm = 0;
    pv_status status = pv_profile_create(study, NULL, &profile, error);
    if (status == PV_STATUS_OK) {
        status = pv_classes_create(profile, levels, NULL, &classes, error);
    }
    if (status == PV_STATUS_OK) {
        const pv_measure_ref ref = {.measure = pv_measure_find("glm")};
        status = pv_measure_value(ref, classes, &glm, error);
    }
    if (status == PV_STATUS_OK) {
        printf("k = %d, glm = %.2f\n", (int)pv_classes_k(classes), glm);
    }
    pv_classes_free(classes);
    pv_profile_free(profile);
    return status;
}

int main(void)
{
    pv_error error = {0};
    pv_plan *plan = NULL;
    pv_table *table = NULL;
    pv_study *study = NULL;
    pv_status status = pv_plan_parse("plan", plan_text, strlen(plan_text), &plan, &error);
    if (status == PV_STATUS_OK) {
        status = pv_table_read_memory("table", table_text, strlen(table_text), NULL, NULL, &table,
                                      &error);
    }
    if (status == PV_STATUS_OK) {
        status = pv_study_bind(plan, table, &study, &error);
        if (status != PV_STATUS_OK) {
            pv_table_free(table);
        }
    }
    if (status == PV_STATUS_OK) {
        status = measure(study, &error);
    }
    pv_study_free(study);
    pv_plan_free(plan);
    return status == PV_STATUS_OK ? 0 : explain(&error);
}
