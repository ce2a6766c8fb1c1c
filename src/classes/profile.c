/* Profile first: one pass over the rows, then nothing touches rows again until release.
 *
 *     rows       (37,man) (41,woman) (37,man) ...   codes in the dictionaries of their columns
 *     keys       0x1a40.. 0x1c80..   0x1a40.. ...   each code -> its leaf, shifted into its field
 *     row_tuple  [ 0       1          0       ...]  the number of each row's key
 *     keys[t]    [0x1a40.. 0x1c80.. ...]            sorted: number t is the t-th smallest key
 *     count[t]   [ 2        1       ...]            rows that have it
 *
 * Leaves are numbered in tree order, so generalizing an attribute never reorders the values of its
 * field: where it is the last field, sorted keys stay sorted; elsewhere they become sorted runs,
 * which are merged. That is why roll-up needs no hashing.
 *
 * Sensitive values and labels are counted per tuple only when a measure asks for them: searches for
 * k and detail never do. Memory: 4 bytes per row, 8 * words + 8 bytes per tuple.
 *
 * Of a table whose rows were counted (table/column.h), what is called a row here is an entry, which
 * stands for several. */
#include "classes/profile.h"

#include "base/checked.h"
#include "base/compare.h"
#include "base/error.h"
#include "base/memory.h"
#include "base/options.h"
#include "classes/keys.h"
#include "classes/numbering.h"
#include "plan/study.h"
#include "table/column.h"

#include <stdlib.h>
#include <string.h>

/* -------------------------------------------- the values of a column by tuple */

/* Compressed rows (CSR): tuple t has the entries start[t] .. start[t+1]-1, each a code and its
 * count.
 *
 *     start  [0      2   3          6 ]
 *     code   [1  4 | 0 | 1   2   7  ]     ascending within a tuple
 *     count  [5  1 | 9 | 2   2   1  ]
 *
 * Where there are far more rows than pairs of a tuple and a value, every pair has a counter.
 * Otherwise rows are put next to the other rows of their tuple by counting, then each tuple's
 * values are counted on a board as large as the dictionary. */

/* -------------------------------------------------------- a counter per pair */

/* Two passes over the counters: how many there are, then the entries. Codes come out ascending by
 * themselves. */
static bool fill_by_pairs(pv_histogram *h, const pv_profile *profile)
{
    const pv_codes codes = pv_i_table_codes(pv_study_table(profile->study), h->column);
    const size_t n = profile->n_tuples * h->n_codes; /* no more than entries */
    uint64_t *const pairs = PV_NEW_ZEROED(uint64_t, n);
    uint64_t n_met = 0;
    uint64_t entry = 0;
    for (uint64_t row = 0; pairs != NULL && row < profile->n_entries; row++) {
        pairs[profile->row_tuple[row] * (size_t)h->n_codes +
              pv_i_codes_at(codes, pv_i_profile_entry(profile, row))] +=
            pv_i_entry_rows(profile->ends, row);
    }
    for (size_t i = 0; pairs != NULL && i < n; i++) {
        n_met += pairs[i] > 0;
    }
    h->code = PV_NEW_ARRAY(uint32_t, n_met);
    h->count = PV_NEW_ARRAY(uint64_t, n_met);
    const bool ready = pairs != NULL && h->code != NULL && h->count != NULL;
    for (size_t t = 0; ready && t < profile->n_tuples; t++) {
        h->start[t] = entry;
        for (uint32_t code = 0; code < h->n_codes; code++) {
            const uint64_t count = pairs[t * h->n_codes + code];
            if (count > 0) {
                h->code[entry] = code;
                h->count[entry++] = count;
            }
        }
    }
    h->start[profile->n_tuples] = entry;
    pv_i_free(pairs);
    return ready;
}

/* ------------------------------------------------------------ a common board */

#define FEW ((size_t)32)

/* Most tuples have met only a few codes. */
static void sort_codes(uint32_t *codes, size_t n)
{
    if (n > FEW) {
        qsort(codes, n, sizeof *codes, pv_i_compare_u32);
        return;
    }
    for (size_t i = 1; i < n; i++) {
        const uint32_t code = codes[i];
        size_t j = i;
        for (; j > 0 && codes[j - 1] > code; j--) {
            codes[j] = codes[j - 1];
        }
        codes[j] = code;
    }
}

