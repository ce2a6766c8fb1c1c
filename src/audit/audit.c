/* The checker: what a file keeps, seen from outside. The steps:
 *
 *     count      the file's distinct rows, classes and values         audit_count.c
 *     facts      spreads of sensitive values over the classes         audit_measures.c
 *     measures   every demandable one of the registry, and extras     audit_measures.c
 *     unchanged  whom each column that is no quasi-identifier exposes (here)
 *     wildcard   the same classes with `*` as "any value"             (here)
 *
 * The room takes names of measures and the shape of hierarchies from public headers, and no code
 * from the rooms that make releases. A release is written only if this room and those agree. */
#include "audit/audit.h"
#include "base/bitset.h"
#include "base/error.h"
#include "base/memory.h"
#include "base/options.h"
#include "base/ticker.h"

#include <stdlib.h>
#include <string.h>

/* Finer where it matters: a row in a class of 2 is much safer than a unique one, in a class of 200
 * hardly safer than in one of 100. */
static size_t bin_of(uint64_t size)
{
    static const uint64_t largest_in_bin[PV_EXPOSURE_BINS] = {1, 2, 4, 9, 19, 49, 99, UINT64_MAX};
    size_t bin = 0;
    while (size > largest_in_bin[bin]) {
        bin++;
    }
    return bin;
}

static bool is_star(const pv_audit_count *count, uint32_t class_number, size_t quasi)
{
    /* A code is never PV_AUDIT_NOT_FOUND, so a column without stars has none here either. */
    return pv_i_audit_code(&count->classes, class_number, quasi) == count->columns[quasi].star;
}

static void summarise(const pv_audit_facts *facts, pv_audit *audit)
{
    const pv_audit_count *const count = facts->count;
    audit->rows = count->rows;
    audit->trimmed = count->trimmed;
    audit->missing = count->n_missing;
    audit->suppressed = count->suppressed;
    audit->classes = facts->remaining_classes;
    audit->k = facts->smallest;
    for (uint32_t i = 0; i < count->classes.n_entries; i++) {
        const uint64_t size = count->classes.entries[i].count;
        if (!pv_i_audit_remains(count, i)) {
            continue;
        }
        audit->histogram[bin_of(size)] += size;
        audit->unique_rows += size == 1;
        for (size_t j = 0; j < count->n_quasi; j++) {
            audit->starred_cells += is_star(count, i, j) ? size : 0;
        }
    }
}

/* Every demandable measure with its default parameter, then what the caller asked for besides. */
static pv_status measure_all(pv_audit_facts *facts, const pv_audit_options *options,
                             pv_audit *audit, pv_error *error)
{
    audit->values = PV_NEW_ZEROED(pv_audit_value, pv_n_measures() + options->n_extra);
    if (audit->values == NULL) {
        return pv_i_no_memory(error);
    }
    for (size_t i = 0; i < pv_n_measures(); i++) {
        const pv_measure *const measure = pv_measure_at(i);
        pv_measure_ref ref = {.measure = measure, .parameter = measure->parameter_default};
        if (options->risk_threshold > 0 && measure->family == PV_FAMILY_RISK &&
            measure->parameter != NULL) {
            ref.parameter = options->risk_threshold;
        }
        if (measure->demandable) {
            PV_TRY(pv_i_audit_measure(facts, ref, &audit->values[audit->n_values++], error));
        }
    }
    for (size_t i = 0; i < options->n_extra; i++) {
        PV_TRY(
            pv_i_audit_measure(facts, options->extra[i], &audit->values[audit->n_values++], error));
    }
    return PV_STATUS_OK;
}

/* Distinct values of the remaining rows: a value that only suppressed rows have does not count. */
static pv_status count_quasi_values(const pv_audit_count *count, pv_audit *audit, pv_error *error)
{
    audit->quasi_values = PV_NEW_ZEROED(uint64_t, count->n_quasi);
    if (audit->quasi_values == NULL) {
        return pv_i_no_memory(error);
    }
    audit->n_quasi = count->n_quasi;
    for (size_t j = 0; j < count->n_quasi; j++) {
        bool *const occurs = PV_NEW_ZEROED(bool, count->columns[j].values.n_entries);
        if (occurs == NULL) {
            return pv_i_no_memory(error);
        }
        for (uint32_t i = 0; i < count->classes.n_entries; i++) {
            bool *const known = &occurs[pv_i_audit_code(&count->classes, i, j)];
            if (pv_i_audit_remains(count, i) && !*known) {
                *known = true;
                audit->quasi_values[j]++;
            }
        }
        pv_i_free(occurs);
    }
    return PV_STATUS_OK;
}

/* ---- columns that are no quasi-identifiers ---- */

/* Of a tally of classes together with something else: the rows that are alone, and the fewest
 * remaining rows that look alike. */
