"""A game's board as SVG: small pictures of plain shapes and text, without scripts or styles."""

from __future__ import annotations

from collections.abc import Iterable
from html import escape
from importlib import import_module
from math import isqrt
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from ..position import Position

FONT = "DejaVu Sans, Verdana, sans-serif"
INK, PAPER, RULE = "#222222", "#ffffff", "#888888"


class Picture:
    """Shapes on a canvas, in the order in which they are added.

    Args:
        width: Width in pixels.
        height: Height in pixels.
        title: What it shows, for those who cannot see it.
    """

    def __init__(self, width: float, height: float, title: str) -> None:
        self.width, self.height, self.title = width, height, title
        self._shapes: list[str] = []

    def rectangle(self, x: float, y: float, width: float, height: float, fill: str) -> None:
        """Adds a rectangle by its upper left corner."""
        self._shapes.append(
            f'<rect x="{x:g}" y="{y:g}" width="{width:g}" height="{height:g}" fill="{fill}"/>'
        )

    def line(self, x1: float, y1: float, x2: float, y2: float, colour: str = RULE) -> None:
        """Adds a line."""
        self._shapes.append(
            f'<line x1="{x1:g}" y1="{y1:g}" x2="{x2:g}" y2="{y2:g}" stroke="{colour}"/>'
        )

    def circle(
        self, x: float, y: float, radius: float, fill: str, *, edge: str = INK, opacity: float = 1
    ) -> None:
        """Adds a circle; its edge is never pale."""
        self._shapes.append(
            f'<circle cx="{x:g}" cy="{y:g}" r="{radius:g}" fill="{fill}" '
            f'fill-opacity="{opacity:g}" stroke="{edge}" stroke-width="1.5"/>'
        )

    def text(
        self,
        x: float,
        y: float,
        text: str,
        *,
        size: float = 12,
        colour: str = INK,
        anchor: str = "middle",
        bold: bool = False,
    ) -> None:
        """Adds a line of text with its middle at a height."""
        weight = ' font-weight="bold"' if bold else ""
        self._shapes.append(
            f'<text x="{x:g}" y="{y:g}" font-family="{FONT}" font-size="{size:g}" fill="{colour}" '
            f'text-anchor="{anchor}" dominant-baseline="central"{weight}>{escape(text)}</text>'
        )

    def __str__(self) -> str:
        head = (
            f'<svg xmlns="http://www.w3.org/2000/svg" width="{self.width:g}" '
            f'height="{self.height:g}" viewBox="0 0 {self.width:g} {self.height:g}" role="img">'
        )
        body = [f"<title>{escape(self.title)}</title>", *self._shapes]
        return "\n".join([head, *body, "</svg>"]) + "\n"


def board_svg(position: Position) -> str:
    """Returns the board as an SVG document.

    Args:
        position: A position.
    """
    rules, table = position.rules, position.table
    title = f"{rules.name}: {rules.status(table)}"
    if rules.painter:
        module = import_module(f".{rules.painter}", __package__)
        return str(module.paint(rules, table, title))
    return str(_grid(rules.cells(table).items(), title))


def _grid(cells: Iterable[tuple[str, str]], title: str) -> Picture:
    """Returns a grid of squares with their names and the text that they show."""
    cells = list(cells)
    size, side, top = isqrt(len(cells)), 96, 28
    picture = Picture(size * side + 8, size * side + top + 8, title)
    picture.rectangle(0, 0, picture.width, picture.height, PAPER)
    picture.text(4, top / 2, title, size=11, anchor="start")
    for i, (name, shown) in enumerate(cells):
        x, y = 4 + i % size * side, top + i // size * side
        picture.text(x + 8, y + 12, name, size=9, colour=RULE)
        words = shown.split()
        rows = [" ".join(words[j : j + 2]) for j in range(0, len(words), 2)]
        for row, text in enumerate(rows):
            height = y + side / 2 + 18 * (row - (len(rows) - 1) / 2)
            picture.text(x + side / 2, height, text, size=15)
    for i in range(1, size):
        picture.line(4 + i * side, top, 4 + i * side, top + size * side)
        picture.line(4, top + i * side, 4 + size * side, top + i * side)
    return picture
