/* What the attributes from a position on may add.
 *
 *     sensitivity |            .
 *                 |        .  /          the values of an attribute, and the line below all of
 *                 |    .   _/            them that is bent upwards: so much utility cannot be had
 *                 |   __--               for less
 *                 |_--__________ utility
 *
 * The pieces of all attributes' lines, sorted by their price, bound from below what utility costs
 * wherever it is bought. */
#include "records/record_ground.h"

#include "base/checked.h"
#include "base/error.h"
#include "base/memory.h"

#include <stdlib.h>

/* More units than any sum has: there is no value but `*`. */
#define NO_VALUE ((int64_t)1 << 61)

static uint32_t leaves_of(const pv_record_ground *ground, const pv_record_axis *axis)
{
    return pv_hierarchy_leaves(pv_study_hierarchy(ground->run->profile->study, axis->quasi));
}

/* ------------------------------------------------------------------ prices */

/* Utility beyond the top, and sensitivity. */
typedef struct {
    double utility, phi;
} point;

typedef struct {
    point *points;
    size_t n;
} point_list;

static double price_of(point piece)
{
    return piece.phi / piece.utility;
}

static int by_utility(const void *a, const void *b)
{
    const point *const left = a;
    const point *const right = b;
    const int order = (left->utility > right->utility) - (left->utility < right->utility);
    return order != 0 ? order : (left->phi > right->phi) - (left->phi < right->phi);
}

static int by_price(const void *a, const void *b)
{
    const double left = price_of(*(const point *)a);
    const double right = price_of(*(const point *)b);
    return (left > right) - (left < right);
}

static size_t values_of(const pv_record_ground *ground, const pv_record_axis *axis, point *points)
{
    size_t n = 0;
    points[n++] = (point){0, 0};
    for (uint32_t leaf = 0; leaf < leaves_of(ground, axis); leaf++) {
        for (unsigned level = 0; level < axis->root_level[leaf]; level++) {
            const pv_worth worth = axis->worth[level][leaf];
            const int64_t beyond = worth.utility - axis->worth[axis->height][leaf].utility;
            points[n++] = (point){(double)beyond, (double)worth.phi};
        }
    }
    return n;
}

/* Is b not below the line from a to c? */
static bool is_idle(point a, point b, point c)
{
    return (b.phi - a.phi) * (c.utility - a.utility) >= (c.phi - a.phi) * (b.utility - a.utility);
}

/* The corners of the line below all points, which are replaced by them. */
static size_t keep_corners(point *points, size_t n)
{
    size_t m = 0;
    qsort(points, n, sizeof *points, by_utility);
    for (size_t i = 0; i < n; i++) {
        if (m > 0 && points[i].utility <= points[m - 1].utility) {
            continue; /* as useful and no cheaper */
        }
        while (m > 1 && is_idle(points[m - 2], points[m - 1], points[i])) {
            m--;
        }
        points[m++] = points[i];
    }
    return m;
}

/* Adds the pieces of an attribute's line to those of the attributes after it. */
static bool add_pieces(const pv_record_ground *ground, const pv_record_axis *axis,
                       point_list *pieces)
{
    const size_t most = (size_t)leaves_of(ground, axis) * axis->height + 1;
    point *const points = PV_NEW_ARRAY(point, most);
    if (points == NULL) {
        return false;
    }
    const size_t n = keep_corners(points, values_of(ground, axis, points));
    point *const longer = pv_i_resize(pieces->points, pieces->n + n, sizeof *longer);
    if (longer != NULL) {
        pieces->points = longer;
        for (size_t i = 1; i < n; i++) {
            longer[pieces->n++] = (point){points[i].utility - points[i - 1].utility,
                                          points[i].phi - points[i - 1].phi};
        }
        qsort(longer, pieces->n, sizeof *longer, by_price);
    }
    pv_i_free(points);
    return longer != NULL;
}

static bool add_up(const point_list *pieces, pv_price_list *list)
{
    list->n = pieces->n;
    list->utility = PV_NEW_ZEROED(double, pieces->n + 1);
    list->phi = PV_NEW_ZEROED(double, pieces->n + 1);
    if (list->utility == NULL || list->phi == NULL) {
        return false;
    }
    for (size_t i = 0; i < pieces->n; i++) {
        list->utility[i + 1] = list->utility[i] + pieces->points[i].utility;
        list->phi[i + 1] = list->phi[i] + pieces->points[i].phi;
    }
    return true;
}

