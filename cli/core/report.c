/* Printing for people. */
#include "core/report.h"

#include "core/text.h"

#include <langinfo.h>
#include <math.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>
#include <wchar.h>

#define DEFAULT_WIDTH 80
#define LEAST_WIDTH 40
#define MOST_WIDTH 120 /* longer lines are hard to read */
#define LABEL_WIDTH 20

static size_t terminal_width(int fd)
{
    struct winsize size = {0};
    if (ioctl(fd, TIOCGWINSZ, &size) != 0 || size.ws_col == 0) {
        return DEFAULT_WIDTH;
    }
    const size_t width = size.ws_col;
    return width < LEAST_WIDTH ? LEAST_WIDTH : width > MOST_WIDTH ? MOST_WIDTH : width;
}

static bool wants_color(int fd)
{
    const char *const refused = getenv("NO_COLOR");
    const char *const term = getenv("TERM");
    return isatty(fd) && (refused == NULL || refused[0] == '\0') && term != NULL &&
           !cli_equal(term, "dumb");
}

void cli_report_init(cli_report *report, FILE *out)
{
    const int fd = fileno(out);
    *report = (cli_report){
        .out = out,
        .width = terminal_width(fd),
        .utf8 = cli_equal(nl_langinfo(CODESET), "UTF-8"),
        .color = wants_color(fd),
    };
}

const char *cli_bold(const cli_report *report)
{
    return report->color ? "\033[1m" : "";
}

const char *cli_good(const cli_report *report)
{
    return report->color ? "\033[32m" : "";
}

const char *cli_bad(const cli_report *report)
{
    return report->color ? "\033[31m" : "";
}

const char *cli_plain(const cli_report *report)
{
    return report->color ? "\033[0m" : "";
}

/* ---------------------------------------------------------------- numbers */

cli_number cli_count_text(uint64_t n)
{
    char digits[24];
    const int length = snprintf(digits, sizeof digits, "%llu", (unsigned long long)n);
    cli_number number = {""};
    size_t at = 0;
    for (int i = 0; i < length; i++) {
        if (i > 0 && (length - i) % 3 == 0) {
            number.text[at++] = ',';
        }
        number.text[at++] = digits[i];
    }
    return number;
}

cli_number cli_plural_text(uint64_t n, const char *one, const char *many)
{
    cli_number number;
    (void)snprintf(number.text, sizeof number.text, "%.26s %s", cli_count_text(n).text,
                   n == 1 ? one : many);
    return number;
}

cli_number cli_share_text(double share)
{
    const double percent = share * 100.0;
    cli_number number = {""};
    if (!isfinite(percent)) {
        (void)snprintf(number.text, sizeof number.text, "-");
    } else if (percent > 0.0 && percent < 0.05) {
        (void)snprintf(number.text, sizeof number.text, "<0.1%%");
    } else if (percent < 100.0 && percent >= 99.95) {
        (void)snprintf(number.text, sizeof number.text, ">99.9%%");
    } else {
        const bool whole = percent <= 0.0 || percent >= 100.0;
        (void)snprintf(number.text, sizeof number.text, "%.*f%%", whole ? 0 : 1, percent);
    }
    return number;
}

cli_number cli_value_text(double value)
{
    cli_number number = {""};
    const double size = fabs(value);
    const bool whole = size < 1e15 && fabs(value - nearbyint(value)) <= 0.0;
    if (isfinite(value) && (whole || (size >= 1000.0 && size < 1e15))) {
        (void)snprintf(number.text, sizeof number.text, "%s%.26s", value <= -0.5 ? "-" : "",
                       cli_count_text((uint64_t)nearbyint(size)).text);
    } else {
        (void)snprintf(number.text, sizeof number.text, "%.4g", value);
    }
    return number;
}

/* ------------------------------------------------------------------- text */

static size_t character_width(const cli_report *report, unsigned code)
{
    if (code < 0x80 || !report->utf8) {
        return 1;
    }
    const int width = wcwidth((wchar_t)code);
    return width < 0 ? 1 : (size_t)width;
}

size_t cli_width(const cli_report *report, const char *text)
{
    size_t width = 0;
    while (*text != '\0') {
        unsigned code = 0;
        text += cli_utf8_next(text, &code);
        width += character_width(report, code);
    }
    return width;
}

static bool is_control(unsigned code)
{
    return code < 0x20 || (code >= 0x7f && code < 0xa0);
}

