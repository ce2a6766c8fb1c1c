/* What `disclose` found, for people: risk before and after, what is still shown of whom, and how it
 * was found. Values of the data are counted, never shown. */
#include "core/grid.h"
#include "core/text.h"
#include "disclose/answer.h"
#include "disclose/bins.h"

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
    return d->settings->dictionary != NULL ? "dictionary" : "table";
}

/* ---------------------------------------------------------------- summary */

char *cli_aim_text(const cli_disclosed *d)
{
    const pv_disclose_options *const options = &d->query->options;
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
    char *const aim = cli_aim_text(d);
    cli_paragraph(report, 0, "%s: for each of %s %s.",
                  pv_table_source(pv_study_table(cli_disclosed_opened(d)->study)),
                  cli_plural_text(d->summary->rows, "person", "people").text, aim);
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
    const uint64_t rows = d->summary->rows;
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
    const pv_disclosure_summary *const s = d->summary;
    if (s->infeasible == 0) {
        return;
    }
    bool is_unknown = false; /* nobody knows whether there is something */
    for (size_t t = 0; t < d->disclosure->n_tuples; t++) {
        const pv_disclosed *const record = &d->disclosure->tuples[t];
        is_unknown |= !record->is_feasible && !record->is_optimal;
    }
    cli_fact(report, CLI_BAD, "out of reach", "for %s (%s) %s; they are `*` everywhere",
             cli_plural_text(s->infeasible, "person", "people").text,
             cli_share_text(share(s->infeasible, s->rows)).text,
             d->disclosure->stopped ? "nothing was found before the interruption"
             : is_unknown           ? "nothing was found that keeps the bound"
                                    : "nothing keeps the bound");
}

