/* Writing a verified release.
 *
 *   evaluate in memory -> write under a hidden name -> read back and audit -> papers -> one rename
 *
 * Nothing carries its final name before everything is known to hold. What belongs to a release and
 * how it appears in one step is told in papers.h and base/outputs.h. */
#include "base/buffer.h"
#include "base/error.h"
#include "base/file.h"
#include "base/memory.h"
#include "base/options.h"
#include "base/outputs.h"
#include "base/pool.h"
#include "plan/plan.h"
#include "release/certify.h"
#include "release/codebook.h"
#include "release/evaluation.h"
#include "release/papers.h"
#include "release/promise.h"
#include "release/recode_rows.h"
#include "release/settings.h"
#include "release/verify.h"
#include "scheme/scheme.h"
#include "table/row_map.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define SMALLEST_KEY 16
#define MANY_ROWS 100000 /* worth a thread for their hash */
#define FEWEST_DIFFERENT 8

typedef enum {
    CERTIFICATE,
    PAGE,
    CODEBOOK,
    CODEBOOK_TEXT,
    REPORT,
    REPORT_PAGE,
    SCHEME,
    N_PAPERS
} paper;

static const struct {
    const char *ending;
    pv_audience audience;
} papers[N_PAPERS] = {
    [CERTIFICATE] = {".certificate.json", PV_AUDIENCE_PUBLIC},
    [PAGE] = {".certificate.html", PV_AUDIENCE_PUBLIC},
    [CODEBOOK] = {".codebook.csv", PV_AUDIENCE_PUBLIC},
    [CODEBOOK_TEXT] = {".codebook.md", PV_AUDIENCE_PUBLIC},
    /* What the original was like, and how to get from its values to the labels: */
    [REPORT] = {".publisher.json", PV_AUDIENCE_PUBLISHER},
    [REPORT_PAGE] = {".publisher.html", PV_AUDIENCE_PUBLISHER},
    [SCHEME] = {".scheme.json", PV_AUDIENCE_PUBLISHER},
};

typedef struct {
    const pv_scheme *scheme;
    const pv_profile *profile;
    const pv_study *study;
    const pv_release_settings *options;
    const pv_context *context;
    pv_evaluation evaluation;
    pv_outputs *outputs; /* all files; the caller's or our own */
    pv_output *table;
    pv_output *row_map; /* NULL = not asked for */
    pv_written_rows written;
    char *stem;            /* of the names of papers */
    char *names[N_PAPERS]; /* NULL = not written */
    pv_output *files[N_PAPERS];
    char *folder; /* of the papers */
    pv_release_result *result;
    pv_error *error;
} release_work;

/* --------------------------------------------------------------- files */

static bool is_stream(const release_work *work)
{
    return strcmp(work->options->output, "-") == 0;
}

static bool has_papers(const release_work *work)
{
    return !is_stream(work) || work->options->papers != NULL;
}

/* FOLDER/STEM.ending, or without a folder its last part; NULL = no memory. */
static char *paper_path(const char *folder, const char *stem, const char *ending)
{
    char *path = NULL;
    pv_buffer text = {0};
    pv_i_buffer_format(&text, "%s%s%s%s", folder != NULL ? folder : "", folder != NULL ? "/" : "",
                       stem, ending);
    (void)!pv_i_buffer_take(&text, &path, NULL);
    pv_i_buffer_deinit(&text);
    return path;
}

static pv_status open_papers(release_work *work)
{
    const char *const named = is_stream(work) ? work->options->papers : work->options->output;
    char *const claimed =
        is_stream(work) ? pv_i_strdup(work->options->papers) : pv_i_papers_claim(named);
    work->stem = pv_i_papers_stem(named);
    pv_status status = claimed != NULL && work->stem != NULL
                           ? pv_i_outputs_folder(work->outputs, claimed, work->error)
                           : pv_i_no_memory(work->error);
    pv_i_free(claimed);
    for (size_t i = 0; i < N_PAPERS && status == PV_STATUS_OK; i++) {
        if (i == SCHEME && work->scheme->records != NULL) {
            continue; /* it is of no use for other rows */
        }
        work->names[i] = paper_path(NULL, work->stem, papers[i].ending);
        status = work->names[i] != NULL
                     ? pv_i_outputs_open_within(work->outputs, work->names[i], papers[i].audience,
                                                &work->files[i], work->error)
                     : pv_i_no_memory(work->error);
    }
    return status;
}

