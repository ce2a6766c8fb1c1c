/* A certificate made up for tests: the shape of a real one, without a release behind it. */
#ifndef PV_TESTS_CERTIFICATE_SAMPLE_H
#define PV_TESTS_CERTIFICATE_SAMPLE_H

#include "plan/plan.h"
#include "report/certificate.h"

#include <paravent/measure.h>

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { SAMPLE_ATTRIBUTES = 9, SAMPLE_DEMANDS = 3, SAMPLE_MEASURES = 32 };

typedef struct certificate_sample {
    pv_certificate certificate;
    pv_certificate_attribute attributes[SAMPLE_ATTRIBUTES];
    pv_certificate_measure measures[SAMPLE_MEASURES];
    pv_certificate_demand demands[SAMPLE_DEMANDS];
    pv_audit audit;
    pv_audit_value values[2];
} certificate_sample;

static const char *const sample_identifiers[] = {"person"};
static const char *const sample_sensitive[] = {"diagnosis", "income"};

static const pv_certificate_attribute sample_attributes[SAMPLE_ATTRIBUTES] = {
    {"age",
     "intervals",
     5,
     3,
     100,
     5,
     0.192,
     {"[0,20)", "[20,40)", "[40,60)", "[60,80)"},
     4,
     NULL,
     0,
     0,
     0,
     false},
    {"sex", "suppress", 1, 0, 2, 2, 0, {NULL}, 0, NULL, 0, 0, 0, false},
    {"zip", "mask", 5, 5, 598, 1, 1, {"*"}, 1, NULL, 0, 0, 0, false},
    {"education", "rows", 3, 2, 9, 2, 0.434, {"school", "beyond school"}, 2, NULL, 0, 0, 0, false},
    {"marital",
     "rows",
     2,
     1,
     6,
     3,
     0.148,
     {"in a union", "formerly in a union"},
     2,
     NULL,
     0,
     0,
     0,
     false},
    {"household", "suppress", 1, 1, 6, 1, 1, {"*"}, 1, NULL, 0, 0, 0, false},
    {"occupation",
     "rows",
     2,
     1,
     17,
     4,
     0.197,
     {"management and professions", "office and services", "manual work", "not in paid work"},
     4,
     NULL,
     0,
     0,
     0,
     false},
    {"workclass",
     "rows",
     2,
     1,
     7,
     4,
     0.083,
     {"private sector", "public sector", "own business"},
     3,
     NULL,
     0,
     0,
     0,
     false},
    {"birthplace", "rows", 3, 3, 27, 1, 1, {"*"}, 1, NULL, 0, 0, 0, false},
};

/* Before and after of the measures, by name. */
static const struct {
    const char *name;
    double before, after;
} sample_values[] = {
    {"k", 1, 6},
    {"l-distinct", 1, 4},
    {"l-entropy", 1, 2.4142},
    {"l-recursive", 1, 2},
    {"t-closeness", 0.998, 0.4127},
    {"sum-k", 31200, 9876543},
    {"sum-l", 30100, 1234567},
    {"gini", 0.021, 0.5512},
    {"necd", 0.0001, 0.0489},
    {"glm", 0, 122500.25},
    {"nwp", 0, 0.4537},
    {"dcn", 31200, 18456543},
    {"leaf-utility", 268400, 139000.5},
    {"precision", 1, 0.5391},
    {"aecs", 1.017, 74.85},
    {"entropy", 0, 512345.678},
    {"risk", 1, 1.0 / 6},
    {"risk-mean", 29487.0 / 30000, 397.0 / 29715},
    {"risk-above", 0.985, 0},
};

static inline void sample_measures(certificate_sample *s)
{
    size_t n = 0;
    for (size_t i = 0; i < pv_n_measures() && n < SAMPLE_MEASURES; i++) {
        pv_certificate_measure m = {.ref = {pv_measure_at(i), pv_measure_at(i)->parameter_default}};
        for (size_t j = 0; j < sizeof sample_values / sizeof *sample_values; j++) {
            if (strcmp(sample_values[j].name, m.ref.measure->name) == 0) {
                m.available = true;
                m.before = sample_values[j].before;
                m.after = sample_values[j].after;
            }
        }
        s->measures[n++] = m;
    }
    s->certificate.measures = s->measures;
    s->certificate.n_measures = n;
}

static inline pv_certificate_demand sample_demand(const char *name, double bound, double value)
{
    const pv_measure *const measure = pv_measure_find(name);
    pv_certificate_demand d = {.constraint = {{measure, measure->parameter_default}, bound},
                               .value = value};
    d.holds = pv_constraint_holds(&d.constraint, value);
    return d;
}

static inline void sample_audit(certificate_sample *s)
{
    s->values[0] = (pv_audit_value){{pv_measure_find("k"), 0}, true, 6, SIZE_MAX};
    s->values[1] = (pv_audit_value){{pv_measure_find("l-recursive"), 2}, true, 1, 0};
    s->audit = (pv_audit){.rows = 30000,
                          .suppressed = 285,
                          .starred_cells = 89145,
                          .classes = 397,
                          .k = 6,
                          .k_wildcard = 291,
                          .risk_mean_wildcard = 0.0009,
                          .values = s->values,
                          .n_values = 2};
    s->certificate.audit = &s->audit;
}

/* `s` stays where it is: the certificate points into it. */
static inline void sample_init(certificate_sample *s)
{
    *s = (certificate_sample){0};
    memcpy(s->attributes, sample_attributes, sizeof sample_attributes);
    s->demands[0] = sample_demand("k", 5, 6);
    s->demands[1] = sample_demand("l-distinct", 3, 4);
    s->demands[2] = sample_demand("t-closeness", 0.5, 0.4127);
    s->certificate = (pv_certificate){
        .command = "release",
        .source = "/somewhere/private/census.csv",
        .released = "/somewhere/private/census.release.csv",
        .scheme = "census.release.scheme.json",
        .sha256 = "9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08",
        .rows = 30000,
        .suppressed = 285,
        .budget = 300,
        .k = 6,
        .before = {29487, {29033, 842, 125, 0, 0, 0, 0, 0}, 29033, 1, 29487.0 / 30000},
        .after = {397, {0, 0, 0, 612, 1490, 4133, 5480, 18000}, 0, 1.0 / 6, 397.0 / 29715},
        .attributes = s->attributes,
        .n_attributes = SAMPLE_ATTRIBUTES,
        .demands = s->demands,
        .n_demands = SAMPLE_DEMANDS,
        .order = PV_ORDER_SHUFFLED,
        .identifiers = sample_identifiers,
        .n_identifiers = 1,
        .sensitive = sample_sensitive,
        .n_sensitive = 2,
    };
    sample_measures(s);
    sample_audit(s);
}

#endif
