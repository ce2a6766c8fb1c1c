/* The archive of non-dominated schemes, and its boxes.
 *
 * Box-dominance (PBG, algorithm 1; docs/model.md, section 4): the values of an objective are
 * divided into steps of a size epsilon. Of two schemes in different boxes the boxes are compared,
 * of two in the same box the values; incomparable there, the older one stays. An objective with
 * epsilon 0 is not divided: its value is its own box. With all epsilons 0 this is plain dominance.
 *
 *     -loss |  a   |      |      |     a and b: boxes compared, neither is better: both stay
 *           |______|______|______|     b and c: one box, values incomparable: the older one stays
 *           |      | b    |      |     d: its box is worse than that of b: rejected, although d
 *           |      |    c |      |        has more k than b
 *           |______|______|______|
 *           |      |    d |      |
 *           |______|______|______|_ k
 *
 * Values are compared oriented, more is better, and settled: what differs only in the last digits
 * of a sum is equal. Equal values are one member, represented by the scheme that comes first in the
 * lattice's order; so without boxes the content does not depend on the order of the offers.
 *
 * Invariant: no member's box is at least as good as another's in every objective. With two
 * objectives the members are therefore sorted by the first coordinate and fall in the second: one
 * binary search answers everything. With more they are looked through. */
#include "front/archive.h"

#include "base/checked.h"
#include "base/error.h"
#include "base/memory.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* The binary digits of a value that count. The rest, twelve, is more than sums ever get wrong. */
#define UNSETTLED_BITS 12
/* Differences that should have been none. */
#define NOTHING 1e-12
/* A settled value divided by a step is a whole number up to this share of it, if it is one. */
#define ON_THE_EDGE 0x1p-38

void pv_i_archive_init(pv_archive *archive, const pv_measure_ref *objectives, size_t n_objectives,
                       size_t n_levels, const double *epsilons)
{
    *archive = (pv_archive){.n_objectives = n_objectives, .n_levels = n_levels};
    for (size_t i = 0; i < n_objectives; i++) {
        archive->signs[i] = objectives[i].measure->direction == PV_MORE_IS_BETTER ? 1 : -1;
        archive->is_loss[i] = objectives[i].measure->family == PV_FAMILY_LOSS;
        archive->epsilons[i] = epsilons != NULL ? epsilons[i] : 0;
        archive->lowest[i] = (double)INFINITY;
        archive->highest[i] = -(double)INFINITY;
    }
}

static void member_deinit(pv_member *member)
{
    pv_i_free(member->box);
    *member = (pv_member){0};
}

void pv_i_archive_deinit(pv_archive *archive)
{
    for (size_t i = 0; i < archive->n_members; i++) {
        member_deinit(&archive->members[i]);
    }
    pv_i_free(archive->members);
    archive->members = NULL;
    archive->n_members = archive->capacity = 0;
}

typedef enum { WORSE, EQUAL, BETTER, INCOMPARABLE } relation;

/* What `a` is compared with `b`. */
static relation compare(const double *a, const double *b, size_t n)
{
    bool above = false;
    bool below = false;
    for (size_t i = 0; i < n; i++) {
        above |= a[i] > b[i];
        below |= a[i] < b[i];
    }
    if (above && below) {
        return INCOMPARABLE;
    }
    return above ? BETTER : below ? WORSE : EQUAL;
}

double pv_i_box_of(double value, double epsilon)
{
    const double steps = value / epsilon;
    const double nearest = round(steps);
    return fabs(steps - nearest) <= fabs(nearest) * ON_THE_EDGE ? nearest : floor(steps);
}

double pv_i_settled(double value)
{
    const uint64_t unit = UINT64_C(1) << UNSETTLED_BITS;
    uint64_t bits;
    if (floor(value) >= value) {
        return value;
    }
    if (fabs(value) < NOTHING) {
        return 0;
    }
    memcpy(&bits, &value, sizeof bits);
    bits = (bits + unit / 2) & ~(unit - 1);
    memcpy(&value, &bits, sizeof value);
    return value;
}

