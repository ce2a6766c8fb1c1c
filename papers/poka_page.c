/* The page: what was found, beside what the paper says. Sentences about the paper's own numbers
 * stand only where the table is the paper's, Adult. */
#include "poka_report.h"

#include "base/markup.h"

#include <math.h>
#include <string.h>

static void count(pv_buffer *page, uint64_t n)
{
    pv_i_buffer_count(page, n);
}

/* "4,822 (26.9%)" */
static void evaluated(pv_buffer *page, const pv_front *front)
{
    count(page, front->evaluated);
    pv_i_buffer_text(page, " (");
    pv_i_plain_percent(page, poka_share(front));
    pv_i_buffer_char(page, ')');
}

/* "41 of 43" */
static void found(pv_buffer *page, const pv_front *front, const pv_front *truth)
{
    pv_i_buffer_format(page, "%zu of %zu", poka_common(front, truth), truth->n_points);
}

/* The k of the points of one front that are not on another. */
static void strangers(pv_buffer *page, const pv_front *front, const pv_front *other)
{
    size_t n = 0;
    for (size_t i = 0; i < front->n_points; i++) {
        if (!report_is_on(front, i, other)) {
            pv_i_buffer_text(page, n++ > 0 ? ", " : "");
            count(page, front->points[i].k);
        }
    }
    pv_i_buffer_text(page, n == 0 ? "none" : "");
}

/* ---------------------------------------------------------------- the table */

static void write_opening(pv_buffer *page, const report *r)
{
    pv_i_buffer_text(page,
                     "# The POkA paper, made anew\n\n"
                     "Dewri, Ray, Ray, Whitley: *POkA: identifying Pareto-optimal k-anonymous "
                     "nodes in a domain\n"
                     "hierarchy lattice*, CIKM 2009. The paper looks for every trade-off between k "
                     "and a loss of\n"
                     "information by walking down the lattice of generalizations from one "
                     "trade-off to the next.\n"
                     "`paravent front PLAN --method poka` is this walk; `--method exact` is our "
                     "own search, which\n"
                     "proves that the front it gives is whole. Both are shown side by side.\n\n"
                     "This page and its figures are written by `make papers`. Every number is as "
                     "it was computed,\n"
                     "but for those that are said to be the paper's. This copy was made from ");
    pv_i_buffer_text(page, r->from->adult ? "the Adult table.\n\n"
                                          : "the built-in\nsynthetic census, since the Adult "
                                            "table was not at hand: it shows the same\n"
                                            "experiments, but cannot be compared with the "
                                            "paper's numbers.\n\n");
}

static void write_table(pv_buffer *page, const report *r)
{
    const trade_off *const t = &r->trade_offs[0];
    const pv_study *const study = t->table.study;
    pv_i_buffer_text(page, "## The table\n\n| attribute | values | levels above them |\n"
                           "|---|---:|---:|\n");
    for (size_t q = 0; q < pv_study_quasis(study); q++) {
        const pv_hierarchy *const hierarchy = pv_study_hierarchy(study, q);
        pv_i_buffer_format(page, "| %s | %u | %u |\n", pv_study_quasi_name(study, q),
                           (unsigned)pv_hierarchy_leaves(hierarchy),
                           pv_hierarchy_height(hierarchy));
    }
    pv_i_buffer_char(page, '\n');
    count(page, pv_profile_rows(t->table.profile));
    pv_i_buffer_text(page, " rows, of which ");
    count(page, pv_study_budget(study));
    pv_i_buffer_text(page, " may be suppressed; ");
    count(page, t->n_nodes);
    pv_i_buffer_text(page, " schemes. For cm, which needs a label,\n");
    pv_i_buffer_format(page, "%s is the label",
                       pv_table_name(pv_study_table(r->trade_offs[2].table.study),
                                     pv_study_label_column(r->trade_offs[2].table.study)));
    pv_i_buffer_text(page, r->from->adult ? " and no longer generalized, as in the paper: " : ": ");
    count(page, r->trade_offs[2].n_nodes);
    pv_i_buffer_text(page, " schemes.\n\n");
}

/* --------------------------------------------------------------- the fronts */

