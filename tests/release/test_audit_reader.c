/* The checker's reader: the language of delimited text, compression, and what it refuses. */
#include "support/audit_support.h"

#include "base/buffer.h"
#include "release/audit_reader.h"

/* The records of a text as `field|field\n...`, with | and line ends inside fields shown as is. */
static char *read_back(const audit_file *file, char delimiter)
{
    pv_audit_reader reader;
    pv_error error = {0};
    pv_buffer shown = {0};
    assert_int_equal(pv_i_audit_reader_open(file->path, &(pv_audit_options){.delimiter = delimiter},
                                            &reader, &error),
                     PV_STATUS_OK);
    const pv_audit_record *record = &reader.header;
    for (bool more = true; more; record = &reader.record) {
        for (size_t i = 0; i < record->n_fields; i++) {
            size_t size;
            const char *const field = pv_i_audit_field(record, i, &size);
            pv_i_buffer_char(&shown, '<');
            pv_i_buffer_bytes(&shown, field, size);
            pv_i_buffer_char(&shown, '>');
        }
        pv_i_buffer_format(&shown, "%llu ", (unsigned long long)record->line);
        assert_int_equal(pv_i_audit_reader_next(&reader, &more), PV_STATUS_OK);
    }
    pv_i_audit_reader_deinit(&reader);
    char *text = NULL;
    assert_int_equal(pv_i_buffer_take(&shown, &text, NULL), PV_STATUS_OK);
    return text;
}

static void expect(const char *text, const char *expected)
{
    const audit_file file = audit_file_text(text);
    char *const shown = read_back(&file, '\0');
    assert_string_equal(shown, expected);
    pv_string_free(shown);
    audit_file_remove(&file);
}

/* Fields in <>, then the line of the record. */
static const struct {
    const char *text, *expected;
} cases[] = {
    {"a,b\n1,2\n", "<a><b>1 <1><2>2 "},
    {"a,b\n1,2", "<a><b>1 <1><2>2 "},
    {"a,b\r\n1,2\r\n3,4", "<a><b>1 <1><2>2 <3><4>3 "},
    {"\xef\xbb\xbf"
     "a,b\n1,2\n",
     "<a><b>1 <1><2>2 "},
    {"\n\na,b\n\n\r\n1,2\n\n", "<a><b>3 <1><2>6 "},
    {"a,b\n,\n", "<a><b>1 <><>2 "},
    {"a\n\"\"\n1\n", "<a>1 <>2 <1>3 "},
    {"a,b\n\"x,y\",\"say \"\"hi\"\"\"\n", "<a><b>1 <x,y><say \"hi\">2 "},
    {"a,b\n\"two\nlines\",1\n2,3\n", "<a><b>1 <two\nlines><1>2 <2><3>4 "},
    {"a,b\n\"two\r\nlines\",1\r\n2,3\r\n", "<a><b>1 <two\r\nlines><1>2 <2><3>4 "},
    {"a,b\nx\"y\",\"x\"y\n", "<a><b>1 <x\"y\"><xy>2 "},
    {"a,b\n1\r2,3\r", "<a><b>1 <1\r2><3>2 "},
    {"a;b,c;d\n1;2;3\n", "<a><b,c><d>1 <1><2><3>2 "},
    {"a\tb\n1,5\t2\n", "<a><b>1 <1,5><2>2 "},
    {"a|b\n1|2\n", "<a><b>1 <1><2>2 "},
    {"\"a;b;c\",d\n1,2\n", "<a;b;c><d>1 <1><2>2 "},
    {"alone\nx\n", "<alone>1 <x>2 "},
    {"\"a\"\n\"x\"", "<a>1 <x>2 "},
};

static void reads_what_people_have(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        expect(cases[i].text, cases[i].expected);
    }
}

static void takes_the_given_delimiter(void **state)
{
    (void)state;
    const audit_file file = audit_file_text("a:b,c,d\n1:2\n");
    char *const shown = read_back(&file, ':');
    assert_string_equal(shown, "<a><b,c,d>1 <1><2>2 ");
    pv_string_free(shown);
    audit_file_remove(&file);
}

static void keeps_zero_bytes(void **state)
{
    (void)state;
    static const char text[] = "a,b\n1\0x,2\n";
    const audit_file file = audit_file_bytes(".csv", text, sizeof text - 1);
    pv_audit_reader reader;
    bool more = false;
    size_t size = 0;
    assert_int_equal(pv_i_audit_reader_open(file.path, &(pv_audit_options){0}, &reader, NULL),
                     PV_STATUS_OK);
    assert_int_equal(pv_i_audit_reader_next(&reader, &more), PV_STATUS_OK);
    assert_memory_equal(pv_i_audit_field(&reader.record, 0, &size), "1\0x", 3);
    assert_int_equal(size, 3);
    pv_i_audit_reader_deinit(&reader);
    audit_file_remove(&file);
}

/* A file of several blocks: CRLF and quotes fall on borders, one field is longer than a block. */
static char *make_long(size_t *size)
{
    pv_buffer text = {0};
    pv_i_buffer_text(&text, "number,text\r\n");
    for (size_t i = 0; i < 60000; i++) {
        pv_i_buffer_format(&text, "%zu,\"a \"\"%zu\"\"\"\r\n", i, i % 7);
    }
    pv_i_buffer_text(&text, "60000,\"");
    for (size_t i = 0; i < 400000; i++) {
        pv_i_buffer_char(&text, "ab\n\""[i % 4]);
        pv_i_buffer_text(&text, i % 4 == 3 ? "\"" : "");
    }
    pv_i_buffer_text(&text, "\"\r\n");
    *size = text.size;
    char *taken = NULL;
    assert_int_equal(pv_i_buffer_take(&text, &taken, NULL), PV_STATUS_OK);
    return taken;
}

