/* Dividing kinds: the kind of a row and its traits in the release, packed into a key, say of which
 * kind it is from now on. Equal keys are numbered by classes/numbering.h, on threads, in order of
 * first appearance: kinds have the same numbers for any number of threads.
 *
 *     row      kind before   trait (tuple in the release)      key       kind after
 *      0            0                 7                       0|7            0
 *      1            0                 2                       0|2            1
 *      2            1                 2                       1|2            2
 *      3            0                 7                       0|7            0
 *
 * O(rows) per release, in as many words per key as the packed fields need. */
#include "compare/kinds.h"

#include "base/error.h"
#include "base/memory.h"
#include "classes/keys.h"
#include "classes/numbering.h"

pv_status pv_i_kinds_init(pv_kinds *kinds, uint64_t n_rows, pv_error *error)
{
    *kinds = (pv_kinds){.n_rows = n_rows, .n = 1, .people = PV_NEW_ARRAY(uint64_t, 1)};
    if (kinds->people == NULL) {
        return pv_i_no_memory(error);
    }
    kinds->people[0] = n_rows;
    return PV_STATUS_OK;
}

void pv_i_kinds_deinit(pv_kinds *kinds)
{
    pv_i_free(kinds->row);
    pv_i_free(kinds->of_row);
    pv_i_free(kinds->people);
    *kinds = (pv_kinds){0};
}

void pv_i_division_deinit(pv_division *division)
{
    pv_i_free(division->parent);
    pv_i_free(division->example);
    *division = (pv_division){0};
}

/* ------------------------------------------------------------- missing rows */

static uint64_t original_row(const pv_kinds *kinds, uint64_t i)
{
    return kinds->row != NULL ? kinds->row[i] : i;
}

/* Most releases have all rows: then nothing needs to be copied. */
static bool lacks_none(const pv_kinds *kinds, const uint64_t *places)
{
    uint64_t i = 0;
    while (i < kinds->n_rows && places[original_row(kinds, i)] != PV_NOWHERE) {
        i++;
    }
    return i == kinds->n_rows;
}

/* Rows that a release lacks are no longer compared: the list of rows shrinks in place, and the
 * kinds of those that stay move with them. Kinds that lost all of their people disappear when the
 * kinds are numbered anew. */
static pv_status leave_out(pv_kinds *kinds, const uint64_t *places, pv_error *error)
{
    uint64_t n = 0;
    if (places == NULL || lacks_none(kinds, places)) {
        return PV_STATUS_OK;
    }
    uint64_t *const rows = PV_NEW_ARRAY(uint64_t, kinds->n_rows);
    if (rows == NULL) {
        return pv_i_no_memory(error);
    }
    for (uint64_t i = 0; i < kinds->n_rows; i++) {
        const uint64_t row = original_row(kinds, i);
        if (places[row] == PV_NOWHERE) {
            continue;
        }
        if (kinds->of_row != NULL) {
            kinds->of_row[n] = kinds->of_row[i];
        }
        rows[n++] = row;
    }
    pv_i_free(kinds->row);
    kinds->row = rows;
    kinds->n_rows = n;
    return PV_STATUS_OK;
}

/* ----------------------------------------------------------------- dividing */

typedef struct {
    const pv_kinds *kinds;
    const pv_trait *traits;
    size_t n_traits;
    const uint64_t *places;
    pv_packing packing; /* the kind, then the traits */
} dividing;

static uint64_t released_row(const dividing *d, uint64_t i)
{
    const uint64_t row = original_row(d->kinds, i);
    return d->places != NULL ? d->places[row] : row;
}

static void take_codes(const dividing *d, pv_codes codes, uint64_t first, size_t n, uint32_t *out)
{
    if (d->places == NULL && d->kinds->row == NULL) {
        pv_i_codes_unpack(codes, first, n, out);
        return;
    }
    for (size_t i = 0; i < n; i++) {
        out[i] = pv_i_codes_at(codes, released_row(d, first + i));
    }
}

/* The key of a row: its kind, then its traits, in as many bits as each needs. Called by threads for
 * disjoint ranges of rows. */
