/* `paravent explore PLAN|DATA`: the whole job on a page, on this machine only. */
#include "core/command.h"
#include "core/fail.h"
#include "core/json.h"
#include "core/outputs.h"
#include "core/text.h"
#include "explore/explore.h"
#include "init/init.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

typedef struct {
    cli_common common;
    cli_reading reading;
    cli_count port;
    bool open;
} explore_settings;

#ifdef PV_HAVE_MICROHTTPD

/* ----------------------------------------------------------------- the plan */

static bool is_plan_name(const char *path)
{
    return cli_ends_with(path, ".yaml") || cli_ends_with(path, ".yml") ||
           cli_ends_with(path, ".json");
}

static bool is_same_file(const char *a, const char *b)
{
    struct stat one;
    struct stat other;
    return stat(a, &one) == 0 && stat(b, &other) == 0 && one.st_dev == other.st_dev &&
           one.st_ino == other.st_ino;
}

/* A plan that has a mistake names nothing that could be relied on. */
static bool names_data(const char *plan, const char *data)
{
    pv_plan *read = NULL;
    pv_error unused;
    const bool names = pv_plan_read(plan, &read, &unused) == PV_STATUS_OK &&
                       pv_plan_data(read) != NULL && is_same_file(pv_plan_data(read), data);
    pv_plan_free(read);
    return names;
}

/* plan.yaml comes before all others, which follow by name. */
static int compare_names(const void *left, const void *right)
{
    const char *const a = *(const char *const *)left;
    const char *const b = *(const char *const *)right;
    const int first = cli_equal(b, "plan.yaml") - cli_equal(a, "plan.yaml");
    return first != 0 ? first : strcmp(a, b);
}

static char **list_plans(const char *folder, size_t *n)
{
    char **list = cli_zeroed(1, sizeof *list);
    DIR *const dir = opendir(folder);
    *n = 0;
    for (const struct dirent *e = dir != NULL ? readdir(dir) : NULL; e != NULL; e = readdir(dir)) {
        if (e->d_name[0] != '.' &&
            (cli_ends_with(e->d_name, ".yaml") || cli_ends_with(e->d_name, ".yml"))) {
            char **const longer = realloc(list, (*n + 2) * sizeof *list);
            if (longer == NULL) {
                cli_no_memory();
            }
            list = longer;
            list[(*n)++] = cli_copy(e->d_name);
            list[*n] = NULL;
        }
    }
    if (dir != NULL) {
        (void)closedir(dir);
    }
    qsort(list, *n, sizeof *list, compare_names);
    return list;
}

/* The plan beside a data file that names it; NULL = there is none. Owned. */
static char *find_plan(const char *folder, const char *data)
{
    size_t n = 0;
    char **const names = list_plans(folder, &n);
    char *found = NULL;
    for (size_t i = 0; i < n && found == NULL; i++) {
        char *const path = cli_path_join(folder, names[i]);
        if (names_data(path, data)) {
            found = path;
        } else {
            free(path);
        }
    }
    cli_list_free(names);
    return found;
}

/* Writes a first plan, as `init` does: plan.yaml, or NAME.plan.yaml if that is taken. */
static pv_status write_plan(cli_run *run, const cli_reading *reading, const char *folder,
                            const char *data, char **plan, pv_error *error)
{
    cli_guess g = {0};
    char *path = cli_path_join(folder, "plan.yaml");
    pv_status status = PV_STATUS_OK;
    if (access(path, F_OK) == 0) {
        char *const stem = cli_path_stem(data);
        char *const name = cli_format("%s.plan.yaml", stem);
        free(path);
        path = cli_path_join(folder, name);
        free(stem);
        free(name);
    }
    CLI_TRY_CLEAN(cli_guess_make(run, reading, data, path, &g, error));
    CLI_TRY_CLEAN(cli_outputs_add(run, path, PV_AUDIENCE_PUBLISHER, error));
    CLI_TRY_CLEAN(cli_outputs_write(run, path, g.text, error));
    CLI_TRY_CLEAN(cli_outputs_commit(run, error));
    cli_note(run, "wrote a first plan to %s: all roles in it are guesses", path);
    *plan = path;
    path = NULL;
cleanup:
    cli_guess_free(&g);
    free(path);
    return status;
}

/* Options that would do nothing are refused rather than ignored. */
static pv_status refuse_reading(const explore_settings *settings, const char *plan, pv_error *error)
{
    const cli_reading *const r = &settings->reading;
    const bool given = r->delimiter != '\0' || r->header || r->no_header || r->no_quotes ||
                       r->keep_blanks || r->skip_bad_rows;
    return given ? cli_hint(cli_error_at(error, PV_STATUS_ARGUMENT, plan, 0, 0,
                                         "options for reading data are for a first plan: this one "
                                         "says how its data is read"),
                            error, "leave them out, or change the plan")
                 : PV_STATUS_OK;
}