/* All are opened before the first byte is written: what stands in the way shows at once. The table
 * comes last, its rename decides. Until it is verified, what goes to standard output is kept in the
 * folder for temporary files. */
static pv_status open_outputs(release_work *work)
{
    PV_TRY(pv_plan_protect(pv_study_plan(work->study), work->outputs, work->error));
    PV_TRY(pv_outputs_protect(work->outputs, pv_table_source(pv_study_table(work->study)),
                              work->error));
    if (has_papers(work)) {
        PV_TRY(open_papers(work));
    }
    if (work->options->row_map != NULL) {
        PV_TRY(pv_i_outputs_open(work->outputs, work->options->row_map, PV_AUDIENCE_PUBLISHER,
                                 &work->row_map, work->error));
    }
    return is_stream(work) ? pv_i_outputs_scratch(work->outputs, &work->table, work->error)
                           : pv_i_outputs_open(work->outputs, work->options->output,
                                               PV_AUDIENCE_PUBLIC, &work->table, work->error);
}

static size_t count_different(const unsigned char *bytes, size_t n)
{
    bool seen[256] = {false};
    size_t different = 0;
    for (size_t i = 0; i < n; i++) {
        different += !seen[bytes[i]];
        seen[bytes[i]] = true;
    }
    return different;
}

/* Whoever guesses the key can test every identifier. Of 16 random bytes fewer than 8 differ once in
 * a million million times: such a key was not drawn, but typed. */
static pv_status check_options(const release_work *work)
{
    const pv_release_settings *const options = work->options;
    if (!options->hash_identifiers) {
        return PV_STATUS_OK;
    }
    const size_t different = count_different(options->key, options->key_size);
    if (options->key_size >= SMALLEST_KEY && different >= FEWEST_DIFFERENT) {
        return PV_STATUS_OK;
    }
    return pv_i_hint(pv_i_fail(work->error, PV_STATUS_ARGUMENT,
                               "the key of the identifiers' hashes can be guessed: it has %zu "
                               "bytes, %zu of them different",
                               options->key_size, different),
                     work->error,
                     "at least %d bytes, %d of them different, are needed; random ones are best: "
                     "head -c 32 /dev/urandom > KEYFILE",
                     SMALLEST_KEY, FEWEST_DIFFERENT);
}

/* ---------------------------------------------------------- write, verify */

/* Without the suppressed rows the privacy of the release is that of its file. What is lost is still
 * lost, theirs included. */
static void measure_what_is_left(pv_evaluation *evaluation, const pv_audit *audit)
{
    evaluation->is_of_file = true;
    for (size_t i = 0; i < evaluation->n_measures; i++) {
        const pv_measure *const measure = pv_measure_at(i);
        const pv_measure_ref ref = {.measure = measure, .parameter = measure->parameter_default};
        const pv_audit_value *const found =
            measure->family != PV_FAMILY_LOSS ? pv_audit_find(audit, ref) : NULL;
        if (found != NULL && found->available) {
            evaluation->value_after[i] = found->value;
        }
    }
}

/* Not needed any more once it is written. */
static pv_status write_row_map(release_work *work)
{
    if (work->row_map == NULL) {
        return PV_STATUS_OK;
    }
    const char *const name =
        is_stream(work) ? PV_STREAM_NAME : pv_i_base_name(work->options->output);
    PV_TRY(pv_i_row_map_write(work->row_map, name, pv_i_output_hash(work->table),
                              work->written.rows, work->written.n, work->error));
    pv_i_free(work->written.rows);
    work->written.rows = NULL;
    return pv_i_output_finish(work->row_map, work->error);
}

