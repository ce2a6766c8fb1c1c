/* The synthetic census: the same people everywhere, and people who make sense. */
#include "support/files.h"

#include "base/hash.h"
#include "base/memory.h"

#include <paravent/census.h>

enum { COLUMNS = 12, PEOPLE = 5000 };

static const char *const file_names[] = {
    "census.csv",     "plan.yaml",     "education.csv",  "marital.csv",
    "occupation.csv", "workclass.csv", "birthplace.csv", NULL};

/* A person as written, fields cut out of the text. */
typedef struct person {
    char *id, *age_text, *sex, *zip, *education, *marital, *household, *occupation, *workclass,
        *birthplace, *diagnosis, *income_text;
    long age, income;
} person;

typedef struct census {
    scratch_folder folder;
    char *text;
    person people[PEOPLE];
    size_t n;
} census;

static bool is(const char *a, const char *b)
{
    return strcmp(a, b) == 0;
}

static char *read_in(const scratch_folder *folder, const char *name)
{
    char path[128];
    (void)snprintf(path, sizeof path, "%s/%s", folder->path, name);
    return scratch_text(path);
}

/* Nothing but the files of the census was left behind. */
static void remove_census(const scratch_folder *folder)
{
    assert_int_equal(scratch_folder_files(folder), sizeof file_names / sizeof *file_names - 1);
    scratch_folder_remove(folder);
}

static void cut_person(char *line, person *p)
{
    char *fields[COLUMNS];
    size_t n = 0;
    for (char *at = line; at != NULL; n++) {
        assert_true(n < COLUMNS);
        fields[n] = at;
        at = strchr(at, ',');
        if (at != NULL) {
            *at++ = '\0';
        }
    }
    assert_int_equal(n, COLUMNS);
    *p = (person){fields[0],
                  fields[1],
                  fields[2],
                  fields[3],
                  fields[4],
                  fields[5],
                  fields[6],
                  fields[7],
                  fields[8],
                  fields[9],
                  fields[10],
                  fields[11],
                  strtol(fields[1], NULL, 10),
                  strtol(fields[11], NULL, 10)};
}

static int set_up(void **state)
{
    census *const c = calloc(1, sizeof *c);
    assert_non_null(c);
    c->folder = scratch_folder_create("census.csv");
    assert_int_equal(pv_census_write(c->folder.path, PEOPLE, 7, false, NULL), PV_STATUS_OK);
    c->text = scratch_text(c->folder.file);
    char *save = NULL;
    char *line = strtok_r(c->text, "\n", &save); /* the header */
    for (line = strtok_r(NULL, "\n", &save); line != NULL; line = strtok_r(NULL, "\n", &save)) {
        cut_person(line, &c->people[c->n++]);
    }
    *state = c;
    return 0;
}

static int tear_down(void **state)
{
    census *const c = *state;
    remove_census(&c->folder);
    pv_i_free(c->text);
    free(c);
    return 0;
}

/* ---------------------------------------------------------------------- bytes */

/* All files of a small census in one string. */
static char *text_of_census(uint64_t rows, uint64_t seed, const char *only)
{
    const scratch_folder folder = scratch_folder_create("census.csv");
    char *all = NULL;
    size_t size = 0;
    assert_int_equal(pv_census_write(folder.path, rows, seed, false, NULL), PV_STATUS_OK);
    FILE *const stream = open_memstream(&all, &size);
    assert_non_null(stream);
    for (size_t i = 0; file_names[i] != NULL; i++) {
        char *const text = read_in(&folder, file_names[i]);
        if (only == NULL || is(only, file_names[i])) {
            (void)fputs(text, stream);
        }
        pv_i_free(text);
    }
    (void)fclose(stream);
    remove_census(&folder);
    return all;
}

static void same_seed_same_bytes(void **state)
{
    (void)state;
    char *const first = text_of_census(1000, 1, NULL);
    char *const again = text_of_census(1000, 1, NULL);
    char *const other = text_of_census(1000, 2, NULL);
    assert_string_equal(first, again);
    assert_string_not_equal(first, other);
    free(first);
    free(again);
    free(other);
}

static void the_people_of_seed_1_are_known(void **state)
{
    (void)state;
    char *const text = text_of_census(1000, 1, "census.csv");
    /* A change here means that documented demo output changes, too. */
    assert_int_equal(pv_i_hash_bytes(text, strlen(text)), UINT64_C(0xa6adf3322e377673));
    free(text);
}

