/* Who is suppressed under cuts, and what that costs.
 *
 * One attribute sees the table as a line: the tuples of each class of the others side by side, by
 * value. A class is a few *stretches*, rows with one value:
 *
 *     class c    values   17      19  20          stretches p..q are in an interval I if it begins
 *                rows      3       1   4          after stretch p - 1 and ends before q + 1:
 *                from..p  [..17]                  a rectangle of (first, last)
 *
 * If p..q break a demand, what they cost is added to the whole rectangle, at its four corners; all
 * corners are summed up once for all classes. With k and l-distinct alone, which every union keeps,
 * q stops at the first that lives: fewer than k steps per stretch. Other rules are judged for every
 * p..q.
 *
 * Whole numbers throughout, as everywhere in this room: what rows lose is a sum over attributes of
 * unit * (values of the group - 1), and everything for a dead one. */
#include "cuts/cut_deaths.h"

#include "base/checked.h"
#include "base/error.h"
#include "base/hash.h"
#include "base/memory.h"

#include <string.h>

/* Shares are kept by bucket, not by tuple: views differ in their tuples. */
#define MOST_BUCKETS ((size_t)1 << 14)

/* Rows of a class with one value. */
typedef struct pv_cut_stretch {
    uint32_t value;
    size_t start, end;                /* in the order */
    pv_cut_toll toll;                 /* of all of them */
    uint64_t least_kept, least_share; /* of one of them */
} pv_cut_stretch;

/* What is to be said of rows of one class. */
typedef enum { LIVES, BREAKS, DIES } verdict; /* BREAKS: a part of it may live */

static uint64_t min_of(uint64_t a, uint64_t b)
{
    return a < b ? a : b;
}

/* ---------------------------------------------------------------- question */

static pv_status fill_axis(pv_cut_question *q, size_t a, pv_error *error)
{
    const pv_cut_axis *const axis = &q->space->axes[a];
    q->banned[a] = PV_NEW_ZEROED(bool, (size_t)axis->n * axis->n);
    q->mixer[a] = PV_NEW_ARRAY(uint64_t, axis->n);
    if (q->banned[a] == NULL || q->mixer[a] == NULL) {
        return pv_i_no_memory(error);
    }
    pv_i_cut_invalidate_crossing(axis, q->banned[a]);
    for (uint32_t v = 0; v < axis->n; v++) {
        const uint64_t words[] = {a, v};
        q->mixer[a][v] = pv_i_hash_words(words, 2);
    }
    q->full += q->prices->unit[a] * (axis->n > 1 ? axis->n - 1 : 1);
    q->trivial += axis->n > 1 ? 0 : q->prices->unit[a];
    return PV_STATUS_OK;
}

pv_status pv_i_cut_question_init(pv_cut_question *question, pv_cut_table *table,
                                 const pv_cut_prices *prices, const pv_class_rules *rules,
                                 uint64_t budget, pv_error *error)
{
    pv_cut_question *const q = question;
    const uint64_t rows = table->space->n_rows;
    pv_status status = PV_STATUS_OK;
    *q = (pv_cut_question){.table = table,
                           .space = table->space,
                           .prices = prices,
                           .rules = rules,
                           .for_good = *rules,
                           .k = rules->k > 0 ? rules->k : 1,
                           .budget = budget < rows ? budget : rows - 1};
    q->for_good.n_rules = 0;
    for (size_t i = 0; i < rules->n_rules; i++) {
        if (pv_i_measure_entry(rules->rules[i].ref.measure)->breaks_for_good) {
            q->for_good.about[q->for_good.n_rules] = rules->about[i];
            q->for_good.rules[q->for_good.n_rules++] = rules->rules[i];
        }
    }
    q->mixed = q->for_good.n_rules < rules->n_rules;
    for (size_t a = 0; a < q->space->n_axes && status == PV_STATUS_OK; a++) {
        status = fill_axis(q, a, error);
    }
    if (status != PV_STATUS_OK) {
        pv_i_cut_question_deinit(q);
    }
    return status;
}

void pv_i_cut_question_deinit(pv_cut_question *question)
{
    for (size_t a = 0; a < PV_MOST_CUT_AXES; a++) {
        pv_i_free(question->banned[a]);
        pv_i_free(question->mixer[a]);
    }
    *question = (pv_cut_question){0};
}

