/* Narrowing a front down in its page. */
#include "report/parallel_brush.h"

#include "base/markup.h"
#include "base/memory.h"
#include "report/front_words.h"

#include <stdlib.h>

/* ---------------------------------------------------------------------- ranks */

typedef struct standing {
    double value; /* oriented: more is better */
    size_t point;
} standing;

static int compare_standings(const void *a, const void *b)
{
    const standing *const left = a;
    const standing *const right = b;
    return (left->value > right->value) - (left->value < right->value);
}

static void rank_objective(const pv_front *front, size_t objective, standing *scratch,
                           pv_ranks *ranks)
{
    const bool more = front->objectives[objective].measure->direction == PV_MORE_IS_BETTER;
    for (size_t i = 0; i < front->n_points; i++) {
        const double value = front->points[i].values[objective];
        scratch[i] = (standing){.value = more ? value : -value, .point = i};
    }
    qsort(scratch, front->n_points, sizeof *scratch, compare_standings);
    size_t place = 0;
    for (size_t i = 0; i < front->n_points; i++) {
        place += i > 0 && scratch[i].value > scratch[i - 1].value;
        ranks->places[scratch[i].point * front->n_objectives + objective] = place;
    }
    ranks->distinct[objective] = place + 1;
}

bool pv_i_ranks_create(const pv_front *front, pv_ranks *ranks)
{
    pv_ranks made = {.n_points = front->n_points, .n_objectives = front->n_objectives};
    standing *const scratch = PV_NEW_ARRAY(standing, front->n_points);
    made.places = pv_i_array(front->n_points, front->n_objectives * sizeof *made.places);
    const bool ok = scratch != NULL && made.places != NULL;
    for (size_t i = 0; ok && i < front->n_objectives; i++) {
        rank_objective(front, i, scratch, &made);
    }
    pv_i_free(scratch);
    if (ok) {
        *ranks = made;
    } else {
        pv_i_free(made.places);
    }
    return ok;
}

void pv_i_ranks_free(pv_ranks *ranks)
{
    pv_i_free(ranks->places);
    *ranks = (pv_ranks){0};
}

void pv_i_ranks_text(pv_buffer *out, const pv_ranks *ranks, size_t point)
{
    for (size_t i = 0; i < ranks->n_objectives; i++) {
        pv_i_buffer_format(out, "%s%zu", i > 0 ? " " : "",
                           ranks->places[point * ranks->n_objectives + i]);
    }
}

/* -------------------------------------------------------------------- sliders */

/* Two of them per objective: the worst that is still shown, and the best. */
static void slider(pv_buffer *out, const pv_front *front, const pv_ranks *ranks, size_t objective,
                   bool best)
{
    const size_t most = ranks->distinct[objective] - 1;
    const bool more = front->objectives[objective].measure->direction == PV_MORE_IS_BETTER;
    const char *const what = best == more ? "at most" : "at least";
    pv_i_buffer_format(out,
                       "<label><span>%s <output></output></span><input type=\"range\" min=\"0\" "
                       "max=\"%zu\" value=\"%zu\" data-o=\"%zu\" data-end=\"%d\" aria-label=\"",
                       what, most, best ? most : 0, objective, best);
    pv_i_front_objective(out, front->objectives[objective]);
    pv_i_buffer_format(out, " %s\"/></label>", what);
}

void pv_i_brush(pv_buffer *out, const pv_front *front, const pv_ranks *ranks)
{
    pv_i_buffer_text(out, "<div id=\"narrow\" hidden>\n<p class=\"counted\"><output id=\"count\">"
                          "</output><button type=\"button\" id=\"reset\">Show all</button>"
                          "<span class=\"soft\">Drag along an axis, or move the sliders, to see "
                          "only the points within.</span></p>\n<div class=\"ranges\">\n");
    for (size_t i = 0; i < front->n_objectives; i++) {
        pv_i_buffer_text(out, "<fieldset><legend>");
        pv_i_front_objective(out, front->objectives[i]);
        pv_i_buffer_text(out, "</legend>");
        slider(out, front, ranks, i, false);
        slider(out, front, ranks, i, true);
        pv_i_buffer_text(out, "</fieldset>\n");
    }
    pv_i_buffer_text(out, "</div></div>\n");
}
