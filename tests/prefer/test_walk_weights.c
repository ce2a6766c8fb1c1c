/* Weights that change on the way: from then on answers are those of a walk whose plan has these
 * weights from the start, which are the best of all schemes; a session keeps them; what is no
 * weight is refused and changes nothing. */
#include "support/effort.h"
#include "support/session_sample.h"
#include "support/walk_trial.h"

enum { MOST_AXES = 4 };

static void trial_init(walk_trial *t, pv_rng *rng)
{
    const random_shape shape = {.n_rows = 6 + (size_t)pv_i_rng_below(rng, 30),
                                .n_quasi = 2,
                                .n_values = 5,
                                .full = pv_i_rng_below(rng, 2) == 0,
                                .heights = 4,
                                .copies = (unsigned)pv_i_rng_below(rng, 4)};
    walk_trial_init(t, rng, &shape);
}

/* ------------------------------------------------------------------ weights */

static void weigh(pv_walk *walk, const pv_weight *weights, size_t n)
{
    pv_error error = {0};
    bound_must(pv_walk_weigh(walk, weights, n, &error), &error);
}

/* Other weights for some attributes, at least one of all above 0. */
static void weigh_at_random(walk_trial *s, pv_walk *walk, pv_rng *rng)
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
    weigh(walk, weights, n);
    for (size_t a = 0; a < s->oracle.n_axes; a++) {
        assert_true(pv_walk_weight(walk, a) == s->oracle.weight[a]);
    }
}

/* What is known of every scheme is what it loses now. */
static void expect_repriced(const walk_trial *s, const pv_walk *walk)
{
    for (uint32_t id = 0; id < walk->run.map.n; id++) {
        uint8_t cuts[WALK_TRIAL_BITS];
        pv_i_cut_run_scheme(&walk->run, id, cuts);
        const double loss = pv_i_cut_nwp(&walk->prices, pv_i_cut_run_outcome(&walk->run, id)->cost);
        assert_true(fabs(loss - cut_oracle_nwp(&s->oracle, cuts)) <= 1e-9);
    }
}

static pv_answer *aspire(pv_walk *walk, pv_aspiration wish)
{
    return session_aspire(walk, wish.bias, wish.loss);
}

/* The plan with the weights that hold. */
static bound_study weighed_study(const walk_trial *s)
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
static void expect_as_planned(const walk_trial *s, const pv_walk_options *options, pv_walk *walk,
                              pv_aspiration wish)
{
    bound_study planned = weighed_study(s);
    pv_profile *const profile = bound_profile(planned.study, 1);
    pv_walk *const other = walk_trial_walk(profile, options);
    pv_answer *const answer = aspire(walk, wish);
    pv_answer *const expected = aspire(other, wish);
    const double least = walk_trial_least(s, options->k, &answer->goal);
    assert_memory_equal(&walk->prices, &other->prices, sizeof walk->prices);
    assert_true(answer->proven && expected->proven);
    assert_true(fabs(answer->best.achievement - least) <= 1e-9);
    assert_true(fabs(expected->best.achievement - least) <= 1e-9);
    assert_true(fabs(answer->bound - expected->bound) <= 1e-9);
    assert_int_equal(answer->unreachable, expected->unreachable);
    pv_answer_free(answer);
    pv_answer_free(expected);
    pv_walk_free(other);
    pv_profile_free(profile);
    bound_study_free(&planned);
}

static void answers_are_as_if_planned(void **state)
{
    pv_rng rng;
    (void)state;
    pv_i_rng_init(&rng, 31);
    for (size_t i = 0; i < effort(100); i++) {
        walk_trial s;
        trial_init(&s, &rng);
        const pv_walk_options options = {.k = 1 + pv_i_rng_below(&rng, 4),
                                         .free_groups = !s.respects,
                                         .evaluations = 200,
                                         .population = 8,
                                         .prove = 100};
        pv_walk *const walk = walk_trial_walk(s.study.profile, &options);
        for (int wish = 0; wish < 3; wish++) {
            if (wish > 0 || i % 2 == 0) {
                weigh_at_random(&s, walk, &rng);
                expect_repriced(&s, walk);
            }
            expect_as_planned(&s, &options, walk, walk_trial_wish(&rng));
        }
        pv_walk_free(walk);
        walk_trial_deinit(&s);
    }
}

/* The plan's own weights, on another scale or not, change nothing. */
static void the_same_weights_change_nothing(void **state)
{
    session_sample s = session_sample_create();
    pv_walk *const walk = session_walk(&s);
    pv_cut_prices before;
    (void)state;
    session_wish(walk, 0.1, 0.1);
    memcpy(&before, &walk->prices, sizeof before);
    pv_cut_outcome *const known = oracle_array(walk->run.map.n, sizeof *known);
    memcpy(known, walk->run.outcomes, walk->run.map.n * sizeof *known);
    weigh(walk, NULL, 0);
    assert_memory_equal(&walk->prices, &before, sizeof before);
    weigh(walk, (const pv_weight[]){{"town", 4}, {"age", 2}, {"year", 9}, {"year", 2}}, 4);
    assert_memory_equal(&walk->prices, &before, sizeof before);
    assert_memory_equal(walk->run.outcomes, known, walk->run.map.n * sizeof *known);
    assert_true(pv_walk_weight(walk, 1) == 4);
    free(known);
    pv_walk_free(walk);
    session_sample_free(&s);
}

