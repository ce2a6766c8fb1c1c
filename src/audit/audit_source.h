/* The checker's bytes: a file, or standard input, decompressed on the way if its first bytes say
 * so. */
#ifndef PV_AUDIT_AUDIT_SOURCE_H
#define PV_AUDIT_AUDIT_SOURCE_H

#include <paravent/status.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

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

#endif
