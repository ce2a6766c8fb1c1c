/* Keeping demands record by record when memory runs out, at every allocation. */
#include "records/disclosure.h"
#include "support/failing_alloc.h"
#include "support/study.h"

#include "scheme/scheme.h"
#include <paravent/disclose.h>

enum { QUASIS = 2, MOST_TUPLES = 8 };

static const char plan[] = "attributes:\n"
                           "  age: {role: quasi, hierarchy: {intervals: [10, 100]}}\n"
                           "  place: {role: quasi}\n"
                           "  ill: {role: sensitive}\n"
                           "  pay: {role: sensitive}\n";
static const char table[] = "age,place,ill,pay\n1,x,a,10\n31,x,b,20\n31,x,c,10\n32,y,a,30\n"
                            "99,z,a,30\n";

typedef struct {
    const pv_profile *profile;
    pv_disclosure disclosure;
    const char *demands;
    uint64_t budget;
} question;

static pv_status enforce(void *ctx, pv_error *error)
{
    const question *const q = ctx;
    const pv_context alone = {.threads = 1}; /* starting threads would take most of the time */
    pv_constraint demands[PV_MAX_CONSTRAINTS];
    size_t n = 0;
    pv_scheme scheme = {0};
    pv_status status = pv_constraints_parse(q->demands, demands, &n, error);
    if (status == PV_STATUS_OK) {
        status = pv_i_disclosure_scheme(&q->disclosure, q->profile, demands, n, q->budget, &alone,
                                        &scheme, NULL, error);
    }
    assert_int_equal(scheme.records != NULL, status == PV_STATUS_OK);
    pv_i_scheme_deinit(&scheme);
    return status;
}

/* With rules of all kinds; suppressing, mended at the second attempt only, and from levels. */
static void demands_fail_cleanly(void **state)
{
    static const struct {
        const char *demands;
        uint64_t budget;
    } asked[] = {{"k=2,l-distinct=2,l-entropy=1.5,l-recursive(3)=2,t-closeness=0.7", 2},
                 {"k=2", 1},
                 {"k=5", 1}};
    const uint8_t levels[QUASIS] = {0};
    const uint8_t starred[QUASIS] = {3, 1};
    pv_disclosed tuples[MOST_TUPLES] = {{0}};
    bound_study s = bound_study_create(plan, table);
    pv_profile *const profile = bound_profile(s.study, 1);
    question q = {.profile = profile,
                  .disclosure = {
                      .n_quasi = QUASIS, .n_tuples = pv_profile_tuples(profile), .tuples = tuples}};
    (void)state;
    for (size_t t = 0; t < q.disclosure.n_tuples; t++) {
        tuples[t].levels = levels;
    }
    for (size_t i = 0; i < sizeof asked / sizeof *asked; i++) {
        q.demands = asked[i].demands;
        q.budget = asked[i].budget;
        assert_true(failing_alloc_every(enforce, &q) > 5);
    }
    tuples[0].levels = tuples[1].levels = starred; /* more than may be suppressed */
    q.demands = "k=2";
    q.budget = 1;
    assert_true(failing_alloc_every(enforce, &q) > 5);
    pv_profile_free(profile);
    bound_study_free(&s);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(demands_fail_cleanly)};
    return cmocka_run_group_tests_name("demands record by record without memory", tests, NULL,
                                       NULL);
}
