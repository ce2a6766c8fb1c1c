/* The bytes of a plain, gzip or zstd file, as pv_i_audit_source_read hands them out.
 *
 *     plain        disk ----------------------------> the caller's memory (no copy in between)
 *     compressed   disk ---> raw [ used | unused ] ---> decoder->step ---> the caller's memory
 *                                        ^raw_next  ^raw_end
 *
 * What a file is compressed with is seen from its first bytes, never from its name: a stranger may
 * have renamed it. A decoder is one function, step: turn some raw bytes into decoded ones. A file
 * may be several compressed streams one after the other (`cat a.gz b.gz`); `inside` is true between
 * the first and the last byte of one of them, so a file that ends there was cut off. A decoder that
 * this build lacks is in the table all the same, so that the message can name it. */
#include "audit/audit_reader.h"

#include "base/error.h"
#include "base/file.h"
#include "base/memory.h"

#include <errno.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>
#ifdef PV_HAVE_ZLIB
#include <zlib.h>
#endif
#ifdef PV_HAVE_ZSTD
#include <zstd.h>
#include <zstd_errors.h>
#endif

#define RAW_SIZE ((size_t)1 << 18)
#define LARGEST_STEP ((size_t)1 << 30) /* zlib counts in unsigned */

typedef enum { STEP_INSIDE, STEP_FINISHED, STEP_DAMAGED, STEP_NO_MEMORY } step_result;

struct pv_audit_decoder {
    const char *name;
    const char *magic; /* the first bytes of such a file */
    size_t magic_size;
    void *(*start)(void); /* NULL = this build cannot; returns NULL when memory runs out */
    void (*stop)(void *state);
    /* Moves source->raw_next on and writes up to `size` bytes, at most LARGEST_STEP, to `out`.
     * FINISHED at the end of a compressed stream; another may follow. */
    step_result (*step)(pv_audit_source *source, char *out, size_t size, size_t *n_decoded);
};

#ifdef PV_HAVE_ZLIB
static void *start_gzip(void)
{
    z_stream *const gzip = PV_NEW(z_stream);
    /* 15: the largest window there is, for any file. 16: gzip only, not the bare zlib format. */
    if (gzip != NULL && inflateInit2(gzip, 15 + 16) != Z_OK) {
        pv_i_free(gzip);
        return NULL;
    }
    return gzip;
}

static void stop_gzip(void *state)
{
    (void)inflateEnd(state);
    pv_i_free(state);
}

static step_result step_gzip(pv_audit_source *source, char *out, size_t size, size_t *n_decoded)
{
    z_stream *const gzip = source->decoder_state;
    /* zlib stops after a stream and must be asked to begin another one; zstd goes on by itself. */
    if (!source->inside && inflateReset(gzip) != Z_OK) {
        return STEP_DAMAGED;
    }
    gzip->next_in = (unsigned char *)(uintptr_t)source->raw_next; /* zlib does not write there */
    gzip->avail_in = (unsigned)(source->raw_end - source->raw_next);
    gzip->next_out = (unsigned char *)out;
    gzip->avail_out = (unsigned)size;
    const int result = inflate(gzip, Z_NO_FLUSH);
    source->raw_next = source->raw_end - gzip->avail_in;
    *n_decoded = size - gzip->avail_out;
    switch (result) {
    case Z_STREAM_END: return STEP_FINISHED;
    case Z_OK:
    case Z_BUF_ERROR:
        return STEP_INSIDE; /* no error: it wants more input or more memory to write to */
    case Z_MEM_ERROR: return STEP_NO_MEMORY;
    default: return STEP_DAMAGED;
    }
}
#endif

#ifdef PV_HAVE_ZSTD
static void *start_zstd(void)
{
    return ZSTD_createDCtx();
}

static void stop_zstd(void *state)
{
    (void)ZSTD_freeDCtx(state);
}

static step_result step_zstd(pv_audit_source *source, char *out, size_t size, size_t *n_decoded)
{
    const size_t raw_size = (size_t)(source->raw_end - source->raw_next);
    ZSTD_inBuffer from = {.src = source->raw_next, .size = raw_size, .pos = 0};
    ZSTD_outBuffer to = {.dst = out, .size = size, .pos = 0};
    const size_t left = ZSTD_decompressStream(source->decoder_state, &to, &from);
    source->raw_next += from.pos;
    *n_decoded = to.pos;
    /* Not an error: 0 at the end of a stream, else a guess of how much input is still wanted. */
    if (ZSTD_isError(left)) {
        return ZSTD_getErrorCode(left) == ZSTD_error_memory_allocation ? STEP_NO_MEMORY
                                                                       : STEP_DAMAGED;
    }
    return left == 0 ? STEP_FINISHED : STEP_INSIDE;
}
#endif

static const pv_audit_decoder decoders[] = {
    {.name = "gzip",
     .magic = "\x1f\x8b",
     .magic_size = 2,
#ifdef PV_HAVE_ZLIB
     .start = start_gzip,
     .stop = stop_gzip,
     .step = step_gzip
#endif
    },
    {.name = "zstd",
     .magic = "\x28\xb5\x2f\xfd",
     .magic_size = 4,
#ifdef PV_HAVE_ZSTD
     .start = start_zstd,
     .stop = stop_zstd,
     .step = step_zstd
#endif
    },
};

