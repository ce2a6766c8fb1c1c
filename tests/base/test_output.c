/* Files that are either complete or not there. */
#include "support/scratch_folder.h"

#include "base/memory.h"
#include "base/output.h"

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

static void assert_holds(const char *file, const char *expected)
{
    char *data = NULL;
    size_t size = 0;
    assert_int_equal(pv_i_file_read(file, 1 << 20, &data, &size, NULL), PV_STATUS_OK);
    assert_int_equal(size, strlen(expected));
    assert_string_equal(data, expected);
    pv_i_free(data);
}

static void nothing_remains_of_an_abandoned_file(void **state)
{
    (void)state;
    pv_output *output = NULL;
    assert_int_equal(pv_i_output_open(in_folder("a"), false, &output, NULL), PV_STATUS_OK);
    assert_int_equal(pv_i_output_write(output, "x", 1, NULL), PV_STATUS_OK);
    assert_int_equal(scratch_folder_files(&folder), 1);
    pv_i_output_free(output);
    assert_int_equal(scratch_folder_files(&folder), 0);
    pv_i_output_free(NULL);
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
        char hex[PV_SHA256_HEX];
        char expected[PV_SHA256_HEX];
        char *data = NULL;
        size_t size = 0;
        pv_sha256 sha;
        if (pv_i_output_open(in_folder(names[i]), false, &output, NULL) != PV_STATUS_OK) {
            continue; /* this build cannot compress */
        }
        for (size_t n = 0; n < 100; n++) {
            assert_int_equal(pv_i_output_write(output, block, 30 * n, NULL), PV_STATUS_OK);
        }
        assert_int_equal(pv_i_output_finish(output, NULL), PV_STATUS_OK);
        pv_i_output_hash(output, hex);
        assert_int_equal(pv_i_file_read(pv_i_output_temporary(output), 1 << 20, &data, &size, NULL),
                         PV_STATUS_OK);
        pv_i_sha256_init(&sha);
        pv_i_sha256_add(&sha, data, size);
        pv_i_sha256_end_hex(&sha, expected);
        assert_string_equal(hex, expected);
        pv_i_free(data);
        pv_i_output_free(output);
    }
}

static void a_committed_file_is_whole_and_alone(void **state)
{
    (void)state;
    pv_error error;
    assert_int_equal(pv_i_output_text(in_folder("b"), false, "hello\n", &error), PV_STATUS_OK);
    assert_holds(path, "hello\n");
    assert_int_equal(scratch_folder_files(&folder), 1);
    assert_int_equal(pv_i_output_text(path, false, "again", &error), PV_STATUS_EXISTS);
    assert_holds(path, "hello\n");
    assert_int_equal(pv_i_output_text(path, true, "again", &error), PV_STATUS_OK);
    assert_holds(path, "again");
    assert_int_equal(scratch_folder_files(&folder), 1);
    struct stat info;
    assert_int_equal(stat(path, &info), 0);
    const mode_t mask = umask(0);
    (void)umask(mask);
    assert_int_equal(info.st_mode & 0777, 0666 & ~mask);
}

static void someone_elses_file_is_never_replaced(void **state)
{
    (void)state;
    pv_output *output = NULL;
    assert_int_equal(pv_i_output_open(in_folder("c"), false, &output, NULL), PV_STATUS_OK);
    assert_int_equal(pv_i_output_finish(output, NULL), PV_STATUS_OK);
    FILE *const other = fopen(path, "w"); /* made while we were writing */
    assert_non_null(other);
    (void)fputs("theirs", other);
    (void)fclose(other);
    assert_int_equal(pv_i_output_commit(output, NULL), PV_STATUS_EXISTS);
    pv_i_output_free(output);
    assert_holds(path, "theirs");
    assert_int_equal(scratch_folder_files(&folder), 1);
}

static void a_retracted_file_is_gone(void **state)
{
    (void)state;
    pv_output *output = NULL;
    assert_int_equal(pv_i_output_open(in_folder("d"), false, &output, NULL), PV_STATUS_OK);
    assert_int_equal(pv_i_output_finish(output, NULL), PV_STATUS_OK);
    assert_int_equal(pv_i_output_commit(output, NULL), PV_STATUS_OK);
    pv_i_output_retract(output);
    pv_i_output_free(output);
    assert_int_equal(scratch_folder_files(&folder), 0);
}

static void write_pattern(const char *file, size_t lines)
{
    pv_output *output = NULL;
    assert_int_equal(pv_i_output_open(file, false, &output, NULL), PV_STATUS_OK);
    for (size_t i = 0; i < lines; i++) {
        char line[32];
        const int n = snprintf(line, sizeof line, "line %zu\n", i * i);
        assert_int_equal(pv_i_output_write(output, line, (size_t)n, NULL), PV_STATUS_OK);
    }
    assert_int_equal(pv_i_output_finish(output, NULL), PV_STATUS_OK);
    assert_int_equal(pv_i_output_commit(output, NULL), PV_STATUS_OK);
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

static void a_missing_folder_is_an_error(void **state)
{
    (void)state;
    pv_error error;
    pv_output *output = NULL;
    assert_int_equal(pv_i_output_open(in_folder("no/such/file"), false, &output, &error),
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
    assert_int_equal(pv_i_output_text(in_folder("big"), false, "more than ten bytes", &error),
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
        IN_FOLDER(nothing_remains_of_an_abandoned_file),
        IN_FOLDER(the_hash_is_that_of_the_file),
        IN_FOLDER(a_committed_file_is_whole_and_alone),
        IN_FOLDER(someone_elses_file_is_never_replaced),
        IN_FOLDER(a_retracted_file_is_gone),
        IN_FOLDER(plain_files_hold_what_was_written),
        IN_FOLDER(gzip_files_hold_what_was_written),
        IN_FOLDER(zstd_files_hold_what_was_written),
        IN_FOLDER(a_missing_folder_is_an_error),
        IN_FOLDER(unreadable_inputs_are_told_apart),
        cmocka_unit_test(paths_are_resolved_beside_a_file),
    };
    return cmocka_run_group_tests_name("output", tests, NULL, NULL);
}
