/* Files to check, written to a temporary place and removed again. */
#ifndef PV_TESTS_AUDIT_SUPPORT_H
#define PV_TESTS_AUDIT_SUPPORT_H

#include "audit/audit.h"
#include "support/files.h"

#include <math.h>
#include <paravent/release.h>

typedef struct audit_file {
    char path[256];
} audit_file;

/* `suffix` ".csv", ".csv.gz" or ".csv.zst": compressed accordingly. */
audit_file audit_file_bytes(const char *suffix, const void *data, size_t size);
audit_file audit_file_text(const char *text);
void audit_file_remove(const audit_file *file);

/* Checks a text that must be in order. */
pv_audit *audit_text(const char *text, const pv_audit_options *options);

/* Checks a text that must be refused. */
pv_error audit_refused(const char *text, const pv_audit_options *options, pv_status expected);

/* The value of a measure with its default parameter; it must be available. */
double audit_value(const pv_audit *audit, const char *name);
void assert_near(double value, double expected);

#endif
