/* A spec becomes a scheme with its classes: what every view of a candidate begins with.
 *
 * The same spec is asked for again and again: what it does to attributes, to people, to single
 * rows. So the last few are kept with the snapshot of the plan they were made under, by their text:
 *
 *     find --text--> kept?  ready    one user more
 *                           making   wait for whoever makes it, unless cancelled
 *                           no       the one least lately used that nobody uses goes; this one is
 * made
 *
 * A local recoding is searched for again; the search is counted, not timed, and finds the same
 * every time. */
#include "core/fail.h"
#include "core/json.h"
#include "core/measured.h"
#include "core/text.h"
#include "server/candidate.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#define MOST_KEPT 8
#define WAIT_NANOSECONDS 50000000L

typedef struct {
    web_candidate candidate; /* the first member: what users hold is the entry itself */
    char *text;              /* of the spec, in one spelling */
    bool ready, kept;        /* is it made; is it in the cache */
    size_t users;
    uint64_t used; /* when last */
    struct cache *cache;
    /* What the candidate borrows. */
    cli_opened cut;
    pv_scheme *scheme;
    pv_classes *classes;
    cli_demands demands;
    pv_budget budget;
    pv_local *local;
    char *line;
} entry;

typedef struct cache {
    pthread_mutex_t lock;
    pthread_cond_t made; /* something is ready, or was given up */
    entry *entries[MOST_KEPT];
    uint64_t clock;
} cache;

/* ----------------------------------------------------------------------- entry */

static void entry_free(entry *e)
{
    pv_classes_free(e->classes);
    pv_scheme_free(e->scheme);
    pv_local_free(e->local);
    cli_close(&e->cut);
    free(e->line);
    free(e->text);
    free(e);
}

typedef enum { SPEC_LEVELS, SPEC_CUTS, SPEC_LOCAL } spec_kind;

static pv_status kind_of(const json_t *spec, spec_kind *kind, pv_error *error)
{
    static const char *const names[] = {
        [SPEC_LEVELS] = "levels", [SPEC_CUTS] = "cuts", [SPEC_LOCAL] = "local"};
    const char *name = NULL;
    CLI_TRY(web_text_of(spec, "scheme", &name, error));
    for (size_t i = 0; name != NULL && i < sizeof names / sizeof *names; i++) {
        if (cli_equal(name, names[i])) {
            *kind = (spec_kind)i;
            return PV_STATUS_OK;
        }
    }
    return cli_error(error, PV_STATUS_ARGUMENT, "the `scheme` of a spec is levels, cuts or local");
}

static pv_status take_levels(entry *e, const pv_study *study, const json_t *spec, pv_error *error)
{
    const json_t *const list = json_object_get(spec, "levels");
    const size_t n = pv_study_quasis(study);
    if (!json_is_array(list) || json_array_size(list) != n) {
        return cli_error(error, PV_STATUS_ARGUMENT,
                         "`levels` needs %zu numbers, one for each quasi-identifier", n);
    }
    CLI_TRY(pv_scheme_create(study, &e->scheme, error));
    for (size_t q = 0; q < n; q++) {
        const json_t *const level = json_array_get(list, q);
        const unsigned height = pv_hierarchy_height(pv_study_hierarchy(study, q));
        if (!json_is_integer(level) || json_integer_value(level) < 0 ||
            json_integer_value(level) > height) {
            return cli_error(error, PV_STATUS_ARGUMENT, "the levels of '%s' are 0 to %u",
                             pv_study_quasi_name(study, q), height);
        }
        pv_scheme_set_level(e->scheme, q, (uint8_t)json_integer_value(level));
    }
    return PV_STATUS_OK;
}

