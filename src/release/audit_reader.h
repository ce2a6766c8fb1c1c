/* The checker's reader of delimited text: one record at a time, one byte at a time, slow and plain.
 * It knows RFC 4180 (quotes, doubled quotes, delimiters and line ends inside quotes), LF and CRLF,
 * a byte order mark and blank lines. The first record is the header. */
#ifndef PV_RELEASE_AUDIT_READER_H
#define PV_RELEASE_AUDIT_READER_H

#include "release/audit_source.h"

#include <paravent/release.h>

typedef struct pv_audit_record {
    char *text; /* the fields one after the other */
    size_t size, capacity;
    size_t *ends; /* where each field ends in `text` */
    size_t n_fields, ends_capacity;
    uint64_t line; /* where the record starts, 1-based */
} pv_audit_record;

typedef struct pv_audit_reader {
    pv_audit_source source;
    pv_audit_record header;
    pv_audit_record record; /* the current one */
    uint64_t line;          /* of the next byte */
    char delimiter;
    bool first_is_row; /* `record` is to be given out once more: there is no header */
} pv_audit_reader;

/* Opens and reads the header, or makes up its names. `delimiter` 0 = the one of , ; tab | that is
 * most frequent in the first line. `path` and `error` are borrowed until deinit. On failure nothing
 * is left to free. */
PV_CHECKED pv_status pv_i_audit_reader_open(const char *path, const pv_audit_options *options,
                                            pv_audit_reader *reader, pv_error *error);
void pv_i_audit_reader_deinit(pv_audit_reader *reader);

/* The next record into reader->record; `more` false: there is none. As many fields as the header,
 * or it is an error naming the line. */
PV_CHECKED pv_status pv_i_audit_reader_next(pv_audit_reader *reader, bool *more);

/* A field without the blanks around it, and without the quotes that blanks kept from being seen.
 * Were there any blanks? */
bool pv_i_audit_trim(const char **text, size_t *size);

/* A field, not NUL-terminated; valid until the next record. */
const char *pv_i_audit_field(const pv_audit_record *record, size_t field, size_t *size);

#endif
