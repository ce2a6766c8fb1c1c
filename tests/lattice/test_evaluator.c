/* The evaluator against pv_classes_create, scheme by scheme: all of a lattice and batches here and
 * there, on one thread and several, with memory for lists and without. */
#include "support/front_search.h"
#include "support/random_study.h"
#include "support/same_release.h"
#include "support/testing.h"

#include "base/memory.h"
#include "lattice/evaluator.h"

#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>

/* -------------------------------------------------------------- what is shown */

/* What the workers saw; they write to slots and never judge, that is for the test's thread. */
typedef struct {
    class_parts parts;
    size_t n_axes;
    size_t n_slots;
    pv_buffer *shown;         /* per number: the texts of all its thresholds */
    uint8_t *levels;          /* per number */
    _Atomic unsigned *visits; /* per number */
    unsigned *visitor;        /* per number: who was the first */
    _Atomic uint64_t n_visits;
    uint64_t fails_at;    /* the number at which the visitor fails */
    uint64_t stops_at;    /* how many may be done before it is told to stop */
    _Atomic bool stopped; /* was it told? */
    pthread_t caller;
    bool asked_elsewhere; /* was keep_going called on another thread? */
} witness;

static witness witness_create(const class_parts *parts, size_t n_axes, size_t n_slots)
{
    return (witness){.parts = *parts,
                     .n_axes = n_axes,
                     .n_slots = n_slots,
                     .shown = oracle_array(n_slots, sizeof(pv_buffer)),
                     .levels = oracle_array(n_slots * n_axes, 1),
                     .visits = oracle_array(n_slots, sizeof(_Atomic unsigned)),
                     .visitor = oracle_array(n_slots, sizeof(unsigned)),
                     .fails_at = UINT64_MAX,
                     .stops_at = UINT64_MAX,
                     .caller = pthread_self()};
}

static void witness_free(witness *w)
{
    for (size_t i = 0; i < w->n_slots; i++) {
        pv_i_buffer_deinit(&w->shown[i]);
    }
    free(w->shown);
    free(w->visitor);
    free(w->levels);
    free(w->visits);
}

static pv_status see(void *ctx, unsigned worker, uint64_t number, const pv_classes *classes)
{
    witness *const w = ctx;
    atomic_fetch_add(&w->n_visits, 1);
    while (w->stops_at < UINT64_MAX && worker > 0 && !w->stopped) {
        sched_yield(); /* lest the others be done before the caller is asked */
    }
    if (number == w->fails_at) {
        return PV_STATUS_INTERNAL;
    }
    if (number >= w->n_slots) {
        return PV_STATUS_OK;
    }
    const bool is_first = atomic_fetch_add(&w->visits[number], 1) == 0;
    if (is_first) {
        w->visitor[number] = worker;
        memcpy(w->levels + number * w->n_axes, classes->levels, w->n_axes);
    }
    if (is_first || w->visitor[number] == worker) { /* all thresholds come on one thread */
        char *const text = class_text_shown(classes, &w->parts);
        pv_i_buffer_text(&w->shown[number], text);
        class_text_free(text);
    }
    return PV_STATUS_OK;
}

static bool go_on(void *ctx, uint64_t done)
{
    witness *const w = ctx;
    w->asked_elsewhere |= !pthread_equal(w->caller, pthread_self());
    w->stopped = done >= w->stops_at;
    return !w->stopped;
}

/* ----------------------------------------------------------- what is expected */

/* A study with its lattice, and the text of every node. */
typedef struct {
    const pv_profile *profile;
    pv_lattice lattice;
    pv_evaluator_options options;
    class_parts parts;
    pv_buffer *expected;  /* per node: the texts of its thresholds, the highest first */
    unsigned *n_expected; /* of them; 0 = not made yet */
} subject;

static subject subject_create(const pv_profile *profile, pv_suppression suppression,
                              class_parts parts)
{
    subject s = {.profile = profile,
                 .options = {.suppression = suppression,
                             .sizes = parts.sizes,
                             .sensitives = parts.sensitives,
                             .label = parts.label,
                             .threads = 1},
                 .parts = parts};
    s.parts.by_size = !suppression.whole_budget || suppression.target_k > 0;
    assert_int_equal(pv_i_lattice_init(&s.lattice, pv_profile_study(profile), NULL), PV_STATUS_OK);
    if (s.lattice.countable && s.lattice.n_nodes < 1 << 20) {
        s.expected = oracle_array(s.lattice.n_nodes, sizeof *s.expected);
        s.n_expected = oracle_array(s.lattice.n_nodes, sizeof *s.n_expected);
    }
    return s;
}

