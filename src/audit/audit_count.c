/* Counting a file: its columns are found, threads count the rows of its blocks (audit_rows.h), what
 * they counted is gathered (audit_gather.h). */
#include "audit/audit_count.h"

#include "audit/audit_gather.h"
#include "audit/audit_value.h"
#include "base/buffer.h"
#include "base/error.h"
#include "base/failure.h"
#include "base/memory.h"
#include "base/pool.h"
#include "base/ticker.h"

#include <pthread.h>
#include <stdbool.h>
#include <string.h>

/* Bytes of lines seen lately: of all threads, and of one. That many of a released table's lines are
 * as many as there are, or nearly; more would not fit a cache. */
#define ROOM_OF_ALL ((uint64_t)1 << 26)
#define MOST_ROOM ((uint64_t)1 << 23)

static const char *const default_missing[] = {"", "NA", "?", NULL};

typedef struct {
    pv_audit_reader reader;
    pv_audit_count *count;
    pv_error *error;
    unsigned n_workers;
    size_t room; /* for lines seen lately, of each of them */
    pv_audit_rows *workers;
    pv_audit_block *blocks; /* one for each of them */
    pv_ticker ticker;       /* used by the caller's thread only */
    pv_failure failure;
    /* Guarded by the lock, like the reader while threads are at work: */
    pthread_mutex_t lock;
    pv_audit_piece *pieces; /* by block */
    size_t pieces_capacity;
    bool stop;
    pv_status reader_status;
    pv_error reader_error;
} counter;

static size_t n_names(const char *const *names)
{
    size_t n = 0;
    while (names != NULL && names[n] != NULL) {
        n++;
    }
    return n;
}

/* ---- finding the columns ---- */

static bool is_text(const char *text, size_t size, const char *wanted)
{
    return size == strlen(wanted) && memcmp(text, wanted, size) == 0;
}

/* A name of the header, trimmed like every field. */
static const char *header_name(const counter *c, size_t field, size_t *size)
{
    pv_audit_field name = c->reader.header.fields[field];
    if (c->count->trims) {
        (void)pv_i_audit_trim(&name.text, &name.size);
    }
    pv_i_audit_unescape(c->count, &name.text, &name.size);
    *size = name.size;
    return name.text;
}

static void list_names(const pv_audit_record *header, pv_buffer *list)
{
    for (size_t i = 0; i < header->n_fields && list->size < PV_ERROR_HINT_SIZE; i++) {
        pv_i_buffer_text(list, i > 0 ? ", " : "");
        pv_i_buffer_bytes(list, header->fields[i].text, header->fields[i].size);
    }
}

static pv_status unknown_column(const counter *c, const char *name)
{
    pv_buffer list = {0};
    list_names(&c->reader.header, &list);
    const bool is_long = list.failed || list.size > PV_ERROR_HINT_SIZE - 32;
    const pv_status status =
        pv_i_hint(pv_i_fail_at(c->error, PV_STATUS_ARGUMENT, c->reader.source.path, 1, 0,
                               "there is no column `%s`", name),
                  c->error, "its columns: %.*s%s", PV_ERROR_HINT_SIZE - 32,
                  list.data != NULL ? list.data : "", is_long ? " ..." : "");
    pv_i_buffer_deinit(&list);
    return status;
}

static pv_status find_column(const counter *c, pv_audit_column *column)
{
    const pv_audit_record *const header = &c->reader.header;
    for (size_t i = 0; i < header->n_fields; i++) {
        size_t size;
        const char *const name = header_name(c, i, &size);
        if (is_text(name, size, column->name)) {
            column->field = i;
            return PV_STATUS_OK;
        }
    }
    return unknown_column(c, column->name);
}

/* No name may stand twice in the header: which of the two would be checked? */
static pv_status check_header(const counter *c)
{
    const pv_audit_record *const header = &c->reader.header;
    pv_audit_tally names = {0};
    pv_status status = PV_STATUS_OK;
    for (uint32_t i = 0; i < header->n_fields && status == PV_STATUS_OK; i++) {
        size_t size;
        uint32_t number;
        const char *const name = header_name(c, i, &size);
        status = pv_i_audit_tally_add(&names, name, size, 1, &number, c->error);
        if (status == PV_STATUS_OK && names.entries[number].count > 1) {
            status =
                pv_i_hint(pv_i_fail_at(c->error, PV_STATUS_INPUT, c->reader.source.path,
                                       c->reader.header_line, 0, "the column `%.*s` is there twice",
                                       (int)(size < 256 ? size : 256), name),
                          c->error, "rename or remove one of them");
        }
    }
    pv_i_audit_tally_deinit(&names);
    return status;
}

