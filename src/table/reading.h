/* Reading a table: what its stages hand to each other, in this order. A block's way from bytes to
 * codes:
 *
 *     source.c    block    "37,man,1234\n41,woman,1250\n..."      whole records
 *     sniff.c     dialect  delimiter, quoting, header; heading    once, from the first bytes
 *     scan.c      bounds   [-1 2 6 11 | 14 20 25 | ...]           ends of fields and lines
 *                 rows     stride 3, from line 1 on               bad rows, blank lines
 *     encode.c    piece    age [0 1 ...] sex [0 1 ...] zip ...    codes in this thread's own
 *                                                                 dictionaries
 *     assemble.c  table    one dictionary per column, codes in the order of the file
 *
 * Everything up to the piece is done by several threads, a block at a time; reader.c drives it. */
#ifndef PV_TABLE_READING_H
#define PV_TABLE_READING_H

#include "base/buffer.h"
#include "table/lexicon.h"
#include "table/records.h"
#include "table/source.h"
#include "table/store.h"

#include <paravent/status.h>
#include <paravent/table.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* --------------------------------------------------- the structure of a block */

#define PV_SCAN_PADDING 64
#define PV_SCAN_LIMIT ((size_t)1 << 31) /* bytes of a block, so that positions fit 32 bits */

/* Zero-initialised = empty; its memory is reused from block to block. */
typedef struct pv_scan {
    /* bounds[0] is UINT32_MAX, one before the first byte; then come the positions of all delimiters
     * and line ends outside quotes. A field lies between two neighbours. */
    uint32_t *bounds;
    size_t capacity;
    size_t n_ends;     /* bounds after the first */
    size_t n_records;  /* line ends outside quotes */
    size_t n_lines;    /* all line ends */
    size_t nul;        /* where a NUL byte is, SIZE_MAX = nowhere */
    size_t open_quote; /* where a quoted field opens that is never closed, SIZE_MAX = nowhere */
    bool has_quotes;   /* a field may be quoted */
} pv_scan;

/* False if memory runs out. */
PV_CHECKED bool pv_i_scan(pv_scan *scan, const char *data, size_t size, const pv_dialect *dialect);
void pv_i_scan_deinit(pv_scan *scan);

/* The size of the whole records at the start of `data`; 0 if there is not even one. */
size_t pv_i_scan_whole(const char *data, size_t size, const pv_dialect *dialect);

/* Line ends in a text. */
size_t pv_i_count_lines(const char *data, size_t size);

/* ------------------------------------------------------------------- its rows */

typedef enum pv_trouble_kind {
    PV_TROUBLE_NONE = 0,
    PV_TROUBLE_FIELDS, /* a record has `found` fields instead of the usual number */
    PV_TROUBLE_NUL,
    PV_TROUBLE_QUOTE, /* opened and never closed */
    PV_TROUBLE_LIMIT, /* too many distinct values in column `found` */
    PV_TROUBLE_MEMORY,
} pv_trouble_kind;

/* What is wrong in a block. */
typedef struct pv_trouble {
    pv_trouble_kind kind;
    uint64_t line; /* 0-based, counted from the start of the block */
    size_t found;
} pv_trouble;

/* Field f of row r lies between bounds[r * stride + f] and bounds[r * stride + f + 1], exclusive.
 * Zero-initialised = empty; memory is reused from block to block. */
typedef struct pv_rows {
    const uint32_t *bounds; /* those of the scan, or `sorted` */
    size_t stride;
    size_t n_rows;
    size_t n_skipped; /* bad rows */
    size_t n_lines;
    /* Rows and lines count from the start of the block, both from 0; a mark with line UINT64_MAX
     * says that the lines from its row on are not kept. */
    pv_line_mark *marks;
    size_t n_marks, marks_capacity;
    uint32_t *sorted;
    size_t sorted_capacity;
    pv_trouble trouble;
} pv_rows;

/* Rows up to the first trouble, if there is any. */
void pv_i_rows_find(pv_rows *rows, const pv_scan *scan, const char *data, size_t n_fields,
                    bool skip_bad);
