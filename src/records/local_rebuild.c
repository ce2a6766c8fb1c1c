/* Improving a local recoding: a neighbourhood of classes is taken apart and put together again; if
 * that loses less, it stays so (large-neighbourhood search).
 *
 *     step: an expensive class, and a few classes whose rows are like its own     a pool of rows
 *           clusters: from a row, those who raise its cost least, until the demands are kept;
 *                     the next one as far away as possible, or anywhere
 *           who is left joins where that costs least
 *           rows that a cluster can spare go where they lose less
 *
 * A cluster takes no more rows of a tuple than it needs: the others stay together, mostly as they
 * are. This is how rows of common tuples help those who are few, and why tuples are divided.
 *
 * **Rounds.** Steps are done 16 at a time on threads, each with random numbers of its own number,
 * on classes that nobody changes meanwhile; then they are taken by number, except those whose
 * classes an earlier one of the round has changed. So the same number of steps gives the same
 * result on any number of threads. */
#include "records/local.h"

#include "base/clock.h"
#include "base/error.h"
#include "base/memory.h"
#include "base/tasks.h"

#include <math.h>
#include <string.h>

#define MOST_CLUSTERS 64
#define MOST_PIECES (2 * PV_LOCAL_POOL)
#define NONE UINT32_MAX

/* Rows of an entry of the pool that are in a cluster. */
typedef struct {
    uint32_t entry, next;
    uint64_t rows;
} piece;

typedef struct {
    double cost;
    uint64_t size;
    uint32_t first; /* piece */
} cluster;

struct pv_local_pool {
    const pv_local_space *space;
    pv_class_scorer scorer;
    uint32_t tuple[PV_LOCAL_POOL];
    uint64_t rows[PV_LOCAL_POOL], left[PV_LOCAL_POOL];
    size_t n, n_clusters, n_pieces;
    uint64_t n_left; /* rows */
    cluster clusters[MOST_CLUSTERS];
    piece pieces[MOST_PIECES];
    uint32_t *nodes; /* clusters * quasi-identifiers, and one more */
};

/* -------------------------------------------------------------------- pool */

pv_local_pool *pv_i_local_pool_create(const pv_local_space *space)
{
    pv_local_pool *const pool = PV_NEW(pv_local_pool);
    if (pool == NULL) {
        return NULL;
    }
    pool->space = space;
    pool->nodes = PV_NEW_ARRAY(uint32_t, (MOST_CLUSTERS + 1) * space->n_quasi);
    if (pool->nodes == NULL ||
        pv_i_class_scorer_init(&pool->scorer, &space->rules, NULL) != PV_STATUS_OK) {
        pv_i_local_pool_free(pool);
        return NULL;
    }
    return pool;
}

void pv_i_local_pool_free(pv_local_pool *pool)
{
    if (pool != NULL) {
        pv_i_class_scorer_deinit(&pool->scorer);
        pv_i_free(pool->nodes);
        pv_i_free(pool);
    }
}

void pv_i_local_pool_clear(pv_local_pool *pool)
{
    pool->n = 0;
}

bool pv_i_local_pool_add(pv_local_pool *pool, uint32_t tuple, uint64_t rows)
{
    const bool is_whole = rows == pool->space->profile->count[tuple];
    for (size_t i = 0; !is_whole && i < pool->n; i++) {
        if (pool->tuple[i] == tuple) {
            pool->rows[i] += rows;
            return true;
        }
    }
    if (pool->n == PV_LOCAL_POOL) {
        return false;
    }
    pool->tuple[pool->n] = tuple;
    pool->rows[pool->n++] = rows;
    return true;
}

static const uint32_t *raw_nodes(const pv_local_pool *pool, size_t entry)
{
    return pool->space->raw + (size_t)pool->tuple[entry] * pool->space->n_quasi;
}

static uint32_t *cluster_nodes(const pv_local_pool *pool, size_t c)
{
    return pool->nodes + c * pool->space->n_quasi;
}

/* ---------------------------------------------------------------- clusters */

/* What a row of the cluster loses with the entry in it. */
static double cost_with(const pv_local_pool *pool, size_t c, size_t entry, double limit)
{
    return pv_i_local_join_cost(pool->space, cluster_nodes(pool, c), raw_nodes(pool, entry), NULL,
                                limit);
}

