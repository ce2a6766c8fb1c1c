/* A plan applied to its table: columns found, types set, hierarchies built, weights normalised, the
 * budget in rows. Everything that measures or releases starts here. */
#include "plan/study.h"

#include "base/arena.h"
#include "base/bitset.h"
#include "base/checked.h"
#include "base/error.h"
#include "base/memory.h"
#include "base/options.h"
#include "engine/read.h"
#include "hierarchy/hierarchy_spec.h"
#include "plan/plan.h"
#include "plan/spelling.h"
#include "table/column.h"
#include "table/value.h"

#include <math.h>
#include <paravent/plan.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* -------------------------------------------------------------------- columns */

/* Which columns of a table a plan speaks of: decides what to keep while the header is read, and
 * knows afterwards whether every name of the plan was met. Names are looked up by binary search, so
 * that ten thousand columns against ten thousand attributes cost nothing worth speaking of. */
typedef struct {
    const pv_plan *plan;
    bool all_columns, identifiers, unnamed; /* as in pv_study_options */
    const pv_plan_attribute **by_name;
    bool *met; /* per entry of by_name */
    pv_arena arena;
    const char **names; /* all that were seen, to suggest one for a misspelt name */
    size_t n_names, names_capacity;
    bool failed; /* memory ran out on the way */
} columns_seen;

static int compare_attributes(const void *a, const void *b)
{
    const pv_plan_attribute *const left = *(const pv_plan_attribute *const *)a;
    const pv_plan_attribute *const right = *(const pv_plan_attribute *const *)b;
    return strcmp(left->name, right->name);
}

static int compare_name(const void *name, const void *entry)
{
    return strcmp(name, (*(const pv_plan_attribute *const *)entry)->name);
}

static pv_status columns_init(columns_seen *columns, const pv_plan *plan, pv_error *error)
{
    const size_t n = plan->n_attributes;
    columns->plan = plan;
    columns->by_name = PV_NEW_ARRAY(const pv_plan_attribute *, n);
    columns->met = PV_NEW_ZEROED(bool, n);
    if (columns->by_name == NULL || columns->met == NULL) {
        return pv_i_no_memory(error);
    }
    for (size_t i = 0; i < n; i++) {
        columns->by_name[i] = &plan->attributes[i];
    }
    qsort(columns->by_name, n, sizeof *columns->by_name, compare_attributes);
    return PV_STATUS_OK;
}

static void columns_deinit(columns_seen *columns)
{
    pv_i_free(columns->by_name);
    pv_i_free(columns->met);
    pv_i_free(columns->names);
    pv_i_arena_deinit(&columns->arena);
    *columns = (columns_seen){0};
}

static const pv_plan_attribute **find(const columns_seen *columns, const char *name)
{
    return bsearch(name, columns->by_name, columns->plan->n_attributes, sizeof *columns->by_name,
                   compare_name);
}

/* For every column of the file, in any order: is it to be kept? It is a pv_read_options.keep. */
static bool columns_see(void *ctx, const char *column)
{
    columns_seen *const columns = ctx;
    const pv_plan_attribute **const entry = find(columns, column);
    char *const name = pv_i_arena_text(&columns->arena, column, strlen(column));
    if (name != NULL && pv_i_reserve((void **)&columns->names, &columns->names_capacity,
                                     columns->n_names + 1, sizeof *columns->names)) {
        columns->names[columns->n_names++] = name;
    } else {
        columns->failed = true;
    }
    if (entry == NULL) {
        return columns->unnamed || (columns->plan->keep_others && columns->all_columns);
    }
    columns->met[entry - columns->by_name] = true;
    switch ((*entry)->role) {
    case PV_ROLE_OTHER: return columns->all_columns;
    case PV_ROLE_IDENTIFIER: return columns->identifiers;
    default: return true;
    }
}

static pv_status fail_unknown(const columns_seen *columns, const pv_plan_attribute *attribute,
                              const char *source, pv_error *error)
{
    pv_suggestion suggestion = {.word = attribute->name};
    for (size_t i = 0; i < columns->n_names; i++) {
        pv_i_suggest(&suggestion, columns->names[i]);
    }
    const pv_status status = pv_i_fail_at(
        error, PV_STATUS_INPUT, columns->plan->path, attribute->line, attribute->column,
        "%s has no column `%s`", source, pv_i_shown(attribute->name).text);
    if (suggestion.best != NULL) {
        return pv_i_hint(status, error, "did you mean `%s`?", pv_i_shown(suggestion.best).text);
    }
    return pv_i_hint(status, error,
                     "names must be written exactly as in the first line of the data; check that "
                     "it has a header and that the delimiter is right");
}

