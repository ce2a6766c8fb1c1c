/* One file: plain, compressed, and what goes wrong. */
#include "support/files.h"

#include "base/memory.h"
#include "base/outputs.h"

#include <sys/stat.h>
#ifdef PV_HAVE_ZLIB
#include <zlib.h>
#endif
#ifdef PV_HAVE_ZSTD
#include <zstd.h>
#endif

static scratch_folder folder;
static char path[128];

static int make_folder(void **state)
{
    (void)state;
    folder = scratch_folder_create("");
    return 0;
}

static int remove_folder(void **state)
{
    (void)state;
    scratch_folder_remove(&folder);
    return 0;
}

static const char *in_folder(const char *name)
{
    (void)snprintf(path, sizeof path, "%s/%s", folder.path, name);
    return path;
}

static void write_pattern(const char *file, size_t lines)
{
    pv_output *output = NULL;
    assert_int_equal(pv_i_output_create(file, file, &output, NULL), PV_STATUS_OK);
    for (size_t i = 0; i < lines; i++) {
        char line[32];
        const int n = snprintf(line, sizeof line, "line %zu\n", i * i);
        assert_int_equal(pv_i_output_write(output, line, (size_t)n, NULL), PV_STATUS_OK);
    }
    assert_int_equal(pv_i_output_finish(output, NULL), PV_STATUS_OK);
    pv_i_output_free(output);
}

static void assert_pattern(const char *text, size_t size, size_t lines)
{
    size_t at = 0;
    for (size_t i = 0; i < lines; i++) {
        char line[32];
        const size_t n = (size_t)snprintf(line, sizeof line, "line %zu\n", i * i);
        assert_true(at + n <= size);
        assert_memory_equal(text + at, line, n);
        at += n;
    }
    assert_int_equal(at, size);
}

#define LINES 60000
#define ROOM ((size_t)4 << 20)

static void plain_files_hold_what_was_written(void **state)
{
    (void)state;
    char *data = NULL;
    size_t size = 0;
    write_pattern(in_folder("plain.csv"), LINES);
    assert_int_equal(pv_i_file_read(path, ROOM, &data, &size, NULL), PV_STATUS_OK);
    assert_pattern(data, size, LINES);
    pv_i_free(data);
}

static void gzip_files_hold_what_was_written(void **state)
{
    (void)state;
#ifdef PV_HAVE_ZLIB
    char *const text = malloc(ROOM);
    write_pattern(in_folder("packed.csv.gz"), LINES);
    gzFile file = gzopen(path, "rb");
    const int got = gzread(file, text, (unsigned)ROOM);
    assert_true(got > 0);
    assert_pattern(text, (size_t)got, LINES);
    assert_int_equal(gzclose(file), Z_OK);
    free(text);
#else
    skip();
#endif
}

static void zstd_files_hold_what_was_written(void **state)
{
    (void)state;
#ifdef PV_HAVE_ZSTD
    char *const text = malloc(ROOM);
    char *data = NULL;
    size_t size = 0;
    write_pattern(in_folder("packed.csv.zst"), LINES);
    assert_int_equal(pv_i_file_read(path, ROOM, &data, &size, NULL), PV_STATUS_OK);
    /* A streamed frame does not carry its size: decompress as a stream. */
    ZSTD_DCtx *const context = ZSTD_createDCtx();
    ZSTD_inBuffer in = {.src = data, .size = size, .pos = 0};
    ZSTD_outBuffer out = {.dst = text, .size = ROOM, .pos = 0};
    while (in.pos < in.size) {
        assert_false(ZSTD_isError(ZSTD_decompressStream(context, &out, &in)));
    }
    assert_pattern(text, out.pos, LINES);
    (void)ZSTD_freeDCtx(context);
    pv_i_free(data);
    free(text);
#else
    skip();
#endif
}

/* Of the bytes that stand in the file, whatever became of those that were written. */
static void the_hash_is_that_of_the_file(void **state)
{
    static const char *const names[] = {"h.csv", "h.csv.gz", "h.csv.zst"};
    char block[3000];
    (void)state;
    memset(block, 'x', sizeof block);
    for (size_t i = 0; i < 3; i++) {
        pv_output *output = NULL;
        char expected[PV_SHA256_HEX];
        if (pv_i_output_create(in_folder(names[i]), path, &output, NULL) != PV_STATUS_OK) {
            continue; /* this build cannot compress */
        }
        for (size_t n = 0; n < 100; n++) {
            assert_int_equal(pv_i_output_write(output, block, 30 * n, NULL), PV_STATUS_OK);
        }
        assert_int_equal(pv_i_output_finish(output, NULL), PV_STATUS_OK);
        assert_int_equal(pv_i_file_hash(path, expected, NULL), PV_STATUS_OK);
        assert_string_equal(pv_i_output_hash(output), expected);
        pv_i_output_free(output);
    }
}

