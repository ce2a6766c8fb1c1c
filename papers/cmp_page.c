/* The page about the paper on comparing anonymizations. */
#include "cmp_report.h"

#include <math.h>

static void write_opening(pv_buffer *page)
{
    pv_i_buffer_text(
        page,
        "# The paper on comparing anonymizations, made anew\n\n"
        "Rinku Dewri, Indrajit Ray, Indrakshi Ray, Darrell Whitley: *On the Comparison of\n"
        "Microdata Disclosure Control Algorithms*. \"3-anonymous\" is the class size of those "
        "worst\n"
        "off and says nothing about the others. The paper compares releases tuple by tuple: a\n"
        "property (class size, detail kept, ...) has a value for every tuple, indices compare two\n"
        "such vectors, and combinations of indices compare releases by several properties.\n"
        "`paravent compare` does this for any released files.\n\n"
        "This page and its figure are written by `make papers`. Every number is as it was "
        "computed\n"
        "from the ten tuples of the paper's table 1, but for those that are said to be the\n"
        "paper's.\n\n");
}

/* ----------------------------------------------------------------- vectors */

static void write_vector(pv_buffer *page, const char *name, const char *whose, const double *values,
                         double sign)
{
    pv_i_buffer_format(page, "| %s | %s |", name, whose);
    for (size_t i = 0; i < TUPLES; i++) {
        const double value = sign * values[i];
        const bool whole = fabs(value - round(value)) < 1e-9;
        pv_i_buffer_format(page, " %.*f |", whole ? 0 : 2, value);
    }
    pv_i_buffer_char(page, '\n');
}

static size_t count_same(const double *ours, const double *printed)
{
    size_t same = 0;
    for (size_t i = 0; i < TUPLES; i++) {
        same += lround(ours[i] * 100) == lround(printed[i] * 100);
    }
    return same;
}

typedef struct {
    size_t n, same;
} agreement;

static void write_property(pv_buffer *page, const tables *t, size_t property, agreement *a)
{
    for (size_t i = 0; i < TABLES; i++) {
        const double *const ours = cmp_vector(t, i, property);
        const double *const printed = cmp_printed(i, property);
        pv_buffer name = {0};
        pv_i_buffer_format(&name, "%s, %s", cmp_properties[property], cmp_tables[i]);
        require(!name.failed, "out of memory");
        write_vector(page, name.data, "ours", ours,
                     pv_comparison_less_is_better(t->comparison, property) ? -1 : 1);
        if (printed) {
            write_vector(page, "", "paper", printed, 1);
            a->n += TUPLES;
            a->same += count_same(ours, printed);
        }
        pv_i_buffer_deinit(&name);
    }
}

static void write_vectors(pv_buffer *page, const tables *t)
{
    agreement a = {0};
    pv_i_buffer_text(
        page,
        "## The tables (tables 1 to 3 and figure 1 of the paper)\n\n"
        "T3a masks one digit of the zip code, puts ages into (25,35], (35,45], (45,55] and "
        "marital\n"
        "status into Married and Not Married; T3b masks two and has (15,35], (35,55]; T4 masks\n"
        "three, has (20,40], (40,60] and no marital status. `own-count` is how many in the class\n"
        "share one's real marital status. The paper prints five of these vectors.\n\n"
        "| property | | 1 | 2 | 3 | 4 | 5 | 6 | 7 | 8 | 9 | 10 |\n"
        "|---|---|---:|---:|---:|---:|---:|---:|---:|---:|---:|---:|\n");
    for (size_t property = 0; property < PROPERTIES; property++) {
        write_property(page, t, property, &a);
    }
    pv_i_buffer_format(
        page,
        "\nOf the paper's %zu values, one of them filled in (see the end), %zu are "
        "the same in the\ndigits printed.\n\n![The size of the class of each tuple in the three "
        "tables](figures/cmp_sizes.svg)\n\n",
        a.n, a.same);
}

/* -------------------------------------------------------------------- pairs */

static void write_number(pv_buffer *page, pv_index index, double value)
{
    if (index == PV_INDEX_HV && isinf(value)) {
        pv_i_buffer_text(page, " 0 |");
    } else if (index == PV_INDEX_HV) {
        pv_i_buffer_format(page, " e^%.3f |", value);
    } else {
        const bool whole = fabs(value - round(value)) < 1e-9;
        pv_i_buffer_format(page, " %.*f |", whole ? 0 : 2, value);
    }
}

