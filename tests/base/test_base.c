/* The small things everything stands on: random numbers, arenas, buffers, threads, progress,
 * errors. */
#include "support/testing.h"

#include "base/arena.h"
#include "base/buffer.h"
#include "base/checked.h"
#include "base/error.h"
#include "base/memory.h"
#include "base/rng.h"
#include "base/tasks.h"
#include "base/ticker.h"

#include <stdatomic.h>
#include <stdio.h>
#include <string.h>
// cmocka.h needs the headers above first

static void generator_gives_the_published_sequence(void **state)
{
    (void)state;
    pv_rng rng = {.state = {1, 2, 3, 4}};
    static const uint64_t expected[] = {11520,
                                        0,
                                        1509978240,
                                        UINT64_C(1215971899390074240),
                                        UINT64_C(1216172134540287360),
                                        UINT64_C(607988272756665600)};
    for (size_t i = 0; i < sizeof expected / sizeof *expected; i++) {
        assert_true(pv_i_rng_next(&rng) == expected[i]);
    }
    pv_i_rng_init(&rng, 0); /* the first outputs of splitmix64 from 0 */
    assert_true(rng.state[0] == UINT64_C(0xe220a8397b1dcdaf));
    assert_true(rng.state[1] == UINT64_C(0x6e789e6aa1b965f4));
}

static void bounded_draws_are_even(void **state)
{
    (void)state;
    pv_rng rng;
    size_t counts[7] = {0};
    pv_i_rng_init(&rng, 3);
    for (unsigned i = 0; i < 70000; i++) {
        const uint64_t draw = pv_i_rng_below(&rng, 7);
        assert_true(draw < 7);
        counts[draw]++;
        const double unit = pv_i_rng_unit(&rng);
        assert_true(unit >= 0 && unit < 1);
    }
    for (size_t i = 0; i < 7; i++) {
        assert_in_range(counts[i], 9600, 10400); /* four standard deviations */
    }
}

static void weighted_draws_follow_the_weights(void **state)
{
    (void)state;
    static const uint32_t weights[] = {0, 3, 0, 1};
    pv_rng rng;
    size_t counts[4] = {0};
    pv_i_rng_init(&rng, 5);
    for (unsigned i = 0; i < 40000; i++) {
        counts[pv_i_rng_weighted(&rng, weights, 4, 4)]++;
    }
    assert_int_equal(counts[0] + counts[2], 0);
    assert_in_range(counts[1], 29500, 30500);
}

static void arena_pieces_do_not_overlap(void **state)
{
    (void)state;
    pv_arena arena = {0};
    unsigned char *pieces[300];
    for (size_t i = 0; i < 300; i++) {
        pieces[i] = pv_i_arena_alloc(&arena, i * 37);
        assert_non_null(pieces[i]);
        assert_int_equal((uintptr_t)pieces[i] % 16, 0);
        memset(pieces[i], (int)(i & 0xff), i * 37);
    }
    const char *const text = pv_i_arena_text(&arena, "hello world", 5);
    for (size_t i = 0; i < 300; i++) {
        for (size_t j = 0; j < i * 37; j++) {
            assert_int_equal(pieces[i][j], i & 0xff);
        }
    }
    assert_string_equal(text, "hello");
    assert_null(pv_i_arena_alloc(&arena, SIZE_MAX));
    pv_i_arena_deinit(&arena);
}

static void buffer_collects_text(void **state)
{
    (void)state;
    pv_buffer buffer = {0};
    char *text = NULL;
    pv_i_buffer_text(&buffer, "a");
    pv_i_buffer_char(&buffer, 'b');
    pv_i_buffer_format(&buffer, "%d-%s", 42, "c");
    pv_i_buffer_char(&buffer, ' ');
    pv_i_buffer_count(&buffer, 1234567);
    pv_i_buffer_char(&buffer, ' ');
    pv_i_buffer_count(&buffer, 999);
    assert_int_equal(pv_i_buffer_take(&buffer, &text, NULL), PV_STATUS_OK);
    assert_string_equal(text, "ab42-c 1,234,567 999");
    pv_string_free(text);
    assert_int_equal(pv_i_buffer_take(&buffer, &text, NULL), PV_STATUS_OK);
    assert_string_equal(text, "");
    pv_string_free(text);
    pv_i_buffer_bytes(&buffer, "x", SIZE_MAX); /* too much: remembered, nothing written */
    pv_i_buffer_text(&buffer, "y");
    pv_error error;
    assert_int_equal(pv_i_buffer_take(&buffer, &text, &error), PV_STATUS_NO_MEMORY);
}

