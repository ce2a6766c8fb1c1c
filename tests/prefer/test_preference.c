/* Walks: the answer to a wish against all cut schemes of small tables; everything said about it is
 * true; a preference remembers. */
#include "support/cut_trial.h"
#include "support/testing.h"

static void trial_init(preference_trial *t, pv_rng *rng)
{
    const random_shape shape = cut_trial_shape(rng);
    preference_trial_init(t, rng, &shape);
}

static pv_answer *aspire(pv_preference *preference, pv_aspiration wish, unsigned threads)
{
    const pv_context context = {.threads = threads};
    pv_answer *answer = NULL;
    pv_error error = {0};
    bound_must(pv_preference_aspire(preference, wish, &context, &answer, &error), &error);
    return answer;
}

static void expect_answer(const preference_trial *s, uint64_t k, const pv_answer *answer)
{
    const double least = preference_trial_least(s, k, &answer->goal);
    assert_true(answer->proven);
    assert_true(fabs(answer->solutions[0].achievement - least) <= 1e-9);
    assert_true(fabs(answer->bound - least) <= 1e-9);
    assert_true(answer->solutions[0].k >= k);
    if (fabs(least - pv_achievement_wish(&answer->goal)) > 1e-9) {
        assert_int_equal(answer->unreachable, least > pv_achievement_wish(&answer->goal));
    }
    uint64_t last = answer->solutions[0].k;
    for (size_t i = 0; i + 1 < answer->n_solutions; i++) {
        assert_true(answer->solutions[i + 1].k > last);
        assert_true(answer->solutions[i + 1].achievement >= least - 1e-9);
        assert_non_null(answer->solutions[i + 1].cuts);
        last = answer->solutions[i + 1].k;
    }
}

static void answers_are_the_best_there_are(void **state)
{
    static const char *const methods[] = {"memetic", "nsga2"};
    pv_rng rng;
    (void)state;
    pv_i_rng_init(&rng, 8);
    for (size_t i = 0; i < effort(60); i++) {
        preference_trial s;
        trial_init(&s, &rng);
        const pv_preference_options options = {.k = 1 +
                                                    pv_i_rng_below(&rng, s.oracle.n_rows / 3 + 1),
                                               .method = methods[i % 2],
                                               .free_groups = !s.respects,
                                               .evaluations = 400,
                                               .population = 10,
                                               .prove = 100};
        pv_preference *const preference = preference_trial_create(s.study.profile, &options);
        uint64_t evaluated = 0;
        for (size_t wish = 0; wish < 3; wish++) {
            pv_answer *const answer =
                aspire(preference, preference_trial_wish(&rng), 1 + (unsigned)(i % 2));
            expect_answer(&s, options.k, answer);
            assert_true(answer->evaluated >= evaluated);
            evaluated = answer->evaluated;
            pv_answer_free(answer);
        }
        pv_preference_free(preference);
        preference_trial_deinit(&s);
    }
}

/* Some scheme that is allowed, compared with an answer. */
typedef struct {
    bool beats_both;     /* clearly better in bias and in loss */
    bool beats_one;      /* clearly better in one, no worse in the other */
    bool nearer_on_ties; /* of equal achievement, but clearly nearer to the wish in both together */
} comparison;

static void compare_with(const pv_answer *answer, pv_aspiration point, comparison *c)
{
    const pv_aspiration own = answer->solutions[0].point;
    const double less_bias = own.bias - point.bias;
    const double less_loss = own.loss - point.loss;
    const double achievement = pv_achievement_value(&answer->goal, point);
    const double deviation = pv_achievement_deviation(&answer->goal, point);
    c->beats_both = c->beats_both || (less_bias > 1e-9 && less_loss > 1e-9);
    c->beats_one =
        c->beats_one || (less_bias >= 0 && less_loss >= 0 && less_bias + less_loss > 1e-9);
    c->nearer_on_ties =
        c->nearer_on_ties || (fabs(achievement - answer->solutions[0].achievement) <= 1e-9 &&
                              deviation < answer->solutions[0].deviation - 1e-9);
}

