/* Tables on a terminal. Cells are kept until the table is printed, since the widest one decides. */
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

static void append(cli_grid *grid, char *cell)
{
    if (grid->n_cells == grid->capacity) {
        grid->capacity = grid->capacity * 2 + 64;
        char **const cells = realloc(grid->cells, grid->capacity * sizeof *cells);
        if (cells == NULL) {
            cli_no_memory();
        }
        grid->cells = cells;
    }
    grid->cells[grid->n_cells++] = cell;
}

void cli_grid_cell(cli_grid *grid, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    char *const text = cli_format_list(format, args);
    va_end(args);
    const cli_align align = grid->columns[grid->n_cells % grid->n_columns].align;
    const size_t most = align == CLI_LEFT ? NAME_WIDTH : SIZE_MAX;
    append(grid, cli_clean_text(grid->report, text, most));
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

/* The piece of a cell that goes on this line; advances `rest`. */
static size_t take_piece(const cli_grid *grid, size_t column, size_t width, const char **rest)
{
    const char *const text = *rest;
    const size_t n = grid->columns[column].align == CLI_WRAP
                         ? cli_wrap_point(grid->report, text, width)
                         : strlen(text);
    *rest = text + n + strspn(text + n, " ");
    return n;
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
            const size_t n = take_piece(grid, c, widths[c], &rest[c]);
            pending = print_piece(grid, c, widths[c], pending + (c > 0 ? GAP : 0), text, n);
            more = more || rest[c][0] != '\0';
        }
        (void)fputc('\n', grid->report->out);
    }
}

/* A line of `width` columns, or nothing under a column without a name. */
static char *rule(const cli_report *report, const char *header, size_t width)
{
    const char *const stroke = report->utf8 ? "\xe2\x94\x80" : "-";
    char *const line = cli_zeroed(width * strlen(stroke) + 1, 1);
    for (size_t i = 0; header[0] != '\0' && i < width; i++) {
        memcpy(line + i * strlen(stroke), stroke, strlen(stroke));
    }
    return line;
}

static void print_header(const cli_grid *grid, const size_t *widths)
{
    const cli_report *const report = grid->report;
    char **const rules = cli_zeroed(grid->n_columns + 1, sizeof *rules);
    const char **const rest = cli_zeroed(grid->n_columns, sizeof *rest);
    for (size_t c = 0; c < grid->n_columns; c++) {
        rest[c] = grid->columns[c].header;
        rules[c] = rule(report, grid->columns[c].header, widths[c]);
    }
    (void)fputs(cli_bold(report), report->out);
    print_row(grid, widths, rest);
    (void)fputs(cli_plain(report), report->out);
    for (size_t c = 0; c < grid->n_columns; c++) {
        rest[c] = rules[c];
    }
    print_row(grid, widths, rest);
    cli_list_free(rules);
    free(rest);
}

static void grid_free(cli_grid *grid)
{
    for (size_t i = 0; i < grid->n_cells; i++) {
        free(grid->cells[i]);
    }
    free(grid->cells);
    free(grid);
}

void cli_grid_print(cli_grid *grid)
{
    size_t *const widths = cli_zeroed(grid->n_columns, sizeof *widths);
    const char **const rest = cli_zeroed(grid->n_columns, sizeof *rest);
    for (size_t c = 0; c < grid->n_columns; c++) {
        widths[c] = column_width(grid, c);
    }
    fit(grid, widths);
    print_header(grid, widths);
    for (size_t row = 0; row + grid->n_columns <= grid->n_cells; row += grid->n_columns) {
        for (size_t c = 0; c < grid->n_columns; c++) {
            rest[c] = grid->cells[row + c];
        }
        print_row(grid, widths, rest);
    }
    free(rest);
    free(widths);
    grid_free(grid);
}
