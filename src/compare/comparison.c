/* Releases of one table side by side: what is compared, and every release as it joins.
 *
 * A release that joins divides the kinds there are by what it shows of people; the vectors of the
 * releases that came before are then spread over the new kinds. So the cost of a comparison goes
 * with the kinds, which are few, and not with the people.
 *
 *     begin         one kind: everyone                     properties are chosen, no release yet
 *     add, open     kinds divided, values of the new one   once per release, O(entries)
 *     settle        kinds of equal values merged           once, O(kinds log kinds)
 *
 *     people_groups.c  kinds by values of a column         once per column, O(entries)
 *     judgement.c      everything else                     O(kinds)
 *
 * Invariants: every release has a value of every property for every kind, or no vector of it at
 * all; more is better in all of them (what is less-is-better is stored negated, and turned back
 * where it is shown). Names and groups are in an arena that lives as long as the comparison;
 * vectors are replaced when kinds are divided, so they are allocated one by one. */
#include "compare/comparison.h"

#include "base/error.h"
#include "base/memory.h"
#include "classes/profile.h"
#include "measure/entry.h"
#include "table/column.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

void pv_comparison_free(pv_comparison *comparison)
{
    if (comparison == NULL) {
        return;
    }
    for (size_t i = 0; i < comparison->n_releases; i++) {
        pv_i_vectors_free(comparison->releases[i]);
    }
    pv_i_free(comparison->releases);
    pv_i_free(comparison->n_missing);
    pv_i_free(comparison->people);
    pv_i_kinds_deinit(&comparison->kinds);
    pv_i_arena_deinit(&comparison->arena);
    pv_i_free(comparison);
}

/* ---------------------------------------------------------------- beginning */

/* Those asked for, or all that releases of this study can have. */
static pv_status name_properties(pv_comparison *comparison, const pv_study *study,
                                 const char *const *asked, size_t n_asked, pv_error *error)
{
    const bool all = n_asked == 0;
    const size_t most = all ? pv_n_properties() : n_asked;
    const char **const names = pv_i_arena_array(&comparison->arena, most, sizeof *names);
    size_t n = 0;
    if (names == NULL) {
        return pv_i_no_memory(error);
    }
    for (size_t i = 0; i < most; i++) {
        if (!all) {
            names[n] = pv_i_arena_text(&comparison->arena, asked[i], strlen(asked[i]));
            if (names[n++] == NULL) {
                return pv_i_no_memory(error);
            }
        } else if (pv_i_property_available(pv_property_at(i), study)) {
            names[n++] = pv_property_at(i)->name;
        }
    }
    comparison->properties = names;
    comparison->n_properties = n;
    return PV_STATUS_OK;
}

/* Refused here, before any file is read: a property that the study cannot have. */
static pv_status choose_properties(pv_comparison *comparison, const pv_study *study,
                                   pv_error *error)
{
    const size_t n = comparison->n_properties;
    comparison->choices = pv_i_arena_array(&comparison->arena, n, sizeof *comparison->choices);
    comparison->less_is_better =
        pv_i_arena_array(&comparison->arena, n, sizeof *comparison->less_is_better);
    if (comparison->choices == NULL || comparison->less_is_better == NULL) {
        return pv_i_no_memory(error);
    }
    for (size_t i = 0; i < n; i++) {
        pv_property_choice *const choice = &comparison->choices[i];
        PV_TRY(pv_i_property_choose(comparison->properties[i], choice, error));
        if (choice->property != NULL && !pv_i_property_available(choice->property, study)) {
            return pv_i_hint(pv_i_fail(error, PV_STATUS_ARGUMENT,
                                       "property `%s` needs a sensitive attribute",
                                       choice->property->name),
                             error, "give a column the role sensitive in the plan");
        }
        comparison->less_is_better[i] = choice->less_is_better;
    }
    return PV_STATUS_OK;
}

/* What accessors read, after the kinds changed. */
static void show_kinds(pv_comparison *comparison)
{
    comparison->n_rows = comparison->kinds.n_rows;
    comparison->n_kinds = comparison->kinds.n;
    comparison->n_of_kind = comparison->kinds.people;
    comparison->kind_of_row =
        comparison->kinds.n_entries == comparison->n_rows ? comparison->kinds.of_entry : NULL;
}

