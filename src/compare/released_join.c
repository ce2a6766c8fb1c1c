/* Original and releases in one database with a key: it matches their rows (engine/join.h), and
 * people who are alike in everything that is compared are one entry of all tables.
 *
 *     fetched row by row     original  key          release  key
 *                            37 man    17           35-39 *  17       matched by key here
 *     joined there           37 man                 35-39 *           x 12 people
 *
 * The key itself does not travel, nor does a column that only some of the tables have and nobody
 * asks for: every combination more is an entry more. From there on it is the comparison of
 * released_file.c, over entries instead of rows.
 *
 * Wherever something speaks against it there is no study and no comparison, and whoever asked has
 * the rows fetched: that way knows all that can be wrong with keys and tables, and says it. */
#include "base/arena.h"
#include "base/buffer.h"
#include "base/error.h"
#include "base/memory.h"
#include "base/options.h"
#include "compare/released.h"
#include "engine/place.h"
#include "engine/read.h"
#include "plan/plan.h"
#include "plan/spelling.h"
#include "plan/study.h"

#include <string.h>

typedef struct {
    pv_comparing comparing; /* as far as is known without a study */
    const pv_comparison_options *options;
    const char *const *paths;
    size_t n_paths;
    /* Columns that some release has, and that the original is held against. */
    const char **shared;
    size_t n_shared, capacity;
    pv_arena arena;
    bool failed;                    /* memory ran out on the way */
    const pv_read_options *reading; /* of the original, as the study says */
    pv_joined joined;
    pv_buffer *explained; /* not NULL: nothing is joined, the statements go here */
} joiner;

static void joiner_deinit(joiner *j)
{
    pv_i_joined_deinit(&j->joined);
    pv_i_free((void *)(uintptr_t)j->comparing.properties);
    pv_i_free(j->shared);
    pv_i_arena_deinit(&j->arena);
}

static bool is_among(const char *const *names, size_t n, const char *name)
{
    size_t i = 0;
    while (i < n && strcmp(names[i], name) != 0) {
        i++;
    }
    return i < n;
}

/* ---------------------------------------------------------------------- columns */

/* What is matched by the key says of the key itself nothing that is not known. */
static bool keep_of_release(void *ctx, const char *column)
{
    joiner *const j = ctx;
    const bool is_checked =
        strcmp(column, j->comparing.key) != 0 && pv_i_is_checked(&j->comparing, column);
    if (is_checked && !is_among(j->shared, j->n_shared, column)) {
        const char *const name = pv_i_arena_text(&j->arena, column, strlen(column));
        if (name == NULL ||
            !pv_i_reserve((void **)&j->shared, &j->capacity, j->n_shared + 1, sizeof *j->shared)) {
            j->failed = true;
            return false;
        }
        j->shared[j->n_shared++] = name;
    }
    return is_checked || pv_i_is_property(&j->comparing, column);
}

/* The study hears of every column, and has those that it cannot be without. */
static bool keep_of_original(void *ctx, const char *column)
{
    const joiner *const j = ctx;
    const bool is_kept = j->reading->keep(j->reading->keep_ctx, column);
    const pv_plan_attribute *const attribute = pv_plan_find(j->comparing.plan, column);
    const pv_role role = attribute != NULL ? attribute->role : PV_ROLE_OTHER;
    return is_kept && (role == PV_ROLE_QUASI || role == PV_ROLE_SENSITIVE ||
                       role == PV_ROLE_LABEL || is_among(j->shared, j->n_shared, column) ||
                       is_among(j->options->groups, j->options->n_groups, column));
}

/* ---------------------------------------------------------------------- joining */

/* Keys that are written in a way of their own, or are to be measured, are for those who see them.
 */
static bool has_plain_key(const joiner *j)
{
    const pv_plan *const plan = j->comparing.plan;
    const pv_plan_attribute *const key = pv_plan_find(plan, j->comparing.key);
    return key == NULL ? plan->decimal == '\0'
                       : (key->role == PV_ROLE_OTHER || key->role == PV_ROLE_IDENTIFIER) &&
                             (key->type == PV_TYPE_AUTO || key->type == PV_TYPE_TEXT) &&
                             key->format.decimal == '\0' && key->format.date[0] == '\0';
}

