/* How many dictionary rows are consistent with a record: the index against nested loops over
 * strings. */
#include "records/attacker.h"
#include "support/record_oracle.h"

/* ------------------------------------------------------------- comparison */

static void compare(attacker_trial *t, const attacker_count *count, double similarity,
                    size_t questions)
{
    random_study *const s = &t->study;
    for (size_t i = 0; i < questions; i++) {
        uint8_t levels[64];
        const size_t row = random_below(s, s->table.n_rows);
        random_levels(s, levels);
        const uint64_t found = attacker_rho(count, s->profile, row, levels);
        const uint64_t truth = attacker_oracle(&s->table, &t->people, row, similarity);
        if (found != truth) {
            print_error("similarity %g\n%s\n%s\n%s\n", similarity, s->csv.data, s->text.data,
                        t->csv.data != NULL ? t->csv.data : "");
            fail_msg("row %zu: %llu instead of %llu", row, (unsigned long long)found,
                     (unsigned long long)truth);
        }
    }
}

/* Every tuple of the dictionary: how many attributes of the record it misses, and the last of them.
 */
static size_t misses_of(const pv_attacker *attacker, const uint32_t *leaves, const uint8_t *levels,
                        size_t tuple, size_t *last)
{
    const pv_study *const study = attacker->profile->study;
    size_t n = 0;
    for (size_t q = 0; q < pv_study_quasis(study); q++) {
        const pv_known *const known = &attacker->known[q];
        if (!known->is_known || levels[q] >= known->height) {
            continue;
        }
        const uint32_t group =
            pv_i_group_below_root(pv_study_hierarchy(study, q), levels[q], leaves[q]);
        if (group != PV_NO_GROUP &&
            !pv_i_is_consistent(&known->levels[levels[q]], pv_i_known_value(attacker, q, tuple),
                                group)) {
            *last = q;
            n++;
        }
    }
    return n;
}

static void compare_near(const attacker_count *count, const pv_attacker *attacker, uint64_t row,
                         const uint8_t *levels, pv_near *near)
{
    uint32_t leaves[64];
    const pv_profile *const profile = attacker->profile;
    size_t fits = 0;
    size_t misses = 0;
    for (size_t q = 0; q < pv_study_quasis(profile->study); q++) {
        leaves[q] = pv_profile_leaf(profile, pv_profile_tuple(profile, row), q);
    }
    pv_i_consistent_near(count->index, count->scratch, leaves, levels, near);
    for (size_t tuple = 0; tuple < attacker->n_tuples; tuple++) {
        size_t last = 0;
        const size_t n = misses_of(attacker, leaves, levels, tuple, &last);
        if (n == 0) {
            assert_true(fits < near->n_fits);
            assert_int_equal(near->fits[fits++], tuple);
        } else if (n == 1) {
            assert_true(misses < near->n_misses);
            assert_int_equal(near->misses[misses], tuple);
            assert_int_equal(near->missed[misses++], last);
        }
    }
    assert_int_equal(fits, near->n_fits);
    assert_int_equal(misses, near->n_misses);
}

/* rho of one attribute alone. */
static void compare_alone(const attacker_count *count, const pv_profile *profile, uint64_t row,
                          const uint8_t *levels)
{
    const size_t tuple = pv_profile_tuple(profile, row);
    const size_t n = pv_study_quasis(profile->study);
    for (size_t q = 0; q < n; q++) {
        uint8_t alone[64];
        for (size_t i = 0; i < n; i++) {
            alone[i] = i == q ? levels[q]
                              : (uint8_t)pv_hierarchy_height(pv_study_hierarchy(profile->study, i));
        }
        assert_int_equal(
            pv_i_consistent_alone(count->index, q, levels[q], pv_profile_leaf(profile, tuple, q)),
            attacker_rho(count, profile, row, alone));
    }
}

static void check_near(attacker_trial *t, const attacker_count *count, const pv_attacker *attacker,
                       size_t questions)
{
    random_study *const s = &t->study;
    pv_arena arena = {0};
    pv_near near = pv_i_near(count->index, &arena);
    assert_false(arena.failed);
    for (size_t i = 0; i < questions; i++) {
        uint8_t levels[64];
        const size_t row = random_below(s, s->table.n_rows);
        random_levels(s, levels);
        compare_near(count, attacker, row, levels, &near);
        compare_alone(count, s->profile, row, levels);
    }
    pv_i_arena_deinit(&arena);
}

static void run_trials(uint64_t seed, size_t n, bool is_table, bool is_similar)
{
    pv_rng rng;
    pv_i_rng_init(&rng, seed);
    for (size_t i = 0; i < n; i++) {
        attacker_trial t;
        const random_shape shape = attacker_shape(&rng);
        const double similarity = is_similar ? 0.5 + 0.1 * (double)pv_i_rng_below(&rng, 6) : 0;
        attacker_trial_init(&t, &rng, &shape, is_table);
        pv_attacker *const attacker =
            attacker_open(t.study.profile, t.csv.data, similarity, 1 + i % 2);
        assert_int_equal(pv_attacker_n_rows(attacker), t.people.n_rows);
        attacker_count count = attacker_count_create(attacker);
        compare(&t, &count, similarity, 20);
        check_near(&t, &count, attacker, 5);
        attacker_count_free(&count);
        pv_attacker_free(attacker);
        attacker_trial_deinit(&t);
    }
}

