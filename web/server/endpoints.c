/* All kinds of jobs. */
#include "server/endpoints.h"

const web_endpoint web_endpoints[] = {
    {"command", false, web_command},
    {"columns", true, web_columns},
    {"tree", true, web_tree},
    {"best", false, web_best},
    {"cloud", false, web_cloud},
    {"prefer", false, web_prefer},
    {"candidate", false, web_candidate_job},
    {"people", false, web_people},
    {"rows", false, web_rows},
    {"contest", false, web_contest},
    {"release", false, web_release},
    {NULL, false, NULL},
};
