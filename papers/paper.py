"""What the pages about the papers have in common: running the command, numbers and tables in Markdown, pictures in SVG.

A script is called as `poka.py BUILD OUTPUT [--quick]`: BUILD holds the command and the programs of the experiments, OUTPUT gets
NAME.md and figures/NAME_*.svg. The words of a page are written in docs/papers/NAME.md; the script makes the blocks anew that stand
there between <!-- name --> and <!-- /name -->. Quick runs use few seeds and few points: they show that a script works, and the
numbers of their page are those of a test.
"""
import argparse
import concurrent.futures
import html
import json
import math
import os
import re
import subprocess
import sys
import tempfile

PROJECT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
ADULT = os.path.join(PROJECT, "..", "shared", "data", "adult")
THREADS = 2


class Job:
    """One run of a script: where things are, and how much is to be done."""

    def __init__(self, name):
        parser = argparse.ArgumentParser(description=f"Writes {name}.md and its figures.")
        parser.add_argument("build", help="folder of the build")
        parser.add_argument("output", help="folder of the page")
        parser.add_argument("--quick", action="store_true", help="few seeds, few points: does the script work?")
        options = parser.parse_args()
        self.name, self.build, self.output, self.quick = name, options.build, options.output, options.quick
        self.made = tempfile.TemporaryDirectory()
        os.makedirs(os.path.join(self.output, "figures"), exist_ok=True)

    def path(self, name):
        """A file of this run only."""
        return os.path.join(self.made.name, name)

    def write(self, name, text):
        with open(self.path(name), "w", encoding="utf-8") as file:
            file.write(text)
        return self.path(name)

    def paravent(self, *arguments, threads=THREADS):
        """What a command answers, as --json says it."""
        call = [os.path.join(self.build, "paravent"), *map(str, arguments), "--json", "-q", "--threads", str(threads)]
        done = subprocess.run(call, capture_output=True, text=True)
        if done.returncode != 0:
            sys.exit(f"{' '.join(call)}\n{done.stderr}")
        return json.loads(done.stdout)

    def all_at_once(self, function, arguments):
        """function(*a) for every a, one thread of the processor each, in order."""
        with concurrent.futures.ThreadPoolExecutor(THREADS) as pool:
            return list(pool.map(lambda a: function(*a), arguments))

    def program(self, name):
        return os.path.join(self.build, "papers", name)

    def save(self, name, text):
        with open(os.path.join(self.output, name), "w", encoding="utf-8") as file:
            file.write(text)
        print(os.path.join(self.output, name))

    def save_page(self, blocks):
        """docs/papers/NAME.md with every block, what stands between <!-- name --> and <!-- /name -->, made anew."""
        with open(os.path.join(PROJECT, "docs", "papers", f"{self.name}.md"), encoding="utf-8") as file:
            page = file.read()
        for name, text in blocks.items():
            page, n = re.subn(f"(<!-- {name} -->\n\n).*?(\n\n<!-- /{name} -->)", lambda m: m[1] + text.strip() + m[2], page, flags=re.S)
            if n != 1:
                raise SystemExit(f"{self.name}.md has no block {name}, or several")
        self.save(f"{self.name}.md", page)


class Questions:
    """A program of the experiments that has the table in memory and answers a line with a line of JSON."""

    def __init__(self, job, program, *arguments):
        self.process = subprocess.Popen([job.program(program), *map(str, arguments)], text=True,
                                        stdin=subprocess.PIPE, stdout=subprocess.PIPE)

    def ask(self, *words):
        self.process.stdin.write(" ".join(map(str, words)) + "\n")
        self.process.stdin.flush()
        answer = self.process.stdout.readline()
        if not answer:
            sys.exit(f"no answer to: {' '.join(map(str, words))}")
        return json.loads(answer)

    def close(self):
        self.process.stdin.close()
        self.process.wait()


# ------------------------------------------------------------------------------------------------------------------ tables

def plan_with(job, folder, plan, name, change):
    """A copy of a plan in which every attribute line went through change(attribute, line); files are still found."""
    lines = []
    with open(os.path.join(folder, plan), encoding="utf-8") as file:
        for line in file:
            attribute = line.split(":")[0].strip()
            line = change(attribute, line) if "{role:" in line else line
            lines.append(line)
    for file in os.listdir(folder):
        if file.endswith(".csv") and not os.path.exists(job.path(file)):
            os.symlink(os.path.abspath(os.path.join(folder, file)), job.path(file))
    return job.write(name, "".join(lines))


