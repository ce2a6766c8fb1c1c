/* A command, run as its command line would: the words are put together from the page's options,
 * every file among them is checked, and the command's own parser reads them. So a page can ask for
 * nothing that a command line could not, and what it asked for can be said as one. */
#include "core/command.h"

#include "core/fail.h"
#include "core/json.h"
#include "core/outputs.h"
#include "core/text.h"
#include "server/endpoints.h"
#include "server/jobs.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define PLAN_WORD "plan" /* stands for the plan */
#define LONGEST_LIST 1000

/* What pages may run. The others ask, serve, or write beside the plan what the explorer does
 * itself. */
static const char *const commands[] = {"inspect",   "front",   "disclose", "compare", "check",
                                       "hierarchy", "release", "prefer",   NULL};

/* Options that mean nothing here. */
static const char *const without[] = {"json", "threads",     "quiet", "verbose", "no-progress",
                                      "help", "interactive", "log",   NULL};

/* Options that name columns whose values the document shows. */
static const struct {
    const char *command, *option;
} showing[] = {{"hierarchy", "attribute"}, {"compare", "by"}};

/* Read in another way, columns have other names, and nobody knows any more which are identifiers.
 */
static const char *const renaming[] = {"header",    "no-header",   "delimiter",
                                       "no-quotes", "keep-blanks", NULL};

static bool is_among(const char *name, const char *const *list)
{
    while (*list != NULL && !cli_equal(name, *list)) {
        list++;
    }
    return *list != NULL;
}

/* The words as the command reads them, and as one would type them. */
typedef struct words {
    web_call *call;
    const cli_command *command;
    char **list;
    size_t n;
    char *typed;    /* options */
    char *operands; /* typed, too: they come first */
    char **outputs; /* files that it writes */
    size_t n_outputs;
} words;

static void add_text(char ***list, size_t *n, char *text)
{
    char **const longer = realloc(*list, (*n + 2) * sizeof **list);
    if (longer == NULL) {
        cli_no_memory();
    }
    *list = longer;
    longer[(*n)++] = text;
    longer[*n] = NULL;
}

static void words_free(words *w)
{
    cli_list_free(w->list);
    cli_list_free(w->outputs);
    free(w->typed);
    free(w->operands);
}

/* -------------------------------------------------------------------- files */

/* Identifiers are in no answer. */
static pv_status refuse_identifier(const words *w, const char *column, pv_error *error)
{
    const pv_study *const study = w->call->snapshot->opened.study;
    const pv_plan_attribute *const attribute = pv_plan_find(pv_study_plan(study), column);
    bool may_be_one = attribute != NULL && pv_attribute_role(attribute) == PV_ROLE_IDENTIFIER;
    for (size_t i = 0; i < pv_study_unnamed(study); i++) { /* nobody has said that it is none */
        may_be_one = may_be_one || cli_equal(pv_study_unnamed_name(study, i), column);
    }
    return !may_be_one
               ? PV_STATUS_OK
               : cli_hint(cli_error(error, PV_STATUS_ARGUMENT,
                                    "the values of an identifier are not shown"),
                          error, "on the command line `paravent %s` shows them", w->command->name);
}

static pv_status check_shown(const words *w, const char *option, const char *value, pv_error *error)
{
    pv_status status = PV_STATUS_OK;
    for (size_t i = 0; i < sizeof showing / sizeof *showing; i++) {
        if (cli_equal(showing[i].command, w->command->name) &&
            cli_equal(showing[i].option, option)) {
            char **const columns = cli_list_split(value, ',', NULL);
            for (size_t c = 0; columns[c] != NULL && status == PV_STATUS_OK; c++) {
                status = refuse_identifier(w, columns[c], error);
            }
            cli_list_free(columns);
        }
    }
    return status;
}

