/* DuckDB: Parquet files, JSON, delimited text larger than memory, and its own database files.
 *
 *     people/year=*.parquet            CREATE VIEW "people/year=*.parquet" AS ... read_parquet(...)
 *     duckdb:people.duckdb?table=t     opened for reading; for writing when something is written
 *     duckdb:?query=SELECT ...         no database but one in memory
 *
 * It runs in this process: no server, nothing travels. Its library is opened when it is asked for,
 * so there is no header to build with: what is used of its C API is declared here. It has been the
 * same since version 0.9; what is called deprecated there (results that stream) is not replaced by
 * anything yet.
 *
 * Statements run in small steps on the caller's thread, and on threads of DuckDB's own at the same
 * time; between two steps the caller is asked whether to go on. Memory is bounded: what does not
 * fit goes to a folder of ours (spill.h). */
#include "engine/duckdb.h"
#include "base/error.h"
#include "base/memory.h"
#include "base/ticker.h"
#include "engine/library.h"
#include "engine/spill.h"

#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#define TITLE "DuckDB"
#define LIBRARY_VARIABLE "PARAVENT_DUCKDB"
#define MEMORY_VARIABLE "PARAVENT_DUCKDB_MEMORY"
/* What DuckDB may hold by its own count; the process takes up to half as much more. Grouping a
 * hundred million rows of a survey needs a part of that. */
#define MEMORY_LIMIT "512MB"

/* ------------------------------------------------------------------ its C API */

typedef struct {
    uint64_t unused[3];
    void *also_unused[2];
    void *internal;
} result;

typedef struct {
    double percentage; /* -1 = not known */
    uint64_t rows_done, rows_total;
} query_progress;

/* A text in a vector: short ones are inside. */
typedef struct {
    uint32_t size;
    char begin[4];
    union {
        const char *text;
        char rest[8];
    } at;
} varchar;

enum { SUCCESS = 0, TYPE_VARCHAR = 17, INLINED = 12 };
enum { STEP_READY = 0, STEP_AGAIN = 1, STEP_FAILED = 2, STEP_WAIT = 3 };

#define FUNCTIONS(X)                                                                             \
    X(int, create_config, (void **config))                                                       \
    X(int, set_config, (void *config, const char *name, const char *value))                      \
    X(void, destroy_config, (void **config))                                                     \
    X(int, open_ext, (const char *path, void **database, void *config, char **problem))          \
    X(void, close, (void **database))                                                            \
    X(int, connect, (void *database, void **session))                                            \
    X(void, disconnect, (void **session))                                                        \
    X(void, interrupt, (void *session))                                                          \
    X(query_progress, query_progress, (void *session))                                           \
    X(void, free, (void *memory))                                                                \
    X(int, prepare, (void *session, const char *query, void **statement))                        \
    X(const char *, prepare_error, (void *statement))                                            \
    X(void, destroy_prepare, (void **statement))                                                 \
    X(int, pending_prepared_streaming, (void *statement, void **pending))                        \
    X(int, pending_execute_task, (void *pending))                                                \
    X(bool, pending_execution_is_finished, (int step))                                           \
    X(const char *, pending_error, (void *pending))                                              \
    X(int, execute_pending, (void *pending, result *made))                                       \
    X(void, destroy_pending, (void **pending))                                                   \
    X(const char *, result_error, (result * made))                                               \
    X(void, destroy_result, (result * made))                                                     \
    X(uint64_t, column_count, (result * made))                                                   \
    X(int, column_type, (result * made, uint64_t column))                                        \
    X(void *, fetch_chunk, (result made))                                                        \
    X(uint64_t, data_chunk_get_size, (void *chunk))                                              \
    X(void *, data_chunk_get_vector, (void *chunk, uint64_t column))                             \
    X(void, destroy_data_chunk, (void **chunk))                                                  \
    X(void *, vector_get_data, (void *vector))                                                   \
    X(uint64_t *, vector_get_validity, (void *vector))                                           \
    X(int, appender_create, (void *session, const char *schema, const char *table, void **made)) \
    X(const char *, appender_error, (void *appender))                                            \
    X(int, append_varchar_length, (void *appender, const char *text, uint64_t size))             \
    X(int, append_null, (void *appender))                                                        \
    X(int, appender_end_row, (void *appender))                                                   \
    X(int, appender_close, (void *appender))                                                     \
    X(int, appender_destroy, (void **appender))

