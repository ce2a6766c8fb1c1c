/* The tables: what happened to each attribute, what was demanded, everything measured. */
#include "report/page_parts.h"

#include "base/markup.h"
#include "report/svg.h"

#include <string.h>

/* ------------------------------------------------------------------ attributes */

/* Records with levels of their own: the mean. */
static double mean_level(const pv_certificate_attribute *a)
{
    double sum = 0;
    double rows = 0;
    for (unsigned level = 0; level <= a->height; level++) {
        sum += (double)a->at_level[level] * level;
        rows += (double)a->at_level[level];
    }
    return rows > 0 ? sum / rows : 0;
}

/* Record by record, as anyone can count it in the release. */
static void shown_rows(pv_buffer *out, const pv_certificate_attribute *a)
{
    const double all = (double)(a->shown_raw + a->shown_coarser + a->shown_starred);
    pv_i_buffer_text(out, "<span class=\"soft small\">");
    pv_i_markup_percent(out, all > 0 ? (double)a->shown_raw / all : 0);
    pv_i_buffer_text(out, " as it was, ");
    pv_i_markup_percent(out, all > 0 ? (double)a->shown_coarser / all : 0);
    pv_i_buffer_text(out, " coarser, ");
    pv_i_markup_percent(out, all > 0 ? (double)a->shown_starred / all : 0);
    pv_i_buffer_text(out, " <code>*</code></span></div>");
}

static void level_cell(pv_buffer *out, const pv_certificate *c, const pv_certificate_attribute *a)
{
    pv_i_page_cell_begin(out, "level", "");
    pv_i_buffer_text(out, "<div>");
    if (a->at_level != NULL && !c->for_publisher) {
        shown_rows(out, a);
        pv_i_page_cell_end(out);
        return;
    }
    if (a->is_height_private) {
        if (a->level < a->height) {
            pv_i_buffer_format(out, "<span class=\"soft small\">level %u</span>", a->level);
        } else {
            pv_i_buffer_text(out, "<span class=\"soft small\">the top</span>");
        }
        pv_i_buffer_text(out, "</div>");
        pv_i_page_cell_end(out);
        return;
    }
    if (a->at_level != NULL) {
        const double mean = mean_level(a);
        pv_i_svg_steps(out, (unsigned)(mean + 0.5), a->height, "levels climbed on average");
        pv_i_buffer_format(out, "<span class=\"soft small\">%.1f of %u on average</span></div>",
                           mean, a->height);
        pv_i_page_cell_end(out);
        return;
    }
    pv_i_svg_steps(out, a->level, a->height, "levels climbed");
    pv_i_buffer_format(out, "<span class=\"soft small\">%u of %u</span></div>", a->level,
                       a->height);
    pv_i_page_cell_end(out);
}

static void groups_cell(pv_buffer *out, const pv_certificate *c, const pv_certificate_attribute *a)
{
    pv_i_page_cell_begin(out, "values", "n");
    pv_i_buffer_text(out, "<span>");
    if (c->for_publisher) {
        pv_i_buffer_count(out, a->groups_before);
        pv_i_buffer_text(out, " <span class=\"arrow\">&rarr;</span> ");
    }
    pv_i_buffer_count(out, a->groups_after);
    pv_i_buffer_text(out, "</span>");
    pv_i_page_cell_end(out);
}

