#include "support/clickhouse_servers.h"

#include "support/files.h"

#include <arpa/inet.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/wait.h>

/* ------------------------------------------------------------------ the program */

static const char *program(void)
{
    static const char *const paths[] = {"/usr/bin/clickhouse-server", "/usr/sbin/clickhouse-server",
                                        "/usr/local/bin/clickhouse-server"};
    for (size_t i = 0; i < sizeof paths / sizeof *paths; i++) {
        if (access(paths[i], X_OK) == 0) {
            return paths[i];
        }
    }
    return NULL;
}

bool ch_is_installed(void)
{
    static const char missing[] =
        "ClickHouse is not installed (packages libcurl4-openssl-dev, clickhouse-server)";
    bool is_built = false;
    for (const pv_engine *const *engine = pv_i_engines; *engine != NULL; engine++) {
        is_built = is_built || strcmp((*engine)->name, "clickhouse") == 0;
    }
    if (is_built && program() != NULL) {
        return true;
    }
    if (getenv("CI") != NULL) {
        (void)fprintf(stderr, "%s, but everything is to be checked\n", missing);
        exit(1);
    }
    (void)printf("skipped: %s\n", missing);
    return false;
}

static int free_port(void)
{
    struct sockaddr_in address = {.sin_family = AF_INET, .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
    socklen_t size = sizeof address;
    const int s = socket(AF_INET, SOCK_STREAM, 0);
    assert_true(s >= 0);
    assert_int_equal(bind(s, (struct sockaddr *)&address, size), 0);
    assert_int_equal(getsockname(s, (struct sockaddr *)&address, &size), 0);
    (void)close(s);
    return ntohs(address.sin_port);
}

/* --------------------------------------------------------------- configuration */

#define XML_PASSWORD "Sesam, &quot;off&quot; &amp; dich!"

static FILE *create_file(const char *folder, const char *name)
{
    char path[160];
    (void)snprintf(path, sizeof path, "%s/%s", folder, name);
    FILE *const file = fopen(path, "w");
    assert_non_null(file);
    return file;
}

static void write_users(const ch_server *server)
{
    static const struct {
        const char *name, *settings;
    } users[] = {
        {"default", "<log_queries>1</log_queries>"
                    "<group_by_two_level_threshold>1000</group_by_two_level_threshold>"},
        {"reader", "<readonly>1</readonly>"},
        {"breaker", "<group_by_overflow_mode>any</group_by_overflow_mode>"
                    "<max_rows_to_group_by>3</max_rows_to_group_by>"
                    "<skip_unavailable_shards>1</skip_unavailable_shards>"},
        {"sloppy", "<readonly>1</readonly><skip_unavailable_shards>1</skip_unavailable_shards>"},
    };
    FILE *const file = create_file(server->folder, "users.xml");
    (void)fprintf(file, "<yandex><quotas><default/></quotas><profiles>");
    for (size_t i = 0; i < sizeof users / sizeof *users; i++) {
        (void)fprintf(file, "<%s>%s</%s>", users[i].name, users[i].settings, users[i].name);
    }
    (void)fprintf(file, "</profiles><users>");
    for (size_t i = 0; i < sizeof users / sizeof *users; i++) {
        (void)fprintf(file,
                      "<%s><password>" XML_PASSWORD "</password><networks><ip>127.0.0.1</ip>"
                      "</networks><profile>%s</profile><quota>default</quota></%s>",
                      users[i].name, users[i].name, users[i].name);
    }
    (void)fprintf(file, "</users></yandex>\n");
    assert_int_equal(fclose(file), 0);
}

static void write_configuration(const ch_servers *all, const ch_server *server)
{
    FILE *const file = create_file(server->folder, "config.xml");
    (void)fprintf(file,
                  "<yandex><logger><level>warning</level><log>%s/log</log>"
                  "<errorlog>%s/errors</errorlog></logger><listen_host>127.0.0.1</listen_host>"
                  "<http_port>%d</http_port><tcp_port>%d</tcp_port><path>%s/data/</path>"
                  "<tmp_path>%s/tmp/</tmp_path><user_files_path>%s/files/</user_files_path>"
                  "<users_config>users.xml</users_config>"
                  "<default_profile>default</default_profile>"
                  "<default_database>default</default_database>"
                  "<mark_cache_size>16777216</mark_cache_size><timezone>UTC</timezone>"
                  "<query_log><database>system</database><table>query_log</table>"
                  "<flush_interval_milliseconds>100</flush_interval_milliseconds></query_log>"
                  "<remote_servers><all>",
                  server->folder, server->folder, server->http, server->tcp, server->folder,
                  server->folder, server->folder);
    for (size_t i = 0; i < all->n; i++) {
        (void)fprintf(file,
                      "<shard><replica><host>127.0.0.1</host><port>%d</port><user>default</user>"
                      "<password>" XML_PASSWORD "</password></replica></shard>",
                      all->servers[i].tcp);
    }
    (void)fprintf(file, "</all></remote_servers></yandex>\n");
    assert_int_equal(fclose(file), 0);
}

/* ------------------------------------------------------------------------ servers */

static bool answers(const ch_server *server)
{
    const struct sockaddr_in address = {.sin_family = AF_INET,
                                        .sin_port = htons((uint16_t)server->http),
                                        .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
    static const char question[] = "GET /ping HTTP/1.0\r\n\r\n";
    char answer[8] = "";
    const int s = socket(AF_INET, SOCK_STREAM, 0);
    assert_true(s >= 0);
    const bool does = connect(s, (const struct sockaddr *)&address, sizeof address) == 0 &&
                      send(s, question, strlen(question), MSG_NOSIGNAL) > 0 &&
                      recv(s, answer, sizeof answer, 0) > 0;
    (void)close(s);
    return does;
}

static void spawn(ch_server *server)
{
    char configuration[160];
    const pid_t parent = getpid();
    (void)snprintf(configuration, sizeof configuration, "--config-file=%s/config.xml",
                   server->folder);
    server->pid = fork();
    assert_true(server->pid >= 0);
    if (server->pid > 0) {
        return;
    }
    (void)prctl(PR_SET_PDEATHSIG, SIGKILL);
    if (getppid() != parent || chdir(server->folder) != 0 ||
        freopen("/dev/null", "r", stdin) == NULL || freopen("output", "a", stdout) == NULL ||
        dup2(STDOUT_FILENO, STDERR_FILENO) < 0) {
        _exit(126);
    }
    (void)execl(program(), program(), configuration, (char *)NULL);
    _exit(127);
}

static void wait_for(const ch_server *server)
{
    for (int i = 0; !answers(server); i++) {
        if (i >= 1500) {
            fail_msg("the server of the test does not answer");
        }
        (void)usleep(20000);
    }
}

void ch_server_start(ch_server *server)
{
    spawn(server);
    wait_for(server);
}

void ch_server_kill(ch_server *server)
{
    if (server->pid > 0) {
        (void)kill(server->pid, SIGKILL);
        (void)waitpid(server->pid, NULL, 0);
    }
    server->pid = 0;
}

/* Nothing of whoever runs the test is read: neither environment nor configuration. */
void ch_servers_create(ch_servers *servers, size_t n)
{
    const scratch_folder folder = scratch_folder_create("");
    *servers = (ch_servers){.n = n};
    (void)strcpy(servers->folder, folder.path);
    assert_int_equal(setenv("CLICKHOUSE_PASSWORD", CH_PASSWORD, 1), 0);
    assert_int_equal(setenv("HOME", folder.path, 1), 0);
    assert_int_equal(unsetenv("CLICKHOUSE_USER"), 0);
    for (size_t i = 0; i < n; i++) {
        ch_server *const server = &servers->servers[i];
        server->http = free_port();
        server->tcp = free_port();
        (void)snprintf(server->folder, sizeof server->folder, "%s/%zu", folder.path, i);
        (void)snprintf(server->url, sizeof server->url, "clickhouse://127.0.0.1:%d/default",
                       server->http);
        assert_int_equal(mkdir(server->folder, 0700), 0);
    }
    for (size_t i = 0; i < n; i++) {
        write_users(&servers->servers[i]);
        write_configuration(servers, &servers->servers[i]);
        spawn(&servers->servers[i]);
    }
    for (size_t i = 0; i < n; i++) {
        wait_for(&servers->servers[i]);
    }
}

void ch_servers_remove(ch_servers *servers)
{
    for (size_t i = 0; i < servers->n; i++) {
        ch_server_kill(&servers->servers[i]);
    }
    if (servers->n > 0) {
        scratch_remove_at(AT_FDCWD, servers->folder);
    }
    servers->n = 0;
}

char *ch_value(const ch_server *server, const char *select)
{
    pv_buffer sql = {0};
    pv_i_buffer_format(&sql, "SELECT toNullable(toString(x)) FROM (%s)", select);
    char *const value = place_value(server->url, sql.data);
    pv_i_buffer_deinit(&sql);
    return value;
}
