/* A large table in the shape of the well-known Adult census extract, of people who do not exist:
 * its columns and values, frequencies invented to resemble its margins, columns independent of one
 * another. The same rows and seed give the same bytes.
 *
 *     bench_generate ROWS SEED FILE
 *
 * A column is drawn by looking 16 random bits up in a table in which each value has as many entries
 * as its share. */
#include "base/rng.h"

#include <errno.h>
#include <inttypes.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define DRAWS 65536
#define FIELD_SIZE 32 /* the longest value with its delimiter */
#define MAX_VALUES 80
#define N_COLUMNS 9
#define BUFFER_SIZE ((size_t)1 << 20)

typedef struct {
    const char *text;
    unsigned weight;
} value;

typedef struct {
    const char *name;
    value values[MAX_VALUES];
} attribute;

static const attribute attributes[N_COLUMNS] = {
    {"sex", {{"Male", 670}, {"Female", 330}}},
    {"age", {{NULL, 0}}}, /* see fill_ages */
    {"race",
     {{"White", 8600},
      {"Black", 930},
      {"Asian-Pac-Islander", 300},
      {"Amer-Indian-Eskimo", 95},
      {"Other", 75}}},
    {"marital-status",
     {{"Married-civ-spouse", 4650},
      {"Never-married", 3220},
      {"Divorced", 1400},
      {"Separated", 310},
      {"Widowed", 275},
      {"Married-spouse-absent", 125},
      {"Married-AF-spouse", 8}}},
    {"education",
     {{"HS-grad", 3250},
      {"Some-college", 2220},
      {"Bachelors", 1680},
      {"Masters", 540},
      {"Assoc-voc", 430},
      {"11th", 350},
      {"Assoc-acdm", 330},
      {"10th", 270},
      {"7th-8th", 185},
      {"Prof-school", 180},
      {"9th", 150},
      {"12th", 125},
      {"Doctorate", 125},
      {"5th-6th", 95},
      {"1st-4th", 50},
      {"Preschool", 15}}},
    {"native-country",
     {{"United-States", 9120},
      {"Mexico", 200},
      {"Philippines", 62},
      {"Germany", 42},
      {"Puerto-Rico", 36},
      {"Canada", 35},
      {"India", 33},
      {"El-Salvador", 33},
      {"Cuba", 30},
      {"England", 28},
      {"Jamaica", 26},
      {"South", 24},
      {"Italy", 22},
      {"China", 22},
      {"Dominican-Republic", 22},
      {"Vietnam", 21},
      {"Guatemala", 21},
      {"Japan", 19},
      {"Poland", 18},
      {"Columbia", 18},
      {"Taiwan", 14},
      {"Iran", 14},
      {"Haiti", 14},
      {"Portugal", 11},
      {"Nicaragua", 11},
      {"Peru", 10},
      {"Greece", 10},
      {"France", 9},
      {"Ecuador", 9},
      {"Ireland", 8},
      {"Hong", 6},
      {"Trinadad&Tobago", 6},
      {"Cambodia", 6},
      {"Thailand", 6},
      {"Laos", 6},
      {"Yugoslavia", 5},
      {"Outlying-US(Guam-USVI-etc)", 5},
      {"Hungary", 4},
      {"Honduras", 4},
      {"Scotland", 4},
      {"Holand-Netherlands", 1}}},
    {"workclass",
     {{"Private", 7400},
      {"Self-emp-not-inc", 830},
      {"Local-gov", 680},
      {"State-gov", 420},
      {"Self-emp-inc", 355},
      {"Federal-gov", 310},
      {"Without-pay", 5}}},
    {"occupation",
     {{"Prof-specialty", 1340},
      {"Craft-repair", 1340},
      {"Exec-managerial", 1320},
      {"Adm-clerical", 1230},
      {"Sales", 1190},
      {"Other-service", 1060},
      {"Machine-op-inspct", 650},
      {"Transport-moving", 520},
      {"Handlers-cleaners", 450},
      {"Farming-fishing", 330},
      {"Tech-support", 300},
      {"Protective-serv", 215},
      {"Priv-house-serv", 50},
      {"Armed-Forces", 5}}},
    {"salary-class", {{"<=50K", 750}, {">50K", 250}}},
};