def first_quasis(n):
    """For plan_with: only the first n quasi-identifiers remain, the others are left out."""
    seen = []

    def change(attribute, line):
        if "role: quasi" in line:
            seen.append(attribute)
        return line if "role: quasi" not in line or len(seen) <= n else ""
    return change


def values_of(job, plan):
    """How many values each quasi-identifier has."""
    attributes = job.paravent("inspect", plan)["exposure"]["attributes"]
    return {a["attribute"]: a["combinations"] for a in attributes}


def is_on(point, front, objectives):
    """Is a point on a front, by its values? What differs only in the last digits of a sum is equal."""
    return any(all(math.isclose(point[o], other[o], rel_tol=1e-12, abs_tol=1e-12) for o in objectives) for other in front)


# ----------------------------------------------------------------------------------------------------------------- numbers

def half_up(value, decimals):
    """Rounded as people do: halves away from 0."""
    return math.copysign(math.floor(abs(value) * 10 ** decimals + 0.5), value) / 10 ** decimals


def count(n):
    return f"{int(half_up(n, 0)):,}"


def short(value, decimals):
    text = f"{half_up(value, decimals):.{decimals}f}"
    return text.rstrip("0").rstrip(".") if decimals > 0 else text


def percent(share):
    """Rounding must not turn a few into none, nor nearly all into all."""
    value = share * 100
    if 0 < value < 0.01:
        return "<0.01%"
    if 99.9 < value < 100:
        return ">99.9%"
    return short(value, 2 if abs(value) < 10 else 1) + "%"


def two_digits(value, least=0.0):
    """Times have two digits: more would not be the same the next time."""
    unit = 10 ** (math.floor(math.log10(value)) - 1) if value > least else least / 10 or 1
    return f"{half_up(value / unit, 0) * unit:.6g}"


def mean(values):
    values = list(values)
    return sum(value / len(values) for value in values)


# ---------------------------------------------------------------------------------------------------------------- markdown

def table(heads, rows, left=1):
    """The first `left` columns, or those of a list, begin at the left; the others are numbers."""
    at_left = range(left) if isinstance(left, int) else left
    rule = "|" + "".join("---|" if i in at_left else "---:|" for i in range(len(heads)))
    lines = ["|" + "|".join(f" {cell} " if cell != "" else " " for cell in row) + "|" for row in (heads, *rows)]
    return "\n".join([lines[0], rule, *lines[1:]])


# ---------------------------------------------------------------------------------------------------------------- pictures

# Plain colours, not variables: many viewers of SVG know no variables.
COLOURS = {"$card": "#fff", "$ink": "#1d262c", "$soft": "#5c6870", "$rule": "#e4e1da", "$one": "#c99a6b", "$two": "#23797a",
           "$warn": "#8a5200", "$bad": "#a8261d"}
STYLE = """
text{font-family:system-ui,-apple-system,"Segoe UI",Roboto,"Helvetica Neue",Arial,sans-serif;font-variant-numeric:tabular-nums;font-size:12.5px;fill:$ink}
.tick{font-size:11px;fill:$soft}.what{fill:$soft}.grid{stroke:$rule}.axis{stroke:$soft}.paper{fill:$card}
.line{fill:none;stroke-width:2}.ring{fill:none;stroke:$two;stroke-width:2}.ink{fill:$ink}
.line.one{stroke:$one}.dot.one{fill:$one}.line.two{stroke:$two}.dot.two{fill:$two}
.line.three{stroke:$soft}.dot.three{fill:$soft}
"""


def power_below(value):
    return 10.0 ** math.floor(math.log10(value) + 1e-9)


def round_up(value):
    """The least of 1, 2, 5, 10, 20, ... that is at least the value."""
    power = power_below(value)
    return next(f * power for f in (1, 2, 5, 10) if value <= f * power * (1 + 1e-9))


def round_down(value):
    power = power_below(value)
    return max(f * power for f in (1, 2, 5) if value * (1 + 1e-9) >= f * power)


