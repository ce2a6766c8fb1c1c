/* Telling about a front, for people.
 *
 * A front may have a hundred points; a person wants to see its shape and what the usual demands
 * cost. So the table holds its ends, the points worth a look, and for each round number on the axis
 * of the first objective the first point that reaches it. */
#include "front_print.h"

#include "fail.h"
#include "front_plot.h"
#include "grid.h"
#include "measured.h"
#include "paths.h"
#include "text.h"

#include <stdlib.h>
#include <string.h>

#define FEW_POINTS 16
#define TABLE_TICKS 16
#define MOST_HEAD_COLUMNS (2 * PV_MAX_OBJECTIVES + 8)
#define LONGEST_NAME 14
#define GRID_GAP 2

/* -------------------------------------------------------------- selection */

static bool reaches(const pv_front *front, const pv_axis *axis, size_t point, double shown)
{
    const double value = front->points[point].values[0] / axis->unit;
    const double slack = 1e-9 * (shown > 1.0 ? shown : 1.0);
    return front->objectives[0].measure->direction == PV_MORE_IS_BETTER ? value >= shown - slack
                                                                        : value <= shown + slack;
}

/* Which points the table shows. Owned. */
static bool *choose_points(const cli_found *found, bool all)
{
    const pv_front *const front = found->front;
    bool *const chosen = cli_zeroed(front->n_points, sizeof *chosen);
    if (all || front->n_points <= FEW_POINTS) {
        memset(chosen, true, front->n_points);
        return chosen;
    }
    pv_axis axis;
    pv_front_axis(front, found->opened->profile, 0, TABLE_TICKS, &axis);
    chosen[0] = chosen[front->n_points - 1] = true;
    for (size_t i = 0; i < found->n_suggestions; i++) {
        chosen[found->suggestions[i].point] = true;
    }
    for (size_t t = 0; t < axis.n_ticks; t++) {
        for (size_t i = 0; i < front->n_points; i++) {
            if (reaches(front, &axis, i, axis.ticks[t].shown)) {
                chosen[i] = true;
                break;
            }
        }
    }
    return chosen;
}

/* ------------------------------------------------------------------ table */

/* What stands in a column before the levels. */
typedef enum { SIGN, SMALLEST, VALUE, SHARE, SUPPRESSED, TIES } content;

typedef struct {
    content content;
    size_t objective;
    char *header; /* owned */
    size_t width;
} head_column;

typedef struct {
    const cli_report *report;
    const cli_found *found;
    const bool *chosen;
    head_column heads[MOST_HEAD_COLUMNS];
    size_t n_heads;
} sheet;

static cli_number head_text(const sheet *s, const head_column *head, size_t point)
{
    const pv_point *const p = &s->found->front->points[point];
    cli_number number = {""};
    const cli_sign sign = cli_point_sign(s->found, point);
    switch (head->content) {
    case SIGN:
        (void)snprintf(number.text, sizeof number.text, "%s",
                       sign == CLI_POINT_SIGN ? "" : cli_sign_text(s->report, sign));
        return number;
    case SMALLEST: return cli_count_text(p->k);
    case VALUE: return cli_value_text(p->values[head->objective]);
    case SHARE: return cli_objective_text(s->found, head->objective, p->values[head->objective]);
    case SUPPRESSED: return cli_count_text(p->suppressed);
    default: return cli_count_text(p->ties);
    }
}

static void add_head(sheet *s, content what, size_t objective, const char *header)
{
    head_column *const head = &s->heads[s->n_heads++];
    *head = (head_column){.content = what, .objective = objective, .header = cli_copy(header)};
    head->width = cli_width(s->report, header);
    for (size_t i = 0; i < s->found->front->n_points; i++) {
        const size_t width = s->chosen[i] ? cli_width(s->report, head_text(s, head, i).text) : 0;
        head->width = width > head->width ? width : head->width;
    }
}

static bool has_ties(const pv_front *front)
{
    for (size_t i = 0; i < front->n_points; i++) {
        if (front->points[i].ties > 0) {
            return true;
        }
    }
    return false;
}

