/* Gathering what threads counted.
 *
 * A value, a class or a pair has the number of its first appearance in the file, and it appears
 * first in the first of the rows that are equal to that one. So it is enough to go through the
 * distinct rows in the order in which they appear first:
 *
 *     block      0         1       2         3            whose, and the rows it had not met before
 *     worker     A         B       A         B
 *     rows       0 1 2 3   0 1 2   4 5       3 4 5 6
 *
 * block by block, and to count each as often as its worker met it. Where two workers met the same
 * row, the second one's adds to what the first one's made. Every tally is filled by one thread in
 * that order, the others at the same time by others: the result does not depend on how many there
 * are. */
#include "audit/audit_gather.h"

#include "base/error.h"
#include "base/failure.h"
#include "base/memory.h"
#include "base/pool.h"

#include <string.h>

typedef struct gathering gathering;
struct gathering {
    const pv_audit_counted *counted;
    pv_audit_count *count;
    pv_status (*fill)(gathering *g, size_t task, unsigned thread); /* one of the tallies */
    size_t n_tasks;
    pv_failure failure;
};

/* ---- all distinct rows in order ---- */

typedef struct {
    size_t piece;
    uint32_t number;     /* of the row among its worker's */
    uint64_t piece_line; /* of the piece's first line */
    unsigned thread;
    /* The row: */
    pv_audit_rows *worker;
    uint32_t *codes;
    uint64_t count;
    uint64_t line;
} row_walk;

static row_walk all_rows(const gathering *g, unsigned thread)
{
    return (row_walk){.number = g->counted->pieces[0].first_row,
                      .piece_line = g->counted->first_line,
                      .thread = thread};
}

/* Only the caller's thread may call back. */
static bool goes_on(gathering *g, unsigned thread)
{
    if (thread == 0 && !pv_i_tick(g->counted->ticker, g->counted->done)) {
        pv_i_failure_note(&g->failure, PV_STATUS_CANCELLED);
    }
    return !pv_i_has_failed(&g->failure);
}

static bool next_piece(gathering *g, row_walk *w)
{
    const pv_audit_counted *const c = g->counted;
    w->piece_line += c->pieces[w->piece].n_lines;
    if (++w->piece == c->n_pieces || !goes_on(g, w->thread)) {
        return false;
    }
    w->number = c->pieces[w->piece].first_row;
    return true;
}

/* False at the end, and when the work is to stop. */
static inline bool next_row(gathering *g, row_walk *w)
{
    const pv_audit_counted *const c = g->counted;
    while (w->number == c->pieces[w->piece].end_row) {
        if (!next_piece(g, w)) {
            return false;
        }
    }
    w->worker = &c->workers[c->pieces[w->piece].worker];
    w->codes = pv_i_audit_row(w->worker, w->number);
    w->count = w->worker->distinct.entries[w->number].count;
    w->line = w->piece_line + w->worker->lines[w->number];
    w->number++;
    return true;
}

/* ---- values ---- */

/* The number in the file of a value that a worker met, if it was not asked for before. */
static pv_status number_value(gathering *g, pv_audit_column *column, const char *text, size_t size,
                              uint64_t line, uint32_t *number)
{
    const bool missing = pv_i_audit_is_missing(g->count, column, text, size);
    if (missing) {
        text = pv_i_audit_spellings(g->count, column)[0];
        size = strlen(text);
    }
    const size_t n_before = column->values.n_entries;
    PV_TRY(pv_i_audit_tally_add(&column->values, text, size, 0, number, NULL));
    if (column->values.n_entries == n_before) {
        return PV_STATUS_OK;
    }
    if (!pv_i_reserve((void **)&column->lines, &column->lines_capacity, n_before + 1,
                      sizeof *column->lines)) {
        return PV_STATUS_NO_MEMORY;
    }
    column->lines[*number] = line;
    if (missing) {
        column->missing = *number;
    } else if (size == strlen(PV_AUDIT_STAR) && memcmp(text, PV_AUDIT_STAR, size) == 0) {
        column->star = *number;
    }
    return PV_STATUS_OK;
}

/* The values of a column; in the rows its codes are replaced by those of the whole file. Workers do
 * not count values: the count of theirs is 0, or here one more than the number in the file. */
static pv_status fill_values(gathering *g, size_t task, unsigned thread)
{
    pv_audit_column *const column = &g->count->columns[task];
    const size_t place = pv_i_audit_place(g->count, task);
    row_walk w = all_rows(g, thread);
    while (next_row(g, &w)) {
        const uint32_t code = w.codes[place];
        pv_audit_tally *const known = &w.worker->values[task];
        uint32_t number = (uint32_t)known->entries[code].count - 1;
        if (known->entries[code].count == 0) {
            size_t size;
            const char *const text = pv_i_audit_tally_key(known, code, &size);
            PV_TRY(number_value(g, column, text, size, w.line, &number));
            known->entries[code].count = (uint64_t)number + 1;
        }
        column->values.entries[number].count += w.count;
        w.codes[place] = number;
    }
    for (unsigned i = 0; i < g->counted->n_workers; i++) {
        if (g->counted->workers[i].values != NULL) {
            pv_i_audit_tally_deinit(&g->counted->workers[i].values[task]);
        }
    }
    return PV_STATUS_OK;
}

