/* Bias against loss around the best solution, on a terminal:
 *
 *     loss upwards, bias to the right
 *          |......
 *          |......@  o
 *          |...+..    o    the wish, the best, others
 *          +-----------    */
#include "core/text.h"
#include "prefer/prefer.h"

#include <math.h>
#include <stdlib.h>

#define INDENT 2
#define HEIGHT 13
#define MARGIN 7 /* columns of the numbers at the left */
#define MOST_WIDTH 64
#define TICKS 5.0
/* What lies farther off than so many times the best one is not its neighbourhood. */
#define NEAR 2.0
#define EDGE 1.1 /* times the farthest point */

typedef enum { NOTHING, PROVEN_EMPTY, OTHER, STEP, BEST, CHOSEN, WISH } mark;

typedef struct {
    double most; /* at its end; it begins at 0 */
    double tick; /* between two numbers */
    size_t cells;
} axis;

typedef struct {
    const cli_report *report;
    const cli_preferred *preferred;
    axis x, y;
    unsigned char *marks; /* rows from the bottom */
    bool has[WISH + 1];   /* which marks there are, for the legend */
    bool wish_is_beyond;
} picture;

static const char *mark_text(const cli_report *report, mark m)
{
    static const char *const plain[] = {" ", ".", "o", "x", "@", "#", "+"};
    static const char *const signs[] = {
        " ",           "\xc2\xb7", "\xe2\x97\x8b", "\xe2\x80\xa2", "\xe2\x97\x86", "\xe2\x96\xa0",
        "\xe2\x9c\x9a"};
    return report->utf8 ? signs[m] : plain[m];
}

/* ------------------------------------------------------------------- axes */

/* 1, 2 or 5 times a power of ten. */
static double round_step(double step)
{
    const double power = pow(10.0, floor(log10(step)));
    const double digit = step / power;
    return power * (digit <= 1.0 ? 1.0 : digit <= 2.0 ? 2.0 : digit <= 5.0 ? 5.0 : 10.0);
}

/* To the farthest solution, and to the wish where that is not far off. */
static axis make_axis(double farthest, double wish, size_t cells)
{
    const bool with_wish = farthest <= 0.0 || wish <= NEAR * farthest;
    const double most = with_wish ? fmax(farthest, wish) : farthest;
    const double end = fmin(most > 0.0 ? most * EDGE : CLI_ALL_THERE_IS, CLI_ALL_THERE_IS);
    return (axis){.most = end, .tick = round_step(end / TICKS), .cells = cells};
}

static size_t cell_of(const axis *a, double value)
{
    const double place = fmin(fmax(value / a->most, 0.0), 1.0);
    return (size_t)nearbyint(place * (double)(a->cells - 1));
}

static pv_aspiration best_point(const picture *p)
{
    return pv_solution_point(pv_answer_solution(p->preferred->answer, 0));
}

static bool is_near(const picture *p, pv_aspiration point)
{
    return point.loss <= NEAR * best_point(p).loss;
}

static pv_aspiration farther(pv_aspiration a, pv_aspiration b)
{
    return (pv_aspiration){.bias = fmax(a.bias, b.bias), .loss = fmax(a.loss, b.loss)};
}

static void measure(picture *p, size_t width)
{
    const cli_preferred *const preferred = p->preferred;
    const pv_answer *const answer = preferred->answer;
    const pv_aspiration wish = pv_answer_goal(answer)->wish;
    pv_aspiration most = farther(
        best_point(p), pv_solution_point(cli_preferred_solution(preferred, preferred->choice)));
    for (size_t i = 1; i < pv_answer_n_solutions(answer); i++) {
        const pv_aspiration point = pv_solution_point(pv_answer_solution(answer, i));
        most = is_near(p, point) ? farther(most, point) : most;
    }
    for (size_t i = 0; i < preferred->n_steps; i++) {
        most = farther(most, pv_solution_point(pv_answer_solution(preferred->steps[i], 0)));
    }
    p->x = make_axis(most.bias, wish.bias, width);
    p->y = make_axis(most.loss, wish.loss, HEIGHT);
    p->wish_is_beyond = wish.bias > p->x.most || wish.loss > p->y.most;
}

/* ------------------------------------------------------------------ marks */

/* The more telling mark stays on top. */
static void put(picture *p, pv_aspiration point, mark m)
{
    unsigned char *const cell =
        &p->marks[cell_of(&p->y, point.loss) * p->x.cells + cell_of(&p->x, point.bias)];
    *cell = m > *cell ? (unsigned char)m : *cell;
    p->has[m] = true;
}

/* Cells of which every point is proven empty. */
static void shade(picture *p)
{
    const pv_aspiration corner = cli_preferred_corner(p->preferred);
    if (!cli_preferred_has_bound(p->preferred)) {
        return;
    }
    for (size_t y = 0; y < p->y.cells; y++) {
        for (size_t x = 0; x < p->x.cells; x++) {
            const double necd = ((double)x + 0.5) / (double)(p->x.cells - 1) * p->x.most;
            const double nwp = ((double)y + 0.5) / (double)(p->y.cells - 1) * p->y.most;
            if (necd < corner.bias && nwp < corner.loss) {
                p->marks[y * p->x.cells + x] = PROVEN_EMPTY;
                p->has[PROVEN_EMPTY] = true;
            }
        }
    }
}