/* The codes of all rows, tuple by tuple, no wider than they need be: there are as many as rows.
 *
 *     rows of tuple    0      1   2
 *     codes         [4 1 1 | 0 0 | 7 ...]      offset[t]: where the next code of tuple t goes
 *     rows          [1 1 1 | 1 1 | 1 ...]      only of entries that stand for several rows
 *     board         [0 2 0 0 1 ...]            rows of the tuple at hand by code, 0 between tuples
 *     met           [4 1]                      its codes, which are sorted before they are written
 */
/* Entries of each tuple, summed up: tuple t begins at offset[t]. Returns what the histogram can
 * have at most: no tuple has more codes than entries, or than there are. */
static uint64_t place_tuples(const pv_profile *profile, uint32_t n_codes, uint64_t *offset)
{
    uint64_t sum = 0;
    uint64_t most = 0;
    memset(offset, 0, profile->n_tuples * sizeof *offset);
    for (uint64_t row = 0; profile->ends != NULL && row < profile->n_entries; row++) {
        offset[profile->row_tuple[row]]++;
    }
    for (size_t t = 0; t < profile->n_tuples; t++) {
        const uint64_t n = profile->ends != NULL ? offset[t] : profile->count[t];
        offset[t] = sum;
        sum += n;
        most += n < n_codes ? n : n_codes;
    }
    return most;
}

static bool fill_by_board(pv_histogram *h, const pv_profile *profile)
{
    const pv_codes column = pv_i_table_codes(pv_study_table(profile->study), h->column);
    const unsigned width = pv_i_codes_width(h->n_codes);
    uint64_t *const board = PV_NEW_ZEROED(uint64_t, h->n_codes);
    uint32_t *const met = PV_NEW_ARRAY(uint32_t, h->n_codes);
    uint64_t *const offset = PV_NEW_ARRAY(uint64_t, profile->n_tuples);
    void *const gathered = pv_i_array(profile->n_entries, width);
    uint64_t *const rows = PV_NEW_ARRAY(uint64_t, profile->ends != NULL ? profile->n_entries : 0);
    const uint64_t most = offset != NULL ? place_tuples(profile, h->n_codes, offset) : 0;
    uint64_t entry = 0;
    h->code = PV_NEW_ARRAY(uint32_t, most);
    h->count = PV_NEW_ARRAY(uint64_t, most);
    bool ready = board != NULL && met != NULL && offset != NULL && gathered != NULL &&
                 rows != NULL && h->code != NULL && h->count != NULL;
    for (uint64_t row = 0; ready && row < profile->n_entries; row++) {
        const uint64_t at = offset[profile->row_tuple[row]]++;
        if (profile->ends != NULL) {
            rows[at] = pv_i_entry_rows(profile->ends, row);
        }
        const uint32_t code = pv_i_codes_at(column, pv_i_profile_entry(profile, row));
        switch (width) {
        case 1: ((uint8_t *)gathered)[at] = (uint8_t)code; break;
        case 2: ((uint16_t *)gathered)[at] = (uint16_t)code; break;
        default: ((uint32_t *)gathered)[at] = code; break;
        }
    }
    const pv_codes codes = {.width = width, .data = gathered};
    for (size_t t = 0; ready && t < profile->n_tuples; t++) {
        size_t n_met = 0;
        h->start[t] = entry;
        for (uint64_t i = t > 0 ? offset[t - 1] : 0; i < offset[t]; i++) {
            const uint32_t code = pv_i_codes_at(codes, i);
            if (board[code] == 0) {
                met[n_met++] = code;
            }
            board[code] += profile->ends != NULL ? rows[i] : 1;
        }
        sort_codes(met, n_met);
        for (size_t i = 0; i < n_met; i++) {
            h->code[entry] = met[i];
            h->count[entry++] = board[met[i]];
            board[met[i]] = 0;
        }
    }
    if (ready) { /* what was reserved in vain is given back */
        uint32_t *const code = pv_i_resize(h->code, entry, sizeof *code);
        h->code = code != NULL ? code : h->code;
        uint64_t *const count = pv_i_resize(h->count, entry, sizeof *count);
        h->count = count != NULL ? count : h->count;
        h->start[profile->n_tuples] = entry;
        ready = code != NULL && count != NULL;
    }
    pv_i_free(board);
    pv_i_free(met);
    pv_i_free(offset);
    pv_i_free(gathered);
    pv_i_free(rows);
    return ready;
}

