/* What each kind of scheme loses at each k: a picture with a curve for each, and a page with the
 * numbers.
 *
 *     loss |            _.-#  one level per attribute
 *          |  #-----#-'
 *          |        _.-<>     cuts
 *          |  <>--<>
 *          |  o---o-----o     local recoding; the line under a mark reaches down to what is proven
 *          +--------------
 *             2   5    10  k (logarithmic) */
#include "front/ladder.h"

#include "base/file.h"
#include "base/markup.h"
#include "report/page_frame.h"
#include "report/svg.h"

#include <math.h>
#include <stdint.h>

enum { TICK_SPACE_X = 60, TICK_SPACE_Y = 40, DOT = 5, WIDTH = 780, HEIGHT = 430, EDGE = 10 };
enum { PAGE_WIDTH = 760, PAGE_HEIGHT = 420 };

typedef struct {
    const pv_ladder *ladder;
    double letters;
    pv_svg_axis x, y;
} plot;

static const pv_ladder_point *point_of(const pv_ladder *ladder, size_t kind, size_t i)
{
    const pv_ladder_curve *const curve = &ladder->curves[kind];
    return curve->searched && curve->points[i].scheme != NULL ? &curve->points[i] : NULL;
}

static double bound_share(const pv_ladder_point *point)
{
    return point->value > 0 ? point->share * point->bound / point->value : 0;
}

/* "local recoding at k 5: 2.8% of the detail lost, at most 15% above the optimum". Plain. */
static void point_words(pv_buffer *out, size_t kind, const pv_ladder_point *point)
{
    char gap[64];
    pv_gap_text(point->gap, PV_GAP_SENTENCE, gap, sizeof gap);
    pv_i_buffer_format(out, "%s at k %s: %s of the detail lost",
                       pv_scheme_kind_title((pv_scheme_kind)kind), PV_COUNT(point->k),
                       PV_PERCENT(point->share));
    if (point->gap <= 0) {
        pv_i_buffer_text(out, ", proven: nothing of its kind loses less");
    } else if (isfinite(point->gap)) {
        pv_i_buffer_format(out, ", %s", gap);
    }
    if (point->suppressed > 0) {
        pv_i_buffer_format(out, ", %s row%s suppressed", PV_COUNT(point->suppressed),
                           point->suppressed == 1 ? "" : "s");
    }
}

/* ----------------------------------------------------------------- drawing */

/* Shapes that differ without their colours: a square, a diamond, a circle. */
static void mark(pv_buffer *out, size_t kind, double x, double y)
{
    if (kind == PV_SCHEME_LEVELS) {
        pv_i_svg_rect(out, "dot", (pv_svg_box){x - DOT, y - DOT, 2 * DOT, 2 * DOT}, 0);
    } else if (kind == PV_SCHEME_CUTS) {
        const double r = DOT * 1.4;
        pv_i_svg_path_begin(out, "dot", x, y - r);
        pv_i_svg_path_to(out, x + r, y);
        pv_i_svg_path_to(out, x, y + r);
        pv_i_svg_path_to(out, x - r, y);
        pv_i_svg_path_to(out, x, y - r);
        pv_i_svg_path_end(out);
    } else {
        pv_i_svg_circle(out, "dot", x, y, DOT);
    }
}

static void draw_line(pv_buffer *out, const plot *p, size_t kind)
{
    bool drawing = false;
    for (size_t i = 0; i < p->ladder->n; i++) {
        const pv_ladder_point *const point = point_of(p->ladder, kind, i);
        if (point == NULL) {
            continue;
        }
        const double x = pv_i_svg_at(&p->x, (double)point->k);
        const double y = pv_i_svg_at(&p->y, point->share);
        if (drawing) {
            pv_i_svg_path_to(out, x, y);
        } else {
            pv_i_svg_path_begin(out, "curve", x, y);
        }
        drawing = true;
    }
    if (drawing) {
        pv_i_svg_path_end(out);
    }
}

