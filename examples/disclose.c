/* Levels for every record of its own: the least risk that leaves everyone half of their detail. */
#include <paravent/paravent.h>
#include <stdio.h>

int main(int argc, char **argv)
{
    pv_study *study = NULL;
    pv_disclosure *disclosure = NULL;
    pv_scheme *scheme = NULL; /* for pv_release_write */
    pv_error error = {0};
    pv_disclose_options options = {0};
    options.size = sizeof options;
    options.bound = 0.5;
    options.is_share = true;
    if (pv_open(argc > 1 ? argv[1] : "plan.yaml", NULL, &study, &error) == PV_STATUS_OK &&
        pv_disclose_find(study, &options, &disclosure, &scheme, &error) == PV_STATUS_OK) {
        double before = 0, after = 0;
        for (size_t i = 0; i < pv_disclosure_n_tuples(disclosure); i++) {
            before += pv_disclosure_risk_raw(disclosure, i);
            after += pv_disclosure_risk(disclosure, i);
        }
        printf("%s: risk over distinct records %.3g before, %.3g after\n",
               pv_disclosure_method(disclosure), before, after);
    } else {
        fprintf(stderr, "%s: %s\n", error.message, error.hint);
    }
    pv_scheme_free(scheme);
    pv_disclosure_free(disclosure);
    pv_study_free(study);
    return error.status == PV_STATUS_OK ? 0 : 1;
}
