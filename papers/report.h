/* What the reports on papers have in common: their tables, their searches, and how they end.
 *
 * A report is a program of its own, not part of the library: where something fails it says so and
 * ends. */
#ifndef PV_PAPERS_REPORT_H
#define PV_PAPERS_REPORT_H

#include "base/buffer.h"
#include "front/front.h"

#include <paravent/paravent.h>

enum { THREADS = 2 };

/* Ends the program unless `holds`. */
void require(bool holds, const char *what);

/* ----------------------------------------------------------------- tables */

typedef struct source {
    bool adult;         /* or the built-in census */
    const char *folder; /* of the table and its plans */
} source;

typedef struct opened {
    pv_plan *plan;
    pv_study *study;
    pv_profile *profile;
} opened;

/* With a label for cm, if asked for; with the first `most` quasi-identifiers, the others left out.
 */
opened report_open(const source *from, bool label, size_t most);
/* The table through a plan, which then belongs to it. */
opened report_open_plan(pv_plan *plan);
void report_close(opened *table);

/* A plan of the folder. */
pv_plan *report_plan(const char *folder, const char *name);
/* Only the first `most` quasi-identifiers of a plan remain such. */
void report_leave_out(pv_plan *plan, size_t most);

/* --------------------------------------------------------------- searches */

extern const pv_context report_context;

pv_front *report_search(const opened *table, const pv_search_options *options);

/* Is the i-th point of a front on another, by its values? */
bool report_is_on(const pv_front *front, size_t i, const pv_front *other);

/* ------------------------------------------------------------------ files */

/* Writes a file of the folder and empties the text. */
void report_save(const char *folder, const char *name, pv_buffer *text);

#endif
