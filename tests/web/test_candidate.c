/* Specs as schemes: what candidates are said to be, against the released file; the cache; what is
 * no spec. */
#include "web/stage.h"

#include <math.h>
#include <pthread.h>
#include <stdatomic.h>

/* -------------------------------------------------------------- random tables */

static size_t distinct_cells(const naive *n, size_t q)
{
    size_t distinct = 0;
    for (size_t row = 0; row < n->n_rows; row++) {
        bool is_first = !n->suppressed[row];
        for (size_t other = 0; other < row; other++) {
            is_first = is_first && (n->suppressed[other] ||
                                    strcmp(naive_cell(n, row, q), naive_cell(n, other, q)) != 0);
        }
        distinct += is_first;
    }
    return distinct;
}

static size_t distinct_values(const pv_study *study, size_t q)
{
    return pv_table_values(pv_study_table(study), pv_study_quasi_column(study, q));
}

/* A missing value is shown as the original spells it. */
static const char *plain(const char *cell)
{
    return strcmp(cell, "NA") == 0 || strcmp(cell, "?") == 0 ? "" : cell;
}

static bool is_label(const naive *n, size_t q, const char *label)
{
    for (size_t row = 0; row < n->n_rows; row++) {
        if (!n->suppressed[row] && strcmp(naive_cell(n, row, q), plain(label)) == 0) {
            return true;
        }
    }
    return false;
}

static void expect_attributes(const naive *n, const stage *s, const json_t *found)
{
    const json_t *const attributes = member(found, "attributes");
    double lost = 0;
    assert_int_equal(json_array_size(attributes), n->n_quasi);
    for (size_t q = 0; q < n->n_quasi; q++) {
        const json_t *const attribute = json_array_get(attributes, q);
        const json_t *const labels = member(attribute, "labels");
        assert_int_equal(count_at(attribute, "before"),
                         distinct_values(s->snapshot->opened.study, q));
        assert_int_equal(count_at(attribute, "after"), distinct_cells(n, q));
        assert_int_equal(json_array_size(labels),
                         distinct_cells(n, q) < 24 ? distinct_cells(n, q) : 24);
        for (size_t i = 0; i < json_array_size(labels); i++) {
            assert_true(is_label(n, q, json_string_value(json_array_get(labels, i))));
        }
        lost += number_at(attribute, "lost");
    }
    expect_near(lost * (double)n->n_rows, number_at(member(found, "measures"), "glm"));
    expect_near(lost / (double)n->n_quasi, number_at(member(found, "shares"), "glm"));
}

static void expect_candidate(const naive *n, const stage *s, const json_t *spec,
                             const json_t *found)
{
    assert_true(json_equal(member(found, "spec"), spec));
    assert_int_equal(count_at(found, "rows"), n->n_rows);
    assert_int_equal(count_at(found, "suppressed"), n->n_suppressed);
    assert_int_equal(count_at(found, "k"), naive_k(n));
    assert_int_equal(count_at(found, "classes"), naive_classes(n));
    assert_true(json_is_true(member(found, "feasible")));
    assert_int_equal(count_at(member(found, "measures"), "k"), naive_k(n));
    const json_t *const demands = member(found, "demands");
    for (size_t i = 0; i < json_array_size(demands); i++) {
        assert_true(json_is_true(member(json_array_get(demands, i), "holds")));
    }
    assert_non_null(strstr(text_at(found, "sentence"), "of the detail is lost."));
    assert_null(strstr(text_at(found, "sentence"), "cannot be released"));
    expect_attributes(n, s, found);
}

/* What is refused says so. */
static void expect_refused(const stage *s, const json_t *spec, const json_t *found)
{
    json_t *const dry = stage_must(
        s, web_release, json_pack("{sOsssb}", "spec", spec, "output", "out.csv", "dry", 1));
    const bool is_refused = !json_is_null(member(dry, "blocked"));
    const bool says_so = strstr(text_at(found, "sentence"), "cannot be released") != NULL;
    if (count_at(found, "k") > 1) {
        assert_int_equal(is_refused, says_so);
    }
    json_decref(dry);
}

