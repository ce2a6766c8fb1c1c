/* The plan file: what the publisher wrote, as a pv_plan. One table of top-level keys, each with the
 * function that takes its value; attributes, hierarchies and combinations have files of their own.
 *
 * Reading is strict: an unknown key, a key twice or a value of the wrong kind is an error with its
 * place, for a plan that is not understood must not protect anybody. Nothing is read from the data
 * here; whether columns exist and values fit is found when a study opens the table. */
#include "plan/plan.h"

#include "base/error.h"
#include "base/file.h"
#include "base/memory.h"
#include "engine/place.h"
#include "hierarchy/hierarchy_spec.h"
#include "plan/spelling.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

/* ------------------------------------------------------------ data, rows */

/* `{odbc: DSN, table: t}`: the one key that is no `table` and no `query` says which engine. */
static pv_status place_of_mapping(const char *file, const pv_node *value, char **place,
                                  pv_error *error)
{
    const char *scheme = NULL;
    const char *where = NULL;
    const char *table = NULL;
    const char *query = NULL;
    for (const pv_node *part = value->first; part != NULL; part = part->next) {
        const char *const key = part->key->text;
        PV_TRY(pv_i_need_text(key, file, part, error));
        if (strcmp(key, "table") == 0) {
            table = part->text;
        } else if (strcmp(key, "query") == 0) {
            query = part->text;
        } else if (pv_i_is_scheme(key) && scheme == NULL) {
            scheme = key;
            where = part->text;
        } else {
            return pv_i_hint(pv_i_fail_at(error, PV_STATUS_INPUT, PV_AT(file, part->key),
                                          "`data` cannot have the key `%s`", pv_i_shown(key).text),
                             error,
                             "write {postgresql: host/database, table: survey}, with clickhouse, "
                             "duckdb or odbc instead, and a `query` instead of a table");
        }
    }
    if (scheme == NULL || (table == NULL) == (query == NULL)) {
        return pv_i_hint(
            pv_i_fail_at(error, PV_STATUS_INPUT, PV_AT(file, value),
                         "`data` must say where the table is, and its name or a query"),
            error, "write {postgresql: host/database, table: survey}");
    }
    *place = pv_i_place_of_parts(scheme, where, table, query);
    return *place != NULL ? PV_STATUS_OK : pv_i_no_memory(error);
}

static pv_status take_data(const char *file, const pv_node *value, void *target, pv_error *error)
{
    pv_plan *const plan = target;
    char *place = NULL;
    if (value->kind == PV_NODE_MAPPING) {
        PV_TRY(place_of_mapping(file, value, &place, error));
    } else {
        PV_TRY(pv_i_need_text("data", file, value, error));
    }
    plan->data = pv_i_place_beside(file, place != NULL ? place : value->text);
    pv_i_free(place);
    return plan->data != NULL ? PV_STATUS_OK : pv_i_no_memory(error);
}

static pv_status take_suppression(const char *file, const pv_node *value, void *target,
                                  pv_error *error)
{
    PV_TRY(pv_i_need_text("suppression", file, value, error));
    if (!pv_budget_parse(value->text, &((pv_plan *)target)->suppression)) {
        return pv_i_hint(pv_i_fail_at(error, PV_STATUS_INPUT, PV_AT(file, value),
                                      "`suppression` cannot be `%s`", pv_i_shown(value->text).text),
                         error,
                         "write a share of the rows such as 1%% or 0.01 (at most 100%%), or a "
                         "number of rows such as 25");
    }
    return PV_STATUS_OK;
}

static pv_status take_target_k(const char *file, const pv_node *value, void *target,
                               pv_error *error)
{
    return pv_i_take_count("target-k", file, value, 1, UINT64_MAX, &((pv_plan *)target)->target_k,
                           error);
}

/* --------------------------------------------------------- how it is read */

