/* Releases of records with levels of their own: the file holds exactly the released texts, it
 * verifies, its certificate tells of no raw value, and what must not be released is not. */
#include "audit/audit.h"
#include "release/release.h"
#include "support/random_study.h"

#include "base/memory.h"
#include "support/files.h"
#include "support/oracle_measures.h"
#include "support/testing.h"

#include "scheme/scheme.h"
#include <jansson.h>
#include <paravent/release.h>
#include <stdio.h>
#include <unistd.h>

/* ------------------------------------------------------------ random tables */

/* The released text of a cell, as anyone would make it from the definitions. */
static const char *text_of(const random_records *r, size_t row, size_t q)
{
    const oracle_table *const t = &r->study->table;
    const oracle_column *const column = &t->quasi[q];
    return oracle_group(column, column->cells[row], oracle_level(t, row, q));
}

static void expected_row(const random_records *r, size_t row, pv_buffer *text)
{
    const oracle_table *const t = &r->study->table;
    pv_i_buffer_format(text, "%zu", row);
    for (size_t q = 0; q < t->n_quasi; q++) {
        pv_i_buffer_format(text, ",%s", text_of(r, row, q));
    }
    for (size_t i = 0; i < t->n_sensitive; i++) {
        pv_i_buffer_format(text, ",%s", t->sensitive[i].cells[row]);
    }
    if (t->label != NULL) {
        pv_i_buffer_format(text, ",%s", t->label[row]);
    }
    pv_i_buffer_char(text, '\n');
}

static char *expected_file(const random_records *r)
{
    const oracle_table *const t = &r->study->table;
    pv_buffer text = {0};
    pv_i_buffer_bytes(&text, r->study->csv.data, strcspn(r->study->csv.data, "\n") + 1);
    for (size_t row = 0; row < t->n_rows; row++) {
        expected_row(r, row, &text);
    }
    return text.data;
}

/* Missing values may be spelled in any of the ways that mean it. */
static size_t cell_length(const char *cell)
{
    return strcspn(cell, ",\n");
}

static bool is_missing(const char *cell, size_t n)
{
    return n == 0 || (n == 1 && cell[0] == '?') || (n == 2 && memcmp(cell, "NA", 2) == 0);
}

static void expect_same_cells(const char *file, const char *expected)
{
    while (*file != '\0' && *expected != '\0') {
        const size_t n = cell_length(file);
        const size_t m = cell_length(expected);
        if (!(n == m && memcmp(file, expected, n) == 0) &&
            !(is_missing(file, n) && is_missing(expected, m))) {
            fail_msg("'%.*s' in the file, '%.*s' expected", (int)n, file, (int)m, expected);
        }
        assert_int_equal(file[n], expected[m]);
        file += n + 1;
        expected += m + 1;
    }
    assert_int_equal(*file, *expected);
}

static json_t *member(const json_t *object, const char *name)
{
    json_t *const value = json_object_get(object, name);
    assert_non_null(value);
    return value;
}

static bool is_suppressed(const random_records *r, const oracle_release *release, size_t row)
{
    bool starred = release->n_suppressed > 0;
    for (size_t q = 0; q < r->study->table.n_quasi; q++) {
        starred = starred && oracle_same(text_of(r, row, q), "*");
    }
    return starred;
}

/* Of the people who are not suppressed. */
static size_t distinct_texts(const random_records *r, const oracle_release *release, size_t q)
{
    size_t n = 0;
    for (size_t row = 0; row < r->study->table.n_rows; row++) {
        size_t i = 0;
        while (is_suppressed(r, release, i) || !oracle_same(text_of(r, i, q), text_of(r, row, q))) {
            if (i++ == row) {
                break;
            }
        }
        n += i == row;
    }
    return n;
}

static double mean_loss(const oracle_release *release, size_t q)
{
    const size_t n = release->table->n_rows;
    const double domain = release->domain[q];
    double sum = 0;
    for (size_t row = 0; row < n; row++) {
        sum += oracle_leaves_at(release, row, q) - 1;
    }
    return domain > 1 ? sum / (domain - 1) / (double)n : 0;
}

/* What of this attribute stands in the file for people who are not suppressed. */
static void expect_shown(const random_records *r, const oracle_release *release, size_t q,
                         const json_t *shown)
{
    json_int_t raw = 0;
    json_int_t coarser = 0;
    json_int_t starred = 0;
    for (size_t row = 0; row < r->study->table.n_rows; row++) {
        if (is_suppressed(r, release, row)) {
            continue;
        }
        if (oracle_same(text_of(r, row, q), "*")) {
            starred++;
        } else if (oracle_level(&r->study->table, row, q) == 0) {
            raw++;
        } else {
            coarser++;
        }
    }
    assert_int_equal(json_integer_value(member(shown, "raw")), raw);
    assert_int_equal(json_integer_value(member(shown, "coarser")), coarser);
    assert_int_equal(json_integer_value(member(shown, "starred")), starred);
}

