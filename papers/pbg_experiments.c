/* The experiments: every search the page tells about. */
#include "pbg_report.h"

#include "base/memory.h"

/* Objectives are filled in and must outlive the options. */
static pv_search_options options_for(const answer *a, const char *method,
                                     pv_measure_ref objectives[MOST_OBJECTIVES])
{
    pv_search_options options = {.objectives = objectives,
                                 .n_objectives = a->asked->n_objectives,
                                 .method = method,
                                 .suppression.budget = pv_study_budget(a->table->study)};
    for (size_t i = 0; i < a->asked->n_objectives; i++) {
        objectives[i] = (pv_measure_ref){.measure = pv_measure_find(a->asked->objectives[i])};
    }
    return options;
}

/* ------------------------------------------------------------------ trials */

/* A way to search. The boxes have sides of 1, as in the paper, where none are given. */
typedef struct {
    const char *method;
    const double *epsilons;
    uint64_t max_evaluations; /* 0 = as many as it takes */
    bool patient;             /* may it end before the last generation? */
} way;

static pv_front *search(const answer *a, const way *how, uint64_t seed)
{
    pv_measure_ref objectives[MOST_OBJECTIVES];
    pv_search_options options = options_for(a, how->method, objectives);
    options.seed = seed;
    options.max_evaluations = how->max_evaluations;
    options.patience = how->patient ? 0 : UINT64_MAX;
    for (size_t i = 0; i < a->asked->n_objectives; i++) {
        options.epsilons[i] = how->epsilons != NULL ? how->epsilons[i] : 1;
    }
    return report_search(a->table, &options);
}

static pv_indicators compare(const answer *a, const pv_front *front)
{
    pv_indicators indicators;
    pv_error error = {0};
    require(pv_front_compare(front, a->reference, a->truth->n_points, &indicators, &error) ==
                PV_STATUS_OK,
            error.message);
    return indicators;
}

static statistic statistic_of(const double *samples)
{
    statistic s = {0};
    for (size_t i = 0; i < SEEDS; i++) {
        s.mean += samples[i];
    }
    s.mean /= SEEDS; /* equal samples have no variance, not even in the last digit */
    for (size_t i = 0; i < SEEDS; i++) {
        s.variance += (samples[i] - s.mean) * (samples[i] - s.mean) / (SEEDS - 1);
    }
    return s;
}

static size_t larger(size_t a, size_t b)
{
    return a > b ? a : b;
}

/* Adds a run to the account of a trial, but for what needs all runs at hand. */
static void count_run(trial *t, const pv_front *front, const pv_indicators *indicators)
{
    const size_t evaluated = (size_t)front->evaluated;
    t->evaluated += (double)evaluated / SEEDS;
    t->points += (double)front->n_points / SEEDS;
    t->fewest_evaluated = evaluated < t->fewest_evaluated ? evaluated : t->fewest_evaluated;
    t->most_evaluated = larger(t->most_evaluated, evaluated);
    t->most_points = larger(t->most_points, front->n_points);
    t->whole += indicators->boxes_met == indicators->boxes;
    t->n_stalled += front->stop == PV_STOP_STALLED;
    t->n_limited += front->stop == PV_STOP_EVALUATIONS;
    t->boxes = indicators->boxes;
    t->bound = front->most_points;
    require((double)front->n_points <= front->most_points, "an archive is larger than its bound");
}

static trial try_all_seeds(const answer *a, const way *how)
{
    trial t = {.fewest_evaluated = SIZE_MAX};
    double errors[SEEDS];
    double errors_each[SEEDS];
    double ratios[SEEDS];
    for (size_t i = 0; i < SEEDS; i++) {
        pv_front *const front = search(a, how, i + 1);
        const pv_indicators indicators = compare(a, front);
        count_run(&t, front, &indicators);
        errors[i] = indicators.convergence_error;
        errors_each[i] = errors[i] / (double)front->n_points;
        ratios[i] = indicators.representation_ratio;
        pv_front_free(front);
    }
    t.error = statistic_of(errors);
    t.error_each = statistic_of(errors_each);
    t.ratio = statistic_of(ratios);
    return t;
}

/* ----------------------------------------------------------------- courses */

static const uint64_t limits[LIMITS] = {25,  50,  100,  200,  300,  400,
                                        600, 800, 1000, 1500, 2000, 2500};

/* Stopped at one limit after the other, until the limits no longer matter. */
static course follow(const answer *a, way how)
{
    course c = {.n = 0};
    bool limited = true;
    while (c.n < LIMITS && limited) {
        how.max_evaluations = limits[c.n];
        const trial t = try_all_seeds(a, &how);
        limited = t.n_limited > 0;
        c.evaluated[c.n] = t.evaluated;
        c.ratio[c.n++] = t.ratio.mean;
    }
    return c;
}

/* ----------------------------------------------------------------- answers */

static pv_front *find_truth(const answer *a)
{
    pv_measure_ref objectives[MOST_OBJECTIVES];
    const pv_search_options options = options_for(a, "exhaustive", objectives);
    return report_search(a->table, &options);
}

static double *values_of(const pv_front *front)
{
    const size_t n = front->n_objectives;
    double *const values = pv_i_array(front->n_points, n * sizeof(double));
    require(values != NULL, "out of memory");
    for (size_t i = 0; i < front->n_points * n; i++) {
        values[i] = front->points[i / n].values[i % n];
    }
    return values;
}

void pbg_answer_init(answer *a, const question *asked, const opened *table)
{
    const way plain = {.method = "pbg-ea"};
    const way patient = {.method = "pbg-ea", .patient = true};
    const way hybrid = {.method = "pbg-hybrid", .patient = true};
    way limited = hybrid;
    limited.max_evaluations = (uint64_t)asked->evaluated;
    *a = (answer){.asked = asked, .table = table};
    a->truth = find_truth(a);
    a->reference = values_of(a->truth);
    a->shown = search(a, &plain, 1);
    a->plain = try_all_seeds(a, &plain);
    a->patient = try_all_seeds(a, &patient);
    a->hybrid = try_all_seeds(a, &hybrid);
    a->limited = try_all_seeds(a, &limited);
    a->plain_course = follow(a, plain);
    a->hybrid_course = follow(a, hybrid);
}

void pbg_answer_deinit(answer *a)
{
    pv_front_free(a->truth);
    pv_front_free(a->shown);
    pv_i_free(a->reference);
}

box_answer pbg_box_answer(const box_size *asked, const answer *fine)
{
    const double *const epsilons = asked->epsilons;
    const way plain = {.method = "pbg-ea", .epsilons = epsilons};
    const way patient = {.method = "pbg-ea", .epsilons = epsilons, .patient = true};
    const way hybrid = {.method = "pbg-hybrid", .epsilons = epsilons, .patient = true};
    return (box_answer){.asked = asked,
                        .fine = fine,
                        .plain = try_all_seeds(fine, &plain),
                        .patient = try_all_seeds(fine, &patient),
                        .hybrid = try_all_seeds(fine, &hybrid)};
}
