/* Tables on a terminal. All cells wait until the table is printed: the widest one of a column
 * decides how wide it is, and the wrapping column gets what the others leave. */
#include "core/grid.h"

#include "core/text.h"

#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#define INDENT 2
#define GAP 2
#define NAME_WIDTH 30 /* longer names are cut */
#define LEAST_WRAP 16

struct cli_grid {
    const cli_report *report;
    const cli_column *columns;
    size_t n_columns;
    char **cells; /* row-major */
    size_t n_cells, capacity;
};

cli_grid *cli_grid_create(const cli_report *report, const cli_column *columns)
{
    cli_grid *const grid = cli_zeroed(1, sizeof *grid);
    grid->report = report;
    grid->columns = columns;
    while (columns[grid->n_columns].header != NULL) {
        grid->n_columns++;
    }
    return grid;
}

void cli_grid_cell(cli_grid *grid, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    char *const text = cli_format_list(format, args);
    va_end(args);
    const cli_align align = grid->columns[grid->n_cells % grid->n_columns].align;
    const size_t most = align == CLI_LEFT ? NAME_WIDTH : SIZE_MAX;
    if (grid->n_cells == grid->capacity) {
        grid->capacity = grid->capacity * 2 + 64;
        char **const cells = realloc(grid->cells, grid->capacity * sizeof *cells);
        if (cells == NULL) {
            cli_no_memory();
        }
        grid->cells = cells;
    }
    grid->cells[grid->n_cells++] = cli_clean_text(grid->report, text, most);
    free(text);
}

static size_t column_width(const cli_grid *grid, size_t column)
{
    size_t width = cli_width(grid->report, grid->columns[column].header);
    for (size_t i = column; i < grid->n_cells; i += grid->n_columns) {
        const size_t cell = cli_width(grid->report, grid->cells[i]);
        width = cell > width ? cell : width;
    }
    return width;
}

/* Narrows the wrapping column to what the others leave. */
static void fit(const cli_grid *grid, size_t *widths)
{
    size_t total = INDENT;
    size_t wraps = SIZE_MAX;
    for (size_t c = 0; c < grid->n_columns; c++) {
        total += widths[c] + (c > 0 ? GAP : 0);
        wraps = grid->columns[c].align == CLI_WRAP ? c : wraps;
    }
    if (wraps != SIZE_MAX && total > grid->report->width) {
        const size_t excess = total - grid->report->width;
        widths[wraps] = widths[wraps] > excess + LEAST_WRAP ? widths[wraps] - excess : LEAST_WRAP;
    }
}

/* Blanks are held back until something follows them, so that no line ends in blanks. */
static size_t print_piece(const cli_grid *grid, size_t column, size_t width, size_t pending,
                          const char *text, size_t n)
{
    char *const piece = cli_format("%.*s", (int)n, text);
    const size_t used = cli_width(grid->report, piece);
    const size_t padding = width > used ? width - used : 0;
    const bool right = grid->columns[column].align == CLI_RIGHT;
    size_t blank_end = n;
    while (blank_end > 0 && piece[blank_end - 1] == ' ') {
        blank_end--; /* bars are padded */
    }
    const size_t tail = n - blank_end;
    piece[blank_end] = '\0';
    if (blank_end > 0) {
        (void)fprintf(grid->report->out, "%*s%s", (int)(pending + (right ? padding : 0)), "",
                      piece);
        pending = tail + (right ? 0 : padding);
    } else {
        pending += used + padding;
    }
    free(piece);
    return pending;
}

static void print_row(const cli_grid *grid, const size_t *widths, const char **rest)
{
    bool more = true;
    while (more) {
        size_t pending = INDENT;
        more = false;
        for (size_t c = 0; c < grid->n_columns; c++) {
            const char *const text = rest[c];
            const size_t n = grid->columns[c].align == CLI_WRAP
                                 ? cli_wrap_point(grid->report, text, widths[c])
                                 : strlen(text);
            rest[c] = text + n + strspn(text + n, " ");
            pending = print_piece(grid, c, widths[c], pending + (c > 0 ? GAP : 0), text, n);
            more = more || rest[c][0] != '\0';
        }
        (void)fputc('\n', grid->report->out);
    }
}

void cli_grid_print(cli_grid *grid)
{
    const cli_report *const report = grid->report;
    const char *const stroke = report->utf8 ? "\xe2\x94\x80" : "-";
    size_t *const widths = cli_zeroed(grid->n_columns, sizeof *widths);
    const char **const rest = cli_zeroed(grid->n_columns, sizeof *rest);
    char **const rules = cli_zeroed(grid->n_columns + 1, sizeof *rules);
    for (size_t c = 0; c < grid->n_columns; c++) {
        widths[c] = column_width(grid, c);
        rest[c] = grid->columns[c].header;
    }
    fit(grid, widths);
    (void)fputs(cli_bold(report), report->out);
    print_row(grid, widths, rest);
    (void)fputs(cli_plain(report), report->out);
    /* A line as wide as the column, or nothing under one without a name. */
    for (size_t c = 0; c < grid->n_columns; c++) {
        char *end = rules[c] = cli_zeroed(widths[c] * strlen(stroke) + 1, 1);
        for (size_t i = 0; grid->columns[c].header[0] != '\0' && i < widths[c]; i++) {
            end = stpcpy(end, stroke);
        }
        rest[c] = rules[c];
    }
    print_row(grid, widths, rest);
    for (size_t i = 0; i + grid->n_columns <= grid->n_cells; i += grid->n_columns) {
        for (size_t c = 0; c < grid->n_columns; c++) {
            rest[c] = grid->cells[i + c];
        }
        print_row(grid, widths, rest);
    }
    for (size_t i = 0; i < grid->n_cells; i++) {
        free(grid->cells[i]);
    }
    cli_list_free(rules);
    free(rest);
    free(widths);
    free(grid->cells);
    free(grid);
}