static void count_alone(const pv_audit_count *count, const pv_audit_tally *tally,
                        uint64_t *unique_with, uint64_t *k_with)
{
    for (uint32_t p = 0; p < tally->n_entries; p++) {
        const uint64_t rows = tally->entries[p].count;
        *unique_with += rows == 1;
        if (pv_i_audit_remains(count, pv_i_audit_code(tally, p, 0))) {
            *k_with = *k_with == 0 || rows < *k_with ? rows : *k_with;
        }
    }
}

/* In the order of the file. */
static int compare_fields(const void *left, const void *right)
{
    const pv_audit_column *const a = *(const pv_audit_column *const *)left;
    const pv_audit_column *const b = *(const pv_audit_column *const *)right;
    return (a->field > b->field) - (a->field < b->field);
}

/* The columns after the quasi-identifiers, one by one, then those judged together. */
static pv_status judge_columns(const pv_audit_count *count, pv_audit *audit, pv_error *error)
{
    const size_t n = count->n_columns - count->n_quasi;
    const pv_audit_column **const columns = PV_NEW_ARRAY(const pv_audit_column *, n);
    audit->unchanged = PV_NEW_ZEROED(pv_audit_unchanged, n);
    bool fine = columns != NULL && audit->unchanged != NULL;
    for (size_t i = 0; i < n && fine; i++) {
        columns[i] = &count->columns[count->n_quasi + i];
    }
    if (fine) {
        qsort(columns, n, sizeof *columns, compare_fields);
    }
    for (size_t i = 0; i < n && fine; i++) {
        const pv_audit_column *const column = columns[i];
        pv_audit_unchanged *const unchanged = &audit->unchanged[i];
        unchanged->name = pv_i_strdup(column->name);
        fine = unchanged->name != NULL;
        unchanged->values = column->values.n_entries;
        for (uint32_t v = 0; v < column->values.n_entries; v++) {
            unchanged->unique += column->values.entries[v].count == 1;
        }
        if (column->missing != PV_AUDIT_NOT_FOUND) {
            unchanged->missing = column->values.entries[column->missing].count;
        }
        count_alone(count, &column->pairs, &unchanged->unique_with, &unchanged->k_with);
        audit->n_unchanged = i + 1;
    }
    audit->together.columns = count->n_together;
    count_alone(count, &count->together, &audit->together.unique_with, &audit->together.k_with);
    pv_i_free(columns);
    return fine ? PV_STATUS_OK : pv_i_no_memory(error);
}

/* ---- the second reading of `*` ----
 *
 * Not a category of its own but "any value": a person known by their quasi-identifiers hides among
 * all rows of the file, suppressed ones included, that agree with theirs in every quasi-identifier
 * where neither has a `*`. How many are consistent with each class?
 *
 * Classes with stars in the same columns have the same pattern. For two patterns only the columns
 * starred in neither can disagree:
 *
 *     a class of A    3 *  5  *         common columns: 1 and 3, so the rows of B consistent with a
 *     a class of B    3 7  5  *         class of A are those with the same codes there
 *
 * so the classes of B are tallied by their codes in the common columns, and every class of A looks
 * its own codes up. Two classes of one pattern are consistent only if they are the same class.
 *
 * Time: two patterns need time in proportion to their classes, all of them patterns times classes.
 * A file recoded column by column has one pattern, or two with suppressed rows; only
 * cells suppressed one by one make many. */

typedef struct {
    const pv_audit_count *count;
    pv_error *error;
    pv_audit_tally patterns; /* key: a bit per quasi-identifier, set = starred */
    size_t pattern_bytes;
    uint32_t *members;    /* classes by pattern */
    size_t *starts;       /* per pattern: its first member; one more at the end */
    uint64_t *words;      /* scratch: one pattern */
    size_t *common;       /* scratch: the columns starred in neither of two patterns */
    uint32_t *key;        /* scratch: the codes in those columns */
    uint64_t *consistent; /* by class: rows */
} matcher;

/* Counting sort of the classes by pattern. `pattern_of` has one number per class. */
static pv_status group_classes(matcher *m, uint32_t *pattern_of)
{
    const uint32_t n = (uint32_t)m->count->classes.n_entries;
    for (uint32_t i = 0; i < n; i++) {
        memset(m->words, 0, m->pattern_bytes);
        for (size_t j = 0; j < m->count->n_quasi; j++) {
            if (is_star(m->count, i, j)) {
                pv_i_bit_set(m->words, j);
            }
        }
        PV_TRY(pv_i_audit_tally_add(&m->patterns, m->words, m->pattern_bytes, 1, &pattern_of[i],
                                    m->error));
    }
    m->starts = PV_NEW_ARRAY(size_t, m->patterns.n_entries + 1);
    if (m->starts == NULL) {
        return pv_i_no_memory(m->error);
    }
    size_t end = 0;
    for (size_t p = 0; p < m->patterns.n_entries; p++) {
        end += m->patterns.entries[p].count;
        m->starts[p] = end;
    }
    m->starts[m->patterns.n_entries] = n;
    /* Each start is its pattern's end so far; filling backwards makes it the start. */
    for (uint32_t i = n; i-- > 0;) {
        m->members[--m->starts[pattern_of[i]]] = i;
    }
    return PV_STATUS_OK;
}

