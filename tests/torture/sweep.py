"""Every call that changes files, disturbed in every way that makes sense, each in a fresh folder."""
import errno
import os
import shutil
import signal
import subprocess
import tempfile
import threading
import time

from folder import Folder, difference, is_hidden, mixed

PATIENCE = 120  # seconds for one run
FAILED = 1  # the exit status of a command that could not write
INTERRUPTED = 130

WRITES = ("EIO", "ENOSPC", "EDQUOT")
NAMES = ("EACCES", "EROFS", "ENOSPC", "EDQUOT", "EIO")
ERRORS = {
    "open": NAMES + ("EMFILE",),
    "mkdir": NAMES,
    "symlink": NAMES,
    "link": NAMES + ("EPERM", "EMLINK"),
    "rename": NAMES + ("EINVAL",),
    "unlink": ("EACCES", "EROFS", "EIO", "EBUSY"),
    "rmdir": ("EACCES", "EROFS", "EIO", "EBUSY"),
    "chmod": ("EPERM", "EROFS", "EIO"),
    "fchmod": ("EPERM", "EROFS", "EIO"),
}
REMOVALS = ("unlink", "rmdir")
SIGNALS = ("SIGTERM", "SIGINT", "SIGHUP")
# One bit for each folder by where it was met: of any two of the first four, each is flushed by
# chance without the other.
SEEDS = (0x5555555555555555, 0xAAAAAAAAAAAAAAAA, 0x3333333333333333, 0xCCCCCCCCCCCCCCCC)
# Of the run after: (kind, error, seed). Of two folders, one or the other is flushed by chance.
SECONDS = (("kill-before", "", 0), ("lose-all", "", 0), ("fail", "EIO", 0),
           ("lose-some", "", SEEDS[0]), ("lose-some", "", SEEDS[1]))


class Fault:
    """What to do at which call. It is `live` if the process can still put things right, `stuck` if
    it lives on but nothing works any more, otherwise the process is gone."""

    def __init__(self, kind, at, name="", error="", number=0, backwards=False):
        self.kind, self.at, self.name, self.error, self.number = kind, at, name, error, number
        self.backwards = backwards  # the next run lists folders in the opposite order
        self.live = kind in ("fail", "short", "full", "signal", "none")
        self.stuck = kind == "dead"

    def environment(self):
        code = getattr(errno, self.error) if self.error.startswith("E") else 0
        number = self.signal_number() if self.error.startswith("SIG") else 0
        return {
            "TORTURE_DO": "count" if self.kind == "none" else self.kind,
            "TORTURE_AT": str(self.at),
            "TORTURE_ERRNO": str(code),
            "TORTURE_SIGNAL": str(number),
            "TORTURE_SEED": str(self.number),
        }

    def signal_number(self):
        return int(getattr(signal, self.error))

    def __str__(self):
        where = f"call {self.at} ({self.name})" if self.at else "the end"
        order = ", backwards" if self.backwards else ""
        return f"{self.kind}{' ' + self.error if self.error else ''} at {where}{order}"


def faults_at(at, name, last):
    """All that can happen at one call."""
    writes = "write" in name
    for error in ERRORS.get(name, WRITES):
        yield Fault("fail", at, name, error)
    for error in ("EIO", "EROFS"):
        yield Fault("dead", at, name, error)
    yield Fault("full", at, name, "ENOSPC")
    if writes:
        yield Fault("short", at, name)
    for backwards in (False, True):
        yield Fault("kill-before", at, name, backwards=backwards)
        yield Fault("lose-all", at, name, backwards=backwards)
    if last:
        yield Fault("kill-after", at, name)
    yield Fault("lose-data", at, name)
    for seed in SEEDS:
        yield Fault("lose-some", at, name, number=seed)
    # A folder that is emptied backwards loses its list of hashes last: until then it counts as papers.
    yield Fault("lose-some", at, name, number=SEEDS[3], backwards=True)
    for number in SIGNALS:
        yield Fault("signal", at, name, number)


def faults_of(calls):
    """All that can happen to a run that makes these calls."""
    for at, (name, _) in enumerate(calls, 1):
        yield from faults_at(at, name, at == len(calls))
    for kind in ("lose-data", "lose-all"):
        yield Fault(kind, 0)


