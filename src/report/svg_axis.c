/* Axes: from values to pixels, with round numbers where a reader expects them.
 *
 *     value --- inner_share ---> 0..1 --- break ---> share of the axis --- from..to ---> pixel
 *
 * Where one value lies far from all others, the axis is broken and BROKEN_OFF of it holds what lies
 * beyond; within that piece values keep their order but not their scale, and the two strokes say
 * so. Which numbers are written is decided last: ticks that would touch a more important one lose
 * their number but keep their line. */
#include "base/markup.h"
#include "report/svg.h"

#include <math.h>
#include <string.h>

/* The largest power of ten that is at most `value` > 0. */
static double power_below(double value)
{
    double power = 1;
    while (power > value) {
        power /= 10;
    }
    while (power * 10 <= value) {
        power *= 10;
    }
    return power;
}

/* The smallest of 1, 2, 5, 10, 20, 50, ... (or their fractions) that is at least `value` > 0. */
static double round_up(double value)
{
    const double power = power_below(value);
    return value <= power       ? power
           : value <= 2 * power ? 2 * power
           : value <= 5 * power ? 5 * power
                                : 10 * power;
}

/* The largest of them that is at most `value` > 0. */
static double round_down(double value)
{
    const double power = power_below(value);
    return value >= 5 * power ? 5 * power : value >= 2 * power ? 2 * power : power;
}

pv_svg_axis pv_i_svg_axis(double largest, size_t ticks, pv_svg_unit unit, double from, double to)
{
    return pv_i_svg_range_axis(0, largest, ticks, unit, from, to);
}

/* From a round number at or below `low`. */
static pv_svg_axis axis_from(double low, double largest, size_t ticks, pv_svg_unit unit,
                             double from, double to)
{
    /* An axis of nothing still needs a length; counts have no fractions. */
    const bool nothing = fabs(low) <= 0 && !(largest > 0);
    const double least = unit == PV_SVG_COUNT ? (double)ticks : nothing ? 1 : 1e-4;
    const double length = isfinite(largest) && largest - low > least ? largest - low : least;
    const double step = round_up(length / (double)ticks);
    const double min = step * floor(low / step + 1e-9);
    return (pv_svg_axis){.min = min,
                         .max = min + step * ceil((low + length - min) / step - 1e-9),
                         .step = step,
                         .from = from,
                         .to = to,
                         .unit = unit};
}

pv_svg_axis pv_i_svg_range_axis(double smallest, double largest, size_t ticks, pv_svg_unit unit,
                                double from, double to)
{
    const bool all_equal = smallest >= 0 && largest - smallest <= largest * 1e-3;
    const bool from_zero =
        !isfinite(smallest) || all_equal || (smallest >= 0 && smallest <= largest / 2);
    return axis_from(from_zero ? 0 : smallest, largest, ticks, unit, from, to);
}

pv_svg_axis pv_i_svg_near_axis(double smallest, double largest, size_t ticks, pv_svg_unit unit,
                               double from, double to)
{
    return axis_from(isfinite(smallest) ? smallest : 0, largest, ticks, unit, from, to);
}

pv_svg_axis pv_i_svg_log_axis(double smallest, double largest, size_t ticks, double from, double to)
{
    const double low = isfinite(smallest) && smallest > 0 ? round_down(smallest) : 1;
    const double high = isfinite(largest) && largest > low ? round_up(largest) : low * 10;
    return (pv_svg_axis){.min = low,
                         .max = high,
                         .step = 3 * log10(high / low) <= (double)ticks ? 3 : 1,
                         .from = from,
                         .to = to,
                         .unit = PV_SVG_NUMBER,
                         .logarithmic = true};
}

pv_svg_axis pv_i_svg_decade_axis(double smallest, double largest, size_t ticks, double from,
                                 double to)
{
    /* A hair above the power of ten, so that rounding does not find the next number below it. */
    return pv_i_svg_log_axis(pow(10, floor(log10(smallest))) * (1 + 1e-9), largest, ticks, from,
                             to);
}

pv_svg_axis pv_i_svg_break(pv_svg_axis axis, double smallest, double largest)
{
    const double slack = (axis.max - axis.min) * 1e-9; /* the ends are sums of steps */
    axis.broken_low = smallest < axis.min - slack;
    axis.broken_high = largest > axis.max + slack;
    axis.below = smallest;
    axis.above = largest;
    return axis;
}

#define BROKEN_OFF 0.07 /* of an axis, for what is beyond a break */
#define USED 0.7        /* of that, by values; the mark of the break has the rest */

