/* ClickHouse: the engine for tables on any number of servers. A Distributed table is grouped where
 * its rows are, and only partial counts travel between the servers.
 *
 * A user's profile may let the server stop counting at a limit and say nothing. Such settings are
 * looked at when a connection is opened, and are overridden. */
#ifdef PV_HAVE_CURL

#include "engine/clickhouse.h"
#include "engine/sql.h"

#include "base/error.h"
#include "base/memory.h"

#include <stdio.h>
#include <string.h>

#define PIECE 65536           /* bytes of rows that are sent at once */
#define PIECE_OF_SEVERAL 2048 /* each server takes the next piece as soon as it can */

/* ------------------------------------------------------------------ the dialect
 *
 * Dates are released as texts, 2024-05-31: a Date begins in 1970, and makes 0000-00-00 of what was
 * before, without a word. So are decimals: how many digits they have behind the point is not known
 * beforehand, and servers of 2018 crash when they group the longest ones. */

static const pv_sql dialect = {
    .quote = '`',
    .escapes_backslash = true,
    .text = "CAST(toString(%s) AS Nullable(String))",
    .types = {"Nullable(String)", "Nullable(Int64)", "Nullable(String)", "Nullable(String)"},
    /* A cast that cannot be done would make NULL of a text; this function fails. */
    .casts = {"%s", "if(isNull(%s), NULL, toInt64(ifNull(%s, '0')))", "%s", "%s"},
    .staging = "CREATE TABLE ",
    .staging_end = " ENGINE = Log",
    .create_end = " ENGINE = MergeTree ORDER BY tuple()",
    .repeat = "%s s ARRAY JOIN range(toUInt64(assumeNotNull(n))) AS one",
    .repeat_most = 1000,
    .rename = "RENAME TABLE %s TO %s",
    .renames_to_parts = true,
    .drop = "DROP TABLE IF EXISTS %s",
};

/* ---------------------------------------------------------------- short answers
 *
 * They come as lines of fields between tabs, with escapes: a byte 0 is written \0. */

static pv_status hear_text(void *ctx, const char *data, size_t size, pv_error *error)
{
    pv_buffer *const answer = ctx;
    pv_i_buffer_bytes(answer, data, size);
    return answer->failed ? pv_i_no_memory(error) : PV_STATUS_OK;
}

/* Takes a field out of its escapes, in place. */
size_t pv_i_ch_plain_field(char *field)
{
    static const char from[] = "btnrf0", to[] = "\b\t\n\r\f\0";
    char *write = field;
    for (const char *read = field; *read != '\0'; read++) {
        if (*read == '\\' && read[1] != '\0') {
            read++;
            const char *const known = strchr(from, *read);
            *write++ = known != NULL ? to[known - from] : *read;
        } else {
            *write++ = *read;
        }
    }
    *write = '\0';
    return (size_t)(write - field);
}

/* What goes into the address of a statement. One that reads is not let change anything: its query
 * is the user's own. */
static void put_parameters(const ch_connection *c, bool reads, const char *own, pv_buffer *to)
{
    pv_i_buffer_text(to, own);
    pv_i_buffer_text(to, reads && c->may_set ? "&readonly=2" : "");
    pv_i_buffer_text(to, c->settings.data != NULL ? c->settings.data : "");
}

pv_status pv_i_ch_ask(const ch_connection *c, const char *doing, const char *statement,
                      pv_buffer *answer, pv_error *error)
{
    pv_buffer parameters = {0};
    put_parameters(c, true, "&wait_end_of_query=1", &parameters);
    pv_i_buffer_text(answer, "");
    const ch_request request = {.doing = doing,
                                .statement = statement,
                                .parameters = parameters.data,
                                .hear = hear_text,
                                .ctx = answer};
    const pv_status status = parameters.failed || answer->failed
                                 ? pv_i_no_memory(error)
                                 : pv_i_ch_http_ask(c->http, &request, error);
    pv_i_buffer_deinit(&parameters);
    return status;
}

/* -------------------------------------------------------------------- settings */

