/* The released table beside the original, row by row, against the file that is released. */
#include "web/stage.h"

static const char *plain(const char *cell)
{
    return strcmp(cell, "NA") == 0 || strcmp(cell, "?") == 0 ? "" : cell;
}

static const char *cell_at(const json_t *found, const char *name, size_t row, size_t column)
{
    return json_string_value(json_array_get(json_array_get(member(found, name), row), column));
}

static bool flag_at(const json_t *found, const char *name, size_t row)
{
    return json_is_true(json_array_get(member(found, name), row));
}

/* The columns of the random tables: row, q0, q1, ..., s0, ..., class. */
static void expect_rows(const naive *n, const random_study *random, const json_t *found,
                        size_t from)
{
    const json_t *const columns = member(found, "columns");
    for (size_t i = 0; i < count_at(found, "n"); i++) {
        const size_t row = from + i;
        assert_int_equal(flag_at(found, "suppressed", i), n->suppressed[row]);
        if (!n->suppressed[row]) {
            assert_int_equal(json_integer_value(json_array_get(member(found, "size"), i)),
                             n->size[row]);
        }
        for (size_t c = 0; c < json_array_size(columns); c++) {
            const char *const name = text_at(json_array_get(columns, c), "name");
            const char *const before = cell_at(found, "original", i, c);
            const char *const after = cell_at(found, "released", i, c);
            const json_t *const changed =
                json_array_get(json_array_get(member(found, "changed"), i), c);
            assert_int_equal(json_is_true(changed), strcmp(before, after) != 0);
            if (name[0] == 'q') {
                const size_t q = (size_t)(name[1] - '0');
                assert_string_equal(plain(before), random->table.quasi[q].cells[row]);
                assert_string_equal(plain(after), naive_cell(n, row, q));
            } else {
                assert_string_equal(before, after);
            }
        }
    }
}

static void rows_are_as_released(void **state)
{
    size_t tried[STAGE_KINDS] = {0};
    pv_rng rng;
    (void)state;
    pv_i_rng_init(&rng, 815);
    for (size_t i = 0; i < effort(60); i++) {
        random_shape shape = records_shape(&rng);
        random_study random;
        shape.copies = 2;
        random_study_init(&random, &rng, &shape);
        stage s = stage_random(&random);
        for (int kind = 0; kind < STAGE_KINDS; kind++) {
            json_t *const spec = stage_spec(&s, &random, kind, "k=2");
            const size_t from = random_below(&random, shape.n_rows + 2);
            const size_t wanted = random_below(&random, 30);
            naive n;
            if (spec != NULL && naive_release(&n, &s, spec)) {
                json_t *const found =
                    stage_must(&s, web_rows,
                               json_pack("{sOsIsI}", "spec", spec, "from", (json_int_t)from, "n",
                                         (json_int_t)wanted));
                const size_t first = from < n.n_rows ? from : n.n_rows;
                const size_t left = n.n_rows - first;
                assert_int_equal(count_at(found, "from"), first);
                assert_int_equal(count_at(found, "n"), wanted < left ? wanted : left);
                assert_int_equal(count_at(found, "rows"), n.n_rows);
                assert_int_equal(json_array_size(member(found, "released")), count_at(found, "n"));
                expect_rows(&n, &random, found, first);
                tried[kind]++;
                json_decref(found);
                naive_free(&n);
            }
            json_decref(spec);
        }
        stage_close(&s);
        random_study_deinit(&random);
    }
    assert_true((tried[STAGE_LEVELS] > 3 && tried[STAGE_CUTS] > 3 && tried[STAGE_LOCAL] > 3) ||
                !effort_is_whole());
}

/* Rows in classes of fewer people, and suppressed ones, in the order of the original. */
static void expect_small(const naive *n, const json_t *found, size_t below, size_t from,
                         size_t most)
{
    size_t met = 0;
    size_t shown = 0;
    for (size_t row = 0; row < n->n_rows; row++) {
        if (n->suppressed[row] || n->size[row] < below) {
            if (met >= from && shown < most) {
                assert_int_equal(
                    json_integer_value(json_array_get(member(found, "numbers"), shown)), row);
                assert_int_equal(flag_at(found, "suppressed", shown), n->suppressed[row]);
                shown++;
            }
            met++;
        }
    }
    assert_int_equal(count_at(found, "n"), shown);
    assert_int_equal(count_at(found, "rows"), met);
    assert_int_equal(json_array_size(member(found, "released")), shown);
}

