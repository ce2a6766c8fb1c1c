/* The memo: every scheme is evaluated once, whatever is asked for how often. */
#include "lattice/evolution.h"

#include "base/buffer.h"
#include "base/rng.h"
#include "support/study.h"

#include <math.h>
#include <paravent/search.h>
#include <stdlib.h>

/* ---------------------------------------------------------------- the tables */

typedef struct {
    bound_study study;
    pv_profile *profile;
    pv_run run;
    pv_memo memo;
} subject;

/* `axes` attributes of eight values with four levels each; among the first eight rows every
 * attribute has all its values, so all levels group differently. */
static void subject_init(subject *s, size_t axes, size_t rows, const pv_search_options *options)
{
    pv_buffer plan = {0};
    pv_buffer csv = {0};
    pv_rng rng;
    pv_error error = {0};
    pv_i_rng_init(&rng, axes);
    pv_i_buffer_text(&plan, "attributes:\n");
    for (size_t a = 0; a < axes; a++) {
        pv_i_buffer_format(&plan, "  q%zu: {role: quasi, hierarchy: {intervals: [2, 4]}}\n", a);
        pv_i_buffer_format(&csv, "%sq%zu", a == 0 ? "" : ",", a);
    }
    for (size_t i = 0; i < rows * axes; i++) {
        const size_t row = i / axes;
        const size_t axis = i % axes;
        const size_t value =
            row < 8 ? (row * (2 * axis + 1) + axis * axis) % 8 : (size_t)pv_i_rng_below(&rng, 8);
        pv_i_buffer_format(&csv, "%s%zu", axis == 0 ? "\n" : ",", value);
    }
    pv_i_buffer_char(&csv, '\n');
    s->study = bound_study_create(plan.data, csv.data);
    s->profile = bound_profile(s->study.study, 1);
    pv_i_buffer_deinit(&plan);
    pv_i_buffer_deinit(&csv);
    static const pv_context context = {.threads = 1};
    bound_must(pv_i_run_init(&s->run, s->profile, options, &context, &error), &error);
    bound_must(pv_i_memo_init(&s->memo, &s->run, &error), &error);
    for (size_t a = 0; a < axes; a++) {
        assert_int_equal(s->run.lattice.heights[a], 3);
    }
}

static void subject_deinit(subject *s)
{
    pv_i_memo_deinit(&s->memo);
    pv_i_run_deinit(&s->run);
    pv_profile_free(s->profile);
    bound_study_free(&s->study);
}

static void evaluate(subject *s, const uint8_t *levels, size_t n, uint32_t *ids)
{
    pv_error error = {0};
    bound_must(pv_i_memo_evaluate(&s->memo, levels, n, ids, &error), &error);
}

/* k and glm as the classes have them, more being better. */
static void expect_values(const subject *s, const uint8_t *levels, const double *values)
{
    const pv_suppression rule = s->run.options.suppression;
    pv_classes *const classes = bound_classes(s->profile, levels, rule.budget, rule.target_k);
    if (pv_classes_feasible(classes)) {
        double glm = -1;
        const pv_measure_ref ref = {.measure = pv_measure_find("glm")};
        assert_int_equal(pv_measure_value(ref, classes, &glm, NULL), PV_STATUS_OK);
        assert_true(values[0] == (double)pv_classes_k(classes));
        assert_true(fabs(values[1] + glm) <= 1e-9 * fmax(1, glm));
    } else {
        assert_true(isinf(values[0]) && values[0] < 0 && isinf(values[1]) && values[1] < 0);
    }
    pv_classes_free(classes);
}

/* ------------------------------------------------------------ each scheme once */

#define AXES 5
#define NODES 1024

static void scheme_of(size_t node, uint8_t *levels)
{
    for (size_t axis = 0; axis < AXES; axis++) {
        levels[axis] = (uint8_t)(node >> 2 * axis & 3);
    }
}

/* What the memo should know: the nodes in the order in which they came up. */
typedef struct {
    uint32_t id[NODES];
    bool known[NODES];
    size_t n;
} expectation;

