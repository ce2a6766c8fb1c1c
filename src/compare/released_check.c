/* Is this a release of that table, row by row? Whoever compares the wrong rows gets numbers that
 * look right. So what a row of the release says must not contradict its row of the original:
 *
 *     a column that is no quasi-identifier   was released unchanged: the same value
 *     a label of the plan's hierarchy        covers the original value
 *     a value of the original                is that value
 *     20-29, [20,30), <25, >=60              contains the original number
 *
 * Everything else says nothing we could check; nor do `*` and missing values, which tools use for
 * what they left out. Columns are checked by their codes: every released value has its *claim*, and
 * a claim is looked at once per pair of values where these are few.
 *
 *     released code    0        1        2         claims[]: made once, O(values)
 *     text             20-29    Europe   *
 *     claim            number   node     nothing
 *                      |        |
 *     original code    17: 24   3: Italy           is 24 within? is Italy's place under the node?
 *
 * The order of the checks is that of their price: columns side by side on threads; only if some
 * column contradicts are rows counted, for the message; only if none does, and rows were matched by
 * order, is the order itself doubted. A message names columns and numbers of rows, never a value:
 * the original is private. */
#include "base/error.h"
#include "base/memory.h"
#include "compare/released.h"
#include "hierarchy/labels.h"
#include "hierarchy/numbers.h"
#include "hierarchy/tree.h"
#include "plan/plan.h"
#include "plan/spelling.h"
#include "table/column.h"
#include "table/value.h"

#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Pairs of values up to which each is judged once. */
#define FEW_PAIRS ((uint64_t)1 << 16)
#define MOST_NAMED 5 /* columns in a message */
/* Rows held against rows to find out whether a sorted file can only be in the original's order. */
#define MOST_FITTED ((uint64_t)1 << 27)

/* ------------------------------------------------------------------- claims */

typedef enum {
    CLAIM_NOTHING = 0,
    CLAIM_TEXT,  /* it is this value */
    CLAIM_NODE,  /* it lies under this node */
    CLAIM_NUMBER /* it is within these numbers */
} claim_kind;

typedef struct {
    claim_kind kind;
    uint32_t first, end; /* NODE: places in the depth-first order of the hierarchy */
    pv_ticks low, high;  /* NUMBER */
    bool has_low, has_high, opens_low, opens_high; /* are the ends themselves outside? */
} claim;

/* One column of the release beside its original. */
typedef struct {
    const pv_table *release, *original;
    size_t released, from;    /* columns */
    const pv_hierarchy *tree; /* of a quasi-identifier; NULL = it is none */
    claim *claims;            /* per released value */
    pv_ticks *numbers;        /* per original value, if it is one */
    bool *is_number;
    bool contradicts;
} checked;

static const char *skip_blanks(const char *text)
{
    return text + strspn(text, " ");
}

/* A number at the start of a text; where it ends, or NULL. */
static const char *take_number(const char *text, pv_ticks *number)
{
    char digits[PV_NUMBER_SIZE];
    size_t n = 0;
    text = skip_blanks(text);
    while (n + 1 < sizeof digits && text[n] != '\0' &&
           ((n == 0 && (text[n] == '-' || text[n] == '+')) || text[n] == '.' ||
            (text[n] >= '0' && text[n] <= '9'))) {
        digits[n] = text[n];
        n++;
    }
    digits[n] = '\0';
    return pv_i_ticks_parse(digits, NULL, number) ? text + n : NULL;
}

/* <25 <=25 >60 >=60 60+ */
static bool parse_side(const char *text, claim *c)
{
    const bool below = text[0] == '<';
    if (below || text[0] == '>') {
        const bool opens = text[1] != '=';
        const char *const end = take_number(text + (opens ? 1 : 2), below ? &c->high : &c->low);
        c->has_low = !below;
        c->has_high = below;
        c->opens_low = !below && opens;
        c->opens_high = below && opens;
        return end != NULL && *skip_blanks(end) == '\0';
    }
    const char *const end = take_number(text, &c->low);
    c->has_low = true;
    return end != NULL && end[0] == '+' && end[1] == '\0';
}

