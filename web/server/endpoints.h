/* All kinds of jobs, one file each: what `POST /api/jobs` can be asked for. docs/explorer.md says
 * what each takes and answers with; endpoints.c has the list. */
#ifndef WEB_SERVER_ENDPOINTS_H
#define WEB_SERVER_ENDPOINTS_H

#include "server/web.h"

/* Any command with its options: command.c. */
PV_CHECKED pv_status web_command(web_call *call, json_t **result, pv_error *error);
/* What the columns are and what they would expose; works while the plan is refused: columns.c. */
PV_CHECKED pv_status web_columns(web_call *call, json_t **result, pv_error *error);
/* A hierarchy as a tree, checked; works while the plan is refused: tree.c. */
PV_CHECKED pv_status web_tree(web_call *call, json_t **result, pv_error *error);
/* The best scheme that keeps the demands: best.c. */
PV_CHECKED pv_status web_best(web_call *call, json_t **result, pv_error *error);
/* All schemes that were looked at: cloud.c. */
PV_CHECKED pv_status web_cloud(web_call *call, json_t **result, pv_error *error);
/* The answer to a wish: prefer.c. */
PV_CHECKED pv_status web_prefer(web_call *call, json_t **result, pv_error *error);
/* What a scheme does to every attribute: candidate.c. */
PV_CHECKED pv_status web_candidate_job(web_call *call, json_t **result, pv_error *error);
/* What it does to every person: people.c. */
PV_CHECKED pv_status web_people(web_call *call, json_t **result, pv_error *error);
/* The released rows beside the original: rows.c. */
PV_CHECKED pv_status web_rows(web_call *call, json_t **result, pv_error *error);
/* Candidates and files, person by person: contest.c. */
PV_CHECKED pv_status web_contest(web_call *call, json_t **result, pv_error *error);
/* Writes the release of a candidate: candidate.c. */
PV_CHECKED pv_status web_release(web_call *call, json_t **result, pv_error *error);

#endif