/* ----------------------------------------------------------------- refusals */

static void expect_refused(pv_walk *walk, const pv_weight *weights, size_t n, const char *why)
{
    const double before[] = {pv_walk_weight(walk, 0), pv_walk_weight(walk, 1),
                             pv_walk_weight(walk, 2)};
    pv_cut_prices prices;
    pv_error error = {0};
    memcpy(&prices, &walk->prices, sizeof prices);
    assert_int_equal(pv_walk_weigh(walk, weights, n, &error), PV_STATUS_ARGUMENT);
    if (strstr(error.message, why) == NULL) {
        fail_msg("'%s' does not say '%s'", error.message, why);
    }
    for (size_t a = 0; a < 3; a++) {
        assert_true(pv_walk_weight(walk, a) == before[a]);
    }
    assert_memory_equal(&walk->prices, &prices, sizeof prices);
}

static void what_is_no_weight_is_refused(void **state)
{
    static const double bad[] = {-1, -1e-300, (double)NAN, (double)INFINITY, -(double)INFINITY};
    session_sample s = session_sample_create();
    pv_walk *const walk = session_walk(&s);
    (void)state;
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        expect_refused(walk, (const pv_weight[]){{"age", 3}, {"year", bad[i]}}, 2, "0 or more");
    }
    expect_refused(walk, (const pv_weight[]){{"age", 3}, {"Age", 1}}, 2, "'Age'");
    expect_refused(walk, (const pv_weight[]){{"", 1}}, 1, "quasi-identifier");
    expect_refused(walk, (const pv_weight[]){{"age", 0}, {"town", 0}, {"year", 0}}, 3, "above 0");
    weigh(walk, (const pv_weight[]){{"age", 0}, {"town", 0}}, 2);
    expect_refused(walk, (const pv_weight[]){{"year", 0}}, 1, "above 0");
    expect_refused(walk, (const pv_weight[]){{"age", 1e308}, {"town", 1e308}}, 2, "");
    pv_walk_free(walk);
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
        pv_walk *const walk = session_walk(&s);
        assert_ptr_equal(pv_walk_loss(walk).measure, loss.measure);
        expect_refused(walk, (const pv_weight[]){{"age", 3}}, 1, losses[i]);
        pv_walk_free(walk);
    }
    session_sample_free(&s);
}

/* ------------------------------------------------------------------ session */

#ifdef PV_HAVE_SQLITE

#include <signal.h>
#include <sqlite3.h>

static const pv_weight heavy[] = {{"age", 3.25}, {"year", 0}};
static const pv_weight heavier[] = {{"age", 5}};

static void expect_same_walk(const pv_walk *a, const pv_walk *b)
{
    assert_memory_equal(&a->prices, &b->prices, sizeof a->prices);
    assert_int_equal(a->run.map.n, b->run.map.n);
    assert_int_equal(a->run.evaluated, b->run.evaluated);
    assert_memory_equal(a->run.map.keys, b->run.map.keys,
                        a->run.map.n * a->run.map.words * sizeof *a->run.map.keys);
    assert_memory_equal(a->run.outcomes, b->run.outcomes, a->run.map.n * sizeof *a->run.outcomes);
    for (size_t axis = 0; axis < 3; axis++) {
        assert_true(pv_walk_weight(a, axis) == pv_walk_weight(b, axis));
    }
}

static void expect_same_answer(pv_walk *a, pv_walk *b, double bias, double loss)
{
    pv_answer *const one = session_aspire(a, bias, loss);
    pv_answer *const two = session_aspire(b, bias, loss);
    assert_true(one->best.achievement == two->best.achievement);
    assert_true(one->best.point.loss == two->best.point.loss);
    assert_int_equal(one->evaluated, two->evaluated);
    pv_answer_free(one);
    pv_answer_free(two);
}

/* Closed and reopened after every step, it is the walk that was never closed. */
static void a_session_keeps_the_weights(void **state)
{
    const session_folder folder = session_folder_create();
    session_sample s = session_sample_create();
    pv_walk *const whole = session_walk(&s);
    pv_walk *walk = session_keep(&s, folder.path);
    (void)state;
    for (int step = 0; step < 5; step++) {
        const pv_weight *const weights = step < 3 ? heavy : heavier;
        if (step % 2 == 1) {
            weigh(whole, weights, step < 3 ? 2 : 1);
            weigh(walk, weights, step < 3 ? 2 : 1);
        } else {
            expect_same_answer(whole, walk, 0.1 * step, 0.2);
        }
        pv_walk_free(walk);
        walk = session_keep(&s, folder.path);
        expect_same_walk(walk, whole);
    }
    assert_true(pv_walk_weight(walk, 0) == 5 && pv_walk_weight(walk, 2) == 0);
    pv_walk_free(walk);
    pv_walk_free(whole);
    session_sample_free(&s);
    session_folder_free(&folder);
}

