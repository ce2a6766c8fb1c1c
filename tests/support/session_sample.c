/* A small table, sessions over it, and their files. */
#include "support/session_sample.h"

#include "base/buffer.h"
#include "base/memory.h"
#include "base/rng.h"

#include <unistd.h>

const char *const session_towns[SESSION_TOWNS] = {"Quillebeuf", "Ostrzeszow", "Vlkovany",
                                                  "Xertigny", "Zwettlern"};

const char session_plan[] =
    "attributes:\n"
    "  age: {role: quasi}\n"
    "  town: {role: quasi, weight: 2, hierarchy: {rows: [[Quillebeuf, Westwaldien], [Ostrzeszow, "
    "Westwaldien], [Vlkovany, Ostwaldien], [Xertigny, Ostwaldien], [Zwettlern, Ostwaldien]]}}\n"
    "  year: {role: quasi, granularity: 2}\n";

char *session_csv(const char *heading, size_t n_rows, size_t towns_move)
{
    size_t *const towns = calloc(n_rows, sizeof *towns);
    pv_buffer csv = {0};
    pv_rng rng;
    assert_non_null(towns);
    pv_i_rng_init(&rng, 11);
    for (size_t row = 0; row < n_rows; row++) {
        towns[(row + towns_move) % n_rows] = (size_t)pv_i_rng_below(&rng, 5);
    }
    pv_i_buffer_format(&csv, "%s\n", heading);
    for (size_t row = 0; row < n_rows; row++) {
        const unsigned age = SESSION_FIRST_AGE + (unsigned)pv_i_rng_below(&rng, SESSION_AGES);
        const unsigned year = 51900 + (unsigned)pv_i_rng_below(&rng, SESSION_YEARS);
        pv_i_buffer_format(&csv, "%u,%s,%u\n", age, session_towns[towns[row]], year);
    }
    free(towns);
    return csv.data;
}

session_sample session_sample_of(const char *plan, char *csv)
{
    session_sample s = {.bound = bound_study_create(plan, csv),
                        .options = {.k = 3, .evaluations = 300, .prove = -1, .free_groups = true}};
    s.profile = bound_profile(s.bound.study, 1);
    pv_i_free(csv);
    return s;
}

session_sample session_sample_create(void)
{
    return session_sample_of(session_plan, session_csv("age,town,year", SESSION_ROWS, 0));
}

void session_sample_free(session_sample *s)
{
    pv_profile_free(s->profile);
    bound_study_free(&s->bound);
}

/* ------------------------------------------------------------------- walks */

pv_preference *session_preference(const session_sample *s)
{
    pv_preference *preference = NULL;
    pv_error error = {0};
    bound_must(pv_preference_create(s->profile, &s->options, &preference, &error), &error);
    return preference;
}

pv_preference *session_keep(const session_sample *s, const char *path)
{
    pv_preference *const preference = session_preference(s);
    pv_error error = {0};
    bound_must(pv_preference_open_session(preference, path, &error), &error);
    return preference;
}

pv_answer *session_aspire(pv_preference *preference, double necd, double nwp)
{
    const pv_context context = {.threads = 1};
    const pv_aspiration wish = {.bias = necd, .loss = nwp};
    pv_answer *answer = NULL;
    pv_error error = {0};
    bound_must(pv_preference_aspire(preference, wish, &context, &answer, &error), &error);
    return answer;
}

void session_wish(pv_preference *preference, double necd, double nwp)
{
    pv_answer_free(session_aspire(preference, necd, nwp));
}

/* ------------------------------------------------------------------- files */

session_folder session_folder_create(void)
{
    const char *const where = access("/dev/shm", W_OK) == 0 ? "/dev/shm" : "/tmp";
    session_folder f;
    (void)snprintf(f.name, sizeof f.name, "%s/test-session-XXXXXX", where);
    assert_non_null(mkdtemp(f.name));
    (void)snprintf(f.path, sizeof f.path, "%s/walk.pvs", f.name);
    return f;
}

void session_remove(const session_folder *f)
{
    char journal[128];
    (void)snprintf(journal, sizeof journal, "%s-journal", f->path);
    (void)unlink(journal);
    (void)unlink(f->path);
}

void session_folder_free(const session_folder *f)
{
    (void)unlink(f->path);
    assert_int_equal(rmdir(f->name), 0);
}

void session_limit_files(rlim_t size)
{
    struct rlimit limit;
    assert_int_equal(getrlimit(RLIMIT_FSIZE, &limit), 0);
    limit.rlim_cur = size < limit.rlim_max ? size : limit.rlim_max;
    assert_int_equal(setrlimit(RLIMIT_FSIZE, &limit), 0);
}

char *session_bytes(const char *path, size_t *size)
{
    FILE *const file = fopen(path, "rb");
    struct stat about;
    assert_non_null(file);
    assert_int_equal(fstat(fileno(file), &about), 0);
    char *const bytes = calloc((size_t)about.st_size + 1, 1);
    assert_non_null(bytes);
    assert_int_equal(fread(bytes, 1, (size_t)about.st_size, file), (size_t)about.st_size);
    assert_int_equal(fclose(file), 0);
    if (size != NULL) {
        *size = (size_t)about.st_size;
    }
    return bytes;
}

void session_write(const char *path, const void *bytes, size_t size)
{
    FILE *const file = fopen(path, "wb");
    assert_non_null(file);
    assert_int_equal(fwrite(bytes, 1, size, file), size);
    assert_int_equal(fclose(file), 0);
}