static void expect_attribute(const random_records *r, const oracle_release *release, size_t q,
                             const json_t *attribute, bool for_publisher)
{
    assert_null(json_object_get(attribute, "level"));
    expect_shown(r, release, q, member(attribute, "rows_shown"));
    if (!for_publisher) {
        assert_null(json_object_get(attribute, "rows_at_level"));
        assert_null(json_object_get(attribute, "loss"));
        return;
    }
    const json_t *const at_level = member(attribute, "rows_at_level");
    assert_int_equal(json_array_size(at_level), records_height(r->study, q) + 1);
    for (size_t level = 0; level < json_array_size(at_level); level++) {
        json_int_t n = 0;
        for (size_t row = 0; row < r->study->table.n_rows; row++) {
            n += oracle_level(&r->study->table, row, q) == level;
        }
        assert_int_equal(json_integer_value(json_array_get(at_level, level)), n);
    }
    assert_int_equal(json_integer_value(member(member(attribute, "groups"), "after")),
                     distinct_texts(r, release, q));
    assert_true(fabs(json_number_value(member(attribute, "loss")) - mean_loss(release, q)) < 1e-9);
}

static void expect_certificate(const random_records *r, const oracle_release *release,
                               const char *path, bool for_publisher)
{
    char *const text = scratch_text(path);
    json_t *const root = json_loads(text, 0, NULL);
    assert_non_null(root);
    assert_string_equal(json_string_value(member(root, "command")), "disclose");
    assert_true(json_is_null(member(root, "levels")));
    assert_int_equal(json_integer_value(member(root, "suppressed")), release->n_suppressed);
    for (size_t q = 0; q < r->study->table.n_quasi; q++) {
        expect_attribute(r, release, q, json_array_get(member(root, "attributes"), q),
                         for_publisher);
    }
    json_decref(root);
    pv_i_free(text);
}

/* Does the codebook explain this label of the attribute? */
static bool is_explained(const char *codebook, const char *name, const char *label)
{
    pv_buffer line = {0};
    pv_i_buffer_format(&line, "\n%s,%s,", name, label);
    const bool found = strstr(codebook, line.data) != NULL;
    pv_i_buffer_deinit(&line);
    return found;
}

/* Does somebody have this label? */
static bool is_released(const random_records *r, size_t q, const char *label, size_t length)
{
    for (size_t row = 0; row < r->study->table.n_rows; row++) {
        const char *const released = text_of(r, row, q);
        if (strlen(released) == length && memcmp(released, label, length) == 0) {
            return true;
        }
    }
    return is_missing(label, length);
}

static void expect_no_more(const random_records *r, size_t q, const char *codebook,
                           const char *name)
{
    const size_t n = strlen(name);
    for (const char *at = codebook; at != NULL; at = strchr(at + 1, '\n')) {
        if (strncmp(at + 1, name, n) == 0 && at[n + 1] == ',' && at[n + 2] != '(') {
            assert_true(is_released(r, q, at + n + 2, strcspn(at + n + 2, ",")));
        }
    }
}

/* Every text in the file that is no value as it was has its line, and every line its text. */
static void expect_codebook(const random_records *r, const char *path)
{
    const oracle_table *const t = &r->study->table;
    char *const codebook = scratch_text(path);
    for (size_t q = 0; q < t->n_quasi; q++) {
        const char *const name = pv_study_quasi_name(r->study->bound.study, q);
        for (size_t row = 0; row < t->n_rows; row++) {
            const char *const released = text_of(r, row, q);
            const bool raw = oracle_level(t, row, q) == 0 && strcmp(released, "*") != 0;
            assert_true(raw ? is_explained(codebook, name, "(any value)") ||
                                  is_explained(codebook, name, "(any other value)")
                            : is_explained(codebook, name, released) ||
                                  is_missing(released, strlen(released)));
        }
        expect_no_more(r, q, codebook, name);
    }
    pv_i_free(codebook);
}

