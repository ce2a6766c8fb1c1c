/* The one door to the heap: every allocation of the library goes through here, with its size
 * checked before it is multiplied. Tests close the door at the n-th call to exercise every failure
 * path. */
#ifndef PV_BASE_MEMORY_H
#define PV_BASE_MEMORY_H

#include <stdbool.h>
#include <stddef.h>

/* All return NULL on failure or overflow. A request for nothing returns a pointer that can be
 * freed. */
void *pv_i_malloc(size_t size);
void *pv_i_array(size_t n, size_t size);  /* uninitialised */
void *pv_i_zeroed(size_t n, size_t size); /* zero bytes */
void *pv_i_resize(void *old, size_t n, size_t size);
char *pv_i_strdup(const char *text);
char *pv_i_strndup(const char *text, size_t length);
void pv_i_free(void *memory); /* NULL is fine */

/* Makes room for at least `needed` elements, at least doubling. False on failure; the array is
 * intact. */
bool pv_i_reserve(void **array, size_t *capacity, size_t needed, size_t size);

#define PV_NEW(type) ((type *)pv_i_zeroed(1, sizeof(type)))
#define PV_NEW_ARRAY(type, n) ((type *)pv_i_array((n), sizeof(type)))
#define PV_NEW_ZEROED(type, n) ((type *)pv_i_zeroed((n), sizeof(type)))

#endif
