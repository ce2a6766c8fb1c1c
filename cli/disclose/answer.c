/* What `disclose` found for every record: made, counted, released. */
#include "disclose/answer.h"

#include "core/fail.h"
#include "core/text.h"

#include <stdlib.h>
#include <string.h>

/* ------------------------------------------------------------------- open */

/* A target k of the plan is a demand here: no smaller class is to remain. */
static pv_status demand_target(cli_published *published, pv_error *error)
{
    char text[32];
    const uint64_t k = published->suppression.target_k;
    if (k == 0) {
        return PV_STATUS_OK;
    }
    (void)snprintf(text, sizeof text, "k=%llu", (unsigned long long)k);
    published->suppression.target_k = 0;
    return cli_demands_add(&published->demands, text, error);
}

static pv_status open_table(cli_run *run, cli_disclosed *d, pv_error *error)
{
    const cli_publish *const publish = &d->settings->publish;
    if (publish->output == NULL) {
        return cli_open(run, d->plan, publish->data, &publish->reading, CLI_WITH_ROLE,
                        &d->published.opened, error);
    }
    CLI_TRY(cli_publish_open(run, publish, d->plan, publish->data, &d->published, error));
    return demand_target(&d->published, error);
}

static pv_status open_attacker(cli_run *run, cli_disclosed *d, pv_error *error)
{
    const pv_profile *const profile = d->published.opened.profile;
    CLI_TRY(pv_sensitivities_create(profile, d->query->source, d->query->seed, &d->sensitivities,
                                    error));
    size_t n = 0;
    char **const ignore =
        d->settings->ignore != NULL ? cli_list_split(d->settings->ignore, ',', &n) : NULL;
    const pv_dictionary_options options = {.path = d->settings->dictionary,
                                           .similarity = d->query->similarity,
                                           .ignore = (const char *const *)ignore};
    const pv_status status =
        pv_dictionary_open(profile, &options, &run->context, &d->dictionary, error);
    cli_list_free(ignore);
    return status;
}

pv_status cli_disclosed_open(cli_run *run, cli_disclosed *d, pv_error *error)
{
    pv_status status = open_table(run, d, error);
    if (status == PV_STATUS_OK) {
        status = open_attacker(run, d, error);
    }
    if (status != PV_STATUS_OK) {
        cli_disclosed_free(d);
    }
    return status;
}

void cli_disclosed_free(cli_disclosed *d)
{
    pv_disclosure_summary_free(d->summary);
    pv_disclosure_free(d->disclosure);
    pv_dictionary_free(d->dictionary);
    pv_sensitivities_free(d->sensitivities);
    cli_published_free(&d->published);
    *d = (cli_disclosed){0};
}

/* ------------------------------------------------------------------ solve */

static pv_status check_row(const cli_disclosed *d, pv_error *error)
{
    const uint64_t rows = pv_profile_rows(d->published.opened.profile);
    return d->settings->row.value <= rows
               ? PV_STATUS_OK
               : cli_error(error, PV_STATUS_ARGUMENT, "--row: the table has only %s",
                           cli_plural_text(rows, "row", "rows").text);
}

static pv_disclose_options options_of(const cli_disclosed *d)
{
    pv_disclose_options options = d->query->options;
    options.dictionary = d->dictionary;
    options.sensitivities = d->sensitivities;
    return options;
}

pv_status cli_disclosed_solve(cli_run *run, cli_disclosed *d, pv_error *error)
{
    const pv_profile *const profile = d->published.opened.profile;
    const bool single = d->settings->row.given;
    pv_disclose_options options = options_of(d);
    size_t tuple = 0;
    if (single) {
        CLI_TRY(check_row(d, error));
        tuple = pv_profile_tuple(profile, d->settings->row.value - 1);
        options.only = &tuple;
        options.n_only = 1;
    }
    run->progress.bound = options.max_seconds > 0 ? NULL : CLI_SECONDS_BOUND;
    const pv_status status = pv_disclose(profile, &options, &run->context, &d->disclosure, error);
    run->progress.bound = NULL;
    cli_progress_wipe(&run->progress); /* what was stopped leaves its bar behind */
    CLI_TRY(status);
    return single ? PV_STATUS_OK
                  : pv_disclosure_summarise(d->disclosure, profile, &d->summary, error);
}

