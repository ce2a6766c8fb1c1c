/* POkA against its paper: functions 1-3 as they are printed, with their lists HBest and DBest, on
 * what the oracle says of every node; and a lattice small enough to be traced by hand. */
#include "support/front_search.h"
#include "support/random_study.h"

/* ------------------------------------------------------- as the paper has it */

#define NOTHING SIZE_MAX
#define UNSEARCHED (SIZE_MAX - 1)

typedef struct {
    const oracle_lattice *lattice;
    oracle_objectives objectives;
    size_t strides[ORACLE_AXES];
    uint8_t heights[ORACLE_AXES];
    size_t depth;
    size_t base;
    bool *evaluated;
    size_t n_evaluated;
    size_t *h_best, *d_best; /* per node: the best found from there, or UNSEARCHED */
    size_t *bases;
    size_t n_bases;
} paper;

static const oracle_node *node_of(const paper *p, size_t node)
{
    return &p->lattice->nodes[node];
}

/* Of the levels that group differently, which the lattice is made of. */
static size_t level_of(const paper *p, size_t node, size_t q)
{
    return node / p->strides[q] % (p->heights[q] + 1u);
}

static size_t level_sum(const paper *p, size_t node)
{
    size_t sum = 0;
    for (size_t q = 0; q < p->lattice->n_axes; q++) {
        sum += level_of(p, node, q);
    }
    return sum;
}

static bool is_specialization(const paper *p, size_t node)
{
    for (size_t q = 0; q < p->lattice->n_axes; q++) {
        if (level_of(p, node, q) > level_of(p, p->base, q)) {
            return false;
        }
    }
    return true;
}

static void evaluate(paper *p, size_t node)
{
    p->n_evaluated += !p->evaluated[node];
    p->evaluated[node] = true;
}

static int compare_loss(const paper *p, size_t a, size_t b)
{
    return oracle_compare(&p->objectives, 1, node_of(p, a), node_of(p, b));
}

/* k_C < k_N and L_C < L_N */
static bool is_within(const paper *p, size_t node)
{
    return node_of(p, node)->k < node_of(p, p->base)->k && compare_loss(p, node, p->base) > 0;
}

/* Highest k, then least loss, then first in the order of the lattice. */
static size_t better(const paper *p, size_t a, size_t b)
{
    if (a == NOTHING || b == NOTHING) {
        return a == NOTHING ? b : a;
    }
    if (node_of(p, a)->k != node_of(p, b)->k) {
        return node_of(p, a)->k > node_of(p, b)->k ? a : b;
    }
    const int loss = compare_loss(p, a, b);
    return loss > 0 || (loss == 0 && a < b) ? a : b;
}

static size_t height_search(paper *p, size_t node, bool use_node);

/* A node that is looked at: searched further if it is within the height boundary. */
static size_t look_at(paper *p, size_t node)
{
    evaluate(p, node);
    return is_within(p, node) ? height_search(p, node, true) : NOTHING;
}

/* Function 1. */
static size_t height_search(paper *p, size_t node, bool use_node)
{
    if (p->h_best[node] != UNSEARCHED) {
        return p->h_best[node];
    }
    size_t best = use_node && node_of(p, node)->feasible ? node : NOTHING;
    for (size_t q = 0; q < p->lattice->n_axes; q++) {
        if (level_of(p, node, q) == p->heights[q]) {
            continue;
        }
        const size_t child = node + p->strides[q];
        const bool passed =
            is_specialization(p, child) && level_sum(p, p->base) - level_sum(p, child) > 1;
        best = better(p, best, passed ? height_search(p, child, false) : look_at(p, child));
    }
    p->h_best[node] = best;
    return best;
}

/* Function 2. Direct neighbours are looked at, also when they are ground nodes; a base too low for
 * the depth has the bottom as its ground node. */
