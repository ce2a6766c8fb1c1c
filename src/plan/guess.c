/* A commented plan to start from, written by looking at a table: one line per column, and why. */
#include "plan/guess.h"

#include "base/buffer.h"
#include "base/error.h"
#include "base/memory.h"
#include "plan/yaml_text.h"

#include <stdio.h>
#include <string.h>

#define WIDEST_KEY 24u
#define LONGEST_SIMPLE_KEY 512u /* YAML looks 1,024 characters ahead for the colon */

static const char head[] =
    "# Look at every line before relying on it: a program cannot know what others know of these\n"
    "# people. The roles:\n"
    "#   identifier  names a person directly; dropped on release\n"
    "#   quasi       others may know it, so that together with others it singles out a person;\n"
    "#               generalized\n"
    "#   sensitive   what nobody shall learn about a person\n"
    "#   label       what the released table shall help to predict (at most one)\n"
    "#   other       released as it is, as are columns that are not named here\n";

/* ---------------------------------------------------------------- guesses */

static void make_quasi(pv_guess *guess)
{
    guess->role = PV_ROLE_QUASI;
    (void)snprintf(guess->why, sizeof guess->why, "a plan needs at least one quasi-identifier");
}

/* The column that is best made a quasi-identifier if none looks like one: rather an ordinary one
 * than one that names people, rather few values than many. */
static size_t likeliest_quasi(const pv_guess *guesses, size_t n)
{
    size_t best = SIZE_MAX;
    for (size_t i = 0; i < n; i++) {
        if (!pv_i_yaml_can_hold(guesses[i].look.name)) {
            continue;
        }
        const bool ordinary = guesses[i].role == PV_ROLE_OTHER;
        const bool best_ordinary = best != SIZE_MAX && guesses[best].role == PV_ROLE_OTHER;
        if (best == SIZE_MAX || ordinary > best_ordinary ||
            (ordinary == best_ordinary && guesses[i].look.distinct < guesses[best].look.distinct)) {
            best = i;
        }
    }
    return best;
}

static bool has_quasi(const pv_guess *guesses, size_t n)
{
    for (size_t i = 0; i < n; i++) {
        if (guesses[i].role == PV_ROLE_QUASI && pv_i_yaml_can_hold(guesses[i].look.name)) {
            return true;
        }
    }
    return false;
}

static void guess_all(const pv_table *table, pv_guess *guesses, size_t n)
{
    for (size_t i = 0; i < n; i++) {
        guesses[i].look = pv_i_look(table, i);
        pv_i_guess_role(&guesses[i]);
    }
    if (!has_quasi(guesses, n)) {
        const size_t best = likeliest_quasi(guesses, n);
        if (best != SIZE_MAX) {
            make_quasi(&guesses[best]);
        }
    }
    for (size_t i = 0; i < n; i++) {
        if (guesses[i].role == PV_ROLE_QUASI) {
            pv_i_guess_hierarchy(&guesses[i]);
        }
    }
}

/* ------------------------------------------------------------------ lines */

static void pad(pv_buffer *text, size_t from, size_t width)
{
    while (text->size - from < width && !text->failed) {
        pv_i_buffer_char(text, ' ');
    }
}

static void write_number(pv_buffer *text, uint64_t n, const char *what)
{
    pv_i_buffer_count(text, n);
    pv_i_buffer_format(text, " %s%s", what, n == 1 ? "" : "s");
}

static void write_comment(pv_buffer *text, const pv_guess *guess)
{
    const pv_look *const look = &guess->look;
    pv_i_buffer_format(text, "# %s; %s, ", guess->why, pv_type_name(look->type));
    write_number(text, look->distinct, "value");
    pv_i_buffer_text(text, ", ");
    if (look->missing > 0) {
        pv_i_buffer_count(text, look->missing);
    } else {
        pv_i_buffer_text(text, "none");
    }
    pv_i_buffer_text(text, " missing\n");
}

static void write_key(pv_buffer *text, const char *name)
{
    pv_buffer key = {0};
    pv_i_yaml_scalar(&key, name);
    if (key.failed) {
        text->failed = true;
    } else {
        pv_i_buffer_format(text,
                           key.size <= LONGEST_SIMPLE_KEY ? "  %s: " : "  ? %s\n  : ", key.data);
    }
    pv_i_buffer_deinit(&key);
}

