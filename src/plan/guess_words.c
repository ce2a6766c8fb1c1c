/* What the words of a column's name speak of, in a few languages. */
#include "plan/guess.h"

#include <ctype.h>
#include <stdio.h>
#include <string.h>

/* Words separated by blanks, with one at both ends; a `*` at the end or at the beginning stands for
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
