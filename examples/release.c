/* The whole way: a plan and its table, all trade-offs that nothing beats, and the release of the
 * one that loses least with k at least 5, verified and with its papers.
 *
 *     cc release.c $(pkg-config --cflags --libs paravent) -o release && ./release plan.yaml out.csv
 */
#include <paravent/paravent.h>
#include <stdio.h>

int main(int argc, char **argv)
{
    const char *const plan = argc > 1 ? argv[1] : "plan.yaml";
    const char *const path = argc > 2 ? argv[2] : "out.csv";
    pv_study *study = NULL;
    pv_front *front = NULL;
    pv_error error = {0};
    int result = 1;

    if (pv_open(plan, NULL, &study, &error) == PV_STATUS_OK &&        /* plan, table, profile */
        pv_front_find(study, NULL, &front, &error) == PV_STATUS_OK && /* as the plan says */
        pv_release_write(study, pv_front_pick(front, "k=5"), path, NULL, NULL, &error) ==
            PV_STATUS_OK) {
        result = 0;
    } else {
        fprintf(stderr, "%s: %s\n", error.message, error.hint);
    }
    pv_front_free(front);
    pv_study_free(study);
    return result;
}
