/* Is the release what it should be? Asked four times, each time nothing is written unless it is:
 *
 *   - before a row is written: do the demands hold in memory?
 *   - the file as the independent checker reads it from disk: is it what memory says?
 *   - in that file: do the demands hold, and does no column released as it is single people out?
 *   - where the scheme of another table is applied: is everything kept that it promised? */
#include "release/release.h"

#include "base/buffer.h"
#include "base/error.h"

#include <inttypes.h>
#include <math.h>
#include <string.h>

/* --------------------------------------------------------------------- demands */

/* Of several sensitive columns the one at fault is named; SIZE_MAX = none is. */
static void list_column(pv_buffer *list, const pv_study *study, size_t sensitive)
{
    if (sensitive != SIZE_MAX && pv_study_sensitives(study) > 1) {
        pv_i_buffer_format(
            list, " for `%s`",
            pv_table_name(pv_study_table(study), pv_study_sensitive_column(study, sensitive)));
    }
}

static void list_unmet(pv_buffer *list, const pv_constraint *constraint, double value,
                       const pv_study *study, size_t sensitive)
{
    char text[PV_MEASURE_TEXT_SIZE];
    pv_constraint_text(constraint, text, sizeof text);
    pv_i_buffer_format(list, "%s%s is demanded, but it is %g", list->size > 0 ? "\n" : "", text,
                       value);
    if (constraint->ref.column[0] == '\0') { /* otherwise it names the column itself */
        list_column(list, study, sensitive);
    }
}

/* Fails if anything is in the list, and frees it. */
static pv_status judge_unmet(pv_buffer *list, pv_error *error)
{
    pv_status status = PV_STATUS_OK;
    if (list->failed) {
        status = pv_i_no_memory(error);
    } else if (list->size > 0) {
        status = pv_i_hint(pv_i_fail(error, PV_STATUS_UNSATISFIED, "%s", list->data), error,
                           "raise levels, allow more suppression, or demand less; nothing was "
                           "written");
    }
    pv_i_buffer_deinit(list);
    return status;
}

/* The k that is demanded; minus infinity = none is. */
static double demanded_k(const pv_release_settings *settings)
{
    double k = -(double)INFINITY;
    for (size_t i = 0; i < settings->asked.n_constraints; i++) {
        const pv_constraint *const demand = &settings->asked.constraints[i];
        k = demand->ref.measure->rule == PV_RULE_SIZE ? fmax(k, demand->bound) : k;
    }
    return k;
}

/* Rows in classes smaller than that, those that are suppressed included or not. */
static uint64_t rows_below(const pv_classes *classes, uint64_t limit, bool with_suppressed)
{
    uint64_t rows = 0;
    for (size_t c = 0; c < pv_classes_total(classes); c++) {
        const uint64_t size = pv_classes_size(classes, c);
        const bool counts = with_suppressed || !pv_classes_is_suppressed(classes, c);
        rows += counts && size < limit ? size : 0;
    }
    return rows;
}

/* " for `a` and `b`": the columns whose values break a demand, where it does not say which. */
static void list_breaking(pv_buffer *list, const pv_release_job *job, size_t demand)
{
    const pv_study *const study = job->study;
    const uint64_t *const by = job->broken.by[demand];
    const size_t n = pv_study_sensitives(study);
    const char *glue = " for ";
    for (size_t i = 0; n > 1 && i < n && i < PV_MOST_RULED_COLUMNS; i++) {
        if (by[i] > 0) {
            pv_i_buffer_format(
                list, "%s`%s`", glue,
                pv_table_name(pv_study_table(study), pv_study_sensitive_column(study, i)));
            glue = " and ";
        }
    }
}

