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
#include <paravent/scheme.h>
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
    bool is_detail; /* about what released values still show, not about who hides among whom */
    unsigned needs; /* PV_NEEDS_... */
} pv_property;

PV_API size_t pv_n_properties(void);
PV_API const pv_property *pv_property_at(size_t index);
PV_API const pv_property *pv_property_find(const char *name); /* NULL if unknown */

/* -------------------------------------------------------------- comparison */

/* Releases of one table, side by side. People whom all of them treat alike are of one *kind*; a
 * property vector has a value for every kind. Properties, releases and groups are asked for by
 * their number, from 0; strings and arrays are borrowed from the comparison. */
typedef struct pv_comparison pv_comparison;

PV_API void pv_comparison_free(pv_comparison *comparison); /* NULL is fine */

PV_API size_t pv_comparison_n_properties(const pv_comparison *comparison);
PV_API const char *pv_comparison_property(const pv_comparison *comparison, size_t property);
PV_API bool pv_comparison_less_is_better(const pv_comparison *comparison, size_t property);

PV_API size_t pv_comparison_n_releases(const pv_comparison *comparison);
/* Its file name, or what it was called. */
PV_API const char *pv_comparison_name(const pv_comparison *comparison, size_t release);
/* Rows that are `*` in every quasi-identifier, compared or not. */
PV_API uint64_t pv_comparison_suppressed(const pv_comparison *comparison, size_t release);
/* Rows of the original that the release lacks. */
PV_API uint64_t pv_comparison_missing(const pv_comparison *comparison, size_t release);

PV_API uint64_t pv_comparison_n_rows(const pv_comparison *comparison);     /* compared */
PV_API uint64_t pv_comparison_n_original(const pv_comparison *comparison); /* of the original */
PV_API size_t pv_comparison_n_kinds(const pv_comparison *comparison);
/* How many people are of each kind: pv_comparison_n_kinds() numbers. */
PV_API const uint64_t *pv_comparison_people(const pv_comparison *comparison);
/* The kind of each compared row, in the order of the original; NULL before the first release, and
 * where a database has counted equal rows. */
PV_API const uint32_t *pv_comparison_kinds(const pv_comparison *comparison, uint64_t *n_rows);

/* A property vector, one value per kind, more is better; NULL = the release has none. */
PV_API const double *pv_comparison_values(const pv_comparison *comparison, size_t release,
                                          size_t property, size_t *n_kinds);
/* What a release has of a property for a compared row; NAN = it has no such property. */
PV_API double pv_comparison_value(const pv_comparison *comparison, size_t release, size_t property,
                                  uint64_t row);
/* A value of a vector as people read it: without the sign that orients it. */
PV_API double pv_comparison_shown(const pv_comparison *comparison, size_t property, double value);

/* Groups of people by the values of columns, column by column, largest first. Which value is for
 * the publisher's eyes only: "(missing)" if it is; "(others)" = all but the 50 most frequent. */
PV_API size_t pv_comparison_n_groups(const pv_comparison *comparison);
PV_API const char *pv_comparison_group_column(const pv_comparison *comparison, size_t group);
PV_API const char *pv_comparison_group_value(const pv_comparison *comparison, size_t group);
PV_API uint64_t pv_comparison_group_rows(const pv_comparison *comparison, size_t group);

/* ----------------------------------------------------------------- schemes */

/* Schemes of one table before any of them is released: a comparison without releases, to which the
 * classes of each are added. No properties = all that are available. The study is only looked at.
 */
PV_API PV_CHECKED pv_status pv_comparison_begin(const pv_study *study,
                                                const char *const *properties, size_t n_properties,
                                                pv_comparison **comparison, pv_error *error);
/* The same for schemes of any kind, all at once; levels under the plan's suppression. `names` is
 * what they are called; the study must outlive the comparison. */
PV_API PV_CHECKED pv_status pv_compare_schemes(const pv_study *study,
                                               const pv_scheme *const *schemes,
                                               const char *const *names, size_t n,
                                               pv_comparison **comparison, pv_error *error);
/* The classes may be of any profile of the table, and are only looked at. After a failure the
 * comparison can only be freed. */
PV_API PV_CHECKED pv_status pv_comparison_add(pv_comparison *comparison, const pv_classes *classes,
                                              const char *name, const pv_context *context,
                                              pv_error *error);

/* ------------------------------------------------------------------- files */

/* Released files beside their original, whoever made them. Only equality of released values
 * matters: how many original values a released one covers is read from the rows. */
