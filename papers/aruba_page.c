/* The page: what was found, beside what the paper says. What to think of it is in aruba_words.c. */
#include "aruba_report.h"

#include "base/markup.h"

#include <math.h>

/* -------------------------------------------------------------------- cells */

static void count_cell(pv_buffer *page, double n)
{
    pv_i_buffer_char(page, ' ');
    pv_i_buffer_count(page, (uint64_t)llround(n));
    pv_i_buffer_text(page, " |");
}

static void percent_cell(pv_buffer *page, double share)
{
    pv_i_buffer_char(page, ' ');
    pv_i_plain_percent(page, share);
    pv_i_buffer_text(page, " |");
}

/* To two digits: more would not be the same the next time. */
static void time_cell(pv_buffer *page, double seconds)
{
    const double value = seconds * 1000;
    const double unit = value > 0.01 ? pow(10, floor(log10(value)) - 1) : 0.001;
    pv_i_buffer_format(page, " %.6g ms |", round(value / unit) * unit);
}

static void risk_cell(pv_buffer *page, double risk)
{
    pv_i_buffer_format(page, " %.3g |", risk);
}

static void utility_cell(pv_buffer *page, double utility)
{
    pv_i_buffer_char(page, ' ');
    pv_i_markup_short(page, utility, 1);
    pv_i_buffer_text(page, " |");
}

/* ------------------------------------------------------------------ opening */

static void write_opening(pv_buffer *page)
{
    pv_i_buffer_text(
        page,
        "# The ARUBA paper, made anew\n\n"
        "Mohamed R. Fouad, Guy Lebanon, Elisa Bertino: *ARUBA: A Risk-Utility-Based Algorithm for\n"
        "Data Disclosure*, CERIAS Tech Report 2008-27. Every record is released at levels of its\n"
        "own, chosen in the lattice of its generalizations: those of least risk that keep a\n"
        "utility of c. The paper has two searches, BTDA, a queue of nodes by their risk, and\n"
        "ARUBA, a walk along the *frontier*, the feasible nodes with an infeasible direct\n"
        "generalization, and compares them with a branch and bound.\n\n"
        "`paravent disclose PLAN --method btda`, `aruba` and `bnb` are these searches. Our own is\n"
        "`scan`, which chooses for all records at once.\n\n"
        "This page and its figures are written by `make papers`. Every number is as it was\n"
        "computed, but for those that are said to be the paper's. Its figures are not in the text\n"
        "we worked from: what is compared here is what it says about them.\n\n");
}

static void write_attributes(pv_buffer *page, const pv_study *study)
{
    pv_i_buffer_text(page, "| attribute | values | levels above them |\n|---|---:|---:|\n");
    for (size_t q = 0; q < pv_study_quasis(study); q++) {
        const pv_hierarchy *const hierarchy = pv_study_hierarchy(study, q);
        pv_i_buffer_format(page, "| %s | %u | %u |\n", pv_study_quasi_name(study, q),
                           (unsigned)pv_hierarchy_leaves(hierarchy),
                           pv_hierarchy_height(hierarchy));
    }
}

static void write_table(pv_buffer *page, const experiments *e)
{
    const opened *const table = &e->stage.table;
    pv_i_buffer_text(
        page,
        "## The table and the questions\n\n"
        "The paper's table, descriptions of the items of a chain of stores, is not public. Ours "
        "is\n"
        "generated (`bench_generate_items`, seed 1): items are variants of products, of which a\n"
        "few have most of the items, and their attributes are codes of letters that hang together\n"
        "and differ mostly in the last letter. Where the number of attributes does not vary, "
        "these\n"
        "ten are used:\n\n");
    write_attributes(page, table->study);
    pv_i_buffer_char(page, '\n');
    pv_i_buffer_count(page, pv_profile_rows(table->profile));
    pv_i_buffer_text(page, " rows, ");
    pv_i_buffer_count(page, pv_profile_tuples(table->profile));
    pv_i_buffer_text(page, " of them different; ");
    pv_i_buffer_count(page, (uint64_t)e->nodes);
    pv_i_buffer_format(page, " nodes in the lattice of a record.\n\n");
}