/* ------------------------------------------------------------------ set up */

static bool init_line(pv_cut_line *line, size_t n_tuples, size_t n)
{
    const size_t cells = (n + 1) * (n + 1);
    line->order = PV_NEW_ARRAY(uint32_t, n_tuples);
    line->ends = PV_NEW_ARRAY(uint32_t, n_tuples);
    line->kept = PV_NEW_ARRAY(uint64_t, n_tuples);
    line->own = PV_NEW_ARRAY(uint64_t, n);
    line->bucket = PV_NEW_ARRAY(uint32_t, n_tuples);
    line->tolls = PV_NEW_ARRAY(pv_cut_toll, cells);
    line->alive = PV_NEW_ARRAY(uint64_t, n + 1);
    line->costs = PV_NEW_ARRAY(uint64_t, cells);
    return line->order != NULL && line->ends != NULL && line->kept != NULL && line->own != NULL &&
           line->bucket != NULL && line->tolls != NULL && line->alive != NULL &&
           line->costs != NULL;
}

pv_status pv_i_cut_deaths_init(pv_cut_deaths *deaths, const pv_cut_question *question,
                               pv_error *error)
{
    const pv_cut_space *const space = question->space;
    const size_t n_tuples = question->table->base.n;
    const size_t longest = pv_i_cut_most_values(space);
    const size_t buckets = (size_t)pv_i_next_power(2 * n_tuples);
    pv_status status = PV_STATUS_OK;
    *deaths = (pv_cut_deaths){.question = question,
                              .n_buckets = buckets < MOST_BUCKETS ? buckets : MOST_BUCKETS};
    pv_cut_deaths *const d = deaths;
    d->lines = PV_NEW_ZEROED(pv_cut_line, space->n_axes);
    d->worth = PV_NEW_ARRAY(uint64_t, space->n_bits + space->n_axes);
    d->sizes = PV_NEW_ARRAY(uint64_t, n_tuples);
    d->stretches = PV_NEW_ARRAY(pv_cut_stretch, longest);
    d->shares = PV_NEW_ARRAY(uint16_t, d->n_buckets * space->n_axes);
    d->kills = PV_NEW_ARRAY(uint64_t, d->n_buckets * space->n_axes);
    bool ready = d->lines != NULL && d->worth != NULL && d->sizes != NULL && d->stretches != NULL &&
                 d->shares != NULL && d->kills != NULL &&
                 pv_i_cut_scratch_init(&d->scratch, question->table) &&
                 pv_i_cut_class_scratch_init(&d->classes, question->table);
    for (size_t a = 0; a < space->n_axes && ready; a++) {
        ready = init_line(&d->lines[a], n_tuples, space->axes[a].n);
    }
    ready = ready && pv_i_cut_other_init(&d->other, question, &status, error);
    if (status == PV_STATUS_OK) {
        status = ready ? pv_i_class_scorer_init(&d->scorer, question->rules, error)
                       : pv_i_no_memory(error);
    }
    if (status == PV_STATUS_OK && question->mixed) {
        status = pv_i_class_scorer_init(&d->for_good, &question->for_good, error);
    }
    if (status != PV_STATUS_OK) {
        pv_i_cut_deaths_deinit(d);
    }
    return status;
}

void pv_i_cut_deaths_deinit(pv_cut_deaths *deaths)
{
    const pv_cut_question *const q = deaths->question;
    for (size_t a = 0; deaths->lines != NULL && a < q->space->n_axes; a++) {
        pv_cut_line *const line = &deaths->lines[a];
        pv_i_free(line->order);
        pv_i_free(line->ends);
        pv_i_free(line->kept);
        pv_i_free(line->own);
        pv_i_free(line->bucket);
        pv_i_free(line->tolls);
        pv_i_free(line->alive);
        pv_i_free(line->costs);
    }
    pv_i_free(deaths->lines);
    pv_i_free(deaths->worth);
    pv_i_free(deaths->sizes);
    pv_i_free(deaths->stretches);
    pv_i_free(deaths->shares);
    pv_i_free(deaths->kills);
    pv_i_cut_other_deinit(&deaths->other);
    pv_i_class_scorer_deinit(&deaths->scorer);
    pv_i_class_scorer_deinit(&deaths->for_good);
    pv_i_cut_class_scratch_deinit(&deaths->classes);
    pv_i_cut_scratch_deinit(&deaths->scratch);
    *deaths = (pv_cut_deaths){0};
}

