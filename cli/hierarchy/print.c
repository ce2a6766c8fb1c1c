/* A hierarchy as the command shows it. */
#include "hierarchy/print.h"

#include "core/fail.h"
#include "core/grid.h"
#include "core/json.h"
#include "core/text.h"

#include <stdlib.h>

#define SHOWN_LABELS 3

/* The drawing uses box characters; where the locale has none, these are used. */
static const struct {
    const char *box, *plain;
} stand_ins[] = {
    {"\xe2\x94\x9c", "|"}, {"\xe2\x94\x94", "`"},   {"\xe2\x94\x80", "-"},
    {"\xe2\x94\x82", "|"}, {"\xe2\x80\xa6", "..."},
};

static void print_character(const cli_report *report, const char *at, size_t length, unsigned code)
{
    for (size_t i = 0; !report->utf8 && i < sizeof stand_ins / sizeof *stand_ins; i++) {
        if (cli_starts_with(at, stand_ins[i].box)) {
            (void)fputs(stand_ins[i].plain, report->out);
            return;
        }
    }
    const bool control = (code < 0x20 && *at != '\n') || (code >= 0x7f && code < 0xa0);
    (void)fprintf(report->out, "%.*s", control ? 1 : (int)length, control ? "?" : at);
}

static void print_drawing(const cli_report *report, const char *drawing)
{
    while (*drawing != '\0') {
        unsigned code = 0;
        const size_t length = cli_utf8_next(drawing, &code);
        print_character(report, drawing, length, code);
        drawing += length;
    }
}

/* For a table. Owned. */
static char *first_labels(const pv_hierarchy *hierarchy, unsigned level)
{
    const uint32_t n = pv_hierarchy_groups(hierarchy, level);
    char *text = cli_copy("");
    for (uint32_t g = 0; g < n && g <= SHOWN_LABELS; g++) {
        char *const longer =
            cli_format("%s%s%s", text, g > 0 ? ", " : "",
                       g < SHOWN_LABELS ? pv_hierarchy_label(hierarchy, level, g) : "...");
        free(text);
        text = longer;
    }
    return text;
}

static void print_levels(const cli_report *report, const pv_hierarchy *hierarchy)
{
    static const cli_column columns[] = {
        {"level", CLI_RIGHT}, {"groups", CLI_RIGHT}, {"such as", CLI_WRAP}, {NULL, CLI_LEFT}};
    cli_grid *const grid = cli_grid_create(report, columns);
    for (unsigned level = 0; level <= pv_hierarchy_height(hierarchy); level++) {
        char *const labels = first_labels(hierarchy, level);
        cli_grid_cell(grid, "%u", level);
        cli_grid_cell(grid, "%s", cli_count_text(pv_hierarchy_groups(hierarchy, level)).text);
        cli_grid_cell(grid, "%s", labels);
        free(labels);
    }
    cli_grid_print(grid);
}

pv_status cli_tree_print(const cli_report *report, const char *name, const pv_hierarchy *hierarchy,
                         size_t leaves, pv_error *error)
{
    char *drawing = NULL;
    CLI_TRY(pv_hierarchy_tree(hierarchy, leaves, &drawing, error));
    cli_paragraph(report, 0, "%s: %s, %s above them", name,
                  cli_plural_text(pv_hierarchy_leaves(hierarchy), "value", "values").text,
                  cli_plural_text(pv_hierarchy_height(hierarchy), "level", "levels").text);
    cli_blank(report);
    print_levels(report, hierarchy);
    cli_blank(report);
    print_drawing(report, drawing);
    pv_string_free(drawing);
    return PV_STATUS_OK;
}

static json_t *level_json(const pv_hierarchy *hierarchy, unsigned level)
{
    json_t *const object = json_object();
    json_t *const groups = json_array();
    for (uint32_t g = 0; g < pv_hierarchy_groups(hierarchy, level); g++) {
        json_t *const group = json_object();
        cli_json_set(group, "label", cli_json_text(pv_hierarchy_label(hierarchy, level, g)));
        cli_json_set(group, "leaves",
                     cli_json_count(pv_hierarchy_group_leaves(hierarchy, level, g)));
        cli_json_append(groups, group);
    }
    cli_json_set(object, "level", cli_json_count(level));
    cli_json_set(object, "groups", groups);
    return object;
}

json_t *cli_tree_json(const pv_hierarchy *hierarchy)
{
    json_t *const object = json_object();
    json_t *const levels = json_array();
    for (unsigned level = 0; level <= pv_hierarchy_height(hierarchy); level++) {
        cli_json_append(levels, level_json(hierarchy, level));
    }
    cli_json_set(object, "height", cli_json_count(pv_hierarchy_height(hierarchy)));
    cli_json_set(object, "leaves", cli_json_count(pv_hierarchy_leaves(hierarchy)));
    cli_json_set(object, "levels", levels);
    return object;
}
