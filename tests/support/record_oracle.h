/* Disclosure record by record, straight from the definitions: the similarity of texts, the people
 * of an attacker's dictionary counted one by one, and every choice of levels of every record. Each
 * with the random tables and dictionaries to try it on. */
#ifndef PV_TESTS_RECORD_ORACLE_H
#define PV_TESTS_RECORD_ORACLE_H

#include "records/attacker.h"
#include "support/random_study.h"

#include <math.h>
#include <paravent/disclose.h>

double jaro_oracle(const char *a, size_t n, const char *b, size_t m);

/* =========================================================== dictionaries */

/* Dictionaries of an attacker, written as a file and opened for a table; and the plain way to tell
 * how many of its rows are consistent with what was released. */

/* ------------------------------------------------------------------ files */

typedef struct attacker_file {
    char path[256];
} attacker_file;

attacker_file attacker_file_write(const char *text);
void attacker_file_remove(const attacker_file *file);

/* ------------------------------------------------------- tables and attackers */

typedef struct attacker_study {
    bound_study bound;
    pv_profile *profile;
} attacker_study;

attacker_study attacker_study_create(const char *plan, const char *csv);
void attacker_study_free(attacker_study *s);

/* `csv` NULL = the table itself; a column `extra` of it is left aside. `similarity` 0 = exactly. */
pv_attacker *attacker_open(const pv_profile *profile, const char *csv, double similarity,
                           unsigned threads);

/* ----------------------------------------------------------------- counting */

typedef struct attacker_count {
    pv_consistent_index *index;
    pv_consistent_scratch *scratch;
    pv_arena arena;
} attacker_count;

attacker_count attacker_count_create(const pv_attacker *attacker);
void attacker_count_free(attacker_count *c);

/* rho of a row of the table at these levels. */
uint64_t attacker_rho(const attacker_count *c, const pv_profile *profile, uint64_t row,
                      const uint8_t *levels);

/* ------------------------------------------------------------------- oracle */

/* The attacker's people: cells[quasi][row], "" = missing; a column that is NULL is not known. */
typedef struct attacker_people {
    const char ***cells;
    size_t n_rows;
} attacker_people;

uint64_t attacker_oracle(const oracle_table *table, const attacker_people *people, size_t row,
                         double similarity);

/* ==================================================== random dictionaries */

/* A random small table and a random dictionary of people, for whatever is counted or decided with
 * them. */

typedef struct attacker_trial {
    random_study study;
    attacker_people people;
    pv_buffer csv; /* of the people; empty if they are the table's */
} attacker_trial;

random_shape attacker_shape(pv_rng *rng);
void attacker_trial_init(attacker_trial *t, pv_rng *rng, const random_shape *shape, bool is_table);
void attacker_trial_deinit(attacker_trial *t);

/* ================================================================ choices */

/* Disclosure record by record, straight from the definitions: every choice of levels of every
 * record, with the dictionary's people counted one by one.
 *
 * Only sensitivities are asked from the library, where they have tests of their own. */

#define RECORD_QUASIS 8

/* What is asked. */
typedef struct record_question {
    pv_utility utility;
    pv_risk risk;
    pv_aim aim;
    double bound;
    bool is_share;
} record_question;

/* What a choice comes to. */
typedef struct record_choice {
    uint8_t levels[RECORD_QUASIS];
    double utility, risk;
    uint64_t rho;
    bool is_forbidden; /* the plan does not allow these levels */
} record_choice;

/* A table and its attacker, prepared: by quasi-identifier, level and row. */
typedef struct record_oracle {
    attacker_trial *trial;
    unsigned heights[RECORD_QUASIS];
    unsigned *tops[RECORD_QUASIS]; /* per row: the lowest level at which its value is `*` */
    double *leaves[RECORD_QUASIS][ORACLE_LEVELS];
    double *phi[RECORD_QUASIS][ORACLE_LEVELS];
    bool *fits[RECORD_QUASIS][ORACLE_LEVELS]; /* per row and person */
    double domain[RECORD_QUASIS];
} record_oracle;

void record_prepare(record_oracle *o, attacker_trial *trial, const pv_sensitivities *sensitivities,
                    double similarity);

/* ------------------------------------------------------------ definitions */

void record_evaluate(const record_oracle *o, const record_question *question, size_t row,
                     record_choice *choice);

/* All choices of a record, in lexicographic order, in memory of the trial. */
record_choice *record_choices(const record_oracle *o, const record_question *question, size_t row,
                              size_t *n_choices);

/* -------------------------------------------------------------- decisions */

bool record_accepts(const record_question *question, const record_choice *choice, double most);

/* The first in order of those that are best in one respect, then in the other. NULL: none is
 * accepted. */
const record_choice *record_best(const record_question *question, const record_choice *choices,
                                 size_t n);

#endif
