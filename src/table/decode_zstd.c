/* zstd, by libzstd. */
#include "table/decoder.h"

#ifdef PV_HAVE_ZSTD

#include <zstd.h>
#include <zstd_errors.h>

static void *start(void)
{
    return ZSTD_createDCtx();
}

static void stop(void *state)
{
    (void)ZSTD_freeDCtx(state);
}

static pv_decoded decode(void *state, pv_decoding *d)
{
    ZSTD_inBuffer in = {.src = d->in, .size = d->in_size, .pos = d->in_at};
    ZSTD_outBuffer out = {.dst = d->out, .size = d->out_size, .pos = d->out_at};
    const size_t left = ZSTD_decompressStream(state, &out, &in);
    if (ZSTD_isError(left)) {
        return ZSTD_getErrorCode(left) == ZSTD_error_memory_allocation ? PV_DECODED_NO_MEMORY
                                                                       : PV_DECODED_DAMAGED;
    }
    d->in_at = in.pos;
    d->out_at = out.pos;
    d->inside = left != 0;
    return PV_DECODED;
}

#endif

const pv_decoder pv_i_decoder_zstd = {
    .name = "zstd",
    .library = "libzstd",
    .magic = "\x28\xb5\x2f\xfd",
#ifdef PV_HAVE_ZSTD
    .start = start,
    .stop = stop,
    .decode = decode,
#endif
};
