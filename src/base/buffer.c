/* A growable string whose failure is remembered. */
#include "base/buffer.h"

#include "base/checked.h"
#include "base/error.h"
#include "base/markup.h"
#include "base/memory.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

void pv_i_buffer_deinit(pv_buffer *buffer)
{
    pv_i_free(buffer->data);
    *buffer = (pv_buffer){0};
}

void pv_i_buffer_clear(pv_buffer *buffer)
{
    buffer->size = 0;
    if (buffer->data != NULL) {
        buffer->data[0] = '\0';
    }
}

/* Room for `size` more bytes and the final NUL. */
static bool make_room(pv_buffer *buffer, size_t size)
{
    size_t needed;
    if (buffer->failed || !pv_i_add_size(buffer->size, size, &needed) ||
        !pv_i_add_size(needed, 1, &needed) ||
        !pv_i_reserve((void **)&buffer->data, &buffer->capacity, needed, 1)) {
        buffer->failed = true;
        return false;
    }
    return true;
}

void pv_i_buffer_reserve(pv_buffer *buffer, size_t size)
{
    (void)make_room(buffer, size);
}

void pv_i_buffer_bytes(pv_buffer *buffer, const void *data, size_t size)
{
    if (make_room(buffer, size)) {
        if (size > 0) {
            memcpy(buffer->data + buffer->size, data, size);
        }
        buffer->size += size;
        buffer->data[buffer->size] = '\0';
    }
}

void pv_i_buffer_text(pv_buffer *buffer, const char *text)
{
    pv_i_buffer_bytes(buffer, text, strlen(text));
}

void pv_i_buffer_char(pv_buffer *buffer, char c)
{
    pv_i_buffer_bytes(buffer, &c, 1);
}

void pv_i_buffer_format(pv_buffer *buffer, const char *format, ...)
{
    va_list args;
    va_list again;
    va_start(args, format);
    va_copy(again, args);
    const int size = vsnprintf(NULL, 0, format, args);
    va_end(args);
    if (size < 0) {
        buffer->failed = true;
    } else if (make_room(buffer, (size_t)size)) {
        (void)vsnprintf(buffer->data + buffer->size, (size_t)size + 1, format, again);
        buffer->size += (size_t)size;
    }
    va_end(again);
}

void pv_i_buffer_count(pv_buffer *buffer, uint64_t n)
{
    pv_i_buffer_text(buffer, PV_COUNT(n));
}

pv_status pv_i_buffer_take(pv_buffer *buffer, char **text, pv_error *error)
{
    if (buffer->data == NULL) {
        pv_i_buffer_bytes(buffer, "", 0);
    }
    if (buffer->failed) {
        pv_i_buffer_deinit(buffer);
        return pv_i_no_memory(error);
    }
    *text = buffer->data;
    *buffer = (pv_buffer){0};
    return PV_STATUS_OK;
}
