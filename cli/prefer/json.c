/* The answer to a wish as JSON. */
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

static pv_status add_alternatives(json_t *document, const cli_preferred *preferred, pv_error *error)
{
    const pv_answer *const answer = preferred->answer;
    json_t *const list = json_array();
    cli_json_set(document, "alternatives", list);
    for (size_t i = 1; i < pv_answer_n_solutions(answer); i++) {
        CLI_TRY(add_solution(list, NULL, preferred->wish, pv_answer_solution(answer, i), error));
    }
    return PV_STATUS_OK;
}

static pv_status add_direction(json_t *document, const cli_preferred *preferred, pv_error *error)
{
    if (preferred->wish->steps == 0) {
        cli_json_set(document, "direction", json_null());
        return PV_STATUS_OK;
    }
    json_t *const list = json_array();
    cli_json_set(document, "direction", list);
    for (size_t i = 0; i < preferred->n_steps; i++) {
        json_t *const step = json_object();
        cli_json_append(list, step);
        const pv_answer *const answer = preferred->steps[i];
        cli_json_set(step, "aspiration", aspiration_json(preferred->wish, pv_answer_goal(answer)));
        CLI_TRY(
            add_solution(step, "solution", preferred->wish, pv_answer_solution(answer, 0), error));
    }
    return PV_STATUS_OK;
}

static json_t *demand_json(pv_constraint demand)
{
    char text[128];
    json_t *const object = json_object();
    pv_constraint_text(&demand, text, sizeof text);
    cli_json_set(object, "constraint", cli_json_text(text));
    cli_json_set(object, "measure", cli_json_text(cli_measure_name(demand.ref).text));
    cli_json_set(object, "bound", cli_json_number(demand.bound));
    return object;
}

/* Whatever is shown keeps all of them. */
static json_t *demands_json(const cli_preferred *preferred)
{
    const cli_demands *const demands = &preferred->wish->demands;
    const pv_constraint k = {.ref = {.measure = pv_measure_find("k")},
                             .bound = (double)pv_answer_k(preferred->answer)};
    json_t *const list = json_array();
    cli_json_append(list, demand_json(k));
    for (size_t i = 0; i < demands->n; i++) {
        if (!cli_wish_is_k(&demands->list[i])) {
            cli_json_append(list, demand_json(demands->list[i]));
        }
    }
    return list;
}

/* {"age": 3, "sex": 1}; null if the loss has none. */
static json_t *weights_json(const cli_preferred *preferred)
{
    const pv_study *const study = preferred->opened->study;
    if (!cli_weights_exist(preferred)) {
        return json_null();
    }
    json_t *const object = json_object();
    for (size_t q = 0; q < pv_study_quasis(study); q++) {
        cli_json_set(object, pv_study_quasi_name(study, q),
                     cli_json_number(pv_preference_weight(preferred->preference, q)));
    }
    return object;
}

static void add_wish(json_t *document, const cli_preferred *preferred)
{
    const cli_wish *const wish = preferred->wish;
    const pv_answer *const answer = preferred->answer;
    cli_json_set(document, "k", cli_json_count(pv_answer_k(answer)));
    cli_json_set(document, "require", demands_json(preferred));
    cli_json_set(document, "bias", cli_json_text(wish->bias.measure->name));
    cli_json_set(document, "loss", cli_json_text(wish->loss.measure->name));
    cli_json_set(document, "aspiration", aspiration_json(wish, pv_answer_goal(answer)));
    cli_json_set(document, "weights", weights_json(preferred));
}

static void add_account(json_t *document, const cli_preferred *preferred)
{
    const pv_answer *const answer = preferred->answer;
    const char *const output = preferred->wish->given.output;
    const char *const session = preferred->wish->given.session;
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
}

pv_status cli_preferred_json(json_t *document, const cli_preferred *preferred, pv_error *error)
{
    const pv_preference_options *const options = &preferred->wish->options;
    cli_json_set(document, "table", cli_opened_json(preferred->opened));
    add_wish(document, preferred);
    cli_json_set(document, "respect_taxonomy", cli_json_bool(!options->free_groups));
    cli_json_set(document, "method", cli_json_text(options->method));
    cli_json_set(document, "seed", cli_json_count(options->seed));
    CLI_TRY(add_solution(document, "solution", preferred->wish,
                         pv_answer_solution(preferred->answer, 0), error));
    CLI_TRY(add_alternatives(document, preferred, error));
    CLI_TRY(add_direction(document, preferred, error));
    add_account(document, preferred);
    return PV_STATUS_OK;
}