static void loss_cell(pv_buffer *out, const pv_certificate_attribute *a)
{
    pv_i_page_cell_begin(out, "detail lost", "");
    pv_i_buffer_text(out, "<div>");
    pv_i_svg_meter(out, "after", a->loss, "detail lost");
    pv_i_buffer_text(out, "<span class=\"soft small\">");
    pv_i_markup_percent(out, a->loss);
    pv_i_buffer_text(out, "</span></div>");
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

static void attribute_row(pv_buffer *out, const pv_certificate *c,
                          const pv_certificate_attribute *a)
{
    pv_i_buffer_text(out, "<tr><th scope=\"row\">");
    pv_i_page_name(out, a->name);
    pv_i_buffer_text(out, " <span class=\"soft small kind\">");
    pv_i_markup_text(out, kind_phrase(a->hierarchy));
    pv_i_buffer_text(out, "</span></th>");
    level_cell(out, c, a);
    groups_cell(out, c, a);
    if (c->for_publisher) {
        loss_cell(out, a);
    }
    released_as_cell(out, a);
    pv_i_buffer_text(out, "</tr>\n");
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
        pv_i_buffer_text(out, i > 0 ? ", " : "");
        pv_i_buffer_count(out, c->formulas[i].cells);
        pv_i_buffer_text(out, " in ");
        pv_i_page_name(out, c->formulas[i].name);
        pv_i_buffer_text(out, c->formulas[i].heading ? " and its heading" : "");
    }
    pv_i_buffer_text(out, c->escapes_formulas
                              ? ". A <code>'</code> stands before each of them, and before every "
                                "value that begins with one: take one away to restore them.</p>\n"
                              : ". They are released as they are: do not open the table in a "
                                "spreadsheet that computes them.</p>\n");
}

/* What happened to columns that are no longer there, and to the order of rows. */
static void other_columns(pv_buffer *out, const pv_certificate *c)
{
    pv_i_buffer_text(out, "<p class=\"lead after-table\">");
    if (c->for_publisher && c->n_identifiers > 0 && !c->hashed) {
        pv_i_buffer_text(out, "Identifiers, removed: ");
        pv_i_page_names(out, c->identifiers, c->n_identifiers);
        pv_i_buffer_text(out, ". ");
    }
    if (c->for_publisher && c->n_dropped > 0) {
        pv_i_buffer_text(out, "Not named in the plan, removed: ");
        pv_i_page_names(out, c->dropped, c->n_dropped);
        pv_i_buffer_text(out, ". ");
    }
    static const char *const orders[] = {
        [PV_ORDER_SORTED] = "The rows are sorted by their released values: their order tells "
                            "nothing that the values do not.",
        [PV_ORDER_SHUFFLED] = "The rows are in a random order.",
        [PV_ORDER_KEPT] = "<b>The rows are in their original order</b>, as its publisher wished: "
                          "if the original was sorted, a row's place tells what was generalized."};
    pv_i_buffer_text(out, orders[c->order]);
    pv_i_buffer_text(out, "</p>\n");
    formulas(out, c);
}

void pv_i_page_attributes(pv_buffer *out, const pv_certificate *c)
{
    pv_i_buffer_text(out,
                     "<section><h2>What happened to each attribute</h2>\n"
                     "<p class=\"lead\">Values were replaced by coarser ones, level by level.");
    if (c->for_publisher) {
        pv_i_buffer_text(out, " Detail lost is the share of an attribute's values that can no "
                              "longer be told apart, averaged over people.");
    }
    pv_i_buffer_text(out, "</p>\n");
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
    other_columns(out, c);
    pv_i_buffer_text(out, "</section>\n");
}

/* ------------------------------------------------------- columns left unchanged */

static void count_cell(pv_buffer *out, const char *name, uint64_t n)
{
    pv_i_page_cell_begin(out, name, "n");
    pv_i_buffer_count(out, n);
    pv_i_page_cell_end(out);
}

static void unchanged_row(pv_buffer *out, const pv_certificate_unchanged *column)
{
    pv_i_buffer_text(out, "<tr><th scope=\"row\">");
    pv_i_page_name(out, column->found->name);
    pv_i_buffer_format(out, " <span class=\"soft small kind\">%s</span></th>",
                       pv_role_name(column->role));
    pv_i_page_cell_begin(out, "treatment", "");
    pv_i_buffer_text(out, column->hashed ? "keyed hash" : "unchanged");
    if (column->accepted) {
        pv_i_buffer_text(out, " <span class=\"tag no\">singles people out, accepted</span>");
    }
    pv_i_page_cell_end(out);
    count_cell(out, "values", column->found->values);
    count_cell(out, "unique rows", column->found->unique);
    count_cell(out, "unique with the combination", column->found->unique_with);
    count_cell(out, "k with it", column->found->k_with);
    pv_i_buffer_text(out, "</tr>\n");
}

