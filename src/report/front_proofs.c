/* A front of cuts in words. */
#include "report/front_proofs.h"

#include "base/markup.h"
#include "report/front_words.h"

#include <math.h>

/* --------------------------------------------------------------------- points */

/* "at most 1.2% above the optimum". Rounded up, so that the claim holds; beyond all of it as a
 * factor. */
static void tell_gap(pv_buffer *out, double gap)
{
    pv_i_buffer_text(out, "at most ");
    pv_i_markup_short(out, gap > 1 ? ceil((1 + gap) * 10) / 10 : ceil(gap * 1000) / 10, 1);
    pv_i_buffer_text(out, gap > 1 ? " times the optimum" : "% above the optimum");
}

void pv_i_front_proven(pv_buffer *out, const pv_front *front, size_t point)
{
    const double gap = pv_front_gap(front, point);
    if (gap <= 0) {
        pv_i_buffer_text(out, "optimal");
    } else if (isfinite(gap)) {
        tell_gap(out, gap);
    } else {
        pv_i_buffer_text(out, "nothing");
    }
}

void pv_i_front_groups(pv_buffer *out, const pv_front *front, const pv_study *study, size_t point)
{
    for (size_t q = 0; q < pv_study_quasis(study); q++) {
        const size_t n = pv_front_groups(front, point, q);
        pv_i_buffer_format(out, "%s%s ", q > 0 ? ", " : "", pv_study_quasi_name(study, q));
        if (n > 1) {
            pv_i_buffer_format(out, "%zu groups", n);
        } else {
            pv_i_buffer_text(out, n == 0 ? "as it is" : "one group");
        }
    }
}

/* -------------------------------------------------------------------- account */

size_t pv_i_front_count_proven(const pv_front *front)
{
    size_t n = 0;
    for (size_t i = 0; i < front->n_points; i++) {
        n += pv_front_gap(front, i) <= 0;
    }
    return n;
}

static double largest_gap(const pv_front *front)
{
    double largest = 0;
    for (size_t i = 0; i < front->n_points; i++) {
        largest = fmax(largest, pv_front_gap(front, i));
    }
    return largest;
}

static void tell_count(pv_buffer *out, uint64_t n, const char *one, const char *many)
{
    pv_i_buffer_count(out, n);
    pv_i_buffer_format(out, " %s", n == 1 ? one : many);
}

/* "after 30,658 schemes and 271,274 nodes of branch and bound". */
static void tell_work(pv_buffer *out, const pv_front *front)
{
    tell_count(out, front->evaluated, "scheme", "schemes");
    if (front->proof_nodes > 0) {
        pv_i_buffer_text(out, " and ");
        tell_count(out, front->proof_nodes, "node", "nodes");
        pv_i_buffer_text(out, " of branch and bound");
    }
}

static void why_not(pv_buffer *out, const pv_front *front)
{
    static const char *const reasons[] = {
        [PV_STOP_FINISHED] = "the memory for proofs was used up (--memory)",
        [PV_STOP_CANCELLED] = "the search was interrupted",
        [PV_STOP_TIME] = "the time for proofs was over (--prove)",
        [PV_STOP_EVALUATIONS] = "the nodes for proofs were used up",
        [PV_STOP_STALLED] = "nothing new came up",
    };
    const bool asked = front->proof_nodes > 0 || front->stop != PV_STOP_FINISHED;
    pv_i_buffer_text(out, asked ? reasons[front->stop] : "no proofs were asked for (--prove)");
}

/* Of the points that are not proven optimal: how far off they can be. */
static void tell_others(pv_buffer *out, const pv_front *front, size_t n_others)
{
    const double gap = largest_gap(front);
    if (n_others == 0) {
        pv_i_buffer_text(out, "but others may lie between them");
    } else if (isfinite(gap)) {
        pv_i_buffer_text(out, n_others == 1 ? "the other is " : "the others are ");
        tell_gap(out, gap);
    } else {
        pv_i_buffer_text(out, "nothing is proven about others");
    }
}

void pv_i_front_proofs(pv_buffer *out, const pv_front *front)
{
    const size_t n_proven = pv_i_front_count_proven(front);
    if (front->complete) {
        pv_i_buffer_text(out, "complete among all ");
        pv_i_front_family(out, front);
        pv_i_buffer_text(out, ": it is proven that every point is optimal and that none is "
                              "missing; that took ");
        tell_work(out, front);
        return;
    }
    pv_i_buffer_text(out, "not proven complete: ");
    pv_i_buffer_count(out, n_proven);
    pv_i_buffer_text(out, " of ");
    tell_count(out, front->n_points, "point", "points");
    pv_i_buffer_text(out, " proven optimal, ");
    tell_others(out, front, front->n_points - n_proven);
    pv_i_buffer_text(out, "; ");
    why_not(out, front);
    pv_i_buffer_text(out, " after ");
    tell_work(out, front);
}
