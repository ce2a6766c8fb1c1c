/* Writing a verified release.
 *
 *   evaluate in memory -> write under a hidden name -> read back and audit -> papers -> one rename
 *
 * Nothing carries its final name before everything is known to hold. What belongs to a release and
 * how it appears in one step is described in papers.c and base/outputs.h. On standard output a
 * table cannot be taken back: it is kept in a temporary file and copied after everything else. A
 * table that an engine holds has a hidden name there until the papers are in their place. */
#include "release/release.h"

#include "base/buffer.h"
#include "base/error.h"
#include "base/file.h"
#include "base/memory.h"
#include "base/options.h"
#include "base/tasks.h"
#include "classes/applied.h"
#include "scheme/scheme.h"
#include "table/row_map.h"

#include <errno.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define SMALLEST_KEY 16
#define FEWEST_DIFFERENT 8
#define MANY_ROWS 100000 /* worth a thread for their hash */
#define SOME_LABELS 3

/* What is not named here is no paper. */
static const struct {
    const char *ending;
    pv_audience audience;
} papers[PV_FILE_COUNT] = {
    [PV_FILE_CERTIFICATE] = {".certificate.json", PV_AUDIENCE_PUBLIC},
    [PV_FILE_CERTIFICATE_PAGE] = {".certificate.html", PV_AUDIENCE_PUBLIC},
    [PV_FILE_CODEBOOK] = {".codebook.csv", PV_AUDIENCE_PUBLIC},
    [PV_FILE_CODEBOOK_TEXT] = {".codebook.md", PV_AUDIENCE_PUBLIC},
    /* What the original was like, and how to get from its values to the labels: */
    [PV_FILE_REPORT] = {".publisher.json", PV_AUDIENCE_PUBLISHER},
    [PV_FILE_REPORT_PAGE] = {".publisher.html", PV_AUDIENCE_PUBLISHER},
    [PV_FILE_SCHEME] = {".scheme.json", PV_AUDIENCE_PUBLISHER},
};

static bool is_stream(const pv_release_job *job)
{
    return strcmp(job->settings->output, "-") == 0;
}

static bool has_papers(const pv_release_job *job)
{
    return !is_stream(job) || job->settings->asked.papers != NULL;
}

/* Is the table in an engine, rather than in a file? */
static bool is_elsewhere(const pv_release_job *job)
{
    return job->publish != NULL && !pv_i_publish_is_file(job->publish);
}

/* Are the papers found by the table beside them? */
static bool is_beside(const pv_release_job *job)
{
    return !is_stream(job) && !is_elsewhere(job);
}

/* What papers are named after: the table's path; of a table elsewhere its name, in this folder. */
static const char *papers_of(const pv_release_job *job)
{
    return job->settings->asked.papers != NULL ? job->settings->asked.papers
           : is_elsewhere(job)                 ? job->papers_stem
                                               : job->settings->output;
}

/* ------------------------------------------------------------------------ open */

/* Whoever guesses the key can test every identifier. Of 16 random bytes fewer than 8 differ once in
 * a million million times: such a key was not drawn, but typed. */
static pv_status check_key(const pv_release_options *asked, pv_error *error)
{
    bool seen[256] = {false};
    size_t different = 0;
    for (size_t i = 0; i < asked->key_size; i++) {
        bool *const byte = &seen[((const unsigned char *)asked->key)[i]];
        different += !*byte;
        *byte = true;
    }
    return asked->key_size >= SMALLEST_KEY && different >= FEWEST_DIFFERENT
               ? PV_STATUS_OK
               : pv_i_hint(pv_i_fail(error, PV_STATUS_ARGUMENT,
                                     "the key of the identifiers' hashes can be guessed: it has "
                                     "%zu bytes, %zu of them different",
                                     asked->key_size, different),
                           error,
                           "at least %d bytes, %d of them different, are needed; random ones are "
                           "best: head -c 32 /dev/urandom > KEYFILE",
                           SMALLEST_KEY, FEWEST_DIFFERENT);
}

