/* Memory that runs out anywhere while records are released with levels of their own: an error, no
 * file, nothing lost. */
#include "release/release.h"
#include "support/failing_alloc.h"
#include "support/files.h"
#include "support/study.h"

#include "scheme/scheme.h"
#include <paravent/release.h>

enum { TUPLES = 4, QUASIS = 2 };

static const char plan[] = "attributes:\n"
                           "  a: {role: quasi, hierarchy: {intervals: [2, 4]}}\n"
                           "  b: {role: quasi, hierarchy: {rows: [[x, g], [y, g]]}}\n"
                           "  s: {role: sensitive}\n"
                           "  i: {role: identifier}\n";
static const char table[] = "a,b,s,i\n1,x,u,1\n2,x,=v(),2\n3,y,u,3\n1,x,u,4\n,y,=v(),5\n";

typedef struct {
    scratch_folder folder;
    pv_profile *profile;
    uint8_t records[TUPLES * QUASIS], levels[QUASIS];
    pv_row_order order;
    char map[128];
} question;

static pv_status release(void *ctx, pv_error *error)
{
    question *const q = ctx;
    const pv_scheme scheme = {.levels = q->levels, .n_levels = QUASIS, .records = q->records};
    const pv_context context = {.threads = 1};
    const pv_release_settings options = {.output = q->folder.file,
                                         .asked.force = true,
                                         .suppression = {.whole_budget = true, .budget = 1},
                                         .asked.order = q->order,
                                         .asked.row_map = q->map,
                                         .asked.hash_identifiers = true,
                                         .asked.key = "0123456789abcdef",
                                         .asked.key_size = 16,
                                         .asked.seed = 3};
    pv_release_result *result = NULL;
    const pv_status status =
        pv_i_release_write(&scheme, q->profile, &options, &context, &result, error);
    assert_int_equal(result != NULL, status == PV_STATUS_OK);
    pv_release_result_free(result);
    return status;
}

/* Nothing is there until all went well; then the table and its papers. */
static void releases_fail_cleanly(void **state)
{
    question q = {.folder = scratch_folder_create("out.csv"), .records = {1, 0, 1, 0, 3, 1, 2, 1}};
    bound_study s = bound_study_create(plan, table);
    (void)state;
    q.profile = bound_profile(s.study, 1);
    assert_int_equal(pv_profile_tuples(q.profile), TUPLES);
    (void)snprintf(q.map, sizeof q.map, "%s/map", q.folder.path);
    for (int64_t n = 0; n < 20; n++) {
        pv_error error = {0};
        failing_alloc_arm(n, true);
        const pv_status status = release(&q, &error);
        assert_true(failing_alloc_disarm());
        assert_int_equal(status, PV_STATUS_NO_MEMORY);
        assert_int_equal(scratch_folder_files(&q.folder), 0);
    }
    assert_true(failing_alloc_every(release, &q) > 100);
    q.order = PV_ORDER_SHUFFLED;
    assert_true(failing_alloc_each(release, &q, false) > 100);
    assert_int_equal(scratch_folder_files(&q.folder), 3);
    pv_profile_free(q.profile);
    bound_study_free(&s);
    scratch_folder_remove(&q.folder);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(releases_fail_cleanly)};
    return cmocka_run_group_tests_name("write records without memory", tests, NULL, NULL);
}
