/* Who may ask: decided from what a request says of itself, without a server.
 *
 * The server is for one person on this machine. Whoever else can reach a loopback address is kept
 * out:
 *
 *     programs of other users        are refused when they connect (peer.h), whatever they know
 *     pages of other sites           send no cookie (SameSite=Strict), their own Origin, and
 * Sec-Fetch-Site names that lead to 127.0.0.1   are another Host (DNS rebinding) */
#ifndef WEB_SERVER_GUARD_H
#define WEB_SERVER_GUARD_H

#include <paravent/status.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define WEB_SECRET_SIZE 33       /* 128 random bits in hexadecimal, and the end */
#define WEB_MOST_ADDRESS 4096    /* bytes of path and query */
#define WEB_MOST_BODY (4u << 20) /* of a request */
#define WEB_MOST_UPLOAD (256u << 20)

typedef struct web_guard {
    char token[WEB_SECRET_SIZE];  /* in the address on the terminal; good once */
    char secret[WEB_SECRET_SIZE]; /* the value of the cookie */
    char cookie[32];   /* its name: cookies do not know ports, so that every server has its own */
    char hosts[3][32]; /* the names it may be called by */
    atomic_bool is_token_used;
    atomic_uint port; /* 0 = not known yet; nobody comes in before: the server listens already */
} web_guard;

/* What a request says of itself; NULL = nothing. */
typedef struct web_asker {
    const char *method, *path;
    const char *token;                                              /* of the query */
    const char *host, *origin, *fetch_site, *cookie, *content_type; /* headers */
    size_t address_size;                                            /* of path and query */
    uint64_t body_size; /* as it was announced, or what has come so far */
} web_asker;

typedef enum web_verdict {
    WEB_WELCOME = 0,
    WEB_EXCHANGE, /* has the token: gets the cookie */
    WEB_ENTER,    /* has the cookie, and followed the address with the token again */
    WEB_FORBIDDEN,
    WEB_NO_METHOD,
    WEB_NO_TYPE,
    WEB_TOO_LARGE,
    WEB_TOO_LONG,
} web_verdict;

/* Draws token and cookie. */
PV_CHECKED pv_status web_guard_init(web_guard *guard, pv_error *error);
/* Once the port is known. */
void web_guard_set_port(web_guard *guard, unsigned port);
unsigned web_guard_port(const web_guard *guard);

/* WEB_EXCHANGE takes the token: it is said once. */
web_verdict web_guard_judge(web_guard *guard, const web_asker *asker);

/* Takes the same time whatever differs. NULL is equal to nothing. */
bool web_secret_equal(const char *a, const char *b);
/* `size` - 1 hexadecimal digits. */
PV_CHECKED pv_status web_secret_draw(char *text, size_t size, pv_error *error);

#endif
