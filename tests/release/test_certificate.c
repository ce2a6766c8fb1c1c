/* The certificate as JSON: it says what it was given, and nothing it must not. */
#include "base/file.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
/* cmocka wants the four above first */
#include <cmocka.h>
#include <jansson.h>
#include <stdio.h>
#include <unistd.h>

#include "support/samples.h"

static char *text_of(const pv_certificate *certificate)
{
    char *text = NULL;
    pv_error error = {0};
    assert_int_equal(pv_i_certificate_json(certificate, &text, &error), PV_STATUS_OK);
    return text;
}

static json_t *document_of(const pv_certificate *certificate)
{
    char *const text = text_of(certificate);
    json_error_t error;
    json_t *const root = json_loads(text, JSON_REJECT_DUPLICATES, &error);
    assert_non_null(root);
    pv_string_free(text);
    return root;
}

/* A value by its path: "risk.before.max", "attributes.0.name". */
static json_t *at(json_t *root, const char *path)
{
    char copy[128];
    (void)snprintf(copy, sizeof copy, "%s", path);
    char *save = NULL;
    for (char *part = strtok_r(copy, ".", &save); part; part = strtok_r(NULL, ".", &save)) {
        root = json_is_array(root) ? json_array_get(root, (size_t)atoi(part))
                                   : json_object_get(root, part);
        assert_non_null(root);
    }
    return root;
}

static void assert_number(json_t *root, const char *path, double expected)
{
    assert_true(json_is_number(at(root, path)));
    assert_true(fabs(json_number_value(at(root, path)) - expected) < 1e-12);
}

static void assert_text(json_t *root, const char *path, const char *expected)
{
    assert_string_equal(json_string_value(at(root, path)), expected);
}

static void it_says_what_it_was_given(void **state)
{
    (void)state;
    certificate_sample s;
    sample_init(&s);
    s.certificate.for_publisher = true;
    json_t *const d = document_of(&s.certificate);
    assert_text(d, "paravent", pv_version());
    assert_number(d, "schema", 2);
    assert_text(d, "document", "publisher's report");
    assert_text(d, "command", "release");
    assert_text(d, "verdict", "verified");
    assert_number(d, "table.rows", 30000);
    assert_number(d, "table.distinct", 29487);
    assert_text(d, "table.quasi.2", "zip");
    assert_text(d, "table.sensitive.1", "income");
    assert_true(json_is_null(at(d, "table.label")));
    assert_text(d, "released.sha256", s.certificate.sha256);
    assert_text(d, "released.identifiers", "dropped");
    assert_string_equal(json_string_value(at(d, "released.order")), "shuffled");
    assert_number(d, "levels.0", 3);
    assert_number(d, "lattice.heights.0", 5);
    assert_number(d, "suppression.budget", 300);
    assert_number(d, "suppressed", 285);
    assert_number(d, "measures.k", 6);
    assert_number(d, "measures.t-closeness", 0.4127);
    assert_number(d, "measures_before.k", 1);
    assert_number(d, "classes.after", 397);
    assert_number(d, "class_sizes.0.before", 29033);
    assert_text(d, "class_sizes.7.size", "100+");
    assert_number(d, "risk.after.max", 1.0 / 6);
    assert_number(d, "attributes.0.groups.after", 5);
    assert_text(d, "attributes.0.examples.1", "[20,40)");
    json_decref(d);
}

static bool has_key(json_t *value, const char *key)
{
    const char *name;
    json_t *item;
    size_t i;
    if (json_is_object(value)) {
        json_object_foreach(value, name, item)
        {
            if (strcmp(name, key) == 0 || has_key(item, key)) {
                return true;
            }
        }
    }
    json_array_foreach(value, i, item)
    {
        if (has_key(item, key)) {
            return true;
        }
    }
    return false;
}

static void it_knows_no_more_than_the_release(void **state)
{
    static const char *const of_the_original[] = {"before", "measures_before", "loss", "distinct",
                                                  "dropped"};
    (void)state;
    certificate_sample s;
    sample_init(&s);
    json_t *const d = document_of(&s.certificate);
    assert_text(d, "document", "certificate");
    for (size_t i = 0; i < sizeof of_the_original / sizeof *of_the_original; i++) {
        assert_false(has_key(d, of_the_original[i]));
    }
    assert_false(has_key(at(d, "table"), "file"));
    assert_false(has_key(at(d, "table"), "identifiers"));
    assert_false(has_key(d, "left_out"));
    assert_false(has_key(d, "rows_at_level"));
    assert_number(d, "classes.after", 397);
    json_decref(d);
}

static void demands_and_audit_are_there(void **state)
{
    (void)state;
    certificate_sample s;
    sample_init(&s);
    json_t *const d = document_of(&s.certificate);
    assert_text(d, "demands.0.demand", "k >= 5");
    assert_number(d, "demands.2.bound", 0.5);
    assert_true(json_is_true(at(d, "demands.2.holds")));
    assert_int_equal(json_array_size(at(d, "promises")), 0);
    assert_number(d, "audit.k", 6);
    assert_number(d, "audit.wildcard.k", 291);
    assert_number(at(d, "audit"), "measures.k", 6);
    /* A parameter that is not the usual one is part of the name. */
    assert_number(at(d, "audit"), "measures.l-recursive(2)", 1);
    json_decref(d);
}

