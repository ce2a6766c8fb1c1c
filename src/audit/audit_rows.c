/* Counting the rows of a file on several threads, so that the result is the same for any number of
 * them. Two steps.
 *
 * Step 1, count: every thread takes a block of whole records, counts it, and takes the next one.
 * Rows that are equal in every column of interest are stored once. What one worker has:
 *
 *     values     per column: its spellings, numbered as this worker met them
 *     distinct   the rows as tuples of those numbers, with how often each was met
 *                  [ quasi-identifiers | number of the class | other columns ]
 *                                        ^ filled in by step 2
 *     lines      per distinct row: where it was met first
 *     cache      raw bytes of lines met lately: released tables repeat the same lines again and
 *                again, and a line found here byte for byte is one more of a known row. It needs
 *                neither be split nor looked up column by column.
 *
 * Step 2, gather: the number of a value, a class or a pair is the order of its first appearance in
 * the file. It appears first in a row that is the first of its equals. So it is enough to go
 * through the distinct rows in the order in which they appear first, block by block,
 *
 *     block      0         1       2         3
 *     worker     A         B       A         B        whose it was
 *     rows       0 1 2 3   0 1 2   4 5       3 4 5 6  that this worker had not met before
 *
 * and to count each as often as its worker met it. Where two workers met the same row, the second
 * one's number adds to what the first one's made. Every tally is filled by one thread in that
 * order, and several tallies at the same time: no result depends on who was faster. What they share
 * are the rows, and each task changes only its own place in them.
 *
 * Memory grows with the distinct rows; what a step does not need any more is freed before the next.
 */
#include "audit/audit.h"
#include "base/error.h"
#include "base/hash.h"
#include "base/memory.h"
#include "base/tasks.h"

#include <pthread.h>
#include <string.h>

/* Bytes of the texts in the caches of all workers, and of one. The distinct lines of a released
 * table fit, or nearly; larger caches would not fit the processor's. */
#define CACHE_OF_ALL ((uint64_t)1 << 26)
#define LARGEST_CACHE ((uint64_t)1 << 23)
#define BYTES_PER_SLOT 64                /* about the length of a line */
#define LONGEST_CACHED ((size_t)1 << 12) /* longer lines are rarely met twice */
#define MOST_TIMES ((uint64_t)1 << 40)   /* rows of one line */

typedef struct {
    uint32_t tag;     /* part of its hash, so that other lines are rarely compared */
    uint32_t start;   /* in the texts */
    uint32_t row;     /* which distinct row it is one more of */
    uint16_t size;    /* 0 = the slot is empty: no record is empty */
    uint16_t trimmed; /* fields that had blanks around them */
    uint64_t times;   /* rows that it stands for */
} cached_line;

/* Direct-mapped: every line has one slot where it may be. The texts lie one after the other; when
 * they are full, everything is forgotten and the cache begins anew. */
typedef struct {
    cached_line *slots;
    size_t n_slots;
    char *texts;
    size_t capacity, used; /* of the texts */
} line_cache;

/* What one thread counts. Zero-initialised = not started. */
typedef struct {
    pv_audit_tally *values;
    pv_audit_tally distinct; /* all keys have one width */
    uint32_t *lines;         /* per distinct row: line ends of its block before it */
    size_t lines_capacity;
    uint64_t trimmed; /* fields that had blanks around them */
    /* For counting only: */
    pv_audit_block block;
    pv_audit_record record;
    uint32_t *codes; /* scratch: one key of `distinct` */
    line_cache cache;
} worker_rows;

/* What one block had. */
typedef struct {
    uint32_t worker;             /* who counted it */
    uint32_t first_row, end_row; /* the distinct rows that this worker had not met before */
    uint64_t n_lines;            /* line ends of the block */
    pv_audit_trouble trouble;    /* the first; what comes after it does not count */
    uint64_t trouble_line;       /* line ends of the block before it */
    size_t trouble_fields;       /* of the record */
} piece;

