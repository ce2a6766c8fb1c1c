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

#include "base/error.h"
#include "base/memory.h"
#include "base/tasks.h"
#include "classes/value_index.h"
#include "hierarchy/hierarchy_spec.h"
#include "hierarchy/labels.h"
#include "hierarchy/tree.h"
#include "table/column.h"
#include "table/value.h"

#include <string.h>

#define FEW_PAIRS ((uint64_t)1 << 16) /* not worth a thread */

/* A column of the dictionary, the quasi-identifier of the table that it is, and where its values
 * may be in that one's hierarchy: lists as in pv_consistency, of leaves and of nodes. */
typedef struct {
    const pv_study *study;
    size_t quasi;
    const pv_hierarchy *hierarchy;
    const pv_table *table; /* the dictionary's; NULL = the table itself: values are leaves */
    size_t column;
    uint32_t n_values;
    pv_consistency leaves; /* that values may be */
    pv_consistency nodes;  /* that they lie under, the lowest ones: those above follow */
    pv_arena scratch;      /* holds these lists, and what is needed to make them */
} matching;

uint32_t pv_i_group_below_root(const pv_hierarchy *hierarchy, unsigned level, uint32_t leaf)
{
    const uint32_t group = pv_hierarchy_group(hierarchy, level, leaf);
    return pv_hierarchy_is_root(hierarchy, level, group) ? PV_NO_GROUP : group;
}

/* ------------------------------------------------------------------- exactly */

/* Lists of at most one entry per value; `none` = no entry. */
static pv_status list_entries(matching *m, pv_consistency *lists, const uint32_t *entries,
                              uint32_t none, pv_error *error)
{
    uint32_t end = 0;
    lists->start = PV_ARENA_ARRAY(&m->scratch, uint32_t, (size_t)m->n_values + 1);
    lists->group = PV_ARENA_ARRAY(&m->scratch, uint32_t, m->n_values);
    for (uint32_t value = 0; !m->scratch.failed && value < m->n_values; value++) {
        if (entries[value] != none) {
            lists->group[end++] = entries[value];
        }
        lists->start[value + 1] = end;
    }
    return m->scratch.failed ? pv_i_no_memory(error) : PV_STATUS_OK;
}

/* The leaf of each value, by text; PV_NO_CODE = the table has none. Missing is missing, however it
 * is spelled. */
static pv_status find_leaves(const matching *m, uint32_t *leaf_of, bool *all_found, pv_error *error)
{
    const pv_table *const table = pv_study_table(m->study);
    const size_t column = pv_study_quasi_column(m->study, m->quasi);
    const uint32_t missing = pv_table_missing(m->table, m->column);
    pv_value_index index;
    const pv_status status = pv_i_value_index_init(&index, table, column, error);
    *all_found = true;
    for (uint32_t value = 0; status == PV_STATUS_OK && value < m->n_values; value++) {
        const uint32_t code =
            value == missing
                ? pv_table_missing(table, column)
                : pv_i_value_index_find(&index, pv_table_value(m->table, m->column, value));
        leaf_of[value] = code != PV_NO_CODE ? pv_hierarchy_leaf(m->hierarchy, code) : PV_NO_CODE;
        *all_found = *all_found && code != PV_NO_CODE;
    }
    pv_i_value_index_deinit(&index);
    return status;
}

/* Where values that the table does not have would be: the hierarchy is built as it would be for the
 * dictionary's column, and the lowest node of it whose label the table's has too is the place;
 * above it both are the same. What depends on the table (which values are rare, how they are
 * ordered) is decided by the table. */
static pv_status place_guests(matching *m, const uint32_t *leaf_of, uint32_t *node_of,
                              pv_error *error)
{
    const pv_table *const table = pv_study_table(m->study);
    const size_t column = pv_study_quasi_column(m->study, m->quasi);
    pv_hierarchy_spec spec = {0};
    pv_hierarchy *guest = NULL;
    pv_labels labels = {0}; /* the table's nodes by their labels */
    PV_TRY(pv_i_hierarchy_spec_resolve(&pv_study_quasi_attribute(m->study, m->quasi)->hierarchy,
                                       table, column, &spec, error));
    /* Missing values that are in no group but their own are under nothing but the root. */
    const uint32_t apart = spec.missing_group == NULL && !spec.missing_last
                               ? pv_table_missing(m->table, m->column)
                               : PV_NO_CODE;
    pv_status status = pv_i_hierarchy_build_guest(&spec, pv_table_type(table, column), m->table,
                                                  m->column, &guest, error);
    for (uint32_t node = 0; status == PV_STATUS_OK && node < m->hierarchy->n_nodes; node++) {
        uint32_t number;
        status =
            pv_i_labels_add(&labels, &m->scratch, m->hierarchy->nodes[node].label, &number, error);
    }
    for (uint32_t value = 0; status == PV_STATUS_OK && value < m->n_values; value++) {
        if (leaf_of[value] != PV_NO_CODE || value == apart) {
            continue;
        }
        uint32_t node = guest->lowest[pv_hierarchy_leaf(guest, value)];
        uint32_t found = PV_NO_LABEL;
        for (; node != PV_ROOT_NODE && found == PV_NO_LABEL; node = guest->nodes[node].parent) {
            found = pv_i_labels_find(&labels, guest->nodes[node].label);
        }
        node_of[value] = found != PV_NO_LABEL ? found : PV_ROOT_NODE;
    }
    pv_i_labels_deinit(&labels);
    pv_hierarchy_free(guest);
    pv_hierarchy_spec_free(&spec);
    return status;
}

