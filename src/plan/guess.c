/* A commented plan to start from, written by looking at a table: one line per column, and why. */
#include "plan/guess.h"

#include "base/buffer.h"
#include "base/error.h"
#include "base/memory.h"
#include "plan/document.h"
#include "plan/spelling.h"

#include <stdio.h>
#include <string.h>

#define WIDEST_KEY 24u
#define LONGEST_SIMPLE_KEY 512u /* YAML looks 1,024 characters ahead for the colon */
#define COMMENT_WIDTH 96u
#define LEAST_BLOCK 5u     /* columns named alike that are one set of questions */
#define MOST_ANSWERS 11u   /* values of one of them, 0 to 10 */
#define MOST_BY_VALUES 15u /* quasi-identifiers for no other reason than their few values */

struct pv_guesses {
    pv_table *table;
    char *data; /* as the plan shall name it */
    pv_guess *list;
    size_t n;
    const char *const *words; /* pv_guesses_rephrase; NULL = the library's own */
};

static const char head[] =
    "# Look at every line before relying on it: a program cannot know what others know of these\n"
    "# people. The roles:\n"
    "#   identifier  names a person or a household, or is not needed; dropped on release\n"
    "#   quasi       others may know it, so that together with others it singles out a person;\n"
    "#               generalized\n"
    "#   sensitive   what nobody shall learn about a person; released as it is\n"
    "#   label       what the released table shall help to predict (at most one)\n"
    "#   other       says nothing about a person; released as it is\n";

/* ---------------------------------------------------------------- guesses */

/* Letters before the first digit: `item_` of `item_12b`. 0 = no digit follows, or the name was made
 * up because the file has no header. */
static size_t stem_length(const char *name)
{
    const size_t stem = strcspn(name, "0123456789");
    const bool made_up = stem == 6 && strncmp(name, "column", 6) == 0;
    return name[stem] != '\0' && !made_up ? stem : 0;
}

static bool is_answer(const pv_guess *guess)
{
    return guess->by_values && guess->role == PV_ROLE_QUASI && guess->file == NULL &&
           guess->look.type != PV_TYPE_DATE && guess->look.distinct <= MOST_ANSWERS &&
           stem_length(guess->look.name) > 0 && pv_i_yaml_can_hold(guess->look.name);
}

static bool are_named_alike(const char *a, const char *b)
{
    const size_t stem = stem_length(a);
    return stem == stem_length(b) && strncmp(a, b, stem) == 0;
}

static void ask_like(pv_guess *guess, const pv_guess *first)
{
    guess->role = PV_ROLE_UNDECIDED;
    (void)snprintf(guess->why, sizeof guess->why, "as for %s", pv_i_shown(first->look.name).text);
}

/* Columns q1, q2, ... of few values each are the answers to a questionnaire. Others rarely know
 * them, so they are no quasi-identifiers as a matter of course; whether some do only the publisher
 * can say. The question is asked at the first of them. */
static void ask_for_block(pv_guess *guesses, size_t n, size_t first)
{
    size_t alike = 0;
    for (size_t i = first; i < n; i++) {
        alike += is_answer(&guesses[i]) &&
                 are_named_alike(guesses[first].look.name, guesses[i].look.name);
    }
    if (alike < LEAST_BLOCK) {
        return;
    }
    for (size_t i = n; i-- > first;) {
        if (i != first && is_answer(&guesses[i]) &&
            are_named_alike(guesses[first].look.name, guesses[i].look.name)) {
            ask_like(&guesses[i], &guesses[first]);
        }
    }
    char what[128];
    (void)snprintf(what, sizeof what,
                   "the first of %zu columns named alike, answers that others may know (quasi) or "
                   "not (sensitive); here ",
                   alike);
    pv_i_guess_ask(&guesses[first], "answers to a questionnaire?", what);
}

/* Very many quasi-identifiers leave nothing of a table; then few values are not reason enough. */
static void ask_if_too_many(pv_guess *guesses, size_t n)
{
    size_t n_by_values = 0;
    for (size_t i = 0; i < n; i++) {
        n_by_values += guesses[i].by_values && guesses[i].role == PV_ROLE_QUASI;
    }
    if (n_by_values <= MOST_BY_VALUES) {
        return;
    }
    const pv_guess *first = NULL;
    for (size_t i = 0; i < n; i++) {
        pv_guess *const guess = &guesses[i];
        if (!guess->by_values || guess->role != PV_ROLE_QUASI || guess->file != NULL ||
            !pv_i_yaml_can_hold(guess->look.name)) {
            continue;
        }
        if (first != NULL) {
            ask_like(guess, first);
            continue;
        }
        char what[128];
        (void)snprintf(what, sizeof what,
                       "one of %zu columns of few values; as quasi-identifiers all together they "
                       "leave little of the table; here ",
                       n_by_values);
        pv_i_guess_ask(guess, "few values", what);
        first = guess;
    }
}

