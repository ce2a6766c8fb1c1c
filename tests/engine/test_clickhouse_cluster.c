/* Three servers of ClickHouse that hold a third of the rows each: every one groups its own, and
 * only what it counted travels. */
#include "support/clickhouse_servers.h"
#include "support/files.h"

#include "base/memory.h"
#include "engine/join.h"
#include "table/column.h"

#include <paravent/table.h>

static ch_servers all;
static ch_server *const first = &all.servers[0];

enum { N_PEOPLE = 30000, N_SERVERS = 3 };

#define COLUMNS "(id Int32, age Int32, town Nullable(String), income Decimal(8, 2), day Date)"

/* People of the numbers that a server has; `%` of 1: all of them. */
static void make_people(const ch_server *server, const char *table, int part, int parts)
{
    char sql[512];
    (void)snprintf(sql, sizeof sql,
                   "INSERT INTO %s SELECT number, 18 + number * 79 %% 70, if(number %% 17 = 0, "
                   "NULL, concat('town ', toString(number * 31 %% 40))), (number * 1047 %% 1000) / "
                   "10, toDate('2020-01-01') + number * 13 %% 300 FROM (SELECT number FROM "
                   "system.numbers LIMIT %d) WHERE number %% %d = %d",
                   table, N_PEOPLE, parts, part);
    ch_run(server, sql, NULL);
}

static int start(void **state)
{
    (void)state;
    ch_servers_create(&all, N_SERVERS);
    for (int i = 0; i < N_SERVERS; i++) {
        ch_run(
            &all.servers[i], "CREATE TABLE third " COLUMNS " ENGINE = MergeTree ORDER BY tuple()",
            "CREATE TABLE spread " COLUMNS " ENGINE = Distributed(all, default, third, id)", NULL);
        make_people(&all.servers[i], "third", i, N_SERVERS);
    }
    ch_run(first, "CREATE TABLE alone " COLUMNS " ENGINE = MergeTree ORDER BY tuple()", NULL);
    make_people(first, "alone", 0, 1);
    return 0;
}

static int stop(void **state)
{
    (void)state;
    ch_servers_remove(&all);
    return 0;
}

static pv_status count(const char *place, const char *const *columns, size_t n, pv_buffer *text,
                       uint64_t *received, pv_error *error)
{
    ch_link link;
    ch_link_open(&link, place, NULL);
    const pv_status status =
        pv_i_count_equal_rows(&link.link, &link.place, columns, n, text, error);
    if (received != NULL) {
        *received = link.link.engine->traffic(link.link.connection).received;
    }
    ch_link_close(&link);
    return status;
}

static pv_buffer counted(const char *place, const char *const *columns, size_t n,
                         uint64_t *received)
{
    pv_buffer text = {0};
    pv_error error = {0};
    if (count(place, columns, n, &text, received, &error) != PV_STATUS_OK) {
        fail_msg("%s", error.message);
    }
    return text;
}

static const char *const columns[] = {"age", "town", "income", "day"};

static void test_same_as_one_server(void **state)
{
    (void)state;
    for (size_t n = 1; n <= 4; n++) {
        for (size_t i = 0; i < N_SERVERS; i++) {
            pv_buffer alone = counted(ch_table(first, "alone"), columns, n, NULL);
            pv_buffer spread = counted(ch_table(&all.servers[i], "spread"), columns, n, NULL);
            assert_string_equal(alone.data, spread.data);
            pv_i_buffer_deinit(&alone);
            pv_i_buffer_deinit(&spread);
        }
    }
}

static bool is_town_or_age(void *ctx, const char *column)
{
    (void)ctx;
    return strcmp(column, "town") == 0 || strcmp(column, "age") == 0;
}

/* Rows on one server are matched with those on three. */
static void test_joined(void **state)
{
    const pv_read_options options[] = {{.keep = is_town_or_age}, {.keep = is_town_or_age}};
    char *const alone = strdup(ch_table(first, "alone"));
    char *const spread = strdup(ch_table(first, "spread"));
    const pv_join join = {
        .places = (const char *const[]){alone, spread}, .n = 2, .key = "id", .options = options};
    pv_joined joined;
    pv_error error = {0};
    (void)state;
    if (pv_i_join(&join, NULL, &joined, &error) != PV_STATUS_OK) {
        fail_msg("%s", error.message);
    }
    assert_int_equal(joined.n, 2);
    const pv_table *const original = joined.tables[0];
    const pv_table *const other = joined.tables[1];
    assert_int_equal(pv_table_rows(original), N_PEOPLE);
    assert_int_equal(pv_table_rows(other), N_PEOPLE);
    assert_true(pv_i_table_entries(original) < N_PEOPLE / 2);
    for (uint64_t row = 0; row < N_PEOPLE; row += 97) {
        for (size_t i = 0; i < 2; i++) {
            assert_string_equal(pv_table_value(original, i, pv_table_code(original, i, row)),
                                pv_table_value(other, i, pv_table_code(other, i, row)));
        }
    }
    pv_i_joined_deinit(&joined);
    free(alone);
    free(spread);
}