static pv_status take_delimiter(const char *file, const pv_node *value, void *target,
                                pv_error *error)
{
    static const pv_word names[] = {
        {"tab", '\t'}, {"comma", ','}, {"semicolon", ';'}, {"pipe", '|'}, {NULL, 0}};
    char *const delimiter = &((pv_plan *)target)->delimiter;
    PV_TRY(pv_i_need_text("delimiter", file, value, error));
    for (const pv_word *name = names; name->text != NULL; name++) {
        if (strcmp(name->text, value->text) == 0) {
            *delimiter = (char)name->value;
            return PV_STATUS_OK;
        }
    }
    const char *const sign = value->text;
    if (sign[0] == '\0' || sign[1] != '\0' || (unsigned char)sign[0] >= 0x80 ||
        strchr("\"\r\n", sign[0]) != NULL) {
        return pv_i_hint(pv_i_fail_at(error, PV_STATUS_INPUT, PV_AT(file, value),
                                      "`delimiter` must be a single character"),
                         error, "write \",\" or \";\" or \"|\" (in quotes), or tab");
    }
    *delimiter = value->text[0];
    return PV_STATUS_OK;
}

static pv_status take_decimal_sign(const char *file, const pv_node *value, void *target,
                                   pv_error *error)
{
    return pv_i_plan_decimal(file, value, &((pv_plan *)target)->decimal, NULL, error);
}

static const char *const *missing_of(void *ctx, const char *column)
{
    return pv_plan_missing(ctx, column);
}

const char *const *pv_plan_missing(const pv_plan *plan, const char *column)
{
    const pv_plan_attribute *const attribute = pv_plan_find(plan, column);
    return (const char *const *)(attribute != NULL && attribute->missing != NULL
                                     ? attribute->missing
                                     : plan->missing);
}

pv_read_options pv_plan_reading(const pv_plan *plan)
{
    return (pv_read_options){.delimiter = plan->delimiter,
                             .quoting = plan->quoting,
                             .header = plan->header,
                             .keep_blanks = plan->keep_blanks,
                             .missing = (const char *const *)plan->missing,
                             .missing_of = missing_of,
                             .missing_ctx = (void *)(uintptr_t)plan};
}

void pv_plan_overrule_reading(pv_plan *plan, const pv_read_options *reading)
{
    plan->delimiter = reading->delimiter != '\0' ? reading->delimiter : plan->delimiter;
    plan->quoting = reading->quoting != PV_CHOICE_AUTO ? reading->quoting : plan->quoting;
    plan->header = reading->header != PV_CHOICE_AUTO ? reading->header : plan->header;
    plan->keep_blanks = plan->keep_blanks || reading->keep_blanks;
}

/* ------------------------------------------------------------- attributes */

static pv_status check_one_label(const char *file, const pv_plan *plan, pv_error *error)
{
    const pv_plan_attribute *label = NULL;
    for (size_t i = 0; i < plan->n_attributes; i++) {
        const pv_plan_attribute *const attribute = &plan->attributes[i];
        if (attribute->role == PV_ROLE_LABEL && label != NULL) {
            return pv_i_hint(
                pv_i_fail_at(error, PV_STATUS_INPUT, PV_AT(file, attribute),
                             "`%s` is a second label", pv_i_shown(attribute->name).text),
                error, "there can be one; `%s` has the role already", pv_i_shown(label->name).text);
        }
        label = attribute->role == PV_ROLE_LABEL ? attribute : label;
    }
    return PV_STATUS_OK;
}

static pv_status take_attributes(const char *file, const pv_node *value, void *target,
                                 pv_error *error)
{
    pv_plan *const plan = target;
    PV_TRY(pv_i_need_mapping("attributes", file, value, "attributes: {age: {role: quasi}}", error));
    plan->attributes = PV_NEW_ZEROED(pv_plan_attribute, value->n_items);
    if (plan->attributes == NULL) {
        return pv_i_no_memory(error);
    }
    for (const pv_node *item = value->first; item != NULL; item = item->next) {
        pv_plan_attribute *const attribute = &plan->attributes[plan->n_attributes++];
        PV_TRY(pv_i_plan_attribute(file, item, &plan->setting, attribute, error));
    }
    return check_one_label(file, plan, error);
}

/* ----------------------------------------------------- require, promises */

