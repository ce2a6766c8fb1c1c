/* What a plan file says, and the functions that read its parts. */
#ifndef PV_PLAN_PLAN_H
#define PV_PLAN_PLAN_H

#include "plan/document.h"

#include <paravent/plan.h>

/* One constraint on a measure, `k=5`, as written: checked and interpreted by the measure room. */
typedef struct pv_plan_require {
    char *name;
    char *value;
    uint64_t line, column;
} pv_plan_require;

/* How much it would hurt to have values of an attribute known, 0 or more. */
typedef struct pv_plan_sensitivity_value {
    char *value;
    pv_decimal sensitivity;
    uint64_t line, column; /* where it is written; column 0 in a file of its own */
} pv_plan_sensitivity_value;

typedef struct pv_plan_sensitivity {
    bool is_given;
    pv_decimal others; /* of all values that are not named, if given; else 1 */
    char *file;        /* where the values came from, for messages; NULL = the plan */
    pv_plan_sensitivity_value *values;
    size_t n_values;
} pv_plan_sensitivity;

struct pv_plan_attribute {
    char *name;
    pv_role role;
    pv_type type;
    pv_format format; /* how its numbers and dates are written */
    char open_format; /* an open question: 'd' = `decimal: "?"`, 'f' = `format: "?"`; 0 = none */
    char **missing;   /* its own spellings of "missing", NULL-terminated; NULL = the plan's */
    pv_distance distance;        /* sensitive: of t-closeness */
    pv_hierarchy_spec hierarchy; /* SUPPRESS unless given */
    bool has_hierarchy;
    double weight;                   /* of nwp; default 1 */
    pv_decimal granularity;          /* of cut schemes; 0 = none */
    pv_plan_sensitivity sensitivity; /* quasi: for disclosure record by record */
    int level;                       /* chosen generalization level, -1 = none */
    int max_level;                   /* no search goes higher, -1 = any level */
    /* quasi: values for which the hierarchy has no place become `*` (otherwise: a failure). */
    bool unknown_as_root;
    pv_plan_require *require; /* sensitive: demanded of its values */
    size_t n_require;
    bool unique_accepted;  /* released unchanged even if it singles people out */
    uint64_t line, column; /* where it is written */
};

/* What the parts of a plan need to know of the whole while it is read. */
typedef struct pv_plan_setting {
    bool read_files;       /* open the files of hierarchies and sensitivities? */
    bool count_all_leaves; /* the plan's own `domain`, for attributes that give none */
    char *data;            /* path of the data, which is no file of either; NULL = none given */
} pv_plan_setting;

struct pv_plan {
    char *path; /* the plan file, for messages; NULL if made in memory */
    char *data; /* path of the data, already resolved relative to the plan; NULL = none given */
    pv_budget suppression;
    uint64_t target_k; /* suppress just the classes smaller than this; 0 = no demand */
    bool whole_budget; /* `suppress: whole-budget`: as POkA and PBG do; otherwise as needed */
    char delimiter;    /* reading options; zero = sniffed */
    pv_choice quoting, header;
    bool keep_blanks; /* `trim: no`: blanks around fields are not removed */
    char decimal;     /* the decimal sign of all columns that do not give their own; 0 = point */
    bool keep_others; /* `others: keep`: columns that are not named are `other`, not dropped */
    char **missing;   /* NULL-terminated; NULL = default */
    pv_plan_attribute *attributes;
    size_t n_attributes;
    pv_plan_require *require;
    size_t n_require;
    pv_plan_combination *combinations; /* `compare:` */
    size_t n_combinations;
    /* Only in a scheme file: what was promised for the table it was made from. */
    pv_plan_require *promises;
    size_t n_promises;
    /* Only in the scheme file of a local recoding: the released tuples, one label for each
     * quasi-identifier in the order of `attributes`, one tuple after the other, and NULL. */
    char **classes;
    size_t n_classes, class_width;
    pv_plan_setting setting;
};

