/* Cutting a text into blocks, a block into records, a record into fields.
 *
 *     source ---> [ record record rec ]     a block is filled; its whole records are handed out,
 *                  pending: [rec]           what is left waits as `pending`
 *                 [record record record r]  and comes first in the next block
 *
 * A block usually has block_size bytes. It grows only where a single record is longer, up to the
 * limit for records: an unclosed quote makes one record of all that follows, and must not eat the
 * memory.
 *
 * Speed: nearly all lines of real tables have no quote. For them memchr finds the line end and the
 * delimiters, and the end of the last whole record is the last line feed. Only a block with a quote
 * is read field by field.
 *
 * Invariant: what is in no block yet is pending[pending_at .. pending_size) followed by what the
 * source still has; nothing is lost or seen twice, whatever the sizes of blocks. */
#include "audit/audit_reader.h"

#include "base/error.h"
#include "base/memory.h"

#include <stdio.h>
#include <string.h>

#define BLOCK_SIZE ((size_t)1 << 20)  /* with its counters it fits the second-level cache */
#define SAMPLE_SIZE ((size_t)1 << 16) /* of the text, to guess the delimiter from */

/* ---- records ---- */

/* Where the field that begins at `at` ends: at a delimiter or a line feed, or at `end`. `open`: it
 * ends there only because its quote was never closed. */
static const char *field_end(const char *at, const char *end, char delimiter, bool *open)
{
    *open = at < end && *at == '"';
    /* From one quote to the next. A closing quote right before another one is no closing quote but
     * the first half of a doubled one, and the field goes on from the second half. */
    while (*open && at < end) {
        const char *const quote = memchr(at + 1, '"', (size_t)(end - at) - 1);
        at = quote != NULL ? quote + 1 : end;
        *open = quote == NULL || (at < end && *at == '"'); /* the first of a doubled quote */
    }
    while (at < end && *at != delimiter && *at != '\n') {
        at++;
    }
    return at;
}

/* Where the record that begins at `at` ends: at a line feed outside quotes, or at `end`. */
static const char *record_end(const char *at, const char *end, char delimiter, const char **opened)
{
    bool open = false;
    for (;;) {
        const char *const stop = field_end(at, end, delimiter, &open);
        if (stop == end || *stop == '\n') {
            *opened = open ? at : NULL;
            return stop;
        }
        at = stop + 1;
    }
}

static uint64_t count_lines(const char *text, const char *end)
{
    uint64_t n = 0;
    for (; text < end; text++) {
        n += *text == '\n';
    }
    return n;
}

bool pv_i_audit_next_record(pv_audit_cursor *cursor, pv_audit_raw *raw)
{
    while (cursor->at < cursor->end) {
        const char *const start = cursor->at;
        const char *const line_feed = memchr(start, '\n', (size_t)(cursor->end - start));
        const char *end = line_feed != NULL ? line_feed : cursor->end;
        *raw = (pv_audit_raw){.text = start, .line = cursor->line};
        /* Only a quote in its first line can make a record longer than that line. */
        if (cursor->may_quote && memchr(start, '"', (size_t)(end - start)) != NULL) {
            raw->has_quotes = true;
            end = record_end(start, cursor->end, cursor->delimiter, &raw->opened);
            cursor->line += count_lines(start, end);
        }
        cursor->at = end;
        if (end < cursor->end) {
            cursor->at++;
            cursor->line++;
        }
        /* Outside quotes a line may end in CRLF, and the last one of the text in a CR alone. */
        const bool returns = end > start && end[-1] == '\r' && raw->opened == NULL;
        raw->size = (size_t)(end - start) - returns;
        if (raw->size > 0) {
            return true;
        }
    }
    return false;
}

/* How much of the text is whole records with their line ends; 0 = there is not even one. */
static size_t whole_records(const char *text, size_t size, char delimiter)
{
    /* Without a quote every line end ends a record; the last one is found from behind. */
    if (memchr(text, '"', size) == NULL) {
        const char *const last = memrchr(text, '\n', size);
        return last != NULL ? (size_t)(last - text) + 1 : 0;
    }
    /* Otherwise a line end may be inside quotes, which only the way from the beginning shows. */
    const char *const end = text + size;
    const char *whole = text;
    while (whole < end) {
        const char *opened;
        const char *const stop = record_end(whole, end, delimiter, &opened);
        if (stop == end) {
            break;
        }
        whole = stop + 1;
    }
    return (size_t)(whole - text);
}

/* ---- fields ---- */

