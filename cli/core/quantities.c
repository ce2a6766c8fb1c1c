/* Numbers, chances and sizes as they are written on the command line. */
#include "core/quantities.h"

#include "core/fail.h"

#include <paravent/decimal.h>
#include <stdlib.h>
#include <string.h>

bool cli_number_parse(const char *text, size_t length, double *number)
{
    pv_decimal decimal;
    if (!pv_decimal_parse(text, length, &decimal) || decimal.mantissa < 0) {
        return false;
    }
    *number = pv_decimal_double(decimal);
    return true;
}

pv_status cli_chance_parse(const char *name, const char *text, double *chance, pv_error *error)
{
    double number = 0.0;
    if (text == NULL) {
        return PV_STATUS_OK;
    }
    if (!cli_number_parse(text, strlen(text), &number) || number > 1.0) {
        return cli_error(error, PV_STATUS_ARGUMENT, "--%s needs a chance from 0 (never) to 1",
                         name);
    }
    *chance = number > 0.0 ? number : -1.0;
    return PV_STATUS_OK;
}

pv_status cli_prove_parse(const char *text, double *seconds, pv_error *error)
{
    double number = 0.0;
    if (text == NULL) {
        return PV_STATUS_OK;
    }
    if (!cli_number_parse(text, strlen(text), &number)) {
        return cli_error(error, PV_STATUS_ARGUMENT,
                         "--prove needs a number of seconds, 0 for no proof");
    }
    *seconds = number > 0.0 ? number : -1.0;
    return PV_STATUS_OK;
}

pv_status cli_seconds_parse(const char *text, double *seconds, pv_error *error)
{
    if (text == NULL || (cli_number_parse(text, strlen(text), seconds) && *seconds > 0.0)) {
        return PV_STATUS_OK;
    }
    return cli_error(error, PV_STATUS_ARGUMENT, "--seconds needs a number greater than 0");
}

pv_status cli_memory_parse(const char *text, uint64_t *bytes, pv_error *error)
{
    static const struct {
        char letter;
        unsigned shift;
    } units[] = {{'K', 10}, {'M', 20}, {'G', 30}, {'\0', 0}};
    if (text == NULL) {
        return PV_STATUS_OK;
    }
    char *end = NULL;
    const unsigned long long number = strtoull(text, &end, 10);
    for (size_t i = 0; i < sizeof units / sizeof *units; i++) {
        const bool fits = number > 0 && number <= UINT64_MAX >> 1 >> units[i].shift;
        const bool ends = end[0] == units[i].letter && (end[0] == '\0' || end[1] == '\0');
        if (text[0] >= '0' && text[0] <= '9' && ends && fits) {
            *bytes = (uint64_t)number << units[i].shift;
            return PV_STATUS_OK;
        }
    }
    return cli_hint(cli_error(error, PV_STATUS_ARGUMENT, "--memory needs a size in bytes"), error,
                    "with K, M or G: --memory 256M");
}
