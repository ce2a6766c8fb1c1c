/* How every function of the library reports failure.
 *
 * Whatever can fail returns a pv_status (0 = OK) and takes an optional, caller-owned pv_error as
 * its last argument. Results leave through out-parameters, which are untouched on failure. Nothing
 * in the library prints, exits or aborts. */
#ifndef PARAVENT_STATUS_H
#define PARAVENT_STATUS_H

#include <stdint.h>

/* The version of these headers; pv_version() is that of the library that runs. Until 1.0 a new
 * minor version may change the interface, and the shared library's name changes with it. */
#define PV_VERSION_MAJOR 0
#define PV_VERSION_MINOR 1
#define PV_VERSION_PATCH 0

#ifdef __cplusplus
extern "C" {
#endif

typedef enum pv_status {
    PV_STATUS_OK = 0,
    PV_STATUS_NO_MEMORY, /* an allocation failed */
    PV_STATUS_IO,        /* the operating system refused to write, rename, sync, ... */
    PV_STATUS_INPUT,     /* an input file is missing, unreadable or malformed */
    PV_STATUS_ARGUMENT,  /* the caller asked for something impossible: a level out of range, ... */
    PV_STATUS_LIMIT,     /* a size does not fit: more values, rows or levels than supported */
    PV_STATUS_EXISTS,    /* an output is in the way and overwriting was not allowed */
    PV_STATUS_UNSATISFIED, /* a demanded constraint does not hold */
    PV_STATUS_CANCELLED,   /* the progress callback asked to stop */
    PV_STATUS_UNSUPPORTED, /* this build lacks the library the request needs */
    PV_STATUS_INTERNAL,    /* two computations disagree: a defect of the program */
    PV_STATUS_COUNT
} pv_status;

/* What the shared library exports; everything else in it is hidden. */
#if defined(__GNUC__)
#define PV_API __attribute__((visibility("default")))
#define PV_CHECKED __attribute__((warn_unused_result))
#define PV_PRINTF(text, first) __attribute__((format(printf, text, first)))
#else
#define PV_API
#define PV_CHECKED
#define PV_PRINTF(text, first)
#endif

/* Phrases of messages, hints and pages that name something the caller can ask for. The library says
 * them in its own words (pv_phrase_text); a program that has names of its own for these things,
 * such as the options of a command or the fields of a form, says them in its words:
 * pv_error_rephrase, pv_front_rephrase, pv_guesses_rephrase take PV_PHRASE_COUNT of them, NULL =
 * the library's own. */
typedef enum pv_phrase {
    PV_PHRASE_NONE = 0,
    PV_PHRASE_NO_QUOTES,       /* read a table without quoting */
    PV_PHRASE_SKIP_BAD_ROWS,   /* skip rows that have a wrong number of fields */
    PV_PHRASE_NO_HEADER,       /* read a table without a header */
    PV_PHRASE_ROW_MAP,         /* the file that says which row of a release was which */
    PV_PHRASE_CHOOSE_LEVEL,    /* give the level of an attribute */
    PV_PHRASE_ALLOW_WEAKER,    /* release rows that do not keep all that their scheme promised */
    PV_PHRASE_OVERWRITE,       /* replace an output that exists */
    PV_PHRASE_IGNORE,          /* leave columns of an attacker's table aside; their names follow */
    PV_PHRASE_FREE_GROUPS,     /* groups that need not be branches of the hierarchies */
    PV_PHRASE_KEY,             /* a column by which rows of two tables are matched */
    PV_PHRASE_OTHER_KEY,       /* another one than was given */
    PV_PHRASE_KEY_MUST_BE,     /* what it must be follows */
    PV_PHRASE_OWN_ROW_MAP,     /* the row map of the release that is compared */
    PV_PHRASE_FIRST_ROW_MAP,   /* the same, where nobody may have heard of row maps yet */
    PV_PHRASE_DIVIDED_BY,      /* divide people by a column; which it can be follows */
    PV_PHRASE_KEEP_ORDER,      /* release the rows in the order they have in the table */
    PV_PHRASE_PROOF_MEMORY,    /* proofs ended: their memory was used up */
    PV_PHRASE_PROOF_TIME,      /* proofs ended: their time was over */
    PV_PHRASE_NO_PROOFS,       /* none were asked for */
    PV_PHRASE_HIDDEN,          /* points that do not keep the bounds of pv_front_where */
    PV_PHRASE_POINT_LEVELS,    /* how to release a point of a front; its levels follow */
    PV_PHRASE_POINT_CUTS,      /* how to have the cuts of a point; its k follows ... */
    PV_PHRASE_POINT_CUTS_FILE, /* ... and then the rest of that, mostly nothing */
    PV_PHRASE_COUNT
} pv_phrase;

#define PV_ERROR_PHRASES 2 /* that one error has at most */
#define PV_ERROR_MESSAGE_SIZE 4096
#define PV_ERROR_FILE_SIZE 1024
#define PV_ERROR_HINT_SIZE 512

/* What went wrong, where, and what to do. All strings are NUL-terminated; empty = not known.
 * Messages never quote a value of the data: they name rows, lines and columns instead. */
typedef struct pv_error {
    uint64_t line;   /* 1-based line in `file`, 0 = not known */
    uint64_t column; /* 1-based column (character) in that line, 0 = not known */
    pv_status status;
    /* The phrases in message and hint that a program may say in its own words. */
    pv_phrase phrases[PV_ERROR_PHRASES];
    char file[PV_ERROR_FILE_SIZE];
    char message[PV_ERROR_MESSAGE_SIZE]; /* may have several lines when several problems are listed
                                          */
    char hint[PV_ERROR_HINT_SIZE];       /* the remedy */
} pv_error;

/* A short constant phrase for a status ("out of memory"). */
PV_API const char *pv_status_text(pv_status status);

/* What the library says for a phrase: "read it without quoting". */
PV_API const char *pv_phrase_text(pv_phrase phrase);
/* Puts the caller's words in the place of the phrases in message and hint. */
PV_API void pv_error_rephrase(pv_error *error, const char *const *words);

/* The version of the library, "0.1.0". */
PV_API const char *pv_version(void);

/* Frees a string that a function of the library handed over. NULL is fine. */
PV_API void pv_string_free(char *text);

#ifdef __cplusplus
}
#endif
#endif
