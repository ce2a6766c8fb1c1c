/* Inventing people who hang together.
 *
 * Attributes are drawn one after the other, each from integer weights that depend on those before:
 *
 *     age -> sex -> province -> zip
 *      |              +-------> birthplace
 *      +-> education -> occupation -> workclass
 *      +-> marital -> household  \
 *      +-> diagnosis              +-> income (also education, age, sex)
 *
 * The shape imitates an ageing European country of today: a population pyramid that bulges in the
 * fifties, more women among the old, half of the older people apprenticed and a third of the
 * younger ones with a degree, marriage around thirty, one in six born abroad and most of those
 * living in the biggest province, earnings that rise with schooling and experience and have a long
 * right tail. Every figure is invented; only the proportions are meant to be believable.
 *
 * All arithmetic is in integers, so that the same seed makes the same people on every machine. */
#include "table/census.h"

#include <assert.h>
#include <stdbool.h>

/* ------------------------------------------------------------- stages of life */

enum { STAGES = 9 };

static const uint32_t stage_begins[STAGES] = {0, 6, 15, 19, 25, 35, 50, 65, 80};

static size_t stage_of(uint32_t age)
{
    size_t stage = STAGES - 1;
    while (age < stage_begins[stage]) {
        stage--;
    }
    return stage;
}

/* -------------------------------------------------------------------- drawing */

enum { MOST_CHOICES = 32 };

static_assert((int)PV_CENSUS_COUNTRIES <= (int)MOST_CHOICES, "the longest list of choices fits");

static size_t draw_from(pv_rng *rng, const uint32_t *weights, size_t n)
{
    uint64_t total = 0;
    for (size_t i = 0; i < n; i++) {
        total += weights[i];
    }
    return pv_i_rng_weighted(rng, weights, n, total);
}

/* A choice that depends on who chooses. Some values are more common among women: `women` in
 * percent, men the mirror image around 100 (NULL = they are not). Nobody has a value before its
 * age: `youngest` (NULL = there is none). */
static size_t draw_for(pv_rng *rng, const pv_census_person *p, const uint32_t *weights, size_t n,
                       const uint32_t *women, const uint32_t *youngest)
{
    uint32_t scaled[MOST_CHOICES];
    for (size_t i = 0; i < n; i++) {
        const uint32_t percent = women == NULL               ? 1
                                 : p->sex == PV_CENSUS_WOMAN ? women[i]
                                                             : 200 - women[i];
        scaled[i] = youngest != NULL && p->age < youngest[i] ? 0 : weights[i] * percent;
    }
    return draw_from(rng, scaled, n);
}

static bool happens(pv_rng *rng, uint32_t per_mille)
{
    return pv_i_rng_below(rng, 1000) < per_mille;
}

/* ---------------------------------------------------------------- age and sex */

enum { AGE_BANDS = 20, YEARS_PER_BAND = 5 };

static const uint32_t pyramid[AGE_BANDS] = {
    48, 50, 51, 52, 57, 63, 66, 67, 66, 68, /* 0-49 */
    73, 74, 66, 56, 47, 37, 29, 18, 8,  2,  /* 50-99 */
};

static const uint32_t women_per_mille[STAGES] = {487, 487, 488, 490, 494, 498, 503, 535, 630};

/* ------------------------------------------------- where they live, came from */

/* Aldermoor has the capital, which draws the young. */
static const uint32_t provinces[PV_CENSUS_PROVINCES] = {26, 21, 18, 15, 12, 8};
static const uint32_t provinces_of_young[PV_CENSUS_PROVINCES] = {36, 20, 16, 13, 10, 5};

/* The digits of a zip below the province: district, town, quarter. */
static const uint32_t districts[] = {46, 27, 17, 10};
static const uint32_t towns[] = {42, 25, 16, 11, 6};
static const uint32_t quarters[] = {34, 22, 19, 15, 10};
static const uint32_t quarter_digits[] = {10, 13, 41, 46, 70};

static const uint32_t foreign_per_mille[STAGES] = {25, 55, 80, 150, 240, 230, 165, 110, 70};
static const uint32_t foreign_percent[PV_CENSUS_PROVINCES] = {150, 110, 90, 80, 70, 60};