static pv_status name_column(counter *c, const char *name, const pv_audit_reading *reading)
{
    pv_audit_count *const count = c->count;
    for (size_t i = 0; i < count->n_columns; i++) {
        if (strcmp(count->columns[i].name, name) == 0) {
            return pv_i_hint(pv_i_fail(c->error, PV_STATUS_ARGUMENT,
                                       "the column `%s` is named more than once", name),
                             c->error, "give it one role: quasi-identifier, sensitive or label");
        }
    }
    count->columns[count->n_columns] =
        (pv_audit_column){.name = name,
                          .reading = reading != NULL ? *reading : (pv_audit_reading){0},
                          .is_quasi = count->n_columns < count->n_quasi,
                          .star = PV_AUDIT_NOT_FOUND,
                          .missing = PV_AUDIT_NOT_FOUND};
    return find_column(c, &count->columns[count->n_columns++]);
}

static bool is_listed(const char *const *names, const char *text, size_t size)
{
    for (size_t i = 0; i < n_names(names); i++) {
        if (is_text(text, size, names[i])) {
            return true;
        }
    }
    return false;
}

/* The columns that nobody named, to be judged all the same: those kept apart, or the rest. */
static pv_status add_others(counter *c, const bool *named, const char *const *apart, bool add_apart)
{
    const pv_audit_record *const header = &c->reader.header;
    pv_audit_count *const count = c->count;
    for (size_t i = 0; i < header->n_fields; i++) {
        size_t size;
        const char *const name = header_name(c, i, &size);
        if (named[i] || is_listed(apart, name, size) != add_apart) {
            continue;
        }
        char *const copy = pv_i_strndup(name, size);
        if (copy == NULL) {
            return pv_i_no_memory(c->error);
        }
        count->columns[count->n_columns++] = (pv_audit_column){.name = copy,
                                                               .own_name = copy,
                                                               .field = i,
                                                               .star = PV_AUDIT_NOT_FOUND,
                                                               .missing = PV_AUDIT_NOT_FOUND};
    }
    return PV_STATUS_OK;
}

/* Columns judged together stand last. */
static pv_status add_all_others(counter *c, const char *const *apart)
{
    pv_audit_count *const count = c->count;
    bool *const named = PV_NEW_ZEROED(bool, c->reader.header.n_fields);
    if (named == NULL) {
        return pv_i_no_memory(c->error);
    }
    for (size_t i = 0; i < count->n_columns; i++) {
        named[count->columns[i].field] = true;
    }
    pv_status status = add_others(c, named, apart, true);
    const size_t first = count->n_columns;
    if (status == PV_STATUS_OK) {
        status = add_others(c, named, apart, false);
    }
    count->n_together = count->n_columns - first >= 2 ? count->n_columns - first : 0;
    pv_i_free(named);
    return status;
}

static pv_status name_columns(counter *c, const pv_audit_options *options)
{
    pv_audit_count *const count = c->count;
    count->n_quasi = n_names(options->quasi);
    count->n_sensitive = n_names(options->sensitive);
    count->has_label = options->label != NULL;
    if (count->n_quasi == 0) {
        return pv_i_fail(c->error, PV_STATUS_ARGUMENT,
                         "no quasi-identifier was named; at least one is needed");
    }
    count->n_named = count->n_quasi + count->n_sensitive + count->has_label;
    count->judges = options->unchanged;
    const size_t n = count->n_named + (count->judges ? c->reader.header.n_fields : 0);
    count->columns = PV_NEW_ZEROED(pv_audit_column, n);
    if (count->columns == NULL) {
        return pv_i_no_memory(c->error);
    }
    PV_TRY(check_header(c));
    for (size_t i = 0; i < count->n_quasi; i++) {
        PV_TRY(name_column(c, options->quasi[i],
                           options->quasi_readings != NULL ? &options->quasi_readings[i] : NULL));
    }
    for (size_t i = 0; i < count->n_sensitive; i++) {
        PV_TRY(name_column(c, options->sensitive[i],
                           options->sensitive_readings != NULL ? &options->sensitive_readings[i]
                                                               : NULL));
    }
    if (count->has_label) {
        PV_TRY(name_column(c, options->label, options->label_reading));
    }
    return count->judges ? add_all_others(c, options->apart) : PV_STATUS_OK;
}

/* ---- missing values ---- */

const char *const *pv_i_audit_spellings(const pv_audit_count *count, const pv_audit_column *column)
{
    return column->reading.missing != NULL ? column->reading.missing : count->missing;
}

bool pv_i_audit_is_missing(const pv_audit_count *count, const pv_audit_column *column,
                           const char *text, size_t size)
{
    const char *const *const spellings = pv_i_audit_spellings(count, column);
    for (size_t i = 0; spellings[i] != NULL; i++) {
        if (is_text(text, size, spellings[i])) {
            return true;
        }
    }
    return false;
}

