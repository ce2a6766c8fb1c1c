/* What the driver of record methods promises besides the best choice: the same bytes on any number
 * of threads, limits, stopping, refusals, and what a disclosure comes to over people. */
#include "base/buffer.h"
#include "records/disclosure.h"
#include "support/record_oracle.h"

#include <math.h>

static const char plan[] =
    "attributes:\n"
    "  a: {role: quasi, hierarchy: {intervals: [2, 4, 8]}}\n"
    "  b: {role: quasi, hierarchy: {rows: [[x, g], [y, g], [z, h, k], [w, h, k], [v]]}}\n"
    "  c: {role: quasi}\n"
    "  d: {role: quasi, hierarchy: {intervals: [3, 6]}}\n";

/* Rows that are alike here and there. */
static pv_buffer some_rows(size_t n)
{
    static const char *const b[] = {"x", "y", "z", "w", "v"};
    pv_buffer csv = {0};
    pv_i_buffer_text(&csv, "a,b,c,d\n");
    for (size_t i = 0; i < n; i++) {
        pv_i_buffer_format(&csv, "%zu,%s,c%zu,%zu\n", i * 7 % 13, b[i * i % 5], i / 3 % 3,
                           i * i * i % 11);
    }
    assert_false(csv.failed);
    return csv;
}

typedef struct {
    attacker_study study;
    pv_buffer csv;
} subject;

static subject subject_create(size_t n)
{
    subject s = {.csv = some_rows(n)};
    s.study = attacker_study_create(plan, s.csv.data);
    return s;
}

static void subject_free(subject *s)
{
    attacker_study_free(&s->study);
    pv_i_buffer_deinit(&s->csv);
}

static pv_disclosure *disclose(const pv_profile *profile, const pv_disclose_options *options,
                               const pv_context *context)
{
    pv_disclosure *disclosure = NULL;
    pv_error error = {0};
    bound_must(pv_disclose(profile, options, context, &disclosure, &error), &error);
    return disclosure;
}

static bool is_same(const pv_disclosed *a, const pv_disclosed *b, size_t n_quasi)
{
    return memcmp(a->levels, b->levels, n_quasi) == 0 && a->risk == b->risk &&
           a->utility == b->utility && a->consistent == b->consistent &&
           a->risk_raw == b->risk_raw && a->most == b->most &&
           a->consistent_raw == b->consistent_raw && a->is_feasible == b->is_feasible;
}

static void expect_same(const pv_disclosure *a, const pv_disclosure *b)
{
    for (size_t t = 0; t < a->n_tuples; t++) {
        assert_true(is_same(&a->tuples[t], &b->tuples[t], a->n_quasi));
    }
}

/* -------------------------------------------------------------------- model III */

/* Three of four people have a group in common. In model III telling it runs less risk than telling
 * more, which fits one, or nothing, which tells nothing: -1/3 ln 3 against 0. The frontier of what
 * is useful enough does not lead there: nothing being demanded, it is `*`. */
static void model_iii_breaks_the_frontier(void **state)
{
    attacker_study s = attacker_study_create(
        "attributes:\n  a: {role: quasi, hierarchy: {rows: [[p, g], [q, g], [r, g], [s]]}}\n",
        "a\np\nq\nr\ns\n");
    const size_t tuple = pv_profile_tuple(s.profile, 0);
    pv_disclose_options options = {.utility = PV_UTILITY_DEPTH, .risk = PV_RISK_III};
    static const char *const exact[] = {"scan", "bnb"};
    (void)state;
    for (size_t i = 0; i < 2; i++) {
        options.method = exact[i];
        pv_disclosure *const right = disclose(s.profile, &options, NULL);
        assert_int_equal(right->tuples[tuple].levels[0], 1);
        assert_true(fabs(right->tuples[tuple].risk + log(3) / 3) < 1e-12);
        assert_true(right->tuples[tuple].is_optimal);
        assert_false(pv_record_method_find(exact[i])->needs_monotone);
        pv_disclosure_free(right);
    }
    options.method = "aruba";
    pv_disclosure *const misled = disclose(s.profile, &options, NULL);
    assert_int_equal(misled->tuples[tuple].levels[0], 2);
    assert_true(misled->tuples[tuple].risk == 0);
    assert_false(misled->tuples[tuple].is_optimal);
    assert_true(pv_record_method_find("aruba")->needs_monotone);
    pv_disclosure_free(misled);
    options.method = NULL;
    pv_disclosure *const chosen = disclose(s.profile, &options, NULL);
    assert_string_equal(chosen->method, "scan");
    assert_non_null(chosen->reason);
    pv_disclosure_free(chosen);
    attacker_study_free(&s);
}

