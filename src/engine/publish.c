/* Tables into engines: the hidden name, the staging table, reading back, the last rename. */
#include "engine/publish.h"

#include "base/claim.h"
#include "base/error.h"
#include "base/file.h"
#include "base/memory.h"
#include "engine/lines.h"
#include "engine/publish_names.h"
#include "engine/same_table.h"
#include "engine/spill.h"
#include "engine/sql.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <unistd.h>

#define LONGEST_COUNT 24
#define MOST_TURNS 8
#define PIECE ((size_t)1 << 16)

struct pv_publish {
    pv_place place, hidden; /* hidden: the same with the hidden name */
    pv_link link;
    pv_context context; /* the caller's, but that the last step is not interrupted */
    const pv_context *callers;
    pv_claim claim;
    pv_publish_names names;
    bool replaces; /* a table is there, and may be replaced */
    bool begun;    /* there is something to be taken back */
    bool ending;   /* the last step */
    bool is_file;
    const char *const *kept; /* the columns that were counted, borrowed; NULL = not yet */
    size_t n_kept;
    pv_spill spill; /* where a file is before it is where it belongs */
    char *file;
};

/* ------------------------------------------------------------------ statements */

static pv_status name_all(pv_publish *p, unsigned turn, pv_error *error)
{
    pv_i_publish_names_deinit(&p->names);
    PV_TRY(pv_i_publish_names_init(&p->names, &p->place, p->link.sql, turn, error));
    p->hidden = p->place;
    p->hidden.table = p->names.hidden;
    return PV_STATUS_OK;
}

static pv_status run(const pv_publish *p, pv_buffer *sql, pv_error *error)
{
    const pv_status status = sql->failed
                                 ? pv_i_no_memory(error)
                                 : p->link.engine->run(p->link.connection, sql->data, error);
    pv_i_buffer_clear(sql);
    return status;
}

/* A template of the dialect, filled. NULL = it has none. */
static pv_status run_filled(const pv_publish *p, const char *text, const char *a, const char *b,
                            pv_error *error)
{
    pv_buffer sql = {0};
    if (text == NULL) {
        return PV_STATUS_OK;
    }
    pv_i_sql_fill(&sql, text, a, b);
    const pv_status status = run(p, &sql, error);
    pv_i_buffer_deinit(&sql);
    return status;
}

/* ----------------------------------------------------------------------- open */

static bool goes_on(void *ctx, const pv_progress *progress)
{
    const pv_publish *const p = ctx;
    return p->ending || p->callers->progress(p->callers->progress_ctx, progress);
}

static pv_status check_place(const pv_place *place, pv_error *error)
{
    if (place->file != NULL) {
        return pv_i_hint(pv_i_fail_at(error, PV_STATUS_UNSUPPORTED, place->text, 0, 0,
                                      "a release cannot be written into such a file"),
                         error, "name a file that ends in .parquet, or in .csv without `duckdb:`");
    }
    if (place->table == NULL) {
        return pv_i_hint(pv_i_fail_at(error, PV_STATUS_INPUT, place->text, 0, 0,
                                      "names no table that a release could become"),
                         error, "add `?table=NAME`");
    }
    return PV_STATUS_OK;
}

/* A table that never gets its name is no release. */
static pv_status check_naming(const pv_place *place, const pv_sql *sql, pv_error *error)
{
    return place->engine->give_name != NULL || sql->rename != NULL
               ? PV_STATUS_OK
               : pv_i_hint(pv_i_fail_at(error, PV_STATUS_UNSUPPORTED, place->text, 0, 0,
                                        "a release cannot be written into this database: how it "
                                        "renames tables is not known here"),
                           error, "write the release into a file, and load it from there");
}

/* Nobody else on this machine writes there now. */
static pv_status claim(pv_publish *p, pv_error *error)
{
    const char *const given = getenv("TMPDIR");
    pv_buffer path = {0};
    pv_i_buffer_format(&path, "%s/paravent-table-",
                       given != NULL && given[0] != '\0' ? given : "/tmp");
    pv_i_publish_digits(&path, &p->place, 0);
    const pv_status status =
        path.failed ? pv_i_no_memory(error) : pv_i_claim(&p->claim, path.data, error);
    pv_i_buffer_deinit(&path);
    if (status == PV_STATUS_IO) {
        return pv_i_hint(pv_i_fail_at(error, PV_STATUS_IO, p->place.text, 0, 0,
                                      "another process writes this table now"),
                         error, "wait until it is done, or choose another name");
    }
    return status;
}

