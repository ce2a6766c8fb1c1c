/* Views of the table: which tuples there are, seen from some of the attributes.
 *
 * A view is stored by columns, because counting reads one bundle of axes after the other:
 *
 *     tuple           0   1   2   3  ...
 *     values[age]    17  17  18  19          one array per axis and per counted column
 *     values[sex]     0   0   0   1
 *     bundles[0]     17  17  18  80          age + 61 * sex: one number below 61 * 2
 *     counts          2   3   7   4          rows
 *
 * Axes are put into bundles first-fit, the widest first, as long as a bundle has no more
 * combinations than a quarter of the tuples: the table of what each combination adds to a key is
 * filled anew for every scheme and must cost less than what it saves.
 *
 * Limits: rows and keys have 32 bits; what a bundle's table of offsets has to hold stays below
 * that, too, which the tests of the limits in pv_i_cut_table_init_counting and bundle_axes ensure.
 */
#include "cuts/cut_table.h"

#include "base/checked.h"
#include "base/error.h"
#include "base/memory.h"
#include "classes/keys.h"
#include "table/column.h"

#include <string.h>

/* Tuples per combination that make a bundle worth its while. */
#define WORTHWHILE 4

static uint64_t first_bits(size_t n)
{
    return n == 64 ? UINT64_MAX : ((uint64_t)1 << n) - 1;
}

/* Axes and columns. */
static size_t n_fields(const pv_cut_table *table)
{
    return table->space->n_axes + table->n_columns;
}

static uint64_t columns_of(const pv_cut_table *table)
{
    return first_bits(n_fields(table)) & ~first_bits(table->space->n_axes);
}

uint32_t pv_i_cut_most_values(const pv_cut_space *space)
{
    uint32_t most = 1;
    for (size_t a = 0; a < space->n_axes; a++) {
        most = space->axes[a].n > most ? space->axes[a].n : most;
    }
    return most;
}

/* -------------------------------------------------------------------- views */

static void view_deinit(pv_cut_view *view, size_t n_axes)
{
    for (size_t a = 0; view->values != NULL && a < n_axes; a++) {
        pv_i_free(view->values[a]);
    }
    for (size_t b = 0; b < view->n_bundles; b++) {
        pv_i_free(view->bundles[b].values);
    }
    pv_i_free(view->bundles);
    pv_i_free(view->values);
    pv_i_free(view->counts);
    *view = (pv_cut_view){0};
}

/* A view has arrays only for the axes it has; `bytes` is what it takes of the budget. */
static bool view_reserve(pv_cut_view *view, size_t n_axes, size_t n)
{
    view->values = PV_NEW_ZEROED(uint16_t *, n_axes);
    view->counts = PV_NEW_ZEROED(uint32_t, n);
    bool ready = view->values != NULL && view->counts != NULL;
    view->n = n;
    view->bytes = n * sizeof *view->counts;
    for (uint64_t left = ready ? view->axes : 0; left != 0; left &= left - 1) {
        const size_t axis = (size_t)__builtin_ctzll(left);
        view->values[axis] = PV_NEW_ARRAY(uint16_t, n);
        view->bytes += n * sizeof **view->values;
        ready = ready && view->values[axis] != NULL;
    }
    return ready;
}

/* The axis with most values of those that are left. */
static size_t widest(const pv_cut_space *space, uint64_t axes)
{
    size_t best = (size_t)__builtin_ctzll(axes);
    for (uint64_t left = axes; left != 0; left &= left - 1) {
        const size_t axis = (size_t)__builtin_ctzll(left);
        best = space->axes[axis].n > space->axes[best].n ? axis : best;
    }
    return best;
}

/* First fit, widest first. Invariant: every axis of the view is in exactly one bundle, and the
 * values of a bundle fit into 16 bits, since it has at most PV_MOST_CUT_BUNDLED combinations or one
 * axis. */
