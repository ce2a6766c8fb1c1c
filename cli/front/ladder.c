/* `paravent front --scheme local`, and `--scheme all`: the least loss at each of some k, for local
 * recoding alone or for all kinds of schemes side by side. */
#include "core/canvas.h"
#include "core/fail.h"
#include "core/grid.h"
#include "core/json.h"
#include "core/outputs.h"
#include "core/text.h"
#include "front/search.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define INDENT 2
#define HEIGHT 13
#define LARGEST_K 1e15

bool cli_front_is_ladder(const cli_front *settings)
{
    return settings->scheme != NULL &&
           (cli_equal(settings->scheme, "local") || cli_equal(settings->scheme, "all"));
}

/* ------------------------------------------------------------------ settings */

/* What --k, --pick and the rest ask for. */
typedef struct request {
    uint64_t ks[PV_MAX_LADDER_POINTS];
    cli_demands demands;
    pv_budget budget;
    uint64_t pick; /* 0 = none */
    pv_ladder_options options;
} request;

static pv_status parse_k(const char *text, uint64_t *k, pv_error *error)
{
    double value = 0;
    if (!cli_number_parse(text, strlen(text), &value) || value < 1 || value > LARGEST_K ||
        floor(value) < value) {
        return cli_hint(cli_error(error, PV_STATUS_ARGUMENT,
                                  "--k: '%s' is no number of rows that a class can have", text),
                        error, "list whole numbers, such as --k 2,5,10");
    }
    *k = (uint64_t)value;
    return PV_STATUS_OK;
}

static pv_status parse_ks(const char *text, request *r, pv_error *error)
{
    size_t n = 0;
    pv_status status = PV_STATUS_OK;
    if (text == NULL) {
        return PV_STATUS_OK;
    }
    char **const list = cli_list_split(text, ',', &n);
    if (n > PV_MAX_LADDER_POINTS) {
        status = cli_error(error, PV_STATUS_ARGUMENT, "--k: at most %d values, not %zu",
                           PV_MAX_LADDER_POINTS, n);
    }
    for (size_t i = 0; i < n && status == PV_STATUS_OK; i++) {
        status = parse_k(list[i], &r->ks[i], error);
    }
    r->options.ks = r->ks;
    r->options.n_ks = n;
    cli_list_free(list);
    return status;
}

/* k=5 or k>=5. */
static pv_status parse_pick(const char *text, uint64_t *k, pv_error *error)
{
    cli_demands picked = {0};
    const pv_status status = text != NULL ? cli_demands_add(&picked, text, error) : PV_STATUS_OK;
    if (status == PV_STATUS_ARGUMENT ||
        (text != NULL && (picked.n != 1 || picked.list[0].ref.measure->rule != PV_RULE_SIZE))) {
        *error = (pv_error){0};
        return cli_hint(
            cli_error(error, PV_STATUS_ARGUMENT, "--pick: here points are picked by their k"),
            error, "write --pick k=5; other demands hold for every point: --require");
    }
    *k = picked.n > 0 ? (uint64_t)ceil(picked.list[0].bound) : 0;
    return status;
}

pv_status cli_ladder_check(const cli_front *settings, pv_error *error)
{
    request *const r = cli_zeroed(1, sizeof *r);
    pv_status status = parse_ks(settings->ks, r, error);
    if (status == PV_STATUS_OK) {
        status = parse_pick(settings->pick, &r->pick, error);
    }
    free(r);
    return status;
}

