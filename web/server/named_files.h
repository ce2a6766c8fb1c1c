/* The files that a plan names, as they were at one moment: to notice that somebody changed one. */
#ifndef WEB_SERVER_NAMED_FILES_H
#define WEB_SERVER_NAMED_FILES_H

#include <jansson.h>
#include <stdbool.h>

typedef struct web_named_files web_named_files;

/* As they are now; none of them is opened. A plan that cannot be read names none. */
web_named_files *web_named_files_look(const char *plan_path, const char *plan_text);
web_named_files *web_named_files_copy(const web_named_files *files);
/* The names of those that are not as they were, in the order of the plan; an empty list = none. */
json_t *web_named_files_changed(const web_named_files *files);
void web_named_files_free(web_named_files *files); /* NULL is fine */

/* Do two plans differ in nothing but what is demanded, and how many rows may be suppressed? They
 * then see the same table in the same way. */
bool web_plans_see_alike(const char *one, const char *other);

#endif
