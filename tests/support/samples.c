/* Fronts, cuts and certificates made up, and a scanner of markup. */
#include "support/samples.h"

#include "base/buffer.h"
#include "base/rng.h"

#include <ctype.h>
#include <paravent/measure.h>
#include <stdbool.h>
#include <string.h>

static const char front_sample_plan[] = "attributes:\n"
                                        "  a: {role: quasi, hierarchy: {intervals: [2, 4]}}\n"
                                        "  b: {role: quasi}\n"
                                        "  s: {role: sensitive}\n"
                                        "  c: {role: label}\n";

static const char front_sample_table[] = "a,b,s,c\n"
                                         "1,x,u,p\n2,x,v,q\n3,y,u,p\n4,x,w,q\n5,y,u,p\n"
                                         "6,x,v,p\n7,x,u,q\n8,y,w,p\n9,x,u,q\n10,y,v,p\n";

pv_measure_ref front_sample_measure(const char *name)
{
    pv_measure_ref ref;
    pv_error error = {0};
    bound_must(pv_measure_parse(name, &ref, &error), &error);
    return ref;
}

void front_sample_init_on(front_sample *s, const char *plan, const char *table,
                          const char *const *objectives)
{
    *s = (front_sample){.bound = bound_study_create(plan, table)};
    s->profile = bound_profile(s->bound.study, 1);
    s->front = (pv_front){.n_levels = SAMPLE_QUASIS,
                          .points = s->points,
                          .method = "exact",
                          .complete = true,
                          .nodes = 8,
                          .evaluated = 8,
                          .seed = 1};
    for (; *objectives != NULL; objectives++) {
        s->front.objectives[s->front.n_objectives++] = front_sample_measure(*objectives);
    }
}

void front_sample_init(front_sample *s, const char *const *objectives)
{
    front_sample_init_on(s, front_sample_plan, front_sample_table, objectives);
}

void front_sample_add(front_sample *s, const double *values)
{
    const size_t i = s->front.n_points++;
    assert_true(i < SAMPLE_POINTS);
    memcpy(s->values[i], values, s->front.n_objectives * sizeof *values);
    s->levels[i][0] = (uint8_t)(i % 4);
    s->levels[i][1] = (uint8_t)(i % 2);
    s->points[i] = (pv_point){.levels = s->levels[i], .values = s->values[i], .k = 1};
    for (size_t o = 0; o < s->front.n_objectives; o++) {
        if (strcmp(s->front.objectives[o].measure->name, "k") == 0) {
            s->points[i].k = (uint64_t)values[o];
        }
    }
}

void front_sample_deinit(front_sample *s)
{
    pv_profile_free(s->profile);
    bound_study_free(&s->bound);
}

void front_sample_usual(front_sample *s)
{
    static const double values[][2] = {{1, 0}, {2, 3}, {3, 4}, {5, 5}, {6, 11}, {10, 20}};
    front_sample_init(s, (const char *const[]){"k", "glm", NULL});
    for (size_t i = 0; i < sizeof values / sizeof *values; i++) {
        front_sample_add(s, values[i]);
    }
}

void front_sample_many(front_sample *s, size_t n_objectives, size_t n_points)
{
    static const char *const names[] = {"k",    "l-distinct", "t-closeness", "sum-k",
                                        "gini", "dcn",        "risk-mean",   "glm"};
    const char *objectives[PV_MAX_OBJECTIVES + 1] = {NULL};
    memcpy(objectives, names, (n_objectives - 1) * sizeof *objectives);
    objectives[n_objectives - 1] = "glm";
    front_sample_init(s, objectives);
    for (size_t i = 0; i < n_points; i++) {
        const double values[] = {1 + (double)(i * 9) / (double)n_points,
                                 1 + (double)(i * 7 % 3),
                                 (double)(i * 5 % 17) / 17,
                                 10 + (double)(i * 11 % 91),
                                 (double)(i * 3 % 13) / 13,
                                 10 + (double)(i * 17 % 90),
                                 0.1 + (double)(i * 29 % 90) / 100,
                                 20 * (double)i / (double)n_points};
        double row[PV_MAX_OBJECTIVES];
        memcpy(row, values, sizeof row);
        row[n_objectives - 1] = values[PV_MAX_OBJECTIVES - 1];
        front_sample_add(s, row);
    }
}

/* ------------------------------------------------------------ its page and picture */

char *front_sample_page(const front_sample *s)
{
    char *html = NULL;
    pv_error error = {0};
    bound_must(pv_front_page(&s->front, s->profile, &html, &error), &error);
    return html;
}

char *front_sample_svg(const front_sample *s)
{
    char *svg = NULL;
    pv_error error = {0};
    bound_must(pv_front_svg(&s->front, s->profile, &svg, &error), &error);
    return svg;
}