/* ---- classes, and what depends on them ---- */

/* The classes; every row is told the number of its own. */
static pv_status fill_classes(gathering *g, size_t task, unsigned thread)
{
    pv_audit_count *const count = g->count;
    row_walk w = all_rows(g, thread);
    (void)task; /* the only one */
    while (next_row(g, &w)) {
        PV_TRY(pv_i_audit_tally_add(&count->classes, w.codes, count->n_quasi * sizeof *w.codes,
                                    w.count, &w.codes[count->n_quasi], NULL));
        count->rows += w.count;
    }
    return PV_STATUS_OK;
}

static pv_status fill_parts(gathering *g, unsigned thread)
{
    pv_audit_count *const count = g->count;
    const size_t n = 1 + count->n_named - count->n_quasi;
    row_walk w = all_rows(g, thread);
    uint32_t unused;
    while (next_row(g, &w)) {
        PV_TRY(pv_i_audit_tally_add(&count->parts, w.codes + count->n_quasi, n * sizeof *w.codes,
                                    w.count, &unused, NULL));
    }
    return PV_STATUS_OK;
}

/* The class together with the value of a column. */
static pv_status fill_pairs(gathering *g, size_t column, unsigned thread)
{
    const size_t place = pv_i_audit_place(g->count, column);
    row_walk w = all_rows(g, thread);
    uint32_t unused;
    while (next_row(g, &w)) {
        const uint32_t pair[2] = {w.codes[g->count->n_quasi], w.codes[place]};
        PV_TRY(pv_i_audit_tally_add(&g->count->columns[column].pairs, pair, sizeof pair, w.count,
                                    &unused, NULL));
    }
    return PV_STATUS_OK;
}

/* The class together with all columns that are judged together: the last ones. */
static pv_status fill_together(gathering *g, unsigned thread)
{
    pv_audit_count *const count = g->count;
    const size_t n = count->n_together;
    uint32_t *const key = PV_NEW_ARRAY(uint32_t, 1 + n);
    pv_status status = key != NULL ? PV_STATUS_OK : PV_STATUS_NO_MEMORY;
    row_walk w = all_rows(g, thread);
    uint32_t unused;
    while (status == PV_STATUS_OK && next_row(g, &w)) {
        key[0] = w.codes[count->n_quasi];
        memcpy(key + 1, w.codes + 1 + count->n_columns - n, n * sizeof *key);
        status = pv_i_audit_tally_add(&count->together, key, (1 + n) * sizeof *key, w.count,
                                      &unused, NULL);
    }
    pv_i_free(key);
    return status;
}

/* The parts are the first task; then come, if columns are judged, the pairs of each and the columns
 * together. */
static pv_status fill_rest(gathering *g, size_t task, unsigned thread)
{
    const pv_audit_count *const count = g->count;
    if (task == 0) {
        return count->n_named > count->n_quasi ? fill_parts(g, thread) : PV_STATUS_OK;
    }
    const size_t column = count->n_quasi + task - 1;
    if (column < count->n_columns) {
        return fill_pairs(g, column, thread);
    }
    return count->n_together > 0 ? fill_together(g, thread) : PV_STATUS_OK;
}

/* ---- all of it ---- */

static void work(void *ctx, unsigned thread)
{
    gathering *const g = ctx;
    for (size_t task = thread; task < g->n_tasks && !pv_i_has_failed(&g->failure);
         task += g->counted->n_workers) {
        const pv_status status = g->fill(g, task, thread);
        if (status != PV_STATUS_OK) {
            pv_i_failure_note(&g->failure, status);
        }
    }
}

static pv_status fill_all(gathering *g, size_t n_tasks,
                          pv_status (*fill)(gathering *, size_t, unsigned), pv_error *error)
{
    const unsigned threads = g->counted->n_workers;
    g->fill = fill;
    g->n_tasks = n_tasks;
    pv_i_pool_run(n_tasks < threads ? (unsigned)n_tasks : threads, work, g);
    return pv_i_failure_tell(&g->failure, error);
}

pv_status pv_i_audit_gather(const pv_audit_counted *counted, pv_audit_count *count, pv_error *error)
{
    gathering g = {.counted = counted, .count = count};
    const size_t n_judged = count->judges ? count->n_columns - count->n_quasi + 1 : 0;
    PV_TRY(fill_all(&g, count->n_columns, fill_values, error));
    PV_TRY(fill_all(&g, 1, fill_classes, error));
    PV_TRY(fill_all(&g, 1 + n_judged, fill_rest, error));
    for (unsigned i = 0; i < counted->n_workers; i++) {
        count->trimmed += counted->workers[i].trimmed;
    }
    for (size_t i = 0; i < count->n_columns; i++) {
        const pv_audit_column *const column = &count->columns[i];
        count->n_missing += column->missing != PV_AUDIT_NOT_FOUND
                                ? column->values.entries[column->missing].count
                                : 0;
    }
    return PV_STATUS_OK;
}
