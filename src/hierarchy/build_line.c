/* Hierarchies of values that lie on a line: numbers in intervals or between breaks, days in weeks,
 * months and years. The values are placed in the order of the line; a builder says only what the
 * group of a place is called on each level. */
#include "hierarchy/builders.h"

#include "base/error.h"
#include "base/memory.h"
#include "hierarchy/numbers.h"
#include "table/value.h"

#include <assert.h>
#include <inttypes.h>
#include <paravent/decimal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ----------------------------------------------------------- numbers, exactly */

pv_ticks pv_i_ticks(pv_decimal decimal)
{
    pv_ticks result = decimal.mantissa;
    for (int scale = decimal.scale; scale < PV_DECIMAL_MAX_SCALE; scale++) {
        result *= 10;
    }
    return result;
}

bool pv_i_ticks_parse(const char *text, const pv_format *format, pv_ticks *ticks)
{
    pv_decimal number;
    if (!pv_i_number_parse(text, strlen(text), format, &number)) {
        return false;
    }
    *ticks = pv_i_ticks(number);
    return true;
}

bool pv_i_ticks_decimal(pv_ticks ticks, pv_decimal *decimal)
{
    uint8_t scale = PV_DECIMAL_MAX_SCALE;
    while (scale > 0 && ticks % 10 == 0) {
        ticks /= 10;
        scale--;
    }
    if (ticks < INT64_MIN || ticks > INT64_MAX) {
        return false;
    }
    *decimal = (pv_decimal){.mantissa = (int64_t)ticks, .scale = scale};
    return true;
}

void pv_i_ticks_text(pv_ticks ticks, char text[PV_NUMBER_SIZE])
{
    const pv_ticks size = ticks < 0 ? -ticks : ticks;
    const uint64_t fraction = (uint64_t)(size % PV_TICKS_ONE);
    const int n = snprintf(text, PV_NUMBER_SIZE, "%s%" PRIu64 ".%018" PRIu64, ticks < 0 ? "-" : "",
                           (uint64_t)(size / PV_TICKS_ONE), fraction);
    char *end = text + n;
    while (end[-1] == '0') {
        end--;
    }
    end[end[-1] == '.' ? -1 : 0] = '\0';
}

/* ----------------------------------------------------------- places on a line */

/* For values that lie on a line (numbers, days): places them in that order. */
typedef struct {
    /* Where a value of such a format is; false: it is not on the line. */
    bool (*find)(const char *text, const pv_format *format, __int128 *at);
    void (*label)(pv_building *building, __int128 at); /* appends the labels of all levels */
    const char *complaint;                             /* "is not a number" */
    /* Neighbours of which this is the same count as one value; NULL = each counts. */
    __int128 (*count_as)(const pv_building *building, __int128 at);
} line;

typedef struct position {
    __int128 at;
    uint32_t i; /* the i-th value to place */
} position;

static int compare_positions(const void *left, const void *right)
{
    const position *const a = left;
    const position *const b = right;
    if (a->at != b->at) {
        return a->at < b->at ? -1 : 1;
    }
    return (a->i > b->i) - (a->i < b->i);
}

static size_t find_positions(pv_building *building, const line *l, position *positions)
{
    const pv_format *const format = pv_table_format(building->table, building->column);
    size_t n = 0;
    for (uint32_t i = 0; i < building->n; i++) {
        if (l->find(pv_i_building_text(building, i), format, &positions[n].at)) {
            positions[n++].i = i;
        } else {
            pv_i_building_refuse(building, i, l->complaint);
        }
    }
    return n;
}

static pv_status place_line(pv_building *building, const line *l, pv_error *error)
{
    position *const positions = PV_NEW_ARRAY(position, building->n);
    pv_status status = positions != NULL ? PV_STATUS_OK : pv_i_no_memory(error);
    if (status != PV_STATUS_OK) {
        return status;
    }
    const size_t n = find_positions(building, l, positions);
    if (n > 1) {
        qsort(positions, n, sizeof *positions, compare_positions);
    }
    for (size_t p = 0; p < n && status == PV_STATUS_OK; p++) {
        building->repeats =
            p > 0 && l->count_as != NULL &&
            l->count_as(building, positions[p - 1].at) == l->count_as(building, positions[p].at);
        l->label(building, positions[p].at);
        status = pv_i_building_place(building, positions[p].i, error);
    }
    pv_i_free(positions);
    return status;
}

