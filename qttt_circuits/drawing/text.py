"""A game's board as text."""

from __future__ import annotations

from math import isqrt
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from ..position import Position

NARROWEST = 8


def board_text(position: Position) -> str:
    """Returns the board: whose turn it is, a grid of squares and what they show, and a hint.

    Args:
        position: A position of a game on a square board.
    """
    rules, table = position.rules, position.table
    cells = rules.cells(table)
    names, size = list(cells), isqrt(len(cells))
    width = max(NARROWEST, *(len(cell) + 2 for cell in cells.values()))
    rule = "+".join(["-" * width] * size)
    lines = [f"{rules.name}: {rules.status(table)}"]
    for start in range(0, len(names), size):
        if start:
            lines.append(rule)
        row = names[start : start + size]
        lines.append("|".join(f" {name}".ljust(width) for name in row).rstrip())
        lines.append("|".join(cells[name].center(width) for name in row).rstrip())
    hint = rules.hint(table)
    return "\n".join([*lines, hint] if hint else lines)
