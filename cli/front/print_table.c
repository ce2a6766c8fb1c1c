/* The points of a front as a table on a terminal.
 *
 * Two objectives leave room for the names of all attributes, or for a list of those that are
 * treated unlike the most. Of more every column is as narrow as its numbers, and the names stand
 * above it on several lines, each ending where its numbers end:
 *
 *              t-closeness-          Before a line would break, columns are left out: ties and
 *     l-distinct+     sum-k+  glm-   suppressed rows, then the levels, then, on a very narrow
 *      ----  ----  ----  ----  ----  terminal, the last objectives; the table says which. */
#include "front/search.h"

#include "core/grid.h"
#include "core/measured.h"
#include "core/text.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define MOST_HEAD_COLUMNS (2 * PV_MAX_OBJECTIVES + 8)
#define LONGEST_NAME 14
#define INDENT 2
#define GAP 2 /* of the grid, too */
#define OPTIONAL_COLUMNS 2
#define NAME_LINES 3
#define VERY_MANY 1000 /* points; nobody looks at them all */
#define PACKED 2       /* columns per attribute without names */

/* What a column before the levels shows. */
typedef enum { SIGN, SMALLEST, VALUE, SHARE, PROVEN, SUPPRESSED, TIES } content;

typedef struct {
    content content;
    size_t objective;
    char *header; /* owned */
    size_t width;
    size_t line; /* of its name above the table, from below */
} head_column;

typedef struct {
    const cli_report *report;
    const cli_found *found;
    const bool *chosen;
    head_column heads[MOST_HEAD_COLUMNS];
    size_t n_heads;
    size_t each; /* columns per attribute, their gap included; 0 = no room for levels */
} sheet;

static bool has_many(const sheet *s)
{
    return pv_front_n_objectives(s->found->front) > 2;
}

static bool has_cuts(const sheet *s)
{
    return pv_front_has_cuts(s->found->front);
}

static size_t attributes(const sheet *s)
{
    return pv_study_quasis(s->found->opened->study);
}

/* ---------------------------------------------------------------- columns */

/* Sums over people run into billions, and what differs from nothing by rounding is nearly nothing:
 * a few digits tell enough where columns are narrow. */
static cli_number narrow_text(double value)
{
    static const struct {
        double size;
        const char *name;
    } scales[] = {{1e12, "tn"}, {1e9, "bn"}, {1e6, "M"}};
    cli_number number = {""};
    for (size_t i = 0; i < sizeof scales / sizeof *scales; i++) {
        if (fabs(value) >= scales[i].size) {
            (void)snprintf(number.text, sizeof number.text, "%.4g%s", value / scales[i].size,
                           scales[i].name);
            return number;
        }
    }
    if (value > 0.0 && value < 0.1) {
        (void)snprintf(number.text, sizeof number.text, value < 0.0001 ? "<0.0001" : "%.4f", value);
        return number;
    }
    return cli_value_text(value);
}

static cli_number head_text(const sheet *s, const head_column *head, size_t point)
{
    const pv_front *const front = s->found->front;
    const double value = pv_front_values(front, point, NULL)[head->objective];
    cli_number number = {""};
    const cli_sign sign = cli_point_sign(s->found, point);
    switch (head->content) {
    case SIGN:
        (void)snprintf(number.text, sizeof number.text, "%s",
                       sign == CLI_POINT_SIGN ? "" : cli_sign_text(s->report, sign));
        return number;
    case SMALLEST: return cli_count_text(pv_front_k(front, point));
    case VALUE: return has_many(s) ? narrow_text(value) : cli_value_text(value);
    case SHARE: return cli_objective_text(s->found, head->objective, value);
    case PROVEN: return cli_proven_text(s->found, point, true);
    case SUPPRESSED: return cli_count_text(pv_front_suppressed(front, point));
    default: return cli_count_text(pv_front_ties(front, point));
    }
}

static void add_head(sheet *s, content what, size_t objective, const char *header)
{
    head_column *const head = &s->heads[s->n_heads++];
    *head = (head_column){.content = what, .objective = objective, .header = cli_copy(header)};
    head->width = has_many(s) ? 1 : cli_width(s->report, header);
    for (size_t i = 0; i < pv_front_n_points(s->found->front); i++) {
        const size_t width = s->chosen[i] ? cli_width(s->report, head_text(s, head, i).text) : 0;
        head->width = width > head->width ? width : head->width;
    }
}

