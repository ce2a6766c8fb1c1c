/* The interactive walk: a wish is answered, the publisher looks around, wishes for something else,
 * returns, and accepts.
 *
 *     aspire  -> answer: best, 1, 2, ...    numbers always mean the table shown last
 *     weights -> answer to the same wish; so do k, require and taxonomy
 *     go N    -> steps: 1, 2, ...
 *     back    -> the answer to the wish before
 *
 * Whatever is typed wrongly gets one line of advice; only accept, quit, the end of the input and
 * Ctrl-C at the prompt end the walk. */
#include "prefer/interactive.h"

#include "core/fail.h"
#include "core/lines.h"
#include "core/outputs.h"
#include "core/text.h"
#include "prefer/again.h"
#include "prefer/log.h"
#include "prefer/weights.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define BLANKS " \t"
#define MOST_DIGITS 9 /* of the number of a solution */
#define EXACT 15      /* digits that bring a number back */

/* An answer that can be returned to. */
typedef struct past {
    pv_answer *answer;
    size_t n_changes; /* before it was answered */
    struct past *before;
} past;

typedef struct {
    cli_run *run;
    cli_preferred *now; /* the answer to the wish, and the steps if they were shown last */
    past *before;
    size_t n_changes;    /* how often weights or demands have changed */
    cli_prefer settings; /* as they have become: what is suggested follows them */
    cli_wish wish;
    char *require; /* the demands of the settings, if they were changed; owned */
    bool ended;
} walk;

/* `rest` is what follows the name, without blanks around it. */
typedef struct {
    const char *name, *arguments, *help;
    pv_status (*run)(walk *w, char *rest, pv_error *error);
} order;

/* --------------------------------------------------------------- numbers */

/* How many solutions the last table has besides the best. */
static size_t count_solutions(const walk *w)
{
    return w->now->n_steps > 0 ? w->now->n_steps : w->now->answer->n_others;
}

static bool parse_solution(const char *text, size_t *solution)
{
    const size_t length = strlen(text);
    if (cli_equal(text, "best")) {
        *solution = 0;
        return true;
    }
    if (length == 0 || length > MOST_DIGITS || strspn(text, "0123456789") != length) {
        return false;
    }
    *solution = strtoul(text, NULL, 10);
    return true;
}

static pv_status read_solution(const walk *w, const char *name, const char *text, size_t *solution,
                               pv_error *error)
{
    const size_t n = count_solutions(w);
    size_t number = 0;
    if (!parse_solution(text, &number)) {
        return cli_error(error, PV_STATUS_ARGUMENT,
                         "%s needs the number of a solution in the last table, or `best`", name);
    }
    if (number > n) {
        return n > 0 ? cli_error(error, PV_STATUS_ARGUMENT,
                                 "%s: the solutions of the last table are 1 to %zu, and 0 the best",
                                 name, n)
                     : cli_error(error, PV_STATUS_ARGUMENT,
                                 "%s: there is only the best solution, number 0", name);
    }
    *solution = number;
    return PV_STATUS_OK;
}

static pv_status take_nothing(const char *name, const char *rest, pv_error *error)
{
    return rest[0] == '\0' ? PV_STATUS_OK
                           : cli_error(error, PV_STATUS_ARGUMENT, "%s stands alone", name);
}

/* ----------------------------------------------------------------- wishes */

static pv_status ask(walk *w, pv_aspiration wish, pv_answer **answer, pv_error *error)
{
    const pv_status status = pv_walk_aspire(w->now->walk, wish, &w->run->context, answer, error);
    cli_progress_wipe(&w->run->progress);
    return status;
}

/* From here on its numbers count. */
static void show_answer(walk *w, pv_answer *answer)
{
    cli_preferred_forget_steps(w->now);
    w->now->answer = answer;
    cli_preferred_print_briefly(&w->run->report, w->now);
}

/* The measures stay what they are for all of the walk. */
static double *part_of(const walk *w, const char *name, pv_aspiration *wish)
{
    const cli_wish *const measures = w->now->wish;
    return cli_equal(name, measures->bias.measure->name)   ? &wish->bias
           : cli_equal(name, measures->loss.measure->name) ? &wish->loss
                                                           : NULL;
}

