/* Who is at the other end of a connection. */
#include "server/peer.h"
#include "web/client.h"

#include <arpa/inet.h>
#include <netinet/in.h>
#include <sys/wait.h>

/* ------------------------------------------------------------------- tables */

#define HEAD                                                                                      \
    "  sl  local_address rem_address   st tx_queue rx_queue tr tm->when retrnsmt   uid  timeout " \
    "inode\n"
#define REST " 1 00000000f00147e5 20 4 30 10 -1\n"
#define LINE(here, there, user, inode)                                                    \
    "   7: " here " " there " 01 00000000:00000000 00:00000000 00000000 " user "        " \
    "0 " inode REST

/* The tables have addresses as words in the order of the machine. */
static char *word(char *text, const char *address)
{
    (void)snprintf(text, 9, "%08X", (unsigned)inet_addr(address));
    return text;
}

static web_peer in_table(const char *text, const struct sockaddr *peer, uint64_t *user)
{
    FILE *const table = fmemopen((void *)(uintptr_t)text, strlen(text), "r");
    assert_non_null(table);
    const web_peer found = web_peer_find(table, peer, 8080, 1000, user);
    assert_int_equal(fclose(table), 0);
    return found;
}

static struct sockaddr_in peer_at(const char *address, unsigned port)
{
    return (struct sockaddr_in){.sin_family = AF_INET,
                                .sin_port = htons((uint16_t)port),
                                .sin_addr = {.s_addr = inet_addr(address)}};
}

static void whose_line_it_is(void **state)
{
    static const struct {
        const char *why, *here, *there, *user, *inode;
        web_peer who;
    } cases[] = {
        {"our own", "C001", "1F90", " 1000", "77", WEB_PEER_OWN},
        {"the superuser's", "C001", "1F90", "    0", "77", WEB_PEER_OWN},
        {"somebody else's", "C001", "1F90", " 1001", "77", WEB_PEER_STRANGER},
        {"nobody's any more", "C001", "1F90", "    0", "0", WEB_PEER_UNKNOWN},
        {"nobody's, and once ours", "C001", "1F90", " 1000", "0", WEB_PEER_UNKNOWN},
        {"of another port", "C002", "1F90", " 1000", "77", WEB_PEER_UNKNOWN},
        {"to another server", "C001", "1F91", " 1000", "77", WEB_PEER_UNKNOWN},
        {"no user", "C001", "1F90", "    x", "77", WEB_PEER_UNKNOWN},
        {"too large a user", "C001", "1F90", "99999999999999999999", "77", WEB_PEER_UNKNOWN},
        {"no port", "", "1F90", " 1000", "77", WEB_PEER_UNKNOWN},
        {"too large a port", "1C001", "1F90", " 1000", "77", WEB_PEER_UNKNOWN},
    };
    const struct sockaddr_in peer = peer_at("127.0.0.1", 0xc001);
    char here[9];
    (void)state;
    (void)word(here, "127.0.0.1");
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        char text[1024];
        uint64_t user = 7;
        (void)snprintf(text, sizeof text, HEAD LINE("%s:%s", "%s:%s", "%s", "%s"), here,
                       cases[i].here, here, cases[i].there, cases[i].user, cases[i].inode);
        const web_peer who = in_table(text, (const struct sockaddr *)&peer, &user);
        if (who != cases[i].who) {
            fail_msg("%s: %d instead of %d", cases[i].why, (int)who, (int)cases[i].who);
        }
        assert_int_equal(user, who == WEB_PEER_STRANGER ? 1001 : 7);
    }
}

/* Our own end of the connection stands in the table, too, and is not meant. */
static void the_other_end_alone(void **state)
{
    char a[9];
    char text[1024];
    uint64_t user = 0;
    const struct sockaddr_in peer = peer_at("127.0.0.5", 0xc001);
    char b[9];
    (void)state;
    (void)snprintf(text, sizeof text,
                   HEAD LINE("%s:1F90", "%s:C001", " 1000", "76")
                       LINE("%s:C001", "%s:1F90", " 1002", "77"),
                   word(a, "127.0.0.1"), word(b, "127.0.0.5"), b, a);
    assert_int_equal(in_table(text, (const struct sockaddr *)&peer, &user), WEB_PEER_STRANGER);
    assert_int_equal(user, 1002);
}

/* A socket of both families that reaches us by IPv4. */
static void in_the_other_table(void **state)
{
    char a[9];
    char text[1024];
    uint64_t user = 0;
    char mark[9];
    const struct sockaddr_in peer = peer_at("127.0.0.1", 0xc001);
    struct sockaddr_in6 six = {
        .sin6_family = AF_INET6, .sin6_port = htons(0xc001), .sin6_addr = IN6ADDR_LOOPBACK_INIT};
    (void)state;
    (void)snprintf(mark, sizeof mark, "%08X", (unsigned)htonl(0xffff));
    (void)word(a, "127.0.0.1");
    (void)snprintf(
        text, sizeof text,
        HEAD LINE("0000000000000000%s%s:C001", "0000000000000000%s%s:1F90", " 1000", "77"), mark, a,
        mark, a);
    assert_int_equal(in_table(text, (const struct sockaddr *)&peer, &user), WEB_PEER_OWN);
    assert_int_equal(in_table(text, (const struct sockaddr *)&six, &user), WEB_PEER_UNKNOWN);
    (void)snprintf(mark, sizeof mark, "%08X", (unsigned)htonl(1));
    (void)snprintf(text, sizeof text,
                   HEAD LINE("000000000000000000000000%s:C001", "000000000000000000000000%s:1F90",
                             " 1000", "77"),
                   mark, mark);
    assert_int_equal(in_table(text, (const struct sockaddr *)&six, &user), WEB_PEER_OWN);
    assert_int_equal(in_table(text, (const struct sockaddr *)&peer, &user), WEB_PEER_UNKNOWN);
}

