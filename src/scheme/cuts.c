/* Cuts in terms of the data: made of bits, and turned into bits again.
 *
 *     values  17  18  19  20  21      numbers: a break is where the first value after a cut begins,
 *     bits      0   1   0   0         rounded down to the granularity;
 *     breaks         19               categories: the values between two cuts are a group
 *
 * A missing value comes last in the order. It may share the last group; alone it needs no group,
 * since it has its place in every hierarchy. */
#include "scheme/cuts.h"

#include "base/error.h"
#include "base/memory.h"
#include "hierarchy/labels.h"
#include "hierarchy/numbers.h"
#include "hierarchy/tree.h"
#include "plan/plan.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

/* ------------------------------------------------------------------- cuts */

void pv_cuts_free(pv_cuts *cuts)
{
    if (cuts == NULL) {
        return;
    }
    for (size_t i = 0; i < cuts->n_attributes; i++) {
        pv_cuts_attribute *const attribute = &cuts->attributes[i];
        for (size_t g = 0; g < attribute->n_groups; g++) {
            for (size_t v = 0; v < attribute->groups[g].n_values; v++) {
                pv_i_free(attribute->groups[g].values[v]);
            }
            pv_i_free(attribute->groups[g].values);
        }
        pv_i_free(attribute->groups);
        pv_i_free(attribute->breaks);
        pv_i_free(attribute->name);
    }
    pv_i_free(cuts->attributes);
    pv_i_free(cuts->path);
    pv_i_free(cuts);
}

static bool copy_group(const pv_cuts_group *group, pv_cuts_group *copy)
{
    copy->has_missing = group->has_missing;
    copy->values = PV_NEW_ZEROED(char *, group->n_values);
    for (size_t i = 0; copy->values != NULL && i < group->n_values; i++) {
        copy->values[i] = pv_i_strdup(group->values[i]);
        if (copy->values[i] == NULL) {
            return false;
        }
        copy->n_values = i + 1;
    }
    return copy->values != NULL;
}

/* What is made before memory runs out is counted, so that pv_cuts_free finds it. */
static bool copy_attribute(const pv_cuts_attribute *attribute, pv_cuts_attribute *copy)
{
    *copy = *attribute;
    copy->n_groups = 0;
    copy->name = pv_i_strdup(attribute->name);
    copy->breaks = PV_NEW_ARRAY(pv_decimal, attribute->n_breaks);
    copy->groups = PV_NEW_ZEROED(pv_cuts_group, attribute->n_groups);
    if (copy->name == NULL || copy->breaks == NULL || copy->groups == NULL) {
        return false;
    }
    if (attribute->n_breaks > 0) {
        memcpy(copy->breaks, attribute->breaks, attribute->n_breaks * sizeof *copy->breaks);
    }
    for (size_t g = 0; g < attribute->n_groups; g++) {
        copy->n_groups = g + 1;
        if (!copy_group(&attribute->groups[g], &copy->groups[g])) {
            return false;
        }
    }
    return true;
}

/* For whoever keeps cuts longer than the file or front they came from. */
pv_status pv_i_cuts_copy(const pv_cuts *cuts, pv_cuts **copy, pv_error *error)
{
    pv_cuts *const made = PV_NEW(pv_cuts);
    bool fine = made != NULL;
    if (fine) {
        *made = (pv_cuts){.path = cuts->path != NULL ? pv_i_strdup(cuts->path) : NULL,
                          .attributes = PV_NEW_ZEROED(pv_cuts_attribute, cuts->n_attributes)};
        fine = made->attributes != NULL && (cuts->path == NULL || made->path != NULL);
    }
    for (size_t i = 0; fine && i < cuts->n_attributes; i++) {
        made->n_attributes = i + 1;
        fine = copy_attribute(&cuts->attributes[i], &made->attributes[i]);
    }
    if (!fine) {
        pv_cuts_free(made);
        return pv_i_no_memory(error);
    }
    *copy = made;
    return PV_STATUS_OK;
}

