/* Property vectors: what a release does to every person, as numbers of which more is better.
 *
 * Three things that make sense only together: which properties there are (a registry), the vectors
 * of one release, and how their numbers are compared. */
#ifndef PV_COMPARE_VECTORS_H
#define PV_COMPARE_VECTORS_H

#include <math.h>
#include <paravent/compare.h>

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

/* ----------------------------------------------------------------- vectors */

/* The vectors of one release. */
typedef struct pv_vectors {
    char *name;      /* of the release, for people: its file name, or what it was called */
    double **values; /* per property: one per kind; NULL = the release has none */
    size_t n_properties;
    uint64_t suppressed; /* rows that are `*` in every quasi-identifier, compared or not */
    bool *is_suppressed; /* per kind: are its people among them? NULL = nobody is */
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
 * difference; whoever adds up millions of values must not make new ones. */

/* Leaves space for sums over dozens of attributes; counts of people below 2^46 still differ. */
#define PV_ROUNDING 0x1p-46

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
