/* Keeping everything a publisher's wishes brought about in a session file.
 *
 * Only what cannot be computed again is written: the cuts of a scheme as bits, the sizes of its
 * classes, its bias and how far it meets the rules. What it loses follows from the cuts and the
 * weights, which may change; it is written only where it is read from the classes. Every scheme has
 * a seal, a hash of its own row: a file that was changed or damaged is refused, not believed. */
#include "prefer/session.h"

#ifdef PV_HAVE_SQLITE

#include "base/error.h"
#include "base/hash.h"
#include "base/markup.h"
#include "base/memory.h"
#include "scheme/cuts.h"

#include <math.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>

struct pv_session {
    pv_db db;
    size_t n_saved; /* schemes in the file; their ids are those of the run */
    size_t n_bytes; /* of a scheme in the file */
    /* One scheme, a byte per cut and a bit per cut. */
    uint8_t *cuts, *packed;
    /* While it is paused `db` is empty. Nobody has continued the file as long as it is the same one
     * and ends with the same step. */
    char *path;
    bool is_paused;
    struct stat file;
    sqlite3_int64 last_step; /* -1 = not known */
};

const pv_db *pv_i_session_db(const pv_session *session)
{
    return session->is_paused ? NULL : &session->db;
}

static pv_status take_again(pv_session *session, bool *is_same, pv_error *error);

/* ----------------------------------------------------------------- schemes */

/* A hash of a scheme's row: it shows whether its bytes have changed since it was written. No secret
 * is in it; it is against damage, not against forgery. */
static uint64_t seal_of(const pv_session *session, const pv_cut_outcome *outcome)
{
    uint64_t words[] = {pv_i_hash_bytes(session->packed, session->n_bytes),
                        outcome->cost,
                        outcome->sizes.smallest,
                        outcome->sizes.largest,
                        outcome->sizes.n_classes,
                        0,
                        0};
    memcpy(&words[5], &outcome->bias, sizeof outcome->bias);
    memcpy(&words[6], &outcome->compliance, sizeof outcome->compliance);
    return pv_i_hash_words(words, sizeof words / sizeof *words);
}

/* Does the loss follow from cuts and weights? */
static bool is_priced(const pv_cut_search *search)
{
    return search->criteria.loss_kind == PV_CUT_LOSS_SUM;
}

/* The scheme of a row, into `session->cuts`, and what came of it. False if no session wrote it. */
static bool read_scheme(const pv_session *session, const pv_cut_search *search, sqlite3_stmt *row,
                        uint64_t expected_id, pv_cut_outcome *outcome)
{
    uint64_t id = 0;
    uint64_t n_classes = 0;
    const void *const bits = sqlite3_column_blob(row, 1);
    outcome->sizes.n_rows = search->space.n_rows;
    if (!pv_i_db_count(row, 0, &id) || id != expected_id ||
        sqlite3_column_type(row, 1) != SQLITE_BLOB ||
        (size_t)sqlite3_column_bytes(row, 1) != session->n_bytes ||
        !pv_i_db_count(row, 2, &outcome->cost) ||
        !pv_i_db_count(row, 3, &outcome->sizes.smallest) ||
        !pv_i_db_count(row, 4, &outcome->sizes.largest) || !pv_i_db_count(row, 5, &n_classes)) {
        return false;
    }
    outcome->bias = sqlite3_column_double(row, 6);
    outcome->compliance = sqlite3_column_double(row, 7);
    memcpy(session->packed, bits != NULL ? bits : "", session->n_bytes);
    outcome->sizes.n_classes = (size_t)n_classes;
    const pv_cut_sizes *const sizes = &outcome->sizes;
    bool good = true;
    for (size_t i = 0; i < 8 * session->n_bytes; i++) {
        const uint8_t bit = session->packed[i / 8] >> i % 8 & 1;
        if (i < search->space.n_bits) {
            session->cuts[i] = bit;
        } else {
            good = good && bit == 0; /* no cut has this bit */
        }
    }
    return good && sizes->smallest > 0 && sizes->smallest <= sizes->largest &&
           sizes->largest <= sizes->n_rows && sizes->n_classes > 0 &&
           sizes->n_classes <= sizes->n_rows / sizes->smallest && outcome->bias >= 0 &&
           outcome->bias <= 1 && outcome->compliance >= 0 && outcome->compliance <= 1 &&
           (!is_priced(search) || outcome->cost == 0) &&
           (double)outcome->cost <= search->prices.one &&
           seal_of(session, outcome) == (uint64_t)sqlite3_column_int64(row, 8);
}

