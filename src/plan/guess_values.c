/* What the values of a column look like: how they are written (what looks missing, which decimal
 * sign, which order of day and month), and how they could be made coarser. What can be read in two
 * ways is asked for, never guessed. */
#include "plan/guess.h"

#include "base/bitset.h"
#include "base/error.h"
#include "base/memory.h"
#include "plan/document.h"
#include "table/column.h"
#include "table/value.h"

#include <stdio.h>
#include <string.h>
#include <strings.h>

/* ----------------------------------------------------- how values are written */

/* One column, and the values of it that look missing. */
typedef struct {
    pv_table *table;
    size_t column;
    uint32_t n;
    uint64_t *missing; /* bits by code */
    pv_type type;      /* of the others; TEXT = no numbers or dates */
    pv_format format;
    char open; /* as in pv_plan_attribute */
} column_values;

static bool is_left_out(const column_values *v, uint32_t code)
{
    return code == pv_table_missing(v->table, v->column) || pv_i_bit_get(v->missing, code);
}

static const char *text_of(const column_values *v, uint32_t code)
{
    return pv_table_value(v->table, v->column, code);
}

/* ------------------------------------------------------------------- formats */

static pv_type join_types(pv_type a, pv_type b)
{
    const bool numbers = a != PV_TYPE_DATE && b != PV_TYPE_DATE;
    return a == PV_TYPE_AUTO || a == b                         ? b
           : numbers && a != PV_TYPE_TEXT && b != PV_TYPE_TEXT ? PV_TYPE_DECIMAL
                                                               : PV_TYPE_TEXT;
}

/* The type of all values if they are written so; AUTO = there are none. */
static pv_type type_under(const column_values *v, const pv_format *format)
{
    pv_type type = PV_TYPE_AUTO;
    for (uint32_t code = 0; code < v->n && type != PV_TYPE_TEXT; code++) {
        if (!is_left_out(v, code)) {
            const char *const text = text_of(v, code);
            type = join_types(type, pv_i_value_type(text, strlen(text), format));
        }
    }
    return type;
}

static bool are_dates(const column_values *v, const pv_format *format)
{
    for (uint32_t code = 0; code < v->n; code++) {
        const char *const text = text_of(v, code);
        if (!is_left_out(v, code) && !pv_i_value_fits(text, strlen(text), PV_TYPE_DATE, format)) {
            return false;
        }
    }
    return true;
}

static bool is_number(pv_type type)
{
    return type == PV_TYPE_INTEGER || type == PV_TYPE_DECIMAL;
}

static bool recognise_numbers(column_values *v)
{
    const pv_format comma = {.decimal = ','};
    const pv_format point = {.decimal = '.'};
    const pv_type by_comma = type_under(v, &comma);
    const pv_type by_point = type_under(v, &point);
    const bool both = is_number(by_comma) && is_number(by_point);
    if (!is_number(by_comma) && !is_number(by_point)) {
        return false;
    }
    bool has_sign = false; /* a comma or a point in any value */
    for (uint32_t code = 0; code < v->n; code++) {
        has_sign |= !is_left_out(v, code) && strpbrk(text_of(v, code), ",.") != NULL;
    }
    v->open = both && has_sign ? 'd' : '\0';
    v->format = is_number(by_point) ? point : comma;
    v->type = is_number(by_point) ? by_point : by_comma;
    return true;
}

/* dd/mm/yyyy against mm/dd/yyyy with one separator; years of two digits only if all have such. */
static bool recognise_order(column_values *v, const char *day_first, const char *month_first)
{
    pv_format day = {.first_year = 1930};
    pv_format month = {.first_year = 1930};
    (void)pv_date_format_parse(day_first, &day);
    (void)pv_date_format_parse(month_first, &month);
    const bool by_day = are_dates(v, &day);
    const bool by_month = are_dates(v, &month);
    if (!by_day && !by_month) {
        return false;
    }
    const bool is_short = pv_date_format_has_short_year(&day);
    v->open = (by_day && by_month) || is_short ? 'f' : '\0';
    v->format = by_day ? day : month;
    v->type = PV_TYPE_DATE;
    return true;
}

