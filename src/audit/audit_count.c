/* The count of a file, from its name to numbers:
 *
 *     columns      the names of the options, found in the header (here)
 *     rows         distinct rows, counted by threads and gathered in order (audit_rows.c)
 *     spellings    1, 1.0 and 01 become one value where a column is numeric (audit_value.c)
 *     suppression  the class whose quasi-identifiers are all `*` (here)
 *
 * Columns are in one array: quasi-identifiers, sensitive ones, label, then, if they are judged,
 * those that nobody named; among these the ones judged together are the last:
 *
 *     [ quasi .. | sensitive .. | label | apart .. | together .. ]
 *       n_quasi    n_sensitive    0 or 1             n_together
 *       \_________ n_named ____________/                           n_columns in all */
#include "audit/audit.h"
#include "base/buffer.h"
#include "base/checked.h"
#include "base/error.h"
#include "base/hash.h"
#include "base/memory.h"

#include <string.h>

/* ---- tallies ---- */

/* A hash table with linear probing, whose keys lie one after the other in one block:
 *
 *     keys      Berlin|Rome|Oslo|...              a key ends where the next one starts
 *               ^0     ^1   ^2
 *     entries   (start, count) by number          numbers in the order of first appearance
 *     slots     [-] [1|tag] [-] [0|tag] [2|tag]   number and part of the hash
 *
 * Growing makes only the slots anew; keys and entries keep their numbers. At least half of the
 * slots are free, so a search looks at few of them. Nothing is ever removed. */
#define FIRST_SLOTS 64

void pv_i_audit_tally_deinit(pv_audit_tally *tally)
{
    pv_i_free(tally->keys);
    pv_i_free(tally->entries);
    pv_i_free(tally->slots);
    *tally = (pv_audit_tally){0};
}

void pv_i_audit_tally_finish(pv_audit_tally *tally)
{
    pv_i_free(tally->slots);
    tally->slots = NULL;
    tally->n_slots = 0;
}

/* Rows of codes have one width and are by far the most keys: theirs need one access to memory, not
 * two. */
const char *pv_i_audit_tally_key(const pv_audit_tally *tally, uint32_t number, size_t *size)
{
    if (tally->width > 0) {
        *size = tally->width;
        return tally->keys + number * tally->width;
    }
    const size_t start = tally->entries[number].start;
    const size_t end =
        number + 1 < tally->n_entries ? tally->entries[number + 1].start : tally->keys_size;
    *size = end - start;
    return tally->keys + start;
}

/* The upper half: the lower bits choose the slot, and would be alike in all keys that meet there.
 */
static uint32_t tag_of(uint64_t hash)
{
    return (uint32_t)(hash >> 32);
}

/* The slot that holds the key, or the free one where it belongs. */
static pv_audit_tally_slot *find_slot(const pv_audit_tally *tally, uint64_t hash, const void *key,
                                      size_t size)
{
    const size_t mask = tally->n_slots - 1;
    for (size_t i = (size_t)hash & mask;; i = (i + 1) & mask) {
        pv_audit_tally_slot *const slot = &tally->slots[i];
        if (slot->number == PV_AUDIT_NOT_FOUND) {
            return slot;
        }
        if (slot->tag == tag_of(hash)) {
            size_t its_size;
            const char *const its_key = pv_i_audit_tally_key(tally, slot->number, &its_size);
            if (its_size == size && memcmp(its_key, key, size) == 0) {
                return slot;
            }
        }
    }
}

static uint32_t find(const pv_audit_tally *tally, uint64_t hash, const void *key, size_t size)
{
    return tally->n_slots == 0 ? PV_AUDIT_NOT_FOUND : find_slot(tally, hash, key, size)->number;
}

uint32_t pv_i_audit_tally_find(const pv_audit_tally *tally, const void *key, size_t size)
{
    return find(tally, pv_i_hash_bytes(key, size), key, size);
}