static bool is_plan(const words *w, const char *file)
{
    const char *const name = w->command->name;
    const bool takes_plan = cli_starts_with(w->command->operands, "PLAN");
    return takes_plan || (cli_equal(name, "hierarchy") &&
                          (cli_ends_with(file, ".yaml") || cli_ends_with(file, ".yml") ||
                           cli_ends_with(file, ".json")));
}

/* Another plan may name files anywhere, and say of identifiers that they are none. */
static pv_status refuse_plan(const words *w, const char *file, pv_error *error)
{
    return cli_equal(file, w->call->snapshot->plan_path)
               ? PV_STATUS_OK
               : cli_hint(cli_error(error, PV_STATUS_ARGUMENT,
                                    "only the plan that is explored is used here"),
                          error, "\"plan\" stands for it; explore the other plan by itself");
}

/* A file as it is opened, and as it is called. */
static pv_status find_file(const words *w, const char *path, bool for_writing, char **file,
                           char **name, pv_error *error)
{
    if (!for_writing && cli_equal(path, PLAN_WORD)) {
        *file = cli_copy(w->call->snapshot->plan_path);
    } else {
        CLI_TRY(web_path(w->call, path, for_writing, file, error));
    }
    *name = web_files_name(web_call_files(w->call), *file);
    return PV_STATUS_OK;
}

/* "a.map,b.map" */
static pv_status find_files(const words *w, const char *list, char **files, char **names,
                            pv_error *error)
{
    pv_status status = PV_STATUS_OK;
    char **const paths = cli_list_split(list, ',', NULL);
    *files = cli_copy("");
    *names = cli_copy("");
    for (size_t i = 0; paths[i] != NULL && status == PV_STATUS_OK; i++) {
        char *file = NULL;
        char *name = NULL;
        status = find_file(w, paths[i], false, &file, &name, error);
        if (status == PV_STATUS_OK) {
            cli_append(files, "%s%s", i > 0 ? "," : "", file);
            cli_append(names, "%s%s", i > 0 ? "," : "", name);
        }
        free(file);
        free(name);
    }
    cli_list_free(paths);
    return status;
}

/* ------------------------------------------------------------------ options */

static const cli_option *find_option(const cli_command *command, const char *name)
{
    for (const cli_option *o = command->options; o->name != NULL; o++) {
        if (cli_equal(o->name, name)) {
            return o;
        }
    }
    return NULL;
}

/* The value as the command reads it, and as it is typed; both owned, whatever happens. */
static pv_status take_value(words *w, const cli_option *option, const char *text, char **value,
                            char **typed, pv_error *error)
{
    switch (option->kind) {
    case CLI_FILE:
        CLI_TRY(find_file(w, text, option->grows && access(text, F_OK) != 0, value, typed, error));
        return cli_equal(option->name, "plan") ? refuse_plan(w, *value, error) : PV_STATUS_OK;
    case CLI_OUTPUT:
        CLI_TRY(find_file(w, text, true, value, typed, error));
        add_text(&w->outputs, &w->n_outputs, cli_copy(*value));
        return PV_STATUS_OK;
    case CLI_FOLDER:
        return cli_error(error, PV_STATUS_ARGUMENT, "--%s means nothing here", option->name);
    default:
        CLI_TRY(check_shown(w, option->name, text, error));
        if (option->files) {
            return find_files(w, text, value, typed, error);
        }
        *value = cli_copy(text);
        *typed = cli_copy(text);
        return PV_STATUS_OK;
    }
}

static pv_status add_value(words *w, const cli_option *option, const char *text, pv_error *error)
{
    char *value = NULL;
    char *typed = NULL;
    const pv_status status = take_value(w, option, text, &value, &typed, error);
    if (status == PV_STATUS_OK) {
        add_text(&w->list, &w->n, cli_format("--%s=%s", option->name, value));
        w->typed = cli_with_text(w->typed, option->name, typed);
    }
    free(value);
    free(typed);
    return status;
}