pv_status pv_i_audit_record_init(pv_audit_record *record, size_t max_fields, pv_error *error)
{
    *record = (pv_audit_record){.fields = PV_NEW_ARRAY(pv_audit_field, max_fields),
                                .max_fields = max_fields};
    return record->fields != NULL ? PV_STATUS_OK : pv_i_no_memory(error);
}

void pv_i_audit_record_deinit(pv_audit_record *record)
{
    pv_i_free(record->fields);
    pv_i_free(record->unquoted);
    *record = (pv_audit_record){0};
}

/* Fields beyond max_fields are only counted: the record will be refused for their number. */
static inline void add_field(pv_audit_record *record, const char *start, const char *end)
{
    if (record->n_fields < record->max_fields) {
        record->fields[record->n_fields] =
            (pv_audit_field){.text = start, .size = (size_t)(end - start)};
    }
    record->n_fields++;
}

/* Copies a field without the quotes around it and with one quote for each doubled one; what follows
 * the closing quote is copied as it is. Returns where the copy ends. */
static char *unquote(const char *at, const char *end, char *out)
{
    bool inside = true;
    for (at++; at < end; at++) {
        if (inside && *at == '"') {
            inside = at + 1 < end && at[1] == '"';
            at += inside;
            if (!inside) {
                continue;
            }
        }
        *out++ = *at;
    }
    return out;
}

pv_status pv_i_audit_record_split(pv_audit_record *record, const pv_audit_raw *raw, char delimiter,
                                  pv_error *error)
{
    const char *const end = raw->text + raw->size;
    const char *start = raw->text;
    record->n_fields = 0;
    if (!raw->has_quotes) {
        for (;;) {
            const char *const stop = memchr(start, delimiter, (size_t)(end - start));
            if (stop == NULL) {
                break;
            }
            add_field(record, start, stop);
            start = stop + 1;
        }
        add_field(record, start, end);
        return PV_STATUS_OK;
    }
    /* Without its quotes no field is longer, so all of them fit where the record would. */
    if (!pv_i_reserve((void **)&record->unquoted, &record->unquoted_capacity, raw->size, 1)) {
        return pv_i_no_memory(error);
    }
    for (char *out = record->unquoted;;) {
        bool open = false;
        const char *const stop = field_end(start, end, delimiter, &open);
        if (start < stop && *start == '"') {
            char *const copy = out;
            out = unquote(start, stop, out);
            add_field(record, copy, out);
        } else {
            add_field(record, start, stop);
        }
        if (stop == end) {
            return PV_STATUS_OK;
        }
        start = stop + 1;
    }
}

static bool is_blank(char byte)
{
    return byte == ' ' || byte == '\t';
}

/* `  "a b"  ` is `a b`, like `"a b"`; `"a" and "b"` is left as it is, for its first quote is closed
 * before its end. Blanks inside the quotes go, too: they are around the value all the same. */
bool pv_i_audit_trim(const char **text, size_t *size)
{
    const char *first = *text;
    const char *last = *text + *size; /* one after it */
    const size_t before = *size;
    while (first < last && is_blank(*first)) {
        first++;
    }
    /* Blanks before a quote made it an ordinary byte for the reader; without them it is a quote. */
    const bool quoted = first > *text && first < last && *first == '"';
    while (first < last && is_blank(last[-1])) {
        last--;
    }
    if (quoted && last - first >= 2 &&
        memchr(first + 1, '"', (size_t)(last - first) - 1) == last - 1) {
        for (first++, last--; first < last && is_blank(*first); first++) {
        }
        for (; first < last && is_blank(last[-1]); last--) {
        }
    }
    *text = first;
    *size = (size_t)(last - first);
    return *size < before;
}

/* ---- blocks ---- */

void pv_i_audit_block_deinit(pv_audit_block *block)
{
    pv_i_free(block->data);
    *block = (pv_audit_block){0};
}

/* First what is pending, then the source, until the block has `size` bytes or the text ends. */
static pv_status fill(pv_audit_reader *r, pv_audit_block *block, size_t size, pv_error *error)
{
    if (!pv_i_reserve((void **)&block->data, &block->capacity, size, 1)) {
        return pv_i_no_memory(error);
    }
    /* A block that grew has its first bytes already; only what is missing is added. */
    const size_t wanted = size - block->size;
    const size_t left = r->pending_size - r->pending_at;
    const size_t n = left < wanted ? left : wanted;
    if (n > 0) {
        memcpy(block->data + block->size, r->pending + r->pending_at, n);
        block->size += n;
        r->pending_at += n;
    }
    if (n < wanted && !r->ended) {
        size_t got = 0;
        PV_TRY(
            pv_i_audit_source_read(&r->source, block->data + block->size, wanted - n, &got, error));
        r->ended = got < wanted - n;
        block->size += got;
    }
    return PV_STATUS_OK;
}