static void draw_curve(pv_buffer *out, const plot *p, size_t kind)
{
    pv_i_buffer_format(out, "<g class=\"of-%s\">", pv_scheme_kind_name((pv_scheme_kind)kind));
    draw_line(out, p, kind);
    for (size_t i = 0; i < p->ladder->n; i++) {
        const pv_ladder_point *const point = point_of(p->ladder, kind, i);
        if (point == NULL) {
            continue;
        }
        const double x = pv_i_svg_at(&p->x, (double)point->k);
        const double y = pv_i_svg_at(&p->y, point->share);
        pv_i_buffer_format(out,
                           "<g class=\"step\" data-p=\"%zu-%zu\" tabindex=\"0\" role=\"img\">"
                           "<title>",
                           kind, i);
        point_words(out, kind, point);
        pv_i_buffer_text(out, "</title>");
        if (point->gap > 0 && isfinite(point->gap)) {
            pv_i_svg_line(out, "below", x, y, x, pv_i_svg_at(&p->y, bound_share(point)));
        }
        pv_i_svg_circle(out, "hit", x, y, DOT * 2.5);
        mark(out, kind, x, y);
        pv_i_buffer_text(out, "</g>\n");
    }
    pv_i_buffer_text(out, "</g>\n");
}

/* The last point of a curve; NULL = it has none. */
static const pv_ladder_point *end_of(const pv_ladder *ladder, size_t kind)
{
    const pv_ladder_point *end = NULL;
    for (size_t i = 0; i < ladder->n; i++) {
        const pv_ladder_point *const point = point_of(ladder, kind, i);
        end = point != NULL ? point : end;
    }
    return end;
}

/* Names at the ends of the curves, from the top down, moved apart where they would touch. */
static void draw_names(pv_buffer *out, const plot *p)
{
    size_t kinds[PV_N_SCHEME_KINDS];
    double places[PV_N_SCHEME_KINDS];
    size_t n = 0;
    for (size_t kind = 0; kind < PV_N_SCHEME_KINDS; kind++) {
        const pv_ladder_point *const end = end_of(p->ladder, kind);
        if (end == NULL) {
            continue;
        }
        const double at = pv_i_svg_at(&p->y, end->share);
        size_t place = n++;
        for (; place > 0 && places[place - 1] > at; place--) {
            places[place] = places[place - 1];
            kinds[place] = kinds[place - 1];
        }
        places[place] = at;
        kinds[place] = kind;
    }
    const size_t shown =
        pv_i_svg_spread(places, n, p->letters * 1.2, p->y.to + p->letters * 0.3, p->y.from);
    for (size_t i = 0; i < shown; i++) {
        const pv_ladder_point *const end = end_of(p->ladder, kinds[i]);
        pv_i_svg_line(out, "leader", pv_i_svg_at(&p->x, (double)end->k) + DOT + 3,
                      pv_i_svg_at(&p->y, end->share), p->x.to + 12, places[i]);
        pv_i_svg_text(out, "end", PV_SVG_START, p->x.to + 15, places[i] + p->letters * 0.33,
                      pv_scheme_kind_title((pv_scheme_kind)kinds[i]));
    }
}

static double name_width(const pv_ladder *ladder, double letters)
{
    double width = 0;
    for (size_t kind = 0; kind < PV_N_SCHEME_KINDS; kind++) {
        if (end_of(ladder, kind) != NULL) {
            width = fmax(width, pv_i_svg_text_width(pv_scheme_kind_title((pv_scheme_kind)kind),
                                                    letters * 1.1));
        }
    }
    return width;
}

/* What is above the axes, and the legend beside it: marks and names in the order of kinds. */
static void draw_legend(pv_buffer *out, const plot *p, pv_svg_box box)
{
    const double y = box.y + p->letters + 1;
    double x = box.x + box.width - 2;
    pv_i_svg_text(out, "what", PV_SVG_START, box.x + 2, y, "detail lost (less is better)");
    pv_i_svg_text(out, "what", PV_SVG_END, p->x.to, box.y + box.height - 8,
                  "k, logarithmic (more is better)");
    for (size_t kind = PV_N_SCHEME_KINDS; kind-- > 0;) {
        const char *const name = pv_scheme_kind_name((pv_scheme_kind)kind);
        if (end_of(p->ladder, kind) == NULL) {
            continue;
        }
        x -= pv_i_svg_text_width(name, p->letters);
        pv_i_svg_text(out, "key", PV_SVG_START, x, y, name);
        x -= DOT + 6;
        pv_i_buffer_format(out, "<g class=\"of-%s\">", name);
        mark(out, kind, x, y - p->letters * 0.33);
        pv_i_buffer_text(out, "</g>");
        x -= DOT + 16;
    }
}