/* [20,30) (20,30] with a comma or a semicolon */
static bool parse_brackets(const char *text, claim *c)
{
    const char *at = text[0] == '[' || text[0] == '(' ? take_number(text + 1, &c->low) : NULL;
    at = at != NULL ? skip_blanks(at) : NULL;
    at = at != NULL && (*at == ',' || *at == ';') ? take_number(at + 1, &c->high) : NULL;
    at = at != NULL ? skip_blanks(at) : NULL;
    if (at == NULL || (*at != ']' && *at != ')') || at[1] != '\0') {
        return false;
    }
    c->has_low = c->has_high = true;
    c->opens_low = text[0] == '(';
    c->opens_high = *at == ')';
    return c->low <= c->high;
}

/* 20-29; between whole numbers it ends where 30 begins. */
static bool parse_range(const char *text, claim *c)
{
    const char *at = take_number(text, &c->low);
    at = at != NULL ? skip_blanks(at) : NULL;
    at = at != NULL && *at == '-' ? take_number(at + 1, &c->high) : NULL;
    if (at == NULL || *skip_blanks(at) != '\0' || c->low > c->high) {
        return false;
    }
    c->has_low = c->has_high = true;
    if (pv_i_ticks_whole(c->low) && pv_i_ticks_whole(c->high)) {
        c->high += PV_TICKS_ONE;
        c->opens_high = true;
    }
    return true;
}

/* The forms in which programs write ranges. The first that fits counts; a text that fits none
 * claims nothing, which is safe: it can only let a wrong file pass, never refuse a right one. */
static bool parse_numbers(const char *text, claim *c)
{
    static bool (*const forms[])(const char *text, claim *c) = {parse_side, parse_brackets,
                                                                parse_range};
    const claim none = {.kind = CLAIM_NUMBER};
    for (size_t i = 0; i < sizeof forms / sizeof *forms; i++) {
        *c = none;
        if (forms[i](text, c)) {
            return true;
        }
    }
    return false;
}

/* Ticks are whole numbers (hierarchy/numbers.h): ends are compared exactly. */
static bool contains(const claim *c, pv_ticks number)
{
    const bool above = !c->has_low || number > c->low || (number == c->low && !c->opens_low);
    const bool below = !c->has_high || number < c->high || (number == c->high && !c->opens_high);
    return above && below;
}

/* What a released value of a quasi-identifier says of the original. A label of the hierarchy comes
 * before a value: where both are called alike, the label covers the value, and is_contradicted
 * accepts the value itself as well. */
static claim claim_of_label(const pv_hierarchy *tree, const pv_labels *nodes,
                            const pv_value_index *values, const char *text)
{
    claim c = {0};
    const char *const plain = text[0] == '\'' ? text + 1 : text; /* formulas escaped */
    const bool is_value = pv_i_value_index_find(values, text) != PV_NO_CODE ||
                          pv_i_value_index_find(values, plain) != PV_NO_CODE;
    const uint32_t whole = pv_i_labels_find(nodes, text);
    const uint32_t node = whole != PV_NO_LABEL ? whole : pv_i_labels_find(nodes, plain);
    if (node != PV_NO_LABEL) {
        return (claim){
            .kind = CLAIM_NODE, .first = tree->nodes[node].first, .end = tree->nodes[node].end};
    }
    if (!is_value && parse_numbers(text, &c)) {
        return c;
    }
    return (claim){.kind = is_value ? CLAIM_TEXT : CLAIM_NOTHING};
}

/* A suppressed or empty cell: whoever left something out made no claim. */
static bool says_nothing(const checked *k, uint32_t code)
{
    return code == pv_table_missing(k->release, k->released) ||
           strcmp(pv_table_value(k->release, k->released, code), PV_ROOT_LABEL) == 0;
}

/* Labels of the plan's tree, and the values there are, are looked up once per released value:
 * O(values), however many rows there are. */