class Place:
    """A folder in which a scenario runs: `in`, `out`, and what the shim needs."""

    numbers = iter(range(1 << 30))
    lock = threading.Lock()

    def __init__(self, bench, base=None):
        with Place.lock:
            self.path = os.path.join(bench.scratch, f"run{next(Place.numbers)}")
        self.bench = bench
        os.mkdir(self.path)
        os.symlink(bench.inputs, os.path.join(self.path, "in"))
        self.out, self.side = os.path.join(self.path, "out"), os.path.join(self.path, "side")
        self.log = os.path.join(self.path, "log")
        if base:
            shutil.copytree(base, self.out, symlinks=True)
        else:
            for folder in ("out", "out/tmp", "out/a", "out/b"):
                os.mkdir(os.path.join(self.path, folder))

    def command(self, scenario, line):
        return [self.bench.programs[scenario.program], *line.split(), *scenario.words.split()]

    def environment(self, fault=None):
        """`out/tmp` is watched, too: what is to be printed is kept there until it is verified."""
        keep = {name: os.environ[name] for name in ("PATH", "HOME") if name in os.environ}
        keep.update(LC_ALL="C.UTF-8", TMPDIR=os.path.join(self.out, "tmp"))
        if fault and fault.backwards:
            keep.update(TORTURE_BACKWARDS="1")
        if fault:
            keep.update(fault.environment(), LD_PRELOAD=self.bench.shim, TORTURE_ROOT=self.out)
            keep.update(TORTURE_SIDE=self.side, TORTURE_LOG=self.log)
        return keep

    def run(self, scenario, line, fault=None, **more):
        """(exit status or minus the signal, standard output, standard error)"""
        shutil.rmtree(self.side, ignore_errors=True)
        os.mkdir(self.side)
        done = subprocess.run(self.command(scenario, line), cwd=self.path, capture_output=True,
                              env=self.environment(fault), timeout=PATIENCE, check=False,
                              stdin=subprocess.DEVNULL, **more)
        return done.returncode, done.stdout, done.stderr.decode("utf-8", "replace")

    def calls(self):
        """(name, path) of the calls that were counted."""
        try:
            with open(self.log, encoding="utf-8", errors="replace") as file:
                lines = [line.rstrip("\n").split(" ", 2) for line in file]
        except FileNotFoundError:
            return []
        return [(name, os.path.relpath(path, self.out)) for _, name, path in lines]

    def remove(self):
        shutil.rmtree(self.path, ignore_errors=True)


class Known:
    """A scenario with its old and its new state and the calls between them."""

    def __init__(self, bench, scenario):
        self.scenario, self.problems = scenario, []
        before, after = Place(bench), None
        try:
            for line in scenario.old:
                self.expect(before.run(scenario, line), "before")
            self.base = os.path.join(tempfile.mkdtemp(prefix="base", dir=bench.scratch), "out")
            shutil.copytree(before.out, self.base, symlinks=True)
            self.old = Folder(before.out)
            after = Place(bench, self.base)
            started = time.monotonic()
            done = after.run(scenario, scenario.run, Fault("none", 0))
            self.seconds = time.monotonic() - started
            self.expect(done, "undisturbed")
            self.new, self.stdout = Folder(after.out), done[1]
            self.calls = after.calls()
            self.check_undisturbed()
        finally:
            before.remove()
            if after:
                after.remove()

    def expect(self, done, when):
        if done[0] != 0:
            self.problems.append(f"{when}: exit status {done[0]}: {done[2].strip()[:300]}")

    def check_undisturbed(self):
        for when, look in (("before", self.old), ("undisturbed", self.new)):
            left = look.hidden + look.stray + look.torn
            if left:
                self.problems.append(f"{when}: left behind: {', '.join(left[:4])}")
        if not self.calls:
            self.problems.append("undisturbed: no call was seen")


def one_line(text):
    return " | ".join(text.strip().splitlines())[:200]


