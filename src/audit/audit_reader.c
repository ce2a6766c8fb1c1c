/* Opening a file, and cutting it into blocks.
 *
 *     source ---> [ record record rec ]     a block is filled; its whole records are handed out,
 *                 [ord record record r]     the rest comes first in the next one
 */
#include "audit/audit_reader.h"

#include "base/error.h"
#include "base/memory.h"

#include <stdio.h>
#include <string.h>

#define BLOCK_SIZE ((size_t)1 << 20) /* with its counters it fits the second-level cache */
#define SAMPLE_SIZE ((size_t)1 << 16)

static const char sniffed_delimiters[] = ",;\t|";

/* ---- blocks ---- */

void pv_i_audit_block_deinit(pv_audit_block *block)
{
    pv_i_free(block->data);
    *block = (pv_audit_block){0};
}

/* The rest first, then the source, until the block has `size` bytes or the text ends. */
static pv_status fill(pv_audit_reader *r, pv_audit_block *block, size_t size, pv_error *error)
{
    if (!pv_i_reserve((void **)&block->data, &block->capacity, size, 1)) {
        return pv_i_no_memory(error);
    }
    const size_t wanted = size - block->size;
    const size_t left = r->rest_size - r->rest_at;
    const size_t n = left < wanted ? left : wanted;
    if (n > 0) {
        memcpy(block->data + block->size, r->rest + r->rest_at, n);
        block->size += n;
        r->rest_at += n;
    }
    if (n < wanted && !r->ended) {
        size_t got = 0;
        PV_TRY(
            pv_i_audit_source_read(&r->source, block->data + block->size, wanted - n, &got, error));
        r->ended = got < wanted - n;
        block->size += got;
    }
    return PV_STATUS_OK;
}

/* The last `n` bytes of the block come first in the next one. */
static pv_status put_back(pv_audit_reader *r, pv_audit_block *block, size_t n, pv_error *error)
{
    block->size -= n;
    if (r->rest_at < r->rest_size) {
        r->rest_at -= n; /* they came from here and are still in place */
        return PV_STATUS_OK;
    }
    if (!pv_i_reserve((void **)&r->rest, &r->rest_capacity, n, 1)) {
        return pv_i_no_memory(error);
    }
    if (n > 0) {
        memcpy(r->rest, block->data + block->size, n);
    }
    r->rest_at = 0;
    r->rest_size = n;
    return PV_STATUS_OK;
}

static pv_status too_long(const pv_audit_reader *r, pv_error *error)
{
    const size_t limit = r->limits.record_size;
    const bool large = limit >> 20 > 0;
    return pv_i_hint(pv_i_fail_at(error, PV_STATUS_LIMIT, r->source.path, 0, 0,
                                  "a record is longer than %zu %s", large ? limit >> 20 : limit,
                                  large ? "MiB" : "bytes"),
                     error, "is a quote never closed? is this a text file with line ends?");
}

/* A block of whole records; it grows until it holds one, or the record is too long. */
static pv_status cut(pv_audit_reader *r, pv_audit_block *block, pv_error *error)
{
    const size_t limit = r->limits.record_size;
    size_t size = r->limits.block_size;
    block->size = 0;
    block->start = 0;
    for (;;) {
        PV_TRY(fill(r, block, size, error));
        const bool is_last = r->ended && r->rest_at == r->rest_size;
        const size_t whole =
            is_last ? block->size : pv_i_audit_whole(block->data, block->size, r->delimiter);
        if (whole > 0 || is_last) {
            return put_back(r, block, block->size - whole, error);
        }
        if (size > limit) {
            return too_long(r, error);
        }
        size = size < limit / 2 ? size * 2 : limit + 1;
    }
}

pv_status pv_i_audit_reader_next(pv_audit_reader *reader, pv_audit_block *block, bool *more,
                                 pv_error *error)
{
    if (!reader->first_is_taken) {
        const pv_audit_block empty = *block;
        *block = reader->first;
        reader->first = empty;
        reader->first_is_taken = true;
    } else {
        PV_TRY(cut(reader, block, error));
    }
    *more = block->size > 0;
    block->number = reader->n_blocks;
    reader->n_blocks += *more;
    return PV_STATUS_OK;
}

pv_audit_walk pv_i_audit_walk(const pv_audit_reader *reader, const pv_audit_block *block)
{
    return pv_i_audit_walk_start(block->data + block->start, block->size - block->start,
                                 reader->delimiter);
}

uint64_t pv_i_audit_blocks_left(const pv_audit_reader *reader)
{
    const pv_audit_reader *const r = reader;
    const size_t left = r->rest_size - r->rest_at + r->first.size;
    return r->ended ? left / r->limits.block_size + 1 : UINT64_MAX;
}

/* ---- trouble ---- */

