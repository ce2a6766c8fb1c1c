/* The paper's ten people and its three generalizations of them. */
#include "cmp_report.h"

#include <string.h>

/* Marital status is generalized, and its real value is what somebody wants to know. */
static const char table_text[] = "zip,age,marital,status\n"
                                 "13053,28,CF-Spouse,CF-Spouse\n"
                                 "13268,41,Separated,Separated\n"
                                 "13268,39,Never Married,Never Married\n"
                                 "13053,26,CF-Spouse,CF-Spouse\n"
                                 "13253,50,Divorced,Divorced\n"
                                 "13253,55,Spouse Absent,Spouse Absent\n"
                                 "13250,49,Divorced,Divorced\n"
                                 "13052,31,Spouse Present,Spouse Present\n"
                                 "13269,42,Separated,Separated\n"
                                 "13250,47,Separated,Separated\n";
/* The ages of the last table do not nest with those of the others. */
typedef struct {
    const char *ages;
    uint8_t zip, age, marital; /* levels */
} generalization;

static const generalization generalizations[TABLES] = {
    [T3A] = {"intervals: [10, 20], origin: 15, closed: right", 1, 1, 1},
    [T3B] = {"intervals: [10, 20], origin: 15, closed: right", 2, 2, 1},
    [T4] = {"intervals: [20], closed: right", 3, 1, 2},
};

const char *const cmp_tables[TABLES] = {"T3a", "T3b", "T4"};
const char *const cmp_properties[PROPERTIES] = {"class-size", "own-count", "leaf-utility", "glm"};

/* ----------------------------------------------------------------- printed */

static const double sizes_3a[TUPLES] = {3, 3, 3, 3, 4, 4, 4, 3, 3, 4};
static const double sizes_3b[TUPLES] = {3, 7, 7, 3, 7, 7, 7, 3, 7, 7};
static const double own_3a[TUPLES] = {2, 2, 1, 2, 2, 1, 2, 1, 2, 1};
static const double utilities_3a[TUPLES] = {2.03, 1.7, 1.7, 2.03, 1.6, 1.6, 1.6, 2.03, 1.7, 1.6};
static const double utilities_3b[TUPLES] = {2.03, .97, .97, 2.03, .97, .97, .97, 2.03, .97, .97};

const double *cmp_printed(size_t table, size_t property)
{
    static const double *const printed[TABLES][PROPERTIES] = {
        [T3A] = {sizes_3a, own_3a, utilities_3a}, [T3B] = {sizes_3b, NULL, utilities_3b}};
    return printed[table][property];
}

/* -------------------------------------------------------------------- ours */

static void write_plan(pv_buffer *plan, const char *ages)
{
    pv_i_buffer_format(
        plan,
        "attributes:\n"
        "  zip: {role: quasi, type: text, hierarchy: {mask: right}}\n"
        "  age: {role: quasi, hierarchy: {%s}}\n"
        "  marital: {role: quasi, hierarchy: {rows: [[CF-Spouse, Married],\n"
        "    [Spouse Present, Married], [Separated, Not Married], [Never Married, Not Married],\n"
        "    [Divorced, Not Married], [Spouse Absent, Not Married]]}}\n"
        "  status: {role: sensitive}\n",
        ages);
}

static opened open_table(const char *ages)
{
    const pv_read_options reading = {
        .delimiter = ',', .header = PV_CHOICE_YES, .quoting = PV_CHOICE_NO};
    opened o = {0};
    pv_buffer plan = {0};
    pv_table *table = NULL;
    pv_error error = {0};
    write_plan(&plan, ages);
    require(!plan.failed &&
                pv_plan_parse("table", plan.data, plan.size, &o.plan, &error) == PV_STATUS_OK &&
                pv_table_read_memory("table", table_text, strlen(table_text), &reading, NULL,
                                     &table, &error) == PV_STATUS_OK &&
                pv_study_bind(o.plan, table, &o.study, &error) == PV_STATUS_OK &&
                pv_profile_create(o.study, NULL, &o.profile, &error) == PV_STATUS_OK,
            error.message);
    pv_i_buffer_deinit(&plan);
    return o;
}

static void measure(tables *t, size_t i)
{
    const generalization *const g = &generalizations[i];
    const uint8_t levels[] = {g->zip, g->age, g->marital};
    const pv_suppression none = {0};
    opened o = open_table(g->ages);
    pv_classes *classes = NULL;
    pv_error error = {0};
    if (t->comparison == NULL) {
        require(pv_comparison_begin(o.study, cmp_properties, PROPERTIES, &t->comparison, &error) ==
                    PV_STATUS_OK,
                error.message);
    }
    require(pv_classes_create(o.profile, levels, &none, &classes, &error) == PV_STATUS_OK &&
                pv_comparison_add(t->comparison, classes, cmp_tables[i], NULL, &error) ==
                    PV_STATUS_OK,
            error.message);
    t->k[i] = pv_classes_k(classes);
    pv_classes_free(classes);
    report_close(&o);
}

static void take_vectors(tables *t)
{
    require(pv_comparison_n_rows(t->comparison) == TUPLES, "ten tuples");
    for (size_t i = 0; i < TABLES; i++) {
        for (size_t property = 0; property < PROPERTIES; property++) {
            for (uint64_t row = 0; row < TUPLES; row++) {
                t->vectors[i][property][row] = pv_comparison_value(t->comparison, i, property, row);
            }
        }
    }
}

void cmp_open(tables *t)
{
    *t = (tables){0};
    for (size_t i = 0; i < TABLES; i++) {
        measure(t, i);
    }
    take_vectors(t);
}

void cmp_close(tables *t)
{
    pv_comparison_free(t->comparison);
}

const double *cmp_vector(const tables *t, size_t table, size_t property)
{
    return t->vectors[table][property];
}

pv_duel cmp_duel(const tables *t, size_t property, size_t first, size_t second)
{
    const pv_comparison *const c = t->comparison;
    double best[TUPLES]; /* there are no more kinds than tuples */
    pv_duel duel;
    pv_comparison_best(c, property, best);
    size_t n = 0;
    const double *const one = pv_comparison_values(c, first, property, &n);
    const double *const other = pv_comparison_values(c, second, property, &n);
    pv_duel_fight(one, other, n, pv_comparison_people(c), best, 0, &duel);
    return duel;
}