static void whole_numbers_have_no_point(void **state)
{
    (void)state;
    certificate_sample s;
    sample_init(&s);
    char *const text = text_of(&s.certificate);
    assert_non_null(strstr(text, "\"k\": 6"));
    assert_null(strstr(text, "\"k\": 6.0"));
    pv_string_free(text);
}

static void unavailable_is_left_out_and_infinite_is_null(void **state)
{
    (void)state;
    certificate_sample s;
    sample_init(&s);
    s.certificate.for_publisher = true;
    s.certificate.before.risk_mean = (double)NAN;
    s.certificate.after.risk_mean = (double)INFINITY;
    json_t *const d = document_of(&s.certificate);
    assert_null(json_object_get(at(d, "measures"), "cm"));
    assert_true(json_is_null(at(d, "risk.before.mean")));
    assert_true(json_is_null(at(d, "risk.after.mean")));
    json_decref(d);
}

static void folders_and_original_values_stay_out(void **state)
{
    (void)state;
    certificate_sample s;
    sample_init(&s);
    s.attributes[1].examples[0] = "an-original-value"; /* sex stays at level 0 */
    s.attributes[1].n_examples = 1;
    char *const text = text_of(&s.certificate);
    assert_null(strstr(text, "somewhere"));
    assert_null(strstr(text, "an-original-value"));
    assert_null(strstr(text, "seed"));
    pv_string_free(text);
}

static void any_bytes_make_valid_json(void **state)
{
    (void)state;
    static const char *const names[] = {"\xff\xfe", "\"quoted\\", "", "\xed\xa0\x80"};
    certificate_sample s;
    sample_init(&s);
    s.attributes[0].name = "age\xff\n<script>";
    s.certificate.label = "";
    s.certificate.sensitive = names;
    s.certificate.n_sensitive = 4;
    json_t *const d = document_of(&s.certificate);
    assert_text(d, "table.sensitive.0", "\xef\xbf\xbd\xef\xbf\xbd");
    assert_text(d, "table.sensitive.1", "\"quoted\\");
    assert_text(d, "table.label", "");
    json_decref(d);
}

static void the_same_certificate_gives_the_same_bytes(void **state)
{
    (void)state;
    certificate_sample s;
    certificate_sample t;
    sample_init(&s);
    sample_init(&t);
    char *const first = text_of(&s.certificate);
    char *const second = text_of(&t.certificate);
    assert_string_equal(first, second);
    assert_int_equal(first[strlen(first) - 1], '\n');
    pv_string_free(first);
    pv_string_free(second);
}

static void the_verdict_is_the_worst_that_is_true(void **state)
{
    (void)state;
    certificate_sample s;
    sample_init(&s);
    const pv_certificate_demand kept = sample_demand("k", 6, 6);
    const pv_certificate_demand broken = sample_demand("k", 7, 6);
    assert_int_equal(pv_i_certificate_verdict(&s.certificate), PV_VERDICT_VERIFIED);
    s.certificate.promises = &kept;
    s.certificate.n_promises = 1;
    assert_int_equal(pv_i_certificate_verdict(&s.certificate), PV_VERDICT_VERIFIED);
    char paid[] = "paid";
    const pv_audit_unchanged payment = {.name = paid, .unique = 17};
    const pv_certificate_unchanged accepted = {.found = &payment, .accepted = true};
    s.certificate.unchanged = &accepted;
    s.certificate.n_unchanged = 1;
    assert_int_equal(pv_i_certificate_verdict(&s.certificate), PV_VERDICT_ACCEPTED);
    s.certificate.k = 1;
    assert_int_equal(pv_i_certificate_verdict(&s.certificate), PV_VERDICT_EXPOSED);
    s.certificate.promises = &broken;
    assert_int_equal(pv_i_certificate_verdict(&s.certificate), PV_VERDICT_WEAKER);
    s.demands[1] = broken;
    assert_int_equal(pv_i_certificate_verdict(&s.certificate), PV_VERDICT_UNMET);
}

static void names_lose_their_folders(void **state)
{
    (void)state;
    assert_string_equal(pv_i_base_name("/a/b/c.csv"), "c.csv");
    assert_string_equal(pv_i_base_name("c.csv"), "c.csv");
    assert_string_equal(pv_i_base_name("-"), "-");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(it_says_what_it_was_given),
        cmocka_unit_test(it_knows_no_more_than_the_release),
        cmocka_unit_test(demands_and_audit_are_there),
        cmocka_unit_test(whole_numbers_have_no_point),
        cmocka_unit_test(unavailable_is_left_out_and_infinite_is_null),
        cmocka_unit_test(folders_and_original_values_stay_out),
        cmocka_unit_test(any_bytes_make_valid_json),
        cmocka_unit_test(the_same_certificate_gives_the_same_bytes),
        cmocka_unit_test(the_verdict_is_the_worst_that_is_true),
        cmocka_unit_test(names_lose_their_folders),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
