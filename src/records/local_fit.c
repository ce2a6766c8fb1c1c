/* A local recoding for other rows. What a scheme file has of it are its classes, the released
 * tuples of nodes; no row of the original is among them. So it is asked of every new row which of
 * them cover it:
 *
 *     class  age    country        row 23, Lyon: covered by the first and the third; the first
 *     1      20-29  France         loses less
 *     2      31     Berlin
 *     3      *      Europe         row 31, Oslo: only by the third
 *
 * Classes are sorted by what they lose, so the first that covers a row is the best. Where too few
 * new rows meet in a class, they go on to the next one that holds. */
#include "base/arena.h"
#include "base/buffer.h"
#include "base/error.h"
#include "base/memory.h"
#include "base/options.h"
#include "base/tasks.h"
#include "classes/profile.h"
#include "hierarchy/labels.h"
#include "measure/class_rules.h"
#include "plan/plan.h"
#include "scheme/scheme.h"

#include <paravent/local.h>
#include <stdlib.h>
#include <string.h>

#define NOT_COVERED UINT8_MAX
#define NO_CLASS SIZE_MAX
#define NO_TUPLE SIZE_MAX
#define TUPLES_OF_A_TASK 512

/* The labels of one quasi-identifier that classes have. */
typedef struct {
    uint8_t *level;   /* label and leaf: the lowest level at which the leaf is called so */
    double *loss;     /* of each label: the share of the domain that it hides, */
    unsigned *height; /* and the lowest level it is on: of `25` and `20-29`, where nobody else is in
                         their twenties, the value itself is taken */
} fitting;

typedef struct {
    double loss;
    unsigned height;
    const uint32_t *labels; /* one for each quasi-identifier */
    size_t number;          /* in the file: where losses are equal, the first comes first */
} candidate;

typedef struct {
    const pv_study *study;
    const pv_profile *profile;
    const pv_plan *plan;
    size_t n_quasi, n_tuples, n_classes;
    pv_arena arena;
    fitting *fittings;
    candidate *classes; /* by ascending loss */
    size_t *class_of;   /* of each tuple; NO_CLASS = none covers it */
    size_t *first_of;   /* the class it began with */
    size_t *first_in;   /* of each class: a tuple in it, and of each tuple the next one */
    size_t *next_in;
    uint64_t *rows; /* of each class */
    bool *holds;    /* does it keep the demands? Empty ones do not */
    pv_class_rules rules;
} job;

/* --------------------------------------------------------------- what covers */

/* Numbers the labels of a column of the classes, and finds them in the hierarchy. */
static pv_status fit_quasi(job *j, size_t q, uint32_t *numbers, pv_error *error)
{
    const pv_hierarchy *const h = pv_study_hierarchy(j->study, q);
    const uint32_t n_leaves = pv_hierarchy_leaves(h);
    const unsigned height = pv_hierarchy_height(h);
    fitting *const f = &j->fittings[q];
    pv_labels labels = {0};
    pv_status status = PV_STATUS_OK;
    for (size_t c = 0; c < j->n_classes && status == PV_STATUS_OK; c++) {
        status = pv_i_labels_add(&labels, &j->arena, j->plan->classes[c * j->n_quasi + q],
                                 &numbers[c * j->n_quasi + q], error);
    }
    const size_t n = labels.n;
    f->level = PV_ARENA_ARRAY(&j->arena, uint8_t, n * n_leaves);
    f->loss = PV_ARENA_ARRAY(&j->arena, double, n);
    f->height = PV_ARENA_ARRAY(&j->arena, unsigned, n);
    if (status == PV_STATUS_OK && (f->level == NULL || f->loss == NULL || f->height == NULL)) {
        status = pv_i_no_memory(error);
    }
    if (status == PV_STATUS_OK) {
        memset(f->level, NOT_COVERED, n * n_leaves);
        memset(f->loss, 0, n * sizeof *f->loss);
        memset(f->height, 0, n * sizeof *f->height);
        for (uint32_t leaf = 0; leaf < n_leaves; leaf++) {
            for (unsigned level = 0; level <= height; level++) {
                const uint32_t label = pv_i_labels_find(
                    &labels, pv_hierarchy_label(h, level, pv_hierarchy_group(h, level, leaf)));
                if (label != PV_NO_LABEL &&
                    f->level[(size_t)label * n_leaves + leaf] == NOT_COVERED) {
                    f->level[(size_t)label * n_leaves + leaf] = (uint8_t)level;
                    f->height[label] =
                        f->loss[label] > 0 && f->height[label] < level ? f->height[label] : level;
                    f->loss[label] += 1;
                }
            }
        }
        for (size_t label = 0; label < n; label++) {
            f->loss[label] = n_leaves > 1 && f->loss[label] > 0
                                 ? (f->loss[label] - 1) / (double)(n_leaves - 1)
                                 : 0;
        }
    }
    pv_i_labels_deinit(&labels);
    return status;
}