/* Two waves of immigration, in the order of the labels. */
static const uint32_t countries_of_young[PV_CENSUS_COUNTRIES] = {
    11, 7, 4, 7, 5, 5, 9, 10, 9, 6, 10, 4, 8, 5, 3, 4, 3, 5, 4, 2, 3,
};
static const uint32_t countries_of_old[PV_CENSUS_COUNTRIES] = {
    16, 8, 6, 19, 9, 9, 8, 3, 2, 15, 1, 3, 2, 1, 5, 5, 1, 1, 1, 1, 4,
};
enum { FIRST_WAVE_AGE = 50, YOUNG_FROM = 19, YOUNG_TO = 34, STAYED_PER_MILLE = 780 };

static uint32_t draw_zip(pv_rng *rng, size_t province)
{
    const size_t district = draw_from(rng, districts, sizeof districts / sizeof *districts);
    const size_t town = draw_from(rng, towns, sizeof towns / sizeof *towns);
    const size_t quarter = draw_from(rng, quarters, sizeof quarters / sizeof *quarters);
    return (uint32_t)((province + 1) * 10000 + district * 1000 + town * 100) +
           quarter_digits[quarter];
}

static size_t draw_birthplace(pv_rng *rng, uint32_t age, size_t province)
{
    if (happens(rng, foreign_per_mille[stage_of(age)] * foreign_percent[province] / 100)) {
        const bool first_wave = age >= FIRST_WAVE_AGE;
        return PV_CENSUS_PROVINCES + draw_from(rng,
                                               first_wave ? countries_of_old : countries_of_young,
                                               PV_CENSUS_COUNTRIES);
    }
    return happens(rng, STAYED_PER_MILLE) ? province
                                          : draw_from(rng, provinces, PV_CENSUS_PROVINCES);
}

/* ------------------------------------------------------------------ education */

static const uint32_t youngest_educated[PV_CENSUS_EDUCATIONS] = {0, 11, 14, 17, 18, 20, 21, 23, 26};

/* none, primary, lower, upper secondary, apprenticeship, diploma, bachelor, master, doctorate */
static const uint32_t education_by_stage[STAGES][PV_CENSUS_EDUCATIONS] = {
    {1, 0, 0, 0, 0, 0, 0, 0, 0},
    {40, 960, 60, 0, 0, 0, 0, 0, 0},
    {10, 140, 680, 170, 60, 0, 0, 0, 0},
    {8, 40, 140, 440, 240, 60, 160, 20, 0},
    {10, 30, 80, 160, 260, 110, 200, 170, 20},
    {12, 50, 110, 160, 310, 120, 130, 110, 20},
    {20, 80, 160, 150, 360, 110, 60, 70, 14},
    {30, 150, 220, 120, 330, 80, 30, 50, 10},
    {60, 270, 260, 100, 230, 40, 12, 26, 6},
};

/* ------------------------------------------------------- marital and household */

static const uint32_t youngest_marital[PV_CENSUS_MARITALS] = {0, 18, 18, 20, 22, 25};
/* Widows outlive widowers. */
static const uint32_t marital_women[PV_CENSUS_MARITALS] = {92, 98, 100, 105, 108, 150};

/* single, married, civil union, separated, divorced, widowed */
static const uint32_t marital_by_stage[STAGES][PV_CENSUS_MARITALS] = {
    {1, 0, 0, 0, 0, 0},          {1, 0, 0, 0, 0, 0},         {985, 12, 3, 0, 0, 0},
    {930, 50, 15, 3, 2, 0},      {570, 340, 45, 20, 24, 1},  {270, 550, 35, 35, 102, 8},
    {140, 590, 15, 30, 185, 40}, {60, 620, 5, 12, 140, 163}, {45, 430, 2, 4, 60, 459},
};

enum { NEVER, UNITED, FORMERLY, UNIONS };

static const uint8_t union_of[PV_CENSUS_MARITALS] = {
    [PV_CENSUS_SINGLE] = NEVER,       [PV_CENSUS_MARRIED] = UNITED,
    [PV_CENSUS_CIVIL_UNION] = UNITED, [PV_CENSUS_SEPARATED] = FORMERLY,
    [PV_CENSUS_DIVORCED] = FORMERLY,  [PV_CENSUS_WIDOWED] = FORMERLY,
};