class Axis:
    """Values least..most along the places start..end of a picture. Linear axes begin at 0 unless the values are far from it."""

    def __init__(self, least, most, start, end, ticks=6, log=False, kind="number", fit=True):
        self.start, self.end, self.log, self.kind = start, end, log, kind
        if log:
            self.least, self.most = round_down(least), round_up(max(most, least * 1.01))
            self.factors = (1, 2, 5) if 3 * math.log10(self.most / self.least) <= ticks else (1,)
            return
        if not fit:
            self.least, self.most, self.step = least, most, ticks
            return
        least = 0 if 0 <= least <= most / 2 or most - least <= most * 1e-3 else least
        length = max(most - least, ticks if kind == "count" else 1e-4)
        self.step = round_up(length / ticks)
        self.least = self.step * math.floor(least / self.step + 1e-9)
        self.most = self.least + self.step * math.ceil((least + length - self.least) / self.step - 1e-9)

    def at(self, value):
        if self.log:
            share = math.log(max(value, self.least) / self.least) / math.log(self.most / self.least)
        else:
            share = (value - self.least) / (self.most - self.least)
        return self.start + (self.end - self.start) * share

    def ticks(self):
        """Powers of ten first: of labels that do not fit beside each other the later are left out."""
        if not self.log:
            return [self.least + self.step * i for i in range(round((self.most - self.least) / self.step) + 1)]
        powers = range(math.floor(math.log10(self.least) + 1e-9), math.floor(math.log10(self.most) + 1e-9) + 1)
        values = [f * 10.0 ** p for f in self.factors for p in powers]
        return [v for v in values if self.least * (1 - 1e-9) <= v <= self.most * (1 + 1e-9)]

    def label(self, value):
        if self.kind == "percent":
            return percent(value)
        if abs(value) >= 1e6:
            return short(value / 1e6, 1) + "M" if abs(value) < 1e9 else short(value / 1e9, 1) + "bn"
        if 0 < abs(value) < 1e-4:
            return f"1e{round(math.log10(value))}"
        decimals = max(0, min(6, 3 - math.floor(math.log10(abs(value))))) if abs(value) > 1e-12 else 0
        digits = short(value, decimals)
        return f"{int(digits):,}" if "." not in digits else digits


class Picture:
    """An SVG file. The classes of things are those of STYLE and of the style given, with $names for COLOURS."""

    def __init__(self, job, width, height, title, style=""):
        self.job, self.height = job, height
        style = STYLE + style
        for name, colour in COLOURS.items():
            style = style.replace(name, colour)
        self.parts = [f'<svg xmlns="http://www.w3.org/2000/svg" role="img" viewBox="0 0 {width} {height}" width="{width}" '
                      f'height="{height}"><title>{html.escape(title)}</title><style>{style}</style>',
                      f'<rect class="paper" x="0" y="0" width="{width}" height="{height}"/>']

    def line(self, kind, x1, y1, x2, y2):
        self.parts.append(f'<line class="{kind}" x1="{short(x1, 2)}" y1="{short(y1, 2)}" x2="{short(x2, 2)}" y2="{short(y2, 2)}"/>')

    def circle(self, kind, x, y, radius):
        self.parts.append(f'<circle class="{kind}" cx="{short(x, 2)}" cy="{short(y, 2)}" r="{short(radius, 2)}"/>')

    def text(self, kind, anchor, x, y, text):
        self.parts.append(f'<text class="{kind}" text-anchor="{anchor}" x="{short(x, 2)}" y="{short(y, 2)}">{html.escape(text)}</text>')

    def key(self, kind, x, y, text, radius=4):
        self.circle(kind, x, y, radius)
        self.text("tick", "start", x + 10, y + 4, text)

    def axes(self, x, y, below, above="", above_at=(10, 20)):
        """y is drawn with places from the bottom to the top."""
        for axis, upright in ((y, True), (x, False)):
            taken = []
            self.line("axis", x.start, y.start, *((x.end, y.start) if upright else (x.start, y.end)))
            for value in axis.ticks():
                at = axis.at(value)
                if abs(at - axis.start) > 0.5:
                    self.line("grid", *((x.start, at, x.end, at) if upright else (at, y.end, at, y.start)))
                label = axis.label(value)
                half = 5.5 if upright else 3.1 * len(label) + 3
                if all(abs(at - other) >= half + its for other, its in taken):
                    taken.append((at, half))
                    self.text("tick", *(("end", x.start - 7, at + 4) if upright else ("middle", at, y.start + 16)), label)
        self.text("what", "end", x.end, self.height - 8, below)
        self.text("what", "start", *above_at, above)

    def curve(self, kind, points, x, y):
        """A line with a dot at each point."""
        places = [(short(x.at(a), 2), short(y.at(b), 2)) for a, b in points]
        self.parts.append(f'<path class="line {kind}" d="M{" ".join(",".join(p) for p in places)}"/>')
        for place in places:
            self.circle(f"dot {kind}", float(place[0]), float(place[1]), 4)

    def save(self, name):
        self.job.save(f"figures/{name}.svg", "\n".join([*self.parts, "</svg>"]) + "\n")
