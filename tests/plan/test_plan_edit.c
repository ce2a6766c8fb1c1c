/* Changing one value of a plan's text: what the text becomes, case by case. */
#include "support/testing.h"

#include <paravent/plan.h>
#include <stdio.h>
#include <string.h>

/* The path is split at slashes; `to` NULL = nothing changes. */
typedef struct {
    const char *text;
    const char *path;
    const char *value; /* NULL = the key is removed */
    const char *to;
} edit_case;

#define MOST_KEYS 8

static size_t split(const char *path, char *copy, size_t size, const char *keys[MOST_KEYS])
{
    size_t n = 0;
    assert_true(snprintf(copy, size, "%s", path) < (int)size);
    for (char *at = copy; at != NULL;) {
        char *const slash = strchr(at, '/');
        keys[n++] = at;
        if (slash != NULL) {
            *slash = '\0';
        }
        at = slash != NULL ? slash + 1 : NULL;
    }
    return n;
}

static pv_status edit(const char *text, const char *path, const char *value, char **edited,
                      pv_error *error)
{
    char copy[256];
    const char *keys[MOST_KEYS];
    const size_t n = split(path, copy, sizeof copy, keys);
    return pv_plan_edit(text, strlen(text), keys, n, value, edited, error);
}

static void check(const edit_case *cases, size_t n)
{
    for (size_t i = 0; i < n; i++) {
        const edit_case *const c = &cases[i];
        char *edited = NULL;
        pv_error error = {0};
        if (edit(c->text, c->path, c->value, &edited, &error) != PV_STATUS_OK) {
            fail_msg("case %zu, %s in\n%s\n%s", i, c->path, c->text, error.message);
        }
        const char *const wanted = c->to != NULL ? c->to : c->text;
        if (strcmp(edited, wanted) != 0) {
            fail_msg("case %zu, %s in\n%s\nis\n%s\ninstead of\n%s", i, c->path, c->text, edited,
                     wanted);
        }
        pv_string_free(edited);
    }
}

#define CHECK(cases) check(cases, sizeof(cases) / sizeof *(cases))

/* -------------------------------------------------------------- what is there */

static void other_values(void **state)
{
    static const edit_case cases[] = {
        {"a: 1\n", "a", "2", "a: 2\n"},
        {"a:   1   # one\nb: 2\n", "a", "two", "a:   two   # one\nb: 2\n"},
        {"a: \"1\"# one\n", "a", "two", "a: two # one\n"},
        {"a: 'it''s'\n", "a", "[1, '2', x y, \"#\"]", "a: [1, \"2\", x y, \"#\"]\n"},
        {"a: x\n  y\n  z # c\nb: 1\n", "a", "q", "a: q # c\nb: 1\n"},
        {"a: \"x\n  y\"\n", "a", "q", "a: q\n"},
        {"a:\n  far\n", "a", "near", "a:\n  near\n"},
        {"a: {role: quasi}  # c\n", "a/role", "\"?\"", "a: {role: \"?\"}  # c\n"},
        {"a: {role: quasi}  # c\n", "a", "{\"role\": \"other\"}", "a: {role: other}  # c\n"},
        {"a: {x: 1, # c\n  y: [2,\n 3]} # d\n", "a/y", "4", "a: {x: 1, # c\n  y: 4} # d\n"},
        {"a: {x: 1,y: 2}\n", "a/x", "{z: []}", "a: {x: {z: []},y: 2}\n"},
        {"{\"a\":\"x\"}", "a", "1", "{\"a\":1}"},
        {"{\"a\": {\"b\": [1, \"x\"]}}\n", "a/b", "[quasi, 0.5, null]",
         "{\"a\": {\"b\": [\"quasi\", 0.5, null]}}\n"},
        {"? a\n: 1\n? b\n: 2\n", "b", "3", "? a\n: 1\n? b\n: 3\n"},
        {"--- # first\na: 1\n... # last\n", "a", "2", "--- # first\na: 2\n... # last\n"},
        {"\xef\xbb\xbf"
         "a: \xc3\xa4 # \xc3\xb6\n\xc3\xbc: 1\n",
         "\xc3\xbc", "\xc3\x9f",
         "\xef\xbb\xbf"
         "a: \xc3\xa4 # \xc3\xb6\n\xc3\xbc: \xc3\x9f\n"},
    };
    (void)state;
    CHECK(cases);
}