/* Everyone is of one kind until a release treats some people differently. */
pv_status pv_comparison_begin(const pv_study *study, const char *const *properties,
                              size_t n_properties, pv_comparison **comparison, pv_error *error)
{
    pv_comparison *const made = PV_NEW(pv_comparison);
    pv_status status = PV_STATUS_OK;
    if (made == NULL) {
        return pv_i_no_memory(error);
    }
    made->n_original = pv_table_rows(pv_study_table(study));
    PV_TRY_CLEAN(name_properties(made, study, properties, n_properties, error));
    PV_TRY_CLEAN(choose_properties(made, study, error));
    PV_TRY_CLEAN(pv_i_kinds_init(&made->kinds, pv_study_table(study), error));
    show_kinds(made);
    *comparison = made;
    return PV_STATUS_OK;
cleanup:
    pv_comparison_free(made);
    return status;
}

/* ----------------------------------------------------------------- joining */

pv_status pv_i_comparison_append(pv_comparison *comparison, pv_vectors *vectors, uint64_t n_missing,
                                 const pv_division *division, pv_error *error)
{
    const size_t n = comparison->n_releases + 1;
    pv_vectors **const releases = pv_i_resize(comparison->releases, n, sizeof *releases);
    comparison->releases = releases != NULL ? releases : comparison->releases;
    uint64_t *const missing = pv_i_resize(comparison->n_missing, n, sizeof *missing);
    comparison->n_missing = missing != NULL ? missing : comparison->n_missing;
    if (releases == NULL || missing == NULL) {
        pv_i_vectors_free(vectors);
        return pv_i_no_memory(error);
    }
    show_kinds(comparison);
    comparison->releases[comparison->n_releases] = vectors;
    comparison->n_missing[comparison->n_releases++] = n_missing;
    for (size_t i = 0; i + 1 < comparison->n_releases; i++) {
        PV_TRY(pv_i_vectors_divide(comparison->releases[i], division->parent, comparison->n_kinds,
                                   error));
    }
    return PV_STATUS_OK;
}

/* ----------------------------------------------------------------- settling */

/* By all of their values, release by release; 0 = there is no difference between them. */
static int compare_kinds(const void *a, const void *b, void *ctx)
{
    const pv_comparison *const c = ctx;
    const uint32_t left = *(const uint32_t *)a;
    const uint32_t right = *(const uint32_t *)b;
    for (size_t r = 0; r < c->n_releases; r++) {
        const pv_vectors *const vectors = c->releases[r];
        for (size_t p = 0; p < c->n_properties; p++) {
            const double *const values = vectors->values[p];
            if (values != NULL && (values[left] < values[right] || values[left] > values[right])) {
                return values[left] < values[right] ? -1 : 1;
            }
        }
        const bool *const marks = vectors->is_suppressed;
        if (marks != NULL && marks[left] != marks[right]) {
            return marks[left] ? 1 : -1;
        }
    }
    return 0;
}

/* Numbered anew: `map` says what each kind becomes, `old` which one of them each new kind was. */
static pv_status renumber(pv_comparison *c, const uint32_t *map, const uint32_t *old, size_t n,
                          pv_error *error)
{
    uint64_t *const people = PV_NEW_ZEROED(uint64_t, n);
    if (people == NULL) {
        return pv_i_no_memory(error);
    }
    for (size_t kind = 0; kind < c->kinds.n; kind++) {
        people[map[kind]] += c->kinds.people[kind];
    }
    for (uint64_t i = 0; i < c->kinds.n_entries; i++) {
        c->kinds.of_entry[i] = map[c->kinds.of_entry[i]];
    }
    pv_i_free(c->kinds.people);
    c->kinds.people = people;
    c->kinds.n = n;
    show_kinds(c);
    for (size_t r = 0; r < c->n_releases; r++) {
        PV_TRY(pv_i_vectors_divide(c->releases[r], old, n, error));
    }
    return PV_STATUS_OK;
}

pv_status pv_i_comparison_settle(pv_comparison *comparison, pv_error *error)
{
    const size_t n = comparison->kinds.n;
    if (comparison->n_releases == 0) {
        return PV_STATUS_OK;
    }
    uint32_t *const order = PV_NEW_ARRAY(uint32_t, n);
    uint32_t *const map = PV_NEW_ARRAY(uint32_t, n);
    size_t n_settled = 0;
    if (order == NULL || map == NULL) {
        pv_i_free(order);
        pv_i_free(map);
        return pv_i_no_memory(error);
    }
    for (size_t i = 0; i < n; i++) {
        order[i] = (uint32_t)i;
    }
    qsort_r(order, n, sizeof *order, compare_kinds, comparison);
    for (size_t i = 0; i < n; i++) {
        const uint32_t kind = order[i];
        if (n_settled == 0 || compare_kinds(&order[n_settled - 1], &kind, comparison) != 0) {
            order[n_settled++] = kind;
        }
        map[kind] = (uint32_t)n_settled - 1;
    }
    const pv_status status = renumber(comparison, map, order, n_settled, error);
    pv_i_free(order);
    pv_i_free(map);
    return status;
}

