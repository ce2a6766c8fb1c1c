/* The checker's bytes: a file, or standard input, decompressed on the way if its first bytes say
 * so. One byte at a time; the end and a failure look alike until `status` is asked. */
#ifndef PV_RELEASE_AUDIT_SOURCE_H
#define PV_RELEASE_AUDIT_SOURCE_H

#include <paravent/status.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define PV_AUDIT_END (-1)

typedef struct pv_audit_decoder pv_audit_decoder;

/* Owned by the caller; path and error are borrowed until deinit. */
typedef struct pv_audit_source {
    const unsigned char *next, *end; /* decoded bytes not yet taken */
    pv_status status;                /* why the bytes ended; OK = the file did */
    uint64_t size_on_disk;           /* 0 = not known */
    uint64_t taken_from_disk;
    const char *path;
    pv_error *error;
    int fd; /* -1 = not open */
    bool at_end_of_file;
    bool inside; /* in the middle of a compressed stream */
    unsigned char *raw;
    const unsigned char *raw_next, *raw_end;
    unsigned char *decoded;
    const pv_audit_decoder *decoder;
    void *decoder_state;
} pv_audit_source;

/* "-" is standard input. On failure nothing is left to free. */
PV_CHECKED pv_status pv_i_audit_source_open(const char *path, pv_audit_source *source,
                                            pv_error *error);
void pv_i_audit_source_deinit(pv_audit_source *source);

/* Makes more bytes available at `next`, if there are any. */
void pv_i_audit_source_refill(pv_audit_source *source);

/* The next byte, or PV_AUDIT_END. */
static inline int pv_i_audit_source_byte(pv_audit_source *source)
{
    if (source->next == source->end) {
        pv_i_audit_source_refill(source);
    }
    return source->next < source->end ? *source->next++ : PV_AUDIT_END;
}

/* The byte after it, without taking it. */
static inline int pv_i_audit_source_peek(pv_audit_source *source)
{
    if (source->next == source->end) {
        pv_i_audit_source_refill(source);
    }
    return source->next < source->end ? *source->next : PV_AUDIT_END;
}

#endif
