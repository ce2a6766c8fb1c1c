/* Writing a release: from the settings to the files on disk. How it is told is in published.c. */
#include "core/publish.h"

#include "core/fail.h"
#include "core/outputs.h"
#include "core/text.h"

#include <errno.h>
#ifdef __GLIBC__
#include <malloc.h>
#endif
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/random.h>
#include <unistd.h>

#define LARGEST_KEY ((size_t)1 << 20)
#define HINTED_ATTRIBUTES 6

/* ----------------------------------------------------------------- levels */

static size_t count_plan_levels(const pv_study *study)
{
    size_t n = 0;
    for (size_t i = 0; i < pv_study_quasis(study); i++) {
        n += pv_attribute_level(pv_study_quasi_attribute(study, i)) >= 0;
    }
    return n;
}

/* "age=3,zip=2" with half of each height, and "age 6, zip 5" with the heights. */
static void describe_levels(const pv_study *study, char **example, char **heights)
{
    const size_t n = pv_study_quasis(study);
    *example = cli_copy("");
    *heights = cli_copy("");
    for (size_t q = 0; q < n && q < HINTED_ATTRIBUTES; q++) {
        const char *const name = pv_study_quasi_name(study, q);
        const unsigned height = pv_hierarchy_height(pv_study_hierarchy(study, q));
        char *const e = cli_format("%s%s%s=%u", *example, q > 0 ? "," : "", name, height / 2);
        char *const h = cli_format("%s%s%s 0-%u", *heights, q > 0 ? ", " : "", name, height);
        free(*example);
        free(*heights);
        *example = e;
        *heights = h;
    }
}

static pv_status no_levels(const pv_study *study, size_t chosen, const char *plan, pv_error *error)
{
    char *example = NULL;
    char *heights = NULL;
    describe_levels(study, &example, &heights);
    const bool more = pv_study_quasis(study) > HINTED_ATTRIBUTES;
    const pv_status status =
        cli_hint(cli_error_at(error, PV_STATUS_ARGUMENT, plan, 0, 0,
                              chosen == 0 ? "no generalization levels are chosen"
                                          : "levels are chosen for some quasi-identifiers only"),
                 error,
                 "see what they cost with `paravent front` and take one with --pick k=5, or give "
                 "them: --levels %s%s (levels: %s%s)",
                 example, more ? ",..." : "", heights, more ? ", ..." : "");
    free(example);
    free(heights);
    return status;
}

/* Where the plan fixes some levels only, names on the command line leave those as they are. */
static void start_from_plan(const pv_study *study, pv_scheme *scheme)
{
    for (size_t i = 0; i < pv_study_quasis(study); i++) {
        const int level = pv_attribute_level(pv_study_quasi_attribute(study, i));
        if (level >= 0 && level <= (int)pv_hierarchy_height(pv_study_hierarchy(study, i))) {
            pv_scheme_set_level(scheme, i, (uint8_t)level);
        }
    }
}

/* The plan's levels first; the command line overrules them, one by one if it names them. */
static pv_status choose_levels(const cli_publish *settings, const pv_study *study, const char *plan,
                               pv_scheme **scheme, pv_error *error)
{
    const size_t chosen = count_plan_levels(study);
    if (chosen == pv_study_quasis(study)) {
        CLI_TRY(pv_scheme_from_plan(study, scheme, error));
    } else if (settings->levels == NULL) {
        return no_levels(study, chosen, plan, error);
    } else {
        CLI_TRY(pv_scheme_create(study, scheme, error));
        start_from_plan(study, *scheme);
    }
    return settings->levels != NULL ? pv_scheme_parse(*scheme, study, settings->levels, error)
                                    : PV_STATUS_OK;
}

/* What a search has freed lies scattered in the heap, a third of all memory at ten million rows; it
 * goes back to the system before the release needs as much. */
static void return_memory(void)
{
#ifdef __GLIBC__
    (void)malloc_trim(0);
#endif
}

/* Takes the levels of the point that --pick names on the front. */
static pv_status pick_levels(cli_run *run, const cli_publish *settings, cli_published *p,
                             pv_error *error)
{
    const cli_search search = {.objectives = settings->objectives, .seconds = settings->seconds};
    CLI_TRY(cli_search_run(run, &search, &p->opened, &p->suppression, &p->found, error));
    return_memory();
    if (pv_front_stop(p->found.front) == PV_STOP_CANCELLED) {
        return cli_error(error, PV_STATUS_CANCELLED, "interrupted; nothing was written");
    }
    CLI_TRY(cli_found_pick(&p->found, settings->pick, &p->point, error));
    p->pick = settings->pick;
    return pv_front_scheme(p->found.front, p->point, &p->scheme, error);
}

static pv_status check_pick(const cli_publish *settings, pv_error *error)
{
    const cli_search search = {.objectives = settings->objectives, .seconds = settings->seconds};
    if (settings->pick == NULL) {
        return PV_STATUS_OK;
    }
    CLI_TRY(cli_search_check(&search, error));
    return pv_pick_check(NULL, 0, NULL, settings->pick, error);
}

/* ---------------------------------------------------------------- options */

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

static char *choose_output(const cli_publish *settings, const pv_study *study)
{
    const pv_table *const table = pv_study_table(study);
    if (settings->output != NULL) {
        return cli_copy(settings->output);
    }
    const char delimiter =
        settings->output_delimiter != 0 ? settings->output_delimiter : pv_table_delimiter(table);
    char *const stem = cli_path_stem(pv_table_source(table));
    char *const path = cli_format("%s.release.%s", stem, delimiter == '\t' ? "tsv" : "csv");
    free(stem);
    return path;
}

