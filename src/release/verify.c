/* Verifying a written release from disk. */
#include "release/verify.h"
#include "plan/plan.h"
#include "release/settings.h"

#include "base/buffer.h"
#include "base/error.h"
#include "base/memory.h"

#include <inttypes.h>
#include <math.h>
#include <string.h>

/* ------------------------------------------------------------- demands */

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
    char text[128];
    pv_constraint_text(constraint, text, sizeof text);
    pv_i_buffer_format(list, "%s%s is demanded, but it is %g", list->size > 0 ? "\n" : "", text,
                       value);
    list_column(list, study, sensitive);
}

static pv_status unmet(pv_buffer *list, pv_error *error)
{
    return list->failed
               ? pv_i_no_memory(error)
               : pv_i_hint(pv_i_fail(error, PV_STATUS_UNSATISFIED, "%s", list->data), error,
                           "raise levels, allow more suppression, or demand less; nothing was "
                           "written");
}

static pv_status target_missed(const pv_classes *classes, const pv_suppression *suppression,
                               pv_error *error)
{
    uint64_t rows = 0;
    for (size_t c = 0; c < pv_classes_total(classes); c++) {
        const uint64_t size = pv_classes_size(classes, c);
        rows += size < suppression->target_k ? size : 0;
    }
    return pv_i_hint(pv_i_fail(error, PV_STATUS_UNSATISFIED,
                               "%" PRIu64 " rows are in classes smaller than %" PRIu64
                               ", but only %" PRIu64 " may be suppressed",
                               rows, suppression->target_k, suppression->budget),
                     error, "raise levels or allow more suppression; nothing was written");
}

/* Only with a scheme of records: otherwise as many are suppressed as the budget allows. */
static pv_status too_many_starred(const pv_classes *classes, const pv_suppression *suppression,
                                  pv_error *error)
{
    return pv_i_hint(pv_i_fail(error, PV_STATUS_UNSATISFIED,
                               "%" PRIu64 " rows would be `*` in every quasi-identifier, but only "
                               "%" PRIu64 " may be suppressed",
                               pv_classes_suppressed(classes), suppression->budget),
                     error, "ask for more utility or allow more suppression; nothing was written");
}

static bool demands_k(const pv_release_settings *options)
{
    for (size_t i = 0; i < options->n_constraints; i++) {
        if (options->constraints[i].ref.measure->rule == PV_RULE_SIZE) {
            return true;
        }
    }
    return false;
}

static pv_status people_are_alone(const pv_classes *classes, pv_error *error)
{
    uint64_t alone = 0;
    for (size_t c = 0; c < pv_classes_total(classes); c++) {
        alone += !pv_classes_is_suppressed(classes, c) && pv_classes_size(classes, c) == 1;
    }
    return pv_i_hint(pv_i_fail(error, PV_STATUS_UNSATISFIED,
                               "%" PRIu64 " %s be unique in the release: no one else would look "
                               "like them",
                               alone, alone == 1 ? "person would" : "people would"),
                     error,
                     "raise levels, allow more suppression or let a search find levels; to release "
                     "it all the same, demand k = 1. Nothing was written");
}

pv_status pv_i_check_demands(const pv_evaluation *evaluation, const pv_release_settings *options,
                             pv_error *error)
{
    const pv_study *const study = pv_profile_study(pv_classes_profile(evaluation->after));
    pv_buffer list = {0};
    pv_status status = PV_STATUS_OK;
    if (!pv_classes_feasible(evaluation->after)) {
        return target_missed(evaluation->after, &options->suppression, error);
    }
    if (pv_classes_levels(evaluation->after) == NULL &&
        pv_classes_suppressed(evaluation->after) > options->suppression.budget) {
        return too_many_starred(evaluation->after, &options->suppression, error);
    }
    if (options->refuse_unique && !demands_k(options) && pv_classes_k(evaluation->after) < 2) {
        return people_are_alone(evaluation->after, error);
    }
    for (size_t i = 0; i < options->n_constraints; i++) {
        double value = 0;
        PV_TRY_CLEAN(pv_i_evaluation_value(evaluation, options->constraints[i].ref, &value, error));
        if (!pv_constraint_holds(&options->constraints[i], value)) {
            size_t sensitive = SIZE_MAX;
            PV_TRY_CLEAN(pv_measure_sensitive(options->constraints[i].ref, evaluation->after,
                                              &sensitive, error));
            list_unmet(&list, &options->constraints[i], value, study, sensitive);
        }
    }
    if (list.size > 0) {
        status = unmet(&list, error);
    }
cleanup:
    pv_i_buffer_deinit(&list);
    return status;
}

