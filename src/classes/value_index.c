/* From the text of a value to its code in a column.
 *
 * Values are distinct in a column, so numbering them in order of their codes gives the codes. Texts
 * are compared in their canonical spelling: 7.0 and 7 are one number if the column's type says so.
 * A missing value of a typed column has a key that no number or date can have. */
#include "classes/value_index.h"

#include "table/value.h"

#include <assert.h>
#include <string.h>

#define MISSING_KEY "\n" /* no number or date */

static_assert(PV_NO_LABEL == PV_NO_CODE, "what is not found has no code");

static const char *key_of(const pv_value_index *index, const char *text,
                          char key[PV_CANONICAL_SIZE])
{
    return pv_i_table_canonical(index->table, index->column, text, strlen(text), key) > 0 ? key
                                                                                          : text;
}

pv_status pv_i_value_index_init(pv_value_index *index, const pv_table *table, size_t column,
                                pv_error *error)
{
    const bool typed = pv_table_type(table, column) != PV_TYPE_TEXT;
    pv_status status = PV_STATUS_OK;
    *index = (pv_value_index){.table = table, .column = column};
    for (uint32_t code = 0; code < pv_table_values(table, column) && status == PV_STATUS_OK;
         code++) {
        char key[PV_CANONICAL_SIZE];
        const bool missing = typed && code == pv_table_missing(table, column);
        uint32_t number = code;
        status = pv_i_labels_add(&index->texts, &index->arena,
                                 missing ? MISSING_KEY
                                         : key_of(index, pv_table_value(table, column, code), key),
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
    char key[PV_CANONICAL_SIZE];
    return pv_i_labels_find(&index->texts, key_of(index, text, key));
}
