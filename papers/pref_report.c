/* Writes docs/papers/pref.md and its figures: see `make papers`.
 *
 *     pref_report OUTPUT FOLDER     the Adult table and its plans are in the folder
 */
#include "pref_report.h"

static void save_all(const char *folder, const experiments *e)
{
    pv_buffer text = {0};
    pref_draw_solutions(&text, e);
    report_save(folder, "figures/pref_solutions.svg", &text);
    pref_draw_biases(&text, e);
    report_save(folder, "figures/pref_biases.svg", &text);
    pref_write_page(&text, e);
    report_save(folder, "pref.md", &text);
}

int main(int argc, char **argv)
{
    experiments e;
    require(argc == 3, "usage: pref_report OUTPUT FOLDER");
    pref_run(&e, argv[2]);
    save_all(argv[1], &e);
    pref_free(&e);
    return 0;
}
