/* What a search of a large lattice is seeded with: the best scheme for every demand of a ladder.
 *
 *     k of 2, 3, 5, 10, 20, 50, ...              least loss of each, by branch and bound (best.c)
 *     l-distinct of 2, 3, 4, ... with some k     where that is an objective
 *     t-closeness of 0.5, 0.3, 0.2, ...          likewise
 *
 * A search that looks around what it knows may stay on one side of the lattice, most of all where
 * nothing may be suppressed; the search for one best scheme does not. What it finds is on the front
 * or near it, and is looked around in turn.
 *
 * Questions are asked round by round, each round with more nodes, until they are settled by a
 * proof. They begin with the best that the archive has for them, from wherever it came. Limits are
 * counted in nodes: the same seeds come out on any machine and any number of threads. */
#include "lattice/seeds.h"

#include "base/clock.h"
#include "base/error.h"
#include "base/memory.h"
#include "lattice/best.h"

#include <math.h>
#include <string.h>

#define FIRST_NODES 300 /* of a question */
#define MOST_DOUBLED 10 /* rounds in which they double */

/* A demand for an objective that is a rule for classes, besides k. */
typedef struct {
    size_t objective;
    double bound;
} extra;

/* `extra` 0 = k alone, else one more than the place in the list. */
typedef struct {
    uint64_t k;
    size_t extra;
    bool settled;
} question;

struct pv_seeds {
    pv_run *run;
    pv_meter glm; /* if no objective is a separable loss */
    const pv_meter *loss;
    size_t loss_objective; /* SIZE_MAX = it is none */
    extra *extras;
    size_t n_extras, extras_capacity;
    question *questions;
    size_t n_questions, capacity;
    size_t next;
    unsigned round;
    pv_quest quest;
    size_t quest_extra; /* that the quest is about; SIZE_MAX = there is none yet */
    uint64_t nodes;
    uint8_t *start; /* scratch: in levels of the hierarchies */
};

/* --------------------------------------------------------------- questions */

static bool add_question(pv_seeds *s, uint64_t k, size_t number)
{
    if (!pv_i_reserve((void **)&s->questions, &s->capacity, s->n_questions + 1,
                      sizeof *s->questions)) {
        return false;
    }
    s->questions[s->n_questions++] = (question){.k = k, .extra = number};
    return true;
}

/* From many rows to few: what is found for many keeps a smaller k, too, and is where the search for
 * that begins. */
static bool ask_of_k(pv_seeds *s, size_t number, const uint64_t *some, size_t n_some)
{
    const uint64_t n_rows = s->run->profile->n_rows;
    const uint64_t least = s->run->options.suppression.target_k;
    bool ready = true;
    for (size_t i = n_some; ready && i-- > 0;) {
        if (some[i] > least && some[i] <= n_rows / 2) {
            ready = add_question(s, some[i], number);
        }
    }
    return ready && (least == 0 || add_question(s, least, number));
}

static bool add_extra(pv_seeds *s, size_t objective, double bound)
{
    static const uint64_t some[] = {2, 5, 20};
    if (!pv_i_reserve((void **)&s->extras, &s->extras_capacity, s->n_extras + 1,
                      sizeof *s->extras)) {
        return false;
    }
    s->extras[s->n_extras++] = (extra){.objective = objective, .bound = bound};
    return ask_of_k(s, s->n_extras, some, sizeof some / sizeof *some);
}

/* Rungs for an objective that is a rule for classes: numbers of values as far as they can be
 * demanded, or distances. */
static bool ask_of_rule(pv_seeds *s, size_t objective)
{
    static const double numbers[] = {2, 3, 4, 6, 10};
    static const double distances[] = {0.5, 0.3, 0.2, 0.1};
    const bool less = s->run->objectives[objective].measure->direction == PV_LESS_IS_BETTER;
    const double *const rungs = less ? distances : numbers;
    const size_t n = less ? sizeof distances / sizeof *distances : sizeof numbers / sizeof *numbers;
    uint32_t n_values = UINT32_MAX;
    for (size_t i = 0; i < s->run->profile->n_sensitive; i++) {
        const uint32_t values = s->run->profile->sensitive[i].n_codes;
        n_values = values < n_values ? values : n_values;
    }
    bool ready = true;
    for (size_t i = 0; ready && i < n; i++) {
        ready = (!less && rungs[i] > n_values) || add_extra(s, objective, rungs[i]);
    }
    return ready;
}

