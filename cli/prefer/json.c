/* For programs: the answer to a wish, and what a session file has recorded. */
#include "core/json.h"
#include "core/fail.h"
#include "core/text.h"
#include "prefer/prefer.h"

/* Bias and loss have the names of their measures. */
static void set_point(json_t *object, const cli_wish *wish, pv_aspiration point)
{
    cli_json_set(object, wish->bias.measure->name, cli_json_number(point.bias));
    cli_json_set(object, wish->loss.measure->name, cli_json_number(point.loss));
}

static pv_status solution_json(const cli_wish *wish, const pv_solution *solution, json_t **object,
                               pv_error *error)
{
    static const char *const efficiencies[] = {[PV_INEFFICIENT] = "none",
                                               [PV_WEAKLY_EFFICIENT] = "weak",
                                               [PV_STRONGLY_EFFICIENT] = "strong"};
    json_t *cuts = NULL;
    CLI_TRY(cli_cuts_json(pv_solution_cuts(solution), &cuts, error));
    *object = json_object();
    cli_json_set(*object, "cuts", cuts);
    cli_json_set(*object, "k", cli_json_count(pv_solution_k(solution)));
    cli_json_set(*object, "largest", cli_json_count(pv_solution_largest(solution)));
    set_point(*object, wish, pv_solution_point(solution));
    cli_json_set(*object, "ach", cli_json_number(pv_solution_achievement(solution)));
    cli_json_set(*object, "deviation", cli_json_number(pv_solution_deviation(solution)));
    cli_json_set(*object, "efficiency",
                 cli_json_text(efficiencies[pv_solution_efficiency(solution)]));
    return PV_STATUS_OK;
}

static json_t *aspiration_json(const cli_wish *wish, const pv_achievement *goal)
{
    json_t *const object = json_object();
    set_point(object, wish, goal->wish);
    cli_json_set(object, "ach", cli_json_number(pv_achievement_wish(goal)));
    return object;
}

/* Adds a solution under its name, or at the end of a list. */
static pv_status add_solution(json_t *target, const char *key, const cli_wish *wish,
                              const pv_solution *solution, pv_error *error)
{
    json_t *object = NULL;
    CLI_TRY(solution_json(wish, solution, &object, error));
    if (key != NULL) {
        cli_json_set(target, key, object);
    } else {
        cli_json_append(target, object);
    }
    return PV_STATUS_OK;
}

/* k and what is demanded besides: whatever is shown keeps all of them. */
static json_t *demands_json(const cli_preferred *preferred)
{
    const cli_demands *const demands = &preferred->wish->demands;
    const pv_constraint k = {.ref = {.measure = pv_measure_find("k")},
                             .bound = (double)pv_answer_k(preferred->answer)};
    json_t *const list = json_array();
    for (size_t i = 0; i <= demands->n; i++) {
        const pv_constraint *const demand = i == 0 ? &k : &demands->list[i - 1];
        char text[PV_MEASURE_TEXT_SIZE];
        if (i > 0 && cli_wish_is_k(demand)) {
            continue;
        }
        json_t *const object = json_object();
        pv_constraint_text(demand, text, sizeof text);
        cli_json_set(object, "constraint", cli_json_text(text));
        cli_json_set(object, "measure", cli_json_text(cli_measure_name(demand->ref).text));
        cli_demand_column_json(object, demand);
        cli_json_set(object, "bound", cli_json_number(demand->bound));
        cli_json_append(list, object);
    }
    return list;
}

