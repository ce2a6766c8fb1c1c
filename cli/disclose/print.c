/* What `disclose` found, for people: risk before and after, what is still shown of whom, and how it
 * was found. Values of the data are counted, never shown. */
#include "core/grid.h"
#include "core/text.h"
#include "disclose/disclose.h"
#include "release/release.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define RISK_BAR 17
#define LEVEL_BAR 20

static double share(uint64_t part, uint64_t whole)
{
    return whole > 0 ? (double)part / (double)whole : 0.0;
}

static const char *dictionary_name(const cli_disclosed *d)
{
    return d->query.given->dictionary != NULL ? "dictionary" : "table";
}

/* ---------------------------------------------------------------- summary */

static char *aim_text(const cli_disclosed *d)
{
    const pv_disclose_options *const options = &d->query.options;
    const cli_number bound =
        cli_value_text(options->is_share ? options->bound * 100.0 : options->bound);
    switch (options->aim) {
    case PV_AIM_MOST_UTILITY:
        return cli_format("as much detail as a risk of at most %s allows", bound.text);
    case PV_AIM_BALANCE: return cli_format("the least risk - %s * utility", bound.text);
    default:
        return cli_format(options->is_share ? "the least risk that leaves them %s%% of their detail"
                                            : "the least risk that leaves them a utility of %s",
                          bound.text);
    }
}

static void print_title(const cli_report *report, const cli_disclosed *d)
{
    char *const aim = aim_text(d);
    cli_paragraph(
        report, 0, "%s: for each of %s %s.",
        pv_table_source(pv_study_table(cli_disclosed_opened(d)->study)),
        cli_plural_text(pv_disclosure_summary_n_rows(d->summary), "person", "people").text, aim);
    cli_blank(report);
    free(aim);
}

/* "5.03 before, 0.012 after, 419 times less". */
static void print_change(const cli_report *report, const char *label, double before, double after)
{
    const double times = after > 0.0 ? before / after : 0.0;
    const double rounded = times < 10.0 ? nearbyint(times * 10.0) / 10.0 : nearbyint(times);
    char less[64] = "";
    if (rounded > 1.0) {
        (void)snprintf(less, sizeof less, ", %s times less", cli_value_text(rounded).text);
    }
    cli_fact(report, CLI_STRONG, label, "%s before, %s after%s", cli_value_text(before).text,
             cli_value_text(after).text, less);
}

static void print_fitting(const cli_report *report, const cli_disclosed *d)
{
    const uint64_t rows = pv_disclosure_summary_n_rows(d->summary);
    const char *const where = dictionary_name(d);
    const cli_fitting before = cli_people_fitting(d, false);
    const cli_fitting after = cli_people_fitting(d, true);
    cli_fact(report, after.one > 0 ? CLI_BAD : CLI_GOOD, "singled out",
             "%s (%s) before, %s after: just one row of the %s fits what is shown of them",
             cli_plural_text(before.one, "person", "people").text,
             cli_share_text(share(before.one, rows)).text, cli_count_text(after.one).text, where);
    if (before.none > 0 || after.none > 0) {
        cli_fact(report, CLI_NEUTRAL, "not to be found",
                 "%s (%s) before, %s after: no row of the %s fits them",
                 cli_plural_text(before.none, "person", "people").text,
                 cli_share_text(share(before.none, rows)).text, cli_count_text(after.none).text,
                 where);
    }
}

static void print_infeasible(const cli_report *report, const cli_disclosed *d)
{
    const uint64_t infeasible = pv_disclosure_summary_n_infeasible(d->summary);
    if (infeasible == 0) {
        return;
    }
    bool is_unknown = false; /* nobody knows whether there is something */
    for (size_t t = 0; t < pv_disclosure_n_tuples(d->disclosure); t++) {
        is_unknown |= !pv_disclosure_is_feasible(d->disclosure, t) &&
                      !pv_disclosure_is_optimal(d->disclosure, t);
    }
    cli_fact(report, CLI_BAD, "out of reach", "for %s (%s) %s; they are `*` everywhere",
             cli_plural_text(infeasible, "person", "people").text,
             cli_share_text(share(infeasible, pv_disclosure_summary_n_rows(d->summary))).text,
             pv_disclosure_is_stopped(d->disclosure) ? "nothing was found before the interruption"
             : is_unknown                            ? "nothing was found that keeps the bound"
                                                     : "nothing keeps the bound");
}

