/* The experiments on the Adult table: every search and every proof the page tells about. */
#include "pref_report.h"

#include "base/clock.h"
#include "prefer/preference.h"

const uint64_t pref_ks[KS] = {2, 5, 10, 25, 50, 100};
const size_t pref_populations[POPULATIONS] = {100, 250, 500};
const double pref_biases[BIASES] = {1.0, 0.5, 0.1, 0.05, 0.01};
const double pref_loss = 0.2;
const unsigned pref_values[COLUMNS] = {20, 7, 16, 7, 14, 5, 2, 41, 2};
const char *const pref_vectors[VECTORS] = {
    "all equal", "as the square of the number of values: large domains first",
    "4 for age, marital-status, race and sex, 1 for the others",
    "4 for workclass, education, occupation and salary-class, 1 for the others",
    "8 for native-country, 1 for the others: half of all"};

/* ---------------------------------------------------------------- the table */

static adult open_adult(const char *folder, const double *weights)
{
    pv_plan *const plan = report_plan(folder, "plan-cuts.yaml");
    require(plan->n_attributes == COLUMNS, "the plan has other attributes than the paper");
    for (size_t i = 0; weights != NULL && i < COLUMNS; i++) {
        plan->attributes[i].weight = weights[i];
    }
    return (adult){.table = report_open_plan(plan)};
}

/* The table refers to the space, so neither may be moved afterwards. */
static void init_cuts(adult *a)
{
    pv_error error = {0};
    require(pv_i_cut_space_init(&a->space, a->table.study, false, &error) == PV_STATUS_OK &&
                pv_i_cut_table_init(&a->cuts, a->table.profile, &a->space, 64 << 20, &error) ==
                    PV_STATUS_OK,
            error.message);
    require(a->space.n_bits <= MOST_BITS, "there are too many cuts");
    pv_i_cut_prices_init(&a->prices, &a->space);
}

static void close_adult(adult *a)
{
    pv_i_cut_table_deinit(&a->cuts);
    pv_i_cut_space_deinit(&a->space);
    report_close(&a->table);
}

/* ----------------------------------------------------------------- searches */

/* A wish, on a table. */
typedef struct {
    adult *table;
    pv_achievement goal;
    uint64_t k;
    size_t population; /* 0 = the paper's */
} quest;

static quest quest_for(adult *a, uint64_t k, pv_aspiration wish, size_t population)
{
    quest q = {.table = a, .k = k, .population = population};
    pv_error error = {0};
    require(pv_achievement_init(&q.goal, wish, &error) == PV_STATUS_OK, error.message);
    return q;
}

static pv_cut_run open_run(const quest *q)
{
    pv_cut_run run;
    pv_error error = {0};
    require(pv_i_cut_run_init(&run, &q->table->cuts, &q->table->prices, NULL, &report_context,
                              &error) == PV_STATUS_OK,
            error.message);
    return run;
}

static solution solution_of(const quest *q, const pv_cut_run *run, uint32_t id)
{
    const pv_cut_outcome *const outcome = pv_i_cut_run_outcome(run, id);
    const pv_cut_sizes *const sizes = &outcome->sizes;
    solution s = {
        .k = sizes->smallest,
        .point = {.bias = (double)(sizes->largest - sizes->smallest) / (double)(sizes->n_rows - 1),
                  .loss = pv_i_cut_nwp(run->prices, outcome->cost)}};
    s.achievement = pv_achievement_value(&q->goal, s.point);
    s.deviation = pv_achievement_deviation(&q->goal, s.point);
    pv_i_cut_run_scheme(run, id, s.cuts);
    return s;
}

/* What has the next higher k than the best. */
static void note_next(trial *t, const quest *q, const pv_cut_run *run, const pv_cut_result *result)
{
    for (size_t i = 0; !t->has_next && i < result->n_front; i++) {
        t->next = solution_of(q, run, result->front[i]);
        t->has_next = t->next.k > t->found[0].k;
    }
}

typedef pv_status (*method)(pv_cut_run *run, const pv_cut_search_options *options,
                            pv_cut_result *result, pv_error *error);

