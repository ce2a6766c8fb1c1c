/* Files as tables: what DuckDB is told of them, so that it reads what stands there. */
#include "engine/duckdb.h"

#include "base/buffer.h"
#include "base/error.h"
#include "base/memory.h"

#include <string.h>
#include <strings.h>
#include <sys/stat.h>

static bool ends(const char *text, const char *ending)
{
    const size_t n = strlen(text);
    const size_t m = strlen(ending);
    return n >= m && strcasecmp(text + n - m, ending) == 0;
}

static bool is_json(const char *file)
{
    return ends(file, ".json") || ends(file, ".jsonl") || ends(file, ".ndjson") ||
           ends(file, ".json.gz") || ends(file, ".jsonl.gz");
}

bool pv_i_duckdb_is_parquet(const char *file)
{
    return ends(file, ".parquet") || ends(file, ".pq") || ends(file, "/");
}

/* A folder stands for all Parquet files in it. A file whose name looks like a pattern is a file. */
static void put_pattern(pv_buffer *pattern, const char *file)
{
    struct stat info;
    if (stat(file, &info) != 0) {
        pv_i_buffer_text(pattern, file);
        return;
    }
    for (const char *at = file; *at != '\0'; at++) {
        if (strchr("*?[", *at) != NULL) {
            pv_i_buffer_format(pattern, "[%c]", *at);
        } else {
            pv_i_buffer_char(pattern, *at);
        }
    }
    if (S_ISDIR(info.st_mode)) {
        pv_i_buffer_text(pattern, ends(file, "/") ? "**/*.parquet" : "/**/*.parquet");
    }
}

typedef struct {
    const pv_sql *sql;
    pv_buffer list;
} json_columns;

/* Texts and numbers as they are written; what is no single value keeps its type, and is refused if
 * somebody asks for it. */
static pv_status hear_json_column(void *ctx, const pv_cell *cells, pv_error *error)
{
    json_columns *const j = ctx;
    char *const name = pv_i_strndup(cells[0].text, cells[0].size);
    char *const type = pv_i_strndup(cells[1].text, cells[1].size);
    const bool is_single = type != NULL && pv_i_duckdb_fits(type);
    if (name != NULL) {
        pv_i_buffer_text(&j->list, j->list.size > 0 ? ", " : "");
        pv_i_buffer_text(&j->list, is_single ? "json_extract_string(" : "");
        pv_i_sql_name(&j->list, j->sql, name);
        pv_i_buffer_text(&j->list, is_single ? ", '$') AS " : " AS ");
        pv_i_sql_name(&j->list, j->sql, name);
    }
    const bool failed = name == NULL || type == NULL || j->list.failed;
    pv_i_free(name);
    pv_i_free(type);
    return failed ? pv_i_no_memory(error) : PV_STATUS_OK;
}

/* DuckDB would make numbers and dates of texts, and lose how they are written. So it only says
 * which columns there are and which of them have parts; all files are looked at, for a column may
 * be first seen anywhere. */
static pv_status put_json(pv_duckdb *c, const pv_sql *sql, const char *pattern, pv_buffer *select,
                          pv_error *error)
{
    json_columns j = {.sql = sql};
    pv_buffer typed = {0};
    pv_buffer columns = {0};
    pv_buffer literal = {0};
    pv_i_sql_literal(&literal, j.sql, pattern);
    const char *const quoted = literal.failed ? "" : literal.data;
    pv_i_buffer_format(&typed, "SELECT * FROM read_json(%s, sample_size=-1)", quoted);
    pv_i_sql_fill(&columns, PV_DUCKDB_COLUMNS, typed.failed ? "" : typed.data, "");
    pv_status status =
        literal.failed || columns.failed || typed.failed
            ? pv_i_no_memory(error)
            : pv_i_duckdb_execute(c, columns.data, "reading", 2, hear_json_column, &j, error);
    if (status == PV_STATUS_OK) {
        pv_i_buffer_text(select, "SELECT ");
        pv_i_buffer_bytes(select, j.list.data, j.list.size);
        pv_i_buffer_format(select, " FROM read_json(%s, sample_size=-1, maximum_depth=1)", quoted);
    }
    pv_i_buffer_deinit(&literal);
    pv_i_buffer_deinit(&typed);
    pv_i_buffer_deinit(&columns);
    pv_i_buffer_deinit(&j.list);
    return status;
}

/* Only what stands between the cells is guessed. Otherwise DuckDB may take lines that begin alike
 * for comments and lines that are longer than others for a preface, and leave both out; and where
 * the first lines have no quotes, it takes those of later ones for letters. */
#define CSV_AS_IT_IS                                                                 \
    ", all_varchar=true, header=true, comment='', skip=0, quote='\"', escape='\"', " \
    "hive_types_autocast=false)"

pv_status pv_i_duckdb_view(pv_duckdb *c, const pv_place *place, pv_error *error)
{
    const pv_sql *const sql = place->engine->sql;
    const char *const file = place->file;
    pv_buffer pattern = {0};
    pv_buffer view = {0};
    pv_status status = PV_STATUS_OK;
    put_pattern(&pattern, file);
    pv_i_buffer_text(&view, "CREATE OR REPLACE TEMP VIEW ");
    pv_i_sql_name(&view, sql, file);
    pv_i_buffer_text(&view, " AS ");
    if (pattern.failed) {
        PV_TRY_CLEAN(pv_i_no_memory(error));
    }
    if (is_json(file)) {
        PV_TRY_CLEAN(put_json(c, sql, pattern.data, &view, error));
    } else {
        /* Columns that folders are named after, year=2024/month=05, are the texts that stand there.
         */
        pv_i_buffer_text(&view, pv_i_duckdb_is_parquet(file) ? "SELECT * FROM read_parquet("
                                                             : "SELECT * FROM read_csv(");
        pv_i_sql_literal(&view, sql, pattern.data);
        pv_i_buffer_text(&view, pv_i_duckdb_is_parquet(file) ? ", hive_types_autocast=false)"
                                                             : CSV_AS_IT_IS);
    }
    PV_TRY_CLEAN(view.failed ? pv_i_no_memory(error)
                             : pv_i_duckdb_execute(c, view.data, "reading", 0, NULL, NULL, error));
cleanup:
    pv_i_buffer_deinit(&pattern);
    pv_i_buffer_deinit(&view);
    return status;
}
