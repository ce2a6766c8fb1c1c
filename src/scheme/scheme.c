/* Schemes: their lifetime, whatever their kind; levels given by hand or fixed in a plan; and the
 * lattice of all schemes of levels.
 *
 *     heights   2  1  3        a node's number is the sum of level * stride: the levels are its
 *     strides   8  4  1        digits, and the node of levels (1, 0, 2) is 8 + 0 + 2 = 10 */
#include "scheme/scheme.h"

#include "base/checked.h"
#include "base/error.h"
#include "base/memory.h"
#include "plan/plan.h"
#include "scheme/cuts.h"
#include "scheme/lattice.h"

#include <assert.h>
#include <string.h>

/* ---------------------------------------------------------------- lifetime */

pv_status pv_i_scheme_init(pv_scheme *scheme, const pv_study *study, pv_error *error)
{
    const size_t n = pv_study_quasis(study);
    uint8_t *const levels = PV_NEW_ZEROED(uint8_t, n);
    if (levels == NULL) {
        return pv_i_no_memory(error);
    }
    *scheme = (pv_scheme){.levels = levels, .n_levels = n};
    return PV_STATUS_OK;
}

void pv_i_scheme_deinit(pv_scheme *scheme)
{
    pv_i_free(scheme->levels);
    pv_i_free(scheme->records);
    pv_i_free(scheme->part_tuple);
    pv_i_free(scheme->part_rows);
    pv_cuts_free(scheme->cuts);
    pv_i_free(scheme->demands);
    *scheme = (pv_scheme){0};
}

void pv_scheme_free(pv_scheme *scheme)
{
    if (scheme != NULL) {
        pv_i_scheme_deinit(scheme);
        pv_i_free(scheme);
    }
}

pv_status pv_scheme_create(const pv_study *study, pv_scheme **scheme, pv_error *error)
{
    pv_scheme *const made = PV_NEW(pv_scheme);
    if (made == NULL) {
        return pv_i_no_memory(error);
    }
    const pv_status status = pv_i_scheme_init(made, study, error);
    if (status != PV_STATUS_OK) {
        pv_i_free(made);
        return status;
    }
    *scheme = made;
    return PV_STATUS_OK;
}

pv_status pv_scheme_from_levels(const uint8_t *levels, size_t n_levels, pv_scheme **scheme,
                                pv_error *error)
{
    pv_scheme *const made = PV_NEW(pv_scheme);
    uint8_t *const copy = PV_NEW_ARRAY(uint8_t, n_levels);
    if (made == NULL || copy == NULL) {
        pv_i_free(made);
        pv_i_free(copy);
        return pv_i_no_memory(error);
    }
    memcpy(copy, levels, n_levels);
    *made = (pv_scheme){.levels = copy, .n_levels = n_levels};
    *scheme = made;
    return PV_STATUS_OK;
}

pv_status pv_scheme_from_cuts(const pv_cuts *cuts, pv_scheme **scheme, pv_error *error)
{
    pv_scheme *const made = PV_NEW(pv_scheme);
    if (made == NULL) {
        return pv_i_no_memory(error);
    }
    const pv_status status = pv_i_cuts_copy(cuts, &made->cuts, error);
    if (status != PV_STATUS_OK) {
        pv_i_free(made);
        return status;
    }
    *scheme = made;
    return PV_STATUS_OK;
}

/* NULL = there is nothing to copy, or no memory, which is then remembered. */
static void *copy_bytes(const void *bytes, size_t n, size_t size, bool *failed)
{
    void *const copy = bytes != NULL ? pv_i_array(n, size) : NULL;
    if (copy != NULL) {
        memcpy(copy, bytes, n * size);
    }
    *failed |= bytes != NULL && copy == NULL;
    return copy;
}

