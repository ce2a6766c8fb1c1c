/* Every measure of the registry read from the evaluator's classes, against the same measure of
 * pv_classes_create: every node of random lattices, on threads, with much memory and none. */
#include "support/front_search.h"
#include "support/random_study.h"
#include "support/testing.h"

#include "lattice/evaluator.h"
#include "measure/entry.h"

/* A table of n rows has classes of less than sqrt(2n) different sizes. */
enum { MAX_MEASURES = 32, MAX_THREADS = 7, MAX_THRESHOLDS = 14 };

typedef struct {
    random_study *study;
    pv_lattice lattice;
    pv_suppression suppression;
    pv_measure_ref measures[MAX_MEASURES];
    size_t n_measures;
    double *expected; /* node by node, threshold by threshold, the highest first */
    double *measured;
    size_t *n_expected; /* per node: thresholds */
    size_t *n_measured;
    pv_meter meters[MAX_THREADS][MAX_MEASURES];
    const uint64_t *nodes; /* of a batch, by number; NULL = the number is the node */
} subject;

/* All that the table allows; of several sensitive values in one row the evaluator knows nothing. */
static void choose_measures(subject *s)
{
    for (size_t i = 0; i < pv_n_measures(); i++) {
        const pv_measure *const m = pv_measure_at(i);
        if (pv_measure_available(m, s->study->bound.study) &&
            !(oracle_same(m->name, "sum-l") && s->study->table.n_sensitive > 1)) {
            s->measures[s->n_measures++] =
                (pv_measure_ref){.measure = m, .parameter = m->parameter_default};
        }
    }
}

static size_t place_of(const subject *s, uint64_t node, size_t threshold)
{
    return (node * MAX_THRESHOLDS + threshold) * s->n_measures;
}

static void expect_values(subject *s)
{
    uint8_t levels[ORACLE_AXES];
    for (uint64_t node = 0; node < s->lattice.n_nodes; node++) {
        pv_i_lattice_levels(&s->lattice, node, levels);
        for (size_t i = 0;; i++) {
            pv_classes *const classes =
                threshold_classes(s->study->profile, levels, s->suppression, i);
            if (classes == NULL) {
                break;
            }
            assert_true(i < MAX_THRESHOLDS);
            for (size_t m = 0; m < s->n_measures; m++) {
                assert_int_equal(pv_measure_value(s->measures[m], classes,
                                                  &s->expected[place_of(s, node, i) + m], NULL),
                                 PV_STATUS_OK);
            }
            s->n_expected[node]++;
            pv_classes_free(classes);
        }
    }
}

static subject *subject_create(random_study *study, pv_suppression suppression)
{
    subject *const s = oracle_array(1, sizeof *s);
    s->study = study;
    s->suppression = suppression;
    assert_int_equal(pv_i_lattice_init(&s->lattice, study->bound.study, NULL), PV_STATUS_OK);
    choose_measures(s);
    s->expected = oracle_array(place_of(s, s->lattice.n_nodes, 0), sizeof *s->expected);
    s->measured = oracle_array(place_of(s, s->lattice.n_nodes, 0), sizeof *s->measured);
    s->n_expected = oracle_array(s->lattice.n_nodes, sizeof *s->n_expected);
    s->n_measured = oracle_array(s->lattice.n_nodes, sizeof *s->n_measured);
    expect_values(s);
    return s;
}

static void subject_free(subject *s)
{
    pv_i_lattice_deinit(&s->lattice);
    free(s->expected);
    free(s->measured);
    free(s->n_expected);
    free(s->n_measured);
    free(s);
}

static pv_status measure_node(void *ctx, unsigned worker, uint64_t number,
                              const pv_classes *classes)
{
    subject *const s = ctx;
    const uint64_t node = s->nodes != NULL ? s->nodes[number] : number;
    const size_t threshold = s->n_measured[node]++;
    pv_status status = threshold < MAX_THRESHOLDS ? PV_STATUS_OK : PV_STATUS_INTERNAL;
    for (size_t m = 0; m < s->n_measures && status == PV_STATUS_OK; m++) {
        status = pv_i_meter_read(&s->meters[worker][m], classes,
                                 &s->measured[place_of(s, node, threshold) + m], NULL);
    }
    return status;
}

static bool go_on(void *ctx, uint64_t done)
{
    (void)ctx;
    (void)done;
    return true;
}

/* All nodes from top to bottom, in batches. */
static void measure_batches(subject *s, pv_evaluator *evaluator)
{
    enum { BATCH = 5 };
    uint64_t nodes[BATCH];
    uint8_t levels[BATCH * ORACLE_AXES];
    s->nodes = nodes;
    for (uint64_t left = s->lattice.n_nodes; left > 0;) {
        size_t n = 0;
        for (; n < BATCH && left > 0; n++) {
            nodes[n] = --left;
            pv_i_lattice_levels(&s->lattice, nodes[n], levels + n * s->lattice.n_axes);
        }
        assert_int_equal(pv_i_evaluate_batch(evaluator, levels, n, measure_node, s, NULL),
                         PV_STATUS_OK);
    }
    s->nodes = NULL;
}

