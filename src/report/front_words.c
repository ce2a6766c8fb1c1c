/* A front in words: points, steps between them, and the account of the search.
 *
 * The account is a claim, and its words keep to what was proven: "complete among all 17,920 level
 * schemes ..." names the family of schemes it is about; a front that is not proven complete says
 * why, and how far off its points can be at most. */
#include "report/front_view.h"

#include "base/error.h"
#include "base/markup.h"

#include <math.h>

void pv_i_front_escape(pv_buffer *out, pv_buffer *plain)
{
    out->failed |= plain->failed;
    if (plain->data != NULL) {
        pv_i_markup_text(out, plain->data);
    }
    pv_i_buffer_deinit(plain);
}

static const char *plural(uint64_t n, const char *one, const char *many)
{
    return n == 1 ? one : many;
}

/* --------------------------------------------------------------------- values */

void pv_i_front_objective(pv_buffer *out, pv_measure_ref ref)
{
    char name[PV_MEASURE_TEXT_SIZE];
    pv_measure_text(ref, name, sizeof name);
    pv_i_buffer_text(out, name);
}

void pv_i_front_value(pv_buffer *out, const pv_front *front, const pv_profile *profile,
                      size_t objective, double value)
{
    const double shown = pv_i_front_shown(front, profile, objective, value);
    const bool as_share = pv_measure_reads_as_share(front->objectives[objective].measure, profile);
    pv_i_buffer_text(out, as_share ? PV_PLAIN_PERCENT(shown) : PV_FIGURE(shown));
}

void pv_i_front_asked(pv_buffer *out, const pv_front *front, size_t point)
{
    if (pv_front_has_cuts(front)) {
        pv_i_buffer_format(out, "%s k=%llu%s", pv_i_say(front->words, PV_PHRASE_POINT_CUTS),
                           (unsigned long long)front->points[point].k,
                           pv_i_say(front->words, PV_PHRASE_POINT_CUTS_FILE));
        return;
    }
    pv_i_buffer_format(out, "%s ", pv_i_say(front->words, PV_PHRASE_POINT_LEVELS));
    for (size_t q = 0; q < front->n_levels; q++) {
        pv_i_buffer_format(out, "%s%u", q > 0 ? "," : "", front->points[point].levels[q]);
    }
}

/* "290 rows suppressed; age 5 of 6, sex 0 of 1" */
static void point_levels(pv_buffer *out, const pv_front *front, const pv_study *study,
                         const pv_point *p)
{
    pv_i_buffer_format(out, "%s %s suppressed; ", PV_COUNT(p->suppressed),
                       plural(p->suppressed, "row", "rows"));
    for (size_t q = 0; q < front->n_levels; q++) {
        pv_i_buffer_format(out, "%s%s %u of %u", q > 0 ? ", " : "", pv_study_quasi_name(study, q),
                           p->levels[q], pv_hierarchy_height(pv_study_hierarchy(study, q)));
    }
}