/* --------------------------------------------------------------- judgement */

static void clear_tallies(pv_cut_deaths *d)
{
    if (d->question->rules->n_rules > 0) {
        pv_i_class_scorer_clear(&d->scorer);
    }
    if (d->question->mixed) {
        pv_i_class_scorer_clear(&d->for_good);
    }
}

static void tally(pv_class_scorer *scorer, const pv_cut_view *view, size_t n_axes, uint32_t t)
{
    for (size_t s = 0; s < scorer->rules->n_sensitive; s++) {
        if (scorer->reads[s]) {
            pv_i_tally_add(&scorer->tallies[s], view->values[n_axes + s][t], view->counts[t]);
        }
    }
}

/* The tuples start..end of an order join what is tallied. */
static void tally_all(pv_cut_deaths *d, const pv_cut_view *view, const uint32_t *order,
                      size_t start, size_t end)
{
    const pv_cut_question *const q = d->question;
    for (size_t i = start; i < end && q->rules->n_rules > 0; i++) {
        tally(&d->scorer, view, q->space->n_axes, order[i]);
        if (q->mixed) {
            tally(&d->for_good, view, q->space->n_axes, order[i]);
        }
    }
}

/* Of so many rows whose sensitive values are tallied. A bound forgives a hair's breadth. */
static verdict judge(const pv_cut_deaths *d, uint64_t rows, bool exact)
{
    const pv_cut_question *const q = d->question;
    if (rows < q->k) {
        return DIES;
    }
    if (q->rules->n_rules == 0 || !pv_i_class_scorer_breaks(&d->scorer, !exact)) {
        return LIVES;
    }
    if (!q->mixed || exact) {
        return DIES;
    }
    return q->for_good.n_rules > 0 && pv_i_class_scorer_breaks(&d->for_good, true) ? DIES : BREAKS;
}

/* How many rows of a class that breaks a rule die at least, however it is split (docs/model.md,
 * section 5, doomed rows). */
static uint64_t doomed(const pv_cut_deaths *d, uint64_t rows)
{
    bool holds;
    const uint64_t survivors = pv_i_class_scorer_survivors(&d->scorer, &holds);
    return survivors < rows ? rows - survivors : 1;
}

/* Of the tuples start..end of an order, so many rows. Where every union of what lives lives, too,
 * the first few tuples mostly settle it. */
static verdict judge_all(pv_cut_deaths *d, const pv_cut_view *view, const uint32_t *order,
                         size_t start, size_t end, uint64_t rows, bool exact)
{
    const pv_cut_question *const q = d->question;
    if (rows < q->k || q->rules->n_rules == 0) {
        return rows < q->k ? DIES : LIVES;
    }
    clear_tallies(d);
    if (q->mixed) {
        tally_all(d, view, order, start, end);
        return judge(d, rows, exact);
    }
    verdict said = DIES;
    for (size_t i = start; i < end && said != LIVES; i++) {
        tally(&d->scorer, view, q->space->n_axes, order[i]);
        said = judge(d, rows, exact);
    }
    return said;
}

/* ------------------------------------------------------------ whole schemes */

/* What a row keeps of an axis, per value; nothing where all values are merged. */
static void fill_worth(const pv_cut_question *q, size_t a, const uint8_t *cuts, uint64_t *worth)
{
    const pv_cut_axis *const axis = &q->space->axes[a];
    const uint8_t *const own = cuts + axis->first_bit;
    uint32_t first = 0;
    for (uint32_t v = 0; v < axis->n; v++) {
        if (v + 1 == axis->n || own[v] != 0) {
            for (uint32_t i = first; i <= v; i++) {
                worth[i] = q->prices->unit[a] * (axis->n - (v - first + 1));
            }
            first = v + 1;
        }
    }
}

static uint64_t *worth_of(const pv_cut_deaths *d, size_t a)
{
    return d->worth + d->question->space->axes[a].first_bit + a;
}

