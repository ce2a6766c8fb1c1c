/* How a search went. Schemes measured, not seconds: the same search gives the same picture. */
#include "report/front_course.h"

#include "base/markup.h"
#include "report/page_frame.h"
#include "report/svg.h"

#include <math.h>

enum { WIDTH = 680, HEIGHT = 210, LEFT = 62, RIGHT = 22, TOP = 30, BOTTOM = 48 };

#define NEARLY 0.99 /* of the final hypervolume */

const char pv_i_course_style[] = ".course{fill:none;stroke:var(--after);stroke-width:2}\n";

static const pv_moment *final_moment(const pv_front *front)
{
    return &front->moments[front->n_moments - 1];
}

static double largest_hypervolume(const pv_front *front)
{
    double largest = 0;
    for (size_t i = 0; i < front->n_moments; i++) {
        largest = fmax(largest, front->moments[i].hypervolume);
    }
    return largest;
}

/* The first moment with nearly all of the final hypervolume. */
static const pv_moment *nearly_there(const pv_front *front)
{
    const double enough = NEARLY * final_moment(front)->hypervolume;
    const pv_moment *moment = front->moments;
    while (moment->hypervolume < enough) {
        moment++;
    }
    return moment;
}

/* The last moment with more than the one before. */
static const pv_moment *last_growth(const pv_front *front)
{
    size_t at = front->n_moments - 1;
    while (at > 0 && front->moments[at].hypervolume <= front->moments[at - 1].hypervolume) {
        at--;
    }
    return &front->moments[at];
}

static void sentence(pv_buffer *out, const pv_front *front)
{
    pv_i_buffer_text(out, "Of the space between the ends of the lattice the points dominate ");
    pv_i_markup_percent(out, final_moment(front)->hypervolume);
    pv_i_buffer_text(out, " (their hypervolume): 99% of that was reached after ");
    pv_i_buffer_count(out, (uint64_t)nearly_there(front)->evaluated);
    pv_i_buffer_text(out, " schemes, and it last grew after ");
    pv_i_buffer_count(out, (uint64_t)last_growth(front)->evaluated);
    pv_i_buffer_text(out, " of ");
    pv_i_buffer_count(out, front->evaluated);
    pv_i_buffer_char(out, '.');
}

/* What is known stays true until the next moment. */
static void draw_course(pv_buffer *out, const pv_front *front, const pv_svg_axis *x,
                        const pv_svg_axis *y)
{
    double level = pv_i_svg_at(y, front->moments[0].hypervolume);
    pv_i_svg_path_begin(out, "course", pv_i_svg_at(x, (double)front->moments[0].evaluated), level);
    for (size_t i = 1; i < front->n_moments; i++) {
        const double at = pv_i_svg_at(x, (double)front->moments[i].evaluated);
        pv_i_svg_path_to(out, at, level);
        level = pv_i_svg_at(y, front->moments[i].hypervolume);
        pv_i_svg_path_to(out, at, level);
    }
    pv_i_svg_path_end(out);
}

void pv_i_front_course(pv_buffer *out, const pv_front *front)
{
    if (front->n_moments == 0) {
        return;
    }
    pv_svg_axis x =
        pv_i_svg_log_axis((double)front->moments[0].evaluated,
                          (double)final_moment(front)->evaluated, 12, LEFT, WIDTH - RIGHT);
    pv_svg_axis y =
        pv_i_svg_range_axis(0, largest_hypervolume(front), 4, PV_SVG_PERCENT, HEIGHT - BOTTOM, TOP);
    x.letters = y.letters = PV_SVG_PAGE_LETTERS * PV_SVG_TICK_LETTERS;
    pv_i_buffer_text(out, "<figure class=\"how\"><figcaption>How the search went<span>");
    sentence(out, front);
    pv_i_buffer_text(out, "</span></figcaption>\n");
    pv_i_svg_begin(out, WIDTH, HEIGHT, "chart fit", "hypervolume over schemes measured");
    pv_i_svg_axis_y(out, &y, x.from, x.to);
    pv_i_svg_axis_x(out, &x, TOP, HEIGHT - BOTTOM);
    pv_i_svg_text(out, "what", PV_SVG_START, 2, 17, "hypervolume");
    pv_i_svg_text(out, "what", PV_SVG_END, WIDTH - RIGHT, HEIGHT - 6,
                  "schemes measured, logarithmic");
    draw_course(out, front, &x, &y);
    pv_i_svg_end(out);
    pv_i_page_picture_end(out);
}
