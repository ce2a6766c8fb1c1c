/* Who is at the other end. */
#include "server/peer.h"

#include "core/fail.h"

#include <arpa/inet.h>
#include <errno.h>
#include <netinet/in.h>
#include <string.h>
#include <unistd.h>

#define LONGEST_LINE 512
#define ATTEMPTS 3 /* a table that changes while it is read may miss a line */

/* A socket in both families may reach us either way, and stands in the table of its own. */
static const char *const tables[] = {"/proc/net/tcp", "/proc/net/tcp6"};

/* ---------------------------------------------------------------- addresses */

/* An address and a port as the tables have them: IPv4 as 127.0.0.1:80 = 0100007F:0050, words in the
 * order of this machine. */
typedef struct place {
    uint32_t words[4];
    size_t n; /* words: 1, or 4 of IPv6 */
    unsigned port;
} place;

/* IPv4 within IPv6 (::ffff:127.0.0.1) is IPv4. */
static place as_short(place p)
{
    const place inner = {.words = {p.words[3]}, .n = 1, .port = p.port};
    return p.n == 4 && p.words[0] == 0 && p.words[1] == 0 && p.words[2] == htonl(0xffff) ? inner
                                                                                         : p;
}

static bool is_same_place(const place *a, const place *b)
{
    return a->n == b->n && a->port == b->port &&
           memcmp(a->words, b->words, a->n * sizeof *a->words) == 0;
}

static bool place_of(const struct sockaddr *address, place *p)
{
    if (address->sa_family == AF_INET) {
        struct sockaddr_in in;
        memcpy(&in, address, sizeof in);
        *p = (place){.words = {in.sin_addr.s_addr}, .n = 1, .port = ntohs(in.sin_port)};
        return true;
    }
    if (address->sa_family == AF_INET6) {
        struct sockaddr_in6 in;
        memcpy(&in, address, sizeof in);
        *p = (place){.n = 4, .port = ntohs(in.sin6_port)};
        memcpy(p->words, &in.sin6_addr, sizeof p->words);
        *p = as_short(*p);
        return true;
    }
    return false;
}

/* Digits, then `end`; moves behind it. */
static bool take_number(const char **at, int base, char end, uint64_t *number)
{
    static const char digits[] = "0123456789ABCDEF";
    const char *p = *at;
    *number = 0;
    for (const char *d = NULL; *p != '\0' && (d = strchr(digits, *p)) != NULL && d - digits < base;
         p++) {
        if (*number > UINT64_MAX / 32) {
            return false;
        }
        *number = *number * (unsigned)base + (uint64_t)(d - digits);
    }
    if (p == *at || *p != end) {
        return false;
    }
    *at = p + 1;
    return true;
}

static bool take_place(const char **at, place *p)
{
    const size_t n = strspn(*at, "0123456789ABCDEF");
    uint64_t port = 0;
    if (n != 8 && n != 32) {
        return false;
    }
    *p = (place){.n = n / 8};
    for (size_t i = 0; i < p->n; i++) {
        char word[9] = "";
        const char *w = word;
        uint64_t value = 0;
        memcpy(word, *at + 8 * i, 8);
        if (!take_number(&w, 16, '\0', &value)) {
            return false;
        }
        p->words[i] = (uint32_t)value;
    }
    *at += n;
    if (**at != ':') {
        return false;
    }
    ++*at;
    if (!take_number(at, 16, ' ', &port) || port > UINT16_MAX) {
        return false;
    }
    p->port = (unsigned)port;
    *p = as_short(*p);
    return true;
}

/* -------------------------------------------------------------------- table */

typedef struct line {
    place here, there;
    uint64_t user, inode;
} line;

/* Skips blanks, a word, and the blanks after it. */
static void skip_word(const char **at)
{
    *at += strspn(*at, " ");
    *at += strcspn(*at, " ");
    *at += strspn(*at, " ");
}

/* "  12: 0100007F:C001 0100007F:1F90 01 00000000:00000000 00:00000000 00000000  1000  0 58691 1
 * ..."
 */
static bool read_line(const char *text, line *l)
{
    const char *at = text;
    skip_word(&at); /* its number */
    if (!take_place(&at, &l->here) || !take_place(&at, &l->there)) {
        return false;
    }
    skip_word(&at); /* state, */
    skip_word(&at); /* queues, */
    skip_word(&at); /* timer, */
    skip_word(&at); /* timeouts */
    if (!take_number(&at, 10, ' ', &l->user)) {
        return false;
    }
    skip_word(&at); /* probes */
    return take_number(&at, 10, ' ', &l->inode);
}

web_peer web_peer_find(FILE *table, const struct sockaddr *peer, unsigned port, uint64_t own,
                       uint64_t *user)
{
    char text[LONGEST_LINE];
    place wanted;
    line l;
    if (!place_of(peer, &wanted)) {
        return WEB_PEER_UNKNOWN;
    }
    while (fgets(text, sizeof text, table) != NULL) {
        if (read_line(text, &l) && l.there.port == port && is_same_place(&l.here, &wanted)) {
            if (l.inode == 0) { /* nobody holds it: the user is not its user's */
                return WEB_PEER_UNKNOWN;
            }
            if (l.user == own || l.user == 0) {
                return WEB_PEER_OWN;
            }
            *user = l.user;
            return WEB_PEER_STRANGER;
        }
    }
    return WEB_PEER_UNKNOWN;
}

web_peer web_peer_of(const struct sockaddr *peer, unsigned port, uint64_t *user)
{
    web_peer found = WEB_PEER_UNKNOWN;
    for (unsigned i = 0; i < ATTEMPTS && found == WEB_PEER_UNKNOWN; i++) {
        for (size_t t = 0; t < sizeof tables / sizeof *tables && found == WEB_PEER_UNKNOWN; t++) {
            FILE *const table = fopen(tables[t], "re");
            if (table != NULL) {
                found = web_peer_find(table, peer, port, geteuid(), user);
                (void)fclose(table);
            }
        }
    }
    return found;
}

pv_status web_peer_check(pv_error *error)
{
    FILE *const table = fopen(tables[0], "re");
    if (table == NULL) {
        return cli_hint(cli_error(error, PV_STATUS_IO,
                                  "cannot tell whose program connects: %s cannot be read: %s",
                                  tables[0], strerror(errno)),
                        error,
                        "other users of this machine could not be kept out; where /proc is "
                        "mounted, it works");
    }
    (void)fclose(table);
    return PV_STATUS_OK;
}
