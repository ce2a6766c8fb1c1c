/* The values of a dictionary's column among the groups of the table.
 *
 *     value of the file --+-- the table has it: it is in the groups of that leaf
 *                         +-- else: the hierarchy places it as it would have placed it in the
 *                                   table, under the table's groups of the same labels
 *
 * So an unknown 13999 is none of the table's codes, but it is a 13***. What the hierarchy cannot
 * place, or only where the table has nobody, is consistent with nothing but `*`. */
#include "base/error.h"
#include "base/memory.h"
#include "classes/value_index.h"
#include "hierarchy/hierarchy_spec.h"
#include "hierarchy/labels.h"
#include "hierarchy/tree.h"
#include "records/dictionary_parts.h"

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

/* The table's nodes by their labels. */
static pv_status list_labels(const pv_hierarchy *table, pv_labels *labels, pv_arena *arena,
                             pv_error *error)
{
    for (uint32_t node = 0; node < table->n_nodes; node++) {
        uint32_t number;
        PV_TRY(pv_i_labels_add(labels, arena, table->nodes[node].label, &number, error));
    }
    return PV_STATUS_OK;
}

/* The lowest node of the table that a value of the guest lies under. Above it both hierarchies are
 * the same. */
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
    pv_labels labels = {0};
    pv_status status = PV_STATUS_OK;
    m->node_of = PV_NEW_ARRAY(uint32_t, m->n_values);
    if (m->node_of == NULL) {
        return pv_i_no_memory(error);
    }
    if (!all_found) {
        PV_TRY(build_guest(m, error));
        status = list_labels(table, &labels, &arena, error);
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
    pv_whereabouts where = {0};
    pv_status status = PV_STATUS_OK;
    PV_TRY(find_leaves(m, &all_found, error));
    PV_TRY(find_nodes(m, all_found, error));
    PV_TRY_CLEAN(
        pv_i_whereabouts_of_values(&where, m->leaf_of, m->node_of, known->n_values, error));
    PV_TRY_CLEAN(pv_i_known_match(known, &where, hierarchy_of(m), error));
cleanup:
    pv_i_whereabouts_deinit(&where);
    return status;
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
    pv_i_free(m->node_of);
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
