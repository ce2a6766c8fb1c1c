/* Names with numbers. */
#include "prefer/pairs.h"

#include "core/options.h"
#include "core/text.h"

#include <stdlib.h>
#include <string.h>

#define BLANKS " \t"

static char *skip_blanks(char *text)
{
    return text + strspn(text, BLANKS);
}

/* Ends the name with a NUL and leaves `text` behind the equals sign. */
static bool take_name(char **text, const char **name)
{
    char *const start = skip_blanks(*text);
    char *const equals = strchr(start, '=');
    char *end = equals;
    if (equals == NULL) {
        return false;
    }
    *text = equals + 1;
    while (end > start && strchr(BLANKS, end[-1]) != NULL) {
        end--;
    }
    *end = '\0';
    *name = start;
    return end > start && strchr(start, ',') == NULL;
}

/* Leaves `text` at the next name; after a comma there must be one. */
static bool take_number(char **text, double *number)
{
    char *const start = skip_blanks(*text);
    const size_t length = strcspn(start, BLANKS ",");
    char *const next = skip_blanks(start + length);
    const bool comma = *next == ',';
    *text = skip_blanks(comma ? next + 1 : next);
    return cli_number_parse(start, length, number) && !(comma && **text == '\0');
}

bool cli_pairs_read(const char *text, cli_pairs *pairs)
{
    cli_pairs read = {.text = cli_copy(text)};
    char *rest = read.text;
    bool good = true;
    read.list = cli_zeroed(strlen(text) + 1, sizeof *read.list); /* more than enough */
    while (good && (read.n == 0 || *rest != '\0')) {
        cli_pair *const pair = &read.list[read.n];
        good = take_name(&rest, &pair->name) && take_number(&rest, &pair->value);
        read.n++;
    }
    if (good) {
        *pairs = read;
    } else {
        cli_pairs_free(&read);
    }
    return good;
}

void cli_pairs_free(cli_pairs *pairs)
{
    free(pairs->list);
    free(pairs->text);
    *pairs = (cli_pairs){0};
}
