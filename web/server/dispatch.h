/* What a request asks for, and the answer: everything about the interface but sockets, so that
 * tests and fuzzing need none. */
#ifndef WEB_SERVER_DISPATCH_H
#define WEB_SERVER_DISPATCH_H

#include "server/files.h"
#include "server/guard.h"
#include "server/jobs.h"
#include "server/workspace.h"

/* One explorer. Everything is there from before the first request until after the last. */
typedef struct web_explorer {
    web_guard guard;
    web_files *files;
    web_workspace *workspace;
    web_jobs *jobs;
    void (*end)(void *ctx); /* somebody asked to end the server */
    /* Another user's program tried to connect: the first time. NULL = nobody wants to hear it. */
    void (*stranger)(void *ctx, uint64_t user);
    void *end_ctx; /* of both */
} web_explorer;

typedef struct web_request {
    web_asker asker;
    const char *since, *name, *file; /* of the query; NULL = not there */
    const char *body;                /* `body_size` of the asker; not terminated */
    web_upload *upload;              /* its body, complete; taken over */
    bool (*is_gone)(void *ctx); /* does nobody wait for the answer any more? NULL = nobody knows */
    void *is_gone_ctx;
} web_request;

typedef struct web_answer {
    unsigned status; /* of HTTP */
    const char *type;
    char *owned;       /* the body; or */
    const void *bytes; /* one that is there as long as the program */
    size_t size;
    bool is_compressed; /* by gzip */
    bool sets_cookie;
    bool is_file;         /* something a job has written: a page of its own, in a sandbox */
    const char *location; /* NULL = none */
} web_answer;

/* What is decided before the body is read. True: *answer is the answer already. */
bool web_dispatch_early(web_explorer *explorer, const web_asker *asker, web_answer *answer);
/* The answer to a request that was let in. */
void web_dispatch(web_explorer *explorer, const web_request *request, web_answer *answer);
/* There are too many connections. */
void web_answer_busy(web_answer *answer);
void web_answer_free(web_answer *answer);
/* An error as an answer. */
void web_answer_fail(web_answer *answer, unsigned status, const pv_error *error);

#endif
