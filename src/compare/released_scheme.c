/* A scheme that is not released yet beside files: as the table that a release would write.
 *
 * Files say less of themselves than schemes do: what a released value covers is read from rows. So
 * that a scheme and a file, even its own, are measured by the same account, the scheme becomes the
 * table it would be, and goes the same way. Its rows need no map: they are in the order of the
 * original.
 *
 *     class --pv_classes_label--> "20-29,Europe\n"    once per class
 *     row   --tuple--> class --> line                  once per row, then read like any file
 */
#include "base/buffer.h"
#include "base/error.h"
#include "base/memory.h"
#include "classes/profile.h"
#include "compare/released.h"
#include "plan/plan.h"
#include "table/column.h"
#include "table/csv_writer.h"

#include <string.h>

#define DELIMITER ','

/* Of all classes, one after the other: class c has the bytes starts[c] .. starts[c+1]-1. */
typedef struct {
    pv_buffer text;
    size_t *starts;
} lines;

static void append_cell(pv_buffer *text, const char *value, bool first, bool alone)
{
    if (!first) {
        pv_i_buffer_char(text, DELIMITER);
    }
    if (alone && value[0] == '\0') { /* a blank line is no row */
        pv_i_buffer_text(text, "\"\"");
    }
    pv_i_csv_append(text, DELIMITER, false, value, strlen(value));
}

static pv_status make_lines(lines *l, const pv_classes *classes, pv_error *error)
{
    const size_t n_quasi = pv_study_quasis(pv_profile_study(pv_classes_profile(classes)));
    const size_t n = pv_classes_total(classes);
    l->starts = PV_NEW_ZEROED(size_t, n + 1);
    for (size_t c = 0; l->starts != NULL && c < n; c++) {
        for (size_t q = 0; q < n_quasi; q++) {
            append_cell(&l->text, pv_classes_label(classes, c, q), q == 0, n_quasi == 1);
        }
        pv_i_buffer_char(&l->text, '\n');
        l->starts[c + 1] = l->text.size;
    }
    return l->starts != NULL && !l->text.failed ? PV_STATUS_OK : pv_i_no_memory(error);
}

static pv_status write_rows(pv_buffer *file, const lines *l, const pv_classes *classes,
                            pv_error *error)
{
    const pv_profile *const profile = pv_classes_profile(classes);
    const pv_study *const study = pv_profile_study(profile);
    const size_t n_quasi = pv_study_quasis(study);
    for (size_t q = 0; q < n_quasi; q++) {
        append_cell(file, pv_study_quasi_name(study, q), q == 0, n_quasi == 1);
    }
    pv_i_buffer_char(file, '\n');
    for (uint64_t row = 0; row < pv_profile_rows(profile); row++) {
        const size_t c = pv_classes_of_tuple(classes, pv_profile_tuple(profile, row));
        pv_i_buffer_bytes(file, l->text.data + l->starts[c], l->starts[c + 1] - l->starts[c]);
    }
    return file->failed ? pv_i_no_memory(error) : PV_STATUS_OK;
}

pv_status pv_i_released_scheme(const pv_comparing *comparing, const pv_classes *classes,
                               const char *name, pv_table **table, pv_error *error)
{
    const pv_study *const original = comparing->study;
    pv_read_options reading = pv_plan_reading(pv_study_plan(original));
    lines l = {0};
    pv_buffer file = {0};
    pv_status status = PV_STATUS_OK;
    if (pv_i_table_entries(pv_study_table(original)) != pv_table_rows(pv_study_table(original))) {
        return pv_i_table_need_rows(pv_study_table(original), "comparing schemes with releases",
                                    error);
    }
    if (pv_profile_rows(pv_classes_profile(classes)) != pv_table_rows(pv_study_table(original))) {
        return pv_i_fail(error, PV_STATUS_ARGUMENT,
                         "schemes can only be compared if they are of the same table");
    }
    reading.delimiter = DELIMITER;
    reading.quoting = PV_CHOICE_YES;
    reading.header = PV_CHOICE_YES;
    PV_TRY_CLEAN(make_lines(&l, classes, error));
    PV_TRY_CLEAN(write_rows(&file, &l, classes, error));
    pv_i_buffer_deinit(&l.text);
    PV_TRY_CLEAN(pv_table_read_memory(name, file.data, file.size, &reading, comparing->context,
                                      table, error));
cleanup:
    pv_i_free(l.starts);
    pv_i_buffer_deinit(&l.text);
    pv_i_buffer_deinit(&file);
    return status;
}
