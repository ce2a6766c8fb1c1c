/* Disclosure record by record when memory runs out, at every allocation. */
#include "records/disclosure.h"
#include "support/failing_alloc.h"
#include "support/record_oracle.h"

#include "scheme/scheme.h"

static const char plan[] = "attributes:\n"
                           "  a: {role: quasi, hierarchy: {intervals: [2, 4]}}\n"
                           "  b: {role: quasi, hierarchy: {rows: [[x, g], [y, g], [z]]}}\n"
                           "  d: {role: quasi, hierarchy: {intervals: [3]}}\n";
static const char table[] = "a,b,d\n1,x,3\n2,x,7\n3,y,1\n1,x,9\n,y,2\n5,z,3\n2,x,7\n9,y,4\n1,z,9\n"
                            "4,y,2\n8,x,5\n6,z,8\n7,y,6\n";
static const char people[] = "b,a\nx,1\ny,3\nq,9\nz,5\nx,2\ny,\n";

enum { ROWS = 13 };

typedef struct {
    const pv_profile *profile;
    pv_disclose_options options;
    unsigned threads;
    uint8_t *records; /* levels to release with */
} subject;

static pv_status disclose(void *ctx, pv_error *error)
{
    const subject *const s = ctx;
    const pv_context context = {.threads = s->threads};
    pv_disclosure *disclosure = NULL;
    pv_disclosure *released = NULL;
    pv_disclosure_summary *summary = NULL;
    pv_status status = pv_disclose(s->profile, &s->options, &context, &disclosure, error);
    if (status == PV_STATUS_OK) {
        status = pv_disclosure_summarise(disclosure, s->profile, &summary, error);
    }
    if (status == PV_STATUS_OK) {
        const pv_scheme general = {.n_levels = 3, .records = s->records};
        status = pv_disclosure_released(disclosure, s->profile, &s->options, &general, &context,
                                        &released, error);
    }
    pv_disclosure_free(released);
    pv_disclosure_summary_free(summary);
    pv_disclosure_free(disclosure);
    return status;
}

static void disclosures_fail_cleanly(void **state)
{
    static const char *const methods[] = {"scan", "aruba", "btda", "bnb"};
    attacker_study study = attacker_study_create(plan, table);
    pv_attacker *const attacker = attacker_open(study.profile, people, 0, 1);
    uint8_t records[ROWS * 3] = {0};
    (void)state;
    for (size_t i = 0; i < sizeof records; i++) {
        records[i] = i % 3 == 0;
    }
    for (size_t i = 0; i < 16; i++) {
        subject s = {.profile = study.profile,
                     .records = records,
                     .threads = 1 + (unsigned)(i / 8),
                     .options = {.bound = 0.4,
                                 .is_share = true,
                                 .method = methods[i % 4],
                                 .attacker = i / 4 % 2 == 0 ? NULL : attacker}};
        assert_true(failing_alloc_every(disclose, &s) > 20);
        s.options.max_seconds = i / 4 % 2 == 0 ? 1e6 : 1e-9; /* in passes; too late for more */
        assert_true(failing_alloc_every(disclose, &s) > 20);
    }
    pv_attacker_free(attacker);
    attacker_study_free(&study);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(disclosures_fail_cleanly)};
    return cmocka_run_group_tests_name("record methods without memory", tests, NULL, NULL);
}
