/* `release --scheme local`: local recoding, and what is said about it. */
#include "core/fail.h"
#include "core/json.h"
#include "core/text.h"
#include "release/release.h"

#include <math.h>
#include <stdlib.h>

/* Cells that are suppressed are a local recoding of values and `*`. */
static bool wants_cells(const cli_publish *settings)
{
    return settings->scheme != NULL && cli_equal(settings->scheme, "cells");
}

bool cli_wants_local(const cli_publish *settings)
{
    return settings->scheme != NULL &&
           (cli_equal(settings->scheme, "local") || cli_equal(settings->scheme, "cells"));
}

pv_status cli_check_local(const cli_publish *settings, pv_error *error)
{
    if (!cli_wants_local(settings) && (settings->improve != NULL || settings->bound != NULL)) {
        return cli_error(error, PV_STATUS_ARGUMENT, "--%s is for --scheme local and --scheme cells",
                         settings->improve != NULL ? "improve" : "bound");
    }
    if (cli_wants_local(settings) && settings->objectives != NULL) {
        return cli_hint(cli_error(error, PV_STATUS_ARGUMENT,
                                  "--objectives is for a front over levels, and --scheme local "
                                  "has none"),
                        error, "choose what is lost least of with --minimize");
    }
    return PV_STATUS_OK;
}

/* There is no front to pick from: what is picked is demanded, and the least loss that keeps it is
 * found, which is what the point of a front would be. */
static pv_status add_pick(const char *pick, cli_demands *demands, pv_error *error)
{
    const pv_status status = cli_demands_add(demands, pick, error);
    return status == PV_STATUS_ARGUMENT
               ? cli_hint(status, error,
                          "with --scheme local, --pick says what every class must keep, such as "
                          "k=5; `paravent front --scheme local` shows what each k costs")
               : status;
}

static bool has_weights(const pv_study *study)
{
    bool differ = false;
    for (size_t q = 0; q < pv_study_quasis(study); q++) {
        const double weight = pv_attribute_weight(pv_study_quasi_attribute(study, q));
        const double first = pv_attribute_weight(pv_study_quasi_attribute(study, 0));
        differ |= weight < first || weight > first;
    }
    return differ;
}

/* From here on the table is seen as cells. Where attributes are not equally important, what counts
 * is their weight (nwp), otherwise every cell is one (glm). */
static pv_status take_cells(cli_published *p, const char **minimize, pv_error *error)
{
    cli_opened cells = {0};
    CLI_TRY(cli_see_as_cells(p->opened.study, &cells, error));
    p->searched = p->opened;
    p->opened = cells;
    p->cells = true;
    *minimize = *minimize == NULL && has_weights(cells.study) ? "nwp" : *minimize;
    return PV_STATUS_OK;
}

pv_status cli_take_local(cli_run *run, const cli_publish *settings, cli_published *p,
                         pv_error *error)
{
    pv_local_options options = {.size = sizeof options,
                                .context = &run->context,
                                .minimize = settings->minimize,
                                .demands = p->demands.list,
                                .budget = &p->budget};
    if (wants_cells(settings)) {
        CLI_TRY(take_cells(p, &options.minimize, error));
    }
    if (settings->pick != NULL) {
        CLI_TRY(add_pick(settings->pick, &p->demands, error));
    }
    if (p->suppression.target_k > 0) {
        const pv_constraint k = {.ref = {.measure = pv_measure_find("k")},
                                 .bound = (double)p->suppression.target_k};
        CLI_TRY(pv_constraints_add(p->demands.list, &p->demands.n, &k, error));
    }
    options.n_demands = p->demands.n;
    if (p->demands.n == 0) {
        return cli_hint(cli_error(error, PV_STATUS_ARGUMENT,
                                  "local recoding needs to know what every class must keep"),
                        error, "demand something: --require k=5");
    }
    CLI_TRY(cli_seconds_parse(settings->improve, &options.improve_seconds, error));
    CLI_TRY(cli_seconds_parse(settings->bound, &options.bound_seconds, error));
    const pv_status status = pv_local_find(p->opened.study, &options, &p->local, error);
    cli_progress_wipe(&run->progress);
    CLI_TRY(status);
    if (pv_local_stop(p->local) == PV_STOP_CANCELLED) {
        return cli_error(error, PV_STATUS_CANCELLED, "interrupted; nothing was written");
    }
    p->scheme = pv_local_take_scheme(p->local);
    return PV_STATUS_OK;
}

