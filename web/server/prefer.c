/* `prefer`: from wish to wish.
 *
 *     glance   the wish is being dragged: an answer before a hand notices, from what is known and
 *              a short search; not proven, noted nowhere
 *     wish     the wish stands: searched and proven as the command does it, and a step of the
 *              session
 *
 * What was evaluated for one wish answers the next, so preferences are kept with the snapshot, one
 * for each k, demands, measures and rule of groups, the four used last. One job at a time works
 * with one of them. Each has a session file beside the plan, with which `paravent prefer --session`
 * goes on; one whose name is taken by other demands has the next name. */
#include "server/wish.h"

#include "core/fail.h"
#include "core/json.h"
#include "core/text.h"
#include "server/endpoints.h"

#include <math.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#define MOST_PREFERENCES 4
#define GLANCE_SECONDS 0.05
#define MOST_NAMES 9 /* of session files that are tried */
#define ATTEMPTS 4   /* to open one that is in use */
#define MOST_KNOWN 2000
#define WAIT_NANOSECONDS 50000000

/* ------------------------------------------------------------------- kept */

/* A preference with the last answer. While `busy`, one job has it; all but `key`, `busy`, `used`
 * and `session`, which the lock guards, is that job's. */
typedef struct kept {
    char *key; /* NULL = nothing is here */
    bool busy;
    uint64_t used;  /* when, for whoever has to go */
    char *session;  /* the name of its file; NULL = none */
    web_wish asked; /* what `preferred` answers */
    cli_preferred preferred;
} kept;

typedef struct {
    pthread_mutex_t lock;
    pthread_cond_t idle; /* something is not busy any more */
    uint64_t clock;
    kept places[MOST_PREFERENCES];
} wishes;

static void *create_wishes(const web_snapshot *snapshot)
{
    wishes *const w = cli_zeroed(1, sizeof *w);
    (void)snapshot;
    (void)pthread_mutex_init(&w->lock, NULL);
    (void)pthread_cond_init(&w->idle, NULL);
    return w;
}

static void forget_answer(kept *p)
{
    pv_answer_free(p->preferred.answer);
    p->preferred.answer = NULL;
    cli_preferred_forget_steps(&p->preferred);
    web_wish_free(&p->asked);
}

/* Everything but the key and that it is busy; closes the session file, too. */
static void empty(kept *p)
{
    forget_answer(p);
    pv_preference_free(p->preferred.preference);
    p->preferred = (cli_preferred){0};
}

static void destroy_wishes(void *thing)
{
    wishes *const w = thing;
    for (size_t i = 0; i < MOST_PREFERENCES; i++) {
        empty(&w->places[i]);
        free(w->places[i].key);
        free(w->places[i].session);
    }
    (void)pthread_cond_destroy(&w->idle);
    (void)pthread_mutex_destroy(&w->lock);
    free(w);
}

/* The place of a key, or the one to take for it: empty, or not used for longest. NULL = all are
 * busy, or its own is. With the lock. */
static kept *find_place(wishes *w, const char *key)
{
    kept *oldest = NULL;
    for (size_t i = 0; i < MOST_PREFERENCES; i++) {
        kept *const p = &w->places[i];
        if (p->key != NULL && cli_equal(p->key, key)) {
            return p->busy ? NULL : p;
        }
        if (!p->busy &&
            (oldest == NULL || p->key == NULL || (oldest->key != NULL && p->used < oldest->used))) {
            oldest = p;
        }
    }
    return oldest;
}

/* Waits a little; false if the job is not to wait any longer. With the lock. */
static bool wait_idle(wishes *w, const web_call *call)
{
    static const pv_progress waiting = {.phase = "waiting"};
    struct timespec until;
    (void)clock_gettime(CLOCK_REALTIME, &until);
    until.tv_nsec += WAIT_NANOSECONDS;
    until.tv_sec += until.tv_nsec / 1000000000;
    until.tv_nsec %= 1000000000;
    (void)pthread_cond_timedwait(&w->idle, &w->lock, &until);
    (void)pthread_mutex_unlock(&w->lock);
    const bool goes_on = call->context.progress == NULL ||
                         call->context.progress(call->context.progress_ctx, &waiting);
    (void)pthread_mutex_lock(&w->lock);
    return goes_on;
}

