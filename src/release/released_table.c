/* A release that becomes a table of an engine (engine/publish.h).
 *
 *   distinct rows --> hidden table --read back, counted--> a file that the checker reads
 *                         |                                compared with what was sent
 *                         +--------- the engine's own count of the classes
 *
 * So three look at it who share no code: this process computed the classes, the checker counts what
 * it reads, and the engine counts what it holds. */
#include "release/release.h"

#include "base/error.h"
#include "base/hash.h"
#include "base/memory.h"
#include "table/csv_writer.h"

#include <stdlib.h>
#include <string.h>

#define DELIMITER ','
#define MOST_DIGITS 18 /* an integer of 64 bits takes all numbers of so many */

pv_status pv_i_released_table_open(pv_release_job *job, pv_error *error)
{
    const char *const source = pv_table_source(pv_study_table(job->study));
    PV_TRY(pv_i_publish_open(job->settings->output, pv_i_outputs_may_replace(job->outputs),
                             job->context, &job->publish, error));
    /* Rows that belong to a table by its name alone would be read as originals. */
    const bool joins =
        pv_i_publish_is_file(job->publish) && pv_i_place_covers(source, job->settings->output);
    if (joins || pv_i_publish_is(job->publish, source)) {
        return pv_i_hint(pv_i_fail_at(error, PV_STATUS_ARGUMENT, job->settings->output, 0, 0,
                                      "belongs to the table that the data is read from"),
                         error, "choose another name for the release");
    }
    return pv_i_publish_spread(job->publish, source, error);
}

pv_status pv_release_place_check(const char *place, bool force, const pv_context *context,
                                 pv_error *error)
{
    pv_publish *publish = NULL;
    PV_TRY(pv_i_publish_open(place, force, context, &publish, error));
    pv_i_publish_close(publish);
    return PV_STATUS_OK;
}

/* ----------------------------------------------------------------------- types */

static size_t digits(const char *text, size_t size)
{
    size_t n = 0;
    while (n < size && text[n] >= '0' && text[n] <= '9') {
        n++;
    }
    return n;
}

/* Spelled in the one way in which engines write it: no +, no zeros before it, -0 is none. */
static bool is_integer(const char *text, size_t size)
{
    const size_t sign = size > 0 && text[0] == '-';
    const size_t n = digits(text + sign, size - sign);
    return n > 0 && n <= MOST_DIGITS && sign + n == size &&
           (text[sign] != '0' || (n == 1 && sign == 0));
}

static bool is_decimal(const char *text, size_t size)
{
    const size_t sign = size > 0 && text[0] == '-';
    const size_t whole = digits(text + sign, size - sign);
    const size_t point = sign + whole;
    if (whole == 0 || (text[sign] == '0' && whole > 1)) {
        return false;
    }
    const size_t part = point < size ? digits(text + point + 1, size - point - 1) : 0;
    return whole + part <= MOST_DIGITS &&
           (point == size || (text[point] == '.' && part > 0 && point + 1 + part == size));
}

static bool is_date(const char *text, size_t size)
{
    return size == 10 && digits(text, 4) == 4 && text[4] == '-' && digits(text + 5, 2) == 2 &&
           text[7] == '-' && digits(text + 8, 2) == 2 && memcmp(text, "0000", 4) != 0;
}

static bool all_are(const pv_released_column *column, bool (*is)(const char *text, size_t size))
{
    bool are = column->n_ranks > (column->missing != UINT32_MAX);
    for (uint32_t rank = 0; are && rank < column->n_ranks; rank++) {
        const size_t start = column->starts[rank];
        are =
            rank == column->missing || is(column->cells + start, column->starts[rank + 1] - start);
    }
    return are;
}

pv_sql_type pv_i_released_type(const pv_release_job *job, const pv_released_column *column)
{
    const pv_type type = pv_table_type(pv_study_table(job->study), column->column);
    const bool recoded = column->treatment == PV_TREATMENT_RECODED;
    if (column->treatment == PV_TREATMENT_HASHED || type == PV_TYPE_TEXT || type == PV_TYPE_AUTO) {
        return PV_SQL_TEXT;
    }
    if ((type == PV_TYPE_INTEGER || recoded) && all_are(column, is_integer)) {
        return PV_SQL_INTEGER;
    }
    if (type == PV_TYPE_DECIMAL && all_are(column, is_decimal)) {
        return PV_SQL_DECIMAL;
    }
    return type == PV_TYPE_DATE && all_are(column, is_date) ? PV_SQL_DATE : PV_SQL_TEXT;
}

/* ------------------------------------------------- is it what was sent?
 *
 * Engines hand rows over in any order, so each line is hashed and the hashes are added up. A number
 * that got zeros behind its point, or lost them, is the same number. */

