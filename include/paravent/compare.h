/* Comparing anonymizations of the same table person by person.
 *
 * "4-anonymous" says nothing about most people in the table. A *property vector* has a value for
 * every row: the size of their class, the detail kept, ... Two vectors are compared by *indices*,
 * two releases by vectors of several properties. (Dewri, Ray, Ray, Whitley: on the comparison of
 * microdata disclosure control algorithms.) */
#ifndef PARAVENT_COMPARE_H
#define PARAVENT_COMPARE_H

#include <paravent/classes.h>
#include <paravent/context.h>
#include <paravent/measure.h>
#include <paravent/plan.h>
#include <paravent/status.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* -------------------------------------------------------------- properties */

/* A property. Vectors are oriented so that more is better: where less is, their values are negated,
 * and shown to people without that sign. */
typedef struct pv_property {
    const char *name;    /* "class-size", "own-count", "distinct", "t-distance", "risk",
                            "leaf-utility", "glm", "nwp"; "column:NAME" (a numeric column of the
                            released files, "-column:NAME" if less is better) is made when asked
                            for */
    const char *summary; /* one line for people */
    bool less_is_better;
    unsigned needs; /* PV_NEEDS_... */
} pv_property;

PV_API size_t pv_properties(void);
PV_API const pv_property *pv_property_at(size_t index);
PV_API const pv_property *pv_property_find(const char *name); /* NULL if unknown */

/* The vectors of one release. People whom all releases of a comparison treat alike are of one
 * *kind*; a vector has a value for every kind. */
typedef struct pv_vectors {
    char *name;      /* of the release, for people: its file name, or what it was called */
    double **values; /* per property asked for: one per kind; NULL = the release has none */
    size_t n_properties;
    uint64_t suppressed; /* rows that are `*` in every quasi-identifier, compared or not */
    bool *is_suppressed; /* per kind: are its people among them? NULL = nobody is */
} pv_vectors;

/* Some people, told by a value of a column: of which value is for the publisher's eyes only. */
typedef struct pv_people {
    const char *column;
    const char *value; /* "(missing)" if it is; "(others)" = all but the 50 most frequent ones */
    uint64_t n_rows;
    size_t n_kinds; /* of which kinds they are, and how many of each */
    const uint32_t *kinds;
    const uint64_t *n_of_kind;
} pv_people;

typedef struct pv_comparison {
    const char *const *properties; /* names */
    size_t n_properties;
    bool *less_is_better;  /* per property */
    pv_vectors **releases; /* as given */
    size_t n_releases;
    uint64_t n_rows;     /* compared */
    uint64_t n_original; /* rows of the original */
    uint64_t *n_missing; /* per release: rows of the original that it lacks */
    size_t n_kinds;
    const uint64_t *n_of_kind;   /* people of each kind; NULL = one */
    const uint32_t *kind_of_row; /* of each compared row, in the order of the original; NULL = every
                                    row is of its own */
    pv_people *people;           /* of the columns asked for, column by column, largest first */
    size_t n_people;
    struct pv_comparison_core *core; /* its memory */
} pv_comparison;

PV_API void pv_comparison_free(pv_comparison *comparison); /* NULL is fine */

/* What a release has of a property for a compared row; NAN = it has no such property. */
PV_API double pv_comparison_value(const pv_comparison *comparison, size_t release, size_t property,
                                  uint64_t row);

/* ----------------------------------------------------------------- schemes */

/* Schemes of one table before any of them is released: a comparison without releases, to which the
 * classes of each are added. No properties = all that are available. The study is only looked at.
 */
PV_API PV_CHECKED pv_status pv_comparison_begin(const pv_study *study,
                                                const char *const *properties, size_t n_properties,
                                                pv_comparison **comparison, pv_error *error);
/* The classes may be of any profile of the table, and are only looked at. After a failure the
 * comparison can only be freed. */
PV_API PV_CHECKED pv_status pv_comparison_add(pv_comparison *comparison, const pv_classes *classes,
                                              const char *name, const pv_context *context,
                                              pv_error *error);

/* ------------------------------------------------------------------- files */

/* Released files beside their original, whoever made them. Only equality of released values
 * matters: how many original values a released one stands for is read from the rows. */
typedef struct pv_comparison_options {
    const char *key; /* column that tells rows; NULL = by their order; --key */
    /* Row maps of releases, in any order: each says to which of the files it belongs. Releases
     * without one are matched by the key or by row order. --row-map */
    const char *const *row_maps;
    size_t n_row_maps;
    const char *const *properties;
    size_t n_properties;       /* 0 = all that are available */
    const char *const *groups; /* columns of the original whose values divide people; --by */
    size_t n_groups;
} pv_comparison_options;

