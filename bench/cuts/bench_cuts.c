/* Searches over cuts: how fast schemes are counted, how long NSGA-II takes, how long a proof.
 *
 *     bench_cuts PLAN THREADS
 *
 * Prints one line per figure, NAME VALUE. */
#include "front/opened.h"

#include "cuts/cut_search.h"

#include <inttypes.h>

#define MOST_SECONDS 120.0

typedef struct {
    pv_cut_space space;
    pv_cut_table table;
    pv_cut_prices prices;
    pv_context context;
} cuts;

static void open_cuts(cuts *c, const opened *o, unsigned threads)
{
    pv_error error = {0};
    *c = (cuts){.context = {.threads = threads}};
    bench_require(pv_i_cut_space_init(&c->space, o->study, false, &error) == PV_STATUS_OK &&
                      pv_i_cut_table_init(&c->table, o->profile, &c->space, 64 << 20, &error) ==
                          PV_STATUS_OK,
                  error.message);
    pv_i_cut_prices_init(&c->prices, &c->space);
}

static void open_run(cuts *c, pv_cut_run *run)
{
    pv_error error = {0};
    bench_require(pv_i_cut_run_init(run, &c->table, &c->prices, NULL, &c->context, &error) ==
                      PV_STATUS_OK,
                  error.message);
}

/* 50,000 evaluations as published, everything included. */
static void bench_nsga2(cuts *c)
{
    const pv_cut_search_options options = {.goal = {.k = 5}};
    pv_cut_run run;
    pv_cut_result result;
    pv_error error = {0};
    open_run(c, &run);
    const double start = pv_i_now();
    bench_require(pv_i_nsga2(&run, &options, &result, &error) == PV_STATUS_OK, error.message);
    printf("nsga2 %.3f\n", pv_i_now() - start);
    pv_i_cut_result_deinit(&result);
    pv_i_cut_run_deinit(&run);
}

/* What the search for k >= 5 looked at, counted again by a run that knows nothing. */
static void bench_counting(cuts *c)
{
    const pv_cut_search_options options = {.goal = {.k = 5}};
    const size_t n_bits = c->space.n_bits;
    pv_cut_run run;
    pv_cut_run again;
    pv_cut_result result;
    pv_error error = {0};
    open_run(c, &run);
    bench_require(pv_i_memetic(&run, &options, &result, &error) == PV_STATUS_OK, error.message);
    const size_t n = run.map.n;
    uint8_t *const schemes = malloc(n * n_bits);
    uint32_t *const ids = malloc(n * sizeof *ids);
    bench_require(schemes != NULL && ids != NULL, "out of memory");
    for (size_t i = 0; i < n; i++) {
        pv_i_cut_run_scheme(&run, (uint32_t)i, schemes + i * n_bits);
    }
    open_run(c, &again);
    const double start = pv_i_now();
    bench_require(pv_i_cut_run_evaluate(&again, schemes, n, ids, &error) == PV_STATUS_OK,
                  error.message);
    printf("per_second %.0f\n", (double)n / (pv_i_now() - start));
    free(schemes);
    free(ids);
    pv_i_cut_result_deinit(&result);
    pv_i_cut_run_deinit(&again);
    pv_i_cut_run_deinit(&run);
}

static bool in_time(void *ctx, uint64_t best, uint64_t bound, uint64_t nodes)
{
    (void)best;
    (void)bound;
    (void)nodes;
    return pv_i_now() < *(const double *)ctx;
}

/* The memetic search, then the proof from what it found. */
static void bench_proof(cuts *c, uint64_t k)
{
    const pv_cut_search_options searching = {.goal = {.k = k}};
    pv_cut_run run;
    pv_cut_result found;
    pv_cut_proof proof;
    pv_error error = {0};
    uint8_t *const best = malloc(c->space.n_bits);
    bench_require(best != NULL, "out of memory");
    open_run(c, &run);
    bench_require(pv_i_memetic(&run, &searching, &found, &error) == PV_STATUS_OK, error.message);
    const uint64_t before = pv_i_cut_run_outcome(&run, found.best)->cost;
    pv_i_cut_run_scheme(&run, found.best, best);
    const double start = pv_i_now();
    double until = start + MOST_SECONDS;
    const pv_cut_bnb_options proving = {.goal = {.k = k},
                                        .start = best,
                                        .threads = c->context.threads,
                                        .keep_going = in_time,
                                        .ctx = &until};
    bench_require(pv_i_cut_bnb(&c->table, &c->prices, &proving, best, &proof, &error) ==
                      PV_STATUS_OK,
                  error.message);
    printf("proof_%" PRIu64 " %.2f\n", k,
           proof.best == proof.bound ? pv_i_now() - start : MOST_SECONDS);
    printf("memetic_gap_%" PRIu64 " %.3f\n", k, 100 * ((double)before / (double)proof.best - 1));
    free(best);
    pv_i_cut_result_deinit(&found);
    pv_i_cut_run_deinit(&run);
}

/* The slowest of some further wishes. */
static void bench_step(const opened *o, const pv_context *context)
{
    const pv_preference_options options = {.k = 5, .prove = -1, .free_groups = true};
    double slowest = 0;
    pv_preference *preference = NULL;
    pv_error error = {0};
    bench_require(pv_preference_create(o->profile, &options, &preference, &error) == PV_STATUS_OK,
                  error.message);
    for (int i = 0; i < 6; i++) {
        const pv_aspiration wish = {.bias = 1 - 0.15 * i, .loss = 0.2 + 0.05 * i};
        pv_answer *answer = NULL;
        bench_require(pv_preference_aspire(preference, wish, context, &answer, &error) ==
                          PV_STATUS_OK,
                      error.message);
        slowest =
            i > 0 && pv_answer_seconds(answer) > slowest ? pv_answer_seconds(answer) : slowest;
        pv_answer_free(answer);
    }
    printf("step %.3f\n", slowest);
    pv_preference_free(preference);
}

int main(int argc, char **argv)
{
    static const uint64_t ks[] = {100, 50, 25, 10, 5, 2};
    bench_require(argc == 3, "usage: bench_cuts PLAN THREADS");
    opened o = open_plan(argv[1]);
    cuts c;
    open_cuts(&c, &o, (unsigned)atoi(argv[2]));
    printf("bits %zu\n", c.space.n_bits);
    bench_nsga2(&c);
    bench_counting(&c);
    bench_step(&o, &c.context);
    for (size_t i = 0; i < sizeof ks / sizeof *ks; i++) {
        bench_proof(&c, ks[i]);
    }
    printf("peak %.0f\n", bench_peak_megabytes());
    pv_i_cut_table_deinit(&c.table);
    pv_i_cut_space_deinit(&c.space);
    close_plan(&o);
    return 0;
}
