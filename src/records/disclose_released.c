/* What a release by records comes to for the attacker, after demands have changed some choices.
 *
 * Of who is released as chosen everything is known. Others who are released alike, by the same
 * levels, fit the same dictionary records, which are counted once for them. */
#include "base/error.h"
#include "base/memory.h"
#include "base/pool.h"
#include "classes/grouping.h"
#include "records/record_methods.h"
#include "scheme/scheme.h"

#include <stdatomic.h>

typedef struct {
    const pv_disclosure *chosen;
    const pv_scheme *scheme;
} released;

typedef struct {
    pv_disclose_run *run;
    const released *released;
    const pv_classes *classes;
    const pv_consistent_index *index;
    pv_consistent_scratch **scratch; /* one per thread */
    uint32_t **leaves;               /* one list per thread */
    atomic_size_t next;              /* class */
} counting;

static const uint8_t *levels_of(const counting *c, size_t tuple)
{
    return c->released->scheme->records + tuple * c->run->values.n_quasi;
}

static uint64_t count_fitting(const counting *c, size_t tuple, unsigned worker)
{
    uint32_t *const leaves = c->leaves[worker];
    for (size_t q = 0; q < c->run->values.n_quasi; q++) {
        leaves[q] = pv_profile_leaf(c->run->profile, tuple, q);
    }
    return pv_i_consistent_count(c->index, c->scratch[worker], leaves, levels_of(c, tuple));
}

static void tell(const counting *c, size_t tuple, uint64_t rho)
{
    const pv_disclosed *const chosen = &c->released->chosen->tuples[tuple];
    const pv_record_answer answer = {.levels = levels_of(c, tuple),
                                     .is_feasible = true,
                                     .is_optimal = chosen->is_optimal,
                                     .rho = rho,
                                     .raw_rho = chosen->consistent_raw,
                                     .visited = chosen->visited};
    pv_i_disclose_tell(c->run, tuple, &answer);
    c->run->disclosure->tuples[tuple].is_feasible = chosen->is_feasible;
}

static bool has_levels(const counting *c, size_t tuple, const uint8_t *levels)
{
    return levels != NULL && memcmp(levels_of(c, tuple), levels, c->run->values.n_quasi) == 0;
}

static void count_class(const counting *c, size_t number, unsigned worker)
{
    const pv_classes *const classes = c->classes;
    const uint8_t *counted = NULL; /* levels of somebody in this class */
    uint64_t rho = 0;
    for (uint32_t m = classes->member_start[number]; m < classes->member_start[number + 1]; m++) {
        const size_t tuple = classes->member[m];
        const pv_disclosed *const chosen = &c->released->chosen->tuples[tuple];
        if (has_levels(c, tuple, chosen->levels)) {
            tell(c, tuple, chosen->consistent);
            continue;
        }
        if (!has_levels(c, tuple, counted)) {
            rho = count_fitting(c, tuple, worker);
            counted = levels_of(c, tuple);
        }
        tell(c, tuple, rho);
    }
}

static void count_classes(void *ctx, unsigned worker)
{
    counting *const c = ctx;
    for (size_t i = atomic_fetch_add(&c->next, 1); i < c->classes->n_classes;
         i = atomic_fetch_add(&c->next, 1)) {
        count_class(c, i, worker);
    }
}

static pv_status rooms_init(counting *c, pv_error *error)
{
    const unsigned threads = c->run->threads;
    c->scratch = PV_NEW_ZEROED(pv_consistent_scratch *, threads);
    c->leaves = PV_NEW_ZEROED(uint32_t *, threads);
    if (c->scratch == NULL || c->leaves == NULL) {
        return pv_i_no_memory(error);
    }
    for (unsigned i = 0; i < threads; i++) {
        c->leaves[i] = PV_NEW_ARRAY(uint32_t, c->run->values.n_quasi);
        if (c->leaves[i] == NULL) {
            return pv_i_no_memory(error);
        }
        PV_TRY(pv_i_consistent_scratch_create(c->index, &c->scratch[i], error));
    }
    return PV_STATUS_OK;
}

static void rooms_deinit(counting *c)
{
    for (unsigned i = 0; i < c->run->threads; i++) {
        if (c->scratch != NULL) {
            pv_i_consistent_scratch_free(c->scratch[i]);
        }
        if (c->leaves != NULL) {
            pv_i_free(c->leaves[i]);
        }
    }
    pv_i_free(c->scratch);
    pv_i_free(c->leaves);
}

static pv_status assess(pv_disclose_run *run, pv_error *error)
{
    const released *const task = run->task;
    pv_classes *classes = NULL;
    pv_consistent_index *index = NULL;
    counting c = {.run = run, .released = task};
    pv_status status = PV_STATUS_OK;
    atomic_init(&c.next, 0);
    PV_TRY_CLEAN(pv_classes_create_records(run->profile, task->scheme->records, &classes, error));
    PV_TRY_CLEAN(pv_i_consistent_index_create(run->dictionary, run->memory, &index, error));
    c.classes = classes;
    c.index = index;
    PV_TRY_CLEAN(rooms_init(&c, error));
    pv_i_pool_run(run->threads, count_classes, &c);
cleanup:
    rooms_deinit(&c);
    pv_i_consistent_index_free(index);
    pv_classes_free(classes);
    return status;
}

pv_status pv_disclosure_released(const pv_disclosure *chosen, const pv_profile *profile,
                                 const pv_disclose_options *options, const pv_scheme *scheme,
                                 const pv_context *context, pv_disclosure **disclosure,
                                 pv_error *error)
{
    static const pv_record_entry entry = {.solve_all = assess};
    const released task = {.chosen = chosen, .scheme = scheme};
    if (scheme->records == NULL || options->only != NULL || chosen->n_tuples != profile->n_tuples) {
        return pv_i_fail(error, PV_STATUS_ARGUMENT,
                         "only a scheme of records for the whole table can be assessed");
    }
    PV_TRY(pv_i_disclose_by(&entry, &task, profile, options, context, disclosure, error));
    pv_disclosure *const told = *disclosure;
    told->method = chosen->method;
    told->reason = chosen->reason;
    told->visited = chosen->visited;
    told->seconds = chosen->seconds;
    told->stopped = chosen->stopped;
    told->stop = chosen->stop;
    return PV_STATUS_OK;
}