/* As their file has them. */
pv_status web_cuts_of(const json_t *spec, pv_cuts **cuts, pv_error *error)
{
    json_t *const given = json_object_get(spec, "cuts");
    if (!json_is_object(given)) {
        return cli_error(error, PV_STATUS_ARGUMENT, "`cuts` is an object by attribute");
    }
    json_t *const file = json_pack("{sO}", "cuts", given);
    char *const text = file != NULL ? json_dumps(file, JSON_COMPACT) : NULL;
    json_decref(file);
    if (text == NULL) {
        cli_no_memory();
    }
    const pv_status status = pv_cuts_parse("cuts", text, strlen(text), cuts, error);
    free(text);
    return status;
}

/* From here on the table is seen through the cuts. */
static pv_status take_cuts(entry *e, const pv_study *study, const json_t *spec, pv_error *error)
{
    pv_cuts *cuts = NULL;
    CLI_TRY(web_cuts_of(spec, &cuts, error));
    const pv_status status = cli_see_through_cuts(study, cuts, &e->cut, error);
    pv_cuts_free(cuts);
    CLI_TRY(status);
    return pv_scheme_from_plan(e->cut.study, &e->scheme, error);
}

/* As `release --scheme local` finds it. */
static pv_status take_local(entry *e, const web_call *call, const json_t *spec, pv_error *error)
{
    pv_local_options options = {.size = sizeof options,
                                .context = &call->context,
                                .demands = e->demands.list,
                                .n_demands = e->demands.n,
                                .budget = &e->budget};
    CLI_TRY(web_text_of(spec, "minimize", &options.minimize, error));
    if (e->demands.n == 0) {
        return cli_hint(cli_error(error, PV_STATUS_ARGUMENT,
                                  "local recoding needs to know what every class must keep"),
                        error, "demand something, such as k=5");
    }
    CLI_TRY(pv_local_find(call->snapshot->opened.study, &options, &e->local, error));
    if (pv_local_stop(e->local) ==
        PV_STOP_CANCELLED) { /* it would be another one when asked for again */
        return cli_error(error, PV_STATUS_CANCELLED, "cancelled");
    }
    e->scheme = pv_local_take_scheme(e->local);
    return PV_STATUS_OK;
}

static pv_status take_demands(entry *e, const pv_plan *plan, const json_t *spec, pv_error *error)
{
    const char *require = NULL;
    const char *suppression = NULL;
    CLI_TRY(web_text_of(spec, "require", &require, error));
    CLI_TRY(web_text_of(spec, "suppression", &suppression, error));
    CLI_TRY(pv_plan_demands(plan, e->demands.list, &e->demands.n, error));
    CLI_TRY(cli_demands_add(&e->demands, require != NULL && require[0] != '\0' ? require : NULL,
                            error));
    if (pv_plan_target_k(plan) > 0) {
        const pv_constraint k = {.ref = {.measure = pv_measure_find("k")},
                                 .bound = (double)pv_plan_target_k(plan)};
        CLI_TRY(pv_constraints_add(e->demands.list, &e->demands.n, &k, error));
    }
    e->budget = pv_plan_budget(plan);
    if (suppression != NULL && !pv_budget_parse(suppression, &e->budget)) {
        return cli_hint(cli_error(error, PV_STATUS_ARGUMENT,
                                  "`suppression` is neither a share nor a number of rows"),
                        error, "write 1%% or 300");
    }
    return PV_STATUS_OK;
}

static pv_status take_scheme(entry *e, const web_call *call, const json_t *spec, pv_error *error)
{
    const pv_study *const study = call->snapshot->opened.study;
    spec_kind kind = SPEC_LEVELS;
    CLI_TRY(kind_of(spec, &kind, error));
    switch (kind) {
    case SPEC_LEVELS: return take_levels(e, study, spec, error);
    case SPEC_CUTS: return take_cuts(e, study, spec, error);
    default: return take_local(e, call, spec, error);
    }
}

static pv_status take_line(entry *e, const web_call *call, const json_t *spec, pv_error *error)
{
    json_t *options = NULL;
    CLI_TRY(web_spec_options(call, spec, "cuts.json", &options, error));
    e->line = web_line(call, options);
    json_decref(options);
    return PV_STATUS_OK;
}

