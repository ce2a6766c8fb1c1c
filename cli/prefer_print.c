/* Telling the answer to a wish, for people: in words, as tables, as a picture, and how to go on. */
#include "fail.h"
#include "grid.h"
#include "paths.h"
#include "prefer_answer.h"
#include "text.h"

#include <math.h>
#include <stdlib.h>

#define MOST_ALTERNATIVES 10 /* without --all */
#define LEAST_BOUND 1e-9     /* the rounding of an achievement is less */

/* ---------------------------------------------------------------- in words */

/* "any bias", "as little bias as possible", "a bias of at most 0.3". Owned. */
static char *wish_words(const char *what, double wish)
{
    return wish >= CLI_ALL_THERE_IS ? cli_format("any %s", what)
           : wish <= 0.0            ? cli_format("as little %s as possible", what)
                         : cli_format("a %s of at most %s", what, cli_value_text(wish).text);
}

static void print_wish(const cli_report *report, const cli_preferred *preferred)
{
    const pv_answer *const answer = preferred->answer;
    const pv_table *const table = pv_study_table(preferred->opened->study);
    char *const bias = wish_words("bias", answer->goal.wish.bias);
    char *const loss = wish_words("loss", answer->goal.wish.loss);
    cli_paragraph(report, 0, "%s: the wish is at least %s in every class, %s and %s.",
                  cli_path_name(pv_table_source(table)),
                  cli_plural_text(answer->k, "person", "people").text, bias, loss);
    free(loss);
    free(bias);
}

/* What is wished to be as little as possible cannot be missed. */
static bool is_missed(double wish, double achieved)
{
    return wish > 0.0 && achieved > wish;
}

static char *verdict_words(pv_aspiration wish, pv_aspiration point)
{
    const bool bias = is_missed(wish.bias, point.bias);
    const bool loss = is_missed(wish.loss, point.loss);
    if (bias && loss) {
        return cli_format(": %s more bias and %s more loss than wished for",
                          cli_value_text(point.bias - wish.bias).text,
                          cli_value_text(point.loss - wish.loss).text);
    }
    if (bias || loss) {
        return cli_format(
            ": %s more %s than wished for",
            cli_value_text(bias ? point.bias - wish.bias : point.loss - wish.loss).text,
            bias ? "bias" : "loss");
    }
    const bool promised = wish.loss > 0.0 && wish.bias > 0.0;
    return cli_copy(promised ? ", which fulfils the wish" : "");
}

static bool wants_least_loss(const pv_answer *answer)
{
    return answer->goal.wish.loss <= 0.0 && answer->goal.wish.bias >= CLI_ALL_THERE_IS;
}

static bool is_fulfilled(const pv_answer *answer)
{
    return answer->best.achievement <= pv_achievement_wish(&answer->goal);
}

/* Owned. */
static char *proof_words(const cli_preferred *preferred)
{
    const pv_answer *const answer = preferred->answer;
    const double gap = 1.0 - answer->bound / answer->best.achievement;
    const char *const better = wants_least_loss(answer) ? "loses less with such classes"
                               : is_fulfilled(answer)   ? "does better"
                                                        : "comes nearer to the wish";
    if (answer->proven) {
        return cli_format("It is proven that no release %s", better);
    }
    return cli_preferred_has_bound(preferred)
               ? cli_format("It is proven that no release %s by more than %s", better,
                            cli_share_text(gap).text)
               : cli_format("Whether any release %s has not been proven", better);
}

static const char *unreachable_words(const pv_answer *answer)
{
    const pv_aspiration wish = answer->goal.wish;
    if (!answer->unreachable || wish.bias <= 0.0 || wish.loss <= 0.0) {
        return "";
    }
    return wish.bias >= CLI_ALL_THERE_IS   ? ", and that none can lose as little as wished for"
           : wish.loss >= CLI_ALL_THERE_IS ? ", and that none can have as little bias as wished for"
                                           : ", and that none can fulfil both wishes";
}

