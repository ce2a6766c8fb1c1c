/* Searches and proofs over cuts as the paper on publisher preferences has them, for papers/pref.py.
 * `paravent prefer` does the same for publishers, but answers from everything it evaluated, where
 * the paper's search answers from its last population; and its proofs have a time, where a page
 * that is to come out the same needs a number of nodes.
 *
 *     cut_trials PLAN
 *
 * has the table in memory and answers each line of the standard input by a line of JSON:
 *
 *     axes
 *         rows, and how many values each attribute has, as cuts see them
 *
 *     search nsga2|memetic K NECD NWP POPULATION SEED
 *         the best scheme for this wish, and how many solutions came with it
 *
 *     prove loss|wish K NECD NWP NODES CUTS
 *         ever better schemes and bounds, from the scheme CUTS (0101...) on: for the loss alone, or
 *         for the wish; 0 nodes = as many as it takes */
#include "base/clock.h"
#include "cuts/cut_search.h"
#include "prefer/preference.h"

#include <inttypes.h>
#include <paravent/paravent.h>
#include <paravent/prefer.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { THREADS = 2, MOST_BITS = 512 };

typedef struct {
    pv_plan *plan;
    pv_study *study;
    pv_profile *profile;
    pv_cut_space space;
    pv_cut_table cuts;
    pv_cut_prices prices;
} table;

static const pv_context context = {.threads = THREADS};

static void require(bool holds, const char *what)
{
    if (!holds) {
        (void)fprintf(stderr, "cut_trials: %s\n", what);
        exit(1);
    }
}

/* The counting table refers to the space, so neither may be moved afterwards. */
static void table_open(table *t, const char *path)
{
    pv_error error = {0};
    require(pv_plan_read(path, &t->plan, &error) == PV_STATUS_OK &&
                pv_study_open(t->plan, NULL, NULL, &t->study, &error) == PV_STATUS_OK &&
                pv_profile_create(t->study, NULL, &t->profile, &error) == PV_STATUS_OK &&
                pv_i_cut_space_init(&t->space, t->study, false, &error) == PV_STATUS_OK &&
                pv_i_cut_table_init(&t->cuts, t->profile, &t->space, 64 << 20, &error) ==
                    PV_STATUS_OK,
            error.message);
    require(t->space.n_bits <= MOST_BITS, "there are too many cuts");
    pv_i_cut_prices_init(&t->prices, &t->space);
}

static void table_close(table *t)
{
    pv_i_cut_table_deinit(&t->cuts);
    pv_i_cut_space_deinit(&t->space);
    pv_profile_free(t->profile);
    pv_study_free(t->study);
    pv_plan_free(t->plan);
}

/* ------------------------------------------------------------------ wishes */

typedef struct {
    uint64_t k;
    pv_achievement goal;
} wish;

static wish read_wish(uint64_t k, double bias, double loss)
{
    wish w = {.k = k};
    pv_error error = {0};
    require(pv_achievement_init(&w.goal, (pv_aspiration){bias, loss}, &error) == PV_STATUS_OK,
            error.message);
    return w;
}

static pv_cut_run open_run(table *t)
{
    pv_cut_run run;
    pv_error error = {0};
    require(pv_i_cut_run_init(&run, &t->cuts, &t->prices, NULL, &context, &error) == PV_STATUS_OK,
            error.message);
    return run;
}

static pv_aspiration point_of(const pv_cut_run *run, uint32_t id)
{
    const pv_cut_outcome *const outcome = pv_i_cut_run_outcome(run, id);
    const pv_cut_sizes *const sizes = &outcome->sizes;
    return (pv_aspiration){.bias = (double)(sizes->largest - sizes->smallest) /
                                   (double)(sizes->n_rows - 1),
                           .loss = pv_i_cut_nwp(run->prices, outcome->cost)};
}

static uint64_t k_of(const pv_cut_run *run, uint32_t id)
{
    return pv_i_cut_run_outcome(run, id)->sizes.smallest;
}

/* The members of an object that say what a scheme is, without the brackets. */
static void print_scheme(const table *t, const wish *w, const pv_cut_run *run, uint32_t id)
{
    const pv_aspiration point = point_of(run, id);
    uint8_t cuts[MOST_BITS];
    pv_i_cut_run_scheme(run, id, cuts);
    (void)printf("\"k\":%" PRIu64 ",\"necd\":%.17g,\"nwp\":%.17g,\"achievement\":%.17g,"
                 "\"deviation\":%.17g,\"cuts\":\"",
                 k_of(run, id), point.bias, point.loss, pv_achievement_value(&w->goal, point),
                 pv_achievement_deviation(&w->goal, point));
    for (size_t i = 0; i < t->space.n_bits; i++) {
        (void)putchar('0' + cuts[i]);
    }
    (void)printf("\"");
}

/* --------------------------------------------------------------- questions */

