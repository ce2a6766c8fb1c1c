/* How much a released value shows. A label of the plan's hierarchy covers the original values
 * under it, and `*` all there are. Of other labels we only see rows: they cover as many
 * original values as are released as them, which is less than their maker's hierarchy would say
 * where the file does not show all of a group, as with a value that occurs in suppressed rows only.
 * Values that `domain: hierarchy` counts but nobody has are not counted here. */
#include "base/error.h"
#include "base/memory.h"
#include "classes/keys.h"
#include "compare/released.h"
#include "hierarchy/labels.h"
#include "hierarchy/tree.h"
#include "table/column.h"

#include <string.h>

#define CHUNK_ROWS ((size_t)2048)
/* Pairs of values up to which each has a byte of its own. */
#define MOST_BYTES ((uint64_t)1 << 24)

/* ------------------------------------------------------------------- pairs */

/* The pairs of a released and an original value that occur together in one column. */
typedef struct {
    uint64_t n_original; /* values */
    uint64_t n_released;
    uint8_t *met;  /* per pair, released value by released value; NULL = too many of them */
    pv_keymap map; /* then */
    uint32_t *released, *original; /* codes of CHUNK_ROWS rows */
} pairs;

static void pairs_deinit(pairs *p)
{
    pv_i_free(p->met);
    pv_i_keymap_deinit(&p->map);
    pv_i_free(p->released);
    pv_i_free(p->original);
}

static bool pairs_init(pairs *p)
{
    const bool few = p->n_original * p->n_released <= MOST_BYTES; /* both below 2^32 */
    p->released = PV_NEW_ARRAY(uint32_t, CHUNK_ROWS);
    p->original = PV_NEW_ARRAY(uint32_t, CHUNK_ROWS);
    if (p->released == NULL || p->original == NULL) {
        return false;
    }
    if (!few) {
        return pv_i_keymap_init(&p->map, 1, CHUNK_ROWS);
    }
    p->met = PV_NEW_ZEROED(uint8_t, p->n_original * p->n_released);
    return p->met != NULL;
}

static void unpack_rows(pv_codes codes, const uint64_t *rows, uint64_t first, size_t n,
                        uint32_t *out)
{
    if (rows == NULL) {
        pv_i_codes_unpack(codes, first, n, out);
        return;
    }
    for (size_t i = 0; i < n; i++) {
        out[i] = pv_i_codes_at(codes, rows[first + i]);
    }
}

/* A byte per pair where these are few: setting it needs no test. Otherwise a hash map. */
static bool meet_chunk(pairs *p, size_t n)
{
    for (size_t i = 0; p->met != NULL && i < n; i++) {
        p->met[p->released[i] * p->n_original + p->original[i]] = 1;
    }
    for (size_t i = 0; p->met == NULL && i < n; i++) {
        const uint64_t pair = p->released[i] * p->n_original + p->original[i];
        if (pv_i_keymap_add(&p->map, &pair) == PV_KEYMAP_FULL) {
            return false;
        }
    }
    return true;
}

static void count_pairs(const pairs *p, uint64_t *counts)
{
    memset(counts, 0, p->n_released * sizeof *counts);
    for (uint64_t r = 0; p->met != NULL && r < p->n_released; r++) {
        for (uint64_t o = 0; o < p->n_original; o++) {
            counts[r] += p->met[r * p->n_original + o];
        }
    }
    for (size_t i = 0; p->met == NULL && i < p->map.n; i++) {
        counts[p->map.keys[i] / p->n_original]++;
    }
}

/* ----------------------------------------------------------------- columns */

/* The code of `*`, or PV_NO_CODE. */
static uint32_t star_of(const pv_table *table, size_t column)
{
    for (uint32_t code = 0; code < pv_table_values(table, column); code++) {
        if (strcmp(pv_table_value(table, column, code), PV_ROOT_LABEL) == 0) {
            return code;
        }
    }
    return PV_NO_CODE;
}

/* The frequent case: few values on both sides, and nothing to unpack. */
static void meet_bytes(uint8_t *restrict met, size_t n_original, const uint8_t *restrict released,
                       const uint8_t *restrict original, uint64_t n_rows)
{
    for (uint64_t row = 0; row < n_rows; row++) {
        met[released[row] * n_original + original[row]] = 1;
    }
}