static pv_status write_table(release_work *work)
{
    if (pv_profile_rows(work->profile) >= MANY_ROWS && pv_i_threads(work->context) > 1) {
        pv_i_output_hash_behind(work->table);
    }
    PV_TRY(pv_i_release_rows(work->scheme, work->evaluation.after, work->options, work->table,
                             work->context, &work->written, work->error));
    PV_TRY(pv_i_output_finish(work->table, work->error));
    PV_TRY(pv_i_verify_file(pv_i_output_path(work->table), work->options->output, &work->evaluation,
                            work->options, work->context, &work->result->audit, work->error));
    if (work->options->drop_suppressed) {
        measure_what_is_left(&work->evaluation, work->result->audit);
    }
    return write_row_map(work);
}

/* The last line of the text may lack its end. */
static pv_status write_text(release_work *work, paper file, char *text)
{
    if (work->files[file] == NULL) {
        pv_string_free(text);
        return PV_STATUS_OK;
    }
    pv_output *const output = work->files[file];
    const size_t length = strlen(text);
    pv_status status = pv_i_output_write(output, text, length, work->error);
    if (status == PV_STATUS_OK && (length == 0 || text[length - 1] != '\n')) {
        status = pv_i_output_write(output, "\n", 1, work->error);
    }
    pv_string_free(text);
    return status == PV_STATUS_OK ? pv_i_output_finish(output, work->error) : status;
}

/* ------------------------------------------------------------ certificate */

/* What goes with the table, or what its publisher keeps. */
static pv_status write_certificate(release_work *work, bool for_publisher)
{
    const pv_certify_input input = {.evaluation = &work->evaluation,
                                    .options = work->options,
                                    .audit = work->result->audit,
                                    .table_path = work->options->output,
                                    .scheme_path = work->names[SCHEME],
                                    .sha256 = pv_i_output_hash(work->table),
                                    .formulas = work->written.formulas,
                                    .n_formulas = work->written.n_formulas,
                                    .for_publisher = for_publisher,
                                    .context = work->context};
    char *json = NULL;
    char *page = NULL;
    pv_verdict verdict = PV_VERDICT_VERIFIED;
    PV_TRY(pv_i_certify(&input, &json, &page, &verdict, work->error));
    work->result->verdict = pv_i_verdict_name(verdict);
    const pv_status status = write_text(work, for_publisher ? REPORT : CERTIFICATE, json);
    if (status != PV_STATUS_OK) {
        pv_string_free(page);
        return status;
    }
    return write_text(work, for_publisher ? REPORT_PAGE : PAGE, page);
}

/* --------------------------------------------------------------- codebook */

static pv_status write_codebook(release_work *work)
{
    char *csv = NULL;
    char *text = NULL;
    PV_TRY(pv_i_codebook(work->evaluation.after, work->evaluation.shown, work->options,
                         work->options->output, &csv, &text, work->error));
    const pv_status status = write_text(work, CODEBOOK, csv);
    if (status != PV_STATUS_OK) {
        pv_string_free(text);
        return status;
    }
    return write_text(work, CODEBOOK_TEXT, text);
}

/* ------------------------------------------------------------------ commit */

/* `sha256sum -c` in the folder of the papers checks all of them and the table; of one that went to
 * standard output it reads the table from standard input. */