static void values_of_several_lines(void **state)
{
    static const edit_case cases[] = {
        {"a: # why\n  # what\n  x: 1\n  y:\n    z: 2 # two\n\n# next\nb: 1\n", "a", "q",
         "a: q # why\n\n# next\nb: 1\n"},
        {"a:\n- 1\n- 2 # two\nb: 1\n", "a", "[3]", "a: [3]\nb: 1\n"},
        {"a:\n  - x: 1\n    y: 2\n", "a", "[3]", "a: [3]\n"},
        {"a:\n  x: 1", "a", "q", "a: q"},
        {"a: | # why\n  text\n  more  \n\nb: 1\n", "a", "q", "a: q # why\n\nb: 1\n"},
        {"a: >-2\n    text", "a", "q", "a: q"},
        {"a: |+\n  text\n\n\nb: 1\n", "a", "q", "a: q\n\n\nb: 1\n"},
        {"a:\n  x: |\n    # text\n\n# c\nb: 1\n", "a", "q", "a: q\n\n# c\nb: 1\n"},
        {"a: |\n\nb: 1\n", "a", "q", "a: q\n\nb: 1\n"},
        {"? a\n: x: 1\n  y: 2 # c\nb: 1\n", "a", "q", "? a\n: q # c\nb: 1\n"},
        {"a:\r\n  x: 1 # c\r\n\r\nb: 1\r\n", "a", "q", "a: q\r\n\r\nb: 1\r\n"},
        {"a:\r  x: 1\rb: 1\r", "a/x", "2", "a:\r  x: 2\rb: 1\r"},
    };
    (void)state;
    CHECK(cases);
}

static void nothing_to_do(void **state)
{
    static const edit_case cases[] = {
        {"a: 'quasi' # c", "a", "quasi", NULL},
        {"a: {b: [1, 2]}\n", "a", "{\"b\": [1, 2]}", NULL},
        {"a: 1\n", "b", NULL, NULL},
        {"a: {}\n", "a/b/c", NULL, NULL},
        {"a:\n", "a/b", NULL, NULL},
        {"", "a", NULL, NULL},
        {"# nothing\n", "a/b", NULL, NULL},
        {"---\n", "a", NULL, NULL},
    };
    (void)state;
    CHECK(cases);
}

/* -------------------------------------------------------------- what is not there */

static void empty_values(void **state)
{
    static const edit_case cases[] = {
        {"a:\nb: 1\n", "a", "q", "a: q\nb: 1\n"},
        {"a: # c\n", "a", "q", "a: q # c\n"},
        {"a:", "a/b", "q", "a: {b: q}"},
        {"a: {b: , c}\n", "a/b", "q", "a: {b: q , c}\n"},
        {"a: {b, c}\n", "a/c", "q", "a: {b, c: q}\n"},
        {"a: {? b, c: 1}\n", "a/b/x", "q", "a: {? b: {x: q}, c: 1}\n"},
        {"attributes: # c\n# d\nb: 1\n", "attributes/age/role", "quasi",
         "attributes: # c\n  age: {role: quasi}\n# d\nb: 1\n"},
        {"attributes:\n  age:\n", "attributes/age/role", "quasi",
         "attributes:\n  age: {role: quasi}\n"},
    };
    (void)state;
    CHECK(cases);
}

