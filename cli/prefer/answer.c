/* The answer to a wish: what was chosen of it, and what its proof means. */
#include "prefer/answer.h"

#include "core/fail.h"
#include "core/outputs.h"

#include <stdlib.h>

void cli_preferred_forget_steps(cli_preferred *preferred)
{
    for (size_t i = 0; i < preferred->n_steps; i++) {
        pv_answer_free(preferred->steps[i]);
    }
    free(preferred->steps);
    preferred->steps = NULL;
    preferred->n_steps = 0;
}

void cli_preferred_free(cli_preferred *preferred)
{
    pv_answer_free(preferred->answer);
    cli_preferred_forget_steps(preferred);
    pv_walk_free(preferred->walk);
    *preferred = (cli_preferred){0};
}

const pv_solution *cli_preferred_chosen(const cli_preferred *preferred)
{
    const size_t choice = preferred->choice;
    if (choice == 0) {
        return &preferred->answer->best;
    }
    return preferred->n_steps > 0 ? &preferred->steps[choice - 1]->best
                                  : &preferred->answer->others[choice - 1];
}

bool cli_preferred_has_bound(const cli_preferred *preferred)
{
    return preferred->answer->proven || preferred->answer->bound > 0.0;
}

pv_aspiration cli_preferred_corner(const cli_preferred *preferred)
{
    const pv_achievement *const goal = &preferred->answer->goal;
    const double bound = preferred->answer->bound;
    return (pv_aspiration){.bias = bound / goal->weight + goal->utopia,
                           .loss = bound / (1.0 - goal->weight) + goal->utopia};
}

pv_status cli_preferred_write(cli_run *run, const cli_preferred *preferred, pv_error *error)
{
    char *text = NULL;
    CLI_TRY(pv_cuts_text(cli_preferred_chosen(preferred)->cuts, &text, error));
    pv_status status = cli_outputs_write(run, preferred->settings->output, text, error);
    if (status == PV_STATUS_OK) {
        status = cli_outputs_commit(run, error);
    }
    pv_string_free(text);
    return status;
}

pv_status cli_preferred_accept(const cli_preferred *preferred, pv_error *error)
{
    const size_t choice = preferred->choice;
    return choice > 0 && preferred->n_steps > 0
               ? pv_walk_accept(preferred->walk, preferred->steps[choice - 1], 0, error)
               : pv_walk_accept(preferred->walk, preferred->answer, choice, error);
}