static bool list_questions(pv_seeds *s)
{
    static const uint64_t some[] = {2,   3,   5,    10,   20,   50,    100,
                                    200, 500, 1000, 2000, 5000, 10000, 100000};
    const pv_run *const run = s->run;
    bool ready = ask_of_k(s, 0, some, sizeof some / sizeof *some);
    for (size_t o = 0; ready && o < run->n_objectives; o++) {
        const pv_measure *const measure = run->objectives[o].measure;
        if (measure->rule == PV_RULE_SENSITIVE && run->options.n_demands < PV_MOST_RULES) {
            ready = ask_of_rule(s, o);
        }
    }
    return ready;
}

/* ---------------------------------------------------------------- answers */

/* The member that loses least of those that keep what is asked, in levels of the hierarchies. */
static const uint8_t *known_scheme(const pv_seeds *s, const question *q)
{
    const pv_run *const run = s->run;
    const pv_archive *const archive = &run->archive;
    const pv_member *best = NULL;
    double least = (double)INFINITY;
    for (size_t i = 0; i < archive->n_members; i++) {
        const pv_member *const m = &archive->members[i];
        bool keeps = m->k >= q->k;
        if (q->extra > 0) {
            const extra *const x = &s->extras[q->extra - 1];
            const double sign = archive->signs[x->objective];
            keeps = keeps && sign * m->raw[x->objective] >= sign * x->bound;
        }
        const double loss = s->loss_objective != SIZE_MAX
                                ? m->raw[s->loss_objective]
                                : pv_i_run_separable(run, s->loss, m->levels);
        if (keeps && loss < least) {
            least = loss;
            best = m;
        }
    }
    for (size_t axis = 0; best != NULL && axis < run->lattice.n_axes; axis++) {
        s->start[axis] = (uint8_t)pv_i_lattice_real(&run->lattice, axis, best->levels[axis]);
    }
    return best != NULL ? s->start : NULL;
}

/* The quest is made anew where another demand is asked for: it may be as large as the table. */
static pv_status prepare(pv_seeds *s, const question *q, pv_error *error)
{
    const pv_search_options *const options = &s->run->options;
    pv_constraint demands[PV_MAX_CONSTRAINTS];
    size_t n = options->n_demands;
    if (s->quest_extra != q->extra) {
        pv_i_quest_deinit(&s->quest);
        s->quest_extra = SIZE_MAX;
        for (size_t i = 0; i < n; i++) {
            demands[i] = options->demands[i];
        }
        if (q->extra > 0) {
            const extra *const x = &s->extras[q->extra - 1];
            demands[n++] =
                (pv_constraint){.ref = s->run->objectives[x->objective], .bound = x->bound};
        }
        PV_TRY(pv_i_quest_init(&s->quest, s->run->profile, s->loss, demands, n,
                               options->suppression.budget, NULL, NULL, error));
        s->quest_extra = q->extra;
    }
    s->quest.k = q->k;
    return PV_STATUS_OK;
}

static void to_lattice(const pv_run *run, const uint8_t *real, uint8_t *levels)
{
    for (size_t axis = 0; axis < run->lattice.n_axes; axis++) {
        levels[axis] = 0;
        while (pv_i_lattice_real(&run->lattice, axis, levels[axis]) < real[axis]) {
            levels[axis]++;
        }
    }
}

/* What is reported is how the whole search goes, not one question of it. */
static bool report_run(void *ctx, const pv_progress *progress)
{
    pv_run *const run = ctx;
    (void)progress;
    return pv_i_run_goes_on(run, run->evaluated);
}

