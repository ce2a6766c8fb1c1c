/* Random ragged trees against a naive oracle that groups values by comparing label strings. */
#include "support/hierarchy_support.h"

#include "base/buffer.h"
#include "base/rng.h"
#include "hierarchy/hierarchy_spec.h"
#include "hierarchy/tree.h"

#include <stdlib.h>

#define MOST_VALUES 24
#define MOST_LEVELS 5
#define LABEL_SIZE 32

/* A value with its labels at every level up to `*`. */
typedef struct oracle_value {
    char labels[MOST_LEVELS + 2][LABEL_SIZE]; /* labels[0] = the value itself */
    bool occurs;
} oracle_value;

typedef struct oracle {
    oracle_value values[MOST_VALUES + 1]; /* the last may be the missing value */
    size_t n;
    unsigned height;
} oracle;

/* From level `shared` up the value follows `model`, from `shift` levels higher there: the same
 * labels stand lower. Below it goes its own way, which starts at level `depth` at the latest:
 * nothing stands below `*` but what starts a branch of its own. */
static void grow_path(oracle_value *value, const oracle_value *model, unsigned shared,
                      unsigned shift, unsigned depth, unsigned *serial)
{
    (void)snprintf(value->labels[MOST_LEVELS + 1], LABEL_SIZE, "*");
    for (unsigned level = MOST_LEVELS; level >= 1; level--) {
        const bool below_root = strcmp(value->labels[level + 1], "*") == 0;
        if (model != NULL && level >= shared) {
            const unsigned from = level + shift <= MOST_LEVELS ? level + shift : MOST_LEVELS + 1;
            memcpy(value->labels[level], model->labels[from], LABEL_SIZE);
        } else if (below_root && level > depth) {
            (void)snprintf(value->labels[level], LABEL_SIZE, "*");
        } else {
            (void)snprintf(value->labels[level], LABEL_SIZE, "g%u", (*serial)++);
        }
    }
}

static unsigned height_of(const oracle *o)
{
    unsigned height = 1;
    for (size_t i = 0; i < o->n; i++) {
        for (unsigned level = 1; level <= MOST_LEVELS; level++) {
            if (strcmp(o->values[i].labels[level], "*") != 0 && level + 1 > height) {
                height = level + 1;
            }
        }
    }
    return height;
}

/* A random ragged tree: every value follows an earlier one from some level up. */
static void grow(oracle *o, pv_rng *rng)
{
    unsigned serial = 0;
    const unsigned most = (unsigned)pv_i_rng_below(rng, MOST_LEVELS + 1);
    o->n = 1 + (size_t)pv_i_rng_below(rng, MOST_VALUES);
    for (size_t i = 0; i < o->n; i++) {
        oracle_value *const value = &o->values[i];
        const unsigned depth = (unsigned)pv_i_rng_below(rng, most + 1);
        const oracle_value *const model = i > 0 ? &o->values[pv_i_rng_below(rng, i)] : NULL;
        const unsigned shift = (unsigned)pv_i_rng_below(rng, 2) * (unsigned)pv_i_rng_below(rng, 3);
        grow_path(value, model, 1 + (unsigned)pv_i_rng_below(rng, MOST_LEVELS + 1), shift, depth,
                  &serial);
        (void)snprintf(value->labels[0], LABEL_SIZE, "v%zu", i);
        value->occurs = i == 0 || pv_i_rng_below(rng, 4) > 0;
    }
    o->height = height_of(o);
}

static void shuffle(oracle *o, pv_rng *rng)
{
    for (size_t i = o->n; i > 1; i--) {
        const size_t j = (size_t)pv_i_rng_below(rng, i);
        const oracle_value kept = o->values[i - 1];
        o->values[i - 1] = o->values[j];
        o->values[j] = kept;
    }
}

/* The file form, randomly with or without the final `*`s. */
static void write_rows(const oracle *o, pv_rng *rng, pv_buffer *text)
{
    for (size_t i = 0; i < o->n; i++) {
        pv_i_buffer_text(text, o->values[i].labels[0]);
        for (unsigned level = 1; level <= MOST_LEVELS + 1; level++) {
            const bool ends = strcmp(o->values[i].labels[level], "*") == 0;
            if (ends && pv_i_rng_below(rng, 3) == 0) {
                break;
            }
            pv_i_buffer_format(text, ";%s", o->values[i].labels[level]);
        }
        pv_i_buffer_char(text, '\n');
    }
}