/* Keeps at least half of the slots free. */
static bool make_slots(pv_audit_tally *tally)
{
    if (tally->n_entries < tally->n_slots / 2) {
        return true;
    }
    const size_t n_slots = tally->n_slots > 0 ? tally->n_slots * 2 : FIRST_SLOTS;
    pv_audit_tally_slot *const slots = PV_NEW_ARRAY(pv_audit_tally_slot, n_slots);
    if (slots == NULL) {
        return false;
    }
    memset(slots, 0xff, n_slots * sizeof *slots); /* every number is NOT_FOUND */
    pv_i_free(tally->slots);
    tally->slots = slots;
    tally->n_slots = n_slots;
    /* Hashes are not stored, which saves memory; they are computed again, once per doubling. */
    for (uint32_t i = 0; i < tally->n_entries; i++) {
        size_t size;
        const char *const key = pv_i_audit_tally_key(tally, i, &size);
        const uint64_t hash = pv_i_hash_bytes(key, size);
        *find_slot(tally, hash, key, size) =
            (pv_audit_tally_slot){.number = i, .tag = tag_of(hash)};
    }
    return true;
}

static pv_status append(pv_audit_tally *tally, uint64_t hash, const void *key, size_t size,
                        pv_error *error)
{
    const size_t n = tally->n_entries;
    size_t needed; /* one byte more than the keys have, so that even an empty key has an address */
    if (n == PV_AUDIT_NOT_FOUND) {
        return pv_i_fail(error, PV_STATUS_LIMIT, "more than %u different values or classes",
                         PV_AUDIT_NOT_FOUND);
    }
    if (!pv_i_add_size(tally->keys_size + 1, size, &needed) ||
        !pv_i_reserve((void **)&tally->keys, &tally->keys_capacity, needed, 1) ||
        !pv_i_reserve((void **)&tally->entries, &tally->entries_capacity, n + 1,
                      sizeof *tally->entries) ||
        !make_slots(tally)) {
        return pv_i_no_memory(error);
    }
    *find_slot(tally, hash, key, size) =
        (pv_audit_tally_slot){.number = (uint32_t)n, .tag = tag_of(hash)};
    tally->entries[n] = (pv_audit_tally_entry){.start = tally->keys_size};
    tally->n_entries++;
    memcpy(tally->keys + tally->keys_size, key, size);
    tally->keys_size += size;
    return PV_STATUS_OK;
}

/* `count` may be 0, to number a key without counting it. */
pv_status pv_i_audit_tally_add(pv_audit_tally *tally, const void *key, size_t size, uint64_t count,
                               uint32_t *number, pv_error *error)
{
    const uint64_t hash = pv_i_hash_bytes(key, size);
    uint32_t found = find(tally, hash, key, size);
    if (found == PV_AUDIT_NOT_FOUND) {
        found = (uint32_t)tally->n_entries;
        PV_TRY(append(tally, hash, key, size, error));
    }
    tally->entries[found].count += count;
    *number = found;
    return PV_STATUS_OK;
}

/* ---- names ---- */

static const char *const default_missing[] = {"", "NA", "?", NULL};

static size_t n_names(const char *const *names)
{
    size_t n = 0;
    while (names != NULL && names[n] != NULL) {
        n++;
    }
    return n;
}

static bool is_listed(const char *const *names, const char *text, size_t size)
{
    for (size_t i = 0; names != NULL && names[i] != NULL; i++) {
        if (size == strlen(names[i]) && memcmp(text, names[i], size) == 0) {
            return true;
        }
    }
    return false;
}

/* ---- columns ---- */

/* Fields that are columns of the table: the count of equal rows is none. */
static size_t n_fields_of(const pv_audit_reader *reader, const pv_audit_count *count)
{
    return reader->header.n_fields - count->counted;
}

/* A name of the header, trimmed and unescaped like every field. */
static pv_audit_field header_name(const pv_audit_reader *reader, const pv_audit_count *count,
                                  size_t field)
{
    pv_audit_field name = reader->header.fields[field];
    (void)pv_i_audit_clean(count, &name);
    return name;
}

static pv_status unknown_column(const pv_audit_reader *reader, const char *name, pv_error *error)
{
    const pv_audit_record *const header = &reader->header;
    pv_buffer list = {0};
    for (size_t i = 0; i < header->n_fields && list.size < PV_ERROR_HINT_SIZE; i++) {
        pv_i_buffer_text(&list, i > 0 ? ", " : "");
        pv_i_buffer_bytes(&list, header->fields[i].text, header->fields[i].size);
    }
    /* The hint has a fixed size; 32 bytes of it are for the words around the list. */
    const bool is_long = list.failed || list.size > PV_ERROR_HINT_SIZE - 32;
    const pv_status status = pv_i_hint(pv_i_fail_at(error, PV_STATUS_ARGUMENT, reader->source.path,
                                                    1, 0, "there is no column `%s`", name),
                                       error, "its columns: %.*s%s", PV_ERROR_HINT_SIZE - 32,
                                       list.data != NULL ? list.data : "", is_long ? " ..." : "");
    pv_i_buffer_deinit(&list);
    return status;
}

