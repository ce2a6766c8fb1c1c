/* What databases behind ODBC do differently: one line for each that is known.
 *
 * Tried here: SQLite and PostgreSQL. The others are written after their manuals: reading needs
 * little more than how names are quoted and how a value becomes a text. Statements for releases are
 * plain SQL: texts are loaded as often as their row counts. Where renaming a table is no such
 * statement, or a table cannot be dropped that may not be there, no release is written. */
#ifdef PV_HAVE_ODBC
#include "engine/odbc.h"

#include <string.h>
#include <strings.h>

/* `begin`, `commit` and `rollback` are no statements: odbc.c asks the driver for them. */
#define TRANSACTIONS .begin = "BEGIN", .commit = "COMMIT", .rollback = "ROLLBACK"
#define PLAIN \
    .staging = "CREATE TABLE ", .staging_end = "", .create_end = "", .drop = "DROP TABLE %s"
#define DROPS_IF_THERE                                               \
    .staging = "CREATE TABLE ", .staging_end = "", .create_end = "", \
    .drop = "DROP TABLE IF EXISTS %s"
#define CASTS(integer, decimal, date) \
    .casts = {"%s", "CAST(%s AS " integer ")", "CAST(%s AS " decimal ")", "CAST(%s AS " date ")"}

static const pv_odbc_dialect dialects[] = {
    {.dbms = "SQLite",
     .guards = "PRAGMA query_only = ON",
     .is_open = true,
     /* A column may hold values of several types, and compare them as it was told to. It has no
      * type for dates. */
     .sql = {.quote = '"',
             .text = "CAST(%s AS TEXT)",
             .key = "CAST(%s AS TEXT) COLLATE BINARY",
             .types = {"TEXT", "INTEGER", "NUMERIC", "TEXT"},
             .casts = {"%s", "CAST(%s AS INTEGER)", "CAST(%s AS NUMERIC)", "%s"},
             TRANSACTIONS,
             .staging = "CREATE TEMP TABLE ",
             .staging_end = "",
             .create_end = "",
             /* A list with as many items as the row counts. */
             .repeat = "%s s, json_each('[' || substr(replace(hex(zeroblob(CAST(s.n AS INTEGER))), "
                       "'00', ',0'), 2) || ']')",
             .repeat_most = 4096, /* SQLite has it in memory, and no text of a billion bytes */
             .rename = "ALTER TABLE %s RENAME TO %s",
             .drop = "DROP TABLE IF EXISTS %s"}},
    {.dbms = "PostgreSQL",
     .guards = "SET SESSION CHARACTERISTICS AS TRANSACTION READ ONLY",
     .sql = {.quote = '"',
             .text = "CAST(%s AS TEXT)",
             .unfolded = "CAST(%s AS TEXT) COLLATE \"C\"",
             .types = {"TEXT", "BIGINT", "NUMERIC", "DATE"},
             CASTS("BIGINT", "NUMERIC", "DATE"),
             TRANSACTIONS,
             .staging = "CREATE TEMP TABLE ",
             .staging_end = "",
             .create_end = "",
             .repeat = "%s s, pg_catalog.generate_series(CAST(1 AS BIGINT), CAST(s.n AS BIGINT))",
             .rename = "ALTER TABLE %s RENAME TO %s",
             .drop = "DROP TABLE IF EXISTS %s"}},
    {.dbms = "Microsoft SQL Server",
     .sql = {.quote = '"',
             .text = "CAST(%s AS NVARCHAR(4000))",
             .key = "CAST(%s AS NVARCHAR(4000)) COLLATE Latin1_General_100_BIN2",
             .types = {"NVARCHAR(4000)", "BIGINT", "DECIMAL(38, 10)", "DATE"},
             CASTS("BIGINT", "DECIMAL(38, 10)", "DATE"),
             TRANSACTIONS,
             DROPS_IF_THERE}},
    {.dbms = "Oracle",
     .begins = "ALTER SESSION SET NLS_DATE_FORMAT = 'YYYY-MM-DD' NLS_NUMERIC_CHARACTERS = '.,'",
     .sql = {.quote = '"',
             .text = "TO_CHAR(%s)",
             .types = {"VARCHAR2(4000)", "NUMBER(19)", "NUMBER", "DATE"},
             .casts = {"%s", "CAST(%s AS NUMBER(19))", "CAST(%s AS NUMBER)",
                       "TO_DATE(%s, 'YYYY-MM-DD')"},
             PLAIN}},
    {.dbms = "MySQL",
     .guards = "SET SESSION TRANSACTION READ ONLY",
     .sql = {.quote = '`',
             .text = "CAST(%s AS CHAR)",
             .key = "CAST(%s AS CHAR CHARACTER SET utf8mb4) COLLATE utf8mb4_bin",
             .types = {"TEXT", "BIGINT", "DECIMAL(38, 10)", "DATE"},
             CASTS("SIGNED", "DECIMAL(38, 10)", "DATE"),
             .rename = "ALTER TABLE %s RENAME TO %s",
             DROPS_IF_THERE}},
    {.dbms = "MariaDB",
     .guards = "SET SESSION TRANSACTION READ ONLY",
     .sql = {.quote = '`',
             .text = "CAST(%s AS CHAR)",
             .key = "CAST(%s AS CHAR CHARACTER SET utf8mb4) COLLATE utf8mb4_nopad_bin",
             .types = {"TEXT", "BIGINT", "DECIMAL(38, 10)", "DATE"},
             CASTS("SIGNED", "DECIMAL(38, 10)", "DATE"),
             .rename = "ALTER TABLE %s RENAME TO %s",
             DROPS_IF_THERE}},
    {.dbms = "Spark",
     .sql = {.quote = '`',
             .text = "CAST(%s AS STRING)",
             .types = {"STRING", "BIGINT", "DECIMAL(38, 10)", "DATE"},
             CASTS("BIGINT", "DECIMAL(38, 10)", "DATE"),
             .rename = "ALTER TABLE %s RENAME TO %s",
             DROPS_IF_THERE}},
    {.dbms = "Trino",
     .sql = {.quote = '"',
             .text = "CAST(%s AS VARCHAR)",
             .types = {"VARCHAR", "BIGINT", "DECIMAL(38, 10)", "DATE"},
             CASTS("BIGINT", "DECIMAL(38, 10)", "DATE"),
             .rename = "ALTER TABLE %s RENAME TO %s",
             DROPS_IF_THERE}},
    {.dbms = "Snowflake",
     .sql = {.quote = '"',
             .text = "CAST(%s AS VARCHAR)",
             .types = {"VARCHAR", "BIGINT", "DECIMAL(38, 10)", "DATE"},
             CASTS("BIGINT", "DECIMAL(38, 10)", "DATE"),
             .rename = "ALTER TABLE %s RENAME TO %s",
             DROPS_IF_THERE}},
    /* The least that all know: SQL-92. What it cannot do says the database. */
    {.sql = {.quote = '"',
             .text = "CAST(%s AS VARCHAR(4000))",
             .types = {"VARCHAR(4000)", "NUMERIC(19)", "NUMERIC(38, 10)", "DATE"},
             CASTS("NUMERIC(19)", "NUMERIC(38, 10)", "DATE"),
             PLAIN}},
};

