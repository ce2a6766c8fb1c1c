/* Telling the answer to a wish, for people: in words, as tables, as a picture, and how to go on. */
#include "core/fail.h"
#include "core/grid.h"
#include "core/options.h"
#include "core/text.h"
#include "prefer/again.h"
#include "prefer/answer.h"
#include "prefer/weights.h"

#include <math.h>
#include <stdlib.h>

#define MOST_ALTERNATIVES 10 /* without --all */
#define LEAST_BOUND 1e-9     /* the rounding of an achievement is less */

/* ---------------------------------------------------------------- in words */

/* "any loss (nwp)", "as little loss (nwp) as possible", "a loss (nwp) of at most 0.3". Owned. */
static char *wish_words(const char *what, pv_measure_ref ref, double wish)
{
    const char *const name = ref.measure->name;
    return wish >= CLI_ALL_THERE_IS ? cli_format("any %s (%s)", what, name)
           : wish <= 0.0
               ? cli_format("as little %s (%s) as possible", what, name)
               : cli_format("a %s (%s) of at most %s", what, name, cli_value_text(wish).text);
}

static void print_wish(const cli_report *report, const cli_preferred *preferred)
{
    const pv_answer *const answer = preferred->answer;
    const pv_table *const table = pv_study_table(preferred->opened->study);
    char *const bias = wish_words(CLI_SPREAD, preferred->wish->bias, answer->goal.wish.bias);
    char *const loss = wish_words("loss", preferred->wish->loss, answer->goal.wish.loss);
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
        return cli_format(": %s more spread and %s more loss than wished for",
                          cli_value_text(point.bias - wish.bias).text,
                          cli_value_text(point.loss - wish.loss).text);
    }
    if (bias || loss) {
        return cli_format(
            ": %s more %s than wished for",
            cli_value_text(bias ? point.bias - wish.bias : point.loss - wish.loss).text,
            bias ? "spread" : "loss");
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
    return pv_achievement_fulfils(&answer->goal, answer->best.point);
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
    if (!answer->provable) {
        return cli_format("Whether any release %s is not known: of the loss %s nothing can be "
                          "proven",
                          better, preferred->wish->loss.measure->name);
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
    return wish.bias >= CLI_ALL_THERE_IS ? ", and that none can lose as little as wished for"
           : wish.loss >= CLI_ALL_THERE_IS
               ? ", and that none can have as little spread as wished for"
               : ", and that none can fulfil both wishes";
}

/* Normally nothing known has less of the one and no more of the other, which needs no words; nor
 * does an alternative that has more of both for its larger classes. */
static void print_efficiency(const cli_report *report, size_t indent, const pv_solution *solution)
{
    if (solution->efficiency == PV_WEAKLY_EFFICIENT) {
        cli_paragraph(report, indent,
                      "It is only weakly efficient: another release has equal spread and less "
                      "loss, or equal loss and less spread.");
    }
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
    cli_paragraph(report, 0,
                  "%s has classes of %s, a " CLI_SPREAD " of %s and a loss of %s%s. %s%s.",
                  answer->stopped ? "The best release so far (interrupted)" : "The best release",
                  sizes, cli_value_text(best->point.bias).text,
                  cli_value_text(best->point.loss).text, verdict, proof, unreachable_words(answer));
    if (cli_preferred_has_bound(preferred) || answer->proven) {
        cli_paragraph(report, 0, "What is proven is about releases by cuts that hide nobody%s.",
                      preferred->wish->options.free_groups
                          ? ""
                          : " and keep branches of hierarchies together (--free-groups: all cuts)");
    }
    free(sizes);
    free(proof);
    free(verdict);
}

/* What is demanded besides k. */
static void print_demands(const cli_report *report, const cli_preferred *preferred)
{
    const cli_demands *const demands = &preferred->wish->demands;
    char *list = NULL;
    for (size_t i = 0; i < demands->n; i++) {
        char text[128];
        pv_constraint_text(&demands->list[i], text, sizeof text);
        if (!cli_wish_is_k(&demands->list[i])) {
            char *const longer =
                list == NULL ? cli_copy(text) : cli_format("%s and %s", list, text);
            free(list);
            list = longer;
        }
    }
    if (list != NULL) {
        cli_paragraph(report, 0, "Every release shown keeps what is demanded besides: %s.", list);
        free(list);
    }
}

static void print_weights(const cli_report *report, const cli_preferred *preferred)
{
    if (cli_weights_changed(preferred)) {
        char *const weights = cli_weights_text(preferred, CLI_WEIGHTS_CHANGED, ", ", 4);
        cli_paragraph(report, 0, "The loss counts with other weights than the plan's: %s.",
                      weights);
        free(weights);
    }
}

/* What is wished for and what answers it. */
static void print_words(const cli_report *report, const cli_preferred *preferred)
{
    print_wish(report, preferred);
    print_answer(report, preferred);
    print_efficiency(report, 0, &preferred->answer->best);
    print_demands(report, preferred);
    print_weights(report, preferred);
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

static void add_measure(cli_grid *grid, const char *what, const char *name, double wish,
                        double achieved, double bound)
{
    cli_grid_cell(grid, "%s (%s)", what, name);
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
                      "Proven: no release with such classes has both less spread than %s and less "
                      "loss than %s.",
                      cli_value_text(corner.bias).text, cli_value_text(corner.loss).text);
    } else if (is_telling(corner.loss)) {
        cli_paragraph(report, 2, "Proven: no release with such classes has less loss than %s.",
                      cli_value_text(corner.loss).text);
    } else if (is_telling(corner.bias)) {
        cli_paragraph(report, 2, "Proven: no release with such classes has less spread than %s.",
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
    add_measure(grid, "people in every class", "k", (double)answer->k, (double)best->k, 0.0);
    add_measure(grid, CLI_SPREAD, preferred->wish->bias.measure->name, goal->wish.bias,
                best->point.bias, corner.bias);
    add_measure(grid, "loss", preferred->wish->loss.measure->name, goal->wish.loss,
                best->point.loss, corner.loss);
    add_measure(grid, "weighted distance", "ach", pv_achievement_wish(goal), best->achievement,
                answer->bound);
    cli_grid_print(grid);
    cli_paragraph(report, 2,
                  "distance: the larger of spread and loss, each weighted so that the wish has as "
                  "much of both; less is better (the achievement function).");
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
    static const cli_column columns[] = {{"#", CLI_RIGHT},        {"k", CLI_RIGHT},
                                         {"spread", CLI_RIGHT},   {"loss", CLI_RIGHT},
                                         {"distance", CLI_RIGHT}, {NULL, CLI_LEFT}};
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
        cli_paragraph(report, 2, "%s more with %s.",
                      cli_count_text(answer->n_others - n_shown).text,
                      preferred->settings->interactive ? "`show all`" : "--all");
    }
}

static void print_steps(const cli_report *report, const cli_preferred *preferred)
{
    static const cli_column columns[] = {{"#", CLI_RIGHT},           {"spread wished", CLI_RIGHT},
                                         {"loss wished", CLI_RIGHT}, {"k", CLI_RIGHT},
                                         {"spread", CLI_RIGHT},      {"loss", CLI_RIGHT},
                                         {"distance", CLI_RIGHT},    {NULL, CLI_LEFT}};
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
    cli_heading(report, "The groups of %s (k %s, spread %s, loss %s)", name,
                cli_count_text(chosen->k).text, cli_value_text(chosen->point.bias).text,
                cli_value_text(chosen->point.loss).text);
    if (choice > 0) {
        print_efficiency(report, 2, chosen);
    }
    free(name);
    return cli_preferred_groups(report, preferred, error);
}

/* ---------------------------------------------------------------- going on */

/* "paravent release PLAN ...": one that suppresses nobody is what the answer speaks of. */
static void print_release(const cli_report *report, const cli_preferred *preferred,
                          const char *cuts)
{
    const bool suppresses = pv_study_budget(preferred->opened->study) > 0;
    const char *const data = preferred->settings->data;
    char *const words[] = {cli_shell_word(preferred->plan), cli_shell_word(cuts),
                           cli_shell_word(data != NULL ? data : "")};
    char *const require = cli_require_text(preferred);
    char *const demands = cli_shell_word(require);
    cli_line(report, "paravent release %s%s%s --cuts %s%s --require %s", words[0],
             data != NULL ? " --data " : "", data != NULL ? words[2] : "", words[1],
             suppresses ? " --suppression 0" : "", demands);
    free(demands);
    free(require);
    for (size_t i = 0; i < sizeof words / sizeof *words; i++) {
        free(words[i]);
    }
}

/* "paravent prefer PLAN ... ENDING" */
static void print_prefer(const cli_report *report, const cli_preferred *preferred,
                         const cli_prefer *settings, const char *ending)
{
    char *const plan = cli_shell_word(preferred->plan);
    char *const again = cli_wish_again(settings);
    cli_line(report, "paravent prefer %s%s%s", plan, again, ending);
    free(again);
    free(plan);
}

/* Half the bias, where there is any; else twice the people in every class. */
static void print_another_wish(const cli_report *report, const cli_preferred *preferred)
{
    const pv_answer *const answer = preferred->answer;
    const cli_prefer *const settings = preferred->settings;
    const pv_aspiration point = answer->best.point;
    const pv_aspiration half = {.bias = point.bias / 2.0, .loss = point.loss};
    char *const from = cli_format("%.3g,%.3g", point.bias, point.loss);
    char *const aspire = cli_aspire_text(preferred->wish, half, 2);
    cli_prefer another = {.k = {.given = true, .value = answer->k},
                          .require = settings->require,
                          .weights = settings->weights,
                          .data = settings->data,
                          .free_groups = settings->free_groups};
    if (point.bias > 0.0) {
        another.from = from;
        another.aspire = aspire;
        cli_paragraph(report, 0, "or walk from here to another wish, such as half the spread:");
        print_prefer(report, preferred, &another, "");
    } else if (answer->k <= pv_profile_rows(preferred->opened->profile) / 2) {
        another.k.value = 2 * answer->k;
        another.aspire = settings->aspire;
        cli_paragraph(report, 0, "or wish for something else, such as larger classes:");
        print_prefer(report, preferred, &another, "");
    }
    free(aspire);
    free(from);
}

void cli_preferred_print_release(const cli_report *report, const cli_preferred *preferred)
{
    const char *const output = preferred->settings->output;
    cli_blank(report);
    if (output != NULL) {
        cli_paragraph(report, 0, "The cuts are in %s. Next: release them, verified,", output);
    } else {
        cli_paragraph(report, 0, "Next: write the cuts to a file and release them, verified,");
        print_prefer(report, preferred, preferred->settings, " -o cuts.json");
    }
    print_release(report, preferred, output != NULL ? output : "cuts.json");
    if (cli_weights_changed(preferred)) {
        cli_paragraph(report, 0, "(a release tells its %s with the weights of the plan)",
                      CLI_USUAL_LOSS);
    }
}

void cli_preferred_print_briefly(const cli_report *report, const cli_preferred *preferred)
{
    print_words(report, preferred);
    print_alternatives(report, preferred);
    cli_blank(report);
}

void cli_preferred_print_alternatives(const cli_report *report, const cli_preferred *preferred)
{
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
    print_words(report, preferred);
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
