/* What workspace.c (the plan file, its table, the state) and changes.c (what pages ask to change)
 * share. */
#ifndef WEB_SERVER_WORKSPACE_INSIDE_H
#define WEB_SERVER_WORKSPACE_INSIDE_H

#include "server/workspace.h"

#include <pthread.h>
#include <sys/stat.h>

typedef enum web_study_state { WEB_OPENING = 0, WEB_OPEN, WEB_REFUSED } web_study_state;

struct web_workspace {
    char *folder, *plan, *file; /* `file` keeps the history */
    web_files *files;
    unsigned threads;
    void (*changed_fn)(void *ctx);
    void *changed_ctx;
    pv_outputs *claim; /* on `file`: nobody else explores this plan */

    pthread_mutex_t lock; /* of all that follows */
    pthread_cond_t changed;
    uint64_t state; /* its number */
    web_history history;
    struct stat stamp;   /* of the plan file when it was read or written last */
    pv_error plan_error; /* PV_STATUS_OK = none; open questions are none */
    json_t *questions;
    web_snapshot *current; /* of what the plan says now; its study is there once it is open */
    web_snapshot *before;  /* open, and sees what `current` will see; NULL = none */
    uint64_t n_read;       /* how often the table was read */
    uint64_t turn;         /* how often a table was to be opened */
    json_t *changed_files; /* names: not as they were when they were read */
    double files_looked;   /* when */
    web_study_state study;
    pv_error study_error;
    json_t *progress; /* of opening it; NULL = none yet */
    double progress_told;
    bool is_wanted; /* the table is to be opened */
    bool is_ending;
    bool has_opener;
    pthread_t opener;
};

/* All with the lock held. */

/* Takes over what the file says, if it says anything new. True: it did. */
bool web_workspace_reread(web_workspace *w);
/* What the plan says has changed. */
void web_workspace_adopt(web_workspace *w);
/* Reads all files anew. */
void web_workspace_forget_table(web_workspace *w);
/* Makes the command lines of the candidates anew. */
void web_workspace_lines(web_workspace *w);
/* Writes the history; the state has changed. */
PV_CHECKED pv_status web_workspace_save(web_workspace *w, pv_error *error);
/* Writes the plan. */
PV_CHECKED pv_status web_workspace_write(web_workspace *w, const char *text, pv_error *error);

#endif