/* ---------------------------------------------------------------------- threads */

static void any_number_of_threads(void **state)
{
    subject s = subject_create(300);
    static const char *const methods[] = {"scan", "aruba", "btda", "bnb"};
    const pv_context one = {.threads = 1};
    const pv_context three = {.threads = 3};
    (void)state;
    for (int i = 0; i < 4 * PV_RISK_COUNT; i++) {
        const pv_disclose_options options = {.utility = PV_UTILITY_LOG_LEAVES,
                                             .risk = (pv_risk)(i / 4),
                                             .bound = 0.6,
                                             .is_share = true,
                                             .method = methods[i % 4]};
        pv_disclosure *const a = disclose(s.study.profile, &options, &one);
        pv_disclosure *const b = disclose(s.study.profile, &options, &three);
        expect_same(a, b);
        assert_int_equal(a->visited, b->visited);
        pv_disclosure_free(a);
        pv_disclosure_free(b);
    }
    subject_free(&s);
}

/* `*` may be a value of the table. It is the root as it is, and everyone is consistent with it. */
static void the_root_may_be_a_value(void **state)
{
    static const char rooted[] = "attributes:\n"
                                 "  a: {role: quasi, hierarchy: {rows: [[x, g], [y, g], [z]]}}\n"
                                 "  b: {role: quasi}\n"
                                 "  c: {role: quasi}\n";
    static const char csv[] = "a,b,c\nx,*,1\ny,p,*\n*,p,1\nx,q,2\nz,*,*\n*,*,*\ny,q,1\n";
    static const char *const people[] = {NULL, "a,b\nx,p\ny,q\nu,p\nx,*\n", "c,a\n1,x\n*,z\n"};
    static const char *const methods[] = {"aruba", "btda", "bnb"};
    attacker_study s = attacker_study_create(rooted, csv);
    (void)state;
    for (int i = 0; i < 3 * PV_UTILITY_COUNT * 2 * 3; i++) {
        pv_attacker *const attacker = attacker_open(s.profile, people[i % 3], 0, 1);
        pv_disclose_options options = {.utility = (pv_utility)(i / 3 % PV_UTILITY_COUNT),
                                       .risk = (pv_risk)(i / 3 / PV_UTILITY_COUNT % 2),
                                       .bound = 0.3 * (i / 3 / PV_UTILITY_COUNT / 2),
                                       .is_share = true,
                                       .attacker = attacker,
                                       .method = "scan"};
        pv_disclosure *const scanned = disclose(s.profile, &options, NULL);
        for (size_t m = 0; m < 3; m++) {
            options.method = methods[m];
            pv_disclosure *const other = disclose(s.profile, &options, NULL);
            expect_same(scanned, other);
            pv_disclosure_free(other);
        }
        pv_disclosure_free(scanned);
        pv_attacker_free(attacker);
    }
    attacker_study_free(&s);
}

/* ----------------------------------------------------------------- some records */

static void only_some_records(void **state)
{
    subject s = subject_create(120);
    const size_t only[] = {0, 3, 4, 40};
    pv_disclose_options options = {.bound = 4, .method = "scan"};
    pv_disclosure *const all = disclose(s.study.profile, &options, NULL);
    pv_disclosure_summary *summary = NULL;
    uint64_t people = 0;
    pv_error error = {0};
    (void)state;
    options.only = only;
    options.n_only = 4;
    options.method = NULL;
    pv_disclosure *const some = disclose(s.study.profile, &options, NULL);
    assert_string_equal(some->method, "bnb");
    for (size_t t = 0, i = 0; t < some->n_tuples; t++) {
        if (i < 4 && only[i] == t) {
            assert_true(is_same(&some->tuples[t], &all->tuples[t], some->n_quasi));
            people += pv_profile_count(s.study.profile, t);
            i++;
        } else {
            assert_null(some->tuples[t].levels);
        }
    }
    bound_must(pv_disclosure_summarise(some, s.study.profile, &summary, &error), &error);
    assert_int_equal(summary->n_rows, people);
    pv_disclosure_summary_free(summary);
    pv_disclosure_free(all);
    pv_disclosure_free(some);
    subject_free(&s);
}