static pv_status change_wish(const walk *w, const cli_pairs *pairs, pv_aspiration *wish,
                             pv_error *error)
{
    for (size_t i = 0; i < pairs->n; i++) {
        double *const part = part_of(w, pairs->list[i].name, wish);
        if (part == NULL) {
            return cli_error(error, PV_STATUS_ARGUMENT,
                             "aspire: the " CLI_SPREAD
                             " is %s in this walk and the loss %s; others need a "
                             "walk of their own, begun with --aspire",
                             w->now->wish->bias.measure->name, w->now->wish->loss.measure->name);
        }
        *part = pairs->list[i].value;
    }
    return PV_STATUS_OK;
}

static bool is_wish(pv_aspiration wish)
{
    return wish.bias <= CLI_ALL_THERE_IS && wish.loss <= CLI_ALL_THERE_IS;
}

static pv_status read_wish(const walk *w, const char *text, pv_aspiration *wish, pv_error *error)
{
    cli_pairs pairs = {0};
    if (cli_pairs_read(text, &pairs)) {
        const pv_status status = change_wish(w, &pairs, wish, error);
        cli_pairs_free(&pairs);
        if (status != PV_STATUS_OK || is_wish(*wish)) {
            return status;
        }
    }
    return cli_error(error, PV_STATUS_ARGUMENT,
                     "aspire needs numbers from 0 to 1, such as: aspire %s=0.1 %s=0.3",
                     w->now->wish->bias.measure->name, w->now->wish->loss.measure->name);
}

static pv_status run_aspire(walk *w, char *rest, pv_error *error)
{
    pv_aspiration wish = w->now->answer->goal.wish;
    pv_answer *answer = NULL;
    CLI_TRY(read_wish(w, rest, &wish, error));
    CLI_TRY(ask(w, wish, &answer, error));
    past *const before = cli_zeroed(1, sizeof *before);
    *before = (past){.answer = w->now->answer, .n_changes = w->n_changes, .before = w->before};
    w->before = before;
    show_answer(w, answer);
    return PV_STATUS_OK;
}

/* What was answered under other weights is answered again. */
static pv_status run_back(walk *w, char *rest, pv_error *error)
{
    past *const before = w->before;
    pv_answer *again = NULL;
    CLI_TRY(take_nothing("back", rest, error));
    if (before == NULL) {
        return cli_error(error, PV_STATUS_ARGUMENT, "back: this is the first wish");
    }
    if (before->n_changes != w->n_changes) {
        CLI_TRY(ask(w, before->answer->goal.wish, &again, error));
        pv_answer_free(before->answer);
        before->answer = again;
    }
    pv_answer_free(w->now->answer);
    w->before = before->before;
    show_answer(w, before->answer);
    free(before);
    return PV_STATUS_OK;
}

/* --------------------------------------------------------------- weights */

static void show_weights(const walk *w)
{
    char *const weights = cli_weights_text(w->now, CLI_WEIGHTS_ALL, ", ", 4);
    cli_paragraph(&w->run->report, 0, "The attributes count in the loss: %s.", weights);
    free(weights);
}

static pv_status read_weights(const walk *w, const char *text, pv_error *error)
{
    cli_pairs weights = {0};
    if (!cli_pairs_read(text, &weights)) {
        return cli_error(error, PV_STATUS_ARGUMENT,
                         "weights needs numbers of 0 or more, such as: weights %s=3",
                         pv_study_quasi_name(w->now->opened->study, 0));
    }
    const pv_status status = cli_weights_set(w->now, &weights, error);
    cli_pairs_free(&weights);
    return status;
}

