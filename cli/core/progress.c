/* Progress on a terminal, and stopping on Ctrl-C. */
#include "core/progress.h"

#include "core/text.h"

#include <math.h>
#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/resource.h>
#include <time.h>
#include <unistd.h>

#define PATIENCE_SECONDS 1.0
#define BAR_WIDTH 24
#define SHORT_BAR_WIDTH 12 /* beside a note */
#define DEFAULT_COLUMNS 80
#define LINE_SIZE 1024
#define PACE_SECONDS 0.5      /* between two measurements of the pace */
#define PACE_WEIGHT 0.3       /* of the newest one */
#define LEAST_RATE 1000.0     /* slower ones are counts of steps, which say nothing to anybody */
#define BOUND_SECONDS 10.0    /* before it is said how to bound what has no end in sight */
#define ANNOUNCE_SECONDS 30.0 /* before a line is written where there is no terminal */
#define PATIENCE_LEFT 60.0    /* more is worth a word about how to bound it */
#define LONG_MINUTES 90.0
#define LONG_HOURS 48.0

/* A signal handler has no other way to be heard than a variable of this kind. */
static volatile sig_atomic_t interrupted;

static void on_signal(int number)
{
    interrupted = number;
}

bool cli_interrupted(void)
{
    return interrupted != 0;
}

static double now(void)
{
    struct timespec t = {0};
    (void)clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + (double)t.tv_nsec * 1e-9;
}

/* SA_RESETHAND: the second signal finds the default action and kills. */
static void take_signals(void)
{
    struct sigaction action = {.sa_handler = on_signal, .sa_flags = (int)SA_RESETHAND};
    (void)sigemptyset(&action.sa_mask);
    const int signals[] = {SIGINT, SIGTERM, SIGHUP};
    for (size_t i = 0; i < sizeof signals / sizeof *signals; i++) {
        struct sigaction old = {0};
        (void)sigaction(signals[i], NULL, &old);
        /* Whoever started us may have decided that we are not to be interrupted. */
        if (old.sa_handler != SIG_IGN) {
            (void)sigaction(signals[i], &action, NULL);
        }
    }
}

bool cli_interruption_forget(void)
{
    if (interrupted == SIGINT) {
        interrupted = 0;
        take_signals();
    }
    return !cli_interrupted();
}

void cli_progress_init(cli_progress *progress, const cli_common *common)
{
    *progress = (cli_progress){.verbose = common->verbose, .started = now()};
    cli_report_init(&progress->report, stderr);
    const bool terminal = isatty(STDERR_FILENO);
    const bool silent = common->quiet || common->no_progress;
    progress->draws = terminal && !silent && !common->verbose;
    progress->may_announce = !terminal && !silent;
    take_signals();
}

void cli_progress_wipe(cli_progress *progress)
{
    if (progress->drawn) {
        (void)fputs("\r\033[K", stderr);
        (void)fflush(stderr);
        progress->drawn = false;
    }
}

/* The line to draw, as it grows. */
typedef struct {
    char text[LINE_SIZE];
    size_t length;
} line;

PV_PRINTF(2, 3) static void add(line *drawn, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    const size_t space = sizeof drawn->text - drawn->length;
    const int n = vsnprintf(drawn->text + drawn->length, space, format, args);
    va_end(args);
    drawn->length += n < 0 ? 0 : (size_t)n < space ? (size_t)n : space - 1;
}

/* 1234567 per second as "1.2 M/s". */
static void add_rate(line *drawn, double rate)
{
    static const char *const units[] = {"", "k", "M", "G", "T"};
    size_t unit = 0;
    while (rate >= 1000.0 && unit + 1 < sizeof units / sizeof *units) {
        rate /= 1000.0;
        unit++;
    }
    add(drawn, "  %.*f %s/s", rate < 10.0 && unit > 0 ? 1 : 0, rate, units[unit]);
}

/* Nobody plans by an estimate of years: beyond two days it is only said that it takes days. */
static void add_time(line *drawn, double seconds, const char *what)
{
    if (seconds >= LONG_HOURS * 3600.0) {
        add(drawn, "  days%s", what);
    } else if (seconds >= LONG_MINUTES * 60.0) {
        add(drawn, "  %.0f h%s", ceil(seconds / 3600.0), what);
    } else if (seconds >= 90.0) {
        add(drawn, "  %.0f min%s", ceil(seconds / 60.0), what);
    } else {
        add(drawn, "  %.0f s%s", ceil(seconds), what);
    }
}

/* The pace of a search changes as it goes on: what it did of late says more about the rest than
 * what it did on the whole. */
static void measure_pace(cli_progress *progress, const pv_progress *at, double time)
{
    const double seconds = time - progress->pace_taken;
    if (seconds < PACE_SECONDS) {
        return;
    }
    const double newest = (double)(at->done - progress->pace_done) / seconds;
    progress->pace =
        progress->pace > 0.0 ? (1.0 - PACE_WEIGHT) * progress->pace + PACE_WEIGHT * newest : newest;
    progress->pace_taken = time;
    progress->pace_done = at->done;
}

