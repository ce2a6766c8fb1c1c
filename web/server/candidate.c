/* What a scheme does: measures, demands, and every attribute before and after. */
#include "server/candidate.h"

#include "core/fail.h"
#include "core/json.h"
#include "core/measured.h"
#include "core/text.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Labels of an attribute that are listed. */
#define MOST_LABELS 24

/* -------------------------------------------------------------------- measures */

/* Divided by the most there can be. */
static double share_of(const pv_measure *measure, double value, double rows, double quasis)
{
    switch (measure->scale) {
    case PV_SCALE_ROWS: return value / rows;
    case PV_SCALE_CELLS: return value / (rows * quasis);
    case PV_SCALE_PAIRS: return value / (rows * rows);
    default: return value;
    }
}

static pv_status set_measures(json_t *object, const web_candidate *c, pv_error *error)
{
    const pv_study *const study = c->opened.study;
    const double rows = (double)pv_profile_rows(c->opened.profile);
    json_t *const measures = json_object();
    json_t *const shares = json_object();
    cli_json_set(object, "measures", measures);
    cli_json_set(object, "shares", shares);
    for (size_t i = 0; i < pv_n_measures(); i++) {
        const pv_measure *const measure = pv_measure_at(i);
        const pv_measure_ref ref = {.measure = measure, .parameter = measure->parameter_default};
        double value = 0;
        if (!pv_measure_available(measure, study)) {
            continue;
        }
        CLI_TRY(pv_measure_value(ref, c->classes, &value, error));
        cli_json_set(measures, measure->name, cli_json_number(value));
        if (measure->scale != PV_SCALE_NONE) {
            const double share = share_of(measure, value, rows, (double)pv_study_quasis(study));
            cli_json_set(shares, measure->name, cli_json_number(share));
        }
    }
    return PV_STATUS_OK;
}

/* The same for every candidate of a snapshot, so it is made once. */
static void *raw_create(const web_snapshot *snapshot)
{
    cli_measured *const raw = cli_zeroed(1, sizeof *raw);
    const pv_profile *profile = NULL;
    if (pv_study_profile(snapshot->opened.study, &profile, NULL) != PV_STATUS_OK ||
        cli_measured_raw(profile, raw, NULL) != PV_STATUS_OK) {
        free(raw);
        return NULL;
    }
    return raw;
}

static void raw_destroy(void *kept)
{
    cli_measured_free(kept);
    free(kept);
}

static json_t *before_json(const web_call *call)
{
    static const char key;
    const cli_measured *const raw = web_kept(call, &key, raw_create, raw_destroy);
    return raw != NULL ? cli_measured_json(raw->values, raw->known) : json_null();
}

/* --------------------------------------------------------------------- demands */

/* Rows in classes that break each demand, where these are more than may be suppressed. With levels
 * by record classes were made so that they keep the demands: nothing is counted. */
static pv_status count_broken(const web_candidate *c, uint64_t *broken, pv_error *error)
{
    const uint8_t *const levels = pv_classes_levels(c->classes);
    pv_classes *again = NULL;
    if (levels == NULL || pv_classes_feasible(c->classes)) {
        return PV_STATUS_OK;
    }
    CLI_TRY(pv_classes_create_demanding(c->opened.profile, levels, c->demands, c->n_demands,
                                        c->budget, broken, &again, error));
    pv_classes_free(again);
    return PV_STATUS_OK;
}

static pv_status set_demands(json_t *object, const web_candidate *c, bool *all_hold,
                             uint64_t *most_broken, pv_error *error)
{
    uint64_t broken[PV_MAX_CONSTRAINTS] = {0};
    json_t *const list = json_array();
    cli_json_set(object, "demands", list);
    CLI_TRY(count_broken(c, broken, error));
    *all_hold = true;
    *most_broken = 0;
    for (size_t i = 0; i < c->n_demands; i++) {
        double value = 0;
        CLI_TRY(pv_measure_value(c->demands[i].ref, c->classes, &value, error));
        json_t *const demand = cli_demand_json(&c->demands[i], true, value);
        cli_json_set(demand, "broken", cli_json_count(broken[i]));
        cli_json_append(list, demand);
        *all_hold &= pv_constraint_holds(&c->demands[i], value);
        *most_broken = broken[i] > *most_broken ? broken[i] : *most_broken;
    }
    return PV_STATUS_OK;
}

/* ------------------------------------------------------------------ attributes */

/* A label that is shown: how many people have it, and the first leaf it stands for. */
typedef struct {
    const char *text;
    uint32_t leaf;
    uint64_t rows;
} shown;

/* What becomes of one attribute. */
typedef struct {
    shown *labels; /* in tree order */
    size_t n;
    unsigned least, most; /* levels, of those who are not suppressed */
    double lost;
} fate;

static int by_text(const void *a, const void *b)
{
    return strcmp(((const shown *)a)->text, ((const shown *)b)->text);
}

static int by_leaf(const void *a, const void *b)
{
    const uint32_t left = ((const shown *)a)->leaf;
    const uint32_t right = ((const shown *)b)->leaf;
    return (left > right) - (left < right);
}

