/* Tables of ClickHouse that are written to several servers.
 *
 *     released           a Distributed table on the server that the place names, made last, over
 *     released~1         the rows, on every server of the cluster; those that replace them are
 *     released~2         called the other way, so that one of the two is always whole
 *
 * Statements that make, fill and rename tables go to each server by HTTP, all at once: ON CLUSTER
 * would need ZooKeeper. Which servers there are is in system.clusters, but not at which ports they
 * speak HTTP: at that of the place's server, unless the place says shards=HOST:PORT,... in the
 * order of the shards. Rows are read through the servers themselves, cluster(...): if those that
 * were written to are not those of the cluster, what is read back is not what was written.
 *
 * Each server makes its own rows from what it got of the distinct ones. */
#ifdef PV_HAVE_CURL

#include "engine/clickhouse.h"

#include "base/error.h"
#include "base/memory.h"
#include "engine/sql.h"

#include <string.h>

static const char first_rows[] = "~1";
static const char other_rows[] = "~2";

void pv_i_ch_cluster_deinit(ch_cluster *cluster)
{
    pv_i_free(cluster->name);
    pv_i_free(cluster->database);
    for (size_t i = 0; i < cluster->n_servers; i++) {
        pv_i_free(cluster->servers[i]);
    }
    pv_i_free(cluster->servers);
    pv_i_free(cluster->rows);
    *cluster = (ch_cluster){0};
}

static void put_literal(pv_buffer *sql, const char *text)
{
    pv_i_sql_literal(sql, pv_i_engine_clickhouse.sql, text);
}

static void put_name(pv_buffer *sql, const char *name)
{
    pv_i_sql_name(sql, pv_i_engine_clickhouse.sql, name);
}

/* Takes a buffer's text, "" if it has none; NULL = no memory. */
static char *taken(pv_buffer *buffer)
{
    char *const text =
        buffer->failed ? NULL : pv_i_strdup(buffer->data != NULL ? buffer->data : "");
    pv_i_buffer_deinit(buffer);
    return text;
}

/* ------------------------------------------------------- is it on several servers? */

/* Where a table is: its database, the connection's own if it names none, and its name. */
static pv_status locate(const ch_connection *c, const char *table, char **database, char **name,
                        pv_error *error)
{
    const char *const last = pv_i_table_last(table);
    pv_buffer text = {0};
    pv_status status = PV_STATUS_OK;
    if (last == table) {
        status = pv_i_ch_ask(c, "connecting", "SELECT currentDatabase() FORMAT TabSeparatedRaw",
                             &text, error);
        text.size = text.data != NULL ? strcspn(text.data, "\n") : 0;
        if (text.data != NULL) {
            text.data[text.size] = '\0';
        }
    } else {
        char *const before = pv_i_strndup(table, (size_t)(last - table) - 1);
        text.failed = before == NULL;
        if (before != NULL) {
            pv_i_table_plain(&text, before);
        }
        pv_i_free(before);
    }
    *database = taken(&text);
    pv_i_table_plain(&text, last);
    *name = taken(&text);
    return status != PV_STATUS_OK               ? status
           : *database == NULL || *name == NULL ? pv_i_no_memory(error)
                                                : PV_STATUS_OK;
}

/* The next argument of "Distributed('all', base, `rows`, rand())"; NULL = no memory. */
static char *next_argument(const char **at)
{
    pv_buffer text = {0};
    *at += strspn(*at, " ,(");
    const char quote = **at == '\'' || **at == '`' || **at == '"' ? *(*at)++ : '\0';
    while (**at != '\0' && (quote != '\0' ? **at != quote : strchr(",) ", **at) == NULL)) {
        *at += **at == '\\' && (*at)[1] != '\0';
        pv_i_buffer_char(&text, *(*at)++);
    }
    *at += quote != '\0' && **at == quote;
    return taken(&text);
}

/* Of a Distributed table: the name of its cluster and what its rows are called there; of another
 * one: NULL. */