static pv_status exists(const pv_publish *p, const char *table, bool *there, pv_error *error)
{
    pv_engine_columns columns = {0};
    pv_buffer sql = {0};
    pv_error why = {0};
    pv_i_buffer_format(&sql, "SELECT * FROM %s s", table);
    pv_status status = sql.failed
                           ? pv_i_no_memory(error)
                           : p->link.engine->describe(p->link.connection, sql.data, &columns, &why);
    pv_i_buffer_deinit(&sql);
    pv_i_engine_columns_deinit(&columns);
    *there = status == PV_STATUS_OK;
    if (status == PV_STATUS_CANCELLED || status == PV_STATUS_NO_MEMORY) {
        if (error != NULL) {
            *error = why;
        }
        return status;
    }
    return PV_STATUS_OK; /* whatever else is wrong shows when it is made */
}

/* A file is made by an engine in this process, and named by whoever asked for it. */
static pv_status open_for_file(pv_publish *p, pv_error *error)
{
    p->is_file = true;
    pv_i_free(p->place.file);
    p->place.file = NULL;
    p->place.table = pv_i_strdup("released");
    if (p->place.table == NULL) {
        return pv_i_no_memory(error);
    }
    PV_TRY(pv_i_link_open(&p->link, &p->place, &p->context, error));
    PV_TRY(name_all(p, 0, error));
    return pv_i_spill_create(&p->spill, error);
}

static bool becomes_parquet(const pv_place *place)
{
    const char *const file = place->file != NULL && *place->where == '\0' ? place->file : "";
    const size_t n = strlen(file);
    return pv_i_place_is_file(place->text) && place->engine->sql->copy_to != NULL &&
           ((n > 8 && strcasecmp(file + n - 8, ".parquet") == 0) ||
            (n > 3 && strcasecmp(file + n - 3, ".pq") == 0));
}

static pv_status open_link(pv_publish *p, bool force, pv_error *error)
{
    bool there = false;
    if (becomes_parquet(&p->place)) {
        return open_for_file(p, error);
    }
    PV_TRY(check_place(&p->place, error));
    PV_TRY(claim(p, error));
    PV_TRY(pv_i_link_open(&p->link, &p->place, &p->context, error));
    PV_TRY(check_naming(&p->place, p->link.sql, error));
    PV_TRY(name_all(p, 0, error));
    PV_TRY(exists(p, p->names.table, &there, error));
    p->replaces = there && force;
    if (there && !force) {
        return pv_i_hint_phrases(
            pv_i_fail_at(error, PV_STATUS_EXISTS, p->place.text, 0, 0, "the table exists already"),
            error, "choose another name, or @", PV_PHRASE_OVERWRITE, PV_PHRASE_NONE);
    }
    PV_TRY(exists(p, p->names.hidden_table, &there, error));
    return there ? run_filled(p, p->link.sql->drop, p->names.hidden_table, "", error)
                 : PV_STATUS_OK;
}

pv_status pv_i_publish_open(const char *place, bool force, const pv_context *context,
                            pv_publish **publish, pv_error *error)
{
    pv_publish *const p = PV_NEW(pv_publish);
    if (p == NULL) {
        return pv_i_no_memory(error);
    }
    p->claim.lock = -1;
    p->callers = context;
    p->context = context != NULL ? *context : (pv_context){0};
    if (p->context.progress != NULL) {
        p->context.progress = goes_on;
        p->context.progress_ctx = p;
    }
    pv_status status = pv_i_place_parse(place, &p->place, error);
    if (status == PV_STATUS_OK) {
        status = open_link(p, force, error);
    }
    if (status == PV_STATUS_OK) {
        *publish = p;
    } else {
        pv_i_publish_close(p);
    }
    return status;
}

/* Nothing can be done about what fails here: a dead connection has ended its transaction, and what
 * is left elsewhere is found by the next one. */
