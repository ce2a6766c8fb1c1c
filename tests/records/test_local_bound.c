/* The bound of local recoding on tables that are too large for brute force over divisions: its
 * prices keep their condition in every group of every node of the lattice, counted without any
 * short cut; they are the same on any number of threads; and it ends when its time is up. */
#include "records/local.h"
#include "support/study.h"
#include "support/testing.h"

#include "base/memory.h"
#include <math.h>
#include <paravent/local.h>
#include <stdlib.h>
#include <string.h>

#define SLACK 1e-9

typedef struct {
    search_table table;
    const pv_profile *profile;
    pv_meter meter;
    pv_local_space space;
    pv_local_draft draft;
} question;

static void question_init(question *q, size_t axes, size_t rows, const char *asked)
{
    pv_constraint demands[PV_MAX_CONSTRAINTS];
    const pv_local_settings settings = {.seed = 1, .improve_seconds = -1};
    pv_local_account account;
    size_t n = 0;
    pv_error error = {0};
    *q = (question){.table = search_table_create(axes, rows)};
    bound_must(pv_constraints_parse(asked, demands, &n, &error), &error);
    bound_must(pv_study_profile(q->table.study.study, &q->profile, &error), &error);
    bound_must(pv_i_meter_init(&q->meter, (pv_measure_ref){.measure = pv_measure_find("glm")},
                               q->profile, &error),
               &error);
    bound_must(pv_i_local_space_init(&q->space, q->profile, &q->meter, demands, n, 0, NULL, &error),
               &error);
    assert_true(pv_i_local_classes_init(&q->draft, &q->space));
    bound_must(pv_i_local_find(&q->space, &settings, &q->draft, &account, &error), &error);
}

static void question_deinit(question *q)
{
    pv_i_local_classes_deinit(&q->draft);
    pv_i_local_space_deinit(&q->space);
    pv_i_meter_deinit(&q->meter);
    search_table_free(&q->table);
}

/* ------------------------------------------------------------------ groups */

/* A tuple at a node of the lattice. */
typedef struct {
    uint32_t nodes[8];
    double price;
    uint64_t rows;
} placed;

static int compare_placed(const void *left, const void *right)
{
    const placed *const a = left;
    const placed *const b = right;
    const int order = memcmp(a->nodes, b->nodes, sizeof a->nodes);
    return order != 0 ? order : (a->price < b->price) - (a->price > b->price);
}

static double cost_of(const pv_local_space *space, const placed *p)
{
    double cost = 0;
    for (size_t q = 0; q < space->n_quasi; q++) {
        cost += space->trees[q].cost[p->nodes[q]];
    }
    return cost;
}

/* Places all tuples at a node, and checks the groups. How many of them reach their limit. */
static size_t check_node(const pv_local_space *space, size_t number, const double *prices,
                         placed *all)
{
    size_t tight = 0;
    for (size_t t = 0; t < space->n_tuples; t++) {
        size_t rest = number;
        all[t] = (placed){.price = prices[t], .rows = space->profile->count[t]};
        for (size_t q = 0; q < space->n_quasi; q++) {
            const pv_local_tree *const tree = &space->trees[q];
            const size_t rung = rest % tree->n_rungs;
            rest /= tree->n_rungs;
            all[t].nodes[q] =
                tree->rungs[rung * tree->n_starts + space->starts[t * space->n_quasi + q]];
        }
    }
    qsort(all, space->n_tuples, sizeof *all, compare_placed);
    for (size_t i = 0; i < space->n_tuples;) {
        const placed *const first = &all[i];
        uint64_t rows = 0;
        double sum = 0;
        for (; i < space->n_tuples && memcmp(all[i].nodes, first->nodes, sizeof first->nodes) == 0;
             i++) {
            for (uint64_t row = 0; row < all[i].rows && rows < space->k; row++, rows++) {
                sum += all[i].price;
            }
        }
        if (rows == space->k) {
            const double most = (double)space->k * cost_of(space, first);
            assert_true(sum <= most + SLACK);
            tight += sum >= 0.999 * most;
        }
    }
    return tight;
}

static void check_groups(const question *q, const double *prices)
{
    const size_t n = (size_t)pv_i_local_lattice(&q->space);
    placed *const all = PV_NEW_ARRAY(placed, q->space.n_tuples);
    size_t tight = 0;
    assert_true(all != NULL);
    for (size_t node = 0; node < n; node++) {
        tight += check_node(&q->space, node, prices, all);
    }
    assert_true(tight > 0); /* prices that are too low would prove nothing of the sweep */
    pv_i_free(all);
}

static void groups_keep_their_condition(void **state)
{
    static const struct {
        size_t axes, rows;
        const char *demands;
    } cases[] = {
        {3, 200, "k=2"}, {4, 300, "k=5"}, {5, 400, "k=3"}, {4, 400, "k=25"}, {1, 60, "k=3"}};
    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        question q;
        question_init(&q, cases[i].axes, cases[i].rows, cases[i].demands);
        double *const prices = PV_NEW_ZEROED(double, 2 * q.space.n_tuples);
        double *const others = prices + q.space.n_tuples;
        assert_true(prices != NULL);
        for (uint64_t sweeps = 0; sweeps <= 4; sweeps += 2) {
            const pv_context one = {.threads = 1};
            const pv_context three = {.threads = 3};
            pv_local_proof a = {.prices = prices};
            pv_local_proof b = {.prices = others};
            pv_error error = {0};
            bound_must(
                pv_i_local_bound(&q.draft,
                                 &(pv_local_proof_settings){.context = &one, .max_sweeps = sweeps},
                                 &a, &error),
                &error);
            bound_must(pv_i_local_bound(
                           &q.draft,
                           &(pv_local_proof_settings){.context = &three, .max_sweeps = sweeps}, &b,
                           &error),
                       &error);
            check_groups(&q, prices);
            assert_memory_equal(prices, others, q.space.n_tuples * sizeof *prices);
            assert_memory_equal(&a.loss, &b.loss, sizeof a.loss);
            assert_true(a.sweeps == b.sweeps && a.sweeps > 0);
            double sum = 0;
            for (size_t t = 0; t < q.space.n_tuples; t++) {
                sum += prices[t] * (double)q.profile->count[t];
            }
            assert_true(a.loss <= sum && a.loss >= 0.999 * sum);
            assert_true(a.loss <= pv_i_local_loss(&q.draft));
        }
        pv_i_free(prices);
        question_deinit(&q);
    }
}

/* Too little time proves nothing, which is no failure; more time is used up. */
static void ends_in_time(void **state)
{
    question q;
    pv_local_proof proof = {0};
    pv_error error = {0};
    (void)state;
    question_init(&q, 5, 400, "k=3");
    bound_must(
        pv_i_local_bound(&q.draft, &(pv_local_proof_settings){.seconds = 1e-9}, &proof, &error),
        &error);
    assert_int_equal(proof.stop, PV_STOP_TIME);
    assert_true(proof.loss <= 0 && proof.sweeps == 0);
    bound_must(
        pv_i_local_bound(&q.draft, &(pv_local_proof_settings){.seconds = 60}, &proof, &error),
        &error);
    assert_int_equal(proof.stop, PV_STOP_FINISHED);
    assert_true(proof.loss > 0 && proof.seconds < 60);
    question_deinit(&q);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(groups_keep_their_condition),
        cmocka_unit_test(ends_in_time),
    };
    return cmocka_run_group_tests_name("the bound of local recoding", tests, NULL, NULL);
}