/* ------------------------------------------------- columns left unchanged */

/* People the quasi-identifiers alone make unique are no column's fault. */
static bool makes_unique(const pv_audit *audit, uint64_t unique_with)
{
    return unique_with > audit->unique_rows + (audit->suppressed == 1);
}

uint64_t pv_i_least_k(const pv_release_settings *options)
{
    double least = 2;
    for (size_t i = 0; i < options->n_constraints; i++) {
        if (options->constraints[i].ref.measure->rule == PV_RULE_SIZE) {
            least = fmax(least, options->constraints[i].bound);
        }
    }
    return least < (double)UINT32_MAX ? (uint64_t)ceil(least) : UINT32_MAX;
}

/* What others may know must not single out anyone, alone or with the quasi-identifiers, and must
 * not undo the k that is demanded of these. What is declared to be sensitive is taken to be known
 * by no one, and a rare diagnosis is nothing unusual; but where most values occur once, each of
 * them names a row. */
bool pv_i_unchanged_exposes(const pv_audit *audit, const pv_audit_unchanged *column, pv_role role,
                            uint64_t least_k)
{
    switch (role) {
    case PV_ROLE_OTHER:
        return column->unique > 0 || makes_unique(audit, column->unique_with) ||
               (audit->k >= least_k && column->k_with < least_k);
    case PV_ROLE_SENSITIVE:
    case PV_ROLE_LABEL: return 2 * column->unique > audit->rows - column->missing;
    default: return false;
    }
}

#define MOST_EXPOSING 8 /* columns to list; a hundred would hide what to do about them */

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

/* All columns together, where none of them exposes anyone alone. */
static bool list_together(pv_buffer *list, const pv_audit *audit, uint64_t least_k)
{
    const bool exposes =
        audit->together.columns > 0 && (makes_unique(audit, audit->together.unique_with) ||
                                        (audit->k >= least_k && audit->together.k_with < least_k));
    if (exposes) {
        pv_i_buffer_format(list,
                           "the %zu columns with the role `other` would be released unchanged and "
                           "single people out together: ",
                           audit->together.columns);
        list_alone(list, audit, audit->together.unique_with, audit->together.k_with);
    }
    return exposes;
}

