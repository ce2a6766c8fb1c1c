/* Text for pages and pictures: escaped, valid, and the same in every locale. */
#ifndef PV_BASE_MARKUP_H
#define PV_BASE_MARKUP_H

#include "base/buffer.h"

#include <stddef.h>
#include <stdint.h>

/* Appends text that was written by strangers (column names, labels): `<`, `&` and quotes become
 * entities; bytes that are not UTF-8 and control characters become U+FFFD. */
void pv_i_markup_text(pv_buffer *out, const char *text);
/* The same between two pieces of markup. */
void pv_i_markup_between(pv_buffer *out, const char *before, const char *text, const char *after);
/* The same without entities: valid UTF-8 for other formats. */
void pv_i_markup_clean(pv_buffer *out, const char *text);

/* Numbers as text, returned by value so that they can be arguments of pv_i_buffer_format:
 *
 *     pv_i_buffer_format(out, "%s of %s", PV_COUNT(n), PV_PERCENT(share));
 *
 * The text lives until the end of the full expression. */
typedef struct pv_number_text {
    char text[336]; /* the largest double has 309 digits */
} pv_number_text;

#define PV_COUNT(n) pv_i_count_text(n).text /* 30,162 */
#define PV_SHORT(x, places) pv_i_short_text(x, places).text
#define PV_FIGURE(x) pv_i_figure_text(x).text
#define PV_PERCENT(share) pv_i_percent_text(share).text /* markup: &lt;0.01% */
#define PV_PLAIN_PERCENT(share) pv_i_plain_percent_text(share).text

pv_number_text pv_i_count_text(uint64_t n);
pv_number_text pv_i_short_text(double value, unsigned decimals);
pv_number_text pv_i_figure_text(double value);
pv_number_text pv_i_percent_text(double share);
pv_number_text pv_i_plain_percent_text(double share);

/* A number with at most `decimals` (0..9) places, rounded half away from zero, without zeros at the
 * end; a point whatever the locale says; no minus before zero. Not finite: a dash. */
void pv_i_markup_short(pv_buffer *out, double value, unsigned decimals);
/* For people: whole numbers with thousands separated, others with about four significant digits. */
void pv_i_markup_figure(pv_buffer *out, double value);
/* A share as a percentage: 12.3%, 0.04%, <0.01%. */
void pv_i_markup_percent(pv_buffer *out, double share);

#endif
