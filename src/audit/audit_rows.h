/* The rows that one thread counts. Rows that are equal in every column looked at are kept once:
 *
 *     values     per column: its spellings, numbered as this thread met them
 *     distinct   the rows as tuples of those numbers, with how often each was seen
 *     lines      per distinct row: where it was seen first
 *
 * Released tables repeat the same lines again and again, so the raw bytes of lines seen lately are
 * kept, too: a line that is found there, byte for byte, is one more of a known row. */
#ifndef PV_AUDIT_AUDIT_ROWS_H
#define PV_AUDIT_AUDIT_ROWS_H

#include "audit/audit_count.h"

/* A line seen lately. */
typedef struct pv_audit_seen_line {
    uint32_t tag;     /* part of its hash, so that other lines are rarely compared */
    uint32_t start;   /* in the texts */
    uint32_t row;     /* what it is one more of */
    uint16_t size;    /* 0 = nothing is here: no record is empty */
    uint16_t trimmed; /* fields that had blanks around them */
} pv_audit_seen_line;

/* Every line has one place where it may be. The texts lie one after the other; when their room is
 * used up, all is forgotten and begins anew. */
typedef struct pv_audit_seen {
    pv_audit_seen_line *places;
    size_t n_places;
    char *texts;
    size_t room, used; /* of the texts */
} pv_audit_seen;

/* What one block had. */
typedef struct pv_audit_piece {
    uint32_t worker;             /* whose rows these are */
    uint32_t first_row, end_row; /* rows that this worker had not met before */
    uint64_t n_lines;            /* line ends of the block */
    pv_audit_trouble trouble;    /* the first; what comes after it does not count */
    uint64_t trouble_line;       /* line ends of the block before it */
    size_t trouble_fields;       /* of the record */
} pv_audit_piece;

/* Zero-initialised = empty, but pv_i_audit_rows_init must be called before use. */
typedef struct pv_audit_rows {
    const pv_audit_count *count; /* which columns; borrowed */
    pv_audit_tally *values;
    pv_audit_tally distinct; /* key: as pv_i_audit_row has it */
    uint32_t *lines;         /* line ends of its block before it */
    size_t lines_capacity;
    uint64_t trimmed; /* fields that had blanks around them */
    pv_audit_record record;
    uint32_t *codes; /* room for a key */
    pv_audit_seen seen;
} pv_audit_rows;

/* `room`: bytes for the texts of lines seen lately. */
PV_CHECKED pv_status pv_i_audit_rows_init(pv_audit_rows *rows, const pv_audit_count *count,
                                          size_t n_fields, size_t room, pv_error *error);
void pv_i_audit_rows_deinit(pv_audit_rows *rows);

/* Counts the records of a block, up to the first that is in trouble. */
PV_CHECKED pv_status pv_i_audit_rows_add(pv_audit_rows *rows, pv_audit_walk walk,
                                         pv_audit_piece *piece, pv_error *error);

/* Gives back what only counting needs. */
void pv_i_audit_rows_finish(pv_audit_rows *rows);

/* A distinct row: codes of the quasi-identifiers, a place for the number of its class, codes of the
 * other columns. */
static inline uint32_t *pv_i_audit_row(const pv_audit_rows *rows, uint32_t number)
{
    return (uint32_t *)(void *)(rows->distinct.keys + rows->distinct.entries[number].start);
}

/* Where the code of a column stands in it. */
static inline size_t pv_i_audit_place(const pv_audit_count *count, size_t column)
{
    return column < count->n_quasi ? column : column + 1;
}

#endif