/* Of a loss that is a sum over people the share of the largest possible one, which says more (files
 * have both). With more than two objectives, the name says which way is better. */
static void add_objective(sheet *s, size_t objective)
{
    const pv_measure_ref ref = pv_front_objectives(s->found->front)[objective];
    const bool share = pv_measure_reads_as_share(ref.measure, s->found->opened->profile);
    const cli_measure_words name = cli_measure_title(ref);
    if (has_many(s)) {
        char *const header =
            cli_format("%s%s", name.text, cli_measure_mark(s->report, ref.measure));
        add_head(s, share ? SHARE : VALUE, objective, header);
        free(header);
        return;
    }
    add_head(s, share && !has_cuts(s) ? SHARE : VALUE, objective, name.text); /* nwp is a share */
}

/* With the first `optional` of the columns that can be missed. */
static void choose_heads(sheet *s, size_t optional)
{
    const pv_front *const front = s->found->front;
    bool k_shown = false;
    bool has_ties = false;
    for (size_t i = 0; i < pv_front_n_objectives(front); i++) {
        k_shown = k_shown || pv_front_objectives(front)[i].measure->rule == PV_RULE_SIZE;
    }
    for (size_t i = 0; i < pv_front_n_points(front); i++) {
        has_ties = has_ties || pv_front_ties(front, i) > 0;
    }
    add_head(s, SIGN, 0, "");
    if (!k_shown) {
        add_head(s, SMALLEST, 0, "k");
    }
    for (size_t i = 0; i < pv_front_n_objectives(front); i++) {
        add_objective(s, i);
    }
    if (pv_front_has_bounds(s->found->front)) {
        add_head(s, PROVEN, 0, "proven");
        return;
    }
    if (optional > 0) {
        add_head(s, SUPPRESSED, 0, "suppressed");
    }
    if (optional > 1 && has_ties) {
        add_head(s, TIES, 0, "ties");
    }
}

static void free_heads(sheet *s)
{
    for (size_t i = 0; i < s->n_heads; i++) {
        free(s->heads[i].header);
    }
    s->n_heads = 0;
}

/* The lowest line on which a name that ends at `right` does not touch the one before; if there is
 * none, the one with most room. */
static size_t line_for(const size_t ends[NAME_LINES], size_t name, size_t right)
{
    size_t roomiest = 0;
    for (size_t i = 0; i < NAME_LINES; i++) {
        if (ends[i] + name <= right) {
            return i;
        }
        roomiest = ends[i] < ends[roomiest] ? i : roomiest;
    }
    return roomiest;
}

/* The names end with their numbers; where one finds no room its column becomes wider. */
static void place_names(sheet *s)
{
    size_t ends[NAME_LINES] = {INDENT, INDENT, INDENT};
    size_t right = 0;
    for (size_t i = 0; i < s->n_heads; i++) {
        head_column *const head = &s->heads[i];
        const size_t name = cli_width(s->report, head->header);
        right += head->width + (i > 0 ? GAP : INDENT);
        head->line = line_for(ends, name, right);
        const size_t needed = ends[head->line] + name;
        if (needed > right) {
            head->width += needed - right;
            right = needed;
        }
        ends[head->line] = name > 0 ? right + GAP : INDENT;
    }
}

static size_t heads_width(const sheet *s)
{
    size_t used = INDENT;
    for (size_t i = 0; i < s->n_heads; i++) {
        used += s->heads[i].width + (i > 0 ? GAP : 0);
    }
    return used;
}

/* ----------------------------------------------------------------- levels */

/* An attribute that is raw is a dot, one of which nothing is left a star; between them is its
 * level, or of cuts the number of its groups. Owned, like all texts here. */
static char *attribute_text(const cli_report *report, const cli_found *found, size_t point,
                            size_t quasi)
{
    const pv_front *const front = found->front;
    const bool cuts = pv_front_has_cuts(front);
    const size_t top = pv_hierarchy_height(pv_study_hierarchy(found->opened->study, quasi));
    const size_t number =
        cuts ? pv_front_groups(front, point, quasi) : pv_front_levels(front, point, NULL)[quasi];
    return number == 0                  ? cli_copy(report->utf8 ? "\xc2\xb7" : ".")
           : number == (cuts ? 1 : top) ? cli_copy("*")
                                        : cli_format("%zu", number);
}

