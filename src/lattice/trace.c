/* How a search goes. */
#include "lattice/trace.h"

#include "base/memory.h"
#include "front/front_values.h"
#include "front/hypervolume.h"

#include <math.h>
#include <stdio.h>

void pv_i_trace_begin(pv_trace *trace, const pv_measure_ref *objectives, size_t n_objectives,
                      const double *bottom, const double *top)
{
    for (size_t i = 0; i < n_objectives; i++) {
        trace->worst[i] = fmin(bottom[i], top[i]);
        trace->best[i] = fmax(bottom[i], top[i]);
        if (trace->worst[i] >= trace->best[i]) { /* worst between the ends, like a bias */
            trace->worst[i] = trace->best[i] - fmax(1, fabs(trace->best[i]));
        }
        trace->logarithmic[i] = pv_i_is_class_size(objectives[i].measure);
        if (!isfinite(trace->worst[i]) || !isfinite(trace->best[i])) {
            return; /* an end keeps no bounds of the suppression: nothing to measure by */
        }
    }
    trace->begun = true;
}

void pv_i_trace_deinit(pv_trace *trace)
{
    pv_i_free(trace->moments);
    *trace = (pv_trace){0};
}

static bool measure(const pv_trace *trace, const pv_archive *archive, double *volume)
{
    bool estimated;
    return pv_i_archive_volume(archive, trace->worst, trace->best, trace->logarithmic, volume,
                               &estimated);
}

bool pv_i_trace_take(pv_trace *trace, const pv_archive *archive, uint64_t evaluated, double seconds,
                     bool is_last)
{
    if (!trace->begun || (evaluated < trace->next && !is_last)) {
        return true;
    }
    double volume;
    if (!measure(trace, archive, &volume) ||
        !pv_i_reserve((void **)&trace->moments, &trace->capacity, trace->n + 1,
                      sizeof *trace->moments)) {
        return false;
    }
    if (trace->n > 0 && trace->moments[trace->n - 1].evaluated == evaluated) {
        trace->n--; /* the end of the search tells it again */
    }
    trace->moments[trace->n++] = (pv_moment){.evaluated = evaluated,
                                             .seconds = seconds,
                                             .points = archive->n_members,
                                             .hypervolume = volume};
    trace->next = evaluated + evaluated / 4 + 1;
    return true;
}

void pv_i_trace_note(const pv_trace *trace, const pv_archive *archive, char note[PV_TRACE_NOTE])
{
    double volume;
    note[0] = '\0';
    if (trace->begun && measure(trace, archive, &volume)) {
        (void)snprintf(note, PV_TRACE_NOTE, "%zu points, quality %.2f%%", archive->n_members,
                       100 * volume);
    } else if (archive->n_members > 0) {
        (void)snprintf(note, PV_TRACE_NOTE, "%zu points so far", archive->n_members);
    }
}
