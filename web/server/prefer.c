/* `prefer`: from wish to wish.
 *
 *     glance   the wish is being dragged: an answer within the time that a hand does not notice,
 * from what is known and a short search; not proven, noted nowhere wish     the wish stands:
 * searched and proven as the command does it, and a step of the session
 *
 * What was evaluated for one wish answers the next, so preferences are kept with the snapshot, one
 * for each k, demands, measures and rule of groups, the four used last. One job at a time works
 * with one of them. Each has a session file beside the plan, with which `paravent prefer --session`
 * goes on; one whose name is taken by other demands has the next name. */
#include "prefer/prefer.h"

#include "core/fail.h"
#include "core/json.h"
#include "core/text.h"
#include "server/asked.h"
#include "server/endpoints.h"

#include <errno.h>
#include <math.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#define MOST_PREFERENCES 4
#define GLANCE_SECONDS 0.05
#define MOST_PROVE 3600.0
#define MOST_STEPS 1000
#define MOST_WEIGHT 1e9
#define MOST_NAMES 9 /* of session files that are tried */
#define MOST_KNOWN 2000
#define WAIT_NANOSECONDS 50000000

/* ------------------------------------------------------------------ asked */

/* The params as options of the command, so that both understand the same. */
typedef struct {
    char *texts[5]; /* aspire, weights, from, prove, require: what `given` points to */
    cli_prefer given;
    cli_wish wish;
    bool has_wish, is_glance, wants_log;
    double prove;
    bool accepts;
    uint64_t accepted; /* a number of a solution */
} asked;

enum { ASPIRE, WEIGHTS, FROM, PROVE, REQUIRE, N_TEXTS };

static void free_asked(asked *a)
{
    cli_wish_free(&a->wish);
    for (size_t i = 0; i < N_TEXTS; i++) {
        free(a->texts[i]);
    }
    *a = (asked){0};
}

/* "necd=0.3,nwp=0.2": the sides of the wish that were spoken of, by their measures. */
static pv_status read_aspire(const json_t *params, asked *a, pv_error *error)
{
    static const char *const sides[] = {"bias", "loss", NULL};
    const char *names[] = {CLI_USUAL_BIAS, CLI_USUAL_LOSS};
    const json_t *wish = NULL;
    char *text = cli_copy("");
    pv_status status = PV_STATUS_OK;
    CLI_TRY_CLEAN(web_asked_text(params, "bias", &names[0], error));
    CLI_TRY_CLEAN(web_asked_text(params, "loss", &names[1], error));
    CLI_TRY_CLEAN(web_asked_object(params, "wish", &wish, error));
    CLI_TRY_CLEAN(wish != NULL ? web_asked_only(wish, sides, error) : PV_STATUS_OK);
    a->has_wish = wish != NULL;
    for (size_t i = 0; i < 2; i++) {
        /* Whoever speaks of one side only does not care for the bias, or wants the least loss: as
         * in the command, but with the measures that were named. */
        double value = i == 0 || json_object_get(wish, "bias") != NULL ? CLI_ALL_THERE_IS : 0;
        if (wish != NULL) {
            CLI_TRY_CLEAN(web_asked_number(wish, sides[i], 0, CLI_ALL_THERE_IS, &value, error));
        }
        cli_append(&text, "%s%s=%.6g", i > 0 ? "," : "", names[i], value);
    }
cleanup:
    a->texts[ASPIRE] = text;
    return status;
}

/* "age=3,sex=0.5" */
static pv_status read_weights(const json_t *params, asked *a, pv_error *error)
{
    const json_t *weights = NULL;
    const char *name = NULL;
    json_t *ignored = NULL;
    CLI_TRY(web_asked_object(params, "weights", &weights, error));
    if (json_object_size(weights) == 0) {
        return PV_STATUS_OK;
    }
    a->texts[WEIGHTS] = cli_copy("");
    json_object_foreach((json_t *)(uintptr_t)weights, name, ignored)
    {
        double weight = 1;
        CLI_TRY(web_asked_number(weights, name, 0, MOST_WEIGHT, &weight, error));
        cli_append(&a->texts[WEIGHTS], "%s%s=%.6g", a->texts[WEIGHTS][0] != '\0' ? "," : "", name,
                   weight);
    }
    return PV_STATUS_OK;
}

/* "1,0.2" */
static pv_status read_from(const json_t *params, asked *a, pv_error *error)
{
    static const char *const sides[] = {"bias", "loss", NULL};
    const json_t *from = NULL;
    double bias = CLI_ALL_THERE_IS;
    double loss = 0;
    uint64_t steps = 0;
    CLI_TRY(web_asked_object(params, "from", &from, error));
    CLI_TRY(web_asked_count(params, "steps", 1, MOST_STEPS, &steps, error));
    if (from == NULL) {
        return steps == 0 ? PV_STATUS_OK
                          : cli_error(error, PV_STATUS_ARGUMENT, "`steps` needs `from`");
    }
    CLI_TRY(web_asked_only(from, sides, error));
    CLI_TRY(web_asked_number(from, "bias", 0, CLI_ALL_THERE_IS, &bias, error));
    CLI_TRY(web_asked_number(from, "loss", 0, CLI_ALL_THERE_IS, &loss, error));
    a->texts[FROM] = cli_format("%.6g,%.6g", bias, loss);
    a->given.steps = (cli_count){.given = steps > 0, .value = steps};
    return PV_STATUS_OK;
}

