/* The conversation: a wish is answered, the publisher looks around, wishes for something else,
 * returns, and accepts.
 *
 *     aspire  -> answer: best, 1, 2, ...    numbers always mean the table shown last
 *     weights -> answer to the same wish; so do k, require and taxonomy
 *     go N    -> steps: 1, 2, ...
 *     back    -> the answer to the wish before
 *
 * Whatever is typed wrongly gets one line of advice; only accept, quit, the end of the input and
 * Ctrl-C at the prompt end the conversation. */
#include "core/fail.h"
#include "core/lines.h"
#include "core/outputs.h"
#include "core/text.h"
#include "prefer/prefer.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define BLANKS " \t"
#define EXACT 15         /* digits that bring a number back */
#define MOST_FILES 10000 /* cuts.json, cuts-2.json, ... */

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
    size_t n_changes; /* how often weights or demands have changed */
    cli_wish wish;    /* as it has become: what is suggested follows it */
    char *require;    /* the demands of the wish, if they were changed; owned */
    bool ended;
} talk;

/* `arguments` are what follows the name, without blanks around it. */
typedef struct {
    const char *name, *arguments, *help;
    pv_status (*run)(talk *t, char *arguments, pv_error *error);
} order;

/* --------------------------------------------------------------- numbers */

static pv_status read_solution(const talk *t, const char *name, const char *text, size_t *solution,
                               pv_error *error)
{
    const size_t n = cli_preferred_n_others(t->now);
    size_t number = 0;
    if (!cli_solution_parse(text, &number)) {
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

static pv_status take_nothing(const char *name, const char *arguments, pv_error *error)
{
    return arguments[0] == '\0' ? PV_STATUS_OK
                                : cli_error(error, PV_STATUS_ARGUMENT, "%s stands alone", name);
}

/* ----------------------------------------------------------------- wishes */

static pv_status ask(talk *t, pv_aspiration wish, pv_answer **answer, pv_error *error)
{
    const pv_status status =
        pv_preference_aspire(t->now->preference, wish, &t->run->context, answer, error);
    cli_progress_wipe(&t->run->progress);
    return status;
}

/* From here on its numbers count. */
static void show_answer(talk *t, pv_answer *answer)
{
    cli_preferred_forget_steps(t->now);
    t->now->answer = answer;
    cli_preferred_print_briefly(&t->run->report, t->now);
}

/* The measures stay what they are for all of the conversation. */
static pv_status read_wish(const talk *t, const char *text, pv_aspiration *wish, pv_error *error)
{
    const char *const bias = t->now->wish->bias.measure->name;
    const char *const loss = t->now->wish->loss.measure->name;
    cli_pairs pairs = {0};
    const bool read = cli_pairs_read(text, &pairs);
    bool known = true;
    for (size_t i = 0; known && i < pairs.n; i++) {
        double *const part = cli_equal(pairs.list[i].name, bias)   ? &wish->bias
                             : cli_equal(pairs.list[i].name, loss) ? &wish->loss
                                                                   : NULL;
        known = part != NULL;
        if (known) {
            *part = pairs.list[i].value;
        }
    }
    if (read) {
        cli_pairs_free(&pairs);
    }
    if (!known) {
        return cli_error(error, PV_STATUS_ARGUMENT,
                         "aspire: the " CLI_SPREAD
                         " is %s in this walk and the loss %s; others need a "
                         "walk of their own, begun with --aspire",
                         bias, loss);
    }
    return read && wish->bias <= CLI_ALL_THERE_IS && wish->loss <= CLI_ALL_THERE_IS
               ? PV_STATUS_OK
               : cli_error(error, PV_STATUS_ARGUMENT,
                           "aspire needs numbers from 0 to 1, such as: aspire %s=0.1 %s=0.3", bias,
                           loss);
}

static pv_status run_aspire(talk *t, char *arguments, pv_error *error)
{
    pv_aspiration wish = pv_answer_goal(t->now->answer)->wish;
    pv_answer *answer = NULL;
    CLI_TRY(read_wish(t, arguments, &wish, error));
    CLI_TRY(ask(t, wish, &answer, error));
    past *const before = cli_zeroed(1, sizeof *before);
    *before = (past){.answer = t->now->answer, .n_changes = t->n_changes, .before = t->before};
    t->before = before;
    show_answer(t, answer);
    return PV_STATUS_OK;
}

/* What was answered under other weights is answered again. */
static pv_status run_back(talk *t, char *arguments, pv_error *error)
{
    past *const before = t->before;
    pv_answer *again = NULL;
    CLI_TRY(take_nothing("back", arguments, error));
    if (before == NULL) {
        return cli_error(error, PV_STATUS_ARGUMENT, "back: this is the first wish");
    }
    if (before->n_changes != t->n_changes) {
        CLI_TRY(ask(t, pv_answer_goal(before->answer)->wish, &again, error));
        pv_answer_free(before->answer);
        before->answer = again;
    }
    pv_answer_free(t->now->answer);
    t->before = before->before;
    show_answer(t, before->answer);
    free(before);
    return PV_STATUS_OK;
}

/* --------------------------------------------------------------- weights */

/* The wish stays, and gets another answer. */
static pv_status run_weights(talk *t, char *arguments, pv_error *error)
{
    pv_answer *answer = NULL;
    if (!cli_weights_exist(t->now)) {
        return cli_error(error, PV_STATUS_ARGUMENT, "weights: the loss %s has none",
                         t->now->wish->loss.measure->name);
    }
    if (arguments[0] == '\0') {
        char *const text = cli_weights_text(t->now, CLI_WEIGHTS_ALL, ", ", 4);
        cli_paragraph(&t->run->report, 0, "The attributes count in the loss: %s.", text);
        free(text);
        return PV_STATUS_OK;
    }
    cli_pairs weights = {0};
    if (!cli_pairs_read(arguments, &weights)) {
        return cli_error(error, PV_STATUS_ARGUMENT,
                         "weights needs numbers of 0 or more, such as: weights %s=3",
                         pv_study_quasi_name(t->now->opened->study, 0));
    }
    const pv_status status = cli_weights_set(t->now, &weights, error);
    cli_pairs_free(&weights);
    CLI_TRY(status);
    t->n_changes++;
    CLI_TRY(ask(t, pv_answer_goal(t->now->answer)->wish, &answer, error));
    pv_answer_free(t->now->answer);
    show_answer(t, answer);
    return PV_STATUS_OK;
}

/* --------------------------------------------------------------- demands */

static pv_status take_weights(const talk *t, pv_preference *made, pv_error *error)
{
    const cli_preferred *const now = t->now;
    const size_t n = pv_study_quasis(now->opened->study);
    if (!cli_weights_exist(now) || !cli_weights_changed(now)) {
        return PV_STATUS_OK;
    }
    pv_weight *const weights = cli_zeroed(n, sizeof *weights);
    for (size_t q = 0; q < n; q++) {
        weights[q] = (pv_weight){.attribute = pv_study_quasi_name(now->opened->study, q),
                                 .weight = pv_preference_weight(now->preference, q)};
    }
    const pv_status status = pv_preference_weigh(made, weights, n, error);
    free(weights);
    return status;
}

/* Other demands need another preference; the wish stays, and gets another answer. A session belongs
 * to its demands. `changed` has other options as given: its k, demands and taxonomy. On failure all
 * is as before. */
static pv_status change_demands(talk *t, const char *name, cli_wish *changed, pv_error *error)
{
    cli_preferred *const now = t->now;
    pv_preference *made = NULL;
    pv_answer *answer = NULL;
    pv_status status = PV_STATUS_OK;
    if (changed->given.session != NULL) {
        return cli_error(error, PV_STATUS_ARGUMENT,
                         "%s: the session is kept for these demands; begin another with other "
                         "options and another --session",
                         name);
    }
    changed->options.k = changed->given.k.value;
    changed->options.free_groups = changed->given.free_groups;
    changed->demands = (cli_demands){0};
    CLI_TRY(cli_demands_add(&changed->demands, changed->given.require, error));
    CLI_TRY(cli_wish_add_plan(changed, now->opened->plan, error));
    const pv_preference_options options = cli_wish_options(changed);
    CLI_TRY(pv_preference_create(now->opened->profile, &options, &made, error));
    CLI_TRY_CLEAN(take_weights(t, made, error));
    status = pv_preference_aspire(made, pv_answer_goal(now->answer)->wish, &t->run->context,
                                  &answer, error);
    cli_progress_wipe(&t->run->progress);
    CLI_TRY_CLEAN(status);
    pv_preference_free(now->preference);
    pv_answer_free(now->answer);
    now->preference = made;
    t->wish = *changed;
    t->n_changes++;
    show_answer(t, answer);
    return PV_STATUS_OK;
cleanup:
    pv_preference_free(made);
    return status;
}

static pv_status run_k(talk *t, char *arguments, pv_error *error)
{
    cli_wish changed = t->wish;
    size_t k = 0;
    if (!cli_solution_parse(arguments, &k) || k == 0) {
        return cli_error(error, PV_STATUS_ARGUMENT, "k needs a number of people, such as: k 10");
    }
    changed.given.k = (cli_count){.given = true, .value = k};
    return change_demands(t, "k", &changed, error);
}

static pv_status run_require(talk *t, char *arguments, pv_error *error)
{
    cli_wish changed = t->wish;
    if (arguments[0] == '\0') {
        return cli_error(error, PV_STATUS_ARGUMENT,
                         "require needs demands, such as: require l-distinct=3, or `none`");
    }
    char *const require = cli_equal(arguments, "none") ? NULL : cli_copy(arguments);
    changed.given.require = require;
    const pv_status status = change_demands(t, "require", &changed, error);
    if (status == PV_STATUS_OK) {
        free(t->require);
        t->require = require;
    } else {
        free(require);
    }
    return status;
}

static pv_status run_taxonomy(talk *t, char *arguments, pv_error *error)
{
    cli_wish changed = t->wish;
    if (!cli_equal(arguments, "on") && !cli_equal(arguments, "off")) {
        return cli_error(error, PV_STATUS_ARGUMENT, "taxonomy is `on` or `off`; it is %s",
                         changed.given.free_groups ? "off" : "on");
    }
    changed.given.free_groups = cli_equal(arguments, "off");
    return change_demands(t, "taxonomy", &changed, error);
}

/* -------------------------------------------------------------- solutions */

static pv_status run_show(talk *t, char *arguments, pv_error *error)
{
    if (cli_equal(arguments, "all")) {
        cli_preferred_forget_steps(t->now); /* numbers mean alternatives again */
        cli_preferred_print_alternatives(&t->run->report, t->now);
        return PV_STATUS_OK;
    }
    CLI_TRY(read_solution(t, "show", arguments[0] != '\0' ? arguments : "best", &t->now->choice,
                          error));
    const pv_status status = cli_preferred_print_groups(&t->run->report, t->now, error);
    t->now->choice = 0;
    return status;
}

static pv_status run_go(talk *t, char *arguments, pv_error *error)
{
    const cli_preferred *const now = t->now;
    const size_t most = now->wish->steps;
    size_t n = 0;
    size_t start = 0;
    CLI_TRY(read_solution(t, "go", arguments, &start, error));
    const pv_aspiration from = pv_solution_point(cli_preferred_solution(now, start));
    pv_answer **const steps = cli_zeroed(most, sizeof(pv_answer *));
    const pv_status status =
        pv_preference_direction(now->preference, from, pv_answer_goal(now->answer)->wish, most,
                                &t->run->context, steps, &n, error);
    cli_progress_wipe(&t->run->progress);
    if (status != PV_STATUS_OK) {
        free(steps);
        return status;
    }
    cli_preferred_forget_steps(t->now); /* those of the direction before */
    t->now->steps = steps;
    t->now->n_steps = n;
    if (cli_interrupted()) {
        cli_paragraph(&t->run->report, 0, "Interrupted; these are the steps so far.");
    }
    cli_preferred_print_steps(&t->run->report, t->now);
    return PV_STATUS_OK;
}

static pv_status run_save(talk *t, char *arguments, pv_error *error)
{
    if (arguments[0] == '\0') {
        return cli_error(error, PV_STATUS_ARGUMENT, "save needs the name of a file");
    }
    if (!cli_is_stream(arguments) && access(arguments, F_OK) == 0) {
        return cli_error(error, PV_STATUS_EXISTS, "save: %s exists already; choose another name",
                         arguments);
    }
    char *text = NULL;
    CLI_TRY(pv_cuts_text(pv_solution_cuts(cli_preferred_solution(t->now, 0)), &text, error));
    const pv_status status =
        cli_is_stream(arguments)
            ? cli_outputs_write(t->run, arguments, text, error)
            : pv_text_write(arguments, text, PV_AUDIENCE_PUBLISHER, false, error);
    pv_string_free(text);
    CLI_TRY(status);
    if (!cli_is_stream(arguments)) {
        cli_paragraph(&t->run->report, 0, "The cuts of the best are in %s.", arguments);
    }
    return PV_STATUS_OK;
}

/* What was found with the help of earlier wishes, another call may not find again: the cuts are
 * written to a new file. Owned. */
static pv_status keep_accepted(const pv_solution *chosen, char **file, pv_error *error)
{
    char *text = NULL;
    char *name = NULL;
    pv_status status = PV_STATUS_EXISTS;
    CLI_TRY(pv_cuts_text(pv_solution_cuts(chosen), &text, error));
    for (unsigned number = 1; status == PV_STATUS_EXISTS && number < MOST_FILES; number++) {
        free(name);
        *error = (pv_error){0};
        name = number == 1 ? cli_copy("cuts.json") : cli_format("cuts-%u.json", number);
        status = access(name, F_OK) == 0
                     ? cli_error(error, PV_STATUS_EXISTS, "%s exists already", name)
                     : pv_text_write(name, text, PV_AUDIENCE_PUBLISHER, false, error);
    }
    pv_string_free(text);
    if (status != PV_STATUS_OK) {
        free(name);
        return status;
    }
    *file = name;
    return PV_STATUS_OK;
}

/* With the call that asks for what was chosen, or the file that has it. */
static pv_status run_accept(talk *t, char *arguments, pv_error *error)
{
    cli_preferred *const now = t->now;
    pv_status status = PV_STATUS_OK;
    CLI_TRY(read_solution(t, "accept", arguments, &now->choice, error));
    const pv_solution *const chosen = cli_preferred_solution(now, now->choice);
    const bool is_step = now->choice > 0 && now->n_steps > 0;
    const pv_answer *const answer = is_step ? now->steps[now->choice - 1] : now->answer;
    char *const aspire = cli_aspire_text(now->wish, pv_answer_goal(answer)->wish, EXACT);
    char *const weights = cli_weights_text(now, CLI_WEIGHTS_CHANGED, ",", EXACT);
    char *file = NULL;
    if (t->wish.given.output != NULL) {
        CLI_TRY_CLEAN(cli_preferred_write(t->run, now, error));
    } else if (is_step || !pv_answer_is_first(answer)) {
        CLI_TRY_CLEAN(keep_accepted(chosen, &file, error));
    }
    CLI_TRY_CLEAN(cli_preferred_accept(now, error));
    cli_paragraph(&t->run->report, 0, "Accepted: k %s, spread %s, loss %s.",
                  cli_count_text(pv_solution_k(chosen)).text,
                  cli_value_text(pv_solution_point(chosen).bias).text,
                  cli_value_text(pv_solution_point(chosen).loss).text);
    cli_prefer given = t->wish.given;
    given.necd = given.nwp = NULL;
    given.aspire = aspire;
    given.weights = cli_weights_changed(now) ? weights : NULL;
    given.steps = (cli_count){.given = false};
    given.choose = (cli_count){.given = now->choice > 0 && !is_step, .value = now->choice};
    given.output = file != NULL ? file : given.output;
    cli_preferred_print_release(&t->run->report, now, &given);
    t->ended = true;
cleanup:
    free(file);
    free(weights);
    free(aspire);
    now->choice = 0;
    return status;
}

/* ----------------------------------------------------------------- orders */

static pv_status run_log(talk *t, char *arguments, pv_error *error)
{
    const char *const session = t->wish.given.session;
    pv_preference_log *log = NULL;
    CLI_TRY(take_nothing("log", arguments, error));
    if (session == NULL) {
        return cli_error(error, PV_STATUS_ARGUMENT,
                         "log: nothing is kept; start with --session FILE to keep the walk");
    }
    CLI_TRY(pv_preference_log_of(t->now->preference, &log, error));
    cli_session_log_print(&t->run->report, session, log);
    pv_preference_log_free(log);
    return PV_STATUS_OK;
}

static pv_status run_quit(talk *t, char *arguments, pv_error *error)
{
    CLI_TRY(take_nothing("quit", arguments, error));
    t->ended = true;
    return PV_STATUS_OK;
}

static pv_status run_help(talk *t, char *arguments, pv_error *error);

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

static pv_status run_help(talk *t, char *arguments, pv_error *error)
{
    const cli_report *const report = &t->run->report;
    CLI_TRY(take_nothing("help", arguments, error));
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
                  t->now->wish->bias.measure->name, t->now->wish->loss.measure->name);
    return PV_STATUS_OK;
}

/* Ends the first word with a NUL and finds what follows. */
static char *split_line(char *line, char **arguments)
{
    char *const name = line + strspn(line, BLANKS);
    char *const end = name + strcspn(name, BLANKS);
    *arguments = end + strspn(end, BLANKS);
    size_t length = strlen(*arguments);
    while (length > 0 && strchr(BLANKS, (*arguments)[length - 1]) != NULL) {
        length--;
    }
    (*arguments)[length] = '\0';
    *end = '\0';
    return name;
}

static pv_status obey(talk *t, char *line, pv_error *error)
{
    char *arguments = NULL;
    const char *const name = split_line(line, &arguments);
    if (name[0] == '\0') {
        return PV_STATUS_OK;
    }
    const char *names[N_ORDERS];
    for (size_t i = 0; i < N_ORDERS; i++) {
        names[i] = orders[i].name;
        if (cli_equal(name, names[i])) {
            return orders[i].run(t, arguments, error);
        }
    }
    const char *const near = cli_suggest(name, names, N_ORDERS);
    return near != NULL ? cli_error(error, PV_STATUS_ARGUMENT,
                                    "there is no `%s` here; did you mean `%s`?", name, near)
                        : cli_error(error, PV_STATUS_ARGUMENT,
                                    "there is no `%s` here; `help` lists what there is", name);
}

/* ------------------------------------------------------------ conversation */

static void converse(talk *t)
{
    cli_lines *const lines = cli_lines_open("prefer> ");
    char *line = NULL;
    /* An interrupted search leaves its best; only a signal while nothing runs ends it. */
    while (cli_interruption_forget() && !t->ended && ferror(stdout) == 0 &&
           (line = cli_lines_next(lines)) != NULL) {
        pv_error error = {0};
        error.status = obey(t, line, &error);
        free(line);
        if (error.status != PV_STATUS_OK) {
            (void)fflush(stdout);
            cli_error_print(&error);
        }
    }
    cli_lines_close(lines);
}

pv_status cli_prefer_interactive(cli_run *run, cli_preferred *preferred, pv_error *error)
{
    const cli_wish *const first = preferred->wish;
    talk t = {.run = run, .now = preferred, .wish = *first};
    pv_answer *answer = NULL;
    CLI_TRY(ask(&t, first->point, &answer, error));
    t.wish.given.k = (cli_count){.given = true, .value = first->options.k};
    preferred->wish = &t.wish;
    show_answer(&t, answer);
    cli_paragraph(&run->report, 0, "`help` lists what can be done from here.");
    converse(&t);
    while (t.before != NULL) {
        past *const newest = t.before;
        t.before = newest->before;
        pv_answer_free(newest->answer);
        free(newest);
    }
    preferred->wish = first;
    free(t.require);
    return cli_interrupted() ? cli_error(error, PV_STATUS_CANCELLED, "interrupted") : PV_STATUS_OK;
}