/* The wish stays, and gets another answer. */
static pv_status run_weights(walk *w, char *rest, pv_error *error)
{
    pv_answer *answer = NULL;
    if (!cli_weights_exist(w->now)) {
        return cli_error(error, PV_STATUS_ARGUMENT, "weights: the loss %s has none",
                         w->now->wish->loss.measure->name);
    }
    if (rest[0] == '\0') {
        show_weights(w);
        return PV_STATUS_OK;
    }
    CLI_TRY(read_weights(w, rest, error));
    w->n_changes++;
    CLI_TRY(ask(w, w->now->answer->goal.wish, &answer, error));
    pv_answer_free(w->now->answer);
    show_answer(w, answer);
    return PV_STATUS_OK;
}

/* --------------------------------------------------------------- demands */

static pv_status take_weights(const walk *w, pv_walk *made, pv_error *error)
{
    const cli_preferred *const now = w->now;
    const size_t n = pv_study_quasis(now->opened->study);
    if (!cli_weights_exist(now) || !cli_weights_changed(now)) {
        return PV_STATUS_OK;
    }
    pv_weight *const weights = cli_zeroed(n, sizeof *weights);
    for (size_t q = 0; q < n; q++) {
        weights[q] = (pv_weight){.attribute = pv_study_quasi_name(now->opened->study, q),
                                 .weight = pv_walk_weight(now->walk, q)};
    }
    const pv_status status = pv_walk_weigh(made, weights, n, error);
    free(weights);
    return status;
}

/* The wish with the settings' k, demands and taxonomy. */
static pv_status understand(const walk *w, const cli_prefer *settings, cli_wish *wish,
                            pv_error *error)
{
    *wish = *w->now->wish;
    wish->options.k = settings->k.value;
    wish->options.free_groups = settings->free_groups;
    wish->demands = (cli_demands){0};
    CLI_TRY(cli_demands_add(&wish->demands, settings->require, error));
    return cli_wish_add_plan(wish, w->now->opened->plan, error);
}

static pv_status answer_anew(walk *w, pv_walk *made, pv_answer **answer, pv_error *error)
{
    CLI_TRY(take_weights(w, made, error));
    const pv_status status =
        pv_walk_aspire(made, w->now->answer->goal.wish, &w->run->context, answer, error);
    cli_progress_wipe(&w->run->progress);
    return status;
}

/* Other demands need another walk; the wish stays, and gets another answer. A session belongs to
 * its demands. On failure all is as before. */
static pv_status change_demands(walk *w, const char *name, const cli_prefer *settings,
                                pv_error *error)
{
    cli_preferred *const now = w->now;
    cli_wish wish;
    pv_walk *made = NULL;
    pv_answer *answer = NULL;
    if (settings->session != NULL) {
        return cli_error(error, PV_STATUS_ARGUMENT,
                         "%s: the session is kept for these demands; begin another with other "
                         "options and another --session",
                         name);
    }
    CLI_TRY(understand(w, settings, &wish, error));
    wish.options.bias = &wish.bias;
    wish.options.loss = &wish.loss;
    CLI_TRY(pv_walk_create(now->opened->profile, &wish.options, &made, error));
    const pv_status status = answer_anew(w, made, &answer, error);
    if (status != PV_STATUS_OK) {
        pv_walk_free(made);
        return status;
    }
    pv_walk_free(now->walk);
    pv_answer_free(now->answer);
    now->walk = made;
    w->wish = wish;
    w->settings = *settings;
    w->n_changes++;
    show_answer(w, answer);
    return PV_STATUS_OK;
}

static pv_status run_k(walk *w, char *rest, pv_error *error)
{
    cli_prefer settings = w->settings;
    size_t k = 0;
    if (!parse_solution(rest, &k) || k == 0) {
        return cli_error(error, PV_STATUS_ARGUMENT, "k needs a number of people, such as: k 10");
    }
    settings.k = (cli_count){.given = true, .value = k};
    return change_demands(w, "k", &settings, error);
}

static pv_status run_require(walk *w, char *rest, pv_error *error)
{
    cli_prefer settings = w->settings;
    if (rest[0] == '\0') {
        return cli_error(error, PV_STATUS_ARGUMENT,
                         "require needs demands, such as: require l-distinct=3, or `none`");
    }
    char *const require = cli_equal(rest, "none") ? NULL : cli_copy(rest);
    settings.require = require;
    const pv_status status = change_demands(w, "require", &settings, error);
    if (status == PV_STATUS_OK) {
        free(w->require);
        w->require = require;
    } else {
        free(require);
    }
    return status;
}

