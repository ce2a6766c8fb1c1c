/* `tree`: the hierarchy of a column, as the plan has it or as the page proposes it, checked on the
 * values of the column.
 *
 * A proposal is put into the text of the plan, which is read again: whatever would be wrong with
 * the plan is wrong with the proposal. What does not fit is part of the answer, so that an editor
 * can show it beside the values. */
#include "server/tree.h"
#include "server/columns.h"
#include "server/endpoints.h"

#include "core/fail.h"
#include "core/json.h"
#include "core/text.h"

#include <stdlib.h>
#include <string.h>

typedef struct {
    web_call *call;
    const char *name;
    json_t *proposed; /* what a plan's `hierarchy` would have, or NULL; owned */
    pv_plan *plan; /* as it is, or without the column's own hierarchy where that is the mistake */
    pv_plan *changed; /* with the proposal and the role of a quasi-identifier; NULL = it is wrong */
    pv_table *owned;  /* read for this alone; NULL = the study's is used */
    const pv_table *table;
    size_t column;
    pv_hierarchy *built;
    const pv_hierarchy *hierarchy; /* built, or the study's; NULL = it is wrong */
    bool is_wrong;
    pv_error wrong; /* with what */
} forest;

/* ------------------------------------------------------------------ the plan */

static pv_status parse(const forest *f, const char *text, pv_plan **plan, pv_error *error)
{
    return web_plan_parse(f->call->snapshot->plan_path, text, plan, error);
}

/* Sets or removes (NULL) one key of the column's entry. *text is replaced; NULL = the plan as it
 * is. */
static pv_status set_key(const forest *f, char **text, const char *key, const char *value,
                         pv_error *error)
{
    const char *const path[] = {"attributes", f->name, key};
    const char *const now = *text != NULL ? *text : f->call->snapshot->plan_text;
    char *edited = NULL;
    CLI_TRY(pv_plan_edit(now, strlen(now), path, 3, value, &edited, error));
    pv_string_free(*text);
    *text = edited;
    return PV_STATUS_OK;
}

/* The plan as it is. If it cannot be read: is it the column's own hierarchy that is wrong? */
static pv_status read_plan(forest *f, pv_error *error)
{
    const pv_status status = parse(f, f->call->snapshot->plan_text, &f->plan, error);
    if (status == PV_STATUS_OK || status == PV_STATUS_NO_MEMORY) {
        return status;
    }
    pv_error other;
    char *text = NULL;
    if (set_key(f, &text, "hierarchy", NULL, &other) != PV_STATUS_OK) {
        return status;
    }
    const bool is_mended = parse(f, text, &f->plan, &other) == PV_STATUS_OK;
    pv_string_free(text);
    if (!is_mended) {
        return status;
    }
    f->is_wrong = true;
    f->wrong = *error;
    return PV_STATUS_OK;
}

/* A file that the page names is one that it may read. */
static pv_status allow_files(forest *f, pv_error *error)
{
    const bool is_path = json_is_string(f->proposed);
    json_t *const named = is_path ? f->proposed : json_object_get(f->proposed, "file");
    char *file = NULL;
    if (!json_is_string(named)) {
        return PV_STATUS_OK;
    }
    CLI_TRY(web_path(f->call, json_string_value(named), false, &file, error));
    json_t *const allowed = cli_json_text(file);
    free(file);
    if (is_path) {
        json_decref(f->proposed);
        f->proposed = allowed;
    } else {
        cli_json_set(f->proposed, "file", allowed);
    }
    return PV_STATUS_OK;
}

/* Keys that a quasi-identifier has no use for. */
static pv_status make_quasi(const forest *f, char **text, pv_error *error)
{
    static const char *const keys[] = {"distance", "require", "unique"};
    CLI_TRY(set_key(f, text, "role", "quasi", error));
    for (size_t i = 0; i < sizeof keys / sizeof *keys; i++) {
        CLI_TRY(set_key(f, text, keys[i], NULL, error));
    }
    return PV_STATUS_OK;
}

