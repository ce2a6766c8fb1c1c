/* The page's tables 1(b), 2(a) and 2(b) with the figures, and what they say. */
#include "pbg_cells.h"

#include <math.h>

/* -------------------------------------------------- how much of the front */

static const statistic *theirs_ratio(const answer *a)
{
    return a->asked->has_ratio ? &a->asked->ratio : NULL;
}

static const statistic *theirs_error(const answer *a)
{
    return a->asked->has_ratio ? &a->asked->error : NULL;
}

static void write_ratios(pv_buffer *page, const answer *answers)
{
    pv_i_buffer_text(page, "| objectives | in the paper | points of our front | RR: paper | pbg-ea "
                           "| pbg-hybrid | whole front: pbg-ea | pbg-hybrid |\n"
                           "|---|---|---:|---:|---:|---:|---:|---:|\n");
    for (size_t i = 0; i < QUESTIONS; i++) {
        const answer *const a = &answers[i];
        pv_i_buffer_char(page, '|');
        pbg_text_cell(page, a->asked->name);
        pbg_text_cell(page, a->asked->theirs);
        pbg_count_cell(page, (double)a->truth->n_points);
        pbg_ratio_cell(page, theirs_ratio(a));
        pbg_ratio_cell(page, &a->plain.ratio);
        pbg_ratio_cell(page, &a->hybrid.ratio);
        pbg_seeds_cell(page, a->plain.whole);
        pbg_seeds_cell(page, a->hybrid.whole);
        pv_i_buffer_char(page, '\n');
    }
    pv_i_buffer_char(page, '\n');
}

static void write_errors(pv_buffer *page, const answer *answers)
{
    pv_i_buffer_text(page, "| objectives | CE: paper | pbg-ea | pbg-ea, per point | pbg-hybrid |\n"
                           "|---|---:|---:|---:|---:|\n");
    for (size_t i = 0; i < QUESTIONS; i++) {
        const answer *const a = &answers[i];
        pv_i_buffer_char(page, '|');
        pbg_text_cell(page, a->asked->name);
        pbg_error_cell(page, theirs_error(a));
        pbg_error_cell(page, &a->plain.error);
        pbg_error_cell(page, &a->plain.error_each);
        pbg_error_cell(page, &a->hybrid.error);
        pv_i_buffer_char(page, '\n');
    }
    pv_i_buffer_char(page, '\n');
}

/* How many errors the paper gives, and how many of ours are no larger. */
static void write_error_words(pv_buffer *page, const answer *answers)
{
    size_t given = 0;
    size_t as_sum = 0;
    size_t each = 0;
    for (size_t i = 0; i < QUESTIONS; i++) {
        const trial *const t = &answers[i].plain;
        if (answers[i].asked->has_ratio) {
            given++;
            as_sum += t->error.mean <= answers[i].asked->error.mean;
            each += t->error_each.mean <= answers[i].asked->error.mean;
        }
    }
    pv_i_buffer_format(
        page,
        "As sums, the errors of pbg-ea are no larger than the paper's in %zu of the %zu\n"
        "cases; per point, in %zu. We cannot tell which of the two the paper's numbers are:\n"
        "its formula is a sum, and by it ours are what the table says. Since k is divided\n"
        "by its largest value, the number of all rows, a point of high k beside the front\n"
        "weighs far more than one of low k.\n\n",
        as_sum, given, each);
}

static void write_pictures(pv_buffer *page, const answer *answers)
{
    static const char *const headings[QUESTIONS] = {
        [0] = "Figure 1 of the paper, k, and l as the number of distinct values:",
        [2] = "Figure 2 of the paper, sums over all people:",
        [4] = "Figure 3 of the paper, two losses:",
    };
    pv_i_buffer_text(
        page, "The figures show the whole front and the points of pbg-ea with seed 1. A ring is\n"
              "a point of the front; with a dot in it, it was found; a red ring was missed; a red\n"
              "dot was found but is not on the front. The paper draws three objectives in\n"
              "perspective; here the same points stand in two panels, each with the loss glm and\n"
              "one of the other objectives.\n\n");
    for (size_t i = 0; i < QUESTIONS; i++) {
        if (headings[i] != NULL) {
            pv_i_buffer_format(page, "%s\n\n", headings[i]);
        }
        pv_i_buffer_format(page, "![%s](%s)\n\n", answers[i].asked->name, answers[i].asked->figure);
    }
}

