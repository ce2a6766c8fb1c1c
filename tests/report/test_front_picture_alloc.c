/* Pictures, pages and words of a front when memory runs out at every allocation. */
#include "support/failing_alloc.h"
#include "support/samples.h"

typedef struct {
    const front_sample *sample;
    pv_status (*draw)(const pv_front *, const pv_profile *, char **, pv_error *);
} subject;

static pv_status draw(void *ctx, pv_error *error)
{
    const subject *const s = ctx;
    char *text = NULL;
    const pv_status status = s->draw(&s->sample->front, s->sample->profile, &text, error);
    assert_true((text == NULL) == (status != PV_STATUS_OK));
    pv_string_free(text);
    return status;
}

static pv_status tell(const pv_front *front, const pv_profile *profile, char **text,
                      pv_error *error)
{
    const pv_status status = pv_front_account(front, text, error);
    if (status != PV_STATUS_OK) {
        return status;
    }
    pv_string_free(*text);
    *text = NULL;
    return pv_front_step_text(front, profile, 0, 3, text, error);
}

static void pictures_and_words_fail_cleanly(void **state)
{
    (void)state;
    front_sample s;
    front_sample_usual(&s);
    assert_true(failing_alloc_every(draw, &(subject){&s, pv_front_svg}) > 3);
    assert_true(failing_alloc_every(draw, &(subject){&s, pv_front_page}) > 3);
    assert_true(failing_alloc_every(draw, &(subject){&s, tell}) > 1);
    front_sample_deinit(&s);
}

static void many_objectives_fail_cleanly(void **state)
{
    (void)state;
    static pv_moment moments[] = {{.evaluated = 5, .hypervolume = 0.1},
                                  {.evaluated = 50, .hypervolume = 0.4}};
    front_sample s;
    front_sample_many(&s, PV_MAX_OBJECTIVES, 6);
    s.front.moments = moments;
    s.front.n_moments = 2;
    s.front.epsilons[0] = 5;
    s.front.n_hidden = 3;
    assert_true(failing_alloc_every(draw, &(subject){&s, pv_front_svg}) > 3);
    assert_true(failing_alloc_every(draw, &(subject){&s, pv_front_page}) > 5);
    assert_true(failing_alloc_every(draw, &(subject){&s, tell}) > 1);
    front_sample_deinit(&s);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(pictures_and_words_fail_cleanly),
        cmocka_unit_test(many_objectives_fail_cleanly),
    };
    return cmocka_run_group_tests_name("fronts without memory", tests, NULL, NULL);
}
