/* What people get, against what is counted in the released file. */
#include "web/stage.h"

#include <math.h>

/* ----------------------------------------------------------------------- sizes */

static void expect_sizes(const naive *n, const json_t *found)
{
    const json_t *const sizes = member(found, "sizes");
    assert_int_equal(json_array_size(sizes), 8);
    for (size_t i = 0; i < json_array_size(sizes); i++) {
        const json_t *const bin = json_array_get(sizes, i);
        const size_t from = count_at(bin, "from");
        const size_t to = json_is_null(member(bin, "to")) ? SIZE_MAX : count_at(bin, "to");
        size_t rows = 0;
        size_t classes = 0;
        for (size_t row = 0; row < n->n_rows; row++) {
            const bool within = !n->suppressed[row] && n->size[row] >= from && n->size[row] <= to;
            rows += within;
            classes += within && n->alike[row] == row;
        }
        assert_int_equal(count_at(bin, "rows"), rows);
        assert_int_equal(count_at(bin, "classes"), classes);
    }
}

static void expect_risk(const naive *n, const json_t *found)
{
    const json_t *const risk = member(found, "risk");
    const json_t *const above = member(risk, "above");
    double max = 0;
    double sum = 0;
    for (size_t row = 0; row < n->n_rows; row++) {
        if (!n->suppressed[row]) {
            max = fmax(max, 1 / (double)n->size[row]);
            sum += 1 / (double)n->size[row];
        }
    }
    expect_near(number_at(risk, "max"), max);
    expect_near(number_at(risk, "mean"), sum / (double)(n->n_rows - n->n_suppressed));
    assert_true(json_array_size(above) > 0);
    for (size_t i = 0; i < json_array_size(above); i++) {
        const double threshold = json_number_value(json_array_get(json_array_get(above, i), 0));
        json_int_t rows = 0;
        for (size_t row = 0; row < n->n_rows; row++) {
            rows += !n->suppressed[row] && 1 / (double)n->size[row] > threshold;
        }
        assert_int_equal(json_integer_value(json_array_get(json_array_get(above, i), 1)), rows);
    }
}

/* ----------------------------------------------------------------------- worst */

static const char *plain(const char *cell)
{
    return strcmp(cell, "NA") == 0 || strcmp(cell, "?") == 0 ? "" : cell;
}

/* The first row of the class with these cells. */
static size_t row_of(const naive *n, const json_t *cells)
{
    for (size_t row = 0; row < n->n_rows; row++) {
        bool same = !n->suppressed[row];
        for (size_t q = 0; q < n->n_quasi; q++) {
            same = same && strcmp(naive_cell(n, row, q),
                                  plain(json_string_value(json_array_get(cells, q)))) == 0;
        }
        if (same) {
            return row;
        }
    }
    return SIZE_MAX;
}

/* As l-distinct counts: what is missing is no value. */
static size_t distinct_in_class(const naive *n, const random_study *random, size_t first,
                                size_t sensitive)
{
    const char **const cells = random->table.sensitive[sensitive].cells;
    size_t distinct = 0;
    for (size_t row = first; row < n->n_rows; row++) {
        bool is_new = n->alike[row] == first && cells[row][0] != '\0';
        for (size_t other = first; other < row; other++) {
            is_new = is_new && (n->alike[other] != first || strcmp(cells[row], cells[other]) != 0);
        }
        distinct += is_new;
    }
    return distinct;
}

