/* The scheme file: the plan again, as JSON, with the levels chosen and the hierarchies written out.
 * Whoever reads a plan reads a scheme file. */
#include "plan/plan.h"
#include "scheme/json_text.h"

#include "base/buffer.h"
#include "base/error.h"
#include "hierarchy/hierarchy_spec.h"
#include "scheme/scheme.h"

#include <jansson.h>
#include <math.h>
#include <paravent/scheme.h>
#include <stdio.h>
#include <string.h>

/* ------------------------------------------------ JSON that plan readers read */

/* What JSON allows and YAML does not is escaped. */

bool pv_i_json_has_memory(void)
{
    json_t *const ascii = json_string("");
    json_decref(ascii);
    return ascii != NULL;
}

bool pv_i_json_is_utf8(const char *text)
{
    json_t *const string = json_string(text);
    json_decref(string);
    return string != NULL || !pv_i_json_has_memory();
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

pv_status pv_i_json_dump(const json_t *root, char **text, pv_error *error)
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

/* --------------------------------------------------------------- scheme files */

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

/* ---------------------------------------------------------- hierarchies */

static json_t *texts(document *d, char *const *items, size_t n)
{
    json_t *const list = json_array();
    for (size_t i = 0; i < n; i++) {
        append(d, list, json_string(items[i]));
    }
    return list;
}

static size_t length_of(char *const *row)
{
    size_t n = 0;
    while (row[n] != NULL) {
        n++;
    }
    return n;
}

static void put_rows(document *d, json_t *object, const pv_hierarchy_spec *spec)
{
    json_t *const rows = json_array();
    for (size_t i = 0; i < spec->n_rows; i++) {
        append(d, rows, texts(d, spec->rows[i], length_of(spec->rows[i])));
    }
    put(d, object, "rows", rows);
    if (spec->missing_group != NULL) {
        put(d, object, "missing", json_string(spec->missing_group));
    }
}

static json_t *decimals(document *d, const pv_decimal *items, size_t n)
{
    json_t *const list = json_array();
    for (size_t i = 0; i < n; i++) {
        append(d, list, decimal(items[i]));
    }
    return list;
}

static void put_breaks(document *d, json_t *object, const pv_hierarchy_spec *spec)
{
    put(d, object, "breaks", decimals(d, spec->breaks, spec->n_breaks));
    put(d, object, "missing", json_string(spec->missing_last ? "last" : "apart"));
}

static void put_intervals(document *d, json_t *object, const pv_hierarchy_spec *spec)
{
    put(d, object, "intervals", decimals(d, spec->widths, spec->n_widths));
    put(d, object, "origin", decimal(spec->origin));
    put(d, object, "closed", json_string(spec->closed_right ? "right" : "left"));
}

static void put_mask(document *d, json_t *object, const pv_hierarchy_spec *spec)
{
    put(d, object, "mask", json_string(spec->mask_left ? "left" : "right"));
}

static void put_date(document *d, json_t *object, const pv_hierarchy_spec *spec)
{
    json_t *const units = json_array();
    for (size_t i = 0; i < spec->n_units; i++) {
        append(d, units, json_string(pv_date_unit_name(spec->units[i])));
    }
    put(d, object, "date", units);
}

static void put_order(document *d, json_t *object, const pv_hierarchy_spec *spec)
{
    json_t *const sizes = json_array();
    for (size_t i = 0; i < spec->n_sizes; i++) {
        append(d, sizes, json_integer((json_int_t)spec->sizes[i]));
    }
    put(d, object, "order", sizes);
    put(d, object, "values", texts(d, spec->values, spec->n_values));
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

static void put_rare(document *d, json_t *object, const pv_hierarchy_spec *spec)
{
    put(d, object, "rare",
        spec->rare_share.mantissa > 0 ? percentage(spec->rare_share)
                                      : json_integer((json_int_t)spec->rare_rows));
    put(d, object, "keep", texts(d, spec->values, spec->n_values));
    if (spec->rare_label != NULL) {
        put(d, object, "label", json_string(spec->rare_label));
    }
}

static void put_suppress(document *d, json_t *object, const pv_hierarchy_spec *spec)
{
    (void)spec;
    put(d, object, "suppress", json_true());
}

static void (*const put_kind[PV_HIERARCHY_KIND_COUNT])(document *, json_t *,
                                                       const pv_hierarchy_spec *) = {
    [PV_HIERARCHY_SUPPRESS] = put_suppress,   [PV_HIERARCHY_ROWS] = put_rows,
    [PV_HIERARCHY_INTERVALS] = put_intervals, [PV_HIERARCHY_MASK] = put_mask,
    [PV_HIERARCHY_DATE] = put_date,           [PV_HIERARCHY_ORDER] = put_order,
    [PV_HIERARCHY_RARE] = put_rare,           [PV_HIERARCHY_BREAKS] = put_breaks,
};

static pv_status put_hierarchy(document *d, json_t *object, const pv_plan_attribute *attribute,
                               const pv_study *study, pv_error *error)
{
    const pv_table *const table = pv_study_table(study);
    pv_hierarchy_spec resolved = {0};
    PV_TRY(pv_i_hierarchy_spec_resolve(&attribute->hierarchy, table,
                                       pv_table_find(table, attribute->name), &resolved, error));
    json_t *const hierarchy = json_object();
    put_kind[resolved.kind](d, hierarchy, &resolved);
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
                      unsigned level)
{
    put(d, object, "type", json_string(pv_type_name(type)));
    put(d, object, "level", json_integer((json_int_t)level));
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

static pv_status check_key(const char *key, const char *what, pv_error *error)
{
    return strlen(key) <= PV_JSON_LONGEST_KEY
               ? PV_STATUS_OK
               : pv_i_fail(error, PV_STATUS_LIMIT,
                           "a %s of more than %d bytes does not fit into a scheme file", what,
                           PV_JSON_LONGEST_KEY);
}

static pv_status check_keys(const pv_plan_attribute *attribute, pv_error *error)
{
    PV_TRY(check_key(attribute->name, "column name", error));
    for (size_t i = 0; i < attribute->sensitivity.n_values; i++) {
        PV_TRY(
            check_key(attribute->sensitivity.values[i].value, "value with a sensitivity", error));
    }
    return PV_STATUS_OK;
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
        put(d, object, "missing", texts(d, attribute->missing, length_of(attribute->missing)));
    }
}

/* Objects are handed to their parents when they are complete: a parent that cannot take one frees
 * it. */
static pv_status put_attribute(document *d, json_t *attributes, const pv_plan_attribute *attribute,
                               const pv_scheme *scheme, const pv_study *study, pv_error *error)
{
    const size_t quasi = quasi_of(study, attribute->name);
    pv_status status = PV_STATUS_OK;
    PV_TRY(check_keys(attribute, error));
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
        put_quasi(d, object, attribute, type, scheme->levels[quasi]);
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
        put(d, root, "missing", texts(d, plan->missing, length_of(plan->missing)));
    }
    if (plan->quoting != PV_CHOICE_AUTO) {
        put(d, root, "quotes", json_string(plan->quoting == PV_CHOICE_YES ? "yes" : "no"));
    }
    if (plan->header != PV_CHOICE_AUTO) {
        put(d, root, "header", json_string(plan->header == PV_CHOICE_YES ? "yes" : "no"));
    }
}

static void put_head(document *d, json_t *root, const pv_plan *plan, const pv_scheme_record *record)
{
    put(d, root, "paravent", json_string(pv_version()));
    put(d, root, "schema", json_integer(1));
    put(d, root, "scheme", json_string("levels"));
    put(d, root, "suppression",
        record->suppression.is_share ? percentage(record->suppression.share)
                                     : json_integer((json_int_t)record->suppression.rows));
    if (record->target_k > 0) {
        put(d, root, "target-k", json_integer((json_int_t)record->target_k));
    }
    put_reading(d, root, plan);
    put_named(d, root, "require", record->require, record->n_require);
    put_named(d, root, "promises", record->promises, record->n_promises);
}

static pv_status explain_failure(const pv_study *study, pv_error *error)
{
    for (size_t q = 0; q < pv_study_quasis(study); q++) {
        const pv_hierarchy *const h = pv_study_hierarchy(study, q);
        for (unsigned level = 0; level <= pv_hierarchy_height(h); level++) {
            for (uint32_t group = 0; group < pv_hierarchy_groups(h, level); group++) {
                if (!pv_i_json_is_utf8(pv_hierarchy_label(h, level, group))) {
                    return pv_i_hint(pv_i_fail(error, PV_STATUS_INPUT,
                                               "a value or label of '%s' is not UTF-8, which a "
                                               "scheme file must be",
                                               pv_study_quasi_name(study, q)),
                                     error, "convert the table and its hierarchies to UTF-8");
                }
            }
        }
    }
    if (!pv_i_json_has_memory()) {
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
    put_head(&d, root, plan, record);
    for (size_t i = 0; i < plan->n_attributes && status == PV_STATUS_OK; i++) {
        status = put_attribute(&d, attributes, &plan->attributes[i], scheme, study, error);
    }
    put(&d, root, "attributes", attributes);
    if (status == PV_STATUS_OK) {
        status = d.failed ? explain_failure(study, error) : pv_i_json_dump(root, text, error);
    }
    json_decref(root);
    return status;
}
