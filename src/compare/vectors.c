/* Property vectors: what a release does to each kind of people. */
#include "compare/vectors.h"

#include "base/error.h"
#include "base/memory.h"

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
    pv_i_free(vectors->name);
    pv_i_free(vectors);
}

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

static pv_status divide_marks(pv_vectors *vectors, const uint32_t *parent, size_t n,
                              pv_error *error)
{
    bool *const marks = vectors->is_suppressed;
    bool *const divided = marks != NULL ? PV_NEW_ARRAY(bool, n) : NULL;
    if (marks != NULL && divided == NULL) {
        return pv_i_no_memory(error);
    }
    for (size_t kind = 0; marks != NULL && kind < n; kind++) {
        divided[kind] = marks[parent[kind]];
    }
    pv_i_free(marks);
    vectors->is_suppressed = divided;
    return PV_STATUS_OK;
}

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
    return divide_marks(vectors, parent, n, error);
}

/* Subtracting leaves no -0 behind. */
void pv_i_values_turn(double *values, uint64_t n)
{
    for (uint64_t i = 0; i < n; i++) {
        values[i] = 0 - values[i];
    }
}
