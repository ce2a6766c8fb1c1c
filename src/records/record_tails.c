/* Numbering tails, from the last position to the first. */
#include "records/record_tails.h"

#include "base/error.h"
#include "base/memory.h"
#include "classes/keys.h"

/* Room to number the tails of one position. */
typedef struct {
    uint64_t *keys;  /* per tuple: value, then rest */
    uint32_t *order; /* tuples by ascending key */
} numbering;

static uint32_t count_distinct(const numbering *at, size_t n_tuples)
{
    uint32_t n = n_tuples > 0;
    for (size_t i = 1; i < n_tuples; i++) {
        n += at->keys[at->order[i]] != at->keys[at->order[i - 1]];
    }
    return n;
}

/* From the keys of a position in order to its tails; `whole` of a tuple becomes its tail there. */
static bool number(pv_tails *tails, const numbering *at, size_t position)
{
    const uint32_t n = count_distinct(at, tails->n_tuples);
    uint32_t *const value = PV_NEW_ARRAY(uint32_t, n);
    uint32_t *const rest = PV_NEW_ARRAY(uint32_t, n);
    tails->n[position] = n;
    tails->value[position] = value;
    tails->rest[position] = rest;
    if (value == NULL || rest == NULL) {
        return false;
    }
    uint32_t tail = 0;
    for (size_t i = 0; i < tails->n_tuples; i++) {
        const uint64_t key = at->keys[at->order[i]];
        tail += i > 0 && key != at->keys[at->order[i - 1]];
        value[tail] = (uint32_t)(key >> 32);
        rest[tail] = (uint32_t)key;
        tails->whole[at->order[i]] = tail;
    }
    return true;
}

static bool number_all(pv_tails *tails, numbering *at, pv_tail_value_fn value, const void *ctx)
{
    for (size_t position = tails->n_positions; position-- > 0;) {
        for (size_t t = 0; t < tails->n_tuples; t++) {
            at->keys[t] = (uint64_t)value(ctx, t, position) << 32 | tails->whole[t];
        }
        if (!pv_i_keys_order(at->keys, tails->n_tuples, 1, at->order) ||
            !number(tails, at, position)) {
            return false;
        }
    }
    return true;
}

pv_status pv_i_tails_init(pv_tails *tails, size_t n_positions, size_t n_tuples,
                          pv_tail_value_fn value, const void *ctx, pv_error *error)
{
    pv_tails t = {.n_positions = n_positions,
                  .n_tuples = n_tuples,
                  .n = PV_NEW_ZEROED(uint32_t, n_positions + 1),
                  .value = PV_NEW_ZEROED(uint32_t *, n_positions),
                  .rest = PV_NEW_ZEROED(uint32_t *, n_positions),
                  .whole = PV_NEW_ZEROED(uint32_t, n_tuples)};
    numbering at = {.keys = PV_NEW_ARRAY(uint64_t, n_tuples),
                    .order = PV_NEW_ARRAY(uint32_t, n_tuples)};
    const bool ready = t.n != NULL && t.value != NULL && t.rest != NULL && t.whole != NULL &&
                       at.keys != NULL && at.order != NULL && number_all(&t, &at, value, ctx);
    pv_i_free(at.keys);
    pv_i_free(at.order);
    if (!ready) {
        pv_i_tails_deinit(&t);
        return pv_i_no_memory(error);
    }
    t.n[n_positions] = 1;
    *tails = t;
    return PV_STATUS_OK;
}

void pv_i_tails_deinit(pv_tails *tails)
{
    for (size_t p = 0; p < tails->n_positions; p++) {
        pv_i_free(tails->value != NULL ? tails->value[p] : NULL);
        pv_i_free(tails->rest != NULL ? tails->rest[p] : NULL);
    }
    pv_i_free(tails->n);
    pv_i_free(tails->value);
    pv_i_free(tails->rest);
    pv_i_free(tails->whole);
    *tails = (pv_tails){0};
}
