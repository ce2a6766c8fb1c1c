/* Random columns, the texts a publisher would write of them, and random levels of records. */
#include "support/random_study.h"

#include "base/buffer.h"
#include "base/rng.h"
#include "support/oracle_measures.h"

size_t random_below(random_study *s, size_t n)
{
    return (size_t)pv_i_rng_below(s->rng, n);
}

bool random_one_in(random_study *s, size_t n)
{
    return random_below(s, n) == 0;
}

void *random_array(random_study *s, size_t n, size_t size)
{
    void *const memory = pv_i_arena_alloc(&s->arena, (n > 0 ? n : 1) * size);
    assert_non_null(memory);
    memset(memory, 0, n * size);
    return memory;
}

const char *random_text(random_study *s, const char *format, ...)
{
    char text[32];
    va_list args;
    va_start(args, format);
    const int length = vsnprintf(text, sizeof text, format, args);
    va_end(args);
    return pv_i_arena_text(&s->arena, text, (size_t)length);
}

/* --------------------------------------------------------------- columns */

static size_t random_size(random_study *s)
{
    return s->shape.full ? s->shape.n_values : 1 + random_below(s, s->shape.n_values);
}

/* Distinct values: words, or whole numbers whose order is not that of their digits. */
static const char **random_domain(random_study *s, size_t n, bool numbers)
{
    const char **const domain = random_array(s, n, sizeof *domain);
    for (size_t i = 0; i < n; i++) {
        domain[i] =
            numbers ? random_text(s, "%d", (int)(i * 37 % 211) - 20) : random_text(s, "v%zu", i);
    }
    return domain;
}

static const char **random_cells(random_study *s, const char **domain, size_t n)
{
    const char **const cells = random_array(s, s->shape.n_rows, sizeof *cells);
    for (size_t row = 0; row < s->shape.n_rows; row++) {
        const size_t i = random_below(s, s->shape.uniform ? n : 1 + random_below(s, n));
        const bool missing = s->shape.missing > 0 && random_one_in(s, s->shape.missing);
        cells[row] = missing ? "" : domain[i];
    }
    return cells;
}

/* Where the groups of one level go on the next; SIZE_MAX is the root. */
typedef struct random_level {
    size_t *group;      /* per value */
    const char **label; /* per group */
    size_t n_groups;
} random_level;

/* The name of the only child is as good a name for its parent as any. */
static const char *random_label(random_study *s, const random_level *below, const size_t *parent,
                                size_t group, unsigned level)
{
    size_t children = 0;
    const char *name = NULL;
    for (size_t g = 0; g < below->n_groups; g++) {
        if (parent[g] == group) {
            children++;
            name = below->label[g];
        }
    }
    return children == 1 && random_one_in(s, 2) ? name : random_text(s, "L%u_%zu", level, group);
}

static void random_climb(random_study *s, random_level *at, size_t n_values, unsigned level)
{
    const size_t n_groups = 1 + random_below(s, at->n_groups);
    size_t *const parent = random_array(s, at->n_groups, sizeof *parent);
    const char **const label = random_array(s, n_groups, sizeof *label);
    for (size_t g = 0; g < at->n_groups; g++) {
        parent[g] = random_one_in(s, 9) ? SIZE_MAX : random_below(s, n_groups);
    }
    for (size_t g = 0; g < n_groups; g++) {
        label[g] = random_label(s, at, parent, g, level);
    }
    for (size_t i = 0; i < n_values; i++) {
        at->group[i] = at->group[i] == SIZE_MAX ? SIZE_MAX : parent[at->group[i]];
    }
    at->label = label;
    at->n_groups = n_groups;
}

/* A path on which no label stands still, and that is long enough for a shortcut. */
static bool random_may_shorten(const oracle_path *path)
{
    bool may = path->at[1] != NULL && path->at[2] != NULL;
    for (unsigned level = 1; may && level + 1 < ORACLE_LEVELS && path->at[level + 1] != NULL;
         level++) {
        may = !oracle_same(path->at[level], path->at[level + 1]);
    }
    return may;
}

/* Some values stand right below what is the parent of their parent: a label is on two levels then.
 */
static void random_shortcuts(random_study *s, oracle_path *paths, size_t n)
{
    for (size_t i = 0; i < n; i++) {
        const char **const at = paths[i].at;
        if (random_may_shorten(&paths[i]) && random_one_in(s, 5)) {
            memmove(&at[1], &at[2], (ORACLE_LEVELS - 2) * sizeof *at);
            at[ORACLE_LEVELS - 1] = NULL;
        }
    }
}