static bool bundle_axes(pv_cut_view *view, const pv_cut_space *space)
{
    const uint64_t worthwhile = view->n / WORTHWHILE;
    const uint64_t most = worthwhile < PV_MOST_CUT_BUNDLED ? worthwhile : PV_MOST_CUT_BUNDLED;
    uint64_t unbundled = view->axes & first_bits(space->n_axes);
    view->bundles = PV_NEW_ZEROED(pv_cut_bundle, space->n_axes);
    if (view->bundles == NULL) {
        return false;
    }
    while (unbundled != 0) {
        const size_t axis = widest(space, unbundled);
        const uint32_t n_values = space->axes[axis].n;
        size_t b = 0;
        while (b < view->n_bundles && ((uint64_t)view->bundles[b].n * n_values > most ||
                                       view->n * view->bundles[b].n > UINT32_MAX / n_values)) {
            b++;
        }
        if (b == view->n_bundles) {
            view->bundles[view->n_bundles++].n = 1;
        }
        view->bundles[b].axes |= (uint64_t)1 << axis;
        view->bundles[b].n *= n_values;
        unbundled &= ~((uint64_t)1 << axis);
    }
    for (size_t b = 0; b < view->n_bundles; b++) {
        pv_cut_bundle *const bundle = &view->bundles[b];
        uint32_t unit = 1;
        bundle->values = PV_NEW_ZEROED(uint16_t, view->n);
        if (bundle->values == NULL) {
            return false;
        }
        for (uint64_t left = bundle->axes; left != 0; left &= left - 1) {
            const size_t axis = (size_t)__builtin_ctzll(left);
            for (size_t t = 0; t < view->n; t++) {
                bundle->values[t] = (uint16_t)(bundle->values[t] + unit * view->values[axis][t]);
            }
            unit *= space->axes[axis].n;
        }
        view->bytes += view->n * sizeof *bundle->values;
    }
    return true;
}

/* Adds up the tuples of a view that agree on fewer axes. A tuple's key has the values side by side,
 * 16 bits each; ids come in the order of first appearance, so that a view is always the same. */
static bool view_init(const pv_cut_table *table, pv_cut_view *view, const pv_cut_view *from,
                      uint64_t axes)
{
    const size_t n_axes = n_fields(table);
    const unsigned n_packed = (unsigned)__builtin_popcountll(axes);
    const unsigned words = n_packed > 4 ? (n_packed + 3) / 4 : 1;
    pv_keymap map = {0};
    *view = (pv_cut_view){.axes = axes};
    uint64_t *const key = PV_NEW_ARRAY(uint64_t, words);
    uint32_t *const ids = PV_NEW_ARRAY(uint32_t, from->n);
    bool ready = key != NULL && ids != NULL && pv_i_keymap_init(&map, words, 0);
    for (size_t t = 0; ready && t < from->n; t++) {
        size_t place = 0;
        memset(key, 0, words * sizeof *key);
        for (uint64_t left = axes; left != 0; left &= left - 1) {
            const size_t axis = (size_t)__builtin_ctzll(left);
            key[place / 4] |= (uint64_t)from->values[axis][t] << place % 4 * 16;
            place++;
        }
        ids[t] = pv_i_keymap_add(&map, key);
        ready = ids[t] != PV_KEYMAP_FULL;
    }
    ready = ready && view_reserve(view, n_axes, map.n);
    if (ready) {
        for (size_t t = 0; t < from->n; t++) {
            view->counts[ids[t]] += from->counts[t];
        }
        for (size_t t = 0; t < map.n; t++) {
            const uint64_t *const own = map.keys + t * words;
            size_t place = 0;
            for (uint64_t left = axes; left != 0; left &= left - 1) {
                const size_t axis = (size_t)__builtin_ctzll(left);
                view->values[axis][t] = (uint16_t)(own[place / 4] >> place % 4 * 16);
                place++;
            }
        }
        ready = bundle_axes(view, table->space);
    }
    if (!ready) {
        view_deinit(view, n_axes);
    }
    pv_i_keymap_deinit(&map);
    pv_i_free(ids);
    pv_i_free(key);
    return ready;
}

/* The view of exactly these axes, or the shortest that has them. Searches cut few different sets of
 * axes: looking through all views is cheap beside counting in one. */
static const pv_cut_view *find_view(const pv_cut_table *table, uint64_t axes)
{
    const pv_cut_view *best = &table->base;
    for (size_t i = 0; i < table->n_views; i++) {
        const pv_cut_view *const view = table->views[i];
        if ((axes & ~view->axes) == 0 && view->n < best->n) {
            best = view;
        }
        if (view->axes == axes) {
            return view;
        }
    }
    return best;
}

