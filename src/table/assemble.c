/* From the pieces that several encoders made to one table.
 *
 * Each encoder numbered the values of a column as it met them, block after block. Going through
 * the pieces in file order, the values that a piece added to its encoder's dictionary are exactly
 * those that can appear for the first time in the file there: taken in that order they get the same
 * codes as if one encoder had read it all.
 *
 * First the dictionaries are merged, column by column: from each encoder's codes to the common ones
 * leads a map. Then the codes are translated, piece by piece, and each piece is freed at once, so
 * that the codes are in memory only once. */
#include "table/reading.h"

#include "base/checked.h"
#include "base/error.h"
#include "base/memory.h"
#include "base/tasks.h"
#include "table/column.h"
#include "table/lexicon.h"
#include "table/records.h"

#include <stdatomic.h>
#include <string.h>

#define NO_CODE UINT32_MAX
#define CHUNK 1024  /* codes translated at a time */
#define PREFETCH 16 /* keys looked at ahead: large dictionaries do not fit the caches */

typedef struct {
    pv_table *table;
    pv_parts *parts;
    pv_lexicon missing; /* the spellings, unless a column has its own */
    /* maps[column * n_encoders + encoder][its code] = the common code; NULL = the same. */
    uint32_t **maps;
    uint64_t *first_rows;  /* of every piece */
    atomic_size_t trimmed; /* fields */
} assembly;

static bool add_spellings(pv_lexicon *lexicon, const char *const *spellings)
{
    for (; *spellings != NULL; spellings++) {
        if (pv_i_lexicon_add(lexicon, *spellings, strlen(*spellings)) > PV_DICTIONARY_LIMIT) {
            return false;
        }
    }
    return true;
}

/* ------------------------------------------------------- merging one column */

typedef struct {
    assembly *all;
    size_t index;
    pv_column *column;
    bool alone;     /* only one encoder: nothing to compare */
    bool full;      /* too many values */
    bool trims;     /* is there a value with blanks around it, to be removed? */
    pv_lexicon own; /* spellings of "missing" in this column */
    const pv_lexicon *missing;
    pv_lexicon common; /* the values so far, unless alone */
    uint32_t *seen;    /* per encoder: codes already mapped */
    size_t text_size;
} merging;

static uint32_t **map_of(const assembly *all, size_t column, unsigned encoder)
{
    return &all->maps[column * all->parts->n_encoders + encoder];
}

static const pv_lexicon *dictionary_of(const assembly *all, size_t column, unsigned encoder)
{
    const pv_encoder *const e = &all->parts->encoders[encoder];
    return column < e->n_ready ? &e->dictionaries[column] : NULL;
}

static void append_value(merging *m, const pv_key *key)
{
    pv_column *const c = m->column;
    const size_t length = pv_i_key_length(key);
    memcpy(c->text + m->text_size, pv_i_key_text(key), length);
    c->text[m->text_size + length] = '\0';
    c->offsets[c->n_values] = m->text_size;
    c->counts[c->n_values] = 0;
    m->text_size += length + 1;
    c->n_values++;
}

static bool note_missing(pv_column *c, const pv_key *key, uint64_t rows)
{
    const char *const text = pv_i_key_text(key);
    const size_t length = pv_i_key_length(key);
    size_t i = 0;
    while (i < c->n_spellings && (strlen(c->spellings[i].text) != length ||
                                  memcmp(c->spellings[i].text, text, length) != 0)) {
        i++;
    }
    if (i == c->n_spellings) {
        char *const copy = pv_i_strndup(text, length);
        if (copy == NULL || !pv_i_reserve((void **)&c->spellings, &c->spellings_capacity, i + 1,
                                          sizeof *c->spellings)) {
            pv_i_free(copy);
            return false;
        }
        c->spellings[c->n_spellings++] = (pv_spelling){.text = copy};
    }
    c->spellings[i].rows += rows;
    return true;
}

/* The common code of a key that so many rows have, or a failure of the dictionary. All spellings of
 * "missing" share the code of the first. */
