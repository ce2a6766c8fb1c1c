/* Which instructions the machine has. Loops that gain from newer ones are compiled twice and chosen
 * per block; the results are the same.
 *
 * PV_CPU_LEVEL may be defined to do without: 0 = plain C, 1 = what every x86-64 has, 2 = AVX2. */
#ifndef PV_TABLE_CPU_H
#define PV_TABLE_CPU_H

#include <stdbool.h>

#ifndef PV_CPU_LEVEL
#if defined(__x86_64__) && defined(__GNUC__)
#define PV_CPU_LEVEL 2
#else
#define PV_CPU_LEVEL 0
#endif
#endif

#if PV_CPU_LEVEL >= 2
#define PV_TARGET_AVX2 __attribute__((target("avx2,bmi,bmi2,lzcnt,popcnt")))

static inline bool pv_i_cpu_has_avx2(void)
{
    return __builtin_cpu_supports("avx2") && __builtin_cpu_supports("bmi") &&
           __builtin_cpu_supports("bmi2") && __builtin_cpu_supports("popcnt");
}
#endif

#endif
