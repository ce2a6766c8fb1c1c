/* Runs statements where an engine does, one after the other:
 *
 *     bench_sql PLACE STATEMENT...
 *
 * With `duckdb:?query=SELECT 1` for a place it makes Parquet files, without DuckDB's own command.
 */
#include "engine/read.h"
#include "support/bench.h"

static void require(pv_status status, const char *what, const pv_error *error)
{
    if (status != PV_STATUS_OK) {
        (void)fprintf(stderr, "%s: %s\n", what, error->message);
        exit(1);
    }
}

int main(int argc, char **argv)
{
    pv_place place = {0};
    pv_link link = {0};
    pv_error error = {0};
    if (argc < 3) {
        (void)fprintf(stderr, "usage: bench_sql PLACE STATEMENT...\n");
        return 2;
    }
    require(pv_i_place_parse(argv[1], &place, &error), argv[1], &error);
    require(pv_i_link_open(&link, &place, NULL, &error), argv[1], &error);
    for (int i = 2; i < argc; i++) {
        require(link.engine->run(link.connection, argv[i], &error), argv[i], &error);
    }
    pv_i_link_close(&link);
    pv_i_place_deinit(&place);
    return 0;
}
