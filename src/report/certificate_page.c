/* The certificate for people: one page that needs nothing but itself.
 *
 * It is read from the top by someone with little time: the verdict in one sentence, six figures,
 * three pictures; then attribute by attribute what was given up; then everything measured, how it
 * was checked, and what it does not promise. The publisher's report is the same page with what the
 * original was like beside it (`for_publisher`). */
#include "base/error.h"
#include "base/file.h"
#include "base/markup.h"
#include "report/certificate.h"
#include "report/page_frame.h"
#include "report/svg.h"

#include <math.h>
#include <string.h>

/* --------------------------------------------------------- shared by sections */

/* "k", "l-recursive(2)" */
static void measure_name(pv_buffer *out, pv_measure_ref ref)
{
    char name[PV_MEASURE_TEXT_SIZE];
    pv_measure_text(ref, name, sizeof name);
    pv_i_markup_text(out, name);
}

/* "k >= 5" with proper signs */
static void constraint_text(pv_buffer *out, const pv_constraint *constraint)
{
    const bool more = constraint->ref.measure->direction == PV_MORE_IS_BETTER;
    measure_name(out, constraint->ref);
    pv_i_buffer_format(out, " %s %s", more ? "&ge;" : "&le;", PV_FIGURE(constraint->bound));
}

/* By registry name; NULL if it is not there or unavailable. */
static const pv_certificate_measure *find_measure(const pv_certificate *c, const char *name)
{
    for (size_t i = 0; i < c->n_measures; i++) {
        if (c->measures[i].available && strcmp(c->measures[i].ref.measure->name, name) == 0) {
            return &c->measures[i];
        }
    }
    return NULL;
}

/* ----------------------------------------------------------------- the verdict */

static void broken(pv_buffer *out, const pv_certificate_demand *demands, size_t n)
{
    const char *separator = "";
    for (size_t i = 0; i < n; i++) {
        if (!demands[i].holds) {
            pv_i_buffer_text(out, separator);
            constraint_text(out, &demands[i].constraint);
            separator = ", ";
        }
    }
}

static void headline(pv_buffer *out, const pv_certificate *c, pv_verdict verdict)
{
    switch (verdict) {
    case PV_VERDICT_UNMET:
        pv_i_buffer_text(out, "<b>Not met:</b> ");
        broken(out, c->demands, c->n_demands);
        pv_i_buffer_text(out, " was demanded and does not hold");
        break;
    case PV_VERDICT_WEAKER:
        pv_i_buffer_text(out, "<b>Weaker than promised:</b> ");
        broken(out, c->promises, c->n_promises);
        pv_i_buffer_text(out, " no longer holds for these rows");
        break;
    case PV_VERDICT_EXPOSED:
        pv_i_buffer_format(out, "<b>Not anonymous:</b> %s %s still alone with their combination",
                           PV_COUNT(c->after.unique_rows),
                           c->after.unique_rows == 1 ? "person is" : "people are");
        break;
    case PV_VERDICT_ACCEPTED:
        pv_i_buffer_text(out, "<b>Accepted exposure:</b> whoever knows ");
        pv_i_page_name(out, pv_i_certificate_accepted(c));
        pv_i_buffer_text(out, " of a person may find their row, which the publisher accepted; by "
                              "their combination nobody is alone");
        break;
    default:
        pv_i_buffer_format(out,
                           "<b>Verified:</b> every released person shares their combination with "
                           "at least %s other%s",
                           PV_COUNT(c->k - 1), c->k == 2 ? "" : "s");
    }
    pv_i_buffer_format(out, " (k&nbsp;=&nbsp;%s)", PV_COUNT(c->k));
}

static void verdict_section(pv_buffer *out, const pv_certificate *c)
{
    static const pv_page_mood moods[PV_VERDICT_COUNT] = {
        [PV_VERDICT_VERIFIED] = PV_PAGE_GOOD, [PV_VERDICT_ACCEPTED] = PV_PAGE_WARN,
        [PV_VERDICT_EXPOSED] = PV_PAGE_WARN,  [PV_VERDICT_WEAKER] = PV_PAGE_WARN,
        [PV_VERDICT_UNMET] = PV_PAGE_BAD,
    };
    const pv_verdict verdict = pv_i_certificate_verdict(c);
    pv_i_page_header_begin(out,
                           c->for_publisher ? "Paravent publisher's report, not for publication"
                                            : "Paravent release certificate",
                           pv_i_base_name(c->released), moods[verdict]);
    pv_i_buffer_text(out, "<h1>");
    headline(out, c, verdict);
    pv_i_buffer_text(out, "</h1>\n<p class=\"soft\">A combination is ");
    for (size_t i = 0; i < c->n_attributes; i++) {
        pv_i_buffer_text(out, i == 0 ? "" : i + 1 < c->n_attributes ? ", " : " and ");
        pv_i_page_name(out, c->attributes[i].name);
    }
    pv_i_buffer_text(out, ": what someone may already know about a person.</p>\n");
    pv_i_page_header_end(out);
}

