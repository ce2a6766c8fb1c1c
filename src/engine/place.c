#include "engine/place.h"

#include "base/error.h"
#include "base/file.h"
#include "base/memory.h"
#include "engine/engine.h"
#include "engine/sql.h"

#include <fnmatch.h>
#include <limits.h>
#include <paravent/table.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/stat.h>

/* ------------------------------------------------------------ what is a place */

/* Known whether or not this build has the engine: it is said then what is missing. */
static const struct {
    const char *scheme, *engine;
    const char *package; /* without which it is not built */
    bool is_url;         /* "//" and perhaps a password follow */
} schemes[] = {
    {"postgresql", "postgresql", "libpq-dev", true},
    {"postgres", "postgresql", "libpq-dev", true},
    {"clickhouse", "clickhouse", "libcurl4-openssl-dev", true},
    {"clickhouses", "clickhouse", "libcurl4-openssl-dev", true},
    {"duckdb", "duckdb", "dlopen", false},
    {"odbc", "odbc", "unixodbc-dev", false},
};

#define N_SCHEMES (sizeof schemes / sizeof *schemes)

/* Which scheme a text begins with, or N_SCHEMES. A URL needs its slashes: `postgres:x` may be a
 * file.
 */
static size_t scheme_of(const char *text)
{
    for (size_t i = 0; i < N_SCHEMES; i++) {
        const size_t n = strlen(schemes[i].scheme);
        if (strncmp(text, schemes[i].scheme, n) == 0 && text[n] == ':' &&
            (!schemes[i].is_url || strncmp(text + n, "://", 3) == 0)) {
            return i;
        }
    }
    return N_SCHEMES;
}

static bool has_ending(const char *text, const char *const *endings)
{
    const size_t n = strlen(text);
    for (; *endings != NULL; endings++) {
        const size_t m = strlen(*endings);
        if (n > m && strcasecmp(text + n - m, *endings) == 0) {
            return true;
        }
    }
    return false;
}

static bool is_read_by_duckdb(const char *path)
{
    static const char *const endings[] = {".parquet", ".pq", ".json", ".jsonl", ".ndjson", NULL};
    return has_ending(path, endings);
}

/* After `duckdb:`: a file that is a table by itself, a pattern or a folder of such; else it is a
 * database. */
static bool is_table_file(const char *path)
{
    static const char *const endings[] = {".csv",     ".tsv",     ".csv.gz",   ".tsv.gz",
                                          ".csv.zst", ".json.gz", ".jsonl.gz", NULL};
    static const char *const folders[] = {"/", NULL};
    return is_read_by_duckdb(path) || has_ending(path, endings) || has_ending(path, folders);
}

bool pv_i_is_place(const char *text)
{
    return scheme_of(text) < N_SCHEMES || is_read_by_duckdb(text);
}

bool pv_i_place_is_file(const char *text)
{
    return scheme_of(text) == N_SCHEMES && is_read_by_duckdb(text);
}

bool pv_place_is_file(const char *text)
{
    return pv_i_place_is_file(text);
}

bool pv_is_place(const char *text)
{
    return pv_i_is_place(text);
}

/* ------------------------------------------------------------------ its parts */

static const pv_engine *engine_named(const char *name)
{
    for (const pv_engine *const *engine = pv_i_engines; *engine != NULL; engine++) {
        if (strcmp((*engine)->name, name) == 0) {
            return *engine;
        }
    }
    return NULL;
}

static pv_status find_engine(const char *name, const char *package, pv_place *place,
                             pv_error *error)
{
    place->engine = engine_named(name);
    return place->engine != NULL ? PV_STATUS_OK
                                 : pv_i_hint(pv_i_fail(error, PV_STATUS_UNSUPPORTED,
                                                       "this build cannot use tables in %s", name),
                                             error, "build it where %s is installed", package);
}

static int hex_digit(char c)
{
    return c >= '0' && c <= '9'   ? c - '0'
           : c >= 'a' && c <= 'f' ? c - 'a' + 10
           : c >= 'A' && c <= 'F' ? c - 'A' + 10
                                  : -1;
}

char *pv_i_place_decoded(const char *text, size_t size)
{
    char *const to = pv_i_malloc(size + 1);
    size_t n = 0;
    for (size_t i = 0; to != NULL && i < size; i++) {
        const int high = text[i] == '%' && i + 2 < size ? hex_digit(text[i + 1]) : -1;
        const int low = high >= 0 ? hex_digit(text[i + 2]) : -1;
        const bool is_code = low >= 0 && (high > 0 || low > 0);
        const int code = 16 * high + low;
        to[n++] = is_code ? (char)code : text[i];
        i += is_code ? 2 : 0;
    }
    if (to != NULL) {
        to[n] = '\0';
    }
    return to;
}