static pv_status look_at_table(const ch_connection *c, const char *database, const char *name,
                               char **cluster, char **rows, pv_error *error)
{
    pv_buffer sql = {0};
    pv_buffer answer = {0};
    pv_i_buffer_text(&sql, "SELECT engine_full FROM system.tables WHERE engine = 'Distributed' AND "
                           "database = ");
    put_literal(&sql, database);
    pv_i_buffer_text(&sql, " AND name = ");
    put_literal(&sql, name);
    pv_i_buffer_text(&sql, " FORMAT TabSeparated");
    pv_status status = sql.failed
                           ? pv_i_no_memory(error)
                           : pv_i_ch_ask(c, "looking at the table", sql.data, &answer, error);
    if (status == PV_STATUS_OK && answer.size > 0) {
        (void)pv_i_ch_plain_field(answer.data);
        const char *at = answer.data + strcspn(answer.data, "(");
        *cluster = next_argument(&at);
        char *const base = next_argument(&at);
        *rows = next_argument(&at);
        status = *cluster == NULL || base == NULL || *rows == NULL ? pv_i_no_memory(error)
                                                                   : PV_STATUS_OK;
        pv_i_free(base);
    }
    pv_i_buffer_deinit(&sql);
    pv_i_buffer_deinit(&answer);
    return status;
}

/* The cluster of where the rows come from, if that is a Distributed table of the same server. It
 * must not be the table that is written, however its place is spelled. */
static pv_status look_at_source(ch_connection *c, const char *source, const char *database,
                                const char *name, char **cluster, pv_error *error)
{
    pv_place place = {0};
    ch_login login = {0};
    char *own_database = NULL, *own_name = NULL, *rows = NULL;
    pv_status status = PV_STATUS_OK;
    if (source == NULL || !pv_i_is_place(source) ||
        pv_i_place_parse(source, &place, NULL) != PV_STATUS_OK) {
        return PV_STATUS_OK;
    }
    if (place.engine == &pv_i_engine_clickhouse && place.table != NULL &&
        pv_i_ch_login_find(&place, &login, NULL) == PV_STATUS_OK &&
        strcmp(login.url, c->login.url) == 0) {
        const char *const base = login.database != NULL ? login.database : c->login.database;
        PV_TRY_CLEAN(locate(c, place.table, &own_database, &own_name, error));
        if (pv_i_table_last(place.table) == place.table && base != NULL) {
            pv_i_free(own_database);
            own_database = pv_i_strdup(base);
        }
        if (own_database == NULL) {
            PV_TRY_CLEAN(pv_i_no_memory(error));
        }
        if (strcmp(own_database, database) == 0 && strcmp(own_name, name) == 0) {
            PV_TRY_CLEAN(pv_i_hint(pv_i_fail_at(error, PV_STATUS_ARGUMENT, c->place->text, 0, 0,
                                                "is the table that the data is read from, and "
                                                "would be replaced"),
                                   error, "choose another name for the release"));
        }
        status = look_at_table(c, own_database, own_name, cluster, &rows, error);
    }
cleanup:
    pv_i_free(own_database);
    pv_i_free(own_name);
    pv_i_free(rows);
    pv_i_ch_login_deinit(&login);
    pv_i_place_deinit(&place);
    return status;
}

/* ------------------------------------------------------------------ its servers */

static pv_status no_servers(const ch_connection *c, const char *name, pv_error *error)
{
    return pv_i_hint(pv_i_fail_at(error, PV_STATUS_INPUT, c->place->text, 0, 0,
                                  "the server knows no cluster `%s`", name),
                     error, "the clusters it knows are in system.clusters");
}

static pv_status add_server(ch_cluster *cluster, pv_buffer *url, pv_error *error)
{
    char *const text = taken(url);
    char **const more =
        text != NULL ? pv_i_resize(cluster->servers, cluster->n_servers + 1, sizeof *more) : NULL;
    if (more == NULL) {
        pv_i_free(text);
        return pv_i_no_memory(error);
    }
    cluster->servers = more;
    cluster->servers[cluster->n_servers++] = text;
    return PV_STATUS_OK;
}

/* http:// or https:// of the place's server, and its port. */
static void put_scheme(pv_buffer *url, const ch_connection *c)
{
    pv_i_buffer_bytes(url, c->login.url, (size_t)(strstr(c->login.url, "://") + 3 - c->login.url));
}

static const char *port_of(const ch_connection *c)
{
    return strrchr(c->login.url, ':') + 1;
}

