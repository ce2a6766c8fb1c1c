/* What a comparison says, for people and JSON alike. */
#include "compare/told.h"

double cli_contest_shown(const cli_contest *contest, size_t property, double value)
{
    return contest->comparison->less_is_better[property] ? 0.0 - value : value;
}

double cli_contest_index(const cli_contest *contest, size_t property, size_t index,
                         const pv_duel *duel, bool second)
{
    const double value = second ? duel->second[index] : duel->first[index];
    return index == PV_INDEX_MIN ? cli_contest_shown(contest, property, value) : value;
}

pv_dominance cli_contest_dominance(const cli_contest *contest, size_t first, size_t second)
{
    bool first_better = false;
    bool second_better = false;
    for (size_t p = 0; p < contest->comparison->n_properties; p++) {
        const pv_duel *const duel = pv_judgement_duel(contest->judgement, p, first, second);
        first_better = first_better || duel->first_better > 0;
        second_better = second_better || duel->second_better > 0;
    }
    return first_better && second_better ? PV_DOMINANCE_NONE
           : first_better                ? PV_DOMINANCE_FIRST_STRONG
           : second_better               ? PV_DOMINANCE_SECOND_STRONG
                                         : PV_DOMINANCE_EQUAL;
}