/* -------------------------------------------------------------------- either */

/* Rows for each pair from which on counters of their own pay. */
#define ROWS_PER_PAIR 4

pv_status pv_i_histogram_init(pv_histogram *histogram, const pv_profile *profile, size_t column,
                              pv_error *error)
{
    const uint32_t n_codes = pv_table_values(pv_study_table(profile->study), column);
    pv_histogram h = {.column = column,
                      .n_codes = n_codes,
                      .missing = pv_table_missing(pv_study_table(profile->study), column),
                      .start = PV_NEW_ARRAY(uint64_t, profile->n_tuples + 1)};
    const bool few_pairs =
        profile->n_tuples <= profile->n_entries / ROWS_PER_PAIR / (n_codes > 0 ? n_codes : 1);
    const bool ready =
        h.start != NULL && (few_pairs ? fill_by_pairs(&h, profile) : fill_by_board(&h, profile));
    if (ready) {
        *histogram = h;
    } else {
        pv_i_histogram_deinit(&h);
    }
    return ready ? PV_STATUS_OK : pv_i_no_memory(error);
}

/* Zero-initialised is fine. */
void pv_i_histogram_deinit(pv_histogram *histogram)
{
    pv_i_free(histogram->start);
    pv_i_free(histogram->code);
    pv_i_free(histogram->count);
    *histogram = (pv_histogram){0};
}

/* ---------------------------------------------------------------- the profile */

/* What it takes to pack a row. */
typedef struct {
    const pv_profile *profile;
    const pv_recoding *recoding;
} packer;

/* One byte is the frequent case, and needs no unpacking. */
static void place_codes(pv_codes codes, const uint64_t *place, uint64_t first, size_t n,
                        uint32_t *scratch, uint64_t *words, unsigned step)
{
    if (codes.width == 1) {
        const uint8_t *const bytes = (const uint8_t *)codes.data + first;
        for (size_t row = 0; row < n; row++) {
            words[row * step] |= place[bytes[row]];
        }
        return;
    }
    pv_i_codes_unpack(codes, first, n, scratch);
    for (size_t row = 0; row < n; row++) {
        words[row * step] |= place[scratch[row]];
    }
}

/* A column at a time over a chunk of rows: the lookup table of one attribute stays in the nearest
 * cache, and the keys of the chunk with it. */
static void pack_rows(const void *ctx, uint64_t first, size_t n, uint32_t *scratch, uint64_t *keys)
{
    const packer *const p = ctx;
    const pv_packing *const packing = &p->profile->packing;
    const pv_table *const table = pv_study_table(p->profile->study);
    memset(keys, 0, n * packing->words * sizeof *keys);
    for (size_t i = 0; i < packing->n_fields; i++) {
        const size_t column = pv_study_quasi_column(p->profile->study, i);
        place_codes(pv_i_table_codes(table, column), p->recoding->tables[i], first, n, scratch,
                    keys + packing->fields[i].word, packing->words);
    }
}

/* Rows are numbered in order of first appearance, on threads; then the few distinct keys are
 * sorted, and every row gets the rank of its key instead. Sorting rows would cost O(rows log rows).
 */
