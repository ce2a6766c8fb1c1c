/* The oracle of test_csv_oracle.c in plain C, for machines we know nothing about: the sources are
 * compiled in here and take the place of the library's. */
#define PV_CPU_LEVEL 0
#include "../../src/table/scan.c"
#undef CHUNK
#include "../../src/table/encode.c"
#include "test_csv_oracle.c"