static size_t depth_search(paper *p, size_t node)
{
    const size_t depth = level_sum(p, p->base) - level_sum(p, node);
    if (depth == p->depth || (node == 0 && depth > 0)) {
        return depth == 1 ? look_at(p, node) : height_search(p, node, false);
    }
    if (p->d_best[node] != UNSEARCHED) {
        return p->d_best[node];
    }
    size_t best = NOTHING;
    for (size_t q = 0; q < p->lattice->n_axes; q++) {
        if (level_of(p, node, q) > 0) {
            best = better(p, best, depth_search(p, node - p->strides[q]));
        }
    }
    p->d_best[node] = best;
    return best;
}

/* Where nothing was found: the direct neighbour of highest k below the base's. */
static size_t way_out(const paper *p)
{
    size_t best = NOTHING;
    for (size_t q = 0; q < p->lattice->n_axes; q++) {
        if (level_of(p, p->base, q) > 0) {
            const size_t node = p->base - p->strides[q];
            assert_true(p->evaluated[node]);
            if (node_of(p, node)->feasible && node_of(p, node)->k < node_of(p, p->base)->k) {
                best = better(p, best, node);
            }
        }
    }
    return best;
}

/* Function 3. */
static void run_paper(paper *p)
{
    size_t next = p->lattice->n_nodes - 1;
    evaluate(p, next);
    while (next != NOTHING) {
        p->base = next;
        p->bases[p->n_bases++] = next;
        if (node_of(p, next)->k <= 2) {
            return;
        }
        for (size_t i = 0; i < p->lattice->n_nodes; i++) {
            p->h_best[i] = p->d_best[i] = UNSEARCHED;
        }
        next = depth_search(p, p->base);
        next = next != NOTHING ? next : way_out(p);
    }
}

/* How many levels of an attribute the lattice has. */
static uint8_t count_levels(const oracle_lattice *lattice, size_t q)
{
    bool used[UINT8_MAX + 1] = {false};
    uint8_t n = 0;
    for (size_t i = 0; i < lattice->n_nodes; i++) {
        bool *const level = &used[lattice->nodes[i].levels[q]];
        n += !*level;
        *level = true;
    }
    return n;
}

static paper paper_create(const oracle_lattice *lattice, const oracle_objectives *objectives,
                          size_t depth)
{
    const size_t n = lattice->n_nodes;
    paper p = {.lattice = lattice,
               .objectives = *objectives,
               .depth = depth,
               .evaluated = oracle_array(n, sizeof(bool)),
               .h_best = oracle_array(n, sizeof(size_t)),
               .d_best = oracle_array(n, sizeof(size_t)),
               .bases = oracle_array(n, sizeof(size_t))};
    size_t stride = 1;
    size_t sum = 0;
    for (size_t q = lattice->n_axes; q-- > 0;) {
        p.heights[q] = (uint8_t)(count_levels(lattice, q) - 1);
        p.strides[q] = stride;
        stride *= p.heights[q] + 1u;
        sum += p.heights[q];
    }
    p.depth = depth > 0 ? depth : (sum + lattice->n_axes - 1) / lattice->n_axes;
    run_paper(&p);
    return p;
}

static void paper_free(paper *p)
{
    free(p->evaluated);
    free(p->h_best);
    free(p->d_best);
    free(p->bases);
}

/* The base that is the n-th point of the front: k falls from base to base, points are by rising k.
 */
static size_t paper_point(const paper *p, size_t n)
{
    for (size_t i = p->n_bases; i-- > 0;) {
        const oracle_node *const node = node_of(p, p->bases[i]);
        bool dominated = !node->feasible;
        for (size_t j = 0; j < p->n_bases; j++) {
            dominated |= oracle_dominates(&p->objectives, node_of(p, p->bases[j]), node);
        }
        if (!dominated && n-- == 0) {
            return p->bases[i];
        }
    }
    return NOTHING;
}

/* ------------------------------------------------------------- random tables */

static void expect_point(const paper *p, const pv_point *point, const oracle_node *node)
{
    assert_memory_equal(point->levels, node->levels, p->lattice->n_axes);
    assert_int_equal(point->k, node->k);
    assert_int_equal(point->suppressed, node->suppressed);
    assert_int_equal(point->ties, 0);
    for (size_t o = 0; o < 2; o++) {
        assert_true(oracle_near(point->values[o], node->values[p->objectives.measure[o]]));
    }
}

