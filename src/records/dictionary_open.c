/* The attacker's dictionary: the table itself, or another file.
 *
 * Either way it ends as distinct tuples of values with the rows that have them, and for each value
 * the groups of the table's hierarchies that it may be in. */
#include "records/dictionary_parts.h"

#include "base/error.h"
#include "base/memory.h"
#include "hierarchy/tree.h"

#include <string.h>

pv_status pv_i_known_match(pv_known *known, const pv_whereabouts *where,
                           const pv_hierarchy *hierarchy, pv_error *error)
{
    known->levels = PV_NEW_ZEROED(pv_consistency, known->height);
    if (known->levels == NULL) {
        return pv_i_no_memory(error);
    }
    for (unsigned level = 0; level < known->height; level++) {
        PV_TRY(pv_i_consistency_init(&known->levels[level], where, known->n_values, hierarchy,
                                     level, error));
    }
    return PV_STATUS_OK;
}

/* ------------------------------------------------------------ the table itself */

static void take_counts(pv_dictionary *dictionary)
{
    const pv_profile *const profile = dictionary->profile;
    dictionary->n_tuples = profile->n_tuples;
    dictionary->n_rows = profile->n_rows;
    dictionary->counts = profile->count;
}

/* A value is a leaf; the profile has those of all tuples. */
static void take_leaves(pv_dictionary *dictionary, size_t quasi)
{
    pv_known *const known = &dictionary->known[quasi];
    known->is_known = true;
    known->n_values = pv_hierarchy_leaves(pv_study_hierarchy(dictionary->profile->study, quasi));
}

static pv_status match_leaves(pv_known *known, const pv_hierarchy *hierarchy, pv_error *error)
{
    /* By level every leaf is the group of its own number. */
    const uint32_t *const leaves = hierarchy->levels[0].group_of;
    pv_whereabouts where = {0};
    pv_status status =
        pv_i_whereabouts_of_values(&where, leaves, hierarchy->lowest, known->n_values, error);
    if (status == PV_STATUS_OK) {
        status = pv_i_known_match(known, &where, hierarchy, error);
    }
    pv_i_whereabouts_deinit(&where);
    return status;
}

static pv_status match_similar(pv_dictionary *dictionary, size_t quasi, double similarity,
                               const pv_context *context, pv_error *error)
{
    const pv_study *const study = dictionary->profile->study;
    const pv_hierarchy *const hierarchy = pv_study_hierarchy(study, quasi);
    pv_texts leaves = {0};
    pv_status status = pv_i_texts_init(&leaves, pv_study_table(study),
                                       pv_study_quasi_column(study, quasi), hierarchy, error);
    if (status == PV_STATUS_OK) {
        status = pv_i_known_match_similar(&dictionary->known[quasi], hierarchy, &leaves, &leaves,
                                          similarity, context, error);
    }
    pv_i_texts_deinit(&leaves);
    return status;
}

static pv_status take_table(pv_dictionary *dictionary, double similarity, const pv_context *context,
                            pv_error *error)
{
    const pv_study *const study = dictionary->profile->study;
    dictionary->is_table = !(similarity > 0);
    take_counts(dictionary);
    for (size_t quasi = 0; quasi < pv_study_quasis(study); quasi++) {
        take_leaves(dictionary, quasi);
        PV_TRY(dictionary->is_table ? match_leaves(&dictionary->known[quasi],
                                                   pv_study_hierarchy(study, quasi), error)
                                    : match_similar(dictionary, quasi, similarity, context, error));
    }
    return PV_STATUS_OK;
}

/* ------------------------------------------------------------------ the whole */

static pv_status check_similarity(double similarity, pv_error *error)
{
    return similarity >= 0 && similarity <= 1
               ? PV_STATUS_OK
               : pv_i_fail(error, PV_STATUS_ARGUMENT, "a similarity is between 0 and 1");
}

/* Consistent with a leaf or a group is consistent with all above: the level below the root is the
 * last to know, but in a ragged tree that is not the same for all. */
static bool is_unmatched(const pv_known *known, uint32_t value)
{
    for (unsigned level = 0; level < known->height; level++) {
        if (known->levels[level].start[value] < known->levels[level].start[value + 1]) {
            return false;
        }
    }
    return true;
}

static void count_unmatched(pv_dictionary *dictionary)
{
    for (size_t quasi = 0; quasi < pv_study_quasis(dictionary->profile->study); quasi++) {
        pv_known *const known = &dictionary->known[quasi];
        for (uint32_t value = 0; known->is_known && value < known->n_values; value++) {
            known->n_unmatched += is_unmatched(known, value);
        }
    }
}

static pv_status create(const pv_profile *profile, pv_dictionary **dictionary, pv_error *error)
{
    pv_dictionary *const made = PV_NEW(pv_dictionary);
    if (made == NULL) {
        return pv_i_no_memory(error);
    }
    made->profile = profile;
    made->known = PV_NEW_ZEROED(pv_known, pv_study_quasis(profile->study));
    if (made->known == NULL) {
        pv_dictionary_free(made);
        return pv_i_no_memory(error);
    }
    for (size_t quasi = 0; quasi < pv_study_quasis(profile->study); quasi++) {
        made->known[quasi].height = pv_hierarchy_height(pv_study_hierarchy(profile->study, quasi));
    }
    *dictionary = made;
    return PV_STATUS_OK;
}

pv_status pv_dictionary_open(const pv_profile *profile, const pv_dictionary_options *options,
                             const pv_context *context, pv_dictionary **dictionary, pv_error *error)
{
    const pv_dictionary_options defaults = {0};
    pv_dictionary *made = NULL;
    options = options != NULL ? options : &defaults;
    PV_TRY(check_similarity(options->similarity, error));
    PV_TRY(create(profile, &made, error));
    const pv_status status = options->path != NULL
                                 ? pv_i_dictionary_take_file(made, options, context, error)
                                 : take_table(made, options->similarity, context, error);
    if (status != PV_STATUS_OK) {
        pv_dictionary_free(made);
        return status;
    }
    count_unmatched(made);
    *dictionary = made;
    return PV_STATUS_OK;
}

static void free_known(pv_known *known)
{
    for (unsigned level = 0; known->levels != NULL && level < known->height; level++) {
        pv_i_consistency_deinit(&known->levels[level]);
    }
    pv_i_free(known->levels);
    pv_i_free(known->values);
}

void pv_dictionary_free(pv_dictionary *dictionary)
{
    if (dictionary == NULL) {
        return;
    }
    const size_t n = pv_study_quasis(dictionary->profile->study);
    for (size_t quasi = 0; dictionary->known != NULL && quasi < n; quasi++) {
        free_known(&dictionary->known[quasi]);
    }
    pv_i_free(dictionary->known);
    if (dictionary->counts != dictionary->profile->count) {
        pv_i_free(dictionary->counts);
    }
    pv_i_free(dictionary);
}

/* ------------------------------------------------------------------ questions */

uint64_t pv_dictionary_rows(const pv_dictionary *dictionary)
{
    return dictionary->n_rows;
}

size_t pv_dictionary_known(const pv_dictionary *dictionary)
{
    size_t n = 0;
    for (size_t quasi = 0; quasi < pv_study_quasis(dictionary->profile->study); quasi++) {
        n += dictionary->known[quasi].is_known;
    }
    return n;
}

bool pv_dictionary_knows(const pv_dictionary *dictionary, size_t quasi)
{
    return dictionary->known[quasi].is_known;
}

uint32_t pv_dictionary_unmatched(const pv_dictionary *dictionary, size_t quasi)
{
    return dictionary->known[quasi].n_unmatched;
}
