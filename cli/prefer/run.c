/* `paravent prefer PLAN`: the release nearest to what the publisher aspires to. */
#include "core/command.h"
#include "core/fail.h"
#include "core/json.h"
#include "core/outputs.h"
#include "core/text.h"
#include "prefer/prefer.h"

#include <stdlib.h>
#include <string.h>

/* ----------------------------------------------------------------- answer */

size_t cli_preferred_n_others(const cli_preferred *preferred)
{
    return preferred->n_steps > 0 ? preferred->n_steps
                                  : pv_answer_n_solutions(preferred->answer) - 1;
}

const pv_solution *cli_preferred_solution(const cli_preferred *preferred, size_t number)
{
    return number > 0 && preferred->n_steps > 0
               ? pv_answer_solution(preferred->steps[number - 1], 0)
               : pv_answer_solution(preferred->answer, number);
}

char *cli_preferred_name(const cli_preferred *preferred, size_t number)
{
    return number == 0
               ? cli_copy("the best")
               : cli_format("%s %zu", preferred->n_steps > 0 ? "step" : "alternative", number);
}

bool cli_preferred_has_bound(const cli_preferred *preferred)
{
    return pv_answer_proven(preferred->answer) || pv_answer_bound(preferred->answer) > 0.0;
}

pv_aspiration cli_preferred_corner(const cli_preferred *preferred)
{
    const pv_achievement *const goal = pv_answer_goal(preferred->answer);
    const double bound = pv_answer_bound(preferred->answer);
    return (pv_aspiration){.bias = bound / goal->weight + goal->utopia,
                           .loss = bound / (1.0 - goal->weight) + goal->utopia};
}

void cli_preferred_forget_steps(cli_preferred *preferred)
{
    for (size_t i = 0; i < preferred->n_steps; i++) {
        pv_answer_free(preferred->steps[i]);
    }
    free(preferred->steps);
    preferred->steps = NULL;
    preferred->n_steps = 0;
}

pv_status cli_preferred_write(cli_run *run, const cli_preferred *preferred, pv_error *error)
{
    const pv_solution *const chosen = cli_preferred_solution(preferred, preferred->choice);
    char *text = NULL;
    CLI_TRY(pv_cuts_text(pv_solution_cuts(chosen), &text, error));
    pv_status status = cli_outputs_write(run, preferred->wish->given.output, text, error);
    if (status == PV_STATUS_OK) {
        status = cli_outputs_commit(run, error);
    }
    pv_string_free(text);
    return status;
}

pv_status cli_preferred_accept(const cli_preferred *preferred, pv_error *error)
{
    const size_t choice = preferred->choice;
    return choice > 0 && preferred->n_steps > 0
               ? pv_preference_accept(preferred->preference, preferred->steps[choice - 1], 0, error)
               : pv_preference_accept(preferred->preference, preferred->answer, choice, error);
}

/* ----------------------------------------------------------------- checks */

/* What means nothing in a conversation. */
static pv_status check_interactive(const cli_prefer *given, pv_error *error)
{
    const struct {
        const char *name;
        bool given;
    } others[] = {{"json", given->common.json},
                  {"quiet", given->common.quiet},
                  {"log", given->log},
                  {"from", given->from != NULL},
                  {"compare", given->compare != NULL},
                  {"choose", given->choose.given}};
    for (size_t i = 0; given->interactive && i < sizeof others / sizeof *others; i++) {
        if (others[i].given) {
            return cli_error(error, PV_STATUS_ARGUMENT,
                             "--interactive and --%s contradict each other", others[i].name);
        }
    }
    if (given->interactive && cli_is_stream(given->output)) {
        return cli_error(error, PV_STATUS_ARGUMENT,
                         "standard output can hold only one of --interactive and the cuts");
    }
    return PV_STATUS_OK;
}

/* Is there a solution that an option named by its number? */
static pv_status check_number(const cli_preferred *preferred, const char *option, size_t number,
                              pv_error *error)
{
    const size_t n = cli_preferred_n_others(preferred);
    const bool steps = preferred->wish->steps > 0;
    return number <= n
               ? PV_STATUS_OK
               : cli_hint(cli_error(error, PV_STATUS_ARGUMENT, "--%s: there %s only %s", option,
                                    n == 1 ? "is" : "are",
                                    steps ? cli_plural_text(n, "step", "steps").text
                                          : cli_plural_text(n, "alternative", "alternatives").text),
                          error, "leave --%s out to see them all", option);
}

/* -------------------------------------------------------------------- run */

