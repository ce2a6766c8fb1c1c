/* What a release does to each person, property by property: every one of them is the value per row
 * of a measure. Adding one = a line here. */
#include "compare/property.h"

#include "base/error.h"
#include "plan/spelling.h"

#include <string.h>

typedef struct {
    pv_property info;
    const char *measure;
} entry;

/* clang-format off */
static const entry entries[] = {
    {{.name = "class-size", .summary = "people who look alike in the release, oneself included"}, .measure = "k"},
    {{.name = "own-count", .summary = "people in the class with the same sensitive value",
      .needs = PV_NEEDS_SENSITIVE}, .measure = "sum-l"},
    {{.name = "distinct", .summary = "different sensitive values in the class",
      .needs = PV_NEEDS_SENSITIVE}, .measure = "l-distinct"},
    {{.name = "t-distance", .summary = "how far the class's sensitive values are from everyone's",
      .less_is_better = true, .needs = PV_NEEDS_SENSITIVE}, .measure = "t-closeness"},
    {{.name = "risk", .summary = "chance to be picked out by somebody who knows one's attributes",
      .less_is_better = true}, .measure = "risk"},
    {{.name = "leaf-utility", .summary = "detail kept: share of the domain that is excluded, summed over attributes"},
     .measure = "leaf-utility"},
    {{.name = "glm", .summary = "detail lost: share of the domain that is covered, summed over attributes",
      .less_is_better = true}, .measure = "glm"},
    {{.name = "nwp", .summary = "detail lost, attributes weighted, between 0 and 1",
      .less_is_better = true}, .measure = "nwp"},
};
/* clang-format on */

#define N_ENTRIES (sizeof entries / sizeof *entries)

size_t pv_properties(void)
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

static pv_status fail_unknown(const char *name, pv_error *error)
{
    return pv_i_hint(
        pv_i_fail(error, PV_STATUS_ARGUMENT, "there is no property `%s`", pv_i_shown(name).text),
        error,
        "properties are class-size, own-count, distinct, t-distance, risk, leaf-utility, glm, nwp, "
        "and column:NAME for a numeric column of the releases (-column:NAME if less is better)");
}

pv_status pv_i_property_choose(const char *name, pv_property_choice *choice, pv_error *error)
{
    static const char prefix[] = "column:";
    const pv_property *const property = pv_property_find(name);
    const bool is_turned = name[0] == '-';
    const char *const rest = name + is_turned;
    if (property != NULL) {
        *choice =
            (pv_property_choice){.property = property, .less_is_better = property->less_is_better};
        return PV_STATUS_OK;
    }
    if (strncmp(rest, prefix, sizeof prefix - 1) != 0 || rest[sizeof prefix - 1] == '\0') {
        return fail_unknown(name, error);
    }
    *choice = (pv_property_choice){.column = rest + sizeof prefix - 1, .less_is_better = is_turned};
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

bool pv_i_property_is_detail(const pv_property *property)
{
    return pv_i_property_measure(property).measure->family == PV_FAMILY_LOSS;
}

bool pv_i_property_is_own(const pv_property *property)
{
    return strcmp(property->name, "own-count") == 0;
}
