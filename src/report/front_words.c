/* A front in words. */
#include "report/front_words.h"

#include "base/markup.h"
#include "report/front_axis.h"
#include "report/front_proofs.h"

#include <math.h>

void pv_i_front_escape(pv_buffer *out, pv_buffer *plain)
{
    out->failed |= plain->failed;
    if (plain->data != NULL) {
        pv_i_markup_text(out, plain->data);
    }
    pv_i_buffer_deinit(plain);
}

/* --------------------------------------------------------------------- values */

void pv_i_front_objective(pv_buffer *out, pv_measure_ref ref)
{
    char name[64];
    pv_measure_text(ref, name, sizeof name);
    pv_i_buffer_text(out, name);
}

void pv_i_front_value(pv_buffer *out, const pv_front *front, const pv_profile *profile,
                      size_t objective, double value)
{
    const double shown = pv_i_front_shown(front, profile, objective, value);
    if (pv_measure_reads_as_share(front->objectives[objective].measure, profile)) {
        pv_i_plain_percent(out, shown);
    } else {
        pv_i_markup_figure(out, shown);
    }
}

void pv_i_front_asked(pv_buffer *out, const pv_front *front, size_t point)
{
    if (pv_front_has_cuts(front)) {
        pv_i_buffer_format(out, "--scheme cuts --pick k=%llu -o cuts.json",
                           (unsigned long long)front->points[point].k);
        return;
    }
    pv_i_buffer_text(out, "--levels ");
    for (size_t q = 0; q < front->n_levels; q++) {
        pv_i_buffer_format(out, "%s%u", q > 0 ? "," : "", front->points[point].levels[q]);
    }
}

static void point_levels(pv_buffer *out, const pv_front *front, const pv_study *study,
                         const pv_point *p)
{
    pv_i_buffer_count(out, p->suppressed);
    pv_i_buffer_text(out, p->suppressed == 1 ? " row suppressed; " : " rows suppressed; ");
    for (size_t q = 0; q < front->n_levels; q++) {
        pv_i_buffer_format(out, "%s%s %u of %u", q > 0 ? ", " : "", pv_study_quasi_name(study, q),
                           p->levels[q], pv_hierarchy_height(pv_study_hierarchy(study, q)));
    }
}

static void point_cuts(pv_buffer *out, const pv_front *front, const pv_study *study, size_t point)
{
    pv_i_buffer_text(out, "proven: ");
    pv_i_front_proven(out, front, point);
    pv_i_buffer_text(out, "; ");
    pv_i_front_groups(out, front, study, point);
}

void pv_i_front_point(pv_buffer *out, const pv_front *front, const pv_profile *profile,
                      size_t point)
{
    const pv_point *const p = &front->points[point];
    const pv_study *const study = pv_profile_study(profile);
    for (size_t i = 0; i < front->n_objectives; i++) {
        pv_i_front_objective(out, front->objectives[i]);
        pv_i_buffer_char(out, ' ');
        pv_i_front_value(out, front, profile, i, p->values[i]);
        pv_i_buffer_text(out, ", ");
    }
    if (pv_front_has_cuts(front)) {
        point_cuts(out, front, study, point);
    } else {
        point_levels(out, front, study, p);
    }
}

/* ---------------------------------------------------------------------- steps */

static void stands(pv_buffer *out, const pv_front *front, const pv_profile *profile,
                   size_t objective, size_t point)
{
    pv_i_front_objective(out, front->objectives[objective]);
    pv_i_buffer_char(out, '=');
    pv_i_front_value(out, front, profile, objective, front->points[point].values[objective]);
}

static void detail_price(pv_buffer *out, double before, double after)
{
    pv_i_buffer_text(out, after >= before ? "costs " : "gives back ");
    pv_i_plain_percent(out, fabs(after - before));
    pv_i_buffer_text(out, after >= before ? " more of the detail" : " of the detail");
}

