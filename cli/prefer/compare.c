/* Two solutions of an answer, person by person, before one of them is chosen: `--compare best,2`.
 */
#include "core/fail.h"
#include "prefer/prefer.h"

#include <stdlib.h>

pv_status cli_preferred_compare(cli_run *run, const cli_preferred *preferred, cli_rivals *rivals,
                                pv_error *error)
{
    const cli_wish *const wish = preferred->wish;
    const pv_suppression none = {0};
    cli_rival both[2] = {0};
    char *names[2];
    if (wish->given.compare == NULL) {
        return PV_STATUS_OK;
    }
    for (size_t i = 0; i < 2; i++) {
        names[i] = cli_preferred_name(preferred, wish->compare[i]);
        both[i].name = names[i];
        both[i].cuts = pv_solution_cuts(cli_preferred_solution(preferred, wish->compare[i]));
    }
    const pv_status status = cli_rivals_fight(run, preferred->opened, both, &none, rivals, error);
    free(names[0]);
    free(names[1]);
    return status;
}
