/* Sets of outputs: all or nothing, nothing destroyed, nothing left behind. */
#include "support/files.h"

#include "base/claim.h"
#include "base/memory.h"
#include "base/outputs.h"

#include <fcntl.h>
#include <signal.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <sys/wait.h>

static scratch_folder folder;
static pv_error error;

static int make_folder(void **state)
{
    (void)state;
    folder = scratch_folder_create("");
    error = (pv_error){0};
    return 0;
}

static int remove_folder(void **state)
{
    (void)state;
    scratch_folder_remove(&folder);
    return 0;
}

/* A path in the folder; the last four stay valid. */
static const char *in(const char *name)
{
    static char paths[4][256];
    static unsigned next;
    char *const path = paths[next++ % 4];
    (void)snprintf(path, sizeof paths[0], "%s/%s", folder.path, name);
    return path;
}

static void assert_holds(const char *path, const char *expected)
{
    char *const text = scratch_text(path);
    assert_string_equal(text, expected);
    pv_i_free(text);
}

static void put(const char *path, const char *text)
{
    assert_int_equal(pv_text_write(path, text, PV_AUDIENCE_PUBLIC, true, NULL), PV_STATUS_OK);
}

static pv_outputs *begin(bool force)
{
    pv_outputs *outputs = NULL;
    assert_int_equal(pv_outputs_create(force, &outputs, &error), PV_STATUS_OK);
    return outputs;
}

static void add(pv_outputs *outputs, const char *path, const char *text)
{
    assert_int_equal(pv_outputs_add(outputs, path, PV_AUDIENCE_PUBLIC, &error), PV_STATUS_OK);
    assert_int_equal(pv_outputs_text(outputs, path, text, &error), PV_STATUS_OK);
}

static unsigned mode_of(const char *path)
{
    struct stat info;
    assert_int_equal(stat(path, &info), 0);
    return info.st_mode & 0777;
}

/* ---- one file ---- */

static void a_file_is_whole_and_alone(void **state)
{
    (void)state;
    const char *const path = in("a");
    assert_int_equal(pv_text_write(path, "hello\n", PV_AUDIENCE_PUBLIC, false, &error),
                     PV_STATUS_OK);
    assert_holds(path, "hello\n");
    assert_int_equal(pv_text_write(path, "again", PV_AUDIENCE_PUBLIC, false, &error),
                     PV_STATUS_EXISTS);
    assert_holds(path, "hello\n");
    assert_int_equal(pv_text_write(path, "again", PV_AUDIENCE_PUBLIC, true, &error), PV_STATUS_OK);
    assert_holds(path, "again");
    assert_int_equal(scratch_folder_files(&folder), 1);
}

static void nothing_remains_of_what_is_abandoned(void **state)
{
    (void)state;
    pv_outputs *const outputs = begin(false);
    add(outputs, in("a"), "x");
    assert_true(scratch_folder_files(&folder) > 0);
    pv_outputs_free(outputs);
    assert_int_equal(scratch_folder_files(&folder), 0);
    pv_outputs_free(NULL);
}

static void someone_elses_file_is_never_replaced(void **state)
{
    (void)state;
    const char *const path = in("a");
    pv_outputs *const outputs = begin(false);
    add(outputs, path, "ours");
    FILE *const other = fopen(path, "w"); /* made while we were writing */
    assert_non_null(other);
    (void)fputs("theirs", other);
    (void)fclose(other);
    assert_int_equal(pv_outputs_commit(outputs, &error), PV_STATUS_EXISTS);
    pv_outputs_free(outputs);
    assert_holds(path, "theirs");
    assert_int_equal(scratch_folder_files(&folder), 1);
}

static void what_is_claimed_but_not_written_stays(void **state)
{
    (void)state;
    put(in("a"), "old");
    pv_outputs *const outputs = begin(true);
    assert_int_equal(pv_outputs_add(outputs, in("a"), PV_AUDIENCE_PUBLIC, &error), PV_STATUS_OK);
    add(outputs, in("b"), "new");
    assert_int_equal(pv_outputs_commit(outputs, &error), PV_STATUS_OK);
    pv_outputs_free(outputs);
    assert_holds(in("a"), "old");
    assert_holds(in("b"), "new");
    assert_int_equal(scratch_folder_files(&folder), 2);
}

