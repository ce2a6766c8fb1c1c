/* The session file.
 *
 * The journal is a rollback journal, synchronised in full: a transaction is in the file or it is
 * not, whenever the process or the machine stops. A file may come from strangers: triggers and
 * views in it do nothing, values have a limited length, and whatever is read is checked before it
 * is believed. */
#include "prefer/session.h"

#include "base/memory.h"

const char *const pv_i_step_names[PV_STEP_COUNT] = {[PV_STEP_OPENED] = "opened",
                                                    [PV_STEP_WISH] = "wish",
                                                    [PV_STEP_ACCEPTED] = "accepted",
                                                    [PV_STEP_WEIGHTS] = "weights"};

void pv_preference_log_free(pv_preference_log *log)
{
    if (log != NULL) {
        pv_i_free(log->entries);
        pv_i_arena_deinit(&log->texts);
        pv_i_free(log);
    }
}

/* clang-format off */
const char *pv_preference_log_bias(const pv_preference_log *l) { return l->bias; }
const char *pv_preference_log_loss(const pv_preference_log *l) { return l->loss; }
/* clang-format on */

const pv_preference_entry *pv_preference_log_entries(const pv_preference_log *log, size_t *n)
{
    *n = log->n_entries;
    return log->entries;
}

#ifdef PV_HAVE_SQLITE

#include "base/buffer.h"
#include "base/error.h"

#include <ctype.h>
#include <errno.h>
#include <fcntl.h>
#include <math.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* "PVSn", in the header of every session file. */
#define APPLICATION 1347834734
#define VERSION 2
#define TEXT(number) #number
#define TEXT_OF(macro) TEXT(macro)
/* Somebody else may just be closing the file. */
#define PATIENCE_MS 250
/* Nothing we write is longer. */
#define LONGEST (1 << 20)

/* clang-format off */
const char pv_i_db_schema[] =
    "PRAGMA application_id = " TEXT_OF(APPLICATION) ";"
    "PRAGMA user_version = " TEXT_OF(VERSION) ";"
    "CREATE TABLE meta (name TEXT PRIMARY KEY, value TEXT NOT NULL);"
    "CREATE TABLE weights (step INTEGER NOT NULL REFERENCES steps, place INTEGER NOT NULL,"
    " weight REAL NOT NULL, PRIMARY KEY (step, place)) WITHOUT ROWID;"
    "CREATE TABLE schemes (id INTEGER PRIMARY KEY, bits BLOB NOT NULL, cost INTEGER NOT NULL,"
    " smallest INTEGER NOT NULL, largest INTEGER NOT NULL, n_classes INTEGER NOT NULL,"
    " bias REAL NOT NULL, kept REAL NOT NULL, seal INTEGER NOT NULL);"
    "CREATE TABLE steps (id INTEGER PRIMARY KEY, kind TEXT NOT NULL, time TEXT NOT NULL,"
    " k INTEGER NOT NULL, evaluated INTEGER NOT NULL, scheme INTEGER REFERENCES schemes,"
    " wish_bias REAL, wish_loss REAL, bias REAL, loss REAL, achievement REAL, bound REAL,"
    " proven INTEGER, note TEXT);";
/* clang-format on */

/* ---------------------------------------------------------------- failures */

static pv_status fail_no_session(const pv_db *db, pv_error *error)
{
    return pv_i_hint(
        pv_i_fail_at(error, PV_STATUS_INPUT, db->path, 0, 0, "this is not a session file"), error,
        "name a file that is not there yet to begin a session");
}

pv_status pv_i_db_damaged(const pv_db *db, const char *what, pv_error *error)
{
    /* A value that there was no memory for looks like one that is not there. */
    if (sqlite3_errcode(db->sqlite) == SQLITE_NOMEM) {
        return pv_i_no_memory(error);
    }
    return pv_i_hint(pv_i_fail_at(error, PV_STATUS_INPUT, db->path, 0, 0,
                                  "the session file is damaged: %s", what),
                     error, "take a copy of it, or begin a new session in another file");
}

