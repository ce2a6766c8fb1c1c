/* The cut scheme nearest to a wish: classes about equally large, and a tenth of the detail lost
 * at most; and what is proven about it. */
#include <paravent/paravent.h>
#include <stdio.h>

int main(int argc, char **argv)
{
    pv_study *study = NULL;
    pv_answer *answer = NULL;
    pv_error error = {0};
    pv_preference_options options = {0};
    pv_aspiration wish;
    options.size = sizeof options;
    options.k = 5;
    options.evaluations = 2000;
    options.prove = -1; /* no proof; 0 = 10 seconds of it */
    wish.bias = 0.05;
    wish.loss = 0.1;
    if (pv_open(argc > 1 ? argv[1] : "plan.yaml", NULL, &study, &error) == PV_STATUS_OK &&
        pv_prefer_find(study, wish, &options, &answer, &error) == PV_STATUS_OK) {
        const pv_solution *const best = pv_answer_solution(answer, 0);
        const pv_aspiration point = pv_solution_point(best);
        printf("k = %d, spread of class sizes %.4f, loss %.4f\n", (int)pv_solution_k(best),
               point.bias, point.loss);
    } else {
        fprintf(stderr, "%s: %s\n", error.message, error.hint);
    }
    pv_answer_free(answer);
    pv_study_free(study);
    return error.status == PV_STATUS_OK ? 0 : 1;
}