static void orient(const pv_archive *archive, const double *values, double *oriented)
{
    for (size_t i = 0; i < archive->n_objectives; i++) {
        oriented[i] = archive->signs[i] * pv_i_settled(values[i]);
    }
}

static void find_box(const pv_archive *archive, const double *oriented, double *box)
{
    for (size_t i = 0; i < archive->n_objectives; i++) {
        const double epsilon = archive->epsilons[i];
        box[i] = epsilon > 0 ? pv_i_box_of(oriented[i], epsilon) : oriented[i];
    }
}

void pv_i_archive_box(const pv_archive *archive, const double *values, double *box)
{
    double oriented[PV_MAX_OBJECTIVES];
    orient(archive, values, oriented);
    find_box(archive, oriented, box);
}

/* With two objectives: the first member whose first coordinate is at least `first`. It is the best
 * of them in the second. */
static size_t lower_bound(const pv_archive *archive, double first)
{
    size_t low = 0;
    size_t high = archive->n_members;
    while (low < high) {
        const size_t middle = low + (high - low) / 2;
        if (archive->members[middle].box[0] < first) {
            low = middle + 1;
        } else {
            high = middle;
        }
    }
    return low;
}

#define NOBODY SIZE_MAX

/* A member whose box is at least as good: `relation` says whether it is better or the same. There
 * cannot be both, since no member's box is better than another's. */
static size_t find_cover(const pv_archive *archive, const double *box, relation *how)
{
    const size_t n = archive->n_objectives;
    size_t first = 0;
    size_t end = archive->n_members;
    if (n == 2) {
        /* Those further on are better in the first but worse in the second. */
        first = lower_bound(archive, box[0]);
        end = first < end ? first + 1 : end;
    }
    for (size_t i = first; i < end; i++) {
        *how = compare(archive->members[i].box, box, n);
        if (*how == BETTER || *how == EQUAL) {
            return i;
        }
    }
    return NOBODY;
}

bool pv_i_archive_rejects(const pv_archive *archive, const double *values)
{
    double oriented[PV_MAX_OBJECTIVES];
    double box[PV_MAX_OBJECTIVES];
    relation how;
    orient(archive, values, oriented);
    find_box(archive, oriented, box);
    const size_t cover = find_cover(archive, box, &how);
    if (cover == NOBODY) {
        return false;
    }
    return how == BETTER ||
           compare(archive->members[cover].values, oriented, archive->n_objectives) == BETTER;
}

bool pv_i_archive_covers(const pv_archive *archive, const double *values)
{
    double box[PV_MAX_OBJECTIVES];
    relation how;
    pv_i_archive_box(archive, values, box);
    return find_cover(archive, box, &how) != NOBODY;
}

bool pv_i_archive_has(const pv_archive *archive, const uint8_t *levels)
{
    for (size_t i = 0; i < archive->n_members; i++) {
        if (memcmp(archive->members[i].levels, levels, archive->n_levels) == 0) {
            return true;
        }
    }
    return false;
}

/* The member is represented by another scheme; the box is the same. */
static void represent(const pv_archive *archive, pv_member *member, const pv_member *offered)
{
    const size_t bytes = archive->n_objectives * sizeof *member->values;
    memcpy(member->values, offered->values, bytes);
    memcpy(member->raw, offered->raw, bytes);
    memcpy(member->levels, offered->levels, archive->n_levels);
    member->k = offered->k;
    member->suppressed = offered->suppressed;
    member->mark = offered->mark;
}

/* In the lattice's order; of one scheme, fewer suppressed rows come first. */
static int compare_schemes(const pv_archive *archive, const pv_member *a, const pv_member *b)
{
    const int order = memcmp(a->levels, b->levels, archive->n_levels);
    if (order != 0 || a->suppressed == b->suppressed) {
        return order != 0 ? order : (a->k > b->k) - (a->k < b->k);
    }
    return a->suppressed < b->suppressed ? -1 : 1;
}

