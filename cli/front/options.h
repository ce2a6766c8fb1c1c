/* What `paravent front` understands: the settings as given, and the tables that describe them. */
#ifndef CLI_FRONT_OPTIONS_H
#define CLI_FRONT_OPTIONS_H

#include "core/command.h"
#include "front/settings.h"

typedef struct cli_front {
    cli_common common;
    cli_reading reading;
    cli_search search;
    const char *scheme; /* levels, which NULL is, too, or cuts */
    const char *data, *suppression;
    const char *svg, *html, *csv;
    const char *against; /* a file of `front --json` to compare with */
    const char *compare; /* two picks, to be compared person by person */
    char *where;
    const char *prove;         /* cuts only, as the next three */
    const char *pick, *output; /* the point whose cuts are written */
    bool free_groups;
    bool all, force;
} cli_front;

extern const char *const cli_front_description[];
extern const cli_option cli_front_options[];
extern const cli_example cli_front_examples[];

#endif