static pv_status find_tuples(pv_profile *profile, const pv_recoding *recoding,
                             const pv_context *context, pv_error *error)
{
    const packer rows = {.profile = profile, .recoding = recoding};
    pv_numbering numbering = {.n_rows = profile->n_entries,
                              .words = profile->packing.words,
                              .unused = pv_i_packing_unused(&profile->packing),
                              .keys = pack_rows,
                              .ctx = &rows,
                              .context = context,
                              .numbers = profile->row_tuple};
    const unsigned words = numbering.words;
    uint32_t *rank = NULL;  /* per number: which tuple it becomes */
    uint32_t *order = NULL; /* its inverse */
    pv_status status = PV_STATUS_OK;
    PV_TRY_CLEAN(pv_i_numbering_find(&numbering, error));
    const size_t n = profile->n_tuples = numbering.n;
    rank = PV_NEW_ARRAY(uint32_t, n);
    order = PV_NEW_ARRAY(uint32_t, n);
    profile->keys = PV_NEW_ARRAY(uint64_t, n * words);
    profile->count = PV_NEW_ARRAY(uint64_t, n);
    if (rank == NULL || order == NULL || profile->keys == NULL || profile->count == NULL ||
        !pv_i_keys_order(numbering.distinct, n, words, order)) {
        PV_TRY_CLEAN(pv_i_no_memory(error));
    }
    for (size_t i = 0; i < n; i++) {
        memcpy(profile->keys + i * words, numbering.distinct + (size_t)order[i] * words,
               words * sizeof *profile->keys);
        profile->count[i] = numbering.rows[order[i]].n;
        rank[order[i]] = (uint32_t)i;
    }
    pv_i_numbering_settle(&numbering, rank);
    if (profile->ends != NULL) { /* the numbering has counted entries */
        memset(profile->count, 0, n * sizeof *profile->count);
        for (uint64_t row = 0; row < profile->n_entries; row++) {
            profile->count[profile->row_tuple[row]] += pv_i_entry_rows(profile->ends, row);
        }
    }
cleanup:
    pv_i_free(rank);
    pv_i_free(order);
    pv_i_numbering_deinit(&numbering);
    return status;
}

/* After a failure nothing is counted: another attempt starts from the beginning. */
static void forget_columns(pv_profile *profile)
{
    for (size_t i = 0; profile->sensitive != NULL && i < profile->n_sensitive; i++) {
        pv_i_histogram_deinit(&profile->sensitive[i]);
    }
    if (profile->label != NULL) {
        pv_i_histogram_deinit(profile->label);
    }
    pv_i_free(profile->sensitive);
    pv_i_free(profile->label);
    profile->sensitive = profile->label = NULL;
}

/* All sensitive columns and the label, whichever measure asked first: mostly several do. */
static pv_status count_columns(pv_profile *profile, pv_error *error)
{
    const pv_study *const study = profile->study;
    profile->sensitive = PV_NEW_ZEROED(pv_histogram, profile->n_sensitive);
    if (profile->sensitive == NULL) {
        return pv_i_no_memory(error);
    }
    for (size_t i = 0; i < profile->n_sensitive; i++) {
        PV_TRY(pv_i_histogram_init(&profile->sensitive[i], profile,
                                   pv_study_sensitive_column(study, i), error));
    }
    if (pv_study_label_column(study) != SIZE_MAX) {
        profile->label = PV_NEW(pv_histogram);
        if (profile->label == NULL) {
            return pv_i_no_memory(error);
        }
        PV_TRY(pv_i_histogram_init(profile->label, profile, pv_study_label_column(study), error));
    }
    return PV_STATUS_OK;
}

/* Called by several threads: the first one counts, the others wait. */
pv_status pv_i_profile_count(const pv_profile *profile, pv_error *error)
{
    /* What is counted late belongs to the profile as if it had been there from the start. */
    pv_profile *const p = (pv_profile *)(uintptr_t)profile;
    pv_status status = PV_STATUS_OK;
    (void)pthread_mutex_lock(&p->counting);
    if (!p->counted) {
        status = count_columns(p, error);
        p->counted = status == PV_STATUS_OK;
        if (!p->counted) {
            forget_columns(p);
        }
    }
    (void)pthread_mutex_unlock(&p->counting);
    return status;
}