static void write_settings(pv_buffer *page, const experiments *e)
{
    pv_i_buffer_format(
        page,
        "| | the paper | here |\n|---|---|---|\n"
        "| records | 400,000 | 400,000 |\n"
        "| attributes | 1 to 70 | 2 to %d |\n"
        "| heights of the hierarchies | 1 to 5 | 1 to 5 |\n"
        "| utility | sum of depths | the same, %.0f at most |\n"
        "| consistent with a value | Jaro similarity of 80%% | the same |\n"
        "| sensitivities | random | the same, uniform in (0, 1] |\n"
        "| runs | means of 5 | means of 5, each with %d records of its own |\n"
        "| c where it is fixed | half of the most | the same |\n"
        "| dictionary | the whole table | the same |\n\n"
        "With more than %d attributes there are %d records in a run. Time is the processor's, for\n"
        "one record, on one machine, to two digits; indexing the dictionary is not counted.\n\n",
        MOST_ATTRIBUTES, e->most, SAMPLE, ATTRIBUTES, FEW);
}

/* --------------------------------------------------------------- thresholds */

static void write_frontier(pv_buffer *page, const experiments *e)
{
    pv_i_buffer_text(
        page,
        "## How many nodes are on the frontier (figure 7a)\n\n"
        "![share of frontier nodes, by utility asked for](figures/aruba_frontier.svg)\n\n"
        "The paper says: the number of frontier nodes is not proportional to c; it is small where\n"
        "c is large, since hardly anything is feasible, and where c is small, since nearly all\n"
        "is. So it is here. With this utility there is more to say: a step of generalization\n"
        "takes exactly 1 off, so the frontier is all nodes of utility c, one rank of the lattice,\n"
        "and the shares are the coefficients of a product. They can be told for lattices nobody\n"
        "could visit: with 70 attributes of heights 1 to 5, ");
    pv_i_plain_percent(page, e->paper_shares[PAPER_MOST / 2]);
    pv_i_buffer_text(page, " of all nodes midway. That is\n");
    pv_i_buffer_format(page,
                       "more than 10^%d of them. Figures 7a and 7b of the paper are about all its "
                       "attributes: with c\n"
                       "midway no walk over the frontier ends, and how it was measured there the "
                       "paper does not say.\n\n",
                       (int)floor(14 * log10(720) + log10(e->paper_shares[PAPER_MOST / 2])));
}

static void write_threshold_row(pv_buffer *page, const threshold *t)
{
    const trial *const trials[METHODS] = {&t->btda, &t->aruba[PV_RISK_I], &t->bnb[PV_RISK_I]};
    pv_i_buffer_format(page, "| %.0f |", t->c);
    percent_cell(page, t->frontier);
    for (size_t m = 0; m < METHODS; m++) {
        time_cell(page, trials[m]->seconds);
    }
    for (size_t m = 0; m < METHODS; m++) {
        count_cell(page, trials[m]->visited);
    }
    pv_i_buffer_char(page, '\n');
}

static void write_thresholds(pv_buffer *page, const experiments *e)
{
    pv_i_buffer_text(page,
                     "## Time against c (figure 7b)\n\n"
                     "Model I.\n\n"
                     "![time and nodes visited, by c](figures/aruba_thresholds.svg)\n\n"
                     "| c | frontier | btda | aruba | bnb | btda visited | aruba visited | bnb "
                     "visited |\n|---:|---:|---:|---:|---:|---:|---:|---:|\n");
    for (size_t i = 0; i < THRESHOLDS; i++) {
        write_threshold_row(page, &e->thresholds[i]);
    }
    pv_i_buffer_char(page, '\n');
}

/* --------------------------------------------------------------- attributes */

static void size_cells(pv_buffer *page, const size_trial *t, size_t method)
{
    const trial *const found = &t->trials[method];
    if (!t->is_tried[method]) {
        pv_i_buffer_text(page, " - | - |");
    } else if (found->n_proven < found->n) {
        pv_i_buffer_format(page, " %zu of %zu solved | more |", found->n_proven, found->n);
    } else {
        time_cell(page, found->seconds);
        count_cell(page, found->visited);
    }
}