static pv_status fail_system(const pv_db *db, pv_error *error)
{
    const int reason = sqlite3_system_errno(db->sqlite);
    if (reason == ENOENT) { /* of a second attempt: why the first one failed is forgotten */
        return pv_i_hint(pv_i_fail_at(error, PV_STATUS_IO, db->path, 0, 0,
                                      "cannot open the session file or its journal beside it"),
                         error, "make sure that its folder can be written to and has room");
    }
    if (reason == 0) {
        return pv_i_fail_at(error, PV_STATUS_IO, db->path, 0, 0, "cannot use the session file: %s",
                            sqlite3_errstr(sqlite3_extended_errcode(db->sqlite)));
    }
    errno = reason;
    return pv_i_fail_errno(error, PV_STATUS_IO, db->path, "cannot use the session file");
}

/* SQLite's own words about a file may quote names from it, and so anything: they are not repeated.
 */
static pv_status fail(const pv_db *db, int code, pv_error *error)
{
    if (code == SQLITE_IOERR_NOMEM) {
        return pv_i_no_memory(error);
    }
    switch (code & 0xff) {
    case SQLITE_NOMEM: return pv_i_no_memory(error);
    case SQLITE_BUSY:
    case SQLITE_LOCKED:
    case SQLITE_PROTOCOL:
        return pv_i_hint(pv_i_fail_at(error, PV_STATUS_IO, db->path, 0, 0,
                                      "the session is in use by another program"),
                         error, "close it there, or use another file");
    case SQLITE_NOTADB: return fail_no_session(db, error);
    case SQLITE_CANTOPEN:
    case SQLITE_PERM:
    case SQLITE_READONLY:
    case SQLITE_FULL:
    case SQLITE_IOERR: return fail_system(db, error);
    case SQLITE_ERROR: return pv_i_db_damaged(db, "a table or a column is missing", error);
    default: return pv_i_db_damaged(db, sqlite3_errstr(code), error);
    }
}

/* -------------------------------------------------------------- statements */

pv_status pv_i_db_run(const pv_db *db, const char *sql, pv_error *error)
{
    const int code = sqlite3_exec(db->sqlite, sql, NULL, NULL, NULL);
    return code == SQLITE_OK ? PV_STATUS_OK : fail(db, code, error);
}

pv_status pv_i_db_prepare(const pv_db *db, const char *sql, sqlite3_stmt **statement,
                          pv_error *error)
{
    const int code = sqlite3_prepare_v2(db->sqlite, sql, -1, statement, NULL);
    return code == SQLITE_OK ? PV_STATUS_OK : fail(db, code, error);
}

pv_status pv_i_db_next(const pv_db *db, sqlite3_stmt *statement, bool *is_row, pv_error *error)
{
    const int code = sqlite3_step(statement);
    if (code != SQLITE_ROW && code != SQLITE_DONE) {
        return fail(db, code, error);
    }
    *is_row = code == SQLITE_ROW;
    return PV_STATUS_OK;
}

pv_status pv_i_db_write(const pv_db *db, sqlite3_stmt *statement, pv_error *error)
{
    const int code = sqlite3_step(statement);
    if (code != SQLITE_DONE) {
        return fail(db, code, error);
    }
    (void)sqlite3_reset(statement);
    return PV_STATUS_OK;
}

bool pv_i_db_count(sqlite3_stmt *statement, int column, uint64_t *count)
{
    const sqlite3_int64 value = sqlite3_column_int64(statement, column);
    *count = (uint64_t)value;
    return sqlite3_column_type(statement, column) == SQLITE_INTEGER && value >= 0;
}

/* -------------------------------------------------------------------- open */

