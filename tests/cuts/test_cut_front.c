/* The front of k and nwp over cuts against looking at every scheme: complete if it says so, and
 * true in what it claims wherever it is stopped. */
#include "support/cut_trial.h"

#include "front/front.h"
#include "scheme/cuts.h"

#include <math.h>
#include <paravent/search.h>

/* ------------------------------------------------------------------------ oracle */

/* The front of k and nwp over cuts by looking at every scheme, and what must hold of any front that
 * a search hands over. */
enum { CUT_FRONT_BITS = 32 };

typedef struct cut_front_oracle {
    cut_trial trial;
    const pv_profile *profile;
    cut_oracle_outcome *all; /* what comes of every scheme */
    size_t n_all;
} cut_front_oracle;

static void cut_front_oracle_init(cut_front_oracle *o, const pv_study *study,
                                  const pv_profile *profile, bool respects)
{
    *o = (cut_front_oracle){.profile = profile};
    cut_trial_init(&o->trial, study, profile, respects);
    assert_true(o->trial.space.n_bits <= CUT_FRONT_BITS);
    o->all = cut_oracle_all(&o->trial.oracle, o->trial.prices.unit, respects, &o->n_all);
}

static void cut_front_oracle_deinit(cut_front_oracle *o)
{
    free(o->all);
    cut_trial_deinit(&o->trial);
}

/* The least cost with at least this k; UINT64_MAX if nothing has it. */
static uint64_t cut_front_least(const cut_front_oracle *o, uint64_t k)
{
    uint64_t least = UINT64_MAX;
    for (size_t i = 0; i < o->n_all; i++) {
        least = o->all[i].smallest >= k && o->all[i].cost < least ? o->all[i].cost : least;
    }
    return least;
}

static double cut_front_nwp(const cut_front_oracle *o, uint64_t cost)
{
    return pv_i_cut_nwp(&o->trial.prices, cost);
}

/* ------------------------------------------------------------------ points */

/* The cuts of a point make exactly what it says, and are allowed. */
static void cut_front_expect_true(const cut_front_oracle *o, const pv_point *point)
{
    const cut_trial *const t = &o->trial;
    uint8_t bits[CUT_FRONT_BITS];
    pv_error error = {0};
    bound_must(pv_i_cuts_to_bits(&t->space, t->oracle.study, point->cuts, bits, &error), &error);
    const cut_oracle_sizes sizes = cut_oracle_count(&t->oracle, bits);
    assert_int_equal(point->k, sizes.smallest);
    assert_true(point->values[0] == (double)sizes.smallest);
    assert_true(point->values[1] ==
                cut_front_nwp(o, cut_oracle_cost(&t->oracle, t->prices.unit, bits)));
    assert_true(!t->respects || cut_oracle_respects(&t->oracle, bits));
    assert_null(point->levels);
    assert_int_equal(point->suppressed, 0);
}

/* What it claims to be proven is true. */
static void cut_front_expect_bound(const cut_front_oracle *o, const pv_front *front, size_t point)
{
    const pv_point *const p = &front->points[point];
    const double least = cut_front_nwp(o, cut_front_least(o, p->k));
    assert_true(p->bound >= 0 && p->bound <= least && least <= p->values[1]);
    assert_true((pv_front_gap(front, point) <= 0) == (p->bound >= p->values[1]));
}

/* Of any front, however it was stopped. */
static void cut_front_expect_sound(const cut_front_oracle *o, const pv_front *front)
{
    assert_true(pv_front_has_cuts(front));
    assert_int_equal(front->n_levels, 0);
    assert_int_equal(front->n_cuts, front->n_points);
    assert_int_equal(front->n_objectives, 2);
    assert_string_equal(front->objectives[0].measure->name, "k");
    assert_string_equal(front->objectives[1].measure->name, "nwp");
    assert_true(front->nodes == (double)o->n_all);
    for (size_t i = 0; i < front->n_points; i++) {
        cut_front_expect_true(o, &front->points[i]);
        cut_front_expect_bound(o, front, i);
        if (i > 0) {
            assert_true(front->points[i].k > front->points[i - 1].k);
            assert_true(front->points[i].values[1] > front->points[i - 1].values[1]);
            assert_true(front->points[i].bound >= front->points[i - 1].bound);
        }
    }
}

