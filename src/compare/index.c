/* What the indices and combinations are called. */
#include <paravent/compare.h>

#include <assert.h>
#include <string.h>

typedef struct {
    const char *name, *summary;
} words;

static const words indices[] = {
    [PV_INDEX_MIN] = {"min", "the value of the person worst off"},
    [PV_INDEX_RANK] =
        {"rank", "distance from the best everyone has anywhere, or from a target; less is better"},
    [PV_INDEX_COV] = {"cov", "share of people at least as well off as in the other"},
    [PV_INDEX_SPR] = {"spr", "how much better off, summed over the people who are"},
    [PV_INDEX_HV] = {"hv", "volume of what is worse than this one only, by its logarithm; - if "
                           "there is none, as where less is better"},
};
static_assert(sizeof indices / sizeof *indices == PV_INDEX_COUNT, "every index has a name");

static const char *const combinations[] = {
    [PV_COMBINE_WTD] = "wtd",
    [PV_COMBINE_LEX] = "lex",
    [PV_COMBINE_GOAL] = "goal",
};
static_assert(sizeof combinations / sizeof *combinations == PV_COMBINE_COUNT,
              "every combination has a name");

const char *pv_index_name(pv_index index)
{
    return indices[index].name;
}

const char *pv_index_summary(pv_index index)
{
    return indices[index].summary;
}

bool pv_index_parse(const char *name, pv_index *index)
{
    for (size_t i = 0; i < PV_INDEX_COUNT; i++) {
        if (strcmp(name, indices[i].name) == 0) {
            *index = (pv_index)i;
            return true;
        }
    }
    return false;
}

const char *pv_combination_name(pv_combination_kind kind)
{
    return combinations[kind];
}

bool pv_combination_parse(const char *name, pv_combination_kind *kind)
{
    for (size_t i = 0; i < PV_COMBINE_COUNT; i++) {
        if (strcmp(name, combinations[i]) == 0) {
            *kind = (pv_combination_kind)i;
            return true;
        }
    }
    return false;
}
