/* The built-in synthetic census as files: the people, a plan that explains itself, and the
 * hierarchies the plan names.
 *
 * All files are opened and written under temporary names before the first one gets its own: what is
 * in the way, a full disk or lost memory leave the folder as it was. */
#include <paravent/census.h>

#include "base/buffer.h"
#include "base/error.h"
#include "base/memory.h"
#include "base/outputs.h"
#include "table/census.h"

#include <assert.h>
#include <inttypes.h>
#include <string.h>

/* ---------------------------------------------------------------------- words */

/* The country with its six provinces is invented; the groups are of the kind statistical offices
 * publish. */

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
static_assert(COUNT(sexes) == PV_CENSUS_SEXES, "a label per sex");
static_assert(COUNT(educations) == PV_CENSUS_EDUCATIONS, "a label per education");
static_assert(COUNT(maritals) == PV_CENSUS_MARITALS, "a label per marital status");
static_assert(COUNT(households) == PV_CENSUS_HOUSEHOLDS, "a label per household");
static_assert(COUNT(occupations) == PV_CENSUS_OCCUPATIONS, "a label per occupation");
static_assert(COUNT(workclasses) == PV_CENSUS_WORKCLASSES, "a label per workclass");
static_assert(COUNT(birthplaces) == PV_CENSUS_BIRTHPLACES, "a label per birthplace");
static_assert(COUNT(diagnoses) == PV_CENSUS_DIAGNOSES, "a label per diagnosis");

/* ----------------------------------------------------------------------- plan */

static const char plan[] =
    "# The synthetic census that comes with Paravent: 62,208 ways to generalize it.\n"
    "# Nobody in it exists. Paths are relative to this file.\n"
    "data: census.csv\n"
    "\n"
    "# Up to this share of the people may be hidden altogether, so that a few rare ones do not\n"
    "# decide how coarse everybody else becomes. A number of rows is possible, too.\n"
    "suppression: 1%\n"
    "\n"
    "attributes:\n"
    "  # Names the person directly: never released (or replaced by a keyed hash on request).\n"
    "  person:     {role: identifier}\n"
    "\n"
    "  # Quasi-identifiers: harmless one by one, telling together. Each becomes coarser level by\n"
    "  # level, from the value itself (level 0) to `*`.\n"
    "  age:        {role: quasi, hierarchy: {intervals: [5, 10, 20, 40]}}  # 37, 35-39, ...\n"
    "  sex:        {role: quasi}                            # no hierarchy: the value, then *\n"
    "  zip:        {role: quasi, hierarchy: {mask: right}}  # 12340, 1234*, 123**, ...\n"
    "  education:  {role: quasi, hierarchy: education.csv}  # value;level1;...;* line by line\n"
    "  marital:    {role: quasi, hierarchy: marital.csv}\n"
    "  household:  {role: quasi}\n"
    "  occupation: {role: quasi, hierarchy: occupation.csv}\n"
    "  workclass:  {role: quasi, hierarchy: workclass.csv}\n"
    "  birthplace: {role: quasi, hierarchy: birthplace.csv}\n"
    "\n"
    "  # What nobody should learn about a person; released as it is.\n"
    "  diagnosis:  {role: sensitive}\n"
    "  income:     {role: sensitive}                        # thousands a year\n";

static const char header[] = "person,age,sex,zip,education,marital,household,occupation,workclass,"
                             "birthplace,diagnosis,income\n";

enum { BLOCK_SIZE = 1 << 16 };

/* -------------------------------------------------------------------- content */

static void append_word(pv_buffer *line, const char *label)
{
    pv_i_buffer_bytes(line, label, strcspn(label, ";"));
    pv_i_buffer_char(line, ',');
}

static void append_person(pv_buffer *line, uint64_t number, const pv_census_person *p)
{
    pv_i_buffer_format(line, "P-%07" PRIu64 ",%" PRIu32 ",", number, p->age);
    append_word(line, sexes[p->sex]);
    pv_i_buffer_format(line, "%" PRIu32 ",", p->zip);
    append_word(line, educations[p->education]);
    append_word(line, maritals[p->marital]);
    append_word(line, households[p->household]);
    append_word(line, occupations[p->occupation]);
    append_word(line, workclasses[p->workclass]);
    append_word(line, birthplaces[p->birthplace]);
    append_word(line, diagnoses[p->diagnosis]);
    pv_i_buffer_format(line, "%" PRIu64 "\n", p->income);
}

