/* Guessed plans: they are read back, they bind, they hold no value of the data. */
#include "base/buffer.h"
#include "plan/document.h"
#include "plan/plan.h"
#include "plan/spelling.h"

#include <paravent/plan.h>

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cmocka.h>

static pv_table *read_table(const char *text)
{
    pv_table *table = NULL;
    pv_error error;
    const pv_read_options options = {
        .header = PV_CHOICE_YES, .delimiter = ';', .quoting = PV_CHOICE_YES};
    if (pv_table_read_memory("data.csv", text, strlen(text), &options, NULL, &table, &error) !=
        PV_STATUS_OK) {
        fail_msg("%s", error.message);
    }
    return table;
}

/* Guesses, reads the plan back, answers all questions by `quasi` and binds it to the same
 * table. */
static pv_study *round_trip(pv_table *table, pv_plan **plan, char **text)
{
    pv_study *study = NULL;
    pv_error error;
    assert_int_equal(pv_plan_guess(table, "data.csv", text, NULL), PV_STATUS_OK);
    if (pv_plan_parse("plan.yaml", *text, strlen(*text), plan, &error) != PV_STATUS_OK) {
        fail_msg("%s\n%u: %s", *text, (unsigned)error.line, error.message);
    }
    for (size_t i = 0; i < (*plan)->n_attributes; i++) {
        pv_plan_attribute *const attribute = &(*plan)->attributes[i];
        attribute->role = attribute->role == PV_ROLE_UNDECIDED ? PV_ROLE_QUASI : attribute->role;
    }
    if (pv_study_bind(*plan, table, &study, &error) != PV_STATUS_OK) {
        fail_msg("%s\n%s:%u:%u: %s", *text, error.file, (unsigned)error.line,
                 (unsigned)error.column, error.message);
    }
    return study;
}

static const pv_plan_attribute *find(const pv_plan *plan, const char *name)
{
    for (size_t i = 0; i < plan->n_attributes; i++) {
        if (strcmp(plan->attributes[i].name, name) == 0) {
            return &plan->attributes[i];
        }
    }
    fail_msg("no attribute %s", name);
    return NULL;
}

/* A table of 200 people. */
static void fill_people(pv_buffer *text)
{
    pv_i_buffer_text(text, "PatientID;firstName;age;ZIP code;birth_date;Gender;Diagnosis;income;"
                           "country name;city;height;notes;visits;code;serial no\n");
    for (unsigned i = 0; i < 200; i++) {
        pv_i_buffer_format(text, "%u;Secret%u;%u;%05u;19%02u-%02u-%02u;%s;disease%u;%u.5;c%u;",
                           100000 + i, i, 17 + i % 74, 1000 + i * 37, i % 100, i % 12 + 1,
                           i % 28 + 1, i % 2 ? "f" : "m", i % 7, 1000 + i * 3, i % 5);
        pv_i_buffer_format(text, "town%u;1.%03u;some words %u;%u;%04u;%u\n", i % 30, i * 3, i / 2,
                           i % 4, i % 50, i);
    }
}

