/* gzip, by zlib. */
#include "table/decoder.h"

#ifdef PV_HAVE_ZLIB

#include "base/memory.h"

#include <limits.h>
#include <stdint.h>
#include <zlib.h>

#define GZIP_ONLY (15 + 16) /* largest window, gzip header and checksum */

static void *start(void)
{
    z_stream *const z = PV_NEW(z_stream);
    if (z != NULL && inflateInit2(z, GZIP_ONLY) != Z_OK) {
        pv_i_free(z);
        return NULL;
    }
    return z;
}

static void stop(void *state)
{
    (void)inflateEnd(state);
    pv_i_free(state);
}

static unsigned at_most(size_t size)
{
    return size < UINT_MAX ? (unsigned)size : UINT_MAX;
}

static pv_decoded decode(void *state, pv_decoding *d)
{
    z_stream *const z = state;
    const unsigned in = at_most(d->in_size - d->in_at);
    const unsigned out = at_most(d->out_size - d->out_at);
    z->next_in = (unsigned char *)(uintptr_t)(d->in + d->in_at); /* zlib does not write there */
    z->avail_in = in;
    z->next_out = (unsigned char *)d->out + d->out_at;
    z->avail_out = out;
    const int result = inflate(z, Z_NO_FLUSH);
    d->in_at += in - z->avail_in;
    d->out_at += out - z->avail_out;
    d->inside = result != Z_STREAM_END;
    switch (result) {
    case Z_STREAM_END: return inflateReset(z) == Z_OK ? PV_DECODED : PV_DECODED_DAMAGED;
    case Z_OK:
    case Z_BUF_ERROR: return PV_DECODED;
    case Z_MEM_ERROR: return PV_DECODED_NO_MEMORY;
    default: return PV_DECODED_DAMAGED;
    }
}

#endif

const pv_decoder pv_i_decoder_gzip = {
    .name = "gzip",
    .library = "zlib",
    .magic = "\x1f\x8b",
#ifdef PV_HAVE_ZLIB
    .start = start,
    .stop = stop,
    .decode = decode,
#endif
};
