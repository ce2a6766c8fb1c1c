/* What to think of it: what agrees with the paper, what does not, where its theorems need care, and
 * what is weaker here. */
#include "aruba_report.h"

#include "base/markup.h"

#include <math.h>

/* --------------------------------------------------------------------- facts */

/* For how many records, over all c, a search has more risk than the least. */
static size_t count_worse(const experiments *e, int model)
{
    size_t n = 0;
    for (size_t i = 0; i < THRESHOLDS; i++) {
        n += aruba_count_worse(&e->thresholds[i].aruba[model], &e->thresholds[i].bnb[model]);
    }
    return n;
}

static size_t count_questions(const experiments *e)
{
    return THRESHOLDS * e->thresholds[0].btda.n;
}

/* The first c from which on aruba visits fewer nodes than btda. */
static double find_crossing(const experiments *e)
{
    size_t i = THRESHOLDS;
    while (i > 0 &&
           e->thresholds[i - 1].aruba[PV_RISK_I].visited < e->thresholds[i - 1].btda.visited) {
        i--;
    }
    require(i < THRESHOLDS, "btda visits fewer nodes than aruba whatever c");
    return e->thresholds[i].c;
}

static const threshold *midway(const experiments *e)
{
    return &e->thresholds[THRESHOLDS / 2 - 1];
}

typedef struct {
    double least, most;
} range;

/* How many times the risk of k-anonymous tables is that of the records one by one, but for k 1. */
static range compare_tables(const experiments *e, int model)
{
    range r = {HUGE_VAL, 0};
    for (size_t i = 1; i < KS; i++) {
        const double times = e->tables[i].best.risk[model] / e->tables[i].least[model];
        r.least = fmin(r.least, times);
        r.most = fmax(r.most, times);
    }
    return r;
}

static range compare_greedy(const experiments *e, int model)
{
    range r = {HUGE_VAL, 0};
    for (size_t i = 0; i < THRESHOLDS; i++) {
        const threshold *const t = &e->thresholds[i];
        const double times = t->greedy[model].risk / t->bnb[model].risk;
        r.least = fmin(r.least, times);
        r.most = fmax(r.most, times);
    }
    return r;
}

static void write_times(pv_buffer *page, double times)
{
    if (times < 10) {
        pv_i_buffer_format(page, "%.1f", times);
    } else {
        const double unit = pow(10, floor(log10(times)) - 1);
        pv_i_buffer_count(page, (uint64_t)llround(round(times / unit) * unit));
    }
}

/* ----------------------------------------------------------------- agreement */

static void write_tables_agreement(pv_buffer *page, const experiments *e)
{
    const range first = compare_tables(e, PV_RISK_I);
    const range second = compare_tables(e, PV_RISK_II);
    pv_i_buffer_text(page, "- Record by record beats one scheme for all. At the same utility the "
                           "k-anonymous tables,\n  k 2 to 100, have ");
    write_times(page, first.least);
    pv_i_buffer_text(page, " to ");
    write_times(page, first.most);
    pv_i_buffer_text(page, " times the risk in model I and ");
    write_times(page, second.least);
    pv_i_buffer_text(page, " to ");
    write_times(page, second.most);
    pv_i_buffer_text(
        page, " times\n"
              "  in model II. That they have no less needs no experiment: the levels of the scheme "
              "are\n"
              "  among the choices of every record. How much more there is depends on the table: "
              "here\n"
              "  a few odd items force a scheme for all of them far up, and suppressing 1% of the\n"
              "  rows brings the k-anonymous tables much nearer.\n");
}

static void write_agreement(pv_buffer *page, const experiments *e)
{
    const threshold *const last = &e->thresholds[THRESHOLDS - 2];
    pv_i_buffer_format(
        page,
        "## What agrees with the paper\n\n"
        "- The share of frontier nodes, and with it the time of aruba, is largest midway and "
        "small\n"
        "  at both ends. The more utility is asked for, the worse for btda, which comes from `*`:\n"
        "  with c %.0f it visits %.0f%% of the lattice, aruba %.1f%%.\n"
        "- In models I and II aruba found the least risk every time: %zu questions each, compared\n"
        "  with the proofs of bnb; %zu answers of the first and %zu of the second were worse.\n",
        last->c, 100 * last->btda.visited / e->nodes,
        100 * last->aruba[PV_RISK_I].visited / e->nodes, count_questions(e),
        count_worse(e, PV_RISK_I), count_worse(e, PV_RISK_II));
    write_tables_agreement(page, e);
    pv_i_buffer_char(page, '\n');
}

/* -------------------------------------------------------------- disagreement */

static void write_btda(pv_buffer *page, const experiments *e)
{
    const threshold *const t = midway(e);
    pv_i_buffer_format(
        page,
        "- The paper says that aruba is almost always faster than btda, and that for small c "
        "there\n"
        "  is no significant difference. Here btda visits fewer nodes as long as c is below %.0f,\n"
        "  midway ",
        find_crossing(e));
    pv_i_buffer_count(page, (uint64_t)llround(t->btda.visited));
    pv_i_buffer_text(page, " against ");
    pv_i_buffer_count(page, (uint64_t)llround(t->aruba[PV_RISK_I].visited));
    pv_i_buffer_text(
        page,
        ". Its queue ends at the least risk, and where risks\n"
        "  span many powers of ten most nodes are riskier than the answer and never come up.\n"
        "- The same is seen with more attributes, midway: the paper's aruba is ahead of btda in\n"
        "  time and nodes visited, ours only while there are few. Neither gets far: the frontier\n"
        "  midway grows as the lattice does.\n");
}

