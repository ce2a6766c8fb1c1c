/* The last attribute: all its levels are read off one list. The entries of a run are its values, in
 * order, so that those of a group are neighbours at every level. */
#include "records/record_walk.h"

/* How many rows of the dictionary are consistent with the entries [first, end) of a run, all in one
 * group. */
static uint32_t count_rows(const pv_record_walker *walker, const pv_record_list *list, size_t run,
                           uint32_t first, uint32_t end, uint32_t group)
{
    const pv_record_ground *const ground = walker->ground;
    if (!ground->is_table) {
        return ground->n_known == ground->n ? walker->group_total[group] : list->total[run];
    }
    uint32_t rows = 0;
    for (uint32_t i = first; i < end; i++) {
        rows += list->count[i];
    }
    return rows;
}

/* All groups of a run at one level of the last attribute. */
static void read_level(pv_record_walker *walker, const pv_record_list *list, size_t run,
                       unsigned level, uint32_t node, pv_record_best *best)
{
    const size_t position = walker->ground->n - 1;
    const pv_record_axis *const axis = &walker->ground->axes[position];
    const uint32_t *const leaf_of = walker->ground->tails.value[position];
    const uint32_t *const group_of = axis->group[level];
    const uint32_t run_end = list->start[run + 1];
    for (uint32_t i = list->start[run]; i < run_end;) {
        const uint32_t leaf = leaf_of[list->tail[i]];
        const uint32_t group = group_of[leaf];
        uint32_t end = i + 1;
        while (end < run_end && group_of[leaf_of[list->tail[end]]] == group) {
            end++;
        }
        const pv_worth now = axis->worth[level][leaf];
        const pv_worth worth = {list->worth[run].utility + now.utility,
                                list->worth[run].phi + now.phi};
        pv_record_best choice = {.node = node};
        if (!pv_i_is_early_root(axis, leaf, level) &&
            pv_i_walker_weigh(walker, worth, count_rows(walker, list, run, i, end, group),
                              &choice)) {
            for (uint32_t k = i; k < end; k++) {
                if (pv_i_best_is_better(&choice, &best[k])) {
                    best[k] = choice;
                    list->has_news[run] = true;
                }
            }
        }
        i = end;
    }
}

/* Where the last attribute is known to a dictionary of its own. */
static void count_groups(pv_record_walker *walker, const pv_record_list *list, size_t run,
                         unsigned level)
{
    const size_t position = walker->ground->n - 1;
    const uint32_t *const leaf_of = walker->ground->tails.value[position];
    const uint32_t *const group_of = walker->ground->axes[position].group[level];
    for (uint32_t i = list->start[run]; i < list->start[run + 1]; i++) {
        walker->group_total[group_of[leaf_of[list->tail[i]]]] = 0;
    }
    pv_i_theta_count(walker, position, list, run, level);
}

void pv_i_walker_read_last(pv_record_walker *walker, const pv_record_list *list, uint8_t wanted,
                           uint32_t node, pv_record_best *best)
{
    const pv_record_ground *const ground = walker->ground;
    const pv_record_axis *const axis = &ground->axes[ground->n - 1];
    memset(list->has_news, 0, list->n_runs * sizeof *list->has_news);
    for (size_t run = 0; run < list->n_runs; run++) {
        for (unsigned level = 0; level <= axis->height; level++) {
            if (!pv_i_is_wanted(axis, wanted, level)) {
                continue;
            }
            if (!ground->is_table && ground->n_known == ground->n) {
                count_groups(walker, list, run, level);
            }
            read_level(walker, list, run, level, node + level * axis->stride, best);
        }
    }
}
