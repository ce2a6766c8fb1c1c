/* From the rows of a block to dictionary codes.
 *
 * The rows are taken a few hundred at a time, so that their text stays in the nearest cache while
 * one column after the other is encoded: the loop over one column knows one dictionary and has no
 * branch that depends on which column it is. */
#include "table/reading.h"

#include "base/memory.h"
#include "table/column.h"
#include "table/cpu.h"

#include <string.h>
#if PV_CPU_LEVEL >= 2
#include <immintrin.h>
#endif

#define CACHED_BYTES ((size_t)1 << 14) /* of text per batch of rows */

bool pv_i_encoder_init(pv_encoder *encoder, const pv_heading *heading, bool skip_bad)
{
    encoder->heading = heading;
    encoder->skip_bad = skip_bad;
    encoder->dictionaries = PV_NEW_ZEROED(pv_lexicon, heading->n_kept);
    bool ready = encoder->dictionaries != NULL;
    while (ready && encoder->n_ready < heading->n_kept) {
        ready = pv_i_lexicon_init(&encoder->dictionaries[encoder->n_ready], 0);
        encoder->n_ready += ready;
    }
    return ready;
}

void pv_i_encoder_deinit(pv_encoder *encoder)
{
    for (size_t i = 0; i < encoder->n_ready; i++) {
        pv_i_lexicon_deinit(&encoder->dictionaries[i]);
    }
    pv_i_free(encoder->dictionaries);
    pv_i_block_deinit(&encoder->block);
    pv_i_scan_deinit(&encoder->scan);
    pv_i_rows_deinit(&encoder->rows);
    pv_i_free(encoder->codes);
    pv_i_free(encoder->unquoted);
    *encoder = (pv_encoder){0};
}

/* --------------------------------------------------------------- one field */

typedef struct {
    const char *text;
    size_t length;
} slice;

/* A quoted field whose quotes are not just around it: inner quotes are doubled, or text follows the
 * closing one. NULL text = no memory. */
static slice unquote_copy(pv_encoder *e, const char *at, const char *end)
{
    const size_t needed = (size_t)(end - at) + PV_KEY_SIZE;
    if (!pv_i_reserve((void **)&e->unquoted, &e->unquoted_capacity, needed, 1)) {
        return (slice){0};
    }
    char *out = e->unquoted;
    while (at < end && (*at != PV_QUOTE || (at + 1 < end && at[1] == PV_QUOTE))) {
        at += *at == PV_QUOTE; /* the first of two */
        *out++ = *at++;
    }
    const size_t rest = at < end ? (size_t)(end - at) - 1 : 0; /* after the closing quote */
    if (rest > 0) {
        memcpy(out, at + 1, rest);
    }
    return (slice){.text = e->unquoted, .length = (size_t)(out - e->unquoted) + rest};
}

/* `field` begins with a quote. */
static slice unquote(pv_encoder *e, slice field)
{
    const char *const start = field.text + 1;
    const char *const end = field.text + field.length;
    const char *const quote = memchr(start, PV_QUOTE, (size_t)(end - start));
    if (quote == end - 1) {
        return (slice){.text = start, .length = (size_t)(quote - start)};
    }
    return unquote_copy(e, start, end);
}

/* -------------------------------------------------------------- one column */

typedef struct {
    const char *data;
    const uint32_t *bounds; /* of this field in the first row */
    size_t stride;
    size_t n_rows;
} strip;

/* What a lookup reads, copied where the compiler can see that nothing changes it. */
typedef struct {
    const uint32_t *slots;
    const pv_key *keys;
    uint64_t *counts;
    unsigned shift;
} lookup;

static inline lookup lookup_in(const pv_lexicon *d)
{
    return (lookup){.slots = d->slots, .keys = d->keys, .counts = d->counts, .shift = d->shift};
}

static inline pv_key load_key(slice field)
{
    pv_key key;
    pv_key mask;
    memcpy(&key, field.text, sizeof key);
    memcpy(&mask, pv_i_key_mask(field.length), sizeof mask);
    return (pv_key){.words = {key.words[0] & mask.words[0], key.words[1] & mask.words[1],
                              key.words[2] & mask.words[2], key.words[3] & mask.words[3]}};
}

/* Is a short text in the first slot where it may be? Then that is its entry. */
static inline bool glance(const lookup *l, slice field, uint32_t *entry)
{
    const pv_key key = load_key(field);
    *entry = l->slots[pv_i_text_key_hash(key) >> l->shift];
    return pv_i_text_key_equal(l->keys[*entry], key);
}

#define KERNEL(name) name
#define TARGET
#define GLANCE glance
#include "table/encode_kernel.h"

#if PV_CPU_LEVEL >= 2
PV_TARGET_AVX2 static inline bool glance_avx2(const lookup *l, slice field, uint32_t *entry)
{
    const __m256i text = _mm256_loadu_si256((const __m256i *)(const void *)field.text);
    const __m256i mask =
        _mm256_loadu_si256((const __m256i *)(const void *)pv_i_key_mask(field.length));
    const __m256i key = _mm256_and_si256(text, mask);
    const __m128i turned = _mm_shuffle_epi32(_mm256_extracti128_si256(key, 1), 0x39);
    const __m128i salt = _mm_set_epi64x((long long)PV_KEY_SALT_1, (long long)PV_KEY_SALT_0);
    const __m128i half = _mm_xor_si128(_mm_xor_si128(_mm256_castsi256_si128(key), turned), salt);
    const uint64_t hash =
        pv_i_key_mix((uint64_t)_mm_cvtsi128_si64(half), (uint64_t)_mm_extract_epi64(half, 1));
    *entry = l->slots[hash >> l->shift];
    const __m256i there = _mm256_loadu_si256((const __m256i *)(const void *)&l->keys[*entry]);
    const __m256i difference = _mm256_xor_si256(key, there);
    return _mm256_testz_si256(difference, difference);
}

