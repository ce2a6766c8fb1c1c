/* Releases from plan to renamed file: what is written, what is refused, what is left behind. */
#include "audit/audit.h"
#include "release/release.h"
#include "support/files.h"

#include "base/memory.h"
#include "base/sha256.h"

#include "scheme/scheme.h"
#include <paravent/paravent.h>

static const char plan_text[] = "suppression: 2\n"
                                "attributes:\n"
                                "  person: {role: identifier}\n"
                                "  age:    {role: quasi, hierarchy: {intervals: [10, 20]}}\n"
                                "  zip:    {role: quasi, hierarchy: {mask: right}}\n"
                                "  ill:    {role: sensitive}\n"
                                "  note:   {role: other, unique: accepted}\n";

static const char table_text[] = "person;age;zip;ill;note\n"
                                 "annixa;21;1234;flu;a\n"
                                 "bob;25;1235;flu;\"b;b\"\n"
                                 "cyd;28;1239;cold;c\n"
                                 ";31;1299;flu;d\n"
                                 "eve;38;1297;cold;e\n"
                                 "fay;67;9999;gout;f\n";

typedef struct {
    scratch_folder folder;
    pv_plan *plan;
    pv_study *study;
    pv_profile *profile;
    pv_scheme scheme;
    pv_release_settings options;
    pv_error error;
} fixture;

static int set_up(void **state)
{
    fixture *const f = calloc(1, sizeof *f);
    pv_table *table = NULL;
    f->folder = scratch_folder_create("out.csv");
    assert_int_equal(pv_plan_parse("plan.yaml", plan_text, strlen(plan_text), &f->plan, &f->error),
                     PV_STATUS_OK);
    assert_int_equal(pv_table_read_memory("data/people.csv", table_text, strlen(table_text), NULL,
                                          NULL, &table, &f->error),
                     PV_STATUS_OK);
    assert_int_equal(pv_study_bind(f->plan, table, &f->study, &f->error), PV_STATUS_OK);
    assert_int_equal(pv_profile_create(f->study, NULL, &f->profile, &f->error), PV_STATUS_OK);
    assert_int_equal(pv_i_scheme_init(&f->scheme, f->study, &f->error), PV_STATUS_OK);
    assert_int_equal(pv_scheme_parse(&f->scheme, f->study, "1,2", &f->error), PV_STATUS_OK);
    f->options = (pv_release_settings){
        .output = f->folder.file,
        .suppression = {.whole_budget = true, .budget = pv_study_budget(f->study)}};
    *state = f;
    return 0;
}

static int tear_down(void **state)
{
    fixture *const f = *state;
    scratch_folder_remove(&f->folder);
    pv_i_scheme_deinit(&f->scheme);
    pv_profile_free(f->profile);
    pv_study_free(f->study);
    pv_plan_free(f->plan);
    free(f);
    return 0;
}

static pv_status release(fixture *f, pv_release_result **result)
{
    return pv_i_release_write(&f->scheme, f->profile, &f->options, NULL, result, &f->error);
}

static void rows_are_recoded_and_identifiers_dropped(void **state)
{
    fixture *const f = *state;
    pv_release_result *result = NULL;
    assert_int_equal(release(f, &result), PV_STATUS_OK);
    assert_int_equal(pv_release_k(result), 2);
    assert_int_equal(pv_release_n_suppressed(result), 1);
    assert_int_equal(pv_release_audit(result)->k, 2);
    assert_int_equal(scratch_folder_files(&f->folder), 2); /* the table and its papers */
    char *const text = scratch_text(pv_release_path(result, PV_FILE_TABLE));
    assert_string_equal(text, "age;zip;ill;note\n"
                              "*;*;gout;f\n"
                              "20-29;12**;cold;c\n"
                              "20-29;12**;flu;a\n"
                              "20-29;12**;flu;\"b;b\"\n"
                              "30-39;12**;cold;e\n"
                              "30-39;12**;flu;d\n");
    pv_i_free(text);
    pv_release_result_free(result);
}

