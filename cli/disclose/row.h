/* One record: what is chosen for it and what that took. */
#ifndef CLI_DISCLOSE_ROW_H
#define CLI_DISCLOSE_ROW_H

#include "disclose/answer.h"

void cli_record_print(const cli_report *report, const cli_disclosed *disclosed);
void cli_record_json(json_t *object, const cli_disclosed *disclosed);

#endif
