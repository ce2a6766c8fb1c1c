/* How much each attribute counts in the loss of a walk. */
#ifndef CLI_PREFER_WEIGHTS_H
#define CLI_PREFER_WEIGHTS_H

#include "prefer/answer.h"
#include "prefer/pairs.h"

/* Only one loss has weights. */
bool cli_weights_exist(const cli_preferred *preferred);
/* Are they other than the plan's? */
bool cli_weights_changed(const cli_preferred *preferred);
/* Gives attributes other weights for the wishes to come. */
PV_CHECKED pv_status cli_weights_set(const cli_preferred *preferred, const cli_pairs *weights,
                                     pv_error *error);
typedef enum cli_weights_shown { CLI_WEIGHTS_ALL, CLI_WEIGHTS_CHANGED } cli_weights_shown;
/* "age=3,sex=1,zip=1", with what separates them. Owned. */
char *cli_weights_text(const cli_preferred *preferred, cli_weights_shown shown,
                       const char *separator, int digits);
/* {"age": 3, "sex": 1}; null if the loss has none. */
json_t *cli_weights_json(const cli_preferred *preferred);

#endif
