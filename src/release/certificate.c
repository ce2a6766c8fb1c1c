/* What both forms of the certificate decide alike. */
#include "release/certificate.h"

#include <assert.h>
#include <string.h>

static const char *const verdict_names[] = {
    [PV_VERDICT_VERIFIED] = "verified",
    [PV_VERDICT_EXPOSED] = "exposed",
    [PV_VERDICT_WEAKER] = "weaker",
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

pv_verdict pv_i_certificate_verdict(const pv_certificate *certificate)
{
    if (!all_hold(certificate->demands, certificate->n_demands)) {
        return PV_VERDICT_UNMET;
    }
    if (!all_hold(certificate->promises, certificate->n_promises)) {
        return PV_VERDICT_WEAKER;
    }
    return certificate->k < 2 ? PV_VERDICT_EXPOSED : PV_VERDICT_VERIFIED;
}

size_t pv_i_certificate_examples(const pv_hierarchy *hierarchy, unsigned level,
                                 const char **examples)
{
    size_t n = 0;
    const uint32_t groups = level > 0 ? pv_hierarchy_groups(hierarchy, level) : 0;
    for (uint32_t g = 0; g < groups && n < PV_CERTIFICATE_EXAMPLES; g++) {
        if (pv_hierarchy_group_leaves(hierarchy, level, g) > 1) {
            examples[n++] = pv_hierarchy_label(hierarchy, level, g);
        }
    }
    return n;
}