static uint32_t merge_key(merging *m, const pv_key *key, uint64_t rows)
{
    pv_column *const c = m->column;
    const bool missing = pv_i_lexicon_lookup(m->missing, key) != NO_CODE;
    if (missing && !note_missing(c, key, rows)) {
        return PV_DICTIONARY_NO_MEMORY;
    }
    if (missing && c->missing != PV_NO_CODE) {
        return c->missing;
    }
    /* When the first spelling of "missing" comes up it is new here, and no other gets this far, so
     * codes of the common dictionary and of the column run in step. */
    const uint32_t code = m->alone ? c->n_values : pv_i_lexicon_add_key(&m->common, key);
    if (code == c->n_values) {
        append_value(m, key);
        c->missing = missing ? code : c->missing;
    }
    return code;
}

/* A value without the blanks around it. */
static pv_key trim_key(const merging *m, const pv_key *key, uint64_t rows)
{
    const char *text = pv_i_key_text(key);
    size_t length = pv_i_key_length(key);
    if (!pv_i_trim(&text, &length, m->all->parts->quoting)) {
        return *key;
    }
    atomic_fetch_add(&m->all->trimmed, (size_t)rows);
    return pv_i_key_of(text, length);
}

/* Maps the codes that a piece added to its encoder's dictionary. */
static bool merge_piece(merging *m, const pv_piece *piece)
{
    const pv_lexicon *const d = dictionary_of(m->all, m->index, piece->encoder);
    uint32_t *const map = *map_of(m->all, m->index, piece->encoder);
    uint32_t *const seen = &m->seen[piece->encoder];
    for (; *seen < piece->n_values[m->index]; ++*seen) {
        if (!m->alone && *seen + PREFETCH < d->n) {
            pv_i_lexicon_prefetch(&m->common, pv_i_lexicon_key(d, *seen + PREFETCH));
        }
        const uint64_t rows = pv_i_lexicon_count(d, *seen);
        const pv_key *const key = pv_i_lexicon_key(d, *seen);
        const pv_key trimmed = m->trims ? trim_key(m, key, rows) : *key;
        const uint32_t code = merge_key(m, &trimmed, rows);
        if (code == PV_DICTIONARY_FULL || code == PV_DICTIONARY_NO_MEMORY) {
            m->full = code == PV_DICTIONARY_FULL;
            return false;
        }
        map[*seen] = code;
        m->column->counts[code] += rows;
    }
    return true;
}

/* The spellings of "missing" in this column. */
static bool choose_missing(merging *m)
{
    const pv_parts *const parts = m->all->parts;
    const char *const *const own =
        parts->missing_of != NULL ? parts->missing_of(parts->missing_ctx, m->column->name) : NULL;
    m->missing = &m->all->missing;
    if (own == NULL) {
        return true;
    }
    m->missing = &m->own;
    return pv_i_lexicon_init(&m->own, 0) && add_spellings(&m->own, own);
}

/* Space for all values of all encoders, as if they had none in common: one allocation instead of
 * growth in the loop; what was too much is given back at the end. */
static bool reserve_all(merging *m)
{
    const assembly *const all = m->all;
    size_t n_values = 0;
    size_t text_size = 0;
    uint32_t largest = 0;
    for (unsigned e = 0; e < all->parts->n_encoders; e++) {
        const pv_lexicon *const d = dictionary_of(all, m->index, e);
        const uint32_t n = d != NULL ? d->n : 0;
        for (uint32_t i = 0; i < n; i++) {
            const pv_key *const key = pv_i_lexicon_key(d, i);
            const size_t length = pv_i_key_length(key);
            const char *const text = pv_i_key_text(key);
            text_size += length + 1;
            m->trims = m->trims || (all->parts->trim && length > 0 &&
                                    (pv_i_is_blank(text[0]) || pv_i_is_blank(text[length - 1])));
        }
        n_values += n;
        largest = n > largest ? n : largest;
        uint32_t **const map = map_of(all, m->index, e);
        *map = PV_NEW_ARRAY(uint32_t, n);
        if (*map == NULL) {
            return false;
        }
    }
    m->alone = m->alone && !m->trims; /* two values may become one */
    m->column->text = pv_i_malloc(text_size);
    m->column->offsets = PV_NEW_ARRAY(uint64_t, n_values + 1);
    m->column->counts = PV_NEW_ARRAY(uint64_t, n_values);
    m->seen = PV_NEW_ZEROED(uint32_t, all->parts->n_encoders);
    return m->column->text != NULL && m->column->offsets != NULL && m->column->counts != NULL &&
           m->seen != NULL && (m->alone || pv_i_lexicon_init(&m->common, largest));
}

