/* `paravent release PLAN`: write the levels or cuts that were given, or levels picked from the
 * front, verified. */
#include "core/fail.h"
#include "core/text.h"
#include "release/release.h"

#ifdef __GLIBC__
#include <malloc.h>
#endif
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#define HINTED_ATTRIBUTES 6

/* ---------------------------------------------------------------------- levels */

/* Says which levels there are: an example with half of each height, and the heights. */
static pv_status no_levels(const pv_study *study, bool some, const char *plan, pv_error *error)
{
    const bool more = pv_study_quasis(study) > HINTED_ATTRIBUTES;
    char *example = cli_copy("");
    char *heights = cli_copy("");
    for (size_t q = 0; q < pv_study_quasis(study) && q < HINTED_ATTRIBUTES; q++) {
        const char *const name = pv_study_quasi_name(study, q);
        const unsigned height = pv_hierarchy_height(pv_study_hierarchy(study, q));
        cli_append(&example, "%s%s=%u", q > 0 ? "," : "", name, height / 2);
        cli_append(&heights, "%s%s 0-%u", q > 0 ? ", " : "", name, height);
    }
    const pv_status status = cli_hint(
        cli_error_at(error, PV_STATUS_ARGUMENT, plan, 0, 0,
                     some ? "levels are chosen for some quasi-identifiers only"
                          : "no generalization levels are chosen"),
        error,
        "say what the table must keep and the best levels are found: --require k=5; or see "
        "what they cost with `paravent front`, or give them: --levels %s%s (levels: %s%s)",
        example, more ? ",..." : "", heights, more ? ", ..." : "");
    free(example);
    free(heights);
    return status;
}

/* The plan's levels first; the command line overrules them, one by one if it names them. */
static pv_status choose_levels(const cli_publish *settings, const char *plan, cli_published *p,
                               pv_error *error)
{
    const pv_study *const study = p->opened.study;
    const size_t n = pv_study_quasis(study);
    size_t chosen = 0;
    for (size_t q = 0; q < n; q++) {
        chosen += pv_attribute_level(pv_study_quasi_attribute(study, q)) >= 0;
    }
    if (chosen == n) {
        CLI_TRY(pv_scheme_from_plan(study, &p->scheme, error));
    } else if (settings->levels == NULL) {
        return no_levels(study, chosen > 0, plan, error);
    } else {
        CLI_TRY(pv_scheme_create(study, &p->scheme, error));
        for (size_t q = 0; q < n; q++) {
            const int level = pv_attribute_level(pv_study_quasi_attribute(study, q));
            if (level >= 0 && level <= (int)pv_hierarchy_height(pv_study_hierarchy(study, q))) {
                pv_scheme_set_level(p->scheme, q, (uint8_t)level);
            }
        }
    }
    return settings->levels != NULL ? pv_scheme_parse(p->scheme, study, settings->levels, error)
                                    : PV_STATUS_OK;
}

/* ------------------------------------------------------------------------ best */

/* Is the best release to be found? Something is demanded, and nothing says which levels to take. */
static bool wants_best(const cli_publish *settings, const cli_published *p)
{
    const pv_study *const study = p->opened.study;
    size_t chosen = 0;
    for (size_t q = 0; q < pv_study_quasis(study); q++) {
        chosen += pv_attribute_level(pv_study_quasi_attribute(study, q)) >= 0;
    }
    return settings->levels == NULL && settings->cuts == NULL && settings->pick == NULL &&
           !settings->applying && chosen < pv_study_quasis(study) &&
           (p->demands.n > 0 || p->suppression.target_k > 0);
}

pv_scheme_kind cli_kind_of(const cli_publish *settings)
{
    return settings->scheme != NULL && cli_equal(settings->scheme, "cuts") ? PV_SCHEME_CUTS
                                                                           : PV_SCHEME_LEVELS;
}

static cli_question question_of(const cli_run *run, const cli_publish *settings,
                                const cli_published *p, const cli_demands *demands, double seconds)
{
    return (cli_question){.study = p->searched.study != NULL ? p->searched.study : p->opened.study,
                          .context = &run->context,
                          .kind = cli_kind_of(settings),
                          .demands = demands,
                          .budget = &p->budget,
                          .seconds = seconds,
                          .minimize = settings->minimize};
}