static comparison compare_with_all(const preference_trial *s, uint64_t k, const pv_answer *answer)
{
    comparison c = {0};
    uint8_t cuts[PREFERENCE_TRIAL_BITS];
    for (uint64_t number = 0; number < (uint64_t)1 << s->oracle.n_bits; number++) {
        cut_oracle_scheme(&s->oracle, number, cuts);
        if (preference_trial_allows(s, k, cuts)) {
            compare_with(answer, preference_trial_point(s, cuts), &c);
        }
    }
    return c;
}

/* A proven answer is the nearest of those with its achievement: no scheme beats it in both, nor in
 * one alone. */
static void expect_efficient(const preference_trial *s, uint64_t k, const pv_answer *answer)
{
    const comparison c = compare_with_all(s, k, answer);
    assert_true(answer->proven);
    assert_false(c.beats_both);
    assert_false(c.beats_one);
    assert_false(c.nearer_on_ties);
    assert_int_equal(answer->solutions[0].efficiency, PV_STRONGLY_EFFICIENT);
}

static void proven_answers_are_efficient(void **state)
{
    pv_rng rng;
    (void)state;
    pv_i_rng_init(&rng, 12);
    for (size_t i = 0; i < effort(60); i++) {
        preference_trial s;
        trial_init(&s, &rng);
        const pv_preference_options options = {.k = 1 + pv_i_rng_below(&rng, 4),
                                               .free_groups = !s.respects,
                                               .evaluations = 400,
                                               .population = 10,
                                               .prove = 100};
        pv_preference *const preference = preference_trial_create(s.study.profile, &options);
        for (size_t wish = 0; wish < 3; wish++) {
            pv_answer *const answer = aspire(preference, preference_trial_wish(&rng), 1);
            expect_efficient(&s, options.k, answer);
            pv_answer_free(answer);
        }
        pv_preference_free(preference);
        preference_trial_deinit(&s);
    }
}

/* -------------------------------------------------------- in exact fractions */

/* Numbers of the random tables are small and their weights multiples of a half, so bias and loss
 * are fractions of small whole numbers, and so is how many times what was wished for they are. */
typedef struct {
    __int128 up, down;
} fraction;

static int compare_fractions(fraction a, fraction b)
{
    const __int128 left = a.up * b.down;
    const __int128 right = b.up * a.down;
    return (left > right) - (left < right);
}

typedef struct {
    fraction bias, loss;
} exact_point;

/* A loss is the sum over attributes of weight * rows * (values of the group - 1) / (values - 1),
 * divided by all weights and rows. 60 is a multiple of what values - 1 may be. */
static exact_point exact_point_of(const preference_trial *s, const uint8_t *cuts)
{
    const cut_oracle *const o = &s->oracle;
    const cut_oracle_sizes sizes = cut_oracle_count(o, cuts);
    uint64_t lost = 0;
    uint64_t weights = 0;
    for (size_t a = 0; a < o->n_axes; a++) {
        const uint64_t others = o->n[a] > 1 ? o->n[a] - 1 : 1;
        const uint64_t weight = (uint64_t)llround(2 * o->weight[a]);
        assert_int_equal(60 % others, 0);
        weights += weight;
        for (uint32_t value = 0; value < o->n[a]; value++) {
            uint32_t first, last;
            cut_oracle_group(o, a, cuts, value, &first, &last);
            lost += o->rows[a][value] * (last - first) * weight * (60 / others);
        }
    }
    return (exact_point){
        .bias = {(__int128)(sizes.largest - sizes.smallest),
                 (__int128)(o->n_rows > 1 ? o->n_rows - 1 : 1)},
        .loss = {(__int128)lost, (__int128)(60 * weights * o->n_rows)},
    };
}

/* (value + 1e-6) / (wish + 1e-6), the wish in tenths. */
static fraction times_wish(fraction value, double wish)
{
    const __int128 millionths = llround(wish * 10) * 100000 + 1;
    return (fraction){value.up * 1000000 + value.down, value.down * millionths};
}

