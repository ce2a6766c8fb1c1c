/* The page: what it is about and the paper's example. What was found on Adult is in pref_results.c,
 * where ours differs and is weaker in pref_words.c. */
#include "pref_cells.h"

#include <math.h>

/* ---------------------------------------------------------------- opening */

static void write_opening(pv_buffer *page)
{
    pv_i_buffer_format(
        page,
        "# The paper on publisher preferences, made anew\n\n"
        "Rinku Dewri, Indrajit Ray, Indrakshi Ray, Darrell Whitley: *k-Anonymization in the\n"
        "Presence of Publisher Preferences*. A publisher names the bias (NECD, how unequal the\n"
        "classes are) and the loss (NWP, how much detail is gone) they would accept. An\n"
        "achievement function turns this wish into one number; the release with the least\n"
        "exceeds the wish most evenly, or misses it least. From there the publisher walks along\n"
        "a reference direction. The releases are *cuts*: every attribute has its values in\n"
        "order, and neighbours are merged or cut apart.\n\n"
        "`paravent prefer PLAN --method nsga2` searches with the paper's operators and\n"
        "parameters: %d schemes in a generation, 50,000 evaluations, crossover with a chance of\n"
        "0.8, mutation with 0.001. `--method memetic`, the default, is our own: it moves cuts,\n"
        "repairs, and improves one attribute after the other as far as the rest allows. After\n"
        "it, branch and bound proves how good the answer is. All three stand side by side here.\n"
        "\n"
        "This page and its figures are written by `make papers` from the Adult table. Every\n"
        "number is as it was computed, but for those that are said to be the paper's. Ours are\n"
        "over the seeds 1 to %d. A gap is how far an achievement is above the proven bound, in\n"
        "percent of it: 0 is optimal, and proven to be.\n\n",
        (int)pref_populations[0], SEEDS);
}

/* ---------------------------------------------------------------- table 2 */

static const char *name_of(pv_efficiency efficient)
{
    static const char *const names[] = {"-", "weak", "strong"};
    return names[efficient];
}

/* The least of a column stand out. */
static void value_cell(pv_buffer *page, double value, bool least)
{
    pv_i_buffer_format(page, least ? " **%.2f** |" : " %.2f |", value);
}

static bool is_least(const example_row *rows, size_t i, size_t wish)
{
    for (size_t j = 0; j < GENERALIZATIONS; j++) {
        if (rows[j].achievement[wish] < rows[i].achievement[wish] - 1e-12) {
            return false;
        }
    }
    return true;
}

static void write_row(pv_buffer *page, const char *name, const char *whose, const example_row *rows,
                      size_t i)
{
    const example_row *const row = &rows[i];
    pref_row(page);
    pref_text_cell(page, name);
    pref_text_cell(page, whose);
    pref_number_cell(page, row->point.bias, 2);
    pref_number_cell(page, row->point.loss, 2);
    pref_count_cell(page, row->k);
    pref_text_cell(page, name_of(row->efficient));
    for (size_t w = 0; w < WISHES; w++) {
        value_cell(page, row->achievement[w], is_least(rows, i, w));
    }
    pref_number_cell(page, row->deviation, 2);
    pref_row_end(page);
}

static void write_rows(pv_buffer *page, const example *x)
{
    for (size_t i = 0; i < GENERALIZATIONS; i++) {
        pv_buffer name = {0};
        pv_i_buffer_format(&name, "G%zu `%s`", i + 1, pref_generalizations[i]);
        require(!name.failed, "out of memory");
        write_row(page, name.data, "ours", x->rows, i);
        write_row(page, "", "paper", pref_printed, i);
        pv_i_buffer_deinit(&name);
    }
    pv_i_buffer_char(page, '\n');
}

/* ------------------------------------------------------------- comparison */

typedef struct {
    size_t cells, same;
    pv_buffer others; /* those that differ, or nearly do */
} comparison;

static void name_cell(comparison *c, size_t row, const char *column)
{
    pv_i_buffer_format(&c->others, "G%zu, %s: ", row + 1, column);
}

/* A number just between two printed ones could have been printed as either. */
static bool is_between(double value)
{
    return fabs(fabs(value * 100 - trunc(value * 100)) - 0.5) < 0.001;
}

static void compare_number(comparison *c, size_t row, const char *column, double ours,
                           double printed)
{
    const bool same = lround(ours * 100) == lround(printed * 100);
    c->cells++;
    c->same += same;
    if (!same) {
        name_cell(c, row, column);
        pv_i_buffer_format(&c->others, "%.6f before it is rounded, %.2f in the paper.\n", ours,
                           printed);
    } else if (is_between(ours)) {
        name_cell(c, row, column);
        pv_i_buffer_format(&c->others, "%.6f before it is rounded, just between two.\n", ours);
    }
}

static void compare_row(comparison *c, size_t i, const example_row *ours,
                        const example_row *printed)
{
    static const char *const columns[WISHES] = {"s(q1)", "s(q2)", "s(q3)", "s(q4)", "s(q5)"};
    compare_number(c, i, "NECD", ours->point.bias, printed->point.bias);
    compare_number(c, i, "NWP", ours->point.loss, printed->point.loss);
    compare_number(c, i, "deviation", ours->deviation, printed->deviation);
    for (size_t w = 0; w < WISHES; w++) {
        compare_number(c, i, columns[w], ours->achievement[w], printed->achievement[w]);
    }
    c->cells += 2;
    c->same += (ours->k == printed->k) + (ours->efficient == printed->efficient);
}

