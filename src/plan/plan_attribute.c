/* One attribute of a plan. First its keys are read in whatever order they are written; then, the
 * role being known, every key is checked to make sense for that role. */
#include "plan/plan.h"

#include "base/error.h"
#include "base/file.h"
#include "base/memory.h"
#include "hierarchy/cells.h"
#include "hierarchy/labels.h"
#include "plan/spelling.h"

#include <string.h>

/* ---------------------------------------------------------------- sensitivity */

/* `sensitivity:` of an attribute: how much it would hurt to have a value known. One number for all
 * values, a mapping of values to numbers, or the name of a file with lines `value;number`; values
 * that are not named have 1. Whether the data has them is known when it is used. */

#define LARGEST_FILE ((size_t)256 << 20)
#define EXAMPLE "sensitivity: 2, sensitivity: {flu: 1, gout: 3}, or the name of a file"

static const pv_decimal one = {.mantissa = 1};

void pv_i_plan_sensitivity_free(pv_plan_sensitivity *sensitivity)
{
    for (size_t i = 0; i < sensitivity->n_values; i++) {
        pv_i_free(sensitivity->values[i].value);
    }
    pv_i_free(sensitivity->values);
    pv_i_free(sensitivity->file);
    *sensitivity = (pv_plan_sensitivity){0};
}

/* Adds a value whose text is copied; `capacity` is the caller's, starting at 0. */
static pv_status add_value(pv_plan_sensitivity *sensitivity, size_t *capacity,
                           pv_plan_sensitivity_value value, pv_error *error)
{
    if (!pv_i_reserve((void **)&sensitivity->values, capacity, sensitivity->n_values + 1,
                      sizeof *sensitivity->values)) {
        return pv_i_no_memory(error);
    }
    value.value = pv_i_strdup(value.value);
    if (value.value == NULL) {
        return pv_i_no_memory(error);
    }
    sensitivity->values[sensitivity->n_values++] = value;
    return PV_STATUS_OK;
}

pv_status pv_i_plan_sensitivity_copy(const pv_plan_sensitivity *sensitivity,
                                     pv_plan_sensitivity *copy, pv_error *error)
{
    size_t capacity = 0;
    *copy = (pv_plan_sensitivity){.is_given = sensitivity->is_given, .others = sensitivity->others};
    if (sensitivity->file != NULL) {
        copy->file = pv_i_strdup(sensitivity->file);
        if (copy->file == NULL) {
            return pv_i_no_memory(error);
        }
    }
    for (size_t i = 0; i < sensitivity->n_values; i++) {
        PV_TRY(add_value(copy, &capacity, sensitivity->values[i], error));
    }
    return PV_STATUS_OK;
}

/* -------------------------------------------------------------- in the plan */

static pv_status take_number(const char *file, const pv_node *node, pv_decimal *number,
                             pv_error *error)
{
    PV_TRY(pv_i_take_decimal("sensitivity", file, node, number, error));
    if (number->mantissa < 0) {
        return pv_i_fail_at(error, PV_STATUS_INPUT, PV_AT(file, node),
                            "`sensitivity` must not be negative");
    }
    return PV_STATUS_OK;
}

static pv_status take_mapping(const char *file, const pv_node *node,
                              pv_plan_sensitivity *sensitivity, pv_error *error)
{
    size_t capacity = 0;
    if (node->first == NULL) {
        return pv_i_hint(
            pv_i_fail_at(error, PV_STATUS_INPUT, PV_AT(file, node), "`sensitivity` names no value"),
            error, "write " EXAMPLE);
    }
    for (const pv_node *item = node->first; item != NULL; item = item->next) {
        pv_plan_sensitivity_value value = {.line = item->key->line, .column = item->key->column};
        PV_TRY(pv_i_need_text("sensitivity", file, item->key, error));
        PV_TRY(take_number(file, item, &value.sensitivity, error));
        value.value = (char *)(uintptr_t)item->key->text; /* borrowed: it is copied */
        PV_TRY(add_value(sensitivity, &capacity, value, error));
    }
    return PV_STATUS_OK;
}

/* -------------------------------------------------- in a file of its own */

/* What reading a file needs. */
typedef struct {
    pv_plan_sensitivity *sensitivity;
    size_t capacity;
    pv_arena arena;
    pv_labels seen;
} reading;

static pv_status fail_line(const reading *r, uint64_t line, const char *what, pv_error *error)
{
    return pv_i_hint(
        pv_i_fail_at(error, PV_STATUS_INPUT, r->sensitivity->file, line, 0, "%s", what), error,
        "write one line per value: value;number");
}

