/* Which instructions the machine has. Loops that gain from newer ones are compiled twice and chosen
 * per block; the results are the same. */
#ifndef PV_TABLE_CPU_H
#define PV_TABLE_CPU_H

#include <stdbool.h>

#if defined(__x86_64__) && defined(__GNUC__)
#define PV_X86 1
#define PV_TARGET_AVX2 __attribute__((target("avx2,bmi,bmi2,lzcnt,popcnt")))

static inline bool pv_i_cpu_has_avx2(void)
{
    return __builtin_cpu_supports("avx2") && __builtin_cpu_supports("bmi2") &&
           __builtin_cpu_supports("bmi") && __builtin_cpu_supports("popcnt");
}
#else
#define PV_X86 0
#endif

#endif
