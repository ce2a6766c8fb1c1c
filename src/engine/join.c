#include "engine/join.h"

#include "base/error.h"
#include "base/memory.h"
#include "engine/lines.h"
#include "engine/read.h"
#include "engine/sql.h"
#include "table/records.h"
#include "table/value.h"

#include <string.h>

/* Keys that are looked at because they are short enough to be missing. */
#define MOST_SHORT 10000

typedef struct {
    const pv_join *join;
    pv_place *places;
    pv_link link;
    pv_wanted *wanted; /* per table */
    size_t n_columns;  /* of all of them */
    pv_buffer *from;   /* per table: what stands after FROM */
    pv_sql_source *sources;
    size_t size;    /* of the longest spelling of a missing key */
    pv_lines lines; /* all columns, then how many rows of each table a key has */
} joining;

static void joining_deinit(joining *j)
{
    const size_t n = j->join->n;
    pv_i_lines_deinit(&j->lines);
    pv_i_link_close(&j->link);
    for (size_t i = 0; i < n; i++) {
        if (j->wanted != NULL) {
            pv_i_wanted_deinit(&j->wanted[i]);
        }
        if (j->from != NULL) {
            pv_i_buffer_deinit(&j->from[i]);
        }
        if (j->places != NULL) {
            pv_i_place_deinit(&j->places[i]);
        }
    }
    pv_i_free(j->sources);
    pv_i_free(j->from);
    pv_i_free(j->wanted);
    pv_i_free(j->places);
}

/* ------------------------------------------------------------------- connecting */

static bool are_places(const pv_join *join)
{
    size_t i = 0;
    while (i < join->n && pv_i_is_place(join->places[i])) {
        i++;
    }
    return i == join->n;
}

/* All tables over one connection: the first one's. */
static pv_status reach(joining *j, const pv_context *context, bool *well, pv_error *error)
{
    const size_t n = j->join->n;
    j->places = PV_NEW_ZEROED(pv_place, n);
    j->wanted = PV_NEW_ZEROED(pv_wanted, n);
    j->from = PV_NEW_ZEROED(pv_buffer, n);
    j->sources = PV_NEW_ZEROED(pv_sql_source, n);
    if (j->places == NULL || j->wanted == NULL || j->from == NULL || j->sources == NULL) {
        return pv_i_no_memory(error);
    }
    *well = false;
    for (size_t i = 0; i < n; i++) {
        pv_place *const place = &j->places[i];
        PV_TRY(pv_i_place_parse(j->join->places[i], place, error));
        if (place->engine != j->places[0].engine || strcmp(place->where, j->places[0].where) != 0 ||
            (place->table == NULL && place->query == NULL && place->file == NULL)) {
            return PV_STATUS_OK;
        }
    }
    PV_TRY(pv_i_link_open(&j->link, &j->places[0], context, error));
    for (size_t i = 1; i < n && j->link.engine->add != NULL; i++) {
        PV_TRY(j->link.engine->add(j->link.connection, &j->places[i], error));
    }
    *well = true;
    return PV_STATUS_OK;
}

static bool has_column(const pv_wanted *wanted, const char *name)
{
    size_t i = 0;
    while (i < wanted->there.n && strcmp(wanted->there.columns[i].name, name) != 0) {
        i++;
    }
    return i < wanted->there.n;
}

/* What of the first table is wanted may depend on what the others have. */
static pv_status choose(joining *j, bool *well, pv_error *error)
{
    for (size_t i = j->join->n; i-- > 0;) {
        const pv_place *const place = &j->places[i];
        pv_wanted *const wanted = &j->wanted[i];
        PV_TRY(pv_i_wanted_choose(wanted, &j->link, place, &j->join->options[i], error));
        pv_i_place_from(place, j->link.sql, &j->from[i]);
        if (j->from[i].failed) {
            return pv_i_no_memory(error);
        }
        *well = *well && has_column(wanted, j->join->key);
        j->n_columns += wanted->n;
        j->sources[i] = (pv_sql_source){
            .from = j->from[i].data, .columns = wanted->names, .n_columns = wanted->n};
    }
    return PV_STATUS_OK;
}

/* ------------------------------------------------------------------------- keys
 *
 * May two different texts among the first table's keys be one value? Blanks around texts do not
 * count. All spellings of "missing" are one key, and so is NULL. Otherwise texts are what they say,
 * unless all of them are numbers or dates: of these, two texts of nothing but digits are different
 * values if no zero leads, and if one does, the column is text. */

/* How a missing key is spelled. */
static const char *const *missing_spellings(const pv_join *join)
{
    const pv_read_options *const options = &join->options[0];
    const char *const *const own =
        options->missing_of != NULL ? options->missing_of(options->missing_ctx, join->key) : NULL;
    const char *const *const spellings = own != NULL ? own : options->missing;
    return spellings != NULL ? spellings : pv_i_default_missing;
}

static size_t longest_missing(const pv_join *join)
{
    size_t longest = 0;
    for (const char *const *spelling = missing_spellings(join); *spelling != NULL; spelling++) {
        const size_t size = strlen(*spelling);
        longest = size > longest ? size : longest;
    }
    return longest;
}

