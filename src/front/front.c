/* Fronts as results: their lifetime, what can be read of them, and values as shares. */
#include "front/front.h"

#include "base/buffer.h"
#include "base/error.h"
#include "base/memory.h"
#include "classes/profile.h"
#include "measure/entry.h"

#include <assert.h>
#include <inttypes.h>
#include <math.h>
#include <stdio.h>

#define MOST_POPULATION ((size_t)1 << 20)

void pv_front_free(pv_front *front)
{
    if (front != NULL) {
        for (size_t i = 0; i < front->n_cuts; i++) {
            pv_cuts_free(front->cuts[i]);
        }
        pv_i_free(front->cuts);
        pv_i_free(front->points);
        pv_i_free(front->memory);
        for (size_t i = 0; front->schemes != NULL && i < front->n_points; i++) {
            pv_i_free(front->schemes[i].demands);
        }
        pv_i_free(front->schemes);
        pv_i_free(front->demands);
        pv_i_free(front->moments);
        pv_i_free(front);
    }
}

/* --------------------------------------------------------------- accessors
 *
 * What a field is, is said once, in the public header. */

/* clang-format off */
void pv_front_rephrase(pv_front *f, const char *const *words) { f->words = words; }
size_t pv_front_n_points(const pv_front *f) { return f->n_points; }
size_t pv_front_n_hidden(const pv_front *f) { return f->n_hidden; }
size_t pv_front_n_objectives(const pv_front *f) { return f->n_objectives; }
const pv_measure_ref *pv_front_objectives(const pv_front *f) { return f->objectives; }
bool pv_front_has_cuts(const pv_front *f) { return f->cuts != NULL; }
bool pv_front_has_bounds(const pv_front *f) { return f->cuts != NULL || f->bounded; }

const pv_cuts *pv_front_cuts(const pv_front *f, size_t point) { return f->points[point].cuts; }
uint64_t pv_front_k(const pv_front *f, size_t point) { return f->points[point].k; }
uint64_t pv_front_suppressed(const pv_front *f, size_t point) { return f->points[point].suppressed; }
uint64_t pv_front_ties(const pv_front *f, size_t point) { return f->points[point].ties; }
double pv_front_bound(const pv_front *f, size_t point) { return f->points[point].bound; }

const char *pv_front_method(const pv_front *f) { return f->method; }
const char *pv_front_reason(const pv_front *f) { return f->reason; }
const char *pv_front_alternative(const pv_front *f) { return f->alternative; }
bool pv_front_is_complete(const pv_front *f) { return f->complete; }
bool pv_front_keeps_branches(const pv_front *f) { return f->keeps_branches; }
pv_suppression pv_front_suppression(const pv_front *f) { return f->suppression; }
pv_stop pv_front_stop(const pv_front *f) { return f->stop; }
uint64_t pv_front_seed(const pv_front *f) { return f->seed; }
double pv_front_most_points(const pv_front *f) { return f->most_points; }

double pv_front_n_schemes(const pv_front *f) { return f->nodes; }
uint64_t pv_front_n_evaluated(const pv_front *f) { return f->evaluated; }
uint64_t pv_front_n_explored(const pv_front *f) { return f->explored; }
uint64_t pv_front_n_pruned_by_privacy(const pv_front *f) { return f->pruned_mark; }
uint64_t pv_front_n_pruned_by_loss(const pv_front *f) { return f->pruned_loss; }
uint64_t pv_front_n_proof_nodes(const pv_front *f) { return f->proof_nodes; }
uint64_t pv_front_n_iterations(const pv_front *f) { return f->iterations; }
double pv_front_seconds(const pv_front *f) { return f->seconds; }
/* clang-format on */

const double *pv_front_values(const pv_front *front, size_t point, size_t *n)
{
    if (n != NULL) {
        *n = front->n_objectives;
    }
    return front->points[point].values;
}

const uint8_t *pv_front_levels(const pv_front *front, size_t point, size_t *n)
{
    if (n != NULL) {
        *n = front->n_levels;
    }
    return front->points[point].levels;
}

/* What a release of the point must demand so that just its rows are suppressed. */
pv_status pv_i_point_demands(const pv_front *front, size_t point, char **text, pv_error *error)
{
    const pv_point *const p = &front->points[point];
    pv_buffer out = {0};
    pv_i_buffer_format(&out, "k=%" PRIu64, p->k);
    for (size_t o = 0; o < front->n_objectives; o++) {
        const pv_measure *const measure = front->objectives[o].measure;
        if (measure->rule == PV_RULE_SENSITIVE && pv_i_measure_entry(measure)->breaks_for_good) {
            pv_i_buffer_format(&out, ",%s=%.17g", measure->name, p->values[o]);
        }
    }
    for (size_t i = 0; i < front->n_demands; i++) {
        char name[PV_MEASURE_TEXT_SIZE];
        pv_measure_text(front->demands[i].ref, name, sizeof name);
        pv_i_buffer_format(&out, ",%s=%.17g", name, front->demands[i].bound);
    }
    return pv_i_buffer_take(&out, text, error);
}

