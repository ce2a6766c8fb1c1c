/* Counting the rows of blocks on one thread. */
#include "audit/audit_rows.h"

#include "base/error.h"
#include "base/hash.h"
#include "base/memory.h"

#include <string.h>

/* ---- lines seen lately ---- */

#define BYTES_PER_PLACE 64             /* about the length of a line */
#define LONGEST_SEEN ((size_t)1 << 12) /* longer lines are rarely seen twice */

static bool seen_init(pv_audit_seen *seen, size_t room)
{
    seen->room = room;
    seen->n_places = room / BYTES_PER_PLACE + 1;
    seen->places = PV_NEW_ZEROED(pv_audit_seen_line, seen->n_places);
    seen->texts = PV_NEW_ARRAY(char, room);
    return seen->places != NULL && seen->texts != NULL;
}

static void seen_deinit(pv_audit_seen *seen)
{
    pv_i_free(seen->places);
    pv_i_free(seen->texts);
    *seen = (pv_audit_seen){0};
}

static bool is_seen(const pv_audit_seen *seen, const pv_audit_seen_line *line,
                    const pv_audit_raw *raw, uint32_t tag)
{
    return line->tag == tag && line->size == raw->size &&
           memcmp(seen->texts + line->start, raw->text, raw->size) == 0;
}

static void remember(pv_audit_seen *seen, const pv_audit_raw *raw, pv_audit_seen_line line,
                     pv_audit_seen_line *place)
{
    if (raw->size > LONGEST_SEEN || raw->size > seen->room) {
        return;
    }
    if (seen->room - seen->used < raw->size) {
        memset(seen->places, 0, seen->n_places * sizeof *seen->places);
        seen->used = 0;
    }
    memcpy(seen->texts + seen->used, raw->text, raw->size);
    line.start = (uint32_t)seen->used;
    line.size = (uint16_t)raw->size;
    *place = line;
    seen->used += raw->size;
}

/* ---- rows ---- */

static size_t key_size(const pv_audit_count *count)
{
    return (count->n_columns + 1) * sizeof(uint32_t);
}

pv_status pv_i_audit_rows_init(pv_audit_rows *rows, const pv_audit_count *count, size_t n_fields,
                               size_t room, pv_error *error)
{
    *rows = (pv_audit_rows){.count = count,
                            .values = PV_NEW_ZEROED(pv_audit_tally, count->n_columns),
                            .distinct = {.width = key_size(count)},
                            .codes = PV_NEW_ZEROED(uint32_t, count->n_columns + 1)};
    if (rows->values == NULL || rows->codes == NULL || !seen_init(&rows->seen, room)) {
        return pv_i_no_memory(error);
    }
    return pv_i_audit_record_init(&rows->record, n_fields, error);
}

void pv_i_audit_rows_deinit(pv_audit_rows *rows)
{
    for (size_t i = 0; rows->values != NULL && i < rows->count->n_columns; i++) {
        pv_i_audit_tally_deinit(&rows->values[i]);
    }
    pv_i_free(rows->values);
    pv_i_audit_tally_deinit(&rows->distinct);
    pv_i_free(rows->lines);
    pv_i_audit_record_deinit(&rows->record);
    pv_i_free(rows->codes);
    seen_deinit(&rows->seen);
    *rows = (pv_audit_rows){0};
}

void pv_i_audit_rows_finish(pv_audit_rows *rows)
{
    pv_i_audit_record_deinit(&rows->record);
    seen_deinit(&rows->seen);
    pv_i_audit_tally_finish(&rows->distinct);
    for (size_t i = 0; rows->values != NULL && i < rows->count->n_columns; i++) {
        pv_i_audit_tally_finish(&rows->values[i]);
    }
}