/* What each value of the axes that are cut keeps. Returns a bit per such axis. */
static uint64_t fill_all_worth(pv_cut_deaths *d, const uint8_t *cuts)
{
    const pv_cut_space *const space = d->question->space;
    uint64_t cut = 0;
    for (size_t a = 0; a < space->n_axes; a++) {
        const pv_cut_axis *const axis = &space->axes[a];
        if (axis->n > 1 && memchr(cuts + axis->first_bit, 1, axis->n - 1) != NULL) {
            fill_worth(d->question, a, cuts, worth_of(d, a));
            cut |= (uint64_t)1 << a;
        }
    }
    return cut;
}

/* What a row of a tuple keeps of some axes. */
static uint64_t kept_by(const pv_cut_deaths *d, const pv_cut_view *view, uint64_t axes, size_t t)
{
    uint64_t kept = d->question->trivial;
    for (; axes != 0; axes &= axes - 1) {
        const size_t a = (size_t)__builtin_ctzll(axes);
        kept += worth_of(d, a)[view->values[a][t]];
    }
    return kept;
}

/* Where sensitive values count, the classes are gone through one by one. */
static void judge_classes(pv_cut_deaths *d, const pv_cut_view *view, size_t n_classes)
{
    const uint32_t *const keys = d->scratch.keys;
    const uint32_t *const order = d->classes.order;
    pv_i_cut_class_sort(&d->classes, view, view->values[d->question->space->n_axes],
                        d->question->table->columns[0].n_codes, keys, n_classes);
    for (size_t start = 0, end; start < view->n; start = end) {
        const uint32_t own = keys[order[start]];
        for (end = start; end < view->n && keys[order[end]] == own; end++) {
        }
        d->sizes[own] =
            judge_all(d, view, order, start, end, d->sizes[own], true) == LIVES ? d->sizes[own] : 0;
    }
}

bool pv_i_cut_deaths_evaluate(pv_cut_deaths *deaths, const uint8_t *cuts, pv_cut_account *account)
{
    pv_cut_deaths *const d = deaths;
    const pv_cut_question *const q = d->question;
    const pv_cut_view *view;
    const size_t n_classes = pv_i_cut_number(q->table, &d->scratch, cuts, &view);
    if (n_classes == 0) {
        return false;
    }
    d->counted++;
    memset(d->sizes, 0, n_classes * sizeof *d->sizes);
    for (size_t t = 0; t < view->n; t++) {
        d->sizes[d->scratch.keys[t]] += view->counts[t];
    }
    if (q->rules->n_rules > 0) {
        judge_classes(d, view, n_classes);
    }
    for (size_t c = 0; c < n_classes && q->criteria != NULL; c++) {
        d->other.dropped[c] = d->sizes[c] < q->k;
    }
    const uint64_t cut = fill_all_worth(d, cuts);
    const uint64_t n_rows = q->space->n_rows;
    uint64_t living = 0;
    uint64_t kept = 0;
    for (size_t t = 0; t < view->n; t++) { /* the first tuple speaks for its class */
        uint64_t *const rows = &d->sizes[d->scratch.keys[t]];
        if (*rows >= q->k) {
            living += *rows;
            kept += *rows * kept_by(d, view, cut, t);
            *rows = 0;
        }
    }
    *account = (pv_cut_account){.cost = n_rows * q->full - kept, .dead = n_rows - living};
    return q->criteria == NULL || pv_i_cut_other_cost(d, cuts, view, &account->cost);
}

/* -------------------------------------------------------------------- lines */

