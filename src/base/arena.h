/* Memory that is freed all at once: many pieces of one lifetime.
 *
 *     t->start = PV_ARENA_ARRAY(&t->arena, uint32_t, n + 1);
 *     t->value = PV_ARENA_ARRAY(&t->arena, uint32_t, n);
 *     if (t->arena.failed) {
 *         return pv_i_no_memory(error);
 *     } */
#ifndef PV_BASE_ARENA_H
#define PV_BASE_ARENA_H

#include <stdbool.h>
#include <stddef.h>

typedef struct pv_arena_block pv_arena_block;

/* Zero-initialised = empty. */
typedef struct pv_arena {
    pv_arena_block *newest;
    char *next;
    size_t left;
    size_t block_size; /* of the next block; doubles up to a megabyte */
    bool failed;       /* some piece could not be had, ever: many are asked for, this once */
} pv_arena;

/* Zero bytes, aligned to 16; NULL when memory runs out. Pieces stay where they are until deinit. */
void *pv_i_arena_alloc(pv_arena *arena, size_t size);
void *pv_i_arena_array(pv_arena *arena, size_t n, size_t size);
#define PV_ARENA_ARRAY(arena, type, n) ((type *)pv_i_arena_array((arena), (n), sizeof(type)))
/* Unaligned, NUL added. */
char *pv_i_arena_text(pv_arena *arena, const char *text, size_t length);
void pv_i_arena_deinit(pv_arena *arena);

#endif
