/* The order of released rows: sorted is what a plain sort of the kept rows gives, by values and not
 * by lines; row maps undo it; any number of threads gives the same bytes. */
#include "release/release.h"
#include "support/files.h"
#include "support/study.h"

#include "base/buffer.h"
#include "base/memory.h"
#include "base/rng.h"
#include "table/row_map.h"

#include "scheme/scheme.h"
#include <paravent/paravent.h>
#include <sys/stat.h>

enum { QUASIS = 2, MOST_FIELDS = 5 };

static const char plan[] = "attributes:\n"
                           "  id: {role: identifier}\n"
                           "  t: {role: other, unique: accepted}\n"
                           "  a: {role: quasi, hierarchy: {rows: [[b, g], [a, g], [c, \"h;h\"], "
                           "[d, \"h;h\"], [e, \"=e\"]]}}\n"
                           "  n: {role: quasi}\n"
                           "  s: {role: sensitive, unique: accepted}\n";

/* What makes a difference to readers, writers and sorters. */
static const char *const texts[] = {"plain",
                                    "a,b",
                                    "say \"hi\"",
                                    "",
                                    "NA",
                                    "\xc3\x9cn\xc3\xafx",
                                    "\xe6\x97\xa5",
                                    "two\nlines",
                                    "=1+1",
                                    "'tis",
                                    "'",
                                    "-5",
                                    "-",
                                    "@x",
                                    "\"",
                                    "zz",
                                    "Zz",
                                    "*",
                                    "a",
                                    "a;b",
                                    "+1x",
                                    "a\tb",
                                    "~",
                                    "\xff"};

typedef struct {
    pv_rng rng;
    scratch_folder folder;
    bound_study study;
    pv_profile *profile;
    pv_scheme scheme;
    uint8_t *records; /* or NULL */
    pv_release_settings options;
} trial;

static size_t below(trial *t, size_t n)
{
    return (size_t)pv_i_rng_below(&t->rng, n);
}

/* ------------------------------------------------------------------ tables */

static void put_quoted(pv_buffer *csv, const char *text)
{
    pv_i_buffer_char(csv, '"');
    for (; *text != '\0'; text++) {
        pv_i_buffer_bytes(csv, "\"", *text == '"');
        pv_i_buffer_char(csv, *text);
    }
    pv_i_buffer_char(csv, '"');
}

static void put_rows(trial *t, pv_buffer *csv, size_t n_rows, size_t n_texts, size_t n_numbers)
{
    pv_i_buffer_text(csv, "id,t,a,n,s\n");
    for (size_t row = 0; row < n_rows; row++) {
        pv_i_buffer_format(csv, "p%zu,", below(t, n_rows));
        put_quoted(csv, texts[below(t, n_texts)]);
        pv_i_buffer_format(csv, ",%c,%zu,", (int)('a' + below(t, 5)), below(t, n_numbers));
        put_quoted(csv, texts[below(t, n_texts)]);
        pv_i_buffer_char(csv, '\n');
    }
}

static pv_study *read_study(const pv_plan *planned, const char *csv)
{
    const pv_read_options reading = {.delimiter = ',', .header = PV_CHOICE_YES};
    pv_table *table = NULL;
    pv_study *study = NULL;
    pv_error error = {0};
    bound_must(pv_table_read_memory("table.csv", csv, strlen(csv), &reading, NULL, &table, &error),
               &error);
    bound_must(pv_study_bind(planned, table, &study, &error), &error);
    return study;
}

static void begin(trial *t, const char *csv)
{
    pv_error error = {0};
    t->study.plan = bound_plan(plan);
    t->study.study = read_study(t->study.plan, csv);
    t->profile = bound_profile(t->study.study, 1);
    bound_must(pv_i_scheme_init(&t->scheme, t->study.study, &error), &error);
}

static void end(trial *t)
{
    pv_i_free(t->records);
    t->records = NULL;
    t->scheme.records = NULL;
    pv_i_scheme_deinit(&t->scheme);
    pv_profile_free(t->profile);
    bound_study_free(&t->study);
}