/* Who names a solution, or takes its cuts, has chosen. */
static pv_status finish(cli_run *run, const cli_preferred *preferred, const cli_rivals *rivals,
                        pv_error *error)
{
    const cli_prefer *const given = &preferred->wish->given;
    if (given->output != NULL) {
        CLI_TRY(cli_preferred_write(run, preferred, error));
    }
    if (given->output != NULL || given->choose.given) {
        CLI_TRY(cli_preferred_accept(preferred, error));
    }
    if (cli_run_talks(run) && !cli_is_stream(given->output)) {
        CLI_TRY(cli_preferred_print(&run->report, preferred, error));
        CLI_TRY(rivals != NULL ? cli_rivals_print(&run->report, rivals, error) : PV_STATUS_OK);
    } else if (run->common->json) {
        json_t *const document = cli_json_document("prefer");
        pv_status status = cli_preferred_json(document, preferred, error);
        if (status == PV_STATUS_OK) {
            status = cli_rivals_json(document, rivals, error);
        }
        if (status != PV_STATUS_OK) {
            json_decref(document);
            return status;
        }
        cli_json_print(run, document);
    }
    return pv_answer_stopped(preferred->answer)
               ? cli_error(error, PV_STATUS_CANCELLED, "interrupted; this is the best so far")
               : PV_STATUS_OK;
}

/* The direction comes first, so that the answer to the wish is the best of everything known. */
static pv_status answer_and_show(cli_run *run, cli_preferred *preferred, pv_error *error)
{
    const cli_wish *const wish = preferred->wish;
    const pv_suppression none = {0};
    cli_rivals rivals = {0};
    cli_rival both[2] = {0};
    char *names[2] = {NULL, NULL};
    pv_status status = PV_STATUS_OK;
    run->progress.bound = CLI_CUTS_BOUND; /* from here on all that takes time is searching */
    if (wish->steps > 0) {
        preferred->steps = cli_zeroed(wish->steps, sizeof *preferred->steps);
        status =
            pv_preference_direction(preferred->preference, wish->from, wish->point, wish->steps,
                                    &run->context, preferred->steps, &preferred->n_steps, error);
    }
    if (status == PV_STATUS_OK) {
        status = pv_preference_aspire(preferred->preference, wish->point, &run->context,
                                      &preferred->answer, error);
    }
    cli_progress_wipe(&run->progress); /* what was stopped leaves its bar behind */
    CLI_TRY(status);
    preferred->choice = (size_t)preferred->wish->given.choose.value;
    CLI_TRY(check_number(preferred, "choose", preferred->choice, error));
    for (size_t i = 0; i < 2; i++) {
        CLI_TRY(check_number(preferred, "compare", preferred->wish->compare[i], error));
    }
    if (wish->given.compare != NULL) {
        for (size_t i = 0; i < 2; i++) {
            both[i].name = names[i] = cli_preferred_name(preferred, wish->compare[i]);
            both[i].cuts = pv_solution_cuts(cli_preferred_solution(preferred, wish->compare[i]));
        }
        status = cli_rivals_fight(run, preferred->opened, both, &none, &rivals, error);
        free(names[0]);
        free(names[1]);
        CLI_TRY(status);
    }
    status = finish(run, preferred, rivals.judgement != NULL ? &rivals : NULL, error);
    cli_rivals_free(&rivals);
    return status;
}

static pv_status prefer(cli_run *run, cli_wish *wish, pv_error *error)
{
    const cli_prefer *const given = &wish->given;
    cli_opened opened = {0};
    pv_status status = PV_STATUS_OK;
    CLI_TRY(cli_open(run, run->operands.list[0], given->data, &given->reading, CLI_WITH_ROLE,
                     &opened, error));
    cli_preferred preferred = {.opened = &opened, .plan = run->operands.list[0], .wish = wish};
    CLI_TRY_CLEAN(cli_wish_add_plan(wish, opened.plan, error));
    const pv_preference_options made = cli_wish_options(wish);
    CLI_TRY_CLEAN(pv_preference_create(opened.profile, &made, &preferred.preference, error));
    if (given->session != NULL) {
        CLI_TRY_CLEAN(pv_preference_open_session(preferred.preference, given->session, error));
    }
    if (wish->weights.n > 0) {
        CLI_TRY_CLEAN(cli_weights_set(&preferred, &wish->weights, error));
    }
    CLI_TRY_CLEAN(given->interactive ? cli_prefer_interactive(run, &preferred, error)
                                     : answer_and_show(run, &preferred, error));
cleanup:
    pv_answer_free(preferred.answer);
    cli_preferred_forget_steps(&preferred);
    pv_preference_free(preferred.preference);
    cli_close(&opened);
    return status;
}