pv_status pv_i_scheme_copy(const pv_scheme *scheme, size_t n_tuples, pv_scheme **copy,
                           pv_error *error)
{
    const size_t n = scheme->part_tuple != NULL ? scheme->n_parts : n_tuples;
    const size_t length = scheme->demands != NULL ? strlen(scheme->demands) + 1 : 0;
    bool failed = false;
    pv_scheme *const made = PV_NEW(pv_scheme);
    if (made == NULL) {
        return pv_i_no_memory(error);
    }
    *made = (pv_scheme){.n_levels = scheme->n_levels,
                        .n_parts = scheme->n_parts,
                        .levels = copy_bytes(scheme->levels, scheme->n_levels, 1, &failed),
                        .records = copy_bytes(scheme->records, n, scheme->n_levels, &failed),
                        .part_tuple = copy_bytes(scheme->part_tuple, n, sizeof(uint32_t), &failed),
                        .part_rows = copy_bytes(scheme->part_rows, n, sizeof(uint64_t), &failed),
                        .demands = copy_bytes(scheme->demands, length, 1, &failed)};
    pv_status status = failed ? pv_i_no_memory(error) : PV_STATUS_OK;
    if (status == PV_STATUS_OK && scheme->cuts != NULL) {
        status = pv_i_cuts_copy(scheme->cuts, &made->cuts, error);
    }
    if (status != PV_STATUS_OK) {
        pv_scheme_free(made);
        return status;
    }
    *copy = made;
    return PV_STATUS_OK;
}

pv_scheme_kind pv_scheme_kind_of(const pv_scheme *scheme)
{
    return scheme->cuts != NULL      ? PV_SCHEME_CUTS
           : scheme->records != NULL ? PV_SCHEME_RECORDS
                                     : PV_SCHEME_LEVELS;
}

void pv_scheme_set_level(pv_scheme *scheme, size_t quasi, uint8_t level)
{
    assert(quasi < scheme->n_levels);
    scheme->levels[quasi] = level;
}

const uint8_t *pv_scheme_levels(const pv_scheme *scheme, size_t *n_levels)
{
    const bool has_levels = pv_scheme_kind_of(scheme) == PV_SCHEME_LEVELS;
    *n_levels = has_levels ? scheme->n_levels : 0;
    return has_levels ? scheme->levels : NULL;
}

const pv_cuts *pv_scheme_cuts(const pv_scheme *scheme)
{
    return scheme->cuts;
}

/* -------------------------------------------------------------------- text */

static unsigned height_of(const pv_study *study, size_t quasi)
{
    return pv_hierarchy_height(pv_study_hierarchy(study, quasi));
}

/* One part between commas, as a counted string. */
typedef struct {
    const char *text;
    size_t length;
} part;

static bool part_is(part p, const char *text)
{
    return strlen(text) == p.length && memcmp(p.text, text, p.length) == 0;
}

static bool parse_number(part p, unsigned *number)
{
    unsigned value = 0;
    for (size_t i = 0; i < p.length; i++) {
        if (p.text[i] < '0' || p.text[i] > '9' || value > PV_MAX_HEIGHT) {
            return false;
        }
        value = value * 10 + (unsigned)(p.text[i] - '0');
    }
    *number = value;
    return p.length > 0;
}

static pv_status set_level(pv_scheme *scheme, const pv_study *study, size_t quasi, part p,
                           pv_error *error)
{
    const unsigned height = height_of(study, quasi);
    unsigned level = height;
    if ((!part_is(p, "top") && !parse_number(p, &level)) || level > height) {
        return pv_i_hint(pv_i_fail(error, PV_STATUS_ARGUMENT,
                                   "level '%.*s' of '%s' is out of range",
                                   (int)(p.length < 40 ? p.length : 40), p.text,
                                   pv_study_quasi_name(study, quasi)),
                         error, "'%s' has the levels 0 (as it is) to %u (all `*`)",
                         pv_study_quasi_name(study, quasi), height);
    }
    scheme->levels[quasi] = (uint8_t)level;
    return PV_STATUS_OK;
}

/* name=level. Names may hold any character but the last '=' of the part separates. */
static pv_status parse_named(pv_scheme *scheme, const pv_study *study, part p, pv_error *error)
{
    const char *const equals = memrchr(p.text, '=', p.length);
    const part name = {.text = p.text, .length = (size_t)(equals - p.text)};
    const part level = {.text = equals + 1, .length = p.length - name.length - 1};
    for (size_t i = 0; i < scheme->n_levels; i++) {
        if (part_is(name, pv_study_quasi_name(study, i))) {
            return set_level(scheme, study, i, level, error);
        }
    }
    return pv_i_hint(pv_i_fail(error, PV_STATUS_ARGUMENT, "'%.*s' is no quasi-identifier",
                               (int)(name.length < 80 ? name.length : 80), name.text),
                     error, "the first one of the plan is '%s'", pv_study_quasi_name(study, 0));
}

