/* What the pictures of the reports have in common. */
#include "picture.h"

#include "base/markup.h"
#include "report.h"
#include "report/assets.h"

#include <string.h>

static const char common_style[] =
    ".paper{fill:var(--card)}\n"
    "text{font-family:system-ui,-apple-system,\"Segoe UI\",Roboto,\"Helvetica Neue\",Arial,"
    "sans-serif;font-variant-numeric:tabular-nums}\n"
    ".chart .what{fill:var(--soft)}\n"
    ".truth{fill:none;stroke:var(--after);stroke-width:2}\n"
    ".line{fill:none;stroke-width:2}\n"
    ".line.one{stroke:var(--before)}.dot.one{fill:var(--before)}\n"
    ".line.two{stroke:var(--after)}.dot.two{fill:var(--after)}\n";

void picture_begin(pv_buffer *svg, double width, double height, const char *title,
                   const char *style)
{
    const pv_asset common = {common_style, sizeof common_style - 1};
    const pv_asset own = {style, strlen(style)};
    const pv_asset *const styles[] = {&pv_i_palette_css, &pv_i_chart_css, &common, &own, NULL};
    pv_i_svg_file_begin(svg, width, height, "chart", title, styles);
    pv_i_svg_rect(svg, "paper", (pv_svg_box){0, 0, width, height}, 0);
}

void picture_curve(pv_buffer *svg, const curve *c, const pv_svg_axis *x, const pv_svg_axis *y)
{
    pv_buffer line = {0};
    pv_buffer dot = {0};
    pv_i_buffer_format(&line, "line %s", c->class_name);
    pv_i_buffer_format(&dot, "dot %s", c->class_name);
    require(!line.failed && !dot.failed, "out of memory");
    for (size_t i = 0; i < c->n; i++) {
        const double at_x = pv_i_svg_at(x, c->xs[i]);
        const double at_y = pv_i_svg_at(y, c->ys[i]);
        if (i == 0) {
            pv_i_svg_path_begin(svg, line.data, at_x, at_y);
        } else {
            pv_i_svg_path_to(svg, at_x, at_y);
        }
    }
    pv_i_svg_path_end(svg);
    for (size_t i = 0; i < c->n; i++) {
        pv_i_svg_circle(svg, dot.data, pv_i_svg_at(x, c->xs[i]), pv_i_svg_at(y, c->ys[i]), 4);
    }
    pv_i_buffer_char(svg, '\n');
    pv_i_buffer_deinit(&line);
    pv_i_buffer_deinit(&dot);
}

void picture_key(pv_buffer *svg, const char *class_name, double radius, double x, double y,
                 const char *name)
{
    pv_i_svg_circle(svg, class_name, x, y, radius);
    pv_i_svg_text(svg, "tick", PV_SVG_START, x + 10, y + 4, name);
}
