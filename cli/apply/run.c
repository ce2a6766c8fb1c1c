/* `paravent apply SCHEME DATA`: treat new rows of the same kind alike, unless what was promised no
 * longer holds. */
#include "core/fail.h"
#include "core/outputs.h"
#include "core/text.h"
#include "release/release.h"

#include <stdlib.h>

/* What the scheme demands and these rows do not keep was given up (--allow-weaker): it is a promise
 * that is broken. */
static pv_status give_up(cli_published *published, pv_error *error)
{
    cli_demands kept = {0};
    for (size_t i = 0; i < published->demands.n; i++) {
        const pv_constraint *const demand = &published->demands.list[i];
        double value = 0.0;
        const bool holds =
            cli_published_value(published, demand, &value) && pv_constraint_holds(demand, value);
        cli_demands *const list = holds ? &kept : &published->promises;
        CLI_TRY(pv_constraints_add(list->list, &list->n, demand, error));
    }
    published->demands = kept;
    return PV_STATUS_OK;
}

/* Broken promises are worth a warning even where nothing is printed for people. */
static void warn(const cli_run *run, const cli_published *published)
{
    for (size_t i = 0; i < published->promises.n; i++) {
        const pv_constraint *const promise = &published->promises.list[i];
        char text[PV_MEASURE_TEXT_SIZE];
        double value = 0.0;
        const bool known = cli_published_value(published, promise, &value);
        if (!known || !pv_constraint_holds(promise, value)) {
            pv_constraint_text(promise, text, sizeof text);
            cli_note(run, "%s no longer holds: it is %s", text,
                     known ? cli_value_text(value).text : "not measurable here");
        }
    }
}

/* The scheme itself, or that among the papers of a released table, if it has any. Owned. */
static pv_status find_scheme(const char *given, char **scheme, pv_error *error)
{
    pv_papers *papers = NULL;
    pv_status status = PV_STATUS_OK;
    if (!cli_ends_with(given, ".json") && !cli_is_stream(given)) {
        CLI_TRY(pv_papers_check(given, NULL, &papers, error));
    }
    const char *const folder = papers != NULL ? pv_papers_folder(papers) : NULL;
    const size_t file = folder != NULL ? pv_papers_find(papers, ".scheme.json") : SIZE_MAX;
    if (file != SIZE_MAX && pv_papers_state(papers, file) == PV_PAPER_INTACT) {
        char *const found = pv_papers_path(papers, file);
        *scheme = cli_copy(found != NULL ? found : given);
        pv_string_free(found);
    } else if (folder != NULL) {
        status = cli_hint(cli_error_at(error, PV_STATUS_INPUT, folder, 0, 0,
                                       "the scheme is missing, or is not the one that was written"),
                          error, "what `disclose` releases has none; otherwise name the scheme");
    } else {
        *scheme = cli_copy(given);
    }
    pv_papers_free(papers);
    return status;
}

static pv_status run_apply(cli_run *run, const void *given, pv_error *error)
{
    cli_publish settings = *(const cli_publish *)given;
    cli_published published;
    char *scheme = NULL;
    settings.applying = true;
    CLI_TRY(find_scheme(run->operands.list[0], &scheme, error));
    pv_status status =
        cli_publish_write(run, &settings, scheme, run->operands.list[1], &published, error);
    if (status == PV_STATUS_OK && settings.allow_weaker) {
        status = give_up(&published, error);
    }
    if (status == PV_STATUS_OK) {
        warn(run, &published);
        cli_published_show(run, &published);
        cli_published_free(&published);
    }
    free(scheme);
    return status;
}

static const char *const description[] = {
    "Applies SCHEME, the small JSON file that `paravent release` wrote among the papers of a table "
    "(or that table itself, whose scheme is then found), to DATA: new rows with the same columns. "
    "They are generalized to the same values, suppressed by the same rule, verified "
    "and certified like a release.",
    "What the scheme achieved on the rows it was made from, it promises for others: if that no "
    "longer holds, it is said what was promised and what was found, the exit status is 3 and no "
    "file is written, unless --allow-weaker accepts it. Constraints that were demanded then are "
    "demanded again; with --allow-weaker they are given up where these rows cannot keep them "
    "within the budget, and it is said which. What --require demands now holds in any case.",
    "A local recoding has classes instead of levels: a new row goes to the finest class that "
    "covers "
    "it, or where too few meet, to a coarser one. Rows that fit no class are suppressed, within "
    "the "
    "budget, and counted.",
    "Values that the hierarchies of the scheme do not know are an error, unless the plan had "
    "`unknown: \"*\"` for the attribute: then they become `*`, and it is said how many.",
    NULL,
};

static const cli_option options[] = {
    CLI_PUBLISH_OPTIONS,
    CLI_OPTION(
        cli_publish, "allow-weaker", FLAG, NULL, allow_weaker,
        "write the release although it does not keep everything that the scheme promised, or "
        "demands; the certificate says so"),
    CLI_READING_OPTIONS(cli_publish),
    {.name = NULL},
};

static const cli_example examples[] = {
    {"paravent apply census.release.scheme.json census-2.csv", "treat the next delivery alike"},
    {"paravent apply census.release.scheme.json census-2.csv --require k=5 -o second.csv",
     "and only if it is 5-anonymous as well"},
    {NULL, NULL},
};

const cli_command cli_command_apply = {
    .name = "apply",
    .operands = "SCHEME DATA",
    .min_operands = 2,
    .max_operands = 2,
    .summary = "apply the scheme of a release to new rows, if what it promised still holds",
    .description = description,
    .options = options,
    .examples = examples,
    .settings_size = sizeof(cli_publish),
    .run = run_apply,
};
