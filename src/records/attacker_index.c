/* How many dictionary rows are consistent with a record.
 *
 *     attribute, level, group  ->  the dictionary tuples consistent with it
 *                                  few of them: a list, 3 17 240 ...
 *                                  many:        bits, 0111010...
 *
 * A record at its levels is an intersection of such sets, and rho the rows of its tuples. The
 * smallest set comes first. If it is a list, its members are asked one by one whether they are in
 * the others: by a bit, or where the other is a list too, by looking up the member's own value. If
 * even the smallest is long, words of 64 tuples are intersected at a time, block by block:
 *
 *     age 20-39  0111 0101 ...
 *     sex M      0101 1100 ...   &
 *     crowded    0100 0000 ...   tuples of several people
 *                ---------
 *                0101 0100       3 tuples + the people beyond the first of the crowded one
 *
 * Most tuples are one person, so people are counted as bits, and only the crowded tuples are looked
 * at once more.
 *
 * Near misses. To try all neighbours of a choice (record_problem.c), two words per 64 tuples are
 * carried along instead of one: who misses none of the sets so far, and who misses just one. */
#include "base/bitset.h"
#include "base/checked.h"
#include "base/error.h"
#include "base/memory.h"
#include "records/attacker.h"
#include "table/cpu.h"

#include <string.h>

/* A list of up to 1/32 of the tuples, at 32 bits each, is no larger than bits. */
#define SHORT_SHARE 32
#define DEFAULT_MEMORY ((uint64_t)512 << 20)
#define BLOCK_WORDS ((size_t)128) /* 1 KiB: what is counted stays in the first-level cache */
#define LOOK_AGAIN 8              /* sets between two looks at whether anybody is left */

typedef struct {
    uint32_t n;     /* tuples */
    uint64_t rows;  /* of these tuples */
    uint32_t *list; /* ascending; NULL if there are bits */
    uint64_t *bits;
} tuple_set;

struct pv_consistent_index {
    const pv_attacker *attacker;
    size_t n_quasi;
    size_t n_words;    /* of the bits of a set */
    uint32_t longest;  /* list */
    uint64_t left;     /* bytes that may still be used while it is made */
    bool is_over;      /* more were asked for */
    uint64_t *crowded; /* bits: tuples of several rows */
    tuple_set ***sets; /* by quasi-identifier, level below the top, and group; NULL = not known */
    uint32_t **leaves; /* by quasi-identifier and tuple, where the dictionary is the table: to be
                          asked for at random they are better unpacked; else NULL */
    pv_arena arena;
};

/* ---------------------------------------------------------------- making it */

static const pv_hierarchy *hierarchy_of(const pv_consistent_index *index, size_t quasi)
{
    return pv_study_hierarchy(index->attacker->profile->study, quasi);
}

/* Zeroed memory within what is allowed. */
static void *take_memory(pv_consistent_index *index, size_t n, size_t size)
{
    uint64_t bytes;
    if (!pv_i_mul_u64(n, size, &bytes) || bytes > index->left) {
        index->is_over = true;
        return NULL;
    }
    index->left -= bytes;
    return pv_i_arena_array(&index->arena, n, size);
}

/* Was there memory for all that was asked for? */
static pv_status check_memory(const pv_consistent_index *index, pv_error *error)
{
    if (index->is_over) {
        return pv_i_hint(
            pv_i_fail(error, PV_STATUS_LIMIT,
                      "the index of the dictionary does not fit into the memory allowed"),
            error, "allow more memory, or use fewer quasi-identifiers or levels");
    }
    return index->arena.failed ? pv_i_no_memory(error) : PV_STATUS_OK;
}

const uint32_t *pv_i_consistent_values(const pv_consistent_index *index, size_t quasi)
{
    return index->leaves[quasi] != NULL ? index->leaves[quasi]
                                        : index->attacker->known[quasi].values;
}

/* The sets of one level: members are counted, then every set gets its piece of memory, list or
 * bits, and is filled. */