static void expect_result(const random_records *r, const oracle_release *release,
                          const pv_release_result *result)
{
    assert_null(pv_release_path(result, PV_FILE_SCHEME));
    assert_int_equal(pv_release_n_rows(result), r->study->table.n_rows);
    assert_int_equal(pv_release_k(result), release->k);
    assert_int_equal(pv_release_n_suppressed(result), release->n_suppressed);
    assert_int_equal(pv_release_n_classes(result), release->n_remaining);
    assert_int_equal(pv_release_audit(result)->k, release->k);
    assert_int_equal(pv_release_audit(result)->suppressed, release->n_suppressed);
    assert_int_equal(pv_release_audit(result)->classes, release->n_remaining);
    char *const file = scratch_text(pv_release_path(result, PV_FILE_TABLE));
    char *const expected = expected_file(r);
    expect_same_cells(file, expected);
    pv_i_free(file);
    pv_string_free(expected);
    expect_certificate(r, release, pv_release_path(result, PV_FILE_CERTIFICATE), false);
    expect_certificate(r, release, pv_release_path(result, PV_FILE_REPORT), true);
    expect_codebook(r, pv_release_path(result, PV_FILE_CODEBOOK));
    char *const page = scratch_text(pv_release_path(result, PV_FILE_CERTIFICATE_PAGE));
    assert_true(strstr(page, "record by record") != NULL);
    pv_i_free(page);
}

/* With just enough budget it is released, with less it is not. */
static void release_manner(random_records *r, records_manner manner, const scratch_folder *f)
{
    random_study *const s = r->study;
    uint8_t unused[8] = {0};
    pv_scheme scheme = {.levels = unused, .n_levels = s->table.n_quasi, .records = r->levels};
    pv_release_settings options = {
        .output = f->file, .asked.force = true, .asked.order = PV_ORDER_KEPT};
    pv_release_result *result = NULL;
    pv_error error = {0};
    records_draw(r, manner);
    oracle_release release = oracle_release_records(&s->table);
    options.suppression.budget = release.n_suppressed;
    bound_must(pv_i_release_write(&scheme, s->profile, &options, NULL, &result, &error), &error);
    expect_result(r, &release, result);
    assert_int_equal(scratch_folder_files(f), 2);
    assert_int_equal(unlink(pv_release_path(result, PV_FILE_TABLE)), 0);
    scratch_remove_at(AT_FDCWD, pv_release_path(result, PV_FILE_PAPERS));
    pv_release_result_free(result);
    if (release.n_suppressed > 0) {
        options.suppression.budget = release.n_suppressed - 1;
        assert_int_equal(pv_i_release_write(&scheme, s->profile, &options, NULL, &result, &error),
                         PV_STATUS_UNSATISFIED);
        assert_int_equal(scratch_folder_files(f), 0);
    }
    oracle_release_free(&release);
}

static void random_tables_are_released_as_they_should(void **state)
{
    const scratch_folder f = scratch_folder_create("out.csv");
    pv_rng rng;
    (void)state;
    pv_i_rng_init(&rng, 621);
    for (size_t i = 0; i < effort(60); i++) {
        const random_shape shape = records_shape(&rng);
        random_study s;
        random_study_init(&s, &rng, &shape);
        random_records r = random_records_create(&s);
        release_manner(&r, (records_manner)(i % RECORDS_MANNERS), &f);
        random_records_free(&r);
        random_study_deinit(&s);
    }
    scratch_folder_remove(&f);
}

/* -------------------------------------------------------------------- cases */

typedef struct {
    scratch_folder folder;
    bound_study bound;
    pv_profile *profile;
    uint8_t levels[6 * 2]; /* by tuple */
    uint8_t unused[2];
    pv_scheme scheme;
    pv_release_settings options;
    pv_error error;
} fixture;

static const char plan[] = "attributes:\n"
                           "  person: {role: identifier}\n"
                           "  age:    {role: quasi, hierarchy: {intervals: [10, 20]}}\n"
                           "  town:   {role: quasi, hierarchy: {rows: [[zzOslo, North], "
                           "[zzBergen, North], [zzRome, zzRome, South], [zzBari, South, South]]}}\n"
                           "  ill:    {role: sensitive, unique: accepted}\n"
                           "  note:   {role: other, unique: accepted}\n";
static const char table[] = "person,age,town,ill,note\n"
                            "annixa,8821,zzOslo,zzflu,a\n"
                            "bobixa,8821,zzOslo,zzcold,b\n"
                            "cydixa,8827,zzBergen,zzflu,c\n"
                            "danixa,8831,zzRome,zzflu,d\n"
                            "evaixa,8838,zzBari,zzcold,e\n"
                            "fayixa,8867,zzBari,zzgout,f\n";