static pv_status parse_levels(pv_scheme *scheme, const pv_study *study, const char *text,
                              pv_error *error)
{
    const bool named = strchr(text, '=') != NULL;
    size_t n = 0;
    for (const char *at = text;; n++) {
        const part p = {.text = at, .length = strcspn(at, ",")};
        if (named && memchr(p.text, '=', p.length) == NULL) {
            return pv_i_hint(pv_i_fail(error, PV_STATUS_ARGUMENT,
                                       "levels are given partly by name, partly by place"),
                             error, "write all as name=level, or none");
        }
        if (named) {
            PV_TRY(parse_named(scheme, study, p, error));
        } else if (n < scheme->n_levels) {
            PV_TRY(set_level(scheme, study, n, p, error));
        }
        at += p.length;
        if (*at == '\0') {
            break;
        }
        at++;
    }
    return named || n + 1 == scheme->n_levels
               ? PV_STATUS_OK
               : pv_i_hint(pv_i_fail(error, PV_STATUS_ARGUMENT,
                                     "%zu levels given for %zu quasi-identifiers", n + 1,
                                     pv_study_quasis(study)),
                           error,
                           "give one level each in the order of the plan, or name=level pairs");
}

/* On a copy: a text with an error in it changes nothing. */
pv_status pv_scheme_parse(pv_scheme *scheme, const pv_study *study, const char *text,
                          pv_error *error)
{
    pv_scheme copy = {.levels = PV_NEW_ARRAY(uint8_t, scheme->n_levels),
                      .n_levels = scheme->n_levels};
    if (copy.levels == NULL) {
        return pv_i_no_memory(error);
    }
    memcpy(copy.levels, scheme->levels, scheme->n_levels);
    const pv_status status = parse_levels(&copy, study, text, error);
    if (status == PV_STATUS_OK) {
        memcpy(scheme->levels, copy.levels, scheme->n_levels);
    }
    pv_i_scheme_deinit(&copy);
    return status;
}

pv_status pv_i_scheme_take_plan(pv_scheme *scheme, const pv_study *study, pv_error *error)
{
    const char *const file = pv_study_plan(study)->path;
    for (size_t i = 0; i < scheme->n_levels; i++) {
        const pv_plan_attribute *const attribute = pv_study_quasi_attribute(study, i);
        const char *const name = pv_study_quasi_name(study, i);
        const unsigned height = height_of(study, i);
        if (attribute->level < 0) {
            return pv_i_has_phrase(
                pv_i_hint(pv_i_fail_at(error, PV_STATUS_INPUT, file, attribute->line,
                                       attribute->column, "no level is chosen for '%s'", name),
                          error, "%s from 0 to %u here", pv_phrase_text(PV_PHRASE_CHOOSE_LEVEL),
                          height),
                error, PV_PHRASE_CHOOSE_LEVEL);
        }
        /* The height of a mask is the length of the longest value, so it differs from table to
         * table: a level above it masks everything, which is its top. */
        if ((unsigned)attribute->level > height && attribute->hierarchy.kind != PV_HIERARCHY_MASK) {
            return pv_i_hint(pv_i_fail_at(error, PV_STATUS_INPUT, file, attribute->line,
                                          attribute->column, "level %d of '%s' is out of range",
                                          attribute->level, name),
                             error, "its levels go from 0 to %u", height);
        }
        scheme->levels[i] =
            (uint8_t)((unsigned)attribute->level < height ? (unsigned)attribute->level : height);
    }
    return PV_STATUS_OK;
}

pv_status pv_scheme_from_plan(const pv_study *study, pv_scheme **scheme, pv_error *error)
{
    pv_scheme *made = NULL;
    PV_TRY(pv_scheme_create(study, &made, error));
    const pv_status status = pv_i_scheme_take_plan(made, study, error);
    if (status != PV_STATUS_OK) {
        pv_scheme_free(made);
        return status;
    }
    *scheme = made;
    return PV_STATUS_OK;
}