static pv_status read_request(const cli_run *run, const cli_front *settings,
                              const cli_opened *opened, request *r, pv_error *error)
{
    const bool all = cli_equal(settings->scheme, "all");
    pv_suppression suppression;
    pv_ladder_options *const options = &r->options;
    CLI_TRY(parse_ks(settings->ks, r, error));
    CLI_TRY(parse_pick(settings->pick, &r->pick, error));
    CLI_TRY(cli_demands_add(&r->demands, settings->search.require, error));
    CLI_TRY(cli_suppression_choose(opened, settings->suppression, settings->suppress, &r->budget,
                                   &suppression, error));
    options->size = sizeof *options;
    options->context = &run->context;
    options->kinds[PV_SCHEME_LEVELS] = options->kinds[PV_SCHEME_CUTS] = all;
    options->kinds[PV_SCHEME_RECORDS] = true;
    options->minimize = settings->minimize;
    options->demands = r->demands.list;
    options->n_demands = r->demands.n;
    options->budget = &r->budget;
    options->seed = settings->search.seed.value;
    CLI_TRY(cli_seconds_parse(settings->improve, &options->improve_seconds, error));
    CLI_TRY(cli_seconds_parse(settings->bound, &options->bound_seconds, error));
    return cli_seconds_parse(settings->search.seconds, &options->max_seconds, error);
}

/* ------------------------------------------------------------------- command */

/* How to release a point. Owned. */
static char *release_line(const cli_run *run, const cli_front *settings, pv_scheme_kind kind,
                          const pv_ladder_point *point)
{
    char *const require =
        settings->search.require != NULL
            ? cli_format("k=%llu,%s", (unsigned long long)point->k, settings->search.require)
            : cli_format("k=%llu", (unsigned long long)point->k);
    char *const plan = cli_shell_operand(run->operands.list[0]);
    char *line = cli_format("paravent release %s", plan);
    line = cli_with_text(line, "data", settings->data);
    line = cli_with_text(line, "require", require);
    line =
        cli_with_text(line, "scheme", kind != PV_SCHEME_LEVELS ? pv_scheme_kind_name(kind) : NULL);
    line = cli_with_text(line, "minimize", settings->minimize);
    line = cli_with_text(line, "suppression", settings->suppression);
    line = cli_with_text(line, "improve", kind == PV_SCHEME_RECORDS ? settings->improve : NULL);
    free(require);
    free(plan);
    return line;
}

/* -------------------------------------------------------------------- picture */

static const char *mark_text(const cli_report *report, unsigned char mark)
{
    static const char *const plain[] = {" ", "#", "+", "&", "o", "&", "&", "&"};
    static const char *const signs[] = {" ",
                                        "\xe2\x96\xa0", /* levels: a square */
                                        "\xe2\x97\x86", /* cuts: a diamond */
                                        "\xe2\x9c\xb1", /* several */
                                        "\xe2\x97\x8f", /* local: a circle */
                                        "\xe2\x9c\xb1",
                                        "\xe2\x9c\xb1",
                                        "\xe2\x9c\xb1"};
    return report->utf8 ? signs[mark] : plain[mark];
}

static void add_tick(pv_axis *axis, double shown)
{
    axis->ticks[axis->n_ticks++] = (pv_tick){.shown = shown, .place = pv_axis_place(axis, shown)};
}

/* Ticks at the k's themselves, from left to right as long as they are some columns apart. */
static pv_axis k_axis(const pv_ladder *ladder, pv_scheme_kind kind)
{
    const double first = (double)pv_ladder_at(ladder, kind, 0)->k;
    const double last = (double)pv_ladder_at(ladder, kind, pv_ladder_n(ladder) - 1)->k;
    pv_axis axis = {.unit = 1, .from = first, .to = last > first ? last : first + 1};
    axis.logarithmic = true;
    double before = -1;
    for (size_t i = 0; i < pv_ladder_n(ladder) && axis.n_ticks < PV_MAX_TICKS; i++) {
        const double k = (double)pv_ladder_at(ladder, kind, i)->k;
        if (pv_axis_place(&axis, k) - before > 0.1) {
            before = pv_axis_place(&axis, k);
            add_tick(&axis, k);
        }
    }
    return axis;
}

/* From 0 to the round number above the largest loss. */
static pv_axis loss_axis(double most)
{
    static const double steps[] = {0.001, 0.002, 0.005, 0.01, 0.02, 0.05, 0.1, 0.2, 0.25};
    double step = 0.25;
    for (size_t i = sizeof steps / sizeof *steps; i-- > 0;) {
        step = most <= 4 * steps[i] ? steps[i] : step;
    }
    pv_axis axis = {.unit = 1, .from = 0, .to = fmax(ceil(most / step - 1e-9), 1) * step};
    axis.as_share = true;
    for (double at = axis.to; at > -step / 2 && axis.n_ticks < PV_MAX_TICKS; at -= step) {
        add_tick(&axis, at < step / 2 ? 0 : at);
    }
    return axis;
}