/* By row: two as they are, one alike by two attributes raised, South twice, and one gone. */
static const uint8_t chosen[6][2] = {{1, 1}, {1, 1}, {1, 1}, {1, 2}, {1, 1}, {3, 3}};
static const char released[] = "age,town,ill,note\n"
                               "8820-8829,North,zzflu,a\n"
                               "8820-8829,North,zzcold,b\n"
                               "8820-8829,North,zzflu,c\n"
                               "8830-8839,South,zzflu,d\n"
                               "8830-8839,South,zzcold,e\n"
                               "*,*,zzgout,f\n";

static int set_up(void **state)
{
    fixture *const f = oracle_array(1, sizeof *f);
    f->folder = scratch_folder_create("out.csv");
    f->bound = bound_study_create(plan, table);
    f->profile = bound_profile(f->bound.study, 1);
    for (size_t row = 0; row < 6; row++) {
        memcpy(f->levels + 2 * pv_profile_tuple(f->profile, row), chosen[row], 2);
    }
    f->scheme = (pv_scheme){.levels = f->unused, .n_levels = 2, .records = f->levels};
    f->options = (pv_release_settings){.output = f->folder.file,
                                       .suppression = {.whole_budget = true, .budget = 1}};
    *state = f;
    return 0;
}

static int tear_down(void **state)
{
    fixture *const f = *state;
    pv_profile_free(f->profile);
    bound_study_free(&f->bound);
    scratch_folder_remove(&f->folder);
    free(f);
    return 0;
}

static pv_status release(fixture *f, pv_release_result **result)
{
    return pv_i_release_write(&f->scheme, f->profile, &f->options, NULL, result, &f->error);
}

static void everyone_is_released_with_levels_of_their_own(void **state)
{
    fixture *const f = *state;
    pv_release_result *result = NULL;
    f->options.asked.order = PV_ORDER_KEPT;
    bound_must(release(f, &result), &f->error);
    assert_int_equal(pv_release_k(result), 2);
    assert_int_equal(pv_release_n_suppressed(result), 1);
    char *const text = scratch_text(pv_release_path(result, PV_FILE_TABLE));
    assert_string_equal(text, released);
    pv_i_free(text);
    assert_int_equal(scratch_folder_files(&f->folder), 2);
    pv_release_result_free(result);
}

/* Raw values are told apart from all else by their spelling; `zzRome` is a group's label, too. */
static void the_certificate_names_no_raw_value(void **state)
{
    static const uint8_t other_levels[][2] = {{0, 0}, {1, 0}, {0, 1}, {1, 1}, {2, 2}, {3, 3}};
    fixture *const f = *state;
    f->options.asked.force = true;
    f->options.suppression.budget = 6;
    for (size_t i = 0; i < sizeof other_levels / sizeof *other_levels; i++) {
        pv_release_result *result = NULL;
        for (size_t tuple = 0; tuple < pv_profile_tuples(f->profile); tuple++) {
            memcpy(f->levels + 2 * tuple, other_levels[(i + tuple) % 6], 2);
        }
        bound_must(release(f, &result), &f->error);
        char *const json = scratch_text(pv_release_path(result, PV_FILE_CERTIFICATE));
        char *const page = scratch_text(pv_release_path(result, PV_FILE_CERTIFICATE_PAGE));
        static const char *const secrets[] = {"zz", "ixa", "8821", "8827", "8831", "8838", "8867"};
        for (size_t s = 0; s < sizeof secrets / sizeof *secrets; s++) {
            assert_null(strstr(json, secrets[s]));
            assert_null(strstr(page, secrets[s]));
        }
        pv_i_free(json);
        pv_i_free(page);
        pv_release_result_free(result);
    }
}

static void demand(fixture *f, const char *text, pv_constraint *demands)
{
    bound_must(pv_constraints_parse(text, demands, &f->options.asked.n_constraints, &f->error),
               &f->error);
    f->options.asked.constraints = demands;
}

static void demands_are_checked(void **state)
{
    fixture *const f = *state;
    pv_constraint demands[PV_MAX_CONSTRAINTS];
    pv_release_result *result = NULL;
    demand(f, "k=3,l-distinct=2", demands);
    assert_int_equal(release(f, &result), PV_STATUS_UNSATISFIED);
    assert_non_null(strstr(f->error.message, "k >= 3"));
    assert_null(strstr(f->error.message, "l-distinct"));
    assert_null(result);
    assert_int_equal(scratch_folder_files(&f->folder), 0);
    demand(f, "k=2,l-distinct=2", demands);
    bound_must(release(f, &result), &f->error);
    pv_release_result_free(result);
}

