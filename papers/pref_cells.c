/* Cells of the page's tables. */
#include "pref_cells.h"

#include "base/markup.h"

#include <math.h>

/* Gaps below this are what floating-point numbers leave of none. */
#define NO_GAP 1e-9

void pref_row(pv_buffer *page)
{
    pv_i_buffer_char(page, '|');
}

void pref_row_end(pv_buffer *page)
{
    pv_i_buffer_char(page, '\n');
}

void pref_text_cell(pv_buffer *page, const char *text)
{
    pv_i_buffer_format(page, " %s |", text);
}

void pref_count_cell(pv_buffer *page, uint64_t n)
{
    pv_i_buffer_char(page, ' ');
    pv_i_buffer_count(page, n);
    pv_i_buffer_text(page, " |");
}

void pref_number_cell(pv_buffer *page, double value, unsigned decimals)
{
    pv_i_buffer_format(page, " %.*f |", (int)decimals, value);
}

void pref_gap_cell(pv_buffer *page, double gap)
{
    if (gap < NO_GAP) {
        pref_text_cell(page, "0");
    } else {
        pv_i_buffer_format(page, " %.2f%% |", 100 * gap);
    }
}

void pref_gap_cells(pv_buffer *page, const answer *a, const trial *t)
{
    pref_gap_cell(page, pref_gap(a, t->found[t->best].achievement));
    pref_gap_cell(page, pref_gap(a, t->achievement));
    pref_gap_cell(page, pref_gap(a, t->found[t->worst].achievement));
}

void pref_solution_cells(pv_buffer *page, const solution *s)
{
    pref_count_cell(page, s->k);
    pref_number_cell(page, s->point.bias, 4);
    pref_number_cell(page, s->point.loss, 4);
}

void pref_seconds(pv_buffer *page, double seconds)
{
    const double unit = seconds > 0 ? pow(10, floor(log10(seconds)) - 1) : 1;
    pv_i_buffer_format(page, "%.6g s", round(seconds / unit) * unit);
}