/* ------------------------------------------------------------------ intervals
 *
 * Numbers on a grid that gets coarser level by level. */

static pv_status check_intervals(const pv_hierarchy_spec *spec, pv_error *error)
{
    PV_TRY(pv_i_check_levels(spec->n_widths, "interval width", error));
    for (size_t i = 0; i < spec->n_widths; i++) {
        const pv_ticks width = pv_i_ticks(spec->widths[i]);
        const pv_ticks before = i > 0 ? pv_i_ticks(spec->widths[i - 1]) : 0;
        char text[32], former[32];
        pv_decimal_text(spec->widths[i], text, sizeof text);
        if (width <= 0) {
            return pv_i_fail(error, PV_STATUS_ARGUMENT, "the interval width %s is not positive",
                             text);
        }
        if (i > 0 && (width <= before || width % before != 0)) {
            pv_decimal_text(spec->widths[i - 1], former, sizeof former);
            return pv_i_hint(
                pv_i_fail(error, PV_STATUS_ARGUMENT,
                          "the interval width %s is not a larger multiple of the width %s "
                          "before it",
                          text, former),
                error, "let each width be a multiple of the one before, as in 5, 10, 20");
        }
    }
    return PV_STATUS_OK;
}

/* The lower bound of the interval that holds a value: less than a width away from it, so that its
 * whole part fits into 64 bits. */
static pv_ticks lower_bound(pv_ticks value, pv_ticks origin, pv_ticks width, bool closed_right)
{
    const pv_ticks offset = value - origin;
    const pv_ticks index =
        closed_right ? -pv_i_ticks_divide(-offset, width) - 1 : pv_i_ticks_divide(offset, width);
    return origin + index * width;
}

/* Whole numbers in closed-left intervals read best by their first and last member, if the interval
 * has them: 25-29. Below zero the signs would get in the way of the dash. */
static void append_interval(pv_buffer *labels, pv_ticks lower, pv_ticks upper, bool closed_right,
                            bool has_members)
{
    char first[PV_NUMBER_SIZE], last[PV_NUMBER_SIZE];
    const bool dash = has_members && lower >= 0;
    pv_i_ticks_text(lower, first);
    pv_i_ticks_text(dash ? upper - PV_TICKS_ONE : upper, last);
    if (has_members && upper - lower == PV_TICKS_ONE) {
        pv_i_buffer_text(labels, first);
    } else {
        pv_i_buffer_format(labels,
                           dash           ? "%s-%s"
                           : closed_right ? "(%s,%s]"
                                          : "[%s,%s)",
                           first, last);
    }
}

static void label_by_widths(pv_building *building, pv_ticks at)
{
    const pv_hierarchy_spec *const spec = building->spec;
    const pv_ticks origin = pv_i_ticks(spec->origin);
    for (size_t i = 0; i < spec->n_widths; i++) {
        const pv_ticks width = pv_i_ticks(spec->widths[i]);
        const pv_ticks lower = lower_bound(at, origin, width, spec->closed_right);
        append_interval(&building->labels, lower, lower + width, spec->closed_right,
                        building->whole && !spec->closed_right && pv_i_ticks_whole(origin) &&
                            pv_i_ticks_whole(width));
        pv_i_buffer_char(&building->labels, '\0');
    }
}

static pv_status build_intervals(pv_building *building, pv_error *error)
{
    static const line numbers = {
        .find = pv_i_ticks_parse, .label = label_by_widths, .complaint = PV_NO_NUMBER};
    return place_line(building, &numbers, error);
}

const pv_hierarchy_builder pv_i_build_intervals = {.name = "intervals",
                                                   .check = check_intervals,
                                                   .build = build_intervals,
                                                   .remedy = PV_REMEDY_UNREADABLE};

/* --------------------------------------------------------------------- breaks
 *
 * Numbers in ranges that begin where it is said,
 *
 *     breaks     25     40     60
 *     labels  <25  25-39  40-59  >=60
 *
 * then `*`. The ranges at the ends are open: they show nobody's extreme value, and every new number
 * has its place. */