static void what_is_no_table(void **state)
{
    static const char *const texts[] = {"\n",
                                        HEAD,
                                        "0: ",
                                        "0: 0100007F:C001",
                                        "0: 0100007F:C001 0100007F:1F90\n",
                                        "0: 0100007F:C001 0100007F:1F90 01 0 0 0 1000",
                                        "0: 0100007:C001 0100007F:1F90 01 0 0 0 1 1 1\n",
                                        "0: GGGGGGGG:C001 0100007F:1F90 01 0 0 0 1 1 1\n"};
    const struct sockaddr_in peer = peer_at("127.0.0.1", 0xc001);
    uint64_t user = 0;
    (void)state;
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
        assert_int_equal(in_table(texts[i], (const struct sockaddr *)&peer, &user),
                         WEB_PEER_UNKNOWN);
    }
}

/* ------------------------------------------------------------------ sockets */

/* A listening socket on this machine, and its port. */
static int listening(unsigned *port)
{
    struct sockaddr_in where = peer_at("127.0.0.1", 0);
    socklen_t size = sizeof where;
    const int fd = socket(AF_INET, SOCK_STREAM, 0);
    assert_true(fd >= 0);
    assert_int_equal(bind(fd, (const struct sockaddr *)&where, sizeof where), 0);
    assert_int_equal(listen(fd, 4), 0);
    assert_int_equal(getsockname(fd, (struct sockaddr *)&where, &size), 0);
    *port = ntohs(where.sin_port);
    return fd;
}

static int reaching(unsigned port)
{
    const struct sockaddr_in where = peer_at("127.0.0.1", port);
    const int fd = socket(AF_INET, SOCK_STREAM, 0);
    assert_true(fd >= 0);
    assert_int_equal(connect(fd, (const struct sockaddr *)&where, sizeof where), 0);
    return fd;
}

static void a_real_connection(void **state)
{
    unsigned port = 0;
    struct sockaddr_in peer;
    socklen_t size = sizeof peer;
    uint64_t user = 0;
    pv_error error = {0};
    (void)state;
    assert_int_equal(web_peer_check(&error), PV_STATUS_OK);
    const int server = listening(&port);
    const int mine = reaching(port);
    const int end = accept(server, (struct sockaddr *)&peer, &size);
    assert_true(end >= 0);
    assert_int_equal(web_peer_of((const struct sockaddr *)&peer, port, &user), WEB_PEER_OWN);
    assert_int_equal(web_peer_of((const struct sockaddr *)&peer, port ^ 1, &user),
                     WEB_PEER_UNKNOWN);
    assert_int_equal(close(mine), 0); /* who has left is nobody, though the line says superuser */
    assert_int_equal(web_peer_of((const struct sockaddr *)&peer, port, &user), WEB_PEER_UNKNOWN);
    (void)close(end);
    (void)close(server);
}

/* ------------------------------------------------------------------- server */

/* Asks for the state, with everything that is needed; the number of bytes of the answer. */
static int ask_as(const client *c, uid_t user)
{
    char text[512];
    const int n = snprintf(text, sizeof text,
                           "GET /api/state HTTP/1.1\r\nHost: 127.0.0.1:%u\r\nCookie: %s\r\n"
                           "Connection: close\r\n\r\n",
                           c->port, c->cookie);
    const pid_t child = fork();
    if (child == 0) {
        int got = 0;
        char part[256];
        if (setuid(user) != 0) {
            _exit(99);
        }
        const struct sockaddr_in where = peer_at("127.0.0.1", c->port);
        const int fd = socket(AF_INET, SOCK_STREAM, 0);
        if (fd < 0 || connect(fd, (const struct sockaddr *)&where, sizeof where) != 0) {
            _exit(98);
        }
        if (send(fd, text, (size_t)n, MSG_NOSIGNAL) == n && recv(fd, part, sizeof part, 0) > 0) {
            got = 1;
        }
        _exit(got);
    }
    int status = 0;
    assert_true(child > 0);
    assert_int_equal(waitpid(child, &status, 0), child);
    assert_true(WIFEXITED(status));
    return WEXITSTATUS(status);
}

/* The secret of the cookie is worth nothing in the hands of somebody else. */
static void another_user_is_refused(void **state)
{
    (void)state;
    if (geteuid() != 0) {
        skip(); /* nobody else can be played */
    }
    client c = client_open(200);
    json_decref(client_opened(&c));
    assert_int_equal(ask_as(&c, 0), 1);
    assert_int_equal(ask_as(&c, 12345), 0);
    json_decref(client_get(&c, "/api/state", 200));
    client_close(&c);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(whose_line_it_is),   cmocka_unit_test(the_other_end_alone),
        cmocka_unit_test(in_the_other_table), cmocka_unit_test(what_is_no_table),
        cmocka_unit_test(a_real_connection),  cmocka_unit_test(another_user_is_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
