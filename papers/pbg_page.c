/* The page: what it is about, what was found (pbg_results.c), where ours differs and is weaker. */
#include "pbg_cells.h"

#include <math.h>

/* ---------------------------------------------------------------- opening */

static void write_opening(pv_buffer *page)
{
    pv_i_buffer_format(
        page,
        "# The paper on property based generalizations, made anew\n\n"
        "The paper says when one release of a table is better than another in several\n"
        "properties at once, keeps the best ones in an archive that is divided into boxes\n"
        "(algorithm 1), and fills it by an evolutionary search, PBG-EA (algorithm 2). It is\n"
        "named by its subject here, since the copy we worked from has no title.\n\n"
        "`paravent front PLAN --method pbg-ea` is this search with the paper's parameters: 25\n"
        "schemes in a generation, 100 generations, crossover with a chance of 0.8, mutation\n"
        "of an attribute with a chance of 1 / number of attributes. `--method pbg-hybrid` is\n"
        "our own: the same archive, but it goes along the lattice from both ends, leaves out\n"
        "what cannot be good enough, and breeds only when there is nothing left to look\n"
        "around. Both are shown beside what the paper reports, and both are measured by the\n"
        "front that exhaustive search finds.\n\n"
        "This page and its figures are written by `make papers` from the Adult table. Every\n"
        "number is as it was computed, but for those that are said to be the paper's. Ours\n"
        "are over the seeds 1 to %d, the paper's over %d runs. A number in brackets after a\n"
        "mean is the variance; after a number of schemes it is their share of the lattice.\n\n",
        SEEDS, SEEDS);
}

/* -------------------------------------------------------------- the table */

static void write_columns(pv_buffer *page, const pv_study *study)
{
    require(pv_study_quasis(study) == COLUMNS, "the plan has other attributes than the paper");
    for (size_t q = 0; q < COLUMNS; q++) {
        const pv_hierarchy *const hierarchy = pv_study_hierarchy(study, q);
        pv_i_buffer_format(page, "| %s | %u | %u | %u | %u |\n", pbg_columns[q].name,
                           pbg_columns[q].values, (unsigned)pv_hierarchy_leaves(hierarchy),
                           pbg_columns[q].height, pv_hierarchy_height(hierarchy));
    }
}

static void write_sensitive(pv_buffer *page, const pv_study *study)
{
    const pv_table *const table = pv_study_table(study);
    const size_t sensitive = pv_study_sensitive_column(study, 0);
    pv_i_buffer_format(page, "| %s | %u | %u | sensitive | sensitive |\n\n",
                       pv_table_name(table, sensitive), pbg_sensitive_values,
                       (unsigned)pv_table_values(table, sensitive));
}

static void write_table(pv_buffer *page, const report *r)
{
    const pv_study *const study = r->table->study;
    pv_i_buffer_text(page,
                     "## The table (table 1(a) of the paper)\n\n"
                     "| attribute | values: paper | ours | levels above them: paper | ours |\n"
                     "|---|---:|---:|---:|---:|\n");
    write_columns(page, study);
    write_sensitive(page, study);
    pv_i_buffer_count(page, pv_profile_rows(r->table->profile));
    pv_i_buffer_text(page, " rows, of which ");
    pv_i_buffer_count(page, pv_study_budget(study));
    pv_i_buffer_text(page, " may be suppressed, as in the paper; ");
    pv_i_buffer_count(page, (uint64_t)r->answers[0].truth->nodes);
    pv_i_buffer_text(page, " schemes, or ");
    pv_i_buffer_count(page, (uint64_t)r->answers[QUESTIONS - 1].truth->nodes);
    pv_i_buffer_text(
        page,
        "\nwhere salary-class is the label that cm needs. The ages go from 17 to 90, which\n"
        "makes 74, but two of these nobody has; we count values that occur. The heights are\n"
        "the paper's. How values are grouped at each level the paper does not say: our groups\n"
        "are our own.\n\n");
}

/* ------------------------------------------------------------- differences */

static void write_definitions(pv_buffer *page)
{
    pv_i_buffer_text(
        page,
        "- The hierarchies have the paper's heights, but groups of our own, since the paper\n"
        "  does not give its. Every front depends on them, so that no number of ours can be\n"
        "  expected to equal one of the paper's; what can be compared is how large they are.\n"
        "- Our l is the number of different sensitive values in a class, the least over all\n"
        "  classes. The paper does not say which l-diversity it takes.\n"
        "- Suppressed rows count as lost in the paper; what they count for in sum-k and sum-l\n"
        "  it does not say. Ours form one class of their own there. For k and l they do not\n"
        "  count at all; for glm each of their attributes is lost; for cm they are wrong.\n"
        "- The paper writes all objectives as better when larger and does not say how a loss\n"
        "  is turned around. We take it negative, so that a box holds the losses above one\n"
        "  multiple of its side and up to the next. Where the borders are decides which points\n"
        "  share a box, so RR with large boxes depends on it.\n"
        "- Values that differ only in the last digits of a floating-point sum are equal.\n"
        "- Our variances divide by the number of runs less one; the paper does not say.\n");
}