/* The last `n` bytes of the block come first in the next one. If text is still pending, the block
 * was filled from there alone, and the bytes are still in front of pending_at. Otherwise all of it
 * was used, and its memory is free for them. */
static pv_status put_back(pv_audit_reader *r, pv_audit_block *block, size_t n, pv_error *error)
{
    block->size -= n;
    if (r->pending_at < r->pending_size) {
        r->pending_at -= n;
        return PV_STATUS_OK;
    }
    if (!pv_i_reserve((void **)&r->pending, &r->pending_capacity, n, 1)) {
        return pv_i_no_memory(error);
    }
    if (n > 0) {
        memcpy(r->pending, block->data + block->size, n);
    }
    r->pending_at = 0;
    r->pending_size = n;
    return PV_STATUS_OK;
}

/* A block of whole records; it grows until it holds one, or the record is too long. What the source
 * ends with is a whole record even without a line end, and even with an open quote: that will be
 * found as trouble. */
static pv_status cut(pv_audit_reader *r, pv_audit_block *block, pv_error *error)
{
    const size_t limit = r->limits.record_size;
    size_t size = r->limits.block_size;
    block->size = 0;
    block->start = 0;
    for (;;) {
        PV_TRY(fill(r, block, size, error));
        const bool is_last = r->ended && r->pending_at == r->pending_size;
        const size_t whole =
            is_last ? block->size : whole_records(block->data, block->size, r->delimiter);
        if (whole > 0 || is_last) {
            return put_back(r, block, block->size - whole, error);
        }
        if (size > limit) {
            const bool large = limit >> 20 > 0;
            return pv_i_hint(pv_i_fail_at(error, PV_STATUS_LIMIT, r->source.path, 0, 0,
                                          "a record is longer than %zu %s",
                                          large ? limit >> 20 : limit, large ? "MiB" : "bytes"),
                             error, "is a quote never closed? is this a text file with line ends?");
        }
        /* Doubling: however long the record is, its bytes are searched about twice in all. */
        size = size < limit / 2 ? size * 2 : limit + 1;
    }
}

pv_status pv_i_audit_reader_next(pv_audit_reader *reader, pv_audit_block *block, bool *more,
                                 pv_error *error)
{
    if (!reader->first_is_taken) {
        /* Exchanged, not copied: each memory has one owner, and the reader frees what it gets. */
        const pv_audit_block empty = *block;
        *block = reader->first;
        reader->first = empty;
        reader->first_is_taken = true;
    } else {
        PV_TRY(cut(reader, block, error));
    }
    *more = block->size > 0;
    block->number = reader->n_blocks;
    reader->n_blocks += *more;
    return PV_STATUS_OK;
}

pv_audit_cursor pv_i_audit_records(const pv_audit_reader *reader, const pv_audit_block *block)
{
    const char *const text = block->data + block->start;
    const size_t size = block->size - block->start;
    return (pv_audit_cursor){.at = text,
                             .end = text + size,
                             .delimiter = reader->delimiter,
                             .may_quote = memchr(text, '"', size) != NULL};
}

/* Known only when the source was read to its end together with the header, as for every small file:
 * so small files do not start threads they have no work for. */
uint64_t pv_i_audit_blocks_left(const pv_audit_reader *reader)
{
    const size_t left = reader->pending_size - reader->pending_at + reader->first.size;
    return reader->ended ? left / reader->limits.block_size + 1 : UINT64_MAX;
}

/* ---- trouble ---- */

/* Behind an open quote everything up to the end of the text seems to be one field, perhaps many
 * records in truth. What is found there says nothing, so a NUL byte counts only in front of it. */
pv_audit_trouble pv_i_audit_find_trouble(const pv_audit_raw *raw, uint64_t *line)
{
    const size_t size = raw->opened != NULL ? (size_t)(raw->opened - raw->text) : raw->size;
    const char *const nul = memchr(raw->text, '\0', size);
    const char *const place = nul != NULL ? nul : raw->opened;
    if (place == NULL) {
        return PV_AUDIT_FINE;
    }
    *line = raw->line + count_lines(raw->text, place);
    return nul != NULL ? PV_AUDIT_NUL : PV_AUDIT_OPEN_QUOTE;
}

