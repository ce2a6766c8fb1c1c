/* With which groups of the table's hierarchies the attacker's values are consistent.
 *
 *     value of the file --+-- the table has it: it is in the groups of that leaf
 *                         +-- else: the hierarchy places it as it would have placed it in the
 *                                   table, under the table's groups of the same labels
 *                         or, by similarity: in the groups of every leaf that is similar enough
 *
 * So an unknown 13999 is none of the table's codes, but it is a 13***. What the hierarchy cannot
 * place, or only where the table has nobody, is consistent with nothing but `*`.
 *
 * In two steps. First a value gets a *placement*: the leaves it may be, and the lowest nodes it
 * lies under. Then, level by level, the groups follow: a node lies under a chain of nodes, and the
 * value is consistent with every group whose node is in that chain. Mostly that is one, the group
 * the value has there itself; but where a label occurs on several levels it may be others, or more
 * than one. */
#include "plan/plan.h"
#include "records/attacker.h"

#include "base/arena.h"
#include "base/error.h"
#include "base/failure.h"
#include "base/memory.h"
#include "base/pool.h"
#include "base/ticker.h"
#include "classes/value_index.h"
#include "hierarchy/hierarchy_spec.h"
#include "hierarchy/labels.h"
#include "hierarchy/tree.h"
#include "table/column.h"
#include "table/value.h"

#include <string.h>

#define FEW_PAIRS ((uint64_t)1 << 16) /* not worth a thread */

uint32_t pv_i_group_below_root(const pv_hierarchy *hierarchy, unsigned level, uint32_t leaf)
{
    const uint32_t group = pv_hierarchy_group(hierarchy, level, leaf);
    return pv_hierarchy_is_root(hierarchy, level, group) ? PV_NO_GROUP : group;
}

void pv_i_consistency_deinit(pv_consistency *level)
{
    pv_i_free(level->start);
    pv_i_free(level->group);
    *level = (pv_consistency){0};
}

/* ------------------------------------------------------------------- levels */

/* Where values may be in a hierarchy: lists as in pv_consistency, of leaves and of nodes. */
typedef struct {
    pv_consistency leaves; /* that they may be */
    pv_consistency nodes;  /* that they lie under, the lowest ones: those above follow */
} placement;

static void placement_deinit(placement *p)
{
    pv_i_consistency_deinit(&p->leaves);
    pv_i_consistency_deinit(&p->nodes);
}

/* A level while its lists are made. */
typedef struct {
    uint32_t *group_of; /* by node: its group at this level, or PV_NO_GROUP */
    uint32_t *taken_by; /* by group: the value, plus 1, that was last given it */
    uint32_t *groups;
    size_t n, capacity;
} listing;

static pv_status listing_init(listing *l, const pv_hierarchy *hierarchy, unsigned at,
                              pv_error *error)
{
    const pv_hierarchy_level *const level = &hierarchy->levels[at];
    l->group_of = PV_NEW_ARRAY(uint32_t, hierarchy->n_nodes);
    l->taken_by = PV_NEW_ZEROED(uint32_t, level->n_groups);
    l->groups = PV_NEW_ARRAY(uint32_t, 1); /* even if there are none */
    if (l->group_of == NULL || l->taken_by == NULL || l->groups == NULL) {
        return pv_i_no_memory(error);
    }
    l->capacity = 1;
    for (uint32_t node = 0; node < hierarchy->n_nodes; node++) {
        l->group_of[node] = PV_NO_GROUP;
    }
    for (uint32_t group = 0; group < level->n_groups; group++) {
        if (level->nodes[group] != PV_ROOT_NODE) {
            l->group_of[level->nodes[group]] = group;
        }
    }
    return PV_STATUS_OK;
}