void front_sample_keep(const char *name, const char *text)
{
    const char *const folder = getenv("PV_PAGE_SAMPLES");
    if (folder != NULL) {
        char path[512];
        (void)snprintf(path, sizeof path, "%s/%s", folder, name);
        FILE *const file = fopen(path, "w");
        assert_non_null(file);
        (void)fputs(text, file);
        (void)fclose(file);
    }
}

size_t front_sample_count(const char *text, const char *part)
{
    const size_t length = strlen(part);
    size_t n = 0;
    while ((text = strchr(text, part[0])) != NULL) {
        const bool found = strncmp(text, part, length) == 0;
        text += found ? length : 1;
        n += found;
    }
    return n;
}

/* =================================================================== cuts */

static const char cut_sample_tree[] =
    "{rows: [[ant, insect, animal], [bee, insect, animal], [cow, mammal, animal], "
    "[dog, mammal, animal], [elk, mammal, animal], [fir, tree, plant], [oak, tree, plant], "
    "[rose, flower, plant], ['a, b', other], ['{x}', other]]}";

static const char *const cut_sample_words[] = {"ant", "bee", "cow",  "dog",  "elk",
                                               "fir", "oak", "rose", "a, b", "{x}"};

static const char *cut_sample_granularity(pv_rng *rng)
{
    static const char *const steps[] = {"", ", granularity: 5", ", granularity: 2.5",
                                        ", granularity: 0.1"};
    return steps[pv_i_rng_below(rng, 4)];
}

/* "7", "7.0", "-3", "2.25": the same numbers in several spellings. */
static void cut_sample_number(pv_rng *rng, bool whole, pv_buffer *csv)
{
    const int n = (int)pv_i_rng_below(rng, 40) - 8;
    if (whole) {
        pv_i_buffer_format(csv, "%d", n);
    } else {
        const unsigned quarter = (unsigned)pv_i_rng_below(rng, 4) * 25;
        pv_i_buffer_format(csv, pv_i_rng_below(rng, 3) == 0 ? "%d.%02u0" : "%d.%02u", n, quarter);
    }
}

static void cut_sample_cell(pv_rng *rng, size_t column, unsigned missing, pv_buffer *csv)
{
    pv_i_buffer_text(csv, column > 0 ? ";" : "");
    if (missing > 0 && pv_i_rng_below(rng, missing) == 0) {
        pv_i_buffer_text(csv, column % 2 == 0 ? "?" : "");
    } else if (column < 2) {
        cut_sample_number(rng, column == 0, csv);
    } else if (column == 2) {
        pv_i_buffer_text(csv, cut_sample_words[pv_i_rng_below(rng, 10)]);
    } else {
        pv_i_buffer_format(csv, "v%u", (unsigned)pv_i_rng_below(rng, 6));
    }
}

bound_study cut_sample_bind(const char *plan_text, const char *csv)
{
    const pv_read_options reading = {
        .delimiter = ';', .header = PV_CHOICE_YES, .quoting = PV_CHOICE_NO};
    bound_study s = {.plan = bound_plan(plan_text)};
    pv_error error = {0};
    pv_table *table = NULL;
    bound_must(pv_table_read_memory("t.csv", csv, strlen(csv), &reading, NULL, &table, &error),
               &error);
    bound_must(pv_study_bind(s.plan, table, &s.study, &error), &error);
    return s;
}

static bound_study cut_sample_study(pv_rng *rng, size_t n_rows)
{
    const unsigned missing = pv_i_rng_below(rng, 2) == 0 ? 0 : 12;
    pv_buffer plan = {0};
    pv_buffer csv = {0};
    pv_i_buffer_format(&plan, "attributes:\n  n: {role: quasi, type: integer%s",
                       cut_sample_granularity(rng));
    pv_i_buffer_format(&plan, "}\n  d: {role: quasi, type: decimal, weight: 3%s",
                       cut_sample_granularity(rng));
    pv_i_buffer_format(&plan, "}\n  t: {role: quasi, weight: 0.5, hierarchy: %s}\n",
                       cut_sample_tree);
    pv_i_buffer_text(&plan, "  c: {role: quasi}\n");
    pv_i_buffer_text(&csv, "n;d;t;c\n");
    for (size_t row = 0; row < n_rows; row++) {
        for (size_t column = 0; column < 4; column++) {
            cut_sample_cell(rng, column, missing, &csv);
        }
        pv_i_buffer_text(&csv, "\n");
    }
    const bound_study s = cut_sample_bind(plan.data, csv.data);
    pv_i_buffer_deinit(&plan);
    pv_i_buffer_deinit(&csv);
    return s;
}