/* By the pace of late; 0 = nobody knows. */
static double seconds_left(const cli_progress *progress, const pv_progress *at)
{
    return at->total > at->done && progress->pace > 0.0
               ? (double)(at->total - at->done) / progress->pace
               : 0.0;
}

/* What takes long, or nobody knows how long: for how long already, and what can be done. */
static void add_bound(line *drawn, const cli_progress *progress, double seconds, double left)
{
    if (left > 0.0) {
        add_time(drawn, left, " left");
    } else {
        add_time(drawn, seconds, "");
    }
    if (progress->bound != NULL && seconds >= BOUND_SECONDS) {
        add(drawn, ", %s", progress->bound);
    }
}

/* How far it is; what was found says more than how fast it goes. */
static void compose(line *drawn, const cli_progress *progress, const pv_progress *at,
                    double seconds)
{
    add(drawn, "  %-10s ", at->phase);
    if (at->total > 0) {
        char bar[CLI_BAR_SIZE];
        const double share = (double)at->done / (double)at->total;
        cli_bar(&progress->report, share, at->note != NULL ? SHORT_BAR_WIDTH : BAR_WIDTH, bar);
        add(drawn, "%s %3.0f%%", bar, floor(fmin(share, 1.0) * 100.0));
    }
    if (at->note == NULL && seconds > 0.0 && (double)at->done / seconds >= LEAST_RATE) {
        add_rate(drawn, (double)at->done / seconds);
    }
    const double left = seconds_left(progress, at);
    const bool unknown = left <= 0.0 && seconds >= BOUND_SECONDS; /* it seems to stand still */
    if (at->total == 0 || left > PATIENCE_LEFT || unknown) {
        add_bound(drawn, progress, seconds, left);
    } else if (left > 0.0) {
        add_time(drawn, left, " left");
    }
    if (at->note != NULL) {
        add(drawn, "  %s", at->note);
    }
}

/* Asked every time: a terminal may be resized, and a line that wraps can not be wiped. */
static size_t terminal_columns(void)
{
    struct winsize size = {0};
    const bool known = ioctl(STDERR_FILENO, TIOCGWINSZ, &size) == 0 && size.ws_col > 0;
    return known ? size.ws_col : DEFAULT_COLUMNS;
}

static void draw(cli_progress *progress, const pv_progress *at, double seconds)
{
    line drawn = {.length = 0};
    compose(&drawn, progress, at, seconds);
    char *const fitted = cli_clean_text(&progress->report, drawn.text, terminal_columns() - 1);
    (void)fprintf(stderr, "\r%s\033[K", fitted);
    (void)fflush(stderr);
    free(fitted);
    progress->drawn = true;
}

/* Without a terminal: once, so that nobody waits for what might never end without knowing it. */
static void announce(cli_progress *progress, const pv_progress *at, double seconds)
{
    line text = {.length = 0};
    const double left = seconds_left(progress, at);
    add(&text, "paravent: %s", at->phase);
    if (at->total > 0) {
        add(&text, ", %.0f%%", floor(fmin((double)at->done / (double)at->total, 1.0) * 100.0));
    }
    add_bound(&text, progress, seconds, left);
    (void)fprintf(stderr, "%s\n", text.text);
    progress->announced = true;
}

static void end_phase(const cli_progress *progress, double at)
{
    if (progress->verbose && progress->phase != NULL) {
        (void)fprintf(stderr, "paravent: %-10s %.3f s\n", progress->phase,
                      at - progress->phase_started);
    }
}

bool cli_progress_show(void *ctx, const pv_progress *at)
{
    cli_progress *const progress = ctx;
    const double time = now();
    /* Two phases in a row may have the same name. */
    if (progress->phase == NULL || strcmp(progress->phase, at->phase) != 0 ||
        progress->phase_total != at->total || at->done < progress->phase_done) {
        end_phase(progress, time);
        progress->phase = at->phase;
        progress->phase_total = at->total;
        progress->phase_started = time;
        progress->pace = 0.0;
        progress->pace_taken = time;
        progress->pace_done = at->done;
    }
    progress->phase_done = at->done;
    measure_pace(progress, at, time);
    /* A phase of unknown length ends with done = total = 0. */
    if (at->total > 0 ? at->done >= at->total : at->done == 0) {
        cli_progress_wipe(progress);
    } else if (progress->draws && time - progress->started >= PATIENCE_SECONDS) {
        draw(progress, at, time - progress->phase_started);
    } else if (progress->may_announce && !progress->announced &&
               time - progress->started >= ANNOUNCE_SECONDS) {
        announce(progress, at, time - progress->phase_started);
    }
    return !cli_interrupted();
}

void cli_progress_end(cli_progress *progress)
{
    const double time = now();
    cli_progress_wipe(progress);
    end_phase(progress, time);
    if (progress->verbose) {
        struct rusage usage = {0};
        (void)getrusage(RUSAGE_SELF, &usage);
        (void)fprintf(stderr, "paravent: %-10s %.3f s, at most %.1f MB of memory\n", "all",
                      time - progress->started, (double)usage.ru_maxrss / 1024.0);
    }
    progress->phase = NULL;
}
