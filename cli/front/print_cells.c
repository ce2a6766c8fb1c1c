/* How the points of a front treat the attributes, in few characters. */
#include "front/print_cells.h"

#include "core/text.h"

#include <stdio.h>
#include <stdlib.h>

char *cli_attribute_text(const cli_report *report, const cli_found *found, size_t point,
                         size_t quasi)
{
    const pv_point *const p = &found->front->points[point];
    const bool cuts = pv_front_has_cuts(found->front);
    const size_t top = pv_hierarchy_height(pv_study_hierarchy(found->opened->study, quasi));
    const size_t number = cuts ? pv_point_groups(p, quasi) : p->levels[quasi];
    return number == 0                  ? cli_copy(report->utf8 ? "\xc2\xb7" : ".")
           : number == (cuts ? 1 : top) ? cli_copy("*")
                                        : cli_format("%zu", number);
}

char *cli_groups_summary(const cli_found *found, size_t point)
{
    const size_t n = pv_study_quasis(found->opened->study);
    size_t raw = 0;
    size_t merged = 0;
    for (size_t q = 0; q < n; q++) {
        const size_t groups = pv_point_groups(&found->front->points[point], q);
        raw += groups == 0;
        merged += groups == 1;
    }
    return cli_format("%zu raw, %zu divided, %zu merged", raw, n - raw - merged, merged);
}

/* "all raw but age 2, zip *", or "all * but sex, age 1": whichever names fewer attributes. */
#define MOST_NAMED 6

char *cli_levels_summary(const cli_found *found, size_t point)
{
    const pv_study *const study = found->opened->study;
    const uint8_t *const levels = found->front->points[point].levels;
    const size_t n = pv_study_quasis(study);
    size_t raised = 0;
    size_t left = 0;
    for (size_t q = 0; q < n; q++) {
        raised += levels[q] > 0;
        left += levels[q] < pv_hierarchy_height(pv_study_hierarchy(study, q));
    }
    const bool raw = raised <= left;
    const size_t unlike = raw ? raised : left;
    char *list = cli_copy(raw ? "all raw" : "all *");
    for (size_t q = 0, named = 0; q < n && named < MOST_NAMED && unlike > 0; q++) {
        const size_t top = pv_hierarchy_height(pv_study_hierarchy(study, q));
        if (raw ? levels[q] == 0 : levels[q] == top) {
            continue;
        }
        char level[8] = "";
        if (levels[q] > 0) {
            (void)snprintf(level, sizeof level, levels[q] == top ? " *" : " %u", levels[q]);
        }
        char *const longer = cli_format("%s%s %s%s", list, named == 0 ? " but" : ",",
                                        pv_study_quasi_name(study, q), level);
        free(list);
        list = longer;
        named++;
    }
    if (unlike > MOST_NAMED) {
        char *const longer = cli_format("%s and %zu more", list, unlike - MOST_NAMED);
        free(list);
        list = longer;
    }
    return list;
}

char *cli_levels_text(const cli_found *found, size_t point)
{
    char *list = cli_copy("");
    for (size_t q = 0; q < found->front->n_levels; q++) {
        char *const longer =
            cli_format("%s%s%u", list, q > 0 ? "," : "", found->front->points[point].levels[q]);
        free(list);
        list = longer;
    }
    return list;
}
