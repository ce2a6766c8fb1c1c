/* Waiting for news: until there are some, or the time is over, or nobody is there any more to be
 * told. */
#ifndef WEB_SERVER_PATIENCE_H
#define WEB_SERVER_PATIENCE_H

#include <pthread.h>
#include <stdbool.h>

typedef struct web_patience {
    double until; /* by web_now */
    /* Has whoever asked gone? NULL = nobody knows. */
    bool (*is_gone)(void *ctx);
    void *ctx;
} web_patience;

/* Seconds of a clock that nobody sets. */
double web_now(void);

web_patience web_patience_of(double seconds);
/* A condition that web_patience_wait understands. */
void web_cond_init(pthread_cond_t *condition);
/* Waits for the condition, a second at most. False: no longer. */
bool web_patience_wait(const web_patience *patience, pthread_cond_t *condition,
                       pthread_mutex_t *lock);

#endif
