/* Writing a text so that YAML reads the same text back. */
#ifndef PV_PLAN_YAML_TEXT_H
#define PV_PLAN_YAML_TEXT_H

#include "base/buffer.h"

/* Can the text stand in a YAML file at all? It must be UTF-8. */
bool pv_i_yaml_can_hold(const char *text);
/* Appends it as it is where that is unmistakable, otherwise in double quotes with escapes. */
void pv_i_yaml_scalar(pv_buffer *buffer, const char *text);

#endif
