/* Releasing what was chosen record by record: what comes out keeps the demands, by counting
 * released texts; nobody gets finer; the account is right; and how far it is from the best there
 * is. */
#include "records/disclosure.h"
#include "records/weighing.h"
#include "support/files.h"
#include "support/front_search.h"
#include "support/recode_oracle.h"
#include "support/testing.h"

#include "scheme/scheme.h"
#include <paravent/census.h>

/* ------------------------------------------------------------------ results */

static const char *cell_of(const enforce_trial *t, size_t row, size_t q, unsigned level)
{
    const oracle_column *const column = &t->study.table.quasi[q];
    return oracle_group(column, column->cells[row], level);
}

/* How a row is released, beside how it was chosen to be. */
typedef struct {
    bool text;  /* some released text is another */
    bool level; /* at least some level is */
    bool finer; /* some attribute tells more */
} row_change;

static row_change compare_row(const enforce_trial *t, const uint8_t *levels, size_t row)
{
    const size_t n = t->study.table.n_quasi;
    const size_t tuple = pv_profile_tuple(t->study.profile, row);
    row_change change = {0};
    for (size_t q = 0; q < n; q++) {
        const unsigned chosen = t->chosen.levels[tuple * n + q];
        const unsigned got = levels[tuple * n + q];
        const char *const text = cell_of(t, row, q, got);
        change.finer |= got < chosen && !oracle_same(text, ORACLE_ROOT);
        change.text |= !oracle_same(text, cell_of(t, row, q, chosen));
        change.level |= got != chosen;
    }
    return change;
}

static void expect_account(enforce_trial *t, const oracle_release *release, const uint8_t *levels,
                           const pv_enforced *account)
{
    const size_t n_rows = t->study.table.n_rows;
    uint64_t least = 0;
    uint64_t most = 0;
    uint64_t finer = 0;
    uint64_t starred = 0;
    for (size_t row = 0; row < n_rows; row++) {
        const row_change change = compare_row(t, levels, row);
        least += change.text;
        most += change.level;
        finer += change.finer;
        starred += oracle_is_starred(release, row);
    }
    enforce_expect(t, account->changed >= least && account->changed <= most);
    enforce_expect(t, account->finer == finer);
    enforce_expect(t, finer == 0 || t->disclosure.aim != PV_AIM_MOST_UTILITY);
    enforce_expect(t, account->suppressed == (starred < n_rows || t->n_demands == 0 ? starred : 0));
    enforce_expect(t, account->merged < t->disclosure.n_tuples);
    enforce_expect(t, account->merged > 0 || starred > 0 || finer > 0 || account->changed == 0);
}

static void expect_demands(enforce_trial *t, const oracle_release *release)
{
    enforce_expect(t, release->n_suppressed <= t->budget);
    for (size_t row = 0; row < t->study.table.n_rows; row++) {
        enforce_expect(t, release->suppressed[row] || release->look_alike[row] != row ||
                              recode_class_keeps(release, row, t->demands, t->n_demands));
    }
}

static double release_loss(const oracle_release *release)
{
    double loss = 0;
    for (size_t row = 0; row < release->table->n_rows; row++) {
        loss += oracle_row_glm(release, row, 0);
    }
    return loss;
}

/* glm of what came out. */
static double expect_release(enforce_trial *t, const pv_scheme *scheme, const pv_enforced *account)
{
    random_records result = random_records_create(&t->study);
    assert_int_equal(scheme->n_levels, t->study.table.n_quasi);
    memcpy(result.levels, scheme->records, t->disclosure.n_tuples * scheme->n_levels);
    records_spread(&result);
    oracle_release release = oracle_release_records(&t->study.table);
    expect_demands(t, &release);
    expect_account(t, &release, scheme->records, account);
    const double loss = release_loss(&release);
    oracle_release_free(&release);
    random_records_free(&result);
    return loss;
}