typedef struct {
#define X(type, name, arguments) type(*name) arguments;
    FUNCTIONS(X)
#undef X
} functions;

static const char *const symbols[] = {
#define X(type, name, arguments) "duckdb_" #name,
    FUNCTIONS(X)
#undef X
};

#define N_SYMBOLS (sizeof symbols / sizeof *symbols)
_Static_assert(sizeof(functions) == N_SYMBOLS * sizeof(void *), "one pointer for each symbol");

struct pv_duckdb {
    functions api;
    void *library;
    const pv_place *place;
    const pv_context *context;
    void *database, *session; /* NULL = the file is not there yet */
    bool writes;              /* may the database be changed? */
    pv_spill spill;
    uint64_t received, sent;
};

/* -------------------------------------------------------------------- failures */

/* What kind of error it is stands before the first colon. Texts of some kinds name what the user
 * wrote: files, tables, columns. All others may quote data, and are not shown. */
static const struct {
    const char *begin, *remedy;
    pv_status status;
} shown_errors[] = {
    {"IO Error:", "check that the files are there, can be read, and that the disk is not full",
     PV_STATUS_INPUT},
    {"Catalog Error:", "name a table that is there", PV_STATUS_INPUT},
    {"Binder Error:", "check the names of columns and tables", PV_STATUS_INPUT},
    {"Parser Error:", "check the query: it must be one SELECT", PV_STATUS_INPUT},
    {"Syntax Error:", "check the query: it must be one SELECT", PV_STATUS_INPUT},
    {"Permission Error:", "check who may read the file", PV_STATUS_INPUT},
    {"Missing Extension Error:", "install the extension with " TITLE "'s own tools",
     PV_STATUS_UNSUPPORTED},
    {"Not implemented Error:", "", PV_STATUS_UNSUPPORTED},
    {"Out of Memory Error:",
     "give it more memory (" MEMORY_VARIABLE "=4GB), or more room on the disk of TMPDIR",
     PV_STATUS_NO_MEMORY},
    {"Invalid Input Error: No magic bytes", "is it a Parquet file, and a whole one?",
     PV_STATUS_INPUT},
    {"Invalid Input Error: CSV Error on Line", "correct that line", PV_STATUS_INPUT},
    {"Invalid Input Error: Malformed JSON", "correct the file", PV_STATUS_INPUT},
};

static pv_status fail(const pv_duckdb *c, const char *doing, const char *text, pv_error *error)
{
    text = text != NULL ? text : "";
    for (size_t i = 0; i < sizeof shown_errors / sizeof *shown_errors; i++) {
        if (strncmp(text, shown_errors[i].begin, strlen(shown_errors[i].begin)) == 0) {
            return pv_i_hint(pv_i_fail_at(error, shown_errors[i].status, c->place->text, 0, 0,
                                          "%s failed: " TITLE " says \"%.*s\"", doing,
                                          (int)strcspn(text, "\n"), text),
                             error, "%s", shown_errors[i].remedy);
        }
    }
    const size_t kind = strcspn(text, ":\n");
    return pv_i_hint(pv_i_fail_at(error, PV_STATUS_INPUT, c->place->text, 0, 0,
                                  "%s failed: " TITLE " reports \"%.*s\"; its message may show "
                                  "values and is left out",
                                  doing, kind < 40 ? (int)kind : 0, text),
                     error, "check that the data is what it says it is: try the query in " TITLE);
}

