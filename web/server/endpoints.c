/* All kinds of jobs. */
#include "server/endpoints.h"

const web_endpoint web_endpoints[] = {
    {"command", false, web_command},
    {NULL, false, NULL},
};