static void take_back(pv_publish *p)
{
    const pv_sql *const sql = p->link.sql;
    p->ending = true;
    if (p->is_file) {
        return; /* what it was made of was in memory */
    }
    if (sql->begin != NULL) {
        (void)!p->link.engine->run(p->link.connection, sql->rollback, NULL);
    } else {
        (void)!run_filled(p, sql->drop, p->names.staging, "", NULL);
        (void)!run_filled(p, sql->drop, p->names.hidden_table, "", NULL);
    }
}

void pv_i_publish_close(pv_publish *p)
{
    if (p == NULL) {
        return;
    }
    if (p->begun) {
        take_back(p);
    }
    pv_i_link_close(&p->link);
    pv_i_spill_remove(&p->spill);
    pv_i_free(p->file);
    pv_i_claim_release(&p->claim);
    pv_i_publish_names_deinit(&p->names);
    pv_i_place_deinit(&p->place);
    pv_i_free(p);
}

bool pv_i_publish_is(const pv_publish *p, const char *place)
{
    return !p->is_file && pv_i_is_same_table(&p->place, p->link.sql, place);
}

pv_status pv_i_publish_spread(pv_publish *p, const char *source, pv_error *error)
{
    const pv_engine *const engine = p->link.engine;
    bool is_spread = false;
    if (engine->spread == NULL) {
        return PV_STATUS_OK;
    }
    PV_TRY(engine->spread(p->link.connection, &p->place, source, &is_spread, error));
    /* What a dead one left on the other servers. */
    return is_spread ? run_filled(p, p->link.sql->drop, p->names.hidden_table, "", error)
                     : PV_STATUS_OK;
}

/* ----------------------------------------------------------------------- fill */

/* A row that occurs more often than the engine can repeat it (`most`) is loaded several times; as
 * often as it counts where the engine cannot repeat rows at all (`most` = 0). */
typedef struct {
    pv_row_next next;
    void *ctx;
    size_t n;
    uint64_t most;
    const pv_cell *cells;
    uint64_t left;
    pv_cell *parts; /* of a row, with a count of its own */
    char count[LONGEST_COUNT];
} repeating;

static pv_status next_again(void *ctx, const pv_cell **cells, pv_error *error)
{
    repeating *const r = ctx;
    while (r->left == 0) {
        char count[LONGEST_COUNT] = "";
        PV_TRY(r->next(r->ctx, &r->cells, error));
        if (r->cells == NULL) {
            *cells = NULL;
            return PV_STATUS_OK;
        }
        const pv_cell n = r->cells[r->n];
        memcpy(count, n.text, n.size < sizeof count ? n.size : sizeof count - 1);
        r->left = strtoull(count, NULL, 10);
    }
    if (r->most == 0) {
        r->left--;
        *cells = r->cells;
        return PV_STATUS_OK;
    }
    const uint64_t now = r->left < r->most ? r->left : r->most;
    r->left -= now;
    memcpy(r->parts, r->cells, r->n * sizeof *r->parts);
    const int size = snprintf(r->count, sizeof r->count, "%" PRIu64, now);
    r->parts[r->n] = (pv_cell){.text = r->count, .size = (size_t)size};
    *cells = r->parts;
    return PV_STATUS_OK;
}

/* What `pv_i_sql_create` takes apart. */
typedef struct {
    const char **names;
    pv_sql_type *types;
} split;

static pv_status split_init(split *s, const pv_published_column *columns, size_t n, pv_error *error)
{
    s->names = PV_NEW_ARRAY(const char *, n);
    s->types = PV_NEW_ARRAY(pv_sql_type, n);
    for (size_t i = 0; s->names != NULL && s->types != NULL && i < n; i++) {
        s->names[i] = columns[i].name;
        s->types[i] = columns[i].type;
    }
    return s->names != NULL && s->types != NULL ? PV_STATUS_OK : pv_i_no_memory(error);
}

static void split_deinit(split *s)
{
    pv_i_free(s->names);
    pv_i_free(s->types);
}