/* ------------------------------------------------------------------ key figures */

/* `before` is for the publisher; everybody else reads what the figure means. */
static void figure(pv_buffer *out, const pv_certificate *c, const char *what, const char *value,
                   const char *before, const char *meaning)
{
    pv_i_page_figure_begin(out, what, value, c->for_publisher ? "before: " : meaning);
    pv_i_buffer_text(out, c->for_publisher ? before : "");
    pv_i_page_figure_end(out);
}

static void suppressed_figure(pv_buffer *out, const pv_certificate *c)
{
    pv_i_page_figure_begin(out, "Suppressed", PV_COUNT(c->suppressed), "");
    if (c->budget > 0) {
        pv_i_buffer_format(out, "of %s allowed", PV_COUNT(c->budget));
        pv_i_svg_meter(out, "after", (double)c->suppressed / (double)c->budget,
                       "suppressed people against the budget");
    } else {
        pv_i_buffer_text(out, c->suppressed > 0 ? "rows that are <code>*</code> throughout"
                                                : "none were allowed");
    }
    pv_i_page_figure_end(out);
}

static void figures(pv_buffer *out, const pv_certificate *c)
{
    const pv_certificate_measure *const glm = find_measure(c, "glm");
    const double cells = (double)c->rows * (double)c->n_attributes;
    const double smallest_before = c->before.risk_max > 0 ? round(1 / c->before.risk_max) : 0;
    pv_i_buffer_text(out, "<dl class=\"figures\">\n");
    figure(out, c, "Smallest group", PV_COUNT(c->k), PV_FIGURE(smallest_before),
           "people look alike, at least");
    figure(out, c, "Highest risk", PV_PERCENT(c->after.risk_max), PV_PERCENT(c->before.risk_max),
           "of being picked out");
    figure(out, c, "Average risk", PV_PERCENT(c->after.risk_mean), PV_PERCENT(c->before.risk_mean),
           "of being picked out");
    figure(out, c, "Unique people", PV_COUNT(c->after.unique_rows), PV_COUNT(c->before.unique_rows),
           "by their combination");
    suppressed_figure(out, c);
    if (glm != NULL && cells > 0 && glm->after >= 0) { /* suppressed cells are lost, too */
        pv_i_page_figure_begin(out, "Detail lost", PV_PERCENT(glm->after / cells),
                               "over all cells");
        pv_i_svg_meter(out, "after", glm->after / cells, "share of the detail lost");
        pv_i_page_figure_end(out);
    }
    pv_i_buffer_text(out, "</dl>\n");
}

/* ---------------------------------------------------------------------- pictures */

enum { SIZES = PV_EXPOSURE_BINS + 1, WIDTH = 460 };

static double share_of(uint64_t part, uint64_t whole)
{
    return whole > 0 ? (double)part / (double)whole : 0;
}

/* The publisher sees both series, before and after; the public one only the second. */
static void bars_picture(pv_buffer *out, const pv_certificate *c, const char *caption,
                         const char *note, pv_svg_bars bars, const double *before,
                         const double *after)
{
    const pv_svg_series both[] = {{"before", before}, {"after", after}};
    bars.width = WIDTH;
    bars.series = c->for_publisher ? both : both + 1;
    bars.n_series = c->for_publisher ? 2 : 1;
    pv_i_page_picture_begin(out, caption, note);
    if (c->for_publisher) {
        pv_i_buffer_text(out, "<div class=\"legend\"><span><i class=\"b\"></i>before</span>"
                              "<span><i class=\"a\"></i>after</span></div>\n");
    }
    pv_i_svg_bars(out, &bars);
    pv_i_page_picture_end(out);
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
    bars_picture(out, c, "How many look alike", "People by the number who share their combination",
                 (pv_svg_bars){.title = "people by the size of their group",
                               .label_width = 82,
                               .unit = PV_SVG_COUNT,
                               .categories = names,
                               .n_categories = SIZES},
                 before, after);
}

/* The share of people in the first `bins` bins of the histogram. Bins begin at 1, 2, 3, 5, 10, ...:
 * the first 3 are groups smaller than 5, the first 4 smaller than 10. */
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