static void more_starred_than_allowed_are_refused(void **state)
{
    fixture *const f = *state;
    pv_release_result *result = NULL;
    f->options.suppression.budget = 0;
    assert_int_equal(release(f, &result), PV_STATUS_UNSATISFIED);
    assert_non_null(strstr(f->error.message, "1 rows"));
    assert_null(result);
    assert_int_equal(scratch_folder_files(&f->folder), 0);
}

static void everyone_starred_is_nobody_suppressed(void **state)
{
    fixture *const f = *state;
    pv_release_result *result = NULL;
    f->options.suppression.budget = 0;
    for (size_t i = 0; i < sizeof f->levels; i++) {
        f->levels[i] = 3;
    }
    bound_must(release(f, &result), &f->error);
    assert_int_equal(pv_release_n_suppressed(result), 0);
    assert_int_equal(pv_release_k(result), 6);
    pv_release_result_free(result);
}

static void levels_out_of_range_are_refused(void **state)
{
    fixture *const f = *state;
    pv_release_result *result = NULL;
    f->levels[3] = 9;
    assert_int_equal(release(f, &result), PV_STATUS_ARGUMENT);
    assert_int_equal(scratch_folder_files(&f->folder), 0);
}

static int compare_lines(const void *a, const void *b)
{
    return strcmp(*(char *const *)a, *(char *const *)b);
}

enum { LINES = 7 };

static void sort_lines(char *text, char **lines)
{
    char *rest = text;
    for (size_t i = 0; i < LINES; i++) {
        lines[i] = strsep(&rest, "\n");
    }
    qsort(lines + 1, LINES - 1, sizeof *lines, compare_lines);
}

/* Levels go with the person, whatever the order. */
static void shuffled_rows_keep_their_levels(void **state)
{
    fixture *const f = *state;
    char plain[sizeof released];
    char *lines[2][LINES];
    pv_release_result *result = NULL;
    f->options.asked.order = PV_ORDER_SHUFFLED;
    f->options.asked.seed = 7;
    bound_must(release(f, &result), &f->error);
    char *const text = scratch_text(pv_release_path(result, PV_FILE_TABLE));
    assert_string_not_equal(text, released);
    memcpy(plain, released, sizeof released);
    sort_lines(plain, lines[0]);
    sort_lines(text, lines[1]);
    for (size_t i = 0; i < LINES; i++) {
        assert_string_equal(lines[0][i], lines[1][i]);
    }
    pv_i_free(text);
    pv_release_result_free(result);
}

static void compressed_releases_verify(void **state)
{
    static const char *const endings[] = {".gz", ".zst"};
    fixture *const f = *state;
    for (size_t i = 0; i < 2; i++) {
        char path[128];
        pv_release_result *result = NULL;
        (void)snprintf(path, sizeof path, "%s%s", f->folder.file, endings[i]);
        f->options.output = path;
        f->options.asked.force = true;
        const pv_status status = release(f, &result);
        if (status == PV_STATUS_UNSUPPORTED) {
            continue;
        }
        bound_must(status, &f->error);
        assert_int_equal(pv_release_audit(result)->k, 2);
        assert_int_equal(pv_release_audit(result)->rows, 6);
        assert_null(pv_release_path(result, PV_FILE_SCHEME));
        pv_release_result_free(result);
    }
}

static bool stop(void *ctx, const pv_progress *progress)
{
    return strcmp(progress->phase, ctx) != 0;
}

static void stopping_leaves_nothing(void **state)
{
    char phases[][16] = {"measuring", "writing", "checking"};
    fixture *const f = *state;
    for (size_t i = 0; i < 3; i++) {
        pv_release_result *result = NULL;
        const pv_context context = {.progress = stop, .progress_ctx = phases[i]};
        assert_int_equal(
            pv_i_release_write(&f->scheme, f->profile, &f->options, &context, &result, &f->error),
            PV_STATUS_CANCELLED);
        assert_int_equal(scratch_folder_files(&f->folder), 0);
    }
}

#define RELEASE(test) cmocka_unit_test_setup_teardown(test, set_up, tear_down)

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(random_tables_are_released_as_they_should),
        RELEASE(everyone_is_released_with_levels_of_their_own),
        RELEASE(the_certificate_names_no_raw_value),
        RELEASE(demands_are_checked),
        RELEASE(more_starred_than_allowed_are_refused),
        RELEASE(everyone_starred_is_nobody_suppressed),
        RELEASE(levels_out_of_range_are_refused),
        RELEASE(shuffled_rows_keep_their_levels),
        RELEASE(compressed_releases_verify),
        RELEASE(stopping_leaves_nothing),
    };
    return cmocka_run_group_tests_name("write records", tests, NULL, NULL);
}
