/* What a session belongs to: the table, the plan and k, told without any value of the data. Another
 * table, plan or k differs in one of these facts, and what was remembered would be wrong for it. */
#ifndef PV_PREFER_SESSION_FACTS_H
#define PV_PREFER_SESSION_FACTS_H

#include "base/buffer.h"
#include "prefer/walk.h"

typedef struct pv_fact {
    const char *name;    /* in the file */
    const char *differs; /* "the session is for ..." */
    bool shown;          /* what it says means something to people */
    void (*tell)(const pv_walk *walk, pv_buffer *value); /* appends it */
} pv_fact;

/* Ends with a name of NULL; the first that differs is the best explanation. */
extern const pv_fact pv_i_session_facts[];

#endif
