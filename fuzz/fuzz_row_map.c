/* Row maps: any bytes are read or refused; what is read names different rows that there are. */
#include "base/memory.h"
#include "table/row_map.h"

#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <unistd.h>

enum { ROWS = 4, ORIGINAL = 6 };

static void require(bool holds)
{
    if (!holds) {
        abort();
    }
}

static void check(const char *path)
{
    char sha256[PV_SHA256_HEX];
    bool seen[ORIGINAL] = {false};
    uint64_t *rows = NULL;
    const pv_status heading = pv_i_row_map_release(path, sha256, NULL);
    if (pv_i_row_map_read(path, ROWS, ORIGINAL, &rows, NULL) != PV_STATUS_OK) {
        require(rows == NULL);
        return;
    }
    require(heading == PV_STATUS_OK);
    for (size_t i = 0; i < ROWS; i++) {
        require(rows[i] < ORIGINAL && !seen[rows[i]]);
        seen[rows[i]] = true;
    }
    pv_i_free(rows);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    char path[64];
    const int fd = memfd_create("map", 0);
    require(fd >= 0 && write(fd, data, size) == (ssize_t)size);
    (void)snprintf(path, sizeof path, "/proc/self/fd/%d", fd);
    check(path);
    (void)close(fd);
    return 0;
}