/* INFINITY if there was no way. Another run, on other threads, gives the same. */
static double enforce_once(enforce_trial *t)
{
    const pv_context threads[] = {{.threads = 1}, {.threads = 2}};
    pv_scheme schemes[2] = {{0}, {0}};
    pv_enforced accounts[2];
    pv_error error = {0};
    double loss = (double)INFINITY;
    const pv_status status = enforce_try(t, &threads[0], &schemes[0], &accounts[0], &error);
    assert_int_equal(enforce_try(t, &threads[1], &schemes[1], &accounts[1], NULL), status);
    if (status == PV_STATUS_OK) {
        assert_memory_equal(schemes[0].records, schemes[1].records,
                            t->disclosure.n_tuples * t->disclosure.n_quasi);
        assert_memory_equal(&accounts[0], &accounts[1], sizeof *accounts);
        loss = expect_release(t, &schemes[0], &accounts[0]);
    } else {
        enforce_expect(t, status == PV_STATUS_UNSATISFIED && schemes[0].records == NULL);
        assert_true(error.message[0] != '\0' && error.hint[0] != '\0');
    }
    pv_i_scheme_deinit(&schemes[0]);
    pv_i_scheme_deinit(&schemes[1]);
    return loss;
}

/* ---------------------------------------------------------- against the best */

/* How many times as much as the best. */
typedef struct {
    const char *name;
    size_t n, equal, missed;
    double sum, worst;
} gaps;

static void note(gaps *g, double loss, double best)
{
    const double ratio = loss <= best + RECODE_SLACK ? 1 : loss / best;
    if (isinf(best)) {
        return;
    }
    if (isinf(loss)) {
        g->missed++;
        return;
    }
    g->n++;
    g->equal += ratio <= 1;
    g->sum += ratio;
    g->worst = fmax(g->worst, ratio);
}

static void tell(const gaps *g)
{
    print_message("%s: %zu cases, %zu as good, mean ratio %.4f, worst %.3f, %zu missed\n", g->name,
                  g->n, g->equal, g->n > 0 ? g->sum / (double)g->n : 0, g->worst, g->missed);
}

static random_shape tiny_shape(pv_rng *rng)
{
    random_shape shape = {.heights = 4, .copies = 3};
    shape.n_rows = 2 + (size_t)pv_i_rng_below(rng, RECODE_TUPLES - 1);
    shape.n_quasi = 1 + (size_t)pv_i_rng_below(rng, 3);
    shape.n_values = 2 + (size_t)pv_i_rng_below(rng, 5);
    shape.n_sensitive = 1 + (size_t)pv_i_rng_below(rng, 2);
    shape.missing = pv_i_rng_below(rng, 3) == 0 ? 6 : 0;
    shape.uniform = pv_i_rng_below(rng, 2) == 0;
    return shape;
}

static const char *const demands[] = {"k=2",
                                      "k=3",
                                      "k=2,l-distinct=2",
                                      "l-entropy=1.5",
                                      "k=2,l-recursive(2)=2",
                                      "t-closeness=0.3",
                                      "l-distinct=2,t-closeness=0.5",
                                      "k=3,l-entropy=1.9",
                                      "l-entropy=1.9,t-closeness=0.25",
                                      "k=2,l-recursive(1)=2,t-closeness=0.4",
                                      "k=2.5",
                                      "k=2,l-distinct(s0)=2",
                                      "t-closeness(s0)=0.3",
                                      "l-recursive(s0;2)=2,l-entropy=1.2"};
#define N_DEMANDS (sizeof demands / sizeof *demands)

static void compare_with_best(enforce_trial *t, gaps *raw, gaps *chosen)
{
    const records_manner manner = random_one_in(&t->study, 2)
                                      ? RECORDS_RAW
                                      : (records_manner)random_below(&t->study, RECORDS_MANNERS);
    enforce_choose(t, manner);
    enforce_demand(t, demands[random_below(&t->study, N_DEMANDS)]);
    t->disclosure.aim = PV_AIM_MOST_UTILITY; /* nobody may get finer than chosen */
    t->budget = random_one_in(&t->study, 2) ? 0 : random_below(&t->study, t->study.table.n_rows);
    recode_oracle best = recode_create(&t->chosen, t->demands, t->n_demands);
    const double optimum = recode_optimum(&best, (size_t)t->budget);
    const double loss = enforce_once(t);
    enforce_expect(t, loss >= optimum - RECODE_SLACK);
    note(manner == RECORDS_RAW ? raw : chosen, loss, optimum);
    recode_free(&best);
}

