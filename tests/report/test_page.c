/* The certificate's page and its pictures: well formed, escaped, the same bytes each time.
 *
 * With PV_PAGE_SAMPLES=FOLDER in the environment the pages are also written there, to be looked at
 * in a browser. */
#include "base/markup.h"
#include "report/svg.h"

/* cmocka wants the four above first */
#include <locale.h>
#include <stdio.h>

#include "support/samples.h"
#include "support/testing.h"

__attribute__((noinline)) /* inlined, gcc 12 takes the page for its variable and warns */
static char *
page_of(const pv_certificate *certificate)
{
    char *html = NULL;
    pv_error error = {0};
    assert_int_equal(pv_i_certificate_page(certificate, &html, &error), PV_STATUS_OK);
    return html;
}

static void show(const char *name, const char *html)
{
    const char *const folder = getenv("PV_PAGE_SAMPLES");
    if (folder != NULL) {
        char path[512];
        (void)snprintf(path, sizeof path, "%s/%s.html", folder, name);
        FILE *const file = fopen(path, "w");
        assert_non_null(file);
        (void)fputs(html, file);
        (void)fclose(file);
    }
}

/* ------------------------------------------------------------------------ pages */

static void a_page_says_what_matters(void **state)
{
    (void)state;
    certificate_sample s;
    sample_init(&s);
    char *const html = page_of(&s.certificate);
    show("verified", html);
    assert_page(html);
    assert_non_null(strstr(html, "every released person shares their combination with at least 5 "
                                 "others (k&nbsp;=&nbsp;6)"));
    assert_non_null(strstr(html, s.certificate.sha256));
    assert_non_null(strstr(html, "of 300 allowed"));
    assert_non_null(strstr(html, "16.7%"));
    assert_non_null(strstr(html, "t-closeness &le; 0.5"));
    for (size_t i = 0; i < pv_n_measures(); i++) {
        assert_non_null(strstr(html, pv_measure_at(i)->name));
    }
    pv_string_free(html);
}

static void a_page_stands_alone(void **state)
{
    (void)state;
    certificate_sample s;
    sample_init(&s);
    char *const html = page_of(&s.certificate);
    assert_self_contained(html);
    assert_null(strstr(html, "http:"));
    assert_null(strstr(html, "<script"));
    assert_null(strstr(html, "/somewhere/private"));
    pv_string_free(html);
}

/* Two sheets of paper: small letters, nothing that scrolls, nothing cut in its middle. */
static void a_page_can_be_printed(void **state)
{
    (void)state;
    static const char *const parts[] = {"@page{size:A4", ".legend{break-inside:avoid}",
                                        "h2,.lead,figcaption,thead,tr.family{break-after:avoid}",
                                        "thead{display:table-header-group}",
                                        ".sheet,.scroll{overflow:visible;"};
    certificate_sample s;
    sample_init(&s);
    char *const html = page_of(&s.certificate);
    const char *at = strstr(html, "@page");
    assert_non_null(at);
    for (size_t i = 0; i < sizeof parts / sizeof *parts; i++) {
        at = strstr(at, parts[i]);
        assert_non_null(at);
    }
    pv_string_free(html);
}

static void each_verdict_has_its_headline(void **state)
{
    (void)state;
    certificate_sample s;
    sample_init(&s);
    s.certificate.n_demands = 0;
    s.certificate.k = 1;
    s.certificate.after.unique_rows = 1;
    s.certificate.after.risk_max = 1;
    char *html = page_of(&s.certificate);
    show("exposed", html);
    assert_page(html);
    assert_non_null(strstr(html, "1 person is still alone"));
    pv_string_free(html);

    sample_init(&s);
    s.certificate.command = "apply";
    pv_certificate_demand promises[] = {sample_demand("k", 6, 6),
                                        sample_demand("l-distinct", 5, 4)};
    s.certificate.promises = promises;
    s.certificate.n_promises = 2;
    html = page_of(&s.certificate);
    show("weaker", html);
    assert_page(html);
    assert_non_null(strstr(html, "</b> l-distinct &ge; 5 no longer holds"));
    pv_string_free(html);

    sample_init(&s);
    s.demands[0] = sample_demand("k", 10, 6);
    html = page_of(&s.certificate);
    show("unmet", html);
    assert_page(html);
    assert_non_null(strstr(html, "</b> k &ge; 10 was demanded and does not hold"));
    pv_string_free(html);
}