static void write_comparison(pv_buffer *page, const example *x)
{
    comparison c = {0};
    for (size_t i = 0; i < GENERALIZATIONS; i++) {
        compare_row(&c, i, &x->rows[i], &pref_printed[i]);
    }
    pv_i_buffer_format(page, "Of the %zu entries %zu are the same in the digits printed.\n",
                       c.cells, c.same);
    if (c.others.size > 0) {
        pv_i_buffer_text(page, c.others.data);
    }
    pv_i_buffer_char(page, '\n');
    pv_i_buffer_deinit(&c.others);
}

/* --------------------------------------------------------------- examples */

static void write_wish(pv_buffer *page, const example *x, size_t w)
{
    pv_i_buffer_format(page, "%sq%zu leads to G%zu, which %s", w > 0 ? ";\n  " : "", w + 1,
                       x->best[w] + 1, x->fulfilled[w] ? "over-achieves it" : "misses it least");
}

static void write_examples_4_5(pv_buffer *page, const example *x)
{
    const size_t last = WISHES - 1;
    pv_i_buffer_text(page, "- Example 4: ");
    for (size_t w = 0; w < last; w++) {
        write_wish(page, x, w);
    }
    pv_i_buffer_format(page,
                       ".\n- Example 5: for q5, %zu generalizations have the same least "
                       "achievement; G%zu has\n  the least deviation of them (%.2f) and is %sly "
                       "efficient.\n",
                       x->equals[last], x->best[last] + 1, x->rows[x->best[last]].deviation,
                       name_of(x->rows[x->best[last]].efficient));
}

/* "G1 at the first 6 of the 10 wishes, G2 at the next 4" */
static void write_steps(pv_buffer *page, const example *x)
{
    for (size_t first = 0, end; first < STEPS; first = end) {
        end = first + 1;
        while (end < STEPS && x->steps[end] == x->steps[first]) {
            end++;
        }
        pv_i_buffer_format(page, "%sG%zu for wish%s %zu", first > 0 ? ", " : "",
                           x->steps[first] + 1, end - first > 1 ? "es" : "", first + 1);
        if (end - first > 1) {
            pv_i_buffer_format(page, " to %zu", end);
        }
    }
}

static void write_example_6(pv_buffer *page, const example *x)
{
    pv_i_buffer_format(page,
                       "- Example 6: the direction from (%.1f, %.1f) to (%.1f, %.1f) in %d steps "
                       "gives\n  ",
                       pref_from.bias, pref_from.loss, pref_towards.bias, pref_towards.loss, STEPS);
    write_steps(page, x);
    pv_i_buffer_text(page, ". Going on from either of them\n  finds ");
    if (x->found_later > 0) {
        pv_i_buffer_format(page, "%zu more.\n", x->found_later);
    } else {
        pv_i_buffer_text(page, "nothing new.\n");
    }
}

static void write_example_7(pv_buffer *page, const example *x)
{
    pv_i_buffer_format(page,
                       "- Example 7: with k as a second objective G%zu answers q5: of the %zu it "
                       "has the most\n  k, %llu. With NWP wished for at %.1f, %zu are equal in "
                       "achievement, of which %zu have\n  the most k, and the deviation decides "
                       "for G%zu.\n\n",
                       x->most_k + 1, x->equals[WISHES - 1],
                       (unsigned long long)x->rows[x->most_k].k, x->tighter.loss, x->tighter_equals,
                       x->tighter_same_k, x->tighter_best + 1);
}

void pref_write_example(pv_buffer *page, const example *x)
{
    pv_i_buffer_text(
        page, "## Twelve employees (table 2 and examples 4 to 7 of the paper)\n\n"
              "The codes lose one to four digits, the classes C1 and C2 are merged or not: eight\n"
              "generalizations, measured on the table itself. The wishes, as (NECD, NWP), are");
    for (size_t w = 0; w < WISHES; w++) {
        pv_i_buffer_format(page, "%sq%zu (%.2f, %.2f)", w > 0 ? ", " : "\n", w + 1,
                           pref_wishes[w].bias, pref_wishes[w].loss);
    }
    pv_i_buffer_text(page,
                     ";\nthe weights 0.3 for the code and 0.7 for the class; s(q) is the "
                     "achievement,\nits least values are bold.\n\n"
                     "| generalization | | NECD | NWP | k | efficient | s(q1) | s(q2) | s(q3) "
                     "| s(q4) | s(q5) | deviation from q5 |\n"
                     "|---|---|---:|---:|---:|---|---:|---:|---:|---:|---:|---:|\n");
    write_rows(page, x);
    write_comparison(page, x);
    write_examples_4_5(page, x);
    write_example_6(page, x);
    write_example_7(page, x);
}

void pref_write_page(pv_buffer *page, const experiments *e)
{
    write_opening(page);
    pref_write_example(page, &e->example);
    pref_write_results(page, e);
    pref_write_words(page, e);
}