static void tiny_tables_against_all_partitions(void **state)
{
    gaps raw = {.name = "raw, against all partitions"};
    gaps chosen = {.name = "chosen, against all partitions"};
    pv_rng rng;
    (void)state;
    pv_i_rng_init(&rng, 631);
    for (size_t i = 0; i < effort(1000); i++) {
        const random_shape shape = tiny_shape(&rng);
        enforce_trial t;
        enforce_init(&t, &rng, &shape);
        compare_with_best(&t, &raw, &chosen);
        enforce_deinit(&t);
    }
    tell(&raw);
    tell(&chosen);
    if (effort_is_whole()) {
        assert_true(raw.missed + chosen.missed <= 2);
        assert_true(raw.sum <= 1.02 * (double)raw.n && chosen.sum <= 1.02 * (double)chosen.n);
    }
}

static bool plan_allows(const enforce_trial *t)
{
    bool allows = true;
    for (size_t q = 0; q < t->study.table.n_quasi; q++) {
        allows &= pv_study_allows(t->study.bound.study, q, t->study.table.quasi[q].level);
    }
    return allows;
}

/* Of those that the plan allows. */
static double best_levels(enforce_trial *t)
{
    oracle_table *const table = &t->study.table;
    const unsigned *const levels = table->levels;
    double best = (double)INFINITY;
    table->levels = NULL;
    for (size_t q = 0; q < table->n_quasi; q++) {
        table->quasi[q].level = 0;
    }
    do {
        if (plan_allows(t)) {
            best =
                fmin(best, recode_levels_loss(table, t->demands, t->n_demands, (size_t)t->budget));
        }
    } while (oracle_next_levels(table));
    table->levels = levels;
    return best;
}

/* What was chosen keeps to the plan, as what a search chooses does. */
static void choose_allowed(enforce_trial *t)
{
    const random_study *const s = &t->study;
    const size_t n = s->table.n_quasi;
    for (size_t i = 0; i < t->disclosure.n_tuples * n; i++) {
        const size_t q = i % n;
        uint8_t low;
        uint8_t high;
        pv_i_allowed_levels(s->bound.study, q, &low, &high);
        const uint8_t root = pv_i_root_level(pv_study_hierarchy(s->bound.study, q),
                                             pv_profile_leaf(s->profile, i / n, q));
        uint8_t *const level = &t->chosen.levels[i];
        *level = *level < low ? low : *level > high ? high : *level;
        *level = *level < root ? *level : root;
    }
    records_spread(&t->chosen);
}

/* Everyone at a level that the plan allows, or suppressed. */
static void expect_allowed(enforce_trial *t, const uint8_t *levels)
{
    const random_study *const s = &t->study;
    const size_t n = s->table.n_quasi;
    for (size_t row = 0; row < s->table.n_rows; row++) {
        const uint8_t *const own = levels + pv_profile_tuple(s->profile, row) * n;
        bool starred = true;
        bool allowed = true;
        for (size_t q = 0; q < n; q++) {
            const char *const text = cell_of(t, row, q, own[q]);
            bool some = false;
            for (unsigned l = 0; l <= oracle_height(&s->table.quasi[q]); l++) {
                some |= pv_study_allows(s->bound.study, q, l) &&
                        oracle_same(cell_of(t, row, q, l), text);
            }
            starred &= oracle_same(text, ORACLE_ROOT);
            allowed &= some;
        }
        enforce_expect(t, allowed || starred);
    }
}

/* Levels that the plan fixes or limits hold when demands are kept; and whenever such levels keep
 * the demands, so do records. */
