/* Views of the table: which tuples there are, seen from some of the attributes. */
#include "cuts/cut_table.h"

#include "base/checked.h"
#include "base/error.h"
#include "base/memory.h"
#include "classes/keys.h"
#include "table/column.h"

#include <string.h>

/* Tuples per combination that make a bundle worth its while: tables of places are filled for every
 * scheme. */
#define WORTHWHILE 4

static uint64_t first_bits(size_t n)
{
    return n == 64 ? UINT64_MAX : ((uint64_t)1 << n) - 1;
}

static uint64_t axes_of(const pv_cut_space *space)
{
    return first_bits(space->n_axes);
}

/* Axes and columns. */
static size_t n_fields(const pv_cut_table *table)
{
    return table->space->n_axes + table->n_columns;
}

static uint64_t columns_of(const pv_cut_table *table)
{
    return first_bits(n_fields(table)) & ~axes_of(table->space);
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

static bool has_axis(const pv_cut_view *view, size_t axis)
{
    return (view->axes >> axis & 1) != 0;
}

static bool view_reserve(pv_cut_view *view, size_t n_axes, size_t n)
{
    view->values = PV_NEW_ZEROED(uint16_t *, n_axes);
    view->counts = PV_NEW_ZEROED(uint32_t, n);
    bool ready = view->values != NULL && view->counts != NULL;
    view->bytes = n * sizeof *view->counts;
    for (size_t a = 0; ready && a < n_axes; a++) {
        if (has_axis(view, a)) {
            view->values[a] = PV_NEW_ARRAY(uint16_t, n);
            view->bytes += n * sizeof *view->values[a];
            ready = view->values[a] != NULL;
        }
    }
    return ready;
}

/* The words of a key that holds the values of a view's axes side by side, 16 bits each. */
static unsigned words_for(const pv_cut_view *view)
{
    const unsigned n = (unsigned)__builtin_popcountll(view->axes);
    return n > 4 ? (n + 3) / 4 : 1;
}

static void pack(const pv_cut_view *from, uint64_t axes, size_t tuple, uint64_t *key,
                 unsigned words)
{
    size_t place = 0;
    memset(key, 0, words * sizeof *key);
    for (uint64_t left = axes; left != 0; left &= left - 1, place++) {
        const size_t axis = (size_t)__builtin_ctzll(left);
        key[place / 4] |= (uint64_t)from->values[axis][tuple] << place % 4 * 16;
    }
}

static void unpack(const pv_cut_view *view, size_t tuple, const uint64_t *key)
{
    size_t place = 0;
    for (uint64_t left = view->axes; left != 0; left &= left - 1, place++) {
        const size_t axis = (size_t)__builtin_ctzll(left);
        view->values[axis][tuple] = (uint16_t)(key[place / 4] >> place % 4 * 16);
    }
}

/* The first bundle with room for an axis of so many values, or a new one. */
static pv_cut_bundle *bundle_for(pv_cut_view *view, uint32_t n_values)
{
    const uint64_t worthwhile = view->n / WORTHWHILE;
    const uint64_t most = worthwhile < PV_MOST_CUT_BUNDLED ? worthwhile : PV_MOST_CUT_BUNDLED;
    size_t b = 0;
    while (b < view->n_bundles && ((uint64_t)view->bundles[b].n * n_values > most ||
                                   view->n * view->bundles[b].n > UINT32_MAX / n_values)) {
        b++;
    }
    if (b == view->n_bundles) {
        view->bundles[view->n_bundles++] = (pv_cut_bundle){.n = 1};
    }
    return &view->bundles[b];
}

/* The axis with most values of those that are left. */
static size_t widest(const pv_cut_space *space, uint64_t left)
{
    size_t best = (size_t)__builtin_ctzll(left);
    for (; left != 0; left &= left - 1) {
        const size_t axis = (size_t)__builtin_ctzll(left);
        best = space->axes[axis].n > space->axes[best].n ? axis : best;
    }
    return best;
}

static bool fill_bundle(pv_cut_view *view, const pv_cut_space *space, pv_cut_bundle *bundle)
{
    uint32_t unit = 1;
    bundle->values = PV_NEW_ZEROED(uint16_t, view->n);
    for (uint64_t left = bundle->axes; bundle->values != NULL && left != 0; left &= left - 1) {
        const size_t axis = (size_t)__builtin_ctzll(left);
        for (size_t t = 0; t < view->n; t++) {
            bundle->values[t] = (uint16_t)(bundle->values[t] + unit * view->values[axis][t]);
        }
        unit *= space->axes[axis].n;
    }
    view->bytes += view->n * sizeof *bundle->values;
    return bundle->values != NULL;
}

static bool bundle_axes(pv_cut_view *view, const pv_cut_space *space)
{
    uint64_t left = view->axes & axes_of(space);
    view->bundles = PV_NEW_ZEROED(pv_cut_bundle, space->n_axes);
    while (view->bundles != NULL && left != 0) {
        const size_t axis = widest(space, left);
        pv_cut_bundle *const bundle = bundle_for(view, space->axes[axis].n);
        bundle->axes |= (uint64_t)1 << axis;
        bundle->n *= space->axes[axis].n;
        left &= ~((uint64_t)1 << axis);
    }
    bool ready = view->bundles != NULL;
    for (size_t b = 0; ready && b < view->n_bundles; b++) {
        ready = fill_bundle(view, space, &view->bundles[b]);
    }
    return ready;
}

/* Adds up the tuples of a view that agree on fewer axes. */
static bool view_init(const pv_cut_table *table, pv_cut_view *view, const pv_cut_view *from,
                      uint64_t axes)
{
    const pv_cut_space *const space = table->space;
    const size_t n_axes = n_fields(table);
    pv_keymap map = {0};
    *view = (pv_cut_view){.axes = axes};
    const unsigned words = words_for(view);
    uint64_t *const key = PV_NEW_ARRAY(uint64_t, words);
    uint32_t *const ids = PV_NEW_ARRAY(uint32_t, from->n);
    bool ready = key != NULL && ids != NULL && pv_i_keymap_init(&map, words, 0);
    for (size_t t = 0; ready && t < from->n; t++) {
        pack(from, axes, t, key, words);
        ids[t] = pv_i_keymap_add(&map, key);
        ready = ids[t] != PV_KEYMAP_FULL;
    }
    ready = ready && view_reserve(view, n_axes, map.n);
    if (ready) {
        view->n = map.n;
        for (size_t t = 0; t < from->n; t++) {
            view->counts[ids[t]] += from->counts[t];
        }
        for (size_t t = 0; t < map.n; t++) {
            unpack(view, t, map.keys + t * words);
        }
        ready = bundle_axes(view, space);
    }
    if (!ready) {
        view_deinit(view, n_axes);
    }
    pv_i_keymap_deinit(&map);
    pv_i_free(ids);
    pv_i_free(key);
    return ready;
}

/* --------------------------------------------------------------- life of it */

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
            return pv_i_hint(pv_i_fail(error, PV_STATUS_LIMIT,
                                       "'%s' has more than the %d values that cuts are for",
                                       pv_study_quasi_name(profile->study, a), PV_MOST_CUT_VALUES),
                             error, "give numbers a coarser `granularity` in the plan");
        }
    }
    return PV_STATUS_OK;
}

