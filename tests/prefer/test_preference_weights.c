/* Weights that change on the way: from then on answers are those of a preference whose plan has
 * these weights from the start, which are the best of all schemes; a session keeps them; what is no
 * weight is refused and changes nothing. */
#include "support/cut_trial.h"
#include "support/session_sample.h"
#include "support/testing.h"

enum { MOST_AXES = 4 };

static void trial_init(preference_trial *t, pv_rng *rng)
{
    const random_shape shape = {.n_rows = 6 + (size_t)pv_i_rng_below(rng, 30),
                                .n_quasi = 2,
                                .n_values = 5,
                                .full = pv_i_rng_below(rng, 2) == 0,
                                .heights = 4,
                                .copies = (unsigned)pv_i_rng_below(rng, 4)};
    preference_trial_init(t, rng, &shape);
}

/* ------------------------------------------------------------------ weights */

static void weigh(pv_preference *preference, const pv_weight *weights, size_t n)
{
    pv_error error = {0};
    bound_must(pv_preference_weigh(preference, weights, n, &error), &error);
}

/* Other weights for some attributes, at least one of all above 0. */
static void weigh_at_random(preference_trial *s, pv_preference *preference, pv_rng *rng)
{
    static const char *const names[] = {"q0", "q1", "q2", "q3"};
    static const double choices[] = {0, 0.5, 1, 2, 7, 1e-3, 1e6};
    pv_weight weights[MOST_AXES];
    size_t n = 0;
    for (size_t a = s->oracle.n_axes; a-- > 0;) {
        if (a == 0 || pv_i_rng_below(rng, 2) == 0) {
            const double weight =
                choices[a == 0 ? 1 + pv_i_rng_below(rng, 6) : pv_i_rng_below(rng, 7)];
            weights[n++] = (pv_weight){names[a], weight};
            s->oracle.weight[a] = weight;
        }
    }
    weigh(preference, weights, n);
    for (size_t a = 0; a < s->oracle.n_axes; a++) {
        assert_true(pv_preference_weight(preference, a) == s->oracle.weight[a]);
    }
}

/* What is known of every scheme is what it loses now. */
static void expect_repriced(const preference_trial *s, const pv_preference *preference)
{
    for (uint32_t id = 0; id < preference->search.run.map.n; id++) {
        uint8_t cuts[PREFERENCE_TRIAL_BITS];
        pv_i_cut_run_scheme(&preference->search.run, id, cuts);
        const double loss = pv_i_cut_nwp(&preference->search.prices,
                                         pv_i_cut_run_outcome(&preference->search.run, id)->cost);
        assert_true(fabs(loss - cut_oracle_nwp(&s->oracle, cuts)) <= 1e-9);
    }
}

static pv_answer *aspire(pv_preference *preference, pv_aspiration wish)
{
    return session_aspire(preference, wish.bias, wish.loss);
}

/* The plan with the weights that hold. */
static bound_study weighed_study(const preference_trial *s)
{
    pv_buffer text = {0};
    const char *from = s->study.text.data;
    for (size_t a = 0; a < s->oracle.n_axes; a++) {
        const char *const weight = strstr(from, "weight: ") + strlen("weight: ");
        pv_i_buffer_bytes(&text, from, (size_t)(weight - from));
        pv_i_buffer_format(&text, "%.17g", s->oracle.weight[a]);
        from = weight + strcspn(weight, ",}");
    }
    pv_i_buffer_text(&text, from);
    const bound_study study = bound_study_create(text.data, s->study.csv.data);
    pv_i_buffer_deinit(&text);
    return study;
}

