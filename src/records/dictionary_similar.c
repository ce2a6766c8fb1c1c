/* Consistent by similarity: each value of the dictionary is compared with each leaf of the table,
 * once per attribute. Workers take neighbouring values; what they found is put together in the
 * order of the values. */
#include "base/error.h"
#include "base/failure.h"
#include "base/memory.h"
#include "base/pool.h"
#include "base/ticker.h"
#include "records/dictionary_parts.h"
#include "table/column.h"
#include "table/value.h"

#include <string.h>

#define FEW_PAIRS ((uint64_t)1 << 16) /* not worth a thread */

/* ------------------------------------------------------------------ texts */

/* 31.05.2024 is similar to 2024-05-31. */
static bool spell_plainly(pv_texts *texts, uint32_t i, const pv_table *table, size_t column)
{
    char plain[PV_CANONICAL_SIZE];
    const size_t size = pv_i_table_canonical(table, column, texts->text[i], texts->size[i], plain);
    if (size > 0) {
        texts->text[i] = pv_i_arena_text(&texts->arena, plain, size);
        texts->size[i] = size;
    }
    return texts->text[i] != NULL;
}

pv_status pv_i_texts_init(pv_texts *texts, const pv_table *table, size_t column,
                          const pv_hierarchy *hierarchy, pv_error *error)
{
    const uint32_t n = pv_table_values(table, column);
    const uint32_t missing = pv_table_missing(table, column);
    *texts =
        (pv_texts){.n = n, .text = PV_NEW_ARRAY(const char *, n), .size = PV_NEW_ARRAY(size_t, n)};
    if (texts->text == NULL || texts->size == NULL) {
        return pv_i_no_memory(error);
    }
    for (uint32_t i = 0; i < n; i++) {
        const uint32_t code = hierarchy != NULL ? pv_hierarchy_code(hierarchy, i) : i;
        texts->text[i] = code != missing ? pv_table_value(table, column, code) : NULL;
        texts->size[i] = pv_i_table_value_length(table, column, code);
        if (code != missing && !spell_plainly(texts, i, table, column)) {
            return pv_i_no_memory(error);
        }
    }
    return PV_STATUS_OK;
}

void pv_i_texts_deinit(pv_texts *texts)
{
    pv_i_free(texts->text);
    pv_i_free(texts->size);
    pv_i_arena_deinit(&texts->arena);
    *texts = (pv_texts){0};
}

static bool is_similar(const pv_texts *a, uint32_t i, const pv_texts *b, uint32_t j,
                       double similarity)
{
    if (a->text[i] == NULL || b->text[j] == NULL) {
        return a->text[i] == b->text[j];
    }
    return pv_jaro(a->text[i], a->size[i], b->text[j], b->size[j]) >= similarity;
}

/* ------------------------------------------------------------- in parallel */

typedef struct {
    uint32_t first, end; /* values */
    uint32_t *leaves;    /* similar to them, one value after the other */
    size_t n_leaves, capacity;
} share;

typedef struct {
    const pv_texts *leaves, *values;
    double similarity;
    const pv_context *context;
    uint32_t *n_similar; /* leaves, by value */
    share *shares;
    unsigned n_shares;
    pv_failure failure;
} comparison;

static bool compare_value(comparison *c, share *s, uint32_t value)
{
    for (uint32_t leaf = 0; leaf < c->leaves->n; leaf++) {
        if (!is_similar(c->leaves, leaf, c->values, value, c->similarity)) {
            continue;
        }
        if (!pv_i_reserve((void **)&s->leaves, &s->capacity, s->n_leaves + 1, sizeof *s->leaves)) {
            return false;
        }
        s->leaves[s->n_leaves++] = leaf;
        c->n_similar[value]++;
    }
    return true;
}