class Trial:
    """One run with one fault, the next run after it, and the same command again."""

    def __init__(self, bench, known, fault):
        self.bench, self.known, self.fault = bench, known, fault
        self.scenario = known.scenario
        self.states = [known.old.state, known.new.state]
        self.problems = []

    def say(self, text):
        self.problems.append(text)

    def run(self):
        place = Place(self.bench, self.known.base)
        try:
            done = place.run(self.scenario, self.scenario.run, self.fault)
            self.judge(place, done)
            self.next_run(place)
            self.same_again(place)
        except subprocess.TimeoutExpired:
            self.say("does not end")
        finally:
            place.remove()
        return self.problems

    def judge(self, place, done):
        status, stdout, stderr = done
        look = Folder(place.out)
        calls = place.calls()
        if self.fault.at > len(calls):
            return self.say("the call was not reached")
        self.name_of_call = calls[self.fault.at - 1] if self.fault.at else ("", "")
        self.judge_status(status, stderr)
        self.judge_sessions(look)
        if look.torn:
            self.say(f"torn papers: {look.torn[0]}")
        if self.is_so_far(status, look):
            self.states.append(look.state)
        is_new = look.state == self.known.new.state
        if status == 0 and not is_new:
            self.say(f"says it is done, but {difference(look.state, self.known.new.state)}")
        elif status == 0 and self.scenario.stdout and stdout != self.known.stdout:
            self.say("says it is done, but did not print it all")
        elif look.state not in self.states and not self.may_be_mixed(look):
            self.say(f"neither old nor new: {difference(look.state, self.known.old.state)}")
        self.judge_leftovers(look)

    def is_so_far(self, status, look):
        """An interrupted search writes what it has found so far, all of it."""
        return (self.scenario.search and self.fault.kind == "signal" and status == INTERRUPTED
                and look.state.keys() == self.known.new.state.keys())

    def may_be_mixed(self, look):
        """Independent outputs of a process that is gone, and the steps of a demo, may be some old,
        some new; a release never is."""
        gone = not self.fault.live
        parts = mixed(look.state, self.known.old.state, self.known.new.state)
        return (gone or self.scenario.steps) and not parts and not self.half_release(look)

    def half_release(self, look):
        """A table and its papers come together; a demo has two of them."""
        old, new = self.known.old.state, self.known.new.state

        def of_release(state, stem):
            return {name: what for name, what in state.items()
                    if name.startswith(stem + ".papers") or name.split(".csv")[0] == stem}

        stems = {name.split(".papers")[0] for state in (look.state, old, new)
                 for name in state if ".papers" in name}
        return any(of_release(look.state, stem) not in (of_release(old, stem), of_release(new, stem))
                   for stem in stems)

    def judge_status(self, status, stderr):
        fault = self.fault
        if "Sanitizer" in stderr or "runtime error" in stderr or "torture:" in stderr:
            self.say(f"complains: {one_line(stderr)}")
        if fault.kind == "signal":
            number = fault.signal_number()
            early = (-number,) if fault.at == 0 else ()  # before anyone could listen
            if status not in (0, INTERRUPTED, 128 + number, *early):
                self.say(f"exit status {status} after {fault.error}")
        elif not fault.live and not fault.stuck and fault.at:
            if status != -signal.SIGKILL:
                self.say(f"exit status {status} of a killed process: {one_line(stderr)}")
        elif status not in (0, FAILED):
            self.say(f"exit status {status}: {one_line(stderr)}")
        elif status == FAILED:
            self.judge_message(stderr)

    def judge_message(self, stderr):
        """Says which file and why. SQLite has its own words."""
        error = "ENOSPC" if self.fault.kind == "full" else self.fault.error
        words = [os.strerror(getattr(errno, error))] if error else []
        if ".pvs" in self.name_of_call[1] or self.known.new.sessions:
            words += ["disk", "full", "I/O", "read-only", "readonly", "open"]
        if not any(word in stderr for word in words):
            self.say(f"does not say why: {one_line(stderr)}")
        names = {os.path.basename(name) for name in {**self.known.old.state, **self.known.new.state}}
        if self.scenario.folders and not any(name in stderr for name in names):
            self.say(f"names no file: {one_line(stderr)}")

    def judge_sessions(self, look):
        for name, steps in look.sessions.items():
            before = self.known.old.sessions.get(name, [])
            if isinstance(steps, str):
                self.say(f"{name}: {steps}")
            elif steps[: len(before)] != before:
                self.say(f"{name}: steps are gone")

    def judge_leftovers(self, look):
        """A process that lives cleans up, unless it was cleaning up that failed."""
        left = look.hidden + look.stray
        name, path = self.name_of_call
        cleaning = name in REMOVALS or (name == "rename" and is_hidden(path))
        if left and self.fault.live and not cleaning:
            self.say(f"left behind: {', '.join(left[:4])}")

    def next_run(self, place):
        """Whoever writes there next finds and removes what a dead process left."""
        for folder in self.scenario.folders:
            if not os.path.isdir(os.path.join(place.path, folder)):
                continue
            status, _, stderr = place.run(self.plain(), self.scenario.next.format(folder=folder),
                                          Fault("none", 0, backwards=self.fault.backwards))
            if status != 0:
                return self.say(f"the next run fails: {one_line(stderr)}")
            os.remove(os.path.join(place.path, folder, "other.csv"))
        look = Folder(place.out)
        left = look.hidden + look.stray + look.torn
        if left and self.scenario.folders:
            self.say(f"after the next run there is: {', '.join(left[:4])}")
        if look.state not in self.states and not self.scenario.steps:
            words = difference(look.state, self.known.old.state)
            self.say(f"after the next run neither old nor new: {words}")

    def plain(self):
        """The next run is another command, which need not know this one's options."""
        plain = type(self.scenario).__new__(type(self.scenario))
        plain.__dict__.update(self.scenario.__dict__, words="")
        return plain

    def same_again(self, place):
        status, stdout, stderr = place.run(self.scenario, self.scenario.again)
        look = Folder(place.out)
        left = look.hidden + look.stray + look.torn
        if status != 0:
            self.say(f"the same again fails: {one_line(stderr)}")
        elif look.state != self.known.new.state:
            self.say(f"the same again: {difference(look.state, self.known.new.state)}")
        elif self.scenario.stdout and stdout != self.known.stdout:
            self.say("the same again prints something else")
        elif left:
            self.say(f"after the same again there is: {', '.join(left[:4])}")
        self.judge_sessions(look)


