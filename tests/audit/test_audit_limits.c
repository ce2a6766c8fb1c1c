/* Files of strangers: records without end, small files that decompress to large ones, thousands of
 * columns, bytes that are no text. What the checker refuses, the table's reader refuses, too. */
#include "support/audit_support.h"

#include "audit/audit.h"
#include "base/buffer.h"
#include "table/reading.h"
#include "table/source.h"

#include <paravent/table.h>
#include <sys/resource.h>

static const char *const quasi[] = {"a", NULL};
static const pv_audit_options options = {.quasi = quasi};

static pv_error refused(const audit_file *file, size_t record_size, pv_status expected)
{
    static const unsigned thread_counts[] = {1, 2, 7};
    pv_error error = {0};
    for (size_t i = 0; i < sizeof thread_counts / sizeof *thread_counts; i++) {
        pv_audit *audit = NULL;
        const pv_context context = {.threads = thread_counts[i]};
        const pv_audit_limits limits = {.record_size = record_size, .block_size = 100};
        assert_int_equal(pv_i_audit_file(file->path, &options, &limits, &context, &audit, &error),
                         expected);
        assert_null(audit);
        assert_true(error.hint[0] != '\0');
    }
    return error;
}

/* ---- long records ---- */

static void put_bytes(pv_buffer *text, char byte, size_t n)
{
    char *const run = malloc(n);
    memset(run, byte, n);
    pv_i_buffer_bytes(text, run, n);
    free(run);
}

static void bounds_the_length_of_a_record(void **state)
{
    (void)state;
    for (size_t length = 900; length <= 1100; length += 25) {
        pv_buffer text = {0};
        pv_i_buffer_text(&text, "a,b\n1,\"2\n\"\n\n");
        put_bytes(&text, 'x', length - 2);
        pv_i_buffer_text(&text, ",1\n3,4\n");
        const audit_file file = audit_file_bytes(".csv", text.data, text.size);
        if (length > 1000) {
            const pv_error error = refused(&file, 1000, PV_STATUS_LIMIT);
            assert_int_equal(error.line, 5);
            assert_non_null(strstr(error.message, "longer than 1000 bytes"));
            assert_null(strstr(error.message, "xx"));
        } else {
            pv_audit *audit = NULL;
            const pv_audit_limits limits = {.record_size = 1000, .block_size = 100};
            assert_int_equal(pv_i_audit_file(file.path, &options, &limits, NULL, &audit, NULL),
                             PV_STATUS_OK);
            assert_int_equal(audit->rows, 3);
            pv_audit_free(audit);
        }
        pv_i_buffer_deinit(&text);
        audit_file_remove(&file);
    }
}

static void bounds_the_length_of_the_header(void **state)
{
    (void)state;
    pv_buffer text = {0};
    pv_i_buffer_text(&text, "\n\n\"a,b\n");
    put_bytes(&text, '\n', 3000);
    const audit_file file = audit_file_bytes(".csv", text.data, text.size);
    assert_int_equal(refused(&file, 1000, PV_STATUS_LIMIT).line, 3);
    pv_i_buffer_deinit(&text);
    audit_file_remove(&file);
}

static void bounds_the_number_of_columns(void **state)
{
    (void)state;
    pv_buffer text = {0};
    pv_i_buffer_text(&text, "\na");
    put_bytes(&text, ',', PV_AUDIT_COLUMN_LIMIT);
    pv_i_buffer_text(&text, "\n");
    const audit_file file = audit_file_bytes(".csv", text.data, text.size);
    const pv_error error = refused(&file, 0, PV_STATUS_LIMIT);
    assert_int_equal(error.line, 2);
    assert_non_null(strstr(error.message, "columns"));
    pv_i_buffer_deinit(&text);
    audit_file_remove(&file);
}

/* A row of as many delimiters as fit is counted, not kept. */
static void needs_no_memory_for_fields_beyond_the_header(void **state)
{
    (void)state;
    pv_buffer text = {0};
    pv_i_buffer_text(&text, "a,b\n1,2\n");
    put_bytes(&text, ',', 1000000);
    pv_i_buffer_text(&text, "\n1,2\n");
    const audit_file file = audit_file_bytes(".csv", text.data, text.size);
    const pv_error error = refused(&file, 0, PV_STATUS_INPUT);
    assert_int_equal(error.line, 3);
    assert_non_null(strstr(error.message, "1000001 fields"));
    pv_i_buffer_deinit(&text);
    audit_file_remove(&file);
}

