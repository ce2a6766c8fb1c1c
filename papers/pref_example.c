/* The paper's example: twelve employees, eight ways to generalize them, five wishes. */
#include "pref_report.h"

#include <math.h>
#include <string.h>

static const char table_text[] =
    "code,class\n81521,C1\n81522,C1\n81523,C1\n82635,C2\n82636,C2\n82647,C2\n"
    "82648,C2\n81634,C3\n81631,C3\n81632,C3\n81639,C3\n81630,C3\n";
static const char plan_text[] =
    "attributes:\n"
    "  code:  {role: quasi, type: text, hierarchy: {mask: right}, weight: 3}\n"
    "  class: {role: quasi, weight: 7, hierarchy: {rows: [[C1, C12], [C2, C12], [C3, C3]]}}\n";

/* ------------------------------------------------------------- the paper's */

const char *const pref_generalizations[GENERALIZATIONS] = {
    "nnnn* + C1/2/3", "nnn** + C1/2/3", "nn*** + C1/2/3", "n**** + C1/2/3",
    "nnnn* + C12/3",  "nnn** + C12/3",  "nn*** + C12/3",  "n**** + C12/3"};
const pv_aspiration pref_wishes[WISHES] = {{.3, .08}, {.2, .15}, {.15, .05}, {.25, .05}, {.1, .5}};
const pv_aspiration pref_from = {1.0, 0.2};
const pv_aspiration pref_towards = {0.1, 0.1};

const example_row pref_printed[GENERALIZATIONS] = {
    {{.27, .07}, 2, PV_STRONGLY_EFFICIENT, {.06, .12, .07, .06, .23}, -.26},
    {{.18, .09}, 3, PV_STRONGLY_EFFICIENT, {.07, .08, .06, .07, .15}, -.33},
    {{.18, .15}, 3, PV_WEAKLY_EFFICIENT, {.12, .09, .12, .13, .15}, -.26},
    {{.18, .30}, 3, PV_WEAKLY_EFFICIENT, {.24, .17, .23, .25, .15}, -.12},
    {{.27, .27}, 2, PV_INEFFICIENT, {.22, .16, .20, .23, .23}, -.05},
    {{.18, .29}, 3, PV_WEAKLY_EFFICIENT, {.23, .17, .22, .24, .15}, -.13},
    {{.18, .36}, 3, PV_WEAKLY_EFFICIENT, {.28, .20, .27, .30, .15}, -.06},
    {{.18, .50}, 5, PV_WEAKLY_EFFICIENT, {.40, .29, .38, .42, .15}, .09},
};

/* ----------------------------------------------------------------- measures */

static opened open_example(void)
{
    const pv_read_options reading = {
        .delimiter = ',', .header = PV_CHOICE_YES, .quoting = PV_CHOICE_NO};
    opened o = {0};
    pv_table *table = NULL;
    pv_error error = {0};
    require(pv_plan_parse("example", plan_text, strlen(plan_text), &o.plan, &error) ==
                    PV_STATUS_OK &&
                pv_table_read_memory("example", table_text, strlen(table_text), &reading, NULL,
                                     &table, &error) == PV_STATUS_OK &&
                pv_study_bind(o.plan, table, &o.study, &error) == PV_STATUS_OK &&
                pv_profile_create(o.study, NULL, &o.profile, &error) == PV_STATUS_OK,
            error.message);
    return o;
}

static double measure(const pv_classes *classes, const char *name)
{
    const pv_measure_ref ref = {.measure = pv_measure_find(name)};
    double value = 0;
    pv_error error = {0};
    require(pv_measure_value(ref, classes, &value, &error) == PV_STATUS_OK, error.message);
    return value;
}

/* Digits of the code are masked one by one, first with the classes as they are. */
static void measure_row(const opened *o, size_t i, example_row *row)
{
    const uint8_t levels[] = {(uint8_t)(1 + i % 4), (uint8_t)(i / 4)};
    const pv_suppression none = {0};
    pv_classes *classes = NULL;
    pv_error error = {0};
    require(pv_classes_create(o->profile, levels, &none, &classes, &error) == PV_STATUS_OK,
            error.message);
    row->point = (pv_aspiration){measure(classes, "necd"), measure(classes, "nwp")};
    row->k = pv_classes_k(classes);
    pv_classes_free(classes);
}

static pv_achievement achievement_of(pv_aspiration wish)
{
    pv_achievement a;
    pv_error error = {0};
    require(pv_achievement_init(&a, wish, &error) == PV_STATUS_OK, error.message);
    return a;
}