static pv_status claim_labels(checked *k, pv_error *error)
{
    pv_arena arena = {0};
    pv_labels nodes = {0};
    pv_value_index values = {0};
    pv_status status = pv_i_value_index_init(&values, k->original, k->from, error);
    for (uint32_t node = 0; status == PV_STATUS_OK && node < k->tree->n_nodes; node++) {
        uint32_t number;
        status = pv_i_labels_add(&nodes, &arena, k->tree->nodes[node].label, &number, error);
    }
    const uint32_t n = pv_table_values(k->release, k->released);
    for (uint32_t code = 0; status == PV_STATUS_OK && code < n; code++) {
        if (!says_nothing(k, code)) {
            k->claims[code] = claim_of_label(k->tree, &nodes, &values,
                                             pv_table_value(k->release, k->released, code));
        }
    }
    pv_i_value_index_deinit(&values);
    pv_i_labels_deinit(&nodes);
    pv_i_arena_deinit(&arena);
    return status;
}

/* ------------------------------------------------------------------ verdicts */

/* The same value, however numbers and dates are spelled. */
static bool is_itself(const checked *k, uint32_t released, uint32_t original)
{
    const char *const a = pv_table_value(k->release, k->released, released);
    const char *const b = pv_table_value(k->original, k->from, original);
    const pv_format *const format = pv_table_format(k->original, k->from);
    char canonical_a[PV_CANONICAL_SIZE];
    char canonical_b[PV_CANONICAL_SIZE];
    pv_ticks number_a;
    pv_ticks number_b;
    if (strcmp(a, b) == 0 || (a[0] == '\'' && strcmp(a + 1, b) == 0)) { /* formulas escaped */
        return true;
    }
    const size_t n = pv_i_table_canonical(k->original, k->from, a, strlen(a), canonical_a);
    if (n > 0 && n == pv_i_table_canonical(k->original, k->from, b, strlen(b), canonical_b) &&
        memcmp(canonical_a, canonical_b, n) == 0) {
        return true;
    }
    return pv_i_ticks_parse(a, format, &number_a) && pv_i_ticks_parse(b, format, &number_b) &&
           number_a == number_b;
}

/* A label also accepts the value of its own name: see claim_of_label. What is no number contradicts
 * no interval: tools write words for what they could not place. */
static bool is_contradicted(const checked *k, uint32_t released, uint32_t original)
{
    const claim *const c = &k->claims[released];
    switch (c->kind) {
    case CLAIM_NOTHING: return false;
    case CLAIM_TEXT: return !is_itself(k, released, original);
    case CLAIM_NUMBER: return k->is_number[original] && !contains(c, k->numbers[original]);
    case CLAIM_NODE: break;
    }
    const uint32_t place = k->tree->place_of[pv_hierarchy_leaf(k->tree, original)];
    return (place < c->first || place >= c->end) && !is_itself(k, released, original);
}

/* ------------------------------------------------------------------- columns */

/* Of a column that is no quasi-identifier every value says that it is itself. */
static pv_status make_claims(checked *k, pv_error *error)
{
    const uint32_t n_released = pv_table_values(k->release, k->released);
    const uint32_t n = pv_table_values(k->original, k->from);
    k->claims = PV_NEW_ZEROED(claim, n_released);
    if (k->claims == NULL) {
        return pv_i_no_memory(error);
    }
    for (uint32_t code = 0; k->tree == NULL && code < n_released; code++) {
        k->claims[code].kind = says_nothing(k, code) ? CLAIM_NOTHING : CLAIM_TEXT;
    }
    if (k->tree == NULL) {
        return PV_STATUS_OK;
    }
    k->numbers = PV_NEW_ARRAY(pv_ticks, n);
    k->is_number = PV_NEW_ARRAY(bool, n);
    if (k->numbers == NULL || k->is_number == NULL) {
        return pv_i_no_memory(error);
    }
    for (uint32_t code = 0; code < n; code++) {
        k->is_number[code] =
            code != pv_table_missing(k->original, k->from) &&
            pv_i_ticks_parse(pv_table_value(k->original, k->from, code),
                             pv_table_format(k->original, k->from), &k->numbers[code]);
    }
    return claim_labels(k, error);
}

