/* Where in a text the parts of a document are, for code that changes one part and leaves the rest:
 * bytes, line ends, comments. All positions are byte offsets. */
#ifndef PV_PLAN_PLACES_H
#define PV_PLAN_PLACES_H

#include "plan/document.h"

/* A text and the document it was read as. Set text, size and document; pv_i_source_begin does the
 * rest. */
typedef struct pv_source {
    const char *text;
    size_t size;
    size_t head;         /* after the byte order mark */
    const char *newline; /* its own kind of line end */
    uint32_t known_character;
    size_t known_byte; /* where that is: the next place is mostly not far from it */
} pv_source;

#define PV_NOWHERE SIZE_MAX

pv_source pv_i_source_begin(const char *text, size_t size);

size_t pv_i_byte(pv_source *s, uint32_t character);
char pv_i_char_at(const pv_source *s, size_t at); /* '\0' at the end */

/* After the blanks here; after blanks, comments and line ends; where the line ends, if nothing but
 * blanks and a comment follow. */
size_t pv_i_after_blanks(const pv_source *s, size_t at);
size_t pv_i_next_token(const pv_source *s, size_t at);
size_t pv_i_line_end(const pv_source *s, size_t at);
bool pv_i_ends_line(const pv_source *s, size_t at); /* does nothing else follow? */
size_t pv_i_line_start(const pv_source *s, size_t at);
size_t pv_i_after_break(const pv_source *s, size_t at);  /* the same place, if none begins here */
size_t pv_i_before_break(const pv_source *s, size_t at); /* the same place, if none ends here */
bool pv_i_only_blank(const pv_source *s, size_t from, size_t to); /* blanks and line ends? */
/* Nothing but blanks before it in its line. */
bool pv_i_begins_line(const pv_source *s, size_t at);

bool pv_i_is_flow(pv_source *s, const pv_node *collection); /* in brackets or braces? */
bool pv_i_is_block_text(pv_source *s, const pv_node *node); /* a scalar after | or >? */
/* After the colon between a value and its key; PV_NOWHERE if there is none. */
size_t pv_i_after_colon(pv_source *s, const pv_node *mapping, const pv_node *value);
/* After the last character that belongs to an entry of a mapping; a text in block style ends before
 * the blank lines after it. */
size_t pv_i_entry_end(pv_source *s, const pv_node *mapping, const pv_node *value);
/* Where the entry begins: the key, or the ? before it. `before` is the one before it, or NULL. */
size_t pv_i_entry_start(pv_source *s, const pv_node *mapping, const pv_node *before,
                        const pv_node *value);
/* The last scalar or flow collection in a value, which ends it. */
const pv_node *pv_i_last_part(pv_source *s, const pv_node *value);

const pv_node *pv_i_node_last(const pv_node *collection);                        /* or NULL */
const pv_node *pv_i_node_before(const pv_node *collection, const pv_node *item); /* or NULL */

#endif