pv_status pv_front_scheme(const pv_front *front, size_t point, pv_scheme **scheme, pv_error *error)
{
    const pv_point *const p = &front->points[point];
    pv_scheme *made = NULL;
    if (p->cuts != NULL) {
        return pv_scheme_from_cuts(p->cuts, scheme, error);
    }
    PV_TRY(pv_scheme_from_levels(p->levels, front->n_levels, &made, error));
    const pv_status status = pv_i_point_demands(front, point, &made->demands, error);
    if (status != PV_STATUS_OK) {
        pv_scheme_free(made);
        return status;
    }
    *scheme = made;
    return PV_STATUS_OK;
}

size_t pv_front_groups(const pv_front *front, size_t point, size_t quasi)
{
    return pv_cuts_n_groups(front->points[point].cuts, quasi);
}

size_t pv_front_bounded(const pv_front *front)
{
    size_t loss = 0;
    while (loss + 1 < front->n_objectives &&
           front->objectives[loss].measure->family != PV_FAMILY_LOSS) {
        loss++;
    }
    return loss;
}

double pv_front_gap(const pv_front *front, size_t point)
{
    const pv_point *const p = &front->points[point];
    const double loss = p->values[pv_front_bounded(front)];
    return loss <= p->bound ? 0 : loss / p->bound - 1;
}

const double *pv_front_epsilons(const pv_front *front, size_t *n)
{
    if (n != NULL) {
        *n = front->n_objectives;
    }
    return front->epsilons;
}

static_assert(sizeof(pv_moment) == PV_MOMENT_NUMBERS * sizeof(double), "a moment is a row");

const double *pv_front_moments(const pv_front *front, size_t *n)
{
    *n = front->n_moments;
    return front->n_moments > 0 ? &front->moments->evaluated : NULL;
}

/* ----------------------------------------------------------------- shares */

double pv_measure_share(const pv_measure *measure, const pv_profile *profile, double value)
{
    const double rows = (double)profile->n_rows;
    switch (measure->scale) {
    case PV_SCALE_ONE: return value;
    case PV_SCALE_ROWS: return value / rows;
    case PV_SCALE_CELLS: return value / (rows * (double)pv_study_quasis(profile->study));
    case PV_SCALE_PAIRS: return value / (rows * rows);
    case PV_SCALE_NONE: break;
    }
    return (double)NAN;
}

bool pv_measure_reads_as_share(const pv_measure *measure, const pv_profile *profile)
{
    const bool of_people = measure->family == PV_FAMILY_RISK ||
                           (measure->family == PV_FAMILY_LOSS && measure->has_rows);
    return of_people && isfinite(pv_measure_share(measure, profile, 1));
}

double pv_i_front_shown(const pv_front *front, const pv_profile *profile, size_t objective,
                        double value)
{
    const pv_measure *const measure = front->objectives[objective].measure;
    return pv_measure_reads_as_share(measure, profile) ? pv_measure_share(measure, profile, value)
                                                       : value;
}

void pv_gap_text(double gap, pv_gap_style style, char *text, size_t size)
{
    const bool factor = gap > 1;
    char number[48];
    if (!(gap > 0) || !isfinite(gap)) {
        (void)snprintf(text, size, "%s", gap <= 0 ? "optimal" : "nothing");
        return;
    }
    const int n = snprintf(number, sizeof number, "%.1f",
                           factor ? ceil((1 + gap) * 10) / 10 : ceil(gap * 1000) / 10);
    if (style == PV_GAP_SENTENCE && n > 2 && (size_t)n < sizeof number && number[n - 1] == '0') {
        number[n - 2] = '\0'; /* 5.0 is 5 */
    }
    if (style == PV_GAP_BRIEF) {
        (void)snprintf(text, size, "within %s%s", number, factor ? "x" : "%");
    } else {
        (void)snprintf(text, size, "at most %s%s", number,
                       factor ? " times the optimum" : "% above the optimum");
    }
}

/* ------------------------------------------------- evolutionary searches */

double pv_i_chance(double asked, double usual)
{
    const bool given = !(asked >= 0 && asked <= 0);
    return asked < 0 ? 0 : given ? asked : usual;
}

pv_status pv_i_chances_check(size_t population, double crossover, double mutation, pv_error *error)
{
    if (population > MOST_POPULATION) {
        return pv_i_fail(error, PV_STATUS_ARGUMENT, "a population has up to %zu schemes",
                         MOST_POPULATION);
    }
    if (!(crossover <= 1) || !(mutation <= 1)) {
        return pv_i_fail(error, PV_STATUS_ARGUMENT,
                         "the chances of crossover and mutation are between 0 and 1");
    }
    return PV_STATUS_OK;
}