static int by_loss(const void *a, const void *b)
{
    const candidate *const x = a;
    const candidate *const y = b;
    return x->loss < y->loss       ? -1
           : x->loss > y->loss     ? 1
           : x->height < y->height ? -1
           : x->height > y->height ? 1
                                   : (x->number > y->number) - (x->number < y->number);
}

static pv_status sort_classes(job *j, pv_error *error)
{
    uint32_t *const numbers = PV_ARENA_ARRAY(&j->arena, uint32_t, j->n_classes * j->n_quasi);
    j->fittings = PV_ARENA_ARRAY(&j->arena, fitting, j->n_quasi);
    j->classes = PV_ARENA_ARRAY(&j->arena, candidate, j->n_classes);
    if (numbers == NULL || j->fittings == NULL || j->classes == NULL) {
        return pv_i_no_memory(error);
    }
    for (size_t q = 0; q < j->n_quasi; q++) {
        PV_TRY(fit_quasi(j, q, numbers, error));
    }
    for (size_t c = 0; c < j->n_classes; c++) {
        j->classes[c] = (candidate){.number = c, .labels = numbers + c * j->n_quasi};
        for (size_t q = 0; q < j->n_quasi; q++) {
            j->classes[c].loss += j->fittings[q].loss[j->classes[c].labels[q]];
            j->classes[c].height += j->fittings[q].height[j->classes[c].labels[q]];
        }
    }
    qsort(j->classes, j->n_classes, sizeof *j->classes, by_loss);
    return PV_STATUS_OK;
}

static bool covers(const job *j, size_t c, size_t tuple)
{
    for (size_t q = 0; q < j->n_quasi; q++) {
        const size_t n_leaves = pv_hierarchy_leaves(pv_study_hierarchy(j->study, q));
        const size_t label = j->classes[c].labels[q];
        if (j->fittings[q].level[label * n_leaves + pv_profile_leaf(j->profile, tuple, q)] ==
            NOT_COVERED) {
            return false;
        }
    }
    return true;
}

/* The first class from `from` on that covers the tuple; with `holding` only such as keep the
 * demands. */
static size_t next_class(const job *j, size_t from, size_t tuple, bool holding)
{
    for (size_t c = from; c < j->n_classes; c++) {
        if ((!holding || j->holds[c]) && covers(j, c, tuple)) {
            return c;
        }
    }
    return NO_CLASS;
}

static pv_status fit_tuples(void *ctx, size_t task, const pv_thread *thread, pv_error *error)
{
    job *const j = ctx;
    const size_t end = (task + 1) * TUPLES_OF_A_TASK;
    (void)error;
    if (!pv_i_goes_on(thread, task)) {
        return PV_STATUS_OK;
    }
    for (size_t t = task * TUPLES_OF_A_TASK; t < end && t < j->n_tuples; t++) {
        j->class_of[t] = j->first_of[t] = next_class(j, 0, t, false);
    }
    return PV_STATUS_OK;
}

/* ------------------------------------------------------------------- demands */

