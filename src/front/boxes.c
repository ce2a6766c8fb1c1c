/* Boxes of other sizes: how coarse they must be for an archive of few members, and how many members
 * boxes can hold. */
#include "front/archive.h"

#include <math.h>

/* ------------------------------------------------------------------ bound */

/* Into how many steps an objective is divided, as far as values were offered. */
static double steps_of(const pv_archive *archive, size_t objective)
{
    const double epsilon = archive->epsilons[objective];
    if (archive->highest[objective] <= archive->lowest[objective]) {
        return 1;
    }
    return epsilon > 0 ? pv_i_box_of(archive->highest[objective], epsilon) -
                             pv_i_box_of(archive->lowest[objective], epsilon) + 1
                       : (double)INFINITY;
}

double pv_i_archive_bound(const pv_archive *archive)
{
    double most = 0;
    size_t left_out = 0;
    for (size_t i = 0; i < archive->n_objectives; i++) {
        const double steps = steps_of(archive, i);
        left_out = steps > most ? i : left_out;
        most = fmax(most, steps);
    }
    double bound = 1;
    for (size_t i = 0; i < archive->n_objectives; i++) {
        bound *= i != left_out ? steps_of(archive, i) : 1;
    }
    return bound;
}

/* ------------------------------------------------------------------ rebox */

bool pv_i_archive_rebox(pv_archive *archive, const double *epsilons)
{
    pv_archive boxed = *archive;
    boxed.members = NULL;
    boxed.n_members = boxed.capacity = 0;
    for (size_t i = 0; i < archive->n_objectives; i++) {
        boxed.epsilons[i] = epsilons[i];
    }
    if (!pv_i_archive_merge(&boxed, archive)) {
        pv_i_archive_deinit(&boxed);
        return false;
    }
    boxed.n_changes = archive->n_changes;
    pv_i_archive_deinit(archive);
    *archive = boxed;
    return true;
}

/* ---------------------------------------------------------------- coarser */

/* Boxes start at this part of an objective's range, as a power of two. */
#define FINEST (-24)
/* Of losses they grow up to this one; the other objectives start one step earlier. */
#define WIDEST (-2)
#define LATE (WIDEST - 1 - FINEST)
/* From here on the others are one box, and those of losses grow again. */
#define LAST (LATE - FINEST)
/* Grades of coarseness: each doubles the boxes. At the last one everything is one box. */
#define GRADES 50
#define HALVINGS 40

static bool has_losses(const pv_archive *archive)
{
    bool has = false;
    for (size_t i = 0; i < archive->n_objectives; i++) {
        has |= archive->is_loss[i];
    }
    return has;
}

/* Are its boxes to grow before those of others? */
static bool is_early(const pv_archive *archive, size_t objective)
{
    return archive->is_loss[objective] || !has_losses(archive);
}

static double range_of(const pv_archive *archive, size_t objective)
{
    return fmax(archive->highest[objective] - archive->lowest[objective], 0);
}

/* The boxes of a grade of coarseness, or those there are if they are larger. */
static void epsilons_at(const pv_archive *archive, double grade, double *epsilons)
{
    for (size_t i = 0; i < archive->n_objectives; i++) {
        const bool early = is_early(archive, i);
        const double power =
            early ? fmin(FINEST + grade, WIDEST) + fmax(grade - LAST, 0) : FINEST + grade - LATE;
        const double epsilon = early || grade >= LATE ? range_of(archive, i) * exp2(power) : 0;
        epsilons[i] = fmax(archive->epsilons[i], epsilon);
    }
}

/* A box that holds whole boxes of the present size and is at least as large as wanted. */
static double doubled(const pv_archive *archive, size_t objective, double wanted)
{
    double epsilon = archive->epsilons[objective];
    if (!(epsilon > 0)) {
        epsilon = fmin(wanted, range_of(archive, objective) * exp2(FINEST));
    }
    while (epsilon > 0 && epsilon < wanted) {
        epsilon *= 2;
    }
    return epsilon;
}

bool pv_i_archive_coarsen(pv_archive *archive, size_t most)
{
    for (unsigned grade = 0; archive->n_members > most && grade <= GRADES; grade++) {
        double epsilons[PV_MAX_OBJECTIVES];
        epsilons_at(archive, grade, epsilons);
        for (size_t i = 0; i < archive->n_objectives; i++) {
            epsilons[i] = doubled(archive, i, epsilons[i]);
        }
        if (!pv_i_archive_rebox(archive, epsilons)) {
            return false;
        }
    }
    return true;
}

/* ------------------------------------------------------------- fine steps */

/* How many members would remain. */
static bool count_at(const pv_archive *archive, double grade, size_t *n)
{
    pv_archive trial = *archive;
    trial.members = NULL;
    trial.n_members = trial.capacity = 0;
    epsilons_at(archive, grade, trial.epsilons);
    const bool counted = pv_i_archive_merge(&trial, archive);
    *n = trial.n_members;
    pv_i_archive_deinit(&trial);
    return counted;
}

bool pv_i_archive_thin(pv_archive *archive, size_t most)
{
    double fine = 0;
    double coarse = GRADES;
    double epsilons[PV_MAX_OBJECTIVES];
    if (archive->n_members <= most) {
        return true;
    }
    for (unsigned i = 0; i < HALVINGS; i++) {
        const double middle = (fine + coarse) / 2;
        size_t n;
        if (!count_at(archive, middle, &n)) {
            return false;
        }
        *(n > most ? &fine : &coarse) = middle;
    }
    epsilons_at(archive, coarse, epsilons);
    return pv_i_archive_rebox(archive, epsilons);
}