/* Fails, at its place in the plan, for the first attribute whose column was not seen. */
static pv_status columns_check(const columns_seen *columns, const char *source, pv_error *error)
{
    if (columns->failed) {
        return pv_i_no_memory(error);
    }
    for (size_t i = 0; i < columns->plan->n_attributes; i++) {
        const pv_plan_attribute *const attribute = &columns->plan->attributes[i];
        const pv_plan_attribute **const entry = find(columns, attribute->name);
        if (entry == NULL || !columns->met[entry - columns->by_name]) {
            return fail_unknown(columns, attribute, source, error);
        }
    }
    return PV_STATUS_OK;
}

/* ------------------------------------------------------------------ the study */

/* A quasi-identifier or sensitive attribute and its column. */
typedef struct {
    const pv_plan_attribute *attribute;
    size_t column;
    pv_hierarchy *hierarchy; /* of a sensitive attribute NULL unless given */
    double weight;           /* quasi */
    pv_unknown unknown;      /* quasi: what became `*` */
    pv_distance distance;    /* sensitive */
} bound;

struct pv_study {
    const pv_plan *plan;
    pv_table *table;
    uint64_t budget;
    bound *quasis;
    size_t n_quasis;
    bound *sensitives;
    size_t n_sensitives;
    size_t label_column;
    char **unnamed; /* columns that are dropped because the plan does not name them */
    size_t n_unnamed;
    pv_plan *own_plan;   /* the plan, if the study frees it */
    pv_context context;  /* as it was opened: threads, progress */
    pv_study_slot *slot; /* its profile; apart, because it is filled in later */
};

/* ---------------------------------------------------------- the suppression budget
 *
 * Exact: a share is a decimal number and is applied in 128 bits. */

static bool is_blank(char c)
{
    return c == ' ' || c == '\t';
}

/* Digits only: a number of rows. */
static bool parse_rows(const char *text, size_t length, uint64_t *rows)
{
    uint64_t n = 0;
    for (size_t i = 0; i < length; i++) {
        if (text[i] < '0' || text[i] > '9' || !pv_i_mul_u64(n, 10, &n) ||
            !pv_i_add_u64(n, (uint64_t)(text[i] - '0'), &n)) {
            return false;
        }
    }
    *rows = n;
    return length > 0;
}

static bool divide_by_hundred(pv_decimal *decimal)
{
    while (decimal->scale + 2 > PV_DECIMAL_MAX_SCALE) {
        if (decimal->mantissa % 10 != 0) {
            return false;
        }
        decimal->mantissa /= 10;
        decimal->scale--;
    }
    decimal->scale = (uint8_t)(decimal->scale + 2);
    return true;
}

static bool parse_share(const char *text, size_t length, pv_decimal *share)
{
    const pv_decimal one = {.mantissa = 1, .scale = 0};
    const bool percent = length > 0 && text[length - 1] == '%';
    if (percent) {
        do {
            length--;
        } while (length > 0 && is_blank(text[length - 1]));
    }
    return length > 0 && text[0] != '-' && pv_decimal_parse(text, length, share) &&
           (!percent || divide_by_hundred(share)) && pv_decimal_compare(*share, one) <= 0;
}

bool pv_budget_parse(const char *text, pv_budget *budget)
{
    text += strspn(text, " \t");
    size_t length = strlen(text);
    while (length > 0 && is_blank(text[length - 1])) {
        length--;
    }
    uint64_t rows;
    pv_decimal share;
    if (parse_rows(text, length, &rows)) {
        *budget = (pv_budget){.rows = rows};
        return true;
    }
    if (parse_share(text, length, &share)) {
        *budget = (pv_budget){.is_share = true, .share = share};
        return true;
    }
    return false;
}