/* ----------------------------------------------------------------- schemes */

size_t pv_i_profile_traits(const pv_comparison *comparison, const pv_profile *profile,
                           pv_trait *traits)
{
    const pv_table *const table = pv_study_table(profile->study);
    bool own = false; /* is some property about people's own sensitive values? */
    for (size_t i = 0; i < comparison->n_properties; i++) {
        const pv_property *const property = comparison->choices[i].property;
        own = own || (property != NULL && pv_i_property_is_own(property));
    }
    const pv_codes tuples = {.width = sizeof *profile->row_tuple, .data = profile->row_tuple};
    size_t n = 0;
    traits[n++] = (pv_trait){.codes = tuples, .n_values = (uint32_t)profile->n_tuples};
    for (size_t i = 0; own && i < profile->n_sensitive; i++) {
        const size_t column = pv_study_sensitive_column(profile->study, i);
        traits[n++] = (pv_trait){.codes = pv_i_table_codes(table, column),
                                 .n_values = pv_table_values(table, column)};
    }
    return n;
}

/* Of all people of a kind a measure is read once, of the example: they are treated alike, so it is
 * the same for all. A column is in files only. */
static pv_status fill(const pv_comparison *comparison, const pv_classes *classes,
                      const pv_division *division, pv_vectors *vectors, pv_error *error)
{
    const size_t n = comparison->kinds.n;
    for (size_t p = 0; p < comparison->n_properties; p++) {
        const pv_property_choice *const choice = &comparison->choices[p];
        if (choice->property == NULL) {
            continue;
        }
        vectors->values[p] = PV_NEW_ARRAY(double, n);
        if (vectors->values[p] == NULL) {
            return pv_i_no_memory(error);
        }
        PV_TRY(pv_i_measure_rows(pv_i_property_measure(choice->property), classes,
                                 division->example, n, vectors->values[p], error));
        if (choice->less_is_better) {
            pv_i_values_turn(vectors->values[p], n);
        }
    }
    return PV_STATUS_OK;
}

/* A scheme that is not released yet: its classes say what every person would get. All rows are
 * there, in the order of the original. */
pv_status pv_comparison_add(pv_comparison *comparison, const pv_classes *classes, const char *name,
                            const pv_context *context, pv_error *error)
{
    const pv_profile *const profile = classes->profile;
    pv_vectors *vectors = NULL;
    pv_division division = {0};
    pv_status status = PV_STATUS_OK;
    if (pv_profile_rows(classes->profile) != comparison->n_original) {
        return pv_i_fail(error, PV_STATUS_ARGUMENT,
                         "schemes can only be compared if they are of the same table");
    }
    if (profile->table_entry != NULL) { /* equal rows that are released differently */
        PV_TRY(pv_i_table_need_rows(pv_study_table(profile->study), "comparing person by person",
                                    error));
    }
    pv_trait *const traits = PV_NEW_ARRAY(pv_trait, 1 + profile->n_sensitive);
    if (traits == NULL) {
        return pv_i_no_memory(error);
    }
    PV_TRY_CLEAN(pv_i_vectors_create(name, comparison->n_properties, &vectors, error));
    const size_t n_traits = pv_i_profile_traits(comparison, profile, traits);
    PV_TRY_CLEAN(
        pv_i_kinds_divide(&comparison->kinds, traits, n_traits, NULL, context, &division, error));
    PV_TRY_CLEAN(fill(comparison, classes, &division, vectors, error));
    vectors->suppressed = pv_classes_suppressed(classes);
    if (vectors->suppressed > 0) {
        bool *const marks = vectors->is_suppressed = PV_NEW_ARRAY(bool, comparison->kinds.n);
        for (size_t kind = 0; marks != NULL && kind < comparison->kinds.n; kind++) {
            const size_t tuple = profile->row_tuple[division.example[kind]];
            marks[kind] = pv_classes_is_suppressed(classes, pv_classes_of_tuple(classes, tuple));
        }
        PV_TRY_CLEAN(marks != NULL ? PV_STATUS_OK : pv_i_no_memory(error));
    }
    status = pv_i_comparison_append(comparison, vectors, 0, &division, error);
    vectors = NULL;
    if (status == PV_STATUS_OK) {
        status = pv_i_comparison_settle(comparison, error);
    }
cleanup:
    pv_i_free(traits);
    pv_i_vectors_free(vectors);
    pv_i_division_deinit(&division);
    return status;
}

