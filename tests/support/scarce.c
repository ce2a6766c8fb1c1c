/* To be preloaded: allocations of one shared library fail, of all others succeed.
 *
 *     LD_PRELOAD=scarce.so SCARCE_IN=libzstd SCARCE_AT=3 SCARCE_MARK=file paravent ...
 *
 * lets the third allocation that is asked for from within libzstd fail, alone, and makes the file
 * if it came to that. So it can be seen whether what a library says about a lack of memory is told
 * as that. */
#include <dlfcn.h>
#include <fcntl.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* glibc's own, which need no dlsym: that would allocate. */
void *__libc_malloc(size_t size);
void *__libc_calloc(size_t n, size_t size);
void *__libc_realloc(void *old, size_t size);

static bool fails(const void *caller)
{
    static _Atomic long asked = 0;
    const char *const where = getenv("SCARCE_IN");
    const char *const at = getenv("SCARCE_AT");
    Dl_info info;
    if (where == NULL || at == NULL || dladdr(caller, &info) == 0 || info.dli_fname == NULL ||
        strstr(info.dli_fname, where) == NULL) {
        return false;
    }
    if (atomic_fetch_add(&asked, 1) + 1 != strtol(at, NULL, 10)) {
        return false;
    }
    const char *const mark = getenv("SCARCE_MARK");
    const int fd = mark != NULL ? open(mark, O_WRONLY | O_CREAT, 0600) : -1;
    if (fd >= 0) {
        (void)close(fd);
    }
    return true;
}

void *malloc(size_t size)
{
    return fails(__builtin_return_address(0)) ? NULL : __libc_malloc(size);
}

void *calloc(size_t n, size_t size)
{
    return fails(__builtin_return_address(0)) ? NULL : __libc_calloc(n, size);
}

void *realloc(void *old, size_t size)
{
    return fails(__builtin_return_address(0)) ? NULL : __libc_realloc(old, size);
}
