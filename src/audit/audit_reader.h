/* The checker's reader: opens a file, reads its header and cuts the rest into blocks of whole
 * records. Blocks are taken one after the other, by one thread at a time; what is in them is for
 * any thread to walk through (audit_record.h). */
#ifndef PV_AUDIT_AUDIT_READER_H
#define PV_AUDIT_AUDIT_READER_H

#include "audit/audit_record.h"
#include "audit/audit_source.h"

#include <paravent/audit.h>

/* What a stranger's file may cost; the table's reader has the same limits. */
#define PV_AUDIT_RECORD_LIMIT ((size_t)1 << 26) /* bytes */
#define PV_AUDIT_COLUMN_LIMIT ((size_t)1 << 16)

/* Bytes; zero = the defaults. Only tests want others, to have borders everywhere. */
typedef struct pv_audit_limits {
    size_t block_size;
    size_t record_size;
    size_t room; /* for the lines that a thread remembers */
} pv_audit_limits;

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
    uint64_t header_line; /* where it stands, 1-based */
    uint64_t first_line;  /* of the records of the first block */
    pv_audit_block first; /* which is read with the header */
    bool first_is_taken;
    uint32_t n_blocks; /* that were taken */
    char *rest;        /* text that is in no block yet: rest_at up to rest_size */
    size_t rest_at, rest_size, rest_capacity;
    bool ended; /* the source has no more */
} pv_audit_reader;

/* Opens and reads the header, or makes up its names. The delimiter is the one of the options, or
 * the one of , ; tab | that is most frequent in the first line. `path` is borrowed until deinit.
 * On failure nothing is left to free. */
PV_CHECKED pv_status pv_i_audit_reader_open(const char *path, const pv_audit_options *options,
                                            const pv_audit_limits *limits, pv_audit_reader *reader,
                                            pv_error *error);
void pv_i_audit_reader_deinit(pv_audit_reader *reader);

/* The next block; `more` false: there is none. A record that is too long is PV_STATUS_LIMIT, to be
 * given the line after the last block's. */
PV_CHECKED pv_status pv_i_audit_reader_next(pv_audit_reader *reader, pv_audit_block *block,
                                            bool *more, pv_error *error);
/* The records of a block; lines are counted from its first one. */
pv_audit_walk pv_i_audit_walk(const pv_audit_reader *reader, const pv_audit_block *block);

/* At most so many blocks are still to come; UINT64_MAX = that is not known. */
uint64_t pv_i_audit_blocks_left(const pv_audit_reader *reader);

/* What spoils a record. The checker refuses it as the table's reader does. */
typedef enum pv_audit_trouble {
    PV_AUDIT_FINE,
    PV_AUDIT_NUL,
    PV_AUDIT_OPEN_QUOTE,
    PV_AUDIT_FIELDS,
} pv_audit_trouble;

/* Is there a NUL byte or an unclosed quote in it, whichever comes first? `line`: line ends of the
 * block before the place. */
pv_audit_trouble pv_i_audit_find_trouble(const pv_audit_raw *raw, uint64_t *line);
PV_CHECKED pv_status pv_i_audit_tell_trouble(const pv_audit_reader *reader,
                                             pv_audit_trouble trouble, uint64_t line,
                                             size_t n_fields, pv_error *error);

#endif