/* What becomes of the statements, or of the tables. */
static pv_status join_or_explain(joiner *j, const pv_join *join, const pv_context *context,
                                 pv_error *error)
{
    char *sql = NULL;
    if (j->explained == NULL) {
        return pv_i_join(join, context, &j->joined, error);
    }
    PV_TRY(pv_i_join_explain(join, context, &sql, error));
    if (sql != NULL) {
        pv_i_buffer_format(j->explained, "%s;\n", sql);
    }
    pv_string_free(sql);
    return PV_STATUS_OK;
}

static pv_status check_keys(const joiner *j, const char *const *places, pv_error *error)
{
    const pv_joined *const joined = &j->joined;
    return joined->repeated == 0
               ? PV_STATUS_OK
               : pv_i_hint_phrases(
                     pv_i_fail_at(error, PV_STATUS_INPUT, places[joined->repeated_in], 0, 0,
                                  "the key in column `%s` of %llu %s is that of another row",
                                  pv_i_shown(j->comparing.key).text,
                                  (unsigned long long)joined->repeated,
                                  joined->repeated == 1 ? "row" : "rows"),
                     error, "a key must be unique in every table: correct the table, or @",
                     PV_PHRASE_OTHER_KEY, PV_PHRASE_NONE);
}

/* A pv_study_reader. */
static pv_status read_joined(void *ctx, const char *data, const pv_read_options *reading,
                             const pv_context *context, pv_table **table, pv_error *error)
{
    joiner *const j = ctx;
    const size_t n = j->n_paths + 1;
    const char **const places = PV_NEW_ARRAY(const char *, n);
    pv_read_options *const options = PV_NEW_ARRAY(pv_read_options, n);
    const pv_plan_attribute *const key = pv_plan_find(j->comparing.plan, j->comparing.key);
    const pv_join join = {.places = places,
                          .n = n,
                          .key = j->comparing.key,
                          .options = options,
                          .key_type = key != NULL ? key->type : PV_TYPE_AUTO};
    pv_status status = PV_STATUS_OK;
    if (places == NULL || options == NULL) {
        PV_TRY_CLEAN(pv_i_no_memory(error));
    }
    j->reading = reading;
    for (size_t i = 0; i < n; i++) {
        places[i] = i == 0 ? data : j->paths[i - 1];
        options[i] = i == 0 ? *reading : pv_plan_reading(j->comparing.plan);
        options[i].keep = i == 0 ? keep_of_original : keep_of_release;
        options[i].keep_ctx = j;
    }
    PV_TRY_CLEAN(join_or_explain(j, &join, context, error));
    PV_TRY_CLEAN(j->failed ? pv_i_no_memory(error) : check_keys(j, places, error));
    if (j->joined.n > 0) {
        *table = j->joined.tables[0];
        j->joined.tables[0] = NULL;
    }
cleanup:
    pv_i_free(places);
    pv_i_free(options);
    return status;
}

/* Only columns matter here; which properties the study can have is found out later. */
static pv_status joiner_init(joiner *j, const pv_plan *plan, const char *const *paths,
                             size_t n_paths, const pv_comparison_options *options, pv_error *error)
{
    pv_property_choice *const choices = PV_NEW_ARRAY(pv_property_choice, options->n_properties);
    *j = (joiner){.comparing = {.plan = plan,
                                .key = options->key,
                                .properties = choices,
                                .n_properties = options->n_properties},
                  .options = options,
                  .paths = paths,
                  .n_paths = n_paths};
    for (size_t i = 0; choices != NULL && i < options->n_properties; i++) {
        PV_TRY(pv_i_property_choose(options->properties[i], &choices[i], error));
    }
    return choices != NULL ? PV_STATUS_OK : pv_i_no_memory(error);
}

