#!/usr/bin/env python3
"""A small client that shows how a program drives Empiki; copy it and make it yours. Python 3, standard library only.

Usage: scripts/client.py [--engine target/release/empiki] [--variant wuri] [--movetime 50]

Run as a program it lets the engine play a game against itself, and prints the moves and the result. Imported, `Engine` is what a
board, a bot or a measurement needs: it starts the engine, asks one question at a time, and never waits for ever.
"""

import argparse
import queue
import subprocess
import threading


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


def play_game(engine, limits):
    """Lets the engine play against itself from the start; returns the moves and the result."""
    moves = []
    engine.set_position()
    while engine.result() is None:
        move, _ = engine.go(limits)
        assert move in engine.legal_moves()
        moves.append(move)
        engine.set_position(moves)
    return moves, engine.result()


def main():
    """Plays a game and prints it."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--engine", default="target/release/empiki")
    parser.add_argument("--variant", default="wuri")
    parser.add_argument("--movetime", type=int, default=50)
    arguments = parser.parse_args()
    with Engine([arguments.engine]) as engine:
        options = engine.handshake()
        if arguments.variant not in options["UCI_Variant"].split(" var ")[1:]:
            parser.error(f"UCI_Variant is {options['UCI_Variant']}")
        engine.set_option("UCI_Variant", arguments.variant)
        moves, result = play_game(engine, f"movetime {arguments.movetime}")
    print(f"{len(moves)} plies: {' '.join(moves)}")
    print(result)


if __name__ == "__main__":
    main()
