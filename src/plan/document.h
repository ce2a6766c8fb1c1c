/* A plan file as a small tree of nodes, each knowing where it was written: libyaml's events with
 * the line and column that a good error message needs. JSON is YAML, so scheme files come this way
 * too.
 *
 * Mappings are read by a table of their keys, and values by what they must be. Whatever is not in
 * the table is an error that says where, what was probably meant and what is allowed. */
#ifndef PV_PLAN_DOCUMENT_H
#define PV_PLAN_DOCUMENT_H

#include "base/arena.h"
#include "base/buffer.h"

#include <paravent/decimal.h>
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
    /* From where to where, in characters after the byte order mark. A block mapping or block list
     * ends anywhere before what follows it, perhaps after comments. */
    uint32_t start, end;
    const char *text;   /* of a scalar; holds no NUL but the last */
    const pv_node *key; /* of a value in a mapping, a scalar; NULL elsewhere */
    pv_node *first;     /* the first item or value */
    pv_node *next;      /* the next one in the same parent */
    size_t n_items;
};

/* Where a node was written, for pv_i_fail_at. */
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

/* -------------------------------------------------------- mappings and values */

/* `value->key` is the key as written. */
typedef pv_status (*pv_take_fn)(const char *file, const pv_node *value, void *target,
                                pv_error *error);

/* One of a few words; tables end with a NULL text. */
typedef struct pv_word {
    const char *text;
    int value;
} pv_word;

/* What most keys give can be said in their table: what it must be, and the field of the target that
 * it goes into. */
typedef enum pv_key_kind {
    PV_KEY_LATER = 0, /* anything: looked up when the others are known */
    PV_KEY_CHECK,     /* one of the words, and nothing follows from it */
    PV_KEY_SWITCH,    /* one of the words, into a bool */
    PV_KEY_CHOICE,    /* one of the words, into an enum */
    PV_KEY_TEXT,      /* into a char *, see pv_i_take_text */
    PV_KEY_TEXTS,     /* into a char **, see pv_i_take_texts */
    PV_KEY_DECIMAL    /* into a pv_decimal */
} pv_key_kind;

typedef struct pv_plan_key {
    const char *name;
    pv_take_fn take; /* where no kind fits; else NULL */
    pv_key_kind kind;
    size_t at; /* offset of the field */
    const pv_word *words;
} pv_plan_key;

#define PV_KEY(name, take)                    \
    {                                         \
        (name), (take), PV_KEY_LATER, 0, NULL \
    }
#define PV_KEY_INTO(name, kind, type, field, words)          \
    {                                                        \
        (name), NULL, (kind), offsetof(type, field), (words) \
    }

/* Tables end with a NULL name. `where` completes "unknown key in ...". Takes every key in the order
 * of the file. */
PV_CHECKED pv_status pv_i_take_keys(const pv_plan_key *keys, const char *where, const char *file,
                                    const pv_node *mapping, void *target, pv_error *error);

PV_CHECKED pv_status pv_i_fail_key(const pv_plan_key *keys, const char *where, const char *file,
                                   const pv_node *key, pv_error *error);

/* All of the following fail, at the node, if it is something else. `name` is how messages call it,
 * mostly the key. */
PV_CHECKED pv_status pv_i_take_word(const char *name, const pv_word *words, const char *file,
                                    const pv_node *node, int *value, pv_error *error);
PV_CHECKED pv_status pv_i_need_mapping(const char *name, const char *file, const pv_node *node,
                                       const char *example, pv_error *error);
PV_CHECKED pv_status pv_i_need_list(const char *name, const char *file, const pv_node *node,
                                    const char *example, pv_error *error);
/* A scalar; empty text only if it is in quotes. */
PV_CHECKED pv_status pv_i_need_text(const char *name, const char *file, const pv_node *node,
                                    pv_error *error);
PV_CHECKED pv_status pv_i_take_decimal(const char *name, const char *file, const pv_node *node,
                                       pv_decimal *decimal, pv_error *error);
/* A list of numbers, perhaps empty, freed with pv_i_free; untouched on failure. */
PV_CHECKED pv_status pv_i_take_decimals(const char *name, const char *file, const pv_node *node,
                                        pv_decimal **decimals, size_t *n, pv_error *error);
/* A whole number between the bounds. */
PV_CHECKED pv_status pv_i_take_count(const char *name, const char *file, const pv_node *node,
                                     uint64_t lowest, uint64_t highest, uint64_t *count,
                                     pv_error *error);
/* A copy the caller frees with pv_i_free; what was there before is freed. */
PV_CHECKED pv_status pv_i_take_text(const char *name, const char *file, const pv_node *node,
                                    char **text, pv_error *error);
/* A list of texts, or one text alone; NULL-terminated, each freed with pv_i_free. On failure
 * nothing is left to free. */
PV_CHECKED pv_status pv_i_take_texts(const char *name, const char *file, const pv_node *node,
                                     char ***texts, size_t *n_texts, pv_error *error);

void pv_i_texts_free(char **texts); /* NULL is fine */

/* -------------------------------------------------------------------- writing */

/* Can the text be in a YAML file at all? It must be UTF-8. */
bool pv_i_yaml_can_hold(const char *text);
/* Appends it as it is where that is unmistakable, otherwise in double quotes with escapes. */
void pv_i_yaml_scalar(pv_buffer *buffer, const char *text);

bool pv_i_is_json_literal(const char *text); /* a number or word of JSON? */

/* How values are written that come into a text of somebody else's. */
typedef struct pv_flow_style {
    bool json;           /* that a reader of JSON takes, in one line; else broken at 100 columns */
    const char *newline; /* as in the rest of the text */
} pv_flow_style;

/* Appends `{role: quasi, hierarchy: {intervals: [5, 10]}}`, with quotes where YAML needs them. The
 * node must have no empty scalar without quotes in it. */
void pv_i_yaml_flow(pv_buffer *out, const pv_node *node, const pv_flow_style *style);
/* Appends `key:`; or, if it is very long, `? key` and the colon in a line of its own, so far in. */
void pv_i_yaml_key(pv_buffer *out, const char *key, const pv_flow_style *style, size_t indent);

#endif
