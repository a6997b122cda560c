#!/usr/bin/env python3
"""A long random session with one process of the engine.

    cargo build --release
    scripts/soak.py [--lines 100000] [--seed 1] [--sizes] [target/release/empiki]

Sends lines of every command and option that the engine lists: as they should be, with wrong bytes, out of order, during searches, and
never `quit`. Holds the engine to this:
- it lives, and after a `stop` it answers `isready`
- each accepted `go` gives exactly one `bestmove`: each line that begins with the word, unless it counts leaves (`perft N` is in it)
- no line is empty, broken, not UTF-8 or ends in a blank; no line of a search comes when none is owed a best move
- resident memory grows by less than 1 MiB from line 10,000 to the end, where the system tells it: the least of a few moments of rest
  with an empty table, for jobs come and go. Not with --sizes, which sets Hash and Threads as well

The same seed sends the same kinds of line, but what is known of the position depends on time, so no two runs are the same.
Prints a line of counts at the end, and ends with status 1 at the first thing that is wrong.
"""

import argparse
import os
import random
import re
import subprocess
import sys
import threading
import time

PATIENCE = 120.0
SETTLED = 10_000
MOST_GROWTH = 1 << 20
LONGEST_LINE = 1 << 20
LONG_LINES = [start * count for start in (b"x", b"A ", b"go ", b"moves F ") for count in (1000, 90_000, 1_200_000)]
# So many moments of rest are looked at for the memory that stays.
MOMENTS = 20
BLANKS = re.compile(rb"[ \t\n\r\x0b\x0c\0]+")
INFO = re.compile(
    r"info (string \S.*|depth \d+ seldepth \d+ multipv \d+ score (cp|mate) -?\d+( lowerbound| upperbound)?( wdl \d+ \d+ \d+)?"
    r" nodes \d+ nps \d+ hashfull \d+ tbhits \d+ time \d+( pv \S.*)?)"
)
MOVE = r"(0000|@[\d-]+|[A-Za-z]\*?[<>]*)"
BEST_MOVE = re.compile(rf"bestmove {MOVE}( ponder {MOVE})?")
LIMITS = (
    "depth 1;depth 3;depth 5;depth 0;depth 200;nodes 1;nodes 500;nodes 20000;nodes 0;movetime 1;movetime 20;movetime 0;"
    "movetime 60000;mate 1;mate 3;mate 0;infinite;infinite;ponder;ponder;wtime 100 btime 100;p1time 50 p2time 9 p1inc 5;"
    "winc 3;movestogo 2;perft 2;depth 12x;movetime -5;nodes;hello"
).split(";")
NONSENSE = (
    ";hello;go_on;position;position fen;position fen 1-2-3-S;undo x;setoption;setoption name Mind Reading value on;query;"
    "trace;debug maybe;perft;perft x;bench x;help hello;joho go depth 1"
).split(";")


def words_of(line):
    """The words of a line as the protocol reads it."""
    if line.startswith(b"\xef\xbb\xbf"):
        line = line[3:]
    return [word for word in BLANKS.split(line) if word]


def owes_best_move(line):
    words = words_of(line)
    if len(line) > LONGEST_LINE or not words or words[0] != b"go":
        return False
    counts = (word == b"perft" and number.isdigit() for word, number in zip(words, words[1:]))
    return not any(counts)


