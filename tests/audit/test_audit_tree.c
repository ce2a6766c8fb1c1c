/* The checker's hierarchical distance against moving earth by hand: level by level, the nearest
 * first, which is best where distances come from a tree. */
#include "support/audit_support.h"

#include "base/buffer.h"
#include "base/rng.h"

enum { N_LEAVES = 6, HEIGHT = 3 };
static const char *const tree[N_LEAVES][HEIGHT] = {
    {"flu", "infection", "lung"},  {"pneumonia", "infection", "lung"},
    {"edema", "vessel", "lung"},   {"gastritis", "stomach", "belly"},
    {"ulcer", "stomach", "belly"}, {"colitis", "colon", "belly"},
};

static pv_hierarchy *build_tree(void)
{
    char *paths[N_LEAVES][HEIGHT + 1] = {{NULL}};
    char **rows[N_LEAVES];
    char words[N_LEAVES][HEIGHT][16];
    for (size_t i = 0; i < N_LEAVES; i++) {
        for (size_t j = 0; j < HEIGHT; j++) {
            (void)snprintf(words[i][j], sizeof words[i][j], "%s", tree[i][j]);
            paths[i][j] = words[i][j];
        }
        rows[i] = paths[i];
    }
    const pv_hierarchy_spec spec = {.kind = PV_HIERARCHY_ROWS, .rows = rows, .n_rows = N_LEAVES};
    pv_hierarchy *hierarchy = NULL;
    assert_int_equal(pv_hierarchy_build_standalone(&spec, &hierarchy, NULL), PV_STATUS_OK);
    return hierarchy;
}

static size_t meeting_level(size_t a, size_t b)
{
    for (size_t level = 0; level < HEIGHT; level++) {
        if (strcmp(tree[a][level], tree[b][level]) == 0) {
            return level;
        }
    }
    return HEIGHT;
}

static double move_earth(const double *from, const double *to)
{
    double supply[N_LEAVES];
    double demand[N_LEAVES];
    double work = 0;
    memcpy(supply, from, sizeof supply);
    memcpy(demand, to, sizeof demand);
    for (size_t level = 0; level <= HEIGHT; level++) {
        for (size_t i = 0; i < N_LEAVES; i++) {
            for (size_t j = 0; j < N_LEAVES; j++) {
                const double moved = meeting_level(i, j) == level ? fmin(supply[i], demand[j]) : 0;
                supply[i] -= moved;
                demand[j] -= moved;
                work += moved * (double)level / HEIGHT;
            }
        }
    }
    return work;
}

static void moves_earth_up_the_tree(void **state)
{
    (void)state;
    static const char *const quasi[] = {"class", NULL};
    static const char *const sensitive[] = {"disease", NULL};
    static const pv_distance distances[] = {PV_DISTANCE_HIERARCHICAL};
    pv_hierarchy *const hierarchy = build_tree();
    const pv_hierarchy *const hierarchies[] = {hierarchy};
    const pv_audit_options options = {.quasi = quasi,
                                      .sensitive = sensitive,
                                      .distances = distances,
                                      .sensitive_hierarchies = hierarchies};
    pv_rng rng;
    pv_i_rng_init(&rng, 7);
    for (size_t round = 0; round < 100; round++) {
        const size_t rows = 1 + pv_i_rng_below(&rng, 20);
        double all[N_LEAVES] = {0};
        double classes[3][N_LEAVES] = {{0}};
        double sizes[3] = {0};
        pv_buffer text = {0};
        pv_i_buffer_text(&text, "class,disease\n");
        for (size_t i = 0; i < rows; i++) {
            const size_t c = pv_i_rng_below(&rng, 3);
            const size_t leaf = pv_i_rng_below(&rng, N_LEAVES);
            pv_i_buffer_format(&text, "%zu,%s\n", c, tree[leaf][0]);
            classes[c][leaf] += 1;
            sizes[c] += 1;
            all[leaf] += 1 / (double)rows;
        }
        double farthest = 0;
        for (size_t c = 0; c < 3; c++) {
            for (size_t leaf = 0; leaf < N_LEAVES && sizes[c] > 0; leaf++) {
                classes[c][leaf] /= sizes[c];
            }
            farthest = sizes[c] > 0 ? fmax(farthest, move_earth(classes[c], all)) : farthest;
        }
        pv_audit *const audit = audit_text(text.data, &options);
        assert_near(audit_value(audit, "t-closeness"), farthest);
        pv_audit_free(audit);
        pv_i_buffer_deinit(&text);
    }
    pv_hierarchy_free(hierarchy);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(moves_earth_up_the_tree),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