static void guesses_sensibly(void **state)
{
    (void)state;
    pv_buffer data = {0};
    fill_people(&data);
    pv_plan *plan = NULL;
    char *text = NULL;
    pv_study *const study = round_trip(read_table(data.data), &plan, &text);
    assert_int_equal(find(plan, "PatientID")->role, PV_ROLE_IDENTIFIER);
    assert_int_equal(find(plan, "firstName")->role, PV_ROLE_IDENTIFIER);
    assert_int_equal(find(plan, "serial no")->role, PV_ROLE_IDENTIFIER);
    const pv_hierarchy_spec *const age = &find(plan, "age")->hierarchy;
    assert_int_equal(age->kind, PV_HIERARCHY_INTERVALS);
    assert_int_equal(age->n_widths, 4); /* 5, 10, 20, 40 */
    assert_int_equal(age->widths[0].mantissa, 5);
    assert_int_equal(age->widths[3].mantissa, 40);
    assert_int_equal(find(plan, "ZIP code")->hierarchy.kind, PV_HIERARCHY_MASK);
    assert_int_equal(find(plan, "birth_date")->hierarchy.kind, PV_HIERARCHY_DATE);
    assert_int_equal(find(plan, "Gender")->role, PV_ROLE_QUASI);
    assert_false(find(plan, "Gender")->has_hierarchy);
    assert_int_equal(find(plan, "Diagnosis")->role, PV_ROLE_SENSITIVE);
    assert_non_null(
        strstr(text, "sensitive by its name (\"income\"), but very fine: 200 different"));
    assert_int_equal(find(plan, "country name")->role, PV_ROLE_QUASI);
    assert_int_equal(find(plan, "city")->hierarchy.kind, PV_HIERARCHY_RARE);
    assert_int_equal(find(plan, "height")->hierarchy.kind, PV_HIERARCHY_INTERVALS);
    assert_int_equal(find(plan, "notes")->role, PV_ROLE_IDENTIFIER);
    assert_int_equal(find(plan, "visits")->role, PV_ROLE_QUASI);
    assert_int_equal(find(plan, "code")->hierarchy.kind, PV_HIERARCHY_MASK);
    assert_int_equal(plan->delimiter, ';');
    assert_string_equal(plan->data, "data.csv");
    assert_null(strstr(text, "Secret"));
    assert_null(strstr(text, "town"));
    assert_non_null(strstr(text, "200 rows and 15 columns"));
    assert_non_null(strstr(text, "# the name says \"age\"; integer, 74 values, none missing"));
    pv_study_free(study);
    pv_plan_free(plan);
    pv_string_free(text);
    pv_i_buffer_deinit(&data);
}

/* ------------------------------------------------------------ what people bring */

/* Columns of a table of `rows` rows, each made by a function of the row; then the role guessed. */
typedef struct {
    const char *name;
    void (*value)(pv_buffer *text, unsigned row);
    pv_role role;
    const char *reason; /* part of it */
} expected;

static unsigned mixed(unsigned row, unsigned n)
{
    return (row * 2654435761u >> 7) % n;
}

static void household(pv_buffer *t, unsigned r)
{
    pv_i_buffer_format(t, "%u", 70000 + r / 3);
}
static void scattered(pv_buffer *t, unsigned r)
{
    pv_i_buffer_format(t, "%u", 1 + mixed(r, 170));
}
static void around_one(pv_buffer *t, unsigned r)
{
    pv_i_buffer_format(t, "%u.%04u", r % 2, 2000 + mixed(r, 7000));
}
static void hundreds(pv_buffer *t, unsigned r)
{
    pv_i_buffer_format(t, "%u.5", 800 + mixed(r, 120));
}
static void unique_date(pv_buffer *t, unsigned r)
{
    pv_i_buffer_format(t, "%u-%02u-%02u", 1950 + r / 12, r % 12 + 1, r % 28 + 1);
}
static void unique_decimal(pv_buffer *t, unsigned r)
{
    pv_i_buffer_format(t, "%u.25", 3 * r);
}
static void measurement(pv_buffer *t, unsigned r)
{
    pv_i_buffer_format(t, "%u.%u", mixed(r, 9), r % 9);
}
static void body(pv_buffer *t, unsigned r)
{
    pv_i_buffer_format(t, "%u", 50 + mixed(r, 60));
}
static void site(pv_buffer *t, unsigned r)
{
    pv_i_buffer_format(t, "%u", 1100 + 100 * mixed(r, 9));
}
static void likert(pv_buffer *t, unsigned r)
{
    pv_i_buffer_format(t, "%u", 1 + mixed(r, 5));
}
static void icd(pv_buffer *t, unsigned r)
{
    pv_i_buffer_format(t, "C%02u.%u", mixed(r, 90), r % 4);
}
static void word_of_few(pv_buffer *t, unsigned r)
{
    pv_i_buffer_format(t, "w%u", r % 3);
}
static void constant(pv_buffer *t, unsigned r)
{
    pv_i_buffer_text(t, r < UINT32_MAX ? "DE" : "");
}
static void nothing(pv_buffer *t, unsigned r)
{
    pv_i_buffer_text(t, r < UINT32_MAX ? "" : "x");
}
static void long_text(pv_buffer *t, unsigned r)
{
    pv_i_buffer_format(t, "a sentence about somebody that is rather long, and then some more %u",
                       r / 2);
}

