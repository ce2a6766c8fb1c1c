/* Sorting values by what they mean. */
#include "audit/audit_order.h"

#include "audit/audit_value.h"
#include "base/error.h"
#include "base/memory.h"

#include <paravent/decimal.h>
#include <stdlib.h>
#include <string.h>

/* A value ready to be compared. */
typedef struct {
    pv_decimal number; /* 0 for text and the missing value */
    const char *text;
    size_t size;
    uint32_t code;
    bool missing;
} sort_key;

static bool make_key(const pv_audit_column *column, uint32_t code, sort_key *key)
{
    *key = (sort_key){.code = code, .missing = code == column->missing};
    key->text = pv_i_audit_tally_key(&column->values, code, &key->size);
    return key->missing || column->type == PV_TYPE_TEXT ||
           pv_i_audit_parse(key->text, key->size, column->type, &column->reading.format,
                            &key->number);
}

static int compare_bytes(const sort_key *a, const sort_key *b)
{
    const int order = memcmp(a->text, b->text, a->size < b->size ? a->size : b->size);
    return order != 0 ? order : (a->size > b->size) - (a->size < b->size);
}

/* Text by its bytes. */
static int compare_keys(const void *a, const void *b)
{
    const sort_key *const left = a;
    const sort_key *const right = b;
    if (left->missing != right->missing) {
        return left->missing - right->missing;
    }
    const int order = pv_decimal_compare(left->number, right->number);
    return order != 0 ? order : compare_bytes(left, right);
}

pv_status pv_i_audit_order(const pv_audit_count *count, const pv_audit_column *column,
                           uint32_t *order, pv_error *error)
{
    const uint32_t n = (uint32_t)column->values.n_entries;
    sort_key *const keys = PV_NEW_ARRAY(sort_key, n);
    if (keys == NULL) {
        return pv_i_no_memory(error);
    }
    for (uint32_t code = 0; code < n; code++) {
        if (!make_key(column, code, &keys[code])) {
            pv_i_free(keys);
            return pv_i_hint(pv_i_fail_at(error, PV_STATUS_INPUT, count->path, column->lines[code],
                                          0, "the value of the column `%s` is no %s", column->name,
                                          column->type == PV_TYPE_DATE ? "date" : "number"),
                             error, "declare the column as text, or correct the value");
        }
    }
    qsort(keys, n, sizeof *keys, compare_keys);
    for (uint32_t rank = 0; rank < n; rank++) {
        order[rank] = keys[rank].code;
    }
    pv_i_free(keys);
    return PV_STATUS_OK;
}