/* From now on what is told is what is released. Where everyone is released as chosen, that is told
 * already. */
static pv_status take_released(cli_run *run, cli_disclosed *d, pv_error *error)
{
    const pv_profile *const profile = d->published.opened.profile;
    const pv_disclose_options options = options_of(d);
    pv_disclosure *released = NULL;
    pv_disclosure_summary *summary = NULL;
    d->risk_chosen = d->summary->risk_after.mean;
    if (d->enforced.changed == 0) {
        return PV_STATUS_OK;
    }
    CLI_TRY(pv_disclosure_released(d->disclosure, profile, &options, d->published.scheme,
                                   &run->context, &released, error));
    const pv_status status = pv_disclosure_summarise(released, profile, &summary, error);
    if (status != PV_STATUS_OK) {
        pv_disclosure_free(released);
        return status;
    }
    pv_disclosure_free(d->disclosure);
    pv_disclosure_summary_free(d->summary);
    d->disclosure = released;
    d->summary = summary;
    return PV_STATUS_OK;
}

pv_status cli_disclosed_enforce(cli_run *run, cli_disclosed *d, pv_error *error)
{
    cli_published *const p = &d->published;
    CLI_TRY(pv_disclosure_scheme(d->disclosure, p->opened.profile, p->demands.list, p->demands.n,
                                 p->suppression.budget, &run->context, &p->scheme, &d->enforced,
                                 error));
    return take_released(run, d, error);
}

pv_status cli_disclosed_release(cli_run *run, cli_disclosed *d, pv_error *error)
{
    CLI_TRY(cli_publish_finish(run, &d->settings->publish, &d->published, error));
    d->is_released = true;
    return PV_STATUS_OK;
}

/* ------------------------------------------------------------------ count */

bool cli_disclosed_is_exact(const cli_disclosed *d)
{
    bool exact = !d->disclosure->stopped;
    for (size_t t = 0; exact && t < d->disclosure->n_tuples; t++) {
        const pv_disclosed *const record = &d->disclosure->tuples[t];
        exact = record->levels == NULL || record->is_optimal;
    }
    return exact;
}

cli_fitting cli_people_fitting(const cli_disclosed *d, bool shown)
{
    cli_fitting fitting = {0};
    for (size_t t = 0; t < d->disclosure->n_tuples; t++) {
        const pv_disclosed *const record = &d->disclosure->tuples[t];
        const uint64_t people = pv_profile_count(cli_disclosed_opened(d)->profile, t);
        const uint64_t fits = shown ? record->consistent : record->consistent_raw;
        fitting.one += fits == 1 ? people : 0;
        fitting.none += fits == 0 ? people : 0;
    }
    return fitting;
}

unsigned cli_shown_level(const cli_disclosed *d, size_t tuple, size_t quasi)
{
    const cli_opened *const opened = cli_disclosed_opened(d);
    const pv_hierarchy *const hierarchy = pv_study_hierarchy(opened->study, quasi);
    const unsigned level = d->disclosure->tuples[tuple].levels[quasi];
    const uint32_t leaf = pv_profile_leaf(opened->profile, tuple, quasi);
    return pv_hierarchy_is_root(hierarchy, level, pv_hierarchy_group(hierarchy, level, leaf))
               ? pv_hierarchy_height(hierarchy)
               : level;
}

