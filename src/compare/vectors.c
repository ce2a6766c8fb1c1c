/* Property vectors, and the registry of properties.
 *
 * Every property is the value per row of a measure, so that nothing is computed twice in different
 * ways: adding one = a line here. Vectors are stored per kind of people, which is why they must be
 * divided when another release joins the comparison:
 *
 *     kinds before      0        1                kinds after     0   1   2   3
 *     values of A       5        12               parent          0   0   1   1
 *                                                 values of A     5   5   12  12
 *
 * Dividing kinds: the kind of an entry and its traits in the release, packed into a key, say of
 * which kind it is from now on. Equal keys are numbered by classes/numbering.h, on threads, in
 * order of first appearance: kinds have the same numbers for any number of threads.
 *
 *     entry    kind before   trait (tuple in the release)      key       kind after
 *      0            0                 7                       0|7            0
 *      1            0                 2                       0|2            1
 *      2            1                 2                       1|2            2
 *      3            0                 7                       0|7            0
 *
 * O(entries) per release, in as many words per key as the packed fields need. */
#include "compare/vectors.h"

#include "base/error.h"
#include "base/memory.h"
#include "classes/keys.h"
#include "plan/spelling.h"

#include <string.h>

/* -------------------------------------------------------------- properties */

typedef struct {
    pv_property info;
    const char *measure;
    bool is_own, is_weighted; /* pv_i_property_is_own, pv_i_property_is_weighted */
} registered;

/* clang-format off */
static const registered registry[] = {
    {{.name = "class-size", .summary = "people who look alike in the release, oneself included"}, .measure = "k"},
    {{.name = "own-count", .summary = "people in the class with the same sensitive value",
      .needs = PV_NEEDS_SENSITIVE}, .measure = "sum-l", .is_own = true},
    {{.name = "distinct", .summary = "different sensitive values in the class",
      .needs = PV_NEEDS_SENSITIVE}, .measure = "l-distinct"},
    {{.name = "t-distance", .summary = "how far the class's sensitive values are from everyone's",
      .less_is_better = true, .needs = PV_NEEDS_SENSITIVE}, .measure = "t-closeness"},
    {{.name = "risk", .summary = "chance to be picked out by somebody who knows one's attributes",
      .less_is_better = true}, .measure = "risk"},
    {{.name = "leaf-utility", .summary = "detail kept: share of the domain that is excluded, summed over attributes",
      .is_detail = true}, .measure = "leaf-utility"},
    {{.name = "glm", .summary = "detail lost: share of the domain that is covered, summed over attributes",
      .less_is_better = true, .is_detail = true}, .measure = "glm"},
    {{.name = "nwp", .summary = "detail lost, attributes weighted, between 0 and 1",
      .less_is_better = true, .is_detail = true}, .measure = "nwp", .is_weighted = true},
};
/* clang-format on */

#define N_PROPERTIES (sizeof registry / sizeof *registry)

size_t pv_n_properties(void)
{
    return N_PROPERTIES;
}

const pv_property *pv_property_at(size_t index)
{
    return index < N_PROPERTIES ? &registry[index].info : NULL;
}

static const registered *find(const char *name)
{
    for (size_t i = 0; i < N_PROPERTIES; i++) {
        if (strcmp(registry[i].info.name, name) == 0) {
            return &registry[i];
        }
    }
    return NULL;
}

const pv_property *pv_property_find(const char *name)
{
    const registered *const found = find(name);
    return found != NULL ? &found->info : NULL;
}

