/* A hierarchy for people: what a label means, its file form, and a drawing of the tree. */
#include "hierarchy/builders.h"

#include "base/buffer.h"
#include "base/error.h"
#include "base/memory.h"
#include "hierarchy/hierarchy_spec.h"
#include "hierarchy/tree.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

/* ------------------------------------------------------------ labels in words
 *
 * What a label means, for readers who have nothing but the released table. Ranges, dates and
 * masks are explained from the label, which holds everything; groups of values from the
 * specification: all that it puts there, whether or not anyone has it. */

#define ITSELF "the value itself"

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
    const size_t whole = strlen(label);
    const size_t ending = strlen(missing);
    const bool ends_so = whole > ending && strcmp(label + whole - ending, missing) == 0;
    const size_t n = ends_so ? whole - ending : whole;
    const char *const dash = n > 1 ? memchr(label + 1, '-', n - 1) : NULL;
    if (label[0] == '[' || label[0] == '(') {
        explain_bounds(label, n, words);
    } else if (label[0] == '<') {
        pv_i_buffer_format(words, "less than %.*s", (int)n - 1, label + 1);
    } else if (strncmp(label, ">=", 2) == 0) {
        pv_i_buffer_format(words, "%.*s or more", (int)n - 2, label + 2);
    } else if (dash != NULL) {
        pv_i_buffer_format(words, "%.*s to %.*s", (int)(dash - label), label,
                           (int)(label + n - dash) - 1, dash + 1);
    } else {
        pv_i_buffer_bytes(words, label, n);
    }
    pv_i_buffer_text(words, label[n] != '\0' ? ", or missing" : "");
}

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