static void the_plan_is_kept_to(void **state)
{
    pv_rng rng;
    size_t n_kept = 0;
    (void)state;
    pv_i_rng_init(&rng, 634);
    const size_t n = effort(1500);
    for (size_t i = 0; i < n; i++) {
        random_shape shape = tiny_shape(&rng);
        enforce_trial t;
        pv_scheme scheme = {0};
        pv_enforced account;
        shape.n_rows = 2 + (size_t)pv_i_rng_below(&rng, 30);
        shape.limited = true;
        enforce_init(&t, &rng, &shape);
        const records_manner manner = (records_manner)random_below(&t.study, RECORDS_MANNERS);
        enforce_choose(&t, manner);
        choose_allowed(&t);
        enforce_demand(&t, demands[random_below(&t.study, N_DEMANDS)]);
        t.budget = random_one_in(&t.study, 3) ? 0 : random_below(&t.study, 12);
        t.disclosure.aim = (pv_aim)random_below(&t.study, PV_AIM_COUNT);
        const double loss = enforce_once(&t);
        if (!isinf(loss)) {
            assert_int_equal(enforce_try(&t, NULL, &scheme, &account, NULL), PV_STATUS_OK);
            expect_allowed(&t, scheme.records);
            pv_i_scheme_deinit(&scheme);
            n_kept++;
        }
        const bool is_bounded = t.disclosure.aim == PV_AIM_MOST_UTILITY && manner != RECORDS_RAW;
        enforce_expect(&t, is_bounded || isinf(best_levels(&t)) || !isinf(loss));
        enforce_deinit(&t);
    }
    assert_true(n_kept > n / 4 || !effort_is_whole());
}

/* Whenever levels keep the demands, so do records, whatever was chosen, with the same budget. */
static void records_keep_what_levels_keep(void **state)
{
    gaps raw = {.name = "raw, against the best levels"};
    gaps chosen = {.name = "chosen, against the best levels"};
    pv_rng rng;
    (void)state;
    pv_i_rng_init(&rng, 632);
    for (size_t i = 0; i < effort(1500); i++) {
        random_shape shape = tiny_shape(&rng);
        enforce_trial t;
        shape.n_rows = 2 + (size_t)pv_i_rng_below(&rng, 30);
        enforce_init(&t, &rng, &shape);
        const records_manner manner = (records_manner)random_below(&t.study, RECORDS_MANNERS);
        enforce_choose(&t, manner);
        enforce_demand(&t, demands[random_below(&t.study, N_DEMANDS)]);
        t.budget = random_one_in(&t.study, 2) ? 0 : random_below(&t.study, 8);
        t.disclosure.aim = (pv_aim)random_below(&t.study, PV_AIM_COUNT);
        const double loss = enforce_once(&t);
        const double levels = best_levels(&t);
        const bool is_bounded = t.disclosure.aim == PV_AIM_MOST_UTILITY && manner != RECORDS_RAW;
        enforce_expect(&t, is_bounded || isinf(levels) || !isinf(loss));
        if (!is_bounded) {
            note(manner == RECORDS_RAW ? &raw : &chosen, loss, levels);
        }
        enforce_deinit(&t);
    }
    tell(&raw);
    tell(&chosen);
    assert_int_equal(raw.missed + chosen.missed, 0);
}

/* -------------------------------------------------------------------- cases */

typedef struct {
    bound_study bound;
    pv_profile *profile;
    uint8_t levels[8 * 2]; /* by tuple */
    pv_disclosed tuples[8];
    pv_disclosure disclosure;
} few;

/* Two quasi-identifiers, at most eight rows, all released as they are. */
static few few_open(const char *plan, const char *table)
{
    few f = {.bound = bound_study_create(plan, table)};
    f.profile = bound_profile(f.bound.study, 1);
    f.disclosure = (pv_disclosure){.n_quasi = 2, .n_tuples = pv_profile_tuples(f.profile)};
    return f;
}

static pv_status few_enforce(few *f, const char *text, uint64_t budget, pv_scheme *scheme,
                             pv_enforced *account, pv_error *error)
{
    pv_constraint list[PV_MAX_CONSTRAINTS];
    size_t n = 0;
    if (text != NULL) {
        bound_must(pv_constraints_parse(text, list, &n, error), error);
    }
    f->disclosure.tuples = f->tuples;
    for (size_t t = 0; t < f->disclosure.n_tuples; t++) {
        f->tuples[t].levels = f->levels + 2 * t;
    }
    return pv_i_disclosure_scheme(&f->disclosure, f->profile, list, n, budget, NULL, scheme,
                                  account, error);
}

static void few_close(few *f)
{
    pv_profile_free(f->profile);
    bound_study_free(&f->bound);
}

static const char pair_plan[] = "attributes:\n"
                                "  place: {role: quasi}\n"
                                "  age: {role: quasi, hierarchy: {intervals: [10, 100]}}\n"
                                "  ill: {role: sensitive}\n";