static void chart(pv_buffer *out, const pv_ladder *ladder, double letters, pv_svg_box box)
{
    const double top = box.y + letters + 18;
    const double bottom = box.y + box.height - letters * 2.4 - 14;
    const double right = box.x + box.width - name_width(ladder, letters) - 20;
    plot p = {.ladder = ladder, .letters = letters};
    double least = (double)INFINITY;
    double most = 1;
    double loss = 0;
    for (size_t kind = 0; kind < PV_N_SCHEME_KINDS; kind++) {
        for (size_t i = 0; i < ladder->n; i++) {
            const pv_ladder_point *const point = point_of(ladder, kind, i);
            if (point != NULL) {
                least = fmin(least, (double)point->k);
                most = fmax(most, (double)point->k);
                loss = fmax(loss, point->share);
            }
        }
    }
    p.y = pv_i_svg_axis(loss > 0 ? loss : 1, (size_t)((bottom - top) / TICK_SPACE_Y),
                        PV_SVG_PERCENT, bottom, top);
    p.y.letters = letters * PV_SVG_TICK_LETTERS;
    const double left = box.x + fmax(pv_i_svg_tick_width(out, &p.y), 30) + 4;
    p.x = pv_i_svg_log_axis(isfinite(least) ? least : 1, fmax(most, least + 1),
                            (size_t)((right - left) / TICK_SPACE_X), left, right);
    p.x.letters = p.y.letters;
    pv_i_svg_axis_y(out, &p.y, p.x.from, p.x.to);
    pv_i_svg_axis_x(out, &p.x, p.y.to, p.y.from);
    draw_legend(out, &p, box);
    draw_names(out, &p);
    for (size_t kind = 0; kind < PV_N_SCHEME_KINDS; kind++) {
        if (ladder->curves[kind].searched) {
            draw_curve(out, &p, kind);
        }
    }
}

pv_status pv_ladder_svg(const pv_ladder *ladder, char **svg, pv_error *error)
{
    const pv_asset *const style[] = {&pv_i_palette_css, &pv_i_chart_css, &pv_i_ladder_chart_css,
                                     &pv_i_risk_file_css, NULL};
    pv_buffer out = {0};
    pv_i_svg_file_begin(&out, WIDTH, HEIGHT, "chart", "What each k costs", style);
    pv_i_buffer_text(&out, "<desc>k to the right, the detail that is lost upwards: a curve for "
                           "each kind of scheme, and a line under a point down to what is proven "
                           "that nothing can lose less than.</desc>");
    pv_i_svg_rect(&out, "paper", (pv_svg_box){0, 0, WIDTH, HEIGHT}, 0);
    chart(&out, ladder, PV_SVG_FILE_LETTERS,
          (pv_svg_box){EDGE, EDGE, WIDTH - 2 * EDGE, HEIGHT - 2 * EDGE});
    pv_i_svg_end(&out);
    return pv_i_buffer_take(&out, svg, error);
}

/* -------------------------------------------------------------------- page */

static void header(pv_buffer *out, const pv_ladder *ladder, const pv_profile *profile,
                   pv_error *error)
{
    const pv_table *const table = pv_study_table(pv_profile_study(profile));
    const bool whole = ladder->stop == PV_STOP_FINISHED;
    pv_i_page_header_begin(out, "Paravent: what each k costs",
                           pv_i_base_name(pv_table_source(table)),
                           whole ? PV_PAGE_GOOD : PV_PAGE_WARN);
    pv_i_buffer_format(out, "<h1>%sThe detail that is lost at each k</h1>\n",
                       whole ? "" : "<b>Not complete:</b> ");
    for (size_t i = 0; i < ladder->n; i++) {
        char *text = NULL;
        if (pv_ladder_sentence(ladder, i, &text, error) != PV_STATUS_OK) {
            out->failed = true;
            break;
        }
        pv_i_markup_between(out, "<p class=\"soft\">", text, ".</p>\n");
        pv_string_free(text);
    }
    for (size_t kind = 0; kind < PV_N_SCHEME_KINDS; kind++) {
        if (ladder->curves[kind].refusal != NULL) {
            pv_i_buffer_format(out, "<p class=\"soft\">Not searched: %s (",
                               pv_scheme_kind_title((pv_scheme_kind)kind));
            pv_i_markup_between(out, "", ladder->curves[kind].refusal, ").</p>\n");
        }
    }
    pv_i_page_header_end(out);
}

