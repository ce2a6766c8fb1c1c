/* Tables of one database that share a key, as if their rows lay side by side: the database matches
 * them, equal combinations travel once, with how many they are, and are taken apart here.
 *
 *     line        37,man,1234 | 35-39,* | 12        12 people, in the original and in a release
 *     tables[0]   37 man 1234                       an entry of 12 rows
 *     tables[1]   35-39 *                           an entry of 12 rows, which are
 *     from[1]     0                                 those of entry 0
 *
 * So it is as if the tables had been read, and their rows matched here (compare/released_file.c).
 * Keys are values, which may be spelled in several ways: 1 and 1.0, an empty field and `NA`. A
 * database knows texts only. Where that could make a difference nothing is decided, and the rows
 * have to be read. It makes none if every row is matched by a text, and if no two keys of the first
 * table are one value: then all others, whose texts are among them, are different values, too. */
#ifndef PV_ENGINE_JOIN_H
#define PV_ENGINE_JOIN_H

#include <paravent/context.h>
#include <paravent/table.h>

/* What is joined: everything is borrowed. */
typedef struct pv_join {
    const char *const *places;
    size_t n;        /* 2 or more; the others are matched with the first */
    const char *key; /* a column of all of them */
    /* How each is read. Columns are chosen by options->keep: the first table's last. */
    const pv_read_options *options;
    pv_type key_type; /* as declared; PV_TYPE_AUTO = as found */
} pv_join;

typedef struct pv_joined {
    size_t n; /* as many as were joined; 0 = that could not be decided where they are */
    pv_table **tables;
    uint64_t **from; /* entries of the first table, for each entry of each table */
    /* If nothing was joined because a table surely has keys that come up again: in how many rows,
     * and which table is the first such one. */
    uint64_t repeated;
    size_t repeated_in;
} pv_joined;

/* PV_STATUS_OK without tables: whoever asked reads them one by one, and finds out what is wrong
 * with them, if anything is. Deinitialise even after a failure. */
PV_CHECKED pv_status pv_i_join(const pv_join *join, const pv_context *context, pv_joined *joined,
                               pv_error *error);
void pv_i_joined_deinit(pv_joined *joined);

/* The statements that would run; NULL = rows would be read. The caller frees them with
 * pv_string_free. */
PV_CHECKED pv_status pv_i_join_explain(const pv_join *join, const pv_context *context,
                                       char **statements, pv_error *error);

#endif