static void judge_row(example_row *row)
{
    for (size_t w = 0; w < WISHES; w++) {
        const pv_achievement a = achievement_of(pref_wishes[w]);
        row->achievement[w] = pv_achievement_value(&a, row->point);
        row->deviation = pv_achievement_deviation(&a, row->point);
    }
}

/* --------------------------------------------------------------- efficiency */

static void tell_efficient(example_row *rows)
{
    pv_aspiration points[GENERALIZATIONS];
    pv_efficiency efficiencies[GENERALIZATIONS];
    pv_error error = {0};
    for (size_t i = 0; i < GENERALIZATIONS; i++) {
        points[i] = rows[i].point;
    }
    require(pv_efficiencies(points, GENERALIZATIONS, efficiencies, &error) == PV_STATUS_OK,
            "memory");
    for (size_t i = 0; i < GENERALIZATIONS; i++) {
        rows[i].efficient = efficiencies[i];
    }
}

/* ------------------------------------------------------------------- wishes */

/* Values that differ only in the last digits are equal. */
static bool is_less(double a, double b)
{
    return a < b - 1e-12;
}

typedef struct {
    size_t best;   /* of least achievement, then least deviation */
    size_t most_k; /* of least achievement, then most k */
    size_t equals; /* of that achievement */
    size_t same_k; /* of these: with the most k */
    bool fulfilled;
} choice;

static choice choose(const example_row *rows, pv_aspiration wish)
{
    const pv_achievement a = achievement_of(wish);
    choice c = {0};
    double least = HUGE_VAL;
    for (size_t i = 0; i < GENERALIZATIONS; i++) {
        const double value = pv_achievement_value(&a, rows[i].point);
        if (is_less(value, least)) {
            c = (choice){.best = i, .most_k = i, .equals = 1, .same_k = 1};
            least = value;
        } else if (!is_less(least, value)) {
            c.equals++;
            c.same_k =
                rows[i].k > rows[c.most_k].k ? 1 : c.same_k + (rows[i].k == rows[c.most_k].k);
            c.most_k = rows[i].k > rows[c.most_k].k ? i : c.most_k;
            c.best = is_less(pv_achievement_deviation(&a, rows[i].point),
                             pv_achievement_deviation(&a, rows[c.best].point))
                         ? i
                         : c.best;
        }
    }
    c.fulfilled = !is_less(pv_achievement_wish(&a), least);
    return c;
}

/* Example 7 once more, with a wish for less loss. */
static void tighten(example *x)
{
    x->tighter = (pv_aspiration){pref_wishes[WISHES - 1].bias, 0.2};
    const choice c = choose(x->rows, x->tighter);
    x->tighter_best = c.best;
    x->tighter_equals = c.equals;
    x->tighter_same_k = c.same_k;
}

/* ---------------------------------------------------------------- direction */

/* The m-th of the wishes between a point and the goal. */
static pv_aspiration wish_between(pv_aspiration from, size_t m)
{
    const double share = (double)m / STEPS;
    return (pv_aspiration){from.bias + share * (pref_towards.bias - from.bias),
                           from.loss + share * (pref_towards.loss - from.loss)};
}

static void walk(example *x)
{
    bool later[GENERALIZATIONS] = {false};
    for (size_t m = 1; m <= STEPS; m++) {
        x->steps[m - 1] = choose(x->rows, wish_between(pref_from, m)).best;
        x->found[x->steps[m - 1]] = true;
    }
    for (size_t i = 0; i < GENERALIZATIONS; i++) {
        for (size_t m = 1; x->found[i] && m <= STEPS; m++) {
            later[choose(x->rows, wish_between(x->rows[i].point, m)).best] = true;
        }
    }
    for (size_t i = 0; i < GENERALIZATIONS; i++) {
        x->found_later += later[i] && !x->found[i];
    }
}

example pref_example(void)
{
    opened o = open_example();
    example x = {0};
    for (size_t i = 0; i < GENERALIZATIONS; i++) {
        measure_row(&o, i, &x.rows[i]);
        judge_row(&x.rows[i]);
    }
    report_close(&o);
    tell_efficient(x.rows);
    for (size_t w = 0; w < WISHES; w++) {
        const choice c = choose(x.rows, pref_wishes[w]);
        x.best[w] = c.best;
        x.equals[w] = c.equals;
        x.fulfilled[w] = c.fulfilled;
        x.most_k = c.most_k;
    }
    tighten(&x);
    walk(&x);
    return x;
}