pv_status cli_preferred_json(json_t *document, const cli_preferred *preferred, pv_error *error)
{
    const cli_wish *const wish = preferred->wish;
    const pv_answer *const answer = preferred->answer;
    const pv_study *const study = preferred->opened->study;
    const char *const output = wish->given.output;
    const char *const session = wish->given.session;
    const bool has_weights = cli_weights_exist(preferred);
    json_t *const weights = has_weights ? json_object() : json_null();
    for (size_t q = 0; has_weights && q < pv_study_quasis(study); q++) {
        cli_json_set(weights, pv_study_quasi_name(study, q),
                     cli_json_number(pv_preference_weight(preferred->preference, q)));
    }
    cli_json_set(document, "table", cli_opened_json(preferred->opened));
    cli_json_set(document, "k", cli_json_count(pv_answer_k(answer)));
    cli_json_set(document, "require", demands_json(preferred));
    cli_json_set(document, "bias", cli_json_text(wish->bias.measure->name));
    cli_json_set(document, "loss", cli_json_text(wish->loss.measure->name));
    cli_json_set(document, "aspiration", aspiration_json(wish, pv_answer_goal(answer)));
    cli_json_set(document, "weights", weights);
    cli_json_set(document, "respect_taxonomy", cli_json_bool(!wish->options.free_groups));
    cli_json_set(document, "method", cli_json_text(wish->options.method));
    cli_json_set(document, "seed", cli_json_count(wish->options.seed));
    CLI_TRY(add_solution(document, "solution", wish, pv_answer_solution(answer, 0), error));
    json_t *const alternatives = json_array();
    cli_json_set(document, "alternatives", alternatives);
    for (size_t i = 1; i < pv_answer_n_solutions(answer); i++) {
        CLI_TRY(add_solution(alternatives, NULL, wish, pv_answer_solution(answer, i), error));
    }
    json_t *const direction = wish->steps > 0 ? json_array() : json_null();
    cli_json_set(document, "direction", direction);
    for (size_t i = 0; wish->steps > 0 && i < preferred->n_steps; i++) {
        const pv_answer *const own = preferred->steps[i];
        json_t *const step = json_object();
        cli_json_append(direction, step);
        cli_json_set(step, "aspiration", aspiration_json(wish, pv_answer_goal(own)));
        CLI_TRY(add_solution(step, "solution", wish, pv_answer_solution(own, 0), error));
    }
    cli_json_set(document, "chosen", cli_json_count(preferred->choice));
    cli_json_set(document, "session", session != NULL ? cli_json_text(session) : json_null());
    cli_json_set(document, "file", output != NULL ? cli_json_text(output) : json_null());
    cli_json_set(document, "provable", cli_json_bool(pv_answer_provable(answer)));
    cli_json_set(document, "bound",
                 cli_preferred_has_bound(preferred) ? cli_json_number(pv_answer_bound(answer))
                                                    : json_null());
    cli_json_set(document, "proven", cli_json_bool(pv_answer_proven(answer)));
    cli_json_set(document, "unreachable", cli_json_bool(pv_answer_unreachable(answer)));
    cli_json_set(document, "stopped", cli_json_bool(pv_answer_stopped(answer)));
    cli_json_set(document, "evaluated", cli_json_count(pv_answer_evaluated(answer)));
    cli_json_set(document, "nodes", cli_json_count(pv_answer_nodes(answer)));
    cli_json_set(document, "seconds", cli_json_number(pv_answer_seconds(answer)));
    return PV_STATUS_OK;
}

/* --------------------------------------------------------------------- log */

/* Of entries without a wish everything about it is null. */
static json_t *wish_number(const pv_preference_entry *entry, double value)
{
    return entry->has_wish ? cli_json_number(value) : json_null();
}

json_t *cli_session_log_json(const pv_preference_log *log)
{
    const char *const bias = pv_preference_log_bias(log);
    const char *const loss = pv_preference_log_loss(log);
    json_t *const list = json_array();
    size_t n = 0;
    const pv_preference_entry *entry = pv_preference_log_entries(log, &n);
    for (size_t i = 0; i < n; i++, entry++) {
        json_t *const object = json_object();
        json_t *const aspiration = entry->has_wish ? json_object() : json_null();
        if (entry->has_wish) {
            cli_json_set(aspiration, bias, cli_json_number(entry->wish.bias));
            cli_json_set(aspiration, loss, cli_json_number(entry->wish.loss));
        }
        cli_json_set(object, "time", cli_json_text(entry->time));
        cli_json_set(object, "kind", cli_json_text(entry->kind));
        cli_json_set(object, "aspiration", aspiration);
        cli_json_set(object, "k", cli_json_count(entry->k));
        cli_json_set(object, bias, wish_number(entry, entry->point.bias));
        cli_json_set(object, loss, wish_number(entry, entry->point.loss));
        cli_json_set(object, "ach", wish_number(entry, entry->achievement));
        cli_json_set(object, "bound",
                     entry->bound > 0.0 ? cli_json_number(entry->bound) : json_null());
        cli_json_set(object, "proven", cli_json_bool(entry->proven));
        cli_json_set(object, "evaluated", cli_json_count(entry->evaluated));
        cli_json_set(object, "note",
                     entry->note != NULL ? cli_json_text(entry->note) : json_null());
        cli_json_append(list, object);
    }
    return list;
}

static json_t *log_json(const char *path, const pv_preference_log *log)
{
    json_t *const document = cli_json_document("prefer");
    cli_json_set(document, "session", cli_json_text(path));
    cli_json_set(document, "bias", cli_json_text(pv_preference_log_bias(log)));
    cli_json_set(document, "loss", cli_json_text(pv_preference_log_loss(log)));
    cli_json_set(document, "log", cli_session_log_json(log));
    return document;
}

pv_status cli_session_log_show(cli_run *run, const char *path, pv_error *error)
{
    pv_preference_log *log = NULL;
    CLI_TRY(pv_preference_log_read(path, &log, error));
    if (run->common->json) {
        cli_json_print(run, log_json(path, log));
    } else if (cli_run_talks(run)) {
        cli_session_log_print(&run->report, path, log);
    }
    pv_preference_log_free(log);
    return PV_STATUS_OK;
}
