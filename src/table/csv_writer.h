/* Writing delimited text: quotes what must be quoted and nothing else, doubles quotes, ends lines
 * with LF.
 *
 * A field must be quoted if it holds the delimiter, a quote, CR or LF; if it is empty and the only
 * one of its record (else the record would be a blank line); or if it begins the file with the
 * bytes of a byte order mark, gzip or zstd (else a reader would not take them for text). */
#ifndef PV_TABLE_CSV_WRITER_H
#define PV_TABLE_CSV_WRITER_H

#include "base/buffer.h"
#include "base/output.h"

#include <paravent/status.h>
#include <stdbool.h>
#include <stddef.h>

/* Collects into `pending`; with an output, full blocks go there. */
typedef struct pv_csv_writer {
    pv_output *output; /* borrowed; NULL = everything stays in `pending` */
    pv_buffer pending;
    size_t n_fields;    /* of the record being written */
    bool lone_is_empty; /* the one field so far is empty */
    bool started;       /* something was written */
    char delimiter;
    bool escapes; /* values that a spreadsheet would run get a quote before them; false at first */
} pv_csv_writer;

/* Zero bytes are not allocated before the first field, so init cannot fail. */
void pv_i_csv_init(pv_csv_writer *writer, char delimiter, pv_output *output);
void pv_i_csv_deinit(pv_csv_writer *writer);

/* Would a spreadsheet run this value as a formula? It begins with = + - @, a tab or a CR and goes
 * on; numbers such as -5 or +3.2e1 are none. */
bool pv_i_is_formula(const char *text, size_t length);
/* Does it get a ' before it where formulas are escaped? So do values that begin with one, so that
 * different values stay different and taking one ' away restores them all. */
bool pv_i_is_escaped(const char *text, size_t length);

/* One field as it is written in a file whose beginning it is not. */
void pv_i_csv_append(pv_buffer *buffer, char delimiter, bool escapes, const char *text,
                     size_t length);

/* Appends one field. Running out of memory shows in pv_i_csv_end. */
void pv_i_csv_field(pv_csv_writer *writer, const char *text);
void pv_i_csv_field_bytes(pv_csv_writer *writer, const char *text, size_t length);
/* Ends the record. */
PV_CHECKED pv_status pv_i_csv_end(pv_csv_writer *writer, pv_error *error);
/* Hands everything still pending to the output. To be called once after the last record. */
PV_CHECKED pv_status pv_i_csv_flush(pv_csv_writer *writer, pv_error *error);

#endif
