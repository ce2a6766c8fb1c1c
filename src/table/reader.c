/* Reading a table: a row's way from bytes to codes.
 *
 *     source --> feeder --> blocks of whole records --> encoders (one per thread) --> pieces
 *                                                                                       |
 *                                              table <-- assemble: one dictionary, one order
 *
 * Only taking the next block is done under a lock. Blocks are numbered in file order, and a thread
 * finishes the blocks it has taken even when another one finds trouble: so all that comes before
 * the first trouble has been looked at, and the first is what is reported, for any number of
 * threads. */
#include "table/store.h"

#include "base/error.h"
#include "base/memory.h"
#include "base/options.h"
#include "base/tasks.h"
#include "table/reading.h"
#include "table/records.h"
#include "table/source.h"
#include "table/value.h"

#include <pthread.h>
#include <string.h>

/* Large enough that the codes of a block are a piece of memory of its own, which goes back to the
 * system when it is freed; small enough for the second-level cache. */
#define BLOCK_SIZE (((size_t)3 << 19) - PV_SCAN_PADDING)
#define SAMPLE_SIZE ((size_t)1 << 16)
#define LARGEST_SAMPLE ((size_t)1 << 24)

typedef struct {
    pv_source *source;
    pv_read_options taken; /* what `options` points to */
    const pv_read_options *options;
    const pv_context *context;
    pv_feeder feeder;
    pv_heading heading;
    uint64_t first_line; /* of the first block */
    bool old_line_ends;  /* CR alone, which are none to us */
    pv_encoder *encoders;
    unsigned threads;
    pv_ticker ticker;
    /* Guarded by the lock, like the feeder: */
    pthread_mutex_t lock;
    pv_piece **pieces; /* by block */
    size_t n_pieces, capacity;
    bool stop;
    bool no_memory;
    pv_status source_status;
    pv_error source_error;
} reading;

/* ------------------------------------------------------------- before the rows */

static const char *pending_text(const reading *r)
{
    return r->feeder.pending + r->feeder.at;
}

static size_t pending_size(const reading *r)
{
    return r->feeder.size - r->feeder.at;
}

/* The error for what is wrong on a line. */
static pv_status explain(const reading *r, const pv_trouble *trouble, uint64_t line,
                         pv_error *error)
{
    const char *const name = pv_i_source_name(r->source);
    switch (trouble->kind) {
    case PV_TROUBLE_FIELDS:
        return pv_i_hint_phrases(
            pv_i_fail_at(error, PV_STATUS_INPUT, name, line, 0, "%zu field%s instead of %zu",
                         trouble->found, trouble->found == 1 ? "" : "s", r->heading.n_fields),
            error,
            "look for a stray delimiter or quote (are quotes ordinary characters here? @), or @",
            PV_PHRASE_NO_QUOTES, PV_PHRASE_SKIP_BAD_ROWS);
    case PV_TROUBLE_NUL:
        return pv_i_hint(pv_i_fail_at(error, PV_STATUS_INPUT, name, line, 0,
                                      "is not a text file: there is a NUL byte"),
                         error,
                         "export spreadsheets and databases as CSV, and save text as UTF-8, not "
                         "UTF-16");
    case PV_TROUBLE_QUOTE:
        return pv_i_hint(pv_i_fail_at(error, PV_STATUS_INPUT, name, line, 0,
                                      "a quote is opened here and never closed"),
                         error,
                         "close it; if quotes are ordinary characters in this file, read it "
                         "without quoting");
    case PV_TROUBLE_LIMIT:
        return pv_i_fail_at(error, PV_STATUS_LIMIT, name, line, 0,
                            "column \"%.200s\" has too many distinct values",
                            r->heading.names[trouble->found]);
    case PV_TROUBLE_MEMORY: return pv_i_no_memory(error);
    case PV_TROUBLE_NONE: break;
    }
    return PV_STATUS_OK;
}