/* Packing, then tables from codes to packed leaves, then one pass over the rows on threads. */
pv_status pv_profile_create(const pv_study *study, const pv_context *context, pv_profile **profile,
                            pv_error *error)
{
    pv_recoding recoding = {0};
    pv_status status = PV_STATUS_OK;
    if (pv_table_rows(pv_study_table(study)) == 0) {
        return pv_i_fail_at(error, PV_STATUS_INPUT, pv_table_source(pv_study_table(study)), 0, 0,
                            "the table has no rows");
    }
    pv_profile *const p = PV_NEW(pv_profile);
    if (p == NULL) {
        return pv_i_no_memory(error);
    }
    (void)pthread_mutex_init(&p->counting, NULL);
    p->study = study;
    p->n_sensitive = pv_study_sensitives(study);
    p->n_rows = pv_table_rows(pv_study_table(study));
    p->n_entries = pv_i_table_entries(pv_study_table(study));
    p->ends = pv_i_table_ends(pv_study_table(study));
    PV_TRY_CLEAN(pv_i_packing_init(&p->packing, study, error));
    PV_TRY_CLEAN(pv_i_recoding_of_codes(&recoding, &p->packing, study, error));
    p->row_tuple = PV_NEW_ARRAY(uint32_t, p->n_entries);
    if (p->row_tuple == NULL) {
        status = pv_i_no_memory(error);
        goto cleanup;
    }
    PV_TRY_CLEAN(find_tuples(p, &recoding, context, error));
cleanup:
    pv_i_recoding_deinit(&recoding);
    if (status == PV_STATUS_OK) {
        *profile = p;
    } else {
        pv_profile_free(p);
    }
    return status;
}

/* The parts of each tuple take its rows in turn. */
typedef struct {
    const pv_profile *profile;
    pv_profile *divided;
    uint32_t *part_of; /* of each tuple: the part that has rows left */
    uint64_t *left;    /* rows of each part */
} division;

static uint32_t next_part(const division *d, uint64_t entry)
{
    uint32_t *const part = &d->part_of[d->profile->row_tuple[entry]];
    while (d->left[*part] == 0) {
        ++*part;
    }
    return *part;
}

/* An entry of several rows may be of several parts: then it becomes several entries.
 *
 *     entry of the table      0 (5 rows)        1 (2 rows)
 *     entry                   0      1          2
 *     table_entry             0      0          1
 *     ends                    3      5          7 */
static bool divide_entries(division *d)
{
    pv_profile *const divided = d->divided;
    const size_t most = (size_t)d->profile->n_entries + divided->n_tuples; /* a part ends in one */
    uint64_t end = 0;
    size_t n = 0;
    divided->own_ends = PV_NEW_ARRAY(uint64_t, most);
    divided->table_entry = PV_NEW_ARRAY(uint64_t, most);
    divided->row_tuple = PV_NEW_ARRAY(uint32_t, most);
    divided->ends = divided->own_ends;
    if (divided->own_ends == NULL || divided->table_entry == NULL || divided->row_tuple == NULL) {
        return false;
    }
    for (uint64_t entry = 0; entry < d->profile->n_entries; entry++) {
        for (uint64_t rows = pv_i_entry_rows(d->profile->ends, entry); rows > 0; n++) {
            const uint32_t part = next_part(d, entry);
            const uint64_t taken = rows < d->left[part] ? rows : d->left[part];
            end += taken;
            divided->own_ends[n] = end;
            divided->table_entry[n] = entry;
            divided->row_tuple[n] = part;
            d->left[part] -= taken;
            rows -= taken;
        }
    }
    divided->n_entries = n;
    return true;
}

static bool divide_rows(const pv_profile *profile, const uint32_t *part_tuple, pv_profile *divided)
{
    division d = {.profile = profile,
                  .divided = divided,
                  .part_of = PV_NEW_ARRAY(uint32_t, profile->n_tuples),
                  .left = PV_NEW_ARRAY(uint64_t, divided->n_tuples)};
    bool ready = d.part_of != NULL && d.left != NULL;
    for (size_t i = divided->n_tuples; ready && i-- > 0;) {
        d.part_of[part_tuple[i]] = (uint32_t)i;
        d.left[i] = divided->count[i];
    }
    if (ready && profile->ends != NULL) {
        ready = divide_entries(&d);
    } else if (ready) {
        divided->n_entries = profile->n_rows;
        divided->row_tuple = PV_NEW_ARRAY(uint32_t, profile->n_rows);
        ready = divided->row_tuple != NULL;
        for (uint64_t row = 0; ready && row < profile->n_rows; row++) {
            const uint32_t part = next_part(&d, row);
            d.left[part]--;
            divided->row_tuple[row] = part;
        }
    }
    pv_i_free(d.part_of);
    pv_i_free(d.left);
    return ready;
}

