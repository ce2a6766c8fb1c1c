/* The files a command writes. */
#include "core/outputs.h"

#include "core/fail.h"
#include "core/text.h"

#include <stdio.h>

bool cli_is_stream(const char *path)
{
    return path != NULL && cli_equal(path, "-");
}

static const char *path_of(const cli_option *option, const void *settings)
{
    return *(const char *const *)((const char *)settings + option->offset);
}

static bool has_flag(const cli_command *command, const void *settings, const char *name)
{
    for (const cli_option *option = command->options; option->name != NULL; option++) {
        if (cli_equal(option->name, name)) {
            return *(const bool *)((const char *)settings + option->offset);
        }
    }
    return false;
}

/* Standard input has no name that could be overwritten. */
static pv_status protect(cli_run *run, const char *path, pv_error *error)
{
    return path == NULL || cli_is_stream(path) ? PV_STATUS_OK
                                               : pv_outputs_protect(run->outputs, path, error);
}

pv_status cli_outputs_begin(cli_run *run, const void *settings, pv_error *error)
{
    const cli_option *const options = run->command->options;
    CLI_TRY(pv_outputs_create(has_flag(run->command, settings, "force"), &run->outputs, error));
    if (has_flag(run->command, settings, "explain")) {
        return PV_STATUS_OK; /* nothing is written */
    }
    for (size_t i = 0; i < run->operands.n; i++) {
        CLI_TRY(protect(run, run->operands.list[i], error));
    }
    for (const cli_option *option = options; option->name != NULL; option++) {
        if (option->kind == CLI_FILE) {
            CLI_TRY(protect(run, path_of(option, settings), error));
        }
    }
    for (const cli_option *option = options; option->name != NULL; option++) {
        const char *const path = option->kind == CLI_OUTPUT ? path_of(option, settings) : NULL;
        if (path != NULL && option->table && pv_is_place(path) && !pv_place_is_file(path)) {
            CLI_TRY(pv_release_place_check(path, has_flag(run->command, settings, "force"),
                                           &run->context, error));
        } else if (path != NULL && !cli_is_stream(path)) {
            CLI_TRY(pv_outputs_add(run->outputs, path, option->audience, error));
        }
    }
    return PV_STATUS_OK;
}

pv_status cli_outputs_add(cli_run *run, const char *path, pv_audience audience, pv_error *error)
{
    return cli_is_stream(path) ? PV_STATUS_OK : pv_outputs_add(run->outputs, path, audience, error);
}

pv_status cli_outputs_write(cli_run *run, const char *path, const char *text, pv_error *error)
{
    if (path == NULL) {
        return PV_STATUS_OK;
    }
    if (cli_is_stream(path)) {
        (void)fputs(text, stdout); /* main notices if that fails */
        return PV_STATUS_OK;
    }
    return pv_outputs_text(run->outputs, path, text, error);
}

pv_status cli_outputs_commit(cli_run *run, pv_error *error)
{
    return pv_outputs_commit(run->outputs, error);
}

void cli_outputs_end(cli_run *run)
{
    pv_outputs_free(run->outputs);
    run->outputs = NULL;
}
