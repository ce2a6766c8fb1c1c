/* Files, standard input and compressed data: whole, in several frames, truncated, damaged. */
#include "support/files.h"
#include "support/study.h"

#include "base/buffer.h"
#include "base/file.h"
#include "base/memory.h"
#include "table/source.h"

#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

/* The bytes of `text` compressed as the ending of `name` says. */
static char *compressed(const char *name, const char *text, size_t length, size_t *size)
{
    const scratch_folder folder = scratch_folder_create(name);
    char *data = NULL;
    written_file(folder.file, text, length);
    assert_int_equal(pv_i_file_read(folder.file, 1 << 26, &data, size, NULL), PV_STATUS_OK);
    scratch_folder_remove(&folder);
    return data;
}

static pv_buffer long_text(void)
{
    pv_buffer text = {0};
    pv_i_buffer_text(&text, "a,b\n");
    for (unsigned i = 0; i < 12000; i++) {
        pv_i_buffer_format(&text, "%u,%u\n", i, i * 2654435761u);
    }
    return text;
}

static void check_long(const pv_table *table)
{
    assert_int_equal(pv_table_rows(table), 12000);
    assert_string_equal(table_cell(table, 11999, 0), "11999");
}

/* What this build can read and write; the first is plain. */
static const char *const endings[] = {
    "t.csv",
#ifdef PV_HAVE_ZLIB
    "t.csv.gz",
#endif
#ifdef PV_HAVE_ZSTD
    "t.csv.zst",
#endif
};
#define N_ENDINGS (sizeof endings / sizeof *endings)

static void every_kind_of_file(void **state)
{
    pv_buffer text = long_text();
    (void)state;
    for (size_t i = 0; i < N_ENDINGS; i++) {
        const scratch_folder folder = scratch_folder_create(endings[i]);
        pv_table *table = NULL;
        written_file(folder.file, text.data, text.size);
        assert_int_equal(pv_table_read(folder.file, NULL, NULL, &table, NULL), PV_STATUS_OK);
        check_long(table);
        assert_string_equal(pv_table_source(table), folder.file);
        pv_table_free(table);
        scratch_folder_remove(&folder);
    }
    pv_i_buffer_deinit(&text);
}

static pv_status read_bytes(const void *data, size_t size, pv_table **table, pv_error *error)
{
    return pv_table_read_memory("memory", data, size, NULL, NULL, table, error);
}

/* gzip and zstd files may be several compressed pieces one after another. */
static void several_frames(void **state)
{
    (void)state;
    for (size_t i = 1; i < N_ENDINGS; i++) {
        size_t first_size;
        size_t second_size;
        pv_table *table = NULL;
        pv_buffer both = {0};
        char *const first = compressed(endings[i], "a,b\n1,", 6, &first_size);
        char *const second = compressed(endings[i], "2\n3,4\n", 6, &second_size);
        pv_i_buffer_bytes(&both, first, first_size);
        pv_i_buffer_bytes(&both, second, second_size);
        assert_int_equal(read_bytes(both.data, both.size, &table, NULL), PV_STATUS_OK);
        assert_int_equal(pv_table_rows(table), 2);
        assert_string_equal(table_cell(table, 0, 1), "2");
        pv_table_free(table);
        pv_i_buffer_deinit(&both);
        pv_i_free(first);
        pv_i_free(second);
    }
}

/* However much is missing, the file is refused; nothing is read as if it were all. */
static void truncated_at_every_byte(void **state)
{
    (void)state;
    for (size_t i = 1; i < N_ENDINGS; i++) {
        size_t size;
        static const char text[] = "a,b\n1,2\n3,4\n5,6\n7,8\n9,10\n11,12\n";
        char *const data = compressed(endings[i], text, sizeof text - 1, &size);
        for (size_t kept = 4; kept < size; kept++) {
            pv_table *table = NULL;
            pv_error error = {0};
            char *const part = malloc(kept);
            memcpy(part, data, kept);
            assert_int_equal(read_bytes(part, kept, &table, &error), PV_STATUS_INPUT);
            assert_string_equal(error.file, "memory");
            free(part);
        }
        pv_i_free(data);
    }
}

static void truncated_far_behind(void **state)
{
    pv_buffer text = long_text();
    (void)state;
    for (size_t i = 1; i < N_ENDINGS; i++) {
        size_t size;
        char *const data = compressed(endings[i], text.data, text.size, &size);
        pv_table *table = NULL;
        pv_error error = {0};
        assert_int_equal(read_bytes(data, size - 8000, &table, &error), PV_STATUS_INPUT);
        assert_non_null(strstr(error.message, "truncated"));
        assert_int_equal(read_bytes(data, size, &table, &error), PV_STATUS_OK);
        check_long(table);
        pv_table_free(table);
        pv_i_free(data);
    }
    pv_i_buffer_deinit(&text);
}

#ifdef PV_HAVE_ZLIB
/* A flipped bit is found by the checksum of gzip, or makes the data invalid. */
static void damaged_gzip(void **state)
{
    pv_buffer text = long_text();
    size_t size;
    char *const data = compressed("t.csv.gz", text.data, text.size, &size);
    (void)state;
    for (size_t at = 20; at < size; at += size / 10) {
        pv_table *table = NULL;
        pv_error error = {0};
        data[at] = (char)(data[at] ^ 16);
        assert_int_equal(read_bytes(data, size, &table, &error), PV_STATUS_INPUT);
        data[at] = (char)(data[at] ^ 16);
    }
    pv_i_free(data);
    pv_i_buffer_deinit(&text);
}

#endif

static void standard_input(void **state)
{
    int ends[2];
    pv_table *table = NULL;
    (void)state;
    const int kept = dup(STDIN_FILENO);
    assert_int_equal(pipe(ends), 0);
    assert_int_equal(write(ends[1], "a,b\n1,2\n", 8), 8);
    (void)close(ends[1]);
    assert_int_equal(dup2(ends[0], STDIN_FILENO), STDIN_FILENO);
    (void)close(ends[0]);
    assert_int_equal(pv_table_read("-", NULL, NULL, &table, NULL), PV_STATUS_OK);
    assert_string_equal(pv_table_source(table), "-");
    pv_table_free(table);
    assert_int_equal(dup2(kept, STDIN_FILENO), STDIN_FILENO);
    (void)close(kept);
}

static void what_is_no_file(void **state)
{
    pv_table *table = NULL;
    pv_error error = {0};
    (void)state;
    assert_int_equal(pv_table_read("/nowhere/t.csv", NULL, NULL, &table, &error), PV_STATUS_INPUT);
    assert_string_equal(error.file, "/nowhere/t.csv");
    assert_int_equal(pv_table_read("/tmp", NULL, NULL, &table, &error), PV_STATUS_INPUT);
    assert_non_null(strstr(error.message, "folder"));
    assert_null(table);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_kind_of_file),
        cmocka_unit_test(several_frames),
        cmocka_unit_test(truncated_at_every_byte),
        cmocka_unit_test(truncated_far_behind),
#ifdef PV_HAVE_ZLIB
        cmocka_unit_test(damaged_gzip),
#endif
        cmocka_unit_test(standard_input),
        cmocka_unit_test(what_is_no_file),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
