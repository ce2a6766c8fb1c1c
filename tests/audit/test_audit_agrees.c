/* The checker and the measure room share no code: on random tables, generalized and suppressed at
 * random, they must come to the same values. */
#include "scheme/scheme.h"
#include "support/audit_support.h"

#include "base/buffer.h"
#include "base/rng.h"

#define N_TABLES 80
#define N_QUASI 3

static const char plan_text[] =
    "data: none.csv\n"
    "attributes:\n"
    "  zip: {role: quasi, hierarchy: {mask: right}}\n"
    "  sex: {role: quasi}\n"
    "  age: {role: quasi, hierarchy: {intervals: [5, 10, 20]}}\n"
    "  disease: {role: sensitive, distance: hierarchical, hierarchy: {mask: right}}\n"
    "  salary: {role: sensitive}\n"
    "  since: {role: sensitive}\n"
    "  pain: {role: sensitive, hierarchy: {order: [2], values: [none, low, mid, top, high]}}\n"
    "  income: {role: label}\n";

static const char *const quasi[] = {"zip", "sex", "age", NULL};
static const char *const sensitive[] = {"disease", "salary", "since", "pain", NULL};

#define PICK(rng, list) ((list)[pv_i_rng_below(rng, sizeof(list) / sizeof *(list))])

static void write_data(pv_rng *rng, size_t rows, pv_buffer *text)
{
    static const char *const zips[] = {"13053", "13268", "13253", "14850", "NA"};
    static const char *const sexes[] = {"m", "f", ""};
    static const char *const diseases[] = {"flu", "gout, bad", "?", "cold"};
    static const char *const salaries[] = {"900", "1000.5", "-2", "1e3", "1000", "NA"};
    static const char *const dates[] = {"31.12.1999", "2000-01-01", "01.01.2000", ""};
    static const char *const pains[] = {"high", "low", "mid", "none", "NA"};
    pv_i_buffer_text(text, "zip,sex,age,disease,salary,since,pain,income\n");
    for (size_t i = 0; i < rows; i++) {
        pv_i_buffer_format(text, "%s,%s,%u,\"%s\",%s,%s,%s,%s\n", PICK(rng, zips), PICK(rng, sexes),
                           20 + (unsigned)pv_i_rng_below(rng, 30), PICK(rng, diseases),
                           PICK(rng, salaries), PICK(rng, dates), PICK(rng, pains),
                           PICK(rng, sexes));
    }
}

static void put_quoted(pv_buffer *text, const char *value, char after)
{
    pv_i_buffer_format(text, "\"%s\"%c", value, after);
}

/* The released table: the labels of the scheme, suppressed rows all `*`, the rest as it was. */
static void write_release(const pv_study *study, const pv_scheme *scheme, const pv_classes *classes,
                          pv_buffer *text)
{
    const pv_table *const table = pv_study_table(study);
    const pv_profile *const profile = pv_classes_profile(classes);
    pv_i_buffer_text(text, "zip,sex,age,disease,salary,since,pain,income\n");
    for (uint64_t row = 0; row < pv_table_rows(table); row++) {
        const size_t c = pv_classes_of_tuple(classes, pv_profile_tuple(profile, row));
        const bool star = pv_classes_is_suppressed(classes, c);
        for (size_t q = 0; q < N_QUASI; q++) {
            const uint32_t code = pv_table_code(table, pv_study_quasi_column(study, q), row);
            put_quoted(text, star ? "*" : pv_scheme_label(scheme, study, q, code), ',');
        }
        for (size_t s = 0; s < pv_study_sensitives(study); s++) {
            const size_t column = pv_study_sensitive_column(study, s);
            put_quoted(text, pv_table_value(table, column, pv_table_code(table, column, row)), ',');
        }
        const size_t label = pv_study_label_column(study);
        put_quoted(text, pv_table_value(table, label, pv_table_code(table, label, row)), '\n');
    }
}

static void compare(const pv_study *study, const pv_classes *classes, const pv_audit *audit)
{
    assert_int_equal(audit->rows, pv_table_rows(pv_study_table(study)));
    assert_int_equal(audit->suppressed, pv_classes_suppressed(classes));
    assert_int_equal(audit->classes, pv_classes_remaining(classes));
    assert_int_equal(audit->k, pv_classes_k(classes));
    for (size_t i = 0; i < audit->n_values; i++) {
        double expected = 0;
        assert_true(audit->values[i].available);
        assert_int_equal(pv_measure_value(audit->values[i].ref, classes, &expected, NULL),
                         PV_STATUS_OK);
        if (fabs(audit->values[i].value - expected) > 1e-9 * fmax(1, fabs(expected))) {
            fail_msg("%s: the checker has %.17g, the measure room %.17g",
                     audit->values[i].ref.measure->name, audit->values[i].value, expected);
        }
        size_t decides = 0;
        assert_int_equal(pv_measure_sensitive(audit->values[i].ref, classes, &decides, NULL),
                         PV_STATUS_OK);
        const bool asked = audit->values[i].ref.column[0] != '\0';
        if (asked && decides != SIZE_MAX) {
            assert_string_equal(sensitive[decides], audit->values[i].ref.column);
            assert_int_equal(audit->values[i].sensitive, decides);
        }
        /* Of columns that are alike but for rounding either may be named. */
        const bool exact = audit->values[i].ref.measure->counts || decides == SIZE_MAX;
        assert_true(exact ? audit->values[i].sensitive == decides
                          : audit->values[i].sensitive < pv_study_sensitives(study));
    }
}