static void suppressed_rows_may_be_left_out(void **state)
{
    fixture *const f = *state;
    pv_release_result *result = NULL;
    f->options.asked.drop_suppressed = true;
    assert_int_equal(release(f, &result), PV_STATUS_OK);
    assert_int_equal(pv_release_n_rows(result), 6);
    assert_int_equal(pv_release_n_suppressed(result), 1);
    assert_int_equal(pv_release_n_left_out(result), 1);
    assert_int_equal(pv_release_audit(result)->rows, 5);
    assert_int_equal(pv_release_audit(result)->suppressed, 0);
    assert_int_equal(pv_release_k(result), 2);
    assert_string_equal(pv_release_verdict(result), "accepted");
    char *const text = scratch_text(pv_release_path(result, PV_FILE_TABLE));
    char *const codebook = scratch_text(pv_release_path(result, PV_FILE_CODEBOOK));
    char *const certificate = scratch_text(pv_release_path(result, PV_FILE_CERTIFICATE));
    assert_null(strstr(text, "gout"));
    assert_null(strstr(text, "*;*"));
    assert_null(strstr(codebook, ",*,"));
    assert_null(strstr(certificate, "left_out")); /* the file does not tell how many */
    assert_non_null(strstr(certificate, "\"drops_suppressed\": true"));
    size_t n_measures = 0;
    const double *const measures = pv_release_measures(result, &n_measures);
    for (size_t i = 0; i < n_measures; i++) {
        const pv_measure *const measure = pv_measure_at(i);
        const pv_measure_ref ref = {.measure = measure, .parameter = measure->parameter_default};
        const pv_audit_value *const found = pv_audit_find(pv_release_audit(result), ref);
        if (found != NULL && found->available && measure->family != PV_FAMILY_LOSS) {
            assert_true(found->value == measures[i]);
        }
    }
    pv_i_free(text);
    pv_i_free(codebook);
    pv_i_free(certificate);
    pv_release_result_free(result);
}

static void certificate_names_no_original_value(void **state)
{
    static const char *const secrets[] = {"annixa", "1234", "1299", ">67<", "gout", ">flu<"};
    fixture *const f = *state;
    pv_release_result *result = NULL;
    assert_int_equal(release(f, &result), PV_STATUS_OK);
    char *const json = scratch_text(pv_release_path(result, PV_FILE_CERTIFICATE));
    char *const page = scratch_text(pv_release_path(result, PV_FILE_CERTIFICATE_PAGE));
    for (size_t i = 0; i < sizeof secrets / sizeof *secrets; i++) {
        assert_null(strstr(json, secrets[i]));
        assert_null(strstr(page, secrets[i]));
    }
    pv_i_free(json);
    pv_i_free(page);
    pv_release_result_free(result);
}

static void certificate_carries_the_fingerprint_of_the_file(void **state)
{
    fixture *const f = *state;
    pv_release_result *result = NULL;
    assert_int_equal(release(f, &result), PV_STATUS_OK);
    char *const table = scratch_text(pv_release_path(result, PV_FILE_TABLE));
    char *const json = scratch_text(pv_release_path(result, PV_FILE_CERTIFICATE));
    unsigned char digest[PV_SHA256_SIZE];
    char hex[2 * PV_SHA256_SIZE + 1];
    pv_sha256 sha;
    pv_i_sha256_init(&sha);
    pv_i_sha256_add(&sha, table, strlen(table));
    pv_i_sha256_end(&sha, digest);
    pv_i_hex(digest, sizeof digest, hex);
    assert_non_null(strstr(json, hex));
    pv_i_free(table);
    pv_i_free(json);
    pv_release_result_free(result);
}

static void unmet_demands_leave_nothing(void **state)
{
    fixture *const f = *state;
    pv_release_result *result = NULL;
    pv_constraint demands[PV_MAX_CONSTRAINTS];
    assert_int_equal(pv_constraints_parse("k=3,l-distinct=2", demands,
                                          &f->options.asked.n_constraints, &f->error),
                     PV_STATUS_OK);
    f->options.asked.constraints = demands;
    assert_int_equal(release(f, &result), PV_STATUS_UNSATISFIED);
    assert_non_null(strstr(f->error.message, "k >= 3"));
    assert_null(strstr(f->error.message, "l-distinct"));
    assert_null(result);
    assert_int_equal(scratch_folder_files(&f->folder), 0);
}

static void met_demands_are_certified(void **state)
{
    fixture *const f = *state;
    pv_release_result *result = NULL;
    pv_constraint demands[PV_MAX_CONSTRAINTS];
    assert_int_equal(pv_constraints_parse("k=2,l-recursive(4)=2", demands,
                                          &f->options.asked.n_constraints, &f->error),
                     PV_STATUS_OK);
    f->options.asked.constraints = demands;
    assert_int_equal(release(f, &result), PV_STATUS_OK);
    pv_release_result_free(result);
}

