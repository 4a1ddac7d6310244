"""What a solver finds of a position."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from fractions import Fraction
from typing import Any, NamedTuple

from ..moves import Move
from ..position import Position

Progress = Callable[[str], None]
NEAR = 1e-9
"""Values that differ by less are the same."""


class Worth(NamedTuple):
    """What a position is worth with best play of both sides.

    Attributes:
        value: The score of the game's first side, such as X or the cat, minus the other's.
        plies: The plies to the end if the winner hurries and the loser delays; 0 if not counted.
    """

    value: Fraction | float
    plies: int = 0

    def to_side(self, sign: int) -> tuple[float, int]:
        """Returns how good this is for a side, to be compared: 1 is the first one, -1 the other."""
        value = sign * float(self.value)
        return value, -self.plies if value > 0 else self.plies


@dataclass(frozen=True)
class Rated:
    """A legal move and what it is worth.

    Attributes:
        move: The move.
        kind: What kind of move it is, in a word.
        worth: What the position after it is worth.
    """

    move: Move
    kind: str
    worth: Worth

    @property
    def value(self) -> Fraction | float:
        """The score of the game's first side minus the other's with best play after the move."""
        return self.worth.value


@dataclass(frozen=True)
class Solution:
    """What best play of both sides leads to.

    Attributes:
        position: The position as text.
        turn: The side to move, or None if the game is over.
        side: The side whose score counts as positive.
        value: Its score minus the other's.
        moves: Every legal move, best first for the side to move.
        line: A principal variation: best moves of both to the end of the game, or as far as no
            chance comes in between.
        facts: What else the solver counted.
    """

    position: str
    turn: str | None
    side: str
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
                {
                    "move": str(r.move),
                    "kind": r.kind,
                    "value": float(r.value),
                    **({"plies": 1 + r.worth.plies} if "plies" in self.facts else {}),
                }
                for r in self.moves
            ],
            "line": [str(move) for move in self.line],
            **self.facts,
        }


def solution(
    position: Position,
    worth: Callable[[Any], Worth],
    kind: Callable[[Move], str],
    progress: Progress,
    *,
    line: bool,
) -> Solution:
    """Returns the solution of a position of a game without chance.

    Args:
        position: The position.
        worth: Returns what a table is worth.
        kind: Names the kind of a move.
        progress: Is told what is being solved.
        line: Whether to work out a principal variation.
    """
    rules, table = position.rules, position.table

    def rated(table: Any) -> list[Rated]:
        """Returns all moves, best first; equal ones stay in order."""
        sign = 1 if rules.turn(table) == rules.sides[0] else -1
        found = []
        for move in rules.legal_moves(table):
            progress(f"{position.text()} {move}")
            found.append(Rated(move, kind(move), worth(rules.play(table, move))))
        return sorted(found, key=lambda r: r.worth.to_side(sign), reverse=True)

    moves = rated(table)
    best = moves[0].value if moves else worth(table).value
    best_line = []
    while line and rules.outcome(table) is None:
        move = rated(table)[0].move
        best_line.append(move)
        table = rules.play(table, move)
    return Solution(
        position.text(), position.turn, rules.sides[0], best, tuple(moves), tuple(best_line)
    )