/* The class's codes in the common columns, as a key; returns its size. */
static size_t project(matcher *m, uint32_t class_number, size_t n_common)
{
    for (size_t i = 0; i < n_common; i++) {
        m->key[i] = pv_i_audit_code(&m->count->classes, class_number, m->common[i]);
    }
    return n_common * sizeof *m->key;
}

/* Adds to the classes of pattern `a` the rows of pattern `b` consistent with them. */
static pv_status match(matcher *m, uint32_t a, uint32_t b)
{
    pv_audit_tally tally = {0};
    pv_status status = PV_STATUS_OK;
    size_t n_common = 0;
    /* Any member shows the stars of its pattern. */
    for (size_t i = 0; i < m->count->n_quasi; i++) {
        if (!is_star(m->count, m->members[m->starts[a]], i) &&
            !is_star(m->count, m->members[m->starts[b]], i)) {
            m->common[n_common++] = i;
        }
    }
    for (size_t i = m->starts[b]; i < m->starts[b + 1]; i++) {
        const uint32_t class_number = m->members[i];
        const size_t size = project(m, class_number, n_common);
        uint32_t unused;
        PV_TRY_CLEAN(pv_i_audit_tally_add(&tally, m->key, size,
                                          m->count->classes.entries[class_number].count, &unused,
                                          m->error));
    }
    for (size_t i = m->starts[a]; i < m->starts[a + 1]; i++) {
        const uint32_t class_number = m->members[i];
        const size_t size = project(m, class_number, n_common);
        const uint32_t found = pv_i_audit_tally_find(&tally, m->key, size);
        if (found != PV_AUDIT_NOT_FOUND) {
            m->consistent[class_number] += tally.entries[found].count;
        }
    }
cleanup:
    pv_i_audit_tally_deinit(&tally);
    return status;
}

/* Classes of one pattern are consistent only with themselves: they start with their own rows. */
static pv_status match_all(matcher *m, const pv_context *context)
{
    const uint64_t n = m->patterns.n_entries;
    pv_ticker ticker = pv_i_ticker(context, "checking", n * n);
    for (size_t i = 0; i < m->count->classes.n_entries; i++) {
        m->consistent[i] = m->count->classes.entries[i].count;
    }
    for (uint32_t a = 0; a < n; a++) {
        for (uint32_t b = 0; b < n; b++) {
            if (a != b) {
                PV_TRY(match(m, a, b));
            }
            if (!pv_i_tick(&ticker, a * n + b)) {
                return pv_i_cancelled(m->error);
            }
        }
    }
    return PV_STATUS_OK;
}

/* The mean risk is over rows: all rows of a class hide among the same consistent ones. */
static pv_status read_stars_as_wildcards(const pv_audit_facts *facts, const pv_context *context,
                                         pv_audit *audit, pv_error *error)
{
    const pv_audit_count *const count = facts->count;
    const size_t n_classes = count->classes.n_entries;
    const size_t n_words = PV_BITSET_WORDS(count->n_quasi);
    matcher m = {.count = count,
                 .error = error,
                 .pattern_bytes = n_words * sizeof *m.words,
                 .members = PV_NEW_ARRAY(uint32_t, n_classes),
                 .words = PV_NEW_ARRAY(uint64_t, n_words),
                 .common = PV_NEW_ARRAY(size_t, count->n_quasi),
                 .key = PV_NEW_ARRAY(uint32_t, count->n_quasi),
                 .consistent = PV_NEW_ARRAY(uint64_t, n_classes)};
    uint32_t *const pattern_of = PV_NEW_ARRAY(uint32_t, n_classes);
    pv_status status = PV_STATUS_OK;
    double risk = 0;
    if (m.members == NULL || m.words == NULL || m.common == NULL || m.key == NULL ||
        m.consistent == NULL || pattern_of == NULL) {
        status = pv_i_no_memory(error);
        goto cleanup;
    }
    PV_TRY_CLEAN(group_classes(&m, pattern_of));
    PV_TRY_CLEAN(match_all(&m, context));
    audit->k_wildcard = UINT64_MAX;
    for (uint32_t i = 0; i < n_classes; i++) {
        if (pv_i_audit_remains(count, i)) {
            const uint64_t n = m.consistent[i];
            audit->k_wildcard = n < audit->k_wildcard ? n : audit->k_wildcard;
            audit->unique_rows_wildcard += n == 1;
            risk += (double)count->classes.entries[i].count / (double)n;
        }
    }
    audit->risk_mean_wildcard = risk / (double)facts->remaining_rows;
cleanup:
    pv_i_audit_tally_deinit(&m.patterns);
    pv_i_free(m.members);
    pv_i_free(m.starts);
    pv_i_free(m.words);
    pv_i_free(m.common);
    pv_i_free(m.key);
    pv_i_free(m.consistent);
    pv_i_free(pattern_of);
    return status;
}

