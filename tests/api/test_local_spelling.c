/* In a local recoding a group of values is written in one spelling, whatever levels lead to it. */
#include "classes/profile.h"
#include "scheme/scheme.h"
#include "support/random_study.h"
#include "support/testing.h"

#include <paravent/paravent.h>
#include <string.h>

enum { MOST_LABELS = 256 };

typedef struct {
    const char *text;
    uint64_t leaves; /* a bit for each */
} shown;

/* Which leaves are called so on some level. */
static uint64_t leaves_of(const pv_hierarchy *h, const char *label)
{
    uint64_t leaves = 0;
    for (uint32_t leaf = 0; leaf < pv_hierarchy_leaves(h); leaf++) {
        for (unsigned level = 0; level <= pv_hierarchy_height(h); level++) {
            const char *const text =
                pv_hierarchy_label(h, level, pv_hierarchy_group(h, level, leaf));
            leaves |= strcmp(text, label) == 0 ? (uint64_t)1 << leaf : 0;
        }
    }
    return leaves;
}

static void check_spelling(const pv_study *study, const pv_scheme *scheme)
{
    const pv_profile *profile = NULL;
    const size_t n = pv_study_quasis(study);
    assert_int_equal(pv_study_profile(study, &profile, NULL), PV_STATUS_OK);
    const size_t n_parts =
        scheme->part_tuple != NULL ? scheme->n_parts : pv_profile_tuples(profile);
    for (size_t q = 0; q < n; q++) {
        const pv_hierarchy *const h = pv_study_hierarchy(study, q);
        shown labels[MOST_LABELS];
        size_t n_labels = 0;
        for (size_t p = 0; p < n_parts && n_labels < MOST_LABELS; p++) {
            const size_t t = scheme->part_tuple != NULL ? scheme->part_tuple[p] : p;
            const unsigned level = scheme->records[p * n + q];
            const char *const text = pv_hierarchy_label(
                h, level, pv_hierarchy_group(h, level, pv_profile_leaf(profile, t, q)));
            bool lost = true; /* suppressed rows are `*`, whatever else stands for everyone */
            for (size_t other = 0; other < n; other++) {
                lost = lost && scheme->records[p * n + other] ==
                                   pv_hierarchy_height(pv_study_hierarchy(study, other));
            }
            if (!lost) {
                labels[n_labels++] = (shown){text, leaves_of(h, text)};
            }
        }
        for (size_t a = 0; a < n_labels; a++) {
            for (size_t b = 0; b < a; b++) {
                if (labels[a].leaves == labels[b].leaves) {
                    assert_string_equal(labels[a].text, labels[b].text);
                }
            }
        }
    }
}

static void find_and_check(const pv_study *study, uint64_t k)
{
    const pv_constraint demand = {.ref = {.measure = pv_measure_find("k")}, .bound = (double)k};
    const pv_local_options options = {
        .demands = &demand, .n_demands = 1, .improve_seconds = -1, .bound_seconds = -1};
    pv_local *local = NULL;
    if (pv_local_find(study, &options, &local, NULL) == PV_STATUS_OK) {
        check_spelling(study, pv_local_scheme(local));
    }
    pv_local_free(local);
}

static void random_hierarchies(void **state)
{
    pv_rng rng;
    (void)state;
    pv_i_rng_init(&rng, 4);
    for (size_t i = 0; i < effort(150); i++) {
        const random_shape shape = {.n_rows = 6 + i % 30,
                                    .n_quasi = 1 + i % 3,
                                    .n_values = 8,
                                    .missing = i % 3 == 0 ? 7 : 0,
                                    .heights = 1 + (unsigned)(i % 4)};
        random_study s;
        random_study_init(&s, &rng, &shape);
        find_and_check(s.bound.study, 2 + i % 3);
        random_study_deinit(&s);
    }
}

/* Groups of one member, a group with two names, and a top that is called otherwise than `*`. */
static void repeated_groups(void **state)
{
    static const char plan[] =
        "suppression: 0\nattributes:\n"
        "  age: {role: quasi, hierarchy: {intervals: [5, 10, 100]}}\n"
        "  place: {role: quasi, hierarchy: {rows: [[Rome, Holy, South, All], [Bari, Holy, South, "
        "All], [Oslo, North, Up, All], [Lund, North, Up, All], [Gent, Gentle, Mid, All]]}}\n";
    static const char table[] =
        "age,place\n25,Rome\n25,Rome\n25,Bari\n31,Oslo\n32,Lund\n31,Gent\n71,Gent\n71,Gent\n"
        "25,Gent\n38,Oslo\n38,Lund\n72,Bari\n";
    bound_study s = bound_study_create(plan, table);
    (void)state;
    for (uint64_t k = 1; k <= 12; k++) {
        find_and_check(s.study, k);
    }
    bound_study_free(&s);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(random_hierarchies),
        cmocka_unit_test(repeated_groups),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