static bool is_server(const char *text, size_t size)
{
    static const char allowed[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz"
                                  "0123456789.-_:[]";
    for (size_t i = 0; i < size; i++) {
        if (strchr(allowed, text[i]) == NULL) {
            return false;
        }
    }
    return size > 0 && memchr(text, ':', size) != NULL;
}

/* As the place says: HOST:PORT,HOST:PORT,... */
static pv_status take_said(const ch_connection *c, ch_cluster *cluster, pv_error *error)
{
    const char *at = c->login.shards;
    for (;;) {
        const size_t size = strcspn(at, ",");
        pv_buffer url = {0};
        if (!is_server(at, size)) {
            return pv_i_hint(pv_i_fail_at(error, PV_STATUS_INPUT, c->place->text, 0, 0,
                                          "`shards` does not say where servers are"),
                             error, "write shards=HOST:PORT,HOST:PORT in the order of the shards");
        }
        put_scheme(&url, c);
        pv_i_buffer_bytes(&url, at, size);
        pv_i_buffer_char(&url, '/');
        PV_TRY(add_server(cluster, &url, error));
        at += size;
        if (*at++ == '\0') {
            return PV_STATUS_OK;
        }
    }
}

/* The host of a line of system.clusters, with the port of the place. */
static pv_status take_found(const ch_connection *c, ch_cluster *cluster, const char *host,
                            bool is_local, pv_error *error)
{
    pv_buffer url = {0};
    if (is_local) {
        pv_i_buffer_text(&url, c->login.url);
    } else {
        const bool is_bare = strchr(host, ':') != NULL && *host != '[';
        put_scheme(&url, c);
        pv_i_buffer_format(&url, "%s%s%s:%s", is_bare ? "[" : "", host, is_bare ? "]" : "",
                           port_of(c));
    }
    return add_server(cluster, &url, error);
}

static pv_status check_servers(const ch_connection *c, const ch_cluster *cluster, size_t n_shards,
                               size_t n_replicas, pv_error *error)
{
    static const char hint[] =
        "add shards=HOST:PORT,HOST:PORT,... to the place: where each server speaks HTTP, in the "
        "order of the shards";
    if (n_replicas > n_shards) {
        return pv_i_hint(
            pv_i_fail_at(error, PV_STATUS_UNSUPPORTED, c->place->text, 0, 0,
                         "the cluster `%s` has several replicas of its shards, to "
                         "which releases cannot be written",
                         cluster->name),
            error, "release into a file or into a table of one server, and copy it from there");
    }
    if (cluster->n_servers != n_shards) {
        return pv_i_hint(pv_i_fail_at(error, PV_STATUS_INPUT, c->place->text, 0, 0,
                                      "`shards` names %zu servers, but the cluster `%s` has %zu",
                                      cluster->n_servers, cluster->name, n_shards),
                         error, hint);
    }
    for (size_t i = 0; i < n_shards; i++) {
        for (size_t j = 0; j < i; j++) {
            if (strcmp(cluster->servers[i], cluster->servers[j]) == 0) {
                return pv_i_hint(pv_i_fail_at(error, PV_STATUS_INPUT, c->place->text, 0, 0,
                                              "two shards of the cluster `%s` would have the same "
                                              "address, because only their other ports are known",
                                              cluster->name),
                                 error, hint);
            }
        }
    }
    return PV_STATUS_OK;
}

/* Goes through the lines "shard, host, is local". */
static pv_status take_lines(const ch_connection *c, ch_cluster *cluster, char *answer,
                            pv_error *error)
{
    char *shard_before = NULL;
    size_t n_shards = 0, n_replicas = 0;
    if (c->login.shards != NULL) {
        PV_TRY(take_said(c, cluster, error));
    }
    for (char *line = strsep(&answer, "\n"); line != NULL && *line != '\0';
         line = strsep(&answer, "\n")) {
        char *const shard = strsep(&line, "\t");
        char *const host = line != NULL ? strsep(&line, "\t") : shard;
        const bool is_local = line != NULL && *line == '1';
        const bool is_new = shard_before == NULL || strcmp(shard, shard_before) != 0;
        (void)pv_i_ch_plain_field(host);
        if (is_new && c->login.shards == NULL) {
            PV_TRY(take_found(c, cluster, host, is_local, error));
        }
        n_shards += is_new;
        n_replicas++;
        shard_before = shard;
    }
    return n_shards == 0 ? no_servers(c, cluster->name, error)
                         : check_servers(c, cluster, n_shards, n_replicas, error);
}

static pv_status find_servers(const ch_connection *c, ch_cluster *cluster, pv_error *error)
{
    pv_buffer sql = {0};
    pv_buffer answer = {0};
    pv_i_buffer_text(&sql, "SELECT shard_num, host_name, is_local FROM system.clusters WHERE "
                           "cluster = ");
    put_literal(&sql, cluster->name);
    pv_i_buffer_text(&sql, " ORDER BY shard_num, replica_num FORMAT TabSeparated");
    pv_status status = sql.failed
                           ? pv_i_no_memory(error)
                           : pv_i_ch_ask(c, "looking at the cluster", sql.data, &answer, error);
    if (status == PV_STATUS_OK) {
        status = take_lines(c, cluster, answer.data, error);
    }
    pv_i_buffer_deinit(&sql);
    pv_i_buffer_deinit(&answer);
    return status;
}

pv_status pv_i_ch_spread(void *connection, const pv_place *place, const char *source,
                         bool *is_spread, pv_error *error)
{
    ch_connection *const c = connection;
    ch_cluster found = {0};
    char *name = NULL, *of_source = NULL;
    pv_status status = PV_STATUS_OK;
    PV_TRY_CLEAN(locate(c, place->table, &found.database, &name, error));
    PV_TRY_CLEAN(look_at_source(c, source, found.database, name, &of_source, error));
    PV_TRY_CLEAN(look_at_table(c, found.database, name, &found.name, &found.rows, error));
    if (c->login.cluster != NULL || found.name == NULL) {
        const char *const wanted = c->login.cluster != NULL ? c->login.cluster : of_source;
        pv_i_free(found.name);
        found.name = wanted != NULL ? pv_i_strdup(wanted) : NULL;
        if (wanted != NULL && found.name == NULL) {
            PV_TRY_CLEAN(pv_i_no_memory(error));
        }
    }
    *is_spread = found.name != NULL;
    if (found.name != NULL) {
        PV_TRY_CLEAN(find_servers(c, &found, error));
        c->cluster = found;
        found = (ch_cluster){0};
    }
cleanup:
    pv_i_ch_cluster_deinit(&found);
    pv_i_free(name);
    pv_i_free(of_source);
    return status;
}

/* -------------------------------------------------------------- reading and naming */

/* Appends cluster(`all`, `base`, `rows`): the last part of a quoted name counts. */
static void put_cluster(pv_buffer *sql, const ch_cluster *cluster, const char *table)
{
    const char *last = table;
    for (const char *at = table; *at != '\0'; at++) { /* the quotes of a name come in pairs */
        if (*at == '`') {
            const char *const begin = at;
            while (*++at != '\0' && (*at != '`' || at[1] == '`')) {
                at += *at == '`' || *at == '\\';
            }
            last = begin;
        }
    }
    pv_i_buffer_text(sql, "cluster(");
    put_name(sql, cluster->name);
    pv_i_buffer_text(sql, ", ");
    put_name(sql, cluster->database);
    pv_i_buffer_format(sql, ", %s)", last);
}

pv_status pv_i_ch_parts(void *connection, const char *table, char ***names, size_t *n,
                        pv_error *error)
{
    const ch_connection *const c = connection;
    pv_buffer text = {0};
    *n = 0;
    *names = NULL;
    if (c->cluster.name == NULL) {
        return PV_STATUS_OK;
    }
    put_cluster(&text, &c->cluster, table);
    char *const name = taken(&text);
    *names = PV_NEW_ARRAY(char *, 1);
    if (name == NULL || *names == NULL) {
        pv_i_free(name);
        pv_i_free(*names);
        return pv_i_no_memory(error);
    }
    (*names)[0] = name;
    *n = 1;
    return PV_STATUS_OK;
}

/* A quoted name with something behind it: `base`.`released` -> `base`.`released~1`. */
static void put_with(pv_buffer *sql, const char *quoted, const char *ending)
{
    pv_i_buffer_bytes(sql, quoted, strlen(quoted) - 1);
    pv_i_buffer_format(sql, "%s`", ending);
}

static pv_status run(const ch_connection *c, bool everywhere, pv_buffer *sql, pv_error *error)
{
    const pv_status status =
        sql->failed ? pv_i_no_memory(error) : pv_i_ch_run(c, everywhere, sql->data, error);
    pv_i_buffer_clear(sql);
    return status;
}

static pv_status drop(const ch_connection *c, bool everywhere, const char *quoted,
                      const char *ending, pv_buffer *sql, pv_error *error)
{
    pv_i_buffer_text(sql, "DROP TABLE IF EXISTS ");
    put_with(sql, quoted, ending);
    return run(c, everywhere, sql, error);
}

/* CREATE TABLE hidden~all (...) ENGINE = Distributed('all', 'base', 'released~1', rand()) */
static pv_status create_whole(const ch_connection *c, const char *hidden, const char *rows,
                              const char *rows_name, pv_buffer *sql, pv_error *error)
{
    pv_engine_columns columns = {0};
    pv_i_buffer_text(sql, "SELECT * FROM ");
    put_cluster(sql, &c->cluster, rows);
    pv_i_buffer_text(sql, " s");
    PV_TRY(sql->failed ? pv_i_no_memory(error) : pv_i_ch_describe(c, sql->data, &columns, error));
    pv_i_buffer_clear(sql);
    pv_i_buffer_text(sql, "CREATE TABLE ");
    put_with(sql, hidden, "~all");
    for (size_t i = 0; i < columns.n; i++) {
        pv_i_buffer_text(sql, i > 0 ? ", " : " (");
        put_name(sql, columns.columns[i].name);
        pv_i_buffer_format(sql, " %s", columns.columns[i].type);
    }
    pv_i_buffer_text(sql, ") ENGINE = Distributed(");
    put_literal(sql, c->cluster.name);
    pv_i_buffer_text(sql, ", ");
    put_literal(sql, c->cluster.database);
    pv_i_buffer_text(sql, ", ");
    put_literal(sql, rows_name);
    pv_i_buffer_text(sql, ", rand())");
    pv_i_engine_columns_deinit(&columns);
    return run(c, false, sql, error);
}

/* The only step that makes anything appear: one statement to one server. What was there before has
 * a hidden name then, and is dropped. */
static pv_status swap(const ch_connection *c, const char *hidden, const char *ending,
                      const char *table, bool replaces, pv_buffer *sql, pv_error *error)
{
    PV_TRY(drop(c, false, hidden, "~old", sql, error));
    pv_i_buffer_text(sql, "RENAME TABLE ");
    if (replaces) {
        pv_i_buffer_format(sql, "%s TO ", table);
        put_with(sql, hidden, "~old");
        pv_i_buffer_text(sql, ", ");
    }
    put_with(sql, hidden, ending);
    pv_i_buffer_format(sql, " TO %s", table);
    PV_TRY(run(c, false, sql, error));
    return replaces ? drop(c, false, hidden, "~old", sql, error) : PV_STATUS_OK;
}

/* The plain name that the last part of a quoted one has, with something behind it. */
static char *plain_with(const char *quoted, const char *ending)
{
    pv_buffer plain = {0};
    const char *at = quoted;
    for (const char *part = quoted; *part != '\0'; part++) {
        if (*part == '`') {
            at = part;
            pv_i_buffer_clear(&plain);
            for (at++; *at != '\0' && (*at != '`' || at[1] == '`'); at++) {
                at += *at == '`' || *at == '\\';
                pv_i_buffer_char(&plain, *at);
            }
            part = at;
        }
    }
    pv_i_buffer_text(&plain, ending);
    return taken(&plain);
}

static pv_status name_spread(const ch_connection *c, const char *hidden, const char *table,
                             bool replaces, pv_buffer *sql, pv_error *error)
{
    char *const first = plain_with(table, first_rows);
    char *const other = plain_with(table, other_rows);
    pv_buffer rows = {0};
    pv_status status = PV_STATUS_OK;
    if (first == NULL || other == NULL) {
        PV_TRY_CLEAN(pv_i_no_memory(error));
    }
    const bool is_first = c->cluster.rows == NULL || strcmp(c->cluster.rows, first) != 0;
    const bool is_ours =
        !is_first || (c->cluster.rows != NULL && strcmp(c->cluster.rows, other) == 0);
    const char *const ending = is_first ? first_rows : other_rows;
    put_with(&rows, table, ending);
    if (rows.failed) {
        PV_TRY_CLEAN(pv_i_no_memory(error));
    }
    PV_TRY_CLEAN(drop(c, true, table, ending, sql, error));
    pv_i_buffer_format(sql, "RENAME TABLE %s TO %s", hidden, rows.data);
    PV_TRY_CLEAN(run(c, true, sql, error));
    PV_TRY_CLEAN(drop(c, false, hidden, "~all", sql, error));
    PV_TRY_CLEAN(create_whole(c, hidden, rows.data, is_first ? first : other, sql, error));
    PV_TRY_CLEAN(swap(c, hidden, "~all", table, replaces, sql, error));
    if (replaces && is_ours) {
        status = drop(c, true, table, is_first ? other_rows : first_rows, sql, error);
    }
cleanup:
    pv_i_free(first);
    pv_i_free(other);
    pv_i_buffer_deinit(&rows);
    return status;
}

pv_status pv_i_ch_give_name(void *connection, const char *hidden, const char *table, bool replaces,
                            pv_error *error)
{
    const ch_connection *const c = connection;
    pv_buffer sql = {0};
    const pv_status status = c->cluster.name != NULL
                                 ? name_spread(c, hidden, table, replaces, &sql, error)
                                 : swap(c, hidden, "", table, replaces, &sql, error);
    pv_i_buffer_deinit(&sql);
    return status;
}

#endif