/* ------------------------------------------------------------------ statements */

static void pause_shortly(void)
{
    (void)nanosleep(&(struct timespec){.tv_nsec = 500000}, NULL);
}

/* Step by step until rows, or the end, are there. Whoever destroys `pending` ends the statement. */
static pv_status step(const pv_duckdb *c, void *pending, pv_ticker *ticker, const char *doing,
                      pv_error *error)
{
    for (;;) {
        const int is = c->api.pending_execute_task(pending);
        if (is == STEP_FAILED) {
            return fail(c, doing, c->api.pending_error(pending), error);
        }
        if (c->api.pending_execution_is_finished(is)) {
            return PV_STATUS_OK;
        }
        const double percentage = c->api.query_progress(c->session).percentage;
        if (!pv_i_tick(ticker, percentage > 0 ? (uint64_t)(percentage * 10) : 0)) {
            c->api.interrupt(c->session);
            return pv_i_cancelled(error);
        }
        if (is == STEP_WAIT) {
            pause_shortly();
        }
    }
}

static pv_cell cell_of(const varchar *texts, const uint64_t *valid, uint64_t row)
{
    if (valid != NULL && (valid[row / 64] >> row % 64 & 1) == 0) {
        return (pv_cell){0};
    }
    const varchar *const v = &texts[row];
    return (pv_cell){.text = v->size <= INLINED ? v->begin : v->at.text, .size = v->size};
}

/* `columns` and `valid` have room for n. */
static pv_status hear_chunk(pv_duckdb *c, void *chunk, size_t n, const varchar **columns,
                            uint64_t **valid, pv_cell *cells, pv_row_hear hear, void *ctx,
                            pv_error *error)
{
    for (size_t i = 0; i < n; i++) {
        void *const vector = c->api.data_chunk_get_vector(chunk, i);
        columns[i] = c->api.vector_get_data(vector);
        valid[i] = c->api.vector_get_validity(vector);
    }
    const uint64_t n_rows = c->api.data_chunk_get_size(chunk);
    for (uint64_t row = 0; row < n_rows; row++) {
        for (size_t i = 0; i < n; i++) {
            cells[i] = cell_of(columns[i], valid[i], row);
            c->received += cells[i].size;
        }
        PV_TRY(hear(ctx, cells, error));
    }
    return PV_STATUS_OK;
}

/* All rows of a result, chunk by chunk: DuckDB makes the next ones meanwhile, but only a few. */
static pv_status hear_rows(pv_duckdb *c, result *made, size_t n, pv_ticker *ticker,
                           const char *doing, pv_row_hear hear, void *ctx, pv_error *error)
{
    const varchar **const columns = PV_NEW_ARRAY(const varchar *, n);
    uint64_t **const valid = PV_NEW_ARRAY(uint64_t *, n);
    pv_cell *const cells = PV_NEW_ARRAY(pv_cell, n);
    void *chunk = NULL;
    pv_status status = PV_STATUS_OK;
    if (columns == NULL || valid == NULL || cells == NULL) {
        PV_TRY_CLEAN(pv_i_no_memory(error));
    }
    for (chunk = c->api.fetch_chunk(*made); chunk != NULL; chunk = c->api.fetch_chunk(*made)) {
        PV_TRY_CLEAN(hear_chunk(c, chunk, n, columns, valid, cells, hear, ctx, error));
        c->api.destroy_data_chunk(&chunk);
        if (!pv_i_tick(ticker, ticker->total)) {
            c->api.interrupt(c->session);
            PV_TRY_CLEAN(pv_i_cancelled(error));
        }
    }
    const char *const problem = c->api.result_error(made);
    if (problem != NULL && *problem != '\0') {
        status = fail(c, doing, problem, error);
    }
cleanup:
    c->api.destroy_data_chunk(&chunk);
    pv_i_free(columns);
    pv_i_free(valid);
    pv_i_free(cells);
    return status;
}

