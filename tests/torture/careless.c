/* careless HOW FILE TEXT [FILE TEXT]: writes files carefully, or with one of the mistakes that the
 * torture test exists to find. It is tortured, too: a test that finds nothing here is worth
 * nothing.
 *
 *   careful     to a temporary file, flushed, renamed, folder flushed
 *   in-place    over the old file
 *   unflushed   the file is not flushed before it is renamed
 *   unsettled   the folder is not flushed after the rename
 *   unchecked   the result of writing is not looked at
 *   untidy      the temporary file stays when something fails
 *   one-by-one  two files, each for itself
 *   silent      failures are not told */
#include <errno.h>
#include <fcntl.h>
#include <libgen.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#define TEMPORARY ".paravent-00000000.tmp"

static bool write_text(int fd, const char *how, const char *text)
{
    size_t left = strlen(text);
    while (left > 0) {
        const ssize_t written = write(fd, text, left);
        if (strcmp(how, "unchecked") == 0) {
            return true;
        }
        if (written < 0) {
            return false;
        }
        text += written;
        left -= (size_t)written;
    }
    return strcmp(how, "unflushed") == 0 || fsync(fd) == 0;
}

static bool fill(const char *name, int flags, const char *how, const char *text)
{
    const int fd = open(name, O_WRONLY | O_CREAT | flags, 0644);
    const bool done = fd >= 0 && write_text(fd, how, text);
    const int error = errno;
    if (fd >= 0) {
        (void)close(fd);
    }
    errno = error;
    return done;
}

/* On a failing disk the name may be there although nothing else is. */
static bool flush_folder(void)
{
    const int fd = open(".", O_RDONLY | O_DIRECTORY);
    const bool done = fd >= 0 && fsync(fd) == 0;
    const int error = errno;
    if (fd >= 0) {
        (void)close(fd);
    }
    errno = error;
    return done;
}

static bool replace(const char *name, const char *how, const char *text)
{
    (void)unlink(TEMPORARY); /* of one that died */
    const bool done = fill(TEMPORARY, O_EXCL, how, text) && rename(TEMPORARY, name) == 0;
    const int error = errno;
    if (!done && strcmp(how, "untidy") != 0) {
        (void)unlink(TEMPORARY);
    }
    errno = error;
    return done && (strcmp(how, "unsettled") == 0 || flush_folder());
}

int main(int n, char **words)
{
    for (int i = 2; i + 1 < n; i += 2) {
        char path[4096];
        (void)snprintf(path, sizeof path, "%s", words[i]);
        const char *const name = strrchr(words[i], '/') + 1;
        const int before = open(".", O_RDONLY | O_DIRECTORY);
        if (before < 0 || chdir(dirname(path)) != 0) {
            return 2;
        }
        const bool done = strcmp(words[1], "in-place") == 0
                              ? fill(name, O_TRUNC, words[1], words[i + 1])
                              : replace(name, words[1], words[i + 1]);
        if (!done) {
            (void)fprintf(stderr, "%s: %s\n", words[i],
                          strcmp(words[1], "silent") == 0 ? "failed" : strerror(errno));
            return 1;
        }
        if (fchdir(before) != 0 || close(before) != 0) {
            return 2;
        }
    }
    return 0;
}
