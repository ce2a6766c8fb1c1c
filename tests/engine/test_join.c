/* Releases compared where they are: what a database says of original and releases that it has
 * joined by their key is what is said of the same rows in files, and where it cannot tell, nobody
 * is told anything wrong. With all engines that are installed. */
#include "support/clickhouse_servers.h"
#include "support/duckdb.h"
#include "support/failing_alloc.h"
#include "support/files.h"
#include "support/postgres_server.h"
#include "support/study.h"

#include "base/buffer.h"
#include "base/memory.h"
#include "engine/sql.h"
#include "plan/plan.h"

#include <glob.h>
#include <paravent/compare.h>
#include <sys/stat.h>

#define N_PEOPLE 6000
#define N_OF(array) (sizeof(array) / sizeof *(array))

/* Names that statements must keep apart from their own, and from the end of a name. */
#define KEY "k\"; DROP TABLE people; --"
#define TOWN "o'Brien, \"town\" \\"
static const char header[] =
    "\"k\"\"; DROP TABLE people; --\",c0,\"o'Brien, \"\"town\"\" \\\",t,n\n";
static const char plan_text[] = "suppression: 1%\nattributes:\n"
                                "  \"k\\\"; DROP TABLE people; --\": {role: identifier}\n"
                                "  c0: {role: quasi, hierarchy: {intervals: [5, 20]}}\n"
                                "  \"o'Brien, \\\"town\\\" \\\\\": {role: quasi}\n"
                                "  t: {role: sensitive}\n  n: {role: other}\n";

static scratch_folder folder;
static pg_server server;
static ch_servers houses;
static bool has_duckdb, has_postgres, has_sqlite, has_clickhouse;

/* ------------------------------------------------------------------------- stores */

typedef enum { FILES, DUCKDB, POSTGRES, SQLITE, CLICKHOUSE, N_STORES } store;

static bool has_store(store s)
{
    switch (s) {
    case DUCKDB: return has_duckdb;
    case POSTGRES: return has_postgres;
    case SQLITE: return has_sqlite;
    case CLICKHOUSE: return has_clickhouse;
    default: return true;
    }
}

/* The text of a place, freed with free(). */
static char *place_of(store s, const char *table)
{
    char text[512];
    switch (s) {
    case POSTGRES: (void)snprintf(text, sizeof text, "%s?table=%s", server.url, table); break;
    case SQLITE:
        (void)snprintf(text, sizeof text, "odbc:Driver=SQLite3;Database=%s/lite.db?table=%s",
                       folder.path, table);
        break;
    case CLICKHOUSE:
        (void)snprintf(text, sizeof text, "%s?table=%s", houses.servers[0].url, table);
        break;
    default:
        (void)snprintf(text, sizeof text, "%s%s/%s.csv", s == DUCKDB ? "duckdb:" : "", folder.path,
                       table);
    }
    return strdup(text);
}

/* Rows on their way into a database: what is empty is NULL. */
typedef struct {
    const pv_table *table;
    uint64_t row;
    pv_cell cells[8];
} loading;

static pv_status next_row(void *ctx, const pv_cell **cells, pv_error *error)
{
    loading *const l = ctx;
    (void)error;
    *cells = l->row < pv_table_rows(l->table) ? l->cells : NULL;
    for (size_t i = 0; *cells != NULL && i < pv_table_columns(l->table); i++) {
        const char *const text = pv_table_value(l->table, i, pv_table_code(l->table, i, l->row));
        l->cells[i] = (pv_cell){.text = *text != '\0' ? text : NULL, .size = strlen(text)};
    }
    l->row++;
    return PV_STATUS_OK;
}

