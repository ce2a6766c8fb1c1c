/* The ten people of the paper on comparing anonymizations (docs/model.md, section 9, CMP table 1)
 * as rows without a header: zip code, age, marital status, and that again. A column has one role,
 * and the first is generalized while the second is counted as what somebody wants to know. */
#ifndef PV_TESTS_CMP_PEOPLE_H
#define PV_TESTS_CMP_PEOPLE_H

#define CMP_PEOPLE                             \
    "13053,28,CF-Spouse,CF-Spouse\n"           \
    "13268,41,Separated,Separated\n"           \
    "13268,39,Never Married,Never Married\n"   \
    "13053,26,CF-Spouse,CF-Spouse\n"           \
    "13253,50,Divorced,Divorced\n"             \
    "13253,55,Spouse Absent,Spouse Absent\n"   \
    "13250,49,Divorced,Divorced\n"             \
    "13052,31,Spouse Present,Spouse Present\n" \
    "13269,42,Separated,Separated\n"           \
    "13250,47,Separated,Separated\n"

#endif
