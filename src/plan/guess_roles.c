/* Which role a column probably has: first by the words of its name, in a few languages, then by
 * what its values look like.
 *
 * A mistake in one direction costs usefulness, in the other it exposes people. So a name that
 * speaks of a person makes an identifier even if the values repeat, and a column is left as `other`
 * only if it is a fine measurement or free text. */
#include "plan/guess.h"

#include <ctype.h>
#include <stdio.h>
#include <string.h>

#define FEW_VALUES 50u       /* a column of at most so many values is a category */
#define MANY_ROWS 50u        /* below this everything looks unique */
#define ROWS_PER_CATEGORY 10 /* a category recurs at least so often on average */
#define MAX_WORD 40

typedef enum { STRONG_IDENTIFIER, SENSITIVE, POSTAL, QUASI, WEAK_IDENTIFIER, N_MEANINGS } meaning;

/* In order of precedence: `country_name` is a country, `phone_number` a phone. A `*` at the end or
 * at the beginning stands for anything. */
static const char strong_identifier_words[] =
    " ssn passport* email* mail phone* telephone* telefon* tel mobile fax address* adresse"
    " anschrift direccion street* strasse straße rue iban account* konto* licence* license*"
    " plate username login mrn surname firstname lastname fullname vorname nachname"
    " familienname prenom prénom apellido* cognome voornaam achternaam nazwisko ip url uuid"
    " guid dni nif cpf nhs sozialversicherung* versicherten* maiden ";

static const char sensitive_words[] =
    " disease* diagnos* illness* sickness condition symptom* medication* medicine drug*"
    " treatment* therap* hiv cancer blood mental psych* addict* disab* pregnan* sexual*"
    " orientation income* salary salaries wage* earning* debt* loan* credit* wealth religi*"
    " faith confession* konfession* politic* party vote* union crime* criminal* convict*"
    " offence* offense* krankheit* einkommen* gehalt* lohn* maladie* revenu* salaire*"
    " enfermedad* ingreso* salario* malattia* reddito stipendio ziekte inkomen doenca renda ";

static const char postal_words[] = " zip* postal* postcode* plz postleitzahl* cap cep postnummer ";

static const char quasi_words[] =
    " age alter edad âge eta leeftijd idade birth* born dob yob geburt* naissance nacimiento"
    " nascita geboorte* sex gender geschlecht* sexe sexo sesso geslacht genero city town"
    " village municipalit* county state province region* district country* stadt ort gemeinde"
    " kreis bundesland ville commune departement pays ciudad municipio provincia pais place"
    " nationalit* nacional* citizen* staatsang* race ethnic* ethnie etnia education* degree"
    " school* bildung* marital* married familienstand civil occupation* job* profession*"
    " work* employ* industry beruf* profesion oficio language* sprache langue idioma"
    " household* children kinder enfants admission* discharge* death* latitude longitude lat"
    " lon location ";

static const char weak_identifier_words[] =
    " name names *name id ids identifier identity key nom nombre nome naam"
    " imie kennung person* patient* record serial ";

static const char *const words[N_MEANINGS] = {
    [STRONG_IDENTIFIER] = strong_identifier_words,
    [SENSITIVE] = sensitive_words,
    [POSTAL] = postal_words,
    [QUASI] = quasi_words,
    [WEAK_IDENTIFIER] = weak_identifier_words,
};

/* ----------------------------------------------------------------- words */

typedef struct {
    char text[MAX_WORD];
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

/* The pattern of a blank-separated list that a word matches, or NULL. */
static const char *find_pattern(const char *list, const word *w, size_t *length)
{
    for (const char *at = list; *at != '\0'; at += *length) {
        at += strspn(at, " ");
        *length = strcspn(at, " ");
        if (*length > 0 && matches(w, at, *length)) {
            return at;
        }
    }
    return NULL;
}

/* What the name says, in order of precedence; N_MEANINGS if nothing. */
static meaning meaning_of(const char *name, char *said, size_t size)
{
    for (unsigned m = 0; m < N_MEANINGS; m++) {
        const char *at = name;
        word w;
        while (next_word(&at, &w)) {
            size_t length = 0;
            const char *pattern = find_pattern(words[m], &w, &length);
            if (pattern != NULL) {
                pattern += *pattern == '*';
                (void)snprintf(said, size, "%.*s", (int)strcspn(pattern, "* "), pattern);
                return (meaning)m;
            }
        }
    }
    return N_MEANINGS;
}

/* ---------------------------------------------------------------- values */

static bool is_nearly_unique(const pv_look *look)
{
    return look->rows > MANY_ROWS && (uint64_t)look->distinct * 100 > look->rows * 95 &&
           (look->type == PV_TYPE_TEXT || look->type == PV_TYPE_INTEGER);
}

static bool is_category(const pv_look *look)
{
    return look->distinct <= FEW_VALUES || look->distinct <= look->rows / ROWS_PER_CATEGORY;
}

static void decide(pv_guess *guess, pv_role role, const char *why)
{
    guess->role = role;
    (void)snprintf(guess->why, sizeof guess->why, "%s", why);
}

static void guess_by_values(pv_guess *guess)
{
    const pv_look *const look = &guess->look;
    if (is_nearly_unique(look)) {
        decide(guess, PV_ROLE_IDENTIFIER, "nearly all its values differ");
    } else if (look->type == PV_TYPE_DATE) {
        decide(guess, PV_ROLE_QUASI, "others may know dates of a person's life");
    } else if (look->type == PV_TYPE_DECIMAL && look->distinct > FEW_VALUES) {
        decide(guess, PV_ROLE_OTHER, "a fine measurement, released as it is");
    } else if (is_category(look)) {
        decide(guess, PV_ROLE_QUASI, "few values that others may know");
    } else {
        decide(guess, PV_ROLE_OTHER, "many values, released as they are: look at them");
    }
}

void pv_i_guess_role(pv_guess *guess)
{
    static const pv_role roles[] = {[STRONG_IDENTIFIER] = PV_ROLE_IDENTIFIER,
                                    [SENSITIVE] = PV_ROLE_SENSITIVE,
                                    [POSTAL] = PV_ROLE_QUASI,
                                    [QUASI] = PV_ROLE_QUASI,
                                    [WEAK_IDENTIFIER] = PV_ROLE_IDENTIFIER};
    char said[MAX_WORD];
    const meaning m = meaning_of(guess->look.name, said, sizeof said);
    if (m == N_MEANINGS) {
        guess_by_values(guess);
        return;
    }
    char why[sizeof guess->why];
    (void)snprintf(why, sizeof why, "the name says \"%s\"", said);
    decide(guess, roles[m], why);
    guess->is_postal = m == POSTAL;
}