/* clang-format off */
size_t pv_cuts_n_attributes(const pv_cuts *c) { return c->n_attributes; }
const char *pv_cuts_name(const pv_cuts *c, size_t a) { return c->attributes[a].name; }
pv_cuts_kind pv_cuts_kind_of(const pv_cuts *c, size_t a) { return c->attributes[a].kind; }
/* clang-format on */

size_t pv_cuts_n_groups(const pv_cuts *cuts, size_t attribute)
{
    const pv_cuts_attribute *const own = &cuts->attributes[attribute];
    switch (own->kind) {
    case PV_CUTS_TOP: return 1;
    case PV_CUTS_RAW: return 0;
    case PV_CUTS_BREAKS: return own->n_breaks + 1;
    default: return own->n_groups;
    }
}

const pv_decimal *pv_cuts_breaks(const pv_cuts *cuts, size_t attribute, size_t *n)
{
    *n = cuts->attributes[attribute].n_breaks;
    return cuts->attributes[attribute].breaks;
}

size_t pv_cuts_n_values(const pv_cuts *cuts, size_t attribute, size_t group)
{
    const pv_cuts_group *const own = &cuts->attributes[attribute].groups[group];
    return own->n_values + own->has_missing;
}

const char *pv_cuts_value(const pv_cuts *cuts, size_t attribute, size_t group, size_t value)
{
    const pv_cuts_group *const own = &cuts->attributes[attribute].groups[group];
    return value < own->n_values ? own->values[value] : NULL;
}

pv_status pv_i_cuts_find(const pv_cuts *cuts, const char *name, const pv_cuts_attribute **attribute,
                         pv_error *error)
{
    for (size_t i = 0; i < cuts->n_attributes; i++) {
        if (strcmp(cuts->attributes[i].name, name) == 0) {
            *attribute = &cuts->attributes[i];
            return PV_STATUS_OK;
        }
    }
    return pv_i_hint(pv_i_fail_at(error, PV_STATUS_INPUT, cuts->path, 0, 0,
                                  "there are no cuts for the quasi-identifier '%s'", name),
                     error, "write \"%s\": \"*\" for one group, or \"raw\" for its values", name);
}

static pv_status fail_cuts(const pv_cuts *cuts, const pv_cuts_attribute *attribute, pv_error *error,
                           const char *problem, const char *hint)
{
    return pv_i_hint(pv_i_fail_at(error, PV_STATUS_INPUT, cuts->path, attribute->line,
                                  attribute->column, "the cuts of '%s': %s", attribute->name,
                                  problem),
                     error, "%s", hint);
}

static pv_status fail_star(const char *name, pv_error *error)
{
    return pv_i_hint(pv_i_fail(error, PV_STATUS_INPUT,
                               "'%s' has the value `*`, which cannot share a group", name),
                     error,
                     "write it in another way in the data, and name that among the missing values; "
                     "values that become `*` by `unknown` must be added to the hierarchy");
}

/* ---------------------------------------------------------------- numbers */

/* Where the values of a numeric axis begin. */
typedef struct {
    pv_ticks *starts; /* ascending */
    uint32_t n;       /* numbers; one less than the values if there is a missing one */
    pv_ticks step;    /* of the granularity, 0 = none */
} number_line;

static const char *text_of(const pv_study *study, size_t quasi, uint32_t leaf)
{
    return pv_table_value(pv_study_table(study), pv_study_quasi_column(study, quasi),
                          pv_hierarchy_code(pv_study_hierarchy(study, quasi), leaf));
}

/* The leaf of the missing value, or PV_NO_CODE. */
static uint32_t missing_leaf(const pv_study *study, size_t quasi)
{
    const uint32_t code =
        pv_table_missing(pv_study_table(study), pv_study_quasi_column(study, quasi));
    return code == PV_NO_CODE ? PV_NO_CODE
                              : pv_hierarchy_leaf(pv_study_hierarchy(study, quasi), code);
}