static void new_entries_in_braces(void **state)
{
    static const edit_case cases[] = {
        {"a: {}\n", "a/b", "q", "a: {b: q}\n"},
        {"a: { }\n", "a/b", "q", "a: {b: q }\n"},
        {"a: {# c\n  }\n", "a/b", "q", "a: {b: q # c\n  }\n"},
        {"a: {b: 1} # c\n", "a/c", "[2]", "a: {b: 1, c: [2]} # c\n"},
        {"a: {b: 1, }\n", "a/c", "2", "a: {b: 1, c: 2, }\n"},
        {"a: {b: }\n", "a/c", "2", "a: {b: , c: 2 }\n"},
        {"a: {b}\n", "a/c", "2", "a: {b, c: 2}\n"},
        {"a: {b: 1 # c\n}\n", "a/c", "2", "a: {b: 1, c: 2 # c\n}\n"},
        {"{\n  \"a\": 1,\n  \"b\": {\"c\": 2}\n}\n", "d", "\"x\"",
         "{\n  \"a\": 1,\n  \"b\": {\"c\": 2},\n  \"d\": \"x\"\n}\n"},
        {"{\n  \"a\": 1,\n  \"b\": {\"c\": 2}\n}\n", "b/d", "\xc3\xa4\x41",
         "{\n  \"a\": 1,\n  \"b\": {\"c\": 2, \"d\": \"\xc3\xa4\x41\"}\n}\n"},
        {"a: {\n    b: 1, # one\n    c: 2 # two\n  }\n", "a/d", "3",
         "a: {\n    b: 1, # one\n    c: 2, # two\n    d: 3\n  }\n"},
        {"a: {\n    b: 1, # one\n    c: 2, # two\n  }\n", "a/d", "3",
         "a: {\n    b: 1, # one\n    c: 2, # two\n    d: 3,\n  }\n"},
        {"a: {\n  b: 1}\n", "a/d", "3", "a: {\n  b: 1,\n  d: 3}\n"},
        {"{a: 1}", "b/c/d", "2", "{a: 1, b: {c: {d: 2}}}"},
        {"{}", "b", "2", "{b: 2}"},
        {"a: {x: 1,\r\n  y: 2}\r\n", "a/z", "3", "a: {x: 1,\r\n  y: 2,\r\n  z: 3}\r\n"},
    };
    (void)state;
    CHECK(cases);
}

static void new_entries_in_lines(void **state)
{
    static const edit_case cases[] = {
        {"a: 1\n", "b", "2", "a: 1\nb: 2\n"},
        {"a: 1", "b", "2", "a: 1\nb: 2"},
        {"a: 1 # c", "b", "2", "a: 1 # c\nb: 2"},
        {"a: 1\r\n", "b/c", "2", "a: 1\r\nb: {c: 2}\r\n"},
        {"a: 1\n\n# the end\n", "b", "2", "a: 1\nb: 2\n\n# the end\n"},
        {"a:\n    b: 1 # c\n\n  # d\ne: 2\n", "a/f", "3",
         "a:\n    b: 1 # c\n    f: 3\n\n  # d\ne: 2\n"},
        {"a:\n  b:\n    - 1\n    -\nc: 1\n", "a/d", "2",
         "a:\n  b:\n    - 1\n    -\n  d: 2\nc: 1\n"},
        {"a:\n  b: |\n    text\n\nc: 1\n", "a/d", "2", "a:\n  b: |\n    text\n  d: 2\n\nc: 1\n"},
        {"a:\n  b: |+\n    text\n\nc: 1\n", "a/d", "2", "a:\n  b: |+\n    text\n\n  d: 2\nc: 1\n"},
        {"a: {b: 1,\n  c: 2}\n", "d", "2", "a: {b: 1,\n  c: 2}\nd: 2\n"},
        {"? a\n: b: 1\n", "a/c", "2", "? a\n: b: 1\n  c: 2\n"},
        {"? a\n# c\n", "b", "2", "? a\nb: 2\n# c\n"},
        {"---\na: 1\n...\n", "b", "2", "---\na: 1\nb: 2\n...\n"},
        {"data: x.csv\n", "attributes/age/role", "quasi",
         "data: x.csv\nattributes:\n  age: {role: quasi}\n"},
        {"data: x.csv\n", "attributes/age", "{\"role\": \"quasi\", \"weight\": 2}",
         "data: x.csv\nattributes:\n  age: {role: quasi, weight: 2}\n"},
        {"data: x.csv\n", "require/k", "5", "data: x.csv\nrequire: {k: 5}\n"},
        {"data: x.csv\n", "attributes/age/hierarchy/mask", "left",
         "data: x.csv\nattributes:\n  age: {hierarchy: {mask: left}}\n"},
        {"attributes:\n  age: {role: quasi}   # c\n  zip:\n    role: quasi\n# e\n",
         "attributes/sex", "{role: quasi}",
         "attributes:\n  age: {role: quasi}   # c\n  zip:\n    role: quasi\n  sex: {role: quasi}\n"
         "# e\n"},
        {"attributes:\n  age: {role: quasi}   # c\n  zip:\n    role: quasi # d\n# e\n",
         "attributes/zip/weight", "2",
         "attributes:\n  age: {role: quasi}   # c\n  zip:\n    role: quasi # d\n    weight: 2\n"
         "# e\n"},
    };
    (void)state;
    CHECK(cases);
}

