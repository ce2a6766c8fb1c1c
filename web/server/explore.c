/* The explorer as the command sees it: everything put together, and taken apart in the right order.
 */
#include "explore/explore.h"

#include "core/fail.h"
#include "core/text.h"
#include "server/dispatch.h"
#include "server/endpoints.h"
#include "server/server.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

struct cli_explorer {
    web_explorer parts;
    web_server *server;
    char *address, *door;
    void (*stranger)(void *ctx, uint64_t user);
    void *stranger_ctx;
    int ends[2]; /* a pipe: a byte comes out once the server is to end */
};

static void ask_to_end(void *ctx)
{
    const cli_explorer *const e = ctx;
    (void)(write(e->ends[1], "", 1) == 1); /* a full pipe has been heard */
}

static void tell_of_stranger(void *ctx, uint64_t user)
{
    const cli_explorer *const e = ctx;
    if (e->stranger != NULL) {
        e->stranger(e->stranger_ctx, user);
    }
}

static void wake_jobs(void *ctx)
{
    const cli_explorer *const e = ctx;
    web_jobs_wake(e->parts.jobs);
}

/* Jobs are there before the plan is, so that it can wake them; none of them asks for it before
 * there is a server. */
static web_snapshot *take_snapshot(void *ctx, bool anyhow, pv_error *error)
{
    const cli_explorer *const e = ctx;
    return web_workspace_take(e->parts.workspace, anyhow, error);
}

static pv_status put_together(cli_explorer *e, const cli_explorer_options *options, pv_error *error)
{
    char *const history = web_workspace_file(options->plan);
    const char *const own[] = {options->plan, history, NULL};
    pv_status status = web_files_create(options->folder, own, &e->parts.files, error);
    free(history);
    CLI_TRY(status);
    const web_workspace_options work = {.folder = options->folder,
                                        .plan = options->plan,
                                        .threads = options->threads,
                                        .changed = wake_jobs,
                                        .changed_ctx = e};
    CLI_TRY(web_guard_init(&e->parts.guard, error));
    const web_source source = {.ctx = e, .take = take_snapshot};
    e->parts.jobs = web_jobs_create(web_endpoints, source, e->parts.files, options->threads);
    CLI_TRY(web_workspace_open(&work, e->parts.files, &e->parts.workspace, error));
    return web_server_start(&e->parts, options->port, &e->server, error);
}

pv_status cli_explorer_start(const cli_explorer_options *options, cli_explorer **explorer,
                             pv_error *error)
{
    cli_explorer *const e = cli_zeroed(1, sizeof *e);
    pv_status status = PV_STATUS_OK;
    e->parts.end = ask_to_end;
    e->parts.stranger = tell_of_stranger;
    e->parts.end_ctx = e;
    e->stranger = options->stranger;
    e->stranger_ctx = options->stranger_ctx;
    e->ends[0] = e->ends[1] = -1;
    if (pipe2(e->ends, O_CLOEXEC | O_NONBLOCK) != 0) {
        CLI_TRY_CLEAN(cli_error(error, PV_STATUS_IO, "cannot make a pipe: %s", strerror(errno)));
    }
    CLI_TRY_CLEAN(put_together(e, options, error));
    e->address = cli_format("http://127.0.0.1:%u/?token=%s", web_server_port(e->server),
                            e->parts.guard.token);
    *explorer = e;
    return PV_STATUS_OK;
cleanup:
    cli_explorer_stop(e);
    return status;
}

const char *cli_explorer_address(const cli_explorer *explorer)
{
    return explorer->address;
}

const char *cli_explorer_door(cli_explorer *e)
{
    char *const page = cli_format("<!DOCTYPE html><html lang=\"en\"><head><meta charset=\"utf-8\">"
                                  "<meta http-equiv=\"refresh\" content=\"0; url=%s\">"
                                  "<title>Paravent</title></head>"
                                  "<body><a href=\"%s\">Paravent</a></body></html>\n",
                                  e->address, e->address);
    if (e->door == NULL) {
        e->door = cli_format("%s/open.html", web_files_private(e->parts.files));
    }
    const pv_status status = pv_text_write(e->door, page, PV_AUDIENCE_PUBLISHER, true, NULL);
    free(page);
    return status == PV_STATUS_OK ? e->door : NULL;
}

int cli_explorer_ended(const cli_explorer *explorer)
{
    return explorer->ends[0];
}

/* First nobody new comes in; then those who wait are answered, and work is stopped; then threads
 * end; then what they all used is freed. */
void cli_explorer_stop(cli_explorer *e)
{
    if (e == NULL) {
        return;
    }
    if (e->server != NULL) {
        web_server_quiesce(e->server);
    }
    if (e->parts.workspace != NULL) {
        web_workspace_stop(e->parts.workspace);
    }
    if (e->parts.jobs != NULL) {
        web_jobs_stop(e->parts.jobs);
    }
    web_server_stop(e->server);
    web_workspace_free(e->parts.workspace); /* its thread may wake jobs to the last */
    web_jobs_free(e->parts.jobs);
    if (e->door != NULL) {
        (void)unlink(e->door);
    }
    web_files_free(e->parts.files);
    for (size_t i = 0; i < 2; i++) {
        if (e->ends[i] >= 0) {
            (void)close(e->ends[i]);
        }
    }
    free(e->door);
    free(e->address);
    free(e);
}