static pv_status take_record(reading *r, const pv_cells *cells, pv_error *error)
{
    const uint64_t line = cells->first_line;
    const uint32_t n_before = r->seen.n;
    pv_plan_sensitivity_value value = {.line = line};
    uint32_t number;
    if (cells->complaint != NULL) {
        return fail_line(r, line, cells->complaint, error);
    }
    if (cells->n_cells == 0 || (cells->n_cells == 1 && cells->cells[0][0] == '\0')) {
        return PV_STATUS_OK; /* a blank line */
    }
    if (cells->n_cells != 2) {
        return fail_line(r, line, "a line must have a value and a number", error);
    }
    if (!pv_decimal_parse(cells->cells[1], strlen(cells->cells[1]), &value.sensitivity)) {
        return fail_line(r, line, "the sensitivity is not a number", error);
    }
    if (value.sensitivity.mantissa < 0) {
        return fail_line(r, line, "the sensitivity is negative", error);
    }
    PV_TRY(pv_i_labels_add(&r->seen, &r->arena, cells->cells[0], &number, error));
    if (number != n_before) {
        return fail_line(r, line, "the value has a sensitivity already", error);
    }
    value.value = (char *)(uintptr_t)cells->cells[0]; /* borrowed: it is copied */
    return add_value(r->sensitivity, &r->capacity, value, error);
}

static pv_status take_records(pv_plan_sensitivity *sensitivity, const char *data, size_t size,
                              pv_error *error)
{
    reading r = {.sensitivity = sensitivity};
    pv_cells cells;
    bool found = true;
    pv_status status = PV_STATUS_OK;
    PV_TRY(pv_i_cells_init(&cells, data, size, '\0', error));
    for (;;) {
        PV_TRY_CLEAN(pv_i_cells_next(&cells, &found, error));
        if (!found) {
            break;
        }
        PV_TRY_CLEAN(take_record(&r, &cells, error));
    }
    if (sensitivity->n_values == 0) {
        status = fail_line(&r, 0, "names no values", error);
    }
cleanup:
    pv_i_cells_deinit(&cells);
    pv_i_labels_deinit(&r.seen);
    pv_i_arena_deinit(&r.arena);
    return status;
}

static pv_status read_file(const char *file, const pv_node *node, const pv_plan_setting *setting,
                           pv_plan_sensitivity *sensitivity, pv_error *error)
{
    char *data = NULL;
    size_t size = 0;
    sensitivity->file = pv_i_path_beside(file, node->text);
    if (sensitivity->file == NULL) {
        return pv_i_no_memory(error);
    }
    if (!setting->read_files) {
        return PV_STATUS_OK;
    }
    PV_TRY(pv_i_plan_refuse_data(setting, sensitivity->file, error));
    PV_TRY(pv_i_file_read(sensitivity->file, LARGEST_FILE, &data, &size, error));
    pv_status status = pv_i_cells_check(sensitivity->file, data, size, error);
    if (status == PV_STATUS_OK) {
        status = take_records(sensitivity, data, size, error);
    }
    pv_i_free(data);
    return status;
}

/* ------------------------------------------------------------------ either */

static pv_status take_scalar(const char *file, const pv_node *node, const pv_plan_setting *setting,
                             pv_plan_sensitivity *sensitivity, pv_error *error)
{
    pv_decimal number;
    PV_TRY(pv_i_need_text("sensitivity", file, node, error));
    return pv_decimal_parse(node->text, strlen(node->text), &number)
               ? take_number(file, node, &sensitivity->others, error)
               : read_file(file, node, setting, sensitivity, error);
}

static pv_status take_values(const char *file, const pv_node *node, const pv_plan_setting *setting,
                             pv_plan_sensitivity *sensitivity, pv_error *error)
{
    sensitivity->is_given = true;
    sensitivity->others = one;
    switch (node->kind) {
    case PV_NODE_SCALAR: return take_scalar(file, node, setting, sensitivity, error);
    case PV_NODE_MAPPING: return take_mapping(file, node, sensitivity, error);
    default:
        return pv_i_hint(pv_i_fail_at(error, PV_STATUS_INPUT, PV_AT(file, node),
                                      "`sensitivity` cannot be a list"),
                         error, "write " EXAMPLE);
    }
}

/* ----------------------------------------------------------------- attributes */

