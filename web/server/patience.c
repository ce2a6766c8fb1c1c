/* Waiting for news. */
#include "server/patience.h"

#include <time.h>

#define LOOK_EVERY 1.0 /* seconds: whether anybody waits still, and at files that send no news */

double web_now(void)
{
    struct timespec t = {0};
    (void)clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + (double)t.tv_nsec * 1e-9;
}

web_patience web_patience_of(double seconds)
{
    return (web_patience){.until = web_now() + seconds};
}

void web_cond_init(pthread_cond_t *condition)
{
    pthread_condattr_t steady;
    (void)pthread_condattr_init(&steady);
    (void)pthread_condattr_setclock(&steady, CLOCK_MONOTONIC);
    (void)pthread_cond_init(condition, &steady);
    (void)pthread_condattr_destroy(&steady);
}

bool web_patience_wait(const web_patience *patience, pthread_cond_t *condition,
                       pthread_mutex_t *lock)
{
    const double now = web_now();
    const double next = now + LOOK_EVERY < patience->until ? now + LOOK_EVERY : patience->until;
    const double whole = (double)(time_t)next;
    const struct timespec deadline = {.tv_sec = (time_t)next,
                                      .tv_nsec = (long)((next - whole) * 1e9)};
    if (now >= patience->until || (patience->is_gone != NULL && patience->is_gone(patience->ctx))) {
        return false;
    }
    (void)pthread_cond_timedwait(condition, lock, &deadline);
    return true;
}