/* How much of a field counts: 12.50 is 12.5, and 12.0 is 12. */
static size_t without_zeros(const char *field, size_t size)
{
    const size_t sign = size > 0 && field[0] == '-';
    const size_t point = sign + digits(field + sign, size - sign);
    if (point == sign || point >= size || field[point] != '.' ||
        point + 1 + digits(field + point + 1, size - point - 1) != size) {
        return size;
    }
    while (field[size - 1] == '0') {
        size--;
    }
    return size == point + 1 ? point : size;
}

/* The next line that begins at `at`; its end is returned. `scratch` is for what counts of it. */
static const char *next_line(const char *at, const char *end, pv_buffer *scratch)
{
    pv_i_buffer_clear(scratch);
    while (at < end) {
        const char *const field = at;
        bool quoted = false;
        while (at < end && (quoted || (*at != DELIMITER && *at != '\n'))) {
            quoted ^= *at++ == '"';
        }
        pv_i_buffer_bytes(scratch, field, without_zeros(field, (size_t)(at - field)));
        if (at == end) {
            break;
        }
        pv_i_buffer_char(scratch, *at);
        if (*at++ == '\n') {
            break;
        }
    }
    return at;
}

static uint64_t hash_of(const pv_buffer *line)
{
    return pv_i_hash_bytes(line->data, line->size);
}

typedef struct {
    pv_row_next next;
    void *ctx;
    size_t n;
    pv_buffer line, scratch;
    uint64_t sum;
} sending;

static pv_status next_and_sum(void *ctx, const pv_cell **cells, pv_error *error)
{
    sending *const s = ctx;
    PV_TRY(s->next(s->ctx, cells, error));
    if (*cells == NULL) {
        return PV_STATUS_OK;
    }
    pv_i_buffer_clear(&s->line);
    for (size_t i = 0; i <= s->n; i++) {
        const pv_cell cell = (*cells)[i];
        pv_i_csv_append(&s->line, DELIMITER, false, cell.text != NULL ? cell.text : "",
                        cell.text != NULL ? cell.size : 0);
        pv_i_buffer_char(&s->line, i < s->n ? DELIMITER : '\n');
    }
    if (s->line.failed) {
        return pv_i_no_memory(error);
    }
    (void)next_line(s->line.data, s->line.data + s->line.size, &s->scratch);
    s->sum += hash_of(&s->scratch);
    return s->scratch.failed ? pv_i_no_memory(error) : PV_STATUS_OK;
}

static pv_status sum_text(const pv_buffer *text, uint64_t *sum, pv_error *error)
{
    const char *const end = text->data + text->size;
    pv_buffer scratch = {0};
    *sum = 0;
    const char *at = next_line(text->data, end, &scratch); /* the header */
    while (at < end && !scratch.failed) {
        at = next_line(at, end, &scratch);
        *sum += hash_of(&scratch);
    }
    const bool failed = scratch.failed;
    pv_i_buffer_deinit(&scratch);
    return failed ? pv_i_no_memory(error) : PV_STATUS_OK;
}

/* -------------------------------------------------------------- there and back */

static pv_status take_columns(pv_release_job *job, const pv_released_column *columns, size_t n,
                              pv_published_column **published, pv_error *error)
{
    const pv_table *const table = pv_study_table(job->study);
    job->fields = PV_ARENA_ARRAY(&job->arena, const char *, n);
    *published = PV_ARENA_ARRAY(&job->arena, pv_published_column, n);
    if (job->arena.failed) {
        return pv_i_no_memory(error);
    }
    job->n_fields = n;
    for (size_t i = 0; i < n; i++) {
        job->fields[i] = pv_table_name(table, columns[i].column);
        (*published)[i] = (pv_published_column){.name = job->fields[i], .type = columns[i].type};
    }
    return PV_STATUS_OK;
}

pv_status pv_i_released_table_fill(pv_release_job *job, const pv_released_column *columns, size_t n,
                                   pv_row_next next, void *ctx, pv_error *error)
{
    pv_published_column *published = NULL;
    sending s = {.next = next, .ctx = ctx, .n = n};
    PV_TRY(take_columns(job, columns, n, &published, error));
    const pv_status status = pv_i_publish_fill(job->publish, published, n, next_and_sum, &s, error);
    pv_i_buffer_deinit(&s.line);
    pv_i_buffer_deinit(&s.scratch);
    job->rows_sum = s.sum;
    return status;
}

static pv_status is_another(const pv_release_job *job, const char *what, pv_error *error)
{
    return pv_i_hint(
        pv_i_fail_at(error, PV_STATUS_INTERNAL, job->settings->output, 0, 0,
                     "%s; the table did not get its name", what),
        error,
        "see whether the database takes different texts as equal (its collation) or "
        "cannot write some of them (its encoding), and whether triggers or rules change "
        "what is written");
}

