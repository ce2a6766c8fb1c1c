/* Client libraries of engines, opened when they are needed. The headers are there when building, so
 * that a table of functions is typed:
 *
 *     #define FUNCTIONS(X) X(PQconnectdb) X(PQfinish)
 *     typedef struct {
 *     #define X(name) __typeof__(name) *name;
 *         FUNCTIONS(X)
 *     #undef X
 *     } functions;                                   in the connection: no globals
 *     static const char *const symbols[] = {"PQconnectdb", "PQfinish"};
 */
#ifndef PV_ENGINE_LIBRARY_H
#define PV_ENGINE_LIBRARY_H

#include <paravent/status.h>
#include <stddef.h>

/* Opens the first of `names` (NULL-terminated) that is there; `remedy` says what to install. */
PV_CHECKED pv_status pv_i_library_open(const char *title, const char *const *names,
                                       const char *remedy, void **library, pv_error *error);
/* Finds all symbols, in their order. */
PV_CHECKED pv_status pv_i_library_find(void *library, const char *title, const char *const *symbols,
                                       size_t n, void **functions, pv_error *error);
/* What was opened is needed no longer. NULL is fine. */
void pv_i_library_close(void *library);

#endif
