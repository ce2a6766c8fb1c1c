/* A release as it is going to be written: what the plan says and what the caller asked for,
 * resolved once. */
#ifndef PV_RELEASE_SETTINGS_H
#define PV_RELEASE_SETTINGS_H

#include <paravent/release.h>

typedef struct pv_release_settings {
    /* The table; required. `.gz` and `.zst` endings compress. `-` = standard output, once it is
     * verified. Its papers (certificate, codebook, scheme, publisher's report) go into a folder
     * beside it, NAME.papers-XXXXXXXX, and appear and change with it in one step. */
    const char *output;
    const char *papers; /* with `-`: the folder for the papers, NULL = none are written */
    bool force;         /* replace a release that exists */
    /* Other files that appear together with the release, whose own `force` counts; NULL = none.
     * pv_release_write commits them. */
    pv_outputs *outputs;
    bool refuse_unique; /* unless a k is demanded, demand that nobody is alone */
    pv_suppression suppression;
    const pv_budget *budget; /* how the budget was given, for the scheme file; NULL = the plan's */
    const pv_constraint *constraints;
    size_t n_constraints;
    bool drop_suppressed; /* leave suppressed rows out instead of releasing them with all `*` */
    pv_row_order order;
    uint64_t seed; /* of the shuffle; keep it secret: it restores the order */
    /* Where to write which row of the original each released row is, for the publisher alone; NULL
     * = nowhere. Readable by the owner only. */
    const char *row_map;
    bool escape_formulas;  /* put a ' before what a spreadsheet would run, and before what begins
                              with one */
    bool hash_identifiers; /* replace identifiers by keyed hashes instead of dropping them */
    const void *key;       /* secret key of the hashes: at least 16 bytes, 8 of them different */
    size_t key_size;
    char delimiter;                /* of the output; 0 = that of the input */
    bool applying;                 /* a scheme made from another table is applied to new rows */
    const pv_constraint *promises; /* what it achieved there: must still hold when applying, */
    size_t n_promises;
    bool allow_weaker; /* unless this is set */
} pv_release_settings;

PV_CHECKED pv_status pv_i_release_write(const pv_scheme *scheme, const pv_profile *profile,
                                        const pv_release_settings *settings,
                                        const pv_context *context, pv_release_result **result,
                                        pv_error *error);

#endif