class Engine:
    """The engine as a child. A thread of its own holds every line to what is promised of it."""

    def __init__(self, program):
        self.child = subprocess.Popen([program], stdin=subprocess.PIPE, stdout=subprocess.PIPE, bufsize=0)
        self.heard = threading.Condition()
        self.wrong = None
        self.said = 0
        self.gos = self.best_moves = 0
        self.asked = self.ready = 0
        self.token, self.legal, self.listed = None, [], []
        threading.Thread(target=self.listen, daemon=True).start()

    def listen(self):
        for line in self.child.stdout:
            wrong = self.hear(line)
            with self.heard:
                self.wrong = self.wrong or (wrong and f"{wrong}: {line!r}")
                self.heard.notify()
        with self.heard:
            self.wrong = self.wrong or "the engine is gone"
            self.heard.notify()

    def hear(self, line):
        """Takes one line; tells what is wrong with it."""
        self.said += 1
        try:
            text = line.decode("utf-8")
        except UnicodeDecodeError:
            return "not UTF-8"
        if not text.endswith("\n"):
            return "a broken line"
        text = text[:-1]
        if not text or text != text.rstrip():
            return "an empty line or a blank at its end"
        if not text.isprintable():
            return "a control character"
        word = text.split(" ")[0]
        if word == "bestmove":
            self.best_moves += 1
            if self.best_moves > self.gos:
                return "a best move that nobody asked for"
            return None if BEST_MOVE.fullmatch(text) else "no best move"
        if word == "info":
            if text.startswith("info depth") and self.best_moves >= self.gos:
                return "a line of a search after its best move"
            return None if INFO.fullmatch(text) else "a line of no known form"
        self.learn(word, text)
        return None

    def learn(self, word, text):
        if word == "readyok":
            self.ready += 1
        elif word == "fen":
            self.token = text[4:]
        elif word == "legalmoves":
            self.legal = text.split(" ")[1:]
        elif word in ("option", "Example:"):
            self.listed.append(text)

    def send(self, line):
        self.gos += owes_best_move(line)
        self.asked += len(line) <= LONGEST_LINE and words_of(line) == [b"isready"]
        try:
            self.child.stdin.write(line + b"\n")
        except OSError:
            sys.exit(f"the engine is gone before `{line[:80]!r}`, status {self.child.wait()}")

    def settle(self):
        """All that runs is stopped, and all that was asked is answered."""
        self.send(b"stop")
        self.send(b"isready")
        with self.heard:
            is_done = self.heard.wait_for(lambda: self.wrong or self.ready >= self.asked, PATIENCE)
        if self.wrong or not is_done:
            sys.exit(self.wrong or f"no answer for {PATIENCE} s: {self.ready} of {self.asked} times ready")
        if (self.best_moves, self.ready) != (self.gos, self.asked):
            sys.exit(f"{self.best_moves} best moves to {self.gos} searches, {self.ready} times ready to {self.asked}")

    def listing(self, lines):
        """What a question lists."""
        self.listed = []
        for line in lines:
            self.send(line.encode())
        self.settle()
        return self.listed

    def at_rest(self):
        """Resident memory in bytes while nothing is searched and the table is empty."""
        moments = []
        for _ in range(MOMENTS):
            self.send(b"setoption name Clear Hash")
            self.settle()
            moments.append(self.resident() or 0)
            time.sleep(0.01)
        return min(moments)

    def resident(self):
        """Resident memory in bytes, where the system tells it."""
        try:
            with open(f"/proc/{self.child.pid}/statm", encoding="ascii") as file:
                return int(file.read().split()[1]) * os.sysconf("SC_PAGE_SIZE")
        except OSError:
            return None