static void sizes_are_checked(void **state)
{
    (void)state;
    size_t size;
    assert_false(pv_i_mul_size(SIZE_MAX, 2, &size));
    assert_true(pv_i_mul_size(3, 4, &size) && size == 12);
    assert_null(pv_i_array(SIZE_MAX / 2, 4));
    assert_null(pv_i_zeroed(SIZE_MAX / 2, 4));
    assert_int_equal(pv_i_bits_for(0), 0);
    assert_int_equal(pv_i_bits_for(1), 0);
    assert_int_equal(pv_i_bits_for(2), 1);
    assert_int_equal(pv_i_bits_for(5), 3);
    assert_int_equal(pv_i_next_power(5), 8);
    assert_int_equal(pv_i_next_power(8), 8);
    void *array = NULL;
    size_t capacity = 0;
    assert_false(pv_i_reserve(&array, &capacity, SIZE_MAX, 8));
    assert_null(array);
}

static void threads_are_what_the_context_asks_for(void **state)
{
    (void)state;
    assert_true(pv_i_threads(NULL) >= 1);
    assert_int_equal(pv_i_threads(&(pv_context){.threads = 3}), 3);
    assert_int_equal(pv_i_threads(&(pv_context){.threads = 100000}), PV_MAX_THREADS);
}

typedef struct {
    atomic_uint done[100];
    size_t failing[2]; /* tasks */
    bool asks;         /* whether to go on */
} many;

static pv_status do_one(void *ctx, size_t task, const pv_thread *thread, pv_error *error)
{
    many *const m = ctx;
    assert_true(thread->number < 4);
    if (m->asks && !pv_i_goes_on(thread, task)) {
        return PV_STATUS_OK;
    }
    (void)atomic_fetch_add(&m->done[task], 1);
    return task == m->failing[0] || task == m->failing[1]
               ? pv_i_fail(error, PV_STATUS_LIMIT, "task %zu", task)
               : PV_STATUS_OK;
}

static void each_task_is_done_once(void **state)
{
    (void)state;
    many m = {.failing = {SIZE_MAX, SIZE_MAX}};
    assert_int_equal(pv_i_tasks_run(4, 100, do_one, &m, NULL, NULL), PV_STATUS_OK);
    for (size_t i = 0; i < 100; i++) {
        assert_int_equal(atomic_load(&m.done[i]), 1);
    }
    assert_int_equal(pv_i_tasks_run(4, 0, do_one, &m, NULL, NULL), PV_STATUS_OK);
}

static void the_first_failure_by_number_is_reported(void **state)
{
    (void)state;
    for (unsigned threads = 1; threads <= 4; threads++) {
        many m = {.failing = {31, 30}};
        pv_error error;
        assert_int_equal(pv_i_tasks_run(threads, 100, do_one, &m, NULL, &error), PV_STATUS_LIMIT);
        assert_string_equal(error.message, "task 30");
        for (size_t i = 0; i <= 30; i++) {
            assert_int_equal(atomic_load(&m.done[i]), 1);
        }
        assert_int_equal(pv_i_tasks_run(threads, 100, do_one, &m, NULL, NULL), PV_STATUS_LIMIT);
    }
}

static bool stop_at_once(void *ctx, const pv_progress *progress)
{
    (void)ctx;
    (void)progress;
    return false;
}

static void tasks_can_be_cancelled(void **state)
{
    (void)state;
    const pv_context context = {.progress = stop_at_once};
    pv_ticker ticker = pv_i_ticker(&context, "testing", 100);
    many m = {.failing = {SIZE_MAX, SIZE_MAX}, .asks = true};
    pv_error error;
    assert_int_equal(pv_i_tasks_run(1, 100, do_one, &m, &ticker, &error), PV_STATUS_CANCELLED);
    assert_int_equal(error.status, PV_STATUS_CANCELLED);
    assert_int_equal(atomic_load(&m.done[0]), 0);
}

static bool stop_at_end(void *ctx, const pv_progress *progress)
{
    unsigned *const calls = ctx;
    ++*calls;
    return progress->done < progress->total;
}

