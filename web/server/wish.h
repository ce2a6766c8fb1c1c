/* A wish as the page asks for it: the params as options of `paravent prefer`, so that both
 * understand the same. */
#ifndef WEB_SERVER_WISH_H
#define WEB_SERVER_WISH_H

#include "prefer/prefer.h"
#include "server/web.h"

enum { WEB_ASPIRE, WEB_WEIGHTS, WEB_FROM, WEB_PROVE, WEB_REQUIRE, WEB_WISH_TEXTS };

typedef struct web_wish {
    char *texts[WEB_WISH_TEXTS]; /* what `given` points to */
    cli_prefer given;
    cli_wish wish; /* with what the plan demands */
    bool has_wish, is_glance, wants_log;
    double prove; /* seconds */
    bool accepts;
    uint64_t accepted; /* a number of a solution */
} web_wish;

/* To be freed also after a failure. It may be moved. */
PV_CHECKED pv_status web_wish_read(const web_call *call, web_wish *wish, pv_error *error);
void web_wish_free(web_wish *wish);
/* What a preference is for: everything but the wish, the weights and the time. Owned. */
char *web_wish_key(const web_wish *wish);

#endif
