/* Schemes as files, which are JSON that plan readers, YAML readers, read again.
 *
 *     cuts file      {"schema": 1, "cuts": {"age": {"breaks": [25, 40]}, "sex": "raw", ...}}
 *     scheme file    the plan again, with the levels chosen and the hierarchies written out:
 *                    whoever reads a plan reads a scheme file */
#include "base/buffer.h"
#include "base/error.h"
#include "base/file.h"
#include "base/memory.h"
#include "hierarchy/hierarchy_spec.h"
#include "hierarchy/labels.h"
#include "plan/document.h"
#include "plan/plan.h"
#include "scheme/cuts.h"
#include "scheme/scheme.h"

#include <jansson.h>
#include <math.h>
#include <paravent/scheme.h>
#include <stdio.h>
#include <string.h>

/* ------------------------------------------------ JSON that plan readers read
 *
 * What JSON allows and YAML does not is escaped. jansson refuses text that is not UTF-8 just as it
 * refuses when memory runs out: only a text that is UTF-8 for sure says which it was. */

/* A YAML reader takes no longer key from a JSON file. */
#define LONGEST_KEY 1000

static bool has_memory(void)
{
    json_t *const ascii = json_string("");
    json_decref(ascii);
    return ascii != NULL;
}

/* Characters that JSON allows as they are but YAML does not, or takes for a line break, as UTF-8.
 */
static const struct {
    const char *bytes, *escape;
} yaml_escapes[] = {{"\x7f", "\\u007f"},         {"\xe2\x80\xa8", "\\u2028"},
                    {"\xe2\x80\xa9", "\\u2029"}, {"\xef\xbb\xbf", "\\ufeff"},
                    {"\xef\xbf\xbe", "\\ufffe"}, {"\xef\xbf\xbf", "\\uffff"}};

/* Appends one character of the dumped JSON, escaped where YAML needs it; returns its length. */
static size_t copy_character(pv_buffer *text, const char *at)
{
    const unsigned char *const byte = (const unsigned char *)at;
    if (byte[0] == 0xc2 && byte[1] >= 0x80 && byte[1] < 0xa0) {
        pv_i_buffer_format(text, "\\u00%02x", byte[1]);
        return 2;
    }
    for (size_t i = 0; i < sizeof yaml_escapes / sizeof *yaml_escapes; i++) {
        const size_t n = strlen(yaml_escapes[i].bytes);
        if (strncmp(at, yaml_escapes[i].bytes, n) == 0) {
            pv_i_buffer_text(text, yaml_escapes[i].escape);
            return n;
        }
    }
    pv_i_buffer_char(text, *at);
    return 1;
}

static pv_status dump(const json_t *root, char **text, pv_error *error)
{
    char *const dumped = json_dumps(root, JSON_INDENT(1) | JSON_REAL_PRECISION(15));
    if (dumped == NULL) {
        return pv_i_no_memory(error);
    }
    pv_buffer escaped = {0};
    for (const char *at = dumped; *at != '\0';) {
        at += copy_character(&escaped, at);
    }
    json_free_t release = NULL;
    json_get_alloc_funcs(NULL, &release);
    release(dumped);
    return pv_i_buffer_take(&escaped, text, error);
}

/* Every jansson call that fails returns NULL or -1 and takes NULL for "failed before": so documents
 * are written straight through, and looked at once. */
typedef struct {
    bool failed;
} document;

static void put(document *d, json_t *object, const char *key, json_t *value)
{
    d->failed |= json_object_set_new(object, key, value) != 0;
}

static void append(document *d, json_t *list, json_t *value)
{
    d->failed |= json_array_append_new(list, value) != 0;
}

/* A reader's decimals have at most 18 places, which all 15 digits of a small number would exceed.
 */
static json_t *number(double value)
{
    const bool whole = fabs(value) < 9e15 && floor(value) >= value;
    const bool small = fabs(value) < 1e-3;
    return whole ? json_integer((json_int_t)value)
                 : json_real(small ? round(value * 1e18) / 1e18 : value);
}

static json_t *decimal(pv_decimal value)
{
    char text[32];
    pv_decimal_text(value, text, sizeof text);
    return json_string(text);
}