static bool is_nothing_shown(const cli_disclosed *d)
{
    const pv_study *const study = cli_disclosed_opened(d)->study;
    bool nothing = true;
    for (size_t t = 0; nothing && t < pv_disclosure_n_tuples(d->disclosure); t++) {
        for (size_t q = 0; q < cli_disclosed_n_quasi(d); q++) {
            nothing = nothing &&
                      cli_shown_level(d, t, q) == pv_hierarchy_height(pv_study_hierarchy(study, q));
        }
    }
    return nothing;
}

/* All figures are those of the release, which may show less than was chosen. */
static void print_enforced(const cli_report *report, const cli_disclosed *d)
{
    if (!d->is_released || d->enforced.changed == 0) {
        return;
    }
    if (is_nothing_shown(d)) {
        cli_fact(report, CLI_BAD, "as released",
                 "everyone is `*` in every quasi-identifier: nothing that shows more of anyone was "
                 "found that keeps what is demanded");
    } else if (d->enforced.finer > 0) {
        cli_fact(report, CLI_BAD, "as released",
                 "%s shown otherwise than chosen, to keep what is demanded, %s with more detail in "
                 "some attributes: only levels for everyone alike kept it. %s hidden altogether; "
                 "as chosen the mean risk was %s",
                 cli_plural_text(d->enforced.changed, "person is", "people are").text,
                 cli_count_text(d->enforced.finer).text,
                 cli_plural_text(d->enforced.suppressed, "person is", "people are").text,
                 cli_value_text(d->risk_chosen).text);
    } else {
        cli_fact(report, CLI_NEUTRAL, "as released",
                 "%s shown less of than chosen, to keep what is demanded, %s hidden altogether; as "
                 "chosen the mean risk was %s",
                 cli_plural_text(d->enforced.changed, "person is", "people are").text,
                 cli_plural_text(d->enforced.suppressed, "person is", "people are").text,
                 cli_value_text(d->risk_chosen).text);
    }
}

/* A number without a unit would be read as a probability. */
static void print_risk_unit(const cli_report *report, const cli_disclosed *d)
{
    static const char *const words[] = {
        [PV_RISK_I] =
            "sensitivity of the shown values per person who fits them: no probability, it can be "
            "above 1",
        [PV_RISK_II] = "the probability of being picked among those who fit: 1 is one person",
        [PV_RISK_III] = "minus the sensitivity times the logarithm of the people who fit: no "
                        "probability, less is better",
    };
    cli_fact(report, CLI_NEUTRAL, "unit of risk", "%s", words[d->query.options.risk]);
}

static void print_summary(const cli_report *report, const cli_disclosed *d)
{
    const pv_spread *const before = pv_disclosure_summary_risk_before(d->summary);
    const pv_spread *const after = pv_disclosure_summary_risk_after(d->summary);
    const pv_spread *const kept = pv_disclosure_summary_utility_kept(d->summary);
    print_title(report, d);
    print_change(report, "mean risk", before->mean, after->mean);
    print_change(report, "worst risk", before->most, after->most);
    print_risk_unit(report, d);
    cli_fact(report, CLI_STRONG, "detail kept", "%s on average, %s at least, %s at most",
             cli_share_text(kept->mean).text, cli_share_text(kept->least).text,
             cli_share_text(kept->most).text);
    print_fitting(report, d);
    print_infeasible(report, d);
    print_enforced(report, d);
}

/* -------------------------------------------------------------------- bins */

#define MOST_BINS 14
#define MOST_STEPS (MOST_BINS - 1) /* one is for 0 */
#define LEAST_RISK 1e-12           /* what is smaller is as good as none */

/* People with a risk above `from`, up to `to`; the worst bin comes first. Risks that are never
 * negative differ by factors: their bins end at 1, 2 and 5 times powers of ten, or at powers of ten
 * or of a hundred where these would be too many. The others (model III) lie in bins of equal width.
 */
typedef struct {
    double from, to;
    uint64_t before, after; /* people */
} risk_bin;

