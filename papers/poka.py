#!/usr/bin/env python3
"""Writes docs/papers/poka.md: POkA's walk beside our exact search, both measured by every scheme there is.

Made from the Adult table, or from the built-in census where Adult is not at hand; the page then says so.
"""
import os
import subprocess

from paper import ADULT, Axis, Job, Picture, count, first_quasis, is_on, mean, percent, plan_with, table, two_digits, values_of

LOSSES = ("glm", "dcn", "cm")
WIDTH, HEIGHT, LEFT, RIGHT, TOP, BOTTOM = 760, 440, 98, 24, 40, 46
GRAIN = 3  # schemes nearer than these pixels are one dot of the cloud

job = Job("poka")
adult = os.path.exists(os.path.join(ADULT, "plan-label.yaml"))
DEPTHS = range(1, 3 if job.quick else 7)
ROUNDS = 1 if job.quick else 5
QUICK = 5  # attributes of a quick run
folder, plan, labelled = ADULT, "plan.yaml", os.path.join(ADULT, "plan-label.yaml")
if not adult:  # a tenth of the census: enough for a front, and every scheme is measured many times
    folder = job.path("census")
    job.paravent("demo", "-o", folder)
    with open(os.path.join(folder, "census.csv"), "r+", encoding="utf-8") as file:
        head = file.readlines()[:3001]
        file.seek(0)
        file.truncate()
        file.writelines(head)
    labelled = plan_with(job, folder, plan, "plan-label.yaml",
                         lambda name, line: line.replace("role: sensitive", "role: label") if name == "diagnosis" else line)
plain = os.path.join(folder, plan)
if job.quick:  # every scheme is measured many times: with fewer attributes there are fewer
    plain = plan_with(job, folder, plan, "plan-quick.yaml", first_quasis(QUICK))
    labelled = plan_with(job, *os.path.split(labelled), "plan-label-quick.yaml", first_quasis(QUICK))


def front(plan, loss, method, depth=None):
    depths = ("--depth", depth) if depth else ()
    found = job.paravent("front", plan, "--objectives", f"k,{loss}", "--method", method, "--suppress", "whole-budget", *depths)
    found["share"] = found["evaluated"] / found["lattice"]["nodes"]
    return found


def common(found, truth, loss):
    return sum(is_on(p, truth["front"], ("k", loss)) for p in found["front"])


def found_of(found, truth, loss):
    return f"{common(found, truth, loss)} of {len(truth['front'])}"


def strangers(front, other, loss):
    """The k of the points of one front that are not on another."""
    return ", ".join(count(p["k"]) for p in front["front"] if not is_on(p, other["front"], ("k", loss))) or "none"


def evaluated(found):
    return f"{count(found['evaluated'])} ({percent(found['share'])})"


