/* The certificate for people: one page that needs nothing but itself.
 *
 * It is read from the top by someone with little time: the verdict in one sentence, six figures,
 * two pictures; then attribute by attribute what was given up; then everything measured, how it was
 * checked, and what it does not promise. */
#include "report/certificate.h"

#include "base/error.h"
#include "base/file.h"
#include "base/markup.h"
#include "report/page_parts.h"

#include <string.h>

/* --------------------------------------------------------- shared by sections */

void pv_i_page_people(pv_buffer *out, uint64_t n)
{
    pv_i_buffer_count(out, n);
    pv_i_buffer_text(out, n == 1 ? " person" : " people");
}

void pv_i_page_constraint(pv_buffer *out, const pv_constraint *constraint)
{
    const pv_measure_ref ref = constraint->ref;
    char name[64];
    pv_measure_text(ref, name, sizeof name);
    pv_i_markup_text(out, name);
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

static const pv_page_mood moods[PV_VERDICT_COUNT] = {
    [PV_VERDICT_VERIFIED] = PV_PAGE_GOOD, [PV_VERDICT_ACCEPTED] = PV_PAGE_WARN,
    [PV_VERDICT_EXPOSED] = PV_PAGE_WARN,  [PV_VERDICT_WEAKER] = PV_PAGE_WARN,
    [PV_VERDICT_UNMET] = PV_PAGE_BAD,
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
    case PV_VERDICT_ACCEPTED:
        pv_i_buffer_text(out, "<b>Accepted exposure:</b> whoever knows ");
        pv_i_page_name(out, pv_i_certificate_accepted(c));
        pv_i_buffer_text(out, " of a person may find their row, which the publisher accepted; by "
                              "their combination nobody is alone");
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
    pv_i_page_header_begin(out,
                           c->for_publisher ? "Paravent publisher's report, not for publication"
                                            : "Paravent release certificate",
                           pv_i_base_name(c->released), moods[verdict]);
    pv_i_buffer_text(out, "<h1>");
    headline(out, c, verdict);
    pv_i_buffer_text(out, "</h1>\n");
    combination(out, c);
    pv_i_page_header_end(out);
}

/* -------------------------------------------------------------------- the page */

static void foot(pv_buffer *out, const pv_certificate *c)
{
    pv_i_buffer_format(out, "<footer>Made by Paravent %s", pv_version());
    if (c->for_publisher) {
        pv_i_buffer_text(out, " from ");
        pv_i_page_name(out, pv_i_base_name(c->source));
        pv_i_buffer_text(out, ". " PV_PAGE_FOR_PUBLISHER " The certificate beside it may be.");
    } else {
        pv_i_buffer_text(out, ". Everything on this page can be counted in the released file or "
                              "was demanded of it; it may be published with the release.");
    }
    pv_i_buffer_text(out, "</footer>\n");
}

pv_status pv_i_certificate_page(const pv_certificate *certificate, char **html, pv_error *error)
{
    pv_buffer out = {0};
    pv_i_page_begin(&out, certificate->for_publisher ? "Publisher's report on" : "Certificate of",
                    pv_i_base_name(certificate->released), NULL);
    pv_i_page_verdict(&out, certificate);
    pv_i_page_figures(&out, certificate);
    pv_i_page_pictures(&out, certificate);
    pv_i_page_attributes(&out, certificate);
    pv_i_page_unchanged(&out, certificate);
    pv_i_page_demands(&out, certificate);
    pv_i_page_measures(&out, certificate);
    pv_i_page_audit(&out, certificate);
    pv_i_page_limits(&out, certificate);
    foot(&out, certificate);
    pv_i_page_end(&out);
    return pv_i_buffer_take(&out, html, error);
}