/* More rows are in classes that break a demand than may be suppressed: which demand, how many. */
static pv_status too_many_broken(const pv_release_job *job, pv_error *error)
{
    const pv_release_options *const asked = &job->settings->asked;
    pv_buffer list = {0};
    pv_status status = PV_STATUS_OK;
    for (size_t i = 0; i < asked->n_constraints; i++) {
        char text[PV_MEASURE_TEXT_SIZE];
        pv_constraint_text(&asked->constraints[i], text, sizeof text);
        const uint64_t rows = job->broken.rows[i];
        if (rows > 0) {
            pv_i_buffer_format(&list, "%s%" PRIu64 " %s in classes that break %s",
                               list.size > 0 ? ", " : "", rows, rows == 1 ? "row is" : "rows are",
                               text);
            if (asked->constraints[i].ref.column[0] == '\0') {
                list_breaking(&list, job, i);
            }
        }
    }
    status = list.failed ? pv_i_no_memory(error)
                         : pv_i_hint(pv_i_fail(error, PV_STATUS_UNSATISFIED,
                                               "%s, but only %" PRIu64 " may be suppressed",
                                               list.data, job->settings->suppression.budget),
                                     error,
                                     "raise levels, allow more suppression, or let a search find "
                                     "levels; nothing was written");
    pv_i_buffer_deinit(&list);
    return status;
}

/* What depends on class sizes alone. */
static pv_status check_sizes(const pv_release_job *job, pv_error *error)
{
    const pv_suppression *const suppression = &job->settings->suppression;
    if (!pv_classes_feasible(job->after)) {
        return too_many_broken(job, error);
    }
    /* Only with a scheme of records: otherwise as many are suppressed as the budget allows. */
    if (pv_classes_levels(job->after) == NULL &&
        pv_classes_suppressed(job->after) > suppression->budget) {
        return pv_i_hint(pv_i_fail(error, PV_STATUS_UNSATISFIED,
                                   "%" PRIu64 " rows would be `*` in every quasi-identifier, but "
                                   "only %" PRIu64 " may be suppressed",
                                   pv_classes_suppressed(job->after), suppression->budget),
                         error,
                         "ask for more utility or allow more suppression; nothing was written");
    }
    if (job->settings->refuse_unique && isinf(demanded_k(job->settings)) &&
        pv_classes_k(job->after) < 2) {
        const uint64_t alone = rows_below(job->after, 2, false);
        return pv_i_hint(pv_i_fail(error, PV_STATUS_UNSATISFIED,
                                   "%" PRIu64 " %s be unique in the release: no one else would "
                                   "look like them",
                                   alone, alone == 1 ? "person would" : "people would"),
                         error,
                         "raise levels, demand k = 2, for which they are suppressed as far as the "
                         "budget allows, or let a search find levels; to release it all the same, "
                         "demand k = 1. Nothing was written");
    }
    return PV_STATUS_OK;
}

pv_status pv_i_check_demands(const pv_release_job *job, pv_error *error)
{
    const pv_release_options *const asked = &job->settings->asked;
    pv_buffer list = {0};
    pv_status status = PV_STATUS_OK;
    PV_TRY(check_sizes(job, error));
    for (size_t i = 0; i < asked->n_constraints; i++) {
        const pv_constraint *const demand = &asked->constraints[i];
        double value = 0;
        PV_TRY_CLEAN(pv_i_evaluated(job, demand->ref, &value, error));
        if (!pv_constraint_holds(demand, value)) {
            size_t sensitive = SIZE_MAX;
            PV_TRY_CLEAN(pv_measure_sensitive(demand->ref, job->after, &sensitive, error));
            list_unmet(&list, demand, value, job->study, sensitive);
        }
    }
    return judge_unmet(&list, error);
cleanup:
    pv_i_buffer_deinit(&list);
    return status;
}

static pv_status check_file_demands(const pv_release_job *job, pv_error *error)
{
    const pv_release_options *const asked = &job->settings->asked;
    pv_buffer list = {0};
    for (size_t i = 0; i < asked->n_constraints; i++) {
        const pv_constraint *const demand = &asked->constraints[i];
        const pv_audit_value *const found = pv_audit_find(job->result->audit, demand->ref);
        const bool known = found != NULL && found->available;
        if (!known || !pv_constraint_holds(demand, found->value)) {
            list_unmet(&list, demand, known ? found->value : (double)NAN, job->study,
                       known ? found->sensitive : SIZE_MAX);
        }
    }
    return judge_unmet(&list, error);
}

