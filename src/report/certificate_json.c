/* The certificate for programs, and the verdict that both of its forms give.
 *
 * jansson hands back NULL when memory runs out and takes NULL in silence when a value is put into
 * an object (the call fails); one flag in the writer remembers any failure, so that the document
 * reads like its schema. */
#include "report/certificate.h"

#include "base/buffer.h"
#include "base/error.h"
#include "base/file.h"
#include "base/markup.h"

#include <assert.h>
#include <jansson.h>
#include <math.h>
#include <string.h>

/* ------------------------------------------------------------ the verdict */

static const char *const verdict_names[] = {
    [PV_VERDICT_VERIFIED] = "verified", [PV_VERDICT_ACCEPTED] = "accepted",
    [PV_VERDICT_EXPOSED] = "exposed",   [PV_VERDICT_WEAKER] = "weaker",
    [PV_VERDICT_UNMET] = "unmet",
};
static_assert(sizeof verdict_names / sizeof *verdict_names == PV_VERDICT_COUNT,
              "every verdict needs a name");

const char *pv_i_verdict_name(pv_verdict verdict)
{
    return verdict_names[verdict];
}

static bool all_hold(const pv_certificate_demand *demands, size_t n)
{
    for (size_t i = 0; i < n; i++) {
        if (!demands[i].holds) {
            return false;
        }
    }
    return true;
}

const char *pv_i_certificate_accepted(const pv_certificate *certificate)
{
    for (size_t i = 0; i < certificate->n_unchanged; i++) {
        if (certificate->unchanged[i].accepted) {
            return certificate->unchanged[i].found->name;
        }
    }
    return NULL;
}

pv_verdict pv_i_certificate_verdict(const pv_certificate *certificate)
{
    if (!all_hold(certificate->demands, certificate->n_demands)) {
        return PV_VERDICT_UNMET;
    }
    if (!all_hold(certificate->promises, certificate->n_promises)) {
        return PV_VERDICT_WEAKER;
    }
    if (certificate->k < 2) {
        return PV_VERDICT_EXPOSED;
    }
    return pv_i_certificate_accepted(certificate) != NULL ? PV_VERDICT_ACCEPTED
                                                          : PV_VERDICT_VERIFIED;
}

/* ------------------------------------------------------------ the writer */

typedef struct writer {
    bool failed;
} writer;

static json_t *keep(writer *w, json_t *value)
{
    w->failed |= value == NULL;
    return value;
}

static json_t *object(writer *w)
{
    return keep(w, json_object());
}

static json_t *array(writer *w)
{
    return keep(w, json_array());
}

/* Both take the reference of `value`, whatever happens. */
static void put(writer *w, json_t *into, const char *key, json_t *value)
{
    w->failed |= json_object_set_new(into, key, value) != 0;
}

static void add(writer *w, json_t *into, json_t *value)
{
    w->failed |= json_array_append_new(into, value) != 0;
}

static json_t *boolean(writer *w, bool value)
{
    return keep(w, json_boolean(value));
}

static json_t *count(writer *w, uint64_t value)
{
    return keep(w, value <= INT64_MAX ? json_integer((json_int_t)value) : json_real((double)value));
}

/* Whole numbers without a point, what is not finite as null: JSON has no word for it. */
static json_t *number(writer *w, double value)
{
    if (!isfinite(value)) {
        return keep(w, json_null());
    }
    const bool whole = fabs(value) < 9.0e15 && !(floor(value) < value);
    return keep(w, whole ? json_integer((json_int_t)value) : json_real(value));
}

/* Names may come from any file: what is not UTF-8 is replaced. */
static json_t *string(writer *w, const char *value)
{
    if (value == NULL) {
        return keep(w, json_null());
    }
    pv_buffer clean = {0};
    pv_i_markup_clean(&clean, value);
    json_t *const result =
        clean.failed ? NULL : json_stringn(clean.data != NULL ? clean.data : "", clean.size);
    pv_i_buffer_deinit(&clean);
    return keep(w, result);
}

