/* Which row is released when, and writing them with all threads: the one place after the profile
 * that touches rows again.
 *
 * A row's key is the ranks of its released texts, column after column in the order of the file,
 * packed into words. Keys compare as the released rows do, text by text:
 *
 *     left out? | rank of column 1 | rank of column 2 | ...
 *
 * All that the quasi-identifiers of a row contribute depends on its class alone: it is packed once
 * per class. Few rows are unlike all others; so sorting numbers the distinct keys, sorts those, and
 * knows of each how many lines it has.
 *
 * A line is the cells of its key's ranks, side by side; where sorted rows repeat, it is made once
 * and copied. Blocks are stretches of lines, cut by position alone, and written in order: any
 * number of threads gives the same bytes.
 *
 *     round r:   task 0     writes the blocks of round r-1 (on the caller's thread)
 *                task i     formats block i-1 of round r */
#include "release/release.h"

#include "base/error.h"
#include "base/memory.h"
#include "base/rng.h"
#include "base/tasks.h"
#include "base/ticker.h"
#include "classes/grouping.h"
#include "classes/keys.h"
#include "classes/numbering.h"
#include "table/csv_writer.h"

#include <inttypes.h>
#include <stdio.h>
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
    const pv_release_job *job;
    pv_release_job *into; /* the same, which keeps what is found on the way */
    const pv_release_options *asked;
    const pv_table *table;
    const pv_classes *classes;
    pv_released_column *columns;
    size_t n_columns;
    /* Keys. */
    pv_packing packing;
    uint64_t *class_keys; /* per class: its quasi-identifiers; all that a row left out has */
    /* The order. */
    uint64_t n; /* rows released */
    pv_numbering numbering;
    uint64_t *times; /* of entries that stand for several rows: lines of each distinct row */
    uint32_t *order; /* sorted: the distinct keys in ascending order; NULL = not sorted */
    size_t n_distinct;
    /* The row of the table in each place; NULL = as they are; of sorted rows only if a row map is
     * wanted. Equal rows are in the order of the table. */
    uint64_t *rows;
    /* Lines. */
    size_t longest; /* line */
    bool counts;    /* are there formulas to count? */
    /* Rounds: blocks[turn] are formatted, the others written. */
    block *blocks[2];
    size_t n_blocks, n_formatted[2];
    unsigned turn;
} writer;

/* ------------------------------------------------------------------------ keys */

/* The rank of what a class shows in a quasi-identifier. */
static uint32_t rank_in_class(const writer *w, const pv_released_column *column, size_t c)
{
    const pv_classes *const classes = w->classes;
    if (pv_i_is_suppressed(classes, c)) {
        return column->places[column->n_places - 1]; /* `*` */
    }
    const size_t tuple = classes->member[classes->member_start[c]]; /* all of them look alike */
    const pv_hierarchy *const hierarchy = pv_study_hierarchy(w->job->study, column->quasi);
    const uint32_t leaf = pv_profile_leaf(classes->profile, tuple, column->quasi);
    const size_t level =
        classes->levels == NULL ? pv_classes_level(classes, tuple, column->quasi) : 0;
    return column->places[level * column->n_codes + pv_hierarchy_code(hierarchy, leaf)];
}

static pv_status make_class_keys(writer *w, pv_error *error)
{
    const bool drops = w->asked->drop_suppressed;
    uint32_t *const sizes = PV_NEW_ARRAY(uint32_t, w->n_columns + 1);
    if (sizes == NULL) {
        return pv_i_no_memory(error);
    }
    sizes[0] = drops ? 2 : 1;
    for (size_t i = 0; i < w->n_columns; i++) {
        sizes[i + 1] = w->columns[i].n_ranks;
    }
    const pv_status status = pv_i_packing_of_sizes(&w->packing, sizes, w->n_columns + 1, error);
    pv_i_free(sizes);
    PV_TRY(status);
    w->class_keys = PV_NEW_ZEROED(uint64_t, w->classes->n_classes * w->packing.words);
    if (w->class_keys == NULL) {
        return pv_i_no_memory(error);
    }
    for (size_t c = 0; c < w->classes->n_classes; c++) {
        uint64_t *const key = w->class_keys + c * w->packing.words;
        if (drops && pv_i_is_suppressed(w->classes, c)) {
            key[w->packing.fields[0].word] = (uint64_t)1 << w->packing.fields[0].shift;
            continue;
        }
        for (size_t i = 0; i < w->n_columns; i++) {
            const pv_field field = w->packing.fields[i + 1];
            if (w->columns[i].treatment == PV_TREATMENT_RECODED) {
                key[field.word] |= (uint64_t)rank_in_class(w, &w->columns[i], c) << field.shift;
            }
        }
    }
    return PV_STATUS_OK;
}

