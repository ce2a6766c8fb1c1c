/* Runs a command and says what it took, one line per figure:
 *
 *     seconds VALUE
 *     peak MEGABYTES
 *
 *     bench_spent COMMAND ARGUMENT...
 */
#include "support/bench.h"

#include <sys/wait.h>
#include <unistd.h>

int main(int argc, char **argv)
{
    int status = 0;
    struct rusage usage;
    if (argc < 2) {
        (void)fprintf(stderr, "usage: bench_spent COMMAND ARGUMENT...\n");
        return 2;
    }
    const double start = pv_i_now();
    const pid_t child = fork();
    bench_require(child >= 0, "cannot start a process");
    if (child == 0) {
        (void)execvp(argv[1], argv + 1);
        perror(argv[1]);
        _exit(127);
    }
    bench_require(waitpid(child, &status, 0) == child, "lost the process");
    const double seconds = pv_i_now() - start;
    bench_require(WIFEXITED(status) && WEXITSTATUS(status) == 0, "the command failed");
    (void)getrusage(RUSAGE_CHILDREN, &usage);
    printf("seconds %.3f\n", seconds);
    printf("peak %.0f\n", (double)usage.ru_maxrss / 1024);
    return 0;
}
