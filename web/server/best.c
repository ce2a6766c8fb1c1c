/* `best`: the scheme of least loss that keeps the demands, as they are at this moment of a slider's
 * way.
 *
 * Mostly the best is proven before a hand notices. Where a first look proves nothing, what it found
 * is shown and the search goes on from there. If nothing keeps the demands, the answer says which
 * of them is too much and what would be possible: the same words as the command's. */
#include "core/fail.h"
#include "core/json.h"
#include "core/text.h"
#include "release/release.h"
#include "server/asked.h"
#include "server/endpoints.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define FIRST_SECONDS 0.15
#define USUAL_SECONDS 1.0
#define MOST_SECONDS 3600.0

/* What was asked for, and what came of it. */
typedef struct {
    web_call *call;
    web_demands demands;
    cli_demands searched; /* with the k that the plan has as its target */
    const char *scheme;   /* levels, cuts or local */
    char *minimize;       /* NULL = glm */
    double seconds;
    bool wants_neighbours;
    pv_best *best;
    pv_local *local;
    cli_neighbour neighbours[CLI_MOST_NEIGHBOURS];
    size_t n_neighbours;
} asked;

static pv_status read_asked(web_call *call, asked *a, pv_error *error)
{
    static const char *const names[] = {"require", "suppression", "scheme", "minimize",
                                        "seconds", "neighbours",  NULL};
    *a = (asked){.call = call, .scheme = "levels", .seconds = USUAL_SECONDS};
    CLI_TRY(web_asked_only(call->params, names, error));
    CLI_TRY(web_asked_text(call->params, "scheme", &a->scheme, error));
    if (!cli_equal(a->scheme, "levels") && !cli_equal(a->scheme, "cuts") &&
        !cli_equal(a->scheme, "local")) {
        return cli_error(error, PV_STATUS_ARGUMENT, "`scheme` must be levels, cuts or local");
    }
    CLI_TRY(web_asked_number(call->params, "seconds", 0.01, MOST_SECONDS, &a->seconds, error));
    CLI_TRY(web_asked_flag(call->params, "neighbours", &a->wants_neighbours, error));
    CLI_TRY(web_demands_read(call, &a->demands, error));
    CLI_TRY(web_asked_list(call->params, "minimize", &a->minimize, error));
    a->searched = a->demands.all;
    if (a->demands.suppression.target_k > 0) {
        const pv_constraint k = {.ref = {.measure = pv_measure_find("k")},
                                 .bound = (double)a->demands.suppression.target_k};
        CLI_TRY(pv_constraints_add(a->searched.list, &a->searched.n, &k, error));
    }
    return PV_STATUS_OK;
}

static void free_asked(asked *a)
{
    for (size_t i = 0; i < a->n_neighbours; i++) {
        pv_best_free(a->neighbours[i].best);
    }
    pv_best_free(a->best);
    pv_local_free(a->local);
    web_demands_free(&a->demands);
    free(a->minimize);
}

static cli_question question_of(const asked *a)
{
    return (cli_question){.study = a->call->snapshot->opened.study,
                          .context = &a->call->context,
                          .kind = cli_equal(a->scheme, "cuts") ? PV_SCHEME_CUTS : PV_SCHEME_LEVELS,
                          .demands = &a->searched,
                          .budget = &a->demands.budget,
                          .seconds = a->seconds,
                          .minimize = a->minimize};
}

/* ---------------------------------------------------------------- in words */

/* ", and 240 of 30,162 rows are suppressed". Owned. */
static char *suppressed_words(const asked *a, uint64_t suppressed)
{
    const uint64_t rows = pv_profile_rows(a->call->snapshot->opened.profile);
    return suppressed == 0
               ? cli_copy(", and nobody is suppressed")
               : cli_format(", and %s of %s %s suppressed", cli_count_text(suppressed).text,
                            cli_count_text(rows).text, rows == 1 ? "row is" : "rows are");
}

