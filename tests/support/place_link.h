/* Places for tests: links to them, statements there, what they answer. */
#ifndef PV_TESTS_PLACE_LINK_H
#define PV_TESTS_PLACE_LINK_H

#include "support/testing.h"

#include "engine/read.h"

/* url?table=TABLE, for the next call of a test; overwritten by the fourth one after it. */
const char *place_table(const char *url, const char *table);

/* A link to a place, and the place itself. */
typedef struct place_link {
    pv_place place;
    pv_link link;
} place_link;

void place_link_open(place_link *link, const char *place, const pv_context *context);
void place_link_close(place_link *link);

/* Statements, one after the other, on a connection of their own; the last is NULL. */
void place_run(const char *url, const char *first, ...);
/* What a SELECT of one text has in its first row; freed with free(). */
char *place_value(const char *url, const char *select);

#endif