pv_status pv_i_duckdb_execute(pv_duckdb *c, const char *statement, const char *doing, size_t n,
                              pv_row_hear hear, void *ctx, pv_error *error)
{
    pv_ticker ticker = pv_i_ticker(c->context, doing, 1000);
    void *prepared = NULL;
    void *pending = NULL;
    result made = {0};
    pv_status status = PV_STATUS_OK;
    if (!pv_i_tick(&ticker, 0)) {
        return pv_i_cancelled(error);
    }
    if (c->api.prepare(c->session, statement, &prepared) != SUCCESS) {
        PV_TRY_CLEAN(fail(c, doing, c->api.prepare_error(prepared), error));
    }
    if (c->api.pending_prepared_streaming(prepared, &pending) != SUCCESS) {
        PV_TRY_CLEAN(fail(c, doing, c->api.pending_error(pending), error));
    }
    PV_TRY_CLEAN(step(c, pending, &ticker, doing, error));
    if (c->api.execute_pending(pending, &made) != SUCCESS) {
        PV_TRY_CLEAN(fail(c, doing, c->api.result_error(&made), error));
    }
    if (hear != NULL) {
        bool fits = c->api.column_count(&made) == n;
        for (size_t i = 0; fits && i < n; i++) {
            fits = c->api.column_type(&made, i) == TYPE_VARCHAR;
        }
        PV_TRY_CLEAN(fits ? hear_rows(c, &made, n, &ticker, doing, hear, ctx, error)
                          : pv_i_fail(error, PV_STATUS_INTERNAL, "not all columns are texts"));
    }
cleanup:
    c->api.destroy_result(&made);
    c->api.destroy_pending(&pending);
    c->api.destroy_prepare(&prepared);
    return status;
}

/* -------------------------------------------------------------------- starting */

static pv_status open_library(pv_duckdb *c, pv_error *error)
{
    static const char remedy[] =
        "install it (https://duckdb.org/install, C/C++), or name the path of libduckdb.so "
        "in " LIBRARY_VARIABLE;
    const char *const given = getenv(LIBRARY_VARIABLE);
    char beside[PATH_MAX] = "";
    char within[PATH_MAX] = "";
    const ssize_t n = readlink("/proc/self/exe", beside, sizeof beside - 32);
    char *const slash = n > 0 ? strrchr(beside, '/') : NULL;
    if (slash != NULL) {
        *slash = '\0';
        memcpy(within, beside, sizeof within);
        strcpy(slash, "/libduckdb.so");
        strcat(within, "/../lib/libduckdb.so");
    }
    const bool is_given = given != NULL && *given != '\0';
    const char *const names[] = {is_given ? given : "libduckdb.so", is_given ? NULL : beside,
                                 within, NULL};
    PV_TRY(pv_i_library_open(TITLE, names, remedy, &c->library, error));
    void *found[N_SYMBOLS];
    PV_TRY(pv_i_library_find(c->library, TITLE, symbols, N_SYMBOLS, found, error));
    memcpy(&c->api, found, sizeof found);
    return PV_STATUS_OK;
}

/* Nothing is fetched from anywhere, whatever a query asks for. */
static bool configure(const pv_duckdb *c, void *config)
{
    const unsigned threads = c->context != NULL ? c->context->threads : 0;
    const char *const memory = getenv(MEMORY_VARIABLE);
    char number[16] = "";
    if (threads > 0) {
        (void)snprintf(number, sizeof number, "%u", threads);
    }
    const struct {
        const char *name, *value;
    } settings[] = {
        {"access_mode", c->writes ? "READ_WRITE" : "READ_ONLY"},
        {"memory_limit", memory != NULL && *memory != '\0' ? memory : MEMORY_LIMIT},
        {"temp_directory", c->spill.path},
        {"autoinstall_known_extensions", "false"},
        {"preserve_insertion_order", "false"}, /* what needs an order says it */
        {"threads", number},
    };
    for (size_t i = 0; i < sizeof settings / sizeof *settings; i++) {
        if (*settings[i].value != '\0' &&
            c->api.set_config(config, settings[i].name, settings[i].value) != SUCCESS) {
            return false;
        }
    }
    return true;
}