static void the_table_itself(void **state)
{
    (void)state;
    run_trials(1, 150, true, false);
}

static void another_file(void **state)
{
    (void)state;
    run_trials(2, 200, false, false);
}

static void by_similarity(void **state)
{
    (void)state;
    run_trials(3, 60, true, true);
    run_trials(4, 80, false, true);
}

/* ------------------------------------------------------- lists and bits */

/* Rows of few and of many values, so that some sets are short and some are long; every combination
 * of levels. The columns are told apart by their place in the row. */
static char *many_rows(pv_rng *rng, size_t n)
{
    pv_buffer csv = {0};
    pv_i_buffer_text(&csv, "a,b,c\n");
    for (size_t row = 0; row < n; row++) {
        const unsigned a = (unsigned)pv_i_rng_below(rng, 200);
        const unsigned b = (unsigned)pv_i_rng_below(rng, 3);
        const unsigned c = (unsigned)pv_i_rng_below(rng, 1 + pv_i_rng_below(rng, 40));
        pv_i_buffer_format(&csv, "%u,v%u,%u\n", a, b, c);
    }
    return csv.data;
}

static bool looks_alike(const pv_profile *profile, size_t a, size_t b, const uint8_t *levels)
{
    for (size_t q = 0; q < 3; q++) {
        const pv_hierarchy *const h = pv_study_hierarchy(pv_profile_study(profile), q);
        if (pv_hierarchy_group(h, levels[q], pv_profile_leaf(profile, a, q)) !=
            pv_hierarchy_group(h, levels[q], pv_profile_leaf(profile, b, q))) {
            return false;
        }
    }
    return true;
}

static uint64_t count_alike(const pv_profile *profile, size_t tuple, const uint8_t *levels)
{
    uint64_t n = 0;
    for (size_t other = 0; other < pv_profile_tuples(profile); other++) {
        n += looks_alike(profile, tuple, other, levels) ? pv_profile_count(profile, other) : 0;
    }
    return n;
}

static void every_kind_of_set(void **state)
{
    static const char plan[] = "attributes:\n"
                               "  a: {role: quasi, hierarchy: {intervals: [5, 20, 100]}}\n"
                               "  b: {role: quasi}\n"
                               "  c: {role: quasi, hierarchy: {intervals: [2, 20]}}\n";
    pv_rng rng;
    pv_arena arena = {0};
    (void)state;
    pv_i_rng_init(&rng, 5);
    char *const csv = many_rows(&rng, 20000);
    attacker_study s = attacker_study_create(plan, csv);
    pv_attacker *const attacker = attacker_open(s.profile, NULL, 0, 1);
    attacker_count count = attacker_count_create(attacker);
    assert_true(attacker->is_table);
    pv_near near = pv_i_near(count.index, &arena);
    assert_false(arena.failed);
    for (unsigned node = 0; node < 5 * 2 * 4; node++) {
        const uint8_t levels[] = {(uint8_t)(node % 5), (uint8_t)(node / 5 % 2),
                                  (uint8_t)(node / 10)};
        const uint64_t row = pv_i_rng_below(&rng, 20000);
        assert_int_equal(attacker_rho(&count, s.profile, row, levels),
                         count_alike(s.profile, pv_profile_tuple(s.profile, row), levels));
        compare_near(&count, attacker, row, levels, &near);
    }
    pv_i_arena_deinit(&arena);
    attacker_count_free(&count);
    pv_attacker_free(attacker);
    attacker_study_free(&s);
    pv_string_free(csv);
}

static void memory_is_limited(void **state)
{
    attacker_study s = attacker_study_create("attributes: {a: {role: quasi}}", "a\nx\ny\nx\n");
    pv_attacker *const attacker = attacker_open(s.profile, NULL, 0, 1);
    pv_consistent_index *index = NULL;
    pv_error error = {0};
    (void)state;
    assert_int_equal(pv_i_consistent_index_create(attacker, 1, &index, &error), PV_STATUS_LIMIT);
    assert_true(index == NULL && error.hint[0] != '\0');
    assert_int_equal(pv_i_consistent_index_create(attacker, 40, &index, &error), PV_STATUS_LIMIT);
    assert_null(index);
    pv_attacker_free(attacker);
    attacker_study_free(&s);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_table_itself),  cmocka_unit_test(another_file),
        cmocka_unit_test(by_similarity),     cmocka_unit_test(every_kind_of_set),
        cmocka_unit_test(memory_is_limited),
    };
    return cmocka_run_group_tests_name("consistent", tests, NULL, NULL);
}
