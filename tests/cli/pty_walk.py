"""pty_walk.py [TYPED EXPECTED]... -- COMMAND...: a conversation through a pseudo-terminal.

For each pair types the text and Enter (^C and ^D are the keys, ^P is the line before and Enter,
"" is nothing) and waits until EXPECTED, a regular expression, is on the screen. Shows the screen
without control sequences and ends with the exit status of the command, or with 99 if something did
not come in time."""
import os
import pty
import re
import select
import signal
import sys
import time

PATIENCE = 60  # seconds for each answer: sanitizers are slow
PAUSE = 0.3  # seconds before typing: a prompt is shown before the keys are listened to
KEYS = {"^C": b"\x03", "^D": b"\x04", "^P": b"\x10\n", "": b""}
CONTROL = re.compile(r"\x1b\[[0-9;?]*[A-Za-z]|\x1b[=>]|\r|\x07")


class Screen:
    def __init__(self, terminal):
        self.terminal = terminal
        self.raw = b""
        self.seen = 0

    def text(self):
        return CONTROL.sub("", self.raw.decode("utf-8", "replace"))

    def read(self, seconds):
        """False if the other side has ended."""
        if not select.select([self.terminal], [], [], seconds)[0]:
            return True
        try:
            new = os.read(self.terminal, 65536)
        except OSError:  # how Linux says that nobody holds the other side
            return False
        self.raw += new
        return new != b""

    def wait_for(self, expected):
        """Only what came after the last match counts."""
        until = time.monotonic() + PATIENCE
        alive = True
        while True:
            match = re.compile(expected, re.MULTILINE).search(self.text(), self.seen)
            if match:
                self.seen = match.end()
                return True
            if not alive or time.monotonic() > until:
                return False
            alive = self.read(0.1)


def talk(screen, pairs):
    for typed, expected in pairs:
        time.sleep(PAUSE)
        os.write(screen.terminal, KEYS.get(typed, typed.encode() + b"\n"))
        if not screen.wait_for(expected):
            print(f"after {typed!r} this did not appear: {expected}", file=sys.stderr)
            return False
    return True


def status_of(process, screen):
    until = time.monotonic() + PATIENCE
    while time.monotonic() < until and screen.read(0.1):
        pass
    while time.monotonic() < until:
        ended, status = os.waitpid(process, os.WNOHANG)
        if ended:
            return os.waitstatus_to_exitcode(status) % 256
        time.sleep(0.01)
    return None


def main():
    split = sys.argv.index("--")
    words, command = sys.argv[1:split], sys.argv[split + 1 :]
    process, terminal = pty.fork()
    if process == 0:
        os.environ["TERM"] = "xterm"
        os.execvp(command[0], command)
    screen = Screen(terminal)
    good = talk(screen, zip(words[::2], words[1::2]))
    status = status_of(process, screen) if good else None
    if status is None:
        os.kill(process, signal.SIGKILL)
        os.waitpid(process, 0)
    print(screen.text())
    return 99 if status is None else status


sys.exit(main())
