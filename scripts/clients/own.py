#!/usr/bin/env python3
"""A client of one's own: how a program drives Empiki. Copy it and make it yours. Python 3, standard library only.

Usage: scripts/clients/own.py [--engine target/release/empiki] [--variant wuri] [--seconds 2] [--lines 3]

Run as a program it plays a game of two engines on clocks, each pondering on the other's time, and prints the moves, the
result and how often each side expected the right answer. Then it prints the best lines at the start, each as it is
found. Imported, `Engine` is what a board, a bot or a measurement needs: it starts the engine, asks one question at a
time, and never waits for ever.
"""

import argparse
import queue
import subprocess
import threading
import time


class Engine:
    """The engine as a child behind pipes. No wait is longer than `patience` seconds; use it in a `with`."""

    def __init__(self, command, patience=60.0):
        pipes = {"stdin": subprocess.PIPE, "stdout": subprocess.PIPE}
        self.process = subprocess.Popen(command, **pipes, encoding="utf-8", bufsize=1)
        self.patience = patience
        # A thread reads, so that a wait can have an end on every system.
        self.lines = queue.SimpleQueue()
        threading.Thread(target=self._read, daemon=True).start()

    def _read(self):
        for line in self.process.stdout:
            self.lines.put(line.rstrip("\n"))
        self.lines.put(None)

    def send(self, lines):
        """Writes one line, or several at once."""
        self.process.stdin.write(lines + "\n")
        self.process.stdin.flush()

    def line(self):
        """The next line of the engine; `queue.Empty` is raised if none comes, `EOFError` if the engine has ended."""
        line = self.lines.get(timeout=self.patience)
        if line is None:
            raise EOFError("the engine has ended")
        return line

    def until(self, last):
        """The lines up to the first that begins with `last`, which is among them."""
        lines = [self.line()]
        while not lines[-1].startswith(last):
            lines.append(self.line())
        return lines

    def ask(self, lines, last):
        """Sends, and returns the answers up to the one that begins with `last`. What the engine refuses is a `ValueError`."""
        self.send(lines)
        answers = self.until(last)
        for answer in answers:
            if answer.startswith("info string error"):
                raise ValueError(answer)
        return answers

    def handshake(self):
        """Says `uci`; returns the options as they are declared, by name."""
        declared = [line.removeprefix("option name ") for line in self.ask("uci", "uciok") if line.startswith("option ")]
        return dict(line.split(" type ", 1) for line in declared)

    def set_option(self, name, value):
        """Sets an option, and waits until it holds."""
        self.ask(f"setoption name {name} value {value}\nisready", "readyok")

    def set_position(self, moves=(), start="startpos"):
        """Puts a position on the table: `startpos`, or `fen` and a token, and the moves played from there."""
        self.ask(f"position {start} moves {' '.join(moves)}\nisready", "readyok")

    def legal_moves(self):
        """The legal moves of the position, none once the game has ended."""
        return self.ask("legalmoves", "legalmoves")[-1].split()[1:]

    def result(self):
        """`None` while the game goes on, and then what the engine says of its end."""
        words = self.ask("result", "result")[-1].split(" ", 1)[1]
        return None if words == "none" else words

    def go(self, limits):
        """Searches within limits such as `movetime 50` or `depth 8`; returns the best move and the last report before it."""
        *reports, best = self.ask(f"go {limits}", "bestmove")
        return best.split()[1], reports[-1]

    def stream(self, limits):
        """Searches, and yields each line when it comes, `bestmove` last. `send("stop")` ends the search early."""
        self.send(f"go {limits}")
        while True:
            line = self.line()
            yield line
            if line.startswith("bestmove"):
                return

    def __enter__(self):
        return self

    def __exit__(self, *_):
        """Lets the engine end, or ends it."""
        try:
            self.send("quit")
            self.process.wait(self.patience)
        except (OSError, subprocess.TimeoutExpired):
            self.process.kill()
        finally:
            self.process.wait()


class Player:
    """One side of a game. It thinks on its clock, and ponders on the time of the other side."""

    def __init__(self, engine):
        self.engine = engine
        self.guess = None  # the moves, with the expected answer, that the engine ponders on
        self.hits = 0

    def move(self, moves, clocks):
        """The answer to these moves; `clocks` is as in `wtime 1000 btime 1000 winc 10 binc 10`."""
        if moves == self.guess:
            self.hits += 1
            self.engine.send("ponderhit")
        else:
            self.stop()
            self.engine.set_position(moves)
            self.engine.send(f"go {clocks}")
        _, move, *expected = self.engine.until("bestmove")[-1].split()
        self.guess = None
        if expected:  # "ponder MOVE"
            self.guess = [*moves, move, expected[1]]
            self.engine.set_position(self.guess)
            self.engine.send(f"go ponder {clocks}")
        return move

    def stop(self):
        """Ends the pondering, if there is any."""
        if self.guess is not None:
            self.engine.ask("stop", "bestmove")
        self.guess = None


def play_game(engines, seconds):
    """A game from the start, with so many seconds a side: the moves, the result, and how often each side guessed right."""
    players = [Player(engine) for engine in engines]
    for player in players:
        player.engine.set_option("Ponder", "true")
    clocks, increment, moves = [seconds, seconds], seconds / 100, []
    while True:
        mover, begun = len(moves) % 2, time.perf_counter()
        south, north, inc = (max(1, round(1000 * value)) for value in (*clocks, increment))
        move = players[mover].move(moves, f"wtime {south} btime {north} winc {inc} binc {inc}")
        clocks[mover] += increment - (time.perf_counter() - begun)
        if move == "0000":  # the game is over
            break
        moves.append(move)
    result = engines[mover].result()
    for player in players:
        player.stop()
    return moves, result, [player.hits for player in players]


def analyse(engine, lines, depth):
    """Prints the best lines at the start, each as it is found."""
    engine.set_option("MultiPV", lines)
    engine.set_position()
    for line in engine.stream(f"depth {depth}"):
        if line.startswith("info depth"):
            words = line.split()
            after = {word: words[at + 1] for at, word in enumerate(words[:-1])}
            moves = " ".join(words[words.index("pv") + 1 :])
            print(f"depth {after['depth']} line {after['multipv']} score {after['score']} {after[after['score']]}: {moves}")


def main():
    """Plays a game, prints it, and looks at the start."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--engine", default="target/release/empiki")
    parser.add_argument("--variant", default="wuri")
    parser.add_argument("--seconds", type=float, default=2.0, help="on each clock; each move adds a hundredth of it")
    parser.add_argument("--lines", type=int, default=3)
    arguments = parser.parse_args()
    with Engine([arguments.engine]) as south, Engine([arguments.engine]) as north:
        for engine in (south, north):
            options = engine.handshake()
            if arguments.variant not in options["UCI_Variant"].split(" var ")[1:]:
                parser.error(f"UCI_Variant is {options['UCI_Variant']}")
            engine.set_option("UCI_Variant", arguments.variant)
        moves, result, hits = play_game([south, north], arguments.seconds)
        print(f"{len(moves)} plies: {' '.join(moves)}")
        print(result)
        print(f"expected {hits[0]} answers of North and {hits[1]} of South")
        analyse(south, arguments.lines, 6)


if __name__ == "__main__":
    main()