static void expect_as_paper(const paper *p, const pv_front *front)
{
    assert_string_equal(front->method, "poka");
    assert_false(front->complete);
    assert_int_equal(front->stop, PV_STOP_FINISHED);
    assert_int_equal(front->evaluated, p->n_evaluated);
    assert_true(front->evaluated <= p->lattice->n_nodes);
    for (size_t i = 0; i < front->n_points; i++) {
        const size_t node = paper_point(p, i);
        assert_true(node != NOTHING && p->evaluated[node]);
        expect_point(p, &front->points[i], node_of(p, node));
    }
    assert_true(paper_point(p, front->n_points) == NOTHING);
}

/* The same whoever evaluates, and every time. */
static void expect_reproducible(random_study *s, search_request request, const pv_front *front)
{
    static const unsigned threads[] = {1, 2, 7};
    for (size_t i = 0; i < 3; i++) {
        request.threads = threads[i];
        request.memory = 1 + random_below(s, 5000);
        pv_front *const again = search_front(s->profile, &request);
        search_expect_same(front, again);
        pv_front_free(again);
    }
}

static const char *const pairs[][3] = {
    {"k", "glm"},          {"k", "dcn"},     {"k", "cm"},   {"k", "nwp"},    {"k", "precision"},
    {"k", "leaf-utility"}, {"k", "entropy"}, {"k", "aecs"}, {"risk", "glm"}, {"risk", "cm"},
};
enum { N_PAIRS = sizeof pairs / sizeof *pairs };

static void compare_pair(random_study *s, const oracle_lattice *lattice, const char *const *pair,
                         pv_suppression suppression)
{
    oracle_objectives o = {.n = 2};
    for (size_t i = 0; i < 2; i++) {
        o.measure[i] = oracle_index(oracle_find(pair[i]));
        o.more[i] = pv_measure_find(pair[i])->direction == PV_MORE_IS_BETTER;
    }
    for (unsigned depth = 0; depth <= 7; depth++) {
        const search_request request = {.objectives = pair,
                                        .method = "poka",
                                        .suppression = suppression,
                                        .threads = 1,
                                        .depth = depth};
        paper p = paper_create(lattice, &o, depth);
        pv_front *const front = search_front(s->profile, &request);
        expect_as_paper(&p, front);
        if (random_one_in(s, 10)) {
            expect_reproducible(s, request, front);
        }
        pv_front_free(front);
        paper_free(&p);
    }
}

static pv_suppression random_rule(random_study *s)
{
    const size_t n = s->table.n_rows;
    pv_suppression rule = {.whole_budget = random_one_in(s, 2),
                           .budget = random_one_in(s, 3) ? 0 : random_below(s, 1 + n / 2)};
    rule.target_k = random_one_in(s, 5) ? 1 + random_below(s, 1 + n / 3) : 0;
    return rule;
}

static random_shape small_shape(pv_rng *rng)
{
    const size_t n_quasi = 1 + (size_t)pv_i_rng_below(rng, 4);
    return (random_shape){
        .n_rows = 1 + (size_t)pv_i_rng_below(rng, 40),
        .n_quasi = n_quasi,
        .n_values = 1 + (size_t)pv_i_rng_below(rng, 6),
        .label = true,
        .missing = pv_i_rng_below(rng, 4) == 0 ? 6 : 0,
        .heights = n_quasi > 3   ? 2
                   : n_quasi > 2 ? 3
                                 : 5,
        .uniform = pv_i_rng_below(rng, 2) == 0,
        .copies = pv_i_rng_below(rng, 3) == 0 ? 3 : 0,
    };
}

static void random_tables_are_searched_as_in_the_paper(void **state)
{
    pv_rng rng;
    (void)state;
    pv_i_rng_init(&rng, 20091102);
    for (size_t i = 0; i < 150; i++) {
        const random_shape shape = small_shape(&rng);
        random_study s;
        random_study_init(&s, &rng, &shape);
        const pv_suppression rule = random_rule(&s);
        const char *const *const pair = pairs[i % N_PAIRS];
        /* The paper's rule, whatever is asked for: a scheme is one point, its budget spent. */
        oracle_lattice lattice = oracle_lattice_create(&s.table, rule.budget, 0, true, NULL, pair);
        for (size_t node = 0; node < lattice.n_nodes; node++) {
            lattice.nodes[node].feasible = lattice.nodes[node].k >= rule.target_k;
        }
        compare_pair(&s, &lattice, pair, rule);
        oracle_lattice_free(&lattice);
        random_study_deinit(&s);
    }
}