static void run_once(trial *t, const quest *q, method search, size_t i)
{
    const pv_cut_search_options options = {
        .goal = pv_i_achievement_goal(&q->goal, q->k), .seed = i + 1, .population = q->population};
    pv_cut_run run = open_run(q);
    pv_cut_result result;
    pv_error error = {0};
    const double start = pv_i_now();
    require(search(&run, &options, &result, &error) == PV_STATUS_OK, error.message);
    t->seconds += (pv_i_now() - start) / SEEDS;
    require(result.best != PV_CUT_NO_SCHEME, "a search found nothing");
    t->found[i] = solution_of(q, &run, result.best);
    t->returned += (double)result.n_front / SEEDS;
    if (i == 0) {
        note_next(t, q, &run, &result);
    }
    pv_i_cut_result_deinit(&result);
    pv_i_cut_run_deinit(&run);
}

static trial try_all_seeds(const quest *q, method search)
{
    trial t = {0};
    for (size_t i = 0; i < SEEDS; i++) {
        run_once(&t, q, search, i);
        const double achievement = t.found[i].achievement;
        t.best = achievement < t.found[t.best].achievement ? i : t.best;
        t.worst = achievement > t.found[t.worst].achievement ? i : t.worst;
        t.achievement += achievement / SEEDS;
        t.deviation += t.found[i].deviation / SEEDS;
    }
    return t;
}

/* ------------------------------------------------------------------- proofs */

/* Ever better schemes and bounds for a goal, from a scheme on. */
static proof prove(const quest *q, const pv_cut_goal *goal, const solution *start,
                   uint64_t max_nodes)
{
    const pv_cut_bnb_options options = {
        .goal = *goal, .start = start->cuts, .threads = THREADS, .max_nodes = max_nodes};
    adult *const a = q->table;
    pv_cut_run run = open_run(q);
    pv_cut_proof found;
    uint8_t cuts[MOST_BITS];
    uint32_t id = 0;
    pv_error error = {0};
    const double began = pv_i_now();
    require(pv_i_cut_bnb(&a->cuts, &a->prices, &options, cuts, &found, &error) == PV_STATUS_OK,
            error.message);
    const double seconds = pv_i_now() - began;
    require(pv_i_cut_run_evaluate(&run, cuts, 1, &id, &error) == PV_STATUS_OK, error.message);
    const proof p = {
        .best = solution_of(q, &run, id),
        .bound = pv_i_achievement_of(&q->goal, pv_i_cut_value_nwp(goal, &a->prices, found.bound)),
        .is_proven = found.best == found.bound,
        .nodes = found.nodes,
        .seconds = seconds};
    pv_i_cut_run_deinit(&run);
    return p;
}

/* Does the bias of a scheme not matter for its achievement? Then, if its loss is the least there
 * is, so is its achievement. */
static bool loss_decides(const quest *q, const solution *s)
{
    const pv_aspiration unbiased = {.bias = 0, .loss = s->point.loss};
    return !(s->achievement > pv_achievement_value(&q->goal, unbiased));
}

/* The proof of another wish with the same loss, seen from this one. */
static proof reuse(const quest *q, const answer *known)
{
    proof p = {.best = known->proof.best,
               .bound = pv_i_achievement_of(&q->goal, known->least_loss),
               .is_proven = known->proof.is_proven,
               .by_loss = true};
    p.best.achievement = pv_achievement_value(&q->goal, p.best.point);
    p.best.deviation = pv_achievement_deviation(&q->goal, p.best.point);
    return p;
}

static proof prove_loss(const quest *q, const solution *start, uint64_t max_nodes)
{
    const pv_cut_goal loss = {.k = q->k};
    proof p = prove(q, &loss, start, max_nodes);
    p.by_loss = true;
    return p;
}

static double larger(double a, double b)
{
    return a > b ? a : b;
}

/* What the least loss cannot decide takes a proof with the bias in it. */
static void prove_bias(const quest *q, answer *a)
{
    const pv_cut_goal goal = pv_i_achievement_goal(&q->goal, q->k);
    const double by_loss = a->proof.bound;
    a->proof = prove(q, &goal, &a->memetic.found[a->memetic.best], BIAS_PROOF_NODES);
    a->proof.bound = larger(a->proof.bound, by_loss);
}

answer pref_answer(adult *table, uint64_t k, pv_aspiration wish, uint64_t max_nodes,
                   const answer *known)
{
    const quest q = quest_for(table, k, wish, 0);
    answer a = {.goal = q.goal, .k = k};
    a.nsga2 = try_all_seeds(&q, pv_i_nsga2);
    a.memetic = try_all_seeds(&q, pv_i_memetic);
    a.proof = known != NULL ? reuse(&q, known)
                            : prove_loss(&q, &a.memetic.found[a.memetic.best], max_nodes);
    a.least_loss =
        known != NULL ? known->least_loss : a.proof.bound / (1 - q.goal.weight) + q.goal.utopia;
    if (!loss_decides(&q, &a.proof.best)) {
        prove_bias(&q, &a);
    }
    return a;
}