/* Alone it is cheaper to suppress than to take in, but then the two who are left are too few. */
static void who_is_needed_is_not_suppressed(void **state)
{
    few f = few_open(pair_plan, "place,age,ill\nx,1,a\nx,31,b\nx,31,c\n");
    pv_scheme scheme = {0};
    pv_enforced account;
    pv_error error = {0};
    (void)state;
    bound_must(few_enforce(&f, "k=3", 1, &scheme, &account, &error), &error);
    assert_int_equal(account.suppressed, 0);
    assert_int_equal(account.changed, 3);
    assert_int_equal(account.merged, 1);
    const uint8_t expected[] = {0, 2, 0, 2};
    assert_memory_equal(scheme.records, expected, sizeof expected);
    assert_int_equal(error.status, PV_STATUS_OK);
    pv_i_scheme_deinit(&scheme);
    few_close(&f);
}

static void who_is_far_is_suppressed(void **state)
{
    few f = few_open(pair_plan, "place,age,ill\nx,1,a\nx,1,b\ny,99,c\nx,2,c\nx,2,c\n");
    pv_scheme scheme = {0};
    pv_enforced account;
    pv_error error = {0};
    (void)state;
    bound_must(few_enforce(&f, "k=2", 1, &scheme, &account, &error), &error);
    assert_int_equal(account.suppressed, 1);
    assert_int_equal(account.changed, 1);
    assert_int_equal(account.merged, 0);
    const size_t far = pv_profile_tuple(f.profile, 2);
    for (size_t t = 0; t < 3; t++) {
        assert_int_equal(scheme.records[2 * t], t == far ? 1 : 0);
        assert_int_equal(scheme.records[2 * t + 1], t == far ? 3 : 0);
    }
    pv_i_scheme_deinit(&scheme);
    few_close(&f);
}

/* Whatever cannot be: a former scheme stays, and the message names no value. */
static void expect_refused(few *f, const char *text, uint64_t budget, pv_status expected)
{
    pv_scheme scheme = {0};
    pv_error error = {0};
    pv_enforced account = {.merged = 77};
    bound_must(pv_i_scheme_init(&scheme, f->bound.study, &error), &error);
    const uint8_t *const levels = scheme.levels;
    assert_int_equal(few_enforce(f, text, budget, &scheme, &account, &error), expected);
    assert_int_equal(error.status, expected);
    assert_true(error.message[0] != '\0');
    assert_ptr_equal(scheme.levels, levels);
    assert_null(scheme.records);
    assert_int_equal(account.merged, 77);
    assert_int_equal(few_enforce(f, text, budget, &scheme, NULL, &error), expected);
    pv_i_scheme_deinit(&scheme);
}

static void what_cannot_be_kept_is_refused(void **state)
{
    few f = few_open(pair_plan, "place,age,ill\nx,1,a\nx,31,a\ny,31,b\n");
    (void)state;
    expect_refused(&f, "k=4", 0, PV_STATUS_UNSATISFIED);
    expect_refused(&f, "k=4", 2, PV_STATUS_UNSATISFIED);
    expect_refused(&f, "k=4", 3, PV_STATUS_UNSATISFIED); /* someone always remains */
    expect_refused(&f, "k=4", UINT64_MAX, PV_STATUS_UNSATISFIED);
    expect_refused(&f, "l-distinct=3", 2, PV_STATUS_UNSATISFIED);
    expect_refused(&f, "k=2,l-entropy=2.5", 1, PV_STATUS_UNSATISFIED);
    expect_refused(&f, "risk=0.5", 0, PV_STATUS_ARGUMENT);
    expect_refused(&f, "k=2,sum-l=3", 0, PV_STATUS_ARGUMENT);
    few_close(&f);
}

static void diversity_needs_a_sensitive_attribute(void **state)
{
    few f = few_open("attributes: {a: {role: quasi}, b: {role: quasi}}", "a,b\n1,2\n");
    (void)state;
    expect_refused(&f, "l-distinct=2", 0, PV_STATUS_ARGUMENT);
    few_close(&f);
}

/* Of records whose choice is not known nothing is released; if they are more than the budget,
 * everyone must be like them. */
