/* Memory that runs out anywhere while a table is read, typed or ordered. */
#include "support/failing_alloc.h"

#include "base/error.h"
#include "table/store.h"
#include "table/value.h"

#include <string.h>

typedef struct {
    const char *text;
    unsigned threads;
    size_t block_size;
} request;

/* Quotes to be copied, long values, line breaks, missing values, dictionaries that grow. */
static const char text[] = "name,note,n\n"
                           "a,\"x \"\"y\"\" z\",1\n\n"
                           "b,\"two\nlines\",2\n"
                           "c,a value that is longer than thirty-two bytes,3\n"
                           "d,NA,4\ne,?,5\nf,,6\ng,u,7\nh,v,8\ni,w,9\nj,x,10\nk,y,11\nl,z,12\n"
                           "m,another value that is longer than thirty-two bytes,13\n";

static pv_status read_text(void *ctx, pv_error *error)
{
    const request *const r = ctx;
    const pv_context context = {.threads = r->threads};
    pv_table *table = NULL;
    uint32_t order[16];
    PV_TRY(pv_i_table_read_blocks("alloc", r->text, strlen(r->text), r->block_size, NULL, &context,
                                  &table, error));
    const pv_status status = pv_table_order(table, 2, order, error);
    pv_table_free(table);
    return status;
}

static const char *const *own_missing(void *ctx, const char *column)
{
    static const char *const codes[] = {"-9", "no value that is longer than thirty-two bytes",
                                        NULL};
    (void)ctx;
    return strcmp(column, "n") == 0 ? codes : NULL;
}

/* Blanks to be removed, spellings to be merged, values that become missing. */
static pv_status read_odd(void *ctx, pv_error *error)
{
    static const char odd[] = "n, d,a name\n1,  2024-05-31,x\n1.0,31.05.2024,y\n-9, .,x \n01,.,z\n"
                              " no value that is longer than thirty-two bytes,1.6.2024,x\n";
    const request *const r = ctx;
    const pv_context context = {.threads = r->threads};
    const pv_read_options options = {.missing_of = own_missing, .header = PV_CHOICE_YES};
    const uint64_t dots = 4;
    pv_table *table = NULL;
    pv_status status;
    PV_TRY(pv_i_table_read_blocks("alloc", odd, strlen(odd), r->block_size, &options, &context,
                                  &table, error));
    PV_TRY_CLEAN(pv_table_set_type(table, 0, PV_TYPE_DECIMAL, error));
    assert_int_equal(pv_table_values(table, 0), 2);
    PV_TRY_CLEAN(pv_i_table_add_missing(table, 1, &dots, error));
    PV_TRY_CLEAN(pv_table_set_type(table, 1, PV_TYPE_AUTO, error));
    assert_int_equal(pv_table_values(table, 1), 3);
    assert_int_equal(pv_table_type(table, 1), PV_TYPE_DATE);
cleanup:
    pv_table_free(table);
    return status;
}

static void every_allocation_may_fail(void **state)
{
    static request requests[] = {
        {text, 1, 1 << 20},
        {text, 1, 40},
        {text, 3, 40},
    };
    (void)state;
    for (size_t i = 0; i < sizeof requests / sizeof *requests; i++) {
        assert_true(failing_alloc_every(read_text, &requests[i]) > 20);
        assert_true(failing_alloc_every(read_odd, &requests[i]) > 20);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(every_allocation_may_fail)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
