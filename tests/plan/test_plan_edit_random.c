/* Random documents, changed at random places: what the new text says is compared with the document
 * changed as a tree, which knows nothing of texts. And a key that was added and is removed again
 * leaves the text as it was. */
#include "support/testing.h"

#include "base/arena.h"
#include "base/buffer.h"
#include "base/rng.h"
#include "plan/document.h"

#include <paravent/plan.h>
#include <string.h>

typedef struct tree tree;
struct tree {
    pv_node_kind kind;
    const char *text; /* of a scalar */
    const char *key;
    tree *first, *next;
    bool is_block_text;
    bool is_braces; /* a mapping that is written `{...}` */
};

typedef struct {
    pv_rng rng;
    pv_arena arena;
    pv_buffer text;
    const char *newline;
    bool has_block_texts;
} writer;

static size_t below(writer *w, size_t n)
{
    return (size_t)pv_i_rng_below(&w->rng, n);
}

static bool once_in(writer *w, size_t n)
{
    return below(w, n) == 0;
}

static void put(writer *w, const char *text)
{
    pv_i_buffer_text(&w->text, text);
}

/* -------------------------------------------------------------------- trees */

static const struct {
    const char *text, *written; /* NULL = in block style, block texts only */
} scalars[] = {
    {"quasi", "quasi"},
    {"5", "5"},
    {"x y", "x y"},
    {"x: y # z", "'x: y # z'"},
    {"it's\n", "\"it's\\n\""},
    {"\xc3\xa4\xe2\x82\xac", "\xc3\xa4\xe2\x82\xac"},
    {"", "\"\""},
    {"-", "'-'"},
    {"a: b\n", "|%a: b%"},
    {"a\n# b\n\n", "|+%a%# b%%"},
    {"a b", ">-%a%b%"},
};

static const char *const keys[] = {"a", "role", "zip: home", "#children", "\xc3\xbc", "-", "", "9"};
#define N_KEYS (sizeof keys / sizeof *keys)

static tree *grow(writer *w, size_t depth, bool in_braces)
{
    tree *const made = pv_i_arena_alloc(&w->arena, sizeof *made);
    assert_non_null(made);
    const size_t kind = depth > 3 ? 2 : depth == 0 ? 0 : below(w, 4);
    if (kind >= 2) {
        const size_t i = below(w, in_braces ? 8 : sizeof scalars / sizeof *scalars);
        *made = (tree){.text = scalars[i].text, .is_block_text = i >= 8};
        w->has_block_texts = w->has_block_texts || i >= 8;
        return made;
    }
    *made = (tree){.kind = kind == 0 ? PV_NODE_MAPPING : PV_NODE_SEQUENCE,
                   .is_braces = in_braces || once_in(w, 3)};
    tree **end = &made->first;
    for (size_t i = 0; i < N_KEYS; i++) {
        if (once_in(w, 3)) {
            *end = grow(w, depth + 1, made->is_braces);
            (*end)->key = kind == 0 ? keys[i] : NULL;
            end = &(*end)->next;
        }
    }
    made->is_braces = made->is_braces || made->first == NULL;
    return made;
}

/* ------------------------------------------------------------------ as texts */

static void put_gap(writer *w, const char *if_none)
{
    static const char *const gaps[] = {" ", "  ", "\t"};
    put(w, once_in(w, 3) ? gaps[below(w, 3)] : if_none);
}

static void put_line_end(writer *w)
{
    put(w, once_in(w, 4) ? "  # a comment: {x" : once_in(w, 8) ? " " : "");
    put(w, w->newline);
}

static void put_indent(writer *w, size_t indent)
{
    pv_i_buffer_format(&w->text, "%*s", (int)indent, "");
}

static void put_key(writer *w, const char *key)
{
    const size_t length = strlen(key);
    const bool is_word = length > 1 && strchr(key, ' ') == NULL && key[0] != '#';
    pv_i_buffer_format(&w->text, is_word && once_in(w, 2) ? "%s" : "\"%s\"", key);
    put(w, ":");
}

static void put_scalar(writer *w, const tree *node, size_t indent)
{
    size_t i = 0;
    while (strcmp(scalars[i].text, node->text) != 0) {
        i++;
    }
    const char *at = scalars[i].written;
    if (!node->is_block_text) {
        put(w, at);
        return;
    }
    for (; *at != '\0'; at++) {
        if (*at == '%') {
            put(w, w->newline);
            if (at[1] != '\0' && at[1] != '%') {
                put_indent(w, indent + 1);
            }
        } else {
            pv_i_buffer_char(&w->text, *at);
        }
    }
}