/* A property of the registry, or a column of the files, whose name may be anything. */
pv_status pv_i_property_choose(const char *name, pv_property_choice *choice, pv_error *error)
{
    static const char prefix[] = "column:";
    const pv_property *const property = pv_property_find(name);
    const bool is_turned = name[0] == '-';
    const char *const plain = name + is_turned;
    if (property != NULL) {
        *choice =
            (pv_property_choice){.property = property, .less_is_better = property->less_is_better};
        return PV_STATUS_OK;
    }
    if (strncmp(plain, prefix, sizeof prefix - 1) != 0 || plain[sizeof prefix - 1] == '\0') {
        return pv_i_hint(pv_i_fail(error, PV_STATUS_ARGUMENT, "there is no property `%s`",
                                   pv_i_shown(name).text),
                         error,
                         "properties are class-size, own-count, distinct, t-distance, risk, "
                         "leaf-utility, glm, nwp, and column:NAME for a numeric column of the "
                         "releases (-column:NAME if less is better)");
    }
    *choice =
        (pv_property_choice){.column = plain + sizeof prefix - 1, .less_is_better = is_turned};
    return PV_STATUS_OK;
}

pv_measure_ref pv_i_property_measure(const pv_property *property)
{
    const pv_measure *const measure = pv_measure_find(find(property->name)->measure);
    return (pv_measure_ref){.measure = measure, .parameter = measure->parameter_default};
}

bool pv_i_property_available(const pv_property *property, const pv_study *study)
{
    return pv_measure_available(pv_i_property_measure(property).measure, study);
}

bool pv_i_property_is_own(const pv_property *property)
{
    return find(property->name)->is_own;
}

bool pv_i_property_is_weighted(const pv_property *property)
{
    return find(property->name)->is_weighted;
}

/* ----------------------------------------------------------------- vectors */

void pv_i_vectors_free(pv_vectors *vectors)
{
    if (vectors == NULL) {
        return;
    }
    for (size_t i = 0; vectors->values != NULL && i < vectors->n_properties; i++) {
        pv_i_free(vectors->values[i]);
    }
    pv_i_free(vectors->values);
    pv_i_free(vectors->is_suppressed);
    pv_i_free(vectors->shown);
    pv_i_free(vectors->name);
    pv_i_free(vectors);
}

/* The name is copied: the caller's may be a path of the command line. */
pv_status pv_i_vectors_create(const char *name, size_t n_properties, pv_vectors **vectors,
                              pv_error *error)
{
    pv_vectors *const made = PV_NEW(pv_vectors);
    if (made == NULL) {
        return pv_i_no_memory(error);
    }
    *made = (pv_vectors){.name = pv_i_strdup(name),
                         .values = PV_NEW_ZEROED(double *, n_properties),
                         .n_properties = n_properties};
    if (made->name == NULL || made->values == NULL) {
        pv_i_vectors_free(made);
        return pv_i_no_memory(error);
    }
    *vectors = made;
    return PV_STATUS_OK;
}

/* On failure some vectors are divided and some are not: the comparison is then good for nothing but
 * being freed. */
pv_status pv_i_vectors_divide(pv_vectors *vectors, const uint32_t *parent, size_t n,
                              pv_error *error)
{
    for (size_t p = 0; p < vectors->n_properties; p++) {
        const double *const values = vectors->values[p];
        double *const divided = values != NULL ? PV_NEW_ARRAY(double, n) : NULL;
        if (values != NULL && divided == NULL) {
            return pv_i_no_memory(error);
        }
        for (size_t kind = 0; values != NULL && kind < n; kind++) {
            divided[kind] = values[parent[kind]];
        }
        pv_i_free(vectors->values[p]);
        vectors->values[p] = divided;
    }
    if (vectors->is_suppressed != NULL) {
        bool *const divided = PV_NEW_ARRAY(bool, n);
        if (divided == NULL) {
            return pv_i_no_memory(error);
        }
        for (size_t kind = 0; kind < n; kind++) {
            divided[kind] = vectors->is_suppressed[parent[kind]];
        }
        pv_i_free(vectors->is_suppressed);
        vectors->is_suppressed = divided;
    }
    return PV_STATUS_OK;
}

/* Subtracting leaves no -0 behind. */
void pv_i_values_turn(double *values, uint64_t n)
{
    for (uint64_t i = 0; i < n; i++) {
        values[i] = 0 - values[i];
    }
}