static void texts_without_entries(void **state)
{
    static const edit_case cases[] = {
        {"", "a", "1", "a: 1\n"},
        {"\n", "a/b/c", "1", "\na:\n  b: {c: 1}\n"},
        {"# nothing", "a", "1", "# nothing\na: 1\n"},
        {"# nothing\r\n", "a", "1", "# nothing\r\na: 1\r\n"},
        {"---", "a", "1", "---\na: 1\n"},
        {"--- # c\n...\n", "a", "1", "--- # c\na: 1\n...\n"},
        {"\xef\xbb\xbf", "a", "1",
         "\xef\xbb\xbf"
         "a: 1\n"},
    };
    (void)state;
    CHECK(cases);
}

/* --------------------------------------------------------------- what goes */

static void entries_in_lines_go(void **state)
{
    static const edit_case cases[] = {
        {"a: 1\nb: 2 # two\nc: 3\n", "b", NULL, "a: 1\nc: 3\n"},
        {"a: 1\nb: 2", "b", NULL, "a: 1"},
        {"a: 1\n# c\nb: 2 # two", "b", NULL, "a: 1\n# c"},
        {"# head\na: 1 # one\n\nb: 2\n", "a", NULL, "# head\n\nb: 2\n"},
        {"a: # c\n  x: 1\n  # d\n  y: 2 # e\n# f\nb: 2\n", "a", NULL, "# f\nb: 2\n"},
        {"a: # c\n  x: 1 # d\nb: 2\n", "a/x", NULL, "a: {} # c\nb: 2\n"},
        {"a: 1 # c\n# d\n", "a", NULL, "{}\n# d\n"},
        {"# b\na:\n  x: 1", "a", NULL, "# b\n{}"},
        {"a:\r\n  x: 1\r\n  y: 2\r\n", "a/y", NULL, "a:\r\n  x: 1\r\n"},
        {"a: |\n  text\nb: 2", "b", NULL, "a: |\n  text\n"},
        {"a: |\n  text\n\nb: 2\n", "a", NULL, "\nb: 2\n"},
        {"? a\n: x: 1\n  y: 2\n", "a/x", NULL, "? a\n: y: 2\n"},
        {"? a\n: 1\n? b\n: 2\n", "b", NULL, "? a\n: 1\n"},
        {"? a\n? b\n", "a", NULL, "? b\n"},
        {"? a\n\xef\xbb\xbf# c\n: 1\n? b\n", "b", NULL, "? a\n\xef\xbb\xbf# c\n: 1\n"},
        {"\xef\xbb\xbf"
         "a: 1\nb: 2\n",
         "a", NULL,
         "\xef\xbb\xbf"
         "b: 2\n"},
    };
    (void)state;
    CHECK(cases);
}