/* "30.71% of the detail is lost (glm)", "the loss is 12 (cm)". Owned. */
static char *lost_words(const asked *a, pv_measure_ref loss, double value)
{
    const pv_profile *const profile = a->call->snapshot->opened.profile;
    const double share = pv_measure_share(loss.measure, profile, value);
    return isfinite(share) && loss.measure->detail_share
               ? cli_format("%.2f%% of the detail is lost (%s)", 100 * share, loss.measure->name)
           : loss.measure->direction == PV_MORE_IS_BETTER
               ? cli_format("%s is %s", loss.measure->name, cli_value_text(value).text)
               : cli_format("the loss is %s (%s)", cli_value_text(value).text, loss.measure->name);
}

/* "Keeps k >= 5: 30.71% of the detail is lost (glm), and nobody is suppressed. ENDING." Owned. */
static char *sentence(const asked *a, pv_measure_ref loss, double value, uint64_t suppressed,
                      const char *ending)
{
    char *const words = web_demands_words(&a->searched);
    char *const lost = lost_words(a, loss, value);
    char *const hidden = suppressed_words(a, suppressed);
    char *const text =
        cli_format("%s%s: %s%s. %s.", words != NULL ? "Keeps " : "Nothing is demanded",
                   words != NULL ? words : "", lost, hidden, ending);
    free(words);
    free(lost);
    free(hidden);
    if (ending[0] >= 'a' && ending[0] <= 'z') { /* endings are parts of the command's sentences */
        char *const at = text + strlen(text) - strlen(ending) - 1;
        *at = (char)(*at - 'a' + 'A');
    }
    return text;
}

static char *best_sentence(const asked *a)
{
    char *const proof = cli_best_proof_text(a->call->snapshot->opened.profile, a->best, "");
    char *const text = sentence(a, pv_best_loss(a->best), pv_best_value(a->best),
                                pv_best_suppressed(a->best), proof);
    free(proof);
    return text;
}

static char *local_sentence(const asked *a)
{
    char gap[64];
    char *ending = NULL;
    pv_gap_text(pv_local_gap(a->local), PV_GAP_SENTENCE, gap, sizeof gap);
    if (isinf(pv_local_gap(a->local))) {
        ending = cli_copy("How much less another local recoding could lose is not known");
    } else if (pv_local_gap(a->local) <= 0) {
        ending = cli_copy("Proven: no local recoding can lose less");
    } else {
        ending = cli_format("Proven: the loss is %s", gap);
    }
    char *const text = sentence(a, pv_local_loss(a->local), pv_local_value(a->local),
                                pv_local_suppressed(a->local), ending);
    free(ending);
    return text;
}

/* ----------------------------------------------------------------- answer */

static pv_status best_spec(const asked *a, json_t **spec, pv_error *error)
{
    const pv_scheme *const scheme = pv_best_scheme(a->best);
    size_t n = 0;
    const uint8_t *const levels = pv_scheme_levels(scheme, &n);
    json_t *cuts = NULL;
    if (levels == NULL) {
        CLI_TRY(cli_cuts_json(pv_scheme_cuts(scheme), &cuts, error));
    }
    *spec = json_object();
    cli_json_set(*spec, "scheme", json_string(levels != NULL ? "levels" : "cuts"));
    if (levels == NULL) {
        cli_json_set(*spec, "cuts", cuts);
    } else {
        json_t *const list = json_array();
        for (size_t q = 0; q < n; q++) {
            cli_json_append(list, cli_json_count(levels[q]));
        }
        cli_json_set(*spec, "levels", list);
    }
    web_demands_to_spec(&a->demands, *spec);
    return PV_STATUS_OK;
}

static json_t *local_spec(const asked *a)
{
    json_t *const spec = json_object();
    cli_json_set(spec, "scheme", json_string("local"));
    web_demands_to_spec(&a->demands, spec);
    if (a->minimize != NULL) {
        cli_json_set(spec, "minimize", cli_json_text(a->minimize));
    }
    return spec;
}