/* ---- all of it ---- */

/* The count can be large; it is freed as soon as the numbers are there. */
pv_status pv_i_audit_file(const char *path, const pv_audit_options *options,
                          const pv_audit_limits *limits, const pv_context *context,
                          pv_audit **audit, pv_error *error)
{
    pv_audit_count count = {0};
    pv_audit_facts facts = {0};
    PV_TRY(pv_i_audit_count(path, options, limits, context, &count, error));
    pv_audit *result = PV_NEW(pv_audit);
    pv_status status = PV_STATUS_OK;
    PV_TRY_CLEAN(result != NULL ? pv_i_audit_facts(&count, options, &facts, error)
                                : pv_i_no_memory(error));
    summarise(&facts, result);
    PV_TRY_CLEAN(measure_all(&facts, options, result, error));
    PV_TRY_CLEAN(count_quasi_values(&count, result, error));
    if (count.judges) {
        PV_TRY_CLEAN(judge_columns(&count, result, error));
    }
    PV_TRY_CLEAN(read_stars_as_wildcards(&facts, context, result, error));
    *audit = result;
    result = NULL;
cleanup:
    pv_audit_free(result);
    pv_i_audit_facts_deinit(&facts);
    pv_i_audit_count_deinit(&count);
    return status;
}

pv_status pv_audit_file(const char *path, const pv_audit_options *options,
                        const pv_context *context, pv_audit **audit, pv_error *error)
{
    pv_audit_options taken;
    PV_TRY(PV_TAKE_OPTIONS(taken, options, error));
    return pv_i_audit_file(path, &taken, &(pv_audit_limits){0}, context, audit, error);
}

void pv_audit_free(pv_audit *audit)
{
    if (audit != NULL) {
        for (size_t i = 0; i < audit->n_unchanged; i++) {
            pv_i_free((char *)(uintptr_t)audit->unchanged[i].name);
        }
        pv_i_free(audit->unchanged);
        pv_i_free(audit->quasi_values);
        pv_i_free(audit->values);
        pv_i_free(audit);
    }
}

/* Parameters come from the same place or not at all: two are the same if neither is larger. What is
 * asked of one column is something else than what is asked of all. */
const pv_audit_value *pv_audit_find(const pv_audit *audit, pv_measure_ref ref)
{
    for (size_t i = 0; i < audit->n_values; i++) {
        const pv_measure_ref *const a = &audit->values[i].ref;
        if (a->measure == ref.measure && strcmp(a->column, ref.column) == 0 &&
            (ref.measure->parameter == NULL ||
             (!(a->parameter < ref.parameter) && !(a->parameter > ref.parameter)))) {
            return &audit->values[i];
        }
    }
    return NULL;
}

/* The numbers are read one by one, so that a later version may count more. */
#define READ(type, name)                        \
    type pv_audit_##name(const pv_audit *audit) \
    {                                           \
        return audit->name;                     \
    }
READ(uint64_t, rows)
READ(uint64_t, trimmed)
READ(uint64_t, missing)
READ(uint64_t, suppressed)
READ(uint64_t, starred_cells)
READ(uint64_t, classes)
READ(uint64_t, k)
READ(uint64_t, unique_rows)
READ(uint64_t, k_wildcard)
READ(uint64_t, unique_rows_wildcard)
READ(double, risk_mean_wildcard)

const uint64_t *pv_audit_histogram(const pv_audit *audit, size_t *n)
{
    *n = PV_EXPOSURE_BINS;
    return audit->histogram;
}

const pv_audit_value *pv_audit_values(const pv_audit *audit, size_t *n)
{
    *n = audit->n_values;
    return audit->values;
}

const uint64_t *pv_audit_quasi_values(const pv_audit *audit, size_t *n)
{
    *n = audit->n_quasi;
    return audit->quasi_values;
}

const pv_audit_unchanged *pv_audit_unchanged_columns(const pv_audit *audit, size_t *n)
{
    *n = audit->n_unchanged;
    return audit->unchanged;
}

pv_audit_together pv_audit_unchanged_together(const pv_audit *audit)
{
    return audit->together;
}