uint64_t pv_budget_rows(const pv_budget *budget, uint64_t n_rows)
{
    const uint64_t most = n_rows > 0 ? n_rows - 1 : 0; /* some class always remains */
    unsigned __int128 wanted = budget->rows;
    if (budget->is_share) {
        /* At most (2^63 - 1)(2^64 - 1), which fits. */
        wanted =
            budget->share.mantissa > 0 ? (unsigned __int128)budget->share.mantissa * n_rows : 0;
        for (unsigned i = 0; i < budget->share.scale; i++) {
            wanted /= 10; /* floors of floors are the floor of the whole division */
        }
    }
    return wanted < most ? (uint64_t)wanted : most;
}

/* ---------------------------------------------------------------- checks */

static size_t count_role(const pv_plan *plan, pv_role role)
{
    size_t n = 0;
    for (size_t i = 0; i < plan->n_attributes; i++) {
        n += plan->attributes[i].role == role;
    }
    return n;
}

static pv_status check_roles(const pv_plan *plan, pv_error *error)
{
    PV_TRY(pv_plan_check_answered(plan, error));
    if (count_role(plan, PV_ROLE_QUASI) > 0) {
        return PV_STATUS_OK;
    }
    const pv_status status =
        pv_i_fail_at(error, PV_STATUS_INPUT, plan->path, 0, 0, "the plan has no quasi-identifier");
    return pv_i_hint(status, error,
                     "give the attributes by which a person could be recognised (age, sex, place "
                     "of living, ...) `role: quasi`");
}

/* -------------------------------------------------------------- attributes */

static bool is_set(const pv_format *format)
{
    return format->decimal != '\0' || format->date[0] != '\0';
}

/* The type that was declared, or the one that was found: anew, where values are written in a way of
 * their own. */
static pv_status set_type(pv_table *table, size_t column, const pv_plan_attribute *attribute,
                          pv_error *error)
{
    return attribute->type != PV_TYPE_AUTO || is_set(&attribute->format)
               ? pv_table_set_type(table, column, attribute->type, error)
               : pv_i_table_settle(table, column, error);
}

/* Problems of values are in the data and name the column themselves; others, such as a builder
 * that does not suit it, are reported where the plan asks for it. */
static pv_status build_hierarchy(const pv_study *study, bound *b, pv_error *error)
{
    const pv_plan_attribute *const attribute = b->attribute;
    const pv_status status =
        pv_hierarchy_build(&attribute->hierarchy, study->table, b->column, &b->hierarchy, error);
    if (status == PV_STATUS_OK || (error != NULL && error->file[0] != '\0')) {
        return status;
    }
    pv_i_prefix_error(error, "hierarchy of", attribute->name);
    return pv_i_place_error(status, PV_AT(study->plan->path, attribute), error);
}

/* ---------------------------------------------------------- unknown values */

/* Values that are not of the declared type, and those for which the hierarchy has no place. */
static pv_status find_unknown(const pv_study *study, const bound *b, uint64_t *codes,
                              pv_error *error)
{
    const pv_type type = b->attribute->type;
    const uint32_t n = pv_table_values(study->table, b->column);
    for (uint32_t code = 0; code < n; code++) {
        const char *const text = pv_table_value(study->table, b->column, code);
        if (code != pv_table_missing(study->table, b->column) && type != PV_TYPE_AUTO &&
            !pv_i_value_fits(text, strlen(text), type, pv_table_format(study->table, b->column))) {
            pv_i_bit_set(codes, code);
        }
    }
    return pv_i_hierarchy_unknown(&b->attribute->hierarchy, study->table, b->column, codes, error);
}

/* What is `*` already is not counted, but becomes one value with the others. */
static void count_unknown(const pv_study *study, bound *b, uint64_t *codes)
{
    for (uint32_t code = 0; code < pv_table_values(study->table, b->column); code++) {
        const char *const text = pv_table_value(study->table, b->column, code);
        if (strcmp(text, PV_ROOT_LABEL) == 0 && code != pv_table_missing(study->table, b->column)) {
            pv_i_bit_set(codes, code);
        } else if (pv_i_bit_get(codes, code)) {
            b->unknown.values++;
            b->unknown.rows += pv_table_count(study->table, b->column, code);
        }
    }
}