static bool recognise_dates(column_values *v)
{
    static const char *const orders[][2] = {
        {"dd/mm/yyyy", "mm/dd/yyyy"}, {"dd-mm-yyyy", "mm-dd-yyyy"}, {"dd.mm.yyyy", "mm.dd.yyyy"},
        {"dd/mm/yy", "mm/dd/yy"},     {"dd-mm-yy", "mm-dd-yy"},     {"dd.mm.yy", "mm.dd.yy"},
    };
    for (size_t i = 0; i < sizeof orders / sizeof *orders; i++) {
        if (recognise_order(v, orders[i][0], orders[i][1])) {
            return true;
        }
    }
    return false;
}

/* 20240531: eight digits that are all days of the last hundred years, or nearly. */
static bool recognise_compact_dates(column_values *v)
{
    pv_format format = {0};
    (void)pv_date_format_parse("yyyymmdd", &format);
    for (uint32_t code = 0; code < v->n; code++) {
        const char *const text = text_of(v, code);
        if (!is_left_out(v, code) &&
            (strlen(text) != 8 || strncmp(text, "19", 2) < 0 || strncmp(text, "21", 2) >= 0)) {
            return false;
        }
    }
    if (!are_dates(v, &format)) {
        return false;
    }
    v->format = format;
    v->type = PV_TYPE_DATE;
    return true;
}

static void recognise(column_values *v)
{
    const pv_type plain = type_under(v, NULL);
    v->type = plain == PV_TYPE_AUTO ? PV_TYPE_TEXT : plain;
    v->format = (pv_format){0};
    v->open = '\0';
    if (plain == PV_TYPE_INTEGER) {
        (void)recognise_compact_dates(v);
    } else if (plain == PV_TYPE_TEXT && !recognise_numbers(v)) {
        (void)recognise_dates(v);
    }
}

/* ------------------------------------------------------------------- missing */

/* No values anywhere; and those that are none among numbers or dates. */
static const char *const never_values[] = {"NaN",  "N/A",    "n.a.", "NULL", "(null)", "<NA>",
                                           "#N/A", "#NULL!", ".",    "NA",   NULL};
static const char *const no_numbers[] = {"-",       "--",      "none",    "?",
                                         "missing", "unknown", "refused", NULL};

static void mark_words(column_values *v, const char *const *words)
{
    for (uint32_t code = 0; code < v->n; code++) {
        for (const char *const *word = words; *word != NULL; word++) {
            if (strcasecmp(*word, text_of(v, code)) == 0) {
                pv_i_bit_set(v->missing, code);
            }
        }
    }
}

/* Codes of missing: -9, -99, ... where nothing else is negative; 99, 999, ... far above the rest.
 */
static bool is_negative_code(double number)
{
    static const double codes[] = {-1, -7, -8, -9, -77, -88, -97, -98, -99, -999, -9999};
    for (size_t i = 0; i < sizeof codes / sizeof *codes; i++) {
        if (number >= codes[i] && number <= codes[i]) {
            return true;
        }
    }
    return false;
}

static bool is_nines(const char *text)
{
    return text[0] != '\0' && strspn(text, "9") == strlen(text);
}

typedef struct {
    bool has_negative;   /* besides the codes */
    double highest;      /* besides nines */
    uint32_t n_ordinary; /* values that are no codes */
} number_facts;

static bool number_at(const column_values *v, uint32_t code, double *number)
{
    const char *const text = text_of(v, code);
    pv_decimal value;
    if (is_left_out(v, code) || !pv_i_number_parse(text, strlen(text), &v->format, &value)) {
        return false;
    }
    *number = pv_decimal_double(value);
    return true;
}

static number_facts look_at_numbers(const column_values *v)
{
    number_facts facts = {0};
    for (uint32_t code = 0; code < v->n; code++) {
        double number;
        if (!number_at(v, code, &number) || is_negative_code(number)) {
            continue;
        }
        facts.has_negative = facts.has_negative || number < 0;
        if (!is_nines(text_of(v, code))) {
            facts.highest = number > facts.highest ? number : facts.highest;
            facts.n_ordinary++;
        }
    }
    return facts;
}