/* All columns are texts. */
static void load_table(store s, const char *name, const char *csv, size_t size)
{
    const pv_read_options as_it_is = {
        .keep_blanks = true, .header = PV_CHOICE_YES, .missing = (const char *const[]){"", NULL}};
    const pv_sql_type types[8] = {PV_SQL_TEXT};
    const char *names[8];
    pv_table *table = NULL;
    pg_link there;
    pv_buffer sql = {0};
    pv_buffer quoted = {0};
    pv_error error = {0};
    char *const place = place_of(s, name);
    bound_must(pv_table_read_memory(name, csv, size, &as_it_is, NULL, &table, &error), &error);
    for (size_t i = 0; i < pv_table_columns(table); i++) {
        names[i] = pv_table_name(table, i);
    }
    loading l = {.table = table};
    pg_link_open(&there, place, NULL);
    const pv_engine *const engine = there.link.engine;
    void *const c = there.link.connection;
    pv_i_sql_name(&quoted, there.link.sql, name);
    pv_i_sql_fill(&sql, there.link.sql->drop, quoted.data, "");
    bound_must(engine->run(c, sql.data, &error), &error);
    pv_i_buffer_clear(&sql);
    pv_i_sql_create(&sql, there.link.sql, quoted.data, names, types, pv_table_columns(table));
    bound_must(engine->run(c, sql.data, &error), &error);
    bound_must(engine->load(c, quoted.data, pv_table_columns(table), next_row, &l, &error), &error);
    pg_link_close(&there);
    pv_i_buffer_deinit(&sql);
    pv_i_buffer_deinit(&quoted);
    pv_table_free(table);
    free(place);
}

/* A table everywhere, from the text of a file; `types` are its columns' in PostgreSQL. */
static void put_table(const char *name, const char *csv, size_t size, const char *types)
{
    char *const path = place_of(FILES, name);
    written_file(path, csv, size);
    assert_int_equal(chmod(path, 0644), 0);
    if (has_postgres) {
        char drop[128];
        char make[512];
        char copy[512];
        (void)snprintf(drop, sizeof drop, "DROP TABLE IF EXISTS %s", name);
        (void)snprintf(make, sizeof make, "CREATE TABLE %s (%s)", name, types);
        (void)snprintf(copy, sizeof copy, "COPY %s FROM '%s' (FORMAT csv, HEADER)", name, path);
        pg_run(&server, drop, make, copy, NULL);
    }
    for (store s = SQLITE; s <= CLICKHOUSE; s++) {
        if (has_store(s)) {
            load_table(s, name, csv, size);
        }
    }
    free(path);
}

#define COLUMNS(key)                                                                        \
    "\"k\"\"; DROP TABLE people; --\" " key ", c0 TEXT, \"o'Brien, \"\"town\"\" \\\" TEXT " \
    "COLLATE \"POSIX\", t TEXT, n INTEGER"

/* ------------------------------------------------------------------------- people */

static const char *const towns[] = {"Ulm", "\"a,b\"", "\xE7\x8C\xAB", ""};

/* A row: as it was, or as it is released, with a width of age of 5 or 20. */
static void put_person(pv_buffer *csv, size_t i, size_t width)
{
    const size_t age = 20 + i % 12 * 5;
    pv_i_buffer_format(csv, "%zu,", 100 + i);
    if (width > 0 && i % 60 == 7) {
        pv_i_buffer_text(csv, "*,*,");
    } else if (width > 0) {
        pv_i_buffer_format(csv, "%zu-%zu,%s,", age / width * width, age / width * width + width - 1,
                           width > 5 ? "*" : towns[i % 4]);
    } else {
        pv_i_buffer_format(csv, "%zu,%s,", age, towns[i % 4]);
    }
    pv_i_buffer_format(csv, "%s,%zu\n", i % 5 == 0 ? "" : i % 3 == 0 ? "flu" : "-", i % 4);
}

/* In an order of its own; every `lacks`-th person is left out. */
static void put_people(const char *name, size_t width, size_t step, size_t lacks, const char *types)
{
    pv_buffer csv = {0};
    pv_i_buffer_text(&csv, header);
    for (size_t i = 0; i < N_PEOPLE; i++) {
        const size_t person = i * step % N_PEOPLE;
        if (lacks == 0 || person % lacks != 0) {
            put_person(&csv, person, width);
        }
    }
    put_table(name, csv.data, csv.size, types);
    pv_i_buffer_deinit(&csv);
}