/* The plan as it would be. */
static pv_status change_plan(forest *f, pv_error *error)
{
    const pv_plan_attribute *const now = pv_plan_find(f->plan, f->name);
    char *const proposal = f->proposed != NULL ? json_dumps(f->proposed, JSON_ENCODE_ANY) : NULL;
    char *text = NULL;
    pv_status status = PV_STATUS_OK;
    if (proposal != NULL) {
        CLI_TRY_CLEAN(set_key(f, &text, "hierarchy", proposal, error));
    }
    if (now == NULL || pv_attribute_role(now) != PV_ROLE_QUASI) {
        CLI_TRY_CLEAN(make_quasi(f, &text, error));
    }
    status = parse(f, text != NULL ? text : f->call->snapshot->plan_text, &f->changed, error);
cleanup:
    free(proposal);
    pv_string_free(text);
    return status;
}

/* --------------------------------------------------------------- the values */

static pv_status fail_hidden(pv_error *error)
{
    return cli_hint(
        cli_error(error, PV_STATUS_ARGUMENT, "the values of an identifier are shown to nobody"),
        error, "give the column another role first");
}

static pv_status find_column(forest *f, pv_error *error)
{
    f->column = pv_table_find(f->table, f->name);
    return f->column != SIZE_MAX
               ? PV_STATUS_OK
               : cli_error(error, PV_STATUS_ARGUMENT, "the data has no column of that name");
}

/* Could a column without a role be an identifier? Only beside all others can that be guessed. */
static pv_status check_undecided(forest *f, pv_error *error)
{
    pv_table *table = NULL;
    pv_guesses *guesses = NULL;
    CLI_TRY(web_table_read(f->call, f->plan, NULL, &table, error));
    const size_t column = pv_table_find(table, f->name);
    const web_column look = column != SIZE_MAX ? web_column_look(table, column) : (web_column){0};
    pv_status status =
        column != SIZE_MAX
            ? pv_guesses_create(table, pv_plan_data(f->plan), &guesses, error)
            : cli_error(error, PV_STATUS_ARGUMENT, "the data has no column of that name");
    if (status == PV_STATUS_OK &&
        web_column_is_hidden(pv_plan_find(f->plan, f->name), pv_guesses_role(guesses, column),
                             &look, pv_table_rows(table))) {
        status = fail_hidden(error);
    }
    pv_guesses_free(guesses);
    pv_table_free(table);
    return status;
}

static pv_status take_values(forest *f, pv_error *error)
{
    const pv_plan_attribute *const attribute = pv_plan_find(f->plan, f->name);
    const pv_role role = attribute != NULL ? pv_attribute_role(attribute) : PV_ROLE_UNDECIDED;
    const pv_study *const study = f->call->snapshot->opened.study;
    if (role == PV_ROLE_IDENTIFIER) {
        return fail_hidden(error);
    }
    if (role == PV_ROLE_UNDECIDED) {
        CLI_TRY(check_undecided(f, error));
    }
    if (study != NULL && pv_table_find(pv_study_table(study), f->name) != SIZE_MAX) {
        f->table = pv_study_table(study);
        return find_column(f, error);
    }
    CLI_TRY(web_table_read(f->call, f->plan, f->name, &f->owned, error));
    f->table = f->owned;
    return find_column(f, error);
}

/* ----------------------------------------------------------------- the tree */

static const pv_hierarchy *of_study(const forest *f)
{
    const pv_study *const study = f->call->snapshot->opened.study;
    for (size_t q = 0; study != NULL && f->proposed == NULL && q < pv_study_quasis(study); q++) {
        if (strcmp(pv_study_quasi_name(study, q), f->name) == 0) {
            return pv_study_hierarchy(study, q);
        }
    }
    return NULL;
}

static bool is_of_the_proposal(pv_status status)
{
    return status == PV_STATUS_INPUT || status == PV_STATUS_ARGUMENT || status == PV_STATUS_LIMIT;
}