/* Of cuts, where there is no room for each attribute. */
static char *groups_summary(const cli_found *found, size_t point)
{
    const size_t n = pv_study_quasis(found->opened->study);
    size_t raw = 0;
    size_t merged = 0;
    for (size_t q = 0; q < n; q++) {
        const size_t groups = pv_front_groups(found->front, point, q);
        raw += groups == 0;
        merged += groups == 1;
    }
    return cli_format("%zu raw, %zu divided, %zu merged", raw, n - raw - merged, merged);
}

/* "all raw but age 2, zip *", or "all * but sex, age 1": whichever names fewer attributes. */
#define MOST_NAMED 6

static char *levels_summary(const cli_found *found, size_t point)
{
    const pv_study *const study = found->opened->study;
    const uint8_t *const levels = pv_front_levels(found->front, point, NULL);
    const size_t n = pv_study_quasis(study);
    size_t raised = 0;
    size_t left = 0;
    for (size_t q = 0; q < n; q++) {
        raised += levels[q] > 0;
        left += levels[q] < pv_hierarchy_height(pv_study_hierarchy(study, q));
    }
    const bool raw = raised <= left;
    const size_t unlike = raw ? raised : left;
    char *list = cli_copy(raw ? "all raw" : "all *");
    for (size_t q = 0, named = 0; q < n && named < MOST_NAMED && unlike > 0; q++) {
        const size_t top = pv_hierarchy_height(pv_study_hierarchy(study, q));
        if (raw ? levels[q] == 0 : levels[q] == top) {
            continue;
        }
        char level[8] = "";
        if (levels[q] > 0) {
            (void)snprintf(level, sizeof level, levels[q] == top ? " *" : " %u", levels[q]);
        }
        cli_append(&list, "%s %s%s", named == 0 ? " but" : ",", pv_study_quasi_name(study, q),
                   level);
        named++;
    }
    if (unlike > MOST_NAMED) {
        cli_append(&list, " and %zu more", unlike - MOST_NAMED);
    }
    return list;
}

static bool levels_have_one_digit(const sheet *s)
{
    const pv_study *const study = s->found->opened->study;
    for (size_t q = 0; q < attributes(s); q++) {
        if (pv_hierarchy_height(pv_study_hierarchy(study, q)) > 10) { /* the top is a star */
            return false;
        }
    }
    return true;
}

/* Columns per attribute so that all fit; 0 if they cannot. */
static size_t level_width(const sheet *s)
{
    const size_t n = attributes(s);
    const size_t used = heads_width(s) + GAP;
    const size_t each = s->report->width > used ? (s->report->width - used + 1) / n : 0;
    if (each >= 3) {
        return each > LONGEST_NAME ? LONGEST_NAME : each;
    }
    return each == PACKED && has_many(s) && levels_have_one_digit(s) ? PACKED : 0;
}

/* One text in `each` columns, cut or padded. Owned. */
static char *fixed(const cli_report *report, const char *text, size_t each)
{
    char *const cut = cli_clean_text(report, text, each);
    char *const padded = cli_format("%s%*s", cut, (int)(each - cli_width(report, cut)), "");
    free(cut);
    return padded;
}

/* The first letters are enough; a mark of omission would take the place of one. */
static char *short_name(const cli_report *report, const char *name, size_t width)
{
    size_t bytes = 0;
    size_t used = 0;
    while (name[bytes] != '\0' && used < width) {
        unsigned code = 0;
        bytes += cli_utf8_next(name + bytes, &code);
        used++;
    }
    char *const start = cli_format("%.*s", (int)bytes, name);
    char *const padded = fixed(report, start, width + 1);
    free(start);
    return padded;
}

/* The cells of all attributes of a point as one text, or their names. Owned. */
static char *level_cells(const sheet *s, size_t point, size_t each)
{
    const pv_study *const study = s->found->opened->study;
    char *cells = cli_copy("");
    for (size_t q = 0; q < attributes(s); q++) {
        char *cell = NULL;
        if (point == SIZE_MAX) {
            cell = short_name(s->report, pv_study_quasi_name(study, q), each - 1);
        } else {
            char *const text = attribute_text(s->report, s->found, point, q);
            cell = fixed(s->report, text, each);
            free(text);
        }
        cli_append(&cells, "%s", cell);
        free(cell);
    }
    return cells;
}

/* --------------------------------------------------------- two objectives */