/* Some random nodes, several of them twice. */
static void ask_some(subject *s, pv_rng *rng, expectation *e)
{
    enum { MOST = 40 };
    uint8_t levels[MOST * AXES];
    size_t nodes[MOST];
    uint32_t ids[MOST];
    const size_t n = (size_t)pv_i_rng_below(rng, MOST + 1);
    const size_t before = e->n;
    for (size_t i = 0; i < n; i++) {
        nodes[i] = (size_t)pv_i_rng_below(rng, 1 + pv_i_rng_below(rng, NODES));
        scheme_of(nodes[i], levels + i * AXES);
        assert_int_equal(pv_i_memo_knows(&s->memo, levels + i * AXES), e->known[nodes[i]]);
    }
    evaluate(s, levels, n, ids);
    for (size_t i = 0; i < n; i++) {
        if (!e->known[nodes[i]]) {
            e->known[nodes[i]] = true;
            e->id[nodes[i]] = (uint32_t)e->n;
            assert_memory_equal(s->memo.new_levels + (e->n - before) * AXES, levels + i * AXES,
                                AXES);
            e->n++;
        }
        assert_int_equal(ids[i], e->id[nodes[i]]);
        assert_true(pv_i_memo_knows(&s->memo, levels + i * AXES));
    }
    assert_int_equal(s->memo.n_new, e->n - before);
    assert_int_equal(s->run.evaluated, e->n);
}

static void expect_all(const subject *s, const expectation *e)
{
    for (size_t node = 0; node < NODES; node++) {
        uint8_t levels[AXES];
        scheme_of(node, levels);
        assert_int_equal(pv_i_memo_knows(&s->memo, levels), e->known[node]);
        if (e->known[node]) {
            assert_memory_equal(pv_i_memo_levels(&s->memo, e->id[node]), levels, AXES);
            expect_values(s, levels, pv_i_memo_values(&s->memo, e->id[node]));
        }
    }
}

static void ask_often(const pv_search_options *options)
{
    static expectation e;
    subject s;
    pv_rng rng;
    e = (expectation){0};
    pv_i_rng_init(&rng, 1);
    subject_init(&s, AXES, 12, options);
    for (size_t i = 0; i < 120; i++) {
        ask_some(&s, &rng, &e);
    }
    assert_true(e.n > NODES / 2);
    expect_all(&s, &e);
    subject_deinit(&s);
}

static void every_scheme_is_evaluated_once(void **state)
{
    (void)state;
    ask_often(&(pv_search_options){0});
}

static void infeasible_schemes_are_worse_than_all(void **state)
{
    (void)state;
    ask_often(
        &(pv_search_options){.suppression = {.whole_budget = true, .budget = 2, .target_k = 3}});
}

/* The archive saw every scheme: it is the front of those. */
static void what_is_new_is_offered(void **state)
{
    static uint8_t levels[NODES * AXES];
    static uint32_t ids[NODES];
    const pv_search_options whole = {.method = "exhaustive"};
    pv_front *front = NULL;
    subject s;
    (void)state;
    subject_init(&s, AXES, 12, NULL);
    for (size_t node = 0; node < NODES; node++) {
        scheme_of(node * 389 % NODES, levels + node * AXES);
    }
    evaluate(&s, levels, NODES, ids);
    evaluate(&s, levels, NODES, ids); /* nothing is offered twice: ties would be more */
    assert_int_equal(pv_search(s.profile, &whole, NULL, &front, NULL), PV_STATUS_OK);
    assert_int_equal(s.run.archive.n_members, front->n_points);
    for (size_t i = 0; i < front->n_points; i++) {
        const pv_member *const member = &s.run.archive.members[i];
        assert_memory_equal(member->levels, front->points[i].levels, AXES);
        assert_int_equal(member->ties, front->points[i].ties);
    }
    pv_front_free(front);
    subject_deinit(&s);
}

/* A byte per level: schemes of many attributes are told apart by the last of them. */
static void many_attributes_are_told_apart(void **state)
{
    static const size_t counts[] = {1, 7, 8, 9, 16, 17};
    (void)state;
    for (size_t i = 0; i < sizeof counts / sizeof *counts; i++) {
        const size_t n = counts[i];
        uint8_t levels[2 * 17] = {0};
        uint32_t ids[2];
        subject s;
        subject_init(&s, n, 8, NULL);
        levels[2 * n - 1] = 3;
        evaluate(&s, levels, 2, ids);
        assert_int_equal(ids[0], 0);
        assert_int_equal(ids[1], 1);
        levels[2 * n - 1] = 2;
        assert_false(pv_i_memo_knows(&s.memo, levels + n));
        assert_memory_equal(pv_i_memo_levels(&s.memo, 0), levels, n);
        subject_deinit(&s);
    }
}

/* ----------------------------------------------------------------------- start */