/* One column of the release beside its original. */
typedef struct {
    const pv_table *release, *original;
    size_t released, from;    /* columns */
    const pv_hierarchy *tree; /* of the original */
} beside;

/* What the plan's hierarchy has a label for, the file need not show in full. A value that is shown
 * as it is covers itself, even if a group has the same name. */
static bool count_known(const beside *b, uint64_t *counts)
{
    pv_arena arena = {0};
    pv_labels nodes = {0};
    pv_value_index values = {0};
    if (b->tree->n_nodes == 0) {
        return true;
    }
    bool ready = pv_i_value_index_init(&values, b->original, b->from, NULL) == PV_STATUS_OK;
    for (uint32_t node = 0; ready && node < b->tree->n_nodes; node++) {
        uint32_t number;
        ready = pv_i_labels_add(&nodes, &arena, b->tree->nodes[node].label, &number, NULL) ==
                PV_STATUS_OK;
    }
    for (uint32_t code = 0; ready && code < pv_table_values(b->release, b->released); code++) {
        const char *const text = pv_table_value(b->release, b->released, code);
        const uint32_t node = pv_i_labels_find(&nodes, text);
        if (node != PV_NO_LABEL &&
            (counts[code] > 1 || pv_i_value_index_find(&values, text) == PV_NO_CODE)) {
            counts[code] = b->tree->nodes[node].end - b->tree->nodes[node].first;
        }
    }
    pv_i_value_index_deinit(&values);
    pv_i_labels_deinit(&nodes);
    pv_i_arena_deinit(&arena);
    return ready;
}

/* Rows are taken in chunks that stay in the nearest cache, codes of any width unpacked. */
static bool meet_column(const beside *b, const uint64_t *rows, pairs *p)
{
    const pv_codes released = pv_i_table_codes(b->release, b->released);
    const pv_codes original = pv_i_table_codes(b->original, b->from);
    const uint64_t n_rows = pv_table_rows(b->release);
    if (rows == NULL && released.width == 1 && original.width == 1) {
        meet_bytes(p->met, (size_t)p->n_original, released.data, original.data, n_rows);
        return true;
    }
    for (uint64_t row = 0; row < n_rows; row += CHUNK_ROWS) {
        const size_t n = n_rows - row < CHUNK_ROWS ? (size_t)(n_rows - row) : CHUNK_ROWS;
        pv_i_codes_unpack(released, row, n, p->released);
        unpack_rows(original, rows, row, n, p->original);
        if (!meet_chunk(p, n)) {
            return false;
        }
    }
    return true;
}

bool pv_i_divides_alike(const pv_table *a, size_t column_a, const pv_table *b, size_t column_b)
{
    const pv_codes left = pv_i_table_codes(a, column_a);
    const pv_codes right = pv_i_table_codes(b, column_b);
    return left.width == right.width &&
           memcmp(left.data, right.data, (size_t)pv_table_rows(a) * left.width) == 0;
}

/* What needs no look at pairs: every value covers itself, or one all of them. */
static bool count_plainly(const beside *b, const uint64_t *rows, uint64_t n_original,
                          uint64_t n_released, uint64_t *counts)
{
    const bool is_alike = rows == NULL && n_released == n_original &&
                          pv_i_divides_alike(b->release, b->released, b->original, b->from);
    const bool is_one = rows == NULL && n_released == 1;
    for (uint64_t code = 0; (is_alike || is_one) && code < n_released; code++) {
        counts[code] = is_one ? n_original : 1;
    }
    return is_alike || is_one;
}

pv_status pv_i_covered_init(pv_covered *s, size_t n_quasis, pv_error *error)
{
    *s = (pv_covered){.counts = PV_NEW_ZEROED(uint64_t *, n_quasis), .n = n_quasis};
    return s->counts != NULL ? PV_STATUS_OK : pv_i_no_memory(error);
}

