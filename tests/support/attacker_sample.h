/* Dictionaries of an attacker, written as a file and opened for a table; and the plain way to tell
 * how many of its rows are consistent with what was released. */
#ifndef PV_TESTS_ATTACKER_SAMPLE_H
#define PV_TESTS_ATTACKER_SAMPLE_H

#include "support/bound_study.h"
#include "support/jaro_oracle.h"
#include "support/oracle.h"

#include "plan/plan.h"
#include "records/attacker.h"

#include <paravent/attacker.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

/* ------------------------------------------------------------------ files */

typedef struct attacker_file {
    char path[256];
} attacker_file;

static inline attacker_file attacker_file_write(const char *text)
{
    attacker_file file;
    const char *const folder = getenv("TMPDIR") != NULL ? getenv("TMPDIR") : "/tmp";
    (void)snprintf(file.path, sizeof file.path, "%s/pv_people_XXXXXX", folder);
    const int fd = mkstemp(file.path);
    assert_true(fd >= 0);
    assert_int_equal(write(fd, text, strlen(text)), strlen(text));
    (void)close(fd);
    return file;
}

static inline void attacker_file_remove(const attacker_file *file)
{
    (void)unlink(file->path);
}

/* ------------------------------------------------------- tables and attackers */

typedef struct attacker_study {
    bound_study bound;
    pv_profile *profile;
} attacker_study;

/* A dictionary is read as the plan says. */
static inline void attacker_read_plainly(pv_plan *plan)
{
    plan->delimiter = ',';
    plan->header = PV_CHOICE_YES;
    plan->quoting = PV_CHOICE_NO;
}

static inline attacker_study attacker_study_create(const char *plan, const char *csv)
{
    attacker_study s = {.bound = bound_study_create(plan, csv)};
    attacker_read_plainly(s.bound.plan);
    s.profile = bound_profile(s.bound.study, 1);
    return s;
}

static inline void attacker_study_free(attacker_study *s)
{
    pv_profile_free(s->profile);
    bound_study_free(&s->bound);
}

/* `csv` NULL = the table itself; a column `extra` of it is left aside. `similarity` 0 = exactly. */
static inline pv_attacker *attacker_open(const pv_profile *profile, const char *csv,
                                         double similarity, unsigned threads)
{
    const pv_context context = {.threads = threads};
    pv_attacker *attacker = NULL;
    pv_error error = {0};
    attacker_file file = {""};
    const char *const extra[] = {"extra", NULL};
    pv_attacker_options options = {.similarity = similarity};
    if (csv != NULL) {
        options.ignore = strstr(csv, extra[0]) != NULL ? extra : NULL;
        file = attacker_file_write(csv);
        options.path = file.path;
    }
    const pv_status status = pv_attacker_open(profile, &options, &context, &attacker, &error);
    attacker_file_remove(&file);
    bound_must(status, &error);
    return attacker;
}

/* ----------------------------------------------------------------- counting */

typedef struct attacker_count {
    pv_consistent_index *index;
    pv_consistent_scratch *scratch;
    pv_arena arena;
} attacker_count;

static inline attacker_count attacker_count_create(const pv_attacker *attacker)
{
    attacker_count c = {0};
    pv_error error = {0};
    bound_must(pv_i_consistent_index_create(attacker, 0, &c.index, &error), &error);
    c.scratch = pv_i_consistent_scratch(c.index, &c.arena);
    assert_false(c.arena.failed);
    return c;
}

static inline void attacker_count_free(attacker_count *c)
{
    pv_i_arena_deinit(&c->arena);
    pv_i_consistent_index_free(c->index);
}

/* rho of a row of the table at these levels. */
static inline uint64_t attacker_rho(const attacker_count *c, const pv_profile *profile,
                                    uint64_t row, const uint8_t *levels)
{
    uint32_t leaves[64];
    const size_t tuple = pv_profile_tuple(profile, row);
    for (size_t q = 0; q < pv_study_quasis(pv_profile_study(profile)); q++) {
        leaves[q] = pv_profile_leaf(profile, tuple, q);
    }
    return pv_i_consistent_count(c->index, c->scratch, leaves, levels);
}

/* ------------------------------------------------------------------- oracle */

/* The attacker's people: cells[quasi][row], "" = missing; a column that is NULL is not known. */
typedef struct attacker_people {
    const char ***cells;
    size_t n_rows;
} attacker_people;

static inline bool attacker_similar(const char *a, const char *b, double similarity)
{
    if (a[0] == '\0' || b[0] == '\0') {
        return a[0] == b[0];
    }
    return jaro_oracle(a, strlen(a), b, strlen(b)) >= similarity;
}

/* Is a value of the dictionary consistent with the group of a cell at the column's level? */
static inline bool attacker_fits(const oracle_column *column, size_t n_rows, const char *cell,
                                 const char *value, double similarity)
{
    const char *const group = oracle_group(column, cell, column->level);
    if (oracle_same(group, ORACLE_ROOT)) {
        return true;
    }
    if (!(similarity > 0)) {
        return oracle_lies_under(column, column->level, value, group);
    }
    for (size_t row = 0; row < n_rows; row++) {
        if (oracle_lies_under(column, column->level, column->cells[row], group) &&
            attacker_similar(column->cells[row], value, similarity)) {
            return true;
        }
    }
    return false;
}

static inline uint64_t attacker_oracle(const oracle_table *table, const attacker_people *people,
                                       size_t row, double similarity)
{
    uint64_t n = 0;
    for (size_t person = 0; person < people->n_rows; person++) {
        bool fits = true;
        for (size_t q = 0; fits && q < table->n_quasi; q++) {
            const oracle_column *const column = &table->quasi[q];
            fits =
                people->cells[q] == NULL || attacker_fits(column, table->n_rows, column->cells[row],
                                                          people->cells[q][person], similarity);
        }
        n += fits;
    }
    return n;
}

#endif