/* Does a class keep the demands? Counts its rows. */
static void judge(job *j, pv_class_scorer *scorer, size_t c)
{
    j->rows[c] = 0;
    pv_i_class_scorer_clear(scorer);
    for (size_t t = j->first_in[c]; t != NO_TUPLE; t = j->next_in[t]) {
        j->rows[c] += pv_profile_count(j->profile, t);
        pv_i_class_scorer_add(scorer, t);
    }
    j->holds[c] = j->rows[c] > 0 && j->rows[c] >= j->rules.k &&
                  (j->rules.n_rules == 0 || !pv_i_class_scorer_breaks(scorer, false));
}

static void put(job *j, size_t c, size_t tuple)
{
    j->class_of[tuple] = c;
    if (c != NO_CLASS) {
        j->next_in[tuple] = j->first_in[c];
        j->first_in[c] = tuple;
    }
}

static void put_all(job *j)
{
    for (size_t c = 0; c < j->n_classes; c++) {
        j->first_in[c] = NO_TUPLE;
    }
    for (size_t t = 0; t < j->n_tuples; t++) {
        put(j, j->first_of[t], t);
    }
}

/* From the finest class to the coarsest: one that breaks a demand hands each of its tuples on to
 * the next class that covers it, best on to one that holds. Classes only gain until it is their
 * turn, and what holds stays so: unions keep these demands. */
static void hand_on(job *j, pv_class_scorer *scorer)
{
    for (size_t c = 0; c < j->n_classes; c++) {
        judge(j, scorer, c);
    }
    for (size_t c = 0; c < j->n_classes; c++) {
        judge(j, scorer, c);
        if (j->holds[c]) {
            continue;
        }
        size_t next = NO_TUPLE;
        for (size_t t = j->first_in[c]; t != NO_TUPLE; t = next) {
            const size_t holding = next_class(j, c + 1, t, true);
            next = j->next_in[t];
            put(j, holding != NO_CLASS ? holding : next_class(j, c + 1, t, false), t);
        }
        j->first_in[c] = NO_TUPLE;
        j->rows[c] = 0;
    }
}

/* Rows of a tuple that its class can spare altogether. */
static bool is_spare(const job *j, size_t tuple)
{
    const size_t c = j->class_of[tuple];
    return c != NO_CLASS && j->rows[c] >= j->rules.k + pv_profile_count(j->profile, tuple);
}

/* Fills a class up to k: with what is left over and it covers, then with tuples that other classes
 * can spare. The original may have had the same: there rows that are alike could be divided. */
static void fill_up(job *j, size_t c)
{
    uint64_t rows = j->rows[c];
    uint64_t left = 0;
    uint64_t spare = 0;
    for (size_t t = 0; t < j->n_tuples; t++) {
        const bool is_left = j->class_of[t] == NO_CLASS;
        if (j->class_of[t] != c && (is_left || is_spare(j, t)) && covers(j, c, t)) {
            *(is_left ? &left : &spare) += pv_profile_count(j->profile, t);
        }
    }
    if (left == 0 || rows + left + spare < j->rules.k) {
        return;
    }
    for (int pass = 0; pass < 2; pass++) { /* first all that is left, then as many as needed */
        for (size_t t = 0; t < j->n_tuples; t++) {
            const size_t from = j->class_of[t];
            const bool wanted =
                pass == 0 ? from == NO_CLASS
                          : rows < j->rules.k && from != NO_CLASS && from != c && is_spare(j, t);
            if (wanted && covers(j, c, t)) {
                const uint64_t n = pv_profile_count(j->profile, t);
                if (from != NO_CLASS) {
                    j->rows[from] -= n;
                }
                j->class_of[t] = c;
                rows += n;
            }
        }
    }
    j->rows[c] = rows;
}

/* Where spare rows turned out too few, since two were of one class, the class falls apart again. */
static void drop_broken(job *j)
{
    for (size_t t = 0; t < j->n_tuples; t++) {
        const size_t c = j->class_of[t];
        if (c != NO_CLASS && j->rows[c] < j->rules.k) {
            j->class_of[t] = NO_CLASS;
        }
    }
}