/* Bounds stay text: what a measure is called and can reach is known further down the house. */
pv_status pv_i_plan_bounds(const char *file, const pv_node *value, const char *example,
                           pv_plan_require **bounds, size_t *n_bounds, pv_error *error)
{
    PV_TRY(pv_i_need_mapping(value->key->text, file, value, example, error));
    *bounds = PV_NEW_ZEROED(pv_plan_require, value->n_items);
    if (*bounds == NULL) {
        return pv_i_no_memory(error);
    }
    for (const pv_node *item = value->first; item != NULL; item = item->next) {
        pv_plan_require *const bound = &(*bounds)[(*n_bounds)++];
        *bound = (pv_plan_require){.line = item->key->line, .column = item->key->column};
        PV_TRY(pv_i_take_text(item->key->text, file, item->key, &bound->name, error));
        PV_TRY(pv_i_take_text(item->key->text, file, item, &bound->value, error));
    }
    return PV_STATUS_OK;
}

#define EXAMPLE "{k: 5, l-distinct: 3}"

static pv_status take_require(const char *file, const pv_node *value, void *target, pv_error *error)
{
    pv_plan *const plan = target;
    return pv_i_plan_bounds(file, value, EXAMPLE, &plan->require, &plan->n_require, error);
}

static pv_status take_promises(const char *file, const pv_node *value, void *target,
                               pv_error *error)
{
    pv_plan *const plan = target;
    return pv_i_plan_bounds(file, value, EXAMPLE, &plan->promises, &plan->n_promises, error);
}

static pv_status take_compare(const char *file, const pv_node *value, void *target, pv_error *error)
{
    pv_plan *const plan = target;
    return pv_i_plan_combinations(file, value, &plan->combinations, &plan->n_combinations, error);
}

/* [["20-29", "Europe"], ...]: all as long as the first. That they are as long as there are
 * quasi-identifiers is looked at when they are applied. */
static pv_status take_classes(const char *file, const pv_node *value, void *target, pv_error *error)
{
    static const char example[] = "classes: [[\"20-29\", \"Europe\"], [\"*\", \"France\"]]";
    pv_plan *const plan = target;
    size_t n = 0;
    PV_TRY(pv_i_need_list("classes", file, value, example, error));
    PV_TRY(pv_i_need_list("classes", file, value->first, example, error));
    plan->class_width = value->first->n_items;
    plan->classes = PV_NEW_ZEROED(char *, value->n_items * plan->class_width + 1);
    if (plan->classes == NULL) {
        return pv_i_no_memory(error);
    }
    for (const pv_node *list = value->first; list != NULL; list = list->next) {
        PV_TRY(pv_i_need_list("classes", file, list, example, error));
        if (list->n_items != plan->class_width) {
            return pv_i_hint(pv_i_fail_at(error, PV_STATUS_INPUT, PV_AT(file, list),
                                          "this class has %zu labels, the first one has %zu",
                                          list->n_items, plan->class_width),
                             error, "every class has one label for each quasi-identifier");
        }
        for (const pv_node *item = list->first; item != NULL; item = item->next) {
            PV_TRY(pv_i_need_text("classes", file, item, error));
            plan->classes[n] = pv_i_strdup(item->text);
            if (plan->classes[n++] == NULL) {
                return pv_i_no_memory(error);
            }
        }
        plan->n_classes++;
    }
    return PV_STATUS_OK;
}

size_t pv_plan_classes(const pv_plan *plan)
{
    return plan->n_classes;
}

/* ------------------------------------------------ the head of a scheme file */

pv_status pv_i_take_version(const char *file, const pv_node *value, void *unused, pv_error *error)
{
    (void)unused; /* who wrote the file; `schema` says how to read it */
    return pv_i_need_text("paravent", file, value, error);
}

pv_status pv_i_take_schema(const char *file, const pv_node *value, void *unused, pv_error *error)
{
    (void)unused;
    PV_TRY(pv_i_need_text("schema", file, value, error));
    if (strcmp(value->text, "1") != 0) {
        return pv_i_hint(pv_i_fail_at(error, PV_STATUS_INPUT, PV_AT(file, value),
                                      "this program reads schema 1, the file has schema `%s`",
                                      pv_i_shown(value->text).text),
                         error, "use the version of paravent that wrote the file, or a newer one");
    }
    return PV_STATUS_OK;
}

