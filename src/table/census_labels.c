/* The words of the synthetic census. The country with its six provinces is invented; the groups are
 * of the kind statistical offices publish. */
#include "table/census_labels.h"

#include <assert.h>

static const char *const sexes[] = {
    [PV_CENSUS_MAN] = "man",
    [PV_CENSUS_WOMAN] = "woman",
};

static const char *const educations[] = {
    [PV_CENSUS_NO_SCHOOL] = "none;elementary;school;*",
    [PV_CENSUS_PRIMARY] = "primary;elementary;school;*",
    [PV_CENSUS_LOWER_SECONDARY] = "lower secondary;secondary;school;*",
    [PV_CENSUS_UPPER_SECONDARY] = "upper secondary;secondary;school;*",
    [PV_CENSUS_APPRENTICESHIP] = "apprenticeship;vocational;beyond school;*",
    [PV_CENSUS_DIPLOMA] = "technical diploma;vocational;beyond school;*",
    [PV_CENSUS_BACHELOR] = "bachelor;university;beyond school;*",
    [PV_CENSUS_MASTER] = "master;university;beyond school;*",
    [PV_CENSUS_DOCTORATE] = "doctorate;university;beyond school;*",
};

static const char *const maritals[] = {
    [PV_CENSUS_SINGLE] = "single;never in a union;*",
    [PV_CENSUS_MARRIED] = "married;in a union;*",
    [PV_CENSUS_CIVIL_UNION] = "civil union;in a union;*",
    [PV_CENSUS_SEPARATED] = "separated;formerly in a union;*",
    [PV_CENSUS_DIVORCED] = "divorced;formerly in a union;*",
    [PV_CENSUS_WIDOWED] = "widowed;formerly in a union;*",
};

static const char *const households[] = {
    [PV_CENSUS_ALONE] = "one person",
    [PV_CENSUS_COUPLE] = "couple",
    [PV_CENSUS_COUPLE_WITH_CHILDREN] = "couple with children",
    [PV_CENSUS_ONE_PARENT] = "one parent",
    [PV_CENSUS_SHARED] = "shared",
    [PV_CENSUS_INSTITUTION] = "institution",
};

static const char *const occupations[] = {
    [PV_CENSUS_MANAGER] = "manager;management and professions;*",
    [PV_CENSUS_HEALTH_PROFESSIONAL] = "health professional;management and professions;*",
    [PV_CENSUS_TEACHER] = "teacher;management and professions;*",
    [PV_CENSUS_ENGINEER] = "engineer;management and professions;*",
    [PV_CENSUS_BUSINESS_PROFESSIONAL] = "business professional;management and professions;*",
    [PV_CENSUS_CLERK] = "clerk;office and services;*",
    [PV_CENSUS_SALES_WORKER] = "sales worker;office and services;*",
    [PV_CENSUS_CARE_WORKER] = "care worker;office and services;*",
    [PV_CENSUS_HOSPITALITY_WORKER] = "hospitality worker;office and services;*",
    [PV_CENSUS_CRAFT_WORKER] = "craft worker;manual work;*",
    [PV_CENSUS_MACHINE_OPERATOR] = "machine operator;manual work;*",
    [PV_CENSUS_FARMER] = "farmer;manual work;*",
    [PV_CENSUS_LABOURER] = "labourer;manual work;*",
    [PV_CENSUS_CHILD_OR_STUDENT] = "child or student;not in paid work;*",
    [PV_CENSUS_UNEMPLOYED] = "unemployed;not in paid work;*",
    [PV_CENSUS_HOMEMAKER] = "homemaker;not in paid work;*",
    [PV_CENSUS_RETIRED] = "retired;not in paid work;*",
};

static const char *const workclasses[] = {
    [PV_CENSUS_PRIVATE] = "private company;private sector;*",
    [PV_CENSUS_NONPROFIT] = "nonprofit;private sector;*",
    [PV_CENSUS_STATE] = "state;public sector;*",
    [PV_CENSUS_MUNICIPAL] = "municipality;public sector;*",
    [PV_CENSUS_FREELANCE] = "freelance;own business;*",
    [PV_CENSUS_EMPLOYER] = "employer;own business;*",
    [PV_CENSUS_NO_WORK] = "none;no work;*",
};

static const char *const birthplaces[] = {
    /* the provinces, in the order of the first digit of the zip */
    "Aldermoor;north;here;*",
    "Brackwater;north;here;*",
    "Coldharbour;middle;here;*",
    "Dunmere;middle;here;*",
    "Eastfen;south;here;*",
    "Fairhaven;south;here;*",
    "Germany;western Europe;Europe;*",
    "France;western Europe;Europe;*",
    "United Kingdom;western Europe;Europe;*",
    "Italy;southern Europe;Europe;*",
    "Spain;southern Europe;Europe;*",
    "Portugal;southern Europe;Europe;*",
    "Poland;eastern Europe;Europe;*",
    "Romania;eastern Europe;Europe;*",
    "Ukraine;eastern Europe;Europe;*",
    "Turkey;Near East;overseas;*",
    "Syria;Near East;overseas;*",
    "Iran;Near East;overseas;*",
    "India;Asia;overseas;*",
    "China;Asia;overseas;*",
    "Vietnam;Asia;overseas;*",
    "Morocco;Africa;overseas;*",
    "Nigeria;Africa;overseas;*",
    "Eritrea;Africa;overseas;*",
    "Brazil;America;overseas;*",
    "Colombia;America;overseas;*",
    "United States;America;overseas;*",
};

static const char *const diagnoses[] = {
    "none",      "respiratory infection",
    "asthma",    "allergy",
    "migraine",  "depression",
    "anxiety",   "back pain",
    "injury",    "hypertension",
    "diabetes",  "heart disease",
    "arthritis", "cancer",
    "dementia",
};

#define COUNT(array) (sizeof(array) / sizeof *(array))
#define WORDS(array)          \
    {                         \
        (array), COUNT(array) \
    }

static_assert(COUNT(sexes) == PV_CENSUS_SEXES, "a label per sex");
static_assert(COUNT(educations) == PV_CENSUS_EDUCATIONS, "a label per education");
static_assert(COUNT(maritals) == PV_CENSUS_MARITALS, "a label per marital status");
static_assert(COUNT(households) == PV_CENSUS_HOUSEHOLDS, "a label per household");
static_assert(COUNT(occupations) == PV_CENSUS_OCCUPATIONS, "a label per occupation");
static_assert(COUNT(workclasses) == PV_CENSUS_WORKCLASSES, "a label per workclass");
static_assert(COUNT(birthplaces) == PV_CENSUS_BIRTHPLACES, "a label per birthplace");
static_assert(COUNT(diagnoses) == PV_CENSUS_DIAGNOSES, "a label per diagnosis");

const pv_census_words pv_i_census_sex = WORDS(sexes);
const pv_census_words pv_i_census_education = WORDS(educations);
const pv_census_words pv_i_census_marital = WORDS(maritals);
const pv_census_words pv_i_census_household = WORDS(households);
const pv_census_words pv_i_census_occupation = WORDS(occupations);
const pv_census_words pv_i_census_workclass = WORDS(workclasses);
const pv_census_words pv_i_census_birthplace = WORDS(birthplaces);
const pv_census_words pv_i_census_diagnosis = WORDS(diagnoses);