/* Members that every answer has; those that do not apply are null. */
static json_t *document(json_t *best, json_t *local, json_t *spec, char *words, json_t *impossible)
{
    json_t *const answer = json_object();
    cli_json_set(answer, "best", best != NULL ? best : json_null());
    cli_json_set(answer, "local", local != NULL ? local : json_null());
    cli_json_set(answer, "spec", spec != NULL ? spec : json_null());
    cli_json_set(answer, "sentence", cli_json_text(words));
    cli_json_set(answer, "impossible", impossible != NULL ? impossible : json_null());
    free(words);
    return answer;
}

static pv_status best_document(const asked *a, json_t **answer, pv_error *error)
{
    json_t *spec = NULL;
    CLI_TRY(best_spec(a, &spec, error));
    *answer = document(cli_best_json(a->best, &a->searched, a->neighbours, a->n_neighbours), NULL,
                       spec, best_sentence(a), NULL);
    return PV_STATUS_OK;
}

/* ------------------------------------------------------------- impossible */

static json_t *constraint_json(const pv_constraint *constraint)
{
    char text[PV_MEASURE_TEXT_SIZE];
    json_t *const object = json_object();
    pv_constraint_text(constraint, text, sizeof text);
    cli_json_set(object, "constraint", cli_json_text(text));
    cli_json_set(object, "measure", cli_json_text(cli_measure_name(constraint->ref).text));
    cli_demand_column_json(object, constraint);
    cli_json_set(object, "bound", cli_json_number(constraint->bound));
    return object;
}

/* "No way to generalize keeps k >= 900 with at most 3 rows suppressed: this is proven. At most
 * k >= 812 would be possible." Owned. */
static char *impossible_sentence(const cli_too_much *too_much, uint64_t budget)
{
    char *const text = cli_too_much_text(too_much, budget);
    char *const nearest = cli_too_much_nearest(too_much);
    text[0] = (char)(text[0] >= 'a' && text[0] <= 'z' ? text[0] - 'a' + 'A' : text[0]);
    if (nearest != NULL && nearest[0] >= 'a' && nearest[0] <= 'z' && too_much->sure) {
        nearest[0] = (char)(nearest[0] - 'a' + 'A');
    }
    char *const words = cli_format("%s.%s%s%s", text, nearest != NULL ? " " : "",
                                   nearest != NULL ? nearest : "", nearest != NULL ? "." : "");
    free(nearest);
    free(text);
    return words;
}

static pv_status impossible_document(const asked *a, json_t **answer, pv_error *error)
{
    const cli_question question = question_of(a);
    cli_too_much too_much;
    CLI_TRY(cli_too_much_find(&question, pv_best_is_proven(a->best), &too_much, error));
    json_t *const why = json_object();
    cli_json_set(why, "proven", cli_json_bool(too_much.proven));
    cli_json_set(why, "demand",
                 too_much.possible ? json_null() : constraint_json(&too_much.demand));
    cli_json_set(why, "together", cli_json_bool(!too_much.possible && too_much.n > 1));
    cli_json_set(why, "possible",
                 too_much.found ? constraint_json(&too_much.nearest) : json_null());
    cli_json_set(why, "most", cli_json_bool(too_much.found && too_much.sure));
    *answer = document(NULL, NULL, NULL,
                       impossible_sentence(&too_much, a->demands.suppression.budget), why);
    return PV_STATUS_OK;
}

/* That nothing was found, while it is looked for why. */
static void show_impossible(asked *a)
{
    json_t *const why = json_object();
    cli_json_set(why, "proven", cli_json_bool(pv_best_is_proven(a->best)));
    cli_json_set(why, "demand", json_null());
    cli_json_set(why, "together", cli_json_bool(false));
    cli_json_set(why, "possible", json_null());
    cli_json_set(why, "most", cli_json_bool(false));
    web_partial(a->call, document(NULL, NULL, NULL,
                                  cli_copy("Nothing keeps all of this. Looking for what would be "
                                           "possible."),
                                  why));
}

/* ------------------------------------------------------------------ search */