/* Both are the best there is: so they are equal. */
static void expect_as_planned(const preference_trial *s, const pv_preference_options *options,
                              pv_preference *preference, pv_aspiration wish)
{
    bound_study planned = weighed_study(s);
    pv_profile *const profile = bound_profile(planned.study, 1);
    pv_preference *const other = preference_trial_create(profile, options);
    pv_answer *const answer = aspire(preference, wish);
    pv_answer *const expected = aspire(other, wish);
    const double least = preference_trial_least(s, options->k, &answer->goal);
    assert_memory_equal(&preference->search.prices, &other->search.prices,
                        sizeof preference->search.prices);
    assert_true(answer->proven && expected->proven);
    assert_true(fabs(answer->solutions[0].achievement - least) <= 1e-9);
    assert_true(fabs(expected->solutions[0].achievement - least) <= 1e-9);
    assert_true(fabs(answer->bound - expected->bound) <= 1e-9);
    assert_int_equal(answer->unreachable, expected->unreachable);
    pv_answer_free(answer);
    pv_answer_free(expected);
    pv_preference_free(other);
    pv_profile_free(profile);
    bound_study_free(&planned);
}

static void answers_are_as_if_planned(void **state)
{
    pv_rng rng;
    (void)state;
    pv_i_rng_init(&rng, 31);
    for (size_t i = 0; i < effort(100); i++) {
        preference_trial s;
        trial_init(&s, &rng);
        const pv_preference_options options = {.k = 1 + pv_i_rng_below(&rng, 4),
                                               .free_groups = !s.respects,
                                               .evaluations = 200,
                                               .population = 8,
                                               .prove = 100};
        pv_preference *const preference = preference_trial_create(s.study.profile, &options);
        for (int wish = 0; wish < 3; wish++) {
            if (wish > 0 || i % 2 == 0) {
                weigh_at_random(&s, preference, &rng);
                expect_repriced(&s, preference);
            }
            expect_as_planned(&s, &options, preference, preference_trial_wish(&rng));
        }
        pv_preference_free(preference);
        preference_trial_deinit(&s);
    }
}

/* The plan's own weights, on another scale or not, change nothing. */
static void the_same_weights_change_nothing(void **state)
{
    session_sample s = session_sample_create();
    pv_preference *const preference = session_preference(&s);
    pv_cut_prices before;
    (void)state;
    session_wish(preference, 0.1, 0.1);
    memcpy(&before, &preference->search.prices, sizeof before);
    pv_cut_outcome *const known = oracle_array(preference->search.run.map.n, sizeof *known);
    memcpy(known, preference->search.run.outcomes, preference->search.run.map.n * sizeof *known);
    weigh(preference, NULL, 0);
    assert_memory_equal(&preference->search.prices, &before, sizeof before);
    weigh(preference, (const pv_weight[]){{"town", 4}, {"age", 2}, {"year", 9}, {"year", 2}}, 4);
    assert_memory_equal(&preference->search.prices, &before, sizeof before);
    assert_memory_equal(preference->search.run.outcomes, known,
                        preference->search.run.map.n * sizeof *known);
    assert_true(pv_preference_weight(preference, 1) == 4);
    free(known);
    pv_preference_free(preference);
    session_sample_free(&s);
}

/* ----------------------------------------------------------------- refusals */

static void expect_refused(pv_preference *preference, const pv_weight *weights, size_t n,
                           const char *why)
{
    const double before[] = {pv_preference_weight(preference, 0),
                             pv_preference_weight(preference, 1),
                             pv_preference_weight(preference, 2)};
    pv_cut_prices prices;
    pv_error error = {0};
    memcpy(&prices, &preference->search.prices, sizeof prices);
    assert_int_equal(pv_preference_weigh(preference, weights, n, &error), PV_STATUS_ARGUMENT);
    if (strstr(error.message, why) == NULL) {
        fail_msg("'%s' does not say '%s'", error.message, why);
    }
    for (size_t a = 0; a < 3; a++) {
        assert_true(pv_preference_weight(preference, a) == before[a]);
    }
    assert_memory_equal(&preference->search.prices, &prices, sizeof prices);
}