/* Distinct combinations of a tuple of the profile and the codes of the columns. */
typedef struct {
    const pv_profile *profile;
    const pv_cut_table *table;
    pv_codes codes[PV_MOST_CUT_COLUMNS];
    pv_keymap map; /* the tuple, then a code a word */
    uint32_t *counts;
    size_t capacity;
} pairing;

static bool pair_row(pairing *p, uint64_t row, uint64_t *key)
{
    key[0] = p->profile->row_tuple[row];
    for (size_t c = 0; c < p->table->n_columns; c++) {
        key[c + 1] = pv_i_codes_at(p->codes[c], row);
    }
    const size_t known = p->map.n;
    const uint32_t id = pv_i_keymap_add(&p->map, key);
    if (id == PV_KEYMAP_FULL ||
        !pv_i_reserve((void **)&p->counts, &p->capacity, p->map.n, sizeof *p->counts)) {
        return false;
    }
    p->counts[id] = id == known ? 1 : p->counts[id] + 1;
    return true;
}

static bool pair_rows(pairing *p)
{
    uint64_t key[PV_MOST_CUT_COLUMNS + 1];
    const pv_table *const data = pv_study_table(p->profile->study);
    bool ready = pv_i_keymap_init(&p->map, (unsigned)p->table->n_columns + 1, 0);
    for (size_t c = 0; c < p->table->n_columns; c++) {
        p->codes[c] = pv_i_table_codes(data, p->table->columns[c].column);
    }
    for (uint64_t row = 0; ready && row < p->profile->n_rows; row++) {
        ready = pair_row(p, row, key);
    }
    return ready;
}

