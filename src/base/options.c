/* Options that carry their size. */
#include "base/options.h"

#include "base/error.h"

#include <string.h>

pv_status pv_i_take_options(void *taken, size_t taken_size, const void *given, size_t given_size,
                            pv_error *error)
{
    memset(taken, 0, taken_size);
    if (given == NULL) {
        return PV_STATUS_OK;
    }
    const size_t size = given_size == 0 ? taken_size : given_size;
    const unsigned char *const bytes = given;
    for (size_t i = taken_size; i < size; i++) {
        if (bytes[i] != 0) {
            return pv_i_fail(error, PV_STATUS_ARGUMENT,
                             "the program asks for options that this version of libparavent does "
                             "not know: it was made for a newer one");
        }
    }
    memcpy(taken, given, size < taken_size ? size : taken_size);
    return PV_STATUS_OK;
}