static pv_status draw_line(const pv_cut_axis *axis, const pv_study *study, size_t quasi,
                           number_line *line, pv_error *error)
{
    const uint32_t missing = missing_leaf(study, quasi);
    const pv_format *const format =
        pv_table_format(pv_study_table(study), pv_study_quasi_column(study, quasi));
    const pv_decimal granularity = pv_study_quasi_attribute(study, quasi)->granularity;
    *line = (number_line){.starts = PV_NEW_ARRAY(pv_ticks, axis->n),
                          .n = axis->n - (missing != PV_NO_CODE),
                          .step = granularity.mantissa > 0 ? pv_i_ticks(granularity) : 0};
    if (line->starts == NULL) {
        return pv_i_no_memory(error);
    }
    for (uint32_t leaf = 0; leaf < pv_hierarchy_leaves(axis->hierarchy); leaf++) {
        pv_ticks at = 0;
        if (leaf != missing && pv_i_ticks_parse(text_of(study, quasi, leaf), format, &at)) {
            line->starts[axis->value_of[leaf]] =
                line->step > 0 ? pv_i_ticks_divide(at, line->step) * line->step : at;
        }
    }
    return PV_STATUS_OK;
}

static pv_status breaks_from_bits(const pv_cut_axis *axis, const pv_study *study, size_t quasi,
                                  const uint8_t *bits, pv_cuts_attribute *attribute,
                                  pv_error *error)
{
    number_line line;
    pv_status status = PV_STATUS_OK;
    PV_TRY(draw_line(axis, study, quasi, &line, error));
    attribute->kind = PV_CUTS_BREAKS;
    attribute->missing_last = line.n < axis->n && bits[line.n - 1] == 0;
    if (attribute->missing_last &&
        strcmp(text_of(study, quasi, missing_leaf(study, quasi)), PV_ROOT_LABEL) == 0) {
        PV_TRY_CLEAN(fail_star(attribute->name, error));
    }
    attribute->breaks = PV_NEW_ZEROED(pv_decimal, line.n);
    if (attribute->breaks == NULL) {
        PV_TRY_CLEAN(pv_i_no_memory(error));
    }
    for (uint32_t v = 1; v < line.n; v++) {
        if (bits[v - 1] != 0 &&
            !pv_i_ticks_decimal(line.starts[v], &attribute->breaks[attribute->n_breaks++])) {
            PV_TRY_CLEAN(pv_i_fail(error, PV_STATUS_LIMIT,
                                   "a multiple of the granularity of '%s' has too many digits",
                                   attribute->name));
        }
    }
cleanup:
    pv_i_free(line.starts);
    return status;
}

static pv_status number_bits(const pv_cuts *cuts, const pv_cuts_attribute *attribute,
                             const pv_cut_axis *axis, const pv_study *study, size_t quasi,
                             uint8_t *bits, pv_error *error)
{
    number_line line;
    if (!axis->numeric) {
        return fail_cuts(cuts, attribute, error, "breaks divide numbers, which it does not have",
                         "list its values in groups: {\"groups\": [[\"a\", \"b\"], [\"c\"]]}");
    }
    PV_TRY(draw_line(axis, study, quasi, &line, error));
    if (line.n > 0 && line.n < axis->n && !attribute->missing_last) {
        bits[line.n - 1] = 1;
    }
    pv_status status = PV_STATUS_OK;
    uint32_t v = 0; /* the first value at or after the break */
    for (size_t i = 0; i < attribute->n_breaks && status == PV_STATUS_OK; i++) {
        const pv_ticks at = pv_i_ticks(attribute->breaks[i]);
        if (line.step > 0 && at % line.step != 0) {
            status = fail_cuts(cuts, attribute, error,
                               "a break is not a multiple of the plan's granularity",
                               "move the break, or choose a finer granularity");
        }
        while (v < line.n && line.starts[v] < at) {
            v++;
        }
        if (v > 0 && v < line.n) {
            bits[v - 1] = 1;
        }
    }
    pv_i_free(line.starts);
    return status;
}