static pv_status check_unchanged(const pv_audit *audit, const pv_plan *plan,
                                 const pv_release_settings *options, pv_error *error)
{
    const uint64_t least_k = pv_i_least_k(options);
    pv_buffer list = {0};
    pv_status status = PV_STATUS_OK;
    size_t n = 0;
    bool may_be_known = false; /* is one of them of the role `other`? */
    for (size_t i = 0; i < audit->n_unchanged; i++) {
        const pv_audit_unchanged *const column = &audit->unchanged[i];
        const pv_plan_attribute *const attribute = pv_plan_find(plan, column->name);
        const pv_role role = attribute != NULL ? attribute->role : PV_ROLE_OTHER;
        if (pv_i_unchanged_exposes(audit, column, role, least_k) &&
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
    if (n == 0 && list_together(&list, audit, least_k)) {
        may_be_known = true;
        n = 1;
    }
    if (list.failed) {
        status = pv_i_no_memory(error);
    } else if (n > 0) {
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

/* ------------------------------------------------------------- roles */

/* The study's roles in the shape the auditor takes. */
typedef struct {
    const char **quasi, **sensitive;
    pv_distance *distances;
    pv_audit_reading *quasi_readings, *readings, label;
    const pv_hierarchy **hierarchies;
    pv_measure_ref *extra; /* demands and promises with parameters of their own */
    const char **apart;    /* columns accepted as they are, and hashes */
} audit_roles;

static void roles_deinit(audit_roles *roles)
{
    pv_i_free(roles->quasi);
    pv_i_free(roles->sensitive);
    pv_i_free(roles->distances);
    pv_i_free(roles->quasi_readings);
    pv_i_free(roles->readings);
    pv_i_free(roles->hierarchies);
    pv_i_free(roles->extra);
    pv_i_free(roles->apart);
}

static pv_audit_reading reading_of(const pv_plan *plan, const pv_table *table, size_t column)
{
    return (pv_audit_reading){.type = pv_table_type(table, column),
                              .format = *pv_table_format(table, column),
                              .missing = pv_plan_missing(plan, pv_table_name(table, column))};
}

/* NULL-terminated by the caller's zeroes. */
static void fill_apart(audit_roles *roles, const pv_plan *plan)
{
    size_t n = 0;
    for (size_t i = 0; i < plan->n_attributes; i++) {
        const pv_plan_attribute *const attribute = &plan->attributes[i];
        if (attribute->unique_accepted || attribute->role == PV_ROLE_IDENTIFIER) {
            roles->apart[n++] = attribute->name;
        }
    }
}

static void fill_roles(audit_roles *roles, const pv_study *study,
                       const pv_release_settings *options)
{
    const pv_table *const table = pv_study_table(study);
    for (size_t i = 0; i < pv_study_quasis(study); i++) {
        roles->quasi[i] = pv_study_quasi_name(study, i);
        /* Labels that look like numbers are none; and values are written in one spelling. */
        roles->quasi_readings[i].type = PV_TYPE_TEXT;
        roles->quasi_readings[i].missing = pv_plan_missing(pv_study_plan(study), roles->quasi[i]);
    }
    for (size_t i = 0; i < pv_study_sensitives(study); i++) {
        roles->sensitive[i] = pv_table_name(table, pv_study_sensitive_column(study, i));
        roles->readings[i] =
            reading_of(pv_study_plan(study), table, pv_study_sensitive_column(study, i));
        roles->distances[i] = pv_study_distance(study, i);
        roles->hierarchies[i] = pv_study_sensitive_hierarchy(study, i);
    }
    if (pv_study_label_column(study) != SIZE_MAX) {
        roles->label = reading_of(pv_study_plan(study), table, pv_study_label_column(study));
    }
    for (size_t i = 0; i < options->n_constraints; i++) {
        roles->extra[i] = options->constraints[i].ref;
    }
    for (size_t i = 0; i < options->n_promises; i++) {
        roles->extra[options->n_constraints + i] = options->promises[i].ref;
    }
}

static pv_status roles_init(audit_roles *roles, const pv_study *study,
                            const pv_release_settings *options, pv_error *error)
{
    const size_t n_sensitive = pv_study_sensitives(study);
    *roles = (audit_roles){
        .quasi = PV_NEW_ZEROED(const char *, pv_study_quasis(study) + 1),
        .sensitive = PV_NEW_ZEROED(const char *, n_sensitive + 1),
        .distances = PV_NEW_ZEROED(pv_distance, n_sensitive),
        .quasi_readings = PV_NEW_ZEROED(pv_audit_reading, pv_study_quasis(study)),
        .readings = PV_NEW_ZEROED(pv_audit_reading, n_sensitive),
        .hierarchies = PV_NEW_ZEROED(const pv_hierarchy *, n_sensitive),
        .extra = PV_NEW_ZEROED(pv_measure_ref, options->n_constraints + options->n_promises),
        .apart = PV_NEW_ZEROED(const char *, pv_study_plan(study)->n_attributes + 1)};
    if (roles->quasi == NULL || roles->sensitive == NULL || roles->distances == NULL ||
        roles->quasi_readings == NULL || roles->readings == NULL || roles->hierarchies == NULL ||
        roles->extra == NULL || roles->apart == NULL) {
        roles_deinit(roles);
        return pv_i_no_memory(error);
    }
    fill_roles(roles, study, options);
    fill_apart(roles, pv_study_plan(study));
    return PV_STATUS_OK;
}

/* ----------------------------------------------------------- agreement */

static bool agree(double a, double b)
{
    return fabs(a - b) <= 1e-9 * fmax(1, fmax(fabs(a), fabs(b)));
}

static pv_status disagree(const char *file, const char *what, pv_error *error)
{
    return pv_i_hint(pv_i_fail_at(error, PV_STATUS_INTERNAL, file, 0, 0,
                                  "the file read back disagrees with the evaluation on %s; "
                                  "nothing was written",
                                  what),
                     error, "this is a defect of the program: please report it");
}

/* In a ragged hierarchy a class may reach `*` in every attribute without being suppressed. In the
 * file its rows look suppressed, and are as safe as those: the figures then differ rightfully.
 * Returns how many such rows there are. */
static uint64_t starred_rows(const pv_classes *classes)
{
    uint64_t rows = 0;
    const pv_profile *const profile = pv_classes_profile(classes);
    const pv_study *const study = pv_profile_study(profile);
    for (size_t t = 0; t < pv_profile_tuples(profile); t++) {
        bool starred = true;
        for (size_t q = 0; starred && q < pv_study_quasis(study); q++) {
            const pv_hierarchy *const h = pv_study_hierarchy(study, q);
            const unsigned level = pv_classes_level(classes, t, q);
            const uint32_t group = pv_hierarchy_group(h, level, pv_profile_leaf(profile, t, q));
            starred = strcmp(pv_hierarchy_label(h, level, group), PV_ROOT_LABEL) == 0;
        }
        if (starred && !pv_classes_is_suppressed(classes, pv_classes_of_tuple(classes, t))) {
            rows += pv_profile_count(profile, t);
        }
    }
    return pv_classes_total(classes) > 1 ? rows : 0;
}

/* Where suppressed rows are left out, the file shows only what depends on the classes alone as it
 * was computed: sums over everyone, and distances from the whole table, are others there. */
static bool is_comparable(const pv_measure *measure, const pv_release_settings *options)
{
    return measure->demandable && (measure->remaining_alone || !options->drop_suppressed);
}

static pv_status compare(const pv_audit *audit, const pv_evaluation *evaluation,
                         const pv_release_settings *options, const char *file, pv_error *error)
{
    const pv_classes *const after = evaluation->after;
    const uint64_t suppressed = pv_classes_suppressed(after);
    const uint64_t left_out = options->drop_suppressed ? suppressed : 0;
    if (audit->rows + left_out != pv_profile_rows(pv_classes_profile(after))) {
        return disagree(file, "the number of rows", error);
    }
    const uint64_t starred = starred_rows(after);
    if (audit->suppressed + left_out != suppressed + starred) {
        return disagree(file, "the suppressed rows", error);
    }
    if (starred > 0) {
        return audit->k >= pv_classes_k(after) ? PV_STATUS_OK : disagree(file, "k", error);
    }
    for (size_t i = 0; i < evaluation->n_measures; i++) {
        const pv_measure *const measure = pv_measure_at(i);
        const pv_measure_ref ref = {.measure = measure, .parameter = measure->parameter_default};
        const pv_audit_value *const found = pv_audit_find(audit, ref);
        if (is_comparable(measure, options) && evaluation->available[i] &&
            (found == NULL || !found->available ||
             !agree(found->value, evaluation->value_after[i]))) {
            return disagree(file, measure->name, error);
        }
    }
    return PV_STATUS_OK;
}

static pv_status check_file_demands(const pv_audit *audit, const pv_study *study,
                                    const pv_release_settings *options, pv_error *error)
{
    pv_buffer list = {0};
    for (size_t i = 0; i < options->n_constraints; i++) {
        const pv_audit_value *const found = pv_audit_find(audit, options->constraints[i].ref);
        const bool known = found != NULL && found->available;
        if (!known || !pv_constraint_holds(&options->constraints[i], found->value)) {
            list_unmet(&list, &options->constraints[i], known ? found->value : (double)NAN, study,
                       known ? found->sensitive : SIZE_MAX);
        }
    }
    const pv_status status = list.size > 0 ? unmet(&list, error) : PV_STATUS_OK;
    pv_i_buffer_deinit(&list);
    return status;
}

/* The file and the evaluation differ where rows end as `*` without being suppressed: then a promise
 * must hold in both. */
bool pv_i_promise_holds(const pv_constraint *promise, const pv_evaluation *evaluation,
                        const pv_audit *audit, pv_audit_value *found)
{
    const pv_audit_value *const in_file = pv_audit_find(audit, promise->ref);
    double value = 0;
    *found = in_file != NULL ? *in_file : (pv_audit_value){.ref = promise->ref};
    if (!found->available || !pv_constraint_holds(promise, found->value)) {
        return false;
    }
    if (pv_i_evaluation_value(evaluation, promise->ref, &value, NULL) != PV_STATUS_OK ||
        !pv_constraint_holds(promise, value)) {
        found->value = value;
        return false;
    }
    return true;
}

pv_status pv_i_check_promises(const pv_evaluation *evaluation, const pv_audit *audit,
                              const pv_study *study, const pv_release_settings *options,
                              pv_error *error)
{
    pv_buffer list = {0};
    for (size_t i = 0; i < options->n_promises; i++) {
        pv_audit_value found;
        char text[128];
        if (pv_i_promise_holds(&options->promises[i], evaluation, audit, &found)) {
            continue;
        }
        pv_constraint_text(&options->promises[i], text, sizeof text);
        if (found.available) {
            pv_i_buffer_format(&list, "\n  promised %s, but with these rows it is %g", text,
                               found.value);
            list_column(&list, study, found.sensitive);
        } else {
            pv_i_buffer_format(&list, "\n  promised %s, which cannot be measured in these rows",
                               text);
        }
    }
    pv_status status = PV_STATUS_OK;
    if (list.size > 0) {
        status = list.failed ? pv_i_no_memory(error)
                             : pv_i_hint(pv_i_fail(error, PV_STATUS_UNSATISFIED,
                                                   "these rows do not keep what the scheme "
                                                   "promised:%s",
                                                   list.data),
                                         error,
                                         "allow more suppression, release them together with the "
                                         "rows the scheme was made from, make a scheme for them, "
                                         "or accept it with --allow-weaker; nothing was written");
    }
    pv_i_buffer_deinit(&list);
    return status;
}

pv_status pv_i_verify_file(const char *path, const char *released_as,
                           const pv_evaluation *evaluation, const pv_release_settings *options,
                           const pv_context *context, pv_audit **audit, pv_error *error)
{
    const pv_study *const study = pv_profile_study(pv_classes_profile(evaluation->after));
    const pv_table *const table = pv_study_table(study);
    const size_t label = pv_study_label_column(study);
    pv_audit *found = NULL;
    audit_roles roles;
    pv_status status = PV_STATUS_OK;
    PV_TRY(roles_init(&roles, study, options, error));
    const pv_audit_options audit_options = {
        .delimiter = options->delimiter != 0 ? options->delimiter : pv_table_delimiter(table),
        .escaped = options->escape_formulas,
        .quasi = roles.quasi,
        .sensitive = roles.sensitive,
        .label = label != SIZE_MAX ? pv_table_name(table, label) : NULL,
        .missing = (const char *const *)pv_study_plan(study)->missing,
        .distances = roles.distances,
        .quasi_readings = roles.quasi_readings,
        .sensitive_readings = roles.readings,
        .label_reading = &roles.label,
        .sensitive_hierarchies = roles.hierarchies,
        .extra = roles.extra,
        .n_extra = options->n_constraints + options->n_promises,
        .unchanged = true,
        .apart = roles.apart};
    PV_TRY_CLEAN(pv_audit_file(path, &audit_options, context, &found, error));
    PV_TRY_CLEAN(compare(found, evaluation, options, released_as, error));
    PV_TRY_CLEAN(check_file_demands(found, study, options, error));
    PV_TRY_CLEAN(check_unchanged(found, pv_study_plan(study), options, error));
    *audit = found;
    found = NULL;
cleanup:
    pv_audit_free(found);
    roles_deinit(&roles);
    return status;
}
