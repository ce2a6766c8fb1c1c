/* JSON that plan readers, which are YAML readers, read again. */
#ifndef PV_SCHEME_JSON_TEXT_H
#define PV_SCHEME_JSON_TEXT_H

#include <jansson.h>
#include <paravent/status.h>
#include <stdbool.h>

/* A YAML reader takes no longer key from a JSON file. */
#define PV_JSON_LONGEST_KEY 1000

/* The caller frees the text with pv_string_free. */
PV_CHECKED pv_status pv_i_json_dump(const json_t *root, char **text, pv_error *error);

/* jansson refuses text that is not UTF-8 just as it refuses when memory runs out; these say which
 * apart. */
bool pv_i_json_has_memory(void);
bool pv_i_json_is_utf8(const char *text);

#endif
