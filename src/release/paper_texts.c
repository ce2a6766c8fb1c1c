/* What the papers of a release say.
 *
 *   certificate        for anyone: what was done, what it achieved, how that was verified
 *   publisher's report the same, with everything that describes the original beside it
 *   codebook           for readers who have nothing but the table: what its labels mean. It holds
 *                      exactly the labels of that table
 *   scheme file        for other rows: with it goes what was demanded, and what was achieved and is
 *                      promised of them
 *
 * What may be in a certificate is said in report/certificate.h, where it gets its form; here it is
 * filled in from what was evaluated, written and audited. All arrays are the job's. */
#include "release/release.h"

#include "base/buffer.h"
#include "base/error.h"
#include "base/file.h"
#include "base/memory.h"
#include "hierarchy/hierarchy_spec.h"
#include "plan/plan.h"
#include "report/certificate.h"
#include "scheme/scheme.h"
#include "table/csv_writer.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* ----------------------------------------------------------------- certificate */

static pv_certificate_crowd crowd_of(const pv_classes *classes)
{
    const uint64_t rows =
        pv_profile_rows(pv_classes_profile(classes)) - pv_classes_suppressed(classes);
    const uint64_t n_classes = pv_classes_remaining(classes);
    pv_certificate_crowd crowd = {.classes = n_classes,
                                  .risk_max = 1 / (double)pv_classes_k(classes),
                                  .risk_mean = (double)n_classes / (double)rows};
    for (size_t c = 0; c < pv_classes_total(classes); c++) {
        if (!pv_classes_is_suppressed(classes, c)) {
            const uint64_t size = pv_classes_size(classes, c);
            crowd.histogram[pv_exposure_bin(size)] += size;
            crowd.unique_rows += size == 1;
        }
    }
    return crowd;
}