/* The first look, and if it proves nothing and there is more time, the search from there. */
static pv_status search(asked *a, pv_error *error)
{
    cli_question question = question_of(a);
    question.seconds = fmin(a->seconds, FIRST_SECONDS);
    CLI_TRY(cli_question_ask(&question, &a->best, error));
    if (pv_best_is_proven(a->best) || pv_best_stop(a->best) == PV_STOP_CANCELLED ||
        a->seconds <= FIRST_SECONDS) {
        return PV_STATUS_OK;
    }
    if (pv_best_scheme(a->best) != NULL) {
        json_t *first = NULL;
        CLI_TRY(best_document(a, &first, error));
        web_partial(a->call, first);
    }
    pv_best *better = NULL;
    question.seconds = a->seconds - question.seconds;
    question.known = a->best;
    CLI_TRY(cli_question_ask(&question, &better, error));
    pv_best_free(a->best);
    a->best = better;
    return PV_STATUS_OK;
}

static pv_status answer_best(asked *a, json_t **result, pv_error *error)
{
    CLI_TRY(search(a, error));
    const bool cancelled = pv_best_stop(a->best) == PV_STOP_CANCELLED;
    if (cancelled) {
        if (pv_best_scheme(a->best) != NULL) {
            CLI_TRY(best_document(a, result, error));
        }
        return cli_error(error, PV_STATUS_CANCELLED, "interrupted");
    }
    if (pv_best_scheme(a->best) == NULL) {
        show_impossible(a);
        return impossible_document(a, result, error);
    }
    if (a->wants_neighbours) {
        const cli_question question = question_of(a);
        json_t *alone = NULL;
        CLI_TRY(best_document(a, &alone, error));
        web_partial(a->call, alone);
        CLI_TRY(cli_around_find(&question, a->best, a->neighbours, &a->n_neighbours, error));
    }
    return best_document(a, result, error);
}

/* The same search as wherever a spec of a local recoding is needed: with its own limits, which are
 * counted, not with ours. */
static pv_status answer_local(asked *a, json_t **result, pv_error *error)
{
    const pv_local_options options = {.size = sizeof options,
                                      .context = &a->call->context,
                                      .minimize = a->minimize,
                                      .demands = a->searched.list,
                                      .n_demands = a->searched.n,
                                      .budget = &a->demands.budget};
    if (a->searched.n == 0) {
        return cli_hint(cli_error(error, PV_STATUS_ARGUMENT,
                                  "local recoding needs to know what every class must keep"),
                        error, "demand something, such as k=5");
    }
    const pv_status status =
        pv_local_find(a->call->snapshot->opened.study, &options, &a->local, error);
    if (status == PV_STATUS_UNSATISFIED) {
        json_t *const why = json_object();
        cli_json_set(why, "proven", cli_json_bool(false));
        cli_json_set(why, "demand", json_null());
        cli_json_set(why, "together", cli_json_bool(a->searched.n > 1));
        cli_json_set(why, "possible", json_null());
        cli_json_set(why, "most", cli_json_bool(false));
        *result =
            document(NULL, NULL, NULL,
                     cli_copy("No local recoding was found that keeps what is demanded."), why);
        return PV_STATUS_OK;
    }
    CLI_TRY(status);
    const cli_published found = {.opened = a->call->snapshot->opened, .local = a->local};
    *result = document(NULL, cli_local_json(&found), local_spec(a), local_sentence(a), NULL);
    return pv_local_stop(a->local) == PV_STOP_CANCELLED
               ? cli_error(error, PV_STATUS_CANCELLED, "interrupted")
               : PV_STATUS_OK;
}

pv_status web_best(web_call *call, json_t **result, pv_error *error)
{
    asked a;
    pv_status status = read_asked(call, &a, error);
    if (status == PV_STATUS_OK) {
        status = cli_equal(a.scheme, "local") ? answer_local(&a, result, error)
                                              : answer_best(&a, result, error);
    }
    free_asked(&a);
    return status;
}