/* ------------------------------------------------------------- the whole */

const pv_word pv_i_domains[] = {{"table", false}, {"hierarchy", true}, {NULL, 0}};
static const pv_word choices[] = {{"yes", PV_CHOICE_YES},   {"no", PV_CHOICE_NO},
                                  {"true", PV_CHOICE_YES},  {"false", PV_CHOICE_NO},
                                  {"auto", PV_CHOICE_AUTO}, {NULL, 0}};
static const pv_word keeps_blanks[] = {
    {"yes", false}, {"no", true}, {"true", false}, {"false", true}, {NULL, 0}};
static const pv_word suppresses[] = {{"as-needed", false}, {"whole-budget", true}, {NULL, 0}};
static const pv_word keeps_others[] = {{"drop", false}, {"keep", true}, {NULL, 0}};
/* Levels are with their attributes; a local recoding has `classes`. */
static const pv_word schemes[] = {{"levels", 0}, {"local", 0}, {NULL, 0}};

static const pv_plan_key plan_keys[] = {
    PV_KEY("data", take_data),
    PV_KEY("suppression", take_suppression),
    PV_KEY("target-k", take_target_k),
    PV_KEY_INTO("suppress", PV_KEY_SWITCH, pv_plan, whole_budget, suppresses),
    PV_KEY_INTO("missing", PV_KEY_TEXTS, pv_plan, missing, NULL),
    PV_KEY("delimiter", take_delimiter),
    PV_KEY_INTO("quotes", PV_KEY_CHOICE, pv_plan, quoting, choices),
    PV_KEY_INTO("header", PV_KEY_CHOICE, pv_plan, header, choices),
    PV_KEY_INTO("trim", PV_KEY_SWITCH, pv_plan, keep_blanks, keeps_blanks),
    PV_KEY("decimal", take_decimal_sign),
    PV_KEY_INTO("domain", PV_KEY_SWITCH, pv_plan, setting.count_all_leaves, pv_i_domains),
    PV_KEY_INTO("others", PV_KEY_SWITCH, pv_plan, keep_others, keeps_others),
    PV_KEY("attributes", take_attributes),
    PV_KEY("require", take_require),
    PV_KEY("compare", take_compare),
    PV_KEY("paravent", pv_i_take_version),
    PV_KEY("schema", pv_i_take_schema),
    PV_KEY_INTO("scheme", PV_KEY_CHECK, pv_plan, setting, schemes),
    PV_KEY("promises", take_promises),
    PV_KEY("classes", take_classes),
    {0},
};

static pv_status check_root(const char *file, const pv_node *root, pv_error *error)
{
    const char *const example = "begin with `data: FILE.csv` and `attributes:`";
    if (root == NULL || (root->kind == PV_NODE_SCALAR && root->text[0] == '\0')) {
        return pv_i_hint(pv_i_fail_at(error, PV_STATUS_INPUT, file, 0, 0, "the plan is empty"),
                         error, "%s", example);
    }
    if (root->kind != PV_NODE_MAPPING) {
        return pv_i_hint(pv_i_fail_at(error, PV_STATUS_INPUT, PV_AT(file, root),
                                      "a plan is a mapping of keys to values, this is not"),
                         error, "%s", example);
    }
    return PV_STATUS_OK;
}

/* The plan's own `domain: hierarchy` must mean something for some attribute. */
static pv_status check_domain(const char *file, const pv_node *domain, const pv_plan *plan,
                              pv_error *error)
{
    bool has_meaning = plan->n_attributes == 0;
    for (size_t i = 0; i < plan->n_attributes; i++) {
        has_meaning = has_meaning || plan->attributes[i].hierarchy.count_all_leaves;
    }
    return has_meaning
               ? PV_STATUS_OK
               : pv_i_hint(pv_i_fail_at(error, PV_STATUS_INPUT, PV_AT(file, domain->key),
                                        "`domain: hierarchy` has no meaning: no hierarchy of a "
                                        "quasi-identifier names its values"),
                           error, "remove it");
}