static pv_status ask(pv_seeds *s, question *q, uint8_t *levels, bool *found, pv_error *error)
{
    pv_run *const run = s->run;
    pv_best_found answer;
    PV_TRY(prepare(s, q, error));
    const unsigned doubled = s->round < MOST_DOUBLED ? s->round : MOST_DOUBLED;
    pv_context context = run->context != NULL ? *run->context : (pv_context){0};
    context.progress = report_run;
    context.progress_ctx = run;
    const pv_best_settings settings = {
        .context = &context,
        .seed = run->options.seed + s->round,
        .start = known_scheme(s, q),
        .max_nodes = (uint64_t)FIRST_NODES << doubled,
        .max_seconds = run->options.max_seconds > 0
                           ? fmax(run->options.max_seconds - (pv_i_now() - run->started), 1e-3)
                           : 0};
    PV_TRY(pv_i_best(&s->quest, &settings, &answer, error));
    s->nodes += answer.nodes;
    run->proof_nodes = s->nodes;
    q->settled = answer.proven;
    if (run->stop == PV_STOP_FINISHED && answer.stop == PV_STOP_TIME) {
        run->stop = PV_STOP_TIME;
    }
    *found = answer.found;
    if (answer.found) {
        to_lattice(run, answer.levels, levels);
    }
    pv_i_free(answer.levels);
    return PV_STATUS_OK;
}

pv_status pv_i_seeds_next(pv_seeds *s, uint8_t *levels, bool *found, pv_error *error)
{
    *found = false;
    if (pv_i_seeds_settled(s)) {
        return PV_STATUS_OK;
    }
    while (s->next == s->n_questions || s->questions[s->next].settled) {
        const bool is_end = s->next == s->n_questions;
        s->next = is_end ? 0 : s->next + 1;
        s->round += is_end;
    }
    return ask(s, &s->questions[s->next++], levels, found, error);
}

bool pv_i_seeds_settled(const pv_seeds *s)
{
    bool settled = true;
    for (size_t i = 0; i < s->n_questions; i++) {
        settled &= s->questions[i].settled;
    }
    return settled;
}

uint64_t pv_i_seeds_nodes(const pv_seeds *s)
{
    return s->nodes;
}

/* ---------------------------------------------------------------- lifetime */

static pv_status init(pv_seeds *s, pv_run *run, pv_error *error)
{
    s->run = run;
    s->quest_extra = SIZE_MAX;
    s->loss_objective = SIZE_MAX;
    s->start = PV_NEW_ARRAY(uint8_t, run->lattice.n_axes);
    for (size_t o = 0; s->loss == NULL && o < run->n_objectives; o++) {
        const pv_meter *const meter = &run->meters[o];
        if (meter->entry->bound == PV_BOUND_SEPARABLE &&
            run->objectives[o].measure->direction == PV_LESS_IS_BETTER) {
            s->loss = meter;
            s->loss_objective = o;
        }
    }
    if (s->loss == NULL) {
        PV_TRY(pv_i_meter_init(&s->glm, (pv_measure_ref){.measure = pv_measure_find("glm")},
                               run->profile, error));
        s->loss = &s->glm;
    }
    return s->start != NULL && list_questions(s) ? PV_STATUS_OK : pv_i_no_memory(error);
}

pv_status pv_i_seeds_create(pv_run *run, pv_seeds **seeds, pv_error *error)
{
    pv_seeds *const s = PV_NEW_ZEROED(pv_seeds, 1);
    if (s == NULL) {
        return pv_i_no_memory(error);
    }
    const pv_status status = init(s, run, error);
    if (status == PV_STATUS_OK) {
        *seeds = s;
    } else {
        pv_i_seeds_free(s);
    }
    return status;
}

void pv_i_seeds_free(pv_seeds *s)
{
    if (s == NULL) {
        return;
    }
    pv_i_quest_deinit(&s->quest);
    if (s->loss == &s->glm) {
        pv_i_meter_deinit(&s->glm);
    }
    pv_i_free(s->extras);
    pv_i_free(s->questions);
    pv_i_free(s->start);
    pv_i_free(s);
}
