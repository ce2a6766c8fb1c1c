/* A hierarchy for people: its file form, and a drawing of the tree.
 *
 * Because the leaves of every group are neighbours, a group is drawn from its range of leaves, and
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

/* The first leaf that comes after a group: group numbers never fall, so halving finds it. */
static uint32_t end_of_group(const pv_hierarchy *tree, unsigned level, uint32_t leaf)
{
    const uint32_t group = pv_hierarchy_group(tree, level, leaf);
    uint32_t low = leaf + 1;
    uint32_t high = tree->n_leaves;
    while (low < high) {
        const uint32_t middle = low + (high - low) / 2;
        if (pv_hierarchy_group(tree, level, middle) == group) {
            low = middle + 1;
        } else {
            high = middle;
        }
    }
    return low;
}

/* The first leaf that is `*` at a level, or the number of leaves. */
static uint32_t first_root(const pv_hierarchy *tree, unsigned level)
{
    const pv_hierarchy_level *const at = &tree->levels[level];
    uint32_t leaf = tree->n_leaves;
    while (at->has_root && leaf > 0 && at->group_of[leaf - 1] == at->n_groups - 1) {
        leaf--;
    }
    return leaf;
}

/* A group and, on the same line, its descendants as long as it has only one child; a child with
 * the same label is not repeated. Returns the level of the last one named. */
static unsigned draw_chain(drawing *d, unsigned level, uint32_t leaf, uint32_t end)
{
    const char *last = label_of_leaf(d->tree, level, leaf);
    pv_i_buffer_text(&d->text, last);
    while (level > 0 && end_of_group(d->tree, level - 1, leaf) == end) {
        level--;
        const char *const label = label_of_leaf(d->tree, level, leaf);
        if (strcmp(label, last) != 0) {
            pv_i_buffer_text(&d->text, " ── ");
            pv_i_buffer_text(&d->text, label);
            last = label;
        }
    }
    return level;
}

static void draw_children(drawing *d, unsigned level, uint32_t leaf, uint32_t end);

/* One branch with all below it; `is_last` ends the line of its parent. */
static void draw_branch(drawing *d, unsigned level, uint32_t leaf, bool is_last)
{
    const uint32_t end = end_of_group(d->tree, level, leaf);
    const uint64_t leaves =
        pv_hierarchy_group_leaves(d->tree, level, pv_hierarchy_group(d->tree, level, leaf));
    const size_t indented = d->indent.size;
    pv_i_buffer_text(&d->text, d->indent.data);
    pv_i_buffer_text(&d->text, is_last ? "└── " : "├── ");
    const unsigned lowest = draw_chain(d, level, leaf, end);
    if (level > 0 && leaves > 1) {
        pv_i_buffer_text(&d->text, " (");
        pv_i_buffer_count(&d->text, leaves);
        pv_i_buffer_char(&d->text, ')');
    }
    pv_i_buffer_char(&d->text, '\n');
    if (lowest > 0) {
        pv_i_buffer_text(&d->indent, is_last ? "    " : "│   ");
        draw_children(d, lowest - 1, leaf, end);
        if (!d->indent.failed) {
            d->indent.size = indented;
            d->indent.data[indented] = '\0';
        }
    }
}

/* The groups of `level` among the leaves up to `end`, those that are to be shown. */
static void draw_children(drawing *d, unsigned level, uint32_t leaf, uint32_t end)
{
    while (leaf < end && leaf < d->shown) {
        const uint32_t next = end_of_group(d->tree, level, leaf);
        draw_branch(d, level, leaf, next >= end || next >= d->shown);
        leaf = next;
    }
}

/* The branches of the root: at each level those that reach it there, the deepest first. */
static void draw_root(drawing *d)
{
    const uint32_t n = d->tree->n_leaves;
    uint32_t leaf = 0;
    for (unsigned level = d->tree->height; level-- > 0;) {
        const uint32_t end = level > 0 ? first_root(d->tree, level) : n;
        while (leaf < end && leaf < d->shown) {
            const uint32_t next = end_of_group(d->tree, level, leaf);
            draw_branch(d, level, leaf, next == n && d->shown == n);
            leaf = next;
        }
    }
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
