/* The file form: what is read, and how all problems of a file are listed at once. */
#include "support/hierarchy_support.h"

#include "hierarchy/hierarchy_spec.h"
#include "hierarchy/problems.h"

#include <stdlib.h>
#include <unistd.h>

static pv_hierarchy *standalone(const char *text)
{
    pv_hierarchy_spec spec = {0};
    pv_hierarchy *h = NULL;
    pv_error error = {0};
    if (pv_i_hierarchy_spec_parse("h.csv", text, strlen(text), &spec, &error) != PV_STATUS_OK) {
        fail_msg("%s", error.message);
    }
    assert_int_equal(spec.kind, PV_HIERARCHY_ROWS);
    assert_string_equal(spec.file, "h.csv");
    assert_int_equal(pv_hierarchy_build_standalone(&spec, &h, &error), PV_STATUS_OK);
    assert_null(hierarchy_problem(h));
    pv_hierarchy_spec_free(&spec);
    return h;
}

static void assert_reads(const char *text, const char *expected)
{
    pv_hierarchy *const h = standalone(text);
    assert_text(h, expected);
    pv_hierarchy_free(h);
}

static pv_error refused(const char *text, size_t size)
{
    pv_hierarchy_spec spec = {0};
    pv_error error = {0};
    assert_int_equal(pv_i_hierarchy_spec_parse("h.csv", text, size, &spec, &error),
                     PV_STATUS_INPUT);
    assert_string_equal(error.file, "h.csv");
    assert_true(error.hint[0] != '\0');
    assert_null(spec.rows);
    assert_null(spec.file);
    return error;
}

static void assert_refused(const char *text, uint64_t line, const char *message)
{
    const pv_error error = refused(text, strlen(text));
    assert_string_equal(error.message, message);
    assert_int_equal(error.line, line);
}

/* ---------------------------------------------------------------- what is read */

static void test_delimiters(void **state)
{
    (void)state;
    const char *const expected = "a, b;X;*\nc;X;*\n";
    assert_reads("a, b;X;*\nc;X;*\n", expected);
    assert_reads("a, b\tX\t*\nc\tX\t*\n", expected);
    assert_reads("a, b|X|*\nc|X|*\n", expected);
    assert_reads("\"a, b\",X,*\nc,X,*\n", expected);
    assert_reads("a\nb\n", "a;*\nb;*\n");
    /* One label with a semicolon does not make it the delimiter. */
    assert_reads("a;b,X,*\nc,X,*\nd,Y,*\n", "\"a;b\";X;*\nc;X;*\nd;Y;*\n");
}

static void test_quotes(void **state)
{
    (void)state;
    assert_reads("\"a;b\";\"say \"\"hi\"\"\";*\nc;5\" pipe;*\n",
                 "\"a;b\";\"say \"\"hi\"\"\";*\nc;\"5\"\" pipe\";*\n");
    assert_reads("\"two\nlines\";X;*\n\"two\r\nlines\";X;*\n",
                 "\"two\nlines\";X;*\n\"two\r\nlines\";X;*\n");
    assert_reads("\"\xef\xbb\xbf"
                 "a\";X\n",
                 "\"\xef\xbb\xbf"
                 "a\";X;*\n");
}

static void test_bytes_around(void **state)
{
    (void)state;
    const char *const expected = "a;X;*\nb;X;*\n";
    assert_reads("\xef\xbb\xbf"
                 "a;X;*\nb;X;*",
                 expected);
    assert_reads("a;X;*\r\nb;X;*\r\n", expected);
    assert_reads("a;X;*\rb;X;*\r", expected);
    assert_reads("\n\na;X;*\n\n;;;\n\nb;X;*\n\n", expected);
    assert_reads("a;X;*;;\nb;X;*;\n", expected);
    assert_reads("a;X;*;*\nb;X\na;X\n", expected); /* the same twice is fine */
}

