/* Commands ready to be copied into a shell. */
#include "core/again.h"

#include "core/text.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define PLAIN "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-+./,:=%@"

/* ------------------------------------------------------------------ words */

/* In single quotes everything is itself but the quote, which waits outside of them. */
static char *quoted(const char *text)
{
    char *const word = cli_zeroed(4 * strlen(text) + 3, 1);
    char *end = word;
    *end++ = '\'';
    for (; *text != '\0'; text++) {
        const char itself[] = {*text, '\0'};
        end = stpcpy(end, *text == '\'' ? "'\\''" : itself);
    }
    *end = '\'';
    return word;
}

char *cli_shell_word(const char *text)
{
    const bool plain = text[0] != '\0' && text[strspn(text, PLAIN)] == '\0';
    return plain ? cli_copy(text) : quoted(text);
}

/* ---------------------------------------------------------------- options */

char *cli_with_text(char *line, const char *name, const char *value)
{
    if (value == NULL) {
        return line;
    }
    char *const word = cli_shell_word(value);
    char *const longer = cli_format("%s --%s %s", line, name, word);
    free(word);
    free(line);
    return longer;
}

char *cli_with_count(char *line, const char *name, cli_count count)
{
    char number[24];
    (void)snprintf(number, sizeof number, "%llu", (unsigned long long)count.value);
    return cli_with_text(line, name, count.given ? number : NULL);
}

char *cli_with_flag(char *line, const char *name, bool given)
{
    if (!given) {
        return line;
    }
    char *const longer = cli_format("%s --%s", line, name);
    free(line);
    return longer;
}