/* Reads the files and makes the vectors, over the rows that all of them have. A release with a row
 * more, a key twice, other columns, sorted rows without key or map: PV_STATUS_INPUT, naming file
 * and line. The study (of the original) is borrowed and must outlive the comparison. */
PV_API PV_CHECKED pv_status pv_comparison_open(const pv_study *study, const char *const *paths,
                                               size_t n_paths, const pv_comparison_options *options,
                                               const pv_context *context,
                                               pv_comparison **comparison, pv_error *error);

/* ----------------------------------------------------------------- indices */

typedef enum pv_index {
    PV_INDEX_MIN = 0, /* the worst off */
    PV_INDEX_RANK,    /* distance from the best value each row has anywhere, or from a target; less
                         is better */
    PV_INDEX_COV,     /* share of rows at least as well off */
    PV_INDEX_SPR,     /* how much better, summed over the rows that are */
    PV_INDEX_HV,      /* volume dominated alone, by logarithms */
    PV_INDEX_COUNT
} pv_index;

PV_API const char *pv_index_name(pv_index index);
PV_API const char *pv_index_summary(pv_index index);
PV_API bool pv_index_parse(const char *name, pv_index *index);

typedef enum pv_dominance {
    PV_DOMINANCE_EQUAL = 0,
    PV_DOMINANCE_FIRST_STRONG, /* nobody worse off in the first, somebody better */
    PV_DOMINANCE_SECOND_STRONG,
    PV_DOMINANCE_NONE /* incomparable */
} pv_dominance;

typedef enum pv_winner { PV_NOBODY_WINS = 0, PV_FIRST_WINS, PV_SECOND_WINS } pv_winner;

typedef struct pv_duel_options {
    const uint64_t *people; /* how many each value stands for, 1 or more; NULL = one */
    const double *target;   /* of rank; NULL = the better of both values of each row */
    double tolerance;       /* of rank: differences up to this count as none */
} pv_duel_options;

/* Two vectors, more is better. */
typedef struct pv_duel {
    uint64_t n, first_better, second_better; /* people */
    pv_dominance dominance;
    double first[PV_INDEX_COUNT], second[PV_INDEX_COUNT]; /* hv: its natural logarithm, -INFINITY
                                                             where the volume is 0 */
    pv_winner winner[PV_INDEX_COUNT];
} pv_duel;

/* `n` values each. They are finite; those equal up to rounding (2^-46 of them) are equal. A vector
 * with a 0 has no volume: the other one's, if it has any, is then its own entirely. With a value
 * below 0 in either of them hv is nobody's. Without people all indices are 0 and nobody wins. */
PV_API void pv_duel_fight(const double *first, const double *second, uint64_t n,
                          const pv_duel_options *options, pv_duel *duel);

/* ------------------------------------------------------------- combinations */

typedef enum pv_combination_kind {
    PV_COMBINE_WTD = 0, /* weights, indices normalised */
    PV_COMBINE_LEX,     /* in order, each with a tolerance */
    PV_COMBINE_GOAL,    /* squared distance of the indices to goals */
    PV_COMBINE_COUNT
} pv_combination_kind;

PV_API const char *pv_combination_name(pv_combination_kind kind);
PV_API bool pv_combination_parse(const char *name, pv_combination_kind *kind);

/* A term: a property judged by an index. */
typedef struct pv_term {
    size_t property; /* among those of the comparison */
    pv_index index;
    double weight;    /* wtd: 0 or more; only how they compare matters */
    double tolerance; /* lex: leads up to this count as none; of hv, between logarithms */
    double goal;      /* goal: of hv for its logarithm, of min as values are shown */
} pv_term;

typedef struct pv_combination {
    const char *name; /* for people */
    pv_combination_kind kind;
    const pv_term *terms;
    size_t n_terms;
} pv_combination;

/* What a combination says of two releases: the values it compares, and who wins. wtd: 0..1, more
 * is better: cov as it is, of the other indices the share of what both have (min and rank: of what
 * the other lacks, where less is better). lex: number of the first term won, from 1; one more than
 * there are if none. goal: squared distance, less is better. */
typedef struct pv_verdict_of_two {
    double first, second;
    pv_winner winner;
} pv_verdict_of_two;

/* The best value that each kind has in any release, the target of rank, into `best`: n_kinds. */
PV_API void pv_comparison_best(const pv_comparison *comparison, size_t property, double *best);

/* Ranks are distances from that best, without tolerance; a judgement combines by its own options.
 */