static void check_long_record(const pv_audit_record *record, size_t i)
{
    char expected[16];
    size_t size = 0;
    const char *const number = pv_i_audit_field(record, 0, &size);
    const int length = snprintf(expected, sizeof expected, "%zu", i);
    assert_int_equal(size, length);
    assert_memory_equal(number, expected, size);
    const char *const text = pv_i_audit_field(record, 1, &size);
    if (i < 60000) {
        assert_int_equal(size, 5);
        assert_int_equal(text[3], '0' + (int)(i % 7));
    } else {
        assert_int_equal(size, 400000);
        assert_memory_equal(text + 399996, "ab\n\"", 4);
    }
}

static void check_long_file(const audit_file *file)
{
    pv_audit_reader reader;
    bool more = true;
    size_t n = 0;
    assert_int_equal(pv_i_audit_reader_open(file->path, &(pv_audit_options){0}, &reader, NULL),
                     PV_STATUS_OK);
    for (;; n++) {
        assert_int_equal(pv_i_audit_reader_next(&reader, &more), PV_STATUS_OK);
        if (!more) {
            break;
        }
        check_long_record(&reader.record, n);
    }
    assert_int_equal(n, 60001);
    assert_int_equal(reader.line, 1 + 60001 + 100000 + 1);
    pv_i_audit_reader_deinit(&reader);
}

static void reads_long_files_plain_and_compressed(void **state)
{
    (void)state;
    static const char *const suffixes[] = {
        ".csv",
#ifdef PV_HAVE_ZLIB
        ".csv.gz",
#endif
#ifdef PV_HAVE_ZSTD
        ".csv.zst",
#endif
    };
    size_t size = 0;
    char *const text = make_long(&size);
    for (size_t i = 0; i < sizeof suffixes / sizeof *suffixes; i++) {
        const audit_file file = audit_file_bytes(suffixes[i], text, size);
        check_long_file(&file);
        audit_file_remove(&file);
    }
    pv_string_free(text);
}

#if defined(PV_HAVE_ZLIB) && defined(PV_HAVE_ZSTD)
static const char *const compressed_suffixes[] = {".csv.gz", ".csv.zst"};

static void append_file(const audit_file *to, const audit_file *from)
{
    FILE *const in = fopen(from->path, "rb");
    FILE *const out = fopen(to->path, "ab");
    assert_non_null(in);
    assert_non_null(out);
    for (int byte = fgetc(in); byte != EOF; byte = fgetc(in)) {
        (void)fputc(byte, out);
    }
    (void)fclose(in);
    (void)fclose(out);
}

static void reads_joined_streams(void **state)
{
    (void)state;
    for (size_t i = 0; i < 2; i++) {
        const audit_file first = audit_file_bytes(compressed_suffixes[i], "a,b\n1,2\n3", 9);
        const audit_file second = audit_file_bytes(compressed_suffixes[i], ",4\n", 3);
        append_file(&first, &second);
        char *const shown = read_back(&first, '\0');
        assert_string_equal(shown, "<a><b>1 <1><2>2 <3><4>3 ");
        pv_string_free(shown);
        audit_file_remove(&first);
        audit_file_remove(&second);
    }
}

static pv_status read_all(const audit_file *file, pv_error *error)
{
    pv_audit_reader reader;
    pv_status status = pv_i_audit_reader_open(file->path, &(pv_audit_options){0}, &reader, error);
    if (status != PV_STATUS_OK) {
        return status;
    }
    for (bool more = true; more && status == PV_STATUS_OK;) {
        status = pv_i_audit_reader_next(&reader, &more);
    }
    pv_i_audit_reader_deinit(&reader);
    return status;
}

/* Cut anywhere after its first bytes, a compressed file is refused, never half read. */
static void refuses_what_was_cut_off(void **state)
{
    (void)state;
    for (size_t i = 0; i < 2; i++) {
        audit_file file = audit_file_bytes(compressed_suffixes[i], "a,b\n1,2\n3,4\n", 12);
        FILE *const in = fopen(file.path, "rb");
        assert_non_null(in);
        (void)fseek(in, 0, SEEK_END);
        const long size = ftell(in);
        (void)fclose(in);
        for (long cut = size - 1; cut >= 5; cut--) {
            pv_error error = {0};
            assert_int_equal(truncate(file.path, cut), 0);
            assert_int_equal(read_all(&file, &error), PV_STATUS_INPUT);
            assert_non_null(strstr(error.message, "cut off"));
            assert_string_equal(error.file, file.path);
        }
        audit_file_remove(&file);
    }
}

static void refuses_what_is_damaged(void **state)
{
    (void)state;
    for (size_t i = 0; i < 2; i++) {
        const audit_file file = audit_file_bytes(compressed_suffixes[i], "a,b\n1,2\n", 8);
        pv_error error = {0};
        FILE *const out = fopen(file.path, "ab");
        assert_non_null(out);
        (void)fputs("this is no compressed data", out);
        (void)fclose(out);
        assert_int_equal(read_all(&file, &error), PV_STATUS_INPUT);
        assert_non_null(strstr(error.message, "damaged"));
        audit_file_remove(&file);
    }
}
#endif

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(reads_what_people_have),
        cmocka_unit_test(takes_the_given_delimiter),
        cmocka_unit_test(keeps_zero_bytes),
        cmocka_unit_test(reads_long_files_plain_and_compressed),
#if defined(PV_HAVE_ZLIB) && defined(PV_HAVE_ZSTD)
        cmocka_unit_test(reads_joined_streams),
        cmocka_unit_test(refuses_what_was_cut_off),
        cmocka_unit_test(refuses_what_is_damaged),
#endif
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
