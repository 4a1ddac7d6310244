"""What observed boards of the dice games are worth with best play: tables, one file a rule set.

A file is one JSON document. It has one board of each set of boards that turning, reflecting and
exchanging X and O make of each other; all others follow. A table is read when it is first asked.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from functools import cache
from importlib.resources import files
from typing import Any

from ..board import Board, O, X
from ..checksums import checksum
from ..errors import RecordError, one_line
from ..moves import DiceMove

FORMAT = "qttt-circuits values"
VERSION = 1
OPTIONS = {"scoring": "lines"}
"""The options that the values are for; who moves first makes no difference to a board."""
BOARDS = 3**9
OPENINGS = (11, 34)
"""How many first moves there are but for their images: with all dice upright, and without."""
ROUNDING = 1e-12
ANEW = "install the program anew, or work it out by 'python -m qttt_circuits.solving.phase.build'"
_SWAP = str.maketrans("XO", "OX")


def _symmetries() -> tuple[tuple[int, ...], ...]:
    """Returns where the eight turns and reflections of the board take square i, from 0 on."""
    found = []
    squares = [divmod(i, 3) for i in range(9)]
    for turn in range(8):
        found.append(tuple(3 * row + column for row, column in squares))
        squares = [(c, r) if turn % 2 else (2 - r, c) for r, c in squares]
    return tuple(found)


SYMMETRIES = _symmetries()


def images(board: str) -> Iterator[tuple[str, bool]]:
    """Yields the images of a board, and whether X and O are exchanged in them; some repeat."""
    for swapped in (False, True):
        letters = board.translate(_SWAP) if swapped else board
        for symmetry in SYMMETRIES:
            image = [""] * 9
            for i, letter in enumerate(letters):
                image[symmetry[i]] = letter
            yield "".join(image), swapped


def move_images(move: DiceMove) -> Iterator[str]:
    """Yields the images of a first move as text, squares ascending."""
    for symmetry in SYMMETRIES:
        dice = sorted((symmetry[square - 1] + 1, sign) for square, sign in move.dice)
        yield str(DiceMove(tuple(s for s, _ in dice), tuple(sign for _, sign in dice)))


def result(board: str) -> float | None:
    """Returns the result of a board that was observed, 1 if X has won, or None if there is none."""
    x, o = (bool(Board(board).lines_of(mark)) for mark in (X, O))
    return float(x - o) if x or o or "E" not in board else None


@dataclass(frozen=True)
class Values:
    """What the observed boards of a rule set are worth for X, from -1 to 1.

    Attributes:
        rules: The rule set.
        program: The version of the program that worked it out.
        worth: By board: with X to move, and with O to move.
        openings: What first moves of X are worth, one of each set of images.
        endless: Boards on which all pieces can leave the board again and again, if both sides
            want to, and it matters what an endless game counts: by board and side to move the
            values if it counted -1 and 1. In the table it counts as a draw.
    """

    rules: str
    program: str
    worth: Mapping[str, tuple[float, float]] = field(repr=False)
    openings: Mapping[str, float] = field(repr=False)
    endless: Mapping[str, Mapping[str, tuple[float, float]]] = field(repr=False)

    def value(self, board: str, turn: str) -> float:
        """Returns what an observed board is worth for X, the result if the game is over."""
        return self.worth[board][turn != X]

    def opening(self, move: DiceMove, turn: str) -> float:
        """Returns what a first move is worth for X.

        Args:
            move: The move.
            turn: Whose it is.
        """
        value = self.openings[min(move_images(move))]
        return value if turn == X else -value


def to_json(
    rules: str,
    program: str,
    worth: Mapping[str, tuple[float, float]],
    openings: Mapping[str, float],
    endless: Mapping[str, Mapping[str, tuple[float, float]]],
) -> dict[str, Any]:
    """Returns a table as JSON-able data, with its checksum.

    Args:
        rules: The rule set.
        program: The version of the program.
        worth: What the boards are worth, at least one of each set of images.
        openings: See `Values`.
        endless: See `Values`.
    """
    data: dict[str, Any] = {
        "format": FORMAT,
        "version": VERSION,
        "program": program,
        "rules": rules,
        "options": OPTIONS,
        "openings": dict(sorted(openings.items())),
        "endless": {board: dict(found) for board, found in sorted(endless.items())},
        "worth": {board: list(pair) for board, pair in sorted(worth.items())},
    }
    return {**data, "checksum": checksum(data)}


def as_text(data: Mapping[str, Any]) -> str:
    """Returns the text of a table's file: a board or first move a line."""
    lines = []
    for name, value in data.items():
        text = json.dumps(value)
        if isinstance(value, dict) and len(value) > 1:
            entries = (f"{json.dumps(key)}: {json.dumps(entry)}" for key, entry in value.items())
            text = "{\n" + ",\n".join(entries) + "\n}"
        lines.append(f"{json.dumps(name)}: {text}")
    return "{\n" + ",\n".join(lines) + "\n}\n"


