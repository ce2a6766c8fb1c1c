/* Property vectors: what a release does to each person, from the classes of a scheme. */
#include "compare/vectors.h"

#include "base/error.h"
#include "base/memory.h"
#include "compare/property.h"

void pv_vectors_free(pv_vectors *vectors)
{
    if (vectors == NULL) {
        return;
    }
    for (size_t i = 0; vectors->values != NULL && i < vectors->n_properties; i++) {
        pv_i_free(vectors->values[i]);
    }
    pv_i_free(vectors->values);
    pv_i_free(vectors->name);
    pv_i_free(vectors);
}

pv_status pv_i_vectors_create(const char *name, uint64_t n_rows, size_t n_properties,
                              pv_vectors **vectors, pv_error *error)
{
    pv_vectors *const made = PV_NEW(pv_vectors);
    if (made == NULL) {
        return pv_i_no_memory(error);
    }
    *made = (pv_vectors){.name = pv_i_strdup(name),
                         .n_rows = n_rows,
                         .values = PV_NEW_ZEROED(double *, n_properties),
                         .n_properties = n_properties};
    if (made->name == NULL || made->values == NULL) {
        pv_vectors_free(made);
        return pv_i_no_memory(error);
    }
    *vectors = made;
    return PV_STATUS_OK;
}

/* Subtracting leaves no -0 behind. */
void pv_i_values_turn(double *values, uint64_t n)
{
    for (uint64_t row = 0; row < n; row++) {
        values[row] = 0 - values[row];
    }
}

/* A column is in files only; what needs a sensitive attribute is not there without one. */
static bool is_available(const pv_property_choice *choice, const pv_classes *classes)
{
    return choice->property != NULL &&
           pv_i_property_available(choice->property, pv_profile_study(pv_classes_profile(classes)));
}

static pv_status fill(pv_vectors *vectors, size_t i, const char *name, const pv_classes *classes,
                      pv_error *error)
{
    pv_property_choice choice = {0};
    PV_TRY(pv_i_property_choose(name, &choice, error));
    if (!is_available(&choice, classes)) {
        return PV_STATUS_OK;
    }
    vectors->values[i] = PV_NEW_ARRAY(double, vectors->n_rows);
    if (vectors->values[i] == NULL) {
        return pv_i_no_memory(error);
    }
    PV_TRY(pv_measure_rows(pv_i_property_measure(choice.property), classes, vectors->values[i],
                           error));
    if (choice.less_is_better) {
        pv_i_values_turn(vectors->values[i], vectors->n_rows);
    }
    return PV_STATUS_OK;
}

pv_status pv_vectors_of_classes(const pv_classes *classes, const char *name,
                                const char *const *properties, size_t n_properties,
                                pv_vectors **vectors, pv_error *error)
{
    pv_vectors *made = NULL;
    pv_status status = PV_STATUS_OK;
    PV_TRY(pv_i_vectors_create(name, pv_profile_rows(pv_classes_profile(classes)), n_properties,
                               &made, error));
    made->suppressed = pv_classes_suppressed(classes);
    for (size_t i = 0; i < n_properties; i++) {
        PV_TRY_CLEAN(fill(made, i, properties[i], classes, error));
    }
    *vectors = made;
    return PV_STATUS_OK;
cleanup:
    pv_vectors_free(made);
    return status;
}