/* "3 to 17 people". Owned. */
static char *sizes_words(const pv_solution *solution)
{
    return solution->k == solution->largest
               ? cli_copy(cli_plural_text(solution->k, "person", "people").text)
               : cli_format("%s to %s people", cli_count_text(solution->k).text,
                            cli_count_text(solution->largest).text);
}

static void print_answer(const cli_report *report, const cli_preferred *preferred)
{
    const pv_answer *const answer = preferred->answer;
    const pv_solution *const best = &answer->best;
    char *const verdict = verdict_words(answer->goal.wish, best->point);
    char *const proof = proof_words(preferred);
    char *const sizes = sizes_words(best);
    cli_paragraph(report, 0, "%s has classes of %s, a bias of %s and a loss of %s%s. %s%s.",
                  answer->stopped ? "The best release so far (interrupted)" : "The best release",
                  sizes, cli_value_text(best->point.bias).text,
                  cli_value_text(best->point.loss).text, verdict, proof, unreachable_words(answer));
    free(sizes);
    free(proof);
    free(verdict);
}

static void print_suppression_note(const cli_report *report, const cli_preferred *preferred)
{
    const uint64_t budget = pv_study_budget(preferred->opened->study);
    if (budget > 0) {
        cli_paragraph(report, 0,
                      "The plan lets %s be suppressed; wishes are answered without suppressing "
                      "anyone.",
                      cli_plural_text(budget, "row", "rows").text);
    }
}

/* ------------------------------------------------------------------ tables */

/* "0.1 less", "0.2 more". */
static cli_number difference_text(double wish, double achieved)
{
    cli_number number = {"as wished"};
    if (fabs(achieved - wish) > 0.0) {
        (void)snprintf(number.text, sizeof number.text, "%.30s %s",
                       cli_value_text(fabs(achieved - wish)).text,
                       achieved < wish ? "less" : "more");
    }
    return number;
}

/* A bound of nothing, or beyond all there is, says nothing. */
static bool is_telling(double bound)
{
    return bound > LEAST_BOUND && bound <= CLI_ALL_THERE_IS;
}

static void add_measure(cli_grid *grid, const char *name, double wish, double achieved,
                        double bound)
{
    cli_grid_cell(grid, "%s", name);
    cli_grid_cell(grid, "%s", cli_value_text(wish).text);
    cli_grid_cell(grid, "%s", cli_value_text(achieved).text);
    cli_grid_cell(grid, "%s", difference_text(wish, achieved).text);
    cli_grid_cell(grid, "%s", is_telling(bound) ? cli_value_text(bound).text : "");
}

/* The corner of what is proven empty, {0, 0} if it is nothing at all: less than none is impossible
 * anyway. */
static pv_aspiration telling_corner(const cli_preferred *preferred)
{
    const pv_aspiration corner = cli_preferred_corner(preferred);
    return corner.bias > LEAST_BOUND && corner.loss > LEAST_BOUND ? corner : (pv_aspiration){0};
}

static void print_corner(const cli_report *report, pv_aspiration corner)
{
    if (is_telling(corner.bias) && is_telling(corner.loss)) {
        cli_paragraph(report, 2,
                      "Proven: no release with such classes has both less bias than %s and less "
                      "loss than %s.",
                      cli_value_text(corner.bias).text, cli_value_text(corner.loss).text);
    } else if (is_telling(corner.loss)) {
        cli_paragraph(report, 2, "Proven: no release with such classes has less loss than %s.",
                      cli_value_text(corner.loss).text);
    } else if (is_telling(corner.bias)) {
        cli_paragraph(report, 2, "Proven: no release with such classes has less bias than %s.",
                      cli_value_text(corner.bias).text);
    }
}

