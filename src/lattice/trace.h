/* How a search goes: what its front is worth, again and again, for people who wait and for those
 * who ask afterwards whether more time would have helped.
 *
 * Worth is the hypervolume between what the two ends of the lattice have to offer. */
#ifndef PV_LATTICE_TRACE_H
#define PV_LATTICE_TRACE_H

#include "front/archive.h"

typedef struct pv_trace {
    bool begun;
    double worst[PV_MAX_OBJECTIVES], best[PV_MAX_OBJECTIVES]; /* oriented */
    bool logarithmic[PV_MAX_OBJECTIVES];
    pv_moment *moments;
    size_t n, capacity;
    uint64_t next; /* evaluations to take the next moment at */
} pv_trace;

/* `bottom` and `top` are the oriented values of the ends of the lattice. */
void pv_i_trace_begin(pv_trace *trace, const pv_measure_ref *objectives, size_t n_objectives,
                      const double *bottom, const double *top);
void pv_i_trace_deinit(pv_trace *trace);

/* Takes a moment if it is time for one: when a quarter more was evaluated than at the last one, or
 * at the end. False when memory runs out. */
PV_CHECKED bool pv_i_trace_take(pv_trace *trace, const pv_archive *archive, uint64_t evaluated,
                                double seconds, bool is_last);

/* "145 points, quality 93.2%" for a progress line, or only how many; empty if there is none. */
#define PV_TRACE_NOTE 64
void pv_i_trace_note(const pv_trace *trace, const pv_archive *archive, char note[PV_TRACE_NOTE]);

#endif
