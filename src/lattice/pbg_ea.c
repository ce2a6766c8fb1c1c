/* Evolution with an archive of boxes: PBG-EA, algorithm 2 of the paper on property based
 * generalizations, with its steps in its order:
 *
 *     1  the first population: both ends of the lattice and random schemes      populate
 *     2  evaluate it; the archive of boxes takes what nothing dominates         evaluate
 *     3  population and archive together, each scheme once                      gather
 *     4  fitness: the sum, over all that dominate a scheme, of how many         assign_fitness
 *        schemes those dominate; less is better
 *     5  binary tournaments choose the parents; crossover, mutation             breed
 *     6  from 2 again, a number of generations, or until nothing new comes up
 *
 * Every scheme is evaluated once and remembered. Members of the archive are dominated by nothing
 * that was ever offered, so their fitness is 0, and only schemes of the population count as
 * dominated: step 4 takes population * (population + archive) comparisons. */
#include "lattice/driver.h"

#include "base/error.h"
#include "base/memory.h"
#include "lattice/evolution.h"

#include <string.h>

/* One of the set of population and archive. Pointers are valid until the next evaluation. */
typedef struct {
    const uint8_t *levels;
    const double *values; /* oriented */
    uint64_t dominates;   /* how many of the set */
    uint64_t fitness;
} candidate;

typedef struct {
    pv_run *run;
    pv_evolution evolution;
    pv_memo memo;
    pv_rng rng;
    uint8_t *schemes; /* the population, or its parents */
    uint32_t *ids;    /* of the population in the memo */
    candidate *pool;
    size_t n_pool, n_mortal; /* those of the population come first */
    size_t pool_capacity;
    uint64_t idle; /* generations since the archive last changed */
} pbg_ea;

static uint8_t *scheme(const pbg_ea *e, size_t i)
{
    return e->schemes + i * e->run->lattice.n_axes;
}

/* ---------------------------------------------------------------- fitness */

static bool dominates(const double *a, const double *b, size_t n)
{
    bool better = false;
    for (size_t i = 0; i < n; i++) {
        if (a[i] < b[i]) {
            return false;
        }
        better |= a[i] > b[i];
    }
    return better;
}

/* Population and archive as a set: a scheme that is twice in the population, or in the archive,
 * too, is there once. False when memory runs out. */
static bool gather(pbg_ea *e)
{
    const pv_archive *const archive = &e->run->archive;
    if (!pv_i_reserve((void **)&e->pool, &e->pool_capacity,
                      e->evolution.population + archive->n_members, sizeof *e->pool)) {
        return false;
    }
    e->n_pool = 0;
    for (size_t i = 0; i < e->evolution.population; i++) {
        const uint8_t *const levels = pv_i_memo_levels(&e->memo, e->ids[i]);
        size_t first = 0; /* of the population that is the same scheme */
        while (e->ids[first] != e->ids[i]) {
            first++;
        }
        if (first == i && !pv_i_archive_has(archive, levels)) {
            e->pool[e->n_pool++] =
                (candidate){.levels = levels, .values = pv_i_memo_values(&e->memo, e->ids[i])};
        }
    }
    e->n_mortal = e->n_pool;
    for (size_t i = 0; i < archive->n_members; i++) {
        e->pool[e->n_pool++] =
            (candidate){.levels = archive->members[i].levels, .values = archive->members[i].values};
    }
    return true;
}

/* First how many each dominates, then the sum over those that dominate it. Less is better; 0 = it
 * is dominated by nothing. */
static void assign_fitness(pbg_ea *e)
{
    const size_t n = e->run->n_objectives;
    for (size_t i = 0; i < e->n_pool; i++) {
        for (size_t j = 0; j < e->n_mortal; j++) {
            e->pool[i].dominates += dominates(e->pool[i].values, e->pool[j].values, n);
        }
    }
    for (size_t j = 0; j < e->n_mortal; j++) {
        for (size_t i = 0; i < e->n_pool; i++) {
            if (dominates(e->pool[i].values, e->pool[j].values, n)) {
                e->pool[j].fitness += e->pool[i].dominates;
            }
        }
    }
}

