/* The archive of non-dominated schemes. With two objectives the members are sorted by the first and
 * therefore fall in the second: one binary search answers everything. With more they are looked
 * through. */
#include "front/archive.h"

#include "base/checked.h"
#include "base/error.h"
#include "base/memory.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* The binary digits of a value that count. The rest, twelve, is more than sums ever get wrong. */
#define UNSETTLED_BITS 12

void pv_i_archive_init(pv_archive *archive, const pv_measure_ref *objectives, size_t n_objectives,
                       size_t n_levels)
{
    *archive = (pv_archive){.n_objectives = n_objectives, .n_levels = n_levels};
    for (size_t i = 0; i < n_objectives; i++) {
        archive->signs[i] = objectives[i].measure->direction == PV_MORE_IS_BETTER ? 1 : -1;
    }
}

static void member_deinit(pv_member *member)
{
    pv_i_free(member->values);
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

/* How `a` stands to `b`. */
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

double pv_i_settled(double value)
{
    const uint64_t unit = UINT64_C(1) << UNSETTLED_BITS;
    uint64_t bits;
    if (floor(value) >= value) {
        return value;
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

/* With two objectives: the first member whose first value is at least `first`. It is the best of
 * them in the second. */
static size_t lower_bound(const pv_archive *archive, double first)
{
    size_t low = 0;
    size_t high = archive->n_members;
    while (low < high) {
        const size_t middle = low + (high - low) / 2;
        if (archive->members[middle].values[0] < first) {
            low = middle + 1;
        } else {
            high = middle;
        }
    }
    return low;
}

/* The range of members that can stand in a relation to `oriented`: with two objectives, few. */
static bool is_beaten(const pv_archive *archive, const double *oriented)
{
    const size_t n = archive->n_objectives;
    if (n == 2) {
        const size_t i = lower_bound(archive, oriented[0]);
        if (i == archive->n_members) {
            return false;
        }
        const relation r = compare(archive->members[i].values, oriented, n);
        /* Equal in both is no defeat; a further member is better in the first but worse in the
         * second. */
        return r == BETTER;
    }
    for (size_t i = 0; i < archive->n_members; i++) {
        if (compare(archive->members[i].values, oriented, n) == BETTER) {
            return true;
        }
    }
    return false;
}

bool pv_i_archive_rejects(const pv_archive *archive, const double *values)
{
    double oriented[PV_MAX_OBJECTIVES];
    orient(archive, values, oriented);
    return is_beaten(archive, oriented);
}

/* The member with equal values, or NULL. */
static pv_member *find_equal(const pv_archive *archive, const double *oriented)
{
    const size_t n = archive->n_objectives;
    size_t first = 0;
    size_t end = archive->n_members;
    if (n == 2) {
        first = lower_bound(archive, oriented[0]);
        end = first < end ? first + 1 : end;
    }
    for (size_t i = first; i < end; i++) {
        if (compare(archive->members[i].values, oriented, n) == EQUAL) {
            return &archive->members[i];
        }
    }
    return NULL;
}

static void tie(const pv_archive *archive, pv_member *member, const pv_member *offered)
{
    member->ties += offered->ties + 1;
    if (memcmp(offered->levels, member->levels, archive->n_levels) < 0) {
        memcpy(member->raw, offered->raw, archive->n_objectives * sizeof *member->raw);
        memcpy(member->levels, offered->levels, archive->n_levels);
        member->k = offered->k;
        member->suppressed = offered->suppressed;
    }
}

static void drop_beaten(pv_archive *archive, const double *oriented)
{
    size_t kept = 0;
    for (size_t i = 0; i < archive->n_members; i++) {
        if (compare(archive->members[i].values, oriented, archive->n_objectives) == WORSE) {
            member_deinit(&archive->members[i]);
        } else {
            archive->members[kept++] = archive->members[i];
        }
    }
    archive->n_members = kept;
}

static bool member_copy(const pv_archive *archive, const pv_member *from, pv_member *to)
{
    const size_t bytes = archive->n_objectives * sizeof *to->values;
    char *const memory = pv_i_malloc(2 * bytes + archive->n_levels);
    if (memory == NULL) {
        return false;
    }
    *to = *from;
    to->values = (double *)(void *)memory;
    to->raw = to->values + archive->n_objectives;
    to->levels = (uint8_t *)memory + 2 * bytes;
    memcpy(to->values, from->values, bytes);
    memcpy(to->raw, from->raw, bytes);
    memcpy(to->levels, from->levels, archive->n_levels);
    return true;
}

static bool insert(pv_archive *archive, const pv_member *offered)
{
    pv_member member;
    if (!pv_i_reserve((void **)&archive->members, &archive->capacity, archive->n_members + 1,
                      sizeof *archive->members) ||
        !member_copy(archive, offered, &member)) {
        return false;
    }
    const size_t place =
        archive->n_objectives == 2 ? lower_bound(archive, member.values[0]) : archive->n_members;
    memmove(archive->members + place + 1, archive->members + place,
            (archive->n_members - place) * sizeof *archive->members);
    archive->members[place] = member;
    archive->n_members++;
    return true;
}

/* `offered` has oriented values. */
static bool offer(pv_archive *archive, const pv_member *offered)
{
    if (is_beaten(archive, offered->values)) {
        return true;
    }
    pv_member *const equal = find_equal(archive, offered->values);
    if (equal != NULL) {
        tie(archive, equal, offered);
        return true;
    }
    drop_beaten(archive, offered->values);
    return insert(archive, offered);
}

bool pv_i_archive_offer(pv_archive *archive, const double *values, const uint8_t *levels,
                        uint64_t k, uint64_t suppressed)
{
    double oriented[PV_MAX_OBJECTIVES];
    orient(archive, values, oriented);
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
    return true;
}

static int compare_members(const void *left, const void *right, void *ctx)
{
    const pv_member *const a = *(const pv_member *const *)left;
    const pv_member *const b = *(const pv_member *const *)right;
    const pv_archive *const archive = ctx;
    for (size_t i = 0; i < archive->n_objectives; i++) {
        if (a->values[i] < b->values[i] || a->values[i] > b->values[i]) {
            return a->values[i] < b->values[i] ? -1 : 1;
        }
    }
    return memcmp(a->levels, b->levels, archive->n_levels);
}

static void fill_point(const pv_archive *archive, const pv_member *member, double *values,
                       uint8_t *levels, pv_point *point)
{
    memcpy(values, member->raw, archive->n_objectives * sizeof *values);
    memcpy(levels, member->levels, archive->n_levels);
    *point = (pv_point){.levels = levels,
                        .values = values,
                        .k = member->k,
                        .suppressed = member->suppressed,
                        .ties = member->ties};
}

pv_status pv_i_archive_points(const pv_archive *archive, pv_front *front, pv_error *error)
{
    const size_t n = archive->n_members;
    const size_t value_bytes = n * archive->n_objectives * sizeof(double);
    const pv_member **const sorted = PV_NEW_ARRAY(const pv_member *, n);
    pv_point *const points = PV_NEW_ARRAY(pv_point, n);
    char *const memory = pv_i_malloc(value_bytes + n * archive->n_levels);
    const bool ready = sorted != NULL && points != NULL && memory != NULL;
    if (ready) {
        for (size_t i = 0; i < n; i++) {
            sorted[i] = &archive->members[i];
        }
        qsort_r(sorted, n, sizeof(const pv_member *), compare_members, (void *)(uintptr_t)archive);
        double *const values = (double *)(void *)memory;
        uint8_t *const levels = (uint8_t *)memory + value_bytes;
        for (size_t i = 0; i < n; i++) {
            fill_point(archive, sorted[i], values + i * archive->n_objectives,
                       levels + i * archive->n_levels, &points[i]);
        }
        front->points = points;
        front->n_points = n;
        front->memory = memory;
    } else {
        pv_i_free(points);
        pv_i_free(memory);
    }
    pv_i_free(sorted);
    return ready ? PV_STATUS_OK : pv_i_no_memory(error);
}
