"""A whole game in one picture: a small board after each move."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

from ..errors import OptionError
from ..moves import Observation
from .board import HEADING, LEADING, NARROWEST, NOTE, PADDING, paint, write
from .picture import PAPER, Picture, Rectangle, wrapped

if TYPE_CHECKING:
    from ..position import Position

SCALE = 0.6
PER_ROW = 4
MOST_LINES = 3
"""The most lines of a caption; a longer one ends in …"""


def filmstrip_picture(position: Position, per_row: int = PER_ROW) -> Picture:
    """Returns the picture of a game: a board after each move, or the first one if there is none.

    Args:
        position: The game.
        per_row: How many boards stand side by side.

    Raises:
        OptionError: If that is no number from 1 on.
    """
    if type(per_row) is not int or per_row < 1:
        raise OptionError(f"a row of a filmstrip has 1 board or more, not {per_row!r}")
    rules = position.rules
    frames = list(_frames(position))
    boards = [paint(rules, table) for _, table in frames]
    wide, high = SCALE * boards[0].width, SCALE * boards[0].height
    captions = [_caption(caption, wide) for caption, _ in frames]
    columns = min(per_row, len(frames))
    width = max(NARROWEST, columns * (wide + PADDING) - PADDING)
    title = f"{rules.title}: {rules.status(position.table)}"
    heading = wrapped([title], width, HEADING)
    top = PADDING + HEADING * LEADING * len(heading)
    places = []
    for start in range(0, len(frames), columns):
        row = captions[start : start + columns]
        lines = NOTE * LEADING * max(map(len, row))
        places += [(PADDING + i * (wide + PADDING), top, top + lines) for i in range(len(row))]
        top += lines + high + PADDING
    picture = Picture(width + 2 * PADDING, top, title)
    picture.add(Rectangle(0, 0, picture.width, picture.height, PAPER))
    write(picture, heading, PADDING, PADDING / 2, HEADING)
    for board, caption, (x, y, below) in zip(boards, captions, places, strict=True):
        write(picture, caption, x, y, NOTE)
        picture.insert(board, x, below, SCALE)
    return picture


def _frames(position: Position) -> Iterator[tuple[str, Any]]:
    """Yields what was played and the table after it."""
    rules, (before, *tables) = position.rules, position.tables
    if not tables:
        yield "the start", before
    for number, (move, table) in enumerate(zip(position.history, tables, strict=True), 1):
        if isinstance(move, Observation):
            yield f"{number}. observed {move.outcome}", table
        else:
            side = move.player or rules.turn(before)
            text = str(move).removeprefix(f"{move.player}:")
            yield f"{number}. {side}: {text}", table
        before = table


def _caption(text: str, width: float) -> list[str]:
    lines = wrapped([text], width, NOTE)
    if len(lines) > MOST_LINES:
        lines = [*lines[: MOST_LINES - 1], f"{lines[MOST_LINES - 1][:-1]}…"]
    return lines