/* The same as the checker counted it in the file. */
static pv_certificate_crowd crowd_in_file(const pv_audit *audit)
{
    const double rows = (double)(audit->rows - audit->suppressed);
    pv_certificate_crowd crowd = {.classes = audit->classes,
                                  .unique_rows = audit->unique_rows,
                                  .risk_max = audit->k > 0 ? 1 / (double)audit->k : 0,
                                  .risk_mean =
                                      audit->classes > 0 ? (double)audit->classes / rows : 0};
    memcpy(crowd.histogram, audit->histogram, sizeof crowd.histogram);
    return crowd;
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

static pv_status fill_attribute(pv_release_job *job, size_t q, bool for_publisher,
                                pv_certificate_attribute *attribute, pv_error *error)
{
    const pv_label_counts *const counts = &job->label_counts[q];
    const pv_hierarchy *const h = counts->hierarchy;
    const pv_hierarchy_kind kind = pv_study_quasi_attribute(job->study, q)->hierarchy.kind;
    const uint8_t *const levels = pv_classes_levels(job->after);
    uint64_t *const at_level = PV_ARENA_ARRAY(&job->arena, uint64_t, pv_hierarchy_height(h) + 1);
    double lost = 0; /* glm's sum, nothing suppressed */
    if (job->arena.failed) {
        return pv_i_no_memory(error);
    }
    for (unsigned level = counts->first; level < counts->first + counts->n_levels; level++) {
        const uint64_t *const all = pv_i_counts_at(counts, counts->all, level);
        const uint64_t *const released = pv_i_counts_at(counts, counts->released, level);
        for (uint32_t leaf = 0; leaf < counts->n_leaves; leaf++) {
            const uint32_t group = pv_hierarchy_group(h, level, leaf);
            lost += (double)all[leaf] * (double)(pv_hierarchy_group_leaves(h, level, group) - 1);
            at_level[level] += all[leaf];
            *(strcmp(pv_hierarchy_label(h, level, group), PV_ROOT_LABEL) == 0
                  ? &attribute->shown_starred
              : level == 0 ? &attribute->shown_raw
                           : &attribute->shown_coarser) += released[leaf];
        }
    }
    const double domain = (double)pv_hierarchy_domain(h);
    attribute->name = pv_study_quasi_name(job->study, q);
    attribute->hierarchy = pv_hierarchy_kind_name(kind);
    attribute->height = pv_hierarchy_height(h);
    attribute->level = levels != NULL ? levels[q] : typical_level(at_level, attribute->height);
    attribute->groups_before = pv_hierarchy_leaves(h);
    attribute->groups_after = job->result->audit->quasi_values[q];
    attribute->loss = domain > 1 ? lost / (domain - 1) / (double)pv_profile_rows(job->profile) : 0;
    attribute->at_level = levels == NULL ? at_level : NULL;
    attribute->is_height_private = !for_publisher && kind == PV_HIERARCHY_MASK;
    if (attribute->level > 0) {
        attribute->n_examples = pv_i_labels_shown(counts, attribute->level, PV_CERTIFICATE_EXAMPLES,
                                                  attribute->examples);
    }
    return attribute->n_examples != SIZE_MAX ? PV_STATUS_OK : pv_i_no_memory(error);
}

static void fill_demands(const pv_release_job *job, pv_certificate_demand *demands,
                         pv_certificate_demand *promises)
{
    const pv_release_options *const asked = &job->settings->asked;
    for (size_t i = 0; i < asked->n_constraints; i++) {
        const pv_constraint *const demand = &asked->constraints[i];
        const pv_audit_value *const found = pv_audit_find(job->result->audit, demand->ref);
        const bool known = found != NULL && found->available;
        demands[i] =
            (pv_certificate_demand){.constraint = *demand,
                                    .value = known ? found->value : (double)NAN,
                                    .holds = known && pv_constraint_holds(demand, found->value)};
    }
    for (size_t i = 0; i < job->settings->n_promises; i++) {
        pv_audit_value found;
        promises[i].constraint = job->settings->promises[i];
        promises[i].holds = pv_i_promise_holds(job, &job->settings->promises[i], &found);
        promises[i].value = found.available ? found.value : (double)NAN;
    }
}

/* What the checker found in the released file; for the publisher everything that can be measured
 * with the original at hand. */
static size_t fill_measures(const pv_release_job *job, bool for_publisher,
                            pv_certificate_measure *measures)
{
    const pv_release_result *const result = job->result;
    const pv_audit *const audit = result->audit;
    size_t n = 0;
    for (size_t i = 0; for_publisher && i < result->n_measures; i++) {
        const pv_measure *const measure = pv_measure_at(i);
        measures[n++] = (pv_certificate_measure){
            .ref = {.measure = measure, .parameter = measure->parameter_default},
            .available = result->measured[i],
            .before = result->measures_before[i],
            .after = result->measures[i]};
    }
    for (size_t i = 0; !for_publisher && i < audit->n_values; i++) {
        const pv_audit_value *const value = &audit->values[i];
        if (pv_audit_find(audit, value->ref) == value) { /* a demanded one is there twice */
            measures[n++] = (pv_certificate_measure){.ref = value->ref,
                                                     .available = value->available,
                                                     .before = (double)NAN,
                                                     .after = value->value};
        }
    }
    return n;
}

/* Roles of the released columns that are no quasi-identifiers. */
static void fill_unchanged(const pv_release_job *job, pv_certificate_unchanged *unchanged)
{
    for (size_t i = 0; i < job->result->audit->n_unchanged; i++) {
        const pv_audit_unchanged *const found = &job->result->audit->unchanged[i];
        const pv_plan_attribute *const attribute =
            pv_plan_find(pv_study_plan(job->study), found->name);
        const pv_role role = attribute != NULL ? attribute->role : PV_ROLE_OTHER;
        unchanged[i] = (pv_certificate_unchanged){
            .found = found,
            .role = role,
            .hashed = role == PV_ROLE_IDENTIFIER,
            .accepted = attribute != NULL && attribute->unique_accepted &&
                        pv_i_unchanged_exposes(job, found, role)};
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

pv_status pv_i_certify(pv_release_job *job, bool for_publisher, char **json, char **page,
                       pv_error *error)
{
    const pv_release_options *const asked = &job->settings->asked;
    const pv_audit *const audit = job->result->audit;
    const pv_plan *const plan = pv_study_plan(job->study);
    const pv_table *const table = pv_study_table(job->study);
    const size_t label = pv_study_label_column(job->study);
    const size_t n_quasi = pv_study_quasis(job->study);
    const size_t n_dropped = pv_study_unnamed(job->study);
    const uint64_t left_out = for_publisher ? job->result->left_out : 0;
    pv_certificate_attribute *const attributes =
        PV_ARENA_ARRAY(&job->arena, pv_certificate_attribute, n_quasi);
    pv_certificate_measure *const measures = PV_ARENA_ARRAY(
        &job->arena, pv_certificate_measure, job->result->n_measures + audit->n_values);
    pv_certificate_demand *const demands =
        PV_ARENA_ARRAY(&job->arena, pv_certificate_demand, asked->n_constraints);
    pv_certificate_demand *const promises =
        PV_ARENA_ARRAY(&job->arena, pv_certificate_demand, job->settings->n_promises);
    pv_certificate_unchanged *const unchanged =
        PV_ARENA_ARRAY(&job->arena, pv_certificate_unchanged, audit->n_unchanged);
    const char **const identifiers = PV_ARENA_ARRAY(&job->arena, const char *, plan->n_attributes);
    const char **const sensitive = PV_ARENA_ARRAY(&job->arena, const char *, plan->n_attributes);
    const char **const dropped = PV_ARENA_ARRAY(&job->arena, const char *, n_dropped);
    char *text = NULL;
    if (job->arena.failed) {
        return pv_i_no_memory(error);
    }
    for (size_t q = 0; q < n_quasi; q++) {
        PV_TRY(fill_attribute(job, q, for_publisher, &attributes[q], error));
    }
    for (size_t i = 0; i < n_dropped; i++) {
        dropped[i] = pv_study_unnamed_name(job->study, i);
    }
    fill_demands(job, demands, promises);
    fill_unchanged(job, unchanged);
    const pv_certificate certificate = {
        .for_publisher = for_publisher,
        .command = asked->applying                         ? "apply"
                   : pv_classes_levels(job->after) == NULL ? "disclose"
                                                           : "release",
        .source = job->source,
        .released = job->shown,
        .place = job->place,
        .scheme = job->names[PV_FILE_SCHEME],
        .sha256 = job->sha256,
        .rows = audit->rows + left_out,
        .suppressed = audit->suppressed + left_out,
        .left_out = left_out,
        .drops_suppressed = asked->drop_suppressed,
        .budget = job->settings->suppression.budget,
        .k = audit->k,
        .before = crowd_of(job->before),
        .after = crowd_in_file(audit),
        .attributes = attributes,
        .n_attributes = n_quasi,
        .measures = measures,
        .n_measures = fill_measures(job, for_publisher, measures),
        .demands = demands,
        .n_demands = asked->n_constraints,
        .promises = promises,
        .n_promises = job->settings->n_promises,
        .audit = audit,
        .order = asked->order,
        .escapes_formulas = asked->escape_formulas,
        .formulas = job->result->formulas,
        .n_formulas = job->result->n_formulas,
        .hashed = asked->hash_identifiers,
        .identifiers = identifiers,
        .n_identifiers = names_of_role(plan, PV_ROLE_IDENTIFIER, identifiers),
        .sensitive = sensitive,
        .n_sensitive = names_of_role(plan, PV_ROLE_SENSITIVE, sensitive),
        .unchanged = unchanged,
        .n_unchanged = audit->n_unchanged,
        .dropped = dropped,
        .n_dropped = n_dropped,
        .label = label != SIZE_MAX ? pv_table_name(table, label) : NULL};
    job->result->verdict = pv_i_verdict_name(pv_i_certificate_verdict(&certificate));
    PV_TRY(pv_i_certificate_json(&certificate, &text, error));
    const pv_status status = pv_i_certificate_page(&certificate, page, error);
    if (status == PV_STATUS_OK) {
        *json = text;
    } else {
        pv_string_free(text);
    }
    return status;
}

/* -------------------------------------------------------------------- codebook */

#define ANY_VALUE "(any value)"
#define ANY_OTHER "(any other value)"
#define UNCHANGED "as in the original table"

typedef struct {
    pv_release_job *job;
    pv_csv_writer csv;
    pv_buffer markdown;
    pv_error *error;
} book;

/* What the rows that are not suppressed have in one quasi-identifier. */
typedef struct {
    pv_labels labels; /* of groups, in the order of level and tree */
    pv_buffer *words; /* their meanings, one per label */
    bool raw;         /* are some values as they were? */
    bool starred;     /* is `*` there? */
} column_labels;

/* What Markdown would take for its own, and what would end the line of a table. */
static void escape(pv_buffer *out, const char *text)
{
    for (; *text != '\0'; text++) {
        if (*text == '\n' || *text == '\r') {
            pv_i_buffer_char(out, ' ');
        } else if (*text == '<') {
            pv_i_buffer_text(out, "&lt;");
        } else if (*text == '&') {
            pv_i_buffer_text(out, "&amp;");
        } else {
            pv_i_buffer_text(out, strchr("\\`*_[]|~#", *text) != NULL ? "\\" : "");
            pv_i_buffer_char(out, *text);
        }
    }
}

static pv_status write_line(book *b, const char *column, const char *label, const char *meaning)
{
    pv_i_csv_field(&b->csv, column);
    pv_i_csv_field(&b->csv, label);
    pv_i_csv_field(&b->csv, meaning);
    pv_i_buffer_text(&b->markdown, "| ");
    escape(&b->markdown, label);
    pv_i_buffer_text(&b->markdown, " | ");
    escape(&b->markdown, meaning);
    pv_i_buffer_text(&b->markdown, " |\n");
    return pv_i_csv_end(&b->csv, b->error);
}

/* The groups that released people are in, each once. */
static pv_status find_labels(const book *b, const pv_label_counts *counts, column_labels *c)
{
    const pv_hierarchy *const h = counts->hierarchy;
    c->starred =
        pv_classes_suppressed(b->job->after) > 0 && !b->job->settings->asked.drop_suppressed;
    for (unsigned level = counts->first; level < counts->first + counts->n_levels; level++) {
        const uint64_t *const rows = pv_i_counts_at(counts, counts->released, level);
        bool *const occurs = PV_ARENA_ARRAY(&b->job->arena, bool, pv_hierarchy_groups(h, level));
        if (b->job->arena.failed) {
            return pv_i_no_memory(b->error);
        }
        for (uint32_t leaf = 0; leaf < counts->n_leaves; leaf++) {
            occurs[pv_hierarchy_group(h, level, leaf)] |= rows[leaf] > 0;
        }
        for (uint32_t g = 0; g < pv_hierarchy_groups(h, level); g++) {
            const char *const label = pv_hierarchy_label(h, level, g);
            uint32_t unused = 0;
            if (!occurs[g]) {
                continue;
            }
            if (strcmp(label, PV_ROOT_LABEL) == 0) {
                c->starred = true;
            } else if (level == 0) {
                c->raw = true;
            } else {
                PV_TRY(pv_i_labels_add(&c->labels, &b->job->arena, label, &unused, b->error));
            }
        }
    }
    return PV_STATUS_OK;
}

/* What the hierarchy says of its labels. Where it leaves the missing value apart, its label is how
 * it is spelled. */
static pv_status find_words(const book *b, size_t q, column_labels *c)
{
    const pv_hierarchy_spec *const spec = &pv_study_quasi_attribute(b->job->study, q)->hierarchy;
    c->words = PV_NEW_ZEROED(pv_buffer, c->labels.n);
    if (c->words == NULL) {
        return pv_i_no_memory(b->error);
    }
    PV_TRY(pv_i_hierarchy_explain(spec, &c->labels, c->words, b->error));
    const uint32_t with_missing = spec->missing_group != NULL
                                      ? pv_i_labels_find(&c->labels, spec->missing_group)
                                      : PV_NO_LABEL;
    if (with_missing != PV_NO_LABEL) {
        pv_i_buffer_text(&c->words[with_missing], "; missing");
        return c->words[with_missing].failed ? pv_i_no_memory(b->error) : PV_STATUS_OK;
    }
    return PV_STATUS_OK;
}

static pv_status write_labels(book *b, size_t column, const char *name, const column_labels *c)
{
    const pv_table *const table = pv_study_table(b->job->study);
    const uint32_t missing = pv_table_missing(table, column);
    const char *const spelling =
        missing != PV_NO_CODE ? pv_table_value(table, column, missing) : NULL;
    for (uint32_t i = 0; i < c->labels.n; i++) {
        const char *const label = c->labels.texts[i];
        const bool is_missing = spelling != NULL && strcmp(spelling, label) == 0;
        PV_TRY(write_line(b, name, label, is_missing ? "missing" : c->words[i].data));
    }
    if (c->starred) {
        PV_TRY(write_line(b, name, PV_ROOT_LABEL, "not shown: it may be any value"));
    }
    const bool alone = c->labels.n == 0 && !c->starred;
    return c->raw ? write_line(b, name, alone ? ANY_VALUE : ANY_OTHER, UNCHANGED) : PV_STATUS_OK;
}

static pv_status write_recoded(book *b, size_t column, const char *name)
{
    const size_t q = pv_i_quasi_of_column(b->job->study, column);
    column_labels c = {0};
    pv_status status = PV_STATUS_OK;
    PV_TRY_CLEAN(find_labels(b, &b->job->label_counts[q], &c));
    PV_TRY_CLEAN(find_words(b, q, &c));
    PV_TRY_CLEAN(write_labels(b, column, name, &c));
cleanup:
    for (uint32_t i = 0; c.words != NULL && i < c.labels.n; i++) {
        pv_i_buffer_deinit(&c.words[i]);
    }
    pv_i_free(c.words);
    pv_i_labels_deinit(&c.labels);
    return status;
}

static pv_status write_columns(book *b)
{
    const pv_table *const table = pv_study_table(b->job->study);
    pv_i_buffer_text(&b->markdown, "# Codebook of ");
    escape(&b->markdown, b->job->shown);
    pv_i_buffer_text(&b->markdown, "\n\nWhat the released values stand for, column by column.\n");
    pv_i_csv_field(&b->csv, "column");
    pv_i_csv_field(&b->csv, "label");
    pv_i_csv_field(&b->csv, "meaning");
    PV_TRY(pv_i_csv_end(&b->csv, b->error));
    for (size_t column = 0; column < pv_table_columns(table); column++) {
        const char *const name = pv_table_name(table, column);
        const pv_treatment treatment = pv_i_treatment(b->job, column);
        if (treatment == PV_TREATMENT_DROPPED) {
            continue;
        }
        pv_i_buffer_text(&b->markdown, "\n## ");
        escape(&b->markdown, name);
        pv_i_buffer_text(&b->markdown, "\n\n| released as | stands for |\n|---|---|\n");
        PV_TRY(treatment == PV_TREATMENT_RECODED ? write_recoded(b, column, name)
               : treatment == PV_TREATMENT_HASHED
                   ? write_line(b, name, ANY_VALUE,
                                "a hash of the original value with a secret key: the same for the "
                                "same value")
                   : write_line(b, name, ANY_VALUE, UNCHANGED));
    }
    return PV_STATUS_OK;
}

pv_status pv_i_codebook(pv_release_job *job, char **csv, char **markdown, pv_error *error)
{
    book b = {.job = job, .error = error};
    char *table = NULL;
    pv_status status = PV_STATUS_OK;
    pv_i_csv_init(&b.csv, ',', NULL);
    b.csv.escapes = job->settings->asked.escape_formulas; /* labels are here as in the table */
    PV_TRY_CLEAN(write_columns(&b));
    PV_TRY_CLEAN(pv_i_buffer_take(&b.csv.pending, &table, error));
    PV_TRY_CLEAN(pv_i_buffer_take(&b.markdown, markdown, error));
    *csv = table;
    table = NULL;
cleanup:
    pv_string_free(table);
    pv_i_csv_deinit(&b.csv);
    pv_i_buffer_deinit(&b.markdown);
    return status;
}

/* ----------------------------------------------------------------- scheme file */

typedef struct {
    pv_named_value values[PV_MAX_CONSTRAINTS];
    char names[PV_MAX_CONSTRAINTS][PV_MEASURE_TEXT_SIZE];
    size_t n;
} named_list;

/* What is demanded twice is demanded once, as the stricter of them. */
static void add_named(named_list *list, pv_measure_ref ref, double value)
{
    char name[PV_MEASURE_TEXT_SIZE];
    const bool more = ref.measure->direction == PV_MORE_IS_BETTER;
    pv_measure_text(ref, name, sizeof name);
    for (size_t i = 0; i < list->n; i++) {
        pv_named_value *const known = &list->values[i];
        if (strcmp(known->name, name) == 0) {
            known->value = more ? fmax(known->value, value) : fmin(known->value, value);
            return;
        }
    }
    if (list->n < PV_MAX_CONSTRAINTS) {
        memcpy(list->names[list->n], name, sizeof name);
        list->values[list->n] = (pv_named_value){.name = list->names[list->n], .value = value};
        list->n++;
    }
}

bool pv_i_has_scheme_file(const pv_release_job *job)
{
    return job->scheme->records == NULL || job->scheme->demands != NULL;
}

/* A released tuple: one label for each quasi-identifier. */
typedef struct {
    const char *const *labels;
    size_t n;
} shown_tuple;

static int by_labels(const void *a, const void *b)
{
    const shown_tuple *const x = a;
    const shown_tuple *const y = b;
    int order = 0;
    for (size_t q = 0; q < x->n && order == 0; q++) {
        order = strcmp(x->labels[q], y->labels[q]);
    }
    return order;
}

/* What the classes of the release show, sorted by that, so that their order tells nothing. Those
 * suppressed are none. `labels` has room for all classes; returns how many there are. */
static size_t collect_classes(const pv_release_job *job, const char **labels, shown_tuple *tuples,
                              bool *seen, const char **sorted)
{
    const pv_classes *const classes = job->after;
    const pv_profile *const profile = pv_classes_profile(classes);
    const size_t width = pv_study_quasis(job->study);
    size_t n = 0;
    for (size_t t = 0; t < pv_profile_tuples(profile); t++) {
        const size_t c = pv_classes_of_tuple(classes, t);
        if (seen[c] || pv_classes_is_suppressed(classes, c)) {
            continue;
        }
        seen[c] = true;
        for (size_t q = 0; q < width; q++) {
            const pv_hierarchy *const h = pv_study_hierarchy(job->study, q);
            const unsigned level = pv_classes_level(classes, t, q);
            labels[n * width + q] = pv_hierarchy_label(
                h, level, pv_hierarchy_group(h, level, pv_profile_leaf(profile, t, q)));
        }
        tuples[n] = (shown_tuple){labels + n * width, width};
        n++;
    }
    qsort(tuples, n, sizeof *tuples, by_labels);
    for (size_t c = 0; c < n; c++) {
        memcpy(sorted + c * width, tuples[c].labels, width * sizeof *sorted);
    }
    return n;
}

/* A scheme that was applied keeps its classes, used or not. */
static pv_status write_scheme(const pv_release_job *job, pv_scheme_record record, char **text,
                              pv_error *error)
{
    const pv_plan *const plan = pv_study_plan(job->study);
    const size_t width = pv_study_quasis(job->study);
    const size_t n = pv_profile_tuples(pv_classes_profile(job->after)) + 1; /* classes at most */
    if (job->scheme->records == NULL || plan->n_classes > 0) {
        record.classes = (const char *const *)plan->classes;
        record.n_classes = plan->n_classes;
        return pv_scheme_text(job->scheme, job->study, &record, text, error);
    }
    const char **const labels = pv_i_array(n, width * sizeof *labels);
    const char **const sorted = pv_i_array(n, width * sizeof *sorted);
    shown_tuple *const tuples = PV_NEW_ARRAY(shown_tuple, n);
    bool *const seen = PV_NEW_ZEROED(bool, n);
    pv_status status = PV_STATUS_OK;
    if (labels == NULL || sorted == NULL || tuples == NULL || seen == NULL) {
        status = pv_i_no_memory(error);
    } else {
        record.n_classes = collect_classes(job, labels, tuples, seen, sorted);
        record.classes = sorted;
        status = pv_scheme_text(job->scheme, job->study, &record, text, error);
    }
    pv_i_free(labels);
    pv_i_free(sorted);
    pv_i_free(tuples);
    pv_i_free(seen);
    return status;
}

pv_status pv_i_scheme_file(const pv_release_job *job, char **text, pv_error *error)
{
    const pv_release_settings *const settings = job->settings;
    named_list require = {.n = 0};
    named_list promises = {.n = 0};
    for (size_t i = 0; i < settings->asked.n_constraints; i++) {
        add_named(&require, settings->asked.constraints[i].ref,
                  settings->asked.constraints[i].bound);
    }
    for (size_t i = 0; i < job->result->n_measures; i++) {
        const pv_measure *const measure = pv_measure_at(i);
        if (measure->promised && job->result->measured[i]) {
            const pv_measure_ref ref = {.measure = measure,
                                        .parameter = measure->parameter_default};
            add_named(&promises, ref, job->result->measures[i]);
        }
    }
    /* What was demanded of one column is promised of it, as far as it was reached. */
    for (size_t i = 0; i < settings->asked.n_constraints; i++) {
        const pv_measure_ref ref = settings->asked.constraints[i].ref;
        const pv_audit_value *const found =
            job->measured_in_file ? pv_audit_find(job->result->audit, ref) : NULL;
        double value = 0;
        if (ref.column[0] == '\0' || !ref.measure->promised) {
            continue;
        }
        if (found != NULL && found->available) {
            value = found->value;
        } else {
            PV_TRY(pv_i_evaluated(job, ref, &value, error));
        }
        add_named(&promises, ref, value);
    }
    const pv_scheme_record record = {.suppression = settings->asked.budget != NULL
                                                        ? *settings->asked.budget
                                                        : pv_study_plan(job->study)->suppression,
                                     .target_k = settings->suppression.target_k,
                                     .whole_budget = settings->suppression.whole_budget,
                                     .require = require.values,
                                     .n_require = require.n,
                                     .promises = promises.values,
                                     .n_promises = promises.n};
    return write_scheme(job, record, text, error);
}
