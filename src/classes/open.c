/* Where programs begin: a plan, its table and its profile in one study. */
#include "base/error.h"
#include "base/options.h"
#include "classes/profile.h"
#include "plan/study.h"

static void free_profile(void *profile)
{
    pv_profile_free(profile);
}

pv_status pv_study_profile(const pv_study *study, const pv_profile **profile, pv_error *error)
{
    pv_study_slot *const slot = pv_i_study_slot(study);
    pv_status status = PV_STATUS_OK;
    (void)pthread_mutex_lock(&slot->lock);
    if (slot->profile == NULL) {
        pv_profile *made = NULL;
        status = pv_profile_create(study, pv_study_context(study), &made, error);
        slot->profile = made;
        slot->free_profile = free_profile;
    }
    if (status == PV_STATUS_OK) {
        *profile = slot->profile;
    }
    (void)pthread_mutex_unlock(&slot->lock);
    return status;
}

pv_status pv_open(const char *path, const pv_open_options *options, pv_study **study,
                  pv_error *error)
{
    pv_open_options asked;
    pv_plan *plan = NULL;
    pv_study *opened = NULL;
    const pv_profile *profile = NULL;
    PV_TRY(PV_TAKE_OPTIONS(asked, options, error));
    PV_TRY(pv_plan_read(path, &plan, error));
    const pv_study_options reading = {.data = asked.data,
                                      .all_columns = !asked.measure_only,
                                      .identifiers = asked.identifiers,
                                      .skip_bad_rows = asked.skip_bad_rows};
    pv_status status = pv_study_open(plan, &reading, &asked.context, &opened, error);
    if (status != PV_STATUS_OK) {
        pv_plan_free(plan);
        return status;
    }
    pv_i_study_own_plan(opened, plan);
    status = pv_study_profile(opened, &profile, error);
    if (status != PV_STATUS_OK) {
        pv_study_free(opened);
        return status;
    }
    *study = opened;
    return PV_STATUS_OK;
}
