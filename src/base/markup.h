/* Text for pages and pictures: escaped, valid, and the same in every locale. */
#ifndef PV_BASE_MARKUP_H
#define PV_BASE_MARKUP_H

#include "base/buffer.h"

#include <stddef.h>
#include <stdint.h>

/* Appends text that was written by strangers (column names, labels): `<`, `&` and quotes become
 * entities; bytes that are not UTF-8 and control characters become U+FFFD. */
void pv_i_markup_text(pv_buffer *out, const char *text);
/* The same without entities: valid UTF-8 for other formats. */
void pv_i_markup_clean(pv_buffer *out, const char *text);

/* A number with at most `decimals` (0..9) places, rounded half away from zero, without zeros at the
 * end; a point whatever the locale says; no minus before zero. Not finite: a dash. */
void pv_i_markup_short(pv_buffer *out, double value, unsigned decimals);
/* For people: whole numbers with thousands separated, others with about four significant digits. */
void pv_i_markup_figure(pv_buffer *out, double value);
/* A share as a percentage: 12.3%, 0.04%, <0.01%. */
void pv_i_markup_percent(pv_buffer *out, double share);
/* The same as plain text, to be escaped later or not at all. */
void pv_i_plain_percent(pv_buffer *out, double share);

#endif
