/* Counting a file row by row: cells become codes, codes become classes and their parts. */
#include "release/audit_count.h"

#include "base/buffer.h"
#include "base/error.h"
#include "base/memory.h"
#include "base/ticker.h"
#include "release/audit_reader.h"
#include "release/audit_value.h"

#include <stdbool.h>
#include <string.h>

#define ROWS_PER_TICK 256

static const char *const default_missing[] = {"", "NA", "?", NULL};

/* What counting one row needs besides the count itself. */
typedef struct {
    pv_audit_reader reader;
    pv_audit_count *count;
    uint32_t *codes; /* of the row: the quasi-identifiers, the number of the class, the others */
    pv_error *error;
} counter;

static size_t n_names(const char *const *names)
{
    size_t n = 0;
    while (names != NULL && names[n] != NULL) {
        n++;
    }
    return n;
}

/* ---- finding the columns ---- */

static bool is_text(const char *text, size_t size, const char *wanted)
{
    return size == strlen(wanted) && memcmp(text, wanted, size) == 0;
}

/* Where formulas are escaped, no value begins with ' unless one was put there. */
static void unescape(const pv_audit_count *count, const char **text, size_t *size)
{
    if (count->escaped && *size > 0 && **text == '\'') {
        ++*text;
        --*size;
    }
}

/* A name of the header, trimmed like every field. */
static const char *header_name(const counter *c, size_t field, size_t *size)
{
    const char *name = pv_i_audit_field(&c->reader.header, field, size);
    if (c->count->trims) {
        (void)pv_i_audit_trim(&name, size);
    }
    unescape(c->count, &name, size);
    return name;
}

static void list_names(const pv_audit_record *header, pv_buffer *list)
{
    for (size_t i = 0; i < header->n_fields && list->size < PV_ERROR_HINT_SIZE; i++) {
        size_t size;
        const char *const name = pv_i_audit_field(header, i, &size);
        pv_i_buffer_text(list, i > 0 ? ", " : "");
        pv_i_buffer_bytes(list, name, size);
    }
}

static pv_status unknown_column(const counter *c, const char *name)
{
    pv_buffer list = {0};
    list_names(&c->reader.header, &list);
    const bool is_long = list.failed || list.size > PV_ERROR_HINT_SIZE - 32;
    const pv_status status =
        pv_i_hint(pv_i_fail_at(c->error, PV_STATUS_ARGUMENT, c->reader.source.path, 1, 0,
                               "there is no column `%s`", name),
                  c->error, "its columns: %.*s%s", PV_ERROR_HINT_SIZE - 32,
                  list.data != NULL ? list.data : "", is_long ? " ..." : "");
    pv_i_buffer_deinit(&list);
    return status;
}

static pv_status find_column(const counter *c, pv_audit_column *column)
{
    const pv_audit_record *const header = &c->reader.header;
    for (size_t i = 0; i < header->n_fields; i++) {
        size_t size;
        const char *const name = header_name(c, i, &size);
        if (is_text(name, size, column->name)) {
            column->field = i;
            return PV_STATUS_OK;
        }
    }
    return unknown_column(c, column->name);
}

/* No name may stand twice in the header: which of the two would be checked? */
static pv_status check_header(const counter *c)
{
    const pv_audit_record *const header = &c->reader.header;
    pv_audit_tally names = {0};
    pv_status status = PV_STATUS_OK;
    for (uint32_t i = 0; i < header->n_fields && status == PV_STATUS_OK; i++) {
        size_t size;
        uint32_t number;
        const char *const name = header_name(c, i, &size);
        status = pv_i_audit_tally_add(&names, name, size, 1, &number, c->error);
        if (status == PV_STATUS_OK && names.entries[number].count > 1) {
            status = pv_i_hint(pv_i_fail_at(c->error, PV_STATUS_INPUT, c->reader.source.path,
                                            header->line, 0, "the column `%.*s` is there twice",
                                            (int)(size < 256 ? size : 256), name),
                               c->error, "rename or remove one of them");
        }
    }
    pv_i_audit_tally_deinit(&names);
    return status;
}

static pv_status name_column(counter *c, const char *name, const pv_audit_reading *reading)
{
    pv_audit_count *const count = c->count;
    for (size_t i = 0; i < count->n_columns; i++) {
        if (strcmp(count->columns[i].name, name) == 0) {
            return pv_i_hint(pv_i_fail(c->error, PV_STATUS_ARGUMENT,
                                       "the column `%s` is named more than once", name),
                             c->error, "give it one role: quasi-identifier, sensitive or label");
        }
    }
    count->columns[count->n_columns] =
        (pv_audit_column){.name = name,
                          .reading = reading != NULL ? *reading : (pv_audit_reading){0},
                          .is_quasi = count->n_columns < count->n_quasi,
                          .star = PV_AUDIT_NOT_FOUND,
                          .missing = PV_AUDIT_NOT_FOUND};
    return find_column(c, &count->columns[count->n_columns++]);
}

static bool is_named(const pv_audit_count *count, size_t field)
{
    for (size_t i = 0; i < count->n_columns; i++) {
        if (count->columns[i].field == field) {
            return true;
        }
    }
    return false;
}

