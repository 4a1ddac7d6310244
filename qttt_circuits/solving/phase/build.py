"""Works out the tables of the dice games: ``python -m qttt_circuits.solving.phase.build``.

Boards are solved by ascending number of empty squares, one of each set of images. What was found is
kept in a file beside the table until it is finished, so that work goes on where it was stopped.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Callable, Iterator, Mapping
from contextlib import suppress
from itertools import product
from pathlib import Path
from typing import Any

from rich.console import Console
from rich.progress import MofNCompleteColumn, Progress, TextColumn, TimeElapsedColumn

from ... import __version__
from ...board import EMPTY, O, X
from ...games import rules as rules_named
from ...games.dice import DiceRules
from ...moves import DiceMove
from ..tables import as_text, images, move_images, result, to_json
from .search import PhaseSearch

RULES = ("tiqtaqtoe", "cancelling", "shiftflip")
DECIMALS = 14
"""Values are kept to so many decimals: the search is right to about 1e-15."""
NO_DIFFERENCE = 1e-12
Pair = tuple[float, float]
Told = Callable[[str, int, int], None]
"""Is told what is being solved, and how much of it is done."""


def representatives(empty: int) -> Iterator[str]:
    """Yields one board of each set of images with so many empty squares."""
    for letters in product("EOX", repeat=9):
        board = "".join(letters)
        if letters.count(EMPTY) == empty and board == min(image for image, _ in images(board)):
            yield board


def _rounded(value: float) -> float:
    return round(value, DECIMALS) + 0.0


class TableBuilder:
    """Works out the table of a rule set.

    Args:
        rules: The rule set's name.
        step: Is told what is being solved.

    Attributes:
        worth: What was found, for every image.
        endless: See `tables.Values`.
        positions: How many positions were looked at.
    """

    def __init__(self, rules: str, step: Told = lambda what, done, of: None) -> None:
        found = rules_named(rules)
        assert isinstance(found, DiceRules)
        self.rules, self._step = found, step
        self.worth: dict[str, Pair] = {}
        self.endless: dict[str, dict[str, Pair]] = {}
        self.positions = 0

    def add(self, board: str, pair: Pair) -> None:
        """Takes what a board is worth, for all its images."""
        for image, swapped in images(board):
            self.worth[image] = (-pair[1], -pair[0]) if swapped else pair

    def level(self, empty: int, known: Mapping[str, Any]) -> dict[str, Pair]:
        """Solves the boards with so many empty squares; those with fewer must be solved.

        Args:
            empty: How many empty squares.
            known: What was found before.

        Returns:
            What one board of each set of images is worth.
        """
        boards, found = list(representatives(empty)), {}
        for done, board in enumerate(boards):
            if board in known:
                x, o = known[board]
                found[board] = (float(x), float(o))
            else:
                found[board] = self.board(board)
            self.add(board, found[board])
            self._step(f"{empty} empty squares", done + 1, len(boards))
        return found

    def board(self, board: str) -> Pair:
        """Returns what a board is worth, with X and with O to move."""
        over = result(board)
        if over is not None:
            return over, over
        x, o = (self._solved(board, turn) for turn in (X, O))
        return x, o

    def _solved(self, board: str, turn: str) -> float:
        value = self._value(board, turn, 0.0)
        if board.count(EMPTY) % 2 == 0:
            bounds = self._value(board, turn, -1.0), self._value(board, turn, 1.0)
            if bounds[1] - bounds[0] > NO_DIFFERENCE:
                self.endless.setdefault(board, {})[turn] = bounds
        return value

    def _value(self, board: str, turn: str, endless: float) -> float:
        search = PhaseSearch(self.rules.name, board, self.worth.__getitem__, endless)
        free = (1 << board.count(EMPTY)) - 1
        value = search.value_of((), free, int(turn == O), -2.0, 2.0)
        self.positions += search.positions
        return _rounded(value)

    def openings(self) -> dict[str, float]:
        """Returns what first moves of X are worth, one of each set of images."""
        table = self.rules.start()
        moves = [m for m in self.rules.legal_moves(table) if isinstance(m, DiceMove)]
        chosen = [move for move in moves if str(move) == min(move_images(move))]
        search = PhaseSearch(self.rules.name, table.marks, self.worth.__getitem__, 0.0)
        found = {}
        for done, move in enumerate(chosen):
            value = search.value(self.rules, self.rules.play(table, move))
            found[str(move)] = _rounded(value)
            self._step("first moves", done + 1, len(chosen))
        self.positions += search.positions
        return found


def build(rules: str, folder: Path, step: Told) -> int:
    """Works out the table of a rule set and writes it.

    Args:
        rules: The rule set's name.
        folder: Where to write it.
        step: Is told what is being solved.

    Returns:
        How many positions were looked at.
    """
    builder = TableBuilder(rules, step)
    partial = folder / f"{rules}.part"
    kept: dict[str, Any] = {}
    with suppress(FileNotFoundError, ValueError):  # one that is damaged is made anew
        kept = json.loads(partial.read_text())
    if kept.get("program") != __version__:
        kept = {"program": __version__, "worth": {}, "endless": {}}
    builder.endless = kept["endless"]
    for empty in range(10):
        kept["worth"].update(builder.level(empty, kept["worth"]))
        partial.write_text(json.dumps(kept))
    data = to_json(rules, __version__, kept["worth"], builder.openings(), builder.endless)
    target = folder / f"{rules}.json"
    target.write_text(as_text(data), encoding="utf-8")
    partial.unlink()
    return builder.positions


def main(names: list[str]) -> None:
    """Builds the tables of some rule sets, or of all."""
    folder = Path(__file__).parent.parent / "values"
    folder.mkdir(exist_ok=True)
    columns = TextColumn("{task.description}"), MofNCompleteColumn(), TimeElapsedColumn()
    for name in names or RULES:
        with Progress(*columns, console=Console(stderr=True)) as shown:
            positions = build(name, folder, _step(shown, name))
        print(f"{name}: {positions:,} positions")


def _step(shown: Progress, name: str) -> Told:
    task = shown.add_task(name)

    def step(what: str, done: int, of: int) -> None:
        shown.update(task, description=f"{name}: {what}", completed=done, total=of)

    return step


if __name__ == "__main__":
    main(sys.argv[1:])
