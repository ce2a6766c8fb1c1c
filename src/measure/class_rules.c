/* Rules of classes. */
#include "measure/class_rules.h"

#include "base/error.h"

#include <math.h>

/* ------------------------------------------------------------------- rules */

static pv_status add_rule(pv_class_rules *rules, const pv_constraint *demand, pv_error *error)
{
    const pv_measure *const measure = demand->ref.measure;
    if (measure->rule == PV_RULE_SIZE) {
        const uint64_t k = (uint64_t)fmin(ceil(fmax(demand->bound, 0)), 0x1p62);
        rules->k = k > rules->k ? k : rules->k;
        return PV_STATUS_OK;
    }
    if (measure->rule != PV_RULE_SENSITIVE) {
        return pv_i_hint(pv_i_fail(error, PV_STATUS_ARGUMENT,
                                   "'%s' cannot be demanded here: merging classes may break it",
                                   measure->name),
                         error, "k, l-distinct, l-entropy, l-recursive and t-closeness can");
    }
    PV_TRY(pv_i_measure_check(measure, rules->profile->study, error));
    if (rules->n_rules == PV_MOST_RULES) {
        return pv_i_fail(error, PV_STATUS_LIMIT, "more than %d demands", PV_MOST_RULES);
    }
    rules->rules[rules->n_rules++] = *demand;
    return PV_STATUS_OK;
}

pv_status pv_i_class_rules_init(pv_class_rules *rules, const pv_profile *profile,
                                const pv_constraint *demands, size_t n_demands, pv_error *error)
{
    const size_t n_sensitive = pv_study_sensitives(profile->study);
    *rules = (pv_class_rules){.profile = profile};
    for (size_t i = 0; i < n_demands; i++) {
        PV_TRY(add_rule(rules, &demands[i], error));
    }
    if (rules->n_rules > 0 && n_sensitive > PV_MOST_RULED_COLUMNS) {
        return pv_i_fail(error, PV_STATUS_LIMIT,
                         "there are more than %d sensitive attributes to be counted",
                         PV_MOST_RULED_COLUMNS);
    }
    rules->n_sensitive = rules->n_rules > 0 ? n_sensitive : 0;
    return PV_STATUS_OK;
}

/* ------------------------------------------------------ suppression as needed */

typedef struct {
    const pv_constraint *demands; /* rules only */
    size_t n_demands;
    size_t place[PV_MAX_CONSTRAINTS]; /* of each among the caller's */
    pv_meter meters[PV_MAX_CONSTRAINTS];
    pv_tally tallies[PV_MOST_RULED_COLUMNS];
    uint64_t *broken; /* per demand of the caller; NULL = nobody asks */
} judge;

static bool is_broken(judge *j, const pv_constraint *demand, size_t d, const pv_classes *classes,
                      size_t c)
{
    if (demand->ref.measure->rule == PV_RULE_SIZE) {
        return !pv_constraint_holds(demand, (double)classes->size[c]);
    }
    for (size_t i = 0; i < classes->profile->n_sensitive; i++) {
        if (!pv_constraint_holds(demand, pv_i_score_tally(j->meters[d].state, i, &j->tallies[i],
                                                          demand->ref.parameter))) {
            return true;
        }
    }
    return false;
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
            if (j->broken != NULL) {
                j->broken[j->place[d]] += classes->size[c];
            }
        }
    }
    return any;
}

pv_status pv_classes_create_demanding(const pv_profile *profile, const uint8_t *levels,
                                      const pv_constraint *demands, size_t n_demands,
                                      uint64_t budget, uint64_t *broken, pv_classes **classes,
                                      pv_error *error)
{
    pv_constraint rules[PV_MAX_CONSTRAINTS];
    judge j = {.demands = rules, .broken = broken};
    pv_status status = PV_STATUS_OK;
    bool counts = false;
    for (size_t i = 0; i < n_demands && i < PV_MAX_CONSTRAINTS; i++) {
        if (broken != NULL) {
            broken[i] = 0;
        }
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

/* ------------------------------------------------------------------ scorer */

pv_status pv_i_class_scorer_init(pv_class_scorer *scorer, const pv_class_rules *rules,
                                 pv_error *error)
{
    pv_class_scorer s = {.rules = rules};
    pv_status status = PV_STATUS_OK;
    for (size_t i = 0; i < rules->n_rules; i++) {
        PV_TRY_CLEAN(pv_i_meter_init(&s.meters[i], rules->rules[i].ref, rules->profile, error));
    }
    for (size_t i = 0; i < rules->n_sensitive; i++) {
        PV_TRY_CLEAN(pv_i_tally_init(&s.tallies[i], &rules->profile->sensitive[i], error));
    }
    *scorer = s;
    return PV_STATUS_OK;
cleanup:
    pv_i_class_scorer_deinit(&s);
    return status;
}

void pv_i_class_scorer_deinit(pv_class_scorer *scorer)
{
    for (size_t i = 0; i < PV_MOST_RULES; i++) {
        pv_i_meter_deinit(&scorer->meters[i]);
    }
    for (size_t i = 0; i < PV_MOST_RULED_COLUMNS; i++) {
        pv_i_tally_deinit(&scorer->tallies[i]);
    }
    *scorer = (pv_class_scorer){0};
}

void pv_i_class_scorer_clear(pv_class_scorer *scorer)
{
    for (size_t i = 0; i < scorer->rules->n_sensitive; i++) {
        pv_i_tally_clear(&scorer->tallies[i]);
    }
}

void pv_i_class_scorer_add(pv_class_scorer *scorer, size_t tuple)
{
    for (size_t i = 0; i < scorer->rules->n_sensitive; i++) {
        const pv_histogram *const h = &scorer->rules->profile->sensitive[i];
        for (uint64_t e = h->start[tuple]; e < h->start[tuple + 1]; e++) {
            pv_i_tally_add(&scorer->tallies[i], h->code[e], h->count[e]);
        }
    }
}

static bool breaks(const pv_constraint *rule, double score, bool loosely)
{
    const double slack = loosely ? 1e-9 * fmax(1, fabs(rule->bound)) : 0;
    pv_constraint loose = *rule;
    loose.bound += rule->ref.measure->direction == PV_MORE_IS_BETTER ? -slack : slack;
    return !pv_constraint_holds(&loose, score);
}

bool pv_i_class_scorer_breaks(const pv_class_scorer *scorer, bool loosely)
{
    const pv_class_rules *const rules = scorer->rules;
    for (size_t r = 0; r < rules->n_rules; r++) {
        for (size_t i = 0; i < rules->n_sensitive; i++) {
            const double score = pv_i_score_tally(scorer->meters[r].state, i, &scorer->tallies[i],
                                                  rules->rules[r].ref.parameter);
            if (breaks(&rules->rules[r], score, loosely)) {
                return true;
            }
        }
    }
    return false;
}

uint32_t pv_i_class_variety(pv_tally *tally, const pv_histogram *histogram,
                            const pv_classes *classes, size_t c)
{
    pv_i_tally_class(tally, histogram, classes, c);
    return (uint32_t)tally->n_touched -
           (tally->missing != PV_NO_CODE && tally->counts[tally->missing] > 0);
}