/* Between min and max: 0..1. */
static double inner_share(const pv_svg_axis *axis, double value)
{
    return axis->logarithmic ? log(fmax(value, axis->min) / axis->min) / log(axis->max / axis->min)
                             : (value - axis->min) / (axis->max - axis->min);
}

double pv_i_svg_at(const pv_svg_axis *axis, double value)
{
    const double low = axis->broken_low ? BROKEN_OFF : 0;
    const double high = axis->broken_high ? BROKEN_OFF : 0;
    double share = low + (1 - low - high) * inner_share(axis, value);
    if (axis->broken_low && value < axis->min) {
        share = low * USED * (value - axis->below) / (axis->min - axis->below);
    } else if (axis->broken_high && value > axis->max) {
        share = 1 - high * USED * (axis->above - value) / (axis->above - axis->max);
    }
    return axis->from + (axis->to - axis->from) * share;
}

bool pv_i_svg_shows(const pv_svg_axis *axis, double value)
{
    return isfinite(value) && (!axis->logarithmic || value > 0);
}

static size_t log_ticks(const pv_svg_axis *axis, double *values)
{
    static const double factors[] = {1, 2, 5};
    const double slack = 1 + 1e-9;
    size_t n = 0;
    for (double power = power_below(axis->min); power <= axis->max * slack; power *= 10) {
        for (size_t i = 0; i < (size_t)axis->step && n < PV_SVG_MAX_TICKS; i++) {
            const double value = factors[i] * power;
            if (value * slack >= axis->min && value <= axis->max * slack) {
                values[n++] = value;
            }
        }
    }
    return n;
}

/* What is farthest beyond a break has a number, too. */
size_t pv_i_svg_ticks(const pv_svg_axis *axis, double values[PV_SVG_MAX_TICKS])
{
    size_t n = axis->logarithmic ? log_ticks(axis, values)
                                 : (size_t)lround((axis->max - axis->min) / axis->step) + 1;
    n = n < PV_SVG_MAX_TICKS ? n : PV_SVG_MAX_TICKS;
    for (size_t i = 0; i < n && !axis->logarithmic; i++) {
        values[i] = axis->min + axis->step * (double)i;
    }
    if (axis->broken_low && n < PV_SVG_MAX_TICKS) {
        memmove(values + 1, values, n * sizeof *values);
        values[0] = axis->below;
        n++;
    }
    if (axis->broken_high && n < PV_SVG_MAX_TICKS) {
        values[n++] = axis->above;
    }
    return n;
}

void pv_i_svg_value(pv_buffer *out, double value, pv_svg_unit unit)
{
    if (unit == PV_SVG_PERCENT) {
        pv_i_markup_percent(out, value);
    } else {
        pv_i_markup_figure(out, value);
    }
}

void pv_i_svg_tick_value(pv_buffer *out, double value, pv_svg_unit unit)
{
    static const struct {
        double size;
        const char *name;
    } scales[] = {{1e12, "tn"}, {1e9, "bn"}, {1e6, "M"}};
    for (size_t i = 0; unit != PV_SVG_PERCENT && i < sizeof scales / sizeof *scales; i++) {
        if (fabs(value) >= scales[i].size) {
            pv_i_markup_figure(out, value / scales[i].size);
            pv_i_buffer_text(out, scales[i].name);
            return;
        }
    }
    const bool percent = unit == PV_SVG_PERCENT;
    const double number = percent ? value * 100 : value;
    if (number > 0 && number < (percent ? 0.01 : 1e-4)) { /* as written out it would be 0 */
        const double power = floor(log10(number) + 1e-9);
        pv_i_markup_short(out, number / pow(10, power), 1);
        pv_i_buffer_format(out, "e%.0f%s", power, percent ? "%" : "");
        return;
    }
    pv_i_svg_value(out, value, unit);
}

static double letters_of(const pv_svg_axis *axis)
{
    return axis->letters > 0 ? axis->letters : 11;
}

/* Written at the end of `out` and taken away again. */
static double number_width(pv_buffer *out, const pv_svg_axis *axis, double value)
{
    const size_t start = out->size;
    pv_i_svg_tick_value(out, value, axis->unit);
    if (out->failed) {
        return 0;
    }
    const double width = pv_i_svg_text_width(out->data + start, letters_of(axis));
    out->size = start;
    out->data[start] = '\0';
    return width;
}

double pv_i_svg_tick_width(pv_buffer *out, const pv_svg_axis *axis)
{
    double values[PV_SVG_MAX_TICKS];
    const size_t n = pv_i_svg_ticks(axis, values);
    double widest = 0;
    for (size_t i = 0; i < n; i++) {
        widest = fmax(widest, number_width(out, axis, values[i]));
    }
    return widest + 7;
}