static pv_status read_numbers(const json_t *params, asked *a, pv_error *error)
{
    uint64_t k = 0;
    uint64_t accepted = UINT64_MAX;
    bool free_groups = false;
    CLI_TRY(web_asked_count(params, "k", 1, INT64_MAX, &k, error));
    CLI_TRY(web_asked_number(params, "prove", 0, MOST_PROVE, &a->prove, error));
    CLI_TRY(web_asked_flag(params, "free_groups", &free_groups, error));
    CLI_TRY(web_asked_flag(params, "log", &a->wants_log, error));
    CLI_TRY(web_asked_count(params, "accept", 0, INT64_MAX, &accepted, error));
    a->is_glance = !(a->prove > 0);
    a->accepts = accepted != UINT64_MAX;
    a->accepted = accepted;
    a->given.k = (cli_count){.given = k > 0, .value = k};
    a->given.free_groups = free_groups;
    if (a->prove > 0) {
        a->texts[PROVE] = cli_format("%.6g", a->prove);
    }
    return PV_STATUS_OK;
}

static pv_status read_asked(const web_call *call, asked *a, pv_error *error)
{
    static const char *const names[] = {"k",     "require", "bias", "loss",  "wish",
                                        "prove", "weights", "from", "steps", "free_groups",
                                        "log",   "accept",  NULL};
    const json_t *const params = call->params;
    *a = (asked){0};
    CLI_TRY(web_asked_only(params, names, error));
    CLI_TRY(read_numbers(params, a, error));
    CLI_TRY(read_aspire(params, a, error));
    CLI_TRY(read_weights(params, a, error));
    CLI_TRY(read_from(params, a, error));
    CLI_TRY(web_asked_list(params, "require", &a->texts[REQUIRE], error));
    a->given.aspire = a->texts[ASPIRE];
    a->given.weights = a->texts[WEIGHTS];
    a->given.from = a->texts[FROM];
    a->given.prove = a->texts[PROVE];
    a->given.require = a->texts[REQUIRE];
    CLI_TRY(cli_wish_read(&a->given, &a->wish, error));
    return cli_wish_add_plan(&a->wish, call->snapshot->opened.plan, error);
}

/* What a preference is for: everything but the wish, the weights and the time. Owned. */
static char *key_of(const asked *a)
{
    char *key = cli_format("%llu|%s|%s|%d", (unsigned long long)a->wish.options.k,
                           a->wish.bias.measure->name, a->wish.loss.measure->name,
                           a->wish.options.free_groups);
    for (size_t i = 0; i < a->wish.demands.n; i++) {
        char text[PV_MEASURE_TEXT_SIZE];
        pv_constraint_text(&a->wish.demands.list[i], text, sizeof text);
        cli_append(&key, "|%s", text);
    }
    return key;
}

/* ------------------------------------------------------------------- kept */

/* A preference with the last answer. While `busy`, one job has it; all but `key`, `busy`, `used`
 * and `session`, which the lock guards, is that job's. */
typedef struct kept {
    char *key; /* NULL = nothing is here */
    bool busy;
    uint64_t used; /* when, for whoever has to go */
    char *session; /* the name of its file; NULL = none */
    asked asked;   /* what `preferred` answers */
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
    free_asked(&p->asked);
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
                status = pv_preference_open_session(own->preferred.preference, file, &why);
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

/* ----------------------------------------------------------------- answer */

static pv_status prepare(web_call *call, wishes *w, kept *p, const asked *a, pv_error *error)
{
    const pv_preference_options options = cli_wish_options(&a->wish);
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
    const asked *const a = &p->asked;
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
static pv_status accept_solution(kept *p, const asked *a, json_t **result, pv_error *error)
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
static pv_status wish_for(web_call *call, kept *p, asked *a, json_t **result, pv_error *error)
{
    const bool is_known = p->preferred.answer != NULL;
    forget_answer(p);
    p->asked = *a;
    *a = (asked){0};
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

static pv_status work(web_call *call, wishes *w, kept *p, asked *a, json_t **result,
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
    asked a;
    kept *place = NULL;
    json_t *made = NULL;
    pv_status status = read_asked(call, &a, error);
    if (status == PV_STATUS_OK) {
        wishes *const w = web_kept(call, &key_of_wishes, create_wishes, destroy_wishes);
        status = take_place(w, call, key_of(&a), &place, error);
        if (status == PV_STATUS_OK) {
            status = work(call, w, place, &a, &made, error);
            give_back(w, place);
        }
    }
    free_asked(&a);
    if (status == PV_STATUS_OK || status == PV_STATUS_CANCELLED) {
        *result = made != NULL ? made : *result;
    } else {
        json_decref(made);
    }
    return status;
}