static int begin(void **state)
{
    (void)state;
    folder = scratch_folder_create("none");
    assert_int_equal(chmod(folder.path, 0755), 0); /* the server reads files there */
    has_duckdb = duckdb_is_here();
    has_postgres = pg_is_installed();
    if (has_postgres) {
        pg_server_create(&server, NULL);
        pg_server_start(&server);
    }
    glob_t found = {0};
    has_sqlite = glob("/usr/lib/*/odbc/libsqlite3odbc.so", 0, NULL, &found) == 0;
    globfree(&found);
    has_clickhouse = ch_is_installed();
    if (has_clickhouse) {
        ch_servers_create(&houses, 1);
    }
    put_people("people", 0, 7, 0, COLUMNS("BIGINT"));
    put_people("a", 5, 1, 0, COLUMNS("TEXT COLLATE \"POSIX\""));
    put_people("b", 20, 11, 97, COLUMNS("NUMERIC"));
    put_people("c", 20, 13, 101, COLUMNS("INTEGER"));
    return 0;
}

static int end(void **state)
{
    (void)state;
    if (has_postgres) {
        pg_server_remove(&server);
    }
    ch_servers_remove(&houses);
    scratch_folder_remove(&folder);
    return 0;
}

/* ---------------------------------------------------------------------- comparing */

/* What is compared, and in what comes of it. */
typedef struct {
    pv_plan *plan;
    char *data;
    char *paths[4];
    size_t n;
    pv_comparison_options options;
    pv_study *study;
    pv_comparison *comparison;
    pv_error error;
} contest;

static contest contest_of(const char *plan, store s, const char *const *tables, const char *key)
{
    contest c = {.plan = bound_plan(plan), .data = place_of(s, tables[0]), .options = {.key = key}};
    for (; tables[c.n + 1] != NULL; c.n++) {
        c.paths[c.n] = place_of(s, tables[c.n + 1]);
    }
    return c;
}

static void contest_free(contest *c)
{
    pv_comparison_free(c->comparison);
    pv_study_free(c->study);
    pv_plan_free(c->plan);
    free(c->data);
    for (size_t i = 0; i < c->n; i++) {
        free(c->paths[i]);
    }
}

/* As people ask for it: every column may divide people. */
static pv_study_options opening(const contest *c)
{
    return (pv_study_options){
        .data = c->data, .all_columns = true, .identifiers = true, .unnamed = true};
}

static pv_status fetch(contest *c)
{
    const pv_study_options options = opening(c);
    const pv_status status = pv_study_open(c->plan, &options, NULL, &c->study, &c->error);
    return status != PV_STATUS_OK
               ? status
               : pv_comparison_open(c->study, (const char *const *)c->paths, c->n, &c->options,
                                    NULL, &c->comparison, &c->error);
}

static pv_status join(contest *c)
{
    const pv_study_options options = opening(c);
    return pv_comparison_join(c->plan, &options, (const char *const *)c->paths, c->n, &c->options,
                              NULL, &c->study, &c->comparison, &c->error);
}

/* ------------------------------------------------------------------------ the same */

static void same_groups(const pv_comparison *a, const pv_comparison *b)
{
    assert_int_equal(pv_comparison_n_groups(a), pv_comparison_n_groups(b));
    for (size_t g = 0; g < pv_comparison_n_groups(a); g++) {
        assert_string_equal(pv_comparison_group_value(a, g), pv_comparison_group_value(b, g));
        assert_int_equal(pv_comparison_group_rows(a, g), pv_comparison_group_rows(b, g));
    }
}

static void same_judgement(const pv_comparison *a, const pv_comparison *b)
{
    pv_judgement *one = NULL;
    pv_judgement *two = NULL;
    pv_error error = {0};
    bound_must(pv_judgement_create(a, NULL, NULL, &one, &error), &error);
    bound_must(pv_judgement_create(b, NULL, NULL, &two, &error), &error);
    char *pages[2] = {NULL, NULL};
    bound_must(pv_judgement_page(one, "people", &pages[0], &error), &error);
    bound_must(pv_judgement_page(two, "people", &pages[1], &error), &error);
    assert_string_equal(pages[0], pages[1]);
    pv_string_free(pages[0]);
    pv_string_free(pages[1]);
    pv_judgement_free(one);
    pv_judgement_free(two);
}

