/* The types of columns, and the natural order of their values that follows from them. */
#include "base/error.h"
#include "base/memory.h"
#include "table/store.h"
#include "table/value.h"

#include <stdlib.h>
#include <string.h>

static const char *const type_names[] = {
    [PV_TYPE_AUTO] = "auto", [PV_TYPE_INTEGER] = "integer", [PV_TYPE_DECIMAL] = "decimal",
    [PV_TYPE_DATE] = "date", [PV_TYPE_TEXT] = "text",
};

const char *pv_type_name(pv_type type)
{
    return (size_t)type < sizeof type_names / sizeof *type_names ? type_names[type] : "unknown";
}

pv_type pv_table_type(const pv_table *table, size_t column)
{
    return table->columns[column].type;
}

/* Integers are decimals; everything else mixed is text. */
static pv_type join(pv_type a, pv_type b)
{
    if (a == PV_TYPE_AUTO || a == b) {
        return b;
    }
    const bool numbers = (a == PV_TYPE_INTEGER || a == PV_TYPE_DECIMAL) &&
                         (b == PV_TYPE_INTEGER || b == PV_TYPE_DECIMAL);
    return numbers ? PV_TYPE_DECIMAL : PV_TYPE_TEXT;
}

/* The missing value and the one that is excepted say nothing about the type. */
static bool is_excepted(const pv_column *column, uint32_t code, const char *except)
{
    return code == column->missing ||
           (except != NULL && strcmp(pv_i_column_value(column, code), except) == 0);
}

static pv_type infer(const pv_column *column, const char *except)
{
    pv_type type = PV_TYPE_AUTO;
    for (uint32_t i = 0; i < column->n_values && type != PV_TYPE_TEXT; i++) {
        if (!is_excepted(column, i, except)) {
            type = join(type, pv_i_value_type(pv_i_column_value(column, i),
                                              pv_i_column_length(column, i), &column->format));
        }
    }
    return type == PV_TYPE_AUTO ? PV_TYPE_TEXT : type;
}

pv_type pv_i_column_infer(const pv_column *column)
{
    return infer(column, NULL);
}

static pv_status hint_type(pv_status status, pv_type type, pv_error *error)
{
    if (type == PV_TYPE_DATE) {
        return pv_i_hint(
            status, error,
            "dates are read as yyyy-mm-dd, yyyy/mm/dd, d.m.yyyy or yyyymmdd, with or without a "
            "time such as 13:45 or 13:45:10; others need a line in the plan, such as `format: "
            "dd/mm/yyyy`, `format: mm/dd/yyyy`, or `format: dd.mm.yy` and `first-year: 1930` (for "
            "years 1930 to 2029); or list the value as missing, or declare the column as text");
    }
    return pv_i_hint(status, error,
                     "correct it, list it as a spelling of missing, or declare the column as text; "
                     "numbers such as 1.234,5 need `decimal: comma` in the plan, 1,234.5 `decimal: "
                     "point`");
}

static pv_status reject(const pv_table *table, size_t column, uint32_t code, pv_type type,
                        pv_error *error)
{
    const uint64_t row = pv_table_first_row(table, column, code);
    return hint_type(pv_i_fail_at(error, PV_STATUS_INPUT, table->source, pv_table_line(table, row),
                                  0, "column \"%s\": the value in row %llu is no %s",
                                  table->columns[column].name, (unsigned long long)row + 1,
                                  pv_type_name(type)),
                     type, error);
}

void pv_table_set_format(pv_table *table, size_t column, const pv_format *format)
{
    pv_column *const c = &table->columns[column];
    const bool same = c->format.decimal == format->decimal &&
                      strcmp(c->format.date, format->date) == 0 &&
                      c->format.first_year == format->first_year;
    c->settled = c->settled && same; /* a table in use is not settled anew for nothing */
    c->format = *format;
}

const pv_format *pv_table_format(const pv_table *table, size_t column)
{
    return &table->columns[column].format;
}

static pv_status settle_as(pv_table *table, size_t column, pv_type type, pv_error *error)
{
    pv_column *const c = &table->columns[column];
    c->settled = c->settled && c->type == type;
    c->type = type;
    return pv_i_table_settle(table, column, error);
}