/* Takes `table` and `query` out of the parameters after `question`; the others go on with `where`.
 */
static pv_status take_parameters(const char *question, pv_buffer *where, pv_place *place,
                                 pv_error *error)
{
    const char *at = question;
    char joint = '?';
    while (*at != '\0') {
        const char *const part = at + 1;
        const size_t size = strcspn(part, "&");
        char **const field = strncmp(part, "table=", 6) == 0   ? &place->table
                             : strncmp(part, "query=", 6) == 0 ? &place->query
                                                               : NULL;
        at = part + size;
        if (field == NULL) {
            pv_i_buffer_char(where, joint);
            pv_i_buffer_bytes(where, part, size);
            joint = '&';
            continue;
        }
        if (*field != NULL) {
            return pv_i_fail(error, PV_STATUS_INPUT, "`%.5s` stands twice in the place of a table",
                             part);
        }
        *field = pv_i_place_decoded(part + 6, size - 6);
        if (*field == NULL) {
            return pv_i_no_memory(error);
        }
        if (**field == '\0') {
            return pv_i_fail(error, PV_STATUS_INPUT, "`%.6s` is empty in the place of a table",
                             part);
        }
    }
    return PV_STATUS_OK;
}

/* Of URLs: scheme://user:PASSWORD@host. Of ODBC: PWD=PASSWORD. Of parameters: password=. */
static bool has_password(const char *text, bool is_url)
{
    const char *const slashes = is_url ? strstr(text, "://") : NULL;
    if (slashes != NULL) {
        const size_t host = strcspn(slashes + 3, "/?");
        const char *const at = memchr(slashes + 3, '@', host);
        if (at != NULL && memchr(slashes + 3, ':', (size_t)(at - slashes - 3)) != NULL) {
            return true;
        }
    }
    static const char *const words[] = {"password", "pwd", "sslpassword"};
    for (const char *at = text; *at != '\0'; at++) {
        const bool begins = at == text || strchr("?&;:", at[-1]) != NULL;
        const char *const word = at + (begins ? strspn(at, " \t") : 0); /* some drivers skip them */
        for (size_t i = 0; begins && i < sizeof words / sizeof *words; i++) {
            const size_t n = strlen(words[i]);
            if (strncasecmp(word, words[i], n) == 0 && word[n + strspn(word + n, " \t")] == '=') {
                return true;
            }
        }
    }
    return false;
}

static pv_status parse(const char *text, pv_place *place, pv_buffer *where, pv_error *error)
{
    const size_t scheme = scheme_of(text);
    place->text = pv_i_strdup(text);
    if (place->text == NULL) {
        return pv_i_no_memory(error);
    }
    if (scheme == N_SCHEMES) { /* a file that DuckDB reads */
        place->file = pv_i_strdup(text);
        return place->file != NULL ? find_engine("duckdb", "dlopen", place, error)
                                   : pv_i_no_memory(error);
    }
    const bool is_url = schemes[scheme].is_url;
    const char *const question = text + strcspn(text, "?");
    const char *const begin = is_url ? text : strchr(text, ':') + 1;
    if (has_password(text, is_url)) {
        pv_i_free(place->text); /* not to be shown */
        place->text = NULL;
        return pv_i_hint(pv_i_fail(error, PV_STATUS_INPUT,
                                   "the place of the table has a password in it, which would be "
                                   "kept and shown"),
                         error,
                         "take it out, and leave it where the database's own tools look: "
                         "~/.pgpass, a service file, clickhouse-client's configuration, odbc.ini");
    }
    PV_TRY(find_engine(schemes[scheme].engine, schemes[scheme].package, place, error));
    pv_i_buffer_bytes(where, begin, (size_t)(question - begin));
    PV_TRY(take_parameters(question, where, place, error));
    if (place->table != NULL && place->query != NULL) {
        return pv_i_fail(error, PV_STATUS_INPUT, "the place has both a table and a query");
    }
    if (strcmp(schemes[scheme].engine, "duckdb") == 0 && place->table == NULL &&
        place->query == NULL && where->data != NULL && is_table_file(where->data)) {
        place->file = pv_i_strdup(where->data);
        pv_i_buffer_clear(where);
        return place->file != NULL ? PV_STATUS_OK : pv_i_no_memory(error);
    }
    return PV_STATUS_OK;
}

pv_status pv_i_place_parse(const char *text, pv_place *place, pv_error *error)
{
    pv_place made = {0};
    pv_buffer where = {0};
    pv_status status = parse(text, &made, &where, error);
    if (status == PV_STATUS_OK) {
        made.where = pv_i_strdup(where.data != NULL ? where.data : "");
        status = where.failed || made.where == NULL ? pv_i_no_memory(error) : PV_STATUS_OK;
    }
    pv_i_buffer_deinit(&where);
    if (status == PV_STATUS_OK) {
        *place = made;
    } else {
        pv_i_place_deinit(&made);
    }
    return status;
}