/* -------------------------------------------------------------- experiments */

static void run_ks(experiments *e)
{
    for (size_t i = 0; i < KS; i++) {
        e->by_k[i] =
            pref_answer(&e->adult, pref_ks[i], (pv_aspiration){pref_biases[0], pref_loss}, 0, NULL);
    }
}

static void run_populations(experiments *e)
{
    for (size_t i = 0; i < POPULATIONS; i++) {
        const quest q = quest_for(&e->adult, USUAL_K, (pv_aspiration){pref_biases[0], pref_loss},
                                  pref_populations[i]);
        e->by_population[i] = (population_trial){.population = pref_populations[i],
                                                 .nsga2 = try_all_seeds(&q, pv_i_nsga2),
                                                 .memetic = try_all_seeds(&q, pv_i_memetic)};
    }
}

/* The vectors as pref_vectors tells them. */
static double weight_of(const adult *a, size_t vector, size_t column)
{
    static const double fixed[VECTORS][COLUMNS] = {[0] = {1, 1, 1, 1, 1, 1, 1, 1, 1},
                                                   [2] = {4, 1, 1, 4, 1, 4, 4, 1, 1},
                                                   [3] = {1, 4, 4, 1, 4, 1, 1, 1, 4},
                                                   [4] = {1, 1, 1, 1, 1, 1, 1, 8, 1}};
    const double n = a->space.axes[column].n;
    return vector == 1 ? n * n : fixed[vector][column];
}

static void fill_weights(experiments *e)
{
    for (size_t v = 0; v < VECTORS; v++) {
        double sum = 0;
        for (size_t c = 0; c < COLUMNS; c++) {
            e->weights[v][c] = weight_of(&e->adult, v, c);
            sum += e->weights[v][c];
        }
        for (size_t c = 0; c < COLUMNS; c++) {
            e->weights[v][c] /= sum;
        }
    }
}

/* The second vector stays for the wishes about the bias; the first of these is the usual one. */
static void run_vector(experiments *e, const char *folder, size_t v)
{
    const pv_aspiration wish = {pref_biases[0], pref_loss};
    adult a = open_adult(folder, e->weights[v]);
    init_cuts(&a);
    e->by_weight[v] = pref_answer(&a, USUAL_K, wish, PROOF_NODES, NULL);
    e->by_bias[0] = v == 1 ? e->by_weight[v] : e->by_bias[0];
    for (size_t i = 1; v == 1 && i < BIASES; i++) {
        e->by_bias[i] = pref_answer(&a, USUAL_K, (pv_aspiration){pref_biases[i], pref_loss}, 0,
                                    &e->by_weight[v]);
    }
    close_adult(&a);
}

void pref_run(experiments *e, const char *folder)
{
    e->example = pref_example();
    e->adult = open_adult(folder, NULL);
    init_cuts(&e->adult);
    run_ks(e);
    run_populations(e);
    fill_weights(e);
    e->by_weight[0] = *pref_by_k(e, USUAL_K);
    for (size_t v = 1; v < VECTORS; v++) {
        run_vector(e, folder, v);
    }
}

void pref_free(experiments *e)
{
    close_adult(&e->adult);
}

/* ------------------------------------------------------------ what comes of */

const answer *pref_by_k(const experiments *e, uint64_t k)
{
    size_t i = 0;
    while (pref_ks[i] != k) {
        i++;
    }
    return &e->by_k[i];
}

double pref_gap(const answer *a, double achievement)
{
    return achievement / a->proof.bound - 1;
}

size_t pref_hits(const answer *a, const trial *t)
{
    size_t n = 0;
    for (size_t i = 0; i < SEEDS; i++) {
        n += !(t->found[i].achievement > a->proof.best.achievement);
    }
    return n;
}

unsigned pref_groups(const adult *a, const solution *s, size_t column)
{
    const pv_cut_axis *const axis = &a->space.axes[column];
    unsigned n = 1;
    for (size_t i = 0; i + 1 < axis->n; i++) {
        n += s->cuts[axis->first_bit + i];
    }
    return n;
}
