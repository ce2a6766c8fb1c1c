/* `compare:` of a plan: combinations of properties and indices by name, as releases are compared by
 * them. Which properties and indices there are is known further down the house: they stay text. */
#include "plan/plan.h"

#include "base/error.h"
#include "base/memory.h"
#include "plan/document.h"
#include "plan/spelling.h"

#include <string.h>

#define EXAMPLE "{kind: wtd, terms: [{property: class-size, index: cov, weight: 0.5}]}"

void pv_i_plan_combinations_free(pv_plan_combination *combinations, size_t n)
{
    for (size_t i = 0; i < n; i++) {
        for (size_t t = 0; t < combinations[i].n_terms; t++) {
            pv_i_free(combinations[i].terms[t].property);
            pv_i_free(combinations[i].terms[t].index);
        }
        pv_i_free(combinations[i].terms);
        pv_i_free(combinations[i].name);
        pv_i_free(combinations[i].kind);
    }
    pv_i_free(combinations);
}

/* ------------------------------------------------------------------ terms */

/* The kinds, and what the number of a term is called in each. */
static const pv_word kinds[] = {{"wtd", 0}, {"lex", 1}, {"goal", 2}, {NULL, 0}};
static const char *const amounts[] = {"weight", "tolerance", "goal"};

typedef struct {
    pv_plan_term term;
    const char *amount; /* what it is called here */
    bool has_amount;
} draft;

/* `value->key` says which of the three it is. */
static pv_status take_amount(const char *file, const pv_node *value, void *target, pv_error *error)
{
    draft *const d = target;
    pv_decimal amount;
    if (strcmp(value->key->text, d->amount) != 0) {
        return pv_i_hint(pv_i_fail_at(error, PV_STATUS_INPUT, PV_AT(file, value->key),
                                      "`%s` has no meaning in this kind of combination",
                                      value->key->text),
                         error, "here a term has a `%s`", d->amount);
    }
    PV_TRY(pv_i_take_decimal(d->amount, file, value, &amount, error));
    if (amount.mantissa < 0 && strcmp(d->amount, "goal") != 0) {
        return pv_i_fail_at(error, PV_STATUS_INPUT, PV_AT(file, value), "`%s` must not be negative",
                            d->amount);
    }
    d->term.amount = pv_decimal_double(amount);
    d->has_amount = true;
    return PV_STATUS_OK;
}

static const pv_plan_key term_keys[] = {
    PV_KEY_INTO("property", PV_KEY_TEXT, draft, term.property, NULL),
    PV_KEY_INTO("index", PV_KEY_TEXT, draft, term.index, NULL),
    PV_KEY("weight", take_amount),
    PV_KEY("tolerance", take_amount),
    PV_KEY("goal", take_amount),
    {0},
};

static pv_status take_term(const char *file, const pv_node *node, const char *amount,
                           pv_plan_term *term, pv_error *error)
{
    draft d = {.amount = amount, .term = {.line = node->line, .column = node->column}};
    PV_TRY(pv_i_need_mapping("terms", file, node, "{property: class-size, index: cov}", error));
    const pv_status status = pv_i_take_keys(term_keys, "a term", file, node, &d, error);
    *term = d.term; /* to be freed even after a failure */
    PV_TRY(status);
    const char *const lacking = term->property == NULL                             ? "property"
                                : term->index == NULL                              ? "index"
                                : d.has_amount || strcmp(amount, "tolerance") == 0 ? NULL
                                                                                   : amount;
    return lacking == NULL ? PV_STATUS_OK
                           : pv_i_hint(pv_i_fail_at(error, PV_STATUS_INPUT, PV_AT(file, node),
                                                    "the term has no `%s`", lacking),
                                       error, "for example " EXAMPLE);
}

/* ------------------------------------------------------------ combinations */