/* The borders of the bins, the highest first. */
typedef struct {
    double borders[MOST_BINS + 1];
    size_t n;
} ladder;

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
    for (size_t t = 0; t < pv_disclosure_n_tuples(disclosure); t++) {
        widen(&r, pv_disclosure_risk_raw(disclosure, t));
        widen(&r, pv_disclosure_risk(disclosure, t));
    }
    return r;
}

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

static risk_bin *bin_of(risk_bin *bins, size_t n, double risk)
{
    size_t i = 0;
    while (i + 1 < n && risk <= bins[i].from) {
        i++;
    }
    return &bins[i];
}

/* Returns the number of bins. The one that ends at 0 where no risk is negative holds those who have
 * none. */
static size_t count_bins(const cli_disclosed *disclosed, risk_bin bins[MOST_BINS])
{
    const pv_disclosure *const d = disclosed->disclosure;
    const pv_profile *const profile = cli_disclosed_opened(disclosed)->profile;
    const range r = find_range(d);
    const bool negative = disclosed->query.options.risk == PV_RISK_III;
    if (!negative && !isfinite(r.least_above_0)) {
        bins[0] = (risk_bin){.before = pv_profile_rows(profile), .after = pv_profile_rows(profile)};
        return 1; /* nobody has any */
    }
    const ladder l = negative ? equal_widths(&r) : factors(&r);
    size_t n = l.n - 1;
    for (size_t i = 0; i < n; i++) {
        bins[i] = (risk_bin){.to = l.borders[i], .from = l.borders[i + 1]};
    }
    if (!negative && r.least < r.least_above_0) {
        bins[n++] = (risk_bin){.to = 0.0, .from = -1.0}; /* those who have no risk at all */
    }
    for (size_t t = 0; t < pv_disclosure_n_tuples(d); t++) {
        const uint64_t people = pv_profile_count(profile, t);
        bin_of(bins, n, pv_disclosure_risk_raw(d, t))->before += people;
        bin_of(bins, n, pv_disclosure_risk(d, t))->after += people;
    }
    return n;
}

/* ------------------------------------------------------------------- risk */

static char *bin_text(const risk_bin *bin, bool negative)
{
    return !negative && bin->to <= 0.0 ? cli_copy("none")
                                       : cli_format("%s to %s", cli_value_text(bin->from).text,
                                                    cli_value_text(bin->to).text);
}

static void print_people(const cli_report *report, cli_grid *grid, uint64_t people, uint64_t rows)
{
    char bar[CLI_BAR_SIZE];
    cli_bar(report, share(people, rows), RISK_BAR, bar);
    cli_grid_cell(grid, "%s", cli_count_text(people).text);
    cli_grid_cell(grid, "%s", bar);
}

static void print_risks(const cli_report *report, const cli_disclosed *d)
{
    static const cli_column columns[] = {{"risk above, up to", CLI_RIGHT},
                                         {"before", CLI_RIGHT},
                                         {"", CLI_RAW},
                                         {"after", CLI_RIGHT},
                                         {"", CLI_RAW},
                                         {NULL, CLI_LEFT}};
    const bool negative = d->query.options.risk == PV_RISK_III;
    risk_bin bins[MOST_BINS];
    const size_t n = count_bins(d, bins);
    cli_heading(report, "People by risk");
    cli_grid *const grid = cli_grid_create(report, columns);
    for (size_t i = 0; i < n; i++) {
        char *const label = bin_text(&bins[i], negative);
        cli_grid_cell(grid, "%s", label);
        print_people(report, grid, bins[i].before, pv_disclosure_summary_n_rows(d->summary));
        print_people(report, grid, bins[i].after, pv_disclosure_summary_n_rows(d->summary));
        free(label);
    }
    cli_grid_print(grid);
}

/* ----------------------------------------------------------------- levels */

#define STARRED 4

/* How dense a level looks: full as it is, thinner the more general, a dot for `*`. */
static const char *shade_text(const cli_report *report, unsigned shade)
{
    static const char *const signs[] = {"\xe2\x96\x88", "\xe2\x96\x93", "\xe2\x96\x92",
                                        "\xe2\x96\x91", "\xc2\xb7"};
    static const char *const plain[] = {"#", "+", "=", "-", "."};
    return report->utf8 ? signs[shade] : plain[shade];
}

