/* Texts are distinct in a column, so numbering them in order of their codes gives the codes. */
#include "classes/value_index.h"

#include <assert.h>

static_assert(PV_NO_LABEL == PV_NO_CODE, "what is not found has no code");

pv_status pv_i_value_index_init(pv_value_index *index, const pv_table *table, size_t column,
                                pv_error *error)
{
    pv_status status = PV_STATUS_OK;
    *index = (pv_value_index){0};
    for (uint32_t code = 0; code < pv_table_values(table, column) && status == PV_STATUS_OK;
         code++) {
        uint32_t number = code;
        status = pv_i_labels_add(&index->texts, &index->arena, pv_table_value(table, column, code),
                                 &number, error);
        assert(status != PV_STATUS_OK || number == code);
    }
    return status;
}

void pv_i_value_index_deinit(pv_value_index *index)
{
    pv_i_labels_deinit(&index->texts);
    pv_i_arena_deinit(&index->arena);
    *index = (pv_value_index){0};
}

uint32_t pv_i_value_index_find(const pv_value_index *index, const char *text)
{
    return pv_i_labels_find(&index->texts, text);
}
