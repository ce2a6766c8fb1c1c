/* Writing the released rows with all threads.
 *
 *     round r:   worker 0   writes the blocks of round r-1, then formats
 *                others     format the blocks of round r
 *
 * Blocks are stretches of lines, cut by position alone, and written in order: any number of threads
 * gives the same bytes. A line is the cells of its key's ranks, side by side; where sorted rows
 * repeat, it is made once and copied. */
#include "release/recode_rows.h"
#include "release/settings.h"

#include "base/error.h"
#include "base/memory.h"
#include "base/pool.h"
#include "release/row_order.h"
#include "table/csv_writer.h"

#include <stdatomic.h>
#include <string.h>

/* A block has so many lines, and is written as soon as it has so many bytes. */
#define BLOCK_LINES ((uint64_t)4096)
#define BLOCK_BYTES ((size_t)1 << 19)
#define BLOCKS_PER_THREAD 2
#define CHUNK_ROWS ((size_t)256)

typedef struct {
    /* What of it is left to be formatted. */
    uint64_t at;     /* sorted: which of the distinct rows; otherwise which line */
    uint64_t within; /* sorted: lines of that row before */
    uint64_t lines;
    /* What is formatted. */
    char *text;
    size_t used;
    uint64_t *formulas; /* per column, cells so far */
    /* Scratch for a chunk of rows. */
    uint64_t *keys;
    uint32_t *codes;
} block;

typedef struct {
    const pv_table *table;
    const pv_release_settings *options;
    pv_released_columns columns;
    pv_row_keys keys;
    pv_released_order order;
    size_t longest; /* line */
    bool counts;    /* are there formulas to count? */
    pv_output *output;
    pv_error *error;
    /* Rounds: blocks[turn] are formatted, the others written. */
    block *blocks[2];
    size_t n_blocks, n_formatted[2];
    unsigned turn;
    atomic_size_t next;
    pv_status status; /* of writing */
} rows_work;

/* -------------------------------------------------------------------- lines */

static size_t format_line(const rows_work *work, const uint64_t *key, char *to)
{
    char *at = to;
    for (size_t i = 0; i < work->columns.n; i++) {
        const pv_released_column *const column = &work->columns.list[i];
        const uint32_t rank = pv_i_unpack(&work->keys.packing, key, i + 1);
        const size_t start = column->starts[rank];
        const size_t length = column->starts[rank + 1] - start;
        memcpy(at, column->cells + start, length);
        at += length;
    }
    *at++ = '\n';
    return (size_t)(at - to);
}

static void count_formulas(const rows_work *work, const uint64_t *key, uint64_t times, block *b)
{
    for (size_t i = 0; work->counts && i < work->columns.n; i++) {
        const bool *const is_formula = work->columns.list[i].is_formula;
        if (is_formula != NULL && is_formula[pv_i_unpack(&work->keys.packing, key, i + 1)]) {
            b->formulas[i] += times;
        }
    }
}

/* Up to `most` equal lines, as many as there is room for. */
static uint64_t format_equal(const rows_work *work, const uint64_t *key, uint64_t most, block *b)
{
    char *const first = b->text + b->used;
    const size_t length = format_line(work, key, first);
    const uint64_t room = (BLOCK_BYTES - b->used - 1) / length + 1;
    const uint64_t times = most < room ? most : room;
    for (uint64_t i = 1; i < times; i++) {
        memcpy(first + i * length, first, length);
    }
    b->used += (size_t)times * length;
    count_formulas(work, key, times, b);
    return times;
}

static void format_sorted(const rows_work *work, block *b)
{
    const pv_released_order *const order = &work->order;
    while (b->lines > 0 && b->used < BLOCK_BYTES) {
        const uint32_t number = order->order[b->at];
        const uint64_t left = order->lines[number].n - b->within;
        const uint64_t written =
            format_equal(work, order->keys + (size_t)number * work->keys.packing.words,
                         left < b->lines ? left : b->lines, b);
        b->lines -= written;
        b->within += written;
        if (written == left) {
            b->at++;
            b->within = 0;
        }
    }
}

static void format_rows(const rows_work *work, block *b)
{
    const uint64_t *const rows = work->order.rows;
    const unsigned words = work->keys.packing.words;
    while (b->lines > 0 && b->used < BLOCK_BYTES) {
        const size_t n = b->lines < CHUNK_ROWS ? (size_t)b->lines : CHUNK_ROWS;
        size_t i = 0;
        pv_i_row_keys_pack(&work->keys, rows != NULL ? rows + b->at : NULL, b->at, n, b->codes,
                           b->keys);
        for (; i < n && b->used < BLOCK_BYTES; i++) {
            b->used += format_line(work, b->keys + i * words, b->text + b->used);
            count_formulas(work, b->keys + i * words, 1, b);
        }
        b->at += i;
        b->lines -= i;
    }
}

