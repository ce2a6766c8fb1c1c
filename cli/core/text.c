/* Strings and memory of the command itself. */
#include "core/text.h"

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

_Noreturn void cli_no_memory(void)
{
    (void)fputs("paravent: out of memory\n", stderr);
    exit(1);
}

void *cli_zeroed(size_t n, size_t size)
{
    void *const memory = calloc(n > 0 ? n : 1, size > 0 ? size : 1);
    if (memory == NULL) {
        cli_no_memory();
    }
    return memory;
}

char *cli_copy(const char *text)
{
    return cli_format("%s", text);
}

char *cli_format_list(const char *format, va_list args)
{
    char *text = NULL;
    if (vasprintf(&text, format, args) < 0) {
        cli_no_memory();
    }
    return text;
}

char *cli_format(const char *format, ...)
{
    va_list args;
    va_start(args, format);
    char *const text = cli_format_list(format, args);
    va_end(args);
    return text;
}

void cli_append(char **text, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    char *const added = cli_format_list(format, args);
    va_end(args);
    char *const longer = cli_format("%s%s", *text, added);
    free(*text);
    free(added);
    *text = longer;
}

bool cli_starts_with(const char *text, const char *start)
{
    return strncmp(text, start, strlen(start)) == 0;
}

bool cli_ends_with(const char *text, const char *ending)
{
    const size_t n = strlen(text);
    const size_t m = strlen(ending);
    return n >= m && strcmp(text + n - m, ending) == 0;
}

bool cli_equal(const char *a, const char *b)
{
    return strcmp(a, b) == 0;
}

/* Length by the lead byte, the smallest code point that may be written that long, and the bits the
 * lead byte holds. */
typedef struct {
    unsigned char mask, lead;
    size_t length;
    unsigned least;
} utf8_shape;

static const utf8_shape utf8_shapes[] = {
    {0x80, 0x00, 1, 0x0},
    {0xe0, 0xc0, 2, 0x80},
    {0xf0, 0xe0, 3, 0x800},
    {0xf8, 0xf0, 4, 0x10000},
};

size_t cli_utf8_next(const char *text, unsigned *code_point)
{
    const unsigned char *const bytes = (const unsigned char *)text;
    *code_point = 0xfffd;
    for (size_t s = 0; s < sizeof utf8_shapes / sizeof *utf8_shapes; s++) {
        const utf8_shape *const shape = &utf8_shapes[s];
        if ((bytes[0] & shape->mask) != shape->lead) {
            continue;
        }
        unsigned code = bytes[0] & (unsigned char)~shape->mask;
        for (size_t i = 1; i < shape->length; i++) {
            if ((bytes[i] & 0xc0) != 0x80) {
                return 1;
            }
            code = code << 6 | (bytes[i] & 0x3f);
        }
        if (code < shape->least || code > 0x10ffff || (code >= 0xd800 && code <= 0xdfff)) {
            return 1;
        }
        *code_point = code;
        return shape->length;
    }
    return 1;
}

char **cli_list_split(const char *text, char separator, size_t *n)
{
    size_t parts = 1;
    for (const char *at = text; *at != '\0'; at++) {
        parts += *at == separator;
    }
    char **const list = cli_zeroed(parts + 1, sizeof *list);
    for (size_t i = 0; i < parts; i++) {
        const char *const end = strchr(text, separator);
        const size_t length = end != NULL ? (size_t)(end - text) : strlen(text);
        list[i] = cli_format("%.*s", (int)length, text);
        text += length + 1;
    }
    if (n != NULL) {
        *n = parts;
    }
    return list;
}

void cli_list_free(char **list)
{
    for (size_t i = 0; list != NULL && list[i] != NULL; i++) {
        free(list[i]);
    }
    free(list);
}
