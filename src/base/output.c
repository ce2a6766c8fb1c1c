/* Writing one file: compression, fingerprint, flushing. */
#include "base/output.h"

#include "base/error.h"
#include "base/memory.h"
#include "base/sha256.h"

#include <errno.h>
#include <fcntl.h>
#include <stdint.h>
#include <string.h>
#include <unistd.h>
#ifdef PV_HAVE_ZLIB
#include <zlib.h>
#endif
#ifdef PV_HAVE_ZSTD
#include <zstd.h>
#include <zstd_errors.h>
#endif

#define BLOCK_SIZE ((size_t)1 << 17)

typedef enum { PLAIN, GZIP, ZSTD } compression;

struct pv_output {
    char *path;   /* where it is written */
    char *target; /* what it will be called: for messages and the kind of compression */
    int fd;       /* -1 once closed */
    compression compression;
    pv_sha256 sha; /* of what the system took */
    char hash[PV_SHA256_HEX];
    size_t used;
    unsigned char block[BLOCK_SIZE]; /* bytes not yet handed to the system */
#ifdef PV_HAVE_ZLIB
    z_stream gzip;
    bool gzip_ready;
#endif
#ifdef PV_HAVE_ZSTD
    ZSTD_CCtx *zstd;
#endif
};

static bool ends_with(const char *text, const char *ending)
{
    const size_t n = strlen(text);
    const size_t m = strlen(ending);
    return n >= m && strcmp(text + n - m, ending) == 0;
}

static pv_status start_compression(pv_output *output, pv_error *error)
{
    if (ends_with(output->target, ".gz")) {
#ifdef PV_HAVE_ZLIB
        output->compression = GZIP;
        if (deflateInit2(&output->gzip, 6, Z_DEFLATED, 15 + 16, 8, Z_DEFAULT_STRATEGY) != Z_OK) {
            return pv_i_no_memory(error);
        }
        output->gzip_ready = true;
        output->gzip.next_out = output->block;
        output->gzip.avail_out = BLOCK_SIZE;
#else
        return pv_i_fail(error, PV_STATUS_UNSUPPORTED, "this build cannot write .gz files");
#endif
    } else if (ends_with(output->target, ".zst")) {
#ifdef PV_HAVE_ZSTD
        output->compression = ZSTD;
        output->zstd = ZSTD_createCCtx();
        if (output->zstd == NULL) {
            return pv_i_no_memory(error);
        }
#else
        return pv_i_fail(error, PV_STATUS_UNSUPPORTED, "this build cannot write .zst files");
#endif
    }
    return PV_STATUS_OK;
}

pv_status pv_i_output_create(const char *path, const char *target, pv_output **output,
                             pv_error *error)
{
    pv_output *const o = PV_NEW(pv_output);
    if (o == NULL) {
        return pv_i_no_memory(error);
    }
    pv_status status = PV_STATUS_OK;
    o->fd = -1;
    o->path = pv_i_strdup(path);
    o->target = pv_i_strdup(target);
    pv_i_sha256_init(&o->sha);
    if (o->path == NULL || o->target == NULL) {
        status = pv_i_no_memory(error);
        goto cleanup;
    }
    PV_TRY_CLEAN(start_compression(o, error));
    o->fd = open(path, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0600);
    if (o->fd < 0) {
        status = pv_i_fail_errno(error, PV_STATUS_IO, target, "cannot create the output");
        goto cleanup;
    }
    *output = o;
    return PV_STATUS_OK;
cleanup:
    pv_i_output_free(o);
    return status;
}

static pv_status write_all(pv_output *output, const unsigned char *data, size_t size,
                           pv_error *error)
{
    while (size > 0) {
        const ssize_t written = write(output->fd, data, size);
        if (written < 0 && errno == EINTR) {
            continue;
        }
        if (written <= 0) {
            return pv_i_fail_errno(error, PV_STATUS_IO, output->target, "cannot write the output");
        }
        pv_i_sha256_add(&output->sha, data, (size_t)written);
        data += written;
        size -= (size_t)written;
    }
    return PV_STATUS_OK;
}

static pv_status write_plain(pv_output *output, const unsigned char *data, size_t size,
                             pv_error *error)
{
    if (size > BLOCK_SIZE - output->used) {
        PV_TRY(write_all(output, output->block, output->used, error));
        output->used = 0;
    }
    if (size >= BLOCK_SIZE) {
        return write_all(output, data, size, error);
    }
    memcpy(output->block + output->used, data, size);
    output->used += size;
    return PV_STATUS_OK;
}