static pv_status fill(pv_plan *plan, const char *file, const pv_node *root, pv_error *error)
{
    PV_TRY(check_root(file, root, error));
    /* Wherever it is written, the default applies to all attributes. */
    const pv_node *const domain = pv_i_node_get(root, "domain");
    if (domain != NULL) {
        int all = 0;
        PV_TRY(pv_i_take_word("domain", pv_i_domains, file, domain, &all, error));
        plan->setting.count_all_leaves = all;
    }
    const pv_node *const data = pv_i_node_get(root, "data");
    if (data != NULL && data->kind == PV_NODE_SCALAR) {
        char *const place = pv_i_place_beside(file, data->text);
        plan->setting.data = place != NULL ? pv_i_place_path(place) : NULL;
        pv_i_free(place);
        if (plan->setting.data == NULL) {
            return pv_i_no_memory(error);
        }
    }
    PV_TRY(pv_i_take_keys(plan_keys, "the plan", file, root, plan, error));
    for (size_t i = 0; i < plan->n_attributes; i++) {
        pv_format *const format = &plan->attributes[i].format;
        format->decimal = format->decimal != '\0' ? format->decimal : plan->decimal;
    }
    return plan->setting.count_all_leaves ? check_domain(file, domain, plan, error) : PV_STATUS_OK;
}

pv_status pv_i_plan_parse(const char *name, const char *text, size_t size, bool read_files,
                          pv_plan **plan, pv_error *error)
{
    pv_status status;
    pv_document document = {0};
    pv_plan *made = PV_NEW(pv_plan);
    if (made == NULL || (made->path = pv_i_strdup(name)) == NULL) {
        status = pv_i_no_memory(error);
        goto cleanup;
    }
    made->setting.read_files = read_files;
    PV_TRY_CLEAN(pv_i_document_parse(&document, name, text, size, error));
    PV_TRY_CLEAN(fill(made, name, document.root, error));
    *plan = made;
    made = NULL;
cleanup:
    pv_i_document_deinit(&document);
    pv_plan_free(made);
    return status;
}

pv_status pv_plan_parse(const char *name, const char *text, size_t size, pv_plan **plan,
                        pv_error *error)
{
    return pv_i_plan_parse(name, text, size, true, plan, error);
}

pv_status pv_plan_read(const char *path, pv_plan **plan, pv_error *error)
{
    char *text = NULL;
    size_t size = 0;
    PV_TRY(pv_i_file_read(path, PV_DOCUMENT_MAX_SIZE, &text, &size, error));
    const pv_status status = pv_plan_parse(path, text, size, plan, error);
    pv_i_free(text);
    return status;
}

pv_status pv_plan_each_file(const char *name, const char *text, size_t size,
                            void (*hear)(void *ctx, const char *path), void *ctx, pv_error *error)
{
    pv_plan *plan = NULL;
    PV_TRY(pv_i_plan_parse(name, text, size, false, &plan, error));
    if (plan->data != NULL) {
        hear(ctx, plan->data);
    }
    for (size_t i = 0; i < plan->n_attributes; i++) {
        const char *const files[] = {plan->attributes[i].hierarchy.file,
                                     plan->attributes[i].sensitivity.file};
        for (size_t f = 0; f < 2; f++) {
            if (files[f] != NULL) {
                hear(ctx, files[f]);
            }
        }
    }
    pv_plan_free(plan);
    return PV_STATUS_OK;
}

const pv_plan_attribute *pv_plan_find(const pv_plan *plan, const char *column)
{
    for (size_t i = 0; i < plan->n_attributes; i++) {
        if (strcmp(plan->attributes[i].name, column) == 0) {
            return &plan->attributes[i];
        }
    }
    return NULL;
}

/* --------------------------------------------------------------- accessors
 *
 * What a field is, is said in the public header and with the struct. */

/* clang-format off */
const char *pv_plan_path(const pv_plan *p) { return p->path; }
const char *pv_plan_data(const pv_plan *p) { return p->data; }
pv_budget pv_plan_budget(const pv_plan *p) { return p->suppression; }
uint64_t pv_plan_target_k(const pv_plan *p) { return p->target_k; }
bool pv_plan_whole_budget(const pv_plan *p) { return p->whole_budget; }
size_t pv_plan_n_attributes(const pv_plan *p) { return p->n_attributes; }
const pv_plan_attribute *pv_plan_attribute_at(const pv_plan *p, size_t i) { return &p->attributes[i]; }

