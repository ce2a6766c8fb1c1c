/* The two honest sections: how the figures were checked, and what they do not promise. */
#include "report/page_parts.h"

#include "base/markup.h"

/* ---------------------------------------------------------------------- audit */

static void item(pv_buffer *out, const char *text)
{
    pv_i_buffer_format(out, "<li>%s</li>\n", text);
}

static void counted(pv_buffer *out, const pv_audit *a)
{
    pv_i_buffer_text(out, "<li>A separate checker, with its own reader, its own counter and its "
                          "own formulas, found ");
    pv_i_buffer_count(out, a->rows);
    pv_i_buffer_text(out, a->rows == 1 ? " row, " : " rows, ");
    if (a->classes == 0) {
        pv_i_buffer_text(out, "all of them with nothing but <code>*</code>.");
    } else {
        pv_i_buffer_count(out, a->suppressed);
        pv_i_buffer_text(out, " of them suppressed, and ");
        pv_i_buffer_count(out, a->classes);
        pv_i_buffer_text(out, a->classes == 1 ? " group of " : " groups, the smallest of ");
        pv_i_page_people(out, a->k);
        pv_i_buffer_char(out, '.');
    }
    pv_i_buffer_text(out, " This agrees with what was computed before writing.</li>\n");
}

/* Nothing but stars reads the same either way. */
static void wildcards(pv_buffer *out, const pv_certificate *c)
{
    const pv_audit *const a = c->audit;
    if (a->classes == 0) {
        return;
    }
    pv_i_buffer_text(out, "<li>A <code>*</code> can be read in two ways. As a value of its own, "
                          "every released row looks like at least ");
    pv_i_buffer_count(out, a->k - 1);
    pv_i_buffer_text(out, a->k == 2 ? " other" : " others");
    pv_i_buffer_text(out, " and the average risk is ");
    pv_i_markup_percent(out, c->after.risk_mean);
    pv_i_buffer_text(out, ". As a blank that may stand for anything, it fits at least ");
    pv_i_buffer_count(out, a->k_wildcard - 1);
    pv_i_buffer_text(out, a->k_wildcard == 2 ? " other" : " others");
    pv_i_buffer_text(out, " and the average risk is ");
    pv_i_markup_percent(out, a->risk_mean_wildcard);
    pv_i_buffer_text(out, ".</li>\n");
}

void pv_i_page_audit(pv_buffer *out, const pv_certificate *c)
{
    pv_i_buffer_text(out, "<section><h2>How it was verified</h2>\n<ol class=\"prose\">\n");
    item(out, "The table was written to a temporary file and read back from the disk.");
    counted(out, c->audit);
    wildcards(out, c);
    item(out, "Only then did the file get its name.");
    pv_i_buffer_text(out, "<li>The released file is the one with this SHA-256 sum: <code>");
    pv_i_markup_text(out, c->sha256);
    pv_i_buffer_text(out, "</code></li>\n</ol></section>\n");
}

/* --------------------------------------------------------------------- limits */

/* A group that agrees on a sensitive value gives it away without singling anyone out. */
static void homogeneity(pv_buffer *out, const pv_certificate *c)
{
    const pv_certificate_measure *const l = pv_i_page_measure(c, "l-distinct");
    if (l == NULL || l->after >= 2) {
        return;
    }
    pv_i_buffer_text(out, "<p class=\"note-box\">In at least one group everybody has the same ");
    if (c->n_sensitive == 1) {
        pv_i_page_name(out, c->sensitive[0]);
    } else {
        pv_i_buffer_text(out, "value in a sensitive column");
    }
    pv_i_buffer_text(out, ": knowing that someone belongs to it reveals it. Demand "
                          "<code>l-distinct</code> of 2 or more to rule this out.</p>\n");
}

void pv_i_page_limits(pv_buffer *out, const pv_certificate *c)
{
    pv_i_buffer_text(out, "<section><h2>What this does not protect against</h2>\n");
    homogeneity(out, c);
    pv_i_buffer_text(out, "<ul class=\"prose\">\n");
    item(out, "<b>Groups that agree.</b> Hiding among k people helps little if most of them share "
              "a sensitive value. The l and t measures above say how diverse groups are.");
    item(out,
         "<b>Other knowledge.</b> Whoever knows more about a person than the attributes listed "
         "here, or who the person is not, can narrow a group down.");
    item(out, c->drops_suppressed
                  ? "<b>Columns left as they were.</b> A rare value in an unchanged column, "
                    "sensitive or not, may identify someone by itself."
                  : "<b>Columns left as they were.</b> A rare value in an unchanged column, "
                    "sensitive or not, may identify someone by itself. Suppressed people keep "
                    "these columns, too.");
    item(out, "<b>Other releases.</b> Two tables about the same people, each safe alone, may "
              "intersect to single someone out.");
    if (c->hashed && c->n_identifiers > 0) {
        item(out, "<b>Hashed identifiers.</b> They link the same person across releases made with "
                  "the same key, and whoever has the key can test a guess.");
    }
    pv_i_buffer_text(out, "</ul></section>\n");
}
