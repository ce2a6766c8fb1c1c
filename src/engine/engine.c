/* The engines this build knows, and what all of them use. */
#include "engine/engine.h"

#include "base/error.h"
#include "base/memory.h"
#include "engine/library.h"

#include <dlfcn.h>
#include <stddef.h>

const pv_engine *const pv_i_engines[] = {
#ifdef PV_HAVE_LIBPQ
    &pv_i_engine_postgresql,
#endif
#ifdef PV_HAVE_CURL
    &pv_i_engine_clickhouse,
#endif
    &pv_i_engine_duckdb,
#ifdef PV_HAVE_ODBC
    &pv_i_engine_odbc,
#endif
    NULL,
};

/* ------------------------------------------------------------------ columns */

void pv_i_engine_columns_deinit(pv_engine_columns *columns)
{
    for (size_t i = 0; i < columns->n; i++) {
        pv_i_free(columns->columns[i].name);
        pv_i_free(columns->columns[i].type);
    }
    pv_i_free(columns->columns);
    *columns = (pv_engine_columns){0};
}

pv_status pv_i_engine_columns_add(pv_engine_columns *columns, const char *name, size_t name_size,
                                  const char *type, pv_error *error)
{
    pv_engine_column column = {.name = pv_i_strndup(name, name_size), .type = pv_i_strdup(type)};
    if (column.name == NULL || column.type == NULL ||
        !pv_i_reserve((void **)&columns->columns, &columns->capacity, columns->n + 1,
                      sizeof *columns->columns)) {
        pv_i_free(column.name);
        pv_i_free(column.type);
        return pv_i_no_memory(error);
    }
    columns->columns[columns->n++] = column;
    return PV_STATUS_OK;
}

/* ---------------------------------------------------------------- libraries */

/* The client libraries of engines are opened when an engine is asked for: a command that needs none
 * of them starts without, and runs where they are not installed. They are never unloaded: what they
 * keep for each thread (libpq does, by GSSAPI) is found again only by themselves. */
pv_status pv_i_library_open(const char *title, const char *const *names, const char *remedy,
                            void **library, pv_error *error)
{
    for (; *names != NULL; names++) {
        void *const opened = dlopen(*names, RTLD_NOW | RTLD_LOCAL | RTLD_NODELETE);
        if (opened != NULL) {
            *library = opened;
            return PV_STATUS_OK;
        }
    }
    return pv_i_hint(pv_i_fail(error, PV_STATUS_UNSUPPORTED,
                               "%s cannot be used: its client library is not installed", title),
                     error, "%s", remedy);
}

pv_status pv_i_library_find(void *library, const char *title, const char *const *symbols, size_t n,
                            void **functions, pv_error *error)
{
    for (size_t i = 0; i < n; i++) {
        functions[i] = dlsym(library, symbols[i]);
        if (functions[i] == NULL) {
            return pv_i_fail(error, PV_STATUS_UNSUPPORTED,
                             "the client library of %s is too old or too new: it has no %s", title,
                             symbols[i]);
        }
    }
    return PV_STATUS_OK;
}

void pv_i_library_close(void *library)
{
    if (library != NULL) {
        (void)dlclose(library);
    }
}