static void write_bnb(pv_buffer *page, const experiments *e)
{
    const threshold *const t = midway(e);
    const range first = compare_greedy(e, PV_RISK_I);
    const range second = compare_greedy(e, PV_RISK_II);
    pv_i_buffer_text(page, "- The paper's branch and bound is a heuristic: as fast as aruba, with "
                           "more risk. Ours is\n  exact, so its risk is the same, and it visits ");
    pv_i_buffer_count(page, (uint64_t)llround(t->bnb[PV_RISK_I].visited));
    pv_i_buffer_text(page, " nodes midway, since it bounds\n  the risk of all choices in between "
                           "two. Stopped after its first guess it is a heuristic,\n  too, and "
                           "has up to ");
    write_times(page, first.most);
    pv_i_buffer_text(page, " times the least risk in model I and up to ");
    write_times(page, second.most);
    pv_i_buffer_text(page, " times in\n  model II.\n");
}

static void write_third(pv_buffer *page, const experiments *e)
{
    const threshold *const t = midway(e);
    pv_i_buffer_format(
        page,
        "- The paper solves model III by the same searches. But its risk is not monotone: where\n"
        "  all is `*` it is 0, elsewhere below 0, so that telling more can lower it, and theorems\n"
        "  1, 2 and 4 fall. The least risk need not be on the frontier: aruba missed it for %zu "
        "of\n"
        "  %zu questions, and midway its mean is %.1f where %.1f was possible. bnb and scan are "
        "exact;\n"
        "  `paravent disclose` says so where a method is not.\n\n",
        count_worse(e, PV_RISK_III), count_questions(e), t->aruba[PV_RISK_III].risk,
        t->bnb[PV_RISK_III].risk);
}

/* ------------------------------------------------------------------ theorems */

static void write_theorems(pv_buffer *page)
{
    pv_i_buffer_text(
        page,
        "## Where the theorems need care\n\n"
        "- Theorem 2, the optimal node is a frontier node: one of them is, if risk is monotone.\n"
        "  Others of the same risk and more utility may lie behind it; ours walks back to them.\n"
        "  If `*` everywhere is feasible there is no frontier at all.\n"
        "- Theorem 3, n frontier nodes in the adjacency cube of every frontier node, excepts the\n"
        "  border of the lattice. An attribute of height 1 puts every node at the border, and the\n"
        "  paper's heights begin with 1, as ours do: then it speaks of no node. With a single\n"
        "  attribute it does not hold.\n"
        "- Theorem 4 needs another property: that the frontier is connected. That every node has\n"
        "  neighbours does not make it so. It is connected, borders included: every way through\n"
        "  the lattice, step by step from one end to the other, leaves the feasible nodes once,\n"
        "  and exchanging two successive steps of a way leads from one frontier node to another\n"
        "  or the same. A test checks this by brute force, and theorem 3 away from the border.\n"
        "- These exchanges are also all neighbours a walk needs: with ten attributes 110 at most,\n"
        "  where the cube has 59,048. Walking over whole cubes, aruba would see most of the\n"
        "  lattice.\n"
        "- Slips: the inequalities at the head of section V are printed the other way round, and\n"
        "  the example ends with node f where e has less risk, as the table beside it says.\n\n");
}

/* ---------------------------------------------------------------- weaknesses */

static void write_weaknesses(pv_buffer *page, const experiments *e)
{
    pv_i_buffer_format(
        page,
        "## What is weaker\n\n"
        "- The table is generated, and another one gives other numbers. Codes of up to three "
        "letters\n"
        "  are hardly ever similar without being the same, so that similarity matters for\n"
        "  category and supplier only.\n"
        "- Means are over %zu records, %d with more than %d attributes, and a few risky records\n"
        "  decide a mean of risks.\n"
        "- A search that is given up tells the best it has seen and says that nothing is proven.\n"
        "  With c midway, aruba solved none from 14 attributes on and btda hardly any from 16 on; "
        "bnb\n"
        "  solved all, but that is no promise for another table.\n"
        "- An attacker who knows how levels are chosen learns something from the levels. Neither\n"
        "  the paper's risks nor ours count that.\n\n",
        e->thresholds[0].btda.n, RUNS * FEW, ATTRIBUTES);
}

static void write_scan(pv_buffer *page, const experiments *e)
{
    pv_i_buffer_format(page,
                       "## Everyone at once\n\n"
                       "`scan` answered c %.0f for all ",
                       e->scan.c);
    pv_i_buffer_count(page, pv_profile_rows(e->stage.table.profile));
    pv_i_buffer_format(page,
                       " records, with an attacker who takes the same values\n"
                       "for consistent and the sensitivities of the first run, in %.2g s on the "
                       "clock with %d threads:\nthe mean risk of model I falls from %.3g to "
                       "%.3g.\n",
                       e->scan.seconds, THREADS, e->scan.risk_before, e->scan.risk_after);
}

void aruba_write_words(pv_buffer *page, const experiments *e)
{
    write_agreement(page, e);
    pv_i_buffer_text(page, "## What does not\n\n");
    write_btda(page, e);
    write_bnb(page, e);
    write_third(page, e);
    write_theorems(page);
    write_scan(page, e);
    pv_i_buffer_char(page, '\n');
    write_weaknesses(page, e);
}
