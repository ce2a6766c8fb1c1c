/* Groups, thresholds and the evaluator when memory runs out, at every allocation. Lists kept for
 * later are a luxury: when there is no memory for them an evaluation may succeed all the same, and
 * then it must be right. */
#include "support/failing_alloc.h"
#include "support/study.h"

#include "lattice/evaluator.h"
#include "lattice/rollup.h"
#include "lattice/view.h"

#include <stdlib.h>

enum { N_NODES = 4 * 2 * 3 };
static const char plan[] = "attributes:\n"
                           "  a: {role: quasi, hierarchy: {intervals: [2, 4]}}\n"
                           "  b: {role: quasi}\n"
                           "  d: {role: quasi, hierarchy: {intervals: [3]}}\n"
                           "  s: {role: sensitive}\n"
                           "  t: {role: sensitive}\n"
                           "  c: {role: label}\n";
static const char table[] = "a,b,d,s,t,c\n"
                            "1,x,3,u,1,p\n2,x,7,v,2,q\n3,y,1,u,3,p\n1,x,9,w,,q\n,y,2,u,1,p\n"
                            "5,z,3,u,1,p\n2,x,7,v,2,p\n9,y,4,u,3,p\n1,z,9,w,,q\n4,y,2,v,1,p\n";

/* ---------------------------------------------------------------- evaluator */

typedef struct {
    const pv_profile *profile;
    const pv_lattice *lattice;
    const uint64_t *k; /* per node */
    uint64_t memory;
    unsigned threads;
    bool batch;
    bool spends; /* the whole budget */
    uint8_t levels[N_NODES * 3];
    _Atomic unsigned wrong;
} subject;

static pv_status see(void *ctx, unsigned worker, uint64_t number, const pv_classes *classes)
{
    subject *const s = ctx;
    (void)worker;
    /* Where the budget is not spent, lower thresholds follow the highest. */
    s->wrong += s->spends ? classes->k != s->k[number] : classes->k > s->k[number];
    return PV_STATUS_OK;
}

static bool go_on(void *ctx, uint64_t done)
{
    (void)ctx;
    (void)done;
    return true;
}

static pv_status evaluate(void *ctx, pv_error *error)
{
    subject *const s = ctx;
    const pv_evaluator_options options = {.suppression = {.whole_budget = s->spends, .budget = 3},
                                          .memory = s->memory,
                                          .sizes = true,
                                          .sensitives = true,
                                          .label = true,
                                          .threads = s->threads};
    pv_evaluator *evaluator = NULL;
    pv_status status = pv_i_evaluator_create(s->profile, s->lattice, &options, &evaluator, error);
    assert_true((evaluator == NULL) == (status != PV_STATUS_OK));
    if (status == PV_STATUS_OK && s->batch) {
        status = pv_i_evaluator_anchor(evaluator, s->levels, error);
    }
    if (status == PV_STATUS_OK && s->batch) {
        status = pv_i_evaluate_batch(evaluator, s->levels, N_NODES, see, s, error);
    } else if (status == PV_STATUS_OK) {
        status = pv_i_evaluate_all(evaluator, see, s, go_on, 0, error);
    }
    pv_i_evaluator_free(evaluator);
    return status;
}

/* As failing_alloc_each, but a failed allocation may also go unnoticed. */
static void fail_each(subject *s, bool stays)
{
    bool happened = true;
    for (int64_t n = 0; happened; n++) {
        pv_error error = {0};
        failing_alloc_arm(n, stays);
        const pv_status status = evaluate(s, &error);
        happened = failing_alloc_disarm();
        assert_true(status == PV_STATUS_OK || (happened && status == PV_STATUS_NO_MEMORY));
        assert_int_equal(error.status, status);
        assert_int_equal(s->wrong, 0);
    }
}