/* Is it the whole front from a k on? Of points with the same nwp only the last is one. */
static bool cut_front_is_whole(const cut_front_oracle *o, const pv_front *front, uint64_t least_k)
{
    size_t point = 0;
    for (uint64_t k = least_k; k <= o->trial.oracle.n_rows; point++) {
        const double least = cut_front_nwp(o, cut_front_least(o, k));
        if (point == front->n_points || front->points[point].values[1] != least) {
            return false;
        }
        k = front->points[point].k + 1;
        if (k <= o->trial.oracle.n_rows && cut_front_nwp(o, cut_front_least(o, k)) <= least) {
            return false;
        }
    }
    return point == front->n_points;
}

/* ------------------------------------------------------------------------- tables */

typedef struct {
    cut_front_oracle oracle;
    pv_rng *rng;
} subject;

typedef void visit(subject *s);

/* Every other table respects taxonomies. */
static void visit_tables(uint64_t seed, int n, visit *look)
{
    pv_rng rng;
    pv_i_rng_init(&rng, seed);
    for (int round = 0; round < n; round++) {
        random_shape shape = cut_trial_shape(&rng);
        random_study study;
        subject s = {.rng = &rng};
        shape.missing = round % 5 == 0 ? 15 : 0;
        random_study_init(&study, &rng, &shape);
        cut_front_oracle_init(&s.oracle, study.bound.study, study.profile, round % 2 == 0);
        look(&s);
        cut_front_oracle_deinit(&s.oracle);
        random_study_deinit(&study);
    }
}

/* Little search, so that there is something left to find for the proofs. */
static pv_cut_front_options little(const subject *s)
{
    return (pv_cut_front_options){.free_groups = !s->oracle.trial.respects,
                                  .evaluations = 1,
                                  .population = 2,
                                  .prove = (double)INFINITY,
                                  .seed = 1 + pv_i_rng_below(s->rng, 1000)};
}

static pv_front *search(const subject *s, const pv_cut_front_options *options, unsigned threads)
{
    const pv_context context = {.threads = threads};
    pv_front *front = NULL;
    pv_error error = {0};
    bound_must(pv_search_cuts(s->oracle.profile, options, &context, &front, &error), &error);
    cut_front_expect_sound(&s->oracle, front);
    return front;
}

/* ---------------------------------------------------------------- complete */

static void look_complete(subject *s)
{
    const pv_cut_front_options options = little(s);
    pv_front *const front = search(s, &options, 1);
    assert_true(front->complete);
    assert_int_equal(front->stop, PV_STOP_FINISHED);
    assert_true(cut_front_is_whole(&s->oracle, front, 1));
    for (size_t i = 0; i < front->n_points; i++) {
        assert_true(front->points[i].bound == front->points[i].values[1]);
    }
    pv_front_free(front);
}

static void the_whole_front_is_found_and_proven(void **state)
{
    (void)state;
    visit_tables(501, 240, look_complete);
}

static void look_from_k(subject *s)
{
    const uint64_t rows = s->oracle.trial.oracle.n_rows;
    pv_cut_front_options options = little(s);
    options.least_k = 1 + pv_i_rng_below(s->rng, rows);
    pv_front *front = search(s, &options, 1);
    assert_true(front->complete);
    assert_true(cut_front_is_whole(&s->oracle, front, options.least_k));
    pv_front_free(front);
    options.least_k = rows + 1;
    front = NULL;
    pv_error error = {0};
    assert_int_equal(pv_search_cuts(s->oracle.profile, &options, NULL, &front, &error),
                     PV_STATUS_UNSATISFIED);
    assert_null(front);
}

static void it_may_begin_at_any_k(void **state)
{
    (void)state;
    visit_tables(502, 40, look_from_k);
}

/* ----------------------------------------------------------------- stopped */

