/* What is proven about cut schemes so far. */
#include "cuts/cut_ledger.h"

#include "base/memory.h"

#include <string.h>

void pv_i_cut_ledger_deinit(pv_cut_ledger *ledger)
{
    pv_i_free(ledger->claims);
    *ledger = (pv_cut_ledger){0};
}

/* The first claim about at least this k. */
static size_t place_of(const pv_cut_ledger *ledger, uint64_t k)
{
    size_t place = 0;
    while (place < ledger->n && ledger->claims[place].k < k) {
        place++;
    }
    return place;
}

static bool is_about(const pv_cut_ledger *ledger, size_t place, uint64_t k)
{
    return place < ledger->n && ledger->claims[place].k == k;
}

static uint64_t larger(uint64_t a, uint64_t b)
{
    return a > b ? a : b;
}

bool pv_i_cut_ledger_enter(pv_cut_ledger *ledger, const pv_cut_claim *claim)
{
    const size_t place = place_of(ledger, claim->k);
    if (is_about(ledger, place, claim->k)) {
        pv_cut_claim *const older = &ledger->claims[place];
        older->bound = larger(older->bound, claim->bound);
        older->tried = larger(older->tried, claim->tried);
        return true;
    }
    if (!pv_i_reserve((void **)&ledger->claims, &ledger->capacity, ledger->n + 1, sizeof *claim)) {
        return false;
    }
    memmove(ledger->claims + place + 1, ledger->claims + place,
            (ledger->n - place) * sizeof *ledger->claims);
    ledger->claims[place] = *claim;
    ledger->n++;
    return true;
}

uint64_t pv_i_cut_ledger_bound(const pv_cut_ledger *ledger, uint64_t k)
{
    uint64_t bound = 0;
    for (size_t i = 0; i < ledger->n && ledger->claims[i].k <= k; i++) {
        bound = larger(bound, ledger->claims[i].bound);
    }
    return bound;
}

uint64_t pv_i_cut_ledger_tried(const pv_cut_ledger *ledger, uint64_t k)
{
    const size_t place = place_of(ledger, k);
    return is_about(ledger, place, k) ? ledger->claims[place].tried : 0;
}