static char *release(trial *t, pv_row_order order, unsigned threads, const char *map,
                     pv_release_result **kept)
{
    const pv_context context = {.threads = threads};
    pv_release_result *result = NULL;
    pv_error error = {0};
    t->options.output = t->folder.file;
    t->options.asked.force = true;
    t->options.asked.order = order;
    t->options.asked.row_map = map;
    bound_must(pv_i_release_write(&t->scheme, t->profile, &t->options, &context, &result, &error),
               &error);
    char *const text = scratch_text(pv_release_path(result, PV_FILE_TABLE));
    if (kept != NULL) {
        *kept = result;
    } else {
        pv_release_result_free(result);
    }
    return text;
}

/* ------------------------------------------------------------------ oracle */

typedef struct {
    const char *raw; /* with its line end */
    size_t size;
    char *fields[MOST_FIELDS]; /* as a reader gets them */
    size_t n_fields;
} record;

typedef struct {
    record *list;
    size_t n;
    char *memory;
} record_list;

/* Quotes are doubled inside quotes; nothing else is special. */
static record_list split(const char *text)
{
    record_list r = {.list = calloc(strlen(text) + 1, sizeof *r.list),
                     .memory = malloc(2 * strlen(text) + 2)};
    char *to = r.memory;
    while (*text != '\0') {
        record *const line = &r.list[r.n++];
        bool quoted = false;
        line->raw = text;
        line->fields[line->n_fields++] = to;
        for (; quoted || *text != '\n'; text++) {
            if (*text == '"' && quoted && text[1] == '"') {
                *to++ = *text++;
            } else if (*text == '"') {
                quoted = !quoted;
            } else if (*text == ',' && !quoted) {
                *to++ = '\0';
                assert_true(line->n_fields < MOST_FIELDS);
                line->fields[line->n_fields++] = to;
            } else {
                *to++ = *text;
            }
        }
        *to++ = '\0';
        line->size = (size_t)(++text - line->raw);
    }
    return r;
}

static void record_list_free(record_list *r)
{
    free(r->list);
    free(r->memory);
}

/* As C compares bytes: strcmp. */
static int compare_records(const void *left, const void *right)
{
    const record *const a = left;
    const record *const b = right;
    for (size_t i = 0; i < a->n_fields; i++) {
        const int order = strcmp(a->fields[i], b->fields[i]);
        if (order != 0) {
            return order;
        }
    }
    return 0;
}

static void expect_sorted(const char *kept, const char *sorted)
{
    record_list expected = split(kept);
    qsort(expected.list + 1, expected.n - 1, sizeof *expected.list, compare_records);
    for (size_t i = 0; i < expected.n; i++) {
        assert_memory_equal(sorted, expected.list[i].raw, expected.list[i].size);
        sorted += expected.list[i].size;
    }
    assert_int_equal(*sorted, '\0');
    record_list_free(&expected);
}

/* Each row is the one of the table that the map says; equal ones ascend. `all` has the whole table
 * in its order. */
static void expect_map(const char *released, const char *all, bool ascends,
                       const pv_release_result *result)
{
    record_list rows = split(released);
    record_list table = split(all);
    uint64_t *map = NULL;
    char sha256[PV_SHA256_HEX];
    char expected[PV_SHA256_HEX];
    struct stat about;
    pv_error error = {0};
    bound_must(pv_i_row_map_release(pv_release_path(result, PV_FILE_ROW_MAP), sha256, &error),
               &error);
    bound_must(pv_i_file_hash(pv_release_path(result, PV_FILE_TABLE), expected, &error), &error);
    assert_string_equal(sha256, expected);
    bound_must(pv_i_row_map_read(pv_release_path(result, PV_FILE_ROW_MAP), rows.n - 1, table.n - 1,
                                 &map, &error),
               &error);
    for (size_t i = 1; i < rows.n; i++) {
        assert_int_equal(compare_records(&rows.list[i], &table.list[map[i - 1] + 1]), 0);
        assert_true(i == 1 || !ascends || compare_records(&rows.list[i - 1], &rows.list[i]) != 0 ||
                    map[i - 2] < map[i - 1]);
    }
    assert_int_equal(stat(pv_release_path(result, PV_FILE_ROW_MAP), &about), 0);
    assert_int_equal(about.st_mode & 0777, 0600);
    pv_i_free(map);
    record_list_free(&rows);
    record_list_free(&table);
}

/* ------------------------------------------------------------------- trials */

