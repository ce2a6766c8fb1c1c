#!/usr/bin/env python3
"""Writes docs/papers/cmp.md: the ten tuples of the paper, its three generalizations, and every number of its text.

`paravent release` makes the three tables, `paravent compare` measures and compares them. Vectors that the paper makes up are
columns of numbers in small files of their own.
"""
import math

from paper import Axis, Job, Picture, half_up, mean, table

TABLE = """tuple,zip,age,marital,status
1,13053,28,CF-Spouse,CF-Spouse
2,13268,41,Separated,Separated
3,13268,39,Never Married,Never Married
4,13053,26,CF-Spouse,CF-Spouse
5,13253,50,Divorced,Divorced
6,13253,55,Spouse Absent,Spouse Absent
7,13250,49,Divorced,Divorced
8,13052,31,Spouse Present,Spouse Present
9,13269,42,Separated,Separated
10,13250,47,Separated,Separated
"""
# Marital status is generalized, and its real value is what somebody wants to know.
PLAN = """data: table.csv
suppression: 0
attributes:
  zip: {role: quasi, type: text, hierarchy: {mask: right}}
  age: {role: quasi, hierarchy: {%s}}
  marital: {role: quasi, hierarchy: {rows: [[CF-Spouse, Married], [Spouse Present, Married], [Separated, Not Married],
    [Never Married, Not Married], [Divorced, Not Married], [Spouse Absent, Not Married]]}}
  status: {role: sensitive}
"""
TENS = "intervals: [10, 20], origin: 15, closed: right"  # the ages of T4 do not nest with these
RELEASES = {"T3a": (TENS, "1,1,1"), "T3b": (TENS, "2,2,1"), "T4": ("intervals: [20], closed: right", "3,1,2")}
PAIRS = (("T3a", "T3b"), ("T3a", "T4"), ("T3b", "T4"))
PROPERTIES = ("class-size", "own-count", "leaf-utility", "glm")
INDICES = ("min", "rank", "cov", "spr", "hv")
PRINTED = {("class-size", "T3a"): (3, 3, 3, 3, 4, 4, 4, 3, 3, 4),
           ("class-size", "T3b"): (3, 7, 7, 3, 7, 7, 7, 3, 7, 7),
           ("own-count", "T3a"): (2, 2, 1, 2, 2, 1, 2, 1, 2, 1),
           ("leaf-utility", "T3a"): (2.03, 1.7, 1.7, 2.03, 1.6, 1.6, 1.6, 2.03, 1.7, 1.6),
           ("leaf-utility", "T3b"): (2.03, .97, .97, 2.03, .97, .97, .97, 2.03, .97, .97)}
COMBINATIONS = (("wtd: cov of class size and of utility, equal weights", "--wtd", "class-size:cov=0.5,leaf-utility:cov=0.5"),
                ("wtd: spr of class size and of utility, equal weights", "--wtd", "class-size:spr=0.5,leaf-utility:spr=0.5"),
                ("lex: cov of class size, then of utility", "--lex", "class-size:cov,leaf-utility:cov"),
                ("lex: cov of utility, then of class size", "--lex", "leaf-utility:cov,class-size:cov"),
                ("lex: class size if cov differs by more than 0.7, then utility", "--lex", "class-size:cov=0.7,leaf-utility:cov"),
                ("goal: least class size 4, least utility 1.6", "--goal", "class-size:min=4,leaf-utility:min=1.6"))

job = Job("cmp")
job.write("table.csv", TABLE)
for name, (ages, levels) in RELEASES.items():
    plan = job.write(f"{name}.yaml", PLAN % ages)
    job.paravent("release", plan, "--levels", levels, "--suppress", "whole-budget", "--keep-order", "-o", job.path(f"{name}.csv"))


def compare(*options):
    return job.paravent("compare", *(job.path(f"{name}.csv") for name in RELEASES), "--plan", job.path("T3a.yaml"),
                        "--properties", ",".join(PROPERTIES), *options)


def name_of(file):
    return next((name for name in RELEASES if file and file.endswith(f"{name}.csv")), "-")


class Duel:
    """What compare says of two releases by one property: values[index] one way and the other, the better by each index."""

    def __init__(self, answer, prop, a="", b=""):
        self.values, self.better = {}, {}
        for p in answer["pairs"]:
            if p["property"] == prop and p["a"].endswith(a) and p["b"].endswith(b):
                self.values[p["index"]] = (p["ab"], p["ba"])
                self.better[p["index"]] = 0 if p["better"] is None else 1 if p["better"] == p["a"] else 2
        self.dominates, *self.n_better = next((d["dominates"], d["a_better"], d["b_better"]) for d in answer["dominance"]
                                              if d["property"] == prop and d["a"].endswith(a) and d["b"].endswith(b))


def vectors_duel(first, second):
    """Two vectors of the paper's own, as a column of numbers in two releases."""
    for name, vector in (("first", first), ("second", second)):
        job.write(f"{name}.csv", "row,group,v\n" + "".join(f"{i},x,{value}\n" for i, value in enumerate(vector)))
    plan = job.write("vectors.yaml", "data: first.csv\nsuppression: 0\nattributes:\n"
                     "  group: {role: quasi, hierarchy: {rows: [[x]]}}\n")
    answer = job.paravent("compare", job.path("first.csv"), job.path("second.csv"), "--plan", plan, "--key", "row",
                          "--properties", "column:v")
    return Duel(answer, "column:v")