/* Whatever can be refused is refused before the search, which may take long. */
static pv_status run_prefer(cli_run *run, const void *settings, pv_error *error)
{
    const cli_prefer *const given = settings;
    CLI_TRY(check_interactive(given, error));
    if (given->log) {
        return cli_session_log_show(run, given->session, error);
    }
    if (run->operands.n == 0) {
        return cli_hint(cli_error(error, PV_STATUS_ARGUMENT, "`paravent prefer` needs PLAN"), error,
                        "usage: paravent prefer PLAN [options]; only --log goes without");
    }
    cli_wish wish;
    CLI_TRY(cli_wish_read(given, &wish, error));
    const pv_status status =
        cli_is_stream(given->output) && given->common.json
            ? cli_error(error, PV_STATUS_ARGUMENT,
                        "standard output can hold only one of --json and the cuts")
            : prefer(run, &wish, error);
    cli_wish_free(&wish);
    return status;
}

/* ------------------------------------------------------------------ texts */

static const char *const description[] = {
    "Say what you wish for: at least so many people in every class (--k), a spread of class sizes "
    "of at "
    "most so much (--necd) and at most so much loss (--nwp: how much "
    "detail is gone); with --require also how diverse sensitive values must be. Of all ways to cut "
    "the quasi-identifiers of PLAN into groups, numbers into "
    "ranges and categories into neighbours of their hierarchy, the one that comes nearest to the "
    "wish is shown, or the one that exceeds it most evenly; together with others that have more "
    "people in every class.",
    "Other measures may stand for both: --aspire gini=0.3,cm=0.1. The spread of class sizes is "
    "necd or "
    "gini; a loss "
    "is "
    "nwp, glm, leaf-utility, entropy, dcn, cm or aecs, each as a share from 0 to 1 of the largest "
    "there can be. Only nwp, glm and leaf-utility can be proven to be least, and only nwp has "
    "weights.",
    "After the search comes the proof: that nothing comes nearer, or how much nearer anything "
    "could "
    "come at most; and, where it is so, that no release at all can fulfil the wish. An interrupted "
    "search reports the best so far.",
    "With --interactive you walk: `aspire necd=0.1` wishes for something else, `weights age=3` "
    "lets "
    "age count more, `k 10`, `require l-distinct=3` and `taxonomy off` change what is demanded, "
    "`go 2` shows what lies between solution 2 and the wish, `back` returns to the "
    "wish before, `accept 3` chooses: the cuts are in the file of -o, or in a new one if no call "
    "would bring them again. "
    "A program can send the same lines through a pipe.",
    "Nobody is suppressed. The cuts that -o writes are released with `paravent release --cuts`; "
    "they hold values of the data and are as private as the plan.",
    NULL,
};

static const char *const methods[] = {"memetic", "nsga2", NULL};

/* Name, kind, what help calls the value, the setting it goes to; the help; further fields by name.
 */
#define OPTION(name_, kind_, argument_, setting, ...)                \
    {                                                                \
        .name = name_, .kind = CLI_##kind_, .argument = argument_,   \
        .offset = offsetof(cli_prefer, setting), .help = __VA_ARGS__ \
    }

