/* Pages that need nothing but themselves: the frame, the look and the small parts that all of them
 * share. */
#ifndef PV_REPORT_PAGE_FRAME_H
#define PV_REPORT_PAGE_FRAME_H

#include "report/assets.h"

#include <stddef.h>

/* Everything up to the first section. The title is `what` and then `name`, somebody's text. The
 * parts of `style`, up to a NULL, are added to the common one; NULL = nothing to add. */
void pv_i_page_begin(pv_buffer *out, const char *what, const char *name,
                     const pv_asset *const *style);
void pv_i_page_end(pv_buffer *out);
/* The end of a page that describes the original table and reacts to its reader: `about` says which
 * values of the table are on it; `more`, a script to follow assets/page.js, may be NULL.
 *
 * What that script does: whatever in a picture has a <title> and data-p (or the class "tell") shows
 * it beside the pointer and where the keyboard is; data-p is the same in the pictures and in the
 * row of a table that belongs to it, and a click keeps them marked. */
void pv_i_page_end_private(pv_buffer *out, const char *about, const pv_asset *more);

/* The header: what this page is, about which file, and in one sentence what it says. Between begin
 * and end come the sentence in <h1> and what explains it. */
typedef enum pv_page_mood { PV_PAGE_GOOD = 0, PV_PAGE_WARN, PV_PAGE_BAD } pv_page_mood;

void pv_i_page_header_begin(pv_buffer *out, const char *what, const char *name, pv_page_mood mood);
void pv_i_page_header_end(pv_buffer *out);

/* A name written by strangers: escaped, and kept from reordering the text around it. */
void pv_i_page_name(pv_buffer *out, const char *name);
void pv_i_page_names(pv_buffer *out, const char *const *names, size_t n);

/* A key figure, inside <dl class="figures">; all three are markup. The part after the note may be
 * a picture: leave it open with pv_i_page_figure_begin, and end it. */
void pv_i_page_figure_begin(pv_buffer *out, const char *what, const char *value, const char *note);
void pv_i_page_figure_end(pv_buffer *out);

void pv_i_page_picture_begin(pv_buffer *out, const char *title, const char *note);
void pv_i_page_picture_end(pv_buffer *out);

/* A table that folds into cards on a narrow screen; `head` is the markup of its header cells. */
void pv_i_page_table_begin(pv_buffer *out, const char *head);
void pv_i_page_table_end(pv_buffer *out);
/* A cell that can name itself when the table is folded; or all of it at once. */
void pv_i_page_cell_begin(pv_buffer *out, const char *name, const char *class_name);
void pv_i_page_cell_end(pv_buffer *out);
void pv_i_page_cell(pv_buffer *out, const char *name, const char *class_name, const char *markup);

/* At the foot of every page that describes the original table. */
#define PV_PAGE_FOR_PUBLISHER \
    "It describes the original table: it is for the publisher and must not be published."

#endif