static void write_fronts(pv_buffer *page, const report *r)
{
    double mean = 0;
    pv_i_buffer_text(page, "## The fronts (figure 4 of the paper)\n\n"
                           "A ring is a point of the exact front, confirmed by exhaustive search. "
                           "A ring with a dot in\n"
                           "it was found by POkA, at its default depth; an empty one was missed; a "
                           "dot without a ring\n"
                           "is a point POkA took for one. The grey is all schemes.\n\n");
    for (size_t i = 0; i < r->n_trade_offs; i++) {
        pv_i_buffer_format(page, "![%s against k](figures/poka_%s.svg)\n\n", r->trade_offs[i].loss,
                           r->trade_offs[i].loss);
    }
    pv_i_buffer_text(page, "| loss | POkA found | missed: k | not on the front: k "
                           "| evaluated by POkA | evaluated by exact |\n"
                           "|---|---:|---:|---:|---:|---:|\n");
    for (size_t i = 0; i < r->n_trade_offs; i++) {
        const trade_off *const t = &r->trade_offs[i];
        pv_i_buffer_format(page, "| %s | ", t->loss);
        found(page, t->poka[0], t->truth);
        pv_i_buffer_text(page, " | ");
        strangers(page, t->truth, t->poka[0]);
        pv_i_buffer_text(page, " | ");
        strangers(page, t->poka[0], t->truth);
        pv_i_buffer_text(page, " | ");
        evaluated(page, t->poka[0]);
        pv_i_buffer_text(page, " | ");
        evaluated(page, t->exact);
        pv_i_buffer_text(page, " |\n");
        mean += poka_share(t->poka[0]) / (double)r->n_trade_offs;
    }
    pv_i_buffer_text(page, "\nPOkA evaluated ");
    pv_i_plain_percent(page, mean);
    pv_i_buffer_text(page, " of the schemes on the average of the three losses");
    pv_i_buffer_text(page, r->from->adult ? "; the paper says around\n20%. " : ".\n");
    pv_i_buffer_text(
        page, "The walk ends at its first point with k of at most 2, so that what lies below that\n"
              "point is not looked for.\n\n");
}

/* --------------------------------------------------------------- the depth */

static void write_depths(pv_buffer *page, const report *r)
{
    pv_i_buffer_format(
        page,
        "## The depth of the search (table 3 and figure 5 of the paper)\n\n"
        "How far down POkA goes from a point before it looks up again. Its default is the mean\n"
        "number of levels of a hierarchy, rounded up: here %u.\n\n| depth |",
        poka_default_depth(r->trade_offs[0].table.study));
    for (size_t i = 0; i < r->n_trade_offs; i++) {
        pv_i_buffer_format(page, " %s: evaluated | found |", r->trade_offs[i].loss);
    }
    pv_i_buffer_text(page, "\n|---:|");
    for (size_t i = 0; i < r->n_trade_offs; i++) {
        pv_i_buffer_text(page, "---:|---:|");
    }
    for (unsigned depth = 1; depth <= DEPTHS; depth++) {
        pv_i_buffer_format(page, "\n| %u |", depth);
        for (size_t i = 0; i < r->n_trade_offs; i++) {
            pv_i_buffer_char(page, ' ');
            evaluated(page, r->trade_offs[i].poka[depth]);
            pv_i_buffer_text(page, " | ");
            found(page, r->trade_offs[i].poka[depth], r->trade_offs[i].truth);
            pv_i_buffer_text(page, " |");
        }
    }
    pv_i_buffer_text(page, "\n\n![glm: schemes evaluated and points found, by depth]"
                           "(figures/poka_depth.svg)\n\n");
    if (r->from->adult) {
        pv_i_buffer_text(
            page,
            "The paper, for glm: 45 points on the front; depth 1 misses a number of them, depth 2\n"
            "some, depth 3 none; more depth finds nothing more, and depth 6 evaluates more than "
            "60%\n"
            "of the schemes.\n\n"
            "More depth can also find less, as with cm at depth 6: the walk takes the candidate "
            "of\n"
            "highest k, and a deeper search finds one far below where a shallower one finds none\n"
            "and goes on next to the base. What lies between is skipped.\n\n");
    }
}

/* ----------------------------------------------------------- the attributes */

static void write_size_rows(pv_buffer *page, const size_trial *trials)
{
    for (size_t i = 0; i < SIZES; i++) {
        const size_trial *const t = &trials[i];
        pv_i_buffer_format(page, "| %zu | ", t->n_attributes);
        count(page, (uint64_t)t->exact->nodes);
        pv_i_buffer_format(page, " | %u | ", t->depth);
        evaluated(page, t->poka);
        pv_i_buffer_text(page, " | ");
        found(page, t->poka, t->exact);
        pv_i_buffer_text(page, " | ");
        evaluated(page, t->exact);
        pv_i_buffer_text(page, " |\n");
    }
}