/* A column ready to be drawn from. */
typedef struct {
    char texts[MAX_VALUES][FIELD_SIZE]; /* with the delimiter that follows */
    unsigned lengths[MAX_VALUES];
    unsigned char drawn[DRAWS]; /* which value 16 random bits stand for */
} column;

/* 17 to 90: many up to forty, then fewer every year. */
static attribute ages(void)
{
    static char texts[MAX_VALUES][4];
    attribute a = {.name = "age"};
    for (unsigned age = 17; age <= 90; age++) {
        const bool occurs = age != 87 && age != 89; /* as in the census the shape is taken from */
        (void)snprintf(texts[age - 17], sizeof texts[0], "%u", age);
        const unsigned weight = age < 24 ? 40 * (age - 7) : age <= 40 ? 800 : 16 * (92 - age);
        a.values[age - 17] = (value){.text = texts[age - 17], .weight = occurs ? weight : 0};
    }
    return a;
}

static void prepare(column *c, const attribute *a, char delimiter)
{
    uint64_t total = 0;
    uint64_t sum = 0;
    size_t entry = 0;
    for (size_t i = 0; i < MAX_VALUES && a->values[i].text != NULL; i++) {
        total += a->values[i].weight;
    }
    for (size_t i = 0; i < MAX_VALUES && a->values[i].text != NULL; i++) {
        c->lengths[i] =
            (unsigned)snprintf(c->texts[i], FIELD_SIZE, "%s%c", a->values[i].text, delimiter);
        sum += a->values[i].weight;
        for (; entry < sum * DRAWS / total; entry++) {
            c->drawn[entry] = (unsigned char)i;
        }
    }
}

/* Appends a row; FIELD_SIZE bytes beyond it may be overwritten. */
static char *append_row(char *at, const column *columns, pv_rng *rng)
{
    uint64_t bits = 0;
    for (unsigned c = 0; c < N_COLUMNS; c++) {
        if (c % 4 == 0) {
            bits = pv_i_rng_next(rng);
        }
        const column *const from = &columns[c];
        const unsigned char i = from->drawn[bits & (DRAWS - 1)];
        memcpy(at, from->texts[i], FIELD_SIZE);
        at += from->lengths[i];
        bits >>= 16;
    }
    return at;
}

static int write_rows(FILE *file, const column *columns, uint64_t rows, uint64_t seed)
{
    static char buffer[BUFFER_SIZE + (N_COLUMNS + 1) * FIELD_SIZE];
    pv_rng rng;
    char *at = buffer;
    pv_i_rng_init(&rng, seed);
    for (unsigned c = 0; c < N_COLUMNS; c++) {
        at += sprintf(at, "%s%c", attributes[c].name, c + 1 < N_COLUMNS ? ';' : '\n');
    }
    for (uint64_t r = 0; r < rows; r++) {
        at = append_row(at, columns, &rng);
        if (at >= buffer + BUFFER_SIZE) {
            if (fwrite(buffer, 1, (size_t)(at - buffer), file) != (size_t)(at - buffer)) {
                return -1;
            }
            at = buffer;
        }
    }
    return fwrite(buffer, 1, (size_t)(at - buffer), file) == (size_t)(at - buffer) ? 0 : -1;
}

int main(int argc, char **argv)
{
    static column columns[N_COLUMNS];
    if (argc != 4) {
        (void)fprintf(stderr, "usage: bench_generate ROWS SEED FILE\n");
        return 2;
    }
    for (unsigned c = 0; c < N_COLUMNS; c++) {
        const attribute a = attributes[c].values[0].text != NULL ? attributes[c] : ages();
        prepare(&columns[c], &a, c + 1 < N_COLUMNS ? ';' : '\n');
    }
    FILE *const file = fopen(argv[3], "wb");
    if (file == NULL ||
        write_rows(file, columns, strtoull(argv[1], NULL, 10), strtoull(argv[2], NULL, 10)) != 0 ||
        fclose(file) != 0) {
        (void)fprintf(stderr, "%s: %s\n", argv[3], strerror(errno));
        return 1;
    }
    return 0;
}