int64_t pv_i_price(const pv_price_list *list, int64_t utility)
{
    const double wanted = (double)utility;
    size_t i = 0; /* pieces that are not enough */
    for (size_t step = pv_i_next_power(list->n + 1) / 2; step > 0; step /= 2) {
        i += i + step <= list->n && list->utility[i + step] < wanted ? step : 0;
    }
    if (i == list->n) {
        return (int64_t)list->phi[i];
    }
    const double part = (wanted - list->utility[i]) / (list->utility[i + 1] - list->utility[i]);
    const double phi = list->phi[i] + part * (list->phi[i + 1] - list->phi[i]);
    return phi > 0 ? (int64_t)(phi * (1 - 0x1p-30)) : 0; /* rounding must not make it more */
}

/* ------------------------------------------------------------------- rests */

static void fill_most(const pv_record_ground *ground, size_t position)
{
    const pv_record_axis *const axis = &ground->axes[position];
    const pv_record_rest *const after = &ground->rest[position + 1];
    pv_record_rest *const rest = &ground->rest[position];
    pv_worth most = {0};
    rest->least_phi = after->least_phi;
    for (uint32_t leaf = 0; leaf < leaves_of(ground, axis); leaf++) {
        const pv_worth raw = axis->worth[0][leaf];
        most.utility = raw.utility > most.utility ? raw.utility : most.utility;
        most.phi = raw.phi > most.phi ? raw.phi : most.phi;
        for (unsigned level = 0; level < axis->root_level[leaf]; level++) {
            const int64_t phi = axis->worth[level][leaf].phi;
            rest->least_phi = phi < rest->least_phi ? phi : rest->least_phi;
        }
    }
    rest->most.utility = after->most.utility + most.utility;
    rest->most.phi = after->most.phi + most.phi;
    rest->top = after->top + axis->worth[axis->height][0].utility;
    rest->top_node = after->top_node + axis->height * axis->stride;
}

static pv_worth add_worth(pv_worth a, pv_worth b)
{
    return (pv_worth){a.utility + b.utility, a.phi + b.phi};
}

static bool fill_raw(const pv_record_ground *ground, size_t position)
{
    const pv_record_axis *const axis = &ground->axes[position];
    const pv_tails *const tails = &ground->tails;
    pv_record_rest *const rest = &ground->rest[position];
    rest->raw = PV_NEW_ARRAY(pv_raw_tail, tails->n[position]);
    for (uint32_t t = 0; rest->raw != NULL && t < tails->n[position]; t++) {
        const uint32_t leaf = tails->value[position][t];
        const pv_raw_tail after = ground->rest[position + 1].raw[tails->rest[position][t]];
        rest->raw[t].worth = add_worth(axis->worth[0][leaf], after.worth);
        rest->raw[t].node =
            after.node + (axis->root_level[leaf] == 0 ? axis->height * axis->stride : 0);
    }
    return rest->raw != NULL;
}

pv_worth pv_i_raw_worth(const pv_record_ground *ground, uint32_t tail)
{
    const pv_tails *const tails = &ground->tails;
    return add_worth(ground->axes[0].worth[0][tails->value[0][tail]],
                     ground->rest[1].raw[tails->rest[0][tail]].worth);
}

static bool fill_rests(pv_record_ground *ground)
{
    point_list pieces = {0};
    pv_record_rest *const end = &ground->rest[ground->n];
    end->least_phi = NO_VALUE;
    end->raw = PV_NEW_ZEROED(pv_raw_tail, 1);
    bool ready = end->raw != NULL && add_up(&pieces, &end->list);
    for (size_t p = ground->n; ready && p-- > 0;) {
        fill_most(ground, p);
        /* There are most tails at position 0, and nobody needs them more than once. */
        ready = (p == 0 || fill_raw(ground, p)) && add_pieces(ground, &ground->axes[p], &pieces) &&
                add_up(&pieces, &ground->rest[p].list);
    }
    pv_i_free(pieces.points);
    return ready;
}

pv_status pv_i_record_rests_init(pv_record_ground *ground, pv_error *error)
{
    ground->rest = PV_NEW_ZEROED(pv_record_rest, ground->n + 1);
    return ground->rest != NULL && fill_rests(ground) ? PV_STATUS_OK : pv_i_no_memory(error);
}

void pv_i_record_rests_deinit(pv_record_ground *ground)
{
    for (size_t p = 0; ground->rest != NULL && p <= ground->n; p++) {
        pv_i_free(ground->rest[p].raw);
        pv_i_free(ground->rest[p].list.utility);
        pv_i_free(ground->rest[p].list.phi);
    }
    pv_i_free(ground->rest);
}