static void entries_in_braces_go(void **state)
{
    static const edit_case cases[] = {
        {"a: {x: 1}\n", "a/x", NULL, "a: {}\n"},
        {"a: { x: 1, }\n", "a/x", NULL, "a: {}\n"},
        {"a: {\n  x: 1 # one\n}\n", "a/x", NULL, "a: {}\n"},
        {"a: { # c\n  x: 1 # one\n}\n", "a/x", NULL, "a: { # c\n  \n}\n"},
        {"a: {x: 1, y: 2, z: 3}\n", "a/x", NULL, "a: {y: 2, z: 3}\n"},
        {"a: {x: 1, y: 2, z: 3}\n", "a/y", NULL, "a: {x: 1, z: 3}\n"},
        {"a: {x: 1, y: 2, z: 3}\n", "a/z", NULL, "a: {x: 1, y: 2}\n"},
        {"a: {x: 1, y: 2 , }\n", "a/y", NULL, "a: {x: 1 , }\n"},
        {"a: {x: , y: 2}\n", "a/y", NULL, "a: {x: }\n"},
        {"a: {x, ? y, z}\n", "a/y", NULL, "a: {x, z}\n"},
        {"a: { -, b }\n", "a/b", NULL, "a: { -, }\n"},
        {"a: {-, b, }\n", "a/b", NULL, "a: {-, }\n"},
        {"a: { -, # c\n  b}\n", "a/b", NULL, "a: { -, # c\n  }\n"},
        {"a: {\n  x: 1, # one\n  y: 2, # two\n  z: 3 # three\n}\n", "a/x", NULL,
         "a: {\n  y: 2, # two\n  z: 3 # three\n}\n"},
        {"a: {\n  x: 1, # one\n  y: 2, # two\n  z: 3 # three\n}\n", "a/y", NULL,
         "a: {\n  x: 1, # one\n  z: 3 # three\n}\n"},
        {"a: {\n  x: 1, # one\n  y: 2, # two\n  z: 3 # three\n}\n", "a/z", NULL,
         "a: {\n  x: 1, # one\n  y: 2 # two\n}\n"},
        {"a: {x: 1, # one\n  y: 2, # two\n  z: 3}\n", "a/x", NULL,
         "a: {\n  y: 2, # two\n  z: 3}\n"},
        {"a: {x: 1, # one\n  y: 2}\n", "a/y", NULL, "a: {x: 1 # one\n  }\n"},
        {"a: {x: 1,# one\n  y: 2}\n", "a/y", NULL, "a: {x: 1 # one\n  }\n"},
        {"{\n  \"a\": 1,\n  \"b\": 2\n}\n", "b", NULL, "{\n  \"a\": 1\n}\n"},
        {"{\n  \"a\": 1,\n  \"b\": 2\n}\n", "a", NULL, "{\n  \"b\": 2\n}\n"},
        {"{\"a\":1,\"b\":2}", "a", NULL, "{\"b\":2}"},
        {"{a: {b: 1}}", "a/b", NULL, "{a: {}}"},
        {"{6 1,\r\xef\xbb\xbf"
         "d:1}",
         "d:1", NULL, "{6 1}"},
    };
    (void)state;
    CHECK(cases);
}

/* -------------------------------------------------------------- names and quotes */

static void names_that_need_quotes(void **state)
{
    static const char *const names[] = {
        "zip: home",
        "#children",
        "-",
        "yes",
        "",
        "a\"b",
        "a'b",
        "\xc3\xa4 b",
        "?",
        "{x}",
        "a\nb",
        "1e5",
        "0x1",
        "~",
        "2010",
        "a: ",
        " a",
        "a ",
        "...",
        "---",
        "\xef\xbb\xbf",
        "\t",
        "!x",
        "*",
        "a # b",
        "a,b",
        "@a",
        "%a",
        "<<",
        "\xe2\x80\xa8",
        "\xf0\x9f\x98\x80",
        "\x7f",
    };
    (void)state;
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        static const char *const texts[] = {"a: 1\n", "{\"a\": 1}", "b: {a: 1}"};
        for (size_t t = 0; t < 3; t++) {
            char *made = NULL, *changed = NULL, *back = NULL;
            const char *const path[] = {t == 2 ? "b" : names[i], names[i]};
            const size_t n = t == 2 ? 2 : 1;
            assert_int_equal(pv_plan_edit(texts[t], strlen(texts[t]), path, n, "1", &made, NULL),
                             PV_STATUS_OK);
            assert_int_equal(pv_plan_edit(made, strlen(made), path, n, "[2]", &changed, NULL),
                             PV_STATUS_OK);
            assert_int_equal(pv_plan_edit(changed, strlen(changed), path, n, NULL, &back, NULL),
                             PV_STATUS_OK);
            assert_string_equal(back, texts[t]);
            pv_string_free(made);
            pv_string_free(changed);
            pv_string_free(back);
        }
    }
}