/* Two in one box: the better stays, or the older if neither is. Equal ones are a tie, represented
 * by the first in order; the same scheme, offered again, is none. */
static void meet(pv_archive *archive, pv_member *member, const pv_member *offered)
{
    const relation how = compare(offered->values, member->values, archive->n_objectives);
    if (how == EQUAL) {
        const int order = compare_schemes(archive, offered, member);
        member->ties += order != 0 ? offered->ties + 1 : 0;
        if (order < 0) {
            represent(archive, member, offered);
        }
    } else if (how == BETTER) {
        represent(archive, member, offered);
        member->ties = offered->ties;
        archive->n_changes++;
    }
}

static void drop_beaten(pv_archive *archive, const double *box)
{
    size_t n = 0;
    for (size_t i = 0; i < archive->n_members; i++) {
        if (compare(archive->members[i].box, box, archive->n_objectives) == WORSE) {
            member_deinit(&archive->members[i]);
        } else {
            archive->members[n++] = archive->members[i];
        }
    }
    archive->n_members = n;
}

/* A member's arrays are one piece of memory: box, values, raw values, levels. */
static bool insert(pv_archive *archive, const pv_member *offered)
{
    const size_t n = archive->n_objectives;
    double *const memory = pv_i_malloc(3 * n * sizeof *memory + archive->n_levels);
    if (memory == NULL || !pv_i_reserve((void **)&archive->members, &archive->capacity,
                                        archive->n_members + 1, sizeof *archive->members)) {
        pv_i_free(memory);
        return false;
    }
    pv_member member = *offered;
    member.box = memory;
    member.values = memory + n;
    member.raw = memory + 2 * n;
    member.levels = (uint8_t *)(memory + 3 * n);
    memcpy(member.box, offered->box, n * sizeof *memory);
    memcpy(member.values, offered->values, n * sizeof *memory);
    memcpy(member.raw, offered->raw, n * sizeof *memory);
    memcpy(member.levels, offered->levels, archive->n_levels);
    const size_t place = n == 2 ? lower_bound(archive, member.box[0]) : archive->n_members;
    memmove(archive->members + place + 1, archive->members + place,
            (archive->n_members - place) * sizeof *archive->members);
    archive->members[place] = member;
    archive->n_members++;
    archive->n_changes++;
    return true;
}

static void widen(pv_archive *archive, const double *oriented)
{
    for (size_t i = 0; i < archive->n_objectives; i++) {
        archive->lowest[i] = fmin(archive->lowest[i], oriented[i]);
        archive->highest[i] = fmax(archive->highest[i], oriented[i]);
    }
}

/* The paper's algorithm 1. `offered` has oriented values; its box is found here. What is rejected
 * or dropped can never be a member later: a member's box covers it, or that of whatever drops this
 * member. */
static bool offer(pv_archive *archive, const pv_member *offered)
{
    double box[PV_MAX_OBJECTIVES];
    relation how;
    find_box(archive, offered->values, box);
    const size_t cover = find_cover(archive, box, &how);
    if (cover != NOBODY) {
        if (how == EQUAL) {
            meet(archive, &archive->members[cover], offered);
        }
        return true;
    }
    pv_member member = *offered;
    member.box = box;
    drop_beaten(archive, box);
    return insert(archive, &member);
}

bool pv_i_archive_offer(pv_archive *archive, const double *values, const uint8_t *levels,
                        uint64_t k, uint64_t suppressed)
{
    double oriented[PV_MAX_OBJECTIVES];
    orient(archive, values, oriented);
    widen(archive, oriented);
    /* What is offered is only read. */
    const pv_member offered = {.values = oriented,
                               .raw = (double *)(uintptr_t)values,
                               .levels = (uint8_t *)(uintptr_t)levels,
                               .k = k,
                               .suppressed = suppressed};
    return offer(archive, &offered);
}