answer = compare("--by", "tuple")
vectors = {(prop, name): [0.0] * 10 for prop in PROPERTIES for name in RELEASES}
for group in answer["groups"]:
    for prop in PROPERTIES:
        for name, fare in zip(RELEASES, group["properties"][prop]):
            vectors[prop, name][int(group["value"]) - 1] = fare["mean"]
k = {name: release["smallest_class"] for name, release in zip(RELEASES, answer["releases"])}
duels = {(prop, *pair): Duel(answer, prop, *(f"{name}.csv" for name in pair)) for prop in PROPERTIES for pair in PAIRS}

# ----------------------------------------------------------------------------------------------------------------- picture

picture = Picture(job, 760, 320, "size of the class of each tuple", ".line.three{stroke:$ink;stroke-dasharray:5 4}.dot.three{fill:$ink}")
x, y = Axis(0, 10, 50, 736, 10), Axis(0, 8, 274, 58, 8)
picture.axes(x, y, "tuple", "size of the class", (10, 40))
for i, (name, look) in enumerate(zip(RELEASES, ("one", "two", "three"))):
    picture.key(f"dot {look}", 56 + 70 * i, 16, name)
    picture.curve(look, zip(range(1, 11), vectors["class-size", name]), x, y)
picture.save("cmp_sizes")

# ------------------------------------------------------------------------------------------------------------------ claims

claims = []


def claim(section, what, holds, why):
    claims.append((section, what, "", why, "agrees" if holds else "**differs**"))


def claim_number(section, what, printed, ours, decimals=0):
    same = half_up(printed, decimals) == half_up(ours, decimals)
    claims.append((section, what, f"{printed:.{decimals}f}", f"{ours:.{decimals}f}", "agrees" if same else "**differs**"))


size = {name: vectors["class-size", name] for name in RELEASES}
utility = {name: vectors["leaf-utility", name] for name in RELEASES}
ab, ac, bc = (duels["class-size", a, b] for a, b in PAIRS)
claim_number("1", "k of T3a", 3, k["T3a"])
claim_number("1", "k of T3b", 3, k["T3b"])
claim_number("1", "largest risk in both, 1/3", 1 / 3, 1 / min(size["T3a"] + size["T3b"]), 4)
claim_number("1", "tuples with a risk of 1/7 in T3b", 7, size["T3b"].count(7))
claim("1", "these have a higher risk in T3a", ab.n_better[1] == 7, f"{ab.n_better[1]} tuples")
claim("1", "T3a is less generalized", mean(utility["T3a"]) > mean(utility["T3b"]),
      f"leaf-utility {mean(utility['T3a']):.2f} and {mean(utility['T3b']):.2f} a tuple")
claim_number("2", "k of T4", 4, k["T4"])
for tuple_, a, b in ((8, "T4", "T3b"), (3, "T3b", "T4")):
    one, other = size[a][tuple_ - 1], size[b][tuple_ - 1]
    claim("2", f"tuple {tuple_} is better off in {a} than in {b}", one > other, f"{one:.0f} > {other:.0f}")
claim_number("3", "P_k-anon of T3a: least class size", 3, min(size["T3a"]))
claim_number("3", "P_s-avg of T3a: mean class size", 3.4, mean(size["T3a"]), 1)
claim_number("3", "P_l-div of T3a: least own count", 1, min(vectors["own-count", "T3a"]))
claim_number("3", "P_binary(T3a, T3b): better off in T3a", 0, ab.n_better[0])
claim_number("3", "P_binary(T3b, T3a): better off in T3b", 7, ab.n_better[1])
claim("5.2", "T4 is cov-better than T3a", ac.better["cov"] == 2, f"{ac.values['cov'][1]:.1f} > {ac.values['cov'][0]:.1f}")
claim("5.2", "T3b is cov-better than T4", bc.better["cov"] == 1, f"{bc.values['cov'][0]:.1f} > {bc.values['cov'][1]:.1f}")
claim("5.2", "cov 1 one way and 0 the other means strong dominance (T4, T3a)", ac.dominates == "b",
      f"{ac.values['cov'][1]:.0f} and {ac.values['cov'][0]:.0f}: it dominates")
claim("5.2", "and vice versa (T3b, T3a)", ab.dominates != "b" or ab.values["cov"][0] <= 0,
      f"it dominates with {ab.values['cov'][1]:.0f} and {ab.values['cov'][0]:.1f}")