/* ------------------------------------------------------------- categories */

static pv_status add_value(pv_cuts_group *group, size_t *capacity, const char *text,
                           pv_error *error)
{
    char *const copy = pv_i_strdup(text);
    if (copy == NULL || !pv_i_reserve((void **)&group->values, capacity, group->n_values + 1,
                                      sizeof *group->values)) {
        pv_i_free(copy);
        return pv_i_no_memory(error);
    }
    group->values[group->n_values++] = copy;
    return PV_STATUS_OK;
}

/* The values first..last of an axis of categories, which are its leaves in the order of the tree. A
 * lone `*` needs no group: it has its place in every hierarchy. */
static pv_status fill_group(const pv_study *study, size_t quasi, uint32_t first, uint32_t last,
                            pv_cuts_attribute *attribute, pv_error *error)
{
    pv_cuts_group *const group = &attribute->groups[attribute->n_groups];
    const uint32_t missing = missing_leaf(study, quasi);
    size_t capacity = 0;
    for (uint32_t place = first; place <= last; place++) {
        const uint32_t leaf = pv_study_hierarchy(study, quasi)->depth_first[place];
        const char *const text = text_of(study, quasi, leaf);
        if (strcmp(text, PV_ROOT_LABEL) == 0) {
            return first == last ? PV_STATUS_OK : fail_star(attribute->name, error);
        }
        attribute->n_groups += place == first;
        if (leaf == missing) {
            group->has_missing = true;
        } else {
            PV_TRY(add_value(group, &capacity, text, error));
        }
    }
    return PV_STATUS_OK;
}

static pv_status groups_from_bits(const pv_cut_axis *axis, const pv_study *study, size_t quasi,
                                  const uint8_t *bits, pv_cuts_attribute *attribute,
                                  pv_error *error)
{
    uint32_t first = 0;
    attribute->kind = PV_CUTS_GROUPS;
    attribute->groups = PV_NEW_ZEROED(pv_cuts_group, axis->n);
    if (attribute->groups == NULL) {
        return pv_i_no_memory(error);
    }
    for (uint32_t v = 0; v < axis->n; v++) {
        if (v + 1 == axis->n || bits[v] != 0) {
            PV_TRY(fill_group(study, quasi, first, v, attribute, error));
            first = v + 1;
        }
    }
    return PV_STATUS_OK;
}

/* ---------------------------------------------------------- where values go */

/* The values of all groups, and the group of each by its number. */
typedef struct {
    pv_arena arena;
    pv_labels values;
    uint32_t *group_of;
    size_t capacity;
    uint32_t missing; /* the group that has null, or PV_NO_GROUP */
} directory;

static pv_status enter_values(directory *names, const pv_cuts_attribute *attribute, pv_error *error)
{
    names->missing = PV_NO_GROUP;
    for (uint32_t g = 0; g < attribute->n_groups; g++) {
        const pv_cuts_group *const group = &attribute->groups[g];
        names->missing = group->has_missing ? g : names->missing;
        for (size_t i = 0; i < group->n_values; i++) {
            uint32_t number = 0;
            if (!pv_i_reserve((void **)&names->group_of, &names->capacity,
                              (size_t)names->values.n + 1, sizeof *names->group_of)) {
                return pv_i_no_memory(error);
            }
            PV_TRY(
                pv_i_labels_add(&names->values, &names->arena, group->values[i], &number, error));
            names->group_of[number] = g;
        }
    }
    return PV_STATUS_OK;
}

