/* Memory that runs out while the census is written: an error, and an empty folder. */
#include "support/failing_alloc.h"

#include <paravent/census.h>

#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static void empty(const char *folder, bool expect_files)
{
    DIR *const dir = opendir(folder);
    assert_non_null(dir);
    for (const struct dirent *entry = readdir(dir); entry != NULL; entry = readdir(dir)) {
        if (strcmp(entry->d_name, ".") != 0 && strcmp(entry->d_name, "..") != 0) {
            char path[512];
            assert_true(expect_files);
            (void)snprintf(path, sizeof path, "%s/%s", folder, entry->d_name);
            assert_int_equal(unlink(path), 0);
        }
    }
    (void)closedir(dir);
}

static pv_status write_census(void *ctx, pv_error *error)
{
    const char *const folder = ctx;
    const pv_status status = pv_census_write(folder, 20, 1, false, error);
    (void)failing_alloc_disarm(); /* what was asked of it stays known */
    empty(folder, status == PV_STATUS_OK);
    return status;
}

static void every_allocation_may_fail(void **state)
{
    (void)state;
    char folder[] = "/tmp/pv-census-XXXXXX";
    assert_non_null(mkdtemp(folder));
    assert_true(failing_alloc_every(write_census, folder) > 20);
    assert_int_equal(rmdir(folder), 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(every_allocation_may_fail)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