static void subject_free(subject *s)
{
    for (uint64_t i = 0; s->expected != NULL && i < s->lattice.n_nodes; i++) {
        pv_i_buffer_deinit(&s->expected[i]);
    }
    free(s->expected);
    free(s->n_expected);
    pv_i_lattice_deinit(&s->lattice);
}

/* Returns how many thresholds the scheme has. */
static unsigned expected_text(const subject *s, const uint8_t *levels, pv_buffer *text)
{
    unsigned n = 0;
    for (;; n++) {
        pv_classes *const classes =
            threshold_classes(s->profile, levels, s->options.suppression, n);
        if (classes == NULL) {
            return n;
        }
        char *const part = class_text_expected(classes, &s->parts);
        pv_i_buffer_text(text, part);
        class_text_free(part);
        pv_classes_free(classes);
    }
}

static uint64_t expect_at(subject *s, const uint8_t *levels)
{
    const uint64_t node = pv_i_lattice_node(&s->lattice, levels);
    assert_true(node < s->lattice.n_nodes);
    if (s->n_expected[node] == 0) {
        s->n_expected[node] = expected_text(s, levels, &s->expected[node]);
    }
    return node;
}

static pv_evaluator *evaluator_create(const subject *s, unsigned threads, uint64_t memory)
{
    pv_evaluator_options options = s->options;
    pv_evaluator *evaluator = NULL;
    pv_error error = {0};
    options.threads = threads;
    options.memory = memory;
    bound_must(pv_i_evaluator_create(s->profile, &s->lattice, &options, &evaluator, &error),
               &error);
    return evaluator;
}

/* ---------------------------------------------------------------- comparing */

static void expect_shown(subject *s, const witness *w, size_t number, const uint8_t *levels)
{
    const uint64_t node = expect_at(s, levels);
    assert_int_equal(w->visits[number], s->n_expected[node]);
    assert_memory_equal(w->levels + number * w->n_axes, levels, w->n_axes);
    assert_string_equal(w->shown[number].data, s->expected[node].data);
}

static uint64_t count_visits(const witness *w)
{
    uint64_t n = 0;
    for (size_t i = 0; i < w->n_slots; i++) {
        n += w->visits[i];
    }
    return n;
}

/* What was visited of a lattice; returns how much that was. */
static uint64_t expect_nodes(subject *s, const witness *w)
{
    uint8_t *const levels = oracle_array(w->n_axes, 1);
    uint64_t n = 0;
    for (size_t node = 0; node < w->n_slots; node++) {
        if (w->visits[node] > 0) {
            pv_i_lattice_levels(&s->lattice, node, levels);
            expect_shown(s, w, node, levels);
            n++;
        }
    }
    free(levels);
    assert_int_equal(w->n_visits, count_visits(w));
    assert_false(w->asked_elsewhere);
    return n;
}

static void expect_all(subject *s, pv_evaluator *evaluator, uint64_t limit)
{
    const uint64_t n = s->lattice.n_nodes;
    witness w = witness_create(&s->parts, s->lattice.n_axes, n);
    pv_error error = {0};
    bound_must(pv_i_evaluate_all(evaluator, see, &w, go_on, limit, &error), &error);
    assert_int_equal(expect_nodes(s, &w), limit == 0 || limit > n ? n : limit);
    witness_free(&w);
}

static void random_node(random_study *r, const pv_lattice *lattice, uint8_t *levels)
{
    for (size_t axis = 0; axis < lattice->n_axes; axis++) {
        levels[axis] = (uint8_t)random_below(r, lattice->heights[axis] + 1u);
    }
}