pv_status pv_i_audit_refuse(const pv_audit_reader *reader, pv_audit_trouble trouble, uint64_t line,
                            size_t n_fields, pv_error *error)
{
    const char *const path = reader->source.path;
    switch (trouble) {
    case PV_AUDIT_FINE: break;
    case PV_AUDIT_NUL:
        return pv_i_hint(pv_i_fail_at(error, PV_STATUS_INPUT, path, line, 0,
                                      "is not a text file: there is a NUL byte"),
                         error,
                         "export spreadsheets and databases as CSV, and save text as UTF-8, not "
                         "UTF-16");
    case PV_AUDIT_OPEN_QUOTE:
        return pv_i_hint(
            pv_i_fail_at(error, PV_STATUS_INPUT, path, line, 0, "a quoted field is never closed"),
            error, "close it, or double the quotes inside it");
    case PV_AUDIT_FIELDS:
        return pv_i_hint(pv_i_fail_at(error, PV_STATUS_INPUT, path, line, 0,
                                      "this row has %zu fields, the header has %zu", n_fields,
                                      reader->header.n_fields),
                         error, "check the delimiter and the quotes of this line");
    case PV_AUDIT_COUNT:
        return pv_i_fail_at(error, PV_STATUS_INPUT, path, line, 0,
                            "the last field is no number of rows");
    }
    return PV_STATUS_OK;
}

/* ---- the beginning ---- */

/* As in the table's reader, a NUL byte in the sample is reported before anything else. */
static pv_status take_sample(pv_audit_reader *r, pv_error *error)
{
    if (!pv_i_reserve((void **)&r->pending, &r->pending_capacity, SAMPLE_SIZE, 1)) {
        return pv_i_no_memory(error);
    }
    PV_TRY(pv_i_audit_source_read(&r->source, r->pending, SAMPLE_SIZE, &r->pending_size, error));
    r->ended = r->pending_size < SAMPLE_SIZE;
    if (r->pending_size >= 3 && memcmp(r->pending, "\xef\xbb\xbf", 3) == 0) {
        r->pending_at = 3; /* a byte order mark */
    }
    const char *const nul = memchr(r->pending, '\0', r->pending_size);
    return nul == NULL
               ? PV_STATUS_OK
               : pv_i_audit_refuse(r, PV_AUDIT_NUL, 1 + count_lines(r->pending, nul), 0, error);
}

static const char sniffed_delimiters[] = ",;\t|";

/* Counts the candidates outside quotes in the first line, as far as the sample shows it. */
static char sniff_delimiter(const char *text, size_t size)
{
    size_t counts[sizeof sniffed_delimiters] = {0};
    bool quoted = false;
    for (size_t i = 0; i < size && (quoted || text[i] != '\n'); i++) {
        const char *const found = strchr(sniffed_delimiters, text[i]);
        quoted ^= text[i] == '"';
        if (found != NULL && !quoted) {
            counts[found - sniffed_delimiters]++;
        }
    }
    /* Of equals the first one wins: the comma, also where there is none of them at all. */
    size_t best = 0;
    for (size_t i = 1; sniffed_delimiters[i] != '\0'; i++) {
        best = counts[i] > counts[best] ? i : best;
    }
    return sniffed_delimiters[best];
}

/* The first record, in the first block that is not just blank lines. */
static pv_status read_first(pv_audit_reader *r, pv_audit_raw *raw, pv_error *error)
{
    pv_audit_cursor cursor;
    bool found = false;
    r->first_line = 1;
    do {
        const pv_status status = cut(r, &r->first, error);
        if (status == PV_STATUS_LIMIT && error != NULL) {
            error->line = r->first_line;
        }
        PV_TRY(status);
        if (r->first.size == 0) {
            return pv_i_hint(
                pv_i_fail_at(error, PV_STATUS_INPUT, r->source.path, 0, 0, "the file is empty"),
                error, "it needs a line of column names and at least one row");
        }
        cursor = pv_i_audit_records(r, &r->first);
        found = pv_i_audit_next_record(&cursor, raw);
        r->header_line = r->first_line + raw->line;
        r->first_line += cursor.line;
    } while (!found);
    r->first.start = (size_t)(cursor.at - r->first.data);
    uint64_t line = 0;
    const pv_audit_trouble trouble = pv_i_audit_find_trouble(raw, &line);
    return pv_i_audit_refuse(r, trouble, r->header_line + line - raw->line, 0, error);
}

/* Split twice: first to count the fields, then with memory for all of them, from a copy of the text
 * that lives as long as the reader (its block will be filled again). */