typedef struct {
    pv_plan_attribute attribute;
    const pv_plan_setting *setting;
    bool count_all_leaves;
} draft;

static const pv_word roles[PV_ROLE_COUNT + 1] = {
    [PV_ROLE_OTHER] = {"other", PV_ROLE_OTHER},
    [PV_ROLE_IDENTIFIER] = {"identifier", PV_ROLE_IDENTIFIER},
    [PV_ROLE_QUASI] = {"quasi", PV_ROLE_QUASI},
    [PV_ROLE_SENSITIVE] = {"sensitive", PV_ROLE_SENSITIVE},
    [PV_ROLE_LABEL] = {"label", PV_ROLE_LABEL},
    [PV_ROLE_UNDECIDED] = {"?", PV_ROLE_UNDECIDED},
};

const char *pv_role_name(pv_role role)
{
    return (unsigned)role < PV_ROLE_COUNT ? roles[role].text : "unknown";
}

/* ------------------------------------------------------------------ keys */

pv_status pv_i_plan_decimal(const char *file, const pv_node *node, char *decimal, bool *is_open,
                            pv_error *error)
{
    static const pv_word words[] = {{"comma", ','}, {"point", '.'}, {"?", '?'}, {NULL, 0}};
    int sign = 0;
    PV_TRY(pv_i_take_word("decimal", words, file, node, &sign, error));
    if (sign == '?' && is_open == NULL) {
        return pv_i_fail_at(error, PV_STATUS_INPUT, PV_AT(file, node),
                            "`decimal` of a whole plan is comma or point");
    }
    *decimal = sign == '?' ? '\0' : (char)sign;
    if (is_open != NULL) {
        *is_open = sign == '?';
    }
    return PV_STATUS_OK;
}

static pv_status take_decimal(const char *file, const pv_node *value, void *target, pv_error *error)
{
    pv_plan_attribute *const attribute = &((draft *)target)->attribute;
    bool is_open = false;
    PV_TRY(pv_i_plan_decimal(file, value, &attribute->format.decimal, &is_open, error));
    attribute->open_format = is_open ? 'd' : attribute->open_format;
    return PV_STATUS_OK;
}

#define FORMAT_HINT                                                                                \
    "write day, month and year as dd/mm/yyyy, mm/dd/yyyy, d.m.yyyy, dd-mm-yyyy, yyyymmdd, ...; a " \
    "year of two digits as dd.mm.yy, with `first-year: 1930` if it stands for 1930 to 2029; a "    \
    "time of day may follow in the data and is not written here"

static pv_status take_format(const char *file, const pv_node *value, void *target, pv_error *error)
{
    pv_plan_attribute *const attribute = &((draft *)target)->attribute;
    PV_TRY(pv_i_need_text("format", file, value, error));
    if (strcmp(value->text, "?") == 0) {
        attribute->open_format = 'f';
        return PV_STATUS_OK;
    }
    if (!pv_date_format_parse(value->text, &attribute->format)) {
        return pv_i_hint(pv_i_fail_at(error, PV_STATUS_INPUT, PV_AT(file, value),
                                      "`format`: `%s` is no way to write a date",
                                      pv_i_shown(value->text).text),
                         error, FORMAT_HINT);
    }
    return PV_STATUS_OK;
}

static pv_status take_first_year(const char *file, const pv_node *value, void *target,
                                 pv_error *error)
{
    uint64_t year;
    PV_TRY(pv_i_take_count("first-year", file, value, 1, 9900, &year, error));
    ((draft *)target)->attribute.format.first_year = (int)year;
    return PV_STATUS_OK;
}

/* A problem inside a file that the plan names has its place there; which attribute the file is for
 * is said too. */
static pv_status name_attribute(pv_status status, const char *file, const char *what,
                                const pv_plan_attribute *attribute, pv_error *error)
{
    if (status != PV_STATUS_OK && error != NULL && strcmp(error->file, file) != 0) {
        pv_i_prefix_error(error, what, attribute->name);
    }
    return status;
}

static pv_status take_hierarchy(const char *file, const pv_node *value, void *target,
                                pv_error *error)
{
    draft *const d = target;
    const pv_status status =
        pv_i_plan_hierarchy(file, value, d->setting, &d->attribute.hierarchy, error);
    d->attribute.has_hierarchy = status == PV_STATUS_OK;
    return name_attribute(status, file, "hierarchy of", &d->attribute, error);
}