static void progress_is_rare_and_can_stop(void **state)
{
    (void)state;
    unsigned calls = 0;
    const pv_context context = {.progress = stop_at_end, .progress_ctx = &calls};
    pv_ticker ticker = pv_i_ticker(&context, "testing", 1000000);
    for (uint64_t i = 0; i < 100000; i++) {
        assert_true(pv_i_tick(&ticker, i));
    }
    assert_in_range(calls, 1, 100);
    assert_false(pv_i_tick_end(&ticker));
    pv_ticker silent = pv_i_ticker(NULL, "testing", 0);
    assert_true(pv_i_tick(&silent, 5) && pv_i_tick_end(&silent));
}

static void errors_say_where_and_what_to_do(void **state)
{
    (void)state;
    pv_error error;
    const pv_status status = pv_i_hint(
        pv_i_fail_at(&error, PV_STATUS_INPUT, "a.csv", 3, 4, "bad %s", "thing"), &error, "mend it");
    assert_int_equal(status, PV_STATUS_INPUT);
    assert_string_equal(error.file, "a.csv");
    assert_int_equal(error.line, 3);
    assert_int_equal(error.column, 4);
    assert_string_equal(error.message, "bad thing");
    assert_string_equal(error.hint, "mend it");
    assert_int_equal(pv_i_fail(&error, PV_STATUS_LIMIT, "too large"), PV_STATUS_LIMIT);
    assert_string_equal(error.file, "");
    assert_string_equal(error.hint, "");
    assert_int_equal(pv_i_no_memory(NULL), PV_STATUS_NO_MEMORY);
    for (int i = 0; i < PV_STATUS_COUNT; i++) {
        assert_true(strlen(pv_status_text((pv_status)i)) > 0);
    }
    assert_string_equal(pv_status_text((pv_status)99), "unknown status");
}

static void phrases_are_said_in_the_callers_words(void **state)
{
    (void)state;
    static const char *const words[PV_PHRASE_COUNT] = {
        [PV_PHRASE_OVERWRITE] = "press F5", [PV_PHRASE_IGNORE] = "untick"};
    pv_error error;
    assert_int_equal(pv_i_hint_phrases(pv_i_fail(&error, PV_STATUS_EXISTS, "it is there"), &error,
                                       "@, or @ at last", PV_PHRASE_NO_QUOTES, PV_PHRASE_OVERWRITE),
                     PV_STATUS_EXISTS);
    assert_string_equal(error.hint, "read it without quoting, or allow overwriting at last");
    pv_error_rephrase(&error, words);
    assert_string_equal(error.hint, "read it without quoting, or press F5 at last");
    assert_int_equal(error.phrases[0], PV_PHRASE_NONE);
    pv_error_rephrase(&error, words); /* once is enough */
    assert_string_equal(error.hint, "read it without quoting, or press F5 at last");
    /* In a message, too; and not in one that only looks like it. */
    assert_int_equal(pv_i_has_phrase(pv_i_fail(&error, PV_STATUS_INPUT, "%s age",
                                               pv_phrase_text(PV_PHRASE_IGNORE)),
                                     &error, PV_PHRASE_IGNORE),
                     PV_STATUS_INPUT);
    pv_error_rephrase(&error, words);
    assert_string_equal(error.message, "untick age");
    assert_int_equal(pv_i_fail(&error, PV_STATUS_INPUT, "allow overwriting"), PV_STATUS_INPUT);
    pv_error_rephrase(&error, words);
    assert_string_equal(error.message, "allow overwriting");
    for (pv_phrase phrase = 0; phrase < PV_PHRASE_COUNT; phrase++) {
        assert_string_equal(pv_i_say(NULL, phrase), pv_phrase_text(phrase));
    }
    assert_string_equal(pv_i_say(words, PV_PHRASE_IGNORE), "untick");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(generator_gives_the_published_sequence),
        cmocka_unit_test(bounded_draws_are_even),
        cmocka_unit_test(weighted_draws_follow_the_weights),
        cmocka_unit_test(arena_pieces_do_not_overlap),
        cmocka_unit_test(buffer_collects_text),
        cmocka_unit_test(sizes_are_checked),
        cmocka_unit_test(threads_are_what_the_context_asks_for),
        cmocka_unit_test(each_task_is_done_once),
        cmocka_unit_test(the_first_failure_by_number_is_reported),
        cmocka_unit_test(tasks_can_be_cancelled),
        cmocka_unit_test(progress_is_rare_and_can_stop),
        cmocka_unit_test(errors_say_where_and_what_to_do),
        cmocka_unit_test(phrases_are_said_in_the_callers_words),
    };
    return cmocka_run_group_tests_name("base", tests, NULL, NULL);
}