static pv_status make_level(pv_consistent_index *index, size_t quasi, unsigned level,
                            pv_error *error)
{
    const pv_attacker *const attacker = index->attacker;
    const uint32_t n_groups = pv_hierarchy_groups(hierarchy_of(index, quasi), level);
    const pv_consistency *const at = &attacker->known[quasi].levels[level];
    const uint32_t *const values = pv_i_consistent_values(index, quasi);
    tuple_set *const sets = take_memory(index, n_groups, sizeof *sets);
    index->sets[quasi][level] = sets;
    PV_TRY(check_memory(index, error));
    for (size_t tuple = 0; tuple < attacker->n_tuples; tuple++) {
        for (uint32_t i = at->start[values[tuple]]; i < at->start[values[tuple] + 1]; i++) {
            sets[at->group[i]].n++;
            sets[at->group[i]].rows += attacker->counts[tuple];
        }
    }
    for (uint32_t group = 0; group < n_groups; group++) {
        tuple_set *const set = &sets[group];
        if (set->n <= attacker->n_tuples / SHORT_SHARE) {
            index->longest = set->n > index->longest ? set->n : index->longest;
            set->list = take_memory(index, set->n, sizeof *set->list);
            set->n = 0; /* counted once more as the list is written */
        } else {
            set->bits = take_memory(index, index->n_words, sizeof *set->bits);
        }
    }
    PV_TRY(check_memory(index, error));
    for (size_t tuple = 0; tuple < attacker->n_tuples; tuple++) {
        for (uint32_t i = at->start[values[tuple]]; i < at->start[values[tuple] + 1]; i++) {
            tuple_set *const set = &sets[at->group[i]];
            if (set->list != NULL) {
                set->list[set->n++] = (uint32_t)tuple;
            } else {
                pv_i_bit_set(set->bits, tuple);
            }
        }
    }
    return PV_STATUS_OK;
}

static pv_status make_quasi(pv_consistent_index *index, size_t quasi, pv_error *error)
{
    const pv_attacker *const attacker = index->attacker;
    const pv_known *const known = &attacker->known[quasi];
    if (!known->is_known) {
        return PV_STATUS_OK;
    }
    if (known->values == NULL) {
        uint32_t *const leaves = PV_ARENA_ARRAY(&index->arena, uint32_t, attacker->n_tuples);
        index->leaves[quasi] = leaves;
        for (size_t tuple = 0; leaves != NULL && tuple < attacker->n_tuples; tuple++) {
            leaves[tuple] = pv_i_known_value(attacker, quasi, tuple);
        }
    }
    index->sets[quasi] = PV_ARENA_ARRAY(&index->arena, tuple_set *, known->height);
    PV_TRY(check_memory(index, error));
    for (unsigned level = 0; level < known->height; level++) {
        PV_TRY(make_level(index, quasi, level, error));
    }
    return PV_STATUS_OK;
}

pv_status pv_i_consistent_index_create(const pv_attacker *attacker, uint64_t memory,
                                       pv_consistent_index **index, pv_error *error)
{
    pv_consistent_index *const made = PV_NEW(pv_consistent_index);
    if (made == NULL) {
        return pv_i_no_memory(error);
    }
    made->attacker = attacker;
    made->n_quasi = pv_study_quasis(attacker->profile->study);
    made->n_words = PV_BITSET_WORDS(attacker->n_tuples);
    made->left = memory > 0 ? memory : DEFAULT_MEMORY;
    made->sets = PV_ARENA_ARRAY(&made->arena, tuple_set **, made->n_quasi);
    made->leaves = PV_ARENA_ARRAY(&made->arena, uint32_t *, made->n_quasi);
    made->crowded = take_memory(made, made->n_words, sizeof *made->crowded);
    pv_status status = check_memory(made, error);
    for (size_t tuple = 0; status == PV_STATUS_OK && tuple < attacker->n_tuples; tuple++) {
        if (attacker->counts[tuple] > 1) {
            pv_i_bit_set(made->crowded, tuple);
        }
    }
    for (size_t quasi = 0; status == PV_STATUS_OK && quasi < made->n_quasi; quasi++) {
        status = make_quasi(made, quasi, error);
    }
    if (status != PV_STATUS_OK) {
        pv_i_consistent_index_free(made);
        return status;
    }
    *index = made;
    return PV_STATUS_OK;
}