/* ---- who may read it ---- */

static void modes_follow_the_audience_and_never_get_wider(void **state)
{
    (void)state;
    const mode_t mask = umask(022);
    assert_int_equal(pv_text_write(in("mine"), "", PV_AUDIENCE_PUBLISHER, false, NULL),
                     PV_STATUS_OK);
    assert_int_equal(pv_text_write(in("ours"), "", PV_AUDIENCE_PUBLIC, false, NULL), PV_STATUS_OK);
    assert_int_equal(mode_of(in("mine")), 0600);
    assert_int_equal(mode_of(in("ours")), 0644);
    (void)umask(0);
    assert_int_equal(pv_text_write(in("mine"), "x", PV_AUDIENCE_PUBLIC, true, NULL), PV_STATUS_OK);
    assert_int_equal(pv_text_write(in("ours"), "x", PV_AUDIENCE_PUBLISHER, true, NULL),
                     PV_STATUS_OK);
    assert_int_equal(mode_of(in("mine")), 0600);
    assert_int_equal(mode_of(in("ours")), 0600);
    pv_outputs *const outputs = begin(false);
    pv_output *output = NULL;
    assert_int_equal(pv_i_outputs_open(outputs, in("wide"), PV_AUDIENCE_PUBLIC, &output, NULL),
                     PV_STATUS_OK);
    assert_int_equal(mode_of(pv_i_output_path(output)), 0600);
    pv_outputs_free(outputs);
    (void)umask(mask);
}

/* ---- nothing is destroyed ---- */

static void inputs_are_never_outputs(void **state)
{
    (void)state;
    put(in("data"), "people");
    assert_int_equal(link(in("data"), in("hard")), 0);
    assert_int_equal(symlink("data", in("soft")), 0);
    const char *const spellings[] = {"data", "./data", "../", "hard", "soft"};
    for (size_t i = 0; i < sizeof spellings / sizeof *spellings; i++) {
        char path[256];
        if (strcmp(spellings[i], "../") == 0) {
            (void)snprintf(path, sizeof path, "%s/../%s/data", folder.path,
                           strrchr(folder.path, '/') + 1);
        } else {
            (void)snprintf(path, sizeof path, "%s/%s", folder.path, spellings[i]);
        }
        pv_outputs *const before = begin(true);
        assert_int_equal(pv_outputs_protect(before, in("data"), &error), PV_STATUS_OK);
        assert_int_equal(pv_outputs_add(before, path, PV_AUDIENCE_PUBLIC, &error),
                         PV_STATUS_ARGUMENT);
        pv_outputs_free(before);
        pv_outputs *const after = begin(true); /* the input becomes known later */
        add(after, path, "x");
        assert_int_equal(pv_outputs_protect(after, in("data"), &error), PV_STATUS_ARGUMENT);
        pv_outputs_free(after);
    }
    assert_holds(in("data"), "people");
    assert_int_equal(scratch_folder_files(&folder), 3);
}

static void a_session_that_is_made_later_is_no_output(void **state)
{
    (void)state;
    pv_outputs *const outputs = begin(true);
    assert_int_equal(pv_outputs_protect(outputs, in("session"), &error), PV_STATUS_OK);
    assert_int_equal(pv_outputs_add(outputs, in("./session"), PV_AUDIENCE_PUBLIC, &error),
                     PV_STATUS_ARGUMENT);
    pv_outputs_free(outputs);
}

static void two_outputs_never_share_a_file(void **state)
{
    (void)state;
    pv_outputs *const outputs = begin(true);
    add(outputs, in("a"), "x");
    assert_int_equal(pv_outputs_add(outputs, in("./a"), PV_AUDIENCE_PUBLIC, &error),
                     PV_STATUS_ARGUMENT);
    assert_non_null(strstr(error.message, "two outputs"));
    pv_outputs_free(outputs);
}

