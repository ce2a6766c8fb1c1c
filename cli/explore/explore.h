/* `paravent explore`: the page is served by the room `web`, which stands on the command as a whole.
 * This header is all that the command knows of it, and web/server/server.c is where it is. */
#ifndef CLI_EXPLORE_EXPLORE_H
#define CLI_EXPLORE_EXPLORE_H

#include <paravent/status.h>
#include <stdbool.h>
#include <stdint.h>

typedef struct cli_explorer cli_explorer;

typedef struct cli_explorer_options {
    const char *folder; /* of the plan, absolute and free of links; the process runs there */
    const char *plan;   /* its name in that folder */
    unsigned port;      /* 0 = any that is free */
    unsigned threads;   /* of every job; 0 = one per processor */
    /* A program of this other user tried to connect, and was refused. Called for the first one
     * only, on a thread of the server. NULL = nobody wants to hear it. */
    void (*stranger)(void *ctx, uint64_t user);
    void *stranger_ctx;
} cli_explorer_options;

/* Serves, on threads of its own, until it is stopped. */
PV_CHECKED pv_status cli_explorer_start(const cli_explorer_options *options,
                                        cli_explorer **explorer, pv_error *error);
/* With the token, which is good once. Borrowed. */
const char *cli_explorer_address(const cli_explorer *explorer);
/* A private page that leads there: for programs whose arguments everybody on the machine sees. It
 * is removed with the explorer. Borrowed; NULL = it could not be written. */
const char *cli_explorer_door(cli_explorer *explorer);
/* Becomes readable once somebody asked to end the server. */
int cli_explorer_ended(const cli_explorer *explorer);
/* Stops jobs at work and frees everything. NULL is fine. */
void cli_explorer_stop(cli_explorer *explorer);

#endif
