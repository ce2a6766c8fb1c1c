/* Where bytes come from, and how they become blocks of whole records.
 *
 *     file, stdin,  --pull-->  [window]  --decoder-->  text  --feeder-->  [ record record rec ]
 *     memory         stored bytes         gzip, zstd                      [ord record record r]
 *
 * `pull` fetches bytes as they are stored. Compressed input goes through a small window; plain
 * input goes straight to where it is wanted, so that nothing is copied. The feeder fills a block
 * and hands out its whole records; what is left comes first in the next block. */
#include "table/source.h"

#include "base/error.h"
#include "base/file.h"
#include "base/memory.h"
#include "table/reading.h"

#include <assert.h>
#include <errno.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* --------------------------------------------------------- compressed formats */

/* Stored bytes on one side, space for text on the other. */
typedef struct {
    const char *in;
    size_t in_size, in_at;
    char *out;
    size_t out_size, out_at;
    bool inside; /* a frame has begun and not ended: more must come */
} decoding;

typedef enum { DECODED = 0, DAMAGED, NO_MEMORY } decoded;

typedef struct {
    const char *name;
    const char *library;
    const char *magic; /* the bytes it begins with */
    /* Its state, NULL = no memory; a build without the library has no start. */
    void *(*start)(void);
    void (*stop)(void *state);
    /* Decodes some, moving in_at and out_at. Several frames may follow one another. */
    decoded (*decode)(void *state, decoding *d);
} decoder;

/* -------------------------------------------------------------- gzip, by zlib */

#ifdef PV_HAVE_ZLIB

#include <limits.h>
#include <zlib.h>

#define GZIP_ONLY (15 + 16) /* largest window, gzip header and checksum */

static void *gzip_start(void)
{
    z_stream *const z = PV_NEW(z_stream);
    if (z != NULL && inflateInit2(z, GZIP_ONLY) != Z_OK) {
        pv_i_free(z);
        return NULL;
    }
    return z;
}

static void gzip_stop(void *state)
{
    (void)inflateEnd(state);
    pv_i_free(state);
}

static unsigned at_most(size_t size)
{
    return size < UINT_MAX ? (unsigned)size : UINT_MAX;
}

static decoded gzip_decode(void *state, decoding *d)
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
    case Z_STREAM_END: return inflateReset(z) == Z_OK ? DECODED : DAMAGED;
    case Z_OK:
    case Z_BUF_ERROR: return DECODED;
    case Z_MEM_ERROR: return NO_MEMORY;
    default: return DAMAGED;
    }
}

#endif

static const decoder gzip = {
    .name = "gzip",
    .library = "zlib",
    .magic = "\x1f\x8b",
#ifdef PV_HAVE_ZLIB
    .start = gzip_start,
    .stop = gzip_stop,
    .decode = gzip_decode,
#endif
};

/* ----------------------------------------------------------- zstd, by libzstd */

#ifdef PV_HAVE_ZSTD

#include <zstd.h>
#include <zstd_errors.h>

static void *zstd_start(void)
{
    return ZSTD_createDCtx();
}

static void zstd_stop(void *state)
{
    (void)ZSTD_freeDCtx(state);
}

static decoded zstd_decode(void *state, decoding *d)
{
    ZSTD_inBuffer in = {.src = d->in, .size = d->in_size, .pos = d->in_at};
    ZSTD_outBuffer out = {.dst = d->out, .size = d->out_size, .pos = d->out_at};
    const size_t left = ZSTD_decompressStream(state, &out, &in);
    if (ZSTD_isError(left)) {
        return ZSTD_getErrorCode(left) == ZSTD_error_memory_allocation ? NO_MEMORY : DAMAGED;
    }
    d->in_at = in.pos;
    d->out_at = out.pos;
    d->inside = left != 0;
    return DECODED;
}

#endif

static const decoder zstd = {
    .name = "zstd",
    .library = "libzstd",
    .magic = "\x28\xb5\x2f\xfd",
#ifdef PV_HAVE_ZSTD
    .start = zstd_start,
    .stop = zstd_stop,
    .decode = zstd_decode,
#endif
};

/* ------------------------------------------------------ stored bytes and text */

#define WINDOW ((size_t)1 << 16)

struct pv_source {
    char *name;
    int fd;             /* -1 = memory */
    bool owns_fd;       /* standard input stays open */
    const char *memory; /* what is left of it */
    size_t memory_left;
    uint64_t total, consumed;
    const decoder *decoder; /* NULL = plain */
    void *state;            /* of the decoder */
    bool inside;            /* of a compressed frame */
    /* Stored bytes that were pulled but not yet used. */
    char *window;
    size_t window_at, window_size;
    bool pulled_all;
};

static const decoder *const decoders[] = {&gzip, &zstd};

/* ------------------------------------------------------------ stored bytes */