static void only_plain_files_are_replaced(void **state)
{
    (void)state;
    assert_int_equal(mkfifo(in("pipe"), 0600), 0);
    assert_int_equal(mkdir(in("folder"), 0700), 0);
    assert_int_equal(symlink("/dev/null", in("device")), 0);
    const char *const names[] = {"pipe", "folder", "device", "folder/", ""};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        assert_int_equal(pv_text_write(in(names[i]), "x", PV_AUDIENCE_PUBLIC, true, &error),
                         PV_STATUS_ARGUMENT);
    }
    assert_int_equal(pv_text_write("/dev/null", "x", PV_AUDIENCE_PUBLIC, true, &error),
                     PV_STATUS_ARGUMENT);
    assert_int_equal(pv_text_write(in("no/such"), "x", PV_AUDIENCE_PUBLIC, true, &error),
                     PV_STATUS_IO);
}

/* ---- several files ---- */

static void several_appear_together(void **state)
{
    (void)state;
    put(in("b"), "old b");
    pv_outputs *const outputs = begin(true);
    add(outputs, in("a"), "new a");
    add(outputs, in("b"), "new b");
    add(outputs, in("c"), "new c");
    assert_holds(in("b"), "old b");
    assert_int_equal(pv_outputs_commit(outputs, &error), PV_STATUS_OK);
    pv_outputs_free(outputs);
    assert_holds(in("a"), "new a");
    assert_holds(in("b"), "new b");
    assert_holds(in("c"), "new c");
    assert_int_equal(scratch_folder_files(&folder), 3);
}

static pv_status refuse(void *ctx, pv_error *told)
{
    (void)told;
    return *(bool *)ctx ? PV_STATUS_IO : PV_STATUS_OK;
}

static void what_comes_last_decides_about_all(void **state)
{
    (void)state;
    put(in("b"), "old b");
    for (int round = 0; round < 2; round++) {
        bool refuses = round == 0;
        pv_outputs *const outputs = begin(true);
        add(outputs, in("a"), "new a");
        add(outputs, in("b"), "new b");
        assert_int_equal(pv_i_outputs_folder(outputs, in("papers"), &error), PV_STATUS_OK);
        pv_output *paper = NULL;
        assert_int_equal(
            pv_i_outputs_open_within(outputs, "p", PV_AUDIENCE_PUBLISHER, &paper, &error),
            PV_STATUS_OK);
        assert_int_equal(pv_i_outputs_place(outputs, in("papers-1"), NULL, &error), PV_STATUS_OK);
        assert_int_equal(pv_i_outputs_commit(outputs, refuse, &refuses, &error),
                         refuses ? PV_STATUS_IO : PV_STATUS_OK);
        pv_outputs_free(outputs);
        assert_holds(in("b"), refuses ? "old b" : "new b");
        assert_int_equal(access(in("a"), F_OK) == 0, !refuses);
        assert_int_equal(access(in("papers-1/p"), F_OK) == 0, !refuses);
        assert_int_equal(scratch_folder_files(&folder), refuses ? 1 : 3);
    }
}

static void a_failing_rename_undoes_the_others(void **state)
{
    (void)state;
    put(in("a"), "old a");
    pv_outputs *const outputs = begin(true);
    add(outputs, in("a"), "new a");
    add(outputs, in("b"), "new b");
    assert_int_equal(pv_i_outputs_folder(outputs, in("papers"), &error), PV_STATUS_OK);
    assert_int_equal(mkdir(in("papers-1"), 0700), 0); /* in the way */
    assert_int_equal(pv_i_outputs_place(outputs, in("papers-1"), NULL, &error), PV_STATUS_OK);
    assert_int_equal(pv_outputs_commit(outputs, &error), PV_STATUS_EXISTS);
    pv_outputs_free(outputs);
    assert_holds(in("a"), "old a");
    assert_int_not_equal(access(in("b"), F_OK), 0);
    assert_int_equal(scratch_folder_files(&folder), 2);
}

static void a_folder_replaces_another(void **state)
{
    (void)state;
    assert_int_equal(mkdir(in("papers-1"), 0700), 0);
    put(in("papers-1/old"), "x");
    put(in("table"), "old");
    pv_outputs *const outputs = begin(true);
    pv_output *paper = NULL;
    assert_int_equal(pv_i_outputs_folder(outputs, in("papers"), &error), PV_STATUS_OK);
    assert_int_equal(pv_i_outputs_open_within(outputs, "new", PV_AUDIENCE_PUBLISHER, &paper, NULL),
                     PV_STATUS_OK);
    assert_int_equal(pv_i_output_write(paper, "y", 1, NULL), PV_STATUS_OK);
    add(outputs, in("table"), "new");
    assert_int_equal(pv_i_outputs_place(outputs, in("papers-2"), in("papers-1"), &error),
                     PV_STATUS_OK);
    assert_int_equal(pv_outputs_commit(outputs, &error), PV_STATUS_OK);
    pv_outputs_free(outputs);
    assert_holds(in("table"), "new");
    assert_holds(in("papers-2/new"), "y");
    assert_int_equal(mode_of(in("papers-2/new")), 0600);
    assert_int_equal(scratch_folder_files(&folder), 2);
}

