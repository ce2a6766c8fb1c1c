/* Delimited text, one record at a time, the plain way: for headers, for sniffing and for small
 * files whose records may differ in length.
 *
 *     pv_records records;
 *     pv_i_records_init(&records, text, size, ';', true);
 *     while (status == OK && more) ... pv_i_records_next(&records, &more, error) ...
 *     pv_i_records_deinit(&records);
 *
 * The language: a quote opens a quoted field only at the start of a field; inside, a doubled quote
 * means one quote; what follows the closing quote up to the delimiter is taken as it is.
 * Records end in LF or CRLF, the last one may end with the text. Blank lines are skipped. */
#ifndef PV_TABLE_RECORDS_H
#define PV_TABLE_RECORDS_H

#include "base/buffer.h"

#include <paravent/status.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#define PV_QUOTE '"'

typedef struct pv_dialect {
    char delimiter;
    bool quoting; /* fields may be quoted */
    bool header;  /* the first record is the names */
} pv_dialect;

static inline bool pv_i_is_blank(char byte)
{
    return byte == ' ' || byte == '\t';
}

/* Takes the blanks off both ends of a field; and the quotes around it, if blanks before them kept
 * them from being seen. Were there any blanks? */
static inline bool pv_i_trim(const char **text, size_t *length, bool quoting)
{
    const size_t before = *length;
    const char *const start = *text;
    while (*length > 0 && pv_i_is_blank((*text)[*length - 1])) {
        --*length;
    }
    while (*length > 0 && pv_i_is_blank(**text)) {
        ++*text;
        --*length;
    }
    if (quoting && *text > start && *length >= 2 && **text == PV_QUOTE &&
        memchr(*text + 1, PV_QUOTE, *length - 1) == *text + *length - 1) {
        ++*text;
        *length -= 2;
        (void)pv_i_trim(text, length, false);
    }
    return *length < before;
}

typedef struct pv_records {
    const char *at, *end; /* what is still to be read; borrowed */
    char delimiter;
    bool quoting;
    bool unterminated;   /* the record at hand ends inside a quoted field */
    bool odd_quotes;     /* text follows a closing quote in it */
    bool cut;            /* the record at hand ends with the text, not with a line end */
    uint64_t next_line;  /* 1-based line the next record starts on */
    uint64_t line;       /* line of the record at hand */
    uint64_t quote_line; /* line of its last opening quote */
    size_t n_fields;     /* of the record at hand */
    pv_buffer bytes;     /* its fields, each NUL-terminated */
    size_t *starts;      /* where each begins in `bytes`; the end of the last one follows */
    size_t capacity;
} pv_records;

void pv_i_records_init(pv_records *records, const char *text, size_t size, char delimiter,
                       bool quoting);
void pv_i_records_deinit(pv_records *records);

/* Reads the next record; `more` is false when there is none. An unterminated quote is no error
 * here: look at `unterminated`. */
PV_CHECKED pv_status pv_i_records_next(pv_records *records, bool *more, pv_error *error);

/* Field `i` of the record at hand, unquoted; valid until the next record. */
const char *pv_i_records_field(const pv_records *records, size_t i);
size_t pv_i_records_length(const pv_records *records, size_t i);

#endif
