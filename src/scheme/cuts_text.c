/* The cuts file: JSON, read as plans are and written as scheme files are. */
#include "base/error.h"
#include "base/file.h"
#include "base/memory.h"
#include "hierarchy/labels.h"
#include "plan/document.h"
#include "plan/plan.h"
#include "scheme/cuts.h"
#include "scheme/json_text.h"

#include <string.h>

#define EXAMPLE "{\"breaks\": [25, 40]}, {\"groups\": [[\"a\", \"b\"], [\"c\"]]}, \"*\" or \"raw\""

/* ------------------------------------------------------------------ breaks */

static pv_status take_breaks(const char *file, const pv_node *value, void *target, pv_error *error)
{
    pv_cuts_attribute *const attribute = target;
    size_t i = 1;
    attribute->kind = PV_CUTS_BREAKS;
    PV_TRY(
        pv_i_take_decimals("breaks", file, value, &attribute->breaks, &attribute->n_breaks, error));
    for (const pv_node *item = value->first; i < attribute->n_breaks; i++) {
        item = item->next;
        if (pv_decimal_compare(attribute->breaks[i - 1], attribute->breaks[i]) >= 0) {
            return pv_i_hint(pv_i_fail_at(error, PV_STATUS_INPUT, PV_AT(file, item),
                                          "this break is not above the one before it"),
                             error, "list each break once, in ascending order");
        }
    }
    return PV_STATUS_OK;
}

static pv_status take_missing(const char *file, const pv_node *value, void *target, pv_error *error)
{
    static const pv_word places[] = {{"apart", 0}, {"last", 1}, {NULL, 0}};
    int is_last = 0;
    PV_TRY(pv_i_take_word("missing", places, file, value, &is_last, error));
    ((pv_cuts_attribute *)target)->missing_last = is_last;
    return PV_STATUS_OK;
}

/* ------------------------------------------------------------------ groups */

/* What was met so far: no value is in two groups. */
typedef struct {
    pv_arena arena;
    pv_labels values;
    bool missing;
} met_values;

/* Values of the data are never quoted in a message. */
static pv_status fail_value(const char *file, const pv_node *item, const char *problem,
                            pv_error *error)
{
    return pv_i_hint(pv_i_fail_at(error, PV_STATUS_INPUT, PV_AT(file, item), "%s", problem), error,
                     "a group lists values of the data; each has one place, null is the missing "
                     "value");
}

static bool is_null(const pv_node *item)
{
    return item->plain && (strcmp(item->text, "null") == 0 || strcmp(item->text, "~") == 0);
}

static pv_status take_null(const char *file, const pv_node *item, pv_cuts_group *group,
                           met_values *met, pv_error *error)
{
    if (met->missing) {
        return fail_value(file, item, "the missing value stands here a second time", error);
    }
    met->missing = group->has_missing = true;
    return PV_STATUS_OK;
}

static pv_status take_value(const char *file, const pv_node *item, pv_cuts_group *group,
                            met_values *met, pv_error *error)
{
    const uint32_t before = met->values.n;
    uint32_t number = 0;
    if (item->kind != PV_NODE_SCALAR) {
        return fail_value(file, item, "a value of a group must be a single value", error);
    }
    if (is_null(item)) {
        return take_null(file, item, group, met, error);
    }
    if (strcmp(item->text, PV_ROOT_LABEL) == 0) {
        return fail_value(file, item, "`*` cannot be in a group", error);
    }
    PV_TRY(pv_i_labels_add(&met->values, &met->arena, item->text, &number, error));
    if (number < before) {
        return fail_value(file, item, "this value stands here a second time", error);
    }
    group->values[group->n_values] = pv_i_strdup(item->text);
    if (group->values[group->n_values] == NULL) {
        return pv_i_no_memory(error);
    }
    group->n_values++;
    return PV_STATUS_OK;
}

static pv_status take_group(const char *file, const pv_node *node, pv_cuts_group *group,
                            met_values *met, pv_error *error)
{
    PV_TRY(pv_i_need_list("groups", file, node, "groups: [[a, b], [c]]", error));
    group->values = PV_NEW_ZEROED(char *, node->n_items);
    if (group->values == NULL) {
        return pv_i_no_memory(error);
    }
    for (const pv_node *item = node->first; item != NULL; item = item->next) {
        PV_TRY(take_value(file, item, group, met, error));
    }
    return PV_STATUS_OK;
}