static void write_sizes(pv_buffer *page, const report *r)
{
    static const char *const titles[] = {"dcn, as in the paper", "glm"};
    pv_i_buffer_text(
        page, "## The number of attributes (figure 6 of the paper)\n\n"
              "The first 2, 3, ... of the attributes above are quasi-identifiers, the others are "
              "left out.\n"
              "The paper says that the share of nodes evaluated drops as the lattice grows.\n\n");
    for (size_t i = 0; i < 2; i++) {
        pv_i_buffer_format(page,
                           "%s:\n\n| attributes | schemes | depth | evaluated by POkA | found | "
                           "evaluated by exact |\n"
                           "|---:|---:|---:|---:|---:|---:|\n",
                           titles[i]);
        write_size_rows(page, r->sizes[i]);
        pv_i_buffer_char(page, '\n');
    }
    pv_i_buffer_text(page, "![dcn: schemes evaluated, by number of attributes]"
                           "(figures/poka_attributes.svg)\n\n");
}

/* ------------------------------------------------------ differences, times */

static void write_differences(pv_buffer *page, const report *r)
{
    pv_i_buffer_text(page, "## Where ours differs from the paper, and why\n\n");
    if (r->from->adult) {
        pv_i_buffer_format(page,
                           "- The hierarchies. The paper gives the number of their levels, not the "
                           "groups. Ours have\n"
                           "  as many levels, so the lattice has the same size, but the groups are "
                           "others, and so are\n"
                           "  the fronts: %zu points for glm where the paper has 45.\n"
                           "- The classification error is our cm: rows whose label is not the "
                           "majority of their class,\n"
                           "  and suppressed rows.\n",
                           r->trade_offs[0].truth->n_points);
    }
    pv_i_buffer_text(
        page,
        "- Where a base has no candidates, the functions as printed end, whatever its k. On Adult\n"
        "  this happens with cm already at the top: no single attribute one level below it lets "
        "the\n"
        "  label be guessed better. The paper also says that the walk may start from a node that "
        "is\n"
        "  not on the front, so ours goes on from the direct neighbour of highest k. This changes\n"
        "  nothing where there are candidates.\n"
        "- Direct neighbours of a base are evaluated also at depth 1, where they are ground "
        "nodes.\n"
        "- The result is what is non-dominated among the bases; the paper takes all of them.\n"
        "- A node is evaluated once per run and counted once, however often the walk comes "
        "by.\n\n");
}

/* To two digits: more would not be the same the next time. */
static void milliseconds(pv_buffer *page, double seconds)
{
    const double value = seconds * 1000;
    const double unit = value > 0 ? pow(10, floor(log10(value)) - 1) : 1;
    pv_i_buffer_format(page, "%.6g ms", round(value / unit) * unit);
}

static void write_times(pv_buffer *page, const report *r)
{
    pv_i_buffer_format(
        page,
        "## Time\n\n"
        "Measured on one machine with %d threads, the best of five runs, to two digits; another\n"
        "machine or another day gives others. The table is in memory; reading it is not "
        "counted.\n\n"
        "| loss | every scheme | POkA | exact |\n|---|---:|---:|---:|\n",
        THREADS);
    for (size_t i = 0; i < r->n_trade_offs; i++) {
        const trade_off *const t = &r->trade_offs[i];
        pv_i_buffer_format(page, "| %s | ", t->loss);
        milliseconds(page, t->truth_seconds);
        pv_i_buffer_text(page, " | ");
        milliseconds(page, t->poka_seconds);
        pv_i_buffer_text(page, " | ");
        milliseconds(page, t->exact_seconds);
        pv_i_buffer_text(page, " |\n");
    }
    pv_i_buffer_text(
        page,
        "\nAn evaluation costs less the more of its neighbours are evaluated with it: every scheme "
        "in\n"
        "one sweep is cheaper per scheme than a walk. Exact search also keeps account of what it\n"
        "need not look at; in exchange it is the only one of the two that proves its answer.\n");
}

void poka_write_page(pv_buffer *page, const report *r)
{
    write_opening(page, r);
    write_table(page, r);
    write_fronts(page, r);
    write_depths(page, r);
    write_sizes(page, r);
    write_differences(page, r);
    write_times(page, r);
}
