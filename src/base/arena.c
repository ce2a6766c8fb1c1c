/* Memory that is freed all at once: a chain of growing blocks, handed out from the front.
 *
 *     newest -> [link|used....|next -> left....]
 *                 |
 *                 v older blocks, full
 */
#include "base/arena.h"

#include "base/checked.h"
#include "base/memory.h"

#include <stdint.h>
#include <string.h>

#define FIRST_BLOCK ((size_t)1 << 12)
#define LARGEST_BLOCK ((size_t)1 << 20)
#define ALIGNMENT 16u

/* Where accesses are checked every array is a block of its own, so that none reaches unnoticed into
 * the next one, and tests can make each of them fail. */
#ifdef __SANITIZE_ADDRESS__
#define PIECES_APART true
#else
#define PIECES_APART false
#endif

struct pv_arena_block {
    _Alignas(ALIGNMENT) pv_arena_block *older;
};

static size_t padding_of(const char *pointer, size_t alignment)
{
    return (size_t)(-(uintptr_t)pointer) & (alignment - 1);
}

static char *take(pv_arena *arena, size_t size, size_t alignment)
{
    const size_t padding = padding_of(arena->next, alignment);
    if (arena->next == NULL || arena->left < padding || arena->left - padding < size) {
        return NULL;
    }
    char *const piece = arena->next + padding;
    arena->next = piece + size;
    arena->left -= padding + size;
    return piece;
}

/* A piece larger than the next block would be gets one of its own, behind the newest, so that what
 * is left of that is not lost. The system has zeroed large blocks already: that costs nothing. */
static char *allocate(pv_arena *arena, size_t size, size_t alignment)
{
    const size_t wanted = arena->block_size != 0 ? arena->block_size : FIRST_BLOCK;
    const bool is_apart = PIECES_APART && alignment > 1;
    char *const piece = is_apart ? NULL : take(arena, size, alignment);
    size_t bytes;
    if (piece != NULL) {
        return piece;
    }
    const bool is_possible = pv_i_add_size(size, sizeof(pv_arena_block) + alignment - 1, &bytes);
    const bool is_large = is_apart || bytes > wanted;
    pv_arena_block *const block = is_possible ? pv_i_zeroed(1, is_large ? bytes : wanted) : NULL;
    if (block == NULL) {
        arena->failed = true;
        return NULL;
    }
    if (is_large && arena->newest != NULL) {
        block->older = arena->newest->older;
        arena->newest->older = block;
        return (char *)(block + 1) + padding_of((char *)(block + 1), alignment);
    }
    block->older = arena->newest;
    arena->newest = block;
    arena->next = (char *)(block + 1);
    arena->left = (is_large ? bytes : wanted) - sizeof *block;
    arena->block_size = wanted < LARGEST_BLOCK ? wanted * 2 : wanted;
    return take(arena, size, alignment);
}

void *pv_i_arena_alloc(pv_arena *arena, size_t size)
{
    return allocate(arena, size, ALIGNMENT);
}

void *pv_i_arena_array(pv_arena *arena, size_t n, size_t size)
{
    size_t bytes;
    if (!pv_i_mul_size(n, size, &bytes)) {
        arena->failed = true;
        return NULL;
    }
    return allocate(arena, bytes, ALIGNMENT);
}

char *pv_i_arena_text(pv_arena *arena, const char *text, size_t length)
{
    char *const copy = length < SIZE_MAX ? allocate(arena, length + 1, 1) : NULL;
    if (copy != NULL) {
        if (length > 0) {
            memcpy(copy, text, length);
        }
        copy[length] = '\0';
    }
    return copy;
}

void pv_i_arena_deinit(pv_arena *arena)
{
    pv_arena_block *block = arena->newest;
    while (block != NULL) {
        pv_arena_block *const older = block->older;
        pv_i_free(block);
        block = older;
    }
    *arena = (pv_arena){0};
}