static const char *name_of(pv_winner winner, size_t first, size_t second)
{
    return winner == PV_FIRST_WINS    ? cmp_tables[first]
           : winner == PV_SECOND_WINS ? cmp_tables[second]
                                      : "-";
}

static void write_pair(pv_buffer *page, const tables *t, size_t property, size_t first,
                       size_t second)
{
    const pv_duel d = cmp_duel(t, property, first, second);
    for (size_t i = 0; i < PV_INDEX_COUNT; i++) {
        pv_i_buffer_format(page, "| %s | %s, %s | %s |", cmp_properties[property],
                           cmp_tables[first], cmp_tables[second], pv_index_name((pv_index)i));
        write_number(page, (pv_index)i, d.first[i]);
        write_number(page, (pv_index)i, d.second[i]);
        pv_i_buffer_format(page, " %s |\n", name_of(d.winner[i], first, second));
    }
}

static void write_pairs(pv_buffer *page, const tables *t)
{
    pv_i_buffer_text(
        page,
        "## Every pair by every index\n\n"
        "rank is the distance from the best that each tuple has in any of the three tables (less "
        "is\n"
        "better); hv is given by its logarithm. For cov, spr and hv the first number is the index\n"
        "of the first over the second, the other that of the second over the first.\n\n"
        "| property | tables | index | | | better |\n|---|---|---|---:|---:|---|\n");
    for (size_t property = 0; property <= UTILITY; property++) {
        write_pair(page, t, property, T3A, T3B);
        write_pair(page, t, property, T3A, T4);
        write_pair(page, t, property, T3B, T4);
    }
    pv_i_buffer_char(page, '\n');
}

/* ------------------------------------------------------------- combinations */

static const pv_term halves[] = {{.property = SIZE, .index = PV_INDEX_COV, .weight = .5},
                                 {.property = UTILITY, .index = PV_INDEX_COV, .weight = .5}};
static const pv_term spreads[] = {{.property = SIZE, .index = PV_INDEX_SPR, .weight = .5},
                                  {.property = UTILITY, .index = PV_INDEX_SPR, .weight = .5}};
static const pv_term privacy[] = {{.property = SIZE, .index = PV_INDEX_COV},
                                  {.property = UTILITY, .index = PV_INDEX_COV}};
static const pv_term detail[] = {{.property = UTILITY, .index = PV_INDEX_COV},
                                 {.property = SIZE, .index = PV_INDEX_COV}};
static const pv_term tolerant[] = {{.property = SIZE, .index = PV_INDEX_COV, .tolerance = .7},
                                   {.property = UTILITY, .index = PV_INDEX_COV}};
static const pv_term goals[] = {{.property = SIZE, .index = PV_INDEX_MIN, .goal = 4},
                                {.property = UTILITY, .index = PV_INDEX_MIN, .goal = 1.6}};

static const pv_combination combinations[] = {
    {"wtd: cov of class size and of utility, equal weights", PV_COMBINE_WTD, halves, 2},
    {"wtd: spr of class size and of utility, equal weights", PV_COMBINE_WTD, spreads, 2},
    {"lex: cov of class size, then of utility", PV_COMBINE_LEX, privacy, 2},
    {"lex: cov of utility, then of class size", PV_COMBINE_LEX, detail, 2},
    {"lex: class size if cov differs by more than 0.7, then utility", PV_COMBINE_LEX, tolerant, 2},
    {"goal: least class size 4, least utility 1.6", PV_COMBINE_GOAL, goals, 2},
};

static pv_winner write_verdict(pv_buffer *page, const tables *t, const pv_combination *combination,
                               size_t first, size_t second)
{
    pv_verdict_of_two v;
    pv_error error = {0};
    require(pv_combine(t->comparison, first, second, combination, &v, &error) == PV_STATUS_OK,
            error.message);
    const int decimals = combination->kind == PV_COMBINE_LEX ? 0 : 3;
    pv_i_buffer_format(page, " %.*f, %.*f: %s |", decimals, v.first, decimals, v.second,
                       name_of(v.winner, first, second));
    return v.winner;
}