static pv_status run_taxonomy(walk *w, char *rest, pv_error *error)
{
    cli_prefer settings = w->settings;
    if (!cli_equal(rest, "on") && !cli_equal(rest, "off")) {
        return cli_error(error, PV_STATUS_ARGUMENT, "taxonomy is `on` or `off`; it is %s",
                         settings.free_groups ? "off" : "on");
    }
    settings.free_groups = cli_equal(rest, "off");
    return change_demands(w, "taxonomy", &settings, error);
}

/* -------------------------------------------------------------- solutions */

static void show_all(walk *w)
{
    const bool all = w->settings.all;
    w->settings.all = true;
    cli_preferred_forget_steps(w->now); /* numbers mean alternatives again */
    cli_preferred_print_alternatives(&w->run->report, w->now);
    w->settings.all = all;
}

static pv_status run_show(walk *w, char *rest, pv_error *error)
{
    if (cli_equal(rest, "all")) {
        show_all(w);
        return PV_STATUS_OK;
    }
    CLI_TRY(read_solution(w, "show", rest[0] != '\0' ? rest : "best", &w->now->choice, error));
    const pv_status status = cli_preferred_print_groups(&w->run->report, w->now, error);
    w->now->choice = 0;
    return status;
}

/* The steps replace those of the direction before. */
static void show_steps(walk *w, pv_answer **steps, size_t n)
{
    cli_preferred_forget_steps(w->now);
    w->now->steps = steps;
    w->now->n_steps = n;
    if (cli_interrupted()) {
        cli_paragraph(&w->run->report, 0, "Interrupted; these are the steps so far.");
    }
    cli_preferred_print_steps(&w->run->report, w->now);
}

static pv_status run_go(walk *w, char *rest, pv_error *error)
{
    const cli_preferred *const now = w->now;
    const size_t most = now->wish->steps;
    size_t n = 0;
    CLI_TRY(read_solution(w, "go", rest, &w->now->choice, error));
    const pv_aspiration from = cli_preferred_chosen(now)->point;
    w->now->choice = 0;
    pv_answer **const steps = cli_zeroed(most, sizeof(pv_answer *));
    const pv_status status = pv_walk_direction(now->walk, from, now->answer->goal.wish, most,
                                               &w->run->context, steps, &n, error);
    cli_progress_wipe(&w->run->progress);
    if (status != PV_STATUS_OK) {
        free(steps);
        return status;
    }
    show_steps(w, steps, n);
    return PV_STATUS_OK;
}

static pv_status run_save(walk *w, char *rest, pv_error *error)
{
    if (rest[0] == '\0') {
        return cli_error(error, PV_STATUS_ARGUMENT, "save needs the name of a file");
    }
    if (!cli_is_stream(rest) && access(rest, F_OK) == 0) {
        return cli_error(error, PV_STATUS_EXISTS, "save: %s exists already; choose another name",
                         rest);
    }
    char *text = NULL;
    CLI_TRY(pv_cuts_text(cli_preferred_chosen(w->now)->cuts, &text, error));
    const pv_status status = cli_is_stream(rest)
                                 ? cli_outputs_write(w->run, rest, text, error)
                                 : pv_text_write(rest, text, PV_AUDIENCE_PUBLISHER, false, error);
    pv_string_free(text);
    CLI_TRY(status);
    if (!cli_is_stream(rest)) {
        cli_paragraph(&w->run->report, 0, "The cuts of the best are in %s.", rest);
    }
    return PV_STATUS_OK;
}

/* ---------------------------------------------------------------- accept */

