/* Cut schemes by nested loops over rows. */
#include "support/cut_oracle.h"

#include "plan/plan.h"
#include "support/oracle.h"
#include "support/study.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* ------------------------------------------------------------------ orders */

static const pv_plan_attribute *cut_oracle_attribute(const pv_study *study, size_t axis)
{
    const pv_plan *const plan = pv_study_plan(study);
    for (size_t i = 0; i < plan->n_attributes; i++) {
        if (oracle_same(plan->attributes[i].name, pv_study_quasi_name(study, axis))) {
            return &plan->attributes[i];
        }
    }
    return NULL;
}

/* The text of a cell; NULL if it is missing. */
static const char *cut_oracle_cell(const pv_study *study, size_t axis, size_t row)
{
    const pv_table *const table = pv_study_table(study);
    const size_t column = pv_study_quasi_column(study, axis);
    const uint32_t code = pv_table_code(table, column, row);
    return code == pv_table_missing(table, column) ? NULL : pv_table_value(table, column, code);
}

static bool cut_oracle_is_numeric(const pv_study *study, size_t axis)
{
    bool any = false;
    for (size_t row = 0; row < pv_table_rows(pv_study_table(study)); row++) {
        const char *const cell = cut_oracle_cell(study, axis, row);
        char *end = NULL;
        if (cell != NULL) {
            (void)strtod(cell, &end);
            if (*end != '\0') {
                return false;
            }
        }
        any = any || cell != NULL;
    }
    return any && cut_oracle_attribute(study, axis)->type != PV_TYPE_TEXT;
}

/* Tests write numbers with at most three decimals. */
static int64_t cut_oracle_thousandths(double number)
{
    return llround(number * 1000);
}

/* What the values are ordered by; equal = one value. */
static int64_t cut_oracle_rank(const cut_oracle *o, size_t axis, size_t row)
{
    const char *const cell = cut_oracle_cell(o->study, axis, row);
    const size_t column = pv_study_quasi_column(o->study, axis);
    if (!o->numeric[axis]) {
        const pv_hierarchy *const h = pv_study_hierarchy(o->study, axis);
        return h
            ->place_of[pv_hierarchy_leaf(h, pv_table_code(pv_study_table(o->study), column, row))];
    }
    if (cell == NULL) {
        return INT64_MAX;
    }
    const int64_t number = cut_oracle_thousandths(strtod(cell, NULL));
    const pv_decimal step = cut_oracle_attribute(o->study, axis)->granularity;
    if (step.mantissa == 0) {
        return number;
    }
    const int64_t width = cut_oracle_thousandths(pv_decimal_double(step));
    int64_t granule = number / width;
    while (granule * width > number) {
        granule--;
    }
    return granule;
}

/* The place of a value is the number of different smaller ones. */
static void cut_oracle_order(cut_oracle *o, size_t axis)
{
    int64_t *const ranks = oracle_array(o->n_rows, sizeof *ranks);
    bool *const repeats = oracle_array(o->n_rows, sizeof *repeats);
    o->numeric[axis] = cut_oracle_is_numeric(o->study, axis);
    for (size_t row = 0; row < o->n_rows; row++) {
        ranks[row] = cut_oracle_rank(o, axis, row);
        for (size_t i = 0; i < row && !repeats[row]; i++) {
            repeats[row] = ranks[i] == ranks[row];
        }
        o->n[axis] += !repeats[row];
    }
    for (size_t row = 0; row < o->n_rows; row++) {
        for (size_t i = 0; i < o->n_rows; i++) {
            o->places[axis][row] += !repeats[i] && ranks[i] < ranks[row];
        }
    }
    free(repeats);
    free(ranks);
}

void cut_oracle_init(cut_oracle *o, const pv_study *study)
{
    *o = (cut_oracle){.study = study,
                      .n_rows = (size_t)pv_table_rows(pv_study_table(study)),
                      .n_axes = pv_study_quasis(study)};
    assert_true(o->n_axes <= CUT_ORACLE_AXES);
    for (size_t a = 0; a < o->n_axes; a++) {
        o->places[a] = oracle_array(o->n_rows, sizeof *o->places[a]);
        cut_oracle_order(o, a);
        o->rows[a] = oracle_array(o->n[a], sizeof *o->rows[a]);
        for (size_t row = 0; row < o->n_rows; row++) {
            o->rows[a][o->places[a][row]]++;
        }
        o->weight[a] = cut_oracle_attribute(study, a)->weight;
        o->first_bit[a] = o->n_bits;
        o->n_bits += o->n[a] - 1;
    }
}

