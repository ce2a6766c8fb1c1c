/* A small table, walks over it, and a folder for their session files. */
#ifndef PV_TESTS_SESSION_SAMPLE_H
#define PV_TESTS_SESSION_SAMPLE_H

#include "prefer/preference.h"
#include "support/study.h"

#include <stdio.h>
#include <stdlib.h>
#include <sys/resource.h>
#include <sys/stat.h>

enum {
    SESSION_ROWS = 120,
    SESSION_TOWNS = 5,
    SESSION_AGES = 9,
    SESSION_YEARS = 12,
    SESSION_FIRST_AGE = 70031
};

/* Nothing else in the world is called like these values. */
extern const char *const session_towns[SESSION_TOWNS];

extern const char session_plan[];

typedef struct session_sample {
    bound_study bound;
    pv_profile *profile;
    pv_preference_options options;
} session_sample;

/* `towns_move`: the same values as often, but other people have them. */
char *session_csv(const char *heading, size_t n_rows, size_t towns_move);
session_sample session_sample_of(const char *plan, char *csv);
session_sample session_sample_create(void);
void session_sample_free(session_sample *s);

/* ------------------------------------------------------------------- walks */

pv_preference *session_preference(const session_sample *s);
pv_preference *session_keep(const session_sample *s, const char *path);
pv_answer *session_aspire(pv_preference *preference, double necd, double nwp);
void session_wish(pv_preference *preference, double necd, double nwp);

/* ------------------------------------------------------------------- files */

typedef struct session_folder {
    char name[64];
    char path[96]; /* of a file in it */
} session_folder;

/* In memory where the system has such a folder: every step waits for the disk. */
session_folder session_folder_create(void);
void session_remove(const session_folder *f);

/* A preference that was closed leaves nothing beside its file. */
void session_folder_free(const session_folder *f);

/* Files may grow to this size. */
void session_limit_files(rlim_t size);

/* Freed with free; `size` may be NULL. */
char *session_bytes(const char *path, size_t *size);
void session_write(const char *path, const void *bytes, size_t size);

#endif
