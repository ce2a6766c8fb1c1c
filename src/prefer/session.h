/* A session file: everything evaluated, every wish with its answer, every choice, with times.
 *
 *     meta     what the session belongs to: table, plan and k, by counts and hashes
 *     schemes  everything evaluated: a bit per place for a cut, and what came of it
 *     steps    the audit trail: opened, wish, accepted, weights
 *     weights  of the attributes, by step and place; the last ones hold
 *
 * A step and the schemes evaluated for it are one transaction: a process killed at any moment
 * leaves a file that ends with a whole step. No value of the data is in it; schemes are bits by
 * places. While a session is open, nobody else can use its file. */
#ifndef PV_PREFER_SESSION_H
#define PV_PREFER_SESSION_H

#include "prefer/preference.h"

typedef enum pv_step_kind {
    PV_STEP_OPENED = 0,
    PV_STEP_WISH,
    PV_STEP_ACCEPTED,
    PV_STEP_WEIGHTS,
    PV_STEP_COUNT
} pv_step_kind;

/* As they are written in the file. */
extern const char *const pv_i_step_names[PV_STEP_COUNT];

/* Writes what was evaluated since the last step, and a step that chose a solution of an
 * answer: 0 = the best, then the others. All of it or nothing. */
PV_CHECKED pv_status pv_i_session_note(pv_session *session, const pv_preference *preference,
                                       pv_step_kind kind, const pv_answer *answer, size_t solution,
                                       pv_error *error);
/* Writes a step that gave the attributes the weights they now have. */
PV_CHECKED pv_status pv_i_session_note_weights(pv_session *session, const pv_preference *preference,
                                               pv_error *error);
void pv_i_session_close(pv_session *session); /* NULL is fine */

#endif
