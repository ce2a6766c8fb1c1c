/* People by risk. Risks that are never negative differ by factors: their bins end at 1, 2 and 5
 * times powers of ten, or at powers of ten or of a hundred where these would be too many. The
 * others (model III) lie in bins of equal width. */
#include "disclose/bins.h"

#include <math.h>

#define MOST_STEPS (CLI_MOST_BINS - 1) /* one is for 0 */
#define LEAST_RISK 1e-12               /* what is smaller is as good as none */

/* The borders of the bins, the highest first. */
typedef struct {
    double borders[CLI_MOST_BINS + 1];
    size_t n;
} ladder;

/* ------------------------------------------------------------------ range */

typedef struct {
    double least, most;   /* of all */
    double least_above_0; /* INFINITY if there is none */
} range;

static void widen(range *r, double risk)
{
    r->least = fmin(r->least, risk);
    r->most = fmax(r->most, risk);
    if (risk > LEAST_RISK) {
        r->least_above_0 = fmin(r->least_above_0, risk);
    }
}

static range find_range(const pv_disclosure *disclosure)
{
    range r = {
        .least = (double)INFINITY, .most = -(double)INFINITY, .least_above_0 = (double)INFINITY};
    for (size_t t = 0; t < disclosure->n_tuples; t++) {
        widen(&r, disclosure->tuples[t].risk_raw);
        widen(&r, disclosure->tuples[t].risk);
    }
    return r;
}

/* ---------------------------------------------------------------- borders */

/* The step of a series of round numbers: of `per_ten` in every power of ten (1, 2, 5 or only 1), or
 * only in every `powers`-th. Divided rather than multiplied, because 5/1000 is the number that
 * people write as 0.005. */
static double round_number(int step, int per_ten, int powers)
{
    static const double digits[] = {1.0, 2.0, 5.0};
    const int below = step < 0 ? (step - per_ten + 1) / per_ten : step / per_ten;
    const double digit = digits[step - below * per_ten];
    const int power = below * powers;
    return power < 0 ? digit / pow(10.0, -power) : digit * pow(10.0, power);
}

static int step_above(double risk, int per_ten, int powers)
{
    int step = (int)floor(log10(risk) / powers) * per_ten;
    while (round_number(step, per_ten, powers) < risk) {
        step++;
    }
    return step;
}

/* From the first round number that no risk exceeds to the last that some do. */
static ladder factors(const range *r)
{
    static const struct {
        int per_ten, powers;
    } series[] = {{3, 1}, {1, 1}, {1, 2}, {1, 4}, {1, 8}};
    ladder l = {0};
    size_t s = 0;
    int top = step_above(r->most, 3, 1);
    int bottom = step_above(r->least_above_0, 3, 1);
    while (top - bottom >= MOST_STEPS && s + 1 < sizeof series / sizeof *series) {
        s++;
        top = step_above(r->most, series[s].per_ten, series[s].powers);
        bottom = step_above(r->least_above_0, series[s].per_ten, series[s].powers);
    }
    for (int step = top; step >= bottom - 1 && l.n <= MOST_STEPS; step--) {
        l.borders[l.n++] = round_number(step, series[s].per_ten, series[s].powers);
    }
    return l;
}

static ladder equal_widths(const range *r)
{
    ladder l = {0};
    const double span = r->most - r->least > LEAST_RISK ? r->most - r->least : 1.0;
    const double width = round_number(step_above(span / (MOST_STEPS - 3), 3, 1), 3, 1);
    const double top = ceil(r->most / width);
    do {
        l.borders[l.n] = (top - (double)l.n) * width;
        l.n++;
    } while (l.n < 2 || (l.borders[l.n - 1] >= r->least && l.n <= MOST_STEPS));
    return l;
}

/* -------------------------------------------------------------------- bins */

static cli_bin *bin_of(cli_bin *bins, size_t n, double risk)
{
    size_t i = 0;
    while (i + 1 < n && risk <= bins[i].from) {
        i++;
    }
    return &bins[i];
}

size_t cli_risk_bins(const cli_disclosed *disclosed, cli_bin bins[CLI_MOST_BINS])
{
    const pv_disclosure *const d = disclosed->disclosure;
    const pv_profile *const profile = cli_disclosed_opened(disclosed)->profile;
    const range r = find_range(d);
    const bool negative = disclosed->query->options.risk == PV_RISK_III;
    if (!negative && !isfinite(r.least_above_0)) {
        bins[0] = (cli_bin){.before = pv_profile_rows(profile), .after = pv_profile_rows(profile)};
        return 1; /* nobody has any */
    }
    const ladder l = negative ? equal_widths(&r) : factors(&r);
    size_t n = l.n - 1;
    for (size_t i = 0; i < n; i++) {
        bins[i] = (cli_bin){.to = l.borders[i], .from = l.borders[i + 1]};
    }
    if (!negative && r.least < r.least_above_0) {
        bins[n++] = (cli_bin){.to = 0.0, .from = -1.0}; /* those who have no risk at all */
    }
    for (size_t t = 0; t < d->n_tuples; t++) {
        const uint64_t people = pv_profile_count(profile, t);
        bin_of(bins, n, d->tuples[t].risk_raw)->before += people;
        bin_of(bins, n, d->tuples[t].risk)->after += people;
    }
    return n;
}