void pbg_write_fronts(pv_buffer *page, const answer *answers)
{
    pv_i_buffer_text(
        page,
        "## How much of the front is found (table 1(b) and figures 1 to 3 of the paper)\n\n"
        "Two numbers say how good a result is. The representation ratio, RR, is the part of\n"
        "the boxes of the whole front in which the result has a point: 1 is best. The\n"
        "convergence error, CE, is the distance of every point of the result to the nearest\n"
        "one of the front, each objective divided by its largest value there: 0 is best. The\n"
        "paper's formula adds the distances up; we also give them per point of the result.\n"
        "The sides of the boxes are 1.\n\n");
    write_ratios(page, answers);
    write_errors(page, answers);
    write_error_words(page, answers);
    write_pictures(page, answers);
}

/* ----------------------------------------------------------- larger boxes */

static void write_box_ratios(pv_buffer *page, const box_answer *coarse)
{
    pv_i_buffer_text(page, "| sides | boxes of the front | RR: paper | pbg-ea | pbg-hybrid "
                           "| evaluated: pbg-ea | pbg-hybrid |\n"
                           "|---|---:|---:|---:|---:|---:|---:|\n");
    for (size_t i = 0; i < BOXES; i++) {
        const box_answer *const b = &coarse[i];
        pv_i_buffer_char(page, '|');
        pbg_sides_cell(page, b);
        pbg_count_cell(page, (double)b->plain.boxes);
        pbg_ratio_cell(page, &b->asked->ratio);
        pbg_ratio_cell(page, &b->plain.ratio);
        pbg_ratio_cell(page, &b->hybrid.ratio);
        pbg_evaluated_cell(page, b->plain.evaluated, b->fine);
        pbg_evaluated_cell(page, b->hybrid.evaluated, b->fine);
        pv_i_buffer_char(page, '\n');
    }
    pv_i_buffer_char(page, '\n');
}

static void write_box_errors(pv_buffer *page, const box_answer *coarse)
{
    pv_i_buffer_text(page, "| sides | CE: paper | pbg-ea | pbg-ea, per point | pbg-hybrid |\n"
                           "|---|---:|---:|---:|---:|\n");
    for (size_t i = 0; i < BOXES; i++) {
        const box_answer *const b = &coarse[i];
        pv_i_buffer_char(page, '|');
        pbg_sides_cell(page, b);
        pbg_error_cell(page, &b->asked->error);
        pbg_error_cell(page, &b->plain.error);
        pbg_error_cell(page, &b->plain.error_each);
        pbg_error_cell(page, &b->hybrid.error);
        pv_i_buffer_char(page, '\n');
    }
    pv_i_buffer_char(page, '\n');
}

/* Theorem 2: the numbers of steps of the objectives multiplied, but for the smallest. */
static double theirs_bound(const box_answer *b)
{
    const pv_front *const truth = b->fine->truth;
    double product = 1;
    double least = HUGE_VAL;
    for (size_t o = 0; o < truth->n_objectives; o++) {
        double largest = 0;
        for (size_t i = 0; i < truth->n_points; i++) {
            largest = fmax(largest, truth->points[i].values[o]);
        }
        const double steps = largest / b->asked->epsilons[o];
        product *= steps;
        least = fmin(least, steps);
    }
    return product / least;
}

static void write_bounds(pv_buffer *page, const box_answer *coarse)
{
    pv_i_buffer_text(
        page,
        "The archive: its mean and its largest size over the seeds, and what the boxes can\n"
        "hold at most. Theorem 2 of the paper multiplies the numbers of steps of all\n"
        "objectives but the one with fewest; leaving out the one with most is right as well,\n"
        "and tighter.\n\n"
        "| sides | pbg-ea: mean | largest | pbg-hybrid: mean | largest | at most, ours "
        "| theorem 2 |\n|---|---:|---:|---:|---:|---:|---:|\n");
    for (size_t i = 0; i < BOXES; i++) {
        const box_answer *const b = &coarse[i];
        pv_i_buffer_char(page, '|');
        pbg_sides_cell(page, b);
        pbg_number_cell(page, b->plain.points);
        pbg_count_cell(page, (double)b->plain.most_points);
        pbg_number_cell(page, b->hybrid.points);
        pbg_count_cell(page, (double)b->hybrid.most_points);
        pbg_count_cell(page, b->plain.bound);
        pbg_count_cell(page, floor(theirs_bound(b)));
        pv_i_buffer_char(page, '\n');
    }
    pv_i_buffer_char(page, '\n');
}