/* Sorted is the sorted kept one, on any number of threads; maps are right in every order. */
static void check(trial *t)
{
    static const unsigned threads[] = {1, 2, 7};
    char map[128];
    (void)snprintf(map, sizeof map, "%s/map", t->folder.path);
    const bool drops = t->options.asked.drop_suppressed;
    t->options.asked.drop_suppressed = false;
    char *const all = release(t, PV_ORDER_KEPT, 1, NULL, NULL);
    t->options.asked.drop_suppressed = drops;
    char *const kept = release(t, PV_ORDER_KEPT, 2, NULL, NULL);
    for (pv_row_order order = PV_ORDER_SORTED; order <= PV_ORDER_KEPT; order++) {
        char *const without = release(t, order, 1, NULL, NULL);
        for (size_t i = 0; i < 3; i++) {
            pv_release_result *result = NULL;
            char *const text = release(t, order, threads[i], map, &result);
            assert_string_equal(text, without);
            expect_map(text, all, order != PV_ORDER_SHUFFLED, result);
            pv_i_free(text);
            pv_release_result_free(result);
        }
        if (order == PV_ORDER_SORTED) {
            expect_sorted(kept, without);
        }
        pv_i_free(without);
    }
    pv_i_free(all);
    pv_i_free(kept);
}

/* Levels for all, or for every tuple its own. */
static void draw_scheme(trial *t, bool by_record)
{
    static const size_t levels[QUASIS] = {3, 2};
    const size_t n = pv_profile_tuples(t->profile) * QUASIS;
    for (size_t q = 0; q < QUASIS; q++) {
        t->scheme.levels[q] = (uint8_t)below(t, levels[q]);
    }
    t->records = by_record ? pv_i_malloc(n) : NULL;
    for (size_t i = 0; by_record && i < n; i++) {
        t->records[i] = (uint8_t)below(t, levels[i % QUASIS]);
    }
    t->scheme.records = t->records;
}

static void random_tables_are_sorted(void **state)
{
    trial t = {.folder = scratch_folder_create("out.csv")};
    (void)state;
    pv_i_rng_init(&t.rng, 5);
    for (size_t i = 0; i < (effort_is_whole() ? 24 : 12); i++) {
        pv_buffer csv = {0};
        const size_t n_rows = 1 + below(&t, 60);
        put_rows(&t, &csv, n_rows, 1 + below(&t, sizeof texts / sizeof *texts), 1 + below(&t, 20));
        begin(&t, csv.data);
        draw_scheme(&t, i % 3 == 0);
        t.options = (pv_release_settings){.suppression = {.whole_budget = true, .budget = n_rows},
                                          .asked.drop_suppressed = below(&t, 2) == 0,
                                          .asked.escape_formulas = below(&t, 2) == 0,
                                          .asked.hash_identifiers = below(&t, 2) == 0,
                                          .asked.key = "0123456789abcdef",
                                          .asked.key_size = 16,
                                          .asked.seed = i};
        t.options.suppression.budget = t.records != NULL ? n_rows : below(&t, n_rows);
        check(&t);
        end(&t);
        pv_i_buffer_deinit(&csv);
    }
    scratch_folder_remove(&t.folder);
}

/* Many blocks: few different rows, and nearly all different ones. */
static void large_tables_are_sorted(void **state)
{
    trial t = {.folder = scratch_folder_create("out.csv")};
    (void)state;
    pv_i_rng_init(&t.rng, 6);
    for (size_t i = 0; i < 2; i++) {
        pv_buffer csv = {0};
        put_rows(&t, &csv, effort_is_whole() ? 30000 : 12000,
                 i == 0 ? 2 : sizeof texts / sizeof *texts, i == 0 ? 2 : 30000);
        begin(&t, csv.data);
        t.options = (pv_release_settings){.asked.hash_identifiers = i == 1,
                                          .asked.key = "0123456789abcdef",
                                          .asked.key_size = 16,
                                          .asked.seed = i};
        check(&t);
        end(&t);
        pv_i_buffer_deinit(&csv);
    }
    scratch_folder_remove(&t.folder);
}

