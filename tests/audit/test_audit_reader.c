/* The checker's reader: the language of delimited text, compression, and what it refuses. */
#include "support/audit_support.h"

#include "audit/audit_reader.h"
#include "base/buffer.h"

/* Looks at every record of a file, block by block; `look` gets the header first. */
static pv_status read_records(const audit_file *file, char delimiter, size_t block_size,
                              void (*look)(void *ctx, const pv_audit_record *record, uint64_t line),
                              void *ctx, pv_error *error)
{
    pv_audit_reader reader;
    pv_audit_record record;
    pv_audit_block block = {0};
    const pv_audit_limits limits = {.block_size = block_size};
    pv_status status = pv_i_audit_reader_open(
        file->path, &(pv_audit_options){.delimiter = delimiter}, &limits, &reader, error);
    if (status != PV_STATUS_OK) {
        return status;
    }
    look(ctx, &reader.header, reader.header_line);
    assert_int_equal(pv_i_audit_record_init(&record, reader.header.n_fields, NULL), PV_STATUS_OK);
    uint64_t first_line = reader.first_line;
    for (bool more = true; status == PV_STATUS_OK;) {
        status = pv_i_audit_reader_next(&reader, &block, &more, error);
        if (status != PV_STATUS_OK || !more) {
            break;
        }
        pv_audit_raw raw;
        pv_audit_cursor cursor = pv_i_audit_records(&reader, &block);
        while (pv_i_audit_next_record(&cursor, &raw)) {
            assert_int_equal(pv_i_audit_record_split(&record, &raw, reader.delimiter, error),
                             PV_STATUS_OK);
            look(ctx, &record, first_line + raw.line);
        }
        first_line += cursor.line;
    }
    pv_i_audit_record_deinit(&record);
    pv_i_audit_block_deinit(&block);
    pv_i_audit_reader_deinit(&reader);
    return status;
}

static void show(void *ctx, const pv_audit_record *record, uint64_t line)
{
    pv_buffer *const shown = ctx;
    for (size_t i = 0; i < record->n_fields; i++) {
        pv_i_buffer_char(shown, '<');
        pv_i_buffer_bytes(shown, record->fields[i].text, record->fields[i].size);
        pv_i_buffer_char(shown, '>');
    }
    pv_i_buffer_format(shown, "%llu ", (unsigned long long)line);
}

/* The records of a file as <field><field>line, whatever the size of blocks. */
static void expect_file(const audit_file *file, char delimiter, const char *expected)
{
    static const size_t block_sizes[] = {0, 1, 2, 3, 5, 8, 13, 100};
    for (size_t i = 0; i < sizeof block_sizes / sizeof *block_sizes; i++) {
        pv_buffer shown = {0};
        assert_int_equal(read_records(file, delimiter, block_sizes[i], show, &shown, NULL),
                         PV_STATUS_OK);
        assert_string_equal(shown.data, expected);
        pv_i_buffer_deinit(&shown);
    }
}

static void expect(const char *text, const char *expected)
{
    const audit_file file = audit_file_text(text);
    expect_file(&file, '\0', expected);
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
    {"a,b\n\"\"\"\",\"x\"\"\"\n\"\"y,\"\"\"z\"\n", "<a><b>1 <\"><x\">2 <y><\"z>3 "},
    {"a,b\n\"x\"\"y\"z\"w,\"\"\r\n", "<a><b>1 <x\"yz\"w><>2 "},
    {"a,b\n1,2\r\r\n\r\n3,\"4\r\"\r", "<a><b>1 <1><2\r>2 <3><4\r>4 "},
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
    expect_file(&file, ':', "<a><b,c,d>1 <1><2>2 ");
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

static void check_long_record(void *ctx, const pv_audit_record *record, uint64_t line)
{
    size_t *const n = ctx; /* records before this one */
    char expected[16];
    const pv_audit_field number = record->fields[0];
    const pv_audit_field text = record->fields[1];
    assert_int_equal(record->n_fields, 2);
    assert_int_equal(line, *n + 1);
    if (*n > 0) {
        const int length = snprintf(expected, sizeof expected, "%zu", *n - 1);
        assert_int_equal(number.size, length);
        assert_memory_equal(number.text, expected, number.size);
    }
    if (*n > 60000) {
        assert_int_equal(text.size, 400000);
        assert_memory_equal(text.text + 399996, "ab\n\"", 4);
    } else if (*n > 0) {
        assert_int_equal(text.size, 5);
        assert_int_equal(text.text[3], '0' + (int)((*n - 1) % 7));
    }
    ++*n;
}

static void check_long_file(const audit_file *file, size_t block_size)
{
    size_t n = 0;
    assert_int_equal(read_records(file, '\0', block_size, check_long_record, &n, NULL),
                     PV_STATUS_OK);
    assert_int_equal(n, 60002);
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
        check_long_file(&file, 0);
        check_long_file(&file, 1000);
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
        expect_file(&first, '\0', "<a><b>1 <1><2>2 <3><4>3 ");
        audit_file_remove(&first);
        audit_file_remove(&second);
    }
}

static void ignore(void *ctx, const pv_audit_record *record, uint64_t line)
{
    (void)ctx;
    (void)record;
    (void)line;
}

static pv_status read_all(const audit_file *file, pv_error *error)
{
    return read_records(file, '\0', 0, ignore, NULL, error);
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
        cmocka_unit_test(reads_long_files_plain_and_compressed),
#if defined(PV_HAVE_ZLIB) && defined(PV_HAVE_ZSTD)
        cmocka_unit_test(reads_joined_streams),
        cmocka_unit_test(refuses_what_was_cut_off),
        cmocka_unit_test(refuses_what_is_damaged),
#endif
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