static pv_status entry_make(entry *e, const web_call *call, const json_t *spec, pv_error *error)
{
    const cli_opened *const opened = &call->snapshot->opened;
    CLI_TRY(take_line(e, call, spec, error));
    CLI_TRY(take_demands(e, opened->plan, spec, error));
    CLI_TRY(take_scheme(e, call, spec, error));
    const cli_opened *const seen = e->cut.study != NULL ? &e->cut : opened;
    const uint64_t budget = pv_budget_rows(&e->budget, pv_table_rows(pv_study_table(seen->study)));
    CLI_TRY(pv_scheme_classes(seen->study, e->scheme, e->demands.list, e->demands.n, budget,
                              &e->classes, error));
    e->candidate = (web_candidate){.opened = {.plan = seen->plan,
                                              .study = seen->study,
                                              .profile = pv_classes_profile(e->classes)},
                                   .scheme = e->scheme,
                                   .classes = e->classes,
                                   .demands = e->demands.list,
                                   .n_demands = e->demands.n,
                                   .local = e->local,
                                   .line = e->line,
                                   .budget = budget};
    return PV_STATUS_OK;
}

/* ----------------------------------------------------------------------- cache */

static void *cache_create(const web_snapshot *snapshot)
{
    (void)snapshot;
    cache *const c = cli_zeroed(1, sizeof *c);
    pthread_condattr_t monotonic;
    (void)pthread_condattr_init(&monotonic);
    (void)pthread_condattr_setclock(&monotonic, CLOCK_MONOTONIC);
    (void)pthread_mutex_init(&c->lock, NULL);
    (void)pthread_cond_init(&c->made, &monotonic);
    (void)pthread_condattr_destroy(&monotonic);
    return c;
}

/* Nobody uses the snapshot any more, and so none of these. */
static void cache_destroy(void *kept)
{
    cache *const c = kept;
    for (size_t i = 0; i < MOST_KEPT; i++) {
        if (c->entries[i] != NULL) {
            entry_free(c->entries[i]);
        }
    }
    (void)pthread_cond_destroy(&c->made);
    (void)pthread_mutex_destroy(&c->lock);
    free(c);
}

static entry *cache_look(const cache *c, const char *text)
{
    for (size_t i = 0; i < MOST_KEPT; i++) {
        if (c->entries[i] != NULL && cli_equal(c->entries[i]->text, text)) {
            return c->entries[i];
        }
    }
    return NULL;
}

/* Who goes first: what is made again in a moment before a local recoding, which is searched for;
 * then what was not used for longest. */
static bool goes_before(const entry *a, const entry *b)
{
    return (a->local != NULL) != (b->local != NULL) ? a->local == NULL : a->used < b->used;
}

/* Takes a place that is free, or that of an entry that nobody uses. If all are in use, the new one
 * is not kept. */
static void cache_put(cache *c, entry *e)
{
    entry **place = NULL;
    for (size_t i = 0; i < MOST_KEPT; i++) {
        entry **const here = &c->entries[i];
        const bool may = *here == NULL || ((*here)->ready && (*here)->users == 0);
        if (may &&
            (place == NULL || *here == NULL || (*place != NULL && goes_before(*here, *place)))) {
            place = here;
        }
        if (*here == NULL) {
            break;
        }
    }
    if (place == NULL) {
        return;
    }
    if (*place != NULL) {
        entry_free(*place);
    }
    *place = e;
    e->kept = true;
}

static void cache_forget(cache *c, const entry *e)
{
    for (size_t i = 0; i < MOST_KEPT; i++) {
        c->entries[i] = c->entries[i] == e ? NULL : c->entries[i];
    }
}

static bool goes_on(const web_call *call)
{
    const pv_progress waiting = {.phase = "waiting"};
    return call->context.progress == NULL ||
           call->context.progress(call->context.progress_ctx, &waiting);
}