static pv_status take_sensitivity(const char *file, const pv_node *value, void *target,
                                  pv_error *error)
{
    draft *const d = target;
    return name_attribute(take_values(file, value, d->setting, &d->attribute.sensitivity, error),
                          file, "sensitivity of", &d->attribute, error);
}

static pv_status take_weight(const char *file, const pv_node *value, void *target, pv_error *error)
{
    pv_decimal weight;
    PV_TRY(pv_i_take_decimal("weight", file, value, &weight, error));
    if (weight.mantissa < 0) {
        return pv_i_fail_at(error, PV_STATUS_INPUT, PV_AT(file, value),
                            "`weight` must not be negative");
    }
    ((draft *)target)->attribute.weight = pv_decimal_double(weight);
    return PV_STATUS_OK;
}

static pv_status take_granularity(const char *file, const pv_node *value, void *target,
                                  pv_error *error)
{
    pv_decimal step;
    PV_TRY(pv_i_take_decimal("granularity", file, value, &step, error));
    if (step.mantissa <= 0) {
        return pv_i_fail_at(error, PV_STATUS_INPUT, PV_AT(file, value),
                            "`granularity` must be more than 0");
    }
    ((draft *)target)->attribute.granularity = step;
    return PV_STATUS_OK;
}

static pv_status take_level(const char *file, const pv_node *value, void *target, pv_error *error)
{
    uint64_t level;
    PV_TRY(pv_i_take_count("level", file, value, 0, PV_MAX_HEIGHT, &level, error));
    ((draft *)target)->attribute.level = (int)level;
    return PV_STATUS_OK;
}

static pv_status take_max_level(const char *file, const pv_node *value, void *target,
                                pv_error *error)
{
    uint64_t level;
    PV_TRY(pv_i_take_count("max-level", file, value, 0, PV_MAX_HEIGHT, &level, error));
    ((draft *)target)->attribute.max_level = (int)level;
    return PV_STATUS_OK;
}

static pv_status take_require(const char *file, const pv_node *value, void *target, pv_error *error)
{
    pv_plan_attribute *const attribute = &((draft *)target)->attribute;
    return pv_i_plan_bounds(file, value, "{l-distinct: 3}", &attribute->require,
                            &attribute->n_require, error);
}

static const pv_word types[] = {{"integer", PV_TYPE_INTEGER},
                                {"decimal", PV_TYPE_DECIMAL},
                                {"date", PV_TYPE_DATE},
                                {"text", PV_TYPE_TEXT},
                                {NULL, 0}};
static const pv_word distances[] = {{"equal", PV_DISTANCE_EQUAL},
                                    {"ordered", PV_DISTANCE_ORDERED},
                                    {"hierarchical", PV_DISTANCE_HIERARCHICAL},
                                    {NULL, 0}};
static const pv_word unknowns[] = {{PV_ROOT_LABEL, true}, {NULL, 0}};
static const pv_word uniques[] = {{"accepted", true}, {NULL, 0}};

static const pv_plan_key attribute_keys[] = {
    PV_KEY_INTO("role", PV_KEY_CHOICE, draft, attribute.role, roles),
    PV_KEY_INTO("type", PV_KEY_CHOICE, draft, attribute.type, types),
    PV_KEY("decimal", take_decimal),
    PV_KEY("format", take_format),
    PV_KEY("first-year", take_first_year),
    PV_KEY_INTO("missing", PV_KEY_TEXTS, draft, attribute.missing, NULL),
    PV_KEY("hierarchy", take_hierarchy),
    PV_KEY("weight", take_weight),
    PV_KEY("granularity", take_granularity),
    PV_KEY("sensitivity", take_sensitivity),
    PV_KEY_INTO("distance", PV_KEY_CHOICE, draft, attribute.distance, distances),
    PV_KEY("require", take_require),
    PV_KEY("level", take_level),
    PV_KEY("max-level", take_max_level),
    PV_KEY_INTO("domain", PV_KEY_SWITCH, draft, count_all_leaves, pv_i_domains),
    PV_KEY_INTO("unknown", PV_KEY_SWITCH, draft, attribute.unknown_as_root, unknowns),
    PV_KEY_INTO("unique", PV_KEY_SWITCH, draft, attribute.unique_accepted, uniques),
    {0},
};

/* ----------------------------------------------------------------- roles */

#define QUASI (1u << PV_ROLE_QUASI)
#define SENSITIVE (1u << PV_ROLE_SENSITIVE)
#define UNCHANGED (1u << PV_ROLE_OTHER | 1u << PV_ROLE_SENSITIVE | 1u << PV_ROLE_LABEL)

