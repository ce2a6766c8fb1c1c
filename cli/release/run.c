/* `paravent release PLAN`: write the levels or cuts that were given, or levels picked from the
 * front, verified. */
#include "core/fail.h"
#include "core/text.h"
#include "release/release.h"

#ifdef __GLIBC__
#include <malloc.h>
#endif
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
    const pv_status status =
        cli_hint(cli_error_at(error, PV_STATUS_ARGUMENT, plan, 0, 0,
                              some ? "levels are chosen for some quasi-identifiers only"
                                   : "no generalization levels are chosen"),
                 error,
                 "see what they cost with `paravent front` and take one with --pick k=5, or give "
                 "them: --levels %s%s (levels: %s%s)",
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

/* ------------------------------------------------------------------------ pick */

static cli_search search_of(const cli_publish *settings)
{
    return (cli_search){.objectives = settings->objectives, .seconds = settings->seconds};
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
    CLI_TRY(cli_found_pick(&p->found, settings->pick, &p->point, error));
    p->pick = settings->pick;
    return pv_front_scheme(p->found.front, p->point, &p->scheme, error);
}

/* "k>=5,l-distinct>=3". Owned. */
static char *demands_as_pick(const cli_demands *demands)
{
    char *list = cli_copy("");
    for (size_t i = 0; i < demands->n; i++) {
        char text[128];
        char *to = text;
        pv_constraint_text(&demands->list[i], text, sizeof text);
        for (const char *from = text; *from != '\0'; from++) {
            if (*from != ' ') {
                *to++ = *from;
            }
        }
        *to = '\0';
        cli_append(&list, "%s%s", i > 0 ? "," : "", text);
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
    if (settings->pick != NULL) { /* before anything takes time */
        const cli_search search = search_of(settings);
        CLI_TRY(cli_search_check(&search, error));
        CLI_TRY(pv_pick_check(NULL, 0, NULL, settings->pick, error));
    }
    CLI_TRY(cli_publish_open(run, settings, plan, data, p, error));
    pv_status status = settings->pick != NULL ? pick_levels(run, settings, p, error)
                                              : choose_levels(settings, plan, p, error);
    if (status == PV_STATUS_OK) {
        status = cli_publish_finish(run, settings, p, error);
        if (status == PV_STATUS_UNSATISFIED && p->pick != NULL && p->demands.n > 0 &&
            !demands_hold(p)) {
            status = explain_pick(p, error);
        }
    }
    if (status != PV_STATUS_OK) {
        cli_published_free(p);
    }
    return status;
}

static pv_status run_release(cli_run *run, const void *given, pv_error *error)
{
    const cli_publish *const settings = given;
    cli_published published;
    CLI_TRY(
        cli_publish_write(run, settings, run->operands.list[0], settings->data, &published, error));
    cli_published_show(run, &published);
    cli_published_free(&published);
    return PV_STATUS_OK;
}

/* --------------------------------------------------------------------- command */

static const char *const description[] = {
    "Generalizes every quasi-identifier of PLAN to a level of its hierarchy or to the groups of a "
    "cuts file, suppresses the "
    "smallest classes within the budget, drops identifiers, and writes, besides the table, the "
    "scheme (for `paravent apply`), the certificate as JSON and as a page for people, and the "
    "codebook as CSV and as text: what each released label stands for.",
    "The table is written beside its target, read back from disk by the independent checker, and "
    "renamed into place only if it is what was promised and everything demanded holds. Otherwise "
    "no file is left behind.",
    NULL,
};

static const cli_option options[] = {
    CLI_OPTION(cli_publish, "levels", LIST, "LEVELS", levels,
               "one level per quasi-identifier in the order of the plan (5,2,2,0), or by name "
               "(age=5,zip=2; others stay as the plan says, or raw); `top` is the last level",
               .letter = 'l', .excludes = "pick"),
    CLI_OPTION(cli_publish, "pick", TEXT, "POINT", pick,
               "search the front (see `paravent front`) and take the levels of one of its points: "
               "knee, k=5 (the one that loses least with k at least 5), 'glm<=0.3' (the most "
               "private one that loses at most 30%)",
               .excludes = "cuts"),
    CLI_OPTION(cli_publish, "cuts", FILE, "FILE", cuts,
               "release the groups of a cuts file instead of levels: numbers divided by `breaks`, "
               "categories in `groups` (the manual of plans shows one)",
               .excludes = "levels"),
    CLI_OPTION(cli_publish, "objectives", LIST, "LIST", objectives,
               "the objectives of that front (default: k,glm)", .needs = "pick"),
    CLI_OPTION(cli_publish, "seconds", TEXT, "S", seconds,
               "stop searching the front after S seconds and pick from what was found (default: no "
               "limit)",
               .needs = "pick"),
    CLI_PUBLISH_OPTIONS,
    CLI_DATA_OPTIONS(cli_publish, "file"),
    {.name = NULL},
};

static const cli_example examples[] = {
    {"paravent release plan.yaml --pick k=5", "the least loss with k at least 5"},
    {"paravent release large.yaml --pick k=5 --seconds 60",
     "from what a minute of searching finds, where there are too many schemes to prove anything"},
    {"paravent release plan.yaml --levels 2,1,0,3", "levels in the order of the plan"},
    {"paravent release plan.yaml --levels age=2,zip=top --require k=5,l-distinct=3 -o out.csv",
     "by name, and only if the release is 5-anonymous and 3-diverse"},
    {"paravent release plan.yaml --pick k=5 -o a.csv --row-map a.map",
     "and which row is whose, to compare it with other releases"},
    {"paravent release plan.yaml --cuts cuts.json --suppression 0",
     "groups that follow no level of a hierarchy"},
    {"paravent release plan.yaml --levels 2,1,0,3 --k 10 --suppression 2% --shuffle",
     "k is exactly demanded to be 10 at the cost of up to 2% of the rows, in random order"},
    {NULL, NULL},
};

const cli_command cli_command_release = {
    .name = "release",
    .operands = "PLAN",
    .min_operands = 1,
    .max_operands = 1,
    .summary = "write the table at chosen levels or cuts, verified, with a certificate",
    .description = description,
    .options = options,
    .examples = examples,
    .settings_size = sizeof(cli_publish),
    .run = run_release,
};
