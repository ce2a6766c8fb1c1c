/* Delimited text, one record at a time, by the letter of the language: slow and plain. The header,
 * the sample for sniffing and small files are read this way; blocks of rows by scan.c, which tests
 * hold against this one. Fields are copied into one buffer, unquoted, each with a NUL after it. */
#include "table/records.h"

#include "base/error.h"
#include "base/memory.h"

#include <string.h>

void pv_i_records_init(pv_records *records, const char *text, size_t size, char delimiter,
                       bool quoting)
{
    *records = (pv_records){
        .at = text, .end = text + size, .delimiter = delimiter, .quoting = quoting, .next_line = 1};
}

void pv_i_records_deinit(pv_records *records)
{
    pv_i_buffer_deinit(&records->bytes);
    pv_i_free(records->starts);
    *records = (pv_records){0};
}

static bool at_line_end(const pv_records *r)
{
    return *r->at == '\n' || (*r->at == '\r' && (r->at + 1 == r->end || r->at[1] == '\n'));
}

/* Steps over LF, CRLF, or a CR that ends the text. */
static void take_line_end(pv_records *r)
{
    r->at += *r->at == '\r' ? 1 : 0;
    if (r->at < r->end) {
        r->at++;
        r->next_line++;
        r->cut = false;
    }
}

static void skip_blank_lines(pv_records *r)
{
    while (r->at < r->end && at_line_end(r)) {
        take_line_end(r);
    }
}

static bool start_field(pv_records *r)
{
    if (!pv_i_reserve((void **)&r->starts, &r->capacity, r->n_fields + 2, sizeof *r->starts)) {
        return false;
    }
    r->starts[r->n_fields++] = r->bytes.size;
    return true;
}

/* From after the opening quote to after the closing one. */
static void take_quoted(pv_records *r)
{
    while (r->at < r->end) {
        const char *const quote = memchr(r->at, PV_QUOTE, (size_t)(r->end - r->at));
        const char *const stop = quote != NULL ? quote : r->end;
        for (const char *p = r->at; p < stop; p++) {
            r->next_line += *p == '\n';
        }
        pv_i_buffer_bytes(&r->bytes, r->at, (size_t)(stop - r->at));
        r->at = quote != NULL ? quote + 1 : r->end;
        if (quote != NULL && (r->at == r->end || *r->at != PV_QUOTE)) {
            return;
        }
        if (quote != NULL) {
            pv_i_buffer_char(&r->bytes, PV_QUOTE);
            r->at++;
        }
    }
    r->unterminated = true;
}

static void take_plain(pv_records *r)
{
    const char *const start = r->at;
    while (r->at < r->end && *r->at != r->delimiter && !at_line_end(r)) {
        r->at++;
    }
    pv_i_buffer_bytes(&r->bytes, start, (size_t)(r->at - start));
}

static void take_field(pv_records *r)
{
    if (r->quoting && r->at < r->end && *r->at == PV_QUOTE) {
        r->at++;
        r->quote_line = r->next_line;
        take_quoted(r);
        r->odd_quotes |= r->at < r->end && *r->at != r->delimiter && !at_line_end(r);
    }
    take_plain(r);
    pv_i_buffer_char(&r->bytes, '\0');
}

pv_status pv_i_records_next(pv_records *records, bool *more, pv_error *error)
{
    pv_records *const r = records;
    r->n_fields = 0;
    r->unterminated = false;
    r->odd_quotes = false;
    pv_i_buffer_clear(&r->bytes);
    skip_blank_lines(r);
    r->line = r->next_line;
    *more = r->at < r->end;
    if (!*more) {
        return PV_STATUS_OK;
    }
    for (;;) {
        if (!start_field(r)) {
            return pv_i_no_memory(error);
        }
        take_field(r);
        if (r->at == r->end || *r->at != r->delimiter) {
            break;
        }
        r->at++;
    }
    r->starts[r->n_fields] = r->bytes.size;
    r->cut = true;
    if (r->at < r->end) {
        take_line_end(r);
    }
    return r->bytes.failed ? pv_i_no_memory(error) : PV_STATUS_OK;
}

const char *pv_i_records_field(const pv_records *records, size_t i)
{
    return records->bytes.data + records->starts[i];
}

size_t pv_i_records_length(const pv_records *records, size_t i)
{
    return records->starts[i + 1] - records->starts[i] - 1;
}