static void expect_worst(const naive *n, const random_study *random, const json_t *found)
{
    const json_t *const worst = member(found, "worst");
    const size_t classes = naive_classes(n);
    size_t last = 0;
    assert_int_equal(json_array_size(worst), classes < 20 ? classes : 20);
    for (size_t i = 0; i < json_array_size(worst); i++) {
        const json_t *const class = json_array_get(worst, i);
        const size_t row = row_of(n, member(class, "cells"));
        assert_true(row != SIZE_MAX);
        assert_int_equal(count_at(class, "size"), n->size[row]);
        assert_true(count_at(class, "size") >= last);
        last = count_at(class, "size");
        assert_int_equal(json_object_size(member(class, "sensitive")), random->table.n_sensitive);
        for (size_t s = 0; s < random->table.n_sensitive; s++) {
            char name[24];
            (void)snprintf(name, sizeof name, "s%zu", s);
            assert_int_equal(count_at(member(class, "sensitive"), name),
                             distinct_in_class(n, random, row, s));
        }
    }
    for (size_t row = 0; row < n->n_rows && classes > 20;
         row++) { /* nobody who is not listed is worse off */
        size_t smaller = 0;
        for (size_t other = 0; other < n->n_rows; other++) {
            smaller +=
                n->alike[other] == other && !n->suppressed[other] && n->size[other] < n->size[row];
        }
        assert_true(n->suppressed[row] || n->size[row] <= last || smaller >= 20);
    }
}

/* -------------------------------------------------------------------------- by */

typedef struct {
    size_t rows, suppressed, smallest, at_smallest;
    double sizes, risks;
} counted;

static counted count_group(const naive *n, const char **cells, const char *value)
{
    counted c = {.smallest = SIZE_MAX};
    for (size_t row = 0; row < n->n_rows; row++) {
        if (strcmp(cells[row], value) == 0) {
            c.rows++;
            c.suppressed += n->suppressed[row];
            if (!n->suppressed[row]) {
                c.sizes += (double)n->size[row];
                c.risks += 1 / (double)n->size[row];
                c.smallest = n->size[row] < c.smallest ? n->size[row] : c.smallest;
            }
        }
    }
    for (size_t row = 0; row < n->n_rows; row++) {
        c.at_smallest +=
            strcmp(cells[row], value) == 0 && !n->suppressed[row] && n->size[row] == c.smallest;
    }
    return c;
}

static void expect_by(const naive *n, const char **cells, const json_t *by, double glm)
{
    const json_t *const groups = member(by, "groups");
    size_t rows = 0;
    size_t last = SIZE_MAX;
    double lost = 0;
    for (size_t i = 0; i < json_array_size(groups); i++) {
        const json_t *const group = json_array_get(groups, i);
        const char *const value = text_at(group, "value");
        const counted c = count_group(n, cells, strcmp(value, "(missing)") == 0 ? "" : value);
        assert_int_equal(count_at(group, "rows"), c.rows);
        assert_true(c.rows > 0 && c.rows <= last);
        last = c.rows;
        assert_int_equal(count_at(group, "suppressed"), c.suppressed);
        assert_int_equal(count_at(group, "at_smallest"), c.at_smallest);
        if (c.smallest == SIZE_MAX) {
            assert_true(json_is_null(member(group, "smallest")));
            assert_true(json_is_null(member(group, "mean_size")));
        } else {
            const double remaining = (double)(c.rows - c.suppressed);
            assert_int_equal(count_at(group, "smallest"), c.smallest);
            expect_near(number_at(group, "mean_size"), c.sizes / remaining);
            expect_near(number_at(group, "mean_risk"), c.risks / remaining);
        }
        lost += number_at(group, "lost") * (double)c.rows;
        rows += c.rows;
    }
    assert_int_equal(count_at(by, "others"), 0);
    assert_int_equal(rows, n->n_rows);
    expect_near(lost * (double)n->n_quasi, glm);
}

/* -------------------------------------------------------------- random tables */