typedef struct {
    pv_audit_reader *reader;
    pv_audit_count *count;
    unsigned n_workers;
    size_t cache_size; /* of each of them */
    worker_rows *workers;
    pv_ticker ticker;
    /* Step 1; guarded by the lock, like the reader: */
    pthread_mutex_t lock;
    piece *pieces; /* by block */
    size_t pieces_capacity;
    bool stop;
    pv_status reader_status;
    pv_error reader_error;
} job;

/* Where a column's code is in a distinct row: after the quasi-identifiers comes the class. */
static size_t place_of(const pv_audit_count *count, size_t column)
{
    return column < count->n_quasi ? column : column + 1;
}

/* ---- workers ---- */

static pv_status worker_start(worker_rows *w, const job *j, pv_error *error)
{
    const size_t n = j->count->n_columns;
    w->distinct.width = (n + 1) * sizeof(uint32_t);
    w->values = PV_NEW_ZEROED(pv_audit_tally, n);
    w->codes = PV_NEW_ZEROED(uint32_t, n + 1);
    w->cache.capacity = j->cache_size;
    w->cache.n_slots = j->cache_size / BYTES_PER_SLOT + 1;
    w->cache.slots = PV_NEW_ZEROED(cached_line, w->cache.n_slots);
    w->cache.texts = PV_NEW_ARRAY(char, j->cache_size);
    return w->values != NULL && w->codes != NULL && w->cache.slots != NULL && w->cache.texts != NULL
               ? pv_i_audit_record_init(&w->record, j->reader->header.n_fields, error)
               : pv_i_no_memory(error);
}

/* Frees what only counting needs: a file of unlike rows needs much memory for the next step. */
static void worker_finish(worker_rows *w, size_t n_columns)
{
    pv_i_audit_block_deinit(&w->block);
    pv_i_audit_record_deinit(&w->record);
    pv_i_free(w->cache.slots);
    pv_i_free(w->cache.texts);
    w->cache = (line_cache){0};
    pv_i_audit_tally_finish(&w->distinct);
    for (size_t i = 0; w->values != NULL && i < n_columns; i++) {
        pv_i_audit_tally_finish(&w->values[i]);
    }
}

static void worker_deinit(worker_rows *w, size_t n_columns)
{
    worker_finish(w, n_columns);
    for (size_t i = 0; w->values != NULL && i < n_columns; i++) {
        pv_i_audit_tally_deinit(&w->values[i]);
    }
    pv_i_free(w->values);
    pv_i_audit_tally_deinit(&w->distinct);
    pv_i_free(w->lines);
    pv_i_free(w->codes);
}

static void remember(line_cache *cache, const pv_audit_raw *raw, cached_line line,
                     cached_line *slot)
{
    if (raw->size > LONGEST_CACHED || raw->size > cache->capacity) {
        return;
    }
    if (cache->capacity - cache->used < raw->size) {
        memset(cache->slots, 0, cache->n_slots * sizeof *cache->slots);
        cache->used = 0;
    }
    memcpy(cache->texts + cache->used, raw->text, raw->size);
    line.start = (uint32_t)cache->used;
    line.size = (uint16_t)raw->size;
    *slot = line;
    cache->used += raw->size;
}

/* ---- step 1: counting blocks ---- */

/* How many rows the last field says that a line stands for; 0 = it says none, or more than there
 * can be: so many that sums over all lines cannot overflow. */
static uint64_t times_of(const pv_audit_record *record)
{
    const pv_audit_field field = record->fields[record->n_fields - 1];
    uint64_t n = 0;
    for (size_t i = 0; i < field.size; i++) {
        if (field.text[i] < '0' || field.text[i] > '9' || n > MOST_TIMES) {
            return 0;
        }
        n = 10 * n + (uint64_t)(field.text[i] - '0');
    }
    return n <= MOST_TIMES ? n : 0;
}

/* A record that is not in the cache: counts its row and fills in what the cache is to remember,
 * unless the record is in trouble. */
