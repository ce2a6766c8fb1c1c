/* How a text is delimited, guessed from its beginning.
 *
 * Delimiter and quoting: the sample is read once with every candidate. The best candidate is the
 * one for which the largest share of records has the same number of fields, at least two; that the
 * first record has it too comes before the share. Equals are decided by the order , ; tab | . A
 * text that no candidate divides is a table of one column. Quotes are taken for ordinary characters
 * only where text follows a closing one and the records are more alike without quoting: neither a
 * bad row nor a quote that was never closed may pass for a table that just has quotes in it.
 *
 * Header: every column whose further values are numbers or dates votes. If its first field is text,
 * that must be a name; if it is of the same kind as the others, it is a value. When nobody votes
 * (all text), a first field that comes up again further down its column is a value. In doubt there
 * is a header. */
#include "table/reading.h"

#include "base/error.h"
#include "base/memory.h"
#include "table/lexicon.h"
#include "table/records.h"
#include "table/value.h"

#include <stdio.h>
#include <string.h>

#define MAX_RECORDS 1000
#define MAX_TALLIES 64 /* different numbers of fields that are counted */

static const char candidates[] = {',', ';', '\t', '|'};

typedef struct {
    char delimiter;
    bool quoting;
    bool odd_quotes; /* text follows a closing one */
    bool first_fits; /* the first record has the usual number of fields */
    size_t usual;    /* the most frequent number of fields */
    size_t hits;     /* records that have it */
    size_t records;
} candidate;

size_t pv_i_bom_length(const char *text, size_t size)
{
    return size >= 3 && memcmp(text, "\xEF\xBB\xBF", 3) == 0 ? 3 : 0;
}

/* A record that the sample cuts short says nothing, unless it is the only one. */
static bool counts(const pv_records *records, bool complete, size_t n_before)
{
    return complete || !records->cut || n_before == 0;
}

static pv_status try_candidate(const char *text, size_t size, bool complete, candidate *c,
                               pv_error *error)
{
    struct {
        size_t fields, records;
    } tallies[MAX_TALLIES] = {{0}};
    size_t first = 0;
    bool more = true;
    pv_records records;
    pv_i_records_init(&records, text, size, c->delimiter, c->quoting);
    pv_status status = PV_STATUS_OK;
    while (c->records < MAX_RECORDS) {
        PV_TRY_CLEAN(pv_i_records_next(&records, &more, error));
        if (!more || !counts(&records, complete, c->records)) {
            break;
        }
        first = c->records == 0 ? records.n_fields : first;
        c->records++;
        c->odd_quotes |= records.odd_quotes;
        size_t i = 0;
        while (i < MAX_TALLIES && tallies[i].records > 0 && tallies[i].fields != records.n_fields) {
            i++;
        }
        if (i < MAX_TALLIES) { /* once they are all in use, new numbers are ignored */
            tallies[i].fields = records.n_fields;
            tallies[i].records++;
        }
    }
    for (size_t i = 0; i < MAX_TALLIES && tallies[i].records > 0; i++) {
        if (tallies[i].records > c->hits) {
            c->usual = tallies[i].fields;
            c->hits = tallies[i].records;
        }
    }
    c->first_fits = first == c->usual;
cleanup:
    pv_i_records_deinit(&records);
    return status;
}

static bool better(const candidate *a, const candidate *b)
{
    if ((a->usual >= 2) != (b->usual >= 2)) {
        return a->usual >= 2;
    }
    if (a->first_fits != b->first_fits) {
        return a->first_fits;
    }
    return a->hits * b->records > b->hits * a->records;
}

/* Every delimiter, in the ways of quoting that the options leave open. */
static pv_status choose(const char *text, size_t size, bool complete,
                        const pv_read_options *options, candidate *best, pv_error *error)
{
    const char *const delimiters = options->delimiter != 0 ? &options->delimiter : candidates;
    const size_t n = options->delimiter != 0 ? 1 : sizeof candidates;
    for (size_t i = 0; i < n; i++) {
        candidate c = {.delimiter = delimiters[i], .quoting = options->quoting != PV_CHOICE_NO};
        PV_TRY(try_candidate(text, size, complete, &c, error));
        if (options->quoting == PV_CHOICE_AUTO && c.odd_quotes) {
            candidate plain = {.delimiter = delimiters[i]};
            PV_TRY(try_candidate(text, size, complete, &plain, error));
            c = better(&plain, &c) ? plain : c;
        }
        *best = i == 0 || better(&c, best) ? c : *best;
    }
    return PV_STATUS_OK;
}

/* What is known about one column besides its first field. */
typedef struct {
    pv_type type; /* of the further values; AUTO = none seen yet */
    bool mixed;   /* text, or several types */
    bool comes_again;
} evidence;

static bool is_number(pv_type type)
{
    return type == PV_TYPE_INTEGER || type == PV_TYPE_DECIMAL;
}

static bool same_kind(pv_type a, pv_type b)
{
    return a == b || (is_number(a) && is_number(b));
}

/* The type of a field, whatever blanks are around it. */
static pv_type type_at(const pv_records *records, size_t field)
{
    const char *text = pv_i_records_field(records, field);
    size_t length = pv_i_records_length(records, field);
    (void)pv_i_trim(&text, &length, records->quoting);
    return pv_i_value_type(text, length, NULL);
}