static pv_status load(const pv_publish *p, size_t n, pv_row_next next, void *ctx, pv_error *error)
{
    const pv_engine *const engine = p->link.engine;
    const pv_sql *const sql = p->link.sql;
    repeating again = {.next = next, .ctx = ctx, .n = n, .most = sql->repeat_most};
    if (sql->repeat != NULL && again.most == 0) {
        return engine->load(p->link.connection, p->names.staging, n + 1, next, ctx, error);
    }
    again.parts = PV_NEW_ARRAY(pv_cell, n + 1);
    const pv_status status =
        again.parts != NULL ? engine->load(p->link.connection, p->names.staging,
                                           n + (sql->repeat != NULL), next_again, &again, error)
                            : pv_i_no_memory(error);
    pv_i_free(again.parts);
    return status;
}

/* Into a file of ours, from where pv_i_publish_copy takes it. */
static pv_status fill_file(pv_publish *p, const split *s, size_t n, pv_error *error)
{
    const pv_sql *const sql = p->link.sql;
    pv_buffer path = {0};
    pv_buffer rows = {0};
    pv_buffer literal = {0};
    pv_status status = PV_STATUS_OK;
    pv_i_buffer_format(&path, "%s/released", p->spill.path);
    PV_TRY_CLEAN(pv_i_buffer_take(&path, &p->file, error));
    pv_i_sql_literal(&literal, sql, p->file);
    pv_i_sql_rows(&rows, sql, p->names.staging, s->names, s->types, n);
    PV_TRY_CLEAN(literal.failed || rows.failed
                     ? pv_i_no_memory(error)
                     : run_filled(p, sql->copy_to, rows.data, literal.data, error));
    status = run_filled(p, sql->drop, p->names.staging, "", error);
cleanup:
    pv_i_buffer_deinit(&rows);
    pv_i_buffer_deinit(&literal);
    return status;
}

static pv_status make_both(const pv_publish *p, const split *s, size_t n, pv_error *error)
{
    pv_buffer text = {0};
    pv_i_sql_staging(&text, p->link.sql, p->names.staging, n);
    pv_status status = run(p, &text, error);
    if (status == PV_STATUS_OK && !p->is_file) {
        pv_i_sql_create(&text, p->link.sql, p->names.hidden_table, s->names, s->types, n);
        status = run(p, &text, error);
    }
    pv_i_buffer_deinit(&text);
    return status;
}

/* The staging table and the hidden one. A server without transactions that was killed may have left
 * something that nobody can drop, and nothing can be made under that name: so under another one. */
static pv_status make_tables(pv_publish *p, const split *s, size_t n, pv_error *error)
{
    pv_status status = make_both(p, s, n, error);
    for (unsigned turn = 1;
         status == PV_STATUS_EXISTS && turn <= MOST_TURNS && p->link.sql->begin == NULL; turn++) {
        take_back(p);
        p->ending = false;
        PV_TRY(name_all(p, turn, error));
        PV_TRY(run_filled(p, p->link.sql->drop, p->names.staging, "", error));
        PV_TRY(run_filled(p, p->link.sql->drop, p->names.hidden_table, "", error));
        status = make_both(p, s, n, error);
    }
    return status;
}

pv_status pv_i_publish_fill(pv_publish *p, const pv_published_column *columns, size_t n,
                            pv_row_next next, void *ctx, pv_error *error)
{
    const pv_sql *const sql = p->link.sql;
    split s = {0};
    pv_buffer text = {0};
    pv_status status = PV_STATUS_OK;
    PV_TRY_CLEAN(split_init(&s, columns, n, error));
    p->begun = true;
    if (sql->begin != NULL && !p->is_file) {
        PV_TRY_CLEAN(p->link.engine->run(p->link.connection, sql->begin, error));
    } else {
        PV_TRY_CLEAN(run_filled(p, sql->drop, p->names.staging, "", error));
    }
    PV_TRY_CLEAN(make_tables(p, &s, n, error));
    PV_TRY_CLEAN(load(p, n, next, ctx, error));
    if (p->is_file) {
        PV_TRY_CLEAN(fill_file(p, &s, n, error));
        goto cleanup;
    }
    pv_i_sql_insert(&text, sql, p->names.hidden_table, p->names.staging, s.types, n);
    PV_TRY_CLEAN(run(p, &text, error));
    PV_TRY_CLEAN(run_filled(p, sql->drop, p->names.staging, "", error));
cleanup:
    split_deinit(&s);
    pv_i_buffer_deinit(&text);
    return status;
}

/* ------------------------------------------------------------------------ files */

bool pv_i_publish_is_file(const pv_publish *p)
{
    return p->is_file;
}

