/* Which role a column probably has: by the words of its name where they say it, else by what its
 * values look like.
 *
 * A mistake in one direction costs usefulness, in the other it exposes people. So:
 * - Dropped (identifier) is what names a person, a household or the staff, what nearly every row
 *   has a value of its own in, survey weights, and free text.
 * - Generalized (quasi) is what others may know, however fine it is: generalizing makes it safe.
 * - Released as it is (sensitive, other) is only what singles out few or nobody by itself.
 * - Everything else is asked for. */
#include "plan/guess.h"

#include <ctype.h>
#include <stdio.h>
#include <string.h>

/* ---------------------------------------------------------------------- words */

/* What the words of a column's name speak of, in a few languages. */

/* Words separated by blanks, with one at both ends; a `*` at the end or at the beginning means
 * anything. */
static const char *const lists[PV_MEANS_COUNT] = {
    [PV_MEANS_IDENTIFIER] =
        " ssn passport* email* mail phone* telephone* telefon* tel mobile fax address* adresse"
        " anschrift direccion street* strasse straße rue iban account* konto* licence* license*"
        " plate username login mrn surname firstname lastname fullname vorname nachname"
        " familienname prenom prénom apellido* cognome voornaam achternaam nazwisko ip url uuid"
        " guid dni nif cpf nhs nino bsn pesel curp rut aadhaar svnr ahv personnummer"
        " sozialversicherung* versicherten* maiden ",
    [PV_MEANS_NAME] =
        " name names *name id ids pid uid caseid respid subjid subjectid idno idnr identifier"
        " identity key nom nombre nome naam imie kennung person* patient* record serial ",
    [PV_MEANS_SENSITIVE] =
        " disease* diagnos* diag icd* illness* sickness condition symptom* medication* medicine"
        " drug* treatment* therap* hiv cancer blood mental psych* addict* disab* pregnan*"
        " sexual* orientation income* salary salaries wage* earning* debt* loan* credit* wealth"
        " religi* faith confession* konfession* politic* party vote* union crime* criminal*"
        " convict* offence* offense* krankheit* einkommen* gehalt* lohn* maladie* revenu*"
        " salaire* enfermedad* ingreso* salario* malattia* reddito stipendio ziekte inkomen"
        " doenca renda ",
    [PV_MEANS_QUASI] =
        " age alter edad âge eta leeftijd idade birth* born dob yob geburt* naissance nacimiento"
        " nascita geboorte* sex gender geschlecht* sexe sexo sesso geslacht genero city town"
        " village municipalit* county state province region* district country* stadt ort gemeinde"
        " kreis bundesland ville commune departement pays ciudad municipio provincia pais place"
        " nationalit* nacional* citizen* staatsang* race ethnic* ethnie etnia education* degree"
        " school* bildung* marital* married familienstand civil occupation* job* profession*"
        " work* employ* industry beruf* profesion oficio language* sprache langue idioma"
        " household* children kinder enfants admission* discharge* death* latitude longitude lat"
        " lon location height* grösse größe groesse taille talla estatura altezza statura bmi"
        " bodyweight birthweight isco* nace naics ",
    [PV_MEANS_POSTAL] = " zip* postal* postcode* plz postleitzahl* cap cep postnummer ",
    [PV_MEANS_FREE_TEXT] = " note* comment* remark* freetext text description* bemerkung*"
                           " anmerkung* kommentar* commentaire* observacion* nota beschreibung*"
                           " opmerking* verbatim ",
    [PV_MEANS_SURVEY_WEIGHT] =
        " *wgt wgt* *wgts pweight* hweight* aweight* fweight* iweight* *weighting sampweight*"
        " perwt hhwt finalwt wtfinl pond pondera* pondéra* *gewichtung *gewichtungsfaktor"
        " hochrechnung* hochrechnungsfaktor expansion elevacion facexp ",
    [PV_MEANS_WEIGHT] = " weight weights wt wts gew gewicht gewichte poids peso pesos ",
    [PV_MEANS_SURVEY] = " survey* sampl* design final fin person* household* hh post* calibrat*"
                        " norm* pop* strat* cross longitudinal trimmed base rep* enquete encuesta"
                        " panel int interview ",
    [PV_MEANS_BODY] = " body* height* grösse größe groesse taille talla estatura altezza"
                      " statura bmi waist hip kg lb lbs gram* bodyweight birthweight"
                      " körper* koerper* ",
    [PV_MEANS_HOUSEHOLD] = " household* hh hhold* haushalt* menage* ménage* hogar* famiglia"
                           " family familie famille familia huishouden* dwelling* wohnung*"
                           " couple* sibling* twin* ",
    [PV_MEANS_HOUSEHOLD_ID] = " hhid* hhnr hhno hhnum hid famid familyid householdid idhh hhserial"
                              " haushaltsid haushaltsnr haushaltsnummer idhog idmen ",
    [PV_MEANS_STAFF] = " interviewer* enumerator* befrager* enqueteur* enquêteur* encuestador*"
                       " intervistatore surveyor* fieldworker* physician* doctor* arzt* nurse*"
                       " therapist* provider* teacher* lehrer* operator* clerk* ",
    [PV_MEANS_SITE] = " site* center centre zentrum clinic* klinik* hospital* spital krankenhaus"
                      " hopital hôpital ward facility facilities institution* einrichtung*"
                      " cluster* psu ssu stratum strata strate* estrato* schicht* schule branch"
                      " filiale agency unit station ",
    [PV_MEANS_NUMBERED] = " id ids no nr num number numero número nummer key code codes cod"
                          " kode serial index kennung identifier name isco* nace naics ",
};