/* Any density of cuts, sometimes none or all. */
static void cut_sample_cut(cut_sample *s, pv_rng *rng)
{
    const uint64_t density = pv_i_rng_below(rng, 6);
    for (size_t i = 0; i < s->n_bits; i++) {
        s->bits[i] = pv_i_rng_below(rng, 5) < density;
    }
}

cut_sample cut_sample_create(pv_rng *rng, size_t n_rows)
{
    cut_sample s = {.bound = cut_sample_study(rng, n_rows)};
    pv_error error = {0};
    bound_must(pv_i_cut_space_init(&s.space, s.bound.study, false, &error), &error);
    s.n_bits = s.space.n_bits;
    s.bits = calloc(s.n_bits + 1, 1);
    assert_non_null(s.bits);
    cut_sample_cut(&s, rng);
    return s;
}

pv_cuts *cut_sample_cuts(const cut_sample *s)
{
    pv_cuts *cuts = NULL;
    pv_error error = {0};
    bound_must(pv_i_cuts_from_bits(&s->space, s->bound.study, s->bits, &cuts, &error), &error);
    return cuts;
}

void cut_sample_free(cut_sample *s)
{
    pv_i_cut_space_deinit(&s->space);
    bound_study_free(&s->bound);
    free(s->bits);
}

/* =========================================================== certificates */

static const char *const sample_identifiers[] = {"person"};

static const char *const sample_sensitive[] = {"diagnosis", "income"};

static const pv_certificate_attribute sample_attributes[SAMPLE_ATTRIBUTES] = {
    {"age",
     "intervals",
     5,
     3,
     100,
     5,
     0.192,
     {"[0,20)", "[20,40)", "[40,60)", "[60,80)"},
     4,
     NULL,
     0,
     0,
     0,
     false},
    {"sex", "suppress", 1, 0, 2, 2, 0, {NULL}, 0, NULL, 0, 0, 0, false},
    {"zip", "mask", 5, 5, 598, 1, 1, {"*"}, 1, NULL, 0, 0, 0, false},
    {"education", "rows", 3, 2, 9, 2, 0.434, {"school", "beyond school"}, 2, NULL, 0, 0, 0, false},
    {"marital",
     "rows",
     2,
     1,
     6,
     3,
     0.148,
     {"in a union", "formerly in a union"},
     2,
     NULL,
     0,
     0,
     0,
     false},
    {"household", "suppress", 1, 1, 6, 1, 1, {"*"}, 1, NULL, 0, 0, 0, false},
    {"occupation",
     "rows",
     2,
     1,
     17,
     4,
     0.197,
     {"management and professions", "office and services", "manual work", "not in paid work"},
     4,
     NULL,
     0,
     0,
     0,
     false},
    {"workclass",
     "rows",
     2,
     1,
     7,
     4,
     0.083,
     {"private sector", "public sector", "own business"},
     3,
     NULL,
     0,
     0,
     0,
     false},
    {"birthplace", "rows", 3, 3, 27, 1, 1, {"*"}, 1, NULL, 0, 0, 0, false},
};

/* Before and after of the measures, by name. */
static const struct {
    const char *name;
    double before, after;
} sample_values[] = {
    {"k", 1, 6},
    {"l-distinct", 1, 4},
    {"l-entropy", 1, 2.4142},
    {"l-recursive", 1, 2},
    {"t-closeness", 0.998, 0.4127},
    {"sum-k", 31200, 9876543},
    {"sum-l", 30100, 1234567},
    {"gini", 0.021, 0.5512},
    {"necd", 0.0001, 0.0489},
    {"glm", 0, 122500.25},
    {"nwp", 0, 0.4537},
    {"dcn", 31200, 18456543},
    {"leaf-utility", 268400, 139000.5},
    {"precision", 1, 0.5391},
    {"aecs", 1.017, 74.85},
    {"entropy", 0, 512345.678},
    {"risk", 1, 1.0 / 6},
    {"risk-mean", 29487.0 / 30000, 397.0 / 29715},
    {"risk-above", 0.985, 0},
};

static void sample_measures(certificate_sample *s)
{
    size_t n = 0;
    for (size_t i = 0; i < pv_n_measures() && n < SAMPLE_MEASURES; i++) {
        pv_certificate_measure m = {
            .ref = {.measure = pv_measure_at(i), .parameter = pv_measure_at(i)->parameter_default}};
        for (size_t j = 0; j < sizeof sample_values / sizeof *sample_values; j++) {
            if (strcmp(sample_values[j].name, m.ref.measure->name) == 0) {
                m.available = true;
                m.before = sample_values[j].before;
                m.after = sample_values[j].after;
            }
        }
        s->measures[n++] = m;
    }
    s->certificate.measures = s->measures;
    s->certificate.n_measures = n;
}

