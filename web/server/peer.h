/* Whose program is at the other end of a connection on this machine?
 *
 * A cookie does not know ports: what is served at any other port of 127.0.0.1 receives it, too, and
 * any user of this machine may serve something there. So a secret in a browser is not enough. The
 * system knows more: /proc/net/tcp has a line for every socket, with the user who made it. Lines of
 * sockets that nobody holds any more name the superuser instead, and have no inode: whoever sends
 * something and leaves at once is a stranger, too. */
#ifndef WEB_SERVER_PEER_H
#define WEB_SERVER_PEER_H

#include <paravent/status.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <sys/socket.h>

typedef enum web_peer {
    WEB_PEER_OWN = 0,  /* of the user who runs us, or of the superuser, who may read everything */
    WEB_PEER_STRANGER, /* of somebody else */
    WEB_PEER_UNKNOWN,  /* nobody's: it has left, or the system does not say */
} web_peer;

/* Does the system say whose sockets are whose? */
PV_CHECKED pv_status web_peer_check(pv_error *error);

/* Who is at `peer` (IPv4 or IPv6), connected to our `port`. *user is set for strangers. */
web_peer web_peer_of(const struct sockaddr *peer, unsigned port, uint64_t *user);

/* The same from such a table. `own` is who we are. */
web_peer web_peer_find(FILE *table, const struct sockaddr *peer, unsigned port, uint64_t own,
                       uint64_t *user);

#endif