static pv_status open_papers(pv_release_job *job, pv_error *error)
{
    const char *const named = papers_of(job);
    char *const claimed =
        job->settings->asked.papers != NULL ? pv_i_strdup(named) : pv_i_papers_beside(named, "");
    char *const stem = pv_i_papers_stem(named);
    pv_status status = claimed != NULL && stem != NULL
                           ? pv_i_outputs_folder(job->outputs, claimed, error)
                           : pv_i_no_memory(error);
    for (size_t i = 0; i < PV_FILE_COUNT && status == PV_STATUS_OK; i++) {
        if (papers[i].ending == NULL || (i == PV_FILE_SCHEME && !pv_i_has_scheme_file(job))) {
            continue;
        }
        const size_t length = strlen(stem);
        char *const name = PV_ARENA_ARRAY(&job->arena, char, length + strlen(papers[i].ending) + 1);
        if (name == NULL) {
            status = pv_i_no_memory(error);
            break;
        }
        job->names[i] = strcat(strcpy(name, stem), papers[i].ending);
        status =
            pv_i_outputs_open_within(job->outputs, name, papers[i].audience, &job->files[i], error);
    }
    pv_i_free(claimed);
    pv_i_free(stem);
    return status;
}

static pv_status take_names(pv_release_job *job, pv_error *error)
{
    const char *const output = job->settings->output;
    const bool is_place = pv_i_is_place(output) && !pv_i_place_is_file(output);
    job->shown = pv_i_place_name(output);
    job->source = pv_i_place_name(pv_table_source(pv_study_table(job->study)));
    job->place = is_place ? pv_i_place_shown(output) : NULL;
    job->papers_stem = pv_i_papers_of_place(output);
    return job->shown != NULL && job->papers_stem != NULL && job->source != NULL &&
                   (job->place != NULL || !is_place)
               ? PV_STATUS_OK
               : pv_i_no_memory(error);
}

/* All are opened before the first byte is written: what is in the way shows at once. The table
 * comes last, its rename decides. */
static pv_status open_outputs(pv_release_job *job, pv_error *error)
{
    const pv_release_settings *const settings = job->settings;
    pv_output **const table = &job->files[PV_FILE_TABLE];
    PV_TRY(pv_plan_protect(pv_study_plan(job->study), job->outputs, error));
    PV_TRY(pv_outputs_protect(job->outputs, pv_table_source(pv_study_table(job->study)), error));
    if (pv_i_is_place(settings->output)) {
        PV_TRY(pv_i_released_table_open(job, error));
    }
    if (has_papers(job)) {
        PV_TRY(open_papers(job, error));
    }
    if (settings->asked.row_map != NULL) {
        PV_TRY(pv_i_outputs_open(job->outputs, settings->asked.row_map, PV_AUDIENCE_PUBLISHER,
                                 &job->files[PV_FILE_ROW_MAP], error));
    }
    if (is_stream(job) || job->publish != NULL) {
        PV_TRY(pv_i_outputs_scratch(job->outputs, table, error));
    }
    return is_beside(job) ? pv_i_outputs_open(job->outputs, settings->output, PV_AUDIENCE_PUBLIC,
                                              job->publish != NULL ? &job->made : table, error)
                          : PV_STATUS_OK;
}

/* ----------------------------------------------------------------------- write */

/* Without the suppressed rows the privacy of the release is that of its file. What is lost is still
 * lost, theirs included. */
static void measure_what_is_left(pv_release_job *job)
{
    pv_release_result *const result = job->result;
    job->measured_in_file = true;
    for (size_t i = 0; i < result->n_measures; i++) {
        const pv_measure *const measure = pv_measure_at(i);
        const pv_measure_ref ref = {.measure = measure, .parameter = measure->parameter_default};
        const pv_audit_value *const found =
            measure->family != PV_FAMILY_LOSS ? pv_audit_find(result->audit, ref) : NULL;
        if (found != NULL && found->available) {
            result->measures[i] = found->value;
        }
    }
}

static pv_status write_table(pv_release_job *job, pv_error *error)
{
    pv_output *const table = job->files[PV_FILE_TABLE];
    pv_output *const row_map = job->files[PV_FILE_ROW_MAP];
    if (pv_profile_rows(job->profile) >= MANY_ROWS && pv_i_threads(job->context) > 1) {
        pv_i_output_hash_behind(table);
    }
    PV_TRY(pv_i_release_rows(job, error));
    if (job->publish != NULL) {
        PV_TRY(pv_i_released_table_read(job, error));
    }
    PV_TRY(pv_i_output_finish(table, error));
    job->sha256 = pv_i_output_hash(job->made != NULL ? job->made : table);
    PV_TRY(pv_i_verify_file(job, error));
    if (job->settings->asked.drop_suppressed) {
        measure_what_is_left(job);
    }
    if (row_map == NULL) {
        return PV_STATUS_OK;
    }
    const char *const name = is_stream(job) ? PV_STREAM_NAME : job->shown;
    PV_TRY(
        pv_i_row_map_write(row_map, name, job->sha256, job->written_rows, job->n_written, error));
    pv_i_free(job->written_rows); /* 8 bytes for each row */
    job->written_rows = NULL;
    return pv_i_output_finish(row_map, error);
}

