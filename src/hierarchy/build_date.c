/* Dates: days into weeks, or into months, quarters, years and longer. Each of the latter contains
 * the one before; a week may lie in two months and two years, so it stands alone. */
#include "base/error.h"
#include "hierarchy/builders.h"
#include "table/value.h"

#include <assert.h>
#include <string.h>

/* ---------------------------------------------------------------- units */

/* Parsed years are never negative. */
static int first_year(int year, int span)
{
    return year - year % span;
}

static void append_day(pv_date date, pv_buffer *label)
{
    pv_i_buffer_format(label, "%04d-%02u-%02u", date.year, date.month, date.day);
}

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

static void append_month(pv_date date, pv_buffer *label)
{
    pv_i_buffer_format(label, "%04d-%02u", date.year, date.month);
}

static void append_quarter(pv_date date, pv_buffer *label)
{
    pv_i_buffer_format(label, "%04d-Q%u", date.year, (date.month + 2) / 3);
}

static void append_year(pv_date date, pv_buffer *label)
{
    pv_i_buffer_format(label, "%04d", date.year);
}

static void append_span(int year, int span, pv_buffer *label)
{
    const int first = first_year(year, span);
    pv_i_buffer_format(label, "%04d-%04d", first, first + span - 1);
}

static void append_lustrum(pv_date date, pv_buffer *label)
{
    append_span(date.year, 5, label);
}

static void append_decade(pv_date date, pv_buffer *label)
{
    pv_i_buffer_format(label, "%04ds", first_year(date.year, 10));
}

static void append_century(pv_date date, pv_buffer *label)
{
    append_span(date.year, 100, label);
}

static const struct date_unit {
    const char *name;
    void (*append)(pv_date date, pv_buffer *label);
} date_units[] = {
    [PV_DATE_DAY] = {"day", append_day},             /* 2020-05-31 */
    [PV_DATE_WEEK] = {"week", append_week},          /* 2020-W05 */
    [PV_DATE_MONTH] = {"month", append_month},       /* 2020-05 */
    [PV_DATE_QUARTER] = {"quarter", append_quarter}, /* 2020-Q2 */
    [PV_DATE_YEAR] = {"year", append_year},          /* 2020 */
    [PV_DATE_LUSTRUM] = {"lustrum", append_lustrum}, /* 2020-2024 */
    [PV_DATE_DECADE] = {"decade", append_decade},    /* 2020s */
    [PV_DATE_CENTURY] = {"century", append_century}, /* 2000-2099 */
};
static_assert(sizeof date_units / sizeof *date_units == PV_DATE_UNIT_COUNT,
              "every unit needs a name and labels");

const char *pv_date_unit_name(pv_date_unit unit)
{
    return (unsigned)unit < PV_DATE_UNIT_COUNT ? date_units[unit].name : "unknown";
}

/* ---------------------------------------------------------------- parameters */

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

/* ---------------------------------------------------------------- building */

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
        date_units[building->spec->units[i]].append(date, &building->labels);
        pv_i_buffer_char(&building->labels, '\0');
    }
}

static pv_status build_date(pv_building *building, pv_error *error)
{
    static const pv_line days = {
        .find = find_day, .label = label_day, .complaint = "is not a date"};
    return pv_i_building_place_line(building, &days, error);
}

const pv_hierarchy_builder pv_i_build_date = {
    .name = "date", .check = check_date, .build = build_date, .remedy = PV_REMEDY_UNREADABLE};
