/* What a scan of all records stands on: the attributes in the order in which they are fixed, and
 * the tails of the records and of the dictionary. Constant while workers walk over it. */
#ifndef PV_RECORDS_RECORD_GROUND_H
#define PV_RECORDS_RECORD_GROUND_H

#include "records/record_methods.h"
#include "records/record_tails.h"

/* The attribute fixed at one position. */
typedef struct pv_record_axis {
    size_t quasi;
    unsigned height;
    uint32_t stride;   /* how far apart two nodes of the lattice are that differ by one level */
    uint32_t **group;  /* by level and leaf */
    uint32_t n_groups; /* the most of a level */
    pv_worth *const *worth;    /* by level and leaf; borrowed */
    const uint8_t *root_level; /* by leaf; borrowed */
    bool has_root_leaf;        /* is `*` itself a value of the table? */
    const pv_known *known;     /* what the dictionary knows of it; NULL = nothing */
} pv_record_axis;

/* A tail told as it is. */
typedef struct pv_raw_tail {
    pv_worth worth;
    uint32_t node; /* what its levels add to the number of a node: 0, but for values that are `*` */
} pv_raw_tail;

/* The least sensitivity that some utility costs, piece by piece, the cheapest first. */
typedef struct pv_price_list {
    size_t n;
    double *utility, *phi; /* n + 1 each: all pieces before, in units */
} pv_price_list;

/* The attributes from a position on. */
typedef struct pv_record_rest {
    pv_worth most;      /* that they can add */
    int64_t top;        /* utility, all of them being `*` */
    uint32_t top_node;  /* what the top levels add to the number of a node */
    int64_t least_phi;  /* of any value of them but `*` */
    pv_price_list list; /* of utility beyond `top` */
    pv_raw_tail *raw;   /* per tail; NULL at position 0: see pv_i_raw_worth */
} pv_record_rest;

typedef struct pv_record_ground {
    const pv_disclose_run *run;
    const pv_weighing *weighing;
    size_t n; /* positions */
    pv_record_axis *axes;
    /* Is the dictionary the table itself, and no label on several levels? Then records and
     * dictionary are one list. Otherwise the attributes it knows come first, n_known of them. */
    bool is_table;
    size_t n_known;
    pv_tails tails; /* of the records: leaves */
    pv_tails theta; /* of the dictionary: its values at the first n_known positions; else empty */
    pv_record_rest *rest; /* per position, and one for the end */
} pv_record_ground;

PV_CHECKED pv_status pv_i_record_ground_init(pv_record_ground *ground, const pv_disclose_run *run,
                                             pv_error *error);
void pv_i_record_ground_deinit(pv_record_ground *ground);

/* What the attributes from each position on may add, and at what price. */
PV_CHECKED pv_status pv_i_record_rests_init(pv_record_ground *ground, pv_error *error);
void pv_i_record_rests_deinit(pv_record_ground *ground);

/* What a tail of position 0, that is a record, is worth as it is. */
pv_worth pv_i_raw_worth(const pv_record_ground *ground, uint32_t tail);

/* The least sensitivity for so much utility beyond the top, in units. */
int64_t pv_i_price(const pv_price_list *list, int64_t utility);

#endif