/* "k=5,l-distinct=3" cannot be kept: which of them fails first, and what could be kept. */
static pv_status explain_impossible(cli_run *run, const cli_question *question, bool proven,
                                    uint64_t budget, pv_error *error)
{
    cli_too_much too_much;
    const pv_status found = cli_too_much_find(question, proven, &too_much, error);
    cli_progress_wipe(&run->progress);
    CLI_TRY(found);
    char *const text = cli_too_much_text(&too_much, budget);
    char *const nearest = cli_too_much_nearest(&too_much);
    pv_status status = cli_error(error, PV_STATUS_UNSATISFIED, "%s", text);
    if (too_much.possible) {
        status = cli_hint(status, error, "give it more time (--seconds); nothing was written");
    } else {
        status = cli_hint(status, error,
                          "%s%s%sdemand less, or allow more suppression; nothing "
                          "was written",
                          nearest != NULL ? nearest : "", nearest != NULL ? "; " : "",
                          proven ? "" : "give it more time (--seconds), ");
    }
    free(nearest);
    free(text);
    return status;
}

/* Cuts are levels of hierarchies made for them: from here on the table is seen through those. */
static pv_status take_scheme(cli_published *p, const pv_scheme *scheme, pv_error *error)
{
    size_t n = 0;
    const uint8_t *const levels = pv_scheme_levels(scheme, &n);
    if (levels != NULL) {
        return pv_scheme_from_levels(levels, n, &p->scheme, error);
    }
    cli_opened cut = {0};
    CLI_TRY(cli_see_through_cuts(p->opened.study, pv_scheme_cuts(scheme), &cut, error));
    p->searched = p->opened;
    p->opened = cut;
    CLI_TRY(pv_study_profile(cut.study, &p->opened.profile, error));
    return pv_scheme_from_plan(cut.study, &p->scheme, error);
}

static pv_status take_best(cli_run *run, const cli_publish *settings, cli_published *p,
                           pv_error *error)
{
    double seconds = 0;
    cli_demands demands = p->demands;
    if (p->suppression.target_k > 0) {
        const pv_constraint k = {.ref = {.measure = pv_measure_find("k")},
                                 .bound = (double)p->suppression.target_k};
        CLI_TRY(pv_constraints_add(demands.list, &demands.n, &k, error));
    }
    CLI_TRY(cli_seconds_parse(settings->seconds, &seconds, error));
    const cli_question question = question_of(run, settings, p, &demands, seconds);
    const pv_status found = cli_question_ask(&question, &p->best, error);
    cli_progress_wipe(&run->progress);
    CLI_TRY(found);
    if (pv_best_stop(p->best) == PV_STOP_CANCELLED) { /* not half a release, but what is known */
        cli_best_so_far_show(run, p);
        return cli_error(error, PV_STATUS_CANCELLED,
                         pv_best_scheme(p->best) != NULL
                             ? "interrupted; this is the best so far; nothing was written"
                             : "interrupted before anything was found; nothing was written");
    }
    if (pv_best_scheme(p->best) == NULL) {
        return explain_impossible(run, &question, pv_best_is_proven(p->best), p->suppression.budget,
                                  error);
    }
    return take_scheme(p, pv_best_scheme(p->best), error);
}

/* ------------------------------------------------------------------------ pick */

static cli_search search_of(const cli_publish *settings)
{
    return (cli_search){.objectives = settings->objectives,
                        .require = settings->require,
                        .seconds = settings->seconds};
}

