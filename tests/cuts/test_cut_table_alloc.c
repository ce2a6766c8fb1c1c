/* Spaces, tables and counts of cuts when memory runs out, at every allocation. A view that cannot
 * be kept is no failure: the same must be counted without it, then and later. */
#include "support/cut_oracle.h"
#include "support/failing_alloc.h"
#include "support/study.h"

#include "cuts/cut_table.h"

static const char plan[] = "attributes:\n"
                           "  a: {role: quasi, granularity: 2}\n"
                           "  b: {role: quasi, hierarchy: {rows: [[x, A], [y, A], [z, B], [w]]}}\n"
                           "  d: {role: quasi}\n";
static const char table_text[] = "a,b,d\n1,x,3\n2,x,7\n3,y,1\n1,x,9\nNA,y,2\n5,z,3\n2,x,7\n"
                                 "9,y,4\n1,z,9\n4,w,2\n4,w,5\n8,w,6\n";

enum { MOST_VALUES = 16, MOST_BITS = 32 };

/* What is counted for some schemes. */
typedef struct {
    pv_cut_sizes sizes[CUT_PATTERNS];
    bool too_small[CUT_PATTERNS][MOST_VALUES * MOST_VALUES];
} findings;

typedef struct {
    const pv_study *study;
    const pv_profile *profile;
    uint64_t memory;
    findings expected;
} subject;

static bool count_scheme(pv_cut_table *table, pv_cut_scratch *scratch, size_t scheme,
                         findings *found)
{
    uint8_t cuts[MOST_BITS];
    cut_pattern(table->space, scheme, cuts);
    return pv_i_cut_count(table, scratch, cuts, &found->sizes[scheme]) &&
           pv_i_cut_too_small(table, scratch, scheme % table->space->n_axes, cuts, 2,
                              found->too_small[scheme]);
}

static void expect_found(const findings *found, const findings *expected, size_t scheme)
{
    assert_int_equal(found->sizes[scheme].smallest, expected->sizes[scheme].smallest);
    assert_int_equal(found->sizes[scheme].largest, expected->sizes[scheme].largest);
    assert_int_equal(found->sizes[scheme].n_classes, expected->sizes[scheme].n_classes);
    assert_memory_equal(found->too_small[scheme], expected->too_small[scheme],
                        sizeof found->too_small[scheme]);
}

/* Each scheme; one that fails is counted once more, with what is left of the room. */
static bool count_schemes(const subject *s, pv_cut_table *table)
{
    pv_cut_scratch scratch;
    findings found;
    bool ready = pv_i_cut_scratch_init(&scratch, table);
    memset(&found, 0, sizeof found);
    for (size_t i = 0; i < CUT_PATTERNS && ready; i++) {
        ready =
            count_scheme(table, &scratch, i, &found) || count_scheme(table, &scratch, i, &found);
        if (ready && s->expected.sizes[i].n_classes > 0) {
            expect_found(&found, &s->expected, i);
        }
    }
    pv_i_cut_scratch_deinit(&scratch);
    return ready;
}

static pv_status work(const subject *s, pv_error *error)
{
    pv_cut_space space;
    pv_cut_table table;
    pv_status status = pv_i_cut_space_init(&space, s->study, true, error);
    if (status != PV_STATUS_OK) {
        return status;
    }
    status = pv_i_cut_table_init(&table, s->profile, &space, s->memory, error);
    if (status == PV_STATUS_OK && !count_schemes(s, &table)) {
        status = PV_STATUS_NO_MEMORY;
    }
    pv_i_cut_table_deinit(&table);
    pv_i_cut_space_deinit(&space);
    return status;
}

static void expect_findings(subject *s)
{
    pv_cut_space space;
    pv_cut_table table;
    pv_cut_scratch scratch;
    pv_error error = {0};
    bound_must(pv_i_cut_space_init(&space, s->study, true, &error), &error);
    bound_must(pv_i_cut_table_init(&table, s->profile, &space, 0, &error), &error);
    assert_true(space.n_bits <= MOST_BITS);
    assert_true(pv_i_cut_scratch_init(&scratch, &table));
    for (size_t i = 0; i < CUT_PATTERNS; i++) {
        assert_true(count_scheme(&table, &scratch, i, &s->expected));
    }
    pv_i_cut_scratch_deinit(&scratch);
    pv_i_cut_table_deinit(&table);
    pv_i_cut_space_deinit(&space);
}

static int64_t fail_each(const subject *s, bool stays)
{
    for (int64_t n = 0;; n++) {
        pv_error error = {0};
        failing_alloc_arm(n, stays);
        const pv_status status = work(s, &error);
        if (!failing_alloc_disarm()) {
            assert_int_equal(status, PV_STATUS_OK);
            return n;
        }
        assert_true(status == PV_STATUS_OK || status == PV_STATUS_NO_MEMORY);
    }
}

static void counting_fails_cleanly(void **state)
{
    bound_study bound = bound_study_create(plan, table_text);
    pv_profile *const profile = bound_profile(bound.study, 1);
    subject s = {.study = bound.study, .profile = profile};
    (void)state;
    expect_findings(&s);
    for (s.memory = 0; s.memory < 3000; s.memory += 900) {
        assert_true(fail_each(&s, true) > 30);
        assert_true(fail_each(&s, false) > 30);
    }
    pv_profile_free(profile);
    bound_study_free(&bound);
}

static pv_status make_space(void *ctx, pv_error *error)
{
    pv_cut_space space;
    const pv_status status = pv_i_cut_space_init(&space, ctx, false, error);
    pv_i_cut_space_deinit(&space);
    return status;
}

static void spaces_fail_cleanly(void **state)
{
    bound_study bound = bound_study_create(plan, table_text);
    (void)state;
    assert_true(failing_alloc_every(make_space, bound.study) > 8);
    bound_study_free(&bound);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(spaces_fail_cleanly),
        cmocka_unit_test(counting_fails_cleanly),
    };
    return cmocka_run_group_tests_name("cuts without memory", tests, NULL, NULL);
}