static unsigned shade_of(unsigned level, unsigned height)
{
    return level == 0        ? 0
           : level == height ? STARRED
                             : 1 + (level - 1) * (STARRED - 1) / (height - 1);
}

/* Each column of the bar is a share of the people, from the least general to `*`. */
static char *levels_bar(const cli_report *report, const uint64_t *people, unsigned height,
                        uint64_t rows)
{
    char *const text = cli_zeroed(LEVEL_BAR + 1, 4);
    unsigned level = 0;
    uint64_t below = people[0]; /* people up to this level */
    for (unsigned column = 0; column < LEVEL_BAR; column++) {
        const double middle = (column + 0.5) / LEVEL_BAR * (double)rows;
        while (level < height && (double)below <= middle) {
            below += people[++level];
        }
        (void)strcat(text, shade_text(report, shade_of(level, height)));
    }
    return text;
}

static char *level_name(unsigned level, unsigned height)
{
    return level == 0        ? cli_copy("as it is")
           : level == height ? cli_copy(PV_ROOT_LABEL)
                             : cli_format("level %u", level);
}

/* "12.1% as it is, 30.2% level 2, 57.7% *". */
static char *levels_text(const uint64_t *people, unsigned height, uint64_t rows)
{
    char *text = cli_copy("");
    for (unsigned level = 0; level <= height; level++) {
        if (people[level] == 0) {
            continue;
        }
        char *const name = level_name(level, height);
        char *const longer = cli_format("%s%s%s %s", text, text[0] != '\0' ? ", " : "",
                                        cli_share_text(share(people[level], rows)).text, name);
        free(name);
        free(text);
        text = longer;
    }
    return text;
}

static void print_levels(const cli_report *report, const cli_disclosed *d)
{
    static const cli_column columns[] = {
        {"attribute", CLI_LEFT}, {"people", CLI_RAW}, {"shown", CLI_WRAP}, {NULL, CLI_LEFT}};
    const pv_study *const study = cli_disclosed_opened(d)->study;
    cli_heading(report, "How much is shown of each attribute");
    cli_grid *const grid = cli_grid_create(report, columns);
    for (size_t q = 0; q < cli_disclosed_n_quasi(d); q++) {
        const unsigned height = pv_hierarchy_height(pv_study_hierarchy(study, q));
        uint64_t *const people = cli_people_by_level(d, q);
        char *const bar =
            levels_bar(report, people, height, pv_disclosure_summary_n_rows(d->summary));
        char *const text = levels_text(people, height, pv_disclosure_summary_n_rows(d->summary));
        cli_grid_cell(grid, "%s", pv_study_quasi_name(study, q));
        cli_grid_cell(grid, "%s", bar);
        cli_grid_cell(grid, "%s", text);
        free(text);
        free(bar);
        free(people);
    }
    cli_grid_print(grid);
    cli_paragraph(report, 2, "%s as it is  %s%s%s more and more general  %s nothing but *",
                  shade_text(report, 0), shade_text(report, 1), shade_text(report, 2),
                  shade_text(report, 3), shade_text(report, STARRED));
}

/* ---------------------------------------------------------------- exposed */

/* "sex, age (3 of 6)". */
static char *pattern_text(const cli_disclosed *d, const uint8_t *levels)
{
    const pv_study *const study = cli_disclosed_opened(d)->study;
    char *text = cli_copy("");
    for (size_t q = 0; q < cli_disclosed_n_quasi(d); q++) {
        const unsigned height = pv_hierarchy_height(pv_study_hierarchy(study, q));
        char level[32] = "";
        if (levels[q] == height) {
            continue;
        }
        if (levels[q] > 0) {
            (void)snprintf(level, sizeof level, " (level %u of %u)", levels[q], height);
        }
        char *const longer = cli_format("%s%s%s%s", text, text[0] != '\0' ? ", " : "",
                                        pv_study_quasi_name(study, q), level);
        free(text);
        text = longer;
    }
    if (text[0] == '\0') {
        free(text);
        return cli_copy("nothing");
    }
    return text;
}

