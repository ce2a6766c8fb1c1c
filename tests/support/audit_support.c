/* Files for the checker, and its answers in one line. */
#include "support/audit_support.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static void audit_file_compress(const char *path, const void *data, size_t size)
{
    written_file(path, data, size);
}

audit_file audit_file_bytes(const char *suffix, const void *data, size_t size)
{
    audit_file file;
    const char *const folder = getenv("TMPDIR") != NULL ? getenv("TMPDIR") : "/tmp";
    (void)snprintf(file.path, sizeof file.path, "%s/pv_audit_XXXXXX%s", folder, suffix);
    const int fd = mkstemps(file.path, (int)strlen(suffix));
    assert_true(fd >= 0);
    if (strcmp(suffix, ".csv") == 0) {
        assert_int_equal(write(fd, data, size), size);
    } else {
        audit_file_compress(file.path, data, size);
    }
    (void)close(fd);
    return file;
}

audit_file audit_file_text(const char *text)
{
    return audit_file_bytes(".csv", text, strlen(text));
}

void audit_file_remove(const audit_file *file)
{
    (void)unlink(file->path);
}

pv_audit *audit_text(const char *text, const pv_audit_options *options)
{
    pv_audit *audit = NULL;
    pv_error error = {0};
    const audit_file file = audit_file_text(text);
    const pv_status status = pv_audit_file(file.path, options, NULL, &audit, &error);
    audit_file_remove(&file);
    if (status != PV_STATUS_OK) {
        print_error("%s: line %llu: %s\n", error.file, (unsigned long long)error.line,
                    error.message);
    }
    assert_int_equal(status, PV_STATUS_OK);
    return audit;
}

pv_error audit_refused(const char *text, const pv_audit_options *options, pv_status expected)
{
    pv_audit *audit = NULL;
    pv_error error = {0};
    const audit_file file = audit_file_text(text);
    const pv_status status = pv_audit_file(file.path, options, NULL, &audit, &error);
    audit_file_remove(&file);
    assert_int_equal(status, expected);
    assert_int_equal(error.status, expected);
    assert_null(audit);
    assert_true(error.message[0] != '\0');
    return error;
}

double audit_value(const pv_audit *audit, const char *name)
{
    const pv_measure *const measure = pv_measure_find(name);
    assert_non_null(measure);
    const pv_audit_value *const value = pv_audit_find(
        audit, (pv_measure_ref){.measure = measure, .parameter = measure->parameter_default});
    assert_non_null(value);
    assert_true(value->available);
    return value->value;
}

void assert_near(double value, double expected)
{
    if (!(fabs(value - expected) <= 1e-12 * fmax(1, fabs(expected)))) {
        fail_msg("%.17g is not %.17g", value, expected);
    }
}