/* ------------------------------------------------------ columns left unchanged */

#define MOST_EXPOSING 8 /* columns to list; a hundred would hide what to do about them */

/* People the quasi-identifiers alone make unique are no column's fault. */
static bool makes_unique(const pv_audit *audit, uint64_t unique_with)
{
    return unique_with > audit->unique_rows + (audit->suppressed == 1);
}

/* Must not undo the k that is demanded of the quasi-identifiers; nobody shall be alone anyway. */
static bool undoes_k(const pv_release_job *job, uint64_t k_with)
{
    const double demanded = fmax(2, demanded_k(job->settings));
    const uint64_t least =
        demanded < (double)UINT32_MAX ? (uint64_t)ceil(demanded) : (uint64_t)UINT32_MAX;
    return job->result->audit->k >= least && k_with < least;
}

/* What others may know must not single out anyone, alone or with the quasi-identifiers. What is
 * declared to be sensitive is taken to be known by no one, and a rare diagnosis is nothing unusual;
 * but where most values occur once, each of them names a row. */
bool pv_i_unchanged_exposes(const pv_release_job *job, const pv_audit_unchanged *column,
                            pv_role role)
{
    const pv_audit *const audit = job->result->audit;
    switch (role) {
    case PV_ROLE_OTHER:
        return column->unique > 0 || makes_unique(audit, column->unique_with) ||
               undoes_k(job, column->k_with);
    case PV_ROLE_SENSITIVE:
    case PV_ROLE_LABEL: return 2 * column->unique > audit->rows - column->missing;
    default: return false;
    }
}

static void list_alone(pv_buffer *list, const pv_audit *audit, uint64_t unique_with,
                       uint64_t k_with)
{
    if (makes_unique(audit, unique_with)) {
        pv_i_buffer_format(list, "with the quasi-identifiers %" PRIu64 " %s alone", unique_with,
                           unique_with == 1 ? "row is" : "rows are");
    } else {
        pv_i_buffer_format(
            list, "with the quasi-identifiers only %" PRIu64 " rows look alike, not %" PRIu64,
            k_with, audit->k);
    }
}

static void list_exposing(pv_buffer *list, const pv_audit *audit, const pv_audit_unchanged *column)
{
    pv_i_buffer_format(list, "%s`%s` would be released unchanged and singles people out: ",
                       list->size > 0 ? "\n" : "", column->name);
    if (column->unique > 0) {
        pv_i_buffer_format(list, "%" PRIu64 " of its %" PRIu64 " values occur in one row only; ",
                           column->unique, column->values);
    }
    list_alone(list, audit, column->unique_with, column->k_with);
}

static pv_status check_unchanged(const pv_release_job *job, pv_error *error)
{
    const pv_audit *const audit = job->result->audit;
    pv_buffer list = {0};
    pv_status status = PV_STATUS_OK;
    size_t n = 0;
    bool may_be_known = false; /* is one of them of the role `other`? */
    for (size_t i = 0; i < audit->n_unchanged; i++) {
        const pv_audit_unchanged *const column = &audit->unchanged[i];
        const pv_plan_attribute *const attribute =
            pv_plan_find(pv_study_plan(job->study), column->name);
        const pv_role role = attribute != NULL ? attribute->role : PV_ROLE_OTHER;
        if (pv_i_unchanged_exposes(job, column, role) &&
            (attribute == NULL || !attribute->unique_accepted)) {
            may_be_known = may_be_known || role == PV_ROLE_OTHER;
            if (n++ < MOST_EXPOSING) {
                list_exposing(&list, audit, column);
            }
        }
    }
    if (n > MOST_EXPOSING) {
        pv_i_buffer_format(&list, "\nand %zu more columns do", n - MOST_EXPOSING);
    }
    /* Where none of them exposes anyone alone, all together may. */
    if (n == 0 && audit->together.columns > 0 &&
        (makes_unique(audit, audit->together.unique_with) ||
         undoes_k(job, audit->together.k_with))) {
        pv_i_buffer_format(&list,
                           "the %zu columns with the role `other` would be released unchanged and "
                           "single people out together: ",
                           audit->together.columns);
        list_alone(&list, audit, audit->together.unique_with, audit->together.k_with);
        may_be_known = true;
    }
    if (list.failed) {
        status = pv_i_no_memory(error);
    } else if (list.size > 0) {
        status = pv_i_hint(
            pv_i_fail(error, PV_STATUS_UNSATISFIED, "%s", list.data), error,
            "leave such a column out or make it `role: identifier` to drop it; make it `role: "
            "quasi` to generalize it%s; or say `unique: accepted` to release it all the same. "
            "Nothing was written",
            may_be_known ? ", or `role: sensitive` if nobody can know it" : "");
    }
    pv_i_buffer_deinit(&list);
    return status;
}