/* Puts rows of an entry into a cluster; false if there is no space. */
static bool put(pv_local_pool *pool, size_t c, size_t entry, uint64_t rows)
{
    cluster *const own = &pool->clusters[c];
    uint32_t *const nodes = cluster_nodes(pool, c);
    uint32_t known = own->first;
    while (known != NONE && pool->pieces[known].entry != entry) {
        known = pool->pieces[known].next;
    }
    if (known == NONE && pool->n_pieces == MOST_PIECES) {
        return false;
    }
    own->cost = own->size == 0
                    ? pv_i_local_join_cost(pool->space, raw_nodes(pool, entry),
                                           raw_nodes(pool, entry), nodes, (double)INFINITY)
                    : pv_i_local_join_cost(pool->space, nodes, raw_nodes(pool, entry), nodes,
                                           (double)INFINITY);
    own->size += rows;
    pool->left[entry] -= rows;
    pool->n_left -= rows;
    if (known != NONE) {
        pool->pieces[known].rows += rows;
    } else {
        pool->pieces[pool->n_pieces] =
            (piece){.entry = (uint32_t)entry, .next = own->first, .rows = rows};
        own->first = (uint32_t)pool->n_pieces++;
    }
    return !isinf(own->cost);
}

static bool keeps(pv_local_pool *pool, const cluster *own)
{
    if (own->size < pool->space->k || pool->space->rules.n_rules == 0) {
        return own->size >= pool->space->k;
    }
    pv_i_class_scorer_clear(&pool->scorer);
    for (uint32_t p = own->first; p != NONE; p = pool->pieces[p].next) {
        pv_i_class_scorer_add(&pool->scorer, pool->tuple[pool->pieces[p].entry]);
    }
    return !pv_i_class_scorer_breaks(&pool->scorer, false);
}

/* Where the next cluster begins: anywhere, or with those whom the last one fits least. */
static size_t choose_seed(const pv_local_pool *pool, pv_rng *rng, bool anywhere)
{
    const size_t turn = (size_t)pv_i_rng_below(rng, pool->n);
    size_t seed = SIZE_MAX;
    double farthest = -1;
    for (size_t i = 0; i < pool->n; i++) {
        const size_t entry = (i + turn) % pool->n;
        if (pool->left[entry] == 0) {
            continue;
        }
        if (anywhere || pool->n_clusters == 0) {
            return entry;
        }
        const double cost = fmin(cost_with(pool, pool->n_clusters - 1, entry, (double)INFINITY), 2);
        if (cost > farthest) {
            farthest = cost;
            seed = entry;
        }
    }
    return seed;
}

/* Who raises the cost of the last cluster least; of equals whoever brings most rows. */
static size_t choose_next(const pv_local_pool *pool)
{
    const size_t c = pool->n_clusters - 1;
    size_t best = SIZE_MAX;
    double least = (double)INFINITY;
    for (size_t entry = 0; entry < pool->n; entry++) {
        if (pool->left[entry] == 0) {
            continue;
        }
        const double cost = cost_with(pool, c, entry, nextafter(least, (double)INFINITY));
        if (cost < least ||
            (cost <= least && !isinf(cost) && pool->left[entry] > pool->left[best])) {
            least = cost;
            best = entry;
        }
    }
    return best;
}

static bool grow_cluster(pv_local_pool *pool, pv_rng *rng, bool anywhere)
{
    if (pool->n_clusters == MOST_CLUSTERS) {
        return false;
    }
    const size_t seed = choose_seed(pool, rng, anywhere);
    cluster *const own = &pool->clusters[pool->n_clusters++];
    *own = (cluster){.first = NONE};
    if (!put(pool, pool->n_clusters - 1, seed, pool->left[seed])) {
        return false;
    }
    while (!keeps(pool, own)) {
        const size_t entry = choose_next(pool);
        if (entry == SIZE_MAX) {
            return false;
        }
        const uint64_t missing = pool->space->k > own->size ? pool->space->k - own->size : 0;
        const bool divides = pool->space->divides && missing < pool->left[entry];
        if (!put(pool, pool->n_clusters - 1, entry, divides ? missing : pool->left[entry])) {
            return false;
        }
    }
    return true;
}

/* The cluster in which rows of an entry add least to the loss, besides one; at most `limit`. */
static size_t cheapest_cluster(const pv_local_pool *pool, size_t entry, uint64_t rows,
                               size_t besides, double limit)
{
    size_t best = SIZE_MAX;
    for (size_t c = 0; c < pool->n_clusters; c++) {
        const cluster *const own = &pool->clusters[c];
        if (c == besides) {
            continue;
        }
        const double cost = cost_with(pool, c, entry, (double)INFINITY);
        const double added = (cost - own->cost) * (double)own->size + cost * (double)rows;
        if (added < limit) {
            limit = added;
            best = c;
        }
    }
    return best;
}

