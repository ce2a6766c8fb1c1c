/* Filling in the certificate of a release. */
#include "release/certify.h"
#include "plan/plan.h"
#include "release/settings.h"

#include "base/error.h"
#include "base/memory.h"
#include "release/verify.h"
#include "report/certificate.h"

#include <math.h>
#include <string.h>

static const pv_study *study_of(const pv_certify_input *in)
{
    return pv_profile_study(pv_classes_profile(in->evaluation->after));
}

static void fill_crowd(const pv_classes *classes, pv_certificate_crowd *crowd)
{
    crowd->classes = pv_classes_remaining(classes);
    for (size_t c = 0; c < pv_classes_total(classes); c++) {
        if (!pv_classes_is_suppressed(classes, c)) {
            const uint64_t size = pv_classes_size(classes, c);
            crowd->histogram[pv_exposure_bin(size)] += size;
            crowd->unique_rows += size == 1;
        }
    }
    const uint64_t rows =
        pv_profile_rows(pv_classes_profile(classes)) - pv_classes_suppressed(classes);
    crowd->risk_max = 1 / (double)pv_classes_k(classes);
    crowd->risk_mean = (double)crowd->classes / (double)rows;
}

/* The same as the checker counted it in the file. */
static void fill_crowd_from_file(const pv_audit *audit, pv_certificate_crowd *crowd)
{
    crowd->classes = audit->classes;
    memcpy(crowd->histogram, audit->histogram, sizeof crowd->histogram);
    crowd->unique_rows = audit->unique_rows;
    crowd->risk_max = audit->k > 0 ? 1 / (double)audit->k : 0;
    crowd->risk_mean =
        audit->classes > 0 ? (double)audit->classes / (double)(audit->rows - audit->suppressed) : 0;
}

/* How the rows are generalized in one attribute. */
typedef struct {
    uint64_t *at_level; /* rows per level */
    double loss;        /* glm's share, nothing suppressed */
} generalized;

static bool look_at(const pv_shown *shown, uint64_t n_rows, generalized *made)
{
    const pv_hierarchy *const h = shown->hierarchy;
    const uint64_t domain = pv_hierarchy_domain(h);
    double sum = 0;
    made->at_level = PV_NEW_ZEROED(uint64_t, pv_hierarchy_height(h) + 1);
    if (made->at_level == NULL) {
        return false;
    }
    for (unsigned level = shown->first; level < shown->first + shown->n_levels; level++) {
        const uint64_t *const rows = pv_i_shown_at(shown, shown->all, level);
        for (uint32_t leaf = 0; leaf < shown->n_leaves; leaf++) {
            const uint32_t group = pv_hierarchy_group(h, level, leaf);
            sum += (double)rows[leaf] * (double)(pv_hierarchy_group_leaves(h, level, group) - 1);
            made->at_level[level] += rows[leaf];
        }
    }
    made->loss = domain > 1 ? sum / (double)(domain - 1) / (double)n_rows : 0;
    return true;
}

/* Of records with levels of their own: the commonest between the values and `*`, or the value. */
static unsigned typical_level(const uint64_t *at_level, unsigned height)
{
    unsigned typical = 0;
    for (unsigned level = 1; level < height; level++) {
        typical = at_level[level] > (typical > 0 ? at_level[typical] : 0) ? level : typical;
    }
    return typical;
}

static void count_shown(const pv_shown *shown, pv_certificate_attribute *attribute)
{
    const pv_hierarchy *const h = shown->hierarchy;
    for (unsigned level = shown->first; level < shown->first + shown->n_levels; level++) {
        const uint64_t *const rows = pv_i_shown_at(shown, shown->released, level);
        for (uint32_t leaf = 0; leaf < shown->n_leaves; leaf++) {
            const char *const label =
                pv_hierarchy_label(h, level, pv_hierarchy_group(h, level, leaf));
            *(strcmp(label, PV_ROOT_LABEL) == 0 ? &attribute->shown_starred
              : level == 0                      ? &attribute->shown_raw
                                                : &attribute->shown_coarser) += rows[leaf];
        }
    }
}

static bool fill_attribute(const pv_certify_input *in, size_t q,
                           pv_certificate_attribute *attribute)
{
    const pv_classes *const after = in->evaluation->after;
    const pv_hierarchy *const h = pv_study_hierarchy(study_of(in), q);
    const bool by_record = pv_classes_levels(after) == NULL;
    generalized made = {0};
    const pv_shown *const shown = &in->evaluation->shown[q];
    const bool ready = look_at(shown, pv_profile_rows(pv_classes_profile(after)), &made);
    if (!ready) {
        pv_i_free(made.at_level);
        return false;
    }
    const unsigned level = by_record ? typical_level(made.at_level, pv_hierarchy_height(h))
                                     : pv_classes_levels(after)[q];
    attribute->name = pv_study_quasi_name(study_of(in), q);
    attribute->hierarchy =
        pv_hierarchy_kind_name(pv_study_quasi_attribute(study_of(in), q)->hierarchy.kind);
    attribute->height = pv_hierarchy_height(h);
    attribute->level = level;
    attribute->groups_before = pv_hierarchy_leaves(h);
    attribute->groups_after = in->audit->quasi_values[q];
    attribute->loss = made.loss;
    if (by_record) {
        attribute->at_level = made.at_level;
    } else {
        pv_i_free(made.at_level);
    }
    attribute->is_height_private =
        !in->for_publisher &&
        pv_study_quasi_attribute(study_of(in), q)->hierarchy.kind == PV_HIERARCHY_MASK;
    count_shown(shown, attribute);
    attribute->n_examples =
        level > 0 ? pv_i_shown_labels(shown, level, PV_CERTIFICATE_EXAMPLES, attribute->examples)
                  : 0;
    return attribute->n_examples != SIZE_MAX;
}

