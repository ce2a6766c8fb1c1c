/* The columns of a file. */
#include "table/heading.h"

#include "base/error.h"
#include "base/memory.h"
#include "table/dialect.h"
#include "table/lexicon.h"

#include <stdio.h>

#define MADE_UP_SIZE 32

void pv_i_heading_deinit(pv_heading *heading)
{
    for (size_t i = 0; heading->names != NULL && i < heading->n_kept; i++) {
        pv_i_free(heading->names[i]);
    }
    pv_i_free(heading->names);
    pv_i_free(heading->fields);
    *heading = (pv_heading){0};
}

/* Its name, without blanks around it unless they are to be kept, or one that is made up. Owned;
 * NULL = no memory. */
static char *name_of(const pv_records *first, size_t field, bool named, bool keep_blanks)
{
    char made_up[MADE_UP_SIZE];
    const char *text = pv_i_records_field(first, field);
    size_t length = pv_i_records_length(first, field);
    if (!keep_blanks) {
        (void)pv_i_trim(&text, &length, first->quoting);
    }
    if (named && length > 0) {
        return pv_i_strndup(text, length);
    }
    (void)snprintf(made_up, sizeof made_up, "column%zu", field + 1);
    return pv_i_strdup(made_up);
}

static pv_status named_twice(const pv_records *first, const char *name, const char *source,
                             pv_error *error)
{
    return pv_i_hint(pv_i_fail_at(error, PV_STATUS_INPUT, source, first->line, 0,
                                  "the column \"%.200s\" is named twice", name),
                     error,
                     "rename one of the columns; if the first line holds no names, say "
                     "--no-header");
}

/* `seen` numbers the names: an old number for a new field is a name used before. Takes the name if
 * the column is kept. */
static pv_status add_field(pv_heading *heading, pv_lexicon *seen, char **name, size_t field,
                           const pv_read_options *options, bool *twice, pv_error *error)
{
    const uint32_t number = pv_i_lexicon_add(seen, *name, strlen(*name));
    if (number > PV_DICTIONARY_LIMIT) {
        return pv_i_no_memory(error);
    }
    *twice = number < field;
    if (!*twice && (options->keep == NULL || options->keep(options->keep_ctx, *name))) {
        heading->fields[heading->n_kept] = field;
        heading->names[heading->n_kept++] = *name;
        *name = NULL;
    }
    return PV_STATUS_OK;
}

static pv_status add_fields(pv_heading *heading, pv_lexicon *seen, const pv_records *first,
                            bool named, const pv_read_options *options, const char *source,
                            pv_error *error)
{
    pv_status status = PV_STATUS_OK;
    for (size_t i = 0; i < first->n_fields && status == PV_STATUS_OK; i++) {
        bool twice = false;
        char *name = name_of(first, i, named, options->keep_blanks);
        status = name != NULL ? add_field(heading, seen, &name, i, options, &twice, error)
                              : pv_i_no_memory(error);
        if (twice) {
            status = named_twice(first, name, source, error);
        }
        pv_i_free(name);
    }
    return status;
}

pv_status pv_i_heading_init(pv_heading *heading, const pv_records *first, bool named,
                            const pv_read_options *options, const char *source, pv_error *error)
{
    pv_lexicon seen;
    if (first->n_fields > PV_COLUMN_LIMIT) {
        return pv_i_hint(pv_i_fail_at(error, PV_STATUS_LIMIT, source, first->line, 0,
                                      "has more than %zu columns", PV_COLUMN_LIMIT),
                         error, "is this the right delimiter? is the table turned on its side?");
    }
    *heading = (pv_heading){
        .n_fields = first->n_fields,
        .fields = PV_NEW_ARRAY(size_t, first->n_fields),
        .names = PV_NEW_ARRAY(char *, first->n_fields),
    };
    if (heading->fields == NULL || heading->names == NULL || !pv_i_lexicon_init(&seen, 0)) {
        pv_i_heading_deinit(heading);
        return pv_i_no_memory(error);
    }
    const pv_status status = add_fields(heading, &seen, first, named, options, source, error);
    pv_i_lexicon_deinit(&seen);
    if (status != PV_STATUS_OK) {
        pv_i_heading_deinit(heading);
    }
    return status;
}