/* Guesses with `rows` rows and compares; the text of the plan goes to the caller. */
__attribute__((noinline)) /* inlined, gcc 12 takes the text for its variable and warns */
static char *
assert_guessed(const expected *columns, size_t n, unsigned rows)
{
    pv_buffer data = {0};
    for (size_t c = 0; c < n; c++) {
        pv_i_buffer_format(&data, "%s%s", c > 0 ? ";" : "", columns[c].name);
    }
    for (unsigned row = 0; row < rows; row++) {
        for (size_t c = 0; c < n; c++) {
            pv_i_buffer_char(&data, c > 0 ? ';' : '\n');
            columns[c].value(&data, row);
        }
    }
    pv_i_buffer_char(&data, '\n');
    pv_table *const table = read_table(data.data);
    pv_guesses *guesses = NULL;
    char *text = NULL;
    assert_int_equal(pv_guesses_create(table, "data.csv", &guesses, NULL), PV_STATUS_OK);
    assert_int_equal(pv_guesses_text(guesses, &text, NULL), PV_STATUS_OK);
    for (size_t c = 0; c < n; c++) {
        const pv_role role = pv_guesses_role(guesses, c);
        const char *const reason = pv_guesses_reason(guesses, c);
        if (role != columns[c].role || strstr(reason, columns[c].reason) == NULL) {
            fail_msg("%s: %s, %s", columns[c].name, pv_role_name(role), reason);
        }
        assert_int_equal(pv_guesses_question(guesses, c) != NULL, role == PV_ROLE_UNDECIDED);
    }
    pv_guesses_free(guesses);
    pv_table_free(table);
    pv_i_buffer_deinit(&data);
    return text;
}

static void knows_a_survey(void **state)
{
    static const expected columns[] = {
        {"hhid", household, PV_ROLE_IDENTIFIER, "numbers households"},
        {"Household No", household, PV_ROLE_IDENTIFIER, "a few rows each"},
        {"fam", household, PV_ROLE_IDENTIFIER, "neighbouring rows"},
        {"family", scattered, PV_ROLE_IDENTIFIER, "a few rows each"},
        {"hh_size", likert, PV_ROLE_QUASI, ""},
        {"household_income", scattered, PV_ROLE_SENSITIVE, "income"},
        {"weight", around_one, PV_ROLE_IDENTIFIER, "survey weight"},
        {"fnlwgt", hundreds, PV_ROLE_IDENTIFIER, "survey weight"},
        {"pondération", around_one, PV_ROLE_IDENTIFIER, "survey weight"},
        {"final_weight", hundreds, PV_ROLE_IDENTIFIER, "survey weight"},
        {"Gewicht", hundreds, PV_ROLE_UNDECIDED, "of a body or of a survey"},
        {"stratum", likert, PV_ROLE_QUASI, "a code"},
        {"psu", site, PV_ROLE_QUASI, "a code"},
        {"cluster", scattered, PV_ROLE_IDENTIFIER, "a few rows each"},
        {"interviewer", site, PV_ROLE_IDENTIFIER, "a person too"},
        {"v7", scattered, PV_ROLE_UNDECIDED, "many values"},
        {"v8", measurement, PV_ROLE_UNDECIDED, "a fine measurement"},
    };
    (void)state;
    char *const text = assert_guessed(columns, sizeof columns / sizeof *columns, 600);
    assert_non_null(strstr(text, "never release the rows in their"));
    assert_non_null(strstr(text, "# Open: 3 columns"));
    assert_non_null(strstr(text, "v8:               {role: \"?\"}"));
    assert_non_null(strstr(text, "# ? a fine measurement: "));
    assert_null(strstr(text, "role: other"));
    pv_string_free(text);
}