static pv_status match_exactly(matching *m, pv_error *error)
{
    /* In the table itself every leaf is the group of its own number at level 0. */
    const uint32_t *leaves = m->hierarchy->levels[0].group_of;
    const uint32_t *nodes = m->hierarchy->lowest;
    if (m->table != NULL) {
        bool all_found = true;
        uint32_t *const leaf_of = PV_ARENA_ARRAY(&m->scratch, uint32_t, m->n_values);
        uint32_t *const node_of = PV_ARENA_ARRAY(&m->scratch, uint32_t, m->n_values);
        if (m->scratch.failed) {
            return pv_i_no_memory(error);
        }
        PV_TRY(find_leaves(m, leaf_of, &all_found, error));
        for (uint32_t value = 0; value < m->n_values; value++) {
            node_of[value] =
                leaf_of[value] != PV_NO_CODE ? m->hierarchy->lowest[leaf_of[value]] : PV_ROOT_NODE;
        }
        PV_TRY(all_found ? PV_STATUS_OK : place_guests(m, leaf_of, node_of, error));
        leaves = leaf_of;
        nodes = node_of;
    }
    PV_TRY(list_entries(m, &m->leaves, leaves, PV_NO_CODE, error));
    return list_entries(m, &m->nodes, nodes, PV_ROOT_NODE, error);
}

/* ------------------------------------------------------------- by similarity */

/* Texts to compare; borrowed from a table, but for numbers and dates, which are compared in one
 * spelling: 31.05.2024 is similar to 2024-05-31. The missing value is similar to itself only. */
typedef struct {
    uint32_t n;
    const char **text; /* NULL = missing */
    size_t *size;
} text_list;

/* The values of a column: by code, or by leaf of a hierarchy. */
static pv_status texts_init(text_list *texts, const pv_table *table, size_t column,
                            const pv_hierarchy *hierarchy, pv_arena *arena, pv_error *error)
{
    const uint32_t n = pv_table_values(table, column);
    const uint32_t missing = pv_table_missing(table, column);
    *texts = (text_list){.n = n,
                         .text = PV_ARENA_ARRAY(arena, const char *, n),
                         .size = PV_ARENA_ARRAY(arena, size_t, n)};
    for (uint32_t i = 0; !arena->failed && i < n; i++) {
        const uint32_t code = hierarchy != NULL ? pv_hierarchy_code(hierarchy, i) : i;
        if (code == missing) {
            continue;
        }
        char plain[PV_CANONICAL_SIZE];
        texts->text[i] = pv_table_value(table, column, code);
        texts->size[i] = pv_i_table_value_length(table, column, code);
        const size_t size =
            pv_i_table_canonical(table, column, texts->text[i], texts->size[i], plain);
        if (size > 0) {
            texts->text[i] = pv_i_arena_text(arena, plain, size);
            texts->size[i] = size;
        }
    }
    return arena->failed ? pv_i_no_memory(error) : PV_STATUS_OK;
}

/* Each value of the dictionary is compared with each leaf of the table, once per attribute. A task
 * takes neighbouring values; what was found is put together in the order of the values. */
typedef struct {
    uint32_t first, end; /* values */
    uint32_t *leaves;    /* similar to them, one value after the other */
    size_t n_leaves, capacity;
} share;

typedef struct {
    text_list leaves, values;
    double similarity;
    uint32_t *n_similar; /* leaves, by value */
    share *shares;
} comparison;

static bool is_similar(const text_list *a, uint32_t i, const text_list *b, uint32_t j,
                       double similarity)
{
    if (a->text[i] == NULL || b->text[j] == NULL) {
        return a->text[i] == b->text[j];
    }
    return pv_jaro(a->text[i], a->size[i], b->text[j], b->size[j]) >= similarity;
}