static bool says_nothing(const char *text, size_t length)
{
    return length == 0 || (length == 1 && *text == '?') ||
           (length == 2 && memcmp(text, "NA", 2) == 0);
}

static void collect(evidence *e, const pv_records *first, const pv_records *rest, size_t n)
{
    for (size_t i = 0; i < n && i < rest->n_fields; i++) {
        const char *text = pv_i_records_field(rest, i);
        size_t length = pv_i_records_length(rest, i);
        (void)pv_i_trim(&text, &length, rest->quoting);
        if (says_nothing(text, length)) {
            continue;
        }
        const pv_type type = pv_i_value_type(text, length, NULL);
        e[i].mixed |= type == PV_TYPE_TEXT || (e[i].type != 0 && !same_kind(e[i].type, type));
        e[i].type = type;
        e[i].comes_again |= strcmp(pv_i_records_field(rest, i), pv_i_records_field(first, i)) == 0;
    }
}

static bool decide(const evidence *e, const pv_records *first, size_t n)
{
    size_t for_header = 0;
    size_t against = 0;
    size_t again = 0;
    for (size_t i = 0; i < n; i++) {
        const size_t length = pv_i_records_length(first, i);
        const pv_type type = type_at(first, i);
        again += e[i].comes_again;
        if (length > 0 && !e[i].mixed && e[i].type != PV_TYPE_AUTO) {
            for_header += type == PV_TYPE_TEXT;
            against += same_kind(type, e[i].type);
        }
    }
    return for_header + against > 0 ? for_header >= against : again == 0;
}

static pv_status sniff_header(const char *text, size_t size, bool complete, const candidate *c,
                              bool *header, pv_error *error)
{
    pv_records first;
    pv_records rest;
    evidence *e = NULL;
    bool more = false;
    size_t n_rest = 0;
    pv_status status = PV_STATUS_OK;
    pv_i_records_init(&first, text, size, c->delimiter, c->quoting);
    pv_i_records_init(&rest, text, size, c->delimiter, c->quoting);
    PV_TRY_CLEAN(pv_i_records_next(&first, &more, error));
    PV_TRY_CLEAN(pv_i_records_next(&rest, &more, error));
    e = PV_NEW_ZEROED(evidence, first.n_fields);
    if (e == NULL) {
        status = pv_i_no_memory(error);
        goto cleanup;
    }
    while (more && n_rest < MAX_RECORDS) {
        PV_TRY_CLEAN(pv_i_records_next(&rest, &more, error));
        if (!more || !counts(&rest, complete, n_rest)) {
            break;
        }
        collect(e, &first, &rest, first.n_fields);
        n_rest++;
    }
    *header = n_rest == 0 || decide(e, &first, first.n_fields);
    /* A lone first record is a header unless one of its fields is a number or a date. */
    for (size_t i = 0; n_rest == 0 && i < first.n_fields; i++) {
        *header = *header && type_at(&first, i) == PV_TYPE_TEXT;
    }
cleanup:
    pv_i_free(e);
    pv_i_records_deinit(&first);
    pv_i_records_deinit(&rest);
    return status;
}

pv_status pv_i_sniff(const char *text, size_t size, bool complete, const pv_read_options *options,
                     pv_dialect *dialect, pv_error *error)
{
    static const pv_read_options defaults = {0};
    const pv_read_options *const o = options != NULL ? options : &defaults;
    candidate best = {0};
    bool header = o->header == PV_CHOICE_YES;
    PV_TRY(choose(text, size, complete, o, &best, error));
    if (o->header == PV_CHOICE_AUTO) {
        PV_TRY(sniff_header(text, size, complete, &best, &header, error));
    }
    *dialect = (pv_dialect){.delimiter = best.delimiter, .quoting = best.quoting, .header = header};
    return PV_STATUS_OK;
}

/* ---------------------------------------------------------------- the columns */

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
    pv_status status = PV_STATUS_OK;
    for (size_t i = 0; i < first->n_fields && status == PV_STATUS_OK; i++) {
        char *name = name_of(first, i, named, options->keep_blanks);
        /* Names are numbered like fields: an old number for a new field is a name used before. */
        const uint32_t number =
            name != NULL ? pv_i_lexicon_add(&seen, name, strlen(name)) : PV_DICTIONARY_NO_MEMORY;
        if (number > PV_DICTIONARY_LIMIT) {
            status = pv_i_no_memory(error);
        } else if (number < i) {
            status = pv_i_hint_phrases(
                pv_i_fail_at(error, PV_STATUS_INPUT, source, first->line, 0,
                             "the column \"%.200s\" is named twice", name),
                error, "rename one of the columns; if the first line holds no names, @",
                PV_PHRASE_NO_HEADER, PV_PHRASE_NONE);
        } else if (options->keep == NULL || options->keep(options->keep_ctx, name)) {
            heading->fields[heading->n_kept] = i;
            heading->names[heading->n_kept++] = name;
            name = NULL;
        }
        pv_i_free(name);
    }
    pv_i_lexicon_deinit(&seen);
    if (status != PV_STATUS_OK) {
        pv_i_heading_deinit(heading);
    }
    return status;
}