static pv_status settle(job *j, pv_error *error)
{
    pv_class_scorer scorer;
    bool left = false;
    PV_TRY(pv_i_class_scorer_init(&scorer, &j->rules, error));
    put_all(j);
    hand_on(j, &scorer);
    pv_i_class_scorer_deinit(&scorer);
    for (size_t t = 0; t < j->n_tuples; t++) {
        left |= j->class_of[t] == NO_CLASS && j->first_of[t] != NO_CLASS;
    }
    /* Sensitive values would have to be counted again for every row that moves. */
    for (size_t c = 0; left && j->rules.n_rules == 0 && c < j->n_classes; c++) {
        fill_up(j, c);
    }
    if (left) {
        drop_broken(j);
    }
    return PV_STATUS_OK;
}

static void count_rows(job *j)
{
    memset(j->rows, 0, j->n_classes * sizeof *j->rows);
    for (size_t t = 0; t < j->n_tuples; t++) {
        if (j->class_of[t] != NO_CLASS) {
            j->rows[j->class_of[t]] += pv_profile_count(j->profile, t);
        }
    }
}

/* -------------------------------------------------------------------- scheme */

static pv_status make_scheme(const job *j, const size_t *class_of, pv_scheme **scheme,
                             pv_error *error)
{
    pv_scheme *const made = PV_NEW(pv_scheme);
    if (made == NULL) {
        return pv_i_no_memory(error);
    }
    made->n_levels = j->n_quasi;
    made->levels = PV_NEW_ZEROED(uint8_t, j->n_quasi);
    made->records = pv_i_array(j->n_tuples, j->n_quasi);
    made->demands = pv_i_strdup("");
    if (made->levels == NULL || made->records == NULL || made->demands == NULL) {
        pv_scheme_free(made);
        return pv_i_no_memory(error);
    }
    for (size_t t = 0; t < j->n_tuples; t++) {
        for (size_t q = 0; q < j->n_quasi; q++) {
            const pv_hierarchy *const h = pv_study_hierarchy(j->study, q);
            const size_t leaf = pv_profile_leaf(j->profile, t, q);
            made->records[t * j->n_quasi + q] =
                class_of[t] == NO_CLASS ? (uint8_t)pv_hierarchy_height(h)
                                        : j->fittings[q].level[j->classes[class_of[t]].labels[q] *
                                                                   (size_t)pv_hierarchy_leaves(h) +
                                                               leaf];
        }
    }
    *scheme = made;
    return PV_STATUS_OK;
}

static pv_local_fit count_fit(job *j)
{
    pv_local_fit fit = {.rows = pv_profile_rows(j->profile)};
    count_rows(j);
    for (size_t t = 0; t < j->n_tuples; t++) {
        const uint64_t rows = pv_profile_count(j->profile, t);
        fit.uncovered += j->first_of[t] == NO_CLASS ? rows : 0;
        fit.suppressed += j->first_of[t] != NO_CLASS && j->class_of[t] == NO_CLASS ? rows : 0;
        fit.moved += j->class_of[t] != NO_CLASS && j->class_of[t] != j->first_of[t] ? rows : 0;
    }
    for (size_t c = 0; c < j->n_classes; c++) {
        fit.classes += j->rows[c] > 0;
    }
    return fit;
}

/* --------------------------------------------------------------------- whole */