pv_status cli_fit_local(cli_run *run, const cli_publish *settings, cli_published *p,
                        pv_error *error)
{
    const pv_local_options options = {.size = sizeof options,
                                      .context = &run->context,
                                      .demands = p->demands.list,
                                      .n_demands = p->demands.n,
                                      .budget = &p->budget};
    if (settings->levels != NULL) {
        return cli_error(error, PV_STATUS_ARGUMENT, "--levels contradicts a local recoding");
    }
    const pv_status status = pv_local_apply(p->opened.study, &options, settings->allow_weaker,
                                            &p->scheme, &p->fit, error);
    cli_progress_wipe(&run->progress);
    return status;
}

/* How new rows fit the classes of a scheme. */
static void print_fit(const cli_report *report, const pv_local_fit *fit)
{
    if (fit->rows == 0) {
        return;
    }
    cli_fact(report, CLI_NEUTRAL, "classes kept",
             "each row is in the finest class of the scheme that covers it; %s of them used",
             cli_count_text(fit->classes).text);
    if (fit->moved > 0) {
        cli_fact(report, CLI_NEUTRAL, "moved",
                 "%s to a coarser class, since too few meet in the finest",
                 cli_plural_text(fit->moved, "row", "rows").text);
    }
    if (fit->uncovered > 0) {
        cli_fact(report, CLI_BAD, "fit no class", "%s, suppressed",
                 cli_plural_text(fit->uncovered, "row", "rows").text);
    }
    if (fit->suppressed > 0) {
        cli_fact(report, CLI_BAD, "fit too few",
                 "%s in no class that keeps the demands, suppressed",
                 cli_plural_text(fit->suppressed, "row", "rows").text);
    }
}

json_t *cli_fit_json(const cli_published *p)
{
    if (p->fit.rows == 0) {
        return json_null();
    }
    json_t *const object = json_object();
    cli_json_set(object, "rows", cli_json_count(p->fit.rows));
    cli_json_set(object, "uncovered", cli_json_count(p->fit.uncovered));
    cli_json_set(object, "moved", cli_json_count(p->fit.moved));
    cli_json_set(object, "suppressed", cli_json_count(p->fit.suppressed));
    cli_json_set(object, "classes", cli_json_count(p->fit.classes));
    return object;
}

/* As a share where the measure is glm, which is shown so everywhere; rounded down for bounds.
 * Owned. */
static char *loss_text(const cli_published *p, double value, bool down)
{
    const pv_measure *const measure = pv_local_loss(p->local).measure;
    const double cells =
        (double)pv_profile_rows(p->opened.profile) * (double)pv_study_quasis(p->opened.study);
    return measure == pv_measure_find("glm")
               ? cli_format("%.2f%% of the detail lost",
                            down ? floor(1e4 * value / cells) / 100 : 100 * value / cells)
               : cli_format("%s %s", cli_value_text(value).text, measure->name);
}

/* With values and `*` alone, what glm counts are the cells that are `*`. */
static uint64_t count_stars(const cli_published *p, uint64_t *n_cells)
{
    size_t n = 0;
    const double *const values = pv_release_measures(p->result, &n);
    *n_cells = pv_profile_rows(p->opened.profile) * pv_study_quasis(p->opened.study);
    for (size_t i = 0; i < n; i++) {
        if (pv_measure_at(i) == pv_measure_find("glm")) {
            return (uint64_t)llround(values[i]);
        }
    }
    return 0;
}