/* To the last bit. */
static void same_comparison(const pv_comparison *a, const pv_comparison *b)
{
    const size_t n = pv_comparison_n_kinds(a);
    assert_int_equal(pv_comparison_n_original(a), pv_comparison_n_original(b));
    assert_int_equal(pv_comparison_n_rows(a), pv_comparison_n_rows(b));
    assert_int_equal(n, pv_comparison_n_kinds(b));
    assert_memory_equal(pv_comparison_people(a), pv_comparison_people(b), n * sizeof(uint64_t));
    for (size_t r = 0; r < pv_comparison_n_releases(a); r++) {
        assert_int_equal(pv_comparison_missing(a, r), pv_comparison_missing(b, r));
        assert_int_equal(pv_comparison_suppressed(a, r), pv_comparison_suppressed(b, r));
        for (size_t p = 0; p < pv_comparison_n_properties(a); p++) {
            size_t n_kinds = 0;
            const double *const values = pv_comparison_values(a, r, p, &n_kinds);
            assert_memory_equal(values, pv_comparison_values(b, r, p, &n_kinds),
                                n * sizeof *values);
        }
    }
    same_groups(a, b);
    same_judgement(a, b);
}

static void call_alike(contest *c, const char *const *names)
{
    c->options.names = names;
}

/* Everywhere as in files; and where a database has joined them, or, as `is_joined` says, has not.
 */
static void expect_same(const char *plan, const char *const *tables,
                        const pv_comparison_options *options, bool is_joined)
{
    contest files = contest_of(plan, FILES, tables, options->key);
    files.options = *options;
    call_alike(&files, tables + 1);
    bound_must(fetch(&files), &files.error);
    for (store s = DUCKDB; s < N_STORES; s++) {
        if (!has_store(s)) {
            continue;
        }
        contest there = contest_of(plan, s, tables, options->key);
        there.options = *options;
        call_alike(&there, tables + 1);
        bound_must(join(&there), &there.error);
        assert_int_equal(there.study != NULL, is_joined);
        assert_int_equal(there.comparison != NULL, is_joined);
        if (!is_joined) {
            bound_must(fetch(&there), &there.error);
        }
        same_comparison(files.comparison, there.comparison);
        contest_free(&there);
    }
    contest_free(&files);
}

static const char *const three[] = {"people", "a", "b", "c", NULL};

static void same_as_files(void **state)
{
    static const char *const groups[] = {"t", TOWN, "n"};
    static const char *const some[] = {"column:n", "class-size", "glm"};
    static const char *const two[] = {"people", "c", "b", NULL};
    (void)state;
    expect_same(plan_text, three, &(pv_comparison_options){.key = KEY}, true);
    expect_same(plan_text, three,
                &(pv_comparison_options){.key = KEY, .groups = groups, .n_groups = 3}, true);
    expect_same(
        plan_text, two,
        &(pv_comparison_options){
            .key = KEY, .properties = some, .n_properties = 3, .groups = groups, .n_groups = 1},
        true);
    /* The key divides people, too: then all of them are told apart. */
    expect_same(plan_text, two,
                &(pv_comparison_options){.key = KEY, .groups = &(const char *){KEY}, .n_groups = 1},
                true);
}

/* A sensitive column that no release has is taken from the original, entry by entry. */
static void sensitive_values_of_the_original(void **state)
{
    static const char *const tables[] = {"people", "bare", "c", NULL};
    pv_buffer csv = {0};
    (void)state;
    pv_i_buffer_text(&csv, "\"k\"\"; DROP TABLE people; --\",c0,\"o'Brien, \"\"town\"\" \\\"\n");
    for (size_t i = N_PEOPLE; i-- > 0;) {
        pv_i_buffer_format(&csv, "%zu,%s,*\n", 100 + i, i % 12 < 4 ? "<40" : ">=40");
    }
    put_table("bare", csv.data, csv.size,
              "\"k\"\"; DROP TABLE people; --\" INTEGER, c0 TEXT, "
              "\"o'Brien, \"\"town\"\" \\\" TEXT");
    pv_i_buffer_deinit(&csv);
    expect_same(plan_text, tables, &(pv_comparison_options){.key = KEY}, true);
}

/* ----------------------------------------------------------------------- key by key */

