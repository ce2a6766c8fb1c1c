/* What a label stands for, for readers who have nothing but the released table. Ranges, dates and
 * masks are told from the label, which holds everything; groups of values from the specification:
 * all that it puts there, whether or not anyone has it. */
#include "base/error.h"
#include "base/memory.h"
#include "hierarchy/builders.h"
#include "hierarchy/hierarchy_spec.h"
#include "hierarchy/rare.h"

#include <stdlib.h>
#include <string.h>

#define ITSELF "the value itself"

/* ---------------------------------------------------------------- numbers */

static bool starts_with(const char *text, const char *start)
{
    return strncmp(text, start, strlen(start)) == 0;
}

static size_t length_without(const char *label, const char *ending)
{
    const size_t n = strlen(label);
    const size_t m = strlen(ending);
    return n > m && strcmp(label + n - m, ending) == 0 ? n - m : n;
}

/* "[25,35)" and "(25,35]"; the bounds have no comma of their own. */
static void explain_bounds(const char *label, size_t n, pv_buffer *words)
{
    const char *const comma = memchr(label, ',', n);
    if (comma == NULL) {
        pv_i_buffer_bytes(words, label, n);
        return;
    }
    const int lower = (int)(comma - label) - 1;
    const int upper = (int)n - lower - 3;
    pv_i_buffer_format(
        words, label[0] == '[' ? "%.*s or more, less than %.*s" : "more than %.*s, at most %.*s",
        lower, label + 1, upper, comma + 1);
}

/* "25-34", "<25", ">=60", "any number", "25"; each perhaps with the missing value. */
static void explain_number(const char *label, pv_buffer *words)
{
    static const char missing[] = " or missing";
    const size_t n = length_without(label, missing);
    const char *const dash = n > 1 ? memchr(label + 1, '-', n - 1) : NULL;
    if (label[0] == '[' || label[0] == '(') {
        explain_bounds(label, n, words);
    } else if (label[0] == '<') {
        pv_i_buffer_format(words, "less than %.*s", (int)n - 1, label + 1);
    } else if (starts_with(label, ">=")) {
        pv_i_buffer_format(words, "%.*s or more", (int)n - 2, label + 2);
    } else if (dash != NULL) {
        pv_i_buffer_format(words, "%.*s to %.*s", (int)(dash - label), label,
                           (int)(label + n - dash) - 1, dash + 1);
    } else {
        pv_i_buffer_bytes(words, label, n);
    }
    pv_i_buffer_text(words, label[n] != '\0' ? ", or missing" : "");
}

/* ------------------------------------------------------------------ dates */

static const char *const months[] = {"January",   "February", "March",    "April",
                                     "May",       "June",     "July",     "August",
                                     "September", "October",  "November", "December"};

/* 2020-W05, 2020-Q2, 2020-05, 2020-2024, 2020s, 2020 */
static void explain_date(const char *label, pv_buffer *words)
{
    const size_t n = strlen(label);
    const long year = strtol(label, NULL, 10);
    const long part = n > 6 ? strtol(label + 6, NULL, 10) : 0;
    if (n == 8 && label[5] == 'W') {
        pv_i_buffer_format(words, "week %ld of %.4s, Monday to Sunday (ISO 8601)", part, label);
    } else if (n == 7 && label[5] == 'Q' && part >= 1 && part <= 4) {
        pv_i_buffer_format(words, "%s to %s %.4s", months[3 * part - 3], months[3 * part - 1],
                           label);
    } else if (n == 7 && strtol(label + 5, NULL, 10) >= 1 && strtol(label + 5, NULL, 10) <= 12) {
        pv_i_buffer_format(words, "%s %.4s", months[strtol(label + 5, NULL, 10) - 1], label);
    } else if (n == 9) {
        pv_i_buffer_format(words, "the years %.4s to %s", label, label + 5);
    } else if (n == 5) {
        pv_i_buffer_format(words, "the years %.4s to %04ld", label, year + 9);
    } else {
        pv_i_buffer_format(words, "the year %s", label);
    }
}

/* ------------------------------------------------------------------ masks */

static size_t count_characters(const char *text)
{
    size_t n = 0;
    for (; *text != '\0'; text++) {
        n += ((unsigned char)*text & 0xc0) != 0x80;
    }
    return n;
}

static void explain_mask(const char *label, bool from_left, pv_buffer *words)
{
    const size_t characters = count_characters(label);
    size_t n = strlen(label);
    const char *rest = label;
    if (from_left) {
        rest += strspn(label, PV_ROOT_LABEL);
        n -= (size_t)(rest - label);
    } else {
        while (n > 0 && label[n - 1] == PV_ROOT_LABEL[0]) {
            n--;
        }
    }
    pv_i_buffer_format(words, "%zu characters that %s with %.*s", characters,
                       from_left ? "end" : "begin", (int)n, rest);
}