static void mark_codes(column_values *v)
{
    const number_facts facts = look_at_numbers(v);
    if (!is_number(v->type) || facts.n_ordinary < 2) {
        return;
    }
    for (uint32_t code = 0; code < v->n; code++) {
        double number;
        const bool repeats = pv_table_count(v->table, v->column, code) > 1;
        if (number_at(v, code, &number) && repeats &&
            ((!facts.has_negative && is_negative_code(number)) ||
             (is_nines(text_of(v, code)) && number >= 5 * facts.highest && number >= 9))) {
            pv_i_bit_set(v->missing, code);
        }
    }
}

/* First the words that are never values; then, if numbers or dates are left, what is none. */
static void find_missing(column_values *v)
{
    static const char *const *const lists[] = {never_values, no_numbers};
    for (size_t i = 0; i < 2; i++) {
        mark_words(v, lists[i]);
        recognise(v);
        if (v->type != PV_TYPE_TEXT) {
            mark_codes(v);
            return;
        }
    }
    memset(v->missing, 0, PV_BITSET_WORDS((size_t)v->n) * sizeof *v->missing);
    mark_words(v, never_values);
    /* -9 among words, where no other value is a number, is no word either. */
    const number_facts facts = look_at_numbers(v);
    for (uint32_t code = 0; code < v->n && facts.n_ordinary == 0; code++) {
        double number;
        if (number_at(v, code, &number) && is_negative_code(number)) {
            pv_i_bit_set(v->missing, code);
        }
    }
}

static bool is_marked(const column_values *v, uint32_t code)
{
    return code != pv_table_missing(v->table, v->column) && pv_i_bit_get(v->missing, code);
}

/* ------------------------------------------------------------------ the plan */

static void list_missing(const column_values *v, pv_buffer *reading, pv_buffer *listed)
{
    pv_i_buffer_text(reading, ", missing: [\"\"");
    for (size_t i = 0; i < pv_table_missing_spellings(v->table, v->column); i++) {
        uint64_t rows;
        const char *const text = pv_table_missing_spelling(v->table, v->column, i, &rows);
        if (text[0] != '\0') {
            pv_i_buffer_text(reading, ", ");
            pv_i_yaml_scalar(reading, text);
        }
    }
    for (uint32_t code = 0; code < v->n; code++) {
        if (is_marked(v, code)) {
            pv_i_buffer_text(reading, ", ");
            pv_i_yaml_scalar(reading, text_of(v, code));
            pv_i_buffer_format(listed, "%s\"%s\"", listed->size > 0 ? ", " : "", text_of(v, code));
        }
    }
    pv_i_buffer_char(reading, ']');
}

static void describe(const column_values *v, bool has_missing, pv_guess *guess)
{
    pv_buffer listed = {0};
    if (v->open != '\0') {
        pv_i_buffer_text(&guess->reading, v->open == 'd' ? ", decimal: \"?\"" : ", format: \"?\"");
    } else if (v->format.decimal != '\0') {
        pv_i_buffer_format(&guess->reading, ", decimal: %s",
                           v->format.decimal == ',' ? "comma" : "point");
    } else if (v->format.date[0] != '\0') {
        pv_i_buffer_format(&guess->reading, ", format: %s", v->format.date);
    }
    if (has_missing) {
        list_missing(v, &guess->reading, &listed);
        pv_i_buffer_format(&guess->reading_note,
                           "Taken as missing: %s. If that is a value, remove it from the list.",
                           listed.data != NULL ? listed.data : "");
    }
    if (v->open == 'd') {
        pv_i_buffer_text(&guess->reading_note,
                         "? Numbers such as 1,234: write decimal: comma if that is less than two, "
                         "decimal: point if it is more than a thousand (then the hierarchy fits).");
    } else if (v->open == 'f' && pv_date_format_has_short_year(&v->format)) {
        pv_i_buffer_format(&guess->reading_note,
                           "? Dates with years of two digits: write format: %s (or another order) "
                           "and first-year: 1930 if they stand for 1930 to 2029.",
                           v->format.date);
    } else if (v->open == 'f') {
        pv_i_buffer_format(&guess->reading_note,
                           "? Dates such as 01%c02%c2024: write format: dd%cmm%cyyyy if that is in "
                           "February, format: mm%cdd%cyyyy if it is in January.",
                           v->format.date[2], v->format.date[2], v->format.date[2],
                           v->format.date[2], v->format.date[2], v->format.date[2]);
    }
    guess->open_format = v->open;
    guess->reading.failed = guess->reading.failed || listed.failed;
    pv_i_buffer_deinit(&listed);
}