static void risk_picture(pv_buffer *out, const pv_certificate *c)
{
    static const char *const names[] = {"highest risk", "average risk", "alone", "fewer than 5",
                                        "fewer than 10"};
    enum { ROWS = sizeof names / sizeof *names };
    const pv_certificate_crowd *const crowds[] = {&c->before, &c->after};
    double values[2][ROWS];
    for (size_t i = 0; i < 2; i++) {
        values[i][0] = crowds[i]->risk_max;
        values[i][1] = crowds[i]->risk_mean;
        values[i][2] = share_in_bins(crowds[i], 1);
        values[i][3] = share_in_bins(crowds[i], 3);
        values[i][4] = share_in_bins(crowds[i], 4);
    }
    bars_picture(
        out, c, "Risk of being picked out",
        "For someone whose combination is known; below, the share of people in small groups",
        (pv_svg_bars){.title = "risk of being picked out",
                      .label_width = 96,
                      .unit = PV_SVG_PERCENT,
                      .categories = names,
                      .n_categories = ROWS},
        values[0], values[1]);
}

/* The budget as a track, what was used of it as its filling. */
static void budget_picture(pv_buffer *out, const pv_certificate *c)
{
    enum { HEIGHT = 44, TRACK = 16, BASELINE = 34 };
    const double used = fmin(share_of(c->suppressed, c->budget), 1);
    pv_i_page_picture_begin(out, "Suppressed people",
                            "Hidden altogether, so that the others could keep more");
    pv_i_svg_begin(out, WIDTH, HEIGHT, "chart", "suppressed people against the budget");
    pv_i_svg_rect(out, "track", (pv_svg_box){0, 0, WIDTH, TRACK}, 3);
    if (used > 0) {
        pv_i_svg_rect(out, "after", (pv_svg_box){0, 0, fmax(used * WIDTH, 3), TRACK}, 3);
    }
    pv_i_svg_text_begin(out, "name", PV_SVG_START, 0, BASELINE);
    pv_i_buffer_format(out, "%s suppressed (%s of all)", PV_COUNT(c->suppressed),
                       PV_PERCENT(share_of(c->suppressed, c->rows)));
    pv_i_svg_text_end(out);
    pv_i_svg_text_begin(out, "name", PV_SVG_END, WIDTH, BASELINE);
    pv_i_buffer_format(out, "%s allowed", PV_COUNT(c->budget));
    pv_i_svg_text_end(out);
    pv_i_svg_end(out);
    pv_i_page_picture_end(out);
}

