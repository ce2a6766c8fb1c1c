/* String hashing by xxHash's XXH3. */
#include "base/hash.h"

#include <xxhash.h>

uint64_t pv_i_hash_bytes(const void *data, size_t size)
{
    return XXH3_64bits(data, size);
}