/* ---- counting the rows ----
 *
 * Only taking the next block is done under the lock. Blocks are taken in the order of the file, and
 * a thread finishes the one it has even when another finds trouble: so all that comes before the
 * first trouble has been looked at, and the first is what is told, for any number of threads. */

/* The next block, and a piece for it. Called under the lock. */
static bool take_block(counter *c, pv_audit_block *block)
{
    bool more = false;
    if (c->stop) {
        return false;
    }
    c->reader_status = pv_i_audit_reader_next(&c->reader, block, &more, &c->reader_error);
    if (c->reader_status == PV_STATUS_OK && more &&
        !pv_i_reserve((void **)&c->pieces, &c->pieces_capacity, c->reader.n_blocks,
                      sizeof *c->pieces)) {
        pv_i_failure_note(&c->failure, PV_STATUS_NO_MEMORY);
        more = false;
    }
    c->stop = c->reader_status != PV_STATUS_OK || !more;
    return !c->stop;
}

/* Only the caller's thread may call back. */
static void report(counter *c, unsigned worker, uint64_t taken)
{
    if (worker == 0 && !pv_i_tick(&c->ticker, taken)) {
        pv_i_failure_note(&c->failure, PV_STATUS_CANCELLED);
    }
}

static pv_status count_block(counter *c, unsigned worker, pv_audit_piece *piece)
{
    pv_audit_rows *const rows = &c->workers[worker];
    if (rows->count == NULL) {
        PV_TRY(pv_i_audit_rows_init(rows, c->count, c->reader.header.n_fields, c->room, NULL));
    }
    return pv_i_audit_rows_add(rows, pv_i_audit_walk(&c->reader, &c->blocks[worker]), piece, NULL);
}

static void work(void *ctx, unsigned worker)
{
    counter *const c = ctx;
    pv_audit_block *const block = &c->blocks[worker];
    for (;;) {
        pv_audit_piece piece = {.worker = worker};
        (void)pthread_mutex_lock(&c->lock);
        const bool more = take_block(c, block);
        const uint64_t taken = c->reader.source.taken_from_disk;
        (void)pthread_mutex_unlock(&c->lock);
        if (!more) {
            return;
        }
        const pv_status status = count_block(c, worker, &piece);
        if (status != PV_STATUS_OK) {
            pv_i_failure_note(&c->failure, status);
        }
        report(c, worker, taken);
        (void)pthread_mutex_lock(&c->lock);
        c->pieces[block->number] = piece;
        c->stop = c->stop || piece.trouble != PV_AUDIT_FINE || pv_i_has_failed(&c->failure);
        (void)pthread_mutex_unlock(&c->lock);
    }
}

/* The first trouble in the file, if there is any. */
static pv_status tell_trouble(const counter *c)
{
    uint64_t line = c->reader.first_line;
    for (size_t i = 0; i < c->reader.n_blocks; i++) {
        const pv_audit_piece *const piece = &c->pieces[i];
        PV_TRY(pv_i_audit_tell_trouble(&c->reader, piece->trouble, line + piece->trouble_line,
                                       piece->trouble_fields, c->error));
        line += piece->n_lines;
    }
    if (c->reader_status != PV_STATUS_OK && c->error != NULL) {
        *c->error = c->reader_error;
        c->error->line = c->reader_status == PV_STATUS_LIMIT ? line : c->error->line;
    }
    return c->reader_status;
}

static uint64_t smaller(uint64_t a, uint64_t b)
{
    return a < b ? a : b;
}

/* No more threads than blocks, and no more room than there is text. */
static pv_status start_workers(counter *c, const pv_context *context)
{
    const uint64_t blocks = pv_i_audit_blocks_left(&c->reader);
    c->n_workers = (unsigned)smaller(blocks, pv_i_threads(context));
    const uint64_t most = c->reader.limits.room > 0 ? c->reader.limits.room : MOST_ROOM;
    c->room = (size_t)smaller(ROOM_OF_ALL / c->n_workers, most);
    c->room = (size_t)smaller(c->room, smaller(blocks, MOST_ROOM) * c->reader.limits.block_size);
    c->workers = PV_NEW_ZEROED(pv_audit_rows, c->n_workers);
    c->blocks = PV_NEW_ZEROED(pv_audit_block, c->n_workers);
    return c->workers != NULL && c->blocks != NULL ? PV_STATUS_OK : pv_i_no_memory(c->error);
}