static pv_status load_schemes(const pv_session *session, const pv_cut_search *search,
                              pv_cut_run *run, pv_error *error)
{
    sqlite3_stmt *rows = NULL;
    pv_status status = PV_STATUS_OK;
    PV_TRY(pv_i_db_prepare(&session->db,
                           "SELECT id, bits, cost, smallest, largest, n_classes, bias, kept, seal"
                           " FROM schemes ORDER BY id",
                           &rows, error));
    for (bool is_row = true;;) {
        pv_cut_outcome outcome = {0};
        const size_t known = run->map.n;
        PV_TRY_CLEAN(pv_i_db_next(&session->db, rows, &is_row, error));
        if (!is_row) {
            break;
        }
        if (!read_scheme(session, search, rows, known, &outcome)) {
            PV_TRY_CLEAN(pv_i_db_damaged(&session->db, "a scheme is not as it was written", error));
        }
        PV_TRY_CLEAN(pv_i_cut_run_remember(run, session->cuts, &outcome, NULL, error));
        if (run->map.n == known) {
            PV_TRY_CLEAN(pv_i_db_damaged(&session->db, "a scheme is there twice", error));
        }
    }
cleanup:
    (void)sqlite3_finalize(rows);
    return status;
}

/* Those that are not in the file yet. */
static pv_status save_schemes(const pv_session *session, const pv_cut_search *search,
                              pv_error *error)
{
    sqlite3_stmt *row = NULL;
    pv_status status = pv_i_db_prepare(
        &session->db, "INSERT INTO schemes VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)", &row, error);
    for (size_t id = session->n_saved; status == PV_STATUS_OK && id < search->run.map.n; id++) {
        pv_cut_outcome outcome = *pv_i_cut_run_outcome(&search->run, (uint32_t)id);
        outcome.cost = is_priced(search) ? 0 : outcome.cost;
        pv_i_cut_run_scheme(&search->run, (uint32_t)id, session->cuts);
        memset(session->packed, 0, session->n_bytes);
        for (size_t i = 0; i < search->space.n_bits; i++) {
            session->packed[i / 8] |= (uint8_t)((session->cuts[i] != 0) << i % 8);
        }
        (void)sqlite3_bind_int64(row, 1, (sqlite3_int64)id);
        (void)sqlite3_bind_blob(row, 2, session->packed, (int)session->n_bytes, SQLITE_STATIC);
        (void)sqlite3_bind_int64(row, 3, (sqlite3_int64)outcome.cost);
        (void)sqlite3_bind_int64(row, 4, (sqlite3_int64)outcome.sizes.smallest);
        (void)sqlite3_bind_int64(row, 5, (sqlite3_int64)outcome.sizes.largest);
        (void)sqlite3_bind_int64(row, 6, (sqlite3_int64)outcome.sizes.n_classes);
        (void)sqlite3_bind_double(row, 7, outcome.bias);
        (void)sqlite3_bind_double(row, 8, outcome.compliance);
        (void)sqlite3_bind_int64(row, 9, (sqlite3_int64)seal_of(session, &outcome));
        status = pv_i_db_write(&session->db, row, error);
    }
    (void)sqlite3_finalize(row);
    return status;
}

/* ------------------------------------------------------------------- steps */

typedef struct {
    pv_step_kind kind;
    uint64_t k, evaluated;
    const pv_answer *answer; /* NULL if nothing was wished for */
    size_t solution;         /* of the answer */
    uint32_t scheme;
    const char *note; /* NULL = none */
} step;