static pv_status take_terms(const char *file, const pv_node *node, const char *amount,
                            pv_plan_combination *combination, pv_error *error)
{
    PV_TRY(pv_i_need_list("terms", file, node, EXAMPLE, error));
    combination->terms = PV_NEW_ZEROED(pv_plan_term, node->n_items);
    if (combination->terms == NULL) {
        return pv_i_no_memory(error);
    }
    for (const pv_node *item = node->first; item != NULL; item = item->next) {
        pv_plan_term *const term = &combination->terms[combination->n_terms++];
        PV_TRY(take_term(file, item, amount, term, error));
    }
    return PV_STATUS_OK;
}

/* The kind is needed to understand the terms, wherever it is written: both are looked up. */
static const pv_plan_key combination_keys[] = {PV_KEY("kind", NULL), PV_KEY("terms", NULL), {0}};

static pv_status take_combination(const char *file, const pv_node *node,
                                  pv_plan_combination *combination, pv_error *error)
{
    int kind = 0;
    *combination = (pv_plan_combination){.line = node->key->line, .column = node->key->column};
    PV_TRY(pv_i_take_text("compare", file, node->key, &combination->name, error));
    PV_TRY(pv_i_need_mapping(node->key->text, file, node, EXAMPLE, error));
    PV_TRY(pv_i_take_keys(combination_keys, "a combination", file, node, NULL, error));
    const pv_node *const kind_node = pv_i_node_get(node, "kind");
    const pv_node *const terms = pv_i_node_get(node, "terms");
    if (kind_node == NULL || terms == NULL) {
        return pv_i_hint(pv_i_fail_at(error, PV_STATUS_INPUT, PV_AT(file, node), "`%s` has no `%s`",
                                      pv_i_shown(node->key->text).text,
                                      kind_node == NULL ? "kind" : "terms"),
                         error, "for example " EXAMPLE);
    }
    PV_TRY(pv_i_take_word("kind", kinds, file, kind_node, &kind, error));
    PV_TRY(pv_i_take_text("kind", file, kind_node, &combination->kind, error));
    return take_terms(file, terms, amounts[kind], combination, error);
}

pv_status pv_i_plan_combinations(const char *file, const pv_node *node,
                                 pv_plan_combination **combinations, size_t *n, pv_error *error)
{
    PV_TRY(pv_i_need_mapping("compare", file, node, "compare: {fair: " EXAMPLE "}", error));
    *combinations = PV_NEW_ZEROED(pv_plan_combination, node->n_items);
    if (*combinations == NULL) {
        return pv_i_no_memory(error);
    }
    for (const pv_node *item = node->first; item != NULL; item = item->next) {
        PV_TRY(take_combination(file, item, &(*combinations)[(*n)++], error));
    }
    return PV_STATUS_OK;
}

/* ------------------------------------------------------------------- copy */

static bool copy_terms(const pv_plan_combination *combination, pv_plan_combination *copy)
{
    copy->terms = PV_NEW_ZEROED(pv_plan_term, combination->n_terms);
    for (size_t t = 0; copy->terms != NULL && t < combination->n_terms; t++) {
        const pv_plan_term *const term = &combination->terms[t];
        pv_plan_term *const made = &copy->terms[copy->n_terms++];
        *made = *term;
        made->property = pv_i_strdup(term->property);
        made->index = pv_i_strdup(term->index);
        if (made->property == NULL || made->index == NULL) {
            return false;
        }
    }
    return copy->terms != NULL;
}

bool pv_i_plan_combinations_copy(const pv_plan_combination *combinations, size_t n,
                                 pv_plan_combination **copies, size_t *n_copied)
{
    *copies = combinations != NULL ? PV_NEW_ZEROED(pv_plan_combination, n) : NULL;
    for (size_t i = 0; *copies != NULL && i < n; i++) {
        pv_plan_combination *const made = &(*copies)[(*n_copied)++];
        *made = (pv_plan_combination){.name = pv_i_strdup(combinations[i].name),
                                      .kind = pv_i_strdup(combinations[i].kind),
                                      .line = combinations[i].line,
                                      .column = combinations[i].column};
        if (made->name == NULL || made->kind == NULL || !copy_terms(&combinations[i], made)) {
            return false;
        }
    }
    return combinations == NULL || *copies != NULL;
}
