/* All kinds of jobs. */
#include "server/endpoints.h"

const web_endpoint web_endpoints[] = {
    {"command", false, web_command},
    {"best", false, web_best},
    {"cloud", false, web_cloud},
    {"prefer", false, web_prefer},
    {NULL, false, NULL},
};