static pv_status save_step(const pv_session *session, const step *s, pv_error *error)
{
    const time_t now = time(NULL);
    struct tm utc = {0};
    char text[sizeof "2026-01-31T12:00:00Z"] = "";
    sqlite3_stmt *row = NULL;
    (void)strftime(text, sizeof text, "%Y-%m-%dT%H:%M:%SZ", gmtime_r(&now, &utc));
    PV_TRY(pv_i_db_prepare(&session->db,
                           "INSERT INTO steps VALUES (NULL, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
                           &row, error));
    (void)sqlite3_bind_text(row, 1, pv_i_step_names[s->kind], -1, SQLITE_STATIC);
    (void)sqlite3_bind_text(row, 2, text, -1, SQLITE_STATIC);
    (void)sqlite3_bind_int64(row, 3, (sqlite3_int64)s->k);
    (void)sqlite3_bind_int64(row, 4, (sqlite3_int64)s->evaluated);
    if (s->answer != NULL) {
        const pv_solution *const solution = &s->answer->solutions[s->solution];
        (void)sqlite3_bind_int64(row, 5, s->scheme);
        (void)sqlite3_bind_double(row, 6, s->answer->goal.wish.bias);
        (void)sqlite3_bind_double(row, 7, s->answer->goal.wish.loss);
        (void)sqlite3_bind_double(row, 8, solution->point.bias);
        (void)sqlite3_bind_double(row, 9, solution->point.loss);
        (void)sqlite3_bind_double(row, 10, solution->achievement);
        (void)sqlite3_bind_double(row, 11, s->answer->bound);
        (void)sqlite3_bind_int(row, 12, s->answer->proven && s->solution == 0);
    }
    if (s->note != NULL) {
        (void)sqlite3_bind_text(row, 13, s->note, -1, SQLITE_STATIC);
    }
    const pv_status status = pv_i_db_write(&session->db, row, error);
    (void)sqlite3_finalize(row);
    return status;
}

/* The weights that belong to the step just written. */
static pv_status save_weights(const pv_session *session, const pv_preference *preference,
                              pv_error *error)
{
    const sqlite3_int64 id = sqlite3_last_insert_rowid(session->db.sqlite);
    sqlite3_stmt *row = NULL;
    pv_status status =
        pv_i_db_prepare(&session->db, "INSERT INTO weights VALUES (?, ?, ?)", &row, error);
    for (size_t a = 0; status == PV_STATUS_OK && a < preference->search.space.n_axes; a++) {
        (void)sqlite3_bind_int64(row, 1, id);
        (void)sqlite3_bind_int64(row, 2, (sqlite3_int64)a);
        (void)sqlite3_bind_double(row, 3, preference->weights[a]);
        status = pv_i_db_write(&session->db, row, error);
    }
    (void)sqlite3_finalize(row);
    return status;
}

/* Commits what went well, and takes back what did not. */
static pv_status end_transaction(const pv_session *session, pv_status status, pv_error *error)
{
    if (status == PV_STATUS_OK) {
        status = pv_i_db_run(&session->db, "COMMIT", error);
    }
    if (status != PV_STATUS_OK) {
        (void)sqlite3_exec(session->db.sqlite, "ROLLBACK", NULL, NULL, NULL);
    }
    return status;
}

/* A step, and before it all schemes that it counts as evaluated, whatever they were evaluated for.
 */
static pv_status write_step(pv_session *session, const pv_preference *preference, const step *s,
                            pv_error *error)
{
    bool is_same = true;
    PV_TRY(take_again(session, &is_same, error));
    if (!is_same) {
        return pv_i_hint(pv_i_fail_at(error, PV_STATUS_EXISTS, session->path, 0, 0,
                                      "somebody else has continued this session"),
                         error, "open it again: what was found there is part of it");
    }
    PV_TRY(pv_i_db_run(&session->db, "BEGIN IMMEDIATE", error));
    pv_status status = save_schemes(session, &preference->search, error);
    if (status == PV_STATUS_OK) {
        status = save_step(session, s, error);
    }
    if (status == PV_STATUS_OK && s->kind == PV_STEP_WEIGHTS) {
        status = save_weights(session, preference, error);
    }
    PV_TRY(end_transaction(session, status, error));
    session->n_saved = preference->search.run.map.n;
    return PV_STATUS_OK;
}