static pv_status take_groups(const char *file, const pv_node *value, void *target, pv_error *error)
{
    pv_cuts_attribute *const attribute = target;
    met_values met = {0};
    pv_status status = PV_STATUS_OK;
    attribute->kind = PV_CUTS_GROUPS;
    PV_TRY(pv_i_need_list("groups", file, value, "groups: [[a, b], [c]]", error));
    attribute->groups = PV_NEW_ZEROED(pv_cuts_group, value->n_items);
    if (attribute->groups == NULL) {
        return pv_i_no_memory(error);
    }
    for (const pv_node *item = value->first; item != NULL; item = item->next) {
        PV_TRY_CLEAN(
            take_group(file, item, &attribute->groups[attribute->n_groups++], &met, error));
    }
cleanup:
    pv_i_labels_deinit(&met.values);
    pv_i_arena_deinit(&met.arena);
    return status;
}

/* -------------------------------------------------------------- attributes */

static pv_status take_mapping(const char *file, const pv_node *node, pv_cuts_attribute *attribute,
                              pv_error *error)
{
    static const pv_plan_key break_keys[] = {
        PV_KEY("breaks", take_breaks), PV_KEY("missing", take_missing), {0}};
    static const pv_plan_key group_keys[] = {PV_KEY("groups", take_groups), {0}};
    if (pv_i_node_get(node, "breaks") != NULL) {
        return pv_i_take_keys(break_keys, "cuts with `breaks`", file, node, attribute, error);
    }
    if (pv_i_node_get(node, "groups") != NULL) {
        return pv_i_take_keys(group_keys, "cuts with `groups`", file, node, attribute, error);
    }
    return pv_i_hint(pv_i_fail_at(error, PV_STATUS_INPUT, PV_AT(file, node),
                                  "these cuts have neither `breaks` nor `groups`"),
                     error, "write " EXAMPLE);
}

static pv_status take_kind(const char *file, const pv_node *node, pv_cuts_attribute *attribute,
                           pv_error *error)
{
    static const pv_word kinds[] = {{PV_ROOT_LABEL, PV_CUTS_TOP}, {"raw", PV_CUTS_RAW}, {NULL, 0}};
    int kind = PV_CUTS_TOP;
    switch (node->kind) {
    case PV_NODE_MAPPING: return take_mapping(file, node, attribute, error);
    case PV_NODE_SCALAR:
        PV_TRY(pv_i_take_word(attribute->name, kinds, file, node, &kind, error));
        attribute->kind = (pv_cuts_kind)kind;
        return PV_STATUS_OK;
    default:
        return pv_i_hint(pv_i_fail_at(error, PV_STATUS_INPUT, PV_AT(file, node),
                                      "the cuts of an attribute cannot be a list"),
                         error, "write " EXAMPLE);
    }
}

static pv_status take_cuts(const char *file, const pv_node *value, void *target, pv_error *error)
{
    pv_cuts *const cuts = target;
    PV_TRY(pv_i_need_mapping("cuts", file, value, "{\"age\": {\"breaks\": [25, 40]}}", error));
    cuts->attributes = PV_NEW_ZEROED(pv_cuts_attribute, value->n_items);
    if (cuts->attributes == NULL) {
        return pv_i_no_memory(error);
    }
    for (const pv_node *item = value->first; item != NULL; item = item->next) {
        pv_cuts_attribute *const attribute = &cuts->attributes[cuts->n_attributes++];
        attribute->line = item->key->line;
        attribute->column = item->key->column;
        attribute->name = pv_i_strdup(item->key->text);
        if (attribute->name == NULL) {
            return pv_i_no_memory(error);
        }
        PV_TRY(take_kind(file, item, attribute, error));
    }
    return PV_STATUS_OK;
}

/* ------------------------------------------------------------------ reading */

static pv_status take_root(const char *file, const pv_node *root, pv_cuts *cuts, pv_error *error)
{
    static const pv_plan_key keys[] = {PV_KEY("paravent", pv_i_take_version),
                                       PV_KEY("schema", pv_i_take_schema),
                                       PV_KEY("cuts", take_cuts),
                                       {0}};
    if (root == NULL || root->kind != PV_NODE_MAPPING || pv_i_node_get(root, "cuts") == NULL) {
        return pv_i_hint(
            pv_i_fail_at(error, PV_STATUS_INPUT, file, root != NULL ? root->line : 0,
                         root != NULL ? root->column : 0, "this file has no key `cuts`"),
            error, "a cuts file reads {\"schema\": 1, \"cuts\": {\"age\": {\"breaks\": [25]}}}");
    }
    return pv_i_take_keys(keys, "a cuts file", file, root, cuts, error);
}

pv_status pv_cuts_parse(const char *name, const char *text, size_t size, pv_cuts **cuts,
                        pv_error *error)
{
    pv_status status = PV_STATUS_OK;
    pv_document document = {0};
    pv_cuts *made = PV_NEW(pv_cuts);
    if (made == NULL || (made->path = pv_i_strdup(name)) == NULL) {
        PV_TRY_CLEAN(pv_i_no_memory(error));
    }
    PV_TRY_CLEAN(pv_i_document_parse(&document, name, text, size, error));
    PV_TRY_CLEAN(take_root(name, document.root, made, error));
    *cuts = made;
    made = NULL;
cleanup:
    pv_i_document_deinit(&document);
    pv_cuts_free(made);
    return status;
}