/* As many stored bytes as were asked for, or all that are left. */
static pv_status pull(pv_audit_source *source, void *out, size_t size, size_t *got, pv_error *error)
{
    size_t done = 0;
    /* A pipe gives what it has, so a short read is not the end; only an empty one is. */
    while (done < size && !source->at_end_of_file) {
        const ssize_t n = read(source->fd, (char *)out + done, size - done);
        if (n < 0 && errno == EINTR) {
            continue;
        }
        if (n < 0) {
            return pv_i_fail_errno(error, PV_STATUS_INPUT, source->path, "cannot read");
        }
        source->at_end_of_file = n == 0;
        done += (size_t)n;
    }
    source->taken_from_disk += done;
    *got = done;
    return PV_STATUS_OK;
}

static pv_status refill(pv_audit_source *source, pv_error *error)
{
    size_t size = 0;
    PV_TRY(pull(source, source->raw, RAW_SIZE, &size, error));
    source->raw_next = source->raw;
    source->raw_end = source->raw + size;
    return PV_STATUS_OK;
}

static pv_status damaged(const pv_audit_source *source, const char *how, pv_error *error)
{
    return pv_i_hint(pv_i_fail_at(error, PV_STATUS_INPUT, source->path, 0, 0, "the %s data %s",
                                  source->decoder->name, how),
                     error, "copy or compress the file again");
}

static pv_status read_decoded(pv_audit_source *source, char *out, size_t size, size_t *got,
                              pv_error *error)
{
    size_t done = 0;
    while (done < size) {
        if (source->raw_next == source->raw_end) {
            PV_TRY(refill(source, error));
        }
        const bool no_input = source->raw_next == source->raw_end;
        if (no_input && !source->inside) {
            break; /* the file ends where a stream ends, as it should */
        }
        /* Also without input: the decoder may still hold bytes that did not fit the last time. */
        const size_t left = size - done;
        size_t n = 0;
        const step_result result = source->decoder->step(
            source, out + done, left < LARGEST_STEP ? left : LARGEST_STEP, &n);
        if (result == STEP_NO_MEMORY) {
            return pv_i_no_memory(error);
        }
        if (result == STEP_DAMAGED) {
            return damaged(source, "is damaged", error);
        }
        source->inside = result == STEP_INSIDE;
        if (no_input && source->inside && n == 0) {
            return damaged(source, "ends too early: it was cut off", error);
        }
        done += n;
    }
    *got = done;
    return PV_STATUS_OK;
}

pv_status pv_i_audit_source_read(pv_audit_source *source, char *out, size_t size, size_t *got,
                                 pv_error *error)
{
    if (source->decoder != NULL) {
        return read_decoded(source, out, size, got, error);
    }
    /* First what was pulled to look at its beginning, then straight to where it is wanted. */
    const size_t left = (size_t)(source->raw_end - source->raw_next);
    const size_t n = size < left ? size : left;
    size_t pulled = 0;
    memcpy(out, source->raw_next, n);
    source->raw_next += n;
    PV_TRY(pull(source, out + n, size - n, &pulled, error));
    *got = n + pulled;
    return PV_STATUS_OK;
}

/* Looks at the first bytes, and starts the decoder they ask for. */
static pv_status recognise(pv_audit_source *source, pv_error *error)
{
    PV_TRY(refill(source, error));
    const size_t size = (size_t)(source->raw_end - source->raw);
    for (size_t i = 0; i < sizeof decoders / sizeof *decoders; i++) {
        const pv_audit_decoder *const d = &decoders[i];
        if (size < d->magic_size || memcmp(source->raw, d->magic, d->magic_size) != 0) {
            continue;
        }
        if (d->start == NULL) {
            return pv_i_hint(pv_i_fail_at(error, PV_STATUS_UNSUPPORTED, source->path, 0, 0,
                                          "is compressed with %s, which this build cannot read",
                                          d->name),
                             error, "decompress the file first");
        }
        source->decoder_state = d->start();
        if (source->decoder_state == NULL) {
            return pv_i_no_memory(error);
        }
        source->decoder = d;
        return PV_STATUS_OK;
    }
    return PV_STATUS_OK;
}

pv_status pv_i_audit_source_open(const char *path, pv_audit_source *source, pv_error *error)
{
    pv_status status = PV_STATUS_OK;
    pv_audit_source s = {.path = path, .fd = -1};
    struct stat info;
    if (strcmp(path, "-") == 0) {
        s.fd = STDIN_FILENO;
        s.path = "standard input";
    } else {
        PV_TRY(pv_i_file_open(path, &s.fd, error));
        if (fstat(s.fd, &info) == 0 && S_ISREG(info.st_mode)) {
            s.size_on_disk = (uint64_t)info.st_size; /* only for the progress */
        }
    }
    s.raw = PV_NEW_ARRAY(unsigned char, RAW_SIZE);
    PV_TRY_CLEAN(s.raw != NULL ? recognise(&s, error) : pv_i_no_memory(error));
    *source = s;
    return PV_STATUS_OK;
cleanup:
    pv_i_audit_source_deinit(&s);
    return status;
}

/* Standard input was not opened here and is not closed here. */
void pv_i_audit_source_deinit(pv_audit_source *source)
{
    if (source->fd > STDIN_FILENO) {
        (void)close(source->fd);
    }
    if (source->decoder != NULL) {
        source->decoder->stop(source->decoder_state);
    }
    pv_i_free(source->raw);
    *source = (pv_audit_source){.fd = -1};
}
