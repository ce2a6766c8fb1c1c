/* The styles and scripts of pages and pictures: files of assets/, made part of the library by
 * cmake/embed.cmake. */
#ifndef PV_REPORT_ASSETS_H
#define PV_REPORT_ASSETS_H

#include "base/buffer.h"

#include <stddef.h>

typedef struct pv_asset {
    const char *text; /* ends with a zero byte that is not counted */
    size_t size;
} pv_asset;

/* Of all pages and pictures. */
extern const pv_asset pv_i_palette_css, pv_i_page_css, pv_i_chart_css, pv_i_page_js;
/* Of fronts; the brush narrows down a front of three and more objectives. */
extern const pv_asset pv_i_front_chart_css, pv_i_front_course_css, pv_i_front_file_css,
    pv_i_front_page_css, pv_i_front_many_css, pv_i_parallel_css, pv_i_brush_css, pv_i_brush_js;
/* Of risk curves, of ladders, and of comparisons. */
extern const pv_asset pv_i_risk_chart_css, pv_i_risk_file_css, pv_i_risk_page_css;
extern const pv_asset pv_i_ladder_chart_css;
extern const pv_asset pv_i_compare_chart_css, pv_i_compare_page_css;

static inline void pv_i_buffer_asset(pv_buffer *out, const pv_asset *asset)
{
    pv_i_buffer_bytes(out, asset->text, asset->size);
}

#endif