class SecondTrial(Trial):
    """The run that would bring a dead one's work to an end is disturbed, too."""

    def __init__(self, bench, known, fault, second):
        super().__init__(bench, known, fault)
        self.second, self.reached = second, False

    def run(self):
        place = Place(self.bench, self.known.base)
        try:
            place.run(self.scenario, self.scenario.run, self.fault)
            if os.path.exists(place.log):
                os.remove(place.log)
            self.disturbed_run(place)
            self.next_run(place)
            self.same_again(place)
        except subprocess.TimeoutExpired:
            self.say("does not end")
        finally:
            place.remove()
        return self.problems

    def disturbed_run(self, place):
        folder = self.scenario.folders[0]
        other = os.path.join(place.path, folder, "other.csv")
        status, _, stderr = place.run(self.plain(), self.scenario.next.format(folder=folder),
                                      self.second)
        calls = place.calls()
        writes = [name == "open" and path.endswith(".tmp") for name, path in calls]
        self.reached = len(calls) >= self.second.at and True not in writes[: self.second.at]
        if os.path.exists(other):
            os.remove(other)
        look = Folder(place.out)
        self.judge_sessions(look)
        if self.reached and self.second.live and status not in (0, FAILED):
            self.say(f"the next run ends with {status}: {one_line(stderr)}")
        if look.torn:
            self.say(f"the next run tears papers: {look.torn[0]}")
        if look.state not in self.states and not self.may_be_mixed(look):
            self.say(f"the next run makes: {difference(look.state, self.known.old.state)}")


def second_faults(bench, known, fault, step):
    """After one fault, one at each call of the next run until it begins to write its own output:
    [(what, problems)]."""
    tried = []
    for kind, error, seed in SECONDS:
        for at in range(1, 1000, step):
            trial = SecondTrial(bench, known, fault, Fault(kind, at, "next run", error, seed))
            problems = trial.run()
            if not trial.reached:
                break
            tried.append((f"{fault}, then {trial.second}", problems))
    return tried


def first_faults(known):
    """Deaths at calls that change names, once there is a journal to be brought to an end."""
    begun = False
    for at, (name, path) in enumerate(known.calls, 1):
        begun = begun or path.endswith(".journal")
        if begun and name in ("rename", "link", "unlink", "rmdir"):
            for kind in ("kill-before", "lose-all"):
                yield Fault(kind, at, name, backwards=at % 2 == 0)
