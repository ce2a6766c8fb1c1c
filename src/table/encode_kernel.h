/* The loop that encodes the fields of one column; included by encode.c once per instruction set
 * with
 *
 *     KERNEL(name)  the name of a function of this set
 *     TARGET        the attribute that allows its instructions
 *     GLANCE        the lookup of a short text
 *
 * A field of up to 32 bytes costs one masked load, one multiplication and one comparison whatever
 * it is, without a branch that depends on the data: a value seen before is nearly always found in
 * the first slot. */

/* `quotes`: fields may be quoted. `last`: it is the last field and may end in CR. Both are
 * constants where it is inlined. Returns 0, or one of the failures of a dictionary. */
TARGET static inline __attribute__((always_inline)) uint32_t
KERNEL(encode_fields)(pv_encoder *e, pv_lexicon *d, const strip *s, bool quotes, bool last,
                      uint32_t *codes)
{
    const char *const data = s->data;
    const size_t n_rows = s->n_rows;
    const size_t stride = s->stride;
    const uint32_t *bound = s->bounds;
    lookup l = lookup_in(d);
    for (size_t r = 0; r < n_rows; r++, bound += stride) {
        const uint32_t start = bound[0] + 1;
        slice field = {.text = data + start, .length = bound[1] - start};
        if (last && field.length > 0 && field.text[field.length - 1] == '\r') {
            field.length--;
        }
        if (quotes && field.length > 0 && *field.text == PV_QUOTE) {
            field = unquote(e, field);
            if (field.text == NULL) {
                return PV_DICTIONARY_NO_MEMORY;
            }
        }
        uint32_t entry;
        if (__builtin_expect(field.length > PV_KEY_SIZE || !GLANCE(&l, field, &entry), 0)) {
            const uint32_t code = pv_i_lexicon_add(d, field.text, field.length);
            if (code > PV_DICTIONARY_LIMIT) {
                return code;
            }
            entry = code + 1;
            l = lookup_in(d);
        }
        l.counts[entry]++;
        codes[r] = entry - 1;
    }
    return 0;
}

/* One loop without and one with what few fields need. */
TARGET static uint32_t KERNEL(encode_strip)(pv_encoder *e, pv_lexicon *d, const strip *s,
                                            bool quotes, bool last, uint32_t *codes)
{
    return quotes || last ? KERNEL(encode_fields)(e, d, s, quotes, last, codes)
                          : KERNEL(encode_fields)(e, d, s, false, false, codes);
}

#undef KERNEL
#undef TARGET
#undef GLANCE
