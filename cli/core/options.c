/* The one parser of options: --name value, --name=value, -n value, -nvalue, -qv; `--` ends the
 * options and a lone `-` is an operand (a stream). */
#include "core/options.h"

#include "core/command.h"
#include "core/fail.h"
#include "core/text.h"

#include <errno.h>
#include <paravent/decimal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define MOST_OPTIONS 64

const cli_option cli_common_options[] = {
    CLI_OPTION(cli_common, "json", FLAG, NULL, json, "print one JSON document instead of text"),
    CLI_OPTION(cli_common, "threads", COUNT, "N", threads,
               "use N threads (default: one per processor); the results are the same", .min = 1,
               .max = 256),
    CLI_OPTION(cli_common, "quiet", FLAG, NULL, quiet,
               "print nothing but errors and what was asked for with --json", .letter = 'q',
               .excludes = "verbose"),
    CLI_OPTION(cli_common, "verbose", FLAG, NULL, verbose,
               "say on standard error how long each step took", .letter = 'v'),
    CLI_OPTION(cli_common, "no-progress", FLAG, NULL, no_progress, "draw no progress bar"),
    CLI_OPTION(cli_common, "help", FLAG, NULL, help, "show this help", .letter = 'h'),
    {.name = NULL},
};

/* The options of a command and the common ones as one list, and which of them were given. */
typedef struct {
    const cli_command *command;
    const cli_option *options[MOST_OPTIONS];
    bool given[MOST_OPTIONS];
    size_t n;
    int argc;
    char **argv;
    int next; /* word to read */
    void *settings;
    pv_error *error;
} parser;

static size_t find_name(const parser *p, const char *name, size_t length)
{
    for (size_t i = 0; i < p->n; i++) {
        if (strlen(p->options[i]->name) == length &&
            memcmp(p->options[i]->name, name, length) == 0) {
            return i;
        }
    }
    return SIZE_MAX;
}

static size_t find_letter(const parser *p, char letter)
{
    for (size_t i = 0; i < p->n; i++) {
        if (p->options[i]->letter == letter) {
            return i;
        }
    }
    return SIZE_MAX;
}

static pv_status unknown_option(const parser *p, const char *word, const char *name)
{
    const char *names[MOST_OPTIONS];
    for (size_t i = 0; i < p->n; i++) {
        names[i] = p->options[i]->name;
    }
    const char *const near = name != NULL ? cli_suggest(name, names, p->n) : NULL;
    const pv_status status =
        cli_error(p->error, PV_STATUS_ARGUMENT, "unknown option %s for `paravent %s`", word,
                  p->command->name);
    return near != NULL ? cli_hint(status, p->error, "did you mean --%s?", near)
                        : cli_hint(status, p->error, "see `paravent %s --help`", p->command->name);
}

static bool parse_count(const char *text, const cli_option *option, cli_count *count)
{
    char *end = NULL;
    errno = 0;
    const unsigned long long value = strtoull(text, &end, 10);
    if (text[0] < '0' || text[0] > '9' || *end != '\0' || errno != 0 || value < option->min ||
        value > option->max) {
        return false;
    }
    *count = (cli_count){.given = true, .value = value};
    return true;
}

static bool parse_byte(const char *text, char *byte)
{
    static const struct {
        const char *word;
        char byte;
    } words[] = {{"tab", '\t'},      {"\\t", '\t'}, {"comma", ','},
                 {"semicolon", ';'}, {"pipe", '|'}, {"space", ' '}};
    for (size_t i = 0; i < sizeof words / sizeof *words; i++) {
        if (cli_equal(text, words[i].word)) {
            *byte = words[i].byte;
            return true;
        }
    }
    if (text[0] == '\0' || text[1] != '\0' || (text[0] & 0x80) != 0 || text[0] == '"' ||
        text[0] == '\n' || text[0] == '\r') {
        return false;
    }
    *byte = text[0];
    return true;
}

static pv_status bad_value(const parser *p, const cli_option *option)
{
    switch (option->kind) {
    case CLI_COUNT:
        return cli_error(p->error, PV_STATUS_ARGUMENT,
                         option->max == UINT64_MAX ? "--%s needs a whole number, at least %llu"
                                                   : "--%s needs a whole number from %llu to %llu",
                         option->name, (unsigned long long)option->min,
                         (unsigned long long)option->max);
    case CLI_BYTE:
        return cli_error(p->error, PV_STATUS_ARGUMENT,
                         "--%s needs one character, or one of tab, comma, semicolon, pipe, space",
                         option->name);
    default:
        return cli_error(p->error, PV_STATUS_ARGUMENT, "--%s must be %s", option->name,
                         option->argument);
    }
}