typedef struct pv_comparison_options {
    size_t size;     /* sizeof this struct; 0 = as in this header */
    const char *key; /* column that identifies rows; NULL = rows are matched by their order */
    /* Row maps of releases, in any order: each says to which of the files it belongs. Releases
     * without one are matched by the key or by row order. */
    const char *const *row_maps;
    size_t n_row_maps;
    const char *const *properties;
    size_t n_properties;       /* 0 = all that are available */
    const char *const *groups; /* columns of the original whose values divide people */
    size_t n_groups;
    const char *const *names; /* what the files are called; NULL, or NULL for one of them = by its
                                 file name */
    /* Schemes that are not released yet, which come before the files: their classes
     * (pv_scheme_classes), of any profile of the table, and what they are called. Beside files they
     * are seen as the files they would be, so that detail is counted alike; without files as
     * pv_comparison_add sees them. */
    const pv_classes *const *schemes;
    const char *const *scheme_names;
    size_t n_schemes;
    /* Rows of the original, from 0, of which is kept what files show (pv_comparison_shown_row);
     * few, because each is looked for in every file. */
    const uint64_t *shown;
    size_t n_shown;
} pv_comparison_options;

/* Reads the files and makes the vectors, over the rows that all of them have; there may be none if
 * there are schemes. A release with a row
 * more, a key twice, other columns, sorted rows without key or map: PV_STATUS_INPUT, naming file
 * and line. The study (of the original) is borrowed and must outlive the comparison. */
PV_API PV_CHECKED pv_status pv_comparison_open(const pv_study *study, const char *const *paths,
                                               size_t n_paths, const pv_comparison_options *options,
                                               const pv_context *context,
                                               pv_comparison **comparison, pv_error *error);

/* The same of tables in one database that share a key, as `options->key` says: the original, which
 * is the data of the plan or what `opening` names instead, and the releases. The database matches
 * their rows and counts equal combinations; only these travel. What comes of it is what
 * pv_comparison_open says of them, and the study of the original, for the caller to free after the
 * comparison; its table has the columns that were compared, and divide people. Both are NULL if the
 * tables have to be read row by row: they are files or in several places, there are row maps or
 * schemes, single rows are asked for, or keys could be the same value in different spellings. The
 * plan is borrowed and must outlive the study. */
PV_API PV_CHECKED pv_status pv_comparison_join(const pv_plan *plan, const pv_study_options *opening,
                                               const char *const *paths, size_t n_paths,
                                               const pv_comparison_options *options,
                                               const pv_context *context, pv_study **study,
                                               pv_comparison **comparison, pv_error *error);
/* The statements with which a plan's data and releases would be compared or read where they are; of
 * a file a line that says so. Places are asked for the columns of their tables, and nothing is run.
 * pv_string_free. */
PV_API PV_CHECKED pv_status pv_comparison_explain(const pv_plan *plan,
                                                  const pv_study_options *opening,
                                                  const char *const *paths, size_t n_paths,
                                                  const pv_comparison_options *options,
                                                  const pv_context *context, char **statements,
                                                  pv_error *error);

/* A row of the original as a release shows it. */
typedef struct pv_shown_row {
    uint64_t class_size;      /* people who look alike in the release, all of it */
    bool is_suppressed;       /* `*` in every quasi-identifier */
    const char *const *cells; /* per column of the original's table, as the release spells it;
                                 NULL = the release lacks the column, or the plan says nothing of it
                                 and rows are matched by a key */
} pv_shown_row;

/* By its place in the options' `shown`; NULL = the release lacks the row, or is no file and was not
 * compared with any. Borrowed from the comparison. */
PV_API const pv_shown_row *pv_comparison_shown_row(const pv_comparison *comparison, size_t release,
                                                   size_t shown);

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

/* Two vectors, more is better. */
typedef struct pv_duel {
    uint64_t n, first_better, second_better; /* people */
    pv_dominance dominance;
    double first[PV_INDEX_COUNT], second[PV_INDEX_COUNT]; /* hv: its natural logarithm, -INFINITY
                                                             where the volume is 0 */
    pv_winner winner[PV_INDEX_COUNT];
} pv_duel;

/* `n` values each. They are finite; those equal up to rounding (2^-46 of them) are equal. Each
 * is that of people[i] >= 1 people (NULL = one). rank is the distance from `target`, one value per
 * value (NULL = the better of both), and differences of it up to `tolerance` count as none. A
 * vector with a 0 has no volume: the other one's, if it has any, is then its own entirely. With a
 * value below 0 in either of them hv is nobody's. Without people all indices are 0 and nobody wins.
 */
PV_API void pv_duel_fight(const double *first, const double *second, uint64_t n,
                          const uint64_t *people, const double *target, double tolerance,
                          pv_duel *duel);

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
typedef struct pv_tournament pv_tournament;

/* Of `winners`, [first * n + second], only pairs with first < second are read. The cycle is a
 * shortest one, and of these the one with the lowest number, with which it begins. */
PV_API PV_CHECKED pv_status pv_tournament_create(const pv_winner *winners, size_t n,
                                                 pv_tournament **tournament, pv_error *error);