static void write_entry(pv_buffer *text, const pv_guess *guess)
{
    pv_i_buffer_format(text, "{role: %s", pv_role_name(guess->role));
    if (guess->hierarchy[0] != '\0') {
        pv_i_buffer_format(text, ", hierarchy: %s", guess->hierarchy);
    }
    pv_i_buffer_char(text, '}');
}

/* Where the parts of a line begin. */
typedef struct {
    size_t entry, comment;
} layout;

static void write_line(pv_buffer *text, const pv_guess *guess, layout columns)
{
    if (!pv_i_yaml_can_hold(guess->look.name)) {
        pv_i_buffer_text(text, "  # a column whose name is not UTF-8 cannot be named here\n  ");
        write_comment(text, guess);
        return;
    }
    const size_t start = text->size;
    write_key(text, guess->look.name);
    pad(text, start, columns.entry);
    write_entry(text, guess);
    pad(text, start, columns.comment);
    pv_i_buffer_text(text, "  ");
    write_comment(text, guess);
}

static size_t larger(size_t a, size_t b)
{
    return a > b ? a : b;
}

/* Wide enough for all names but the very long ones. */
static layout lay_out(const pv_guess *guesses, size_t n)
{
    size_t entry = 0;
    size_t width = 0;
    for (size_t i = 0; i < n; i++) {
        const size_t key = strlen(guesses[i].look.name) + strlen("  : ");
        entry = key <= WIDEST_KEY ? larger(entry, key) : entry;
        width = larger(width, strlen(pv_role_name(guesses[i].role)) +
                                  (guesses[i].hierarchy[0] != '\0' ? strlen(", hierarchy: ") : 0) +
                                  strlen(guesses[i].hierarchy));
    }
    return (layout){.entry = entry, .comment = entry + strlen("{role: }") + width};
}

/* Sniffed, so it would be found again; but whoever reads the plan may want to know. */
static void write_delimiter(pv_buffer *text, char delimiter)
{
    if (delimiter == '\t') {
        pv_i_buffer_text(text, "delimiter: tab\n");
    } else if (delimiter > ' ' && delimiter != '"' && delimiter < 0x7f) {
        const char scalar[] = {delimiter, '\0'};
        pv_i_buffer_text(text, "delimiter: ");
        pv_i_yaml_scalar(text, scalar);
        pv_i_buffer_char(text, '\n');
    }
}

static void write_head(pv_buffer *text, const pv_table *table, const char *data)
{
    pv_i_buffer_text(text, "# A plan to start from, guessed by looking at ");
    write_number(text, pv_table_rows(table), "row");
    pv_i_buffer_text(text, " and ");
    write_number(text, pv_table_columns(table), "column");
    pv_i_buffer_text(text, ".\n");
    pv_i_buffer_text(text, head);
    if (pv_i_yaml_can_hold(data)) {
        pv_i_buffer_text(text, "data: ");
        pv_i_yaml_scalar(text, data);
        pv_i_buffer_char(text, '\n');
    } else {
        pv_i_buffer_text(text, "# data: a path that is not UTF-8 cannot be written here\n");
    }
    write_delimiter(text, pv_table_delimiter(table));
    pv_i_buffer_text(text, "suppression: 1%  # so many rows may be suppressed to protect the rest\n"
                           "attributes:\n");
}

pv_status pv_plan_guess(const pv_table *table, const char *data, char **text, pv_error *error)
{
    const size_t n = pv_table_columns(table);
    pv_guess *const guesses = PV_NEW_ZEROED(pv_guess, n);
    if (guesses == NULL) {
        return pv_i_no_memory(error);
    }
    pv_buffer buffer = {0};
    guess_all(table, guesses, n);
    write_head(&buffer, table, data);
    const layout columns = lay_out(guesses, n);
    for (size_t i = 0; i < n; i++) {
        write_line(&buffer, &guesses[i], columns);
    }
    pv_i_free(guesses);
    return pv_i_buffer_take(&buffer, text, error);
}
