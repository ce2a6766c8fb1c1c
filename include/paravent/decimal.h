/* Exact decimal numbers, for data values, interval widths and shares: 0.1 is 0.1. */
#ifndef PARAVENT_DECIMAL_H
#define PARAVENT_DECIMAL_H

#include <paravent/status.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

#define PV_DECIMAL_MAX_SCALE 18

/* mantissa / 10^scale. Not normalised: 1.50 is {150, 2}. */
typedef struct pv_decimal {
    int64_t mantissa;
    uint8_t scale; /* 0..18 */
} pv_decimal;

/* "-12", "0.25", "+3.", ".5", "1e3": an optional sign, digits with at most one point, an optional
 * exponent. No blanks, no thousands separators, no locale. False if it is something else or does
 * not fit. */
PV_API bool pv_decimal_parse(const char *text, size_t length, pv_decimal *decimal);
/* -1, 0 or 1. Exact for all values. */
PV_API int pv_decimal_compare(pv_decimal a, pv_decimal b);
PV_API double pv_decimal_double(pv_decimal decimal);
/* Shortest plain form ("25", "0.5", "-3.25") into `text`; 32 bytes always suffice. */
PV_API void pv_decimal_text(pv_decimal decimal, char *text, size_t size);

#ifdef __cplusplus
}
#endif
#endif