/* one person, couple, couple with children, one parent, shared, institution */
static const uint32_t household_by_union[UNIONS][STAGES][PV_CENSUS_HOUSEHOLDS] =
    {
        [NEVER] =
            {
                {0, 0, 800, 184, 10, 6},
                {0, 0, 740, 244, 8, 8},
                {10, 0, 680, 266, 30, 14},
                {170, 70, 380, 140, 225, 15},
                {380, 220, 140, 80, 172, 8},
                {460, 170, 160, 100, 100, 10},
                {550, 170, 80, 80, 90, 30},
                {680, 120, 20, 40, 60, 80},
                {620, 40, 5, 20, 40, 275},
            },
        [UNITED] =
            {
                {0, 1, 0, 0, 0, 0},
                {0, 1, 0, 0, 0, 0},
                {20, 640, 200, 0, 140, 0},
                {30, 600, 290, 0, 80, 0},
                {20, 420, 530, 5, 25, 0},
                {20, 220, 730, 10, 18, 2},
                {20, 570, 384, 8, 12, 6},
                {20, 880, 66, 2, 10, 22},
                {40, 800, 25, 5, 10, 120},
            },
        [FORMERLY] =
            {
                {1, 0, 0, 0, 0, 0},
                {1, 0, 0, 0, 0, 0},
                {1, 0, 0, 0, 0, 0},
                {400, 120, 80, 240, 160, 0},
                {380, 120, 100, 320, 78, 2},
                {400, 110, 100, 330, 52, 8},
                {620, 120, 50, 160, 38, 12},
                {820, 50, 20, 60, 20, 30},
                {660, 10, 20, 70, 20, 220},
            },
};

/* ----------------------------------------------------------------------- work */

enum { AT_WORK, IN_SCHOOL, OUT_OF_WORK, AT_HOME, RETIRED, ACTIVITIES };

static const uint32_t youngest_active[ACTIVITIES] = {15, 0, 16, 18, 58};
static const uint32_t activity_women[ACTIVITIES] = {95, 102, 95, 175, 102};

static const uint32_t activity_by_stage[STAGES][ACTIVITIES] = {
    {0, 1, 0, 0, 0},       {0, 1, 0, 0, 0},      {150, 825, 22, 3, 0},
    {520, 405, 58, 17, 0}, {830, 52, 53, 65, 0}, {870, 10, 45, 75, 0},
    {730, 2, 45, 78, 300}, {90, 1, 0, 49, 860},  {5, 0, 0, 15, 980},
};

static const size_t unpaid_occupation[ACTIVITIES] = {
    [IN_SCHOOL] = PV_CENSUS_CHILD_OR_STUDENT,
    [OUT_OF_WORK] = PV_CENSUS_UNEMPLOYED,
    [AT_HOME] = PV_CENSUS_HOMEMAKER,
    [RETIRED] = PV_CENSUS_RETIRED,
};

static const uint32_t youngest_occupied[PV_CENSUS_PAID_OCCUPATIONS] = {
    24, 22, 22, 21, 21, 15, 15, 15, 15, 15, 15, 15, 15,
};
static const uint32_t occupation_women[PV_CENSUS_PAID_OCCUPATIONS] = {
    68, 140, 140, 36, 95, 140, 120, 168, 115, 20, 46, 60, 85,
};

/* manager, health, teacher, engineer, business; clerk, sales, care, hospitality; craft, machine,
 * farmer, labourer */
static const uint32_t occupation_by_education[PV_CENSUS_EDUCATIONS][PV_CENSUS_PAID_OCCUPATIONS] = {
    [PV_CENSUS_NO_SCHOOL] = {6, 0, 0, 0, 1, 15, 85, 120, 160, 110, 150, 65, 288},
    [PV_CENSUS_PRIMARY] = {10, 0, 0, 0, 2, 30, 110, 130, 150, 120, 150, 50, 248},
    [PV_CENSUS_LOWER_SECONDARY] = {15, 0, 2, 3, 6, 70, 150, 140, 130, 140, 130, 44, 170},
    [PV_CENSUS_UPPER_SECONDARY] = {50, 8, 20, 25, 50, 220, 170, 110, 100, 80, 65, 22, 80},
    [PV_CENSUS_APPRENTICESHIP] = {45, 10, 5, 35, 30, 180, 150, 130, 60, 210, 90, 30, 25},
    [PV_CENSUS_DIPLOMA] = {110, 60, 40, 170, 120, 170, 80, 60, 20, 110, 35, 15, 10},
    [PV_CENSUS_BACHELOR] = {150, 110, 170, 180, 190, 100, 45, 25, 10, 10, 4, 4, 2},
    [PV_CENSUS_MASTER] = {190, 170, 180, 190, 190, 40, 20, 8, 4, 4, 1, 2, 1},
    [PV_CENSUS_DOCTORATE] = {150, 330, 210, 230, 70, 6, 2, 1, 0, 1, 0, 0, 0},
};