static pv_status compare_share(void *ctx, size_t task, const pv_thread *thread, pv_error *error)
{
    comparison *const c = ctx;
    share *const s = &c->shares[task];
    for (uint32_t value = s->first; value < s->end && pv_i_goes_on(thread, value - s->first);
         value++) {
        for (uint32_t leaf = 0; leaf < c->leaves.n; leaf++) {
            if (!is_similar(&c->leaves, leaf, &c->values, value, c->similarity)) {
                continue;
            }
            if (!pv_i_reserve((void **)&s->leaves, &s->capacity, s->n_leaves + 1,
                              sizeof *s->leaves)) {
                return pv_i_no_memory(error);
            }
            s->leaves[s->n_leaves++] = leaf;
            c->n_similar[value]++;
        }
    }
    return PV_STATUS_OK;
}

/* What was found, as lists: of leaves, and of the nodes right above them. */
static pv_status list_similar(matching *m, const comparison *c, size_t n_shares, pv_error *error)
{
    const uint32_t n = m->n_values;
    size_t total = 0;
    for (size_t i = 0; i < n_shares; i++) {
        total += c->shares[i].n_leaves;
    }
    if (total >= UINT32_MAX) {
        return pv_i_hint(pv_i_fail(error, PV_STATUS_LIMIT,
                                   "too many values of the dictionary and the table are similar"),
                         error, "demand more similarity");
    }
    uint32_t *const leaf_start = m->leaves.start =
        PV_ARENA_ARRAY(&m->scratch, uint32_t, (size_t)n + 1);
    uint32_t *const node_start = m->nodes.start =
        PV_ARENA_ARRAY(&m->scratch, uint32_t, (size_t)n + 1);
    uint32_t *const leaves = m->leaves.group = PV_ARENA_ARRAY(&m->scratch, uint32_t, total);
    uint32_t *const nodes = m->nodes.group = PV_ARENA_ARRAY(&m->scratch, uint32_t, total);
    if (m->scratch.failed) {
        return pv_i_no_memory(error);
    }
    for (size_t i = 0, end = 0; i < n_shares; end += c->shares[i++].n_leaves) {
        if (c->shares[i].n_leaves > 0) {
            memcpy(leaves + end, c->shares[i].leaves, c->shares[i].n_leaves * sizeof *leaves);
        }
    }
    uint32_t end = 0;
    for (uint32_t value = 0; value < n; value++) {
        leaf_start[value + 1] = leaf_start[value] + c->n_similar[value];
        for (uint32_t i = leaf_start[value]; i < leaf_start[value + 1]; i++) {
            const uint32_t node = m->hierarchy->lowest[leaves[i]];
            const bool is_new = end == node_start[value] || nodes[end - 1] != node;
            if (node != PV_ROOT_NODE && is_new) {
                nodes[end++] = node;
            }
        }
        node_start[value + 1] = end;
    }
    return PV_STATUS_OK;
}

static pv_status match_similar(matching *m, double similarity, const pv_context *context,
                               pv_error *error)
{
    comparison c = {.similarity = similarity};
    PV_TRY(texts_init(&c.leaves, pv_study_table(m->study),
                      pv_study_quasi_column(m->study, m->quasi), m->hierarchy, &m->scratch, error));
    c.values = c.leaves;
    if (m->table != NULL) {
        PV_TRY(texts_init(&c.values, m->table, m->column, NULL, &m->scratch, error));
    }
    const uint64_t n = c.values.n;
    const unsigned threads = n * c.leaves.n > FEW_PAIRS ? pv_i_threads(context) : 1;
    c.shares = PV_ARENA_ARRAY(&m->scratch, share, threads);
    c.n_similar = PV_ARENA_ARRAY(&m->scratch, uint32_t, n);
    if (m->scratch.failed) {
        return pv_i_no_memory(error);
    }
    for (unsigned i = 0; i < threads; i++) {
        c.shares[i].first = (uint32_t)(n * i / threads);
        c.shares[i].end = (uint32_t)(n * (i + 1) / threads);
    }
    pv_ticker ticker = pv_i_ticker(context, "comparing", c.shares[0].end);
    pv_status status = pv_i_tasks_run(threads, threads, compare_share, &c, &ticker, error);
    if (status == PV_STATUS_OK) {
        status = list_similar(m, &c, threads, error);
    }
    for (unsigned i = 0; i < threads; i++) {
        pv_i_free(c.shares[i].leaves);
    }
    return status;
}