/* ------------------------------------------------------------------- agreement */

static pv_status disagree(const pv_release_job *job, const char *what, pv_error *error)
{
    return pv_i_hint(pv_i_fail_at(error, PV_STATUS_INTERNAL, job->settings->output, 0, 0,
                                  "the file read back disagrees with the evaluation on %s; "
                                  "nothing was written",
                                  what),
                     error, "this is a defect of the program: please report it");
}

/* In a ragged hierarchy a class may reach `*` in every attribute without being suppressed. In the
 * file its rows look suppressed, and are as safe as those: the figures then differ rightfully.
 * Returns how many such rows there are. */
uint64_t pv_i_starred_rows(const pv_release_job *job)
{
    const pv_classes *const classes = job->after;
    uint64_t rows = 0;
    for (size_t t = 0; t < pv_profile_tuples(job->profile); t++) {
        bool starred = true;
        for (size_t q = 0; starred && q < pv_study_quasis(job->study); q++) {
            const pv_hierarchy *const h = pv_study_hierarchy(job->study, q);
            const unsigned level = pv_classes_level(classes, t, q);
            const uint32_t leaf = pv_profile_leaf(job->profile, t, q);
            starred = strcmp(pv_hierarchy_label(h, level, pv_hierarchy_group(h, level, leaf)),
                             PV_ROOT_LABEL) == 0;
        }
        if (starred && !pv_classes_is_suppressed(classes, pv_classes_of_tuple(classes, t))) {
            rows += pv_profile_count(job->profile, t);
        }
    }
    return pv_classes_total(classes) > 1 ? rows : 0;
}

static bool agree(double a, double b)
{
    return fabs(a - b) <= 1e-9 * fmax(1, fmax(fabs(a), fabs(b)));
}

/* What is demanded of one column, or with another parameter than the usual one. */
static pv_status compare_demanded(const pv_release_job *job, pv_error *error)
{
    const pv_release_options *const asked = &job->settings->asked;
    for (size_t i = 0; i < asked->n_constraints; i++) {
        const pv_measure_ref ref = asked->constraints[i].ref;
        const pv_audit_value *const found = pv_audit_find(job->result->audit, ref);
        double value = 0;
        PV_TRY(pv_i_evaluated(job, ref, &value, error));
        if ((ref.measure->remaining_alone || !asked->drop_suppressed) &&
            (found == NULL || !found->available || !agree(found->value, value))) {
            return disagree(job, ref.measure->name, error);
        }
    }
    return PV_STATUS_OK;
}