static const cli_option options[] = {
    OPTION("k", COUNT, "N", k, "people in every class at least (default: 2)", .letter = 'k',
           .min = 1, .max = INT64_MAX),
    OPTION("necd", TEXT, "X", necd,
           "the spread of class sizes to aspire to, from 0, all alike, to 1 (default: 1, any)"),
    OPTION("nwp", TEXT, "X", nwp,
           "the loss to aspire to: how much detail is gone, from 0, none, to 1, all of it "
           "(default: 0, as little as possible; 1, any, if only --necd is given)"),
    OPTION("aspire", LIST, "LIST", aspire,
           "what stands for the spread of class sizes and the loss, and how much of it to aspire "
           "to, such as gini=0.3,cm=0.1: a spread, a loss or both (--necd X is short for necd=X, "
           "--nwp X for nwp=X)"),
    OPTION("require", LIST, "LIST", require,
           "demand constraints, such as l-distinct=3,t-closeness(COLUMN)=0.2, besides those of the "
           "plan: k, l-distinct, l-entropy, l-recursive or t-closeness; if nothing can keep them, "
           "exit "
           "status 3"),
    OPTION("weights", LIST, "LIST", weights,
           "how much attributes count in nwp, such as age=3,sex=0.5 (default: as the plan says, or "
           "as in the session)"),
    OPTION("from", TEXT, "SPREAD,LOSS", from,
           "also walk from this spread of class sizes and loss to the wish, and show the best for "
           "every step"),
    OPTION("steps", COUNT, "N", steps,
           "steps of that walk, or of every `go` of --interactive (default: 10)", .min = 1,
           .max = 1000),
    OPTION("choose", COUNT, "N", choose,
           "take alternative N, or with --from step N, instead of the best", .min = 1,
           .max = 1000000),
    OPTION("compare", TEXT, "N,M", compare,
           "compare two solutions person by person before choosing: `best`, or the numbers of "
           "alternatives, with --from of steps"),
    OPTION("output", OUTPUT, "FILE", output,
           "write the cuts of the best, or of the chosen one, for `paravent release --cuts` (- is "
           "standard output)",
           .letter = 'o'),
    OPTION("force", FLAG, NULL, force, "overwrite the output if it exists", .needs = "output"),
    OPTION("session", FILE, "FILE", session,
           "keep everything that was looked at, every wish and every choice (-o or --choose) in "
           "this file, such as census.pvs, or continue it: further wishes are answered faster",
           .grows = true),
    OPTION("log", FLAG, NULL, log,
           "only show what was wished for, answered and chosen in the session, and when",
           .needs = "session"),
    OPTION("interactive", FLAG, NULL, interactive,
           "answer the wish, then read from standard input how to go on: other wishes, steps "
           "towards them, the solution to accept; `help` lists it all",
           .letter = 'i'),
    OPTION("free-groups", FLAG, NULL, free_groups,
           "groups of categories may cross the branches of their hierarchy (default: they are "
           "whole branches, or neighbouring ones of one branch)"),
    OPTION("prove", TEXT, "SECONDS", prove,
           "how long to try to prove that nothing is better (default: 10; 0 is no proof)"),
    OPTION("method", CHOICE, "memetic|nsga2", method,
           "how to search: memetic, evolution with local search, or nsga2, as published (default: "
           "memetic)",
           .choices = methods),
    OPTION("evaluations", COUNT, "N", evaluations,
           "schemes to look at, a tenth of that for every further step (default: 50000)", .min = 1,
           .max = INT64_MAX),
    OPTION("population", COUNT, "N", population, "schemes per generation (default: 100)", .min = 2,
           .max = 100000),
    OPTION("crossover", TEXT, "P", crossover,
           "the chance from 0 to 1 that two parents are crossed (default: 0.8)"),
    OPTION("mutation", TEXT, "P", mutation,
           "nsga2: the chance from 0 to 1 that a cut comes or goes (default: 0.001)"),
    OPTION("seed", COUNT, "N", seed, "the seed of the random choices (default: 1)", .min = 1,
           .max = INT64_MAX),
    OPTION("memory", TEXT, "SIZE", memory,
           "memory for search and proof, such as 1G (default: 256M)"),
    OPTION("all", FLAG, NULL, all, "show every alternative in the table"),
    CLI_DATA_OPTIONS(cli_prefer, "file"),
    {.name = NULL},
};

static const cli_example examples[] = {
    {"paravent prefer plan.yaml --k 5", "the least loss with five people in every class"},
    {"paravent prefer plan.yaml --k 5 --necd 0.3 --nwp 0.2 -o cuts.json",
     "classes of similar size and little loss, as near as possible; the cuts in a file"},
    {"paravent release plan.yaml --cuts cuts.json --suppression 0 --require k=5",
     "release them, verified"},
    {"paravent prefer plan.yaml --k 5 --require l-distinct=3 --aspire gini=0.3,glm=0.4",
     "also three sensitive values in every class; other measures of spread and loss"},
    {"paravent prefer plan.yaml --k 5 --necd 0.1 --nwp 0.2 --from 1.0,0.2 --steps 10",
     "what less and less spread costs"},
    {"paravent prefer plan.yaml --k 5 --nwp 0.2 --session census.pvs", "remember it all"},
    {"paravent prefer plan.yaml --k 5 --interactive --session census.pvs -o cuts.json",
     "walk from wish to wish and accept one"},
    {"paravent prefer --session census.pvs --log", "what was wished for and chosen so far"},
    {"paravent prefer plan.yaml --k 10 --prove 300 --json", "five minutes for the proof, as JSON"},
    {NULL, NULL},
};

const cli_command cli_command_prefer = {
    .name = "prefer",
    .operands = "PLAN",
    .min_operands = 0, /* --log needs no plan */
    .max_operands = 1,
    .summary = "the release nearest to wishes for the spread of class sizes and loss",
    .description = description,
    .options = options,
    .examples = examples,
    .settings_size = sizeof(cli_prefer),
    .run = run_prefer,
};