static bool is_listed(const char *const *names, const char *text, size_t size)
{
    for (size_t i = 0; i < n_names(names); i++) {
        if (is_text(text, size, names[i])) {
            return true;
        }
    }
    return false;
}

/* The columns that nobody named, to be judged all the same: those kept apart, or the rest. */
static pv_status add_others(counter *c, const char *const *apart, bool add_apart)
{
    const pv_audit_record *const header = &c->reader.header;
    pv_audit_count *const count = c->count;
    for (size_t i = 0; i < header->n_fields; i++) {
        size_t size;
        const char *const name = header_name(c, i, &size);
        if (is_named(count, i) || is_listed(apart, name, size) != add_apart) {
            continue;
        }
        char *const copy = pv_i_strndup(name, size);
        if (copy == NULL) {
            return pv_i_no_memory(c->error);
        }
        count->columns[count->n_columns++] = (pv_audit_column){.name = copy,
                                                               .own_name = copy,
                                                               .field = i,
                                                               .star = PV_AUDIT_NOT_FOUND,
                                                               .missing = PV_AUDIT_NOT_FOUND};
    }
    return PV_STATUS_OK;
}

/* Columns judged together stand last. */
static pv_status add_all_others(counter *c, const char *const *apart)
{
    pv_audit_count *const count = c->count;
    PV_TRY(add_others(c, apart, true));
    const size_t first = count->n_columns;
    PV_TRY(add_others(c, apart, false));
    count->n_together = count->n_columns - first >= 2 ? count->n_columns - first : 0;
    return PV_STATUS_OK;
}

static pv_status name_columns(counter *c, const pv_audit_options *options)
{
    pv_audit_count *const count = c->count;
    count->n_quasi = n_names(options->quasi);
    count->n_sensitive = n_names(options->sensitive);
    count->has_label = options->label != NULL;
    if (count->n_quasi == 0) {
        return pv_i_fail(c->error, PV_STATUS_ARGUMENT,
                         "no quasi-identifier was named; at least one is needed");
    }
    count->n_named = count->n_quasi + count->n_sensitive + count->has_label;
    count->judges = options->unchanged;
    const size_t n = count->n_named + (count->judges ? c->reader.header.n_fields : 0);
    count->columns = PV_NEW_ZEROED(pv_audit_column, n);
    c->codes = PV_NEW_ZEROED(uint32_t, n + 1);
    if (count->columns == NULL || c->codes == NULL) {
        return pv_i_no_memory(c->error);
    }
    PV_TRY(check_header(c));
    for (size_t i = 0; i < count->n_quasi; i++) {
        PV_TRY(name_column(c, options->quasi[i],
                           options->quasi_readings != NULL ? &options->quasi_readings[i] : NULL));
    }
    for (size_t i = 0; i < count->n_sensitive; i++) {
        PV_TRY(name_column(c, options->sensitive[i],
                           options->sensitive_readings != NULL ? &options->sensitive_readings[i]
                                                               : NULL));
    }
    if (count->has_label) {
        PV_TRY(name_column(c, options->label, options->label_reading));
    }
    return count->judges ? add_all_others(c, options->apart) : PV_STATUS_OK;
}

/* ---- counting the rows ---- */

static const char *const *spellings_of(const pv_audit_count *count, const pv_audit_column *column)
{
    return column->reading.missing != NULL ? column->reading.missing : count->missing;
}

bool pv_i_audit_is_missing(const pv_audit_count *count, const pv_audit_column *column,
                           const char *text, size_t size)
{
    const char *const *const spellings = spellings_of(count, column);
    for (size_t i = 0; spellings[i] != NULL; i++) {
        if (is_text(text, size, spellings[i])) {
            return true;
        }
    }
    return false;
}

static pv_status count_cell(counter *c, pv_audit_column *column, uint32_t *code)
{
    size_t size;
    const char *text = pv_i_audit_field(&c->reader.record, column->field, &size);
    if (c->count->trims) {
        c->count->trimmed += pv_i_audit_trim(&text, &size);
    }
    unescape(c->count, &text, &size);
    const bool missing = pv_i_audit_is_missing(c->count, column, text, size);
    if (missing) {
        c->count->n_missing++;
        text = spellings_of(c->count, column)[0];
        size = strlen(text);
    }
    const size_t n_before = column->values.n_entries;
    PV_TRY(pv_i_audit_tally_add(&column->values, text, size, 1, code, c->error));
    if (column->values.n_entries == n_before) {
        return PV_STATUS_OK;
    }
    if (!pv_i_reserve((void **)&column->lines, &column->lines_capacity, n_before + 1,
                      sizeof *column->lines)) {
        return pv_i_no_memory(c->error);
    }
    column->lines[*code] = c->reader.record.line;
    if (missing) {
        column->missing = *code;
    } else if (is_text(text, size, PV_AUDIT_STAR)) {
        column->star = *code;
    }
    return PV_STATUS_OK;
}

/* In every judged column: the class together with the value; and with all that are judged together.
 * `codes` are those of the columns that are no quasi-identifiers. */
