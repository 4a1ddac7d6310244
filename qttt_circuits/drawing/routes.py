"""Where the marks of Goff's game go in their squares, so that lines stay clear of other marks."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from itertools import product
from math import dist

from .picture import Line, Point
from .squares import SIDE, corner

SPREAD = 34
"""How far apart the nine places of marks in a square are; there are never more marks in one."""
LOWER = 6
"""How far they are below the middle, so that diagonal lines miss the names of squares."""
CLEAR = 19
"""How far a line should be from the middle of a mark that is not its own."""
LARGE = 36
"""The same for a classical mark."""
BOWS = (0, 20, -20)
BENT = 8
"""How many pixels of detour a straight line is worth."""
CONFLICT = 200
STEPS = 24

Route = tuple[Point, Point, float]
"""Where a move's two marks are, and the bow of the line between them."""


def routes(moves: Iterable[tuple[int, int]], classical: Iterable[int]) -> list[Route]:
    """Returns a route for each move; a new move never changes those before it.

    Args:
        moves: The squares of each move.
        classical: The squares with classical marks.
    """
    large = [_places(square)[4] for square in classical]
    found: list[Route] = []
    for a, b in moves:
        marks = [mark for start, end, _ in found for mark in (start, end)]
        lines = [list(_points(route)) for route in found]
        best, least = None, float("inf")
        for cost, route in sorted(_options(a, b, marks)):
            if cost >= least:
                break
            total = cost + CONFLICT * _conflicts(route, marks, large, lines)
            if total < least:
                best, least = route, total
        assert best is not None
        found.append(best)
    return found


def _places(square: int) -> list[Point]:
    x, y = corner(square - 1)
    x, y = x + SIDE / 2, y + SIDE / 2 + LOWER
    steps = (-SPREAD, 0, SPREAD)
    return [(x + right, y + down) for down, right in product(steps, steps)]


def _options(a: int, b: int, marks: Sequence[Point]) -> Iterator[tuple[float, Route]]:
    """Yields the routes that take free places, with their lengths."""
    free_a, free_b = ([p for p in _places(s) if p not in marks] for s in (a, b))
    for start, end, bow in product(free_a, free_b, BOWS):
        yield dist(start, end) + (BENT if bow else 0), (start, end, bow)


def _points(route: Route) -> Iterator[Point]:
    start, end, bow = route
    line = Line(start, end, bow=bow)
    return (line.at(i / STEPS) for i in range(STEPS + 1))


def _conflicts(
    route: Route, marks: Sequence[Point], large: Sequence[Point], lines: Sequence[list[Point]]
) -> int:
    """Returns how many marks and lines are in each other's way."""
    points = list(_points(route))
    return sum(
        [
            *(min(dist(mark, p) for p in points) < CLEAR for mark in marks),
            *(min(dist(mark, p) for p in points) < LARGE for mark in large),
            *(dist(own, p) < CLEAR for line in lines for own in route[:2] for p in line[2:-2:3]),
        ]
    )