pv_status pv_i_profile_divide(const pv_profile *profile, const uint32_t *part_tuple,
                              const uint64_t *part_rows, size_t n_parts, pv_profile **divided,
                              pv_error *error)
{
    const unsigned words = profile->packing.words;
    pv_status status = PV_STATUS_OK;
    pv_profile *const p = PV_NEW(pv_profile);
    if (p == NULL) {
        return pv_i_no_memory(error);
    }
    (void)pthread_mutex_init(&p->counting, NULL);
    p->study = profile->study;
    p->whole = profile;
    p->n_sensitive = profile->n_sensitive;
    p->n_rows = profile->n_rows;
    p->n_tuples = n_parts;
    PV_TRY_CLEAN(pv_i_packing_init(&p->packing, p->study, error));
    p->keys = PV_NEW_ARRAY(uint64_t, n_parts * words);
    p->count = PV_NEW_ARRAY(uint64_t, n_parts);
    if (p->keys == NULL || p->count == NULL) {
        PV_TRY_CLEAN(pv_i_no_memory(error));
    }
    for (size_t i = 0; i < n_parts; i++) {
        memcpy(p->keys + i * words, profile->keys + (size_t)part_tuple[i] * words,
               words * sizeof *p->keys);
        p->count[i] = part_rows[i];
    }
    if (!divide_rows(profile, part_tuple, p)) {
        PV_TRY_CLEAN(pv_i_no_memory(error));
    }
cleanup:
    if (status == PV_STATUS_OK) {
        *divided = p;
    } else {
        pv_profile_free(p);
    }
    return status;
}

void pv_profile_free(pv_profile *profile)
{
    if (profile == NULL) {
        return;
    }
    forget_columns(profile);
    (void)pthread_mutex_destroy(&profile->counting);
    pv_i_packing_deinit(&profile->packing);
    pv_i_free(profile->keys);
    pv_i_free(profile->count);
    pv_i_free(profile->row_tuple);
    pv_i_free(profile->table_entry);
    pv_i_free(profile->own_ends);
    pv_i_free(profile);
}

/* clang-format off */
const pv_study *pv_profile_study(const pv_profile *p) { return p->study; }
uint64_t pv_profile_rows(const pv_profile *p) { return p->n_rows; }
size_t pv_profile_tuples(const pv_profile *p) { return p->n_tuples; }
uint64_t pv_profile_count(const pv_profile *p, size_t tuple) { return p->count[tuple]; }
/* clang-format on */

size_t pv_profile_tuple(const pv_profile *profile, uint64_t row)
{
    return profile->row_tuple[pv_i_entry_of_row(profile->ends, profile->n_entries, row)];
}

/* A shift and a mask: searches call it for every tuple and attribute. */
uint32_t pv_profile_leaf(const pv_profile *profile, size_t tuple, size_t quasi)
{
    return pv_i_unpack(&profile->packing, profile->keys + tuple * profile->packing.words, quasi);
}

/* ---------------------------------------------------- the order of attributes
 *
 * In which order attributes are generalized, from the most significant field to the last: those
 * first without which fewest tuples remain, because a list that shrinks early makes all that
 * follows cheap. Of the weaker half the attribute with most levels goes last: rolling up the last
 * one is adding up neighbours, and the more levels it has the more often that is done. */

/* Tuples to judge attributes by. */
#define SAMPLE ((size_t)1 << 13)

/* About how many of the tuples would remain distinct without an attribute. Of many tuples only
 * those are counted whose rest falls, by its hash, into a small part of all: equal rests fall
 * together. */