typedef struct {
    char text[PV_WORD_SIZE];
    size_t length;
} word;

/* The next word of a name: letters, ended by anything else or by a capital after a small letter.
 * Bytes of other scripts count as letters. False at the end. */
static bool next_word(const char **at, word *w)
{
    const char *p = *at;
    while (*p != '\0' && !isalpha((unsigned char)*p) && (unsigned char)*p < 0x80) {
        p++;
    }
    w->length = 0;
    char before = 'A';
    while (isalpha((unsigned char)*p) || (unsigned char)*p >= 0x80) {
        if (isupper((unsigned char)*p) && islower((unsigned char)before)) {
            break;
        }
        if (w->length + 1 < sizeof w->text) {
            w->text[w->length++] = (char)tolower((unsigned char)*p);
        }
        before = *p++;
    }
    w->text[w->length] = '\0';
    *at = p;
    return w->length > 0;
}

static bool matches(const word *w, const char *pattern, size_t length)
{
    if (pattern[0] == '*') {
        return w->length >= length - 1 &&
               memcmp(w->text + w->length - (length - 1), pattern + 1, length - 1) == 0;
    }
    if (pattern[length - 1] == '*') {
        return w->length >= length - 1 && memcmp(w->text, pattern, length - 1) == 0;
    }
    return w->length == length && memcmp(w->text, pattern, length) == 0;
}

static bool is_in(const char *list, const word *w, char *said)
{
    size_t length = 0;
    for (const char *at = list; *at != '\0'; at += length) {
        at += strspn(at, " ");
        length = strcspn(at, " ");
        if (length > 0 && matches(w, at, length)) {
            if (said != NULL) {
                at += *at == '*';
                (void)snprintf(said, PV_WORD_SIZE, "%.*s", (int)strcspn(at, "* "), at);
            }
            return true;
        }
    }
    return false;
}

bool pv_i_name_means(const char *name, pv_meaning meaning, char said[PV_WORD_SIZE])
{
    word w;
    while (next_word(&name, &w)) {
        if (is_in(lists[meaning], &w, said)) {
            return true;
        }
    }
    return false;
}

bool pv_i_name_ends_with(const char *name, pv_meaning meaning, char said[PV_WORD_SIZE])
{
    word w;
    word last = {0};
    while (next_word(&name, &w)) {
        last = w;
    }
    return last.length > 0 && is_in(lists[meaning], &last, said);
}

