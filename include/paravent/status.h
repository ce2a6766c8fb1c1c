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

#define PV_ERROR_MESSAGE_SIZE 4096
#define PV_ERROR_FILE_SIZE 1024
#define PV_ERROR_HINT_SIZE 512

/* What went wrong, where, and what to do. All strings are NUL-terminated; empty = not known.
 * Messages never quote a value of the data: they name rows, lines and columns instead. */
typedef struct pv_error {
    uint64_t line;   /* 1-based line in `file`, 0 = not known */
    uint64_t column; /* 1-based column (character) in that line, 0 = not known */
    pv_status status;
    char file[PV_ERROR_FILE_SIZE];
    char message[PV_ERROR_MESSAGE_SIZE]; /* may have several lines when several problems are listed
                                          */
    char hint[PV_ERROR_HINT_SIZE];       /* the remedy */
} pv_error;

/* A short constant phrase for a status ("out of memory"). */
PV_API const char *pv_status_text(pv_status status);

/* The version of the library, "0.1.0". */
PV_API const char *pv_version(void);

/* Frees a string that a function of the library handed over. NULL is fine. */
PV_API void pv_string_free(char *text);

#ifdef __cplusplus
}
#endif
#endif