static void quotes_only_where_needed(void **state)
{
    static const edit_case cases[] = {
        {"a: 1\n", "b",
         "{\"role\": \"quasi\", \"hierarchy\": {\"intervals\": [5, 10]}, \"unknown\": \"*\"}",
         "a: 1\nb: {role: quasi, hierarchy: {intervals: [5, 10]}, unknown: \"*\"}\n"},
        {"a: 1\n", "b", "[\"1%\", 1%, \"20-39\", \"-0.5\", -0.5, \"yes\", yes, \"2001-02-03\"]",
         "a: 1\nb: [1%, 1%, 20-39, \"-0.5\", -0.5, \"yes\", yes, \"2001-02-03\"]\n"},
        {"a: 1\n", "b", "[\"R&D\", \"it's\", \"a: b\", \"a:b\", \"Never-married\", \"x, y\", \"\"]",
         "a: 1\nb: [R&D, it's, \"a: b\", \"a:b\", Never-married, \"x, y\", \"\"]\n"},
        {"a: 1\n", "b", "x, y", "a: 1\nb: \"x, y\"\n"},
        {"a: 1\n", "b", "x: y", "a: 1\nb: {x: y}\n"},
        {"a: 1\n", "b", "|\n  x\n  y\n", "a: 1\nb: \"x\\ny\\n\"\n"},
        {"a: 1\n", "zip: home", "{\"#children\": {\"-\": 1, \"yes\": 2, \"\": 3}}",
         "a: 1\n\"zip: home\": {\"#children\": {\"-\": 1, \"yes\": 2, \"\": 3}}\n"},
        {"a: 1\n", "b", "1 # one", "a: 1\nb: 1\n"},
        {"{\"a\": 1}", "b", "[\"\\t\\u2028\\u0001\xf0\x9f\x98\x80\", true, 01]",
         "{\"a\": 1, \"b\": [\"\\t\\u2028\\u0001\xf0\x9f\x98\x80\", true, \"01\"]}"},
    };
    (void)state;
    CHECK(cases);
}

/* Long values are broken between items, within 100 columns. */
static void long_values(void **state)
{
    char value[4096] = "{\"role\": \"quasi\", \"hierarchy\": {\"rows\": [";
    char *edited = NULL;
    (void)state;
    for (int i = 0; i < 40; i++) {
        (void)snprintf(value + strlen(value), sizeof value - strlen(value),
                       "%s[\"value %d\", \"group %d\"]", i > 0 ? ", " : "", i, i / 4);
    }
    (void)snprintf(value + strlen(value), sizeof value - strlen(value), "]}}");
    assert_int_equal(
        edit("attributes:\n  age: {role: quasi}\n", "attributes/job", value, &edited, NULL),
        PV_STATUS_OK);
    assert_non_null(
        strstr(edited, "\n  job: {role: quasi, hierarchy: {rows: [[value 0, group 0],"));
    assert_non_null(strstr(edited, ",\n      [value "));
    for (const char *line = edited; *line != '\0'; line += strcspn(line, "\n") + 1) {
        assert_true(strcspn(line, "\n") <= 102);
    }
    pv_string_free(edited);
    assert_int_equal(edit("{\"age\": 1}\n", "job", value, &edited, NULL), PV_STATUS_OK);
    assert_null(strchr(strchr(edited, '\n') + 1, '\n'));
    pv_string_free(edited);
}

/* YAML looks for the colon of a simple key 1,024 characters ahead. */
static void long_names(void **state)
{
    static const char *const texts[] = {"a: 1\n", "b: {a: 1}\n", "b:\n  a: 1\n"};
    char name[3000];
    (void)state;
    memset(name, 'x', sizeof name - 1);
    name[sizeof name - 1] = '\0';
    for (size_t i = 0; i < 3; i++) {
        const char *const path[] = {i > 0 ? "b" : name, name};
        const size_t n = i > 0 ? 2 : 1;
        char *made = NULL, *back = NULL;
        assert_int_equal(pv_plan_edit(texts[i], strlen(texts[i]), path, n, "{x: 1}", &made, NULL),
                         PV_STATUS_OK);
        assert_int_equal(pv_plan_edit(made, strlen(made), path, n, NULL, &back, NULL),
                         PV_STATUS_OK);
        assert_string_equal(back, texts[i]);
        pv_string_free(made);
        pv_string_free(back);
    }
}

/* ------------------------------------------------------------------- refusals */