pv_status pv_i_covered_count(pv_covered *s, const pv_comparing *comparing, const pv_study *study,
                             const uint64_t *rows, size_t quasi, pv_error *error)
{
    const beside b = {.release = pv_study_table(study),
                      .original = pv_study_table(comparing->study),
                      .released = pv_study_quasi_column(study, quasi),
                      .from = pv_study_quasi_column(comparing->study, quasi),
                      .tree = pv_study_hierarchy(comparing->study, quasi)};
    pairs p = {.n_original = pv_table_values(b.original, b.from),
               .n_released = pv_table_values(b.release, b.released)};
    uint64_t *const counts = PV_NEW_ARRAY(uint64_t, p.n_released);
    s->counts[quasi] = counts;
    bool ready = counts != NULL;
    if (ready && !count_plainly(&b, rows, p.n_original, p.n_released, counts)) {
        ready = pairs_init(&p) && meet_column(&b, rows, &p);
        if (ready) {
            count_pairs(&p, counts);
        }
    }
    ready = ready && count_known(&b, counts);
    const uint32_t star = ready ? star_of(b.release, b.released) : PV_NO_CODE;
    if (star != PV_NO_CODE) {
        counts[star] = p.n_original;
    }
    pairs_deinit(&p);
    return ready ? PV_STATUS_OK : pv_i_no_memory(error);
}

void pv_i_covered_deinit(pv_covered *s)
{
    for (size_t quasi = 0; s->counts != NULL && quasi < s->n; quasi++) {
        pv_i_free(s->counts[quasi]);
    }
    pv_i_free(s->counts);
    *s = (pv_covered){0};
}

/* ------------------------------------------------------------------- detail */

/* docs/model.md section 3: of one attribute, what a value that covers `n` of the domain keeps
 * or loses. An attribute with one value loses nothing. */
static double detail_kept(double n, double domain)
{
    return (domain - n) / domain;
}

static double detail_lost(double n, double domain)
{
    return (n - 1) / (domain > 1 ? domain - 1 : 1);
}

static double weight_of(const pv_study *original, const pv_property *property, size_t quasi)
{
    return pv_i_property_is_weighted(property) ? pv_study_weight(original, quasi) : 1;
}

/* Adds up attribute by attribute, in their order, as the measures do. */
static void add_attribute(const pv_covered *s, const pv_study *original, const pv_profile *release,
                          const pv_property *property, size_t quasi, double *per_tuple)
{
    const pv_hierarchy *const hierarchy = pv_study_hierarchy(pv_profile_study(release), quasi);
    const size_t column = pv_study_quasi_column(original, quasi);
    const double domain = pv_table_values(pv_study_table(original), column);
    const double weight = weight_of(original, property, quasi);
    for (size_t t = 0; t < pv_profile_tuples(release); t++) {
        const uint32_t code = pv_hierarchy_code(hierarchy, pv_profile_leaf(release, t, quasi));
        const double n = (double)s->counts[quasi][code];
        per_tuple[t] +=
            weight * (property->less_is_better ? detail_lost(n, domain) : detail_kept(n, domain));
    }
}

void pv_i_detail_of_tuples(const pv_covered *s, const pv_comparing *comparing,
                           const pv_profile *release, const pv_property *property,
                           double *per_tuple)
{
    const size_t starred = pv_i_starred_tuple(release);
    memset(per_tuple, 0, pv_profile_tuples(release) * sizeof *per_tuple);
    for (size_t quasi = 0; quasi < s->n; quasi++) {
        add_attribute(s, comparing->study, release, property, quasi, per_tuple);
    }
    /* Who is suppressed loses every attribute, those with one value as well. */
    if (starred != SIZE_MAX && property->less_is_better) {
        per_tuple[starred] = 0;
        for (size_t quasi = 0; quasi < s->n; quasi++) {
            per_tuple[starred] += weight_of(comparing->study, property, quasi);
        }
    }
}

/* Our releases and most others show a suppressed person as `*` throughout. */
static bool is_starred(const pv_profile *release, size_t tuple)
{
    const pv_study *const study = pv_profile_study(release);
    const pv_table *const table = pv_study_table(study);
    for (size_t quasi = 0; quasi < pv_study_quasis(study); quasi++) {
        const uint32_t code = pv_hierarchy_code(pv_study_hierarchy(study, quasi),
                                                pv_profile_leaf(release, tuple, quasi));
        const size_t column = pv_study_quasi_column(study, quasi);
        if (strcmp(pv_table_value(table, column, code), PV_ROOT_LABEL) != 0) {
            return false;
        }
    }
    return true;
}

size_t pv_i_starred_tuple(const pv_profile *release)
{
    const size_t n = pv_profile_tuples(release);
    size_t t = 0;
    while (t < n && !is_starred(release, t)) {
        t++;
    }
    return t < n && pv_profile_count(release, t) < pv_profile_rows(release) ? t : SIZE_MAX;
}
