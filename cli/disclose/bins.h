/* People by risk, before and after: bins between round numbers, the worst first. */
#ifndef CLI_DISCLOSE_BINS_H
#define CLI_DISCLOSE_BINS_H

#include "disclose/answer.h"

/* Above `from`, up to `to`. */
typedef struct cli_bin {
    double from, to;
    uint64_t before, after; /* people */
} cli_bin;

#define CLI_MOST_BINS 14

/* Returns the number of bins. The one that ends at 0 where no risk is negative holds those who have
 * none. */
size_t cli_risk_bins(const cli_disclosed *disclosed, cli_bin bins[CLI_MOST_BINS]);

#endif
