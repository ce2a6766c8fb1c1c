/* Properties by name: those of the registry, and columns of the released files. */
#ifndef PV_COMPARE_PROPERTY_H
#define PV_COMPARE_PROPERTY_H

#include <paravent/compare.h>

/* A property as asked for: `class-size`, `column:income`, or, if less of it is better,
 * `-column:income`. */
typedef struct pv_property_choice {
    const pv_property *property; /* NULL = a column */
    const char *column;          /* then its name, borrowed from the text */
    bool less_is_better;
} pv_property_choice;

PV_CHECKED pv_status pv_i_property_choose(const char *name, pv_property_choice *choice,
                                          pv_error *error);

/* Can it be told of a release of this study? Columns are in files only, and not looked for here. */
bool pv_i_property_available(const pv_property *property, const pv_study *study);

/* The measure whose value per row it is. */
pv_measure_ref pv_i_property_measure(const pv_property *property);

/* Is it about what released values stand for, rather than about who is in a class? */
bool pv_i_property_is_detail(const pv_property *property);

/* Does it depend on a person's own sensitive value, which the others of a class need not share? */
bool pv_i_property_is_own(const pv_property *property);

#endif
