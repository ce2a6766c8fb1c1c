/* Rules that every class must keep: at least k people, diversity, closeness of sensitive values.
 *
 * All of them survive merging: a union of classes that keep a rule keeps it. Whoever merges classes
 * until all keep the rules therefore never breaks what held before; the interval programme,
 * branch and bound over cuts, and local recoding rely on that. */
#ifndef PV_MEASURE_CLASS_RULES_H
#define PV_MEASURE_CLASS_RULES_H

#include "measure/entry.h"

#define PV_MOST_RULES 16

typedef struct pv_class_rules {
    const pv_profile *profile;
    uint64_t k;                         /* demanded; 0 = not */
    pv_constraint rules[PV_MOST_RULES]; /* besides k, of sensitive values */
    size_t about[PV_MOST_RULES]; /* the sensitive attribute each is about; SIZE_MAX = every one */
    size_t n_rules;
    size_t n_sensitive; /* attributes that are counted; 0 if there are no rules */
} pv_class_rules;

static inline bool pv_i_rule_is_about(const pv_class_rules *rules, size_t rule, size_t sensitive)
{
    return rules->about[rule] == SIZE_MAX || rules->about[rule] == sensitive;
}

/* A demand that unions may break: PV_STATUS_ARGUMENT, in a sentence. The profile is borrowed.
 */
PV_CHECKED pv_status pv_i_class_rules_init(pv_class_rules *rules, const pv_profile *profile,
                                           const pv_constraint *demands, size_t n_demands,
                                           pv_error *error);

/* Scores classes in the making, for one thread: their sensitive values are tallied one by one. */
typedef struct pv_class_scorer {
    const pv_class_rules *rules;
    pv_meter meters[PV_MOST_RULES];          /* one per rule */
    pv_tally tallies[PV_MOST_RULED_COLUMNS]; /* one per sensitive attribute */
    bool reads[PV_MOST_RULED_COLUMNS];       /* is a rule about it? The others are not tallied */
} pv_class_scorer;

PV_CHECKED pv_status pv_i_class_scorer_init(pv_class_scorer *scorer, const pv_class_rules *rules,
                                            pv_error *error);
void pv_i_class_scorer_deinit(pv_class_scorer *scorer);

void pv_i_class_scorer_clear(pv_class_scorer *scorer);
/* Adds the sensitive values of a tuple of the profile. */
void pv_i_class_scorer_add(pv_class_scorer *scorer, size_t tuple);
/* How many sensitive values a class has, as l-distinct counts them. `tally` is scratch memory. */
uint32_t pv_i_class_variety(pv_tally *tally, const pv_histogram *histogram,
                            const pv_classes *classes, size_t c);
/* Does what was tallied break a rule? With `loosely`, a hair's breadth is forgiven: the answer then
 * does not depend on the order of additions. */
bool pv_i_class_scorer_breaks(const pv_class_scorer *scorer, bool loosely);
/* No class of fewer rows keeps k and the rules. */
uint64_t pv_i_class_scorer_least_rows(const pv_class_scorer *scorer);
/* At most so many of the rows tallied can be in classes that keep all rules, however the class is
 * divided further; UINT64_MAX if it keeps them now (`holds`). */
uint64_t pv_i_class_scorer_survivors(const pv_class_scorer *scorer, bool *holds);

#endif
