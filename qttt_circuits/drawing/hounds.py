"""Cat and hounds drawn: where in its square a piece is says in which branch it is.

Left, centre and right of the square are the branches, as in document 004. The area of a cat goes as
the probability of its branch; it is solid and marked + in one phase, pale and marked − in the
other. A hound that is not in every branch is drawn once for each branch that it is in.
"""

from __future__ import annotations

from math import sqrt

from ..games.branches import Branch, Table
from ..games.cat_and_hounds import CatAndHounds
from .svg import INK, PAPER, Picture

SIDE, MARGIN, TOP = 60, 22, 28
DARK, LIGHT = "#b9c6cf", "#f4f1e6"
CAT, HOUND = "#1b3a57", "#ffffff"
PALE = 0.25
PLACES = {"left": -1, "centre": 0, "right": 1, "cat": 0}


def paint(rules: CatAndHounds, table: Table, title: str) -> Picture:
    """Returns the picture of a table.

    Args:
        rules: The rules.
        table: The table.
        title: The line above the board.
    """
    size = rules.squares.size
    legend = 0 if table.classical else 18 * len(table.branches) + 6
    picture = Picture(size * SIDE + 2 * MARGIN, size * SIDE + TOP + MARGIN + legend, title)
    picture.rectangle(0, 0, picture.width, picture.height, PAPER)
    picture.text(MARGIN, TOP / 2, title, size=12, anchor="start")
    picture.rectangle(MARGIN, TOP, size * SIDE, size * SIDE, LIGHT)
    for square in rules.squares.row:
        x, y = _corner(square, size)
        picture.rectangle(x, y, SIDE, SIDE, DARK)
    for i in range(size):
        middle = SIDE * (i + 0.5)
        picture.text(MARGIN + middle, TOP + size * SIDE + 11, chr(ord("a") + i), size=11)
        picture.text(MARGIN / 2, TOP + size * SIDE - middle, str(i + 1), size=11)
    _hounds(picture, table, size)
    for branch in table.branches:
        _cat(picture, table, branch, size)
    for i, branch in enumerate(table.branches if legend else ()):
        _line(picture, table, branch, TOP + size * SIDE + MARGIN + 12 + 18 * i)
    return picture


def _corner(square: str, size: int) -> tuple[float, float]:
    """Returns the upper left corner of a square."""
    column, row = ord(square[0]) - ord("a"), int(square[1:])
    return MARGIN + column * SIDE, TOP + (size - row) * SIDE


def _place(square: str, branch: Branch, size: int) -> tuple[float, float]:
    x, y = _corner(square, size)
    return x + SIDE * (0.5 + 0.28 * PLACES[branch.name]), y + SIDE / 2


def _hounds(picture: Picture, table: Table, size: int) -> None:
    for square in sorted({hound for b in table.branches for hound in b.hounds}):
        inside = [b for b in table.branches if square in b.hounds]
        if len(inside) == len(table.branches):
            x, y = _corner(square, size)
            picture.circle(x + SIDE / 2, y + SIDE / 2, SIDE * 0.36, HOUND)
            picture.text(x + SIDE / 2, y + SIDE / 2, "H", size=20)
            continue
        for branch in inside:
            x, y = _place(square, branch, size)
            picture.circle(x, y, SIDE * 0.15, HOUND)
            picture.text(x, y, "H", size=11)


def _cat(picture: Picture, table: Table, branch: Branch, size: int) -> None:
    x, y = _place(branch.cat, branch, size)
    if table.classical:
        x, y = (c + SIDE / 2 for c in _corner(branch.cat, size))
        picture.circle(x, y, SIDE * 0.36, CAT)
        picture.text(x, y, "C", size=20, colour=PAPER, bold=True)
        return
    p, minus = float(table.probabilities()[branch.name]), branch.amplitude < 0
    picture.circle(x, y, SIDE * 0.26 * sqrt(p), CAT, opacity=PALE if minus else 1)
    picture.text(x, y, "−" if minus else "+", size=12, colour=INK if minus else PAPER, bold=True)


def _line(picture: Picture, table: Table, branch: Branch, y: float) -> None:
    """Adds a line that says of a branch what the picture shows."""
    phase = "−, pale" if branch.amplitude < 0 else "+, solid"
    p = table.probabilities()[branch.name]
    hounds = ", ".join(branch.hounds)
    text = f"{branch.name}: probability {p}, phase {phase}; cat {branch.cat}, hounds {hounds}"
    picture.text(MARGIN, y, text, size=11, anchor="start")