void pv_i_consistent_index_free(pv_consistent_index *index)
{
    if (index != NULL) {
        pv_i_arena_deinit(&index->arena);
        pv_i_free(index);
    }
}

/* ------------------------------------------------------------- intersecting */

/* A set that restricts the record, and what its members are consistent with. */
typedef struct {
    const tuple_set *set;
    const uint32_t *values; /* of the attribute, by tuple */
    const pv_consistency *level;
    uint32_t group;
    uint32_t quasi;
} restriction;

struct pv_consistent_scratch {
    restriction *restrictions;
    uint32_t *members; /* of the list that is being cut down */
    uint32_t *listed;  /* per restriction: members of its list that were passed */
};

pv_consistent_scratch *pv_i_consistent_scratch(const pv_consistent_index *index, pv_arena *arena)
{
    pv_consistent_scratch *const made = PV_ARENA_ARRAY(arena, pv_consistent_scratch, 1);
    if (made != NULL) {
        made->restrictions = PV_ARENA_ARRAY(arena, restriction, index->n_quasi);
        made->members = PV_ARENA_ARRAY(arena, uint32_t, index->longest);
        made->listed = PV_ARENA_ARRAY(arena, uint32_t, index->n_quasi);
    }
    return made;
}

/* The sets to intersect, the smallest first; those that hold everybody restrict nothing. An
 * insertion sort: there are as many as attributes, and they come nearly sorted from one choice to
 * the next. */
static size_t gather(const pv_consistent_index *index, restriction *restrictions,
                     const uint32_t *leaves, const uint8_t *levels)
{
    size_t n = 0;
    for (size_t quasi = 0; quasi < index->n_quasi; quasi++) {
        const pv_known *const known = &index->attacker->known[quasi];
        const unsigned level = levels[quasi];
        if (!known->is_known || level >= known->height) {
            continue;
        }
        const uint32_t group =
            pv_i_group_below_root(hierarchy_of(index, quasi), level, leaves[quasi]);
        if (group == PV_NO_GROUP) {
            continue;
        }
        const tuple_set *const set = &index->sets[quasi][level][group];
        if (set->n == index->attacker->n_tuples) {
            continue;
        }
        size_t i = n++;
        for (; i > 0 && restrictions[i - 1].set->n > set->n; i--) {
            restrictions[i] = restrictions[i - 1];
        }
        restrictions[i] = (restriction){.set = set,
                                        .values = pv_i_consistent_values(index, quasi),
                                        .level = &known->levels[level],
                                        .group = group,
                                        .quasi = (uint32_t)quasi};
    }
    return n;
}

static inline bool meets(const restriction *r, uint32_t tuple)
{
    return r->set->bits != NULL ? pv_i_bit_get(r->set->bits, tuple)
                                : pv_i_is_consistent(r->level, r->values[tuple], r->group);
}

/* Those of the n members that meet the restriction, into `kept`, which may be `members` itself.
 * Every one is written and the end moves only if it stays: whether it does cannot be predicted, and
 * a wrong guess costs more than a store. */
static uint32_t keep_members(const restriction *r, const uint32_t *members, uint32_t n,
                             uint32_t *kept)
{
    uint32_t n_kept = 0;
    for (uint32_t i = 0; i < n; i++) {
        const uint32_t tuple = members[i];
        kept[n_kept] = tuple;
        n_kept += meets(r, tuple);
    }
    return n_kept;
}

static uint64_t count_listed(const pv_consistent_index *index, const restriction *restrictions,
                             size_t n_restrictions, uint32_t *members)
{
    const tuple_set *const first = restrictions[0].set;
    uint32_t n = keep_members(&restrictions[1], first->list, first->n, members);
    for (size_t i = 2; i < n_restrictions && n > 0; i++) {
        n = keep_members(&restrictions[i], members, n, members);
    }
    uint64_t rows = 0;
    for (uint32_t i = 0; i < n; i++) {
        rows += index->attacker->counts[members[i]];
    }
    return rows;
}

