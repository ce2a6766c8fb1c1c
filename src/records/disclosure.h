/* The results of deciding record by record, as their accessors (paravent/disclose.h) read them. */
#ifndef PV_RECORDS_DISCLOSURE_H
#define PV_RECORDS_DISCLOSURE_H

#include <paravent/disclose.h>

/* Accessors of one shape: PV_FIELD(double, pv_x, seconds, field) is pv_x_seconds(x), and
 * PV_FIELD_AT(double, pv_x, risk, list, field) is pv_x_risk(x, i) of x->list[i]. */
#define PV_FIELD(type, object, name, field)  \
    type object##_##name(const object *self) \
    {                                        \
        return self->field;                  \
    }
#define PV_FIELD_AT(type, object, name, list, field)   \
    type object##_##name(const object *self, size_t i) \
    {                                                  \
        return self->list[i].field;                    \
    }

/* What a record is released as. */
typedef struct pv_disclosed {
    const uint8_t *levels; /* one per quasi-identifier: of equal ones the lowest; NULL: it was not
                              asked for (`only`) */
    double risk, utility;
    uint64_t consistent;     /* rho */
    double risk_raw, most;   /* raw: risk, and the utility there, the most there can be */
    uint64_t consistent_raw; /* rho */
    bool is_feasible;        /* false: nothing keeps the bound; then everything is `*` */
    bool is_optimal;         /* false: a limit was reached, or the method does not promise it */
    uint64_t visited;        /* lattice nodes looked at; of scan: all */
} pv_disclosed;

/* One pv_disclosed per tuple of the profile: identical records are solved once. */
struct pv_disclosure {
    pv_aim aim;
    size_t n_quasi;
    size_t n_tuples;
    pv_disclosed *tuples;
    const char *method; /* the one that ran */
    const char *reason; /* why `auto` chose it; NULL if it was asked for */
    uint64_t visited;   /* lattice nodes in all: of scan once for all records */
    double nodes;       /* of the lattice */
    double seconds;
    bool stopped; /* by the progress callback: records not reached are as infeasible */
    pv_stop stop;
    void *memory; /* holds the levels */
};

struct pv_disclosure_summary {
    uint64_t n_rows, n_infeasible, n_proven; /* people */
    pv_spread risk_before, risk_after;
    pv_spread utility_kept;                   /* share of what each record has at most */
    uint64_t n_unique_before, n_unique_after; /* people whom one dictionary record or none fits */
    uint64_t at_level[]; /* n_quasi * (PV_MAX_HEIGHT + 1): people by quasi-identifier and level */
};

typedef struct pv_risk_curve {
    pv_risk risk;
    double mean_raw, most_raw; /* of the raw table */
    pv_risk_point *points;     /* by ascending `asked` */
    size_t n_points;
} pv_risk_curve;

struct pv_risk_front {
    pv_utility utility;
    pv_risk_curve curves[PV_RISK_COUNT];
    size_t n_curves;
    const char *method, *reason; /* as in pv_disclosure */
    double nodes;                /* of the lattice of one record */
    double seconds;
    bool stopped;
    pv_stop stop;
};

/* pv_disclosure_scheme into a scheme that is zero or initialised (disclosed_scheme.c). */
PV_CHECKED pv_status pv_i_disclosure_scheme(const pv_disclosure *disclosure,
                                            const pv_profile *profile, const pv_constraint *demands,
                                            size_t n_demands, uint64_t budget,
                                            const pv_context *context, pv_scheme *scheme,
                                            pv_enforced *account, pv_error *error);

#endif