/* The plan of what was named, whichever it is. Owned, also on failure. */
static pv_status take_plan(cli_run *run, const explore_settings *settings, char **plan,
                           pv_error *error)
{
    const char *const path = run->operands.list[0];
    if (cli_is_stream(path)) {
        return cli_error(error, PV_STATUS_ARGUMENT, "`paravent explore` needs a file");
    }
    if (access(path, R_OK) != 0) {
        return cli_error_at(error, PV_STATUS_INPUT, path, 0, 0, "cannot read it: %s",
                            strerror(errno));
    }
    if (is_plan_name(path)) {
        *plan = cli_copy(path);
        return refuse_reading(settings, path, error);
    }
    char *const folder = cli_path_folder(path);
    *plan = find_plan(folder, path);
    const pv_status status = *plan != NULL
                                 ? refuse_reading(settings, *plan, error)
                                 : write_plan(run, &settings->reading, folder, path, plan, error);
    free(folder);
    return status;
}

/* All paths are relative to the folder of the plan from now on: in the plan, on the page, and in
 * the command lines that it shows. */
static pv_status enter_folder(const char *plan, char **folder, pv_error *error)
{
    char *const given = cli_path_folder(plan);
    *folder = realpath(given, NULL);
    const bool entered = *folder != NULL && chdir(*folder) == 0;
    const pv_status status = entered
                                 ? PV_STATUS_OK
                                 : cli_error_at(error, PV_STATUS_INPUT, given, 0, 0,
                                                "cannot work in this folder: %s", strerror(errno));
    free(given);
    return status;
}

/* ------------------------------------------------------------------ serving */

/* Everybody on the machine sees the arguments of a program, so that the browser is given a private
 * page which leads to the address. What it prints is nobody's here. */
static bool open_browser(cli_explorer *explorer)
{
    const char *const door = cli_explorer_door(explorer);
    posix_spawn_file_actions_t streams;
    posix_spawnattr_t attributes;
    sigset_t none;
    pid_t child = 0;
    if (door == NULL) {
        return false;
    }
    char program[] = "xdg-open";
    char *const page = cli_copy(door);
    char *const words[] = {program, page, NULL};
    (void)sigemptyset(&none);
    (void)posix_spawn_file_actions_init(&streams);
    (void)posix_spawn_file_actions_addopen(&streams, STDOUT_FILENO, "/dev/null", O_WRONLY, 0);
    (void)posix_spawn_file_actions_addopen(&streams, STDERR_FILENO, "/dev/null", O_WRONLY, 0);
    (void)posix_spawnattr_init(&attributes);
    (void)posix_spawnattr_setsigmask(&attributes, &none);
    (void)posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETSIGMASK);
    const bool started = posix_spawnp(&child, program, &streams, &attributes, words, environ) == 0;
    (void)posix_spawnattr_destroy(&attributes);
    (void)posix_spawn_file_actions_destroy(&streams);
    free(page);
    return started;
}

static void print_address(cli_run *run, const char *folder, const char *plan, const char *address)
{
    if (run->common->json) {
        json_t *const document = cli_json_document("explore");
        cli_json_set(document, "folder", cli_json_text(folder));
        cli_json_set(document, "plan", cli_json_text(plan));
        cli_json_set(document, "address", cli_json_text(address));
        cli_json_print(run, document);
    } else if (!cli_run_talks(run)) {
        (void)printf("%s\n", address);
    } else {
        cli_paragraph(&run->report, 0,
                      "Open this address in a browser on this machine; it is good "
                      "once, and for nobody else:");
        cli_blank(&run->report);
        cli_line(&run->report, "%s", address);
        cli_blank(&run->report);
        cli_paragraph(&run->report, 0,
                      "It explores %s in %s. Every step is in the plan, or kept beside it. Ctrl-C "
                      "ends it.",
                      plan, folder);
    }
    (void)fflush(stdout); /* whoever started us waits for it */
}

static void tell_of_stranger(void *ctx, uint64_t user)
{
    cli_note(ctx,
             "a program of another user (number %llu) tried to connect and was refused: the page "
             "is for a browser of whoever started this",
             (unsigned long long)user);
}

/* Signals are heard here and nowhere else, between looking and waiting, too. */
static void wait_for_end(const cli_explorer *explorer, const sigset_t *outside)
{
    struct pollfd ended = {.fd = cli_explorer_ended(explorer), .events = POLLIN};
    while (!cli_interrupted() && ended.revents == 0) {
        if (ppoll(&ended, 1, NULL, outside) < 0 && errno != EINTR) {
            return;
        }
    }
}

