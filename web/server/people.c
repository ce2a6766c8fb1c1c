/* What a scheme does to people: how large their classes are, who is worst off, and whether some
 * groups of people are worse off than others. */
#include "server/candidate.h"

#include "core/fail.h"
#include "core/json.h"
#include "core/text.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define MOST_WORST 20 /* fewer than a word has bits */
#define MOST_GROUPS 50

/* ------------------------------------------------------------------------ risk */

static pv_status measure(const web_candidate *c, const char *name, double parameter, double *value,
                         pv_error *error)
{
    const pv_measure_ref ref = {.measure = pv_measure_find(name), .parameter = parameter};
    return pv_measure_value(ref, c->classes, value, error);
}

/* Risks are those of people who are not suppressed; `above` says how many have more than that. */
static pv_status set_risk(json_t *document, const web_candidate *c, pv_error *error)
{
    static const double thresholds[] = {0.05, 0.1, 0.2, 0.33, 0.5};
    const pv_classes *const classes = c->classes;
    json_t *const risk = json_object();
    json_t *const list = json_array();
    double max = 0;
    double mean = 0;
    cli_json_set(document, "risk", risk);
    CLI_TRY(measure(c, "risk", 0, &max, error));
    CLI_TRY(measure(c, "risk-mean", 0, &mean, error));
    cli_json_set(risk, "max", cli_json_number(max));
    cli_json_set(risk, "mean", cli_json_number(mean));
    for (size_t i = 0; i < sizeof thresholds / sizeof *thresholds; i++) {
        uint64_t rows = 0;
        for (size_t j = 0; j < pv_classes_total(classes); j++) {
            const uint64_t size = pv_classes_size(classes, j);
            const bool above =
                !pv_classes_is_suppressed(classes, j) && 1 / (double)size > thresholds[i];
            rows += above ? size : 0;
        }
        json_t *const pair = json_array();
        cli_json_append(pair, cli_json_number(thresholds[i]));
        cli_json_append(pair, cli_json_count(rows));
        cli_json_append(list, pair);
    }
    cli_json_set(risk, "above", list);
    return PV_STATUS_OK;
}

/* ----------------------------------------------------------------------- sizes */

static json_t *sizes_json(const pv_classes *classes)
{
    static const uint64_t from[PV_EXPOSURE_BINS] = {1, 2, 3, 5, 10, 20, 50, 100};
    uint64_t rows[PV_EXPOSURE_BINS] = {0};
    uint64_t n[PV_EXPOSURE_BINS] = {0};
    json_t *const list = json_array();
    for (size_t c = 0; c < pv_classes_total(classes); c++) {
        const uint64_t size = pv_classes_size(classes, c);
        if (!pv_classes_is_suppressed(classes, c)) {
            n[pv_exposure_bin(size)]++;
            rows[pv_exposure_bin(size)] += size;
        }
    }
    for (size_t bin = 0; bin < PV_EXPOSURE_BINS; bin++) {
        const bool is_last = bin + 1 == PV_EXPOSURE_BINS;
        json_t *const object = json_object();
        cli_json_set(object, "size", cli_json_text(pv_exposure_bin_name(bin)));
        cli_json_set(object, "from", cli_json_count(from[bin]));
        cli_json_set(object, "to", is_last ? json_null() : cli_json_count(from[bin + 1] - 1));
        cli_json_set(object, "rows", cli_json_count(rows[bin]));
        cli_json_set(object, "classes", cli_json_count(n[bin]));
        cli_json_append(list, object);
    }
    return list;
}

/* ----------------------------------------------------------------------- worst */

/* The smallest classes that are not suppressed, of equal ones those that come first in the table.
 */
typedef struct {
    size_t class;
    uint64_t size;
    uint64_t first; /* row */
} small_class;

static bool is_before(const small_class *a, const small_class *b)
{
    return a->size != b->size ? a->size < b->size : a->first < b->first;
}

/* Keeps the list sorted; it is short. */
static void keep_smallest(small_class *list, size_t *n, small_class found)
{
    if (*n == MOST_WORST && !is_before(&found, &list[*n - 1])) {
        return;
    }
    size_t at = *n < MOST_WORST ? (*n)++ : *n - 1;
    for (; at > 0 && is_before(&found, &list[at - 1]); at--) {
        list[at] = list[at - 1];
    }
    list[at] = found;
}