/* ---------------------------------------------------------------------- roles */

#define FEW_VALUES 50u    /* a column of at most so many values is a category */
#define VERY_FEW_VALUES 8 /* also in a small table */
#define MANY_ROWS 20u     /* below this everything looks unique */
#define LONG_TEXT 60u     /* bytes from which a text is no longer a name of something */
#define LARGE_HOUSEHOLD 50u
#define MEAN_HOUSEHOLD 12u

/* ---------------------------------------------------------------- values */

static bool is_number(const pv_look *look)
{
    return look->type == PV_TYPE_INTEGER || look->type == PV_TYPE_DECIMAL;
}

static bool is_nearly_unique(const pv_look *look)
{
    return look->rows >= MANY_ROWS && (uint64_t)look->distinct * 100 > look->rows * 95;
}

/* More than one row in twenty has a value that no other row has. */
static bool singles_out(const pv_look *look)
{
    return (uint64_t)look->alone * 20 > look->rows;
}

/* Values that a few rows share each, as the number of a household does. */
static bool groups_few_rows(const pv_look *look)
{
    return (look->type == PV_TYPE_INTEGER || look->type == PV_TYPE_TEXT) &&
           look->rows >= MANY_ROWS && look->distinct >= 10 && look->largest > 1 &&
           look->largest <= LARGE_HOUSEHOLD &&
           look->rows <= (uint64_t)look->distinct * MEAN_HOUSEHOLD;
}

static bool is_category(const pv_look *look)
{
    return look->distinct <= VERY_FEW_VALUES ||
           (look->distinct <= FEW_VALUES && (uint64_t)look->distinct * 2 <= look->rows);
}

/* Digits of one length that leave most numbers out: 1101, 1102, 2305. Years do not. */
static bool looks_like_codes(const pv_look *look)
{
    return look->is_code && look->longest >= 3 && look->distinct > VERY_FEW_VALUES &&
           look->highest - look->lowest > 5.0 * look->distinct;
}

/* -------------------------------------------------------------- decisions */

static void decide(pv_guess *guess, pv_role role, const char *why)
{
    guess->role = role;
    (void)snprintf(guess->why, sizeof guess->why, "%s", why);
}

/* ... because the name says so. */
static void decide_by(pv_guess *guess, pv_role role, const char *said, const char *meaning)
{
    guess->role = role;
    (void)snprintf(guess->why, sizeof guess->why, "the name says \"%s\"%s%s", said,
                   meaning[0] != '\0' ? ": " : "", meaning);
}

void pv_i_guess_ask(pv_guess *guess, const char *why, const char *what)
{
    const pv_look *const look = &guess->look;
    pv_buffer *const seen = &guess->seen;
    decide(guess, PV_ROLE_UNDECIDED, why);
    pv_i_buffer_clear(seen);
    pv_i_buffer_text(seen, what);
    pv_i_buffer_count(seen, look->distinct);
    pv_i_buffer_format(seen, " different %s in ",
                       is_number(look)              ? "numbers"
                       : look->type == PV_TYPE_DATE ? "dates"
                                                    : "texts");
    pv_i_buffer_count(seen, look->rows);
    pv_i_buffer_text(seen, look->rows == 1 ? " row" : " rows");
    if (look->alone > 0) {
        pv_i_buffer_text(seen, ", ");
        pv_i_buffer_count(seen, look->alone);
        pv_i_buffer_text(seen, look->alone == 1 ? " row has one that no other row has"
                                                : " rows have one that no other row has");
    }
    if (singles_out(look)) {
        pv_i_buffer_text(seen, ": released as it is, it could tell who a row is");
    }
}

/* ---------------------------------------------------- by name and values */

