"""What the sweep over calls cannot show: several writers at once, disks that are really full or
read-only, signals at random moments."""
import ctypes
import fcntl
import os
import random
import shutil
import subprocess
import threading
import time

from folder import Folder, difference, look_at_release
from scenarios import LEVELS, OTHER_LEVELS, RELEASE, Scenario
from sweep import FAILED, Fault, Known, PATIENCE, Place, SIGNALS, Trial, one_line

NEW_MOUNTS = 0x00020000  # CLONE_NEWNS
PAGE = 4096
NOBODY = 65534
BUSY = "is in use by another process"
SCHEMES = (LEVELS, OTHER_LEVELS, "4,1,top,1", "3,1,4,2")


def private_mounts():
    """Mounts of our own, which end with this process; False if that is not allowed."""
    if os.geteuid() != 0 or ctypes.CDLL(None).unshare(NEW_MOUNTS) != 0:
        return False
    return not subprocess.run(["mount", "--make-rprivate", "/"], check=False,
                              stderr=subprocess.DEVNULL).returncode


# ------------------------------------------------------------------------------------------ disks


class Disk(Place):
    """A place whose `out` is a file system of its own, as large as what is on it, and a bit."""

    def __init__(self, bench, base, spare_pages, spare_files=1000):
        super().__init__(bench)
        shutil.rmtree(self.out)
        os.mkdir(self.out)
        self.mount("mount", "-t", "tmpfs", "-o", "size=16m,mode=755", "paravent-torture", self.out)
        shutil.copytree(base, self.out, symlinks=True, dirs_exist_ok=True)
        room = os.statvfs(self.out)
        pages = max(1, (room.f_blocks - room.f_bfree) * room.f_frsize // PAGE)  # 0: no limit
        inodes = room.f_files - room.f_ffree
        self.change(f"size={(pages + spare_pages) * PAGE},nr_inodes={inodes + spare_files}")

    @staticmethod
    def mount(*words):
        subprocess.run(words, check=True, stdin=subprocess.DEVNULL)

    def change(self, options):
        self.mount("mount", "-o", f"remount,{options}", self.out)

    def repair(self):
        self.change("rw,size=16m,nr_inodes=10000")

    def remove(self):
        self.mount("umount", "-l", self.out)
        super().remove()


def on_disk(bench, known, fault, disk, **more):
    """One run on that disk; True if it went through."""
    trial = Trial(bench, known, fault)
    try:
        done = disk.run(known.scenario, known.scenario.run, **more)
        trial.judge(disk, done)
        if isinstance(disk, Disk):
            disk.repair()
        else:
            os.chmod(disk.out, 0o755)
        trial.next_run(disk)
        trial.same_again(disk)
        return done[0] == 0, trial.problems
    except subprocess.TimeoutExpired:
        return False, trial.problems + ["does not end"]
    finally:
        disk.remove()


def full_disks(bench, known, step):
    """From no room at all, page by page and file by file, until there is enough."""
    fault = Fault("full", 0, error="ENOSPC")
    for spare in ("pages", "files"):
        for n in range(0, 400, step if spare == "pages" else 1):
            room = (n, 1000) if spare == "pages" else (4000, n)
            done, problems = on_disk(bench, known, fault, Disk(bench, known.base, *room))
            bench.counts["small disks"] += 1
            bench.record(known.scenario.name, f"a disk with room for {n} {spare}", problems)
            if done:
                break


def read_only(bench, known, can_mount):
    if can_mount:
        disk = Disk(bench, known.base, 1000)
        disk.change("ro")
        problems = on_disk(bench, known, Fault("dead", 0, error="EROFS"), disk)[1]
        bench.record(known.scenario.name, "a read-only disk", problems)
        bench.counts["read-only"] += 1
    place = Place(bench, known.base)
    os.chmod(place.out, 0o555)
    who = {"user": NOBODY, "group": NOBODY} if os.geteuid() == 0 else {}
    problems = on_disk(bench, known, Fault("dead", 0, error="EACCES"), place, **who)[1]
    bench.record(known.scenario.name, "a read-only folder", problems)
    bench.counts["read-only"] += 1


# ---------------------------------------------------------------------------------------- signals


def communicate(process):
    """What it says until it ends; one that does not end is killed, so that the others go on."""
    try:
        return process.communicate(timeout=PATIENCE)
    except subprocess.TimeoutExpired:
        process.kill()
        process.communicate()
        raise


def at_random(bench, known, word, chance):
    """The signal arrives at a random moment of the run."""
    place, trial = Place(bench, known.base), Trial(bench, known, Fault("signal", 0, error=word))
    try:
        command = place.command(known.scenario, known.scenario.run)
        process = subprocess.Popen(command, cwd=place.path, env=place.environment(),
                                   stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                                   stderr=subprocess.PIPE)
        time.sleep(chance * known.seconds)
        process.send_signal(trial.fault.signal_number())
        stdout, stderr = communicate(process)
        trial.judge(place, (process.returncode, stdout, stderr.decode("utf-8", "replace")))
        trial.next_run(place)
        trial.same_again(place)
    except subprocess.TimeoutExpired:
        trial.say("does not end")
    finally:
        place.remove()
    return trial.problems


def signals(bench, known, dice, n):
    for i in range(n):
        word, chance = SIGNALS[i % len(SIGNALS)], dice.random() * 1.1
        bench.counts["signals"] += 1
        bench.record(known.scenario.name, f"{word} after {chance:.2f} of its time",
                     at_random(bench, known, word, chance))


# ------------------------------------------------------------------------------------ one name, many


class Crowd:
    """Processes that write to one name, some of which are killed, and a reader who looks on."""

    def __init__(self, bench, lines, look):
        self.bench, self.look, self.problems = bench, look, []
        self.choices = [Scenario("one of many", line, force=True) for line in lines]
        self.place = Place(bench)
        self.over = threading.Event()
        self.looks = self.writers = self.kills = 0

    def say(self, problem):
        if problem not in self.problems:
            self.problems.append(problem)

    def write(self, seed):
        """Runs one of the commands after the other until time is up."""
        dice = random.Random(seed)
        while not self.over.is_set():
            scenario = dice.choice(self.choices)
            process = subprocess.Popen(self.place.command(scenario, scenario.run),
                                       cwd=self.place.path, env=self.place.environment(),
                                       stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL,
                                       stderr=subprocess.PIPE)
            self.writers += 1
            if dice.random() < 0.4:
                time.sleep(dice.random() * 0.04)
                process.kill()
                self.kills += 1
            try:
                stderr = communicate(process)[1].decode("utf-8", "replace")
            except subprocess.TimeoutExpired:
                self.say("a writer does not end")
                continue
            if process.returncode not in (0, -9) and BUSY not in stderr:
                self.say(f"a writer ends with {process.returncode}: {one_line(stderr)}")

    def read(self):
        while not self.over.is_set():
            problem = self.look(self.place.out)
            self.looks += 1
            if problem:
                self.say(f"a reader finds: {problem}")
            time.sleep(0.0005)

    def run(self, seconds, seed):
        first = self.choices[0]
        self.expect(self.place.run(first, first.run))
        threads = [threading.Thread(target=self.write, args=(seed * 10 + i,)) for i in range(3)]
        threads.append(threading.Thread(target=self.read))
        for thread in threads:
            thread.start()
        time.sleep(seconds)
        self.over.set()
        for thread in threads:
            thread.join()

    def expect(self, done):
        if done[0] != 0:
            self.say(f"alone it ends with {done[0]}: {one_line(done[2])}")

    def settle(self, known):
        """When all are gone, one run brings its result, and nothing else is left."""
        self.expect(self.place.run(known.scenario, known.scenario.again))
        look = Folder(self.place.out)
        left = look.hidden + look.stray + look.torn
        if left:
            self.say(f"at the end there is: {', '.join(left[:4])}")
        if look.state != known.new.state:
            self.say(f"at the end {difference(look.state, known.new.state)}")


def concurrent(bench, name, lines, look, rounds, seconds, seed):
    known = Known(bench, Scenario(name, lines[0]))
    if known.problems:
        return bench.record(name, "undisturbed", known.problems)
    for i in range(rounds):
        crowd = Crowd(bench, lines, look)
        try:
            crowd.run(seconds, seed * 100 + i)
            crowd.settle(known)
        finally:
            crowd.place.remove()
        bench.counts["rounds of many writers"] += 1
        bench.counts["writers"] += crowd.writers
        bench.counts["writers killed"] += crowd.kills
        bench.counts["looks of readers"] += crowd.looks
        bench.record(name, f"round {i + 1}", crowd.problems)


def name_in_use(bench, name, line):
    """A name whose lock somebody holds is refused with the words that the rounds above let pass, and
    nothing changes."""
    known = Known(bench, Scenario(name, line))
    locks = [path for call, path in known.calls if call == "open" and path.endswith(".lock")]
    problems = [] if locks else ["no lock was seen"]
    for path in locks:
        place = Place(bench, known.base)
        try:
            with open(os.path.join(place.out, path), "wb") as lock:
                fcntl.flock(lock, fcntl.LOCK_EX)
                status, _, stderr = place.run(known.scenario, known.scenario.run)
                look = Folder(place.out)
            if status != FAILED or BUSY not in stderr:
                problems.append(f"{path} is held: exit status {status}: {one_line(stderr)}")
            if look.state != known.old.state or look.hidden != [path]:
                problems.append(f"{path} is held: something changed")
        finally:
            place.remove()
    bench.record(name, "a name in use", known.problems + problems)


def look_at_pages(known):
    """A reader of independent outputs: each is whole, that of one of the runs."""
    versions = {}
    for each in known:
        for path, what in each.new.state.items():
            versions.setdefault(path, set()).add(what)

    def look(root):
        torn = [path for path, what in Folder(root).state.items()
                if what not in versions.get(path, ())]
        return f"{torn[0]} is that of no run" if torn else None

    return look


def of_many(bench, rounds, seconds, seed):
    releases = [f"{RELEASE}{levels} -o out/release.csv" for levels in SCHEMES]
    concurrent(bench, "many releases", releases,
               lambda root: look_at_release(root, "release.csv"), rounds, seconds, seed)
    name_in_use(bench, "many releases", releases[0])
    pages = [f"front in/plan.yaml --suppression {n} --html out/f.html --svg out/f.svg"
             for n in range(3)]
    look = look_at_pages([Known(bench, Scenario(f"pages {i}", line))
                          for i, line in enumerate(pages)])
    concurrent(bench, "many pages", pages, look, max(1, rounds // 2), seconds, seed)


# -------------------------------------------------------------------------------------------- all


def all_rounds(bench, known, chosen, can_mount):
    """A sample looks at a few commands only."""
    few = chosen.sample is not None
    wanted = ("release over", "disclose over", "front over", "hierarchy")
    dice = random.Random(chosen.seed)
    bench.stage("disks and signals")
    for each in known:
        if each.scenario.heavy or (few and each.scenario.name not in wanted):
            continue
        signals(bench, each, dice, 3 if few else 30)
        read_only(bench, each, can_mount)
        if can_mount:
            full_disks(bench, each, 8 if few else 1)
    bench.stage("many writers")
    if chosen.only in "many":
        of_many(bench, 2 if few else 10, 1.0 if few else 3.0, chosen.seed)
    if not can_mount:
        print("torture: no small and read-only disks: mounting is not allowed here")