static const char small_plan[] =
    "attributes:\n  id: {role: identifier}\n  age: {role: quasi}\n  ill: {role: sensitive}\n";
#define SMALL "id TEXT, age INTEGER, ill TEXT"
#define SMALL_RELEASE "id TEXT, age TEXT, ill TEXT"

static void put_small(const char *name, const char *rows, const char *types)
{
    pv_buffer csv = {0};
    pv_i_buffer_format(&csv, "id,age,ill\n%s", rows);
    put_table(name, csv.data, csv.size, types);
    pv_i_buffer_deinit(&csv);
}

static const char *const small[] = {"o", "r", NULL};

static void put_pair(const char *original, const char *release)
{
    put_small("o", original, SMALL);
    put_small("r", release, SMALL_RELEASE);
}

static void expect_pair(const char *original, const char *release, bool is_joined)
{
    put_pair(original, release);
    expect_same(small_plan, small, &(pv_comparison_options){.key = "id"}, is_joined);
}

static void keys_are_texts_or_fetched(void **state)
{
    (void)state;
    expect_pair("1,20,-\n12,30,-\n123,40,flu\n", "123,*,flu\n1,*,-\n12,30,-\n", true);
    expect_pair("P-1,20,-\nP-2,30,-\n", "P-2,*,-\nP-1,*,-\n", true);
    expect_pair("007,20,-\n7,30,-\n70,40,-\n", "7,*,-\n007,*,-\n70,40,-\n", true);
    expect_pair("b8,20,-\nB8,30,-\n", "B8,*,-\nb8,20,-\n", true);
    /* A missing key is a key, however it is spelled. */
    expect_pair(",20,-\n12,30,-\n", "12,*,-\n,*,-\n", true);
    expect_pair(",20,-\n12,30,-\n", "12,*,-\nNA,*,-\n", false);
    expect_pair("?,20,-\nx12,30,-\n", "x12,*,-\n?,*,-\n", true);
    /* Numbers and dates in two spellings, blanks that do not count. */
    expect_pair("1,20,-\n12,30,-\n", "1.0,*,-\n12,30,-\n", false);
    expect_pair("1.5,20,-\n12,30,-\n", "1.50,*,-\n12,30,-\n", false);
    expect_pair("-5,20,-\n12,30,-\n", "-5,*,-\n12,30,-\n", false);
    expect_pair("2024-05-31,20,-\n2024-06-01,30,-\n", "20240531,*,-\n2024-06-01,30,-\n", false);
    expect_pair("\"x \",20,-\ny,30,-\n", "x,*,-\ny,30,-\n", false);
    expect_pair("x,20,-\ny,30,-\n", "\" x\",*,-\ny,30,-\n", false);
}

static const char *const bad_pairs[][2] = {
    {"1,20,-\n1,30,-\n", "1,*,-\n"},                     /* twice in the original */
    {"1,20,-\n1,20,-\n", "1,*,-\n"},                     /* in equal rows */
    {"1,20,-\n2,30,-\n", "1,*,-\n2,*,-\n2,30,-\n"},      /* twice in the release */
    {"1,20,-\n2,30,-\n", "2,*,-\n2,*,-\n"},              /* in equal rows */
    {",20,-\n,30,-\nx,40,-\n", "x,*,-\n"},               /* missing twice */
    {",20,-\nNA,30,-\nx,40,-\n", "x,*,-\n"},             /* and in two spellings */
    {"x,40,-\ny,20,-\n", "x,*,-\n,*,-\n,*,-\n"},         /* in the release */
    {"1,20,-\n1.0,30,-\n", "1,*,-\n"},                   /* one value */
    {"\"a \",20,-\na,30,-\n", "a,*,-\n"},                /* without its blanks */
    {"1,20,-\n2,30,-\n", "1,*,-\n3,*,-\n"},              /* a row that the original lacks */
    {"1,20,-\n2,30,-\n", "1,*,-\n,*,-\n"},               /* with a missing key */
    {"1,20,-\n2,30,-\n3,40,flu\n", "1,*,-\n3,*,cold\n"}, /* one that contradicts it */
    {"1,20,-\n2,30,-\n", "1,30,-\n2,30,-\n"},            /* in another column */
};