/* ---- the living and the dead ---- */

static void writers_of_one_name_exclude_each_other(void **state)
{
    (void)state;
    pv_outputs *const first = begin(true);
    pv_outputs *const second = begin(true);
    add(first, in("a"), "first");
    assert_int_equal(pv_outputs_add(second, in("a"), PV_AUDIENCE_PUBLIC, &error), PV_STATUS_IO);
    assert_non_null(strstr(error.message, "in use by another process"));
    add(second, in("b"), "second");
    assert_int_equal(pv_outputs_commit(first, &error), PV_STATUS_OK);
    pv_outputs_free(first);
    assert_int_equal(pv_outputs_add(second, in("a"), PV_AUDIENCE_PUBLIC, &error), PV_STATUS_OK);
    pv_outputs_free(second);
    assert_holds(in("a"), "first");
    assert_int_equal(scratch_folder_files(&folder), 1);
}

/* Commits a and b and the folder papers-2, which replaces papers-1, and dies when all is renamed
 * but nothing tidied up. */
static pv_status die(void *ctx, pv_error *told)
{
    (void)ctx;
    (void)told;
    (void)raise(SIGKILL);
    return PV_STATUS_OK;
}

static void write_and_die(void)
{
    const pid_t child = fork();
    if (child == 0) {
        pv_outputs *const outputs = begin(true);
        add(outputs, in("a"), "new a");
        assert_int_equal(pv_i_outputs_folder(outputs, in("papers"), &error), PV_STATUS_OK);
        add(outputs, in("b"), "new b");
        assert_int_equal(pv_i_outputs_place(outputs, in("papers-2"), in("papers-1"), &error),
                         PV_STATUS_OK);
        (void)!pv_i_outputs_commit(outputs, die, NULL, &error);
        _exit(1);
    }
    int status = 0;
    assert_int_equal(waitpid(child, &status, 0), child);
    assert_true(WIFSIGNALED(status));
}

static void prepare_old_state(void)
{
    put(in("a"), "old a");
    put(in("b"), "old b");
    assert_int_equal(mkdir(in("papers-1"), 0700), 0);
    put(in("papers-1/old"), "x");
}

static void the_next_writer_ends_what_a_dead_one_committed(void **state)
{
    (void)state;
    prepare_old_state();
    write_and_die();
    put(in("other"), "x"); /* sweeps the folder */
    assert_holds(in("a"), "new a");
    assert_holds(in("b"), "new b");
    assert_int_equal(access(in("papers-2"), F_OK), 0);
    assert_int_not_equal(access(in("papers-1"), F_OK), 0);
    assert_int_equal(scratch_folder_files(&folder), 4);
}

/* Takes back the rename that decides, as if the writer had died just before it. */
static void take_back_the_last_rename(void)
{
    char stem[PV_PATH_SIZE];
    char hidden[PV_PATH_SIZE];
    assert_true(pv_i_hidden_stem(in("b"), stem));
    assert_int_equal(rename(in("b"), pv_i_hidden(stem, PV_HIDDEN_FILE, hidden)), 0);
    assert_int_equal(rename(pv_i_hidden(stem, PV_HIDDEN_OLD, hidden), in("b")), 0);
}

static void the_next_writer_undoes_what_a_dead_one_began(void **state)
{
    (void)state;
    prepare_old_state();
    write_and_die();
    take_back_the_last_rename();
    put(in("a"), "later"); /* claims a name of the dead one itself */
    assert_holds(in("a"), "later");
    assert_holds(in("b"), "old b");
    assert_holds(in("papers-1/old"), "x");
    assert_int_not_equal(access(in("papers-2"), F_OK), 0);
    assert_int_equal(scratch_folder_files(&folder), 3);
}

