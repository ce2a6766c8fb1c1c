/* Writes docs/papers/pbg.md and its figures: see `make papers`.
 *
 *     pbg_report OUTPUT FOLDER     the Adult table and its plans are in the folder
 */
#include "pbg_report.h"

typedef struct {
    opened table, labelled;
    answer answers[QUESTIONS];
    box_answer coarse[BOXES];
} experiments;

static void run_all(experiments *e, const char *folder)
{
    const source from = {.adult = true, .folder = folder};
    e->table = report_open(&from, false, SIZE_MAX);
    e->labelled = report_open(&from, true, SIZE_MAX);
    for (size_t i = 0; i < QUESTIONS; i++) {
        pbg_answer_init(&e->answers[i], &pbg_questions[i],
                        pbg_questions[i].label ? &e->labelled : &e->table);
    }
    for (size_t i = 0; i < BOXES; i++) {
        e->coarse[i] = pbg_box_answer(&pbg_boxes[i], &e->answers[pbg_boxes[i].question]);
    }
}

static void free_all(experiments *e)
{
    for (size_t i = 0; i < QUESTIONS; i++) {
        pbg_answer_deinit(&e->answers[i]);
    }
    report_close(&e->table);
    report_close(&e->labelled);
}

static void save_pictures(const char *folder, const experiments *e)
{
    pv_buffer svg = {0};
    for (size_t i = 0; i < QUESTIONS; i++) {
        pbg_draw_front(&svg, &e->answers[i]);
        report_save(folder, pbg_questions[i].figure, &svg);
    }
    pbg_draw_courses(&svg, e->answers);
    report_save(folder, "figures/pbg_evaluations.svg", &svg);
}

static void save_page(const char *folder, const experiments *e)
{
    const report r = {.table = &e->table, .answers = e->answers, .coarse = e->coarse};
    pv_buffer page = {0};
    pbg_write_page(&page, &r);
    report_save(folder, "pbg.md", &page);
}

int main(int argc, char **argv)
{
    experiments e;
    require(argc == 3, "usage: pbg_report OUTPUT FOLDER");
    run_all(&e, argv[2]);
    save_pictures(argv[1], &e);
    save_page(argv[1], &e);
    free_all(&e);
    return 0;
}