static void plot(const cli_report *report, const pv_ladder *ladder)
{
    pv_scheme_kind any = PV_SCHEME_RECORDS;
    double most = 0;
    char *legend = cli_copy("");
    for (unsigned kind = 0; kind < PV_N_SCHEME_KINDS; kind++) {
        if (!pv_ladder_has(ladder, kind)) {
            continue;
        }
        any = kind;
        cli_append(&legend, "%s%s %s", legend[0] != '\0' ? ", " : "",
                   mark_text(report, (unsigned char)(1u << kind)), pv_scheme_kind_title(kind));
        for (size_t i = 0; i < pv_ladder_n(ladder); i++) {
            most = fmax(most, pv_ladder_at(ladder, kind, i)->share);
        }
    }
    const pv_axis y = loss_axis(most);
    cli_canvas c;
    cli_canvas_init(&c, report, &y, HEIGHT);
    c.x = k_axis(ladder, any);
    for (unsigned kind = 0; kind < PV_N_SCHEME_KINDS; kind++) {
        for (size_t i = 0; pv_ladder_has(ladder, kind) && i < pv_ladder_n(ladder); i++) {
            const pv_ladder_point *const point = pv_ladder_at(ladder, kind, i);
            if (point->scheme != NULL) {
                *cli_canvas_cell(&c, (double)point->k, point->share) |= (unsigned char)(1u << kind);
            }
        }
    }
    (void)fprintf(report->out, "\n%*sdetail lost, less is better: %s\n", INDENT, "", legend);
    cli_canvas_print(&c, mark_text, "k (log); more is better");
    cli_canvas_deinit(&c);
    free(legend);
}

/* --------------------------------------------------------------------- print */

static void print_table(const cli_report *report, const pv_ladder *ladder)
{
    static const cli_column columns[] = {{"k", CLI_RIGHT},           {"scheme", CLI_LEFT},
                                         {"detail lost", CLI_RIGHT}, {"proven", CLI_WRAP},
                                         {"suppressed", CLI_RIGHT},  {NULL, CLI_LEFT}};
    cli_grid *const grid = cli_grid_create(report, columns);
    for (size_t i = 0; i < pv_ladder_n(ladder); i++) {
        for (unsigned kind = 0; kind < PV_N_SCHEME_KINDS; kind++) {
            const pv_ladder_point *const point =
                pv_ladder_has(ladder, kind) ? pv_ladder_at(ladder, kind, i) : NULL;
            char gap[64];
            if (point == NULL || point->scheme == NULL) {
                continue;
            }
            pv_gap_text(point->gap, PV_GAP_BRIEF, gap, sizeof gap);
            cli_grid_cell(grid, "%s", cli_count_text(point->k).text);
            cli_grid_cell(grid, "%s", pv_scheme_kind_title(kind));
            cli_grid_cell(grid, "%.2f%%", 100 * point->share);
            cli_grid_cell(grid, "%s", gap);
            cli_grid_cell(grid, "%s", cli_count_text(point->suppressed).text);
        }
    }
    cli_grid_print(grid);
}

/* Which k were not reached, and which nothing keeps. */
static void print_gaps(const cli_report *report, const pv_ladder *ladder)
{
    for (unsigned kind = 0; kind < PV_N_SCHEME_KINDS; kind++) {
        const char *const refusal = pv_ladder_refusal(ladder, kind);
        char *list = cli_copy("");
        if (refusal != NULL) {
            cli_paragraph(report, 0, "Not searched: %s, because %s.", pv_scheme_kind_title(kind),
                          refusal);
        }
        for (size_t i = 0; pv_ladder_has(ladder, kind) && i < pv_ladder_n(ladder); i++) {
            const pv_ladder_point *const point = pv_ladder_at(ladder, kind, i);
            if (point->scheme == NULL) {
                cli_append(&list, "%s%llu", list[0] != '\0' ? ", " : "",
                           (unsigned long long)point->k);
            }
        }
        if (list[0] != '\0') {
            cli_paragraph(report, 0, "Nothing found by %s for k = %s.", pv_scheme_kind_title(kind),
                          list);
        }
        free(list);
    }
}