static pv_status write_made(void *ctx, const void *data, size_t size, pv_error *error)
{
    return pv_i_output_write(ctx, data, size, error);
}

/* What is judged is the file that gets the name. */
static pv_status take_file(pv_release_job *job, pv_error *error)
{
    PV_TRY(pv_i_publish_copy(job->publish, write_made, job->made, error));
    PV_TRY(pv_i_output_finish(job->made, error));
    return pv_i_publish_look(job->publish, pv_i_output_path(job->made), error);
}

pv_status pv_i_released_table_read(pv_release_job *job, pv_error *error)
{
    pv_output *const file = job->files[PV_FILE_TABLE];
    PV_TRY(job->made != NULL ? take_file(job, error) : PV_STATUS_OK);
    pv_buffer text = {0};
    uint64_t sum = 0;
    pv_status status = PV_STATUS_OK;
    PV_TRY_CLEAN(pv_i_publish_read(job->publish, job->fields, job->n_fields, &text, error));
    PV_TRY_CLEAN(sum_text(&text, &sum, error));
    if (sum != job->rows_sum) {
        PV_TRY_CLEAN(is_another(job, "the rows read back are not those that were sent", error));
    }
    PV_TRY_CLEAN(pv_i_output_write(file, text.data, text.size, error));
cleanup:
    pv_i_buffer_deinit(&text);
    return status;
}

/* ------------------------------------------------------------ the engine's count */

/* Sizes of classes, ascending. */
typedef struct {
    uint64_t *sizes;
    size_t n;
    uint64_t rows, smallest;
    bool same;
} counting;

static int by_size(const void *a, const void *b)
{
    const uint64_t x = *(const uint64_t *)a;
    const uint64_t y = *(const uint64_t *)b;
    return (x > y) - (x < y);
}

/* Of what is in the table: the suppressed rows look alike, so they are one class. */
static bool computed_sizes(const pv_release_job *job, counting *c)
{
    const pv_classes *const classes = job->after;
    const uint64_t suppressed =
        job->settings->asked.drop_suppressed ? 0 : pv_classes_suppressed(classes);
    c->sizes = PV_NEW_ARRAY(uint64_t, pv_classes_total(classes) + 1);
    for (size_t i = 0; c->sizes != NULL && i < pv_classes_total(classes); i++) {
        if (!pv_classes_is_suppressed(classes, i)) {
            c->sizes[c->n++] = pv_classes_size(classes, i);
        }
    }
    if (c->sizes != NULL && suppressed > 0) {
        c->sizes[c->n++] = suppressed;
    }
    if (c->sizes != NULL) {
        qsort(c->sizes, c->n, sizeof *c->sizes, by_size);
    }
    return c->sizes != NULL;
}

/* The first place whose size is not smaller. */
static size_t place_of(const counting *c, uint64_t rows)
{
    size_t low = 0;
    size_t high = c->n;
    while (low < high) {
        const size_t middle = low + (high - low) / 2;
        if (c->sizes[middle] < rows) {
            low = middle + 1;
        } else {
            high = middle;
        }
    }
    return low;
}

static pv_status hear_size(void *ctx, uint64_t rows, uint64_t classes, pv_error *error)
{
    counting *const c = ctx;
    (void)error;
    c->same = c->same && place_of(c, rows + 1) - place_of(c, rows) == classes;
    c->rows += rows * classes;
    c->smallest = rows < c->smallest ? rows : c->smallest;
    return PV_STATUS_OK;
}

pv_status pv_i_released_table_count(const pv_release_job *job, pv_error *error)
{
    const pv_study *const study = job->study;
    const size_t n = pv_study_quasis(study);
    counting c = {.same = true, .smallest = UINT64_MAX};
    const char **const quasi = PV_NEW_ARRAY(const char *, n);
    pv_status status = PV_STATUS_OK;
    if (quasi == NULL || !computed_sizes(job, &c)) {
        PV_TRY_CLEAN(pv_i_no_memory(error));
    }
    for (size_t i = 0; i < n; i++) {
        quasi[i] = pv_study_quasi_name(study, i);
    }
    PV_TRY_CLEAN(pv_i_publish_sizes(job->publish, quasi, n, hear_size, &c, error));
    /* Where rows are `*` without being suppressed, they are one class with those that are. */
    const bool starred = pv_i_starred_rows(job) > 0;
    if (c.rows != job->n_written || (!starred && !c.same) ||
        (starred && c.smallest < job->result->audit->k)) {
        status = is_another(job, "the database counts other classes than were computed", error);
    }
cleanup:
    pv_i_free(quasi);
    pv_i_free(c.sizes);
    return status;
}