/* Adds a group to those of one value, which begin at `start`, ascending; mostly they come so. */
static pv_status take_group(listing *l, size_t start, uint32_t value, uint32_t group,
                            pv_error *error)
{
    if (group == PV_NO_GROUP || l->taken_by[group] == value + 1) {
        return PV_STATUS_OK;
    }
    if (l->n == UINT32_MAX) {
        return pv_i_fail(error, PV_STATUS_LIMIT, "the dictionary fits too much of the table");
    }
    if (!pv_i_reserve((void **)&l->groups, &l->capacity, l->n + 1, sizeof *l->groups)) {
        return pv_i_no_memory(error);
    }
    l->taken_by[group] = value + 1;
    size_t at = l->n++;
    for (; at > start && l->groups[at - 1] > group; at--) {
        l->groups[at] = l->groups[at - 1];
    }
    l->groups[at] = group;
    return PV_STATUS_OK;
}

/* The groups of one value at a level: at level 0 its leaves, else the groups whose nodes it lies
 * under, at whatever level it reaches them itself. */
static pv_status take_value(listing *l, const placement *where, uint32_t value,
                            const pv_hierarchy *hierarchy, unsigned at, pv_error *error)
{
    const pv_consistency *const list = at == 0 ? &where->leaves : &where->nodes;
    const size_t start = l->n;
    for (uint32_t i = list->start[value]; i < list->start[value + 1]; i++) {
        if (at == 0) {
            PV_TRY(take_group(l, start, value, pv_i_group_below_root(hierarchy, 0, list->group[i]),
                              error));
            continue;
        }
        for (uint32_t node = list->group[i]; node != PV_ROOT_NODE;
             node = hierarchy->nodes[node].parent) {
            PV_TRY(take_group(l, start, value, l->group_of[node], error));
        }
    }
    return PV_STATUS_OK;
}

static pv_status match_level(pv_consistency *level, const placement *where, uint32_t n,
                             const pv_hierarchy *hierarchy, unsigned at, pv_error *error)
{
    listing l = {0};
    uint32_t *start = PV_NEW_ZEROED(uint32_t, (size_t)n + 1);
    pv_status status =
        start != NULL ? listing_init(&l, hierarchy, at, error) : pv_i_no_memory(error);
    for (uint32_t value = 0; value < n && status == PV_STATUS_OK; value++) {
        status = take_value(&l, where, value, hierarchy, at, error);
        start[value + 1] = (uint32_t)l.n;
    }
    if (status == PV_STATUS_OK) {
        *level = (pv_consistency){.start = start, .group = l.groups};
        start = l.groups = NULL;
    }
    pv_i_free(start);
    pv_i_free(l.groups);
    pv_i_free(l.group_of);
    pv_i_free(l.taken_by);
    return status;
}

static pv_status match_levels(pv_known *known, const placement *where,
                              const pv_hierarchy *hierarchy, pv_error *error)
{
    known->levels = PV_NEW_ZEROED(pv_consistency, known->height);
    if (known->levels == NULL) {
        return pv_i_no_memory(error);
    }
    for (unsigned level = 0; level < known->height; level++) {
        PV_TRY(match_level(&known->levels[level], where, known->n_values, hierarchy, level, error));
    }
    return PV_STATUS_OK;
}

/* ------------------------------------------------------------------- exactly */

/* Lists of at most one entry per value; `none` = no entry. */
static pv_status list_entries(pv_consistency *lists, const uint32_t *entries, uint32_t none,
                              uint32_t n, pv_error *error)
{
    uint32_t end = 0;
    lists->start = PV_NEW_ZEROED(uint32_t, (size_t)n + 1);
    lists->group = PV_NEW_ARRAY(uint32_t, n);
    if (lists->start == NULL || lists->group == NULL) {
        return pv_i_no_memory(error);
    }
    for (uint32_t value = 0; value < n; value++) {
        if (entries[value] != none) {
            lists->group[end++] = entries[value];
        }
        lists->start[value + 1] = end;
    }
    return PV_STATUS_OK;
}

/* At most one leaf (PV_NO_CODE = none) and one lowest node (PV_ROOT_NODE = none) for each value. */
static pv_status match_placed(pv_known *known, const uint32_t *leaves, const uint32_t *nodes,
                              const pv_hierarchy *hierarchy, pv_error *error)
{
    placement where = {0};
    pv_status status = PV_STATUS_OK;
    PV_TRY_CLEAN(list_entries(&where.leaves, leaves, PV_NO_CODE, known->n_values, error));
    PV_TRY_CLEAN(list_entries(&where.nodes, nodes, PV_ROOT_NODE, known->n_values, error));
    PV_TRY_CLEAN(match_levels(known, &where, hierarchy, error));
cleanup:
    placement_deinit(&where);
    return status;
}