void pbg_write_boxes(pv_buffer *page, const box_answer *coarse)
{
    pv_i_buffer_text(
        page, "## Larger boxes (table 2(a) of the paper)\n\n"
              "The larger the boxes, the fewer points stand for the front: of all that fall into\n"
              "one box, one is kept. `--epsilon k=5,glm=100` sets their sides.\n\n");
    write_box_ratios(page, coarse);
    write_box_errors(page, coarse);
    write_bounds(page, coarse);
}

/* ------------------------------------------------------- schemes evaluated */

static void write_evaluated(pv_buffer *page, const answer *answers)
{
    pv_i_buffer_text(page, "| objectives | paper | pbg-ea | RR | pbg-hybrid | fewest | most | RR "
                           "| RR with the paper's number |\n"
                           "|---|---:|---:|---:|---:|---:|---:|---:|---:|\n");
    for (size_t i = 0; i < QUESTIONS; i++) {
        const answer *const a = &answers[i];
        pv_i_buffer_char(page, '|');
        pbg_text_cell(page, a->asked->name);
        pbg_evaluated_cell(page, a->asked->evaluated, a);
        pbg_evaluated_cell(page, a->plain.evaluated, a);
        pbg_number_cell(page, a->plain.ratio.mean);
        pbg_evaluated_cell(page, a->hybrid.evaluated, a);
        pbg_count_cell(page, (double)a->hybrid.fewest_evaluated);
        pbg_count_cell(page, (double)a->hybrid.most_evaluated);
        pbg_number_cell(page, a->hybrid.ratio.mean);
        pbg_number_cell(page, a->limited.ratio.mean);
        pv_i_buffer_char(page, '\n');
    }
    pv_i_buffer_char(page, '\n');
}

typedef bool (*condition)(const answer *a);

static bool is_whole_for_less(const answer *a)
{
    return a->hybrid.whole == SEEDS && a->hybrid.evaluated <= a->asked->evaluated;
}

static bool is_whole_for_more(const answer *a)
{
    return a->hybrid.whole == SEEDS && a->hybrid.evaluated > a->asked->evaluated;
}

static bool is_not_whole(const answer *a)
{
    return a->hybrid.whole < SEEDS;
}

/* "- (k, glm), (sum-k, glm):" and what holds for them; nothing if there are none. */
static void write_those(pv_buffer *page, const answer *answers, condition holds, const char *what)
{
    size_t n = 0;
    for (size_t i = 0; i < QUESTIONS; i++) {
        if (holds(&answers[i])) {
            pv_i_buffer_format(page, "%s(%s)", n++ > 0 ? ", " : "- ", answers[i].asked->name);
        }
    }
    if (n > 0) {
        pv_i_buffer_format(page, ":\n  %s\n", what);
    }
}

void pbg_write_evaluations(pv_buffer *page, const answer *answers)
{
    pv_i_buffer_text(
        page, "## How many schemes are evaluated (table 2(b) of the paper)\n\n"
              "Different schemes evaluated, as means over the runs, with sides of 1. The last\n"
              "column is the hybrid stopped where the paper's search ends on the average.\n\n");
    write_evaluated(page, answers);
    pv_i_buffer_text(page, "What the hybrid finds:\n\n");
    write_those(page, answers, is_whole_for_less,
                "the whole front with every seed, for fewer evaluations than the paper's search.");
    write_those(page, answers, is_whole_for_more,
                "the whole front with every seed, but for more evaluations than the paper's.");
    write_those(page, answers, is_not_whole, "not the whole front with every seed.");
    pv_i_buffer_text(
        page,
        "\nHow the part of the front that is found grows with the evaluations: means over\n"
        "the seeds of searches that were stopped earlier and later.\n\n"
        "![the part of the front found, by evaluations](figures/pbg_evaluations.svg)\n\n"
        "Lattices of this size can be searched exhaustively or, where the objectives have\n"
        "bounds, by `--method exact`. Both prove their fronts whole, and `--method auto` takes\n"
        "one of them. The evolutionary searches are for lattices too large for that.\n\n");
}