/* -------------------------------------------------------------- accessors
 *
 * What a field is, is said once, in the public header. */

/* clang-format off */
size_t pv_comparison_n_properties(const pv_comparison *c) { return c->n_properties; }
const char *pv_comparison_property(const pv_comparison *c, size_t p) { return c->properties[p]; }
bool pv_comparison_less_is_better(const pv_comparison *c, size_t p) { return c->less_is_better[p]; }
size_t pv_comparison_n_releases(const pv_comparison *c) { return c->n_releases; }
const char *pv_comparison_name(const pv_comparison *c, size_t r) { return c->releases[r]->name; }
uint64_t pv_comparison_suppressed(const pv_comparison *c, size_t r) { return c->releases[r]->suppressed; }
uint64_t pv_comparison_missing(const pv_comparison *c, size_t r) { return c->n_missing[r]; }
uint64_t pv_comparison_n_rows(const pv_comparison *c) { return c->n_rows; }
uint64_t pv_comparison_n_original(const pv_comparison *c) { return c->n_original; }
size_t pv_comparison_n_kinds(const pv_comparison *c) { return c->n_kinds; }
const uint64_t *pv_comparison_people(const pv_comparison *c) { return c->n_of_kind; }

size_t pv_comparison_n_groups(const pv_comparison *c) { return c->n_people; }
const char *pv_comparison_group_column(const pv_comparison *c, size_t g) { return c->people[g].column; }
const char *pv_comparison_group_value(const pv_comparison *c, size_t g) { return c->people[g].value; }
uint64_t pv_comparison_group_rows(const pv_comparison *c, size_t g) { return c->people[g].n_rows; }
/* clang-format on */

const uint32_t *pv_comparison_kinds(const pv_comparison *comparison, uint64_t *n_rows)
{
    *n_rows = comparison->n_rows;
    return comparison->kind_of_row;
}

const double *pv_comparison_values(const pv_comparison *comparison, size_t release, size_t property,
                                   size_t *n_kinds)
{
    *n_kinds = comparison->n_kinds;
    return comparison->releases[release]->values[property];
}

/* Which compared entry stands for a compared row. */
static uint64_t compared_entry(const pv_kinds *kinds, uint64_t row)
{
    uint64_t i = 0;
    if (kinds->entry == NULL) {
        return pv_i_entry_of_row(kinds->ends, kinds->n_entries, row);
    }
    for (uint64_t n = 0; row >= (n = pv_i_entry_rows(kinds->ends, kinds->entry[i])); i++) {
        row -= n;
    }
    return i;
}

/* Of one compared row: what its kind has. */
double pv_comparison_value(const pv_comparison *comparison, size_t release, size_t property,
                           uint64_t row)
{
    const double *const values = comparison->releases[release]->values[property];
    const uint32_t *const of_entry = comparison->kinds.of_entry;
    const uint64_t kind = comparison->kind_of_row != NULL ? comparison->kind_of_row[row]
                          : of_entry != NULL ? of_entry[compared_entry(&comparison->kinds, row)]
                                             : row;
    return values != NULL ? values[kind] : (double)NAN;
}

const pv_shown_row *pv_comparison_shown_row(const pv_comparison *comparison, size_t release,
                                            size_t shown)
{
    const pv_vectors *const vectors = comparison->releases[release];
    return vectors->shown != NULL && shown < vectors->n_shown ? vectors->shown[shown] : NULL;
}

double pv_comparison_shown(const pv_comparison *comparison, size_t property, double value)
{
    return comparison->less_is_better[property] ? 0.0 - value : value;
}

size_t pv_i_compared_property(const pv_comparison *comparison, const char *name)
{
    for (size_t p = 0; p < comparison->n_properties; p++) {
        if (strcmp(comparison->properties[p], name) == 0) {
            return p;
        }
    }
    return SIZE_MAX;
}

/* What rank measures from: per kind the best that any release gives it. A release without the
 * property does not count. */
void pv_comparison_best(const pv_comparison *comparison, size_t property, double *best)
{
    for (size_t kind = 0; kind < comparison->n_kinds; kind++) {
        best[kind] = -HUGE_VAL;
    }
    for (size_t r = 0; r < comparison->n_releases; r++) {
        const double *const values = comparison->releases[r]->values[property];
        for (size_t kind = 0; values != NULL && kind < comparison->n_kinds; kind++) {
            best[kind] = values[kind] > best[kind] ? values[kind] : best[kind];
        }
    }
}
