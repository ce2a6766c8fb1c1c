/* The certificate of a real release: the synthetic census from file to page. */
#include "release/release.h"
#include "support/files.h"
#include "support/samples.h"

#include "base/memory.h"

#include "scheme/scheme.h"
#include <ctype.h>
#include <jansson.h>
#include <paravent/paravent.h>

enum { PEOPLE = 3000, SEED = 1 };

typedef struct release {
    scratch_folder folder; /* its file is the release */
    pv_plan *plan;
    pv_study *study;
    pv_profile *profile;
    pv_scheme scheme;
    pv_release_result *result;
    char *json, *page;
} release;

#define OK(expr) assert_int_equal((expr), PV_STATUS_OK)

static void open_census(release *r)
{
    char path[96];
    OK(pv_census_write(r->folder.path, PEOPLE, SEED, false, NULL));
    (void)snprintf(path, sizeof path, "%s/plan.yaml", r->folder.path);
    OK(pv_plan_read(path, &r->plan, NULL));
    OK(pv_study_open(r->plan, &(pv_study_options){.all_columns = true}, NULL, &r->study, NULL));
    OK(pv_profile_create(r->study, NULL, &r->profile, NULL));
}

static int set_up(void **state)
{
    release *const r = calloc(1, sizeof *r);
    assert_non_null(r);
    r->folder = scratch_folder_create("release.csv");
    open_census(r);
    OK(pv_i_scheme_init(&r->scheme, r->study, NULL));
    OK(pv_scheme_parse(&r->scheme, r->study, "4,0,5,2,2,1,1,2,3", NULL));
    pv_constraint constraints[PV_MAX_CONSTRAINTS];
    size_t n_constraints = 0;
    OK(pv_constraints_parse("k=3", constraints, &n_constraints, NULL));
    const pv_release_settings options = {
        .output = r->folder.file,
        .suppression = {.whole_budget = true, .budget = pv_study_budget(r->study)},
        .asked.constraints = constraints,
        .asked.n_constraints = n_constraints,
        .asked.order = PV_ORDER_SHUFFLED,
        .asked.seed = SEED};
    OK(pv_i_release_write(&r->scheme, r->profile, &options, NULL, &r->result, NULL));
    r->json = scratch_text(pv_release_path(r->result, PV_FILE_CERTIFICATE));
    r->page = scratch_text(pv_release_path(r->result, PV_FILE_CERTIFICATE_PAGE));
    *state = r;
    return 0;
}

static int tear_down(void **state)
{
    release *const r = *state;
    scratch_folder_remove(&r->folder);
    pv_i_free(r->json);
    pv_i_free(r->page);
    pv_release_result_free(r->result);
    pv_i_scheme_deinit(&r->scheme);
    pv_profile_free(r->profile);
    pv_study_free(r->study);
    pv_plan_free(r->plan);
    free(r);
    return 0;
}

static void the_plan_of_the_census_binds(void **state)
{
    const release *const r = *state;
    static const unsigned heights[] = {5, 1, 5, 3, 2, 1, 2, 2, 3};
    uint64_t nodes = 1;
    assert_int_equal(pv_study_quasis(r->study), sizeof heights / sizeof *heights);
    for (size_t q = 0; q < pv_study_quasis(r->study); q++) {
        assert_int_equal(pv_hierarchy_height(pv_study_hierarchy(r->study, q)), heights[q]);
        nodes *= heights[q] + 1;
    }
    assert_int_equal(nodes, 62208); /* as the plan's first line says */
    assert_int_equal(pv_study_sensitives(r->study), 2);
    assert_int_equal(pv_study_budget(r->study), PEOPLE / 100);
}

static void the_certificate_tells_the_result(void **state)
{
    const release *const r = *state;
    json_t *const d = json_loads(r->json, JSON_REJECT_DUPLICATES, NULL);
    assert_non_null(d);
    const json_t *const measures = json_object_get(d, "measures");
    assert_int_equal(json_integer_value(json_object_get(measures, "k")), pv_release_k(r->result));
    assert_int_equal(json_integer_value(json_object_get(d, "suppressed")),
                     pv_release_n_suppressed(r->result));
    assert_string_equal(json_string_value(json_object_get(d, "verdict")), "verified");
    json_decref(d);
}

/* Does `value` stand in the text as a word of its own, not within a longer number or word? */
static bool mentions(const char *text, const char *value)
{
    const size_t length = strlen(value);
    for (const char *at = strstr(text, value); at != NULL; at = strstr(at + 1, value)) {
        if ((at == text || !isalnum((unsigned char)at[-1])) &&
            !isalnum((unsigned char)at[length])) {
            return true;
        }
    }
    return false;
}

/* Values long enough not to be met by chance; those that are words of the page's own prose
 * ("single") show in any page. Level 0 (sex), the sensitive columns and the identifier count as
 * well. */
static void no_original_value_is_in_it(void **state)
{
    enum { TELLING = 5 };
    const release *const r = *state;
    const pv_table *const table = pv_study_table(r->study);
    certificate_sample sample;
    char *prose = NULL;
    sample_init(&sample);
    OK(pv_i_certificate_page(&sample.certificate, &prose, NULL));
    size_t looked_for = 0;
    for (size_t column = 0; column < pv_table_columns(table); column++) {
        for (uint32_t code = 0; code < pv_table_values(table, column); code++) {
            const char *const value = pv_table_value(table, column, code);
            if (strlen(value) >= TELLING && !mentions(prose, value)) {
                assert_false(mentions(r->json, value));
                assert_false(mentions(r->page, value));
                looked_for++;
            }
        }
    }
    assert_true(looked_for > 500);
    pv_string_free(prose);
    assert_null(strstr(r->page, "P-00000"));
    assert_null(strstr(r->json, r->folder.path));
    assert_null(strstr(r->page, r->folder.path));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_plan_of_the_census_binds),
        cmocka_unit_test(the_certificate_tells_the_result),
        cmocka_unit_test(no_original_value_is_in_it),
    };
    return cmocka_run_group_tests(tests, set_up, tear_down);
}
