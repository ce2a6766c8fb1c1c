/* Disclosure record by record.
 *
 *     bench_disclose PLAN THREADS scan ROUNDS             every record at once
 *     bench_disclose PLAN THREADS one UTILITY RISK        the same, for one utility and risk model
 *     bench_disclose PLAN THREADS records SHARE LIMIT     some records, one by one
 *
 * Prints one line per figure, NAME VALUE; times in seconds, `scan` the best of so many rounds. Half
 * of the utility is kept; of single records a SHARE, with at most LIMIT nodes of a record's lattice
 * visited. */
#include "front/opened.h"
#include "records/disclosure.h"

#include <math.h>
#include <string.h>

/* Records solved one by one. */
#define SOME 10

static pv_disclosure *disclose(const opened *o, const pv_disclose_options *options,
                               const pv_context *context)
{
    pv_disclosure *disclosure = NULL;
    pv_error error = {0};
    bench_require(pv_disclose(o->profile, options, context, &disclosure, &error) == PV_STATUS_OK,
                  error.message);
    return disclosure;
}

/* ------------------------------------------------------------- all at once */

static double scan(const opened *o, const pv_context *context, pv_utility utility, pv_risk risk)
{
    const pv_disclose_options options = {
        .utility = utility, .risk = risk, .bound = 0.5, .is_share = true, .method = "scan"};
    pv_disclosure *const d = disclose(o, &options, context);
    const double seconds = d->seconds;
    pv_disclosure_free(d);
    return seconds;
}

static double best_scan(const opened *o, const pv_context *context, pv_utility utility,
                        pv_risk risk, int rounds)
{
    double best = HUGE_VAL;
    for (int i = 0; i < rounds; i++) {
        best = fmin(best, scan(o, context, utility, risk));
    }
    return best;
}

static void bench_scan(const opened *o, const pv_context *context, int rounds)
{
    double slowest = 0;
    for (int u = 0; u < PV_UTILITY_COUNT; u++) {
        for (int r = 0; r < PV_RISK_COUNT; r++) {
            const double seconds = best_scan(o, context, (pv_utility)u, (pv_risk)r, rounds);
            printf("%s_%s %.3f\n", pv_utility_name((pv_utility)u), pv_risk_name((pv_risk)r),
                   seconds);
            slowest = fmax(slowest, seconds);
        }
    }
    printf("slowest %.3f\n", slowest);
}

static void bench_one(const opened *o, const pv_context *context, const char *utility_name,
                      const char *risk_name)
{
    pv_utility utility = PV_UTILITY_DEPTH;
    pv_risk risk = PV_RISK_I;
    bench_require(pv_utility_parse(utility_name, &utility) && pv_risk_parse(risk_name, &risk),
                  "there is no such utility or risk model");
    printf("scan %.3f\n", scan(o, context, utility, risk));
}

/* -------------------------------------------------------------- one by one */

/* Records spread over the profile. */
static size_t pick_some(const opened *o, size_t *some)
{
    const size_t n_tuples = pv_profile_tuples(o->profile);
    const size_t n = n_tuples < SOME ? n_tuples : SOME;
    for (size_t i = 0; i < n; i++) {
        some[i] = (2 * i + 1) * n_tuples / (2 * n);
    }
    return n;
}

static void bench_method(const opened *o, const pv_context *context,
                         const pv_disclose_options *options)
{
    pv_disclosure *const d = disclose(o, options, context);
    uint64_t most = 0;
    size_t finished = 0;
    for (size_t i = 0; i < options->n_only; i++) {
        const pv_disclosed *const record = &d->tuples[options->only[i]];
        most = record->visited > most ? record->visited : most;
        finished += record->is_optimal;
    }
    printf("%s_seconds %.4f\n", d->method, d->seconds / (double)options->n_only);
    printf("%s_visited %.0f\n", d->method, (double)d->visited / (double)options->n_only);
    printf("%s_most %.0f\n", d->method, (double)most);
    printf("%s_finished %.0f\n", d->method, 100.0 * (double)finished / (double)options->n_only);
    pv_disclosure_free(d);
}

static void bench_records(const opened *o, const pv_context *context, double share, uint64_t limit)
{
    static const char *const methods[] = {"btda", "aruba", "bnb"};
    size_t some[SOME];
    const size_t n = pick_some(o, some);
    for (size_t m = 0; m < sizeof methods / sizeof *methods; m++) {
        const pv_disclose_options options = {.bound = share,
                                             .is_share = true,
                                             .method = methods[m],
                                             .only = some,
                                             .n_only = n,
                                             .max_visited = limit};
        bench_method(o, context, &options);
    }
}

int main(int argc, char **argv)
{
    const char *const what = argc > 4 ? argv[3] : "";
    const bool knows = (argc == 5 && strcmp(what, "scan") == 0) ||
                       (argc == 6 && (strcmp(what, "one") == 0 || strcmp(what, "records") == 0));
    bench_require(knows, "usage: bench_disclose PLAN THREADS scan ROUNDS | one UTILITY RISK | "
                         "records SHARE LIMIT");
    const pv_context context = {.threads = (unsigned)atoi(argv[2])};
    opened o = open_plan(argv[1]);
    printf("tuples %zu\n", pv_profile_tuples(o.profile));
    if (strcmp(what, "scan") == 0) {
        bench_scan(&o, &context, atoi(argv[4]));
    } else if (strcmp(what, "one") == 0) {
        bench_one(&o, &context, argv[4], argv[5]);
    } else {
        bench_records(&o, &context, atof(argv[4]), strtoull(argv[5], NULL, 10));
    }
    printf("peak %.0f\n", bench_peak_megabytes());
    close_plan(&o);
    return 0;
}