static void has_the_limits_of_the_table_reader(void **state)
{
    (void)state;
    assert_int_equal(PV_AUDIT_RECORD_LIMIT, PV_RECORD_LIMIT);
    assert_int_equal(PV_AUDIT_COLUMN_LIMIT, PV_COLUMN_LIMIT);
}

/* Two files that both refuse, on the same line and in the same words. */
static void refuses_what_the_table_reader_refuses(void **state)
{
    (void)state;
    for (size_t i = 0; i < 2; i++) {
        pv_buffer text = {0};
        pv_table *table = NULL;
        pv_error by_table = {0};
        pv_i_buffer_text(&text, i == 0 ? "a,b\n1,2\n" : "\n");
        put_bytes(&text, i == 0 ? 'x' : ',', i == 0 ? 2 * PV_RECORD_LIMIT : PV_COLUMN_LIMIT);
        pv_i_buffer_text(&text, "\n1,2\n");
        const audit_file file = audit_file_bytes(".csv", text.data, text.size);
        const pv_error by_checker = refused(&file, 0, PV_STATUS_LIMIT);
        assert_int_equal(pv_table_read(file.path, NULL, NULL, &table, &by_table), PV_STATUS_LIMIT);
        assert_int_equal(by_checker.line, by_table.line);
        assert_string_equal(by_checker.message, by_table.message);
        pv_i_buffer_deinit(&text);
        audit_file_remove(&file);
    }
}

/* ---- small files that grow ---- */

#if defined(PV_HAVE_ZSTD) && defined(PV_HAVE_ZLIB)
#define FRAME ((size_t)1 << 24)
#define N_FRAMES 192 /* 3 GiB */

/* A header, and one cell of 3 GiB: the same compressed frame again and again. */
static audit_file make_bomb(const char *suffix)
{
    char *const zeros = malloc(FRAME);
    memset(zeros, 'x', FRAME);
    const audit_file bomb = audit_file_bytes(suffix, "a,b\n1,2\n", 8);
    const audit_file part = audit_file_bytes(suffix, zeros, FRAME);
    FILE *const in = fopen(part.path, "rb");
    FILE *const out = fopen(bomb.path, "ab");
    assert_non_null(in);
    assert_non_null(out);
    const size_t size = fread(zeros, 1, FRAME, in);
    for (size_t i = 0; i < N_FRAMES; i++) {
        assert_int_equal(fwrite(zeros, 1, size, out), size);
    }
    (void)fclose(in);
    (void)fclose(out);
    free(zeros);
    audit_file_remove(&part);
    return bomb;
}

static long peak_kilobytes(void)
{
    struct rusage usage;
    (void)getrusage(RUSAGE_SELF, &usage);
    return usage.ru_maxrss;
}

static void stops_decompressing_in_time(void **state)
{
    (void)state;
    static const char *const suffixes[] = {".csv.gz", ".csv.zst"};
    for (size_t i = 0; i < 2; i++) {
        const audit_file bomb = make_bomb(suffixes[i]);
        const long before = peak_kilobytes();
        const pv_error error = refused(&bomb, (size_t)1 << 20, PV_STATUS_LIMIT);
        assert_int_equal(error.line, 3);
        assert_non_null(strstr(error.message, "longer than 1 MiB"));
        assert_true(peak_kilobytes() - before < 64 * 1024);
        audit_file_remove(&bomb);
    }
}
#endif

/* ---- NUL bytes ---- */

#define SAMPLE 65536

typedef struct {
    const char *what;
    const char *start; /* of the text */
    size_t padding;    /* bytes of harmless rows after it */
    const char *end;   /* `@` stands for a NUL byte */
} nul_case;

