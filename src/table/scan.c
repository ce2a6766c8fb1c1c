/* The structure of a block of text.
 *
 * Sixty-four bytes at a time become masks with a bit per byte. The bytes inside quotes are those
 * behind an odd number of quotes, a running exclusive or:
 *
 *     text        a;"b;c";d
 *     delimiters  010010010
 *     quotes      001000100
 *     inside      001111000
 *     structure   010000010    delimiters and line ends that are not inside
 *
 * That is true only if every quote plays its part: one that opens must follow a delimiter, a line
 * end, or (a doubled quote) one that closes. Should any other quote turn up, the block is scanned
 * again, byte by byte, by the letter of the language (see records.h). */
#include "table/scan.h"

#include "base/memory.h"
#include "table/cpu.h"

#include <string.h>
#if PV_CPU_LEVEL >= 1
#include <immintrin.h>
#endif

#define CHUNK 64

typedef struct {
    uint64_t delimiters, line_ends, quotes, nuls;
} masks;

#if PV_CPU_LEVEL >= 1
static inline uint64_t mask16(__m128i bytes, char wanted)
{
    return (uint16_t)_mm_movemask_epi8(_mm_cmpeq_epi8(bytes, _mm_set1_epi8(wanted)));
}
#endif

static inline masks classify(const char *chunk, char delimiter)
{
    masks m = {0};
#if PV_CPU_LEVEL >= 1
    for (unsigned i = 0; i < CHUNK; i += 16) {
        const __m128i bytes = _mm_loadu_si128((const __m128i *)(const void *)(chunk + i));
        m.delimiters |= mask16(bytes, delimiter) << i;
        m.line_ends |= mask16(bytes, '\n') << i;
        m.quotes |= mask16(bytes, PV_QUOTE) << i;
        m.nuls |= mask16(bytes, '\0') << i;
    }
#else
    for (unsigned i = 0; i < CHUNK; i++) {
        m.delimiters |= (uint64_t)(chunk[i] == delimiter) << i;
        m.line_ends |= (uint64_t)(chunk[i] == '\n') << i;
        m.quotes |= (uint64_t)(chunk[i] == PV_QUOTE) << i;
        m.nuls |= (uint64_t)(chunk[i] == '\0') << i;
    }
#endif
    return m;
}

/* Bit i of the result is the exclusive or of bits 0..i. */
static inline uint64_t running_xor(uint64_t bits)
{
    for (unsigned shift = 1; shift < 64; shift *= 2) {
        bits ^= bits << shift;
    }
    return bits;
}

/* What one chunk hands over to the next. */
typedef struct {
    uint64_t inside;   /* all ones if the last byte was inside quotes */
    uint64_t may_open; /* 1 if a quote may open at the next byte */
    bool odd_quotes;   /* a quote stands where none belongs */
} quote_state;

#define QUOTES_START ((quote_state){.may_open = 1})

/* The bytes of a chunk that are inside quotes, the opening one included. */
static inline uint64_t track_quotes(quote_state *state, const masks *m)
{
    const uint64_t inside = running_xor(m->quotes) ^ state->inside;
    const uint64_t opening = m->quotes & inside;
    const uint64_t closing = m->quotes & ~inside;
    const uint64_t before_field = ((m->delimiters | m->line_ends) & ~inside) | closing;
    state->odd_quotes |= (opening & ~(before_field << 1 | state->may_open)) != 0;
    state->may_open = before_field >> 63;
    state->inside = (uint64_t)0 - (inside >> 63);
    return inside;
}

/* Room for that many bounds after the first. */
static inline bool make_room(pv_scan *scan, size_t n_ends)
{
    return n_ends < scan->capacity ||
           pv_i_reserve((void **)&scan->bounds, &scan->capacity, n_ends + 1, sizeof *scan->bounds);
}

static void restart(pv_scan *scan)
{
    scan->n_ends = 0;
    scan->n_records = 0;
    scan->n_lines = 0;
    scan->nul = SIZE_MAX;
    scan->open_quote = SIZE_MAX;
}

typedef enum { SCANNED, NO_MEMORY, ODD_QUOTES } outcome;

#define KERNEL(name) name
#define TARGET
#define CLASSIFY classify
#include "table/scan_kernel.h"

#if PV_CPU_LEVEL >= 2
PV_TARGET_AVX2 static inline uint64_t mask64(__m256i low, __m256i high, char wanted)
{
    const __m256i all = _mm256_set1_epi8(wanted);
    const uint32_t first = (uint32_t)_mm256_movemask_epi8(_mm256_cmpeq_epi8(low, all));
    const uint32_t second = (uint32_t)_mm256_movemask_epi8(_mm256_cmpeq_epi8(high, all));
    return first | (uint64_t)second << 32;
}

