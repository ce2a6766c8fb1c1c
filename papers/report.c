/* What the reports on papers have in common. */
#include "report.h"

#include "base/output.h"
#include "front/archive.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>

void require(bool holds, const char *what)
{
    if (!holds) {
        (void)fprintf(stderr, "%s: %s\n", program_invocation_short_name, what);
        exit(1);
    }
}

/* ----------------------------------------------------------------- tables */

/* A tenth of the demo's people: enough for a front, and every scheme is measured many times. */
enum { CENSUS_ROWS = 3000, CENSUS_SEED = 1 };

pv_plan *report_plan(const char *folder, const char *name)
{
    pv_buffer path = {0};
    pv_plan *plan = NULL;
    pv_error error = {0};
    pv_i_buffer_format(&path, "%s/%s", folder, name);
    require(!path.failed, "out of memory");
    require(pv_plan_read(path.data, &plan, &error) == PV_STATUS_OK, error.message);
    pv_i_buffer_deinit(&path);
    return plan;
}

/* The census has no label; what is sensitive in it can be learnt just as well. */
static void make_label(pv_plan *plan)
{
    for (size_t i = 0; i < plan->n_attributes; i++) {
        if (plan->attributes[i].role == PV_ROLE_SENSITIVE) {
            plan->attributes[i].role = PV_ROLE_LABEL;
            return;
        }
    }
}

static pv_plan *plan_of(const source *from, bool label)
{
    pv_error error = {0};
    if (from->adult) {
        return report_plan(from->folder, label ? "plan-label.yaml" : "plan.yaml");
    }
    require(pv_census_write(from->folder, CENSUS_ROWS, CENSUS_SEED, true, &error) == PV_STATUS_OK,
            error.message);
    pv_plan *const plan = report_plan(from->folder, "plan.yaml");
    if (label) {
        make_label(plan);
    }
    return plan;
}

void report_leave_out(pv_plan *plan, size_t most)
{
    size_t n = 0;
    for (size_t i = 0; i < plan->n_attributes; i++) {
        if (plan->attributes[i].role == PV_ROLE_QUASI && n++ >= most) {
            plan->attributes[i].role = PV_ROLE_OTHER;
        }
    }
}

opened report_open_plan(pv_plan *plan)
{
    opened o = {.plan = plan};
    pv_error error = {0};
    require(pv_study_open(o.plan, NULL, NULL, &o.study, &error) == PV_STATUS_OK &&
                pv_profile_create(o.study, NULL, &o.profile, &error) == PV_STATUS_OK,
            error.message);
    return o;
}

opened report_open(const source *from, bool label, size_t most)
{
    pv_plan *const plan = plan_of(from, label);
    report_leave_out(plan, most);
    return report_open_plan(plan);
}

void report_close(opened *table)
{
    pv_profile_free(table->profile);
    pv_study_free(table->study);
    pv_plan_free(table->plan);
}

/* --------------------------------------------------------------- searches */

const pv_context report_context = {.threads = THREADS};

pv_front *report_search(const opened *table, const pv_search_options *options)
{
    pv_front *front = NULL;
    pv_error error = {0};
    require(pv_search(table->profile, options, &report_context, &front, &error) == PV_STATUS_OK,
            error.message);
    return front;
}

static bool are_equal(const pv_front *front, size_t i, const pv_front *other, size_t j)
{
    for (size_t o = 0; o < front->n_objectives; o++) {
        const double difference =
            pv_i_settled(front->points[i].values[o]) - pv_i_settled(other->points[j].values[o]);
        if (difference < 0 || difference > 0) {
            return false;
        }
    }
    return true;
}

bool report_is_on(const pv_front *front, size_t i, const pv_front *other)
{
    for (size_t j = 0; j < other->n_points; j++) {
        if (are_equal(front, i, other, j)) {
            return true;
        }
    }
    return false;
}

/* ------------------------------------------------------------------ files */

void report_save(const char *folder, const char *name, pv_buffer *text)
{
    pv_buffer path = {0};
    pv_error error = {0};
    pv_i_buffer_format(&path, "%s/%s", folder, name);
    require(!text->failed && !path.failed, "out of memory");
    require(pv_text_write(path.data, text->data, PV_AUDIENCE_PUBLIC, true, &error) == PV_STATUS_OK,
            error.message);
    (void)printf("%s\n", path.data);
    pv_i_buffer_deinit(&path);
    pv_i_buffer_deinit(text);
}
