/* Sessions where there is no SQLite: a clear answer. */
#include "prefer/session.h"

#ifndef PV_HAVE_SQLITE

#include "base/error.h"

static pv_status fail_absent(const char *path, pv_error *error)
{
    return pv_i_hint(pv_i_fail_at(error, PV_STATUS_UNSUPPORTED, path, 0, 0,
                                  "this program was built without SQLite, which keeps sessions"),
                     error, "install SQLite (libsqlite3-dev on Debian) and build again");
}

pv_status pv_preference_open_session(pv_preference *preference, const char *path, pv_error *error)
{
    (void)preference;
    return fail_absent(path, error);
}

pv_status pv_preference_log_read(const char *path, pv_preference_log **log, pv_error *error)
{
    (void)log;
    return fail_absent(path, error);
}

pv_status pv_preference_log_of(const pv_preference *preference, pv_preference_log **log,
                               pv_error *error)
{
    (void)preference;
    (void)log;
    return pv_i_fail(error, PV_STATUS_ARGUMENT, "there is no session file");
}

pv_status pv_i_session_note(pv_session *session, const pv_preference *preference, pv_step_kind kind,
                            const pv_answer *answer, size_t solution, pv_error *error)
{
    (void)session;
    (void)preference;
    (void)kind;
    (void)answer;
    (void)solution;
    return fail_absent(NULL, error);
}

pv_status pv_i_session_note_weights(pv_session *session, const pv_preference *preference,
                                    pv_error *error)
{
    (void)session;
    (void)preference;
    return fail_absent(NULL, error);
}

void pv_i_session_close(pv_session *session)
{
    (void)session;
}

#endif