const char *pv_attribute_name(const pv_plan_attribute *a) { return a->name; }
pv_role pv_attribute_role(const pv_plan_attribute *a) { return a->role; }
pv_type pv_attribute_type(const pv_plan_attribute *a) { return a->type; }
const pv_format *pv_attribute_format(const pv_plan_attribute *a) { return &a->format; }
char pv_attribute_open_format(const pv_plan_attribute *a) { return a->open_format; }
pv_distance pv_attribute_distance(const pv_plan_attribute *a) { return a->distance; }
const pv_hierarchy_spec *pv_attribute_hierarchy(const pv_plan_attribute *a) { return &a->hierarchy; }
bool pv_attribute_has_hierarchy(const pv_plan_attribute *a) { return a->has_hierarchy; }
double pv_attribute_weight(const pv_plan_attribute *a) { return a->weight; }
int pv_attribute_level(const pv_plan_attribute *a) { return a->level; }
bool pv_attribute_is_unique_accepted(const pv_plan_attribute *a) { return a->unique_accepted; }
uint64_t pv_attribute_line(const pv_plan_attribute *a) { return a->line; }
/* clang-format on */

const char *const *pv_attribute_missing(const pv_plan_attribute *attribute)
{
    return (const char *const *)attribute->missing;
}

const pv_plan_combination *pv_plan_combinations(const pv_plan *plan, size_t *n)
{
    *n = plan->n_combinations;
    return plan->combinations;
}

void pv_i_plan_bounds_free(pv_plan_require *bounds, size_t n)
{
    for (size_t i = 0; i < n; i++) {
        pv_i_free(bounds[i].name);
        pv_i_free(bounds[i].value);
    }
    pv_i_free(bounds);
}

pv_status pv_plan_protect(const pv_plan *plan, pv_outputs *outputs, pv_error *error)
{
    PV_TRY(pv_outputs_protect(outputs, plan->path, error));
    if (plan->data != NULL) {
        char *const data = pv_i_place_path(plan->data);
        const pv_status status =
            data != NULL ? pv_outputs_protect(outputs, data, error) : pv_i_no_memory(error);
        pv_i_free(data);
        PV_TRY(status);
    }
    for (size_t i = 0; i < plan->n_attributes; i++) {
        PV_TRY(pv_outputs_protect(outputs, plan->attributes[i].hierarchy.file, error));
        PV_TRY(pv_outputs_protect(outputs, plan->attributes[i].sensitivity.file, error));
    }
    return PV_STATUS_OK;
}

void pv_plan_free(pv_plan *plan)
{
    if (plan == NULL) {
        return;
    }
    for (size_t i = 0; i < plan->n_attributes; i++) {
        pv_i_free(plan->attributes[i].name);
        pv_i_texts_free(plan->attributes[i].missing);
        pv_hierarchy_spec_free(&plan->attributes[i].hierarchy);
        pv_i_plan_sensitivity_free(&plan->attributes[i].sensitivity);
        pv_i_plan_bounds_free(plan->attributes[i].require, plan->attributes[i].n_require);
    }
    pv_i_free(plan->attributes);
    pv_i_plan_bounds_free(plan->require, plan->n_require);
    pv_i_plan_bounds_free(plan->promises, plan->n_promises);
    pv_i_plan_combinations_free(plan->combinations, plan->n_combinations);
    pv_i_texts_free(plan->missing);
    pv_i_texts_free(plan->classes);
    pv_i_free(plan->path);
    pv_i_free(plan->data);
    pv_i_free(plan->setting.data);
    pv_i_free(plan);
}

/* --------------------------------------------------------------------- copies
 *
 * Deep ones, for code that wants a plan that differs a little. */

/* NULL for NULL; *fine turns false when memory runs out. */
static char *copy_text(const char *text, bool *fine)
{
    char *const copy = text != NULL ? pv_i_strdup(text) : NULL;
    *fine = *fine && (text == NULL || copy != NULL);
    return copy;
}