static pv_status add_json(words *w, const cli_option *option, const json_t *value, pv_error *error)
{
    char number[48];
    if (json_is_false(value) || json_is_null(value)) { /* as if it were not there */
        return PV_STATUS_OK;
    }
    if (json_is_true(value) && option->kind == CLI_FLAG) {
        add_text(&w->list, &w->n, cli_format("--%s", option->name));
        w->typed = cli_with_flag(w->typed, option->name, true);
        return PV_STATUS_OK;
    }
    if (json_is_string(value) && option->kind != CLI_FLAG &&
        strlen(json_string_value(value)) == json_string_length(value)) {
        return add_value(w, option, json_string_value(value), error);
    }
    if (json_is_number(value) && option->kind != CLI_FLAG) {
        if (json_is_integer(value)) {
            (void)snprintf(number, sizeof number, "%" JSON_INTEGER_FORMAT,
                           json_integer_value(value));
        } else {
            (void)snprintf(number, sizeof number, "%.15g", json_real_value(value));
        }
        return add_value(w, option, number, error);
    }
    return cli_error(error, PV_STATUS_ARGUMENT, "--%s: this is no value for it", option->name);
}

/* Of a list the parser takes its texts one by one. */
static pv_status add_option(words *w, const char *name, const json_t *value, pv_error *error)
{
    const cli_option *const option = find_option(w->command, name);
    size_t i;
    json_t *item;
    if (option == NULL || is_among(name, without) ||
        (cli_equal(w->command->name, "hierarchy") && is_among(name, renaming))) {
        return cli_error(error, PV_STATUS_ARGUMENT, "`paravent %s` has no such option here: %s",
                         w->command->name, name);
    }
    if (!json_is_array(value)) {
        return add_json(w, option, value, error);
    }
    if (option->kind != CLI_LIST) {
        return cli_error(error, PV_STATUS_ARGUMENT, "--%s takes no list", name);
    }
    if (json_array_size(value) > LONGEST_LIST) {
        return cli_error(error, PV_STATUS_ARGUMENT, "--%s: more than %d texts", name, LONGEST_LIST);
    }
    json_array_foreach(value, i, item)
    {
        if (!json_is_string(item)) {
            return cli_error(error, PV_STATUS_ARGUMENT, "--%s takes a list of texts", name);
        }
        CLI_TRY(add_json(w, option, item, error));
    }
    return PV_STATUS_OK;
}

/* ----------------------------------------------------------------- operands */

/* The data itself is no hierarchy: taken for one, all of its columns would be shown. */
static pv_status refuse_data(const words *w, const char *file, pv_error *error)
{
    struct stat found;
    struct stat data;
    const pv_study *const study = w->call->snapshot->opened.study;
    const char *const source = pv_table_source(pv_study_table(study));
    const bool same = stat(file, &found) == 0 && stat(source, &data) == 0 &&
                      found.st_dev == data.st_dev && found.st_ino == data.st_ino;
    bool has_attribute = false;
    for (size_t i = 0; i < w->n; i++) {
        has_attribute = has_attribute || cli_starts_with(w->list[i], "--attribute=");
    }
    return same && !has_attribute && cli_equal(w->command->name, "hierarchy")
               ? cli_error(error, PV_STATUS_ARGUMENT,
                           "this is the data: name one of its columns as the attribute")
               : PV_STATUS_OK;
}

static pv_status add_operand(words *w, const json_t *operand, pv_error *error)
{
    char *file = NULL;
    char *name = NULL;
    if (!json_is_string(operand)) {
        return cli_error(error, PV_STATUS_ARGUMENT, "operands are a list of texts");
    }
    pv_status status = find_file(w, json_string_value(operand), false, &file, &name, error);
    if (status == PV_STATUS_OK) {
        status = is_plan(w, file) ? refuse_plan(w, file, error) : refuse_data(w, file, error);
    }
    if (status == PV_STATUS_OK) {
        char *const word = cli_shell_operand(name);
        cli_append(&w->operands, " %s", word);
        add_text(&w->list, &w->n, cli_copy(file));
        free(word);
    }
    free(file);
    free(name);
    return status;
}

