/* Population and chances of evolutionary searches, as a caller asked for them. */
#ifndef PV_FRONT_CHANCES_H
#define PV_FRONT_CHANCES_H

#include <paravent/status.h>
#include <stddef.h>

/* A chance as asked for: 0 = the usual one, negative = never. */
double pv_i_chance(double asked, double usual);
/* Are population and chances within bounds? */
PV_CHECKED pv_status pv_i_chances_check(size_t population, double crossover, double mutation,
                                        pv_error *error);

#endif