static pv_status take_promises(pv_release_job *job, pv_error *error)
{
    const pv_release_settings *const settings = job->settings;
    pv_release_result *const result = job->result;
    result->promise_holds = PV_NEW_ZEROED(bool, settings->n_promises);
    result->promise_values = PV_NEW_ZEROED(double, settings->n_promises);
    if (result->promise_holds == NULL || result->promise_values == NULL) {
        return pv_i_no_memory(error);
    }
    result->n_promises = settings->n_promises;
    for (size_t i = 0; i < settings->n_promises; i++) {
        pv_audit_value found;
        result->promise_holds[i] = pv_i_promise_holds(job, &settings->promises[i], &found);
        result->promise_values[i] = found.value;
    }
    return settings->asked.applying && !settings->asked.allow_weaker
               ? pv_i_check_promises(job, error)
               : PV_STATUS_OK;
}

/* "0-39, 40-79, ..." for each quasi-identifier; with levels by record there is nothing as short. */
static pv_status take_labels(pv_release_job *job, pv_error *error)
{
    pv_release_result *const result = job->result;
    const uint8_t *const levels = pv_classes_levels(job->after);
    const size_t n = levels != NULL ? pv_study_quasis(job->study) : 0;
    result->labels = PV_NEW_ZEROED(char *, n);
    if (result->labels == NULL) {
        return pv_i_no_memory(error);
    }
    for (; result->n_labels < n; result->n_labels++) {
        const size_t q = result->n_labels;
        const char *labels[SOME_LABELS + 1];
        const size_t found =
            pv_i_labels_shown(&job->label_counts[q], levels[q], SOME_LABELS + 1, labels);
        pv_buffer text = {.failed = found == SIZE_MAX};
        for (size_t i = 0; !text.failed && i < found && i < SOME_LABELS; i++) {
            pv_i_buffer_format(&text, "%s%s", i > 0 ? ", " : "", labels[i]);
        }
        const bool more = found > SOME_LABELS || found < result->audit->quasi_values[q];
        pv_i_buffer_text(&text, found == 0 ? "as it was" : more ? ", ..." : "");
        const pv_status status = pv_i_buffer_take(&text, &result->labels[q], error);
        pv_i_buffer_deinit(&text);
        PV_TRY(status);
    }
    return PV_STATUS_OK;
}

/* ---------------------------------------------------------------------- papers */

/* Frees the text. Its last line may lack its end. A file that is not wanted is not written. */
static pv_status write_text(const pv_release_job *job, pv_release_file file, char *text,
                            pv_error *error)
{
    pv_output *const output = job->files[file];
    const size_t length = strlen(text);
    pv_status status =
        output != NULL ? pv_i_output_write(output, text, length, error) : PV_STATUS_OK;
    if (output != NULL && status == PV_STATUS_OK && (length == 0 || text[length - 1] != '\n')) {
        status = pv_i_output_write(output, "\n", 1, error);
    }
    pv_string_free(text);
    return output != NULL && status == PV_STATUS_OK ? pv_i_output_finish(output, error) : status;
}

/* The same with two texts. */
static pv_status write_pair(const pv_release_job *job, pv_release_file file, char *first,
                            pv_release_file other, char *second, pv_error *error)
{
    const pv_status status = write_text(job, file, first, error);
    if (status != PV_STATUS_OK) {
        pv_string_free(second);
        return status;
    }
    return write_text(job, other, second, error);
}