static const nul_case nul_cases[] = {
    {"in a row", "a,b\n1,2\n", 0, "3,4\n5@,6\n"},
    {"in the header", "a,b@\n1,2\n", 0, ""},
    {"in a quoted field, on its second line", "a,b\n1,2\n", 0, "1,\"x\n@y\"\n1,2\n"},
    {"at the end", "a,b\n1,2\n", 0, "1,2\n@"},
    {"alone on a line", "a,b\n1,2\n", 0, "1,2\n@\n1,2\n"},
    {"after a row with too many fields", "a,b\n1,2\n", 0, "1,2,3\n1,2@\n"},
    {"far down", "a,b\n1,2\n", 3 * SAMPLE, "3,4@\n"},
    {"far down, in a row with too many fields", "a,b\n1,2\n", 3 * SAMPLE, "3,4@,5\n"},
    {"far down, after an unclosed quote", "a,b\n1,2\n", 3 * SAMPLE, "3,\"4\n@\n"},
    {"far down, before an unclosed quote", "a,b\n1,2\n", 3 * SAMPLE, "3@,\"4\n\n"},
    {"far down, after a row with too many fields", "a,b\n1,2\n", 3 * SAMPLE, "1,2,3\n1,2@\n"},
    {"as UTF-16", "a@,@b@\n@1@,@2@\n@", 0, ""},
    {"nowhere", "a,b\n1,2\n", 0, "3,4\n"},
};

static pv_buffer make_nul_text(const nul_case *c)
{
    pv_buffer text = {0};
    pv_i_buffer_text(&text, c->start);
    while (text.size < c->padding) {
        pv_i_buffer_text(&text, "10,20\n");
    }
    pv_i_buffer_text(&text, c->end);
    for (size_t i = 0; i < text.size; i++) {
        text.data[i] = text.data[i] == '@' ? '\0' : text.data[i];
    }
    return text;
}

/* The same verdict, on the same line, in the same words where it is about NUL bytes. */
static void treats_nul_bytes_as_the_table_reader_does(void **state)
{
    (void)state;
    const pv_read_options as_checked = {
        .delimiter = ',', .header = PV_CHOICE_YES, .quoting = PV_CHOICE_YES};
    for (size_t i = 0; i < sizeof nul_cases / sizeof *nul_cases; i++) {
        pv_buffer text = make_nul_text(&nul_cases[i]);
        const audit_file file = audit_file_bytes(".csv", text.data, text.size);
        pv_table *table = NULL;
        pv_audit *audit = NULL;
        pv_error by_table = {0};
        pv_error by_checker = {0};
        const pv_status expected = pv_table_read(file.path, &as_checked, NULL, &table, &by_table);
        const pv_status status =
            pv_audit_file(file.path, &(pv_audit_options){.quasi = quasi, .delimiter = ','}, NULL,
                          &audit, &by_checker);
        if (status != expected || by_checker.line != by_table.line) {
            fail_msg("%s: table %d, line %llu; checker %d, line %llu", nul_cases[i].what,
                     (int)expected, (unsigned long long)by_table.line, (int)status,
                     (unsigned long long)by_checker.line);
        }
        const bool is_nul = strstr(by_table.message, "NUL") != NULL;
        assert_int_equal(is_nul, strstr(by_checker.message, "NUL") != NULL);
        if (is_nul) {
            assert_string_equal(by_checker.message, by_table.message);
            assert_string_equal(by_checker.hint, by_table.hint);
        }
        pv_table_free(table);
        pv_audit_free(audit);
        pv_i_buffer_deinit(&text);
        audit_file_remove(&file);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(bounds_the_length_of_a_record),
        cmocka_unit_test(bounds_the_length_of_the_header),
        cmocka_unit_test(bounds_the_number_of_columns),
        cmocka_unit_test(needs_no_memory_for_fields_beyond_the_header),
        cmocka_unit_test(has_the_limits_of_the_table_reader),
        cmocka_unit_test(refuses_what_the_table_reader_refuses),
#if defined(PV_HAVE_ZSTD) && defined(PV_HAVE_ZLIB)
        cmocka_unit_test(stops_decompressing_in_time),
#endif
        cmocka_unit_test(treats_nul_bytes_as_the_table_reader_does),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
