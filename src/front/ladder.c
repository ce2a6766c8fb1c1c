/* The points of a ladder, and what follows from one for the others.
 *
 *     loss |               o           What keeps a larger k keeps a smaller one: a point may take
 *          |        o  <---'o          over the scheme of one to its right that loses less. And
 *          |   o                       whatever keeps a larger k keeps a smaller one, too, so the
 *          | -----.....------          bound of a point holds for all to its right.
 *          +-----------------
 *              2    5  10  25  k  */
#include "front/ladder.h"

#include "base/buffer.h"
#include "base/error.h"
#include "base/markup.h"
#include "base/memory.h"
#include "scheme/scheme.h"

#include <math.h>
#include <string.h>

void pv_ladder_free(pv_ladder *ladder)
{
    for (size_t c = 0; ladder != NULL && c < PV_N_SCHEME_KINDS; c++) {
        pv_ladder_curve *const curve = &ladder->curves[c];
        for (size_t i = 0; curve->schemes != NULL && i < ladder->n; i++) {
            pv_scheme_free(curve->schemes[i]);
        }
        pv_i_free(curve->schemes);
        pv_i_free(curve->points);
        pv_i_free(curve->refusal);
    }
    pv_i_free(ladder);
}

static double gap_of(const pv_ladder_point *point)
{
    return point->scheme == NULL ? (double)INFINITY
           : point->value <= 0   ? 0
           : point->bound > 0    ? fmax(point->value / point->bound - 1, 0)
                                 : (double)INFINITY;
}

void pv_i_ladder_settle(pv_ladder *ladder, const pv_profile *profile)
{
    for (size_t c = 0; c < PV_N_SCHEME_KINDS; c++) {
        pv_ladder_point *const points = ladder->curves[c].points;
        if (!ladder->curves[c].searched) {
            continue;
        }
        for (size_t i = ladder->n; i-- > 1;) {
            pv_ladder_point *const point = &points[i - 1];
            const pv_ladder_point *const next = &points[i];
            if (next->scheme != NULL && (point->scheme == NULL || next->value < point->value)) {
                point->scheme = next->scheme;
                point->value = next->value;
                point->suppressed = next->suppressed;
                point->found_for = next->found_for;
            }
        }
        for (size_t i = 0; i < ladder->n; i++) {
            pv_ladder_point *const point = &points[i];
            point->bound = i > 0 ? fmax(point->bound, points[i - 1].bound) : point->bound;
            if (point->scheme != NULL) {
                point->bound = fmin(point->bound, point->value);
                point->share = pv_measure_share(ladder->loss.measure, profile, point->value);
            }
            point->gap = gap_of(point);
        }
    }
}

/* ------------------------------------------------------------------ asking */

const pv_ladder_point *pv_ladder_at(const pv_ladder *ladder, pv_scheme_kind kind, size_t point)
{
    return &ladder->curves[kind].points[point];
}

size_t pv_ladder_n_found(const pv_ladder *ladder)
{
    size_t n = 0;
    for (size_t c = 0; c < PV_N_SCHEME_KINDS; c++) {
        for (size_t i = 0; ladder->curves[c].searched && i < ladder->n; i++) {
            n += ladder->curves[c].points[i].scheme != NULL;
        }
    }
    return n;
}

size_t pv_ladder_pick(const pv_ladder *ladder, pv_scheme_kind kind, uint64_t k)
{
    for (size_t i = 0; ladder->curves[kind].searched && i < ladder->n; i++) {
        const pv_ladder_point *const point = &ladder->curves[kind].points[i];
        if (point->k >= k && point->scheme != NULL) {
            return i;
        }
    }
    return SIZE_MAX;
}

pv_status pv_ladder_scheme(const pv_ladder *ladder, pv_scheme_kind kind, size_t point,
                           pv_scheme **scheme, pv_error *error)
{
    const pv_scheme *const found = ladder->curves[kind].points[point].scheme;
    return found != NULL ? pv_i_scheme_copy(found, ladder->n_tuples, scheme, error)
                         : pv_i_fail(error, PV_STATUS_UNSATISFIED, "nothing was found for this k");
}

const pv_constraint *pv_ladder_demands(const pv_ladder *ladder, size_t *n_demands)
{
    *n_demands = ladder->n_demands;
    return ladder->demands;
}

/* clang-format off */
size_t pv_ladder_n(const pv_ladder *l) { return l->n; }
bool pv_ladder_has(const pv_ladder *l, pv_scheme_kind kind) { return l->curves[kind].searched; }
const char *pv_ladder_refusal(const pv_ladder *l, pv_scheme_kind kind) { return l->curves[kind].refusal; }
pv_measure_ref pv_ladder_loss(const pv_ladder *l) { return l->loss; }
uint64_t pv_ladder_budget(const pv_ladder *l) { return l->budget; }
double pv_ladder_seconds(const pv_ladder *l) { return l->seconds; }
pv_stop pv_ladder_stop(const pv_ladder *l) { return l->stop; }
/* clang-format on */

/* ------------------------------------------------------------------- words */

const char *pv_scheme_kind_name(pv_scheme_kind kind)
{
    static const char *const names[] = {
        [PV_SCHEME_LEVELS] = "levels", [PV_SCHEME_CUTS] = "cuts", [PV_SCHEME_RECORDS] = "local"};
    return names[kind];
}

const char *pv_scheme_kind_title(pv_scheme_kind kind)
{
    static const char *const titles[] = {[PV_SCHEME_LEVELS] = "one level per attribute",
                                         [PV_SCHEME_CUTS] = "cuts",
                                         [PV_SCHEME_RECORDS] = "local recoding"};
    return titles[kind];
}

pv_status pv_ladder_sentence(const pv_ladder *ladder, size_t point, char **text, pv_error *error)
{
    pv_buffer out = {0};
    bool first = true;
    for (size_t c = 0; c < PV_N_SCHEME_KINDS; c++) {
        if (!ladder->curves[c].searched) {
            continue;
        }
        const pv_ladder_point *const r = &ladder->curves[c].points[point];
        if (first) {
            pv_i_buffer_format(&out, "at k = %llu: ", (unsigned long long)r->k);
        }
        pv_i_buffer_format(&out, "%s%s ", first ? "" : ", ",
                           pv_scheme_kind_title((pv_scheme_kind)c));
        if (r->scheme == NULL) {
            pv_i_buffer_text(&out, "was not found to keep it");
        } else {
            pv_i_buffer_format(&out, "%s%s", first ? "loses " : "", PV_PLAIN_PERCENT(r->share));
        }
        first = false;
    }
    const pv_status status = pv_i_buffer_take(&out, text, error);
    pv_i_buffer_deinit(&out);
    return status;
}