/* Refused here as there, with the table that is wrong. */
static void bad_keys_are_refused(void **state)
{
    (void)state;
    for (size_t i = 0; i < N_OF(bad_pairs); i++) {
        put_pair(bad_pairs[i][0], bad_pairs[i][1]);
        contest files = contest_of(small_plan, FILES, small, "id");
        assert_int_equal(fetch(&files), PV_STATUS_INPUT);
        const bool in_release = strcmp(files.error.file, files.paths[0]) == 0;
        contest_free(&files);
        for (store s = DUCKDB; s < N_STORES; s++) {
            if (!has_store(s)) {
                continue;
            }
            contest there = contest_of(small_plan, s, small, "id");
            pv_status status = join(&there);
            if (status == PV_STATUS_OK) {
                assert_null(there.study);
                status = fetch(&there);
            }
            assert_int_equal(status, PV_STATUS_INPUT);
            assert_string_equal(there.error.file, in_release ? there.paths[0] : there.data);
            contest_free(&there);
        }
    }
}

/* Said in one sentence, without a value. */
static void repeated_keys_are_counted(void **state)
{
    (void)state;
    put_pair("17,20,-\n18,30,-\n", "17,*,-\n17,*,-\n17,30,-\n18,30,-\n");
    for (store s = DUCKDB; s < N_STORES; s++) {
        if (!has_store(s)) {
            continue;
        }
        contest there = contest_of(small_plan, s, small, "id");
        assert_int_equal(join(&there), PV_STATUS_INPUT);
        assert_string_equal(there.error.message,
                            "the key in column `id` of 2 rows is that of another row");
        contest_free(&there);
    }
}

/* ------------------------------------------------------------------- not everything */

static void some_things_are_not_joined(void **state)
{
    static const char *const lacking[] = {"people", "a", "nothing", NULL};
    static const char *const row_maps[] = {"x.map"};
    (void)state;
    for (store s = FILES; s < N_STORES; s++) {
        if (!has_store(s)) {
            continue;
        }
        const struct {
            const char *const *tables;
            const char *key;
            size_t n_maps;
        } cases[] = {
            {three, NULL, 0},
            {three, "nobody", 0},
            {lacking, KEY, 0}, /* whoever reads it says that it is not there */
            {three, KEY, 1},
        };
        for (size_t i = 0; i < N_OF(cases); i++) {
            contest c = contest_of(plan_text, s, cases[i].tables, cases[i].key);
            c.options.row_maps = row_maps;
            c.options.n_row_maps = cases[i].n_maps;
            bound_must(join(&c), &c.error);
            assert_null(c.study);
            assert_null(c.comparison);
            contest_free(&c);
        }
    }
    /* Files and databases are not joined with each other. */
    contest mixed = contest_of(plan_text, DUCKDB, three, KEY);
    free(mixed.paths[0]);
    mixed.paths[0] = place_of(FILES, "a");
    bound_must(join(&mixed), &mixed.error);
    assert_null(mixed.study);
    contest_free(&mixed);
}

/* A key that is declared, or measured, is not only a text. */
static void declared_keys_are_fetched(void **state)
{
    static const char *const plans[] = {
        "attributes:\n  id: {role: other, type: integer}\n  age: {role: quasi}\n",
        "attributes:\n  id: {role: quasi}\n  age: {role: quasi}\n",
        "decimal: comma\nattributes:\n  age: {role: quasi}\n",
    };
    static const char text[] =
        "attributes:\n  id: {role: other, type: text}\n  age: {role: quasi}\n";
    (void)state;
    put_pair("1-2,20,-\n12,30,-\n", "1-2,20,-\n12,30,-\n");
    expect_same(text, small, &(pv_comparison_options){.key = "id"}, true);
    put_pair("10,20,-\n12,30,-\n", "10,20,-\n12,30,-\n");
    for (size_t i = 0; i < N_OF(plans); i++) {
        expect_same(plans[i], small, &(pv_comparison_options){.key = "id"}, false);
    }
}

/* ------------------------------------------------------------------------- traffic */