static void knows_a_hospital(void **state)
{
    static const expected columns[] = {
        {"when", unique_date, PV_ROLE_IDENTIFIER, "a value of its own"},
        {"birth_date", unique_date, PV_ROLE_QUASI, "birth"},
        {"crp", unique_decimal, PV_ROLE_IDENTIFIER, "a value of its own"},
        {"body height", body, PV_ROLE_QUASI, "height"},
        {"weight", body, PV_ROLE_QUASI, "others can see it"},
        {"icd10", icd, PV_ROLE_UNDECIDED, "too fine"},
        {"hospital_code", site, PV_ROLE_QUASI, "a code"},
        {"physician", word_of_few, PV_ROLE_IDENTIFIER, "a person too"},
        {"doctor_visits", likert, PV_ROLE_QUASI, "few values"},
        {"report", long_text, PV_ROLE_IDENTIFIER, "free text"},
        {"diagnosis_comment", long_text, PV_ROLE_IDENTIFIER, "free text"},
        {"land", constant, PV_ROLE_OTHER, "the same"},
        {"void", nothing, PV_ROLE_OTHER, "nothing"},
        {"ISCO code", site, PV_ROLE_QUASI, "isco"},
    };
    (void)state;
    char *const text = assert_guessed(columns, sizeof columns / sizeof *columns, 400);
    assert_non_null(strstr(text, "To keep it, coarser, write {role: quasi, hierarchy: {intervals"));
    assert_non_null(strstr(text, "To keep it, coarser, write {role: quasi, hierarchy: {date"));
    assert_non_null(strstr(text, "hospital_code:     {role: quasi, hierarchy: {mask: right}}"));
    pv_string_free(text);
}

static size_t occurrences(const char *text, const char *word)
{
    size_t n = 0;
    for (const char *at = strstr(text, word); at != NULL; at = strstr(at + 1, word)) {
        n++;
    }
    return n;
}

/* Sixty answers are one question, with the first of them. */
static void asks_once_for_a_questionnaire(void **state)
{
    enum { N = 60 };
    char names[N][8];
    expected columns[N + 1] = {{"sex", word_of_few, PV_ROLE_QUASI, "sex"}};
    (void)state;
    for (unsigned i = 0; i < N; i++) {
        (void)snprintf(names[i], sizeof names[i], "Q_%02u", i + 1);
        columns[i + 1] = (expected){names[i], likert, PV_ROLE_UNDECIDED,
                                    i == 0 ? "questionnaire" : "as for Q_01"};
    }
    char *const text = assert_guessed(columns, N + 1, 200);
    assert_non_null(strstr(text, "# ? the first of 60 columns named alike"));
    assert_int_equal(occurrences(text, "# ? "), 1);
    pv_string_free(text);
}

/* Few values are no reason any more if they are the reason for very many columns. */
static void asks_when_everything_is_a_category(void **state)
{
    enum { N = 20 };
    char names[N][8];
    expected columns[N];
    (void)state;
    for (unsigned i = 0; i < N; i++) {
        (void)snprintf(names[i], sizeof names[i], "x%c", (char)('a' + i));
        columns[i] = (expected){names[i], likert, PV_ROLE_UNDECIDED, i == 0 ? "few" : "as for xa"};
    }
    pv_string_free(assert_guessed(columns, N, 200));
    for (unsigned i = 0; i < 10; i++) {
        columns[i].role = PV_ROLE_QUASI;
        columns[i].reason = "few values that others may know";
    }
    pv_string_free(assert_guessed(columns, 10, 200));
}

static void write_file(const char *path, const char *text)
{
    FILE *const file = fopen(path, "w");
    assert_non_null(file);
    assert_true(fputs(text, file) >= 0);
    assert_int_equal(fclose(file), 0);
}

#define FOLDER "test_plan_guess.d"

/* The plan guessed for a file of 40 people in a folder with one more file. */
static char *guess_beside(const char *name, const char *content)
{
    char path[128];
    pv_buffer data = {0};
    pv_table *table = NULL;
    char *text = NULL;
    pv_i_buffer_text(&data, "age,Marital Status,disease,kind\n");
    for (unsigned i = 0; i < 40; i++) {
        pv_i_buffer_format(&data, "%u,%s,flu,k%u\n", 20 + i % 3, i % 2 ? "married" : "single",
                           i % 6);
    }
    (void)snprintf(path, sizeof path, FOLDER "/%s", name);
    write_file(FOLDER "/people_2024.csv", data.data);
    if (content != NULL) {
        write_file(path, content);
    }
    assert_int_equal(pv_table_read(FOLDER "/people_2024.csv", NULL, NULL, &table, NULL),
                     PV_STATUS_OK);
    assert_int_equal(pv_plan_guess(table, "../x/people_2024.csv", &text, NULL), PV_STATUS_OK);
    pv_table_free(table);
    pv_i_buffer_deinit(&data);
    assert_true(content == NULL || unlink(path) == 0);
    return text;
}