static bool can_join(const joiner *j, const pv_study_options *opening)
{
    return j->comparing.key != NULL && !opening->single_rows && j->n_paths > 0 &&
           j->options->n_row_maps == 0 && j->options->n_schemes == 0 && j->options->n_shown == 0 &&
           has_plain_key(j);
}

pv_status pv_comparison_join(const pv_plan *plan, const pv_study_options *opening,
                             const char *const *paths, size_t n_paths,
                             const pv_comparison_options *options, const pv_context *context,
                             pv_study **study, pv_comparison **comparison, pv_error *error)
{
    pv_comparison_options chosen;
    pv_study_options opened_as;
    joiner j = {0};
    pv_study *opened = NULL;
    pv_comparison *made = NULL;
    pv_status status = PV_STATUS_OK;
    PV_TRY(PV_TAKE_OPTIONS(chosen, options, error));
    PV_TRY(PV_TAKE_OPTIONS(opened_as, opening, error));
    PV_TRY_CLEAN(joiner_init(&j, plan, paths, n_paths, &chosen, error));
    if (can_join(&j, &opened_as)) {
        PV_TRY_CLEAN(pv_i_study_open_by(read_joined, &j, plan, opening, context, &opened, error));
    }
    if (opened != NULL) {
        PV_TRY_CLEAN(pv_i_comparison_open(opened, paths, n_paths, &chosen, &j.joined, context,
                                          &made, error));
    }
    *study = opened;
    *comparison = made;
    opened = NULL;
cleanup:
    pv_study_free(opened);
    joiner_deinit(&j);
    return status;
}

/* ------------------------------------------------------------------- explaining */

static pv_status explain_release(joiner *j, const char *path, pv_error *error)
{
    char *sql = NULL;
    if (!pv_i_is_place(path)) {
        pv_i_buffer_format(j->explained, "-- %s is a file, which is read without SQL;\n", path);
        return PV_STATUS_OK;
    }
    pv_read_options reading = pv_plan_reading(j->comparing.plan);
    reading.keep = pv_i_is_wanted;
    reading.keep_ctx = &j->comparing;
    PV_TRY(pv_i_table_explain(path, &reading, j->comparing.context, &sql, error));
    pv_i_buffer_format(j->explained, "%s;\n", sql);
    pv_string_free(sql);
    return PV_STATUS_OK;
}

static pv_status explain_reading(joiner *j, const pv_study_options *opening, pv_error *error)
{
    char *sql = NULL;
    PV_TRY(pv_study_explain(j->comparing.plan, opening, j->comparing.context, &sql, error));
    pv_i_buffer_format(j->explained, "%s;\n", sql);
    pv_string_free(sql);
    for (size_t i = 0; i < j->n_paths; i++) {
        PV_TRY(explain_release(j, j->paths[i], error));
    }
    return PV_STATUS_OK;
}

pv_status pv_comparison_explain(const pv_plan *plan, const pv_study_options *opening,
                                const char *const *paths, size_t n_paths,
                                const pv_comparison_options *options, const pv_context *context,
                                char **statements, pv_error *error)
{
    pv_comparison_options chosen;
    pv_study_options opened_as;
    joiner j = {0};
    pv_buffer text = {0};
    pv_study *none = NULL;
    pv_status status = PV_STATUS_OK;
    PV_TRY(PV_TAKE_OPTIONS(chosen, options, error));
    PV_TRY(PV_TAKE_OPTIONS(opened_as, opening, error));
    PV_TRY_CLEAN(joiner_init(&j, plan, paths, n_paths, &chosen, error));
    j.comparing.context = context;
    j.explained = &text;
    if (can_join(&j, &opened_as)) {
        PV_TRY_CLEAN(pv_i_study_open_by(read_joined, &j, plan, opening, context, &none, error));
    }
    if (text.size == 0 && !text.failed) {
        PV_TRY_CLEAN(explain_reading(&j, opening, error));
    }
    PV_TRY_CLEAN(pv_i_buffer_take(&text, statements, error));
cleanup:
    pv_i_buffer_deinit(&text);
    joiner_deinit(&j);
    return status;
}