/* Nested and ragged; it names values the table may not have. */
static void random_tree(random_study *s, oracle_column *column, const char **domain, size_t n)
{
    oracle_path *const paths = random_array(s, n, sizeof *paths);
    random_level at = {random_array(s, n, sizeof(size_t)), domain, n};
    const unsigned levels = 1 + (unsigned)random_below(s, s->shape.heights);
    for (size_t i = 0; i < n; i++) {
        paths[i].at[0] = domain[i];
        at.group[i] = i;
    }
    for (unsigned level = 1; level < levels; level++) {
        random_climb(s, &at, n, level);
        for (size_t i = 0; i < n; i++) {
            paths[i].at[level] = at.group[i] == SIZE_MAX ? NULL : at.label[at.group[i]];
        }
    }
    if (random_one_in(s, 2)) {
        random_shortcuts(s, paths, n);
    }
    column->paths = paths;
    column->n_paths = n;
}

static void random_quasi(random_study *s, oracle_column *column, bool first)
{
    static const double weights[] = {1, 0.5, 2, 2.5, 3, 0};
    const size_t n = random_size(s);
    const char **const domain = random_domain(s, n, random_one_in(s, 3));
    *column = (oracle_column){.cells = random_cells(s, domain, n)};
    column->weight = weights[random_below(s, first ? 5 : 6)];
    if (!random_one_in(s, 5)) {
        random_tree(s, column, domain, n);
        column->named_domain = random_one_in(s, 4);
    }
}

static void random_sensitive(random_study *s, oracle_column *column)
{
    const size_t n = random_size(s);
    column->distance = (oracle_distance)random_below(s, 3);
    const char **const domain = random_domain(s, n, column->distance == ORACLE_ORDERED);
    column->cells = random_cells(s, domain, n);
    if (column->distance == ORACLE_HIERARCHICAL) {
        random_tree(s, column, domain, n);
    }
}

static void random_copies(random_study *s)
{
    for (size_t row = 1; row < s->shape.n_rows; row++) {
        const size_t original = random_below(s, row);
        const bool copies = s->shape.copies > 0 && random_one_in(s, s->shape.copies);
        for (size_t q = 0; copies && q < s->table.n_quasi; q++) {
            s->table.quasi[q].cells[row] = s->table.quasi[q].cells[original];
        }
    }
}

void random_columns(random_study *s)
{
    oracle_table *const t = &s->table;
    const size_t n_labels = 1 + random_below(s, 4);
    t->n_rows = s->shape.n_rows;
    t->n_quasi = s->shape.n_quasi;
    t->n_sensitive = s->shape.n_sensitive;
    t->quasi = random_array(s, t->n_quasi, sizeof *t->quasi);
    t->sensitive = random_array(s, t->n_sensitive, sizeof *t->sensitive);
    for (size_t q = 0; q < t->n_quasi; q++) {
        random_quasi(s, &t->quasi[q], q == 0);
    }
    random_copies(s);
    for (size_t i = 0; i < t->n_sensitive; i++) {
        random_sensitive(s, &t->sensitive[i]);
    }
    if (s->shape.label) {
        t->label = random_cells(s, random_domain(s, n_labels, false), n_labels);
    }
}

/* ----------------------------------------------------- the publisher's view */

static void random_write_cell(random_study *s, const char *cell)
{
    static const char *const spellings[] = {"", "NA", "?"};
    pv_i_buffer_char(&s->csv, ',');
    pv_i_buffer_text(&s->csv, cell[0] == '\0' ? spellings[random_below(s, 3)] : cell);
}

void random_write_csv(random_study *s)
{
    const oracle_table *const t = &s->table;
    pv_i_buffer_text(&s->csv, "row");
    for (size_t q = 0; q < t->n_quasi; q++) {
        pv_i_buffer_format(&s->csv, ",q%zu", q);
    }
    for (size_t i = 0; i < t->n_sensitive; i++) {
        pv_i_buffer_format(&s->csv, ",s%zu", i);
    }
    pv_i_buffer_text(&s->csv, t->label != NULL ? ",class\n" : "\n");
    for (size_t row = 0; row < t->n_rows; row++) {
        pv_i_buffer_format(&s->csv, "%zu", row);
        for (size_t q = 0; q < t->n_quasi; q++) {
            random_write_cell(s, t->quasi[q].cells[row]);
        }
        for (size_t i = 0; i < t->n_sensitive; i++) {
            random_write_cell(s, t->sensitive[i].cells[row]);
        }
        if (t->label != NULL) {
            random_write_cell(s, t->label[row]);
        }
        pv_i_buffer_char(&s->csv, '\n');
    }
}