/* What a value becomes within some seconds; freed with free(). */
static char *awaited(const ch_server *server, const char *select)
{
    char *value = NULL;
    for (int i = 0; i < 500 && (value == NULL || strcmp(value, "0") == 0); i++) {
        free(value);
        value = ch_value(server, select);
        (void)usleep(10000);
    }
    return value;
}

/* What a server was asked by another one: its log of queries, which is written now and then. */
static char *asked(const ch_server *server, const char *what)
{
    char sql[384];
    free(awaited(server, "SELECT COUNT(*) AS x FROM system.tables WHERE name = 'query_log'"));
    (void)snprintf(sql, sizeof sql,
                   "SELECT %s AS x FROM system.query_log WHERE type = 2 AND is_initial_query = 0 "
                   "AND query LIKE '%%GROUP BY%%town%%' AND query NOT LIKE '%%age%%'",
                   what);
    return awaited(server, sql);
}

/* Every other server read its own rows, and handed over as many as it has towns. */
static void test_only_counts_travel(void **state)
{
    uint64_t received = 0;
    (void)state;
    pv_buffer text = counted(ch_table(first, "spread"), &columns[1], 1, &received);
    assert_in_range(received, 100, 2000);
    pv_i_buffer_deinit(&text);
    for (size_t i = 1; i < N_SERVERS; i++) {
        char *const n = asked(&all.servers[i], "COUNT(*)");
        char *const read = asked(&all.servers[i], "max(read_rows)");
        char *const handed = asked(&all.servers[i], "min(result_rows)");
        assert_true(atoi(n) > 0);
        assert_int_equal(atoi(read), N_PEOPLE / N_SERVERS);
        assert_in_range(atoi(handed), 1, 41);
        free(n);
        free(read);
        free(handed);
    }
}

/* A table of more groups than the engine keeps in one part. */
static void test_many_groups(void **state)
{
    static const char *const every[] = {"id", "day"};
    (void)state;
    pv_buffer alone = counted(ch_table(first, "alone"), every, 2, NULL);
    pv_buffer spread = counted(ch_table(first, "spread"), every, 2, NULL);
    assert_string_equal(alone.data, spread.data);
    pv_i_buffer_deinit(&alone);
    pv_i_buffer_deinit(&spread);
}

/* ------------------------------------------------------------ one server is lost */

static void test_server_that_is_down(void **state)
{
    pv_buffer text = {0};
    pv_error error = {0};
    (void)state;
    ch_server_kill(&all.servers[1]);
    assert_int_equal(count(ch_table(first, "spread"), columns, 2, &text, NULL, &error),
                     PV_STATUS_IO);
    assert_true(text.size == 0);
    assert_non_null(strstr(error.message, "ClickHouse"));
    assert_non_null(strstr(error.hint, "cluster"));
    ch_server_start(&all.servers[1]);
    pv_buffer alone = counted(ch_table(first, "alone"), columns, 2, NULL);
    pv_buffer spread = counted(ch_table(first, "spread"), columns, 2, NULL);
    assert_string_equal(alone.data, spread.data);
    pv_i_buffer_deinit(&alone);
    pv_i_buffer_deinit(&spread);
    pv_i_buffer_deinit(&text);
}

static bool kill_soon(void *ctx, const pv_progress *progress)
{
    unsigned *const calls = ctx;
    (void)progress;
    if (++*calls == 8) {
        ch_server_kill(&all.servers[2]);
    }
    return *calls < 300;
}

/* In the middle of counting: by a column that takes its time. */
static void test_server_that_dies(void **state)
{
    unsigned calls = 0;
    const pv_context context = {.progress = kill_soon, .progress_ctx = &calls};
    pv_table *table = NULL;
    pv_error error = {0};
    (void)state;
    char *const slow = pv_i_place_of_parts("clickhouse", first->url + strlen("clickhouse://"), NULL,
                                           "SELECT id + sleep(2) AS x FROM spread");
    assert_int_equal(pv_table_read(slow, NULL, &context, &table, &error), PV_STATUS_IO);
    assert_null(table);
    assert_true(error.hint[0] != '\0');
    assert_in_range(calls, 8, 200);
    ch_server_start(&all.servers[2]);
    pv_buffer alone = counted(ch_table(first, "alone"), columns, 3, NULL);
    pv_buffer spread = counted(ch_table(first, "spread"), columns, 3, NULL);
    assert_string_equal(alone.data, spread.data);
    pv_i_buffer_deinit(&alone);
    pv_i_buffer_deinit(&spread);
    pv_i_free(slow);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_same_as_one_server),  cmocka_unit_test(test_joined),
        cmocka_unit_test(test_only_counts_travel),  cmocka_unit_test(test_many_groups),
        cmocka_unit_test(test_server_that_is_down), cmocka_unit_test(test_server_that_dies),
    };
    return ch_is_installed() ? cmocka_run_group_tests(tests, start, stop) : 0;
}