/* Without a folder for them they are made all the same: the verdict is in the certificate. */
static pv_status write_papers(pv_release_job *job, pv_error *error)
{
    char *text = NULL;
    char *page = NULL;
    if (job->files[PV_FILE_SCHEME] != NULL) {
        PV_TRY(pv_i_scheme_file(job, &text, error));
        PV_TRY(write_text(job, PV_FILE_SCHEME, text, error));
    }
    PV_TRY(pv_i_certify(job, false, &text, &page, error));
    PV_TRY(write_pair(job, PV_FILE_CERTIFICATE, text, PV_FILE_CERTIFICATE_PAGE, page, error));
    PV_TRY(pv_i_certify(job, true, &text, &page, error));
    PV_TRY(write_pair(job, PV_FILE_REPORT, text, PV_FILE_REPORT_PAGE, page, error));
    PV_TRY(pv_i_codebook(job, &text, &page, error));
    return write_pair(job, PV_FILE_CODEBOOK, text, PV_FILE_CODEBOOK_TEXT, page, error);
}

/* `sha256sum -c` in the folder of the papers checks all of them and the table; of one that went to
 * standard output it reads the table from standard input. */
static pv_status write_sums(pv_release_job *job, char **folder, pv_error *error)
{
    const pv_release_settings *const settings = job->settings;
    pv_output *output = NULL;
    pv_buffer text = {0};
    pv_status status = PV_STATUS_OK;
    if (is_elsewhere(job)) { /* `sha256sum -c` takes it for a comment */
        pv_i_buffer_format(&text, PV_PAPERS_ROWS "%s  %s\n", job->sha256, job->papers_stem);
    } else {
        pv_i_buffer_format(&text, "%s  %s%s\n", job->sha256, is_stream(job) ? "" : "../",
                           job->shown);
    }
    for (size_t i = 0; i < PV_FILE_COUNT; i++) {
        if (job->names[i] != NULL) {
            pv_i_buffer_format(&text, "%s  %s\n", pv_i_output_hash(job->files[i]), job->names[i]);
        }
    }
    PV_TRY_CLEAN(text.failed ? pv_i_no_memory(error) : PV_STATUS_OK);
    PV_TRY_CLEAN(
        pv_i_outputs_open_within(job->outputs, PV_PAPERS_SUMS, PV_AUDIENCE_PUBLIC, &output, error));
    PV_TRY_CLEAN(pv_i_output_write(output, text.data, text.size, error));
    if (settings->asked.papers != NULL) {
        *folder = pv_i_strdup(settings->asked.papers);
        status = *folder != NULL ? PV_STATUS_OK : pv_i_no_memory(error);
    } else {
        status = pv_i_papers_name(papers_of(job), text.data, folder, error);
    }
cleanup:
    pv_i_buffer_deinit(&text);
    return status;
}

/* The papers of the table that is replaced go with it, unless somebody keeps other files there, or
 * the scheme being applied is one of them. */
static pv_status place_papers(pv_release_job *job, pv_error *error)
{
    const char *const table = job->settings->output;
    char hash[PV_SHA256_HEX];
    char *replaced = NULL;
    struct stat there;
    bool ours = false;
    if (is_beside(job) && stat(table, &there) == 0) {
        PV_TRY(pv_i_file_hash(table, hash, error));
        PV_TRY(pv_i_papers_find(table, hash, &replaced, error));
    }
    pv_status status =
        replaced != NULL ? pv_i_papers_are_ours(replaced, &ours, error) : PV_STATUS_OK;
    ours = ours && !pv_i_outputs_reads_from(job->outputs, replaced);
    if (status == PV_STATUS_OK) {
        status = pv_i_outputs_place(job->outputs, job->result->paths[PV_FILE_PAPERS],
                                    ours ? replaced : NULL, error);
    }
    pv_i_free(replaced);
    return status;
}

/* ---------------------------------------------------------------------- commit */

static pv_status copy_to_stream(void *ctx, pv_error *error)
{
    const pv_release_job *const job = ctx;
    const char *const path = pv_i_output_path(job->files[PV_FILE_TABLE]);
    pv_status status = PV_STATUS_OK;
    char block[1 << 14];
    ssize_t got = 0;
    int fd = -1;
    PV_TRY(pv_i_file_open(path, &fd, error));
    while (status == PV_STATUS_OK &&
           ((got = read(fd, block, sizeof block)) > 0 || (got < 0 && errno == EINTR))) {
        for (ssize_t done = 0; done < got && status == PV_STATUS_OK;) {
            const ssize_t n = write(STDOUT_FILENO, block + done, (size_t)(got - done));
            if (n < 0 && errno != EINTR) {
                status = pv_i_fail_errno(error, PV_STATUS_IO, PV_STREAM_NAME, "cannot write");
            }
            done += n > 0 ? n : 0;
        }
    }
    if (status == PV_STATUS_OK && got < 0) {
        status = pv_i_fail_errno(error, PV_STATUS_IO, path, "cannot read back");
    }
    (void)close(fd);
    return status;
}