/* The file is not opened to look: closing it again would drop the locks this process has on it. */
static pv_status look(const char *path, bool create, pv_error *error)
{
    struct stat file;
    if (stat(path, &file) != 0) {
        if (!create || errno != ENOENT) {
            return pv_i_fail_errno(error, PV_STATUS_INPUT, path, "cannot open the session file");
        }
        /* An empty file, which SQLite takes for a new database: left to itself, it would let others
         * read the session. Its journals get the mode of the file. */
        const int fd = open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0600);
        return fd >= 0 && close(fd) == 0
                   ? PV_STATUS_OK
                   : pv_i_fail_errno(error, PV_STATUS_IO, path, "cannot create the session file");
    }
    if ((file.st_mode & 077) != 0) {
        (void)chmod(path, file.st_mode & 0700); /* left by an older version; if it is ours */
    }
    if (!S_ISREG(file.st_mode)) {
        errno = S_ISDIR(file.st_mode) ? EISDIR : EINVAL;
        return pv_i_fail_errno(error, PV_STATUS_INPUT, path, "this is not a session file");
    }
    return PV_STATUS_OK;
}

/* SQLite reads some names, such as ":memory:", in its own way; a path is only a path. Nothing in
 * the file is trusted: triggers and views do nothing, values have a limited length. */
pv_status pv_i_db_open(pv_db *db, const char *path, bool create, pv_error *error)
{
    const int flags = SQLITE_OPEN_READWRITE | (create ? SQLITE_OPEN_CREATE : 0);
    pv_buffer plain = {0};
    pv_status status = PV_STATUS_OK;
    *db = (pv_db){0};
    PV_TRY(look(path, create, error));
    pv_i_buffer_text(&plain, path[0] == '/' ? "" : "./");
    pv_i_buffer_text(&plain, path);
    db->path = pv_i_strdup(path);
    db->name = PV_NEW(pv_claim);
    PV_TRY_CLEAN(!plain.failed && db->path != NULL && db->name != NULL
                     ? pv_i_claim_share(db->name, path, error)
                     : pv_i_no_memory(error));
    const int code = sqlite3_open_v2(plain.data, &db->sqlite, flags, NULL);
    if (code != SQLITE_OK) {
        PV_TRY_CLEAN(fail(db, db->sqlite != NULL ? code : SQLITE_NOMEM, error));
    }
    (void)sqlite3_extended_result_codes(db->sqlite, 1);
    (void)sqlite3_db_config(db->sqlite, SQLITE_DBCONFIG_DEFENSIVE, 1, NULL);
    (void)sqlite3_db_config(db->sqlite, SQLITE_DBCONFIG_TRUSTED_SCHEMA, 0, NULL);
    (void)sqlite3_db_config(db->sqlite, SQLITE_DBCONFIG_ENABLE_TRIGGER, 0, NULL);
    (void)sqlite3_db_config(db->sqlite, SQLITE_DBCONFIG_ENABLE_VIEW, 0, NULL);
    (void)sqlite3_limit(db->sqlite, SQLITE_LIMIT_LENGTH, LONGEST);
    (void)sqlite3_busy_timeout(db->sqlite, PATIENCE_MS);
    status = pv_i_db_run(db, "PRAGMA cell_size_check = ON; PRAGMA synchronous = FULL", error);
cleanup:
    pv_i_buffer_deinit(&plain);
    if (status != PV_STATUS_OK) {
        pv_i_db_close(db);
    }
    return status;
}

void pv_i_db_close(pv_db *db)
{
    (void)sqlite3_close_v2(db->sqlite);
    if (db->name != NULL && db->path != NULL) {
        pv_i_claim_unshare(db->name);
    }
    pv_i_free(db->name);
    pv_i_free(db->path);
    *db = (pv_db){0};
}

/* --------------------------------------------------------------- recognise */

pv_status pv_i_db_ask(const pv_db *db, const char *sql, sqlite3_int64 *number, pv_error *error)
{
    sqlite3_stmt *statement = NULL;
    bool is_row = false;
    PV_TRY(pv_i_db_prepare(db, sql, &statement, error));
    const pv_status status = pv_i_db_next(db, statement, &is_row, error);
    *number = is_row ? sqlite3_column_int64(statement, 0) : 0;
    (void)sqlite3_finalize(statement);
    return status;
}