/* ------------------------------------------------------------------- kinds */

/* of_entry NULL stands for "all are kind 0": no array per entry before the first release. */
pv_status pv_i_kinds_init(pv_kinds *kinds, const pv_table *original, pv_error *error)
{
    *kinds = (pv_kinds){.ends = pv_i_table_ends(original),
                        .n_entries = pv_i_table_entries(original),
                        .n_rows = pv_table_rows(original),
                        .n = 1,
                        .people = PV_NEW_ARRAY(uint64_t, 1)};
    if (kinds->people == NULL) {
        return pv_i_no_memory(error);
    }
    kinds->people[0] = kinds->n_rows;
    return PV_STATUS_OK;
}

void pv_i_kinds_deinit(pv_kinds *kinds)
{
    pv_i_free(kinds->entry);
    pv_i_free(kinds->of_entry);
    pv_i_free(kinds->people);
    *kinds = (pv_kinds){0};
}

/* What became of kinds is needed only until the vectors of earlier releases are divided. */
void pv_i_division_deinit(pv_division *division)
{
    pv_i_free(division->parent);
    pv_i_free(division->example);
    *division = (pv_division){0};
}

/* What it takes to pack the keys of entries. */
typedef struct {
    const pv_kinds *kinds;
    const pv_trait *traits;
    size_t n_traits;
    const uint64_t *places;
    pv_packing packing; /* the kind, then the traits */
} dividing;

static uint64_t original_entry(const pv_kinds *kinds, uint64_t i)
{
    return kinds->entry != NULL ? kinds->entry[i] : i;
}

static uint64_t released_entry(const dividing *d, uint64_t i)
{
    const uint64_t entry = original_entry(d->kinds, i);
    return d->places != NULL ? d->places[entry] : entry;
}

/* What a release lacks is no longer compared: the list of entries shrinks in place, and the kinds
 * of those that stay move with them. Kinds that lost all of their people disappear when the kinds
 * are numbered anew. Most releases have all rows: then nothing is copied. */
static pv_status leave_out(pv_kinds *kinds, const uint64_t *places, pv_error *error)
{
    uint64_t n = 0;
    while (places != NULL && n < kinds->n_entries &&
           places[original_entry(kinds, n)] != PV_NOWHERE) {
        n++;
    }
    if (places == NULL || n == kinds->n_entries) {
        return PV_STATUS_OK;
    }
    uint64_t *const entries = PV_NEW_ARRAY(uint64_t, kinds->n_entries);
    if (entries == NULL) {
        return pv_i_no_memory(error);
    }
    n = 0;
    kinds->n_rows = 0;
    for (uint64_t i = 0; i < kinds->n_entries; i++) {
        const uint64_t entry = original_entry(kinds, i);
        if (places[entry] == PV_NOWHERE) {
            continue;
        }
        if (kinds->of_entry != NULL) {
            kinds->of_entry[n] = kinds->of_entry[i];
        }
        kinds->n_rows += pv_i_entry_rows(kinds->ends, entry);
        entries[n++] = entry;
    }
    pv_i_free(kinds->entry);
    kinds->entry = entries;
    kinds->n_entries = n;
    return PV_STATUS_OK;
}

void pv_i_kinds_count(const pv_kinds *kinds, const pv_numbering *numbering, uint64_t *people)
{
    for (size_t i = 0; i < numbering->n; i++) {
        people[i] = kinds->ends == NULL ? numbering->rows[i].n : 0;
    }
    for (uint64_t i = 0; kinds->ends != NULL && i < kinds->n_entries; i++) {
        people[numbering->numbers[i]] += pv_i_entry_rows(kinds->ends, original_entry(kinds, i));
    }
}

/* The key of an entry: its kind, then its traits, in as many bits as each needs. Called by threads
 * for disjoint ranges. */
