"""How heavy a line a move can make in Leaw and Cheong's game, for players that look ahead.

With S the sum of a side's moves and Q the projector on what is orthogonal to all moves so far, the
move v = Qv that makes the length of P(S + v) largest, P being the projector on a line, is a fixed
point of v → Q P (S + v), normalised. The weight is convex in v, so every step makes it heavier; all
of it happens within the three squares of the line.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from math import sqrt

from ..board import lines
from ..vectors import SQUARES, Vector, distance

STEPS = 8
LEAST = 1e-4
"""A move of which less than this lies beside the earlier ones is left out: it would be inexact."""
ALIKE = 1e-6

Matrix = tuple[tuple[complex, ...], ...]


def projector(moves: Iterable[Vector]) -> Matrix:
    """Returns the projector on what is orthogonal to orthonormal vectors, row by row."""
    rows = [[complex(i == j) for j in range(len(SQUARES))] for i in range(len(SQUARES))]
    for move in moves:
        back = [a.conjugate() for a in move]
        for row, a in zip(rows, move, strict=True):
            if a:
                for j, b in enumerate(back):
                    row[j] -= a * b
    return tuple(map(tuple, rows))


def heaviest_moves(
    beside: Matrix, own: Sequence[complex], size: int
) -> Iterator[tuple[float, Vector]]:
    """Yields for each line the move that makes it heaviest, as far as is found, and the weight.

    Args:
        beside: The projector on what moves may be.
        own: The sum of the side's moves.
        size: Squares a side.
    """
    for line in lines(size):
        i, j, k = (square - 1 for square in line)
        block = [(beside[r][i], beside[r][j], beside[r][k]) for r in (i, j, k)]
        held = own[i], own[j], own[k]
        # where the side holds nothing of the line, the line's middle is as good a start as any
        u = held if any(abs(a) > LEAST for a in held) else (0.1 + 0j, 1 + 0j, 0.1 + 0j)
        length = 0.0
        for _ in range(STEPS):
            a, b, c = u
            g = [p * a + q * b + r * c for p, q, r in block]
            norm = sum((x.conjugate() * y).real for x, y in zip(u, g, strict=True))
            if norm < LEAST**2:
                break
            length, found = sqrt(norm), u
            u = (held[0] + g[0] / length, held[1] + g[1] / length, held[2] + g[2] / length)
        if length:
            a, b, c = (x / length for x in found)
            yield (
                sum(abs(x) ** 2 for x in u),
                tuple(row[i] * a + row[j] * b + row[k] * c for row in beside),
            )


def distinct(vectors: Iterable[Vector]) -> list[Vector]:
    """Returns vectors without those that are as good as one before."""
    kept: list[Vector] = []
    for vector in vectors:
        if all(distance(vector, other) > ALIKE for other in kept):
            kept.append(vector)
    return kept
