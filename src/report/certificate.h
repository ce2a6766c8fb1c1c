/* The certificate of a release: what was done to the table, what it achieved and how that was
 * verified, as JSON for programs and as one self-contained page for people; and the publisher's
 * report, which is the same with everything that describes the original beside it.
 *
 * pv_certificate is plain data, borrowed for the call. Three rules make a certificate fit to travel
 * with the table it certifies:
 *   - It knows no more than the release: every figure in it can be counted in the released file, or
 *     was demanded. What the original looked like (classes and risk before, detail lost, columns
 *     that were dropped, the file's name) is for the publisher (`for_publisher`).
 *   - It holds no original value of the table: attributes are described by names, counts and the
 *     labels that are in the release, never by a value of level 0.
 *   - The same release gives the same bytes: no clock, no host, no user, no folder.
 * The seed of a shuffle stays out of it, too: whoever knows it can put the rows back in order. */
#ifndef PV_REPORT_CERTIFICATE_H
#define PV_REPORT_CERTIFICATE_H

#include "audit/audit.h"

#include <paravent/hierarchy.h>
#include <paravent/measure.h>
#include <paravent/release.h>
#include <paravent/status.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define PV_CERTIFICATE_SCHEMA 2
#define PV_CERTIFICATE_EXAMPLES 4

/* A quasi-identifier. */
typedef struct pv_certificate_attribute {
    const char *name;
    const char *hierarchy;  /* name of its kind: pv_hierarchy_kind_name() */
    unsigned height, level; /* level <= height, height >= 1 */
    uint64_t groups_before; /* distinct values of the raw table: for the publisher */
    uint64_t groups_after;  /* of the rows that were not suppressed, in the release */
    double loss; /* share of the detail lost by the level, without suppression: for the publisher */
    /* Some labels of the chosen level (of the commonest one between value and `*`) that are in
     * the release; ignored at level 0. */
    const char *examples[PV_CERTIFICATE_EXAMPLES];
    size_t n_examples;
    const uint64_t *at_level; /* records with levels of their own: how many at each; else NULL */
    /* Of the released rows: how many show the value itself, a group, nothing but `*`. */
    uint64_t shown_raw, shown_coarser, shown_starred;
    /* The height of a mask is the length of the longest value, which perhaps only a suppressed
     * person has: for the publisher. */
    bool is_height_private;
} pv_certificate_attribute;

/* A released column that is no quasi-identifier. */
typedef struct pv_certificate_unchanged {
    const pv_audit_unchanged *found; /* in the released file */
    pv_role role;
    bool hashed;   /* its values were replaced by keyed hashes */
    bool accepted; /* the publisher accepted that it may single people out */
} pv_certificate_unchanged;

/* How well people hide in one state of the table. */
typedef struct pv_certificate_crowd {
    uint64_t classes;
    uint64_t histogram[PV_EXPOSURE_BINS]; /* rows by the size of their class, suppressed ones not */
    uint64_t unique_rows;                 /* rows alone in their class */
    double risk_max, risk_mean;           /* prosecutor: 1/k and classes/rows */
} pv_certificate_crowd;

typedef struct pv_certificate_measure {
    pv_measure_ref ref;
    bool available;       /* false: needs a sensitive or label column that there is not */
    double before, after; /* of the raw table; of the release */
} pv_certificate_measure;

typedef struct pv_certificate_demand {
    pv_constraint constraint;
    double value; /* as measured in the released file */
    bool holds;
} pv_certificate_demand;

typedef struct pv_certificate {
    bool for_publisher;   /* the publisher's report */
    const char *command;  /* "release", "apply" or "disclose" */
    const char *source;   /* the data; of this and other paths, only the last */
    const char *released; /* part is shown */
    const char *place;    /* where an engine has the table; NULL = it is a file */
    const char *scheme;   /* the scheme file written with it; NULL = none */
    /* Of the released file, in hex; of a table elsewhere that of its distinct rows, with how often
     * each occurs. */
    const char *sha256;
    uint64_t rows, suppressed, budget; /* budget: rows that might have been suppressed */
    uint64_t left_out;     /* suppressed rows that the file does not have: for the publisher */
    bool drops_suppressed; /* the file has no suppressed rows */
    uint64_t k;            /* smallest remaining class */
    pv_certificate_crowd before, after; /* after: remaining rows only */
    const pv_certificate_attribute *attributes;
    size_t n_attributes;
    const pv_certificate_measure *measures;
    size_t n_measures;
    const pv_certificate_demand *demands;
    size_t n_demands;
    /* Promises of the scheme that was applied, kept or not (apply only). */
    const pv_certificate_demand *promises;
    size_t n_promises;
    const pv_audit *audit; /* of the file on disk; required */
    pv_row_order order;
    bool escapes_formulas; /* a ' comes before what a spreadsheet would run */
    const pv_formula_column *formulas;
    size_t n_formulas;
    bool hashed;                    /* identifiers replaced by keyed hashes instead of dropped */
    const char *const *identifiers; /* column names */
    size_t n_identifiers;
    const pv_certificate_unchanged *unchanged; /* in the order of the release */
    size_t n_unchanged;
    const char *const *dropped; /* columns that the plan does not name: for the publisher */
    size_t n_dropped;
    const char *const *sensitive; /* column names */
    size_t n_sensitive;
    const char *label; /* column name or NULL */
} pv_certificate;

/* What the certificate says in one word. */
typedef enum pv_verdict {
    PV_VERDICT_VERIFIED = 0, /* everything demanded holds, nobody is alone */
    PV_VERDICT_ACCEPTED,     /* so it is, but for a column that singles people out, as accepted */
    PV_VERDICT_EXPOSED,      /* nothing demanded is broken, but some people are unique (k < 2) */
    PV_VERDICT_WEAKER,       /* a promise of the applied scheme no longer holds */
    PV_VERDICT_UNMET,        /* something demanded does not hold */
    PV_VERDICT_COUNT
} pv_verdict;

pv_verdict pv_i_certificate_verdict(const pv_certificate *certificate);
/* The first column that singles people out and was accepted, or NULL. */
const char *pv_i_certificate_accepted(const pv_certificate *certificate);
const char *pv_i_verdict_name(pv_verdict verdict); /* "verified", "exposed", ... */

/* Both return malloc'ed text that the caller frees with pv_string_free. */
PV_CHECKED pv_status pv_i_certificate_json(const pv_certificate *certificate, char **json,
                                           pv_error *error);
PV_CHECKED pv_status pv_i_certificate_page(const pv_certificate *certificate, char **html,
                                           pv_error *error);

/* Levels by record: */
bool pv_i_certificate_is_local(const pv_certificate *certificate);
/* and every hierarchy is a value and `*`: single cells were suppressed. */
bool pv_i_certificate_is_cells(const pv_certificate *certificate);
/* Of the rows that are not suppressed: cells that are `*`, of how many. */
uint64_t pv_i_certificate_stars(const pv_certificate *certificate, uint64_t *n_cells);
/* What local recoding means for whoever analyses the table, or the suppression of cells; and what
 * holds if `*` is read as a value, and as anything. Plain text. */
const char *pv_i_certificate_recoding(const pv_certificate *certificate);
#define PV_STAR_AS_VALUE \
    "`*` read as a value of its own: what is demanded of classes holds, as measured here."
#define PV_STAR_AS_ANYTHING                                                                        \
    "`*` read as anything: what is known of a person then fits whole classes only, at least one "  \
    "of "                                                                                          \
    "them, and k and the demands on sensitive values hold for any union of classes. So they hold " \
    "for whomever somebody looks for. Suppressed rows fit everyone and count for nobody."

#endif
