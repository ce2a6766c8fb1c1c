/* Records and fields. Lines without a quote, nearly all of them, need no more than memchr; in the
 * others one field is taken after the other. */
#include "audit/audit_record.h"

#include "base/error.h"
#include "base/memory.h"

#include <string.h>

/* Where the field that begins at `at` ends: at a delimiter or a line feed, or at `end`. `open`: it
 * is there only because a quote was never closed. */
static const char *field_end(const char *at, const char *end, char delimiter, bool *open)
{
    *open = at < end && *at == '"';
    while (*open && at < end) {
        const char *const quote = memchr(at + 1, '"', (size_t)(end - at) - 1);
        at = quote != NULL ? quote + 1 : end;
        *open = quote == NULL || (at < end && *at == '"'); /* the first of two, or the last */
    }
    while (at < end && *at != delimiter && *at != '\n') {
        at++;
    }
    return at;
}

/* ---- records ---- */

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

static void take(pv_audit_walk *walk, pv_audit_raw *raw)
{
    const char *const start = walk->at;
    const size_t left = (size_t)(walk->end - start);
    const char *const line_feed = memchr(start, '\n', left);
    const char *end = line_feed != NULL ? line_feed : walk->end;
    *raw = (pv_audit_raw){.text = start, .line = walk->line};
    if (walk->may_quote && memchr(start, '"', (size_t)(end - start)) != NULL) {
        raw->has_quotes = true;
        end = record_end(start, walk->end, walk->delimiter, &raw->opened);
        walk->line += count_lines(start, end);
    }
    walk->at = end;
    if (end < walk->end) {
        walk->at++;
        walk->line++;
    }
    /* Outside quotes a line may end in CRLF, and the last one in a CR alone. */
    const bool returns = end > start && end[-1] == '\r' && raw->opened == NULL;
    raw->size = (size_t)(end - start) - returns;
}

pv_audit_walk pv_i_audit_walk_start(const char *text, size_t size, char delimiter)
{
    return (pv_audit_walk){.at = text,
                           .end = text + size,
                           .delimiter = delimiter,
                           .may_quote = memchr(text, '"', size) != NULL};
}

bool pv_i_audit_walk_next(pv_audit_walk *walk, pv_audit_raw *raw)
{
    while (walk->at < walk->end) {
        take(walk, raw);
        if (raw->size > 0) {
            return true;
        }
    }
    return false;
}

size_t pv_i_audit_whole(const char *text, size_t size, char delimiter)
{
    if (memchr(text, '"', size) == NULL) {
        const char *const last = memrchr(text, '\n', size);
        return last != NULL ? (size_t)(last - text) + 1 : 0;
    }
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

pv_status pv_i_audit_record_init(pv_audit_record *record, size_t room, pv_error *error)
{
    *record = (pv_audit_record){.fields = PV_NEW_ARRAY(pv_audit_field, room), .room = room};
    return record->fields != NULL ? PV_STATUS_OK : pv_i_no_memory(error);
}

void pv_i_audit_record_deinit(pv_audit_record *record)
{
    pv_i_free(record->fields);
    pv_i_free(record->unquoted);
    *record = (pv_audit_record){0};
}

static inline void end_field(pv_audit_record *record, const char *start, const char *end)
{
    if (record->n_fields < record->room) {
        record->fields[record->n_fields] =
            (pv_audit_field){.text = start, .size = (size_t)(end - start)};
    }
    record->n_fields++;
}

static void split_plain(pv_audit_record *record, const pv_audit_raw *raw, char delimiter)
{
    const char *const end = raw->text + raw->size;
    const char *start = raw->text;
    for (;;) {
        const char *const stop = memchr(start, delimiter, (size_t)(end - start));
        if (stop == NULL) {
            break;
        }
        end_field(record, start, stop);
        start = stop + 1;
    }
    end_field(record, start, end);
}

/* Copies a field without the quotes around it and without the first of two; what follows the
 * closing quote is taken as it is. Returns where the copy ends. */
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

static void split_quoted(pv_audit_record *record, const pv_audit_raw *raw, char delimiter)
{
    const char *const end = raw->text + raw->size;
    const char *at = raw->text;
    char *out = record->unquoted;
    for (;;) {
        bool open = false;
        const char *const stop = field_end(at, end, delimiter, &open);
        if (at < stop && *at == '"') {
            char *const copy = out;
            out = unquote(at, stop, out);
            end_field(record, copy, out);
        } else {
            end_field(record, at, stop);
        }
        if (stop == end) {
            break;
        }
        at = stop + 1;
    }
}

pv_status pv_i_audit_record_split(pv_audit_record *record, const pv_audit_raw *raw, char delimiter,
                                  pv_error *error)
{
    record->n_fields = 0;
    if (!raw->has_quotes) {
        split_plain(record, raw, delimiter);
        return PV_STATUS_OK;
    }
    if (!pv_i_reserve((void **)&record->unquoted, &record->unquoted_capacity, raw->size, 1)) {
        return pv_i_no_memory(error);
    }
    split_quoted(record, raw, delimiter);
    return PV_STATUS_OK;
}

/* ---- blanks ---- */

static bool is_blank(char byte)
{
    return byte == ' ' || byte == '\t';
}

bool pv_i_audit_trim(const char **text, size_t *size)
{
    const char *first = *text;
    const char *last = *text + *size; /* one after it */
    const size_t before = *size;
    while (first < last && is_blank(*first)) {
        first++;
    }
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
