/* What plan_edit.c was told to do, and whether a document is what that should have made of
 * another. */
#ifndef PV_PLAN_EDIT_PROOF_H
#define PV_PLAN_EDIT_PROOF_H

#include "plan/document.h"

/* A path of keys, or what is still to go of it. */
typedef struct pv_way {
    const char *const *keys;
    size_t n;
} pv_way;

bool pv_i_is_empty(const pv_node *node); /* no value at all; "" is one */
size_t pv_i_depth(const pv_node *node);  /* of lists and mappings within each other */

/* Is `now` what `was` should have become? `was` is NULL where nothing was; `value` NULL = the key
 * at the end of the way is removed. */
bool pv_i_is_meant(const pv_node *was, const pv_node *now, pv_way w, const pv_node *value);

/* Reads the new value of `key`; mistakes are PV_STATUS_ARGUMENT. The document must be
 * deinitialised even after a failure. */
PV_CHECKED pv_status pv_i_read_value(pv_document *document, const char *value, const char *key,
                                     pv_error *error);

#endif