static pv_status check_key(const char *key, const char *what, const char *file, pv_error *error)
{
    return strlen(key) <= LONGEST_KEY
               ? PV_STATUS_OK
               : pv_i_fail(error, PV_STATUS_LIMIT,
                           "a %s of more than %d bytes does not fit into a %s file", what,
                           LONGEST_KEY, file);
}

/* `n` SIZE_MAX = up to the first NULL. */
static json_t *texts(document *d, char *const *items, size_t n)
{
    json_t *const list = json_array();
    for (size_t i = 0; i < n && (n < SIZE_MAX || items[i] != NULL); i++) {
        append(d, list, json_string(items[i]));
    }
    return list;
}

#define EXAMPLE "{\"breaks\": [25, 40]}, {\"groups\": [[\"a\", \"b\"], [\"c\"]]}, \"*\" or \"raw\""

/* ============================================================== the cuts file
 * Read as plans are. */

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

static pv_status take_value(const char *file, const pv_node *item, pv_cuts_group *group,
                            met_values *met, pv_error *error)
{
    const uint32_t before = met->values.n;
    uint32_t number = 0;
    if (item->kind != PV_NODE_SCALAR) {
        return fail_value(file, item, "a value of a group must be a single value", error);
    }
    if (item->plain && (strcmp(item->text, "null") == 0 || strcmp(item->text, "~") == 0)) {
        if (met->missing) {
            return fail_value(file, item, "the missing value stands here a second time", error);
        }
        met->missing = group->has_missing = true;
        return PV_STATUS_OK;
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
    for (const pv_node *list = value->first; list != NULL; list = list->next) {
        pv_cuts_group *const group = &attribute->groups[attribute->n_groups++];
        PV_TRY_CLEAN(pv_i_need_list("groups", file, list, "groups: [[a, b], [c]]", error));
        group->values = PV_NEW_ZEROED(char *, list->n_items);
        if (group->values == NULL) {
            PV_TRY_CLEAN(pv_i_no_memory(error));
        }
        for (const pv_node *item = list->first; item != NULL; item = item->next) {
            PV_TRY_CLEAN(take_value(file, item, group, &met, error));
        }
    }
cleanup:
    pv_i_labels_deinit(&met.values);
    pv_i_arena_deinit(&met.arena);
    return status;
}

/* -------------------------------------------------------------- attributes */

static pv_status take_kind(const char *file, const pv_node *node, pv_cuts_attribute *attribute,
                           pv_error *error)
{
    static const pv_word kinds[] = {{PV_ROOT_LABEL, PV_CUTS_TOP}, {"raw", PV_CUTS_RAW}, {NULL, 0}};
    static const pv_plan_key break_keys[] = {
        PV_KEY("breaks", take_breaks), PV_KEY("missing", take_missing), {0}};
    static const pv_plan_key group_keys[] = {PV_KEY("groups", take_groups), {0}};
    int kind = PV_CUTS_TOP;
    if (node->kind == PV_NODE_SCALAR) {
        PV_TRY(pv_i_take_word(attribute->name, kinds, file, node, &kind, error));
        attribute->kind = (pv_cuts_kind)kind;
        return PV_STATUS_OK;
    }
    const bool is_mapping = node->kind == PV_NODE_MAPPING;
    if (is_mapping && pv_i_node_get(node, "breaks") != NULL) {
        return pv_i_take_keys(break_keys, "cuts with `breaks`", file, node, attribute, error);
    }
    if (is_mapping && pv_i_node_get(node, "groups") != NULL) {
        return pv_i_take_keys(group_keys, "cuts with `groups`", file, node, attribute, error);
    }
    return pv_i_hint(pv_i_fail_at(error, PV_STATUS_INPUT, PV_AT(file, node), "%s",
                                  is_mapping ? "these cuts have neither `breaks` nor `groups`"
                                             : "the cuts of an attribute cannot be a list"),
                     error, "write " EXAMPLE);
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

pv_status pv_cuts_parse(const char *name, const char *text, size_t size, pv_cuts **cuts,
                        pv_error *error)
{
    static const pv_plan_key keys[] = {PV_KEY("paravent", pv_i_take_version),
                                       PV_KEY("schema", pv_i_take_schema),
                                       PV_KEY("cuts", take_cuts),
                                       {0}};
    pv_status status = PV_STATUS_OK;
    pv_document parsed = {0};
    pv_cuts *made = PV_NEW(pv_cuts);
    if (made == NULL || (made->path = pv_i_strdup(name)) == NULL) {
        PV_TRY_CLEAN(pv_i_no_memory(error));
    }
    PV_TRY_CLEAN(pv_i_document_parse(&parsed, name, text, size, error));
    const pv_node *const root = parsed.root;
    if (root == NULL || root->kind != PV_NODE_MAPPING || pv_i_node_get(root, "cuts") == NULL) {
        PV_TRY_CLEAN(pv_i_hint(
            pv_i_fail_at(error, PV_STATUS_INPUT, name, root != NULL ? root->line : 0,
                         root != NULL ? root->column : 0, "this file has no key `cuts`"),
            error, "a cuts file reads {\"schema\": 1, \"cuts\": {\"age\": {\"breaks\": [25]}}}"));
    }
    PV_TRY_CLEAN(pv_i_take_keys(keys, "a cuts file", name, root, made, error));
    *cuts = made;
    made = NULL;
cleanup:
    pv_i_document_deinit(&parsed);
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

static json_t *exact_number(pv_decimal value)
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

static json_t *cuts_json(document *d, const pv_cuts_attribute *attribute)
{
    const bool breaks = attribute->kind == PV_CUTS_BREAKS;
    if (!breaks && attribute->kind != PV_CUTS_GROUPS) {
        return json_string(attribute->kind == PV_CUTS_RAW ? "raw" : PV_ROOT_LABEL);
    }
    json_t *const object = json_object();
    json_t *const list = json_array();
    for (size_t i = 0; breaks && i < attribute->n_breaks; i++) {
        append(d, list, exact_number(attribute->breaks[i]));
    }
    for (size_t i = 0; !breaks && i < attribute->n_groups; i++) {
        const pv_cuts_group *const group = &attribute->groups[i];
        json_t *const values = texts(d, group->values, group->n_values);
        if (group->has_missing) {
            append(d, values, json_null());
        }
        append(d, list, values);
    }
    put(d, object, breaks ? "breaks" : "groups", list);
    if (breaks && attribute->missing_last) {
        put(d, object, "missing", json_string("last"));
    }
    return object;
}

pv_status pv_cuts_text(const pv_cuts *cuts, char **text, pv_error *error)
{
    document d = {0};
    for (size_t i = 0; i < cuts->n_attributes; i++) {
        PV_TRY(check_key(cuts->attributes[i].name, "column name", "cuts", error));
    }
    json_t *const root = json_object();
    json_t *const attributes = json_object();
    put(&d, root, "paravent", json_string(pv_version()));
    put(&d, root, "schema", json_integer(1));
    for (size_t i = 0; i < cuts->n_attributes; i++) {
        put(&d, attributes, cuts->attributes[i].name, cuts_json(&d, &cuts->attributes[i]));
    }
    put(&d, root, "cuts", attributes);
    const pv_status status =
        !d.failed       ? dump(root, text, error)
        : !has_memory() ? pv_i_no_memory(error)
                        : pv_i_hint(pv_i_fail(error, PV_STATUS_INPUT,
                                              "a name or value of the cuts is not UTF-8, which a "
                                              "cuts file must be"),
                                    error, "convert the table to UTF-8");
    json_decref(root);
    return status;
}

/* ============================================================ the scheme file */

/* ---------------------------------------------------------- hierarchies */

static json_t *decimals(document *d, const pv_decimal *items, size_t n)
{
    json_t *const list = json_array();
    for (size_t i = 0; i < n; i++) {
        append(d, list, decimal(items[i]));
    }
    return list;
}

/* A share becomes a percentage, which no reader takes for a number of rows. */
static json_t *percentage(pv_decimal share)
{
    char text[40];
    pv_decimal percent = share;
    for (unsigned i = 0; i < 2; i++) {
        if (percent.scale > 0) {
            percent.scale--;
        } else {
            percent.mantissa *= 10; /* a share is at most 1 */
        }
    }
    pv_decimal_text(percent, text, sizeof text - 1);
    (void)strcat(text, "%");
    return json_string(text);
}

static void put_spec(document *d, json_t *object, const pv_hierarchy_spec *spec)
{
    json_t *const list = json_array();
    switch (spec->kind) {
    case PV_HIERARCHY_ROWS:
        for (size_t i = 0; i < spec->n_rows; i++) {
            append(d, list, texts(d, spec->rows[i], SIZE_MAX));
        }
        put(d, object, "rows", json_incref(list));
        if (spec->missing_group != NULL) {
            put(d, object, "missing", json_string(spec->missing_group));
        }
        break;
    case PV_HIERARCHY_INTERVALS:
        put(d, object, "intervals", decimals(d, spec->widths, spec->n_widths));
        put(d, object, "origin", decimal(spec->origin));
        put(d, object, "closed", json_string(spec->closed_right ? "right" : "left"));
        break;
    case PV_HIERARCHY_MASK:
        put(d, object, "mask", json_string(spec->mask_left ? "left" : "right"));
        break;
    case PV_HIERARCHY_DATE:
        for (size_t i = 0; i < spec->n_units; i++) {
            append(d, list, json_string(pv_date_unit_name(spec->units[i])));
        }
        put(d, object, "date", json_incref(list));
        break;
    case PV_HIERARCHY_ORDER:
        for (size_t i = 0; i < spec->n_sizes; i++) {
            append(d, list, json_integer((json_int_t)spec->sizes[i]));
        }
        put(d, object, "order", json_incref(list));
        put(d, object, "values", texts(d, spec->values, spec->n_values));
        break;
    case PV_HIERARCHY_RARE:
        put(d, object, "rare",
            spec->rare_share.mantissa > 0 ? percentage(spec->rare_share)
                                          : json_integer((json_int_t)spec->rare_rows));
        put(d, object, "keep", texts(d, spec->values, spec->n_values));
        if (spec->rare_label != NULL) {
            put(d, object, "label", json_string(spec->rare_label));
        }
        break;
    case PV_HIERARCHY_BREAKS:
        put(d, object, "breaks", decimals(d, spec->breaks, spec->n_breaks));
        put(d, object, "missing", json_string(spec->missing_last ? "last" : "apart"));
        break;
    default: put(d, object, "suppress", json_true());
    }
    json_decref(list);
}

static pv_status put_hierarchy(document *d, json_t *object, const pv_plan_attribute *attribute,
                               const pv_study *study, pv_error *error)
{
    const pv_table *const table = pv_study_table(study);
    pv_hierarchy_spec resolved = {0};
    PV_TRY(pv_i_hierarchy_spec_resolve(&attribute->hierarchy, table,
                                       pv_table_find(table, attribute->name), &resolved, error));
    json_t *const hierarchy = json_object();
    put_spec(d, hierarchy, &resolved);
    put(d, object, "hierarchy", hierarchy);
    if (resolved.count_all_leaves) {
        put(d, object, "domain", json_string("hierarchy"));
    }
    pv_hierarchy_spec_free(&resolved);
    return PV_STATUS_OK;
}

/* ----------------------------------------------------------- attributes */

static size_t quasi_of(const pv_study *study, const char *name)
{
    for (size_t i = 0; i < pv_study_quasis(study); i++) {
        if (strcmp(pv_study_quasi_name(study, i), name) == 0) {
            return i;
        }
    }
    return SIZE_MAX;
}

static const char *distance_name(pv_distance distance)
{
    static const char *const names[] = {[PV_DISTANCE_AUTO] = "equal",
                                        [PV_DISTANCE_EQUAL] = "equal",
                                        [PV_DISTANCE_ORDERED] = "ordered",
                                        [PV_DISTANCE_HIERARCHICAL] = "hierarchical"};
    return names[distance];
}

/* What was read from a file is written out here. */
static json_t *sensitivities(document *d, const pv_plan_sensitivity *sensitivity)
{
    if (sensitivity->n_values == 0) {
        return decimal(sensitivity->others);
    }
    json_t *const object = json_object();
    for (size_t i = 0; i < sensitivity->n_values; i++) {
        put(d, object, sensitivity->values[i].value, decimal(sensitivity->values[i].sensitivity));
    }
    return object;
}

/* The type is written even where it was inferred: how intervals are labelled depends on it. */
static void put_quasi(document *d, json_t *object, const pv_plan_attribute *attribute, pv_type type,
                      const uint8_t *level)
{
    put(d, object, "type", json_string(pv_type_name(type)));
    if (level != NULL) {
        put(d, object, "level", json_integer((json_int_t)*level));
    }
    put(d, object, "weight", number(attribute->weight));
    if (attribute->unknown_as_root) {
        put(d, object, "unknown", json_string(PV_ROOT_LABEL));
    }
    if (attribute->granularity.mantissa > 0) {
        put(d, object, "granularity", decimal(attribute->granularity));
    }
    if (attribute->sensitivity.is_given) {
        put(d, object, "sensitivity", sensitivities(d, &attribute->sensitivity));
    }
}

/* The decimal sign of the whole plan is written with the plan. */
static void put_format(document *d, json_t *object, const pv_plan_attribute *attribute,
                       const pv_plan *plan)
{
    const pv_format *const format = &attribute->format;
    if (format->decimal != plan->decimal) {
        put(d, object, "decimal", json_string(format->decimal == ',' ? "comma" : "point"));
    }
    if (format->date[0] != '\0') {
        put(d, object, "format", json_string(format->date));
    }
    if (format->first_year != 0) {
        put(d, object, "first-year", json_integer(format->first_year));
    }
    if (attribute->missing != NULL) {
        put(d, object, "missing", texts(d, attribute->missing, SIZE_MAX));
    }
}

/* Objects are handed to their parents when they are complete: a parent that cannot take one frees
 * it. */
static pv_status put_attribute(document *d, json_t *attributes, const pv_plan_attribute *attribute,
                               const pv_scheme *scheme, const pv_study *study, pv_error *error)
{
    const size_t quasi = quasi_of(study, attribute->name);
    pv_status status = PV_STATUS_OK;
    PV_TRY(check_key(attribute->name, "column name", "scheme", error));
    for (size_t i = 0; i < attribute->sensitivity.n_values; i++) {
        PV_TRY(check_key(attribute->sensitivity.values[i].value, "value with a sensitivity",
                         "scheme", error));
    }
    json_t *const object = json_object();
    put(d, object, "role", json_string(pv_role_name(attribute->role)));
    if (attribute->type != PV_TYPE_AUTO && quasi == SIZE_MAX) {
        put(d, object, "type", json_string(pv_type_name(attribute->type)));
    }
    put_format(d, object, attribute, pv_study_plan(study));
    if (attribute->unique_accepted) {
        put(d, object, "unique", json_string("accepted"));
    }
    if (attribute->distance != PV_DISTANCE_AUTO) {
        put(d, object, "distance", json_string(distance_name(attribute->distance)));
    }
    if (quasi != SIZE_MAX) {
        const pv_type type =
            pv_table_type(pv_study_table(study), pv_study_quasi_column(study, quasi));
        put_quasi(d, object, attribute, type,
                  scheme->records == NULL ? &scheme->levels[quasi] : NULL);
    }
    if (quasi != SIZE_MAX || attribute->has_hierarchy) {
        status = put_hierarchy(d, object, attribute, study, error);
    }
    put(d, attributes, attribute->name, object);
    return status;
}

/* ------------------------------------------------------------- the whole */

static void put_named(document *d, json_t *root, const char *key, const pv_named_value *values,
                      size_t n)
{
    if (n == 0) {
        return;
    }
    json_t *const object = json_object();
    for (size_t i = 0; i < n; i++) {
        put(d, object, values[i].name, number(values[i].value));
    }
    put(d, root, key, object);
}

/* In the order of the attributes, as the file has them, which is that of the study. */
static void put_classes(document *d, json_t *root, const pv_scheme_record *record, size_t width)
{
    json_t *const list = json_array();
    for (size_t c = 0; c < record->n_classes; c++) {
        json_t *const labels = json_array();
        for (size_t q = 0; q < width; q++) {
            append(d, labels, json_string(record->classes[c * width + q]));
        }
        append(d, list, labels);
    }
    put(d, root, "classes", list);
}

static void put_reading(document *d, json_t *root, const pv_plan *plan)
{
    if (plan->keep_others) {
        put(d, root, "others", json_string("keep"));
    }
    if (plan->keep_blanks) {
        put(d, root, "trim", json_string("no"));
    }
    if (plan->decimal != '\0') {
        put(d, root, "decimal", json_string(plan->decimal == ',' ? "comma" : "point"));
    }
    if (plan->missing != NULL) {
        put(d, root, "missing", texts(d, plan->missing, SIZE_MAX));
    }
    if (plan->quoting != PV_CHOICE_AUTO) {
        put(d, root, "quotes", json_string(plan->quoting == PV_CHOICE_YES ? "yes" : "no"));
    }
    if (plan->header != PV_CHOICE_AUTO) {
        put(d, root, "header", json_string(plan->header == PV_CHOICE_YES ? "yes" : "no"));
    }
}

static pv_status explain_failure(const pv_study *study, pv_error *error)
{
    for (size_t q = 0; q < pv_study_quasis(study); q++) {
        const pv_hierarchy *const h = pv_study_hierarchy(study, q);
        for (unsigned level = 0; level <= pv_hierarchy_height(h); level++) {
            for (uint32_t group = 0; group < pv_hierarchy_groups(h, level); group++) {
                json_t *const string = json_string(pv_hierarchy_label(h, level, group));
                json_decref(string);
                if (string == NULL && has_memory()) {
                    return pv_i_hint(pv_i_fail(error, PV_STATUS_INPUT,
                                               "a value or label of '%s' is not UTF-8, which a "
                                               "scheme file must be",
                                               pv_study_quasi_name(study, q)),
                                     error, "convert the table and its hierarchies to UTF-8");
                }
            }
        }
    }
    if (!has_memory()) {
        return pv_i_no_memory(error);
    }
    return pv_i_hint(pv_i_fail(error, PV_STATUS_INPUT,
                               "a hierarchy or sensitivity of the plan names a value or label that "
                               "is not UTF-8, which a scheme file must be"),
                     error, "convert the files of hierarchies and sensitivities to UTF-8");
}

pv_status pv_scheme_text(const pv_scheme *scheme, const pv_study *study,
                         const pv_scheme_record *record, char **text, pv_error *error)
{
    const pv_plan *const plan = pv_study_plan(study);
    document d = {0};
    json_t *const root = json_object();
    json_t *const attributes = json_object();
    pv_status status = PV_STATUS_OK;
    put(&d, root, "paravent", json_string(pv_version()));
    put(&d, root, "schema", json_integer(1));
    put(&d, root, "scheme", json_string(scheme->records != NULL ? "local" : "levels"));
    put(&d, root, "suppression",
        record->suppression.is_share ? percentage(record->suppression.share)
                                     : json_integer((json_int_t)record->suppression.rows));
    if (record->target_k > 0) {
        put(&d, root, "target-k", json_integer((json_int_t)record->target_k));
    }
    if (record->whole_budget) {
        put(&d, root, "suppress", json_string("whole-budget"));
    }
    put_reading(&d, root, plan);
    put_named(&d, root, "require", record->require, record->n_require);
    put_named(&d, root, "promises", record->promises, record->n_promises);
    for (size_t i = 0; i < plan->n_attributes && status == PV_STATUS_OK; i++) {
        status = put_attribute(&d, attributes, &plan->attributes[i], scheme, study, error);
    }
    put(&d, root, "attributes", attributes);
    if (scheme->records != NULL) {
        put_classes(&d, root, record, pv_study_quasis(study));
    }
    if (status == PV_STATUS_OK) {
        status = d.failed ? explain_failure(study, error) : dump(root, text, error);
    }
    json_decref(root);
    return status;
}
