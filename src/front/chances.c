/* Population and chances of evolutionary searches. */
#include "front/chances.h"

#include "base/error.h"

#include <stdbool.h>

#define MOST_POPULATION ((size_t)1 << 20)

double pv_i_chance(double asked, double usual)
{
    const bool given = !(asked >= 0 && asked <= 0);
    return asked < 0 ? 0 : given ? asked : usual;
}

pv_status pv_i_chances_check(size_t population, double crossover, double mutation, pv_error *error)
{
    if (population > MOST_POPULATION) {
        return pv_i_fail(error, PV_STATUS_ARGUMENT, "a population has up to %zu schemes",
                         MOST_POPULATION);
    }
    if (!(crossover <= 1) || !(mutation <= 1)) {
        return pv_i_fail(error, PV_STATUS_ARGUMENT,
                         "the chances of crossover and mutation are between 0 and 1");
    }
    return PV_STATUS_OK;
}
