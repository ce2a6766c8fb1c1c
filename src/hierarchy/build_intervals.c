/* Intervals: numbers on a grid that gets coarser level by level. All arithmetic is exact: every
 * number is an integer count of 10^-18, in 128 bits, which hold any two pv_decimals added. */
#include "base/error.h"
#include "hierarchy/builders.h"

#include <inttypes.h>
#include <paravent/decimal.h>
#include <stdio.h>
#include <string.h>

#define BOUND_SIZE 48 /* sign, 20 digits, point, 18 digits, NUL */

typedef __int128 ticks;                           /* 10^-18 each */
#define ONE ((ticks)INT64_C(1000000000000000000)) /* the number 1 */

static ticks to_ticks(pv_decimal decimal)
{
    ticks result = decimal.mantissa;
    for (int scale = decimal.scale; scale < PV_DECIMAL_MAX_SCALE; scale++) {
        result *= 10;
    }
    return result;
}

/* ---------------------------------------------------------------- parameters */

static pv_status check_width(const pv_hierarchy_spec *spec, size_t i, pv_error *error)
{
    const ticks width = to_ticks(spec->widths[i]);
    char text[32], former[32];
    pv_decimal_text(spec->widths[i], text, sizeof text);
    if (width <= 0) {
        return pv_i_fail(error, PV_STATUS_ARGUMENT, "the interval width %s is not positive", text);
    }
    if (i == 0) {
        return PV_STATUS_OK;
    }
    const ticks before = to_ticks(spec->widths[i - 1]);
    pv_decimal_text(spec->widths[i - 1], former, sizeof former);
    if (width <= before || width % before != 0) {
        return pv_i_hint(pv_i_fail(error, PV_STATUS_ARGUMENT,
                                   "the interval width %s is not a larger multiple of the width %s "
                                   "before it",
                                   text, former),
                         error, "let each width be a multiple of the one before, as in 5, 10, 20");
    }
    return PV_STATUS_OK;
}

static pv_status check_intervals(const pv_hierarchy_spec *spec, pv_error *error)
{
    PV_TRY(pv_i_check_levels(spec->n_widths, "interval width", error));
    for (size_t i = 0; i < spec->n_widths; i++) {
        PV_TRY(check_width(spec, i, error));
    }
    return PV_STATUS_OK;
}

/* ---------------------------------------------------------------- labels */

/* The shortest plain form of a number: "25", "-0.5". A bound is less than a width away from a
 * value, so its whole part fits into 64 bits. */
static void bound_text(ticks bound, char text[BOUND_SIZE])
{
    const ticks size = bound < 0 ? -bound : bound;
    const uint64_t fraction = (uint64_t)(size % ONE);
    const int n = snprintf(text, BOUND_SIZE, "%s%" PRIu64 ".%018" PRIu64, bound < 0 ? "-" : "",
                           (uint64_t)(size / ONE), fraction);
    char *end = text + n;
    while (end[-1] == '0') {
        end--;
    }
    end[end[-1] == '.' ? -1 : 0] = '\0';
}

static ticks floor_divide(ticks a, ticks b)
{
    return a / b - (a % b < 0);
}

/* The lower bound of the interval that holds a value. */
static ticks lower_bound(ticks value, ticks origin, ticks width, bool closed_right)
{
    const ticks offset = value - origin;
    const ticks index =
        closed_right ? -floor_divide(-offset, width) - 1 : floor_divide(offset, width);
    return origin + index * width;
}

/* Integers in whole closed-left intervals read best by their first and last member: 25-29. Below
 * zero the signs would get in the way of the dash. */
static void append_interval(pv_buffer *labels, ticks lower, ticks width, bool closed_right,
                            bool whole)
{
    char first[BOUND_SIZE], last[BOUND_SIZE];
    const bool members = whole && lower >= 0;
    bound_text(lower, first);
    bound_text(members ? lower + width - ONE : lower + width, last);
    if (whole && width == ONE) {
        pv_i_buffer_text(labels, first);
    } else if (members) {
        pv_i_buffer_format(labels, "%s-%s", first, last);
    } else if (closed_right) {
        pv_i_buffer_format(labels, "(%s,%s]", first, last);
    } else {
        pv_i_buffer_format(labels, "[%s,%s)", first, last);
    }
    pv_i_buffer_char(labels, '\0');
}

/* ---------------------------------------------------------------- building */

static bool is_whole(pv_decimal decimal)
{
    return to_ticks(decimal) % ONE == 0;
}

/* Do intervals of this width have a first and a last member in this column? */
static bool has_members(const pv_building *building, pv_decimal width)
{
    return !building->spec->closed_right && is_whole(building->spec->origin) && is_whole(width) &&
           pv_table_type(building->table, building->column) == PV_TYPE_INTEGER;
}

static bool find_number(const char *text, ticks *at)
{
    pv_decimal number;
    if (!pv_decimal_parse(text, strlen(text), &number)) {
        return false;
    }
    *at = to_ticks(number);
    return true;
}

static void label_number(pv_building *building, ticks at)
{
    const pv_hierarchy_spec *const spec = building->spec;
    for (size_t i = 0; i < spec->n_widths; i++) {
        const ticks width = to_ticks(spec->widths[i]);
        const ticks lower = lower_bound(at, to_ticks(spec->origin), width, spec->closed_right);
        append_interval(&building->labels, lower, width, spec->closed_right,
                        has_members(building, spec->widths[i]));
    }
}

static pv_status build_intervals(pv_building *building, pv_error *error)
{
    static const pv_line numbers = {find_number, label_number, "is not a number"};
    return pv_i_building_place_line(building, &numbers, error);
}

const pv_hierarchy_builder pv_i_build_intervals = {.name = "intervals",
                                                   .check = check_intervals,
                                                   .build = build_intervals,
                                                   .remedy = PV_REMEDY_UNREADABLE};
