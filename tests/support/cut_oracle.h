/* The naive reading of cut schemes: rows, the place of each row's value in its attribute's order,
 * and nested loops. Nothing here knows of views, keys, prefix sums or intervals tables; the order
 * of numbers comes from the texts in the table, the order of categories from the hierarchy's
 * leaves. */
#ifndef PV_TESTS_CUT_ORACLE_H
#define PV_TESTS_CUT_ORACLE_H

#include "hierarchy/tree.h"
#include "scheme/cut_space.h"

#include <math.h>

#define CUT_ORACLE_AXES 64

typedef struct cut_oracle {
    const pv_study *study;
    size_t n_rows, n_axes, n_bits;
    uint32_t *places[CUT_ORACLE_AXES]; /* per row: its value's place in the order */
    uint32_t n[CUT_ORACLE_AXES];       /* values */
    uint64_t *rows[CUT_ORACLE_AXES];   /* that have each value */
    size_t first_bit[CUT_ORACLE_AXES];
    bool numeric[CUT_ORACLE_AXES];
    double weight[CUT_ORACLE_AXES]; /* as in the plan */
} cut_oracle;

/* ------------------------------------------------------------------ orders */

void cut_oracle_init(cut_oracle *o, const pv_study *study);
void cut_oracle_deinit(cut_oracle *o);

/* ---------------------------------------------------------------- taxonomy */

/* A single subtree, or whole neighbouring subtrees that have one parent. */
bool cut_oracle_joinable(const pv_hierarchy *h, uint32_t first, uint32_t last);

/* ----------------------------------------------------------------- classes */

/* The first and last value of the group that a value is in. */
void cut_oracle_group(const cut_oracle *o, size_t axis, const uint8_t *cuts, uint32_t value,
                      uint32_t *first, uint32_t *last);
bool cut_oracle_respects(const cut_oracle *o, const uint8_t *cuts);

/* Is there no cut between the values of two rows? */
bool cut_oracle_alike(const cut_oracle *o, size_t axis, const uint8_t *cuts, size_t a, size_t b);

/* Are two rows in one class, an axis left aside (SIZE_MAX = none)? */
bool cut_oracle_one_class(const cut_oracle *o, const uint8_t *cuts, size_t aside, size_t a,
                          size_t b);

typedef struct cut_oracle_sizes {
    uint64_t smallest, largest;
    size_t n_classes;
} cut_oracle_sizes;

cut_oracle_sizes cut_oracle_count(const cut_oracle *o, const uint8_t *cuts);

/* Has some class of the other axes between 1 and k-1 rows with values first..last? */
bool cut_oracle_too_small(const cut_oracle *o, size_t axis, const uint8_t *cuts, uint64_t k,
                          uint32_t first, uint32_t last);

/* -------------------------------------------------------------------- loss */

/* What the rows cost together, given what one further value in a row's group costs. */
uint64_t cut_oracle_cost(const cut_oracle *o, const uint64_t *unit, const uint8_t *cuts);

/* docs/model.md, section 3. */
double cut_oracle_nwp(const cut_oracle *o, const uint8_t *cuts);

/* ------------------------------------------------------------- enumeration */

/* The scheme whose cuts are the bits of a number. */
void cut_oracle_scheme(const cut_oracle *o, uint64_t number, uint8_t *cuts);

/* Memory for looking at all schemes of a table. */
typedef struct cut_oracle_scratch {
    bool *allowed[CUT_ORACLE_AXES];
    uint32_t *counts;
    size_t *keys;
    uint8_t *cuts;
} cut_oracle_scratch;

cut_oracle_scratch cut_oracle_scratch_create(const cut_oracle *o, bool respects);
void cut_oracle_scratch_free(cut_oracle_scratch *scratch);
bool cut_oracle_is_allowed(const cut_oracle *o, const cut_oracle_scratch *scratch);

typedef struct cut_oracle_outcome {
    uint64_t cost, smallest, largest;
} cut_oracle_outcome;

/* What comes of every scheme; with `respects`, of those that respect the taxonomies. The caller
 * frees the outcomes. */
cut_oracle_outcome *cut_oracle_all(const cut_oracle *o, const uint64_t *unit, bool respects,
                                   size_t *n);

/* =============================================================== patterns */

/* A few cut schemes that every space has: little, much and something between. */

enum { CUT_PATTERNS = 4 };

/* Nothing, everything, one attribute, every other place. */
void cut_pattern(const pv_cut_space *space, size_t pattern, uint8_t *cuts);

#endif
