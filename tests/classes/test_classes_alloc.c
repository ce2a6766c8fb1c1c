/* Profile and classes when memory runs out, at every allocation. */
#include "support/failing_alloc.h"
#include "support/study.h"

#include "classes/keys.h"

static const char plan[] = "attributes:\n"
                           "  a: {role: quasi, hierarchy: {intervals: [2, 4]}}\n"
                           "  b: {role: quasi}\n"
                           "  s: {role: sensitive}\n"
                           "  t: {role: sensitive}\n"
                           "  c: {role: label}\n";
static const char table[] = "a,b,s,t,c\n1,x,u,1,p\n2,x,v,2,q\n3,y,u,3,p\n1,x,w,,q\n,y,u,1,p\n";

static pv_status make_profile(void *ctx, pv_error *error)
{
    const pv_context context = {.threads = 1};
    pv_profile *profile = NULL;
    const pv_status status = pv_profile_create(ctx, &context, &profile, error);
    assert_true((profile == NULL) == (status != PV_STATUS_OK));
    pv_profile_free(profile);
    return status;
}

static void profile_fails_cleanly(void **state)
{
    bound_study s = bound_study_create(plan, table);
    (void)state;
    assert_true(failing_alloc_every(make_profile, s.study) > 10);
    bound_study_free(&s);
}

static pv_status make_classes(void *ctx, pv_error *error)
{
    const uint8_t levels[] = {1, 0};
    const pv_suppression suppression = {.whole_budget = true, .budget = 2};
    pv_classes *classes = NULL;
    const pv_status status = pv_classes_create(ctx, levels, &suppression, &classes, error);
    assert_true((classes == NULL) == (status != PV_STATUS_OK));
    pv_classes_free(classes);
    return status;
}

static void classes_fail_cleanly(void **state)
{
    bound_study s = bound_study_create(plan, table);
    pv_profile *const profile = bound_profile(s.study, 1);
    (void)state;
    assert_true(failing_alloc_every(make_classes, profile) > 5);
    pv_profile_free(profile);
    bound_study_free(&s);
}

/* A map that cannot grow keeps what it has. */
static pv_status fill_keymap(void *ctx, pv_error *error)
{
    pv_keymap map = {0};
    pv_status status = PV_STATUS_OK;
    (void)ctx;
    if (!pv_i_keymap_init(&map, 2, 0)) {
        status = PV_STATUS_NO_MEMORY;
    }
    for (uint64_t i = 0; i < 1000 && status == PV_STATUS_OK; i++) {
        const uint64_t key[] = {i, ~i};
        const uint32_t id = pv_i_keymap_add(&map, key);
        status = id == PV_KEYMAP_FULL ? PV_STATUS_NO_MEMORY : PV_STATUS_OK;
        assert_int_equal(map.n, id == PV_KEYMAP_FULL ? i : i + 1);
    }
    const uint64_t first[] = {0, ~UINT64_C(0)};
    assert_true(map.n == 0 || map.n == map.capacity || pv_i_keymap_add(&map, first) == 0);
    pv_i_keymap_deinit(&map);
    error->status = status;
    return status;
}

static void keymap_fails_cleanly(void **state)
{
    (void)state;
    assert_true(failing_alloc_every(fill_keymap, NULL) > 5);
}

static pv_status sort_keys(void *ctx, pv_error *error)
{
    const uint64_t keys[] = {3, 1, 2};
    uint32_t order[3];
    (void)ctx;
    error->status = pv_i_keys_order(keys, 3, 1, order) ? PV_STATUS_OK : PV_STATUS_NO_MEMORY;
    return error->status;
}

static pv_status sort_numbers(void *ctx, pv_error *error)
{
    uint64_t numbers[] = {3, 1, 2};
    (void)ctx;
    error->status = pv_i_sort_u64(numbers, 3) ? PV_STATUS_OK : PV_STATUS_NO_MEMORY;
    return error->status;
}

static void sorting_fails_cleanly(void **state)
{
    (void)state;
    assert_int_equal(failing_alloc_every(sort_keys, NULL), 2);
    assert_int_equal(failing_alloc_every(sort_numbers, NULL), 2);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(profile_fails_cleanly),
        cmocka_unit_test(classes_fail_cleanly),
        cmocka_unit_test(keymap_fails_cleanly),
        cmocka_unit_test(sorting_fails_cleanly),
    };
    return cmocka_run_group_tests_name("classes without memory", tests, NULL, NULL);
}
