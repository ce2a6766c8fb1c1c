/* census FOLDER [PEOPLE]: writes the built-in census with its plan into a new folder. It is that of
 * `paravent demo`, for cases that need a larger table and not all that a demo does with it. */
#include <paravent/paravent.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>

enum { PEOPLE = 30000, SEED = 1 };

int main(int n_words, char **words)
{
    if (n_words < 2 || n_words > 3) {
        (void)fputs("census FOLDER [PEOPLE]\n", stderr);
        return 2;
    }
    const uint64_t people = n_words > 2 ? strtoull(words[2], NULL, 10) : PEOPLE;
    pv_error error = {0};
    if (mkdir(words[1], 0777) != 0 ||
        pv_census_write(words[1], people, SEED, false, &error) != PV_STATUS_OK) {
        (void)fprintf(stderr, "census: cannot write to %s: %s\n", words[1], error.message);
        return 1;
    }
    return 0;
}
