"""Cat and hounds drawn: where in its square a piece is says in which branch it is.

Left, centre and right of the square are the branches, as in document 004. The area of a cat goes as
the probability of its branch; it is solid and marked + in one phase, pale and marked − in the
other. A hound that is not in every branch is drawn once for each branch that it is in.
"""

from __future__ import annotations

from math import sqrt

from ..games.branches import Branch, Table
from ..games.cat_and_hounds import CatAndHounds
from .picture import INK, PAPER, Circle, Picture, Point, Rectangle, Text

SIDE, MARGIN = 60, 20
DARK, LIGHT = "#b9c6cf", "#f4f1e6"
CAT, HOUND = "#1b3a57", "#ffffff"
PALE = 0.25
PLACES = {"left": -1, "centre": 0, "right": 1, "cat": 0}


def paint(rules: CatAndHounds, table: Table) -> Picture:
    """Returns the board of a table, with the names of rows and columns."""
    size = rules.squares.size
    whole = size * SIDE
    picture = Picture(MARGIN + whole, whole + MARGIN)
    picture.add(Rectangle(MARGIN, 0, whole, whole, LIGHT))
    for square in rules.squares.row:
        x, y = _corner(square, size)
        picture.add(Rectangle(x, y, SIDE, SIDE, DARK))
    for i in range(size):
        middle = SIDE * (i + 0.5)
        column = chr(ord("a") + i)
        picture.add(Text(MARGIN + middle, whole + MARGIN / 2, column, size=13))
        picture.add(Text(MARGIN / 2, whole - middle, str(i + 1), size=13))
    _hounds(picture, table, size)
    for branch in table.branches:
        _cat(picture, table, branch, size)
    return picture


def notes(rules: CatAndHounds, table: Table) -> list[str]:
    """Returns a line for each branch, which says what the picture shows."""
    if table.classical:
        return []
    lines = []
    for branch in table.branches:
        phase = "−, pale" if branch.amplitude < 0 else "+, solid"
        p = table.probabilities()[branch.name]
        hounds = ", ".join(branch.hounds)
        lines.append(
            f"{branch.name}: probability {p}, phase {phase}; cat {branch.cat}, hounds {hounds}"
        )
    return lines


def _corner(square: str, size: int) -> Point:
    """Returns the upper left corner of a square."""
    column, row = ord(square[0]) - ord("a"), int(square[1:])
    return MARGIN + column * SIDE, (size - row) * SIDE


def _place(square: str, branch: Branch, size: int) -> Point:
    x, y = _corner(square, size)
    return x + SIDE * (0.5 + 0.3 * PLACES[branch.name]), y + SIDE / 2


def _hounds(picture: Picture, table: Table, size: int) -> None:
    for square in sorted({hound for b in table.branches for hound in b.hounds}):
        inside = [b for b in table.branches if square in b.hounds]
        if len(inside) == len(table.branches):
            x, y = _corner(square, size)
            picture.add(
                Circle(x + SIDE / 2, y + SIDE / 2, SIDE * 0.36, HOUND),
                Text(x + SIDE / 2, y + SIDE / 2, "H", size=20),
            )
            continue
        for branch in inside:
            x, y = _place(square, branch, size)
            picture.add(Circle(x, y, SIDE * 0.13, HOUND), Text(x, y, "H", size=11))


def _cat(picture: Picture, table: Table, branch: Branch, size: int) -> None:
    x, y = _place(branch.cat, branch, size)
    if table.classical:
        x, y = (c + SIDE / 2 for c in _corner(branch.cat, size))
        picture.add(
            Circle(x, y, SIDE * 0.36, CAT), Text(x, y, "C", size=20, colour=PAPER, bold=True)
        )
        return
    p, minus = float(table.probabilities()[branch.name]), branch.amplitude < 0
    sign, colour = ("−", INK) if minus else ("+", PAPER)
    picture.add(
        Circle(x, y, SIDE * 0.22 * sqrt(p), CAT, opacity=PALE if minus else 1),
        Text(x, y, sign, size=12, colour=colour, bold=True),
    )