/* Who reaches the root early comes last, at every level. */
static void test_ragged_rows(void **state)
{
    (void)state;
    pv_hierarchy *const h = standalone("r\n"
                                       "a;A;AB\n"
                                       "q;Q\n"
                                       "b;B;AB\n"
                                       "s;*\n"
                                       "c;C;CD\n"
                                       "a2;A;AB\n");
    assert_text(h, "a;A;AB;*\na2;A;AB;*\nb;B;AB;*\nc;C;CD;*\nq;Q;*;*\nr;*;*;*\ns;*;*;*\n");
    assert_level(h, 1, "A B C Q *");
    assert_leaves(h, 1, "2 1 1 1 7");
    assert_level(h, 2, "AB CD *");
    assert_leaves(h, 2, "3 1 7");
    assert_leaves(h, 3, "7");
    assert_int_equal(pv_hierarchy_code(h, 0), 1);
    assert_int_equal(pv_hierarchy_leaf(h, 0), 5);
    pv_hierarchy_free(h);
}

static void test_star_as_value(void **state)
{
    (void)state;
    pv_hierarchy *const h = standalone("*;*\na;A\nb\n");
    assert_text(h, "a;A;*\nb;*;*\n*;*;*\n");
    assert_true(pv_hierarchy_is_root(h, 0, 2));
    assert_leaves(h, 0, "1 1 3");
    pv_hierarchy_free(h);
}

/* A label is one group on whatever levels it stands, and it may stand still. */
static void test_labels_repeat_between_levels(void **state)
{
    (void)state;
    assert_reads("Vatican;Europe;*\nParis;France;Europe;*\n",
                 "Paris;France;Europe;*\nVatican;Europe;*;*\n");
    assert_reads("Private;Private;Non;*\nSelf;Own;Non;*\n",
                 "Private;Private;Non;*\nSelf;Own;Non;*\n");
    assert_reads("a;b;b;*\nc;d;d;*\n", "a;b;b;*\nc;d;d;*\n");
    assert_reads("Europe;World;*\nParis;Europe;World;*\n",
                 "Paris;Europe;World;*\nEurope;World;*;*\n");
}

/* Where it would need two parents the file is refused. */
static void test_labels_with_two_places(void **state)
{
    (void)state;
    assert_refused("a;X;Y;*\nb;Z;X;W;*\n", 1,
                   "\"X\" is under \"Y\" here but under \"W\" in line 2, on another level");
    assert_refused("Fed;Gov;Private;*\nPrivate;Private;Non;*\n", 2,
                   "\"Private\" is under \"Non\" here but under \"*\" in line 1, on another level");
    assert_refused("a;X;Y;X;*\n", 1,
                   "\"X\" is at level 1 and, after another label, again at level 3: a group cannot "
                   "be inside itself");
    assert_refused("c;d;*\na;b;a;b\n", 2,
                   "\"a\" is at level 0 and, after another label, again at level 2: a group cannot "
                   "be inside itself");
    assert_refused("c;d;d;e;d;*\n", 1,
                   "\"d\" is at level 2 and, after another label, again at level 4: a group cannot "
                   "be inside itself");
    assert_refused("X;Y;*\nb;X;Z;*\n", 1,
                   "\"X\" is under \"Y\" here but under \"Z\" in line 2, on another level");
}

/* ---------------------------------------------------------------- problems */

static void test_single_problems(void **state)
{
    (void)state;
    assert_refused("a;X\nb;Y\na;Y\n", 3,
                   "\"a\" is placed a second time, under other parents than in line 1");
    assert_refused("a;X;U\nb;X;V\n", 2,
                   "\"X\" at level 1 is under \"V\" here but under \"U\" in line 1");
    assert_refused("a;X\nb;X;V\n", 2,
                   "\"X\" at level 1 is under \"V\" here but under \"*\" in line 1");
    assert_refused("a;X;*\n;X;*\n", 2, "the value is empty");
    assert_refused("a;;U;*\nb;X;U;*\n", 1, "a label is empty");
    assert_refused("a;*;U\nb;X;U;*\n", 1, "`*` is followed by something else");
    assert_refused("*;X\n", 1, "`*` is followed by something else");
    assert_refused("a;X\n\"b;X\nc;X\n", 2, "a quote is opened but never closed");
    assert_refused("\"a\"b;X\nc;X\n", 1, "something follows a closing quote");
    assert_refused("", 0, "is empty: it names no values");
    assert_refused("\xef\xbb\xbf\n\n;;\n", 0, "is empty: it names no values");
}

