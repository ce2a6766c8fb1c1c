/* Writing delimited text. */
#include "table/csv_writer.h"

#include "base/error.h"
#include "table/reading.h"
#include "table/records.h"
#include "table/source.h"

#include <stdint.h>
#include <string.h>

#define FLUSH_AT ((size_t)1 << 17)

void pv_i_csv_init(pv_csv_writer *writer, char delimiter, pv_output *output)
{
    *writer = (pv_csv_writer){.output = output, .delimiter = delimiter};
}

void pv_i_csv_deinit(pv_csv_writer *writer)
{
    pv_i_buffer_deinit(&writer->pending);
}

/* ---------------------------------------------------------------- formulas */

/* Digits, with points or commas among them; SIZE_MAX if there is no digit. */
static size_t skip_digits(const char *text, size_t at, size_t length)
{
    size_t n = 0;
    for (; at < length &&
           (text[at] == '.' || text[at] == ',' || (text[at] >= '0' && text[at] <= '9'));
         at++) {
        n += text[at] >= '0';
    }
    return n > 0 ? at : SIZE_MAX;
}

/* A sign, digits, perhaps an exponent: nothing to compute. */
static bool is_signed_number(const char *text, size_t length)
{
    size_t at = text[0] == '-' || text[0] == '+' ? skip_digits(text, 1, length) : SIZE_MAX;
    if (at < length && (text[at] == 'e' || text[at] == 'E')) {
        at++;
        at += at < length && (text[at] == '-' || text[at] == '+');
        at = skip_digits(text, at, length);
    }
    return at == length;
}

bool pv_i_is_formula(const char *text, size_t length)
{
    return length > 1 && memchr("=+-@\t\r", text[0], 6) != NULL && !is_signed_number(text, length);
}

bool pv_i_is_escaped(const char *text, size_t length)
{
    return length > 0 && (text[0] == '\'' || pv_i_is_formula(text, length));
}

/* ------------------------------------------------------------------ fields */

static bool has_special(char delimiter, const char *text, size_t length)
{
    for (size_t i = 0; i < length; i++) {
        if (text[i] == delimiter || text[i] == PV_QUOTE || text[i] == '\n' || text[i] == '\r') {
            return true;
        }
    }
    return false;
}

/* At the beginning of a file, is this taken for something else than text? */
static bool starts_specially(const char *text, size_t length)
{
    return pv_i_bom_length(text, length) > 0 || pv_i_source_compressed(text, length);
}

static void append_quoted(pv_buffer *buffer, bool escaped, const char *text, size_t length)
{
    const char *const end = text + length;
    pv_i_buffer_char(buffer, PV_QUOTE);
    pv_i_buffer_bytes(buffer, "'", escaped);
    while (text < end) {
        const char *const quote = memchr(text, PV_QUOTE, (size_t)(end - text));
        const char *const stop = quote != NULL ? quote + 1 : end;
        pv_i_buffer_bytes(buffer, text, (size_t)(stop - text));
        if (quote != NULL) {
            pv_i_buffer_char(buffer, PV_QUOTE);
        }
        text = stop;
    }
    pv_i_buffer_char(buffer, PV_QUOTE);
}

static void append(pv_buffer *buffer, bool quoted, bool escaped, const char *text, size_t length)
{
    if (quoted) {
        append_quoted(buffer, escaped, text, length);
    } else {
        pv_i_buffer_bytes(buffer, "'", escaped);
        pv_i_buffer_bytes(buffer, text, length);
    }
}

void pv_i_csv_append(pv_buffer *buffer, char delimiter, bool escapes, const char *text,
                     size_t length)
{
    append(buffer, has_special(delimiter, text, length), escapes && pv_i_is_escaped(text, length),
           text, length);
}

void pv_i_csv_field_bytes(pv_csv_writer *writer, const char *text, size_t length)
{
    if (writer->n_fields > 0) {
        pv_i_buffer_char(&writer->pending, writer->delimiter);
    }
    append(&writer->pending,
           has_special(writer->delimiter, text, length) ||
               (!writer->started && starts_specially(text, length)),
           writer->escapes && pv_i_is_escaped(text, length), text, length);
    writer->lone_is_empty = writer->n_fields == 0 && length == 0;
    writer->started = true;
    writer->n_fields++;
}

void pv_i_csv_field(pv_csv_writer *writer, const char *text)
{
    pv_i_csv_field_bytes(writer, text, strlen(text));
}

pv_status pv_i_csv_end(pv_csv_writer *writer, pv_error *error)
{
    if (writer->lone_is_empty) {
        pv_i_buffer_text(&writer->pending, "\"\"");
    }
    pv_i_buffer_char(&writer->pending, '\n');
    writer->n_fields = 0;
    writer->lone_is_empty = false;
    if (writer->pending.failed) {
        return pv_i_no_memory(error);
    }
    return writer->pending.size >= FLUSH_AT ? pv_i_csv_flush(writer, error) : PV_STATUS_OK;
}

pv_status pv_i_csv_flush(pv_csv_writer *writer, pv_error *error)
{
    if (writer->pending.failed) {
        return pv_i_no_memory(error);
    }
    if (writer->output == NULL || writer->pending.size == 0) {
        return PV_STATUS_OK;
    }
    PV_TRY(pv_i_output_write(writer->output, writer->pending.data, writer->pending.size, error));
    pv_i_buffer_clear(&writer->pending);
    return PV_STATUS_OK;
}