void pv_i_front_step(pv_buffer *out, const pv_front *front, const pv_profile *profile, size_t from,
                     size_t to)
{
    const size_t price = pv_front_price(front);
    const double before = front->points[from].values[price];
    const double after = front->points[to].values[price];
    pv_i_buffer_text(out, "from ");
    stands(out, front, profile, 0, from);
    pv_i_buffer_text(out, " to ");
    stands(out, front, profile, 0, to);
    pv_i_buffer_char(out, ' ');
    if (front->objectives[price].measure->detail_share) {
        detail_price(out, pv_i_front_shown(front, profile, price, before),
                     pv_i_front_shown(front, profile, price, after));
        return;
    }
    pv_i_buffer_text(out, "takes ");
    pv_i_front_objective(out, front->objectives[price]);
    pv_i_buffer_text(out, " from ");
    pv_i_front_value(out, front, profile, price, before);
    pv_i_buffer_text(out, " to ");
    pv_i_front_value(out, front, profile, price, after);
}

pv_status pv_front_step_text(const pv_front *front, const pv_profile *profile, size_t from,
                             size_t to, char **text, pv_error *error)
{
    pv_buffer out = {0};
    pv_i_front_step(&out, front, profile, from, to);
    return pv_i_buffer_take(&out, text, error);
}

/* -------------------------------------------------------------------- account */

static void looked_at(pv_buffer *out, const pv_front *front)
{
    pv_i_buffer_count(out, front->evaluated);
    pv_i_buffer_text(out, " of ");
    pv_i_markup_figure(out, front->nodes);
    pv_i_buffer_text(out, " schemes");
}

/* What "complete" and "nothing beats" are about: "level schemes with the smallest classes
 * suppressed up to 300 rows". */
void pv_i_front_family(pv_buffer *out, const pv_front *front)
{
    const pv_suppression *const rule = &front->suppression;
    if (pv_front_has_cuts(front)) {
        pv_i_buffer_text(out,
                         front->keeps_branches
                             ? "cut schemes that keep branches of hierarchies together, without "
                               "suppression"
                             : "cut schemes without suppression");
    } else if (rule->budget == 0) {
        pv_i_buffer_text(out, "level schemes without suppression");
    } else if (rule->target_k > 0) {
        pv_i_buffer_text(out, "level schemes with classes of fewer than ");
        pv_i_buffer_count(out, rule->target_k);
        pv_i_buffer_text(out, " rows suppressed, up to ");
        pv_i_buffer_count(out, rule->budget);
        pv_i_buffer_text(out, rule->budget == 1 ? " row" : " rows");
    } else {
        pv_i_buffer_text(out, "level schemes with the smallest classes suppressed up to ");
        pv_i_buffer_count(out, rule->budget);
        pv_i_buffer_text(out, rule->budget == 1 ? " row" : " rows");
    }
}

pv_status pv_front_family(const pv_front *front, char **text, pv_error *error)
{
    pv_buffer out = {0};
    pv_i_front_family(&out, front);
    return pv_i_buffer_take(&out, text, error);
}

/* Each of the two reasons, and both. */
static void why_pruned(pv_buffer *out, const pv_front *front)
{
    static const char too_dear[] = "lose too much even before suppression";
    static const char too_weak[] = "are finer than schemes found too weak for what they lose";
    if (front->pruned_loss == 0 || front->pruned_mark == 0) {
        pv_i_buffer_format(out, "they %s", front->pruned_loss > 0 ? too_dear : too_weak);
        return;
    }
    pv_i_buffer_count(out, front->pruned_loss);
    pv_i_buffer_format(out, " %s, ", too_dear);
    pv_i_buffer_count(out, front->pruned_mark);
    pv_i_buffer_format(out, " %s", too_weak);
}