/* Codes are numbered by first appearance: the first that does not fit stands in the first line that
 * does not. */
pv_status pv_i_table_set_type_except(pv_table *table, size_t column, pv_type type,
                                     const char *except, pv_error *error)
{
    const pv_column *const c = &table->columns[column];
    if (type == PV_TYPE_AUTO) {
        return settle_as(table, column, infer(c, except), error);
    }
    for (uint32_t i = 0; i < c->n_values; i++) {
        if (!is_excepted(c, i, except) &&
            !pv_i_value_fits(pv_i_column_value(c, i), pv_i_column_length(c, i), type, &c->format)) {
            return reject(table, column, i, type, error);
        }
    }
    return settle_as(table, column, type, error);
}

/* All values but `*`, which says that a value was suppressed. */
static bool fits(const pv_column *c, pv_type type, const pv_format *format)
{
    uint32_t i = 0;
    while (i < c->n_values &&
           (is_excepted(c, i, "*") ||
            pv_i_value_fits(pv_i_column_value(c, i), pv_i_column_length(c, i), type, format))) {
        i++;
    }
    return i == c->n_values;
}

pv_status pv_i_table_take_type(pv_table *table, size_t column, const pv_table *like,
                               size_t like_column, pv_error *error)
{
    const pv_column *const c = &table->columns[column];
    const pv_column *const model = &like->columns[like_column];
    const pv_type wider = model->type == PV_TYPE_INTEGER ? PV_TYPE_DECIMAL : model->type;
    pv_table_set_format(table, column, &model->format);
    return settle_as(table, column,
                     fits(c, model->type, &c->format) ? model->type
                     : fits(c, wider, &c->format)     ? wider
                                                      : PV_TYPE_TEXT,
                     error);
}

pv_status pv_table_set_type(pv_table *table, size_t column, pv_type type, pv_error *error)
{
    return pv_i_table_set_type_except(table, column, type, NULL, error);
}

/* A value ready to be compared: numbers and days as decimals, text through the column. */
typedef struct {
    pv_decimal number;
    int64_t micros; /* of a date: since midnight */
    uint32_t code;
    bool missing;
} sort_key;

static int compare_text(const pv_column *column, uint32_t a, uint32_t b)
{
    const int order = strcmp(pv_i_column_value(column, a), pv_i_column_value(column, b));
    return order != 0 ? order : (a > b) - (a < b);
}

static int compare_keys(const void *a, const void *b, void *column)
{
    const sort_key *const left = a;
    const sort_key *const right = b;
    if (left->missing != right->missing) {
        return left->missing ? 1 : -1;
    }
    int order = pv_decimal_compare(left->number, right->number);
    order = order != 0 ? order : (left->micros > right->micros) - (left->micros < right->micros);
    return order != 0 ? order : compare_text(column, left->code, right->code);
}

static sort_key key_of(const pv_table *table, size_t column, uint32_t code)
{
    sort_key key = {.code = code, .missing = code == table->columns[column].missing};
    pv_moment moment;
    if (pv_i_table_moment(table, column, code, &moment)) {
        key.number.mantissa = moment.days;
        key.micros = moment.micros;
    } else {
        (void)pv_i_table_number(table, column, code, &key.number);
    }
    return key;
}

pv_status pv_table_order(const pv_table *table, size_t column, uint32_t *order, pv_error *error)
{
    const pv_column *const c = &table->columns[column];
    sort_key *const keys = PV_NEW_ARRAY(sort_key, c->n_values);
    if (keys == NULL) {
        return pv_i_no_memory(error);
    }
    for (uint32_t i = 0; i < c->n_values; i++) {
        keys[i] = key_of(table, column, i);
    }
    qsort_r(keys, c->n_values, sizeof *keys, compare_keys, &table->columns[column]);
    for (uint32_t i = 0; i < c->n_values; i++) {
        order[i] = keys[i].code;
    }
    pv_i_free(keys);
    return PV_STATUS_OK;
}