const char *pv_scheme_label(const pv_scheme *scheme, const pv_study *study, size_t quasi,
                            uint32_t code)
{
    const pv_hierarchy *const hierarchy = pv_study_hierarchy(study, quasi);
    const unsigned level = scheme->levels[quasi];
    return pv_hierarchy_label(
        hierarchy, level, pv_hierarchy_group(hierarchy, level, pv_hierarchy_leaf(hierarchy, code)));
}

/* ----------------------------------------------------------------- lattice */

/* The levels of an axis: of those alike the finest. Nested levels with as many groups have the same
 * groups. Returns how many there are. */
static unsigned find_distinct(const pv_study *study, size_t axis, uint8_t *real)
{
    const pv_hierarchy *const h = pv_study_hierarchy(study, axis);
    unsigned n = 0;
    for (unsigned level = 0; level <= pv_hierarchy_height(h); level++) {
        const bool alike =
            n > 0 && pv_hierarchy_groups(h, real[n - 1]) == pv_hierarchy_groups(h, level);
        if (pv_study_allows(study, axis, level) && !alike) {
            real[n++] = (uint8_t)level;
        }
    }
    return n;
}

static pv_status init_lattice(pv_lattice *lattice, const pv_study *study, bool distinct,
                              pv_error *error)
{
    const size_t n = pv_study_quasis(study);
    pv_lattice l = {.n_axes = n,
                    .real = distinct ? PV_NEW_ARRAY(uint8_t, n * (PV_MAX_HEIGHT + 1)) : NULL,
                    .heights = PV_NEW_ARRAY(uint8_t, n),
                    .strides = PV_NEW_ZEROED(uint64_t, n),
                    .magic = PV_NEW_ZEROED(uint64_t, n),
                    .n_nodes = 1,
                    .countable = true,
                    .size = 1};
    if (l.heights == NULL || l.strides == NULL || l.magic == NULL || (distinct && l.real == NULL)) {
        pv_i_lattice_deinit(&l);
        return pv_i_no_memory(error);
    }
    for (size_t axis = n; axis-- > 0;) {
        l.heights[axis] =
            distinct
                ? (uint8_t)(find_distinct(study, axis, l.real + axis * (PV_MAX_HEIGHT + 1)) - 1)
                : (uint8_t)pv_hierarchy_height(pv_study_hierarchy(study, axis));
        l.strides[axis] = l.n_nodes;
        l.magic[axis] = l.n_nodes > 1 ? UINT64_MAX / l.n_nodes + 1 : 0;
        l.countable = l.countable && pv_i_mul_u64(l.n_nodes, l.heights[axis] + 1u, &l.n_nodes);
        l.size *= l.heights[axis] + 1.0;
    }
    *lattice = l;
    return PV_STATUS_OK;
}

pv_status pv_i_lattice_init(pv_lattice *lattice, const pv_study *study, pv_error *error)
{
    return init_lattice(lattice, study, false, error);
}

pv_status pv_i_lattice_init_distinct(pv_lattice *lattice, const pv_study *study, pv_error *error)
{
    return init_lattice(lattice, study, true, error);
}

void pv_i_lattice_deinit(pv_lattice *lattice)
{
    pv_i_free(lattice->real);
    pv_i_free(lattice->heights);
    pv_i_free(lattice->strides);
    pv_i_free(lattice->magic);
    *lattice = (pv_lattice){0};
}

uint64_t pv_i_lattice_node(const pv_lattice *lattice, const uint8_t *levels)
{
    uint64_t node = 0;
    for (size_t axis = 0; axis < lattice->n_axes; axis++) {
        node += lattice->strides[axis] * levels[axis];
    }
    return node;
}

void pv_i_lattice_levels(const pv_lattice *lattice, uint64_t node, uint8_t *levels)
{
    for (size_t axis = 0; axis < lattice->n_axes; axis++) {
        const uint64_t level = pv_i_lattice_quotient(lattice, node, axis);
        levels[axis] = (uint8_t)level;
        node -= level * lattice->strides[axis];
    }
}
