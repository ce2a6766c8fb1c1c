/* `paravent demo`: from raw people to a verified release in a few seconds, on people who do not
 * exist. Every step shows the command that does the same. */
#include "commands.h"
#include "fail.h"
#include "inspected.h"
#include "json.h"
#include "opened.h"
#include "paths.h"
#include "publish.h"
#include "text.h"

#include <paravent/paravent.h>
#include <stdlib.h>
#include <string.h>

#define DEFAULT_FOLDER "paravent-demo"
#define PEOPLE 30000
#define SEED 1
#define RARE 5
/* Twenty-year bands, both sexes, regions, broad education and marital status; the rest goes. */
#define DEMO_LEVELS "3,0,4,1,1,top,top,top,top"
#define DEMO_REQUIRE "k=5,l-distinct=3"

typedef struct {
    cli_common common;
    const char *output;
    bool force;
} demo_settings;

typedef struct {
    const char *folder;
    char *plan, *release;
    cli_opened opened;
    cli_inspected inspected;
    cli_published published;
} tour;

static void tour_free(tour *t)
{
    cli_inspected_free(&t->inspected);
    cli_close(&t->opened);
    cli_published_free(&t->published);
    free(t->plan);
    free(t->release);
}

/* Long commands go on in the next line, as a shell would read them. */
static void print_command(const cli_report *report, const char *command)
{
    const size_t room = report->width - 4;
    const char *start = "$ ";
    while (*command != '\0') {
        const size_t n = cli_wrap_point(report, command, room);
        const char *const rest = command + n + strspn(command + n, " ");
        (void)fprintf(report->out, "%s%.*s%s\n", start, (int)n, command,
                      *rest != '\0' ? " \\" : "");
        command = rest;
        start = "    ";
    }
}

static void print_step(const cli_run *run, unsigned number, const char *what, const char *command)
{
    const cli_report *const report = &run->report;
    if (!cli_run_talks(run)) {
        return;
    }
    if (number > 1) {
        cli_blank(report);
    }
    (void)fprintf(report->out, "%s== %u. %s ==%s\n", cli_bold(report), number, what,
                  cli_plain(report));
    if (command != NULL) {
        print_command(report, command);
    }
    cli_blank(report);
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
    char *const command = cli_format("paravent inspect %s", t->plan);
    print_step(run, 2, "How exposed are they? (The command shows more than this.)", command);
    free(command);
    CLI_TRY(cli_open(run, t->plan, NULL, &as_planned, false, &t->opened, error));
    CLI_TRY(cli_inspected_take(run, &t->opened, RARE, &t->inspected, error));
    if (cli_run_talks(run)) {
        cli_inspected_print(&run->report, &t->inspected, true);
    }
    return PV_STATUS_OK;
}

static pv_status publish(cli_run *run, const demo_settings *settings, tour *t, pv_error *error)
{
    char levels[] = DEMO_LEVELS;
    char require[] = DEMO_REQUIRE;
    const cli_publish chosen = {.common = settings->common,
                                .levels = levels,
                                .require = require,
                                .output = t->release,
                                .force = settings->force};
    char *const command = cli_format("paravent release %s --levels %s --require %s -o %s", t->plan,
                                     levels, require, t->release);
    print_step(run, 3, "A release at levels chosen by hand", command);
    free(command);
    CLI_TRY(cli_publish_write(run, &chosen, t->plan, NULL, &t->published, error));
    if (cli_run_talks(run)) {
        cli_published_print(&run->report, &t->published, true);
    }
    return PV_STATUS_OK;
}

static void print_next(cli_run *run, const tour *t)
{
    const cli_report *const report = &run->report;
    if (!cli_run_talks(run)) {
        return;
    }
    print_step(run, 4, "What to look at next", NULL);
    cli_paragraph(report, 2, "Open %s in a browser: the pictures of what was done.",
                  t->published.result->page_path);
    cli_paragraph(report, 2, "Compare %s/census.csv with %s, row by row.", t->folder, t->release);
    cli_paragraph(report, 2, "Try other levels (--force overwrites), demand more, see it refused:");
    cli_paragraph(report, 4, "paravent release %s --levels age=2,zip=3 --require k=5", t->plan);
    cli_paragraph(report, 2, "Let the independent checker judge the released file:");
    cli_paragraph(report, 4, "paravent check %s --plan %s", t->release, t->plan);
    cli_paragraph(report, 2, "See a hierarchy as a tree:");
    cli_paragraph(report, 4, "paravent hierarchy %s --attribute age", t->plan);
    cli_paragraph(report, 2, "Then begin with a file of your own:");
    cli_paragraph(report, 4, "paravent init yours.csv");
}

static json_t *tour_json(const tour *t)
{
    json_t *const document = cli_json_document("demo");
    json_t *const inspected = json_object();
    json_t *const published = json_object();
    cli_inspected_json(inspected, &t->inspected);
    cli_published_json(published, &t->published);
    cli_json_set(document, "folder", cli_json_text(t->folder));
    cli_json_set(document, "inspect", inspected);
    cli_json_set(document, "release", published);
    return document;
}

static pv_status run_demo(cli_run *run, const void *given, pv_error *error)
{
    const demo_settings *const settings = given;
    pv_status status = PV_STATUS_OK;
    tour t = {.folder = settings->output != NULL ? settings->output : DEFAULT_FOLDER};
    t.plan = cli_path_join(t.folder, "plan.yaml");
    t.release = cli_path_join(t.folder, "release.csv");
    CLI_TRY_CLEAN(make_people(run, settings, &t, error));
    CLI_TRY_CLEAN(inspect(run, &t, error));
    CLI_TRY_CLEAN(publish(run, settings, &t, error));
    print_next(run, &t);
    if (run->common->json) {
        cli_json_print(run, tour_json(&t));
    }
cleanup:
    tour_free(&t);
    return status;
}

static const char *const description[] = {
    "Writes a synthetic census of 30,000 invented people with its plan and hierarchies into a "
    "folder, shows how exposed they would be, releases them at levels chosen by hand, and tells "
    "what to look at next. Each step names the command that does the same.",
    NULL,
};

static const cli_option options[] = {
    {.name = "output",
     .letter = 'o',
     .kind = CLI_FOLDER,
     .argument = "FOLDER",
     .offset = offsetof(demo_settings, output),
     .help = "where to write everything (default: " DEFAULT_FOLDER ")"},
    {.name = "force",
     .kind = CLI_FLAG,
     .offset = offsetof(demo_settings, force),
     .help = "overwrite the files of an earlier demo"},
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
