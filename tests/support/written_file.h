/* A file as the library writes it: compressed as the ending of its name says. */
#ifndef PV_TESTS_WRITTEN_FILE_H
#define PV_TESTS_WRITTEN_FILE_H

/* cmocka.h needs these four before it. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "base/outputs.h"

static inline void written_file(const char *path, const void *data, size_t size)
{
    pv_outputs *outputs = NULL;
    pv_output *output = NULL;
    assert_int_equal(pv_outputs_create(true, &outputs, NULL), PV_STATUS_OK);
    assert_int_equal(pv_i_outputs_open(outputs, path, PV_AUDIENCE_PUBLIC, &output, NULL),
                     PV_STATUS_OK);
    assert_int_equal(pv_i_output_write(output, data, size, NULL), PV_STATUS_OK);
    assert_int_equal(pv_outputs_commit(outputs, NULL), PV_STATUS_OK);
    pv_outputs_free(outputs);
}

#endif