/* Gives back what was reserved for values that the encoders have in common. */
static bool shrink(merging *m)
{
    pv_column *const c = m->column;
    void *const text = pv_i_resize(c->text, m->text_size, 1);
    c->text = text != NULL ? text : c->text;
    void *const offsets = pv_i_resize(c->offsets, (size_t)c->n_values + 1, sizeof *c->offsets);
    c->offsets = offsets != NULL ? offsets : c->offsets;
    void *const counts = pv_i_resize(c->counts, c->n_values, sizeof *c->counts);
    c->counts = counts != NULL ? counts : c->counts;
    return text != NULL && offsets != NULL && counts != NULL;
}

/* A map that maps every code to itself is dropped: codes are then copied, not translated. With one
 * thread all maps are such, with several those of columns whose values are all in the first block.
 */
static void forget_identity(uint32_t **map, uint32_t n)
{
    uint32_t i = 0;
    while (i < n && (*map)[i] == i) {
        i++;
    }
    if (i == n) {
        pv_i_free(*map);
        *map = NULL;
    }
}

static bool finish_column(merging *m)
{
    pv_column *const c = m->column;
    c->offsets[c->n_values] = m->text_size;
    c->width = pv_i_codes_width(c->n_values);
    if (!shrink(m)) {
        return false;
    }
    c->type = pv_i_column_infer(c);
    for (unsigned e = 0; e < m->all->parts->n_encoders; e++) {
        forget_identity(map_of(m->all, m->index, e), m->seen[e]);
        if (dictionary_of(m->all, m->index, e) != NULL) {
            pv_i_lexicon_deinit(&m->all->parts->encoders[e].dictionaries[m->index]);
        }
    }
    return true;
}

static pv_status merge_column(void *ctx, size_t index, const pv_thread *thread, pv_error *error)
{
    assembly *const all = ctx;
    merging m = {.all = all,
                 .index = index,
                 .column = &all->table->columns[index],
                 .alone = all->parts->n_encoders == 1};
    (void)thread;
    m.column->missing = PV_NO_CODE;
    bool well = choose_missing(&m) && reserve_all(&m);
    for (size_t i = 0; well && i < all->parts->n_pieces; i++) {
        well = merge_piece(&m, all->parts->pieces[i]);
    }
    well = well && finish_column(&m);
    pv_i_lexicon_deinit(&m.common);
    pv_i_lexicon_deinit(&m.own);
    pv_i_free(m.seen);
    if (m.full) {
        return pv_i_fail_at(error, PV_STATUS_LIMIT, all->table->source, 0, 0,
                            "column \"%.200s\" has more than %u distinct values", m.column->name,
                            PV_DICTIONARY_LIMIT);
    }
    return well ? PV_STATUS_OK : pv_i_no_memory(error);
}

/* -------------------------------------------------------- translating codes */

static void translate(const uint8_t *from, unsigned from_width, const uint32_t *map, size_t n,
                      uint8_t *to, unsigned to_width)
{
    const pv_codes codes = {.width = from_width, .data = from};
    uint32_t chunk[CHUNK];
    if (map == NULL && from_width == to_width) {
        memcpy(to, from, n * to_width);
        return;
    }
    for (size_t first = 0; first < n; first += CHUNK) {
        const size_t some = n - first < CHUNK ? n - first : CHUNK;
        pv_i_codes_unpack(codes, first, some, chunk);
        for (size_t i = 0; map != NULL && i < some; i++) {
            chunk[i] = map[chunk[i]];
        }
        to = pv_i_codes_pack(chunk, some, to_width, to);
    }
}