static pv_status hear_nothing(void *ctx, const pv_cell *cells, pv_error *error)
{
    (void)ctx;
    (void)cells;
    (void)error;
    return PV_STATUS_OK;
}

static char *explained(const contest *c)
{
    const pv_study_options options = opening(c);
    char *text = NULL;
    pv_error error = {0};
    bound_must(pv_comparison_explain(c->plan, &options, (const char *const *)c->paths, c->n,
                                     &c->options, NULL, &text, &error),
               &error);
    return text;
}

/* The statement that is shown is the one that runs; of it comes one line for each combination. */
static void combinations_travel(void **state)
{
    (void)state;
    if (!has_postgres) {
        skip();
    }
    contest c = contest_of(plan_text, POSTGRES, three, KEY);
    char *const text = explained(&c);
    char *const statement = strstr(text, ";\nSELECT") + 2;
    statement[strlen(statement) - 2] = '\0';
    pv_error error = {0};
    pg_link link;
    pg_link_open(&link, c.data, NULL);
    const size_t n_columns = 4 * 4 + 4 + 1; /* of four tables, how many rows of each, and a count */
    bound_must(link.link.engine->fetch(link.link.connection, statement, n_columns, hear_nothing,
                                       NULL, &error),
               &error);
    const uint64_t received = link.link.engine->traffic(link.link.connection).received;
    struct stat people;
    char *const file = place_of(FILES, "people");
    assert_int_equal(stat(file, &people), 0);
    assert_true(received > 0);
    assert_true(received < (uint64_t)people.st_size / 4);
    pg_link_close(&link);
    free(file);
    pv_string_free(text);
    contest_free(&c);
}

static void statements_are_shown(void **state)
{
    (void)state;
    contest files = contest_of(plan_text, FILES, three, KEY);
    char *text = explained(&files);
    assert_non_null(strstr(text, "is a file, which is read without SQL;\n"));
    assert_null(strstr(text, "SELECT"));
    pv_string_free(text);
    contest_free(&files);
    for (store s = DUCKDB; s < N_STORES; s++) {
        if (!has_store(s)) {
            continue;
        }
        contest there = contest_of(plan_text, s, three, KEY);
        text = explained(&there);
        assert_non_null(strstr(text, "UNION ALL"));
        pv_string_free(text);
        there.options.key = "c0"; /* a quasi-identifier: rows are fetched */
        text = explained(&there);
        assert_null(strstr(text, "UNION ALL"));
        assert_non_null(strstr(text, "GROUP BY"));
        pv_string_free(text);
        contest_free(&there);
    }
}

/* ------------------------------------------------------------------ out of memory */

static pv_status join_small(void *ctx, pv_error *error)
{
    contest *const c = ctx;
    const pv_study_options options = opening(c);
    const pv_status status =
        pv_comparison_join(c->plan, &options, (const char *const *)c->paths, c->n, &c->options,
                           &(pv_context){.threads = 1}, &c->study, &c->comparison, error);
    if (status == PV_STATUS_OK) {
        assert_non_null(c->comparison);
        pv_comparison_free(c->comparison);
        pv_study_free(c->study);
        c->comparison = NULL;
        c->study = NULL;
    }
    return status;
}

static void every_allocation_fails_once(void **state)
{
    (void)state;
    if (!has_postgres) {
        skip();
    }
    put_pair("1,20,-\n12,30,flu\n", "12,*,flu\n1,*,-\n");
    contest c = contest_of(small_plan, POSTGRES, small, "id");
    assert_true(failing_alloc_sample(join_small, &c) > 0);
    contest_free(&c);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(same_as_files),
        cmocka_unit_test(sensitive_values_of_the_original),
        cmocka_unit_test(keys_are_texts_or_fetched),
        cmocka_unit_test(bad_keys_are_refused),
        cmocka_unit_test(repeated_keys_are_counted),
        cmocka_unit_test(some_things_are_not_joined),
        cmocka_unit_test(declared_keys_are_fetched),
        cmocka_unit_test(combinations_travel),
        cmocka_unit_test(statements_are_shown),
        cmocka_unit_test(every_allocation_fails_once),
    };
    return cmocka_run_group_tests(tests, begin, end);
}
