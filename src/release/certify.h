/* Filling in the certificate of a release from what was evaluated, written and audited. */
#ifndef PV_RELEASE_CERTIFY_H
#define PV_RELEASE_CERTIFY_H

#include "release/certificate.h"
#include "release/evaluation.h"

#include <paravent/release.h>

typedef struct pv_certify_input {
    const pv_evaluation *evaluation;
    const pv_release_options *options;
    const pv_audit *audit; /* of the written file */
    const char *table_path, *scheme_path;
    const char *sha256; /* of the written file, in hexadecimal */
    const pv_formula_column *formulas;
    size_t n_formulas;
    bool for_publisher; /* the publisher's report instead of the certificate */
    const pv_context *context;
} pv_certify_input;

/* The certificate or report as JSON and as a page; the caller frees both with pv_string_free. What
 * they say in one word is the verdict. */
PV_CHECKED pv_status pv_i_certify(const pv_certify_input *input, char **json, char **page,
                                  pv_verdict *verdict, pv_error *error);

/* Labels of a level that released people have and that are not the value of one of them, at most so
 * many, in the order of the hierarchy; borrowed from it. How many there are; SIZE_MAX = memory ran
 * out. */
size_t pv_i_released_labels(const pv_classes *classes, size_t q, unsigned level, size_t most,
                            const char **labels);

#endif