static void print_grid(const sheet *s)
{
    cli_column columns[MOST_HEAD_COLUMNS + 2] = {{NULL, CLI_LEFT}};
    char *const levels = s->each > 0 ? level_cells(s, SIZE_MAX, s->each) : cli_copy("attributes");
    for (size_t i = 0; i < s->n_heads; i++) {
        columns[i] = (cli_column){s->heads[i].header, i == 0 ? CLI_LEFT : CLI_RIGHT};
    }
    columns[s->n_heads] = (cli_column){levels, s->each > 0 ? CLI_RAW : CLI_WRAP};
    cli_grid *const grid = cli_grid_create(s->report, columns);
    for (size_t i = 0; i < pv_front_n_points(s->found->front); i++) {
        for (size_t h = 0; s->chosen[i] && h < s->n_heads; h++) {
            cli_grid_cell(grid, "%s", head_text(s, &s->heads[h], i).text);
        }
        if (s->chosen[i]) {
            char *const cells = s->each > 0   ? level_cells(s, i, s->each)
                                : has_cuts(s) ? groups_summary(s->found, i)
                                              : levels_summary(s->found, i);
            cli_grid_cell(grid, "%s", cells);
            free(cells);
        }
    }
    cli_grid_print(grid);
    free(levels);
}

/* ------------------------------------------------- three objectives and more */

/* Appends a text that ends at column `right`; blanks are only written before something. */
static void print_until(const sheet *s, const char *text, size_t right, size_t *at)
{
    const size_t width = cli_width(s->report, text);
    if (width > 0) {
        (void)fprintf(s->report->out, "%*s%s", (int)(right - width - *at), "", text);
        *at = right;
    }
}

/* The levels follow the columns; blanks at their end are cut. */
static void print_after(const sheet *s, const char *text, size_t *at)
{
    size_t bytes = strlen(text);
    while (bytes > 0 && text[bytes - 1] == ' ') {
        bytes--;
    }
    (void)fprintf(s->report->out, "%*s%.*s", (int)(heads_width(s) + GAP - *at), "", (int)bytes,
                  text);
}

static void print_names(const sheet *s, size_t line)
{
    size_t at = 0;
    size_t right = INDENT;
    for (size_t i = 0; i < s->n_heads; i++) {
        right += s->heads[i].width + (i > 0 ? GAP : 0);
        if (s->heads[i].line == line) {
            print_until(s, s->heads[i].header, right, &at);
        }
    }
    if (line == 0 && s->each > 0) {
        char *const names =
            s->each > PACKED ? level_cells(s, SIZE_MAX, s->each) : cli_copy("levels");
        print_after(s, names, &at);
        free(names);
    }
    cli_blank(s->report);
}

static void print_stroke(const sheet *s, size_t width)
{
    for (size_t i = 0; i < width; i++) {
        (void)fputs(s->report->utf8 ? "\xe2\x94\x80" : "-", s->report->out);
    }
}

static void print_rule(const sheet *s)
{
    (void)fprintf(s->report->out, "%*s", (int)(INDENT + s->heads[0].width), "");
    for (size_t i = 1; i < s->n_heads; i++) {
        (void)fprintf(s->report->out, "%*s", GAP, "");
        print_stroke(s, s->heads[i].width);
    }
    if (s->each > 0) {
        (void)fprintf(s->report->out, "%*s", GAP, "");
        print_stroke(s, attributes(s) * s->each - 1);
    }
    cli_blank(s->report);
}

static void print_point(const sheet *s, size_t point)
{
    size_t at = 0;
    size_t right = INDENT;
    for (size_t i = 0; i < s->n_heads; i++) {
        right += s->heads[i].width + (i > 0 ? GAP : 0);
        print_until(s, head_text(s, &s->heads[i], point).text, right, &at);
    }
    if (s->each > 0) {
        char *const cells = level_cells(s, point, s->each);
        print_after(s, cells, &at);
        free(cells);
    }
    cli_blank(s->report);
}

static void print_narrow(const sheet *s)
{
    (void)fputs(cli_bold(s->report), s->report->out);
    for (size_t line = NAME_LINES; line-- > 0;) {
        bool used = false;
        for (size_t i = 0; i < s->n_heads; i++) {
            used = used || s->heads[i].line == line;
        }
        if (used) {
            print_names(s, line);
        }
    }
    (void)fputs(cli_plain(s->report), s->report->out);
    print_rule(s);
    for (size_t i = 0; i < pv_front_n_points(s->found->front); i++) {
        if (s->chosen[i]) {
            print_point(s, i);
        }
    }
}

/* ----------------------------------------------------------------- legend */

