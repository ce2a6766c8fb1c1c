/* Records from bytes. A field that starts with a quote is read to its closing quote; everything
 * else to the next delimiter or line end. A quote elsewhere is an ordinary byte, and so is what
 * follows a closing quote (`"a"b` is ab), as most readers have it. A carriage return is an ordinary
 * byte unless the line ends after it. */
#include "release/audit_reader.h"

#include "base/error.h"
#include "base/memory.h"

#include <stdio.h>
#include <string.h>

static const char sniffed_delimiters[] = ",;\t|";

static pv_status put_byte(pv_audit_record *record, int byte, pv_error *error)
{
    if (record->size == record->capacity &&
        !pv_i_reserve((void **)&record->text, &record->capacity, record->size + 1, 1)) {
        return pv_i_no_memory(error);
    }
    record->text[record->size++] = (char)byte;
    return PV_STATUS_OK;
}

static pv_status end_field(pv_audit_record *record, pv_error *error)
{
    if (!pv_i_reserve((void **)&record->ends, &record->ends_capacity, record->n_fields + 1,
                      sizeof *record->ends)) {
        return pv_i_no_memory(error);
    }
    record->ends[record->n_fields++] = record->size;
    return PV_STATUS_OK;
}

const char *pv_i_audit_field(const pv_audit_record *record, size_t field, size_t *size)
{
    const size_t start = field > 0 ? record->ends[field - 1] : 0;
    *size = record->ends[field] - start;
    return record->text != NULL ? record->text + start : "";
}

/* The next byte with CRLF as one line feed, counting lines. */
static int take_byte(pv_audit_reader *reader)
{
    int byte = pv_i_audit_source_byte(&reader->source);
    if (byte == '\r') {
        const int after = pv_i_audit_source_peek(&reader->source);
        if (after == '\n' || after == PV_AUDIT_END) {
            byte = pv_i_audit_source_byte(&reader->source);
        }
    }
    reader->line += byte == '\n';
    return byte;
}

/* Inside quotes every byte is data, CRLF too; a quote may be the closing one. */
static pv_status take_quoted(pv_audit_reader *reader, pv_audit_record *record)
{
    const uint64_t opened = reader->line;
    for (;;) {
        const int byte = pv_i_audit_source_byte(&reader->source);
        if (byte == PV_AUDIT_END) {
            PV_TRY(reader->source.status);
            return pv_i_hint(pv_i_fail_at(reader->source.error, PV_STATUS_INPUT,
                                          reader->source.path, opened, 0,
                                          "a quoted field is never closed"),
                             reader->source.error, "close it, or double the quotes inside it");
        }
        if (byte == '"') {
            if (pv_i_audit_source_peek(&reader->source) != '"') {
                return PV_STATUS_OK;
            }
            (void)pv_i_audit_source_byte(&reader->source);
        }
        reader->line += byte == '\n';
        PV_TRY(put_byte(record, byte, reader->source.error));
    }
}

/* One record, the last one with or without a line end. A line with nothing on it is `blank`; a
 * quoted empty field is something. */
static pv_status take_record(pv_audit_reader *reader, pv_audit_record *record, bool *blank,
                             bool *at_end)
{
    pv_error *const error = reader->source.error;
    bool field_starts = true;
    *blank = true;
    *record = (pv_audit_record){.text = record->text,
                                .capacity = record->capacity,
                                .ends = record->ends,
                                .ends_capacity = record->ends_capacity,
                                .line = reader->line};
    for (;;) {
        const int byte = take_byte(reader);
        if (byte == PV_AUDIT_END || byte == '\n') {
            *at_end = byte == PV_AUDIT_END;
            PV_TRY(reader->source.status);
            return end_field(record, error);
        }
        *blank = false;
        if (byte == '"' && field_starts) {
            PV_TRY(take_quoted(reader, record));
        } else if (byte == (unsigned char)reader->delimiter) {
            PV_TRY(end_field(record, error));
        } else {
            PV_TRY(put_byte(record, byte, error));
        }
        field_starts = byte == (unsigned char)reader->delimiter;
    }
}

/* The next record that is not blank. */
static pv_status take_filled(pv_audit_reader *reader, pv_audit_record *record, bool *more)
{
    bool blank = true;
    bool at_end = false;
    while (blank && !at_end) {
        PV_TRY(take_record(reader, record, &blank, &at_end));
    }
    *more = !blank;
    return PV_STATUS_OK;
}

pv_status pv_i_audit_reader_next(pv_audit_reader *reader, bool *more)
{
    pv_error *const error = reader->source.error;
    const pv_audit_record *const record = &reader->record;
    if (reader->first_is_row) {
        reader->first_is_row = false;
        *more = true;
        return PV_STATUS_OK;
    }
    PV_TRY(take_filled(reader, &reader->record, more));
    if (*more && record->n_fields != reader->header.n_fields) {
        return pv_i_hint(pv_i_fail_at(error, PV_STATUS_INPUT, reader->source.path, record->line, 0,
                                      "this row has %zu fields, the header has %zu",
                                      record->n_fields, reader->header.n_fields),
                         error, "check the delimiter and the quotes of this line");
    }
    return PV_STATUS_OK;
}