static void pictures(pv_buffer *out, const pv_certificate *c)
{
    pv_i_buffer_format(out, "<section><h2>%s</h2>\n<p class=\"lead\">",
                       c->for_publisher ? "Before and after" : "How well people hide");
    if (c->for_publisher) {
        pv_i_buffer_format(out, "%s people fell into %s groups of equal combinations; now ",
                           PV_COUNT(c->rows), PV_COUNT(c->before.classes));
    }
    pv_i_buffer_format(
        out, "%s %s %s group%s%s and %s %s suppressed", PV_COUNT(c->rows - c->suppressed),
        c->for_publisher ? "of them form" : "people form", PV_COUNT(c->after.classes),
        c->after.classes == 1 ? "" : "s", c->for_publisher ? "," : " of equal combinations,",
        PV_COUNT(c->suppressed), c->suppressed == 1 ? "is" : "are");
    pv_i_buffer_text(out, c->left_out > 0 ? " and left out of the table" : "");
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

/* ------------------------------------------------------------------ attributes */

/* How far the hierarchy was climbed: for all alike; record by record on average, which is for the
 * publisher, or as anyone can count it in the release. */
static void level_cell(pv_buffer *out, const pv_certificate *c, const pv_certificate_attribute *a)
{
    pv_i_page_cell_begin(out, "level", "");
    pv_i_buffer_text(out, "<div>");
    if (a->at_level != NULL && !c->for_publisher) {
        const uint64_t all = a->shown_raw + a->shown_coarser + a->shown_starred;
        pv_i_buffer_format(out,
                           "<span class=\"soft small\">%s as it was, %s coarser, %s "
                           "<code>*</code></span>",
                           PV_PERCENT(share_of(a->shown_raw, all)),
                           PV_PERCENT(share_of(a->shown_coarser, all)),
                           PV_PERCENT(share_of(a->shown_starred, all)));
    } else if (a->is_height_private && a->level < a->height) {
        pv_i_buffer_format(out, "<span class=\"soft small\">level %u</span>", a->level);
    } else if (a->is_height_private) {
        pv_i_buffer_text(out, "<span class=\"soft small\">the top</span>");
    } else if (a->at_level != NULL) {
        double sum = 0;
        double rows = 0;
        for (unsigned level = 0; level <= a->height; level++) {
            sum += (double)a->at_level[level] * level;
            rows += (double)a->at_level[level];
        }
        const double mean = rows > 0 ? sum / rows : 0;
        pv_i_svg_steps(out, (unsigned)(mean + 0.5), a->height, "levels climbed on average");
        pv_i_buffer_format(out, "<span class=\"soft small\">%.1f of %u on average</span>", mean,
                           a->height);
    } else {
        pv_i_svg_steps(out, a->level, a->height, "levels climbed");
        pv_i_buffer_format(out, "<span class=\"soft small\">%u of %u</span>", a->level, a->height);
    }
    pv_i_buffer_text(out, "</div>");
    pv_i_page_cell_end(out);
}

static void examples(pv_buffer *out, const pv_certificate_attribute *a)
{
    for (size_t i = 0; i < a->n_examples; i++) {
        pv_i_buffer_text(out, "<span class=\"chip\">");
        pv_i_page_name(out, a->examples[i]);
        pv_i_buffer_text(out, "</span>");
    }
    if (a->groups_after > a->n_examples && a->n_examples > 0) {
        pv_i_buffer_text(out, "<span class=\"soft small\">&hellip;</span>");
    }
}

static void released_as_cell(pv_buffer *out, const pv_certificate_attribute *a)
{
    pv_i_page_cell_begin(out, "released as", "wide");
    if (a->at_level != NULL) {
        pv_i_buffer_text(out, "<span class=\"soft\">record by record</span> ");
        examples(out, a);
    } else if (a->level == 0) {
        pv_i_buffer_text(out, "<span class=\"soft\">as it was</span>");
    } else if (a->level >= a->height) {
        pv_i_buffer_text(out, "<span class=\"soft\">not at all: always</span> <span "
                              "class=\"chip\">*</span>");
    } else {
        examples(out, a);
    }
    pv_i_page_cell_end(out);
}

/* The kinds of hierarchies in the words of someone who did not write the plan. */
static const char *kind_phrase(const char *kind)
{
    static const char *const phrases[PV_HIERARCHY_KIND_COUNT] = {
        [PV_HIERARCHY_SUPPRESS] = "the value or *",   [PV_HIERARCHY_ROWS] = "given groups",
        [PV_HIERARCHY_INTERVALS] = "wider intervals", [PV_HIERARCHY_MASK] = "fewer characters",
        [PV_HIERARCHY_DATE] = "longer periods",       [PV_HIERARCHY_ORDER] = "neighbours together",
        [PV_HIERARCHY_RARE] = "rare values together", [PV_HIERARCHY_BREAKS] = "chosen ranges",
    };
    for (int i = 0; i < PV_HIERARCHY_KIND_COUNT; i++) {
        if (strcmp(pv_hierarchy_kind_name((pv_hierarchy_kind)i), kind) == 0) {
            return phrases[i];
        }
    }
    return kind;
}

/* The head of a row: a name, and smaller what kind of thing it is. */
static void row_head(pv_buffer *out, const char *name, const char *kind)
{
    pv_i_buffer_text(out, "<tr><th scope=\"row\">");
    pv_i_page_name(out, name);
    pv_i_markup_between(out, " <span class=\"soft small kind\">", kind, "</span></th>");
}

static void attribute_row(pv_buffer *out, const pv_certificate *c,
                          const pv_certificate_attribute *a)
{
    row_head(out, a->name, kind_phrase(a->hierarchy));
    level_cell(out, c, a);
    pv_i_page_cell_begin(out, "values", "n");
    pv_i_buffer_text(out, "<span>");
    if (c->for_publisher) {
        pv_i_buffer_format(out, "%s <span class=\"arrow\">&rarr;</span> ",
                           PV_COUNT(a->groups_before));
    }
    pv_i_buffer_format(out, "%s</span></td>", PV_COUNT(a->groups_after));
    if (c->for_publisher) {
        pv_i_page_cell_begin(out, "detail lost", "");
        pv_i_buffer_text(out, "<div>");
        pv_i_svg_meter(out, "after", a->loss, "detail lost");
        pv_i_buffer_format(out, "<span class=\"soft small\">%s</span></div></td>",
                           PV_PERCENT(a->loss));
    }
    released_as_cell(out, a);
    pv_i_buffer_text(out, "</tr>\n");
}

/* What it means for whoever analyses the table that rows have levels of their own. */
static void own_levels(pv_buffer *out, const pv_certificate *c)
{
    uint64_t n_cells = 0;
    if (!pv_i_certificate_is_local(c)) {
        return;
    }
    const uint64_t stars = pv_i_certificate_stars(c, &n_cells);
    pv_i_markup_between(out, "<p class=\"lead after-table\">", pv_i_certificate_recoding(c),
                        "</p>\n");
    if (pv_i_certificate_is_cells(c)) {
        pv_i_buffer_format(out,
                           "<p class=\"lead\">%s of %s cells of the rows that are not suppressed "
                           "are <code>*</code>.</p>\n",
                           PV_COUNT(stars), PV_COUNT(n_cells));
        pv_i_markup_between(out, "<p class=\"lead\">", PV_STAR_AS_VALUE " " PV_STAR_AS_ANYTHING,
                            "</p>\n");
    }
}

/* Which columns have cells that a spreadsheet would run, and what was done about them. */
static void formulas(pv_buffer *out, const pv_certificate *c)
{
    if (c->n_formulas == 0) {
        return;
    }
    pv_i_buffer_text(out, "<p class=\"lead after-table\">Cells that a spreadsheet would run as "
                          "formulas: ");
    for (size_t i = 0; i < c->n_formulas; i++) {
        pv_i_buffer_format(out, "%s%s in ", i > 0 ? ", " : "", PV_COUNT(c->formulas[i].cells));
        pv_i_page_name(out, c->formulas[i].name);
        pv_i_buffer_text(out, c->formulas[i].heading ? " and its heading" : "");
    }
    pv_i_buffer_text(out, c->escapes_formulas
                              ? ". A <code>'</code> stands before each of them, and before every "
                                "value that begins with one: take one away to restore them.</p>\n"
                              : ". They are released as they are: do not open the table in a "
                                "spreadsheet that computes them.</p>\n");
}

static void removed_columns(pv_buffer *out, const char *what, const char *const *names, size_t n)
{
    if (n > 0) {
        pv_i_buffer_format(out, "%s, removed: ", what);
        pv_i_page_names(out, names, n);
        pv_i_buffer_text(out, ". ");
    }
}

static void attributes(pv_buffer *out, const pv_certificate *c)
{
    static const char *const orders[] = {
        [PV_ORDER_SORTED] = "The rows are sorted by their released values: their order tells "
                            "nothing that the values do not.",
        [PV_ORDER_SHUFFLED] = "The rows are in a random order.",
        [PV_ORDER_KEPT] = "<b>The rows are in their original order</b>, as its publisher wished: "
                          "if the original was sorted, a row's place tells what was generalized."};
    pv_i_buffer_format(out,
                       "<section><h2>What happened to each attribute</h2>\n<p class=\"lead\">"
                       "Values were replaced by coarser ones, level by level.%s</p>\n",
                       c->for_publisher
                           ? " Detail lost is the share of an attribute's values that can no "
                             "longer be told apart, averaged over people."
                           : "");
    pv_i_page_table_begin(
        out, c->for_publisher
                 ? "<th scope=\"col\">attribute</th><th scope=\"col\">level</th>"
                   "<th scope=\"col\" class=\"n\">values</th><th scope=\"col\">detail lost</th>"
                   "<th scope=\"col\">released as</th>"
                 : "<th scope=\"col\">attribute</th><th scope=\"col\">level</th>"
                   "<th scope=\"col\" class=\"n\">values</th>"
                   "<th scope=\"col\">released as</th>");
    for (size_t i = 0; i < c->n_attributes; i++) {
        attribute_row(out, c, &c->attributes[i]);
    }
    pv_i_page_table_end(out);
    pv_i_buffer_text(out, "<p class=\"lead after-table\">");
    if (c->for_publisher) {
        removed_columns(out, "Identifiers", c->identifiers, c->hashed ? 0 : c->n_identifiers);
        removed_columns(out, "Not named in the plan", c->dropped, c->n_dropped);
    }
    pv_i_buffer_format(out, "%s</p>\n", orders[c->order]);
    own_levels(out, c);
    formulas(out, c);
    pv_i_buffer_text(out, "</section>\n");
}

/* ------------------------------------------------------- columns left unchanged */

static void unchanged_row(pv_buffer *out, const pv_certificate_unchanged *column)
{
    row_head(out, column->found->name, pv_role_name(column->role));
    pv_i_page_cell_begin(out, "treatment", "");
    pv_i_buffer_text(out, column->hashed ? "keyed hash" : "unchanged");
    if (column->accepted) {
        pv_i_buffer_text(out, " <span class=\"tag no\">singles people out, accepted</span>");
    }
    pv_i_page_cell_end(out);
    pv_i_page_cell(out, "values", "n", PV_COUNT(column->found->values));
    pv_i_page_cell(out, "unique rows", "n", PV_COUNT(column->found->unique));
    pv_i_page_cell(out, "unique with the combination", "n", PV_COUNT(column->found->unique_with));
    pv_i_page_cell(out, "k with it", "n", PV_COUNT(column->found->k_with));
    pv_i_buffer_text(out, "</tr>\n");
}

static void unchanged(pv_buffer *out, const pv_certificate *c)
{
    pv_i_buffer_text(out, "<section><h2>The other released columns</h2>\n<p class=\"lead\">");
    if (c->n_unchanged == 0) {
        pv_i_buffer_text(out, "There are none.</p></section>\n");
        return;
    }
    pv_i_buffer_text(out,
                     "Not generalized. If someone knew such a value of a person as well: how many "
                     "rows have a value that no other row has, how many are alone with their "
                     "combination and this value, and how many look alike then, at least. Of a "
                     "sensitive column it is taken that nobody knows it beforehand.</p>\n");
    pv_i_page_table_begin(out, "<th scope=\"col\">column</th><th scope=\"col\">treatment</th>"
                               "<th scope=\"col\" class=\"n\">values</th>"
                               "<th scope=\"col\" class=\"n\">unique rows</th>"
                               "<th scope=\"col\" class=\"n\">unique with the combination</th>"
                               "<th scope=\"col\" class=\"n\">k with it</th>");
    for (size_t i = 0; i < c->n_unchanged; i++) {
        unchanged_row(out, &c->unchanged[i]);
    }
    pv_i_page_table_end(out);
    if (c->audit->together.columns > 0) {
        pv_i_buffer_format(out,
                           "<p class=\"lead after-table\">Whoever knows all %zu columns with "
                           "the role other: %s alone, at least %s alike.</p>\n",
                           c->audit->together.columns, PV_COUNT(c->audit->together.unique_with),
                           PV_COUNT(c->audit->together.k_with));
    }
    pv_i_buffer_text(out, "</section>\n");
}

/* --------------------------------------------------------------------- demands */

static void demand_table(pv_buffer *out, const pv_certificate_demand *demands, size_t n,
                         const char *holds, const char *fails)
{
    pv_i_page_table_begin(out,
                          "<th scope=\"col\">demand</th><th scope=\"col\" class=\"n\">measured</th>"
                          "<th scope=\"col\">verdict</th><th scope=\"col\">what it means</th>");
    for (size_t i = 0; i < n; i++) {
        const pv_certificate_demand *const d = &demands[i];
        pv_i_buffer_text(out, "<tr><th scope=\"row\">");
        constraint_text(out, &d->constraint);
        pv_i_buffer_text(out, "</th>");
        pv_i_page_cell(out, "measured", "n", PV_FIGURE(d->value));
        pv_i_page_cell_begin(out, "verdict", "");
        pv_i_buffer_format(out, "<span class=\"tag%s\">%s</span></td>", d->holds ? "" : " no",
                           d->holds ? holds : fails);
        pv_i_page_cell_begin(out, "", "wide soft");
        pv_i_markup_between(out, "", d->constraint.ref.measure->summary, "</td></tr>\n");
    }
    pv_i_page_table_end(out);
}

static void demands(pv_buffer *out, const pv_certificate *c)
{
    pv_i_buffer_text(out, "<section><h2>What was demanded</h2>\n");
    if (c->n_demands > 0) {
        demand_table(out, c->demands, c->n_demands, "holds", "does not hold");
    } else {
        pv_i_buffer_text(out, "<p class=\"lead\">Nothing was demanded of this release; what it "
                              "achieves is measured below.</p>\n");
    }
    pv_i_buffer_text(out, "</section>\n");
    if (c->n_promises > 0) {
        pv_i_buffer_text(out, "<section><h2>What the scheme promised</h2>\n"
                              "<p class=\"lead\">Held for the table the scheme was made from; "
                              "measured again for these rows.</p>\n");
        demand_table(out, c->promises, c->n_promises, "still holds", "no longer holds");
        pv_i_buffer_text(out, "</section>\n");
    }
}

/* -------------------------------------------------------------------- measures */

static void value_cell(pv_buffer *out, const char *name, const pv_certificate_measure *m,
                       double value)
{
    pv_i_page_cell(out, name, "n",
                   m->available ? PV_FIGURE(value) : "<span class=\"soft\">&ndash;</span>");
}

static void measure_row(pv_buffer *out, const pv_certificate *c, const pv_certificate_measure *m)
{
    const pv_measure *const measure = m->ref.measure;
    const bool more = measure->direction == PV_MORE_IS_BETTER;
    pv_i_buffer_text(out, "<tr><th scope=\"row\" class=\"m\">");
    measure_name(out, m->ref);
    pv_i_buffer_format(out, "&nbsp;<span class=\"arrow\" title=\"%s is better\">%s</span></th>",
                       more ? "more" : "less", more ? "&uarr;" : "&darr;");
    if (c->for_publisher) {
        value_cell(out, "before", m, m->before);
    }
    value_cell(out, c->for_publisher ? "after" : "value", m, m->after);
    pv_i_page_cell_begin(out, "", "wide soft");
    pv_i_markup_text(out, measure->summary);
    if (!m->available) {
        pv_i_buffer_format(out, " (needs a %s column)",
                           measure->needs & PV_NEEDS_SENSITIVE ? "sensitive" : "label");
    }
    pv_i_buffer_text(out, "</td></tr>\n");
}

static void measures(pv_buffer *out, const pv_certificate *c)
{
    static const char *const families[] = {
        [PV_FAMILY_PRIVACY] = "Privacy",
        [PV_FAMILY_BIAS] = "Bias: is everybody protected alike?",
        [PV_FAMILY_LOSS] = "Usefulness",
        [PV_FAMILY_RISK] = "Risk",
    };
    pv_i_buffer_text(out,
                     "<section><h2>Everything measured</h2>\n<p class=\"lead\">"
                     "&uarr; more is better, &darr; less is better. Worst cases look at the "
                     "released people; losses count the suppressed ones as wholly lost.</p>\n");
    pv_i_page_table_begin(
        out, c->for_publisher
                 ? "<th scope=\"col\">measure</th><th scope=\"col\" class=\"n\">before</th>"
                   "<th scope=\"col\" class=\"n\">after</th><th scope=\"col\">what it says</th>"
                 : "<th scope=\"col\">measure</th><th scope=\"col\" class=\"n\">value</th>"
                   "<th scope=\"col\">what it says</th>");
    for (size_t family = 0; family < sizeof families / sizeof *families; family++) {
        bool titled = false; /* a family without measures has no title */
        for (size_t i = 0; i < c->n_measures; i++) {
            if ((size_t)c->measures[i].ref.measure->family != family) {
                continue;
            }
            if (!titled) {
                pv_i_buffer_format(
                    out,
                    "<tr class=\"family\"><th colspan=\"%d\" scope=\"colgroup\">%s</th></tr>\n",
                    c->for_publisher ? 4 : 3, families[family]);
                titled = true;
            }
            measure_row(out, c, &c->measures[i]);
        }
    }
    pv_i_page_table_end(out);
    pv_i_buffer_text(out, "</section>\n");
}

/* ---------------------------------------------------------------------- audit */

static const char *others(uint64_t k)
{
    return k == 2 ? "other" : "others";
}

static void audit(pv_buffer *out, const pv_certificate *c)
{
    const pv_audit *const a = c->audit;
    pv_i_buffer_text(out, "<section><h2>How it was verified</h2>\n<ol class=\"prose\">\n<li>");
    pv_i_buffer_text(out, c->place != NULL
                              ? "The table was written into the database under a hidden name, its "
                                "equal rows were counted there, and they were read back."
                              : "The table was written to a temporary file and read back from the "
                                "disk.");
    pv_i_buffer_format(
        out,
        "</li>\n<li>A separate checker, with its own reader, its own counter and its "
        "own formulas, found %s %s, ",
        PV_COUNT(a->rows), a->rows == 1 ? "row" : "rows");
    if (a->classes == 0) {
        pv_i_buffer_text(out, "all of them with nothing but <code>*</code>.");
    } else {
        pv_i_buffer_format(out, "%s of them suppressed, and %s %s of %s %s.",
                           PV_COUNT(a->suppressed), PV_COUNT(a->classes),
                           a->classes == 1 ? "group" : "groups, the smallest", PV_COUNT(a->k),
                           a->k == 1 ? "person" : "people");
    }
    pv_i_buffer_text(out, " This agrees with what was computed before writing.</li>\n");
    if (a->classes > 0) { /* nothing but stars reads the same either way */
        pv_i_buffer_format(out,
                           "<li>A <code>*</code> can be read in two ways. As a value of its own, "
                           "every released row looks like at least %s %s and the average risk is "
                           "%s. As a blank that may stand for anything, it fits at least %s %s and "
                           "the average risk is %s.</li>\n",
                           PV_COUNT(a->k - 1), others(a->k), PV_PERCENT(c->after.risk_mean),
                           PV_COUNT(a->k_wildcard - 1), others(a->k_wildcard),
                           PV_PERCENT(a->risk_mean_wildcard));
    }
    if (c->place != NULL) {
        pv_i_markup_between(out,
                            "<li>Besides, the database itself counted the same groups.</li>\n"
                            "<li>Only then did the table get its name. It is at <code>",
                            c->place, "</code>.</li>\n");
        pv_i_markup_between(out,
                            "<li>Its distinct rows, each with how often it occurs, as sorted lines "
                            "of text, have this SHA-256 sum: <code>",
                            c->sha256, "</code></li>\n</ol></section>\n");
        return;
    }
    pv_i_markup_between(out,
                        "<li>Only then did the file get its name.</li>\n<li>The released file is "
                        "the one with this SHA-256 sum: <code>",
                        c->sha256, "</code></li>\n</ol></section>\n");
}

/* --------------------------------------------------------------------- limits */

static void limits(pv_buffer *out, const pv_certificate *c)
{
    const pv_certificate_measure *const l = find_measure(c, "l-distinct");
    pv_i_buffer_text(out, "<section><h2>What this does not protect against</h2>\n");
    /* A group that agrees on a sensitive value gives it away without singling anyone out. */
    if (l != NULL && l->after < 2) {
        pv_i_buffer_text(out,
                         "<p class=\"note-box\">In at least one group everybody has the same ");
        if (c->n_sensitive == 1) {
            pv_i_page_name(out, c->sensitive[0]);
        } else {
            pv_i_buffer_text(out, "value in a sensitive column");
        }
        pv_i_buffer_text(out, ": knowing that someone belongs to it reveals it. Demand "
                              "<code>l-distinct</code> of 2 or more to rule this out.</p>\n");
    }
    pv_i_buffer_format(
        out,
        "<ul class=\"prose\">\n"
        "<li><b>Groups that agree.</b> Hiding among k people helps little if most of them share a "
        "sensitive value. The l and t measures above say how diverse groups are.</li>\n"
        "<li><b>Other knowledge.</b> Whoever knows more about a person than the attributes listed "
        "here, or who the person is not, can narrow a group down.</li>\n"
        "<li><b>Columns left as they were.</b> A rare value in an unchanged column, sensitive or "
        "not, may identify someone by itself.%s</li>\n"
        "<li><b>Other releases.</b> Two tables about the same people, each safe alone, may "
        "intersect to single someone out.</li>\n",
        c->drops_suppressed ? "" : " Suppressed people keep these columns, too.");
    if (c->hashed && c->n_identifiers > 0) {
        pv_i_buffer_text(out, "<li><b>Hashed identifiers.</b> They link the same person across "
                              "releases made with the same key, and whoever has the key can test a "
                              "guess.</li>\n");
    }
    pv_i_buffer_text(out, "</ul></section>\n");
}

/* -------------------------------------------------------------------- the page */

pv_status pv_i_certificate_page(const pv_certificate *certificate, char **html, pv_error *error)
{
    const pv_certificate *const c = certificate;
    pv_buffer out = {0};
    pv_i_page_begin(&out, c->for_publisher ? "Publisher's report on" : "Certificate of",
                    pv_i_base_name(c->released), NULL);
    verdict_section(&out, c);
    figures(&out, c);
    pictures(&out, c);
    attributes(&out, c);
    unchanged(&out, c);
    demands(&out, c);
    measures(&out, c);
    audit(&out, c);
    limits(&out, c);
    pv_i_buffer_format(&out, "<footer>Made by Paravent %s", pv_version());
    if (c->for_publisher) {
        pv_i_buffer_text(&out, " from ");
        pv_i_page_name(&out, pv_i_base_name(c->source));
        pv_i_buffer_text(&out, ". " PV_PAGE_FOR_PUBLISHER " The certificate beside it may be.");
    } else {
        pv_i_buffer_text(&out, ". Everything on this page can be counted in the released file or "
                               "was demanded of it; it may be published with the release.");
    }
    pv_i_buffer_text(&out, "</footer>\n");
    pv_i_page_end(&out);
    return pv_i_buffer_take(&out, html, error);
}
