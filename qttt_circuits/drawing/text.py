"""A game's board as text."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from ..position import Position


def board_text(position: Position) -> str:
    """Returns the board: whose turn it is, the squares and what they show, and a hint.

    Args:
        position: A position.
    """
    rules, table = position.rules, position.table
    hint = rules.hint(table)
    parts = [
        f"{rules.title}: {rules.status(table)}",
        rules.diagram(table),
        *([hint] if hint else []),
    ]
    return "\n".join(parts)