def from_json(data: Any, rules: str) -> Values:
    """Returns a table.

    Args:
        data: What `to_json` returned.
        rules: The rule set that it should be of.

    Raises:
        ValueError: If it is not such a table.
    """
    if not isinstance(data, dict) or data.get("format") != FORMAT:
        raise ValueError("it is no table of values")
    if data.get("version") != VERSION:
        raise ValueError(f"it has version {data.get('version')!r:.20}, not {VERSION}")
    if data.get("rules") != rules or data.get("options") != OPTIONS:
        raise ValueError(f"it is of {data.get('rules')!r:.40} {data.get('options')!r:.60}")
    if data.get("checksum") != checksum(data):
        raise ValueError("its checksum is wrong")
    worth: dict[str, tuple[float, float]] = {}
    for board, (x, o) in data["worth"].items():
        x, o = _checked(x, board), _checked(o, board)
        for image, swapped in images(board):
            worth[image] = (-o, -x) if swapped else (x, o)
    if len(worth) != BOARDS:
        raise ValueError(f"it has {len(worth)} boards, not {BOARDS}")
    openings = {str(move): _checked(value, move) for move, value in data["openings"].items()}
    first = [move for move in openings if min(move_images(DiceMove.parse(move))) == move]
    if (
        len(openings) not in OPENINGS
        or len(first) != len(openings)
        or abs(max(openings.values()) - worth["E" * 9][0]) > ROUNDING
    ):
        raise ValueError("its first moves do not fit the empty board")
    endless = {b: {t: (v[0], v[1]) for t, v in e.items()} for b, e in data["endless"].items()}
    return Values(rules, data["program"], worth, openings, endless)


def _checked(value: Any, what: str) -> float:
    """Returns a value.

    Raises:
        ValueError: If it is none.
    """
    if type(value) not in (int, float) or not abs(value) <= 1:
        raise ValueError(f"{value!r:.60} is no value of {what!r:.20}")
    return float(value)


def read(name: str, text: str, rules: str) -> Values:
    """Returns the table that a file holds.

    Args:
        name: The file's name.
        text: What it holds.
        rules: The rule set that it should be of.

    Raises:
        RecordError: If it is damaged or something else.
    """
    try:
        return from_json(json.loads(text), rules)
    except ValueError as error:
        reason = "it is no JSON" if isinstance(error, json.JSONDecodeError) else one_line(error)
        raise RecordError(f"the table of values {name} cannot be used: {reason}; {ANEW}") from error
    except (KeyError, TypeError, AttributeError, RecursionError) as error:
        raise RecordError(
            f"the table of values {name} cannot be used: it is damaged; {ANEW}"
        ) from error


@cache
def values(rules: str) -> Values:
    """Returns the table of a rule set that comes with the program.

    Raises:
        RecordError: If it is missing, damaged or something else.
    """
    path = files(__package__).joinpath("values", f"{rules}.json")
    try:
        text = path.read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError) as error:
        reason = getattr(error, "strerror", None) or "it is no text"
        raise RecordError(f"the table of values {path} cannot be read: {reason}; {ANEW}") from error
    return read(str(path), text, rules)