/* Lines are those of an editor: blank ones and those inside quotes count. */
static void test_line_numbers(void **state)
{
    (void)state;
    assert_refused("\"a\r\nb\";X\r\n\r\nc;;Y\r\n", 4, "a label is empty");
    assert_refused("\"a\nb\";X\n\nc;;Y\n", 4, "a label is empty");
}

static void test_several_problems(void **state)
{
    (void)state;
    assert_refused("a;X;U\nb;X;V\nc;;V\na;Z;U\n\"d\"d;X;U\n", 2,
                   "4 problems:\n"
                   "  line 2: \"X\" at level 1 is under \"V\" here but under \"U\" in line 1\n"
                   "  line 3: a label is empty\n"
                   "  line 4: \"a\" is placed a second time, under other parents than in line 1\n"
                   "  line 5: something follows a closing quote");
}

static void test_many_problems(void **state)
{
    (void)state;
    char text[2048] = "";
    size_t at = 0;
    for (int i = 0; i < 50; i++) {
        at += (size_t)snprintf(text + at, sizeof text - at, "v%d;;U\n", i);
    }
    const pv_error error = refused(text, at);
    assert_int_equal(strncmp(error.message, "50 problems:\n  line 1: a label is empty\n", 40), 0);
    assert_non_null(strstr(error.message, "\n  line 20: "));
    assert_null(strstr(error.message, "\n  line 21: "));
    assert_non_null(strstr(error.message, "\n  ... and 30 more"));
}

/* However long the labels, the list of twenty fits. */
static void test_long_labels_are_cut(void **state)
{
    (void)state;
    static char text[40000];
    char label[301];
    size_t at = 0;
    for (size_t i = 0; i < sizeof label - 1; i += 3) {
        memcpy(label + i, "\xe2\x82\xac", 3);
    }
    label[300] = '\0';
    for (int i = 0; i < 41; i++) {
        at += (size_t)snprintf(text + at, sizeof text - at, "v%d;%s;%d%s\n", i, label, i, label);
    }
    const pv_error error = refused(text, at);
    assert_non_null(strstr(error.message, "\n  ... and 20 more"));
    assert_non_null(strstr(error.message, "\xe2\x82\xac...\""));
    assert_null(strstr(error.message, "\xe2..."));
    assert_null(strstr(error.message, "\x82..."));
}

static void test_controls_in_labels(void **state)
{
    (void)state;
    assert_refused("a;\"X\x1b[1m\n\";U\nb;\"X\x1b[1m\n\";V\n", 3,
                   "\"X [1m \" at level 1 is under \"V\" here but under \"U\" in line 1");
}

static void test_too_many_levels(void **state)
{
    (void)state;
    char text[1200] = "a";
    size_t at = 1;
    for (int i = 1; i < PV_MAX_HEIGHT; i++) {
        at += (size_t)snprintf(text + at, sizeof text - at, ";x%d", i);
    }
    pv_hierarchy *const h = standalone(text);
    assert_int_equal(pv_hierarchy_height(h), PV_MAX_HEIGHT);
    pv_hierarchy_free(h);
    (void)snprintf(text + at, sizeof text - at, ";y");
    assert_refused(text, 1, "there are too many levels");
}

static void test_binary_file(void **state)
{
    (void)state;
    const char junk[] = "a;X\nb\0;X\n";
    const pv_error error = refused(junk, sizeof junk - 1);
    assert_int_equal(error.line, 2);
}