static pv_status store(parser *p, size_t index, const char *text)
{
    const cli_option *const option = p->options[index];
    void *const place = (char *)p->settings + option->offset;
    if (p->given[index] && option->kind != CLI_FLAG && option->kind != CLI_LIST) {
        return cli_error(p->error, PV_STATUS_ARGUMENT, "--%s is given twice", option->name);
    }
    bool good = true;
    switch (option->kind) {
    case CLI_FLAG: *(bool *)place = true; break;
    case CLI_COUNT: good = parse_count(text, option, place); break;
    case CLI_BYTE: good = parse_byte(text, place); break;
    case CLI_LIST:
        *(char **)place = *(char **)place != NULL ? *(char **)place : cli_copy("");
        cli_append(place, "%s%s", p->given[index] ? "," : "", text);
        break;
    case CLI_CHOICE:
        good = false;
        for (const char *const *choice = option->choices; *choice != NULL; choice++) {
            good = good || cli_equal(text, *choice);
        }
        /* fall through */
    default: *(const char **)place = text; break;
    }
    p->given[index] = true;
    return good ? PV_STATUS_OK : bad_value(p, option);
}

/* Takes the value that is glued to the option, or the next word. */
static pv_status store_with_value(parser *p, size_t index, const char *glued)
{
    const cli_option *const option = p->options[index];
    if (glued == NULL && p->next >= p->argc) {
        return cli_error(p->error, PV_STATUS_ARGUMENT, "--%s needs a value: --%s %s", option->name,
                         option->name, option->argument);
    }
    return store(p, index, glued != NULL ? glued : p->argv[p->next++]);
}

static pv_status parse_long(parser *p, const char *word)
{
    const char *const name = word + 2;
    const char *const equals = strchr(name, '=');
    const size_t length = equals != NULL ? (size_t)(equals - name) : strlen(name);
    const size_t index = find_name(p, name, length);
    if (index == SIZE_MAX) {
        char typed[64];
        char shown[64];
        (void)snprintf(typed, sizeof typed, "%.*s", (int)length, name);
        (void)snprintf(shown, sizeof shown, "--%.*s", (int)(length < 60 ? length : 60), name);
        return unknown_option(p, shown, typed);
    }
    if (p->options[index]->kind != CLI_FLAG) {
        return store_with_value(p, index, equals != NULL ? equals + 1 : NULL);
    }
    if (equals != NULL) {
        return cli_error(p->error, PV_STATUS_ARGUMENT, "--%s takes no value",
                         p->options[index]->name);
    }
    return store(p, index, NULL);
}

static pv_status parse_letters(parser *p, const char *word)
{
    for (const char *at = word + 1; *at != '\0'; at++) {
        const size_t index = find_letter(p, *at);
        if (index == SIZE_MAX) {
            const char shown[] = {'-', *at, '\0'};
            return unknown_option(p, shown, NULL);
        }
        if (p->options[index]->kind != CLI_FLAG) {
            return store_with_value(p, index, at[1] != '\0' ? at + 1 : NULL);
        }
        CLI_TRY(store(p, index, NULL));
    }
    return PV_STATUS_OK;
}

static pv_status parse_words(parser *p, cli_operands *operands)
{
    bool options_over = false;
    while (p->next < p->argc) {
        const char *const word = p->argv[p->next++];
        if (options_over || word[0] != '-' || word[1] == '\0') {
            operands->list[operands->n++] = word;
        } else if (cli_equal(word, "--")) {
            options_over = true;
        } else {
            CLI_TRY(word[1] == '-' ? parse_long(p, word) : parse_letters(p, word));
        }
    }
    return PV_STATUS_OK;
}

static bool is_given(const parser *p, const char *name)
{
    const size_t index = find_name(p, name, strlen(name));
    return index != SIZE_MAX && p->given[index];
}

static pv_status check_company(const parser *p)
{
    for (size_t i = 0; i < p->n; i++) {
        const cli_option *const option = p->options[i];
        if (p->given[i] && option->needs != NULL && !is_given(p, option->needs)) {
            return cli_error(p->error, PV_STATUS_ARGUMENT, "--%s means nothing without --%s",
                             option->name, option->needs);
        }
        if (p->given[i] && option->excludes != NULL && is_given(p, option->excludes)) {
            return cli_error(p->error, PV_STATUS_ARGUMENT, "--%s and --%s contradict each other",
                             option->name, option->excludes);
        }
    }
    return PV_STATUS_OK;
}

static pv_status check_operands(const parser *p, const cli_operands *operands)
{
    const cli_command *const command = p->command;
    pv_status status = PV_STATUS_OK;
    if (operands->n < command->min_operands) {
        status = cli_error(p->error, PV_STATUS_ARGUMENT, "`paravent %s` needs %s", command->name,
                           command->operands);
    } else if (operands->n > command->max_operands) {
        status = cli_error(p->error, PV_STATUS_ARGUMENT, "`paravent %s` has no use for `%s`",
                           command->name, operands->list[command->max_operands]);
    }
    return status == PV_STATUS_OK
               ? status
               : cli_hint(status, p->error, "usage: paravent %s %s%s[options]", command->name,
                          command->operands, command->operands[0] != '\0' ? " " : "");
}

