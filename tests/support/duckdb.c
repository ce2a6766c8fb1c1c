/* DuckDB in tests. */
#include "support/duckdb.h"

#include "support/study.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

bool duckdb_is_here(void)
{
    static const char command[] = "'" PV_SOURCE_DIR "/tests/duckdb/library' 2>/dev/null";
    const char *const ci = getenv("CI");
    char said[4096] = "";
    FILE *const pipe = popen(command, "r");
    assert_non_null(pipe);
    if (fgets(said, sizeof said, pipe) == NULL) {
        said[0] = '\0';
    }
    const bool is_here = pclose(pipe) == 0;
    said[strcspn(said, "\n")] = '\0';
    if (is_here) {
        assert_int_equal(setenv("PARAVENT_DUCKDB", said, 1), 0);
        return true;
    }
    print_message("skipped: %s\n", said);
    if (ci != NULL && strcmp(ci, "true") == 0) {
        fail_msg("%s", "tests of DuckDB may not be skipped here");
    }
    return false;
}

void duckdb_visit(duckdb_place *there, const char *text, const pv_context *context)
{
    pv_error error = {0};
    *there = (duckdb_place){0};
    bound_must(pv_i_place_parse(text, &there->place, &error), &error);
    bound_must(pv_i_link_open(&there->link, &there->place, context, &error), &error);
}

void duckdb_leave(duckdb_place *there)
{
    pv_i_link_close(&there->link);
    pv_i_place_deinit(&there->place);
}

void duckdb_run(const char *file, const char *const *statements, size_t n)
{
    char text[512];
    duckdb_place there;
    pv_error error = {0};
    (void)snprintf(text, sizeof text, "duckdb:%s?query=SELECT 1", file != NULL ? file : "");
    duckdb_visit(&there, text, NULL);
    for (size_t i = 0; i < n; i++) {
        bound_must(there.link.engine->run(there.link.connection, statements[i], &error), &error);
    }
    duckdb_leave(&there);
}