/* ------------------------------------------------------------ words of tuples */

static uint64_t count_crowded(const uint64_t *counts, uint64_t tuples)
{
    uint64_t more = 0;
    while (tuples != 0) {
        more += counts[__builtin_ctzll(tuples)] - 1;
        tuples &= tuples - 1;
    }
    return more;
}

static inline __attribute__((always_inline)) bool is_empty(const uint64_t *words, size_t n)
{
    uint64_t any = 0;
    for (size_t w = 0; w < n; w++) {
        any |= words[w];
    }
    return any == 0;
}

/* The rows of the tuples first*64 .. (first+n)*64-1 that are in all sets. The words of a block stay
 * in the nearest cache while all sets are intersected with them; set by set over the whole length
 * they would be fetched again for each. Inlined into both callers, so that each is compiled for its
 * processor. */
static inline __attribute__((always_inline)) uint64_t count_block(const pv_consistent_index *index,
                                                                  const restriction *restrictions,
                                                                  size_t n_restrictions,
                                                                  size_t first, size_t n)
{
    const uint64_t *const counts = index->attacker->counts + first * 64;
    uint64_t words[BLOCK_WORDS];
    uint64_t rows = 0;
    memcpy(words, restrictions[0].set->bits + first, n * sizeof *words);
    for (size_t i = 1; i < n_restrictions; i++) {
        const uint64_t *const bits = restrictions[i].set->bits + first;
        for (size_t w = 0; w < n; w++) {
            words[w] &= bits[w];
        }
        if (i % LOOK_AGAIN == 0 && is_empty(words, n)) {
            return 0;
        }
    }
    for (size_t w = 0; w < n; w++) {
        const uint64_t crowded = words[w] & index->crowded[first + w];
        rows += (uint64_t)__builtin_popcountll(words[w]);
        rows += crowded != 0 ? count_crowded(counts + w * 64, crowded) : 0;
    }
    return rows;
}

static inline __attribute__((always_inline)) uint64_t count_blocks(const pv_consistent_index *index,
                                                                   const restriction *restrictions,
                                                                   size_t n_restrictions)
{
    uint64_t rows = 0;
    for (size_t first = 0; first < index->n_words; first += BLOCK_WORDS) {
        const size_t left = index->n_words - first;
        rows += count_block(index, restrictions, n_restrictions, first,
                            left < BLOCK_WORDS ? left : BLOCK_WORDS);
    }
    return rows;
}

#if PV_CPU_LEVEL >= 2
PV_TARGET_AVX2 static uint64_t count_bits_avx2(const pv_consistent_index *index,
                                               const restriction *restrictions,
                                               size_t n_restrictions)
{
    return count_blocks(index, restrictions, n_restrictions);
}
#endif

static uint64_t count_bits(const pv_consistent_index *index, const restriction *restrictions,
                           size_t n_restrictions)
{
#if PV_CPU_LEVEL >= 2
    if (pv_i_cpu_has_avx2()) {
        return count_bits_avx2(index, restrictions, n_restrictions);
    }
#endif
    return count_blocks(index, restrictions, n_restrictions);
}

uint64_t pv_i_consistent_count(const pv_consistent_index *index, pv_consistent_scratch *scratch,
                               const uint32_t *leaves, const uint8_t *levels)
{
    restriction *const restrictions = scratch->restrictions;
    const size_t n = gather(index, restrictions, leaves, levels);
    if (n == 0) {
        return index->attacker->n_rows;
    }
    if (n == 1 || restrictions[0].set->n == 0) {
        return restrictions[0].set->rows;
    }
    return restrictions[0].set->list != NULL
               ? count_listed(index, restrictions, n, scratch->members)
               : count_bits(index, restrictions, n);
}

uint64_t pv_i_consistent_alone(const pv_consistent_index *index, size_t quasi, unsigned level,
                               uint32_t leaf)
{
    const pv_known *const known = &index->attacker->known[quasi];
    const uint32_t group = known->is_known && level < known->height
                               ? pv_i_group_below_root(hierarchy_of(index, quasi), level, leaf)
                               : PV_NO_GROUP;
    return group != PV_NO_GROUP ? index->sets[quasi][level][group].rows : index->attacker->n_rows;
}