static void print_exposed(const cli_report *report, const cli_disclosed *d)
{
    static const cli_column columns[] = {{"worst", CLI_RIGHT},  {"mean", CLI_RIGHT},
                                         {"people", CLI_RIGHT}, {"fits", CLI_RIGHT},
                                         {"shown", CLI_WRAP},   {NULL, CLI_LEFT}};
    cli_patterns patterns = cli_patterns_take(d);
    cli_heading(report, "Who is most exposed afterwards, by what is shown of them");
    cli_grid *const grid = cli_grid_create(report, columns);
    for (size_t i = 0; i < patterns.n && i < CLI_SHOWN_PATTERNS; i++) {
        const cli_pattern *const pattern = &patterns.list[i];
        char *const text = pattern_text(d, pattern->levels);
        cli_grid_cell(grid, "%s", cli_value_text(pattern->worst).text);
        cli_grid_cell(grid, "%s", cli_value_text(pattern->mean).text);
        cli_grid_cell(grid, "%s", cli_count_text(pattern->people).text);
        cli_grid_cell(grid, "%s", cli_count_text(pattern->fewest).text);
        cli_grid_cell(grid, "%s", text);
        free(text);
    }
    cli_grid_print(grid);
    cli_paragraph(report, 2,
                  "worst, mean: risk. people: of whom just these attributes are shown, at these "
                  "levels. fits: rows of the %s that one of them could be, at least.%s",
                  dictionary_name(d),
                  patterns.n > CLI_SHOWN_PATTERNS ? "" : " There are no others.");
    if (patterns.n > CLI_SHOWN_PATTERNS) {
        cli_paragraph(report, 2, "Of everyone else, %s, less exposed.",
                      cli_plural_text(patterns.n - CLI_SHOWN_PATTERNS, "another choice is shown",
                                      "other choices are shown")
                          .text);
    }
    cli_patterns_free(&patterns);
}

/* ----------------------------------------------------------------- weighed */

static void print_unmatched(const cli_report *report, const cli_disclosed *d)
{
    const pv_study *const study = cli_disclosed_opened(d)->study;
    for (size_t q = 0; q < pv_study_quasis(study); q++) {
        const uint32_t n = pv_attacker_n_unmatched(d->attacker, q);
        if (n > 0) {
            cli_fact(report, CLI_NEUTRAL, "", "%s of %s there %s nothing but `*` here",
                     cli_plural_text(n, "value", "values").text, pv_study_quasi_name(study, q),
                     n == 1 ? "fits" : "fit");
        }
    }
}

static void print_attacker(const cli_report *report, const cli_disclosed *d)
{
    const size_t all = pv_study_quasis(cli_disclosed_opened(d)->study);
    const size_t known = pv_attacker_n_known(d->attacker);
    char likeness[96] = "";
    if (d->query.similarity > 0.0) {
        (void)snprintf(likeness, sizeof likeness, "; values fit if they are %s similar",
                       cli_value_text(d->query.similarity).text);
    }
    if (d->query.given->dictionary == NULL) {
        cli_fact(report, CLI_NEUTRAL, "attacker", "knows all of this about everyone in the table%s",
                 likeness);
        return;
    }
    cli_fact(report, CLI_NEUTRAL, "attacker", "has %s: %s with %zu of the %zu attributes%s",
             d->query.given->dictionary,
             cli_plural_text(pv_attacker_n_rows(d->attacker), "row", "rows").text, known, all,
             likeness);
    print_unmatched(report, d);
}

static const char *source_text(pv_sensitivity_source source)
{
    static const char *const texts[] = {
        [PV_SENSITIVITY_PLAN] = "as the plan says, 1 where it says nothing",
        [PV_SENSITIVITY_CONSTANT] = "1 for every value",
        [PV_SENSITIVITY_RANDOM] = "drawn at random",
    };
    return texts[source];
}

void cli_detail_print(const cli_report *report, const cli_disclosed *d)
{
    const pv_utility utility = d->query.options.utility;
    cli_fact(report, CLI_NEUTRAL, "detail", "%s: %s", pv_utility_name(utility),
             pv_utility_summary(utility));
    cli_fact(report, CLI_NEUTRAL, "sensitivity", "%s", source_text(d->query.source));
    print_attacker(report, d);
}