const pv_odbc_dialect *pv_i_odbc_dialect(const char *dbms)
{
    size_t i = 0;
    while (dialects[i].dbms != NULL &&
           strncasecmp(dbms, dialects[i].dbms, strlen(dialects[i].dbms)) != 0) {
        i++;
    }
    return &dialects[i];
}

bool pv_i_odbc_fits(const char *type)
{
    static const char *const unfit[] = {"blob",     "bytea", "binary", "varbinary", "image",
                                        "raw",      "array", "map",    "struct",    "row(",
                                        "json",     "xml",   "object", "variant",   "long raw",
                                        "geometry", "_" /* arrays of PostgreSQL */};
    for (size_t i = 0; i < sizeof unfit / sizeof *unfit; i++) {
        if (strncasecmp(type, unfit[i], strlen(unfit[i])) == 0) {
            return false;
        }
    }
    return true;
}

/* ----------------------------------------------------------------------- texts */

static void put_unit(pv_buffer *to, uint32_t unit)
{
    const SQLWCHAR wide = (SQLWCHAR)unit;
    pv_i_buffer_bytes(to, &wide, sizeof wide);
}

/* The character that begins at text[*at], behind which *at is then; '?' for bytes that are none. */
static uint32_t next_character(const unsigned char *text, size_t size, size_t *at)
{
    static const uint32_t least[] = {0, 0x80, 0x800, 0x10000};
    const unsigned first = text[(*at)++];
    const size_t more = first < 0x80   ? 0
                        : first < 0xC2 ? 4
                        : first < 0xE0 ? 1
                        : first < 0xF0 ? 2
                        : first < 0xF5 ? 3
                                       : 4;
    if (more == 4 || *at + more > size) {
        return '?';
    }
    uint32_t c = more == 0 ? first : first & (0x3Fu >> more);
    for (size_t i = 0; i < more; i++) {
        if ((text[*at + i] & 0xC0) != 0x80) {
            return '?';
        }
        c = c << 6 | (text[*at + i] & 0x3F);
    }
    *at += more;
    return c < least[more] || c > 0x10FFFF || (c >= 0xD800 && c < 0xE000) ? '?' : c;
}

void pv_i_odbc_to_utf16(pv_buffer *to, const char *text, size_t size)
{
    for (size_t at = 0; at < size;) {
        const uint32_t c = next_character((const unsigned char *)text, size, &at);
        if (c >= 0x10000) {
            put_unit(to, 0xD800 + ((c - 0x10000) >> 10));
            put_unit(to, 0xDC00 + ((c - 0x10000) & 0x3FF));
        } else {
            put_unit(to, c);
        }
    }
}

bool pv_i_odbc_to_utf8(pv_buffer *to, const SQLWCHAR *text, size_t size)
{
    for (size_t i = 0; i < size; i++) {
        uint32_t c = text[i];
        if (c >= 0xD800 && c < 0xE000) {
            const uint32_t low = i + 1 < size ? text[i + 1] : 0;
            if (c >= 0xDC00 || low < 0xDC00 || low >= 0xE000) {
                return false;
            }
            c = 0x10000 + ((c - 0xD800) << 10) + (low - 0xDC00);
            i++;
        }
        if (c < 0x80) {
            pv_i_buffer_char(to, (char)c);
            continue;
        }
        const unsigned more = c < 0x800 ? 1 : c < 0x10000 ? 2 : 3;
        static const unsigned char begin[] = {0, 0xC0, 0xE0, 0xF0};
        pv_i_buffer_char(to, (char)(begin[more] | c >> (6 * more)));
        for (unsigned k = more; k-- > 0;) {
            pv_i_buffer_char(to, (char)(0x80 | (c >> (6 * k) & 0x3F)));
        }
    }
    return true;
}
#endif
