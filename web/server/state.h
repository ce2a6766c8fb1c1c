/* What the page is told of a snapshot. */
#ifndef WEB_SERVER_STATE_H
#define WEB_SERVER_STATE_H

#include "server/web.h"

/* Adds to `study` of the state what is known of the table once it is open. */
void web_study_json(json_t *object, const web_snapshot *snapshot);
/* The registry of measures; `study` NULL = nobody knows which are available. */
json_t *web_measures_json(const pv_study *study);
json_t *web_methods_json(void);

#endif