static void a_shorter_census_is_a_prefix(void **state)
{
    (void)state;
    char *const shorter = text_of_census(10, 7, "census.csv");
    char *const longer = text_of_census(20, 7, "census.csv");
    assert_true(strlen(shorter) < strlen(longer));
    assert_memory_equal(shorter, longer, strlen(shorter));
    free(shorter);
    free(longer);
}

/* --------------------------------------------------------------------- people */

static void ids_are_unique_and_values_are_in_range(void **state)
{
    const census *const c = *state;
    assert_int_equal(c->n, PEOPLE);
    for (size_t i = 0; i < c->n; i++) {
        const person *const p = &c->people[i];
        char id[24];
        (void)snprintf(id, sizeof id, "P-%07zu", i + 1);
        assert_string_equal(p->id, id);
        assert_in_range(p->age, 0, 99);
        assert_in_range(p->income, 0, 2000);
        assert_int_equal(strlen(p->zip), 5);
        assert_in_range(p->zip[0], '1', '6');
        assert_true(is(p->sex, "man") || is(p->sex, "woman"));
    }
}

static void nobody_is_impossible(void **state)
{
    const census *const c = *state;
    for (size_t i = 0; i < c->n; i++) {
        const person *const p = &c->people[i];
        if (p->age < 18) {
            assert_string_equal(p->marital, "single");
            assert_string_not_equal(p->occupation, "retired");
        }
        if (p->age < 15) {
            assert_string_equal(p->occupation, "child or student");
            assert_int_equal(p->income, 0);
        }
        assert_false(is(p->education, "doctorate") && p->age < 26);
        assert_false(is(p->education, "bachelor") && p->age < 21);
        assert_false(is(p->occupation, "retired") && p->age < 58);
        const bool unpaid = is(p->occupation, "child or student") || is(p->occupation, "retired") ||
                            is(p->occupation, "unemployed") || is(p->occupation, "homemaker");
        assert_int_equal(unpaid, is(p->workclass, "none"));
    }
}

static double mean_income(const census *c, const char *education)
{
    double sum = 0;
    size_t n = 0;
    for (size_t i = 0; i < c->n; i++) {
        const person *const p = &c->people[i];
        if (p->age >= 30 && p->age < 65 && is(p->education, education)) {
            sum += (double)p->income;
            n++;
        }
    }
    assert_true(n > 0);
    return sum / (double)n;
}

static void income_rises_with_education(void **state)
{
    const census *const c = *state;
    assert_true(mean_income(c, "lower secondary") < mean_income(c, "apprenticeship"));
    assert_true(mean_income(c, "apprenticeship") < mean_income(c, "bachelor"));
    assert_true(mean_income(c, "bachelor") < mean_income(c, "doctorate"));
}

/* Share of those aged from..to whose field (by offset) has a value. */
static double share(const census *c, long from, long to, size_t field, const char *value)
{
    size_t n = 0;
    size_t all = 0;
    for (size_t i = 0; i < c->n; i++) {
        const person *const p = &c->people[i];
        if (p->age >= from && p->age <= to) {
            char *text;
            memcpy(&text, (const char *)p + field, sizeof text);
            n += is(text, value);
            all++;
        }
    }
    return (double)n / (double)all;
}

static void age_shapes_lives(void **state)
{
    const census *const c = *state;
    const size_t marital = offsetof(person, marital);
    const size_t diagnosis = offsetof(person, diagnosis);
    assert_true(share(c, 40, 60, marital, "married") > 0.45);
    assert_true(share(c, 80, 99, marital, "widowed") > 0.3);
    assert_true(share(c, 20, 40, marital, "widowed") < 0.02);
    assert_true(share(c, 65, 99, diagnosis, "hypertension") > 0.15);
    assert_true(share(c, 0, 20, diagnosis, "hypertension") < 0.01);
    assert_true(share(c, 0, 64, offsetof(person, sex), "woman") < 0.53);
    assert_true(share(c, 80, 99, offsetof(person, sex), "woman") > 0.55);
}

