/* How long does it take to check a file, and how much memory? Prints one line per figure:
 *
 *     NAME VALUE UNIT
 *
 *     bench_check FILE THREADS SENSITIVE QUASI...
 *
 * As a release does it: every column is judged. */
#include "support/bench.h"

#include <paravent/release.h>

enum { FIRST_QUASI = 4 };

int main(int argc, char **argv)
{
    if (argc <= FIRST_QUASI) {
        (void)fprintf(stderr, "usage: bench_check FILE THREADS SENSITIVE QUASI...\n");
        return 2;
    }
    const pv_context context = {.threads = (unsigned)strtoul(argv[2], NULL, 10)};
    const char *const sensitive[] = {argv[3], NULL};
    const pv_audit_options options = {.quasi = (const char *const *)(argv + FIRST_QUASI),
                                      .sensitive = sensitive,
                                      .unchanged = true};
    pv_audit *audit = NULL;
    pv_error error = {0};
    const double start = pv_i_now();
    bench_require(pv_audit_file(argv[1], &options, &context, &audit, &error) == PV_STATUS_OK,
                  error.message);
    printf("checking %.4f s\n", pv_i_now() - start);
    printf("rows %llu rows\n", (unsigned long long)pv_audit_rows(audit));
    printf("classes %llu classes\n", (unsigned long long)pv_audit_classes(audit));
    printf("peak %.1f MB\n", bench_peak_megabytes());
    pv_audit_free(audit);
    return 0;
}
