/* The main of a room's test program: runs the file it is asked for, or all of them. */
#include <stdio.h>
#include <string.h>

typedef struct test_file {
    const char *name;
    int (*run)(void);
} test_file;

#include PV_TEST_LIST

int main(int n_words, char **words)
{
    const char *const wanted = n_words > 1 ? words[1] : NULL;
    int failed = 0;
    int ran = 0;
    for (size_t i = 0; i < sizeof files / sizeof *files; i++) {
        if (wanted == NULL || strcmp(wanted, files[i].name) == 0) {
            failed += files[i].run();
            ran++;
        }
    }
    if (ran == 0) {
        fprintf(stderr, "%s: no such test\n", wanted);
    }
    return failed > 0 || ran == 0;
}