bool pv_i_archive_merge(pv_archive *archive, const pv_archive *other)
{
    for (size_t i = 0; i < other->n_members; i++) {
        if (!offer(archive, &other->members[i])) {
            return false;
        }
    }
    if (other->n_members > 0) {
        widen(archive, other->lowest);
        widen(archive, other->highest);
    }
    return true;
}

/* By values, then in the lattice's order: total, and independent of when members were offered. */
static int compare_members(const void *left, const void *right, void *ctx)
{
    const pv_member *const a = left;
    const pv_member *const b = right;
    const pv_archive *const archive = ctx;
    for (size_t i = 0; i < archive->n_objectives; i++) {
        if (a->values[i] < b->values[i] || a->values[i] > b->values[i]) {
            return a->values[i] < b->values[i] ? -1 : 1;
        }
    }
    return compare_schemes(archive, a, b);
}

void pv_i_archive_sort(pv_archive *archive)
{
    if (archive->n_objectives > 2 && archive->n_members > 0) { /* with two they are */
        qsort_r(archive->members, archive->n_members, sizeof *archive->members, compare_members,
                archive);
    }
}

pv_status pv_i_archive_points(const pv_archive *archive, pv_front *front, pv_error *error)
{
    const size_t n = archive->n_members;
    const size_t n_objectives = archive->n_objectives;
    const size_t n_levels = archive->n_levels;
    pv_archive sorted = *archive; /* its members borrow from the archive's */
    pv_point *const points = PV_NEW_ARRAY(pv_point, n);
    double *const values = pv_i_malloc(n * n_objectives * sizeof *values + n * n_levels);
    sorted.members = PV_NEW_ARRAY(pv_member, n);
    if (sorted.members == NULL || points == NULL || values == NULL) {
        pv_i_free(sorted.members);
        pv_i_free(points);
        pv_i_free(values);
        return pv_i_no_memory(error);
    }
    uint8_t *const levels = (uint8_t *)(values + n * n_objectives);
    for (size_t i = 0; i < n; i++) {
        sorted.members[i] = archive->members[i];
    }
    qsort_r(sorted.members, n, sizeof *sorted.members, compare_members, &sorted);
    for (size_t i = 0; i < n; i++) {
        const pv_member *const member = &sorted.members[i];
        memcpy(values + i * n_objectives, member->raw, n_objectives * sizeof *values);
        memcpy(levels + i * n_levels, member->levels, n_levels);
        points[i] = (pv_point){.levels = levels + i * n_levels,
                               .values = values + i * n_objectives,
                               .k = member->k,
                               .suppressed = member->suppressed,
                               .ties = member->ties,
                               .bound = (double)NAN};
    }
    pv_i_free(sorted.members);
    front->points = points;
    front->n_points = n;
    front->memory = values;
    return PV_STATUS_OK;
}

/* ------------------------------------------------------------------ boxes */

/* Into how many steps an objective is divided, as far as values were offered. */
static double steps_of(const pv_archive *archive, size_t objective)
{
    const double epsilon = archive->epsilons[objective];
    if (archive->highest[objective] <= archive->lowest[objective]) {
        return 1;
    }
    return epsilon > 0 ? pv_i_box_of(archive->highest[objective], epsilon) -
                             pv_i_box_of(archive->lowest[objective], epsilon) + 1
                       : (double)INFINITY;
}

double pv_i_archive_bound(const pv_archive *archive)
{
    double most = 0;
    size_t left_out = 0;
    for (size_t i = 0; i < archive->n_objectives; i++) {
        const double steps = steps_of(archive, i);
        left_out = steps > most ? i : left_out;
        most = fmax(most, steps);
    }
    double bound = 1;
    for (size_t i = 0; i < archive->n_objectives; i++) {
        bound *= i != left_out ? steps_of(archive, i) : 1;
    }
    return bound;
}

bool pv_i_archive_rebox(pv_archive *archive, const double *epsilons)
{
    pv_archive boxed = *archive;
    boxed.members = NULL;
    boxed.n_members = boxed.capacity = 0;
    for (size_t i = 0; i < archive->n_objectives; i++) {
        boxed.epsilons[i] = epsilons[i];
    }
    if (!pv_i_archive_merge(&boxed, archive)) {
        pv_i_archive_deinit(&boxed);
        return false;
    }
    boxed.n_changes = archive->n_changes;
    pv_i_archive_deinit(archive);
    *archive = boxed;
    return true;
}