uint64_t *cli_people_by_level(const cli_disclosed *d, size_t quasi)
{
    const cli_opened *const opened = cli_disclosed_opened(d);
    const unsigned height = pv_hierarchy_height(pv_study_hierarchy(opened->study, quasi));
    uint64_t *const people = cli_zeroed(height + 1, sizeof *people);
    for (size_t t = 0; t < d->disclosure->n_tuples; t++) {
        people[cli_shown_level(d, t, quasi)] += pv_profile_count(opened->profile, t);
    }
    return people;
}

/* --------------------------------------------------------------- patterns */

typedef struct {
    const uint8_t *levels; /* of all tuples, as shown */
    size_t n_quasi;
} by_levels;

static int compare_tuples(const void *left, const void *right, void *ctx)
{
    const by_levels *const by = ctx;
    const size_t a = *(const size_t *)left;
    const size_t b = *(const size_t *)right;
    const int order =
        memcmp(by->levels + a * by->n_quasi, by->levels + b * by->n_quasi, by->n_quasi);
    return order != 0 ? order : (a > b) - (a < b);
}

static int compare_patterns(const void *left, const void *right)
{
    const cli_pattern *const a = left;
    const cli_pattern *const b = right;
    if (a->worst > b->worst || a->worst < b->worst) {
        return a->worst > b->worst ? -1 : 1;
    }
    if (a->people != b->people) {
        return a->people > b->people ? -1 : 1;
    }
    return (a->levels > b->levels) - (a->levels < b->levels); /* neighbours of one array */
}

static void pattern_add(cli_pattern *pattern, const pv_disclosed *record, uint64_t people)
{
    const bool first = pattern->people == 0;
    pattern->worst = first || record->risk > pattern->worst ? record->risk : pattern->worst;
    pattern->fewest =
        first || record->consistent < pattern->fewest ? record->consistent : pattern->fewest;
    pattern->mean += record->risk * (double)people; /* divided when all are there */
    pattern->people += people;
}

/* `order` has the tuples by their levels. */
static void collect_patterns(const cli_disclosed *d, const size_t *order, cli_patterns *patterns)
{
    const size_t n_quasi = d->disclosure->n_quasi;
    for (size_t i = 0; i < d->disclosure->n_tuples; i++) {
        const uint8_t *const levels = patterns->levels + order[i] * n_quasi;
        if (i == 0 || memcmp(levels, patterns->list[patterns->n - 1].levels, n_quasi) != 0) {
            patterns->list[patterns->n++].levels = levels;
        }
        pattern_add(&patterns->list[patterns->n - 1], &d->disclosure->tuples[order[i]],
                    pv_profile_count(cli_disclosed_opened(d)->profile, order[i]));
    }
    for (size_t i = 0; i < patterns->n; i++) {
        patterns->list[i].mean /= (double)patterns->list[i].people;
    }
}

cli_patterns cli_patterns_take(const cli_disclosed *d)
{
    const size_t n = d->disclosure->n_tuples;
    const size_t n_quasi = d->disclosure->n_quasi;
    cli_patterns patterns = {.list = cli_zeroed(n, sizeof *patterns.list),
                             .levels = cli_zeroed(n, n_quasi)};
    size_t *const order = cli_zeroed(n, sizeof *order);
    by_levels by = {.levels = patterns.levels, .n_quasi = n_quasi};
    for (size_t t = 0; t < n; t++) {
        order[t] = t;
        for (size_t q = 0; q < n_quasi; q++) {
            patterns.levels[t * n_quasi + q] = (uint8_t)cli_shown_level(d, t, q);
        }
    }
    qsort_r(order, n, sizeof *order, compare_tuples, &by);
    collect_patterns(d, order, &patterns);
    qsort(patterns.list, patterns.n, sizeof *patterns.list, compare_patterns);
    free(order);
    return patterns;
}

void cli_patterns_free(cli_patterns *patterns)
{
    free(patterns->list);
    free(patterns->levels);
    *patterns = (cli_patterns){0};
}