/* The achievement, but for a factor. */
static fraction exact_achievement(exact_point point, pv_aspiration wish)
{
    const fraction bias = times_wish(point.bias, wish.bias);
    const fraction loss = times_wish(point.loss, wish.loss);
    return compare_fractions(bias, loss) > 0 ? bias : loss;
}

static fraction exact_deviation(exact_point point)
{
    return (fraction){point.bias.up * point.loss.down + point.loss.up * point.bias.down,
                      point.bias.down * point.loss.down};
}

/* The best of all schemes: least achievement, then least deviation. */
static exact_point exact_best(const preference_trial *s, uint64_t k, pv_aspiration wish)
{
    exact_point best = {{1, 0}, {1, 0}}; /* infinite */
    uint8_t cuts[PREFERENCE_TRIAL_BITS];
    bool found = false;
    for (uint64_t number = 0; number < (uint64_t)1 << s->oracle.n_bits; number++) {
        cut_oracle_scheme(&s->oracle, number, cuts);
        if (!preference_trial_allows(s, k, cuts)) {
            continue;
        }
        const exact_point point = exact_point_of(s, cuts);
        const int order =
            found ? compare_fractions(exact_achievement(point, wish), exact_achievement(best, wish))
                  : -1;
        if (order < 0 ||
            (order == 0 && compare_fractions(exact_deviation(point), exact_deviation(best)) < 0)) {
            best = point;
        }
        found = true;
    }
    assert_true(found);
    return best;
}

static double fraction_value(fraction f)
{
    return (double)f.up / (double)f.down;
}

static void expect_exact(const preference_trial *s, uint64_t k, const pv_answer *answer)
{
    const pv_aspiration wish = answer->goal.wish;
    const exact_point best = exact_best(s, k, wish);
    const fraction one = {1, 1};
    assert_true(answer->proven);
    assert_int_equal(answer->unreachable,
                     compare_fractions(exact_achievement(best, wish), one) > 0);
    assert_int_equal(pv_achievement_fulfils(&answer->goal, answer->solutions[0].point),
                     !answer->unreachable);
    const double deviation = fraction_value(exact_deviation(best)) - wish.bias - wish.loss;
    assert_true(fabs(answer->solutions[0].deviation - deviation) <= 1e-9);
    for (size_t i = 0; i + 1 < answer->n_solutions; i++) {
        const pv_solution *const other = &answer->solutions[i + 1];
        assert_true(other->achievement > answer->solutions[0].achievement + 1e-15 ||
                    other->deviation >= answer->solutions[0].deviation - 1e-9);
    }
}

/* Wishes that are met exactly are met; of equally near schemes the one with least bias and loss
 * together is told. */
static void wishes_are_judged_exactly(void **state)
{
    pv_rng rng;
    size_t met = 0;
    (void)state;
    pv_i_rng_init(&rng, 17);
    for (size_t i = 0; i < effort(120); i++) {
        preference_trial s;
        const random_shape shape = {.n_rows = 3 + (size_t)pv_i_rng_below(&rng, 9),
                                    .n_quasi = 1 + (size_t)pv_i_rng_below(&rng, 3),
                                    .n_values = 2 + (size_t)pv_i_rng_below(&rng, 3),
                                    .heights = 3};
        preference_trial_init(&s, &rng, &shape);
        const pv_preference_options options = {.k = 1 + pv_i_rng_below(&rng, 3),
                                               .free_groups = !s.respects,
                                               .evaluations = 20,
                                               .population = 4,
                                               .prove = 100};
        pv_preference *const preference = preference_trial_create(s.study.profile, &options);
        for (size_t wish = 0; wish < 4; wish++) {
            pv_answer *const answer = aspire(preference, preference_trial_wish(&rng), 1);
            expect_exact(&s, options.k, answer);
            met += !answer->unreachable;
            pv_answer_free(answer);
        }
        pv_preference_free(preference);
        preference_trial_deinit(&s);
    }
    assert_true(met > 0);
}