static json_t *strings(writer *w, const char *const *values, size_t n)
{
    json_t *const list = array(w);
    for (size_t i = 0; i < n; i++) {
        add(w, list, string(w, values[i]));
    }
    return list;
}

/* --------------------------------------------------------- what was done */

static json_t *table_part(writer *w, const pv_certificate *c)
{
    json_t *const part = object(w);
    json_t *const quasi = array(w);
    for (size_t i = 0; i < c->n_attributes; i++) {
        add(w, quasi, string(w, c->attributes[i].name));
    }
    put(w, part, "rows", count(w, c->rows));
    put(w, part, "quasi", quasi);
    put(w, part, "sensitive", strings(w, c->sensitive, c->n_sensitive));
    put(w, part, "label", string(w, c->label));
    if (c->for_publisher) {
        put(w, part, "file", string(w, pv_i_base_name(c->source)));
        put(w, part, "distinct", count(w, c->before.classes));
        put(w, part, "identifiers", strings(w, c->identifiers, c->n_identifiers));
        put(w, part, "dropped", strings(w, c->dropped, c->n_dropped));
    }
    return part;
}

/* Cells that a spreadsheet would run, by column: how many, never which. */
static json_t *formulas_part(writer *w, const pv_certificate *c)
{
    json_t *const part = object(w);
    json_t *const columns = array(w);
    for (size_t i = 0; i < c->n_formulas; i++) {
        json_t *const column = object(w);
        put(w, column, "name", string(w, c->formulas[i].name));
        put(w, column, "cells", count(w, c->formulas[i].cells));
        put(w, column, "heading", boolean(w, c->formulas[i].heading));
        add(w, columns, column);
    }
    put(w, part, "escaped", boolean(w, c->escapes_formulas));
    put(w, part, "columns", columns);
    return part;
}

static json_t *released_part(writer *w, const pv_certificate *c)
{
    json_t *const part = object(w);
    put(w, part, "file", string(w, pv_i_base_name(c->released)));
    if (c->place != NULL) {
        put(w, part, "place", string(w, c->place));
    }
    put(w, part, c->place != NULL ? "rows_sha256" : "sha256", string(w, c->sha256));
    put(w, part, "scheme", string(w, c->scheme != NULL ? pv_i_base_name(c->scheme) : NULL));
    put(w, part, "order", string(w, pv_row_order_name(c->order)));
    put(w, part, "identifiers", string(w, c->hashed ? "hashed" : "dropped"));
    put(w, part, "formulas", formulas_part(w, c));
    return part;
}

/* The top level of a mask gives its height away. */
static json_t *level_part(writer *w, const pv_certificate_attribute *a)
{
    return a->is_height_private && a->level >= a->height ? keep(w, json_null())
                                                         : count(w, a->level);
}

/* What was before is for the publisher. Takes both references. */
static void put_before_after(writer *w, const pv_certificate *c, json_t *into, json_t *before,
                             json_t *after)
{
    if (c->for_publisher) {
        put(w, into, "before", before);
    } else {
        json_decref(before);
    }
    put(w, into, "after", after);
}

static json_t *before_after(writer *w, const pv_certificate *c, json_t *before, json_t *after)
{
    json_t *const part = object(w);
    put_before_after(w, c, part, before, after);
    return part;
}

/* Every released column that is no quasi-identifier: what was done to it, and whom it exposes. */
static json_t *unchanged_part(writer *w, const pv_certificate *c)
{
    json_t *const list = array(w);
    for (size_t i = 0; i < c->n_unchanged; i++) {
        const pv_certificate_unchanged *const column = &c->unchanged[i];
        json_t *const part = object(w);
        put(w, part, "name", string(w, column->found->name));
        put(w, part, "role", string(w, pv_role_name(column->role)));
        put(w, part, "treatment", string(w, column->hashed ? "hashed" : "unchanged"));
        put(w, part, "values", count(w, column->found->values));
        put(w, part, "unique", count(w, column->found->unique));
        put(w, part, "k_with_quasi", count(w, column->found->k_with));
        put(w, part, "unique_with_quasi", count(w, column->found->unique_with));
        put(w, part, "accepted", boolean(w, column->accepted));
        add(w, list, part);
    }
    return list;
}

