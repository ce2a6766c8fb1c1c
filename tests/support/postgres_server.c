#include "support/postgres_server.h"

#include "base/error.h"

#include <arpa/inet.h>
#include <glob.h>
#include <grp.h>
#include <pwd.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

/* ------------------------------------------------------------------ programs */

static bool find_program(const char *name, char *path, size_t size)
{
    glob_t found = {0};
    char pattern[128];
    (void)snprintf(pattern, sizeof pattern, "/usr/lib/postgresql/*/bin/%s", name);
    const bool is_there = glob(pattern, 0, NULL, &found) == 0;
    if (is_there) {
        (void)snprintf(path, size, "%s", found.gl_pathv[found.gl_pathc - 1]);
    }
    globfree(&found);
    return is_there;
}

/* The server refuses to run as root. */
static const struct passwd *runner(void)
{
    return getuid() == 0 ? getpwnam("postgres") : getpwuid(getuid());
}

static pid_t start(const char *const *arguments, const char *log)
{
    const struct passwd *const user = runner();
    const pid_t parent = getpid();
    const pid_t pid = fork();
    assert_true(pid >= 0);
    if (pid > 0) {
        return pid;
    }
    if (getuid() == 0 &&
        (setgroups(0, NULL) != 0 || setgid(user->pw_gid) != 0 || setuid(user->pw_uid) != 0)) {
        _exit(126);
    }
    (void)prctl(PR_SET_PDEATHSIG, SIGQUIT);
    if (getppid() != parent || chdir("/tmp") != 0 || freopen("/dev/null", "r", stdin) == NULL ||
        freopen(log, "a", stdout) == NULL || dup2(STDOUT_FILENO, STDERR_FILENO) < 0) {
        _exit(126);
    }
    (void)execv(arguments[0], (char *const *)(uintptr_t)arguments);
    _exit(127);
}

static void finish(const char *const *arguments, const char *log)
{
    int status = 0;
    const pid_t pid = start(arguments, log);
    assert_int_equal(waitpid(pid, &status, 0), pid);
    assert_true(WIFEXITED(status) && WEXITSTATUS(status) == 0);
}

bool pg_is_installed(void)
{
    static const char missing[] = "PostgreSQL is not installed (packages libpq-dev, postgresql)";
    char path[256];
    bool is_built = false;
    for (const pv_engine *const *engine = pv_i_engines; *engine != NULL; engine++) {
        is_built = is_built || strcmp((*engine)->name, "postgresql") == 0;
    }
    if (is_built && find_program("initdb", path, sizeof path) && runner() != NULL) {
        return true;
    }
    if (getenv("CI") != NULL) {
        (void)fprintf(stderr, "%s, but everything is to be checked\n", missing);
        exit(1);
    }
    (void)printf("skipped: %s\n", missing);
    return false;
}

/* ------------------------------------------------------------------- servers */

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

void pg_server_create(pg_server *server, const pg_server *like)
{
    char program[256];
    char data[96];
    char other[96];
    *server = (pg_server){.port = free_port()};
    (void)strcpy(server->folder, "/tmp/paravent-pg-XXXXXX");
    assert_non_null(mkdtemp(server->folder));
    if (getuid() == 0) {
        assert_int_equal(chown(server->folder, runner()->pw_uid, runner()->pw_gid), 0);
    }
    (void)snprintf(server->url, sizeof server->url, "postgresql://paravent@127.0.0.1:%d/postgres",
                   server->port);
    (void)snprintf(data, sizeof data, "%s/data", server->folder);
    if (like != NULL) {
        (void)snprintf(other, sizeof other, "%s/data", like->folder);
        finish((const char *const[]){"/bin/cp", "-r", other, data, NULL}, "/dev/null");
        return;
    }
    assert_true(find_program("initdb", program, sizeof program));
    finish((const char *const[]){program, "-D", data, "-N", "--no-locale", "-E", "UTF8", "-A",
                                 "trust", "-U", "paravent", NULL},
           "/dev/null");
}

static bool answers(const pg_server *server)
{
    pv_place place = {0};
    pv_link link = {0};
    assert_int_equal(pv_i_place_parse(server->url, &place, NULL), PV_STATUS_OK);
    const bool does = pv_i_link_open(&link, &place, NULL, NULL) == PV_STATUS_OK;
    pv_i_link_close(&link);
    pv_i_place_deinit(&place);
    return does;
}

void pg_server_start(pg_server *server)
{
    char program[256];
    char data[96];
    char log[96];
    char port[16];
    (void)snprintf(data, sizeof data, "%s/data", server->folder);
    (void)snprintf(log, sizeof log, "%s/log", server->folder);
    (void)snprintf(port, sizeof port, "%d", server->port);
    assert_true(find_program("postgres", program, sizeof program));
    server->pid = start((const char *const[]){program,
                                              "-D",
                                              data,
                                              "-p",
                                              port,
                                              "-c",
                                              "listen_addresses=127.0.0.1",
                                              "-c",
                                              "unix_socket_directories=",
                                              "-c",
                                              "fsync=off",
                                              "-c",
                                              "shared_buffers=16MB",
                                              "-c",
                                              "wal_level=minimal",
                                              "-c",
                                              "max_wal_senders=0",
                                              "-c",
                                              "max_prepared_transactions=4",
                                              NULL},
                        log);
    for (int i = 0; !answers(server); i++) {
        if (i >= 1000) {
            fail_msg("the server of the test does not answer");
        }
        (void)usleep(20000);
    }
}

void pg_server_kill(pg_server *server)
{
    if (server->pid > 0) {
        (void)kill(server->pid, SIGQUIT);
        (void)waitpid(server->pid, NULL, 0);
    }
    server->pid = 0;
}

void pg_server_remove(pg_server *server)
{
    pg_server_kill(server);
    if (server->folder[0] != '\0') {
        finish((const char *const[]){"/bin/rm", "-rf", server->folder, NULL}, "/dev/null");
        (void)rmdir(server->folder);
    }
    server->folder[0] = '\0';
}
