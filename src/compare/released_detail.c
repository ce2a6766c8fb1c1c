/* How much a released value shows. A label of the plan's hierarchy covers the original values
 * under it, and `*` all there are. Of other labels we only see rows: they cover as many
 * original values as are released as them, which is less than their maker's hierarchy would say
 * where the file does not show all of a group, as with a value that occurs in suppressed rows only.
 * Values that `domain: hierarchy` counts but nobody has are not counted here.
 *
 *     released    how many values it covers
 *     20-29       a label of the plan's hierarchy: the leaves under its node
 *     *           all values of the original
 *     23          a value of the original: itself, 1
 *     "young"     anything else: the values of the rows released so
 *
 * One task per quasi-identifier, each O(entries) at most and O(values) where the release divides
 * people as the original does. The counts are by code of the release: what a tuple loses is then a
 * sum of lookups, and no entry is looked at again. */
#include "base/error.h"
#include "base/memory.h"
#include "classes/keys.h"
#include "compare/released.h"
#include "hierarchy/labels.h"
#include "hierarchy/tree.h"
#include "table/column.h"

#include <string.h>

#define CHUNK ((size_t)2048) /* entries */
/* Pairs of values up to which each has a byte of its own. */
#define MOST_BYTES ((uint64_t)1 << 24)

/* ----------------------------------------------------------------- columns */

/* One column of the release beside its original. */
typedef struct {
    const pv_table *release, *original;
    size_t released, from;    /* columns */
    const pv_hierarchy *tree; /* of the original */
} beside;

static void meet_bytes(uint8_t *restrict met, size_t n_original, const uint8_t *restrict released,
                       const uint8_t *restrict original, uint64_t n_entries)
{
    for (uint64_t entry = 0; entry < n_entries; entry++) {
        met[released[entry] * n_original + original[entry]] = 1;
    }
}

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

/* The pairs of a released and an original value that occur together: how many different originals
 * each released value has.
 *
 *              original  0 1 2 3
 *     released 0         1 1 0 0        covers 2: values 0 and 1 were released as 0
 *     released 1         0 0 1 1        covers 2
 *
 * A byte per pair where these are few, because setting it needs no test; otherwise a hash map of
 * the pairs met. Entries are taken in chunks that stay in the nearest cache, codes of any width
 * unpacked; with one byte on both sides, the frequent case, there is nothing to unpack. */
static bool count_pairs(const beside *b, const uint64_t *joined, uint64_t n_original,
                        uint64_t n_released, uint64_t *counts)
{
    const pv_codes released = pv_i_table_codes(b->release, b->released);
    const pv_codes original = pv_i_table_codes(b->original, b->from);
    const uint64_t n_entries = pv_i_table_entries(b->release);
    const bool few = n_original * n_released <= MOST_BYTES; /* both below 2^32 */
    pv_keymap map = {0};
    uint8_t *const met = few ? PV_NEW_ZEROED(uint8_t, n_original * n_released) : NULL;
    uint32_t *const to = PV_NEW_ARRAY(uint32_t, CHUNK);
    uint32_t *const from = PV_NEW_ARRAY(uint32_t, CHUNK);
    bool ready =
        to != NULL && from != NULL && (few ? met != NULL : pv_i_keymap_init(&map, 1, CHUNK));
    const bool bytes = few && joined == NULL && released.width == 1 && original.width == 1;
    if (ready && bytes) {
        meet_bytes(met, (size_t)n_original, released.data, original.data, n_entries);
    }
    for (uint64_t entry = 0; ready && !bytes && entry < n_entries; entry += CHUNK) {
        const size_t n = n_entries - entry < CHUNK ? (size_t)(n_entries - entry) : CHUNK;
        pv_i_codes_unpack(released, entry, n, to);
        if (joined == NULL) {
            pv_i_codes_unpack(original, entry, n, from);
        }
        for (size_t i = 0; joined != NULL && i < n; i++) {
            from[i] = pv_i_codes_at(original, joined[entry + i]);
        }
        for (size_t i = 0; few && i < n; i++) {
            met[to[i] * n_original + from[i]] = 1;
        }
        for (size_t i = 0; ready && !few && i < n; i++) {
            const uint64_t pair = to[i] * n_original + from[i];
            ready = pv_i_keymap_add(&map, &pair) != PV_KEYMAP_FULL;
        }
    }
    memset(counts, 0, n_released * sizeof *counts);
    for (uint64_t r = 0; ready && few && r < n_released; r++) {
        for (uint64_t o = 0; o < n_original; o++) {
            counts[r] += met[r * n_original + o];
        }
    }
    for (size_t i = 0; ready && !few && i < map.n; i++) {
        counts[map.keys[i] / n_original]++;
    }
    pv_i_free(met);
    pv_i_keymap_deinit(&map);
    pv_i_free(to);
    pv_i_free(from);
    return ready;
}

/* Codes are numbered in order of first appearance: two columns that divide the rows in the same way
 * have equal codes, byte by byte. A comparison of memory is far cheaper than one of values. */
bool pv_i_divides_alike(const pv_table *a, size_t column_a, const pv_table *b, size_t column_b)
{
    const pv_codes left = pv_i_table_codes(a, column_a);
    const pv_codes right = pv_i_table_codes(b, column_b);
    return left.width == right.width &&
           memcmp(left.data, right.data, (size_t)pv_i_table_entries(a) * left.width) == 0;
}