static void print_measures(const cli_report *report, const cli_preferred *preferred)
{
    static const cli_column columns[] = {{"measure", CLI_LEFT},       {"wish", CLI_RIGHT},
                                         {"achieved", CLI_RIGHT},     {"over or under", CLI_RIGHT},
                                         {"proven bound", CLI_RIGHT}, {NULL, CLI_LEFT}};
    const pv_answer *const answer = preferred->answer;
    const pv_achievement *const goal = &answer->goal;
    const pv_solution *const best = &answer->best;
    const pv_aspiration corner = telling_corner(preferred);
    cli_heading(report, "The wish and the answer");
    cli_grid *const grid = cli_grid_create(report, columns);
    add_measure(grid, "people in every class (k)", (double)answer->k, (double)best->k, 0.0);
    add_measure(grid, "bias (necd)", goal->wish.bias, best->point.bias, corner.bias);
    add_measure(grid, "loss (nwp)", goal->wish.loss, best->point.loss, corner.loss);
    add_measure(grid, "both: achievement (ach)", pv_achievement_wish(goal), best->achievement,
                answer->bound);
    cli_grid_print(grid);
    print_corner(report, corner);
}

static void add_solution(cli_grid *grid, const pv_solution *solution)
{
    cli_grid_cell(grid, "%s", cli_count_text(solution->k).text);
    cli_grid_cell(grid, "%s", cli_value_text(solution->point.bias).text);
    cli_grid_cell(grid, "%s", cli_value_text(solution->point.loss).text);
    cli_grid_cell(grid, "%s", cli_value_text(solution->achievement).text);
}

/* Some of many, evenly, with both ends. */
static bool is_shown(size_t i, size_t n, bool all)
{
    const size_t most = MOST_ALTERNATIVES;
    return all || n <= most || i == 0 || i * (most - 1) / (n - 1) != (i - 1) * (most - 1) / (n - 1);
}

static void print_alternatives(const cli_report *report, const cli_preferred *preferred)
{
    static const cli_column columns[] = {{"#", CLI_RIGHT},           {"k", CLI_RIGHT},
                                         {"bias", CLI_RIGHT},        {"loss", CLI_RIGHT},
                                         {"achievement", CLI_RIGHT}, {NULL, CLI_LEFT}};
    const pv_answer *const answer = preferred->answer;
    size_t n_shown = 0;
    if (answer->n_others == 0) {
        return;
    }
    cli_heading(report, "Alternatives with more people in every class");
    cli_grid *const grid = cli_grid_create(report, columns);
    cli_grid_cell(grid, "best");
    add_solution(grid, &answer->best);
    for (size_t i = 0; i < answer->n_others; i++) {
        if (is_shown(i, answer->n_others, preferred->settings->all)) {
            cli_grid_cell(grid, "%zu", i + 1);
            add_solution(grid, &answer->others[i]);
            n_shown++;
        }
    }
    cli_grid_print(grid);
    if (n_shown < answer->n_others) {
        cli_paragraph(report, 2, "%s more with --all.",
                      cli_count_text(answer->n_others - n_shown).text);
    }
}

static void print_steps(const cli_report *report, const cli_preferred *preferred)
{
    static const cli_column columns[] = {{"#", CLI_RIGHT},           {"bias wished", CLI_RIGHT},
                                         {"loss wished", CLI_RIGHT}, {"k", CLI_RIGHT},
                                         {"bias", CLI_RIGHT},        {"loss", CLI_RIGHT},
                                         {"achievement", CLI_RIGHT}, {NULL, CLI_LEFT}};
    if (preferred->n_steps == 0) {
        return;
    }
    cli_heading(report, "Steps towards the wish, each as good as could be found");
    cli_grid *const grid = cli_grid_create(report, columns);
    for (size_t i = 0; i < preferred->n_steps; i++) {
        const pv_answer *const step = preferred->steps[i];
        cli_grid_cell(grid, "%zu", i + 1);
        cli_grid_cell(grid, "%s", cli_value_text(step->goal.wish.bias).text);
        cli_grid_cell(grid, "%s", cli_value_text(step->goal.wish.loss).text);
        add_solution(grid, &step->best);
    }
    cli_grid_print(grid);
}

/* ------------------------------------------------------------------ groups */

