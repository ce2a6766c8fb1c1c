/* The weights of the attributes. The walk has them, and its session keeps them; the plan has those
 * it began with. */
#include "prefer/weights.h"

#include "core/fail.h"
#include "core/json.h"
#include "core/text.h"

#include <math.h>
#include <stdlib.h>

bool cli_weights_exist(const cli_preferred *preferred)
{
    return cli_equal(preferred->wish->loss.measure->name, CLI_USUAL_LOSS);
}

static bool is_changed(const cli_preferred *preferred, size_t quasi)
{
    const double planned = pv_study_quasi_attribute(preferred->opened->study, quasi)->weight;
    return fabs(pv_walk_weight(preferred->walk, quasi) - planned) > 0.0;
}

bool cli_weights_changed(const cli_preferred *preferred)
{
    bool changed = false;
    for (size_t q = 0; q < pv_study_quasis(preferred->opened->study); q++) {
        changed = changed || is_changed(preferred, q);
    }
    return changed;
}

/* ------------------------------------------------------------------- set */

static pv_status check_name(const pv_study *study, const char *name, pv_error *error)
{
    const size_t n = pv_study_quasis(study);
    const char **const names = cli_zeroed(n, sizeof *names);
    bool found = false;
    for (size_t q = 0; q < n; q++) {
        names[q] = pv_study_quasi_name(study, q);
        found = found || cli_equal(names[q], name);
    }
    pv_status status = PV_STATUS_OK;
    if (!found) {
        const char *const near = cli_suggest(name, names, n);
        status =
            cli_error(error, PV_STATUS_ARGUMENT, "weights: there is no quasi-identifier `%s`%s%s%s",
                      name, near != NULL ? "; did you mean `" : "", near != NULL ? near : "",
                      near != NULL ? "`?" : "");
    }
    free(names);
    return status;
}

pv_status cli_weights_set(const cli_preferred *preferred, const cli_pairs *weights, pv_error *error)
{
    for (size_t i = 0; i < weights->n; i++) {
        CLI_TRY(check_name(preferred->opened->study, weights->list[i].name, error));
    }
    pv_weight *const list = cli_zeroed(weights->n, sizeof *list);
    for (size_t i = 0; i < weights->n; i++) {
        list[i] = (pv_weight){.attribute = weights->list[i].name, .weight = weights->list[i].value};
    }
    const pv_status status = pv_walk_weigh(preferred->walk, list, weights->n, error);
    free(list);
    return status;
}

/* ------------------------------------------------------------------ tell */

char *cli_weights_text(const cli_preferred *preferred, cli_weights_shown shown,
                       const char *separator, int digits)
{
    const pv_study *const study = preferred->opened->study;
    char *text = cli_copy("");
    for (size_t q = 0; q < pv_study_quasis(study); q++) {
        if (shown == CLI_WEIGHTS_ALL || is_changed(preferred, q)) {
            char *const longer = cli_format("%s%s%s=%.*g", text, text[0] != '\0' ? separator : "",
                                            pv_study_quasi_name(study, q), digits,
                                            pv_walk_weight(preferred->walk, q));
            free(text);
            text = longer;
        }
    }
    return text;
}

json_t *cli_weights_json(const cli_preferred *preferred)
{
    const pv_study *const study = preferred->opened->study;
    if (!cli_weights_exist(preferred)) {
        return json_null();
    }
    json_t *const object = json_object();
    for (size_t q = 0; q < pv_study_quasis(study); q++) {
        cli_json_set(object, pv_study_quasi_name(study, q),
                     cli_json_number(pv_walk_weight(preferred->walk, q)));
    }
    return object;
}
