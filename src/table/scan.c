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
 * again, byte by byte, by the letter of the language (see records.h).
 *
 * From the structure follow the rows. Nearly always every record has the right number of fields and
 * one line: then the bounds of the scan are the rows as they are. Otherwise the records are looked
 * at one by one and the good ones copied. */
#include "base/memory.h"
#include "table/cpu.h"
#include "table/reading.h"

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
    bool odd_quotes;   /* there is a quote where none belongs */
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

/* Makes space for that many bounds after the first. */
static inline bool reserve(pv_scan *scan, size_t n_ends)
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

typedef enum { FIELD_START, PLAIN, QUOTED, AFTER_QUOTE } place;

/* The state of the machine after a byte. */
static inline place step(place at, char byte, char delimiter)
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
    place at = FIELD_START;
    size_t opened = 0;
    for (size_t i = 0; i < size; i++) {
        const place next = step(at, data[i], delimiter);
        if (at == FIELD_START && next == QUOTED) {
            opened = i;
        }
        if (next == FIELD_START) {
            if (!reserve(scan, scan->n_ends + 1)) {
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
    if (!reserve(scan, CHUNK)) {
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
    place at = FIELD_START;
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

/* ----------------------------------------------------------------------- rows */

#define LINE_NOT_KEPT UINT64_MAX
#define MARKS_FREE 16   /* so many marks are kept whatever the number of rows, */
#define ROWS_PER_MARK 8 /* beyond that one per so many rows */

void pv_i_rows_deinit(pv_rows *rows)
{
    pv_i_free(rows->marks);
    pv_i_free(rows->sorted);
    *rows = (pv_rows){0};
}

static bool mark_line(pv_rows *rows, uint64_t row, uint64_t line)
{
    if (!pv_i_reserve((void **)&rows->marks, &rows->marks_capacity, rows->n_marks + 1,
                      sizeof *rows->marks)) {
        return false;
    }
    rows->marks[rows->n_marks++] = (pv_line_mark){.row = row, .line = line};
    return true;
}

static void run_out(pv_rows *rows)
{
    rows->trouble = (pv_trouble){.kind = PV_TROUBLE_MEMORY};
}

static bool is_blank_line(const char *data, uint32_t start, uint32_t end)
{
    return start == end || (start + 1 == end && data[start] == '\r');
}

/* Is every n-th bound a line end, and no other? Blank lines of a single column do not pass. */
static bool is_regular(const pv_scan *scan, const char *data, size_t n_fields)
{
    if (scan->n_ends != scan->n_records * n_fields || scan->n_lines != scan->n_records ||
        scan->nul != SIZE_MAX || scan->open_quote != SIZE_MAX) {
        return false;
    }
    const uint32_t *bound = scan->bounds;
    for (size_t r = 0; r < scan->n_records; r++) {
        const uint32_t start = *bound + 1;
        bound += n_fields;
        if (data[*bound] != '\n' || (n_fields == 1 && is_blank_line(data, start, *bound))) {
            return false;
        }
    }
    return true;
}

/* ------------------------------------------------------- record by record */

typedef struct {
    const pv_scan *scan;
    const char *data;
    size_t at;     /* index of the bound before the record */
    uint64_t line; /* of its start */
} position;

/* Where a NUL or an unclosed quote spoils the text; records from there on do not count. */
static size_t spoiled_at(const pv_scan *scan)
{
    return scan->nul < scan->open_quote ? scan->nul : scan->open_quote;
}

/* The number of fields of the record that begins after bound `at`; 0 if the text ends within it. */
static size_t record_fields(const position *w)
{
    const pv_scan *const scan = w->scan;
    for (size_t i = w->at + 1; i <= scan->n_ends; i++) {
        if (w->data[scan->bounds[i]] == '\n') {
            return i - w->at;
        }
    }
    return 0;
}

static bool take_row(pv_rows *rows, const position *w, size_t n_fields)
{
    uint32_t *const to = rows->sorted + rows->n_rows * rows->stride;
    for (size_t i = 0; i <= n_fields; i++) {
        to[i] = w->scan->bounds[w->at + i];
    }
    const pv_line_mark *const last = rows->n_marks > 0 ? &rows->marks[rows->n_marks - 1] : NULL;
    const bool expected = last != NULL && last->line + (rows->n_rows - last->row) == w->line;
    if (!expected && !mark_line(rows, rows->n_rows, w->line)) {
        return false;
    }
    rows->n_rows++;
    return true;
}

/* One record. False = it was the last, or there is trouble. */
static bool take_record(pv_rows *rows, position *w, size_t n_fields, bool skip_bad)
{
    const pv_scan *const scan = w->scan;
    const size_t found = record_fields(w);
    const uint32_t start = scan->bounds[w->at] + 1;
    const uint32_t end = found > 0 ? scan->bounds[w->at + found] : UINT32_MAX;
    const size_t spoiled = spoiled_at(scan);
    if (spoiled < end) {
        rows->trouble =
            (pv_trouble){.kind = spoiled == scan->nul ? PV_TROUBLE_NUL : PV_TROUBLE_QUOTE,
                         .line = w->line + pv_i_count_lines(w->data + start, spoiled - start)};
        return false;
    }
    if (found == 0) {
        return false;
    }
    if (found == n_fields && !(found == 1 && is_blank_line(w->data, start, end))) {
        if (!take_row(rows, w, n_fields)) {
            run_out(rows);
            return false;
        }
    } else if (found != 1 || !is_blank_line(w->data, start, end)) {
        if (!skip_bad) {
            rows->trouble =
                (pv_trouble){.kind = PV_TROUBLE_FIELDS, .line = w->line, .found = found};
            return false;
        }
        rows->n_skipped++;
    }
    const bool one_line = scan->n_lines == scan->n_records;
    w->line += one_line ? 1 : pv_i_count_lines(w->data + start, (size_t)(end - start) + 1);
    w->at += found;
    return w->at < scan->n_ends || spoiled != SIZE_MAX;
}

static void take_records(pv_rows *rows, const pv_scan *scan, const char *data, size_t n_fields,
                         bool skip_bad)
{
    /* Every row takes n + 1 bounds out of at least n that the scan found for it. */
    const size_t most = scan->n_ends + scan->n_ends / n_fields + 1;
    position w = {.scan = scan, .data = data};
    rows->stride = n_fields + 1;
    if (!pv_i_reserve((void **)&rows->sorted, &rows->sorted_capacity, most, sizeof *rows->sorted)) {
        run_out(rows);
        return;
    }
    rows->bounds = rows->sorted;
    while (take_record(rows, &w, n_fields, skip_bad)) {
    }
    /* A file with a line break in every other record would cost more for its line numbers than for
     * its data. */
    if (rows->n_marks > MARKS_FREE + rows->n_rows / ROWS_PER_MARK) {
        rows->marks[0] = (pv_line_mark){.row = 0, .line = LINE_NOT_KEPT};
        rows->n_marks = 1;
    }
}

void pv_i_rows_find(pv_rows *rows, const pv_scan *scan, const char *data, size_t n_fields,
                    bool skip_bad)
{
    rows->n_rows = 0;
    rows->n_skipped = 0;
    rows->n_marks = 0;
    rows->n_lines = scan->n_lines;
    rows->trouble = (pv_trouble){0};
    if (!is_regular(scan, data, n_fields)) {
        take_records(rows, scan, data, n_fields, skip_bad);
        return;
    }
    rows->bounds = scan->bounds;
    rows->stride = n_fields;
    rows->n_rows = scan->n_records;
    if (!mark_line(rows, 0, 0)) {
        run_out(rows);
    }
}