static bool guess_free_text(pv_guess *guess)
{
    const pv_look *const look = &guess->look;
    char said[PV_WORD_SIZE];
    if (look->type != PV_TYPE_TEXT || (uint64_t)look->distinct * 4 <= look->rows) {
        return false;
    }
    if (pv_i_name_means(look->name, PV_MEANS_FREE_TEXT, said)) {
        decide_by(guess, PV_ROLE_IDENTIFIER, said, "free text may name people");
    } else if (look->longest >= LONG_TEXT && !is_category(look)) {
        decide(guess, PV_ROLE_IDENTIFIER,
               "long texts, mostly different: free text may name people");
    } else {
        return false;
    }
    return true;
}

static const char survey_weight[] = "a survey weight; fine weights single people out";

/* A weight that is neither clearly one of a survey nor one of a body is asked for. */
static bool guess_weight(pv_guess *guess, bool with_bodies)
{
    const pv_look *const look = &guess->look;
    char said[PV_WORD_SIZE];
    if (!is_number(look) || look->distinct <= 1) {
        return false;
    }
    if (pv_i_name_means(look->name, PV_MEANS_SURVEY_WEIGHT, said)) {
        decide_by(guess, PV_ROLE_IDENTIFIER, said, survey_weight);
        return true;
    }
    if (!pv_i_name_means(look->name, PV_MEANS_WEIGHT, said)) {
        return false;
    }
    const bool around_one = look->type == PV_TYPE_DECIMAL && look->mean > 0.2 && look->mean < 2;
    if (pv_i_name_means(look->name, PV_MEANS_SURVEY, NULL) || around_one) {
        decide_by(guess, PV_ROLE_IDENTIFIER, said, survey_weight);
    } else if (with_bodies || pv_i_name_means(look->name, PV_MEANS_QUASI, NULL)) {
        decide_by(guess, PV_ROLE_QUASI, said, "others can see it, if it is a body's");
    } else {
        pv_i_guess_ask(guess, "the weight of a body or of a survey?",
                       "the name says weight: a body's others can see (quasi), a survey's singles "
                       "people out (identifier); ");
    }
    return true;
}

static bool guess_household(pv_guess *guess)
{
    const pv_look *const look = &guess->look;
    char said[PV_WORD_SIZE];
    if (pv_i_name_means(look->name, PV_MEANS_HOUSEHOLD_ID, said)) {
        decide_by(guess, PV_ROLE_IDENTIFIER, said, "it numbers households");
        guess->is_household = true;
        return true;
    }
    const bool numbered = pv_i_name_means(look->name, PV_MEANS_NUMBERED, NULL);
    if (look->type == PV_TYPE_DECIMAL || look->type == PV_TYPE_DATE ||
        pv_i_name_means(look->name, PV_MEANS_SENSITIVE, NULL) ||
        !pv_i_name_means(look->name, PV_MEANS_HOUSEHOLD, said) ||
        !((numbered && !is_category(look)) || groups_few_rows(look) || is_nearly_unique(look))) {
        return false;
    }
    decide_by(guess, PV_ROLE_IDENTIFIER, said, "its values stand for a few rows each, a household");
    guess->is_household = true;
    return true;
}

/* `doctor` and `doctor_id` are people, `doctor_visits` are not. */
static bool guess_staff(pv_guess *guess)
{
    const char *const name = guess->look.name;
    char said[PV_WORD_SIZE];
    if (!pv_i_name_means(name, PV_MEANS_STAFF, said) ||
        !(pv_i_name_ends_with(name, PV_MEANS_STAFF, NULL) ||
          pv_i_name_means(name, PV_MEANS_NUMBERED, NULL))) {
        return false;
    }
    decide_by(guess, PV_ROLE_IDENTIFIER, said, "a person too, and it tells where and when");
    return true;
}

static bool guess_sensitive(pv_guess *guess)
{
    char said[PV_WORD_SIZE];
    if (!pv_i_name_means(guess->look.name, PV_MEANS_SENSITIVE, said)) {
        return false;
    }
    if (singles_out(&guess->look) && !is_category(&guess->look)) {
        char what[PV_WORD_SIZE + 48];
        (void)snprintf(what, sizeof what, "sensitive by its name (\"%s\"), but very fine: ", said);
        pv_i_guess_ask(guess, "too fine to be released as it is", what);
    } else {
        decide_by(guess, PV_ROLE_SENSITIVE, said, "");
    }
    return true;
}