static void most_live_where_they_were_born(void **state)
{
    static const char *const provinces[] = {"Aldermoor", "Brackwater", "Coldharbour",
                                            "Dunmere",   "Eastfen",    "Fairhaven"};
    const census *const c = *state;
    size_t stayed = 0;
    size_t native = 0;
    for (size_t i = 0; i < c->n; i++) {
        const person *const p = &c->people[i];
        for (size_t j = 0; j < 6; j++) {
            native += is(p->birthplace, provinces[j]);
            stayed += is(p->birthplace, provinces[j]) && p->zip[0] == (char)('1' + j);
        }
    }
    assert_true(native > c->n * 3 / 4 && native < c->n * 95 / 100);
    assert_true(stayed > native * 3 / 4);
}

/* ---------------------------------------------------------------- hierarchies */

/* Is there a line "value;..." in the hierarchy file, and do all lines end in ";*"? */
static void assert_covered(const char *hierarchy, const char *value)
{
    char start[64];
    (void)snprintf(start, sizeof start, "\n%s;", value);
    assert_true(strncmp(hierarchy, start + 1, strlen(start) - 1) == 0 ||
                strstr(hierarchy, start) != NULL);
}

static void check_hierarchy(const census *c, const char *name, size_t field, size_t height)
{
    char *const text = read_in(&c->folder, name);
    for (size_t i = 0; i < c->n; i++) {
        char *value;
        memcpy(&value, (const char *)&c->people[i] + field, sizeof value);
        assert_covered(text, value);
    }
    char *save = NULL;
    for (char *line = strtok_r(text, "\n", &save); line; line = strtok_r(NULL, "\n", &save)) {
        size_t separators = 0;
        for (const char *at = line; *at != '\0'; at++) {
            separators += *at == ';';
        }
        assert_int_equal(separators, height);
        assert_string_equal(line + strlen(line) - 2, ";*");
    }
    pv_i_free(text);
}

static void hierarchies_cover_the_people(void **state)
{
    const census *const c = *state;
    check_hierarchy(c, "education.csv", offsetof(person, education), 3);
    check_hierarchy(c, "marital.csv", offsetof(person, marital), 2);
    check_hierarchy(c, "occupation.csv", offsetof(person, occupation), 2);
    check_hierarchy(c, "workclass.csv", offsetof(person, workclass), 2);
    check_hierarchy(c, "birthplace.csv", offsetof(person, birthplace), 3);
}

/* ---------------------------------------------------------------------- files */

static void what_exists_is_kept(void **state)
{
    (void)state;
    const scratch_folder folder = scratch_folder_create("census.csv");
    assert_int_equal(pv_census_write(folder.path, 10, 1, false, NULL), PV_STATUS_OK);
    assert_int_equal(unlink(folder.file), 0);
    char *const before = read_in(&folder, "plan.yaml");
    pv_error error = {0};
    assert_int_equal(pv_census_write(folder.path, 10, 1, false, &error), PV_STATUS_EXISTS);
    assert_non_null(strstr(error.file, "plan.yaml"));
    /* census.csv did not come back, no temporaries */
    assert_int_equal(scratch_folder_files(&folder), 6);
    assert_int_equal(pv_census_write(folder.path, 10, 1, true, NULL), PV_STATUS_OK);
    char *const after = read_in(&folder, "plan.yaml");
    assert_string_equal(before, after);
    pv_i_free(before);
    pv_i_free(after);
    remove_census(&folder);
}

static void a_missing_folder_and_no_people_are_errors(void **state)
{
    (void)state;
    pv_error error = {0};
    assert_int_equal(pv_census_write("/tmp/pv-no-such-folder", 10, 1, false, &error), PV_STATUS_IO);
    assert_int_equal(pv_census_write("/tmp", 0, 1, false, &error), PV_STATUS_ARGUMENT);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(same_seed_same_bytes),
        cmocka_unit_test(the_people_of_seed_1_are_known),
        cmocka_unit_test(a_shorter_census_is_a_prefix),
        cmocka_unit_test(ids_are_unique_and_values_are_in_range),
        cmocka_unit_test(nobody_is_impossible),
        cmocka_unit_test(income_rises_with_education),
        cmocka_unit_test(age_shapes_lives),
        cmocka_unit_test(most_live_where_they_were_born),
        cmocka_unit_test(hierarchies_cover_the_people),
        cmocka_unit_test(what_exists_is_kept),
        cmocka_unit_test(a_missing_folder_and_no_people_are_errors),
    };
    return cmocka_run_group_tests(tests, set_up, tear_down);
}