static bool is_nothing_shown(const cli_disclosed *d)
{
    const pv_study *const study = cli_disclosed_opened(d)->study;
    bool nothing = true;
    for (size_t t = 0; nothing && t < d->disclosure->n_tuples; t++) {
        for (size_t q = 0; q < d->disclosure->n_quasi; q++) {
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
void cli_risk_unit_print(const cli_report *report, const cli_disclosed *d)
{
    static const char *const words[] = {
        [PV_RISK_I] =
            "sensitivity of the shown values per person who fits them: no probability, it can be "
            "above 1",
        [PV_RISK_II] = "the probability of being picked among those who fit: 1 is one person",
        [PV_RISK_III] = "minus the sensitivity times the logarithm of the people who fit: no "
                        "probability, less is better",
    };
    cli_fact(report, CLI_NEUTRAL, "unit of risk", "%s", words[d->query->options.risk]);
}

static void print_summary(const cli_report *report, const cli_disclosed *d)
{
    const pv_disclosure_summary *const s = d->summary;
    print_title(report, d);
    print_change(report, "mean risk", s->risk_before.mean, s->risk_after.mean);
    print_change(report, "worst risk", s->risk_before.most, s->risk_after.most);
    cli_risk_unit_print(report, d);
    cli_fact(report, CLI_STRONG, "detail kept", "%s on average, %s at least, %s at most",
             cli_share_text(s->utility_kept.mean).text, cli_share_text(s->utility_kept.least).text,
             cli_share_text(s->utility_kept.most).text);
    print_fitting(report, d);
    print_infeasible(report, d);
    print_enforced(report, d);
}

/* ------------------------------------------------------------------- risk */

static char *bin_text(const cli_bin *bin, bool negative)
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
    const bool negative = d->query->options.risk == PV_RISK_III;
    cli_bin bins[CLI_MOST_BINS];
    const size_t n = cli_risk_bins(d, bins);
    cli_heading(report, "People by risk");
    cli_grid *const grid = cli_grid_create(report, columns);
    for (size_t i = 0; i < n; i++) {
        char *const label = bin_text(&bins[i], negative);
        cli_grid_cell(grid, "%s", label);
        print_people(report, grid, bins[i].before, d->summary->rows);
        print_people(report, grid, bins[i].after, d->summary->rows);
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
    for (size_t q = 0; q < d->disclosure->n_quasi; q++) {
        const unsigned height = pv_hierarchy_height(pv_study_hierarchy(study, q));
        uint64_t *const people = cli_people_by_level(d, q);
        char *const bar = levels_bar(report, people, height, d->summary->rows);
        char *const text = levels_text(people, height, d->summary->rows);
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
    for (size_t q = 0; q < d->disclosure->n_quasi; q++) {
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
        const uint32_t n = pv_dictionary_unmatched(d->dictionary, q);
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
    const size_t known = pv_dictionary_known(d->dictionary);
    char likeness[96] = "";
    if (d->query->similarity > 0.0) {
        (void)snprintf(likeness, sizeof likeness, "; values fit if they are %s similar",
                       cli_value_text(d->query->similarity).text);
    }
    if (d->settings->dictionary == NULL) {
        cli_fact(report, CLI_NEUTRAL, "attacker", "knows all of this about everyone in the table%s",
                 likeness);
        return;
    }
    cli_fact(report, CLI_NEUTRAL, "attacker", "has %s: %s with %zu of the %zu attributes%s",
             d->settings->dictionary,
             cli_plural_text(pv_dictionary_rows(d->dictionary), "row", "rows").text, known, all,
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
    const pv_utility utility = d->query->options.utility;
    cli_fact(report, CLI_NEUTRAL, "detail", "%s: %s", pv_utility_name(utility),
             pv_utility_summary(utility));
    cli_fact(report, CLI_NEUTRAL, "sensitivity", "%s", source_text(d->query->source));
    print_attacker(report, d);
}

void cli_weighing_print(const cli_report *report, const cli_disclosed *d)
{
    const pv_disclose_options *const options = &d->query->options;
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
    switch (d->disclosure->stop) {
    case PV_STOP_CANCELLED: return "it was interrupted";
    case PV_STOP_TIME: return "the time was over (--seconds)";
    default:
        return d->settings->limit.given
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
    const uint64_t proven = d->summary->proven;
    cli_fact(report, CLI_NEUTRAL, "proven",
             "for %s (%s) there is no better choice; for everyone else it is the best that was "
             "found",
             cli_plural_text(proven, "person", "people").text,
             cli_share_text(share(proven, d->summary->rows)).text);
}

static void print_exactness(const cli_report *report, const cli_disclosed *d)
{
    const pv_record_method *const method = pv_record_method_find(d->disclosure->method);
    const bool promises = !method->needs_monotone || d->query->options.risk != PV_RISK_III;
    if (cli_disclosed_is_exact(d)) {
        cli_fact(report, CLI_GOOD, "exact", "yes: there is no better choice%s%s",
                 d->summary != NULL ? " for anyone" : "",
                 d->is_released ? ", taken one by one; what keeps the demands is not proven best"
                                : "");
    } else {
        cli_fact(report, CLI_BAD, "exact", "no: %s",
                 !promises && d->disclosure->stop == PV_STOP_FINISHED
                     ? "this method is not, with this model of risk"
                     : why_it_ended(d));
        print_proven(report, d);
    }
}

void cli_effort_print(const cli_report *report, const cli_disclosed *d)
{
    const pv_disclosure *const found = d->disclosure;
    cli_fact(report, CLI_NEUTRAL, "method", "%s%s%s", found->method,
             found->reason != NULL ? ": " : "", found->reason != NULL ? found->reason : "");
    cli_fact(report, CLI_NEUTRAL, "looked at", "%s, of %s in the lattice of one record; %s s",
             cli_plural_text(found->visited, "node", "nodes").text,
             cli_value_text(found->nodes).text, cli_value_text(found->seconds).text);
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
    char *const again = cli_disclose_again(d->settings, false);
    char *const anywhere = cli_disclose_again(d->settings, true);
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
    cli_weighing_print(report, d);
    cli_effort_print(report, d);
    if (d->settings->assign != NULL) {
        cli_fact(report, CLI_NEUTRAL, "record by record", "%s", d->settings->assign);
    }
    if (d->is_released) {
        print_release(report, d);
    } else if (!d->disclosure->stopped && d->summary->infeasible < d->summary->rows) {
        print_next(report, d);
    }
}