/* "proven: optimal; age 5 groups, sex as it is, race one group" */
static void point_cuts(pv_buffer *out, const pv_front *front, const pv_study *study, size_t point)
{
    pv_i_buffer_text(out, "proven: ");
    pv_i_front_proven(out, front, point);
    pv_i_buffer_text(out, "; ");
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

/* "k=10" */
static void value_at(pv_buffer *out, const pv_front *front, const pv_profile *profile,
                     size_t objective, size_t point)
{
    pv_i_front_objective(out, front->objectives[objective]);
    pv_i_buffer_char(out, '=');
    pv_i_front_value(out, front, profile, objective, front->points[point].values[objective]);
}

/* "from k=5 to k=10 costs 3.1% more of the detail"; of other prices than detail, the values. */
void pv_i_front_step(pv_buffer *out, const pv_front *front, const pv_profile *profile, size_t from,
                     size_t to)
{
    const size_t price = pv_front_price(front);
    const double before = front->points[from].values[price];
    const double after = front->points[to].values[price];
    pv_i_buffer_text(out, "from ");
    value_at(out, front, profile, 0, from);
    pv_i_buffer_text(out, " to ");
    value_at(out, front, profile, 0, to);
    if (front->objectives[price].measure->detail_share) {
        const double change = fabs(pv_i_front_shown(front, profile, price, after) -
                                   pv_i_front_shown(front, profile, price, before));
        const bool costs = after >= before;
        pv_i_buffer_format(out, " %s %s%s of the detail", costs ? "costs" : "gives back",
                           PV_PLAIN_PERCENT(change), costs ? " more" : "");
        return;
    }
    pv_i_buffer_text(out, " takes ");
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

/* ------------------------------------------------------- an account of levels */

/* Which classes are suppressed: for as long as the budget lasts, or what each point asks for. */
static void suppressed(pv_buffer *out, const pv_front *front)
{
    const pv_suppression *const rule = &front->suppression;
    const bool needed = !rule->whole_budget || rule->target_k > 0 || front->n_demands > 0;
    if (needed) {
        pv_i_buffer_format(out, "level schemes with what each k %s suppressed, and nothing else,",
                           front->n_demands > 0 ? "and the demands need" : "needs");
    } else {
        pv_i_buffer_text(out, "level schemes with the smallest classes suppressed");
    }
    pv_i_buffer_format(out, " up to %s %s", PV_COUNT(rule->budget),
                       plural(rule->budget, "row", "rows"));
}

/* What "complete" and "nothing beats" are about. */
static void family(pv_buffer *out, const pv_front *front)
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
    } else {
        suppressed(out, front);
    }
}

pv_status pv_front_family(const pv_front *front, char **text, pv_error *error)
{
    pv_buffer out = {0};
    family(&out, front);
    return pv_i_buffer_take(&out, text, error);
}

/* Every scheme was measured, or cannot be on the front for one of two reasons; both are counted. */
static void why_complete(pv_buffer *out, const pv_front *front)
{
    static const char too_dear[] = "lose too much even before suppression";
    static const char too_weak[] = "are finer than schemes found too weak for what they lose";
    const uint64_t pruned = front->pruned_loss + front->pruned_mark;
    pv_i_buffer_format(out, "complete among all %s ", PV_FIGURE(front->nodes));
    family(out, front);
    if (pruned == 0) {
        pv_i_buffer_text(out, ": every one of them was grouped and measured");
        return;
    }
    pv_i_buffer_format(out, ": %s were grouped and measured; the other %s cannot be on the front: ",
                       PV_COUNT(front->evaluated), PV_COUNT(pruned));
    if (front->pruned_loss == 0 || front->pruned_mark == 0) {
        pv_i_buffer_format(out, "they %s", front->pruned_loss > 0 ? too_dear : too_weak);
    } else {
        pv_i_buffer_format(out, "%s %s, %s %s", PV_COUNT(front->pruned_loss), too_dear,
                           PV_COUNT(front->pruned_mark), too_weak);
    }
    if (front->explored > 0) {
        pv_i_buffer_format(out, " (%s were grouped before, for a front to start from)",
                           PV_COUNT(front->explored));
    }
}

static void why_not_complete(pv_buffer *out, const pv_front *front)
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
    } else {
        pv_i_buffer_format(out, "not proven complete: %s looked at ", front->method);
    }
    pv_i_buffer_format(out, "%s of %s schemes", PV_COUNT(front->evaluated),
                       PV_FIGURE(front->nodes));
    if (front->proof_nodes > 0) {
        pv_i_buffer_format(out, " and %s %s of branch and bound", PV_COUNT(front->proof_nodes),
                           plural(front->proof_nodes, "node", "nodes"));
    }
    if (limit == NULL && front->iterations > 0) {
        pv_i_buffer_format(out, " in %s %s", PV_COUNT(front->iterations),
                           plural(front->iterations, "generation", "generations"));
    }
    pv_i_buffer_text(out, limit != NULL ? "; those not looked at may be better"
                          : front->stop == PV_STOP_STALLED
                              ? " and ended when nothing new appeared for a while; those not "
                                "looked at may be better"
                          : front->proof_nodes > 0
                              ? ", as much as it does unless told how long to go on; those not "
                                "looked at may be better"
                              : " and cannot know what the others would give");
}