static void pack_rows(const void *ctx, uint64_t first, size_t n, uint32_t *scratch, uint64_t *keys)
{
    const dividing *const d = ctx;
    const unsigned words = d->packing.words;
    const uint32_t *const kind = d->kinds->of_row;
    memset(keys, 0, n * words * sizeof *keys);
    for (size_t i = 0; kind != NULL && i < n; i++) {
        keys[i * words] = (uint64_t)kind[first + i] << d->packing.fields[0].shift;
    }
    for (size_t t = 0; t < d->n_traits; t++) {
        const pv_field field = d->packing.fields[t + 1];
        uint64_t *const word = keys + field.word;
        take_codes(d, d->traits[t].codes, first, n, scratch);
        for (size_t i = 0; i < n; i++) {
            word[i * words] |= (uint64_t)scratch[i] << field.shift;
        }
    }
}

/* Which bits of the key belong to what: as many as the largest number needs. */
static pv_status lay_out(dividing *d, pv_error *error)
{
    uint32_t *const sizes = PV_NEW_ARRAY(uint32_t, d->n_traits + 1);
    if (sizes == NULL) {
        return pv_i_no_memory(error);
    }
    sizes[0] = (uint32_t)d->kinds->n;
    for (size_t t = 0; t < d->n_traits; t++) {
        sizes[t + 1] = d->traits[t].n_values;
    }
    const pv_status status = pv_i_packing_of_sizes(&d->packing, sizes, d->n_traits + 1, error);
    pv_i_free(sizes);
    return status;
}

/* The kinds as they are numbered now; `numbers` becomes theirs. */
static pv_status take_over(pv_kinds *kinds, const dividing *d, const pv_numbering *numbering,
                           pv_division *division, pv_error *error)
{
    const size_t n = numbering->n;
    uint64_t *const people = PV_NEW_ARRAY(uint64_t, n);
    division->parent = PV_NEW_ARRAY(uint32_t, n);
    division->example = PV_NEW_ARRAY(uint64_t, n);
    if (people == NULL || division->parent == NULL || division->example == NULL) {
        pv_i_free(people);
        return pv_i_no_memory(error);
    }
    for (size_t i = 0; i < n; i++) {
        people[i] = numbering->rows[i].n;
        division->parent[i] = kinds->of_row != NULL ? kinds->of_row[numbering->rows[i].first] : 0;
        division->example[i] = released_row(d, numbering->rows[i].first);
    }
    pv_i_free(kinds->people);
    pv_i_free(kinds->of_row);
    kinds->people = people;
    kinds->of_row = numbering->numbers;
    kinds->n = n;
    return PV_STATUS_OK;
}

static pv_status divide(pv_kinds *kinds, dividing *d, const pv_context *context,
                        pv_division *division, pv_error *error)
{
    pv_numbering numbering = {.n_rows = kinds->n_rows,
                              .words = d->packing.words,
                              .unused = pv_i_packing_unused(&d->packing),
                              .keys = pack_rows,
                              .ctx = d,
                              .context = context,
                              .numbers = PV_NEW_ARRAY(uint32_t, kinds->n_rows)};
    pv_status status = PV_STATUS_OK;
    if (numbering.numbers == NULL) {
        return pv_i_no_memory(error);
    }
    PV_TRY_CLEAN(pv_i_numbering_find(&numbering, error));
    pv_i_numbering_settle(&numbering, NULL);
    PV_TRY_CLEAN(take_over(kinds, d, &numbering, division, error));
    numbering.numbers = NULL;
cleanup:
    pv_i_free(numbering.numbers);
    pv_i_numbering_deinit(&numbering);
    return status;
}

pv_status pv_i_kinds_divide(pv_kinds *kinds, const pv_trait *traits, size_t n_traits,
                            const uint64_t *places, const pv_context *context,
                            pv_division *division, pv_error *error)
{
    dividing d = {.kinds = kinds, .traits = traits, .n_traits = n_traits, .places = places};
    pv_status status = PV_STATUS_OK;
    *division = (pv_division){0};
    PV_TRY(leave_out(kinds, places, error));
    PV_TRY_CLEAN(lay_out(&d, error));
    PV_TRY_CLEAN(divide(kinds, &d, context, division, error));
cleanup:
    pv_i_packing_deinit(&d.packing);
    return status;
}
