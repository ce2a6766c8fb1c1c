/* Classes of the library against the oracle's release of the same random table. */
#ifndef PV_TESTS_COMPARE_CLASSES_H
#define PV_TESTS_COMPARE_CLASSES_H

#include "support/oracle.h"
#include "support/random_study.h"

/* What went wrong, in full: the table is small. */
static inline void compare_differ(const random_study *s, const oracle_release *r, const char *what,
                                  double library, double oracle)
{
    print_error("%s is %.17g, the oracle says %.17g\n%s\n%s\nlevels", what, library, oracle,
                s->csv.data, s->text.data);
    for (size_t row = 0; row < (s->table.levels != NULL ? s->table.n_rows : 1); row++) {
        for (size_t q = 0; q < s->table.n_quasi; q++) {
            print_error(" %u", oracle_level(&s->table, row, q));
        }
        print_error("\n");
    }
    fail_msg("%zu rows suppressed", r->n_suppressed);
}

static inline size_t compare_class_of_row(const random_study *s, const pv_classes *classes,
                                          size_t row)
{
    return pv_classes_of_tuple(classes, pv_profile_tuple(s->profile, row));
}

/* Two rows share a class exactly if they look alike. */
static inline void compare_partition(const random_study *s, const oracle_release *r,
                                     const pv_classes *classes)
{
    for (size_t row = 0; row < s->table.n_rows; row++) {
        const size_t c = compare_class_of_row(s, classes, row);
        assert_int_equal(pv_classes_size(classes, c), r->size[row]);
        assert_int_equal(pv_classes_is_suppressed(classes, c), r->suppressed[row]);
        assert_int_equal(c, compare_class_of_row(s, classes, r->look_alike[row]));
    }
}

static inline void compare_classes(const random_study *s, const oracle_release *r,
                                   const pv_classes *classes)
{
    if (pv_classes_suppressed(classes) != r->n_suppressed) {
        compare_differ(s, r, "suppressed", (double)pv_classes_suppressed(classes),
                       (double)r->n_suppressed);
    }
    assert_int_equal(pv_classes_feasible(classes), r->feasible);
    assert_int_equal(pv_classes_k(classes), r->k);
    assert_int_equal(pv_classes_total(classes), r->n_classes);
    assert_int_equal(pv_classes_remaining(classes), r->n_remaining);
    compare_partition(s, r, classes);
}

#endif