static void the_start_is_evaluated_once(void **state)
{
    static const uint8_t start[] = {0, 0, 1, 2, 0, 0, 3, 3, 1, 2};
    const pv_search_options options = {.start = start, .n_start = 5};
    const uint8_t before[] = {3, 3};
    uint32_t id;
    pv_error error = {0};
    subject s;
    (void)state;
    subject_init(&s, 2, 8, &options);
    evaluate(&s, before, 1, &id);
    bound_must(pv_i_memo_start(&s.memo, &error), &error);
    assert_int_equal(s.run.evaluated, 3);
    for (size_t i = 0; i < 5; i++) {
        assert_true(pv_i_memo_knows(&s.memo, start + 2 * i));
    }
    subject_deinit(&s);
}

static void there_need_not_be_a_start(void **state)
{
    pv_error error = {0};
    subject s;
    (void)state;
    subject_init(&s, 2, 8, NULL);
    bound_must(pv_i_memo_start(&s.memo, &error), &error);
    assert_int_equal(s.run.evaluated, 0);
    subject_deinit(&s);
}

/* --------------------------------------------------------------------- forget */

#define DEEP 9
#define FULL ((size_t)1 << 16) /* so many schemes are always kept */

static void deep_scheme(size_t node, uint8_t *levels)
{
    for (size_t axis = 0; axis < DEEP; axis++) {
        levels[axis] = (uint8_t)(node >> 2 * axis & 3);
    }
}

/* Asks for the schemes numbered from..to-1. */
static void fill(subject *s, size_t from, size_t to)
{
    enum { EACH = 256 };
    uint8_t levels[EACH * DEEP];
    uint32_t ids[EACH];
    while (from < to) {
        const size_t n = to - from < EACH ? to - from : EACH;
        for (size_t i = 0; i < n; i++) {
            deep_scheme(from + i, levels + i * DEEP);
        }
        evaluate(s, levels, n, ids);
        from += n;
    }
}

static uint64_t count_found(const pv_archive *archive)
{
    uint64_t n = 0;
    for (size_t i = 0; i < archive->n_members; i++) {
        n += 1 + archive->members[i].ties;
    }
    return n;
}

/* Then it begins anew, and a scheme it meets again is no tie with itself. */
static void it_forgets_when_it_is_full(void **state)
{
    const pv_search_options little = {.memory = 1};
    uint8_t levels[DEEP];
    subject s;
    (void)state;
    subject_init(&s, DEEP, 8, &little);
    fill(&s, 0, FULL - 1);
    assert_false(pv_i_memo_trim(&s.memo));
    fill(&s, FULL - 1, FULL);
    const uint64_t found = count_found(&s.run.archive);
    assert_true(pv_i_memo_trim(&s.memo));
    deep_scheme(5, levels);
    assert_false(pv_i_memo_knows(&s.memo, levels));
    assert_false(pv_i_memo_trim(&s.memo));
    for (size_t i = s.run.archive.n_members; i-- > 0;) {
        uint32_t id;
        memcpy(levels, s.run.archive.members[i].levels, DEEP);
        evaluate(&s, levels, 1, &id);
        assert_true(pv_i_memo_knows(&s.memo, levels));
        expect_values(&s, levels, pv_i_memo_values(&s.memo, id));
    }
    assert_int_equal(count_found(&s.run.archive), found);
    subject_deinit(&s);
}

static void it_forgets_nothing_there_is_memory_for(void **state)
{
    const pv_search_options much = {.memory = (uint64_t)64 << 20};
    uint8_t levels[DEEP];
    subject s;
    (void)state;
    subject_init(&s, DEEP, 8, &much);
    fill(&s, 0, FULL + 1);
    assert_false(pv_i_memo_trim(&s.memo));
    deep_scheme(5, levels);
    assert_true(pv_i_memo_knows(&s.memo, levels));
    subject_deinit(&s);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_scheme_is_evaluated_once),
        cmocka_unit_test(infeasible_schemes_are_worse_than_all),
        cmocka_unit_test(what_is_new_is_offered),
        cmocka_unit_test(many_attributes_are_told_apart),
        cmocka_unit_test(the_start_is_evaluated_once),
        cmocka_unit_test(there_need_not_be_a_start),
        cmocka_unit_test(it_forgets_when_it_is_full),
        cmocka_unit_test(it_forgets_nothing_there_is_memory_for),
    };
    return cmocka_run_group_tests_name("memo", tests, NULL, NULL);
}
