/* `paravent inspect PLAN`: how exposed is the raw table? */
#include "core/command.h"
#include "core/fail.h"
#include "core/json.h"
#include "core/opened.h"
#include "inspect/inspect.h"

#include <paravent/paravent.h>

#define DEFAULT_RARE 5

typedef struct {
    cli_common common;
    cli_reading reading;
    const char *data;
    cli_count rare;
} inspect_settings;

pv_status cli_inspected_take(cli_run *run, const cli_opened *opened, uint64_t rare,
                             cli_inspected *inspected, pv_error *error)
{
    *inspected = (cli_inspected){.opened = opened};
    pv_status status =
        pv_exposure_create(opened->profile, rare, &run->context, &inspected->exposure, error);
    if (status == PV_STATUS_OK) {
        status = cli_measured_raw(opened->profile, &inspected->measured, error);
    }
    if (status != PV_STATUS_OK) {
        cli_inspected_free(inspected);
    }
    return status;
}

void cli_inspected_free(cli_inspected *inspected)
{
    pv_exposure_free(inspected->exposure);
    cli_measured_free(&inspected->measured);
    inspected->exposure = NULL;
}

static pv_status run_inspect(cli_run *run, const void *given, pv_error *error)
{
    const inspect_settings *const settings = given;
    const uint64_t rare = settings->rare.given ? settings->rare.value : DEFAULT_RARE;
    cli_opened opened = {0};
    cli_inspected inspected = {0};
    if (settings->reading.explain) {
        return cli_explain(run, run->operands.list[0], settings->data, &settings->reading,
                           CLI_WITH_ROLE, NULL, error);
    }
    CLI_TRY(cli_open(run, run->operands.list[0], settings->data, &settings->reading, CLI_WITH_ROLE,
                     &opened, error));
    const pv_status status = cli_inspected_take(run, &opened, rare, &inspected, error);
    if (status == PV_STATUS_OK && run->common->json) {
        json_t *const document = cli_json_document("inspect");
        cli_inspected_json(document, &inspected);
        cli_json_print(run, document);
    } else if (status == PV_STATUS_OK && cli_run_talks(run)) {
        cli_inspected_print(&run->report, &inspected, false);
        cli_blank(&run->report);
        cli_paragraph(&run->report, 0, "Next: see what privacy would cost,");
        cli_paragraph(&run->report, 2, "paravent front %s", run->operands.list[0]);
    }
    cli_inspected_free(&inspected);
    cli_close(&opened);
    return status;
}

static const char *const description[] = {
    "Shows how strongly the quasi-identifiers of PLAN single people out before anything is done: "
    "how many rows are unique, how many rows look alike, what an intruder who knows these "
    "attributes would achieve, and which attributes and pairs of attributes are to blame.",
    "Values of the data are counted, never printed.",
    NULL,
};

static const cli_option options[] = {
    CLI_OPTION(inspect_settings, "rare", COUNT, "N", rare,
               "fewer than N rows count as rare (default: 5)", .min = 2, .max = UINT32_MAX),
    CLI_DATA_OPTIONS(inspect_settings, "file"),
    CLI_EXPLAIN_OPTION(inspect_settings, reading.explain),
    {.name = NULL},
};

static const cli_example examples[] = {
    {"paravent inspect plan.yaml", "the exposure of the table that plan.yaml describes"},
    {"paravent inspect plan.yaml --rare 10 --json", "the same for programs, all pairs included"},
    {NULL, NULL},
};

const cli_command cli_command_inspect = {
    .name = "inspect",
    .operands = "PLAN",
    .min_operands = 1,
    .max_operands = 1,
    .summary = "how exposed is the raw table: unique rows, class sizes, telling attributes",
    .description = description,
    .options = options,
    .examples = examples,
    .settings_size = sizeof(inspect_settings),
    .run = run_inspect,
};