/* One column of the dictionary and the quasi-identifier of the table that it is. */
typedef struct {
    const pv_study *study;
    size_t quasi;
    const pv_table *table; /* the dictionary's */
    size_t column;
    uint32_t n_values;
    uint32_t *leaf_of;     /* by value: of the table, PV_NO_CODE = it has none */
    pv_hierarchy *guest;   /* of the dictionary's column; NULL = the table has all its values */
    uint32_t *node_of;     /* by value: the lowest of the table that it lies under */
    uint32_t missing;      /* value, or PV_NO_CODE */
    bool is_missing_apart; /* is it in no group but its own? */
} meeting;

static const pv_hierarchy *hierarchy_of(const meeting *m)
{
    return pv_study_hierarchy(m->study, m->quasi);
}

/* By text; missing is missing, however it is spelled. */
static pv_status find_leaves(meeting *m, bool *all_found, pv_error *error)
{
    const pv_table *const table = pv_study_table(m->study);
    const size_t column = pv_study_quasi_column(m->study, m->quasi);
    pv_value_index index;
    m->leaf_of = PV_NEW_ARRAY(uint32_t, m->n_values);
    if (m->leaf_of == NULL) {
        return pv_i_no_memory(error);
    }
    const pv_status status = pv_i_value_index_init(&index, table, column, error);
    *all_found = true;
    for (uint32_t value = 0; status == PV_STATUS_OK && value < m->n_values; value++) {
        const uint32_t code =
            value == m->missing
                ? pv_table_missing(table, column)
                : pv_i_value_index_find(&index, pv_table_value(m->table, m->column, value));
        m->leaf_of[value] =
            code != PV_NO_CODE ? pv_hierarchy_leaf(hierarchy_of(m), code) : PV_NO_CODE;
        *all_found = *all_found && code != PV_NO_CODE;
    }
    pv_i_value_index_deinit(&index);
    return status;
}

/* The hierarchy as it would be for the dictionary's column. What depends on the table (which values
 * are rare, how they are ordered) is decided by the table. */
static pv_status build_guest(meeting *m, pv_error *error)
{
    const pv_table *const table = pv_study_table(m->study);
    const size_t column = pv_study_quasi_column(m->study, m->quasi);
    pv_hierarchy_spec spec = {0};
    PV_TRY(pv_i_hierarchy_spec_resolve(&pv_study_quasi_attribute(m->study, m->quasi)->hierarchy,
                                       table, column, &spec, error));
    m->is_missing_apart = spec.missing_group == NULL && !spec.missing_last;
    const pv_status status = pv_i_hierarchy_build_guest(&spec, pv_table_type(table, column),
                                                        m->table, m->column, &m->guest, error);
    pv_hierarchy_spec_free(&spec);
    return status;
}

/* The lowest node of the table with the label of a node that the value lies under. Above it both
 * hierarchies are the same. */
static uint32_t find_node(const meeting *m, const pv_labels *labels, uint32_t value)
{
    if (value == m->missing && m->is_missing_apart) {
        return PV_ROOT_NODE;
    }
    const pv_hierarchy *const guest = m->guest;
    uint32_t node = guest->lowest[pv_hierarchy_leaf(guest, value)];
    for (; node != PV_ROOT_NODE; node = guest->nodes[node].parent) {
        const uint32_t found = pv_i_labels_find(labels, guest->nodes[node].label);
        if (found != PV_NO_LABEL) {
            return found;
        }
    }
    return PV_ROOT_NODE;
}

