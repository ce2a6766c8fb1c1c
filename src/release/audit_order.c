/* Sorting values by what they mean. A date is the number yyyymmdd, which sorts as its day does. */
#include "release/audit_order.h"

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

static bool digits_at(const char *text, size_t start, size_t n, int64_t *number)
{
    *number = 0;
    for (size_t i = start; i < start + n; i++) {
        if (text[i] < '0' || text[i] > '9') {
            return false;
        }
        *number = *number * 10 + (text[i] - '0');
    }
    return true;
}

static int64_t days_in_month(int64_t year, int64_t month)
{
    static const int64_t days[] = {31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31};
    const bool leap = (year % 4 == 0 && year % 100 != 0) || year % 400 == 0;
    return days[month - 1] + (month == 2 && leap);
}

/* yyyy-mm-dd, yyyy/mm/dd or dd.mm.yyyy, a day that exists. */
static bool parse_date(const char *text, size_t size, pv_decimal *date)
{
    int64_t year;
    int64_t month;
    int64_t day;
    bool shaped = false;
    if (size == 10 && text[4] == text[7] && (text[4] == '-' || text[4] == '/')) {
        shaped = digits_at(text, 0, 4, &year) && digits_at(text, 5, 2, &month) &&
                 digits_at(text, 8, 2, &day);
    } else if (size == 10 && text[2] == '.' && text[5] == '.') {
        shaped = digits_at(text, 6, 4, &year) && digits_at(text, 3, 2, &month) &&
                 digits_at(text, 0, 2, &day);
    }
    if (!shaped || month < 1 || month > 12 || day < 1 || day > days_in_month(year, month)) {
        return false;
    }
    *date = (pv_decimal){.mantissa = year * 10000 + month * 100 + day};
    return true;
}

/* 007 is a code, not a quantity. */
static bool has_leading_zero(const char *text, size_t size)
{
    const size_t sign = size > 0 && (text[0] == '-' || text[0] == '+') ? 1 : 0;
    return size >= sign + 2 && text[sign] == '0' && text[sign + 1] >= '0' && text[sign + 1] <= '9';
}

static pv_type type_of(const char *text, size_t size)
{
    pv_decimal unused;
    if (pv_decimal_parse(text, size, &unused)) {
        return has_leading_zero(text, size) ? PV_TYPE_TEXT : PV_TYPE_DECIMAL;
    }
    return parse_date(text, size, &unused) ? PV_TYPE_DATE : PV_TYPE_TEXT;
}

pv_type pv_i_audit_type(const pv_audit_column *column, pv_type declared)
{
    if (declared != PV_TYPE_AUTO) {
        return declared;
    }
    pv_type common = PV_TYPE_AUTO;
    for (uint32_t code = 0; code < column->values.n_entries; code++) {
        size_t size;
        const char *const text = pv_i_audit_tally_key(&column->values, code, &size);
        if (code != column->missing) {
            const pv_type type = type_of(text, size);
            common = common == PV_TYPE_AUTO || common == type ? type : PV_TYPE_TEXT;
        }
    }
    return common == PV_TYPE_AUTO ? PV_TYPE_TEXT : common;
}

static bool make_key(const pv_audit_column *column, pv_type type, uint32_t code, sort_key *key)
{
    *key = (sort_key){.code = code, .missing = code == column->missing};
    key->text = pv_i_audit_tally_key(&column->values, code, &key->size);
    if (key->missing || type == PV_TYPE_TEXT) {
        return true;
    }
    return type == PV_TYPE_DATE ? parse_date(key->text, key->size, &key->number)
                                : pv_decimal_parse(key->text, key->size, &key->number);
}

static int compare_bytes(const sort_key *a, const sort_key *b)
{
    const int order = memcmp(a->text, b->text, a->size < b->size ? a->size : b->size);
    return order != 0 ? order : (a->size > b->size) - (a->size < b->size);
}

/* Total: two spellings of one number (1, 1.0) are in the order of their bytes. */
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

pv_status pv_i_audit_order(const pv_audit_count *count, const pv_audit_column *column, pv_type type,
                           uint32_t *order, pv_error *error)
{
    const uint32_t n = (uint32_t)column->values.n_entries;
    sort_key *const keys = PV_NEW_ARRAY(sort_key, n);
    if (keys == NULL) {
        return pv_i_no_memory(error);
    }
    for (uint32_t code = 0; code < n; code++) {
        if (!make_key(column, type, code, &keys[code])) {
            pv_i_free(keys);
            return pv_i_hint(pv_i_fail_at(error, PV_STATUS_INPUT, count->path, column->lines[code],
                                          0, "the value of the column `%s` is no %s", column->name,
                                          type == PV_TYPE_DATE ? "date" : "number"),
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