/* The keys that only some roles have. */
static const struct {
    const char *key;
    unsigned roles;
    const char *allowed;
} role_rules[] = {
    {"hierarchy", QUASI | SENSITIVE, "`quasi` or `sensitive`"},
    {"weight", QUASI, "`quasi`"},
    {"granularity", QUASI, "`quasi`"},
    {"sensitivity", QUASI, "`quasi`"},
    {"level", QUASI, "`quasi`"},
    {"domain", QUASI, "`quasi`"},
    {"unknown", QUASI, "`quasi`"},
    {"distance", SENSITIVE, "`sensitive`"},
    {"require", SENSITIVE, "`sensitive`"},
    {"unique", UNCHANGED, "`other`, `sensitive` or `label`"},
};

static pv_status check_roles(const char *file, const pv_node *node, pv_role role, pv_error *error)
{
    for (size_t i = 0; i < sizeof role_rules / sizeof *role_rules; i++) {
        const pv_node *const value = pv_i_node_get(node, role_rules[i].key);
        if (value != NULL && (role_rules[i].roles >> role & 1) == 0 && role != PV_ROLE_UNDECIDED) {
            return pv_i_hint(
                pv_i_fail_at(error, PV_STATUS_INPUT, PV_AT(file, value->key),
                             "`%s` has no meaning for `%s`, whose role is `%s`", role_rules[i].key,
                             pv_i_shown(node->key->text).text, roles[role].text),
                error, "remove it, or give the attribute the role %s", role_rules[i].allowed);
        }
    }
    return PV_STATUS_OK;
}

pv_distance pv_i_hierarchy_distance(const pv_hierarchy_spec *spec)
{
    return spec->kind == PV_HIERARCHY_ORDER ? PV_DISTANCE_ORDERED : PV_DISTANCE_HIERARCHICAL;
}

/* A hierarchy that the distance does not look at would be a wish that nobody fulfils. */
static bool is_used(const pv_plan_attribute *attribute)
{
    return attribute->distance == PV_DISTANCE_HIERARCHICAL ||
           (attribute->distance == PV_DISTANCE_ORDERED &&
            attribute->hierarchy.kind == PV_HIERARCHY_ORDER);
}

static pv_status check_distance(const char *file, const pv_node *node, pv_plan_attribute *attribute,
                                pv_error *error)
{
    if (attribute->role != PV_ROLE_SENSITIVE) {
        return PV_STATUS_OK;
    }
    if (attribute->has_hierarchy && attribute->distance == PV_DISTANCE_AUTO) {
        attribute->distance = pv_i_hierarchy_distance(&attribute->hierarchy);
    }
    if (attribute->distance == PV_DISTANCE_HIERARCHICAL && !attribute->has_hierarchy) {
        return pv_i_hint(pv_i_fail_at(error, PV_STATUS_INPUT,
                                      PV_AT(file, pv_i_node_get(node, "distance")),
                                      "the distance `hierarchical` needs a hierarchy"),
                         error, "add `hierarchy: FILE` to `%s`", pv_i_shown(node->key->text).text);
    }
    if (attribute->has_hierarchy && !is_used(attribute)) {
        const bool is_ordered = attribute->distance == PV_DISTANCE_ORDERED;
        return pv_i_hint(
            pv_i_fail_at(error, PV_STATUS_INPUT, PV_AT(file, pv_i_node_get(node, "hierarchy")->key),
                         "the hierarchy of `%s` has no meaning: the distance `%s` "
                         "does not look at it",
                         pv_i_shown(node->key->text).text, is_ordered ? "ordered" : "equal"),
            error, "remove one of them%s",
            is_ordered ? ", or give the order: {order: [2], values: [low, middle, "
                         "high]}"
                       : "");
    }
    return PV_STATUS_OK;
}

/* Does the hierarchy say what values there are, whether they occur or not? */
static bool names_values(const pv_plan_attribute *attribute)
{
    const pv_hierarchy_spec *const spec = &attribute->hierarchy;
    return attribute->has_hierarchy &&
           (spec->kind == PV_HIERARCHY_ROWS ||
            ((spec->kind == PV_HIERARCHY_ORDER || spec->kind == PV_HIERARCHY_RARE) &&
             spec->values != NULL));
}

