/* Writing one file: compression, fingerprint, flushing. */
#include "base/output.h"

#include "base/error.h"
#include "base/memory.h"
#include "base/sha256.h"

#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdint.h>
#include <stdio.h>
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
#define LARGE ((uint64_t)1 << 23)
#define BEHIND_SIZE ((size_t)1 << 18)

typedef enum { PLAIN, GZIP, ZSTD } compression;

struct pv_output {
    char *path;   /* where it is written */
    char *target; /* what it will be called: for messages and the kind of compression */
    int fd;       /* -1 once closed */
    compression compression;
    pv_sha256 sha; /* of what the system took */
    /* A thread that hashes behind the writer reads what that has written: */
    bool hashes_behind;
    pthread_t hasher;
    pthread_mutex_t lock; /* of the next two */
    pthread_cond_t more;
    uint64_t written; /* bytes the system took */
    bool complete;    /* there will be no more */
    unsigned char *behind;
    int behind_fd, behind_reason;
    int nameless_fd;   /* keeps a file without a name; -1 = it has one */
    pthread_t flusher; /* brings a large file to disk while it is read back */
    bool is_flushing;
    int reason; /* errno of flushing; 0 = all is on disk */
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

static pv_status output_init(const char *path, const char *target, pv_output **output,
                             pv_error *error)
{
    pv_output *const o = PV_NEW(pv_output);
    if (o == NULL) {
        return pv_i_no_memory(error);
    }
    o->fd = o->behind_fd = o->nameless_fd = -1;
    (void)pthread_mutex_init(&o->lock, NULL);
    (void)pthread_cond_init(&o->more, NULL);
    o->path = pv_i_strdup(path);
    o->target = pv_i_strdup(target);
    pv_i_sha256_init(&o->sha);
    const pv_status status =
        o->path != NULL && o->target != NULL ? start_compression(o, error) : pv_i_no_memory(error);
    if (status != PV_STATUS_OK) {
        pv_i_output_free(o);
        return status;
    }
    *output = o;
    return PV_STATUS_OK;
}

pv_status pv_i_output_create(const char *path, const char *target, pv_output **output,
                             pv_error *error)
{
    pv_output *o = NULL;
    PV_TRY(output_init(path, target, &o, error));
    o->fd = open(path, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0600);
    if (o->fd < 0) {
        const pv_status status =
            pv_i_fail_errno(error, PV_STATUS_IO, target, "cannot create the output");
        pv_i_output_free(o);
        return status;
    }
    *output = o;
    return PV_STATUS_OK;
}

/* The second descriptor keeps the file when the first is closed, and is its name. */
pv_status pv_i_output_create_nameless(const char *folder, pv_output **output, pv_error *error)
{
    char path[64];
    const int fd = open(folder, O_TMPFILE | O_RDWR | O_CLOEXEC, 0600);
    const int kept = fd >= 0 ? fcntl(fd, F_DUPFD_CLOEXEC, 0) : -1;
    pv_output *o = NULL;
    (void)snprintf(path, sizeof path, "/proc/self/fd/%d", kept);
    const pv_status status = kept >= 0 ? output_init(path, "a temporary file", &o, error)
                                       : pv_i_fail_errno(error, PV_STATUS_IO, folder,
                                                         "cannot create a temporary file in it");
    if (status != PV_STATUS_OK) {
        if (fd >= 0) {
            (void)close(fd);
        }
        if (kept >= 0) {
            (void)close(kept);
        }
        return pv_i_hint(status, error, "name another folder with TMPDIR");
    }
    o->fd = fd;
    o->nameless_fd = kept;
    *output = o;
    return PV_STATUS_OK;
}

/* The thread that hashes behind us waits for it. */
static void count_written(pv_output *output, uint64_t size)
{
    (void)pthread_mutex_lock(&output->lock);
    output->written += size;
    (void)pthread_cond_signal(&output->more);
    (void)pthread_mutex_unlock(&output->lock);
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
        if (!output->hashes_behind) {
            pv_i_sha256_add(&output->sha, data, (size_t)written);
        }
        data += written;
        size -= (size_t)written;
        count_written(output, (uint64_t)written);
    }
    return PV_STATUS_OK;
}

/* ---- hashing behind the writer ---- */

