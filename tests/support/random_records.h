/* Levels of their own for the records of a random small table: once per tuple, as the library wants
 * them, and once per row, as the oracle reads them. */
#ifndef PV_TESTS_RANDOM_RECORDS_H
#define PV_TESTS_RANDOM_RECORDS_H

#include "support/random_study.h"

/* How the levels of different records resemble each other. */
typedef enum records_manner {
    RECORDS_FREE,    /* each level by itself */
    RECORDS_ALIKE,   /* mostly those of everyone */
    RECORDS_STARRED, /* mostly the top */
    RECORDS_EQUAL,   /* those of everyone */
    RECORDS_RAW,     /* all 0 */
    RECORDS_MANNERS
} records_manner;

typedef struct random_records {
    random_study *study;
    uint8_t *levels; /* tuples * quasi-identifiers */
    unsigned *by_row;
} random_records;

static inline unsigned records_height(const random_study *s, size_t q)
{
    return oracle_height(&s->table.quasi[q]);
}

static inline unsigned records_level(random_study *s, records_manner manner, size_t q,
                                     unsigned common)
{
    const unsigned height = records_height(s, q);
    const unsigned any = (unsigned)random_below(s, height + 1);
    const bool strays = random_one_in(s, 5);
    switch (manner) {
    case RECORDS_FREE: return any;
    case RECORDS_ALIKE: return strays ? any : common;
    case RECORDS_STARRED: return strays ? any : height;
    case RECORDS_RAW: return 0;
    default: return common;
    }
}

/* Makes the rows of the oracle's table follow the levels of the tuples. */
static inline void records_spread(random_records *r)
{
    random_study *const s = r->study;
    const size_t n = s->table.n_quasi;
    for (size_t row = 0; row < s->table.n_rows; row++) {
        const size_t tuple = pv_profile_tuple(s->profile, row);
        for (size_t q = 0; q < n; q++) {
            r->by_row[row * n + q] = r->levels[tuple * n + q];
        }
    }
    s->table.levels = r->by_row;
}

static inline void records_draw(random_records *r, records_manner manner)
{
    random_study *const s = r->study;
    const size_t n = s->table.n_quasi;
    for (size_t q = 0; q < n; q++) {
        const unsigned common = (unsigned)random_below(s, records_height(s, q) + 1);
        for (size_t t = 0; t < pv_profile_tuples(s->profile); t++) {
            r->levels[t * n + q] = (uint8_t)records_level(s, manner, q, common);
        }
    }
    records_spread(r);
}

static inline random_records random_records_create(random_study *s)
{
    const size_t n = s->table.n_quasi;
    return (random_records){
        .study = s,
        .levels = oracle_array(pv_profile_tuples(s->profile) * n, sizeof(uint8_t)),
        .by_row = oracle_array(s->table.n_rows * n, sizeof(unsigned)),
    };
}

static inline void random_records_free(random_records *r)
{
    r->study->table.levels = NULL;
    free(r->levels);
    free(r->by_row);
}

static inline pv_classes *records_classes(const random_study *s, const uint8_t *levels)
{
    pv_classes *classes = NULL;
    pv_error error = {0};
    bound_must(pv_classes_create_records(s->profile, levels, &classes, &error), &error);
    return classes;
}

/* Ragged trees, labels that repeat, missing values; up to 30 rows. */
static inline random_shape records_shape(pv_rng *rng)
{
    random_shape shape = {.heights = 5};
    shape.n_rows = 1 + (size_t)pv_i_rng_below(rng, 30);
    shape.n_quasi = 1 + (size_t)pv_i_rng_below(rng, 4);
    shape.n_values = 1 + (size_t)pv_i_rng_below(rng, 7);
    shape.n_sensitive = (size_t)pv_i_rng_below(rng, 3);
    shape.label = pv_i_rng_below(rng, 2) == 0;
    shape.missing = pv_i_rng_below(rng, 2) == 0 ? 5 : 0;
    shape.uniform = pv_i_rng_below(rng, 2) == 0;
    shape.copies = pv_i_rng_below(rng, 3) == 0 ? 3 : 0;
    return shape;
}

#endif
