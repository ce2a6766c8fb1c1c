#include "support/place_link.h"

#include "base/error.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

const char *place_table(const char *url, const char *table)
{
    static char texts[4][512];
    static unsigned turn;
    char *const text = texts[turn++ % 4];
    (void)snprintf(text, sizeof texts[0], "%s?table=%s", url, table);
    return text;
}

void place_link_open(place_link *link, const char *place, const pv_context *context)
{
    pv_error error = {0};
    *link = (place_link){0};
    if (pv_i_place_parse(place, &link->place, &error) != PV_STATUS_OK ||
        pv_i_link_open(&link->link, &link->place, context, &error) != PV_STATUS_OK) {
        fail_msg("%s", error.message);
    }
}

void place_link_close(place_link *link)
{
    pv_i_link_close(&link->link);
    pv_i_place_deinit(&link->place);
}

void place_run(const char *url, const char *first, ...)
{
    place_link link;
    pv_error error = {0};
    va_list statements;
    place_link_open(&link, url, NULL);
    va_start(statements, first);
    for (const char *text = first; text != NULL; text = va_arg(statements, const char *)) {
        if (link.link.engine->run(link.link.connection, text, &error) != PV_STATUS_OK) {
            fail_msg("%s: %s", text, error.message);
        }
    }
    va_end(statements);
    place_link_close(&link);
}

static pv_status keep_first(void *ctx, const pv_cell *cells, pv_error *error)
{
    char **const value = ctx;
    (void)error;
    if (*value == NULL) {
        *value = strndup(cells[0].text != NULL ? cells[0].text : "", cells[0].size);
    }
    return PV_STATUS_OK;
}

char *place_value(const char *url, const char *select)
{
    place_link link;
    pv_error error = {0};
    char *value = NULL;
    place_link_open(&link, url, NULL);
    if (link.link.engine->fetch(link.link.connection, select, 1, keep_first, &value, &error) !=
        PV_STATUS_OK) {
        fail_msg("%s: %s", select, error.message);
    }
    place_link_close(&link);
    return value;
}
