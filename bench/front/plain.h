/* The plain evaluator: hashes every row at every scheme. It is the yardstick the real one is
 * measured by, and shares nothing with it but the hash table. */
#ifndef PV_BENCH_PLAIN_H
#define PV_BENCH_PLAIN_H

#include "scheme/lattice.h"

#include <paravent/classes.h>

typedef struct pv_plain_result {
    uint64_t k, suppressed;
    double glm, dcn;
} pv_plain_result;

/* Every scheme of the lattice on `threads` threads; results by node. False when memory runs out. */
bool pv_plain_all(const pv_profile *profile, const pv_lattice *lattice, uint64_t budget,
                  unsigned threads, pv_plain_result *results);

#endif