/* Waits until it is ready, or nobody makes it any more: then NULL. The lock is held. */
static pv_status cache_wait(cache *c, const web_call *call, const char *text, entry **found,
                            pv_error *error)
{
    *found = cache_look(c, text);
    while (*found != NULL && !(*found)->ready) {
        struct timespec until;
        (void)clock_gettime(CLOCK_MONOTONIC, &until);
        until.tv_nsec += WAIT_NANOSECONDS;
        until.tv_sec += until.tv_nsec / 1000000000L;
        until.tv_nsec %= 1000000000L;
        (void)pthread_cond_timedwait(&c->made, &c->lock, &until);
        (void)pthread_mutex_unlock(&c->lock);
        const bool wanted = goes_on(call);
        (void)pthread_mutex_lock(&c->lock);
        if (!wanted) {
            return cli_error(error, PV_STATUS_CANCELLED, "cancelled");
        }
        *found = cache_look(c, text);
    }
    return PV_STATUS_OK;
}

/* ------------------------------------------------------------------------ find */

/* Made by this caller, while others wait. */
static pv_status make(cache *c, entry *e, const web_call *call, const json_t *spec, pv_error *error)
{
    const pv_status status = entry_make(e, call, spec, error);
    (void)pthread_mutex_lock(&c->lock);
    e->ready = status == PV_STATUS_OK;
    if (!e->ready) {
        cache_forget(c, e);
    }
    (void)pthread_cond_broadcast(&c->made);
    (void)pthread_mutex_unlock(&c->lock);
    if (status != PV_STATUS_OK) {
        entry_free(e);
    }
    return status;
}

pv_status web_candidate_find(web_call *call, const json_t *spec, web_candidate **candidate,
                             pv_error *error)
{
    static const char key;
    cache *const c = web_kept(call, &key, cache_create, cache_destroy);
    char *const text = json_dumps(spec, JSON_COMPACT | JSON_SORT_KEYS);
    entry *e = NULL;
    if (c == NULL || text == NULL) {
        cli_no_memory();
    }
    (void)pthread_mutex_lock(&c->lock);
    pv_status status = cache_wait(c, call, text, &e, error);
    const bool is_new = status == PV_STATUS_OK && e == NULL;
    if (is_new) {
        e = cli_zeroed(1, sizeof *e);
        e->text = cli_copy(text);
        e->cache = c;
        cache_put(c, e);
    }
    if (status == PV_STATUS_OK) {
        e->users++;
        e->used = ++c->clock;
    }
    (void)pthread_mutex_unlock(&c->lock);
    free(text);
    if (is_new) {
        status = make(c, e, call, spec, error);
    }
    if (status == PV_STATUS_OK) {
        *candidate = &e->candidate;
    }
    return status;
}

void web_candidate_release(web_candidate *candidate)
{
    if (candidate == NULL) {
        return;
    }
    entry *const e = (entry *)(void *)candidate;
    cache *const c = e->cache;
    (void)pthread_mutex_lock(&c->lock);
    e->users--;
    const bool is_last = !e->kept && e->users == 0;
    (void)pthread_mutex_unlock(&c->lock);
    if (is_last) {
        entry_free(e);
    }
}

/* -------------------------------------------------------------------- the line */

/* As many as there can be quasi-identifiers, and more. */
#define MOST_LEVELS 10000

static pv_status add_levels(json_t *options, const json_t *levels, pv_error *error)
{
    char *list = cli_copy("");
    bool fine = json_array_size(levels) > 0 && json_array_size(levels) <= MOST_LEVELS;
    for (size_t q = 0; fine && q < json_array_size(levels); q++) {
        const json_t *const level = json_array_get(levels, q);
        fine &= json_is_integer(level) && json_integer_value(level) >= 0;
        cli_append(&list, "%s%lld", q > 0 ? "," : "", (long long)json_integer_value(level));
    }
    cli_json_set(options, "levels", cli_json_text(list));
    free(list);
    return fine ? PV_STATUS_OK
                : cli_error(error, PV_STATUS_ARGUMENT, "`levels` is a list of whole numbers");
}

