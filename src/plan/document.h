/* A plan file as a small tree of nodes, each knowing where it stands: libyaml's events with the
 * line and column that a good error message needs. JSON is YAML, so scheme files come this way too.
 */
#ifndef PV_PLAN_DOCUMENT_H
#define PV_PLAN_DOCUMENT_H

#include "base/arena.h"

#include <paravent/status.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Scheme files hold whole hierarchies inline, so these are generous; they exist because a file of
 * unknown origin must not be able to eat the machine. */
#define PV_DOCUMENT_MAX_SIZE ((size_t)64 << 20)
#define PV_DOCUMENT_MAX_NODES ((size_t)1 << 23)
#define PV_DOCUMENT_MAX_DEPTH 64

typedef enum pv_node_kind { PV_NODE_SCALAR = 0, PV_NODE_SEQUENCE, PV_NODE_MAPPING } pv_node_kind;

typedef struct pv_node pv_node;
struct pv_node {
    pv_node_kind kind;
    bool plain;            /* a scalar written without quotes */
    uint32_t line, column; /* 1-based, in characters */
    const char *text;      /* of a scalar; holds no NUL but the last */
    const pv_node *key;    /* of a value in a mapping, a scalar; NULL elsewhere */
    pv_node *first;        /* the first item or value */
    pv_node *next;         /* the next one in the same parent */
    size_t n_items;
};

/* Where a node stands, for pv_i_fail_at. */
#define PV_AT(file, node) (file), (node)->line, (node)->column

/* Zero-initialised = empty. */
typedef struct pv_document {
    pv_arena arena;
    pv_node *root; /* NULL if the file holds nothing */
    size_t n_nodes;
} pv_document;

/* Refuses what a plan has no use for and what could hide something: aliases, anchors, tags, several
 * documents, a key written twice. `file` is used in messages. The document must be deinitialised
 * even after a failure. */
PV_CHECKED pv_status pv_i_document_parse(pv_document *document, const char *file, const char *text,
                                         size_t size, pv_error *error);
void pv_i_document_deinit(pv_document *document);

/* The value under a key of a mapping, or NULL. */
const pv_node *pv_i_node_get(const pv_node *mapping, const char *key);

#endif
