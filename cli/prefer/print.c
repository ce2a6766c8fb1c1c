/* For people: the answer to a wish in words, as tables, as a picture, and how to go on; and what a
 * session file has recorded. */
#include "core/fail.h"
#include "core/grid.h"
#include "core/options.h"
#include "core/text.h"
#include "prefer/prefer.h"

#include <math.h>
#include <stdlib.h>

#define MOST_ALTERNATIVES 10 /* without --all */
#define LEAST_BOUND 1e-9     /* the rounding of an achievement is less */
#define LABEL_WIDTH 48       /* of one group; longer ones are cut */
#define TEXT_WIDTH 150       /* of all groups of an attribute: about three lines */

static const pv_solution *best_of(const pv_answer *answer)
{
    return pv_answer_solution(answer, 0);
}

static pv_aspiration wish_of(const pv_answer *answer)
{
    return pv_answer_goal(answer)->wish;
}

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

static char *verdict_words(pv_aspiration wish, pv_aspiration point)
{
    /* What is wished to be as little as possible cannot be missed. */
    const bool bias = wish.bias > 0.0 && point.bias > wish.bias;
    const bool loss = wish.loss > 0.0 && point.loss > wish.loss;
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

/* Owned. */
static char *proof_words(const cli_preferred *preferred)
{
    const pv_answer *const answer = preferred->answer;
    const double gap = 1.0 - pv_answer_bound(answer) / pv_solution_achievement(best_of(answer));
    const bool least_loss = wish_of(answer).loss <= 0.0 && wish_of(answer).bias >= CLI_ALL_THERE_IS;
    const bool fulfilled =
        pv_achievement_fulfils(pv_answer_goal(answer), pv_solution_point(best_of(answer)));
    const char *const better = least_loss  ? "loses less with such classes"
                               : fulfilled ? "does better"
                                           : "comes nearer to the wish";
    if (pv_answer_proven(answer)) {
        return cli_format("It is proven that no release %s", better);
    }
    if (!pv_answer_provable(answer)) {
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
    const pv_aspiration wish = wish_of(answer);
    if (!pv_answer_unreachable(answer) || wish.bias <= 0.0 || wish.loss <= 0.0) {
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
    if (pv_solution_efficiency(solution) == PV_WEAKLY_EFFICIENT) {
        cli_paragraph(report, indent,
                      "It is only weakly efficient: another release has equal spread and less "
                      "loss, or equal loss and less spread.");
    }
}

/* "3 to 17 people". Owned. */
static char *sizes_words(const pv_solution *solution)
{
    return pv_solution_k(solution) == pv_solution_largest(solution)
               ? cli_copy(cli_plural_text(pv_solution_k(solution), "person", "people").text)
               : cli_format("%s to %s people", cli_count_text(pv_solution_k(solution)).text,
                            cli_count_text(pv_solution_largest(solution)).text);
}

static void print_answer(const cli_report *report, const cli_preferred *preferred)
{
    const pv_answer *const answer = preferred->answer;
    const pv_solution *const best = best_of(answer);
    char *const verdict = verdict_words(wish_of(answer), pv_solution_point(best));
    char *const proof = proof_words(preferred);
    char *const sizes = sizes_words(best);
    cli_paragraph(
        report, 0, "%s has classes of %s, a " CLI_SPREAD " of %s and a loss of %s%s. %s%s.",
        pv_answer_stopped(answer) ? "The best release so far (interrupted)" : "The best release",
        sizes, cli_value_text(pv_solution_point(best).bias).text,
        cli_value_text(pv_solution_point(best).loss).text, verdict, proof,
        unreachable_words(answer));
    if (cli_preferred_has_bound(preferred) || pv_answer_proven(answer)) {
        cli_paragraph(report, 0, "What is proven is about releases by cuts that hide nobody%s.",
                      preferred->wish->options.free_groups
                          ? ""
                          : " and keep branches of hierarchies together (--free-groups: all cuts)");
    }
    free(sizes);
    free(proof);
    free(verdict);
}

/* What is wished for and what answers it. */
static void print_words(const cli_report *report, const cli_preferred *preferred)
{
    const pv_answer *const answer = preferred->answer;
    const pv_table *const table = pv_study_table(preferred->opened->study);
    const cli_demands *const demands = &preferred->wish->demands;
    char *const bias = wish_words(CLI_SPREAD, preferred->wish->bias, wish_of(answer).bias);
    char *const loss = wish_words("loss", preferred->wish->loss, wish_of(answer).loss);
    cli_paragraph(report, 0, "%s: the wish is at least %s in every class, %s and %s.",
                  cli_path_name(pv_table_source(table)),
                  cli_plural_text(pv_answer_k(answer), "person", "people").text, bias, loss);
    free(loss);
    free(bias);
    print_answer(report, preferred);
    print_efficiency(report, 0, best_of(answer));
    char *list = cli_copy(""); /* what is demanded besides k */
    for (size_t i = 0; i < demands->n; i++) {
        char text[PV_MEASURE_TEXT_SIZE];
        pv_constraint_text(&demands->list[i], text, sizeof text);
        if (!cli_wish_is_k(&demands->list[i])) {
            cli_append(&list, "%s%s", list[0] != '\0' ? " and " : "", text);
        }
    }
    if (list[0] != '\0') {
        cli_paragraph(report, 0, "Every release shown keeps what is demanded besides: %s.", list);
    }
    free(list);
    if (cli_weights_changed(preferred)) {
        char *const weights = cli_weights_text(preferred, CLI_WEIGHTS_CHANGED, ", ", 4);
        cli_paragraph(report, 0, "The loss counts with other weights than the plan's: %s.",
                      weights);
        free(weights);
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

/* A line per measure. A bound of nothing, or beyond all there is, says nothing; nor does a corner
 * of what is proven empty that has no extent: less than none is impossible anyway. */
static void print_measures(const cli_report *report, const cli_preferred *preferred)
{
    static const cli_column columns[] = {{"measure", CLI_LEFT},       {"wish", CLI_RIGHT},
                                         {"achieved", CLI_RIGHT},     {"over or under", CLI_RIGHT},
                                         {"proven bound", CLI_RIGHT}, {NULL, CLI_LEFT}};
    const pv_answer *const answer = preferred->answer;
    const pv_achievement *const goal = pv_answer_goal(answer);
    const pv_solution *const best = best_of(answer);
    const pv_aspiration found = cli_preferred_corner(preferred);
    const bool empty = found.bias > LEAST_BOUND && found.loss > LEAST_BOUND;
    const pv_aspiration corner = empty ? found : (pv_aspiration){0};
    const struct {
        const char *what, *name;
        double wish, achieved, bound;
    } lines[] = {{"people in every class", "k", (double)pv_answer_k(answer),
                  (double)pv_solution_k(best), 0.0},
                 {CLI_SPREAD, preferred->wish->bias.measure->name, goal->wish.bias,
                  pv_solution_point(best).bias, corner.bias},
                 {"loss", preferred->wish->loss.measure->name, goal->wish.loss,
                  pv_solution_point(best).loss, corner.loss},
                 {"weighted distance", "ach", pv_achievement_wish(goal),
                  pv_solution_achievement(best), pv_answer_bound(answer)}};
    cli_heading(report, "The wish and the answer");
    cli_grid *const grid = cli_grid_create(report, columns);
    for (size_t i = 0; i < sizeof lines / sizeof *lines; i++) {
        const bool telling = lines[i].bound > LEAST_BOUND && lines[i].bound <= CLI_ALL_THERE_IS;
        cli_grid_cell(grid, "%s (%s)", lines[i].what, lines[i].name);
        cli_grid_cell(grid, "%s", cli_value_text(lines[i].wish).text);
        cli_grid_cell(grid, "%s", cli_value_text(lines[i].achieved).text);
        cli_grid_cell(grid, "%s", difference_text(lines[i].wish, lines[i].achieved).text);
        cli_grid_cell(grid, "%s", telling ? cli_value_text(lines[i].bound).text : "");
    }
    cli_grid_print(grid);
    cli_paragraph(report, 2,
                  "distance: the larger of spread and loss, each weighted so that the wish has as "
                  "much of both; less is better (the achievement function).");
    const bool tells_bias = empty && corner.bias <= CLI_ALL_THERE_IS;
    const bool tells_loss = empty && corner.loss <= CLI_ALL_THERE_IS;
    if (tells_bias && tells_loss) {
        cli_paragraph(report, 2,
                      "Proven: no release with such classes has both less spread than %s and less "
                      "loss than %s.",
                      cli_value_text(corner.bias).text, cli_value_text(corner.loss).text);
    } else if (tells_bias || tells_loss) {
        cli_paragraph(report, 2, "Proven: no release with such classes has less %s than %s.",
                      tells_loss ? "loss" : "spread",
                      cli_value_text(tells_loss ? corner.loss : corner.bias).text);
    }
}

static void add_solution(cli_grid *grid, const pv_solution *solution)
{
    cli_grid_cell(grid, "%s", cli_count_text(pv_solution_k(solution)).text);
    cli_grid_cell(grid, "%s", cli_value_text(pv_solution_point(solution).bias).text);
    cli_grid_cell(grid, "%s", cli_value_text(pv_solution_point(solution).loss).text);
    cli_grid_cell(grid, "%s", cli_value_text(pv_solution_achievement(solution)).text);
}

/* Some of many, evenly, with both ends. */
static bool is_shown(size_t i, size_t n, bool all)
{
    const size_t most = MOST_ALTERNATIVES;
    return all || n <= most || i == 0 || i * (most - 1) / (n - 1) != (i - 1) * (most - 1) / (n - 1);
}

static void print_alternatives(const cli_report *report, const cli_preferred *preferred, bool all)
{
    static const cli_column columns[] = {{"#", CLI_RIGHT},        {"k", CLI_RIGHT},
                                         {"spread", CLI_RIGHT},   {"loss", CLI_RIGHT},
                                         {"distance", CLI_RIGHT}, {NULL, CLI_LEFT}};
    const pv_answer *const answer = preferred->answer;
    const size_t n = pv_answer_n_solutions(answer) - 1;
    size_t n_shown = 0;
    if (n == 0) {
        return;
    }
    cli_heading(report, "Alternatives with more people in every class");
    cli_grid *const grid = cli_grid_create(report, columns);
    cli_grid_cell(grid, "best");
    add_solution(grid, best_of(answer));
    for (size_t i = 0; i < n; i++) {
        if (is_shown(i, n, all)) {
            cli_grid_cell(grid, "%zu", i + 1);
            add_solution(grid, pv_answer_solution(answer, i + 1));
            n_shown++;
        }
    }
    cli_grid_print(grid);
    if (n_shown < n) {
        cli_paragraph(report, 2, "%s more with %s.", cli_count_text(n - n_shown).text,
                      preferred->wish->given.interactive ? "`show all`" : "--all");
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
        cli_grid_cell(grid, "%s", cli_value_text(wish_of(step).bias).text);
        cli_grid_cell(grid, "%s", cli_value_text(wish_of(step).loss).text);
        add_solution(grid, best_of(step));
    }
    cli_grid_print(grid);
}

/* ------------------------------------------------------------------ groups */

/* "<25 | 25-39 | >=40". Owned. */
static char *groups_text(const cli_report *report, const pv_hierarchy *hierarchy, unsigned level)
{
    const char *const rule = report->utf8 ? "\xe2\x94\x82" : "|";
    char *text = cli_copy("");
    for (uint32_t g = 0; g < pv_hierarchy_groups(hierarchy, level); g++) {
        if (cli_width(report, text) > TEXT_WIDTH) {
            break; /* what follows would be cut */
        }
        const char *const name = pv_hierarchy_label(hierarchy, level, g);
        char *const label = cli_clean_text(report, name[0] != '\0' ? name : "(empty)", LABEL_WIDTH);
        cli_append(&text, g == 0 ? "%s%s" : " %s %s", g == 0 ? "" : rule, label);
        free(label);
    }
    char *const cut = cli_clean_text(report, text, TEXT_WIDTH);
    free(text);
    return cut;
}

static pv_status add_attribute(const cli_report *report, cli_grid *grid, const pv_study *study,
                               size_t quasi, const pv_plan_attribute *attribute, pv_error *error)
{
    const unsigned level = (unsigned)pv_attribute_level(attribute);
    pv_hierarchy *hierarchy = NULL;
    CLI_TRY(pv_hierarchy_build(pv_attribute_hierarchy(attribute), pv_study_table(study),
                               pv_study_quasi_column(study, quasi), &hierarchy, error));
    const uint64_t groups =
        level == 0 ? pv_hierarchy_domain(hierarchy) : pv_hierarchy_groups(hierarchy, level);
    char *const text =
        level == 0 ? cli_copy("every value as it is") : groups_text(report, hierarchy, level);
    cli_grid_cell(grid, "%s", pv_attribute_name(attribute));
    cli_grid_cell(grid, "%s", cli_count_text(pv_hierarchy_domain(hierarchy)).text);
    cli_grid_cell(grid, "%s", cli_count_text(groups).text);
    cli_grid_cell(grid, "%s", text);
    free(text);
    pv_hierarchy_free(hierarchy);
    return PV_STATUS_OK;
}

pv_status cli_preferred_print_groups(const cli_report *report, const cli_preferred *preferred,
                                     pv_error *error)
{
    const size_t choice = preferred->choice;
    const pv_solution *const chosen = cli_preferred_solution(preferred, choice);
    char *const name = cli_preferred_name(preferred, choice);
    cli_heading(report, "The groups of %s (k %s, spread %s, loss %s)", name,
                cli_count_text(pv_solution_k(chosen)).text,
                cli_value_text(pv_solution_point(chosen).bias).text,
                cli_value_text(pv_solution_point(chosen).loss).text);
    if (choice > 0) {
        print_efficiency(report, 2, chosen);
    }
    free(name);
    /* How each attribute is divided, in the words the release would use. */
    static const cli_column columns[] = {{"attribute", CLI_LEFT},
                                         {"values", CLI_RIGHT},
                                         {"groups", CLI_RIGHT},
                                         {"they are", CLI_WRAP},
                                         {NULL, CLI_LEFT}};
    const pv_study *const study = preferred->opened->study;
    pv_plan *plan = NULL;
    pv_status status = PV_STATUS_OK;
    CLI_TRY(pv_plan_with_cuts(study, pv_solution_cuts(chosen), &plan, error));
    cli_grid *const grid = cli_grid_create(report, columns);
    for (size_t q = 0; q < pv_study_quasis(study) && status == PV_STATUS_OK; q++) {
        status = add_attribute(report, grid, study, q,
                               pv_plan_find(plan, pv_study_quasi_name(study, q)), error);
    }
    cli_grid_print(grid);
    pv_plan_free(plan);
    return status;
}

/* ---------------------------------------------------------------- going on */

/* The options that would ask the same again: " --k 5 --necd 0.3". Owned. */
static char *wish_again(const cli_prefer *given)
{
    const struct {
        const char *name, *value;
    } texts[] = {{"require", given->require},   {"weights", given->weights},
                 {"aspire", given->aspire},     {"necd", given->necd},
                 {"nwp", given->nwp},           {"from", given->from},
                 {"method", given->method},     {"prove", given->prove},
                 {"memory", given->memory},     {"crossover", given->crossover},
                 {"mutation", given->mutation}, {"session", given->session},
                 {"data", given->data}};
    const struct {
        const char *name;
        cli_count count;
    } counts[] = {{"steps", given->steps},
                  {"evaluations", given->evaluations},
                  {"seed", given->seed},
                  {"population", given->population},
                  {"choose", given->choose}};
    char *line = cli_with_count(cli_copy(""), "k", given->k);
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
        line = cli_with_text(line, texts[i].name, texts[i].value);
    }
    for (size_t i = 0; i < sizeof counts / sizeof *counts; i++) {
        line = cli_with_count(line, counts[i].name, counts[i].count);
    }
    return cli_with_flag(line, "free-groups", given->free_groups);
}

char *cli_aspire_text(const cli_wish *wish, pv_aspiration point, int digits)
{
    return cli_format("%s=%.*g,%s=%.*g", wish->bias.measure->name, digits, point.bias,
                      wish->loss.measure->name, digits, point.loss);
}

char *cli_preferred_require(const cli_preferred *preferred)
{
    const cli_demands *const besides = &preferred->wish->demands;
    char *require = cli_format("k=%llu", (unsigned long long)pv_answer_k(preferred->answer));
    for (size_t i = 0; i < besides->n; i++) {
        if (!cli_wish_is_k(&besides->list[i])) {
            cli_append(&require, ",%s=%.10g", cli_measure_name(besides->list[i].ref).text,
                       besides->list[i].bound);
        }
    }
    return require;
}

/* "paravent release PLAN ...": one that suppresses nobody is what the answer speaks of. */
static void print_release(const cli_report *report, const cli_preferred *preferred,
                          const char *cuts)
{
    const bool suppresses = pv_study_budget(preferred->opened->study) > 0;
    const char *const data = preferred->wish->given.data;
    char *const words[] = {cli_shell_operand(preferred->plan), cli_shell_word(cuts),
                           cli_shell_word(data != NULL ? data : "")};
    char *const require = cli_preferred_require(preferred);
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

char *cli_prefer_line(const char *plan, const cli_prefer *given)
{
    char *const word = cli_shell_operand(plan);
    char *const again = wish_again(given);
    char *const line = cli_format("paravent prefer %s%s", word, again);
    free(again);
    free(word);
    return line;
}

/* "paravent prefer PLAN ... ENDING" */
static void print_prefer(const cli_report *report, const cli_preferred *preferred,
                         const cli_prefer *given, const char *ending)
{
    char *const line = cli_prefer_line(preferred->plan, given);
    cli_line(report, "%s%s", line, ending);
    free(line);
}

/* Half the bias, where there is any; else twice the people in every class. */
static void print_another_wish(const cli_report *report, const cli_preferred *preferred)
{
    const pv_answer *const answer = preferred->answer;
    const cli_prefer *const given = &preferred->wish->given;
    const pv_aspiration point = pv_solution_point(best_of(answer));
    const pv_aspiration half = {.bias = point.bias / 2.0, .loss = point.loss};
    char *const from = cli_format("%.3g,%.3g", point.bias, point.loss);
    char *const aspire = cli_aspire_text(preferred->wish, half, 2);
    cli_prefer another = {.k = {.given = true, .value = pv_answer_k(answer)},
                          .require = given->require,
                          .weights = given->weights,
                          .data = given->data,
                          .free_groups = given->free_groups};
    if (point.bias > 0.0) {
        another.from = from;
        another.aspire = aspire;
        cli_paragraph(report, 0, "or walk from here to another wish, such as half the spread:");
        print_prefer(report, preferred, &another, "");
    } else if (pv_answer_k(answer) <= pv_profile_rows(preferred->opened->profile) / 2) {
        another.k.value = 2 * pv_answer_k(answer);
        another.aspire = given->aspire;
        cli_paragraph(report, 0, "or wish for something else, such as larger classes:");
        print_prefer(report, preferred, &another, "");
    }
    free(aspire);
    free(from);
}

void cli_preferred_print_release(const cli_report *report, const cli_preferred *preferred,
                                 const cli_prefer *given)
{
    const char *const output = given->output;
    cli_blank(report);
    if (output != NULL) {
        cli_paragraph(report, 0, "The cuts are in %s. Next: release them, verified,", output);
    } else {
        cli_paragraph(report, 0, "Next: write the cuts to a file and release them, verified,");
        print_prefer(report, preferred, given, " -o cuts.json");
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
    print_alternatives(report, preferred, preferred->wish->given.all);
    cli_blank(report);
}

void cli_preferred_print_alternatives(const cli_report *report, const cli_preferred *preferred)
{
    print_alternatives(report, preferred, true);
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
    const uint64_t budget = pv_study_budget(preferred->opened->study);
    if (budget > 0) {
        cli_paragraph(report, 0,
                      "The plan lets %s be suppressed; wishes are answered without suppressing "
                      "anyone.",
                      cli_plural_text(budget, "row", "rows").text);
    }
    print_measures(report, preferred);
    print_steps(report, preferred);
    print_alternatives(report, preferred, preferred->wish->given.all);
    cli_heading(report, "Around it");
    cli_preferred_plot(report, preferred);
    CLI_TRY(cli_preferred_print_groups(report, preferred, error));
    cli_preferred_print_release(report, preferred, &preferred->wish->given);
    print_another_wish(report, preferred);
    return PV_STATUS_OK;
}

/* --------------------------------------------------------------------- log */

static cli_number entry_value(const pv_preference_entry *entry, double value)
{
    return entry->has_wish ? cli_value_text(value) : (cli_number){""};
}

/* They hold from then on, whatever was wished for before. */
static void print_weights(const cli_report *report, const pv_preference_log *log)
{
    static const cli_column columns[] = {
        {"time (UTC)", CLI_LEFT}, {"weights from then on", CLI_WRAP}, {NULL, CLI_LEFT}};
    size_t n = 0;
    const pv_preference_entry *const entries = pv_preference_log_entries(log, &n);
    cli_grid *grid = NULL;
    for (size_t i = 0; i < n; i++) {
        const pv_preference_entry *const entry = &entries[i];
        if (entry->note == NULL) {
            continue;
        }
        if (grid == NULL) {
            cli_blank(report);
            grid = cli_grid_create(report, columns);
        }
        cli_grid_cell(grid, "%s", entry->time);
        cli_grid_cell(grid, "%s", entry->note);
    }
    if (grid != NULL) {
        cli_grid_print(grid);
    }
}

void cli_session_log_print(const cli_report *report, const char *path, const pv_preference_log *log)
{
    static const cli_column columns[] = {
        {"time (UTC)", CLI_LEFT}, {"what", CLI_LEFT},    {"wish: spread, loss", CLI_LEFT},
        {"k", CLI_RIGHT},         {"spread", CLI_RIGHT}, {"loss", CLI_RIGHT},
        {"proven", CLI_RIGHT},    {NULL, CLI_LEFT}};
    size_t n = 0;
    const pv_preference_entry *const entries = pv_preference_log_entries(log, &n);
    const uint64_t known = n > 0 ? entries[n - 1].evaluated : 0;
    cli_paragraph(report, 0, "%s: %s, %s known; the " CLI_SPREAD " is %s and the loss %s.",
                  cli_path_name(path), cli_plural_text(n, "entry", "entries").text,
                  cli_plural_text(known, "scheme", "schemes").text, pv_preference_log_bias(log),
                  pv_preference_log_loss(log));
    cli_blank(report);
    cli_grid *const grid = cli_grid_create(report, columns);
    for (size_t i = 0; i < n; i++) {
        const pv_preference_entry *const entry = &entries[i];
        cli_grid_cell(grid, "%s", entry->time);
        cli_grid_cell(grid, "%s", entry->kind);
        cli_grid_cell(grid, "%s%s%s", entry_value(entry, entry->wish.bias).text,
                      entry->has_wish ? ", " : "", entry_value(entry, entry->wish.loss).text);
        cli_grid_cell(grid, "%s", cli_count_text(entry->k).text);
        cli_grid_cell(grid, "%s", entry_value(entry, entry->point.bias).text);
        cli_grid_cell(grid, "%s", entry_value(entry, entry->point.loss).text);
        cli_grid_cell(grid, "%s", entry->proven ? "yes" : "");
    }
    cli_grid_print(grid);
    print_weights(report, log);
}