PV_TARGET_AVX2 static inline masks classify_avx2(const char *chunk, char delimiter)
{
    const __m256i low = _mm256_loadu_si256((const __m256i *)(const void *)chunk);
    const __m256i high = _mm256_loadu_si256((const __m256i *)(const void *)(chunk + 32));
    return (masks){
        .delimiters = mask64(low, high, delimiter),
        .line_ends = mask64(low, high, '\n'),
        .quotes = mask64(low, high, PV_QUOTE),
        .nuls = mask64(low, high, '\0'),
    };
}

#define KERNEL(name) name##_avx2
#define TARGET PV_TARGET_AVX2
#define CLASSIFY classify_avx2
#include "table/scan_kernel.h"
#endif

static outcome scan_fast(pv_scan *scan, const char *data, size_t size, char delimiter)
{
#if PV_CPU_LEVEL >= 2
    if (pv_i_cpu_has_avx2()) {
        return scan_block_avx2(scan, data, size, delimiter);
    }
#endif
    return scan_block(scan, data, size, delimiter);
}

/* ----------------------------------------------- by the letter, byte by byte */

typedef enum { FIELD_START, PLAIN, QUOTED, AFTER_QUOTE } position;

/* Where the machine stands after a byte. */
static inline position step(position at, char byte, char delimiter)
{
    if (at == QUOTED) {
        return byte == PV_QUOTE ? AFTER_QUOTE : QUOTED;
    }
    if (byte == PV_QUOTE && at != PLAIN) {
        return QUOTED; /* opens a field, or doubles the quote before */
    }
    return byte == delimiter || byte == '\n' ? FIELD_START : PLAIN;
}

static bool scan_bytes(pv_scan *scan, const char *data, size_t size, char delimiter)
{
    position at = FIELD_START;
    size_t opened = 0;
    for (size_t i = 0; i < size; i++) {
        const position next = step(at, data[i], delimiter);
        if (at == FIELD_START && next == QUOTED) {
            opened = i;
        }
        if (next == FIELD_START) {
            if (!make_room(scan, scan->n_ends + 1)) {
                return false;
            }
            scan->bounds[1 + scan->n_ends++] = (uint32_t)i;
            scan->n_records += data[i] == '\n';
        }
        scan->n_lines += data[i] == '\n';
        scan->nul = data[i] == '\0' && scan->nul == SIZE_MAX ? i : scan->nul;
        at = next;
    }
    scan->open_quote = at == QUOTED ? opened : SIZE_MAX;
    return true;
}

bool pv_i_scan(pv_scan *scan, const char *data, size_t size, const pv_dialect *dialect)
{
    restart(scan);
    scan->has_quotes = dialect->quoting && memchr(data, PV_QUOTE, size) != NULL;
    if (!make_room(scan, CHUNK)) {
        return false;
    }
    scan->bounds[0] = UINT32_MAX;
    const outcome result = scan_fast(scan, data, size, dialect->delimiter);
    if (result == ODD_QUOTES) {
        restart(scan);
        return scan_bytes(scan, data, size, dialect->delimiter);
    }
    return result == SCANNED;
}

void pv_i_scan_deinit(pv_scan *scan)
{
    pv_i_free(scan->bounds);
    *scan = (pv_scan){0};
}

/* ------------------------------------------------------------- whole records */

static size_t whole_by_bytes(const char *data, size_t size, char delimiter)
{
    position at = FIELD_START;
    size_t whole = 0;
    for (size_t i = 0; i < size; i++) {
        at = step(at, data[i], delimiter);
        if (at == FIELD_START && data[i] == '\n') {
            whole = i + 1;
        }
    }
    return whole;
}

static size_t whole_by_chunks(const char *data, size_t size, char delimiter)
{
    quote_state state = QUOTES_START;
    size_t whole = 0;
    for (size_t i = 0; i < size; i += CHUNK) {
        const masks m = classify_within(data + i, size - i, delimiter);
        const uint64_t ends = m.line_ends & ~track_quotes(&state, &m);
        if (ends != 0) {
            whole = i + CHUNK - (size_t)__builtin_clzll(ends);
        }
    }
    return state.odd_quotes ? whole_by_bytes(data, size, delimiter) : whole;
}

size_t pv_i_scan_whole(const char *data, size_t size, const pv_dialect *dialect)
{
    if (dialect->quoting && memchr(data, PV_QUOTE, size) != NULL) {
        return whole_by_chunks(data, size, dialect->delimiter);
    }
    const char *const last = memrchr(data, '\n', size);
    return last != NULL ? (size_t)(last - data) + 1 : 0;
}

size_t pv_i_count_lines(const char *data, size_t size)
{
    size_t n = 0;
    for (size_t i = 0; i < size; i++) {
        n += data[i] == '\n';
    }
    return n;
}