static pv_status find_nodes(meeting *m, bool all_found, pv_error *error)
{
    const pv_hierarchy *const table = hierarchy_of(m);
    pv_arena arena = {0};
    pv_labels labels = {0}; /* the table's nodes by their labels */
    pv_status status = PV_STATUS_OK;
    m->node_of = PV_NEW_ARRAY(uint32_t, m->n_values);
    if (m->node_of == NULL) {
        return pv_i_no_memory(error);
    }
    if (!all_found) {
        PV_TRY(build_guest(m, error));
        for (uint32_t node = 0; status == PV_STATUS_OK && node < table->n_nodes; node++) {
            uint32_t number;
            status = pv_i_labels_add(&labels, &arena, table->nodes[node].label, &number, error);
        }
    }
    for (uint32_t value = 0; status == PV_STATUS_OK && value < m->n_values; value++) {
        m->node_of[value] = m->leaf_of[value] != PV_NO_CODE ? table->lowest[m->leaf_of[value]]
                                                            : find_node(m, &labels, value);
    }
    pv_i_labels_deinit(&labels);
    pv_i_arena_deinit(&arena);
    return status;
}

static pv_status match_exactly(meeting *m, pv_known *known, pv_error *error)
{
    bool all_found = true;
    PV_TRY(find_leaves(m, &all_found, error));
    PV_TRY(find_nodes(m, all_found, error));
    return match_placed(known, m->leaf_of, m->node_of, hierarchy_of(m), error);
}

/* ------------------------------------------------------------- by similarity */

/* Texts to compare; borrowed from a table, but for numbers and dates, which are compared in one
 * spelling: 31.05.2024 is similar to 2024-05-31. The missing value is similar to itself only. */
typedef struct {
    uint32_t n;
    const char **text; /* NULL = missing */
    size_t *size;
    pv_arena arena;
} text_list;

/* The values of a column: by code, or by leaf of a hierarchy. Deinitialise even after a failure. */
static pv_status texts_init(text_list *texts, const pv_table *table, size_t column,
                            const pv_hierarchy *hierarchy, pv_error *error)
{
    const uint32_t n = pv_table_values(table, column);
    const uint32_t missing = pv_table_missing(table, column);
    *texts =
        (text_list){.n = n, .text = PV_NEW_ARRAY(const char *, n), .size = PV_NEW_ARRAY(size_t, n)};
    if (texts->text == NULL || texts->size == NULL) {
        return pv_i_no_memory(error);
    }
    for (uint32_t i = 0; i < n; i++) {
        const uint32_t code = hierarchy != NULL ? pv_hierarchy_code(hierarchy, i) : i;
        texts->text[i] = code != missing ? pv_table_value(table, column, code) : NULL;
        texts->size[i] = pv_i_table_value_length(table, column, code);
        if (code == missing) {
            continue;
        }
        char plain[PV_CANONICAL_SIZE];
        const size_t size =
            pv_i_table_canonical(table, column, texts->text[i], texts->size[i], plain);
        if (size > 0) {
            texts->text[i] = pv_i_arena_text(&texts->arena, plain, size);
            texts->size[i] = size;
        }
        if (texts->text[i] == NULL) {
            return pv_i_no_memory(error);
        }
    }
    return PV_STATUS_OK;
}

static void texts_deinit(text_list *texts)
{
    pv_i_free(texts->text);
    pv_i_free(texts->size);
    pv_i_arena_deinit(&texts->arena);
}

/* Each value of the dictionary is compared with each leaf of the table, once per attribute. Workers
 * take neighbouring values; what they found is put together in the order of the values. */
typedef struct {
    uint32_t first, end; /* values */
    uint32_t *leaves;    /* similar to them, one value after the other */
    size_t n_leaves, capacity;
} share;

typedef struct {
    const text_list *leaves, *values;
    double similarity;
    const pv_context *context;
    uint32_t *n_similar; /* leaves, by value */
    share *shares;
    unsigned n_shares;
    pv_failure failure;
} comparison;

static bool is_similar(const text_list *a, uint32_t i, const text_list *b, uint32_t j,
                       double similarity)
{
    if (a->text[i] == NULL || b->text[j] == NULL) {
        return a->text[i] == b->text[j];
    }
    return pv_jaro(a->text[i], a->size[i], b->text[j], b->size[j]) >= similarity;
}

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
    c->n_shares = n * c->leaves->n > FEW_PAIRS ? pv_i_threads(c->context) : 1;
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

/* What the workers found, as one list of leaves per value. */
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