/* The next piece of what was written and not hashed yet; false when there will be none. */
static bool next_piece(pv_output *output, uint64_t hashed, size_t *size)
{
    (void)pthread_mutex_lock(&output->lock);
    while (output->written == hashed && !output->complete) {
        (void)pthread_cond_wait(&output->more, &output->lock);
    }
    const uint64_t left = output->written - hashed;
    (void)pthread_mutex_unlock(&output->lock);
    *size = left < BEHIND_SIZE ? (size_t)left : BEHIND_SIZE;
    return left > 0;
}

static void *hash_behind(void *ctx)
{
    pv_output *const output = ctx;
    uint64_t hashed = 0;
    size_t size = 0;
    while (next_piece(output, hashed, &size)) {
        const ssize_t got = pread(output->behind_fd, output->behind, size, (off_t)hashed);
        if (got < 0 && errno == EINTR) {
            continue;
        }
        if (got <= 0) {
            output->behind_reason = got == 0 ? EIO : errno;
            break;
        }
        pv_i_sha256_add(&output->sha, output->behind, (size_t)got);
        hashed += (uint64_t)got;
    }
    return NULL;
}

void pv_i_output_hash_behind(pv_output *output)
{
    if (output->compression != PLAIN || output->written > 0 || output->hashes_behind) {
        return;
    }
    output->behind = pv_i_malloc(BEHIND_SIZE);
    output->behind_fd = open(output->path, O_RDONLY | O_CLOEXEC);
    output->hashes_behind = output->behind != NULL && output->behind_fd >= 0 &&
                            pthread_create(&output->hasher, NULL, hash_behind, output) == 0;
}

/* Nothing more comes. */
static void end_behind(pv_output *output)
{
    (void)pthread_mutex_lock(&output->lock);
    output->complete = true;
    (void)pthread_cond_signal(&output->more);
    (void)pthread_mutex_unlock(&output->lock);
}

static void join_hasher(pv_output *output)
{
    if (output->hashes_behind) {
        end_behind(output);
        (void)pthread_join(output->hasher, NULL);
        output->hashes_behind = false;
    }
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

/* Some file systems cannot sync (EINVAL); a full disk shows here at the latest. */
static void *bring_to_disk(void *ctx)
{
    pv_output *const output = ctx;
    const bool synced = fsync(output->fd) == 0 || errno == EINVAL;
    output->reason = synced ? 0 : errno;
    if (close(output->fd) != 0 && synced) {
        output->reason = errno;
    }
    output->fd = -1;
    return NULL;
}

pv_status pv_i_output_finish(pv_output *output, pv_error *error)
{
    if (output->is_flushing || output->fd < 0) {
        return PV_STATUS_OK;
    }
    PV_TRY(flush(output, error));
    output->used = 0;
    end_behind(output);
    output->is_flushing = output->written >= LARGE &&
                          pthread_create(&output->flusher, NULL, bring_to_disk, output) == 0;
    if (output->is_flushing) {
        return PV_STATUS_OK;
    }
    (void)bring_to_disk(output);
    return pv_i_output_settle(output, error);
}

pv_status pv_i_output_settle(pv_output *output, pv_error *error)
{
    (void)pv_i_output_hash(output);
    if (output->is_flushing) {
        (void)pthread_join(output->flusher, NULL);
        output->is_flushing = false;
    }
    errno = output->reason != 0 ? output->reason : output->behind_reason;
    return errno == 0 ? PV_STATUS_OK
                      : pv_i_fail_errno(error, PV_STATUS_IO, output->target,
                                        output->reason != 0 ? "cannot write the output"
                                                            : "cannot read back the output");
}

const char *pv_i_output_path(const pv_output *output)
{
    return output->path;
}

const char *pv_i_output_hash(pv_output *output)
{
    join_hasher(output);
    if (output->hash[0] == '\0') {
        pv_i_sha256_end_hex(&output->sha, output->hash);
    }
    return output->hash;
}

void pv_i_output_free(pv_output *output)
{
    if (output == NULL) {
        return;
    }
    join_hasher(output);
    if (output->is_flushing) {
        (void)pthread_join(output->flusher, NULL);
    }
    if (output->nameless_fd >= 0) {
        (void)close(output->nameless_fd);
    }
    if (output->behind_fd >= 0) {
        (void)close(output->behind_fd);
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
    (void)pthread_mutex_destroy(&output->lock);
    (void)pthread_cond_destroy(&output->more);
    pv_i_free(output->behind);
    pv_i_free(output->path);
    pv_i_free(output->target);
    pv_i_free(output);
}
