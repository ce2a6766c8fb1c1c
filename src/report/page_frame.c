/* Pages that need nothing but themselves: style and scripts are inside, nothing is fetched, so that
 * a page can be kept, sent and opened without a network. */
#include "report/page_frame.h"

#include "base/markup.h"

void pv_i_page_begin(pv_buffer *out, const char *what, const char *name,
                     const pv_asset *const *style)
{
    pv_i_buffer_format(out,
                       "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n"
                       "<meta name=\"viewport\" content=\"width=device-width, "
                       "initial-scale=1\">\n<title>%s ",
                       what);
    pv_i_markup_between(out, "", name, "</title>\n<style>\n");
    pv_i_buffer_asset(out, &pv_i_palette_css);
    pv_i_buffer_asset(out, &pv_i_page_css);
    pv_i_buffer_asset(out, &pv_i_chart_css);
    for (; style != NULL && *style != NULL; style++) {
        pv_i_buffer_asset(out, *style);
    }
    pv_i_buffer_text(out, "</style>\n</head>\n<body>\n<main>\n");
}

void pv_i_page_end(pv_buffer *out)
{
    pv_i_buffer_text(out, "</main>\n</body>\n</html>\n");
}

void pv_i_page_end_private(pv_buffer *out, const char *about, const pv_asset *more)
{
    pv_i_buffer_format(
        out, "<footer>Made by Paravent %s. %s " PV_PAGE_FOR_PUBLISHER "</footer>\n<script>\n",
        pv_version(), about);
    pv_i_buffer_asset(out, &pv_i_page_js);
    if (more != NULL) {
        pv_i_buffer_asset(out, more);
    }
    pv_i_buffer_text(out, "</script>\n");
    pv_i_page_end(out);
}

void pv_i_page_header_begin(pv_buffer *out, const char *what, const char *name, pv_page_mood mood)
{
    static const struct {
        const char *class_name;
        const char *mark; /* a path in a 40 by 40 square */
    } looks[] = {
        [PV_PAGE_GOOD] = {"verdict", "M12 20.5l5.5 5.5L28.5 15"},
        [PV_PAGE_WARN] = {"verdict warn", "M20 11v11M20 28v.2"},
        [PV_PAGE_BAD] = {"verdict bad", "M14 14l12 12M26 14L14 26"},
    };
    pv_i_buffer_format(out, "<header>\n<div class=\"brand\"><b>%s</b><span class=\"mono\">", what);
    pv_i_page_name(out, name);
    pv_i_buffer_format(out,
                       "</span></div>\n<div class=\"%s\"><svg viewBox=\"0 0 40 40\" "
                       "aria-hidden=\"true\"><circle class=\"disc\" cx=\"20\" cy=\"20\" "
                       "r=\"20\"/><path class=\"mark\" d=\"%s\"/></svg>\n<div>",
                       looks[mood].class_name, looks[mood].mark);
}

void pv_i_page_header_end(pv_buffer *out)
{
    pv_i_buffer_text(out, "</div></div>\n</header>\n");
}

void pv_i_page_name(pv_buffer *out, const char *name)
{
    pv_i_markup_between(out, "<bdi>", name, "</bdi>");
}

void pv_i_page_names(pv_buffer *out, const char *const *names, size_t n)
{
    for (size_t i = 0; i < n; i++) {
        pv_i_buffer_text(out, i == 0 ? "" : i + 1 < n ? ", " : " and ");
        pv_i_page_name(out, names[i]);
    }
}

void pv_i_page_figure_begin(pv_buffer *out, const char *what, const char *value, const char *note)
{
    pv_i_buffer_format(out, "<div><dt>%s</dt><dd class=\"big\">%s</dd><dd class=\"note\">%s", what,
                       value, note);
}

void pv_i_page_figure_end(pv_buffer *out)
{
    pv_i_buffer_text(out, "</dd></div>\n");
}

void pv_i_page_picture_begin(pv_buffer *out, const char *title, const char *note)
{
    pv_i_buffer_format(out, "<figure><figcaption>%s<span>%s</span></figcaption>\n", title, note);
}

void pv_i_page_picture_end(pv_buffer *out)
{
    pv_i_buffer_text(out, "</figure>\n");
}

void pv_i_page_table_begin(pv_buffer *out, const char *head)
{
    pv_i_buffer_format(
        out, "<div class=\"sheet\"><table class=\"cards\"><thead><tr>%s</tr></thead>\n<tbody>\n",
        head);
}

void pv_i_page_table_end(pv_buffer *out)
{
    pv_i_buffer_text(out, "</tbody></table></div>\n");
}

void pv_i_page_cell_begin(pv_buffer *out, const char *name, const char *class_name)
{
    pv_i_buffer_format(out, "<td class=\"%s\" data-name=\"%s\">", class_name, name);
}

void pv_i_page_cell_end(pv_buffer *out)
{
    pv_i_buffer_text(out, "</td>");
}

void pv_i_page_cell(pv_buffer *out, const char *name, const char *class_name, const char *markup)
{
    pv_i_buffer_format(out, "<td class=\"%s\" data-name=\"%s\">%s</td>", class_name, name, markup);
}
