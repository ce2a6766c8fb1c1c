/* An explorer in this process, on a census in a folder of its own, and a client that speaks to it
 * through raw sockets. */
#ifndef PV_TESTS_WEB_CLIENT_H
#define PV_TESTS_WEB_CLIENT_H

#include "explore/explore.h"
#include "support/files.h"

#include <jansson.h>

typedef struct client {
    scratch_folder folder;
    char before[512]; /* the working folder of the test */
    cli_explorer *explorer;
    unsigned port;
    char token[64], cookie[128];
} client;

/* `rows` people, and the page already known: it has the cookie. */
client client_open(uint64_t rows);
/* Ends the server, and starts one again. */
void client_stop(client *c);
void client_start(client *c);
void client_enter(client *c);
void client_close(client *c);

typedef struct reply {
    int status;
    char *head, *body;
    size_t size; /* of the body */
} reply;

/* A socket that is connected and says nothing yet; the caller's. */
int client_reach(const client *c);
/* Sends bytes as they are, and reads until the server closes. */
reply client_send(const client *c, const char *bytes, size_t size);
/* `headers` come after Host and Connection, each line with its end; NULL = those of a page. */
reply client_ask(const client *c, const char *method, const char *path, const char *headers,
                 const char *body);
void reply_free(reply *r);
/* The value of a header, or NULL; valid until the next call. */
const char *reply_header(const reply *r, const char *name);

/* As a page does: the answer must have this status, and is the caller's. Texts may have ' for ". */
json_t *client_get(const client *c, const char *path, int status);
json_t *client_post(const client *c, const char *path, int status, const char *body);
json_t *client_delete(const client *c, const char *path, int status);
/* Starts a job and waits for its end: the job. */
json_t *client_job(const client *c, const char *body);
/* Until the table is open, or refused: the state. */
json_t *client_opened(const client *c);

/* A member of a document by a path with points: "plan.text"; the test fails if it is not there. */
json_t *at(const json_t *object, const char *path);
const char *text_of(const json_t *object, const char *path);
json_int_t number_of(const json_t *object, const char *path);

#endif