static void row(pv_buffer *out, size_t kind, size_t i, const pv_ladder_point *point)
{
    char gap[64];
    pv_gap_text(point->gap, PV_GAP_COLUMN, gap, sizeof gap);
    pv_i_buffer_format(out, "<tr data-p=\"%zu-%zu\"><th scope=\"row\">%s</th>", kind, i,
                       PV_COUNT(point->k));
    pv_i_page_cell(out, "scheme", "", pv_scheme_kind_title((pv_scheme_kind)kind));
    pv_i_page_cell(out, "detail lost", "n", PV_PERCENT(point->share));
    pv_i_page_cell(out, "not less than", "n", PV_PERCENT(bound_share(point)));
    pv_i_page_cell(out, "proven", "", gap);
    pv_i_page_cell(out, "suppressed", "n", PV_COUNT(point->suppressed));
    pv_i_buffer_text(out, "</tr>\n");
}

static void numbers(pv_buffer *out, const pv_ladder *ladder)
{
    pv_i_buffer_text(out, "<section><h2>All points</h2>\n<p class=\"lead\">Each is the least loss "
                          "found among the schemes of its kind, and says what is proven of it. "
                          "With local recoding every row has levels of its own: equal values may "
                          "be released differently, which an analysis must know.</p>\n");
    pv_i_page_table_begin(out, "<th scope=\"col\">k</th><th scope=\"col\">scheme</th>"
                               "<th scope=\"col\" class=\"n\">detail lost</th><th scope=\"col\" "
                               "class=\"n\">not less than</th><th scope=\"col\">proven</th>"
                               "<th scope=\"col\" class=\"n\">suppressed</th>");
    for (size_t i = 0; i < ladder->n; i++) {
        for (size_t kind = 0; kind < PV_N_SCHEME_KINDS; kind++) {
            const pv_ladder_point *const point = point_of(ladder, kind, i);
            if (point != NULL) {
                row(out, kind, i, point);
            }
        }
    }
    pv_i_page_table_end(out);
    pv_i_buffer_text(out, "</section>\n");
}

pv_status pv_ladder_page(const pv_ladder *ladder, const pv_profile *profile, char **html,
                         pv_error *error)
{
    const pv_asset *const styles[] = {&pv_i_ladder_chart_css, &pv_i_risk_page_css, NULL};
    const pv_table *const table = pv_study_table(pv_profile_study(profile));
    pv_buffer out = {0};
    pv_i_page_begin(&out, "What each k costs:", pv_i_base_name(pv_table_source(table)), styles);
    header(&out, ladder, profile, error);
    pv_i_buffer_text(&out, "<section><h2>What privacy costs</h2>\n<div class=\"pictures wide\">\n");
    pv_i_page_picture_begin(&out, "k against the detail lost",
                            "The line under a point reaches down to what is proven that nothing "
                            "of its kind can lose less than.");
    pv_i_svg_begin(&out, PAGE_WIDTH, PAGE_HEIGHT, "chart fit", "k against the detail lost");
    chart(&out, ladder, PV_SVG_PAGE_LETTERS, (pv_svg_box){0, 0, PAGE_WIDTH, PAGE_HEIGHT});
    pv_i_svg_end(&out);
    pv_i_page_picture_end(&out);
    pv_i_buffer_text(
        &out, "</div>\n<p class=\"hint\">Point at a point to read it; click it, or its row in the "
              "table below, to keep both marked; click again, or press Escape, to let go.</p>"
              "</section>\n");
    numbers(&out, ladder);
    pv_i_page_end_private(&out, "This page holds no value of the table.", NULL);
    return pv_i_buffer_take(&out, html, error);
}