/* In the table already, so that nothing after it needs to know: `*` has its place everywhere. */
static pv_status replace_unknown(pv_study *study, bound *b, pv_error *error)
{
    const uint32_t n = pv_table_values(study->table, b->column);
    const uint64_t before = b->unknown.values;
    uint64_t *const codes = PV_NEW_ZEROED(uint64_t, PV_BITSET_WORDS((size_t)n));
    pv_status status = codes != NULL ? PV_STATUS_OK : pv_i_no_memory(error);
    if (status == PV_STATUS_OK) {
        status = find_unknown(study, b, codes, error);
    }
    if (status == PV_STATUS_OK) {
        count_unknown(study, b, codes);
        status = b->unknown.values > before
                     ? pv_i_table_merge(study->table, b->column, codes, PV_ROOT_LABEL, error)
                     : PV_STATUS_OK;
    }
    pv_i_free(codes);
    return status;
}

/* Is that why the hierarchy could not be built? */
static bool has_unknown(const pv_study *study, const bound *b)
{
    const uint32_t n = pv_table_values(study->table, b->column);
    uint64_t *const codes = PV_NEW_ZEROED(uint64_t, PV_BITSET_WORDS((size_t)n));
    bool found = false;
    if (codes != NULL && find_unknown(study, b, codes, NULL) == PV_STATUS_OK) {
        for (uint32_t code = 0; code < n && !found; code++) {
            found = pv_i_bit_get(codes, code);
        }
    }
    pv_i_free(codes);
    return found;
}

static pv_status bind_quasi(pv_study *study, bound *b, pv_error *error)
{
    const pv_plan_attribute *const attribute = b->attribute;
    if (attribute->unknown_as_root) {
        PV_TRY(replace_unknown(study, b, error));
        PV_TRY(pv_i_table_set_type_except(study->table, b->column, attribute->type, PV_ROOT_LABEL,
                                          error));
        return build_hierarchy(study, b, error);
    }
    pv_status status = set_type(study->table, b->column, attribute, error);
    if (status == PV_STATUS_OK) {
        status = build_hierarchy(study, b, error);
    }
    if (status == PV_STATUS_INPUT && error != NULL && has_unknown(study, b)) {
        const size_t used = strlen(error->hint);
        (void)snprintf(error->hint + used, sizeof error->hint - used,
                       "; or release such values as `*`: `unknown: \"*\"` for the attribute");
    }
    return status;
}

/* -------------------------------------------------------------- attributes */

static pv_status bind_sensitive(pv_study *study, bound *b, pv_error *error)
{
    const pv_plan_attribute *const attribute = b->attribute;
    b->distance = attribute->distance != PV_DISTANCE_AUTO ? attribute->distance
                  : attribute->has_hierarchy ? pv_i_hierarchy_distance(&attribute->hierarchy)
                  : pv_table_type(study->table, b->column) == PV_TYPE_TEXT ? PV_DISTANCE_EQUAL
                                                                           : PV_DISTANCE_ORDERED;
    if (b->distance == PV_DISTANCE_HIERARCHICAL && !attribute->has_hierarchy) {
        return pv_i_fail_at(error, PV_STATUS_ARGUMENT, PV_AT(study->plan->path, attribute),
                            "the hierarchical distance of `%s` needs a hierarchy",
                            pv_i_shown(attribute->name).text);
    }
    return attribute->has_hierarchy ? build_hierarchy(study, b, error) : PV_STATUS_OK;
}

static pv_status bind_attribute(pv_study *study, const pv_plan_attribute *attribute,
                                pv_error *error)
{
    const size_t column = pv_table_find(study->table, attribute->name);
    if (column == SIZE_MAX) {
        return PV_STATUS_OK; /* an identifier or other column that was not kept */
    }
    const bound b = {.attribute = attribute, .column = column, .weight = attribute->weight};
    if (is_set(&attribute->format)) { /* a rebound table has its formats already */
        pv_table_set_format(study->table, column, &attribute->format);
    }
    if (attribute->role == PV_ROLE_QUASI) {
        study->quasis[study->n_quasis] = b;
        return bind_quasi(study, &study->quasis[study->n_quasis++], error);
    }
    PV_TRY(set_type(study->table, column, attribute, error));
    switch (attribute->role) {
    case PV_ROLE_SENSITIVE:
        study->sensitives[study->n_sensitives] = b;
        return bind_sensitive(study, &study->sensitives[study->n_sensitives++], error);
    case PV_ROLE_LABEL: study->label_column = column; return PV_STATUS_OK;
    default: return PV_STATUS_OK;
    }
}

