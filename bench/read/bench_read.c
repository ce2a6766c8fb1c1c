/* How long does it take to read and encode a file, and how much memory?
 *
 *     bench_read FILE THREADS [REPEATS]
 *
 * Prints the best wall-clock seconds, the peak of resident memory in MB, rows and columns. */
#include <inttypes.h>
#include <paravent/table.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/resource.h>
#include <time.h>

static double now(void)
{
    struct timespec t;
    (void)clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + (double)t.tv_nsec * 1e-9;
}

static double peak_megabytes(void)
{
    struct rusage usage;
    (void)getrusage(RUSAGE_SELF, &usage);
    return (double)usage.ru_maxrss * 1024 / 1e6;
}

int main(int argc, char **argv)
{
    if (argc < 3) {
        (void)fprintf(stderr, "usage: bench_read FILE THREADS [REPEATS]\n");
        return 2;
    }
    const pv_context context = {.threads = (unsigned)strtoul(argv[2], NULL, 10)};
    const unsigned repeats = argc > 3 ? (unsigned)strtoul(argv[3], NULL, 10) : 1;
    double best = 1e9;
    uint64_t rows = 0;
    size_t columns = 0;
    for (unsigned i = 0; i < repeats; i++) {
        pv_table *table = NULL;
        pv_error error = {0};
        const double start = now();
        if (pv_table_read(argv[1], NULL, &context, &table, &error) != PV_STATUS_OK) {
            (void)fprintf(stderr, "%s:%" PRIu64 ": %s\n", error.file, error.line, error.message);
            return 1;
        }
        const double seconds = now() - start;
        best = seconds < best ? seconds : best;
        rows = pv_table_rows(table);
        columns = pv_table_columns(table);
        pv_table_free(table);
    }
    (void)printf("%.4f %.1f %" PRIu64 " %zu\n", best, peak_megabytes(), rows, columns);
    return 0;
}