static void uses_hierarchies_beside_the_data(void **state)
{
    static const struct {
        const char *name, *content, *expected; /* in the plan; NULL = no file is used */
    } cases[] = {
        {"people_2024_hierarchy_age.csv", "20;young;*\n21;young;*\n22;old;*\n",
         "hierarchy: \"../x/people_2024_hierarchy_age.csv\""},
        {"People-Hierarchy-MARITAL.STATUS.csv", "single;one\nmarried;two\nwidowed;one\n",
         "hierarchy: \"../x/People-Hierarchy-MARITAL.STATUS.csv\""},
        {"marital_status.csv", "single;one\nmarried;two\nwidowed;one\n",
         "hierarchy: \"../x/marital_status.csv\""},
        {"hierarchies/age.csv", "20,young\n21,young\n22,old\n",
         "hierarchy: \"../x/hierarchies/age.csv\""},
        {"age_hierarchy.txt", "20;young\n21;young\n22;old\n",
         "hierarchy: \"../x/age_hierarchy.txt\""},
        /* of another table, of what is no quasi-identifier, of no column */
        {"census_hierarchy_age.csv", "20;young\n21;young\n22;old\n", NULL},
        {"disease.csv", "flu;lungs\ncold;lungs\n", NULL},
        {"sex.csv", "m;x\nf;x\n", NULL},
        /* no hierarchies: other data, a lookup table, levels that are not nested, nothing, a value
         * placed twice */
        {"age.csv", "name;age\nAnn;20\nBob;21\n", NULL},
        {"age.csv", "20;twenty\n21;twenty-one\n22;twenty-two\n", NULL},
        {"age.csv", "20;a;x\n21;a;y\n22;b;y\n", NULL},
        {"age.csv", "", NULL},
        {"age.csv", "20;a\n20;b\n21;b\n22;b\n", NULL},
        /* too many values lack a place */
        {"age.csv", "20;young;*\n19;young;*\n", NULL},
    };
    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        char *const text = guess_beside(cases[i].name, cases[i].content);
        const char *const wanted = cases[i].expected;
        if (wanted != NULL ? strstr(text, wanted) == NULL : strstr(text, "hierarchy: \"") != NULL) {
            fail_msg("%s\n%s", cases[i].name, text);
        }
        pv_string_free(text);
    }
}

/* Nearly all values have their place: the file is named, with how many do not, but not used. */
static void names_hierarchies_that_lack_values(void **state)
{
    (void)state;
    char *const text = guess_beside("kind.csv", "k0;a\nk1;a\nk2;a\nk3;b\nk4;b\n");
    assert_non_null(strstr(text, "but 1 value has no place in it"));
    assert_non_null(strstr(text, "kind.csv\""));
    assert_null(strstr(text, "{role: quasi, hierarchy: \""));
    pv_string_free(text);
}

/* Data that could be read as a hierarchy of one of its columns is data. */
static void takes_no_data_for_a_hierarchy(void **state)
{
    (void)state;
    pv_table *table = NULL;
    char *text = NULL;
    write_file(FOLDER "/kind.csv", "kind,of\na,x\nb,x\nc,y\na,x\nb,x\nc,y\n");
    assert_int_equal(pv_table_read(FOLDER "/kind.csv", NULL, NULL, &table, NULL), PV_STATUS_OK);
    assert_int_equal(pv_plan_guess(table, "kind.csv", &text, NULL), PV_STATUS_OK);
    assert_null(strstr(text, "hierarchy: kind.csv"));
    pv_string_free(text);
    pv_table_free(table);
    assert_int_equal(unlink(FOLDER "/kind.csv"), 0);
}

static int make_folder(void **state)
{
    (void)state;
    (void)mkdir(FOLDER, 0777);
    (void)mkdir(FOLDER "/hierarchies", 0777);
    return 0;
}

static int remove_folder(void **state)
{
    (void)state;
    (void)unlink(FOLDER "/people_2024.csv");
    return rmdir(FOLDER "/hierarchies") != 0 || rmdir(FOLDER) != 0;
}

