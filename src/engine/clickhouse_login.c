/* Where a server is, and who we are there.
 *
 * Names and passwords are looked for where clickhouse-client looks. A password of its configuration
 * belongs to the user who is named there beside it: it is not sent for another one. */
#include "engine/clickhouse.h"

#include "base/error.h"
#include "base/file.h"
#include "base/memory.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define CONFIGURATION_LIMIT ((size_t)1 << 20)

/* ---------------------------------------------------------------- the address */

/* Would it end a header and begin another one? */
static bool has_control(const char *text)
{
    for (; text != NULL && *text != '\0'; text++) {
        if ((unsigned char)*text < ' ' || *text == 127) {
            return true;
        }
    }
    return false;
}

static pv_status wrong_address(const pv_place *place, pv_error *error)
{
    return pv_i_hint(
        pv_i_fail_at(error, PV_STATUS_INPUT, place->text, 0, 0, "is no address of a ClickHouse"),
        error, "write clickhouse://USER@HOST:PORT/DATABASE?table=NAME; the port is that of HTTP");
}

/* Host and port as they stand: letters, digits, dots, an address in [brackets]. */
static bool is_authority(const char *text, size_t size)
{
    static const char allowed[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz"
                                  "0123456789.-_:[]";
    for (size_t i = 0; i < size; i++) {
        if (strchr(allowed, text[i]) == NULL) {
            return false;
        }
    }
    return size > 0;
}

static pv_status make_url(const pv_place *place, const char *host, size_t size, bool is_secure,
                          ch_login *login, pv_error *error)
{
    const char *const bracket = memchr(host, ']', size);
    const char *const colon = bracket != NULL
                                  ? memchr(bracket, ':', size - (size_t)(bracket - host))
                                  : memchr(host, ':', size);
    pv_buffer url = {0};
    if (!is_authority(host, size) || colon == host) {
        return wrong_address(place, error);
    }
    const size_t digits = colon != NULL ? strspn(colon + 1, "0123456789") : 0;
    if (colon != NULL && (digits == 0 || colon + 1 + digits != host + size)) {
        return wrong_address(place, error);
    }
    pv_i_buffer_text(&url, is_secure ? "https://" : "http://");
    pv_i_buffer_bytes(&url, host, size);
    pv_i_buffer_text(&url, colon != NULL ? "/" : is_secure ? ":8443/" : ":8123/");
    login->url = url.failed ? NULL : pv_i_strdup(url.data);
    pv_i_buffer_deinit(&url);
    return login->url != NULL ? PV_STATUS_OK : pv_i_no_memory(error);
}

/* cluster=NAME and shards=HOST:PORT,...: what tables on several servers need to be written. */
static pv_status read_parameters(const pv_place *place, const char *at, ch_login *login,
                                 pv_error *error)
{
    while (*at != '\0') {
        const char *const part = at + 1;
        const size_t size = strcspn(part, "&");
        const size_t name = strcspn(part, "=&");
        char **const field = strncmp(part, "cluster=", 8) == 0  ? &login->cluster
                             : strncmp(part, "shards=", 7) == 0 ? &login->shards
                                                                : NULL;
        if (field == NULL || *field != NULL || name + 1 >= size) {
            return wrong_address(place, error);
        }
        *field = pv_i_place_decoded(part + name + 1, size - name - 1);
        if (*field == NULL) {
            return pv_i_no_memory(error);
        }
        at = part + size;
    }
    return PV_STATUS_OK;
}

/* scheme://user@host:port/database?parameters */
static pv_status read_address(const pv_place *place, ch_login *login, char **host, pv_error *error)
{
    const char *const slashes = strstr(place->where, "://");
    const char *const begin = slashes != NULL ? slashes + 3 : place->where;
    const size_t authority = strcspn(begin, "/?");
    const char *const at = memrchr(begin, '@', authority);
    const char *const name = at != NULL ? at + 1 : begin;
    const char *const path = begin + authority;
    const char *const database = *path == '/' ? path + 1 : path;
    const size_t database_size = strcspn(database, "?");
    if (slashes == NULL || memchr(database, '/', database_size) != NULL) {
        return wrong_address(place, error);
    }
    PV_TRY(make_url(place, name, (size_t)(path - name),
                    strncmp(place->where, "clickhouses:", strlen("clickhouses:")) == 0, login,
                    error));
    PV_TRY(read_parameters(place, database + database_size, login, error));
    *host = pv_i_strndup(name, strcspn(name, ":/?"));
    if (at != NULL) {
        login->user = pv_i_place_decoded(begin, (size_t)(at - begin));
    }
    if (database_size > 0) {
        login->database = pv_i_place_decoded(database, database_size);
    }
    return *host != NULL && (at == NULL || login->user != NULL) &&
                   (database_size == 0 || login->database != NULL)
               ? PV_STATUS_OK
               : pv_i_no_memory(error);
}

/* -------------------------------------------------------------- configuration
 *
 *     <config>  any name
 *         <user>, <password>, <database>, <openSSL><client><caConfig>
 *         <connections_credentials><connection> <name> <hostname> <user> <password> <database>
 */

enum { USER, PASSWORD, DATABASE, CERTIFICATES, NAME, HOSTNAME, N_FIELDS };

static const struct {
    const char *path;
    int field;
    bool is_connection;
} elements[] = {
    {"/user", USER, false},
    {"/password", PASSWORD, false},
    {"/database", DATABASE, false},
    {"/openSSL/client/caConfig", CERTIFICATES, false},
    {"/connections_credentials/connection/user", USER, true},
    {"/connections_credentials/connection/password", PASSWORD, true},
    {"/connections_credentials/connection/database", DATABASE, true},
    {"/connections_credentials/connection/name", NAME, true},
    {"/connections_credentials/connection/hostname", HOSTNAME, true},
};

static void forget(char **text)
{
    if (*text != NULL) {
        explicit_bzero(*text, strlen(*text));
    }
    pv_i_free(*text);
    *text = NULL;
}

typedef struct {
    const char *host;
    char *fields[2][N_FIELDS]; /* of the file; of the connection being read */
    char *chosen[N_FIELDS];    /* of the connection to our host */
    pv_buffer path, text;
    bool failed;
} configuration;

/* &lt; &#65; and their like; what is unknown stays. */
static size_t put_entity(pv_buffer *to, const char *at)
{
    static const struct {
        const char *name;
        char c;
    } entities[] = {
        {"&lt;", '<'}, {"&gt;", '>'}, {"&amp;", '&'}, {"&quot;", '"'}, {"&apos;", '\''}};
    for (size_t i = 0; i < sizeof entities / sizeof *entities; i++) {
        if (strncmp(at, entities[i].name, strlen(entities[i].name)) == 0) {
            pv_i_buffer_char(to, entities[i].c);
            return strlen(entities[i].name);
        }
    }
    char *end = NULL;
    const bool is_hex = at[1] == '#' && at[2] == 'x';
    const unsigned long code =
        at[1] == '#' ? strtoul(at + (is_hex ? 3 : 2), &end, is_hex ? 16 : 10) : 0;
    if (code > 0 && code < 128 && *end == ';') {
        pv_i_buffer_char(to, (char)code);
        return (size_t)(end + 1 - at);
    }
    pv_i_buffer_char(to, '&');
    return 1;
}

/* Without blanks around it, as clickhouse-client reads it. */
static char *trimmed(const pv_buffer *text)
{
    const char *from = text->data != NULL ? text->data : "";
    size_t size = text->size;
    while (size > 0 && strchr(" \t\r\n", *from) != NULL) {
        from++;
        size--;
    }
    while (size > 0 && strchr(" \t\r\n", from[size - 1]) != NULL) {
        size--;
    }
    return pv_i_strndup(from, size);
}

static bool is_host(const char *name, const char *host)
{
    return name != NULL && strcmp(name, host) == 0;
}

/* An element ends. */
static void take_element(configuration *c)
{
    const char *const path = c->path.data != NULL ? c->path.data : "";
    for (size_t i = 0; i < sizeof elements / sizeof *elements; i++) {
        if (strcmp(elements[i].path, path) == 0) {
            char **const field = &c->fields[elements[i].is_connection][elements[i].field];
            forget(field);
            *field = trimmed(&c->text);
            c->failed = c->failed || *field == NULL || c->text.failed;
        }
    }
    if (strcmp(path, "/connections_credentials/connection") == 0) {
        char **const own = c->fields[1];
        const bool is_ours = is_host(own[NAME], c->host) || is_host(own[HOSTNAME], c->host);
        for (size_t i = 0; i < N_FIELDS; i++) {
            if (is_ours && own[i] != NULL) {
                forget(&c->chosen[i]);
                c->chosen[i] = own[i];
                own[i] = NULL;
            }
            forget(&own[i]);
        }
    }
}

/* "<name attribute='x'>", "</name>", "<name/>", "<!-- -->", "<?xml ?>": returns what follows. The
 * path of the outermost element is "". */
static const char *read_tag(configuration *c, const char *at, size_t *depth)
{
    if (strncmp(at, "<!--", 4) == 0) {
        const char *const end = strstr(at, "-->");
        return end != NULL ? end + 3 : at + strlen(at);
    }
    const size_t size = strcspn(at, ">");
    const char *const next = at + size + (at[size] == '>');
    if (at[1] == '?' || at[1] == '!') {
        return next;
    }
    if (at[1] == '/') {
        take_element(c);
        const char *const slash = c->path.data != NULL ? strrchr(c->path.data, '/') : NULL;
        if (slash != NULL) {
            c->path.size = (size_t)(slash - c->path.data);
            c->path.data[c->path.size] = '\0';
        }
        *depth -= *depth > 0;
        pv_i_buffer_clear(&c->text);
        return next;
    }
    if (at[size - 1] != '/') {
        if (*depth > 0) {
            pv_i_buffer_char(&c->path, '/');
            pv_i_buffer_bytes(&c->path, at + 1, strcspn(at + 1, " \t\r\n>/"));
        }
        ++*depth;
    }
    pv_i_buffer_clear(&c->text);
    return next;
}

static void configuration_deinit(configuration *c)
{
    for (size_t i = 0; i < N_FIELDS; i++) {
        forget(&c->fields[0][i]);
        forget(&c->fields[1][i]);
        forget(&c->chosen[i]);
    }
    if (c->text.data != NULL) {
        explicit_bzero(c->text.data, c->text.capacity);
    }
    pv_i_buffer_deinit(&c->path);
    pv_i_buffer_deinit(&c->text);
}

/* What the configuration says for our host: the connection first, the file's own words then. */
static char **said(configuration *c, int field)
{
    return c->chosen[field] != NULL ? &c->chosen[field] : &c->fields[0][field];
}

static void take_field(configuration *c, int field, char **to)
{
    char **const from = said(c, field);
    if (*to == NULL && *from != NULL && **from != '\0') {
        *to = *from;
        *from = NULL;
    }
}

bool pv_i_ch_login_configure(ch_login *login, const char *text, const char *host)
{
    configuration c = {.host = host};
    size_t depth = 0;
    while (*text != '\0') {
        if (*text == '<') {
            text = read_tag(&c, text, &depth);
        } else if (*text == '&') {
            text += put_entity(&c.text, text);
        } else {
            pv_i_buffer_char(&c.text, *text++);
        }
    }
    const char *const user = *said(&c, USER);
    const bool is_its_user =
        login->user == NULL || strcmp(login->user, user != NULL ? user : "default") == 0;
    c.failed = c.failed || c.text.failed || c.path.failed;
    take_field(&c, USER, &login->user);
    if (is_its_user) {
        take_field(&c, PASSWORD, &login->password);
    }
    take_field(&c, DATABASE, &login->database);
    take_field(&c, CERTIFICATES, &login->certificates);
    const bool is_read = !c.failed;
    configuration_deinit(&c);
    return is_read;
}

/* The first of the places where clickhouse-client looks. */
static pv_status read_configuration(ch_login *login, const char *host, pv_error *error)
{
    const char *const home = getenv("HOME");
    const char *const tails[] = {"/.clickhouse-client/config.xml",
                                 "/.config/clickhouse/config.xml"};
    const char *const paths[] = {"clickhouse-client.xml", NULL, NULL,
                                 "/etc/clickhouse-client/config.xml"};
    for (size_t i = 0; i < sizeof paths / sizeof *paths; i++) {
        pv_buffer path = {0};
        char *text = NULL;
        size_t size = 0;
        if (paths[i] == NULL && home == NULL) {
            continue;
        }
        pv_i_buffer_text(&path, paths[i] != NULL ? paths[i] : home);
        pv_i_buffer_text(&path, paths[i] == NULL ? tails[i - 1] : "");
        pv_status status = path.failed ? pv_i_no_memory(error) : PV_STATUS_OK;
        const bool is_there = status == PV_STATUS_OK && access(path.data, F_OK) == 0;
        if (is_there) {
            status = pv_i_file_read(path.data, CONFIGURATION_LIMIT, &text, &size, error);
        }
        pv_i_buffer_deinit(&path);
        if (status == PV_STATUS_OK && text != NULL) {
            status =
                pv_i_ch_login_configure(login, text, host) ? PV_STATUS_OK : pv_i_no_memory(error);
            explicit_bzero(text, size);
        }
        pv_i_free(text);
        if (status != PV_STATUS_OK || is_there) {
            return status;
        }
    }
    return PV_STATUS_OK;
}

static bool take_environment(const char *name, char **field)
{
    const char *const value = getenv(name);
    if (*field == NULL && value != NULL && *value != '\0') {
        *field = pv_i_strdup(value);
        return *field != NULL;
    }
    return true;
}

static pv_status find(const pv_place *place, ch_login *login, char **host, pv_error *error)
{
    PV_TRY(read_address(place, login, host, error));
    if (!take_environment("CLICKHOUSE_USER", &login->user) ||
        !take_environment("CLICKHOUSE_PASSWORD", &login->password)) {
        return pv_i_no_memory(error);
    }
    PV_TRY(read_configuration(login, *host, error));
    login->user = login->user != NULL ? login->user : pv_i_strdup("default");
    login->password = login->password != NULL ? login->password : pv_i_strdup("");
    if (login->user == NULL || login->password == NULL) {
        return pv_i_no_memory(error);
    }
    return has_control(login->user) || has_control(login->password)
               ? pv_i_hint(pv_i_fail_at(error, PV_STATUS_INPUT, place->text, 0, 0,
                                        "the user's name or password has a control character, "
                                        "which HTTP cannot carry"),
                           error, "look for a line end where the password is")
               : PV_STATUS_OK;
}

pv_status pv_i_ch_login_find(const pv_place *place, ch_login *login, pv_error *error)
{
    ch_login made = {0};
    char *host = NULL;
    const pv_status status = find(place, &made, &host, error);
    pv_i_free(host);
    if (status == PV_STATUS_OK) {
        *login = made;
    } else {
        pv_i_ch_login_deinit(&made);
    }
    return status;
}

void pv_i_ch_login_deinit(ch_login *login)
{
    forget(&login->password);
    pv_i_free(login->url);
    pv_i_free(login->user);
    pv_i_free(login->database);
    pv_i_free(login->certificates);
    pv_i_free(login->cluster);
    pv_i_free(login->shards);
    *login = (ch_login){0};
}
