/* engine_sql PLACE STATEMENT...: runs statements where an engine holds tables, for cases that need
 * a table there. Without a table of its own the place is written like `duckdb:people.db`. */
#include "base/error.h"
#include "engine/read.h"

#include <stdio.h>

int main(int n_words, char **words)
{
    pv_place place = {0};
    pv_link link = {0};
    pv_error error = {0};
    if (n_words < 3) {
        (void)fputs("engine_sql PLACE STATEMENT...\n", stderr);
        return 2;
    }
    pv_status status = pv_i_place_parse(words[1], &place, &error);
    if (status == PV_STATUS_OK) {
        status = pv_i_link_open(&link, &place, NULL, &error);
    }
    for (int i = 2; i < n_words && status == PV_STATUS_OK; i++) {
        status = link.engine->run(link.connection, words[i], &error);
    }
    pv_i_link_close(&link);
    pv_i_place_deinit(&place);
    if (status != PV_STATUS_OK) {
        (void)fprintf(stderr, "engine_sql: %s\n", error.message);
    }
    return status != PV_STATUS_OK;
}
