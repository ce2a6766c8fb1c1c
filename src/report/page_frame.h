/* Pages that need nothing but themselves: the frame, the look and the small parts that the
 * certificate of a release and the picture of a front share. */
#ifndef PV_REPORT_PAGE_FRAME_H
#define PV_REPORT_PAGE_FRAME_H

#include "report/assets.h"

#include <stddef.h>

/* Everything up to the first section. The title is `what` and then `name`, somebody's text. The
 * parts of `style`, up to a NULL, are added to the common one; NULL = nothing to add. */
void pv_i_page_begin(pv_buffer *out, const char *what, const char *name,
                     const pv_asset *const *style);
void pv_i_page_end(pv_buffer *out);

/* The header: what this page is, about which file, and in one sentence what it says. Between begin
 * and end stand the sentence in <h1> and what explains it. */
typedef enum pv_page_mood { PV_PAGE_GOOD = 0, PV_PAGE_WARN, PV_PAGE_BAD } pv_page_mood;

void pv_i_page_header_begin(pv_buffer *out, const char *what, const char *name, pv_page_mood mood);
void pv_i_page_header_end(pv_buffer *out);

/* A name written by strangers: escaped, and kept from reordering the text around it. */
void pv_i_page_name(pv_buffer *out, const char *name);
void pv_i_page_names(pv_buffer *out, const char *const *names, size_t n);

/* Key figures, inside <dl class="figures">: begin, the figure, note, the note, end. */
void pv_i_page_figure_begin(pv_buffer *out, const char *what);
void pv_i_page_figure_note(pv_buffer *out);
void pv_i_page_figure_end(pv_buffer *out);

void pv_i_page_picture_begin(pv_buffer *out, const char *title, const char *note);
void pv_i_page_picture_end(pv_buffer *out);

/* A table that folds into cards on a narrow screen; `head` is the markup of its header cells. */
void pv_i_page_table_begin(pv_buffer *out, const char *head);
void pv_i_page_table_end(pv_buffer *out);
/* A cell that can name itself when the table is folded. */
void pv_i_page_cell_begin(pv_buffer *out, const char *name, const char *class_name);
void pv_i_page_cell_end(pv_buffer *out);

/* What stands under every page that describes the original table. */
#define PV_PAGE_FOR_PUBLISHER \
    "It describes the original table: it is for the publisher and must not be published."

#endif
