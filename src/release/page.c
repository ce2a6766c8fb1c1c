/* The certificate for people: one page that needs nothing but itself.
 *
 * It is read from the top by someone with little time: the verdict in one sentence, six figures,
 * two pictures; then attribute by attribute what was given up; then everything measured, how it was
 * checked, and what it does not promise. */
#include "release/certificate.h"

#include "base/error.h"
#include "base/svg_markup.h"
#include "release/page_parts.h"

#include <string.h>

/* --------------------------------------------------------- shared by sections */

void pv_i_page_people(pv_buffer *out, uint64_t n)
{
    pv_i_buffer_count(out, n);
    pv_i_buffer_text(out, n == 1 ? " person" : " people");
}

void pv_i_page_name(pv_buffer *out, const char *name)
{
    pv_i_buffer_text(out, "<bdi>");
    pv_i_markup_text(out, name);
    pv_i_buffer_text(out, "</bdi>");
}

void pv_i_page_names(pv_buffer *out, const char *const *names, size_t n)
{
    for (size_t i = 0; i < n; i++) {
        pv_i_buffer_text(out, i == 0 ? "" : i + 1 < n ? ", " : " and ");
        pv_i_page_name(out, names[i]);
    }
}

void pv_i_page_constraint(pv_buffer *out, const pv_constraint *constraint)
{
    const pv_measure_ref ref = constraint->ref;
    pv_i_markup_text(out, ref.measure->name);
    if (ref.measure->parameter != NULL) {
        pv_i_buffer_char(out, '(');
        pv_i_markup_short(out, ref.parameter, 6);
        pv_i_buffer_char(out, ')');
    }
    pv_i_buffer_text(out, ref.measure->direction == PV_MORE_IS_BETTER ? " &ge; " : " &le; ");
    pv_i_markup_figure(out, constraint->bound);
}

const pv_certificate_measure *pv_i_page_measure(const pv_certificate *certificate, const char *name)
{
    for (size_t i = 0; i < certificate->n_measures; i++) {
        const pv_certificate_measure *const m = &certificate->measures[i];
        if (m->available && strcmp(m->ref.measure->name, name) == 0) {
            return m;
        }
    }
    return NULL;
}

double pv_i_page_loss(const pv_certificate *certificate)
{
    const pv_certificate_measure *const glm = pv_i_page_measure(certificate, "glm");
    const double cells = (double)certificate->rows * (double)certificate->n_attributes;
    return glm != NULL && cells > 0 ? glm->after / cells : -1;
}

/* ----------------------------------------------------------------- the verdict */

typedef struct look {
    const char *class_name;
    const char *mark; /* a path in a 40 by 40 square */
} look;

static const look looks[PV_VERDICT_COUNT] = {
    [PV_VERDICT_VERIFIED] = {"verdict", "M12 20.5l5.5 5.5L28.5 15"},
    [PV_VERDICT_EXPOSED] = {"verdict warn", "M20 11v11M20 28v.2"},
    [PV_VERDICT_WEAKER] = {"verdict warn", "M20 11v11M20 28v.2"},
    [PV_VERDICT_UNMET] = {"verdict bad", "M14 14l12 12M26 14L14 26"},
};

static void broken(pv_buffer *out, const pv_certificate_demand *demands, size_t n)
{
    const char *separator = "";
    for (size_t i = 0; i < n; i++) {
        if (!demands[i].holds) {
            pv_i_buffer_text(out, separator);
            pv_i_page_constraint(out, &demands[i].constraint);
            separator = ", ";
        }
    }
}