pv_status pv_i_publish_copy(pv_publish *p,
                            pv_status (*write)(void *ctx, const void *data, size_t size,
                                               pv_error *error),
                            void *ctx, pv_error *error)
{
    int fd = -1;
    char *piece = NULL;
    ssize_t got = 0;
    pv_status status = pv_i_file_open(p->file, &fd, error);
    PV_TRY(status);
    piece = pv_i_malloc(PIECE);
    if (piece == NULL) {
        PV_TRY_CLEAN(pv_i_no_memory(error));
    }
    while ((got = read(fd, piece, PIECE)) > 0 || (got < 0 && errno == EINTR)) {
        PV_TRY_CLEAN(got > 0 ? write(ctx, piece, (size_t)got, error) : PV_STATUS_OK);
    }
    if (got < 0) {
        status = pv_i_fail_errno(error, PV_STATUS_IO, p->file, "cannot read back");
    }
cleanup:
    (void)close(fd);
    (void)unlink(p->file);
    pv_i_free(piece);
    return status;
}

pv_status pv_i_publish_look(pv_publish *p, const char *path, pv_error *error)
{
    pv_buffer literal = {0};
    pv_i_sql_literal(&literal, p->link.sql, path);
    const pv_status status =
        literal.failed
            ? pv_i_no_memory(error)
            : run_filled(p, p->link.sql->copy_of, p->names.hidden_table, literal.data, error);
    pv_i_buffer_deinit(&literal);
    return status;
}

/* ---------------------------------------------------------------------- reading */

/* The table is gone through once, and what was counted is kept for pv_i_publish_sizes. */
static pv_status keep_and_read(pv_publish *p, const char *const *columns, size_t n, pv_buffer *text,
                               pv_error *error)
{
    const pv_sql *const dialect = p->link.sql;
    pv_buffer sql = {0};
    pv_i_sql_keep(&sql, dialect, p->names.kept, p->names.hidden_table, columns, n);
    pv_status status = run(p, &sql, error);
    if (status == PV_STATUS_OK) {
        p->kept = columns;
        p->n_kept = n;
        pv_i_sql_count_kept(&sql, dialect, p->names.kept, columns, n);
        status = sql.failed ? pv_i_no_memory(error)
                            : pv_i_take_counted_rows(&p->link, &p->hidden, sql.data, columns, n,
                                                     text, error);
    }
    pv_i_buffer_deinit(&sql);
    return status;
}

pv_status pv_i_publish_read(pv_publish *p, const char *const *columns, size_t n, pv_buffer *text,
                            pv_error *error)
{
    return p->link.sql->keep != NULL
               ? keep_and_read(p, columns, n, text, error)
               : pv_i_count_equal_rows(&p->link, &p->hidden, columns, n, text, error);
}

typedef struct {
    pv_status (*hear)(void *ctx, uint64_t rows, uint64_t classes, pv_error *error);
    void *ctx;
} size_hearing;

static pv_status hear_size(void *ctx, const pv_cell *cells, pv_error *error)
{
    const size_hearing *const h = ctx;
    return h->hear(h->ctx, pv_i_cell_number(cells[0]), pv_i_cell_number(cells[1]), error);
}

pv_status pv_i_publish_sizes(const pv_publish *p, const char *const *columns, size_t n,
                             pv_status (*hear)(void *ctx, uint64_t rows, uint64_t classes,
                                               pv_error *error),
                             void *ctx, pv_error *error)
{
    size_hearing h = {.hear = hear, .ctx = ctx};
    pv_buffer sql = {0};
    char **parts = NULL;
    size_t n_parts = 0;
    if (p->link.engine->spread != NULL) {
        PV_TRY(p->link.engine->parts(p->link.connection, p->names.hidden_table, &parts, &n_parts,
                                     error));
    }
    if (p->kept != NULL) {
        pv_i_sql_sizes_kept(&sql, p->link.sql, p->names.kept, p->kept, p->n_kept, columns, n);
    } else {
        pv_i_sql_sizes(&sql, p->link.sql, n_parts > 0 ? parts[0] : p->names.hidden_table, columns,
                       n);
    }
    const pv_status status =
        sql.failed ? pv_i_no_memory(error)
                   : p->link.engine->fetch(p->link.connection, sql.data, 2, hear_size, &h, error);
    for (size_t i = 0; i < n_parts; i++) {
        pv_i_free(parts[i]);
    }
    pv_i_free(parts);
    pv_i_buffer_deinit(&sql);
    return status;
}