/* Whoever undid it emptied the new folder under its hidden name and lost power: its name is back,
 * the time of its last change is another one. It is still the folder that the journal tells of. */
static void a_folder_whose_removal_began_is_removed(void **state)
{
    (void)state;
    const struct timespec times[2] = {{.tv_nsec = UTIME_OMIT}, {.tv_sec = 1}};
    prepare_old_state();
    write_and_die();
    take_back_the_last_rename();
    assert_int_equal(utimensat(AT_FDCWD, in("papers-2"), times, 0), 0);
    put(in("other"), "x"); /* sweeps the folder */
    assert_int_not_equal(access(in("papers-2"), F_OK), 0);
    assert_holds(in("a"), "old a");
    assert_holds(in("b"), "old b");
    assert_holds(in("papers-1/old"), "x");
    assert_int_equal(scratch_folder_files(&folder), 4);
}

/* A folder that somebody put there instead is not ours to remove. */
static void another_folder_of_that_name_stays(void **state)
{
    (void)state;
    prepare_old_state();
    write_and_die();
    take_back_the_last_rename();
    assert_int_equal(rename(in("papers-2"), in("kept")), 0); /* its inode stays in use */
    assert_int_equal(mkdir(in("papers-2"), 0700), 0);
    put(in("other"), "x");
    assert_int_equal(access(in("papers-2"), F_OK), 0);
    assert_int_equal(access(in("kept"), F_OK), 0);
    assert_holds(in("b"), "old b");
}

static void outputs_in_two_folders_have_one_fate(void **state)
{
    (void)state;
    assert_int_equal(mkdir(in("elsewhere"), 0700), 0);
    put(in("elsewhere/a"), "old a");
    put(in("b"), "old b");
    const pid_t child = fork();
    if (child == 0) {
        pv_outputs *const outputs = begin(true);
        add(outputs, in("elsewhere/a"), "new a");
        add(outputs, in("b"), "new b");
        (void)!pv_i_outputs_commit(outputs, die, NULL, &error);
        _exit(1);
    }
    int status = 0;
    assert_int_equal(waitpid(child, &status, 0), child);
    take_back_the_last_rename();
    put(in("elsewhere/other"), "x"); /* sweeps the folder that has only the hint */
    assert_holds(in("elsewhere/a"), "old a");
    assert_holds(in("b"), "old b");
    put(in("b"), "later");
    assert_int_equal(scratch_folder_files(&folder), 2);
}

/* A journal that was being written when its writer died means nothing. */
static void a_journal_without_an_end_is_ignored(void **state)
{
    (void)state;
    char stem[PV_PATH_SIZE];
    char hidden[PV_PATH_SIZE];
    put(in("a"), "old a");
    assert_true(pv_i_hidden_stem(in("b"), stem));
    FILE *const journal = fopen(pv_i_hidden(stem, PV_HIDDEN_JOURNAL, hidden), "w");
    assert_non_null(journal);
    assert_int_equal(fchmod(fileno(journal), 0600), 0);
    (void)fputs("file", journal);
    (void)fputc(0, journal);
    (void)fputs("a", journal);
    (void)fclose(journal);
    put(in("b"), "b");
    assert_holds(in("a"), "old a");
    assert_int_equal(scratch_folder_files(&folder), 2);
}

/* In a folder that all may write to, anyone can put such a file. */
static void a_lock_that_is_a_link_is_not_followed(void **state)
{
    (void)state;
    char stem[PV_PATH_SIZE];
    char hidden[PV_PATH_SIZE];
    put(in("precious"), "x");
    assert_true(pv_i_hidden_stem(in("a"), stem));
    assert_int_equal(symlink("precious", pv_i_hidden(stem, PV_HIDDEN_LOCK, hidden)), 0);
    assert_int_equal(pv_text_write(in("a"), "y", PV_AUDIENCE_PUBLIC, true, &error), PV_STATUS_IO);
    assert_holds(in("precious"), "x");
}

