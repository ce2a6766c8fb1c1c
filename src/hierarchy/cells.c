/* Records of delimited cells. A cell that begins with a quote ends at its closing quote and may
 * contain anything, quotes doubled; any other cell is taken as it is. Lines end in LF, CRLF or CR.
 */
#include "hierarchy/cells.h"

#include "base/error.h"
#include "base/memory.h"

#include <string.h>

#define BYTE_ORDER_MARK "\xef\xbb\xbf"
#define SNIFFED_RECORDS 1000

pv_status pv_i_cells_check(const char *name, const char *data, size_t size, pv_error *error)
{
    const char *const nul = memchr(data, '\0', size);
    uint64_t line = 1;
    if (nul == NULL) {
        return PV_STATUS_OK;
    }
    for (const char *at = data; at < nul; at++) {
        line += *at == '\n';
    }
    return pv_i_hint(pv_i_fail_at(error, PV_STATUS_INPUT, name, line, 0,
                                  "contains a NUL byte: this is not a text file"),
                     error, "save it as text in UTF-8");
}

/* ---------------------------------------------------------------- one record */

static bool at_line_end(const pv_cells *cells)
{
    return cells->at == cells->end || *cells->at == '\n' || *cells->at == '\r';
}

/* One character inside quotes; a line end counts once, whatever its spelling. */
static void append_quoted_character(pv_cells *cells)
{
    const char c = *cells->at;
    const bool is_pair_start = c == '\r' && cells->at + 1 < cells->end && cells->at[1] == '\n';
    if ((c == '\n' || c == '\r') && !is_pair_start) {
        cells->line++;
    }
    pv_i_buffer_char(&cells->text, c);
    cells->at++;
}

static void append_quoted(pv_cells *cells)
{
    for (cells->at++; cells->at < cells->end; append_quoted_character(cells)) {
        if (*cells->at != '"') {
            continue;
        }
        cells->at++;
        if (cells->at == cells->end || *cells->at != '"') {
            return;
        }
    }
    cells->complaint = "a quote is opened but never closed";
}

static void append_cell(pv_cells *cells)
{
    if (cells->at < cells->end && *cells->at == '"') {
        append_quoted(cells);
        if (!at_line_end(cells) && *cells->at != cells->delimiter) {
            cells->complaint = "something follows a closing quote";
        }
    }
    const char *const start = cells->at; /* what is not in quotes is taken as it is */
    while (!at_line_end(cells) && *cells->at != cells->delimiter) {
        cells->at++;
    }
    pv_i_buffer_bytes(&cells->text, start, (size_t)(cells->at - start));
    pv_i_buffer_char(&cells->text, '\0');
    cells->n_cells++;
}

static pv_status point_at_cells(pv_cells *cells, pv_error *error)
{
    if (cells->text.failed || !pv_i_reserve((void **)&cells->cells, &cells->capacity,
                                            cells->n_cells, sizeof *cells->cells)) {
        return pv_i_no_memory(error);
    }
    const char *next = cells->text.data;
    for (size_t i = 0; i < cells->n_cells; i++) {
        cells->cells[i] = next;
        next += strlen(next) + 1;
    }
    return PV_STATUS_OK;
}

pv_status pv_i_cells_next(pv_cells *cells, bool *found, pv_error *error)
{
    *found = cells->at < cells->end;
    if (!*found) {
        return PV_STATUS_OK;
    }
    pv_i_buffer_clear(&cells->text);
    cells->n_cells = 0;
    cells->complaint = NULL;
    cells->first_line = cells->line;
    append_cell(cells);
    while (!at_line_end(cells)) {
        cells->at++; /* the delimiter */
        append_cell(cells);
    }
    if (cells->at < cells->end) { /* the line end, of one character or two */
        const bool is_pair =
            *cells->at == '\r' && cells->at + 1 < cells->end && cells->at[1] == '\n';
        cells->at += is_pair ? 2 : 1;
        cells->line++;
    }
    return point_at_cells(cells, error);
}

/* ---------------------------------------------------------------- all of them */

static pv_cells begin(const char *text, size_t size, char delimiter)
{
    const size_t mark = sizeof BYTE_ORDER_MARK - 1;
    const size_t skip = size >= mark && memcmp(text, BYTE_ORDER_MARK, mark) == 0 ? mark : 0;
    return (pv_cells){.at = text + skip, .end = text + size, .delimiter = delimiter, .line = 1};
}

/* Of the first records, how many a delimiter separates. */
typedef struct tally {
    uint64_t separated, records;
} tally;

static pv_status count_separated(const char *text, size_t size, char delimiter, tally *counts,
                                 pv_error *error)
{
    pv_cells cells = begin(text, size, delimiter);
    bool found = true;
    pv_status status = PV_STATUS_OK;
    *counts = (tally){0};
    while (counts->records < SNIFFED_RECORDS) {
        PV_TRY_CLEAN(pv_i_cells_next(&cells, &found, error));
        if (!found) {
            break;
        }
        counts->records++;
        counts->separated += cells.n_cells > 1;
    }
cleanup:
    pv_i_cells_deinit(&cells);
    return status;
}

pv_status pv_i_cells_init(pv_cells *cells, const char *text, size_t size, char delimiter,
                          pv_error *error)
{
    static const char candidates[] = {';', '\t', '|', ','};
    tally best = {0, 1};
    /* The largest share of separated records wins, the first of the list among equals. */
    const bool is_sniffed = delimiter == '\0';
    delimiter = is_sniffed ? candidates[0] : delimiter;
    for (size_t i = 0; is_sniffed && i < sizeof candidates; i++) {
        tally counts;
        PV_TRY(count_separated(text, size, candidates[i], &counts, error));
        if (counts.separated * best.records > best.separated * counts.records) {
            best = counts;
            delimiter = candidates[i];
        }
    }
    *cells = begin(text, size, delimiter);
    return PV_STATUS_OK;
}

void pv_i_cells_deinit(pv_cells *cells)
{
    pv_i_free(cells->cells);
    pv_i_buffer_deinit(&cells->text);
}