static void stop(pv_duckdb *c)
{
    if (c->session != NULL) {
        c->api.disconnect(&c->session);
    }
    if (c->database != NULL) {
        c->api.close(&c->database);
    }
}

static pv_status start(pv_duckdb *c, bool writes, pv_error *error)
{
    static const char doing[] = "opening";
    const char *const path = *c->place->where != '\0' ? c->place->where : NULL;
    void *config = NULL;
    char *problem = NULL;
    pv_status status = PV_STATUS_OK;
    c->writes = writes || path == NULL;
    if (c->api.create_config(&config) != SUCCESS) {
        return pv_i_no_memory(error);
    }
    if (!configure(c, config)) {
        PV_TRY_CLEAN(pv_i_hint(pv_i_fail(error, PV_STATUS_INPUT, TITLE " refuses its settings"),
                               error, "check " MEMORY_VARIABLE ", if you have set it: 4GB"));
    }
    if (c->api.open_ext(path, &c->database, config, &problem) != SUCCESS) {
        PV_TRY_CLEAN(fail(c, doing, problem, error));
    }
    if (c->api.connect(c->database, &c->session) != SUCCESS) {
        PV_TRY_CLEAN(fail(c, doing, NULL, error));
    }
    /* Counts how far it is, without printing that. */
    PV_TRY_CLEAN(
        pv_i_duckdb_execute(c, "SET enable_progress_bar = true", doing, 0, NULL, NULL, error));
    PV_TRY_CLEAN(pv_i_duckdb_execute(c, "SET enable_progress_bar_print = false", doing, 0, NULL,
                                     NULL, error));
cleanup:
    if (problem != NULL) {
        c->api.free(problem);
    }
    c->api.destroy_config(&config);
    return status;
}

/* ------------------------------------------------------------------- the engine */

static void close_connection(void *connected)
{
    pv_duckdb *const c = connected;
    if (c == NULL) {
        return;
    }
    stop(c);
    pv_i_spill_remove(&c->spill);
    pv_i_library_close(c->library);
    pv_i_free(c);
}

/* A file that is not there yet is made when something is written. */
static bool is_missing(const pv_place *place)
{
    struct stat info;
    return *place->where != '\0' && stat(place->where, &info) != 0;
}

static pv_status open_connection(const pv_place *place, const pv_context *context, void **connected,
                                 pv_error *error)
{
    pv_duckdb *const c = PV_NEW(pv_duckdb);
    if (c == NULL) {
        return pv_i_no_memory(error);
    }
    c->place = place;
    c->context = context;
    pv_status status = PV_STATUS_OK;
    PV_TRY_CLEAN(open_library(c, error));
    PV_TRY_CLEAN(pv_i_spill_create(&c->spill, error));
    if (!is_missing(place)) {
        PV_TRY_CLEAN(start(c, false, error));
    }
    if (place->file != NULL) {
        PV_TRY_CLEAN(pv_i_duckdb_view(c, place, error));
    }
    *connected = c;
cleanup:
    if (status != PV_STATUS_OK) {
        close_connection(c);
    }
    return status;
}

static pv_status add(void *connected, const pv_place *place, pv_error *error)
{
    return place->file != NULL ? pv_i_duckdb_view(connected, place, error) : PV_STATUS_OK;
}

static pv_status need_session(const pv_duckdb *c, pv_error *error)
{
    return c->session != NULL
               ? PV_STATUS_OK
               : pv_i_hint(pv_i_fail_at(error, PV_STATUS_INPUT, c->place->text, 0, 0,
                                        "there is no database file of that name"),
                           error,
                           "check the path, which is seen from where the command runs, or "
                           "from the plan's folder in a plan");
}