static void groups_that_agree_are_pointed_out(void **state)
{
    (void)state;
    certificate_sample s;
    sample_init(&s);
    char *html = page_of(&s.certificate);
    assert_null(strstr(html, "<p class=\"note-box\">"));
    pv_string_free(html);
    for (size_t i = 0; i < s.certificate.n_measures; i++) {
        if (strcmp(s.measures[i].ref.measure->name, "l-distinct") == 0) {
            s.measures[i].after = 1;
        }
    }
    html = page_of(&s.certificate);
    assert_non_null(strstr(html, "<p class=\"note-box\">"));
    pv_string_free(html);
}

static void hostile_names_are_only_text(void **state)
{
    (void)state;
    static const char hostile[] = "<script>alert('x')</script>\"&\xff\x01\xc0\xaf\xe2\x80";
    static const char *const names[] = {hostile};
    certificate_sample s;
    sample_init(&s);
    for (size_t i = 0; i < SAMPLE_ATTRIBUTES; i++) {
        s.attributes[i].name = hostile;
        s.attributes[i].hierarchy = hostile;
        for (size_t j = 0; j < s.attributes[i].n_examples; j++) {
            s.attributes[i].examples[j] = hostile;
        }
    }
    s.certificate.source = s.certificate.released = s.certificate.scheme = "\"><script>.csv";
    s.certificate.sha256 = s.certificate.label = hostile;
    s.certificate.identifiers = s.certificate.sensitive = names;
    s.certificate.n_sensitive = 1;
    s.certificate.hashed = true;
    char *const html = page_of(&s.certificate);
    show("hostile", html);
    assert_page(html);
    assert_null(strstr(html, "<script"));
    assert_null(strstr(html, "alert('"));
    assert_null(strchr(html, '\xff'));
    assert_null(strchr(html, '\x01'));
    pv_string_free(html);
}

static void values_of_level_0_are_never_shown(void **state)
{
    (void)state;
    certificate_sample s;
    sample_init(&s);
    s.attributes[1].examples[0] = "an-original-value"; /* sex stays at level 0 */
    s.attributes[1].n_examples = 1;
    char *const html = page_of(&s.certificate);
    assert_null(strstr(html, "an-original-value"));
    pv_string_free(html);
}

static void extreme_certificates_still_make_a_page(void **state)
{
    (void)state;
    certificate_sample s;
    sample_init(&s);
    s.attributes[0].height = s.attributes[0].level = 250;
    s.attributes[2].loss = (double)NAN;
    s.certificate.rows = s.certificate.suppressed = s.certificate.budget = UINT64_MAX;
    s.certificate.before.risk_mean = (double)INFINITY;
    s.certificate.after = (pv_certificate_crowd){0};
    s.certificate.n_measures = 0;
    s.certificate.n_attributes = 3;
    char *html = page_of(&s.certificate);
    show("extreme", html);
    assert_page(html);
    assert_null(strstr(html, "nan"));
    assert_null(strstr(html, "\"inf"));
    pv_string_free(html);
}

static void the_same_certificate_gives_the_same_bytes(void **state)
{
    (void)state;
    certificate_sample s;
    sample_init(&s);
    char *const first = page_of(&s.certificate);
    /* Whatever locale the caller chose. */
    const char *const other = setlocale(LC_ALL, "de_DE.UTF-8");
    char *const second = page_of(&s.certificate);
    (void)other;
    (void)setlocale(LC_ALL, "C");
    assert_string_equal(first, second);
    pv_string_free(first);
    pv_string_free(second);
}

/* --------------------------------------------------------------------- numbers */

static void check_short(double value, unsigned decimals, const char *expected)
{
    pv_buffer out = {0};
    pv_i_markup_short(&out, value, decimals);
    assert_string_equal(out.data, expected);
    pv_i_buffer_deinit(&out);
}

static void check_plain(void (*write)(pv_buffer *, double), double value, const char *expected)
{
    pv_buffer out = {0};
    write(&out, value);
    assert_string_equal(out.data, expected);
    pv_i_buffer_deinit(&out);
}