/* The codes of the record's fields. How often a value occurs follows from the rows. */
static pv_status encode(pv_audit_rows *rows, uint32_t *trimmed, pv_error *error)
{
    const pv_audit_count *const count = rows->count;
    *trimmed = 0;
    for (size_t i = 0; i < count->n_columns; i++) {
        pv_audit_field field = rows->record.fields[count->columns[i].field];
        if (count->trims) {
            *trimmed += pv_i_audit_trim(&field.text, &field.size);
        }
        pv_i_audit_unescape(count, &field.text, &field.size);
        PV_TRY(pv_i_audit_tally_add(&rows->values[i], field.text, field.size, 0,
                                    &rows->codes[pv_i_audit_place(count, i)], error));
    }
    return PV_STATUS_OK;
}

static pv_status add_row(pv_audit_rows *rows, uint64_t line, uint32_t *number, pv_error *error)
{
    const size_t n_before = rows->distinct.n_entries;
    PV_TRY(pv_i_audit_tally_add(&rows->distinct, rows->codes, key_size(rows->count), 1, number,
                                error));
    if (rows->distinct.n_entries > n_before) {
        if (!pv_i_reserve((void **)&rows->lines, &rows->lines_capacity, n_before + 1,
                          sizeof *rows->lines)) {
            return pv_i_no_memory(error);
        }
        rows->lines[*number] = (uint32_t)line;
    }
    return PV_STATUS_OK;
}

/* A record not seen lately: what is to be remembered of it, unless it is in trouble. */
static pv_status add_record(pv_audit_rows *rows, const pv_audit_raw *raw, char delimiter,
                            pv_audit_seen_line *line, pv_audit_piece *piece, pv_error *error)
{
    uint32_t trimmed = 0;
    piece->trouble = pv_i_audit_find_trouble(raw, &piece->trouble_line);
    if (piece->trouble != PV_AUDIT_FINE) {
        return PV_STATUS_OK;
    }
    PV_TRY(pv_i_audit_record_split(&rows->record, raw, delimiter, error));
    if (rows->record.n_fields != rows->record.room) {
        piece->trouble = PV_AUDIT_FIELDS;
        piece->trouble_line = raw->line;
        piece->trouble_fields = rows->record.n_fields;
        return PV_STATUS_OK;
    }
    PV_TRY(encode(rows, &trimmed, error));
    PV_TRY(add_row(rows, raw->line, &line->row, error));
    line->trimmed = (uint16_t)trimmed; /* fits if the line is short enough to be remembered */
    rows->trimmed += trimmed;
    return PV_STATUS_OK;
}

static pv_status count_record(pv_audit_rows *rows, const pv_audit_raw *raw, char delimiter,
                              pv_audit_piece *piece, pv_error *error)
{
    const uint64_t hash = pv_i_hash_bytes(raw->text, raw->size);
    pv_audit_seen_line *const place = &rows->seen.places[hash % rows->seen.n_places];
    pv_audit_seen_line line = {.tag = (uint32_t)(hash >> 32)};
    if (is_seen(&rows->seen, place, raw, line.tag)) {
        rows->distinct.entries[place->row].count++;
        rows->trimmed += place->trimmed;
        return PV_STATUS_OK;
    }
    PV_TRY(add_record(rows, raw, delimiter, &line, piece, error));
    if (piece->trouble == PV_AUDIT_FINE) {
        remember(&rows->seen, raw, line, place);
    }
    return PV_STATUS_OK;
}

pv_status pv_i_audit_rows_add(pv_audit_rows *rows, pv_audit_walk walk, pv_audit_piece *piece,
                              pv_error *error)
{
    pv_audit_raw raw;
    piece->first_row = (uint32_t)rows->distinct.n_entries;
    piece->trouble = PV_AUDIT_FINE;
    while (piece->trouble == PV_AUDIT_FINE && pv_i_audit_walk_next(&walk, &raw)) {
        PV_TRY(count_record(rows, &raw, walk.delimiter, piece, error));
    }
    piece->end_row = (uint32_t)rows->distinct.n_entries;
    piece->n_lines = walk.line;
    return PV_STATUS_OK;
}
