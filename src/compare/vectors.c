/* Property vectors, and the registry of properties.
 *
 * Every property is the value per row of a measure, so that nothing is computed twice in different
 * ways: adding one = a line here. Vectors are stored per kind of people (kinds.h), which is why
 * they must be divided when another release joins the comparison. */
#include "compare/vectors.h"

#include "base/error.h"
#include "base/memory.h"
#include "plan/spelling.h"

#include <string.h>

/* -------------------------------------------------------------- properties */

typedef struct {
    pv_property info;
    const char *measure;
    bool is_own, is_weighted; /* pv_i_property_is_own, pv_i_property_is_weighted */
} entry;

/* clang-format off */
static const entry entries[] = {
    {{.name = "class-size", .summary = "people who look alike in the release, oneself included"}, .measure = "k"},
    {{.name = "own-count", .summary = "people in the class with the same sensitive value",
      .needs = PV_NEEDS_SENSITIVE}, .measure = "sum-l", .is_own = true},
    {{.name = "distinct", .summary = "different sensitive values in the class",
      .needs = PV_NEEDS_SENSITIVE}, .measure = "l-distinct"},
    {{.name = "t-distance", .summary = "how far the class's sensitive values are from everyone's",
      .less_is_better = true, .needs = PV_NEEDS_SENSITIVE}, .measure = "t-closeness"},
    {{.name = "risk", .summary = "chance to be picked out by somebody who knows one's attributes",
      .less_is_better = true}, .measure = "risk"},
    {{.name = "leaf-utility", .summary = "detail kept: share of the domain that is excluded, summed over attributes",
      .is_detail = true}, .measure = "leaf-utility"},
    {{.name = "glm", .summary = "detail lost: share of the domain that is covered, summed over attributes",
      .less_is_better = true, .is_detail = true}, .measure = "glm"},
    {{.name = "nwp", .summary = "detail lost, attributes weighted, between 0 and 1",
      .less_is_better = true, .is_detail = true}, .measure = "nwp", .is_weighted = true},
};
/* clang-format on */

#define N_ENTRIES (sizeof entries / sizeof *entries)

size_t pv_n_properties(void)
{
    return N_ENTRIES;
}

const pv_property *pv_property_at(size_t index)
{
    return index < N_ENTRIES ? &entries[index].info : NULL;
}

static const entry *find(const char *name)
{
    for (size_t i = 0; i < N_ENTRIES; i++) {
        if (strcmp(entries[i].info.name, name) == 0) {
            return &entries[i];
        }
    }
    return NULL;
}

const pv_property *pv_property_find(const char *name)
{
    const entry *const found = find(name);
    return found != NULL ? &found->info : NULL;
}

pv_status pv_i_property_choose(const char *name, pv_property_choice *choice, pv_error *error)
{
    static const char prefix[] = "column:";
    const pv_property *const property = pv_property_find(name);
    const bool is_turned = name[0] == '-';
    const char *const plain = name + is_turned;
    if (property != NULL) {
        *choice =
            (pv_property_choice){.property = property, .less_is_better = property->less_is_better};
        return PV_STATUS_OK;
    }
    if (strncmp(plain, prefix, sizeof prefix - 1) != 0 || plain[sizeof prefix - 1] == '\0') {
        return pv_i_hint(pv_i_fail(error, PV_STATUS_ARGUMENT, "there is no property `%s`",
                                   pv_i_shown(name).text),
                         error,
                         "properties are class-size, own-count, distinct, t-distance, risk, "
                         "leaf-utility, glm, nwp, and column:NAME for a numeric column of the "
                         "releases (-column:NAME if less is better)");
    }
    *choice =
        (pv_property_choice){.column = plain + sizeof prefix - 1, .less_is_better = is_turned};
    return PV_STATUS_OK;
}

pv_measure_ref pv_i_property_measure(const pv_property *property)
{
    const pv_measure *const measure = pv_measure_find(find(property->name)->measure);
    return (pv_measure_ref){.measure = measure, .parameter = measure->parameter_default};
}

bool pv_i_property_available(const pv_property *property, const pv_study *study)
{
    return pv_measure_available(pv_i_property_measure(property).measure, study);
}

bool pv_i_property_is_own(const pv_property *property)
{
    return find(property->name)->is_own;
}

bool pv_i_property_is_weighted(const pv_property *property)
{
    return find(property->name)->is_weighted;
}

/* ----------------------------------------------------------------- vectors */

void pv_i_vectors_free(pv_vectors *vectors)
{
    if (vectors == NULL) {
        return;
    }
    for (size_t i = 0; vectors->values != NULL && i < vectors->n_properties; i++) {
        pv_i_free(vectors->values[i]);
    }
    pv_i_free(vectors->values);
    pv_i_free(vectors->is_suppressed);
    pv_i_free(vectors->name);
    pv_i_free(vectors);
}

pv_status pv_i_vectors_create(const char *name, size_t n_properties, pv_vectors **vectors,
                              pv_error *error)
{
    pv_vectors *const made = PV_NEW(pv_vectors);
    if (made == NULL) {
        return pv_i_no_memory(error);
    }
    *made = (pv_vectors){.name = pv_i_strdup(name),
                         .values = PV_NEW_ZEROED(double *, n_properties),
                         .n_properties = n_properties};
    if (made->name == NULL || made->values == NULL) {
        pv_i_vectors_free(made);
        return pv_i_no_memory(error);
    }
    *vectors = made;
    return PV_STATUS_OK;
}

pv_status pv_i_vectors_divide(pv_vectors *vectors, const uint32_t *parent, size_t n,
                              pv_error *error)
{
    for (size_t p = 0; p < vectors->n_properties; p++) {
        const double *const values = vectors->values[p];
        double *const divided = values != NULL ? PV_NEW_ARRAY(double, n) : NULL;
        if (values != NULL && divided == NULL) {
            return pv_i_no_memory(error);
        }
        for (size_t kind = 0; values != NULL && kind < n; kind++) {
            divided[kind] = values[parent[kind]];
        }
        pv_i_free(vectors->values[p]);
        vectors->values[p] = divided;
    }
    if (vectors->is_suppressed != NULL) {
        bool *const divided = PV_NEW_ARRAY(bool, n);
        if (divided == NULL) {
            return pv_i_no_memory(error);
        }
        for (size_t kind = 0; kind < n; kind++) {
            divided[kind] = vectors->is_suppressed[parent[kind]];
        }
        pv_i_free(vectors->is_suppressed);
        vectors->is_suppressed = divided;
    }
    return PV_STATUS_OK;
}

/* Subtracting leaves no -0 behind. */
void pv_i_values_turn(double *values, uint64_t n)
{
    for (uint64_t i = 0; i < n; i++) {
        values[i] = 0 - values[i];
    }
}