static pv_status compare(const pv_release_job *job, pv_error *error)
{
    const pv_audit *const audit = job->result->audit;
    const pv_release_result *const result = job->result;
    if (audit->rows + result->left_out != result->rows) {
        return disagree(job, "the number of rows", error);
    }
    const uint64_t starred = pv_i_starred_rows(job);
    if (audit->suppressed + result->left_out != result->suppressed + starred) {
        return disagree(job, "the suppressed rows", error);
    }
    if (starred > 0) {
        return audit->k >= result->k ? PV_STATUS_OK : disagree(job, "k", error);
    }
    for (size_t i = 0; i < result->n_measures; i++) {
        const pv_measure *const measure = pv_measure_at(i);
        const pv_measure_ref ref = {.measure = measure, .parameter = measure->parameter_default};
        const pv_audit_value *const found = pv_audit_find(audit, ref);
        /* Where suppressed rows are left out, the file shows as it was computed only what depends
         * on the classes alone: sums over everyone, and distances from the whole table, differ. */
        const bool comparable = measure->demandable &&
                                (measure->remaining_alone || !job->settings->asked.drop_suppressed);
        if (comparable && result->measured[i] &&
            (found == NULL || !found->available || !agree(found->value, result->measures[i]))) {
            return disagree(job, measure->name, error);
        }
    }
    return compare_demanded(job, error);
}

/* ----------------------------------------------------------------------- audit */

static pv_audit_reading reading_of(const pv_study *study, size_t column)
{
    const pv_table *const table = pv_study_table(study);
    return (pv_audit_reading){
        .type = pv_table_type(table, column),
        .format = *pv_table_format(table, column),
        .missing = pv_plan_missing(pv_study_plan(study), pv_table_name(table, column))};
}

/* The study's roles as the auditor takes them: names of columns and how to read their values. */
static pv_status audit_file(pv_release_job *job, pv_error *error)
{
    const pv_study *const study = job->study;
    const pv_table *const table = pv_study_table(study);
    const pv_plan *const plan = pv_study_plan(study);
    const pv_release_settings *const settings = job->settings;
    const pv_release_options *const asked = &settings->asked;
    const size_t n_quasi = pv_study_quasis(study);
    const size_t n_sensitive = pv_study_sensitives(study);
    const size_t label_column = pv_study_label_column(study);
    const char **const quasi = PV_ARENA_ARRAY(&job->arena, const char *, n_quasi + 1);
    const char **const sensitive = PV_ARENA_ARRAY(&job->arena, const char *, n_sensitive + 1);
    const char **const apart = PV_ARENA_ARRAY(&job->arena, const char *, plan->n_attributes + 1);
    pv_audit_reading *const quasi_readings = PV_ARENA_ARRAY(&job->arena, pv_audit_reading, n_quasi);
    pv_audit_reading *const readings = PV_ARENA_ARRAY(&job->arena, pv_audit_reading, n_sensitive);
    pv_distance *const distances = PV_ARENA_ARRAY(&job->arena, pv_distance, n_sensitive);
    const pv_hierarchy **const hierarchies =
        PV_ARENA_ARRAY(&job->arena, const pv_hierarchy *, n_sensitive);
    const size_t n_extra = asked->n_constraints + settings->n_promises;
    pv_measure_ref *const extra = PV_ARENA_ARRAY(&job->arena, pv_measure_ref, n_extra);
    pv_audit_reading label = {0};
    if (job->arena.failed) {
        return pv_i_no_memory(error);
    }
    for (size_t i = 0; i < n_quasi; i++) {
        quasi[i] = pv_study_quasi_name(study, i);
        /* Labels that look like numbers are none; and values are written in one spelling. */
        quasi_readings[i].type = PV_TYPE_TEXT;
        quasi_readings[i].missing = pv_plan_missing(plan, quasi[i]);
    }
    for (size_t i = 0; i < n_sensitive; i++) {
        const size_t column = pv_study_sensitive_column(study, i);
        sensitive[i] = pv_table_name(table, column);
        readings[i] = reading_of(study, column);
        distances[i] = pv_study_distance(study, i);
        hierarchies[i] = pv_study_sensitive_hierarchy(study, i);
    }
    if (label_column != SIZE_MAX) {
        label = reading_of(study, label_column);
    }
    for (size_t i = 0; i < n_extra; i++) { /* their parameters may be others than the defaults */
        extra[i] = i < asked->n_constraints ? asked->constraints[i].ref
                                            : settings->promises[i - asked->n_constraints].ref;
    }
    for (size_t i = 0, n = 0; i < plan->n_attributes; i++) {
        const pv_plan_attribute *const attribute = &plan->attributes[i];
        if (attribute->unique_accepted || attribute->role == PV_ROLE_IDENTIFIER) {
            apart[n++] = attribute->name; /* accepted as it is, or a hash */
        }
    }
    const pv_audit_options options = {
        .delimiter = job->publish != NULL    ? ','
                     : asked->delimiter != 0 ? asked->delimiter
                                             : pv_table_delimiter(table),
        .counted = job->publish != NULL,
        .escaped = asked->escape_formulas,
        .quasi = quasi,
        .sensitive = sensitive,
        .label = label_column != SIZE_MAX ? pv_table_name(table, label_column) : NULL,
        .missing = (const char *const *)plan->missing,
        .distances = distances,
        .quasi_readings = quasi_readings,
        .sensitive_readings = readings,
        .label_reading = &label,
        .sensitive_hierarchies = hierarchies,
        .extra = extra,
        .n_extra = n_extra,
        .unchanged = true,
        .apart = apart};
    return pv_audit_file(pv_i_output_path(job->files[PV_FILE_TABLE]), &options, job->context,
                         &job->result->audit, error);
}