void cut_oracle_deinit(cut_oracle *o)
{
    for (size_t a = 0; a < o->n_axes; a++) {
        free(o->places[a]);
        free(o->rows[a]);
    }
}

/* ---------------------------------------------------------------- taxonomy */

static const char *cut_oracle_label(const pv_hierarchy *h, unsigned level, uint32_t leaf)
{
    return pv_hierarchy_label(h, level, pv_hierarchy_group(h, level, leaf));
}

/* Does a leaf lie under a label, on whatever level that stands? */
static bool cut_oracle_lies_under(const pv_hierarchy *h, uint32_t leaf, const char *label)
{
    for (unsigned level = 0; level <= pv_hierarchy_height(h); level++) {
        if (strcmp(cut_oracle_label(h, level, leaf), label) == 0) {
            return true;
        }
    }
    return false;
}

/* Are all leaves under a label at the places first..last? */
static bool cut_oracle_is_within(const pv_hierarchy *h, const char *label, uint32_t first,
                                 uint32_t last)
{
    for (uint32_t leaf = 0; leaf < pv_hierarchy_leaves(h); leaf++) {
        const uint32_t place = h->place_of[leaf];
        if (cut_oracle_lies_under(h, leaf, label) && (place < first || place > last)) {
            return false;
        }
    }
    return true;
}

/* Does first..last consist of whole children of one parent? A child is what stands right below it.
 */
static bool cut_oracle_is_family(const pv_hierarchy *h, const char *parent, uint32_t first,
                                 uint32_t last)
{
    for (uint32_t place = first; place <= last; place++) {
        const uint32_t leaf = h->depth_first[place];
        const char *child = NULL;
        for (unsigned level = 0; child == NULL && level < pv_hierarchy_height(h) &&
                                 strcmp(cut_oracle_label(h, level, leaf), PV_ROOT_LABEL) != 0;
             level++) {
            const bool is_below = strcmp(cut_oracle_label(h, level + 1, leaf), parent) == 0 &&
                                  strcmp(cut_oracle_label(h, level, leaf), parent) != 0;
            child = is_below ? cut_oracle_label(h, level, leaf) : NULL;
        }
        const bool is_star = strcmp(cut_oracle_label(h, 0, leaf), PV_ROOT_LABEL) == 0;
        const bool is_raw = child != NULL && child == cut_oracle_label(h, 0, leaf);
        if (child != NULL ? !is_raw && !cut_oracle_is_within(h, child, first, last)
                          : !is_star || strcmp(parent, PV_ROOT_LABEL) != 0) {
            return false;
        }
    }
    return true;
}

bool cut_oracle_joinable(const pv_hierarchy *h, uint32_t first, uint32_t last)
{
    if (first == last) {
        return true;
    }
    for (unsigned level = 1; level <= pv_hierarchy_height(h); level++) {
        if (cut_oracle_is_family(h, cut_oracle_label(h, level, h->depth_first[first]), first,
                                 last)) {
            return true;
        }
    }
    return false;
}

/* May first..last of an axis be one group? */
static bool cut_oracle_allows(const cut_oracle *o, size_t axis, uint32_t first, uint32_t last)
{
    return o->numeric[axis] || cut_oracle_joinable(pv_study_hierarchy(o->study, axis), first, last);
}

/* ----------------------------------------------------------------- classes */

void cut_oracle_group(const cut_oracle *o, size_t axis, const uint8_t *cuts, uint32_t value,
                      uint32_t *first, uint32_t *last)
{
    const uint8_t *const own = cuts + o->first_bit[axis];
    *first = value;
    *last = value;
    while (*first > 0 && own[*first - 1] == 0) {
        --*first;
    }
    while (*last + 1 < o->n[axis] && own[*last] == 0) {
        ++*last;
    }
}

bool cut_oracle_respects(const cut_oracle *o, const uint8_t *cuts)
{
    for (size_t a = 0; a < o->n_axes; a++) {
        for (uint32_t value = 0; value < o->n[a]; value++) {
            uint32_t first;
            uint32_t last;
            cut_oracle_group(o, a, cuts, value, &first, &last);
            if (!cut_oracle_allows(o, a, first, last)) {
                return false;
            }
        }
    }
    return true;
}