static pv_status print_sentences(const cli_report *report, const pv_ladder *ladder, pv_error *error)
{
    for (size_t i = 0; i < pv_ladder_n(ladder); i++) {
        char *text = NULL;
        bool found = false;
        for (unsigned kind = 0; kind < PV_N_SCHEME_KINDS; kind++) {
            found |= pv_ladder_has(ladder, kind) && pv_ladder_at(ladder, kind, i)->scheme != NULL;
        }
        if (!found) {
            continue;
        }
        CLI_TRY(pv_ladder_sentence(ladder, i, &text, error));
        cli_paragraph(report, INDENT, "%s", text);
        pv_string_free(text);
    }
    return PV_STATUS_OK;
}

static void print_next(const cli_run *run, const cli_front *settings, const pv_ladder *ladder,
                       size_t picked)
{
    if (pv_ladder_n_found(ladder) == 0) {
        return;
    }
    size_t at = picked != SIZE_MAX ? picked : pv_ladder_pick(ladder, PV_SCHEME_RECORDS, 5);
    at = at != SIZE_MAX ? at : pv_ladder_pick(ladder, PV_SCHEME_RECORDS, 1);
    if (at == SIZE_MAX) {
        return;
    }
    char *const line =
        release_line(run, settings, PV_SCHEME_RECORDS, pv_ladder_at(ladder, PV_SCHEME_RECORDS, at));
    cli_blank(&run->report);
    cli_paragraph(&run->report, 0, "Next: release %s, verified,",
                  picked != SIZE_MAX ? "it" : "one of them");
    cli_line(&run->report, "%s", line);
    free(line);
}

static pv_status print(const cli_run *run, const cli_front *settings, const cli_opened *opened,
                       const pv_ladder *ladder, size_t picked, pv_error *error)
{
    const cli_report *const report = &run->report;
    const bool all = cli_equal(settings->scheme, "all");
    (void)fprintf(report->out, "%s: what each k costs%s\n",
                  all ? "Levels, cuts and local recoding" : "Local recoding",
                  pv_ladder_stop(ladder) == PV_STOP_FINISHED ? "" : " (not complete)");
    cli_paragraph(report, 0, "%s, %s searched in %.1f s; at most %s suppressed.",
                  cli_plural_text(pv_profile_rows(opened->profile), "row", "rows").text,
                  cli_plural_text(pv_ladder_n_found(ladder), "point", "points").text,
                  pv_ladder_seconds(ladder),
                  cli_plural_text(pv_ladder_budget(ladder), "row", "rows").text);
    if (pv_ladder_n_found(ladder) > 0) {
        plot(report, ladder);
        cli_heading(report, "Points");
        print_table(report, ladder);
        if (all) {
            cli_heading(report, "What each buys");
            CLI_TRY(print_sentences(report, ladder, error));
        }
        cli_blank(report);
    }
    print_gaps(report, ladder);
    if (pv_ladder_n_found(ladder) > 0) {
        cli_paragraph(report, 0,
                      "With local recoding every row has levels of its own: equal values may be "
                      "released differently, which an analysis must know.");
    }
    print_next(run, settings, ladder, picked);
    return PV_STATUS_OK;
}

/* ------------------------------------------------------------- JSON and CSV */

