/* Writes docs/papers/aruba.md and its figures: see `make papers`.
 *
 *     aruba_report OUTPUT FOLDER     the table of items and its plan are in the folder
 */
#include "aruba_report.h"

#include "base/memory.h"

static void save_all(const char *folder, const experiments *e)
{
    static const struct {
        const char *name;
        void (*write)(pv_buffer *text, const experiments *e);
    } files[] = {{"figures/aruba_frontier.svg", aruba_draw_frontier},
                 {"figures/aruba_thresholds.svg", aruba_draw_thresholds},
                 {"figures/aruba_attributes.svg", aruba_draw_sizes},
                 {"figures/aruba_risks.svg", aruba_draw_risks},
                 {"aruba.md", aruba_write_page}};
    for (size_t i = 0; i < sizeof files / sizeof *files; i++) {
        pv_buffer text = {0};
        files[i].write(&text, e);
        report_save(folder, files[i].name, &text);
    }
}

int main(int argc, char **argv)
{
    require(argc == 3, "usage: aruba_report OUTPUT FOLDER");
    experiments *const e = PV_NEW(experiments);
    require(e != NULL, "out of memory");
    aruba_run(e, argv[2]);
    save_all(argv[1], e);
    aruba_free(e);
    pv_i_free(e);
    return 0;
}