/* From nothing wished for to everything: no answer twice. */
static void directions_show_each_once(void **state)
{
    pv_rng rng;
    (void)state;
    pv_i_rng_init(&rng, 9);
    for (size_t i = 0; i < effort(30); i++) {
        preference_trial s;
        trial_init(&s, &rng);
        const pv_preference_options options = {
            .k = 2, .evaluations = 300, .population = 8, .prove = -1};
        const pv_context context = {.threads = 1};
        pv_answer *answers[10];
        size_t n = 0;
        pv_preference *const preference = preference_trial_create(s.study.profile, &options);
        pv_error error = {0};
        bound_must(pv_preference_direction(preference, (pv_aspiration){1, 0.2},
                                           (pv_aspiration){0.1, 0.1}, 10, &context, answers, &n,
                                           &error),
                   &error);
        assert_true(n >= 1 && n <= 10);
        for (size_t a = 0; a < n; a++) {
            assert_false(answers[a]->proven);
            for (size_t b = 0; b < a; b++) {
                assert_true(answers[a]->solutions[0].k != answers[b]->solutions[0].k ||
                            fabs(answers[a]->solutions[0].point.bias -
                                 answers[b]->solutions[0].point.bias) > 0 ||
                            fabs(answers[a]->solutions[0].point.loss -
                                 answers[b]->solutions[0].point.loss) > 0);
            }
        }
        for (size_t a = 0; a < n; a++) {
            pv_answer_free(answers[a]);
        }
        pv_preference_free(preference);
        preference_trial_deinit(&s);
    }
}

static void bad_walks_are_refused(void **state)
{
    pv_rng rng;
    preference_trial s;
    pv_preference *preference = NULL;
    pv_error error = {0};
    (void)state;
    pv_i_rng_init(&rng, 10);
    trial_init(&s, &rng);
    const pv_preference_options many = {.k = s.oracle.n_rows + 1};
    const pv_preference_options unknown = {.method = "magic"};
    assert_int_equal(pv_preference_create(s.study.profile, &many, &preference, &error),
                     PV_STATUS_UNSATISFIED);
    assert_int_equal(pv_preference_create(s.study.profile, &unknown, &preference, &error),
                     PV_STATUS_ARGUMENT);
    assert_null(preference);
    bound_must(pv_preference_create(s.study.profile, NULL, &preference, &error), &error);
    pv_answer *answer = NULL;
    assert_int_equal(
        pv_preference_aspire(preference, (pv_aspiration){-1, 0}, NULL, &answer, &error),
        PV_STATUS_ARGUMENT);
    assert_null(answer);
    pv_preference_free(preference);
    preference_trial_deinit(&s);
}

/* Whoever stops it gets the best so far. */
static bool stop(void *ctx, const pv_progress *progress)
{
    (void)ctx;
    (void)progress;
    return false;
}

static void a_stopped_walk_answers(void **state)
{
    const pv_context context = {.threads = 2, .progress = stop};
    pv_rng rng;
    preference_trial s;
    pv_answer *answer = NULL;
    pv_error error = {0};
    (void)state;
    pv_i_rng_init(&rng, 11);
    trial_init(&s, &rng);
    pv_preference *const preference = preference_trial_create(s.study.profile, NULL);
    bound_must(
        pv_preference_aspire(preference, (pv_aspiration){0.3, 0.2}, &context, &answer, &error),
        &error);
    assert_true(answer->stopped);
    assert_false(answer->proven);
    assert_non_null(answer->solutions[0].cuts);
    pv_answer_free(answer);
    pv_preference_free(preference);
    preference_trial_deinit(&s);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(answers_are_the_best_there_are),
        cmocka_unit_test(proven_answers_are_efficient),
        cmocka_unit_test(wishes_are_judged_exactly),
        cmocka_unit_test(directions_show_each_once),
        cmocka_unit_test(bad_walks_are_refused),
        cmocka_unit_test(a_stopped_walk_answers),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