static pv_status check_breaks(const pv_hierarchy_spec *spec, pv_error *error)
{
    for (size_t i = 1; i < spec->n_breaks; i++) {
        char text[32], former[32];
        if (pv_decimal_compare(spec->breaks[i - 1], spec->breaks[i]) >= 0) {
            pv_decimal_text(spec->breaks[i], text, sizeof text);
            pv_decimal_text(spec->breaks[i - 1], former, sizeof former);
            return pv_i_hint(pv_i_fail(error, PV_STATUS_ARGUMENT,
                                       "the break %s is not above the break %s before it", text,
                                       former),
                             error, "list each break once, in ascending order, as in 25, 40, 60");
        }
    }
    return PV_STATUS_OK;
}

/* The range that begins with break number `range - 1`; 0 = the one before all breaks. */
static void append_range(const pv_building *building, size_t range, pv_buffer *labels)
{
    const pv_hierarchy_spec *const spec = building->spec;
    char bound[PV_NUMBER_SIZE];
    if (spec->n_breaks == 0) {
        pv_i_buffer_text(labels, "any number");
    } else if (range > 0 && range < spec->n_breaks) {
        const pv_ticks lower = pv_i_ticks(spec->breaks[range - 1]);
        const pv_ticks upper = pv_i_ticks(spec->breaks[range]);
        append_interval(labels, lower, upper, false,
                        building->whole && pv_i_ticks_whole(lower) && pv_i_ticks_whole(upper));
    } else {
        pv_i_ticks_text(pv_i_ticks(spec->breaks[range == 0 ? 0 : range - 1]), bound);
        pv_i_buffer_format(labels, "%s%s", range == 0 ? "<" : ">=", bound);
    }
    if (range == spec->n_breaks && spec->missing_last) {
        pv_i_buffer_text(labels, " or missing");
    }
    pv_i_buffer_char(labels, '\0');
}

/* The number of breaks at or below a number. */
static size_t range_of(const pv_hierarchy_spec *spec, pv_ticks at)
{
    size_t low = 0;
    size_t high = spec->n_breaks;
    while (low < high) {
        const size_t middle = low + (high - low) / 2;
        if (pv_i_ticks(spec->breaks[middle]) <= at) {
            low = middle + 1;
        } else {
            high = middle;
        }
    }
    return low;
}

static void label_by_breaks(pv_building *building, pv_ticks at)
{
    append_range(building, range_of(building->spec, at), &building->labels);
}

static pv_ticks granule_of(const pv_building *building, pv_ticks at)
{
    const pv_decimal step = building->spec->granularity;
    return step.mantissa > 0 ? pv_i_ticks_divide(at, pv_i_ticks(step)) : at;
}

/* Whoever comes after the last number needs to know what its range is called. */
static pv_status name_last(pv_building *building, pv_error *error)
{
    pv_buffer label = {0};
    append_range(building, building->spec->n_breaks, &label);
    building->missing_group =
        label.failed ? NULL : pv_i_arena_text(&building->paths->arena, label.data, label.size - 1);
    pv_i_buffer_deinit(&label);
    return building->missing_group != NULL ? PV_STATUS_OK : pv_i_no_memory(error);
}

static pv_status build_breaks(pv_building *building, pv_error *error)
{
    static const line numbers = {.find = pv_i_ticks_parse,
                                 .label = label_by_breaks,
                                 .complaint = PV_NO_NUMBER,
                                 .count_as = granule_of};
    building->paths->depth = 1; /* even where there is no number at all */
    if (building->spec->missing_last) {
        PV_TRY(name_last(building, error));
    }
    return place_line(building, &numbers, error);
}

const pv_hierarchy_builder pv_i_build_breaks = {
    .name = "breaks", .check = check_breaks, .build = build_breaks, .remedy = PV_REMEDY_UNREADABLE};

/* ---------------------------------------------------------------------- dates
 *
 * Days into weeks, or into months, quarters, years and longer. Each of the latter contains the one
 * before; a week may lie in two months and two years, so no other unit goes with it. */

/* ISO 8601: a week runs from Monday to Sunday and belongs to the year of its Thursday. */
static void append_week(pv_date date, pv_buffer *label)
{
    const int64_t days = pv_i_date_days(date);
    const int64_t since_monday = ((days + 3) % 7 + 7) % 7; /* 1970-01-01 was a Thursday */
    const int64_t thursday = days - since_monday + 3;
    const int year = pv_i_date_of_days(thursday).year;
    const int64_t new_year = pv_i_date_days((pv_date){.year = year, .month = 1, .day = 1});
    pv_i_buffer_format(label, "%04d-W%02d", year, (int)((thursday - new_year) / 7) + 1);
}