static void rows_of_small_classes(void **state)
{
    pv_rng rng;
    size_t tried = 0;
    (void)state;
    pv_i_rng_init(&rng, 816);
    for (size_t i = 0; i < effort(40); i++) {
        random_shape shape = records_shape(&rng);
        random_study random;
        shape.copies = 2;
        random_study_init(&random, &rng, &shape);
        stage s = stage_random(&random);
        json_t *const spec = stage_spec(&s, &random, STAGE_LEVELS, "k=2");
        const size_t below = 1 + random_below(&random, 8);
        const size_t from = random_below(&random, 12);
        naive n;
        if (spec != NULL && naive_release(&n, &s, spec)) {
            json_t *const found =
                stage_must(&s, web_rows,
                           json_pack("{sOsIsIsI}", "spec", spec, "from", (json_int_t)from, "n",
                                     (json_int_t)9, "below", (json_int_t)below));
            expect_small(&n, found, below, from, 9);
            tried++;
            json_decref(found);
            naive_free(&n);
        }
        json_decref(spec);
        stage_close(&s);
        random_study_deinit(&random);
    }
    assert_true(tried > 3 || !effort_is_whole());
}

/* What a file shows, joined by its row map, beside what is counted in it by comparing texts. */
static void files_are_as_they_are(void **state)
{
    size_t tried = 0;
    pv_rng rng;
    (void)state;
    pv_i_rng_init(&rng, 817);
    for (size_t i = 0; i < effort(40); i++) {
        random_shape shape = records_shape(&rng);
        random_study random;
        shape.copies = 2;
        random_study_init(&random, &rng, &shape);
        stage s = stage_random(&random);
        json_t *const spec = stage_spec(&s, &random, (int)(i % STAGE_KINDS), "k=2");
        const size_t from = random_below(&random, shape.n_rows + 2);
        naive n;
        if (spec != NULL && naive_release(&n, &s, spec)) {
            json_t *const found = stage_must(
                &s, web_rows,
                json_pack("{s{ssssss}sIsI}", "spec", "scheme", "file", "path", "naive.csv",
                          "row_map", "naive.map", "from", (json_int_t)from, "n", (json_int_t)30));
            const size_t first = from < n.n_rows ? from : n.n_rows;
            const size_t left = n.n_rows - first;
            assert_int_equal(count_at(found, "from"), first);
            assert_int_equal(count_at(found, "n"), left < 30 ? left : 30);
            assert_int_equal(count_at(found, "rows"), n.n_rows);
            for (size_t r = 0; r < count_at(found, "n"); r++) {
                assert_false(flag_at(found, "missing", r));
                assert_int_equal(json_integer_value(json_array_get(member(found, "size"), r)),
                                 n.size[first + r]);
            }
            if (n.n_suppressed < n.n_rows) { /* where everyone is, nobody is treated differently */
                expect_rows(&n, &random, found, first);
            }
            tried++;
            json_decref(found);
            naive_free(&n);
        }
        json_decref(spec);
        stage_close(&s);
        random_study_deinit(&random);
    }
    assert_true(tried > 3 || !effort_is_whole());
}

static void put(const char *path, const char *text)
{
    FILE *const file = fopen(path, "w");
    assert_non_null(file);
    assert_true(fputs(text, file) >= 0);
    assert_int_equal(fclose(file), 0);
}

static json_t *of_file(const char *more)
{
    json_t *const params = json_object();
    json_t *const spec = json_loads(more, 0, NULL);
    assert_non_null(spec);
    json_object_set_new(params, "spec", spec);
    return params;
}

static const char plan[] = "attributes:\n  name: {role: identifier}\n  age: {role: quasi}\n"
                           "  ill: {role: sensitive}\n";
static const char people[] = "name,age,ill\nzann,21,flu\nzbea,21,cold\nzcyd,22,flu\nzdan,22,gout\n";

/* Another tool's file: in another order, without a row and a column; the key is a name, which no
 * answer has. */
