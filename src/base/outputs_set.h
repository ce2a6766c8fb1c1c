/* A set of outputs from inside: what claiming (outputs.c) and committing (commit.c) share. */
#ifndef PV_BASE_OUTPUTS_SET_H
#define PV_BASE_OUTPUTS_SET_H

#include "base/claim.h"
#include "base/outputs.h"

#include <stddef.h>
#include <stdint.h>
#include <sys/stat.h>

/* A file of the set, written under the hidden name of its claim. */
typedef struct member {
    pv_claim claim;
    pv_output *output;
    pv_audience audience;
    bool unnamed;             /* gets no name: claimed but not written yet */
    bool moves_old;           /* what it replaces cannot be linked, only moved */
    char named[PV_PATH_SIZE]; /* as the journal calls it */
    uint64_t mark;
    bool had_old;
} member;

typedef struct within {
    pv_output *output;
    pv_audience audience;
} within;

struct pv_outputs {
    bool force;
    bool abandoned; /* undoing failed: the journal stays for the next writer */
    member **members;
    size_t n_members, members_capacity;
    pv_output *scratch; /* NULL = none */
    char **inputs;
    size_t n_inputs, inputs_capacity;
    /* The folder, if there is one: */
    bool has_folder;
    pv_claim folder;
    char folder_path[PV_PATH_SIZE]; /* hidden */
    char *placed, *replaced;
    uint64_t folder_mark;
    within *files;
    size_t n_files, files_capacity;
};

/* May what stands there now be replaced? */
PV_CHECKED pv_status pv_i_outputs_check_existing(const pv_outputs *outputs, const char *path,
                                                 pv_error *error);
PV_CHECKED pv_status pv_i_output_exists(const char *path, pv_error *error); /* fails */
bool pv_i_is_same_file(const struct stat *a, const struct stat *b);

#endif
