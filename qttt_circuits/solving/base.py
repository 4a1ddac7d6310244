"""What a solver finds of a position."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from fractions import Fraction
from typing import Any

from ..board import X
from ..moves import Move
from ..position import Position

Progress = Callable[[str], None]


@dataclass(frozen=True)
class Rated:
    """A legal move and what it is worth.

    Attributes:
        move: The move.
        kind: What kind of move it is, in a word.
        value: X's score minus O's with best play after it.
    """

    move: Move
    kind: str
    value: Fraction | float


@dataclass(frozen=True)
class Solution:
    """What best play of both sides leads to.

    Attributes:
        position: The position as text.
        turn: The side to move, or None if the game is over.
        value: X's score minus O's.
        moves: Every legal move, best first for the side to move.
        line: A principal variation: best moves of both to the end of the game.
        facts: What else the solver counted.
    """

    position: str
    turn: str | None
    value: Fraction | float
    moves: tuple[Rated, ...]
    line: tuple[Move, ...]
    facts: Mapping[str, int] = field(default_factory=dict)

    def to_json(self) -> dict[str, Any]:
        """Returns the solution as JSON-able data."""
        return {
            "value": float(self.value),
            "turn": self.turn,
            "moves": [
                {"move": str(r.move), "kind": r.kind, "value": float(r.value)} for r in self.moves
            ],
            "line": [str(move) for move in self.line],
            **self.facts,
        }


def solution(
    position: Position,
    value: Callable[[Any], Fraction],
    kind: Callable[[Move], str],
    progress: Progress,
) -> Solution:
    """Returns the solution of a position of a game without chance.

    Args:
        position: The position.
        value: Returns what a table is worth for X.
        kind: Names the kind of a move.
        progress: Is told what is being solved.
    """
    rules, table = position.rules, position.table
    sign = 1 if position.turn == X else -1
    rated = []
    for move in position.legal_moves:
        progress(f"{position.text()} {move}")
        rated.append(Rated(move, kind(move), value(rules.play(table, move))))
    rated.sort(key=lambda r: -sign * r.value)
    best = rated[0].value if rated else value(table)
    line = []
    while rules.outcome(table) is None:
        move, table = next(
            (move, after)
            for move in rules.legal_moves(table)
            if value(after := rules.play(table, move)) == best
        )
        line.append(move)
    return Solution(position.text(), position.turn, best, tuple(rated), tuple(line))