static pv_status split_header(pv_audit_reader *r, pv_audit_raw raw, pv_error *error)
{
    /* With memory for no field: they are only counted. */
    pv_audit_record counted = {0};
    const pv_status status = pv_i_audit_record_split(&counted, &raw, r->delimiter, error);
    const size_t n_fields = counted.n_fields;
    pv_i_audit_record_deinit(&counted);
    PV_TRY(status);
    if (n_fields > PV_AUDIT_COLUMN_LIMIT) {
        return pv_i_hint(pv_i_fail_at(error, PV_STATUS_LIMIT, r->source.path, r->header_line, 0,
                                      "has more than %zu columns", PV_AUDIT_COLUMN_LIMIT),
                         error, "is this the right delimiter? is the table turned on its side?");
    }
    r->header_text = pv_i_strndup(raw.text, raw.size);
    if (r->header_text == NULL) {
        return pv_i_no_memory(error);
    }
    raw.text = r->header_text;
    PV_TRY(pv_i_audit_record_init(&r->header, n_fields, error));
    return pv_i_audit_record_split(&r->header, &raw, r->delimiter, error);
}

/* The first record is a row: the names are column1, column2, ..., and reading begins there again.
 */
static pv_status make_up_names(pv_audit_reader *r, const pv_audit_raw *raw, pv_error *error)
{
    /* All names in one memory, which takes the place of the header's text. */
    enum { NAME_SIZE = 32 };
    char *const names = pv_i_array(r->header.n_fields, NAME_SIZE);
    if (names == NULL) {
        return pv_i_no_memory(error);
    }
    pv_i_free(r->header_text);
    r->header_text = names;
    for (size_t i = 0; i < r->header.n_fields; i++) {
        char *const name = names + i * NAME_SIZE;
        const int size = snprintf(name, NAME_SIZE, "column%zu", i + 1);
        r->header.fields[i] = (pv_audit_field){.text = name, .size = (size_t)size};
    }
    r->first.start = (size_t)(raw->text - r->first.data);
    r->first_line = r->header_line;
    return PV_STATUS_OK;
}

pv_status pv_i_audit_reader_open(const char *path, const pv_audit_options *options,
                                 const pv_audit_limits *limits, pv_audit_reader *reader,
                                 pv_error *error)
{
    pv_status status = PV_STATUS_OK;
    pv_audit_reader r = {.limits = *limits};
    pv_audit_raw raw = {0};
    r.limits.block_size = limits->block_size > 0 ? limits->block_size : BLOCK_SIZE;
    r.limits.record_size = limits->record_size > 0 ? limits->record_size : PV_AUDIT_RECORD_LIMIT;
    if (options->delimiter == '"' || options->delimiter == '\n' || options->delimiter == '\r') {
        return pv_i_fail(error, PV_STATUS_ARGUMENT,
                         "a quote or a line end cannot be the delimiter");
    }
    PV_TRY(pv_i_audit_source_open(path, &r.source, error));
    PV_TRY_CLEAN(take_sample(&r, error));
    r.delimiter = options->delimiter != '\0'
                      ? options->delimiter
                      : sniff_delimiter(r.pending + r.pending_at, r.pending_size - r.pending_at);
    PV_TRY_CLEAN(read_first(&r, &raw, error));
    PV_TRY_CLEAN(split_header(&r, raw, error));
    /* Without a header, the first line is taken for one all the same if it names the first
     * quasi-identifier: else its names would be counted as a person. */
    bool is_header = !options->no_header;
    for (size_t i = 0; i < r.header.n_fields && !is_header && options->quasi != NULL; i++) {
        pv_audit_field field = r.header.fields[i];
        (void)pv_i_audit_trim(&field.text, &field.size);
        is_header = options->quasi[0] != NULL && field.size == strlen(options->quasi[0]) &&
                    memcmp(field.text, options->quasi[0], field.size) == 0;
    }
    PV_TRY_CLEAN(is_header ? PV_STATUS_OK : make_up_names(&r, &raw, error));
    *reader = r;
    return PV_STATUS_OK;
cleanup:
    pv_i_audit_reader_deinit(&r);
    return status;
}

void pv_i_audit_reader_deinit(pv_audit_reader *reader)
{
    pv_i_audit_record_deinit(&reader->header);
    pv_i_free(reader->header_text);
    pv_i_audit_block_deinit(&reader->first);
    pv_i_free(reader->pending);
    pv_i_audit_source_deinit(&reader->source);
}