static bool place_rest(pv_local_pool *pool)
{
    for (size_t entry = 0; entry < pool->n; entry++) {
        const uint64_t rows = pool->left[entry];
        if (rows == 0) {
            continue;
        }
        const size_t c = cheapest_cluster(pool, entry, rows, SIZE_MAX, (double)INFINITY);
        if (c == SIZE_MAX || !put(pool, c, entry, rows)) {
            return false;
        }
    }
    return true;
}

static void tighten(pv_local_pool *pool, size_t c)
{
    cluster *const own = &pool->clusters[c];
    uint32_t *const nodes = cluster_nodes(pool, c);
    memcpy(nodes, raw_nodes(pool, pool->pieces[own->first].entry),
           pool->space->n_quasi * sizeof *nodes);
    for (uint32_t p = own->first; p != NONE; p = pool->pieces[p].next) {
        own->cost = pv_i_local_join_cost(pool->space, nodes, raw_nodes(pool, pool->pieces[p].entry),
                                         nodes, (double)INFINITY);
    }
}

/* Moves rows that a cluster can spare to where they lose less. */
static bool move_surplus(pv_local_pool *pool, size_t c)
{
    cluster *const own = &pool->clusters[c];
    bool moved = false;
    for (uint32_t *link = &own->first; *link != NONE && own->size > pool->space->k;) {
        piece *const p = &pool->pieces[*link];
        const uint64_t spare = own->size - pool->space->k;
        const uint64_t rows = p->rows < spare ? p->rows : spare;
        const size_t to =
            cheapest_cluster(pool, p->entry, rows, c, own->cost * (double)rows - 1e-12);
        if (to == SIZE_MAX || pool->n_pieces == MOST_PIECES) {
            link = &p->next;
            continue;
        }
        pool->left[p->entry] += rows;
        pool->n_left += rows;
        (void)put(pool, to, p->entry, rows);
        p->rows -= rows;
        own->size -= rows;
        moved = true;
        if (p->rows == 0) {
            *link = p->next;
        } else {
            link = &p->next;
        }
    }
    if (moved) {
        tighten(pool, c);
    }
    return moved;
}

double pv_i_local_pool_build(pv_local_pool *pool, pv_rng *rng)
{
    const bool anywhere = pv_i_rng_below(rng, 2) == 0;
    double loss = 0;
    pool->n_clusters = pool->n_pieces = 0;
    pool->n_left = 0;
    for (size_t i = 0; i < pool->n; i++) {
        pool->left[i] = pool->rows[i];
        pool->n_left += pool->rows[i];
    }
    while (pool->n_left >= pool->space->k) {
        if (!grow_cluster(pool, rng, anywhere)) {
            if (pool->space->divides || pool->n_clusters < 2) {
                return (double)INFINITY;
            }
            const cluster *const last = &pool->clusters[--pool->n_clusters]; /* too few kinds */
            for (uint32_t p = last->first; p != NONE; p = pool->pieces[p].next) {
                pool->left[pool->pieces[p].entry] += pool->pieces[p].rows;
            }
            break;
        }
    }
    if (!place_rest(pool)) {
        return (double)INFINITY;
    }
    for (unsigned round = 0; pool->space->divides && round < 2; round++) {
        for (size_t c = 0; c < pool->n_clusters; c++) {
            (void)move_surplus(pool, c);
        }
    }
    for (size_t c = 0; c < pool->n_clusters; c++) {
        if (!keeps(pool, &pool->clusters[c])) {
            return (double)INFINITY;
        }
        loss += pool->clusters[c].cost * (double)pool->clusters[c].size;
    }
    return loss;
}

bool pv_i_local_pool_write(const pv_local_pool *pool, pv_local_draft *classes, const size_t *into,
                           size_t n_into)
{
    for (size_t c = 0; c < pool->n_clusters; c++) {
        const size_t class = c < n_into ? into[c] : pv_i_local_class_new(classes);
        if (class == SIZE_MAX) {
            return false;
        }
        for (uint32_t p = pool->clusters[c].first; p != NONE; p = pool->pieces[p].next) {
            if (!pv_i_local_class_add(classes, class, pool->tuple[pool->pieces[p].entry],
                                      pool->pieces[p].rows)) {
                return false;
            }
        }
        pv_i_local_tighten(classes, class);
    }
    return true;
}

/* -------------------------------------------------------------------- step */

#define STEPS_PER_ROUND 16
#define MOST_NEIGHBOURS 7 /* and the class itself */
#define CONTENDERS 6      /* of so many classes drawn the one that loses most is improved */
#define ORDERS_PER_STEP 4 /* in so many the neighbours of a class are looked for */
#define LOOSENESS 0.3     /* how far chance may change who is near */
/* Without limits, as many rounds as it takes to compare about so many pairs, or so many for each
 * tuple that starts unlike all others. */