/* In a small table everything looks unique: names count, the rest is asked for. */
static void is_careful_with_small_tables(void **state)
{
    static const expected columns[] = {
        {"age", body, PV_ROLE_QUASI, "age"},
        {"score", unique_decimal, PV_ROLE_UNDECIDED, "of its own"},
        {"moment", unique_date, PV_ROLE_UNDECIDED, "of its own"},
        {"group", word_of_few, PV_ROLE_QUASI, "few values"},
        {"income", unique_decimal, PV_ROLE_SENSITIVE, "income"},
    };
    (void)state;
    pv_string_free(assert_guessed(columns, 4, 9));
    pv_string_free(assert_guessed(columns, 4, 19));
    static const expected larger[] = {
        {"score", unique_decimal, PV_ROLE_IDENTIFIER, "of its own"},
        {"moment", unique_date, PV_ROLE_IDENTIFIER, "of its own"},
        {"income", unique_decimal, PV_ROLE_UNDECIDED, "too fine"},
    };
    pv_string_free(assert_guessed(larger, 3, 20));
}

static void survives_nasty_headers(void **state)
{
    static const char *const names[] = {"a: b",
                                        "- x",
                                        "# hash",
                                        "\"\"quoted\"\"",
                                        "two\nlines",
                                        "tab\there",
                                        "back\\sl",
                                        "{brace",
                                        "[list",
                                        "&anchor",
                                        "*alias",
                                        "!tag",
                                        "'single",
                                        "| pipe",
                                        "> fold",
                                        "%percent",
                                        "@at",
                                        "`tick",
                                        "no",
                                        "null",
                                        "~",
                                        "1.5",
                                        "? question",
                                        ": colon",
                                        "trail ",
                                        " lead",
                                        "<<",
                                        "---",
                                        "...",
                                        "\xc3\xbcnic\xc3\xb6"
                                        "de",
                                        "\xe2\x80\xa8line",
                                        "\xc2\x85next",
                                        "\xef\xbb\xbf"
                                        "bom",
                                        "\xf0\x9f\x98\x80",
                                        "\x7f"
                                        "del",
                                        "\x1b[31m",
                                        ",comma",
                                        "a,b",
                                        "key:",
                                        "a #b",
                                        "",
                                        "\xff\xfe invalid",
                                        "\xed\xa0\x80 surrogate",
                                        "\xef\xbf\xbe",
                                        "not\xc3"};
    (void)state;
    const size_t n = sizeof names / sizeof *names;
    pv_buffer data = {0};
    for (size_t i = 0; i < n; i++) {
        pv_i_buffer_format(&data, "%s\"%s\"", i > 0 ? ";" : "", names[i]);
    }
    for (size_t row = 0; row < 3; row++) {
        for (size_t i = 0; i < n; i++) {
            pv_i_buffer_format(&data, "%sv%zu", i > 0 ? ";" : "\n", row);
        }
    }
    pv_i_buffer_char(&data, '\n');
    pv_plan *plan = NULL;
    char *text = NULL;
    pv_table *const table = read_table(data.data);
    pv_study *const study = round_trip(table, &plan, &text);
    size_t named = 0;
    for (size_t i = 0; i < n; i++) {
        named += pv_i_yaml_can_hold(pv_table_name(table, i));
    }
    assert_int_equal(named, n - 3); /* three are not UTF-8 */
    assert_int_equal(plan->n_attributes, named);
    for (size_t i = 0; i < plan->n_attributes; i++) {
        assert_true(pv_table_find(table, plan->attributes[i].name) != SIZE_MAX);
    }
    pv_study_free(study);
    pv_plan_free(plan);
    pv_string_free(text);
    pv_i_buffer_deinit(&data);
}

static void survives_very_long_names(void **state)
{
    (void)state;
    pv_buffer data = {0};
    for (size_t i = 0; i < 3000; i++) {
        pv_i_buffer_char(&data, 'n');
    }
    pv_i_buffer_text(&data, ";short\nx;y\nz;w\n");
    pv_plan *plan = NULL;
    char *text = NULL;
    pv_study *const study = round_trip(read_table(data.data), &plan, &text);
    assert_int_equal(plan->n_attributes, 2);
    assert_int_equal(strlen(plan->attributes[0].name), 3000);
    pv_study_free(study);
    pv_plan_free(plan);
    pv_string_free(text);
    pv_i_buffer_deinit(&data);
}