static pv_status add_record(worker_rows *w, const job *j, const pv_audit_raw *raw,
                            cached_line *line, piece *p, pv_error *error)
{
    uint32_t trimmed = 0;
    p->trouble = pv_i_audit_find_trouble(raw, &p->trouble_line);
    if (p->trouble != PV_AUDIT_FINE) {
        return PV_STATUS_OK;
    }
    PV_TRY(pv_i_audit_record_split(&w->record, raw, j->reader->delimiter, error));
    if (w->record.n_fields != w->record.max_fields) {
        p->trouble = PV_AUDIT_FIELDS;
        p->trouble_line = raw->line;
        p->trouble_fields = w->record.n_fields;
        return PV_STATUS_OK;
    }
    line->times = j->count->counted ? times_of(&w->record) : 1;
    if (line->times == 0) {
        p->trouble = PV_AUDIT_COUNT;
        p->trouble_line = raw->line;
        return PV_STATUS_OK;
    }
    /* Values are added 0 times here: how often each occurs follows from the rows, in step 2. */
    for (size_t i = 0; i < j->count->n_columns; i++) {
        pv_audit_field field = w->record.fields[j->count->columns[i].field];
        trimmed += pv_i_audit_clean(j->count, &field);
        PV_TRY(pv_i_audit_tally_add(&w->values[i], field.text, field.size, 0,
                                    &w->codes[place_of(j->count, i)], error));
    }
    line->trimmed = (uint16_t)trimmed; /* fits if the line is short enough for the cache */
    w->trimmed += trimmed * line->times;
    const size_t n_before = w->distinct.n_entries;
    PV_TRY(pv_i_audit_tally_add(&w->distinct, w->codes, w->distinct.width, line->times, &line->row,
                                error));
    if (w->distinct.n_entries > n_before) {
        if (!pv_i_reserve((void **)&w->lines, &w->lines_capacity, n_before + 1, sizeof *w->lines)) {
            return pv_i_no_memory(error);
        }
        /* Fits: a block has at most PV_AUDIT_RECORD_LIMIT bytes and one. */
        w->lines[line->row] = (uint32_t)raw->line;
    }
    return PV_STATUS_OK;
}

/* The records of the worker's block, up to the first that is in trouble. */
static pv_status count_block(worker_rows *w, const job *j, piece *p, pv_error *error)
{
    if (w->values == NULL) {
        PV_TRY(worker_start(w, j, error));
    }
    pv_audit_cursor cursor = pv_i_audit_records(j->reader, &w->block);
    pv_audit_raw raw;
    p->first_row = (uint32_t)w->distinct.n_entries;
    while (p->trouble == PV_AUDIT_FINE && pv_i_audit_next_record(&cursor, &raw)) {
        /* The shortcut: most lines of a released table end here. */
        const uint64_t hash = pv_i_hash_bytes(raw.text, raw.size);
        cached_line *const slot = &w->cache.slots[hash % w->cache.n_slots];
        cached_line line = {.tag = (uint32_t)(hash >> 32)};
        if (slot->tag == line.tag && slot->size == raw.size &&
            memcmp(w->cache.texts + slot->start, raw.text, raw.size) == 0) {
            w->distinct.entries[slot->row].count += slot->times;
            w->trimmed += slot->trimmed * slot->times;
            continue;
        }
        PV_TRY(add_record(w, j, &raw, &line, p, error));
        if (p->trouble == PV_AUDIT_FINE) {
            remember(&w->cache, &raw, line, slot);
        }
    }
    p->end_row = (uint32_t)w->distinct.n_entries;
    p->n_lines = cursor.line;
    return PV_STATUS_OK;
}