static json_t *attribute_part(writer *w, const pv_certificate *c, const pv_certificate_attribute *a)
{
    json_t *const part = object(w);
    put(w, part, "name", string(w, a->name));
    put(w, part, "hierarchy", string(w, a->hierarchy));
    put(w, part, "height", a->is_height_private ? keep(w, json_null()) : count(w, a->height));
    if (a->at_level == NULL) {
        put(w, part, "level", level_part(w, a));
    } else if (c->for_publisher) {
        json_t *const rows = array(w);
        for (size_t level = 0; level <= a->height; level++) {
            add(w, rows, count(w, a->at_level[level]));
        }
        put(w, part, "rows_at_level", rows);
    }
    json_t *const shown = object(w);
    put(w, shown, "raw", count(w, a->shown_raw));
    put(w, shown, "coarser", count(w, a->shown_coarser));
    put(w, shown, "starred", count(w, a->shown_starred));
    put(w, part, "rows_shown", shown);
    put(w, part, "groups",
        before_after(w, c, count(w, a->groups_before), count(w, a->groups_after)));
    if (c->for_publisher) {
        put(w, part, "loss", number(w, a->loss));
    }
    put(w, part, "examples", strings(w, a->examples, a->level > 0 ? a->n_examples : 0));
    return part;
}

/* --------------------------------------------------- what it achieved */

static json_t *sizes_part(writer *w, const pv_certificate *c)
{
    json_t *const list = array(w);
    for (size_t bin = 0; bin < PV_EXPOSURE_BINS; bin++) {
        json_t *const part = object(w);
        put(w, part, "size", string(w, pv_exposure_bin_name(bin)));
        put_before_after(w, c, part, count(w, c->before.histogram[bin]),
                         count(w, c->after.histogram[bin]));
        add(w, list, part);
    }
    return list;
}

static json_t *risk_of(writer *w, const pv_certificate_crowd *crowd)
{
    json_t *const part = object(w);
    put(w, part, "max", number(w, crowd->risk_max));
    put(w, part, "mean", number(w, crowd->risk_mean));
    put(w, part, "unique", count(w, crowd->unique_rows));
    return part;
}

/* By registry name; of one column, or with another parameter than the usual one, with that. */
static void put_measure(writer *w, json_t *into, pv_measure_ref ref, json_t *value)
{
    const pv_measure *const m = ref.measure;
    const bool usual = m->parameter == NULL || !(fabs(ref.parameter - m->parameter_default) > 0);
    char written[PV_MEASURE_TEXT_SIZE];
    pv_measure_text(ref, written, sizeof written);
    put(w, into, usual && ref.column[0] == '\0' ? m->name : written, value);
}

static json_t *measures_part(writer *w, const pv_certificate *c, bool after)
{
    json_t *const part = object(w);
    for (size_t i = 0; i < c->n_measures; i++) {
        const pv_certificate_measure *const m = &c->measures[i];
        if (m->available) {
            put_measure(w, part, m->ref, number(w, after ? m->after : m->before));
        }
    }
    return part;
}

static json_t *demands_part(writer *w, const pv_certificate_demand *demands, size_t n)
{
    json_t *const list = array(w);
    for (size_t i = 0; i < n; i++) {
        const pv_certificate_demand *const d = &demands[i];
        char written[PV_MEASURE_TEXT_SIZE];
        pv_constraint_text(&d->constraint, written, sizeof written);
        json_t *const part = object(w);
        put(w, part, "demand", string(w, written));
        put(w, part, "measure", string(w, d->constraint.ref.measure->name));
        if (d->constraint.ref.column[0] != '\0') {
            put(w, part, "column", string(w, d->constraint.ref.column));
        }
        put(w, part, "bound", number(w, d->constraint.bound));
        put(w, part, "value", number(w, d->value));
        put(w, part, "holds", boolean(w, d->holds));
        add(w, list, part);
    }
    return list;
}