static void an_unreachable_target_is_refused(void **state)
{
    fixture *const f = *state;
    pv_release_result *result = NULL;
    pv_constraint demands[PV_MAX_CONSTRAINTS];
    assert_int_equal(
        pv_constraints_parse("k=3", demands, &f->options.asked.n_constraints, &f->error),
        PV_STATUS_OK);
    f->options.asked.constraints = demands; /* fay and the two thirties are 3 rows, 2 may go */
    f->options.suppression.whole_budget = false;
    assert_int_equal(release(f, &result), PV_STATUS_UNSATISFIED);
    assert_non_null(strstr(f->error.message, "3 rows"));
    assert_int_equal(scratch_folder_files(&f->folder), 0);
}

static void what_exists_is_kept_without_force(void **state)
{
    fixture *const f = *state;
    pv_release_result *result = NULL;
    FILE *const other = fopen(f->options.output, "w");
    (void)fputs("mine", other);
    (void)fclose(other);
    assert_int_equal(release(f, &result), PV_STATUS_EXISTS);
    assert_string_equal(f->error.file, f->options.output);
    assert_int_equal(scratch_folder_files(&f->folder), 1);
    f->options.asked.force = true;
    for (int again = 0; again < 2; again++) {
        assert_int_equal(release(f, &result), PV_STATUS_OK);
        assert_int_equal(scratch_folder_files(&f->folder), 2);
        pv_release_result_free(result);
    }
}

/* The papers are found by the table's hash, and say of every file whether it is what it was. */
static void papers_belong_to_their_table(void **state)
{
    fixture *const f = *state;
    pv_release_result *result = NULL;
    pv_papers *papers = NULL;
    assert_int_equal(release(f, &result), PV_STATUS_OK);
    assert_int_equal(
        pv_papers_check(pv_release_path(result, PV_FILE_TABLE), NULL, &papers, &f->error),
        PV_STATUS_OK);
    assert_string_equal(pv_papers_folder(papers), pv_release_path(result, PV_FILE_PAPERS));
    assert_int_equal(pv_papers_n_files(papers), 7);
    assert_int_equal(pv_papers_table(papers), PV_PAPER_INTACT);
    for (size_t i = 0; i < pv_papers_n_files(papers); i++) {
        assert_int_equal(pv_papers_state(papers, i), PV_PAPER_INTACT);
    }
    char *const scheme = pv_papers_path(papers, pv_papers_find(papers, ".scheme.json"));
    assert_string_equal(scheme, pv_release_path(result, PV_FILE_SCHEME));
    pv_string_free(scheme);
    pv_papers_free(papers);
    assert_int_equal(unlink(pv_release_path(result, PV_FILE_CERTIFICATE_PAGE)), 0);
    FILE *const changed = fopen(pv_release_path(result, PV_FILE_SCHEME), "a");
    (void)fputs(" ", changed);
    (void)fclose(changed);
    assert_int_equal(
        pv_papers_check(pv_release_path(result, PV_FILE_TABLE), NULL, &papers, &f->error),
        PV_STATUS_OK);
    size_t n_changed = 0;
    size_t n_missing = 0;
    for (size_t i = 0; i < pv_papers_n_files(papers); i++) {
        n_changed += pv_papers_state(papers, i) == PV_PAPER_CHANGED;
        n_missing += pv_papers_state(papers, i) == PV_PAPER_MISSING;
    }
    assert_int_equal(n_changed, 1);
    assert_int_equal(n_missing, 1);
    pv_papers_free(papers);
    FILE *const table = fopen(pv_release_path(result, PV_FILE_TABLE), "a");
    (void)fputs(" ", table);
    (void)fclose(table);
    assert_int_equal(
        pv_papers_check(pv_release_path(result, PV_FILE_TABLE), NULL, &papers, &f->error),
        PV_STATUS_OK);
    assert_null(pv_papers_folder(papers));
    pv_papers_free(papers);
    assert_int_equal(pv_papers_check(pv_release_path(result, PV_FILE_TABLE),
                                     pv_release_path(result, PV_FILE_PAPERS), &papers, &f->error),
                     PV_STATUS_OK);
    assert_int_equal(pv_papers_table(papers), PV_PAPER_CHANGED);
    pv_papers_free(papers);
    pv_release_result_free(result);
}