/* ---------------------------------------------------------------- from disk */

static void test_from_disk(void **state)
{
    (void)state;
    char path[] = "/tmp/paravent-hierarchy-XXXXXX";
    const int fd = mkstemp(path);
    assert_true(fd >= 0);
    assert_int_equal(write(fd, "a;X\nb;X\n", 8), 8);
    assert_int_equal(close(fd), 0);
    pv_hierarchy_spec spec = {0};
    pv_error error = {0};
    assert_int_equal(pv_hierarchy_spec_read(path, &spec, &error), PV_STATUS_OK);
    assert_string_equal(spec.file, path);
    assert_int_equal(spec.n_rows, 2);
    assert_string_equal(spec.rows[1][0], "b");
    assert_string_equal(spec.rows[1][1], "X");
    assert_null(spec.rows[1][2]);
    assert_int_equal(spec.lines[1], 2);
    pv_hierarchy_spec_free(&spec);
    assert_int_equal(unlink(path), 0);
    assert_int_equal(pv_hierarchy_spec_read(path, &spec, &error), PV_STATUS_INPUT);
    assert_int_equal(pv_hierarchy_spec_read("/tmp", &spec, &error), PV_STATUS_INPUT);
}

static void test_standalone_needs_rows(void **state)
{
    (void)state;
    const pv_hierarchy_spec mask = {.kind = PV_HIERARCHY_MASK};
    const pv_hierarchy_spec none = {.kind = PV_HIERARCHY_ROWS};
    pv_hierarchy *h = NULL;
    assert_int_equal(pv_hierarchy_build_standalone(&mask, &h, NULL), PV_STATUS_ARGUMENT);
    assert_int_equal(pv_hierarchy_build_standalone(&none, &h, NULL), PV_STATUS_INPUT);
    assert_null(h);
}

/* Rows that were written in a plan have no lines. */
static void test_inline_rows(void **state)
{
    (void)state;
    char *first[] = {TEXT("a"), TEXT("X"), TEXT("*"), TEXT("*"), NULL};
    char *second[] = {TEXT("b"), TEXT("X"), TEXT("Y"), NULL};
    char *third[] = {TEXT("c"), NULL};
    char **rows[] = {first, third, second};
    pv_hierarchy_spec spec = {.kind = PV_HIERARCHY_ROWS, .rows = rows, .n_rows = 2};
    pv_hierarchy *h = NULL;
    pv_error error = {0};
    assert_int_equal(pv_hierarchy_build_standalone(&spec, &h, &error), PV_STATUS_OK);
    assert_text(h, "a;X;*\nc;*;*\n");
    pv_hierarchy_free(h);
    spec.n_rows = 3;
    assert_int_equal(pv_hierarchy_build_standalone(&spec, &h, &error), PV_STATUS_INPUT);
    assert_string_equal(error.message, "the hierarchy: row 3: \"X\" at level 1 is under \"Y\" here "
                                       "but under \"*\" in row 1");
    assert_int_equal(error.line, 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_delimiters),
        cmocka_unit_test(test_quotes),
        cmocka_unit_test(test_bytes_around),
        cmocka_unit_test(test_ragged_rows),
        cmocka_unit_test(test_star_as_value),
        cmocka_unit_test(test_labels_repeat_between_levels),
        cmocka_unit_test(test_labels_with_two_places),
        cmocka_unit_test(test_single_problems),
        cmocka_unit_test(test_line_numbers),
        cmocka_unit_test(test_several_problems),
        cmocka_unit_test(test_many_problems),
        cmocka_unit_test(test_long_labels_are_cut),
        cmocka_unit_test(test_controls_in_labels),
        cmocka_unit_test(test_too_many_levels),
        cmocka_unit_test(test_binary_file),
        cmocka_unit_test(test_from_disk),
        cmocka_unit_test(test_standalone_needs_rows),
        cmocka_unit_test(test_inline_rows),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