pv_status pv_i_db_recognise(const pv_db *db, bool *is_empty, pv_error *error)
{
    sqlite3_int64 tables = 0;
    sqlite3_int64 application = 0;
    sqlite3_int64 version = 0;
    PV_TRY(pv_i_db_ask(db, "SELECT count(*) FROM sqlite_master", &tables, error));
    PV_TRY(pv_i_db_ask(db, "PRAGMA application_id", &application, error));
    PV_TRY(pv_i_db_ask(db, "PRAGMA user_version", &version, error));
    if (is_empty != NULL) {
        /* A file of some bytes that SQLite takes for an empty database is not ours to write to. */
        struct stat file;
        *is_empty = tables == 0 && application == 0 && version == 0 && stat(db->path, &file) == 0 &&
                    file.st_size == 0;
        if (*is_empty) {
            return PV_STATUS_OK;
        }
    }
    if (application != APPLICATION) {
        return fail_no_session(db, error);
    }
    if (version != VERSION) {
        return pv_i_hint(pv_i_fail_at(error, PV_STATUS_INPUT, db->path, 0, 0,
                                      "the session was kept by another version of Paravent"),
                         error, "use that version, or begin a new session in another file");
    }
    return PV_STATUS_OK;
}

/* ------------------------------------------------------------- audit trail */

#define AND " and " /* between the bias and the loss, as session.c writes them */

static const char *text_of(sqlite3_stmt *row, int column)
{
    return (const char *)sqlite3_column_text(row, column);
}

static bool is_moment(const char *text)
{
    static const char shape[] = "0000-00-00T00:00:00Z";
    if (text == NULL || strlen(text) + 1 != sizeof shape) {
        return false;
    }
    for (size_t i = 0; i + 1 < sizeof shape; i++) {
        if (shape[i] == '0' ? !isdigit((unsigned char)text[i]) : text[i] != shape[i]) {
            return false;
        }
    }
    return true;
}

static bool read_real(sqlite3_stmt *row, int column, double *value)
{
    *value = sqlite3_column_double(row, column);
    return sqlite3_column_type(row, column) == SQLITE_FLOAT && isfinite(*value);
}

/* What a wish or a choice has beyond the columns of every step. */
static bool read_answer(sqlite3_stmt *row, pv_preference_entry *entry)
{
    uint64_t proven = 0;
    const bool is_read =
        read_real(row, 4, &entry->wish.bias) && read_real(row, 5, &entry->wish.loss) &&
        read_real(row, 6, &entry->point.bias) && read_real(row, 7, &entry->point.loss) &&
        read_real(row, 8, &entry->achievement) && read_real(row, 9, &entry->bound) &&
        pv_i_db_count(row, 10, &proven) && proven <= 1;
    entry->has_wish = true;
    entry->proven = proven == 1;
    return is_read;
}

static bool read_entry(sqlite3_stmt *row, pv_preference_entry *entry)
{
    const char *const kind = text_of(row, 0);
    *entry = (pv_preference_entry){0};
    for (size_t i = 0; kind != NULL && i < PV_STEP_COUNT; i++) {
        entry->kind = strcmp(kind, pv_i_step_names[i]) == 0 ? pv_i_step_names[i] : entry->kind;
    }
    if (entry->kind == NULL || !is_moment(text_of(row, 1)) || !pv_i_db_count(row, 2, &entry->k) ||
        !pv_i_db_count(row, 3, &entry->evaluated)) {
        return false;
    }
    if (entry->kind == pv_i_step_names[PV_STEP_WEIGHTS]) {
        return text_of(row, 11) != NULL;
    }
    return entry->kind == pv_i_step_names[PV_STEP_OPENED] || read_answer(row, entry);
}