static void headline(pv_buffer *out, const pv_certificate *c, pv_verdict verdict)
{
    switch (verdict) {
    case PV_VERDICT_UNMET:
        pv_i_buffer_text(out, "<b>Not met:</b> ");
        broken(out, c->demands, c->n_demands);
        pv_i_buffer_text(out, " was demanded and does not hold");
        break;
    case PV_VERDICT_WEAKER:
        pv_i_buffer_text(out, "<b>Weaker than promised:</b> ");
        broken(out, c->promises, c->n_promises);
        pv_i_buffer_text(out, " no longer holds for these rows");
        break;
    case PV_VERDICT_EXPOSED:
        pv_i_buffer_text(out, "<b>Not anonymous:</b> ");
        pv_i_page_people(out, c->after.unique_rows);
        pv_i_buffer_text(out, c->after.unique_rows == 1 ? " is" : " are");
        pv_i_buffer_text(out, " still alone with their combination");
        break;
    default:
        pv_i_buffer_text(out, "<b>Verified:</b> every released person shares their combination "
                              "with at least ");
        pv_i_buffer_count(out, c->k - 1);
        pv_i_buffer_text(out, c->k == 2 ? " other" : " others");
    }
    pv_i_buffer_text(out, " (k&nbsp;=&nbsp;");
    pv_i_buffer_count(out, c->k);
    pv_i_buffer_char(out, ')');
}

static void combination(pv_buffer *out, const pv_certificate *c)
{
    pv_i_buffer_text(out, "<p class=\"soft\">A combination is ");
    for (size_t i = 0; i < c->n_attributes; i++) {
        pv_i_buffer_text(out, i == 0 ? "" : i + 1 < c->n_attributes ? ", " : " and ");
        pv_i_page_name(out, c->attributes[i].name);
    }
    pv_i_buffer_text(out, ": what someone may already know about a person.</p>\n");
}

void pv_i_page_verdict(pv_buffer *out, const pv_certificate *c)
{
    const pv_verdict verdict = pv_i_certificate_verdict(c);
    pv_i_buffer_text(out, "<header>\n<div class=\"brand\"><b>Paravent release certificate</b>"
                          "<span class=\"mono\">");
    pv_i_page_name(out, pv_i_base_name(c->released));
    pv_i_buffer_format(out,
                       "</span></div>\n<div class=\"%s\"><svg viewBox=\"0 0 40 40\" "
                       "aria-hidden=\"true\"><circle class=\"disc\" cx=\"20\" cy=\"20\" "
                       "r=\"20\"/><path class=\"mark\" d=\"%s\"/></svg>\n<div><h1>",
                       looks[verdict].class_name, looks[verdict].mark);
    headline(out, c, verdict);
    pv_i_buffer_text(out, "</h1>\n");
    combination(out, c);
    pv_i_buffer_text(out, "</div></div>\n</header>\n");
}

/* -------------------------------------------------------------------- the page */

static void head(pv_buffer *out, const pv_certificate *c)
{
    pv_i_buffer_text(out, "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n"
                          "<meta name=\"viewport\" content=\"width=device-width, "
                          "initial-scale=1\">\n<title>Certificate of ");
    pv_i_markup_text(out, pv_i_base_name(c->released));
    pv_i_buffer_text(out, "</title>\n<style>\n");
    pv_i_buffer_text(out, pv_i_page_style);
    pv_i_buffer_text(out, "</style>\n</head>\n");
}

static void foot(pv_buffer *out, const pv_certificate *c)
{
    pv_i_buffer_format(out, "<footer>Made by Paravent %s from ", pv_version());
    pv_i_page_name(out, pv_i_base_name(c->source));
    pv_i_buffer_text(out, ". This page holds no original value of the table and may be published "
                          "with the release.</footer>\n");
}

pv_status pv_i_certificate_page(const pv_certificate *certificate, char **html, pv_error *error)
{
    pv_buffer out = {0};
    head(&out, certificate);
    pv_i_buffer_text(&out, "<body>\n<main>\n");
    pv_i_page_verdict(&out, certificate);
    pv_i_page_figures(&out, certificate);
    pv_i_page_pictures(&out, certificate);
    pv_i_page_attributes(&out, certificate);
    pv_i_page_demands(&out, certificate);
    pv_i_page_measures(&out, certificate);
    pv_i_page_audit(&out, certificate);
    pv_i_page_limits(&out, certificate);
    foot(&out, certificate);
    pv_i_buffer_text(&out, "</main>\n</body>\n</html>\n");
    return pv_i_buffer_take(&out, html, error);
}