static pv_status serve(cli_run *run, const explore_settings *settings, const char *folder,
                       const char *plan, pv_error *error)
{
    cli_explorer *explorer = NULL;
    sigset_t ours;
    sigset_t outside;
    const cli_explorer_options options = {.folder = folder,
                                          .plan = plan,
                                          .port = (unsigned)settings->port.value,
                                          .threads = run->context.threads,
                                          .stranger = tell_of_stranger,
                                          .stranger_ctx = run};
    (void)sigemptyset(&ours);
    (void)sigaddset(&ours, SIGINT);
    (void)sigaddset(&ours, SIGTERM);
    (void)sigaddset(&ours, SIGHUP);
    (void)pthread_sigmask(SIG_BLOCK, &ours, &outside); /* threads inherit it */
    const pv_status status = cli_explorer_start(&options, &explorer, error);
    if (status == PV_STATUS_OK) {
        print_address(run, folder, plan, cli_explorer_address(explorer));
        if (settings->open && !open_browser(explorer)) {
            cli_note(run, "no browser could be opened (xdg-open): open the address yourself");
        }
        wait_for_end(explorer, &outside);
        cli_explorer_stop(explorer);
    }
    (void)pthread_sigmask(SIG_SETMASK, &outside, NULL);
    return status;
}

static pv_status run_explore(cli_run *run, const void *given, pv_error *error)
{
    const explore_settings *const settings = given;
    char *plan = NULL;
    char *folder = NULL;
    pv_status status = PV_STATUS_OK;
    CLI_TRY_CLEAN(take_plan(run, settings, &plan, error));
    CLI_TRY_CLEAN(enter_folder(plan, &folder, error));
    cli_outputs_end(run); /* the plan is not claimed any more: pages change it */
    CLI_TRY_CLEAN(serve(run, settings, folder, cli_path_name(plan), error));
cleanup:
    free(folder);
    free(plan);
    return status;
}

#else

static pv_status run_explore(cli_run *run, const void *given, pv_error *error)
{
    (void)run;
    (void)given;
    return cli_hint(cli_error(error, PV_STATUS_UNSUPPORTED,
                              "this build has no explorer: libmicrohttpd was not there"),
                    error, "install it (Debian: libmicrohttpd-dev) and build again");
}

#endif

/* ------------------------------------------------------------------ command */

static const char *const description[] = {
    "Serves a page on this machine, and on no other, on which the whole job is done: say what the "
    "columns are, see how exposed the people are, look at every trade-off, choose, compare, and "
    "write the verified release. Every step on the page is a command with its options, and shows "
    "its command line; terminal and page can continue each other's work.",
    "PLAN is a plan (.yaml, .yml or .json). For a DATA file the plan beside it that names it is "
    "taken; if there is none, a first one is guessed and written, as `paravent init` does: "
    "plan.yaml, or NAME.plan.yaml if there is a plan.yaml for other data. No plan is overwritten.",
    "The address that is printed holds a token, which is good once: the browser that opens it "
    "stays known, everybody else is refused, and so is every program of another user of this "
    "machine. Files are read and written in the folder of the plan "
    "and below it only, and values of identifiers are never shown.",
    "What was done is kept beside the plan (NAME.explore.json, which nobody else can read): "
    "earlier "
    "texts of the plan, to go back to, and the releases to choose from. Ctrl-C ends it; nothing is "
    "lost then, nor if it is killed.",
    NULL,
};

static const cli_option options[] = {
    CLI_OPTION(explore_settings, "port", COUNT, "N", port,
               "serve at this port (default: any that is free)", .min = 1, .max = 65535),
    CLI_OPTION(explore_settings, "open", FLAG, NULL, open,
               "open the page in the browser (by xdg-open, where there is one)"),
    CLI_READING_OPTIONS(explore_settings),
    {.name = NULL},
};

static const cli_example examples[] = {
    {"paravent explore plan.yaml", "prints the address of the page"},
    {"paravent explore patients.csv --open",
     "with a first plan if there is none yet, in the browser"},
    {"paravent explore plan.yaml --port 8080",
     "at a port of one's own, to reach it from elsewhere through `ssh -L 8080:127.0.0.1:8080`"},
    {NULL, NULL},
};

const cli_command cli_command_explore = {
    .name = "explore",
    .operands = "PLAN|DATA",
    .min_operands = 1,
    .max_operands = 1,
    .summary = "the whole job on a page in the browser, on this machine only",
    .description = description,
    .options = options,
    .examples = examples,
    .settings_size = sizeof(explore_settings),
    .run = run_explore,
};
