/* The experiments: every question the page tells about. */
#include "aruba_report.h"

#include <math.h>

/* --------------------------------------------------------------- thresholds */

static threshold ask_threshold(const stage *s, double c)
{
    threshold t = {.c = c, .frontier = aruba_frontier_share(s, c)};
    t.btda = aruba_ask(s, &(question){.method = BTDA, .utility = c});
    for (int r = 0; r < PV_RISK_COUNT; r++) {
        const pv_risk risk = (pv_risk)r;
        t.aruba[r] = aruba_ask(s, &(question){.method = ARUBA, .risk = risk, .utility = c});
        t.bnb[r] = aruba_ask(s, &(question){.method = BNB, .risk = risk, .utility = c});
        t.greedy[r] =
            aruba_ask(s, &(question){.method = BNB, .risk = risk, .utility = c, .limit = 1});
    }
    t.exact_attacker = aruba_ask(s, &(question){.method = BNB, .utility = c, .is_exact = true});
    require(t.bnb[PV_RISK_I].n_proven == t.bnb[PV_RISK_I].n &&
                aruba_count_worse(&t.btda, &t.bnb[PV_RISK_I]) == 0,
            "btda and bnb disagree");
    return t;
}

/* The frontier by its definition, and by the product that stands for it. */
static void check_frontier(const experiments *e)
{
    unsigned heights[MOST_ATTRIBUTES];
    double shares[MOST_ATTRIBUTES * PV_MAX_HEIGHT + 1];
    const size_t n = pv_study_quasis(e->stage.table.study);
    for (size_t q = 0; q < n; q++) {
        heights[q] = pv_hierarchy_height(pv_study_hierarchy(e->stage.table.study, q));
    }
    (void)aruba_utility_shares(heights, n, shares);
    for (size_t i = 0; i < THRESHOLDS; i++) {
        const threshold *const t = &e->thresholds[i];
        require(fabs(shares[(size_t)t->c] - t->frontier) < 1e-12,
                "the frontier is not one rank of the lattice");
    }
}

static void count_paper(experiments *e)
{
    unsigned heights[PAPER_ATTRIBUTES];
    for (unsigned i = 0; i < PAPER_ATTRIBUTES; i++) {
        heights[i] = i % 5 + 1;
    }
    require(aruba_utility_shares(heights, PAPER_ATTRIBUTES, e->paper_shares) == PAPER_MOST + 1,
            "the heights of the paper add up to something else");
}

/* --------------------------------------------------------------------- sizes */

bool aruba_is_finished(const size_trial *t, size_t method)
{
    return t->is_tried[method] && t->trials[method].n_proven == t->trials[method].n;
}

static double nodes_of(const stage *s)
{
    double nodes = 1;
    for (size_t q = 0; q < pv_study_quasis(s->table.study); q++) {
        nodes *= pv_hierarchy_height(pv_study_hierarchy(s->table.study, q)) + 1;
    }
    return nodes;
}

/* With the utility that the paper calls midway. */
static size_trial try_size(const char *folder, size_t n_attributes, const size_trial *before)
{
    size_trial t = {.n_attributes = n_attributes};
    stage s;
    aruba_stage_open(&s, folder, n_attributes, n_attributes <= ATTRIBUTES ? SAMPLE : FEW);
    t.nodes = nodes_of(&s);
    t.c = aruba_most_utility(&s) / 2;
    for (size_t m = 0; m < METHODS; m++) {
        t.is_tried[m] = before == NULL || (before->is_tried[m] && before->trials[m].n_proven > 0);
        if (t.is_tried[m]) {
            t.trials[m] = aruba_ask(
                &s, &(question){.method = (search_kind)m, .utility = t.c, .limit = LIMIT});
        }
    }
    aruba_stage_close(&s);
    return t;
}

/* ---------------------------------------------------------------------- all */

static scan_trial scan_all(const stage *s, double c)
{
    const pv_disclose_options options = {.utility = PV_UTILITY_DEPTH,
                                         .bound = c,
                                         .method = "scan",
                                         .sensitivities = s->sensitivities[0]};
    pv_disclosure *disclosure = NULL;
    pv_disclosure_summary *summary = NULL;
    pv_error error = {0};
    require(pv_disclose(s->table.profile, &options, &report_context, &disclosure, &error) ==
                    PV_STATUS_OK &&
                pv_disclosure_summarise(disclosure, s->table.profile, &summary, &error) ==
                    PV_STATUS_OK,
            error.message);
    const scan_trial t = {.c = c,
                          .seconds = pv_disclosure_seconds(disclosure),
                          .risk_before = pv_disclosure_summary_risk_before(summary)->mean,
                          .risk_after = pv_disclosure_summary_risk_after(summary)->mean};
    pv_disclosure_summary_free(summary);
    pv_disclosure_free(disclosure);
    return t;
}

void aruba_run(experiments *e, const char *folder)
{
    aruba_stage_open(&e->stage, folder, ATTRIBUTES, SAMPLE);
    e->nodes = nodes_of(&e->stage);
    e->most = aruba_most_utility(&e->stage);
    for (size_t i = 0; i < THRESHOLDS; i++) {
        e->thresholds[i] = ask_threshold(&e->stage, e->most * (double)(i + 1) / THRESHOLDS);
    }
    check_frontier(e);
    count_paper(e);
    aruba_anonymize(&e->stage, e->tables);
    for (size_t i = 0; i < SIZES; i++) {
        e->sizes[i] = try_size(folder, 2 * (i + 1), i > 0 ? &e->sizes[i - 1] : NULL);
    }
    e->scan = scan_all(&e->stage, e->most / 2);
}

void aruba_free(experiments *e)
{
    aruba_stage_close(&e->stage);
}