static void numbers_are_written_plainly(void **state)
{
    (void)state;
    check_short(1.005, 1, "1");
    check_short(-0.04, 1, "0");
    check_short(-2.75, 2, "-2.75");
    check_short(0.05, 1, "0.1");
    check_short(12.50, 2, "12.5");
    check_short(12, 2, "12");
    check_short(100, 0, "100");
    check_short(1e22, 2, "10000000000000000000000");
    check_short((double)NAN, 2, "\xe2\x80\x93");
    check_plain(pv_i_markup_figure, 30162, "30,162");
    check_plain(pv_i_markup_figure, 1234567.8, "1,234,568");
    check_plain(pv_i_markup_figure, 74.849, "74.85");
    check_plain(pv_i_markup_figure, 0.41268, "0.4127");
    check_plain(pv_i_markup_figure, 0, "0");
    check_plain(pv_i_markup_percent, 0.166666, "16.7%");
    check_plain(pv_i_markup_percent, 0.0095, "0.95%");
    check_plain(pv_i_markup_percent, 0, "0%");
    check_plain(pv_i_markup_percent, 1, "100%");
    check_plain(pv_i_markup_percent, 0.99999, "&gt;99.9%");
    check_plain(pv_i_markup_percent, 0.00000001, "&lt;0.01%");
}

static void text_is_escaped_and_valid(void **state)
{
    (void)state;
    static const struct {
        const char *text, *escaped;
    } cases[] = {
        {"a<b>&\"'", "a&lt;b&gt;&amp;&quot;&#39;"},
        {"Zürich 漢 🙂", "Zürich 漢 🙂"},
        {"\xc0\xaf", "\xef\xbf\xbd\xef\xbf\xbd"},                   /* overlong */
        {"\xed\xa0\x80x", "\xef\xbf\xbd\xef\xbf\xbd\xef\xbf\xbdx"}, /* half of a surrogate */
        {"\xf0\x9f", "\xef\xbf\xbd\xef\xbf\xbd"},                   /* cut off */
        {"tab\tend\x7f", "tab\xef\xbf\xbd"
                         "end\xef\xbf\xbd"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        pv_buffer out = {0};
        pv_i_markup_text(&out, cases[i].text);
        assert_string_equal(out.data, cases[i].escaped);
        pv_i_buffer_deinit(&out);
    }
}

/* ------------------------------------------------------------------------ axes */

static void axes_end_on_round_numbers(void **state)
{
    (void)state;
    static const struct {
        double largest;
        pv_svg_unit unit;
        double max, step;
    } cases[] = {
        {29033, PV_SVG_COUNT, 30000, 10000},
        {18000, PV_SVG_COUNT, 20000, 5000},
        {3, PV_SVG_COUNT, 4, 1},
        {0, PV_SVG_COUNT, 4, 1},
        {1, PV_SVG_PERCENT, 1, 0.5},
        {0.013, PV_SVG_PERCENT, 0.015, 0.005},
        {(double)NAN, PV_SVG_COUNT, 4, 1},
        {1e300, PV_SVG_COUNT, 1e300, 5e299},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        const pv_svg_axis axis = pv_i_svg_axis(cases[i].largest, 4, cases[i].unit, 10, 110);
        assert_true(fabs(axis.max / cases[i].max - 1) < 1e-9);
        assert_true(fabs(axis.step / cases[i].step - 1) < 1e-9);
        assert_true(fabs(pv_i_svg_at(&axis, axis.max) - 110) < 1e-9);
        assert_true(fabs(pv_i_svg_at(&axis, 0) - 10) < 1e-9);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_page_says_what_matters),
        cmocka_unit_test(a_page_stands_alone),
        cmocka_unit_test(a_page_can_be_printed),
        cmocka_unit_test(each_verdict_has_its_headline),
        cmocka_unit_test(groups_that_agree_are_pointed_out),
        cmocka_unit_test(hostile_names_are_only_text),
        cmocka_unit_test(values_of_level_0_are_never_shown),
        cmocka_unit_test(extreme_certificates_still_make_a_page),
        cmocka_unit_test(the_same_certificate_gives_the_same_bytes),
        cmocka_unit_test(numbers_are_written_plainly),
        cmocka_unit_test(text_is_escaped_and_valid),
        cmocka_unit_test(axes_end_on_round_numbers),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