static void write_ranking(pv_buffer *page, const pv_winner *winners)
{
    pv_tournament *tournament = NULL;
    size_t n = 0;
    pv_error error = {0};
    require(pv_tournament_create(winners, TABLES, &tournament, &error) == PV_STATUS_OK,
            error.message);
    for (size_t i = 0; i < TABLES; i++) {
        const size_t at = pv_tournament_ranking(tournament, &n)[i];
        pv_i_buffer_format(page, "%s%s (%zu)", i > 0 ? ", " : " ", cmp_tables[at],
                           pv_tournament_wins(tournament, at));
    }
    pv_i_buffer_text(page, pv_tournament_cycle(tournament, &n) ? ", in a cycle |\n" : " |\n");
    pv_tournament_free(tournament);
}

static void write_combinations(pv_buffer *page, const tables *t)
{
    pv_i_buffer_text(
        page,
        "## Several properties at once (sections 5.5 to 5.7 of the paper)\n\n"
        "Of these the paper works out only the first, for T3a and T3b; lex and goal it defines.\n"
        "Each cell has the values of both tables and the better one. wtd: more is better; lex: "
        "the\n"
        "number of the first property won, one more than there are if none; goal: the squared\n"
        "distance, less is better. The last column ranks the tables by how many others they beat.\n"
        "\n"
        "| combination | T3a, T3b | T3a, T4 | T3b, T4 | ranking (wins) |\n|---|---|---|---|---|\n");
    for (size_t i = 0; i < sizeof combinations / sizeof *combinations; i++) {
        pv_winner winners[TABLES * TABLES] = {PV_NOBODY_WINS};
        pv_i_buffer_format(page, "| %s |", combinations[i].name);
        for (size_t first = 0; first < TABLES; first++) {
            for (size_t second = first + 1; second < TABLES; second++) {
                winners[first * TABLES + second] =
                    write_verdict(page, t, &combinations[i], first, second);
            }
        }
        write_ranking(page, winners);
    }
    pv_i_buffer_char(page, '\n');
}

/* -------------------------------------------------------------------- words */

static void write_words(pv_buffer *page, const tables *t)
{
    const double kept = 3 + cmp_vector(t, T3A, LOSS)[0];
    pv_i_buffer_format(
        page,
        "## Where ours differs, and why\n\n"
        "- Section 5.2 says that cov is 1 one way and 0 the other exactly if the one strongly\n"
        "  dominates. Only one direction is true: T3b strongly dominates T3a, and yet T3a covers\n"
        "  the three tuples that are equal in both. Strong dominance is cov 1 one way and below 1\n"
        "  the other; `paravent compare` tells dominance from the tuples themselves.\n"
        "- Section 5.4 says that hv is 0 exactly if the other is not worse. This needs values "
        "above\n"
        "  0: a single 0 makes a volume 0 whatever the other tuples have. Then the other release,\n"
        "  if it has none, keeps its whole volume; where values are negative (losses, turned so\n"
        "  that more is better) there are no volumes, and hv is nobody's.\n"
        "- The utility of section 5.5 is said to be that of Iyengar's metric. Its numbers are "
        "those\n"
        "  of 1 - leaves/domain, summed over the attributes (`leaf-utility`). By Iyengar's "
        "metric,\n"
        "  (leaves - 1)/(domain - 1), tuple 1 of T3a would keep %.2f instead of %.2f.\n"
        "- The text of section 5.5, as we have it, prints nine utilities for T3b, one 0.97 short; "
        "it is\n"
        "  filled in above.\n"
        "- Indices should be normalised before they are weighted, says section 5.5, and not how.\n"
        "  Ours: cov is a share already; spr and hv are divided by the sum of both ways, as is "
        "min;\n"
        "  of rank, where less is better, each side gets what the other lacks.\n"
        "- Values that differ by no more than rounding (2^-46 of them) are equal here. Otherwise\n"
        "  0.1 + 0.2 + 0.3 and 0.3 + 0.2 + 0.1 would make somebody better off.\n"
        "- Figures 2 to 4 of the paper are sketches without numbers; there is nothing to "
        "recompute.\n"
        "  Theorem 1 (as many unary indices are needed as there are tuples) is why all of this is\n"
        "  done by pairs.\n",
        kept, cmp_vector(t, T3A, UTILITY)[0]);
}

void cmp_write_page(pv_buffer *page, const tables *t)
{
    write_opening(page);
    write_vectors(page, t);
    pv_i_buffer_text(page, "## Every number of the text\n\n");
    cmp_write_claims(page, t);
    write_pairs(page, t);
    write_combinations(page, t);
    write_words(page, t);
}
