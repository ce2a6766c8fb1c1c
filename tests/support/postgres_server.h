/* Servers of PostgreSQL for tests: each in a folder of its own, on a port of its own of this
 * machine. They end with the test. */
#ifndef PV_TESTS_POSTGRES_SERVER_H
#define PV_TESTS_POSTGRES_SERVER_H

#include "support/testing.h"

#include "engine/read.h"

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

/* url?table=TABLE, for the next call of a test; overwritten by the fourth one after it. */
const char *pg_table(const pg_server *server, const char *table);

/* Statements, one after the other, on a connection of their own; the last is NULL. */
void pg_run(const pg_server *server, const char *first, ...);
/* What a SELECT of one text has in its first row; freed with free(). */
char *pg_value(const pg_server *server, const char *select);

/* A link to a place, and the place itself. */
typedef struct pg_link {
    pv_place place;
    pv_link link;
} pg_link;

void pg_link_open(pg_link *link, const char *place, const pv_context *context);
void pg_link_close(pg_link *link);

#endif
