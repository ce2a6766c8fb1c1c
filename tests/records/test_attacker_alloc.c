/* Dictionaries and their index when memory runs out, at every allocation. */
#include "base/error.h"
#include "support/failing_alloc.h"
#include "support/record_oracle.h"

static const char plan[] = "attributes:\n"
                           "  a: {role: quasi, hierarchy: {intervals: [2, 4]}}\n"
                           "  b: {role: quasi, hierarchy: {rows: [[x, u], [y, u], [z, v]]}}\n"
                           "  c: {role: quasi, hierarchy: {rare: 2}}\n";
static const char table[] = "a,b,c\n1,x,p\n2,x,q\n3,y,p\n1,x,p\n,y,p\n";
static const char people[] = "c,b,a,d\np,x,1,0\nr,z,17,0\nq,w,2,0\np,x,1,0\n";

typedef struct {
    const pv_profile *profile;
    pv_attacker_options options;
} work;

static pv_status open_dictionary(void *ctx, pv_error *error)
{
    const work *const w = ctx;
    const pv_context context = {.threads = 1};
    pv_attacker *attacker = NULL;
    const pv_status status = pv_attacker_open(w->profile, &w->options, &context, &attacker, error);
    assert_true((attacker == NULL) == (status != PV_STATUS_OK));
    pv_attacker_free(attacker);
    return status;
}

static void dictionaries_fail_cleanly(void **state)
{
    attacker_study s = attacker_study_create(plan, table);
    const attacker_file file = attacker_file_write(people);
    const char *const ignore[] = {"d", NULL};
    work w = {.profile = s.profile};
    (void)state;
    for (int i = 0; i < 4; i++) {
        w.options = (pv_attacker_options){.path = i % 2 == 1 ? file.path : NULL,
                                          .similarity = i >= 2 ? 0.5 : 0,
                                          .ignore = ignore};
        assert_true(failing_alloc_every(open_dictionary, &w) > 10);
    }
    attacker_file_remove(&file);
    attacker_study_free(&s);
}

static pv_status make_index(void *ctx, pv_error *error)
{
    pv_consistent_index *index = NULL;
    pv_arena arena = {0};
    pv_status status = pv_i_consistent_index_create(ctx, 0, &index, error);
    assert_true((index == NULL) == (status != PV_STATUS_OK));
    if (status == PV_STATUS_OK) {
        assert_true(pv_i_consistent_scratch(index, &arena) != NULL || arena.failed);
        status = arena.failed ? pv_i_no_memory(error) : PV_STATUS_OK;
    }
    pv_i_arena_deinit(&arena);
    pv_i_consistent_index_free(index);
    return status;
}

static void the_index_fails_cleanly(void **state)
{
    attacker_study s = attacker_study_create(plan, table);
    pv_attacker *const attacker =
        attacker_open(s.profile, "c,b,a\np,x,1\nr,z,17\nq,w,2\np,x,1\n", 0, 1);
    (void)state;
    assert_true(failing_alloc_every(make_index, attacker) > 2);
    pv_attacker_free(attacker);
    attacker_study_free(&s);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(dictionaries_fail_cleanly),
        cmocka_unit_test(the_index_fails_cleanly),
    };
    return cmocka_run_group_tests_name("attacker without memory", tests, NULL, NULL);
}
