/* `paravent demo`: from raw people to a verified release in a few seconds, on people who do not
 * exist. Every step shows the command that does the same. */
#include "core/command.h"
#include "core/fail.h"
#include "core/json.h"
#include "core/opened.h"
#include "core/outputs.h"
#include "core/text.h"
#include "front/search.h"
#include "inspect/inspect.h"
#include "release/release.h"

#include <math.h>
#include <paravent/paravent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define DEFAULT_FOLDER "paravent-demo"
#define PEOPLE 30000
#define SEED 1
#define RARE 5
#define DEMO_REQUIRE "k=5,l-distinct=2"
#define REQUIRED_K 5
#define REQUIRED_L 2

typedef struct {
    cli_common common;
    const char *output;
    bool force;
} demo_settings;

typedef struct {
    const char *folder;
    char *plan, *release, *map, *page, *local;
    cli_opened opened;
    cli_inspected inspected;
    cli_found found;
    cli_published published;
    cli_published recoded; /* locally */
} tour;

/* The heading of a step and the command that does the same, which is freed; NULL = there is none.
 * Long commands go on in the next line, as a shell would read them. */
static void print_step(const cli_run *run, unsigned number, const char *what, char *command)
{
    const cli_report *const report = &run->report;
    if (cli_run_talks(run)) {
        (void)fprintf(report->out, "%s%s== %u. %s ==%s\n", number > 1 ? "\n" : "", cli_bold(report),
                      number, what, cli_plain(report));
        const char *start = "$ ";
        for (const char *at = command != NULL ? command : ""; *at != '\0'; start = "    ") {
            const size_t n = cli_wrap_point(report, at, report->width - 4);
            const char *const next = at + n + strspn(at + n, " ");
            (void)fprintf(report->out, "%s%.*s%s\n", start, (int)n, at, *next != '\0' ? " \\" : "");
            at = next;
        }
        cli_blank(report);
    }
    free(command);
}

static pv_status make_people(cli_run *run, const demo_settings *settings, tour *t, pv_error *error)
{
    print_step(run, 1, "A census of people who do not exist", NULL);
    CLI_TRY(cli_folder_make(t->folder, error));
    CLI_TRY(pv_census_write(t->folder, PEOPLE, SEED, settings->force, error));
    if (cli_run_talks(run)) {
        cli_paragraph(&run->report, 2,
                      "%s invented people are in %s/census.csv. The plan, %s, says what each "
                      "column is: who is identified by it, what is sensitive, and how its values "
                      "become coarser.",
                      cli_count_text(PEOPLE).text, t->folder, t->plan);
    }
    return PV_STATUS_OK;
}

static pv_status inspect(cli_run *run, tour *t, pv_error *error)
{
    const cli_reading as_planned = {0};
    print_step(run, 2, "How exposed are they? (The command shows more than this.)",
               cli_format("paravent inspect %s", t->plan));
    CLI_TRY(cli_open(run, t->plan, NULL, &as_planned, CLI_WITH_ROLE, &t->opened, error));
    CLI_TRY(cli_inspected_take(run, &t->opened, RARE, &t->inspected, error));
    if (cli_run_talks(run)) {
        cli_inspected_print(&run->report, &t->inspected, true);
    }
    return PV_STATUS_OK;
}

static pv_status search(cli_run *run, const demo_settings *settings, tour *t, pv_error *error)
{
    const cli_search as_usual = {0};
    pv_budget budget;
    pv_suppression suppression;
    char *html = NULL;
    print_step(run, 3, "What would privacy cost? All trade-offs that nothing beats",
               cli_format("paravent front %s --html %s", t->plan, t->page));
    CLI_TRY(cli_suppression_choose(&t->opened, NULL, NULL, &budget, &suppression, error));
    CLI_TRY(cli_search_run(run, &as_usual, &t->opened, &suppression, &t->found, error));
    if (pv_front_stop(t->found.front) == PV_STOP_CANCELLED) {
        return cli_error(error, PV_STATUS_CANCELLED, "interrupted before anything was released");
    }
    CLI_TRY(pv_front_page(t->found.front, t->opened.profile, &html, error));
    const pv_status status =
        pv_text_write(t->page, html, PV_AUDIENCE_PUBLISHER, settings->force, error);
    pv_string_free(html);
    CLI_TRY(status);
    return cli_run_talks(run) ? cli_found_print(&run->report, &t->found, false, error)
                              : PV_STATUS_OK;
}