/* -------------------------------------------------------------------- levels */

/* A level while its lists are made. */
typedef struct {
    uint32_t *group_of; /* by node: its group at this level, or PV_NO_GROUP */
    uint32_t *taken_by; /* by group: the value, plus 1, that was last given it */
    uint32_t *groups;
    size_t n, capacity;
} listing;

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
static pv_status take_value(const matching *m, listing *l, uint32_t value, unsigned at,
                            pv_error *error)
{
    const pv_consistency *const list = at == 0 ? &m->leaves : &m->nodes;
    const size_t start = l->n;
    for (uint32_t i = list->start[value]; i < list->start[value + 1]; i++) {
        if (at == 0) {
            PV_TRY(take_group(l, start, value,
                              pv_i_group_below_root(m->hierarchy, 0, list->group[i]), error));
            continue;
        }
        for (uint32_t node = list->group[i]; node != PV_ROOT_NODE;
             node = m->hierarchy->nodes[node].parent) {
            PV_TRY(take_group(l, start, value, l->group_of[node], error));
        }
    }
    return PV_STATUS_OK;
}

static pv_status match_level(matching *m, unsigned at, pv_arena *arena, pv_consistency *level,
                             pv_error *error)
{
    const pv_hierarchy_level *const groups = &m->hierarchy->levels[at];
    listing l = {.group_of = PV_ARENA_ARRAY(&m->scratch, uint32_t, m->hierarchy->n_nodes),
                 .taken_by = PV_ARENA_ARRAY(&m->scratch, uint32_t, groups->n_groups)};
    level->start = PV_ARENA_ARRAY(arena, uint32_t, (size_t)m->n_values + 1);
    if (m->scratch.failed || arena->failed) {
        return pv_i_no_memory(error);
    }
    memset(l.group_of, 0xff, m->hierarchy->n_nodes * sizeof *l.group_of); /* PV_NO_GROUP */
    for (uint32_t group = 0; group < groups->n_groups; group++) {
        if (groups->nodes[group] != PV_ROOT_NODE) {
            l.group_of[groups->nodes[group]] = group;
        }
    }
    pv_status status = PV_STATUS_OK;
    for (uint32_t value = 0; value < m->n_values && status == PV_STATUS_OK; value++) {
        status = take_value(m, &l, value, at, error);
        level->start[value + 1] = (uint32_t)l.n;
    }
    level->group = PV_ARENA_ARRAY(arena, uint32_t, l.n);
    if (status == PV_STATUS_OK && level->group == NULL) {
        status = pv_i_no_memory(error);
    } else if (status == PV_STATUS_OK && l.n > 0) {
        memcpy(level->group, l.groups, l.n * sizeof *l.groups);
    }
    pv_i_free(l.groups);
    return status;
}

/* Consistent with a leaf or a group is consistent with all above: the level below the root is the
 * last to know, but in a ragged tree that is not the same for all. */
static bool is_unmatched(const pv_known *known, uint32_t value)
{
    for (unsigned level = 0; level < known->height; level++) {
        if (known->levels[level].start[value] < known->levels[level].start[value + 1]) {
            return false;
        }
    }
    return true;
}

pv_status pv_i_attacker_match(pv_attacker *attacker, size_t quasi, const pv_table *table,
                              size_t column, double similarity, const pv_context *context,
                              pv_error *error)
{
    const pv_study *const study = attacker->profile->study;
    const pv_hierarchy *const hierarchy = pv_study_hierarchy(study, quasi);
    pv_known *const known = &attacker->known[quasi];
    matching m = {.study = study,
                  .quasi = quasi,
                  .hierarchy = hierarchy,
                  .table = table,
                  .column = column,
                  .n_values = table != NULL ? pv_table_values(table, column)
                                            : pv_hierarchy_leaves(hierarchy)};
    pv_status status = PV_STATUS_OK;
    known->is_known = true;
    known->n_values = m.n_values;
    known->levels = PV_ARENA_ARRAY(&attacker->arena, pv_consistency, known->height);
    PV_TRY_CLEAN(known->levels == NULL ? pv_i_no_memory(error)
                 : similarity > 0      ? match_similar(&m, similarity, context, error)
                                       : match_exactly(&m, error));
    for (unsigned level = 0; level < known->height; level++) {
        PV_TRY_CLEAN(match_level(&m, level, &attacker->arena, &known->levels[level], error));
    }
    for (uint32_t value = 0; value < known->n_values; value++) {
        known->n_unmatched += is_unmatched(known, value);
    }
cleanup:
    pv_i_arena_deinit(&m.scratch);
    return status;
}