/* A place for every group of every level: first[level] + group. */
static size_t *number_groups(const pv_hierarchy *h, size_t *n)
{
    size_t *const first = cli_zeroed(pv_hierarchy_height(h) + 1u, sizeof *first);
    *n = 0;
    for (unsigned level = 0; level <= pv_hierarchy_height(h); level++) {
        first[level] = *n;
        *n += pv_hierarchy_groups(h, level);
    }
    return first;
}

/* Labels that are spelled alike are one label, whatever their levels. */
static size_t merge_labels(shown *labels, size_t n_groups)
{
    size_t n = 0;
    for (size_t i = 0; i < n_groups; i++) {
        if (labels[i].rows > 0) {
            labels[n++] = labels[i];
        }
    }
    qsort(labels, n, sizeof *labels, by_text);
    size_t kept = 0;
    for (size_t i = 0; i < n; i++) {
        if (kept == 0 || by_text(&labels[kept - 1], &labels[i]) != 0) {
            labels[kept++] = labels[i];
        } else {
            shown *const same = &labels[kept - 1];
            same->rows += labels[i].rows;
            same->leaf = labels[i].leaf < same->leaf ? labels[i].leaf : same->leaf;
        }
    }
    qsort(labels, kept, sizeof *labels, by_leaf);
    return kept;
}

/* Classes look alike throughout, so one of the tuples of each says all. */
static fate fate_of(const web_candidate *c, const size_t *examples, size_t q)
{
    const pv_profile *const profile = c->opened.profile;
    const pv_hierarchy *const h = pv_study_hierarchy(c->opened.study, q);
    fate f = {.least = pv_hierarchy_height(h)};
    size_t n_groups = 0;
    size_t *const first = number_groups(h, &n_groups);
    f.labels = cli_zeroed(n_groups, sizeof *f.labels);
    for (size_t i = 0; i < pv_classes_total(c->classes); i++) {
        const size_t tuple = examples[i];
        const uint64_t size = pv_classes_size(c->classes, i);
        f.lost += (double)size * web_lost(c->classes, tuple, q);
        if (pv_classes_is_suppressed(c->classes, i)) {
            continue;
        }
        const unsigned level = pv_classes_level(c->classes, tuple, q);
        const uint32_t leaf = pv_profile_leaf(profile, tuple, q);
        shown *const label = &f.labels[first[level] + pv_hierarchy_group(h, level, leaf)];
        label->text = pv_classes_label(c->classes, i, q);
        label->leaf = label->rows == 0 || leaf < label->leaf ? leaf : label->leaf;
        label->rows += size;
        f.least = level < f.least ? level : f.least;
        f.most = level > f.most ? level : f.most;
    }
    f.lost /= (double)pv_profile_rows(profile);
    f.n = merge_labels(f.labels, n_groups);
    free(first);
    return f;
}

size_t web_labels_shown(const web_candidate *candidate, size_t quasi)
{
    size_t *const examples = web_examples(candidate->classes);
    const fate f = fate_of(candidate, examples, quasi);
    free(f.labels);
    free(examples);
    return f.n;
}

/* Owned. */
static char *treatment_of(const web_candidate *c, const fate *f, size_t q, bool is_cut)
{
    const unsigned height = pv_hierarchy_height(pv_study_hierarchy(c->opened.study, q));
    return f->most == 0         ? cli_copy("as it is")
           : f->least == height ? cli_copy("one group: *")
           : is_cut             ? cli_copy(cli_plural_text(f->n, "group", "groups").text)
           : f->least == f->most
               ? cli_format("level %u of %u", f->most, height)
               : cli_format("levels %u to %u of %u, row by row", f->least, f->most, height);
}

static json_t *attribute_json(const web_call *call, const web_candidate *c, const size_t *examples,
                              size_t q)
{
    const pv_study *const study = c->opened.study;
    const bool is_cut = study != call->snapshot->opened.study;
    const uint8_t *const levels = pv_classes_levels(c->classes);
    const unsigned height = pv_hierarchy_height(pv_study_hierarchy(study, q));
    const bool has_level = levels != NULL && !is_cut;
    json_t *const object = json_object();
    json_t *const labels = json_array();
    const fate f = fate_of(c, examples, q);
    char *const treatment = treatment_of(c, &f, q, is_cut);
    cli_json_set(object, "name", cli_json_text(pv_study_quasi_name(study, q)));
    cli_json_set(object, "treatment", cli_json_text(treatment));
    cli_json_set(object, "level", has_level ? cli_json_count(levels[q]) : json_null());
    cli_json_set(object, "height", is_cut ? json_null() : cli_json_count(height));
    cli_json_set(
        object, "before",
        cli_json_count(pv_table_values(pv_study_table(study), pv_study_quasi_column(study, q))));
    cli_json_set(object, "after", cli_json_count(f.n));
    cli_json_set(object, "lost", cli_json_number(f.lost));
    for (size_t i = 0; i < f.n && i < MOST_LABELS; i++) {
        cli_json_append(labels, cli_json_text(f.labels[i].text));
    }
    cli_json_set(object, "labels", labels);
    free(treatment);
    free(f.labels);
    return object;
}