static void records_without_levels_are_starred(void **state)
{
    few f = few_open(pair_plan, "place,age,ill\nx,1,a\nx,1,b\ny,1,c\n");
    pv_scheme scheme = {0};
    pv_enforced account;
    (void)state;
    pv_constraint demand = {.ref = {.measure = pv_measure_find("k")}, .bound = 2};
    f.disclosure.tuples = f.tuples;
    f.tuples[pv_profile_tuple(f.profile, 0)].levels = f.levels;
    for (uint64_t budget = 0; budget < 2; budget++) {
        assert_int_equal(pv_i_disclosure_scheme(&f.disclosure, f.profile, &demand, 1, budget, NULL,
                                                &scheme, &account, NULL),
                         PV_STATUS_OK);
        const uint8_t *const known = scheme.records + 2 * pv_profile_tuple(f.profile, 0);
        assert_int_equal(known[0], budget == 0 ? 1 : 0);
        assert_int_equal(account.suppressed, budget);
        assert_int_equal(account.finer, 0);
    }
    assert_int_equal(account.suppressed, 1);
    assert_int_equal(account.changed, 0);
    const uint8_t *const unknown = scheme.records + 2 * pv_profile_tuple(f.profile, 2);
    assert_int_equal(unknown[0], 1);
    assert_int_equal(unknown[1], 3);
    pv_i_scheme_deinit(&scheme);
    few_close(&f);
}

/* ------------------------------------------------------------ without demands */

/* Of those who are shown, k = 1 demands nothing. */
static void expect_same_with_k1(enforce_trial *t, const pv_scheme *scheme,
                                const pv_enforced *account)
{
    pv_constraint demand = {.ref = {.measure = pv_measure_find("k")}, .bound = 1};
    const uint64_t rows = pv_profile_rows(t->study.profile);
    pv_scheme same = {0};
    pv_enforced other;
    if (account->suppressed == rows) {
        return; /* someone must remain */
    }
    assert_int_equal(pv_i_disclosure_scheme(&t->disclosure, t->study.profile, &demand, 1,
                                            account->suppressed, NULL, &same, &other, NULL),
                     PV_STATUS_OK);
    assert_memory_equal(same.records, scheme->records,
                        t->disclosure.n_tuples * t->disclosure.n_quasi);
    assert_memory_equal(&other, account, sizeof other);
    pv_i_scheme_deinit(&same);
}

static void without_demands_all_is_as_chosen(void **state)
{
    pv_rng rng;
    (void)state;
    pv_i_rng_init(&rng, 633);
    for (size_t i = 0; i < effort(300); i++) {
        const random_shape shape = records_shape(&rng);
        pv_scheme scheme = {0};
        pv_enforced account;
        pv_error error = {0};
        enforce_trial t;
        enforce_init(&t, &rng, &shape);
        enforce_choose(&t, (records_manner)(i % RECORDS_MANNERS));
        bound_must(enforce_try(&t, NULL, &scheme, &account, &error), &error);
        assert_memory_equal(scheme.records, t.chosen.levels,
                            t.disclosure.n_tuples * t.disclosure.n_quasi);
        expect_same_with_k1(&t, &scheme, &account);
        oracle_release release = oracle_release_records(&t.study.table);
        expect_account(&t, &release, scheme.records, &account);
        assert_int_equal(account.changed, 0);
        assert_int_equal(account.merged, 0);
        oracle_release_free(&release);
        pv_i_scheme_deinit(&scheme);
        enforce_deinit(&t);
    }
}

/* ------------------------------------------------------------------- census */

typedef struct {
    scratch_folder folder; /* its file is the plan */
    pv_plan *plan;
    pv_study *study;
    pv_profile *profile;
    uint8_t *levels;
    pv_disclosed *tuples;
    pv_disclosure disclosure;
} census;

static void census_open(census *c, uint64_t rows)
{
    pv_error error = {0};
    c->folder = scratch_folder_create("plan.yaml");
    bound_must(pv_census_write(c->folder.path, rows, 1, false, &error), &error);
    bound_must(pv_plan_read(c->folder.file, &c->plan, &error), &error);
    bound_must(pv_study_open(c->plan, NULL, NULL, &c->study, &error), &error);
    c->profile = bound_profile(c->study, 1);
    const size_t n = pv_profile_tuples(c->profile);
    const size_t n_quasi = pv_study_quasis(c->study);
    c->levels = oracle_array(n, n_quasi);
    c->tuples = oracle_array(n, sizeof *c->tuples);
    for (size_t t = 0; t < n; t++) {
        c->tuples[t].levels = c->levels + t * n_quasi;
    }
    c->disclosure = (pv_disclosure){.n_quasi = n_quasi, .n_tuples = n, .tuples = c->tuples};
}