/* The journal of another user, here one that others can write to, is not obeyed. */
static void journals_of_others_are_not_obeyed(void **state)
{
    (void)state;
    static const char text[] = "replaced\0precious\0001 0\0end";
    assert_int_equal(mkdir(in("precious"), 0700), 0);
    put(in("precious/thesis"), "x");
    FILE *const journal = fopen(in(".paravent-12345678.journal"), "w");
    assert_non_null(journal);
    (void)fwrite(text, 1, sizeof text, journal);
    (void)fclose(journal);
    assert_int_equal(chmod(in(".paravent-12345678.journal"), 0666), 0);
    put(in("other"), "y");
    assert_holds(in("precious/thesis"), "x");
    assert_int_equal(chmod(in(".paravent-12345678.journal"), 0600), 0);
    put(in("other"), "z"); /* but one of ours is */
    assert_int_not_equal(access(in("precious"), F_OK), 0);
    assert_int_equal(scratch_folder_files(&folder), 1);
}

static void links_with_our_names_are_not_followed(void **state)
{
    (void)state;
    static const char *const names[] = {".paravent-0000abcd.gone", ".paravent-0000abcd.papers",
                                        ".paravent-0000abcd.journal"};
    assert_int_equal(mkdir(in("precious"), 0700), 0);
    put(in("precious/thesis"), "x");
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        assert_int_equal(symlink("precious", in(names[i])), 0);
        put(in("other"), "y");
        assert_holds(in("precious/thesis"), "x");
        assert_int_equal(unlink(in(names[i])), 0);
    }
    assert_int_equal(mkfifo(in(".paravent-0000abcd.journal"), 0600), 0);
    put(in("other"), "z"); /* does not wait for anyone to write into it */
}

static void paths_in_journals_have_their_limits(void **state)
{
    (void)state;
    char text[PV_PATH_SIZE + 64] = "home";
    for (unsigned slashes = 0; slashes < 2; slashes++) {
        memset(text + 5, 'a', PV_PATH_SIZE - 1);
        text[5] = slashes > 0 ? '/' : 'a';
        memcpy(text + 5 + PV_PATH_SIZE - 1, "\0001 0\0end", 9);
        FILE *const journal = fopen(in(".paravent-12345678.journal"), "w");
        assert_non_null(journal);
        assert_int_equal(fchmod(fileno(journal), 0600), 0);
        (void)fwrite(text, 1, 5 + PV_PATH_SIZE - 1 + 9, journal);
        (void)fclose(journal);
        put(in("other"), "y");
        assert_holds(in("other"), "y");
    }
}

/* The folder with the journal is away for a while, on another disk perhaps. */
static void a_journal_out_of_sight_is_waited_for(void **state)
{
    (void)state;
    char stem[PV_PATH_SIZE];
    char hidden[PV_PATH_SIZE];
    assert_int_equal(mkdir(in("one"), 0700), 0);
    assert_int_equal(mkdir(in("two"), 0700), 0);
    put(in("one/a"), "old a");
    put(in("two/b"), "old b");
    const pid_t child = fork();
    if (child == 0) {
        pv_outputs *const outputs = begin(true);
        add(outputs, in("one/a"), "new a");
        add(outputs, in("two/b"), "new b");
        (void)!pv_i_outputs_commit(outputs, die, NULL, &error);
        _exit(1);
    }
    int status = 0;
    assert_int_equal(waitpid(child, &status, 0), child);
    assert_true(pv_i_hidden_stem(in("two/b"), stem));
    assert_int_equal(rename(in("two/b"), pv_i_hidden(stem, PV_HIDDEN_FILE, hidden)), 0);
    assert_int_equal(rename(pv_i_hidden(stem, PV_HIDDEN_OLD, hidden), in("two/b")), 0);
    assert_int_equal(rename(in("two"), in("away")), 0);
    put(in("one/other"), "x");
    assert_int_equal(pv_text_write(in("one/a"), "later", PV_AUDIENCE_PUBLIC, true, &error),
                     PV_STATUS_IO);
    assert_int_equal(rename(in("away"), in("two")), 0);
    put(in("two/other"), "x");
    assert_holds(in("one/a"), "old a");
    assert_holds(in("two/b"), "old b");
}

static void names_that_break_lists_or_are_devices_are_refused(void **state)
{
    (void)state;
    assert_int_equal(pv_text_write(in("new\nline"), "x", PV_AUDIENCE_PUBLIC, true, &error),
                     PV_STATUS_ARGUMENT);
    assert_int_equal(pv_text_write("/dev/stdout", "x", PV_AUDIENCE_PUBLIC, true, &error),
                     PV_STATUS_ARGUMENT);
    assert_int_equal(pv_text_write("/proc/self/fd/1", "x", PV_AUDIENCE_PUBLIC, true, &error),
                     PV_STATUS_ARGUMENT);
}

