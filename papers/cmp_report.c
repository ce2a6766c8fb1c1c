/* Writes docs/papers/cmp.md and its figure: see `make papers`.
 *
 *     cmp_report OUTPUT
 */
#include "cmp_report.h"

int main(int argc, char **argv)
{
    tables t;
    pv_buffer text = {0};
    require(argc == 2, "usage: cmp_report OUTPUT");
    cmp_open(&t);
    cmp_draw_sizes(&text, &t);
    report_save(argv[1], "figures/cmp_sizes.svg", &text);
    cmp_write_page(&text, &t);
    report_save(argv[1], "cmp.md", &text);
    cmp_close(&t);
    return 0;
}
