/* Choosing among the points of a front: the knee and other points worth a look, and points that
 * keep bounds.
 *
 *      cost |                 .high       Between its ends a front hangs below the straight line
 *           |              .  |           that joins them: up to the knee privacy is cheap, from
 *           |          . '    |           there on it is dear. The knee hangs lowest.
 *           |      .  '  knee |
 *           | low'____________|_ gain
 *
 * Every objective is scaled to [0,1] between its worst and its best value on the front. The gain of
 * a point is the mean over the objectives of the first one's kind (losses or not), its cost what it
 * has given up of the others: so all of them have a say, however many there are. With two
 * objectives that is the usual picture.
 *
 * What a class of k people is worth is the risk it leaves, 1/k: from 2 to 4 as much is gained as
 * from 4 to infinity. (On the logarithm of k a table is hardly safer at 10 than at 5, but as much
 * safer at 20,000 than at 10,000, and the knee would be where next to nothing is left to see.)
 *
 * Points that leave someone alone (k=1) are no choice beside others: they would only stretch the
 * scale.
 *
 * By bounds: of the points that keep all of them, compared objective by objective, what is demanded
 * is paid by the other side: whoever bounds privacy gets the least loss, whoever bounds loss gets
 * the most privacy. Objectives with a bound decide last. */
#include "base/error.h"
#include "front/front.h"
#include "measure/entry.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#define GAIN 0 /* the first objective */
#define NO_POINTS "the front is empty: no scheme was found"

size_t pv_front_price(const pv_front *front)
{
    const bool gain_is_loss = front->objectives[GAIN].measure->family == PV_FAMILY_LOSS;
    for (size_t i = 1; i < front->n_objectives; i++) {
        if ((front->objectives[i].measure->family == PV_FAMILY_LOSS) != gain_is_loss) {
            return i;
        }
    }
    return 1;
}

/* A point as the picture above shows it. */
typedef struct {
    double gain, cost;
} place;

typedef struct {
    const pv_front *front;
    bool all; /* every point leaves someone alone: then all count */
    double worst[PV_MAX_OBJECTIVES], best[PV_MAX_OBJECTIVES]; /* worths */
} scale;

static bool counts(const scale *s, size_t point)
{
    return s->all || s->front->points[point].k != 1;
}

static double oriented(const pv_front *front, size_t point, size_t objective)
{
    const pv_measure *const measure = front->objectives[objective].measure;
    const bool more = (measure->direction == PV_MORE_IS_BETTER) != measure->alternatives;
    const double value = front->points[point].values[objective];
    const double worth = measure->alternatives ? 1 / fmax(value, 1) : value;
    return more ? worth : -worth;
}

static scale scale_of(const pv_front *front)
{
    scale s = {.front = front, .all = true};
    for (size_t i = 0; i < front->n_points; i++) {
        s.all = s.all && front->points[i].k == 1;
    }
    for (size_t o = 0; o < front->n_objectives; o++) {
        s.worst[o] = (double)INFINITY;
        s.best[o] = -(double)INFINITY;
        for (size_t i = 0; i < front->n_points; i++) {
            if (counts(&s, i)) {
                s.worst[o] = fmin(s.worst[o], oriented(front, i, o));
                s.best[o] = fmax(s.best[o], oriented(front, i, o));
            }
        }
    }
    return s;
}

/* Does an objective go with the first? If all are of one kind, only the first does. */
static bool is_gain(const pv_front *front, size_t objective)
{
    const bool loss = front->objectives[GAIN].measure->family == PV_FAMILY_LOSS;
    const size_t price = pv_front_price(front);
    const bool mixed = (front->objectives[price].measure->family == PV_FAMILY_LOSS) != loss;
    return mixed ? (front->objectives[objective].measure->family == PV_FAMILY_LOSS) == loss
                 : objective == GAIN;
}

static place place_of(const scale *s, size_t point)
{
    double sums[2] = {0};
    double numbers[2] = {0};
    for (size_t o = 0; o < s->front->n_objectives; o++) {
        const double length = s->best[o] - s->worst[o];
        const double good = length > 0 ? (oriented(s->front, point, o) - s->worst[o]) / length : 0;
        const bool gain = is_gain(s->front, o);
        sums[gain] += gain ? good : 1 - good;
        numbers[gain]++;
    }
    return (place){.gain = sums[1] / numbers[1], .cost = sums[0] / numbers[0]};
}

