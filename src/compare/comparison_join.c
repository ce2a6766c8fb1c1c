/* Whose row is this? Rows of a release are matched with those of the original by the release's row
 * map; by a key, a column whose values identify them; or by row order. */
#include "base/bitset.h"
#include "base/error.h"
#include "base/file.h"
#include "base/memory.h"
#include "compare/comparison_parts.h"
#include "plan/spelling.h"
#include "table/column.h"

#include <string.h>

/* -------------------------------------------------------------------- keys */

static pv_status find_key(const pv_table *table, const char *key, size_t *column, pv_error *error)
{
    *column = pv_table_find(table, key);
    if (*column != SIZE_MAX) {
        return PV_STATUS_OK;
    }
    return pv_i_hint(pv_i_fail_at(error, PV_STATUS_INPUT, pv_table_source(table), 0, 0,
                                  "there is no column `%s` to match rows by", pv_i_shown(key).text),
                     error, "--key needs a column that the original and all releases have");
}

/* Codes are fewer than rows only if some key comes up again: where does the first one? */
static pv_status check_distinct(const pv_table *table, size_t column, pv_error *error)
{
    const pv_codes codes = pv_i_table_codes(table, column);
    const uint32_t n_codes = pv_table_values(table, column);
    if (n_codes == pv_table_rows(table)) {
        return PV_STATUS_OK;
    }
    uint64_t *const seen = PV_NEW_ZEROED(uint64_t, PV_BITSET_WORDS((size_t)n_codes));
    if (seen == NULL) {
        return pv_i_no_memory(error);
    }
    uint64_t row = 0;
    for (; !pv_i_bit_get(seen, pv_i_codes_at(codes, row)); row++) {
        pv_i_bit_set(seen, pv_i_codes_at(codes, row));
    }
    pv_i_free(seen);
    return pv_i_hint(
        pv_i_fail_at(error, PV_STATUS_INPUT, pv_table_source(table), pv_table_line(table, row), 0,
                     "the key in column `%s` of row %llu is that of an earlier row",
                     pv_i_shown(pv_table_name(table, column)).text, (unsigned long long)row + 1),
        error,
        "a key must be unique in every file: correct the file, or name another column with --key");
}

pv_status pv_i_key_index_init(pv_key_index *index, const pv_table *original, const char *key,
                              pv_error *error)
{
    PV_TRY(find_key(original, key, &index->column, error));
    PV_TRY(check_distinct(original, index->column, error));
    PV_TRY(pv_i_value_index_init(&index->values, original, index->column, error));
    index->row = PV_NEW_ARRAY(uint64_t, pv_table_values(original, index->column));
    if (index->row == NULL) {
        return pv_i_no_memory(error);
    }
    const pv_codes codes = pv_i_table_codes(original, index->column);
    for (uint64_t row = 0; row < pv_table_rows(original); row++) {
        index->row[pv_i_codes_at(codes, row)] = row;
    }
    return PV_STATUS_OK;
}

void pv_i_key_index_deinit(pv_key_index *index)
{
    pv_i_value_index_deinit(&index->values);
    pv_i_free(index->row);
    *index = (pv_key_index){0};
}

/* All spellings of a missing key are one key. */
static uint32_t find_code(const pv_comparing *comparing, const pv_table *release, size_t column,
                          uint32_t code)
{
    const pv_key_index *const keys = &comparing->keys;
    return code == pv_table_missing(release, column)
               ? pv_table_missing(pv_study_table(comparing->study), keys->column)
               : pv_i_value_index_find(&keys->values, pv_table_value(release, column, code));
}

static pv_status fail_unknown(const pv_table *release, size_t column, uint64_t row, pv_error *error)
{
    return pv_i_hint(
        pv_i_fail_at(error, PV_STATUS_INPUT, pv_table_source(release), pv_table_line(release, row),
                     0, "the original has no row with the key in column `%s` of row %llu",
                     pv_i_shown(pv_table_name(release, column)).text, (unsigned long long)row + 1),
        error, "compare releases with the table they were made from");
}

static pv_status find_rows(const pv_comparing *comparing, const pv_table *release, size_t column,
                           uint64_t *rows, pv_error *error)
{
    const pv_codes codes = pv_i_table_codes(release, column);
    for (uint64_t row = 0; row < pv_table_rows(release); row++) {
        const uint32_t code = find_code(comparing, release, column, pv_i_codes_at(codes, row));
        if (code == PV_NO_CODE) {
            return fail_unknown(release, column, row, error);
        }
        rows[row] = comparing->keys.row[code];
    }
    return PV_STATUS_OK;
}