static void print_signs(const sheet *s)
{
    const cli_report *const report = s->report;
    char *const names = cli_quasi_names(s->found->opened->study);
    const bool listed = s->each == 0 && !has_cuts(s) && !has_many(s);
    char *const levels =
        listed ? cli_format(" Attributes with their level: * nothing left; all levels: --csv FILE "
                            "or --json.")
               : cli_format(" %s of %s: %s raw, * nothing left.", has_cuts(s) ? "Groups" : "Levels",
                            names, report->utf8 ? "\xc2\xb7" : ".");
    cli_paragraph(report, 2, "%s the knee, %s also worth a look.%s",
                  cli_sign_text(report, CLI_KNEE_SIGN), cli_sign_text(report, CLI_SUGGESTED_SIGN),
                  s->each > 0 || !(has_many(s) || has_cuts(s)) ? levels : "");
    if (pv_front_has_bounds(s->found->front)) {
        cli_paragraph(report, 2,
                      "Proven: that it is optimal for its k, or within so much of the "
                      "optimum.");
    }
    free(levels);
    free(names);
}

/* Where there was no room: what is missing. */
static void print_missing(const sheet *s)
{
    size_t objectives = 0;
    bool suppressed = false;
    for (size_t i = 0; i < s->n_heads; i++) {
        objectives += s->heads[i].content == VALUE || s->heads[i].content == SHARE;
        suppressed = suppressed || s->heads[i].content == SUPPRESSED;
    }
    const struct {
        bool missing;
        const char *name;
    } parts[] = {{s->each == 0, "levels"},
                 {!suppressed, "suppressed rows"},
                 {objectives < pv_front_n_objectives(s->found->front), "the other objectives"}};
    char *list = cli_copy("");
    for (size_t i = 0; i < sizeof parts / sizeof *parts; i++) {
        if (parts[i].missing) {
            cli_append(&list, "%s%s", list[0] != '\0' ? ", " : "", parts[i].name);
        }
    }
    if (list[0] != '\0') {
        cli_paragraph(s->report, 2, "No room for %s: --csv FILE, --json or a wider terminal.",
                      list);
    }
    free(list);
}

static void print_selection(const sheet *s, size_t hidden)
{
    const pv_front *const front = s->found->front;
    const cli_number more = cli_plural_text(hidden, "more point", "more points");
    if (!has_many(s)) {
        cli_paragraph(s->report, 2, "%s: --all, --csv FILE or --json.", more.text);
        return;
    }
    cli_paragraph(s->report, 2,
                  "Shown are the best in each objective and, for round numbers of each, the one "
                  "that reaches them with the best %s. %s: --all, --csv FILE or --json.",
                  cli_measure_title(pv_front_objectives(front)[pv_front_price(front)]).text,
                  more.text);
    if (pv_front_n_points(front) > VERY_MANY) {
        cli_paragraph(s->report, 2, "Fewer that stand for all: --archive 100.");
    }
}

static void print_legend(const sheet *s)
{
    size_t hidden = 0;
    for (size_t i = 0; i < pv_front_n_points(s->found->front); i++) {
        hidden += !s->chosen[i];
    }
    if (has_many(s)) {
        cli_measure_legend(s->report);
    }
    print_signs(s);
    if (has_many(s)) {
        print_missing(s);
    }
    if (hidden > 0) {
        print_selection(s, hidden);
    }
}

/* ------------------------------------------------------------------ whole */

/* Levels are worth more than ties and suppressed rows; objectives are worth more than levels. */
static void fit_narrow(sheet *s)
{
    for (size_t optional = OPTIONAL_COLUMNS + 1; optional-- > 0 && s->each == 0;) {
        free_heads(s);
        choose_heads(s, optional);
        place_names(s);
        s->each = level_width(s);
    }
    if (s->each == 0) {
        free_heads(s);
        choose_heads(s, OPTIONAL_COLUMNS);
        place_names(s);
    }
    while (heads_width(s) > s->report->width && s->n_heads > 2) {
        free(s->heads[--s->n_heads].header);
    }
}

bool cli_front_table(const cli_report *report, const cli_found *found, const bool *chosen)
{
    sheet s = {.report = report, .found = found, .chosen = chosen};
    if (has_many(&s)) {
        fit_narrow(&s);
        print_narrow(&s);
    } else {
        choose_heads(&s, OPTIONAL_COLUMNS);
        s.each = level_width(&s);
        print_grid(&s);
    }
    print_legend(&s);
    free_heads(&s);
    return s.each > 0 || !has_many(&s);
}
