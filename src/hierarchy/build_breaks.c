/* Breaks: numbers in ranges that begin where it is said,
 *
 *     breaks     25     40     60
 *     labels  <25  25-39  40-59  >=60
 *
 * then `*`. The ranges at the ends are open: they tell nobody's extreme value, and every new number
 * has its place. */
#include "base/error.h"
#include "hierarchy/builders.h"
#include "hierarchy/numbers.h"

#include <paravent/decimal.h>

/* ---------------------------------------------------------------- parameters */

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

/* ---------------------------------------------------------------- labels */

/* Ranges of whole numbers read best by their first and last member; below zero the signs would get
 * in the way of the dash. */
static void append_between(pv_buffer *labels, pv_ticks lower, pv_ticks upper, bool whole)
{
    char first[PV_NUMBER_SIZE], last[PV_NUMBER_SIZE];
    const bool members = whole && pv_i_ticks_whole(lower) && pv_i_ticks_whole(upper);
    const bool dash = members && lower >= 0;
    pv_i_ticks_text(lower, first);
    pv_i_ticks_text(dash ? upper - PV_TICKS_ONE : upper, last);
    if (members && upper - lower == PV_TICKS_ONE) {
        pv_i_buffer_text(labels, first);
    } else {
        pv_i_buffer_format(labels, dash ? "%s-%s" : "[%s,%s)", first, last);
    }
}

/* The range that begins with break number `range - 1`; 0 = the one before all breaks. */
static void append_range(const pv_building *building, size_t range, pv_buffer *labels)
{
    const pv_hierarchy_spec *const spec = building->spec;
    char bound[PV_NUMBER_SIZE];
    if (spec->n_breaks == 0) {
        pv_i_buffer_text(labels, "any number");
    } else if (range > 0 && range < spec->n_breaks) {
        append_between(labels, pv_i_ticks(spec->breaks[range - 1]), pv_i_ticks(spec->breaks[range]),
                       building->whole);
    } else {
        pv_i_ticks_text(pv_i_ticks(spec->breaks[range == 0 ? 0 : range - 1]), bound);
        pv_i_buffer_format(labels, "%s%s", range == 0 ? "<" : ">=", bound);
    }
    if (range == spec->n_breaks && spec->missing_last) {
        pv_i_buffer_text(labels, " or missing");
    }
    pv_i_buffer_char(labels, '\0');
}

/* ---------------------------------------------------------------- building */

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

static void label_number(pv_building *building, pv_ticks at)
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
    static const pv_line numbers = {.find = pv_i_ticks_parse,
                                    .label = label_number,
                                    .complaint = PV_NO_NUMBER,
                                    .count_as = granule_of};
    building->paths->depth = 1; /* even where there is no number at all */
    if (building->spec->missing_last) {
        PV_TRY(name_last(building, error));
    }
    return pv_i_building_place_line(building, &numbers, error);
}

const pv_hierarchy_builder pv_i_build_breaks = {
    .name = "breaks", .check = check_breaks, .build = build_breaks, .remedy = PV_REMEDY_UNREADABLE};
