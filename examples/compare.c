/* Two candidates person by person, before one of them is released. */
#include <paravent/paravent.h>
#include <stdio.h>

int main(int argc, char **argv)
{
    pv_study *study = NULL;
    pv_front *front = NULL;
    pv_comparison *comparison = NULL;
    pv_judgement *judgement = NULL;
    char *text = NULL;
    pv_error error = {0};
    if (pv_open(argc > 1 ? argv[1] : "plan.yaml", NULL, &study, &error) == PV_STATUS_OK &&
        pv_front_find(study, NULL, &front, &error) == PV_STATUS_OK) {
        const char *const names[] = {"k=2", "knee"};
        const pv_scheme *const two[] = {pv_front_pick(front, names[0]),
                                        pv_front_pick(front, names[1])};
        if (pv_compare_schemes(study, two, names, 2, &comparison, &error) == PV_STATUS_OK &&
            pv_judgement_create(comparison, NULL, NULL, &judgement, &error) == PV_STATUS_OK &&
            pv_judgement_text(judgement, &text, &error) == PV_STATUS_OK) {
            printf("%s\n", text);
        }
    }
    if (error.status != PV_STATUS_OK) {
        fprintf(stderr, "%s: %s\n", error.message, error.hint);
    }
    pv_string_free(text);
    pv_judgement_free(judgement);
    pv_comparison_free(comparison);
    pv_front_free(front);
    pv_study_free(study);
    return error.status == PV_STATUS_OK ? 0 : 1;
}
