/* Keys of rows; sorted, shuffled or kept. */
#include "release/row_order.h"
#include "release/settings.h"

#include "base/error.h"
#include "base/memory.h"
#include "base/rng.h"
#include "classes/grouping.h"
#include "classes/keys.h"

#include <string.h>

/* --------------------------------------------------------------------- keys */

static pv_status lay_out(pv_row_keys *keys, pv_error *error)
{
    const size_t n = keys->columns->n;
    uint32_t *const sizes = PV_NEW_ARRAY(uint32_t, n + 1);
    if (sizes == NULL) {
        return pv_i_no_memory(error);
    }
    sizes[0] = keys->drops ? 2 : 1;
    for (size_t i = 0; i < n; i++) {
        sizes[i + 1] = keys->columns->list[i].n_ranks;
    }
    const pv_status status = pv_i_packing_of_sizes(&keys->packing, sizes, n + 1, error);
    pv_i_free(sizes);
    return status;
}

/* The rank of what a class shows in a quasi-identifier. */
static uint32_t rank_in_class(const pv_row_keys *keys, const pv_released_column *column, size_t c)
{
    const pv_classes *const classes = keys->classes;
    if (pv_i_is_suppressed(classes, c)) {
        return pv_i_starred_rank(column);
    }
    const size_t tuple = classes->member[classes->member_start[c]]; /* all of them look alike */
    const pv_study *const study = classes->profile->study;
    const pv_hierarchy *const hierarchy = pv_study_hierarchy(study, column->quasi);
    const uint32_t leaf = pv_profile_leaf(classes->profile, tuple, column->quasi);
    const size_t level =
        classes->levels == NULL ? pv_classes_level(classes, tuple, column->quasi) : 0;
    return column->places[level * column->n_codes + pv_hierarchy_code(hierarchy, leaf)];
}

static void pack_class(pv_row_keys *keys, size_t c)
{
    const pv_packing *const packing = &keys->packing;
    uint64_t *const key = keys->of_class + c * packing->words;
    if (keys->drops && pv_i_is_suppressed(keys->classes, c)) {
        key[packing->fields[0].word] = (uint64_t)1 << packing->fields[0].shift;
        return;
    }
    for (size_t i = 0; i < keys->columns->n; i++) {
        const pv_released_column *const column = &keys->columns->list[i];
        const pv_field field = packing->fields[i + 1];
        if (column->treatment == PV_TREATMENT_RECODED) {
            key[field.word] |= (uint64_t)rank_in_class(keys, column, c) << field.shift;
        }
    }
}

pv_status pv_i_row_keys_init(pv_row_keys *keys, const pv_released_columns *columns,
                             const pv_classes *classes, bool drops, pv_error *error)
{
    *keys = (pv_row_keys){.columns = columns, .classes = classes, .drops = drops};
    PV_TRY(lay_out(keys, error));
    keys->of_class = PV_NEW_ZEROED(uint64_t, classes->n_classes * keys->packing.words);
    if (keys->of_class == NULL) {
        return pv_i_no_memory(error);
    }
    for (size_t c = 0; c < classes->n_classes; c++) {
        pack_class(keys, c);
    }
    return PV_STATUS_OK;
}

void pv_i_row_keys_deinit(pv_row_keys *keys)
{
    pv_i_packing_deinit(&keys->packing);
    pv_i_free(keys->of_class);
    *keys = (pv_row_keys){0};
}

static size_t class_of_row(const pv_row_keys *keys, uint64_t row)
{
    return keys->classes->class_of[keys->classes->profile->row_tuple[row]];
}

static bool is_left_out(const pv_row_keys *keys, uint64_t row)
{
    return keys->drops && pv_i_is_suppressed(keys->classes, class_of_row(keys, row));
}

static void pack_column(const pv_released_column *column, pv_field field, unsigned words,
                        const uint64_t *rows, uint64_t first, size_t n, uint32_t *room,
                        uint64_t *out)
{
    if (rows == NULL) {
        pv_i_codes_unpack(column->codes, first, n, room);
    }
    for (size_t i = 0; rows != NULL && i < n; i++) {
        room[i] = pv_i_codes_at(column->codes, rows[i]);
    }
    for (size_t i = 0; i < n; i++) {
        out[i * words + field.word] |= (uint64_t)column->places[room[i]] << field.shift;
    }
}

void pv_i_row_keys_pack(const pv_row_keys *keys, const uint64_t *rows, uint64_t first, size_t n,
                        uint32_t *room, uint64_t *out)
{
    const unsigned words = keys->packing.words;
    for (size_t i = 0; i < n; i++) {
        const size_t c = class_of_row(keys, rows != NULL ? rows[i] : first + i);
        memcpy(out + i * words, keys->of_class + c * words, words * sizeof *out);
    }
    for (size_t j = 0; j < keys->columns->n; j++) {
        const pv_released_column *const column = &keys->columns->list[j];
        if (column->treatment != PV_TREATMENT_RECODED) {
            pack_column(column, keys->packing.fields[j + 1], words, rows, first, n, room, out);
        }
    }
    for (size_t i = 0; keys->drops && i < n; i++) {
        const uint64_t row = rows != NULL ? rows[i] : first + i;
        if (is_left_out(keys, row)) { /* its other columns do not matter */
            memcpy(out + i * words, keys->of_class + class_of_row(keys, row) * words,
                   words * sizeof *out);
        }
    }
}