static pv_status empty(const reading *r, const char *what, pv_error *error)
{
    return pv_i_hint(
        pv_i_fail_at(error, PV_STATUS_INPUT, pv_i_source_name(r->source), 0, 0, "%s", what), error,
        "%s",
        r->old_line_ends ? "its lines end in CR alone: convert them to LF or CRLF"
                         : "a table needs at least one row");
}

/* Enough text to judge by: two lines if possible, however long. 64 KiB nearly always suffice; after
 * 16 MiB it is judged by what there is. */
static pv_status take_sample(reading *r, pv_error *error)
{
    size_t size = SAMPLE_SIZE;
    PV_TRY(pv_i_feeder_peek(&r->feeder, size, error));
    while (!r->feeder.ended && size < LARGEST_SAMPLE &&
           pv_i_count_lines(pending_text(r), pending_size(r)) < 2) {
        size *= 2;
        PV_TRY(pv_i_feeder_peek(&r->feeder, size, error));
    }
    return PV_STATUS_OK;
}

static pv_status check_sample(reading *r, pv_error *error)
{
    r->feeder.at += pv_i_bom_length(pending_text(r), pending_size(r));
    const char *const text = pending_text(r);
    const size_t size = pending_size(r);
    if (size == 0) {
        return empty(r, "is empty", error);
    }
    const char *const nul = memchr(text, '\0', size);
    if (nul != NULL) {
        return explain(r, &(pv_trouble){.kind = PV_TROUBLE_NUL},
                       1 + pv_i_count_lines(text, (size_t)(nul - text)), error);
    }
    r->old_line_ends = memchr(text, '\r', size) != NULL && memchr(text, '\n', size) == NULL;
    return PV_STATUS_OK;
}

/* The first record, however long it is. */
static pv_status take_first(reading *r, pv_records *first, bool *more, pv_error *error)
{
    const pv_dialect *const d = &r->feeder.dialect;
    for (;;) {
        pv_i_records_deinit(first);
        pv_i_records_init(first, pending_text(r), pending_size(r), d->delimiter, d->quoting);
        PV_TRY(pv_i_records_next(first, more, error));
        if (r->feeder.ended || (*more && !first->cut)) {
            return PV_STATUS_OK;
        }
        if (pending_size(r) > PV_RECORD_LIMIT) {
            return pv_i_fail_at(error, PV_STATUS_LIMIT, pv_i_source_name(r->source), first->line, 0,
                                "the first record is longer than %zu MiB", PV_RECORD_LIMIT >> 20);
        }
        PV_TRY(pv_i_feeder_peek(&r->feeder, pending_size(r) * 2, error));
    }
}

static pv_status take_heading(reading *r, pv_records *first, pv_error *error)
{
    const pv_dialect *const d = &r->feeder.dialect;
    bool more = false;
    PV_TRY(take_first(r, first, &more, error));
    if (!more) {
        return empty(r, "holds nothing but blank lines", error);
    }
    if (first->unterminated) {
        return explain(r, &(pv_trouble){.kind = PV_TROUBLE_QUOTE}, first->quote_line, error);
    }
    PV_TRY(pv_i_heading_init(&r->heading, first, d->header, r->options, pv_i_source_name(r->source),
                             error));
    r->first_line = 1;
    if (d->header) {
        r->feeder.at = (size_t)(first->at - r->feeder.pending);
        r->first_line = first->next_line;
    }
    return PV_STATUS_OK;
}

/* Everything that is known before the first row: dialect, names, the line the rows begin on. */
static pv_status start(reading *r, pv_error *error)
{
    const char d = r->options->delimiter;
    pv_records first = {0};
    if (d == PV_QUOTE || d == '\n' || d == '\r') {
        return pv_i_fail(error, PV_STATUS_ARGUMENT,
                         "a quote or a line end cannot be the delimiter");
    }
    PV_TRY(take_sample(r, error));
    PV_TRY(check_sample(r, error));
    PV_TRY(pv_i_sniff(pending_text(r), pending_size(r), r->feeder.ended, r->options,
                      &r->feeder.dialect, error));
    const pv_status status = take_heading(r, &first, error);
    pv_i_records_deinit(&first);
    return status;
}

/* --------------------------------------------------------------------- threads */