pv_status cli_preferred_print_groups(const cli_report *report, const cli_preferred *preferred,
                                     pv_error *error)
{
    const size_t choice = preferred->choice;
    const pv_solution *const chosen = cli_preferred_chosen(preferred);
    char *const name =
        choice == 0 ? cli_copy("the best")
                    : cli_format("%s %zu", preferred->n_steps > 0 ? "step" : "alternative", choice);
    cli_heading(report, "The groups of %s (k %s, bias %s, loss %s)", name,
                cli_count_text(chosen->k).text, cli_value_text(chosen->point.bias).text,
                cli_value_text(chosen->point.loss).text);
    free(name);
    return cli_preferred_groups(report, preferred, error);
}

/* ---------------------------------------------------------------- going on */

/* A release that suppresses nobody is what the answer speaks of. */
static void print_release(const cli_report *report, const cli_preferred *preferred,
                          const char *cuts)
{
    const bool suppresses = pv_study_budget(preferred->opened->study) > 0;
    const char *const data = preferred->settings->data;
    cli_line(report, "paravent release %s%s%s --cuts %s%s", preferred->plan,
             data != NULL ? " --data " : "", data != NULL ? data : "", cuts,
             suppresses ? " --suppression 0" : "");
}

/* Half the bias, where there is any; else twice the people in every class. */
static void print_another_wish(const cli_report *report, const cli_preferred *preferred)
{
    const pv_answer *const answer = preferred->answer;
    const pv_aspiration point = answer->best.point;
    const char *const data = preferred->settings->data;
    char *const plan = cli_format("%s%s%s", preferred->plan, data != NULL ? " --data " : "",
                                  data != NULL ? data : "");
    if (point.bias > 0.0) {
        cli_paragraph(report, 0, "or walk from here to another wish, such as half the bias:");
        cli_line(report, "paravent prefer %s --k %llu --from %.3g,%.3g --necd %.2g --nwp %.2g",
                 plan, (unsigned long long)answer->k, point.bias, point.loss, point.bias / 2.0,
                 point.loss);
    } else if (answer->k <= pv_profile_rows(preferred->opened->profile) / 2) {
        cli_paragraph(report, 0, "or wish for something else, such as larger classes:");
        cli_line(report, "paravent prefer %s --k %llu", plan, (unsigned long long)answer->k * 2);
    }
    free(plan);
}

void cli_preferred_print_release(const cli_report *report, const cli_preferred *preferred)
{
    const char *const output = preferred->settings->output;
    cli_blank(report);
    if (output != NULL) {
        cli_paragraph(report, 0, "The cuts are in %s. Next: release them, verified,", output);
        print_release(report, preferred, output);
    } else {
        char *const again = cli_wish_again(preferred->settings);
        cli_paragraph(report, 0, "Next: write the cuts to a file and release them, verified,");
        cli_line(report, "paravent prefer %s%s -o cuts.json", preferred->plan, again);
        print_release(report, preferred, "cuts.json");
        free(again);
    }
}

void cli_preferred_print_briefly(const cli_report *report, const cli_preferred *preferred)
{
    print_wish(report, preferred);
    print_answer(report, preferred);
    print_alternatives(report, preferred);
    cli_blank(report);
}

void cli_preferred_print_steps(const cli_report *report, const cli_preferred *preferred)
{
    print_steps(report, preferred);
    cli_heading(report, "Around the best");
    cli_preferred_plot(report, preferred);
}

pv_status cli_preferred_print(const cli_report *report, const cli_preferred *preferred,
                              pv_error *error)
{
    print_wish(report, preferred);
    print_answer(report, preferred);
    print_suppression_note(report, preferred);
    print_measures(report, preferred);
    print_steps(report, preferred);
    print_alternatives(report, preferred);
    cli_heading(report, "Around it");
    cli_preferred_plot(report, preferred);
    CLI_TRY(cli_preferred_print_groups(report, preferred, error));
    cli_preferred_print_release(report, preferred);
    print_another_wish(report, preferred);
    return PV_STATUS_OK;
}
