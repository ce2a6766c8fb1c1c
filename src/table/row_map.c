/* Writing and reading row maps. */
#include "table/row_map.h"

#include "base/bitset.h"
#include "base/buffer.h"
#include "base/error.h"
#include "base/file.h"
#include "base/memory.h"
#include "table/source.h"

#include <errno.h>
#include <string.h>
#include <unistd.h>

#define FIRST_WORDS "# paravent row map of "
#define SECOND_WORDS "# sha256 "
#define HEADER "row"
#define BLOCK_SIZE ((size_t)1 << 16)
#define LONGEST_NUMBER 20 /* digits */
#define LONGEST_LINE 4096 /* with the name of a file */

/* ------------------------------------------------------------------ writing */

/* Returns how many digits. */
static size_t format_number(uint64_t number, char *to)
{
    char digits[LONGEST_NUMBER];
    size_t n = 0;
    do {
        digits[n++] = (char)('0' + number % 10);
        number /= 10;
    } while (number > 0);
    for (size_t i = 0; i < n; i++) {
        to[i] = digits[n - 1 - i];
    }
    return n;
}

static pv_status write_heading(pv_output *output, const char *release, const char *sha256,
                               pv_error *error)
{
    pv_buffer text = {0};
    pv_i_buffer_text(&text, FIRST_WORDS);
    for (; *release != '\0'; release++) { /* one line, whatever the file is called */
        pv_i_buffer_char(&text, (unsigned char)*release < ' ' ? '?' : *release);
    }
    pv_i_buffer_format(&text,
                       ": private, whoever has it undoes the order of the rows\n" SECOND_WORDS
                       "%s\n" HEADER "\n",
                       sha256);
    const pv_status status = text.failed ? pv_i_no_memory(error)
                                         : pv_i_output_write(output, text.data, text.size, error);
    pv_i_buffer_deinit(&text);
    return status;
}

pv_status pv_i_row_map_write(pv_output *output, const char *release, const char *sha256,
                             const uint64_t *rows, uint64_t n, pv_error *error)
{
    char block[BLOCK_SIZE];
    size_t used = 0;
    PV_TRY(write_heading(output, release, sha256, error));
    for (uint64_t i = 0; i < n; i++) {
        used += format_number(rows[i] + 1, block + used);
        block[used++] = '\n';
        if (used > BLOCK_SIZE - LONGEST_NUMBER - 1) {
            PV_TRY(pv_i_output_write(output, block, used, error));
            used = 0;
        }
    }
    return pv_i_output_write(output, block, used, error);
}

/* ------------------------------------------------------------------ reading */

typedef struct {
    const char *path;
    pv_source *source;
    char block[BLOCK_SIZE];
    size_t at, size;
    uint64_t line; /* the last one taken, from 1 */
    pv_error *error;
} map_reader;

static pv_status open_map(const char *path, map_reader **reader, pv_error *error)
{
    map_reader *const r = PV_NEW(map_reader);
    if (r == NULL) {
        return pv_i_no_memory(error);
    }
    r->path = path;
    r->error = error;
    const pv_status status = pv_i_source_open(path, &r->source, error);
    if (status != PV_STATUS_OK) {
        pv_i_free(r);
        return status;
    }
    *reader = r;
    return PV_STATUS_OK;
}

static void close_map(map_reader *reader)
{
    pv_i_source_free(reader->source);
    pv_i_free(reader);
}

static pv_status fail_map(const map_reader *r, const char *what)
{
    return pv_i_hint_phrases(
        pv_i_fail_at(r->error, PV_STATUS_INPUT, r->path, r->line, 0, "%s", what), r->error,
        "give @", PV_PHRASE_ROW_MAP, PV_PHRASE_NONE);
}

/* The next line without its end; `*there` is false after the last one. */
static pv_status take_line(map_reader *r, char *line, size_t size, bool *there)
{
    size_t n = 0;
    bool ended = false;
    *there = false;
    while (!ended) {
        if (r->at == r->size) {
            PV_TRY(pv_i_source_read(r->source, r->block, BLOCK_SIZE, &r->size, r->error));
            r->at = 0;
            if (r->size == 0) {
                break;
            }
        }
        const char c = r->block[r->at++];
        *there = true;
        ended = c == '\n';
        if (!ended && n + 1 == size) {
            return fail_map(r, "is no row map: a line is too long");
        }
        if (!ended) {
            line[n++] = c;
        }
    }
    n -= n > 0 && line[n - 1] == '\r';
    line[n] = '\0';
    r->line += *there;
    return PV_STATUS_OK;
}

