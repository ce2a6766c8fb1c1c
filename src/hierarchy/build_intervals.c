/* Intervals: numbers on a grid that gets coarser level by level. */
#include "base/error.h"
#include "hierarchy/builders.h"
#include "hierarchy/numbers.h"

#include <paravent/decimal.h>

/* ---------------------------------------------------------------- parameters */

static pv_status check_width(const pv_hierarchy_spec *spec, size_t i, pv_error *error)
{
    const pv_ticks width = pv_i_ticks(spec->widths[i]);
    char text[32], former[32];
    pv_decimal_text(spec->widths[i], text, sizeof text);
    if (width <= 0) {
        return pv_i_fail(error, PV_STATUS_ARGUMENT, "the interval width %s is not positive", text);
    }
    if (i == 0) {
        return PV_STATUS_OK;
    }
    const pv_ticks before = pv_i_ticks(spec->widths[i - 1]);
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

/* The lower bound of the interval that holds a value: less than a width away from it, so that its
 * whole part fits into 64 bits. */
static pv_ticks lower_bound(pv_ticks value, pv_ticks origin, pv_ticks width, bool closed_right)
{
    const pv_ticks offset = value - origin;
    const pv_ticks index =
        closed_right ? -pv_i_ticks_divide(-offset, width) - 1 : pv_i_ticks_divide(offset, width);
    return origin + index * width;
}

/* Integers in whole closed-left intervals read best by their first and last member: 25-29. Below
 * zero the signs would get in the way of the dash. */
static void append_interval(pv_buffer *labels, pv_ticks lower, pv_ticks width, bool closed_right,
                            bool whole)
{
    char first[PV_NUMBER_SIZE], last[PV_NUMBER_SIZE];
    const bool members = whole && lower >= 0;
    pv_i_ticks_text(lower, first);
    pv_i_ticks_text(members ? lower + width - PV_TICKS_ONE : lower + width, last);
    if (whole && width == PV_TICKS_ONE) {
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

/* Do intervals of this width have a first and a last member in this column? */
static bool has_members(const pv_building *building, pv_decimal width)
{
    return !building->spec->closed_right && pv_i_ticks_whole(pv_i_ticks(building->spec->origin)) &&
           pv_i_ticks_whole(pv_i_ticks(width)) && building->whole;
}

static void label_number(pv_building *building, pv_ticks at)
{
    const pv_hierarchy_spec *const spec = building->spec;
    for (size_t i = 0; i < spec->n_widths; i++) {
        const pv_ticks width = pv_i_ticks(spec->widths[i]);
        const pv_ticks lower = lower_bound(at, pv_i_ticks(spec->origin), width, spec->closed_right);
        append_interval(&building->labels, lower, width, spec->closed_right,
                        has_members(building, spec->widths[i]));
    }
}

static pv_status build_intervals(pv_building *building, pv_error *error)
{
    static const pv_line numbers = {
        .find = pv_i_ticks_parse, .label = label_number, .complaint = PV_NO_NUMBER};
    return pv_i_building_place_line(building, &numbers, error);
}

const pv_hierarchy_builder pv_i_build_intervals = {.name = "intervals",
                                                   .check = check_intervals,
                                                   .build = build_intervals,
                                                   .remedy = PV_REMEDY_UNREADABLE};