static void skip_byte_order_mark(pv_audit_source *source)
{
    (void)pv_i_audit_source_peek(source);
    if (source->end - source->next >= 3 && memcmp(source->next, "\xef\xbb\xbf", 3) == 0) {
        source->next += 3;
    }
}

/* Counts the candidates outside quotes in the first line, as far as the first block of bytes shows
 * it (256 KiB; enough for thousands of columns). */
static char sniff_delimiter(pv_audit_source *source)
{
    size_t counts[sizeof sniffed_delimiters] = {0};
    bool quoted = false;
    (void)pv_i_audit_source_peek(source);
    for (const unsigned char *at = source->next; at < source->end; at++) {
        quoted ^= *at == '"';
        if (*at == '\n' && !quoted) {
            break;
        }
        const char *const found = *at != 0 ? strchr(sniffed_delimiters, *at) : NULL;
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

static pv_status read_header(pv_audit_reader *reader)
{
    bool more = false;
    PV_TRY(take_filled(reader, &reader->header, &more));
    if (!more) {
        return pv_i_hint(pv_i_fail_at(reader->source.error, PV_STATUS_INPUT, reader->source.path, 0,
                                      0, "the file is empty"),
                         reader->source.error,
                         "it needs a line of column names and at least one row");
    }
    return PV_STATUS_OK;
}

/* The first line is a row: its place in the header is taken by column1, column2, ... */
static pv_status make_header(pv_audit_reader *reader)
{
    reader->record = reader->header;
    reader->header = (pv_audit_record){.line = reader->record.line};
    reader->first_is_row = true;
    for (size_t i = 0; i < reader->record.n_fields; i++) {
        char name[32];
        (void)snprintf(name, sizeof name, "column%zu", i + 1);
        for (const char *at = name; *at != '\0'; at++) {
            PV_TRY(put_byte(&reader->header, *at, reader->source.error));
        }
        PV_TRY(end_field(&reader->header, reader->source.error));
    }
    return PV_STATUS_OK;
}

static bool is_blank(char byte)
{
    return byte == ' ' || byte == '\t';
}

bool pv_i_audit_trim(const char **text, size_t *size)
{
    const char *first = *text;
    const char *last = *text + *size; /* one after it */
    const size_t before = *size;
    while (first < last && is_blank(*first)) {
        first++;
    }
    const bool quoted = first > *text && first < last && *first == '"';
    while (first < last && is_blank(last[-1])) {
        last--;
    }
    if (quoted && last - first >= 2 &&
        memchr(first + 1, '"', (size_t)(last - first) - 1) == last - 1) {
        for (first++, last--; first < last && is_blank(*first); first++) {
        }
        for (; first < last && is_blank(last[-1]); last--) {
        }
    }
    *text = first;
    *size = (size_t)(last - first);
    return *size < before;
}

static bool has_name(const pv_audit_record *header, const char *name)
{
    for (size_t i = 0; i < header->n_fields; i++) {
        size_t size;
        const char *text = pv_i_audit_field(header, i, &size);
        (void)pv_i_audit_trim(&text, &size);
        if (size == strlen(name) && memcmp(text, name, size) == 0) {
            return true;
        }
    }
    return false;
}

pv_status pv_i_audit_reader_open(const char *path, const pv_audit_options *options,
                                 pv_audit_reader *reader, pv_error *error)
{
    const char delimiter = options->delimiter;
    if (delimiter == '"' || delimiter == '\n' || delimiter == '\r') {
        return pv_i_fail(error, PV_STATUS_ARGUMENT,
                         "a quote or a line end cannot be the delimiter");
    }
    pv_audit_reader r = {.line = 1};
    PV_TRY(pv_i_audit_source_open(path, &r.source, error));
    skip_byte_order_mark(&r.source);
    r.delimiter = delimiter != '\0' ? delimiter : sniff_delimiter(&r.source);
    pv_status status = read_header(&r);
    if (status == PV_STATUS_OK && options->no_header && !has_name(&r.header, options->quasi[0])) {
        status = make_header(&r);
    }
    if (status != PV_STATUS_OK) {
        pv_i_audit_reader_deinit(&r);
        return status;
    }
    *reader = r;
    return PV_STATUS_OK;
}

static void record_deinit(pv_audit_record *record)
{
    pv_i_free(record->text);
    pv_i_free(record->ends);
    *record = (pv_audit_record){0};
}

void pv_i_audit_reader_deinit(pv_audit_reader *reader)
{
    record_deinit(&reader->header);
    record_deinit(&reader->record);
    pv_i_audit_source_deinit(&reader->source);
}