/* -------------------------------------------------------------------- near */

/* The block of a set's bits; those of a list are made up. `passed` remembers how far it came:
 * blocks are asked for in order, though not all of them. */
static const uint64_t *block_of(const tuple_set *set, size_t first, size_t n, uint32_t *passed,
                                uint64_t *made)
{
    if (set->bits != NULL) {
        return set->bits + first;
    }
    memset(made, 0, n * sizeof *made);
    for (; *passed < set->n && set->list[*passed] < (first + n) * 64; ++*passed) {
        if (set->list[*passed] >= first * 64) {
            pv_i_bit_set(made, set->list[*passed] - first * 64);
        }
    }
    return made;
}

/* After each set: who is in all of them so far, and who in all but one. Nobody is left soon.
 *
 *     one'  = (one & set) | (none & ~set)     missed one before and not this, or just this
 *     none' =  none & set */
static void sift_block(const pv_consistent_index *index, pv_consistent_scratch *scratch,
                       size_t n_restrictions, size_t first, size_t n, uint64_t *none, uint64_t *one)
{
    uint64_t made[BLOCK_WORDS];
    const size_t past = (first + n) * 64;
    memset(none, 0xff, n * sizeof *none);
    memset(one, 0, n * sizeof *one);
    if (past > index->attacker->n_tuples) { /* the last word has bits of nobody */
        none[n - 1] >>= past - index->attacker->n_tuples;
    }
    uint64_t left = 1;
    for (size_t i = 0; i < n_restrictions && left != 0; i++) {
        const tuple_set *const set = scratch->restrictions[i].set;
        const uint64_t *const bits = block_of(set, first, n, &scratch->listed[i], made);
        left = 0;
        for (size_t w = 0; w < n; w++) {
            one[w] = (one[w] & bits[w]) | (none[w] & ~bits[w]);
            none[w] &= bits[w];
            left |= one[w] | none[w];
        }
    }
}

static void list_block(const restriction *restrictions, const uint64_t *none, const uint64_t *one,
                       size_t first, size_t n, pv_near *near)
{
    for (size_t w = 0; w < n; w++) {
        const uint32_t start = (uint32_t)((first + w) * 64);
        for (uint64_t left = none[w]; left != 0; left &= left - 1) {
            near->fits[near->n_fits++] = start + (uint32_t)__builtin_ctzll(left);
        }
        for (uint64_t left = one[w]; left != 0; left &= left - 1) {
            const uint32_t tuple = start + (uint32_t)__builtin_ctzll(left);
            size_t i = 0;
            while (meets(&restrictions[i], tuple)) {
                i++;
            }
            near->misses[near->n_misses] = tuple;
            near->missed[near->n_misses++] = restrictions[i].quasi;
        }
    }
}

pv_near pv_i_near(const pv_consistent_index *index, pv_arena *arena)
{
    const size_t n = index->attacker->n_tuples;
    return (pv_near){.fits = PV_ARENA_ARRAY(arena, uint32_t, n),
                     .misses = PV_ARENA_ARRAY(arena, uint32_t, n),
                     .missed = PV_ARENA_ARRAY(arena, uint32_t, n)};
}

void pv_i_consistent_near(const pv_consistent_index *index, pv_consistent_scratch *scratch,
                          const uint32_t *leaves, const uint8_t *levels, pv_near *near)
{
    const size_t n = gather(index, scratch->restrictions, leaves, levels);
    uint64_t none[BLOCK_WORDS];
    uint64_t one[BLOCK_WORDS];
    memset(scratch->listed, 0, n * sizeof *scratch->listed);
    near->n_fits = near->n_misses = 0;
    for (size_t first = 0; first < index->n_words; first += BLOCK_WORDS) {
        const size_t left = index->n_words - first;
        const size_t n_words = left < BLOCK_WORDS ? left : BLOCK_WORDS;
        sift_block(index, scratch, n, first, n_words, none, one);
        list_block(scratch->restrictions, none, one, first, n_words, near);
    }
}
