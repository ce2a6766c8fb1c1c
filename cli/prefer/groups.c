/* How a solution divides each attribute, in the words the release would use. */
#include "core/fail.h"
#include "core/grid.h"
#include "core/text.h"
#include "prefer/answer.h"

#include <stdlib.h>

#define LABEL_WIDTH 48 /* of one group; longer ones are cut */
#define TEXT_WIDTH 150 /* of all groups of an attribute: about three lines */

/* "<25 | 25-39 | >=40". Owned. */
static char *groups_text(const cli_report *report, const pv_hierarchy *hierarchy, unsigned level)
{
    const char *const rule = report->utf8 ? "\xe2\x94\x82" : "|";
    char *text = cli_copy("");
    for (uint32_t g = 0; g < pv_hierarchy_groups(hierarchy, level); g++) {
        if (cli_width(report, text) > TEXT_WIDTH) {
            break; /* the rest would be cut */
        }
        const char *const name = pv_hierarchy_label(hierarchy, level, g);
        char *const label = cli_clean_text(report, name[0] != '\0' ? name : "(empty)", LABEL_WIDTH);
        char *const longer = g == 0 ? cli_copy(label) : cli_format("%s %s %s", text, rule, label);
        free(label);
        free(text);
        text = longer;
    }
    char *const cut = cli_clean_text(report, text, TEXT_WIDTH);
    free(text);
    return cut;
}

static pv_status add_attribute(const cli_report *report, cli_grid *grid, const pv_study *study,
                               size_t quasi, const pv_plan_attribute *attribute, pv_error *error)
{
    const unsigned level = (unsigned)attribute->level;
    pv_hierarchy *hierarchy = NULL;
    CLI_TRY(pv_hierarchy_build(&attribute->hierarchy, pv_study_table(study),
                               pv_study_quasi_column(study, quasi), &hierarchy, error));
    const uint64_t groups =
        level == 0 ? pv_hierarchy_domain(hierarchy) : pv_hierarchy_groups(hierarchy, level);
    char *const text =
        level == 0 ? cli_copy("every value as it is") : groups_text(report, hierarchy, level);
    cli_grid_cell(grid, "%s", attribute->name);
    cli_grid_cell(grid, "%s", cli_count_text(pv_hierarchy_domain(hierarchy)).text);
    cli_grid_cell(grid, "%s", cli_count_text(groups).text);
    cli_grid_cell(grid, "%s", text);
    free(text);
    pv_hierarchy_free(hierarchy);
    return PV_STATUS_OK;
}

static const pv_plan_attribute *find_attribute(const pv_plan *plan, const char *name)
{
    size_t i = 0;
    while (!cli_equal(plan->attributes[i].name, name)) {
        i++; /* the plan of the cuts has the attributes of the plan they were made from */
    }
    return &plan->attributes[i];
}

pv_status cli_preferred_groups(const cli_report *report, const cli_preferred *preferred,
                               pv_error *error)
{
    static const cli_column columns[] = {{"attribute", CLI_LEFT},
                                         {"values", CLI_RIGHT},
                                         {"groups", CLI_RIGHT},
                                         {"they are", CLI_WRAP},
                                         {NULL, CLI_LEFT}};
    const pv_study *const study = preferred->opened->study;
    pv_plan *plan = NULL;
    pv_status status = PV_STATUS_OK;
    CLI_TRY(pv_plan_with_cuts(study, cli_preferred_chosen(preferred)->cuts, &plan, error));
    cli_grid *const grid = cli_grid_create(report, columns);
    for (size_t q = 0; q < pv_study_quasis(study) && status == PV_STATUS_OK; q++) {
        status = add_attribute(report, grid, study, q,
                               find_attribute(plan, pv_study_quasi_name(study, q)), error);
    }
    cli_grid_print(grid);
    pv_plan_free(plan);
    return status;
}
