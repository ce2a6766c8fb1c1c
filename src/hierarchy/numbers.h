/* Numbers on a line, exactly: every decimal is an integer count of 10^-18, in 128 bits, which hold
 * any two pv_decimals added. */
#ifndef PV_HIERARCHY_NUMBERS_H
#define PV_HIERARCHY_NUMBERS_H

#include <paravent/decimal.h>
#include <paravent/table.h>
#include <stdbool.h>

typedef __int128 pv_ticks;                                    /* 10^-18 each */
#define PV_TICKS_ONE ((pv_ticks)INT64_C(1000000000000000000)) /* the number 1 */

#define PV_NUMBER_SIZE 48 /* sign, 20 digits, point, 18 digits, NUL */

pv_ticks pv_i_ticks(pv_decimal decimal);
/* False if the text is no number of such a format. */
bool pv_i_ticks_parse(const char *text, const pv_format *format, pv_ticks *ticks);
/* The decimal again; false if it does not fit into one. */
bool pv_i_ticks_decimal(pv_ticks ticks, pv_decimal *decimal);
/* The shortest plain form: "25", "-0.5". The whole part must fit into 64 bits. */
void pv_i_ticks_text(pv_ticks ticks, char text[PV_NUMBER_SIZE]);

/* floor(a / b), b above 0. */
static inline pv_ticks pv_i_ticks_divide(pv_ticks a, pv_ticks b)
{
    return a / b - (a % b < 0);
}

static inline bool pv_i_ticks_whole(pv_ticks ticks)
{
    return ticks % PV_TICKS_ONE == 0;
}

#endif