/* How coarse must boxes be for an archive of few members? One number, the grade, decides about all
 * objectives: each grade doubles the boxes. Sides are parts of an objective's range, as powers of
 * two:
 *
 *     grade    0 ........ 21 ........ 22 .......... 45 ........ 50
 *     losses   2^-24 .... 2^-3 ...... 2^-2, stay ............... grow again, to one box
 *     others   none ...... 2^-24 .... 2^-23 ....... one box
 *
 * The boxes of losses grow first: of privacy the low values matter most, and they would share one
 * large box. Only when there are few boxes of losses left, those of the others grow. Without losses
 * all grow at once. */
#define FINEST (-24)
#define WIDEST (-2)
#define LATE (WIDEST - 1 - FINEST) /* the grade from which on the others have boxes */
#define LATEST (LATE - FINEST)     /* the others are one box */
#define GRADES 50                  /* everything is one box */
#define HALVINGS 40

static double range_of(const pv_archive *archive, size_t objective)
{
    return fmax(archive->highest[objective] - archive->lowest[objective], 0);
}

/* The boxes of a grade of coarseness, or those there are if they are larger. */
static void epsilons_at(const pv_archive *archive, double grade, double *epsilons)
{
    bool has_losses = false;
    for (size_t i = 0; i < archive->n_objectives; i++) {
        has_losses |= archive->is_loss[i];
    }
    for (size_t i = 0; i < archive->n_objectives; i++) {
        const bool early = archive->is_loss[i] || !has_losses;
        const double power =
            early ? fmin(FINEST + grade, WIDEST) + fmax(grade - LATEST, 0) : FINEST + grade - LATE;
        const double epsilon = early || grade >= LATE ? range_of(archive, i) * exp2(power) : 0;
        epsilons[i] = fmax(archive->epsilons[i], epsilon);
    }
}

/* A box that holds whole boxes of the present size and is at least as large as wanted. */
static double doubled(const pv_archive *archive, size_t objective, double wanted)
{
    double epsilon = archive->epsilons[objective];
    if (!(epsilon > 0)) {
        epsilon = fmin(wanted, range_of(archive, objective) * exp2(FINEST));
    }
    while (epsilon > 0 && epsilon < wanted) {
        epsilon *= 2;
    }
    return epsilon;
}

bool pv_i_archive_coarsen(pv_archive *archive, size_t most)
{
    for (unsigned grade = 0; archive->n_members > most && grade <= GRADES; grade++) {
        double epsilons[PV_MAX_OBJECTIVES];
        epsilons_at(archive, grade, epsilons);
        for (size_t i = 0; i < archive->n_objectives; i++) {
            epsilons[i] = doubled(archive, i, epsilons[i]);
        }
        if (!pv_i_archive_rebox(archive, epsilons)) {
            return false;
        }
    }
    return true;
}

bool pv_i_archive_thin(pv_archive *archive, size_t most)
{
    double fine = 0;
    double coarse = GRADES;
    double epsilons[PV_MAX_OBJECTIVES];
    if (archive->n_members <= most) {
        return true;
    }
    for (unsigned i = 0; i < HALVINGS; i++) {
        const double middle = (fine + coarse) / 2;
        pv_archive trial = *archive; /* how many members would remain? */
        trial.members = NULL;
        trial.n_members = trial.capacity = 0;
        epsilons_at(archive, middle, trial.epsilons);
        const bool counted = pv_i_archive_merge(&trial, archive);
        *(trial.n_members > most ? &fine : &coarse) = middle;
        pv_i_archive_deinit(&trial);
        if (!counted) {
            return false;
        }
    }
    epsilons_at(archive, coarse, epsilons);
    return pv_i_archive_rebox(archive, epsilons);
}