/* -------------------------------------------------------------------- sentence */

/* How many look like nobody else. */
static uint64_t rows_alone(const pv_classes *classes)
{
    uint64_t alone = 0;
    for (size_t i = 0; i < pv_classes_total(classes); i++) {
        alone += pv_classes_size(classes, i) == 1 && !pv_classes_is_suppressed(classes, i);
    }
    return alone;
}

/* Who is suppressed, and what is lost. Owned. */
static char *cost_sentence(const web_candidate *c, double lost)
{
    const uint64_t suppressed = pv_classes_suppressed(c->classes);
    const double share = (double)suppressed / (double)pv_profile_rows(c->opened.profile);
    char *const who =
        suppressed == 0
            ? cli_copy("no row is suppressed")
            : cli_format("%s (%s) %s suppressed", cli_plural_text(suppressed, "row", "rows").text,
                         cli_share_text(share).text, suppressed == 1 ? "is" : "are");
    char *const text = cli_format("%s; %s of the detail is lost.", who, cli_share_text(lost).text);
    free(who);
    return text;
}

/* In plain words what it is. Owned. */
static char *sentence_of(const web_candidate *c, bool all_hold, uint64_t broken, double lost)
{
    const uint64_t k = pv_classes_k(c->classes);
    if (!pv_classes_feasible(c->classes)) {
        return cli_format("This cannot be released: %s in classes that break a demand, and only "
                          "%s may be suppressed.",
                          broken == 1 ? "1 row is"
                                      : cli_plural_text(broken, "row", "rows are").text,
                          cli_count_text(c->budget).text);
    }
    char *const cost = cost_sentence(c, lost);
    const char *const but = all_hold ? "" : "This cannot be released: not all demands hold. ";
    char *const text =
        k > 1 ? cli_format("%sEvery row that is not suppressed looks like at least %s; %s", but,
                           cli_plural_text(k - 1, "other", "others").text, cost)
              : cli_format("%s%s like nobody else; %s", but,
                           cli_plural_text(rows_alone(c->classes), "row looks", "rows look").text,
                           cost);
    free(cost);
    return text;
}

/* -------------------------------------------------------------------- endpoint */

static void set_proof(json_t *object, const pv_local *local)
{
    const double gap = local != NULL ? pv_local_gap(local) : (double)INFINITY;
    cli_json_set(object, "gap", isfinite(gap) ? cli_json_number(gap) : json_null());
    cli_json_set(object, "proven", local != NULL ? cli_json_bool(gap <= 0) : json_null());
}

static pv_status describe(web_call *call, const web_candidate *c, json_t *object, pv_error *error)
{
    const pv_classes *const classes = c->classes;
    bool all_hold = true;
    uint64_t broken = 0;
    double lost = 0;
    cli_json_set(object, "line", cli_json_text(c->line));
    cli_json_set(object, "spec", json_deep_copy(json_object_get(call->params, "spec")));
    cli_json_set(object, "k", cli_json_count(pv_classes_k(classes)));
    cli_json_set(object, "classes", cli_json_count(pv_classes_remaining(classes)));
    cli_json_set(object, "suppressed", cli_json_count(pv_classes_suppressed(classes)));
    cli_json_set(object, "rows", cli_json_count(pv_profile_rows(c->opened.profile)));
    cli_json_set(object, "budget", cli_json_count(c->budget));
    cli_json_set(object, "feasible", cli_json_bool(pv_classes_feasible(classes)));
    CLI_TRY(set_measures(object, c, error));
    cli_json_set(object, "before", before_json(call));
    CLI_TRY(set_demands(object, c, &all_hold, &broken, error));
    const size_t n_quasi = pv_study_quasis(c->opened.study);
    json_t *const attributes = json_array();
    size_t *const examples = web_examples(classes);
    for (size_t q = 0; q < n_quasi; q++) {
        json_t *const attribute = attribute_json(call, c, examples, q);
        lost += json_number_value(json_object_get(attribute, "lost")) / (double)n_quasi;
        cli_json_append(attributes, attribute);
    }
    free(examples);
    cli_json_set(object, "attributes", attributes);
    set_proof(object, c->local);
    char *const sentence = sentence_of(c, all_hold, broken, lost);
    cli_json_set(object, "sentence", cli_json_text(sentence));
    free(sentence);
    return PV_STATUS_OK;
}

pv_status web_candidate_job(web_call *call, json_t **result, pv_error *error)
{
    const json_t *spec = NULL;
    web_candidate *candidate = NULL;
    CLI_TRY(web_spec_of(call, &spec, error));
    CLI_TRY(web_candidate_find(call, spec, &candidate, error));
    json_t *const object = json_object();
    const pv_status status = describe(call, candidate, object, error);
    web_candidate_release(candidate);
    if (status != PV_STATUS_OK) {
        json_decref(object);
        return status;
    }
    *result = object;
    return PV_STATUS_OK;
}