static void write_search(pv_buffer *page)
{
    pv_i_buffer_text(
        page,
        "- Population and archive are united as a set: a scheme that is in both, or several\n"
        "  times in the population, counts once for fitness and has one chance in each draw.\n"
        "- Parents are crossed two and two in the order of their selection; of 25 the last one\n"
        "  is only mutated. The point of crossover lies between two attributes, so that some\n"
        "  levels are always swapped and some kept.\n"
        "- A mutation that would leave the hierarchy does nothing.\n"
        "- Of two points in a box that do not dominate each other the older one stays; the\n"
        "  paper leaves it open. Schemes with equal values are one point.\n"
        "- A scheme is evaluated once in a run and counted once, as in the paper.\n");
}

/* Runs that may end early, beside runs that go on to the last generation. */
static void write_patient_cells(pv_buffer *page, const trial *patient, const trial *plain)
{
    pbg_seeds_cell(page, patient->n_stalled);
    pbg_count_cell(page, patient->evaluated);
    pbg_number_cell(page, patient->ratio.mean);
    pbg_count_cell(page, plain->evaluated);
    pbg_number_cell(page, plain->ratio.mean);
    pv_i_buffer_char(page, '\n');
}

static void write_patience(pv_buffer *page, const report *r)
{
    pv_i_buffer_text(
        page,
        "- Unless told otherwise (`--patience 0`), pbg-ea ends when nothing new came up for 50\n"
        "  generations. The paper's does not, so for this page it was told otherwise; the\n"
        "  hybrid was not. Where pbg-ea would have ended early with some seeds:\n\n"
        "| sides | ended early | evaluated | RR | evaluated, to the end | RR |\n"
        "|---|---:|---:|---:|---:|---:|\n");
    for (size_t i = 0; i < QUESTIONS; i++) {
        const answer *const a = &r->answers[i];
        if (a->patient.n_stalled > 0) {
            pv_i_buffer_format(page, "| 1 for %s |", a->asked->name);
            write_patient_cells(page, &a->patient, &a->plain);
        }
    }
    for (size_t i = 0; i < BOXES; i++) {
        const box_answer *const b = &r->coarse[i];
        if (b->patient.n_stalled > 0) {
            pv_i_buffer_char(page, '|');
            pbg_sides_cell(page, b);
            write_patient_cells(page, &b->patient, &b->plain);
        }
    }
    pv_i_buffer_char(page, '\n');
}

static void write_differences(pv_buffer *page, const report *r)
{
    pv_i_buffer_text(page, "## Where ours differ and why\n\n");
    write_definitions(page);
    write_search(page);
    write_patience(page, r);
}

/* ------------------------------------------------------------------ weaker */

/* In the digits the paper gives. */
static bool is_below(const statistic *ours, const statistic *theirs)
{
    return round(ours->mean * 100) < round(theirs->mean * 100);
}

static void write_below(pv_buffer *page, const char *method, const trial *t, const box_answer *b)
{
    if (is_below(&t->ratio, &b->asked->ratio)) {
        pv_i_buffer_format(page, "  - %s with ", method);
        pbg_sides(page, b);
        pv_i_buffer_format(page, ": %.2f, the paper %.2f\n", t->ratio.mean, b->asked->ratio.mean);
    }
}

/* Where the hybrid takes more evaluations than the paper's search. */
static void write_dear(pv_buffer *page, const answer *a)
{
    if (a->hybrid.evaluated > a->asked->evaluated) {
        pv_i_buffer_format(page, "- With (%s) the hybrid evaluates ", a->asked->name);
        pv_i_buffer_count(page, (uint64_t)llround(a->hybrid.evaluated));
        pv_i_buffer_text(page, " schemes where the paper's search does with\n  ");
        pv_i_buffer_count(page, (uint64_t)llround(a->asked->evaluated));
        pv_i_buffer_format(page, "; stopped there, its RR is %.2f.\n", a->limited.ratio.mean);
    }
}

static void write_weaknesses(pv_buffer *page, const report *r)
{
    pv_i_buffer_text(
        page,
        "## What is weaker\n\n"
        "- With large boxes the archive of pbg-ea is small, so that there is less to breed from.\n"
        "  (The other searches divide what they found into boxes at the end.) RR below the\n"
        "  paper's, in the digits it gives:\n");
    for (size_t i = 0; i < BOXES; i++) {
        write_below(page, "pbg-ea", &r->coarse[i].plain, &r->coarse[i]);
        write_below(page, "pbg-hybrid", &r->coarse[i].hybrid, &r->coarse[i]);
    }
    for (size_t i = 0; i < QUESTIONS; i++) {
        write_dear(page, &r->answers[i]);
    }
    pv_i_buffer_text(page, "- CE of pbg-ea, taken as the sum it is in the paper's formula.\n"
                           "- Neither search proves anything: that the whole front was found is "
                           "known from\n  exhaustive search alone.\n");
}

void pbg_write_page(pv_buffer *page, const report *r)
{
    write_opening(page);
    write_table(page, r);
    pbg_write_fronts(page, r->answers);
    pbg_write_boxes(page, r->coarse);
    pbg_write_evaluations(page, r->answers);
    write_differences(page, r);
    write_weaknesses(page, r);
}