/* Takes the next block and a slot for its piece. Called under the lock: reading (and decompressing)
 * is done by whoever comes first, while the others encode. */
static bool take_block(reading *r, pv_block *block)
{
    bool more = false;
    if (r->stop) {
        return false;
    }
    r->source_status = pv_i_feeder_next(&r->feeder, block, &more, &r->source_error);
    if (r->source_status != PV_STATUS_OK || !more) {
        r->stop = true;
        return false;
    }
    if (!pv_i_reserve((void **)&r->pieces, &r->capacity, r->n_pieces + 1, sizeof *r->pieces)) {
        r->no_memory = true;
        r->stop = true;
        return false;
    }
    r->pieces[r->n_pieces++] = NULL;
    return true;
}

/* Blocks, as long as there are some. A block is no task of its own, for nobody knows how many there
 * are; and trouble in one is found by check(), which alone knows the line. */
static pv_status encode_blocks(void *ctx, size_t task, const pv_thread *thread, pv_error *error)
{
    reading *const r = ctx;
    pv_encoder *const e = &r->encoders[thread->number];
    uint64_t consumed = 0;
    (void)task;
    (void)error;
    do {
        (void)pthread_mutex_lock(&r->lock);
        const bool more = take_block(r, &e->block);
        consumed = pv_i_source_consumed(r->source);
        (void)pthread_mutex_unlock(&r->lock);
        if (!more) {
            break;
        }
        const bool ready =
            e->dictionaries != NULL || pv_i_encoder_init(e, &r->heading, r->options->skip_bad_rows);
        pv_piece *const piece = ready ? pv_i_encode(e, &r->feeder.dialect) : NULL;
        if (piece != NULL) {
            piece->encoder = thread->number;
        }
        (void)pthread_mutex_lock(&r->lock);
        r->pieces[e->block.index] = piece;
        r->no_memory |= piece == NULL;
        r->stop |= piece == NULL || piece->trouble.kind != PV_TROUBLE_NONE;
        (void)pthread_mutex_unlock(&r->lock);
    } while (pv_i_goes_on(thread, consumed));
    return PV_STATUS_OK;
}

static pv_status encode_all(reading *r, pv_error *error)
{
    /* No more threads than blocks. */
    const unsigned wanted = pv_i_threads(r->context);
    const uint64_t size = r->feeder.ended ? pending_size(r) : UINT64_MAX;
    const uint64_t blocks = size / r->feeder.block_size + 1;
    r->threads = blocks < wanted ? (unsigned)blocks : wanted;
    r->encoders = PV_NEW_ZEROED(pv_encoder, r->threads);
    if (r->encoders == NULL) {
        return pv_i_no_memory(error);
    }
    r->ticker = pv_i_ticker(r->context, "reading", pv_i_source_total(r->source));
    return pv_i_tasks_run(r->threads, r->threads, encode_blocks, r, &r->ticker, error);
}

/* --------------------------------------------------------------------- trouble */

/* The first trouble in the file, if there is any. */
static pv_status check(const reading *r, pv_error *error)
{
    uint64_t line = r->first_line;
    if (r->no_memory) {
        return pv_i_no_memory(error);
    }
    for (size_t i = 0; i < r->n_pieces; i++) {
        const pv_trouble *const trouble = &r->pieces[i]->trouble;
        PV_TRY(explain(r, trouble, line + trouble->line, error));
        line += r->pieces[i]->n_lines;
    }
    if (r->source_status != PV_STATUS_OK && error != NULL) {
        *error = r->source_error;
        error->line = r->source_status == PV_STATUS_LIMIT ? line : error->line;
    }
    return r->source_status;
}

/* ------------------------------------------------------------------- the table */

