/* The dictionary's side of a scan: the rows consistent with a run, and what is left of them. A
 * value of the dictionary may be consistent with no group of a level, with one, or with several. At
 * the top it is consistent with `*`, whatever it is. */
#include "records/record_walk.h"

#include "base/memory.h"

/* The groups that a value of the dictionary is consistent with. */
typedef struct {
    const uint32_t *group;
    uint32_t n;
} groups_of_value;

static groups_of_value groups_at(const pv_record_axis *axis, unsigned level, uint32_t value)
{
    static const uint32_t top = 0;
    if (level == axis->height) {
        return (groups_of_value){&top, 1};
    }
    const pv_consistency *const at = &axis->known->levels[level];
    return (groups_of_value){at->group + at->start[value], at->start[value + 1] - at->start[value]};
}

void pv_i_theta_count(pv_record_walker *walker, size_t position, const pv_record_list *list,
                      size_t run, unsigned level)
{
    const pv_record_axis *const axis = &walker->ground->axes[position];
    const uint32_t *const value = walker->ground->theta.value[position];
    for (uint32_t i = list->theta_start[run]; i < list->theta_start[run + 1]; i++) {
        const groups_of_value to = groups_at(axis, level, value[list->theta_tail[i]]);
        for (uint32_t g = 0; g < to.n; g++) {
            walker->group_total[to.group[g]] += list->theta_count[i];
        }
    }
}

static bool reserve_theta(pv_record_list *list, size_t n)
{
    if (n <= list->theta_capacity) {
        return true;
    }
    const size_t wanted = 2 * n;
    uint32_t *const tail = pv_i_resize(list->theta_tail, wanted, sizeof *tail);
    list->theta_tail = tail != NULL ? tail : list->theta_tail;
    uint32_t *const count = pv_i_resize(list->theta_count, wanted, sizeof *count);
    list->theta_count = count != NULL ? count : list->theta_count;
    if (tail == NULL || count == NULL) {
        return false;
    }
    list->theta_capacity = wanted;
    return true;
}

/* The child's new runs, each with room for the entries sent to it. Returns where they end. */
static size_t lay_out(pv_record_walker *walker, size_t position, const pv_record_list *list,
                      size_t run, unsigned level, size_t first_new)
{
    const pv_record_axis *const axis = &walker->ground->axes[position];
    const uint32_t *const value = walker->ground->theta.value[position];
    pv_record_list *const child = &walker->frames[position].child;
    uint32_t *const start = child->theta_start;
    size_t end = child->n_theta;
    memset(start + first_new, 0, (child->n_runs - first_new) * sizeof *start);
    for (uint32_t i = list->theta_start[run]; i < list->theta_start[run + 1]; i++) {
        const groups_of_value to = groups_at(axis, level, value[list->theta_tail[i]]);
        for (uint32_t g = 0; g < to.n; g++) {
            const uint32_t at = walker->group_run[to.group[g]];
            if (at != PV_NOWHERE) {
                start[at]++;
            }
        }
    }
    for (size_t r = first_new; r < child->n_runs; r++) {
        const uint32_t here = start[r];
        start[r] = (uint32_t)end;
        end += here;
    }
    return end;
}

/* Afterwards theta_start of a run is where its entries end. */
static void send_all(pv_record_walker *walker, size_t position, const pv_record_list *list,
                     size_t run, unsigned level)
{
    const pv_record_axis *const axis = &walker->ground->axes[position];
    const uint32_t *const value = walker->ground->theta.value[position];
    const uint32_t *const rest = walker->ground->theta.rest[position];
    pv_record_list *const child = &walker->frames[position].child;
    for (uint32_t i = list->theta_start[run]; i < list->theta_start[run + 1]; i++) {
        const uint32_t tail = list->theta_tail[i];
        const groups_of_value to = groups_at(axis, level, value[tail]);
        for (uint32_t g = 0; g < to.n; g++) {
            const uint32_t at = walker->group_run[to.group[g]];
            if (at != PV_NOWHERE) {
                const uint32_t slot = child->theta_start[at]++;
                child->theta_tail[slot] = rest[tail];
                child->theta_count[slot] = list->theta_count[i];
            }
        }
    }
}

/* Merges the entries [from, end) into those from child->n_theta on. Both may overlap, since merging
 * only shortens. */
static void merge_run(pv_record_walker *walker, pv_record_list *child, size_t from, size_t end)
{
    const size_t n = end - from;
    if (n == 0) {
        return;
    }
    const size_t n_new = pv_i_merge_tails(&walker->marks, child->theta_tail + from, n,
                                          walker->distinct, walker->number);
    memset(walker->tails, 0, n_new * sizeof *walker->tails); /* their sums */
    for (size_t i = 0; i < n; i++) {
        walker->tails[walker->number[i]] += child->theta_count[from + i];
    }
    memcpy(child->theta_tail + child->n_theta, walker->distinct, n_new * sizeof(uint32_t));
    memcpy(child->theta_count + child->n_theta, walker->tails, n_new * sizeof(uint32_t));
    child->n_theta += n_new;
}

bool pv_i_theta_send(pv_record_walker *walker, size_t position, const pv_record_list *list,
                     size_t run, unsigned level, size_t first_new)
{
    pv_record_list *const child = &walker->frames[position].child;
    if (child->n_runs == first_new) {
        return true;
    }
    const size_t end = lay_out(walker, position, list, run, level, first_new);
    if (end > UINT32_MAX || !reserve_theta(child, end) ||
        !pv_i_walker_reserve(walker, end - child->n_theta)) {
        return false;
    }
    size_t from = child->n_theta;
    send_all(walker, position, list, run, level);
    for (size_t r = first_new; r < child->n_runs; r++) {
        const size_t run_end = child->theta_start[r];
        child->theta_start[r] = (uint32_t)child->n_theta;
        merge_run(walker, child, from, run_end);
        from = run_end;
    }
    child->theta_start[child->n_runs] = (uint32_t)child->n_theta;
    return true;
}
