/* Servers of ClickHouse for tests: each in a folder of its own, on ports of its own of this
 * machine, all of them shards of one cluster, `all`. They end with the test. */
#ifndef PV_TESTS_CLICKHOUSE_SERVERS_H
#define PV_TESTS_CLICKHOUSE_SERVERS_H

#include "support/place_link.h"

#include <sys/types.h>

enum { CH_MOST_SERVERS = 3 };

#define CH_PASSWORD "Sesam, \"off\" & dich!"

typedef struct ch_server {
    pid_t pid;
    int http, tcp; /* ports */
    char folder[96];
    char url[64]; /* up to the database: what follows is ?table=... */
} ch_server;

typedef struct ch_servers {
    char folder[64];
    size_t n;
    ch_server servers[CH_MOST_SERVERS];
} ch_servers;

/* Is it installed? If not, this says so in one line; on a machine that checks everything (CI=true)
 * the test program fails. */
bool ch_is_installed(void);

/* Users: `default`, whose password is in CLICKHOUSE_PASSWORD from now on; `reader`, who may change
 * nothing, not even settings; `breaker`, whose profile lets results end without a word; `sloppy`,
 * who is both. All have the same password. */
void ch_servers_create(ch_servers *servers, size_t n);
void ch_servers_remove(ch_servers *servers); /* of none is fine */
void ch_server_start(ch_server *server);     /* waits until it answers */
void ch_server_kill(ch_server *server);      /* at once, as if the machine had lost its power */

/* place_link.h, of a server. */
#define ch_table(server, table) place_table((server)->url, table)
#define ch_run(server, ...) place_run((server)->url, __VA_ARGS__)
#define ch_link place_link
#define ch_link_open place_link_open
#define ch_link_close place_link_close
/* What the column x of a SELECT is in its first row; freed with free(). */
char *ch_value(const ch_server *server, const char *select);

#endif