static pv_status normalise_weights(pv_study *study, pv_error *error)
{
    double sum = 0;
    for (size_t i = 0; i < study->n_quasis; i++) {
        sum += study->quasis[i].weight;
    }
    if (!(sum > 0) || !isfinite(sum)) {
        return pv_i_hint(pv_i_fail_at(error, PV_STATUS_INPUT, study->plan->path, 0, 0,
                                      "the weights of all quasi-identifiers are 0"),
                         error, "give at least one of them a `weight` above 0");
    }
    for (size_t i = 0; i < study->n_quasis; i++) {
        study->quasis[i].weight /= sum;
    }
    return PV_STATUS_OK;
}

/* ----------------------------------------------------------------- study */

/* Columns that the plan does not name are of the type that was found. */
static pv_status settle_column(const pv_study *study, size_t column, pv_error *error)
{
    const pv_format format = {.decimal = study->plan->decimal};
    if (!is_set(&format) ||
        pv_plan_find(study->plan, pv_table_name(study->table, column)) != NULL) {
        return pv_i_table_settle(study->table, column, error);
    }
    pv_table_set_format(study->table, column, &format);
    return pv_table_set_type(study->table, column, PV_TYPE_AUTO, error);
}

static pv_status fill(pv_study *study, pv_error *error)
{
    for (size_t i = 0; i < study->plan->n_attributes; i++) {
        PV_TRY(bind_attribute(study, &study->plan->attributes[i], error));
    }
    for (size_t column = 0; column < pv_table_columns(study->table); column++) {
        PV_TRY(settle_column(study, column, error));
    }
    PV_TRY(normalise_weights(study, error));
    study->budget = pv_budget_rows(&study->plan->suppression, pv_table_rows(study->table));
    return PV_STATUS_OK;
}

/* The columns are known to be there. `unnamed` are those that the plan drops because it does not
 * name them. On failure the table stays the caller's. */
static pv_status bind_table(const pv_plan *plan, pv_table *table, const char *const *unnamed,
                            size_t n_unnamed, pv_study **study, pv_error *error)
{
    pv_status status;
    pv_study *const made = PV_NEW(pv_study);
    if (made == NULL) {
        return pv_i_no_memory(error);
    }
    *made = (pv_study){.plan = plan,
                       .table = table,
                       .label_column = SIZE_MAX,
                       .quasis = PV_NEW_ZEROED(bound, count_role(plan, PV_ROLE_QUASI)),
                       .sensitives = PV_NEW_ZEROED(bound, count_role(plan, PV_ROLE_SENSITIVE)),
                       .unnamed = PV_NEW_ZEROED(char *, n_unnamed),
                       .slot = PV_NEW(pv_study_slot)};
    if (made->slot != NULL) {
        *made->slot = (pv_study_slot){.lock = PTHREAD_MUTEX_INITIALIZER};
    }
    if (made->quasis == NULL || made->sensitives == NULL || made->unnamed == NULL ||
        made->slot == NULL) {
        PV_TRY_CLEAN(pv_i_no_memory(error));
    }
    PV_TRY_CLEAN(fill(made, error));
    for (size_t i = 0; i < n_unnamed; i++) {
        made->unnamed[i] = pv_i_strdup(unnamed[i]);
        if (made->unnamed[i] == NULL) {
            PV_TRY_CLEAN(pv_i_no_memory(error));
        }
        made->n_unnamed = i + 1;
    }
    *study = made;
    return PV_STATUS_OK;
cleanup:
    made->table = NULL;
    pv_study_free(made);
    return status;
}

/* All that is left to do once the columns were seen: which ones no release will have. */
static pv_status bind_columns(const pv_plan *plan, pv_table *table, columns_seen *columns,
                              pv_study **study, pv_error *error)
{
    size_t n = 0;
    PV_TRY(columns_check(columns, pv_table_source(table), error));
    for (size_t i = 0; i < columns->n_names && !plan->keep_others; i++) {
        if (find(columns, columns->names[i]) == NULL) {
            columns->names[n++] = columns->names[i]; /* the others are not needed any more */
        }
    }
    return bind_table(plan, table, columns->names, n, study, error);
}

