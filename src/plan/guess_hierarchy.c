/* How a column could be made coarser: digits of a code hidden, numbers in intervals, dates by their
 * calendar, rare texts merged. */
#include "plan/guess.h"
#include "table/value.h"

#include <stdio.h>
#include <string.h>

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

/* Codes are numbered as they appear: where equal values are neighbours, every change of the code
 * brings the next new one. */
static bool stands_in_runs(const pv_table *table, size_t column)
{
    uint32_t highest = 0;
    for (uint64_t row = 0; row < pv_table_rows(table); row++) {
        const uint32_t code = pv_table_code(table, column, row);
        if (code < highest) {
            return false;
        }
        highest = code;
    }
    return true;
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
    look.in_runs = stands_in_runs(table, column);
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

static pv_decimal first_width(const pv_look *look, double range)
{
    /* For whole numbers a width of 1 would change nothing. */
    pv_decimal width = look->type == PV_TYPE_INTEGER ? (pv_decimal){.mantissa = 2}
                                                     : (pv_decimal){.mantissa = 1, .scale = 6};
    while (pv_decimal_double(width) * FINEST_GROUPS < range) {
        width = next_step(width);
    }
    return width;
}

/* Widths that double until one interval would cover everything. */
static void guess_intervals(pv_guess *guess)
{
    const double range = guess->look.highest - guess->look.lowest;
    char *const text = guess->hierarchy;
    const size_t size = sizeof guess->hierarchy;
    pv_decimal width = first_width(&guess->look, range);
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