/* ------------------------------------------------------------ traced by hand */

/* 24 people, two attributes of four values each, two levels above them:
 *
 *         p q r s      a: 1,2 -> A   3,4 -> B      b: p,q -> P   r,s -> Q
 *     1   0 3 4 1
 *     2   4 2 1 0      classes of (1,1), a at level 1 and b at level 1:
 *     3   0 0 2 4        AP 9  AQ 6  BQ 9: k = 6, dcn = 81 + 36 + 81 = 198
 *     4   0 0 3 0
 *
 *     k, dcn    b 0       b 1       b 2           Depth: ceil((2 + 2) / 2) = 2. No suppression.
 *     a 0     1,  76    1, 116    3, 158
 *     a 1     1, 108    6, 198    9, 306          1. Base (2,2), k = 24. DepthSearch to its ground
 *     a 2     4, 166    9, 306   24, 576             nodes (0,2) (1,1) (2,0): passed unevaluated.
 *                                                    Up: (1,2) and (2,1), its direct neighbours,
 *        evaluated; (2,2) itself turns back. HBest: (1,2) and (1,1) have (1,2), (2,1) has (2,1).
 *        Both have k = 9 and dcn = 306; DBest of the base is the first, (1,2).
 *     2. Base (1,2), k = 9, dcn = 306. Ground nodes (0,1) (1,0) are passed. Up from (0,1): (0,2)
 *        and (1,1), direct neighbours; from (1,0): (1,1), and (2,0), which is not below the base.
 *        All three evaluated and within. Above them (1,2) and (2,1) turn back: k >= 9. HBest of
 *        (0,1) and (1,0) is (1,1) with k = 6.
 *     3. Base (1,1), k = 6, dcn = 198. Ground node (0,0) is passed. Up: (0,1) and (1,0), evaluated,
 *        k = 1; above them (0,2), k = 3, and (2,0), k = 4, known already; (1,1), (1,2), (2,1) turn
 *        back. Best (2,0).
 *     4. Base (2,0), k = 4, dcn = 166. Ground node (0,0). Up: (1,0), a direct neighbour, and (0,1),
 *        which is not below the base; above them (0,2), within; (1,1), (2,0), (1,2) turn back.
 *        Nothing new is evaluated. Best (0,2) with k = 3.
 *     5. Base (0,2), k = 3, dcn = 158. Ground node (0,0). Up: (0,1), (1,0), within; (0,2), (1,1),
 *        (2,0) turn back. Both have k = 1; the least loss is (1,0) with 108.
 *     6. Base (1,0), k = 1: the end.
 *
 * Eight nodes were evaluated, all but (0,0); which is the true front's point of k = 1. */
static const char by_hand_plan[] =
    "attributes:\n"
    "  a: {role: quasi, hierarchy: {rows: [['1', A], ['2', A], ['3', B], ['4', B]]}}\n"
    "  b: {role: quasi, hierarchy: {rows: [[p, P], [q, P], [r, Q], [s, Q]]}}\n";

static void by_hand_table(pv_buffer *csv)
{
    static const unsigned people[4][4] = {{0, 3, 4, 1}, {4, 2, 1, 0}, {0, 0, 2, 4}, {0, 0, 3, 0}};
    pv_i_buffer_text(csv, "a,b\n");
    for (size_t i = 0; i < 4; i++) {
        for (size_t j = 0; j < 4; j++) {
            for (unsigned n = 0; n < people[i][j]; n++) {
                pv_i_buffer_format(csv, "%zu,%c\n", i + 1, "pqrs"[j]);
            }
        }
    }
}

typedef struct {
    bound_study bound;
    pv_profile *profile;
} by_hand;