/* Large enough to be brought to disk by a thread, too. */
static void a_file_is_hashed_behind_its_writer(void **state)
{
    enum { BLOCKS = 300 };
    static char block[40000];
    char expected[PV_SHA256_HEX];
    pv_output *output = NULL;
    (void)state;
    assert_int_equal(pv_i_output_create(in_folder("behind.csv"), path, &output, NULL),
                     PV_STATUS_OK);
    pv_i_output_hash_behind(output);
    for (size_t i = 0; i < BLOCKS; i++) {
        memset(block, 'a' + (int)(i % 26), sizeof block);
        assert_int_equal(pv_i_output_write(output, block, sizeof block - i, NULL), PV_STATUS_OK);
    }
    assert_int_equal(pv_i_output_finish(output, NULL), PV_STATUS_OK);
    assert_int_equal(pv_i_output_finish(output, NULL), PV_STATUS_OK);
    assert_int_equal(pv_i_file_hash(path, expected, NULL), PV_STATUS_OK);
    assert_string_equal(pv_i_output_hash(output), expected);
    assert_int_equal(pv_i_output_settle(output, NULL), PV_STATUS_OK);
    pv_i_output_free(output);
}

/* Nobody waits for ever when writing is given up. */
static void a_file_given_up_lets_its_threads_go(void **state)
{
    pv_output *output = NULL;
    (void)state;
    assert_int_equal(pv_i_output_create(in_folder("given-up.csv"), path, &output, NULL),
                     PV_STATUS_OK);
    pv_i_output_hash_behind(output);
    assert_int_equal(pv_i_output_write(output, "x", 1, NULL), PV_STATUS_OK);
    pv_i_output_free(output);
}

static void a_missing_folder_is_an_error(void **state)
{
    (void)state;
    pv_error error;
    pv_output *output = NULL;
    assert_int_equal(pv_i_output_create(in_folder("no/such/file"), path, &output, &error),
                     PV_STATUS_IO);
    assert_string_equal(error.file, path);
    assert_null(output);
}

static void unreadable_inputs_are_told_apart(void **state)
{
    (void)state;
    pv_error error;
    char *data = NULL;
    size_t size = 0;
    assert_int_equal(pv_i_file_read(in_folder("none"), 10, &data, &size, &error), PV_STATUS_INPUT);
    assert_non_null(strstr(error.message, "cannot open"));
    assert_int_equal(pv_i_file_read(folder.path, 10, &data, &size, &error), PV_STATUS_INPUT);
    assert_non_null(strstr(error.message, "folder"));
    assert_int_equal(
        pv_text_write(in_folder("big"), "more than ten bytes", PV_AUDIENCE_PUBLIC, false, &error),
        PV_STATUS_OK);
    assert_int_equal(pv_i_file_read(path, 10, &data, &size, &error), PV_STATUS_INPUT);
    assert_non_null(strstr(error.message, "larger"));
    assert_null(data);
}

static void paths_are_resolved_beside_a_file(void **state)
{
    (void)state;
    static const struct {
        const char *beside, *given, *expected;
    } cases[] = {{"a/plan.yaml", "x.csv", "a/x.csv"},
                 {"plan.yaml", "x.csv", "x.csv"},
                 {"a/plan.yaml", "/x.csv", "/x.csv"},
                 {"a/plan.yaml", "-", "-"},
                 {NULL, "x.csv", "x.csv"},
                 {"/plan.yaml", "../x", "/../x"}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        char *const resolved = pv_i_path_beside(cases[i].beside, cases[i].given);
        assert_string_equal(resolved, cases[i].expected);
        pv_i_free(resolved);
    }
}

#define IN_FOLDER(test) cmocka_unit_test_setup_teardown(test, make_folder, remove_folder)

int main(void)
{
    const struct CMUnitTest tests[] = {
        IN_FOLDER(plain_files_hold_what_was_written),
        IN_FOLDER(gzip_files_hold_what_was_written),
        IN_FOLDER(zstd_files_hold_what_was_written),
        IN_FOLDER(the_hash_is_that_of_the_file),
        IN_FOLDER(a_file_is_hashed_behind_its_writer),
        IN_FOLDER(a_file_given_up_lets_its_threads_go),
        IN_FOLDER(a_missing_folder_is_an_error),
        IN_FOLDER(unreadable_inputs_are_told_apart),
        cmocka_unit_test(paths_are_resolved_beside_a_file),
    };
    return cmocka_run_group_tests_name("output", tests, NULL, NULL);
}