/* The step names the scheme of the solution, found by its cuts. */
pv_status pv_i_session_note(pv_session *session, const pv_preference *preference, pv_step_kind kind,
                            const pv_answer *answer, size_t solution, pv_error *error)
{
    const pv_cut_search *const search = &preference->search;
    step s = {.kind = kind,
              .k = answer->solutions[solution].k,
              .evaluated = search->run.evaluated,
              .answer = answer,
              .solution = solution};
    PV_TRY(pv_i_cuts_to_bits(&search->space, pv_profile_study(search->profile),
                             answer->solutions[solution].cuts, session->cuts, error));
    s.scheme = pv_i_cut_run_find(&search->run, session->cuts);
    return s.scheme != PV_KEYMAP_FULL
               ? write_step(session, preference, &s, error)
               : pv_i_fail(error, PV_STATUS_ARGUMENT, "the answer is not one of this session");
}

/* ----------------------------------------------------------------- weights */

/* With a note for people: "age=3, sex=1". */
pv_status pv_i_session_note_weights(pv_session *session, const pv_preference *preference,
                                    pv_error *error)
{
    const pv_cut_search *const search = &preference->search;
    pv_buffer note = {0};
    for (size_t a = 0; a < search->space.n_axes; a++) {
        pv_i_buffer_text(&note, a > 0 ? ", " : "");
        pv_i_buffer_text(&note, pv_study_quasi_name(pv_profile_study(search->profile), a));
        pv_i_buffer_format(&note, "=%g", preference->weights[a]);
    }
    const step s = {.kind = PV_STEP_WEIGHTS,
                    .k = search->settings.k,
                    .evaluated = search->run.evaluated,
                    .note = note.data};
    const pv_status status =
        note.failed ? pv_i_no_memory(error) : write_step(session, preference, &s, error);
    pv_i_buffer_deinit(&note);
    return status;
}

/* The last weights, one per axis; `is_there` says whether there are any. */
static pv_status load_weights(const pv_session *session, size_t n_axes, double *weights,
                              bool *is_there, pv_error *error)
{
    sqlite3_stmt *rows = NULL;
    size_t n = 0;
    double sum = 0;
    bool good = true;
    bool is_row = true;
    pv_status status = pv_i_db_prepare(&session->db,
                                       "SELECT place, weight FROM weights WHERE step = "
                                       "(SELECT max(step) FROM weights) ORDER BY place",
                                       &rows, error);
    for (; good && status == PV_STATUS_OK; n++) {
        status = pv_i_db_next(&session->db, rows, &is_row, error);
        if (status != PV_STATUS_OK || !is_row) {
            break;
        }
        const double weight = sqlite3_column_double(rows, 1);
        good = n < n_axes && sqlite3_column_int64(rows, 0) == (sqlite3_int64)n && weight >= 0 &&
               isfinite(weight);
        if (good) {
            weights[n] = weight;
            sum += weight;
        }
    }
    (void)sqlite3_finalize(rows);
    PV_TRY(status);
    *is_there = n > 0;
    return good && (n == 0 || (n == n_axes && sum > 0 && isfinite(sum)))
               ? PV_STATUS_OK
               : pv_i_db_damaged(&session->db, "the weights are not as they were written", error);
}

/* ------------------------------------------------------------------- facts */

/* What a session belongs to: the table, the plan and k, without any value of the data. Another
 * table, plan or k differs in one of these facts, and what was remembered would be wrong for it. */
typedef struct {
    const char *name;    /* in the file */
    const char *differs; /* "the session is for ..." */
    bool shown;          /* what it says means something to people */
    bool by_axis;        /* asked axis by axis, separated by commas; else once, with axis 0 */
    void (*add)(const pv_cut_search *search, size_t axis, pv_buffer *value); /* appends it */
    pv_phrase phrase; /* of `differs`; none = 0 */
} fact;

static void add_number(pv_buffer *value, uint64_t number)
{
    pv_i_buffer_format(value, "%llu", (unsigned long long)number);
}