static void pack_entries(const void *ctx, uint64_t first, size_t n, uint32_t *scratch,
                         uint64_t *keys)
{
    const dividing *const d = ctx;
    const unsigned words = d->packing.words;
    const uint32_t *const kind = d->kinds->of_entry;
    memset(keys, 0, n * words * sizeof *keys);
    for (size_t i = 0; kind != NULL && i < n; i++) {
        keys[i * words] = (uint64_t)kind[first + i] << d->packing.fields[0].shift;
    }
    for (size_t t = 0; t < d->n_traits; t++) {
        const pv_codes codes = d->traits[t].codes;
        const pv_field field = d->packing.fields[t + 1];
        uint64_t *const word = keys + field.word;
        const bool in_place = d->places == NULL && d->kinds->entry == NULL;
        if (in_place) { /* the frequent case: they lie side by side */
            pv_i_codes_unpack(codes, first, n, scratch);
        }
        for (size_t i = 0; !in_place && i < n; i++) {
            scratch[i] = pv_i_codes_at(codes, released_entry(d, first + i));
        }
        for (size_t i = 0; i < n; i++) {
            word[i * words] |= (uint64_t)scratch[i] << field.shift;
        }
    }
}

pv_status pv_i_kinds_divide(pv_kinds *kinds, const pv_trait *traits, size_t n_traits,
                            const uint64_t *places, const pv_context *context,
                            pv_division *division, pv_error *error)
{
    dividing d = {.kinds = kinds, .traits = traits, .n_traits = n_traits, .places = places};
    pv_numbering numbering = {0};
    uint64_t *people = NULL;
    pv_status status = PV_STATUS_OK;
    *division = (pv_division){0};
    PV_TRY(leave_out(kinds, places, error));
    uint32_t *const sizes = PV_NEW_ARRAY(uint32_t, n_traits + 1);
    uint32_t *numbers = PV_NEW_ARRAY(uint32_t, kinds->n_entries);
    if (sizes == NULL || numbers == NULL) {
        PV_TRY_CLEAN(pv_i_no_memory(error));
    }
    /* Which bits of the key belong to what: as many as the largest number needs. */
    sizes[0] = (uint32_t)kinds->n;
    for (size_t t = 0; t < n_traits; t++) {
        sizes[t + 1] = traits[t].n_values;
    }
    PV_TRY_CLEAN(pv_i_packing_of_sizes(&d.packing, sizes, n_traits + 1, error));
    numbering = (pv_numbering){.n_rows = kinds->n_entries,
                               .words = d.packing.words,
                               .unused = pv_i_packing_unused(&d.packing),
                               .keys = pack_entries,
                               .ctx = &d,
                               .context = context,
                               .numbers = numbers};
    PV_TRY_CLEAN(pv_i_numbering_find(&numbering, error));
    pv_i_numbering_settle(&numbering, NULL);
    const size_t n = numbering.n;
    people = PV_NEW_ARRAY(uint64_t, n);
    division->parent = PV_NEW_ARRAY(uint32_t, n);
    division->example = PV_NEW_ARRAY(uint64_t, n);
    if (people == NULL || division->parent == NULL || division->example == NULL) {
        PV_TRY_CLEAN(pv_i_no_memory(error));
    }
    pv_i_kinds_count(kinds, &numbering, people);
    for (size_t i = 0; i < n; i++) {
        const uint64_t first = numbering.rows[i].first;
        division->parent[i] = kinds->of_entry != NULL ? kinds->of_entry[first] : 0;
        division->example[i] = released_entry(&d, first);
    }
    pv_i_free(kinds->people);
    pv_i_free(kinds->of_entry);
    kinds->people = people;
    kinds->of_entry = numbers;
    kinds->n = n;
    people = NULL;
    numbers = NULL;
cleanup:
    pv_i_free(people);
    pv_i_free(numbers);
    pv_i_free(sizes);
    pv_i_numbering_deinit(&numbering);
    pv_i_packing_deinit(&d.packing);
    return status;
}