/* The place for a key, busy from now on. `key` becomes the place's. */
static pv_status take_place(wishes *w, const web_call *call, char *key, kept **place,
                            pv_error *error)
{
    kept *p = NULL;
    bool goes_on = true;
    (void)pthread_mutex_lock(&w->lock);
    while ((p = find_place(w, key)) == NULL && goes_on) {
        goes_on = wait_idle(w, call);
    }
    if (p == NULL) {
        (void)pthread_mutex_unlock(&w->lock);
        free(key);
        return cli_error(error, PV_STATUS_CANCELLED, "interrupted");
    }
    p->busy = true;
    p->used = ++w->clock;
    const bool is_other = p->key == NULL || !cli_equal(p->key, key);
    if (is_other) {
        free(p->key);
        p->key = key;
    } else {
        free(key);
    }
    (void)pthread_mutex_unlock(&w->lock);
    if (is_other) {
        empty(p); /* takes time: its session is closed */
        (void)pthread_mutex_lock(&w->lock);
        free(p->session);
        p->session = NULL;
        (void)pthread_mutex_unlock(&w->lock);
    }
    *place = p;
    return PV_STATUS_OK;
}

static void give_back(wishes *w, kept *p)
{
    (void)pthread_mutex_lock(&w->lock);
    p->busy = false;
    (void)pthread_cond_broadcast(&w->idle);
    (void)pthread_mutex_unlock(&w->lock);
}

/* ---------------------------------------------------------------- session */

/* Takes the name for a place, unless another one has it. */
static bool reserve_name(wishes *w, kept *own, const char *name)
{
    bool is_free = true;
    (void)pthread_mutex_lock(&w->lock);
    for (size_t i = 0; i < MOST_PREFERENCES; i++) {
        const kept *const p = &w->places[i];
        is_free = is_free && (p == own || p->session == NULL || !cli_equal(p->session, name));
    }
    if (is_free) {
        free(own->session);
        own->session = cli_copy(name);
    }
    (void)pthread_mutex_unlock(&w->lock);
    return is_free;
}

static void drop_name(wishes *w, kept *own)
{
    (void)pthread_mutex_lock(&w->lock);
    free(own->session);
    own->session = NULL;
    (void)pthread_mutex_unlock(&w->lock);
}

/* A job that began before the plan was changed may still have the file: each attempt waits a
 * little.
 */
static pv_status open_file(pv_preference *preference, const char *file, pv_error *why)
{
    pv_status status = PV_STATUS_IO;
    for (unsigned i = 0; i < ATTEMPTS && status == PV_STATUS_IO; i++) {
        status = pv_preference_open_session(preference, file, why);
    }
    return status;
}

/* NAME.session beside the plan, or NAME-2.session, ... if that is of other demands. Where there can
 * be none, wishes are answered all the same, and a note says why they are not kept. */
static void open_session(web_call *call, wishes *w, kept *own)
{
    char *const stem = cli_path_stem(call->snapshot->plan_path);
    pv_error why = {0};
    bool done = false;
    for (unsigned i = 1; i <= MOST_NAMES && !done; i++) {
        char *const name =
            i == 1 ? cli_format("%s.session", stem) : cli_format("%s-%u.session", stem, i);
        char *file = NULL;
        if (reserve_name(w, own, name)) {
            pv_status status = web_path(call, name, true, &file, &why);
            if (status == PV_STATUS_OK) {
                status = open_file(own->preferred.preference, file, &why);
            }
            if (status != PV_STATUS_OK) {
                drop_name(w, own);
            }
            done = status != PV_STATUS_INPUT; /* of other demands, or no session at all */
        }
        free(file);
        free(name);
    }
    if (own->session == NULL) {
        char *const note = cli_format("wishes are not kept in a session file: %s", why.message);
        web_note(call, note);
        free(note);
    }
    free(stem);
}

/* The file is ours while a wish is worked on, so that a terminal can go on with the session between
 * two wishes. False: it did, or has it open right now; a new preference begins with what the file
 * says. A wish that is dragged needs no file. */
static bool take_session_again(const kept *p, const web_wish *a)
{
    bool is_same = true;
    return (a->is_glance && !a->wants_log && !a->accepts) ||
           (pv_preference_resume_session(p->preferred.preference, &is_same, NULL) == PV_STATUS_OK &&
            is_same);
}

/* ----------------------------------------------------------------- answer */

static pv_status prepare(web_call *call, wishes *w, kept *p, const web_wish *a, pv_error *error)
{
    const pv_preference_options options = cli_wish_options(&a->wish);
    if (p->preferred.preference != NULL && !take_session_again(p, a)) {
        empty(p);
        drop_name(w, p);
    }
    if (p->preferred.preference != NULL) {
        return PV_STATUS_OK;
    }
    CLI_TRY(pv_preference_create(call->snapshot->opened.profile, &options, &p->preferred.preference,
                                 error));
    p->preferred.opened = &call->snapshot->opened;
    p->preferred.plan = call->snapshot->plan_path;
    open_session(call, w, p);
    return PV_STATUS_OK;
}