pv_status pv_i_guess_values(pv_table *table, size_t column, pv_guess *guess, pv_error *error)
{
    column_values v = {.table = table, .column = column, .n = pv_table_values(table, column)};
    pv_status status = PV_STATUS_OK;
    v.missing = PV_NEW_ZEROED(uint64_t, PV_BITSET_WORDS((size_t)v.n));
    if (v.missing == NULL) {
        return pv_i_no_memory(error);
    }
    find_missing(&v);
    bool has_missing = false;
    for (uint32_t code = 0; code < v.n; code++) {
        has_missing |= is_marked(&v, code);
    }
    describe(&v, has_missing, guess);
    if (has_missing) {
        status = pv_i_table_add_missing(table, column, v.missing, error);
    }
    if (status == PV_STATUS_OK) {
        pv_table_set_format(table, column, &v.format);
        status = pv_table_set_type(table, column,
                                   v.type == PV_TYPE_DATE ? PV_TYPE_DATE : PV_TYPE_AUTO, error);
    }
    pv_i_free(v.missing);
    return status;
}

/* --------------------------------------------- how they could be made coarser
 *
 * How a column could be made coarser: digits of a code hidden, numbers in intervals, dates by their
 * calendar, rare texts merged. */

#define MODERATE 1e11    /* numbers up to here make intervals; the widths fit by far */
#define FEW_NUMBERS 8u   /* no more than so many need no intervals */
#define FEW_TEXTS 20u    /* no more than so many are not merged */
#define LONGEST_CODE 20u /* characters to mask one by one */
#define FINEST_GROUPS 20 /* the first intervals make about so many groups */

const char *const pv_i_rare_labels[PV_RARE_LABELS] = {"other", "rare", "rare values"};

/* ------------------------------------------------------------------ look */

/* As in I25.1: the more characters, the finer. */
static bool is_letter_code(const char *text)
{
    static const char alphabet[] = "0123456789.-/"
                                   "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ";
    const char *const digit = strpbrk(text, "0123456789");
    return digit != NULL && digit - text < 3 && strpbrk(text, alphabet + 13) == text &&
           strspn(text, alphabet) == strlen(text);
}

static void look_at_text(pv_look *look, const char *text)
{
    const size_t length = strlen(text);
    const bool first = look->distinct == 0;
    look->is_code = (first || look->is_code) && (first || length == look->longest) && length > 0 &&
                    strspn(text, "0123456789") == length;
    look->is_letter_code = (first || look->is_letter_code) && is_letter_code(text);
    look->has_leading_zero = look->has_leading_zero || (length > 1 && text[0] == '0');
    look->longest = length > look->longest ? length : look->longest;
    for (unsigned i = 0; i < PV_RARE_LABELS; i++) {
        look->taken_labels |= (unsigned)(strcmp(text, pv_i_rare_labels[i]) == 0) << i;
    }
}

static void look_at_number(pv_look *look, const char *text, const pv_format *format, uint64_t rows)
{
    pv_decimal decimal;
    if (!pv_i_number_parse(text, strlen(text), format, &decimal)) {
        look->has_range = false;
        return;
    }
    const double number = pv_decimal_double(decimal);
    const bool first = look->distinct == 0;
    look->lowest = first || number < look->lowest ? number : look->lowest;
    look->highest = first || number > look->highest ? number : look->highest;
    look->mean += number * (double)rows; /* divided at the end */
    look->has_range = look->has_range && number >= -MODERATE && number <= MODERATE;
}