static void candidates_are_what_is_released(void **state)
{
    size_t released[STAGE_KINDS] = {0};
    size_t refused = 0;
    pv_rng rng;
    (void)state;
    pv_i_rng_init(&rng, 4711);
    for (size_t i = 0; i < effort(60); i++) {
        random_shape shape = records_shape(&rng);
        random_study random;
        shape.copies = 2;
        random_study_init(&random, &rng, &shape);
        stage s = stage_random(&random);
        for (int kind = 0; kind < STAGE_KINDS; kind++) {
            const bool varied = shape.n_sensitive > 0 && random_one_in(&random, 3);
            json_t *const spec = stage_spec(&s, &random, kind, varied ? "k=2,l-distinct=2" : "k=2");
            naive n;
            if (spec == NULL) {
                continue;
            }
            json_t *const found =
                stage_must(&s, web_candidate_job, json_pack("{sO}", "spec", spec));
            if (naive_release(&n, &s, spec)) {
                released[kind]++;
                expect_candidate(&n, &s, spec, found);
                naive_free(&n);
            } else {
                refused++;
            }
            expect_refused(&s, spec, found);
            json_decref(found);
            json_decref(spec);
        }
        stage_close(&s);
        random_study_deinit(&random);
    }
    assert_true(
        (released[STAGE_LEVELS] > 3 && released[STAGE_CUTS] > 3 && released[STAGE_LOCAL] > 3) ||
        !effort_is_whole());
    assert_true(refused > 0 || !effort_is_whole());
}

/* ----------------------------------------------------------------------- words */

static const char people[] = "name,age,sex,illness\n"
                             "ann,21,f,flu\nbea,21,f,cold\ncyd,22,m,flu\ndan,22,m,gout\n"
                             "eve,31,f,flu\nfay,77,m,flu\n";
static const char plan[] = "suppression: 2\nattributes:\n"
                           "  name: {role: identifier}\n"
                           "  age: {role: quasi, hierarchy: {intervals: [10, 50]}}\n"
                           "  sex: {role: quasi}\n  illness: {role: sensitive, unique: accepted}\n";

static json_t *spec_of(const char *text)
{
    json_t *const spec = json_loads(text, 0, NULL);
    assert_non_null(spec);
    return json_pack("{so}", "spec", spec);
}

static void lines_and_sentences(void **state)
{
    (void)state;
    stage s = stage_open(plan, people);
    json_t *found =
        stage_must(&s, web_candidate_job,
                   spec_of("{\"scheme\": \"levels\", \"levels\": [1, 0], \"require\": \"k=2\", "
                           "\"suppression\": \"2\"}"));
    assert_string_equal(text_at(found, "line"),
                        "paravent release plan.yaml --levels 1,0 --require k=2 --suppression 2");
    assert_string_equal(text_at(found, "sentence"),
                        "Every row that is not suppressed looks like at least 1 other; 2 rows "
                        "(33.3%) are suppressed; 44.4% of the detail is lost.");
    const json_t *const age = json_array_get(member(found, "attributes"), 0);
    assert_string_equal(text_at(age, "treatment"), "level 1 of 3");
    assert_int_equal(count_at(age, "level"), 1);
    assert_int_equal(count_at(age, "before"), 4);
    assert_int_equal(count_at(age, "after"), 1);
    assert_string_equal(json_string_value(json_array_get(member(age, "labels"), 0)), "20-29");
    const json_t *const sex = json_array_get(member(found, "attributes"), 1);
    assert_string_equal(text_at(sex, "treatment"), "as it is");
    assert_true(json_is_null(member(found, "gap")));
    json_decref(found);

    found = stage_must(&s, web_candidate_job,
                       spec_of("{\"scheme\": \"cuts\", \"cuts\": {\"age\": {\"breaks\": [30]}, "
                               "\"sex\": \"*\"}, \"require\": \"k=2\"}"));
    assert_string_equal(text_at(found, "line"),
                        "paravent release plan.yaml --cuts cuts.json --require k=2");
    assert_string_equal(text_at(json_array_get(member(found, "attributes"), 0), "treatment"),
                        "2 groups");
    assert_string_equal(text_at(json_array_get(member(found, "attributes"), 1), "treatment"),
                        "one group: *");
    assert_true(json_is_null(member(json_array_get(member(found, "attributes"), 0), "level")));
    json_decref(found);

    found = stage_must(&s, web_candidate_job,
                       spec_of("{\"scheme\": \"local\", \"require\": \"k=2\", \"suppression\": "
                               "\"0\", \"minimize\": \"glm\"}"));
    assert_string_equal(
        text_at(found, "line"),
        "paravent release plan.yaml --scheme local --require k=2 --suppression 0 --minimize glm");
    assert_true(json_is_boolean(member(found, "proven")));
    json_decref(found);

    found =
        stage_must(&s, web_candidate_job,
                   spec_of("{\"scheme\": \"levels\", \"levels\": [0, 0], \"require\": \"k=3\"}"));
    assert_true(json_is_false(member(found, "feasible")));
    assert_string_equal(text_at(found, "sentence"),
                        "This cannot be released: 6 rows are in classes that break a demand, and "
                        "only 2 may be suppressed.");
    assert_int_equal(count_at(json_array_get(member(found, "demands"), 0), "broken"), 6);
    json_decref(found);
    stage_close(&s);
}

