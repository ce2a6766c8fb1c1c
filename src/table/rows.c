/* From the structure of a block to its rows.
 *
 * Nearly always every record has the right number of fields and one line. Then the bounds of the
 * scan are the rows as they are. Otherwise the records are walked through one by one and the good
 * ones copied. */
#include "table/rows.h"

#include "base/memory.h"

#define LINE_NOT_KEPT UINT64_MAX
#define MARKS_FREE 16   /* so many marks are kept whatever the number of rows, */
#define ROWS_PER_MARK 8 /* beyond that one per so many rows */

void pv_i_rows_deinit(pv_rows *rows)
{
    pv_i_free(rows->marks);
    pv_i_free(rows->sorted);
    *rows = (pv_rows){0};
}

static bool mark_line(pv_rows *rows, uint64_t row, uint64_t line)
{
    if (!pv_i_reserve((void **)&rows->marks, &rows->marks_capacity, rows->n_marks + 1,
                      sizeof *rows->marks)) {
        return false;
    }
    rows->marks[rows->n_marks++] = (pv_line_mark){.row = row, .line = line};
    return true;
}

static void run_out(pv_rows *rows)
{
    rows->trouble = (pv_trouble){.kind = PV_TROUBLE_MEMORY};
}

static bool is_blank(const char *data, uint32_t start, uint32_t end)
{
    return start == end || (start + 1 == end && data[start] == '\r');
}

/* Is every n-th bound a line end, and no other? Blank lines of a single column do not pass. */
static bool is_regular(const pv_scan *scan, const char *data, size_t n_fields)
{
    if (scan->n_ends != scan->n_records * n_fields || scan->n_lines != scan->n_records ||
        scan->nul != SIZE_MAX || scan->open_quote != SIZE_MAX) {
        return false;
    }
    const uint32_t *bound = scan->bounds;
    for (size_t r = 0; r < scan->n_records; r++) {
        const uint32_t start = *bound + 1;
        bound += n_fields;
        if (data[*bound] != '\n' || (n_fields == 1 && is_blank(data, start, *bound))) {
            return false;
        }
    }
    return true;
}

/* ------------------------------------------------------- record by record */

typedef struct {
    const pv_scan *scan;
    const char *data;
    size_t at;     /* index of the bound before the record */
    uint64_t line; /* of its start */
} walk;

/* Where a NUL or an unclosed quote spoils the text; records from there on do not count. */
static size_t spoiled_at(const pv_scan *scan)
{
    return scan->nul < scan->open_quote ? scan->nul : scan->open_quote;
}

static void tell_spoiled(pv_rows *rows, const walk *w)
{
    const size_t position = spoiled_at(w->scan);
    const size_t start = (size_t)(uint32_t)(w->scan->bounds[w->at] + 1);
    rows->trouble = (pv_trouble){
        .kind = position == w->scan->nul ? PV_TROUBLE_NUL : PV_TROUBLE_QUOTE,
        .line = w->line + pv_i_count_lines(w->data + start, position - start),
    };
}

/* The number of fields of the record that begins after bound `at`; 0 if the text ends within it. */
static size_t record_fields(const walk *w)
{
    const pv_scan *const scan = w->scan;
    for (size_t i = w->at + 1; i <= scan->n_ends; i++) {
        if (w->data[scan->bounds[i]] == '\n') {
            return i - w->at;
        }
    }
    return 0;
}

static bool take_row(pv_rows *rows, const walk *w, size_t n_fields)
{
    uint32_t *const to = rows->sorted + rows->n_rows * rows->stride;
    for (size_t i = 0; i <= n_fields; i++) {
        to[i] = w->scan->bounds[w->at + i];
    }
    const pv_line_mark *const last = rows->n_marks > 0 ? &rows->marks[rows->n_marks - 1] : NULL;
    const bool expected = last != NULL && last->line + (rows->n_rows - last->row) == w->line;
    if (!expected && !mark_line(rows, rows->n_rows, w->line)) {
        return false;
    }
    rows->n_rows++;
    return true;
}

/* A file with a line break in every other record would cost more for its line numbers than for its
 * data. */
static void limit_marks(pv_rows *rows)
{
    if (rows->n_marks > MARKS_FREE + rows->n_rows / ROWS_PER_MARK) {
        rows->marks[0] = (pv_line_mark){.row = 0, .line = LINE_NOT_KEPT};
        rows->n_marks = 1;
    }
}

/* False when the walk is over: trouble, or no record left. */
static bool walk_record(pv_rows *rows, walk *w, size_t n_fields, bool skip_bad)
{
    const pv_scan *const scan = w->scan;
    const size_t found = record_fields(w);
    const uint32_t start = scan->bounds[w->at] + 1;
    const uint32_t end = found > 0 ? scan->bounds[w->at + found] : UINT32_MAX;
    if (spoiled_at(scan) < end) {
        tell_spoiled(rows, w);
        return false;
    }
    if (found == 0) {
        return false;
    }
    if (found == n_fields && !(found == 1 && is_blank(w->data, start, end))) {
        if (!take_row(rows, w, n_fields)) {
            run_out(rows);
            return false;
        }
    } else if (found != 1 || !is_blank(w->data, start, end)) {
        if (!skip_bad) {
            rows->trouble =
                (pv_trouble){.kind = PV_TROUBLE_FIELDS, .line = w->line, .found = found};
            return false;
        }
        rows->n_skipped++;
    }
    const bool one_line = scan->n_lines == scan->n_records;
    w->line += one_line ? 1 : pv_i_count_lines(w->data + start, (size_t)(end - start) + 1);
    w->at += found;
    return w->at < scan->n_ends || spoiled_at(scan) != SIZE_MAX;
}

static void sort_out(pv_rows *rows, const pv_scan *scan, const char *data, size_t n_fields,
                     bool skip_bad)
{
    /* Every row takes n + 1 bounds out of at least n that the scan found for it. */
    const size_t room = scan->n_ends + scan->n_ends / n_fields + 1;
    walk w = {.scan = scan, .data = data};
    rows->stride = n_fields + 1;
    if (!pv_i_reserve((void **)&rows->sorted, &rows->sorted_capacity, room, sizeof *rows->sorted)) {
        run_out(rows);
        return;
    }
    rows->bounds = rows->sorted;
    while (walk_record(rows, &w, n_fields, skip_bad)) {
    }
    limit_marks(rows);
}

void pv_i_rows_find(pv_rows *rows, const pv_scan *scan, const char *data, size_t n_fields,
                    bool skip_bad)
{
    rows->n_rows = 0;
    rows->n_skipped = 0;
    rows->n_marks = 0;
    rows->n_lines = scan->n_lines;
    rows->trouble = (pv_trouble){0};
    if (!is_regular(scan, data, n_fields)) {
        sort_out(rows, scan, data, n_fields, skip_bad);
        return;
    }
    rows->bounds = scan->bounds;
    rows->stride = n_fields;
    rows->n_rows = scan->n_records;
    if (!mark_line(rows, 0, 0)) {
        run_out(rows);
    }
}
