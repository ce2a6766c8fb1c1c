/* Asking for the best scheme, and finding out which demand is too much if there is none: for
 * `release`, and for whoever asks while demands are being changed. */
#include "core/fail.h"
#include "core/text.h"
#include "release/release.h"

#include <math.h>

#define MOST_SECONDS 2.0 /* to see which of the demands fails */
/* To see whether something is possible at all: what is best does not matter. */
#define SECONDS_OF_PROBE 0.5
#define STEPS_OF_PROBE 2

pv_status cli_question_ask(const cli_question *q, pv_best **best, pv_error *error)
{
    const pv_best_options options = {.size = sizeof options,
                                     .context = q->context,
                                     .kind = q->kind,
                                     .minimize = q->minimize,
                                     .demands = q->demands->list,
                                     .n_demands = q->demands->n,
                                     .budget = q->budget,
                                     .max_seconds = q->seconds,
                                     .max_steps = q->max_steps,
                                     .known = q->known};
    return pv_best_find(q->study, &options, best, error);
}

/* Can some scheme keep the demands? `sure` is whether a "no" is proven, or a "yes" found. Whatever
 * is lost least of. */
static pv_status is_possible(const cli_question *asked, const cli_demands *demands, double seconds,
                             uint64_t max_steps, bool *possible, bool *sure, pv_error *error)
{
    const cli_question q = {.study = asked->study,
                            .context = asked->context,
                            .kind = asked->kind,
                            .demands = demands,
                            .budget = asked->budget,
                            .seconds = seconds,
                            .max_steps = max_steps};
    pv_best *best = NULL;
    CLI_TRY(cli_question_ask(&q, &best, error));
    const bool cancelled = pv_best_stop(best) == PV_STOP_CANCELLED;
    *possible = pv_best_scheme(best) != NULL;
    *sure = *possible || pv_best_is_proven(best);
    pv_best_free(best);
    return cancelled ? cli_error(error, PV_STATUS_CANCELLED,
                                 "interrupted while looking for what would be possible")
                     : PV_STATUS_OK;
}

/* How many digits a bound has when it is looked for: people and values are whole. */
static double grain_of(const pv_constraint *demand)
{
    return demand->ref.measure->counts ? 1 : 0.01;
}

/* The strictest that the last of the demands could be, by bisection: `nearest` is possible, and
 * `sure` says that one grain more is proven not to be. */
static pv_status find_strictest(const cli_question *q, cli_demands demands, cli_too_much *too_much,
                                pv_error *error)
{
    pv_constraint *const last = &demands.list[demands.n - 1];
    const double grain = grain_of(last);
    const bool more = last->ref.measure->direction == PV_MORE_IS_BETTER;
    const double asked = last->bound;
    double weak = 0; /* in grains below (or above) what is asked: too much; enough is `strong` */
    double strong = more ? floor(asked / grain) : ceil((1 - asked) / grain);
    too_much->found = false;
    too_much->sure = true;
    while (strong - weak > 1 || (!too_much->found && strong > weak)) {
        const double middle =
            too_much->found || strong - weak > 1 ? floor((weak + strong) / 2) : strong;
        bool possible;
        bool certain;
        last->bound = more ? ceil(asked / grain - middle) * grain : asked + middle * grain;
        CLI_TRY(
            is_possible(q, &demands, SECONDS_OF_PROBE, STEPS_OF_PROBE, &possible, &certain, error));
        if (possible) {
            too_much->found = true;
            too_much->nearest = *last;
            strong = middle;
        } else {
            too_much->sure &= certain;
            if (middle >= strong) {
                break;
            }
            weak = middle;
        }
    }
    return PV_STATUS_OK;
}

/* The demands are taken one by one, in the order given, until those so far are too much. */
pv_status cli_too_much_find(const cli_question *q, bool proven, cli_too_much *too_much,
                            pv_error *error)
{
    cli_demands some = {0};
    bool sure = false;
    bool possible = true;
    *too_much = (cli_too_much){.proven = proven};
    while (possible && some.n < q->demands->n) {
        some.list[some.n] = q->demands->list[some.n];
        some.n++;
        CLI_TRY(is_possible(q, &some, MOST_SECONDS, STEPS_OF_PROBE, &possible, &sure, error));
        if (!sure) { /* it is not to be had soon */
            CLI_TRY(is_possible(q, &some, MOST_SECONDS, 0, &possible, &sure, error));
        }
    }
    too_much->possible = possible;
    too_much->n = some.n;
    if (possible) {
        return PV_STATUS_OK;
    }
    too_much->demand = some.list[some.n - 1];
    return find_strictest(q, some, too_much, error);
}

char *cli_too_much_text(const cli_too_much *too_much, uint64_t budget)
{
    char text[PV_MEASURE_TEXT_SIZE];
    if (too_much->possible) {
        return cli_copy("nothing that keeps the demands was found in the time given, though there "
                        "is something");
    }
    pv_constraint_text(&too_much->demand, text, sizeof text);
    return cli_format(too_much->proven ? "no way to generalize keeps %s%s with at most %s "
                                         "suppressed: this is proven"
                                       : "no way to generalize was found that keeps %s%s with at "
                                         "most %s suppressed",
                      text, too_much->n > 1 ? " together with the demands before it" : "",
                      cli_plural_text(budget, "row", "rows").text);
}

char *cli_too_much_nearest(const cli_too_much *too_much)
{
    char text[PV_MEASURE_TEXT_SIZE];
    if (too_much->possible || !too_much->found) {
        return NULL;
    }
    pv_constraint_text(&too_much->nearest, text, sizeof text);
    return cli_format(too_much->sure ? "at most %s would be possible" : "%s would be possible",
                      text);
}
