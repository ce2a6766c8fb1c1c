/* The values of a dictionary's column among the groups of the table.
 *
 *     value of the file --+-- the table has it: it is in the groups of that leaf
 *                         +-- else: the hierarchy places it as it would have placed it in the
 *                                   table, and its group is the table's group of the same label
 *
 * So an unknown 13999 is none of the table's codes, but it is a 13***. What the hierarchy cannot
 * place, or only where the table has nobody, is consistent with nothing but `*`. */
#include "base/error.h"
#include "base/memory.h"
#include "classes/dictionary_parts.h"
#include "classes/value_index.h"
#include "hierarchy/hierarchy_spec.h"

/* One column of the dictionary and the quasi-identifier of the table that it is. */
typedef struct {
    const pv_study *study;
    size_t quasi;
    const pv_table *table; /* the dictionary's */
    size_t column;
    uint32_t n_values;
    uint32_t *leaf_of;     /* by value: of the table, PV_NO_CODE = it has none */
    pv_hierarchy *guest;   /* of the dictionary's column; NULL = the table has all its values */
    uint32_t **group_of;   /* by level and group of the guest: group of the table */
    unsigned n_levels;     /* that both have below their tops */
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

/* What depends on the table (which values are rare, how they are ordered) is decided by it. */
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

/* A hierarchy knows a group by its label. */
static pv_status match_labels(const meeting *m, unsigned level, pv_labels *labels, pv_arena *arena,
                              pv_error *error)
{
    const pv_hierarchy *const table = hierarchy_of(m);
    for (uint32_t group = 0; group < pv_hierarchy_groups(table, level); group++) {
        uint32_t number;
        if (!pv_hierarchy_is_root(table, level, group)) { /* which is the last */
            PV_TRY(pv_i_labels_add(labels, arena, pv_hierarchy_label(table, level, group), &number,
                                   error));
        }
    }
    for (uint32_t group = 0; group < pv_hierarchy_groups(m->guest, level); group++) {
        m->group_of[level][group] =
            pv_hierarchy_is_root(m->guest, level, group)
                ? PV_NO_GROUP
                : pv_i_labels_find(labels, pv_hierarchy_label(m->guest, level, group));
    }
    return PV_STATUS_OK;
}

static pv_status match_groups(meeting *m, pv_error *error)
{
    const unsigned table_height = pv_hierarchy_height(hierarchy_of(m));
    const unsigned guest_height = pv_hierarchy_height(m->guest);
    m->n_levels = table_height < guest_height ? table_height : guest_height;
    m->group_of = PV_NEW_ZEROED(uint32_t *, m->n_levels);
    if (m->group_of == NULL) {
        return pv_i_no_memory(error);
    }
    for (unsigned level = 1; level < m->n_levels; level++) {
        pv_arena arena = {0};
        pv_labels labels = {0};
        m->group_of[level] = PV_NEW_ARRAY(uint32_t, pv_hierarchy_groups(m->guest, level));
        const pv_status status = m->group_of[level] != NULL
                                     ? match_labels(m, level, &labels, &arena, error)
                                     : pv_i_no_memory(error);
        pv_i_labels_deinit(&labels);
        pv_i_arena_deinit(&arena);
        PV_TRY(status);
    }
    return PV_STATUS_OK;
}

static uint32_t group_of_value(const void *ctx, unsigned level, uint32_t value)
{
    const meeting *const m = ctx;
    if (m->leaf_of[value] != PV_NO_CODE) {
        return pv_i_group_below_root(hierarchy_of(m), level, m->leaf_of[value]);
    }
    if (level == 0 || level >= m->n_levels || (value == m->missing && m->is_missing_apart)) {
        return PV_NO_GROUP;
    }
    const uint32_t leaf = pv_hierarchy_leaf(m->guest, value);
    return m->group_of[level][pv_hierarchy_group(m->guest, level, leaf)];
}

static pv_status match_exactly(meeting *m, pv_known *known, pv_error *error)
{
    bool all_found = true;
    PV_TRY(find_leaves(m, &all_found, error));
    if (!all_found) {
        PV_TRY(build_guest(m, error));
        PV_TRY(match_groups(m, error));
    }
    return pv_i_known_match_exactly(known, group_of_value, m, error);
}

static pv_status match_similar(const meeting *m, pv_known *known, double similarity,
                               const pv_context *context, pv_error *error)
{
    const pv_hierarchy *const hierarchy = hierarchy_of(m);
    pv_texts leaves = {0};
    pv_texts values = {0};
    pv_status status;
    PV_TRY_CLEAN(pv_i_texts_init(&leaves, pv_study_table(m->study),
                                 pv_study_quasi_column(m->study, m->quasi), hierarchy, error));
    PV_TRY_CLEAN(pv_i_texts_init(&values, m->table, m->column, NULL, error));
    PV_TRY_CLEAN(
        pv_i_known_match_similar(known, hierarchy, &leaves, &values, similarity, context, error));
cleanup:
    pv_i_texts_deinit(&leaves);
    pv_i_texts_deinit(&values);
    return status;
}

static void meeting_deinit(meeting *m)
{
    for (unsigned level = 0; m->group_of != NULL && level < m->n_levels; level++) {
        pv_i_free(m->group_of[level]);
    }
    pv_i_free(m->group_of);
    pv_i_free(m->leaf_of);
    pv_hierarchy_free(m->guest);
}

pv_status pv_i_known_match_column(pv_known *known, const pv_study *study, size_t quasi,
                                  const pv_table *table, size_t column, double similarity,
                                  const pv_context *context, pv_error *error)
{
    meeting m = {.study = study,
                 .quasi = quasi,
                 .table = table,
                 .column = column,
                 .n_values = known->n_values,
                 .missing = pv_table_missing(table, column)};
    const pv_status status = similarity > 0 ? match_similar(&m, known, similarity, context, error)
                                            : match_exactly(&m, known, error);
    meeting_deinit(&m);
    return status;
}