/* One entry of the release beside its entry of the original. */
static bool contradicts_in(const checked *k, const uint64_t *from, uint64_t entry)
{
    return is_contradicted(
        k, pv_i_codes_at(pv_i_table_codes(k->release, k->released), entry),
        pv_i_codes_at(pv_i_table_codes(k->original, k->from), from != NULL ? from[entry] : entry));
}

/* ---------------------------------------------------------------------- all */

typedef struct {
    const pv_table *release;
    const uint64_t *from; /* entries of the original; NULL = in the same order */
    checked *columns;
    size_t n;
} checking;

/* Three ways to the same answer, the cheapest that applies:
 *     codes are equal      every pair is (c, c): O(values), no entry is looked at
 *     few pairs of values  a table of verdicts, then one lookup per entry
 *     otherwise            a verdict per entry, until the first contradiction */
static pv_status check_column(void *ctx, size_t task, const pv_thread *thread, pv_error *error)
{
    (void)thread;
    const checking *const c = ctx;
    const uint64_t *const from = c->from;
    checked *const k = &c->columns[task];
    const pv_codes released = pv_i_table_codes(k->release, k->released);
    const pv_codes original = pv_i_table_codes(k->original, k->from);
    const uint32_t n_released = pv_table_values(k->release, k->released);
    const uint32_t n_original = pv_table_values(k->original, k->from);
    const uint64_t n_entries = pv_i_table_entries(k->release);
    PV_TRY(make_claims(k, error));
    if (from == NULL && n_released == n_original &&
        pv_i_divides_alike(k->release, k->released, k->original, k->from)) {
        for (uint32_t code = 0; code < n_released && !k->contradicts; code++) {
            k->contradicts = is_contradicted(k, code, code);
        }
        return PV_STATUS_OK;
    }
    if ((uint64_t)n_released * n_original > FEW_PAIRS) {
        for (uint64_t entry = 0; entry < n_entries && !k->contradicts; entry++) {
            k->contradicts = contradicts_in(k, from, entry);
        }
        return PV_STATUS_OK;
    }
    uint8_t *const bad = PV_NEW_ARRAY(uint8_t, (size_t)n_released * n_original);
    uint8_t found = 0;
    if (bad == NULL) {
        return pv_i_no_memory(error);
    }
    for (uint32_t r = 0; r < n_released; r++) {
        for (uint32_t o = 0; o < n_original; o++) {
            bad[(size_t)r * n_original + o] = is_contradicted(k, r, o);
        }
    }
    for (uint64_t entry = 0; entry < n_entries; entry++) {
        const uint32_t own = pv_i_codes_at(original, from != NULL ? from[entry] : entry);
        found |= bad[(size_t)pv_i_codes_at(released, entry) * n_original + own];
    }
    k->contradicts = found != 0;
    pv_i_free(bad);
    return PV_STATUS_OK;
}

bool pv_i_is_property(const pv_comparing *comparing, const char *column)
{
    for (size_t i = 0; i < comparing->n_properties; i++) {
        const char *const own = comparing->properties[i].column;
        if (own != NULL && strcmp(own, column) == 0) {
            return true;
        }
    }
    return false;
}

/* Columns that are properties may have been computed for the release, and differ on purpose. */
bool pv_i_is_checked(const pv_comparing *comparing, const char *column)
{
    const pv_plan *const plan = comparing->plan;
    const bool is_property = pv_i_is_property(comparing, column);
    for (size_t i = 0; i < plan->n_attributes; i++) {
        const pv_role role = plan->attributes[i].role;
        if (strcmp(plan->attributes[i].name, column) == 0) {
            return role == PV_ROLE_QUASI ||
                   ((role == PV_ROLE_SENSITIVE || role == PV_ROLE_LABEL || role == PV_ROLE_OTHER) &&
                    !is_property);
        }
    }
    return false;
}