static pv_status add_text(json_t *options, const json_t *spec, const char *name, pv_error *error)
{
    const char *text = NULL;
    CLI_TRY(web_text_of(spec, name, &text, error));
    if (text != NULL && text[0] != '\0') {
        cli_json_set(options, name, cli_json_text(text));
    }
    return PV_STATUS_OK;
}

static pv_status add_spec(const web_call *call, const json_t *spec, const char *cuts,
                          json_t *options, pv_error *error)
{
    spec_kind kind = SPEC_LEVELS;
    CLI_TRY(kind_of(spec, &kind, error));
    if (kind == SPEC_LOCAL) {
        cli_json_set(options, "scheme", cli_json_text("local"));
    } else if (kind == SPEC_CUTS) {
        cli_json_set(options, "cuts", cli_json_text(cuts));
    } else {
        CLI_TRY(add_levels(options, json_object_get(spec, "levels"), error));
    }
    CLI_TRY(add_text(options, spec, "require", error));
    CLI_TRY(add_text(options, spec, "suppression", error));
    if (kind == SPEC_LOCAL) {
        return add_text(options, spec, "minimize", error);
    }
    if (pv_plan_whole_budget(
            call->snapshot->opened.plan)) { /* no more is suppressed than must be */
        cli_json_set(options, "suppress", cli_json_text("as-needed"));
    }
    return PV_STATUS_OK;
}

pv_status web_spec_options(const web_call *call, const json_t *spec, const char *cuts,
                           json_t **options, pv_error *error)
{
    json_t *const made = json_object();
    const pv_status status = add_spec(call, spec, cuts, made, error);
    if (status != PV_STATUS_OK) {
        json_decref(made);
        return status;
    }
    *options = made;
    return PV_STATUS_OK;
}

/* In the order in which the options were set. */
char *web_line(const web_call *call, const json_t *options)
{
    const char *name;
    json_t *value;
    char *const plan = cli_shell_operand(call->snapshot->plan_path);
    char *line = cli_format("paravent release %s", plan);
    json_object_foreach((json_t *)(uintptr_t)options, name, value)
    {
        if (json_is_true(value)) {
            line = cli_with_flag(line, name, true);
        } else if (json_is_string(value)) {
            line = cli_with_text(line, name, json_string_value(value));
        } else if (json_is_integer(value)) {
            const cli_count count = {.given = true, .value = (uint64_t)json_integer_value(value)};
            line = cli_with_count(line, name, count);
        }
    }
    free(plan);
    return line;
}

/* --------------------------------------------------------------------- classes */

size_t *web_examples(const pv_classes *classes)
{
    const pv_profile *const profile = pv_classes_profile(classes);
    size_t *const examples = cli_zeroed(pv_classes_total(classes) + 1, sizeof *examples);
    for (size_t t = pv_profile_tuples(profile); t-- > 0;) { /* the first of each stays */
        examples[pv_classes_of_tuple(classes, t)] = t;
    }
    return examples;
}

double web_lost(const pv_classes *classes, size_t tuple, size_t quasi)
{
    const pv_profile *const profile = pv_classes_profile(classes);
    const pv_hierarchy *const h = pv_study_hierarchy(pv_profile_study(profile), quasi);
    if (pv_classes_is_suppressed(classes, pv_classes_of_tuple(classes, tuple))) {
        return 1;
    }
    const unsigned level = pv_classes_level(classes, tuple, quasi);
    const uint32_t group = pv_hierarchy_group(h, level, pv_profile_leaf(profile, tuple, quasi));
    const double domain = (double)pv_hierarchy_group_leaves(h, pv_hierarchy_height(h), 0);
    const double leaves = (double)pv_hierarchy_group_leaves(h, level, group);
    return domain > 1 ? (leaves - 1) / (domain - 1) : 0;
}