static pv_status publish(cli_run *run, const demo_settings *settings, tour *t, pv_error *error)
{
    char require[] = DEMO_REQUIRE;
    const pv_front *const front = t->found.front;
    /* The knee, if it is as private as the demo wants to be. */
    const bool at_knee =
        pv_front_n_points(front) > 0 && pv_front_k(front, pv_front_knee(front)) >= REQUIRED_K;
    const cli_publish chosen = {.common = settings->common,
                                .pick = at_knee ? "knee" : "k=5",
                                .require = require,
                                .output = t->release,
                                .row_map = t->map,
                                .force = settings->force};
    print_step(run, 4, "A release at the knee, verified",
               cli_format("paravent release %s --pick %s --require %s -o %s --row-map %s", t->plan,
                          chosen.pick, require, t->release, t->map));
    CLI_TRY(cli_publish_write(run, &chosen, t->plan, NULL, &t->published, error));
    if (cli_run_talks(run)) {
        cli_published_print(&run->report, &t->published, true);
    }
    return PV_STATUS_OK;
}

/* What a release has of a measure; 0 if it was not measured. */
static double measured(const cli_published *p, const char *measure)
{
    const pv_constraint of = {.ref = {.measure = pv_measure_find(measure)}};
    double value = 0;
    return cli_published_value(p, &of, &value) ? value : 0;
}

/* Of all cells. */
static double share_lost(const cli_published *p)
{
    return measured(p, "glm") /
           ((double)pv_profile_rows(p->opened.profile) * (double)pv_study_quasis(p->opened.study));
}

static void print_recoded(const cli_run *run, const tour *t, double k)
{
    const cli_report *const report = &run->report;
    const double lost = share_lost(&t->recoded);
    const double gap = pv_local_gap(t->recoded.local);
    char text[64];
    pv_gap_text(gap, PV_GAP_SENTENCE, text, sizeof text);
    cli_paragraph(report, 2,
                  "Both tables keep k = %.0f. With one level per attribute for everyone %.1f%% of "
                  "the detail is lost; here, where every row has levels of its own, %.1f%%%s%s.",
                  k, 100 * share_lost(&t->published), 100 * lost, isinf(gap) ? "" : ", ",
                  isinf(gap) ? "" : text);
    cli_paragraph(
        report, 2,
        "The price: equal values may be released differently, an age of 37, say, as 35-39 in "
        "one row and as 0-39 in another. Whoever counts or compares groups has to make "
        "them equally coarse first.");
    cli_paragraph(report, 2,
                  "%s was read back from disk by the independent checker, too; the command shows "
                  "what it found.",
                  t->local);
}

/* Beside the release of one level per attribute: a local recoding that keeps the same k. */
static pv_status recode(cli_run *run, const demo_settings *settings, tour *t, pv_error *error)
{
    const double k = measured(&t->published, "k");
    char require[64];
    (void)snprintf(require, sizeof require, "k=%.0f,l-distinct=%d", k, REQUIRED_L);
    const cli_publish chosen = {.common = settings->common,
                                .require = require,
                                .scheme = "local",
                                .output = t->local,
                                .force = settings->force};
    print_step(run, 5, "The same k, far more detail: local recoding",
               cli_format("paravent release %s --require %s --scheme local -o %s", t->plan, require,
                          t->local));
    cli_outputs_end(run); /* what the first release wrote has its names */
    CLI_TRY(cli_outputs_begin(run, settings, error));
    CLI_TRY(cli_publish_write(run, &chosen, t->plan, NULL, &t->recoded, error));
    if (cli_run_talks(run)) {
        print_recoded(run, t, k);
    }
    return PV_STATUS_OK;
}