/* The call that asks for what was chosen: a step is the best for a wish of its own. */
static void print_next(const walk *w)
{
    const cli_preferred *const now = w->now;
    const bool is_step = now->choice > 0 && now->n_steps > 0;
    const pv_answer *const answer = is_step ? now->steps[now->choice - 1] : now->answer;
    char *const aspire = cli_aspire_text(now->wish, answer->goal.wish, EXACT);
    char *const weights = cli_weights_text(now, CLI_WEIGHTS_CHANGED, ",", EXACT);
    cli_prefer settings = *now->settings;
    cli_preferred chosen = *now;
    settings.necd = settings.nwp = NULL;
    settings.aspire = aspire;
    settings.weights = cli_weights_changed(now) ? weights : NULL;
    settings.steps = (cli_count){.given = false};
    settings.choose = (cli_count){.given = now->choice > 0 && !is_step, .value = now->choice};
    chosen.settings = &settings;
    cli_preferred_print_release(&w->run->report, &chosen);
    free(weights);
    free(aspire);
}

static pv_status accept_chosen(const walk *w, pv_error *error)
{
    const cli_prefer *const settings = w->now->settings;
    const pv_solution *const chosen = cli_preferred_chosen(w->now);
    if (settings->output != NULL) {
        CLI_TRY(cli_preferred_write(w->run, w->now, error));
    }
    CLI_TRY(cli_preferred_accept(w->now, error));
    cli_paragraph(&w->run->report, 0, "Accepted: k %s, spread %s, loss %s.",
                  cli_count_text(chosen->k).text, cli_value_text(chosen->point.bias).text,
                  cli_value_text(chosen->point.loss).text);
    print_next(w);
    return PV_STATUS_OK;
}

static pv_status run_accept(walk *w, char *rest, pv_error *error)
{
    CLI_TRY(read_solution(w, "accept", rest, &w->now->choice, error));
    const pv_status status = accept_chosen(w, error);
    w->ended = status == PV_STATUS_OK;
    w->now->choice = 0;
    return status;
}

/* ----------------------------------------------------------------- orders */

static pv_status run_log(walk *w, char *rest, pv_error *error)
{
    const char *const session = w->now->settings->session;
    pv_walk_log *log = NULL;
    CLI_TRY(take_nothing("log", rest, error));
    if (session == NULL) {
        return cli_error(error, PV_STATUS_ARGUMENT,
                         "log: nothing is kept; start with --session FILE to keep the walk");
    }
    CLI_TRY(pv_walk_log_kept(w->now->walk, &log, error));
    cli_walk_log_print(&w->run->report, session, log);
    pv_walk_log_free(log);
    return PV_STATUS_OK;
}

static pv_status run_quit(walk *w, char *rest, pv_error *error)
{
    CLI_TRY(take_nothing("quit", rest, error));
    w->ended = true;
    return PV_STATUS_OK;
}

static pv_status run_help(walk *w, char *rest, pv_error *error);

static const order orders[] = {
    {"aspire", "NAME=X ...", "another wish for spread, loss or both", run_aspire},
    {"k", "N", "other people in every class, at least", run_k},
    {"require", "LIST|none", "other demands besides k, such as l-distinct=3", run_require},
    {"taxonomy", "on|off", "keep branches of hierarchies together, or not", run_taxonomy},
    {"weights", "[NAME=X ...]", "how much attributes count in the loss, or change it", run_weights},
    {"go", "N", "walk from solution N to the wish, step by step", run_go},
    {"back", "", "return to the wish before", run_back},
    {"show", "[N|all]", "the groups of the best or of solution N, or every row", run_show},
    {"save", "FILE", "write the cuts of the best for `paravent release --cuts`", run_save},
    {"accept", "N", "choose solution N and end the walk", run_accept},
    {"log", "", "what was wished for and chosen so far, with --session", run_log},
    {"help", "", "this list", run_help},
    {"quit", "", "end the walk and choose nothing", run_quit},
};
#define N_ORDERS (sizeof orders / sizeof *orders)