/* A missing value may be called null, or as the data spells it; else it stays apart. `*` does. */
static uint32_t group_of_leaf(const directory *names, const pv_cuts_attribute *attribute,
                              const pv_study *study, size_t quasi, uint32_t leaf)
{
    const char *const text = text_of(study, quasi, leaf);
    const bool is_missing = leaf == missing_leaf(study, quasi);
    if (is_missing && names->missing != PV_NO_GROUP) {
        return names->missing;
    }
    const uint32_t number = pv_i_labels_find(&names->values, text);
    const uint32_t group = number != PV_NO_LABEL ? names->group_of[number] : PV_NO_GROUP;
    const bool apart = is_missing || strcmp(text, PV_ROOT_LABEL) == 0 ||
                       pv_study_quasi_attribute(study, quasi)->unknown_as_root;
    return group == PV_NO_GROUP && apart ? (uint32_t)attribute->n_groups : group;
}

pv_status pv_i_cuts_place(const pv_cuts *cuts, const pv_cuts_attribute *attribute,
                          const pv_study *study, size_t quasi, uint32_t *group_of, pv_error *error)
{
    const pv_hierarchy *const h = pv_study_hierarchy(study, quasi);
    directory names = {0};
    pv_status status = PV_STATUS_OK;
    PV_TRY_CLEAN(enter_values(&names, attribute, error));
    for (uint32_t leaf = 0; leaf < pv_hierarchy_leaves(h); leaf++) {
        group_of[leaf] = group_of_leaf(&names, attribute, study, quasi, leaf);
        if (group_of[leaf] == PV_NO_GROUP) {
            const pv_table *const table = pv_study_table(study);
            const uint64_t row = pv_table_first_row(table, pv_study_quasi_column(study, quasi),
                                                    pv_hierarchy_code(h, leaf));
            char problem[96];
            (void)snprintf(problem, sizeof problem,
                           "the value in line %" PRIu64 " of the data is in no group",
                           pv_table_line(table, row));
            PV_TRY_CLEAN(fail_cuts(cuts, attribute, error, problem,
                                   "put every value of the data into a group, perhaps one of its "
                                   "own, or give the attribute `unknown: \"*\"` in the plan"));
        }
    }
cleanup:
    pv_i_labels_deinit(&names.values);
    pv_i_arena_deinit(&names.arena);
    pv_i_free(names.group_of);
    return status;
}

/* Cuts wherever the group changes; a group that comes back is not one of neighbours. */
static pv_status cut_between(const pv_cuts *cuts, const pv_cuts_attribute *attribute,
                             const uint32_t *group_of, const pv_hierarchy *h, uint8_t *bits,
                             pv_error *error)
{
    bool *const ended = PV_NEW_ZEROED(bool, attribute->n_groups + 1);
    pv_status status = PV_STATUS_OK;
    if (ended == NULL) {
        return pv_i_no_memory(error);
    }
    for (uint32_t place = 1; place < h->n_leaves && status == PV_STATUS_OK; place++) {
        const uint32_t before = group_of[h->depth_first[place - 1]];
        const uint32_t here = group_of[h->depth_first[place]];
        bits[place - 1] = here != before;
        ended[before] |= here != before;
        if (ended[here]) {
            status = fail_cuts(cuts, attribute, error, "a group is not of neighbouring values",
                               "join only values that are neighbours in the hierarchy of the plan");
        }
    }
    pv_i_free(ended);
    return status;
}

static pv_status category_bits(const pv_cuts *cuts, const pv_cuts_attribute *attribute,
                               const pv_cut_axis *axis, const pv_study *study, size_t quasi,
                               uint8_t *bits, pv_error *error)
{
    pv_status status = PV_STATUS_OK;
    if (axis->numeric) {
        return fail_cuts(cuts, attribute, error, "numbers are divided by breaks, not in groups",
                         "say where ranges begin: {\"breaks\": [25, 40]}");
    }
    uint32_t *const group_of = PV_NEW_ARRAY(uint32_t, axis->n);
    if (group_of == NULL) {
        return pv_i_no_memory(error);
    }
    PV_TRY_CLEAN(pv_i_cuts_place(cuts, attribute, study, quasi, group_of, error));
    PV_TRY_CLEAN(cut_between(cuts, attribute, group_of, axis->hierarchy, bits, error));
cleanup:
    pv_i_free(group_of);
    return status;
}

/* -------------------------------------------------------------- all of them */