/* Some schemes in any order, some of them twice. */
static void expect_batch(random_study *r, subject *s, pv_evaluator *evaluator, size_t n)
{
    const size_t n_axes = s->lattice.n_axes;
    uint8_t *const levels = oracle_array(n * n_axes, 1);
    witness w = witness_create(&s->parts, n_axes, n);
    pv_error error = {0};
    for (size_t i = 0; i < n; i++) {
        random_node(r, &s->lattice, levels + i * n_axes);
        if (i > 0 && random_one_in(r, 4)) {
            memcpy(levels + i * n_axes, levels + random_below(r, i) * n_axes, n_axes);
        }
    }
    bound_must(pv_i_evaluate_batch(evaluator, levels, n, see, &w, &error), &error);
    assert_int_equal(w.n_visits, count_visits(&w));
    for (size_t i = 0; i < n; i++) {
        expect_shown(s, &w, i, levels + i * n_axes);
    }
    witness_free(&w);
    free(levels);
}

/* Some anchors, some of them twice: they must never show either. */
static void take_anchors(random_study *r, const subject *s, pv_evaluator *evaluator)
{
    uint8_t *const levels = oracle_array(s->lattice.n_axes, 1);
    pv_error error = {0};
    for (size_t i = 0; i < 3; i++) {
        random_node(r, &s->lattice, levels);
        bound_must(pv_i_evaluator_anchor(evaluator, levels, &error), &error);
        bound_must(pv_i_evaluator_anchor(evaluator, levels, &error), &error);
    }
    free(levels);
}

/* ---------------------------------------------------------------- the tables */

static const class_parts everything = {.sizes = true, .sensitives = true, .label = true};
static const unsigned thread_counts[] = {1, 2, 7};
static const uint64_t memories[] = {0, 1024, 1 << 26};

/* One evaluator, used for everything in turn: what it kept must never show. */
static void expect_evaluator(random_study *r, subject *s, unsigned threads, uint64_t memory)
{
    pv_evaluator *const evaluator = evaluator_create(s, threads, memory);
    expect_batch(r, s, evaluator, 1 + random_below(r, 12));
    expect_all(s, evaluator, 0);
    expect_all(s, evaluator, 1 + random_below(r, s->lattice.n_nodes));
    expect_all(s, evaluator, s->lattice.n_nodes + random_below(r, 3));
    for (size_t i = 0; i < 4; i++) {
        expect_batch(r, s, evaluator, random_below(r, 9));
        take_anchors(r, s, evaluator);
    }
    expect_batch(r, s, evaluator, 12);
    pv_i_evaluator_free(evaluator);
}

static pv_suppression random_suppression(random_study *r)
{
    const size_t n = r->table.n_rows;
    pv_suppression suppression = {.whole_budget = random_one_in(r, 2),
                                  .budget = random_one_in(r, 3) ? 0 : random_below(r, n + 2)};
    if (random_one_in(r, 3)) {
        suppression.target_k = 1 + random_below(r, 2 + n / 4);
    }
    return suppression;
}

static random_shape small_shape(pv_rng *rng)
{
    const size_t n_quasi = 1 + (size_t)pv_i_rng_below(rng, 4);
    return (random_shape){
        .n_rows = 1 + (size_t)pv_i_rng_below(rng, 1 + pv_i_rng_below(rng, 40)),
        .n_quasi = n_quasi,
        .n_values = 1 + (size_t)pv_i_rng_below(rng, 9),
        .n_sensitive = (size_t)pv_i_rng_below(rng, 3),
        .label = pv_i_rng_below(rng, 2) == 0,
        .missing = pv_i_rng_below(rng, 2) == 0 ? 5 : 0,
        .heights = 1 + (unsigned)pv_i_rng_below(rng, n_quasi > 2 ? 2 : 4),
        .uniform = pv_i_rng_below(rng, 2) == 0,
        .copies = pv_i_rng_below(rng, 3) == 0 ? 3 : 0,
    };
}

static class_parts random_parts(random_study *r)
{
    return (class_parts){.sizes = random_one_in(r, 2),
                         .sensitives = r->table.n_sensitive > 0 && random_one_in(r, 2),
                         .label = r->table.label != NULL && random_one_in(r, 2)};
}

static void small_tables_agree(void **state)
{
    pv_rng rng;
    (void)state;
    pv_i_rng_init(&rng, 31);
    for (size_t i = 0; i < effort(300); i++) {
        const random_shape shape = small_shape(&rng);
        random_study r;
        random_study_init(&r, &rng, &shape);
        subject s = subject_create(r.profile, random_suppression(&r), random_parts(&r));
        expect_evaluator(&r, &s, thread_counts[i % 3], memories[i / 3 % 3]);
        subject_free(&s);
        random_study_deinit(&r);
    }
}

/* Every number of threads with every budget of memory, on the same tables with everything asked
 * for. */