static pv_status flush(pv_buffer *block, pv_output *output, pv_error *error)
{
    if (block->failed) {
        return pv_i_no_memory(error);
    }
    const pv_status status = pv_i_output_write(output, block->data, block->size, error);
    pv_i_buffer_clear(block);
    return status;
}

static pv_status write_people(pv_output *output, uint64_t rows, uint64_t seed, pv_error *error)
{
    pv_rng rng;
    pv_i_rng_init(&rng, seed);
    pv_buffer block = {0};
    pv_status status = PV_STATUS_OK;
    pv_i_buffer_text(&block, header);
    for (uint64_t number = 1; number <= rows; number++) {
        const pv_census_person person = pv_i_census_draw(&rng);
        append_person(&block, number, &person);
        if (block.failed || block.size >= BLOCK_SIZE) {
            PV_TRY_CLEAN(flush(&block, output, error));
        }
    }
    PV_TRY_CLEAN(flush(&block, output, error));
cleanup:
    pv_i_buffer_deinit(&block);
    return status;
}

/* ---------------------------------------------------------------------- files */

/* What a folder gets. The people and the plan have no labels. */
static const struct {
    const char *name;
    const char *const *labels;
    size_t n_labels;
} files[] = {
    {"census.csv", NULL, 0},
    {"plan.yaml", NULL, 0},
    {"education.csv", educations, COUNT(educations)},
    {"marital.csv", maritals, COUNT(maritals)},
    {"occupation.csv", occupations, COUNT(occupations)},
    {"workclass.csv", workclasses, COUNT(workclasses)},
    {"birthplace.csv", birthplaces, COUNT(birthplaces)},
};
enum { PEOPLE, PLAN, FILES = COUNT(files) };

static pv_status open_in(const char *folder, const char *name, pv_outputs *outputs,
                         pv_output **output, pv_error *error)
{
    pv_buffer path = {0};
    pv_i_buffer_format(&path, "%s/%s", folder, name);
    const pv_status status =
        path.failed ? pv_i_no_memory(error)
                    : pv_i_outputs_open(outputs, path.data, PV_AUDIENCE_PUBLIC, output, error);
    pv_i_buffer_deinit(&path);
    return status;
}

static pv_status write_content(pv_output *output, size_t i, uint64_t rows, uint64_t seed,
                               pv_error *error)
{
    if (i == PEOPLE) {
        return write_people(output, rows, seed, error);
    }
    if (i == PLAN) {
        return pv_i_output_write(output, plan, strlen(plan), error);
    }
    for (size_t l = 0; l < files[i].n_labels; l++) {
        const char *const label = files[i].labels[l];
        PV_TRY(pv_i_output_write(output, label, strlen(label), error));
        PV_TRY(pv_i_output_write(output, "\n", 1, error));
    }
    return PV_STATUS_OK;
}

pv_status pv_census_write(const char *folder, uint64_t rows, uint64_t seed, bool force,
                          pv_error *error)
{
    if (rows == 0) {
        return pv_i_fail(error, PV_STATUS_ARGUMENT, "a census needs at least one person");
    }
    pv_outputs *outputs = NULL;
    pv_output *opened[FILES] = {NULL};
    pv_status status = PV_STATUS_OK;
    PV_TRY(pv_outputs_create(force, &outputs, error));
    for (size_t i = 0; i < FILES; i++) {
        PV_TRY_CLEAN(open_in(folder, files[i].name, outputs, &opened[i], error));
    }
    for (size_t i = 0; i < FILES; i++) {
        PV_TRY_CLEAN(write_content(opened[i], i, rows, seed, error));
    }
    status = pv_outputs_commit(outputs, error);
cleanup:
    pv_outputs_free(outputs);
    return status;
}