/* What every statement needs. Servers of other versions may not know all of them. */
static const struct {
    const char *name, *value;
    bool is_dispensable; /* for one who only reads, and has time */
} settings[] = {
    {"read_overflow_mode", "throw", false},
    {"group_by_overflow_mode", "throw", false},
    {"sort_overflow_mode", "throw", false},
    {"result_overflow_mode", "throw", false},
    {"timeout_overflow_mode", "throw", false},
    {"set_overflow_mode", "throw", false},
    {"join_overflow_mode", "throw", false},
    {"distinct_overflow_mode", "throw", false},
    {"transfer_overflow_mode", "throw", false},
    {"skip_unavailable_shards", "0", false},
    {"distributed_group_by_no_merge", "0", false},
    {"max_parallel_replicas", "1", false},
    {"limit", "0", false},
    {"offset", "0", false},
    {"async_insert", "0", true},
    {"insert_distributed_sync", "1", true},
    {"output_format_decimal_trailing_zeros", "1", false},
    {"distributed_aggregation_memory_efficient", "1", true},
    {"cancel_http_readonly_queries_on_client_close", "1", true},
};

#define N_SETTINGS (sizeof settings / sizeof *settings)

static size_t find_setting(const char *name)
{
    size_t i = 0;
    while (i < N_SETTINGS && strcmp(settings[i].name, name) != 0) {
        i++;
    }
    return i;
}

static pv_status may_not_set(const ch_connection *c, size_t i, pv_error *error)
{
    return pv_i_hint(pv_i_fail_at(error, PV_STATUS_INPUT, c->place->text, 0, 0,
                                  "the user's profile has a setting that could leave out rows, %s, "
                                  "and the user may not change it",
                                  settings[i].name),
                     error, "set %s = %s in the user's profile, or use another user",
                     settings[i].name, settings[i].value);
}

/* Goes through the lines "name TAB value"; `readonly` comes first. */
static pv_status choose_settings(ch_connection *c, char *answer, pv_error *error)
{
    for (char *line = strsep(&answer, "\n"); line != NULL; line = strsep(&answer, "\n")) {
        const char *const name = strsep(&line, "\t");
        const char *const value = line != NULL ? line : "";
        const size_t i = find_setting(name);
        if (strcmp(name, "readonly") == 0) {
            c->may_set = strcmp(value, "1") != 0;
        } else if (i < N_SETTINGS && strcmp(value, settings[i].value) != 0) {
            if (!c->may_set && !settings[i].is_dispensable) {
                return may_not_set(c, i, error);
            }
            if (c->may_set) {
                pv_i_buffer_format(&c->settings, "&%s=%s", settings[i].name, settings[i].value);
            }
        }
    }
    return c->settings.failed ? pv_i_no_memory(error) : PV_STATUS_OK;
}

static pv_status look_at_settings(ch_connection *c, pv_error *error)
{
    pv_buffer sql = {0};
    pv_buffer answer = {0};
    pv_i_buffer_text(&sql, "SELECT name, value FROM system.settings WHERE name IN ('readonly'");
    for (size_t i = 0; i < N_SETTINGS; i++) {
        pv_i_buffer_format(&sql, ", '%s'", settings[i].name);
    }
    pv_i_buffer_text(&sql, ") ORDER BY name = 'readonly' DESC FORMAT TabSeparated");
    pv_status status =
        sql.failed ? pv_i_no_memory(error) : pv_i_ch_ask(c, "connecting", sql.data, &answer, error);
    if (status == PV_STATUS_OK) {
        status = choose_settings(c, answer.data, error);
    }
    pv_i_buffer_deinit(&sql);
    pv_i_buffer_deinit(&answer);
    return status;
}

/* --------------------------------------------------------------------- connecting */

static void close_connection(void *of)
{
    ch_connection *const c = of;
    if (c == NULL) {
        return;
    }
    pv_i_ch_http_close(c->http);
    pv_i_ch_login_deinit(&c->login);
    pv_i_ch_cluster_deinit(&c->cluster);
    pv_i_buffer_deinit(&c->settings);
    pv_i_free(c);
}

static pv_status open_connection(const pv_place *place, const pv_context *context, void **to,
                                 pv_error *error)
{
    ch_connection *const c = PV_NEW(ch_connection);
    if (c == NULL) {
        return pv_i_no_memory(error);
    }
    c->place = place;
    pv_status status = pv_i_ch_login_find(place, &c->login, error);
    if (status == PV_STATUS_OK) {
        status = pv_i_ch_http_open(place, &c->login, context, &c->http, error);
    }
    if (status == PV_STATUS_OK) {
        status = look_at_settings(c, error);
    }
    if (status == PV_STATUS_OK) {
        *to = c;
    } else {
        close_connection(c);
    }
    return status;
}