static void check_classes(const pv_study *study, const pv_scheme *scheme, const pv_classes *classes)
{
    const pv_hierarchy *hierarchies[4];
    pv_distance distances[4];
    for (size_t s = 0; s < 4; s++) {
        hierarchies[s] = pv_study_sensitive_hierarchy(study, s);
        distances[s] = pv_study_distance(study, s);
    }
    assert_int_equal(distances[0], PV_DISTANCE_HIERARCHICAL);
    assert_int_equal(distances[3], PV_DISTANCE_ORDERED);
    /* The other two are numbers and dates, which the checker finds out by itself. */
    distances[1] = distances[2] = PV_DISTANCE_AUTO;
    /* Every measure of sensitive values, of every column alone. */
    static const char *const names[] = {"l-distinct", "l-entropy", "l-recursive", "t-closeness",
                                        "sum-l"};
    pv_measure_ref extra[20];
    for (size_t i = 0; i < 20; i++) {
        const pv_measure *const measure = pv_measure_find(names[i / 4]);
        extra[i] = (pv_measure_ref){.measure = measure, .parameter = 1 + (double)(i % 3)};
        (void)snprintf(extra[i].column, sizeof extra[i].column, "%s", sensitive[i % 4]);
    }
    const pv_audit_options options = {.extra = extra,
                                      .n_extra = 20,
                                      .quasi = quasi,
                                      .sensitive = sensitive,
                                      .label = "income",
                                      .distances = distances,
                                      .sensitive_hierarchies = hierarchies};
    pv_buffer text = {0};
    write_release(study, scheme, classes, &text);
    pv_audit *const audit = audit_text(text.data, &options);
    compare(study, classes, audit);
    pv_audit_free(audit);
    pv_i_buffer_deinit(&text);
}

static void check_study(pv_rng *rng, const pv_study *study)
{
    pv_profile *profile = NULL;
    pv_scheme scheme = {0};
    assert_int_equal(pv_profile_create(study, NULL, &profile, NULL), PV_STATUS_OK);
    assert_int_equal(pv_i_scheme_init(&scheme, study, NULL), PV_STATUS_OK);
    for (size_t round = 0; round < 4; round++) {
        pv_classes *classes = NULL;
        for (size_t q = 0; q < N_QUASI; q++) {
            const unsigned height = pv_hierarchy_height(pv_study_hierarchy(study, q));
            scheme.levels[q] = (uint8_t)pv_i_rng_below(rng, height + 1);
        }
        const pv_suppression suppression = {
            .whole_budget = true, .budget = pv_i_rng_below(rng, pv_profile_rows(profile))};
        assert_int_equal(pv_classes_create(profile, scheme.levels, &suppression, &classes, NULL),
                         PV_STATUS_OK);
        check_classes(study, &scheme, classes);
        pv_classes_free(classes);
    }
    pv_i_scheme_deinit(&scheme);
    pv_profile_free(profile);
}

static void agrees_with_the_measure_room(void **state)
{
    (void)state;
    pv_rng rng;
    pv_i_rng_init(&rng, 99);
    pv_plan *plan = NULL;
    assert_int_equal(pv_plan_parse("plan.yaml", plan_text, strlen(plan_text), &plan, NULL),
                     PV_STATUS_OK);
    for (size_t i = 0; i < N_TABLES; i++) {
        pv_buffer text = {0};
        pv_table *table = NULL;
        pv_study *study = NULL;
        pv_error error = {0};
        write_data(&rng, 1 + pv_i_rng_below(&rng, 60), &text);
        const pv_read_options header = {.header = PV_CHOICE_YES};
        assert_int_equal(
            pv_table_read_memory("data", text.data, text.size, &header, NULL, &table, &error),
            PV_STATUS_OK);
        assert_int_equal(pv_study_bind(plan, table, &study, &error), PV_STATUS_OK);
        check_study(&rng, study);
        pv_study_free(study);
        pv_i_buffer_deinit(&text);
    }
    pv_plan_free(plan);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(agrees_with_the_measure_room),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
