/* The one door to the heap. */
#include "base/memory.h"

#include "base/checked.h"

#include <paravent/status.h>
#include <stdlib.h>
#include <string.h>

void *pv_i_malloc(size_t size)
{
    return malloc(size > 0 ? size : 1);
}

void *pv_i_array(size_t n, size_t size)
{
    size_t bytes;
    return pv_i_mul_size(n, size, &bytes) ? pv_i_malloc(bytes) : NULL;
}

void *pv_i_zeroed(size_t n, size_t size)
{
    size_t bytes;
    if (!pv_i_mul_size(n, size, &bytes)) {
        return NULL;
    }
    return calloc(bytes > 0 ? bytes : 1, 1);
}

void *pv_i_resize(void *old, size_t n, size_t size)
{
    size_t bytes;
    if (!pv_i_mul_size(n, size, &bytes)) {
        return NULL;
    }
    return realloc(old, bytes > 0 ? bytes : 1);
}

char *pv_i_strndup(const char *text, size_t length)
{
    char *copy = length < SIZE_MAX ? pv_i_malloc(length + 1) : NULL;
    if (copy != NULL) {
        memcpy(copy, text, length);
        copy[length] = '\0';
    }
    return copy;
}

char *pv_i_strdup(const char *text)
{
    return pv_i_strndup(text, strlen(text));
}

void pv_i_free(void *memory)
{
    free(memory);
}

void pv_string_free(char *text)
{
    pv_i_free(text);
}

bool pv_i_reserve(void **array, size_t *capacity, size_t needed, size_t size)
{
    if (needed <= *capacity) {
        return true;
    }
    size_t wanted = *capacity < 8 ? 8 : *capacity;
    while (wanted < needed) {
        if (!pv_i_mul_size(wanted, 2, &wanted)) {
            return false;
        }
    }
    void *larger = pv_i_resize(*array, wanted, size);
    if (larger == NULL) {
        return false;
    }
    *array = larger;
    *capacity = wanted;
    return true;
}