static size_t class_of_row(const writer *w, uint64_t row)
{
    return w->classes->class_of[w->classes->profile->row_tuple[row]];
}

static bool is_left_out(const writer *w, uint64_t row)
{
    return w->asked->drop_suppressed && pv_i_is_suppressed(w->classes, class_of_row(w, row));
}

/* The keys of n rows, up to PV_CHUNK_ROWS: those listed, or, if `rows` is NULL, from `first` on.
 * `codes` is scratch for as many. */
static void pack_rows(const writer *w, const uint64_t *rows, uint64_t first, size_t n,
                      uint32_t *codes, uint64_t *out)
{
    const pv_profile *const profile = w->classes->profile;
    const unsigned words = w->packing.words;
    for (size_t i = 0; i < n; i++) {
        const size_t c = class_of_row(w, rows != NULL ? rows[i] : first + i);
        memcpy(out + i * words, w->class_keys + c * words, words * sizeof *out);
    }
    for (size_t j = 0; j < w->n_columns; j++) {
        const pv_released_column *const column = &w->columns[j];
        const pv_field field = w->packing.fields[j + 1];
        if (column->treatment == PV_TREATMENT_RECODED) {
            continue;
        }
        const bool in_order = rows == NULL && profile->table_entry == NULL;
        if (in_order) {
            pv_i_codes_unpack(column->codes, first, n, codes);
        }
        for (size_t i = 0; !in_order && i < n; i++) {
            const uint64_t row = rows != NULL ? rows[i] : first + i;
            codes[i] = pv_i_codes_at(column->codes, pv_i_profile_entry(profile, row));
        }
        for (size_t i = 0; i < n; i++) {
            out[i * words + field.word] |= (uint64_t)column->places[codes[i]] << field.shift;
        }
    }
    for (size_t i = 0; w->asked->drop_suppressed && i < n; i++) {
        const uint64_t row = rows != NULL ? rows[i] : first + i;
        if (is_left_out(w, row)) { /* its other columns do not matter */
            memcpy(out + i * words, w->class_keys + class_of_row(w, row) * words,
                   words * sizeof *out);
        }
    }
}

static void pack_stretch(const void *ctx, uint64_t first, size_t n, uint32_t *codes, uint64_t *out)
{
    pack_rows(ctx, NULL, first, n, codes, out);
}

/* ----------------------------------------------------------------------- order */

/* Lines of the i-th of the distinct rows in ascending order. */
static uint64_t lines_of(const writer *w, size_t i)
{
    return w->times != NULL ? w->times[w->order[i]] : w->numbering.rows[w->order[i]].n;
}

/* The numbering has counted entries of the table. */
static pv_status count_lines(writer *w, pv_error *error)
{
    const uint64_t *const ends = w->classes->profile->ends;
    w->times = PV_NEW_ZEROED(uint64_t, w->numbering.n);
    if (w->times == NULL) {
        return pv_i_no_memory(error);
    }
    pv_i_numbering_settle(&w->numbering, NULL);
    for (uint64_t entry = 0; entry < w->numbering.n_rows; entry++) {
        w->times[w->numbering.numbers[entry]] += pv_i_entry_rows(ends, entry);
    }
    return PV_STATUS_OK;
}