/* ------------------------------------------------------------- generation */

/* The fitter of two, drawn with replacement. */
static const candidate *tournament(pbg_ea *e)
{
    const candidate *const a = &e->pool[pv_i_rng_below(&e->rng, e->n_pool)];
    const candidate *const b = &e->pool[pv_i_rng_below(&e->rng, e->n_pool)];
    return b->fitness < a->fitness ? b : a;
}

static void breed(pbg_ea *e)
{
    const pv_lattice *const lattice = &e->run->lattice;
    for (size_t i = 0; i < e->evolution.population; i++) {
        memcpy(scheme(e, i), tournament(e)->levels, lattice->n_axes);
    }
    pv_i_recombine(&e->evolution, lattice, &e->rng, e->schemes, e->evolution.population);
}

static pv_status evaluate(pbg_ea *e, pv_error *error)
{
    pv_run *const run = e->run;
    const uint64_t changes = run->archive.n_changes;
    PV_TRY(pv_i_memo_evaluate(&e->memo, e->schemes, e->evolution.population, e->ids, error));
    e->idle = run->archive.n_changes > changes ? 0 : e->idle + 1;
    return pv_i_run_review(run, error);
}

/* Both ends and random ones. */
static void populate(pbg_ea *e)
{
    const pv_lattice *const lattice = &e->run->lattice;
    memset(scheme(e, 0), 0, lattice->n_axes);
    memcpy(scheme(e, 1), lattice->heights, lattice->n_axes);
    for (size_t i = 2; i < e->evolution.population; i++) {
        pv_i_random_scheme(lattice, &e->rng, scheme(e, i));
    }
}

/* Schemes to begin with come into the archive and breed from there. */
static pv_status start(pbg_ea *e, pv_error *error)
{
    populate(e);
    PV_TRY(evaluate(e, error));
    pv_i_run_trace(e->run, pv_i_memo_values(&e->memo, e->ids[0]),
                   pv_i_memo_values(&e->memo, e->ids[1]));
    PV_TRY(pv_i_memo_start(&e->memo, error));
    return pv_i_run_review(e->run, error);
}

static pv_status evolve(pbg_ea *e, pv_error *error)
{
    pv_run *const run = e->run;
    PV_TRY(start(e, error));
    for (; run->iterations < e->evolution.iterations && pv_i_run_goes_on(run, run->iterations);
         run->iterations++) {
        if (e->idle >= e->evolution.patience) {
            run->stop = PV_STOP_STALLED;
            break;
        }
        if (pv_i_memo_trim(&e->memo)) { /* full, it has forgotten the population, too */
            PV_TRY(
                pv_i_memo_evaluate(&e->memo, e->schemes, e->evolution.population, e->ids, error));
        }
        if (!gather(e)) {
            return pv_i_no_memory(error);
        }
        assign_fitness(e);
        breed(e);
        PV_TRY(evaluate(e, error));
    }
    return PV_STATUS_OK;
}

pv_status pv_i_pbg_ea(pv_run *run, pv_error *error)
{
    pbg_ea e = {.run = run};
    pv_status status = PV_STATUS_OK;
    PV_TRY(pv_i_evolution_init(&e.evolution, run, error));
    PV_TRY(pv_i_memo_init(&e.memo, run, error));
    pv_i_rng_init(&e.rng, run->options.seed);
    run->total = e.evolution.iterations;
    e.schemes = pv_i_array(e.evolution.population, run->lattice.n_axes);
    e.ids = PV_NEW_ARRAY(uint32_t, e.evolution.population);
    if (e.schemes == NULL || e.ids == NULL) {
        status = pv_i_no_memory(error);
        goto cleanup;
    }
    PV_TRY_CLEAN(evolve(&e, error));
cleanup:
    pv_i_memo_deinit(&e.memo);
    pv_i_free(e.schemes);
    pv_i_free(e.ids);
    pv_i_free(e.pool);
    return status;
}