/* Tables for which a careless guess would not bind. */
static void always_binds(void **state)
{
    static const char *const tables[] = {
        "id\n1\n2\n",                         /* nothing but an identifier */
        "name;disease\na;b\n",                /* no quasi-identifier */
        "x;y\n1;\n2;\n",                      /* nothing but missing values */
        "zip\n12\n1234\n\n",                  /* codes of different length */
        "zip\n12345678901234567890123\n12\n", /* too long to mask */
        "age\n1\n2\n3\n4\n5\n6\n7\n8\n9\n",   /* a small range */
        "lat\n1e-9\n2e-9\n3e-9\n4e-9\n5e-9\n6e-9\n7e-9\n8e-9\n9e-9\n", /* a tiny one */
        "age\n-9e17\n9e17\n1\n2\n3\n4\n5\n6\n7\n",                     /* a huge one */
        ("city\nother\nother\nother\nrare\nb\nc\nd\ne\nf\ng\nh\ni\nj\nk\nl\nm\nn\no\np\n"
         "q\nr\ns\nt\n"),
        "sex\n*\n*\nf\n", /* already suppressed */
        "born\n2001-02-03\n1999-12-31\n",
        "age\nNA\n?\n12\n13\n14\n15\n16\n17\n18\n19\n20\n21\n",
        "a\n0x\n",
    };
    (void)state;
    for (size_t i = 0; i < sizeof tables / sizeof *tables; i++) {
        pv_plan *plan = NULL;
        char *text = NULL;
        pv_study *const study = round_trip(read_table(tables[i]), &plan, &text);
        assert_true(pv_study_quasis(study) > 0);
        pv_study_free(study);
        pv_plan_free(plan);
        pv_string_free(text);
    }
}

static void names_the_data_as_told(void **state)
{
    static const char *const paths[] = {"-", "a: b.csv", "\"x\".csv", "dir/census.csv.gz"};
    (void)state;
    for (size_t i = 0; i < sizeof paths / sizeof *paths; i++) {
        pv_table *const table = read_table("age;sex\n1;f\n");
        char *text = NULL;
        pv_plan *plan = NULL;
        assert_int_equal(pv_plan_guess(table, paths[i], &text, NULL), PV_STATUS_OK);
        assert_int_equal(pv_plan_parse("plan.yaml", text, strlen(text), &plan, NULL), PV_STATUS_OK);
        assert_string_equal(plan->data, paths[i]);
        pv_plan_free(plan);
        pv_string_free(text);
        pv_table_free(table);
    }
}

static void suggests_near_misses(void **state)
{
    static const struct {
        const char *word, *candidate;
        bool near;
    } cases[] = {
        {"supression", "suppression", true},
        {"rloe", "role", true},
        {"Role", "role", true},
        {"sex", "age", false},
        {"ag", "age", true},
        {"a", "b", false},
        {"zip", "zipcode", false},
        {"quasi", "quasi", true},
        {"marital", "martial", true},
        {"", "a", false},
    };
    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        pv_suggestion s = {.word = cases[i].word};
        pv_i_suggest(&s, "a very different word");
        pv_i_suggest(&s, cases[i].candidate);
        assert_int_equal(s.best != NULL, cases[i].near);
    }
    pv_suggestion s = {.word = "wieght"};
    pv_i_suggest(&s, "eight");
    pv_i_suggest(&s, "weight");
    pv_i_suggest(&s, "height");
    assert_string_equal(s.best, "weight");
}

/* ------------------------------------------------------------ how values are written */

/* A column of these values, ten times each, becomes an entry with this in it. */
static void check_entry(const char *const *values, const char *wanted, const char *note)
{
    static char csv[8192];
    size_t size = (size_t)sprintf(csv, "sex;v\n");
    for (size_t round = 0; round < 10; round++) {
        for (size_t i = 0; values[i] != NULL; i++) {
            size += (size_t)sprintf(csv + size, "%s;%s\n", round % 2 == 0 ? "f" : "m", values[i]);
        }
    }
    pv_table *const table = read_table(csv);
    char *text = NULL;
    assert_int_equal(pv_plan_guess(table, "data.csv", &text, NULL), PV_STATUS_OK);
    const char *const line = strstr(text, "\n  v:");
    assert_non_null(line);
    const char *const end = strchr(line + 1, '#');
    const char *const found = strstr(line, wanted);
    if (found == NULL || found > end || (note != NULL && strstr(text, note) == NULL)) {
        fail_msg("no `%s`, `%s` in\n%s", wanted, note != NULL ? note : "", text);
    }
    if (wanted[0] == '\0') {
        assert_null(strstr(text, "missing:"));
        assert_null(strstr(text, "decimal:"));
        assert_null(strstr(text, "format:"));
    }
    pv_plan *plan = NULL;
    assert_int_equal(pv_plan_parse("p.yaml", text, strlen(text), &plan, NULL), PV_STATUS_OK);
    pv_plan_free(plan);
    pv_string_free(text);
    pv_table_free(table);
}

