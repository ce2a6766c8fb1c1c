/* Random restarts: the yardstick for searching a lattice too large to visit.
 *
 *     bench_restarts PLAN THREADS SECONDS SEED
 *
 * A descent starts at the top and lowers attributes chosen at random, one level at a time, while k
 * stays at least 5. As k never grows on the way down, an attribute that failed once fails until the
 * descent ends: it is closed, and nothing is tried twice. When all are closed, the descent stands
 * on a scheme below which there is no other, and the next one begins. Many descents go on side by
 * side, so that every evaluation is one that a single descent would have needed too, and all
 * threads are busy.
 *
 * Prints one line per figure: NAME VALUE UNIT. `loss_N` is the best after N seconds. */
#include "front/opened.h"
#include "lattice/driver.h"

#include "base/clock.h"
#include "base/memory.h"
#include "base/rng.h"

#include <inttypes.h>
#include <math.h>
#include <string.h>

#define LEAST_K 5
#define DESCENTS 32 /* side by side */

typedef struct {
    uint8_t *levels; /* feasible so far */
    size_t *open;    /* attributes that may be lowered yet */
    size_t n_open;
    size_t attribute; /* among the open ones: the one tried now */
} descent;

typedef struct {
    pv_context context;
    pv_run run;
    pv_rng rng;
    size_t n_axes;
    descent descents[DESCENTS];
    uint8_t *tried; /* one scheme per descent */
    pv_outcome outcomes[DESCENTS];
    double best;       /* loss */
    double next_print; /* seconds */
    uint64_t finished; /* descents */
} restarts;

static void to_the_top(restarts *r, descent *d)
{
    d->n_open = 0;
    for (size_t q = 0; q < r->n_axes; q++) {
        d->levels[q] = r->run.lattice.heights[q];
        if (d->levels[q] > 0) {
            d->open[d->n_open++] = q;
        }
    }
}

static void close_attribute(descent *d, size_t attribute)
{
    d->open[attribute] = d->open[--d->n_open];
}

/* One level down somewhere, as the scheme to try next. */
static void step_down(restarts *r, descent *d, uint8_t *tried)
{
    d->attribute = (size_t)pv_i_rng_below(&r->rng, d->n_open);
    memcpy(tried, d->levels, r->n_axes);
    tried[d->open[d->attribute]]--;
}

static void judge(restarts *r, descent *d, const uint8_t *tried, const pv_outcome *outcome)
{
    const size_t q = d->open[d->attribute];
    const bool holds = outcome->feasible && outcome->k >= LEAST_K;
    if (holds) {
        memcpy(d->levels, tried, r->n_axes);
        r->best = fmin(r->best, outcome->values[1]);
    }
    if (!holds || d->levels[q] == 0) {
        close_attribute(d, d->attribute);
    }
    if (d->n_open == 0) {
        r->finished++;
        to_the_top(r, d);
    }
}

static void advance(restarts *r)
{
    pv_error error = {0};
    for (size_t i = 0; i < DESCENTS; i++) {
        step_down(r, &r->descents[i], r->tried + i * r->n_axes);
    }
    bench_require(pv_i_run_evaluate(&r->run, r->tried, DESCENTS, r->outcomes, &error) ==
                      PV_STATUS_OK,
                  error.message);
    for (size_t i = 0; i < DESCENTS; i++) {
        judge(r, &r->descents[i], r->tried + i * r->n_axes, &r->outcomes[i]);
    }
}

static void print_moments(restarts *r)
{
    const double seconds = pv_i_now() - r->run.started;
    for (; r->next_print <= seconds; r->next_print *= 2) {
        printf("loss_%.0f %.1f glm\n", r->next_print, r->best);
        (void)fflush(stdout);
    }
}

static void print_figures(const restarts *r)
{
    const double seconds = pv_i_now() - r->run.started;
    const pv_measure *const glm = r->run.objectives[1].measure;
    printf("nodes %.3g nodes\n", r->run.lattice.size);
    printf("tuples %zu tuples\n", pv_profile_tuples(r->run.profile));
    printf("seconds %.2f s\n", seconds);
    printf("evaluated %" PRIu64 " schemes\n", r->run.evaluated);
    printf("rate %.1f per_second\n", (double)r->run.evaluated / seconds);
    printf("descents %" PRIu64 " descents\n", r->finished);
    printf("loss %.1f glm\n", r->best);
    printf("share %.6f of_all\n", pv_measure_share(glm, r->run.profile, r->best));
    printf("peak %.0f MB\n", bench_peak_megabytes());
}

static void begin(restarts *r, const opened *o, unsigned threads, double seconds, uint64_t seed)
{
    const pv_search_options options = {
        .max_seconds = seconds,
        .suppression = {.whole_budget = true, .budget = pv_study_budget(o->study)}};
    pv_error error = {0};
    *r = (restarts){.context = {.threads = threads}, .best = HUGE_VAL, .next_print = 1};
    bench_require(pv_i_run_init(&r->run, o->profile, &options, &r->context, &error) == PV_STATUS_OK,
                  error.message);
    pv_i_rng_init(&r->rng, seed);
    r->n_axes = r->run.lattice.n_axes;
    r->tried = PV_NEW_ARRAY(uint8_t, DESCENTS * r->n_axes);
    bench_require(r->tried != NULL, "out of memory");
    for (size_t i = 0; i < DESCENTS; i++) {
        descent *const d = &r->descents[i];
        *d = (descent){.levels = PV_NEW_ARRAY(uint8_t, r->n_axes),
                       .open = PV_NEW_ARRAY(size_t, r->n_axes)};
        bench_require(d->levels != NULL && d->open != NULL, "out of memory");
        to_the_top(r, d);
    }
}

static void end(restarts *r)
{
    for (size_t i = 0; i < DESCENTS; i++) {
        pv_i_free(r->descents[i].levels);
        pv_i_free(r->descents[i].open);
    }
    pv_i_free(r->tried);
    pv_i_run_deinit(&r->run);
}

int main(int argc, char **argv)
{
    restarts r;
    bench_require(argc == 5, "usage: bench_restarts PLAN THREADS SECONDS SEED");
    opened o = open_plan(argv[1]);
    begin(&r, &o, (unsigned)atoi(argv[2]), atof(argv[3]), strtoull(argv[4], NULL, 10));
    while (pv_i_run_goes_on(&r.run, r.run.evaluated)) {
        advance(&r);
        print_moments(&r);
    }
    print_figures(&r);
    end(&r);
    close_plan(&o);
    return 0;
}
