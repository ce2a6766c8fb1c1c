/* How the values of a column are distributed.
 *
 * Numbers and dates are counted in ranges of the same size, whose limits are multiples of 1, 2 or 5
 * times a power of ten, or begin days, weeks, months, quarters or years; the ranges are as narrow
 * as they can be without being more than 24. Other values are listed, the most frequent first. */
#include "core/json.h"
#include "core/text.h"
#include "server/columns.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#define MOST_RANGES 24
#define MOST_VALUES 40
#define SECONDS_PER_DAY 86400

/* ------------------------------------------------------------- the numbers */

typedef struct {
    double lowest, highest;
    bool any;
} extent;

static extent find_extent(const pv_table *table, size_t column)
{
    extent found = {0};
    for (uint32_t code = 0; code < pv_table_values(table, column); code++) {
        const double number = pv_table_number(table, column, code);
        if (!isfinite(number)) {
            continue;
        }
        found.lowest = found.any && found.lowest < number ? found.lowest : number;
        found.highest = found.any && found.highest > number ? found.highest : number;
        found.any = true;
    }
    return found;
}

/* A way to divide numbers: into `factor` times 10^`power`. */
typedef struct {
    int factor, power;
} width;

/* Which multiple a number is in; what is a multiple but for rounding is one. */
static double multiple(width w, double number)
{
    const double scale = pow(10, abs(w.power));
    const double exact = (w.power < 0 ? number * scale : number / scale) / w.factor;
    const double near = round(exact);
    return fabs(exact - near) <= 1e-9 * fmax(1, fabs(exact)) ? near : floor(exact);
}

static double limit(width w, double times)
{
    const double scale = pow(10, abs(w.power));
    return w.power < 0 ? times * w.factor / scale : times * w.factor * scale;
}

static size_t count_ranges(width w, extent e)
{
    const double n = multiple(w, e.highest) - multiple(w, e.lowest) + 1;
    return n <= MOST_RANGES ? (size_t)n : MOST_RANGES + 1;
}

static width choose_width(extent e, bool is_integer)
{
    static const int factors[] = {1, 2, 5};
    const double span = e.highest - e.lowest;
    const int least = is_integer || span <= 0 ? 0 : -15;
    const int start = span > 0 ? (int)floor(log10(span)) - 2 : 0;
    for (int power = start > least ? start : least;; power++) {
        for (size_t i = 0; i < 3; i++) {
            const width w = {factors[i], power};
            if (count_ranges(w, e) <= MOST_RANGES) {
                return w;
            }
        }
    }
}

static void add_bin(json_t *bins, const char *label, json_t *from, json_t *to, uint64_t rows)
{
    json_t *const bin = json_object();
    cli_json_set(bin, "label", cli_json_text(label));
    cli_json_set(bin, "from", from);
    cli_json_set(bin, "to", to);
    cli_json_set(bin, "rows", cli_json_count(rows));
    cli_json_append(bins, bin);
}

static json_t *number_bins(const pv_table *table, size_t column)
{
    const bool is_integer = pv_table_type(table, column) == PV_TYPE_INTEGER;
    json_t *const bins = json_array();
    const extent e = find_extent(table, column);
    uint64_t rows[MOST_RANGES] = {0};
    if (!e.any) {
        return bins;
    }
    const width w = choose_width(e, is_integer);
    const double first = multiple(w, e.lowest);
    const size_t n = count_ranges(w, e);
    for (uint32_t code = 0; code < pv_table_values(table, column); code++) {
        const double number = pv_table_number(table, column, code);
        if (isfinite(number)) {
            rows[(size_t)(multiple(w, number) - first)] += pv_table_count(table, column, code);
        }
    }
    for (size_t i = 0; i < n; i++) {
        char label[128];
        const double from = limit(w, first + (double)i);
        const double next = limit(w, first + (double)i + 1);
        const double to = is_integer ? next - 1 : next;
        if (is_integer && from >= to) {
            (void)snprintf(label, sizeof label, "%.0f", from);
        } else if (is_integer) {
            (void)snprintf(label, sizeof label, from < 0 ? "%.0f to %.0f" : "%.0f-%.0f", from, to);
        } else {
            (void)snprintf(label, sizeof label, "%.15g to %.15g", from, to);
        }
        add_bin(bins, label, cli_json_number(from), cli_json_number(to), rows[i]);
    }
    return bins;
}

/* --------------------------------------------------------------- the dates */

/* So many days, or so many months if there are none. */
typedef struct {
    int days, months;
} period;

static const period periods[] = {{1, 0},   {7, 0},    {0, 1},    {0, 3},   {0, 6},
                                 {0, 12},  {0, 24},   {0, 60},   {0, 120}, {0, 240},
                                 {0, 600}, {0, 1200}, {0, 2400}, {0, 6000}};

static struct tm calendar(int64_t day)
{
    const time_t seconds = (time_t)(day * SECONDS_PER_DAY);
    struct tm date = {0};
    (void)gmtime_r(&seconds, &date);
    return date;
}

static int64_t floor_divide(int64_t a, int64_t b)
{
    return a / b - (a % b < 0);
}