/* No quasi-identifiers at all if no property is about detail: then nothing is counted. */
pv_status pv_i_covered_init(pv_covered *s, size_t n_quasis, pv_error *error)
{
    *s = (pv_covered){.counts = PV_NEW_ZEROED(uint64_t *, n_quasis), .n = n_quasis};
    return s->counts != NULL ? PV_STATUS_OK : pv_i_no_memory(error);
}

pv_status pv_i_covered_count(pv_covered *s, const pv_comparing *comparing, const pv_study *study,
                             const uint64_t *from, size_t quasi, pv_error *error)
{
    const beside b = {.release = pv_study_table(study),
                      .original = pv_study_table(comparing->study),
                      .released = pv_study_quasi_column(study, quasi),
                      .from = pv_study_quasi_column(comparing->study, quasi),
                      .tree = pv_study_hierarchy(comparing->study, quasi)};
    const uint64_t n_original = pv_table_values(b.original, b.from);
    const uint64_t n_released = pv_table_values(b.release, b.released);
    uint64_t *const counts = s->counts[quasi] = PV_NEW_ARRAY(uint64_t, n_released);
    if (counts == NULL) {
        return pv_i_no_memory(error);
    }
    /* What needs no look at pairs: one value covers all of them, or every value itself. */
    const bool is_one = from == NULL && n_released == 1;
    const bool is_plain = is_one || (from == NULL && n_released == n_original &&
                                     pv_i_divides_alike(b.release, b.released, b.original, b.from));
    for (uint64_t code = 0; is_plain && code < n_released; code++) {
        counts[code] = is_one ? n_original : 1;
    }
    if ((!is_plain && !count_pairs(&b, from, n_original, n_released, counts)) ||
        !count_known(&b, counts)) {
        return pv_i_no_memory(error);
    }
    for (uint32_t code = 0; code < n_released; code++) {
        if (strcmp(pv_table_value(b.release, b.released, code), PV_ROOT_LABEL) == 0) {
            counts[code] = n_original;
        }
    }
    return PV_STATUS_OK;
}

/* Also after a failure half way: counts that were not made are NULL. */
void pv_i_covered_deinit(pv_covered *s)
{
    for (size_t quasi = 0; s->counts != NULL && quasi < s->n; quasi++) {
        pv_i_free(s->counts[quasi]);
    }
    pv_i_free(s->counts);
    *s = (pv_covered){0};
}

/* ------------------------------------------------------------------- detail */

/* docs/model.md section 3: of one attribute, a value that covers n of the domain's d values keeps
 * (d - n) / d, or loses (n - 1) / (d - 1); an attribute with one value loses nothing. Added up
 * attribute by attribute, in their order, as the measures do. Who is suppressed loses every
 * attribute, those with one value as well. */
void pv_i_detail_of_tuples(const pv_covered *s, const pv_comparing *comparing,
                           const pv_profile *release, const pv_property *property,
                           double *per_tuple)
{
    const pv_study *const original = comparing->study;
    const bool weighted = pv_i_property_is_weighted(property);
    const size_t starred = pv_i_starred_tuple(release);
    double sum = 0; /* of the weights */
    memset(per_tuple, 0, pv_profile_tuples(release) * sizeof *per_tuple);
    for (size_t quasi = 0; quasi < s->n; quasi++) {
        const pv_hierarchy *const hierarchy = pv_study_hierarchy(pv_profile_study(release), quasi);
        const size_t column = pv_study_quasi_column(original, quasi);
        const double domain = pv_table_values(pv_study_table(original), column);
        const double weight = weighted ? pv_study_weight(original, quasi) : 1;
        for (size_t t = 0; t < pv_profile_tuples(release); t++) {
            const uint32_t code = pv_hierarchy_code(hierarchy, pv_profile_leaf(release, t, quasi));
            const double n = (double)s->counts[quasi][code];
            per_tuple[t] +=
                weight * (property->less_is_better ? (n - 1) / (domain > 1 ? domain - 1 : 1)
                                                   : (domain - n) / domain);
        }
        sum += weight;
    }
    if (starred != SIZE_MAX && property->less_is_better) {
        per_tuple[starred] = sum;
    }
}

/* Our releases and most others show a suppressed person as `*` throughout. */
size_t pv_i_starred_tuple(const pv_profile *release)
{
    const pv_study *const study = pv_profile_study(release);
    const pv_table *const table = pv_study_table(study);
    for (size_t t = 0; t < pv_profile_tuples(release); t++) {
        bool starred = true;
        for (size_t quasi = 0; starred && quasi < pv_study_quasis(study); quasi++) {
            const uint32_t code = pv_hierarchy_code(pv_study_hierarchy(study, quasi),
                                                    pv_profile_leaf(release, t, quasi));
            const size_t column = pv_study_quasi_column(study, quasi);
            starred = strcmp(pv_table_value(table, column, code), PV_ROOT_LABEL) == 0;
        }
        if (starred) {
            return pv_profile_count(release, t) < pv_profile_rows(release) ? t : SIZE_MAX;
        }
    }
    return SIZE_MAX;
}
