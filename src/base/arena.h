/* Memory that is freed all at once: many small pieces of one lifetime. */
#ifndef PV_BASE_ARENA_H
#define PV_BASE_ARENA_H

#include <stddef.h>

typedef struct pv_arena_block pv_arena_block;

/* Zero-initialised = empty. */
typedef struct pv_arena {
    pv_arena_block *newest;
    char *next;
    size_t left;
    size_t block_size; /* of the next block; doubles up to a megabyte */
} pv_arena;

/* Aligned to 16 bytes; NULL when memory runs out. Pieces stay where they are until deinit. */
void *pv_i_arena_alloc(pv_arena *arena, size_t size);
/* Unaligned, NUL added. */
char *pv_i_arena_text(pv_arena *arena, const char *text, size_t length);
void pv_i_arena_deinit(pv_arena *arena);

#endif