/* ------------------------------------------------------------------- the name */

static pv_status give_name(const pv_publish *p, pv_error *error)
{
    const pv_sql *const sql = p->link.sql;
    if (p->link.engine->give_name != NULL) {
        return p->link.engine->give_name(p->link.connection, p->names.hidden_table, p->names.table,
                                         p->replaces, error);
    }
    if (p->replaces && sql->exchange != NULL) {
        PV_TRY(run_filled(p, sql->exchange, p->names.hidden_table, p->names.table, error));
        return run_filled(p, sql->drop, p->names.hidden_table, "", error);
    }
    if (p->replaces) {
        PV_TRY(run_filled(p, sql->drop, p->names.table, "", error));
    }
    return run_filled(p, sql->rename, p->names.hidden_table, p->names.to, error);
}

pv_status pv_i_publish_name(pv_publish *p, pv_error *error)
{
    const pv_sql *const sql = p->link.sql;
    p->ending = true;
    PV_TRY(give_name(p, error));
    if (sql->begin != NULL) {
        const pv_status status = p->link.engine->run(p->link.connection, sql->commit, error);
        if (status != PV_STATUS_OK) { /* it may have been done, and only the answer be lost */
            return pv_i_hint(status, error,
                             "see whether the table is there: if so, it is the verified one, but "
                             "its papers are missing, so release it again");
        }
    }
    p->begun = false;
    return PV_STATUS_OK;
}

/* -------------------------------------------------------------------- explaining */

static void end_statement(pv_buffer *text)
{
    pv_i_buffer_text(text, ";\n");
}

static void put_statements(pv_buffer *text, const pv_sql *sql, const pv_publish_names *n,
                           const split *s, size_t n_columns)
{
    if (sql->begin != NULL) {
        pv_i_buffer_format(text, "%s;\n", sql->begin);
    }
    pv_i_sql_staging(text, sql, n->staging, n_columns);
    end_statement(text);
    pv_i_sql_create(text, sql, n->hidden_table, s->names, s->types, n_columns);
    end_statement(text);
    pv_i_sql_insert(text, sql, n->hidden_table, n->staging, s->types, n_columns);
    end_statement(text);
    if (sql->keep != NULL) {
        pv_i_sql_keep(text, sql, n->kept, n->hidden_table, s->names, n_columns);
    } else {
        pv_i_sql_count(text, sql, n->hidden_table, s->names, n_columns, NULL, 0);
    }
    end_statement(text);
    pv_i_sql_fill(text, sql->rename, n->hidden_table, n->to);
    end_statement(text);
    if (sql->begin != NULL) {
        pv_i_buffer_format(text, "%s;\n", sql->commit);
    }
}

pv_status pv_i_publish_explain(const char *place, const pv_published_column *columns, size_t n,
                               char **statements, pv_error *error)
{
    pv_place parsed = {0};
    pv_link link = {0};
    pv_publish_names made = {0};
    split s = {0};
    pv_buffer text = {0};
    pv_status status = PV_STATUS_OK;
    PV_TRY_CLEAN(pv_i_place_parse(place, &parsed, error));
    PV_TRY_CLEAN(check_place(&parsed, error));
    const pv_sql *sql = parsed.engine->sql;
    if (parsed.engine->speaks != NULL) { /* only a connection knows */
        PV_TRY_CLEAN(pv_i_link_open(&link, &parsed, NULL, error));
        sql = link.sql;
    }
    PV_TRY_CLEAN(check_naming(&parsed, sql, error));
    PV_TRY_CLEAN(pv_i_publish_names_init(&made, &parsed, sql, 0, error));
    PV_TRY_CLEAN(split_init(&s, columns, n, error));
    put_statements(&text, sql, &made, &s, n);
    status = pv_i_buffer_take(&text, statements, error);
cleanup:
    pv_i_link_close(&link);
    pv_i_buffer_deinit(&text);
    split_deinit(&s);
    pv_i_publish_names_deinit(&made);
    pv_i_place_deinit(&parsed);
    return status;
}
