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
#include "table/census_labels.h"
#include "table/census_people.h"

#include <inttypes.h>
#include <string.h>

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

static void append_word(pv_buffer *line, const pv_census_words *words, size_t i)
{
    const char *const label = words->labels[i];
    pv_i_buffer_bytes(line, label, strcspn(label, ";"));
    pv_i_buffer_char(line, ',');
}

static void append_person(pv_buffer *line, uint64_t number, const pv_census_person *p)
{
    pv_i_buffer_format(line, "P-%07" PRIu64 ",%" PRIu32 ",", number, p->age);
    append_word(line, &pv_i_census_sex, p->sex);
    pv_i_buffer_format(line, "%" PRIu32 ",", p->zip);
    append_word(line, &pv_i_census_education, p->education);
    append_word(line, &pv_i_census_marital, p->marital);
    append_word(line, &pv_i_census_household, p->household);
    append_word(line, &pv_i_census_occupation, p->occupation);
    append_word(line, &pv_i_census_workclass, p->workclass);
    append_word(line, &pv_i_census_birthplace, p->birthplace);
    append_word(line, &pv_i_census_diagnosis, p->diagnosis);
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

static pv_status write_hierarchy(pv_output *output, const pv_census_words *words, pv_error *error)
{
    for (size_t i = 0; i < words->n_labels; i++) {
        const char *const label = words->labels[i];
        PV_TRY(pv_i_output_write(output, label, strlen(label), error));
        PV_TRY(pv_i_output_write(output, "\n", 1, error));
    }
    return PV_STATUS_OK;
}

/* ---------------------------------------------------------------------- files */

/* What a folder gets. The people and the plan have no words. */
typedef struct file {
    const char *name;
    const pv_census_words *words;
} file;

enum { PEOPLE, PLAN, FILES = 7 };

static const file files[FILES] = {
    [PEOPLE] = {"census.csv", NULL},
    [PLAN] = {"plan.yaml", NULL},
    {"education.csv", &pv_i_census_education},
    {"marital.csv", &pv_i_census_marital},
    {"occupation.csv", &pv_i_census_occupation},
    {"workclass.csv", &pv_i_census_workclass},
    {"birthplace.csv", &pv_i_census_birthplace},
};

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
    switch (i) {
    case PEOPLE: return write_people(output, rows, seed, error);
    case PLAN: return pv_i_output_write(output, plan, strlen(plan), error);
    default: return write_hierarchy(output, files[i].words, error);
    }
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