static void threads_and_memory_do_not_matter(void **state)
{
    pv_rng rng;
    (void)state;
    pv_i_rng_init(&rng, 32);
    for (size_t i = 0; i < 3; i++) {
        const random_shape shape = {.n_rows = 45,
                                    .n_quasi = 3,
                                    .n_values = 6,
                                    .n_sensitive = 2,
                                    .label = true,
                                    .missing = 6,
                                    .heights = 2,
                                    .copies = 3};
        random_study r;
        random_study_init(&r, &rng, &shape);
        const pv_suppression rule = {.whole_budget = i<2, .budget = i> 0 ? 5 : 0};
        subject s = subject_create(r.profile, rule, everything);
        for (size_t j = 0; j < 9; j++) {
            expect_evaluator(&r, &s, thread_counts[j / 3], memories[j % 3]);
        }
        subject_free(&s);
        random_study_deinit(&r);
    }
}

/* 40 quasi-identifiers: keys of several words, a lattice that nobody visits all of. */
enum { N_WIDE = 40 };

static void wide_keys_agree(void **state)
{
    const random_shape shape = {.n_rows = 30,
                                .n_quasi = N_WIDE,
                                .n_values = 90,
                                .full = true,
                                .n_sensitive = 1,
                                .label = true,
                                .missing = 9,
                                .heights = 3,
                                .uniform = true,
                                .copies = 2,
                                .mostly_top = true};
    random_study r;
    pv_rng rng;
    uint8_t levels[10 * N_WIDE];
    (void)state;
    pv_i_rng_init(&rng, 33);
    random_study_init(&r, &rng, &shape);
    for (size_t i = 0; i < 12; i++) {
        const pv_suppression rule = {.whole_budget = i < 6, .budget = 9};
        subject s = subject_create(r.profile, rule, everything);
        pv_evaluator *const evaluator =
            evaluator_create(&s, thread_counts[i % 3], memories[i / 2 % 3]);
        witness w = witness_create(&s.parts, N_WIDE, 10);
        for (size_t j = 0; j < 10; j++) {
            random_levels(&r, levels + j * N_WIDE);
        }
        assert_int_equal(pv_i_evaluate_batch(evaluator, levels, 10, see, &w, NULL), PV_STATUS_OK);
        for (size_t j = 0; j < 10; j++) {
            pv_buffer text = {0};
            assert_int_equal(w.visits[j], expected_text(&s, levels + j * N_WIDE, &text));
            assert_string_equal(w.shown[j].data, text.data);
            pv_i_buffer_deinit(&text);
        }
        witness_free(&w);
        pv_i_evaluator_free(evaluator);
        subject_free(&s);
    }
    random_study_deinit(&r);
}

/* ----------------------------------------------------------- ending before all */

/* 3^6 schemes of a small table. */
static const char *const six_plan = "attributes:\n"
                                    "  a: {role: quasi, hierarchy: {intervals: [3]}}\n"
                                    "  b: {role: quasi, hierarchy: {intervals: [3]}}\n"
                                    "  c: {role: quasi, hierarchy: {intervals: [3]}}\n"
                                    "  d: {role: quasi, hierarchy: {intervals: [3]}}\n"
                                    "  e: {role: quasi, hierarchy: {intervals: [3]}}\n"
                                    "  f: {role: quasi, hierarchy: {intervals: [3]}}\n";
static const char *const six_table = "a,b,c,d,e,f\n"
                                     "1,1,4,1,5,9\n6,5,3,5,8,9\n9,3,2,3,8,4\n"
                                     "2,6,4,3,3,8\n2,7,9,5,1,2\n8,4,1,9,7,1\n";
enum { SIX_NODES = 729 };

typedef struct {
    bound_study study;
    pv_profile *profile;
    subject subject;
} six;

static six six_create(bool whole_budget)
{
    six s = {.study = bound_study_create(six_plan, six_table)};
    s.profile = bound_profile(s.study.study, 1);
    s.subject =
        subject_create(s.profile, (pv_suppression){.whole_budget = whole_budget, .budget = 3},
                       (class_parts){.sizes = true});
    assert_int_equal(s.subject.lattice.n_nodes, SIX_NODES);
    return s;
}

static void six_free(six *s)
{
    subject_free(&s->subject);
    pv_profile_free(s->profile);
    bound_study_free(&s->study);
}