bool cut_oracle_alike(const cut_oracle *o, size_t axis, const uint8_t *cuts, size_t a, size_t b)
{
    const uint32_t x = o->places[axis][a];
    const uint32_t y = o->places[axis][b];
    const uint32_t low = x < y ? x : y;
    const uint32_t high = x < y ? y : x;
    return memchr(cuts + o->first_bit[axis] + low, 1, high - low) == NULL;
}

bool cut_oracle_one_class(const cut_oracle *o, const uint8_t *cuts, size_t aside, size_t a,
                          size_t b)
{
    for (size_t axis = 0; axis < o->n_axes; axis++) {
        if (axis != aside && !cut_oracle_alike(o, axis, cuts, a, b)) {
            return false;
        }
    }
    return true;
}

cut_oracle_sizes cut_oracle_count(const cut_oracle *o, const uint8_t *cuts)
{
    cut_oracle_sizes sizes = {.smallest = UINT64_MAX};
    size_t *const leaders = oracle_array(o->n_rows, sizeof *leaders);
    uint64_t *const counts = oracle_array(o->n_rows, sizeof *counts);
    for (size_t row = 0; row < o->n_rows; row++) {
        size_t c = 0;
        while (c < sizes.n_classes && !cut_oracle_one_class(o, cuts, SIZE_MAX, row, leaders[c])) {
            c++;
        }
        leaders[c] = c < sizes.n_classes ? leaders[c] : row;
        sizes.n_classes += c == sizes.n_classes;
        counts[c]++;
    }
    for (size_t c = 0; c < sizes.n_classes; c++) {
        sizes.smallest = counts[c] < sizes.smallest ? counts[c] : sizes.smallest;
        sizes.largest = counts[c] > sizes.largest ? counts[c] : sizes.largest;
    }
    free(leaders);
    free(counts);
    return sizes;
}

bool cut_oracle_too_small(const cut_oracle *o, size_t axis, const uint8_t *cuts, uint64_t k,
                          uint32_t first, uint32_t last)
{
    const uint32_t *const places = o->places[axis];
    for (size_t row = 0; row < o->n_rows; row++) {
        uint64_t rows = 0;
        for (size_t i = 0; i < o->n_rows; i++) {
            rows += places[i] >= first && places[i] <= last &&
                    cut_oracle_one_class(o, cuts, axis, row, i);
        }
        if (rows > 0 && rows < k) {
            return true;
        }
    }
    return false;
}

/* -------------------------------------------------------------------- loss */

uint64_t cut_oracle_cost(const cut_oracle *o, const uint64_t *unit, const uint8_t *cuts)
{
    uint64_t cost = 0;
    for (size_t a = 0; a < o->n_axes; a++) {
        for (uint32_t value = 0; value < o->n[a]; value++) {
            uint32_t first;
            uint32_t last;
            cut_oracle_group(o, a, cuts, value, &first, &last);
            cost += o->rows[a][value] * unit[a] * (last - first);
        }
    }
    return cost;
}

double cut_oracle_nwp(const cut_oracle *o, const uint8_t *cuts)
{
    double loss = 0;
    double weights = 0;
    for (size_t a = 0; a < o->n_axes; a++) {
        weights += o->weight[a];
        for (size_t row = 0; row < o->n_rows && o->n[a] > 1; row++) {
            uint32_t first;
            uint32_t last;
            cut_oracle_group(o, a, cuts, o->places[a][row], &first, &last);
            loss += o->weight[a] * (last - first) / (o->n[a] - 1.0);
        }
    }
    return loss / weights / (double)o->n_rows;
}

/* ------------------------------------------------------------- enumeration */

void cut_oracle_scheme(const cut_oracle *o, uint64_t number, uint8_t *cuts)
{
    for (size_t bit = 0; bit < o->n_bits; bit++) {
        cuts[bit] = number >> bit & 1;
    }
}

/* cut_oracle_count, quicker, without the number of classes: the first value of a group stands for
 * it, and a class is the number that these values make. `counts` has a zero for each such number,
 * `keys` a place for each row. */
