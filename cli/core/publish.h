/* Writing a release: what `release`, `apply`, `disclose` and `demo` share. How the scheme is chosen
 * and how the result is shown is in release/. */
#ifndef CLI_CORE_PUBLISH_H
#define CLI_CORE_PUBLISH_H

#include "core/command.h"
#include "core/measured.h"
#include "core/opened.h"
#include "front/search.h"

#include <paravent/paravent.h>

/* The settings of `release` and `apply`; those of `disclose` begin with them. */
typedef struct cli_publish {
    cli_common common;
    cli_reading reading;
    const char *data; /* release only */
    char *levels;     /* release only */
    const char *cuts; /* release only: a file of cuts instead of levels */
    const char *pick; /* release only: choose the levels from the front */
    char *objectives; /* of that front */
    /* For the search of that front. */
    const char *seconds;
    const char *output;
    char *require;
    const char *suppression;
    const char *suppress; /* the rule */
    char *minimize;       /* release only: what the best release loses least of */
    const char *scheme;   /* release only: levels, cuts or local, of the best release */
    const char *improve;  /* local: seconds */
    const char *bound;    /* the same */
    cli_count k;
    const char *papers; /* with a table on standard output: the folder for the other files */
    bool shuffle, keep_order, force;
    const char *row_map;
    bool escape_formulas;
    bool drop_suppressed;
    bool applying;     /* set by apply: the scheme was made from another table */
    bool allow_weaker; /* apply only: write what breaks a promise as well */
    cli_count seed;
    const char *key_file;
    char output_delimiter;
} cli_publish;

/* What is released and how. FILE is what help says about the released table; NEEDED names the
 * option without which nothing is released, NULL = there is none. */
#define CLI_WRITING_OPTIONS(file, needed)                                                         \
    CLI_OPTION(cli_publish, "output", OUTPUT, "FILE", output, file, .letter = 'o',                \
               .audience = PV_AUDIENCE_PUBLIC, .table = true),                                    \
        CLI_OPTION(cli_publish, "force", FLAG, NULL, force, "overwrite outputs that exist"),      \
        CLI_OPTION(cli_publish, "require", LIST, "LIST", require,                                 \
                   "demand constraints, such as k=5,l-distinct=3, or of one sensitive column "    \
                   "l-distinct(COLUMN)=3, besides those of the plan; unmet means exit status 3 "  \
                   "and no file",                                                                 \
                   .needs = needed),                                                              \
        CLI_OPTION(cli_publish, "suppression", TEXT, "BUDGET", suppression,                       \
                   "rows that may be suppressed, 1% or a number (default: as the plan says)",     \
                   .needs = needed),                                                              \
        CLI_OPTION(cli_publish, "suppress", TEXT, "RULE", suppress,                               \
                   "as-needed: just the classes that break a demand; whole-budget: as many of "   \
                   "the smallest as the budget allows (default: as the plan says, or as-needed)", \
                   .needs = needed),                                                              \
        CLI_OPTION(cli_publish, "drop-suppressed", FLAG, NULL, drop_suppressed,                   \
                   "leave suppressed rows out instead of releasing them with * everywhere; "      \
                   "how many is said",                                                            \
                   .needs = needed),                                                              \
        CLI_OPTION(cli_publish, "papers", FOLDER, "FOLDER", papers,                               \
                   "with -o - or a table in a database: put certificate, codebook, scheme and "   \
                   "report into this new folder (default: with -o - none are written; otherwise " \
                   "they go into NAME.papers-*, beside a file or in the current folder)",         \
                   .needs = "output"),                                                            \
        CLI_OPTION(cli_publish, "shuffle", FLAG, NULL, shuffle,                                   \
                   "release the rows in a random order (default: sorted by their released "       \
                   "values)",                                                                     \
                   .needs = needed, .excludes = "keep-order"),                                    \
        CLI_OPTION(cli_publish, "keep-order", FLAG, NULL, keep_order,                             \
                   "release the rows in the order of the data. Where that is sorted, a row's "    \
                   "place undoes what was generalized; the certificate says so",                  \
                   .needs = needed),                                                              \
        CLI_OPTION(cli_publish, "row-map", OUTPUT, "FILE", row_map,                               \
                   "write which row of the data each released row is, for `paravent compare`; "   \
                   "private: whoever has it undoes the order",                                    \
                   .needs = needed),                                                              \
        CLI_OPTION(cli_publish, "escape-formulas", FLAG, NULL, escape_formulas,                   \
                   "put a ' before values that a spreadsheet would run as formulas, and "         \
                   "before those that begin with one (default: they stay, the certificate "       \
                   "counts them)",                                                                \
                   .needs = needed),                                                              \
        CLI_OPTION(cli_publish, "hash-identifiers", FILE, "KEYFILE", key_file,                    \
                   "replace identifiers by hashes keyed with the content of KEYFILE (at least "   \
                   "16 secret bytes, 8 of them different) instead of dropping them",              \
                   .needs = needed),                                                              \
        CLI_OPTION(cli_publish, "output-delimiter", BYTE, "CHAR", output_delimiter,               \
                   "what separates the fields of the release (default: as in the data)",          \
                   .needs = needed)