static void fill_demands(const pv_certify_input *in, const pv_constraint *constraints, size_t n,
                         pv_certificate_demand *demands)
{
    for (size_t i = 0; i < n; i++) {
        const pv_audit_value *const found = pv_audit_find(in->audit, constraints[i].ref);
        demands[i].constraint = constraints[i];
        demands[i].value = found != NULL && found->available ? found->value : (double)NAN;
        demands[i].holds =
            found != NULL && found->available && pv_constraint_holds(&constraints[i], found->value);
    }
}

static void fill_promises(const pv_certify_input *in, pv_certificate_demand *promises)
{
    for (size_t i = 0; i < in->options->n_promises; i++) {
        pv_audit_value found;
        promises[i].constraint = in->options->promises[i];
        promises[i].holds =
            pv_i_promise_holds(&in->options->promises[i], in->evaluation, in->audit, &found);
        promises[i].value = found.available ? found.value : (double)NAN;
    }
}

/* What the checker found in the released file. */
static size_t audited_measures(const pv_audit *audit, pv_certificate_measure *measures)
{
    size_t n = 0;
    for (size_t i = 0; i < audit->n_values; i++) {
        const pv_audit_value *const value = &audit->values[i];
        if (pv_audit_find(audit, value->ref) == value) { /* a demanded one stands there twice */
            measures[n++] = (pv_certificate_measure){.ref = value->ref,
                                                     .available = value->available,
                                                     .before = (double)NAN,
                                                     .after = value->value};
        }
    }
    return n;
}

/* Everything that can be measured with the original at hand. */
static size_t all_measures(const pv_evaluation *e, pv_certificate_measure *measures)
{
    for (size_t i = 0; i < e->n_measures; i++) {
        const pv_measure *const measure = pv_measure_at(i);
        measures[i] = (pv_certificate_measure){.ref = {measure, measure->parameter_default},
                                               .available = e->available[i],
                                               .before = e->value_before[i],
                                               .after = e->value_after[i]};
    }
    return e->n_measures;
}

/* Roles of the released columns that are no quasi-identifiers. */
static void fill_unchanged(const pv_certify_input *in, pv_certificate_unchanged *unchanged)
{
    for (size_t i = 0; i < in->audit->n_unchanged; i++) {
        const pv_audit_unchanged *const found = &in->audit->unchanged[i];
        const pv_plan_attribute *const attribute =
            pv_plan_find(pv_study_plan(study_of(in)), found->name);
        const pv_role role = attribute != NULL ? attribute->role : PV_ROLE_OTHER;
        unchanged[i] = (pv_certificate_unchanged){
            .found = found,
            .role = role,
            .hashed = role == PV_ROLE_IDENTIFIER,
            .accepted = attribute != NULL && attribute->unique_accepted &&
                        pv_i_unchanged_exposes(in->audit, found, role, pv_i_least_k(in->options))};
    }
}

/* Names of the plan's columns of one role. */
static size_t names_of_role(const pv_plan *plan, pv_role role, const char **names)
{
    size_t n = 0;
    for (size_t i = 0; i < plan->n_attributes; i++) {
        if (plan->attributes[i].role == role) {
            names[n++] = plan->attributes[i].name;
        }
    }
    return n;
}

/* The lists a certificate borrows. */
typedef struct {
    pv_certificate_attribute *attributes;
    pv_certificate_measure *measures;
    pv_certificate_demand *demands, *promises;
    pv_certificate_unchanged *unchanged;
    const char **identifiers, **sensitive, **dropped;
} certificate_lists;

static bool lists_init(certificate_lists *lists, const pv_certify_input *in)
{
    const size_t n_columns = pv_study_plan(study_of(in))->n_attributes;
    *lists = (certificate_lists){
        .attributes = PV_NEW_ZEROED(pv_certificate_attribute, pv_study_quasis(study_of(in))),
        .measures =
            PV_NEW_ZEROED(pv_certificate_measure, in->evaluation->n_measures + in->audit->n_values),
        .unchanged = PV_NEW_ZEROED(pv_certificate_unchanged, in->audit->n_unchanged),
        .dropped = PV_NEW_ZEROED(const char *, pv_study_unnamed(study_of(in))),
        .demands = PV_NEW_ZEROED(pv_certificate_demand, in->options->n_constraints),
        .promises = PV_NEW_ZEROED(pv_certificate_demand, in->options->n_promises),
        .identifiers = PV_NEW_ZEROED(const char *, n_columns),
        .sensitive = PV_NEW_ZEROED(const char *, n_columns)};
    return lists->attributes != NULL && lists->measures != NULL && lists->demands != NULL &&
           lists->promises != NULL && lists->identifiers != NULL && lists->sensitive != NULL &&
           lists->unchanged != NULL && lists->dropped != NULL;
}