pv_status pv_study_bind(const pv_plan *plan, pv_table *table, pv_study **study, pv_error *error)
{
    columns_seen columns = {0};
    pv_status status;
    PV_TRY(check_roles(plan, error));
    PV_TRY_CLEAN(columns_init(&columns, plan, error));
    for (size_t i = 0; i < pv_table_columns(table); i++) {
        (void)columns_see(&columns, pv_table_name(table, i));
    }
    PV_TRY_CLEAN(bind_columns(plan, table, &columns, study, error));
cleanup:
    columns_deinit(&columns);
    return status;
}

/* Columns that the first plan did not need are not there; the other one needs no more of them. */
pv_status pv_study_rebind(const pv_study *study, const pv_plan *plan, pv_study **rebound,
                          pv_error *error)
{
    pv_study *made = NULL;
    PV_TRY(check_roles(plan, error));
    PV_TRY(bind_table(plan, study->table, (const char *const *)study->unnamed, study->n_unnamed,
                      &made, error));
    (void)pv_i_table_share(study->table);
    made->context = study->context;
    /* What became `*` under the first plan is still `*`. */
    for (size_t i = 0; i < made->n_quasis; i++) {
        for (size_t j = 0; j < study->n_quasis; j++) {
            if (study->quasis[j].column == made->quasis[i].column) {
                made->quasis[i].unknown.values += study->quasis[j].unknown.values;
                made->quasis[i].unknown.rows += study->quasis[j].unknown.rows;
            }
        }
    }
    *rebound = made;
    return PV_STATUS_OK;
}

/* How the data of a plan is read. `columns` is deinitialised by the caller, even after a failure.
 */
static pv_status choose_reading(const pv_plan *plan, const pv_study_options *options,
                                columns_seen *columns, const char **data, pv_read_options *reading,
                                pv_error *error)
{
    PV_TRY(check_roles(plan, error));
    *data = options->data != NULL ? options->data : plan->data;
    if (*data == NULL) {
        return pv_i_hint(
            pv_i_fail_at(error, PV_STATUS_INPUT, plan->path, 0, 0, "the plan names no data"), error,
            "add a line `data: FILE.csv`, or name the data file beside the plan");
    }
    PV_TRY(columns_init(columns, plan, error));
    columns->all_columns = options->all_columns;
    columns->identifiers = options->identifiers;
    columns->unnamed = options->unnamed;
    *reading = pv_plan_reading(plan);
    reading->skip_bad_rows = options->skip_bad_rows;
    reading->keep = columns_see;
    reading->keep_ctx = columns;
    return PV_STATUS_OK;
}

pv_status pv_study_explain(const pv_plan *plan, const pv_study_options *options,
                           const pv_context *context, char **statement, pv_error *error)
{
    pv_study_options taken;
    columns_seen columns = {0};
    pv_read_options reading = {0};
    const char *data = NULL;
    pv_buffer text = {0};
    PV_TRY(PV_TAKE_OPTIONS(taken, options, error));
    pv_status status = choose_reading(plan, &taken, &columns, &data, &reading, error);
    if (status == PV_STATUS_OK && pv_i_is_place(data)) {
        status = pv_i_table_explain(data, &reading, context, statement, error);
    } else if (status == PV_STATUS_OK) {
        pv_i_buffer_format(&text, "-- %s is a file, which is read without SQL", data);
        status = pv_i_buffer_take(&text, statement, error);
    }
    pv_i_buffer_deinit(&text);
    columns_deinit(&columns);
    return status;
}

pv_status pv_i_study_open_by(pv_study_reader reader, void *ctx, const pv_plan *plan,
                             const pv_study_options *options, const pv_context *context,
                             pv_study **study, pv_error *error)
{
    pv_study_options taken;
    pv_table *table = NULL;
    columns_seen columns = {0};
    pv_read_options reading = {0};
    const char *data = NULL;
    pv_status status = PV_STATUS_OK;
    PV_TRY(PV_TAKE_OPTIONS(taken, options, error));
    PV_TRY_CLEAN(choose_reading(plan, &taken, &columns, &data, &reading, error));
    PV_TRY_CLEAN(reader(ctx, data, &reading, context, &table, error));
    if (table == NULL) {
        *study = NULL;
        goto cleanup;
    }
    if (taken.single_rows) {
        PV_TRY_CLEAN(pv_i_table_expand(table, error));
    }
    PV_TRY_CLEAN(bind_columns(plan, table, &columns, study, error));
    if (context != NULL) {
        (*study)->context = *context;
    }
    table = NULL;
cleanup:
    pv_table_free(table);
    columns_deinit(&columns);
    return status;
}