void pv_i_place_deinit(pv_place *place)
{
    pv_i_free(place->text);
    pv_i_free(place->where);
    pv_i_free(place->table);
    pv_i_free(place->query);
    pv_i_free(place->file);
    *place = (pv_place){0};
}

void pv_i_place_from(const pv_place *place, const pv_sql *dialect, pv_buffer *sql)
{
    if (place->query != NULL) {
        pv_i_buffer_format(sql, "(%s)", place->query);
    } else if (place->file != NULL) {
        pv_i_sql_name(sql, dialect, place->file);
    } else if (place->table != NULL) {
        pv_i_sql_table(sql, dialect, place->table);
    }
}

/* ------------------------------------------------------------ files of a place */

/* Where the path of a file begins in the text of a place; its end if there is none. */
static const char *path_in(const char *text)
{
    const size_t scheme = scheme_of(text);
    const bool is_duckdb = scheme < N_SCHEMES && strcmp(schemes[scheme].engine, "duckdb") == 0;
    return scheme == N_SCHEMES ? text
           : is_duckdb         ? text + strlen(schemes[scheme].scheme) + 1
                               : text + strlen(text);
}

char *pv_i_place_beside(const char *beside, const char *text)
{
    const char *const path = path_in(text);
    if (*path == '\0' || *path == '?') { /* no file, or a database in memory */
        return pv_i_strdup(text);
    }
    char *const resolved = pv_i_path_beside(beside, path);
    pv_buffer made = {.failed = resolved == NULL};
    if (resolved != NULL) {
        pv_i_buffer_bytes(&made, text, (size_t)(path - text));
        pv_i_buffer_text(&made, resolved);
    }
    char *const copy = made.failed ? NULL : pv_i_strdup(made.data);
    pv_i_buffer_deinit(&made);
    pv_i_free(resolved);
    return copy;
}

char *pv_i_place_path(const char *text)
{
    const char *const path = path_in(text);
    return pv_i_strndup(path, path == text ? strlen(path) : strcspn(path, "?"));
}

/* ---------------------------------------------------------------- for papers */

/* Where the last part of a table's name begins: "my.schema".survey, at survey. */
const char *pv_i_table_last(const char *table)
{
    const char *part = table;
    for (const char *at = table; *at != '\0';) {
        if (*at == '"' && at == part) {
            for (at++; *at != '\0' && (*at != '"' || at[1] == '"'); at++) {
                at += *at == '"';
            }
            at += *at == '"';
        } else {
            part = *at == '.' ? at + 1 : part;
            at++;
        }
    }
    return part;
}

/* Without the quotes around it, if there are any, and inner ones once. */
void pv_i_table_plain(pv_buffer *to, const char *part)
{
    if (*part != '"') {
        pv_i_buffer_text(to, part);
        return;
    }
    for (part++; *part != '\0' && (*part != '"' || part[1] == '"'); part++) {
        part += *part == '"';
        pv_i_buffer_char(to, *part);
    }
}

static void put_encoded(pv_buffer *text, const char *value)
{
    for (; *value != '\0'; value++) {
        if (strchr("%&?#+ ", *value) != NULL || (unsigned char)*value < ' ') {
            pv_i_buffer_format(text, "%%%02X", (unsigned)(unsigned char)*value);
        } else {
            pv_i_buffer_char(text, *value);
        }
    }
}

/* A text that was begun: taken, NULL = no memory. */
static char *whole(pv_buffer *text)
{
    char *const copy = text->failed ? NULL : pv_i_strdup(text->data != NULL ? text->data : "");
    pv_i_buffer_deinit(text);
    return copy;
}

char *pv_i_place_name(const char *text)
{
    pv_place place = {0};
    pv_buffer name = {0};
    if (!pv_i_is_place(text) || pv_i_place_parse(text, &place, NULL) != PV_STATUS_OK) {
        return pv_i_strdup(pv_i_base_name(text));
    }
    if (place.table != NULL) {
        pv_i_table_plain(&name, pv_i_table_last(place.table));
    } else if (place.file != NULL) {
        pv_i_buffer_text(&name, pv_i_base_name(place.file));
    } else {
        pv_i_buffer_text(&name, "query");
    }
    pv_i_place_deinit(&place);
    return whole(&name);
}

char *pv_place_name(const char *text)
{
    return pv_i_place_name(text);
}