static void the_log_shows_the_weights(void **state)
{
    static const char *const kinds[] = {"opened", "weights", "wish", "weights"};
    const session_folder folder = session_folder_create();
    session_sample s = session_sample_create();
    pv_walk *const walk = session_keep(&s, folder.path);
    pv_walk_log *log = NULL;
    pv_error error = {0};
    (void)state;
    weigh(walk, heavy, 2);
    session_wish(walk, 0.1, 0.1);
    weigh(walk, heavier, 1);
    const uint64_t evaluated = walk->run.evaluated;
    pv_walk_free(walk);
    bound_must(pv_walk_log_read(folder.path, &log, &error), &error);
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
    pv_walk_log_free(log);
    session_sample_free(&s);
    session_folder_free(&folder);
}

/* What is refused is no step. A walk that was weighed is kept from before that, or not at all. */
static void refused_weights_leave_no_trace(void **state)
{
    const session_folder folder = session_folder_create();
    session_sample s = session_sample_create();
    pv_walk *walk = session_walk(&s);
    pv_walk_log *log = NULL;
    pv_error error = {0};
    (void)state;
    weigh(walk, heavy, 2);
    assert_int_equal(pv_walk_keep(walk, folder.path, &error), PV_STATUS_ARGUMENT);
    assert_int_equal(access(folder.path, F_OK), -1);
    pv_walk_free(walk);
    walk = session_keep(&s, folder.path);
    expect_refused(walk, (const pv_weight[]){{"age", 3}, {"none", 1}}, 2, "'none'");
    bound_must(pv_walk_log_kept(walk, &log, &error), &error);
    assert_int_equal(log->n_entries, 1);
    pv_walk_log_free(log);
    pv_walk_free(walk);
    session_sample_free(&s);
    session_folder_free(&folder);
}

static pv_status weigh_without_room(pv_walk *walk)
{
    pv_error error = {0};
    (void)signal(SIGXFSZ, SIG_IGN);
    session_limit_files(4096);
    const pv_status status = pv_walk_weigh(walk, heavier, 1, &error);
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
        pv_walk *const whole = session_walk(&s);
        pv_walk *walk = session_keep(&s, folder.path);
        if (n > 0) {
            weigh(whole, heavy, n);
            weigh(walk, heavy, n);
        }
        expect_same_answer(whole, walk, 0.1, 0.1);
        assert_int_equal(weigh_without_room(walk), PV_STATUS_IO);
        expect_same_walk(walk, whole);
        expect_same_answer(whole, walk, 0.2, 0.1);
        pv_walk_free(walk);
        walk = session_keep(&s, folder.path);
        expect_same_walk(walk, whole);
        pv_walk_free(walk);
        pv_walk_free(whole);
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
    pv_walk *walk = session_keep(&s, folder.path);
    pv_answer *answer = NULL;
    pv_error error = {0};
    (void)state;
    session_wish(walk, 0.1, 0.1);
    const size_t saved = walk->run.map.n;
    (void)signal(SIGXFSZ, SIG_IGN);
    session_limit_files(4096);
    assert_int_equal(pv_walk_aspire(walk, (pv_aspiration){0.5, 0.01}, &context, &answer, &error),
                     PV_STATUS_IO);
    session_limit_files(RLIM_INFINITY);
    assert_true(walk->run.map.n > saved);
    weigh(walk, heavy, 2);
    const size_t known = walk->run.map.n;
    pv_walk_free(walk);
    walk = session_keep(&s, folder.path);
    assert_int_equal(walk->run.map.n, known);
    assert_true(pv_walk_weight(walk, 0) == 3.25);
    session_wish(walk, 0.2, 0.1);
    pv_walk_free(walk);
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

/* Weights that no walk would take are not taken from a file. */
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
        pv_walk *walk = session_keep(&s, folder.path);
        pv_error error = {0};
        weigh(walk, heavy, 2);
        session_wish(walk, 0.1, 0.1);
        pv_walk_free(walk);
        tamper(folder.path, tamperings[i]);
        walk = session_walk(&s);
        if (pv_walk_keep(walk, folder.path, &error) != PV_STATUS_INPUT) {
            fail_msg("accepted: %s", tamperings[i]);
        }
        assert_string_equal(error.file, folder.path);
        assert_true(pv_walk_weight(walk, 0) == 1);
        pv_walk_free(walk);
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