/* What a database says of the keys (pv_i_sql_keys). */
typedef struct {
    bool is_text; /* is some key neither a number nor a date? */
    uint64_t n_null, n_blank, n_signs, n_short;
} key_account;

static pv_status hear_account(void *ctx, const pv_cell *cells, pv_error *error)
{
    key_account *const account = ctx;
    (void)error;
    for (size_t i = 0; i < 2; i++) {
        account->is_text = account->is_text || (cells[i].text != NULL &&
                                                pv_i_value_type(cells[i].text, cells[i].size,
                                                                &(pv_format){0}) == PV_TYPE_TEXT);
    }
    account->n_null = pv_i_cell_number(cells[2]);
    account->n_blank = pv_i_cell_number(cells[3]);
    account->n_signs = pv_i_cell_number(cells[4]);
    account->n_short = pv_i_cell_number(cells[5]);
    return PV_STATUS_OK;
}

typedef struct {
    const char *const *spellings;
    uint64_t n_missing;
} key_search;

static pv_status hear_key(void *ctx, const pv_cell *cells, pv_error *error)
{
    key_search *const search = ctx;
    (void)error;
    for (const char *const *spelling = search->spellings; *spelling != NULL; spelling++) {
        if (cells[0].text != NULL && strlen(*spelling) == cells[0].size &&
            memcmp(*spelling, cells[0].text, cells[0].size) == 0) {
            search->n_missing++;
            break;
        }
    }
    return PV_STATUS_OK;
}

static pv_status fetch(const joining *j, const pv_buffer *sql, size_t n, pv_row_hear hear,
                       void *ctx, pv_error *error)
{
    return sql->failed ? pv_i_no_memory(error)
                       : j->link.engine->fetch(j->link.connection, sql->data, n, hear, ctx, error);
}

static pv_status look_at_keys(const joining *j, bool *well, pv_error *error)
{
    const pv_join *const join = j->join;
    key_account account = {.is_text = join->key_type == PV_TYPE_TEXT};
    key_search search = {.spellings = missing_spellings(join)};
    pv_buffer sql = {0};
    pv_i_sql_keys(&sql, j->link.sql, j->from[0].data, join->key, j->size);
    pv_status status = fetch(j, &sql, 6, hear_account, &account, error);
    *well = (account.is_text || account.n_signs == 0) && account.n_blank == 0 &&
            account.n_null <= 1 && account.n_short <= MOST_SHORT;
    if (status == PV_STATUS_OK && *well && account.n_null + account.n_short > 1) {
        pv_i_buffer_clear(&sql);
        pv_i_sql_short_keys(&sql, j->link.sql, j->from[0].data, join->key, j->size);
        status = fetch(j, &sql, 1, hear_key, &search, error);
        *well = account.n_null + search.n_missing <= 1;
    }
    pv_i_buffer_deinit(&sql);
    return status;
}

/* ------------------------------------------------------------------ taking apart */

/* How many keys have the combination that a line is, and how many rows of a table each of them. */
static uint64_t keys_of(const joining *j, size_t line)
{
    return pv_i_lines_number(&j->lines, line, j->lines.n_columns);
}

static uint64_t rows_of(const joining *j, size_t line, size_t table)
{
    return pv_i_lines_number(&j->lines, line, j->n_columns + table);
}

/* Table by table, as if they were read in their order: keys that come up again are wrong however
 * they are spelled; whether the first table really lacks one, texts do not say. */
static bool judge(const joining *j, pv_joined *joined)
{
    bool well = true;
    for (size_t i = 0; i < j->join->n && well; i++) {
        uint64_t rows = 0;
        uint64_t unknown = 0;
        for (size_t line = 0; line < j->lines.n; line++) {
            const uint64_t keys = keys_of(j, line);
            const uint64_t here = rows_of(j, line, i);
            rows += here * keys;
            unknown += rows_of(j, line, 0) == 0 ? here * keys : 0;
            joined->repeated += here > 1 ? (here - 1) * keys : 0;
        }
        joined->repeated_in = i;
        well = joined->repeated == 0 && unknown == 0 && rows > 0;
    }
    return well;
}

/* The cells of one table from every line in which it has rows. */
static pv_status take_lines(const joining *j, pv_cell *cells, size_t table, pv_lines *own,
                            uint64_t *from, pv_error *error)
{
    size_t first = 0; /* of its cells */
    for (size_t i = 0; i < table; i++) {
        first += j->wanted[i].n;
    }
    for (size_t line = 0; line < j->lines.n; line++) {
        if (rows_of(j, line, table) == 0) {
            continue;
        }
        for (size_t i = 0; i < own->n_columns; i++) {
            cells[i] = pv_i_lines_cell(&j->lines, line, first + i);
        }
        cells[own->n_columns] = pv_i_lines_cell(&j->lines, line, j->lines.n_columns);
        from[own->n] = line; /* the first table is in all of them */
        PV_TRY(pv_i_lines_hear(own, cells, error));
    }
    return PV_STATUS_OK;
}