static void write_data(const oracle *o, bool with_missing, pv_buffer *text)
{
    pv_i_buffer_text(text, "x\n");
    for (size_t i = 0; i < o->n; i++) {
        if (o->values[i].occurs) {
            pv_i_buffer_format(text, "%s\n", o->values[i].labels[0]);
        }
    }
    pv_i_buffer_text(text, with_missing ? "?\n" : "");
}

static void add_missing(oracle *o)
{
    oracle_value *const value = &o->values[o->n++];
    value->occurs = true;
    for (unsigned level = 0; level <= MOST_LEVELS + 1; level++) {
        (void)snprintf(value->labels[level], LABEL_SIZE, "%s", level < o->height ? "?" : "*");
    }
}

/* A label is one node of the tree, on whatever levels it stands. */
static bool lies_under(const oracle_value *value, const char *label)
{
    bool found = strcmp(label, "*") == 0;
    for (unsigned level = 0; !found && level <= MOST_LEVELS; level++) {
        found = strcmp(value->labels[level], label) == 0;
    }
    return found;
}

static uint64_t naive_leaves(const oracle *o, const char *label, bool all)
{
    uint64_t leaves = 0;
    for (size_t i = 0; i < o->n; i++) {
        leaves += (all || o->values[i].occurs) && lies_under(&o->values[i], label);
    }
    return leaves;
}

static uint32_t find_code(const pv_table *table, const char *value)
{
    uint32_t code = 0;
    while (strcmp(pv_table_value(table, 0, code), value) != 0) {
        code++;
    }
    return code;
}

static void compare(const oracle *o, const pv_hierarchy *h, const pv_table *table, bool all)
{
    assert_int_equal(pv_hierarchy_height(h), o->height);
    assert_int_equal(pv_hierarchy_leaves(h), pv_table_values(table, 0));
    assert_int_equal(pv_hierarchy_domain(h), naive_leaves(o, "*", all));
    for (size_t i = 0; i < o->n; i++) {
        if (!o->values[i].occurs) {
            continue;
        }
        const uint32_t leaf = pv_hierarchy_leaf(h, find_code(table, o->values[i].labels[0]));
        for (unsigned level = 0; level <= o->height; level++) {
            const char *const label = o->values[i].labels[level];
            const uint32_t group = pv_hierarchy_group(h, level, leaf);
            assert_string_equal(pv_hierarchy_label(h, level, group), label);
            assert_int_equal(pv_hierarchy_group_leaves(h, level, group),
                             naive_leaves(o, label, all));
        }
    }
}

/* In the walk the leaves of every node are neighbours, and no others are among them. */
static void check_walk(const oracle *o, const pv_hierarchy *h, const pv_table *table)
{
    bool is_level_wise = true;
    for (uint32_t node = 0; node < h->n_nodes; node++) {
        const pv_hierarchy_node *const at = &h->nodes[node];
        assert_int_equal(at->end - at->first, naive_leaves(o, at->label, false));
        for (uint32_t place = 0; place < h->n_leaves; place++) {
            const char *const text = pv_table_value(table, 0, h->code_of[h->depth_first[place]]);
            size_t i = 0;
            while (strcmp(o->values[i].labels[0], text) != 0) {
                i++;
            }
            assert_int_equal(h->place_of[h->depth_first[place]], place);
            assert_int_equal(place >= at->first && place < at->end,
                             lies_under(&o->values[i], at->label));
        }
    }
    for (unsigned level = 1; level <= o->height; level++) {
        for (uint32_t g = 0; g < pv_hierarchy_groups(h, level); g++) {
            uint64_t n = 0;
            for (uint32_t leaf = 0; leaf < h->n_leaves; leaf++) {
                n += pv_hierarchy_group(h, level, leaf) == g;
            }
            is_level_wise &= pv_hierarchy_is_root(h, level, g) ||
                             n == naive_leaves(o, pv_hierarchy_label(h, level, g), false);
        }
    }
    assert_int_equal(h->is_level_wise, is_level_wise);
    for (uint32_t place = 0; is_level_wise && place < h->n_leaves; place++) {
        assert_int_equal(h->depth_first[place], place);
    }
}