static bool count_without(const pv_profile *profile, size_t quasi, size_t *left)
{
    const unsigned words = profile->packing.words;
    const pv_field field = profile->packing.fields[quasi];
    const uint64_t part = pv_i_next_power(profile->n_tuples / SAMPLE + 1) - 1;
    pv_keymap map = {0};
    uint64_t *const rest = PV_NEW_ARRAY(uint64_t, words);
    bool ready = rest != NULL && pv_i_keymap_init(&map, words, SAMPLE);
    for (size_t t = 0; ready && t < profile->n_tuples; t++) {
        memcpy(rest, profile->keys + t * words, words * sizeof *rest);
        rest[field.word] &= ~(field.mask << field.shift);
        /* The high bits: the map uses the low ones. */
        if ((pv_i_key_hash(rest, words) >> 32 & part) == 0) {
            ready = pv_i_keymap_add(&map, rest) != PV_KEYMAP_FULL;
        }
    }
    *left = map.n;
    pv_i_keymap_deinit(&map);
    pv_i_free(rest);
    return ready;
}

/* Insertion by how many tuples remain without the attribute: there are few attributes. */
pv_status pv_i_attribute_order(const pv_profile *profile, size_t *order, pv_error *error)
{
    const size_t n = pv_study_quasis(profile->study);
    size_t *const left = PV_NEW_ARRAY(size_t, n);
    bool ready = left != NULL;
    for (size_t q = 0; ready && q < n; q++) {
        ready = count_without(profile, q, &left[q]);
        size_t p = q;
        for (; p > 0 && left[order[p - 1]] > left[q]; p--) {
            order[p] = order[p - 1];
        }
        order[p] = q;
    }
    pv_i_free(left);
    if (!ready) {
        return pv_i_no_memory(error);
    }
    size_t last = n - 1;
    for (size_t p = n; p-- > n / 2;) {
        const pv_hierarchy *const here = pv_study_hierarchy(profile->study, order[p]);
        const pv_hierarchy *const most = pv_study_hierarchy(profile->study, order[last]);
        last = pv_hierarchy_height(here) > pv_hierarchy_height(most) ? p : last;
    }
    const size_t quasi = order[last];
    memmove(order + last, order + last + 1, (n - 1 - last) * sizeof *order);
    order[n - 1] = quasi;
    return PV_STATUS_OK;
}

/* ------------------------------------------------------ where programs begin */

static void free_profile(void *profile)
{
    pv_profile_free(profile);
}

/* Made when it is first asked for, kept by the study, and freed with it. */
pv_status pv_study_profile(const pv_study *study, const pv_profile **profile, pv_error *error)
{
    pv_study_slot *const slot = pv_i_study_slot(study);
    pv_status status = PV_STATUS_OK;
    (void)pthread_mutex_lock(&slot->lock);
    if (slot->profile == NULL) {
        pv_profile *made = NULL;
        status = pv_profile_create(study, pv_study_context(study), &made, error);
        slot->profile = made;
        slot->free_profile = free_profile;
    }
    if (status == PV_STATUS_OK) {
        *profile = slot->profile;
    }
    (void)pthread_mutex_unlock(&slot->lock);
    return status;
}

/* A plan, its table and its profile in one study. */
pv_status pv_open(const char *path, const pv_open_options *options, pv_study **study,
                  pv_error *error)
{
    pv_open_options asked;
    pv_plan *plan = NULL;
    pv_study *opened = NULL;
    const pv_profile *profile = NULL;
    PV_TRY(PV_TAKE_OPTIONS(asked, options, error));
    PV_TRY(pv_plan_read(path, &plan, error));
    const pv_study_options reading = {.data = asked.data,
                                      .all_columns = !asked.measure_only,
                                      .identifiers = asked.identifiers,
                                      .skip_bad_rows = asked.skip_bad_rows};
    pv_status status = pv_study_open(plan, &reading, &asked.context, &opened, error);
    if (status != PV_STATUS_OK) {
        pv_plan_free(plan);
        return status;
    }
    pv_i_study_own_plan(opened, plan);
    status = pv_study_profile(opened, &profile, error);
    if (status != PV_STATUS_OK) {
        pv_study_free(opened);
        return status;
    }
    *study = opened;
    return PV_STATUS_OK;
}