static pv_status count_pairs(counter *c, uint32_t class_number, uint32_t *codes)
{
    pv_audit_count *const count = c->count;
    uint32_t unused;
    for (size_t i = count->n_quasi; i < count->n_columns; i++) {
        const uint32_t pair[2] = {class_number, codes[i - count->n_quasi]};
        PV_TRY(pv_i_audit_tally_add(&count->columns[i].pairs, pair, sizeof pair, 1, &unused,
                                    c->error));
    }
    if (count->n_together == 0) {
        return PV_STATUS_OK;
    }
    /* The code before the first of them gives way to the class: it was counted above. */
    uint32_t *const key = codes + (count->n_columns - count->n_quasi - count->n_together) - 1;
    key[0] = class_number;
    return pv_i_audit_tally_add(&count->together, key, (1 + count->n_together) * sizeof *key, 1,
                                &unused, c->error);
}

static pv_status count_row(counter *c)
{
    pv_audit_count *const count = c->count;
    uint32_t *const quasi = c->codes;
    uint32_t *const part = c->codes + count->n_quasi;
    const size_t n_parts = count->n_named - count->n_quasi;
    uint32_t unused;
    for (size_t i = 0; i < count->n_quasi; i++) {
        PV_TRY(count_cell(c, &count->columns[i], &quasi[i]));
    }
    for (size_t i = count->n_quasi; i < count->n_columns; i++) {
        PV_TRY(count_cell(c, &count->columns[i], &part[1 + i - count->n_quasi]));
    }
    PV_TRY(pv_i_audit_tally_add(&count->classes, quasi, count->n_quasi * sizeof *quasi, 1, &part[0],
                                c->error));
    count->rows++;
    if (n_parts > 0) {
        PV_TRY(pv_i_audit_tally_add(&count->parts, part, (1 + n_parts) * sizeof *part, 1, &unused,
                                    c->error));
    }
    return count->judges ? count_pairs(c, part[0], part + 1) : PV_STATUS_OK;
}

static pv_status count_rows(counter *c, const pv_context *context)
{
    const pv_audit_source *const source = &c->reader.source;
    pv_ticker ticker = pv_i_ticker(context, "checking", source->size_on_disk);
    for (;;) {
        bool more = false;
        PV_TRY(pv_i_audit_reader_next(&c->reader, &more));
        if (!more) {
            break;
        }
        PV_TRY(count_row(c));
        if (c->count->rows % ROWS_PER_TICK == 1 && !pv_i_tick(&ticker, source->taken_from_disk)) {
            return pv_i_cancelled(c->error);
        }
    }
    if (c->count->rows == 0) {
        return pv_i_hint(
            pv_i_fail_at(c->error, PV_STATUS_INPUT, source->path, 0, 0, "has a header but no rows"),
            c->error, "there is nothing to check");
    }
    return pv_i_tick_end(&ticker) ? PV_STATUS_OK : pv_i_cancelled(c->error);
}

/* ---- suppression ---- */

uint32_t pv_i_audit_code(const pv_audit_tally *tally, uint32_t number, size_t position)
{
    size_t unused;
    uint32_t code;
    memcpy(&code, pv_i_audit_tally_key(tally, number, &unused) + position * sizeof code,
           sizeof code);
    return code;
}

static bool is_all_stars(const pv_audit_count *count, uint32_t class_number)
{
    for (size_t i = 0; i < count->n_quasi; i++) {
        const uint32_t star = count->columns[i].star;
        if (star == PV_AUDIT_NOT_FOUND ||
            pv_i_audit_code(&count->classes, class_number, i) != star) {
            return false;
        }
    }
    return true;
}

static void find_suppressed(pv_audit_count *count)
{
    count->suppressed_class = PV_AUDIT_NOT_FOUND;
    for (uint32_t i = 0; i < count->classes.n_entries && count->classes.n_entries > 1; i++) {
        if (is_all_stars(count, i)) {
            count->suppressed_class = i;
            count->suppressed = count->classes.entries[i].count;
        }
    }
}

/* ---- all of it ---- */

pv_status pv_i_audit_count(const char *path, const pv_audit_options *options,
                           const pv_context *context, pv_audit_count *count, pv_error *error)
{
    pv_audit_count result = {.missing =
                                 options->missing != NULL ? options->missing : default_missing,
                             .trims = options->trim,
                             .escaped = options->escaped};
    counter c = {.count = &result, .error = error};
    PV_TRY(pv_i_audit_reader_open(path, options, &c.reader, error));
    result.path = c.reader.source.path;
    pv_status status = PV_STATUS_OK;
    PV_TRY_CLEAN(name_columns(&c, options));
    PV_TRY_CLEAN(count_rows(&c, context));
    PV_TRY_CLEAN(pv_i_audit_merge(&result, error));
    find_suppressed(&result);
    *count = result;
    result = (pv_audit_count){0};
cleanup:
    pv_i_audit_count_deinit(&result);
    pv_i_free(c.codes);
    pv_i_audit_reader_deinit(&c.reader);
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