/* Places in the sorted table: a counting sort, which keeps equal rows as they are. */
static pv_status place_rows(writer *w, pv_error *error)
{
    const size_t n_numbers = w->numbering.n; /* those left out included */
    uint32_t *const rank = PV_NEW_ARRAY(uint32_t, n_numbers);
    uint64_t *const next = PV_NEW_ARRAY(uint64_t, n_numbers);
    pv_status status = PV_STATUS_OK;
    w->rows = PV_NEW_ARRAY(uint64_t, w->n);
    if (rank == NULL || next == NULL || w->rows == NULL) {
        status = pv_i_no_memory(error);
        goto cleanup;
    }
    uint64_t place = 0;
    for (size_t i = 0; i < n_numbers; i++) {
        rank[w->order[i]] = (uint32_t)i;
        next[i] = place;
        place += lines_of(w, i);
    }
    pv_i_numbering_settle(&w->numbering, rank);
    for (uint64_t row = 0; row < w->numbering.n_rows; row++) {
        const uint32_t r = w->numbering.numbers[row];
        if (r < w->n_distinct) {
            w->rows[next[r]++] = row;
        }
    }
cleanup:
    pv_i_free(rank);
    pv_i_free(next);
    return status;
}

/* What is left out, if anything, sorts last. */
static pv_status sort_rows(writer *w, pv_error *error)
{
    const uint64_t n_rows = w->classes->profile->n_rows;
    const uint64_t n_entries = w->classes->profile->n_entries;
    const bool with_places = w->asked->row_map != NULL;
    const bool counted = w->classes->profile->ends != NULL;
    pv_numbering *const numbering = &w->numbering;
    *numbering = (pv_numbering){
        .n_rows = n_entries,
        .words = w->packing.words,
        .unused = pv_i_packing_unused(&w->packing),
        .keys = pack_stretch,
        .ctx = w,
        .context = w->job->context,
        .numbers = with_places || counted ? PV_NEW_ARRAY(uint32_t, n_entries) : NULL};
    if ((with_places || counted) && numbering->numbers == NULL) {
        return pv_i_no_memory(error);
    }
    PV_TRY(pv_i_numbering_find(numbering, error));
    if (counted) {
        PV_TRY(count_lines(w, error));
    }
    w->order = PV_NEW_ARRAY(uint32_t, numbering->n);
    if (w->order == NULL ||
        !pv_i_keys_order(numbering->distinct, numbering->n, numbering->words, w->order)) {
        return pv_i_no_memory(error);
    }
    w->n_distinct = numbering->n - (w->n < n_rows);
    return with_places ? place_rows(w, error) : PV_STATUS_OK;
}

static pv_status order_rows(writer *w, pv_error *error)
{
    const uint64_t n_rows = w->classes->profile->n_rows;
    const bool shuffles = w->asked->order == PV_ORDER_SHUFFLED;
    w->n = n_rows - w->job->result->left_out;
    if (w->job->publish != NULL &&
        (w->asked->order != PV_ORDER_SORTED || w->asked->row_map != NULL)) {
        return pv_i_fail_at(error, PV_STATUS_ARGUMENT, w->job->settings->output, 0, 0,
                            "rows of a table that an engine holds have no order and no numbers: "
                            "they cannot be shuffled or kept in order, and have no row map");
    }
    if (w->asked->order != PV_ORDER_SORTED || w->asked->row_map != NULL) {
        PV_TRY(pv_i_table_need_rows(w->table, "a release that is not sorted, or with a row map,",
                                    error));
    }
    if (w->asked->order == PV_ORDER_SORTED) {
        return sort_rows(w, error);
    }
    if (!shuffles && w->asked->row_map == NULL && w->n == n_rows) {
        return PV_STATUS_OK; /* as they are */
    }
    w->rows = PV_NEW_ARRAY(uint64_t, w->n);
    if (w->rows == NULL) {
        return pv_i_no_memory(error);
    }
    for (uint64_t row = 0, n = 0; row < n_rows; row++) {
        if (!is_left_out(w, row)) {
            w->rows[n++] = row;
        }
    }
    pv_rng rng;
    pv_i_rng_init(&rng, w->asked->seed);
    for (uint64_t i = w->n; shuffles && i > 1; i--) { /* Fisher and Yates: all orders are alike */
        const uint64_t j = pv_i_rng_below(&rng, i);
        const uint64_t row = w->rows[i - 1];
        w->rows[i - 1] = w->rows[j];
        w->rows[j] = row;
    }
    return PV_STATUS_OK;
}

/* ----------------------------------------------------------------------- lines */

