/* Counting columns in the classes of cut schemes when memory runs out, at every allocation. */
#include "support/cut_oracle.h"
#include "support/failing_alloc.h"
#include "support/study.h"

#include "cuts/cut_table.h"

static const char plan[] = "attributes:\n"
                           "  a: {role: quasi, granularity: 2}\n"
                           "  b: {role: quasi}\n"
                           "  s: {role: sensitive}\n"
                           "  u: {role: sensitive}\n";
static const char table_text[] = "a,b,s,u\n1,x,p,1\n2,x,q,2\n3,y,p,3\n1,x,p,4\n,y,q,5\n5,z,r,6\n"
                                 "2,x,q,7\n9,y,p,8\n1,z,p,9\n4,w,r,1\n4,w,q,2\n8,w,p,3\n";

enum { MOST_BITS = 32, MOST_ENTRIES = 64 };

typedef struct {
    size_t n_classes[CUT_PATTERNS];
    uint32_t counts[CUT_PATTERNS][MOST_ENTRIES]; /* of the first column, class after class */
} findings;

typedef struct {
    const pv_profile *profile;
    pv_cut_space space;
    size_t columns[2];
    uint64_t memory;
    findings expected;
} subject;

static bool count_scheme(const subject *s, pv_cut_table *table, pv_cut_scratch *scratch,
                         pv_cut_class_scratch *room, size_t scheme, findings *found)
{
    uint8_t cuts[MOST_BITS];
    pv_classes classes;
    cut_pattern(&s->space, scheme, cuts);
    if (!pv_i_cut_classes(table, scratch, room, s->profile, cuts, &classes)) {
        return false;
    }
    const size_t n = classes.entries[0].start[classes.n_classes];
    assert_true(n <= MOST_ENTRIES);
    found->n_classes[scheme] = classes.n_classes;
    memcpy(found->counts[scheme], classes.entries[0].count, n * sizeof(uint32_t));
    return true;
}

/* A scheme that fails is counted once more, with what is left of the room. */
static bool count_schemes(const subject *s, pv_cut_table *table, findings *found)
{
    pv_cut_scratch scratch = {0};
    pv_cut_class_scratch room = {0};
    bool ready =
        pv_i_cut_scratch_init(&scratch, table) && pv_i_cut_class_scratch_init(&room, table);
    for (size_t i = 0; ready && i < CUT_PATTERNS; i++) {
        ready = count_scheme(s, table, &scratch, &room, i, found) ||
                count_scheme(s, table, &scratch, &room, i, found);
    }
    pv_i_cut_class_scratch_deinit(&room);
    pv_i_cut_scratch_deinit(&scratch);
    return ready;
}

static pv_status work(const subject *s, findings *found, pv_error *error)
{
    pv_cut_table table;
    memset(found, 0, sizeof *found);
    pv_status status = pv_i_cut_table_init_counting(&table, s->profile, &s->space, s->columns, 2,
                                                    s->memory, error);
    if (status == PV_STATUS_OK && !count_schemes(s, &table, found)) {
        status = PV_STATUS_NO_MEMORY;
    }
    pv_i_cut_table_deinit(&table);
    return status;
}

static int64_t fail_each(const subject *s, bool stays)
{
    for (int64_t n = 0;; n++) {
        findings found;
        pv_error error = {0};
        failing_alloc_arm(n, stays);
        const pv_status status = work(s, &found, &error);
        const bool failed = failing_alloc_disarm();
        assert_true(status == PV_STATUS_OK || (failed && status == PV_STATUS_NO_MEMORY));
        if (status == PV_STATUS_OK) {
            assert_memory_equal(&found, &s->expected, sizeof found);
        }
        if (!failed) {
            return n;
        }
    }
}

static void counting_columns_fails_cleanly(void **state)
{
    bound_study bound = bound_study_create(plan, table_text);
    pv_profile *const profile = bound_profile(bound.study, 1);
    subject s = {.profile = profile,
                 .columns = {pv_study_sensitive_column(bound.study, 0),
                             pv_study_sensitive_column(bound.study, 1)}};
    pv_error error = {0};
    (void)state;
    bound_must(pv_i_cut_space_init(&s.space, bound.study, false, &error), &error);
    for (s.memory = 0; s.memory < 3000; s.memory += 1400) {
        bound_must(work(&s, &s.expected, &error), &error);
        assert_true(fail_each(&s, true) > 30);
        assert_true(fail_each(&s, false) > 30);
    }
    pv_i_cut_space_deinit(&s.space);
    pv_profile_free(profile);
    bound_study_free(&bound);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(counting_columns_fails_cleanly)};
    return cmocka_run_group_tests_name("columns without memory", tests, NULL, NULL);
}
