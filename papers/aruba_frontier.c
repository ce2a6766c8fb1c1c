/* How many nodes of a lattice are on the frontier for a utility c.
 *
 * With the sum of depths as utility, a step of generalization takes exactly 1 off. So a feasible
 * node has an infeasible direct generalization if its utility is c, and only then: the frontier is
 * one rank of the lattice. How many nodes have a utility is the coefficient of a product,
 * (1 + z + ... + z^h) for each height h, and needs no lattice to be visited. */
#include "aruba_report.h"

#include "scheme/lattice.h"

#include <string.h>

size_t aruba_utility_shares(const unsigned *heights, size_t n_heights, double *shares)
{
    size_t most = 0;
    shares[0] = 1;
    for (size_t i = 0; i < n_heights; i++) {
        const size_t height = heights[i];
        memset(shares + most + 1, 0, height * sizeof *shares);
        most += height;
        for (size_t utility = most + 1; utility-- > 0;) { /* downwards: the rest is still unused */
            double sum = 0;
            for (size_t depth = 0; depth <= height && depth <= utility; depth++) {
                sum += shares[utility - depth];
            }
            shares[utility] = sum / (double)(height + 1);
        }
    }
    return most + 1;
}

/* Feasible, and some direct generalization is not. */
static bool is_on_frontier(const pv_lattice *lattice, const uint8_t *levels, double c)
{
    double utility = 0;
    bool has_step = false;
    for (size_t q = 0; q < lattice->n_axes; q++) {
        utility += lattice->heights[q] - levels[q];
        has_step = has_step || levels[q] < lattice->heights[q];
    }
    return utility >= c && has_step && utility - 1 < c;
}

double aruba_frontier_share(const stage *s, double c)
{
    pv_lattice lattice;
    pv_error error = {0};
    uint8_t levels[MOST_ATTRIBUTES];
    uint64_t n = 0;
    require(pv_i_lattice_init(&lattice, s->table.study, &error) == PV_STATUS_OK, error.message);
    for (uint64_t node = 0; node < lattice.n_nodes; node++) {
        pv_i_lattice_levels(&lattice, node, levels);
        n += is_on_frontier(&lattice, levels, c);
    }
    const double share = (double)n / lattice.size;
    pv_i_lattice_deinit(&lattice);
    return share;
}
