/* Counting what the rows show: one pass over the tuples for each quasi-identifier. */
#include "release/shown.h"

#include "base/checked.h"
#include "base/error.h"
#include "base/memory.h"
#include "base/tasks.h"

#include <string.h>

typedef struct {
    const pv_classes *classes;
    pv_shown *shown;
} counting;

static bool shown_init(pv_shown *shown, const pv_classes *classes, size_t q)
{
    const pv_study *const study = pv_profile_study(pv_classes_profile(classes));
    const uint8_t *const levels = pv_classes_levels(classes);
    size_t n = 0;
    shown->hierarchy = pv_study_hierarchy(study, q);
    shown->n_leaves = pv_hierarchy_leaves(shown->hierarchy);
    shown->first = levels != NULL ? levels[q] : 0;
    shown->n_levels = levels != NULL ? 1 : pv_hierarchy_height(shown->hierarchy) + 1;
    if (!pv_i_mul_size(shown->n_levels, shown->n_leaves, &n)) {
        return false;
    }
    shown->all = PV_NEW_ZEROED(uint64_t, n);
    shown->released = PV_NEW_ZEROED(uint64_t, n);
    return shown->all != NULL && shown->released != NULL;
}

static pv_status count(void *ctx, size_t q, const pv_thread *thread, pv_error *error)
{
    (void)thread;
    const counting *const c = ctx;
    pv_shown *const shown = &c->shown[q];
    const pv_profile *const profile = pv_classes_profile(c->classes);
    if (!shown_init(shown, c->classes, q)) {
        return pv_i_no_memory(error);
    }
    for (size_t t = 0; t < pv_profile_tuples(profile); t++) {
        const unsigned level = pv_classes_level(c->classes, t, q);
        const size_t place =
            (size_t)(level - shown->first) * shown->n_leaves + pv_profile_leaf(profile, t, q);
        const uint64_t rows = pv_profile_count(profile, t);
        shown->all[place] += rows;
        if (!pv_classes_is_suppressed(c->classes, pv_classes_of_tuple(c->classes, t))) {
            shown->released[place] += rows;
        }
    }
    return PV_STATUS_OK;
}

pv_status pv_i_shown_create(const pv_classes *classes, const pv_context *context, pv_shown **shown,
                            pv_error *error)
{
    const size_t n = pv_study_quasis(pv_profile_study(pv_classes_profile(classes)));
    counting c = {.classes = classes, .shown = PV_NEW_ZEROED(pv_shown, n)};
    const pv_status status = c.shown != NULL
                                 ? pv_i_tasks_run(pv_i_threads(context), n, count, &c, NULL, error)
                                 : pv_i_no_memory(error);
    if (status != PV_STATUS_OK) {
        pv_i_shown_free(c.shown, n);
        return status;
    }
    *shown = c.shown;
    return PV_STATUS_OK;
}

void pv_i_shown_free(pv_shown *shown, size_t n)
{
    for (size_t q = 0; shown != NULL && q < n; q++) {
        pv_i_free(shown[q].all);
        pv_i_free(shown[q].released);
    }
    pv_i_free(shown);
}

size_t pv_i_shown_labels(const pv_shown *shown, unsigned level, size_t most, const char **labels)
{
    enum { ABSENT, THERE, IS_A_VALUE };
    const pv_hierarchy *const h = shown->hierarchy;
    const uint32_t n_groups = pv_hierarchy_groups(h, level);
    const uint64_t *const released = pv_i_shown_at(shown, shown->released, level);
    unsigned char *const occurs = PV_NEW_ZEROED(unsigned char, n_groups);
    size_t n = 0;
    if (occurs == NULL) {
        return SIZE_MAX;
    }
    for (uint32_t leaf = 0; leaf < shown->n_leaves; leaf++) {
        const uint32_t group = pv_hierarchy_group(h, level, leaf);
        if (released[leaf] > 0 && occurs[group] != IS_A_VALUE) {
            const char *const value = pv_hierarchy_label(h, 0, pv_hierarchy_group(h, 0, leaf));
            occurs[group] =
                strcmp(pv_hierarchy_label(h, level, group), value) == 0 ? IS_A_VALUE : THERE;
        }
    }
    for (uint32_t g = 0; g < n_groups && n < most; g++) {
        if (occurs[g] == THERE) {
            labels[n++] = pv_hierarchy_label(h, level, g);
        }
    }
    pv_i_free(occurs);
    return n;
}
