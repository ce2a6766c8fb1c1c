#!/usr/bin/env python3
"""Tables that are hard to anonymize, with their plans: generate.py SHAPE ROWS SEED SKEW FOLDER

    accounts   24 attributes of bank customers, six months of bills and payments: amounts with up to 20,000 different
               values that hang together from month to month; nearly every row is unique; about 10^13 schemes
    survey     16 attributes of a household survey, from 2 to 200 values; about 10^8 schemes

SKEW (0 to 1) says how uneven values are and how strongly attributes hang together."""
import functools
import itertools
import random
import sys


def amounts(rng, rows, skew, months):
    """Per row one amount a month: a person's own size, carried on from month to month."""
    for _ in range(rows):
        size = rng.lognormvariate(9, 1.2 + skew)
        used = rng.random() < 0.85
        amount, out = size, []
        for _ in range(months):
            amount = amount * (0.2 + 0.8 * skew) + size * rng.random() * (0.8 - 0.8 * skew + 0.05)
            out.append(int(amount) if used and rng.random() < 0.93 else 0)
        yield out


@functools.cache
def frequencies(n, skew):
    """How often the first values occur together. As in real columns, the last ones are rare (Zipf)."""
    return list(itertools.accumulate((v + 1) ** -(1 + 2 * skew) for v in range(n)))


def choice(rng, n, skew, around=None):
    """One of n values, the first ones more often; near `around` if there is one."""
    if around is not None and rng.random() < skew:
        return min(n - 1, max(0, around + rng.randint(-1, 1)))
    return rng.choices(range(n), cum_weights=frequencies(n, skew))[0]


def accounts(rng, rows, skew):
    plan = ["  limit: {role: quasi, hierarchy: {intervals: [10000, 50000, 250000, 1000000]}}",
            "  sex: {role: quasi}", "  education: {role: quasi, hierarchy: {rows: [[e0, high], [e1, high], [e2, low], [e3, low], [e4, "
            "other], [e5, other], [e6, other]]}}", "  marriage: {role: quasi}",
            "  age: {role: quasi, hierarchy: {intervals: [5, 10, 20, 40]}}"]
    plan += [f"  pay{m}: {{role: quasi, hierarchy: {{order: [2, 6]}}}}" for m in range(6)]
    plan += [f"  bill{m}: {{role: quasi, hierarchy: {{intervals: [10000, 100000]}}}}" for m in range(6)]
    plan += [f"  paid{m}: {{role: quasi, hierarchy: {{intervals: [5000, 50000]}}}}" for m in range(6)]
    plan += ["  default: {role: quasi}"]
    names = [line.split(":")[0].strip() for line in plan]
    bills, paid = amounts(rng, rows, skew, 6), amounts(rng, rows, skew, 6)
    table = []
    for _ in range(rows):
        late = choice(rng, 4, skew)
        lateness, row = late, [10000 * (1 + choice(rng, 80, skew)), "mf"[rng.random() < 0.6], f"e{choice(rng, 7, skew)}",
                               f"s{choice(rng, 4, skew)}", 21 + choice(rng, 56, skew * 0.6)]
        for _ in range(6):
            lateness = choice(rng, 11, skew, lateness)
            row.append(lateness - 2)
        row += next(bills) + [a // 3 for a in next(paid)] + [int(rng.random() < 0.05 + 0.2 * late / 4)]
        table.append(row)
    return plan, names, table


def survey(rng, rows, skew):
    sizes = [2, 2, 3, 5, 6, 7, 8, 9, 12, 16, 20, 32, 60, 90, 120, 200]
    plan = [f"  q{i:02}: {{role: quasi" + (", hierarchy: {order: [%s]}" % ", ".join(
        str(s) for s in (4, 16, 64) if s < n) if n > 4 else "") + "}" for i, n in enumerate(sizes)]
    habits = [[choice(rng, n, skew) for n in sizes] for _ in range(400)]
    table = []
    for _ in range(rows):
        habit = habits[choice(rng, len(habits), skew)]
        table.append([f"v{choice(rng, n, skew, habit[i]):03}" for i, n in enumerate(sizes)])
    return plan, [f"q{i:02}" for i in range(len(sizes))], table


def main():
    shape, rows, seed, skew, folder = sys.argv[1], int(sys.argv[2]), int(sys.argv[3]), float(sys.argv[4]), sys.argv[5]
    rng = random.Random(seed)
    plan, names, table = {"accounts": accounts, "survey": survey}[shape](rng, rows, skew)
    name = f"{shape}-{rows}-{seed}-{skew}"
    with open(f"{folder}/{name}.csv", "w") as out:
        out.write(",".join(names) + "\n")
        for row in table:
            out.write(",".join(map(str, row)) + "\n")
    with open(f"{folder}/{name}.yaml", "w") as out:
        out.write(f"data: {name}.csv\nattributes:\n" + "\n".join(plan) + "\n")


main()
