/* What a session belongs to. */
#include "prefer/session_facts.h"

#include "base/hash.h"

static void tell_number(pv_buffer *value, uint64_t number)
{
    pv_i_buffer_format(value, "%llu", (unsigned long long)number);
}

static void tell_hash(pv_buffer *value, uint64_t hash)
{
    pv_i_buffer_format(value, "%016llx", (unsigned long long)hash);
}

static void separate(pv_buffer *value, size_t axis)
{
    pv_i_buffer_text(value, axis > 0 ? ", " : "");
}

static void tell_attributes(const pv_walk *walk, pv_buffer *value)
{
    for (size_t a = 0; a < walk->space.n_axes; a++) {
        separate(value, a);
        pv_i_buffer_text(value, pv_study_quasi_name(pv_profile_study(walk->profile), a));
    }
}

static void tell_rows(const pv_walk *walk, pv_buffer *value)
{
    tell_number(value, walk->space.n_rows);
}

static void tell_k(const pv_walk *walk, pv_buffer *value)
{
    tell_number(value, walk->options.k);
}

static void tell_values(const pv_walk *walk, pv_buffer *value)
{
    for (size_t a = 0; a < walk->space.n_axes; a++) {
        separate(value, a);
        tell_number(value, walk->space.axes[a].n);
    }
}

/* Of the plan: later ones are steps. */
static void tell_weights(const pv_walk *walk, pv_buffer *value)
{
    pv_cut_prices prices;
    pv_i_cut_aspects_prices(&walk->aspects, NULL, &prices);
    for (size_t a = 0; a < walk->space.n_axes; a++) {
        separate(value, a);
        tell_number(value, prices.unit[a]);
    }
}

static void tell_demands(const pv_walk *walk, pv_buffer *value)
{
    char text[128];
    for (size_t i = 0; i < walk->aspects.rules.n_rules; i++) {
        separate(value, i);
        pv_constraint_text(&walk->aspects.rules.rules[i], text, sizeof text);
        pv_i_buffer_text(value, text);
    }
    pv_i_buffer_text(value, walk->aspects.rules.n_rules == 0 ? "none" : "");
}

static void tell_measures(const pv_walk *walk, pv_buffer *value)
{
    pv_i_buffer_format(value, "%s and %s", walk->aspects.bias.measure->name,
                       walk->aspects.loss.measure->name);
}

/* ------------------------------------------------------------------ hashes */

/* The shape of a tree: which leaves are together at which level. */
static uint64_t hash_tree(const pv_hierarchy *hierarchy)
{
    uint64_t hash = 0;
    for (unsigned level = 1; level <= pv_hierarchy_height(hierarchy); level++) {
        for (uint32_t leaf = 0; leaf < pv_hierarchy_leaves(hierarchy); leaf++) {
            const uint64_t words[] = {hash, level, pv_hierarchy_group(hierarchy, level, leaf)};
            hash = pv_i_hash_words(words, 3);
        }
    }
    return hash;
}

static void tell_taxonomy(const pv_walk *walk, pv_buffer *value)
{
    for (size_t a = 0; a < walk->space.n_axes; a++) {
        const pv_cut_axis *const axis = &walk->space.axes[a];
        separate(value, a);
        if (axis->respects) {
            tell_hash(value, hash_tree(axis->hierarchy));
        } else {
            pv_i_buffer_text(value, "free");
        }
    }
}

static void tell_counts(const pv_walk *walk, pv_buffer *value)
{
    for (size_t a = 0; a < walk->space.n_axes; a++) {
        const pv_cut_axis *const axis = &walk->space.axes[a];
        separate(value, a);
        tell_hash(value, pv_i_hash_words(axis->rows, (size_t)axis->n + 1));
    }
}

static uint64_t hash_tuple(const pv_cut_view *view, size_t n, size_t tuple)
{
    uint64_t words[PV_MOST_CUT_AXES + 1] = {view->counts[tuple]};
    for (size_t a = 0; a < n; a++) {
        words[a + 1] = view->values[a] != NULL ? view->values[a][tuple] : 0;
    }
    return pv_i_hash_words(words, n + 1);
}

/* Who has which values together, whatever the order of the rows. */
static void tell_people(const pv_walk *walk, pv_buffer *value)
{
    const pv_cut_view *const view = &walk->table.base;
    const size_t n = walk->space.n_axes + walk->table.n_columns;
    uint64_t sum = 0;
    for (size_t tuple = 0; tuple < view->n; tuple++) {
        sum += hash_tuple(view, n, tuple);
    }
    tell_hash(value, sum);
}

const pv_fact pv_i_session_facts[] = {
    {"attributes", "other attributes", true, tell_attributes},
    {"rows", "another number of rows", true, tell_rows},
    {"k", "another k", true, tell_k},
    {"demands", "other demands", true, tell_demands},
    {"measures", "another spread of class sizes or loss", true, tell_measures},
    {"values", "other numbers of values", true, tell_values},
    {"weights", "other weights of the attributes", false, tell_weights},
    {"taxonomy",
     "other hierarchies, or groups that may cross them (--free-groups) on one side only", false,
     tell_taxonomy},
    {"counts", "a table with other values", false, tell_counts},
    {"people", "a table with other rows", false, tell_people},
    {0}};