static char **copy_texts(char *const *texts, bool *fine)
{
    size_t n = 0;
    while (texts != NULL && texts[n] != NULL) {
        n++;
    }
    char **const copies = texts != NULL ? PV_NEW_ZEROED(char *, n + 1) : NULL;
    *fine = *fine && (texts == NULL || copies != NULL);
    for (size_t i = 0; i < n && *fine; i++) {
        copies[i] = copy_text(texts[i], fine);
    }
    return copies;
}

static pv_plan_require *copy_bounds(const pv_plan_require *bounds, size_t n, size_t *n_copied,
                                    bool *fine)
{
    pv_plan_require *const copies = bounds != NULL ? PV_NEW_ZEROED(pv_plan_require, n) : NULL;
    *fine = *fine && (bounds == NULL || copies != NULL);
    for (size_t i = 0; i < n && *fine; i++) {
        copies[i] = bounds[i];
        copies[i].name = copy_text(bounds[i].name, fine);
        copies[i].value = copy_text(bounds[i].value, fine);
        *n_copied = i + 1;
    }
    return copies;
}

static pv_status copy_attribute(const pv_plan_attribute *attribute, pv_plan_attribute *copy,
                                pv_error *error)
{
    bool fine = true;
    *copy = *attribute;
    copy->hierarchy = (pv_hierarchy_spec){0};
    copy->sensitivity = (pv_plan_sensitivity){0};
    copy->n_require = 0;
    copy->require = copy_bounds(attribute->require, attribute->n_require, &copy->n_require, &fine);
    copy->missing = copy_texts(attribute->missing, &fine);
    copy->name = copy_text(attribute->name, &fine);
    if (!fine) {
        return pv_i_no_memory(error);
    }
    PV_TRY(pv_i_hierarchy_spec_copy(&attribute->hierarchy, &copy->hierarchy, error));
    return pv_i_plan_sensitivity_copy(&attribute->sensitivity, &copy->sensitivity, error);
}

pv_status pv_i_plan_copy(const pv_plan *plan, pv_plan **copy, pv_error *error)
{
    bool fine = true;
    pv_plan *const made = PV_NEW(pv_plan);
    if (made == NULL) {
        return pv_i_no_memory(error);
    }
    *made = (pv_plan){.suppression = plan->suppression,
                      .target_k = plan->target_k,
                      .whole_budget = plan->whole_budget,
                      .delimiter = plan->delimiter,
                      .quoting = plan->quoting,
                      .header = plan->header,
                      .keep_blanks = plan->keep_blanks,
                      .decimal = plan->decimal,
                      .keep_others = plan->keep_others};
    made->path = copy_text(plan->path, &fine);
    made->data = copy_text(plan->data, &fine);
    made->missing = copy_texts(plan->missing, &fine);
    made->require = copy_bounds(plan->require, plan->n_require, &made->n_require, &fine);
    made->promises = copy_bounds(plan->promises, plan->n_promises, &made->n_promises, &fine);
    fine = pv_i_plan_combinations_copy(plan->combinations, plan->n_combinations,
                                       &made->combinations, &made->n_combinations) &&
           fine;
    made->attributes = PV_NEW_ZEROED(pv_plan_attribute, plan->n_attributes);
    pv_status status = fine && made->attributes != NULL ? PV_STATUS_OK : pv_i_no_memory(error);
    for (size_t i = 0; i < plan->n_attributes && status == PV_STATUS_OK; i++) {
        made->n_attributes = i + 1;
        status = copy_attribute(&plan->attributes[i], &made->attributes[i], error);
    }
    if (status != PV_STATUS_OK) {
        pv_plan_free(made);
        return status;
    }
    *copy = made;
    return PV_STATUS_OK;
}

/* ------------------------------------------------------------------- failures
 *
 * Failures of other rooms, reported where the plan led to them. */

