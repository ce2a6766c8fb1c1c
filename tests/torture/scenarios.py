"""What is tortured: every command that writes, over nothing and over what an earlier run left.

A command runs in a folder with `in` (its inputs) and `out`, the watched folder. {p} is the program.
"""
import glob
import os
import shutil

LEVELS, OTHER_LEVELS = "3,0,top,top", "3,1,3,1"
RELEASE = "release in/plan.yaml --require k=2 --levels "
FEW = " --prove 0 --evaluations 300"


class Scenario:
    """`run` is the command; `old` are those that made what it finds; `force` lets it overwrite."""

    def __init__(self, name, run, old=(), force=False, **more):
        self.name, self.old = name, list(old)
        self.run = run + (" --force" if force or old else "")
        self.again = run + " --force"
        self.stdout = more.get("stdout", False)  # its standard output is an output
        self.steps = more.get("steps", False)  # several results, one after the other
        self.folders = more.get("folders", ["out"])  # where it writes
        self.heavy = more.get("heavy", False)  # takes long: a sample is enough
        self.program = more.get("program", "paravent")
        self.next = more.get("next", "hierarchy in/education.csv -q -o {folder}/other.csv")
        self.words = more.get("words", "-q --threads 1")
        self.search = run.startswith(("front ", "prefer ")) or " --front" in run


def release_over(name, options, **more):
    """A release over nothing, and over one at other levels."""
    file = more.pop("file", "release.csv")
    run = f"{RELEASE}{LEVELS} -o out/{file}{options}"
    old = [f"{RELEASE}{OTHER_LEVELS} -o out/{file}{options}"]
    return [Scenario(name, run, **more), Scenario(name + " over", run, old, **more)]


def of_release():
    pick = "release in/plan.yaml --pick k={k} -o out/release.csv"
    return [
        *release_over("release", ""),
        *release_over("release gz", "", file="release.csv.gz"),
        *release_over("release zst", "", file="release.csv.zst"),
        *release_over("release row-map", " --row-map out/rows.csv"),
        Scenario("release pick over", pick.format(k=2), [pick.format(k=6)]),
        Scenario("release again", f"{RELEASE}{LEVELS} -o out/release.csv",
                 [f"{RELEASE}{LEVELS} -o out/release.csv"]),
        Scenario("release to stdout", f"{RELEASE}{LEVELS} -o -", stdout=True, folders=[]),
        Scenario("release by records over",
                 "disclose in/plan.yaml --require k=2 -o out/release.csv",
                 [f"{RELEASE}{LEVELS} -o out/release.csv"]),
        Scenario("apply", "apply in/scheme.json in/people.csv -o out/release.csv"),
        Scenario("apply over", "apply in/scheme.json in/people.csv -o out/release.csv",
                 [f"{RELEASE}{OTHER_LEVELS} -o out/release.csv"]),
    ]


def of_disclose():
    run = "disclose in/plan.yaml --require k={k} -o out/release.csv --assign out/levels.csv"
    front = "disclose in/plan.yaml --front --steps {n} --html out/f.html --svg out/f.svg"
    return [
        Scenario("disclose", run.format(k=2)),
        Scenario("disclose over", run.format(k=2), [run.format(k=4)]),
        Scenario("disclose front", front.format(n=4)),
        Scenario("disclose front over", front.format(n=4), [front.format(n=3)]),
    ]


def of_front():
    run = "front in/plan.yaml --suppression {n} --html out/f.html --svg out/f.svg --csv out/f.csv"
    apart = "front in/plan.yaml --suppression {n} --html out/a/f.html --svg out/b/f.svg"
    cuts = f"front in/plan.yaml --scheme cuts{FEW} --pick k={{k}} -o out/cuts.json --csv out/f.csv"
    return [
        Scenario("front", run.format(n=1)),
        Scenario("front over", run.format(n=1), [run.format(n=2)]),
        Scenario("front in two folders over", apart.format(n=1), [apart.format(n=2)],
                 folders=["out/a", "out/b"]),
        Scenario("front cuts over", cuts.format(k=2), [cuts.format(k=6)]),
    ]


def of_the_rest():
    prefer = f"prefer in/plan.yaml --k {{k}}{FEW} -o out/cuts.json --session out/walk.pvs"
    compare = "compare in/a.csv in/b.csv --plan in/plan.yaml --html out/compare.html{more}"
    hierarchy = "hierarchy in/plan.yaml -a {name} -o out/tree.csv"
    init = "init {file} -o out/plan.yaml"
    return [
        Scenario("prefer", prefer.format(k=2)),
        Scenario("prefer over", prefer.format(k=2), [prefer.format(k=2) + " --nwp 0.9"]),
        Scenario("compare", compare.format(more="")),
        Scenario("compare over", compare.format(more=""), [compare.format(more=" --k 2")]),
        Scenario("hierarchy", hierarchy.format(name="age"), words="-q"),
        Scenario("hierarchy over", hierarchy.format(name="age"), [hierarchy.format(name="zip")],
                 words="-q"),
        Scenario("init", init.format(file="in/people.csv"), words="-q"),
        Scenario("init over", init.format(file="in/people.csv"), [init.format(file="in/few.csv")],
                 words="-q"),
        Scenario("demo", "demo --output out/demo", steps=True, heavy=True,
                 folders=["out/demo"]),
    ]


def all_scenarios():
    return of_release() + of_disclose() + of_front() + of_the_rest()


def careless_scenarios():
    """The small program with known mistakes: (scenario, faults each of which must show it)."""

    def scenario(how, *names):
        run = {age: "".join(f" out/{name} {age * 40}" for name in names) for age in ("old", "new")}
        return Scenario(f"careless {how}", how + run["new"], ["careful" + run["old"]],
                        program="careless", words="", next="careful {folder}/other.csv other")

    return [
        (scenario("careful", "a.txt"), []),
        (scenario("in-place", "a.txt"), ["kill-before", "fail", "dead", "full", "lose-some"]),
        (scenario("unflushed", "a.txt"), ["lose-data"]),
        (scenario("unsettled", "a.txt"), ["lose-all"]),
        (scenario("unchecked", "a.txt"), ["fail", "short", "full"]),
        (scenario("untidy", "a.txt"), ["fail", "full"]),
        (scenario("one-by-one", "a.txt", "b.txt"), ["kill-before", "fail", "lose-all"]),
        (scenario("silent", "a.txt"), ["fail", "dead", "full"]),
    ]


def prepare_inputs(source, folder, run):
    """The inputs of all scenarios; `run` runs the program there."""
    for name in ("people.csv", "plan.yaml", "education.csv"):
        shutil.copy(os.path.join(source, "tests/cli/data", name), folder)
    with open(os.path.join(folder, "people.csv"), encoding="utf-8") as file:
        lines = file.readlines()
    with open(os.path.join(folder, "few.csv"), "w", encoding="utf-8") as file:
        file.writelines(lines[:15])
    run(f"release plan.yaml --levels {LEVELS} --require k=2 -o a.csv --keep-order")
    run(f"release plan.yaml --levels {OTHER_LEVELS} --require k=2 -o b.csv --keep-order")
    scheme = glob.glob(os.path.join(folder, "a.papers-*/a.scheme.json"))[0]
    shutil.copy(scheme, os.path.join(folder, "scheme.json"))
