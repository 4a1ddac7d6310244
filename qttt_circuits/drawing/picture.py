"""Pictures as plain shapes, which `svg` writes and `mpl` draws: no game is painted twice."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace
from math import hypot
from textwrap import wrap

INK, PAPER, RULE = "#222222", "#ffffff", "#666666"
WIDTH_OF_A_LETTER = 0.56
"""The width of an average letter over the size of its font; rather too wide than too narrow."""
BASELINE = 0.36
"""How far below the middle of a capital letter its foot is, over the size of the font."""

Point = tuple[float, float]


@dataclass(frozen=True)
class Rectangle:
    """A rectangle without an edge, by its upper left corner."""

    x: float
    y: float
    width: float
    height: float
    fill: str

    def placed(self, x: float, y: float, scale: float) -> Rectangle:
        """Returns it made larger or smaller and then moved."""
        return Rectangle(
            x + scale * self.x,
            y + scale * self.y,
            scale * self.width,
            scale * self.height,
            self.fill,
        )


@dataclass(frozen=True)
class Line:
    """A line; with a bow, a curve whose middle is that far to the left of the straight line."""

    start: Point
    end: Point
    colour: str = RULE
    width: float = 1
    dashes: tuple[float, ...] = ()
    bow: float = 0

    def at(self, t: float) -> Point:
        """Returns the point at a fraction of the way."""
        (x1, y1), (x2, y2), (x3, y3) = self.start, self.control, self.end
        a, b, c = (1 - t) ** 2, 2 * t * (1 - t), t**2
        return a * x1 + b * x2 + c * x3, a * y1 + b * y2 + c * y3

    @property
    def control(self) -> Point:
        """The control point of the quadratic curve."""
        (x1, y1), (x2, y2) = self.start, self.end
        stretch = 2 * self.bow / hypot(x2 - x1, y2 - y1) if self.bow else 0
        return (x1 + x2) / 2 + stretch * (y2 - y1), (y1 + y2) / 2 - stretch * (x2 - x1)

    def placed(self, x: float, y: float, scale: float) -> Line:
        """Returns it made larger or smaller and then moved."""
        return replace(
            self,
            start=(x + scale * self.start[0], y + scale * self.start[1]),
            end=(x + scale * self.end[0], y + scale * self.end[1]),
            width=scale * self.width,
            dashes=tuple(scale * dash for dash in self.dashes),
            bow=scale * self.bow,
        )


@dataclass(frozen=True)
class Circle:
    """A disc; its edge is never pale."""

    x: float
    y: float
    radius: float
    fill: str
    edge: str = INK
    opacity: float = 1
    width: float = 1.5

    def placed(self, x: float, y: float, scale: float) -> Circle:
        """Returns it made larger or smaller and then moved."""
        return replace(
            self,
            x=x + scale * self.x,
            y=y + scale * self.y,
            radius=scale * self.radius,
            width=scale * self.width,
        )


@dataclass(frozen=True)
class Polygon:
    """A polygon by its corners."""

    points: tuple[Point, ...]
    fill: str
    edge: str = INK
    width: float = 1.5

    def placed(self, x: float, y: float, scale: float) -> Polygon:
        """Returns it made larger or smaller and then moved."""
        points = tuple((x + scale * px, y + scale * py) for px, py in self.points)
        return replace(self, points=points, width=scale * self.width)


@dataclass(frozen=True)
class Text:
    """A line of text; ``y`` is the middle of its capital letters."""

    x: float
    y: float
    text: str
    size: float = 12
    colour: str = INK
    anchor: str = "middle"
    bold: bool = False

    @property
    def baseline(self) -> float:
        """Where the feet of the letters are."""
        return self.y + BASELINE * self.size

    def placed(self, x: float, y: float, scale: float) -> Text:
        """Returns it made larger or smaller and then moved."""
        return replace(self, x=x + scale * self.x, y=y + scale * self.y, size=scale * self.size)


Shape = Rectangle | Line | Circle | Polygon | Text


class Picture:
    """Shapes on a canvas, in the order in which they are added.

    Args:
        width: Width in pixels.
        height: Height in pixels.
        title: What it shows, for those who cannot see it.
    """

    def __init__(self, width: float, height: float, title: str = "") -> None:
        self.width, self.height, self.title = width, height, title
        self.shapes: list[Shape] = []

    def add(self, *shapes: Shape) -> None:
        """Adds shapes."""
        self.shapes += shapes

    def insert(self, other: Picture, x: float, y: float, scale: float = 1) -> None:
        """Adds the shapes of another picture, its upper left corner at a point."""
        self.shapes += (shape.placed(x, y, scale) for shape in other.shapes)


def wrapped(lines: Iterable[str], width: float, size: float) -> list[str]:
    """Returns lines of text broken to a width.

    Args:
        lines: The lines.
        width: The width in pixels.
        size: The size of the font.
    """
    letters = max(1, int(width / (WIDTH_OF_A_LETTER * size)))
    return [part for line in lines for part in wrap(line, letters)]