pv_status cli_publish_begin(cli_run *run, const cli_publish *settings, pv_error *error)
{
    if (settings->papers != NULL &&
        (settings->papers[0] == '\0' || cli_is_stream(settings->papers) ||
         cli_ends_with(settings->papers, "/") || access(settings->papers, F_OK) == 0)) {
        return cli_hint(cli_error_at(error, PV_STATUS_ARGUMENT, settings->papers, 0, 0,
                                     "--papers needs the name of a new folder"),
                        error, "choose another name, without a slash at its end");
    }
    if (settings->papers != NULL && !cli_is_stream(settings->output)) {
        return cli_hint(cli_error(error, PV_STATUS_ARGUMENT,
                                  "--papers is for a table on standard output (-o -)"),
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

/* ------------------------------------------------------------------ write */

static pv_status prepare(cli_run *run, const cli_publish *settings, const char *plan,
                         const char *data, cli_published *p, pv_error *error)
{
    CLI_TRY(cli_open_cut(run, plan, data, settings->cuts, &settings->reading,
                         settings->key_file != NULL ? CLI_ALL_WITH_NAMES : CLI_ALL_BUT_NAMES,
                         &p->opened, error));
    const pv_plan *const read = p->opened.plan;
    CLI_TRY(pv_plan_demands(read, p->demands.list, &p->demands.n, error));
    CLI_TRY(cli_demands_add(&p->demands, settings->require, error));
    CLI_TRY(pv_plan_promises(read, p->promises.list, &p->promises.n, error));
    CLI_TRY(cli_suppression_choose(&p->opened, settings->suppression, &p->budget, &p->suppression,
                                   error));
    p->suppression.target_k = settings->k.given ? settings->k.value : p->suppression.target_k;
    p->order = settings->shuffle      ? PV_ORDER_SHUFFLED
               : settings->keep_order ? PV_ORDER_KEPT
                                      : PV_ORDER_SORTED;
    p->escaped = settings->escape_formulas;
    p->hashed = settings->key_file != NULL;
    CLI_TRY(choose_seed(settings, &p->seed, error));
    p->output = choose_output(settings, p->opened.study);
    return settings->output == NULL ? cli_outputs_add(run, p->output, PV_AUDIENCE_PUBLIC, error)
                                    : PV_STATUS_OK;
}

pv_status cli_publish_open(cli_run *run, const cli_publish *settings, const char *plan,
                           const char *data, cli_published *published, pv_error *error)
{
    *published = (cli_published){0};
    const pv_status status = prepare(run, settings, plan, data, published, error);
    if (status != PV_STATUS_OK) {
        cli_published_free(published);
    }
    return status;
}

static pv_status choose_scheme(cli_run *run, const cli_publish *settings, const char *plan,
                               cli_published *p, pv_error *error)
{
    const pv_study *const study = p->opened.study;
    return settings->pick != NULL ? pick_levels(run, settings, p, error)
                                  : choose_levels(settings, study, plan, &p->scheme, error);
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
        char *const longer = cli_format("%s%s%s", list, i > 0 ? "," : "", text);
        free(list);
        list = longer;
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

pv_status cli_publish_finish(cli_run *run, const cli_publish *settings, cli_published *p,
                             pv_error *error)
{
    char *const key = cli_zeroed(LARGEST_KEY + 1, 1);
    pv_status status = PV_STATUS_OK;
    pv_release_options options = {
        .size = sizeof options,
        .context = &run->context,
        .papers = settings->papers,
        .drop_suppressed = settings->drop_suppressed,
        .outputs = run->outputs,
        .budget = &p->budget,
        .target_k = p->suppression.target_k,
        .constraints = p->demands.list,
        .n_constraints = p->demands.n,
        .order = p->order,
        .seed = p->seed,
        .row_map = settings->row_map,
        .escape_formulas = settings->escape_formulas,
        .hash_identifiers = settings->key_file != NULL,
        .key = key,
        .delimiter = settings->output_delimiter,
        .applying = settings->applying,
        .allow_weaker = settings->allow_weaker,
    };
    if (settings->key_file != NULL) {
        CLI_TRY_CLEAN(read_key(settings->key_file, key, &options.key_size, error));
    }
    CLI_TRY_CLEAN(
        pv_release_write(p->opened.study, p->scheme, p->output, &options, &p->result, error));
cleanup:
    if (status == PV_STATUS_UNSATISFIED && p->pick != NULL && p->demands.n > 0 &&
        !demands_hold(p)) {
        status = explain_pick(p, error);
    }
    explicit_bzero(key, LARGEST_KEY + 1);
    free(key);
    return status;
}

pv_status cli_publish_write(cli_run *run, const cli_publish *settings, const char *plan,
                            const char *data, cli_published *published, pv_error *error)
{
    CLI_TRY(cli_publish_begin(run, settings, error));
    CLI_TRY(check_pick(settings, error));
    CLI_TRY(cli_publish_open(run, settings, plan, data, published, error));
    pv_status status = choose_scheme(run, settings, plan, published, error);
    if (status == PV_STATUS_OK) {
        status = cli_publish_finish(run, settings, published, error);
    }
    if (status != PV_STATUS_OK) {
        cli_published_free(published);
    }
    return status;
}

void cli_published_free(cli_published *published)
{
    pv_release_result_free(published->result);
    cli_found_free(&published->found);
    pv_scheme_free(published->scheme);
    published->scheme = NULL;
    cli_close(&published->opened);
    free(published->output);
    published->output = NULL;
    published->result = NULL;
}
