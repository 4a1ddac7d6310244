"""A position as a picture: what is next above the board, and what explains it below."""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

from ..games import Rules
from .picture import PAPER, Picture, Rectangle, Text, wrapped

if TYPE_CHECKING:
    from ..position import Position

PADDING = 12
HEADING, NOTE = 14, 12
"""Sizes of fonts."""
LEADING = 1.5
"""The distance of two lines over the size of their font."""
NARROWEST = 320


def board_picture(position: Position) -> Picture:
    """Returns the picture of a position."""
    rules, table = position.rules, position.table
    title = f"{rules.title}: {rules.status(table)}"
    board = paint(rules, table)
    width = max(NARROWEST, board.width)
    heading = wrapped([title], width, HEADING)
    notes = wrapped(painter(rules).notes(rules, table), width, NOTE)
    top = PADDING + HEADING * LEADING * len(heading) + PADDING / 2
    below = top + board.height + PADDING / 2
    height = below + NOTE * LEADING * len(notes) + PADDING / 2
    picture = Picture(width + 2 * PADDING, height, title)
    picture.add(Rectangle(0, 0, picture.width, picture.height, PAPER))
    write(picture, heading, PADDING, PADDING, HEADING)
    picture.insert(board, PADDING, top)
    write(picture, notes, PADDING, below, NOTE)
    return picture


def paint(rules: Rules[Any], table: Any) -> Picture:
    """Returns the board of a table alone."""
    picture: Picture = painter(rules).paint(rules, table)
    return picture


def painter(rules: Rules[Any]) -> Any:
    """Returns the module that paints a game: its ``paint`` and ``notes``."""
    return import_module(f".{rules.painter or 'squares'}", __package__)


def write(
    picture: Picture, lines: list[str], x: float, y: float, size: float, anchor: str = "start"
) -> None:
    """Adds lines of text below each other, from a height on."""
    for i, line in enumerate(lines):
        middle = y + size * LEADING * (i + 0.5)
        picture.add(Text(x, middle, line, size=size, anchor=anchor))
