/* One invented person at a time. */
#ifndef PV_TABLE_CENSUS_PEOPLE_H
#define PV_TABLE_CENSUS_PEOPLE_H

#include "base/rng.h"

#include <stddef.h>
#include <stdint.h>

/* The values of a person as indices into the words of table/census_labels.h. */
typedef struct pv_census_person {
    uint32_t age;
    uint32_t zip; /* five digits, the first of them the province (1..6) */
    size_t sex, education, marital, household, occupation, workclass, birthplace, diagnosis;
    uint64_t income; /* thousands a year */
} pv_census_person;

pv_census_person pv_i_census_draw(pv_rng *rng);

#endif