/* Failures of the proposal are kept for the answer. */
static pv_status build(forest *f, pv_error *error)
{
    f->hierarchy = of_study(f);
    if (f->hierarchy != NULL) {
        return PV_STATUS_OK;
    }
    if (f->is_wrong && f->proposed == NULL) {
        return PV_STATUS_OK;
    }
    f->is_wrong = false;
    pv_status status = change_plan(f, error);
    if (status == PV_STATUS_OK) {
        const pv_plan_attribute *const attribute = pv_plan_find(f->changed, f->name);
        status = pv_hierarchy_build(pv_attribute_hierarchy(attribute), f->table, f->column,
                                    &f->built, error);
    }
    f->hierarchy = f->built;
    if (!is_of_the_proposal(status)) {
        return status;
    }
    f->is_wrong = true;
    f->wrong = *error;
    return PV_STATUS_OK;
}

static const pv_hierarchy_spec *spec_of(const forest *f)
{
    const pv_plan *const plan = f->changed != NULL ? f->changed : f->plan;
    const pv_plan_attribute *const attribute = pv_plan_find(plan, f->name);
    return attribute != NULL ? pv_attribute_hierarchy(attribute) : NULL;
}

static json_t *error_json(const forest *f)
{
    json_t *const object = json_object();
    if (!f->is_wrong) {
        json_decref(object);
        return json_null();
    }
    cli_json_set(object, "status", cli_json_text(cli_status_name(f->wrong.status)));
    cli_json_set(object, "message", cli_json_text(f->wrong.message));
    cli_json_set(object, "hint",
                 f->wrong.hint[0] != '\0' ? cli_json_text(f->wrong.hint) : json_null());
    return object;
}

static pv_status tell(const forest *f, json_t **result, pv_error *error)
{
    uint64_t others = 0;
    const pv_type type = pv_table_type(f->table, f->column);
    const bool is_numeric =
        type == PV_TYPE_INTEGER || type == PV_TYPE_DECIMAL || type == PV_TYPE_DATE;
    const pv_hierarchy_spec *const spec = spec_of(f);
    const bool spec_is_meant = spec != NULL && (f->changed != NULL || f->hierarchy != NULL);
    json_t *const made = json_object();
    cli_json_set(made, "attribute", cli_json_text(f->name));
    cli_json_set(made, "kind",
                 spec_is_meant ? cli_json_text(pv_hierarchy_kind_name(spec->kind)) : json_null());
    cli_json_set(made, "error", error_json(f));
    cli_json_set(made, "type", cli_json_text(pv_type_name(type)));
    cli_json_set(made, "numeric", cli_json_bool(is_numeric));
    cli_json_set(made, "spec",
                 f->proposed != NULL ? json_deep_copy(f->proposed)
                 : spec_is_meant     ? web_tree_spec(spec)
                                     : json_null());
    const pv_status status = web_tree_leaves(made, f->table, f->column, f->hierarchy, error);
    cli_json_set(made, "bins",
                 is_numeric ? web_column_bins(f->table, f->column, &others) : json_array());
    if (status != PV_STATUS_OK) {
        json_decref(made);
        return status;
    }
    *result = made;
    return PV_STATUS_OK;
}

pv_status web_tree(web_call *call, json_t **result, pv_error *error)
{
    json_t *const proposed = json_object_get(call->params, "hierarchy");
    forest f = {.call = call,
                .name = json_string_value(json_object_get(call->params, "attribute")),
                .proposed =
                    proposed != NULL && !json_is_null(proposed) ? json_deep_copy(proposed) : NULL};
    pv_error failure = {0};
    pv_status status =
        f.name != NULL ? PV_STATUS_OK
                       : cli_error(&failure, PV_STATUS_ARGUMENT, "`attribute` must name a column");
    if (status == PV_STATUS_OK) {
        status = read_plan(&f, &failure);
    }
    if (status == PV_STATUS_OK && f.proposed != NULL) {
        status = allow_files(&f, &failure);
    }
    if (status == PV_STATUS_OK) {
        status = take_values(&f, &failure);
    }
    if (status == PV_STATUS_OK) {
        status = build(&f, &failure);
    }
    if (status == PV_STATUS_OK) {
        status = tell(&f, result, &failure);
    }
    if (status != PV_STATUS_OK && error != NULL) {
        *error = failure;
    }
    json_decref(f.proposed);
    pv_hierarchy_free(f.built);
    pv_table_free(f.owned);
    pv_plan_free(f.changed);
    pv_plan_free(f.plan);
    return status;
}
