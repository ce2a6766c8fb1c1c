/* The oracle of test_csv_oracle.c on a machine that has no more than every x86-64 (elsewhere, plain
 * C): the sources are compiled in here and take the place of the library's. */
#ifdef __x86_64__
#define PV_CPU_LEVEL 1
#else
#define PV_CPU_LEVEL 0
#endif
#include "../../src/table/scan.c"
#undef CHUNK
#include "../../src/table/encode.c"
#include "test_csv_oracle.c"
