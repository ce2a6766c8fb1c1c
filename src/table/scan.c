/* The structure of a block of text.
 *
 * Sixty-four bytes at a time become three masks: delimiters, line ends, quotes. The bytes inside
 * quotes are those behind an odd number of quotes, a running exclusive or:
 *
 *     text    a;"b;c";d        delimiters  01001010
 *     quotes  0010001 0        inside      00111100     structure = delimiters and not inside
 *
 * That is true only if every quote plays its part: one that opens must follow a delimiter, a line
 * end, or (a doubled quote) one that closes. Should any other quote turn up, the block is scanned
 * again, byte by byte, by the letter of the language (see records.h). */
#include "table/scan.h"

#include "base/memory.h"

#include <string.h>
#ifdef __SSE2__
#include <emmintrin.h>
#endif

#define CHUNK 64

typedef struct {
    uint64_t delimiters, line_ends, quotes, nuls;
} masks;

#ifdef __SSE2__
static inline uint64_t mask16(__m128i bytes, __m128i wanted)
{
    return (uint16_t)_mm_movemask_epi8(_mm_cmpeq_epi8(bytes, wanted));
}

static inline masks classify(const char *chunk, char delimiter)
{
    masks m = {0};
    for (unsigned i = 0; i < CHUNK; i += 16) {
        const __m128i bytes = _mm_loadu_si128((const __m128i *)(const void *)(chunk + i));
        m.delimiters |= mask16(bytes, _mm_set1_epi8(delimiter)) << i;
        m.line_ends |= mask16(bytes, _mm_set1_epi8('\n')) << i;
        m.quotes |= mask16(bytes, _mm_set1_epi8(PV_QUOTE)) << i;
        m.nuls |= mask16(bytes, _mm_setzero_si128()) << i;
    }
    return m;
}
#else
static inline masks classify(const char *chunk, char delimiter)
{
    masks m = {0};
    for (unsigned i = 0; i < CHUNK; i++) {
        m.delimiters |= (uint64_t)(chunk[i] == delimiter) << i;
        m.line_ends |= (uint64_t)(chunk[i] == '\n') << i;
        m.quotes |= (uint64_t)(chunk[i] == PV_QUOTE) << i;
        m.nuls |= (uint64_t)(chunk[i] == '\0') << i;
    }
    return m;
}
#endif

/* Forgets the bytes of a last chunk beyond the end. */
static inline masks classify_last(const char *chunk, size_t left, char delimiter)
{
    masks m = classify(chunk, delimiter);
    const uint64_t within = left < CHUNK ? ((uint64_t)1 << left) - 1 : UINT64_MAX;
    m.delimiters &= within;
    m.line_ends &= within;
    m.quotes &= within;
    m.nuls &= within;
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

static bool make_room(pv_scan *scan, size_t more)
{
    return scan->n_ends + 1 + more <= scan->capacity ||
           pv_i_reserve((void **)&scan->bounds, &scan->capacity, scan->n_ends + 1 + more,
                        sizeof *scan->bounds);
}

/* Appends the positions of the set bits. */
static inline void append_bits(pv_scan *scan, uint64_t bits, size_t position)
{
    uint32_t *out = scan->bounds + 1 + scan->n_ends;
    scan->n_ends += (size_t)__builtin_popcountll(bits);
    while (bits != 0) {
        *out++ = (uint32_t)(position + (size_t)__builtin_ctzll(bits));
        bits &= bits - 1;
    }
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

static inline outcome scan_chunks(pv_scan *scan, const char *data, size_t size, char delimiter,
                                  bool quoting)
{
    quote_state state = QUOTES_START;
    for (size_t i = 0; i < size; i += CHUNK) {
        const masks m = classify_last(data + i, size - i, delimiter);
        const uint64_t inside = quoting ? track_quotes(&state, &m) : 0;
        if (!make_room(scan, CHUNK)) {
            return NO_MEMORY;
        }
        append_bits(scan, (m.delimiters | m.line_ends) & ~inside, i);
        scan->n_records += (size_t)__builtin_popcountll(m.line_ends & ~inside);
        scan->n_lines += (size_t)__builtin_popcountll(m.line_ends);
        if (m.nuls != 0 && scan->nul == SIZE_MAX) {
            scan->nul = i + (size_t)__builtin_ctzll(m.nuls);
        }
    }
    return state.odd_quotes || state.inside != 0 ? ODD_QUOTES : SCANNED;
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
            if (!make_room(scan, 1)) {
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
    const outcome result = scan->has_quotes
                               ? scan_chunks(scan, data, size, dialect->delimiter, true)
                               : scan_chunks(scan, data, size, dialect->delimiter, false);
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
        const masks m = classify_last(data + i, size - i, delimiter);
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