/* Takes the levels of the point that --pick names on the front. */
static pv_status pick_levels(cli_run *run, const cli_publish *settings, cli_published *p,
                             pv_error *error)
{
    const cli_search search = search_of(settings);
    CLI_TRY(cli_search_run(run, &search, &p->opened, &p->suppression, &p->found, error));
#ifdef __GLIBC__
    /* What a search has freed lies scattered in the heap, a third of all memory at ten million
     * rows; it goes back to the system before the release needs as much. */
    (void)malloc_trim(0);
#endif
    if (pv_front_stop(p->found.front) == PV_STOP_CANCELLED) {
        return cli_error(error, PV_STATUS_CANCELLED, "interrupted; nothing was written");
    }
    if (pv_front_n_points(p->found.front) == 0 && pv_front_is_complete(p->found.front)) {
        return cli_hint(cli_error(error, PV_STATUS_UNSATISFIED,
                                  "no way to generalize keeps what is demanded within the budget"),
                        error, "demand less, or allow more suppression; nothing was written");
    }
    CLI_TRY(cli_found_pick(&p->found, settings->pick, &p->point, error));
    p->pick = settings->pick;
    return pv_front_scheme(p->found.front, p->point, &p->scheme, error);
}

/* "k>=5,l-distinct>=3". Owned. */
static char *demands_as_pick(const cli_demands *demands)
{
    char *list = cli_copy("");
    for (size_t i = 0; i < demands->n; i++) {
        const pv_constraint *const demand = &demands->list[i];
        cli_append(
            &list, "%s%s%s%.10g", i > 0 ? "," : "", cli_measure_title(demand->ref).text,
            demand->ref.measure->direction == PV_MORE_IS_BETTER ? ">=" : "<=", demand->bound);
    }
    return list;
}

/* Does the picked point keep what is demanded, as far as its objectives say? */
static bool demands_hold(const cli_published *p)
{
    const pv_front *const front = p->found.front;
    for (size_t i = 0; i < p->demands.n; i++) {
        const pv_constraint *const demand = &p->demands.list[i];
        const size_t o = cli_objective_find(pv_front_objectives(front),
                                            pv_front_n_objectives(front), demand->ref);
        if (o == SIZE_MAX ||
            !pv_constraint_holds(demand, pv_front_values(front, p->point, NULL)[o])) {
            return false;
        }
    }
    return true;
}

/* --require checks what --pick chose, it does not choose. Says what would. */
static pv_status explain_pick(const cli_published *p, pv_error *error)
{
    size_t point = 0;
    pv_status status = PV_STATUS_UNSATISFIED;
    char *const wanted = demands_as_pick(&p->demands);
    const pv_status found =
        pv_front_choose(p->found.front, p->opened.profile, wanted, &point, NULL);
    if (found == PV_STATUS_OK && point != p->point) {
        char *const text = cli_point_text(&p->found, point);
        status = cli_hint(PV_STATUS_UNSATISFIED, error,
                          "--require checks the point that --pick takes, it does not choose one; "
                          "--pick '%s' takes one that keeps it (%s); nothing was written",
                          wanted, text);
        free(text);
    } else if (found == PV_STATUS_ARGUMENT) {
        status =
            cli_hint(PV_STATUS_UNSATISFIED, error,
                     "--require checks the point that --pick takes, it does not choose one; make "
                     "what is demanded objectives (--objectives) and pick by them: --pick '%s'; "
                     "nothing was written",
                     wanted);
    } else if (found == PV_STATUS_UNSATISFIED) {
        status = cli_hint(PV_STATUS_UNSATISFIED, error,
                          "no point of this front keeps it: allow more suppression or demand less; "
                          "nothing was written");
    }
    free(wanted);
    return status;
}

/* ----------------------------------------------------------------------- write */

