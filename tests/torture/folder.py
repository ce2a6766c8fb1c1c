"""What a folder holds, and what a reader finds in it.

A state is a dictionary from visible paths to what is there: the mode and the hash of each file, the
mode of each folder. Names that begin with .paravent- belong to the program and are kept apart; so
are folders of papers that belong to no table that is there: both may stay behind when a process
dies, until the next run that writes in that folder."""
import hashlib
import os
import re
import shutil
import sqlite3
import tempfile

HIDDEN = ".paravent-"
PAPERS = re.compile(r"^(.*)\.papers-([0-9a-f]{8,64})$")
SESSION = ".pvs"
JOURNAL = SESSION + "-journal"


def sha256(path):
    with open(path, "rb") as file:
        return hashlib.sha256(file.read()).hexdigest()


def is_hidden(path):
    return any(part.startswith(HIDDEN) for part in path.split("/"))


def walk(root):
    """All paths below, folders before what is in them."""
    for folder, folders, files in os.walk(root):
        folders.sort()
        for name in sorted(folders + files):
            path = os.path.join(folder, name)
            yield os.path.relpath(path, root), path


def sums_of(papers):
    """The lines of SHA256SUMS as (hash, path from the folder of papers), None if there are none."""
    try:
        with open(os.path.join(papers, "SHA256SUMS"), encoding="utf-8") as file:
            lines = file.read().splitlines()
    except OSError:
        return None
    pairs = [re.fullmatch(r"([0-9a-f]{64}) [ *](.+)", line) for line in lines]
    if not pairs or not all(pairs):
        return None
    return [(match[1], match[2]) for match in pairs]


def table_of(papers):
    """The table that these papers are about: (path, hash), None if they do not say."""
    sums = sums_of(papers)
    if not sums or not sums[0][1].startswith("../"):
        return None
    return os.path.normpath(os.path.join(papers, sums[0][1])), sums[0][0]


def papers_problem(papers):
    """Why these papers and their table are not whole; None if they are."""
    sums = sums_of(papers)
    if sums is None:
        return "no list of hashes"
    for digest, name in sums:
        try:
            if sha256(os.path.join(papers, name)) != digest:
                return f"{name} is not the listed one"
        except OSError:
            return f"{name} is missing"
    listed = {name for _, name in sums} | {"SHA256SUMS"}
    try:
        extra = sorted(set(os.listdir(papers)) - listed)
    except FileNotFoundError:
        return "the folder is missing"
    return f"not listed: {', '.join(extra)}" if extra else None


class Folder:
    """A look at a folder: `state`, `hidden` names, `stray` papers, and `torn` ones."""

    def __init__(self, root):
        self.state, self.hidden, self.stray, self.torn = {}, [], [], []
        self.sessions = {}
        renamed = self.find_papers(root)
        for name, path in walk(root):
            if is_hidden(name):
                self.hidden.append(name)
            elif name.endswith(JOURNAL):
                pass
            elif name.endswith(SESSION):
                self.sessions[name] = read_session(path)
            else:
                self.add(name, path, renamed)

    def find_papers(self, root):
        """The papers of a table are known by the table, not by the digits of their folder."""
        renamed, served = {}, set()
        for name, path in walk(root):
            match = PAPERS.match(name)
            if not match or is_hidden(name) or not os.path.isdir(path):
                continue
            about = table_of(path)
            present = about and os.path.isfile(about[0]) and sha256(about[0]) == about[1]
            problem = papers_problem(path) if present else None
            if problem:
                self.torn.append(f"{name}: {problem}")
            if present and not problem and about[0] not in served:
                served.add(about[0])
                renamed[name] = f"{match[1]}.papers"
            else:
                self.stray.append(name)
        return renamed

    def add(self, name, path, renamed):
        first = name.split("/")
        for depth in range(len(first), 0, -1):
            prefix = "/".join(first[:depth])
            if prefix in self.stray:
                return
            if prefix in renamed:
                name = renamed[prefix] + name[len(prefix) :]
        mode = oct(os.lstat(path).st_mode)
        content = "folder" if os.path.isdir(path) else sha256(path)
        self.state[name] = (mode, content)


def read_session(path):
    """The steps of a session as it would be opened next, in a copy; a text if it is damaged."""
    with tempfile.TemporaryDirectory() as copy:
        for ending in ("", "-journal"):
            if os.path.exists(path + ending):
                shutil.copy(path + ending, os.path.join(copy, "s.pvs" + ending))
        try:
            with sqlite3.connect(os.path.join(copy, "s.pvs")) as base:
                if base.execute("PRAGMA integrity_check").fetchone() != ("ok",):
                    return "damaged"
                tables = {row[0] for row in base.execute("SELECT name FROM sqlite_master")}
                if "steps" not in tables:
                    return []
                return base.execute("SELECT id, kind, k, scheme FROM steps ORDER BY id").fetchall()
        except sqlite3.Error as error:
            return f"damaged: {error}"


def difference(state, other):
    """In a few words, what `state` has otherwise than `other`."""
    words = []
    for name in sorted(set(state) | set(other)):
        if name not in state:
            words.append(f"{name} is missing")
        elif name not in other:
            words.append(f"{name} is there")
        elif state[name] != other[name]:
            same = state[name][1] == other[name][1]
            words.append(f"{name} has another {'mode' if same else 'content'}")
    return "; ".join(words[:2]) + (f"; {len(words) - 2} more" if len(words) > 2 else "")


def mixed(state, old, new):
    """Files that are neither their old nor their new version."""
    return [
        name
        for name in sorted(set(state) | set(old))
        if state.get(name) not in (old.get(name), new.get(name))
    ]


def look_at_release(root, table):
    """A reader's look: None, or what is wrong. Retries when the release was replaced meanwhile."""
    path = os.path.join(root, table)
    problem = None
    for _ in range(200):
        try:
            with open(path, "rb") as file:
                before = os.fstat(file.fileno())
                digest = hashlib.sha256(file.read()).hexdigest()
        except FileNotFoundError:
            return f"{table} is missing"
        problem = papers_for(root, path, digest)
        if problem is None:
            return None
        if os.path.exists(path) and os.path.samestat(before, os.stat(path)):
            return problem
    return f"never at rest: {problem}"


def papers_for(root, table, digest):
    problem = "no papers belong to the table"
    for name in sorted(os.listdir(root)):
        papers = os.path.join(root, name)
        if PAPERS.match(name) and table_of(papers) == (table, digest):
            problem = papers_problem(papers)
            if problem is None:
                return None
    return problem