/* Parsed years are never negative, so that years % span is what lies after the first one. */
static void append_span(int year, int span, pv_buffer *label)
{
    const int first = year - year % span;
    pv_i_buffer_format(label, "%04d-%04d", first, first + span - 1);
}

/* 2020-05-31, 2020-W05, 2020-05, 2020-Q2, 2020, 2020-2024, 2020s, 2000-2099 */
static void append_unit(pv_date_unit unit, pv_date date, pv_buffer *label)
{
    const int year = date.year;
    switch (unit) {
    case PV_DATE_DAY:
        pv_i_buffer_format(label, "%04d-%02u-%02u", year, date.month, date.day);
        break;
    case PV_DATE_WEEK: append_week(date, label); break;
    case PV_DATE_MONTH: pv_i_buffer_format(label, "%04d-%02u", year, date.month); break;
    case PV_DATE_QUARTER: pv_i_buffer_format(label, "%04d-Q%u", year, (date.month + 2) / 3); break;
    case PV_DATE_YEAR: pv_i_buffer_format(label, "%04d", year); break;
    case PV_DATE_LUSTRUM: append_span(year, 5, label); break;
    case PV_DATE_DECADE: pv_i_buffer_format(label, "%04ds", year - year % 10); break;
    case PV_DATE_CENTURY:
    case PV_DATE_UNIT_COUNT: append_span(year, 100, label); break;
    }
}

static const char *const unit_names[] = {"day",  "week",    "month",  "quarter",
                                         "year", "lustrum", "decade", "century"};
static_assert(sizeof unit_names / sizeof *unit_names == PV_DATE_UNIT_COUNT,
              "every unit needs a name");

const char *pv_date_unit_name(pv_date_unit unit)
{
    return (unsigned)unit < PV_DATE_UNIT_COUNT ? unit_names[unit] : "unknown";
}

static pv_status check_unit(const pv_hierarchy_spec *spec, size_t i, pv_error *error)
{
    const pv_date_unit unit = spec->units[i];
    if ((unsigned)unit >= PV_DATE_UNIT_COUNT) {
        return pv_i_fail(error, PV_STATUS_ARGUMENT, "unknown date unit %u", (unsigned)unit);
    }
    if (unit == PV_DATE_WEEK && i + 1 < spec->n_units) {
        return pv_i_hint(pv_i_fail(error, PV_STATUS_ARGUMENT,
                                   "weeks do not fit into months or years: week must be the only "
                                   "date unit, or the last after day"),
                         error, "use week alone, or month, quarter, year, ... without it");
    }
    if (i > 0 && unit <= spec->units[i - 1]) {
        return pv_i_hint(pv_i_fail(error, PV_STATUS_ARGUMENT,
                                   "the date unit %s does not contain the unit %s before it",
                                   pv_date_unit_name(unit), pv_date_unit_name(spec->units[i - 1])),
                         error, "order them: day, month, quarter, year, lustrum, decade, century");
    }
    return PV_STATUS_OK;
}

static pv_status check_date(const pv_hierarchy_spec *spec, pv_error *error)
{
    PV_TRY(pv_i_check_levels(spec->n_units, "date unit", error));
    for (size_t i = 0; i < spec->n_units; i++) {
        PV_TRY(check_unit(spec, i, error));
    }
    return PV_STATUS_OK;
}

static bool find_day(const char *text, const pv_format *format, __int128 *at)
{
    int64_t days;
    if (!pv_i_date_parse(text, strlen(text), format, &days)) {
        return false;
    }
    *at = days;
    return true;
}

static void label_day(pv_building *building, __int128 at)
{
    const pv_date date = pv_i_date_of_days((int64_t)at);
    for (size_t i = 0; i < building->spec->n_units; i++) {
        append_unit(building->spec->units[i], date, &building->labels);
        pv_i_buffer_char(&building->labels, '\0');
    }
}

static pv_status build_date(pv_building *building, pv_error *error)
{
    static const line days = {.find = find_day, .label = label_day, .complaint = "is not a date"};
    return place_line(building, &days, error);
}

const pv_hierarchy_builder pv_i_build_date = {
    .name = "date", .check = check_date, .build = build_date, .remedy = PV_REMEDY_UNREADABLE};