static void what_is_no_spec(void **state)
{
    static const struct {
        const char *spec, *words;
    } wrong[] = {
        {"{}", "levels, cuts or local"},
        {"{\"scheme\": 3}", "no text"},
        {"{\"scheme\": \"cells\"}", "levels, cuts or local"},
        {"{\"scheme\": \"levels\"}", "whole numbers"},
        {"{\"scheme\": \"levels\", \"levels\": [0]}", "2 numbers"},
        {"{\"scheme\": \"levels\", \"levels\": [0, \"1\"]}", "whole numbers"},
        {"{\"scheme\": \"levels\", \"levels\": [0, 9]}", "0 to 1"},
        {"{\"scheme\": \"levels\", \"levels\": [-1, 0]}", "whole numbers"},
        {"{\"scheme\": \"levels\", \"levels\": [0, 0], \"require\": \"k=x\"}", "k"},
        {"{\"scheme\": \"levels\", \"levels\": [0, 0], \"suppression\": \"many\"}", "suppression"},
        {"{\"scheme\": \"cuts\"}", "by attribute"},
        {"{\"scheme\": \"local\"}", "what every class must keep"},
        {"{\"scheme\": \"local\", \"require\": \"k=2\", \"minimize\": \"k\"}", "k"},
    };
    (void)state;
    stage s = stage_open(plan, people);
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        stage_refused(&s, web_candidate_job, spec_of(wrong[i].spec), PV_STATUS_ARGUMENT,
                      wrong[i].words);
    }
    stage_refused(&s, web_candidate_job, json_pack("{si}", "spec", 1), PV_STATUS_ARGUMENT, "spec");
    stage_refused(&s, web_candidate_job, json_object(), PV_STATUS_ARGUMENT, "spec");
    stage_refused(&s, web_candidate_job,
                  spec_of("{\"scheme\": \"cuts\", \"cuts\": {\"age\": \"raw\"}}"), PV_STATUS_INPUT,
                  "sex");
    stage_close(&s);
}

/* ----------------------------------------------------------------------- cache */

static json_t *levels_spec(int a, int b)
{
    return json_pack("{sss[ii]ss}", "scheme", "levels", "levels", a, b, "require", "k=1");
}

static void what_is_asked_for_again_is_kept(void **state)
{
    (void)state;
    stage s = stage_open(plan, people);
    web_call call = {.snapshot = s.snapshot, .context = {.threads = 1}};
    web_candidate *held[12] = {NULL};
    pv_error error = {0};
    for (int i = 0; i < 8; i++) { /* all places are in use */
        json_t *const spec = levels_spec(i / 2, i % 2);
        bound_must(web_candidate_find(&call, spec, &held[i], &error), &error);
        json_decref(spec);
    }
    json_t *const spec = levels_spec(0, 1);
    bound_must(web_candidate_find(&call, spec, &held[8], &error), &error);
    assert_ptr_equal(held[8], held[1]);
    json_decref(spec);
    /* The order of members is no other spec, but what is demanded is. */
    json_t *const same =
        json_pack("{sss[ii]ss}", "require", "k=1", "levels", 0, 1, "scheme", "levels");
    json_decref(same);
    json_t *const other =
        json_pack("{sss[ii]ss}", "scheme", "levels", "levels", 0, 1, "require", "k=2");
    bound_must(web_candidate_find(&call, other, &held[9], &error), &error); /* no place for it */
    bound_must(web_candidate_find(&call, other, &held[10], &error), &error);
    assert_ptr_not_equal(held[9], held[1]);
    assert_ptr_not_equal(held[10], held[9]);
    web_candidate_release(held[0]); /* now there is one */
    held[0] = NULL;
    bound_must(web_candidate_find(&call, other, &held[0], &error), &error);
    bound_must(web_candidate_find(&call, other, &held[11], &error), &error);
    assert_ptr_equal(held[11], held[0]);
    json_decref(other);
    for (size_t i = 0; i < 12; i++) {
        web_candidate_release(held[i]);
    }
    web_candidate_release(NULL);
    stage_close(&s);
}

