"""torture.py --build FOLDER [--sample N] [--only WORD] [--jobs N]: disturbs everything that the
command does to files, and looks at what is left. See docs/torture.md."""
import argparse
import collections
import concurrent.futures
import os
import shutil
import subprocess
import sys
import tempfile
import time

import rounds
from scenarios import all_scenarios, careless_scenarios, prepare_inputs
from sweep import Known, Trial, faults_of, first_faults, second_faults

KINDS = {
    "fail": "failed calls", "short": "short writes", "full": "full disks", "dead": "dead disks",
    "kill-before": "kills", "kill-after": "kills", "signal": "signals",
    "lose-data": "power losses", "lose-all": "power losses", "lose-some": "power losses",
}


class Bench:
    """What all trials share. Scratch is in memory where that is possible: thousands of small folders
    are made and removed, and whether a flush reaches a real disk is not the question."""

    def __init__(self, build, scratch):
        self.scratch = scratch
        self.shim = os.path.join(build, "tests/torture/torture_shim.so")
        self.programs = {"paravent": os.path.join(scratch, "paravent"),
                         "careless": os.path.join(build, "tests/torture/careless")}
        shutil.copy(os.path.join(build, "paravent"), scratch)  # nobody may run it there
        self.inputs = os.path.join(scratch, "inputs")
        os.mkdir(self.inputs)
        self.started = time.monotonic()
        self.counts = collections.Counter()
        self.passed, self.failures = 0, collections.defaultdict(list)

    def prepare(self):
        source = os.path.join(os.path.dirname(os.path.abspath(__file__)), "../..")

        def run(line):
            subprocess.run([self.programs["paravent"], *line.split(), "-q"], check=True,
                           cwd=self.inputs, stdin=subprocess.DEVNULL)

        prepare_inputs(source, self.inputs, run)

    def stage(self, name):
        """Says where it is, for those who wait."""
        failed = sum(map(len, self.failures.values()))
        seconds = time.monotonic() - self.started
        print(f"{seconds:6.0f} s  {self.passed} passed, {failed} failed; {name}", file=sys.stderr,
              flush=True)

    def record(self, name, what, problems):
        """One thing tried: it holds, or this is wrong, which is said at once: a sweep takes long, and
        what was found must not depend on its being waited for."""
        if problems:
            self.failures[name].append((str(what), problems))
            print(f"FAILED  {name}: {what}: {'; '.join(problems)}", flush=True)
        else:
            self.passed += 1


def spread(things, n, start=0.5):
    """About n of them, spread by the golden ratio: no pattern of the list meets that of the steps."""
    if n is None or n >= len(things):
        return things
    places = {int((i * 0.6180339887498949 + start) % 1 * len(things)) for i in range(n)}
    return [things[place] for place in sorted(places)]


def as_they_end(pool, work, things):
    """(thing, what work made of it), as soon as it is there."""
    futures = {pool.submit(work, thing): thing for thing in things}
    for future in concurrent.futures.as_completed(futures):
        yield futures[future], future.result()


def know(bench, scenarios, pool):
    """The scenarios whose undisturbed run is as it should be, with all that is to be known of them."""
    known = list(pool.map(lambda scenario: Known(bench, scenario), scenarios))
    for each in known:
        bench.record(each.scenario.name, "undisturbed", each.problems)
    return [each for each in known if not each.problems]


def sweep(bench, known, sample, pool):
    """Faults of all scenarios; a sample takes about that many of all together."""
    bench.counts["calls"] += sum(len(each.calls) for each in known)
    trials = []
    for i, each in enumerate(known):
        faults = list(faults_of(each.calls))
        share = sample // len(known) if sample else None
        if each.scenario.heavy:
            share = 2 if sample else len(faults) // 20
        trials += [(each, fault) for fault in spread(faults, share, i / len(known))]

    def attempt(pair):
        return Trial(bench, *pair).run()

    for (each, fault), problems in as_they_end(pool, attempt, trials):
        bench.counts[KINDS[fault.kind]] += 1
        bench.record(each.scenario.name, fault, problems)


def sweep_twice(bench, knowns, sample, pool):
    """What brings an interrupted commit to an end is interrupted itself."""
    names = ("release over", "release again", "disclose", "disclose over", "front over",
             "front in two folders over")
    tasks = []
    for known in [each for each in knowns if each.scenario.name in names]:
        firsts = list(first_faults(known))
        tasks += [(known, fault) for fault in spread(firsts, 2 if sample else None)]

    def attempt(task):
        return second_faults(bench, *task, 5 if sample else 1)

    for (known, _), tried in as_they_end(pool, attempt, tasks):
        for what, problems in tried:
            bench.counts["faults of the run after"] += 1
            bench.record(known.scenario.name, what, problems)


def check_itself(bench, pool):
    """Every known mistake must be found, by every kind of fault that shows it; none elsewhere."""
    for scenario, kinds in careless_scenarios():
        known = Known(bench, scenario)
        found = collections.defaultdict(list)
        faults = [fault for fault in faults_of(known.calls) if fault.kind != "signal"]
        for fault, problems in zip(faults, pool.map(lambda f: Trial(bench, known, f).run(), faults)):
            if problems:
                found[fault.kind].append(f"{fault}: {'; '.join(problems)}")
        missed = [f"not found by {kind}" for kind in kinds if not found[kind]]
        wrong = [] if kinds else [said[0] for said in found.values()]
        bench.counts["known mistakes"] += bool(kinds)
        bench.record(scenario.name, "self-test", known.problems + missed + wrong)


def report(bench):
    for name, failures in bench.failures.items():
        print(f"\n{name}: {len(failures)} failed")
        for what, problems in failures:
            print(f"  {what}: {'; '.join(problems)}")
    print("\n" + ", ".join(f"{n} {what}" for what, n in bench.counts.items())
          + f" ({time.monotonic() - bench.started:.0f} s)")
    failed = sum(map(len, bench.failures.values()))
    print(f"{bench.passed} passed, {failed} failed")
    return failed


def options():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--build", required=True, help="the build folder")
    parser.add_argument("--sample", type=int, help="about so many faults (default: all)")
    parser.add_argument("--only", default="", help="only what has this word in its name")
    parser.add_argument("--jobs", type=int, default=os.cpu_count() or 2)
    parser.add_argument("--seed", type=int, default=1, help="of the random moments")
    return parser.parse_args()


def main():
    chosen = options()
    memory = "/dev/shm" if os.access("/dev/shm", os.W_OK) else None
    with tempfile.TemporaryDirectory(prefix="paravent-torture-", dir=memory) as scratch:
        os.chmod(scratch, 0o755)
        bench = Bench(os.path.abspath(chosen.build), os.path.realpath(scratch))
        can_mount = rounds.private_mounts()
        bench.prepare()
        wanted = [each for each in all_scenarios() if chosen.only in each.name]
        with concurrent.futures.ThreadPoolExecutor(chosen.jobs) as pool:
            if chosen.only in "careless":
                bench.stage("known mistakes")
                check_itself(bench, pool)
            known = know(bench, wanted, pool)
            bench.stage("every call")
            sweep(bench, known, chosen.sample, pool)
            bench.stage("the run after")
            sweep_twice(bench, known, chosen.sample, pool)
            rounds.all_rounds(bench, known, chosen, can_mount)
        return 1 if report(bench) else 0


if __name__ == "__main__":
    sys.exit(main())
