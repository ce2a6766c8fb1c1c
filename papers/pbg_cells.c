/* Cells of the page's tables. */
#include "pbg_cells.h"

#include "base/markup.h"

#include <math.h>

static void end(pv_buffer *page)
{
    pv_i_buffer_text(page, " |");
}

void pbg_text_cell(pv_buffer *page, const char *text)
{
    pv_i_buffer_format(page, " %s |", text);
}

void pbg_count_cell(pv_buffer *page, double n)
{
    pv_i_buffer_char(page, ' ');
    pv_i_buffer_count(page, (uint64_t)llround(n));
    end(page);
}

void pbg_number_cell(pv_buffer *page, double value)
{
    pv_i_buffer_char(page, ' ');
    pv_i_markup_short(page, value, 3);
    end(page);
}

/* "3.7e-4", "0" */
static void scientific(pv_buffer *page, double value)
{
    if (!(value > 0)) {
        pv_i_buffer_char(page, '0');
        return;
    }
    int exponent = (int)floor(log10(value));
    double digits = round(value * pow(10, 1 - exponent));
    if (digits >= 100) { /* 9.96 is 10 */
        digits /= 10;
        exponent++;
    }
    pv_i_markup_short(page, digits / 10, 1);
    if (exponent != 0) {
        pv_i_buffer_format(page, "e%d", exponent);
    }
}

static void variance(pv_buffer *page, const statistic *s)
{
    pv_i_buffer_text(page, " (");
    scientific(page, s->variance);
    pv_i_buffer_char(page, ')');
}

void pbg_ratio_cell(pv_buffer *page, const statistic *ratio)
{
    if (ratio == NULL) {
        pbg_text_cell(page, "not given");
        return;
    }
    pv_i_buffer_char(page, ' ');
    pv_i_markup_short(page, ratio->mean, 3);
    variance(page, ratio);
    end(page);
}

void pbg_error_cell(pv_buffer *page, const statistic *error)
{
    if (error == NULL) {
        pbg_text_cell(page, "not given");
        return;
    }
    pv_i_buffer_char(page, ' ');
    scientific(page, error->mean);
    variance(page, error);
    end(page);
}

void pbg_seeds_cell(pv_buffer *page, size_t n)
{
    pv_i_buffer_format(page, " %zu of %d |", n, SEEDS);
}

void pbg_evaluated_cell(pv_buffer *page, double n, const answer *a)
{
    pv_i_buffer_char(page, ' ');
    pv_i_buffer_count(page, (uint64_t)llround(n));
    pv_i_buffer_text(page, " (");
    pv_i_plain_percent(page, n / a->truth->nodes);
    pv_i_buffer_text(page, ") |");
}

void pbg_sides(pv_buffer *page, const box_answer *b)
{
    for (size_t i = 0; i < b->fine->asked->n_objectives; i++) {
        pv_i_buffer_format(page, "%s%s=", i > 0 ? ", " : "", b->fine->asked->objectives[i]);
        pv_i_buffer_count(page, (uint64_t)llround(b->asked->epsilons[i]));
    }
}

void pbg_sides_cell(pv_buffer *page, const box_answer *b)
{
    pv_i_buffer_char(page, ' ');
    pbg_sides(page, b);
    end(page);
}
