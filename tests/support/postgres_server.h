/* Servers of PostgreSQL for tests: each in a folder of its own, on a port of its own of this
 * machine. They end with the test. */
#ifndef PV_TESTS_POSTGRES_SERVER_H
#define PV_TESTS_POSTGRES_SERVER_H

#include "support/place_link.h"

#include <sys/types.h>

typedef struct pg_server {
    pid_t pid;
    int port;
    char folder[64];
    char url[128]; /* up to the database: what follows is ?table=... */
} pg_server;

/* Is it installed? If not, this says so in one line; on a machine that checks everything (CI=true)
 * the test program fails. */
bool pg_is_installed(void);
/* A new server; `like` is one that does not run, whose empty folder is copied, or NULL. */
void pg_server_create(pg_server *server, const pg_server *like);
void pg_server_start(pg_server *server); /* waits until it answers */
void pg_server_kill(pg_server *server);  /* at once, as if the machine had lost its power */
void pg_server_remove(pg_server *server);

/* place_link.h, of a server. */
#define pg_table(server, table) place_table((server)->url, table)
#define pg_run(server, ...) place_run((server)->url, __VA_ARGS__)
#define pg_link place_link
#define pg_link_open place_link_open
#define pg_link_close place_link_close
#define pg_value(server, select) place_value((server)->url, select)

#endif