static size_t find_worst(const web_candidate *c, small_class *list)
{
    const uint64_t n_rows = pv_profile_rows(c->opened.profile);
    bool *const seen = cli_zeroed(pv_classes_total(c->classes) + 1, sizeof *seen);
    size_t n = 0;
    for (uint64_t row = 0; row < n_rows; row++) {
        const size_t class = web_class_of(c, row);
        if (!seen[class]) {
            seen[class] = true;
            const uint64_t size = pv_classes_size(c->classes, class);
            if (!pv_classes_is_suppressed(c->classes, class)) {
                keep_smallest(list, &n, (small_class){class, size, row});
            }
        }
    }
    free(seen);
    return n;
}

/* How many different values a sensitive column has in each of these classes, as l-distinct counts
 * them: a missing value is none. */
static void count_distinct(const web_candidate *c, size_t column, const small_class *list, size_t n,
                           uint64_t *distinct)
{
    const pv_table *const table = pv_study_table(c->opened.study);
    const uint32_t n_codes = pv_table_values(table, column);
    const uint32_t missing = pv_table_missing(table, column);
    size_t *const place = cli_zeroed(pv_classes_total(c->classes) + 1, sizeof *place);
    uint32_t *const met = cli_zeroed(n_codes + (size_t)1, sizeof *met); /* a bit per class */
    for (size_t i = 0; i < n; i++) {
        place[list[i].class] = i + 1;
    }
    for (uint64_t row = 0; row < pv_table_rows(table); row++) {
        const size_t at = place[web_class_of(c, row)];
        if (at > 0) {
            const uint32_t code = pv_table_code(table, column, row);
            const uint32_t bit = UINT32_C(1) << (at - 1);
            distinct[at - 1] += (met[code] & bit) == 0 && code != missing;
            met[code] |= bit;
        }
    }
    free(place);
    free(met);
}

static json_t *worst_json(const web_candidate *c)
{
    const pv_study *const study = c->opened.study;
    const pv_table *const table = pv_study_table(study);
    small_class list[MOST_WORST];
    const size_t n = find_worst(c, list);
    json_t *const worst = json_array();
    for (size_t i = 0; i < n; i++) {
        json_t *const object = json_object();
        json_t *const cells = json_array();
        cli_json_set(object, "size", cli_json_count(list[i].size));
        cli_json_set(object, "rows", cli_json_count(list[i].size));
        for (size_t q = 0; q < pv_study_quasis(study); q++) {
            cli_json_append(cells, cli_json_text(pv_classes_label(c->classes, list[i].class, q)));
        }
        cli_json_set(object, "cells", cells);
        cli_json_set(object, "sensitive", json_object());
        cli_json_append(worst, object);
    }
    for (size_t s = 0; s < pv_study_sensitives(study); s++) {
        const size_t column = pv_study_sensitive_column(study, s);
        uint64_t distinct[MOST_WORST] = {0};
        count_distinct(c, column, list, n, distinct);
        for (size_t i = 0; i < n; i++) {
            json_t *const sensitive = json_object_get(json_array_get(worst, i), "sensitive");
            cli_json_set(sensitive, pv_table_name(table, column), cli_json_count(distinct[i]));
        }
    }
    return worst;
}

/* -------------------------------------------------------------------------- by */

/* People with one value of a column. Means are of those who are not suppressed; what is lost is of
 * all. */
typedef struct {
    uint32_t code;
    uint64_t rows, suppressed;
    uint64_t smallest, at_smallest; /* 0 = all are suppressed */
    double sizes, risks, lost;      /* sums */
} group;

static void count_row(group *g, uint64_t size, bool is_suppressed, double lost)
{
    g->rows++;
    g->lost += lost;
    if (is_suppressed) {
        g->suppressed++;
        return;
    }
    g->sizes += (double)size;
    g->risks += 1 / (double)size;
    if (g->smallest == 0 || size < g->smallest) {
        g->smallest = size;
        g->at_smallest = 0;
    }
    g->at_smallest += size == g->smallest;
}

/* The share of the detail that the people of each class lose. */
static double *lost_of_classes(const web_candidate *c)
{
    const size_t n_quasi = pv_study_quasis(c->opened.study);
    double *const lost = cli_zeroed(pv_classes_total(c->classes) + 1, sizeof *lost);
    size_t *const examples = web_examples(c->classes);
    for (size_t i = 0; i < pv_classes_total(c->classes); i++) {
        for (size_t q = 0; q < n_quasi; q++) {
            lost[i] += web_lost(c->classes, examples[i], q) / (double)n_quasi;
        }
    }
    free(examples);
    return lost;
}