/* --------------------------------------------------------------------- limits */

/* A search that may look at little still answers, keeps the bound and says that it may be wrong. */
static void searches_may_be_limited(void **state)
{
    static const char *const methods[] = {"aruba", "btda", "bnb"};
    subject s = subject_create(120);
    (void)state;
    for (size_t m = 0; m < 3; m++) {
        const pv_disclose_options options = {
            .bound = 0.5, .is_share = true, .method = methods[m], .max_visited = 5};
        pv_disclosure *const d = disclose(s.study.profile, &options, NULL);
        size_t unproven = 0;
        for (size_t t = 0; t < d->n_tuples; t++) {
            const pv_disclosed *const told = &d->tuples[t];
            assert_true(told->is_feasible);
            assert_true(told->utility >= 0.5 * told->most - 1e-9);
            unproven += !told->is_optimal;
        }
        assert_true(unproven > 0);
        assert_false(d->stopped);
        pv_disclosure_free(d);
    }
    subject_free(&s);
}

static bool stop_at_once(void *ctx, const pv_progress *progress)
{
    (void)progress;
    ++*(int *)ctx;
    return false;
}

/* Records not reached are hidden altogether. */
static void anyone_may_stop_it(void **state)
{
    static const char *const methods[] = {"scan", "aruba", "btda", "bnb"};
    static const char people[] = "a,b,c,d\n1,x,c0,1\n7,y,c1,8\n";
    subject s = subject_create(120);
    pv_attacker *const attacker = attacker_open(s.study.profile, people, 0, 1);
    (void)state;
    for (size_t m = 0; m < 8; m++) {
        int calls = 0;
        const pv_context context = {.threads = 2, .progress = stop_at_once, .progress_ctx = &calls};
        const pv_disclose_options options = {.bound = 0.5,
                                             .is_share = true,
                                             .method = methods[m / 2],
                                             .attacker = m % 2 == 0 ? NULL : attacker};
        pv_disclosure *const d = disclose(s.study.profile, &options, &context);
        assert_true(d->stopped);
        assert_true(calls > 0);
        for (size_t t = 0; t < d->n_tuples; t++) {
            const pv_disclosed *const told = &d->tuples[t];
            assert_non_null(told->levels);
            assert_true(told->is_feasible || told->consistent == (m % 2 == 0 ? 120u : 2u));
        }
        pv_disclosure_free(d);
    }
    pv_attacker_free(attacker);
    subject_free(&s);
}

/* --------------------------------------------------------------------- refusals */

static void refuse(const pv_profile *profile, pv_disclose_options options, const char *says)
{
    pv_disclosure *disclosure = NULL;
    pv_error error = {0};
    assert_int_equal(pv_disclose(profile, &options, NULL, &disclosure, &error), PV_STATUS_ARGUMENT);
    assert_null(disclosure);
    assert_non_null(strstr(error.message, says));
}

static void what_cannot_be_done_is_refused(void **state)
{
    static const size_t descending[] = {3, 1};
    static const size_t some[] = {1, 3};
    subject s = subject_create(60);
    const pv_profile *const p = s.study.profile;
    (void)state;
    refuse(p, (pv_disclose_options){.method = "magic"}, "magic");
    refuse(p, (pv_disclose_options){.aim = PV_AIM_BALANCE, .method = "aruba"}, "aruba");
    refuse(p, (pv_disclose_options){.aim = PV_AIM_BALANCE, .method = "btda"}, "btda");
    refuse(p, (pv_disclose_options){.aim = PV_AIM_BALANCE, .bound = -1}, "lambda");
    refuse(p, (pv_disclose_options){.bound = (double)NAN}, "bound");
    refuse(p, (pv_disclose_options){.bound = 1.5, .is_share = true}, "share");
    refuse(p, (pv_disclose_options){.aim = PV_AIM_MOST_UTILITY, .is_share = true}, "share");
    refuse(p, (pv_disclose_options){.utility = PV_UTILITY_COUNT}, "no such");
    refuse(p, (pv_disclose_options){.only = descending, .n_only = 2}, "ascending");
    refuse(p, (pv_disclose_options){.only = some, .n_only = 2, .method = "scan"}, "scan");
    refuse(p, (pv_disclose_options){.max_seconds = -1}, "time");
    refuse(p, (pv_disclose_options){.max_seconds = (double)NAN}, "time");
    refuse(p, (pv_disclose_options){.memory = 100, .method = "scan"}, "memory");
    subject_free(&s);
}