pv_status pv_i_verify_file(pv_release_job *job, pv_error *error)
{
    PV_TRY(audit_file(job, error));
    PV_TRY(compare(job, error));
    PV_TRY(job->publish != NULL ? pv_i_released_table_count(job, error) : PV_STATUS_OK);
    PV_TRY(check_file_demands(job, error));
    return check_unchanged(job, error);
}

/* -------------------------------------------------------------------- promises */

/* The file and the evaluation differ where rows end as `*` without being suppressed: then a promise
 * must hold in both. */
bool pv_i_promise_holds(const pv_release_job *job, const pv_constraint *promise,
                        pv_audit_value *found)
{
    const pv_audit_value *const in_file = pv_audit_find(job->result->audit, promise->ref);
    double value = 0;
    *found = in_file != NULL ? *in_file : (pv_audit_value){.ref = promise->ref};
    if (!found->available || !pv_constraint_holds(promise, found->value)) {
        return false;
    }
    if (pv_i_evaluated(job, promise->ref, &value, NULL) != PV_STATUS_OK ||
        !pv_constraint_holds(promise, value)) {
        found->value = value;
        return false;
    }
    return true;
}

pv_status pv_i_check_promises(const pv_release_job *job, pv_error *error)
{
    pv_buffer list = {0};
    for (size_t i = 0; i < job->settings->n_promises; i++) {
        const pv_constraint *const promise = &job->settings->promises[i];
        pv_audit_value found;
        char text[PV_MEASURE_TEXT_SIZE];
        if (pv_i_promise_holds(job, promise, &found)) {
            continue;
        }
        pv_constraint_text(promise, text, sizeof text);
        if (found.available) {
            pv_i_buffer_format(&list, "\n  promised %s, but with these rows it is %g", text,
                               found.value);
            if (promise->ref.column[0] == '\0') {
                list_column(&list, job->study, found.sensitive);
            }
        } else {
            pv_i_buffer_format(&list, "\n  promised %s, which cannot be measured in these rows",
                               text);
        }
    }
    pv_status status = PV_STATUS_OK;
    if (list.failed) {
        status = pv_i_no_memory(error);
    } else if (list.size > 0) {
        status = pv_i_hint_phrases(
            pv_i_fail(error, PV_STATUS_UNSATISFIED,
                      "these rows do not keep what the scheme promised:%s", list.data),
            error,
            "allow more suppression, release them together with the rows the scheme was made from, "
            "make a scheme for them, or @; nothing was written",
            PV_PHRASE_ALLOW_WEAKER, PV_PHRASE_NONE);
    }
    pv_i_buffer_deinit(&list);
    return status;
}