/* Most people first; of equal ones the one that appears first. */
static int by_rows(const void *a, const void *b)
{
    const group *const left = a;
    const group *const right = b;
    return left->rows != right->rows ? (left->rows > right->rows ? -1 : 1)
                                     : (left->code > right->code) - (left->code < right->code);
}

static json_t *group_json(const group *g, const pv_table *table, size_t column)
{
    const double remaining = (double)(g->rows - g->suppressed);
    const bool is_missing = g->code == pv_table_missing(table, column);
    json_t *const object = json_object();
    cli_json_set(object, "value",
                 cli_json_text(is_missing ? "(missing)" : pv_table_value(table, column, g->code)));
    cli_json_set(object, "rows", cli_json_count(g->rows));
    cli_json_set(object, "suppressed", cli_json_count(g->suppressed));
    cli_json_set(object, "mean_size", cli_json_number(g->sizes / remaining)); /* nobody: null */
    cli_json_set(object, "smallest", g->smallest > 0 ? cli_json_count(g->smallest) : json_null());
    cli_json_set(object, "at_smallest", cli_json_count(g->at_smallest));
    cli_json_set(object, "mean_risk", cli_json_number(g->risks / remaining));
    cli_json_set(object, "lost", cli_json_number(g->lost / (double)g->rows));
    return object;
}

static json_t *by_json(const web_candidate *c, size_t column)
{
    const pv_table *const table = pv_study_table(c->opened.study);
    const uint32_t n_codes = pv_table_values(table, column);
    group *const groups = cli_zeroed(n_codes + (size_t)1, sizeof *groups);
    double *const lost = lost_of_classes(c);
    json_t *const object = json_object();
    json_t *const list = json_array();
    size_t shown = 0;
    uint64_t others = 0;
    for (uint64_t row = 0; row < pv_table_rows(table); row++) {
        const uint32_t code = pv_table_code(table, column, row);
        const size_t class = web_class_of(c, row);
        groups[code].code = code;
        count_row(&groups[code], pv_classes_size(c->classes, class),
                  pv_classes_is_suppressed(c->classes, class), lost[class]);
    }
    qsort(groups, n_codes, sizeof *groups, by_rows);
    for (; shown < n_codes && shown < MOST_GROUPS; shown++) {
        cli_json_append(list, group_json(&groups[shown], table, column));
    }
    for (size_t i = shown; i < n_codes; i++) {
        others += groups[i].rows;
    }
    cli_json_set(object, "column", cli_json_text(pv_table_name(table, column)));
    cli_json_set(object, "groups", list);
    cli_json_set(object, "others", cli_json_count(others));
    free(groups);
    free(lost);
    return object;
}

/* -------------------------------------------------------------------- endpoint */

static pv_status describe(const web_candidate *c, size_t column, json_t *object, pv_error *error)
{
    cli_json_set(object, "rows", cli_json_count(pv_profile_rows(c->opened.profile)));
    cli_json_set(object, "suppressed", cli_json_count(pv_classes_suppressed(c->classes)));
    cli_json_set(object, "k", cli_json_count(pv_classes_k(c->classes)));
    cli_json_set(object, "classes", cli_json_count(pv_classes_remaining(c->classes)));
    CLI_TRY(set_risk(object, c, error));
    cli_json_set(object, "sizes", sizes_json(c->classes));
    cli_json_set(object, "worst", worst_json(c));
    cli_json_set(object, "by", column != SIZE_MAX ? by_json(c, column) : json_null());
    return PV_STATUS_OK;
}

pv_status web_people(web_call *call, json_t **result, pv_error *error)
{
    const json_t *spec = NULL;
    const char *by = NULL;
    size_t column = SIZE_MAX;
    web_candidate *candidate = NULL;
    CLI_TRY(web_spec_of(call, &spec, error));
    CLI_TRY(web_text_of(call->params, "by", &by, error));
    if (by != NULL && by[0] != '\0') {
        CLI_TRY(web_column_of(call, by, &column, error));
    }
    CLI_TRY(web_candidate_find(call, spec, &candidate, error));
    json_t *const object = json_object();
    const pv_status status = describe(candidate, column, object, error);
    web_candidate_release(candidate);
    if (status != PV_STATUS_OK) {
        json_decref(object);
        return status;
    }
    *result = object;
    return PV_STATUS_OK;
}