static void format_block(const rows_work *work, block *b)
{
    b->used = 0;
    if (work->order.order != NULL) {
        format_sorted(work, b);
    } else {
        format_rows(work, b);
    }
}

/* ------------------------------------------------------------------- rounds */

/* Lines so long that the block could not be finished are made as they are written. */
static pv_status write_block(rows_work *work, block *b)
{
    PV_TRY(pv_i_output_write(work->output, b->text, b->used, work->error));
    while (b->lines > 0) {
        format_block(work, b);
        PV_TRY(pv_i_output_write(work->output, b->text, b->used, work->error));
    }
    return PV_STATUS_OK;
}

static void do_round(void *ctx, unsigned worker)
{
    rows_work *const work = ctx;
    const unsigned before = 1 - work->turn;
    for (size_t i = 0; worker == 0 && i < work->n_formatted[before]; i++) {
        if (work->status == PV_STATUS_OK) {
            work->status = write_block(work, &work->blocks[before][i]);
        }
    }
    for (;;) {
        const size_t i = atomic_fetch_add(&work->next, 1);
        if (i >= work->n_formatted[work->turn]) {
            return;
        }
        format_block(work, &work->blocks[work->turn][i]);
    }
}

/* The next lines become the blocks of this turn; returns how many. `done` is where they begin. */
static uint64_t cut_blocks(rows_work *work, block *done)
{
    const pv_released_order *const order = &work->order;
    uint64_t cut = 0;
    size_t n = 0;
    for (; n < work->n_blocks && done->lines > 0; n++) {
        block *const b = &work->blocks[work->turn][n];
        const uint64_t lines = done->lines < BLOCK_LINES ? done->lines : BLOCK_LINES;
        b->at = done->at;
        b->within = done->within;
        b->lines = lines;
        done->lines -= lines;
        cut += lines;
        if (order->order == NULL) {
            done->at += lines;
            continue;
        }
        done->within += lines;
        while (done->at < order->n_distinct &&
               done->within >= order->lines[order->order[done->at]].n) {
            done->within -= order->lines[order->order[done->at++]].n;
        }
    }
    work->n_formatted[work->turn] = n;
    return cut;
}

static pv_status write_rows(rows_work *work, unsigned threads, const pv_context *context)
{
    pv_ticker ticker = pv_i_ticker(context, "writing", work->order.n);
    block done = {.lines = work->order.n};
    uint64_t cut;
    do {
        cut = cut_blocks(work, &done);
        atomic_store(&work->next, 0);
        pv_i_pool_run(threads, do_round, work);
        PV_TRY(work->status);
        work->turn = 1 - work->turn;
        if (!pv_i_tick(&ticker, work->order.n - done.lines)) {
            return pv_i_cancelled(work->error);
        }
    } while (cut > 0);
    return PV_STATUS_OK;
}

static bool block_init(block *b, const rows_work *work)
{
    b->text = pv_i_malloc(BLOCK_BYTES + work->longest);
    b->formulas = PV_NEW_ZEROED(uint64_t, work->columns.n);
    b->keys = PV_NEW_ARRAY(uint64_t, CHUNK_ROWS * work->keys.packing.words);
    b->codes = PV_NEW_ARRAY(uint32_t, CHUNK_ROWS);
    return b->text != NULL && b->formulas != NULL && b->keys != NULL && b->codes != NULL;
}

static pv_status make_blocks(rows_work *work, unsigned threads)
{
    work->n_blocks = (size_t)threads * BLOCKS_PER_THREAD;
    for (unsigned turn = 0; turn < 2; turn++) {
        work->blocks[turn] = PV_NEW_ZEROED(block, work->n_blocks);
        for (size_t i = 0; i < work->n_blocks; i++) {
            if (work->blocks[turn] == NULL || !block_init(&work->blocks[turn][i], work)) {
                return pv_i_no_memory(work->error);
            }
        }
    }
    return PV_STATUS_OK;
}

static void free_blocks(rows_work *work)
{
    for (unsigned turn = 0; turn < 2; turn++) {
        block *const blocks = work->blocks[turn];
        for (size_t i = 0; blocks != NULL && i < work->n_blocks; i++) {
            pv_i_free(blocks[i].text);
            pv_i_free(blocks[i].formulas);
            pv_i_free(blocks[i].keys);
            pv_i_free(blocks[i].codes);
        }
        pv_i_free(blocks);
    }
}

