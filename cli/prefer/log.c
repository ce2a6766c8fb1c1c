/* The audit trail of a session: what was wished for, answered and chosen, and when. */
#include "core/fail.h"
#include "core/grid.h"
#include "core/json.h"
#include "core/text.h"
#include "prefer/prefer.h"

/* ----------------------------------------------------------------- people */

static cli_number entry_value(const pv_preference_entry *entry, double value)
{
    return entry->has_wish ? cli_value_text(value) : (cli_number){""};
}

static void add_entry(cli_grid *grid, const pv_preference_entry *entry)
{
    cli_grid_cell(grid, "%s", entry->time);
    cli_grid_cell(grid, "%s", entry->kind);
    cli_grid_cell(grid, "%s%s%s", entry_value(entry, entry->wish.bias).text,
                  entry->has_wish ? ", " : "", entry_value(entry, entry->wish.loss).text);
    cli_grid_cell(grid, "%s", cli_count_text(entry->k).text);
    cli_grid_cell(grid, "%s", entry_value(entry, entry->point.bias).text);
    cli_grid_cell(grid, "%s", entry_value(entry, entry->point.loss).text);
    cli_grid_cell(grid, "%s", entry->proven ? "yes" : "");
}

/* They hold from then on, whatever was wished for before. */
static void print_weights(const cli_report *report, const pv_preference_log *log)
{
    static const cli_column columns[] = {
        {"time (UTC)", CLI_LEFT}, {"weights from then on", CLI_WRAP}, {NULL, CLI_LEFT}};
    size_t n = 0;
    const pv_preference_entry *const entries = pv_preference_log_entries(log, &n);
    cli_grid *grid = NULL;
    for (size_t i = 0; i < n; i++) {
        const pv_preference_entry *const entry = &entries[i];
        if (entry->note == NULL) {
            continue;
        }
        if (grid == NULL) {
            cli_blank(report);
            grid = cli_grid_create(report, columns);
        }
        cli_grid_cell(grid, "%s", entry->time);
        cli_grid_cell(grid, "%s", entry->note);
    }
    if (grid != NULL) {
        cli_grid_print(grid);
    }
}

void cli_session_log_print(const cli_report *report, const char *path, const pv_preference_log *log)
{
    static const cli_column columns[] = {
        {"time (UTC)", CLI_LEFT}, {"what", CLI_LEFT},    {"wish: spread, loss", CLI_LEFT},
        {"k", CLI_RIGHT},         {"spread", CLI_RIGHT}, {"loss", CLI_RIGHT},
        {"proven", CLI_RIGHT},    {NULL, CLI_LEFT}};
    size_t n = 0;
    const pv_preference_entry *const entries = pv_preference_log_entries(log, &n);
    const uint64_t known = n > 0 ? entries[n - 1].evaluated : 0;
    cli_paragraph(report, 0, "%s: %s, %s known; the " CLI_SPREAD " is %s and the loss %s.",
                  cli_path_name(path), cli_plural_text(n, "entry", "entries").text,
                  cli_plural_text(known, "scheme", "schemes").text, pv_preference_log_bias(log),
                  pv_preference_log_loss(log));
    cli_blank(report);
    cli_grid *const grid = cli_grid_create(report, columns);
    for (size_t i = 0; i < n; i++) {
        add_entry(grid, &entries[i]);
    }
    cli_grid_print(grid);
    print_weights(report, log);
}

/* --------------------------------------------------------------- programs */

static json_t *aspiration_json(const pv_preference_log *log, const pv_preference_entry *entry)
{
    if (!entry->has_wish) {
        return json_null();
    }
    json_t *const object = json_object();
    cli_json_set(object, pv_preference_log_bias(log), cli_json_number(entry->wish.bias));
    cli_json_set(object, pv_preference_log_loss(log), cli_json_number(entry->wish.loss));
    return object;
}

static json_t *value_json(const pv_preference_entry *entry, double value)
{
    return entry->has_wish ? cli_json_number(value) : json_null();
}

static json_t *entry_json(const pv_preference_log *log, const pv_preference_entry *entry)
{
    json_t *const object = json_object();
    cli_json_set(object, "time", cli_json_text(entry->time));
    cli_json_set(object, "kind", cli_json_text(entry->kind));
    cli_json_set(object, "aspiration", aspiration_json(log, entry));
    cli_json_set(object, "k", cli_json_count(entry->k));
    cli_json_set(object, pv_preference_log_bias(log), value_json(entry, entry->point.bias));
    cli_json_set(object, pv_preference_log_loss(log), value_json(entry, entry->point.loss));
    cli_json_set(object, "ach", value_json(entry, entry->achievement));
    cli_json_set(object, "bound", entry->bound > 0.0 ? cli_json_number(entry->bound) : json_null());
    cli_json_set(object, "proven", cli_json_bool(entry->proven));
    cli_json_set(object, "evaluated", cli_json_count(entry->evaluated));
    cli_json_set(object, "note", entry->note != NULL ? cli_json_text(entry->note) : json_null());
    return object;
}

static json_t *log_json(const char *path, const pv_preference_log *log)
{
    json_t *const document = cli_json_document("prefer");
    json_t *const list = json_array();
    size_t n = 0;
    const pv_preference_entry *const entries = pv_preference_log_entries(log, &n);
    for (size_t i = 0; i < n; i++) {
        cli_json_append(list, entry_json(log, &entries[i]));
    }
    cli_json_set(document, "session", cli_json_text(path));
    cli_json_set(document, "bias", cli_json_text(pv_preference_log_bias(log)));
    cli_json_set(document, "loss", cli_json_text(pv_preference_log_loss(log)));
    cli_json_set(document, "log", list);
    return document;
}

pv_status cli_session_log_show(cli_run *run, const char *path, pv_error *error)
{
    pv_preference_log *log = NULL;
    CLI_TRY(pv_preference_log_read(path, &log, error));
    if (run->common->json) {
        cli_json_print(run, log_json(path, log));
    } else if (cli_run_talks(run)) {
        cli_session_log_print(&run->report, path, log);
    }
    pv_preference_log_free(log);
    return PV_STATUS_OK;
}