static pv_status start_table(reading *r, const char *name, pv_table **table, pv_error *error)
{
    pv_table *const t = PV_NEW(pv_table);
    if (t == NULL) {
        return pv_i_no_memory(error);
    }
    *table = t;
    t->delimiter = r->feeder.dialect.delimiter;
    t->source = pv_i_strdup(name);
    t->columns = PV_NEW_ZEROED(pv_column, r->heading.n_kept);
    if (t->source == NULL || t->columns == NULL) {
        return pv_i_no_memory(error);
    }
    t->n_columns = r->heading.n_kept;
    for (size_t i = 0; i < t->n_columns; i++) {
        t->columns[i].name = r->heading.names[i];
        r->heading.names[i] = NULL;
    }
    return pv_i_table_index_names(t, error);
}

static pv_status finish_table(reading *r, pv_table *table, pv_error *error)
{
    pv_parts parts = {
        .encoders = r->encoders,
        .n_encoders = r->threads,
        .pieces = r->pieces,
        .n_pieces = r->n_pieces,
        .first_line = r->first_line,
        .missing = r->options->missing != NULL ? r->options->missing : pv_i_default_missing,
        .missing_of = r->options->missing_of,
        .missing_ctx = r->options->missing_ctx,
        .trim = !r->options->keep_blanks,
        .quoting = r->feeder.dialect.quoting,
        .threads = r->threads,
    };
    PV_TRY(pv_i_assemble(table, &parts, error));
    if (table->rows == 0) {
        return empty(r, "has no rows", error);
    }
    return pv_i_tick_end(&r->ticker) ? PV_STATUS_OK : pv_i_cancelled(error);
}

static pv_status read_table(reading *r, const char *name, pv_table **table, pv_error *error)
{
    pv_table *t = NULL;
    pv_status status;
    PV_TRY(start(r, error));
    PV_TRY(encode_all(r, error));
    PV_TRY(check(r, error));
    PV_TRY_CLEAN(start_table(r, name, &t, error));
    PV_TRY_CLEAN(finish_table(r, t, error));
    *table = t;
    return PV_STATUS_OK;
cleanup:
    pv_table_free(t);
    return status;
}

static void reading_deinit(reading *r)
{
    for (size_t i = 0; i < r->n_pieces; i++) {
        pv_i_free(r->pieces[i]);
    }
    pv_i_free(r->pieces);
    for (unsigned i = 0; r->encoders != NULL && i < r->threads; i++) {
        pv_i_encoder_deinit(&r->encoders[i]);
    }
    pv_i_free(r->encoders);
    pv_i_heading_deinit(&r->heading);
    pv_i_feeder_deinit(&r->feeder);
    (void)pthread_mutex_destroy(&r->lock);
}

/* Takes the source over. */
static pv_status read_source(pv_source *source, const char *name, size_t block_size,
                             const pv_read_options *options, const pv_context *context,
                             pv_table **table, pv_error *error)
{
    reading r = {
        .source = source,
        .options = &r.taken,
        .context = context,
        .lock = PTHREAD_MUTEX_INITIALIZER,
    };
    pv_i_feeder_init(&r.feeder, source, block_size);
    pv_status status = PV_TAKE_OPTIONS(r.taken, options, error);
    if (status == PV_STATUS_OK) {
        status = read_table(&r, name, table, error);
    }
    reading_deinit(&r);
    pv_i_source_free(source);
    return status;
}

pv_status pv_i_table_read_file(const char *path, const pv_read_options *options,
                               const pv_context *context, pv_table **table, pv_error *error)
{
    pv_source *source = NULL;
    PV_TRY(pv_i_source_open(path, &source, error));
    return read_source(source, path, BLOCK_SIZE, options, context, table, error);
}

pv_status pv_table_read_memory(const char *name, const void *data, size_t size,
                               const pv_read_options *options, const pv_context *context,
                               pv_table **table, pv_error *error)
{
    return pv_i_table_read_blocks(name, data, size, BLOCK_SIZE, options, context, table, error);
}

pv_status pv_i_table_read_blocks(const char *name, const void *data, size_t size, size_t block_size,
                                 const pv_read_options *options, const pv_context *context,
                                 pv_table **table, pv_error *error)
{
    pv_source *source = NULL;
    PV_TRY(pv_i_source_memory(name, data, size, &source, error));
    return read_source(source, name, block_size, options, context, table, error);
}