static pv_status name_table(void *ctx, pv_error *error)
{
    const pv_release_job *const job = ctx;
    return pv_i_publish_name(job->publish, error);
}

static pv_status commit(pv_release_job *job, pv_error *error)
{
    const pv_release_settings *const settings = job->settings;
    char **const paths = job->result->paths;
    if (has_papers(job)) {
        PV_TRY(write_sums(job, &paths[PV_FILE_PAPERS], error));
        PV_TRY(place_papers(job, error));
    }
    /* Where everything will be; before the commit, since it may run out of memory. */
    const bool maps = settings->asked.row_map != NULL;
    paths[PV_FILE_TABLE] = pv_i_strdup(settings->output);
    paths[PV_FILE_ROW_MAP] = maps ? pv_i_strdup(settings->asked.row_map) : NULL;
    bool fine = paths[PV_FILE_TABLE] != NULL && (!maps || paths[PV_FILE_ROW_MAP] != NULL);
    for (size_t i = 0; i < PV_FILE_COUNT; i++) {
        if (job->names[i] != NULL) {
            paths[i] = pv_i_papers_within(paths[PV_FILE_PAPERS], job->names[i]);
            fine = fine && paths[i] != NULL;
        }
    }
    return fine ? pv_i_outputs_commit(job->outputs,
                                      is_elsewhere(job) ? name_table
                                      : is_stream(job)  ? copy_to_stream
                                                        : NULL,
                                      job, error)
                : pv_i_no_memory(error);
}

static pv_status run(pv_release_job *job, pv_error *error)
{
    if (job->result == NULL) {
        return pv_i_no_memory(error);
    }
    if (job->settings->checks_only) {
        PV_TRY(pv_i_evaluate(job, error));
        return pv_i_check_demands(job, error);
    }
    if (job->outputs == NULL) {
        PV_TRY(pv_outputs_create(job->settings->asked.force, &job->outputs, error));
    }
    if (job->settings->asked.hash_identifiers) {
        PV_TRY(check_key(&job->settings->asked, error));
    }
    PV_TRY(pv_i_evaluate(job, error));
    PV_TRY(pv_i_check_demands(job, error));
    PV_TRY(take_names(job, error));
    PV_TRY(open_outputs(job, error));
    PV_TRY(write_table(job, error));
    PV_TRY(take_promises(job, error));
    PV_TRY(take_labels(job, error));
    PV_TRY(write_papers(job, error));
    return commit(job, error);
}

pv_status pv_i_release_write(const pv_scheme *scheme, const pv_profile *profile,
                             const pv_release_settings *settings, const pv_context *context,
                             pv_release_result **result, pv_error *error)
{
    pv_release_job job = {.scheme = scheme,
                          .profile = profile,
                          .study = pv_profile_study(profile),
                          .settings = settings,
                          .context = context,
                          .outputs = settings->asked.outputs,
                          .result = PV_NEW(pv_release_result)};
    const pv_status status = run(&job, error);
    pv_i_publish_close(job.publish);
    pv_i_free(job.shown);
    pv_i_free(job.source);
    pv_i_free(job.place);
    pv_i_free(job.papers_stem);
    if (settings->asked.outputs == NULL) {
        pv_outputs_free(job.outputs);
    }
    pv_i_label_counts_free(job.label_counts, pv_study_quasis(job.study));
    pv_classes_free(job.before);
    pv_classes_free(job.after);
    pv_i_free(job.written_rows);
    pv_i_arena_deinit(&job.arena);
    if (status == PV_STATUS_OK) {
        *result = job.result;
    } else {
        pv_release_result_free(job.result);
    }
    return status;
}

/* ---------------------------------------------------------- the caller's words */

/* Levels, or levels record by record, of a profile that fits them: that is all there is from here.
 */
