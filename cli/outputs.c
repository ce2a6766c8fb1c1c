/* Small files a command writes beside its report. */
#include "outputs.h"

#include "fail.h"
#include "text.h"

#include <stdio.h>
#include <unistd.h>

bool cli_is_stream(const char *path)
{
    return path != NULL && cli_equal(path, "-");
}

pv_status cli_output_check(const char *path, bool force, pv_error *error)
{
    if (path == NULL || cli_is_stream(path) || force || access(path, F_OK) != 0) {
        return PV_STATUS_OK;
    }
    return cli_hint(cli_error_at(error, PV_STATUS_EXISTS, path, 0, 0, "the output exists already"),
                    error, "choose another name, or overwrite it with --force");
}

pv_status cli_output_write(const char *path, const char *text, bool force, pv_error *error)
{
    if (cli_is_stream(path)) {
        (void)fputs(text, stdout); /* main notices if that fails */
        return PV_STATUS_OK;
    }
    return pv_text_write(path, text, force, error);
}
