/* `paravent COMMAND [options]`: finds the command, parses its options, runs it, and turns what came
 * of it into an exit status. */
#include "core/command.h"
#include "core/fail.h"
#include "core/help.h"
#include "core/outputs.h"
#include "core/progress.h"
#include "core/text.h"

#include <errno.h>
#include <fcntl.h>
#include <locale.h>
#ifdef __GLIBC__
#include <malloc.h>
#endif
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* A closed standard stream would be given to the next file that is opened, and that file would
 * receive our messages. Something unwritable takes its place: writing to it fails, as it should. */
static void guard_standard_streams(void)
{
    for (int fd = 0; fd <= 2; fd++) {
        if (fcntl(fd, F_GETFD) == -1 && errno == EBADF) {
            (void)open("/dev/null", fd == 0 ? O_WRONLY : O_RDONLY);
        }
    }
}

/* Blocks from this size on are mapped one by one and go back to the system when they are freed. By
 * itself the C library raises that limit with every such block freed, up to 32 MB; what one phase
 * of the work has freed then stays with the process, in pieces too small for the next. */
#define MAPPED_FROM (128 << 10)

static void set_up_memory(void)
{
#ifdef __GLIBC__
    (void)mallopt(M_MMAP_THRESHOLD, MAPPED_FROM);
#endif
}

static void set_up_process(void)
{
    guard_standard_streams();
    set_up_memory();
    (void)setlocale(LC_CTYPE, "");
    /* Failing writes shall be errors with a message, not a silent death. */
    (void)signal(SIGPIPE, SIG_IGN);
    (void)signal(SIGXFSZ, SIG_IGN);
}

/* Whoever reads our output through a pipe may stop reading: `paravent ... | head`. */
static bool reader_has_gone(void)
{
    struct pollfd out = {.fd = STDOUT_FILENO, .events = POLLOUT};
    return poll(&out, 1, 0) == 1 && (out.revents & POLLERR) != 0;
}

/* Nothing printed may be lost in silence, unless nobody wants it. */
static int finish_output(int exit_status)
{
    const bool failed = ferror(stdout) != 0;
    errno = 0;
    if (fflush(stdout) != 0 || failed) {
        if (reader_has_gone()) {
            return exit_status != CLI_EXIT_DONE ? exit_status : CLI_EXIT_PIPE;
        }
        (void)fprintf(stderr, "paravent: cannot write to standard output%s%s\n",
                      errno != 0 ? ": " : "", errno != 0 ? strerror(errno) : "");
        return CLI_EXIT_FAILURE;
    }
    return exit_status;
}

static bool asks_for_json(int argc, char **argv)
{
    for (int i = 1; i < argc && !cli_equal(argv[i], "--"); i++) {
        if (cli_equal(argv[i], "--json")) {
            return true;
        }
    }
    return false;
}

static int fail(const char *command, bool json, const pv_error *error)
{
    if (error->status == PV_STATUS_IO && cli_equal(error->file, PV_STREAM_NAME) &&
        reader_has_gone()) {
        return CLI_EXIT_PIPE;
    }
    cli_error_print(error);
    if (json) {
        cli_error_json(command, error);
    }
    return cli_exit_status(error->status);
}

static pv_status unknown_command(const char *name, pv_error *error)
{
    const char *names[32];
    size_t n = 0;
    for (; cli_commands[n] != NULL; n++) {
        names[n] = cli_commands[n]->name;
    }
    const char *const near = cli_suggest(name, names, n);
    const pv_status status = cli_error(error, PV_STATUS_ARGUMENT, "there is no command `%s`", name);
    return near != NULL ? cli_hint(status, error, "did you mean `paravent %s`?", near)
                        : cli_hint(status, error, "`paravent --help` lists the commands");
}

static pv_status run_command(cli_run *run, const void *settings, pv_error *error)
{
    cli_progress_init(&run->progress, run->common);
    run->context = (pv_context){.threads = (unsigned)run->common->threads.value,
                                .progress = cli_progress_show,
                                .progress_ctx = &run->progress};
    pv_status status = cli_outputs_begin(run, settings, error);
    if (status == PV_STATUS_OK) {
        status = run->command->run(run, settings, error);
    }
    cli_outputs_end(run);
    cli_progress_end(&run->progress);
    return status;
}

static int execute(const cli_command *command, int argc, char **argv)
{
    pv_error error = {0};
    void *const settings = cli_zeroed(1, command->settings_size);
    cli_run run = {.command = command, .common = settings};
    cli_report_init(&run.report, stdout);
    pv_status status =
        cli_options_parse(command, argc - 2, argv + 2, settings, &run.operands, &error);
    if (status == PV_STATUS_OK && run.common->help) {
        cli_help_command(&run.report, command);
    } else if (status == PV_STATUS_OK) {
        status = run_command(&run, settings, &error);
    }
    error.status = status;
    const int exit_status =
        status == PV_STATUS_OK
            ? CLI_EXIT_DONE
            : fail(command->name, asks_for_json(argc, argv) && !run.json_printed, &error);
    cli_options_release(command, settings);
    free(run.operands.list);
    free(settings);
    return exit_status;
}

/* `paravent help`, and about a COMMAND, `measures` or `methods`. */
static int help(int argc, char **argv)
{
    cli_report report;
    pv_error error = {0};
    cli_report_init(&report, stdout);
    if (argc < 3) {
        cli_help_overview(&report);
        return CLI_EXIT_DONE;
    }
    if (cli_equal(argv[2], "measures")) {
        cli_help_measures(&report);
        return CLI_EXIT_DONE;
    }
    if (cli_equal(argv[2], "methods")) {
        cli_help_methods(&report);
        return CLI_EXIT_DONE;
    }
    const cli_command *const command = cli_command_find(argv[2]);
    if (command == NULL) {
        error.status = unknown_command(argv[2], &error);
        return fail(NULL, false, &error);
    }
    cli_help_command(&report, command);
    return CLI_EXIT_DONE;
}

static int dispatch(int argc, char **argv)
{
    pv_error error = {0};
    if (argc < 2) {
        cli_report report;
        cli_report_init(&report, stderr);
        cli_help_overview(&report);
        return CLI_EXIT_USAGE;
    }
    const char *const word = argv[1];
    if (cli_equal(word, "--help") || cli_equal(word, "-h") || cli_equal(word, "help")) {
        return help(word[0] == '-' ? 2 : argc, argv);
    }
    if (cli_equal(word, "--version")) {
        (void)printf("paravent %s\n", pv_version());
        return CLI_EXIT_DONE;
    }
    const cli_command *const command = cli_command_find(word);
    if (command != NULL) {
        return execute(command, argc, argv);
    }
    error.status = word[0] == '-'
                       ? cli_hint(cli_error(&error, PV_STATUS_ARGUMENT, "unknown option %s", word),
                                  &error, "options come after the command; see `paravent --help`")
                       : unknown_command(word, &error);
    return fail(NULL, asks_for_json(argc, argv), &error);
}

int main(int argc, char **argv)
{
    set_up_process();
    return finish_output(dispatch(argc, argv));
}