static void look_with_few_nodes(subject *s)
{
    pv_cut_front_options options = little(s);
    for (options.max_nodes = 1; options.max_nodes < 200; options.max_nodes *= 3) {
        pv_front *const front = search(s, &options, 1);
        assert_true(front->proof_nodes <= options.max_nodes);
        assert_true(!front->complete || cut_front_is_whole(&s->oracle, front, 1));
        assert_int_equal(front->stop, front->complete ? PV_STOP_FINISHED : PV_STOP_EVALUATIONS);
        pv_front_free(front);
    }
}

static void few_nodes_leave_valid_bounds(void **state)
{
    (void)state;
    visit_tables(503, 40, look_with_few_nodes);
}

static void look_with_little_memory(subject *s)
{
    pv_cut_front_options options = little(s);
    options.memory = 1 + pv_i_rng_below(s->rng, 2000);
    pv_front *const front = search(s, &options, 1);
    assert_true(!front->complete || cut_front_is_whole(&s->oracle, front, 1));
    assert_int_equal(front->stop, PV_STOP_FINISHED);
    pv_front_free(front);
}

static void little_memory_ends_it(void **state)
{
    (void)state;
    visit_tables(504, 40, look_with_little_memory);
}

static void look_without_proof(subject *s)
{
    pv_cut_front_options options = little(s);
    options.prove = -1;
    options.evaluations = 2000;
    options.population = 0;
    pv_front *const front = search(s, &options, 1);
    assert_int_equal(front->proof_nodes, 0);
    assert_string_equal(front->method, "memetic");
    for (size_t i = 0; i < front->n_points; i++) {
        assert_true(front->points[i].bound == 0);
    }
    pv_front_free(front);
}

static void without_proofs_nothing_is_claimed(void **state)
{
    (void)state;
    visit_tables(505, 10, look_without_proof);
}

static void look_hurried(subject *s)
{
    pv_cut_front_options options = little(s);
    options.prove = 1e-9;
    pv_front *const front = search(s, &options, 1);
    assert_true(front->complete || front->stop == PV_STOP_TIME);
    pv_front_free(front);
}

static void time_ends_it(void **state)
{
    (void)state;
    visit_tables(506, 20, look_hurried);
}

/* Says no when it is asked for the n-th time. */
static bool refuse(void *ctx, const pv_progress *progress)
{
    int *const left = ctx;
    assert_true(strcmp(progress->phase, "searching") == 0 ||
                strcmp(progress->phase, "proving") == 0);
    assert_true(progress->done <= progress->total);
    return --*left > 0;
}

static void look_cancelled(subject *s)
{
    const pv_cut_front_options options = little(s);
    int left = 1 + (int)pv_i_rng_below(s->rng, 2);
    const pv_context context = {.threads = 1, .progress = refuse, .progress_ctx = &left};
    pv_front *front = NULL;
    pv_error error = {0};
    bound_must(pv_search_cuts(s->oracle.profile, &options, &context, &front, &error), &error);
    cut_front_expect_sound(&s->oracle, front);
    assert_true(front->n_points > 0);
    assert_true(front->complete || left > 0 || front->stop == PV_STOP_CANCELLED);
    pv_front_free(front);
}

static void somebody_may_stop_it(void **state)
{
    (void)state;
    visit_tables(507, 40, look_cancelled);
}

/* ------------------------------------------------------------------- bytes */

static void expect_same(const pv_front *a, const pv_front *b)
{
    assert_int_equal(a->n_points, b->n_points);
    assert_int_equal(a->evaluated, b->evaluated);
    assert_int_equal(a->proof_nodes, b->proof_nodes);
    assert_int_equal(a->complete, b->complete);
    for (size_t i = 0; i < a->n_points; i++) {
        char *texts[2] = {NULL, NULL};
        pv_error error = {0};
        bound_must(pv_cuts_text(a->points[i].cuts, &texts[0], &error), &error);
        bound_must(pv_cuts_text(b->points[i].cuts, &texts[1], &error), &error);
        assert_string_equal(texts[0], texts[1]);
        assert_memory_equal(a->points[i].values, b->points[i].values, 2 * sizeof(double));
        assert_true(a->points[i].bound == b->points[i].bound);
        assert_int_equal(a->points[i].ties, b->points[i].ties);
        pv_string_free(texts[0]);
        pv_string_free(texts[1]);
    }
}