static void put_braces(writer *w, const tree *node)
{
    const bool in_lines = once_in(w, 3);
    if (node->kind == PV_NODE_SCALAR) {
        put_scalar(w, node, 0);
        return;
    }
    put(w, node->kind == PV_NODE_MAPPING ? "{" : "[");
    for (const tree *item = node->first; item != NULL; item = item->next) {
        if (in_lines) {
            put_line_end(w);
            put_indent(w, 12);
        }
        if (item->key != NULL) {
            put_key(w, item->key);
            put(w, " ");
        }
        put_braces(w, item);
        put_gap(w, "");
        put(w, item->next != NULL || once_in(w, 5) ? "," : "");
        put_gap(w, item->next != NULL ? " " : "");
    }
    if (in_lines && node->first != NULL) {
        put_line_end(w);
        put_indent(w, 11);
    }
    put(w, node->kind == PV_NODE_MAPPING ? "}" : "]");
}

static void put_between(writer *w, size_t indent)
{
    if (once_in(w, 6)) {
        put_indent(w, once_in(w, 2) ? indent : 0);
        put(w, once_in(w, 3) ? "" : "# what follows: is this");
        put(w, w->newline);
    }
}

/* Begins in a new line and ends after a line end. */
static void put_lines(writer *w, const tree *node, size_t indent)
{
    bool after_text = false;
    for (const tree *item = node->first; item != NULL; item = item->next) {
        if (!after_text) { /* whose end a blank line would change */
            put_between(w, indent);
        }
        put_indent(w, indent);
        if (item->key != NULL) {
            put_key(w, item->key);
        } else {
            put(w, "-");
        }
        after_text = false;
        if (item->kind == PV_NODE_SCALAR || item->is_braces) {
            put(w, item->key != NULL && once_in(w, 4) ? "   " : " ");
            item->kind == PV_NODE_SCALAR ? put_scalar(w, item, indent) : put_braces(w, item);
            after_text = item->is_block_text;
            if (!after_text) {
                put_line_end(w);
            }
        } else {
            put_line_end(w);
            put_lines(w, item, indent + 1 + below(w, 3));
            after_text = true;
        }
    }
}

static void write_text(writer *w, const tree *root)
{
    w->newline = once_in(w, 3) ? "\r\n" : "\n";
    put(w, once_in(w, 10) ? "\xef\xbb\xbf" : "");
    if (root->is_braces) {
        put_braces(w, root);
    } else {
        put_lines(w, root, 0);
    }
    if (once_in(w, 4) && !w->has_block_texts) {
        const size_t length = strlen(w->newline);
        if (w->text.size > length && w->text.data[w->text.size - 1] == '\n') {
            w->text.size -= length;
            w->text.data[w->text.size] = '\0';
        }
    } else {
        put(w, once_in(w, 4) && !w->has_block_texts ? w->newline : "");
    }
}

/* --------------------------------------------------------- what documents say */

static void say_text(pv_buffer *out, const char *text)
{
    pv_i_buffer_format(out, "%zu<%s>", strlen(text), text);
}

static void say_tree(pv_buffer *out, const tree *node)
{
    if (node->kind == PV_NODE_SCALAR) {
        say_text(out, node->text);
        return;
    }
    pv_i_buffer_char(out, node->kind == PV_NODE_MAPPING ? '{' : '[');
    for (const tree *item = node->first; item != NULL; item = item->next) {
        if (item->key != NULL) {
            say_text(out, item->key);
        }
        say_tree(out, item);
    }
    pv_i_buffer_char(out, ')');
}

static tree *copy_node(pv_arena *arena, const pv_node *node)
{
    tree *const made = pv_i_arena_alloc(arena, sizeof *made);
    assert_non_null(made);
    *made = (tree){.kind = node->kind, .text = node->text};
    tree **end = &made->first;
    for (const pv_node *item = node->first; item != NULL; item = item->next) {
        *end = copy_node(arena, item);
        (*end)->key = item->key != NULL
                          ? pv_i_arena_text(arena, item->key->text, strlen(item->key->text))
                          : NULL;
        end = &(*end)->next;
    }
    if (node->text != NULL) {
        made->text = pv_i_arena_text(arena, node->text, strlen(node->text));
    }
    return made;
}

static tree *read_tree(pv_arena *arena, const char *text)
{
    pv_document document = {0};
    pv_error error;
    if (pv_i_document_parse(&document, "plan.yaml", text, strlen(text), &error) != PV_STATUS_OK) {
        fail_msg("%s in\n%s", error.message, text);
    }
    tree *const made = copy_node(arena, document.root);
    pv_i_document_deinit(&document);
    return made;
}

/* ------------------------------------------------------------------- changes */

typedef struct {
    const char *path[8];
    size_t n;
    const char *value; /* NULL = remove */
    bool is_new;       /* the last key, in a mapping that is there */
    bool is_through;   /* the way goes through what is no mapping */
} change;

static tree *find(const tree *mapping, const char *key)
{
    tree *item = mapping->first;
    while (item != NULL && strcmp(item->key, key) != 0) {
        item = item->next;
    }
    return item;
}