/* If nothing looks like a quasi-identifier one is asked for: rather an ordinary column than one
 * that names people, rather few values than many. */
static void ask_for_quasi(pv_guess *guesses, size_t n)
{
    size_t best = SIZE_MAX; /* SIZE_MAX = no column can be named */
    for (size_t i = 0; i < n; i++) {
        if (!pv_i_yaml_can_hold(guesses[i].look.name)) {
            continue;
        }
        if (guesses[i].role == PV_ROLE_QUASI || guesses[i].role == PV_ROLE_UNDECIDED) {
            return;
        }
        const bool ordinary = guesses[i].role != PV_ROLE_IDENTIFIER;
        const bool best_ordinary = best != SIZE_MAX && guesses[best].role != PV_ROLE_IDENTIFIER;
        if (best == SIZE_MAX || ordinary > best_ordinary ||
            (ordinary == best_ordinary && guesses[i].look.distinct < guesses[best].look.distinct)) {
            best = i;
        }
    }
    if (best != SIZE_MAX) {
        pv_i_guess_ask(&guesses[best], "a plan needs at least one quasi-identifier",
                       "no column looks like something others may know of a person, and a plan "
                       "needs at least one quasi-identifier; is it this one? ");
    }
}

/* A hierarchy made for a column is reason enough to generalize it. */
static void take_file(pv_guess *guess)
{
    if (guess->role != PV_ROLE_QUASI || guess->by_values) {
        guess->role = PV_ROLE_QUASI;
        (void)snprintf(guess->why, sizeof guess->why, "a hierarchy for it lies beside the data");
    } else {
        const size_t used = strlen(guess->why);
        (void)snprintf(guess->why + used, sizeof guess->why - used,
                       ", a hierarchy lies beside the data");
    }
}

static pv_status guess_all(pv_guesses *g, pv_error *error)
{
    bool with_bodies = false;
    for (size_t i = 0; i < g->n; i++) {
        PV_TRY(pv_i_guess_values(g->table, i, &g->list[i], error));
        g->list[i].look = pv_i_look(g->table, i);
        with_bodies = with_bodies || pv_i_name_means(g->list[i].look.name, PV_MEANS_BODY, NULL);
    }
    for (size_t i = 0; i < g->n; i++) {
        pv_i_guess_role(&g->list[i], with_bodies);
    }
    PV_TRY(pv_i_guess_files(g->table, g->data, g->list, g->n, error));
    for (size_t i = 0; i < g->n; i++) {
        if (g->list[i].file != NULL) {
            take_file(&g->list[i]);
        }
    }
    for (size_t i = 0; i < g->n; i++) {
        if (is_answer(&g->list[i])) {
            ask_for_block(g->list, g->n, i);
        }
    }
    ask_if_too_many(g->list, g->n);
    ask_for_quasi(g->list, g->n);
    for (size_t i = 0; i < g->n; i++) {
        if (g->list[i].file == NULL) {
            pv_i_guess_hierarchy(&g->list[i]);
        }
    }
    return PV_STATUS_OK;
}

pv_status pv_guesses_create(pv_table *table, const char *data, pv_guesses **guesses,
                            pv_error *error)
{
    pv_guesses *const made = PV_NEW(pv_guesses);
    if (made == NULL) {
        return pv_i_no_memory(error);
    }
    made->table = table;
    made->data = pv_i_strdup(data);
    made->list = PV_NEW_ZEROED(pv_guess, pv_table_columns(table));
    pv_status status =
        made->data == NULL || made->list == NULL ? pv_i_no_memory(error) : PV_STATUS_OK;
    if (status == PV_STATUS_OK) {
        made->n = pv_table_columns(table);
        status = guess_all(made, error);
    }
    for (size_t i = 0; i < made->n && status == PV_STATUS_OK; i++) {
        status = made->list[i].seen.failed || made->list[i].reading.failed ||
                         made->list[i].reading_note.failed
                     ? pv_i_no_memory(error)
                     : PV_STATUS_OK;
    }
    if (status != PV_STATUS_OK) {
        pv_guesses_free(made);
        return status;
    }
    *guesses = made;
    return PV_STATUS_OK;
}

void pv_guesses_free(pv_guesses *guesses)
{
    if (guesses == NULL) {
        return;
    }
    for (size_t i = 0; i < guesses->n; i++) {
        pv_i_buffer_deinit(&guesses->list[i].seen);
        pv_i_buffer_deinit(&guesses->list[i].reading);
        pv_i_buffer_deinit(&guesses->list[i].reading_note);
        pv_i_free(guesses->list[i].file);
        pv_i_free(guesses->list[i].unfit);
    }
    pv_i_free(guesses->list);
    pv_i_free(guesses->data);
    pv_i_free(guesses);
}