/* CALLED `seed`, unless the command has another of that name. */
#define CLI_SHUFFLE_SEED_OPTION(called)                                                \
    CLI_OPTION(cli_publish, called, COUNT, "N", seed,                                  \
               "the seed of the shuffle, for the same order again (default: drawn at " \
               "random)",                                                              \
               .min = 0, .max = INT64_MAX, .needs = "shuffle")

#define CLI_PUBLISH_OPTIONS                                                            \
    CLI_WRITING_OPTIONS(                                                               \
        "the released table; .gz and .zst compress (default: NAME.release.csv in "     \
        "the current folder). Certificate, codebook and scheme are written into a "    \
        "folder beside it. - is standard output, once the table is verified; "         \
        "postgresql://HOST/DB?table=NAME and their like are tables in databases",      \
        NULL),                                                                         \
        CLI_OPTION(cli_publish, "k", COUNT, "K", k,                                    \
                   "demand k: suppress the classes smaller than K, within the budget", \
                                                                                       \
                   .min = 1, .max = UINT32_MAX),                                       \
        CLI_SHUFFLE_SEED_OPTION("seed")

/* The best release of a neighbouring question. */
typedef struct cli_neighbour {
    /* Which of the demands is one step stricter; their number = the budget is larger; one more =
     * the other kind of scheme. */
    size_t demand;
    double bound; /* of that demand, or rows of that budget */
    pv_scheme_kind kind;
    pv_best *best;
} cli_neighbour;

#define CLI_MOST_NEIGHBOURS 8

/* A release that was written. */
typedef struct cli_published {
    cli_opened opened;
    cli_opened searched; /* the best cuts: what they were found in; `opened` is seen through them */
    pv_scheme *scheme;
    const char *pick; /* how the levels were picked, borrowed; NULL = they were given */
    pv_best *best;    /* or: how the best ones were found */
    bool cells;       /* it is one of cells: values and `*` alone */
    pv_local_fit fit; /* of new rows and a local recoding; all 0 = none */
    pv_local *local;  /* or: how the local recoding was */
    cli_neighbour neighbours[CLI_MOST_NEIGHBOURS]; /* of the best */
    size_t n_neighbours;
    cli_found found; /* the front they were picked from */
    size_t point;    /* of it */
    pv_suppression suppression;
    pv_budget budget; /* how it was given */
    cli_demands demands, promises;
    char *output; /* the table */
    pv_release_result *result;
    pv_row_order order;
    bool escaped; /* formulas are */
    bool hashed;  /* identifiers are replaced by keyed hashes, not dropped */
    uint64_t seed;
} cli_published;

/* With `-o -` standard output is the table's: the report goes to standard error. */
PV_CHECKED pv_status cli_publish_begin(cli_run *run, const cli_publish *settings, pv_error *error);
/* Opens `plan` on `data` (NULL = the plan's own; otherwise new rows) and reads everything about the
 * release but its scheme, which is left to the caller. */
PV_CHECKED pv_status cli_publish_open(cli_run *run, const cli_publish *settings, const char *plan,
                                      const char *data, cli_published *published, pv_error *error);
/* Writes and verifies what was opened and has got its scheme. */
PV_CHECKED pv_status cli_publish_finish(cli_run *run, const cli_publish *settings,
                                        cli_published *published, pv_error *error);
void cli_published_free(cli_published *published);

#endif