static void random_write_path(random_study *s, const oracle_path *path, bool first)
{
    pv_i_buffer_format(&s->text, "%s['%s'", first ? "" : ", ", path->at[0]);
    for (unsigned level = 1; level < ORACLE_LEVELS && path->at[level] != NULL; level++) {
        pv_i_buffer_format(&s->text, ", '%s'", path->at[level]);
    }
    pv_i_buffer_text(&s->text, random_one_in(s, 8) ? ", '*']" : "]");
}

/* From any place on, so that the order of the rows is not that of the values. */
static void random_write_tree(random_study *s, const oracle_column *column)
{
    const size_t start = random_below(s, column->n_paths);
    pv_i_buffer_text(&s->text, ", hierarchy: {rows: [");
    for (size_t i = 0; i < column->n_paths; i++) {
        random_write_path(s, &column->paths[(start + i) % column->n_paths], i == 0);
    }
    pv_i_buffer_text(&s->text, "]}");
}

static void random_write_sensitive(random_study *s, size_t i)
{
    const oracle_column *const column = &s->table.sensitive[i];
    pv_i_buffer_format(&s->text, "  s%zu: {role: sensitive, unique: accepted", i);
    switch (column->distance) {
    case ORACLE_EQUAL: /* what it is anyway for words */
        pv_i_buffer_text(&s->text, random_one_in(s, 2) ? ", distance: equal" : "");
        break;
    case ORACLE_ORDERED: /* what it is anyway for numbers */
        pv_i_buffer_text(&s->text, random_one_in(s, 2) ? ", distance: ordered" : "");
        break;
    case ORACLE_HIERARCHICAL:
        pv_i_buffer_text(&s->text, ", distance: hierarchical");
        random_write_tree(s, column);
        break;
    }
    pv_i_buffer_text(&s->text, "}\n");
}

static bool random_is_number(const char *cell)
{
    return cell[0] == '-' || (cell[0] >= '0' && cell[0] <= '9');
}

static void random_write_quasi(random_study *s, size_t q)
{
    const oracle_column *const column = &s->table.quasi[q];
    pv_i_buffer_format(&s->text, "  q%zu: {role: quasi, weight: %g", q, column->weight);
    if (column->named_domain) {
        pv_i_buffer_text(&s->text, ", domain: hierarchy");
    }
    if (column->n_paths > 0) {
        random_write_tree(s, column);
    } else if (s->shape.granular && random_is_number(column->cells[0])) {
        pv_i_buffer_text(&s->text, ", granularity: 50");
    }
    if (s->shape.limited && random_one_in(s, 2)) {
        pv_i_buffer_format(&s->text, ", %s: %zu", random_one_in(s, 3) ? "level" : "max-level",
                           random_below(s, oracle_height(column) + 1));
    }
    pv_i_buffer_text(&s->text, "}\n");
}

/* A share in tenths of a percent: floor(share * rows), but one row always stays. */
static void random_write_budget(random_study *s)
{
    const uint64_t n = s->shape.n_rows;
    const uint64_t tenths = pv_i_rng_below(s->rng, 1001);
    const uint64_t rows = tenths * n / 1000;
    s->budget = rows < n ? rows : n - 1;
    pv_i_buffer_format(&s->text, "suppression: %u.%u%%\n", (unsigned)(tenths / 10),
                       (unsigned)(tenths % 10));
}

void random_write_plan(random_study *s)
{
    random_write_budget(s);
    pv_i_buffer_text(&s->text, "attributes:\n  row: {role: other, unique: accepted}\n");
    for (size_t q = 0; q < s->table.n_quasi; q++) {
        random_write_quasi(s, q);
    }
    for (size_t i = 0; i < s->table.n_sensitive; i++) {
        random_write_sensitive(s, i);
    }
    if (s->table.label != NULL) {
        pv_i_buffer_text(&s->text, "  class: {role: label, unique: accepted}\n");
    }
}

/* ------------------------------------------------------------------ study */

void random_study_init(random_study *s, pv_rng *rng, const random_shape *shape)
{
    *s = (random_study){.rng = rng, .shape = *shape};
    random_columns(s);
    random_write_csv(s);
    random_write_plan(s);
    s->bound = bound_study_create(s->text.data, s->csv.data);
    s->profile = bound_profile(s->bound.study, 1);
}

void random_study_deinit(random_study *s)
{
    pv_profile_free(s->profile);
    bound_study_free(&s->bound);
    pv_i_buffer_deinit(&s->csv);
    pv_i_buffer_deinit(&s->text);
    pv_i_arena_deinit(&s->arena);
}

