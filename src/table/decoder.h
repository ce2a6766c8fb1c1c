/* Compressed formats a source can be in. */
#ifndef PV_TABLE_DECODER_H
#define PV_TABLE_DECODER_H

#include <stdbool.h>
#include <stddef.h>

/* Stored bytes on one side, room for text on the other. */
typedef struct pv_decoding {
    const char *in;
    size_t in_size, in_at;
    char *out;
    size_t out_size, out_at;
    bool inside; /* a frame has begun and not ended: more must come */
} pv_decoding;

typedef enum pv_decoded { PV_DECODED = 0, PV_DECODED_DAMAGED, PV_DECODED_NO_MEMORY } pv_decoded;

typedef struct pv_decoder {
    const char *name;
    const char *library;
    const char *magic; /* the bytes it begins with */
    void *(*start)(
        void); /* its state, NULL = no memory; a build without the library has no start */
    void (*stop)(void *state);
    /* Decodes some, moving in_at and out_at. Several frames may follow one another. */
    pv_decoded (*decode)(void *state, pv_decoding *d);
} pv_decoder;

extern const pv_decoder pv_i_decoder_gzip;
extern const pv_decoder pv_i_decoder_zstd;

#endif