pv_status pv_cuts_read(const char *path, pv_cuts **cuts, pv_error *error)
{
    char *text = NULL;
    size_t size = 0;
    PV_TRY(pv_i_file_read(path, PV_DOCUMENT_MAX_SIZE, &text, &size, error));
    const pv_status status = pv_cuts_parse(path, text, size, cuts, error);
    pv_i_free(text);
    return status;
}

/* ------------------------------------------------------------------ writing */

/* Numbers that a double holds to the last digit are written as such, others as text. */
#define MOST_DIGITS INT64_C(1000000000000000)

static json_t *number(pv_decimal value)
{
    char text[32];
    while (value.scale > 0 && value.mantissa % 10 == 0) { /* 7.0 is 7 */
        value.mantissa /= 10;
        value.scale--;
    }
    if (value.scale == 0) {
        return json_integer(value.mantissa);
    }
    if (value.mantissa > -MOST_DIGITS && value.mantissa < MOST_DIGITS) {
        return json_real(pv_decimal_double(value));
    }
    pv_decimal_text(value, text, sizeof text);
    return json_string(text);
}

/* jansson takes NULL for "failed before": *failed is looked at once, in the end. */
static json_t *breaks_json(const pv_cuts_attribute *attribute, bool *failed)
{
    json_t *const object = json_object();
    json_t *const list = json_array();
    for (size_t i = 0; i < attribute->n_breaks; i++) {
        *failed |= json_array_append_new(list, number(attribute->breaks[i])) != 0;
    }
    *failed |= json_object_set_new(object, "breaks", list) != 0;
    if (attribute->missing_last) {
        *failed |= json_object_set_new(object, "missing", json_string("last")) != 0;
    }
    return object;
}

static json_t *group_json(const pv_cuts_group *group, bool *failed)
{
    json_t *const list = json_array();
    for (size_t i = 0; i < group->n_values; i++) {
        *failed |= json_array_append_new(list, json_string(group->values[i])) != 0;
    }
    if (group->has_missing) {
        *failed |= json_array_append_new(list, json_null()) != 0;
    }
    return list;
}

static json_t *groups_json(const pv_cuts_attribute *attribute, bool *failed)
{
    json_t *const object = json_object();
    json_t *const list = json_array();
    for (size_t i = 0; i < attribute->n_groups; i++) {
        *failed |= json_array_append_new(list, group_json(&attribute->groups[i], failed)) != 0;
    }
    *failed |= json_object_set_new(object, "groups", list) != 0;
    return object;
}

static json_t *attribute_json(const pv_cuts_attribute *attribute, bool *failed)
{
    switch (attribute->kind) {
    case PV_CUTS_BREAKS: return breaks_json(attribute, failed);
    case PV_CUTS_GROUPS: return groups_json(attribute, failed);
    case PV_CUTS_RAW: return json_string("raw");
    default: return json_string(PV_ROOT_LABEL);
    }
}

static pv_status explain_failure(pv_error *error)
{
    if (!pv_i_json_has_memory()) {
        return pv_i_no_memory(error);
    }
    return pv_i_hint(pv_i_fail(error, PV_STATUS_INPUT,
                               "a name or value of the cuts is not UTF-8, which a cuts file must "
                               "be"),
                     error, "convert the table to UTF-8");
}

static pv_status check_names(const pv_cuts *cuts, pv_error *error)
{
    for (size_t i = 0; i < cuts->n_attributes; i++) {
        if (strlen(cuts->attributes[i].name) > PV_JSON_LONGEST_KEY) {
            return pv_i_fail(error, PV_STATUS_LIMIT,
                             "a column name of more than %d bytes does not fit into a cuts file",
                             PV_JSON_LONGEST_KEY);
        }
    }
    return PV_STATUS_OK;
}

pv_status pv_cuts_text(const pv_cuts *cuts, char **text, pv_error *error)
{
    bool failed = false;
    PV_TRY(check_names(cuts, error));
    json_t *const root = json_object();
    json_t *const attributes = json_object();
    failed |= json_object_set_new(root, "paravent", json_string(pv_version())) != 0;
    failed |= json_object_set_new(root, "schema", json_integer(1)) != 0;
    for (size_t i = 0; i < cuts->n_attributes; i++) {
        const pv_cuts_attribute *const attribute = &cuts->attributes[i];
        json_t *const value = attribute_json(attribute, &failed);
        failed |= json_object_set_new(attributes, attribute->name, value) != 0;
    }
    failed |= json_object_set_new(root, "cuts", attributes) != 0;
    const pv_status status = failed ? explain_failure(error) : pv_i_json_dump(root, text, error);
    json_decref(root);
    return status;
}
