/* The front as a picture in a file of its own. */
#include "report/front_chart.h"
#include "report/page_frame.h"
#include "report/parallel.h"

enum { WIDTH = 780, HEIGHT = 450, WIDE = 960, TALL = 500, EDGE = 10 };

static pv_svg_box inner(double y, double width, double height)
{
    return (pv_svg_box){EDGE, y + EDGE, width - 2 * EDGE, height - 2 * EDGE};
}

pv_status pv_front_svg(const pv_front *front, const pv_profile *profile, char **svg,
                       pv_error *error)
{
    const bool many = front->n_objectives > 2;
    const pv_asset *const style[] = {&pv_i_palette_css,
                                     &pv_i_chart_css,
                                     &pv_i_front_chart_css,
                                     &pv_i_front_file_css,
                                     many ? &pv_i_parallel_css : NULL,
                                     NULL};
    const double width = many ? WIDE : WIDTH;
    const double height = many ? HEIGHT + TALL : HEIGHT;
    pv_buffer out = {0};
    pv_i_svg_file_begin(&out, width, height, "chart",
                        many ? "The trade-off front of several objectives" : "The trade-off front",
                        style);
    if (many) {
        pv_i_parallel_description(&out, front);
    } else {
        pv_i_front_chart_description(&out, front, profile, pv_front_price(front));
    }
    pv_i_svg_rect(&out, "paper", (pv_svg_box){0, 0, width, height}, 0);
    pv_i_front_chart(&out, front, profile, pv_front_price(front), PV_SVG_FILE_LETTERS,
                     inner(0, width, HEIGHT));
    if (many) {
        pv_i_parallel(&out, front, profile, inner(HEIGHT, width, TALL));
    }
    pv_i_svg_end(&out);
    return pv_i_buffer_take(&out, svg, error);
}