static void refusals(void **state)
{
    static const struct {
        const char *text, *path, *value;
        pv_status status;
        const char *message;
    } cases[] = {
        {"a: [\n", "a", "1", PV_STATUS_INPUT, "not valid YAML"},
        {"a: &x 1\n", "a", "1", PV_STATUS_INPUT, "anchors"},
        {"a: 1\n---\nb: 1\n", "a", "1", PV_STATUS_INPUT, "second document"},
        {"a: 1\na: 2\n", "a", "1", PV_STATUS_INPUT, "written twice"},
        {"[1, 2]\n", "a", "1", PV_STATUS_INPUT, "is a mapping"},
        {"text\n", "a", "1", PV_STATUS_INPUT, "is a mapping"},
        {"\xff\xfe"
         "a",
         "a", "1", PV_STATUS_INPUT, "UTF-16"},
        {"? a\n", "a", "1", PV_STATUS_INPUT, "without a colon"},
        {"a: {b\n  c}\n", "a/b c", "1", PV_STATUS_INPUT, "without a colon"},
        {"a: |\n  x", "b", "1", PV_STATUS_INPUT, "block style"},
        {"a: |\n  x\nb: 1\n  # c\nd: 1\n", "b", NULL, PV_STATUS_INPUT, "block style"},
        {"a: |+\n  x\nb: 1\n\nd: 1\n", "b", NULL, PV_STATUS_INPUT, "block style"},
        {"a: 1\n", "a/b", "1", PV_STATUS_ARGUMENT, "`a` is no mapping"},
        {"a: 1\n", "a/b", NULL, PV_STATUS_ARGUMENT, "`a` is no mapping"},
        {"a: [1]\n", "a/b", "1", PV_STATUS_ARGUMENT, "`a` is no mapping"},
        {"a: 1\n", "\xff", "1", PV_STATUS_ARGUMENT, "UTF-8"},
        {"a: 1\n", "a", "*x", PV_STATUS_ARGUMENT, "value of `a`: aliases"},
        {"a: 1\n", "a", "[1", PV_STATUS_ARGUMENT, "value of `a`: this is not valid YAML"},
        {"a: 1\n", "a", "", PV_STATUS_ARGUMENT, "has no value"},
        {"a: 1\n", "a", "{x: }", PV_STATUS_ARGUMENT, "has no value"},
        {"a: 1\n", "a", "!t 1", PV_STATUS_ARGUMENT, "tags"},
        {"a: 1\n", "a", "1\n--- 2", PV_STATUS_ARGUMENT, "second document"},
    };
    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        char *edited = NULL;
        pv_error error = {0};
        const pv_status status =
            edit(cases[i].text, cases[i].path, cases[i].value, &edited, &error);
        if (status != cases[i].status || strstr(error.message, cases[i].message) == NULL) {
            fail_msg("case %zu: %d %s", i, (int)status, error.message);
        }
        assert_int_equal(error.status, status);
        assert_null(edited);
    }
    const char *const path[] = {"a"};
    char *edited = NULL;
    assert_int_equal(pv_plan_edit("a: 1\n", 5, path, 0, "1", &edited, NULL), PV_STATUS_ARGUMENT);
}

static void too_deep(void **state)
{
    char value[201];
    char *edited = NULL;
    pv_error error;
    (void)state;
    for (size_t depth = 60; depth < 66; depth++) {
        memset(value, '[', depth);
        memset(value + depth, ']', depth);
        value[2 * depth] = '\0';
        const pv_status status = edit("a: 1\n", "b/c", value, &edited, &error);
        assert_int_equal(status, depth <= 62 ? PV_STATUS_OK : PV_STATUS_ARGUMENT);
        if (status == PV_STATUS_OK) {
            pv_string_free(edited);
        }
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(other_values),
        cmocka_unit_test(values_of_several_lines),
        cmocka_unit_test(nothing_to_do),
        cmocka_unit_test(empty_values),
        cmocka_unit_test(new_entries_in_braces),
        cmocka_unit_test(new_entries_in_lines),
        cmocka_unit_test(texts_without_entries),
        cmocka_unit_test(entries_in_lines_go),
        cmocka_unit_test(entries_in_braces_go),
        cmocka_unit_test(names_that_need_quotes),
        cmocka_unit_test(quotes_only_where_needed),
        cmocka_unit_test(long_values),
        cmocka_unit_test(long_names),
        cmocka_unit_test(refusals),
        cmocka_unit_test(too_deep),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
