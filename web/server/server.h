/* HTTP on a loopback address, by libmicrohttpd: a thread for every connection. */
#ifndef WEB_SERVER_SERVER_H
#define WEB_SERVER_SERVER_H

#include "server/dispatch.h"

typedef struct web_server web_server;

/* Listens on 127.0.0.1, and on ::1 where there is one; `port` 0 = any that is free. Tells the guard
 * which. */
PV_CHECKED pv_status web_server_start(web_explorer *explorer, unsigned port, web_server **server,
                                      pv_error *error);
unsigned web_server_port(const web_server *server);
/* No more connections; those that are answered now go on. */
void web_server_quiesce(web_server *server);
void web_server_stop(web_server *server); /* NULL is fine */

#endif