/* --------------------------------------------------------------------- statements */

/* Rows are repeated block by block: of short blocks, for a block's rows are made all at once. */
pv_status pv_i_ch_run(const ch_connection *c, bool everywhere, const char *statement,
                      pv_error *error)
{
    pv_buffer parameters = {0};
    put_parameters(c, false, "&wait_end_of_query=1&max_block_size=1024", &parameters);
    const ch_request request = {.doing = "running a statement",
                                .statement = statement,
                                .parameters = parameters.data,
                                .servers = (const char *const *)c->cluster.servers,
                                .n_servers = everywhere ? c->cluster.n_servers : 0};
    const pv_status status =
        parameters.failed ? pv_i_no_memory(error) : pv_i_ch_http_ask(c->http, &request, error);
    pv_i_buffer_deinit(&parameters);
    return status;
}

static pv_status run(void *of, const char *statement, pv_error *error)
{
    return pv_i_ch_run(of, true, statement, error);
}

static pv_status add_columns(const ch_connection *c, char *answer, pv_engine_columns *columns,
                             pv_error *error)
{
    for (char *line = strsep(&answer, "\n"); line != NULL; line = strsep(&answer, "\n")) {
        if (*line == '\0') {
            continue;
        }
        char *const name = strsep(&line, "\t");
        char *const type = line != NULL ? strsep(&line, "\t") : name;
        const size_t size = pv_i_ch_plain_field(name);
        (void)pv_i_ch_plain_field(type);
        if (strlen(name) != size) {
            return pv_i_hint(pv_i_fail_at(error, PV_STATUS_UNSUPPORTED, c->place->text, 0, 0,
                                          "the name of a column has a byte 0"),
                             error, "rename the column, or use a query that does");
        }
        PV_TRY(pv_i_engine_columns_add(columns, name, size, type, error));
    }
    return PV_STATUS_OK;
}

pv_status pv_i_ch_describe(const ch_connection *c, const char *select, pv_engine_columns *columns,
                           pv_error *error)
{
    pv_buffer sql = {0};
    pv_buffer answer = {0};
    pv_engine_columns found = {0};
    pv_i_buffer_format(&sql, "DESCRIBE TABLE (%s) FORMAT TabSeparated", select);
    pv_status status = sql.failed
                           ? pv_i_no_memory(error)
                           : pv_i_ch_ask(c, "looking at the columns", sql.data, &answer, error);
    if (status == PV_STATUS_OK) {
        status = add_columns(c, answer.data, &found, error);
    }
    if (status == PV_STATUS_OK) {
        *columns = found;
    } else {
        pv_i_engine_columns_deinit(&found);
    }
    pv_i_buffer_deinit(&sql);
    pv_i_buffer_deinit(&answer);
    return status;
}

static pv_status describe(void *of, const char *select, pv_engine_columns *columns, pv_error *error)
{
    return pv_i_ch_describe(of, select, columns, error);
}

/* Can a text say it? */
static bool fits(const char *type)
{
    static const char *const structures[] = {"Array(",
                                             "Tuple(",
                                             "Map(",
                                             "Nested(",
                                             "Object(",
                                             "JSON",
                                             "Variant(",
                                             "Dynamic",
                                             "Point",
                                             "Ring",
                                             "Polygon",
                                             "MultiPolygon",
                                             "AggregateFunction(",
                                             "LineString"};
    for (size_t i = 0; i < sizeof structures / sizeof *structures; i++) {
        if (strncmp(type, structures[i], strlen(structures[i])) == 0) {
            return false;
        }
    }
    return true;
}

/* --------------------------------------------------------------------------- rows */

/* The text of a failure may stand behind the beginning of a row; its bytes 0 would hide it. */
static pv_status broken_result(const ch_connection *c, ch_rows *r, const char *doing,
                               pv_error *error)
{
    for (size_t i = 0; i < r->rest.size; i++) {
        r->rest.data[i] = r->rest.data[i] != '\0' ? r->rest.data[i] : ' ';
    }
    pv_i_buffer_char(&r->rest, '\0');
    if (r->rest.failed) {
        return pv_i_no_memory(error);
    }
    if (strstr(r->rest.data, "Code: ") != NULL) {
        return pv_i_ch_refused(c->place, doing, r->rest.data, c->login.password, error);
    }
    return pv_i_hint(pv_i_fail_at(error, PV_STATUS_IO, c->place->text, 0, 0,
                                  "ClickHouse ended the result in the middle of a row while %s",
                                  doing),
                     error, "look at the server's log, and try again");
}