static void print_weighing(const cli_report *report, const cli_disclosed *d)
{
    const pv_disclose_options *const options = &d->query.options;
    cli_fact(report, CLI_NEUTRAL, "risk", "model %s: %s", pv_risk_name(options->risk),
             pv_risk_summary(options->risk));
    if (options->risk == PV_RISK_III) {
        cli_fact(report, CLI_NEUTRAL, "",
                 "Model III is not monotone: hiding more can raise this risk, and with nothing "
                 "shown it is 0, the highest there is.");
    }
    cli_detail_print(report, d);
}

static const char *why_it_ended(const cli_disclosed *d)
{
    switch (pv_disclosure_stop(d->disclosure)) {
    case PV_STOP_CANCELLED: return "it was interrupted";
    case PV_STOP_TIME: return "the time was over (--seconds)";
    default:
        return d->query.given->limit.given
                   ? "a limit was reached (--limit)"
                   : "the lattice is too large to look at all of it; --seconds S looks further";
    }
}

/* What is known nevertheless. */
static void print_proven(const cli_report *report, const cli_disclosed *d)
{
    if (d->summary == NULL) {
        return;
    }
    const uint64_t proven = pv_disclosure_summary_n_proven(d->summary);
    cli_fact(report, CLI_NEUTRAL, "proven",
             "for %s (%s) there is no better choice; for everyone else it is the best that was "
             "found",
             cli_plural_text(proven, "person", "people").text,
             cli_share_text(share(proven, pv_disclosure_summary_n_rows(d->summary))).text);
}

static void print_exactness(const cli_report *report, const cli_disclosed *d)
{
    const pv_record_method *const method =
        pv_record_method_find(pv_disclosure_method(d->disclosure));
    const bool promises = !method->needs_monotone || d->query.options.risk != PV_RISK_III;
    if (cli_disclosed_is_exact(d)) {
        cli_fact(report, CLI_GOOD, "exact", "yes: there is no better choice%s%s",
                 d->summary != NULL ? " for anyone" : "",
                 d->is_released ? ", taken one by one; what keeps the demands is not proven best"
                                : "");
    } else {
        cli_fact(report, CLI_BAD, "exact", "no: %s",
                 !promises && pv_disclosure_stop(d->disclosure) == PV_STOP_FINISHED
                     ? "this method is not, with this model of risk"
                     : why_it_ended(d));
        print_proven(report, d);
    }
}

static void print_effort(const cli_report *report, const cli_disclosed *d)
{
    const pv_disclosure *const found = d->disclosure;
    cli_fact(report, CLI_NEUTRAL, "method", "%s%s%s", pv_disclosure_method(found),
             pv_disclosure_reason(found) != NULL ? ": " : "",
             pv_disclosure_reason(found) != NULL ? pv_disclosure_reason(found) : "");
    cli_fact(report, CLI_NEUTRAL, "looked at", "%s, of %s in the lattice of one record; %s s",
             cli_plural_text(pv_disclosure_n_visited(found), "node", "nodes").text,
             cli_value_text(pv_disclosure_n_nodes(found)).text,
             cli_value_text(pv_disclosure_seconds(found)).text);
    print_exactness(report, d);
}

/* ---------------------------------------------------------------- release */

static void print_release(const cli_report *report, const cli_disclosed *d)
{
    cli_heading(report, "The release");
    cli_published_print(report, &d->published, false);
}

static void print_next(const cli_report *report, const cli_disclosed *d)
{
    char *const again = cli_disclose_again(d->query.given, false);
    char *const anywhere = cli_disclose_again(d->query.given, true);
    cli_blank(report);
    cli_paragraph(
        report, 0,
        "Next: release it, verified, with everyone among at least five, or see what other "
        "shares of detail would cost:");
    cli_line(report, "paravent disclose %s%s -o release.csv --require k=5", d->plan, again);
    cli_line(report, "paravent disclose %s%s --front", d->plan, anywhere);
    free(anywhere);
    free(again);
}