static change draw(writer *w, const tree *root)
{
    static const char *const values[] = {
        "1", "{\"role\": \"quasi\", \"x\": [1, 2]}", "'x: y'", "[]", "{}", "\"#\"",
    };
    change c = {.value = once_in(w, 3) ? NULL : values[below(w, sizeof values / sizeof *values)]};
    const tree *at = root;
    do {
        size_t n = 0;
        for (const tree *item = at != NULL ? at->first : NULL; item != NULL; item = item->next) {
            n += item->key != NULL;
        }
        c.is_through = c.is_through || (at != NULL && at->kind != PV_NODE_MAPPING);
        c.path[c.n] = keys[below(w, N_KEYS)];
        if (!once_in(w, 4) && n > 0 && at->kind == PV_NODE_MAPPING) {
            const tree *item = at->first;
            for (size_t skipped = below(w, n); skipped > 0; skipped--) {
                item = item->next;
            }
            c.path[c.n] = item->key;
        }
        const bool is_mapping = at != NULL && at->kind == PV_NODE_MAPPING;
        const tree *const next = is_mapping ? find(at, c.path[c.n]) : NULL;
        c.is_new = is_mapping && next == NULL;
        at = next;
        c.n++;
    } while (c.n < 6 && !once_in(w, 3));
    return c;
}

static tree *make(pv_arena *arena, const char *key)
{
    tree *const made = pv_i_arena_alloc(arena, sizeof *made);
    assert_non_null(made);
    *made = (tree){.kind = PV_NODE_MAPPING, .key = key};
    return made;
}

static void change_tree(pv_arena *arena, tree *root, const change *c)
{
    tree *at = root;
    for (size_t i = 0; i < c->n; i++) {
        tree **place = &at->first;
        while (*place != NULL && strcmp((*place)->key, c->path[i]) != 0) {
            place = &(*place)->next;
        }
        if (*place == NULL && c->value == NULL) {
            return;
        }
        if (*place == NULL) {
            *place = make(arena, c->path[i]);
        }
        if (i + 1 == c->n && c->value == NULL) {
            *place = (*place)->next;
        } else if (i + 1 == c->n) {
            tree *const value = read_tree(arena, c->value);
            value->key = c->path[i];
            value->next = (*place)->next;
            *place = value;
        } else {
            at = *place;
        }
    }
}

/* ------------------------------------------------------------------- the test */

static void remove_again(const writer *w, const change *c, const char *edited)
{
    char *back = NULL;
    assert_int_equal(pv_plan_edit(edited, strlen(edited), c->path, c->n, NULL, &back, NULL),
                     PV_STATUS_OK);
    if (strcmp(back, w->text.data) != 0) {
        fail_msg("removing `%s` from\n%s\nmade\n%s\nfrom what was\n%s", c->path[c->n - 1], edited,
                 back, w->text.data);
    }
    pv_string_free(back);
}

/* How many random changes were refused because of a text in block style. */
static size_t try_one(uint64_t seed)
{
    writer w = {0};
    pv_buffer meant = {0}, is = {0};
    pv_error error = {0};
    char *edited = NULL;
    pv_i_rng_init(&w.rng, seed);
    tree *const root = grow(&w, 0, false);
    write_text(&w, root);
    const change c = draw(&w, root);
    const pv_status status =
        pv_plan_edit(w.text.data, w.text.size, c.path, c.n, c.value, &edited, &error);
    const bool refused = status == PV_STATUS_INPUT && w.has_block_texts &&
                         strstr(error.message, "block style") != NULL;
    if (c.is_through) {
        assert_int_equal(status, PV_STATUS_ARGUMENT);
    } else if (!refused) {
        if (status != PV_STATUS_OK) {
            fail_msg("seed %d: %s in\n%s", (int)seed, error.message, w.text.data);
        }
        change_tree(&w.arena, root, &c);
        say_tree(&meant, root);
        say_tree(&is, read_tree(&w.arena, edited));
        if (strcmp(meant.data, is.data) != 0) {
            fail_msg("seed %d:\n%s\nbecame\n%s\nwhich says %s instead of %s", (int)seed,
                     w.text.data, edited, is.data, meant.data);
        }
        if (c.is_new && c.value != NULL) {
            remove_again(&w, &c, edited);
        }
    }
    pv_string_free(edited);
    pv_i_buffer_deinit(&meant);
    pv_i_buffer_deinit(&is);
    pv_i_buffer_deinit(&w.text);
    pv_i_arena_deinit(&w.arena);
    return refused;
}

static void changes_are_what_was_meant(void **state)
{
    const size_t n = effort(20000);
    size_t n_refused = 0;
    (void)state;
    for (size_t seed = 0; seed < n; seed++) {
        n_refused += try_one(seed);
    }
    assert_true(n_refused < n / 20);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(changes_are_what_was_meant),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