/* Children appear in the order of the file: so do the leaves of any one group of level 1. */
static void check_order_of_appearance(const oracle *o, const pv_hierarchy *h, const pv_table *table)
{
    for (size_t i = 0; i < o->n; i++) {
        for (size_t j = i + 1; j < o->n; j++) {
            if (o->values[i].occurs && o->values[j].occurs &&
                strcmp(o->values[i].labels[1], o->values[j].labels[1]) == 0) {
                const uint32_t a = pv_hierarchy_leaf(h, find_code(table, o->values[i].labels[0]));
                const uint32_t b = pv_hierarchy_leaf(h, find_code(table, o->values[j].labels[0]));
                assert_true(a < b);
            }
        }
    }
}

/* What is written must read back as the same tree. */
static void check_round_trip(const pv_hierarchy *h)
{
    char *text = NULL, *again = NULL, *drawing = NULL;
    pv_hierarchy_spec spec = {0};
    pv_hierarchy *copy = NULL;
    assert_int_equal(pv_hierarchy_text(h, &text, NULL), PV_STATUS_OK);
    assert_int_equal(pv_i_hierarchy_spec_parse("h", text, strlen(text), &spec, NULL), PV_STATUS_OK);
    assert_int_equal(pv_hierarchy_build_standalone(&spec, &copy, NULL), PV_STATUS_OK);
    if (pv_hierarchy_height(h) == pv_hierarchy_height(copy)) { /* deep values may not occur */
        assert_int_equal(pv_hierarchy_text(copy, &again, NULL), PV_STATUS_OK);
        assert_string_equal(text, again);
    }
    assert_int_equal(pv_hierarchy_tree(h, 0, &drawing, NULL), PV_STATUS_OK);
    pv_string_free(text);
    pv_string_free(again);
    pv_string_free(drawing);
    pv_hierarchy_free(copy);
    pv_hierarchy_spec_free(&spec);
}

static void try_one(pv_rng *rng)
{
    static oracle o;
    pv_buffer rows = {0}, data = {0};
    pv_hierarchy_spec spec = {0};
    grow(&o, rng);
    shuffle(&o, rng);
    write_rows(&o, rng, &rows);
    const bool with_missing = pv_i_rng_below(rng, 2) == 0;
    write_data(&o, with_missing, &data);
    if (with_missing) {
        add_missing(&o);
    }
    pv_error error = {0};
    if (pv_i_hierarchy_spec_parse("h", rows.data, rows.size, &spec, &error) != PV_STATUS_OK) {
        fail_msg("%s\n%s", error.message, rows.data);
    }
    spec.count_all_leaves = pv_i_rng_below(rng, 2) == 0;
    pv_table *const table = hierarchy_table(data.data);
    pv_hierarchy *const h = hierarchy_of(&spec, table, 0); /* which checks the invariants */
    compare(&o, h, table, spec.count_all_leaves);
    check_walk(&o, h, table);
    check_order_of_appearance(&o, h, table);
    check_round_trip(h);
    pv_hierarchy_free(h);
    pv_table_free(table);
    pv_hierarchy_spec_free(&spec);
    pv_i_buffer_deinit(&rows);
    pv_i_buffer_deinit(&data);
}

static void test_random_trees(void **state)
{
    (void)state;
    pv_rng rng;
    pv_i_rng_init(&rng, 7);
    for (int i = 0; i < 600; i++) {
        try_one(&rng);
    }
}

/* A label moved under another parent must be found out, wherever it is. */
static void test_random_damage(void **state)
{
    (void)state;
    pv_rng rng;
    pv_i_rng_init(&rng, 8);
    int damaged = 0;
    for (int i = 0; i < 400; i++) {
        static oracle o;
        pv_buffer rows = {0};
        pv_hierarchy_spec spec = {0};
        grow(&o, &rng);
        const size_t victim = (size_t)pv_i_rng_below(&rng, o.n);
        const unsigned level = 2 + (unsigned)pv_i_rng_below(&rng, MOST_LEVELS - 1);
        bool shared = false;
        for (size_t other = 0; other < o.n; other++) {
            shared |=
                other != victim && strcmp(o.values[victim].labels[level - 1], "*") != 0 &&
                strcmp(o.values[other].labels[level - 1], o.values[victim].labels[level - 1]) == 0;
        }
        if (shared) {
            (void)snprintf(o.values[victim].labels[level], LABEL_SIZE, "elsewhere");
            write_rows(&o, &rng, &rows);
            assert_int_equal(pv_i_hierarchy_spec_parse("h", rows.data, rows.size, &spec, NULL),
                             PV_STATUS_INPUT);
            damaged++;
        }
        pv_i_buffer_deinit(&rows);
    }
    assert_true(damaged > 20);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_random_trees),
        cmocka_unit_test(test_random_damage),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
