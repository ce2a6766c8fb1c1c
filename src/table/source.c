/* Where bytes come from. Two layers: `pull` fetches bytes as they are stored, a decoder turns them
 * into text. Compressed input is pulled through a small window. */
#include "table/source.h"

#include "base/error.h"
#include "base/file.h"
#include "base/memory.h"

#include <errno.h>
#include <stdbool.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>
#ifdef PV_HAVE_ZLIB
#include <zlib.h>
#endif
#ifdef PV_HAVE_ZSTD
#include <zstd.h>
#endif

#define WINDOW ((size_t)1 << 16)
#define MAGIC_SIZE 4

typedef struct pv_decoder pv_decoder;

struct pv_source {
    char *name;
    int fd;             /* -1 = memory */
    bool owns_fd;       /* standard input stays open */
    const char *memory; /* what is left of it */
    size_t memory_left;
    uint64_t total, consumed;
    const pv_decoder *decoder;
    /* Stored bytes that were pulled but not yet decoded. */
    char *window;
    size_t window_at, window_size;
    bool pulled_all;
    bool inside; /* a compressed frame has begun and not ended */
#ifdef PV_HAVE_ZLIB
    z_stream gzip;
    bool gzip_ready;
#endif
#ifdef PV_HAVE_ZSTD
    ZSTD_DCtx *zstd;
#endif
};

struct pv_decoder {
    const char *name;
    size_t magic_size;
    unsigned char magic[MAGIC_SIZE];
    pv_status (*start)(pv_source *source, pv_error *error);
    pv_status (*read)(pv_source *source, char *out, size_t size, size_t *got, pv_error *error);
};

/* ------------------------------------------------------------ stored bytes */

static pv_status pull_file(pv_source *s, char *out, size_t size, size_t *got, pv_error *error)
{
    size_t done = 0;
    while (done < size) {
        const ssize_t n = read(s->fd, out + done, size - done);
        if (n < 0 && errno == EINTR) {
            continue;
        }
        if (n < 0) {
            return pv_i_fail_errno(error, PV_STATUS_INPUT, s->name, "cannot read");
        }
        if (n == 0) {
            break;
        }
        done += (size_t)n;
    }
    *got = done;
    return PV_STATUS_OK;
}

static void pull_memory(pv_source *s, char *out, size_t size, size_t *got)
{
    const size_t n = size < s->memory_left ? size : s->memory_left;
    if (n > 0) {
        memcpy(out, s->memory, n);
        s->memory += n;
        s->memory_left -= n;
    }
    *got = n;
}

static pv_status pull(pv_source *s, char *out, size_t size, size_t *got, pv_error *error)
{
    if (s->fd >= 0) {
        PV_TRY(pull_file(s, out, size, got, error));
    } else {
        pull_memory(s, out, size, got);
    }
    s->consumed += *got;
    s->pulled_all = *got < size;
    return PV_STATUS_OK;
}

/* More stored bytes into the window, if it is used up and there are any. */
static pv_status refill(pv_source *s, pv_error *error)
{
    if (s->window_at < s->window_size || s->pulled_all) {
        return PV_STATUS_OK;
    }
    s->window_at = 0;
    return pull(s, s->window, WINDOW, &s->window_size, error);
}

/* ---------------------------------------------------------------- decoders */

static pv_status start_plain(pv_source *s, pv_error *error)
{
    (void)s;
    (void)error;
    return PV_STATUS_OK;
}

/* First what was pulled to look at the magic bytes, then straight into the caller's memory. */
static pv_status read_plain(pv_source *s, char *out, size_t size, size_t *got, pv_error *error)
{
    const size_t left = s->window_size - s->window_at;
    const size_t n = size < left ? size : left;
    if (n > 0) {
        memcpy(out, s->window + s->window_at, n);
        s->window_at += n;
    }
    size_t pulled = 0;
    if (n < size && !s->pulled_all) {
        PV_TRY(pull(s, out + n, size - n, &pulled, error));
    }
    *got = n + pulled;
    return PV_STATUS_OK;
}

static pv_status damaged(const pv_source *s, const char *what, pv_error *error)
{
    return pv_i_hint(pv_i_fail_at(error, PV_STATUS_INPUT, s->name, 0, 0, "the %s data is %s",
                                  s->decoder->name, what),
                     error, "the file is incomplete or damaged: fetch or compress it again");
}