bool pv_i_cut_line_list(pv_cut_deaths *deaths, size_t axis, const uint8_t *cuts, bool own)
{
    pv_cut_deaths *const d = deaths;
    const pv_cut_question *const q = d->question;
    const pv_cut_space *const space = q->space;
    pv_cut_line *const line = &d->lines[axis];
    const size_t n_classes = pv_i_cut_number_others(q->table, &d->scratch, axis, cuts, &line->view);
    if (n_classes == 0) {
        return false;
    }
    d->counted++;
    const pv_cut_view *const view = line->view;
    const uint32_t *const keys = d->scratch.keys;
    pv_i_cut_class_sort(&d->classes, view, view->values[axis], space->axes[axis].n, keys,
                        n_classes);
    memcpy(line->order, d->classes.order, view->n * sizeof *line->order);
    line->n_classes = 0;
    for (size_t i = 0; i < view->n; i++) {
        if (i + 1 == view->n || keys[line->order[i + 1]] != keys[line->order[i]]) {
            line->ends[line->n_classes++] = (uint32_t)i + 1;
        }
    }
    const uint64_t cut = fill_all_worth(d, cuts);
    const uint64_t bit = (uint64_t)1 << axis;
    for (size_t c = 0; c < line->n_classes; c++) {
        line->kept[c] = kept_by(d, view, cut & ~bit, line->order[line->ends[c] - 1]);
    }
    memset(line->own, 0, space->axes[axis].n * sizeof *line->own);
    if (own && (cut & bit) != 0) {
        memcpy(line->own, worth_of(d, axis), space->axes[axis].n * sizeof *line->own);
    }
    return true;
}

/* One corner of what is to be summed up; differences wrap around, sums do not. */
static void add_corner(pv_cut_toll *corner, const pv_cut_toll *toll, bool minus)
{
    corner->dead += minus ? -toll->dead : toll->dead;
    corner->kept += minus ? -toll->kept : toll->kept;
    corner->shares += minus ? -toll->shares : toll->shares;
}

/* Firsts from..to, lasts begin..end - 1. */
static void add_rectangle(pv_cut_toll *tolls, size_t width, size_t from, size_t to, size_t begin,
                          size_t end, const pv_cut_toll *toll)
{
    add_corner(&tolls[from * width + begin], toll, false);
    add_corner(&tolls[from * width + end], toll, true);
    add_corner(&tolls[(to + 1) * width + begin], toll, true);
    add_corner(&tolls[(to + 1) * width + end], toll, false);
}

/* So many shares of an amount. */
static uint64_t charge(uint64_t amount, uint64_t shares)
{
    return (uint64_t)((unsigned __int128)amount * shares / PV_CUT_SHARE);
}

/* The stretches of a class, with what they would cost: all rows of one keep the same. */
static size_t fill_stretches(pv_cut_deaths *d, size_t axis, size_t c, bool exact)
{
    const pv_cut_line *const line = &d->lines[axis];
    const size_t n_axes = d->question->space->n_axes;
    const uint16_t *const values = line->view->values[axis];
    const size_t end = line->ends[c];
    size_t n = 0;
    for (size_t i = c > 0 ? line->ends[c - 1] : 0; i < end; n++) {
        const uint32_t value = values[line->order[i]];
        const size_t start = i;
        uint64_t rows = 0;
        uint64_t shares = 0;
        uint64_t least = PV_CUT_SHARE;
        for (; i < end && values[line->order[i]] == value; i++) {
            const uint32_t t = line->order[i];
            const uint64_t share =
                exact ? PV_CUT_SHARE : d->shares[line->bucket[t] * n_axes + axis];
            rows += line->view->counts[t];
            shares += share * line->view->counts[t];
            least = min_of(least, share);
        }
        const uint64_t kept = line->kept[c] + line->own[value];
        d->stretches[n] =
            (pv_cut_stretch){.value = value,
                             .start = start,
                             .end = i,
                             .toll = {.dead = rows, .kept = charge(kept, shares), .shares = shares},
                             .least_kept = charge(kept, least),
                             .least_share = least};
    }
    return n;
}

/* The stretches lo..hi - 1, those between two forced cuts: every p..q of them. `first` and `beyond`
 * are the values where the cuts are. */