static void pack_rows(const void *ctx, uint64_t first, size_t n, uint32_t *room, uint64_t *out)
{
    pv_i_row_keys_pack(ctx, NULL, first, n, room, out);
}

/* ------------------------------------------------------------------- sorted */

/* Places in the sorted table: a counting sort, which keeps equal rows as they are. */
static pv_status place_rows(pv_released_order *order, uint64_t n_rows, pv_error *error)
{
    const size_t n_numbers = order->numbering.n; /* those left out included */
    uint32_t *const rank = PV_NEW_ARRAY(uint32_t, n_numbers);
    uint64_t *const next = PV_NEW_ARRAY(uint64_t, n_numbers);
    order->rows = PV_NEW_ARRAY(uint64_t, order->n);
    pv_status status = PV_STATUS_OK;
    if (rank == NULL || next == NULL || order->rows == NULL) {
        status = pv_i_no_memory(error);
        goto cleanup;
    }
    uint64_t place = 0;
    for (size_t i = 0; i < n_numbers; i++) {
        rank[order->order[i]] = (uint32_t)i;
        next[i] = place;
        place += order->lines[order->order[i]].n;
    }
    pv_i_numbering_settle(&order->numbering, rank);
    for (uint64_t row = 0; row < n_rows; row++) {
        const uint32_t r = order->numbering.numbers[row];
        if (r < order->n_distinct) {
            order->rows[next[r]++] = row;
        }
    }
cleanup:
    pv_i_free(rank);
    pv_i_free(next);
    return status;
}

/* Few rows are unlike all others: number them, sort the distinct keys. What is left out, if
 * anything, sorts last. */
static pv_status sort_rows(pv_released_order *order, const pv_row_keys *keys, bool with_places,
                           const pv_context *context, pv_error *error)
{
    const uint64_t n_rows = keys->classes->profile->n_rows;
    pv_numbering *const numbering = &order->numbering;
    *numbering = (pv_numbering){.n_rows = n_rows,
                                .words = keys->packing.words,
                                .unused = pv_i_packing_unused(&keys->packing),
                                .keys = pack_rows,
                                .ctx = keys,
                                .context = context,
                                .numbers = with_places ? PV_NEW_ARRAY(uint32_t, n_rows) : NULL};
    if (with_places && numbering->numbers == NULL) {
        return pv_i_no_memory(error);
    }
    PV_TRY(pv_i_numbering_find(numbering, error));
    order->order = PV_NEW_ARRAY(uint32_t, numbering->n);
    if (order->order == NULL ||
        !pv_i_keys_order(numbering->distinct, numbering->n, numbering->words, order->order)) {
        return pv_i_no_memory(error);
    }
    order->keys = numbering->distinct;
    order->lines = numbering->rows;
    order->n_distinct = numbering->n - (order->n < n_rows);
    return with_places ? place_rows(order, n_rows, error) : PV_STATUS_OK;
}

/* ------------------------------------------------------------ kept, shuffled */

/* The rows that are released, as they stand in the table. */
static pv_status list_rows(pv_released_order *order, const pv_row_keys *keys, pv_error *error)
{
    uint64_t *const rows = order->rows = PV_NEW_ARRAY(uint64_t, order->n);
    if (rows == NULL) {
        return pv_i_no_memory(error);
    }
    uint64_t n = 0;
    for (uint64_t row = 0; row < keys->classes->profile->n_rows; row++) {
        if (!is_left_out(keys, row)) {
            rows[n++] = row;
        }
    }
    return PV_STATUS_OK;
}

/* Fisher and Yates: every order equally likely. */
static void shuffle(uint64_t *rows, uint64_t n, uint64_t seed)
{
    pv_rng rng;
    pv_i_rng_init(&rng, seed);
    for (uint64_t i = n; i > 1; i--) {
        const uint64_t j = pv_i_rng_below(&rng, i);
        const uint64_t row = rows[i - 1];
        rows[i - 1] = rows[j];
        rows[j] = row;
    }
}

pv_status pv_i_released_order_init(pv_released_order *order, const pv_row_keys *keys,
                                   const pv_release_settings *options, const pv_context *context,
                                   pv_error *error)
{
    const uint64_t n_rows = keys->classes->profile->n_rows;
    *order =
        (pv_released_order){.n = n_rows - (keys->drops ? pv_classes_suppressed(keys->classes) : 0)};
    if (options->order == PV_ORDER_SORTED) {
        return sort_rows(order, keys, options->row_map != NULL, context, error);
    }
    if (options->order == PV_ORDER_SHUFFLED || options->row_map != NULL || order->n < n_rows) {
        PV_TRY(list_rows(order, keys, error));
    }
    if (options->order == PV_ORDER_SHUFFLED) {
        shuffle(order->rows, order->n, options->seed);
    }
    return PV_STATUS_OK;
}

void pv_i_released_order_deinit(pv_released_order *order)
{
    pv_i_free(order->numbering.numbers);
    pv_i_numbering_deinit(&order->numbering);
    pv_i_free(order->order);
    pv_i_free(order->rows);
    *order = (pv_released_order){0};
}