static pv_status read_data(void *ctx, const char *data, const pv_read_options *reading,
                           const pv_context *context, pv_table **table, pv_error *error)
{
    (void)ctx;
    return pv_i_table_read_counted(data, reading, context, table, error);
}

pv_status pv_study_open(const pv_plan *plan, const pv_study_options *options,
                        const pv_context *context, pv_study **study, pv_error *error)
{
    return pv_i_study_open_by(read_data, NULL, plan, options, context, study, error);
}

static void free_bounds(bound *bounds, size_t n)
{
    for (size_t i = 0; i < n; i++) {
        pv_hierarchy_free(bounds[i].hierarchy);
    }
    pv_i_free(bounds);
}

void pv_study_free(pv_study *study)
{
    if (study != NULL) {
        if (study->slot != NULL && study->slot->profile != NULL) {
            study->slot->free_profile(study->slot->profile);
        }
        pv_i_free(study->slot);
        free_bounds(study->quasis, study->n_quasis);
        free_bounds(study->sensitives, study->n_sensitives);
        pv_table_free(study->table);
        for (size_t i = 0; i < study->n_unnamed; i++) {
            pv_i_free(study->unnamed[i]);
        }
        pv_i_free(study->unnamed);
        pv_plan_free(study->own_plan);
        pv_i_free(study);
    }
}

/* --------------------------------------------------------------- accessors
 *
 * What they give is said in the headers. */

/* clang-format off */
pv_study_slot *pv_i_study_slot(const pv_study *s) { return s->slot; }
void pv_i_study_own_plan(pv_study *s, pv_plan *plan) { s->own_plan = plan; }
const pv_context *pv_study_context(const pv_study *s) { return &s->context; }
const pv_plan *pv_study_plan(const pv_study *s) { return s->plan; }
const pv_table *pv_study_table(const pv_study *s) { return s->table; }
uint64_t pv_study_budget(const pv_study *s) { return s->budget; }
size_t pv_study_quasis(const pv_study *s) { return s->n_quasis; }
const char *pv_study_quasi_name(const pv_study *s, size_t i) { return s->quasis[i].attribute->name; }
size_t pv_study_quasi_column(const pv_study *s, size_t i) { return s->quasis[i].column; }
const pv_plan_attribute *pv_study_quasi_attribute(const pv_study *s, size_t i) { return s->quasis[i].attribute; }
const pv_hierarchy *pv_study_hierarchy(const pv_study *s, size_t i) { return s->quasis[i].hierarchy; }
pv_unknown pv_study_unknown(const pv_study *s, size_t i) { return s->quasis[i].unknown; }
double pv_study_weight(const pv_study *s, size_t i) { return s->quasis[i].weight; }
size_t pv_study_sensitives(const pv_study *s) { return s->n_sensitives; }
size_t pv_study_sensitive_column(const pv_study *s, size_t i) { return s->sensitives[i].column; }
pv_distance pv_study_distance(const pv_study *s, size_t i) { return s->sensitives[i].distance; }
const pv_hierarchy *pv_study_sensitive_hierarchy(const pv_study *s, size_t i) { return s->sensitives[i].hierarchy; }
size_t pv_study_label_column(const pv_study *s) { return s->label_column; }
size_t pv_study_unnamed(const pv_study *s) { return s->n_unnamed; }
const char *pv_study_unnamed_name(const pv_study *s, size_t i) { return s->unnamed[i]; }
/* clang-format on */

bool pv_study_allows(const pv_study *study, size_t quasi, unsigned level)
{
    const pv_plan_attribute *const attribute = study->quasis[quasi].attribute;
    const unsigned height = pv_hierarchy_height(study->quasis[quasi].hierarchy);
    const int most = attribute->max_level;
    if (attribute->level >= 0) { /* too high is the top, as everywhere a level is too high */
        return level == ((unsigned)attribute->level < height ? (unsigned)attribute->level : height);
    }
    return most < 0 || level <= (unsigned)most;
}