static void add_hash(pv_buffer *value, uint64_t hash)
{
    pv_i_buffer_format(value, "%016llx", (unsigned long long)hash);
}

static void fact_attributes(const pv_cut_search *search, size_t axis, pv_buffer *value)
{
    pv_i_buffer_text(value, pv_study_quasi_name(pv_profile_study(search->profile), axis));
}

static void fact_rows(const pv_cut_search *search, size_t axis, pv_buffer *value)
{
    (void)axis;
    add_number(value, search->space.n_rows);
}

static void fact_k(const pv_cut_search *search, size_t axis, pv_buffer *value)
{
    (void)axis;
    add_number(value, search->settings.k);
}

static void fact_values(const pv_cut_search *search, size_t axis, pv_buffer *value)
{
    add_number(value, search->space.axes[axis].n);
}

/* Of the plan: later ones are steps. */
static void fact_weights(const pv_cut_search *search, size_t axis, pv_buffer *value)
{
    pv_cut_prices prices;
    pv_i_cut_criteria_prices(&search->criteria, NULL, &prices);
    add_number(value, prices.unit[axis]);
}

static void fact_demands(const pv_cut_search *search, size_t axis, pv_buffer *value)
{
    char text[PV_MEASURE_TEXT_SIZE];
    (void)axis;
    for (size_t i = 0; i < search->criteria.rules.n_rules; i++) {
        pv_constraint_text(&search->criteria.rules.rules[i], text, sizeof text);
        pv_i_buffer_format(value, "%s%s", i > 0 ? ", " : "", text);
    }
    pv_i_buffer_text(value, search->criteria.rules.n_rules == 0 ? "none" : "");
}

static void fact_measures(const pv_cut_search *search, size_t axis, pv_buffer *value)
{
    (void)axis;
    pv_i_buffer_format(value, "%s and %s", search->criteria.bias.measure->name,
                       search->criteria.loss.measure->name);
}

/* What the plan's levels force and forbid; nothing where they limit nothing, as in older files. */
static void add_limits(const pv_cut_search *search, size_t axis, pv_buffer *value)
{
    const pv_cut_axis *const own = &search->space.axes[axis];
    if (own->stretch != NULL) {
        uint64_t hash = own->exact;
        for (uint32_t v = 0; v < own->n; v++) {
            const uint64_t words[] = {hash, own->stretch[v]};
            hash = pv_i_hash_words(words, 2);
        }
        pv_i_buffer_text(value, " within ");
        add_hash(value, hash);
    }
}

/* The shape of the tree: which leaves are together at which level. */
static void fact_taxonomy(const pv_cut_search *search, size_t axis, pv_buffer *value)
{
    const pv_hierarchy *const hierarchy = search->space.axes[axis].hierarchy;
    uint64_t hash = 0;
    if (!search->space.axes[axis].respects) {
        pv_i_buffer_text(value, "free");
        add_limits(search, axis, value);
        return;
    }
    for (unsigned level = 1; level <= pv_hierarchy_height(hierarchy); level++) {
        for (uint32_t leaf = 0; leaf < pv_hierarchy_leaves(hierarchy); leaf++) {
            const uint64_t words[] = {hash, level, pv_hierarchy_group(hierarchy, level, leaf)};
            hash = pv_i_hash_words(words, 3);
        }
    }
    add_hash(value, hash);
    add_limits(search, axis, value);
}

static void fact_counts(const pv_cut_search *search, size_t axis, pv_buffer *value)
{
    const pv_cut_axis *const own = &search->space.axes[axis];
    add_hash(value, pv_i_hash_words(own->rows, (size_t)own->n + 1));
}

/* Who has which values together, whatever the order of the rows: a sum of hashes. */
static void fact_people(const pv_cut_search *search, size_t axis, pv_buffer *value)
{
    const pv_cut_view *const view = &search->table.base;
    const size_t n = search->space.n_axes + search->table.n_columns;
    uint64_t sum = 0;
    (void)axis;
    for (size_t tuple = 0; tuple < view->n; tuple++) {
        uint64_t words[PV_MOST_CUT_AXES + 1] = {view->counts[tuple]};
        for (size_t a = 0; a < n; a++) {
            words[a + 1] = view->values[a] != NULL ? view->values[a][tuple] : 0;
        }
        sum += pv_i_hash_words(words, n + 1);
    }
    add_hash(value, sum);
}