static pv_status pull(pv_source *s, char *out, size_t size, size_t *got, pv_error *error)
{
    size_t done = 0;
    if (s->fd < 0) {
        done = size < s->memory_left ? size : s->memory_left;
        memcpy(out, s->memory, done);
        s->memory += done;
        s->memory_left -= done;
    }
    while (s->fd >= 0 && done < size) {
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
    s->consumed += done;
    s->pulled_all = done < size;
    return PV_STATUS_OK;
}

/* ------------------------------------------------------------------- text */

/* First what was pulled to look at its beginning, then straight into the caller's memory. */
static pv_status read_plain(pv_source *s, char *out, size_t size, size_t *got, pv_error *error)
{
    const size_t left = s->window_size - s->window_at;
    const size_t n = size < left ? size : left;
    size_t pulled = 0;
    memcpy(out, s->window + s->window_at, n);
    s->window_at += n;
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

/* Decodes until `out` is full or the input ends between two frames. */
static pv_status read_decoded(pv_source *s, char *out, size_t size, size_t *got, pv_error *error)
{
    decoding d = {.in = s->window, .out = out, .out_size = size, .inside = s->inside};
    while (d.out_at < size) {
        if (s->window_at == s->window_size && !s->pulled_all) {
            s->window_at = 0;
            PV_TRY(pull(s, s->window, WINDOW, &s->window_size, error));
        }
        const bool no_input = s->window_at == s->window_size;
        const size_t before = d.out_at;
        if (no_input && !d.inside) {
            break;
        }
        d.in_size = s->window_size;
        d.in_at = s->window_at;
        const decoded result = s->decoder->decode(s->state, &d);
        s->window_at = d.in_at;
        s->inside = d.inside;
        if (result == NO_MEMORY) {
            return pv_i_no_memory(error);
        }
        if (result == DAMAGED) {
            return damaged(s, "damaged", error);
        }
        if (no_input && d.out_at == before && d.inside) {
            return damaged(s, "truncated", error);
        }
    }
    *got = d.out_at;
    return PV_STATUS_OK;
}

pv_status pv_i_source_read(pv_source *source, char *out, size_t size, size_t *got, pv_error *error)
{
    return source->decoder != NULL ? read_decoded(source, out, size, got, error)
                                   : read_plain(source, out, size, got, error);
}

/* ---------------------------------------------------------------- opening */

static const decoder *decoder_for(const void *data, size_t size)
{
    for (size_t i = 0; i < sizeof decoders / sizeof *decoders; i++) {
        const size_t length = strlen(decoders[i]->magic);
        if (size >= length && memcmp(data, decoders[i]->magic, length) == 0) {
            return decoders[i];
        }
    }
    return NULL;
}

bool pv_i_source_compressed(const void *data, size_t size)
{
    return decoder_for(data, size) != NULL;
}

/* Looks at the first bytes. */
static pv_status recognise(pv_source *s, pv_error *error)
{
    s->window = pv_i_malloc(WINDOW);
    if (s->window == NULL) {
        return pv_i_no_memory(error);
    }
    PV_TRY(pull(s, s->window, WINDOW, &s->window_size, error));
    s->decoder = decoder_for(s->window, s->window_size);
    if (s->decoder == NULL) {
        return PV_STATUS_OK;
    }
    if (s->decoder->start == NULL) {
        return pv_i_hint(pv_i_fail_at(error, PV_STATUS_UNSUPPORTED, s->name, 0, 0,
                                      "is %s data, which this build cannot read", s->decoder->name),
                         error, "decompress it first, or build with %s", s->decoder->library);
    }
    s->state = s->decoder->start();
    return s->state != NULL ? PV_STATUS_OK : pv_i_no_memory(error);
}

/* A source of a file, or (`path` NULL) of memory. */
static pv_status create(const char *name, const char *path, const void *data, size_t size,
                        pv_source **source, pv_error *error)
{
    pv_source *const s = PV_NEW(pv_source);
    struct stat info;
    pv_status status = PV_STATUS_OK;
    if (s == NULL) {
        return pv_i_no_memory(error);
    }
    *s = (pv_source){
        .name = pv_i_strdup(name), .fd = -1, .memory = data, .memory_left = size, .total = size};
    PV_TRY_CLEAN(s->name != NULL ? PV_STATUS_OK : pv_i_no_memory(error));
    if (path != NULL && strcmp(path, "-") == 0) {
        s->fd = STDIN_FILENO;
    } else if (path != NULL) {
        PV_TRY_CLEAN(pv_i_file_open(path, &s->fd, error));
        s->owns_fd = true;
    }
    if (s->fd >= 0 && fstat(s->fd, &info) == 0 && S_ISREG(info.st_mode) && info.st_size > 0) {
        s->total = (uint64_t)info.st_size;
    }
    PV_TRY_CLEAN(recognise(s, error));
    *source = s;
    return PV_STATUS_OK;
cleanup:
    pv_i_source_free(s);
    return status;
}

pv_status pv_i_source_open(const char *path, pv_source **source, pv_error *error)
{
    const bool is_stream = strcmp(path, "-") == 0;
    return create(is_stream ? "standard input" : path, path, "", 0, source, error);
}

pv_status pv_i_source_memory(const char *name, const void *data, size_t size, pv_source **source,
                             pv_error *error)
{
    return create(name, NULL, data != NULL ? data : "", size, source, error);
}

void pv_i_source_free(pv_source *source)
{
    if (source == NULL) {
        return;
    }
    if (source->owns_fd) {
        (void)close(source->fd);
    }
    if (source->state != NULL) {
        source->decoder->stop(source->state);
    }
    pv_i_free(source->window);
    pv_i_free(source->name);
    pv_i_free(source);
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

/* ---------------------------------------------------- blocks of whole records */

/* A block is doubled until it holds a whole record, and its positions must fit. */
static_assert(2 * PV_RECORD_LIMIT <= PV_SCAN_LIMIT, "a block must not outgrow the scan");

void pv_i_block_deinit(pv_block *block)
{
    pv_i_free(block->data);
    *block = (pv_block){0};
}

void pv_i_feeder_init(pv_feeder *feeder, pv_source *source, size_t block_size)
{
    *feeder = (pv_feeder){.source = source, .block_size = block_size};
}

void pv_i_feeder_deinit(pv_feeder *feeder)
{
    pv_i_free(feeder->pending);
    *feeder = (pv_feeder){0};
}

pv_status pv_i_feeder_peek(pv_feeder *feeder, size_t size, pv_error *error)
{
    pv_feeder *const f = feeder;
    const size_t have = f->size - f->at;
    if (have >= size || f->ended) {
        return PV_STATUS_OK;
    }
    if (!pv_i_reserve((void **)&f->pending, &f->capacity, f->at + size, 1)) {
        return pv_i_no_memory(error);
    }
    size_t got = 0;
    PV_TRY(pv_i_source_read(f->source, f->pending + f->size, size - have, &got, error));
    f->ended = got < size - have;
    f->size += got;
    return PV_STATUS_OK;
}

/* Pending bytes first, then the source, until the block has `size` bytes or the text ends. */
static pv_status fill(pv_feeder *f, pv_block *block, size_t size, pv_error *error)
{
    if (!pv_i_reserve((void **)&block->data, &block->capacity, size + PV_SCAN_PADDING, 1)) {
        return pv_i_no_memory(error);
    }
    const size_t pending = f->size - f->at;
    const size_t wanted = size - block->size;
    const size_t n = pending < wanted ? pending : wanted;
    if (n > 0) {
        memcpy(block->data + block->size, f->pending + f->at, n);
        block->size += n;
        f->at += n;
    }
    if (n < wanted && !f->ended) {
        size_t got = 0;
        PV_TRY(pv_i_source_read(f->source, block->data + block->size, wanted - n, &got, error));
        f->ended = got < wanted - n;
        block->size += got;
    }
    return PV_STATUS_OK;
}

/* Puts the end of the block back, to come first in the next one. */
static pv_status put_back(pv_feeder *f, pv_block *block, size_t n, pv_error *error)
{
    block->size -= n;
    if (f->at < f->size) {
        f->at -= n; /* these bytes came from here and are still in place */
        return PV_STATUS_OK;
    }
    if (!pv_i_reserve((void **)&f->pending, &f->capacity, n, 1)) {
        return pv_i_no_memory(error);
    }
    if (n > 0) {
        memcpy(f->pending, block->data + block->size, n);
    }
    f->at = 0;
    f->size = n;
    return PV_STATUS_OK;
}

pv_status pv_i_feeder_next(pv_feeder *feeder, pv_block *block, bool *more, pv_error *error)
{
    pv_feeder *const f = feeder;
    block->size = 0;
    for (size_t size = f->block_size;; size *= 2) {
        PV_TRY(fill(f, block, size, error));
        if (f->ended && f->at == f->size) {
            if (block->size > 0 && block->data[block->size - 1] != '\n') {
                block->data[block->size++] = '\n'; /* there is padding for it */
            }
            break;
        }
        const size_t whole = pv_i_scan_whole(block->data, block->size, &f->dialect);
        if (whole > 0) {
            PV_TRY(put_back(f, block, block->size - whole, error));
            break;
        }
        if (size > PV_RECORD_LIMIT) {
            return pv_i_hint_phrases(
                pv_i_fail_at(error, PV_STATUS_LIMIT, pv_i_source_name(f->source), 0, 0,
                             "a record is longer than %zu MiB", PV_RECORD_LIMIT >> 20),
                error,
                f->dialect.quoting ? "is a quote never closed? if quotes are ordinary characters "
                                     "in this file, @"
                                   : "is this a text file with line ends?",
                PV_PHRASE_NO_QUOTES, PV_PHRASE_NONE);
        }
    }
    *more = block->size > 0;
    block->index = f->n_blocks;
    f->n_blocks += *more;
    return PV_STATUS_OK;
}