static by_hand by_hand_create(void)
{
    pv_buffer csv = {0};
    by_hand_table(&csv);
    by_hand h = {.bound = bound_study_create(by_hand_plan, csv.data)};
    h.profile = bound_profile(h.bound.study, 1);
    pv_i_buffer_deinit(&csv);
    return h;
}

static void by_hand_free(by_hand *h)
{
    pv_profile_free(h->profile);
    bound_study_free(&h->bound);
}

static const char *const k_dcn[] = {"k", "dcn", NULL};
static const char *const k_glm[] = {"k", "glm", NULL};

static void the_trace_by_hand_is_followed(void **state)
{
    static const struct {
        uint8_t levels[2];
        double k, dcn;
    } expected[] = {{{1, 0}, 1, 108}, {{0, 2}, 3, 158}, {{2, 0}, 4, 166},
                    {{1, 1}, 6, 198}, {{1, 2}, 9, 306}, {{2, 2}, 24, 576}};
    const search_request request = {.objectives = k_dcn, .method = "poka", .threads = 1};
    by_hand h = by_hand_create();
    pv_front *const front = search_front(h.profile, &request);
    (void)state;
    assert_int_equal(front->evaluated, 8);
    assert_int_equal(front->n_points, 6);
    for (size_t i = 0; i < 6; i++) {
        assert_memory_equal(front->points[i].levels, expected[i].levels, 2);
        assert_true(front->points[i].values[0] == expected[i].k);
        assert_true(front->points[i].values[1] == expected[i].dcn);
    }
    pv_front_free(front);
    by_hand_free(&h);
}

/* Of the eight evaluations of the trace, the bases found by then. */
static void a_limit_is_kept_exactly(void **state)
{
    static const size_t points[] = {1, 1, 2, 2, 2, 3, 3};
    by_hand h = by_hand_create();
    (void)state;
    for (uint64_t limit = 1; limit <= 7; limit++) {
        const search_request request = {
            .objectives = k_dcn, .method = "poka", .threads = 2, .max_evaluations = limit};
        pv_front *const front = search_front(h.profile, &request);
        assert_int_equal(front->stop, PV_STOP_EVALUATIONS);
        assert_int_equal(front->evaluated, limit);
        assert_int_equal(front->n_points, points[limit - 1]);
        assert_false(front->complete);
        pv_front_free(front);
    }
    by_hand_free(&h);
}

/* --------------------------------------------------------- stopped, refused */

static bool says_no(void *ctx, const pv_progress *progress)
{
    ++*(size_t *)ctx;
    assert_int_equal(progress->total, 0);
    return false;
}

static void cancelling_leaves_what_was_found(void **state)
{
    size_t asked = 0;
    const search_request request = {.objectives = k_dcn,
                                    .method = "poka",
                                    .threads = 2,
                                    .progress = says_no,
                                    .progress_ctx = &asked};
    by_hand h = by_hand_create();
    pv_front *const front = search_front(h.profile, &request);
    (void)state;
    assert_int_equal(asked, 1);
    assert_int_equal(front->stop, PV_STOP_CANCELLED);
    assert_false(front->complete);
    assert_int_equal(front->evaluated, 1);
    assert_int_equal(front->n_points, 1);
    assert_int_equal(front->points[0].k, 24);
    pv_front_free(front);
    by_hand_free(&h);
}

static void expect_refusal(const pv_profile *profile, const char *const *objectives,
                           const char *part)
{
    pv_error error;
    const search_request request = {.objectives = objectives, .method = "poka", .threads = 1};
    assert_null(search_try(profile, &request, &error));
    assert_int_equal(error.status, PV_STATUS_ARGUMENT);
    assert_non_null(strstr(error.message, part));
}

static void other_objectives_are_refused(void **state)
{
    static const char *const refused[][4] = {
        {"glm", "k"}, {"k", "gini"}, {"k", "risk"}, {"sum-k", "glm"}, {"k", "glm", "dcn"}};
    by_hand h = by_hand_create();
    (void)state;
    for (size_t i = 0; i < sizeof refused / sizeof *refused; i++) {
        expect_refusal(h.profile, refused[i], "k or risk and then a loss");
    }
    by_hand_free(&h);
}