static pv_status write_any(const pv_study *study, const pv_scheme *scheme,
                           const pv_release_settings *settings, const pv_context *context,
                           pv_release_result **result, pv_error *error)
{
    pv_applied applied = {0};
    pv_status status = pv_i_applied_open(&applied, study, scheme, context, error);
    if (status == PV_STATUS_OK) {
        status =
            pv_i_release_write(applied.scheme, applied.profile, settings, context, result, error);
    }
    pv_i_applied_close(&applied);
    return status;
}

/* What the plan, or the scheme file, demands; `weaker`: then that is only promised. */
static pv_status take_planned(const pv_plan *plan, bool weaker, pv_constraint *demands,
                              size_t *n_demands, pv_constraint *promises, size_t *n_promises,
                              pv_error *error)
{
    pv_constraint planned[PV_MAX_CONSTRAINTS];
    size_t n = 0;
    PV_TRY(pv_plan_promises(plan, promises, n_promises, error));
    PV_TRY(pv_plan_demands(plan, planned, &n, error));
    if (plan->target_k > 0 && weaker) {
        const pv_constraint k = {.ref = {.measure = pv_measure_find("k")},
                                 .bound = (double)plan->target_k};
        PV_TRY(pv_constraints_add(planned, &n, &k, error));
    }
    for (size_t i = 0; i < n; i++) {
        PV_TRY(pv_constraints_add(weaker ? promises : demands, weaker ? n_promises : n_demands,
                                  &planned[i], error));
    }
    return PV_STATUS_OK;
}

/* Budget, target and demands are the plan's, unless the caller says otherwise; demands add up. A
 * path of NULL: demands are checked, and that is all. */
static pv_status write_as(const pv_study *study, const pv_scheme *scheme, const char *path,
                          const pv_release_options *options, bool weaker,
                          pv_release_result **result, pv_error *error)
{
    const pv_plan *const plan = pv_study_plan(study);
    pv_release_settings settings = {.output = path, .checks_only = path == NULL};
    pv_release_options *const asked = &settings.asked;
    pv_constraint demands[PV_MAX_CONSTRAINTS];
    pv_constraint promises[PV_MAX_CONSTRAINTS];
    size_t n_demands = 0;
    *asked = *options;
    PV_TRY(take_planned(plan, weaker, demands, &n_demands, promises, &settings.n_promises, error));
    for (size_t i = 0; i < asked->n_constraints; i++) {
        PV_TRY(pv_constraints_add(demands, &n_demands, &asked->constraints[i], error));
    }
    if (scheme->demands != NULL && scheme->demands[0] != '\0') {
        pv_constraint chosen[PV_MAX_CONSTRAINTS];
        size_t n_chosen = 0;
        PV_TRY(pv_constraints_parse(scheme->demands, chosen, &n_chosen, error));
        for (size_t i = 0; i < n_chosen; i++) {
            PV_TRY(pv_constraints_add(demands, &n_demands, &chosen[i], error));
        }
    }
    const uint64_t target_k = asked->target_k > 0 || weaker ? asked->target_k : plan->target_k;
    if (target_k > 0) { /* the one way to say it that suppression and all checks read */
        const pv_constraint k = {.ref = {.measure = pv_measure_find("k")},
                                 .bound = (double)target_k};
        PV_TRY(pv_constraints_add(demands, &n_demands, &k, error));
    }
    asked->constraints = demands;
    asked->n_constraints = n_demands;
    asked->budget = asked->budget != NULL ? asked->budget : &plan->suppression;
    settings.promises = promises;
    settings.refuse_unique = !asked->applying;
    settings.suppression = (pv_suppression){
        .budget = pv_budget_rows(asked->budget, pv_table_rows(pv_study_table(study))),
        .target_k = target_k,
        /* A scheme that was chosen for demands is suppressed for them, and for nothing else. */
        .whole_budget = (asked->whole_budget || plan->whole_budget) && !asked->as_needed &&
                        scheme->demands == NULL};
    const pv_context *const context =
        asked->context != NULL ? asked->context : pv_study_context(study);
    return write_any(study, scheme, &settings, context, result, error);
}

/* Who applies a scheme and accepts less than it promised gets that only where what it demands of
 * every table cannot be kept. Demands are checked before any file is opened. */