/* What is wrong in a file is quoted, and the data has values that must not be. */
PV_CHECKED pv_status pv_i_plan_refuse_data(const pv_plan_setting *setting, const char *path,
                                           pv_error *error);

/* The value of `hierarchy:`. `spec` is zero at first; on failure the caller frees it. */
PV_CHECKED pv_status pv_i_plan_hierarchy(const char *file, const pv_node *node,
                                         const pv_plan_setting *setting, pv_hierarchy_spec *spec,
                                         pv_error *error);

void pv_i_plan_sensitivity_free(pv_plan_sensitivity *sensitivity); /* what it points to */
/* A deep copy, to be freed like that; even after a failure. */
PV_CHECKED pv_status pv_i_plan_sensitivity_copy(const pv_plan_sensitivity *sensitivity,
                                                pv_plan_sensitivity *copy, pv_error *error);

/* A mapping of measures to bounds. On failure the caller frees what there is. */
PV_CHECKED pv_status pv_i_plan_bounds(const char *file, const pv_node *value, const char *example,
                                      pv_plan_require **bounds, size_t *n_bounds, pv_error *error);
void pv_i_plan_bounds_free(pv_plan_require *bounds, size_t n);

/* One entry of `attributes:`. `attribute` is zero at first; on failure the caller frees it. */
PV_CHECKED pv_status pv_i_plan_attribute(const char *file, const pv_node *node,
                                         const pv_plan_setting *setting,
                                         pv_plan_attribute *attribute, pv_error *error);

/* `compare:` of a plan. `combinations` is NULL at first; on failure the caller frees them. */
PV_CHECKED pv_status pv_i_plan_combinations(const char *file, const pv_node *node,
                                            pv_plan_combination **combinations, size_t *n,
                                            pv_error *error);
void pv_i_plan_combinations_free(pv_plan_combination *combinations, size_t n);
/* A deep copy, to be freed like that; even after false, which means that memory ran out. */
bool pv_i_plan_combinations_copy(const pv_plan_combination *combinations, size_t n,
                                 pv_plan_combination **copies, size_t *n_copied);

/* `decimal:` of a plan or an attribute. `is_open`: "?" was written; NULL = it must not be. */
PV_CHECKED pv_status pv_i_plan_decimal(const char *file, const pv_node *node, char *decimal,
                                       bool *is_open, pv_error *error);

/* The distance that a hierarchy of sensitive values is good for: that of a listed order is
 * `ordered`, that of any other `hierarchical`. */
pv_distance pv_i_hierarchy_distance(const pv_hierarchy_spec *spec);

/* `domain:` of a plan or an attribute: are all leaves counted? */
extern const pv_word pv_i_domains[];

/* pv_plan_parse, with the choice to leave the hierarchy files alone: fuzzing must not open what a
 * random text names. */
PV_CHECKED pv_status pv_i_plan_parse(const char *name, const char *text, size_t size,
                                     bool read_files, pv_plan **plan, pv_error *error);

/* A deep copy, which the caller frees with pv_plan_free. */
PV_CHECKED pv_status pv_i_plan_copy(const pv_plan *plan, pv_plan **copy, pv_error *error);

/* The keys at the head of every file that the program writes: who wrote it, and how to read it. */
PV_CHECKED pv_status pv_i_take_version(const char *file, const pv_node *value, void *unused,
                                       pv_error *error);
PV_CHECKED pv_status pv_i_take_schema(const char *file, const pv_node *value, void *unused,
                                      pv_error *error);

/* Gives a failure that has no place in a file the place in the plan that led to it, and makes it
 * bad input. */
PV_CHECKED pv_status pv_i_place_error(pv_status status, const char *file, uint64_t line,
                                      uint64_t column, pv_error *error);
/* Puts "what `name`: " before the message of a failure. */
void pv_i_prefix_error(pv_error *error, const char *what, const char *name);

#endif