static void expect_k(const pv_profile *profile, const pv_lattice *lattice, subject *s, uint64_t *k)
{
    for (uint64_t node = 0; node < N_NODES; node++) {
        uint8_t *const levels = s->levels + node * 3;
        pv_i_lattice_levels(lattice, node, levels);
        pv_classes *const classes = bound_classes(profile, levels, 3, 0);
        k[node] = pv_classes_k(classes);
        pv_classes_free(classes);
    }
}

static void evaluations_fail_cleanly(void **state)
{
    bound_study study = bound_study_create(plan, table);
    pv_profile *const profile = bound_profile(study.study, 1);
    pv_lattice lattice;
    uint64_t k[N_NODES];
    (void)state;
    assert_int_equal(pv_i_lattice_init(&lattice, study.study, NULL), PV_STATUS_OK);
    assert_int_equal(lattice.n_nodes, N_NODES);
    for (unsigned i = 0; i < 16; i++) {
        subject s = {.profile = profile,
                     .lattice = &lattice,
                     .k = k,
                     .memory = i & 1 ? 1 << 20 : 0,
                     .batch = (i & 2) != 0,
                     .spends = (i & 8) != 0,
                     .threads = i & 4 ? 2 : 1};
        expect_k(profile, &lattice, &s, k);
        fail_each(&s, true);
        fail_each(&s, false);
    }
    pv_i_lattice_deinit(&lattice);
    pv_profile_free(profile);
    bound_study_free(&study);
}

/* ------------------------------------------------------------ its parts alone */

static pv_status answer(bool done, pv_error *error)
{
    error->status = done ? PV_STATUS_OK : PV_STATUS_NO_MEMORY;
    return error->status;
}

static pv_status roll_up(void *ctx, pv_error *error)
{
    enum { N = 300 };
    static const uint32_t step[4] = {0, 0, 1, 1};
    const pv_field place = {.shift = 10, .mask = 3};
    pv_rollup_scratch scratch = {0};
    pv_groups from = {0};
    pv_groups to = {0};
    pv_groups copy = {0};
    (void)ctx;
    bool done = pv_i_groups_reserve(&from, N, 1);
    for (size_t i = 0; done && i < N; i++) {
        from.keys[i] = (N - i) * 13 % 4096;
        from.counts[i] = 1;
        from.n = N;
    }
    done = done && pv_i_groups_settle(&from, &scratch) &&
           pv_i_rollup(&from, place, step, &to, &scratch) && pv_i_groups_copy(&to, &copy);
    pv_i_groups_deinit(&from);
    pv_i_groups_deinit(&to);
    pv_i_groups_deinit(&copy);
    pv_i_rollup_scratch_deinit(&scratch);
    return answer(done, error);
}

static void roll_ups_fail_cleanly(void **state)
{
    (void)state;
    assert_true(failing_alloc_every(roll_up, NULL) > 4);
}

static pv_status decide(void *ctx, pv_error *error)
{
    static const uint32_t sizes[] = {5000, 1, 70000, 4097, 5000, 2};
    const pv_suppression rule = {.whole_budget = true, .budget = 20000};
    pv_threshold threshold = {0};
    pv_threshold_scratch *const scratch = ctx;
    const bool done = pv_i_threshold(sizes, 6, &rule, scratch, &threshold);
    assert_true(!done || threshold.n_suppressed == 14100);
    for (size_t i = 0; i <= PV_THRESHOLD_COUNTED; i++) {
        assert_int_equal(scratch->counted[i], 0); /* also after a failure */
    }
    free(scratch->large);
    scratch->large = NULL;
    scratch->large_capacity = 0;
    return answer(done, error);
}

static void thresholds_fail_cleanly(void **state)
{
    pv_threshold_scratch *const scratch = calloc(1, sizeof *scratch);
    (void)state;
    assert_non_null(scratch);
    assert_true(failing_alloc_every(decide, scratch) > 0);
    free(scratch);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(evaluations_fail_cleanly),
        cmocka_unit_test(roll_ups_fail_cleanly),
        cmocka_unit_test(thresholds_fail_cleanly),
    };
    return cmocka_run_group_tests_name("evaluator without memory", tests, NULL, NULL);
}
