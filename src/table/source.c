/* Where bytes come from. Two layers: `pull` fetches bytes as they are stored, a decoder turns them
 * into text. Compressed input is pulled through a small window; plain input goes straight to where
 * it is wanted. */
#include "table/source.h"

#include "base/error.h"
#include "base/file.h"
#include "base/memory.h"
#include "table/decoder.h"

#include <errno.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define WINDOW ((size_t)1 << 16)

struct pv_source {
    char *name;
    int fd;             /* -1 = memory */
    bool owns_fd;       /* standard input stays open */
    const char *memory; /* what is left of it */
    size_t memory_left;
    uint64_t total, consumed;
    const pv_decoder *decoder; /* NULL = plain */
    void *state;               /* of the decoder */
    bool inside;               /* of a compressed frame */
    /* Stored bytes that were pulled but not yet used. */
    char *window;
    size_t window_at, window_size;
    bool pulled_all;
};

static const pv_decoder *const decoders[] = {&pv_i_decoder_gzip, &pv_i_decoder_zstd};

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

static pv_status decode(pv_source *s, char *out, size_t size, size_t *got, pv_error *error)
{
    pv_decoding d = {.in = s->window,
                     .in_size = s->window_size,
                     .in_at = s->window_at,
                     .out = out,
                     .out_size = size};
    const pv_decoded result = s->decoder->decode(s->state, &d);
    s->window_at = d.in_at;
    s->inside = d.inside;
    *got = d.out_at;
    switch (result) {
    case PV_DECODED: break;
    case PV_DECODED_DAMAGED: return damaged(s, "damaged", error);
    case PV_DECODED_NO_MEMORY: return pv_i_no_memory(error);
    }
    return PV_STATUS_OK;
}

/* Decodes until `out` is full or the input ends between two frames. */
static pv_status read_decoded(pv_source *s, char *out, size_t size, size_t *got, pv_error *error)
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

pv_status pv_i_source_read(pv_source *source, char *out, size_t size, size_t *got, pv_error *error)
{
    return source->decoder != NULL ? read_decoded(source, out, size, got, error)
                                   : read_plain(source, out, size, got, error);
}

/* ---------------------------------------------------------------- opening */

static const pv_decoder *decoder_for(const void *data, size_t size)
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

static pv_status start_decoder(pv_source *s, pv_error *error)
{
    if (s->decoder->start == NULL) {
        return pv_i_hint(pv_i_fail_at(error, PV_STATUS_UNSUPPORTED, s->name, 0, 0,
                                      "is %s data, which this build cannot read", s->decoder->name),
                         error, "decompress it first, or build with %s", s->decoder->library);
    }
    s->state = s->decoder->start();
    return s->state != NULL ? PV_STATUS_OK : pv_i_no_memory(error);
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
    return s->decoder != NULL ? start_decoder(s, error) : PV_STATUS_OK;
}

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
