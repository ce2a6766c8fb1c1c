/* Texts and memory of the command itself: words, paths, near misses. */
#include "core/text.h"

#include "core/fail.h"

#include <errno.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

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

/* ----------------------------------------------------------- words of a shell */

#define PLAIN "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-+./,:=%@"

static bool is_control(char c)
{
    return (unsigned char)c < 0x20 || c == 0x7f;
}

/* $'...': what a terminal would take for a key, such as one that deletes the line or ends it, is
 * written as a number. */
static char *spell_out(const char *text)
{
    char *const word = cli_zeroed(4 * strlen(text) + 4, 1);
    char *end = stpcpy(word, "$'");
    for (; *text != '\0'; text++) {
        if (is_control(*text)) {
            end += snprintf(end, 5, "\\%03o", (unsigned)*text);
        } else {
            end = stpcpy(end, *text == '\'' || *text == '\\' ? "\\" : "");
            *end++ = *text;
        }
    }
    *end = '\'';
    return word;
}

/* In single quotes everything is itself but the quote, which waits outside of them. */
char *cli_shell_word(const char *text)
{
    if (text[0] != '\0' && text[0] != '=' && text[strspn(text, PLAIN)] == '\0') {
        return cli_copy(text);
    }
    for (const char *at = text; *at != '\0'; at++) {
        if (is_control(*at)) {
            return spell_out(text);
        }
    }
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

char *cli_shell_operand(const char *path)
{
    char *const file = cli_format("%s%s", path[0] == '-' && path[1] != '\0' ? "./" : "", path);
    char *const word = cli_shell_word(file);
    free(file);
    return word;
}

/* ---------------------------------------------------------------- near misses */

#define LONGEST 32

static size_t least(size_t a, size_t b)
{
    return a < b ? a : b;
}

static size_t distance(const char *a, const char *b)
{
    const size_t n = strlen(a);
    const size_t m = strlen(b);
    if (n > LONGEST || m > LONGEST) {
        return SIZE_MAX;
    }
    size_t d[LONGEST + 1][LONGEST + 1];
    for (size_t i = 0; i <= n; i++) {
        d[i][0] = i;
    }
    for (size_t j = 0; j <= m; j++) {
        d[0][j] = j;
    }
    for (size_t i = 1; i <= n; i++) {
        for (size_t j = 1; j <= m; j++) {
            const size_t change = d[i - 1][j - 1] + (a[i - 1] != b[j - 1]);
            d[i][j] = least(change, least(d[i - 1][j], d[i][j - 1]) + 1);
            if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1]) {
                d[i][j] = least(d[i][j], d[i - 2][j - 2] + 1);
            }
        }
    }
    return d[n][m];
}

const char *cli_suggest(const char *typed, const char *const *names, size_t n)
{
    const char *best = NULL;
    size_t best_distance = strlen(typed) / 3 + 2; /* must stay below */
    for (size_t i = 0; i < n; i++) {
        if (names[i] == NULL) {
            continue;
        }
        const size_t d =
            strlen(typed) > 1 && cli_starts_with(names[i], typed) ? 1 : distance(typed, names[i]);
        if (d < best_distance) {
            best = names[i];
            best_distance = d;
        }
    }
    return best;
}

/* ---------------------------------------------------------------------- paths */

const char *cli_path_name(const char *path)
{
    const char *const slash = strrchr(path, '/');
    return slash != NULL ? slash + 1 : path;
}

char *cli_path_folder(const char *path)
{
    const char *const slash = strrchr(path, '/');
    if (slash == NULL) {
        return cli_copy(".");
    }
    return slash == path ? cli_copy("/") : cli_format("%.*s", (int)(slash - path), path);
}

char *cli_path_join(const char *folder, const char *name)
{
    if (cli_equal(folder, ".")) {
        return cli_copy(name);
    }
    return cli_format(cli_ends_with(folder, "/") ? "%s%s" : "%s/%s", folder, name);
}

char *cli_path_stem(const char *path)
{
    char *const name = cli_copy(cli_equal(path, "-") ? "data" : cli_path_name(path));
    static const char *const endings[] = {".gz", ".zst"};
    for (size_t i = 0; i < sizeof endings / sizeof *endings; i++) {
        if (cli_ends_with(name, endings[i]) && strlen(name) > strlen(endings[i])) {
            name[strlen(name) - strlen(endings[i])] = '\0';
        }
    }
    char *const point = strrchr(name, '.');
    if (point != NULL && point != name) {
        *point = '\0';
    }
    return name;
}

/* Climbs out of what `folder` does not share with `file`, then goes down to the file. Both are
 * absolute and free of links and dots. */
static char *way_between(const char *file, const char *folder)
{
    size_t shared = 0;
    for (size_t i = 0; file[i] == folder[i] && file[i] != '\0'; i++) {
        shared = file[i] == '/' ? i : shared;
        if (folder[i + 1] == '\0' && file[i + 1] == '/') {
            shared = i + 1;
        }
    }
    char *path = cli_copy("");
    const char *left = folder[shared] == '/' ? folder + shared + 1 : folder + shared;
    while (*left != '\0') {
        cli_append(&path, "../");
        const char *const slash = strchr(left, '/');
        left = slash != NULL ? slash + 1 : "";
    }
    cli_append(&path, "%s", file + shared + 1);
    return path;
}

char *cli_path_relative(const char *file, const char *folder)
{
    if (cli_equal(file, "-")) {
        return cli_copy(file);
    }
    /* The file itself may be a link that the plan shall name. */
    char *const file_folder = cli_path_folder(file);
    char *const from = realpath(file_folder, NULL);
    char *const to = realpath(folder, NULL);
    char *const full = from != NULL ? cli_path_join(from, cli_path_name(file)) : NULL;
    char *const path = full != NULL && to != NULL ? way_between(full, to) : cli_copy(file);
    free(file_folder);
    free(from);
    free(to);
    free(full);
    return path;
}

pv_status cli_folder_make(const char *path, pv_error *error)
{
    struct stat found;
    if (mkdir(path, 0777) == 0) {
        return PV_STATUS_OK;
    }
    const int reason = errno;
    if (reason == EEXIST && stat(path, &found) == 0 && S_ISDIR(found.st_mode)) {
        return PV_STATUS_OK;
    }
    return cli_error_at(error, PV_STATUS_IO, path, 0, 0, "cannot make the folder: %s",
                        strerror(reason));
}