/* Memory is given back as soon as it is not needed: a file of unlike rows needs much of it. */
static pv_status gather(counter *c)
{
    const pv_audit_counted counted = {.workers = c->workers,
                                      .n_workers = c->n_workers,
                                      .pieces = c->pieces,
                                      .n_pieces = c->reader.n_blocks,
                                      .first_line = c->reader.first_line,
                                      .ticker = &c->ticker,
                                      .done = c->reader.source.taken_from_disk};
    for (unsigned i = 0; i < c->n_workers; i++) {
        pv_i_audit_block_deinit(&c->blocks[i]);
        pv_i_audit_rows_finish(&c->workers[i]);
    }
    const pv_status status = pv_i_audit_gather(&counted, c->count, c->error);
    for (unsigned i = 0; i < c->n_workers; i++) {
        pv_i_audit_rows_deinit(&c->workers[i]);
    }
    return status;
}

static pv_status count_rows(counter *c, const pv_context *context)
{
    const pv_audit_source *const source = &c->reader.source;
    c->ticker = pv_i_ticker(context, "checking", source->size_on_disk);
    PV_TRY(start_workers(c, context));
    pv_i_pool_run(c->n_workers, work, c);
    PV_TRY(pv_i_failure_tell(&c->failure, c->error));
    PV_TRY(tell_trouble(c));
    PV_TRY(gather(c));
    if (c->count->rows == 0) {
        return pv_i_hint(
            pv_i_fail_at(c->error, PV_STATUS_INPUT, source->path, 0, 0, "has a header but no rows"),
            c->error, "there is nothing to check");
    }
    return pv_i_tick_end(&c->ticker) ? PV_STATUS_OK : pv_i_cancelled(c->error);
}

static void counter_deinit(counter *c)
{
    for (unsigned i = 0; c->workers != NULL && i < c->n_workers; i++) {
        pv_i_audit_rows_deinit(&c->workers[i]);
    }
    for (unsigned i = 0; c->blocks != NULL && i < c->n_workers; i++) {
        pv_i_audit_block_deinit(&c->blocks[i]);
    }
    pv_i_free(c->workers);
    pv_i_free(c->blocks);
    pv_i_free(c->pieces);
    pv_i_audit_reader_deinit(&c->reader);
    (void)pthread_mutex_destroy(&c->lock);
}

/* ---- suppression ---- */

uint32_t pv_i_audit_code(const pv_audit_tally *tally, uint32_t number, size_t position)
{
    size_t unused;
    uint32_t code;
    memcpy(&code, pv_i_audit_tally_key(tally, number, &unused) + position * sizeof code,
           sizeof code);
    return code;
}

static bool is_all_stars(const pv_audit_count *count, uint32_t class_number)
{
    for (size_t i = 0; i < count->n_quasi; i++) {
        const uint32_t star = count->columns[i].star;
        if (star == PV_AUDIT_NOT_FOUND ||
            pv_i_audit_code(&count->classes, class_number, i) != star) {
            return false;
        }
    }
    return true;
}

static void find_suppressed(pv_audit_count *count)
{
    count->suppressed_class = PV_AUDIT_NOT_FOUND;
    for (uint32_t i = 0; i < count->classes.n_entries && count->classes.n_entries > 1; i++) {
        if (is_all_stars(count, i)) {
            count->suppressed_class = i;
            count->suppressed = count->classes.entries[i].count;
        }
    }
}

/* ---- all of it ---- */

pv_status pv_i_audit_count(const char *path, const pv_audit_options *options,
                           const pv_audit_limits *limits, const pv_context *context,
                           pv_audit_count *count, pv_error *error)
{
    pv_audit_count result = {.missing =
                                 options->missing != NULL ? options->missing : default_missing,
                             .trims = options->trim,
                             .escaped = options->escaped};
    counter c = {.count = &result, .error = error, .lock = PTHREAD_MUTEX_INITIALIZER};
    PV_TRY(pv_i_audit_reader_open(path, options, limits, &c.reader, error));
    result.path = c.reader.source.path;
    pv_status status = PV_STATUS_OK;
    PV_TRY_CLEAN(name_columns(&c, options));
    PV_TRY_CLEAN(count_rows(&c, context));
    PV_TRY_CLEAN(pv_i_audit_merge(&result, error));
    find_suppressed(&result);
    *count = result;
    result = (pv_audit_count){0};
cleanup:
    counter_deinit(&c); /* looks at the columns of the result */
    pv_i_audit_count_deinit(&result);
    return status;
}

void pv_i_audit_count_deinit(pv_audit_count *count)
{
    for (size_t i = 0; i < count->n_columns; i++) {
        pv_i_audit_tally_deinit(&count->columns[i].values);
        pv_i_audit_tally_deinit(&count->columns[i].pairs);
        pv_i_free(count->columns[i].lines);
        pv_i_free(count->columns[i].own_name);
    }
    pv_i_free(count->columns);
    pv_i_audit_tally_deinit(&count->classes);
    pv_i_audit_tally_deinit(&count->parts);
    pv_i_audit_tally_deinit(&count->together);
    *count = (pv_audit_count){0};
}