static pv_status write_sums(release_work *work)
{
    pv_output *output = NULL;
    pv_buffer text = {0};
    pv_i_buffer_format(&text, "%s  %s%s\n", pv_i_output_hash(work->table),
                       is_stream(work) ? "" : "../", pv_i_base_name(work->options->output));
    for (size_t i = 0; i < N_PAPERS; i++) {
        if (work->files[i] != NULL) {
            pv_i_buffer_format(&text, "%s  %s\n", pv_i_output_hash(work->files[i]), work->names[i]);
        }
    }
    pv_status status = text.failed ? pv_i_no_memory(work->error) : PV_STATUS_OK;
    PV_TRY_CLEAN(status);
    PV_TRY_CLEAN(pv_i_outputs_open_within(work->outputs, PV_PAPERS_SUMS, PV_AUDIENCE_PUBLIC,
                                          &output, work->error));
    PV_TRY_CLEAN(pv_i_output_write(output, text.data, text.size, work->error));
    if (is_stream(work)) {
        work->folder = pv_i_strdup(work->options->papers);
        status = work->folder != NULL ? PV_STATUS_OK : pv_i_no_memory(work->error);
    } else {
        status = pv_i_papers_name(work->options->output, text.data, &work->folder, work->error);
    }
cleanup:
    pv_i_buffer_deinit(&text);
    return status;
}

/* The papers of the table that is replaced go with it, unless somebody keeps other files there, or
 * the scheme being applied is one of them. */
static pv_status place_papers(release_work *work)
{
    char hash[PV_SHA256_HEX];
    char *replaced = NULL;
    struct stat there;
    if (!is_stream(work) && stat(work->options->output, &there) == 0) {
        PV_TRY(pv_i_file_hash(work->options->output, hash, work->error));
        PV_TRY(pv_i_papers_find(work->options->output, hash, &replaced, work->error));
    }
    bool ours = false;
    pv_status status =
        replaced != NULL ? pv_i_papers_are_ours(replaced, &ours, work->error) : PV_STATUS_OK;
    ours = ours && !pv_i_outputs_reads_from(work->outputs, replaced);
    if (status == PV_STATUS_OK) {
        status =
            pv_i_outputs_place(work->outputs, work->folder, ours ? replaced : NULL, work->error);
    }
    pv_i_free(replaced);
    return status;
}

/* False with errno if it cannot all be written. */
static bool write_all(const char *data, size_t size)
{
    while (size > 0) {
        const ssize_t n = write(STDOUT_FILENO, data, size);
        if (n < 0 && errno != EINTR) {
            return false;
        }
        data += n > 0 ? n : 0;
        size -= n > 0 ? (size_t)n : 0;
    }
    return true;
}

/* On standard output a table cannot be taken back: it comes after everything else. */
static pv_status copy_to_stream(void *ctx, pv_error *error)
{
    const release_work *const work = ctx;
    const char *const path = pv_i_output_path(work->table);
    pv_status status = PV_STATUS_OK;
    char block[1 << 14];
    ssize_t got = 0;
    int fd = -1;
    PV_TRY(pv_i_file_open(path, &fd, error));
    while (status == PV_STATUS_OK &&
           ((got = read(fd, block, sizeof block)) > 0 || (got < 0 && errno == EINTR))) {
        if (!write_all(block, got > 0 ? (size_t)got : 0)) {
            status = pv_i_fail_errno(error, PV_STATUS_IO, PV_STREAM_NAME, "cannot write");
        }
    }
    if (status == PV_STATUS_OK && got < 0) {
        status = pv_i_fail_errno(error, PV_STATUS_IO, path, "cannot read back");
    }
    (void)close(fd);
    return status;
}

/* Where everything will be; before the commit, since it may run out of memory. */
static pv_status tell_paths(release_work *work)
{
    pv_release_result *const result = work->result;
    char **const told[N_PAPERS] = {
        [CERTIFICATE] = &result->certificate_path, [PAGE] = &result->page_path,
        [CODEBOOK] = &result->codebook_path,       [CODEBOOK_TEXT] = &result->codebook_text_path,
        [REPORT] = &result->report_path,           [REPORT_PAGE] = &result->report_page_path,
        [SCHEME] = &result->scheme_path,
    };
    result->table_path = pv_i_strdup(work->options->output);
    result->papers_path = has_papers(work) ? pv_i_strdup(work->folder) : NULL;
    result->row_map_path = work->row_map != NULL ? pv_i_strdup(work->options->row_map) : NULL;
    bool fine = result->table_path != NULL && (!has_papers(work) || result->papers_path != NULL) &&
                (work->row_map == NULL || result->row_map_path != NULL);
    for (size_t i = 0; i < N_PAPERS; i++) {
        if (work->files[i] != NULL) {
            *told[i] = paper_path(work->folder, work->stem, papers[i].ending);
            fine = fine && *told[i] != NULL;
        }
    }
    return fine ? PV_STATUS_OK : pv_i_no_memory(work->error);
}

