/* What the server says when it refuses, in words that may be shown.
 *
 * A server's text begins with a number, "Code: 60", whatever its version; what follows may quote
 * the statement, which has names, or the data, which has people. Only the texts of errors that are
 * about names, permissions and machines are shown. */
#include "engine/clickhouse.h"

#include "base/error.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define SHOWN 400 /* bytes of a server's text */

/* Errors whose text quotes no value, and what to do about them. */
static const struct {
    int code;
    pv_status status;
    const char *hint;
} known[] = {
    {47, PV_STATUS_INPUT, "look at the names of columns"}, /* unknown identifier */
    {57, PV_STATUS_EXISTS, "drop it, or choose another name"},
    {60, PV_STATUS_INPUT, "look at the name of the table and at its database"},
    {62, PV_STATUS_INPUT, "look at the query"}, /* syntax error */
    {81, PV_STATUS_INPUT, "look at the name of the database"},
    {84, PV_STATUS_EXISTS, /* a server was killed while it made or dropped the table */
     "remove that folder from the server's data: a server that was killed left it behind"},
    {115, PV_STATUS_UNSUPPORTED, NULL}, /* unknown setting */
    {158, PV_STATUS_LIMIT, "raise the limits of rows in the user's profile"},
    {159, PV_STATUS_LIMIT, "raise max_execution_time in the user's profile"},
    {160, PV_STATUS_LIMIT, "raise max_execution_time in the user's profile"},
    {164, PV_STATUS_INPUT, "use a user that may do this"}, /* readonly */
    {195, PV_STATUS_INPUT, "ask for access from this machine"},
    {202, PV_STATUS_IO, "try again later"}, /* too many queries at once */
    {209, PV_STATUS_IO, "look whether all servers run, and try again"},
    {210, PV_STATUS_IO, "look whether all servers run, and try again"},
    {236, PV_STATUS_IO, "look whether all servers run, and try again"}, /* aborted: shutting down */
    {241, PV_STATUS_LIMIT,
     "raise max_memory_usage, or set max_bytes_before_external_group_by in the user's profile"},
    {242, PV_STATUS_IO, "look at the server's log"}, /* table is in readonly mode */
    {243, PV_STATUS_IO, "make room on the server's disk, and try again"},
    {252, PV_STATUS_IO, "try again later"}, /* too many parts */
    {279, PV_STATUS_IO, "look whether all servers of the cluster run, and try again"},
    {291, PV_STATUS_INPUT, "ask for access to the database"},
    {394, PV_STATUS_IO, "someone cancelled the statement on the server; try again"},
    {396, PV_STATUS_LIMIT, "raise max_result_rows in the user's profile"},
    {425, PV_STATUS_IO, "look at the server's disk and log, and try again"}, /* system error */
    {497, PV_STATUS_INPUT, "ask for this permission"},
};

#define N_KNOWN (sizeof known / sizeof *known)

/* The number after the first "Code: "; 0 = there is none. */
static int code_of(const char *text)
{
    const char *const at = strstr(text, "Code: ");
    return at != NULL ? (int)strtol(at + strlen("Code: "), NULL, 10) : 0;
}

/* The sentence within "Code: 60, e.displayText() = DB::Exception: SENTENCE, e.what() = ...", on one
 * line. */
static void sentence(const char *text, char *to, size_t size)
{
    static const char mark[] = "DB::Exception: ";
    const char *const found = strstr(text, mark);
    const char *from = found != NULL ? found + strlen(mark) : text;
    const char *const end = strstr(from, ", e.what() = ");
    const size_t length = end != NULL ? (size_t)(end - from) : strlen(from);
    size_t n = 0;
    for (size_t i = 0; i < length && n + 1 < size; i++) {
        const char c = (unsigned char)from[i] < ' ' || from[i] == 127 ? ' ' : from[i];
        if (c != ' ' || (n > 0 && to[n - 1] != ' ')) {
            to[n++] = c;
        }
    }
    if (n + 1 == size) { /* cut: no half of a character */
        while (n > 0 && (to[n - 1] & 0xc0) == 0x80) {
            n--;
        }
        n -= n > 0;
    }
    while (n > 0 && (to[n - 1] == ' ' || to[n - 1] == '.')) {
        n--;
    }
    to[n] = '\0';
}

static size_t find_known(int code)
{
    size_t i = 0;
    while (i < N_KNOWN && known[i].code != code) {
        i++;
    }
    return i;
}

pv_status pv_i_ch_refused(const pv_place *place, const char *doing, const char *text,
                          const char *secret, pv_error *error)
{
    const int code = code_of(text);
    const size_t i = find_known(code);
    if (code == 0) {
        return pv_i_hint(pv_i_fail_at(error, PV_STATUS_INPUT, place->text, 0, 0,
                                      "what answers there is no ClickHouse, while %s", doing),
                         error, "look at the host and at the port, which is that of HTTP");
    }
    if (code == 516 || (code >= 192 && code <= 194)) {
        return pv_i_hint(pv_i_fail_at(error, PV_STATUS_INPUT, place->text, 0, 0,
                                      "ClickHouse does not accept the user or the "
                                      "password"),
                         error,
                         "give the user in the place, clickhouse://USER@host, and the password in "
                         "CLICKHOUSE_PASSWORD or in clickhouse-client's configuration");
    }
    if (strstr(text, "while receiving packet") != NULL) {
        return pv_i_hint(pv_i_fail_at(error, PV_STATUS_IO, place->text, 0, 0,
                                      "lost a server of the cluster while %s", doing),
                         error, "look whether all servers of the cluster run, and try again");
    }
    if (i == N_KNOWN || (*secret != '\0' && strstr(text, secret) != NULL)) {
        return pv_i_hint(pv_i_fail_at(error, PV_STATUS_IO, place->text, 0, 0,
                                      "ClickHouse failed while %s: error %d", doing, code),
                         error,
                         "its text may quote data and is not shown; it is in the server's log");
    }
    char said[SHOWN];
    sentence(text, said, sizeof said);
    const pv_status status = pv_i_fail_at(error, known[i].status, place->text, 0, 0,
                                          "ClickHouse failed while %s: %s", doing, said);
    return known[i].hint != NULL ? pv_i_hint(status, error, "%s", known[i].hint) : status;
}