/* The ends: the least cost there is (and the most gain for it), the most gain (and the least cost).
 */
static size_t find_end(const scale *s, bool high)
{
    size_t best = SIZE_MAX;
    place at = {0};
    for (size_t i = 0; i < s->front->n_points; i++) {
        const place p = place_of(s, i);
        const double first = high ? p.gain - at.gain : at.cost - p.cost;
        const double then = high ? at.cost - p.cost : p.gain - at.gain;
        if (counts(s, i) && (best == SIZE_MAX || first > 0 || (!(first < 0) && then > 0))) {
            best = i;
            at = p;
        }
    }
    return best;
}

/* Points that differ by less are one choice. */
#define ALIKE_GAIN 0.15
#define ALIKE_COST 0.1

/* The point between two ends that lies farthest below the line joining them, and is not like
 * `other` (SIZE_MAX = any); `low` if there is none. */
static size_t bend(const scale *s, size_t low, size_t high, size_t other)
{
    const place start = place_of(s, low);
    const place end = place_of(s, high);
    const place near = place_of(s, other != SIZE_MAX ? other : low);
    size_t best = low;
    double farthest = -(double)INFINITY;
    for (size_t i = 0; i < s->front->n_points; i++) {
        const place p = place_of(s, i);
        const bool alike = other != SIZE_MAX && fabs(p.gain - near.gain) < ALIKE_GAIN &&
                           fabs(p.cost - near.cost) < ALIKE_COST;
        if (alike || !counts(s, i) || !(p.gain > start.gain && p.gain < end.gain) ||
            !(p.cost > start.cost && p.cost < end.cost)) {
            continue;
        }
        const double distance = (p.gain - start.gain) / (end.gain - start.gain) -
                                (p.cost - start.cost) / (end.cost - start.cost);
        if (distance > farthest) {
            farthest = distance;
            best = i;
        }
    }
    return best;
}

size_t pv_front_knee(const pv_front *front)
{
    const scale s = scale_of(front);
    return bend(&s, find_end(&s, false), find_end(&s, true), SIZE_MAX);
}

size_t pv_front_suggest(const pv_front *front, pv_suggestion suggestions[PV_MAX_SUGGESTIONS])
{
    if (front->n_points == 0) {
        return 0;
    }
    const scale s = scale_of(front);
    const size_t low = find_end(&s, false);
    const size_t high = find_end(&s, true);
    const size_t knee = bend(&s, low, high, SIZE_MAX);
    const size_t gentle = bend(&s, low, knee, knee);
    const size_t strong = bend(&s, knee, high, knee);
    size_t n = 0;
    if (gentle != low) {
        suggestions[n++] = (pv_suggestion){.point = gentle, .from = low, .name = "gentle"};
    }
    suggestions[n++] = (pv_suggestion){.point = knee, .from = gentle, .name = "knee"};
    if (strong != knee) {
        suggestions[n++] = (pv_suggestion){.point = strong, .from = knee, .name = "strong"};
    }
    return n;
}

const char *pv_suggestion_name(const pv_suggestion *suggestions, size_t n, size_t point)
{
    for (size_t i = 0; i < n; i++) {
        if (suggestions[i].point == point) {
            return suggestions[i].name;
        }
    }
    return NULL;
}

/* ----------------------------------------------------------------- bounds */

/* Bounds that people put on the points of a front. */
typedef struct {
    const pv_front *front;
    const pv_profile *profile;
    pv_constraint list[PV_MAX_CONSTRAINTS];
    size_t n;
} bounds;

/* SIZE_MAX = it is none of them. */
static size_t objective_of(const pv_measure_ref *objectives, size_t n, pv_measure_ref ref)
{
    for (size_t i = 0; i < n; i++) {
        if (pv_measure_same(&objectives[i], &ref)) {
            return i;
        }
    }
    return SIZE_MAX;
}

/* The first bound on what is no objective; NULL if there is none. k is known of every point,
 * whatever the objectives. */
static const pv_constraint *find_missing(const pv_constraint *list, size_t n_bounds,
                                         const pv_measure_ref *objectives, size_t n)
{
    for (size_t i = 0; i < n_bounds; i++) {
        if (objective_of(objectives, n, list[i].ref) == SIZE_MAX &&
            list[i].ref.measure->rule != PV_RULE_SIZE) {
            return &list[i];
        }
    }
    return NULL;
}