void pv_i_rows_deinit(pv_rows *rows);

/* ---------------------------------------------------- how a text is delimited */

/* Bytes of a UTF-8 byte order mark at the start of a text: 3 or 0. */
size_t pv_i_bom_length(const char *text, size_t size);

/* Fills in what `options` (may be NULL) leaves open. `text` is the beginning of a file, after a
 * byte order mark; `complete` says that it is all of it. */
PV_CHECKED pv_status pv_i_sniff(const char *text, size_t size, bool complete,
                                const pv_read_options *options, pv_dialect *dialect,
                                pv_error *error);

/* ---------------------------------------------------------------- its columns */

#define PV_COLUMN_LIMIT ((size_t)1 << 16) /* the checker's, too */

/* Zero-initialised = empty. */
typedef struct pv_heading {
    size_t n_fields; /* of every record */
    size_t n_kept;
    size_t *fields; /* where each kept column is in a record */
    char **names;   /* of the kept columns */
} pv_heading;

/* Takes names from the first record, or (`named` false) makes them up: column1, column2... An empty
 * name is made up too. Two columns of one name are PV_STATUS_INPUT, more than PV_COLUMN_LIMIT
 * PV_STATUS_LIMIT. */
PV_CHECKED pv_status pv_i_heading_init(pv_heading *heading, const pv_records *first, bool named,
                                       const pv_read_options *options, const char *source,
                                       pv_error *error);
void pv_i_heading_deinit(pv_heading *heading);

/* ---------------------------------------------------------------------- codes */

/* What a block has become: the codes of its rows in the dictionaries of the encoder that made it.
 * One allocation: this head, the marks, a number per column, the codes column after column. */
typedef struct pv_piece {
    unsigned encoder;
    uint64_t n_rows, n_skipped, n_lines;
    pv_trouble trouble;
    pv_line_mark *marks; /* as in pv_rows */
    size_t n_marks;
    uint32_t *n_values; /* per column: size of its dictionary after this block; thus the width */
    uint8_t *codes;
} pv_piece;

/* One per thread: its own dictionaries and its own scratch memory. */
typedef struct pv_encoder {
    const pv_heading *heading; /* borrowed */
    bool skip_bad;
    pv_lexicon *dictionaries; /* one per kept column */
    size_t n_ready;           /* of them initialised */
    pv_block block;
    pv_scan scan;
    pv_rows rows;
    uint32_t *codes; /* of a block, column after column */
    size_t codes_capacity;
    char *unquoted; /* one field, padded */
    size_t unquoted_capacity;
} pv_encoder;

/* For a zero-initialised encoder, whose block may be filled already. False = no memory. To be
 * deinitialised in any case. */
PV_CHECKED bool pv_i_encoder_init(pv_encoder *encoder, const pv_heading *heading, bool skip_bad);
void pv_i_encoder_deinit(pv_encoder *encoder);

/* Encodes the encoder's block. The caller frees the piece with pv_i_free; NULL = no memory. What is
 * wrong with the block is in piece->trouble; then it has no codes. */
pv_piece *pv_i_encode(pv_encoder *encoder, const pv_dialect *dialect);

/* ------------------------------------------------------------------ the table */

typedef struct pv_parts {
    pv_encoder *encoders; /* their dictionaries are freed on the way */
    unsigned n_encoders;
    pv_piece **pieces; /* in the order of the file; freed and set to NULL on the way */
    size_t n_pieces;
    uint64_t first_line;        /* of the first piece, 1-based */
    const char *const *missing; /* NULL-terminated spellings of "missing" */
    /* ... and of one column, NULL = those; or NULL for all. */
    const char *const *(*missing_of)(void *ctx, const char *column);
    void *missing_ctx;
    bool trim;    /* remove the blanks around fields? */
    bool quoting; /* may fields be quoted? */
    unsigned threads;
} pv_parts;

/* `table` has its names and otherwise empty columns. The result does not depend on how the blocks
 * were divided between the encoders. */
PV_CHECKED pv_status pv_i_assemble(pv_table *table, pv_parts *parts, pv_error *error);

#endif