/* The three lines before the numbers. */
static pv_status take_heading(map_reader *r, char sha256[PV_SHA256_HEX])
{
    char line[LONGEST_LINE];
    bool there;
    PV_TRY(take_line(r, line, sizeof line, &there));
    if (strncmp(line, FIRST_WORDS, strlen(FIRST_WORDS)) != 0) {
        return fail_map(r, "is no row map");
    }
    PV_TRY(take_line(r, line, sizeof line, &there));
    const char *const hex = line + strlen(SECOND_WORDS);
    if (strncmp(line, SECOND_WORDS, strlen(SECOND_WORDS)) != 0 ||
        strspn(hex, "0123456789abcdef") != PV_SHA256_HEX - 1 || strlen(hex) != PV_SHA256_HEX - 1) {
        return fail_map(r, "is no row map: it does not say to which release it belongs");
    }
    memcpy(sha256, hex, PV_SHA256_HEX);
    PV_TRY(take_line(r, line, sizeof line, &there));
    return strcmp(line, HEADER) == 0 ? PV_STATUS_OK
                                     : fail_map(r, "is no row map: `" HEADER "` is expected here");
}

pv_status pv_i_row_map_release(const char *path, char sha256[PV_SHA256_HEX], pv_error *error)
{
    map_reader *r = NULL;
    PV_TRY(open_map(path, &r, error));
    const pv_status status = take_heading(r, sha256);
    close_map(r);
    return status;
}

/* 0 if it is no number of a row. */
static uint64_t parse_row(const char *line)
{
    const size_t n = strspn(line, "0123456789");
    uint64_t row = 0;
    if (line[n] != '\0' || n >= LONGEST_NUMBER) {
        return 0;
    }
    for (size_t i = 0; i < n; i++) {
        row = 10 * row + (uint64_t)(line[i] - '0');
    }
    return row;
}

static pv_status take_rows(map_reader *r, uint64_t n, uint64_t n_original, uint64_t *taken,
                           uint64_t *rows)
{
    char line[LONGEST_LINE];
    bool there;
    for (uint64_t i = 0;; i++) {
        PV_TRY(take_line(r, line, sizeof line, &there));
        if (!there || i == n) {
            return there == (i == n) ? fail_map(r, there ? "the map has more rows than the release"
                                                         : "the map has fewer rows than the "
                                                           "release")
                                     : PV_STATUS_OK;
        }
        const uint64_t row = parse_row(line);
        if (row == 0 || row > n_original) {
            return fail_map(r, row == 0 ? "this is no number of a row"
                                        : "the original has no such row");
        }
        if (pv_i_bit_get(taken, row - 1)) {
            return fail_map(r, "this row was there before");
        }
        pv_i_bit_set(taken, row - 1);
        rows[i] = row - 1;
    }
}

pv_status pv_i_row_map_read(const char *path, uint64_t n, uint64_t n_original, uint64_t **rows,
                            pv_error *error)
{
    map_reader *r = NULL;
    char sha256[PV_SHA256_HEX];
    pv_status status = PV_STATUS_OK;
    PV_TRY(open_map(path, &r, error));
    uint64_t *const taken = PV_NEW_ZEROED(uint64_t, PV_BITSET_WORDS(n_original));
    uint64_t *found = PV_NEW_ARRAY(uint64_t, n);
    if (taken == NULL || found == NULL) {
        status = pv_i_no_memory(error);
        goto cleanup;
    }
    PV_TRY_CLEAN(take_heading(r, sha256));
    PV_TRY_CLEAN(take_rows(r, n, n_original, taken, found));
    *rows = found;
    found = NULL;
cleanup:
    pv_i_free(taken);
    pv_i_free(found);
    close_map(r);
    return status;
}