static pv_status gather(words *w, json_t *options, json_t *operands, pv_error *error)
{
    const char *name;
    json_t *value;
    size_t i;
    if ((options != NULL && !json_is_object(options)) ||
        (operands != NULL && !json_is_array(operands))) {
        return cli_error(error, PV_STATUS_ARGUMENT,
                         "options are an object by name, operands a list");
    }
    json_object_foreach(options, name, value)
    {
        CLI_TRY(add_option(w, name, value, error));
    }
    add_text(&w->list, &w->n, cli_copy("--json"));
    add_text(&w->list, &w->n, cli_copy("--"));
    json_array_foreach(operands, i, value)
    {
        CLI_TRY(add_operand(w, value, error));
    }
    return PV_STATUS_OK;
}

/* ---------------------------------------------------------------------- run */

static void take_note(void *ctx, const char *text)
{
    web_note(ctx, text);
}

/* What it wrote may be looked at from now on. */
static void remember_files(const words *w, const json_t *document)
{
    web_files *const files = web_call_files(w->call);
    const char *name;
    json_t *value;
    for (size_t i = 0; i < w->n_outputs; i++) {
        web_files_written(files, w->outputs[i]);
    }
    json_object_foreach(json_object_get(document, "files"), name, value)
    {
        if (json_is_string(value)) {
            web_files_written(files, json_string_value(value));
        }
    }
}

static pv_status run_words(const words *w, json_t **document, pv_error *error)
{
    const cli_command *const command = w->command;
    void *const settings = cli_zeroed(1, command->settings_size);
    cli_host host = {.opened = &w->call->snapshot->opened,
                     .plan = w->call->snapshot->plan_path,
                     .note = take_note,
                     .ctx = w->call};
    cli_run run = {
        .command = command, .common = settings, .context = w->call->context, .host = &host};
    cli_report_init(&run.report, stdout); /* nothing is printed there: --json is given */
    pv_status status =
        cli_options_parse(command, (int)w->n, w->list, settings, &run.operands, error);
    if (status == PV_STATUS_OK) {
        status = cli_outputs_begin(&run, settings, error);
    }
    if (status == PV_STATUS_OK) {
        status = command->run(&run, settings, error);
    }
    cli_outputs_end(&run);
    cli_options_release(command, settings);
    free(run.operands.list);
    free(settings);
    *document = host.document;
    return status;
}

pv_status web_command_run(web_call *call, const char *command, json_t *options, json_t *operands,
                          json_t **document, pv_error *error)
{
    *document = NULL;
    if (!is_among(command, commands)) {
        return cli_error(error, PV_STATUS_ARGUMENT, "there is no such command here");
    }
    words w = {.call = call,
               .command = cli_command_find(command),
               .list = cli_zeroed(1, sizeof(char *)),
               .outputs = cli_zeroed(1, sizeof(char *)),
               .typed = cli_copy(""),
               .operands = cli_copy("")};
    pv_status status = gather(&w, options, operands, error);
    if (status == PV_STATUS_OK) {
        status = run_words(&w, document, error);
    }
    if (*document != NULL) {
        char *const line = cli_format("paravent %s%s%s", command, w.operands, w.typed);
        cli_json_set(*document, "line", cli_json_text(line));
        free(line);
        remember_files(&w, *document);
    }
    words_free(&w);
    return status;
}

pv_status web_command(web_call *call, json_t **result, pv_error *error)
{
    const json_t *const command = json_object_get(call->params, "command");
    if (!json_is_string(command)) {
        return cli_error(error, PV_STATUS_ARGUMENT, "which command?");
    }
    return web_command_run(call, json_string_value(command),
                           json_object_get(call->params, "options"),
                           json_object_get(call->params, "operands"), result, error);
}