/* Of a connection string of ODBC only its source is shown. */
static void put_where(pv_buffer *to, const pv_place *place)
{
    const char *where = place->where;
    const char *const slashes = strstr(where, "://");
    if (slashes != NULL) {
        const char *const host = slashes + 3;
        const size_t authority = strcspn(host, "/?");
        const char *const at = memrchr(host, '@', authority);
        pv_i_buffer_bytes(to, where, (size_t)(host - where));
        where = at != NULL ? at + 1 : host;
        pv_i_buffer_bytes(to, where, strcspn(where, "?"));
        return;
    }
    pv_i_buffer_format(to, "%s:", place->engine->name);
    if (strncasecmp(where, "DSN=", 4) == 0) {
        pv_i_buffer_bytes(to, where, strcspn(where, ";"));
    } else if (strchr(where, '=') == NULL) {
        pv_i_buffer_text(to, pv_i_base_name(where));
    }
}

char *pv_i_place_shown(const char *text)
{
    pv_place place = {0};
    pv_buffer shown = {0};
    if (!pv_i_is_place(text) || pv_i_place_parse(text, &place, NULL) != PV_STATUS_OK) {
        return pv_i_strdup(pv_i_base_name(text));
    }
    if (place.file != NULL) {
        pv_i_buffer_text(&shown, pv_i_base_name(place.file));
    } else {
        put_where(&shown, &place);
        pv_i_buffer_text(&shown, place.table != NULL ? "?table=" : "?query");
        put_encoded(&shown, place.table != NULL ? place.table : "");
    }
    pv_i_place_deinit(&place);
    return whole(&shown);
}

/* ---------------------------------------------------------------------- covering */

static bool is_same_folder(const char *a, const char *b)
{
    struct stat left;
    struct stat right;
    return stat(a, &left) == 0 && stat(b, &right) == 0 && left.st_dev == right.st_dev &&
           left.st_ino == right.st_ino;
}

/* Is a file in a folder, however deep? */
static bool is_below(const char *path, const char *folder)
{
    char within[PATH_MAX];
    const size_t n = (size_t)(pv_i_base_name(path) - path);
    char *const name = pv_i_strndup(n > 0 ? path : "./", n > 0 ? n : 2);
    bool found = false;
    if (name != NULL && realpath(name, within) != NULL) {
        for (char *slash = within + strlen(within); slash != NULL && !found;
             slash = strrchr(within, '/')) {
            *slash = '\0';
            found = is_same_folder(*within != '\0' ? within : "/", folder);
        }
    }
    pv_i_free(name);
    return found;
}

bool pv_i_place_covers(const char *text, const char *path)
{
    struct stat there;
    pv_place place = {0};
    bool covers = false;
    if (!pv_i_is_place(text) || pv_i_place_parse(text, &place, NULL) != PV_STATUS_OK) {
        return false;
    }
    const bool is_folder =
        place.file != NULL && stat(place.file, &there) == 0 && S_ISDIR(there.st_mode);
    if (is_folder) {
        covers = fnmatch("*.parquet", pv_i_base_name(path), 0) == 0 && is_below(path, place.file);
    } else if (place.file != NULL && place.file[strcspn(place.file, "*?[")] != '\0') {
        char *const pattern = place.file;
        covers = fnmatch(pv_i_base_name(pattern), pv_i_base_name(path), 0) == 0;
        pattern[strcspn(pattern, "*?[")] = '\0'; /* the folder before the first wildcard */
        char *const slash = strrchr(pattern, '/');
        if (slash != NULL) {
            *slash = '\0';
        }
        covers = covers && is_below(path, slash == NULL ? "." : *pattern != '\0' ? pattern : "/");
    }
    pv_i_place_deinit(&place);
    return covers;
}

/* ------------------------------------------------------------------- in parts */

char *pv_i_place_of_parts(const char *scheme, const char *where, const char *table,
                          const char *query)
{
    size_t i = 0;
    while (i < N_SCHEMES && strcmp(schemes[i].scheme, scheme) != 0) {
        i++;
    }
    pv_buffer text = {0};
    const bool has_name = strchr(where, '=') != NULL;
    const char *const between = i == N_SCHEMES                             ? ""
                                : schemes[i].is_url                        ? "://"
                                : strcmp(scheme, "odbc") == 0 && !has_name ? ":DSN="
                                                                           : ":";
    pv_i_buffer_format(&text, "%s%s%s", scheme, between, where);
    char joint = strchr(where, '?') != NULL ? '&' : '?';
    if (table != NULL) {
        pv_i_buffer_format(&text, "%ctable=", joint);
        put_encoded(&text, table);
        joint = '&';
    }
    if (query != NULL) {
        pv_i_buffer_format(&text, "%cquery=", joint);
        put_encoded(&text, query);
    }
    char *const copy = text.failed ? NULL : pv_i_strdup(text.data);
    pv_i_buffer_deinit(&text);
    return copy;
}

bool pv_i_is_scheme(const char *word)
{
    size_t i = 0;
    while (i < N_SCHEMES && strcmp(schemes[i].scheme, word) != 0) {
        i++;
    }
    return i < N_SCHEMES;
}