bool pv_pick_misses(const pv_measure_ref *objectives, size_t n, const char *text,
                    pv_measure_ref *missing)
{
    pv_constraint list[PV_MAX_CONSTRAINTS];
    size_t n_bounds = 0;
    const pv_constraint *const found =
        pv_i_bounds_parse(text, list, &n_bounds, NULL) == PV_STATUS_OK
            ? find_missing(list, n_bounds, objectives, n)
            : NULL;
    if (found != NULL) {
        *missing = found->ref;
    }
    return found != NULL;
}

static pv_status parse_bounds(const pv_front *front, const pv_profile *profile, const char *text,
                              bounds *parsed, pv_error *error)
{
    *parsed = (bounds){.front = front, .profile = profile};
    PV_TRY(pv_i_bounds_parse(text, parsed->list, &parsed->n, error));
    if (front->n_points == 0) {
        return pv_i_fail(error, PV_STATUS_UNSATISFIED, "%s", NO_POINTS);
    }
    const pv_constraint *const missing =
        find_missing(parsed->list, parsed->n, front->objectives, front->n_objectives);
    if (missing != NULL) {
        char name[PV_MEASURE_TEXT_SIZE];
        pv_measure_text(missing->ref, name, sizeof name);
        return pv_i_hint(
            pv_i_fail(error, PV_STATUS_ARGUMENT, "'%s' is no objective of this front", name), error,
            missing->ref.column[0] == '\0'
                ? "search with it as an objective"
                : "an objective is about every sensitive column; demand it of one instead");
    }
    return PV_STATUS_OK;
}

/* The value a bound speaks of. */
static double value_for(const bounds *b, const pv_constraint *bound, size_t point)
{
    const pv_measure *const measure = bound->ref.measure;
    const pv_point *const p = &b->front->points[point];
    const size_t o = objective_of(b->front->objectives, b->front->n_objectives, bound->ref);
    const double value = o == SIZE_MAX ? (double)p->k : p->values[o];
    const bool as_share = bound->bound <= 1 && pv_measure_reads_as_share(measure, b->profile);
    return as_share ? pv_measure_share(measure, b->profile, value) : value;
}

static bool keeps(const bounds *b, size_t point)
{
    for (size_t i = 0; i < b->n; i++) {
        if (!pv_constraint_holds(&b->list[i], value_for(b, &b->list[i], point))) {
            return false;
        }
    }
    return true;
}

/* The refusal, with what the front has to offer instead. */
static pv_status none_keeps(const bounds *b, pv_error *error)
{
    const char *const may_be = b->front->complete ? "" : "; the search was not complete";
    for (size_t i = 0; i < b->n; i++) {
        const pv_constraint *const bound = &b->list[i];
        const bool more = bound->ref.measure->direction == PV_MORE_IS_BETTER;
        double best = value_for(b, bound, 0);
        for (size_t point = 1; point < b->front->n_points; point++) {
            const double value = value_for(b, bound, point);
            best = more ? fmax(best, value) : fmin(best, value);
        }
        if (!pv_constraint_holds(bound, best)) {
            char text[PV_MEASURE_TEXT_SIZE];
            pv_constraint_text(bound, text, sizeof text);
            return pv_i_hint(
                pv_i_fail(error, PV_STATUS_UNSATISFIED, "no point of the front has %s", text),
                error, "the %s %s on the front is %.6g%s", more ? "highest" : "lowest",
                bound->ref.measure->name, best, may_be);
        }
    }
    return pv_i_hint(pv_i_fail(error, PV_STATUS_UNSATISFIED,
                               "no point of the front keeps all of these bounds together"),
                     error, "each of them alone can be kept%s", may_be);
}

/* ------------------------------------------------------------------- pick */

/* The objectives in the order in which they decide, in three rounds: the side that pays, the others
 * without a bound, those with one. */
static void choose_order(const bounds *b, size_t order[PV_MAX_OBJECTIVES])
{
    const pv_front *const front = b->front;
    bool losses_pay = false; /* some bound is not on a loss */
    size_t n = 0;
    for (size_t i = 0; i < b->n; i++) {
        losses_pay |= b->list[i].ref.measure->family != PV_FAMILY_LOSS;
    }
    for (unsigned round = 0; round < 3; round++) {
        for (size_t o = 0; o < front->n_objectives; o++) {
            const bool is_loss = front->objectives[o].measure->family == PV_FAMILY_LOSS;
            bool bounded = false;
            for (size_t i = 0; i < b->n; i++) {
                bounded |= objective_of(&front->objectives[o], 1, b->list[i].ref) == 0;
            }
            const unsigned its_round = bounded ? 2 : losses_pay && is_loss ? 0 : 1;
            if (its_round == round) {
                order[n++] = o;
            }
        }
    }
}