/* Lines of which few fit a block. */
static void long_lines_are_written_whole(void **state)
{
    enum { LONG = 300000, ROWS = 12 };
    trial t = {.folder = scratch_folder_create("out.csv")};
    pv_buffer csv = {0};
    char *const text = malloc(LONG + 1);
    (void)state;
    pv_i_buffer_text(&csv, "id,t,a,n,s\n");
    memset(text, 'x', LONG);
    text[LONG] = '\0';
    for (size_t i = 0; i < ROWS; i++) {
        pv_i_buffer_format(&csv, "%zu,%s%c,a,1,s\n", i, text, i % 3 == 0 ? 'a' : 'b');
    }
    begin(&t, csv.data);
    t.options = (pv_release_settings){0};
    check(&t);
    end(&t);
    pv_i_buffer_deinit(&csv);
    free(text);
    scratch_folder_remove(&t.folder);
}

/* The attack of a sorted original: what place p of the original is, place p of the release is not.
 * Whoever knows the sorted numbers is no better than someone who guesses. */
static void places_tell_nothing(void **state)
{
    enum { ROWS = 5000 };
    trial t = {.folder = scratch_folder_create("out.csv")};
    pv_buffer csv = {0};
    (void)state;
    pv_i_rng_init(&t.rng, 7);
    pv_i_buffer_text(&csv, "id,t,a,n,s\n");
    for (size_t row = 0; row < ROWS; row++) { /* s is what the row's place would give away */
        pv_i_buffer_format(&csv, "%zu,x,a,%zu,%zu\n", row, row / 10, below(&t, 50));
    }
    begin(&t, csv.data);
    t.scheme.levels[1] = 1; /* all numbers are one */
    char *const sorted = release(&t, PV_ORDER_SORTED, 2, NULL, NULL);
    char *const kept = release(&t, PV_ORDER_KEPT, 2, NULL, NULL);
    record_list a = split(sorted);
    record_list b = split(kept);
    size_t hits = 0;
    for (size_t i = 1; i <= ROWS; i++) {
        hits += compare_records(&a.list[i], &b.list[i]) == 0;
    }
    assert_true(hits < 2 * ROWS / 50);
    record_list_free(&a);
    record_list_free(&b);
    pv_i_free(sorted);
    pv_i_free(kept);
    end(&t);
    pv_i_buffer_deinit(&csv);
    scratch_folder_remove(&t.folder);
}

/* Formulas are counted wherever they are, also among the labels, and not where they are suppressed.
 */
static void formulas_are_counted(void **state)
{
    static const char csv[] = "id,t,a,n,s\n1,=x,a,1,-\n2,=x,b,1,-5\n3,y,e,1,+1x\n4,y,e,1,@\n";
    trial t = {.folder = scratch_folder_create("out.csv")};
    (void)state;
    for (unsigned escapes = 0; escapes < 2; escapes++) {
        pv_release_result *result = NULL;
        begin(&t, csv);
        t.scheme.levels[0] = 1;
        t.options = (pv_release_settings){.asked.escape_formulas = escapes == 1};
        char *const text = release(&t, PV_ORDER_SORTED, 1, NULL, &result);
        size_t n_formulas = 0;
        const pv_formula_column *const formulas = pv_release_formulas(result, &n_formulas);
        assert_int_equal(n_formulas, 3);
        assert_string_equal(formulas[0].name, "t");
        assert_int_equal(formulas[0].cells, 2);
        assert_string_equal(formulas[1].name, "a");
        assert_int_equal(formulas[1].cells, 2);
        assert_string_equal(formulas[2].name, "s");
        assert_int_equal(formulas[2].cells, 1);
        assert_string_equal(text, escapes ? "t,a,n,s\n'=x,g,1,-\n'=x,g,1,-5\n"
                                            "y,'=e,1,'+1x\ny,'=e,1,@\n"
                                          : "t,a,n,s\n=x,g,1,-\n=x,g,1,-5\n"
                                            "y,=e,1,+1x\ny,=e,1,@\n");
        pv_i_free(text);
        pv_release_result_free(result);
        end(&t);
    }
    scratch_folder_remove(&t.folder);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(random_tables_are_sorted),     cmocka_unit_test(large_tables_are_sorted),
        cmocka_unit_test(long_lines_are_written_whole), cmocka_unit_test(places_tell_nothing),
        cmocka_unit_test(formulas_are_counted),
    };
    return cmocka_run_group_tests_name("row order", tests, NULL, NULL);
}
