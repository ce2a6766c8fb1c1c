/* The exposure of a raw table, as tests and its maker see it. */
#ifndef PV_MEASURE_EXPOSURE_H
#define PV_MEASURE_EXPOSURE_H

#include <paravent/measure.h>

struct pv_exposure_part {
    size_t a, b;
    size_t combinations;
    uint64_t unique_rows, rare_rows;
    double mean_risk;
    uint64_t unique_saved, rare_values; /* of a single quasi-identifier */
};

struct pv_exposure {
    uint64_t rows, tuples, unique_rows, rare_below;
    double risk_max, risk_mean;
    uint64_t histogram[PV_EXPOSURE_BINS];
    pv_exposure_part *singles; /* one per quasi-identifier */
    size_t n_singles;
    pv_exposure_part *pairs; /* every pair a < b, most unique rows first */
    size_t n_pairs;
};

#endif
