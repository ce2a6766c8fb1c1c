/* paravent_generate KIND FILE: writes the man page, the reference or a shell completion from the
 * same tables that the command parses its options with. */
#include "generate.h"

#include <stddef.h>
#include <stdio.h>
#include <string.h>

static const struct {
    const char *kind;
    void (*write)(FILE *out);
} documents[] = {
    {"man", cli_generate_man}, {"markdown", cli_generate_markdown}, {"bash", cli_generate_bash},
    {"zsh", cli_generate_zsh}, {"fish", cli_generate_fish},
};

int main(int argc, char **argv)
{
    for (size_t i = 0; argc == 3 && i < sizeof documents / sizeof *documents; i++) {
        if (strcmp(argv[1], documents[i].kind) != 0) {
            continue;
        }
        FILE *const out = fopen(argv[2], "w");
        if (out == NULL) {
            perror(argv[2]);
            return 1;
        }
        documents[i].write(out);
        const int failed = ferror(out);
        return fclose(out) != 0 || failed != 0;
    }
    (void)fputs("usage: paravent_generate man|markdown|bash|zsh|fish FILE\n", stderr);
    return 2;
}