/* ------------------------------------------ an account of points proven one by one */

static void gap_text(pv_buffer *out, double gap)
{
    char text[64];
    pv_gap_text(gap, PV_GAP_SENTENCE, text, sizeof text);
    pv_i_buffer_text(out, text);
}

void pv_i_front_proven(pv_buffer *out, const pv_front *front, size_t point)
{
    gap_text(out, pv_front_gap(front, point));
}

size_t pv_i_front_count_proven(const pv_front *front)
{
    size_t n = 0;
    for (size_t i = 0; i < front->n_points; i++) {
        n += pv_front_gap(front, i) <= 0;
    }
    return n;
}

/* "30,658 schemes and 271,274 nodes of branch and bound" */
static void work_text(pv_buffer *out, const pv_front *front)
{
    pv_i_buffer_format(out, "%s %s", PV_COUNT(front->evaluated),
                       plural(front->evaluated, "scheme", "schemes"));
    if (front->proof_nodes > 0) {
        pv_i_buffer_format(out, " and %s %s of branch and bound", PV_COUNT(front->proof_nodes),
                           plural(front->proof_nodes, "node", "nodes"));
    }
}

/* "3 of 12 points proven optimal, the others are at most 1.2% above the optimum; ..." */
static void why_not_proven(pv_buffer *out, const pv_front *front)
{
    const bool cuts = pv_front_has_cuts(front);
    const char *const reasons[] = {
        [PV_STOP_FINISHED] = pv_i_say(front->words, PV_PHRASE_PROOF_MEMORY),
        [PV_STOP_CANCELLED] = "the search was interrupted",
        [PV_STOP_TIME] =
            cuts ? pv_i_say(front->words, PV_PHRASE_PROOF_TIME) : "the time limit was reached",
        [PV_STOP_EVALUATIONS] = "the nodes for proofs were used up",
        [PV_STOP_STALLED] = "nothing new came up",
    };
    const size_t n_proven = pv_i_front_count_proven(front);
    const size_t n_others = front->n_points - n_proven;
    const bool asked = front->proof_nodes > 0 || front->stop != PV_STOP_FINISHED;
    double gap = 0;
    for (size_t i = 0; i < front->n_points; i++) {
        gap = fmax(gap, pv_front_gap(front, i));
    }
    pv_i_buffer_format(out, "not proven complete: %s of %s %s proven optimal, ", PV_COUNT(n_proven),
                       PV_COUNT(front->n_points), plural(front->n_points, "point", "points"));
    if (n_others == 0) {
        pv_i_buffer_text(out, "but others may lie between them");
    } else if (isfinite(gap)) {
        pv_i_buffer_text(out, n_others == 1 ? "the other is " : "the others are ");
        gap_text(out, gap);
    } else {
        pv_i_buffer_text(out, "nothing is proven about others");
    }
    pv_i_buffer_format(out, "; %s after ",
                       asked ? reasons[front->stop] : pv_i_say(front->words, PV_PHRASE_NO_PROOFS));
    work_text(out, front);
}

/* ------------------------------------------------------------------- together */

void pv_i_front_account(pv_buffer *out, const pv_front *front)
{
    if (!pv_front_has_bounds(front)) {
        if (front->complete) {
            why_complete(out, front);
        } else {
            why_not_complete(out, front);
        }
    } else if (front->complete) {
        pv_i_buffer_text(out, "complete among all ");
        family(out, front);
        pv_i_buffer_text(out, ": it is proven that every point is optimal and that none is "
                              "missing; that took ");
        work_text(out, front);
    } else {
        why_not_proven(out, front);
    }
}

/* Boxes of one person or cell need no word. */
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
            pv_i_buffer_format(out, " %s", PV_FIGURE(front->epsilons[i]));
            before = " x ";
        }
    }
}

void pv_i_front_hidden(pv_buffer *out, const pv_front *front)
{
    pv_i_buffer_format(out, "%s %s %s", PV_COUNT(front->n_hidden),
                       plural(front->n_hidden, "point is", "points are"),
                       pv_i_say(front->words, PV_PHRASE_HIDDEN));
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
