/* The codebook: column by column, label by label. */
#include "release/codebook.h"
#include "plan/plan.h"
#include "release/settings.h"

#include "base/buffer.h"
#include "base/error.h"
#include "base/memory.h"
#include "hierarchy/hierarchy_spec.h"
#include "release/recode_rows.h"
#include "table/csv_writer.h"

#include <string.h>

#define ANY_VALUE "(any value)"
#define ANY_OTHER "(any other value)"
#define UNCHANGED "as in the original table"

typedef struct {
    const pv_classes *classes;
    const pv_shown *shown;
    const pv_study *study;
    const pv_release_settings *options;
    pv_csv_writer csv;
    pv_buffer markdown;
    pv_error *error;
} book;

/* What the rows that are not suppressed have in one quasi-identifier. */
typedef struct {
    size_t quasi;
    const pv_hierarchy *hierarchy;
    pv_arena arena;
    pv_labels labels; /* of groups, in the order of level and tree */
    pv_buffer *words; /* one per label */
    bool raw;         /* are some values as they were? */
    bool starred;     /* is `*` there? */
} column_labels;

/* ---------------------------------------------------------------- writing */

/* What Markdown would take for its own, and what would end the line of a table. */
static void escape(pv_buffer *out, const char *text)
{
    for (; *text != '\0'; text++) {
        if (*text == '\n' || *text == '\r') {
            pv_i_buffer_char(out, ' ');
        } else if (*text == '<') {
            pv_i_buffer_text(out, "&lt;");
        } else if (*text == '&') {
            pv_i_buffer_text(out, "&amp;");
        } else {
            pv_i_buffer_text(out, strchr("\\`*_[]|~#", *text) != NULL ? "\\" : "");
            pv_i_buffer_char(out, *text);
        }
    }
}

static pv_status write_line(book *b, const char *column, const char *label, const char *meaning)
{
    pv_i_csv_field(&b->csv, column);
    pv_i_csv_field(&b->csv, label);
    pv_i_csv_field(&b->csv, meaning);
    pv_i_buffer_text(&b->markdown, "| ");
    escape(&b->markdown, label);
    pv_i_buffer_text(&b->markdown, " | ");
    escape(&b->markdown, meaning);
    pv_i_buffer_text(&b->markdown, " |\n");
    return pv_i_csv_end(&b->csv, b->error);
}

static void write_heading(book *b, const char *column)
{
    pv_i_buffer_text(&b->markdown, "\n## ");
    escape(&b->markdown, column);
    pv_i_buffer_text(&b->markdown, "\n\n| released as | stands for |\n|---|---|\n");
}

/* ----------------------------------------------------------------- labels */

/* Marks the groups that occur: marks[level] + group. */
static void mark_groups(const book *b, column_labels *c, bool *const *marks)
{
    const pv_shown *const shown = &b->shown[c->quasi];
    c->starred |= pv_classes_suppressed(b->classes) > 0 && !b->options->drop_suppressed;
    for (unsigned level = shown->first; level < shown->first + shown->n_levels; level++) {
        const uint64_t *const rows = pv_i_shown_at(shown, shown->released, level);
        for (uint32_t leaf = 0; leaf < shown->n_leaves; leaf++) {
            marks[level][pv_hierarchy_group(c->hierarchy, level, leaf)] |= rows[leaf] > 0;
        }
    }
}

static pv_status take_labels(column_labels *c, bool *const *marks, pv_error *error)
{
    for (unsigned level = 0; level <= pv_hierarchy_height(c->hierarchy); level++) {
        for (uint32_t g = 0; g < pv_hierarchy_groups(c->hierarchy, level); g++) {
            const char *const label = pv_hierarchy_label(c->hierarchy, level, g);
            uint32_t unused = 0;
            if (!marks[level][g]) {
                continue;
            }
            if (strcmp(label, PV_ROOT_LABEL) == 0) {
                c->starred = true;
            } else if (level == 0) {
                c->raw = true;
            } else {
                PV_TRY(pv_i_labels_add(&c->labels, &c->arena, label, &unused, error));
            }
        }
    }
    return PV_STATUS_OK;
}

static pv_status find_labels(const book *b, column_labels *c)
{
    bool *marks[PV_MAX_HEIGHT + 1];
    size_t n = 0;
    for (unsigned level = 0; level <= pv_hierarchy_height(c->hierarchy); level++) {
        n += pv_hierarchy_groups(c->hierarchy, level);
    }
    bool *const all = PV_NEW_ZEROED(bool, n);
    if (all == NULL) {
        return pv_i_no_memory(b->error);
    }
    n = 0;
    for (unsigned level = 0; level <= pv_hierarchy_height(c->hierarchy); level++) {
        marks[level] = all + n;
        n += pv_hierarchy_groups(c->hierarchy, level);
    }
    mark_groups(b, c, marks);
    const pv_status status = take_labels(c, marks, b->error);
    pv_i_free(all);
    return status;
}

/* --------------------------------------------------------------- meanings */

/* Where a hierarchy leaves the missing value apart, its label is how it is spelled. */
static bool is_missing(const book *b, const column_labels *c, const char *label)
{
    const pv_table *const table = pv_study_table(b->study);
    const size_t column = pv_study_quasi_column(b->study, c->quasi);
    const uint32_t code = pv_table_missing(table, column);
    return code != PV_NO_CODE && strcmp(pv_table_value(table, column, code), label) == 0;
}