static pv_status place_piece(void *ctx, size_t index, const pv_thread *thread, pv_error *error)
{
    const assembly *const all = ctx;
    pv_piece *const piece = all->parts->pieces[index];
    const uint8_t *from = piece->codes;
    (void)thread;
    (void)error;
    for (size_t c = 0; c < all->table->n_columns; c++) {
        const pv_column *const column = &all->table->columns[c];
        const unsigned width = pv_i_codes_width(piece->n_values[c]);
        translate(from, width, *map_of(all, c, piece->encoder), (size_t)piece->n_rows,
                  (uint8_t *)column->codes + all->first_rows[index] * column->width, column->width);
        from += piece->n_rows * width;
    }
    pv_i_free(piece);
    all->parts->pieces[index] = NULL;
    return PV_STATUS_OK;
}

/* -------------------------------------------------------------------- lines */

/* Lines are kept as marks where the distance between row and line number changes: one mark for a
 * whole file without blank lines and line breaks in fields. */
static bool add_mark(pv_table *table, size_t *capacity, pv_line_mark mark)
{
    const pv_line_mark *const last = table->n_marks > 0 ? &table->marks[table->n_marks - 1] : NULL;
    if (last != NULL &&
        (mark.line == 0 ? last->line == 0
                        : last->line != 0 && last->line + (mark.row - last->row) == mark.line)) {
        return true; /* goes on as before */
    }
    if (!pv_i_reserve((void **)&table->marks, capacity, table->n_marks + 1, sizeof *table->marks)) {
        return false;
    }
    table->marks[table->n_marks++] = mark;
    return true;
}

/* Turns the marks of the pieces into those of the table, and sums up rows. */
static pv_status add_up(assembly *all, pv_error *error)
{
    pv_table *const table = all->table;
    uint64_t line = all->parts->first_line;
    size_t capacity = 0;
    for (size_t i = 0; i < all->parts->n_pieces; i++) {
        const pv_piece *const piece = all->parts->pieces[i];
        all->first_rows[i] = table->rows;
        for (size_t j = 0; j < piece->n_marks; j++) {
            const pv_line_mark mark = piece->marks[j];
            const bool kept = mark.line != UINT64_MAX;
            if (!add_mark(table, &capacity,
                          (pv_line_mark){.row = table->rows + mark.row,
                                         .line = kept ? line + mark.line : 0})) {
                return pv_i_no_memory(error);
            }
        }
        table->rows += piece->n_rows;
        table->entries = table->rows;
        table->skipped += piece->n_skipped;
        line += piece->n_lines;
    }
    return PV_STATUS_OK;
}

/* ------------------------------------------------------------------ all of it */

pv_status pv_i_assemble(pv_table *table, pv_parts *parts, pv_error *error)
{
    assembly all = {.table = table, .parts = parts};
    pv_status status = PV_STATUS_OK;
    size_t n_maps;
    bool well = pv_i_mul_size(table->n_columns, parts->n_encoders, &n_maps) &&
                pv_i_lexicon_init(&all.missing, 0);
    all.maps = well ? PV_NEW_ZEROED(uint32_t *, n_maps) : NULL;
    all.first_rows = PV_NEW_ARRAY(uint64_t, parts->n_pieces);
    well =
        all.maps != NULL && all.first_rows != NULL && add_spellings(&all.missing, parts->missing);
    PV_TRY_CLEAN(well ? PV_STATUS_OK : pv_i_no_memory(error));
    PV_TRY_CLEAN(add_up(&all, error));
    PV_TRY_CLEAN(pv_i_tasks_run(parts->threads, table->n_columns, merge_column, &all, NULL, error));
    for (size_t c = 0; c < table->n_columns; c++) {
        pv_column *const column = &table->columns[c];
        column->codes = pv_i_array((size_t)table->rows, column->width);
        PV_TRY_CLEAN(column->codes != NULL ? PV_STATUS_OK : pv_i_no_memory(error));
    }
    PV_TRY_CLEAN(pv_i_tasks_run(parts->threads, parts->n_pieces, place_piece, &all, NULL, error));
    table->trimmed = atomic_load(&all.trimmed);
cleanup:
    for (size_t i = 0; all.maps != NULL && i < table->n_columns * parts->n_encoders; i++) {
        pv_i_free(all.maps[i]);
    }
    pv_i_free(all.maps);
    pv_i_free(all.first_rows);
    pv_i_lexicon_deinit(&all.missing);
    return status;
}
