/* The words of the synthetic census: every text value it can print, with its way up to `*`.
 *
 * A label is the line of its hierarchy file, "doctorate;university;beyond school;*": the value
 * itself is what is before the first semicolon. One table therefore makes both the data and the
 * hierarchies, and they cannot disagree. */
#ifndef PV_TABLE_CENSUS_H
#define PV_TABLE_CENSUS_H

#include "base/rng.h"

#include <stddef.h>
#include <stdint.h>

enum { PV_CENSUS_MAN, PV_CENSUS_WOMAN, PV_CENSUS_SEXES };

/* The highest certificate attained. */
enum {
    PV_CENSUS_NO_SCHOOL,
    PV_CENSUS_PRIMARY,
    PV_CENSUS_LOWER_SECONDARY,
    PV_CENSUS_UPPER_SECONDARY,
    PV_CENSUS_APPRENTICESHIP,
    PV_CENSUS_DIPLOMA,
    PV_CENSUS_BACHELOR,
    PV_CENSUS_MASTER,
    PV_CENSUS_DOCTORATE,
    PV_CENSUS_EDUCATIONS
};

enum {
    PV_CENSUS_SINGLE,
    PV_CENSUS_MARRIED,
    PV_CENSUS_CIVIL_UNION,
    PV_CENSUS_SEPARATED,
    PV_CENSUS_DIVORCED,
    PV_CENSUS_WIDOWED,
    PV_CENSUS_MARITALS
};

enum {
    PV_CENSUS_ALONE,
    PV_CENSUS_COUPLE,
    PV_CENSUS_COUPLE_WITH_CHILDREN,
    PV_CENSUS_ONE_PARENT,
    PV_CENSUS_SHARED,
    PV_CENSUS_INSTITUTION,
    PV_CENSUS_HOUSEHOLDS
};

/* The paid ones first: their index is that of the tables of work. */
enum {
    PV_CENSUS_MANAGER,
    PV_CENSUS_HEALTH_PROFESSIONAL,
    PV_CENSUS_TEACHER,
    PV_CENSUS_ENGINEER,
    PV_CENSUS_BUSINESS_PROFESSIONAL,
    PV_CENSUS_CLERK,
    PV_CENSUS_SALES_WORKER,
    PV_CENSUS_CARE_WORKER,
    PV_CENSUS_HOSPITALITY_WORKER,
    PV_CENSUS_CRAFT_WORKER,
    PV_CENSUS_MACHINE_OPERATOR,
    PV_CENSUS_FARMER,
    PV_CENSUS_LABOURER,
    PV_CENSUS_PAID_OCCUPATIONS,
    PV_CENSUS_CHILD_OR_STUDENT = PV_CENSUS_PAID_OCCUPATIONS,
    PV_CENSUS_UNEMPLOYED,
    PV_CENSUS_HOMEMAKER,
    PV_CENSUS_RETIRED,
    PV_CENSUS_OCCUPATIONS
};

enum {
    PV_CENSUS_PRIVATE,
    PV_CENSUS_NONPROFIT,
    PV_CENSUS_STATE,
    PV_CENSUS_MUNICIPAL,
    PV_CENSUS_FREELANCE,
    PV_CENSUS_EMPLOYER,
    PV_CENSUS_NO_WORK,
    PV_CENSUS_WORKCLASSES
};

enum { PV_CENSUS_PROVINCES = 6, PV_CENSUS_COUNTRIES = 21 };
enum { PV_CENSUS_BIRTHPLACES = PV_CENSUS_PROVINCES + PV_CENSUS_COUNTRIES };

enum { PV_CENSUS_DIAGNOSES = 15 };

/* The values of a person as indices into the words above. */
typedef struct pv_census_person {
    uint32_t age;
    uint32_t zip; /* five digits, the first of them the province (1..6) */
    size_t sex, education, marital, household, occupation, workclass, birthplace, diagnosis;
    uint64_t income; /* thousands a year */
} pv_census_person;

pv_census_person pv_i_census_draw(pv_rng *rng);

#endif