class Client:
    """Somebody who sends anything."""

    def __init__(self, engine, dice, sets_sizes):
        self.engine = engine
        self.dice = dice
        self.sets_sizes = sets_sizes
        self.options = [line[len("option name ") :] for line in engine.listing(["uci"])]
        commands = "uci ugi isready ucinewgame debug setoption register position moves undo go stop ponderhit d fen state"
        commands += " legalmoves result query trace endless eval perft bench load help"
        helps = [f"help {name}" for name in commands.split()]
        self.examples = [line[len("Example: ") :] for line in engine.listing(helps)] + commands.split()

    def moves(self, most):
        """A few moves, mostly of those that were legal a moment ago."""
        known = [move for move in self.engine.legal if move != "@"] or ["@4-4-4-4-4-4-4-4-0-0-0-0-0-0-0-0"]
        strange = ["g", "Z", "0000", "K*", "b<", "A><", "@1-2", "?"]
        count = self.dice.randint(0, most)
        return self.dice.choice(["", " "]).join(
            self.dice.choice(strange if self.dice.random() < 0.05 else known) for _ in range(count)
        )

    def setting(self):
        name, kind = self.dice.choice(self.options).split(" type ")
        words = kind.split(" ")
        if name in ("Hash", "Threads") and not self.sets_sizes:
            return f"setoption name {name} value none"
        if words[0] == "button":
            return f"setoption name {name}"
        if words[0] == "check":
            value = self.dice.choice(["true", "false"])
        elif words[0] == "spin":
            lowest, highest = int(words[4]), int(words[6])
            value = self.dice.choice([lowest, lowest - 1, min(lowest + 3, highest), int(words[2])])
        elif words[0] == "combo":
            value = self.dice.choice(kind.split(" var ")[1:])
        else:
            value = "any text"
        return f"setoption name {name} value {value}"

    def position(self):
        place = "startpos" if self.engine.token is None or self.dice.random() < 0.5 else f"fen {self.engine.token}"
        return f"position {place} moves {self.moves(4)}"

    def search(self):
        limits = " ".join(self.dice.choice(LIMITS) for _ in range(self.dice.randint(0, 3)))
        moves = f" searchmoves {self.moves(3)}" if self.dice.random() < 0.1 else ""
        return f"go {limits}{moves}"

    def plain(self):
        kinds = [
            (5, lambda: self.dice.choice(["fen", "legalmoves", "state", "result", "d", "eval", "isready"])),
            (3, self.search),
            (2, lambda: "stop"),
            (1, lambda: "ponderhit"),
            (2, lambda: f"moves {self.moves(2)}"),
            (1, self.position),
            (1, self.setting),
            (1, lambda: self.dice.choice(["undo", "undo 3", "ucinewgame", "position startpos"])),
            (1, lambda: self.dice.choice(["trace ", "query islegal ", "endless "]) + self.moves(1)),
            (1, lambda: self.dice.choice(["perft 2", "perft 3", "bench 1", "endless", "perft 40"])),
            (1, lambda: self.dice.choice(self.examples)),
            (1, lambda: self.dice.choice(NONSENSE)),
        ]
        weights, makers = zip(*kinds)
        return self.dice.choices(makers, weights)[0]().encode()

    def marred(self, line):
        """The line with some bytes that are wrong, gone or too many."""
        marred = bytearray(line)
        for _ in range(self.dice.randint(1, 3)):
            at = self.dice.randint(0, len(marred))
            byte = self.dice.choice(b" \t\r\0\x0b\xff\xc3\x80\x1b-@<0119zA\xe2")
            marred[at : at + self.dice.randint(0, 2)] = bytes([byte] * self.dice.randint(0, 2))
        return bytes(marred).replace(b"\n", b" ")

    def line(self):
        chance = self.dice.random()
        if chance < 0.0003:
            return self.dice.choice(LONG_LINES)
        if chance < 0.02:
            return self.dice.randbytes(self.dice.randint(1, 60)).replace(b"\n", b"")
        line = self.plain()
        # A size with a digit less is a size.
        is_size = re.search(rb"name (Hash|Threads)", line) and not self.sets_sizes
        if chance < 0.12 and not is_size:
            line = self.marred(line)
        return b"" if words_of(line)[:1] == [b"quit"] else line


def main():
    parser = argparse.ArgumentParser(description="A long random session with one process of the engine.")
    parser.add_argument("--lines", type=int, default=100_000)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--sizes", action="store_true", help="set Hash and Threads as well; memory is not judged then")
    parser.add_argument("engine", nargs="?", default="target/release/empiki")
    arguments = parser.parse_args()
    dice = random.Random(arguments.seed)
    engine = Engine(arguments.engine)
    client = Client(engine, dice, arguments.sizes)
    # What is large once stays with the allocator, so it is to come before memory is looked at.
    first = iter(LONG_LINES)
    started, before, peak = time.monotonic(), None, 0
    for number in range(1, arguments.lines + 1):
        engine.send(next(first, None) or client.line())
        if dice.random() < 0.03:
            time.sleep(dice.random() * 0.004)
        if dice.random() < 0.03:
            engine.settle()
            peak = max(peak, engine.resident() or 0)
        if number == SETTLED:
            before = engine.at_rest()
    after = engine.at_rest()
    growth = after - before if before else None
    memory = f"memory {before >> 10} KiB, grown by {growth / 1024:.0f} KiB" if before else "memory not judged"
    print(
        f"soak lines {arguments.lines} seed {arguments.seed} searches {engine.gos} best moves {engine.best_moves}"
        f" answers {engine.said} {memory}, peak {max(peak, after) >> 10} KiB, {time.monotonic() - started:.0f} s"
    )
    if growth is not None and growth >= MOST_GROWTH and not arguments.sizes:
        sys.exit(f"resident memory has grown by {growth} bytes")
    engine.child.kill()
    engine.child.wait()


if __name__ == "__main__":
    main()