/* Makes the view of some axes if memory allows; not being able to is no failure. */
static const pv_cut_view *make_view(pv_cut_table *table, uint64_t axes, const pv_cut_view *from)
{
    pv_cut_view *const view = PV_NEW(pv_cut_view);
    if (view == NULL || table->taken >= table->memory ||
        !pv_i_reserve((void **)&table->views, &table->capacity, table->n_views + 1,
                      sizeof *table->views) ||
        !view_init(table, view, from, axes)) {
        pv_i_free(view);
        return from;
    }
    table->views[table->n_views++] = view;
    table->taken += view->bytes;
    return view;
}

/* Views are made under the lock: two threads that need the same one would otherwise both make it.
 * They are few and made once, at the beginning of a search. */
const pv_cut_view *pv_i_cut_view_of(pv_cut_table *table, uint64_t axes)
{
    const uint64_t wanted = axes | columns_of(table);
    (void)pthread_mutex_lock(&table->lock);
    const pv_cut_view *view = find_view(table, wanted);
    if (view->axes != wanted) {
        view = make_view(table, wanted, view);
    }
    (void)pthread_mutex_unlock(&table->lock);
    return view;
}

/* ------------------------------------------------------------------ the base */

/* Without columns to count the profile has it all: its tuples, with leaves as values of the axes.
 */
static bool tuples_of_profile(const pv_cut_table *table, const pv_profile *profile,
                              pv_cut_view *raw)
{
    const pv_cut_space *const space = table->space;
    if (!view_reserve(raw, space->n_axes, profile->n_tuples)) {
        return false;
    }
    for (size_t a = 0; a < space->n_axes; a++) {
        for (size_t t = 0; t < raw->n; t++) {
            raw->values[a][t] = (uint16_t)space->axes[a].value_of[pv_profile_leaf(profile, t, a)];
        }
    }
    for (size_t t = 0; t < raw->n; t++) {
        raw->counts[t] = (uint32_t)profile->count[t];
    }
    return true;
}

/* With columns to count, a tuple of the profile becomes several: one for each combination of codes
 * that its rows have. The only place that looks at rows. */
static bool tuples_of_rows(const pv_cut_table *table, const pv_profile *profile, pv_cut_view *raw)
{
    const pv_table *const data = pv_study_table(profile->study);
    const size_t n_axes = table->space->n_axes;
    const size_t words = table->n_columns + 1;
    pv_codes codes[PV_MOST_CUT_COLUMNS];
    uint64_t key[PV_MOST_CUT_COLUMNS + 1]; /* the tuple, then a code a word */
    pv_keymap map = {0};
    uint32_t *counts = NULL;
    size_t capacity = 0;
    bool ready = pv_i_keymap_init(&map, (unsigned)words, 0);
    for (size_t c = 0; c < table->n_columns; c++) {
        codes[c] = pv_i_table_codes(data, table->columns[c].column);
    }
    for (uint64_t row = 0; ready && row < profile->n_entries; row++) {
        const uint32_t times = (uint32_t)pv_i_entry_rows(profile->ends, row);
        const size_t known = map.n;
        key[0] = profile->row_tuple[row];
        for (size_t c = 0; c < table->n_columns; c++) {
            key[c + 1] = pv_i_codes_at(codes[c], pv_i_profile_entry(profile, row));
        }
        const uint32_t id = pv_i_keymap_add(&map, key);
        ready = id != PV_KEYMAP_FULL &&
                pv_i_reserve((void **)&counts, &capacity, map.n, sizeof *counts);
        if (ready) {
            counts[id] = id == known ? times : counts[id] + times;
        }
    }
    ready = ready && view_reserve(raw, n_fields(table), map.n);
    for (size_t t = 0; ready && t < raw->n; t++) {
        const uint64_t *const own = map.keys + t * words;
        for (size_t a = 0; a < n_axes; a++) {
            const uint32_t leaf = pv_profile_leaf(profile, (size_t)own[0], a);
            raw->values[a][t] = (uint16_t)table->space->axes[a].value_of[leaf];
        }
        for (size_t c = 0; c < table->n_columns; c++) {
            raw->values[n_axes + c][t] = (uint16_t)own[c + 1];
        }
        raw->counts[t] = counts[t];
    }
    pv_i_keymap_deinit(&map);
    pv_i_free(counts);
    return ready;
}