static pv_status run_help(walk *w, char *rest, pv_error *error)
{
    const cli_report *const report = &w->run->report;
    CLI_TRY(take_nothing("help", rest, error));
    for (size_t i = 0; i < N_ORDERS; i++) {
        char *const usage = cli_format("%s %s", orders[i].name, orders[i].arguments);
        cli_line(report, "%-21s %s", usage, orders[i].help);
        free(usage);
    }
    cli_paragraph(report, 0,
                  "N is a number of the table shown last; 0, or `best`, is the best for "
                  "the wish. The " CLI_SPREAD " is %s here and the loss %s. Weights and demands "
                  "stay until they are changed: `back` returns to the wish, not to them. Ctrl-C "
                  "stops a search and "
                  "shows the best so far.",
                  w->now->wish->bias.measure->name, w->now->wish->loss.measure->name);
    return PV_STATUS_OK;
}

static pv_status unknown(const char *name, pv_error *error)
{
    const char *names[N_ORDERS];
    for (size_t i = 0; i < N_ORDERS; i++) {
        names[i] = orders[i].name;
    }
    const char *const near = cli_suggest(name, names, N_ORDERS);
    return near != NULL ? cli_error(error, PV_STATUS_ARGUMENT,
                                    "there is no `%s` here; did you mean `%s`?", name, near)
                        : cli_error(error, PV_STATUS_ARGUMENT,
                                    "there is no `%s` here; `help` lists what there is", name);
}

/* Ends the first word with a NUL and finds what follows. */
static char *split_line(char *line, char **rest)
{
    char *const name = line + strspn(line, BLANKS);
    char *const end = name + strcspn(name, BLANKS);
    *rest = end + strspn(end, BLANKS);
    size_t length = strlen(*rest);
    while (length > 0 && strchr(BLANKS, (*rest)[length - 1]) != NULL) {
        length--;
    }
    (*rest)[length] = '\0';
    *end = '\0';
    return name;
}

static pv_status obey(walk *w, char *line, pv_error *error)
{
    char *rest = NULL;
    const char *const name = split_line(line, &rest);
    if (name[0] == '\0') {
        return PV_STATUS_OK;
    }
    for (size_t i = 0; i < N_ORDERS; i++) {
        if (cli_equal(name, orders[i].name)) {
            return orders[i].run(w, rest, error);
        }
    }
    return unknown(name, error);
}

/* ------------------------------------------------------------------- walk */

/* An interrupted search leaves its best; only a signal while nothing runs ends the walk. */
static bool goes_on(const walk *w)
{
    return cli_interruption_forget() && !w->ended && ferror(stdout) == 0;
}

static void converse(walk *w)
{
    cli_lines *const lines = cli_lines_open("prefer> ");
    char *line = NULL;
    while (goes_on(w) && (line = cli_lines_next(lines)) != NULL) {
        pv_error error = {0};
        error.status = obey(w, line, &error);
        free(line);
        if (error.status != PV_STATUS_OK) {
            (void)fflush(stdout);
            cli_error_print(&error);
        }
    }
    cli_lines_close(lines);
}

static void forget_all(walk *w)
{
    while (w->before != NULL) {
        past *const newest = w->before;
        w->before = newest->before;
        pv_answer_free(newest->answer);
        free(newest);
    }
}

pv_status cli_walk_interactive(cli_run *run, cli_preferred *preferred, pv_error *error)
{
    walk w = {
        .run = run, .now = preferred, .settings = *preferred->settings, .wish = *preferred->wish};
    const cli_prefer *const settings = preferred->settings;
    const cli_wish *const wish = preferred->wish;
    pv_answer *answer = NULL;
    CLI_TRY(ask(&w, preferred->wish->point, &answer, error));
    w.settings.k = (cli_count){.given = true, .value = preferred->wish->options.k};
    preferred->settings = &w.settings;
    preferred->wish = &w.wish;
    show_answer(&w, answer);
    cli_paragraph(&run->report, 0, "`help` lists what can be done from here.");
    converse(&w);
    forget_all(&w);
    preferred->settings = settings;
    preferred->wish = wish;
    free(w.require);
    return cli_interrupted() ? cli_error(error, PV_STATUS_CANCELLED, "interrupted") : PV_STATUS_OK;
}