/* The first so many in the order of visiting: the same ones on any number of threads. */
static void limits_are_exact(void **state)
{
    static const uint64_t limits[] = {1, 3, 100, SIX_NODES - 1, SIX_NODES + 1, UINT64_MAX};
    six s = six_create(*state != NULL);
    for (size_t i = 0; i < sizeof limits / sizeof *limits; i++) {
        witness alone = witness_create(&s.subject.parts, 6, SIX_NODES);
        for (size_t t = 0; t < 3; t++) {
            pv_evaluator *const evaluator = evaluator_create(&s.subject, thread_counts[t], 0);
            witness shared = witness_create(&s.subject.parts, 6, SIX_NODES);
            witness *const w = t == 0 ? &alone : &shared;
            assert_int_equal(pv_i_evaluate_all(evaluator, see, w, go_on, limits[i], NULL),
                             PV_STATUS_OK);
            assert_int_equal(expect_nodes(&s.subject, w),
                             limits[i] < SIX_NODES ? limits[i] : SIX_NODES);
            for (size_t node = 0; t > 0 && node < SIX_NODES; node++) {
                assert_int_equal(alone.visits[node], shared.visits[node]);
            }
            witness_free(&shared);
            pv_i_evaluator_free(evaluator);
        }
        witness_free(&alone);
    }
    six_free(&s);
}

static void it_stops_when_told(void **state)
{
    six s = six_create(*state != NULL);
    for (size_t t = 0; t < 3; t++) {
        pv_evaluator *const evaluator = evaluator_create(&s.subject, thread_counts[t], 0);
        for (uint64_t stops_at = 0; stops_at < 120; stops_at += 59) {
            witness w = witness_create(&s.subject.parts, 6, SIX_NODES);
            w.stops_at = stops_at;
            assert_int_equal(pv_i_evaluate_all(evaluator, see, &w, go_on, 0, NULL), PV_STATUS_OK);
            assert_true(expect_nodes(&s.subject, &w) < SIX_NODES);
            witness_free(&w);
        }
        expect_all(&s.subject, evaluator, 0); /* and starts again as if nothing had been */
        pv_i_evaluator_free(evaluator);
    }
    six_free(&s);
}

static void failing_visitors_end_it(void **state)
{
    const uint8_t levels[] = {0, 0, 0, 0, 0, 0, 1, 1, 1, 1, 1, 1, 2, 2, 2, 2, 2, 2};
    six s = six_create(*state != NULL);
    for (size_t t = 0; t < 3; t++) {
        pv_evaluator *const evaluator = evaluator_create(&s.subject, thread_counts[t], 1 << 20);
        for (uint64_t fails_at = 0; fails_at < SIX_NODES; fails_at += 364) {
            witness w = witness_create(&s.subject.parts, 6, SIX_NODES);
            pv_error error = {0};
            w.fails_at = fails_at;
            assert_int_equal(pv_i_evaluate_all(evaluator, see, &w, go_on, 0, &error),
                             PV_STATUS_INTERNAL);
            witness_free(&w);
        }
        for (uint64_t fails_at = 0; fails_at < 3; fails_at++) {
            witness w = witness_create(&s.subject.parts, 6, 3);
            pv_error error = {0};
            w.fails_at = fails_at;
            assert_int_equal(pv_i_evaluate_batch(evaluator, levels, 3, see, &w, &error),
                             PV_STATUS_INTERNAL);
            witness_free(&w);
        }
        expect_all(&s.subject, evaluator, 0);
        pv_i_evaluator_free(evaluator);
    }
    pv_i_evaluator_free(NULL);
    six_free(&s);
}

int main(void)
{
    bool spends = true; /* the papers' rule, asked for by a state */
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(small_tables_agree),
        cmocka_unit_test(threads_and_memory_do_not_matter),
        cmocka_unit_test(wide_keys_agree),
        cmocka_unit_test(limits_are_exact),
        cmocka_unit_test(it_stops_when_told),
        cmocka_unit_test(failing_visitors_end_it),
        cmocka_unit_test_prestate(limits_are_exact, &spends),
        cmocka_unit_test_prestate(it_stops_when_told, &spends),
        cmocka_unit_test_prestate(failing_visitors_end_it, &spends),
    };
    return cmocka_run_group_tests_name("evaluator", tests, NULL, NULL);
}