#ifdef PV_HAVE_ZLIB
static pv_status start_gzip(pv_source *s, pv_error *error)
{
    if (inflateInit2(&s->gzip, 15 + 16) != Z_OK) {
        return pv_i_no_memory(error);
    }
    s->gzip_ready = true;
    return PV_STATUS_OK;
}

/* Decodes from the window; several gzip members may follow one another. */
static pv_status inflate_some(pv_source *s, char *out, size_t size, size_t *got, pv_error *error)
{
    const size_t piece = size < ((size_t)1 << 30) ? size : (size_t)1 << 30;
    s->gzip.next_in = (unsigned char *)s->window + s->window_at;
    s->gzip.avail_in = (unsigned)(s->window_size - s->window_at);
    s->gzip.next_out = (unsigned char *)out;
    s->gzip.avail_out = (unsigned)piece;
    s->inside = true;
    const int result = inflate(&s->gzip, Z_NO_FLUSH);
    s->window_at = s->window_size - s->gzip.avail_in;
    *got = piece - s->gzip.avail_out;
    if (result == Z_STREAM_END) {
        s->inside = false;
        return inflateReset(&s->gzip) == Z_OK ? PV_STATUS_OK : damaged(s, "damaged", error);
    }
    if (result == Z_MEM_ERROR) {
        return pv_i_no_memory(error);
    }
    return result == Z_OK || result == Z_BUF_ERROR ? PV_STATUS_OK : damaged(s, "damaged", error);
}
#endif

#ifdef PV_HAVE_ZSTD
static pv_status start_zstd(pv_source *s, pv_error *error)
{
    s->zstd = ZSTD_createDCtx();
    return s->zstd != NULL ? PV_STATUS_OK : pv_i_no_memory(error);
}

static pv_status unzstd_some(pv_source *s, char *out, size_t size, size_t *got, pv_error *error)
{
    ZSTD_inBuffer in = {.src = s->window, .size = s->window_size, .pos = s->window_at};
    ZSTD_outBuffer to = {.dst = out, .size = size, .pos = 0};
    const size_t left = ZSTD_decompressStream(s->zstd, &to, &in);
    if (ZSTD_isError(left)) {
        return damaged(s, "damaged", error);
    }
    s->window_at = in.pos;
    s->inside = left != 0;
    *got = to.pos;
    return PV_STATUS_OK;
}
#endif

#if defined(PV_HAVE_ZLIB) || defined(PV_HAVE_ZSTD)
typedef pv_status (*decode_fn)(pv_source *, char *, size_t, size_t *, pv_error *);

/* Decodes until `out` is full or the input ends between two frames. */
static pv_status read_decoded(pv_source *s, decode_fn decode, char *out, size_t size, size_t *got,
                              pv_error *error)
{
    size_t done = 0;
    while (done < size) {
        size_t n = 0;
        PV_TRY(refill(s, error));
        const bool no_input = s->window_at == s->window_size;
        if (no_input && !s->inside) {
            break;
        }
        PV_TRY(decode(s, out + done, size - done, &n, error));
        if (no_input && n == 0 && s->inside) {
            return damaged(s, "truncated", error);
        }
        done += n;
    }
    *got = done;
    return PV_STATUS_OK;
}
#endif

#ifdef PV_HAVE_ZLIB
static pv_status read_gzip(pv_source *s, char *out, size_t size, size_t *got, pv_error *error)
{
    return read_decoded(s, inflate_some, out, size, got, error);
}
#else
static pv_status start_gzip(pv_source *s, pv_error *error)
{
    return pv_i_hint(pv_i_fail_at(error, PV_STATUS_UNSUPPORTED, s->name, 0, 0,
                                  "is gzip data, which this build cannot read"),
                     error, "decompress it first, or build with zlib");
}
#define read_gzip read_plain
#endif

#ifdef PV_HAVE_ZSTD
static pv_status read_zstd(pv_source *s, char *out, size_t size, size_t *got, pv_error *error)
{
    return read_decoded(s, unzstd_some, out, size, got, error);
}
#else
static pv_status start_zstd(pv_source *s, pv_error *error)
{
    return pv_i_hint(pv_i_fail_at(error, PV_STATUS_UNSUPPORTED, s->name, 0, 0,
                                  "is zstd data, which this build cannot read"),
                     error, "decompress it first, or build with libzstd");
}
#define read_zstd read_plain
#endif