static size_t format_line(const writer *w, const uint64_t *key, char *to)
{
    char *at = to;
    for (size_t i = 0; i < w->n_columns; i++) {
        const pv_released_column *const column = &w->columns[i];
        const uint32_t rank = pv_i_unpack(&w->packing, key, i + 1);
        const size_t start = column->starts[rank];
        const size_t length = column->starts[rank + 1] - start;
        memcpy(at, column->cells + start, length);
        at += length;
    }
    *at++ = '\n';
    return (size_t)(at - to);
}

static void count_formulas(const writer *w, const uint64_t *key, uint64_t times, block *b)
{
    for (size_t i = 0; w->counts && i < w->n_columns; i++) {
        const bool *const is_formula = w->columns[i].is_formula;
        if (is_formula != NULL && is_formula[pv_i_unpack(&w->packing, key, i + 1)]) {
            b->formulas[i] += times;
        }
    }
}

static void format_sorted(const writer *w, block *b)
{
    while (b->lines > 0 && b->used < BLOCK_BYTES) {
        const uint64_t *const key =
            w->numbering.distinct + (size_t)w->order[b->at] * w->packing.words;
        const uint64_t left = lines_of(w, b->at) - b->within;
        char *const first = b->text + b->used;
        const size_t length = format_line(w, key, first);
        const uint64_t fitting = (BLOCK_BYTES - b->used - 1) / length + 1;
        uint64_t times = left < b->lines ? left : b->lines;
        times = times < fitting ? times : fitting;
        for (uint64_t i = 1; i < times; i++) {
            memcpy(first + i * length, first, length);
        }
        count_formulas(w, key, times, b);
        b->used += (size_t)times * length;
        b->lines -= times;
        b->within = times == left ? 0 : b->within + times;
        b->at += times == left;
    }
}

static void format_rows(const writer *w, block *b)
{
    const unsigned words = w->packing.words;
    while (b->lines > 0 && b->used < BLOCK_BYTES) {
        const size_t n = b->lines < CHUNK_ROWS ? (size_t)b->lines : CHUNK_ROWS;
        size_t i = 0;
        pack_rows(w, w->rows != NULL ? w->rows + b->at : NULL, b->at, n, b->codes, b->keys);
        for (; i < n && b->used < BLOCK_BYTES; i++) {
            b->used += format_line(w, b->keys + i * words, b->text + b->used);
            count_formulas(w, b->keys + i * words, 1, b);
        }
        b->at += i;
        b->lines -= i;
    }
}

static void format_block(const writer *w, block *b)
{
    b->used = 0;
    (w->order != NULL ? format_sorted : format_rows)(w, b);
}

/* ---------------------------------------------------------------------- rounds */

static pv_status write_blocks(const writer *w, block *blocks, size_t n, pv_error *error)
{
    pv_output *const output = w->job->files[PV_FILE_TABLE];
    for (size_t i = 0; i < n; i++) {
        PV_TRY(pv_i_output_write(output, blocks[i].text, blocks[i].used, error));
        while (blocks[i].lines > 0) { /* so long that the block could not be finished */
            format_block(w, &blocks[i]);
            PV_TRY(pv_i_output_write(output, blocks[i].text, blocks[i].used, error));
        }
    }
    return PV_STATUS_OK;
}

static pv_status do_task(void *ctx, size_t task, const pv_thread *thread, pv_error *error)
{
    (void)thread;
    const writer *const w = ctx;
    if (task == 0) {
        return write_blocks(w, w->blocks[1 - w->turn], w->n_formatted[1 - w->turn], error);
    }
    format_block(w, &w->blocks[w->turn][task - 1]);
    return PV_STATUS_OK;
}

/* The next lines become the blocks of this turn. `next` is where they begin. */
static void cut_blocks(writer *w, block *next)
{
    size_t n = 0;
    for (; n < w->n_blocks && next->lines > 0; n++) {
        block *const b = &w->blocks[w->turn][n];
        const uint64_t lines = next->lines < BLOCK_LINES ? next->lines : BLOCK_LINES;
        b->at = next->at;
        b->within = next->within;
        b->lines = lines;
        next->lines -= lines;
        if (w->order == NULL) {
            next->at += lines;
            continue;
        }
        next->within += lines;
        while (next->at < w->n_distinct && next->within >= lines_of(w, next->at)) {
            next->within -= lines_of(w, next->at++);
        }
    }
    w->n_formatted[w->turn] = n;
}