static void lists_deinit(certificate_lists *lists, size_t n_attributes)
{
    for (size_t q = 0; lists->attributes != NULL && q < n_attributes; q++) {
        pv_i_free((void *)(uintptr_t)lists->attributes[q].at_level);
    }
    pv_i_free(lists->attributes);
    pv_i_free(lists->measures);
    pv_i_free(lists->demands);
    pv_i_free(lists->promises);
    pv_i_free(lists->unchanged);
    pv_i_free(lists->identifiers);
    pv_i_free(lists->sensitive);
    pv_i_free(lists->dropped);
}

static void fill_certificate(const pv_certify_input *in, certificate_lists *lists,
                             pv_certificate *certificate)
{
    const pv_release_settings *const options = in->options;
    const pv_plan *const plan = pv_study_plan(study_of(in));
    const pv_table *const table = pv_study_table(study_of(in));
    const size_t label = pv_study_label_column(study_of(in));
    const size_t n_measures = in->for_publisher ? all_measures(in->evaluation, lists->measures)
                                                : audited_measures(in->audit, lists->measures);
    fill_unchanged(in, lists->unchanged);
    for (size_t i = 0; i < pv_study_unnamed(study_of(in)); i++) {
        lists->dropped[i] = pv_study_unnamed_name(study_of(in), i);
    }
    const uint64_t left_out = options->drop_suppressed && in->for_publisher
                                  ? pv_classes_suppressed(in->evaluation->after)
                                  : 0;
    fill_demands(in, options->constraints, options->n_constraints, lists->demands);
    fill_promises(in, lists->promises);
    *certificate = (pv_certificate){
        .for_publisher = in->for_publisher,
        .command = options->applying                                  ? "apply"
                   : pv_classes_levels(in->evaluation->after) == NULL ? "disclose"
                                                                      : "release",
        .source = pv_table_source(table),
        .released = in->table_path,
        .scheme = in->scheme_path,
        .sha256 = in->sha256,
        .rows = in->audit->rows + left_out,
        .suppressed = in->audit->suppressed + left_out,
        .left_out = left_out,
        .drops_suppressed = options->drop_suppressed,
        .budget = options->suppression.budget,
        .k = in->audit->k,
        .attributes = lists->attributes,
        .n_attributes = pv_study_quasis(study_of(in)),
        .measures = lists->measures,
        .n_measures = n_measures,
        .demands = lists->demands,
        .n_demands = options->n_constraints,
        .promises = lists->promises,
        .n_promises = options->n_promises,
        .audit = in->audit,
        .order = options->order,
        .escapes_formulas = options->escape_formulas,
        .formulas = in->formulas,
        .n_formulas = in->n_formulas,
        .hashed = options->hash_identifiers,
        .identifiers = lists->identifiers,
        .n_identifiers = names_of_role(plan, PV_ROLE_IDENTIFIER, lists->identifiers),
        .sensitive = lists->sensitive,
        .n_sensitive = names_of_role(plan, PV_ROLE_SENSITIVE, lists->sensitive),
        .unchanged = lists->unchanged,
        .n_unchanged = in->audit->n_unchanged,
        .dropped = lists->dropped,
        .n_dropped = pv_study_unnamed(study_of(in)),
        .label = label != SIZE_MAX ? pv_table_name(table, label) : NULL};
    fill_crowd(in->evaluation->before, &certificate->before);
    fill_crowd_from_file(in->audit, &certificate->after);
}

pv_status pv_i_certify(const pv_certify_input *input, char **json, char **page, pv_verdict *verdict,
                       pv_error *error)
{
    const size_t n_attributes = pv_study_quasis(study_of(input));
    certificate_lists lists;
    pv_certificate certificate;
    pv_status status = PV_STATUS_OK;
    char *text = NULL;
    char *html = NULL;
    if (!lists_init(&lists, input)) {
        status = pv_i_no_memory(error);
        goto cleanup;
    }
    for (size_t q = 0; q < n_attributes; q++) {
        if (!fill_attribute(input, q, &lists.attributes[q])) {
            status = pv_i_no_memory(error);
            goto cleanup;
        }
    }
    fill_certificate(input, &lists, &certificate);
    PV_TRY_CLEAN(pv_i_certificate_json(&certificate, &text, error));
    PV_TRY_CLEAN(pv_i_certificate_page(&certificate, &html, error));
    *json = text;
    *page = html;
    *verdict = pv_i_certificate_verdict(&certificate);
    text = NULL;
cleanup:
    pv_string_free(text);
    lists_deinit(&lists, n_attributes);
    return status;
}