static void write_sizes(pv_buffer *page, const experiments *e)
{
    pv_i_buffer_text(
        page, "## Time and nodes visited against the number of attributes (figures 7c, 7d)\n\n"
              "Model I, c midway. A record is given up after ");
    pv_i_buffer_count(page, LIMIT);
    pv_i_buffer_text(page,
                     " nodes; a method that solved none is\n"
                     "not tried with more attributes.\n\n"
                     "![time and nodes visited, by attributes](figures/aruba_attributes.svg)\n\n"
                     "| attributes | nodes of the lattice | btda | visited | aruba | visited | "
                     "bnb | visited |\n|---:|---:|---:|---:|---:|---:|---:|---:|\n");
    for (size_t i = 0; i < SIZES; i++) {
        const size_trial *const t = &e->sizes[i];
        pv_i_buffer_format(page, "| %zu |", t->n_attributes);
        count_cell(page, t->nodes);
        for (size_t m = 0; m < METHODS; m++) {
            size_cells(page, t, m);
        }
        pv_i_buffer_char(page, '\n');
    }
    pv_i_buffer_char(page, '\n');
}

/* -------------------------------------------------------------------- risks */

static void write_risk_row(pv_buffer *page, const threshold *t)
{
    pv_i_buffer_format(page, "| %.0f |", t->c);
    for (int model = 0; model < PV_RISK_COUNT; model++) {
        risk_cell(page, t->aruba[model].risk);
        risk_cell(page, t->bnb[model].risk);
        risk_cell(page, t->greedy[model].risk);
    }
    risk_cell(page, t->exact_attacker.risk);
    pv_i_buffer_char(page, '\n');
}

static void write_table_row(pv_buffer *page, size_t i, const anonymous *a)
{
    pv_i_buffer_format(page, "| %u |", (unsigned)aruba_ks[i]);
    utility_cell(page, a->best.utility);
    for (int model = 0; model < PV_RISK_COUNT; model++) {
        risk_cell(page, a->best.risk[model]);
        risk_cell(page, a->least[model]);
    }
    utility_cell(page, a->suppressed.utility);
    risk_cell(page, a->suppressed.risk[PV_RISK_I]);
    utility_cell(page, a->arbitrary.utility);
    risk_cell(page, a->arbitrary.risk[PV_RISK_I]);
    pv_i_buffer_char(page, '\n');
}

static void write_risks(pv_buffer *page, const experiments *e)
{
    pv_i_buffer_text(
        page,
        "## Risk against utility (figure 9)\n\n"
        "![risk against utility](figures/aruba_risks.svg)\n\n"
        "Mean risk of the records by c: aruba, bnb, and bnb that is stopped after its first\n"
        "guess, a step by step generalization that always takes the step of least risk. In the\n"
        "last column the attacker takes only the same value for consistent (bnb, model I).\n\n"
        "| c | I: aruba | bnb | stopped | II: aruba | bnb | stopped | III: aruba | bnb | stopped | "
        "I: same values |\n"
        "|---:|---:|---:|---:|---:|---:|---:|---:|---:|---:|---:|\n");
    for (size_t i = 0; i < THRESHOLDS; i++) {
        write_risk_row(page, &e->thresholds[i]);
    }
    pv_i_buffer_format(
        page,
        "\nk-anonymous tables, in which everyone has the same levels: of all schemes the one with\n"
        "the most utility, and beside its risk what the same records risk when they are disclosed\n"
        "one by one with at least the same utility. The others, for model I: the best scheme when\n"
        "1%% of the rows may be suppressed, and the mean of %d schemes drawn at random, none of\n"
        "which could be more specific in any attribute.\n\n"
        "| k | utility | I | one by one | II | one by one | III | one by one | 1%% suppressed: "
        "utility | I | arbitrary: utility | I |\n"
        "|---:|---:|---:|---:|---:|---:|---:|---:|---:|---:|---:|---:|\n",
        ARBITRARY);
    for (size_t i = 0; i < KS; i++) {
        write_table_row(page, i, &e->tables[i]);
    }
    pv_i_buffer_char(page, '\n');
}

void aruba_write_page(pv_buffer *page, const experiments *e)
{
    write_opening(page);
    write_table(page, e);
    write_settings(page, e);
    write_frontier(page, e);
    write_thresholds(page, e);
    write_sizes(page, e);
    write_risks(page, e);
    aruba_write_words(page, e);
}
