/* Writing a release: everything about it but its scheme, read from the settings, and the call of
 * the library. How it is shown is in release/print.c and release/json.c. */
#include "core/publish.h"

#include "core/fail.h"
#include "core/outputs.h"
#include "core/text.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/random.h>
#include <unistd.h>

#define LARGEST_KEY ((size_t)1 << 20)

/* The whole key file without the line end that editors add; `key` has room for a byte more than the
 * largest. Whether it can be guessed, the library says. */
static pv_status read_key(const char *path, char *key, size_t *size, pv_error *error)
{
    FILE *const file = fopen(path, "rb");
    const size_t n = file != NULL ? fread(key, 1, LARGEST_KEY + 1, file) : 0;
    const bool failed = file == NULL || ferror(file) != 0;
    const int reason = errno;
    if (file != NULL) {
        (void)fclose(file);
    }
    if (failed) {
        return cli_error_at(error, PV_STATUS_INPUT, path, 0, 0, "cannot read the key: %s",
                            strerror(reason));
    }
    if (n > LARGEST_KEY) {
        return cli_hint(cli_error_at(error, PV_STATUS_INPUT, path, 0, 0,
                                     "the key is larger than 1 MiB: is this the right file?"),
                        error, "32 random bytes are plenty: head -c 32 /dev/urandom > KEYFILE");
    }
    *size = n;
    while (*size > 0 && (key[*size - 1] == '\n' || key[*size - 1] == '\r')) {
        --*size;
    }
    return PV_STATUS_OK;
}

/* Whoever knows the seed can undo the shuffle, so the default is drawn, not fixed. */
static pv_status choose_seed(const cli_publish *settings, uint64_t *seed, pv_error *error)
{
    if (settings->seed.given || !settings->shuffle) {
        *seed = settings->seed.value;
        return PV_STATUS_OK;
    }
    if (getrandom(seed, sizeof *seed, 0) != (ssize_t)sizeof *seed) {
        return cli_hint(cli_error(error, PV_STATUS_IO, "the system gives no random seed"), error,
                        "choose one with --seed");
    }
    *seed &= INT64_MAX; /* JSON has no larger integers */
    return PV_STATUS_OK;
}

static char *choose_output(const cli_publish *settings, const pv_table *table)
{
    if (settings->output != NULL) {
        return cli_copy(settings->output);
    }
    const char delimiter =
        settings->output_delimiter != 0 ? settings->output_delimiter : pv_table_delimiter(table);
    char *const name = pv_place_name(pv_table_source(table));
    char *const stem = name != NULL ? cli_path_stem(name) : cli_copy("data");
    pv_string_free(name);
    char *const path = cli_format("%s.release.%s", stem, delimiter == '\t' ? "tsv" : "csv");
    free(stem);
    return path;
}

pv_status cli_publish_begin(cli_run *run, const cli_publish *settings, pv_error *error)
{
    const char *const papers = settings->papers;
    if (papers != NULL && (papers[0] == '\0' || cli_is_stream(papers) ||
                           cli_ends_with(papers, "/") || access(papers, F_OK) == 0)) {
        return cli_hint(cli_error_at(error, PV_STATUS_ARGUMENT, papers, 0, 0,
                                     "--papers needs the name of a new folder"),
                        error, "choose another name, without a slash at its end");
    }
    const bool is_file = settings->output == NULL ||
                         !(cli_is_stream(settings->output) || pv_is_place(settings->output)) ||
                         pv_place_is_file(settings->output);
    if (papers != NULL && is_file) {
        return cli_hint(
            cli_error(error, PV_STATUS_ARGUMENT,
                      "--papers is for a table on standard output (-o -) or in a database"),
            error, "beside a file they go into NAME.papers-*, by which they are found");
    }
    if (cli_is_stream(settings->row_map)) {
        return cli_hint(cli_error(error, PV_STATUS_ARGUMENT,
                                  "a row map is private and is not written to standard output"),
                        error, "name a file: --row-map FILE");
    }
    if (settings->keep_order) {
        cli_note(run, "the rows keep their order (--keep-order): if the data is sorted, the place "
                      "of a row tells what was generalized");
    }
    if (!cli_is_stream(settings->output)) {
        return PV_STATUS_OK;
    }
    if (run->common->json) {
        return cli_hint(cli_error(error, PV_STATUS_ARGUMENT,
                                  "standard output can hold only one of --json and the table"),
                        error, "name a file with -o FILE, or leave out --json");
    }
    cli_report_init(&run->report, stderr);
    return PV_STATUS_OK;
}