static void it_says_that_it_proves_nothing(void **state)
{
    const pv_method *const method = pv_method_find("poka");
    (void)state;
    assert_non_null(method);
    assert_non_null(strstr(method->summary, "proves nothing"));
    assert_non_null(strstr(method->reference, "CIKM 2009"));
}

/* ------------------------------------------------------------ large lattices */

/* `n` columns of numbers 0..7, each with three levels above them: 4^n schemes. */
static bound_study wide_study(size_t n)
{
    pv_buffer plan = {0};
    pv_buffer csv = {0};
    pv_rng rng;
    pv_i_rng_init(&rng, 4);
    pv_i_buffer_text(&plan, "attributes:\n");
    for (size_t q = 0; q < n; q++) {
        pv_i_buffer_format(&plan, "  c%zu: {role: quasi, hierarchy: {intervals: [2, 4]}}\n", q);
        pv_i_buffer_format(&csv, q == 0 ? "c%zu" : ",c%zu", q);
    }
    for (size_t row = 0; row < 60; row++) {
        for (size_t q = 0; q < n; q++) {
            pv_i_buffer_format(&csv, q == 0 ? "\n%u" : ",%u",
                               (unsigned)pv_i_rng_below(&rng, 1 + pv_i_rng_below(&rng, 8)));
        }
    }
    pv_i_buffer_char(&csv, '\n');
    const bound_study s = bound_study_create(plan.data, csv.data);
    pv_i_buffer_deinit(&plan);
    pv_i_buffer_deinit(&csv);
    return s;
}

static void large_lattices_are_walked(void **state)
{
    bound_study s = wide_study(25);
    pv_profile *const profile = bound_profile(s.study, 1);
    search_request request = {
        .objectives = k_glm, .method = "poka", .threads = 1, .depth = 2, .max_evaluations = 200};
    pv_front *const alone = search_front(profile, &request);
    request.threads = 7;
    pv_front *const together = search_front(profile, &request);
    (void)state;
    assert_true(alone->nodes > 1e15);
    assert_true(alone->evaluated <= 200);
    assert_true(alone->n_points > 1);
    search_expect_same(alone, together);
    pv_front_free(alone);
    pv_front_free(together);
    pv_profile_free(profile);
    bound_study_free(&s);
}

/* More ground nodes than anybody can wait for. */
static void time_ends_a_search_that_evaluates_nothing(void **state)
{
    bound_study s = wide_study(25);
    pv_profile *const profile = bound_profile(s.study, 1);
    const search_request request = {
        .objectives = k_glm, .method = "poka", .threads = 1, .depth = 60, .max_seconds = 0.05};
    pv_front *const front = search_front(profile, &request);
    (void)state;
    assert_int_equal(front->stop, PV_STOP_TIME);
    assert_int_equal(front->evaluated, 1);
    assert_int_equal(front->n_points, 1);
    assert_true(front->seconds < 5);
    pv_front_free(front);
    pv_profile_free(profile);
    bound_study_free(&s);
}

static void uncountable_lattices_are_refused(void **state)
{
    bound_study s = wide_study(33);
    pv_profile *const profile = bound_profile(s.study, 1);
    (void)state;
    expect_refusal(profile, k_glm, "more than 2^64 schemes");
    pv_profile_free(profile);
    bound_study_free(&s);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(random_tables_are_searched_as_in_the_paper),
        cmocka_unit_test(the_trace_by_hand_is_followed),
        cmocka_unit_test(a_limit_is_kept_exactly),
        cmocka_unit_test(cancelling_leaves_what_was_found),
        cmocka_unit_test(other_objectives_are_refused),
        cmocka_unit_test(it_says_that_it_proves_nothing),
        cmocka_unit_test(large_lattices_are_walked),
        cmocka_unit_test(time_ends_a_search_that_evaluates_nothing),
        cmocka_unit_test(uncountable_lattices_are_refused),
    };
    return cmocka_run_group_tests_name("poka", tests, NULL, NULL);
}
