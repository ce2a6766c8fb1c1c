/* Places of tables with every allocation failing in turn. */
#include "support/failing_alloc.h"

#include "base/error.h"
#include "base/memory.h"
#include "engine/engine.h"
#include "engine/place.h"

/* Which engines there are does not matter here: without its engine a place is refused, unless
 * memory ran out before. */
static pv_status parse(void *ctx, pv_error *error)
{
    pv_place place = {0};
    pv_engine_columns columns = {0};
    pv_status status = pv_i_place_parse(ctx, &place, error);
    pv_i_place_deinit(&place);
    if (status == PV_STATUS_UNSUPPORTED) {
        status = PV_STATUS_OK;
    }
    for (size_t i = 0; status == PV_STATUS_OK && i < 20; i++) {
        status = pv_i_engine_columns_add(&columns, "age", 3, "integer", error);
    }
    pv_i_engine_columns_deinit(&columns);
    if (status == PV_STATUS_OK) {
        char *const within = pv_i_place_beside("plans/plan.yaml", ctx);
        status = within != NULL ? PV_STATUS_OK : pv_i_no_memory(error);
        pv_i_free(within);
    }
    return status;
}

static void every_allocation_fails_once(void **state)
{
    static const char *const texts[] = {"people/*.parquet", "duckdb:people.db?table=a&b=c",
                                        "postgresql://host/db?table=t",
                                        "odbc:DSN=x?query=SELECT 1"};
    (void)state;
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
        assert_true(failing_alloc_every(parse, (void *)(uintptr_t)texts[i]) > 0);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_allocation_fails_once),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
