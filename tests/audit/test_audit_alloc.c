/* The checker with the n-th allocation failing, for every n. */
#include "support/audit_support.h"
#include "support/failing_alloc.h"

#include "audit/audit.h"
#include "base/buffer.h"

typedef struct {
    const char *path;
    pv_audit_options options;
    pv_audit_limits limits;
    unsigned threads;
} request;

static pv_status check(void *ctx, pv_error *error)
{
    const request *const r = ctx;
    pv_audit *audit = NULL;
    const pv_context context = {.threads = r->threads};
    const pv_status status =
        pv_i_audit_file(r->path, &r->options, &r->limits, &context, &audit, error);
    pv_audit_free(audit);
    return status;
}

/* Enough rows, values and star patterns that everything has to grow at least once. */
static audit_file make_file(const char *suffix)
{
    pv_buffer text = {0};
    pv_i_buffer_text(&text, "a,b,number,disease,label\n");
    for (size_t i = 0; i < 120; i++) {
        pv_i_buffer_format(&text, "%s%zu,%s, %zu%s,%s,\"+\"\n", i % 3 == 0 ? "*" : "", i % 40,
                           i % 4 == 0 ? "*" : "x", i * 7 % 50, i % 5 == 0 ? ".0" : "",
                           i % 2 == 0 ? "flu" : "gout");
    }
    pv_i_buffer_text(&text, "*,*,,flu,-\n");
    const audit_file file = audit_file_bytes(suffix, text.data, text.size);
    pv_i_buffer_deinit(&text);
    return file;
}

static pv_hierarchy *make_hierarchy(void)
{
    char words[2][2][8] = {{"flu", "lung"}, {"gout", "foot"}};
    char *paths[2][3] = {{words[0][0], words[0][1], NULL}, {words[1][0], words[1][1], NULL}};
    char **rows[2] = {paths[0], paths[1]};
    const pv_hierarchy_spec spec = {.kind = PV_HIERARCHY_ROWS, .rows = rows, .n_rows = 2};
    pv_hierarchy *hierarchy = NULL;
    assert_int_equal(pv_hierarchy_build_standalone(&spec, &hierarchy, NULL), PV_STATUS_OK);
    return hierarchy;
}

static void survives_every_failing_allocation(void **state)
{
    (void)state;
    static const char *const quasi[] = {"a", "b", NULL};
    static const char *const sensitive[] = {"number", "disease", NULL};
    static const pv_distance distances[] = {PV_DISTANCE_AUTO, PV_DISTANCE_HIERARCHICAL};
    static const char *const suffixes[] = {
        ".csv",
#ifdef PV_HAVE_ZLIB
        ".csv.gz",
#endif
#ifdef PV_HAVE_ZSTD
        ".csv.zst",
#endif
    };
    pv_hierarchy *const hierarchy = make_hierarchy();
    const pv_hierarchy *const hierarchies[] = {NULL, hierarchy};
    for (size_t i = 0; i < sizeof suffixes / sizeof *suffixes; i++) {
        const audit_file file = make_file(suffixes[i]);
        request r = {.path = file.path,
                     .options = {.trim = true,
                                 .quasi = quasi,
                                 .sensitive = sensitive,
                                 .label = "label",
                                 .distances = distances,
                                 .sensitive_hierarchies = hierarchies}};
        assert_true(failing_alloc_every(check, &r) > 30);
        r.options.unchanged = true;
        r.limits.block_size = 300;
        r.threads = 3;
        assert_true(failing_alloc_every(check, &r) > 30);
        audit_file_remove(&file);
    }
    pv_hierarchy_free(hierarchy);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(survives_every_failing_allocation),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
