/* `*` read as "any value": how many rows are consistent with each class.
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
#include "audit/audit_measures.h"

#include "base/bitset.h"
#include "base/error.h"
#include "base/memory.h"
#include "base/ticker.h"

#include <stdlib.h>
#include <string.h>

typedef struct {
    const pv_audit_count *count;
    pv_error *error;
    pv_audit_tally patterns; /* key: a bit per quasi-identifier, set = starred */
    size_t pattern_bytes;
    uint32_t *members; /* classes by pattern */
    size_t *starts;    /* per pattern: its first member; one more at the end */
    uint64_t *words;   /* scratch: one pattern */
    size_t *common;    /* scratch: the columns starred in neither of two patterns */
    uint32_t *key;     /* scratch: the codes in those columns */
} matcher;

static bool is_star(const pv_audit_count *count, uint32_t class_number, size_t quasi)
{
    /* A code is never PV_AUDIT_NOT_FOUND, so a column without stars has none here either. */
    return pv_i_audit_code(&count->classes, class_number, quasi) == count->columns[quasi].star;
}

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
static pv_status match(matcher *m, uint32_t a, uint32_t b, uint64_t *consistent)
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
            consistent[class_number] += tally.entries[found].count;
        }
    }
cleanup:
    pv_i_audit_tally_deinit(&tally);
    return status;
}

/* Classes of one pattern are consistent only with themselves: they start with their own rows. */
static pv_status match_all(matcher *m, const pv_context *context, uint64_t *consistent)
{
    const uint64_t n = m->patterns.n_entries;
    pv_ticker ticker = pv_i_ticker(context, "checking", n * n);
    for (size_t i = 0; i < m->count->classes.n_entries; i++) {
        consistent[i] = m->count->classes.entries[i].count;
    }
    for (uint32_t a = 0; a < n; a++) {
        for (uint32_t b = 0; b < n; b++) {
            if (a != b) {
                PV_TRY(match(m, a, b, consistent));
            }
            if (!pv_i_tick(&ticker, a * n + b)) {
                return pv_i_cancelled(m->error);
            }
        }
    }
    return PV_STATUS_OK;
}

pv_status pv_i_audit_wildcard(const pv_audit_count *count, const pv_context *context,
                              uint64_t *consistent, pv_error *error)
{
    const size_t n_classes = count->classes.n_entries;
    const size_t n_words = PV_BITSET_WORDS(count->n_quasi);
    matcher m = {.count = count,
                 .error = error,
                 .pattern_bytes = n_words * sizeof *m.words,
                 .members = PV_NEW_ARRAY(uint32_t, n_classes),
                 .words = PV_NEW_ARRAY(uint64_t, n_words),
                 .common = PV_NEW_ARRAY(size_t, count->n_quasi),
                 .key = PV_NEW_ARRAY(uint32_t, count->n_quasi)};
    uint32_t *const pattern_of = PV_NEW_ARRAY(uint32_t, n_classes);
    pv_status status = PV_STATUS_OK;
    if (m.members == NULL || m.words == NULL || m.common == NULL || m.key == NULL ||
        pattern_of == NULL) {
        status = pv_i_no_memory(error);
        goto cleanup;
    }
    PV_TRY_CLEAN(group_classes(&m, pattern_of));
    PV_TRY_CLEAN(match_all(&m, context, consistent));
cleanup:
    pv_i_audit_tally_deinit(&m.patterns);
    pv_i_free(m.members);
    pv_i_free(m.starts);
    pv_i_free(m.words);
    pv_i_free(m.common);
    pv_i_free(m.key);
    pv_i_free(pattern_of);
    return status;
}
