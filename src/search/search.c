/* The registry of methods and the one driver. */
#include "base/error.h"
#include "base/memory.h"
#include "search/methods.h"

#include <paravent/search.h>
#include <string.h>

static const pv_search_entry entries[] = {
    {{.name = "exact",
      .summary = "the whole front with few evaluations, and the proof that it is whole"},
     .refuses = pv_i_exact_refuses,
     .search = pv_i_exact},
    {{.name = "exhaustive", .summary = "every scheme of the lattice: the yardstick"},
     .refuses = pv_i_exhaustive_refuses,
     .search = pv_i_exhaustive},
    {{.name = "poka",
      .summary = "from one trade-off down to the next: an approximation that proves nothing",
      .reference = "Dewri, Ray, Ray, Whitley: POkA: identifying Pareto-optimal k-anonymous nodes "
                   "in a domain hierarchy lattice, CIKM 2009"},
     .refuses = pv_i_poka_refuses,
     .search = pv_i_poka},
};

#define N_ENTRIES (sizeof entries / sizeof *entries)

size_t pv_methods(void)
{
    return N_ENTRIES;
}

const pv_method *pv_method_at(size_t index)
{
    return index < N_ENTRIES ? &entries[index].info : NULL;
}

static const pv_search_entry *find(const char *name)
{
    for (size_t i = 0; i < N_ENTRIES; i++) {
        if (strcmp(entries[i].info.name, name) == 0) {
            return &entries[i];
        }
    }
    return NULL;
}

const pv_method *pv_method_find(const char *name)
{
    const pv_search_entry *const entry = find(name);
    return entry != NULL ? &entry->info : NULL;
}

static pv_status choose_asked(const pv_run *run, const char *name, const pv_search_entry **entry,
                              pv_error *error)
{
    *entry = find(name);
    if (*entry == NULL) {
        return pv_i_hint(pv_i_fail(error, PV_STATUS_ARGUMENT, "there is no method '%s'", name),
                         error, "the methods are auto, exact, exhaustive, ...: see the manual");
    }
    const char *const refusal = (*entry)->refuses(run);
    if (refusal != NULL) {
        return pv_i_hint(
            pv_i_fail(error, PV_STATUS_ARGUMENT, "%s cannot search this: %s", name, refusal), error,
            "leave the method to the program (auto)");
    }
    return PV_STATUS_OK;
}

/* The first that proves completeness and does not refuse. */
static pv_status choose_best(const pv_run *run, const pv_search_entry **entry, const char **reason,
                             pv_error *error)
{
    const char *const exact_refusal = pv_i_exact_refuses(run);
    if (exact_refusal == NULL) {
        *entry = find("exact");
        *reason = "the objectives have bounds, so most schemes need not be grouped";
        return PV_STATUS_OK;
    }
    const char *const refusal = pv_i_exhaustive_refuses(run);
    if (refusal == NULL) {
        *entry = find("exhaustive");
        *reason = "the objectives have no bounds to prune by, but the lattice is small enough to "
                  "visit every scheme";
        return PV_STATUS_OK;
    }
    return pv_i_hint(pv_i_fail(error, PV_STATUS_LIMIT, "no method can search this: %s", refusal),
                     error, "make hierarchies shorter or fewer attributes quasi-identifiers");
}

static pv_status choose(const pv_run *run, const pv_search_entry **entry, const char **reason,
                        pv_error *error)
{
    const char *const name = run->options.method;
    return name == NULL || strcmp(name, "auto") == 0 ? choose_best(run, entry, reason, error)
                                                     : choose_asked(run, name, entry, error);
}

static void fill_front(const pv_run *run, const pv_search_entry *entry, const char *reason,
                       pv_front *front)
{
    memcpy(front->objectives, run->objectives, sizeof front->objectives);
    front->n_objectives = run->n_objectives;
    front->n_levels = run->lattice.n_axes;
    front->method = entry->info.name;
    front->reason = reason;
    front->complete = run->complete;
    front->stop = run->stop;
    front->nodes = run->lattice.size;
    front->evaluated = run->evaluated;
    front->pruned_loss = run->pruned_loss;
    front->pruned_mark = run->pruned_mark;
    front->seconds = pv_i_run_seconds(run);
    front->seed = run->options.seed;
}

static pv_status search(pv_run *run, pv_front *front, pv_error *error)
{
    const pv_search_entry *entry = NULL;
    const char *reason = NULL;
    PV_TRY(choose(run, &entry, &reason, error));
    PV_TRY(entry->search(run, error));
    PV_TRY(pv_i_archive_points(&run->archive, front, error));
    fill_front(run, entry, reason, front);
    return PV_STATUS_OK;
}

pv_status pv_search(const pv_profile *profile, const pv_search_options *options,
                    const pv_context *context, pv_front **front, pv_error *error)
{
    pv_run run;
    pv_front *const found = PV_NEW(pv_front);
    if (found == NULL) {
        return pv_i_no_memory(error);
    }
    pv_status status = pv_i_run_init(&run, profile, options, context, error);
    if (status == PV_STATUS_OK) {
        status = search(&run, found, error);
        pv_i_run_deinit(&run);
    }
    if (status == PV_STATUS_OK) {
        *front = found;
    } else {
        pv_front_free(found);
    }
    return status;
}
