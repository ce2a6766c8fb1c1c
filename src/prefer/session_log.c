/* The audit trail of a session. */
#include "base/arena.h"
#include "base/memory.h"
#include "prefer/session.h"

void pv_walk_log_free(pv_walk_log *log)
{
    if (log == NULL) {
        return;
    }
    pv_i_free(log->entries);
    if (log->memory != NULL) {
        pv_i_arena_deinit(log->memory);
        pv_i_free(log->memory);
    }
    pv_i_free(log);
}

#ifdef PV_HAVE_SQLITE

#include "base/error.h"
#include "prefer/session_db.h"

#include <ctype.h>
#include <math.h>
#include <string.h>

#define AND " and " /* between the bias and the loss, as session_facts.c writes them */

typedef struct {
    pv_walk_entry *entries;
    size_t n, capacity;
    const char *bias, *loss;
    pv_arena *texts;
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

static const char *text_of(sqlite3_stmt *row, int column)
{
    return (const char *)sqlite3_column_text(row, column);
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
        read_real(row, 4, &entry->wish.bias) && read_real(row, 5, &entry->wish.loss) &&
        read_real(row, 6, &entry->point.bias) && read_real(row, 7, &entry->point.loss) &&
        read_real(row, 8, &entry->achievement) && read_real(row, 9, &entry->bound) &&
        pv_i_db_count(row, 10, &proven) && proven <= 1;
    entry->has_wish = true;
    entry->proven = proven == 1;
    return is_read;
}

/* What belongs to the kind of step. */
static bool read_details(sqlite3_stmt *row, pv_walk_entry *entry)
{
    if (entry->kind == pv_i_step_names[PV_STEP_WEIGHTS]) {
        return text_of(row, 11) != NULL;
    }
    return entry->kind == pv_i_step_names[PV_STEP_OPENED] || read_answer(row, entry);
}

static bool read_entry(sqlite3_stmt *row, pv_walk_entry *entry)
{
    *entry = (pv_walk_entry){0};
    return read_kind(row, 0, &entry->kind) && is_moment(text_of(row, 1)) &&
           pv_i_db_count(row, 2, &entry->k) && pv_i_db_count(row, 3, &entry->evaluated) &&
           read_details(row, entry);
}

static bool keep_text(pv_arena *arena, const char *text, const char **kept)
{
    *kept = text != NULL ? pv_i_arena_text(arena, text, strlen(text)) : NULL;
    return text == NULL || *kept != NULL;
}

/* --------------------------------------------------------------- all lines */

static pv_status read_rows(const pv_db *db, sqlite3_stmt *rows, trail *t, pv_error *error)
{
    for (bool is_row = true;; t->n++) {
        PV_TRY(pv_i_db_next(db, rows, &is_row, error));
        if (!is_row) {
            return PV_STATUS_OK;
        }
        if (!pv_i_reserve((void **)&t->entries, &t->capacity, t->n + 1, sizeof *t->entries)) {
            return pv_i_no_memory(error);
        }
        pv_walk_entry *const entry = &t->entries[t->n];
        if (!read_entry(rows, entry)) {
            return pv_i_db_damaged(db, "a step is not as it was written", error);
        }
        if (!keep_text(t->texts, text_of(rows, 1), &entry->time) ||
            !keep_text(t->texts, text_of(rows, 11), &entry->note)) {
            return pv_i_no_memory(error);
        }
    }
}

/* The registry's own names, found at both ends of "necd and nwp". */
static bool split_measures(const char *text, trail *t)
{
    for (size_t i = 0; text != NULL && i < pv_n_measures(); i++) {
        const char *const name = pv_measure_at(i)->name;
        const size_t length = strlen(name);
        const pv_measure *const other =
            strncmp(text, name, length) == 0 && strncmp(text + length, AND, strlen(AND)) == 0
                ? pv_measure_find(text + length + strlen(AND))
                : NULL;
        if (other != NULL) {
            t->bias = name;
            t->loss = other->name;
            return true;
        }
    }
    return false;
}

static pv_status read_measures(const pv_db *db, trail *t, pv_error *error)
{
    sqlite3_stmt *row = NULL;
    bool is_row = false;
    PV_TRY(pv_i_db_prepare(db, "SELECT value FROM meta WHERE name = 'measures'", &row, error));
    pv_status status = pv_i_db_next(db, row, &is_row, error);
    if (status == PV_STATUS_OK && !(is_row && split_measures(text_of(row, 0), t))) {
        status = pv_i_db_damaged(db, "it does not say what it is for", error);
    }
    (void)sqlite3_finalize(row);
    return status;
}

static pv_status read_trail(const pv_db *db, trail *t, pv_error *error)
{
    sqlite3_stmt *rows = NULL;
    PV_TRY(pv_i_db_recognise(db, NULL, error));
    PV_TRY(read_measures(db, t, error));
    PV_TRY(pv_i_db_prepare(db,
                           "SELECT kind, time, k, evaluated, wish_bias, wish_loss, bias, loss,"
                           " achievement, bound, proven, note FROM steps ORDER BY id",
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
    *l = (pv_walk_log){.entries = t->entries,
                       .n_entries = t->n,
                       .bias = t->bias,
                       .loss = t->loss,
                       .memory = t->texts};
    *log = l;
    return PV_STATUS_OK;
}

static pv_status read_log(const pv_db *db, pv_walk_log **log, pv_error *error)
{
    trail t = {.texts = PV_NEW_ZEROED(pv_arena, 1)};
    pv_status status = t.texts != NULL ? read_trail(db, &t, error) : pv_i_no_memory(error);
    if (status == PV_STATUS_OK) {
        status = give(&t, log, error);
    }
    if (status != PV_STATUS_OK && t.texts != NULL) {
        pv_i_free(t.entries);
        pv_i_arena_deinit(t.texts);
        pv_i_free(t.texts);
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
