/* The front as a picture in a file of its own. */
#include "base/page_frame.h"
#include "front/front_chart.h"

enum { WIDTH = 780, HEIGHT = 450, EDGE = 10 };

static const char file_style[] =
    ".paper{fill:var(--card)}\n"
    "text{font-family:system-ui,-apple-system,\"Segoe UI\",Roboto,\"Helvetica Neue\",Arial,"
    "sans-serif;font-variant-numeric:tabular-nums}\n";

pv_status pv_front_svg(const pv_front *front, const pv_profile *profile, char **svg,
                       pv_error *error)
{
    const char *const style[] = {pv_i_page_palette, pv_i_page_chart_style, pv_i_front_chart_style,
                                 file_style, NULL};
    const double height = HEIGHT * (double)(front->n_objectives - 1);
    pv_buffer out = {0};
    pv_i_svg_file_begin(&out, WIDTH, height, "chart", "the trade-off front", style);
    pv_i_svg_rect(&out, "paper", (pv_svg_box){0, 0, WIDTH, height}, 0);
    for (size_t i = 1; i < front->n_objectives; i++) {
        pv_i_front_chart(&out, front, profile, i,
                         (pv_svg_box){EDGE, HEIGHT * (double)(i - 1) + EDGE, WIDTH - 2 * EDGE,
                                      HEIGHT - 2 * EDGE});
    }
    pv_i_svg_end(&out);
    return pv_i_buffer_take(&out, svg, error);
}