/* The first that differs is the best explanation. */
static const fact facts[] = {
    {"attributes", "other attributes", true, true, fact_attributes, 0},
    {"rows", "another number of rows", true, false, fact_rows, 0},
    {"k", "another k", true, false, fact_k, 0},
    {"demands", "other demands", true, false, fact_demands, 0},
    {"measures", "another spread of class sizes or loss", true, false, fact_measures, 0},
    {"values", "other numbers of values", true, true, fact_values, 0},
    {"weights", "other weights of the attributes", false, true, fact_weights, 0},
    {"taxonomy",
     "other hierarchies or allowed levels, or groups that may cross them on one side only", false,
     true, fact_taxonomy, PV_PHRASE_FREE_GROUPS},
    {"counts", "a table with other values", false, true, fact_counts, 0},
    {"people", "a table with other rows", false, false, fact_people, 0},
    {0}};

/* Compares one fact with the file's, or writes it there. */
static pv_status use_fact(const pv_session *session, const fact *f, const char *ours, bool is_new,
                          sqlite3_stmt *statement, pv_error *error)
{
    bool is_row = false;
    (void)sqlite3_bind_text(statement, 1, f->name, -1, SQLITE_STATIC);
    if (is_new) {
        (void)sqlite3_bind_text(statement, 2, ours, -1, SQLITE_STATIC);
        return pv_i_db_write(&session->db, statement, error);
    }
    PV_TRY(pv_i_db_next(&session->db, statement, &is_row, error));
    const char *const theirs = is_row && sqlite3_column_type(statement, 0) == SQLITE_TEXT
                                   ? (const char *)sqlite3_column_text(statement, 0)
                                   : NULL;
    if (theirs == NULL) {
        return pv_i_db_damaged(&session->db, "it does not say what it is for", error);
    }
    if (strcmp(theirs, ours) == 0) {
        (void)sqlite3_reset(statement);
        return PV_STATUS_OK;
    }
    pv_buffer text = {0};
    pv_i_buffer_format(&text, "the session is for %s", f->differs);
    if (f->shown) {
        pv_i_buffer_text(&text, ": ");
        pv_i_markup_clean(&text, theirs);
        pv_i_buffer_format(&text, "; here it is %s", ours);
    }
    const pv_status status =
        text.failed ? pv_i_no_memory(error)
                    : pv_i_hint(pv_i_fail_at(error, PV_STATUS_INPUT, session->db.path, 0, 0, "%s",
                                             text.data),
                                error,
                                "go on with the data, the plan and the options it was begun with, "
                                "or begin a new session in another file");
    pv_i_buffer_deinit(&text);
    return pv_i_has_phrase(status, error, f->phrase);
}

static pv_status use_facts(const pv_session *session, const pv_cut_search *search, bool is_new,
                           pv_error *error)
{
    sqlite3_stmt *statement = NULL;
    pv_buffer ours = {0};
    pv_status status = pv_i_db_prepare(&session->db,
                                       is_new ? "INSERT INTO meta VALUES (?, ?)"
                                              : "SELECT value FROM meta WHERE name = ?",
                                       &statement, error);
    for (const fact *f = facts; status == PV_STATUS_OK && f->name != NULL; f++) {
        pv_i_buffer_clear(&ours);
        for (size_t a = 0; a < (f->by_axis ? search->space.n_axes : 1); a++) {
            pv_i_buffer_text(&ours, a > 0 ? ", " : "");
            f->add(search, a, &ours);
        }
        status = ours.failed ? pv_i_no_memory(error)
                             : use_fact(session, f, ours.data, is_new, statement, error);
    }
    (void)sqlite3_finalize(statement);
    pv_i_buffer_deinit(&ours);
    return status;
}

/* -------------------------------------------------------------------- open */

