/* Where a ClickHouse is and who we are there, as configurations of clickhouse-client say it; no
 * server is needed. */
#include "support/failing_alloc.h"
#include "support/files.h"

#include "base/error.h"
#include "base/memory.h"
#include "engine/clickhouse.h"

static void check(const char *text, const char *host, const char *user, const char *password,
                  const char *database)
{
    ch_login login = {0};
    assert_true(pv_i_ch_login_configure(&login, text, host));
    assert_string_equal(login.user != NULL ? login.user : "-", user);
    assert_string_equal(login.password != NULL ? login.password : "-", password);
    assert_string_equal(login.database != NULL ? login.database : "-", database);
    pv_i_ch_login_deinit(&login);
}

static void test_configurations(void **state)
{
    static const char connections[] =
        "<?xml version=\"1.0\"?>\n<clickhouse>\n <user>all</user><password>p</password>\n"
        " <connections_credentials>\n  <connection><name>a.org</name><user>me</user>"
        "<password>a</password><database>d</database></connection>\n"
        "  <connection><name>b</name><hostname>b.org</hostname><password>b</password></connection>"
        "\n </connections_credentials>\n</clickhouse>";
    (void)state;
    check("<config><user> me </user><password>a&lt;b&amp;&#65;&#x42;&quot;</password></config>",
          "h", "me", "a<b&AB\"", "-");
    check("<yandex><!-- <user>no</user> --><user a='b'>me</user><password/></yandex>", "h", "me",
          "-", "-");
    check("<config><other><user>no</user></other><database>d</database></config>", "h", "-", "-",
          "d");
    check(connections, "a.org", "me", "a", "d");
    check(connections, "b.org", "all", "b", "-");
    check(connections, "c.org", "all", "p", "-");
    check("", "h", "-", "-", "-");
    check("no XML", "h", "-", "-", "-");
    check("</a></b><user>", "h", "-", "-", "-");
    check("<", "h", "-", "-", "-");
    check("<>", "h", "-", "-", "-");
    check("<!--", "h", "-", "-", "-");
    check("<config><user>me</user", "h", "me", "-", "-");
    check("<config><user>&#0;&#xZ;&#</user></config>", "h", "&#0;&#xZ;&#", "-", "-");
}

/* A password goes with the user who stands beside it. */
static void test_password_of_another_user(void **state)
{
    static const char text[] = "<config><user>all</user><password>p</password></config>";
    static const char nameless[] = "<config><password>p</password></config>";
    ch_login login = {.user = pv_i_strdup("me")};
    (void)state;
    assert_true(pv_i_ch_login_configure(&login, text, "h"));
    assert_null(login.password);
    assert_true(pv_i_ch_login_configure(&login, nameless, "h"));
    assert_null(login.password);
    pv_i_ch_login_deinit(&login);
    login.user = pv_i_strdup("default");
    assert_true(pv_i_ch_login_configure(&login, nameless, "h"));
    assert_string_equal(login.password, "p");
    pv_i_ch_login_deinit(&login);
}

static void check_address(const char *where, const char *url, const char *user,
                          const char *database)
{
    pv_place place = {.text = (char *)(uintptr_t)where, .where = (char *)(uintptr_t)where};
    ch_login login = {0};
    pv_error error = {0};
    if (pv_i_ch_login_find(&place, &login, &error) != PV_STATUS_OK) {
        fail_msg("%s: %s", where, error.message);
    }
    assert_string_equal(login.url, url);
    assert_string_equal(login.user, user);
    assert_string_equal(login.database != NULL ? login.database : "-", database);
    pv_i_ch_login_deinit(&login);
}

/* The files are looked for in the order that clickhouse-client has. */
static void test_addresses_and_files(void **state)
{
    const scratch_folder folder = scratch_folder_create("clickhouse-client.xml");
    static const char text[] = "<config><user>filed</user><database>base</database></config>";
    char here[1024];
    (void)state;
    assert_non_null(getcwd(here, sizeof here));
    assert_int_equal(chdir(folder.path), 0);
    (void)setenv("HOME", folder.path, 1);
    (void)unsetenv("CLICKHOUSE_USER");
    (void)unsetenv("CLICKHOUSE_PASSWORD");
    check_address("clickhouse://h", "http://h:8123/", "default", "-");
    check_address("clickhouse://h:9/", "http://h:9/", "default", "-");
    check_address("clickhouses://me@h.org/d%20b", "https://h.org:8443/", "me", "d b");
    check_address("clickhouse://m%40e@[::1]:8123/d", "http://[::1]:8123/", "m@e", "d");
    check_address("clickhouse://[::1]/d", "http://[::1]:8123/", "default", "d");
    written_file(folder.file, text, strlen(text));
    check_address("clickhouse://h", "http://h:8123/", "filed", "base");
    check_address("clickhouse://me@h/d", "http://h:8123/", "me", "d");
    (void)setenv("CLICKHOUSE_USER", "named", 1);
    check_address("clickhouse://h", "http://h:8123/", "named", "base");
    (void)unsetenv("CLICKHOUSE_USER");
    assert_int_equal(chdir(here), 0);
    scratch_folder_remove(&folder);
}

static pv_status configure(void *ctx, pv_error *error)
{
    ch_login login = {0};
    const bool is_read = pv_i_ch_login_configure(&login, ctx, "a");
    pv_i_ch_login_deinit(&login);
    return is_read ? PV_STATUS_OK : pv_i_no_memory(error);
}

static pv_status find(void *ctx, pv_error *error)
{
    pv_place place = {.text = ctx, .where = ctx};
    ch_login login = {0};
    const pv_status status = pv_i_ch_login_find(&place, &login, error);
    pv_i_ch_login_deinit(&login);
    return status;
}

static void test_every_allocation(void **state)
{
    static char text[] = "<c><user>u</user><password>p</password><connections_credentials>"
                         "<connection><name>a</name><user>x</user></connection>"
                         "</connections_credentials></c>";
    static char where[] = "clickhouse://me@host/db";
    (void)state;
    assert_true(failing_alloc_every(configure, text) > 0);
    assert_true(failing_alloc_every(find, where) > 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_configurations),
        cmocka_unit_test(test_password_of_another_user),
        cmocka_unit_test(test_addresses_and_files),
        cmocka_unit_test(test_every_allocation),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