static pv_status commit(release_work *work)
{
    if (has_papers(work)) {
        PV_TRY(write_sums(work));
        PV_TRY(place_papers(work));
    }
    PV_TRY(tell_paths(work));
    return pv_i_outputs_commit(work->outputs, is_stream(work) ? copy_to_stream : NULL, work,
                               work->error);
}

/* ------------------------------------------------------------------ result */

static pv_status keep_promises(release_work *work)
{
    pv_release_result *const result = work->result;
    const pv_release_settings *const options = work->options;
    result->n_promises = options->n_promises;
    result->promise_holds = PV_NEW_ZEROED(bool, options->n_promises);
    result->promise_values = PV_NEW_ZEROED(double, options->n_promises);
    if (result->promise_holds == NULL || result->promise_values == NULL) {
        return pv_i_no_memory(work->error);
    }
    for (size_t i = 0; i < options->n_promises; i++) {
        pv_audit_value found;
        result->promise_holds[i] =
            pv_i_promise_holds(&options->promises[i], &work->evaluation, result->audit, &found);
        result->promise_values[i] = found.value;
    }
    return options->applying && !options->allow_weaker
               ? pv_i_check_promises(&work->evaluation, result->audit, work->study, options,
                                     work->error)
               : PV_STATUS_OK;
}

#define LABELS_TOLD 3

/* Of `n_values` that stand in the release. */
static char *join_labels(const char *const *labels, size_t n, uint64_t n_values)
{
    pv_buffer text = {0};
    for (size_t i = 0; i < n && i < LABELS_TOLD; i++) {
        pv_i_buffer_format(&text, "%s%s", i > 0 ? ", " : "", labels[i]);
    }
    pv_i_buffer_text(&text, n == 0 ? "as it was" : n > LABELS_TOLD || n < n_values ? ", ..." : "");
    char *joined = NULL;
    return pv_i_buffer_take(&text, &joined, NULL) == PV_STATUS_OK ? joined : NULL;
}

static pv_status tell_labels(release_work *work)
{
    const pv_classes *const after = work->evaluation.after;
    const uint8_t *const levels = pv_classes_levels(after);
    const size_t n = levels != NULL ? pv_study_quasis(work->study) : 0;
    work->result->released_as = PV_NEW_ZEROED(char *, n);
    if (work->result->released_as == NULL) {
        return pv_i_no_memory(work->error);
    }
    for (size_t q = 0; q < n; q++) {
        const char *labels[LABELS_TOLD + 1];
        const size_t n_labels =
            pv_i_shown_labels(&work->evaluation.shown[q], levels[q], LABELS_TOLD + 1, labels);
        char *const joined =
            n_labels != SIZE_MAX
                ? join_labels(labels, n_labels, work->result->audit->quasi_values[q])
                : NULL;
        if (joined == NULL) {
            return pv_i_no_memory(work->error);
        }
        work->result->released_as[work->result->n_released_as++] = joined;
    }
    return PV_STATUS_OK;
}

/* The result takes over what the work has built; only after the commit, so it cannot fail. */
static void fill_result(release_work *work)
{
    pv_release_result *const result = work->result;
    pv_evaluation *const e = &work->evaluation;
    result->rows = pv_profile_rows(work->profile);
    result->suppressed = pv_classes_suppressed(e->after);
    result->left_out = work->options->drop_suppressed ? result->suppressed : 0;
    result->classes_before = pv_classes_remaining(e->before);
    result->classes_after = pv_classes_remaining(e->after);
    result->k = pv_classes_k(e->after);
    result->measures = e->value_after;
    result->measures_before = e->value_before;
    result->measured = e->available;
    result->n_measures = e->n_measures;
    e->value_after = e->value_before = NULL;
    e->available = NULL;
    result->formulas = work->written.formulas;
    result->n_formulas = work->written.n_formulas;
    work->written.formulas = NULL;
}