/* The last one fits everything. */
static const pv_decoder decoders[] = {
    {.name = "gzip",
     .magic_size = 2,
     .magic = {0x1f, 0x8b},
     .start = start_gzip,
     .read = read_gzip},
    {.name = "zstd",
     .magic_size = 4,
     .magic = {0x28, 0xb5, 0x2f, 0xfd},
     .start = start_zstd,
     .read = read_zstd},
    {.name = "plain", .magic_size = 0, .start = start_plain, .read = read_plain},
};

static pv_status recognise(pv_source *s, pv_error *error)
{
    s->window = pv_i_malloc(WINDOW);
    if (s->window == NULL) {
        return pv_i_no_memory(error);
    }
    PV_TRY(pull(s, s->window, WINDOW, &s->window_size, error));
    s->decoder = decoders;
    while (s->window_size < s->decoder->magic_size ||
           memcmp(s->window, s->decoder->magic, s->decoder->magic_size) != 0) {
        s->decoder++;
    }
    return s->decoder->start(s, error);
}

/* -------------------------------------------------------------- open, free */

static pv_status create(const char *name, pv_source **source, pv_error *error)
{
    pv_source *const s = PV_NEW(pv_source);
    if (s == NULL) {
        return pv_i_no_memory(error);
    }
    s->fd = -1;
    s->name = pv_i_strdup(name);
    if (s->name == NULL) {
        pv_i_free(s);
        return pv_i_no_memory(error);
    }
    *source = s;
    return PV_STATUS_OK;
}

static pv_status open_input(pv_source *s, const char *path, pv_error *error)
{
    struct stat info;
    if (strcmp(path, "-") == 0) {
        s->fd = STDIN_FILENO;
    } else {
        PV_TRY(pv_i_file_open(path, &s->fd, error));
        s->owns_fd = true;
    }
    if (fstat(s->fd, &info) == 0 && S_ISREG(info.st_mode) && info.st_size > 0) {
        s->total = (uint64_t)info.st_size;
    }
    return PV_STATUS_OK;
}

pv_status pv_i_source_open(const char *path, pv_source **source, pv_error *error)
{
    pv_source *s = NULL;
    PV_TRY(create(strcmp(path, "-") == 0 ? "standard input" : path, &s, error));
    pv_status status;
    PV_TRY_CLEAN(open_input(s, path, error));
    PV_TRY_CLEAN(recognise(s, error));
    *source = s;
    return PV_STATUS_OK;
cleanup:
    pv_i_source_free(s);
    return status;
}

pv_status pv_i_source_memory(const char *name, const void *data, size_t size, pv_source **source,
                             pv_error *error)
{
    pv_source *s = NULL;
    PV_TRY(create(name, &s, error));
    s->memory = data;
    s->memory_left = size;
    s->total = size;
    const pv_status status = recognise(s, error);
    if (status != PV_STATUS_OK) {
        pv_i_source_free(s);
        return status;
    }
    *source = s;
    return PV_STATUS_OK;
}

void pv_i_source_free(pv_source *source)
{
    if (source == NULL) {
        return;
    }
    if (source->owns_fd) {
        (void)close(source->fd);
    }
#ifdef PV_HAVE_ZLIB
    if (source->gzip_ready) {
        (void)inflateEnd(&source->gzip);
    }
#endif
#ifdef PV_HAVE_ZSTD
    (void)ZSTD_freeDCtx(source->zstd);
#endif
    pv_i_free(source->window);
    pv_i_free(source->name);
    pv_i_free(source);
}

pv_status pv_i_source_read(pv_source *source, char *out, size_t size, size_t *got, pv_error *error)
{
    return source->decoder->read(source, out, size, got, error);
}

const char *pv_i_source_name(const pv_source *source)
{
    return source->name;
}

uint64_t pv_i_source_consumed(const pv_source *source)
{
    return source->consumed;
}

uint64_t pv_i_source_total(const pv_source *source)
{
    return source->total;
}
