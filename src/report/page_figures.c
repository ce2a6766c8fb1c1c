/* The six figures and the two pictures. */
#include "report/page_parts.h"

#include "base/markup.h"
#include "report/svg.h"

#include <math.h>

/* ------------------------------------------------------------------ key figures */

static void smallest_group(pv_buffer *out, const pv_certificate *c)
{
    pv_i_page_figure_begin(out, "Smallest group");
    pv_i_buffer_count(out, c->k);
    pv_i_page_figure_note(out);
    if (c->for_publisher) {
        pv_i_buffer_text(out, "before: ");
        pv_i_markup_figure(out, c->before.risk_max > 0 ? round(1 / c->before.risk_max) : 0);
    } else {
        pv_i_buffer_text(out, "people look alike, at least");
    }
    pv_i_page_figure_end(out);
}

static void risk(pv_buffer *out, const pv_certificate *c, const char *what, double before,
                 double after)
{
    pv_i_page_figure_begin(out, what);
    pv_i_markup_percent(out, after);
    pv_i_page_figure_note(out);
    if (c->for_publisher) {
        pv_i_buffer_text(out, "before: ");
        pv_i_markup_percent(out, before);
    } else {
        pv_i_buffer_text(out, "of being picked out");
    }
    pv_i_page_figure_end(out);
}

static void unique_people(pv_buffer *out, const pv_certificate *c)
{
    pv_i_page_figure_begin(out, "Unique people");
    pv_i_buffer_count(out, c->after.unique_rows);
    pv_i_page_figure_note(out);
    if (c->for_publisher) {
        pv_i_buffer_text(out, "before: ");
        pv_i_buffer_count(out, c->before.unique_rows);
    } else {
        pv_i_buffer_text(out, "by their combination");
    }
    pv_i_page_figure_end(out);
}

static void hidden_people(pv_buffer *out, const pv_certificate *c)
{
    pv_i_page_figure_begin(out, "Suppressed");
    pv_i_buffer_count(out, c->suppressed);
    pv_i_page_figure_note(out);
    if (c->budget > 0) {
        pv_i_buffer_text(out, "of ");
        pv_i_buffer_count(out, c->budget);
        pv_i_buffer_text(out, " allowed");
        pv_i_svg_meter(out, "after", (double)c->suppressed / (double)c->budget,
                       "suppressed people against the budget");
    } else {
        pv_i_buffer_text(out, c->suppressed > 0 ? "rows that are <code>*</code> throughout"
                                                : "none were allowed");
    }
    pv_i_page_figure_end(out);
}

static void detail_lost(pv_buffer *out, const pv_certificate *c)
{
    const double loss = pv_i_page_loss(c);
    if (loss >= 0) {
        pv_i_page_figure_begin(out, "Detail lost");
        pv_i_markup_percent(out, loss);
        pv_i_page_figure_note(out);
        pv_i_buffer_text(out, "over all cells");
        pv_i_svg_meter(out, "after", loss, "share of the detail lost");
        pv_i_page_figure_end(out);
    }
}

void pv_i_page_figures(pv_buffer *out, const pv_certificate *c)
{
    pv_i_buffer_text(out, "<dl class=\"figures\">\n");
    smallest_group(out, c);
    risk(out, c, "Highest risk", c->before.risk_max, c->after.risk_max);
    risk(out, c, "Average risk", c->before.risk_mean, c->after.risk_mean);
    unique_people(out, c);
    hidden_people(out, c);
    detail_lost(out, c);
    pv_i_buffer_text(out, "</dl>\n");
}

/* ---------------------------------------------------------------------- pictures */

enum { SIZES = PV_EXPOSURE_BINS + 1, WIDTH = 460 };

static void legend(pv_buffer *out)
{
    pv_i_buffer_text(out, "<div class=\"legend\"><span><i class=\"b\"></i>before</span>"
                          "<span><i class=\"a\"></i>after</span></div>\n");
}

/* People by the size of their group; who was suppressed is a row of its own, so that both states
 * add up to the table. */
static void sizes_picture(pv_buffer *out, const pv_certificate *c)
{
    const char *names[SIZES];
    double before[SIZES];
    double after[SIZES];
    for (size_t bin = 0; bin < PV_EXPOSURE_BINS; bin++) {
        names[bin] = pv_exposure_bin_name(bin);
        before[bin] = (double)c->before.histogram[bin];
        after[bin] = (double)c->after.histogram[bin];
    }
    names[0] = "alone";
    names[PV_EXPOSURE_BINS] = "suppressed";
    before[PV_EXPOSURE_BINS] = -1;
    after[PV_EXPOSURE_BINS] = (double)c->suppressed;
    const pv_svg_series both[] = {{"before", before}, {"after", after}};
    pv_i_page_picture_begin(out, "How many look alike",
                            "People by the number who share their combination");
    if (c->for_publisher) {
        legend(out);
    }
    pv_i_svg_bars(out, &(pv_svg_bars){
                           .title = "people by the size of their group",
                           .width = WIDTH,
                           .label_width = 82,
                           .unit = PV_SVG_COUNT,
                           .categories = names,
                           .n_categories = SIZES,
                           .series = c->for_publisher ? both : both + 1,
                           .n_series = c->for_publisher ? 2 : 1,
                       });
    pv_i_page_picture_end(out);
}