void cli_disclosed_print(const cli_report *report, const cli_disclosed *d)
{
    print_summary(report, d);
    print_risks(report, d);
    print_levels(report, d);
    print_exposed(report, d);
    cli_heading(report, "What was weighed up, and how");
    print_weighing(report, d);
    print_effort(report, d);
    if (d->query.given->assign != NULL) {
        cli_fact(report, CLI_NEUTRAL, "record by record", "%s", d->query.given->assign);
    }
    if (d->is_released) {
        print_release(report, d);
    } else if (!pv_disclosure_is_stopped(d->disclosure) &&
               pv_disclosure_summary_n_infeasible(d->summary) <
                   pv_disclosure_summary_n_rows(d->summary)) {
        print_next(report, d);
    }
}

/* ------------------------------------------------------------- one record */

static void print_attribute(cli_grid *grid, const cli_disclosed *d, size_t tuple, size_t quasi)
{
    const cli_opened *const opened = cli_disclosed_opened(d);
    const pv_hierarchy *const hierarchy = pv_study_hierarchy(opened->study, quasi);
    const unsigned height = pv_hierarchy_height(hierarchy);
    const unsigned level = cli_shown_level(d, tuple, quasi);
    const uint32_t leaf = pv_profile_leaf(opened->profile, tuple, quasi);
    const uint64_t leaves =
        pv_hierarchy_group_leaves(hierarchy, level, pv_hierarchy_group(hierarchy, level, leaf));
    cli_grid_cell(grid, "%s", pv_study_quasi_name(opened->study, quasi));
    cli_grid_cell(grid, "%u of %u", level, height);
    if (level == 0 || level == height) {
        cli_grid_cell(grid, "%s", level == 0 ? "as it is" : PV_ROOT_LABEL);
    } else {
        cli_grid_cell(grid, "one of %s out of %s", cli_plural_text(leaves, "value", "values").text,
                      cli_count_text(pv_hierarchy_domain(hierarchy)).text);
    }
}

static void print_record_levels(const cli_report *report, const cli_disclosed *d, size_t tuple)
{
    static const cli_column columns[] = {
        {"attribute", CLI_LEFT}, {"level", CLI_RIGHT}, {"shown", CLI_WRAP}, {NULL, CLI_LEFT}};
    cli_heading(report, "What is shown of it");
    cli_grid *const grid = cli_grid_create(report, columns);
    for (size_t q = 0; q < cli_disclosed_n_quasi(d); q++) {
        print_attribute(grid, d, tuple, q);
    }
    cli_grid_print(grid);
}

void cli_record_print(const cli_report *report, const cli_disclosed *d)
{
    const pv_disclosure *const found = d->disclosure;
    const size_t t =
        pv_profile_tuple(cli_disclosed_opened(d)->profile, d->query.given->row.value - 1);
    const double utility = pv_disclosure_utility(found, t);
    const double most = pv_disclosure_utility_raw(found, t);
    char *const aim = aim_text(d);
    cli_paragraph(report, 0, "%s, row %s: %s.",
                  pv_table_source(pv_study_table(cli_disclosed_opened(d)->study)),
                  cli_count_text(d->query.given->row.value).text, aim);
    cli_blank(report);
    cli_fact(report, CLI_STRONG, "risk", "%s before, %s after",
             cli_value_text(pv_disclosure_risk_raw(found, t)).text,
             cli_value_text(pv_disclosure_risk(found, t)).text);
    print_risk_unit(report, d);
    cli_fact(report, CLI_STRONG, "detail kept", "%s: a utility of %s, of %s",
             cli_share_text(most > 0.0 ? utility / most : 1.0).text, cli_value_text(utility).text,
             cli_value_text(most).text);
    cli_fact(report, CLI_STRONG, "fits", "%s of the %s before, %s after",
             cli_plural_text(pv_disclosure_n_consistent_raw(found, t), "row", "rows").text,
             dictionary_name(d), cli_count_text(pv_disclosure_n_consistent(found, t)).text);
    if (!pv_disclosure_is_feasible(found, t)) {
        cli_fact(report, CLI_BAD, "out of reach", "nothing %s the bound: `*` everywhere",
                 pv_disclosure_is_optimal(found, t) ? "keeps" : "was found that keeps");
    }
    print_record_levels(report, d, t);
    cli_heading(report, "What was weighed up, and how");
    print_weighing(report, d);
    print_effort(report, d);
    free(aim);
}