static void methods_are_registered(void **state)
{
    (void)state;
    assert_int_equal(pv_n_record_methods(), 4);
    for (size_t i = 0; i < pv_n_record_methods(); i++) {
        const pv_record_method *const method = pv_record_method_at(i);
        assert_ptr_equal(pv_record_method_find(method->name), method);
        assert_non_null(method->summary);
        assert_non_null(method->exact_for);
    }
    assert_null(pv_record_method_at(4));
    assert_null(pv_record_method_find("magic"));
}

/* ---------------------------------------------------------------------- summary */

/* Four people of x, one of y; two columns of which nothing is ever generalized. */
static void a_summary_counts_people(void **state)
{
    attacker_study s =
        attacker_study_create("attributes:\n  a: {role: quasi}\n", "a\nx\nx\nx\nx\ny\n");
    const pv_disclose_options options = {.risk = PV_RISK_II, .bound = 1};
    pv_disclosure *const d = disclose(s.profile, &options, NULL);
    pv_disclosure_summary *summary = NULL;
    pv_error error = {0};
    (void)state;
    bound_must(pv_disclosure_summarise(d, s.profile, &summary, &error), &error);
    assert_int_equal(summary->n_rows, 5);
    assert_int_equal(summary->n_infeasible, 0);
    assert_int_equal(summary->n_proven, 5);
    assert_int_equal(summary->n_unique_before, 1);
    assert_int_equal(summary->n_unique_after, 1);
    assert_int_equal(summary->at_level[0], 5);
    assert_true(fabs(summary->risk_after.mean - (4 * 0.25 + 1) / 5) < 1e-12);
    assert_true(summary->risk_after.least == 0.25 && summary->risk_after.most == 1);
    assert_true(summary->risk_after.quantile[0] == 0.25);
    assert_true(summary->risk_after.quantile[8] == 0.25); /* four of five */
    assert_true(summary->risk_after.quantile[9] == 1 && summary->risk_after.quantile[10] == 1);
    assert_true(summary->utility_kept.mean == 1);
    pv_disclosure_summary_free(summary);
    pv_disclosure_free(d);
    attacker_study_free(&s);
}

/* More utility than anyone has: nothing is told. */
static void what_is_not_feasible_is_hidden(void **state)
{
    static const char *const methods[] = {"scan", "aruba", "btda", "bnb"};
    subject s = subject_create(60);
    (void)state;
    for (size_t m = 0; m < 4; m++) {
        const pv_disclose_options options = {.bound = 1000, .method = methods[m]};
        pv_disclosure *const d = disclose(s.study.profile, &options, NULL);
        for (size_t t = 0; t < d->n_tuples; t++) {
            assert_false(d->tuples[t].is_feasible);
            assert_true(d->tuples[t].is_optimal);
            assert_true(d->tuples[t].risk == 0 && d->tuples[t].utility == 0);
            assert_int_equal(d->tuples[t].consistent, 60);
        }
        pv_disclosure_free(d);
    }
    subject_free(&s);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(model_iii_breaks_the_frontier),
        cmocka_unit_test(any_number_of_threads),
        cmocka_unit_test(the_root_may_be_a_value),
        cmocka_unit_test(only_some_records),
        cmocka_unit_test(searches_may_be_limited),
        cmocka_unit_test(anyone_may_stop_it),
        cmocka_unit_test(what_cannot_be_done_is_refused),
        cmocka_unit_test(methods_are_registered),
        cmocka_unit_test(a_summary_counts_people),
        cmocka_unit_test(what_is_not_feasible_is_hidden),
    };
    return cmocka_run_group_tests_name("record options", tests, NULL, NULL);
}
