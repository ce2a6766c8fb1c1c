/* Classes with stars in the same columns have the same pattern. For two patterns only the columns
 * starred in neither can disagree:
 *
 *     pattern of A    3 *  5  *         common columns: 1 and 3, so the rows of B consistent with a
 *     pattern of B    3 7  5  *         class of A are those with the same codes there
 *
 * so the classes of B are tallied by those columns, and every class of A looks its own up. Two
 * patterns need time in proportion to their classes, all of them patterns times classes: a file
 * recoded column by column has one pattern, or two with suppressed rows. */
#include "audit/audit_wildcard.h"

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
    uint64_t *words;   /* room for one pattern */
    size_t *common;    /* room for the columns starred in neither of two patterns */
    uint32_t *key;     /* room for the codes in those columns */
} matcher;

static void discard(matcher *m)
{
    pv_i_audit_tally_deinit(&m->patterns);
    pv_i_free(m->members);
    pv_i_free(m->starts);
    pv_i_free(m->words);
    pv_i_free(m->common);
    pv_i_free(m->key);
}

static pv_status allocate(matcher *m)
{
    const size_t n_quasi = m->count->n_quasi;
    m->pattern_bytes = PV_BITSET_WORDS(n_quasi) * sizeof *m->words;
    m->members = PV_NEW_ARRAY(uint32_t, m->count->classes.n_entries);
    m->words = PV_NEW_ARRAY(uint64_t, PV_BITSET_WORDS(n_quasi));
    m->common = PV_NEW_ARRAY(size_t, n_quasi);
    m->key = PV_NEW_ARRAY(uint32_t, n_quasi);
    return m->members != NULL && m->words != NULL && m->common != NULL && m->key != NULL
               ? PV_STATUS_OK
               : pv_i_no_memory(m->error);
}

static bool is_star(const pv_audit_count *count, uint32_t class_number, size_t quasi)
{
    /* A code is never PV_AUDIT_NOT_FOUND, so a column without stars has none here either. */
    return pv_i_audit_code(&count->classes, class_number, quasi) == count->columns[quasi].star;
}

static pv_status find_pattern(matcher *m, uint32_t class_number, uint32_t *pattern)
{
    memset(m->words, 0, m->pattern_bytes);
    for (size_t i = 0; i < m->count->n_quasi; i++) {
        if (is_star(m->count, class_number, i)) {
            pv_i_bit_set(m->words, i);
        }
    }
    return pv_i_audit_tally_add(&m->patterns, m->words, m->pattern_bytes, 1, pattern, m->error);
}

/* Counting sort of the classes by pattern. `pattern_of` has room for one number per class. */
static pv_status group_classes(matcher *m, uint32_t *pattern_of)
{
    const uint32_t n = (uint32_t)m->count->classes.n_entries;
    for (uint32_t i = 0; i < n; i++) {
        PV_TRY(find_pattern(m, i, &pattern_of[i]));
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
    for (uint32_t i = n; i-- > 0;) {
        m->members[--m->starts[pattern_of[i]]] = i;
    }
    return PV_STATUS_OK;
}

static size_t find_common(matcher *m, uint32_t a, uint32_t b)
{
    size_t n = 0;
    for (size_t i = 0; i < m->count->n_quasi; i++) {
        if (!is_star(m->count, m->members[m->starts[a]], i) &&
            !is_star(m->count, m->members[m->starts[b]], i)) {
            m->common[n++] = i;
        }
    }
    return n;
}

static size_t project(matcher *m, uint32_t class_number, size_t n_common)
{
    for (size_t i = 0; i < n_common; i++) {
        m->key[i] = pv_i_audit_code(&m->count->classes, class_number, m->common[i]);
    }
    return n_common * sizeof *m->key;
}

static pv_status tally_pattern(matcher *m, uint32_t pattern, size_t n_common, pv_audit_tally *tally)
{
    for (size_t i = m->starts[pattern]; i < m->starts[pattern + 1]; i++) {
        const uint32_t class_number = m->members[i];
        const size_t size = project(m, class_number, n_common);
        uint32_t unused;
        PV_TRY(pv_i_audit_tally_add(
            tally, m->key, size, m->count->classes.entries[class_number].count, &unused, m->error));
    }
    return PV_STATUS_OK;
}

/* Adds to the classes of pattern `a` the rows of pattern `b` consistent with them. */
static pv_status match(matcher *m, uint32_t a, uint32_t b, uint64_t *consistent)
{
    pv_audit_tally tally = {0};
    const size_t n_common = find_common(m, a, b);
    const pv_status status = tally_pattern(m, b, n_common, &tally);
    for (size_t i = m->starts[a]; status == PV_STATUS_OK && i < m->starts[a + 1]; i++) {
        const uint32_t class_number = m->members[i];
        const size_t size = project(m, class_number, n_common);
        const uint32_t found = pv_i_audit_tally_find(&tally, m->key, size);
        if (found != PV_AUDIT_NOT_FOUND) {
            consistent[class_number] += tally.entries[found].count;
        }
    }
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
    matcher m = {.count = count, .error = error};
    pv_status status = PV_STATUS_OK;
    uint32_t *const pattern_of = PV_NEW_ARRAY(uint32_t, count->classes.n_entries);
    if (pattern_of == NULL) {
        return pv_i_no_memory(error);
    }
    PV_TRY_CLEAN(allocate(&m));
    PV_TRY_CLEAN(group_classes(&m, pattern_of));
    PV_TRY_CLEAN(match_all(&m, context, consistent));
cleanup:
    pv_i_free(pattern_of);
    discard(&m);
    return status;
}