/* The next block, and memory for its piece. */
static bool take_block(job *j, pv_audit_block *block, uint64_t *taken_from_disk)
{
    bool more = false;
    (void)pthread_mutex_lock(&j->lock);
    if (!j->stop) {
        j->reader_status = pv_i_audit_reader_next(j->reader, block, &more, &j->reader_error);
        if (more && !pv_i_reserve((void **)&j->pieces, &j->pieces_capacity, j->reader->n_blocks,
                                  sizeof *j->pieces)) {
            j->reader_status = pv_i_no_memory(&j->reader_error);
            j->reader->n_blocks--; /* it has no piece */
        }
        j->stop = j->reader_status != PV_STATUS_OK || !more;
    }
    more = !j->stop;
    *taken_from_disk = j->reader->source.taken_from_disk;
    (void)pthread_mutex_unlock(&j->lock);
    return more;
}

/* The task of a worker. Only taking a block is done under the lock. Blocks are taken in the order
 * of the file, and a worker finishes the one it has even when another finds trouble: so everything
 * before the first trouble is looked at, and the first one of the file is reported, for any number
 * of threads. */
static pv_status count_blocks(void *ctx, size_t task, const pv_thread *thread, pv_error *error)
{
    job *const j = ctx;
    worker_rows *const w = &j->workers[task];
    uint64_t taken = 0;
    while (take_block(j, &w->block, &taken)) {
        piece p = {.worker = (uint32_t)task};
        PV_TRY(count_block(w, j, &p, error));
        const bool goes_on = pv_i_goes_on(thread, taken);
        (void)pthread_mutex_lock(&j->lock);
        j->pieces[w->block.number] = p;
        j->stop = j->stop || p.trouble != PV_AUDIT_FINE || !goes_on;
        (void)pthread_mutex_unlock(&j->lock);
    }
    return PV_STATUS_OK;
}

/* The error of the first trouble in the file, or of the reader after the last block. */
static pv_status report_trouble(const job *j, pv_error *error)
{
    uint64_t line = j->reader->first_line;
    for (size_t i = 0; i < j->reader->n_blocks; i++) {
        const piece *const p = &j->pieces[i];
        PV_TRY(pv_i_audit_refuse(j->reader, p->trouble, line + p->trouble_line, p->trouble_fields,
                                 error));
        line += p->n_lines;
    }
    if (j->reader_status != PV_STATUS_OK && error != NULL) {
        *error = j->reader_error;
        error->line = j->reader_status == PV_STATUS_LIMIT ? line : error->line;
    }
    return j->reader_status;
}

/* ---- step 2: gathering ---- */

/* Goes through the distinct rows of all workers in the order of their first appearance. */
typedef struct {
    size_t piece;
    uint32_t number;     /* of the next row among its worker's */
    uint64_t piece_line; /* the piece's first line in the file */
    const pv_thread *thread;
    /* The row: */
    worker_rows *worker;
    uint32_t *codes; /* may be changed in place */
    uint64_t count;
    uint64_t line;
} row_cursor;

static row_cursor all_rows(const job *j, const pv_thread *thread)
{
    return (row_cursor){
        .number = j->pieces[0].first_row, .piece_line = j->reader->first_line, .thread = thread};
}

/* False at the end, and when the work is to stop. */
static inline bool next_row(const job *j, row_cursor *c)
{
    while (c->number == j->pieces[c->piece].end_row) {
        c->piece_line += j->pieces[c->piece].n_lines;
        if (++c->piece == j->reader->n_blocks ||
            !pv_i_goes_on(c->thread, j->reader->source.taken_from_disk)) {
            return false;
        }
        c->number = j->pieces[c->piece].first_row;
    }
    c->worker = &j->workers[j->pieces[c->piece].worker];
    const pv_audit_tally *const distinct = &c->worker->distinct;
    c->codes = (uint32_t *)(void *)(distinct->keys + distinct->entries[c->number].start);
    c->count = distinct->entries[c->number].count;
    c->line = c->piece_line + c->worker->lines[c->number];
    c->number++;
    return true;
}

