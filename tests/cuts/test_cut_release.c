/* A cut scheme released as levels is the scheme that was searched: the same classes, the same
 * loss. */
#include "support/samples.h"

#include "cuts/cut_intervals.h"
#include "cuts/cut_table.h"

#include "scheme/scheme.h"
#include <math.h>
#include <paravent/measure.h>
#include <paravent/scheme.h>

/* The study of the cut scheme, whose table is that of the sample. */
typedef struct {
    bound_study bound;
    pv_scheme scheme;
    pv_profile *profile;
    pv_classes *classes;
} released;

static released release(const cut_sample *s)
{
    released r = {0};
    pv_error error = {0};
    pv_cuts *const cuts = cut_sample_cuts(s);
    bound_must(pv_plan_with_cuts(s->bound.study, cuts, &r.bound.plan, &error), &error);
    bound_must(pv_study_rebind(s->bound.study, r.bound.plan, &r.bound.study, &error), &error);
    bound_must(pv_i_scheme_init(&r.scheme, r.bound.study, &error), &error);
    bound_must(pv_i_scheme_take_plan(&r.scheme, r.bound.study, &error), &error);
    r.profile = bound_profile(r.bound.study, 1);
    r.classes = bound_classes(r.profile, r.scheme.levels, 0, 0);
    pv_cuts_free(cuts);
    return r;
}

static void released_free(released *r)
{
    pv_classes_free(r->classes);
    pv_profile_free(r->profile);
    pv_i_scheme_deinit(&r->scheme);
    bound_study_free(&r->bound);
}

/* What the search thinks of the cuts. */
static pv_cut_sizes sizes_of(const cut_sample *s)
{
    pv_profile *const profile = bound_profile(s->bound.study, 1);
    pv_cut_table table;
    pv_cut_scratch scratch;
    pv_cut_sizes sizes = {0};
    pv_error error = {0};
    bound_must(pv_i_cut_table_init(&table, profile, &s->space, 1 << 20, &error), &error);
    assert_true(pv_i_cut_scratch_init(&scratch, &table));
    assert_true(pv_i_cut_count(&table, &scratch, s->bits, &sizes));
    pv_i_cut_scratch_deinit(&scratch);
    pv_i_cut_table_deinit(&table);
    pv_profile_free(profile);
    return sizes;
}

static double nwp_of(const cut_sample *s)
{
    pv_cut_prices prices;
    pv_i_cut_prices_init(&prices, &s->space);
    return pv_i_cut_nwp(&prices, pv_i_cut_cost(&s->space, &prices, s->bits));
}

static double measured(const released *r, const char *name)
{
    pv_measure_ref ref;
    double value = 0;
    pv_error error = {0};
    bound_must(pv_measure_parse(name, &ref, &error), &error);
    bound_must(pv_measure_value(ref, r->classes, &value, &error), &error);
    return value;
}

static void the_release_is_what_was_searched(void **state)
{
    pv_rng rng;
    (void)state;
    pv_i_rng_init(&rng, 7);
    for (int trial = 0; trial < 150; trial++) {
        cut_sample s = cut_sample_create(&rng, 1 + (size_t)pv_i_rng_below(&rng, 120));
        const pv_cut_sizes sizes = sizes_of(&s);
        const double nwp = nwp_of(&s);
        released r = release(&s);
        assert_int_equal(pv_classes_total(r.classes), sizes.n_classes);
        assert_int_equal(pv_classes_k(r.classes), sizes.smallest);
        uint64_t largest = 0;
        for (size_t c = 0; c < pv_classes_total(r.classes); c++) {
            const uint64_t size = pv_classes_size(r.classes, c);
            largest = size > largest ? size : largest;
        }
        assert_int_equal(largest, sizes.largest);
        assert_true(fabs(measured(&r, "nwp") - nwp) < 1e-9);
        released_free(&r);
        cut_sample_free(&s);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(the_release_is_what_was_searched)};
    return cmocka_run_group_tests_name("cuts as released", tests, NULL, NULL);
}
