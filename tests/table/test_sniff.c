/* Delimiter, quoting and header, guessed from the beginning of a text. */
#include "support/study.h"

#include "table/reading.h"

static const struct {
    const char *name, *text;
    char delimiter;
    bool quoting, header;
} cases[] = {
    {"commas", "a,b\n1,2\n", ',', true, true},
    {"semicolons", "a;b\n1;2\n", ';', true, true},
    {"tabs", "a\tb\n1\t2\n", '\t', true, true},
    {"bars", "a|b\n1|2\n", '|', true, true},
    {"decimal commas", "x;y\n1,5;2,5\n3,5;4,5\n", ';', true, true},
    {"commas in text", "name;age\nSmith, J;30\nMiller, K;40\nBo;50\n", ';', true, true},
    {"semicolons in quotes", "a,b\n\"x;y\",1\n\"z;w\",2\n", ',', true, true},
    {"equal counts: comma first", "a,b;c\nd,e;f\n", ',', true, true},
    {"one column", "name\nAda\nBob\n", ',', true, true},
    {"ragged", "a;b;*\nc;*\nd;e;*\n", ';', true, false},
    {"odd quotes, better without", "a,b\n\"x\" y,1\n\"z,2\n", ',', false, true},
    {"odd quotes, as good with", "a,b\n\"x\" y,1\n\"z\",2\n", ',', true, true},
    {"a bad row is no reason to drop quotes", "\"a\",\"b\"\n\"x,y\"\n\"z\",\"w\"\n", ',', true,
     true},
    {"a quote never closed is no reason", "a,b\n\"x,1\ny,2\n", ',', true, true},
    {"quotes around some", "a,b\n\"x\",1\ny,2\n", ',', true, true},

    {"all text: header", "sex;race\nMale;White\nFemale;Black\n", ';', true, true},
    {"all text, first values again", "Male;White\nFemale;Black\nMale;White\n", ';', true, false},
    {"numbers from the first line", "1,x\n2,y\n", ',', true, false},
    {"dates from the first line", "2020-01-01;x\n2020-01-02;y\n", ';', true, false},
    {"name above numbers", "id,x\n1,2\n", ',', true, true},
    {"years as names, one real name", "id,2019\n1,20\n2,30\n", ',', true, true},
    {"missing values do not vote", "age,x\nNA,a\n,b\n30,c\n", ',', true, true},
    {"codes with leading zeros", "zip,n\n00123,1\n04567,2\n", ',', true, true},
    {"a line of names alone", "a,b,c\n", ',', true, true},
    {"a line of values alone", "Ada,30\n", ',', true, false},
};

static void guesses(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        pv_dialect dialect = {0};
        assert_int_equal(
            pv_i_sniff(cases[i].text, strlen(cases[i].text), true, NULL, &dialect, NULL),
            PV_STATUS_OK);
        print_message("%s\n", cases[i].name);
        assert_int_equal(dialect.delimiter, cases[i].delimiter);
        assert_int_equal(dialect.quoting, cases[i].quoting);
        assert_int_equal(dialect.header, cases[i].header);
    }
}

static void what_is_given_is_not_guessed(void **state)
{
    const pv_read_options options = {
        .delimiter = ':', .quoting = PV_CHOICE_NO, .header = PV_CHOICE_NO};
    pv_dialect dialect = {0};
    (void)state;
    assert_int_equal(pv_i_sniff("a,b\n1,2\n", 8, true, &options, &dialect, NULL), PV_STATUS_OK);
    assert_int_equal(dialect.delimiter, ':');
    assert_false(dialect.quoting);
    assert_false(dialect.header);
}

/* The end of a sample may cut a record short; it must not count. */
static void a_cut_record_does_not_count(void **state)
{
    static const char text[] = "a;b;c\n1;2;3\n4,5,6,7";
    pv_dialect dialect = {0};
    (void)state;
    assert_int_equal(pv_i_sniff(text, strlen(text), false, NULL, &dialect, NULL), PV_STATUS_OK);
    assert_int_equal(dialect.delimiter, ';');
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(guesses),
        cmocka_unit_test(what_is_given_is_not_guessed),
        cmocka_unit_test(a_cut_record_does_not_count),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
