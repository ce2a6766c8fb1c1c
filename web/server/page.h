/* The files of the page, compressed by gzip, as they are part of the program. */
#ifndef WEB_SERVER_PAGE_H
#define WEB_SERVER_PAGE_H

#include <stddef.h>

typedef struct web_page_file {
    const char *path; /* of the address; NULL ends the list */
    const char *type;
    const unsigned char *bytes, *end;
} web_page_file;

extern const web_page_file web_page_files[];

#endif
