/* What both forms of the certificate decide alike. */
#include "report/certificate.h"

#include <assert.h>
#include <string.h>

static const char *const verdict_names[] = {
    [PV_VERDICT_VERIFIED] = "verified", [PV_VERDICT_ACCEPTED] = "accepted",
    [PV_VERDICT_EXPOSED] = "exposed",   [PV_VERDICT_WEAKER] = "weaker",
    [PV_VERDICT_UNMET] = "unmet",
};
static_assert(sizeof verdict_names / sizeof *verdict_names == PV_VERDICT_COUNT,
              "every verdict needs a name");

const char *pv_i_verdict_name(pv_verdict verdict)
{
    return verdict_names[verdict];
}

static bool all_hold(const pv_certificate_demand *demands, size_t n)
{
    for (size_t i = 0; i < n; i++) {
        if (!demands[i].holds) {
            return false;
        }
    }
    return true;
}

const char *pv_i_certificate_accepted(const pv_certificate *certificate)
{
    for (size_t i = 0; i < certificate->n_unchanged; i++) {
        if (certificate->unchanged[i].accepted) {
            return certificate->unchanged[i].found->name;
        }
    }
    return NULL;
}

pv_verdict pv_i_certificate_verdict(const pv_certificate *certificate)
{
    if (!all_hold(certificate->demands, certificate->n_demands)) {
        return PV_VERDICT_UNMET;
    }
    if (!all_hold(certificate->promises, certificate->n_promises)) {
        return PV_VERDICT_WEAKER;
    }
    if (certificate->k < 2) {
        return PV_VERDICT_EXPOSED;
    }
    return pv_i_certificate_accepted(certificate) != NULL ? PV_VERDICT_ACCEPTED
                                                          : PV_VERDICT_VERIFIED;
}