static void what_is_no_weight_is_refused(void **state)
{
    static const double bad[] = {-1, -1e-300, (double)NAN, (double)INFINITY, -(double)INFINITY};
    session_sample s = session_sample_create();
    pv_preference *const preference = session_preference(&s);
    (void)state;
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        expect_refused(preference, (const pv_weight[]){{"age", 3}, {"year", bad[i]}}, 2,
                       "0 or more");
    }
    expect_refused(preference, (const pv_weight[]){{"age", 3}, {"Age", 1}}, 2, "'Age'");
    expect_refused(preference, (const pv_weight[]){{"", 1}}, 1, "quasi-identifier");
    expect_refused(preference, (const pv_weight[]){{"age", 0}, {"town", 0}, {"year", 0}}, 3,
                   "above 0");
    weigh(preference, (const pv_weight[]){{"age", 0}, {"town", 0}}, 2);
    expect_refused(preference, (const pv_weight[]){{"year", 0}}, 1, "above 0");
    expect_refused(preference, (const pv_weight[]){{"age", 1e308}, {"town", 1e308}}, 2, "");
    pv_preference_free(preference);
    session_sample_free(&s);
}

/* A loss that has no weights cannot be weighed. */
static void other_losses_have_no_weights(void **state)
{
    static const char *const losses[] = {"glm", "leaf-utility", "entropy", "dcn", "aecs"};
    session_sample s = session_sample_create();
    (void)state;
    for (size_t i = 0; i < sizeof losses / sizeof *losses; i++) {
        const pv_measure_ref loss = {.measure = pv_measure_find(losses[i])};
        s.options.loss = &loss;
        pv_preference *const preference = session_preference(&s);
        assert_ptr_equal(pv_preference_loss(preference).measure, loss.measure);
        expect_refused(preference, (const pv_weight[]){{"age", 3}}, 1, losses[i]);
        pv_preference_free(preference);
    }
    session_sample_free(&s);
}

/* ------------------------------------------------------------------ session */

#ifdef PV_HAVE_SQLITE

#include <signal.h>
#include <sqlite3.h>

static const pv_weight heavy[] = {{"age", 3.25}, {"year", 0}};
static const pv_weight heavier[] = {{"age", 5}};

static void expect_same_walk(const pv_preference *a, const pv_preference *b)
{
    assert_memory_equal(&a->search.prices, &b->search.prices, sizeof a->search.prices);
    assert_int_equal(a->search.run.map.n, b->search.run.map.n);
    assert_int_equal(a->search.run.evaluated, b->search.run.evaluated);
    assert_memory_equal(a->search.run.map.keys, b->search.run.map.keys,
                        a->search.run.map.n * a->search.run.map.words *
                            sizeof *a->search.run.map.keys);
    assert_memory_equal(a->search.run.outcomes, b->search.run.outcomes,
                        a->search.run.map.n * sizeof *a->search.run.outcomes);
    for (size_t axis = 0; axis < 3; axis++) {
        assert_true(pv_preference_weight(a, axis) == pv_preference_weight(b, axis));
    }
}

static void expect_same_answer(pv_preference *a, pv_preference *b, double bias, double loss)
{
    pv_answer *const one = session_aspire(a, bias, loss);
    pv_answer *const two = session_aspire(b, bias, loss);
    assert_true(one->solutions[0].achievement == two->solutions[0].achievement);
    assert_true(one->solutions[0].point.loss == two->solutions[0].point.loss);
    assert_int_equal(one->evaluated, two->evaluated);
    pv_answer_free(one);
    pv_answer_free(two);
}

/* Closed and reopened after every step, it is the preference that was never closed. */
static void a_session_keeps_the_weights(void **state)
{
    const session_folder folder = session_folder_create();
    session_sample s = session_sample_create();
    pv_preference *const whole = session_preference(&s);
    pv_preference *preference = session_keep(&s, folder.path);
    (void)state;
    for (int step = 0; step < 5; step++) {
        const pv_weight *const weights = step < 3 ? heavy : heavier;
        if (step % 2 == 1) {
            weigh(whole, weights, step < 3 ? 2 : 1);
            weigh(preference, weights, step < 3 ? 2 : 1);
        } else {
            expect_same_answer(whole, preference, 0.1 * step, 0.2);
        }
        pv_preference_free(preference);
        preference = session_keep(&s, folder.path);
        expect_same_walk(preference, whole);
    }
    assert_true(pv_preference_weight(preference, 0) == 5 &&
                pv_preference_weight(preference, 2) == 0);
    pv_preference_free(preference);
    pv_preference_free(whole);
    session_sample_free(&s);
    session_folder_free(&folder);
}