/* The number in the file of a value that a worker met for the first time. */
static pv_status number_value(const pv_audit_count *count, pv_audit_column *column,
                              const char *text, size_t size, uint64_t line, uint32_t *number,
                              pv_error *error)
{
    const bool missing = pv_i_audit_is_missing(count, column, text, size);
    if (missing) {
        text = pv_i_audit_spellings(count, column)[0];
        size = strlen(text);
    }
    const size_t n_before = column->values.n_entries;
    PV_TRY(pv_i_audit_tally_add(&column->values, text, size, 0, number, error));
    if (column->values.n_entries == n_before) {
        return PV_STATUS_OK; /* another worker had it, or it is a second spelling of "missing" */
    }
    if (!pv_i_reserve((void **)&column->lines, &column->lines_capacity, n_before + 1,
                      sizeof *column->lines)) {
        return pv_i_no_memory(error);
    }
    column->lines[*number] = line;
    if (missing) {
        column->missing = *number;
    } else if (size == strlen(PV_AUDIT_STAR) && memcmp(text, PV_AUDIT_STAR, size) == 0) {
        column->star = *number;
    }
    return PV_STATUS_OK;
}

/* The values of a column; in the rows its codes are replaced by those of the whole file. The count
 * of a worker's value is still 0 here: it serves as the map from the worker's code to the file's,
 * as one more than that (0 = not yet known). */
static pv_status fill_values(void *ctx, size_t task, const pv_thread *thread, pv_error *error)
{
    const job *const j = ctx;
    pv_audit_column *const column = &j->count->columns[task];
    const size_t place = place_of(j->count, task);
    row_cursor c = all_rows(j, thread);
    while (next_row(j, &c)) {
        const uint32_t code = c.codes[place];
        pv_audit_tally *const known = &c.worker->values[task];
        uint32_t number = (uint32_t)known->entries[code].count - 1;
        if (known->entries[code].count == 0) {
            size_t size;
            const char *const text = pv_i_audit_tally_key(known, code, &size);
            PV_TRY(number_value(j->count, column, text, size, c.line, &number, error));
            known->entries[code].count = (uint64_t)number + 1;
        }
        column->values.entries[number].count += c.count;
        c.codes[place] = number;
    }
    for (unsigned i = 0; i < j->n_workers; i++) {
        /* This column of the workers is used up; the next step needs the memory. */
        if (j->workers[i].values != NULL) {
            pv_i_audit_tally_deinit(&j->workers[i].values[task]);
        }
    }
    return PV_STATUS_OK;
}

/* The classes; every row gets the number of its own. */
static pv_status fill_classes(void *ctx, size_t task, const pv_thread *thread, pv_error *error)
{
    const job *const j = ctx;
    pv_audit_count *const count = j->count;
    row_cursor c = all_rows(j, thread);
    (void)task; /* the only one */
    while (next_row(j, &c)) {
        PV_TRY(pv_i_audit_tally_add(&count->classes, c.codes, count->n_quasi * sizeof *c.codes,
                                    c.count, &c.codes[count->n_quasi], error));
        count->rows += c.count;
    }
    return PV_STATUS_OK;
}

/* The class of a row together with some of its columns: task 0 is the parts; then come, if columns
 * are judged, the pairs of each, and at last the columns judged together. */
static pv_status fill_combinations(void *ctx, size_t task, const pv_thread *thread, pv_error *error)
{
    const job *const j = ctx;
    pv_audit_count *const count = j->count;
    const size_t column = count->n_quasi + task - 1;
    pv_audit_tally *tally = &count->together;
    size_t n = count->n_together; /* columns of the key */
    size_t first = count->n_columns - n;
    if (task == 0) {
        tally = &count->parts;
        n = count->n_named - count->n_quasi;
        first = count->n_quasi;
    } else if (column < count->n_columns) {
        tally = &count->columns[column].pairs;
        n = 1;
        first = column;
    }
    if (n == 0) {
        return PV_STATUS_OK;
    }
    uint32_t *const key = PV_NEW_ARRAY(uint32_t, 1 + n);
    pv_status status = key != NULL ? PV_STATUS_OK : pv_i_no_memory(error);
    row_cursor c = all_rows(j, thread);
    uint32_t unused;
    while (status == PV_STATUS_OK && next_row(j, &c)) {
        key[0] = c.codes[count->n_quasi];
        memcpy(key + 1, c.codes + place_of(count, first), n * sizeof *key);
        status = pv_i_audit_tally_add(tally, key, (1 + n) * sizeof *key, c.count, &unused, error);
    }
    pv_i_free(key);
    return status;
}