/* No more threads than there are blocks to format at a time. */
static unsigned choose_threads(const rows_work *work, const pv_context *context)
{
    const unsigned threads = pv_i_threads(context);
    const uint64_t useful = work->order.n / (BLOCK_LINES * BLOCKS_PER_THREAD) + 1;
    return useful < threads ? (unsigned)useful : threads;
}

/* ------------------------------------------------------------------ the table */

static pv_status write_header(const rows_work *work)
{
    const char delimiter = work->options->delimiter;
    pv_csv_writer writer;
    pv_i_csv_init(&writer, delimiter != 0 ? delimiter : pv_table_delimiter(work->table),
                  work->output);
    writer.escapes = work->options->escape_formulas;
    for (size_t i = 0; i < work->columns.n; i++) {
        pv_i_csv_field(&writer, pv_table_name(work->table, work->columns.list[i].column));
    }
    pv_status status = pv_i_csv_end(&writer, work->error);
    if (status == PV_STATUS_OK) {
        status = pv_i_csv_flush(&writer, work->error);
    }
    pv_i_csv_deinit(&writer);
    return status;
}

static void measure_lines(rows_work *work)
{
    work->longest = 1;
    for (size_t i = 0; i < work->columns.n; i++) {
        work->longest += work->columns.list[i].longest;
        work->counts |= work->columns.list[i].is_formula != NULL;
    }
}

static pv_status tell_formulas(const rows_work *work, pv_written_rows *written)
{
    written->formulas = PV_NEW_ZEROED(pv_formula_column, work->columns.n);
    if (written->formulas == NULL) {
        return pv_i_no_memory(work->error);
    }
    for (size_t i = 0; i < work->columns.n; i++) {
        const char *const name = pv_table_name(work->table, work->columns.list[i].column);
        pv_formula_column found = {.heading = pv_i_is_formula(name, strlen(name))};
        for (size_t b = 0; b < 2 * work->n_blocks; b++) {
            found.cells += work->blocks[b % 2][b / 2].formulas[i];
        }
        if (found.cells == 0 && !found.heading) {
            continue;
        }
        found.name = pv_i_strdup(name);
        if (found.name == NULL) {
            return pv_i_no_memory(work->error);
        }
        written->formulas[written->n_formulas++] = found;
    }
    return PV_STATUS_OK;
}

/* What the caller needs of what is known now. */
static pv_status tell_rows(rows_work *work, pv_written_rows *written)
{
    written->n = work->order.n;
    if (work->options->row_map != NULL) {
        written->rows = work->order.rows;
        work->order.rows = NULL;
    }
    return tell_formulas(work, written);
}

pv_status pv_i_release_rows(const pv_scheme *scheme, const pv_classes *classes,
                            const pv_release_settings *options, pv_output *output,
                            const pv_context *context, pv_written_rows *written, pv_error *error)
{
    const pv_study *const study = pv_profile_study(pv_classes_profile(classes));
    pv_status status = PV_STATUS_OK;
    rows_work work = {
        .table = pv_study_table(study), .options = options, .output = output, .error = error};
    *written = (pv_written_rows){0};
    PV_TRY_CLEAN(pv_i_released_columns_init(&work.columns, scheme, study, options, error));
    PV_TRY_CLEAN(
        pv_i_row_keys_init(&work.keys, &work.columns, classes, options->drop_suppressed, error));
    PV_TRY_CLEAN(pv_i_released_order_init(&work.order, &work.keys, options, context, error));
    measure_lines(&work);
    const unsigned threads = choose_threads(&work, context);
    PV_TRY_CLEAN(make_blocks(&work, threads));
    PV_TRY_CLEAN(write_header(&work));
    PV_TRY_CLEAN(write_rows(&work, threads, context));
    PV_TRY_CLEAN(tell_rows(&work, written));
cleanup:
    free_blocks(&work);
    pv_i_released_order_deinit(&work.order);
    pv_i_row_keys_deinit(&work.keys);
    pv_i_released_columns_deinit(&work.columns);
    return status;
}

void pv_i_formulas_free(pv_formula_column *formulas, size_t n)
{
    for (size_t i = 0; formulas != NULL && i < n; i++) {
        pv_i_free(formulas[i].name);
    }
    pv_i_free(formulas);
}

void pv_i_written_rows_deinit(pv_written_rows *written)
{
    pv_i_free(written->rows);
    pv_i_formulas_free(written->formulas, written->n_formulas);
    *written = (pv_written_rows){0};
}
