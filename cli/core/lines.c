/* Lines that a person types, or another program sends. */
#include "core/lines.h"

#include "core/progress.h"
#include "core/text.h"

#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#ifdef PV_HAVE_LIBEDIT
#include <errno.h>
#include <histedit.h>
#include <wchar.h>
#endif

#define MOST_REMEMBERED 500
#define CTRL_D '\004'

struct cli_lines {
    char *prompt;
    bool typed; /* by a person, on a terminal */
#ifdef PV_HAVE_LIBEDIT
    EditLine *editor; /* NULL if there is nothing to edit */
    History *history;
#endif
};

static char *without_end(const char *line)
{
    char *const copy = cli_copy(line);
    copy[strcspn(copy, "\r\n")] = '\0';
    return copy;
}

/* ----------------------------------------------------------------- edited */

#ifdef PV_HAVE_LIBEDIT

static char *current_prompt(EditLine *editor)
{
    cli_lines *lines = NULL;
    (void)el_get(editor, EL_CLIENTDATA, &lines);
    return lines->prompt;
}

/* libedit's own function tries again after a signal, and Ctrl-C would go unheard. */
static int read_character(EditLine *editor, wchar_t *character)
{
    mbstate_t state = {0};
    size_t used = (size_t)-2; /* the character is not complete */
    (void)editor;
    while (used == (size_t)-2) {
        char byte = '\0';
        const ssize_t n = read(STDIN_FILENO, &byte, 1);
        if (n < 0 && errno == EINTR && !cli_interrupted()) {
            continue;
        }
        if (n <= 0) {
            return (int)n;
        }
        /* Ctrl-D that came while the terminal still gathered whole lines lies there as a NUL once
         * libedit asks for single keys. */
        byte = byte == '\0' ? CTRL_D : byte;
        used = mbrtowc(character, &byte, 1, &state);
    }
    if (used == (size_t)-1) {
        *character = L'?';
    }
    return 1;
}

static void open_editor(cli_lines *lines)
{
    HistEvent event;
    lines->history = history_init();
    lines->editor = el_init("paravent", stdin, stdout, stderr);
    if (lines->history == NULL || lines->editor == NULL) {
        cli_no_memory();
    }
    (void)history(lines->history, &event, H_SETSIZE, MOST_REMEMBERED);
    (void)history(lines->history, &event, H_SETUNIQUE, 1);
    (void)el_set(lines->editor, EL_CLIENTDATA, lines);
    (void)el_set(lines->editor, EL_PROMPT, current_prompt);
    (void)el_set(lines->editor, EL_EDITOR, "emacs");
    (void)el_set(lines->editor, EL_HIST, history, lines->history);
    (void)el_set(lines->editor, EL_GETCFN, read_character);
}

/* What had been typed when a signal came is no line. */
static char *edit_line(cli_lines *lines)
{
    int n = 0;
    el_resize(lines->editor);
    const char *const line = el_gets(lines->editor, &n);
    if (line == NULL || n <= 0 || cli_interrupted()) {
        return NULL;
    }
    if (line[strspn(line, " \t\r\n")] != '\0') {
        HistEvent event;
        (void)history(lines->history, &event, H_ENTER, line);
    }
    return without_end(line);
}

#endif

/* ------------------------------------------------------------------ plain */

static char *read_line(const cli_lines *lines)
{
    char *line = NULL;
    size_t size = 0;
    if (lines->typed) {
        (void)fputs(lines->prompt, stdout);
        (void)fflush(stdout);
    }
    const bool done = getline(&line, &size, stdin) >= 0 && !cli_interrupted();
    char *const copy = done ? without_end(line) : NULL;
    free(line);
    return copy;
}

/* ------------------------------------------------------------------ lines */

cli_lines *cli_lines_open(const char *prompt)
{
    cli_lines *const lines = cli_zeroed(1, sizeof *lines);
    lines->prompt = cli_copy(prompt);
    lines->typed = isatty(STDIN_FILENO) && isatty(STDOUT_FILENO);
#ifdef PV_HAVE_LIBEDIT
    if (lines->typed) {
        open_editor(lines);
    }
#endif
    return lines;
}

void cli_lines_close(cli_lines *lines)
{
    if (lines != NULL) {
#ifdef PV_HAVE_LIBEDIT
        if (lines->editor != NULL) {
            el_end(lines->editor);
            history_end(lines->history);
        }
#endif
        free(lines->prompt);
        free(lines);
    }
}

char *cli_lines_next(cli_lines *lines)
{
    (void)fflush(stdout); /* whoever sends lines waits for what they brought about */
#ifdef PV_HAVE_LIBEDIT
    char *const line = lines->editor != NULL ? edit_line(lines) : read_line(lines);
#else
    char *const line = read_line(lines);
#endif
    if (line == NULL && lines->typed) {
        (void)fputc('\n', stdout); /* the prompt is there still */
    }
    return line;
}