static void explain_mask(const char *label, bool from_left, pv_buffer *words)
{
    size_t characters = 0;
    for (const char *at = label; *at != '\0'; at++) {
        characters += ((unsigned char)*at & 0xc0) != 0x80;
    }
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

/* ---------------------------------------------------------------- the file form */

static void append_cell(pv_buffer *buffer, const char *text)
{
    /* A byte-order mark is quoted so that it is not taken for one when the cell opens the file. */
    if (strpbrk(text, ";\"\r\n") == NULL && strncmp(text, "\xef\xbb\xbf", 3) != 0) {
        pv_i_buffer_text(buffer, text);
        return;
    }
    pv_i_buffer_char(buffer, '"');
    for (; *text != '\0'; text++) {
        if (*text == '"') {
            pv_i_buffer_char(buffer, '"');
        }
        pv_i_buffer_char(buffer, *text);
    }
    pv_i_buffer_char(buffer, '"');
}

static const char *label_of_leaf(const pv_hierarchy *tree, unsigned level, uint32_t leaf)
{
    return pv_hierarchy_label(tree, level, pv_hierarchy_group(tree, level, leaf));
}

pv_status pv_hierarchy_text(const pv_hierarchy *hierarchy, char **text, pv_error *error)
{
    pv_buffer buffer = {0};
    for (uint32_t leaf = 0; leaf < hierarchy->n_leaves; leaf++) {
        if (label_of_leaf(hierarchy, 0, leaf)[0] == '\0') {
            continue; /* an empty missing value: its place need not be written, and cannot be */
        }
        for (unsigned level = 0; level <= hierarchy->height; level++) {
            if (level > 0) {
                pv_i_buffer_char(&buffer, ';');
            }
            append_cell(&buffer, label_of_leaf(hierarchy, level, leaf));
        }
        pv_i_buffer_char(&buffer, '\n');
    }
    return pv_i_buffer_take(&buffer, text, error);
}

/* ---------------------------------------------------------------- the drawing
 *
 * In depth-first order the leaves of every node are neighbours: a node is drawn from its range of
 * them, and the first `max_leaves` leaves are the first part of the drawing. */

typedef struct drawing {
    const pv_hierarchy *tree;
    uint32_t shown; /* leaves to be drawn, the first ones */
    pv_buffer text;
    pv_buffer indent; /* what is left of the present line */
} drawing;

/* What is right below a node (or the root) at a place: a node, or PV_ROOT_NODE for the leaf itself.
 */
static uint32_t child_at(const pv_hierarchy *tree, uint32_t parent, uint32_t place)
{
    uint32_t child = PV_ROOT_NODE;
    for (uint32_t node = tree->lowest[tree->depth_first[place]]; node != parent;
         node = tree->nodes[node].parent) {
        child = node;
    }
    return child;
}

static uint32_t end_of(const pv_hierarchy *tree, uint32_t child, uint32_t place)
{
    return child != PV_ROOT_NODE ? tree->nodes[child].end : place + 1;
}

static const char *name_of(const pv_hierarchy *tree, uint32_t child, uint32_t place)
{
    return child != PV_ROOT_NODE ? tree->nodes[child].label
                                 : label_of_leaf(tree, 0, tree->depth_first[place]);
}

/* A node and, on the same line, its descendants as long as it has only one child; a value with the
 * same label is not repeated. Returns the last one named. */
static uint32_t draw_chain(drawing *d, uint32_t node, uint32_t place)
{
    const char *last = name_of(d->tree, node, place);
    pv_i_buffer_text(&d->text, last);
    while (node != PV_ROOT_NODE) {
        const uint32_t child = child_at(d->tree, node, place);
        if (end_of(d->tree, child, place) != d->tree->nodes[node].end) {
            break;
        }
        const char *const label = name_of(d->tree, child, place);
        if (strcmp(label, last) != 0) {
            pv_i_buffer_text(&d->text, " ── ");
            pv_i_buffer_text(&d->text, label);
            last = label;
        }
        node = child;
    }
    return node;
}

static void draw_children(drawing *d, uint32_t parent, uint32_t place, uint32_t end);

/* One branch with all below it; `is_last` ends the line of its parent. */
static void draw_branch(drawing *d, uint32_t node, uint32_t place, bool is_last)
{
    const uint64_t leaves = node != PV_ROOT_NODE ? d->tree->nodes[node].leaves : 1;
    const size_t indented = d->indent.size;
    pv_i_buffer_text(&d->text, d->indent.data);
    pv_i_buffer_text(&d->text, is_last ? "└── " : "├── ");
    const uint32_t lowest = draw_chain(d, node, place);
    if (leaves > 1) {
        pv_i_buffer_text(&d->text, " (");
        pv_i_buffer_count(&d->text, leaves);
        pv_i_buffer_char(&d->text, ')');
    }
    pv_i_buffer_char(&d->text, '\n');
    if (lowest != PV_ROOT_NODE) {
        pv_i_buffer_text(&d->indent, is_last ? "    " : "│   ");
        draw_children(d, lowest, place, d->tree->nodes[lowest].end);
        if (!d->indent.failed) {
            d->indent.size = indented;
            d->indent.data[indented] = '\0';
        }
    }
}

/* What is right below a parent from a place on, as far as it is to be shown. */
static void draw_children(drawing *d, uint32_t parent, uint32_t place, uint32_t end)
{
    const bool is_cut = parent == PV_ROOT_NODE && d->shown < end; /* and a line says so */
    while (place < end && place < d->shown) {
        const uint32_t child = child_at(d->tree, parent, place);
        const uint32_t next = end_of(d->tree, child, place);
        draw_branch(d, child, place, !is_cut && (next >= end || next >= d->shown));
        place = next;
    }
}

pv_status pv_hierarchy_tree(const pv_hierarchy *hierarchy, size_t max_leaves, char **text,
                            pv_error *error)
{
    const uint32_t n = hierarchy->n_leaves;
    drawing d = {.tree = hierarchy,
                 .shown = max_leaves > 0 && max_leaves < n ? (uint32_t)max_leaves : n};
    pv_i_buffer_text(&d.indent, "");
    pv_i_buffer_text(&d.text, PV_ROOT_LABEL " (");
    pv_i_buffer_count(&d.text, hierarchy->domain);
    pv_i_buffer_text(&d.text, hierarchy->domain == 1 ? " value)\n" : " values)\n");
    if (!d.indent.failed) {
        draw_children(&d, PV_ROOT_NODE, 0, n);
    }
    if (d.shown < n) {
        pv_i_buffer_text(&d.text, "└── ... ");
        pv_i_buffer_count(&d.text, n - d.shown);
        pv_i_buffer_text(&d.text, " more\n");
    }
    d.text.failed |= d.indent.failed;
    pv_i_buffer_deinit(&d.indent);
    return pv_i_buffer_take(&d.text, text, error);
}