static void measure_all(subject *s, unsigned threads, uint64_t memory, bool batches)
{
    const pv_evaluator_options options = {.suppression = s->suppression,
                                          .memory = memory,
                                          .sizes = true,
                                          .sensitives = s->study->table.n_sensitive > 0,
                                          .label = s->study->table.label != NULL,
                                          .threads = threads};
    pv_evaluator *evaluator = NULL;
    assert_int_equal(
        pv_i_evaluator_create(s->study->profile, &s->lattice, &options, &evaluator, NULL),
        PV_STATUS_OK);
    for (size_t i = 0; i < threads * s->n_measures; i++) {
        assert_int_equal(pv_i_meter_init(&s->meters[i / s->n_measures][i % s->n_measures],
                                         s->measures[i % s->n_measures], s->study->profile, NULL),
                         PV_STATUS_OK);
    }
    if (batches) {
        measure_batches(s, evaluator);
    } else {
        assert_int_equal(pv_i_evaluate_all(evaluator, measure_node, s, go_on, 0, NULL),
                         PV_STATUS_OK);
    }
    for (size_t i = 0; i < threads * s->n_measures; i++) {
        pv_i_meter_deinit(&s->meters[i / s->n_measures][i % s->n_measures]);
    }
    pv_i_evaluator_free(evaluator);
}

static void compare_values(const subject *s)
{
    for (size_t node = 0; node < s->lattice.n_nodes; node++) {
        assert_int_equal(s->n_measured[node], s->n_expected[node]);
        for (size_t i = 0; i < s->n_expected[node] * s->n_measures; i++) {
            const double measured = s->measured[place_of(s, node, 0) + i];
            const double expected = s->expected[place_of(s, node, 0) + i];
            if (!oracle_near(measured, expected)) {
                fail_msg("%s of node %zu at threshold %zu is %.17g, not %.17g\n%s\n%s",
                         s->measures[i % s->n_measures].measure->name, node, i / s->n_measures,
                         measured, expected, s->study->csv.data, s->study->text.data);
            }
        }
    }
}

static void compare_subject(subject *s, unsigned threads, uint64_t memory)
{
    for (size_t batches = 0; batches < 2; batches++) {
        for (size_t i = 0; i < place_of(s, s->lattice.n_nodes, 0); i++) {
            s->measured[i] = (double)NAN;
        }
        memset(s->n_measured, 0, s->lattice.n_nodes * sizeof *s->n_measured);
        measure_all(s, threads, memory, batches == 1);
        compare_values(s);
    }
}

static const unsigned thread_counts[] = {1, 2, 7};
static const uint64_t memories[] = {0, 1024, 1 << 26};

static random_shape small_shape(pv_rng *rng)
{
    const size_t n_quasi = 1 + (size_t)pv_i_rng_below(rng, 4);
    return (random_shape){
        .n_rows = 1 + (size_t)pv_i_rng_below(rng, 1 + pv_i_rng_below(rng, 60)),
        .n_quasi = n_quasi,
        .n_values = 1 + (size_t)pv_i_rng_below(rng, 9),
        .n_sensitive = (size_t)pv_i_rng_below(rng, 3),
        .label = pv_i_rng_below(rng, 2) == 0,
        .missing = pv_i_rng_below(rng, 2) == 0 ? 5 : 0,
        .heights = 1 + (unsigned)pv_i_rng_below(rng, n_quasi > 2 ? 2 : 5),
        .uniform = pv_i_rng_below(rng, 2) == 0,
        .copies = pv_i_rng_below(rng, 3) == 0 ? 3 : 0,
    };
}

static pv_suppression random_suppression(random_study *r)
{
    const size_t n = r->table.n_rows;
    pv_suppression suppression = {.whole_budget = random_one_in(r, 2),
                                  .budget = random_one_in(r, 3) ? 0 : random_below(r, n + 2)};
    if (random_one_in(r, 4)) {
        suppression.target_k = 1 + random_below(r, 2 + n / 4);
    }
    return suppression;
}

static void small_tables_agree(void **state)
{
    pv_rng rng;
    (void)state;
    pv_i_rng_init(&rng, 41);
    for (size_t i = 0; i < effort(400); i++) {
        const random_shape shape = small_shape(&rng);
        random_study r;
        random_study_init(&r, &rng, &shape);
        subject *const s = subject_create(&r, random_suppression(&r));
        compare_subject(s, thread_counts[i % 3], memories[i / 3 % 3]);
        subject_free(s);
        random_study_deinit(&r);
    }
}

static void threads_and_memory_do_not_matter(void **state)
{
    const random_shape shape = {.n_rows = 90,
                                .n_quasi = 4,
                                .n_values = 7,
                                .n_sensitive = 2,
                                .label = true,
                                .missing = 7,
                                .heights = 3,
                                .copies = 3};
    random_study r;
    pv_rng rng;
    (void)state;
    pv_i_rng_init(&rng, 42);
    random_study_init(&r, &rng, &shape);
    for (size_t whole = 0; whole < 2; whole++) {
        subject *const s =
            subject_create(&r, (pv_suppression){.whole_budget = whole == 1, .budget = 12});
        for (size_t i = 0; i < 9; i++) {
            compare_subject(s, thread_counts[i / 3], memories[i % 3]);
        }
        subject_free(s);
    }
    random_study_deinit(&r);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(small_tables_agree),
        cmocka_unit_test(threads_and_memory_do_not_matter),
    };
    return cmocka_run_group_tests_name("measures of the evaluator", tests, NULL, NULL);
}
