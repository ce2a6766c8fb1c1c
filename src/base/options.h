/* Options that carry their size.
 *
 * Every public options struct begins with `size_t size`, the sizeof the caller's header knew. So a
 * program that was compiled against an older header keeps working with a newer library: what it
 * does not know of is zero, and zero always means the default. A program from the future whose
 * unknown fields are all zero asks for nothing this library does not know; otherwise it is refused.
 * Size 0 (a struct that was only zeroed) counts as the size of this header's struct. */
#ifndef PV_BASE_OPTIONS_H
#define PV_BASE_OPTIONS_H

#include <paravent/status.h>
#include <stddef.h>

/* Copies what the caller gave (NULL = all defaults) into `taken`, a struct variable of the
 * library's own type. */
#define PV_TAKE_OPTIONS(taken, given, error) \
    pv_i_take_options(&(taken), sizeof(taken), (given), (given) != NULL ? (given)->size : 0, error)

PV_CHECKED pv_status pv_i_take_options(void *taken, size_t taken_size, const void *given,
                                       size_t given_size, pv_error *error);

#endif