/* A domain of the plan is for the attributes that it has a meaning for. */
static pv_status settle_domain(const char *file, const pv_node *node, bool count_all_leaves,
                               pv_plan_attribute *attribute, pv_error *error)
{
    const pv_node *const own = pv_i_node_get(node, "domain");
    if (attribute->role != PV_ROLE_QUASI || !count_all_leaves) {
        return PV_STATUS_OK;
    }
    if (own != NULL && !names_values(attribute)) {
        return pv_i_hint(pv_i_fail_at(error, PV_STATUS_INPUT, PV_AT(file, own->key),
                                      "`domain: hierarchy` has no meaning for `%s`, whose "
                                      "hierarchy names no values",
                                      pv_i_shown(node->key->text).text),
                         error,
                         "remove it, or name the values: in a file, in `rows`, or in the "
                         "`values` of an `order`");
    }
    attribute->hierarchy.count_all_leaves = names_values(attribute);
    return PV_STATUS_OK;
}

/* What is said of numbers is said of a number, and so for dates. */
static pv_status check_format(const char *file, const pv_node *node, pv_plan_attribute *attribute,
                              pv_error *error)
{
    const pv_node *const decimal = pv_i_node_get(node, "decimal");
    const pv_node *const date = pv_i_node_get(node, "format");
    const pv_node *const year = pv_i_node_get(node, "first-year");
    const pv_type type = attribute->type;
    const bool is_date = type == PV_TYPE_DATE || (type == PV_TYPE_AUTO && decimal == NULL);
    const bool is_number = type == PV_TYPE_INTEGER || type == PV_TYPE_DECIMAL ||
                           (type == PV_TYPE_AUTO && date == NULL);
    if (decimal != NULL && !is_number) {
        return pv_i_hint(pv_i_fail_at(error, PV_STATUS_INPUT, PV_AT(file, decimal->key),
                                      "`decimal` has no meaning for what is no number"),
                         error, "remove it, or write `type: decimal`");
    }
    if ((date != NULL || year != NULL) && !is_date) {
        return pv_i_hint(pv_i_fail_at(error, PV_STATUS_INPUT,
                                      PV_AT(file, (date != NULL ? date : year)->key),
                                      "`%s` has no meaning for what is no date",
                                      date != NULL ? "format" : "first-year"),
                         error, "remove it, or write `type: date`");
    }
    const bool is_short = pv_date_format_has_short_year(&attribute->format);
    if (is_short != (year != NULL)) {
        return pv_i_hint(pv_i_fail_at(error, PV_STATUS_INPUT,
                                      PV_AT(file, (is_short ? date : year)->key),
                                      is_short ? "which century are years of two digits in?"
                                               : "`first-year` is for years of two digits"),
                         error,
                         is_short ? "add `first-year: 1930` if they stand for 1930 to 2029"
                                  : "write `format: dd.mm.yy` or the like, or remove it");
    }
    if (type == PV_TYPE_AUTO && attribute->open_format == '\0') {
        attribute->type = date != NULL ? PV_TYPE_DATE : decimal != NULL ? PV_TYPE_DECIMAL : type;
    }
    return PV_STATUS_OK;
}

static pv_status fill(draft *d, const char *file, const pv_node *node, pv_error *error)
{
    pv_plan_attribute *const attribute = &d->attribute;
    attribute->name = pv_i_strdup(node->key->text);
    if (attribute->name == NULL) {
        return pv_i_no_memory(error);
    }
    PV_TRY(pv_i_need_mapping(attribute->name, file, node, "{role: quasi}", error));
    PV_TRY(pv_i_take_keys(attribute_keys, "an attribute", file, node, d, error));
    PV_TRY(check_roles(file, node, attribute->role, error));
    PV_TRY(check_distance(file, node, attribute, error));
    PV_TRY(check_format(file, node, attribute, error));
    PV_TRY(settle_domain(file, node, d->count_all_leaves, attribute, error));
    if (attribute->hierarchy.kind == PV_HIERARCHY_BREAKS) {
        attribute->hierarchy.granularity = attribute->granularity;
    }
    return PV_STATUS_OK;
}

pv_status pv_i_plan_attribute(const char *file, const pv_node *node, const pv_plan_setting *setting,
                              pv_plan_attribute *attribute, pv_error *error)
{
    draft d = {.setting = setting,
               .count_all_leaves = setting->count_all_leaves,
               .attribute = {.weight = 1,
                             .level = -1,
                             .max_level = -1,
                             .line = node->key->line,
                             .column = node->key->column}};
    const pv_status status = fill(&d, file, node, error);
    *attribute = d.attribute;
    return status;
}