/* No name may be twice in the header: which of the two would be checked? */
static pv_status check_header(const pv_audit_reader *reader, const pv_audit_count *count,
                              pv_error *error)
{
    pv_audit_tally names = {0};
    pv_status status = PV_STATUS_OK;
    for (size_t i = 0; i < n_fields_of(reader, count) && status == PV_STATUS_OK; i++) {
        uint32_t number;
        const pv_audit_field name = header_name(reader, count, i);
        status = pv_i_audit_tally_add(&names, name.text, name.size, 1, &number, error);
        if (status == PV_STATUS_OK && names.entries[number].count > 1) {
            status =
                pv_i_hint(pv_i_fail_at(error, PV_STATUS_INPUT, reader->source.path,
                                       reader->header_line, 0, "the column `%.*s` is there twice",
                                       (int)(name.size < 256 ? name.size : 256), name.text),
                          error, "rename or remove one of them");
        }
    }
    pv_i_audit_tally_deinit(&names);
    return status;
}

static pv_status add_named(const pv_audit_reader *reader, const char *name,
                           const pv_audit_reading *reading, pv_audit_count *count, pv_error *error)
{
    const char *const wanted[] = {name, NULL};
    size_t field = 0;
    for (size_t i = 0; i < count->n_columns; i++) {
        if (strcmp(count->columns[i].name, name) == 0) {
            return pv_i_hint(pv_i_fail(error, PV_STATUS_ARGUMENT,
                                       "the column `%s` is named more than once", name),
                             error, "give it one role: quasi-identifier, sensitive or label");
        }
    }
    for (; field < n_fields_of(reader, count); field++) {
        const pv_audit_field found = header_name(reader, count, field);
        if (is_listed(wanted, found.text, found.size)) {
            break;
        }
    }
    if (field == n_fields_of(reader, count)) {
        return unknown_column(reader, name, error);
    }
    count->columns[count->n_columns] =
        (pv_audit_column){.name = name,
                          .field = field,
                          .reading = reading != NULL ? *reading : (pv_audit_reading){0},
                          .is_quasi = count->n_columns < count->n_quasi,
                          .star = PV_AUDIT_NOT_FOUND,
                          .missing = PV_AUDIT_NOT_FOUND};
    count->n_columns++;
    return PV_STATUS_OK;
}

/* The columns that nobody named, to be judged all the same: first those of the list `apart`, then
 * the others, which are judged together if they are two or more. */
static pv_status add_unnamed(const pv_audit_reader *reader, const char *const *apart,
                             pv_audit_count *count, pv_error *error)
{
    const size_t n_fields = n_fields_of(reader, count);
    bool *const named = PV_NEW_ZEROED(bool, n_fields);
    bool fine = named != NULL;
    size_t n_added = 0;
    for (size_t i = 0; fine && i < count->n_named; i++) {
        named[count->columns[i].field] = true;
    }
    for (int together = 0; together < 2; together++) {
        n_added = 0;
        for (size_t i = 0; fine && i < n_fields; i++) {
            const pv_audit_field name = header_name(reader, count, i);
            if (named[i] || is_listed(apart, name.text, name.size) == together) {
                continue;
            }
            char *const copy = pv_i_strndup(name.text, name.size);
            count->columns[count->n_columns++] = (pv_audit_column){.name = copy,
                                                                   .own_name = copy,
                                                                   .field = i,
                                                                   .star = PV_AUDIT_NOT_FOUND,
                                                                   .missing = PV_AUDIT_NOT_FOUND};
            fine = copy != NULL;
            n_added++;
        }
    }
    count->n_together = n_added >= 2 ? n_added : 0;
    pv_i_free(named);
    return fine ? PV_STATUS_OK : pv_i_no_memory(error);
}