PV_API PV_CHECKED pv_status pv_combine(const pv_comparison *comparison, size_t first, size_t second,
                                       const pv_combination *combination,
                                       pv_verdict_of_two *verdict, pv_error *error);

/* -------------------------------------------------------------- tournament */

/* Everyone against everyone. */
typedef struct pv_tournament {
    size_t n;          /* releases */
    pv_winner *winner; /* [first * n + second] */
    uint32_t *wins;    /* per release */
    size_t *ranking;   /* releases, best first: by wins, ties by number */
    size_t *cycle;     /* a cycle of releases each of which beats the next; NULL = none */
    size_t n_cycle;
} pv_tournament;

/* Of `winners`, [first * n + second], only pairs with first < second are read. The cycle is a
 * shortest one, and of these the one with the lowest number, with which it begins. */
PV_API PV_CHECKED pv_status pv_tournament_create(const pv_winner *winners, size_t n,
                                                 pv_tournament **tournament, pv_error *error);
PV_API void pv_tournament_free(pv_tournament *tournament); /* NULL is fine */

/* --------------------------------------------------------------- judgement */

/* Zero-initialised = all defaults. */
typedef struct pv_judgement_options {
    double tolerance;      /* of rank; --tolerance */
    const double *targets; /* of rank: what everyone should have, per property, as values are shown;
                              NAN = the best that each has in any release; NULL = that of all;
                              --target */
    uint64_t enough; /* people among whom everyone should be hidden, for the advice; 0 = 5; --k */
    const pv_combination *combinations; /* borrowed until the judgement is freed */
    size_t n_combinations;
} pv_judgement_options;

/* How some people fare by a property in a release, or all of them. */
typedef struct pv_fare {
    double mean;
    double worst_share;  /* how many of them have the least value that anybody has */
    bool is_singled_out; /* at least twice as many as of everyone, and not by chance */
} pv_fare;

/* Everyone against everyone, by every property, index and combination. Where a release has no
 * vector of a property, nobody wins. */
typedef struct pv_judgement {
    const pv_comparison *comparison;
    double tolerance;
    pv_duel *duels;           /* pv_judgement_duel */
    pv_tournament **by_index; /* [property * PV_INDEX_COUNT + index] */
    const pv_combination *combinations;
    size_t n_combinations;
    pv_verdict_of_two *verdicts; /* [(combination * n_releases + first) * n_releases + second] */
    pv_tournament **overall;     /* per combination */
    pv_fare *everyone;           /* [property * n_releases + release] */
    pv_fare *fares;              /* [(people * n_properties + property) * n_releases + release] */
    double *worst;               /* the least value; as `everyone`; NAN = no vector */
    /* The advice: of the releases in which everyone who is not suppressed is among `enough` people,
     * the one that keeps more detail (glm) for more of them; if there is none, the one with the
     * largest smallest class. */
    uint64_t enough;
    uint64_t *least;       /* per release: people in the smallest class, suppressed ones aside */
    pv_tournament *advice; /* NULL = class-size or glm was not compared */
} pv_judgement;

/* The comparison is borrowed and must outlive the judgement. */
PV_API PV_CHECKED pv_status pv_judgement_create(const pv_comparison *comparison,
                                                const pv_judgement_options *options,
                                                const pv_context *context, pv_judgement **judgement,
                                                pv_error *error);
PV_API void pv_judgement_free(pv_judgement *judgement); /* NULL is fine */

PV_API const pv_duel *pv_judgement_duel(const pv_judgement *judgement, size_t property,
                                        size_t first, size_t second);
/* The release that beats more others than any other does; SIZE_MAX = there is no such. */
PV_API size_t pv_tournament_best(const pv_tournament *tournament);
/* "Publish B: ..." with the rule it stands on, which is that of the first combination, or the
 * advice; then who gives sensitive values away. pv_string_free. */
PV_API PV_CHECKED pv_status pv_judgement_text(const pv_judgement *judgement, char **text,
                                              pv_error *error);
/* What a combination does, in words. pv_string_free. */
PV_API PV_CHECKED pv_status pv_combination_text(const pv_comparison *comparison,
                                                const pv_combination *combination, char **text,
                                                pv_error *error);
/* What a release is called in tables: A, B, ... */
PV_API char pv_release_letter(size_t release);

/* A page that needs nothing but itself: the verdict, how people fare in pictures and tables.
 * `source` names the original. It holds no values but those that divide people. pv_string_free. */
PV_API PV_CHECKED pv_status pv_judgement_page(const pv_judgement *judgement, const char *source,
                                              char **html, pv_error *error);

#ifdef __cplusplus
}
#endif
#endif
