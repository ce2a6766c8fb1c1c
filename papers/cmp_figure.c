/* Figure 1 of the paper: who is in a class of which size. */
#include "cmp_report.h"
#include "picture.h"

enum {
    WIDTH = 760,
    HEIGHT = 320,
    LEFT = 50,
    RIGHT = 24,
    TOP = 58,
    BOTTOM = 46,
};

static const char figure_style[] = ".line.three{stroke:var(--ink);stroke-dasharray:5 4}"
                                   ".dot.three{fill:var(--ink)}\n";
static const char *const looks[TABLES] = {"one", "two", "three"};
static const char *const dots[TABLES] = {"dot one", "dot two", "dot three"};

void cmp_draw_sizes(pv_buffer *svg, const tables *t)
{
    const pv_svg_axis x = pv_i_svg_axis(TUPLES, TUPLES, PV_SVG_COUNT, LEFT, WIDTH - RIGHT);
    const pv_svg_axis y = pv_i_svg_axis(8, 8, PV_SVG_COUNT, HEIGHT - BOTTOM, TOP);
    double tuples[TUPLES];
    for (size_t i = 0; i < TUPLES; i++) {
        tuples[i] = (double)(i + 1);
    }
    picture_begin(svg, WIDTH, HEIGHT, "size of the class of each tuple", figure_style);
    pv_i_svg_axis_y(svg, &y, x.from, x.to);
    pv_i_svg_axis_x(svg, &x, y.to, y.from);
    pv_i_svg_text(svg, "what", PV_SVG_START, 10, TOP - 18, "size of the class");
    pv_i_svg_text(svg, "what", PV_SVG_END, x.to, HEIGHT - 8, "tuple");
    for (size_t i = 0; i < TABLES; i++) {
        picture_key(svg, dots[i], 4, LEFT + 6 + 70 * (double)i, 16, cmp_tables[i]);
        picture_curve(svg, &(curve){looks[i], tuples, cmp_vector(t, i, SIZE), TUPLES}, &x, &y);
    }
    pv_i_svg_end(svg);
}
