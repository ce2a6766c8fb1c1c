/* Cuts a source into blocks of whole records.
 *
 *     source ---> [ record record rec ]      a block is filled, its whole records are handed out
 *                 [ord record record r]      and the rest comes first in the next block
 */
#include "table/feeder.h"

#include "base/error.h"
#include "base/memory.h"
#include "table/scan.h"

#include <assert.h>
#include <string.h>

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

static void finish_last(pv_block *block)
{
    if (block->size > 0 && block->data[block->size - 1] != '\n') {
        block->data[block->size++] = '\n'; /* there is padding for it */
    }
}

static pv_status too_long(const pv_feeder *f, pv_error *error)
{
    return pv_i_hint(pv_i_fail_at(error, PV_STATUS_LIMIT, pv_i_source_name(f->source), 0, 0,
                                  "a record is longer than %zu MiB", PV_RECORD_LIMIT >> 20),
                     error, "%s",
                     f->dialect.quoting ? "is a quote never closed? if quotes are ordinary "
                                          "characters in this file, say --no-quotes"
                                        : "is this a text file with line ends?");
}

pv_status pv_i_feeder_next(pv_feeder *feeder, pv_block *block, bool *more, pv_error *error)
{
    pv_feeder *const f = feeder;
    block->size = 0;
    for (size_t size = f->block_size;; size *= 2) {
        PV_TRY(fill(f, block, size, error));
        if (f->ended && f->at == f->size) {
            finish_last(block);
            break;
        }
        const size_t whole = pv_i_scan_whole(block->data, block->size, &f->dialect);
        if (whole > 0) {
            PV_TRY(put_back(f, block, block->size - whole, error));
            break;
        }
        if (size > PV_RECORD_LIMIT) {
            return too_long(f, error);
        }
    }
    *more = block->size > 0;
    block->index = f->n_blocks;
    f->n_blocks += *more;
    return PV_STATUS_OK;
}