static bool is_better(const pv_front *front, const size_t *order, size_t a, size_t b)
{
    for (size_t i = 0; i < front->n_objectives; i++) {
        const double left = front->points[a].values[order[i]];
        const double right = front->points[b].values[order[i]];
        if (pv_i_front_better(front, order[i], left, right)) {
            return true;
        }
        if (pv_i_front_better(front, order[i], right, left)) {
            return false;
        }
    }
    return false;
}

pv_status pv_front_choose(const pv_front *front, const pv_profile *profile, const char *text,
                          size_t *point, pv_error *error)
{
    bounds demanded;
    size_t order[PV_MAX_OBJECTIVES];
    size_t best = SIZE_MAX;
    if (strcmp(text, "knee") == 0) {
        if (front->n_points == 0) {
            return pv_i_fail(error, PV_STATUS_UNSATISFIED, "%s", NO_POINTS);
        }
        *point = pv_front_knee(front);
        return PV_STATUS_OK;
    }
    if (strchr(text, '=') == NULL) {
        return pv_i_hint(pv_i_fail(error, PV_STATUS_ARGUMENT,
                                   "a point of the front is picked by `knee` or by a bound"),
                         error, "such as knee, k=5 or 'glm<=0.3'");
    }
    PV_TRY(parse_bounds(front, profile, text, &demanded, error));
    choose_order(&demanded, order);
    for (size_t i = 0; i < front->n_points; i++) {
        if (keeps(&demanded, i) && (best == SIZE_MAX || is_better(front, order, i, best))) {
            best = i;
        }
    }
    if (best == SIZE_MAX) {
        return none_keeps(&demanded, error);
    }
    *point = best;
    return PV_STATUS_OK;
}

const pv_scheme *pv_front_pick(const pv_front *front, const char *text)
{
    size_t point = 0;
    return front != NULL && front->profile != NULL &&
                   pv_front_choose(front, front->profile, text, &point, NULL) == PV_STATUS_OK
               ? front->points[point].scheme
               : NULL;
}

/* The points stay in their order; what they point to stays where it is. */
pv_status pv_front_where(pv_front *front, const pv_profile *profile, const char *text,
                         pv_error *error)
{
    bounds demanded;
    size_t n = 0;
    PV_TRY(parse_bounds(front, profile, text, &demanded, error));
    for (size_t i = 0; i < front->n_points; i++) {
        n += keeps(&demanded, i);
    }
    if (n == 0) {
        return none_keeps(&demanded, error);
    }
    n = 0;
    for (size_t i = 0; i < front->n_points; i++) {
        if (keeps(&demanded, i)) {
            front->points[n++] = front->points[i];
        }
    }
    front->n_hidden += front->n_points - n;
    front->n_points = n;
    return PV_STATUS_OK;
}

/* ---------------------------------------------------- before there is a front */

/* What is wrong with a text on a front of one point is wrong on every front. Without a profile the
 * front has no points: then nothing can be wrong but the spelling. */
static pv_status try_on_sample(const pv_measure_ref *objectives, size_t n,
                               const pv_profile *profile, const char *text, bool is_pick,
                               pv_error *error)
{
    static const double values[PV_MAX_OBJECTIVES] = {0};
    pv_point point = {.values = values};
    pv_front sample = {.points = &point, .n_points = profile != NULL, .n_objectives = n};
    size_t picked = 0;
    for (size_t i = 0; i < n; i++) {
        sample.objectives[i] = objectives[i];
    }
    const pv_status status = is_pick ? pv_front_choose(&sample, profile, text, &picked, error)
                                     : pv_front_where(&sample, profile, text, error);
    return status == PV_STATUS_UNSATISFIED ? PV_STATUS_OK : status;
}

pv_status pv_pick_check(const pv_measure_ref *objectives, size_t n, const pv_profile *profile,
                        const char *text, pv_error *error)
{
    return try_on_sample(objectives, n, profile, text, true, error);
}

pv_status pv_where_check(const pv_measure_ref *objectives, size_t n, const pv_profile *profile,
                         const char *text, pv_error *error)
{
    return try_on_sample(objectives, n, profile, text, false, error);
}