static bool guess_site(pv_guess *guess)
{
    const pv_look *const look = &guess->look;
    char said[PV_WORD_SIZE];
    if (look->type == PV_TYPE_DECIMAL || look->type == PV_TYPE_DATE ||
        !pv_i_name_means(look->name, PV_MEANS_SITE, said)) {
        return false;
    }
    if (groups_few_rows(look) || is_nearly_unique(look)) {
        decide_by(guess, PV_ROLE_IDENTIFIER, said, "a code that stands for a few rows each");
    } else {
        decide_by(guess, PV_ROLE_QUASI, said, "a code, it tells where");
        guess->is_category = true;
    }
    return true;
}

static const char own_values[] = "nearly every row has a value of its own";

static bool guess_quasi(pv_guess *guess)
{
    const pv_look *const look = &guess->look;
    char said[PV_WORD_SIZE];
    if (pv_i_name_means(look->name, PV_MEANS_POSTAL, said)) {
        decide_by(guess, PV_ROLE_QUASI, said, "");
        guess->is_postal = true;
    } else if (!pv_i_name_means(look->name, PV_MEANS_QUASI, said)) {
        return false;
    } else if (look->type == PV_TYPE_TEXT && is_nearly_unique(look)) {
        decide(guess, PV_ROLE_IDENTIFIER, own_values); /* no hierarchy is known for such texts */
    } else {
        decide_by(guess, PV_ROLE_QUASI, said, "");
        guess->is_category = look->is_code && look->longest > 1 &&
                             pv_i_name_means(look->name, PV_MEANS_NUMBERED, NULL);
    }
    return true;
}

/* -------------------------------------------------------------- by values */

static void guess_by_values(pv_guess *guess)
{
    const pv_look *const look = &guess->look;
    guess->by_values = true;
    if (is_nearly_unique(look)) {
        decide(guess, PV_ROLE_IDENTIFIER, own_values);
    } else if (look->rows > 0 && look->rows < MANY_ROWS && look->distinct == look->rows) {
        pv_i_guess_ask(guess, "every row has a value of its own", "in so small a table: ");
    } else if (look->distinct == 0) {
        decide(guess, PV_ROLE_OTHER, "it holds nothing");
    } else if (look->distinct == 1 && look->missing == 0) {
        decide(guess, PV_ROLE_OTHER, "the same for all rows");
    } else if (look->type == PV_TYPE_DATE) {
        decide(guess, PV_ROLE_QUASI, "others may know dates of a person's life");
    } else if (groups_few_rows(look) && look->in_runs) {
        decide(guess, PV_ROLE_IDENTIFIER,
               "a few neighbouring rows share each value: a household or another group?");
        guess->is_household = true;
    } else if (is_category(look)) {
        decide(guess, PV_ROLE_QUASI, "few values that others may know");
        guess->is_category = look->type == PV_TYPE_INTEGER && looks_like_codes(look);
    } else {
        const bool is_fine = look->type == PV_TYPE_DECIMAL;
        pv_i_guess_ask(guess, is_fine ? "a fine measurement" : "many values",
                       is_fine ? "a fine measurement: " : "many values: ");
    }
}

void pv_i_guess_role(pv_guess *guess, bool with_bodies)
{
    char said[PV_WORD_SIZE];
    if (pv_i_name_means(guess->look.name, PV_MEANS_IDENTIFIER, said)) {
        decide_by(guess, PV_ROLE_IDENTIFIER, said, "");
    } else if (!guess_free_text(guess) && !guess_weight(guess, with_bodies) &&
               !guess_household(guess) && !guess_staff(guess) && !guess_sensitive(guess) &&
               !guess_site(guess) && !guess_quasi(guess)) {
        if (pv_i_name_means(guess->look.name, PV_MEANS_NAME, said)) {
            decide_by(guess, PV_ROLE_IDENTIFIER, said, "");
        } else {
            guess_by_values(guess);
        }
    }
}