static void answer_axes(const table *t)
{
    (void)printf("{\"rows\":%" PRIu64 ",\"values\":{", (uint64_t)t->space.n_rows);
    for (size_t q = 0; q < pv_study_quasis(t->study); q++) {
        (void)printf("%s\"%s\":%u", q > 0 ? "," : "", pv_study_quasi_name(t->study, q),
                     (unsigned)t->space.axes[q].n);
    }
    (void)printf("}}\n");
}

static void answer_search(table *t, const char *method, const wish *w, size_t population,
                          uint64_t seed)
{
    pv_cut_search_options options = {
        .goal = pv_i_achievement_goal(&w->goal, w->k), .seed = seed, .population = population};
    const bool published = strcmp(method, "nsga2") == 0;
    pv_cut_run run = open_run(t);
    pv_cut_result result;
    pv_error error = {0};
    require(pv_i_cut_search_fill(method, &options, &error) == PV_STATUS_OK, error.message);
    const double began = pv_i_now();
    require((published ? pv_i_nsga2 : pv_i_memetic)(&run, &options, &result, &error) ==
                PV_STATUS_OK,
            error.message);
    const double seconds = pv_i_now() - began;
    require(result.best != PV_CUT_NO_SCHEME, "a search found nothing");
    (void)putchar('{');
    print_scheme(t, w, &run, result.best);
    (void)printf(",\"solutions\":%zu,\"seconds\":%.6g,\"next\":", result.n_front, seconds);
    size_t next = 0; /* the one with the next higher k */
    while (next < result.n_front && k_of(&run, result.front[next]) <= k_of(&run, result.best)) {
        next++;
    }
    if (next < result.n_front) {
        (void)putchar('{');
        print_scheme(t, w, &run, result.front[next]);
        (void)printf("}}\n");
    } else {
        (void)printf("null}\n");
    }
    pv_i_cut_result_deinit(&result);
    pv_i_cut_run_deinit(&run);
}

static void answer_proof(table *t, bool by_loss, const wish *w, uint64_t max_nodes,
                         const char *start)
{
    const pv_cut_goal goal =
        by_loss ? (pv_cut_goal){.k = w->k} : pv_i_achievement_goal(&w->goal, w->k);
    uint8_t cuts[MOST_BITS];
    uint32_t id = 0;
    pv_cut_proof proof;
    pv_error error = {0};
    require(strlen(start) == t->space.n_bits, "these are no cuts of this table");
    for (size_t i = 0; i < t->space.n_bits; i++) {
        cuts[i] = start[i] == '1';
    }
    uint8_t best[MOST_BITS];
    const pv_cut_bnb_options options = {
        .goal = goal, .start = cuts, .threads = THREADS, .max_nodes = max_nodes};
    const double began = pv_i_now();
    require(pv_i_cut_bnb(&t->cuts, &t->prices, &options, best, &proof, &error) == PV_STATUS_OK,
            error.message);
    const double seconds = pv_i_now() - began;
    pv_cut_run run = open_run(t);
    require(pv_i_cut_run_evaluate(&run, best, 1, &id, &error) == PV_STATUS_OK, error.message);
    (void)putchar('{');
    print_scheme(t, w, &run, id);
    (void)printf(",\"bound\":%.17g,\"proven\":%s,\"nodes\":%" PRIu64 ",\"seconds\":%.6g}\n",
                 pv_i_achievement_of(&w->goal, pv_i_cut_value_nwp(&goal, &t->prices, proof.bound)),
                 proof.best == proof.bound ? "true" : "false", proof.nodes, seconds);
    pv_i_cut_run_deinit(&run);
}

static bool answer(table *t, const char *line)
{
    char word[16];
    char cuts[MOST_BITS + 1];
    uint64_t k;
    uint64_t number;
    uint64_t seed;
    double bias;
    double loss;
    if (strncmp(line, "axes", 4) == 0) {
        answer_axes(t);
    } else if (sscanf(line, "search %15s %" SCNu64 " %lf %lf %" SCNu64 " %" SCNu64, word, &k, &bias,
                      &loss, &number, &seed) == 6) {
        const wish w = read_wish(k, bias, loss);
        answer_search(t, word, &w, (size_t)number, seed);
    } else if (sscanf(line, "prove %15s %" SCNu64 " %lf %lf %" SCNu64 " %512s", word, &k, &bias,
                      &loss, &number, cuts) == 6) {
        const wish w = read_wish(k, bias, loss);
        answer_proof(t, strcmp(word, "loss") == 0, &w, number, cuts);
    } else {
        return false;
    }
    return fflush(stdout) == 0;
}

int main(int argc, char **argv)
{
    char line[1024];
    table t = {0};
    require(argc == 2, "usage: cut_trials PLAN");
    table_open(&t, argv[1]);
    while (fgets(line, sizeof line, stdin) != NULL) {
        require(answer(&t, line), "a question that is none, or nobody listens");
    }
    table_close(&t);
    return 0;
}