/* The leaves are known, the nodes are those right above them. */
static pv_status list_nodes_above(placement *where, uint32_t n, const pv_hierarchy *hierarchy,
                                  pv_error *error)
{
    const pv_consistency *const leaves = &where->leaves;
    pv_consistency *const nodes = &where->nodes;
    uint32_t end = 0;
    nodes->start = PV_NEW_ZEROED(uint32_t, (size_t)n + 1);
    nodes->group = PV_NEW_ARRAY(uint32_t, leaves->start[n]);
    if (nodes->start == NULL || nodes->group == NULL) {
        return pv_i_no_memory(error);
    }
    for (uint32_t value = 0; value < n; value++) {
        for (uint32_t i = leaves->start[value]; i < leaves->start[value + 1]; i++) {
            const uint32_t node = hierarchy->lowest[leaves->group[i]];
            const bool is_new = end == nodes->start[value] || nodes->group[end - 1] != node;
            if (node != PV_ROOT_NODE && is_new) {
                nodes->group[end++] = node;
            }
        }
        nodes->start[value + 1] = end;
    }
    return PV_STATUS_OK;
}

static pv_status match_similar(pv_known *known, const pv_hierarchy *hierarchy,
                               const text_list *leaves, const text_list *values, double similarity,
                               const pv_context *context, pv_error *error)
{
    comparison c = {
        .leaves = leaves, .values = values, .similarity = similarity, .context = context};
    placement where = {0};
    pv_status status = PV_STATUS_OK;
    PV_TRY_CLEAN(compare_all(&c, error));
    PV_TRY_CLEAN(join(&c, &where.leaves, error));
    PV_TRY_CLEAN(list_nodes_above(&where, known->n_values, hierarchy, error));
    PV_TRY_CLEAN(match_levels(known, &where, hierarchy, error));
cleanup:
    for (unsigned i = 0; c.shares != NULL && i < c.n_shares; i++) {
        pv_i_free(c.shares[i].leaves);
    }
    pv_i_free(c.shares);
    pv_i_free(c.n_similar);
    placement_deinit(&where);
    return status;
}

/* ----------------------------------------------------------------------- all */

pv_status pv_i_known_match_leaves(pv_known *known, const pv_study *study, size_t quasi,
                                  double similarity, const pv_context *context, pv_error *error)
{
    const pv_hierarchy *const hierarchy = pv_study_hierarchy(study, quasi);
    if (!(similarity > 0)) {
        /* At level 0 every leaf is the group of its own number. */
        return match_placed(known, hierarchy->levels[0].group_of, hierarchy->lowest, hierarchy,
                            error);
    }
    text_list leaves = {0};
    pv_status status = texts_init(&leaves, pv_study_table(study),
                                  pv_study_quasi_column(study, quasi), hierarchy, error);
    if (status == PV_STATUS_OK) {
        status = match_similar(known, hierarchy, &leaves, &leaves, similarity, context, error);
    }
    texts_deinit(&leaves);
    return status;
}

pv_status pv_i_known_match_column(pv_known *known, const pv_study *study, size_t quasi,
                                  const pv_table *table, size_t column, double similarity,
                                  const pv_context *context, pv_error *error)
{
    const pv_hierarchy *const hierarchy = pv_study_hierarchy(study, quasi);
    meeting m = {.study = study,
                 .quasi = quasi,
                 .table = table,
                 .column = column,
                 .n_values = known->n_values,
                 .missing = pv_table_missing(table, column)};
    text_list leaves = {0};
    text_list values = {0};
    pv_status status = PV_STATUS_OK;
    if (!(similarity > 0)) {
        status = match_exactly(&m, known, error);
        goto cleanup;
    }
    PV_TRY_CLEAN(texts_init(&leaves, pv_study_table(study), pv_study_quasi_column(study, quasi),
                            hierarchy, error));
    PV_TRY_CLEAN(texts_init(&values, table, column, NULL, error));
    PV_TRY_CLEAN(match_similar(known, hierarchy, &leaves, &values, similarity, context, error));
cleanup:
    texts_deinit(&leaves);
    texts_deinit(&values);
    pv_i_free(m.node_of);
    pv_i_free(m.leaf_of);
    pv_hierarchy_free(m.guest);
    return status;
}