static void mark(pv_cut_deaths *d, size_t axis, size_t lo, size_t hi, uint32_t first,
                 uint32_t beyond, bool exact)
{
    const pv_cut_line *const line = &d->lines[axis];
    const pv_cut_stretch *const stretches = d->stretches;
    const size_t width = (size_t)d->question->space->axes[axis].n + 1;
    for (size_t p = lo; p < hi; p++) {
        pv_cut_toll sum = {0};
        uint64_t least_kept = UINT64_MAX;
        uint64_t least_share = UINT64_MAX;
        size_t tallied = p; /* stretches before it are; k is asked first */
        for (size_t q = p; q < hi; q++) {
            const pv_cut_stretch *const s = &stretches[q];
            add_corner(&sum, &s->toll, false);
            least_kept = min_of(least_kept, s->least_kept);
            least_share = min_of(least_share, s->least_share);
            if (sum.dead >= d->question->k) {
                if (tallied == p) {
                    clear_tallies(d);
                }
                tally_all(d, line->view, line->order, stretches[tallied].start, s->end);
                tallied = q + 1;
            }
            const verdict said = judge(d, sum.dead, exact);
            if (said == LIVES && !d->question->mixed) {
                break; /* and so does everything longer */
            }
            const uint64_t few = said == BREAKS ? doomed(d, sum.dead) : 0;
            const pv_cut_toll some = {
                .dead = few, .kept = few * least_kept, .shares = few * least_share};
            if (said != LIVES) {
                add_rectangle(line->tolls, width, p == lo ? first : stretches[p - 1].value + 1,
                              stretches[p].value, s->value,
                              q + 1 < hi ? stretches[q + 1].value : beyond,
                              said == DIES ? &sum : &some);
            }
        }
    }
}

/* One class of the others, forced group by forced group. Returns the rows that are dead in any
 * case. */
static uint64_t mark_class(pv_cut_deaths *d, size_t axis, size_t c, const uint8_t *forced,
                           bool exact)
{
    const pv_cut_line *const line = &d->lines[axis];
    const uint32_t n = d->question->space->axes[axis].n;
    const size_t n_stretches = fill_stretches(d, axis, c, exact);
    uint64_t dead = 0;
    uint32_t first = 0;
    for (size_t lo = 0, hi; lo < n_stretches; lo = hi) {
        uint32_t beyond = first;
        do { /* the end of the forced group that has the stretch */
            first = beyond;
            for (beyond++; beyond < n && (forced == NULL || forced[beyond - 1] == 0); beyond++) {
            }
        } while (beyond <= d->stretches[lo].value);
        uint64_t rows = 0;
        for (hi = lo; hi < n_stretches && d->stretches[hi].value < beyond; hi++) {
            rows += d->stretches[hi].toll.dead;
        }
        /* Even of a whole scheme: under a rule that splitting may mend, a part may live. */
        if (judge_all(d, line->view, line->order, d->stretches[lo].start, d->stretches[hi - 1].end,
                      rows, false) == DIES) {
            dead += rows;
        } else {
            for (size_t s = lo; s < hi; s++) {
                line->alive[d->stretches[s].value + 1] += d->stretches[s].toll.dead;
            }
            mark(d, axis, lo, hi, first, beyond, exact);
        }
        first = beyond;
    }
    return dead;
}

/* Prefix sums over firsts and lasts. */
static void sum_up(pv_cut_line *line, uint32_t n)
{
    const size_t width = (size_t)n + 1;
    for (size_t first = 0; first < n; first++) {
        pv_cut_toll *const row = line->tolls + first * width;
        pv_cut_toll sum = {0};
        for (size_t last = 0; last < n; last++) {
            add_corner(&sum, &row[last], false);
            row[last] = sum;
            if (first > 0) {
                add_corner(&row[last], &(row - width)[last], false);
            }
        }
    }
    for (uint32_t v = 0; v < n; v++) {
        line->alive[v + 1] += line->alive[v];
    }
}

uint64_t pv_i_cut_line_toll(pv_cut_deaths *deaths, size_t axis, const uint8_t *forced, bool exact)
{
    pv_cut_line *const line = &deaths->lines[axis];
    const uint32_t n = deaths->question->space->axes[axis].n;
    uint64_t dead = 0;
    memset(line->tolls, 0, ((size_t)n + 1) * (n + 1) * sizeof *line->tolls);
    memset(line->alive, 0, ((size_t)n + 1) * sizeof *line->alive);
    for (size_t c = 0; c < line->n_classes; c++) {
        dead += mark_class(deaths, axis, c, forced, exact);
    }
    sum_up(line, n);
    return dead;
}