pv_status pv_i_place_error(pv_status status, const char *file, uint64_t line, uint64_t column,
                           pv_error *error)
{
    if (status == PV_STATUS_OK || status == PV_STATUS_NO_MEMORY) {
        return status;
    }
    if (error != NULL) {
        error->status = PV_STATUS_INPUT;
        if (error->file[0] == '\0' && file != NULL) {
            (void)snprintf(error->file, sizeof error->file, "%s", file);
            error->line = line;
            error->column = column;
        }
    }
    return PV_STATUS_INPUT;
}

static bool is_open(const pv_plan_attribute *attribute)
{
    return attribute->role == PV_ROLE_UNDECIDED || attribute->open_format != '\0';
}

static const char *question_of(const pv_plan_attribute *attribute)
{
    return attribute->role == PV_ROLE_UNDECIDED ? ""
           : attribute->open_format == 'd'      ? ": `decimal`, comma or point?"
                                                : ": `format` of its dates?";
}

/* "line 12: `glucose`" for as many as fit; pv_i_fail_at cuts nothing off in the middle of one. */
static void list_questions(const pv_plan *plan, char *list, size_t size)
{
    size_t used = 0;
    size_t left = 0;
    for (size_t i = 0; i < plan->n_attributes; i++) {
        const pv_plan_attribute *const attribute = &plan->attributes[i];
        if (!is_open(attribute)) {
            continue;
        }
        char line[192];
        const int length =
            snprintf(line, sizeof line, "\n  line %" PRIu64 ": `%s`%s", attribute->line,
                     pv_i_shown(attribute->name).text, question_of(attribute));
        if (left > 0 || used + (size_t)length + 32 > size) {
            left++;
            continue;
        }
        memcpy(list + used, line, (size_t)length + 1);
        used += (size_t)length;
    }
    if (left > 0) {
        (void)snprintf(list + used, size - used, "\n  and %zu more", left);
    }
}

pv_status pv_plan_check_answered(const pv_plan *plan, pv_error *error)
{
    const pv_plan_attribute *first = NULL;
    size_t n = 0;
    size_t n_roles = 0;
    for (size_t i = 0; i < plan->n_attributes; i++) {
        if (is_open(&plan->attributes[i])) {
            first = first == NULL ? &plan->attributes[i] : first;
            n_roles += plan->attributes[i].role == PV_ROLE_UNDECIDED;
            n++;
        }
    }
    if (n == 0) {
        return PV_STATUS_OK;
    }
    char list[3072];
    list_questions(plan, list, sizeof list);
    if (n_roles < n) {
        return pv_i_hint(pv_i_fail_at(error, PV_STATUS_INPUT, plan->path, first->line,
                                      first->column, "the plan has %zu open question%s%s", n,
                                      n == 1 ? "" : "s", list),
                         error,
                         "the comments in the plan say what was seen; in place of each \"?\" write "
                         "a role (quasi, sensitive, identifier, other), a decimal sign (comma if "
                         "1,234 is less than two, point if it is more than a thousand) or a "
                         "date format (dd/mm/yyyy or mm/dd/yyyy; years of two digits as dd.mm.yy "
                         "with `first-year: 1930`)");
    }
    return pv_i_hint(pv_i_fail_at(error, PV_STATUS_INPUT, plan->path, first->line, first->column,
                                  "the plan has %zu open question%s: the role of %s is \"?\"%s", n,
                                  n == 1 ? "" : "s", n == 1 ? "this column" : "these columns",
                                  list),
                     error,
                     "the comments in the plan say what was seen; in place of each \"?\" write\n"
                     "quasi       if others may know it of a person: it is generalized\n"
                     "sensitive   if nobody shall learn it of a person: released as it is\n"
                     "identifier  if the release does not need it: it is dropped\n"
                     "other       if it says nothing about a person: released as it is");
}

void pv_i_prefix_error(pv_error *error, const char *what, const char *name)
{
    char prefix[128];
    char message[sizeof error->message];
    if (error == NULL || error->status == PV_STATUS_NO_MEMORY) {
        return;
    }
    const int length = snprintf(prefix, sizeof prefix, "%s `%s`: ", what, pv_i_shown(name).text);
    (void)snprintf(message, sizeof message, "%s%.*s", prefix, (int)sizeof message - length - 1,
                   error->message);
    memcpy(error->message, message, sizeof message);
}