static bool copy_text(pv_arena *arena, const char *text, const char **copy)
{
    *copy = text != NULL ? pv_i_arena_text(arena, text, strlen(text)) : NULL;
    return text == NULL || *copy != NULL;
}

static pv_status read_entries(const pv_db *db, sqlite3_stmt *rows, pv_preference_log *log,
                              pv_error *error)
{
    for (bool is_row = true;; log->n_entries++) {
        PV_TRY(pv_i_db_next(db, rows, &is_row, error));
        if (!is_row) {
            return PV_STATUS_OK;
        }
        if (!pv_i_reserve((void **)&log->entries, &log->capacity, log->n_entries + 1,
                          sizeof *log->entries)) {
            return pv_i_no_memory(error);
        }
        pv_preference_entry *const entry = &log->entries[log->n_entries];
        if (!read_entry(rows, entry)) {
            return pv_i_db_damaged(db, "a step is not as it was written", error);
        }
        if (!copy_text(&log->texts, text_of(rows, 1), &entry->time) ||
            !copy_text(&log->texts, text_of(rows, 11), &entry->note)) {
            return pv_i_no_memory(error);
        }
    }
}

/* The registry's own names, found at both ends of "necd and nwp". */
static bool split_measures(const char *text, pv_preference_log *log)
{
    for (size_t i = 0; text != NULL && i < pv_n_measures(); i++) {
        const char *const name = pv_measure_at(i)->name;
        const size_t length = strlen(name);
        const pv_measure *const other =
            strncmp(text, name, length) == 0 && strncmp(text + length, AND, strlen(AND)) == 0
                ? pv_measure_find(text + length + strlen(AND))
                : NULL;
        if (other != NULL) {
            log->bias = name;
            log->loss = other->name;
            return true;
        }
    }
    return false;
}

static pv_status read_log(const pv_db *db, pv_preference_log **log, pv_error *error)
{
    sqlite3_stmt *row = NULL;
    sqlite3_stmt *rows = NULL;
    bool is_row = false;
    pv_preference_log *const l = PV_NEW(pv_preference_log);
    pv_status status = PV_STATUS_OK;
    if (l == NULL) {
        return pv_i_no_memory(error);
    }
    PV_TRY_CLEAN(pv_i_db_recognise(db, NULL, error));
    PV_TRY_CLEAN(
        pv_i_db_prepare(db, "SELECT value FROM meta WHERE name = 'measures'", &row, error));
    PV_TRY_CLEAN(pv_i_db_next(db, row, &is_row, error));
    if (!is_row || !split_measures(text_of(row, 0), l)) {
        PV_TRY_CLEAN(pv_i_db_damaged(db, "it does not say what it is for", error));
    }
    PV_TRY_CLEAN(
        pv_i_db_prepare(db,
                        "SELECT kind, time, k, evaluated, wish_bias, wish_loss, bias, loss,"
                        " achievement, bound, proven, note FROM steps ORDER BY id",
                        &rows, error));
    PV_TRY_CLEAN(read_entries(db, rows, l, error));
cleanup:
    (void)sqlite3_finalize(row);
    (void)sqlite3_finalize(rows);
    if (status == PV_STATUS_OK) {
        *log = l;
    } else {
        pv_preference_log_free(l);
    }
    return status;
}

pv_status pv_preference_log_read(const char *path, pv_preference_log **log, pv_error *error)
{
    pv_db db = {0};
    PV_TRY(pv_i_db_open(&db, path, false, error));
    const pv_status status = read_log(&db, log, error);
    pv_i_db_close(&db);
    return status;
}

pv_status pv_preference_log_of(const pv_preference *preference, pv_preference_log **log,
                               pv_error *error)
{
    const pv_db *const db =
        preference->session != NULL ? pv_i_session_db(preference->session) : NULL;
    return db != NULL ? read_log(db, log, error)
                      : pv_i_fail(error, PV_STATUS_ARGUMENT, "no session file is open");
}

#endif