/* Only now every row is looked at: how many contradict, and where is the first? The message names
 * columns and counts, never a value. */
static pv_status fail(const checking *c, pv_error *error)
{
    const uint64_t n_rows = pv_table_rows(c->release);
    const uint64_t *const ends = pv_i_table_ends(c->release);
    uint64_t n = 0;
    uint64_t first = 0;
    char names[512];
    for (uint64_t entry = 0, row = 0; row < n_rows; row += pv_i_entry_rows(ends, entry++)) {
        bool bad = false;
        for (size_t i = 0; !bad && i < c->n; i++) {
            bad = c->columns[i].contradicts && contradicts_in(&c->columns[i], c->from, entry);
        }
        first = bad && n == 0 ? row : first;
        n += bad ? pv_i_entry_rows(ends, entry) : 0;
    }
    /* "`age`, `sex` and 3 more" */
    size_t n_columns = 0;
    size_t used = 0;
    names[0] = '\0';
    for (size_t i = 0; i < c->n; i++) {
        if (c->columns[i].contradicts && n_columns++ < MOST_NAMED) {
            const char *const name = pv_table_name(c->release, c->columns[i].released);
            const int length = snprintf(names + used, sizeof names - used, "%s`%s`",
                                        n_columns > 1 ? ", " : "", pv_i_shown(name).text);
            used += length > 0 && (size_t)length < sizeof names - used ? (size_t)length : 0;
        }
    }
    if (n_columns > MOST_NAMED) {
        (void)snprintf(names + used, sizeof names - used, " and %zu more", n_columns - MOST_NAMED);
    }
    const pv_status status = pv_i_fail_at(
        error, PV_STATUS_INPUT, pv_table_source(c->release), pv_table_line(c->release, first), 0,
        "%llu of %llu rows contradict the original, in the columns %s", (unsigned long long)n,
        (unsigned long long)n_rows, names);
    return c->from == NULL
               ? pv_i_hint_phrases(status, error,
                                   "rows are matched by row order, and these are in another order "
                                   "or from another table: @, or @",
                                   PV_PHRASE_OWN_ROW_MAP, PV_PHRASE_KEY)
               : pv_i_hint(status, error,
                           "compare releases with the table they were made from; a column whose "
                           "values were changed on purpose needs another name");
}

/* ------------------------------------------------------------------- sorted */

/* A row of a release beside the one before it: negative if it comes after it by the bytes of its
 * values, column after column, as in the order of our releases; 0 if they are equal. */
static int compare_neighbours(const pv_table *release, uint64_t row)
{
    int order = 0;
    for (size_t column = 0; order == 0 && column < pv_table_columns(release); column++) {
        const pv_codes codes = pv_i_table_codes(release, column);
        const uint32_t before = pv_i_codes_at(codes, row - 1);
        const uint32_t here = pv_i_codes_at(codes, row);
        order = before == here ? 0
                               : strcmp(pv_table_value(release, column, before),
                                        pv_table_value(release, column, here));
    }
    return order;
}

/* Whose row is it, if two different released rows fit someone? Every row of the original is held
 * against one row of each run of equal rows. */
static pv_status find_doubt(const checking *c, uint64_t n_runs, bool *in_doubt, pv_error *error)
{
    const uint64_t n_rows = pv_table_rows(c->release);
    uint64_t *const starts = PV_NEW_ARRAY(uint64_t, n_runs + 1);
    if (starts == NULL) {
        return pv_i_no_memory(error);
    }
    starts[0] = 0;
    starts[n_runs] = n_rows;
    for (uint64_t row = 1, n = 1; row < n_rows && n < n_runs; row++) {
        if (compare_neighbours(c->release, row) != 0) {
            starts[n++] = row;
        }
    }
    *in_doubt = false;
    for (uint64_t own = 0; own < n_runs && !*in_doubt; own++) {
        for (uint64_t row = starts[own]; row < starts[own + 1] && !*in_doubt; row++) {
            for (uint64_t run = 0; run < n_runs && !*in_doubt; run++) {
                bool fits = run != own;
                for (size_t i = 0; fits && i < c->n; i++) {
                    const checked *const k = &c->columns[i];
                    fits = !is_contradicted(
                        k, pv_i_codes_at(pv_i_table_codes(k->release, k->released), starts[run]),
                        pv_i_codes_at(pv_i_table_codes(k->original, k->from), row));
                }
                *in_doubt = fits;
            }
        }
    }
    pv_i_free(starts);
    return PV_STATUS_OK;
}