/* What a file has, until all of it is read and replaces what the preference had. */
typedef struct {
    pv_cut_run run;
    uint64_t wishes;
    double weights[PV_MOST_CUT_AXES];
    bool has_weights;
} memory;

static pv_status load(const pv_session *session, const pv_cut_search *search, memory *m,
                      pv_error *error)
{
    sqlite3_int64 n = 0;
    PV_TRY(use_facts(session, search, false, error));
    PV_TRY(load_weights(session, search->space.n_axes, m->weights, &m->has_weights, error));
    PV_TRY(load_schemes(session, search, &m->run, error));
    PV_TRY(pv_i_db_ask(&session->db, "SELECT evaluated FROM steps ORDER BY id DESC LIMIT 1", &n,
                       error));
    if ((uint64_t)n != m->run.evaluated) {
        return pv_i_db_damaged(&session->db, "some schemes are missing", error);
    }
    PV_TRY(pv_i_db_ask(&session->db, "SELECT count(*) FROM steps WHERE kind = 'wish'", &n, error));
    m->wishes = (uint64_t)n;
    return PV_STATUS_OK;
}

/* Inside a transaction: makes the file a session, or reads the session it is, and notes that. */
static pv_status enter(pv_session *session, const pv_cut_search *search, memory *m, pv_error *error)
{
    bool is_empty = false;
    PV_TRY(pv_i_db_recognise(&session->db, &is_empty, error));
    if (is_empty) {
        PV_TRY(pv_i_db_run(&session->db, pv_i_db_schema, error));
        PV_TRY(use_facts(session, search, true, error));
    } else {
        PV_TRY(load(session, search, m, error));
    }
    session->n_saved = m->run.map.n;
    const step opened = {
        .kind = PV_STEP_OPENED, .k = search->settings.k, .evaluated = m->run.evaluated};
    return save_step(session, &opened, error);
}

/* From here on until it is closed the file is ours alone. */
pv_status pv_preference_open_session(pv_preference *preference, const char *path, pv_error *error)
{
    pv_cut_search *const search = &preference->search;
    memory m = {0};
    pv_status status = PV_STATUS_OK;
    if (preference->session != NULL || search->run.map.n > 0 || preference->is_weighed) {
        return pv_i_fail(error, PV_STATUS_ARGUMENT,
                         "a session must be opened before the first wish, and only one");
    }
    pv_session *const session = PV_NEW(pv_session);
    if (session == NULL) {
        return pv_i_no_memory(error);
    }
    session->n_bytes = (search->space.n_bits + 7) / 8;
    session->cuts = PV_NEW_ARRAY(uint8_t, search->space.n_bits);
    session->packed = PV_NEW_ARRAY(uint8_t, session->n_bytes);
    session->path = pv_i_strdup(path);
    PV_TRY_CLEAN(session->cuts != NULL && session->packed != NULL && session->path != NULL
                     ? pv_i_db_open(&session->db, path, true, error)
                     : pv_i_no_memory(error));
    PV_TRY_CLEAN(pv_i_preference_init_run(preference, &m.run, error));
    PV_TRY_CLEAN(
        pv_i_db_run(&session->db, "PRAGMA locking_mode = EXCLUSIVE; BEGIN EXCLUSIVE", error));
    if (sqlite3_db_readonly(session->db.sqlite, "main") != 0) {
        PV_TRY_CLEAN(pv_i_fail_at(error, PV_STATUS_IO, session->db.path, 0, 0,
                                  "the session file cannot be written"));
    }
    PV_TRY_CLEAN(end_transaction(session, enter(session, search, &m, error), error));
    pv_i_cut_run_deinit(&search->run);
    search->run = m.run;
    preference->wishes = m.wishes;
    preference->session = session;
    if (m.has_weights) {
        pv_i_preference_reprice(preference, m.weights);
    } else if (is_priced(search)) {
        pv_i_cut_run_reprice(&search->run);
    }
    return PV_STATUS_OK;
cleanup:
    pv_i_cut_run_deinit(&m.run);
    pv_i_session_close(session);
    return status;
}