/* Only where a weight changes: every change is a step of the session. */
static pv_status weigh(const kept *p, const cli_pairs *weights, pv_error *error)
{
    const pv_study *const study = p->preferred.opened->study;
    bool changed = false;
    for (size_t i = 0; i < weights->n; i++) {
        bool same = false;
        for (size_t q = 0; q < pv_study_quasis(study); q++) {
            same = same || (cli_equal(pv_study_quasi_name(study, q), weights->list[i].name) &&
                            fabs(pv_preference_weight(p->preferred.preference, q) -
                                 weights->list[i].value) <= 0.0);
        }
        changed = changed || !same;
    }
    return changed ? cli_weights_set(&p->preferred, weights, error) : PV_STATUS_OK;
}

/* As a candidate of the page. */
static void add_spec(json_t *solution, const char *require)
{
    json_t *const spec = json_object();
    cli_json_set(spec, "scheme", json_string("cuts"));
    cli_json_set(spec, "cuts", json_incref(json_object_get(solution, "cuts")));
    cli_json_set(spec, "suppression", json_string("0"));
    cli_json_set(spec, "require", cli_json_text(require));
    cli_json_set(solution, "spec", spec);
}

static void add_specs(json_t *document, const cli_preferred *preferred)
{
    char *const require = cli_preferred_require(preferred);
    json_t *const alternatives = json_object_get(document, "alternatives");
    json_t *const direction = json_object_get(document, "direction");
    add_spec(json_object_get(document, "solution"), require);
    for (size_t i = 0; i < json_array_size(alternatives); i++) {
        add_spec(json_array_get(alternatives, i), require);
    }
    for (size_t i = 0; i < json_array_size(direction); i++) {
        add_spec(json_object_get(json_array_get(direction, i), "solution"), require);
    }
    free(require);
}

/* [[bias, loss, k], ...]: what is best of everything that is known. */
static pv_status known_json(const pv_preference *preference, json_t **list, pv_error *error)
{
    pv_known_point *points = NULL;
    size_t n = 0;
    CLI_TRY(pv_preference_known(preference, MOST_KNOWN, &points, &n, error));
    *list = json_array();
    for (size_t i = 0; i < n; i++) {
        json_t *const point = json_array();
        cli_json_append(point, cli_json_number(points[i].point.bias));
        cli_json_append(point, cli_json_number(points[i].point.loss));
        cli_json_append(point, cli_json_count(points[i].k));
        cli_json_append(*list, point);
    }
    pv_known_points_free(points);
    return PV_STATUS_OK;
}

/* The entries of the session; none without one. */
static pv_status add_log(json_t *document, const kept *p, pv_error *error)
{
    pv_preference_log *log = NULL;
    if (p->session == NULL) {
        cli_json_set(document, "log", json_array());
        return PV_STATUS_OK;
    }
    CLI_TRY(pv_preference_log_of(p->preferred.preference, &log, error));
    cli_json_set(document, "log", cli_session_log_json(log));
    pv_preference_log_free(log);
    return PV_STATUS_OK;
}

/* The document of the command, and what the page needs besides. */
static pv_status document_of(const kept *p, bool with_known, json_t **document, pv_error *error)
{
    json_t *const made = cli_json_document("prefer");
    json_t *known = NULL;
    char *const line = cli_prefer_line(p->preferred.plan, &p->asked.given);
    pv_status status = PV_STATUS_OK;
    cli_json_set(made, "line", cli_json_text(line));
    CLI_TRY_CLEAN(cli_preferred_json(made, &p->preferred, error));
    add_specs(made, &p->preferred);
    if (p->session != NULL) {
        cli_json_set(made, "session", cli_json_text(p->session));
    }
    cli_json_set(made, "compare", json_null());
    if (with_known) {
        CLI_TRY_CLEAN(known_json(p->preferred.preference, &known, error));
        cli_json_set(made, "known", known);
    }
cleanup:
    free(line);
    if (status != PV_STATUS_OK) {
        json_decref(made);
    } else {
        *document = made;
    }
    return status;
}

/* Before a search and a proof that take long: what a glance says. Only where wishes were answered
 * before, since the first one begins from nothing, as the command does. */
static pv_status show_glance(web_call *call, kept *p, pv_error *error)
{
    json_t *document = NULL;
    CLI_TRY(pv_preference_glance(p->preferred.preference, p->asked.wish.point, GLANCE_SECONDS,
                                 &call->context, &p->preferred.answer, error));
    CLI_TRY(document_of(p, false, &document, error));
    web_partial(call, document);
    pv_answer_free(p->preferred.answer);
    p->preferred.answer = NULL;
    return PV_STATUS_OK;
}