static pv_status need_writing(pv_duckdb *c, pv_error *error)
{
    if (c->session != NULL && c->writes) {
        return PV_STATUS_OK;
    }
    stop(c);
    return start(c, true, error);
}

static pv_status run(void *connected, const char *statement, pv_error *error)
{
    pv_duckdb *const c = connected;
    PV_TRY(need_writing(c, error));
    return pv_i_duckdb_execute(c, statement, "writing", 0, NULL, NULL, error);
}

static pv_status fetch(void *connected, const char *select, size_t n, pv_row_hear hear, void *ctx,
                       pv_error *error)
{
    pv_duckdb *const c = connected;
    PV_TRY(need_session(c, error));
    return pv_i_duckdb_execute(c, select, "counting", n, hear, ctx, error);
}

/* Cells are not NUL-terminated. */
static pv_status hear_column(void *ctx, const pv_cell *cells, pv_error *error)
{
    char *const type = pv_i_strndup(cells[1].text, cells[1].size);
    const pv_status status =
        type != NULL ? pv_i_engine_columns_add(ctx, cells[0].text, cells[0].size, type, error)
                     : pv_i_no_memory(error);
    pv_i_free(type);
    return status;
}

static pv_status describe(void *connected, const char *select, pv_engine_columns *columns,
                          pv_error *error)
{
    pv_duckdb *const c = connected;
    pv_buffer sql = {0};
    pv_status status = PV_STATUS_OK;
    PV_TRY(need_session(c, error));
    pv_i_sql_fill(&sql, PV_DUCKDB_COLUMNS, select, "");
    status = sql.failed
                 ? pv_i_no_memory(error)
                 : pv_i_duckdb_execute(c, sql.data, "reading", 2, hear_column, columns, error);
    for (size_t i = 0; i < columns->n; i++) { /* no type tells of a collation; files have none */
        columns->columns[i].folds =
            c->place->file == NULL && strcmp(columns->columns[i].type, "VARCHAR") == 0;
    }
    pv_i_buffer_deinit(&sql);
    return status;
}

bool pv_i_duckdb_fits(const char *type)
{
    static const char *const unfit[] = {"STRUCT(", "MAP(", "UNION(",  "BLOB",
                                        "JSON",    "BIT",  "VARIANT", "GEOMETRY"};
    if (*type != '\0' && type[strlen(type) - 1] == ']') { /* a list */
        return false;
    }
    for (size_t i = 0; i < sizeof unfit / sizeof *unfit; i++) {
        if (strncmp(type, unfit[i], strlen(unfit[i])) == 0) {
            return false;
        }
    }
    return true;
}

/* --------------------------------------------------------------------- loading */

/* One part of a quoted name, which the appender wants as it is; where the next begins, or NULL. */
static const char *unquoted(const char *at, pv_buffer *part)
{
    for (at++; *at != '\0' && (*at != '"' || at[1] == '"'); at++) {
        at += *at == '"';
        pv_i_buffer_char(part, *at);
    }
    at += *at == '"';
    return *at == '.' ? at + 1 : NULL;
}

static bool append_row(pv_duckdb *c, void *appender, size_t n, const pv_cell *cells)
{
    bool ok = true;
    for (size_t i = 0; ok && i < n; i++) {
        c->sent += cells[i].size;
        ok = cells[i].text == NULL
                 ? c->api.append_null(appender) == SUCCESS
                 : c->api.append_varchar_length(appender, cells[i].text, cells[i].size) == SUCCESS;
    }
    return ok && c->api.appender_end_row(appender) == SUCCESS;
}