/* Two strokes across the axis, and between them nothing. */
static void break_mark(pv_buffer *out, const pv_svg_axis *axis, bool low, bool upright, double at)
{
    const double place = (1 + USED) / 2 * BROKEN_OFF;
    const double along = axis->from + (axis->to - axis->from) * (low ? place : 1 - place);
    for (int i = -1; i <= 1; i++) { /* the gap, then the strokes beside it */
        const double middle = along + (i == -1 ? 0 : i == 0 ? -2.5 : 2.5);
        const char *const name = i == -1 ? "gap" : "axis";
        if (upright) {
            pv_i_svg_line(out, name, at - 5, middle + 2, at + 5, middle - 2);
        } else {
            pv_i_svg_line(out, name, middle - 2, at + 5, middle + 2, at - 5);
        }
    }
}

void pv_i_svg_break_marks(pv_buffer *out, const pv_svg_axis *axis, bool upright, double at)
{
    if (axis->broken_low) {
        break_mark(out, axis, true, upright, at);
    }
    if (axis->broken_high) {
        break_mark(out, axis, false, upright, at);
    }
}

/* Round powers first, so that where not all numbers have space 1, 10, 100 keep theirs; the ends of
 * a broken axis before all. */
static unsigned importance(const pv_svg_axis *axis, double value)
{
    const bool outside = value < axis->min || value > axis->max;
    const bool power = fabs(value / power_below(fmax(fabs(value), 1e-300)) - 1) < 1e-9;
    return outside ? 2 : axis->logarithmic && power ? 1 : 0;
}

typedef struct number {
    double value, at, half; /* where it is, and how much of the axis it takes to each side */
    bool chosen;
} number;

static bool has_room(const number *numbers, size_t n, const number *mine)
{
    for (size_t i = 0; i < n; i++) {
        const double apart = fabs(numbers[i].at - mine->at);
        if (numbers[i].chosen && apart < numbers[i].half + mine->half) {
            return false;
        }
    }
    return true;
}

/* The numbers of an axis; those that have space are chosen in order of importance. */
static size_t choose_numbers(pv_buffer *out, const pv_svg_axis *axis, bool upright,
                             number numbers[PV_SVG_MAX_TICKS])
{
    double values[PV_SVG_MAX_TICKS];
    const size_t n = pv_i_svg_ticks(axis, values);
    for (size_t i = 0; i < n; i++) {
        const double size = upright ? letters_of(axis) : number_width(out, axis, values[i]) + 6;
        numbers[i] =
            (number){.value = values[i], .at = pv_i_svg_at(axis, values[i]), .half = size / 2};
    }
    for (unsigned rank = 3; rank-- > 0;) {
        for (size_t i = 0; i < n; i++) {
            numbers[i].chosen = numbers[i].chosen || (importance(axis, values[i]) == rank &&
                                                      has_room(numbers, n, &numbers[i]));
        }
    }
    return n;
}

/* Along one direction; `low` and `high` are the ends of its lines in the other. */
static void draw_axis(pv_buffer *out, const pv_svg_axis *axis, bool upright, double low,
                      double high)
{
    number numbers[PV_SVG_MAX_TICKS];
    const size_t n = choose_numbers(out, axis, upright, numbers);
    for (size_t i = 0; i <= n; i++) { /* the axis itself first */
        const double at = i > 0 ? numbers[i - 1].at : axis->from;
        if (i > 0 && fabs(at - axis->from) <= 0.5) {
            /* the line is there already */
        } else if (upright) {
            pv_i_svg_line(out, i > 0 ? "grid" : "axis", low, at, high, at);
        } else {
            pv_i_svg_line(out, i > 0 ? "grid" : "axis", at, low, at, high);
        }
        if (i > 0 && numbers[i - 1].chosen) {
            pv_i_svg_text_begin(
                out, "tick", upright ? PV_SVG_END : PV_SVG_MIDDLE, upright ? low - 7 : at,
                upright ? at + letters_of(axis) * 0.33 : high + letters_of(axis) + 5);
            pv_i_svg_tick_value(out, numbers[i - 1].value, axis->unit);
            pv_i_svg_text_end(out);
        }
    }
    pv_i_svg_break_marks(out, axis, upright, upright ? low : high);
}

void pv_i_svg_axis_x(pv_buffer *out, const pv_svg_axis *axis, double top, double bottom)
{
    draw_axis(out, axis, false, top, bottom);
}

void pv_i_svg_axis_y(pv_buffer *out, const pv_svg_axis *axis, double left, double right)
{
    draw_axis(out, axis, true, left, right);
}