static pv_status begin(job *j, const pv_local_options *asked, pv_error *error)
{
    pv_constraint demands[PV_MAX_CONSTRAINTS];
    size_t n = 0;
    if (j->n_classes == 0) {
        return pv_i_fail(error, PV_STATUS_ARGUMENT,
                         "the plan is no scheme file of a local recoding: it has no classes");
    }
    if (j->plan->class_width != j->n_quasi) {
        return pv_i_fail_at(error, PV_STATUS_INPUT, j->plan->path, 0, 0,
                            "classes have %zu labels, but there are %zu quasi-identifiers",
                            j->plan->class_width, j->n_quasi);
    }
    PV_TRY(pv_plan_demands(j->plan, demands, &n, error));
    for (size_t i = 0; i < asked->n_demands; i++) {
        PV_TRY(pv_constraints_add(demands, &n, &asked->demands[i], error));
    }
    const uint64_t target_k = pv_plan_target_k(j->plan);
    if (target_k > 0) {
        const pv_constraint k = {.ref = {.measure = pv_measure_find("k")},
                                 .bound = (double)target_k};
        PV_TRY(pv_constraints_add(demands, &n, &k, error));
    }
    PV_TRY(pv_i_class_rules_init(&j->rules, j->profile, demands, n, error));
    j->class_of = PV_ARENA_ARRAY(&j->arena, size_t, j->n_tuples);
    j->first_of = PV_ARENA_ARRAY(&j->arena, size_t, j->n_tuples);
    j->first_in = PV_ARENA_ARRAY(&j->arena, size_t, j->n_classes);
    j->next_in = PV_ARENA_ARRAY(&j->arena, size_t, j->n_tuples);
    j->rows = PV_ARENA_ARRAY(&j->arena, uint64_t, j->n_classes);
    j->holds = PV_ARENA_ARRAY(&j->arena, bool, j->n_classes);
    return j->class_of != NULL && j->first_of != NULL && j->first_in != NULL &&
                   j->next_in != NULL && j->rows != NULL && j->holds != NULL
               ? PV_STATUS_OK
               : pv_i_no_memory(error);
}

static pv_status too_many(const pv_local_fit *fit, uint64_t budget, pv_error *error)
{
    return pv_i_hint(
        pv_i_fail(error, PV_STATUS_UNSATISFIED,
                  "%llu of %llu rows fit no class of the scheme, and %llu more none that would "
                  "keep the demands; %llu may be suppressed",
                  (unsigned long long)fit->uncovered, (unsigned long long)fit->rows,
                  (unsigned long long)fit->suppressed, (unsigned long long)budget),
        error, "allow more suppression, or make a recoding of these rows; nothing was written");
}

static pv_status apply(job *j, const pv_local_options *asked, bool weaker, pv_scheme **scheme,
                       pv_local_fit *fit, pv_error *error)
{
    const pv_context *const context =
        asked->context != NULL ? asked->context : pv_study_context(j->study);
    const pv_budget *const given = asked->budget != NULL ? asked->budget : &j->plan->suppression;
    const uint64_t budget = pv_budget_rows(given, pv_profile_rows(j->profile));
    pv_ticker ticker = pv_i_ticker(context, "fitting", j->n_tuples / TUPLES_OF_A_TASK + 1);
    PV_TRY(begin(j, asked, error));
    PV_TRY(sort_classes(j, error));
    PV_TRY(pv_i_tasks_run(pv_i_threads(context), j->n_tuples / TUPLES_OF_A_TASK + 1, fit_tuples, j,
                          &ticker, error));
    PV_TRY(settle(j, error));
    *fit = count_fit(j);
    const bool fits = fit->uncovered + fit->suppressed <= budget;
    if (!fits && (!weaker || fit->uncovered > budget)) {
        return too_many(fit, budget, error);
    }
    if (!fits) {
        memcpy(j->class_of, j->first_of, j->n_tuples * sizeof *j->class_of);
        *fit = count_fit(j);
    }
    return make_scheme(j, j->class_of, scheme, error);
}

pv_status pv_local_apply(const pv_study *study, const pv_local_options *options, bool weaker,
                         pv_scheme **scheme, pv_local_fit *fit, pv_error *error)
{
    pv_local_options asked;
    pv_local_fit own;
    job j = {.study = study, .plan = pv_study_plan(study), .n_quasi = pv_study_quasis(study)};
    PV_TRY(PV_TAKE_OPTIONS(asked, options, error));
    PV_TRY(pv_study_profile(study, &j.profile, error));
    j.n_tuples = pv_profile_tuples(j.profile);
    j.n_classes = j.plan->n_classes;
    const pv_status status = apply(&j, &asked, weaker, scheme, fit != NULL ? fit : &own, error);
    pv_i_arena_deinit(&j.arena);
    return status;
}