void pv_i_session_close(pv_session *session)
{
    if (session == NULL) {
        return;
    }
    pv_i_db_close(&session->db);
    pv_i_free(session->cuts);
    pv_i_free(session->packed);
    pv_i_free(session->path);
    pv_i_free(session);
}

/* ------------------------------------------------------------------- pause */

static const char last_step[] = "SELECT ifnull(max(id), 0) FROM steps";

void pv_preference_pause_session(pv_preference *preference)
{
    pv_session *const session = preference->session;
    if (session == NULL || session->is_paused) {
        return;
    }
    if (stat(session->path, &session->file) != 0 ||
        pv_i_db_ask(&session->db, last_step, &session->last_step, NULL) != PV_STATUS_OK) {
        session->last_step = -1; /* it will not be taken for the same */
    }
    pv_i_db_close(&session->db);
    session->is_paused = true;
}

/* Ends as the file was: it is ours alone again, or still paused. */
static pv_status look_again(pv_session *session, bool *is_same, pv_error *error)
{
    sqlite3_int64 last = 0;
    PV_TRY(pv_i_db_run(&session->db, "PRAGMA locking_mode = EXCLUSIVE; BEGIN EXCLUSIVE", error));
    PV_TRY(end_transaction(session, pv_i_db_ask(&session->db, last_step, &last, error), error));
    *is_same = last == session->last_step;
    return PV_STATUS_OK;
}

static pv_status take_again(pv_session *session, bool *is_same, pv_error *error)
{
    struct stat file;
    *is_same = true;
    if (!session->is_paused) {
        return PV_STATUS_OK;
    }
    if (session->last_step < 0 || stat(session->path, &file) != 0 ||
        file.st_dev != session->file.st_dev || file.st_ino != session->file.st_ino) {
        *is_same = false;
        return PV_STATUS_OK;
    }
    PV_TRY(pv_i_db_open(&session->db, session->path, false, error));
    const pv_status status = look_again(session, is_same, error);
    session->is_paused = status != PV_STATUS_OK || !*is_same;
    if (session->is_paused) {
        pv_i_db_close(&session->db);
    }
    return status;
}

pv_status pv_preference_resume_session(pv_preference *preference, bool *is_same, pv_error *error)
{
    *is_same = true;
    return preference->session != NULL ? take_again(preference->session, is_same, error)
                                       : PV_STATUS_OK;
}

#else /* without SQLite a clear answer */

#include "base/error.h"

static pv_status fail_absent(const char *path, pv_error *error)
{
    return pv_i_hint(pv_i_fail_at(error, PV_STATUS_UNSUPPORTED, path, 0, 0,
                                  "this program was built without SQLite, which keeps sessions"),
                     error, "install SQLite (libsqlite3-dev on Debian) and build again");
}

pv_status pv_preference_open_session(pv_preference *preference, const char *path, pv_error *error)
{
    (void)preference;
    return fail_absent(path, error);
}

void pv_preference_pause_session(pv_preference *preference)
{
    (void)preference;
}

pv_status pv_preference_resume_session(pv_preference *preference, bool *is_same, pv_error *error)
{
    (void)preference;
    (void)error;
    *is_same = true;
    return PV_STATUS_OK;
}

pv_status pv_preference_log_read(const char *path, pv_preference_log **log, pv_error *error)
{
    (void)log;
    return fail_absent(path, error);
}

pv_status pv_preference_log_of(const pv_preference *preference, pv_preference_log **log,
                               pv_error *error)
{
    (void)preference;
    (void)log;
    return pv_i_fail(error, PV_STATUS_ARGUMENT, "there is no session file");
}

pv_status pv_i_session_note(pv_session *session, const pv_preference *preference, pv_step_kind kind,
                            const pv_answer *answer, size_t solution, pv_error *error)
{
    (void)session;
    (void)preference;
    (void)kind;
    (void)answer;
    (void)solution;
    return fail_absent(NULL, error);
}

pv_status pv_i_session_note_weights(pv_session *session, const pv_preference *preference,
                                    pv_error *error)
{
    (void)session;
    (void)preference;
    return fail_absent(NULL, error);
}

void pv_i_session_close(pv_session *session)
{
    (void)session;
}

#endif
