/* What the paper claims: tables 1(a), 1(b), 2(a) and 2(b). */
#include "pbg_report.h"

const column pbg_columns[COLUMNS] = {
    {"age", 74, 6}, {"workclass", 7, 3}, {"education", 16, 3},      {"marital-status", 7, 3},
    {"race", 5, 1}, {"sex", 2, 1},       {"native-country", 41, 4}, {"salary-class", 2, 1},
};
const unsigned pbg_sensitive_values = 14;

const question pbg_questions[QUESTIONS] = {
    {.name = "k, glm",
     .theirs = "k, GLM",
     .objectives = {"k", "glm"},
     .n_objectives = 2,
     .has_ratio = true,
     .error = {3.7e-4, 6.5e-9},
     .ratio = {0.94, 8e-4},
     .evaluated = 916,
     .figure = "figures/pbg_k_glm.svg"},
    {.name = "k, l-distinct, glm",
     .theirs = "k, l, GLM",
     .objectives = {"k", "l-distinct", "glm"},
     .n_objectives = 3,
     .has_ratio = true,
     .error = {3.3e-4, 1.1e-7},
     .ratio = {0.93, 1.1e-3},
     .evaluated = 946,
     .figure = "figures/pbg_k_l_glm.svg"},
    {.name = "sum-k, glm",
     .theirs = "S_k, GLM",
     .objectives = {"sum-k", "glm"},
     .n_objectives = 2,
     .has_ratio = true,
     .error = {5.7e-4, 2.5e-7},
     .ratio = {0.84, 1.7e-3},
     .evaluated = 1136,
     .figure = "figures/pbg_sum_k_glm.svg"},
    {.name = "sum-k, sum-l, glm",
     .theirs = "S_k, S_l, GLM",
     .objectives = {"sum-k", "sum-l", "glm"},
     .n_objectives = 3,
     .has_ratio = true,
     .error = {6.6e-4, 2.0e-7},
     .ratio = {0.83, 1.4e-3},
     .evaluated = 1197,
     .figure = "figures/pbg_sum_k_sum_l_glm.svg"},
    {.name = "k, glm, cm",
     .theirs = "k, GLM, CM",
     .objectives = {"k", "glm", "cm"},
     .n_objectives = 3,
     .label = true,
     .evaluated = 1073,
     .figure = "figures/pbg_k_glm_cm.svg"},
};

const box_size pbg_boxes[BOXES] = {
    {.question = 0, .epsilons = {5, 100}, .error = {4.3e-4, 2.6e-7}, .ratio = {0.95, 1.6e-3}},
    {.question = 0, .epsilons = {10, 1000}, .error = {1.6e-4, 8.0e-8}, .ratio = {0.98, 8.2e-4}},
    {.question = 0, .epsilons = {50, 10000}, .error = {1.7e-4, 1.1e-8}, .ratio = {1, 0}},
    {.question = 1, .epsilons = {5, 2, 100}, .error = {4.9e-3, 2.5e-7}, .ratio = {0.92, 1.2e-3}},
    {.question = 1, .epsilons = {10, 4, 1000}, .error = {7.4e-3, 9.3e-7}, .ratio = {0.92, 7.0e-4}},
    {.question = 1, .epsilons = {50, 6, 10000}, .error = {1.8e-2, 8.2e-6}, .ratio = {0.88, 1.7e-3}},
};