static json_t *point_json(const cli_run *run, const cli_front *settings, pv_scheme_kind kind,
                          const pv_ladder_point *point)
{
    json_t *const object = json_object();
    char *const line = point->scheme != NULL ? release_line(run, settings, kind, point) : NULL;
    const bool found = point->scheme != NULL;
    cli_json_set(object, "scheme", cli_json_text(pv_scheme_kind_name(kind)));
    cli_json_set(object, "k", cli_json_count(point->k));
    cli_json_set(object, "found", cli_json_bool(found));
    cli_json_set(object, "value", found ? cli_json_number(point->value) : json_null());
    cli_json_set(object, "share", found ? cli_json_number(point->share) : json_null());
    cli_json_set(object, "bound", cli_json_number(point->bound));
    cli_json_set(object, "gap", isfinite(point->gap) ? cli_json_number(point->gap) : json_null());
    cli_json_set(object, "proven", cli_json_bool(found && point->gap <= 0));
    cli_json_set(object, "suppressed", found ? cli_json_count(point->suppressed) : json_null());
    cli_json_set(object, "found_for", found ? cli_json_count(point->found_for) : json_null());
    cli_json_set(object, "seconds", cli_json_number(point->seconds));
    cli_json_set(object, "release", line != NULL ? cli_json_text(line) : json_null());
    free(line);
    return object;
}

static pv_status ladder_json(cli_run *run, const cli_front *settings, const cli_opened *opened,
                             const pv_ladder *ladder, size_t picked, pv_error *error)
{
    json_t *const document = cli_json_document("front");
    json_t *const points = json_array();
    json_t *const refused = json_object();
    json_t *const sentences = json_array();
    json_t *const suppression = json_object();
    pv_status status = PV_STATUS_OK;
    cli_json_set(suppression, "budget", cli_json_count(pv_ladder_budget(ladder)));
    cli_json_set(document, "table", cli_opened_json(opened));
    cli_json_set(document, "scheme", cli_json_text(settings->scheme));
    cli_json_set(document, "suppression", suppression);
    cli_json_set(document, "measure", cli_json_text(cli_measure_name(pv_ladder_loss(ladder)).text));
    cli_json_set(document, "complete", cli_json_bool(pv_ladder_stop(ladder) == PV_STOP_FINISHED));
    cli_json_set(document, "stop", cli_json_text(cli_stop_name(pv_ladder_stop(ladder))));
    cli_json_set(document, "seconds", cli_json_number(pv_ladder_seconds(ladder)));
    for (size_t i = 0; i < pv_ladder_n(ladder); i++) {
        char *text = NULL;
        for (unsigned kind = 0; kind < PV_N_SCHEME_KINDS; kind++) {
            if (pv_ladder_has(ladder, kind)) {
                cli_json_append(points,
                                point_json(run, settings, kind, pv_ladder_at(ladder, kind, i)));
            }
        }
        if (status == PV_STATUS_OK) {
            status = pv_ladder_sentence(ladder, i, &text, error);
        }
        if (status == PV_STATUS_OK) {
            cli_json_append(sentences, cli_json_text(text));
            pv_string_free(text);
        }
    }
    for (unsigned kind = 0; kind < PV_N_SCHEME_KINDS; kind++) {
        if (pv_ladder_refusal(ladder, kind) != NULL) {
            cli_json_set(refused, pv_scheme_kind_name(kind),
                         cli_json_text(pv_ladder_refusal(ladder, kind)));
        }
    }
    cli_json_set(document, "ladder", points);
    cli_json_set(document, "sentences", sentences);
    cli_json_set(document, "not_searched", refused);
    json_t *const pick = settings->pick != NULL ? json_object() : json_null();
    if (settings->pick != NULL) {
        cli_json_set(pick, "asked", cli_json_text(settings->pick));
        cli_json_set(pick, "point",
                     point_json(run, settings, PV_SCHEME_RECORDS,
                                pv_ladder_at(ladder, PV_SCHEME_RECORDS, picked)));
    }
    cli_json_set(document, "pick", pick);
    if (status != PV_STATUS_OK) {
        json_decref(document);
        return status;
    }
    cli_json_print(run, document);
    return PV_STATUS_OK;
}

