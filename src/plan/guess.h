/* Guessing a plan: what a column looks like, what role that suggests, how it could be coarsened.
 * Nothing a guess writes down is a value of the data. */
#ifndef PV_PLAN_GUESS_H
#define PV_PLAN_GUESS_H

#include <paravent/plan.h>

/* What one column looks like. The missing value is not counted among its values. */
typedef struct pv_look {
    const char *name;
    pv_type type;
    uint64_t rows;    /* that have a value */
    uint64_t missing; /* rows that have none */
    uint32_t distinct;
    size_t longest;        /* bytes of the longest value */
    bool is_code;          /* all values are digits, of one length */
    bool has_leading_zero; /* and one begins with 0, so it is no quantity */
    bool has_range;        /* numbers of moderate size */
    double lowest, highest;
    unsigned taken_labels; /* bit i: pv_i_rare_labels[i] is a value of the column */
} pv_look;

/* Names for the group of rare values, the first that is free is used. */
#define PV_RARE_LABELS 3
extern const char *const pv_i_rare_labels[PV_RARE_LABELS];

typedef struct pv_guess {
    pv_look look;
    pv_role role;
    bool is_postal; /* the name speaks of a postal code */
    char why[96];
    char hierarchy[160]; /* as it stands in the plan; empty = value, then `*` */
} pv_guess;

pv_look pv_i_look(const pv_table *table, size_t column);
void pv_i_guess_role(pv_guess *guess);
void pv_i_guess_hierarchy(pv_guess *guess);

#endif