/* Does every value of the axis have one spelling? */
static bool is_as_spelled(const pv_cut_axis *axis)
{
    return axis->n == pv_hierarchy_leaves(axis->hierarchy);
}

static pv_status attribute_from_bits(const pv_cut_axis *axis, const pv_study *study, size_t quasi,
                                     const uint8_t *bits, pv_cuts_attribute *attribute,
                                     pv_error *error)
{
    uint32_t n = 0; /* cuts */
    for (uint32_t i = 0; i + 1 < axis->n; i++) {
        n += bits[i] != 0;
    }
    attribute->name = pv_i_strdup(pv_study_quasi_name(study, quasi));
    if (attribute->name == NULL) {
        return pv_i_no_memory(error);
    }
    if (n == 0 || (n + 1 == axis->n && is_as_spelled(axis))) {
        attribute->kind = n == 0 ? PV_CUTS_TOP : PV_CUTS_RAW;
        return PV_STATUS_OK;
    }
    return axis->numeric ? breaks_from_bits(axis, study, quasi, bits, attribute, error)
                         : groups_from_bits(axis, study, quasi, bits, attribute, error);
}

pv_status pv_i_cuts_from_bits(const pv_cut_space *space, const pv_study *study, const uint8_t *bits,
                              pv_cuts **cuts, pv_error *error)
{
    pv_cuts *const made = PV_NEW(pv_cuts);
    pv_status status = made != NULL ? PV_STATUS_OK : pv_i_no_memory(error);
    if (status != PV_STATUS_OK) {
        return status;
    }
    made->attributes = PV_NEW_ZEROED(pv_cuts_attribute, space->n_axes);
    if (made->attributes == NULL) {
        PV_TRY_CLEAN(pv_i_no_memory(error));
    }
    for (size_t i = 0; i < space->n_axes; i++) {
        const pv_cut_axis *const axis = &space->axes[i];
        PV_TRY_CLEAN(attribute_from_bits(axis, study, i, bits + axis->first_bit,
                                         &made->attributes[made->n_attributes++], error));
    }
    *cuts = made;
    return PV_STATUS_OK;
cleanup:
    pv_cuts_free(made);
    return status;
}

static pv_status attribute_to_bits(const pv_cuts *cuts, const pv_cut_axis *axis,
                                   const pv_study *study, size_t quasi, uint8_t *bits,
                                   pv_error *error)
{
    const pv_cuts_attribute *attribute = NULL;
    PV_TRY(pv_i_cuts_find(cuts, pv_study_quasi_name(study, quasi), &attribute, error));
    switch (attribute->kind) {
    case PV_CUTS_RAW:
        if (!is_as_spelled(axis)) {
            return fail_cuts(cuts, attribute, error,
                             "as it is, it is finer than any cuts of its numbers",
                             "write breaks, or leave its granularity out of the plan");
        }
        memset(bits, 1, axis->n - 1);
        return PV_STATUS_OK;
    case PV_CUTS_BREAKS: return number_bits(cuts, attribute, axis, study, quasi, bits, error);
    case PV_CUTS_GROUPS: return category_bits(cuts, attribute, axis, study, quasi, bits, error);
    default: return PV_STATUS_OK;
    }
}

pv_status pv_i_cuts_to_bits(const pv_cut_space *space, const pv_study *study, const pv_cuts *cuts,
                            uint8_t *bits, pv_error *error)
{
    uint8_t *const made = PV_NEW_ZEROED(uint8_t, space->n_bits);
    pv_status status = made != NULL ? PV_STATUS_OK : pv_i_no_memory(error);
    for (size_t i = 0; i < space->n_axes && status == PV_STATUS_OK; i++) {
        status = attribute_to_bits(cuts, &space->axes[i], study, i, made + space->axes[i].first_bit,
                                   error);
    }
    if (status == PV_STATUS_OK) {
        memcpy(bits, made, space->n_bits);
    }
    pv_i_free(made);
    return status;
}