static pv_status make_blocks(writer *w, pv_error *error)
{
    w->longest = 1; /* the end of the line */
    for (size_t i = 0; i < w->n_columns; i++) {
        w->longest += w->columns[i].longest;
        w->counts |= w->columns[i].is_formula != NULL;
    }
    for (unsigned turn = 0; turn < 2; turn++) {
        w->blocks[turn] = PV_NEW_ZEROED(block, w->n_blocks);
        for (size_t i = 0; i < w->n_blocks; i++) {
            if (w->blocks[turn] == NULL) {
                return pv_i_no_memory(error);
            }
            block *const b = &w->blocks[turn][i];
            b->text = pv_i_malloc(BLOCK_BYTES + w->longest);
            b->formulas = PV_NEW_ZEROED(uint64_t, w->n_columns);
            b->keys = PV_NEW_ARRAY(uint64_t, CHUNK_ROWS * w->packing.words);
            b->codes = PV_NEW_ARRAY(uint32_t, CHUNK_ROWS);
            if (b->text == NULL || b->formulas == NULL || b->keys == NULL || b->codes == NULL) {
                return pv_i_no_memory(error);
            }
        }
    }
    return PV_STATUS_OK;
}

static pv_status write_rows(writer *w, pv_error *error)
{
    /* No more threads than there are blocks to format at a time. */
    const uint64_t useful = w->n / (BLOCK_LINES * BLOCKS_PER_THREAD) + 1;
    unsigned threads = pv_i_threads(w->job->context);
    threads = useful < threads ? (unsigned)useful : threads;
    w->n_blocks = (size_t)threads * BLOCKS_PER_THREAD;
    PV_TRY(make_blocks(w, error));
    pv_ticker ticker = pv_i_ticker(w->job->context, "writing", w->n);
    block next = {.lines = w->n};
    do {
        cut_blocks(w, &next);
        PV_TRY(pv_i_tasks_run(threads, w->n_formatted[w->turn] + 1, do_task, w, NULL, error));
        w->turn = 1 - w->turn;
        if (!pv_i_tick(&ticker, w->n - next.lines)) {
            return pv_i_cancelled(error);
        }
    } while (w->n_formatted[1 - w->turn] > 0);
    return PV_STATUS_OK;
}

/* ------------------------------------------------------------ an engine's table */

typedef struct {
    const writer *w;
    size_t at;      /* which of the distinct rows is next */
    pv_cell *cells; /* of a row, and how often it occurs */
    char times[24];
    pv_ticker ticker;
} handing;

static pv_status next_row(void *ctx, const pv_cell **cells, pv_error *error)
{
    handing *const h = ctx;
    const writer *const w = h->w;
    *cells = NULL;
    if (h->at == w->n_distinct) {
        return PV_STATUS_OK;
    }
    if (!pv_i_tick(&h->ticker, h->at)) {
        return pv_i_cancelled(error);
    }
    const uint64_t *const key = w->numbering.distinct + (size_t)w->order[h->at] * w->packing.words;
    const uint64_t times = lines_of(w, h->at++);
    for (size_t i = 0; i < w->n_columns; i++) {
        const pv_released_column *const column = &w->columns[i];
        const uint32_t rank = pv_i_unpack(&w->packing, key, i + 1);
        const size_t start = column->starts[rank];
        h->cells[i] = rank == column->missing ? (pv_cell){0}
                                              : (pv_cell){.text = column->cells + start,
                                                          .size = column->starts[rank + 1] - start};
    }
    const int size = snprintf(h->times, sizeof h->times, "%" PRIu64, times);
    h->cells[w->n_columns] = (pv_cell){.text = h->times, .size = (size_t)size};
    count_formulas(w, key, times, w->blocks[0]);
    *cells = h->cells;
    return PV_STATUS_OK;
}