/* private, nonprofit, state, municipality, freelance, employer */
static const uint32_t workclass_by_occupation[PV_CENSUS_PAID_OCCUPATIONS][PV_CENSUS_NO_WORK] = {
    [PV_CENSUS_MANAGER] = {600, 60, 60, 60, 60, 160},
    [PV_CENSUS_HEALTH_PROFESSIONAL] = {330, 170, 150, 180, 110, 60},
    [PV_CENSUS_TEACHER] = {90, 110, 340, 430, 25, 5},
    [PV_CENSUS_ENGINEER] = {740, 30, 70, 40, 90, 30},
    [PV_CENSUS_BUSINESS_PROFESSIONAL] = {560, 40, 110, 60, 160, 70},
    [PV_CENSUS_CLERK] = {610, 70, 150, 140, 25, 5},
    [PV_CENSUS_SALES_WORKER] = {830, 15, 5, 5, 95, 50},
    [PV_CENSUS_CARE_WORKER] = {300, 330, 40, 280, 45, 5},
    [PV_CENSUS_HOSPITALITY_WORKER] = {800, 30, 5, 30, 70, 65},
    [PV_CENSUS_CRAFT_WORKER] = {720, 10, 10, 40, 140, 80},
    [PV_CENSUS_MACHINE_OPERATOR] = {850, 10, 20, 90, 25, 5},
    [PV_CENSUS_FARMER] = {250, 5, 10, 20, 540, 175},
    [PV_CENSUS_LABOURER] = {790, 30, 15, 110, 50, 5},
};

static size_t draw_occupation(pv_rng *rng, const pv_census_person *p)
{
    const size_t active = draw_for(rng, p, activity_by_stage[stage_of(p->age)], ACTIVITIES,
                                   activity_women, youngest_active);
    return active != AT_WORK
               ? unpaid_occupation[active]
               : draw_for(rng, p, occupation_by_education[p->education], PV_CENSUS_PAID_OCCUPATIONS,
                          occupation_women, youngest_occupied);
}

/* --------------------------------------------------------------------- income */

/* Thousands a year of someone with an apprenticeship in mid-career. */
static const uint32_t income_of_occupation[PV_CENSUS_OCCUPATIONS] = {
    [PV_CENSUS_MANAGER] = 88,
    [PV_CENSUS_HEALTH_PROFESSIONAL] = 68,
    [PV_CENSUS_TEACHER] = 58,
    [PV_CENSUS_ENGINEER] = 72,
    [PV_CENSUS_BUSINESS_PROFESSIONAL] = 72,
    [PV_CENSUS_CLERK] = 52,
    [PV_CENSUS_SALES_WORKER] = 44,
    [PV_CENSUS_CARE_WORKER] = 41,
    [PV_CENSUS_HOSPITALITY_WORKER] = 36,
    [PV_CENSUS_CRAFT_WORKER] = 50,
    [PV_CENSUS_MACHINE_OPERATOR] = 47,
    [PV_CENSUS_FARMER] = 38,
    [PV_CENSUS_LABOURER] = 35,
    [PV_CENSUS_CHILD_OR_STUDENT] = 8,
    [PV_CENSUS_UNEMPLOYED] = 22,
    [PV_CENSUS_HOMEMAKER] = 8,
    [PV_CENSUS_RETIRED] = 34,
};
static const uint32_t income_percent_of_education[PV_CENSUS_EDUCATIONS] = {
    80, 84, 90, 98, 100, 112, 118, 132, 150,
};
static const uint32_t income_percent_of_stage[STAGES] = {0, 0, 40, 68, 88, 108, 115, 100, 92};
static const uint32_t income_percent_of_sex[PV_CENSUS_SEXES] = {
    [PV_CENSUS_MAN] = 106,
    [PV_CENSUS_WOMAN] = 87,
};
enum { LUCKY_PER_MILLE = 30 };