static void census_close(census *c)
{
    free(c->levels);
    free(c->tuples);
    pv_profile_free(c->profile);
    pv_study_free(c->study);
    pv_plan_free(c->plan);
    scratch_folder_remove(&c->folder);
}

static double census_best_levels(const census *c, double k)
{
    static const char *const objectives[] = {"k", "glm", NULL};
    const search_request request = {
        .objectives = objectives,
        .method = "exact",
        .suppression = {.whole_budget = true, .budget = pv_study_budget(c->study)}};
    pv_front *const front = search_front(c->profile, &request);
    double best = (double)INFINITY;
    assert_true(front->complete);
    for (size_t i = 0; i < front->n_points; i++) {
        if (front->points[i].values[0] >= k) {
            best = fmin(best, front->points[i].values[1]);
        }
    }
    pv_front_free(front);
    return best;
}

static void the_census_keeps_more_than_with_levels(void **state)
{
    const pv_constraint demand = {.ref = {.measure = pv_measure_find("k")}, .bound = 5};
    const pv_measure_ref glm = {.measure = pv_measure_find("glm")};
    census c;
    pv_scheme scheme = {0};
    pv_classes *classes = NULL;
    pv_error error = {0};
    double loss = 0;
    (void)state;
    census_open(&c, 600);
    bound_must(pv_i_disclosure_scheme(&c.disclosure, c.profile, &demand, 1,
                                      pv_study_budget(c.study), NULL, &scheme, NULL, &error),
               &error);
    bound_must(pv_classes_create_records(c.profile, scheme.records, &classes, &error), &error);
    bound_must(pv_measure_value(glm, classes, &loss, &error), &error);
    assert_true(pv_classes_k(classes) >= 5);
    assert_true(pv_classes_suppressed(classes) <= pv_study_budget(c.study));
    const double levels = census_best_levels(&c, 5);
    print_message("census: glm %.1f record by record, %.1f with levels\n", loss, levels);
    assert_true(loss < levels);
    pv_classes_free(classes);
    pv_i_scheme_deinit(&scheme);
    census_close(&c);
}

static bool stop(void *ctx, const pv_progress *progress)
{
    assert_true(progress->total == 0 || progress->done <= progress->total);
    ++*(int *)ctx;
    return false;
}

static void it_can_be_stopped(void **state)
{
    few f = few_open(pair_plan, "place,age,ill\nx,1,a\nx,31,b\nx,31,c\n");
    const pv_constraint demand = {.ref = {.measure = pv_measure_find("k")}, .bound = 2};
    int calls = 0;
    const pv_context context = {.progress = stop, .progress_ctx = &calls};
    pv_scheme scheme = {0};
    pv_error error = {0};
    (void)state;
    f.disclosure.tuples = f.tuples;
    f.tuples[0].levels = f.tuples[1].levels = f.levels;
    assert_int_equal(pv_i_disclosure_scheme(&f.disclosure, f.profile, &demand, 1, 0, &context,
                                            &scheme, NULL, &error),
                     PV_STATUS_CANCELLED);
    assert_int_equal(calls, 1);
    assert_null(scheme.records);
    few_close(&f);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(tiny_tables_against_all_partitions),
        cmocka_unit_test(records_keep_what_levels_keep),
        cmocka_unit_test(the_plan_is_kept_to),
        cmocka_unit_test(who_is_needed_is_not_suppressed),
        cmocka_unit_test(who_is_far_is_suppressed),
        cmocka_unit_test(what_cannot_be_kept_is_refused),
        cmocka_unit_test(diversity_needs_a_sensitive_attribute),
        cmocka_unit_test(records_without_levels_are_starred),
        cmocka_unit_test(without_demands_all_is_as_chosen),
        cmocka_unit_test(the_census_keeps_more_than_with_levels),
        cmocka_unit_test(it_can_be_stopped),
    };
    return cmocka_run_group_tests_name("demands record by record", tests, NULL, NULL);
}
