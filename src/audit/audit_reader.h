/* The checker's own reader of delimited text: a file becomes bytes, bytes become blocks of whole
 * records, a record becomes fields. It shares no code with the reader of the table room, so that a
 * mistake in one of them shows when a release is checked by the other.
 *
 *     file or standard input
 *       |  pv_audit_source: decompressed on the way if its first bytes say so (audit_source.c)
 *       v
 *     pv_audit_reader: reads the header, then hands out blocks, one thread at a time
 *       |
 *       v
 *     pv_audit_block: whole records only; any thread may go through it with
 *       pv_audit_cursor -> pv_audit_raw (the bytes of a record) -> pv_audit_record (its fields)
 *
 * The language is RFC 4180 (quotes, doubled quotes, delimiters and line ends inside quotes), with
 * LF or CRLF and blank lines. A field that begins with a quote ends at its closing quote; every
 * other field ends at the next delimiter or line end. A quote elsewhere is an ordinary byte, and so
 * is what follows a closing quote (`"a"b` is ab), as in most readers. A carriage return is an
 * ordinary byte unless the line ends after it. */
#ifndef PV_AUDIT_AUDIT_READER_H
#define PV_AUDIT_AUDIT_READER_H

#include <paravent/audit.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* What a stranger's file may cost; the table's reader has the same limits. */
#define PV_AUDIT_RECORD_LIMIT ((size_t)1 << 26) /* bytes */
#define PV_AUDIT_COLUMN_LIMIT ((size_t)1 << 16)

/* Bytes; zero = the defaults. Only tests want others, to have borders everywhere. */
typedef struct pv_audit_limits {
    size_t block_size;
    size_t record_size;
    size_t cache_size; /* of the texts of lines that a thread remembers */
} pv_audit_limits;

/* ---- bytes ---- */

typedef struct pv_audit_decoder pv_audit_decoder;

/* Owned by the caller; the path is borrowed until deinit. */
typedef struct pv_audit_source {
    const char *path;      /* for messages */
    uint64_t size_on_disk; /* 0 = not known */
    uint64_t taken_from_disk;
    int fd; /* -1 = not open */
    bool at_end_of_file;
    bool inside;        /* in the middle of a compressed stream */
    unsigned char *raw; /* bytes as they are stored; raw_next up to raw_end are not yet used */
    const unsigned char *raw_next, *raw_end;
    const pv_audit_decoder *decoder; /* NULL = plain */
    void *decoder_state;
} pv_audit_source;

/* "-" is standard input. On failure nothing is left to free. */
PV_CHECKED pv_status pv_i_audit_source_open(const char *path, pv_audit_source *source,
                                            pv_error *error);
void pv_i_audit_source_deinit(pv_audit_source *source);

/* Up to `size` decoded bytes; fewer only at the end. Never more is decoded than asked for: what
 * bounds `size` bounds what a small compressed file can grow to. */
PV_CHECKED pv_status pv_i_audit_source_read(pv_audit_source *source, char *out, size_t size,
                                            size_t *got, pv_error *error);

/* ---- records and fields ---- */

/* Goes through a text that begins where a record begins and ends where one ends. */
typedef struct pv_audit_cursor {
    const char *at, *end; /* what is left; borrowed */
    char delimiter;
    bool may_quote; /* the text has a quote somewhere */
    uint64_t line;  /* line ends before `at` */
} pv_audit_cursor;

/* The bytes of a record, without its line end. */
typedef struct pv_audit_raw {
    const char *text;
    size_t size;
    uint64_t line;      /* line ends before it */
    bool has_quotes;    /* some byte of it is a quote */
    const char *opened; /* the quote of a field that is never closed; NULL = none */
} pv_audit_raw;

/* The next record that is not a blank line; false at the end. A quoted empty field is no blank. */
bool pv_i_audit_next_record(pv_audit_cursor *cursor, pv_audit_raw *raw);

typedef struct pv_audit_field {
    const char *text; /* not NUL-terminated; in the raw record, or in `unquoted` */
    size_t size;
} pv_audit_field;