/* Luck in percent: a hill around 100, and for a few much more. */
static uint64_t draw_luck(pv_rng *rng)
{
    const uint64_t luck = 60 + pv_i_rng_below(rng, 41) + pv_i_rng_below(rng, 41);
    return happens(rng, LUCKY_PER_MILLE) ? luck * (110 + pv_i_rng_below(rng, 240)) / 100 : luck;
}

static uint64_t draw_income(pv_rng *rng, const pv_census_person *person)
{
    const uint64_t expected = (uint64_t)income_of_occupation[person->occupation] *
                              income_percent_of_education[person->education] *
                              income_percent_of_stage[stage_of(person->age)] *
                              income_percent_of_sex[person->sex];
    const uint64_t percents = UINT64_C(100000000); /* of four factors */
    return (expected * draw_luck(rng) + percents / 2) / percents;
}

/* ------------------------------------------------------------------ diagnosis */

static const uint32_t diagnosis_women[PV_CENSUS_DIAGNOSES] = {
    95, 98, 95, 105, 150, 130, 130, 105, 75, 92, 85, 70, 125, 95, 115,
};

/* none, respiratory, asthma, allergy, migraine, depression, anxiety, back pain, injury;
 * hypertension, diabetes, heart, arthritis, cancer, dementia */
static const uint32_t diagnosis_by_stage[STAGES][PV_CENSUS_DIAGNOSES] = {
    {640, 230, 30, 60, 0, 0, 0, 0, 38, 0, 1, 1, 0, 1, 0},
    {640, 110, 60, 90, 25, 5, 15, 5, 48, 0, 2, 1, 0, 1, 0},
    {600, 70, 45, 80, 50, 35, 50, 15, 50, 2, 2, 1, 0, 1, 0},
    {560, 70, 35, 70, 55, 55, 65, 35, 48, 4, 3, 1, 1, 1, 0},
    {520, 70, 32, 62, 58, 62, 62, 75, 40, 10, 6, 2, 3, 3, 0},
    {420, 60, 30, 48, 52, 65, 50, 115, 35, 65, 28, 10, 18, 9, 0},
    {270, 50, 28, 30, 30, 55, 32, 125, 30, 180, 75, 40, 60, 22, 1},
    {160, 45, 25, 15, 10, 38, 20, 90, 28, 240, 120, 95, 120, 50, 12},
    {90, 55, 18, 6, 4, 35, 15, 55, 45, 190, 110, 150, 130, 45, 90},
};

/* ------------------------------------------------------------------ a person */

pv_census_person pv_i_census_draw(pv_rng *rng)
{
    pv_census_person p = {.sex = PV_CENSUS_MAN};
    p.age = (uint32_t)draw_from(rng, pyramid, AGE_BANDS) * YEARS_PER_BAND;
    p.age += (uint32_t)pv_i_rng_below(rng, YEARS_PER_BAND);
    const size_t stage = stage_of(p.age);
    const bool young = p.age >= YOUNG_FROM && p.age <= YOUNG_TO;
    p.sex = happens(rng, women_per_mille[stage]) ? PV_CENSUS_WOMAN : PV_CENSUS_MAN;
    const size_t province =
        draw_from(rng, young ? provinces_of_young : provinces, PV_CENSUS_PROVINCES);
    p.zip = draw_zip(rng, province);
    p.birthplace = draw_birthplace(rng, p.age, province);
    p.education =
        draw_for(rng, &p, education_by_stage[stage], PV_CENSUS_EDUCATIONS, NULL, youngest_educated);
    p.marital = draw_for(rng, &p, marital_by_stage[stage], PV_CENSUS_MARITALS, marital_women,
                         youngest_marital);
    p.household =
        draw_from(rng, household_by_union[union_of[p.marital]][stage], PV_CENSUS_HOUSEHOLDS);
    p.occupation = draw_occupation(rng, &p);
    p.workclass = p.occupation < PV_CENSUS_PAID_OCCUPATIONS
                      ? draw_from(rng, workclass_by_occupation[p.occupation], PV_CENSUS_NO_WORK)
                      : PV_CENSUS_NO_WORK;
    p.diagnosis =
        draw_for(rng, &p, diagnosis_by_stage[stage], PV_CENSUS_DIAGNOSES, diagnosis_women, NULL);
    p.income = draw_income(rng, &p);
    return p;
}
