/* Reading a mapping by a table of its keys, and its values by what they must be. Whatever is not in
 * the table is an error that says where, what was probably meant and what is allowed. */
#ifndef PV_PLAN_KEYS_H
#define PV_PLAN_KEYS_H

#include "plan/document.h"

#include <paravent/decimal.h>
#include <paravent/status.h>

/* `value->key` is the key as written. */
typedef pv_status (*pv_take_fn)(const char *file, const pv_node *value, void *target,
                                pv_error *error);

typedef struct pv_plan_key {
    const char *name;
    pv_take_fn take;
} pv_plan_key;

/* Tables end with a NULL name. `where` completes "unknown key in ...". Calls the taker of every key
 * in the order of the file. */
PV_CHECKED pv_status pv_i_take_keys(const pv_plan_key *keys, const char *where, const char *file,
                                    const pv_node *mapping, void *target, pv_error *error);

PV_CHECKED pv_status pv_i_fail_key(const pv_plan_key *keys, const char *where, const char *file,
                                   const pv_node *key, pv_error *error);

/* One of a few words; tables end with a NULL text. */
typedef struct pv_word {
    const char *text;
    int value;
} pv_word;

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

#endif