void pv_i_page_unchanged(pv_buffer *out, const pv_certificate *c)
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
                           "the role other: ",
                           c->audit->together.columns);
        pv_i_buffer_count(out, c->audit->together.unique_with);
        pv_i_buffer_text(out, " alone, at least ");
        pv_i_buffer_count(out, c->audit->together.k_with);
        pv_i_buffer_text(out, " alike.</p>\n");
    }
    pv_i_buffer_text(out, "</section>\n");
}

/* --------------------------------------------------------------------- demands */

static void demand_row(pv_buffer *out, const pv_certificate_demand *d, const char *holds,
                       const char *fails)
{
    pv_i_buffer_text(out, "<tr><th scope=\"row\">");
    pv_i_page_constraint(out, &d->constraint);
    pv_i_buffer_text(out, "</th>");
    pv_i_page_cell_begin(out, "measured", "n");
    pv_i_markup_figure(out, d->value);
    pv_i_page_cell_end(out);
    pv_i_page_cell_begin(out, "verdict", "");
    pv_i_buffer_format(out, "<span class=\"tag%s\">%s</span>", d->holds ? "" : " no",
                       d->holds ? holds : fails);
    pv_i_page_cell_end(out);
    pv_i_page_cell_begin(out, "", "wide soft");
    pv_i_markup_text(out, d->constraint.ref.measure->summary);
    pv_i_page_cell_end(out);
    pv_i_buffer_text(out, "</tr>\n");
}

static void demand_table(pv_buffer *out, const pv_certificate_demand *demands, size_t n,
                         const char *holds, const char *fails)
{
    pv_i_page_table_begin(out,
                          "<th scope=\"col\">demand</th><th scope=\"col\" class=\"n\">measured</th>"
                          "<th scope=\"col\">verdict</th><th scope=\"col\">what it means</th>");
    for (size_t i = 0; i < n; i++) {
        demand_row(out, &demands[i], holds, fails);
    }
    pv_i_page_table_end(out);
}

void pv_i_page_demands(pv_buffer *out, const pv_certificate *c)
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

static const char *const family_names[] = {
    [PV_FAMILY_PRIVACY] = "Privacy",
    [PV_FAMILY_BIAS] = "Bias: is everybody protected alike?",
    [PV_FAMILY_LOSS] = "Usefulness",
    [PV_FAMILY_RISK] = "Risk",
};
enum { FAMILIES = sizeof family_names / sizeof *family_names };

static void value_cell(pv_buffer *out, const char *name, const pv_certificate_measure *m,
                       double value)
{
    pv_i_page_cell_begin(out, name, "n");
    if (m->available) {
        pv_i_markup_figure(out, value);
    } else {
        pv_i_buffer_text(out, "<span class=\"soft\">&ndash;</span>");
    }
    pv_i_page_cell_end(out);
}

static void measure_row(pv_buffer *out, const pv_certificate *c, const pv_certificate_measure *m)
{
    const pv_measure *const measure = m->ref.measure;
    pv_i_buffer_text(out, "<tr><th scope=\"row\" class=\"m\">");
    char name[64];
    pv_measure_text(m->ref, name, sizeof name);
    pv_i_markup_text(out, name);
    const bool more = measure->direction == PV_MORE_IS_BETTER;
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
    pv_i_page_cell_end(out);
    pv_i_buffer_text(out, "</tr>\n");
}

static void family_rows(pv_buffer *out, const pv_certificate *c, size_t family)
{
    bool titled = false;
    for (size_t i = 0; i < c->n_measures; i++) {
        if ((size_t)c->measures[i].ref.measure->family == family) {
            if (!titled) {
                pv_i_buffer_format(
                    out,
                    "<tr class=\"family\"><th colspan=\"%d\" scope=\"colgroup\">%s</th></tr>\n",
                    c->for_publisher ? 4 : 3, family_names[family]);
                titled = true;
            }
            measure_row(out, c, &c->measures[i]);
        }
    }
}

void pv_i_page_measures(pv_buffer *out, const pv_certificate *c)
{
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
    for (size_t family = 0; family < FAMILIES; family++) {
        family_rows(out, c, family);
    }
    pv_i_page_table_end(out);
    pv_i_buffer_text(out, "</section>\n");
}