pv_status cli_publish_write(cli_run *run, const cli_publish *settings, const char *plan,
                            const char *data, cli_published *p, pv_error *error)
{
    CLI_TRY(cli_publish_begin(run, settings, error));
    const bool local = cli_wants_local(settings);
    if (settings->scheme != NULL &&
        ((settings->pick != NULL && !local) || settings->cuts != NULL)) {
        return cli_hint(
            cli_error(error, PV_STATUS_ARGUMENT, "--scheme and --%s contradict each other",
                      settings->pick != NULL ? "pick" : "cuts"),
            error,
            "--scheme is for the best release, which --require k=5 asks for; the cuts of "
            "a front are picked with `paravent front --scheme cuts --pick`");
    }
    CLI_TRY(cli_check_local(settings, error));
    if (settings->pick != NULL && !local) { /* before anything takes time */
        const cli_search search = search_of(settings);
        CLI_TRY(cli_search_check(&search, error));
        CLI_TRY(pv_pick_check(NULL, 0, NULL, settings->pick, error));
    }
    CLI_TRY(cli_publish_open(run, settings, plan, data, p, error));
    const bool best = !local && wants_best(settings, p);
    const bool fits = settings->applying && pv_plan_classes(p->opened.plan) > 0;
    pv_status status = fits                     ? cli_fit_local(run, settings, p, error)
                       : local                  ? cli_take_local(run, settings, p, error)
                       : best                   ? take_best(run, settings, p, error)
                       : settings->pick != NULL ? pick_levels(run, settings, p, error)
                                                : choose_levels(settings, plan, p, error);
    cli_around around = {0};
    if (status == PV_STATUS_OK) {
        if (best && (!settings->common.quiet || settings->common.json)) {
            const cli_question question = question_of(run, settings, p, &p->demands, 0);
            cli_around_begin(&around, &question, p->best);
        }
        status = cli_publish_finish(run, settings, p, error);
        if (status == PV_STATUS_UNSATISFIED && p->pick != NULL && p->demands.n > 0 &&
            !demands_hold(p)) {
            status = explain_pick(p, error);
        }
    }
    status = cli_around_end(&around, p, status, error);
    if (status != PV_STATUS_OK) {
        cli_published_free(p);
    }
    return status;
}

static pv_status run_release(cli_run *run, const void *given, pv_error *error)
{
    const cli_publish *const settings = given;
    cli_published published;
    if (settings->reading.explain) {
        return cli_explain(run, run->operands.list[0], settings->data, &settings->reading,
                           settings->key_file != NULL ? CLI_ALL_WITH_NAMES : CLI_ALL_BUT_NAMES,
                           settings->output, error);
    }
    CLI_TRY(
        cli_publish_write(run, settings, run->operands.list[0], settings->data, &published, error));
    cli_published_show(run, &published);
    cli_published_free(&published);
    return PV_STATUS_OK;
}

/* --------------------------------------------------------------------- command */

static const char *const description[] = {
    "Finds the best table that keeps what is demanded (--require, or `require` in PLAN): of all "
    "ways "
    "to generalize the one that loses least detail, with a proof that nothing loses less. Or takes "
    "the levels, the groups or the point of a front that are given.",
    "Generalizes every quasi-identifier to a level of its hierarchy or to the groups of a "
    "cuts file, suppresses the classes that break a demand, within the budget, drops identifiers, "
    "and writes, besides the table, the "
    "scheme (for `paravent apply`), the certificate as JSON and as a page for people, and the "
    "codebook as CSV and as text: what each released label stands for.",
    "The table is written beside its target, read back from disk by the independent checker, and "
    "renamed into place only if it is what was promised and everything demanded holds. Otherwise "
    "no file is left behind. A table in a database (-o postgresql://HOST/DB?table=NAME) gets its "
    "name in the same way, after the database itself has counted it, too.",
    NULL,
};

static const char *const schemes[] = {"levels", "cuts", "local", "cells", NULL};