#define VALUES(...) ((const char *const[]){__VA_ARGS__, NULL})

static void ways_of_writing_are_recognised(void **state)
{
    (void)state;
    check_entry(VALUES("1,5", "2,75", "3"), "decimal: comma", NULL);
    check_entry(VALUES("1.234,5", "1.500", "2"), "decimal: comma", NULL);
    check_entry(VALUES("1,234.5", "1,500", "2"), "decimal: point", NULL);
    check_entry(VALUES("1,234", "1,500", "2,100"), "decimal: \"?\"", "1,234");
    check_entry(VALUES("1.5", "2.75", "3"), "", NULL);
    check_entry(VALUES("1.234", "2.750", "3.000"), "", NULL);
    check_entry(VALUES("31/05/2024", "01/02/2024"), "format: dd/mm/yyyy", NULL);
    check_entry(VALUES("05/31/2024 13:45", "01/02/2024 00:00"), "format: mm/dd/yyyy", NULL);
    check_entry(VALUES("05/11/2024", "01/02/2024"), "format: \"?\"", "01/02/2024");
    check_entry(VALUES("31-05-2024", "1-2-2024"), "format: dd-mm-yyyy", NULL);
    check_entry(VALUES("31.05.24", "01.02.30"), "format: \"?\"", "first-year: 1930");
    check_entry(VALUES("20240531", "19800101"), "format: yyyymmdd", NULL);
    check_entry(VALUES("20240531", "20249999"), "", NULL);
    check_entry(VALUES("2024-05-31", "31.05.2024", "1.6.2024"), "", NULL);
    check_entry(VALUES("00123", "10000"), "", NULL);
    check_entry(VALUES("a,b", "c"), "", NULL);
}

static void missing_values_are_proposed(void **state)
{
    (void)state;
    check_entry(VALUES("1", "2", "NaN"), "missing: [\"\", \"NaN\"]", "Taken as missing: \"NaN\".");
    check_entry(VALUES("1", "2", "-9", "-99"), "missing: [\"\", \"-9\", \"-99\"]", NULL);
    check_entry(VALUES("1", "-2", "-9"), "", NULL);
    check_entry(VALUES("20", "30", "80", "99"), "", NULL);
    check_entry(VALUES("20", "30", "80", "999"), "missing: [\"\", \"999\"]", NULL);
    check_entry(VALUES("north", "south", "N/A", "null"), "missing: [\"\", N/A, \"null\"]", NULL);
    check_entry(VALUES("north", "none", "unknown"), "", NULL);
    check_entry(VALUES("1", "2", "none", "."), "missing: [\"\", none, \".\"]", NULL);
    check_entry(VALUES("1,5", "2,75", "-", "NA"), "decimal: comma, missing: [\"\", NA, \"-\"]",
                NULL);
    check_entry(VALUES("north", "south", "NA", "", "?"), "", NULL);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(guesses_sensibly),
        cmocka_unit_test(survives_nasty_headers),
        cmocka_unit_test(knows_a_survey),
        cmocka_unit_test(knows_a_hospital),
        cmocka_unit_test(asks_once_for_a_questionnaire),
        cmocka_unit_test(asks_when_everything_is_a_category),
        cmocka_unit_test(is_careful_with_small_tables),
        cmocka_unit_test_setup_teardown(uses_hierarchies_beside_the_data, make_folder,
                                        remove_folder),
        cmocka_unit_test_setup_teardown(names_hierarchies_that_lack_values, make_folder,
                                        remove_folder),
        cmocka_unit_test_setup_teardown(takes_no_data_for_a_hierarchy, make_folder, remove_folder),
        cmocka_unit_test(survives_very_long_names),
        cmocka_unit_test(always_binds),
        cmocka_unit_test(names_the_data_as_told),
        cmocka_unit_test(suggests_near_misses),
        cmocka_unit_test(ways_of_writing_are_recognised),
        cmocka_unit_test(missing_values_are_proposed),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