static uint64_t count_lines(const char *text, const char *end)
{
    uint64_t n = 0;
    for (; text < end; text++) {
        n += *text == '\n';
    }
    return n;
}

pv_audit_trouble pv_i_audit_find_trouble(const pv_audit_raw *raw, uint64_t *line)
{
    const size_t size = raw->opened != NULL ? (size_t)(raw->opened - raw->text) : raw->size;
    const char *const nul = memchr(raw->text, '\0', size);
    const char *const place = nul != NULL ? nul : raw->opened;
    if (place == NULL) {
        return PV_AUDIT_FINE;
    }
    *line = raw->line + count_lines(raw->text, place);
    return nul != NULL ? PV_AUDIT_NUL : PV_AUDIT_OPEN_QUOTE;
}

pv_status pv_i_audit_tell_trouble(const pv_audit_reader *reader, pv_audit_trouble trouble,
                                  uint64_t line, size_t n_fields, pv_error *error)
{
    const char *const path = reader->source.path;
    switch (trouble) {
    case PV_AUDIT_FINE: break;
    case PV_AUDIT_NUL:
        return pv_i_hint(pv_i_fail_at(error, PV_STATUS_INPUT, path, line, 0,
                                      "is not a text file: there is a NUL byte"),
                         error,
                         "export spreadsheets and databases as CSV, and save text as UTF-8, not "
                         "UTF-16");
    case PV_AUDIT_OPEN_QUOTE:
        return pv_i_hint(
            pv_i_fail_at(error, PV_STATUS_INPUT, path, line, 0, "a quoted field is never closed"),
            error, "close it, or double the quotes inside it");
    case PV_AUDIT_FIELDS:
        return pv_i_hint(pv_i_fail_at(error, PV_STATUS_INPUT, path, line, 0,
                                      "this row has %zu fields, the header has %zu", n_fields,
                                      reader->header.n_fields),
                         error, "check the delimiter and the quotes of this line");
    }
    return PV_STATUS_OK;
}

/* ---- the beginning ---- */

/* As the table's reader does it, a NUL byte in the first bytes is told before anything else. */
static pv_status take_sample(pv_audit_reader *r, pv_error *error)
{
    if (!pv_i_reserve((void **)&r->rest, &r->rest_capacity, SAMPLE_SIZE, 1)) {
        return pv_i_no_memory(error);
    }
    PV_TRY(pv_i_audit_source_read(&r->source, r->rest, SAMPLE_SIZE, &r->rest_size, error));
    r->ended = r->rest_size < SAMPLE_SIZE;
    if (r->rest_size >= 3 && memcmp(r->rest, "\xef\xbb\xbf", 3) == 0) {
        r->rest_at = 3; /* a byte order mark */
    }
    const char *const nul = memchr(r->rest, '\0', r->rest_size);
    return nul == NULL
               ? PV_STATUS_OK
               : pv_i_audit_tell_trouble(r, PV_AUDIT_NUL, 1 + count_lines(r->rest, nul), 0, error);
}

/* Counts the candidates outside quotes in the first line, as far as the sample shows it. */
static char sniff_delimiter(const char *text, size_t size)
{
    size_t counts[sizeof sniffed_delimiters] = {0};
    bool quoted = false;
    for (size_t i = 0; i < size && (quoted || text[i] != '\n'); i++) {
        const char *const found = strchr(sniffed_delimiters, text[i]);
        quoted ^= text[i] == '"';
        if (found != NULL && !quoted) {
            counts[found - sniffed_delimiters]++;
        }
    }
    size_t best = 0;
    for (size_t i = 1; sniffed_delimiters[i] != '\0'; i++) {
        best = counts[i] > counts[best] ? i : best;
    }
    return sniffed_delimiters[best];
}

/* The first record, in the first block that is not just blank lines. */
static pv_status take_first(pv_audit_reader *r, pv_audit_raw *raw, pv_error *error)
{
    pv_audit_walk walk;
    bool found = false;
    r->first_line = 1;
    do {
        const pv_status status = cut(r, &r->first, error);
        if (status == PV_STATUS_LIMIT && error != NULL) {
            error->line = r->first_line;
        }
        PV_TRY(status);
        if (r->first.size == 0) {
            return pv_i_hint(
                pv_i_fail_at(error, PV_STATUS_INPUT, r->source.path, 0, 0, "the file is empty"),
                error, "it needs a line of column names and at least one row");
        }
        walk = pv_i_audit_walk(r, &r->first);
        found = pv_i_audit_walk_next(&walk, raw);
        r->header_line = r->first_line + raw->line;
        r->first_line += walk.line;
    } while (!found);
    r->first.start = (size_t)(walk.at - r->first.data);
    return PV_STATUS_OK;
}

