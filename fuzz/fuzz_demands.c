/* Any text at all as a list of demands: it is refused in a sentence, or what was read is read again
 * from what it is written as. */
#include <paravent/measure.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

static void require_that(int holds)
{
    if (!holds) {
        abort();
    }
}

static void check_again(const pv_constraint *constraint)
{
    char text[PV_MEASURE_TEXT_SIZE];
    pv_constraint again[PV_MAX_CONSTRAINTS];
    size_t n = 0;
    pv_constraint_text(constraint, text, sizeof text);
    require_that(strlen(text) + 1 < sizeof text);
    require_that(pv_constraints_parse(text, again, &n, NULL) == PV_STATUS_OK && n == 1);
    /* Numbers are written with ten digits: the measure and its column are the same. */
    require_that(again[0].ref.measure == constraint->ref.measure);
    require_that(strcmp(again[0].ref.column, constraint->ref.column) == 0);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    pv_constraint constraints[PV_MAX_CONSTRAINTS];
    pv_error error = {0};
    size_t n = 0;
    char *const text = malloc(size + 1);
    require_that(text != NULL);
    if (size > 0) {
        memcpy(text, data, size);
    }
    text[size] = '\0';
    const pv_status status = pv_constraints_parse(text, constraints, &n, &error);
    if (status != PV_STATUS_OK) {
        require_that(n == 0 && error.status == status && error.message[0] != '\0');
    }
    for (size_t i = 0; i < n; i++) {
        check_again(&constraints[i]);
    }
    free(text);
    return 0;
}
