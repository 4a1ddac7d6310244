"""Goff's game drawn: a move is a line between the two squares that its marks are in.

Lines of X are solid and those of O dashed. Where a choice is due the marks of the cycle have a
double ring and its lines are thick. Classical marks are large.
"""

from __future__ import annotations

from ..board import Mark
from ..games.goff import SQUARES, Goff, Table
from ..games.spooky import Piece, cycle_of
from .picture import INK, PAPER, Circle, Line, Picture, Text
from .routes import routes
from .squares import EDGE, FILL, SIDE, board, corner

RADIUS = 13
RING = 3
DASHES: dict[Mark, tuple[float, ...]] = {"X": (), "O": (7, 4)}
THIN, THICK = 1.8, 5
LETTER, DIGIT = 0.77, 0.64
"""Widths over the size of the font."""


def paint(rules: Goff, table: Table) -> Picture:
    """Returns the board of a table."""
    picture = board([str(square) for square in SQUARES])
    cycle = [spooky.piece for spooky in cycle_of(table.due)] if table.due else []
    taken = [square for square in SQUARES if square not in table.open]
    found = routes([spooky.squares for spooky in table.spooky], taken)
    drawn = [(spooky.piece, route) for spooky, route in zip(table.spooky, found, strict=True)]
    for piece, (start, end, bow) in drawn:
        width = THICK if piece in cycle else THIN
        colour, dashes = EDGE[piece.player], DASHES[piece.player]
        picture.add(Line(start, end, colour, width, dashes, bow))
    for piece, (start, end, _) in drawn:
        for x, y in start, end:
            edge = EDGE[piece.player]
            if piece in cycle:
                picture.add(Circle(x, y, RADIUS + RING, PAPER, edge, width=THIN))
            picture.add(Circle(x, y, RADIUS, FILL[piece.player], edge, width=THIN))
            _mark(picture, piece, x, y, 14, 0.7, INK)
    for i, classical in enumerate(table.classical):
        if classical is not None:
            x, y = corner(i)
            _mark(picture, classical, x + SIDE / 2, y + SIDE / 2, 72, 0.45, EDGE[classical.player])
    return picture


def notes(rules: Goff, table: Table) -> list[str]:
    """Returns what the lines mean, and which marks are in a cycle."""
    lines = []
    if table.spooky:
        lines.append("a line joins the halves of a move: X solid, O dashed")
    if table.due:
        marks = ", ".join(str(spooky.piece) for spooky in cycle_of(table.due))
        lines.append(f"the cycle, thick and with double rings: {marks}")
    return lines


def _mark(
    picture: Picture, piece: Piece, x: float, y: float, size: float, ratio: float, colour: str
) -> None:
    """Adds a letter with its subscript, whose font is smaller by a ratio."""
    gap = x + (LETTER - DIGIT * ratio) / 2 * size
    small = ratio * size
    picture.add(
        Text(gap, y - 0.04 * size, piece.player, size, colour, "end", bold=True),
        Text(gap, y + 0.46 * size - 0.36 * small, str(piece.number), small, colour, "start"),
    )
