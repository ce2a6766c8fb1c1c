/* Writes docs/papers/poka.md and its figures: see `make papers`.
 *
 *     poka_report OUTPUT adult FOLDER     the table and its plans are in the folder
 *     poka_report OUTPUT census FOLDER    the census is written there first
 */
#include "poka_report.h"

#include <stdio.h>
#include <string.h>

static const char *const losses[] = {"glm", "dcn", "cm"};
enum { LOSSES = sizeof losses / sizeof *losses };

typedef struct {
    source from;
    trade_off trade_offs[LOSSES];
    size_trial sizes[2][SIZES]; /* dcn, glm */
} experiments;

static void run_all(experiments *e)
{
    for (size_t i = 0; i < LOSSES; i++) {
        e->trade_offs[i] = poka_trade_off(&e->from, losses[i]);
    }
    for (size_t i = 0; i < SIZES; i++) {
        e->sizes[0][i] = poka_size_trial(&e->from, "dcn", FEWEST + i);
        e->sizes[1][i] = poka_size_trial(&e->from, "glm", FEWEST + i);
    }
}

static void free_all(experiments *e)
{
    for (size_t i = 0; i < LOSSES; i++) {
        poka_trade_off_free(&e->trade_offs[i]);
    }
    for (size_t i = 0; i < SIZES; i++) {
        poka_size_trial_free(&e->sizes[0][i]);
        poka_size_trial_free(&e->sizes[1][i]);
    }
}

/* --------------------------------------------------------------------- files */

static void save_fronts(const char *folder, const experiments *e)
{
    for (size_t i = 0; i < LOSSES; i++) {
        char name[64];
        pv_buffer svg = {0};
        (void)snprintf(name, sizeof name, "figures/poka_%s.svg", losses[i]);
        poka_draw_front(&svg, &e->trade_offs[i]);
        report_save(folder, name, &svg);
    }
}

static void save_depths(const char *folder, const trade_off *t)
{
    double shares[DEPTHS];
    double founds[DEPTHS];
    const share_curve curves[] = {{"schemes evaluated by POkA", "one", shares},
                                  {"points of the front found by POkA", "two", founds}};
    pv_buffer svg = {0};
    for (size_t i = 0; i < DEPTHS; i++) {
        shares[i] = poka_share(t->poka[i + 1]);
        founds[i] = (double)poka_common(t->poka[i + 1], t->truth) / (double)t->truth->n_points;
    }
    poka_draw_curves(&svg, "glm: schemes evaluated and points found, by depth", "depth", 1, DEPTHS,
                     curves, 2);
    report_save(folder, "figures/poka_depth.svg", &svg);
}

static void save_sizes(const char *folder, const size_trial *trials)
{
    double poka[SIZES];
    double exact[SIZES];
    const share_curve curves[] = {{"schemes evaluated by POkA", "one", poka},
                                  {"schemes evaluated by exact", "two", exact}};
    pv_buffer svg = {0};
    for (size_t i = 0; i < SIZES; i++) {
        poka[i] = poka_share(trials[i].poka);
        exact[i] = poka_share(trials[i].exact);
    }
    poka_draw_curves(&svg, "dcn: schemes evaluated, by number of attributes", "attributes", FEWEST,
                     SIZES, curves, 2);
    report_save(folder, "figures/poka_attributes.svg", &svg);
}

static void save_page(const char *folder, const experiments *e)
{
    const report r = {.from = &e->from,
                      .trade_offs = e->trade_offs,
                      .n_trade_offs = LOSSES,
                      .sizes = {e->sizes[0], e->sizes[1]}};
    pv_buffer page = {0};
    poka_write_page(&page, &r);
    report_save(folder, "poka.md", &page);
}

int main(int argc, char **argv)
{
    const bool adult = argc == 4 && strcmp(argv[2], "adult") == 0;
    experiments e;
    require(adult || (argc == 4 && strcmp(argv[2], "census") == 0),
            "usage: poka_report OUTPUT adult|census FOLDER");
    e.from = (source){.adult = adult, .folder = argv[3]};
    run_all(&e);
    save_fronts(argv[1], &e);
    save_depths(argv[1], &e.trade_offs[0]);
    save_sizes(argv[1], e.sizes[0]);
    save_page(argv[1], &e);
    free_all(&e);
    return 0;
}