static void look_on_threads(subject *s)
{
    pv_cut_front_options options = little(s);
    options.evaluations = 200;
    options.population = 20;
    options.max_nodes = 1 + pv_i_rng_below(s->rng, 60);
    pv_front *const alone = search(s, &options, 1);
    pv_front *const together = search(s, &options, 3);
    expect_same(alone, together);
    pv_front_free(alone);
    pv_front_free(together);
}

static void threads_change_nothing(void **state)
{
    (void)state;
    visit_tables(508, 30, look_on_threads);
}

/* -------------------------------------------------------------------- else */

static void bad_options_are_refused(void **state)
{
    static const pv_cut_front_options bad[] = {{.population = SIZE_MAX},
                                               {.crossover = 1.5},
                                               {.crossover = (double)NAN},
                                               {.prove = (double)NAN}};
    bound_study bound = bound_study_create("attributes:\n  a: {role: quasi}\n", "a\n1\n2\n2\n");
    pv_profile *const profile = bound_profile(bound.study, 1);
    (void)state;
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        pv_front *front = NULL;
        pv_error error = {0};
        assert_int_equal(pv_search_cuts(profile, &bad[i], NULL, &front, &error),
                         PV_STATUS_ARGUMENT);
        assert_null(front);
        assert_true(error.message[0] != '\0');
    }
    pv_profile_free(profile);
    bound_study_free(&bound);
}

/* Nothing to divide: one point. Defaults all along. */
static void one_value_is_one_point(void **state)
{
    bound_study bound = bound_study_create("attributes:\n  a: {role: quasi}\n", "a\n1\n1\n1\n");
    pv_profile *const profile = bound_profile(bound.study, 1);
    pv_front *front = NULL;
    pv_error error = {0};
    (void)state;
    bound_must(pv_search_cuts(profile, NULL, NULL, &front, &error), &error);
    assert_int_equal(front->n_points, 1);
    assert_int_equal(front->points[0].k, 3);
    assert_true(front->complete);
    assert_true(front->nodes == 1);
    assert_int_equal(front->seed, 1);
    pv_front_free(front);
    pv_profile_free(profile);
    bound_study_free(&bound);
}

/* Four people, two and two: apart, or together by either attribute, which costs the same. */
static void ties_are_counted(void **state)
{
    bound_study bound = bound_study_create("attributes:\n  a: {role: quasi}\n  b: {role: quasi}\n",
                                           "a,b\n1,1\n1,2\n2,1\n2,2\n");
    pv_profile *const profile = bound_profile(bound.study, 1);
    pv_front *front = NULL;
    pv_error error = {0};
    (void)state;
    bound_must(pv_search_cuts(profile, NULL, NULL, &front, &error), &error);
    assert_int_equal(front->n_points, 3);
    assert_int_equal(front->points[1].k, 2);
    assert_int_equal(front->points[1].ties, 1);
    pv_error none = {0};
    bound_must(pv_front_where(front, profile, "k>=2", &none), &none);
    assert_int_equal(front->n_points, 2);
    assert_int_equal(front->n_cuts, 3); /* still owned */
    pv_front_free(front);
    pv_profile_free(profile);
    bound_study_free(&bound);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_whole_front_is_found_and_proven),
        cmocka_unit_test(it_may_begin_at_any_k),
        cmocka_unit_test(few_nodes_leave_valid_bounds),
        cmocka_unit_test(little_memory_ends_it),
        cmocka_unit_test(without_proofs_nothing_is_claimed),
        cmocka_unit_test(time_ends_it),
        cmocka_unit_test(somebody_may_stop_it),
        cmocka_unit_test(threads_change_nothing),
        cmocka_unit_test(bad_options_are_refused),
        cmocka_unit_test(one_value_is_one_point),
        cmocka_unit_test(ties_are_counted),
    };
    return cmocka_run_group_tests_name("the front over cuts", tests, NULL, NULL);
}