static void compare_share(void *ctx, unsigned worker)
{
    comparison *const c = ctx;
    share *const s = &c->shares[worker];
    pv_ticker ticker = pv_i_ticker(worker == 0 ? c->context : NULL, "comparing", s->end - s->first);
    for (uint32_t value = s->first; value < s->end && !pv_i_has_failed(&c->failure); value++) {
        if (!compare_value(c, s, value)) {
            pv_i_failure_note(&c->failure, PV_STATUS_NO_MEMORY);
        }
        if (!pv_i_tick(&ticker, value - s->first)) {
            pv_i_failure_note(&c->failure, PV_STATUS_CANCELLED);
        }
    }
}

static pv_status compare_all(comparison *c, pv_error *error)
{
    const uint64_t n = c->values->n;
    const unsigned threads = pv_i_threads(c->context);
    c->n_shares = n * c->leaves->n > FEW_PAIRS ? threads : 1;
    c->shares = PV_NEW_ZEROED(share, c->n_shares);
    c->n_similar = PV_NEW_ZEROED(uint32_t, n);
    if (c->shares == NULL || c->n_similar == NULL) {
        return pv_i_no_memory(error);
    }
    for (unsigned i = 0; i < c->n_shares; i++) {
        c->shares[i].first = (uint32_t)(n * i / c->n_shares);
        c->shares[i].end = (uint32_t)(n * (i + 1) / c->n_shares);
    }
    pv_i_pool_run(c->n_shares, compare_share, c);
    return pv_i_failure_tell(&c->failure, error);
}

static void comparison_deinit(comparison *c)
{
    for (unsigned i = 0; c->shares != NULL && i < c->n_shares; i++) {
        pv_i_free(c->shares[i].leaves);
    }
    pv_i_free(c->shares);
    pv_i_free(c->n_similar);
}

/* ----------------------------------------------------------- put together */

static pv_status join(const comparison *c, pv_consistency *similar, pv_error *error)
{
    const uint32_t n = c->values->n;
    size_t total = 0;
    for (unsigned i = 0; i < c->n_shares; i++) {
        total += c->shares[i].n_leaves;
    }
    if (total >= UINT32_MAX) {
        return pv_i_hint(pv_i_fail(error, PV_STATUS_LIMIT,
                                   "too many values of the dictionary and the table are similar"),
                         error, "demand more similarity");
    }
    similar->start = PV_NEW_ZEROED(uint32_t, (size_t)n + 1);
    similar->group = PV_NEW_ARRAY(uint32_t, total);
    if (similar->start == NULL || similar->group == NULL) {
        return pv_i_no_memory(error);
    }
    for (uint32_t value = 0; value < n; value++) {
        similar->start[value + 1] = similar->start[value] + c->n_similar[value];
    }
    for (unsigned i = 0; i < c->n_shares; i++) {
        const share *const s = &c->shares[i];
        if (s->n_leaves > 0) {
            memcpy(similar->group + similar->start[s->first], s->leaves,
                   s->n_leaves * sizeof *s->leaves);
        }
    }
    return PV_STATUS_OK;
}

static pv_status find_similar(const pv_texts *leaves, const pv_texts *values, double similarity,
                              const pv_context *context, pv_consistency *similar, pv_error *error)
{
    comparison c = {
        .leaves = leaves, .values = values, .similarity = similarity, .context = context};
    pv_status status = compare_all(&c, error);
    if (status == PV_STATUS_OK) {
        status = join(&c, similar, error);
    }
    comparison_deinit(&c);
    return status;
}

pv_status pv_i_known_match_similar(pv_known *known, const pv_hierarchy *hierarchy,
                                   const pv_texts *leaves, const pv_texts *values,
                                   double similarity, const pv_context *context, pv_error *error)
{
    pv_whereabouts where = {0};
    pv_status status = PV_STATUS_OK;
    PV_TRY_CLEAN(find_similar(leaves, values, similarity, context, &where.leaves, error));
    PV_TRY_CLEAN(pv_i_whereabouts_of_leaves(&where, known->n_values, hierarchy, error));
    PV_TRY_CLEAN(pv_i_known_match(known, &where, hierarchy, error));
cleanup:
    pv_i_whereabouts_deinit(&where);
    return status;
}