static pv_status join_by_key(const pv_comparing *comparing, const pv_table *release,
                             uint64_t **rows, pv_error *error)
{
    const uint64_t n = pv_table_rows(release);
    size_t column = 0;
    pv_status status = PV_STATUS_OK;
    PV_TRY(find_key(release, comparing->key, &column, error));
    PV_TRY(check_distinct(release, column, error));
    uint64_t *const found = PV_NEW_ARRAY(uint64_t, n);
    if (found == NULL) {
        return pv_i_no_memory(error);
    }
    PV_TRY_CLEAN(find_rows(comparing, release, column, found, error));
    *rows = found;
    return PV_STATUS_OK;
cleanup:
    pv_i_free(found);
    return status;
}

/* ------------------------------------------------------------------- order */

/* The line of the first row too many, or of the last there is. */
static pv_status fail_count(const pv_table *release, uint64_t n_original, pv_error *error)
{
    const uint64_t n = pv_table_rows(release);
    const uint64_t row = n > n_original ? n_original : n > 0 ? n - 1 : 0;
    return pv_i_hint(pv_i_fail_at(error, PV_STATUS_INPUT, pv_table_source(release),
                                  pv_table_line(release, row), 0,
                                  "the release has %llu rows, the original %llu",
                                  (unsigned long long)n, (unsigned long long)n_original),
                     error,
                     "rows are matched by row order: if some were left out, name a column that "
                     "identifies the rows in both with --key COLUMN, or give the release's row map "
                     "with --row-map FILE");
}

int pv_i_compare_neighbours(const pv_table *release, uint64_t row)
{
    int order = 0;
    for (size_t column = 0; order == 0 && column < pv_table_columns(release); column++) {
        const pv_codes codes = pv_i_table_codes(release, column);
        const uint32_t before = pv_i_codes_at(codes, row - 1);
        const uint32_t here = pv_i_codes_at(codes, row);
        order = before == here ? 0
                               : strcmp(pv_table_value(release, column, before),
                                        pv_table_value(release, column, here));
    }
    return order;
}

bool pv_i_is_sorted(const pv_table *release, uint64_t *n_runs)
{
    *n_runs = 1;
    for (uint64_t row = 1; row < pv_table_rows(release); row++) {
        const int order = pv_i_compare_neighbours(release, row);
        if (order > 0) {
            return false;
        }
        *n_runs += order < 0;
    }
    return true;
}

/* -------------------------------------------------------------------- maps */

pv_status pv_i_maps_init(pv_comparing *comparing, const char *const *paths, size_t n,
                         pv_error *error)
{
    comparing->maps = PV_NEW_ZEROED(pv_map_choice, n);
    if (comparing->maps == NULL) {
        return pv_i_no_memory(error);
    }
    for (size_t i = 0; i < n; i++) {
        pv_map_choice *const map = &comparing->maps[comparing->n_maps++];
        map->path = paths[i];
        PV_TRY(pv_i_row_map_release(map->path, map->sha256, error));
    }
    return PV_STATUS_OK;
}

pv_status pv_i_maps_check(const pv_comparing *comparing, pv_error *error)
{
    for (size_t i = 0; i < comparing->n_maps; i++) {
        if (!comparing->maps[i].used) {
            return pv_i_hint(pv_i_fail_at(error, PV_STATUS_INPUT, comparing->maps[i].path, 2, 0,
                                          "this row map belongs to none of these releases"),
                             error,
                             "a map fits the very file it was written with: give that one, "
                             "unchanged");
        }
    }
    return PV_STATUS_OK;
}

/* The map of a release, or NULL. Standard input cannot be read twice, and has none. */
static pv_status find_map(const pv_comparing *comparing, const char *path, pv_map_choice **found,
                          pv_error *error)
{
    char sha256[PV_SHA256_HEX];
    *found = NULL;
    if (comparing->n_maps == 0 || strcmp(path, "-") == 0) {
        return PV_STATUS_OK;
    }
    PV_TRY(pv_i_file_hash(path, sha256, error));
    for (size_t i = 0; i < comparing->n_maps; i++) {
        if (strcmp(comparing->maps[i].sha256, sha256) == 0) {
            comparing->maps[i].used = true;
            *found = &comparing->maps[i];
        }
    }
    return PV_STATUS_OK;
}

pv_status pv_i_join(const pv_comparing *comparing, const char *path, const pv_table *release,
                    uint64_t **rows, pv_error *error)
{
    const uint64_t n_original = pv_table_rows(pv_study_table(comparing->study));
    pv_map_choice *map = NULL;
    PV_TRY(find_map(comparing, path, &map, error));
    if (map != NULL) {
        return pv_i_row_map_read(map->path, pv_table_rows(release), n_original, rows, error);
    }
    if (comparing->key != NULL) {
        return join_by_key(comparing, release, rows, error);
    }
    if (pv_table_rows(release) != n_original) {
        return fail_count(release, n_original, error);
    }
    *rows = NULL;
    return PV_STATUS_OK;
}
