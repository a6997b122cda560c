#!/usr/bin/env python3
"""Empiki through python-chess: a board for `chess.engine`, a game on clocks with pondering, and lines as they come.

Usage: pip install chess
       scripts/clients/python_chess.py [--engine target/release/empiki] [--variant wuri] [--seconds 2] [--lines 3]

Prints the moves of a game of two engines, who has won, and then the best lines at the start, each as it is found. The
library asks little of a board, and the engine knows the rules: a board that ends a game or refuses a move asks the
engine (`result`, `query islegal`), as own.py does. Tried with python-chess 1.11.2.
"""

import argparse
import re
import time

import chess.engine

# The library reads only moves in `pv` that look like this. Its own pattern is that of chess squares.
chess.engine.UCI_REGEX = re.compile(r"[a-pA-P][<>*]*$|@[0-9-]+$")


class Move(str):
    """A move as Empiki reads it. The library writes best moves in small letters, so small letters are used throughout."""

    def __new__(cls, text):
        return super().__new__(cls, text.lower())

    def __bool__(self):
        return self != "0000"

    def uci(self):
        return str(self)


class Board:
    """A start and moves: all that the library asks of a board. `Board.of` makes the class for a variant."""

    uci_variant = "wuri"
    chess960 = False

    @staticmethod
    def of(variant):
        """The library reads the variant from the class."""
        return type(f"{variant.capitalize()}Board", (Board,), {"uci_variant": variant})

    def __init__(self, start="startpos", moves=()):
        self.start = start
        self.move_stack = list(moves)

    @property
    def turn(self):
        """`chess.WHITE` is South, whose clock is `white_clock`."""
        south_begins = "N" not in self.start.split("-")
        return south_begins == (len(self.move_stack) % 2 == 0)

    def __eq__(self, other):
        return type(self) is type(other) and (self.start, self.move_stack) == (other.start, other.move_stack)

    def fen(self, **_):
        return self.start

    def root(self):
        return type(self)(self.start)

    def copy(self, **_):
        """The moves are copied always, since they tell whose turn it is."""
        return type(self)(self.start, self.move_stack)

    def parse_uci(self, text):
        return Move(text)

    def push(self, move):
        self.move_stack.append(move)

    def push_uci(self, text):
        self.push(Move(text))
        return self.move_stack[-1]

    def pop(self):
        return self.move_stack.pop()


def play_game(engines, board, seconds):
    """Plays a game with so many seconds a side, and returns the score of its end, seen by the side that has no move."""
    clocks, increment, game = [seconds, seconds], seconds / 100, object()
    while True:
        mover, begun = int(not board.turn), time.perf_counter()
        limit = chess.engine.Limit(
            white_clock=clocks[0], black_clock=clocks[1], white_inc=increment, black_inc=increment
        )
        played = engines[mover].play(board, limit, game=game, ponder=True)
        clocks[mover] += increment - (time.perf_counter() - begun)
        if not played.move:
            return engines[mover].analyse(board, chess.engine.Limit(depth=1), game=game)["score"].relative
        board.push(played.move)


def analyse(engine, board, lines, depth):
    """Prints the best lines, each as it is found."""
    with engine.analysis(board, chess.engine.Limit(depth=depth), multipv=lines) as analysis:
        for info in analysis:
            if "pv" in info:
                moves = " ".join(info["pv"])
                print(f"depth {info['depth']} line {info['multipv']} score {info['score'].relative}: {moves}")


def main():
    """Plays a game, prints it, and looks at the start."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--engine", default="target/release/empiki")
    parser.add_argument("--variant", default="wuri")
    parser.add_argument("--seconds", type=float, default=2.0, help="on each clock; each move adds a hundredth of it")
    parser.add_argument("--lines", type=int, default=3)
    arguments = parser.parse_args()
    start = chess.engine.SimpleEngine.popen_uci
    with start(arguments.engine) as south, start(arguments.engine) as north:
        board = Board.of(arguments.variant)()
        score = play_game([south, north], board, arguments.seconds)
        print(f"{len(board.move_stack)} plies: {' '.join(board.move_stack)}")
        # A finished game is `mate 0` for a loser, `mate 1` for a winner, and `cp 0` if it is drawn or void.
        end = {0: "has lost", 1: "has won"}.get(score.mate(), "has drawn")
        print("South" if board.turn else "North", end)
        analyse(south, board.root(), arguments.lines, 6)


if __name__ == "__main__":
    main()