pv_certificate_demand sample_demand(const char *name, double bound, double value)
{
    const pv_measure *const measure = pv_measure_find(name);
    pv_certificate_demand d = {
        .constraint = {{.measure = measure, .parameter = measure->parameter_default}, bound},
        .value = value};
    d.holds = pv_constraint_holds(&d.constraint, value);
    return d;
}

static void sample_audit(certificate_sample *s)
{
    s->values[0] = (pv_audit_value){.ref = {.measure = pv_measure_find("k")},
                                    .available = true,
                                    .value = 6,
                                    .sensitive = SIZE_MAX};
    s->values[1] =
        (pv_audit_value){.ref = {.measure = pv_measure_find("l-recursive"), .parameter = 2},
                         .available = true,
                         .value = 1};
    s->audit = (pv_audit){.rows = 30000,
                          .suppressed = 285,
                          .starred_cells = 89145,
                          .classes = 397,
                          .k = 6,
                          .k_wildcard = 291,
                          .risk_mean_wildcard = 0.0009,
                          .values = s->values,
                          .n_values = 2};
    s->certificate.audit = &s->audit;
}

void sample_init(certificate_sample *s)
{
    *s = (certificate_sample){0};
    memcpy(s->attributes, sample_attributes, sizeof sample_attributes);
    s->demands[0] = sample_demand("k", 5, 6);
    s->demands[1] = sample_demand("l-distinct", 3, 4);
    s->demands[2] = sample_demand("t-closeness", 0.5, 0.4127);
    s->certificate = (pv_certificate){
        .command = "release",
        .source = "/somewhere/private/census.csv",
        .released = "/somewhere/private/census.release.csv",
        .scheme = "census.release.scheme.json",
        .sha256 = "9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08",
        .rows = 30000,
        .suppressed = 285,
        .budget = 300,
        .k = 6,
        .before = {29487, {29033, 842, 125, 0, 0, 0, 0, 0}, 29033, 1, 29487.0 / 30000},
        .after = {397, {0, 0, 0, 612, 1490, 4133, 5480, 18000}, 0, 1.0 / 6, 397.0 / 29715},
        .attributes = s->attributes,
        .n_attributes = SAMPLE_ATTRIBUTES,
        .demands = s->demands,
        .n_demands = SAMPLE_DEMANDS,
        .order = PV_ORDER_SHUFFLED,
        .identifiers = sample_identifiers,
        .n_identifiers = 1,
        .sensitive = sample_sensitive,
        .n_sensitive = 2,
    };
    sample_measures(s);
    sample_audit(s);
}

/* ================================================================= markup */

enum { DEEPEST = 64, LONGEST_TAG = 32 };

typedef struct scanner {
    char open[DEEPEST][LONGEST_TAG];
    size_t depth;
} scanner;

static size_t read_name(const char *at, char *name)
{
    size_t n = 0;
    while (isalnum((unsigned char)at[n]) && n + 1 < LONGEST_TAG) {
        name[n] = at[n];
        n++;
    }
    name[n] = '\0';
    return n;
}

static bool is_void(const char *name)
{
    return strcmp(name, "meta") == 0 || strcmp(name, "br") == 0;
}

/* Reads one tag, quotes respected; returns what follows its `>`. */
static const char *read_tag(scanner *s, const char *at)
{
    char name[LONGEST_TAG];
    const bool closing = *at == '/';
    at += closing;
    at += read_name(at, name);
    assert_true(name[0] != '\0');
    while (*at != '>') {
        assert_true(*at != '\0' && *at != '<');
        if (*at == '"') {
            at = strchr(at + 1, '"');
            assert_non_null(at);
        }
        at++;
    }
    if (closing) {
        assert_true(s->depth > 0);
        assert_string_equal(s->open[--s->depth], name);
    } else if (at[-1] != '/' && !is_void(name)) {
        assert_true(s->depth < DEEPEST);
        memcpy(s->open[s->depth++], name, sizeof name);
    }
    return at + 1;
}

void assert_well_formed(const char *at)
{
    scanner s = {.depth = 0};
    while (*at != '\0') {
        if (*at == '<') {
            at = read_tag(&s, at + 1);
        } else {
            assert_true(*at != '>' || strcmp(s.open[s.depth - 1], "style") == 0);
            at++;
        }
    }
    assert_int_equal(s.depth, 0);
}

void assert_page(const char *html)
{
    static const char start[] = "<!DOCTYPE html>";
    assert_int_equal(strncmp(html, start, strlen(start)), 0);
    assert_well_formed(html + strlen(start));
}

void assert_self_contained(const char *markup)
{
    static const char *const outside[] = {"https:", "src=",  "href=", "@import",
                                          "url(",   "<link", "<img",  NULL};
    for (size_t i = 0; outside[i] != NULL; i++) {
        assert_null(strstr(markup, outside[i]));
    }
}