static char *ladder_csv(const pv_ladder *ladder)
{
    char *text = cli_format("scheme,k,%s,share,bound,suppressed,proven\n",
                            pv_ladder_loss(ladder).measure->name);
    for (size_t i = 0; i < pv_ladder_n(ladder); i++) {
        for (unsigned kind = 0; kind < PV_N_SCHEME_KINDS; kind++) {
            const pv_ladder_point *const point =
                pv_ladder_has(ladder, kind) ? pv_ladder_at(ladder, kind, i) : NULL;
            if (point != NULL && point->scheme != NULL) {
                cli_append(&text, "%s,%llu,%.15g,%.15g,%.15g,%llu,%s\n", pv_scheme_kind_name(kind),
                           (unsigned long long)point->k, point->value, point->share, point->bound,
                           (unsigned long long)point->suppressed, point->gap <= 0 ? "yes" : "no");
            }
        }
    }
    return text;
}

/* ---------------------------------------------------------------------- whole */

static pv_status write_files(cli_run *run, const cli_front *settings, const cli_opened *opened,
                             const pv_ladder *ladder, pv_error *error)
{
    pv_status status = PV_STATUS_OK;
    if (settings->svg != NULL) {
        char *text = NULL;
        CLI_TRY(pv_ladder_svg(ladder, &text, error));
        status = cli_outputs_write(run, settings->svg, text, error);
        pv_string_free(text);
        CLI_TRY(status);
    }
    if (settings->html != NULL) {
        char *text = NULL;
        CLI_TRY(pv_ladder_page(ladder, opened->profile, &text, error));
        status = cli_outputs_write(run, settings->html, text, error);
        pv_string_free(text);
        CLI_TRY(status);
    }
    if (settings->csv != NULL) {
        char *const text = ladder_csv(ladder);
        status = cli_outputs_write(run, settings->csv, text, error);
        free(text);
        CLI_TRY(status);
    }
    return cli_outputs_commit(run, error);
}

static pv_status show(cli_run *run, const cli_front *settings, const cli_opened *opened,
                      const request *r, const pv_ladder *ladder, pv_error *error)
{
    const bool taken = cli_is_stream(settings->svg) || cli_is_stream(settings->html) ||
                       cli_is_stream(settings->csv);
    const size_t picked =
        r->pick > 0 ? pv_ladder_pick(ladder, PV_SCHEME_RECORDS, r->pick) : SIZE_MAX;
    if (r->pick > 0 && picked == SIZE_MAX && pv_ladder_stop(ladder) != PV_STOP_CANCELLED) {
        return cli_hint(cli_error(error, PV_STATUS_UNSATISFIED, "no point has k of at least %llu",
                                  (unsigned long long)r->pick),
                        error, "list it: --k %llu; or demand less", (unsigned long long)r->pick);
    }
    CLI_TRY(write_files(run, settings, opened, ladder, error));
    if (run->common->json) {
        CLI_TRY(ladder_json(run, settings, opened, ladder, picked, error));
    } else if (cli_run_talks(run) && !taken) {
        CLI_TRY(print(run, settings, opened, ladder, picked, error));
    }
    if (pv_ladder_stop(ladder) == PV_STOP_CANCELLED) {
        return cli_error(error, PV_STATUS_CANCELLED, "interrupted; these are the points so far");
    }
    return pv_ladder_n_found(ladder) > 0
               ? PV_STATUS_OK
               : cli_hint(cli_error(error, PV_STATUS_UNSATISFIED,
                                    "nothing was found that keeps what is demanded within the "
                                    "budget"),
                          error, "allow more suppression, or demand less");
}

pv_status cli_ladder_run(cli_run *run, const cli_front *settings, const cli_opened *opened,
                         pv_error *error)
{
    request *const r = cli_zeroed(1, sizeof *r);
    pv_ladder *ladder = NULL;
    pv_status status = read_request(run, settings, opened, r, error);
    if (status == PV_STATUS_OK) {
        status = pv_ladder_find(opened->study, &r->options, &ladder, error);
        cli_progress_wipe(&run->progress);
    }
    if (status == PV_STATUS_OK) {
        status = show(run, settings, opened, r, ladder, error);
    }
    pv_ladder_free(ladder);
    free(r);
    return status;
}