/* Which period a day is in; weeks begin on Monday, and 1970-01-01 was a Thursday. */
static int64_t period_of(period p, int64_t day)
{
    if (p.days > 0) {
        return floor_divide(day + (p.days == 7 ? 3 : 0), p.days);
    }
    const struct tm date = calendar(day);
    return floor_divide(((int64_t)date.tm_year + 1900) * 12 + date.tm_mon, p.months);
}

static int64_t period_start(period p, int64_t number)
{
    if (p.days > 0) {
        return number * p.days - (p.days == 7 ? 3 : 0);
    }
    const int64_t month = number * p.months;
    const int64_t year = floor_divide(month, 12);
    struct tm date = {
        .tm_year = (int)(year - 1900), .tm_mon = (int)(month - year * 12), .tm_mday = 1};
    return floor_divide((int64_t)timegm(&date), SECONDS_PER_DAY);
}

static void day_text(int64_t day, char text[64])
{
    const struct tm date = calendar(day);
    (void)snprintf(text, 64, "%04d-%02d-%02d", date.tm_year + 1900, date.tm_mon + 1, date.tm_mday);
}

/* 2024-05-31, 2024-05, 2024, 2020-2029, or from day to day. */
static void period_label(period p, int64_t first, int64_t last, char label[160])
{
    char from[64], to[64];
    day_text(first, from);
    day_text(last, to);
    if (p.days == 1) {
        (void)snprintf(label, 160, "%s", from);
    } else if (p.days > 0 || (p.months > 1 && p.months < 12)) {
        (void)snprintf(label, 160, "%s to %s", from, to);
    } else if (p.months == 1) {
        (void)snprintf(label, 160, "%.7s", from);
    } else if (p.months == 12) {
        (void)snprintf(label, 160, "%.4s", from);
    } else {
        (void)snprintf(label, 160, "%.4s-%.4s", from, to);
    }
}

static json_t *date_bins(const pv_table *table, size_t column)
{
    json_t *const bins = json_array();
    const extent e = find_extent(table, column);
    const int64_t lowest = (int64_t)floor(e.lowest), highest = (int64_t)floor(e.highest);
    uint64_t rows[MOST_RANGES] = {0};
    size_t i = 0;
    if (!e.any) {
        return bins;
    }
    const size_t n_periods = sizeof periods / sizeof *periods;
    while (i + 1 < n_periods &&
           period_of(periods[i], highest) - period_of(periods[i], lowest) >= MOST_RANGES) {
        i++;
    }
    const period p = periods[i];
    const int64_t first = period_of(p, lowest);
    const int64_t n = period_of(p, highest) - first + 1;
    for (uint32_t code = 0; code < pv_table_values(table, column); code++) {
        const double number = pv_table_number(table, column, code);
        if (isfinite(number)) {
            rows[period_of(p, (int64_t)floor(number)) - first] +=
                pv_table_count(table, column, code);
        }
    }
    for (int64_t k = 0; k < n; k++) {
        char label[160], from[64], to[64];
        const int64_t start = period_start(p, first + k);
        const int64_t end = period_start(p, first + k + 1) - 1;
        period_label(p, start, end, label);
        day_text(start, from);
        day_text(end, to);
        add_bin(bins, label, cli_json_text(from), cli_json_text(to), rows[k]);
    }
    return bins;
}

/* -------------------------------------------------------------- the values */

/* More rows first; of equally many the one that the file has first. */
static bool comes_before(const pv_table *table, size_t column, uint32_t a, uint32_t b)
{
    const uint64_t rows_a = pv_table_count(table, column, a);
    const uint64_t rows_b = pv_table_count(table, column, b);
    return rows_a != rows_b ? rows_a > rows_b : a < b;
}

static json_t *value_bins(const pv_table *table, size_t column, uint64_t *others)
{
    uint32_t most[MOST_VALUES + 1];
    size_t n = 0;
    json_t *const bins = json_array();
    *others = 0;
    for (uint32_t code = 0; code < pv_table_values(table, column); code++) {
        if (code == pv_table_missing(table, column)) {
            continue;
        }
        size_t at = n;
        while (at > 0 && comes_before(table, column, code, most[at - 1])) {
            most[at] = most[at - 1];
            at--;
        }
        most[at] = code;
        n++;
        if (n > MOST_VALUES) {
            *others += pv_table_count(table, column, most[--n]);
        }
    }
    for (size_t i = 0; i < n; i++) {
        json_t *const bin = json_object();
        cli_json_set(bin, "label", cli_json_text(pv_table_value(table, column, most[i])));
        cli_json_set(bin, "rows", cli_json_count(pv_table_count(table, column, most[i])));
        cli_json_append(bins, bin);
    }
    return bins;
}

json_t *web_column_bins(const pv_table *table, size_t column, uint64_t *others)
{
    *others = 0;
    switch (pv_table_type(table, column)) {
    case PV_TYPE_INTEGER:
    case PV_TYPE_DECIMAL: return number_bins(table, column);
    case PV_TYPE_DATE: return date_bins(table, column);
    default: return value_bins(table, column, others);
    }
}