static pv_status run(release_work *work)
{
    PV_TRY(check_options(work));
    PV_TRY(pv_i_evaluation_init(&work->evaluation, work->scheme, work->profile,
                                &work->options->suppression, work->context, work->error));
    PV_TRY(pv_i_check_demands(&work->evaluation, work->options, work->error));
    PV_TRY(open_outputs(work));
    PV_TRY(write_table(work));
    PV_TRY(keep_promises(work));
    PV_TRY(tell_labels(work));
    if (work->files[SCHEME] != NULL) {
        char *scheme = NULL;
        PV_TRY(pv_i_release_scheme(work->scheme, &work->evaluation, work->options, &scheme,
                                   work->error));
        PV_TRY(write_text(work, SCHEME, scheme));
    }
    PV_TRY(write_certificate(work, false));
    PV_TRY(write_certificate(work, true));
    PV_TRY(write_codebook(work));
    PV_TRY(commit(work));
    fill_result(work);
    return PV_STATUS_OK;
}

const char *pv_row_order_name(pv_row_order order)
{
    static const char *const names[] = {
        [PV_ORDER_SORTED] = "sorted", [PV_ORDER_SHUFFLED] = "shuffled", [PV_ORDER_KEPT] = "kept"};
    return names[order];
}

pv_status pv_i_release_write(const pv_scheme *scheme, const pv_profile *profile,
                             const pv_release_settings *options, const pv_context *context,
                             pv_release_result **result, pv_error *error)
{
    release_work work = {.scheme = scheme,
                         .profile = profile,
                         .study = pv_profile_study(profile),
                         .options = options,
                         .context = context,
                         .outputs = options->outputs,
                         .result = PV_NEW(pv_release_result),
                         .error = error};
    pv_status status = work.result != NULL ? PV_STATUS_OK : pv_i_no_memory(error);
    if (status == PV_STATUS_OK && work.outputs == NULL) {
        status = pv_outputs_create(options->force, &work.outputs, error);
    }
    if (status == PV_STATUS_OK) {
        status = run(&work);
    }
    if (options->outputs == NULL) {
        pv_outputs_free(work.outputs);
    }
    for (size_t i = 0; i < N_PAPERS; i++) {
        pv_i_free(work.names[i]);
    }
    pv_i_free(work.stem);
    pv_i_free(work.folder);
    pv_i_evaluation_deinit(&work.evaluation);
    pv_i_written_rows_deinit(&work.written);
    if (status == PV_STATUS_OK) {
        *result = work.result;
    } else {
        pv_release_result_free(work.result);
    }
    return status;
}

/* ------------------------------------------------------------- the caller's words */

/* Budget, target and demands: the plan's, unless the caller says otherwise; demands add up. */
static pv_status resolve(const pv_study *study, const char *path, const pv_release_options *asked,
                         pv_constraint *demands, pv_constraint *promises,
                         pv_release_settings *settings, pv_error *error)
{
    const pv_plan *const plan = pv_study_plan(study);
    const pv_budget *const budget = asked->budget != NULL ? asked->budget : &plan->suppression;
    const uint64_t n_rows = pv_table_rows(pv_study_table(study));
    *settings = (pv_release_settings){
        .output = path,
        .papers = asked->papers,
        .force = asked->force,
        .outputs = asked->outputs,
        .refuse_unique = !asked->applying,
        .suppression = {.budget = pv_budget_rows(budget, n_rows),
                        .target_k = asked->target_k > 0 ? asked->target_k : plan->target_k},
        .budget = budget,
        .constraints = demands,
        .drop_suppressed = asked->drop_suppressed,
        .order = asked->order,
        .seed = asked->seed,
        .row_map = asked->row_map,
        .escape_formulas = asked->escape_formulas,
        .hash_identifiers = asked->hash_identifiers,
        .key = asked->key,
        .key_size = asked->key_size,
        .delimiter = asked->delimiter,
        .applying = asked->applying,
        .promises = promises,
        .allow_weaker = asked->allow_weaker,
    };
    PV_TRY(pv_plan_demands(plan, demands, &settings->n_constraints, error));
    PV_TRY(pv_plan_promises(plan, promises, &settings->n_promises, error));
    for (size_t i = 0; i < asked->n_constraints; i++) {
        PV_TRY(
            pv_constraints_add(demands, &settings->n_constraints, &asked->constraints[i], error));
    }
    return PV_STATUS_OK;
}