/* What 16-bit values, 32-bit counts and one word of axes can hold. */
static pv_status check_limits(const pv_profile *profile, const pv_cut_space *space, pv_error *error)
{
    if (profile->n_rows > UINT32_MAX) {
        return pv_i_fail(error, PV_STATUS_LIMIT, "cuts are for tables of up to 2^32 - 1 rows");
    }
    if (space->n_axes > PV_MOST_CUT_AXES) {
        return pv_i_fail(error, PV_STATUS_LIMIT, "cuts are for up to %d quasi-identifiers",
                         PV_MOST_CUT_AXES);
    }
    for (size_t a = 0; a < space->n_axes; a++) {
        if (space->axes[a].n > PV_MOST_CUT_VALUES) {
            const pv_status status = pv_i_fail(
                error, PV_STATUS_LIMIT, "'%s' has more than the %d values that cuts are for",
                pv_study_quasi_name(profile->study, a), PV_MOST_CUT_VALUES);
            return pv_i_hint(status, error,
                             space->axes[a].numeric
                                 ? "give it a coarser `granularity` in the plan"
                                 : "search levels, which have no such limit, or shorten its "
                                   "values in the data: dates to their month, for example");
        }
    }
    return PV_STATUS_OK;
}

/* A counted column is one more field of every tuple, never merged. */
static pv_status add_column(pv_cut_table *table, const pv_table *data, size_t column,
                            pv_error *error)
{
    const uint32_t n_codes = pv_table_values(data, column);
    if (table->n_columns == PV_MOST_CUT_COLUMNS || n_fields(table) == PV_MOST_CUT_AXES) {
        return pv_i_fail(error, PV_STATUS_LIMIT,
                         "there are too many sensitive attributes to be counted with cuts");
    }
    if (n_codes > UINT16_MAX) {
        return pv_i_fail(error, PV_STATUS_LIMIT, "'%s' has too many values to be counted with cuts",
                         pv_table_name(data, column));
    }
    table->columns[table->n_columns++] = (pv_cut_column){.column = column, .n_codes = n_codes};
    return PV_STATUS_OK;
}

/* The base has all axes; every other view is made from it, directly or not. */
pv_status pv_i_cut_table_init_counting(pv_cut_table *table, const pv_profile *profile,
                                       const pv_cut_space *space, const size_t *columns,
                                       size_t n_columns, uint64_t memory, pv_error *error)
{
    *table = (pv_cut_table){.space = space, .memory = memory};
    PV_TRY(check_limits(profile, space, error));
    for (size_t c = 0; c < n_columns; c++) {
        PV_TRY(add_column(table, pv_study_table(profile->study), columns[c], error));
    }
    /* Values of a granule become equal, so the tuples of the profile are added up once more. */
    const uint64_t all = first_bits(n_fields(table));
    pv_cut_view raw = {.axes = all};
    const bool filled = table->n_columns > 0 ? tuples_of_rows(table, profile, &raw)
                                             : tuples_of_profile(table, profile, &raw);
    const bool ready = filled && view_init(table, &table->base, &raw, all);
    view_deinit(&raw, n_fields(table));
    if (!ready) {
        return pv_i_no_memory(error);
    }
    if (table->base.n > UINT32_MAX / pv_i_cut_most_values(space)) { /* keys have 32 bits */
        view_deinit(&table->base, n_fields(table));
        return pv_i_fail(error, PV_STATUS_LIMIT, "the table has too many combinations for cuts");
    }
    (void)pthread_mutex_init(&table->lock, NULL);
    return PV_STATUS_OK;
}

pv_status pv_i_cut_table_init(pv_cut_table *table, const pv_profile *profile,
                              const pv_cut_space *space, uint64_t memory, pv_error *error)
{
    return pv_i_cut_table_init_counting(table, profile, space, NULL, 0, memory, error);
}

/* Zero-initialised or after a failure there is nothing to free. */
void pv_i_cut_table_deinit(pv_cut_table *table)
{
    if (table->base.values == NULL) {
        return;
    }
    for (size_t i = 0; i < table->n_views; i++) {
        view_deinit(table->views[i], n_fields(table));
        pv_i_free(table->views[i]);
    }
    pv_i_free(table->views);
    view_deinit(&table->base, n_fields(table));
    (void)pthread_mutex_destroy(&table->lock);
    *table = (pv_cut_table){0};
}