static void fill_pairs(const pairing *p, pv_cut_view *raw)
{
    const size_t n_axes = p->table->space->n_axes;
    const size_t words = p->map.words;
    for (size_t i = 0; i < raw->n; i++) {
        const uint64_t *const key = p->map.keys + i * words;
        for (size_t a = 0; a < n_axes; a++) {
            const uint32_t leaf = pv_profile_leaf(p->profile, (size_t)key[0], a);
            raw->values[a][i] = (uint16_t)p->table->space->axes[a].value_of[leaf];
        }
        for (size_t c = 0; c < p->table->n_columns; c++) {
            raw->values[n_axes + c][i] = (uint16_t)key[c + 1];
        }
        raw->counts[i] = p->counts[i];
    }
}

/* With columns a tuple of the profile becomes several. */
static bool fill_raw_counting(const pv_cut_table *table, const pv_profile *profile,
                              pv_cut_view *raw)
{
    pairing p = {.profile = profile, .table = table};
    const bool ready = pair_rows(&p) && view_reserve(raw, n_fields(table), p.map.n);
    if (ready) {
        raw->n = p.map.n;
        fill_pairs(&p, raw);
    }
    pv_i_keymap_deinit(&p.map);
    pv_i_free(p.counts);
    return ready;
}

static bool fill_raw(const pv_cut_table *table, const pv_profile *profile, pv_cut_view *raw)
{
    const pv_cut_space *const space = table->space;
    if (!view_reserve(raw, space->n_axes, profile->n_tuples)) {
        return false;
    }
    raw->n = profile->n_tuples;
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

/* The profile's tuples, as values in order; what becomes equal is added up. */
static bool fill_base(pv_cut_table *table, const pv_profile *profile)
{
    const uint64_t all = axes_of(table->space) | columns_of(table);
    pv_cut_view raw = {.axes = all};
    const bool filled = table->n_columns > 0 ? fill_raw_counting(table, profile, &raw)
                                             : fill_raw(table, profile, &raw);
    const bool ready = filled && view_init(table, &table->base, &raw, all);
    view_deinit(&raw, n_fields(table));
    return ready;
}

uint32_t pv_i_cut_most_values(const pv_cut_space *space)
{
    uint32_t most = 1;
    for (size_t a = 0; a < space->n_axes; a++) {
        most = space->axes[a].n > most ? space->axes[a].n : most;
    }
    return most;
}

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

pv_status pv_i_cut_table_init_counting(pv_cut_table *table, const pv_profile *profile,
                                       const pv_cut_space *space, const size_t *columns,
                                       size_t n_columns, uint64_t memory, pv_error *error)
{
    *table = (pv_cut_table){.space = space, .memory = memory};
    PV_TRY(check_limits(profile, space, error));
    for (size_t c = 0; c < n_columns; c++) {
        PV_TRY(add_column(table, pv_study_table(profile->study), columns[c], error));
    }
    if (!fill_base(table, profile)) {
        return pv_i_no_memory(error);
    }
    if (table->base.n >
        UINT32_MAX / pv_i_cut_most_values(space)) { /* keys of tuples have 32 bits */
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

/* -------------------------------------------------------------- find a view */

/* The view of exactly these axes, or the shortest that has them. */
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

const pv_cut_view *pv_i_cut_view_of(pv_cut_table *table, uint64_t cut)
{
    const uint64_t axes = cut | columns_of(table);
    (void)pthread_mutex_lock(&table->lock);
    const pv_cut_view *view = find_view(table, axes);
    if (view->axes != axes) {
        view = make_view(table, axes, view);
    }
    (void)pthread_mutex_unlock(&table->lock);
    return view;
}