def default_depth(found):
    heights = found["lattice"]["heights"]
    return -(-sum(heights) // len(heights))


def trade_off(loss):
    """Everything about one loss: all schemes, the whole front, exact, and POkA at every depth (0 is its default)."""
    plan = labelled if loss == "cm" else plain
    lines = subprocess.run([job.program("nodes"), plan, "plan", loss], capture_output=True, text=True, check=True).stdout
    t = {"loss": loss, "nodes": [tuple(map(float, line.split())) for line in lines.splitlines()]}
    for method in ("exhaustive", "exact", "poka"):
        runs = [front(plan, loss, method) for _ in range(ROUNDS)]
        t[method] = runs[0]
        t[method]["best"] = min(run["seconds"] for run in runs)  # the others were disturbed
    t["depth"] = {0: t["poka"], **{d: front(plan, loss, "poka", d) for d in DEPTHS}}
    if len(t["exact"]["front"]) != len(t["exhaustive"]["front"]) or strangers(t["exact"], t["exhaustive"], loss) != "none":
        raise SystemExit("exact and exhaustive search disagree")
    return t


# --------------------------------------------------------------------------------------------------------------- pictures

def draw_front(t):
    loss, truth = t["loss"], t["exhaustive"]["front"]
    ks, losses = [k for k, _ in t["nodes"]], [v for _, v in t["nodes"]]
    least = min(v for v in losses if v > 0)
    spans = len(truth) > 2 and truth[-1][loss] > 10 * truth[1][loss]  # the first is the raw table and would decide alone
    x = Axis(min(ks), max(ks), LEFT, WIDTH - RIGHT, 16, log=True)
    y = Axis(10 ** int(len(str(int(least))) - 1) if spans else min(losses), max(losses), HEIGHT - BOTTOM, TOP, log=spans)
    picture = Picture(job, WIDTH, HEIGHT, f"{loss} against k: POkA's points over the exact front",
                      ".cloud{fill:none;stroke:$soft;stroke-width:2;opacity:.35}")
    picture.axes(x, y, "k, by its logarithm (more is better)", f"{loss}{', by its logarithm' if spans else ''} (less is better)")
    picture.key("ring", WIDTH - 330, 16, "exact front", 5)
    picture.key("ink", WIDTH - 228, 16, "POkA's points", 2.5)
    cloud = sorted({(int(x.at(k) / GRAIN), int(y.at(v) / GRAIN)) for k, v in t["nodes"]})
    strokes = "".join(f"M{column * GRAIN} {row * GRAIN + 1}h2" for column, row in cloud)
    picture.parts.append(f'<path class="cloud" d="M{WIDTH - 116} 14h2m3 2h2m-4 3h2{strokes}"/>')
    picture.text("tick", "start", WIDTH - 102, 20, "all schemes")
    for kind, radius, points in (("ring", 5, truth), ("ink", 2.5, t["poka"]["front"])):
        for p in points:
            picture.circle(kind, x.at(p["k"]), y.at(p[loss]), radius)
    picture.save(f"poka_{loss}")


def draw_shares(name, title, below, places, curves):
    picture = Picture(job, WIDTH, HEIGHT, title)
    x = Axis(places[0], places[-1], LEFT + 20, WIDTH - RIGHT - 20, 1, fit=False)
    y = Axis(0, 1, HEIGHT - BOTTOM, TOP, 5, kind="percent")
    picture.axes(x, y, below, "share")
    for i, (kind, what, shares) in enumerate(curves):
        picture.key(f"dot {kind}", WIDTH - 250, 14 + 15 * i, what)
        picture.curve(kind, zip(places, shares), x, y)
    picture.save(name)


# ------------------------------------------------------------------------------------------------------------ experiments

trials = [trade_off(loss) for loss in LOSSES]
glm, cm = trials[0], trials[2]
sizes = {"dcn": [], "glm": []}
for n in range(2, 4 if job.quick else 9):
    few = plan_with(job, folder, plan, f"plan-{n}.yaml", first_quasis(n))
    for loss in sizes:
        sizes[loss].append((n, front(few, loss, "exact"), front(few, loss, "poka")))

for t in trials:
    draw_front(t)
draw_shares("poka_depth", "glm: schemes evaluated and points found, by depth", "depth", list(DEPTHS),
            [("one", "schemes evaluated by POkA", [glm["depth"][d]["share"] for d in DEPTHS]),
             ("two", "points of the front found by POkA",
              [common(glm["depth"][d], glm["exhaustive"], "glm") / len(glm["exhaustive"]["front"]) for d in DEPTHS])])
draw_shares("poka_attributes", "dcn: schemes evaluated, by number of attributes", "attributes", [n for n, _, _ in sizes["dcn"]],
            [("one", "schemes evaluated by POkA", [poka["share"] for _, _, poka in sizes["dcn"]]),
             ("two", "schemes evaluated by exact", [exact["share"] for _, exact, _ in sizes["dcn"]])])

# ------------------------------------------------------------------------------------------------------------------- page

values = values_of(job, plain)
attributes = table(["attribute", "values", "levels above them"],
                   [(name, values[name], height)
                    for name, height in zip(glm["exact"]["table"]["quasi"], glm["exact"]["lattice"]["heights"])])
fronts = table(["loss", "POkA found", "missed: k", "not on the front: k", "evaluated by POkA", "evaluated by exact"],
               [(t["loss"], found_of(t["poka"], t["exhaustive"], t["loss"]), strangers(t["exhaustive"], t["poka"], t["loss"]),
                 strangers(t["poka"], t["exhaustive"], t["loss"]), evaluated(t["poka"]), evaluated(t["exact"])) for t in trials])
depths = table(["depth", *(head for loss in LOSSES for head in (f"{loss}: evaluated", "found"))],
               [(d, *(cell for t in trials for cell in (evaluated(t["depth"][d]), found_of(t["depth"][d], t["exhaustive"], t["loss"]))))
                for d in DEPTHS], left=0)


def by_size(loss):
    return table(["attributes", "schemes", "depth", "evaluated by POkA", "found", "evaluated by exact"],
                 [(n, count(exact["lattice"]["nodes"]), default_depth(exact), evaluated(poka), found_of(poka, exact, loss),
                   evaluated(exact)) for n, exact, poka in sizes[loss]], left=0)


times = table(["loss", "every scheme", "POkA", "exact"],
              [(t["loss"], *(two_digits(1000 * t[m]["best"]) + " ms" for m in ("exhaustive", "poka", "exact"))) for t in trials])
origin = "This copy was made from the Adult table." if adult else """This copy was made from the built-in census, since the Adult table
was not at hand: what is said here about Adult and about the paper's numbers is not about this copy."""
budget = count(glm["exact"]["suppression"]["budget"])
job.save_page({
    "origin": f"""This page and its figures are written by `make papers`. Every number is as it was computed,
but for those that are said to be the paper's. {origin}""",
    "attributes": attributes,
    "schemes": f"""{count(glm["exact"]["table"]["rows"])} rows, of which {budget} may be suppressed; {count(len(glm["nodes"]))} schemes. For cm, which needs a label,
salary-class is the label and no longer generalized, as in the paper: {count(len(cm["nodes"]))} schemes.""",
    "fronts": fronts,
    "share": f"""POkA evaluated {percent(mean(t["poka"]["share"] for t in trials))} of the schemes on the average of the three losses; the paper says around
20%. The walk ends at its first point with k of at most 2, so that what lies below that
point is not looked for.""",
    "depth": f"""How far down POkA goes from a point before it looks up again. Its default is the mean
number of levels of a hierarchy, rounded up: here {default_depth(glm["exact"])}.""",
    "depths": depths,
    "dcn": by_size("dcn"),
    "glm": by_size("glm"),
    "times": times,
})