/* Cuts are levels of hierarchies made for them: the same table is seen through another plan. */
static pv_status write_cuts(const pv_study *study, const pv_cuts *cuts,
                            const pv_release_settings *settings, const pv_context *context,
                            pv_release_result **result, pv_error *error)
{
    pv_study *cut = NULL;
    pv_profile *profile = NULL;
    pv_scheme *scheme = NULL;
    pv_status status = pv_study_cut(study, cuts, &cut, error);
    if (status == PV_STATUS_OK) {
        status = pv_profile_create(cut, context, &profile, error);
    }
    if (status == PV_STATUS_OK) {
        status = pv_scheme_from_plan(cut, &scheme, error);
    }
    if (status == PV_STATUS_OK) {
        status = pv_i_release_write(scheme, profile, settings, context, result, error);
    }
    pv_scheme_free(scheme);
    pv_profile_free(profile);
    pv_study_free(cut);
    return status;
}

pv_status pv_release_write(const pv_study *study, const pv_scheme *scheme, const char *path,
                           const pv_release_options *options, pv_release_result **result,
                           pv_error *error)
{
    pv_release_options asked;
    pv_release_settings settings;
    pv_constraint demands[PV_MAX_CONSTRAINTS];
    pv_constraint promises[PV_MAX_CONSTRAINTS];
    const pv_profile *profile = NULL;
    pv_release_result *made = NULL;
    PV_TRY(PV_TAKE_OPTIONS(asked, options, error));
    if (scheme == NULL) {
        return pv_i_fail(error, PV_STATUS_ARGUMENT, "there is no scheme to release");
    }
    PV_TRY(resolve(study, path, &asked, demands, promises, &settings, error));
    const pv_context *const context =
        asked.context != NULL ? asked.context : pv_study_context(study);
    if (pv_scheme_kind_of(scheme) == PV_SCHEME_CUTS) {
        PV_TRY(write_cuts(study, pv_scheme_cuts(scheme), &settings, context, &made, error));
    } else {
        PV_TRY(pv_study_profile(study, &profile, error));
        PV_TRY(pv_i_release_write(scheme, profile, &settings, context, &made, error));
    }
    if (result != NULL) {
        *result = made;
    } else {
        pv_release_result_free(made);
    }
    return PV_STATUS_OK;
}

void pv_release_result_free(pv_release_result *result)
{
    if (result == NULL) {
        return;
    }
    pv_i_free(result->table_path);
    pv_i_free(result->papers_path);
    pv_i_free(result->scheme_path);
    pv_i_free(result->row_map_path);
    pv_i_formulas_free(result->formulas, result->n_formulas);
    pv_i_free(result->certificate_path);
    pv_i_free(result->page_path);
    pv_i_free(result->codebook_path);
    pv_i_free(result->codebook_text_path);
    pv_i_free(result->report_path);
    pv_i_free(result->report_page_path);
    pv_i_free(result->measures);
    pv_i_free(result->measures_before);
    for (size_t i = 0; i < result->n_released_as; i++) {
        pv_string_free(result->released_as[i]);
    }
    pv_i_free(result->released_as);
    pv_i_free(result->measured);
    pv_i_free(result->promise_holds);
    pv_i_free(result->promise_values);
    pv_audit_free(result->audit);
    pv_i_free(result);
}