static pv_status check_first(const pv_audit_reader *r, const pv_audit_raw *raw, pv_error *error)
{
    uint64_t line = 0;
    const pv_audit_trouble trouble = pv_i_audit_find_trouble(raw, &line);
    return pv_i_audit_tell_trouble(r, trouble, r->header_line + line - raw->line, 0, error);
}

static pv_status split_header(pv_audit_reader *r, pv_audit_raw raw, pv_error *error)
{
    pv_audit_record counted = {0};
    const pv_status status = pv_i_audit_record_split(&counted, &raw, r->delimiter, error);
    const size_t n_fields = counted.n_fields;
    pv_i_audit_record_deinit(&counted);
    PV_TRY(status);
    if (n_fields > PV_AUDIT_COLUMN_LIMIT) {
        return pv_i_hint(pv_i_fail_at(error, PV_STATUS_LIMIT, r->source.path, r->header_line, 0,
                                      "has more than %zu columns", PV_AUDIT_COLUMN_LIMIT),
                         error, "is this the right delimiter? is the table turned on its side?");
    }
    r->header_text = pv_i_strndup(raw.text, raw.size);
    if (r->header_text == NULL) {
        return pv_i_no_memory(error);
    }
    raw.text = r->header_text;
    PV_TRY(pv_i_audit_record_init(&r->header, n_fields, error));
    return pv_i_audit_record_split(&r->header, &raw, r->delimiter, error);
}

static bool has_name(const pv_audit_record *header, const char *const *names)
{
    for (size_t i = 0; i < header->n_fields && names != NULL && names[0] != NULL; i++) {
        pv_audit_field field = header->fields[i];
        (void)pv_i_audit_trim(&field.text, &field.size);
        if (field.size == strlen(names[0]) && memcmp(field.text, names[0], field.size) == 0) {
            return true;
        }
    }
    return false;
}

/* The first record is a row: its place in the header is taken by column1, column2, ... */
static pv_status make_up_names(pv_audit_reader *r, const pv_audit_raw *raw, pv_error *error)
{
    enum { NAME_SIZE = 32 };
    char *const names = pv_i_array(r->header.n_fields, NAME_SIZE);
    if (names == NULL) {
        return pv_i_no_memory(error);
    }
    pv_i_free(r->header_text);
    r->header_text = names;
    for (size_t i = 0; i < r->header.n_fields; i++) {
        char *const name = names + i * NAME_SIZE;
        const int size = snprintf(name, NAME_SIZE, "column%zu", i + 1);
        r->header.fields[i] = (pv_audit_field){.text = name, .size = (size_t)size};
    }
    r->first.start = (size_t)(raw->text - r->first.data);
    r->first_line = r->header_line;
    return PV_STATUS_OK;
}

static pv_status read_header(pv_audit_reader *r, const pv_audit_options *options, pv_error *error)
{
    pv_audit_raw raw = {0};
    PV_TRY(take_first(r, &raw, error));
    PV_TRY(check_first(r, &raw, error));
    PV_TRY(split_header(r, raw, error));
    return options->no_header && !has_name(&r->header, options->quasi)
               ? make_up_names(r, &raw, error)
               : PV_STATUS_OK;
}

static pv_status check_delimiter(char delimiter, pv_error *error)
{
    return delimiter == '"' || delimiter == '\n' || delimiter == '\r'
               ? pv_i_fail(error, PV_STATUS_ARGUMENT,
                           "a quote or a line end cannot be the delimiter")
               : PV_STATUS_OK;
}

pv_status pv_i_audit_reader_open(const char *path, const pv_audit_options *options,
                                 const pv_audit_limits *limits, pv_audit_reader *reader,
                                 pv_error *error)
{
    pv_status status = PV_STATUS_OK;
    pv_audit_reader r = {.limits = *limits};
    r.limits.block_size = limits->block_size > 0 ? limits->block_size : BLOCK_SIZE;
    r.limits.record_size = limits->record_size > 0 ? limits->record_size : PV_AUDIT_RECORD_LIMIT;
    PV_TRY(check_delimiter(options->delimiter, error));
    PV_TRY(pv_i_audit_source_open(path, &r.source, error));
    PV_TRY_CLEAN(take_sample(&r, error));
    r.delimiter = options->delimiter != '\0'
                      ? options->delimiter
                      : sniff_delimiter(r.rest + r.rest_at, r.rest_size - r.rest_at);
    PV_TRY_CLEAN(read_header(&r, options, error));
    *reader = r;
    return PV_STATUS_OK;
cleanup:
    pv_i_audit_reader_deinit(&r);
    return status;
}

void pv_i_audit_reader_deinit(pv_audit_reader *reader)
{
    pv_i_audit_record_deinit(&reader->header);
    pv_i_free(reader->header_text);
    pv_i_audit_block_deinit(&reader->first);
    pv_i_free(reader->rest);
    pv_i_audit_source_deinit(&reader->source);
}
