/* What the paper on property based generalizations reports, made anew: what it claims, the
 * experiments, their pictures and the page about them. */
#ifndef PV_PAPERS_PBG_REPORT_H
#define PV_PAPERS_PBG_REPORT_H

#include "report.h"

enum {
    SEEDS = 20, /* 1, 2, ..., as many runs as the paper's */
    QUESTIONS = 5,
    BOXES = 6,
    LIMITS = 12,
    MOST_OBJECTIVES = 3,
};

/* Over the runs with all seeds. */
typedef struct statistic {
    double mean, variance;
} statistic;

/* ------------------------------------------------------------ the paper's */

/* Objectives that are searched for together, with boxes of side 1. */
typedef struct question {
    const char *name;   /* "k, glm" */
    const char *theirs; /* as the paper writes it */
    const char *objectives[MOST_OBJECTIVES];
    size_t n_objectives;
    bool label;      /* for cm */
    bool has_ratio;  /* are the next two in the paper? */
    statistic error; /* CE */
    statistic ratio; /* RR */
    double evaluated;
    const char *figure; /* the file of its picture */
} question;

/* The same with larger boxes. */
typedef struct box_size {
    size_t question;
    double epsilons[MOST_OBJECTIVES];
    statistic error, ratio;
} box_size;

extern const question pbg_questions[QUESTIONS];
extern const box_size pbg_boxes[BOXES];

typedef struct column {
    const char *name; /* ours */
    unsigned values, height;
} column;

/* The quasi-identifiers, in our order. */
enum { COLUMNS = 8 };
extern const column pbg_columns[COLUMNS];
extern const unsigned pbg_sensitive_values;

/* ------------------------------------------------------------ experiments */

/* A method with all seeds. */
typedef struct trial {
    statistic error;      /* CE: a sum over the members */
    statistic error_each; /* divided by their number */
    statistic ratio;      /* RR */
    double evaluated;     /* means */
    double points;
    size_t fewest_evaluated, most_evaluated, most_points;
    size_t whole;     /* runs that have a point in every box */
    size_t n_stalled; /* runs that ended early, nothing new having appeared */
    size_t n_limited; /* runs that used up the evaluations they were given */
    size_t boxes;     /* on the whole front */
    double bound;     /* of the number of members */
} trial;

/* Means over runs that were stopped earlier and later. */
typedef struct course {
    double evaluated[LIMITS], ratio[LIMITS];
    size_t n;
} course;

typedef struct answer {
    const question *asked;
    const opened *table;
    pv_front *truth;   /* by exhaustive search */
    double *reference; /* its values */
    pv_front *shown;   /* by pbg-ea with the first seed */
    trial plain, hybrid;
    trial patient; /* pbg-ea that ends when nothing new appears, as it does unless told otherwise */
    trial limited; /* the hybrid with as many evaluations as the paper's search took */
    course plain_course, hybrid_course;
} answer;

typedef struct box_answer {
    const box_size *asked;
    const answer *fine;
    trial plain, hybrid, patient;
} box_answer;

void pbg_answer_init(answer *a, const question *asked, const opened *table);
void pbg_answer_deinit(answer *a);
box_answer pbg_box_answer(const box_size *asked, const answer *fine);

/* --------------------------------------------------------------- pictures */

/* The paper's figures 1 to 3: the whole front, and PBG-EA's points over it. */
void pbg_draw_front(pv_buffer *svg, const answer *a);
/* How much of the front is found with how many evaluations. */
void pbg_draw_courses(pv_buffer *svg, const answer *answers);

/* ------------------------------------------------------------------- page */

typedef struct report {
    const opened *table;
    const answer *answers;    /* QUESTIONS */
    const box_answer *coarse; /* BOXES */
} report;

void pbg_write_page(pv_buffer *page, const report *r);
/* Its tables 1(b), 2(a) and 2(b). */
void pbg_write_fronts(pv_buffer *page, const answer *answers);
void pbg_write_boxes(pv_buffer *page, const box_answer *coarse);
void pbg_write_evaluations(pv_buffer *page, const answer *answers);

#endif
