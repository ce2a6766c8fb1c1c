/* json_check FILE [PATH[=VALUE]...]: is FILE exactly one JSON document, and does it say what is
 * expected? A path is `table.rows` or `exposure.pairs.0.attributes.1`; a value is compared with the
 * compact JSON found there, or with the bare text of a string. Exit 0 if all holds. */
#include <jansson.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static json_t *step(json_t *at, const char *key)
{
    if (json_is_array(at)) {
        return json_array_get(at, (size_t)strtoul(key, NULL, 10));
    }
    return json_object_get(at, key);
}

static json_t *walk(json_t *at, char *path)
{
    for (char *key = strtok(path, "."); key != NULL && at != NULL; key = strtok(NULL, ".")) {
        at = step(at, key);
    }
    return at;
}

static bool equals(const json_t *found, const char *expected)
{
    if (json_is_string(found)) {
        return strcmp(json_string_value(found), expected) == 0;
    }
    char *const text = json_dumps(found, JSON_ENCODE_ANY | JSON_COMPACT | JSON_REAL_PRECISION(15));
    const bool same = text != NULL && strcmp(text, expected) == 0;
    if (!same) {
        (void)fprintf(stderr, "found %s\n", text != NULL ? text : "nothing");
    }
    free(text);
    return same;
}

static bool holds(json_t *document, const char *expectation)
{
    char *const path = strdup(expectation);
    char *const equal = strchr(path, '=');
    if (equal != NULL) {
        *equal = '\0';
    }
    json_t *const found = walk(document, path);
    const bool good = found != NULL && (equal == NULL || equals(found, equal + 1));
    if (!good) {
        (void)fprintf(stderr, "json_check: %s %s\n", expectation,
                      found == NULL ? "is not there" : "does not hold");
    }
    free(path);
    return good;
}

int main(int argc, char **argv)
{
    json_error_t error;
    if (argc < 2) {
        (void)fputs("usage: json_check FILE [PATH[=VALUE]...]\n", stderr);
        return 2;
    }
    json_t *const document = json_load_file(argv[1], JSON_REJECT_DUPLICATES, &error);
    if (document == NULL) {
        (void)fprintf(stderr, "json_check: %s:%d: %s\n", argv[1], error.line, error.text);
        return 1;
    }
    bool good = true;
    for (int i = 2; i < argc; i++) {
        good = holds(document, argv[i]) && good;
    }
    json_decref(document);
    return good ? 0 : 1;
}