PV_API void pv_tournament_free(pv_tournament *tournament); /* NULL is fine */

PV_API pv_winner pv_tournament_winner(const pv_tournament *tournament, size_t first, size_t second);
PV_API size_t pv_tournament_wins(const pv_tournament *tournament, size_t release);
/* Releases, best first: by wins, ties by number. */
PV_API const size_t *pv_tournament_ranking(const pv_tournament *tournament, size_t *n);
/* A cycle of releases each of which beats the next; NULL = there is none. */
PV_API const size_t *pv_tournament_cycle(const pv_tournament *tournament, size_t *n);
/* The release that beats more others than any other does; SIZE_MAX = there is no such. */
PV_API size_t pv_tournament_best(const pv_tournament *tournament);

/* --------------------------------------------------------------- judgement */

/* Zero-initialised = all defaults. */
typedef struct pv_judgement_options {
    size_t size;           /* sizeof this struct; 0 = as in this header */
    double tolerance;      /* of rank */
    const double *targets; /* of rank: what everyone should have, per property, as values are shown;
                              NAN = the best that each has in any release; NULL = that of all */
    uint64_t enough;       /* people among whom everyone should be hidden, for the advice; 0 = 5 */
    const pv_combination *combinations; /* borrowed until the judgement is freed */
    size_t n_combinations;
} pv_judgement_options;

/* Everyone against everyone, by every property, index and combination. Where a release has no
 * vector of a property, nobody wins. */
typedef struct pv_judgement pv_judgement;

/* The comparison is borrowed and must outlive the judgement. */
PV_API PV_CHECKED pv_status pv_judgement_create(const pv_comparison *comparison,
                                                const pv_judgement_options *options,
                                                const pv_context *context, pv_judgement **judgement,
                                                pv_error *error);
PV_API void pv_judgement_free(pv_judgement *judgement); /* NULL is fine */

PV_API const pv_comparison *pv_judgement_comparison(const pv_judgement *judgement);

/* Two releases by a property: what the index says of the first beside the second (of min as values
 * are shown), who wins, whether one dominates, how many people are better off in the first. */
PV_API double pv_judgement_index(const pv_judgement *judgement, size_t property, pv_index index,
                                 size_t first, size_t second);
PV_API pv_winner pv_judgement_winner(const pv_judgement *judgement, size_t property, pv_index index,
                                     size_t first, size_t second);
PV_API pv_dominance pv_judgement_dominance(const pv_judgement *judgement, size_t property,
                                           size_t first, size_t second);
PV_API uint64_t pv_judgement_better(const pv_judgement *judgement, size_t property, size_t first,
                                    size_t second);
/* Over all properties: nobody worse off in any, somebody better in one. */
PV_API pv_dominance pv_judgement_dominance_of_all(const pv_judgement *judgement, size_t first,
                                                  size_t second);
PV_API const pv_tournament *pv_judgement_tournament(const pv_judgement *judgement, size_t property,
                                                    pv_index index);

PV_API size_t pv_judgement_n_combinations(const pv_judgement *judgement);
PV_API const pv_combination *pv_judgement_combination(const pv_judgement *judgement,
                                                      size_t combination);
PV_API pv_verdict_of_two pv_judgement_verdict(const pv_judgement *judgement, size_t combination,
                                              size_t first, size_t second);
PV_API const pv_tournament *pv_judgement_overall(const pv_judgement *judgement, size_t combination);

/* What a group of people gets of a property in a release, as values are shown. */
typedef struct pv_group_result {
    double mean;
    double worst_share;  /* how many of them have the worst value that anybody has */
    bool is_singled_out; /* at least twice as many as of everyone, and not by chance */
} pv_group_result;

#define PV_EVERYONE SIZE_MAX /* instead of a group */

/* NAN where the release has no such property. */
PV_API pv_group_result pv_judgement_group(const pv_judgement *judgement, size_t group,
                                          size_t property, size_t release);
/* The value of the worst off, as values are shown; NAN = no vector. */
PV_API double pv_judgement_worst(const pv_judgement *judgement, size_t property, size_t release);

/* The advice: of the releases in which everyone who is not suppressed is among `enough` people,
 * the one that keeps more detail (glm) for more of them; if there is none, the one with the largest
 * smallest class. NULL = class-size or glm was not compared. */
PV_API const pv_tournament *pv_judgement_advice(const pv_judgement *judgement);
PV_API uint64_t pv_judgement_enough(const pv_judgement *judgement);
/* People in the smallest class, suppressed ones aside; 0 without an advice. */
PV_API uint64_t pv_judgement_smallest_class(const pv_judgement *judgement, size_t release);
/* "Publish B: ..." with its rule, which is that of the first combination, or the advice; then which
 * releases give sensitive values away. pv_string_free. */
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