/* ------------------------------------------------- how it was verified */

static json_t *audit_part(writer *w, const pv_audit *a)
{
    json_t *const part = object(w);
    json_t *const wildcard = object(w);
    json_t *const measures = object(w);
    put(w, wildcard, "k", count(w, a->k_wildcard));
    put(w, wildcard, "unique", count(w, a->unique_rows_wildcard));
    put(w, wildcard, "risk-mean", number(w, a->risk_mean_wildcard));
    for (size_t i = 0; i < a->n_values; i++) {
        if (a->values[i].available) {
            put_measure(w, measures, a->values[i].ref, number(w, a->values[i].value));
        }
    }
    put(w, part, "rows", count(w, a->rows));
    put(w, part, "suppressed", count(w, a->suppressed));
    put(w, part, "starred_cells", count(w, a->starred_cells));
    put(w, part, "classes", count(w, a->classes));
    put(w, part, "k", count(w, a->k));
    put(w, part, "unique", count(w, a->unique_rows));
    put(w, part, "wildcard", wildcard);
    put(w, part, "measures", measures);
    return part;
}

/* ------------------------------------------------------- the document */

bool pv_i_certificate_is_local(const pv_certificate *c)
{
    return c->n_attributes > 0 && c->attributes[0].at_level != NULL;
}

bool pv_i_certificate_is_cells(const pv_certificate *c)
{
    bool cells = pv_i_certificate_is_local(c);
    for (size_t i = 0; i < c->n_attributes; i++) {
        cells = cells && c->attributes[i].height <= 1;
    }
    return cells;
}

uint64_t pv_i_certificate_stars(const pv_certificate *c, uint64_t *n_cells)
{
    uint64_t stars = 0;
    *n_cells = 0;
    for (size_t i = 0; i < c->n_attributes; i++) {
        const pv_certificate_attribute *const a = &c->attributes[i];
        stars += a->shown_starred;
        *n_cells += a->shown_raw + a->shown_coarser + a->shown_starred;
    }
    return stars;
}

const char *pv_i_certificate_recoding(const pv_certificate *c)
{
    return pv_i_certificate_is_cells(c)
               ? "Cell suppression: single cells are `*`, everything else is as it was. Counting "
                 "the rows that show a value counts only part of those who have it, and who shows "
                 "it is not a random part: what is rare is suppressed first. Cells that are `*` "
                 "are "
                 "missing, and not at random."
               : "Local recoding: every row has levels of its own, so equal values may be released "
                 "differently, one as it was and another as a group. Counting the rows that show a "
                 "value counts only part of those who have it, and who shows it is not a random "
                 "part: rare people are shown coarser. To count a value, add the rows whose group "
                 "covers it, shared out; or bring all rows to the coarsest level in use first.";
}

/* How it was recoded, where not one level stands for everyone; null otherwise. */
static json_t *recoding_part(writer *w, const pv_certificate *c)
{
    if (!pv_i_certificate_is_local(c)) {
        return keep(w, json_null());
    }
    json_t *const part = object(w);
    const bool cells = pv_i_certificate_is_cells(c);
    uint64_t n_cells = 0;
    const uint64_t stars = pv_i_certificate_stars(c, &n_cells);
    put(w, part, "kind", string(w, cells ? "cells" : "local"));
    put(w, part, "meaning", string(w, pv_i_certificate_recoding(c)));
    put(w, part, "cells", count(w, n_cells));
    put(w, part, "starred", count(w, stars));
    put(w, part, "star_as_value", string(w, PV_STAR_AS_VALUE));
    put(w, part, "star_as_anything", string(w, PV_STAR_AS_ANYTHING));
    return part;
}