static pv_status append_rows(pv_duckdb *c, void *appender, size_t n, pv_row_next next, void *ctx,
                             pv_error *error)
{
    pv_ticker ticker = pv_i_ticker(c->context, "writing", 0);
    const pv_cell *cells = NULL;
    for (uint64_t row = 0;; row++) {
        PV_TRY(next(ctx, &cells, error));
        if (cells == NULL) {
            break;
        }
        if (!append_row(c, appender, n, cells)) {
            return fail(c, "writing", c->api.appender_error(appender), error);
        }
        if (!pv_i_tick(&ticker, row)) {
            return pv_i_cancelled(error);
        }
    }
    return c->api.appender_close(appender) == SUCCESS
               ? PV_STATUS_OK
               : fail(c, "writing", c->api.appender_error(appender), error);
}

static pv_status load(void *connected, const char *table, size_t n, pv_row_next next, void *ctx,
                      pv_error *error)
{
    pv_duckdb *const c = connected;
    pv_buffer schema = {0};
    pv_buffer name = {0};
    void *appender = NULL;
    pv_status status = PV_STATUS_OK;
    PV_TRY(need_writing(c, error));
    for (const char *at = table; at != NULL;) {
        pv_i_buffer_deinit(&schema);
        schema = name;
        name = (pv_buffer){0};
        at = unquoted(at, &name);
    }
    if (schema.failed || name.failed || name.data == NULL) {
        PV_TRY_CLEAN(pv_i_no_memory(error));
    }
    if (c->api.appender_create(c->session, schema.data, name.data, &appender) != SUCCESS) {
        PV_TRY_CLEAN(fail(c, "writing", c->api.appender_error(appender), error));
    }
    PV_TRY_CLEAN(append_rows(c, appender, n, next, ctx, error));
cleanup:
    if (appender != NULL) {
        (void)c->api.appender_destroy(&appender);
    }
    pv_i_buffer_deinit(&schema);
    pv_i_buffer_deinit(&name);
    return status;
}

static pv_status shorten(void *connected, const char *from, const char *const *columns, size_t n,
                         pv_sql_short *shorts, pv_error *error)
{
    const pv_duckdb *const c = connected;
    return c->place->file != NULL && pv_i_duckdb_is_parquet(c->place->file)
               ? pv_i_duckdb_shorten(connected, from, columns, n, shorts, error)
               : PV_STATUS_OK;
}

static pv_traffic traffic(const void *connected)
{
    const pv_duckdb *const c = connected;
    return (pv_traffic){.received = c->received, .sent = c->sent};
}

static const pv_sql dialect = {
    .quote = '"',
    .text = "CAST(%s AS VARCHAR)",
    .unfolded = "CAST(%s AS VARCHAR) COLLATE C",
    .types = {"VARCHAR", "BIGINT", "DECIMAL(38, 18)", "DATE"},
    .casts = {"%s", "CAST(%s AS BIGINT)", "CAST(%s AS DECIMAL(38, 18))", "CAST(%s AS DATE)"},
    .begin = "BEGIN TRANSACTION",
    .commit = "COMMIT",
    .rollback = "ROLLBACK",
    .staging = "CREATE TEMP TABLE ",
    .staging_end = "",
    .create_end = "",
    .repeat = "%s s, range(CAST(s.n AS BIGINT))",
    .rename = "ALTER TABLE %s RENAME TO %s",
    .drop = "DROP TABLE IF EXISTS %s",
    .keep = "CREATE TEMP TABLE %s AS %s",
    .copy_to = "COPY (%s) TO %s (FORMAT parquet)",
    /* A folder called year=2024 adds no column to what is read back. */
    .copy_of = "CREATE OR REPLACE TEMP VIEW %s AS SELECT * FROM read_parquet(%s, "
               "hive_partitioning=false)",
};

const pv_engine pv_i_engine_duckdb = {
    .name = "duckdb",
    .title = TITLE,
    .sql = &dialect,
    .open = open_connection,
    .close = close_connection,
    .add = add,
    .run = run,
    .describe = describe,
    .fetch = fetch,
    .load = load,
    .traffic = traffic,
    .shorten = shorten,
    .fits = pv_i_duckdb_fits,
};
