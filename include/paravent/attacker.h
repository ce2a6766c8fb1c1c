/* The attacker: somebody who holds a dictionary of people and looks for those who are consistent
 * with a released record.
 *
 *     const pv_attacker_options options = {.path = "register.csv"};
 *     pv_attacker *attacker = NULL;
 *     pv_status status = pv_attacker_open(profile, &options, NULL, &attacker, &error); */
#ifndef PARAVENT_ATTACKER_H
#define PARAVENT_ATTACKER_H

#include <paravent/classes.h>
#include <paravent/context.h>
#include <paravent/status.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* What the attacker has: people with the values of some of the quasi-identifiers. */
typedef struct pv_attacker pv_attacker;

typedef struct pv_attacker_options {
    size_t size;      /* sizeof this struct; 0 = as in this header */
    const char *path; /* a table with some of the columns; NULL = the table itself */
    /* 0: a dictionary value must lie under the released one. Otherwise some leaf under it must be
     * at least so similar to it (Jaro), 0 < similarity <= 1. */
    double similarity;
    /* Columns of the file that are left aside; NULL-terminated or NULL. */
    const char *const *ignore;
} pv_attacker_options;

/* The profile is borrowed and must outlive it. A file without any of the quasi-identifiers, or with
 * a column that is neither one of them, nor an identifier of the plan, nor left aside, or without a
 * column to be left aside: PV_STATUS_INPUT. What an attacker knows must not be overlooked because
 * it is called otherwise. */
PV_API PV_CHECKED pv_status pv_attacker_open(const pv_profile *profile,
                                             const pv_attacker_options *options,
                                             const pv_context *context, pv_attacker **attacker,
                                             pv_error *error);
PV_API void pv_attacker_free(pv_attacker *attacker);             /* NULL is fine */
PV_API uint64_t pv_attacker_n_rows(const pv_attacker *attacker); /* of the dictionary */
PV_API size_t pv_attacker_n_known(const pv_attacker *attacker);  /* quasi-identifiers it has */
PV_API bool pv_attacker_knows(const pv_attacker *attacker, size_t quasi);
/* Its distinct values of a quasi-identifier that are consistent with nothing but `*`. */
PV_API uint32_t pv_attacker_n_unmatched(const pv_attacker *attacker, size_t quasi);

/* The similarity of two texts in UTF-8, 0..1 (Jaro 1989): shared characters at most half the
 * longer text apart, and how many of them are out of order. Two empty texts are the same: 1. Sizes
 * are in bytes; a byte that is not part of a character counts as one. Of texts longer than 4,096
 * characters only so many are looked at. */
PV_API double pv_jaro(const char *a, size_t a_size, const char *b, size_t b_size);

#ifdef __cplusplus
}
#endif
#endif