static void the_log_shows_the_weights(void **state)
{
    static const char *const kinds[] = {"opened", "weights", "wish", "weights"};
    const session_folder folder = session_folder_create();
    session_sample s = session_sample_create();
    pv_preference *const preference = session_keep(&s, folder.path);
    pv_preference_log *log = NULL;
    pv_error error = {0};
    (void)state;
    weigh(preference, heavy, 2);
    session_wish(preference, 0.1, 0.1);
    weigh(preference, heavier, 1);
    const uint64_t evaluated = preference->search.run.evaluated;
    pv_preference_free(preference);
    bound_must(pv_preference_log_read(folder.path, &log, &error), &error);
    assert_int_equal(log->n_entries, 4);
    for (size_t i = 0; i < 4; i++) {
        assert_string_equal(log->entries[i].kind, kinds[i]);
        assert_int_equal(log->entries[i].has_wish, i == 2);
        assert_int_equal(log->entries[i].note != NULL, i % 2 == 1);
    }
    assert_string_equal(log->entries[1].note, "age=3.25, town=2, year=0");
    assert_string_equal(log->entries[3].note, "age=5, town=2, year=0");
    assert_int_equal(log->entries[1].evaluated, 0);
    assert_int_equal(log->entries[3].evaluated, evaluated);
    pv_preference_log_free(log);
    session_sample_free(&s);
    session_folder_free(&folder);
}

/* What is refused is no step. A preference that was weighed is kept from before that, or not at
 * all. */
static void refused_weights_leave_no_trace(void **state)
{
    const session_folder folder = session_folder_create();
    session_sample s = session_sample_create();
    pv_preference *preference = session_preference(&s);
    pv_preference_log *log = NULL;
    pv_error error = {0};
    (void)state;
    weigh(preference, heavy, 2);
    assert_int_equal(pv_preference_open_session(preference, folder.path, &error),
                     PV_STATUS_ARGUMENT);
    assert_int_equal(access(folder.path, F_OK), -1);
    pv_preference_free(preference);
    preference = session_keep(&s, folder.path);
    expect_refused(preference, (const pv_weight[]){{"age", 3}, {"none", 1}}, 2, "'none'");
    bound_must(pv_preference_log_of(preference, &log, &error), &error);
    assert_int_equal(log->n_entries, 1);
    pv_preference_log_free(log);
    pv_preference_free(preference);
    session_sample_free(&s);
    session_folder_free(&folder);
}

static pv_status weigh_without_room(pv_preference *preference)
{
    pv_error error = {0};
    (void)signal(SIGXFSZ, SIG_IGN);
    session_limit_files(4096);
    const pv_status status = pv_preference_weigh(preference, heavier, 1, &error);
    session_limit_files(RLIM_INFINITY);
    return status;
}

/* With and without weights before. */
static void a_full_disk_leaves_the_old_weights(void **state)
{
    (void)state;
    for (size_t n = 0; n <= 2; n += 2) {
        const session_folder folder = session_folder_create();
        session_sample s = session_sample_create();
        pv_preference *const whole = session_preference(&s);
        pv_preference *preference = session_keep(&s, folder.path);
        if (n > 0) {
            weigh(whole, heavy, n);
            weigh(preference, heavy, n);
        }
        expect_same_answer(whole, preference, 0.1, 0.1);
        assert_int_equal(weigh_without_room(preference), PV_STATUS_IO);
        expect_same_walk(preference, whole);
        expect_same_answer(whole, preference, 0.2, 0.1);
        pv_preference_free(preference);
        preference = session_keep(&s, folder.path);
        expect_same_walk(preference, whole);
        pv_preference_free(preference);
        pv_preference_free(whole);
        session_sample_free(&s);
        session_folder_free(&folder);
    }
}