/* Distinct rows go there, the engine repeats them. */
static pv_status hand_over(writer *w, pv_error *error)
{
    handing h = {.w = w,
                 .cells = PV_NEW_ARRAY(pv_cell, w->n_columns + 1),
                 .ticker = pv_i_ticker(w->job->context, "writing", w->n_distinct)};
    w->n_blocks = 1; /* for what is counted on the way */
    pv_status status = h.cells != NULL ? make_blocks(w, error) : pv_i_no_memory(error);
    if (status == PV_STATUS_OK) {
        pv_release_job *const job = w->into;
        status = pv_i_released_table_fill(job, w->columns, w->n_columns, next_row, &h, error);
    }
    pv_i_free(h.cells);
    return status;
}

/* ------------------------------------------------------------------- the table */

static pv_status write_header(const writer *w, pv_error *error)
{
    const char delimiter = w->asked->delimiter;
    pv_csv_writer csv;
    pv_i_csv_init(&csv, delimiter != 0 ? delimiter : pv_table_delimiter(w->table),
                  w->job->files[PV_FILE_TABLE]);
    csv.escapes = w->asked->escape_formulas;
    for (size_t i = 0; i < w->n_columns; i++) {
        pv_i_csv_field(&csv, pv_table_name(w->table, w->columns[i].column));
    }
    pv_status status = pv_i_csv_end(&csv, error);
    if (status == PV_STATUS_OK) {
        status = pv_i_csv_flush(&csv, error);
    }
    pv_i_csv_deinit(&csv);
    return status;
}

static pv_status sum_formulas(const writer *w, pv_release_result *result, pv_error *error)
{
    result->formulas = PV_NEW_ZEROED(pv_formula_column, w->n_columns);
    if (result->formulas == NULL) {
        return pv_i_no_memory(error);
    }
    for (size_t i = 0; i < w->n_columns; i++) {
        const char *const name = pv_table_name(w->table, w->columns[i].column);
        pv_formula_column found = {.heading = pv_i_is_formula(name, strlen(name))};
        for (size_t b = 0; b < 2 * w->n_blocks; b++) {
            found.cells += w->blocks[b % 2][b / 2].formulas[i];
        }
        if (found.cells == 0 && !found.heading) {
            continue;
        }
        found.name = pv_i_strdup(name);
        if (found.name == NULL) {
            return pv_i_no_memory(error);
        }
        result->formulas[result->n_formulas++] = found;
    }
    return PV_STATUS_OK;
}

static void writer_deinit(writer *w)
{
    for (size_t b = 0; b < 2 * w->n_blocks; b++) {
        block *const blocks = w->blocks[b % 2];
        if (blocks != NULL) {
            pv_i_free(blocks[b / 2].text);
            pv_i_free(blocks[b / 2].formulas);
            pv_i_free(blocks[b / 2].keys);
            pv_i_free(blocks[b / 2].codes);
        }
    }
    pv_i_free(w->blocks[0]);
    pv_i_free(w->blocks[1]);
    pv_i_free(w->rows);
    pv_i_free(w->order);
    pv_i_free(w->times);
    pv_i_free(w->numbering.numbers);
    pv_i_numbering_deinit(&w->numbering);
    pv_i_packing_deinit(&w->packing);
    pv_i_free(w->class_keys);
    pv_i_released_columns_free(w->columns, w->n_columns);
}

pv_status pv_i_release_rows(pv_release_job *job, pv_error *error)
{
    pv_status status = PV_STATUS_OK;
    writer w = {.job = job,
                .into = job,
                .asked = &job->settings->asked,
                .table = pv_study_table(job->study),
                .classes = job->after};
    PV_TRY_CLEAN(pv_i_released_columns(job, &w.columns, &w.n_columns, error));
    PV_TRY_CLEAN(make_class_keys(&w, error));
    PV_TRY_CLEAN(order_rows(&w, error));
    if (job->publish != NULL) {
        PV_TRY_CLEAN(hand_over(&w, error));
    } else {
        PV_TRY_CLEAN(write_header(&w, error));
        PV_TRY_CLEAN(write_rows(&w, error));
    }
    PV_TRY_CLEAN(sum_formulas(&w, job->result, error));
    job->n_written = w.n;
    if (job->settings->asked.row_map != NULL) {
        job->written_rows = w.rows;
        w.rows = NULL;
    }
cleanup:
    writer_deinit(&w);
    return status;
}