#define KERNEL(name) name##_avx2
#define TARGET PV_TARGET_AVX2
#define GLANCE glance_avx2
#include "table/encode_kernel.h"
#endif

typedef uint32_t (*encode_fn)(pv_encoder *, pv_lexicon *, const strip *, bool, bool, uint32_t *);

static encode_fn choose_kernel(void)
{
#if PV_CPU_LEVEL >= 2
    if (pv_i_cpu_has_avx2()) {
        return encode_strip_avx2;
    }
#endif
    return encode_strip;
}

/* --------------------------------------------------------------- one block */

/* So many rows have about CACHED_BYTES of text: half of a first-level cache of 32 KiB, the other
 * half being for the slots and keys of the column at hand. */
static size_t batch_rows(const pv_encoder *e)
{
    const size_t rows = e->rows.n_rows * CACHED_BYTES / (e->block.size + 1);
    return rows > 16 ? rows : 16;
}

/* All kept columns of rows first..first+n-1. */
static bool encode_batch(pv_encoder *e, encode_fn encode, size_t first, size_t n)
{
    const pv_heading *const h = e->heading;
    for (size_t c = 0; c < h->n_kept; c++) {
        const strip s = {
            .data = e->block.data,
            .bounds = e->rows.bounds + first * e->rows.stride + h->fields[c],
            .stride = e->rows.stride,
            .n_rows = n,
        };
        const bool last = h->fields[c] + 1 == h->n_fields;
        const uint32_t failure = encode(e, &e->dictionaries[c], &s, e->scan.has_quotes, last,
                                        e->codes + c * e->rows.n_rows + first);
        if (failure != 0) {
            e->rows.trouble = (pv_trouble){
                .kind = failure == PV_DICTIONARY_FULL ? PV_TROUBLE_LIMIT : PV_TROUBLE_MEMORY,
                .found = c,
            };
            return false;
        }
    }
    return true;
}

static void encode_rows(pv_encoder *e)
{
    const size_t n_rows = e->rows.n_rows;
    const size_t batch = batch_rows(e);
    const encode_fn encode = choose_kernel();
    /* A code has at least one byte of the block, so this does not overflow. */
    const size_t n_codes = n_rows * e->heading->n_kept;
    if (!pv_i_reserve((void **)&e->codes, &e->codes_capacity, n_codes + 1, sizeof *e->codes)) {
        e->rows.trouble = (pv_trouble){.kind = PV_TROUBLE_MEMORY};
        return;
    }
    bool well = true;
    for (size_t first = 0; well && first < n_rows; first += batch) {
        const size_t left = n_rows - first;
        well = encode_batch(e, encode, first, left < batch ? left : batch);
    }
}

/* -------------------------------------------------------------- the result */

static size_t codes_size(const pv_encoder *e)
{
    size_t size = 0;
    for (size_t c = 0; c < e->heading->n_kept; c++) {
        size += e->rows.n_rows * pv_i_codes_width(e->dictionaries[c].n);
    }
    return size;
}

static pv_piece *make_piece(const pv_encoder *e)
{
    const bool well = e->rows.trouble.kind == PV_TROUBLE_NONE;
    const size_t n_columns = well ? e->heading->n_kept : 0;
    const size_t marks_size = e->rows.n_marks * sizeof(pv_line_mark);
    const size_t values_size = n_columns * sizeof(uint32_t);
    pv_piece *const piece =
        pv_i_malloc(sizeof(pv_piece) + marks_size + values_size + (well ? codes_size(e) : 0));
    if (piece == NULL) {
        return NULL;
    }
    *piece = (pv_piece){
        .n_rows = e->rows.n_rows,
        .n_skipped = e->rows.n_skipped,
        .n_lines = e->rows.n_lines,
        .trouble = e->rows.trouble,
        .marks = (pv_line_mark *)(piece + 1),
        .n_marks = e->rows.n_marks,
    };
    piece->n_values = (uint32_t *)(piece->marks + piece->n_marks);
    piece->codes = (uint8_t *)(piece->n_values + n_columns);
    if (marks_size > 0) {
        memcpy(piece->marks, e->rows.marks, marks_size);
    }
    uint8_t *out = piece->codes;
    for (size_t c = 0; c < n_columns; c++) {
        piece->n_values[c] = e->dictionaries[c].n;
        out = pv_i_codes_pack(e->codes + c * e->rows.n_rows, e->rows.n_rows,
                              pv_i_codes_width(e->dictionaries[c].n), out);
    }
    return piece;
}

pv_piece *pv_i_encode(pv_encoder *encoder, const pv_dialect *dialect)
{
    pv_encoder *const e = encoder;
    if (!pv_i_scan(&e->scan, e->block.data, e->block.size, dialect)) {
        return NULL;
    }
    pv_i_rows_find(&e->rows, &e->scan, e->block.data, e->heading->n_fields, e->skip_bad);
    if (e->rows.trouble.kind == PV_TROUBLE_NONE) {
        encode_rows(e);
    }
    return make_piece(e);
}