/* The fields of a record; valid as long as its raw bytes and until the next one is split. */
typedef struct pv_audit_record {
    pv_audit_field *fields; /* the first `max_fields` of them */
    size_t max_fields;
    size_t n_fields; /* all that the record has, perhaps more than max_fields */
    char *unquoted;  /* fields that had quotes, without them */
    size_t unquoted_capacity;
} pv_audit_record;

PV_CHECKED pv_status pv_i_audit_record_init(pv_audit_record *record, size_t max_fields,
                                            pv_error *error);
void pv_i_audit_record_deinit(pv_audit_record *record);

/* No field of `raw` may be open. Allocates only where a record with quotes is longer than all
 * before it. */
PV_CHECKED pv_status pv_i_audit_record_split(pv_audit_record *record, const pv_audit_raw *raw,
                                             char delimiter, pv_error *error);

/* Removes the blanks around a field, and the quotes that those blanks hid from the reader. True if
 * there were any blanks. */
bool pv_i_audit_trim(const char **text, size_t *size);

/* ---- blocks ---- */

/* A piece of the text that ends where a record does, or with the text. Zero-initialised = empty;
 * its memory is used again for the next piece. */
typedef struct pv_audit_block {
    char *data;
    size_t size, capacity;
    size_t start;    /* its records begin here: after the header */
    uint32_t number; /* 0, 1, 2, ... in the order of the text */
} pv_audit_block;

void pv_i_audit_block_deinit(pv_audit_block *block);

typedef struct pv_audit_reader {
    pv_audit_source source;
    pv_audit_limits limits;
    char delimiter;
    pv_audit_record header;
    char *header_text;
    uint64_t header_line; /* 1-based */
    uint64_t first_line;  /* of the records of the first block */
    pv_audit_block first; /* which is read with the header */
    bool first_is_taken;
    uint32_t n_blocks; /* that were taken */
    char *pending;     /* text that is in no block yet: pending_at up to pending_size */
    size_t pending_at, pending_size, pending_capacity;
    bool ended; /* the source has no more */
} pv_audit_reader;

/* Opens and reads the header, or makes up its names. The delimiter is the one of the options, or
 * the one of , ; tab | that is most frequent in the first line. `path` is borrowed until deinit.
 * On failure nothing is left to free. */
PV_CHECKED pv_status pv_i_audit_reader_open(const char *path, const pv_audit_options *options,
                                            const pv_audit_limits *limits, pv_audit_reader *reader,
                                            pv_error *error);
void pv_i_audit_reader_deinit(pv_audit_reader *reader);

/* The next block; `more` false: there is none. A record that is too long is PV_STATUS_LIMIT; only
 * the caller, who counts lines, knows the line for the message: the one after the last block. */
PV_CHECKED pv_status pv_i_audit_reader_next(pv_audit_reader *reader, pv_audit_block *block,
                                            bool *more, pv_error *error);
/* The records of a block; lines are counted from its first one. */
pv_audit_cursor pv_i_audit_records(const pv_audit_reader *reader, const pv_audit_block *block);

/* At most so many blocks are still to come; UINT64_MAX = that is not known. */
uint64_t pv_i_audit_blocks_left(const pv_audit_reader *reader);

/* What spoils a record. The checker refuses it as the table's reader does. */
typedef enum pv_audit_trouble {
    PV_AUDIT_FINE,
    PV_AUDIT_NUL,
    PV_AUDIT_OPEN_QUOTE,
    PV_AUDIT_FIELDS,
    PV_AUDIT_COUNT, /* the last field is no number of rows */
} pv_audit_trouble;

/* A NUL byte or an unclosed quote, whichever comes first. `line`: line ends of the block before it.
 */
pv_audit_trouble pv_i_audit_find_trouble(const pv_audit_raw *raw, uint64_t *line);
/* The error for it; PV_STATUS_OK for PV_AUDIT_FINE. */
PV_CHECKED pv_status pv_i_audit_refuse(const pv_audit_reader *reader, pv_audit_trouble trouble,
                                       uint64_t line, size_t n_fields, pv_error *error);

#endif
