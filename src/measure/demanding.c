/* Suppression as needed (docs/model.md, section 2): of the classes of a scheme just those that
 * break a demand, each judged by itself. */
#include "measure/class_rules.h"

#include "base/error.h"
#include "classes/applied.h"

typedef struct {
    const pv_constraint *demands; /* rules only */
    size_t n_demands;
    size_t place[PV_MAX_CONSTRAINTS]; /* of each among the caller's */
    pv_meter meters[PV_MAX_CONSTRAINTS];
    pv_tally tallies[PV_MOST_RULED_COLUMNS];
    size_t about[PV_MAX_CONSTRAINTS]; /* the sensitive attribute of each; SIZE_MAX = every one */
    pv_broken *broken;
} judge;

static bool is_broken(judge *j, const pv_constraint *demand, size_t d, const pv_classes *classes,
                      size_t c)
{
    if (demand->ref.measure->rule == PV_RULE_SIZE) {
        return !pv_constraint_holds(demand, (double)classes->size[c]);
    }
    bool any = false;
    for (size_t i = 0; i < classes->profile->n_sensitive; i++) {
        if ((j->about[d] == SIZE_MAX || j->about[d] == i) &&
            !pv_constraint_holds(demand, pv_i_score_tally(j->meters[d].state, i, &j->tallies[i],
                                                          demand->ref.parameter))) {
            j->broken->by[j->place[d]][i] += classes->size[c];
            any = true;
        }
    }
    return any;
}

static bool breaks_demand(void *ctx, const pv_classes *classes, size_t c)
{
    judge *const j = ctx;
    const pv_profile *const profile = classes->profile;
    bool any = false;
    for (size_t i = 0; j->tallies[0].counts != NULL && i < profile->n_sensitive; i++) {
        pv_i_tally_class(&j->tallies[i], &profile->sensitive[i], classes, c);
    }
    for (size_t d = 0; d < j->n_demands; d++) {
        if (is_broken(j, &j->demands[d], d, classes, c)) {
            any = true;
            j->broken->rows[j->place[d]] += classes->size[c];
        }
    }
    return any;
}

pv_status pv_i_classes_create_judged(const pv_profile *profile, const uint8_t *levels,
                                     const pv_constraint *demands, size_t n_demands,
                                     uint64_t budget, pv_broken *broken, pv_classes **classes,
                                     pv_error *error)
{
    pv_constraint rules[PV_MAX_CONSTRAINTS];
    judge j = {.demands = rules, .broken = broken};
    pv_status status = PV_STATUS_OK;
    bool counts = false;
    *broken = (pv_broken){0};
    for (size_t i = 0; i < n_demands && i < PV_MAX_CONSTRAINTS; i++) {
        if (demands[i].ref.measure->rule != PV_RULE_NONE) {
            counts |= demands[i].ref.measure->rule == PV_RULE_SENSITIVE;
            j.place[j.n_demands] = i;
            rules[j.n_demands++] = demands[i];
        }
    }
    if (counts && pv_study_sensitives(profile->study) > PV_MOST_RULED_COLUMNS) {
        return pv_i_fail(error, PV_STATUS_LIMIT,
                         "there are more than %d sensitive attributes to be counted",
                         PV_MOST_RULED_COLUMNS);
    }
    if (counts) {
        PV_TRY(pv_i_profile_count(profile, error));
    }
    for (size_t d = 0; d < j.n_demands; d++) {
        PV_TRY_CLEAN(pv_i_measure_check(rules[d].ref, profile->study, &j.about[d], error));
        PV_TRY_CLEAN(pv_i_meter_init(&j.meters[d], rules[d].ref, profile, error));
    }
    for (size_t i = 0; counts && i < profile->n_sensitive; i++) {
        PV_TRY_CLEAN(pv_i_tally_init(&j.tallies[i], &profile->sensitive[i], error));
    }
    const pv_suppression rule = {.budget = budget};
    PV_TRY_CLEAN(
        pv_i_classes_create_ruled(profile, levels, &rule, breaks_demand, &j, classes, error));
cleanup:
    for (size_t d = 0; d < j.n_demands; d++) {
        pv_i_meter_deinit(&j.meters[d]);
    }
    for (size_t i = 0; i < PV_MOST_RULED_COLUMNS; i++) {
        pv_i_tally_deinit(&j.tallies[i]);
    }
    return status;
}

pv_status pv_classes_create_demanding(const pv_profile *profile, const uint8_t *levels,
                                      const pv_constraint *demands, size_t n_demands,
                                      uint64_t budget, uint64_t *broken, pv_classes **classes,
                                      pv_error *error)
{
    pv_broken found;
    PV_TRY(pv_i_classes_create_judged(profile, levels, demands, n_demands, budget, &found, classes,
                                      error));
    for (size_t i = 0; broken != NULL && i < n_demands && i < PV_MAX_CONSTRAINTS; i++) {
        broken[i] = found.rows[i];
    }
    return PV_STATUS_OK;
}

pv_status pv_i_scheme_classes_judged(const pv_profile *profile, const pv_scheme *scheme,
                                     const pv_constraint *demands, size_t n_demands,
                                     uint64_t budget, pv_broken *broken, pv_classes **classes,
                                     pv_error *error)
{
    if (scheme->records == NULL) {
        return pv_i_classes_create_judged(profile, scheme->levels, demands, n_demands, budget,
                                          broken, classes, error);
    }
    *broken = (pv_broken){0};
    return pv_classes_create_records(profile, scheme->records, classes, error);
}

/* What was made to apply the scheme goes on with the classes. */
pv_status pv_scheme_classes(const pv_study *study, const pv_scheme *scheme,
                            const pv_constraint *demands, size_t n_demands, uint64_t budget,
                            pv_classes **classes, pv_error *error)
{
    pv_applied applied = {0};
    pv_classes *made = NULL;
    pv_broken broken;
    pv_status status = PV_STATUS_OK;
    if (scheme == NULL) {
        return pv_i_fail(error, PV_STATUS_ARGUMENT, "there is no scheme to make classes of");
    }
    PV_TRY_CLEAN(pv_i_applied_open(&applied, study, scheme, pv_study_context(study), error));
    PV_TRY_CLEAN(pv_i_scheme_classes_judged(applied.profile, applied.scheme, demands, n_demands,
                                            budget, &broken, &made, error));
    made->own_profile = applied.own_profile;
    made->own_study = applied.own_study;
    applied.own_profile = NULL;
    applied.own_study = NULL;
    *classes = made;
cleanup:
    pv_i_applied_close(&applied);
    return status;
}

uint32_t pv_i_class_variety(pv_tally *tally, const pv_histogram *histogram,
                            const pv_classes *classes, size_t c)
{
    pv_i_tally_class(tally, histogram, classes, c);
    return (uint32_t)tally->n_touched -
           (tally->missing != PV_NO_CODE && tally->counts[tally->missing] > 0);
}