static void print_cells(const cli_report *report, const cli_published *p)
{
    uint64_t n_cells = 0;
    const uint64_t stars = count_stars(p, &n_cells);
    cli_fact(report, CLI_GOOD, "cells", "%s of %s are *, everything else is as it was",
             cli_count_text(stars).text, cli_count_text(n_cells).text);
    cli_fact(report, CLI_NEUTRAL, "* as a value", "what is demanded holds, as measured");
    cli_fact(report, CLI_NEUTRAL, "* as anything",
             "it holds as well: what is known of a person fits whole classes only, at least one, "
             "and unions of classes keep k and the demands on sensitive values");
}

void cli_local_print(const cli_report *report, const cli_published *p)
{
    const pv_local *const local = p->local;
    print_fit(report, &p->fit);
    if (local == NULL) {
        return;
    }
    if (p->cells) {
        print_cells(report, p);
    }
    char *const loss = loss_text(p, pv_local_value(local), false);
    char *const bound = loss_text(p, pv_local_bound(local), true); /* so that the claim holds */
    char gap[64];
    pv_gap_text(pv_local_gap(local), PV_GAP_SENTENCE, gap, sizeof gap);
    const char *const what = p->cells ? "cell suppression" : "local recoding";
    if (isinf(pv_local_gap(local))) {
        cli_fact(report, CLI_GOOD, what, "%s; how much less there could be is not known", loss);
    } else if (pv_local_gap(local) <= 0) {
        cli_fact(report, CLI_GOOD, what, "%s; proven: nothing can lose less", loss);
    } else {
        cli_fact(report, CLI_GOOD, what, "%s, %s: proven is that no %s has less than %s", loss, gap,
                 what, bound);
    }
    cli_fact(report, CLI_NEUTRAL, "how",
             "found in %.1f s, the bound in %.1f s; rows have levels of their own, so equal values "
             "may be released differently%s",
             pv_local_seconds(local), pv_local_bound_seconds(local),
             pv_local_divided(local) > 0 ? ", even those of rows that are alike" : "");
    free(loss);
    free(bound);
}

json_t *cli_local_json(const cli_published *p)
{
    const pv_local *const local = p->local;
    if (local == NULL) {
        return json_null();
    }
    const double gap = pv_local_gap(local);
    json_t *const object = json_object();
    uint64_t n_cells = 0;
    const uint64_t stars = p->cells ? count_stars(p, &n_cells) : 0;
    cli_json_set(object, "scheme", cli_json_text(p->cells ? "cells" : "local"));
    cli_json_set(object, "cells", p->cells ? cli_json_count(n_cells) : json_null());
    cli_json_set(object, "starred", p->cells ? cli_json_count(stars) : json_null());
    cli_json_set(object, "measure", cli_json_text(cli_measure_name(pv_local_loss(local)).text));
    cli_json_set(object, "value", cli_json_number(pv_local_value(local)));
    cli_json_set(object, "bound", cli_json_number(pv_local_bound(local)));
    cli_json_set(object, "gap", isinf(gap) ? json_null() : cli_json_number(gap));
    cli_json_set(object, "suppressed", cli_json_count(pv_local_suppressed(local)));
    cli_json_set(object, "budget", cli_json_count(pv_local_budget(local)));
    cli_json_set(object, "classes", cli_json_count(pv_local_classes(local)));
    cli_json_set(object, "divided", cli_json_count(pv_local_divided(local)));
    cli_json_set(object, "steps", cli_json_count(pv_local_steps(local)));
    cli_json_set(object, "sweeps", cli_json_count(pv_local_sweeps(local)));
    cli_json_set(object, "seconds", cli_json_number(pv_local_seconds(local)));
    cli_json_set(object, "bound_seconds", cli_json_number(pv_local_bound_seconds(local)));
    cli_json_set(object, "stop", cli_json_text(cli_stop_name(pv_local_stop(local))));
    return object;
}