char *cli_clean_text(const cli_report *report, const char *text, size_t width)
{
    const char *const mark = report->utf8 ? "\xe2\x80\xa6" : "~";
    const bool cut = cli_width(report, text) > width;
    const size_t most = cut && width > 0 ? width - 1 : width;
    char *const clean = cli_zeroed(strlen(text) + strlen(mark) + 1, 1);
    size_t used = 0;
    size_t n = 0;
    while (*text != '\0') {
        unsigned code = 0;
        const size_t length = cli_utf8_next(text, &code);
        used += character_width(report, code);
        if (used > most) {
            break;
        }
        if (is_control(code) || (code == 0xfffd && length == 1)) {
            clean[n++] = '?';
        } else {
            memcpy(clean + n, text, length);
            n += length;
        }
        text += length;
    }
    if (cut) {
        memcpy(clean + n, mark, strlen(mark));
    }
    return clean;
}

size_t cli_wrap_point(const cli_report *report, const char *text, size_t width)
{
    size_t used = 0;
    size_t n = 0;
    size_t blank = 0;
    while (text[n] != '\0') {
        unsigned code = 0;
        const size_t length = cli_utf8_next(text + n, &code);
        if (text[n] == ' ') {
            blank = n;
        }
        used += character_width(report, code);
        if (used > width && text[n] != ' ') {
            return blank > 0 ? blank : n > 0 ? n : length;
        }
        n += length;
    }
    return n;
}

static void print_wrapped(const cli_report *report, size_t indent, size_t first_indent,
                          const char *text)
{
    const size_t width = report->width > indent + 20 ? report->width - indent : 20;
    size_t margin = first_indent;
    do {
        const size_t n = cli_wrap_point(report, text, width);
        (void)fprintf(report->out, "%*s%.*s\n", (int)margin, "", (int)n, text);
        text += n;
        text += strspn(text, " ");
        margin = indent;
    } while (*text != '\0');
}

/* Everything that is formatted here may hold names from files: no control character gets through.
 */
PV_PRINTF(2, 0)
static char *format_clean(const cli_report *report, const char *format, va_list args)
{
    char *const text = cli_format_list(format, args);
    char *const clean = cli_clean_text(report, text, SIZE_MAX);
    free(text);
    return clean;
}

void cli_heading(const cli_report *report, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    char *const text = format_clean(report, format, args);
    va_end(args);
    (void)fprintf(report->out, "\n%s%s%s\n", cli_bold(report), text, cli_plain(report));
    free(text);
}

void cli_paragraph(const cli_report *report, size_t indent, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    char *const text = format_clean(report, format, args);
    va_end(args);
    print_wrapped(report, indent, indent, text);
    free(text);
}

void cli_line(const cli_report *report, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    char *const text = format_clean(report, format, args);
    va_end(args);
    (void)fprintf(report->out, "  %s\n", text);
    free(text);
}

void cli_fact(const cli_report *report, cli_tone tone, const char *label, const char *format, ...)
{
    static const char *(*const starts[])(const cli_report *) = {
        [CLI_NEUTRAL] = NULL, [CLI_STRONG] = cli_bold, [CLI_GOOD] = cli_good, [CLI_BAD] = cli_bad};
    va_list args;
    va_start(args, format);
    char *const text = format_clean(report, format, args);
    va_end(args);
    const bool toned = starts[tone] != NULL;
    (void)fprintf(report->out, "  %s%-*s", toned ? starts[tone](report) : "", LABEL_WIDTH, label);
    print_wrapped(report, LABEL_WIDTH + 2, 0, text);
    (void)fputs(toned ? cli_plain(report) : "", report->out);
    free(text);
}

void cli_blank(const cli_report *report)
{
    (void)fputc('\n', report->out);
}

/* ------------------------------------------------------------------- bars */

void cli_bar(const cli_report *report, double share, size_t width, char text[CLI_BAR_SIZE])
{
    static const char *const eighths[] = {"",
                                          "\xe2\x96\x8f",
                                          "\xe2\x96\x8e",
                                          "\xe2\x96\x8d",
                                          "\xe2\x96\x8c",
                                          "\xe2\x96\x8b",
                                          "\xe2\x96\x8a",
                                          "\xe2\x96\x89"};
    const char *const full = report->utf8 ? "\xe2\x96\x88" : "#";
    const double clamped = share < 0.0 ? 0.0 : share > 1.0 ? 1.0 : share;
    size_t parts = (size_t)nearbyint(clamped * (double)(width * 8));
    if (share > 0.0 && parts == 0) {
        parts = 1; /* something is not nothing */
    }
    const size_t whole = report->utf8 ? parts / 8 : (parts + 7) / 8;
    const char *const rest = report->utf8 ? eighths[parts % 8] : "";
    char *at = text;
    for (size_t i = 0; i < whole; i++) {
        at = stpcpy(at, full);
    }
    at = stpcpy(at, rest);
    for (size_t i = whole + (rest[0] != '\0'); i < width; i++) {
        *at++ = ' ';
    }
    *at = '\0';
}
