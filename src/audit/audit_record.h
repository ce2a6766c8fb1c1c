/* The checker's language of delimited text: RFC 4180 (quotes, doubled quotes, delimiters and line
 * ends inside quotes), LF and CRLF, blank lines. A field that starts with a quote is read to its
 * closing quote; everything else to the next delimiter or line end. A quote elsewhere is an
 * ordinary byte, and so is what follows a closing quote (`"a"b` is ab), as most readers have it. A
 * carriage return is an ordinary byte unless the line ends after it.
 *
 * A text is walked record by record; a record is its raw bytes until somebody needs its fields. */
#ifndef PV_AUDIT_AUDIT_RECORD_H
#define PV_AUDIT_AUDIT_RECORD_H

#include <paravent/status.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* A text that begins where a record begins and ends where one ends. */
typedef struct pv_audit_walk {
    const char *at, *end; /* what is left; borrowed */
    char delimiter;
    bool may_quote; /* there are quotes in it */
    uint64_t line;  /* line ends before `at` */
} pv_audit_walk;

/* A record as it stands in the text, without its line end. */
typedef struct pv_audit_raw {
    const char *text;
    size_t size;
    uint64_t line;      /* line ends before it */
    bool has_quotes;    /* some byte of it is a quote */
    const char *opened; /* the quote of a field that is never closed; NULL = none */
} pv_audit_raw;

pv_audit_walk pv_i_audit_walk_start(const char *text, size_t size, char delimiter);

/* The next record that is not blank; false at the end. A quoted empty field is something. */
bool pv_i_audit_walk_next(pv_audit_walk *walk, pv_audit_raw *raw);

/* How much of the text is whole records with their line ends; 0 = there is not even one. */
size_t pv_i_audit_whole(const char *text, size_t size, char delimiter);

typedef struct pv_audit_field {
    const char *text; /* not NUL-terminated; in the raw record, or in `unquoted` */
    size_t size;
} pv_audit_field;

/* The fields of a record; valid as long as its raw bytes and until the next one is split. */
typedef struct pv_audit_record {
    pv_audit_field *fields; /* the first `room` of them */
    size_t room;
    size_t n_fields; /* all there are, perhaps more than there is room for */
    char *unquoted;  /* fields that had quotes, without them */
    size_t unquoted_capacity;
} pv_audit_record;

PV_CHECKED pv_status pv_i_audit_record_init(pv_audit_record *record, size_t room, pv_error *error);
void pv_i_audit_record_deinit(pv_audit_record *record);

/* No field of `raw` may be open. Allocates only where a record with quotes is longer than all
 * before it. */
PV_CHECKED pv_status pv_i_audit_record_split(pv_audit_record *record, const pv_audit_raw *raw,
                                             char delimiter, pv_error *error);

/* A field without the blanks around it, and without the quotes that blanks kept from being seen.
 * Were there any blanks? */
bool pv_i_audit_trim(const char **text, size_t *size);

#endif