pv_status pv_release_write(const pv_study *study, const pv_scheme *scheme, const char *path,
                           const pv_release_options *options, pv_release_result **result,
                           pv_error *error)
{
    pv_release_options asked;
    pv_release_result *made = NULL;
    PV_TRY(PV_TAKE_OPTIONS(asked, options, error));
    if (scheme == NULL) {
        return pv_i_fail(error, PV_STATUS_ARGUMENT, "there is no scheme to release");
    }
    pv_status status = write_as(study, scheme, path, &asked, false, &made, error);
    if (status == PV_STATUS_UNSATISFIED && asked.applying && asked.allow_weaker) {
        if (error != NULL) {
            *error = (pv_error){0};
        }
        status = write_as(study, scheme, path, &asked, true, &made, error);
    }
    PV_TRY(status);
    if (result != NULL) {
        *result = made;
    } else {
        pv_release_result_free(made);
    }
    return PV_STATUS_OK;
}

pv_status pv_release_check(const pv_study *study, const pv_scheme *scheme,
                           const pv_release_options *options, pv_error *error)
{
    pv_release_options asked;
    pv_release_result *none = NULL;
    PV_TRY(PV_TAKE_OPTIONS(asked, options, error));
    if (scheme == NULL) {
        return pv_i_fail(error, PV_STATUS_ARGUMENT, "there is no scheme to release");
    }
    asked.outputs = NULL;
    const pv_status status = write_as(study, scheme, NULL, &asked, false, &none, error);
    pv_release_result_free(none);
    return status;
}

/* ---------------------------------------------------------------------- result */

const char *pv_row_order_name(pv_row_order order)
{
    static const char *const names[] = {
        [PV_ORDER_SORTED] = "sorted", [PV_ORDER_SHUFFLED] = "shuffled", [PV_ORDER_KEPT] = "kept"};
    return names[order];
}

const char *pv_release_verdict(const pv_release_result *result)
{
    return result->verdict;
}

const char *pv_release_path(const pv_release_result *result, pv_release_file file)
{
    return result->paths[file];
}

uint64_t pv_release_n_rows(const pv_release_result *result)
{
    return result->rows;
}

uint64_t pv_release_n_suppressed(const pv_release_result *result)
{
    return result->suppressed;
}

uint64_t pv_release_n_left_out(const pv_release_result *result)
{
    return result->left_out;
}

uint64_t pv_release_n_classes(const pv_release_result *result)
{
    return result->classes_after;
}

uint64_t pv_release_n_classes_before(const pv_release_result *result)
{
    return result->classes_before;
}

uint64_t pv_release_k(const pv_release_result *result)
{
    return result->k;
}

const double *pv_release_measures(const pv_release_result *result, size_t *n)
{
    *n = result->n_measures;
    return result->measures;
}

const double *pv_release_measures_before(const pv_release_result *result, size_t *n)
{
    *n = result->n_measures;
    return result->measures_before;
}

const bool *pv_release_measured(const pv_release_result *result, size_t *n)
{
    *n = result->n_measures;
    return result->measured;
}

const char *pv_release_labels(const pv_release_result *result, size_t quasi)
{
    return quasi < result->n_labels ? result->labels[quasi] : NULL;
}

const pv_formula_column *pv_release_formulas(const pv_release_result *result, size_t *n)
{
    *n = result->n_formulas;
    return result->formulas;
}

const pv_audit *pv_release_audit(const pv_release_result *result)
{
    return result->audit;
}

size_t pv_release_n_promises(const pv_release_result *result)
{
    return result->n_promises;
}

bool pv_release_promise_holds(const pv_release_result *result, size_t promise, double *value)
{
    *value = result->promise_values[promise];
    return result->promise_holds[promise];
}

void pv_release_result_free(pv_release_result *result)
{
    if (result == NULL) {
        return;
    }
    for (size_t i = 0; i < PV_FILE_COUNT; i++) {
        pv_i_free(result->paths[i]);
    }
    for (size_t i = 0; i < result->n_labels; i++) {
        pv_string_free(result->labels[i]);
    }
    for (size_t i = 0; i < result->n_formulas; i++) {
        pv_i_free(result->formulas[i].name);
    }
    pv_i_free(result->labels);
    pv_i_free(result->formulas);
    pv_i_free(result->measures);
    pv_i_free(result->measures_before);
    pv_i_free(result->measured);
    pv_i_free(result->promise_holds);
    pv_i_free(result->promise_values);
    pv_audit_free(result->audit);
    pv_i_free(result);
}
