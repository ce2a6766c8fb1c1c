/* In which order attributes are generalized. */
#include "classes/attribute_order.h"

#include "base/checked.h"
#include "base/error.h"
#include "base/memory.h"
#include "classes/keymap.h"

#include <string.h>

/* Tuples to judge attributes by. */
#define SAMPLE ((size_t)1 << 13)

/* About how many of the tuples would remain distinct without an attribute. Of many tuples only
 * those are counted whose rest falls, by its hash, into a small part of all: equal rests fall
 * together. */
static bool count_without(const pv_profile *profile, size_t quasi, size_t *left)
{
    const unsigned words = profile->packing.words;
    const pv_field field = profile->packing.fields[quasi];
    const uint64_t part = pv_i_next_power(profile->n_tuples / SAMPLE + 1) - 1;
    pv_keymap map = {0};
    uint64_t *const rest = PV_NEW_ARRAY(uint64_t, words);
    bool ready = rest != NULL && pv_i_keymap_init(&map, words, SAMPLE);
    for (size_t t = 0; ready && t < profile->n_tuples; t++) {
        memcpy(rest, profile->keys + t * words, words * sizeof *rest);
        rest[field.word] &= ~(field.mask << field.shift);
        /* The high bits: the map uses the low ones. */
        if ((pv_i_key_hash(rest, words) >> 32 & part) == 0) {
            ready = pv_i_keymap_add(&map, rest) != PV_KEYMAP_FULL;
        }
    }
    *left = map.n;
    pv_i_keymap_deinit(&map);
    pv_i_free(rest);
    return ready;
}

static void move_last(size_t *order, size_t position, size_t n)
{
    const size_t quasi = order[position];
    memmove(order + position, order + position + 1, (n - 1 - position) * sizeof *order);
    order[n - 1] = quasi;
}

static unsigned height_of(const pv_profile *profile, size_t quasi)
{
    return pv_hierarchy_height(pv_study_hierarchy(profile->study, quasi));
}

/* Of the weaker half, the attribute with most levels goes last. */
static void choose_last(const pv_profile *profile, size_t *order, size_t n)
{
    size_t last = n - 1;
    for (size_t p = n; p-- > n / 2;) {
        last = height_of(profile, order[p]) > height_of(profile, order[last]) ? p : last;
    }
    move_last(order, last, n);
}

pv_status pv_i_attribute_order(const pv_profile *profile, size_t *order, pv_error *error)
{
    const size_t n = pv_study_quasis(profile->study);
    size_t *const left = PV_NEW_ARRAY(size_t, n);
    bool ready = left != NULL;
    for (size_t q = 0; ready && q < n; q++) {
        ready = count_without(profile, q, &left[q]);
        size_t p = q;
        for (; p > 0 && left[order[p - 1]] > left[q]; p--) {
            order[p] = order[p - 1];
        }
        order[p] = q;
    }
    pv_i_free(left);
    if (!ready) {
        return pv_i_no_memory(error);
    }
    choose_last(profile, order, n);
    return PV_STATUS_OK;
}
