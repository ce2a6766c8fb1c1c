/* Filling in the certificate of a release from what was evaluated, written and audited. */
#ifndef PV_RELEASE_CERTIFY_H
#define PV_RELEASE_CERTIFY_H

#include "release/evaluation.h"
#include "report/certificate.h"

#include "release/settings.h"

typedef struct pv_certify_input {
    const pv_evaluation *evaluation;
    const pv_release_settings *options;
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

#endif
