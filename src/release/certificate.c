/* What both forms of the certificate decide alike. */
#include "release/certificate.h"

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

size_t pv_i_certificate_examples(const pv_hierarchy *hierarchy, unsigned level, const bool *occurs,
                                 const char **examples)
{
    size_t n = 0;
    const uint32_t groups = level > 0 ? pv_hierarchy_groups(hierarchy, level) : 0;
    for (uint32_t g = 0; g < groups && n < PV_CERTIFICATE_EXAMPLES; g++) {
        if (pv_hierarchy_group_leaves(hierarchy, level, g) > 1 && (occurs == NULL || occurs[g])) {
            examples[n++] = pv_hierarchy_label(hierarchy, level, g);
        }
    }
    return n;
}
