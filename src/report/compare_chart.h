/* The pictures of a comparison: everyone's values in order, and who gains and loses. */
#ifndef PV_REPORT_COMPARE_CHART_H
#define PV_REPORT_COMPARE_CHART_H

#include "compare/judgement.h"
#include "report/svg.h"

#define PV_CHART_COLORS 6

/* Some people who have the same. */
typedef struct pv_fortune {
    double value;
    uint64_t people;
} pv_fortune;

/* What drawing takes: room for the kinds of one release, sorted. */
typedef struct pv_compare_chart {
    const pv_comparison *comparison;
    size_t property;
    pv_fortune *sorted;
    double least, most; /* of all releases, as shown */
} pv_compare_chart;

/* Finds the range of the property's values. */
void pv_i_compare_chart_init(pv_compare_chart *chart, const pv_comparison *comparison,
                             size_t property, pv_fortune *sorted);
/* Every release as a curve, from the worst off to the best off. */
void pv_i_compare_curves(pv_buffer *out, const pv_compare_chart *chart, pv_svg_box box);
/* How many people have which value in the first release and in the second. */
void pv_i_compare_density(pv_buffer *out, const pv_compare_chart *chart, pv_svg_box box);

#endif
