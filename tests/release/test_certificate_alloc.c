/* Memory that runs out anywhere while a certificate is made: an error, nothing lost. */
#include "support/failing_alloc.h"

#include <jansson.h>
#include <stdlib.h>

#include "support/samples.h"

static pv_status make_json(void *ctx, pv_error *error)
{
    const certificate_sample *const s = ctx;
    char *text = NULL;
    const pv_status status = pv_i_certificate_json(&s->certificate, &text, error);
    assert_int_equal(text != NULL, status == PV_STATUS_OK);
    pv_string_free(text);
    return status;
}

static pv_status make_page(void *ctx, pv_error *error)
{
    const certificate_sample *const s = ctx;
    char *html = NULL;
    const pv_status status = pv_i_certificate_page(&s->certificate, &html, error);
    assert_int_equal(html != NULL, status == PV_STATUS_OK);
    pv_string_free(html);
    return status;
}

static void every_allocation_of_ours_may_fail(void **state)
{
    (void)state;
    certificate_sample s;
    sample_init(&s);
    assert_true(failing_alloc_every(make_json, &s) > 0);
    assert_true(failing_alloc_every(make_page, &s) > 0);
}

/* jansson allocates inside its own library, out of reach of the linker: it is given an allocator
 * that counts, ours. */
static void *jansson_malloc(size_t size)
{
    return malloc(size);
}

static void every_allocation_of_jansson_may_fail(void **state)
{
    (void)state;
    certificate_sample s;
    sample_init(&s);
    json_set_alloc_funcs(jansson_malloc, free);
    /* A small certificate takes the same paths as a large one. */
    s.certificate.n_attributes = 2;
    s.certificate.n_measures = 3;
    assert_true(failing_alloc_every(make_json, &s) > 100);
    json_set_alloc_funcs(malloc, free);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_allocation_of_ours_may_fail),
        cmocka_unit_test(every_allocation_of_jansson_may_fail),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
