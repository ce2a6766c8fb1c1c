/* Guessing a plan: what a column looks like, what role that suggests, how it could be coarsened.
 * Nothing a guess writes down is a value of the data. */
#ifndef PV_PLAN_GUESS_H
#define PV_PLAN_GUESS_H

#include "base/buffer.h"

#include <paravent/plan.h>

/* What one column looks like. The missing value is not counted among its values. */
typedef struct pv_look {
    const char *name;
    pv_type type;
    uint64_t rows;    /* that have a value */
    uint64_t missing; /* rows that have none */
    uint32_t distinct;
    uint32_t alone;        /* values that one row alone has */
    uint64_t largest;      /* rows of the most frequent value */
    bool in_runs;          /* equal values are in neighbouring rows */
    size_t longest;        /* bytes of the longest value */
    bool is_code;          /* all values are digits, of one length */
    bool is_letter_code;   /* all values are codes such as I25.1 */
    bool has_leading_zero; /* and one begins with 0, so it is no quantity */
    bool has_range;        /* numbers of moderate size */
    double lowest, highest;
    double mean;           /* over the rows */
    unsigned taken_labels; /* bit i: pv_i_rare_labels[i] is a value of the column */
} pv_look;

/* Names for the group of rare values, the first that is free is used. */
#define PV_RARE_LABELS 3
extern const char *const pv_i_rare_labels[PV_RARE_LABELS];

/* What words of a column's name speak of. */
typedef enum pv_meaning {
    PV_MEANS_IDENTIFIER, /* of a person, whatever else the name says */
    PV_MEANS_NAME,       /* weaker: `country_name` is a country */
    PV_MEANS_SENSITIVE,
    PV_MEANS_QUASI,
    PV_MEANS_POSTAL,
    PV_MEANS_FREE_TEXT,
    PV_MEANS_SURVEY_WEIGHT,
    PV_MEANS_WEIGHT, /* of a survey or of a body */
    PV_MEANS_SURVEY,
    PV_MEANS_BODY,
    PV_MEANS_HOUSEHOLD,
    PV_MEANS_HOUSEHOLD_ID,
    PV_MEANS_STAFF, /* who asked or treated */
    PV_MEANS_SITE,  /* where: clinic, school, sampling unit */
    PV_MEANS_NUMBERED,
    PV_MEANS_COUNT
} pv_meaning;

/* Long enough for every word of the lists. */
#define PV_WORD_SIZE 40
/* Does a word of the name speak of it? `said` receives the word; may be NULL. */
bool pv_i_name_means(const char *name, pv_meaning meaning, char said[PV_WORD_SIZE]);
/* The same for the last word alone. */
bool pv_i_name_ends_with(const char *name, pv_meaning meaning, char said[PV_WORD_SIZE]);

typedef struct pv_guess {
    pv_look look;
    pv_role role;
    bool by_values;    /* nothing in the name decided */
    bool is_postal;    /* the name speaks of a postal code */
    bool is_household; /* its values number households, families, groups */
    bool is_category;  /* numbers that only name something: they make no intervals */
    char open_format;  /* a question how numbers or dates are written; as in pv_plan_attribute */
    pv_buffer reading; /* how values are written, as it is in the plan: ", decimal: comma" */
    pv_buffer reading_note; /* what to say about that */
    char why[160];          /* the reason, for a comment */
    pv_buffer seen;         /* "?": what was seen; empty = as for another column, see `why` */
    char hierarchy[160];    /* as it is in the plan; empty = value, then `*`. "?": if it is quasi */
    char *file;             /* the hierarchy file instead, as the plan names it; NULL = none */
    char *unfit;            /* a hierarchy file that lacks some values; NULL = none */
    uint32_t unfit_lacks;
} pv_guess;

pv_look pv_i_look(const pv_table *table, size_t column);
/* Finds out how the values of a column are written, and reads them so from here on. */
PV_CHECKED pv_status pv_i_guess_values(pv_table *table, size_t column, pv_guess *guess,
                                       pv_error *error);
/* `with_bodies`: other columns speak of bodies, so that a weight is one of these. */
void pv_i_guess_role(pv_guess *guess, bool with_bodies);
/* Makes it an open question; `what` is followed by what the numbers say. */
void pv_i_guess_ask(pv_guess *guess, const char *why, const char *what);
void pv_i_guess_hierarchy(pv_guess *guess);
/* Gives columns the hierarchy files that lie beside the table's file, where they fit. `data` is how
 * the plan names that file. */
PV_CHECKED pv_status pv_i_guess_files(const pv_table *table, const char *data, pv_guess *guesses,
                                      size_t n, pv_error *error);

#endif