/* Levels are seen again in a moment, a local recoding is searched for. */
static void what_was_searched_for_is_kept_longest(void **state)
{
    (void)state;
    stage s = stage_open(plan, people);
    web_call call = {.snapshot = s.snapshot, .context = {.threads = 1}};
    web_candidate *found = NULL;
    pv_error error = {0};
    json_t *const local = json_pack("{ssss}", "scheme", "local", "require", "k=2");
    bound_must(web_candidate_find(&call, local, &found, &error), &error);
    const web_candidate *const first = found;
    web_candidate_release(found);
    for (int i = 0; i < 16; i++) { /* more than there are places */
        json_t *const spec = json_pack("{sss[ii]ss}", "scheme", "levels", "levels", i / 2 % 4,
                                       i % 2, "require", i < 8 ? "k=1" : "k=2");
        bound_must(web_candidate_find(&call, spec, &found, &error), &error);
        web_candidate_release(found);
        json_decref(spec);
    }
    bound_must(web_candidate_find(&call, local, &found, &error), &error);
    assert_ptr_equal(found, first);
    assert_non_null(found->local);
    web_candidate_release(found);
    json_decref(local);
    stage_close(&s);
}

typedef struct {
    const stage *s;
    web_candidate *found[40];
    pv_status status;
} asker;

static void *ask(void *ctx)
{
    asker *const a = ctx;
    web_call call = {.snapshot = a->s->snapshot, .context = {.threads = 1}};
    for (int i = 0; i < 40 && a->status == PV_STATUS_OK; i++) {
        json_t *const spec = i % 5 == 0 ? json_pack("{ssss}", "scheme", "local", "require", "k=2")
                                        : levels_spec(i % 4, i / 4 % 2);
        a->status = web_candidate_find(&call, spec, &a->found[i], NULL);
        if (i % 3 == 0) {
            web_candidate_release(a->found[i]);
            a->found[i] = NULL;
        }
        json_decref(spec);
    }
    for (int i = 0; i < 40; i++) {
        web_candidate_release(a->found[i]);
    }
    return NULL;
}

static void many_ask_at_once(void **state)
{
    (void)state;
    stage s = stage_open(plan, people);
    pthread_t threads[4];
    asker askers[4];
    for (size_t i = 0; i < 4; i++) {
        askers[i] = (asker){.s = &s};
        assert_int_equal(pthread_create(&threads[i], NULL, ask, &askers[i]), 0);
    }
    for (size_t i = 0; i < 4; i++) {
        assert_int_equal(pthread_join(threads[i], NULL), 0);
        assert_int_equal(askers[i].status, PV_STATUS_OK);
    }
    stage_close(&s);
}

static bool never(void *ctx, const pv_progress *progress)
{
    (void)ctx;
    (void)progress;
    return false;
}

/* What was stopped is not kept: the next one who asks gets all of it. */
static void what_was_stopped_is_not_kept(void **state)
{
    (void)state;
    stage s = stage_open(plan, people);
    web_call stopped = {.snapshot = s.snapshot, .context = {.threads = 1, .progress = never}};
    web_candidate *found = NULL;
    pv_error error = {0};
    json_t *const spec = json_pack("{ssss}", "scheme", "local", "require", "k=2");
    const pv_status status = web_candidate_find(&stopped, spec, &found, &error);
    assert_true(status == PV_STATUS_CANCELLED || status == PV_STATUS_OK);
    if (status == PV_STATUS_OK) { /* it was done before it could be stopped */
        web_candidate_release(found);
    }
    json_t *const result = stage_must(&s, web_candidate_job, json_pack("{so}", "spec", spec));
    json_decref(result);
    stage_close(&s);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(candidates_are_what_is_released),
        cmocka_unit_test(lines_and_sentences),
        cmocka_unit_test(what_is_no_spec),
        cmocka_unit_test(what_is_asked_for_again_is_kept),
        cmocka_unit_test(what_was_searched_for_is_kept_longest),
        cmocka_unit_test(many_ask_at_once),
        cmocka_unit_test(what_was_stopped_is_not_kept),
    };
    return cmocka_run_group_tests_name("candidates", tests, NULL, NULL);
}