/* Values first: the keys of classes are codes of the whole file. Then classes: everything else is
 * counted together with the class. */
static pv_status gather(job *j, pv_error *error)
{
    pv_audit_count *const count = j->count;
    const size_t n_judged = count->judges ? count->n_columns - count->n_quasi + 1 : 0;
    for (unsigned i = 0; i < j->n_workers; i++) {
        worker_finish(&j->workers[i], count->n_columns);
    }
    PV_TRY(pv_i_tasks_run(j->n_workers, count->n_columns, fill_values, j, &j->ticker, error));
    PV_TRY(pv_i_tasks_run(1, 1, fill_classes, j, &j->ticker, error));
    PV_TRY(pv_i_tasks_run(j->n_workers, 1 + n_judged, fill_combinations, j, &j->ticker, error));
    for (unsigned i = 0; i < j->n_workers; i++) {
        count->trimmed += j->workers[i].trimmed;
    }
    for (size_t i = 0; i < count->n_columns; i++) {
        const pv_audit_column *const column = &count->columns[i];
        count->n_missing += column->missing != PV_AUDIT_NOT_FOUND
                                ? column->values.entries[column->missing].count
                                : 0;
    }
    return PV_STATUS_OK;
}

/* ---- both ---- */

static uint64_t smaller(uint64_t a, uint64_t b)
{
    return a < b ? a : b;
}

/* No more threads than blocks, and no larger caches than there is text. */
static pv_status create_workers(job *j, const pv_context *context, pv_error *error)
{
    const pv_audit_limits *const limits = &j->reader->limits;
    const uint64_t blocks = pv_i_audit_blocks_left(j->reader);
    /* At least one block is left: the first one, which the header was read from. */
    j->n_workers = (unsigned)smaller(blocks, pv_i_threads(context));
    const uint64_t most = limits->cache_size > 0 ? limits->cache_size : LARGEST_CACHE;
    j->cache_size = (size_t)smaller(CACHE_OF_ALL / j->n_workers, most);
    j->cache_size =
        (size_t)smaller(j->cache_size, smaller(blocks, LARGEST_CACHE) * limits->block_size);
    j->workers = PV_NEW_ZEROED(worker_rows, j->n_workers);
    return j->workers != NULL ? PV_STATUS_OK : pv_i_no_memory(error);
}

pv_status pv_i_audit_count_rows(pv_audit_reader *reader, const pv_context *context,
                                pv_audit_count *count, pv_error *error)
{
    job j = {.reader = reader,
             .count = count,
             .ticker = pv_i_ticker(context, "checking", reader->source.size_on_disk),
             .lock = PTHREAD_MUTEX_INITIALIZER};
    pv_status status = PV_STATUS_OK;
    PV_TRY_CLEAN(create_workers(&j, context, error));
    PV_TRY_CLEAN(pv_i_tasks_run(j.n_workers, j.n_workers, count_blocks, &j, &j.ticker, error));
    PV_TRY_CLEAN(report_trouble(&j, error));
    PV_TRY_CLEAN(gather(&j, error));
    if (count->rows == 0) {
        status = pv_i_hint(pv_i_fail_at(error, PV_STATUS_INPUT, reader->source.path, 0, 0,
                                        "has a header but no rows"),
                           error, "there is nothing to check");
    } else if (!pv_i_tick_end(&j.ticker)) {
        status = pv_i_cancelled(error);
    }
cleanup:
    for (unsigned i = 0; j.workers != NULL && i < j.n_workers; i++) {
        worker_deinit(&j.workers[i], count->n_columns);
    }
    pv_i_free(j.workers);
    pv_i_free(j.pieces);
    (void)pthread_mutex_destroy(&j.lock);
    return status;
}