static pv_status fetch_rows(const ch_connection *c, const char *select, ch_rows *r, pv_error *error)
{
    static const char doing[] = "counting";
    pv_buffer sql = {0};
    pv_buffer parameters = {0};
    pv_i_buffer_format(&sql, "%s FORMAT RowBinary", select);
    put_parameters(c, true, "", &parameters);
    const ch_request request = {.doing = doing,
                                .statement = sql.data,
                                .parameters = parameters.data,
                                .hear = pv_i_ch_rows_hear,
                                .ctx = r};
    const pv_status status = sql.failed || parameters.failed
                                 ? pv_i_no_memory(error)
                                 : pv_i_ch_http_ask(c->http, &request, error);
    pv_i_buffer_deinit(&sql);
    pv_i_buffer_deinit(&parameters);
    const bool is_told = r->is_broken && (status == PV_STATUS_OK || status == PV_STATUS_IO);
    return is_told || (status == PV_STATUS_OK && r->rest.size > 0)
               ? broken_result(c, r, doing, error)
               : status;
}

static pv_status fetch(void *of, const char *select, size_t n, pv_row_hear hear, void *ctx,
                       pv_error *error)
{
    ch_rows r = {.cells = PV_NEW_ARRAY(pv_cell, n), .n = n, .hear = hear, .ctx = ctx};
    const pv_status status =
        r.cells != NULL ? fetch_rows(of, select, &r, error) : pv_i_no_memory(error);
    pv_i_buffer_deinit(&r.rest);
    pv_i_free(r.cells);
    return status;
}

/* ------------------------------------------------------------------------- loading */

typedef struct {
    size_t n;
    pv_row_next next;
    void *ctx;
    size_t piece; /* bytes that are sent at once */
    bool has_ended;
} row_source;

static pv_status say_rows(void *ctx, pv_buffer *piece, pv_error *error)
{
    row_source *const source = ctx;
    while (piece->size < source->piece && !piece->failed && !source->has_ended) {
        const pv_cell *cells = NULL;
        PV_TRY(source->next(source->ctx, &cells, error));
        source->has_ended = cells == NULL;
        for (size_t i = 0; i < source->n && cells != NULL; i++) {
            pv_i_ch_put_cell(piece, &cells[i]);
        }
    }
    return PV_STATUS_OK;
}

static pv_status load(void *of, const char *table, size_t n, pv_row_next next, void *ctx,
                      pv_error *error)
{
    const ch_connection *const c = of;
    row_source source = {.n = n,
                         .next = next,
                         .ctx = ctx,
                         .piece = c->cluster.n_servers > 0 ? PIECE_OF_SEVERAL : PIECE};
    pv_buffer sql = {0};
    pv_i_buffer_format(&sql, "INSERT INTO %s FORMAT RowBinary", table);
    const ch_request request = {.doing = "loading rows",
                                .statement = sql.data,
                                .parameters = c->settings.data != NULL ? c->settings.data : "",
                                .say = say_rows,
                                .ctx = &source,
                                .servers = (const char *const *)c->cluster.servers,
                                .n_servers = c->cluster.n_servers};
    const pv_status status =
        sql.failed ? pv_i_no_memory(error) : pv_i_ch_http_ask(c->http, &request, error);
    pv_i_buffer_deinit(&sql);
    return status;
}

static pv_traffic traffic(const void *of)
{
    const ch_connection *const c = of;
    return (pv_traffic){.received = pv_i_ch_http_received(c->http),
                        .sent = pv_i_ch_http_sent(c->http)};
}

const pv_engine pv_i_engine_clickhouse = {
    .name = "clickhouse",
    .title = "ClickHouse",
    .sql = &dialect,
    .open = open_connection,
    .close = close_connection,
    .run = run,
    .describe = describe,
    .fetch = fetch,
    .load = load,
    .traffic = traffic,
    .parts = pv_i_ch_parts,
    .spread = pv_i_ch_spread,
    .give_name = pv_i_ch_give_name,
    .fits = fits,
};

#endif
