/* The registry of methods and the one driver. */
#include "base/error.h"
#include "base/memory.h"
#include "lattice/methods.h"

#include <math.h>
#include <paravent/search.h>
#include <string.h>

#define PBG                                                                               \
    "property based generalizations: the box-dominance archive (algorithm 1) and PBG-EA " \
    "(algorithm 2)"

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
    {{.name = "pbg-ea",
      .summary = "evolution with an archive of boxes, as published: any lattice, any objectives",
      .reference = PBG,
      .evolves = true},
     .boxes_as_asked = true,
     .refuses = pv_i_refuses_nothing,
     .search = pv_i_pbg_ea},
    {{.name = "pbg-hybrid",
      .summary = "the same archive, searched from both ends along the lattice and then by "
                 "evolution: finds more with fewer evaluations",
      .reference = PBG,
      .evolves = true},
     .refuses = pv_i_refuses_nothing,
     .search = pv_i_pbg_hybrid},
};

#define N_ENTRIES (sizeof entries / sizeof *entries)

const char *pv_i_refuses_nothing(const pv_run *run)
{
    (void)run;
    return NULL;
}

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

/* ------------------------------------------------------------------ boxes */

/* Members of an archive nobody asked to be smaller. */
#define MOST_MEMBERS 1000

static bool are_given(const double *epsilons)
{
    bool given = false;
    for (size_t i = 0; i < PV_MAX_OBJECTIVES; i++) {
        given |= epsilons[i] > 0;
    }
    return given;
}

static pv_status check_options(const pv_run *run, pv_error *error)
{
    const pv_search_options *const options = &run->options;
    for (size_t i = 0; i < PV_MAX_OBJECTIVES; i++) {
        if (!(options->epsilons[i] >= 0) || isinf(options->epsilons[i])) {
            return pv_i_fail(error, PV_STATUS_ARGUMENT, "an epsilon must be a positive number");
        }
    }
    if (options->archive > 0 && are_given(options->epsilons)) {
        return pv_i_fail(error, PV_STATUS_ARGUMENT,
                         "the size of the archive follows from the epsilons: give one of both");
    }
    for (size_t i = 0; i < options->n_start * run->lattice.n_axes; i++) {
        if (options->start[i] > run->lattice.heights[i % run->lattice.n_axes]) {
            return pv_i_fail(error, PV_STATUS_ARGUMENT,
                             "a scheme to begin with is higher than the hierarchies");
        }
    }
    return PV_STATUS_OK;
}

/* The size of boxes nobody asked for: of what is counted, one. */
static double usual_epsilon(const pv_run *run, size_t objective)
{
    return run->objectives[objective].measure->counts ? 1 : 0;
}

/* What an evolutionary search works with. As published, in the boxes asked for. A search that lives
 * on its archive needs more of it than is asked for in the end: it takes the usual boxes and as
 * many members as it can handle. */
static void set_boxes(pv_run *run, bool as_asked)
{
    const pv_search_options *const options = &run->options;
    const bool given = are_given(options->epsilons);
    const size_t wished = 2 * options->archive;
    double epsilons[PV_MAX_OBJECTIVES] = {0};
    for (size_t i = 0; i < run->n_objectives; i++) {
        const double usual = usual_epsilon(run, i);
        const double asked = given ? options->epsilons[i] : usual;
        epsilons[i] = as_asked ? asked : fmin(asked, usual);
    }
    run->most_members = wished > MOST_MEMBERS || (wished > 0 && as_asked) ? wished : MOST_MEMBERS;
    if (given && as_asked) {
        run->most_members = 0;
    }
    pv_i_archive_init(&run->archive, run->objectives, run->n_objectives, run->lattice.n_axes,
                      epsilons);
}

/* The boxes asked for, if they are not smaller than those there are. */
static bool settle_boxes(pv_run *run)
{
    const pv_search_options *const options = &run->options;
    pv_i_archive_sort(&run->archive); /* on several threads schemes come in any order */
    if (are_given(options->epsilons)) {
        double epsilons[PV_MAX_OBJECTIVES] = {0};
        for (size_t i = 0; i < run->n_objectives; i++) {
            epsilons[i] = fmax(options->epsilons[i], run->archive.epsilons[i]);
        }
        return pv_i_archive_rebox(&run->archive, epsilons);
    }
    return options->archive == 0 || pv_i_archive_thin(&run->archive, options->archive);
}

/* ----------------------------------------------------------------- driver */

static void fill_front(pv_run *run, const pv_search_entry *entry, const char *reason,
                       pv_front *front)
{
    memcpy(front->objectives, run->objectives, sizeof front->objectives);
    front->n_objectives = run->n_objectives;
    front->n_levels = run->lattice.n_axes;
    front->method = entry->info.name;
    front->reason = reason;
    front->complete = run->complete;
    front->suppression = run->options.suppression;
    front->stop = run->stop;
    front->nodes = run->lattice.size;
    front->evaluated = run->evaluated - run->explored;
    front->explored = run->explored;
    front->pruned_loss = run->pruned_loss;
    front->pruned_mark = run->pruned_mark;
    front->seconds = pv_i_run_seconds(run);
    front->seed = run->options.seed;
    memcpy(front->epsilons, run->archive.epsilons, sizeof front->epsilons);
    front->most_points = pv_i_archive_bound(&run->archive);
    front->iterations = run->iterations;
    front->moments = run->trace.moments;
    front->n_moments = run->trace.n;
    run->trace.moments = NULL; /* now the front's */
}

static pv_status search_asked(pv_run *run, const pv_search_entry **entry, pv_error *error)
{
    PV_TRY(choose_asked(run, run->options.method, entry, error));
    if ((*entry)->info.evolves) {
        set_boxes(run, (*entry)->boxes_as_asked);
    }
    return (*entry)->search(run, error);
}

static pv_status search_by(pv_run *run, const pv_search_entry **entry, const char **reason,
                           pv_error *error)
{
    const char *name = run->options.method;
    if (name != NULL && strcmp(name, "auto") != 0) {
        return search_asked(run, entry, error);
    }
    set_boxes(run, false);
    PV_TRY(pv_i_auto(run, &name, reason, error));
    *entry = find(name);
    return PV_STATUS_OK;
}

static pv_status search(pv_run *run, pv_front *front, pv_error *error)
{
    const pv_search_entry *entry = NULL;
    const char *reason = NULL;
    PV_TRY(check_options(run, error));
    PV_TRY(search_by(run, &entry, &reason, error));
    if (!settle_boxes(run) ||
        !pv_i_trace_take(&run->trace, &run->archive, run->evaluated, pv_i_run_seconds(run), true)) {
        return pv_i_no_memory(error);
    }
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
