/* The file form of a hierarchy, `value;level1;...;*`, from memory. */
#ifndef PV_HIERARCHY_HIERARCHY_FILE_H
#define PV_HIERARCHY_HIERARCHY_FILE_H

#include <paravent/hierarchy.h>
#include <stddef.h>

/* What pv_hierarchy_spec_read does with the content of a file; `name` is used in messages. */
PV_CHECKED pv_status pv_i_hierarchy_spec_parse(const char *name, const char *data, size_t size,
                                               pv_hierarchy_spec *spec, pv_error *error);

#endif