static void hashed_identifiers_are_keyed_and_missing_ones_stay_missing(void **state)
{
    fixture *const f = *state;
    pv_release_result *result = NULL;
    f->options.asked.hash_identifiers = true;
    f->options.asked.key = "short";
    f->options.asked.key_size = 5;
    assert_int_equal(release(f, &result), PV_STATUS_ARGUMENT);
    f->options.asked.key = "abcdefgabcdefgabcdefg"; /* long, but typed: 7 different bytes */
    f->options.asked.key_size = 21;
    assert_int_equal(release(f, &result), PV_STATUS_ARGUMENT);
    assert_non_null(strstr(f->error.message, "21 bytes, 7 of them different"));
    f->options.asked.key = "a key of sixteen bytes";
    f->options.asked.key_size = 22;
    assert_int_equal(release(f, &result), PV_STATUS_OK);
    unsigned char digest[PV_SHA256_SIZE];
    char hex[33];
    pv_i_hmac_sha256(f->options.asked.key, f->options.asked.key_size, "person\0annixa", 13, digest);
    pv_i_hex(digest, 16, hex);
    char *const text = scratch_text(pv_release_path(result, PV_FILE_TABLE));
    assert_null(strstr(text, "annixa"));
    assert_non_null(strstr(text, hex));
    assert_non_null(strstr(text, "\n;30-39"));
    pv_i_free(text);
    pv_release_result_free(result);
}

static int compare_lines(const void *a, const void *b)
{
    return strcmp(*(char *const *)a, *(char *const *)b);
}

static void sort_lines(char *text, char **lines, size_t n)
{
    char *rest = text;
    for (size_t i = 0; i < n; i++) {
        lines[i] = strsep(&rest, "\n");
    }
    qsort(lines + 1, n - 1, sizeof *lines, compare_lines);
}

static void shuffling_keeps_the_rows_and_the_seed_decides(void **state)
{
    fixture *const f = *state;
    char *texts[4];
    for (size_t i = 0; i < 4; i++) {
        pv_release_result *result = NULL;
        f->options.asked.force = true;
        f->options.asked.order = i > 0 ? PV_ORDER_SHUFFLED : PV_ORDER_SORTED;
        f->options.asked.seed = i == 3 ? 8 : 7;
        assert_int_equal(release(f, &result), PV_STATUS_OK);
        texts[i] = scratch_text(pv_release_path(result, PV_FILE_TABLE));
        pv_release_result_free(result);
    }
    assert_string_not_equal(texts[0], texts[1]);
    assert_string_equal(texts[1], texts[2]);
    assert_string_not_equal(texts[1], texts[3]);
    char *plain[7];
    char *shuffled[7];
    sort_lines(texts[0], plain, 7);
    sort_lines(texts[1], shuffled, 7);
    for (size_t i = 0; i < 7; i++) {
        assert_string_equal(plain[i], shuffled[i]);
    }
    for (size_t i = 0; i < 4; i++) {
        pv_i_free(texts[i]);
    }
}

static void compressed_releases_verify(void **state)
{
    static const char *const endings[] = {".gz", ".zst"};
    fixture *const f = *state;
    for (size_t i = 0; i < 2; i++) {
        char path[160];
        pv_release_result *result = NULL;
        (void)snprintf(path, sizeof path, "%s%s", f->folder.file, endings[i]);
        f->options.output = path;
        f->options.asked.force = true;
        const pv_status status = release(f, &result);
        if (status == PV_STATUS_UNSUPPORTED) {
            continue;
        }
        assert_int_equal(status, PV_STATUS_OK);
        assert_int_equal(pv_release_audit(result)->k, 2);
        assert_non_null(strstr(pv_release_path(result, PV_FILE_SCHEME), "/out.scheme.json"));
        pv_release_result_free(result);
    }
}

static bool stop(void *ctx, const pv_progress *progress)
{
    return strcmp(progress->phase, ctx) != 0;
}

static void stopping_leaves_nothing(void **state)
{
    static const char *const phases[] = {"measuring", "writing", "checking"};
    fixture *const f = *state;
    for (size_t i = 0; i < 3; i++) {
        pv_release_result *result = NULL;
        char phase[16];
        (void)strcpy(phase, phases[i]);
        const pv_context context = {.progress = stop, .progress_ctx = phase};
        assert_int_equal(
            pv_i_release_write(&f->scheme, f->profile, &f->options, &context, &result, &f->error),
            PV_STATUS_CANCELLED);
        assert_int_equal(scratch_folder_files(&f->folder), 0);
    }
}

/* The scheme file treats new rows alike, demands again what was demanded, and knows what was
 * promised. */