pv_status cli_options_parse(const cli_command *command, int argc, char **argv, void *settings,
                            cli_operands *operands, pv_error *error)
{
    parser p = {
        .command = command, .argc = argc, .argv = argv, .settings = settings, .error = error};
    const cli_option *const tables[] = {command->options, cli_common_options};
    for (size_t t = 0; t < 2; t++) {
        for (const cli_option *o = tables[t]; o->name != NULL && p.n < MOST_OPTIONS; o++) {
            p.options[p.n++] = o;
        }
    }
    operands->list = cli_zeroed((size_t)argc + 1, sizeof *operands->list);
    operands->n = 0;
    CLI_TRY(parse_words(&p, operands));
    if (((const cli_common *)settings)->help) {
        return PV_STATUS_OK;
    }
    CLI_TRY(check_company(&p));
    return check_operands(&p, operands);
}

void cli_options_release(const cli_command *command, void *settings)
{
    for (const cli_option *option = command->options; option->name != NULL; option++) {
        if (option->kind == CLI_LIST) {
            free(*(char **)((char *)settings + option->offset));
        }
    }
}

/* ----------------------------------------------------------------- quantities */

bool cli_number_parse(const char *text, size_t length, double *number)
{
    pv_decimal decimal;
    if (!pv_decimal_parse(text, length, &decimal) || decimal.mantissa < 0) {
        return false;
    }
    *number = pv_decimal_double(decimal);
    return true;
}

pv_status cli_chance_parse(const char *name, const char *text, double *chance, pv_error *error)
{
    double number = 0.0;
    if (text == NULL) {
        return PV_STATUS_OK;
    }
    if (!cli_number_parse(text, strlen(text), &number) || number > 1.0) {
        return cli_error(error, PV_STATUS_ARGUMENT, "--%s needs a chance from 0 (never) to 1",
                         name);
    }
    *chance = number > 0.0 ? number : -1.0;
    return PV_STATUS_OK;
}

pv_status cli_prove_parse(const char *text, double *seconds, pv_error *error)
{
    double number = 0.0;
    if (text == NULL) {
        return PV_STATUS_OK;
    }
    if (!cli_number_parse(text, strlen(text), &number)) {
        return cli_error(error, PV_STATUS_ARGUMENT,
                         "--prove needs a number of seconds, 0 for no proof");
    }
    *seconds = number > 0.0 ? number : -1.0;
    return PV_STATUS_OK;
}

pv_status cli_seconds_parse(const char *text, double *seconds, pv_error *error)
{
    if (text == NULL || (cli_number_parse(text, strlen(text), seconds) && *seconds > 0.0)) {
        return PV_STATUS_OK;
    }
    return cli_error(error, PV_STATUS_ARGUMENT, "--seconds needs a number greater than 0");
}

pv_status cli_memory_parse(const char *text, uint64_t *bytes, pv_error *error)
{
    static const struct {
        char letter;
        unsigned shift;
    } units[] = {{'K', 10}, {'M', 20}, {'G', 30}, {'\0', 0}};
    if (text == NULL) {
        return PV_STATUS_OK;
    }
    char *end = NULL;
    const unsigned long long number = strtoull(text, &end, 10);
    for (size_t i = 0; i < sizeof units / sizeof *units; i++) {
        const bool fits = number > 0 && number <= UINT64_MAX >> 1 >> units[i].shift;
        const bool ends = end[0] == units[i].letter && (end[0] == '\0' || end[1] == '\0');
        if (text[0] >= '0' && text[0] <= '9' && ends && fits) {
            *bytes = (uint64_t)number << units[i].shift;
            return PV_STATUS_OK;
        }
    }
    return cli_hint(cli_error(error, PV_STATUS_ARGUMENT, "--memory needs a size in bytes"), error,
                    "with K, M or G: --memory 256M");
}

/* -------------------------------------------------------------- written again */

char *cli_with_text(char *line, const char *name, const char *value)
{
    if (value != NULL) {
        char *const word = cli_shell_word(value);
        cli_append(&line, " --%s %s", name, word);
        free(word);
    }
    return line;
}

char *cli_with_count(char *line, const char *name, cli_count count)
{
    char number[24];
    (void)snprintf(number, sizeof number, "%llu", (unsigned long long)count.value);
    return cli_with_text(line, name, count.given ? number : NULL);
}

char *cli_with_flag(char *line, const char *name, bool given)
{
    if (given) {
        cli_append(&line, " --%s", name);
    }
    return line;
}