#define USUAL_COMPARISONS 5e7
#define USUAL_COMPARISONS_EACH 5e3
#define MOST_STEPS_PER_CLASS 20

typedef struct {
    pv_local_pool *pool;
    size_t classes[MOST_NEIGHBOURS + 1];
    size_t n;
    size_t compared; /* classes, to find the neighbours */
    bool improves;
} step;

typedef struct {
    pv_local_draft *classes;
    pv_local_near *near;
    uint64_t ordered; /* the step at which the orders were made */
    step steps[STEPS_PER_ROUND];
    uint64_t *changed; /* per class: the round in which it was changed last; 0 = never */
    size_t capacity, n_known;
    uint64_t round, seed;
    size_t n_steps; /* of the round */
    double compared;
} improving;

static size_t choose_class(const pv_local_draft *classes, pv_rng *rng)
{
    size_t best = SIZE_MAX;
    double most = 0;
    for (unsigned i = 0; i < CONTENDERS; i++) {
        const size_t c = 1 + (size_t)pv_i_rng_below(rng, classes->n - 1);
        const double loss = (double)classes->list[c].size * classes->list[c].cost;
        if (loss > most) {
            most = loss;
            best = c;
        }
    }
    return best;
}

/* The classes found so far, those with which rows would lose least first. */
typedef struct {
    double costs[MOST_NEIGHBOURS];
    size_t wanted;
} ranking;

static void consider(step *s, ranking *r, const pv_local_draft *classes, size_t seed, size_t c,
                     pv_rng *rng)
{
    const pv_local_class *const own = &classes->list[c];
    const double limit = s->n == r->wanted ? r->costs[s->n - 1] : 3;
    if (own->size == 0 || c == seed || own->n_parts > PV_LOCAL_POOL / 4) {
        return;
    }
    double cost = pv_i_local_join_cost(classes->space, pv_i_local_nodes(classes, seed),
                                       pv_i_local_nodes(classes, c), NULL, limit);
    cost *= 1 + LOOSENESS * pv_i_rng_unit(rng);
    bool known = !(cost < limit);
    for (size_t i = 0; !known && i < s->n; i++) {
        known = s->classes[i] == c;
    }
    if (known) {
        return;
    }
    size_t i = s->n < r->wanted ? s->n++ : r->wanted - 1;
    for (; i > 0 && r->costs[i - 1] > cost; i--) {
        r->costs[i] = r->costs[i - 1];
        s->classes[i] = s->classes[i - 1];
    }
    r->costs[i] = cost;
    s->classes[i] = c;
}

/* Lists a class and those of some windows around it with which its rows would lose least. */
static void choose_neighbours(step *s, const improving *m, size_t seed, pv_rng *rng)
{
    ranking r = {.wanted = 2 + (size_t)pv_i_rng_below(rng, MOST_NEIGHBOURS - 2)};
    const size_t turn = (size_t)pv_i_rng_below(rng, PV_LOCAL_ORDERS);
    s->n = 0;
    s->compared = 0;
    for (size_t o = 0; o < ORDERS_PER_STEP; o++) {
        size_t n = 0;
        const uint32_t *const near =
            pv_i_local_near(m->near, (turn + o) % PV_LOCAL_ORDERS, seed, &n);
        for (size_t i = 0; i < n; i++) {
            consider(s, &r, m->classes, seed, near[i], rng);
        }
        s->compared += n;
    }
    s->classes[s->n++] = seed;
}

static pv_status try_step(void *ctx, size_t task, const pv_thread *thread, pv_error *error)
{
    (void)thread;
    (void)error;
    improving *const m = ctx;
    const pv_local_draft *const classes = m->classes;
    step *const s = &m->steps[task];
    pv_rng rng;
    pv_i_rng_init(&rng, pv_i_hash_u64(m->seed + m->round * STEPS_PER_ROUND + task));
    s->improves = false;
    const size_t seed = choose_class(classes, &rng);
    if (seed == SIZE_MAX) {
        return PV_STATUS_OK;
    }
    choose_neighbours(s, m, seed, &rng);
    double loss = 0;
    bool fits = true;
    pv_i_local_pool_clear(s->pool);
    for (size_t i = 0; fits && i < s->n; i++) {
        const pv_local_class *const own = &classes->list[s->classes[i]];
        loss += own->cost * (double)own->size;
        for (size_t p = 0; fits && p < own->n_parts; p++) {
            fits = pv_i_local_pool_add(s->pool, own->parts[p].tuple, own->parts[p].rows);
        }
    }
    s->improves = fits && pv_i_local_pool_build(s->pool, &rng) < loss - 1e-9;
    return PV_STATUS_OK;
}