d = vectors_duel((2, 2, 3, 4, 5), (3, 2, 4, 2, 3))
claim_number("5.3", "P_cov of (2,2,3,4,5) over (3,2,4,2,3)", .6, d.values["cov"][0], 1)
claim_number("5.3", "P_cov the other way", .6, d.values["cov"][1], 1)
claim_number("5.3", "each of the two better off gains 2", 2, d.values["spr"][0] / d.n_better[0])
claim_number("5.3", "each of the two worse off loses 1", 1, d.values["spr"][1] / d.n_better[1])
claim("5.3", "the first is spr-better", d.better["spr"] == 1, f"{d.values['spr'][0]:.0f} > {d.values['spr'][1]:.0f}")
d = vectors_duel((3, 3, 3, 5, 5, 5, 5, 5, 3, 3, 3, 4, 4, 4, 4), (2, 2, 6, 6, 6, 6, 6, 6, 3, 3, 3, 4, 4, 4, 4))
claim_number("5.3", "15 tuples, k of the first", 3, d.values["min"][0])
claim_number("5.3", "15 tuples, k of the second", 2, d.values["min"][1])
claim_number("5.3", "better off in the 2-anonymous one", 6, d.n_better[1])
claim_number("5.3", "worse off in it", 2, d.n_better[0])
claim_number("5.3", "P_spr of the first", 2, d.values["spr"][0])
claim_number("5.3", "P_spr of the second", 8, d.values["spr"][1])
claim("5.3", "P_cov points at the same", d.better["cov"] == 2, f"{d.values['cov'][0]:.4f} < {d.values['cov'][1]:.4f}")
claim("5.3", "P_spr is 0 where the other is not worse (T3a, T3b)", ab.dominates == "b" and ab.values["spr"][0] <= 0,
      f"{ab.values['spr'][0]:.0f}")
d = vectors_duel((3, 3, 3, 5, 5, 5, 5, 5), (4,) * 8)
claim("5.4", "(3,3,3,5,5,5,5,5) is hv-better than 4 for all", d.better["hv"] == 1,
      f"{math.exp(d.values['hv'][0]):.0f} > {math.exp(d.values['hv'][1]):.0f}")
claim("5.4", "P_hv is 0 where the other is not worse (T3a, T3b)", ab.dominates == "b" and ab.values["hv"][0] is None, "0")
utilities = duels["leaf-utility", "T3a", "T3b"]
for what, printed, ours in (("P_cov(p_a, p_b), class sizes", .3, ab.values["cov"][0]), ("P_cov(p_b, p_a)", 1, ab.values["cov"][1]),
                            ("P_cov(u_a, u_b), utilities", 1, utilities.values["cov"][0]),
                            ("P_cov(u_b, u_a)", .3, utilities.values["cov"][1])):
    claim_number("5.5", what, printed, ours, 1)

# ------------------------------------------------------------------------------------------------------------ combinations

verdicts = []
for what, option, terms in COMBINATIONS:
    (overall,) = compare(option, terms)["overall"]
    decimals = 0 if option == "--lex" else 3
    cells = [f"{p['ab']:.{decimals}f}, {p['ba']:.{decimals}f}: {name_of(p['better'])}" for p in overall["pairs"]]
    wins = ", ".join(f"{name_of(file)} ({n})" for file, n in zip(overall["ranking"], overall["wins"]))
    verdicts.append((what, *cells, wins + (", in a cycle" if overall["cycle"] else "")))
    if len(verdicts) == 1:
        first = overall["pairs"][0]
        claim("5.5", "with equal weights T3a and T3b are equally good", first["better"] is None, f"{first['ab']:.2f} and {first['ba']:.2f}")

# -------------------------------------------------------------------------------------------------------------------- page


def number(value, index=""):
    if index == "hv":
        return "0" if value is None else f"e^{value:.3f}"
    return f"{value:.0f}" if abs(value - round(value)) < 1e-9 else f"{value:.2f}"


if f"{3 - vectors['glm', 'T3a'][0]:.2f} {utility['T3a'][0]:.2f}" != "2.38 2.03":
    raise SystemExit("the page says something else about tuple 1 of T3a")
rows, n_same = [], 0
for prop in PROPERTIES:
    for name in RELEASES:
        ours, printed = vectors[prop, name], PRINTED.get((prop, name))
        rows.append((f"{prop}, {name}", "ours", *map(number, ours)))
        if printed:
            rows.append(("", "paper", *map(number, printed)))
            n_same += sum(half_up(a, 2) == half_up(b, 2) for a, b in zip(ours, printed))
pairs = [(prop, f"{a}, {b}", index, *(number(value, index) for value in duels[prop, a, b].values[index]),
          ("-", a, b)[duels[prop, a, b].better[index]]) for prop in PROPERTIES[:3] for a, b in PAIRS for index in INDICES]

job.save_page({
    "vectors": table(["property", "", *map(str, range(1, 11))], rows, 2),
    "same": f"""Of the paper's {10 * len(PRINTED)} values, one of them filled in (see the end), {n_same} are the same in the
digits printed.""",
    "claims": table(["section", "the paper says", "", "ours", ""], claims, (0, 1, 4)),
    "agree": f"""Of these {len(claims)} statements {sum(c[-1] == "agrees" for c in claims)} agree.""",
    "pairs": table(["property", "tables", "index", "", "", "better"], pairs, (0, 1, 2, 5)),
    "combinations": table(["combination", "T3a, T3b", "T3a, T4", "T3b, T4", "ranking (wins)"], verdicts, 5),
})