static cut_oracle_sizes cut_oracle_count_quickly(const cut_oracle *o, const uint8_t *cuts,
                                                 uint32_t *counts, size_t *keys)
{
    cut_oracle_sizes sizes = {.smallest = UINT64_MAX};
    for (size_t row = 0; row < o->n_rows; row++) {
        keys[row] = 0;
        for (size_t a = 0; a < o->n_axes; a++) {
            uint32_t first = o->places[a][row];
            while (first > 0 && cuts[o->first_bit[a] + first - 1] == 0) {
                first--;
            }
            keys[row] = keys[row] * o->n[a] + first;
        }
        counts[keys[row]]++;
    }
    for (size_t row = 0; row < o->n_rows; row++) {
        const uint32_t count = counts[keys[row]];
        sizes.smallest = count < sizes.smallest ? count : sizes.smallest;
        sizes.largest = count > sizes.largest ? count : sizes.largest;
    }
    for (size_t row = 0; row < o->n_rows; row++) {
        counts[keys[row]] = 0;
    }
    return sizes;
}

/* Which intervals of an axis may be groups: n * n. */
static bool *cut_oracle_families(const cut_oracle *o, size_t axis, bool respects)
{
    const uint32_t n = o->n[axis];
    bool *const allowed = oracle_array((size_t)n * n, sizeof *allowed);
    for (uint32_t first = 0; first < n; first++) {
        for (uint32_t last = first; last < n; last++) {
            allowed[(size_t)first * n + last] =
                !respects || cut_oracle_allows(o, axis, first, last);
        }
    }
    return allowed;
}

cut_oracle_scratch cut_oracle_scratch_create(const cut_oracle *o, bool respects)
{
    size_t n_keys = 1;
    cut_oracle_scratch scratch = {.keys = oracle_array(o->n_rows, sizeof *scratch.keys),
                                  .cuts = oracle_array(o->n_bits, 1)};
    for (size_t a = 0; a < o->n_axes; a++) {
        scratch.allowed[a] = cut_oracle_families(o, a, respects);
        n_keys *= o->n[a];
    }
    scratch.counts = oracle_array(n_keys, sizeof *scratch.counts);
    return scratch;
}

void cut_oracle_scratch_free(cut_oracle_scratch *scratch)
{
    for (size_t a = 0; a < CUT_ORACLE_AXES; a++) {
        free(scratch->allowed[a]);
    }
    free(scratch->counts);
    free(scratch->keys);
    free(scratch->cuts);
}

bool cut_oracle_is_allowed(const cut_oracle *o, const cut_oracle_scratch *scratch)
{
    for (size_t a = 0; a < o->n_axes; a++) {
        uint32_t last;
        for (uint32_t first = 0; first < o->n[a]; first = last + 1) {
            cut_oracle_group(o, a, scratch->cuts, first, &first, &last);
            if (!scratch->allowed[a][(size_t)first * o->n[a] + last]) {
                return false;
            }
        }
    }
    return true;
}

cut_oracle_outcome *cut_oracle_all(const cut_oracle *o, const uint64_t *unit, bool respects,
                                   size_t *n)
{
    const uint64_t n_schemes = (uint64_t)1 << o->n_bits;
    cut_oracle_outcome *const all = oracle_array((size_t)n_schemes, sizeof *all);
    cut_oracle_scratch scratch = cut_oracle_scratch_create(o, respects);
    *n = 0;
    for (uint64_t number = 0; number < n_schemes; number++) {
        cut_oracle_scheme(o, number, scratch.cuts);
        if (cut_oracle_is_allowed(o, &scratch)) {
            const cut_oracle_sizes sizes =
                cut_oracle_count_quickly(o, scratch.cuts, scratch.counts, scratch.keys);
            all[(*n)++] = (cut_oracle_outcome){.cost = cut_oracle_cost(o, unit, scratch.cuts),
                                               .smallest = sizes.smallest,
                                               .largest = sizes.largest};
        }
    }
    cut_oracle_scratch_free(&scratch);
    return all;
}

/* =============================================================== patterns */

void cut_pattern(const pv_cut_space *space, size_t pattern, uint8_t *cuts)
{
    const pv_cut_axis *const last = &space->axes[space->n_axes - 1];
    for (size_t bit = 0; bit < space->n_bits; bit++) {
        const bool choices[CUT_PATTERNS] = {false, true, bit >= last->first_bit, bit % 2 == 0};
        cuts[bit] = choices[pattern];
    }
}