/* New classes were never changed. */
static bool know_classes(improving *m)
{
    if (!pv_i_reserve((void **)&m->changed, &m->capacity, m->classes->n, sizeof *m->changed)) {
        return false;
    }
    for (; m->n_known < m->classes->n; m->n_known++) {
        m->changed[m->n_known] = 0;
    }
    return true;
}

/* Takes the steps of a round by number. */
static bool take_steps(improving *m, pv_local_account *account)
{
    for (size_t i = 0; i < m->n_steps; i++) {
        step *const s = &m->steps[i];
        bool fresh = s->improves;
        for (size_t j = 0; fresh && j < s->n; j++) {
            fresh = m->changed[s->classes[j]] != m->round;
        }
        if (!fresh) {
            continue;
        }
        for (size_t j = 0; j < s->n; j++) {
            m->changed[s->classes[j]] = m->round;
            pv_i_local_class_clear(m->classes, s->classes[j]);
        }
        if (!pv_i_local_pool_write(s->pool, m->classes, s->classes, s->n) || !know_classes(m)) {
            return false;
        }
        account->improved++;
    }
    return true;
}

/* Few classes have few neighbourhoods. */
static bool is_worth_it(const improving *m, uint64_t steps)
{
    const double most =
        fmin(USUAL_COMPARISONS, USUAL_COMPARISONS_EACH * (double)m->classes->space->n_firsts);
    return m->compared < most && steps / MOST_STEPS_PER_CLASS <= m->classes->n;
}

static pv_status improve(improving *m, const pv_local_settings *settings, pv_local_account *account,
                         pv_error *error)
{
    const double began = pv_i_now();
    const uint64_t steps = settings->improve_steps > 0 ? settings->improve_steps : UINT64_MAX;
    const bool is_usual = settings->improve_steps == 0 && settings->improve_seconds <= 0;
    pv_ticker ticker = pv_i_ticker(settings->context, "improving", settings->improve_steps);
    while (account->steps < steps && m->classes->n > 1 &&
           (!is_usual || is_worth_it(m, account->steps))) {
        const uint64_t left = steps - account->steps;
        if (settings->improve_seconds > 0 && pv_i_now() - began > settings->improve_seconds) {
            account->stop = PV_STOP_TIME;
            break;
        }
        if (!pv_i_tick(&ticker, account->steps)) {
            account->stop = PV_STOP_CANCELLED;
            break;
        }
        if (account->steps == 0 || account->steps - m->ordered > m->classes->n / 2 + 256) {
            m->ordered = account->steps;
            m->compared += PV_LOCAL_ORDERS * 16.0 * (double)m->classes->n;
            if (!pv_i_local_near_fill(m->near, m->classes)) {
                return pv_i_no_memory(error);
            }
        }
        m->round++;
        m->n_steps = left < STEPS_PER_ROUND ? (size_t)left : STEPS_PER_ROUND;
        PV_TRY(
            pv_i_tasks_run(pv_i_threads(settings->context), m->n_steps, try_step, m, NULL, error));
        if (!take_steps(m, account)) {
            return pv_i_no_memory(error);
        }
        account->steps += m->n_steps;
        for (size_t i = 0; i < m->n_steps; i++) {
            const double n = (double)m->steps[i].pool->n;
            m->compared += 2 * (double)m->steps[i].compared + 1.5 * n * n;
        }
    }
    return PV_STATUS_OK;
}

/* Being stopped is no failure: what there is keeps the demands. */
pv_status pv_i_local_improve(pv_local_draft *classes, const pv_local_settings *settings,
                             pv_local_account *account, pv_error *error)
{
    improving m = {.classes = classes, .seed = pv_i_hash_u64(settings->seed)};
    if (settings->improve_seconds < 0) {
        return PV_STATUS_OK;
    }
    m.near = pv_i_local_near_create(classes->space);
    bool ready = m.near != NULL && know_classes(&m);
    for (size_t i = 0; ready && i < STEPS_PER_ROUND; i++) {
        m.steps[i].pool = pv_i_local_pool_create(classes->space);
        ready = m.steps[i].pool != NULL;
    }
    const pv_status status = ready ? improve(&m, settings, account, error) : pv_i_no_memory(error);
    for (size_t i = 0; i < STEPS_PER_ROUND; i++) {
        pv_i_local_pool_free(m.steps[i].pool);
    }
    pv_i_local_near_free(m.near);
    pv_i_free(m.changed);
    return status;
}
