/* JSON that plan readers read: what JSON allows and YAML does not is escaped. */
#include "scheme/json_text.h"

#include "base/buffer.h"
#include "base/error.h"

#include <string.h>

bool pv_i_json_has_memory(void)
{
    json_t *const ascii = json_string("");
    json_decref(ascii);
    return ascii != NULL;
}

bool pv_i_json_is_utf8(const char *text)
{
    json_t *const string = json_string(text);
    json_decref(string);
    return string != NULL || !pv_i_json_has_memory();
}

/* Characters that JSON allows as they are but YAML does not, or takes for a line break, as UTF-8.
 */
static const struct {
    const char *bytes, *escape;
} yaml_escapes[] = {{"\x7f", "\\u007f"},         {"\xe2\x80\xa8", "\\u2028"},
                    {"\xe2\x80\xa9", "\\u2029"}, {"\xef\xbb\xbf", "\\ufeff"},
                    {"\xef\xbf\xbe", "\\ufffe"}, {"\xef\xbf\xbf", "\\uffff"}};

/* Appends one character of the dumped JSON, escaped where YAML needs it; returns its length. */
static size_t copy_character(pv_buffer *text, const char *at)
{
    const unsigned char *const byte = (const unsigned char *)at;
    if (byte[0] == 0xc2 && byte[1] >= 0x80 && byte[1] < 0xa0) {
        pv_i_buffer_format(text, "\\u00%02x", byte[1]);
        return 2;
    }
    for (size_t i = 0; i < sizeof yaml_escapes / sizeof *yaml_escapes; i++) {
        const size_t n = strlen(yaml_escapes[i].bytes);
        if (strncmp(at, yaml_escapes[i].bytes, n) == 0) {
            pv_i_buffer_text(text, yaml_escapes[i].escape);
            return n;
        }
    }
    pv_i_buffer_char(text, *at);
    return 1;
}

pv_status pv_i_json_dump(const json_t *root, char **text, pv_error *error)
{
    char *const dumped = json_dumps(root, JSON_INDENT(1) | JSON_REAL_PRECISION(15));
    if (dumped == NULL) {
        return pv_i_no_memory(error);
    }
    pv_buffer escaped = {0};
    for (const char *at = dumped; *at != '\0';) {
        at += copy_character(&escaped, at);
    }
    json_free_t release = NULL;
    json_get_alloc_funcs(NULL, &release);
    release(dumped);
    return pv_i_buffer_take(&escaped, text, error);
}
