/* Finished tables that engines hold, for the checker: their equal rows are counted where they are,
 * and the lines are a file that it reads. */
#include "release/release.h"

#include "base/error.h"
#include "base/memory.h"
#include "base/options.h"
#include "base/output.h"
#include "engine/read.h"

#include <stdlib.h>
#include <string.h>

/* All columns, so that those that are no quasi-identifiers are judged, too. */
static pv_status count_into(const char *place, const pv_context *context, pv_output **file,
                            pv_error *error)
{
    const char *const given = getenv("TMPDIR");
    pv_buffer text = {0};
    pv_status status = pv_i_count_whole_table(place, context, &text, error);
    if (status == PV_STATUS_OK) {
        status = pv_i_output_create_nameless(given != NULL && given[0] != '\0' ? given : "/tmp",
                                             file, error);
    }
    if (status == PV_STATUS_OK) {
        status = pv_i_output_write(*file, text.data, text.size, error);
    }
    pv_i_buffer_deinit(&text);
    return status == PV_STATUS_OK ? pv_i_output_finish(*file, error) : status;
}

/* The file has no name that means anything to anyone. */
static void say_place(const char *place, pv_error *error)
{
    if (error != NULL) {
        (void)strncpy(error->file, place, sizeof error->file - 1);
        error->line = 0;
        error->column = 0;
    }
}

pv_status pv_place_audit(const char *place, const pv_audit_options *options,
                         const pv_context *context, pv_audit **audit, pv_error *error)
{
    pv_audit_options taken;
    pv_output *file = NULL;
    PV_TRY(PV_TAKE_OPTIONS(taken, options, error));
    pv_status status = count_into(place, context, &file, error);
    if (status == PV_STATUS_OK) {
        taken.counted = true;
        taken.delimiter = ',';
        taken.no_header = false;
        status = pv_audit_file(pv_i_output_path(file), &taken, context, audit, error);
        if (status != PV_STATUS_OK && status != PV_STATUS_CANCELLED) {
            say_place(place, error);
        }
    }
    pv_i_output_free(file);
    return status;
}

pv_status pv_i_place_hash(const char *place, char hex[PV_SHA256_HEX], pv_error *error)
{
    pv_buffer text = {0};
    pv_sha256 sha;
    const pv_status status = pv_i_count_whole_table(place, NULL, &text, error);
    if (status == PV_STATUS_OK) {
        pv_i_sha256_init(&sha);
        pv_i_sha256_add(&sha, text.data, text.size);
        pv_i_sha256_end_hex(&sha, hex);
    }
    pv_i_buffer_deinit(&text);
    return status;
}

/* -------------------------------------------------------------------- explaining */

pv_status pv_place_explain(const char *place, const pv_context *context, char **statement,
                           pv_error *error)
{
    const pv_read_options all = {0};
    return pv_i_table_explain(place, &all, context, statement, error);
}

pv_status pv_release_explain(const pv_plan *plan, const char *place, bool with_identifiers,
                             char **statements, pv_error *error)
{
    pv_published_column *const columns = PV_NEW_ARRAY(pv_published_column, plan->n_attributes);
    size_t n = 0;
    for (size_t i = 0; columns != NULL && i < plan->n_attributes; i++) {
        const pv_plan_attribute *const attribute = &plan->attributes[i];
        if (with_identifiers || attribute->role != PV_ROLE_IDENTIFIER) {
            columns[n++] = (pv_published_column){.name = attribute->name, .type = PV_SQL_TEXT};
        }
    }
    const pv_status status = columns != NULL
                                 ? pv_i_publish_explain(place, columns, n, statements, error)
                                 : pv_i_no_memory(error);
    pv_i_free(columns);
    return status;
}
