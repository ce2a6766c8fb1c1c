/* The loops over chunks of 64 bytes; included by scan.c once per instruction set with
 *
 *     KERNEL(name)  the name of a function of this set
 *     TARGET        the attribute that allows its instructions
 *     CLASSIFY      64 bytes to masks
 */

/* Forgets the bytes of a last chunk beyond the end. */
TARGET static inline masks KERNEL(classify_within)(const char *chunk, size_t left, char delimiter)
{
    masks m = CLASSIFY(chunk, delimiter);
    if (left < CHUNK) {
        const uint64_t within = ((uint64_t)1 << left) - 1;
        m.delimiters &= within;
        m.line_ends &= within;
        m.quotes &= within;
        m.nuls &= within;
    }
    return m;
}

/* Appends the positions of the set bits. How many there are is hard to foretell, so eight are
 * written at once, and those too many are overwritten by the next chunk. */
TARGET static inline uint32_t *KERNEL(append_bits)(uint32_t *out, uint64_t bits, uint32_t position)
{
    uint32_t *const end = out + __builtin_popcountll(bits);
    do {
        for (unsigned i = 0; i < 8; i++) {
            out[i] = position + (uint32_t)__builtin_ctzll(bits | (uint64_t)1 << 63);
            bits &= bits - 1;
        }
        out += 8;
    } while (__builtin_expect(bits != 0, 0));
    return end;
}

TARGET static inline __attribute__((always_inline)) outcome
KERNEL(scan_chunks)(pv_scan *scan, const char *data, size_t size, char delimiter, bool quoting)
{
    quote_state state = QUOTES_START;
    size_t n_ends = 0;
    size_t n_records = 0;
    size_t n_lines = 0;
    for (size_t i = 0; i < size; i += CHUNK) {
        const masks m = KERNEL(classify_within)(data + i, size - i, delimiter);
        const uint64_t inside = quoting ? track_quotes(&state, &m) : 0;
        if (!reserve(scan, n_ends + CHUNK)) {
            return NO_MEMORY;
        }
        uint32_t *const out = scan->bounds + 1 + n_ends;
        const uint64_t structure = (m.delimiters | m.line_ends) & ~inside;
        n_ends += (size_t)(KERNEL(append_bits)(out, structure, (uint32_t)i) - out);
        n_records += (size_t)__builtin_popcountll(m.line_ends & ~inside);
        n_lines += (size_t)__builtin_popcountll(m.line_ends);
        if (m.nuls != 0 && scan->nul == SIZE_MAX) {
            scan->nul = i + (size_t)__builtin_ctzll(m.nuls);
        }
    }
    scan->n_ends = n_ends;
    scan->n_records = n_records;
    scan->n_lines = n_lines;
    return state.odd_quotes || state.inside != 0 ? ODD_QUOTES : SCANNED;
}

TARGET static outcome KERNEL(scan_block)(pv_scan *scan, const char *data, size_t size,
                                         char delimiter)
{
    return scan->has_quotes ? KERNEL(scan_chunks)(scan, data, size, delimiter, true)
                            : KERNEL(scan_chunks)(scan, data, size, delimiter, false);
}

#undef KERNEL
#undef TARGET
#undef CLASSIFY