/* ----------------------------------------------------------------- values */

static void add_value(pv_buffer *words, const char *value)
{
    pv_i_buffer_text(words, words->size > 0 ? "; " : "");
    pv_i_buffer_text(words, value);
}

/* Is it the first time that the label occurs in the row? */
static bool is_first(char *const *row, size_t i)
{
    for (size_t j = 1; j < i; j++) {
        if (strcmp(row[j], row[i]) == 0) {
            return false;
        }
    }
    return true;
}

static pv_status explain_rows(const pv_hierarchy_spec *spec, const pv_labels *labels,
                              pv_buffer *words, pv_error *error)
{
    pv_arena arena = {0};
    pv_labels seen = {0};
    pv_status status = PV_STATUS_OK;
    for (size_t r = 0; r < spec->n_rows; r++) {
        char *const *const row = spec->rows[r];
        uint32_t number = 0;
        const uint32_t before = seen.n;
        PV_TRY_CLEAN(pv_i_labels_add(&seen, &arena, row[0], &number, error));
        for (size_t i = 1; number == before && row[i] != NULL; i++) {
            const uint32_t label = pv_i_labels_find(labels, row[i]);
            if (label != PV_NO_LABEL && is_first(row, i)) {
                add_value(&words[label], row[0]);
            }
        }
    }
cleanup:
    pv_i_labels_deinit(&seen);
    pv_i_arena_deinit(&arena);
    return status;
}

/* The groups of one size. What a smaller size explained already is the same group. */
static pv_status explain_size(const pv_hierarchy_spec *spec, uint64_t size, const pv_labels *labels,
                              pv_buffer *words, pv_error *error)
{
    pv_arena arena = {0};
    const char **const names = PV_NEW_ARRAY(const char *, spec->n_values);
    pv_status status = names != NULL ? PV_STATUS_OK : pv_i_no_memory(error);
    if (status == PV_STATUS_OK) {
        status = pv_i_order_names((const char *const *)spec->values, spec->n_values, size, &arena,
                                  names, error);
    }
    for (size_t group = 0; status == PV_STATUS_OK && group * size < spec->n_values; group++) {
        const uint32_t label = pv_i_labels_find(labels, names[group]);
        if (label == PV_NO_LABEL || words[label].size > 0) {
            continue;
        }
        const size_t first = (size_t)(group * size);
        for (size_t i = first; i < spec->n_values && i - first < size; i++) {
            add_value(&words[label], spec->values[i]);
        }
    }
    pv_i_free(names);
    pv_i_arena_deinit(&arena);
    return status;
}

/* Without a list the order is that of the values themselves, and the label names both ends. */
static pv_status explain_order(const pv_hierarchy_spec *spec, const pv_labels *labels,
                               pv_buffer *words, pv_error *error)
{
    for (size_t i = 0; spec->values != NULL && i < spec->n_sizes; i++) {
        PV_TRY(explain_size(spec, spec->sizes[i], labels, words, error));
    }
    for (uint32_t i = 0; spec->values == NULL && i < labels->n; i++) {
        const char *const dots = strstr(labels->texts[i], "..");
        if (dots != NULL) {
            pv_i_buffer_format(&words[i], "from %.*s to %s, in the order of the values",
                               (int)(dots - labels->texts[i]), labels->texts[i], dots + 2);
        }
    }
    return PV_STATUS_OK;
}

/* -------------------------------------------------------------------- all */

static void explain_one(const pv_hierarchy_spec *spec, const char *label, pv_buffer *words)
{
    switch (spec->kind) {
    case PV_HIERARCHY_INTERVALS:
    case PV_HIERARCHY_BREAKS: explain_number(label, words); break;
    case PV_HIERARCHY_DATE: explain_date(label, words); break;
    case PV_HIERARCHY_MASK: explain_mask(label, spec->mask_left, words); break;
    case PV_HIERARCHY_RARE:
        pv_i_buffer_text(words, strcmp(label, pv_i_rare_label(spec)) == 0
                                    ? "values that are rare in the table"
                                    : ITSELF);
        break;
    default: break;
    }
}

pv_status pv_i_hierarchy_explain(const pv_hierarchy_spec *spec, const pv_labels *labels,
                                 pv_buffer *words, pv_error *error)
{
    if (spec->kind == PV_HIERARCHY_ROWS) {
        PV_TRY(explain_rows(spec, labels, words, error));
    } else if (spec->kind == PV_HIERARCHY_ORDER) {
        PV_TRY(explain_order(spec, labels, words, error));
    }
    for (uint32_t i = 0; i < labels->n; i++) {
        explain_one(spec, labels->texts[i], &words[i]);
        if (words[i].size == 0 && !words[i].failed) {
            pv_i_buffer_text(&words[i], ITSELF);
        }
        if (words[i].failed) {
            return pv_i_no_memory(error);
        }
    }
    return PV_STATUS_OK;
}
