/* Property vectors: what a release does to every person, as numbers of which more is better.
 *
 * Four things that make sense only together: which properties there are (a registry), kinds of
 * people, the vectors of one release over kinds, and how their numbers are compared. */
#ifndef PV_COMPARE_VECTORS_H
#define PV_COMPARE_VECTORS_H

#include "classes/numbering.h"
#include "table/column.h"

#include <math.h>
#include <paravent/compare.h>
#include <paravent/context.h>

/* -------------------------------------------------------------- properties */

/* A property as asked for: `class-size`, `column:income`, or, if less of it is better,
 * `-column:income`. */
typedef struct pv_property_choice {
    const pv_property *property; /* NULL = a column */
    const char *column;          /* then its name, borrowed from the text */
    bool less_is_better;
} pv_property_choice;

PV_CHECKED pv_status pv_i_property_choose(const char *name, pv_property_choice *choice,
                                          pv_error *error);

/* Is there such a property of releases of this study? Columns are in files only, and not looked for
 * here. */
bool pv_i_property_available(const pv_property *property, const pv_study *study);
/* The measure whose value per row it is. */
pv_measure_ref pv_i_property_measure(const pv_property *property);
/* Are attributes weighted in it? */
bool pv_i_property_is_weighted(const pv_property *property);
/* Does it depend on a person's own sensitive value, which the others of a class need not share? */
bool pv_i_property_is_own(const pv_property *property);

/* ------------------------------------------------------------------- kinds */

/* Kinds: people whom all releases treat alike.
 *
 *     people      . . . . . . . . . .       one kind: nobody was treated yet
 *     release A   [. . . . .][. . . . .]    two classes: two kinds
 *     release B   [. .|. . .][. . .|. .]    the classes of B cut across: four kinds
 *
 * Of millions of people few are unlike all others: whatever is computed is computed for a kind, and
 * counted as often as it has people. Every release that joins a comparison divides the kinds there
 * are by its *traits*, what it shows of people.
 *
 * What is divided are entries of the original (table/column.h): rows, or equal rows that a database
 * has counted and matched with the releases. */
typedef struct pv_kinds {
    const uint64_t *ends; /* of the original's entries, borrowed; NULL = each is one row */
    uint64_t n_entries;   /* compared: those that all releases have */
    uint64_t n_rows;      /* that they stand for */
    uint64_t *entry;      /* of the original, ascending; NULL = all of them */
    uint32_t *of_entry;   /* per compared entry; NULL = all are of one kind */
    size_t n;             /* kinds */
    uint64_t *people;     /* per kind */
} pv_kinds;

/* Everyone in a table is of one kind; the table must outlive the kinds. Deinitialise even after a
 * failure. */
PV_CHECKED pv_status pv_i_kinds_init(pv_kinds *kinds, const pv_table *original, pv_error *error);
void pv_i_kinds_deinit(pv_kinds *kinds);
/* How many people the entries of each number stand for, into `people`: numbering->n of them. What
 * was numbered are compared entries; the numbers are settled. */
void pv_i_kinds_count(const pv_kinds *kinds, const pv_numbering *numbering, uint64_t *people);

/* What distinguishes people in a release: a number for each of its entries. */
typedef struct pv_trait {
    pv_codes codes;
    uint32_t n_values;
} pv_trait;

/* What became of the kinds. */
typedef struct pv_division {
    uint32_t *parent;  /* per kind: which one it was part of */
    uint64_t *example; /* per kind: an entry of the release */
} pv_division;

#define PV_NOWHERE UINT64_MAX

/* Leaves out what a release lacks, then divides. `places` says for each entry of the original
 * where the release has it, or PV_NOWHERE; NULL = in the same place. Deinitialise the
 * division even after a failure; the kinds are then good for nothing else either. */
PV_CHECKED pv_status pv_i_kinds_divide(pv_kinds *kinds, const pv_trait *traits, size_t n_traits,
                                       const uint64_t *places, const pv_context *context,
                                       pv_division *division, pv_error *error);
void pv_i_division_deinit(pv_division *division);

/* ----------------------------------------------------------------- vectors */

/* The vectors of one release. */
typedef struct pv_vectors {
    char *name;      /* of the release, for people: its file name, or what it was called */
    double **values; /* per property: one per kind; NULL = the release has none */
    size_t n_properties;
    uint64_t suppressed;  /* rows that are `*` in every quasi-identifier, compared or not */
    bool *is_suppressed;  /* per kind: are its people among them? NULL = nobody is */
    pv_shown_row **shown; /* rows that were asked for, each NULL if the release lacks it; what they
                             point to is the comparison's; NULL = none was asked for */
    size_t n_shown;
} pv_vectors;

/* No values yet: they are allocated one by one, and are the vectors' own. */
PV_CHECKED pv_status pv_i_vectors_create(const char *name, size_t n_properties,
                                         pv_vectors **vectors, pv_error *error);
void pv_i_vectors_free(pv_vectors *vectors); /* NULL is fine */

/* Gives each of `n` kinds the values of the kind it was part of. */
PV_CHECKED pv_status pv_i_vectors_divide(pv_vectors *vectors, const uint32_t *parent, size_t n,
                                         pv_error *error);
/* Negates values of which less is better, so that more is. */
void pv_i_values_turn(double *values, uint64_t n);

/* ---------------------------------------------------------------- rounding */

/* A person who loses 0.1 + 0.2 + 0.3 in one release and 0.3 + 0.2 + 0.1 in another is treated the
 * same, yet the two sums differ in their last bit. Whoever counts people must not count such a
 * difference; whoever adds up millions of values must not make new ones.
 *
 * Two rules follow. Values are compared with a relative slack (pv_i_exceeds), and only where they
 * are compared: what is stored and shown keeps all its digits. Sums over people carry what each
 * addition lost, so that their error does not grow with the number of people. */

/* Leaves space for sums over dozens of attributes; counts of people below 2^46 still differ. */
#define PV_ROUNDING 0x1p-46

/* Whom two releases leave better off, by any number of people in either. */
static inline pv_dominance pv_i_dominance(bool first_better, bool second_better)
{
    return first_better && second_better ? PV_DOMINANCE_NONE
           : first_better                ? PV_DOMINANCE_FIRST_STRONG
           : second_better               ? PV_DOMINANCE_SECOND_STRONG
                                         : PV_DOMINANCE_EQUAL;
}

/* Does a exceed b beyond rounding? What is infinite exceeds what is not. */
static inline bool pv_i_exceeds(double a, double b)
{
    const double size = fabs(a) < fabs(b) ? fabs(a) : fabs(b);
    return a > b && a - b > PV_ROUNDING * size;
}

/* A sum with what was lost on the way (Knuth's two-sum): as if added up in twice the digits.
 * Zero-initialised = nothing yet. */
typedef struct pv_sum {
    double sum, lost;
} pv_sum;

static inline void pv_i_sum_add(pv_sum *s, double x)
{
    const double next = s->sum + x;
    const double added = next - s->sum;
    s->lost += (s->sum - (next - added)) + (x - added);
    s->sum = next;
}

/* Once a sum is infinite, what was lost is no number. */
static inline double pv_i_sum_value(const pv_sum *s)
{
    return isfinite(s->sum) ? s->sum + s->lost : s->sum;
}

#endif