static void print_next(cli_run *run, const tour *t)
{
    const cli_report *const report = &run->report;
    if (!cli_run_talks(run)) {
        return;
    }
    print_step(run, 6, "What to look at next", NULL);
    cli_paragraph(report, 2, "Open %s in a browser: the pictures of what was done.",
                  pv_release_path(t->published.result, PV_FILE_CERTIFICATE_PAGE));
    cli_paragraph(report, 2, "Open %s, too: point at a trade-off to read it.", t->page);
    cli_paragraph(report, 2,
                  "Look into %s: its rows are sorted by what they show, so that their order tells "
                  "nothing. Which row of %s/census.csv each of them is, is in %s, for you alone.",
                  t->release, t->folder, t->map);
    cli_paragraph(report, 2, "Take another trade-off:");
    cli_paragraph(report, 4, "paravent release %s --pick 'glm<=0.4' --row-map census.map", t->plan);
    cli_paragraph(report, 2, "And see which of both treats people better, and whom:");
    cli_paragraph(report, 4,
                  "paravent compare %s census.release.csv --plan %s --row-map %s,census.map",
                  t->release, t->plan, t->map);
    cli_paragraph(report, 2, "Or choose levels yourself, demand too much, and see it refused:");
    cli_paragraph(report, 4, "paravent release %s --levels age=2,zip=3 --require k=5", t->plan);
    cli_paragraph(report, 2, "Let the independent checker judge the released file:");
    cli_paragraph(report, 4, "paravent check %s --plan %s", t->release, t->plan);
    cli_paragraph(report, 2, "See a hierarchy as a tree:");
    cli_paragraph(report, 4, "paravent hierarchy %s --attribute age", t->plan);
    cli_paragraph(report, 2, "Then begin with a file of your own:");
    cli_paragraph(report, 4, "paravent init yours.csv");
    cli_paragraph(report, 2,
                  "Or do all of it on a page in your browser, with these people or with a file of "
                  "your own:");
    cli_paragraph(report, 4, "paravent explore %s", t->plan);
    cli_paragraph(report, 4, "paravent explore yours.csv");
}

static pv_status print_json(cli_run *run, const tour *t, pv_error *error)
{
    json_t *const document = cli_json_document("demo");
    json_t *const inspected = json_object();
    json_t *const found = json_object();
    json_t *const published = json_object();
    json_t *const recoded = json_object();
    cli_json_set(document, "folder", cli_json_text(t->folder));
    cli_json_set(document, "inspect", inspected);
    cli_json_set(document, "front", found);
    cli_json_set(document, "release", published);
    cli_json_set(document, "local", recoded);
    cli_inspected_json(inspected, &t->inspected);
    cli_published_json(published, &t->published);
    cli_published_json(recoded, &t->recoded);
    const pv_status status = cli_found_json(found, &t->found, error);
    if (status != PV_STATUS_OK) {
        json_decref(document);
        return status;
    }
    cli_json_print(run, document);
    return PV_STATUS_OK;
}

static pv_status run_demo(cli_run *run, const void *given, pv_error *error)
{
    const demo_settings *const settings = given;
    pv_status status = PV_STATUS_OK;
    tour t = {.folder = settings->output != NULL ? settings->output : DEFAULT_FOLDER};
    t.plan = cli_path_join(t.folder, "plan.yaml");
    t.release = cli_path_join(t.folder, "release.csv");
    t.map = cli_path_join(t.folder, "release.map");
    t.page = cli_path_join(t.folder, "front.html");
    t.local = cli_path_join(t.folder, "local.csv");
    CLI_TRY_CLEAN(make_people(run, settings, &t, error));
    CLI_TRY_CLEAN(inspect(run, &t, error));
    CLI_TRY_CLEAN(search(run, settings, &t, error));
    CLI_TRY_CLEAN(publish(run, settings, &t, error));
    CLI_TRY_CLEAN(recode(run, settings, &t, error));
    print_next(run, &t);
    if (run->common->json) {
        CLI_TRY_CLEAN(print_json(run, &t, error));
    }
cleanup:
    cli_inspected_free(&t.inspected);
    cli_found_free(&t.found);
    cli_close(&t.opened);
    cli_published_free(&t.published);
    cli_published_free(&t.recoded);
    free(t.plan);
    free(t.release);
    free(t.map);
    free(t.page);
    free(t.local);
    return status;
}

static const char *const description[] = {
    "Writes a synthetic census of 30,000 invented people with its plan and hierarchies into a "
    "folder, shows how exposed they would be and what privacy would cost, releases them at the "
    "knee of that front and once more by local recoding, and tells what to look at next. Each "
    "step names the command that does the same.",
    NULL,
};

static const cli_option options[] = {
    CLI_OPTION(demo_settings, "output", FOLDER, "FOLDER", output,
               "where to write everything (default: " DEFAULT_FOLDER ")", .letter = 'o'),
    CLI_OPTION(demo_settings, "force", FLAG, NULL, force, "overwrite the files of an earlier demo"),
    {.name = NULL},
};

static const cli_example examples[] = {
    {"paravent demo", "everything in ./" DEFAULT_FOLDER},
    {NULL, NULL},
};

const cli_command cli_command_demo = {
    .name = "demo",
    .operands = "",
    .max_operands = 0,
    .summary = "all of the above in one minute on a built-in synthetic census",
    .description = description,
    .options = options,
    .examples = examples,
    .settings_size = sizeof(demo_settings),
    .run = run_demo,
};