void random_levels(random_study *s, uint8_t *levels)
{
    for (size_t q = 0; q < s->table.n_quasi; q++) {
        oracle_column *const column = &s->table.quasi[q];
        const unsigned height = oracle_height(column);
        const bool free = !s->shape.mostly_top || random_one_in(s, 20);
        column->level = free ? (unsigned)random_below(s, height + 1) : height;
        levels[q] = (uint8_t)column->level;
    }
}

void random_column(random_study *s, pv_measure_ref *ref)
{
    const bool may = s->table.n_sensitive > 0 && (ref->measure->needs & PV_NEEDS_SENSITIVE) != 0;
    ref->column[0] = '\0';
    if (may && random_one_in(s, 2)) {
        (void)snprintf(ref->column, sizeof ref->column, "s%zu",
                       random_below(s, s->table.n_sensitive));
    }
}

size_t random_column_of(const pv_measure_ref *ref)
{
    return ref->column[0] == 's' ? (size_t)(ref->column[1] - '0') : SIZE_MAX;
}

double random_score(const oracle_release *release, const pv_measure_ref *ref, size_t row)
{
    const size_t sensitive = random_column_of(ref);
    const oracle_measure *const measure = oracle_find(ref->measure->name);
    oracle_table narrow;
    if (sensitive == SIZE_MAX) {
        return measure->row(release, row, ref->parameter);
    }
    const oracle_release through = oracle_through(release, sensitive, &narrow);
    return measure->row(&through, row, ref->parameter);
}

/* ================================================================ records */

unsigned records_height(const random_study *s, size_t q)
{
    return oracle_height(&s->table.quasi[q]);
}

static unsigned records_level(random_study *s, records_manner manner, size_t q, unsigned common)
{
    const unsigned height = records_height(s, q);
    const unsigned any = (unsigned)random_below(s, height + 1);
    const bool strays = random_one_in(s, 5);
    switch (manner) {
    case RECORDS_FREE: return any;
    case RECORDS_ALIKE: return strays ? any : common;
    case RECORDS_STARRED: return strays ? any : height;
    case RECORDS_RAW: return 0;
    default: return common;
    }
}

void records_spread(random_records *r)
{
    random_study *const s = r->study;
    const size_t n = s->table.n_quasi;
    for (size_t row = 0; row < s->table.n_rows; row++) {
        const size_t tuple = pv_profile_tuple(s->profile, row);
        for (size_t q = 0; q < n; q++) {
            r->by_row[row * n + q] = r->levels[tuple * n + q];
        }
    }
    s->table.levels = r->by_row;
}

void records_draw(random_records *r, records_manner manner)
{
    random_study *const s = r->study;
    const size_t n = s->table.n_quasi;
    for (size_t q = 0; q < n; q++) {
        const unsigned common = (unsigned)random_below(s, records_height(s, q) + 1);
        for (size_t t = 0; t < pv_profile_tuples(s->profile); t++) {
            r->levels[t * n + q] = (uint8_t)records_level(s, manner, q, common);
        }
    }
    records_spread(r);
}

random_records random_records_create(random_study *s)
{
    const size_t n = s->table.n_quasi;
    return (random_records){
        .study = s,
        .levels = oracle_array(pv_profile_tuples(s->profile) * n, sizeof(uint8_t)),
        .by_row = oracle_array(s->table.n_rows * n, sizeof(unsigned)),
    };
}

void random_records_free(random_records *r)
{
    r->study->table.levels = NULL;
    free(r->levels);
    free(r->by_row);
}

pv_classes *records_classes(const random_study *s, const uint8_t *levels)
{
    pv_classes *classes = NULL;
    pv_error error = {0};
    bound_must(pv_classes_create_records(s->profile, levels, &classes, &error), &error);
    return classes;
}

random_shape records_shape(pv_rng *rng)
{
    random_shape shape = {.heights = 5};
    shape.n_rows = 1 + (size_t)pv_i_rng_below(rng, 30);
    shape.n_quasi = 1 + (size_t)pv_i_rng_below(rng, 4);
    shape.n_values = 1 + (size_t)pv_i_rng_below(rng, 7);
    shape.n_sensitive = (size_t)pv_i_rng_below(rng, 3);
    shape.label = pv_i_rng_below(rng, 2) == 0;
    shape.missing = pv_i_rng_below(rng, 2) == 0 ? 5 : 0;
    shape.uniform = pv_i_rng_below(rng, 2) == 0;
    shape.copies = pv_i_rng_below(rng, 3) == 0 ? 3 : 0;
    return shape;
}
