#include "engine/same_table.h"

#include <string.h>
#include <strings.h>
#include <sys/stat.h>

/* What stands between two characters of the text of a URL. */
typedef struct {
    const char *at;
    size_t size;
} stretch;

static bool is_stretch(stretch a, const char *text)
{
    return a.size == strlen(text) && strncasecmp(a.at, text, a.size) == 0;
}

static bool are_alike(stretch a, stretch b)
{
    return a.size == b.size && strncasecmp(a.at, b.at, a.size) == 0;
}

/* Server, port and database of scheme://user@host:port/database?... */
static void take_apart(const char *where, stretch *host, stretch *port, stretch *database)
{
    const char *const slashes = strstr(where, "://");
    const char *at = slashes != NULL ? slashes + 3 : where;
    const char *const end = at + strcspn(at, "/?");
    const char *const user = memrchr(at, '@', (size_t)(end - at));
    at = user != NULL ? user + 1 : at;
    const char *const bracket = memchr(at, ']', (size_t)(end - at));
    const char *const from = bracket != NULL ? bracket : at;
    const char *const colon = memchr(from, ':', (size_t)(end - from));
    const char *const path = *end == '/' ? end + 1 : end;
    *host = (stretch){at, (size_t)((colon != NULL ? colon : end) - at)};
    *port = colon != NULL ? (stretch){colon + 1, (size_t)(end - colon - 1)} : (stretch){"", 0};
    *database = (stretch){path, strcspn(path, "?")};
}

static bool is_this_machine(stretch host)
{
    return host.size == 0 || is_stretch(host, "localhost") || is_stretch(host, "127.0.0.1") ||
           is_stretch(host, "[::1]");
}

static bool is_usual(const char *where, stretch port)
{
    const bool is_clickhouse = strncmp(where, "clickhouse", strlen("clickhouse")) == 0;
    const bool is_secure = strncmp(where, "clickhouses:", strlen("clickhouses:")) == 0;
    return port.size == 0 || is_stretch(port, is_secure ? "8443" : is_clickhouse ? "8123" : "5432");
}

static bool are_one_database(const char *a, const char *b)
{
    stretch hosts[2];
    stretch ports[2];
    stretch databases[2];
    struct stat left;
    struct stat right;
    if (strcmp(a, b) == 0) {
        return true;
    }
    if (strstr(a, "://") == NULL || strstr(b, "://") == NULL) { /* a file, or ODBC's own words */
        return stat(a, &left) == 0 && stat(b, &right) == 0 && left.st_dev == right.st_dev &&
               left.st_ino == right.st_ino;
    }
    take_apart(a, &hosts[0], &ports[0], &databases[0]);
    take_apart(b, &hosts[1], &ports[1], &databases[1]);
    return (are_alike(hosts[0], hosts[1]) ||
            (is_this_machine(hosts[0]) && is_this_machine(hosts[1]))) &&
           (are_alike(ports[0], ports[1]) || (is_usual(a, ports[0]) && is_usual(b, ports[1]))) &&
           (databases[0].size == 0 || databases[1].size == 0 ||
            are_alike(databases[0], databases[1]));
}

/* survey may be public.survey, but other.survey is not. Servers that URLs name tell Survey from it.
 */
static bool are_one_table(const pv_sql *sql, bool by_case, const char *a, const char *b)
{
    const char *const last_a = pv_i_table_last(a);
    const char *const last_b = pv_i_table_last(b);
    const bool both = (last_a == a) == (last_b == b);
    pv_buffer left = {0};
    pv_buffer right = {0};
    pv_i_sql_table(&left, sql, both ? a : last_a);
    pv_i_sql_table(&right, sql, both ? b : last_b);
    const bool same =
        left.failed || right.failed || (by_case ? strcmp : strcasecmp)(left.data, right.data) == 0;
    pv_i_buffer_deinit(&left);
    pv_i_buffer_deinit(&right);
    return same;
}

bool pv_i_is_same_table(const pv_place *place, const pv_sql *sql, const char *text)
{
    pv_place other = {0};
    if (!pv_i_is_place(text) || pv_i_place_parse(text, &other, NULL) != PV_STATUS_OK) {
        return false;
    }
    const bool is_url = strstr(other.where, "://") != NULL;
    const bool same = other.engine == place->engine && other.table != NULL &&
                      are_one_database(other.where, place->where) &&
                      are_one_table(sql, is_url, other.table, place->table);
    pv_i_place_deinit(&other);
    return same;
}
