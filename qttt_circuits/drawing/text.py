"""A game's board as text."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from ..board import EMPTY

if TYPE_CHECKING:
    from ..games.dice import Die, Table
    from ..position import Position

UP, DOWN = "△", "▽"


def die_text(die: Die) -> str:
    """Returns a die as its owner, value and sign: ``X2△`` upright, ``O1▽`` upside-down."""
    return f"{die.owner}{die.value}{UP if die.sign > 0 else DOWN}"


def status_text(position: Position) -> str:
    """Returns whose turn it is and what is due, or how the game ended."""
    outcome = position.outcome()
    if outcome is not None:
        return str(outcome)
    if position.observation_due:
        return f"the board must be observed, then {position.turn} moves"
    return f"{position.turn} to move"


def board_text(position: Position) -> str:
    """Returns the board: dice with owner, value and sign, observed marks as ``[X]``.

    Args:
        position: A position of a dice game.
    """
    table: Table = position.table
    size = table.marks.size
    cells = list(_cells(table))
    width = max(8, *(len(cell) + 2 for cell in cells))
    rule = "+".join(["-" * width] * size)
    lines = [f"{position.rules.name}: {status_text(position)}"]
    for row in range(size):
        if row:
            lines.append(rule)
        numbers = range(row * size + 1, (row + 1) * size + 1)
        lines.append("|".join(f" {square}".ljust(width) for square in numbers).rstrip())
        lines.append("|".join(cells[square - 1].center(width) for square in numbers).rstrip())
    return "\n".join(lines)


def _cells(table: Table) -> Iterator[str]:
    for mark, dice in zip(table.marks, table.dice, strict=True):
        yield " ".join(map(die_text, dice)) if mark == EMPTY else f"[{mark}]"