#ifdef PV_HAVE_ZLIB
static pv_status write_gzip(pv_output *output, const void *data, size_t size, int flush,
                            pv_error *error)
{
    z_stream *const gzip = &output->gzip;
    const unsigned char *at = data;
    for (;;) {
        const size_t piece = size < ((size_t)1 << 30) ? size : (size_t)1 << 30;
        gzip->next_in = (unsigned char *)(uintptr_t)at;
        gzip->avail_in = (unsigned)piece;
        int result;
        do {
            result = deflate(gzip, size == piece ? flush : Z_NO_FLUSH);
            if (gzip->avail_out == 0 || result == Z_STREAM_END) {
                PV_TRY(write_all(output, output->block, BLOCK_SIZE - gzip->avail_out, error));
                gzip->next_out = output->block;
                gzip->avail_out = BLOCK_SIZE;
            }
        } while (gzip->avail_in > 0 || (flush == Z_FINISH && size == piece && result == Z_OK));
        at += piece;
        size -= piece;
        if (size == 0) {
            return PV_STATUS_OK;
        }
    }
}
#endif

#ifdef PV_HAVE_ZSTD
static pv_status write_zstd(pv_output *output, const void *data, size_t size,
                            ZSTD_EndDirective directive, pv_error *error)
{
    ZSTD_inBuffer in = {.src = data, .size = size, .pos = 0};
    size_t left;
    do {
        ZSTD_outBuffer out = {.dst = output->block, .size = BLOCK_SIZE, .pos = 0};
        left = ZSTD_compressStream2(output->zstd, &out, &in, directive);
        if (ZSTD_isError(left) && ZSTD_getErrorCode(left) == ZSTD_error_memory_allocation) {
            return pv_i_no_memory(error);
        }
        if (ZSTD_isError(left)) {
            return pv_i_fail_at(error, PV_STATUS_IO, output->target, 0, 0, "cannot compress");
        }
        PV_TRY(write_all(output, output->block, out.pos, error));
    } while (in.pos < in.size || (directive == ZSTD_e_end && left > 0));
    return PV_STATUS_OK;
}
#endif

pv_status pv_i_output_write(pv_output *output, const void *data, size_t size, pv_error *error)
{
    if (size == 0) {
        return PV_STATUS_OK;
    }
    switch (output->compression) {
#ifdef PV_HAVE_ZLIB
    case GZIP: return write_gzip(output, data, size, Z_NO_FLUSH, error);
#endif
#ifdef PV_HAVE_ZSTD
    case ZSTD: return write_zstd(output, data, size, ZSTD_e_continue, error);
#endif
    default: return write_plain(output, data, size, error);
    }
}

static pv_status flush(pv_output *output, pv_error *error)
{
    switch (output->compression) {
#ifdef PV_HAVE_ZLIB
    case GZIP: return write_gzip(output, "", 0, Z_FINISH, error);
#endif
#ifdef PV_HAVE_ZSTD
    case ZSTD: return write_zstd(output, "", 0, ZSTD_e_end, error);
#endif
    default: return write_all(output, output->block, output->used, error);
    }
}

pv_status pv_i_output_finish(pv_output *output, pv_error *error)
{
    if (output->fd < 0) {
        return PV_STATUS_OK;
    }
    PV_TRY(flush(output, error));
    output->used = 0;
    pv_i_sha256_end_hex(&output->sha, output->hash);
    /* Some file systems cannot sync (EINVAL); a full disk shows here at the latest. */
    const bool synced = fsync(output->fd) == 0 || errno == EINVAL;
    const int reason = errno;
    const bool closed = close(output->fd) == 0;
    output->fd = -1;
    if (!synced || !closed) {
        errno = synced ? errno : reason;
        return pv_i_fail_errno(error, PV_STATUS_IO, output->target, "cannot write the output");
    }
    return PV_STATUS_OK;
}

const char *pv_i_output_path(const pv_output *output)
{
    return output->path;
}

const char *pv_i_output_hash(const pv_output *output)
{
    return output->hash;
}

void pv_i_output_free(pv_output *output)
{
    if (output == NULL) {
        return;
    }
    if (output->fd >= 0) {
        (void)close(output->fd);
    }
#ifdef PV_HAVE_ZLIB
    if (output->gzip_ready) {
        (void)deflateEnd(&output->gzip);
    }
#endif
#ifdef PV_HAVE_ZSTD
    (void)ZSTD_freeCCtx(output->zstd);
#endif
    pv_i_free(output->path);
    pv_i_free(output->target);
    pv_i_free(output);
}
