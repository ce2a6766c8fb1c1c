/* Counting calls and deciding what becomes of them. The variables of this file are what the
 * environment says, read once, and the count; a preloaded object has no other place for them. */
#include "shim.h"

#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

typedef enum {
    COUNT, /* disturb nothing */
    FAIL,
    DEAD,
    SHORT,
    FULL,
    KILL_BEFORE,
    KILL_AFTER,
    SIGNAL,
    LOSE
} fault_kind;

static struct {
    const char *root;
    size_t root_length;
    int log; /* -1: none */
    fault_kind kind;
    disk_loss loss;
    unsigned long at;
    unsigned long seed;
    int error;
    int signal;
} fault = {.log = -1};

static unsigned long count;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

void shim_broken(const char *why)
{
    char line[PATH_MAX];
    const int length = snprintf(line, sizeof line, "torture: %s: %s\n", why, strerror(errno));
    (void)syscall(SYS_write, STDERR_FILENO, line, length);
    (void)syscall(SYS_exit_group, 99);
    abort();
}

static unsigned long number_of(const char *variable)
{
    const char *const text = getenv(variable);
    return text != NULL ? strtoul(text, NULL, 10) : 0;
}

static const struct {
    const char *name;
    fault_kind kind;
    disk_loss loss;
} kinds[] = {
    {"count", COUNT, 0},
    {"fail", FAIL, 0},
    {"dead", DEAD, 0},
    {"short", SHORT, 0},
    {"full", FULL, 0},
    {"kill-before", KILL_BEFORE, 0},
    {"kill-after", KILL_AFTER, 0},
    {"signal", SIGNAL, 0},
    {"lose-data", LOSE, LOSE_DATA},
    {"lose-all", LOSE, LOSE_ALL},
    {"lose-some", LOSE, LOSE_SOME},
};

static void choose_kind(const char *name)
{
    for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++) {
        if (strcmp(kinds[i].name, name) == 0) {
            fault.kind = kinds[i].kind;
            fault.loss = kinds[i].loss;
            return;
        }
    }
    shim_broken("TORTURE_DO is unknown");
}

/* The log's descriptor is a high one: those of the command stay as they are without us. */
static void open_log(const char *path)
{
    const int fd =
        (int)syscall(SYS_openat, AT_FDCWD, path, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0600);
    fault.log = fd >= 0 ? fcntl(fd, F_DUPFD_CLOEXEC, 200) : -1;
    if (fault.log < 0) {
        shim_broken("TORTURE_LOG cannot be opened");
    }
    (void)syscall(SYS_close, fd);
}

__attribute__((constructor)) static void begin(void)
{
    fault.root = getenv("TORTURE_ROOT");
    if (fault.root == NULL) {
        return;
    }
    fault.root_length = strlen(fault.root);
    const char *const what = getenv("TORTURE_DO");
    choose_kind(what != NULL ? what : "count");
    fault.at = number_of("TORTURE_AT");
    fault.seed = number_of("TORTURE_SEED");
    fault.error = (int)number_of("TORTURE_ERRNO");
    fault.signal = (int)number_of("TORTURE_SIGNAL");
    if (getenv("TORTURE_LOG") != NULL) {
        open_log(getenv("TORTURE_LOG"));
    }
    if (fault.kind == LOSE) {
        disk_remember(getenv("TORTURE_SIDE"));
    }
}

/* A process that said it succeeded must have flushed everything: power is lost just after. */
__attribute__((destructor)) static void end(void)
{
    if (fault.kind == LOSE && fault.at == 0) {
        disk_lose(fault.loss, fault.seed);
    }
}

bool shim_watched(const char *path)
{
    return fault.root != NULL && strncmp(path, fault.root, fault.root_length) == 0 &&
           (path[fault.root_length] == '/' || path[fault.root_length] == '\0');
}

static void note(unsigned long n, const char *name, const char *path)
{
    char line[PATH_MAX + 64];
    if (fault.log >= 0) {
        const int length = snprintf(line, sizeof line, "%lu %s %s\n", n, name, path);
        (void)syscall(SYS_write, fault.log, line, length);
    }
}

_Noreturn static void die(void)
{
    for (;;) {
        (void)kill(getpid(), SIGKILL);
    }
}

static shim_verdict fail_with(int error)
{
    errno = error;
    return SHIM_FAIL;
}

/* For the call with number n; those that end the process do not come back. */
static shim_verdict judge(const shim_call *call, unsigned long n)
{
    const bool now = n == fault.at;
    switch (fault.kind) {
    case FAIL: return now ? fail_with(fault.error) : SHIM_PASS;
    case DEAD: return n >= fault.at ? fail_with(fault.error) : SHIM_PASS;
    case SHORT: return now ? SHIM_SHORT : SHIM_PASS;
    case FULL:
        if (now && strstr(call->name, "write") != NULL) {
            return SHIM_SHORT;
        }
        return n >= fault.at && call->takes_space ? fail_with(ENOSPC) : SHIM_PASS;
    case KILL_BEFORE:
        if (now) {
            die();
        }
        return SHIM_PASS;
    case LOSE:
        if (now) {
            disk_lose(fault.loss, fault.seed);
            die();
        }
        return SHIM_PASS;
    default: return SHIM_PASS;
    }
}

shim_verdict shim_enter(shim_call *call, const char *path)
{
    (void)pthread_mutex_lock(&lock);
    const unsigned long n = ++count;
    note(n, call->name, path);
    if (fault.kind == SIGNAL && n == fault.at) {
        /* Without the lock: the handler may write. */
        (void)pthread_mutex_unlock(&lock);
        (void)kill(getpid(), fault.signal);
        (void)pthread_mutex_lock(&lock);
    }
    call->last = fault.kind == KILL_AFTER && n == fault.at;
    return judge(call, n);
}

ssize_t shim_leave(const shim_call *call, ssize_t result)
{
    const int error = errno;
    if (call->last) {
        die();
    }
    (void)pthread_mutex_unlock(&lock);
    errno = error;
    return result;
}