static pv_status find_columns(const pv_audit_reader *reader, const pv_audit_options *options,
                              pv_audit_count *count, pv_error *error)
{
    count->n_quasi = n_names(options->quasi);
    count->n_sensitive = n_names(options->sensitive);
    count->has_label = options->label != NULL;
    if (count->n_quasi == 0) {
        return pv_i_fail(error, PV_STATUS_ARGUMENT,
                         "no quasi-identifier was named; at least one is needed");
    }
    count->n_named = count->n_quasi + count->n_sensitive + count->has_label;
    count->judges = options->unchanged;
    /* Memory for all that could come: the array never moves while columns are added. */
    const size_t n = count->n_named + (count->judges ? n_fields_of(reader, count) : 0);
    count->columns = PV_NEW_ZEROED(pv_audit_column, n);
    if (count->columns == NULL) {
        return pv_i_no_memory(error);
    }
    PV_TRY(check_header(reader, count, error));
    for (size_t i = 0; i < count->n_quasi; i++) {
        PV_TRY(add_named(reader, options->quasi[i],
                         options->quasi_readings != NULL ? &options->quasi_readings[i] : NULL,
                         count, error));
    }
    for (size_t i = 0; i < count->n_sensitive; i++) {
        PV_TRY(
            add_named(reader, options->sensitive[i],
                      options->sensitive_readings != NULL ? &options->sensitive_readings[i] : NULL,
                      count, error));
    }
    if (count->has_label) {
        PV_TRY(add_named(reader, options->label, options->label_reading, count, error));
    }
    return count->judges ? add_unnamed(reader, options->apart, count, error) : PV_STATUS_OK;
}

/* ---- values ---- */

const char *const *pv_i_audit_spellings(const pv_audit_count *count, const pv_audit_column *column)
{
    return column->reading.missing != NULL ? column->reading.missing : count->missing;
}

bool pv_i_audit_is_missing(const pv_audit_count *count, const pv_audit_column *column,
                           const char *text, size_t size)
{
    return is_listed(pv_i_audit_spellings(count, column), text, size);
}

/* Keys are bytes and may begin anywhere: copied, not cast. */
uint32_t pv_i_audit_code(const pv_audit_tally *tally, uint32_t number, size_t position)
{
    size_t unused;
    uint32_t code;
    memcpy(&code, pv_i_audit_tally_key(tally, number, &unused) + position * sizeof code,
           sizeof code);
    return code;
}

/* ---- suppression ---- */

/* At most one class has only stars. If it is the only class, nothing was suppressed: the whole
 * table was generalized to the top. */
static void find_suppressed(pv_audit_count *count)
{
    count->suppressed_class = PV_AUDIT_NOT_FOUND;
    for (uint32_t i = 0; i < count->classes.n_entries && count->classes.n_entries > 1; i++) {
        size_t j = 0; /* a code is never NOT_FOUND, so a column without stars has none */
        while (j < count->n_quasi &&
               pv_i_audit_code(&count->classes, i, j) == count->columns[j].star) {
            j++;
        }
        if (j == count->n_quasi) {
            count->suppressed_class = i;
            count->suppressed = count->classes.entries[i].count;
        }
    }
}

/* ---- all of it ---- */

pv_status pv_i_audit_count(const char *path, const pv_audit_options *options,
                           const pv_audit_limits *limits, const pv_context *context,
                           pv_audit_count *count, pv_error *error)
{
    pv_audit_count result = {.missing =
                                 options->missing != NULL ? options->missing : default_missing,
                             .counted = options->counted,
                             .trims = options->trim,
                             .escaped = options->escaped};
    pv_audit_reader reader;
    PV_TRY(pv_i_audit_reader_open(path, options, limits, &reader, error));
    result.path = reader.source.path;
    pv_status status = PV_STATUS_OK;
    PV_TRY_CLEAN(find_columns(&reader, options, &result, error));
    PV_TRY_CLEAN(pv_i_audit_count_rows(&reader, context, &result, error));
    PV_TRY_CLEAN(pv_i_audit_merge(&result, error));
    find_suppressed(&result);
    *count = result;
    result = (pv_audit_count){0};
cleanup:
    pv_i_audit_reader_deinit(&reader);
    pv_i_audit_count_deinit(&result);
    return status;
}

void pv_i_audit_count_deinit(pv_audit_count *count)
{
    for (size_t i = 0; i < count->n_columns; i++) {
        pv_i_audit_tally_deinit(&count->columns[i].values);
        pv_i_audit_tally_deinit(&count->columns[i].pairs);
        pv_i_free(count->columns[i].lines);
        pv_i_free(count->columns[i].own_name);
    }
    pv_i_free(count->columns);
    pv_i_audit_tally_deinit(&count->classes);
    pv_i_audit_tally_deinit(&count->parts);
    pv_i_audit_tally_deinit(&count->together);
    *count = (pv_audit_count){0};
}
