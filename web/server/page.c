/* The files of the page. The assembler takes them in as they are: no text of theirs goes through
 * the compiler. */
#include "server/page.h"

/* PV_PAGE_FOLDER has NAME.gz for every NAME; scripts/build-page puts them there. */
#define TAKE(symbol, name)                                                                \
    __asm__(".section .rodata\n"                                                          \
            "web_page_" #symbol ":\n"                                                     \
            ".incbin \"" PV_PAGE_FOLDER "/" name ".gz\"\n"                                \
            "web_page_" #symbol "_end:\n"                                                 \
            ".byte 0\n"                                                                   \
            ".previous\n");                                                               \
    extern const unsigned char web_page_##symbol[] __attribute__((visibility("hidden"))); \
    extern const unsigned char web_page_##symbol##_end[] __attribute__((visibility("hidden")))

TAKE(index, "index.html");
TAKE(script, "app.js");
TAKE(style, "app.css");
TAKE(icon, "icon.svg");

const web_page_file web_page_files[] = {
    {"/", "text/html; charset=utf-8", web_page_index, web_page_index_end},
    {"/app.js", "text/javascript; charset=utf-8", web_page_script, web_page_script_end},
    {"/app.css", "text/css; charset=utf-8", web_page_style, web_page_style_end},
    {"/icon.svg", "image/svg+xml", web_page_icon, web_page_icon_end},
    {0},
};