/* own + kept + what the dead would have gained by the interval + their price. */
void pv_i_cut_line_price(pv_cut_deaths *deaths, size_t axis, const uint8_t *forced,
                         uint64_t most_dead, uint64_t price, uint64_t most)
{
    const pv_cut_question *const q = deaths->question;
    const pv_cut_line *const line = &deaths->lines[axis];
    const uint32_t n = q->space->axes[axis].n;
    const uint64_t unit = q->prices->unit[axis];
    uint32_t begin = 0; /* of the forced group */
    uint32_t beyond = 0;
    for (uint32_t first = 0; first < n; first++) {
        if (first == beyond) {
            begin = first;
            for (beyond++; beyond < n && (forced == NULL || forced[beyond - 1] == 0); beyond++) {
            }
        }
        for (uint32_t last = first; last < beyond; last++) {
            const pv_cut_toll *const toll = &line->tolls[first * ((size_t)n + 1) + last];
            const uint64_t rows = line->alive[last + 1] - line->alive[first];
            const unsigned __int128 cost =
                (unsigned __int128)unit * (last - first) * rows + toll->kept +
                (unsigned __int128)unit * (beyond - begin - (last - first + 1)) * toll->dead +
                (unsigned __int128)price * toll->shares / PV_CUT_SHARE;
            line->costs[(size_t)first * n + last] =
                toll->dead > most_dead || q->banned[axis][(size_t)first * n + last] || cost >= most
                    ? PV_CUT_IMPOSSIBLE
                    : (uint64_t)cost;
        }
    }
}

pv_cut_toll pv_i_cut_line_sum(const pv_cut_deaths *deaths, size_t axis, const uint8_t *cuts)
{
    const pv_cut_line *const line = &deaths->lines[axis];
    const uint32_t n = deaths->question->space->axes[axis].n;
    pv_cut_toll sum = {0};
    uint32_t first = 0;
    for (uint32_t v = 0; v < n; v++) {
        if (v + 1 == n || cuts[v] != 0) {
            add_corner(&sum, &line->tolls[first * ((size_t)n + 1) + v], false);
            first = v + 1;
        }
    }
    return sum;
}

void pv_i_cut_line_fill(pv_cut_deaths *deaths, size_t axis, const uint8_t *cuts)
{
    const pv_cut_question *const q = deaths->question;
    const pv_cut_line *const line = &deaths->lines[axis];
    for (size_t t = 0; t < line->view->n; t++) {
        line->bucket[t] = 0;
    }
    for (size_t a = 0; a < q->space->n_axes; a++) {
        const pv_cut_axis *const own = &q->space->axes[a];
        if (own->n > 1 && memchr(cuts + own->first_bit, 1, own->n - 1) != NULL) {
            const uint16_t *const values = line->view->values[a];
            for (size_t t = 0; t < line->view->n; t++) {
                line->bucket[t] += (uint32_t)q->mixer[a][values[t]];
            }
        }
    }
    for (size_t t = 0; t < line->view->n; t++) { /* the upper bits of the product are mixed best */
        line->bucket[t] = (uint32_t)((line->bucket[t] * UINT64_C(0x9E3779B97F4A7C15)) >> 40) &
                          (uint32_t)(deaths->n_buckets - 1);
    }
}

void pv_i_cut_line_kills(pv_cut_deaths *deaths, size_t axis, const uint8_t *cuts)
{
    const pv_cut_line *const line = &deaths->lines[axis];
    const size_t n_axes = deaths->question->space->n_axes;
    const uint16_t *const values = line->view->values[axis];
    size_t start = 0;
    for (size_t c = 0; c < line->n_classes; c++) {
        const size_t stop = line->ends[c];
        for (size_t end; start < stop; start = end) {
            uint64_t rows = 0;
            uint32_t value = values[line->order[start]];
            bool same = true;
            for (end = start; end < stop && same;) {
                const uint32_t t = line->order[end];
                const uint32_t next = values[t];
                same = next == value || memchr(cuts + value, 1, next - value) == NULL;
                if (same) {
                    rows += line->view->counts[t];
                    value = next;
                    end++;
                }
            }
            if (judge_all(deaths, line->view, line->order, start, end, rows, false) != LIVES) {
                for (size_t i = start; i < end; i++) {
                    const uint32_t t = line->order[i];
                    deaths->kills[line->bucket[t] * n_axes + axis] += line->view->counts[t];
                }
            }
        }
    }
}