static const cli_option options[] = {
    CLI_OPTION(cli_publish, "levels", LIST, "LEVELS", levels,
               "one level per quasi-identifier in the order of the plan (5,2,2,0), or by name "
               "(age=5,zip=2; others stay as the plan says, or raw); `top` is the last level",
               .letter = 'l', .excludes = "pick"),
    CLI_OPTION(cli_publish, "pick", TEXT, "POINT", pick,
               "search the front (see `paravent front`) and take the levels of one of its points: "
               "knee, k=5 (the one that loses least with k at least 5), 'glm<=0.3' (the most "
               "private one that loses at most 30%); with --scheme local: what is demanded, k=5",
               .excludes = "cuts"),
    CLI_OPTION(cli_publish, "cuts", FILE, "FILE", cuts,
               "release the groups of a cuts file instead of levels: numbers divided by `breaks`, "
               "categories in `groups` (the manual of plans shows one)",
               .excludes = "levels"),
    CLI_OPTION(cli_publish, "objectives", LIST, "LIST", objectives,
               "the objectives of that front (default: k,glm)", .needs = "pick"),
    CLI_OPTION(
        cli_publish, "minimize", LIST, "MEASURE", minimize,
        "what the best release loses least of: glm, nwp, leaf-utility, entropy, dcn, cm, aecs, "
        "or of levels precision; dcn, cm and aecs are proven where there are few schemes (default: "
        "glm)",
        .excludes = "levels"),
    CLI_OPTION(
        cli_publish, "scheme", CHOICE, "levels|cuts|local|cells", scheme,
        "what the best release is made of: one level per quasi-identifier for everyone; cuts "
        "of its ordered values into groups; or local recoding, where every row has levels of "
        "its own: far more detail, but equal values may be released differently; cells: single "
        "cells become *, as few as can be found, those of attributes with less weight first "
        "(default: levels)",
        .choices = schemes, .excludes = "levels"),
    CLI_OPTION(cli_publish, "improve", TEXT, "S", improve,
               "improve a local recoding for S seconds (default: about one)", .needs = "scheme"),
    CLI_OPTION(cli_publish, "bound", TEXT, "S", bound,
               "spend S seconds on proving how far a local recoding is from the best possible "
               "(default: some sweeps over the lattice)",
               .needs = "scheme"),
    CLI_OPTION(
        cli_publish, "seconds", TEXT, "S", seconds,
        "stop searching after S seconds and take the best of what was found (default: 10 for "
        "the best release, no limit for --pick)",
        .excludes = "levels"),
    CLI_PUBLISH_OPTIONS,
    CLI_DATA_OPTIONS(cli_publish, "file"),
    CLI_EXPLAIN_OPTION(cli_publish, reading.explain),
    {.name = NULL},
};

static const cli_example examples[] = {
    {"paravent release plan.yaml --require k=5,l-distinct=3 --suppression 1%",
     "the best table that keeps both, at most 1% of the rows suppressed; proven best, or how much "
     "better another could be"},
    {"paravent release plan.yaml --require k=5 --scheme cuts --seconds 60",
     "the same among all ways to divide ordered values, with a minute for the proof"},
    {"paravent release plan.yaml --require k=5 --scheme local",
     "local recoding: every row with levels of its own, and a proof of how little could be gained"},
    {"paravent release plan.yaml --require k=5 --scheme cells",
     "cell suppression: values stay as they are, but for as few * as can be found"},
    {"paravent release plan.yaml --pick k=5", "the least loss with k at least 5, from the front"},
    {"paravent release large.yaml --pick k=5 --seconds 60",
     "from what a minute of searching finds, where there are too many schemes to prove anything"},
    {"paravent release plan.yaml --levels 2,1,0,3", "levels in the order of the plan"},
    {"paravent release plan.yaml --levels age=2,zip=top --require k=5,l-distinct=3 -o out.csv",
     "by name, and only if the release is 5-anonymous and 3-diverse"},
    {"paravent release plan.yaml --pick k=5 -o a.csv --row-map a.map",
     "and which row is whose, to compare it with other releases"},
    {"paravent release plan.yaml --cuts cuts.json --suppression 0",
     "groups that follow no level of a hierarchy"},
    {"paravent release plan.yaml --require k=5 -o 'postgresql://host/db?table=released'",
     "into a table of a database, wherever the data is; its papers go into the current folder"},
    {"paravent release plan.yaml --levels 2,1,0,3 --k 10 --suppression 2% --shuffle",
     "k is exactly demanded to be 10 at the cost of up to 2% of the rows, in random order"},
    {NULL, NULL},
};

const cli_command cli_command_release = {
    .name = "release",
    .operands = "PLAN",
    .min_operands = 1,
    .max_operands = 1,
    .summary = "write the best table that keeps what is demanded, verified, with a certificate",
    .description = description,
    .options = options,
    .examples = examples,
    .settings_size = sizeof(cli_publish),
    .run = run_release,
};