/* With two objectives there is room for a loss and its share; with more the share has to do. */
static void choose_heads(sheet *s)
{
    const pv_front *const front = s->found->front;
    bool k_shown = false;
    for (size_t i = 0; i < front->n_objectives; i++) {
        k_shown = k_shown || cli_equal(front->objectives[i].measure->name, "k");
    }
    add_head(s, SIGN, 0, "");
    if (!k_shown) {
        add_head(s, SMALLEST, 0, "k");
    }
    for (size_t i = 0; i < front->n_objectives; i++) {
        const pv_measure *const measure = front->objectives[i].measure;
        const bool share = pv_measure_reads_as_share(measure, s->found->opened->profile);
        const cli_number name = cli_measure_name(front->objectives[i]);
        if (!share || front->n_objectives == 2) {
            add_head(s, VALUE, i, name.text);
        }
        if (share) {
            add_head(s, SHARE, i, front->n_objectives == 2 ? "share" : name.text);
        }
    }
    add_head(s, SUPPRESSED, 0, "suppressed");
    if (has_ties(front)) {
        add_head(s, TIES, 0, "ties");
    }
}

/* Columns per attribute, their gap included, so that all fit; 0 if they cannot. */
static size_t level_width(const sheet *s)
{
    const size_t n = s->found->front->n_levels;
    size_t used = GRID_GAP;
    for (size_t i = 0; i < s->n_heads; i++) {
        used += s->heads[i].width + GRID_GAP;
    }
    const size_t each = s->report->width > used ? (s->report->width - used + 1) / n : 0;
    return each > LONGEST_NAME ? LONGEST_NAME : each >= 3 ? each : 0;
}

/* One text in `each` columns, cut or padded. Owned. */
static char *fixed(const cli_report *report, const char *text, size_t each)
{
    char *const cut = cli_clean_text(report, text, each);
    char *const padded = cli_format("%s%*s", cut, (int)(each - cli_width(report, cut)), "");
    free(cut);
    return padded;
}

/* The first letters are enough; a mark of omission would take the place of one. */
static char *short_name(const cli_report *report, const char *name, size_t width)
{
    size_t bytes = 0;
    size_t used = 0;
    while (name[bytes] != '\0' && used < width) {
        unsigned code = 0;
        bytes += cli_utf8_next(name + bytes, &code);
        used++;
    }
    char *const start = cli_format("%.*s", (int)bytes, name);
    char *const padded = fixed(report, start, width + 1);
    free(start);
    return padded;
}

/* A raw attribute is a dot, one at the top a star. */
static char *level_text(const cli_report *report, unsigned level, unsigned height)
{
    return level == 0       ? cli_copy(report->utf8 ? "\xc2\xb7" : ".")
           : level < height ? cli_format("%u", level)
                            : cli_copy("*");
}

/* The cells of all attributes of a point as one text, or their names. Owned. */
static char *level_cells(const sheet *s, size_t point, size_t each)
{
    const pv_study *const study = s->found->opened->study;
    char *cells = cli_copy("");
    for (size_t q = 0; q < s->found->front->n_levels; q++) {
        char *cell = NULL;
        if (point == SIZE_MAX) {
            cell = short_name(s->report, pv_study_quasi_name(study, q), each - 1);
        } else {
            char *const text = level_text(s->report, s->found->front->points[point].levels[q],
                                          pv_hierarchy_height(pv_study_hierarchy(study, q)));
            cell = fixed(s->report, text, each);
            free(text);
        }
        char *const longer = cli_format("%s%s", cells, cell);
        free(cell);
        free(cells);
        cells = longer;
    }
    return cells;
}

/* "5,2,0": where the columns are too many for names. Owned. */
static char *level_list(const sheet *s, size_t point)
{
    char *list = cli_copy("");
    for (size_t q = 0; q < s->found->front->n_levels; q++) {
        char *const longer =
            cli_format("%s%s%u", list, q > 0 ? "," : "", s->found->front->points[point].levels[q]);
        free(list);
        list = longer;
    }
    return list;
}

static void print_grid(const sheet *s, size_t each)
{
    cli_column columns[MOST_HEAD_COLUMNS + 2] = {{NULL, CLI_LEFT}};
    char *const levels = each > 0 ? level_cells(s, SIZE_MAX, each) : cli_copy("levels");
    for (size_t i = 0; i < s->n_heads; i++) {
        columns[i] = (cli_column){s->heads[i].header, i == 0 ? CLI_LEFT : CLI_RIGHT};
    }
    columns[s->n_heads] = (cli_column){levels, each > 0 ? CLI_RAW : CLI_WRAP};
    cli_grid *const grid = cli_grid_create(s->report, columns);
    for (size_t i = 0; i < s->found->front->n_points; i++) {
        for (size_t h = 0; s->chosen[i] && h < s->n_heads; h++) {
            cli_grid_cell(grid, "%s", head_text(s, &s->heads[h], i).text);
        }
        if (s->chosen[i]) {
            char *const cells = each > 0 ? level_cells(s, i, each) : level_list(s, i);
            cli_grid_cell(grid, "%s", cells);
            free(cells);
        }
    }
    cli_grid_print(grid);
    free(levels);
}

