#include "engine/publish_names.h"

#include "base/error.h"
#include "base/file.h"
#include "base/memory.h"
#include "base/sha256.h"

#include <string.h>
#include <unistd.h>

#define HIDDEN_DIGITS 12
#define HIDDEN_LETTERS 40 /* of the name; PostgreSQL takes 63 bytes altogether */
#define LARGEST_MACHINE_ID 4096

void pv_i_publish_digits(pv_buffer *to, const pv_place *place, unsigned turn)
{
    char host[256] = "";
    char hex[PV_SHA256_HEX];
    char *machine = NULL;
    size_t size = 0;
    pv_sha256 sha;
    const uid_t user = geteuid();
    (void)gethostname(host, sizeof host - 1);
    pv_i_sha256_init(&sha);
    if (pv_i_file_read("/etc/machine-id", LARGEST_MACHINE_ID, &machine, &size, NULL) ==
        PV_STATUS_OK) {
        pv_i_sha256_add(&sha, machine, size);
    }
    pv_i_free(machine);
    pv_i_sha256_add(&sha, host, strlen(host) + 1);
    pv_i_sha256_add(&sha, &user, sizeof user);
    pv_i_sha256_add(&sha, place->text, strlen(place->text));
    pv_i_sha256_add(&sha, &turn, turn > 0 ? sizeof turn : 0);
    pv_i_sha256_end_hex(&sha, hex);
    pv_i_buffer_bytes(to, hex, HIDDEN_DIGITS);
}

/* Takes a buffer's text; NULL = no memory. */
static char *taken(pv_buffer *buffer)
{
    char *const text = buffer->failed || buffer->data == NULL ? NULL : pv_i_strdup(buffer->data);
    pv_i_buffer_deinit(buffer);
    return text;
}

static char *hidden_name(const pv_place *place, const char *last, unsigned turn)
{
    pv_buffer plain = {0};
    pv_buffer hidden = {0};
    pv_i_table_plain(&plain, last);
    size_t n = plain.size < HIDDEN_LETTERS ? plain.size : HIDDEN_LETTERS;
    while (n > 0 && n < plain.size && ((unsigned char)plain.data[n] & 0xc0) == 0x80) {
        n--; /* not within a letter */
    }
    pv_i_buffer_bytes(&hidden, place->table, (size_t)(last - place->table));
    pv_i_buffer_char(&hidden, '"');
    for (size_t i = 0; i < n; i++) {
        pv_i_buffer_text(&hidden, plain.data[i] == '"' ? "\"" : "");
        pv_i_buffer_char(&hidden, plain.data[i]);
    }
    pv_i_buffer_char(&hidden, '~');
    pv_i_publish_digits(&hidden, place, turn);
    pv_i_buffer_char(&hidden, '"');
    hidden.failed = hidden.failed || plain.failed;
    pv_i_buffer_deinit(&plain);
    return taken(&hidden);
}

void pv_i_publish_names_deinit(pv_publish_names *n)
{
    pv_i_free(n->hidden);
    pv_i_free(n->table);
    pv_i_free(n->hidden_table);
    pv_i_free(n->staging);
    pv_i_free(n->kept);
    pv_i_free(n->to);
    *n = (pv_publish_names){0};
}

pv_status pv_i_publish_names_init(pv_publish_names *n, const pv_place *place, const pv_sql *sql,
                                  unsigned turn, pv_error *error)
{
    const char *const last = pv_i_table_last(place->table);
    pv_buffer table = {0};
    pv_buffer hidden = {0};
    pv_buffer staging = {0};
    pv_buffer kept = {0};
    pv_buffer to = {0};
    n->hidden = hidden_name(place, last, turn);
    pv_i_sql_table(&table, sql, place->table);
    pv_i_sql_table(&hidden, sql, n->hidden != NULL ? n->hidden : "");
    pv_i_buffer_text(&to, "paravent~rows~");
    pv_i_publish_digits(&to, place, turn);
    pv_i_sql_name(&staging, sql, to.failed ? "" : to.data);
    pv_i_buffer_clear(&to);
    pv_i_buffer_text(&to, "paravent~counts~");
    pv_i_publish_digits(&to, place, turn);
    pv_i_sql_name(&kept, sql, to.failed ? "" : to.data);
    pv_i_buffer_clear(&to);
    pv_i_sql_table(&to, sql, sql->renames_to_parts ? place->table : last);
    n->table = taken(&table);
    n->hidden_table = taken(&hidden);
    n->staging = taken(&staging);
    n->kept = taken(&kept);
    n->to = taken(&to);
    return n->hidden != NULL && n->table != NULL && n->hidden_table != NULL && n->staging != NULL &&
                   n->kept != NULL && n->to != NULL
               ? PV_STATUS_OK
               : pv_i_no_memory(error);
}
