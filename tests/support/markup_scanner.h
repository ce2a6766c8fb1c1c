/* A tiny scanner of tags: are all of them closed, and in order? */
#ifndef PV_TESTS_MARKUP_SCANNER_H
#define PV_TESTS_MARKUP_SCANNER_H

/* cmocka.h needs these four before it. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <ctype.h>
#include <stdbool.h>
#include <string.h>

enum { DEEPEST = 64, LONGEST_TAG = 32 };

typedef struct scanner {
    char open[DEEPEST][LONGEST_TAG];
    size_t depth;
} scanner;

static inline size_t read_name(const char *at, char *name)
{
    size_t n = 0;
    while (isalnum((unsigned char)at[n]) && n + 1 < LONGEST_TAG) {
        name[n] = at[n];
        n++;
    }
    name[n] = '\0';
    return n;
}

static inline bool is_void(const char *name)
{
    return strcmp(name, "meta") == 0 || strcmp(name, "br") == 0;
}

/* Reads one tag, quotes respected; returns what follows its `>`. */
static inline const char *read_tag(scanner *s, const char *at)
{
    char name[LONGEST_TAG];
    const bool closing = *at == '/';
    at += closing;
    at += read_name(at, name);
    assert_true(name[0] != '\0');
    while (*at != '>') {
        assert_true(*at != '\0' && *at != '<');
        if (*at == '"') {
            at = strchr(at + 1, '"');
            assert_non_null(at);
        }
        at++;
    }
    if (closing) {
        assert_true(s->depth > 0);
        assert_string_equal(s->open[--s->depth], name);
    } else if (at[-1] != '/' && !is_void(name)) {
        assert_true(s->depth < DEEPEST);
        memcpy(s->open[s->depth++], name, sizeof name);
    }
    return at + 1;
}

/* Elements from `at` on; `>` stands for itself only in a style sheet. */
static inline void assert_well_formed(const char *at)
{
    scanner s = {.depth = 0};
    while (*at != '\0') {
        if (*at == '<') {
            at = read_tag(&s, at + 1);
        } else {
            assert_true(*at != '>' || strcmp(s.open[s.depth - 1], "style") == 0);
            at++;
        }
    }
    assert_int_equal(s.depth, 0);
}

static inline void assert_page(const char *html)
{
    static const char start[] = "<!DOCTYPE html>";
    assert_int_equal(strncmp(html, start, strlen(start)), 0);
    assert_well_formed(html + strlen(start));
}

/* Nothing is fetched from anywhere. */
static inline void assert_stands_alone(const char *markup)
{
    static const char *const outside[] = {"https:", "src=",  "href=", "@import",
                                          "url(",   "<link", "<img",  NULL};
    for (size_t i = 0; outside[i] != NULL; i++) {
        assert_null(strstr(markup, outside[i]));
    }
}

#endif
