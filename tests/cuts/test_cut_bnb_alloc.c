/* Branch and bound over cuts when memory runs out, at every allocation: the same answer, or none
 * and nothing touched. */
#include "support/failing_alloc.h"
#include "support/study.h"

#include "base/buffer.h"
#include "base/rng.h"
#include "cuts/cut_search.h"

enum { MOST_BITS = 32, ROWS = 70 };

static const char plan[] =
    "attributes:\n"
    "  a: {role: quasi}\n"
    "  b: {role: quasi, weight: 2, hierarchy: {rows: [[x, A], [y, A], [z, B], [v, B], [w]]}}\n"
    "  d: {role: quasi, granularity: 2}\n";

typedef struct {
    const pv_study *study;
    const pv_profile *profile;
    bool respects;
    pv_cut_bnb_options options;
    uint8_t cuts[MOST_BITS];
    pv_cut_proof proof;
} subject;

/* Enough rows for a search of some dozens of nodes. */
static bound_study make_study(void)
{
    static const char letters[] = "xyzvw";
    pv_buffer csv = {0};
    pv_rng rng;
    pv_i_rng_init(&rng, 901);
    pv_i_buffer_text(&csv, "a,b,d\n");
    for (int row = 0; row < ROWS; row++) {
        const int a = (int)pv_i_rng_below(&rng, 8);
        const char b = letters[pv_i_rng_below(&rng, 5)];
        pv_i_buffer_format(&csv, "%d,%c,%d\n", a, b, (int)pv_i_rng_below(&rng, 14));
    }
    const bound_study study = bound_study_create(plan, csv.data);
    pv_i_buffer_deinit(&csv);
    return study;
}

static pv_status prove(const subject *s, uint8_t *cuts, pv_cut_proof *proof, pv_error *error)
{
    pv_cut_space space;
    pv_cut_table table;
    pv_cut_prices prices;
    pv_status status = pv_i_cut_space_init(&space, s->study, s->respects, error);
    if (status != PV_STATUS_OK) {
        return status;
    }
    pv_i_cut_prices_init(&prices, &space);
    status = pv_i_cut_table_init(&table, s->profile, &space, 1 << 20, error);
    if (status == PV_STATUS_OK) {
        status = pv_i_cut_bnb(&table, &prices, &s->options, cuts, proof, error);
    }
    pv_i_cut_table_deinit(&table);
    pv_i_cut_space_deinit(&space);
    return status;
}

static void expect_same(const subject *s, const uint8_t *cuts, const pv_cut_proof *proof)
{
    assert_memory_equal(cuts, s->cuts, MOST_BITS);
    assert_int_equal(proof->best, s->proof.best);
    assert_int_equal(proof->bound, s->proof.bound);
    assert_int_equal(proof->nodes, s->proof.nodes);
}

static void expect_untouched(const uint8_t *cuts, const pv_cut_proof *proof)
{
    for (size_t bit = 0; bit < MOST_BITS; bit++) {
        assert_int_equal(cuts[bit], 7);
    }
    assert_int_equal(proof->best, 77);
    assert_int_equal(proof->bound, 78);
}

static int64_t fail_each(const subject *s, bool stays)
{
    for (int64_t n = 0;; n++) {
        uint8_t cuts[MOST_BITS];
        pv_cut_proof proof = {.best = 77, .bound = 78};
        pv_error error = {0};
        memset(cuts, 7, sizeof cuts);
        failing_alloc_arm(n, stays);
        const pv_status status = prove(s, cuts, &proof, &error);
        const bool failed = failing_alloc_disarm();
        if (status == PV_STATUS_OK) {
            expect_same(s, cuts, &proof);
        } else {
            assert_int_equal(status, PV_STATUS_NO_MEMORY);
            assert_int_equal(error.status, PV_STATUS_NO_MEMORY);
            expect_untouched(cuts, &proof);
        }
        if (!failed) {
            assert_int_equal(status, PV_STATUS_OK);
            return n;
        }
    }
}

static void fail_proof(subject *s)
{
    pv_error error = {0};
    memset(s->cuts, 7, sizeof s->cuts);
    bound_must(prove(s, s->cuts, &s->proof, &error), &error);
    assert_true(fail_each(s, true) > 60);
    assert_true(fail_each(s, false) > 60);
}

static void proofs_fail_cleanly(void **state)
{
    bound_study bound = make_study();
    pv_profile *const profile = bound_profile(bound.study, 1);
    uint64_t nodes = 0;
    (void)state;
    for (int i = 0; i < 4; i++) {
        subject s = {.study = bound.study,
                     .profile = profile,
                     .respects = i % 2 == 0,
                     .options = {.goal = {.k = 2}, .max_nodes = 60}};
        s.options.goal.bias_slope = i < 2 ? 0 : 1;
        fail_proof(&s);
        nodes += s.proof.nodes;
    }
    assert_true(nodes > 60);
    pv_profile_free(profile);
    bound_study_free(&bound);
}

/* With nowhere to keep tables they are forgotten again and again. */
static void little_memory_fails_cleanly(void **state)
{
    bound_study bound = make_study();
    pv_profile *const profile = bound_profile(bound.study, 1);
    subject s = {.study = bound.study,
                 .profile = profile,
                 .options = {.goal = {.k = 2}, .max_nodes = 20, .memory = 1200}};
    (void)state;
    fail_proof(&s);
    pv_profile_free(profile);
    bound_study_free(&bound);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(proofs_fail_cleanly),
        cmocka_unit_test(little_memory_fails_cleanly),
    };
    return cmocka_run_group_tests_name("branch and bound without memory", tests, NULL, NULL);
}