static double share_of(uint64_t part, uint64_t whole)
{
    return whole > 0 ? (double)part / (double)whole : 0;
}

/* People by size of group, summed: those whose risk is above one in `size`. Bins begin at 1, 2, 3,
 * 5, ...: the first `bins` of them are the groups smaller than the next one's begin. */
static double share_in_bins(const pv_certificate_crowd *crowd, size_t bins)
{
    uint64_t inside = 0;
    uint64_t all = 0;
    for (size_t bin = 0; bin < PV_EXPOSURE_BINS; bin++) {
        inside += bin < bins ? crowd->histogram[bin] : 0;
        all += crowd->histogram[bin];
    }
    return share_of(inside, all);
}

static void risk_values(const pv_certificate_crowd *crowd, double *values)
{
    values[0] = crowd->risk_max;
    values[1] = crowd->risk_mean;
    values[2] = share_in_bins(crowd, 1);
    values[3] = share_in_bins(crowd, 3);
    values[4] = share_in_bins(crowd, 4);
}

static void risk_picture(pv_buffer *out, const pv_certificate *c)
{
    static const char *const names[] = {"highest risk", "average risk", "alone", "fewer than 5",
                                        "fewer than 10"};
    enum { ROWS = sizeof names / sizeof *names };
    double before[ROWS];
    double after[ROWS];
    risk_values(&c->before, before);
    risk_values(&c->after, after);
    const pv_svg_series both[] = {{"before", before}, {"after", after}};
    pv_i_page_picture_begin(
        out, "Risk of being picked out",
        "For someone whose combination is known; below, the share of people in small groups");
    if (c->for_publisher) {
        legend(out);
    }
    pv_i_svg_bars(out, &(pv_svg_bars){
                           .title = "risk of being picked out",
                           .width = WIDTH,
                           .label_width = 96,
                           .unit = PV_SVG_PERCENT,
                           .categories = names,
                           .n_categories = ROWS,
                           .series = c->for_publisher ? both : both + 1,
                           .n_series = c->for_publisher ? 2 : 1,
                       });
    pv_i_page_picture_end(out);
}

/* The budget as a track, what was used of it as its filling. */
static void budget_picture(pv_buffer *out, const pv_certificate *c)
{
    enum { HEIGHT = 44, TRACK = 16, BASELINE = 34 };
    const double used = c->budget > 0 ? fmin(share_of(c->suppressed, c->budget), 1) : 0;
    pv_i_page_picture_begin(out, "Suppressed people",
                            "Hidden altogether, so that the others could keep more");
    pv_i_svg_begin(out, WIDTH, HEIGHT, "chart", "suppressed people against the budget");
    pv_i_svg_rect(out, "track", (pv_svg_box){0, 0, WIDTH, TRACK}, 3);
    if (used > 0) {
        pv_i_svg_rect(out, "after", (pv_svg_box){0, 0, fmax(used * WIDTH, 3), TRACK}, 3);
    }
    pv_i_svg_text_begin(out, "name", PV_SVG_START, 0, BASELINE);
    pv_i_buffer_count(out, c->suppressed);
    pv_i_buffer_text(out, " suppressed (");
    pv_i_markup_percent(out, share_of(c->suppressed, c->rows));
    pv_i_buffer_text(out, " of all)");
    pv_i_svg_text_end(out);
    pv_i_svg_text_begin(out, "name", PV_SVG_END, WIDTH, BASELINE);
    pv_i_buffer_count(out, c->budget);
    pv_i_buffer_text(out, " allowed");
    pv_i_svg_text_end(out);
    pv_i_svg_end(out);
    pv_i_page_picture_end(out);
}

void pv_i_page_pictures(pv_buffer *out, const pv_certificate *c)
{
    pv_i_buffer_text(out, c->for_publisher
                              ? "<section><h2>Before and after</h2>\n<p class=\"lead\">"
                              : "<section><h2>How well people hide</h2>\n"
                                "<p class=\"lead\">");
    if (c->for_publisher) {
        pv_i_buffer_count(out, c->rows);
        pv_i_buffer_text(out, " people fell into ");
        pv_i_buffer_count(out, c->before.classes);
        pv_i_buffer_text(out, " groups of equal combinations; now ");
    }
    pv_i_buffer_count(out, c->rows - c->suppressed);
    pv_i_buffer_text(out, c->for_publisher ? " of them form " : " people form ");
    pv_i_buffer_count(out, c->after.classes);
    pv_i_buffer_text(out, c->after.classes == 1 ? " group" : " groups");
    pv_i_buffer_text(out, c->for_publisher ? ", and " : " of equal combinations, and ");
    pv_i_buffer_count(out, c->suppressed);
    pv_i_buffer_text(out, c->suppressed == 1 ? " is" : " are");
    pv_i_buffer_text(out,
                     c->left_out > 0 ? " suppressed and left out of the table" : " suppressed");
    if (c->drops_suppressed && !c->for_publisher) {
        pv_i_buffer_text(out, "; people who had to be suppressed are not in the file");
    }
    pv_i_buffer_text(out, ".</p>\n<div class=\"pictures\">\n");
    sizes_picture(out, c);
    pv_i_buffer_text(out, "<div class=\"stack\">\n");
    risk_picture(out, c);
    budget_picture(out, c);
    pv_i_buffer_text(out, "</div>\n</div></section>\n");
}
