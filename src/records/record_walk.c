/* The memory of a worker, and dividing its runs. */
#include "records/record_walk.h"

#include "base/error.h"
#include "base/memory.h"

/* ------------------------------------------------------------------ memory */

bool pv_i_record_list_reserve(pv_record_list *list, size_t n)
{
    list->n = list->n_runs = list->n_theta = 0;
    if (n <= list->capacity) {
        return true;
    }
    pv_i_record_list_deinit(list);
    list->tail = PV_NEW_ARRAY(uint32_t, n);
    list->count = PV_NEW_ARRAY(uint32_t, n);
    list->limit = PV_NEW_ARRAY(pv_rank, n);
    list->start = PV_NEW_ARRAY(uint32_t, n + 1);
    list->worth = PV_NEW_ARRAY(pv_worth, n);
    list->total = PV_NEW_ARRAY(uint32_t, n);
    list->has_news = PV_NEW_ARRAY(bool, n);
    list->theta_start = PV_NEW_ARRAY(uint32_t, n + 1);
    const bool ready = list->tail != NULL && list->count != NULL && list->limit != NULL &&
                       list->start != NULL && list->worth != NULL && list->total != NULL &&
                       list->has_news != NULL && list->theta_start != NULL;
    list->capacity = ready ? n : 0;
    return ready;
}

void pv_i_record_list_deinit(pv_record_list *list)
{
    pv_i_free(list->tail);
    pv_i_free(list->count);
    pv_i_free(list->limit);
    pv_i_free(list->start);
    pv_i_free(list->worth);
    pv_i_free(list->total);
    pv_i_free(list->has_news);
    pv_i_free(list->theta_start);
    pv_i_free(list->theta_tail);
    pv_i_free(list->theta_count);
    *list = (pv_record_list){0};
}

/* For contents that need not be kept. */
static bool renew(void **array, size_t n, size_t size)
{
    pv_i_free(*array);
    *array = pv_i_array(n, size);
    return *array != NULL;
}

bool pv_i_walker_reserve(pv_record_walker *walker, size_t n)
{
    if (n <= walker->scratch_capacity) {
        return true;
    }
    walker->scratch_capacity = 0;
    const bool ready = renew((void **)&walker->tails, n, sizeof *walker->tails) &&
                       renew((void **)&walker->distinct, n, sizeof *walker->distinct) &&
                       renew((void **)&walker->number, n, sizeof *walker->number);
    walker->scratch_capacity = ready ? n : 0;
    return ready;
}

static bool reserve_frame(pv_record_frame *frame, size_t n)
{
    if (n <= frame->capacity) {
        return true;
    }
    frame->capacity = 0;
    const bool ready = renew((void **)&frame->parts, n, sizeof *frame->parts) &&
                       renew((void **)&frame->origin, n, sizeof *frame->origin) &&
                       renew((void **)&frame->map, n, sizeof *frame->map) &&
                       renew((void **)&frame->best, n, sizeof *frame->best);
    frame->capacity = ready ? n : 0;
    return ready;
}

static uint32_t most_groups(const pv_record_ground *ground)
{
    uint32_t most = 1;
    for (size_t p = 0; p < ground->n; p++) {
        most = ground->axes[p].n_groups > most ? ground->axes[p].n_groups : most;
    }
    return most;
}

pv_status pv_i_walker_init(pv_record_walker *walker, const pv_record_ground *ground,
                           pv_error *error)
{
    const uint32_t n_groups = most_groups(ground);
    const uint32_t n_theta = ground->is_table ? 0 : ground->theta.n[0];
    const uint32_t n_tails = ground->tails.n[0] > n_theta ? ground->tails.n[0] : n_theta;
    pv_record_walker w = {.ground = ground,
                          .frames = PV_NEW_ZEROED(pv_record_frame, ground->n),
                          .group_total = PV_NEW_ZEROED(uint32_t, n_groups),
                          .group_run = PV_NEW_ARRAY(uint32_t, n_groups)};
    pv_status status = pv_i_tail_marks_init(&w.marks, n_tails, error);
    if (status == PV_STATUS_OK &&
        (w.frames == NULL || w.group_total == NULL || w.group_run == NULL)) {
        status = pv_i_no_memory(error);
    }
    if (status != PV_STATUS_OK) {
        pv_i_walker_deinit(&w);
        return status;
    }
    memset(w.group_run, 0xff, n_groups * sizeof *w.group_run); /* PV_NOWHERE */
    *walker = w;
    return PV_STATUS_OK;
}

void pv_i_walker_deinit(pv_record_walker *walker)
{
    for (size_t p = 0; walker->frames != NULL && p < walker->ground->n; p++) {
        pv_record_frame *const frame = &walker->frames[p];
        pv_i_record_list_deinit(&frame->child);
        pv_i_free(frame->parts);
        pv_i_free(frame->origin);
        pv_i_free(frame->map);
        pv_i_free(frame->best);
    }
    pv_i_free(walker->frames);
    pv_i_tail_marks_deinit(&walker->marks);
    pv_i_free(walker->tails);
    pv_i_free(walker->distinct);
    pv_i_free(walker->number);
    pv_i_free(walker->group_total);
    pv_i_free(walker->group_run);
    *walker = (pv_record_walker){0};
}

/* ------------------------------------------------------------------ divide */

bool pv_i_walker_divide(pv_record_walker *walker, size_t position, const pv_record_list *list)
{
    pv_record_frame *const frame = &walker->frames[position];
    const uint32_t *const value = walker->ground->tails.value[position];
    if (!reserve_frame(frame, list->n)) {
        return false;
    }
    memset(list->has_news, 0, list->n_runs * sizeof *list->has_news);
    pv_record_part *next = frame->parts;
    for (uint32_t run = 0; run < list->n_runs; run++) {
        for (uint32_t i = list->start[run]; i < list->start[run + 1];) {
            pv_record_part part = {
                .start = i, .leaf = value[list->tail[i]], .run = run, .limit = PV_NO_INTEREST};
            for (; i < list->start[run + 1] && value[list->tail[i]] == part.leaf; i++) {
                part.total += list->count[i];
                part.limit = pv_i_rank_worse(part.limit, list->limit[i]);
            }
            part.end = i;
            *next++ = part;
        }
    }
    frame->n_parts = (size_t)(next - frame->parts);
    return true;
}