static void expect_people(const stage *s, const naive *n, random_study *random, const json_t *spec)
{
    const oracle_table *const t = &random->table;
    char name[24];
    const size_t i = random_below(random, t->n_quasi + t->n_sensitive);
    const bool is_quasi = i < t->n_quasi;
    const char **const cells = is_quasi ? t->quasi[i].cells : t->sensitive[i - t->n_quasi].cells;
    (void)snprintf(name, sizeof name, "%c%zu", is_quasi ? 'q' : 's', is_quasi ? i : i - t->n_quasi);
    json_t *const found = stage_must(s, web_people, json_pack("{sOss}", "spec", spec, "by", name));
    json_t *const candidate = stage_must(s, web_candidate_job, json_pack("{sO}", "spec", spec));
    assert_int_equal(count_at(found, "rows"), n->n_rows);
    assert_int_equal(count_at(found, "suppressed"), n->n_suppressed);
    assert_int_equal(count_at(found, "k"), naive_k(n));
    assert_int_equal(count_at(found, "classes"), naive_classes(n));
    expect_sizes(n, found);
    expect_risk(n, found);
    expect_worst(n, random, found);
    assert_string_equal(text_at(member(found, "by"), "column"), name);
    expect_by(n, cells, member(found, "by"), number_at(member(candidate, "measures"), "glm"));
    json_decref(candidate);
    json_decref(found);
}

static void people_are_counted_as_released(void **state)
{
    size_t tried[STAGE_KINDS] = {0};
    size_t suppressed = 0;
    pv_rng rng;
    (void)state;
    pv_i_rng_init(&rng, 2718);
    for (size_t i = 0; i < effort(80); i++) {
        random_shape shape = records_shape(&rng);
        random_study random;
        shape.copies = 2;
        shape.n_rows += random_below(&(random_study){.rng = &rng}, 40);
        random_study_init(&random, &rng, &shape);
        stage s = stage_random(&random);
        for (int kind = 0; kind < STAGE_KINDS; kind++) {
            json_t *const spec =
                stage_spec(&s, &random, kind, random_one_in(&random, 3) ? "k=1" : "k=2");
            naive n;
            if (spec != NULL && naive_release(&n, &s, spec)) {
                expect_people(&s, &n, &random, spec);
                tried[kind]++;
                suppressed += n.n_suppressed > 0;
                naive_free(&n);
            }
            json_decref(spec);
        }
        stage_close(&s);
        random_study_deinit(&random);
    }
    assert_true((tried[STAGE_LEVELS] > 3 && tried[STAGE_CUTS] > 3 && tried[STAGE_LOCAL] > 3) ||
                !effort_is_whole());
    assert_true(suppressed > 3 || !effort_is_whole());
}

/* ----------------------------------------------------------------------- cases */

static json_t *ask(const char *by)
{
    return json_pack("{s{sss[i]}ss?}", "spec", "scheme", "levels", "levels", 0, "by", by);
}

static void many_groups_and_none(void **state)
{
    (void)state;
    pv_buffer csv = {0};
    pv_i_buffer_text(&csv, "age,note\n");
    for (int i = 0; i < 120; i++) {
        pv_i_buffer_format(&csv, "%d,n%d\n", i % 3, i < 60 ? 0 : i);
    }
    stage s = stage_open("attributes:\n  age: {role: quasi}\n  note: {role: other}\n", csv.data);
    json_t *found = stage_must(&s, web_people, ask("note"));
    assert_int_equal(json_array_size(member(member(found, "by"), "groups")), 50);
    assert_int_equal(count_at(member(found, "by"), "others"), 11);
    assert_int_equal(count_at(json_array_get(member(member(found, "by"), "groups"), 0), "rows"),
                     60);
    json_decref(found);
    found = stage_must(&s, web_people, ask(NULL));
    assert_true(json_is_null(member(found, "by")));
    json_decref(found);
    stage_refused(&s, web_people, ask("nothing"), PV_STATUS_ARGUMENT, "no column");
    stage_close(&s);
    pv_i_buffer_deinit(&csv);
}

static void nobody_is_divided_by_identifiers(void **state)
{
    (void)state;
    stage s = stage_open("attributes:\n  age: {role: quasi}\n  name: {role: identifier}\n",
                         "age,name\n1,ann\n1,bea\n");
    stage_refused(&s, web_people, ask("name"), PV_STATUS_ARGUMENT, "identifies people");
    stage_close(&s);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(people_are_counted_as_released),
        cmocka_unit_test(many_groups_and_none),
        cmocka_unit_test(nobody_is_divided_by_identifiers),
    };
    return cmocka_run_group_tests_name("people", tests, NULL, NULL);
}