static const char *meaning_of(const book *b, const column_labels *c, uint32_t i)
{
    return is_missing(b, c, c->labels.texts[i]) ? "missing" : c->words[i].data;
}

static pv_status find_words(const book *b, column_labels *c)
{
    const pv_hierarchy_spec *const spec = &pv_study_quasi_attribute(b->study, c->quasi)->hierarchy;
    c->words = PV_NEW_ZEROED(pv_buffer, c->labels.n);
    if (c->words == NULL) {
        return pv_i_no_memory(b->error);
    }
    PV_TRY(pv_i_hierarchy_explain(spec, &c->labels, c->words, b->error));
    const uint32_t with_missing = spec->missing_group != NULL
                                      ? pv_i_labels_find(&c->labels, spec->missing_group)
                                      : PV_NO_LABEL;
    if (with_missing != PV_NO_LABEL) {
        pv_i_buffer_text(&c->words[with_missing], "; missing");
        return c->words[with_missing].failed ? pv_i_no_memory(b->error) : PV_STATUS_OK;
    }
    return PV_STATUS_OK;
}

/* ---------------------------------------------------------------- columns */

static pv_status write_labels(book *b, const column_labels *c, const char *name)
{
    for (uint32_t i = 0; i < c->labels.n; i++) {
        PV_TRY(write_line(b, name, c->labels.texts[i], meaning_of(b, c, i)));
    }
    if (c->starred) {
        PV_TRY(write_line(b, name, PV_ROOT_LABEL, "not shown: it may be any value"));
    }
    const bool alone = c->labels.n == 0 && !c->starred;
    return c->raw ? write_line(b, name, alone ? ANY_VALUE : ANY_OTHER, UNCHANGED) : PV_STATUS_OK;
}

static size_t quasi_of(const pv_study *study, size_t column)
{
    size_t quasi = 0;
    while (pv_study_quasi_column(study, quasi) != column) {
        quasi++;
    }
    return quasi;
}

static pv_status write_recoded(book *b, size_t column, const char *name)
{
    column_labels c = {.quasi = quasi_of(b->study, column)};
    pv_status status = PV_STATUS_OK;
    c.hierarchy = pv_study_hierarchy(b->study, c.quasi);
    PV_TRY_CLEAN(find_labels(b, &c));
    PV_TRY_CLEAN(find_words(b, &c));
    PV_TRY_CLEAN(write_labels(b, &c, name));
cleanup:
    for (uint32_t i = 0; c.words != NULL && i < c.labels.n; i++) {
        pv_i_buffer_deinit(&c.words[i]);
    }
    pv_i_free(c.words);
    pv_i_labels_deinit(&c.labels);
    pv_i_arena_deinit(&c.arena);
    return status;
}

static pv_status write_column(book *b, size_t column)
{
    const char *const name = pv_table_name(pv_study_table(b->study), column);
    const pv_treatment treatment = pv_i_release_treatment(b->study, b->options, column);
    if (treatment == PV_TREATMENT_DROPPED) {
        return PV_STATUS_OK;
    }
    write_heading(b, name);
    switch (treatment) {
    case PV_TREATMENT_RECODED: return write_recoded(b, column, name);
    case PV_TREATMENT_HASHED:
        return write_line(b, name, ANY_VALUE,
                          "a hash of the original value with a secret key: the same for the same "
                          "value");
    default: return write_line(b, name, ANY_VALUE, UNCHANGED);
    }
}

/* -------------------------------------------------------------------- all */

static const char *last_part(const char *path)
{
    const char *const slash = strrchr(path, '/');
    return slash != NULL ? slash + 1 : path;
}

static pv_status write_columns(book *b, const char *title)
{
    pv_i_buffer_text(&b->markdown, "# Codebook of ");
    escape(&b->markdown, last_part(title));
    pv_i_buffer_text(&b->markdown, "\n\nWhat the released values stand for, column by column.\n");
    pv_i_csv_field(&b->csv, "column");
    pv_i_csv_field(&b->csv, "label");
    pv_i_csv_field(&b->csv, "meaning");
    PV_TRY(pv_i_csv_end(&b->csv, b->error));
    for (size_t column = 0; column < pv_table_columns(pv_study_table(b->study)); column++) {
        PV_TRY(write_column(b, column));
    }
    return PV_STATUS_OK;
}

pv_status pv_i_codebook(const pv_classes *classes, const pv_shown *shown,
                        const pv_release_settings *options, const char *title, char **csv,
                        char **markdown, pv_error *error)
{
    book b = {.classes = classes,
              .shown = shown,
              .study = pv_profile_study(pv_classes_profile(classes)),
              .options = options,
              .error = error};
    char *table = NULL;
    pv_status status = PV_STATUS_OK;
    pv_i_csv_init(&b.csv, ',', NULL);
    b.csv.escapes = options->escape_formulas; /* labels stand here as they do in the table */
    PV_TRY_CLEAN(write_columns(&b, title));
    PV_TRY_CLEAN(pv_i_buffer_take(&b.csv.pending, &table, error));
    PV_TRY_CLEAN(pv_i_buffer_take(&b.markdown, markdown, error));
    *csv = table;
    table = NULL;
cleanup:
    pv_string_free(table);
    pv_i_csv_deinit(&b.csv);
    pv_i_buffer_deinit(&b.markdown);
    return status;
}
