/* A growable string whose failure is remembered: append freely, look once at the end. */
#ifndef PV_BASE_BUFFER_H
#define PV_BASE_BUFFER_H

#include <paravent/status.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Zero-initialised = empty. `data` is NUL-terminated once anything was appended. */
typedef struct pv_buffer {
    char *data;
    size_t size;
    size_t capacity;
    bool failed;
} pv_buffer;

void pv_i_buffer_deinit(pv_buffer *buffer);
void pv_i_buffer_clear(pv_buffer *buffer); /* keeps the memory */
/* Room for so many more bytes, which need not be asked for piece by piece then. */
void pv_i_buffer_reserve(pv_buffer *buffer, size_t size);
void pv_i_buffer_bytes(pv_buffer *buffer, const void *data, size_t size);
void pv_i_buffer_text(pv_buffer *buffer, const char *text);
void pv_i_buffer_char(pv_buffer *buffer, char c);
void pv_i_buffer_format(pv_buffer *buffer, const char *format, ...) PV_PRINTF(2, 3);
/* A count with thousands separated by commas: 30,162. */
void pv_i_buffer_count(pv_buffer *buffer, uint64_t n);
/* Hands the string over (pv_string_free), or fails if memory ran out on the way. */
PV_CHECKED pv_status pv_i_buffer_take(pv_buffer *buffer, char **text, pv_error *error);

#endif