/* A session is shared among those who use it, and nobody's output. */
static void what_is_in_use_is_not_replaced(void **state)
{
    (void)state;
    pv_claim first, second;
    put(in("s.pvs"), "session");
    put(in("s.pvs-journal"), "hot");
    assert_int_equal(pv_i_claim_share(&first, in("s.pvs"), &error), PV_STATUS_OK);
    assert_int_equal(pv_i_claim_share(&second, in("s.pvs"), &error), PV_STATUS_OK);
    pv_i_claim_unshare(&first);
    assert_int_equal(pv_text_write(in("s.pvs"), "x", PV_AUDIENCE_PUBLIC, true, &error),
                     PV_STATUS_IO);
    assert_int_equal(pv_text_write(in("s.pvs-journal"), "x", PV_AUDIENCE_PUBLIC, true, &error),
                     PV_STATUS_ARGUMENT);
    assert_holds(in("s.pvs"), "session");
    pv_i_claim_unshare(&second);
    put(in("s.pvs"), "x");
    put(in("s.pvs-journal"), "y");
    assert_int_equal(scratch_folder_files(&folder), 2);
}

static void scratch_leaves_nothing_behind(void **state)
{
    (void)state;
    pv_output *output = NULL;
    pv_outputs *const outputs = begin(true);
    assert_int_equal(setenv("TMPDIR", folder.path, 1), 0);
    assert_int_equal(pv_i_outputs_scratch(outputs, &output, &error), PV_STATUS_OK);
    assert_int_equal(unsetenv("TMPDIR"), 0);
    assert_int_equal(scratch_folder_files(&folder), 0);
    assert_int_equal(pv_i_output_write(output, "hello", 5, &error), PV_STATUS_OK);
    assert_int_equal(pv_i_output_finish(output, &error), PV_STATUS_OK);
    assert_holds(pv_i_output_path(output), "hello");
    pv_outputs_free(outputs);
}

int main(void)
{
#define IN_FOLDER(test) cmocka_unit_test_setup_teardown(test, make_folder, remove_folder)
    const struct CMUnitTest tests[] = {
        IN_FOLDER(a_file_is_whole_and_alone),
        IN_FOLDER(nothing_remains_of_what_is_abandoned),
        IN_FOLDER(someone_elses_file_is_never_replaced),
        IN_FOLDER(what_is_claimed_but_not_written_stays),
        IN_FOLDER(modes_follow_the_audience_and_never_get_wider),
        IN_FOLDER(inputs_are_never_outputs),
        IN_FOLDER(a_session_that_is_made_later_is_no_output),
        IN_FOLDER(two_outputs_never_share_a_file),
        IN_FOLDER(only_plain_files_are_replaced),
        IN_FOLDER(several_appear_together),
        IN_FOLDER(what_comes_last_decides_about_all),
        IN_FOLDER(a_failing_rename_undoes_the_others),
        IN_FOLDER(a_folder_replaces_another),
        IN_FOLDER(writers_of_one_name_exclude_each_other),
        IN_FOLDER(the_next_writer_ends_what_a_dead_one_committed),
        IN_FOLDER(the_next_writer_undoes_what_a_dead_one_began),
        IN_FOLDER(a_folder_whose_removal_began_is_removed),
        IN_FOLDER(another_folder_of_that_name_stays),
        IN_FOLDER(outputs_in_two_folders_have_one_fate),
        IN_FOLDER(a_journal_without_an_end_is_ignored),
        IN_FOLDER(a_lock_that_is_a_link_is_not_followed),
        IN_FOLDER(journals_of_others_are_not_obeyed),
        IN_FOLDER(links_with_our_names_are_not_followed),
        IN_FOLDER(paths_in_journals_have_their_limits),
        IN_FOLDER(a_journal_out_of_sight_is_waited_for),
        IN_FOLDER(names_that_break_lists_or_are_devices_are_refused),
        IN_FOLDER(what_is_in_use_is_not_replaced),
        IN_FOLDER(scratch_leaves_nothing_behind),
    };
    return cmocka_run_group_tests_name("outputs", tests, NULL, NULL);
}