/* The steps come first, so that the answer to the wish is the best of everything known. */
static pv_status answer(web_call *call, kept *p, bool is_known, pv_error *error)
{
    const web_wish *const a = &p->asked;
    cli_preferred *const preferred = &p->preferred;
    CLI_TRY(weigh(p, &a->wish.weights, error));
    if (a->wish.steps > 0) {
        preferred->steps = cli_zeroed(a->wish.steps, sizeof *preferred->steps);
        CLI_TRY(pv_preference_direction(preferred->preference, a->wish.from, a->wish.point,
                                        a->wish.steps, &call->context, preferred->steps,
                                        &preferred->n_steps, error));
    }
    if (a->is_glance) {
        return pv_preference_glance(preferred->preference, a->wish.point, GLANCE_SECONDS,
                                    &call->context, &preferred->answer, error);
    }
    if (is_known) {
        CLI_TRY(show_glance(call, p, error));
    }
    CLI_TRY(pv_preference_set_prove(preferred->preference, a->prove, error));
    return pv_preference_aspire(preferred->preference, a->wish.point, &call->context,
                                &preferred->answer, error);
}

/* The page says what it accepts by the wish that it asked for and a number in its answer. */
static pv_status accept_solution(kept *p, const web_wish *a, json_t **result, pv_error *error)
{
    const pv_aspiration *const was = &p->asked.wish.point;
    const bool is_same = p->preferred.answer != NULL &&
                         fabs(was->bias - a->wish.point.bias) <= 0.0 &&
                         fabs(was->loss - a->wish.point.loss) <= 0.0;
    if (!is_same || a->accepted > cli_preferred_n_others(&p->preferred)) {
        return cli_hint(cli_error(error, PV_STATUS_ARGUMENT,
                                  "`accept` must be the number of a solution in the last answer to "
                                  "this wish"),
                        error, "ask for the wish once more, then accept");
    }
    p->preferred.choice = (size_t)a->accepted;
    CLI_TRY(cli_preferred_accept(&p->preferred, error));
    *result = json_object();
    cli_json_set(*result, "accepted", cli_json_count(a->accepted));
    cli_json_set(*result, "session", p->session != NULL ? cli_json_text(p->session) : json_null());
    return a->wants_log ? add_log(*result, p, error) : PV_STATUS_OK;
}

/* Takes what was asked over. */
static pv_status wish_for(web_call *call, kept *p, web_wish *a, json_t **result, pv_error *error)
{
    const bool is_known = p->preferred.answer != NULL;
    forget_answer(p);
    p->asked = *a;
    *a = (web_wish){0};
    p->preferred.wish = &p->asked.wish;
    p->preferred.choice = 0;
    pv_status status = answer(call, p, is_known, error);
    if (status == PV_STATUS_OK) {
        status = document_of(p, !p->asked.is_glance, result, error);
    }
    if (status == PV_STATUS_OK && p->asked.wants_log) {
        status = add_log(*result, p, error);
    }
    if (status != PV_STATUS_OK) {
        forget_answer(p);
        return status;
    }
    return pv_answer_stopped(p->preferred.answer)
               ? cli_error(error, PV_STATUS_CANCELLED, "interrupted; this is the best so far")
               : PV_STATUS_OK;
}

static pv_status work(web_call *call, wishes *w, kept *p, web_wish *a, json_t **result,
                      pv_error *error)
{
    CLI_TRY(prepare(call, w, p, a, error));
    if (a->accepts) {
        return accept_solution(p, a, result, error);
    }
    if (a->has_wish || a->wish.steps > 0 || !a->wants_log) {
        return wish_for(call, p, a, result, error);
    }
    *result = json_object();
    cli_json_set(*result, "session", p->session != NULL ? cli_json_text(p->session) : json_null());
    return add_log(*result, p, error);
}

pv_status web_prefer(web_call *call, json_t **result, pv_error *error)
{
    static const char key_of_wishes = 0;
    web_wish a;
    kept *place = NULL;
    json_t *made = NULL;
    pv_status status = web_wish_read(call, &a, error);
    if (status == PV_STATUS_OK) {
        wishes *const w = web_kept(call, &key_of_wishes, create_wishes, destroy_wishes);
        status = take_place(w, call, web_wish_key(&a), &place, error);
        if (status == PV_STATUS_OK) {
            status = work(call, w, place, &a, &made, error);
            if (place->preferred.preference != NULL) {
                pv_preference_pause_session(place->preferred.preference);
            }
            give_back(w, place);
        }
    }
    web_wish_free(&a);
    if (status == PV_STATUS_OK || status == PV_STATUS_CANCELLED) {
        *result = made != NULL ? made : *result;
    } else {
        json_decref(made);
    }
    return status;
}
