/* A hierarchy for people: its file form, and a drawing of the tree.
 *
 * In a walk the leaves of every node are neighbours: a node is drawn from its range of them, and
 * the first `max_leaves` leaves are the first part of the drawing. */
#include "base/buffer.h"
#include "hierarchy/tree.h"

#include <inttypes.h>
#include <string.h>

/* ---------------------------------------------------------------- the file form */

/* A byte-order mark is quoted so that it is not taken for one when the cell opens the file. */
static bool needs_quotes(const char *text)
{
    return strpbrk(text, ";\"\r\n") != NULL || strncmp(text, "\xef\xbb\xbf", 3) == 0;
}

static void append_cell(pv_buffer *buffer, const char *text)
{
    if (!needs_quotes(text)) {
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
            continue; /* an empty missing value: its place needs no telling, and cannot be told */
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

/* ---------------------------------------------------------------- the drawing */

typedef struct drawing {
    const pv_hierarchy *tree;
    uint32_t shown; /* leaves to be drawn, the first ones */
    pv_buffer text;
    pv_buffer indent; /* what stands left of the present line */
} drawing;

/* What is right below a node (or the root) at a place: a node, or PV_ROOT_NODE for the leaf itself.
 */
static uint32_t child_at(const pv_hierarchy *tree, uint32_t parent, uint32_t place)
{
    uint32_t child = PV_ROOT_NODE;
    for (uint32_t node = tree->lowest[tree->walk[place]]; node != parent;
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
                                 : label_of_leaf(tree, 0, tree->walk[place]);
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

static void draw_root(drawing *d)
{
    const uint32_t n = d->tree->n_leaves;
    draw_children(d, PV_ROOT_NODE, 0, n);
    if (d->shown < n) {
        pv_i_buffer_text(&d->text, "└── ... ");
        pv_i_buffer_count(&d->text, n - d->shown);
        pv_i_buffer_text(&d->text, " more\n");
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
        draw_root(&d);
    }
    d.text.failed |= d.indent.failed;
    pv_i_buffer_deinit(&d.indent);
    return pv_i_buffer_take(&d.text, text, error);
}
