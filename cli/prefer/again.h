/* The commands that a report suggests: what asks for the same again, what releases it. */
#ifndef CLI_PREFER_AGAIN_H
#define CLI_PREFER_AGAIN_H

#include "prefer/answer.h"

/* The options that would ask the same again: " --k 5 --necd 0.3". Owned. */
char *cli_wish_again(const cli_prefer *settings);
/* What --aspire has to say for this point: "gini=0.3,nwp=0.2". Owned. */
char *cli_aspire_text(const cli_wish *wish, pv_aspiration point, int digits);
/* What a release has to demand: "k=5,l-distinct=3". Owned. */
char *cli_require_text(const cli_preferred *preferred);

#endif