pv_status cli_publish_open(cli_run *run, const cli_publish *settings, const char *plan,
                           const char *data, cli_published *p, pv_error *error)
{
    pv_status status = PV_STATUS_OK;
    *p = (cli_published){.order = settings->shuffle      ? PV_ORDER_SHUFFLED
                                  : settings->keep_order ? PV_ORDER_KEPT
                                                         : PV_ORDER_SORTED,
                         .escaped = settings->escape_formulas,
                         .hashed = settings->key_file != NULL};
    CLI_TRY_CLEAN(cli_open_cut(run, plan, data, settings->cuts, &settings->reading,
                               p->hashed ? CLI_ALL_WITH_NAMES : CLI_ALL_BUT_NAMES, &p->opened,
                               error));
    const pv_plan *const read = p->opened.plan;
    CLI_TRY_CLEAN(pv_plan_demands(read, p->demands.list, &p->demands.n, error));
    CLI_TRY_CLEAN(cli_demands_add(&p->demands, settings->require, error));
    CLI_TRY_CLEAN(pv_plan_promises(read, p->promises.list, &p->promises.n, error));
    CLI_TRY_CLEAN(cli_suppression_choose(&p->opened, settings->suppression, settings->suppress,
                                         &p->budget, &p->suppression, error));
    p->suppression.target_k = settings->k.given ? settings->k.value : p->suppression.target_k;
    CLI_TRY_CLEAN(choose_seed(settings, &p->seed, error));
    p->output = choose_output(settings, pv_study_table(p->opened.study));
    if (settings->output == NULL) {
        status = cli_outputs_add(run, p->output, PV_AUDIENCE_PUBLIC, error);
    }
cleanup:
    if (status != PV_STATUS_OK) {
        cli_published_free(p);
    }
    return status;
}

pv_status cli_publish_finish(cli_run *run, const cli_publish *settings, cli_published *p,
                             pv_error *error)
{
    char *const key = cli_zeroed(LARGEST_KEY + 1, 1);
    const bool weaker = settings->allow_weaker; /* then what the scheme demands may be given up */
    cli_demands own = {0};
    pv_status status = cli_demands_add(&own, settings->require, error);
    pv_release_options options = {
        .size = sizeof options,
        .context = &run->context,
        .papers = settings->papers,
        .drop_suppressed = settings->drop_suppressed,
        .outputs = run->outputs,
        .budget = &p->budget,
        .target_k = !weaker || settings->k.given ? p->suppression.target_k : 0,
        .whole_budget = p->suppression.whole_budget,
        .as_needed = !p->suppression.whole_budget || p->pick != NULL || p->best != NULL,
        .constraints = weaker ? own.list : p->demands.list,
        .n_constraints = weaker ? own.n : p->demands.n,
        .order = p->order,
        .seed = p->seed,
        .row_map = settings->row_map,
        .escape_formulas = p->escaped,
        .hash_identifiers = p->hashed,
        .key = key,
        .delimiter = settings->output_delimiter,
        .applying = settings->applying,
        .allow_weaker = settings->allow_weaker,
    };
    if (status == PV_STATUS_OK && p->hashed) {
        status = read_key(settings->key_file, key, &options.key_size, error);
    }
    if (status == PV_STATUS_OK) {
        status =
            pv_release_write(p->opened.study, p->scheme, p->output, &options, &p->result, error);
    }
    explicit_bzero(key, LARGEST_KEY + 1);
    free(key);
    return status;
}

void cli_published_free(cli_published *p)
{
    pv_release_result_free(p->result);
    cli_found_free(&p->found);
    pv_best_free(p->best);
    pv_local_free(p->local);
    for (size_t i = 0; i < p->n_neighbours; i++) {
        pv_best_free(p->neighbours[i].best);
    }
    pv_scheme_free(p->scheme);
    cli_close(&p->opened);
    cli_close(&p->searched);
    free(p->output);
    *p = (cli_published){0};
}