static void print_legend(const sheet *s, size_t shown)
{
    const cli_report *const report = s->report;
    const size_t hidden = s->found->front->n_points - shown;
    char *const names = cli_quasi_names(s->found->opened->study);
    cli_paragraph(report, 2,
                  "%s the knee, %s also worth a look. Levels of %s: %s raw, * nothing left.",
                  cli_sign_text(report, CLI_KNEE_SIGN), cli_sign_text(report, CLI_SUGGESTED_SIGN),
                  names, report->utf8 ? "\xc2\xb7" : ".");
    if (hidden > 0) {
        cli_paragraph(report, 2, "%s: --all, --csv FILE or --json.",
                      cli_plural_text(hidden, "more point", "more points").text);
    }
    free(names);
}

static void print_table(const cli_report *report, const cli_found *found, bool all)
{
    bool *const chosen = choose_points(found, all);
    sheet s = {.report = report, .found = found, .chosen = chosen};
    size_t shown = 0;
    for (size_t i = 0; i < found->front->n_points; i++) {
        shown += chosen[i];
    }
    cli_heading(report, "What nothing beats");
    choose_heads(&s);
    print_grid(&s, level_width(&s));
    print_legend(&s, shown);
    for (size_t i = 0; i < s.n_heads; i++) {
        free(s.heads[i].header);
    }
    free(chosen);
}

/* ------------------------------------------------------------ suggestions */

static pv_status print_suggestion(const cli_report *report, const cli_found *found,
                                  const pv_suggestion *suggestion, pv_error *error)
{
    char *step = NULL;
    if (suggestion->from != suggestion->point) {
        CLI_TRY(pv_front_step_text(found->front, found->opened->profile, suggestion->from,
                                   suggestion->point, &step, error));
    }
    char *const point = cli_point_text(found, suggestion->point);
    const bool knee = cli_equal(suggestion->name, "knee");
    cli_fact(report, knee ? CLI_STRONG : CLI_NEUTRAL, suggestion->name, "%s%s%s", point,
             step != NULL ? ": " : "", step != NULL ? step : "");
    free(point);
    pv_string_free(step);
    return PV_STATUS_OK;
}

static pv_status print_suggestions(const cli_report *report, const cli_found *found,
                                   pv_error *error)
{
    cli_heading(report, "Worth a look");
    for (size_t i = 0; i < found->n_suggestions; i++) {
        CLI_TRY(print_suggestion(report, found, &found->suggestions[i], error));
    }
    return PV_STATUS_OK;
}

/* ------------------------------------------------------------------ whole */

static void print_summary(const cli_report *report, const cli_found *found)
{
    const pv_front *const front = found->front;
    const pv_table *const table = pv_study_table(found->opened->study);
    char *const objectives = cli_objective_names(front);
    cli_paragraph(report, 0, "%s: %s between %s, out of %s ways to generalize %s.",
                  cli_path_name(pv_table_source(table)),
                  cli_plural_text(front->n_points, "best trade-off", "best trade-offs").text,
                  objectives, cli_value_text(front->nodes).text,
                  cli_plural_text(front->n_levels, "attribute", "attributes").text);
    if (front->reason != NULL) {
        cli_paragraph(report, 0, "Method: %s, because %s.", front->method, front->reason);
    }
    free(objectives);
}

static pv_status print_account(const cli_report *report, const cli_found *found, pv_error *error)
{
    char *account = NULL;
    CLI_TRY(pv_front_account(found->front, &account, error));
    cli_heading(report, "Is that all?");
    cli_paragraph(report, 2, "This front is %s.", account);
    pv_string_free(account);
    return PV_STATUS_OK;
}

pv_status cli_found_print(const cli_report *report, const cli_found *found, bool all,
                          pv_error *error)
{
    print_summary(report, found);
    if (found->front->n_points > 0) {
        cli_front_plot(report, found);
        print_table(report, found, all);
        CLI_TRY(print_suggestions(report, found, error));
    }
    return print_account(report, found, error);
}