/* clang-format off */
pv_role pv_guesses_role(const pv_guesses *g, size_t column) { return g->list[column].role; }
bool pv_guesses_is_named(const pv_guesses *g, size_t column) { return pv_i_yaml_can_hold(g->list[column].look.name); }
const char *pv_guesses_reason(const pv_guesses *g, size_t column) { return g->list[column].why; }
void pv_guesses_rephrase(pv_guesses *g, const char *const *words) { g->words = words; }
/* clang-format on */

const char *pv_guesses_question(const pv_guesses *guesses, size_t column)
{
    const pv_guess *const guess = &guesses->list[column];
    return guess->role != PV_ROLE_UNDECIDED ? NULL
           : guess->seen.size > 0           ? guess->seen.data
                                            : guess->why;
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

static void write_hierarchy(pv_buffer *text, const pv_guess *guess)
{
    if (guess->file != NULL) {
        pv_i_buffer_text(text, ", hierarchy: ");
        pv_i_yaml_scalar(text, guess->file);
    } else if (guess->hierarchy[0] != '\0') {
        pv_i_buffer_format(text, ", hierarchy: %s", guess->hierarchy);
    }
}

/* How a column is written does not matter if it is dropped. */
static bool is_read(const pv_guess *guess)
{
    return guess->role != PV_ROLE_IDENTIFIER && guess->reading.size > 0;
}

static void write_entry(pv_buffer *text, const pv_guess *guess)
{
    pv_i_buffer_text(text, "{role: ");
    pv_i_yaml_scalar(text, pv_role_name(guess->role));
    if (is_read(guess)) {
        pv_i_buffer_text(text, guess->reading.data);
    }
    if (guess->role == PV_ROLE_QUASI) {
        write_hierarchy(text, guess);
    }
    pv_i_buffer_char(text, '}');
}

/* Comment lines above the entry, broken at blanks. */
static void write_note(pv_buffer *text, const char *note)
{
    const char *begin = "  # ";
    while (*note != '\0') {
        size_t length = strlen(note);
        if (length > COMMENT_WIDTH) {
            for (length = COMMENT_WIDTH; length > 0 && note[length] != ' ';) {
                length--;
            }
            length = length > 0 ? length : strcspn(note, " ");
        }
        pv_i_buffer_text(text, begin);
        pv_i_buffer_bytes(text, note, length);
        pv_i_buffer_char(text, '\n');
        note += length;
        note += strspn(note, " ");
        begin = "  #   ";
    }
}

static void note_question(pv_buffer *note, const pv_guess *guess)
{
    const char *const reading = guess->reading.size > 0 ? guess->reading.data : "";
    pv_i_buffer_format(note, "? %s. Write {role: quasi%s", guess->seen.data, reading);
    write_hierarchy(note, guess);
    pv_i_buffer_format(note,
                       "} if others may know it, {role: sensitive%s} if nobody shall learn it, "
                       "{role: identifier} if it is not needed.",
                       reading);
}

/* What is nearly unique is dropped; who wants to keep a measurement learns how. */
static bool could_be_coarser(const pv_guess *guess)
{
    return guess->role == PV_ROLE_IDENTIFIER && guess->by_values && guess->hierarchy[0] != '\0' &&
           (guess->look.type == PV_TYPE_DECIMAL || guess->look.type == PV_TYPE_DATE);
}

static void write_notes(pv_buffer *text, const pv_guess *guess, const char *const *words)
{
    pv_buffer note = {0};
    if (guess->role == PV_ROLE_UNDECIDED && guess->seen.size > 0) {
        note_question(&note, guess);
    } else if (could_be_coarser(guess)) {
        pv_i_buffer_format(&note, "To keep it, coarser, write {role: quasi%s",
                           guess->reading.size > 0 ? guess->reading.data : "");
        write_hierarchy(&note, guess);
        pv_i_buffer_char(&note, '}');
    }
    if (guess->is_household && guess->look.in_runs) {
        pv_i_buffer_format(&note,
                           "Rows of one group stand together in the file: never %s, which would "
                           "still tell who belongs together.",
                           pv_i_say(words, PV_PHRASE_KEEP_ORDER));
    }
    if (guess->unfit != NULL && guess->file == NULL) {
        pv_i_buffer_text(&note, note.size > 0 ? " " : "");
        pv_i_buffer_text(&note, "A hierarchy lies beside the data, but ");
        pv_i_buffer_count(&note, guess->unfit_lacks);
        pv_i_buffer_text(&note, guess->unfit_lacks == 1 ? " value has" : " values have");
        pv_i_buffer_text(&note, " no place in it; add what is missing and write hierarchy: ");
        pv_i_yaml_scalar(&note, guess->unfit);
    }
    if (is_read(guess) && guess->reading_note.size > 0) {
        pv_i_buffer_text(&note, note.size > 0 ? " " : "");
        pv_i_buffer_text(&note, guess->reading_note.data);
    }
    text->failed = text->failed || note.failed;
    if (note.size > 0 && !note.failed) {
        write_note(text, note.data);
    }
    pv_i_buffer_deinit(&note);
}

/* Where the parts of a line begin. */
typedef struct {
    size_t entry, comment;
} layout;

static void write_line(pv_buffer *text, const pv_guess *guess, layout columns,
                       const char *const *words)
{
    if (!pv_i_yaml_can_hold(guess->look.name)) {
        pv_i_buffer_text(text, "  # a column whose name is not UTF-8 cannot be named here\n  ");
        write_comment(text, guess);
        return;
    }
    write_notes(text, guess, words);
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

static size_t entry_width(const pv_guess *guess)
{
    const size_t role = strlen(pv_role_name(guess->role)) + 2 * (guess->role == PV_ROLE_UNDECIDED);
    const char *const hierarchy = guess->file != NULL ? guess->file : guess->hierarchy;
    const bool shown = guess->role == PV_ROLE_QUASI && hierarchy[0] != '\0';
    return role + strlen("{role: }") + (is_read(guess) ? guess->reading.size : 0) +
           (shown ? strlen(", hierarchy: ") + strlen(hierarchy) : 0);
}

/* Wide enough for all names but the very long ones. */
static layout lay_out(const pv_guess *guesses, size_t n)
{
    size_t entry = 0;
    size_t width = 0;
    for (size_t i = 0; i < n; i++) {
        const size_t key = strlen(guesses[i].look.name) + strlen("  : ");
        entry = key <= WIDEST_KEY ? larger(entry, key) : entry;
        width = larger(width, entry_width(&guesses[i]));
    }
    return (layout){.entry = entry, .comment = entry + width};
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

static void write_questions(pv_buffer *text, const pv_guesses *g)
{
    uint64_t n = 0;
    for (size_t i = 0; i < g->n; i++) {
        n += g->list[i].role == PV_ROLE_UNDECIDED && pv_i_yaml_can_hold(g->list[i].look.name);
    }
    if (n > 0) {
        pv_i_buffer_text(text, "# Open: ");
        write_number(text, n, "column");
        pv_i_buffer_format(text,
                           " with the role \"?\". No command takes this plan before a role is "
                           "written in place of\n# %s.\n",
                           n == 1 ? "it" : "each of them");
    }
}

static void write_open_formats(pv_buffer *text, const pv_guesses *g)
{
    uint64_t n = 0;
    for (size_t i = 0; i < g->n; i++) {
        n += g->list[i].open_format != '\0' && is_read(&g->list[i]);
    }
    if (n > 0) {
        pv_i_buffer_text(text, "# Open: how the numbers or dates of ");
        write_number(text, n, "column");
        pv_i_buffer_format(text, " are written; what stands in place of \"?\" is\n# said there.\n");
    }
}

static void write_head(pv_buffer *text, const pv_guesses *g)
{
    pv_i_buffer_text(text, "# A plan to start from, guessed by looking at ");
    write_number(text, pv_table_rows(g->table), "row");
    pv_i_buffer_text(text, " and ");
    write_number(text, pv_table_columns(g->table), "column");
    pv_i_buffer_text(text, ".\n");
    pv_i_buffer_text(text, head);
    write_questions(text, g);
    write_open_formats(text, g);
    if (pv_i_yaml_can_hold(g->data)) {
        pv_i_buffer_text(text, "data: ");
        pv_i_yaml_scalar(text, g->data);
        pv_i_buffer_char(text, '\n');
    } else {
        pv_i_buffer_text(text, "# data: a path that is not UTF-8 cannot be written here\n");
    }
    write_delimiter(text, pv_table_delimiter(g->table));
    pv_i_buffer_text(text, "suppression: 1%  # so many rows may be suppressed to protect the rest\n"
                           "attributes:\n");
}

pv_status pv_guesses_text(const pv_guesses *guesses, char **text, pv_error *error)
{
    pv_buffer buffer = {0};
    write_head(&buffer, guesses);
    const layout columns = lay_out(guesses->list, guesses->n);
    for (size_t i = 0; i < guesses->n; i++) {
        write_line(&buffer, &guesses->list[i], columns, guesses->words);
    }
    return pv_i_buffer_take(&buffer, text, error);
}

pv_status pv_plan_guess(pv_table *table, const char *data, char **text, pv_error *error)
{
    pv_guesses *guesses = NULL;
    PV_TRY(pv_guesses_create(table, data, &guesses, error));
    const pv_status status = pv_guesses_text(guesses, text, error);
    pv_guesses_free(guesses);
    return status;
}