static void a_scheme_file_applies_to_new_rows(void **state)
{
    static const char new_rows[] = "person;age;zip;ill;note\n"
                                   "x;22;1211;flu;\ny;29;1299;flu;\nz;33;1200;flu;\n";
    fixture *const f = *state;
    pv_release_result *result = NULL;
    pv_plan *plan = NULL;
    pv_table *table = NULL;
    pv_study *study = NULL;
    pv_profile *profile = NULL;
    pv_scheme scheme;
    assert_int_equal(release(f, &result), PV_STATUS_OK);
    assert_int_equal(pv_plan_read(pv_release_path(result, PV_FILE_SCHEME), &plan, &f->error),
                     PV_STATUS_OK);
    assert_int_equal(
        pv_table_read_memory("new.csv", new_rows, strlen(new_rows), NULL, NULL, &table, &f->error),
        PV_STATUS_OK);
    assert_int_equal(pv_study_bind(plan, table, &study, &f->error), PV_STATUS_OK);
    assert_int_equal(pv_profile_create(study, NULL, &profile, &f->error), PV_STATUS_OK);
    assert_int_equal(pv_i_scheme_init(&scheme, study, &f->error), PV_STATUS_OK);
    assert_int_equal(pv_i_scheme_take_plan(&scheme, study, &f->error), PV_STATUS_OK);
    assert_int_equal(scheme.levels[0], 1);
    assert_int_equal(scheme.levels[1], 2);
    assert_int_equal(plan->suppression.rows, 2);
    const pv_constraint promise = {.ref = {.measure = pv_measure_find("k")}, .bound = 2};
    const pv_constraint broken = {.ref = {.measure = pv_measure_find("l-distinct")}, .bound = 2};
    const pv_constraint promises[] = {promise, broken};
    pv_release_result_free(result);
    result = NULL;
    f->options = (pv_release_settings){
        .output = f->folder.file,
        .asked.force = true,
        .asked.applying = true,
        .suppression = {.whole_budget = true, .budget = pv_study_budget(study)},
        .promises = promises,
        .n_promises = 2};
    assert_int_equal(pv_i_release_write(&scheme, profile, &f->options, NULL, &result, &f->error),
                     PV_STATUS_UNSATISFIED);
    assert_non_null(
        strstr(f->error.message, "promised l-distinct >= 2, but with these rows it is 1"));
    assert_null(strstr(f->error.message, "promised k"));
    f->options.asked.allow_weaker = true;
    assert_int_equal(pv_i_release_write(&scheme, profile, &f->options, NULL, &result, &f->error),
                     PV_STATUS_OK);
    double value = 0;
    assert_int_equal(pv_release_n_promises(result), 2);
    assert_true(pv_release_promise_holds(result, 0, &value));
    assert_true(value == 2);
    assert_false(pv_release_promise_holds(result, 1, &value));
    assert_true(value == 1);
    char *const text = scratch_text(pv_release_path(result, PV_FILE_TABLE));
    assert_string_equal(text, "age;zip;ill;note\n*;*;flu;\n20-29;12**;flu;\n20-29;12**;flu;\n");
    pv_i_free(text);
    pv_release_result_free(result);
    pv_i_scheme_deinit(&scheme);
    pv_profile_free(profile);
    pv_study_free(study);
    pv_plan_free(plan);
}

#define RELEASE(test) cmocka_unit_test_setup_teardown(test, set_up, tear_down)

int main(void)
{
    const struct CMUnitTest tests[] = {
        RELEASE(suppressed_rows_may_be_left_out),
        RELEASE(rows_are_recoded_and_identifiers_dropped),
        RELEASE(certificate_names_no_original_value),
        RELEASE(certificate_carries_the_fingerprint_of_the_file),
        RELEASE(unmet_demands_leave_nothing),
        RELEASE(met_demands_are_certified),
        RELEASE(an_unreachable_target_is_refused),
        RELEASE(what_exists_is_kept_without_force),
        RELEASE(papers_belong_to_their_table),
        RELEASE(hashed_identifiers_are_keyed_and_missing_ones_stay_missing),
        RELEASE(shuffling_keeps_the_rows_and_the_seed_decides),
        RELEASE(compressed_releases_verify),
        RELEASE(stopping_leaves_nothing),
        RELEASE(a_scheme_file_applies_to_new_rows),
    };
    return cmocka_run_group_tests_name("write", tests, NULL, NULL);
}