pv_look pv_i_look(const pv_table *table, size_t column)
{
    pv_look look = {.name = pv_table_name(table, column), .type = pv_table_type(table, column)};
    look.has_range = look.type == PV_TYPE_INTEGER || look.type == PV_TYPE_DECIMAL;
    const uint32_t missing = pv_table_missing(table, column);
    for (uint32_t code = 0; code < pv_table_values(table, column); code++) {
        if (code == missing) {
            look.missing = pv_table_count(table, column, code);
            continue;
        }
        const char *const text = pv_table_value(table, column, code);
        const uint64_t rows = pv_table_count(table, column, code);
        look_at_text(&look, text);
        if (look.has_range) {
            look_at_number(&look, text, pv_table_format(table, column), rows);
        }
        look.rows += rows;
        look.alone += rows == 1;
        look.largest = rows > look.largest ? rows : look.largest;
        look.distinct++;
    }
    look.mean = look.rows > 0 ? look.mean / (double)look.rows : 0;
    /* Codes are numbered as they appear: where equal values are neighbours, every change of the
     * code brings the next new one. */
    uint32_t highest = 0;
    look.in_runs = pv_i_table_has_order(table);
    for (uint64_t row = 0; row < pv_table_rows(table) && look.in_runs; row++) {
        const uint32_t code = pv_table_code(table, column, row);
        look.in_runs = code >= highest;
        highest = code;
    }
    return look;
}

/* ------------------------------------------------------------- intervals */

/* The next of 1, 2, 5, 10, 20, 50, ... */
static pv_decimal next_step(pv_decimal step)
{
    int64_t unit = 1;
    while (step.mantissa >= unit * 10) {
        unit *= 10;
    }
    step.mantissa = step.mantissa / unit == 2 ? unit * 5 : step.mantissa * 2;
    return step;
}

/* Widths that double until one interval would cover everything. */
static void guess_intervals(pv_guess *guess)
{
    const double range = guess->look.highest - guess->look.lowest;
    char *const text = guess->hierarchy;
    const size_t size = sizeof guess->hierarchy;
    /* For whole numbers a width of 1 would change nothing. */
    pv_decimal width = guess->look.type == PV_TYPE_INTEGER
                           ? (pv_decimal){.mantissa = 2}
                           : (pv_decimal){.mantissa = 1, .scale = 6};
    while (pv_decimal_double(width) * FINEST_GROUPS < range) {
        width = next_step(width);
    }
    if (pv_decimal_double(width) >= range) {
        return;
    }
    size_t used = (size_t)snprintf(text, size, "{intervals: [");
    for (const char *joint = ""; pv_decimal_double(width) < range; joint = ", ") {
        char number[32];
        pv_decimal_text(width, number, sizeof number);
        used += (size_t)snprintf(text + used, size - used, "%s%s", joint, number);
        width.mantissa *= 2;
    }
    (void)snprintf(text + used, size - used, "]}");
}

/* The default label goes without saying. */
static void guess_rare(pv_guess *guess)
{
    unsigned free = 0;
    while (free < PV_RARE_LABELS && (guess->look.taken_labels >> free & 1) != 0) {
        free++;
    }
    if (free == 0) {
        (void)snprintf(guess->hierarchy, sizeof guess->hierarchy, "{rare: 1%%}");
    } else if (free < PV_RARE_LABELS) {
        (void)snprintf(guess->hierarchy, sizeof guess->hierarchy, "{rare: 1%%, label: %s}",
                       pv_i_rare_labels[free]);
    }
}

void pv_i_guess_hierarchy(pv_guess *guess)
{
    const pv_look *const look = &guess->look;
    const bool is_mixed = look->type == PV_TYPE_TEXT && look->is_letter_code;
    const bool digits_count = guess->is_postal || (look->is_code && look->has_leading_zero) ||
                              (guess->is_category && look->is_code && look->longest > 2) ||
                              (is_mixed && look->distinct > FEW_TEXTS);
    if (digits_count && look->longest > 1 && look->longest <= LONGEST_CODE) {
        (void)snprintf(guess->hierarchy, sizeof guess->hierarchy, "{mask: right}");
    } else if (look->type == PV_TYPE_DATE) {
        (void)snprintf(guess->hierarchy, sizeof guess->hierarchy, "{date: [month, year, decade]}");
    } else if (look->has_range && look->distinct > FEW_NUMBERS && !guess->is_category) {
        guess_intervals(guess);
    } else if ((look->type == PV_TYPE_TEXT || guess->is_category) && look->distinct > FEW_TEXTS) {
        guess_rare(guess);
    }
}