static void files_of_other_tools(void **state)
{
    (void)state;
    stage s = stage_open(plan, people);
    put("other.csv", "age,name\n22,zdan\n*,zann\n*,zcyd\n");
    json_t *const found =
        stage_must(&s, web_rows,
                   of_file("{\"scheme\": \"file\", \"path\": \"other.csv\", \"key\": \"name\"}"));
    char *const text = json_dumps(found, JSON_COMPACT);
    assert_null(strstr(text, "zann"));
    assert_null(strstr(text, "zdan"));
    assert_int_equal(count_at(found, "n"), 4);
    assert_int_equal(json_array_size(member(found, "columns")), 2);
    assert_string_equal(cell_at(found, "original", 0, 0), "21");
    assert_string_equal(cell_at(found, "released", 0, 0), "*");
    assert_string_equal(cell_at(found, "original", 0, 1), "flu");
    assert_null(cell_at(found, "released", 0, 1)); /* the file does not have the column */
    assert_true(flag_at(found, "suppressed", 0));
    assert_true(flag_at(found, "missing", 1));
    assert_null(cell_at(found, "released", 1, 0));
    assert_string_equal(cell_at(found, "original", 1, 0), "21");
    assert_string_equal(cell_at(found, "released", 3, 0), "22");
    assert_false(flag_at(found, "suppressed", 3));
    assert_int_equal(json_integer_value(json_array_get(member(found, "size"), 2)), 2);
    free(text);
    json_decref(found);
    /* matched by their order */
    put("same.csv", "name,age,ill\nx,21,flu\nx,*,cold\nx,*,flu\nx,22,gout\n");
    json_t *const same =
        stage_must(&s, web_rows, of_file("{\"scheme\": \"file\", \"path\": \"same.csv\"}"));
    assert_string_equal(cell_at(same, "released", 1, 0), "*");
    assert_string_equal(cell_at(same, "released", 3, 1), "gout");
    assert_int_equal(json_integer_value(json_array_get(member(same, "size"), 1)), 2);
    json_decref(same);
    stage_refused(&s, web_rows, of_file("{\"scheme\": \"file\"}"), PV_STATUS_ARGUMENT, "`path`");
    stage_refused(&s, web_rows, of_file("{\"scheme\": \"file\", \"path\": \"../same.csv\"}"),
                  PV_STATUS_ARGUMENT, "");
    stage_refused(&s, web_rows, of_file("{\"scheme\": \"file\", \"path\": \"other.csv\"}"),
                  PV_STATUS_INPUT, "rows");
    json_t *const below = of_file("{\"scheme\": \"file\", \"path\": \"same.csv\"}");
    json_object_set_new(below, "below", json_integer(3));
    stage_refused(&s, web_rows, below, PV_STATUS_ARGUMENT, "candidates");
    stage_close(&s);
}

static json_t *ask(const char *more)
{
    json_t *const params = json_loads(more, 0, NULL);
    assert_non_null(params);
    json_object_set_new(params, "spec", json_pack("{sss[i]}", "scheme", "levels", "levels", 0));
    return params;
}

/* Not even if the plan changed its mind about a column that was read. */
static void identifiers_are_left_out(void **state)
{
    (void)state;
    stage s = stage_open("attributes:\n  name: {role: identifier}\n  age: {role: quasi}\n"
                         "  note: {role: other}\n",
                         "name,age,note\nsecretann,21,x\nsecretbea,22,y\n");
    json_t *const found = stage_must(&s, web_rows, ask("{}"));
    char *const text = json_dumps(found, JSON_COMPACT);
    assert_null(strstr(text, "secret"));
    assert_null(strstr(text, "\"name\":\"name\""));
    assert_int_equal(json_array_size(member(found, "columns")), 2);
    assert_string_equal(text_at(json_array_get(member(found, "columns"), 1), "role"), "other");
    free(text);
    json_decref(found);
    stage_close(&s);
}

static void what_is_refused(void **state)
{
    (void)state;
    stage s = stage_open("attributes:\n  age: {role: quasi}\n", "age\n21\n22\n");
    stage_refused(&s, web_rows, ask("{\"n\": 201}"), PV_STATUS_ARGUMENT, "200");
    stage_refused(&s, web_rows, ask("{\"n\": \"x\"}"), PV_STATUS_ARGUMENT, "`n`");
    stage_refused(&s, web_rows, ask("{\"from\": -1}"), PV_STATUS_ARGUMENT, "`from`");
    stage_refused(&s, web_rows, json_object(), PV_STATUS_ARGUMENT, "spec");
    stage_close(&s);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(rows_are_as_released),     cmocka_unit_test(rows_of_small_classes),
        cmocka_unit_test(files_are_as_they_are),    cmocka_unit_test(files_of_other_tools),
        cmocka_unit_test(identifiers_are_left_out), cmocka_unit_test(what_is_refused),
    };
    return cmocka_run_group_tests_name("rows", tests, NULL, NULL);
}