static void why_complete(pv_buffer *out, const pv_front *front)
{
    const uint64_t pruned = front->pruned_loss + front->pruned_mark;
    pv_i_buffer_text(out, "complete among all ");
    pv_i_markup_figure(out, front->nodes);
    pv_i_buffer_char(out, ' ');
    pv_i_front_family(out, front);
    if (pruned == 0) {
        pv_i_buffer_text(out, ": every one of them was grouped and measured");
        return;
    }
    pv_i_buffer_text(out, ": ");
    pv_i_buffer_count(out, front->evaluated);
    pv_i_buffer_text(out, " were grouped and measured; the other ");
    pv_i_buffer_count(out, pruned);
    pv_i_buffer_text(out, " cannot be on the front: ");
    why_pruned(out, front);
    if (front->explored > 0) {
        pv_i_buffer_text(out, " (");
        pv_i_buffer_count(out, front->explored);
        pv_i_buffer_text(out, " were grouped before, for a front to start from)");
    }
}

/* "pbg-ea looked at 1,204 of 17,920 schemes in 57 generations". */
static void method_looked_at(pv_buffer *out, const pv_front *front)
{
    pv_i_buffer_format(out, "not proven complete: %s looked at ", front->method);
    looked_at(out, front);
    if (front->iterations > 0) {
        pv_i_buffer_text(out, " in ");
        pv_i_buffer_count(out, front->iterations);
        pv_i_buffer_text(out, front->iterations == 1 ? " generation" : " generations");
    }
}

static void why_not(pv_buffer *out, const pv_front *front)
{
    static const char *const limits[] = {
        [PV_STOP_FINISHED] = NULL,
        [PV_STOP_CANCELLED] = "interrupted",
        [PV_STOP_TIME] = "stopped by the time limit",
        [PV_STOP_EVALUATIONS] = "stopped by the limit of evaluations",
        [PV_STOP_STALLED] = NULL,
    };
    const char *const limit = limits[front->stop];
    if (limit != NULL) {
        pv_i_buffer_format(out, "not complete: %s after ", limit);
        looked_at(out, front);
        pv_i_buffer_text(out, "; those not looked at may be better");
    } else if (front->stop == PV_STOP_STALLED) {
        method_looked_at(out, front);
        pv_i_buffer_text(out, " and ended when nothing new appeared for a while; those not looked "
                              "at may be better");
    } else {
        method_looked_at(out, front);
        pv_i_buffer_text(out, " and cannot know what the others would give");
    }
}

void pv_i_front_account(pv_buffer *out, const pv_front *front)
{
    if (pv_front_has_cuts(front)) {
        pv_i_front_proofs(out, front);
    } else if (front->complete) {
        why_complete(out, front);
    } else {
        why_not(out, front);
    }
}

/* Steps of one person or cell need no word. */
static bool is_worth_a_word(const pv_front *front, size_t objective)
{
    const bool counts = front->objectives[objective].measure->counts;
    return front->epsilons[objective] > (counts ? 1 : 0);
}

bool pv_i_front_has_boxes(const pv_front *front)
{
    for (size_t i = 0; i < front->n_objectives; i++) {
        if (is_worth_a_word(front, i)) {
            return true;
        }
    }
    return false;
}

void pv_i_front_boxes(pv_buffer *out, const pv_front *front)
{
    const char *before = "each point stands for a box of ";
    for (size_t i = 0; i < front->n_objectives; i++) {
        if (is_worth_a_word(front, i)) {
            pv_i_buffer_text(out, before);
            pv_i_front_objective(out, front->objectives[i]);
            pv_i_buffer_char(out, ' ');
            pv_i_markup_figure(out, front->epsilons[i]);
            before = " x ";
        }
    }
}

void pv_i_front_hidden(pv_buffer *out, const pv_front *front)
{
    pv_i_buffer_count(out, front->n_hidden);
    pv_i_buffer_text(out, front->n_hidden == 1 ? " point is not shown (--where)"
                                               : " points are not shown (--where)");
}

pv_status pv_front_account(const pv_front *front, char **text, pv_error *error)
{
    pv_buffer out = {0};
    pv_i_front_account(&out, front);
    if (pv_i_front_has_boxes(front)) {
        pv_i_buffer_text(&out, "; ");
        pv_i_front_boxes(&out, front);
    }
    if (front->n_hidden > 0) {
        pv_i_buffer_text(&out, "; ");
        pv_i_front_hidden(&out, front);
    }
    return pv_i_buffer_take(&out, text, error);
}