static json_t *document(writer *w, const pv_certificate *c)
{
    json_t *const d = object(w);
    json_t *const lattice = object(w);
    json_t *const heights = array(w);
    json_t *const attributes = array(w);
    json_t *const suppression = object(w);
    json_t *const together = object(w); /* all columns with the role `other`, known together */
    /* Null if every record has its own. */
    const bool have_own = pv_i_certificate_is_local(c);
    json_t *const levels = have_own ? keep(w, json_null()) : array(w);
    for (size_t i = 0; i < c->n_attributes; i++) {
        const pv_certificate_attribute *const a = &c->attributes[i];
        add(w, heights, a->is_height_private ? keep(w, json_null()) : count(w, a->height));
        add(w, attributes, attribute_part(w, c, a));
        if (!have_own) {
            add(w, levels, level_part(w, a));
        }
    }
    put(w, lattice, "heights", heights);
    put(w, suppression, "budget", count(w, c->budget));
    put(w, together, "columns", count(w, c->audit->together.columns));
    put(w, together, "unique_with_quasi", count(w, c->audit->together.unique_with));
    put(w, together, "k_with_quasi", count(w, c->audit->together.k_with));
    put(w, d, "paravent", string(w, pv_version()));
    put(w, d, "schema", count(w, PV_CERTIFICATE_SCHEMA));
    put(w, d, "document", string(w, c->for_publisher ? "publisher's report" : "certificate"));
    put(w, d, "command", string(w, c->command));
    put(w, d, "verdict", string(w, pv_i_verdict_name(pv_i_certificate_verdict(c))));
    put(w, d, "table", table_part(w, c));
    put(w, d, "released", released_part(w, c));
    put(w, d, "lattice", lattice);
    put(w, d, "levels", levels);
    put(w, d, "recoding", recoding_part(w, c));
    put(w, d, "suppression", suppression);
    put(w, d, "suppressed", count(w, c->suppressed));
    put(w, d, "drops_suppressed", boolean(w, c->drops_suppressed));
    if (c->for_publisher) {
        put(w, d, "left_out", count(w, c->left_out));
    }
    put(w, d, "measures", measures_part(w, c, true));
    if (c->for_publisher) {
        put(w, d, "measures_before", measures_part(w, c, false));
    }
    put(w, d, "demands", demands_part(w, c->demands, c->n_demands));
    put(w, d, "promises", demands_part(w, c->promises, c->n_promises));
    put(w, d, "classes",
        before_after(w, c, count(w, c->before.classes), count(w, c->after.classes)));
    put(w, d, "class_sizes", sizes_part(w, c));
    put(w, d, "risk", before_after(w, c, risk_of(w, &c->before), risk_of(w, &c->after)));
    put(w, d, "attributes", attributes);
    put(w, d, "unchanged", unchanged_part(w, c));
    put(w, d, "together", together);
    put(w, d, "audit", audit_part(w, c->audit));
    return d;
}

static int append(const char *data, size_t size, void *buffer)
{
    pv_i_buffer_bytes(buffer, data, size);
    return 0;
}

/* Enough digits for any comparison, without the noise of the last bits. */
#define DUMP_FLAGS (JSON_INDENT(1) | JSON_REAL_PRECISION(15))

pv_status pv_i_certificate_json(const pv_certificate *certificate, char **json, pv_error *error)
{
    writer w = {0};
    pv_buffer out = {0};
    json_t *const root = document(&w, certificate);
    if (!w.failed) {
        w.failed = json_dump_callback(root, append, &out, DUMP_FLAGS) != 0;
    }
    json_decref(root);
    pv_i_buffer_char(&out, '\n');
    if (w.failed) {
        pv_i_buffer_deinit(&out);
        return pv_i_no_memory(error);
    }
    return pv_i_buffer_take(&out, json, error);
}
