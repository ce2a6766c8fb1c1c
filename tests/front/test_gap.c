/* What is proven about a point, in words: never more than what holds. */
#include "support/samples.h"

#include <math.h>

static void expect(double gap, pv_gap_style style, const char *words)
{
    char text[64];
    pv_gap_text(gap, style, text, sizeof text);
    assert_string_equal(text, words);
}

static void gaps_are_rounded_up(void **state)
{
    (void)state;
    expect(0.0111, PV_GAP_SENTENCE, "at most 1.2% above the optimum");
    expect(0.0111, PV_GAP_COLUMN, "at most 1.2% above the optimum");
    expect(0.0111, PV_GAP_BRIEF, "within 1.2%");
    expect(1e-9, PV_GAP_BRIEF, "within 0.1%");
    expect(1.2001, PV_GAP_SENTENCE, "at most 2.3 times the optimum");
    expect(1.2001, PV_GAP_BRIEF, "within 2.3x");
}

static void whole_numbers_are_short_in_sentences_only(void **state)
{
    (void)state;
    expect(0.0499, PV_GAP_SENTENCE, "at most 5% above the optimum");
    expect(0.0499, PV_GAP_COLUMN, "at most 5.0% above the optimum");
    expect(2, PV_GAP_SENTENCE, "at most 3 times the optimum");
    expect(2, PV_GAP_BRIEF, "within 3.0x");
}

static void without_a_gap_there_is_no_number(void **state)
{
    (void)state;
    expect(0, PV_GAP_SENTENCE, "optimal");
    expect(0, PV_GAP_BRIEF, "optimal");
    expect((double)INFINITY, PV_GAP_BRIEF, "nothing");
    expect((double)NAN, PV_GAP_SENTENCE, "nothing");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(gaps_are_rounded_up),
        cmocka_unit_test(whole_numbers_are_short_in_sentences_only),
        cmocka_unit_test(without_a_gap_there_is_no_number),
    };
    return cmocka_run_group_tests_name("gaps", tests, NULL, NULL);
}