static void place_marks(picture *p)
{
    const cli_preferred *const preferred = p->preferred;
    const pv_answer *const answer = preferred->answer;
    shade(p);
    for (size_t i = 1; i < pv_answer_n_solutions(answer); i++) {
        const pv_aspiration point = pv_solution_point(pv_answer_solution(answer, i));
        if (is_near(p, point)) {
            put(p, point, OTHER);
        }
    }
    for (size_t i = 0; i < preferred->n_steps; i++) {
        put(p, pv_solution_point(pv_answer_solution(preferred->steps[i], 0)), STEP);
    }
    put(p, best_point(p), BEST);
    if (preferred->choice > 0) {
        put(p, pv_solution_point(cli_preferred_solution(preferred, preferred->choice)), CHOSEN);
    }
    put(p, pv_answer_goal(answer)->wish, WISH);
}

/* ------------------------------------------------------------------ print */

/* The number to write at a cell of an axis, or a negative one for none. */
static double tick_at(const axis *a, size_t cell)
{
    for (size_t i = 0; (double)i * a->tick <= a->most; i++) {
        if (cell_of(a, (double)i * a->tick) == cell) {
            return (double)i * a->tick;
        }
    }
    return -1.0;
}

static void print_rows(const picture *p)
{
    FILE *const out = p->report->out;
    const bool utf8 = p->report->utf8;
    for (size_t y = p->y.cells; y-- > 0;) {
        const unsigned char *const row = p->marks + y * p->x.cells;
        const double tick = tick_at(&p->y, y);
        size_t end = p->x.cells;
        while (end > 0 && row[end - 1] == NOTHING) {
            end--;
        }
        if (tick < 0.0) {
            (void)fprintf(out, "%*s %s", INDENT + MARGIN, "", utf8 ? "\xe2\x94\x82" : "|");
        } else {
            (void)fprintf(out, "%*.3g %s", INDENT + MARGIN, tick, utf8 ? "\xe2\x94\xa4" : "+");
        }
        for (size_t x = 0; x < end; x++) {
            (void)fputs(mark_text(p->report, (mark)row[x]), out);
        }
        (void)fputc('\n', out);
    }
}

static void print_floor(const picture *p)
{
    FILE *const out = p->report->out;
    const bool utf8 = p->report->utf8;
    (void)fprintf(out, "%*s %s", INDENT + MARGIN, "", utf8 ? "\xe2\x94\x94" : "+");
    for (size_t x = 0; x < p->x.cells; x++) {
        const bool tick = tick_at(&p->x, x) >= 0.0;
        (void)fputs(tick ? (utf8 ? "\xe2\x94\xac" : "+") : utf8 ? "\xe2\x94\x80" : "-", out);
    }
    (void)fputc('\n', out);
}

/* Numbers begin below their ticks. */
static void print_numbers(const picture *p)
{
    const size_t start = INDENT + MARGIN + 2;
    size_t used = 0;
    for (size_t x = 0; x < p->x.cells; x++) {
        const double tick = tick_at(&p->x, x);
        if (tick >= 0.0 && start + x >= used) {
            const int n = fprintf(p->report->out, "%*s%.3g ", (int)(start + x - used), "", tick);
            used = start + x + (n > 0 ? (size_t)n - (start + x - used) : 0);
        }
    }
    (void)fputc('\n', p->report->out);
}

static void print_legend(const picture *p)
{
    const char *const meanings[] = {[PROVEN_EMPTY] = "proven empty",
                                    [OTHER] = "more k",
                                    [STEP] = "steps",
                                    [BEST] = "best",
                                    [CHOSEN] = "chosen",
                                    [WISH] = p->wish_is_beyond ? "wish, beyond the edge" : "wish"};
    char *text = cli_copy("");
    for (mark m = WISH; m > NOTHING; m--) {
        if (p->has[m]) {
            cli_append(&text, "%s%s %s", m < WISH ? "  " : "", mark_text(p->report, m),
                       meanings[m]);
        }
    }
    cli_paragraph(p->report, INDENT, "%s", text);
    free(text);
}

void cli_preferred_plot(const cli_report *report, const cli_preferred *preferred)
{
    const size_t width = report->width - INDENT - MARGIN - 8; /* for the last number, too */
    picture p = {.report = report, .preferred = preferred};
    measure(&p, width < MOST_WIDTH ? width : MOST_WIDTH);
    p.marks = cli_zeroed(p.x.cells, p.y.cells);
    place_marks(&p);
    cli_paragraph(report, INDENT, "loss (%s) upwards, " CLI_SPREAD " (%s) to the right",
                  preferred->wish->loss.measure->name, preferred->wish->bias.measure->name);
    print_rows(&p);
    print_floor(&p);
    print_numbers(&p);
    print_legend(&p);
    free(p.marks);
}