/* A wish that could not be kept leaves schemes that are in no file yet: weights come after it, and
 * the file is whole all the same. */
static void weights_after_a_lost_wish_are_kept(void **state)
{
    const session_folder folder = session_folder_create();
    const pv_context context = {.threads = 1};
    session_sample s = session_sample_create();
    s.options.method = "nsga2"; /* it evaluates more for every wish */
    pv_preference *preference = session_keep(&s, folder.path);
    pv_answer *answer = NULL;
    pv_error error = {0};
    (void)state;
    session_wish(preference, 0.1, 0.1);
    const size_t saved = preference->search.run.map.n;
    (void)signal(SIGXFSZ, SIG_IGN);
    session_limit_files(4096);
    assert_int_equal(
        pv_preference_aspire(preference, (pv_aspiration){0.5, 0.01}, &context, &answer, &error),
        PV_STATUS_IO);
    session_limit_files(RLIM_INFINITY);
    assert_true(preference->search.run.map.n > saved);
    weigh(preference, heavy, 2);
    const size_t known = preference->search.run.map.n;
    pv_preference_free(preference);
    preference = session_keep(&s, folder.path);
    assert_int_equal(preference->search.run.map.n, known);
    assert_true(pv_preference_weight(preference, 0) == 3.25);
    session_wish(preference, 0.2, 0.1);
    pv_preference_free(preference);
    session_sample_free(&s);
    session_folder_free(&folder);
}

static void tamper(const char *path, const char *sql)
{
    sqlite3 *sqlite = NULL;
    assert_int_equal(sqlite3_open(path, &sqlite), SQLITE_OK);
    assert_int_equal(sqlite3_exec(sqlite, sql, NULL, NULL, NULL), SQLITE_OK);
    assert_int_equal(sqlite3_close(sqlite), SQLITE_OK);
}

/* Weights that no preference would take are not taken from a file. */
static void strange_weights_are_refused(void **state)
{
    static const char *const tamperings[] = {
        "UPDATE weights SET weight = 0",
        "UPDATE weights SET weight = -1 WHERE place = 1",
        "UPDATE weights SET weight = 1e308",
        "DELETE FROM weights WHERE place = 1",
        "UPDATE weights SET place = 9 WHERE place = 2",
    };
    session_sample s = session_sample_create();
    (void)state;
    for (size_t i = 0; i < sizeof tamperings / sizeof *tamperings; i++) {
        const session_folder folder = session_folder_create();
        pv_preference *preference = session_keep(&s, folder.path);
        pv_error error = {0};
        weigh(preference, heavy, 2);
        session_wish(preference, 0.1, 0.1);
        pv_preference_free(preference);
        tamper(folder.path, tamperings[i]);
        preference = session_preference(&s);
        if (pv_preference_open_session(preference, folder.path, &error) != PV_STATUS_INPUT) {
            fail_msg("accepted: %s", tamperings[i]);
        }
        assert_string_equal(error.file, folder.path);
        assert_true(pv_preference_weight(preference, 0) == 1);
        pv_preference_free(preference);
        session_folder_free(&folder);
    }
    session_sample_free(&s);
}

#define SESSION_TESTS                                                                           \
    cmocka_unit_test(a_session_keeps_the_weights), cmocka_unit_test(the_log_shows_the_weights), \
        cmocka_unit_test(refused_weights_leave_no_trace),                                       \
        cmocka_unit_test(a_full_disk_leaves_the_old_weights),                                   \
        cmocka_unit_test(weights_after_a_lost_wish_are_kept),                                   \
        cmocka_unit_test(strange_weights_are_refused),
#else
#define SESSION_TESTS
#endif

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(answers_are_as_if_planned),
                                       cmocka_unit_test(the_same_weights_change_nothing),
                                       cmocka_unit_test(what_is_no_weight_is_refused),
                                       cmocka_unit_test(other_losses_have_no_weights),
                                       SESSION_TESTS};
    return cmocka_run_group_tests_name("weights on the way", tests, NULL, NULL);
}