/* By row order every row of a sorted file may fit some row of the original and yet be another's:
 *
 *     original            20     40     41
 *     released in order   20-49  *      20-49         sorted   *  20-49  20-49: each row fits the
 *                                                              original's, and two are another's
 *
 * So a file whose rows are all in order is only believed if its order cannot be another: a column
 * that was released unchanged has another value in every row, and agrees; or no row of the original
 * fits two different released rows. */
static pv_status check_order(const checking *c, pv_error *error)
{
    const uint64_t n_rows = pv_table_rows(c->release);
    uint64_t n_runs = 1; /* different rows, which are side by side if they are sorted */
    bool in_doubt = c->from == NULL && n_rows > 0;
    for (size_t i = 0; in_doubt && i < c->n; i++) {
        const checked *const k = &c->columns[i];
        in_doubt = k->tree != NULL || pv_table_values(k->release, k->released) != n_rows ||
                   pv_table_missing(k->release, k->released) != PV_NO_CODE;
    }
    for (uint64_t row = 1; in_doubt && row < n_rows; row++) {
        const int order = compare_neighbours(c->release, row);
        in_doubt = order <= 0;
        n_runs += order < 0;
    }
    if (in_doubt && n_runs <= MOST_FITTED / n_rows) { /* else it would take too long to find out */
        PV_TRY(find_doubt(c, n_runs, &in_doubt, error));
    }
    if (!in_doubt) {
        return PV_STATUS_OK;
    }
    return pv_i_hint_phrases(
        pv_i_fail_at(error, PV_STATUS_INPUT, pv_table_source(c->release), 0, 0,
                     "the rows are sorted by their values, so that their order does "
                     "not say whose they are"),
        error, "@, or @", PV_PHRASE_FIRST_ROW_MAP, PV_PHRASE_KEY);
}

pv_status pv_i_check_rows(const pv_comparing *comparing, const pv_table *release,
                          const uint64_t *from, pv_error *error)
{
    const pv_study *const study = comparing->study;
    const pv_table *const original = pv_study_table(study);
    checking c = {.release = release,
                  .from = from,
                  .columns = PV_NEW_ZEROED(checked, pv_table_columns(release))};
    bool contradicts = false;
    pv_status status = PV_STATUS_OK;
    if (c.columns == NULL) {
        return pv_i_no_memory(error);
    }
    for (size_t column = 0; column < pv_table_columns(release); column++) {
        const char *const name = pv_table_name(release, column);
        const size_t same = pv_table_find(original, name);
        if (same == SIZE_MAX || !pv_i_is_checked(comparing, name)) {
            continue;
        }
        checked *const k = &c.columns[c.n++];
        *k = (checked){.release = release, .original = original, .released = column, .from = same};
        for (size_t quasi = 0; quasi < pv_study_quasis(study); quasi++) {
            if (pv_study_quasi_column(study, quasi) == same) {
                k->tree = pv_study_hierarchy(study, quasi);
            }
        }
    }
    PV_TRY_CLEAN(
        pv_i_tasks_run(pv_i_threads(comparing->context), c.n, check_column, &c, NULL, error));
    for (size_t i = 0; i < c.n; i++) {
        contradicts |= c.columns[i].contradicts;
    }
    status = contradicts ? fail(&c, error) : check_order(&c, error);
cleanup:
    for (size_t i = 0; i < c.n; i++) {
        pv_i_free(c.columns[i].claims);
        pv_i_free(c.columns[i].numbers);
        pv_i_free(c.columns[i].is_number);
    }
    pv_i_free(c.columns);
    return status;
}