static pv_status take_apart(const joining *j, pv_cell *cells, const pv_context *context,
                            pv_joined *joined, pv_error *error)
{
    const size_t n = j->join->n;
    pv_lines own = {0};
    pv_status status = PV_STATUS_OK;
    joined->tables = PV_NEW_ZEROED(pv_table *, n);
    joined->from = PV_NEW_ZEROED(uint64_t *, n);
    if (joined->tables == NULL || joined->from == NULL) {
        return pv_i_no_memory(error);
    }
    joined->n = n;
    for (size_t i = 0; i < n; i++) {
        joined->from[i] = PV_NEW_ARRAY(uint64_t, j->lines.n);
        PV_TRY_CLEAN(joined->from[i] != NULL ? PV_STATUS_OK : pv_i_no_memory(error));
        PV_TRY_CLEAN(pv_i_lines_init(&own, j->wanted[i].names, j->wanted[i].n, error));
        PV_TRY_CLEAN(take_lines(j, cells, i, &own, joined->from[i], error));
        PV_TRY_CLEAN(pv_i_lines_table(&own, j->join->places[i], &j->join->options[i], context,
                                      &joined->tables[i], error));
        pv_i_lines_deinit(&own);
    }
cleanup:
    pv_i_lines_deinit(&own);
    return status;
}

void pv_i_joined_deinit(pv_joined *joined)
{
    for (size_t i = 0; i < joined->n; i++) {
        pv_table_free(joined->tables[i]);
        pv_i_free(joined->from[i]);
    }
    pv_i_free(joined->tables);
    pv_i_free(joined->from);
    *joined = (pv_joined){0};
}

/* ----------------------------------------------------------------------- joining */

/* Everything that the database is asked. */
static pv_status ask(joining *j, const pv_context *context, bool *well, pv_error *error)
{
    pv_buffer sql = {0};
    PV_TRY(reach(j, context, well, error));
    if (*well) {
        PV_TRY(choose(j, well, error));
    }
    j->size = longest_missing(j->join);
    if (*well) {
        PV_TRY(look_at_keys(j, well, error));
    }
    if (!*well) {
        return PV_STATUS_OK;
    }
    const size_t n = j->n_columns + j->join->n;
    PV_TRY(pv_i_lines_init(&j->lines, NULL, n, error));
    pv_i_sql_join(&sql, j->link.sql, j->sources, j->join->n, j->join->key);
    const pv_status status = fetch(j, &sql, n + 1, pv_i_lines_hear, &j->lines, error);
    pv_i_buffer_deinit(&sql);
    PV_TRY(status);
    return pv_i_lines_sort(&j->lines, error);
}

/* What a database will not do is done here, or fails here, with a better message: of the one table
 * that it is about. */
static bool is_final(pv_status status)
{
    return status == PV_STATUS_CANCELLED || status == PV_STATUS_NO_MEMORY;
}

static pv_status conclude(const joining *j, const pv_context *context, pv_joined *joined,
                          pv_error *error)
{
    pv_cell *const cells = PV_NEW_ARRAY(pv_cell, j->lines.n_columns + 1);
    pv_status status = cells != NULL ? PV_STATUS_OK : pv_i_no_memory(error);
    if (status == PV_STATUS_OK && judge(j, joined)) {
        status = take_apart(j, cells, context, joined, error);
    }
    pv_i_free(cells);
    return status;
}

pv_status pv_i_join(const pv_join *join, const pv_context *context, pv_joined *joined,
                    pv_error *error)
{
    joining j = {.join = join};
    pv_error unsaid = {0};
    bool well = false;
    *joined = (pv_joined){0};
    if (!are_places(join)) {
        return PV_STATUS_OK;
    }
    pv_status status = ask(&j, context, &well, &unsaid);
    if (is_final(status)) {
        if (error != NULL) {
            *error = unsaid;
        }
    } else if (status == PV_STATUS_OK && well) {
        status = conclude(&j, context, joined, error);
    } else {
        status = PV_STATUS_OK;
    }
    joining_deinit(&j);
    return status;
}

/* -------------------------------------------------------------------- explaining */

pv_status pv_i_join_explain(const pv_join *join, const pv_context *context, char **statements,
                            pv_error *error)
{
    joining j = {.join = join};
    pv_buffer sql = {0};
    pv_error unsaid = {0};
    bool well = false;
    *statements = NULL;
    if (!are_places(join)) {
        return PV_STATUS_OK;
    }
    pv_status status = reach(&j, context, &well, &unsaid);
    if (status == PV_STATUS_OK && well) {
        status = choose(&j, &well, &unsaid);
    }
    if (is_final(status)) {
        if (error != NULL) {
            *error = unsaid;
        }
    } else if (status == PV_STATUS_OK && well) {
        pv_i_sql_keys(&sql, j.link.sql, j.from[0].data, join->key, longest_missing(join));
        pv_i_buffer_text(&sql, ";\n");
        pv_i_sql_join(&sql, j.link.sql, j.sources, join->n, join->key);
        status = pv_i_buffer_take(&sql, statements, error);
    } else {
        status = PV_STATUS_OK;
    }
    pv_i_buffer_deinit(&sql);
    joining_deinit(&j);
    return status;
}
