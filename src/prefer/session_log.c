/* The audit trail of a session. */
#include "base/memory.h"
#include "prefer/session.h"

void pv_walk_log_free(pv_walk_log *log)
{
    if (log == NULL) {
        return;
    }
    pv_i_free(log->entries);
    pv_i_free(log->memory);
    pv_i_free(log);
}

#ifdef PV_HAVE_SQLITE

#include "base/error.h"
#include "prefer/session_db.h"

#include <ctype.h>
#include <math.h>
#include <string.h>

/* With its NUL. */
typedef struct {
    char text[sizeof "2026-01-31T12:00:00Z"];
} moment;

typedef struct {
    pv_walk_entry *entries;
    moment *moments;
    size_t n, capacity, moment_capacity;
} trail;

/* ---------------------------------------------------------------- one line */

static bool read_kind(sqlite3_stmt *row, int column, const char **kind)
{
    const char *const text = (const char *)sqlite3_column_text(row, column);
    for (size_t i = 0; text != NULL && i < PV_STEP_COUNT; i++) {
        if (strcmp(text, pv_i_step_names[i]) == 0) {
            *kind = pv_i_step_names[i];
            return true;
        }
    }
    return false;
}

static bool read_moment(sqlite3_stmt *row, int column, moment *m)
{
    static const char shape[] = "0000-00-00T00:00:00Z";
    const char *const text = (const char *)sqlite3_column_text(row, column);
    if (text == NULL || strlen(text) + 1 != sizeof m->text) {
        return false;
    }
    for (size_t i = 0; i + 1 < sizeof m->text; i++) {
        if (shape[i] == '0' ? !isdigit((unsigned char)text[i]) : text[i] != shape[i]) {
            return false;
        }
    }
    memcpy(m->text, text, sizeof m->text);
    return true;
}

static bool read_real(sqlite3_stmt *row, int column, double *value)
{
    *value = sqlite3_column_double(row, column);
    return sqlite3_column_type(row, column) == SQLITE_FLOAT && isfinite(*value);
}

/* What a wish or a choice has beyond the columns of every step. */
static bool read_answer(sqlite3_stmt *row, pv_walk_entry *entry)
{
    uint64_t proven = 0;
    const bool is_read =
        read_real(row, 4, &entry->wish.necd) && read_real(row, 5, &entry->wish.nwp) &&
        read_real(row, 6, &entry->point.necd) && read_real(row, 7, &entry->point.nwp) &&
        read_real(row, 8, &entry->achievement) && read_real(row, 9, &entry->bound) &&
        pv_i_db_count(row, 10, &proven) && proven <= 1;
    entry->has_wish = true;
    entry->proven = proven == 1;
    return is_read;
}

static bool read_entry(sqlite3_stmt *row, pv_walk_entry *entry, moment *m)
{
    *entry = (pv_walk_entry){0};
    return read_kind(row, 0, &entry->kind) && read_moment(row, 1, m) &&
           pv_i_db_count(row, 2, &entry->k) && pv_i_db_count(row, 3, &entry->evaluated) &&
           (entry->kind == pv_i_step_names[PV_STEP_OPENED] || read_answer(row, entry));
}

/* --------------------------------------------------------------- all lines */

static bool reserve(trail *t)
{
    return pv_i_reserve((void **)&t->entries, &t->capacity, t->n + 1, sizeof *t->entries) &&
           pv_i_reserve((void **)&t->moments, &t->moment_capacity, t->n + 1, sizeof *t->moments);
}

static pv_status read_rows(const pv_db *db, sqlite3_stmt *rows, trail *t, pv_error *error)
{
    for (bool is_row = true;; t->n++) {
        PV_TRY(pv_i_db_next(db, rows, &is_row, error));
        if (!is_row) {
            return PV_STATUS_OK;
        }
        if (!reserve(t)) {
            return pv_i_no_memory(error);
        }
        if (!read_entry(rows, &t->entries[t->n], &t->moments[t->n])) {
            return pv_i_db_damaged(db, "a step is not as it was written", error);
        }
    }
}

static pv_status read_trail(const pv_db *db, trail *t, pv_error *error)
{
    sqlite3_stmt *rows = NULL;
    PV_TRY(pv_i_db_recognise(db, NULL, error));
    PV_TRY(pv_i_db_prepare(db,
                           "SELECT kind, time, k, evaluated, wish_necd, wish_nwp, necd, nwp,"
                           " achievement, bound, proven FROM steps ORDER BY id",
                           &rows, error));
    const pv_status status = read_rows(db, rows, t, error);
    (void)sqlite3_finalize(rows);
    return status;
}

/* Hands the lines over. */
static pv_status give(trail *t, pv_walk_log **log, pv_error *error)
{
    pv_walk_log *const l = PV_NEW(pv_walk_log);
    if (l == NULL) {
        return pv_i_no_memory(error);
    }
    for (size_t i = 0; i < t->n; i++) {
        t->entries[i].time = t->moments[i].text;
    }
    *l = (pv_walk_log){.entries = t->entries, .n_entries = t->n, .memory = t->moments};
    *log = l;
    return PV_STATUS_OK;
}

static pv_status read_log(const pv_db *db, pv_walk_log **log, pv_error *error)
{
    trail t = {0};
    pv_status status = read_trail(db, &t, error);
    if (status == PV_STATUS_OK) {
        status = give(&t, log, error);
    }
    if (status != PV_STATUS_OK) {
        pv_i_free(t.entries);
        pv_i_free(t.moments);
    }
    return status;
}

pv_status pv_walk_log_read(const char *path, pv_walk_log **log, pv_error *error)
{
    pv_db db = {0};
    PV_TRY(pv_i_db_open(&db, path, false, error));
    const pv_status status = read_log(&db, log, error);
    pv_i_db_close(&db);
    return status;
}

pv_status pv_walk_log_kept(const pv_walk *walk, pv_walk_log **log, pv_error *error)
{
    return walk->session != NULL
               ? read_log(pv_i_session_db(walk->session), log, error)
               : pv_i_fail(error, PV_STATUS_ARGUMENT, "the walk is not kept in a session file");
}

#endif
