/* A few cut schemes that every space has: little, much and something between. */
#ifndef PV_TESTS_CUT_PATTERNS_H
#define PV_TESTS_CUT_PATTERNS_H

#include "scheme/cut_space.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { CUT_PATTERNS = 4 };

/* Nothing, everything, one attribute, every other place. */
static inline void cut_pattern(const pv_cut_space *space, size_t pattern, uint8_t *cuts)
{
    const pv_cut_axis *const last = &space->axes[space->n_axes - 1];
    for (size_t bit = 0; bit < space->n_bits; bit++) {
        const bool choices[CUT_PATTERNS] = {false, true, bit >= last->first_bit, bit % 2 == 0};
        cuts[bit] = choices[pattern];
    }
}

#endif
